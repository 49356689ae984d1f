/* Test support: specs drawn from a seed; see plan_maker.h. */
#include "support/plan_maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ numbers */

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Seeds side by side must not give the same numbers a few draws apart. */
void maker_seed(maker_dice *dice, uint64_t seed) {
    dice->state = mixed(mixed(seed + 0x9e3779b97f4a7c15u) + 0x2545f4914f6cdd1du);
}

unsigned maker_draw(maker_dice *dice, unsigned below) {
    return (unsigned)(mixed(dice->state += 0x9e3779b97f4a7c15u) % below);
}

#define PICK(dice, list) ((list)[maker_draw((dice), (unsigned)(sizeof(list) / sizeof *(list)))])

static bool one_in(maker_dice *dice, unsigned n) {
    return maker_draw(dice, n) == 0;
}

/* ------------------------------------------------------------ keys */

static made_key *find(made_plan *plan, const char *path) {
    for (int i = 0; i < plan->count; i++)
        if (!plan->keys[i].dropped && strcmp(plan->keys[i].path, path) == 0)
            return &plan->keys[i];
    return NULL;
}

static made_key *put(made_plan *plan, const char *path) {
    made_key *key = find(plan, path);
    if (key != NULL)
        return key;
    if (plan->count == MADE_KEYS_MAX || strlen(path) >= MADE_PATH)
        abort();
    key = &plan->keys[plan->count++];
    *key = (made_key){0};
    strcpy(key->path, path);
    return key;
}

static void print(char value[MADE_VALUE], const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void print(char value[MADE_VALUE], const char *format, va_list args) {
    if (vsnprintf(value, MADE_VALUE, format, args) >= MADE_VALUE)
        abort();
}

void made_set(made_plan *plan, const char *path, const char *value, ...) {
    va_list args;
    made_key *key = put(plan, path);
    va_start(args, value);
    print(key->value, value, args);
    va_end(args);
    key->other[0] = '\0';
}

const char *made_get(const made_plan *plan, const char *path) {
    for (int i = 0; i < plan->count; i++)
        if (!plan->keys[i].dropped && strcmp(plan->keys[i].path, path) == 0)
            return plan->keys[i].value;
    return NULL;
}

static bool starts(const char *path, const char *prefix) {
    const size_t len = strlen(prefix);
    return strncmp(path, prefix, len) == 0 && (path[len] == '.' || path[len] == '\0');
}

static bool has_below(const made_plan *plan, const char *prefix) {
    for (int i = 0; i < plan->count; i++)
        if (!plan->keys[i].dropped && starts(plan->keys[i].path, prefix))
            return true;
    return false;
}

void made_drop(made_plan *plan, const char *prefix) {
    for (int i = 0; i < plan->count; i++)
        if (starts(plan->keys[i].path, prefix))
            plan->keys[i].dropped = true;
}

int made_items(const made_plan *plan, const char *list) {
    int most = 0;
    const size_t len = strlen(list);
    for (int i = 0; i < plan->count; i++) {
        const char *path = plan->keys[i].path;
        if (starts(path, list) && strncmp(path + len, ".[", 2) == 0) {
            const int next = 1 + (int)strtol(path + len + 2, NULL, 10);
            most = next > most ? next : most;
        }
    }
    return most;
}

/* ------------------------------------------------------------ drawing */

typedef struct maker {
    maker_dice dice;
    const maker_wish *wish;
    made_plan *plan;
    char head[MADE_PATH]; /* of the workload that is drawn */
    bool large;           /* one in so many: more workloads, more kinds */
} maker;

/* A key of the workload; `other` is the same value in other units, or NULL. */
static made_key *own(maker *m, const char *key) {
    char path[MADE_PATH];
    if (snprintf(path, sizeof path, "%s.%s", m->head, key) >= MADE_PATH)
        abort();
    return put(m->plan, path);
}

static void say(maker *m, const char *key, const char *value, ...)
    __attribute__((format(printf, 3, 4)));
static void say(maker *m, const char *key, const char *value, ...) {
    va_list args;
    va_start(args, value);
    print(own(m, key)->value, value, args);
    va_end(args);
}

static void need(maker *m, const char *key, const char *value, ...)
    __attribute__((format(printf, 3, 4)));
static void need(maker *m, const char *key, const char *value, ...) {
    va_list args;
    va_start(args, value);
    print(own(m, key)->value, value, args);
    va_end(args);
    own(m, key)->needed = true;
}

static void alike(maker *m, const char *key, const char *other, ...)
    __attribute__((format(printf, 3, 4)));
static void alike(maker *m, const char *key, const char *other, ...) {
    va_list args;
    va_start(args, other);
    print(own(m, key)->other, other, args);
    va_end(args);
}

/* The usual ones first: they are drawn most. */
static const char *const kinds[] = {"dgx-h100",    "dgx-h200",      "dgx-b200",
                                    "l40s-8gpu",   "dgx-a100",      "mi300x-8gpu",
                                    "dgx-b300",    "h100-nvl-8gpu", "rtx-pro-6000-8gpu",
                                    "dell-xe8640", "mi325x-8gpu",   "dell-r760xa-4xl40s"};
static const int kind_prices[] = {250, 300, 480, 110, 120, 230, 520, 180, 130, 140, 260, 60};
static const char rack[] = "gb200-nvl72";
static const char *const clouds[] = {"cloud:aws/p5.48xlarge", "cloud:aws/p5en.48xlarge"};
enum {
    KINDS = sizeof kinds / sizeof kinds[0],
    USUAL_KINDS = 6,
    CLOUDS = sizeof clouds / sizeof clouds[0]
};

static void draw_slo(maker *m) {
    if (one_in(&m->dice, 5)) {
        const unsigned s = 20 + maker_draw(&m->dice, 60);
        need(m, "goal.slo.e2e", "%u s", s);
        alike(m, "goal.slo.e2e", "%u ms", 1000 * s);
        return;
    }
    const unsigned ttft = 10 * (80 + maker_draw(&m->dice, 320));
    const unsigned tpot = 30 + maker_draw(&m->dice, 70);
    need(m, "goal.slo.ttft", "%u ms", ttft);
    alike(m, "goal.slo.ttft", "%u.%02u s", ttft / 1000, ttft % 1000 / 10);
    need(m, "goal.slo.tpot", "%u ms", tpot);
    alike(m, "goal.slo.tpot", "0.%03u s", tpot);
}

static void draw_model(maker *m) {
    static const char *const dense[] = {"llama-3.1-8b", "llama-3.1-70b-fp8", "qwen3-32b",
                                        "qwen3-8b", "mistral-nemo-12b"};
    /* Their layouts are many, and take ten times as long to go through. */
    static const char *const experts[] = {"gpt-oss-120b", "gpt-oss-20b", "qwen3-30b-a3b"};
    if (one_in(&m->dice, m->wish->services ? 5 : 16))
        need(m, "model", "%s", PICK(&m->dice, experts));
    else
        need(m, "model", "%s", PICK(&m->dice, dense));
}

static void draw_lengths(maker *m) {
    need(m, "traffic.inputTokens", "%u", 100 + maker_draw(&m->dice, 3900));
    need(m, "traffic.outputTokens", "%u", 50 + maker_draw(&m->dice, 750));
}

static void draw_service_extras(maker *m) {
    static const char *const levels[] = {"99%", "99.9%", "99.99%"};
    static const char *const profiles[] = {"flat", "diurnal", "office"};
    static const char *const apart[] = {"auto", "true", "false"};
    if (one_in(&m->dice, 4))
        say(m, "goal.slo.availability", "%s", PICK(&m->dice, levels));
    if (one_in(&m->dice, 3))
        say(m, "traffic.profile", "%s", PICK(&m->dice, profiles));
    if (one_in(&m->dice, 2))
        say(m, "disaggregated", "%s", one_in(&m->dice, 3) ? PICK(&m->dice, apart) : "false");
    if (one_in(&m->dice, 5))
        say(m, "placement.exclusive", "true");
    if (one_in(&m->dice, 6))
        say(m, "scaling.minReplicas", "%u", 1 + maker_draw(&m->dice, 4));
    if (one_in(&m->dice, 6))
        say(m, "scaling.spareReplicas", "%u", 1 + maker_draw(&m->dice, 2));
    if (one_in(&m->dice, 6))
        say(m, "traffic.prefixCacheHit", "%u%%", 10 * maker_draw(&m->dice, 8));
    if (one_in(&m->dice, 10))
        say(m, "traffic.thoughtTokens", "%u", 50 + maker_draw(&m->dice, 500));
    if (one_in(&m->dice, 12))
        say(m, "traffic.branches", "%u", 1 + maker_draw(&m->dice, 4));
    if (one_in(&m->dice, 10))
        say(m, "precision.kvCache", "fp8");
    if (one_in(&m->dice, 12))
        say(m, "speculative.tokens", "%u", 1 + maker_draw(&m->dice, 4));
    if (one_in(&m->dice, 12))
        say(m, "scaling.maxReplicas", "%u", 4 + maker_draw(&m->dice, 40));
}

static void draw_service(maker *m) {
    const unsigned tenths = 2 + maker_draw(&m->dice, one_in(&m->dice, 4) ? 400 : 60);
    need(m, "type", "inference");
    draw_model(m);
    need(m, "traffic.requestsPerSecond.mean", "%u.%u", tenths / 10, tenths % 10);
    if (!one_in(&m->dice, 3))
        say(m, "traffic.requestsPerSecond.peak", "%u.%u", 3 * tenths / 20, 3 * tenths / 2 % 10);
    draw_lengths(m);
    draw_slo(m);
    if (m->wish->services)
        need(m, "disaggregated", "false");
    else
        draw_service_extras(m);
}

static void draw_batch(maker *m) {
    need(m, "type", "inference");
    draw_model(m);
    need(m, "traffic.requests", "%uk", 50 + maker_draw(&m->dice, 3000));
    draw_lengths(m);
    const unsigned days = 1 + maker_draw(&m->dice, 14);
    if (one_in(&m->dice, 2)) {
        need(m, "goal.completeWithin", "%u d", days);
        alike(m, "goal.completeWithin", "%u h", 24 * days);
        return;
    }
    need(m, "goal.every", "%u d", days + maker_draw(&m->dice, 20));
    need(m, "goal.maxDuration", "%u d", days);
    alike(m, "goal.maxDuration", "%u h", 24 * days);
}

/* One run, or one in every period. */
static void draw_run_goal(maker *m) {
    const unsigned days = 1 + maker_draw(&m->dice, 20);
    if (one_in(&m->dice, 2)) {
        need(m, "goal.completeWithin", "%u d", days);
        alike(m, "goal.completeWithin", "%u h", 24 * days);
    } else {
        need(m, "goal.every", "%u d", days + maker_draw(&m->dice, 14));
        need(m, "goal.maxDuration", "%u d", days);
        alike(m, "goal.maxDuration", "%u h", 24 * days);
    }
    if (one_in(&m->dice, 4))
        say(m, "placement.timeSharing", "true");
}

static void draw_run_extras(maker *m) {
    static const char *const recomputes[] = {"none", "selective", "full"};
    if (one_in(&m->dice, 10))
        say(m, "recompute", "%s", PICK(&m->dice, recomputes));
    if (one_in(&m->dice, 12))
        say(m, "precision.compute", "fp8");
    if (one_in(&m->dice, 12))
        say(m, "offload.states", "auto");
    if (one_in(&m->dice, 12))
        say(m, "checkpoint.interval", "%u min", 10 + maker_draw(&m->dice, 50));
    if (one_in(&m->dice, 12))
        say(m, "run.start", "%u min", maker_draw(&m->dice, 60));
    if (one_in(&m->dice, 15))
        say(m, "data.epochs", "%u", 1 + maker_draw(&m->dice, 3));
}

static void draw_finetune(maker *m) {
    static const char *const models[] = {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b"};
    const unsigned tokens = 50 + maker_draw(&m->dice, 2000);
    need(m, "type", "finetune");
    need(m, "model", "%s", PICK(&m->dice, models));
    need(m, "data.tokens", "%uM tokens", tokens);
    alike(m, "data.tokens", "%u000k tokens", tokens);
    say(m, "data.sequenceLength", "4096");
    say(m, "data.globalBatch", "512k tokens");
    draw_run_goal(m);
    draw_run_extras(m);
}

static void draw_training(maker *m) {
    const unsigned tokens = 5 + maker_draw(&m->dice, 80);
    need(m, "type", "training");
    need(m, "model", "llama-3.1-8b");
    need(m, "data.tokens", "%uB tokens", tokens);
    alike(m, "data.tokens", "%u000M tokens", tokens);
    draw_run_goal(m);
    draw_run_extras(m);
}

static void draw_lora(maker *m) {
    static const char *const models[] = {"llama-3.1-8b", "qwen3-32b"};
    need(m, "type", "lora");
    need(m, "model", "%s", PICK(&m->dice, models));
    need(m, "data.tokens", "%uM tokens", 5 + maker_draw(&m->dice, 60));
    if (one_in(&m->dice, 2))
        say(m, "adapter.method", "qlora");
    if (one_in(&m->dice, 4)) {
        draw_run_goal(m);
        return;
    }
    if (one_in(&m->dice, 3))
        need(m, "jobs.concurrent", "%u", 1 + maker_draw(&m->dice, 5));
    else
        need(m, "jobs.perWeek", "%u", 1 + maker_draw(&m->dice, 30));
    need(m, "goal.maxDuration", "%u h", 6 + maker_draw(&m->dice, 30));
}

/* People with a part of a GPU each, or with whole ones. */
static void draw_seats(maker *m) {
    need(m, "type", "seats");
    if (one_in(&m->dice, 2)) {
        need(m, "seats.atOnce", "%u", 1 + maker_draw(&m->dice, 12));
        need(m, "seats.gpus", "%u", 1 + maker_draw(&m->dice, 2));
        return;
    }
    need(m, "seats.people", "%u", 5 + maker_draw(&m->dice, 100));
    need(m, "seats.present", "%u%%", 30 + maker_draw(&m->dice, 50));
    need(m, "seats.memory", "%u GiB", 8 + maker_draw(&m->dice, 24));
    say(m, "seats.hours", "office");
    say(m, "seats.busy", "%u%%", 20 + maker_draw(&m->dice, 50));
}

static void draw_rl(maker *m) {
    static const char *const models[] = {"qwen3-30b-a3b", "llama-3.1-8b", "qwen3-32b"};
    static const char *const pools[] = {"colocated", "apart"};
    need(m, "type", "rl");
    need(m, "model", "%s", PICK(&m->dice, models));
    need(m, "rl.algorithm", "grpo");
    need(m, "rl.promptsPerStep", "%u", 64 << maker_draw(&m->dice, 3));
    need(m, "rl.samplesPerPrompt", "16");
    need(m, "rl.promptTokens", "%u", 100 + maker_draw(&m->dice, 400));
    need(m, "rl.responseTokens.mean", "%u", 500 + maker_draw(&m->dice, 2500));
    need(m, "rl.responseTokens.peak", "%u", 4000 + maker_draw(&m->dice, 4000));
    need(m, "rl.steps", "%u", 100 + maker_draw(&m->dice, 900));
    if (one_in(&m->dice, 3))
        say(m, "rl.pools", "%s", PICK(&m->dice, pools));
    need(m, "goal.completeWithin", "%u d", 3 + maker_draw(&m->dice, 12));
}

/* Embeddings and rerankers: texts are read, nothing is written. */
static void draw_reader(maker *m) {
    static const char *const models[] = {"bge-m3", "qwen3-embedding-0.6b", "bge-reranker-v2-m3"};
    need(m, "type", "inference");
    need(m, "model", "%s", PICK(&m->dice, models));
    need(m, "traffic.requestsPerSecond.mean", "%u", 2 + maker_draw(&m->dice, 300));
    need(m, "traffic.inputTokens", "%u", 100 + maker_draw(&m->dice, 1900));
    need(m, "traffic.outputTokens", "0");
    need(m, "goal.slo.e2e", "%u ms", 200 + maker_draw(&m->dice, 800));
}

/* A mixture of experts that takes most of a machine, with lengths that have a tail. */
static void draw_experts(maker *m) {
    static const char *const models[] = {"deepseek-v3", "qwen3-235b-a22b", "gpt-oss-120b"};
    const unsigned input = 300 + maker_draw(&m->dice, 3000);
    const unsigned output = 100 + maker_draw(&m->dice, 700);
    need(m, "type", "inference");
    need(m, "model", "%s", PICK(&m->dice, models));
    need(m, "traffic.requestsPerSecond.mean", "%u", 1 + maker_draw(&m->dice, 20));
    need(m, "traffic.inputTokens.mean", "%u", input);
    need(m, "traffic.inputTokens.p95", "%u", 3 * input);
    need(m, "traffic.outputTokens.mean", "%u", output);
    need(m, "traffic.outputTokens.p95", "%u", 3 * output);
    draw_slo(m);
    draw_service_extras(m);
}

static void draw_workload(maker *m, int index) {
    static void (*const others[])(maker *) = {draw_seats, draw_rl, draw_reader, draw_experts};
    static void (*const drawn[])(maker *) = {draw_service,  draw_service,  draw_service,
                                             draw_batch,    draw_finetune, draw_finetune,
                                             draw_training, draw_lora,     draw_lora};
    if (snprintf(m->head, sizeof m->head, "workloads.[%d]", index) < 0)
        abort();
    need(m, "name", "@%d", index);
    if (m->wish->services)
        draw_service(m);
    else if (m->wish->all_work && one_in(&m->dice, 2))
        PICK(&m->dice, others)(m);
    else
        PICK(&m->dice, drawn)(m);
    static const char *const tunings[] = {"tuned", "typical", "untuned"};
    if (m->wish->services)
        return;
    if (one_in(&m->dice, 3))
        say(m, "priority", "%u", maker_draw(&m->dice, 3));
    if (one_in(&m->dice, 6))
        say(m, "software.tuning", "%s", PICK(&m->dice, tunings));
}

static void draw_candidates(maker *m) {
    static const char *const goals[] = {"minPower",    "minCost", "minGpus",
                                        "minMachines", "minTime", "minCarbon"};
    const int most = m->wish->kinds_max > 0 ? m->wish->kinds_max : m->large ? 3 : 2;
    const int least = m->wish->kinds_min > 0 ? m->wish->kinds_min : 1;
    const bool more = m->wish->kinds_max > 0 || m->large || one_in(&m->dice, 3);
    const int count = more ? least + (int)maker_draw(&m->dice, (unsigned)(most - least + 1)) : 1;
    const bool any = m->wish->kinds_max == 0 && one_in(&m->dice, 40);
    const unsigned among = one_in(&m->dice, 4) ? KINDS : USUAL_KINDS;
    const unsigned first = maker_draw(&m->dice, among);
    made_plan *plan = m->plan;
    plan->priced = one_in(&m->dice, 2);
    for (int i = 0; i < count && !any; i++) {
        char path[MADE_PATH];
        snprintf(path, sizeof path, "candidates.allow.[%d]", i);
        made_set(plan, path, "%s", kinds[(first + (unsigned)i) % among]);
    }
    if (!any && m->wish->kinds_max == 0 && one_in(&m->dice, 8))
        made_set(plan, "candidates.allow.[9]", "%s", PICK(&m->dice, clouds));
    if (!any && m->wish->all_work && one_in(&m->dice, 6))
        made_set(plan, "candidates.allow.[8]", "%s", rack);
    const char *objective = m->wish->objective != NULL ? m->wish->objective
                            : one_in(&m->dice, 5)      ? "auto"
                                                       : PICK(&m->dice, goals);
    if (strcmp(objective, "minCost") == 0) {
        plan->priced = true;
        if (any)
            objective = "minPower";
    }
    made_set(plan, "candidates.objective", "%s", objective);
    find(plan, "candidates.objective")->needed = m->wish->objective != NULL;
    if (!m->wish->no_limits && one_in(&m->dice, 10))
        made_set(plan, "candidates.limits.maxNodes", "%u", 1 + maker_draw(&m->dice, 30));
    else if (one_in(&m->dice, 12))
        made_set(plan, "candidates.limits.step", "2");
}

static void draw_pools(maker *m) {
    made_plan *plan = m->plan;
    if (m->wish->no_pools || one_in(&m->dice, 2))
        return;
    const int count = 1 + (int)maker_draw(&m->dice, 2);
    for (int i = 0; i < count; i++) {
        char path[MADE_PATH];
        const unsigned nodes = 1 + maker_draw(&m->dice, 6);
        snprintf(path, sizeof path, "cluster.pools.[%d].name", i);
        made_set(plan, path, "pool%d", i);
        snprintf(path, sizeof path, "cluster.pools.[%d].system", i);
        made_set(plan, path, "%s", kinds[maker_draw(&m->dice, USUAL_KINDS)]);
        snprintf(path, sizeof path, "cluster.pools.[%d].count", i);
        made_set(plan, path, "%u", nodes);
        if (one_in(&m->dice, 4)) {
            snprintf(path, sizeof path, "cluster.pools.[%d].inUse", i);
            made_set(plan, path, "%u", maker_draw(&m->dice, nodes + 1));
        }
    }
    if (one_in(&m->dice, 6))
        made_set(plan, "cluster.reserve.spareNodes", "1");
    if (one_in(&m->dice, 8))
        made_set(plan, "cluster.reserve.systemNodes", "%u", maker_draw(&m->dice, 4));
    if (one_in(&m->dice, 5))
        made_set(plan, "workloads.[0].placement.pool", "pool0");
}

/* A limit as a number below so many times what a small site takes. */
static unsigned draw_limit(maker *m, unsigned small) {
    static const unsigned times[] = {1, 4, 20};
    return small / 2 + maker_draw(&m->dice, small * PICK(&m->dice, times));
}

static void draw_limits(maker *m) {
    made_plan *plan = m->plan;
    if (m->wish->no_limits || one_in(&m->dice, 2))
        return;
    if (one_in(&m->dice, 2)) {
        const unsigned kw = draw_limit(m, 20);
        made_set(plan, "site.power.itCapacity", "%u kW", kw);
        snprintf(find(plan, "site.power.itCapacity")->other, MADE_VALUE, "%u000 W", kw);
    }
    if (one_in(&m->dice, 3))
        made_set(plan, "site.racks.count", "%u", 1 + draw_limit(m, 2));
    if (one_in(&m->dice, 4) && made_get(plan, "site.power.itCapacity") == NULL)
        made_set(plan, "site.racks.maxPower", "%u kW", 12 + maker_draw(&m->dice, 60));
    if (one_in(&m->dice, 4))
        made_set(plan, "site.cooling.air.capacity", "%u kW", draw_limit(m, 20));
    if (one_in(&m->dice, 8))
        made_set(plan, "site.cooling.liquid.capacity", "%u kW", draw_limit(m, 20));
    if (one_in(&m->dice, 4) && plan->priced)
        made_set(plan, "costs.budget.capital", "%uk USD", draw_limit(m, 500));
    if (one_in(&m->dice, 6) && plan->priced)
        made_set(plan, "costs.budget.recurring", "%uk USD/yr", draw_limit(m, 150));
}

/* Of services by their rate; what runs once cannot grow so. */
static void draw_growth(maker *m) {
    made_plan *plan = m->plan;
    bool grows = false;
    if (m->wish->no_growth || !one_in(&m->dice, 6))
        return;
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        snprintf(path, sizeof path, "workloads.[%d].traffic.requestsPerSecond.mean", i);
        if (made_get(plan, path) == NULL)
            continue;
        snprintf(path, sizeof path, "growth.scenarios.expected.@%d", i);
        made_set(plan, path, "%u%%/quarter", 8 * maker_draw(&m->dice, 3));
        grows = true;
    }
    if (!grows)
        return;
    made_set(plan, "growth.start", "2027-Q1");
    made_set(plan, "growth.horizon", "%u quarters", 2 + maker_draw(&m->dice, 4));
}

static void draw_rest(maker *m) {
    static const char *const confidences[] = {"expected", "p80", "p90"};
    made_plan *plan = m->plan;
    if (one_in(&m->dice, 2))
        made_set(plan, "defaults.confidence", "%s", PICK(&m->dice, confidences));
    if (one_in(&m->dice, 4))
        made_set(plan, "defaults.headroom.gpus", "%u%%", 5 * maker_draw(&m->dice, 7));
    if (one_in(&m->dice, 6))
        made_set(plan, "defaults.headroom.memory", "%u%%", 2 + maker_draw(&m->dice, 10));
    if (one_in(&m->dice, 3))
        made_set(plan, "site.energy.price", "0.%02u USD/kWh", 4 + maker_draw(&m->dice, 30));
    if (one_in(&m->dice, 6))
        made_set(plan, "site.power.annual.pue", "1.2");
    if (one_in(&m->dice, 6) && plan->priced)
        made_set(plan, "costs.amortization", "%u mo", 24 + 12 * maker_draw(&m->dice, 4));
}

/* Machines that stand without work, on or off. */
static void draw_idle(maker *m) {
    if (m->wish->all_work && made_get(m->plan, "cluster.pools.[0].count") != NULL &&
        one_in(&m->dice, 3))
        made_set(m->plan, "cluster.idle", "poweredOn");
}

void maker_make(uint64_t seed, const maker_wish *wish, made_plan *ret) {
    maker m = {.wish = wish, .plan = ret};
    maker_seed(&m.dice, seed);
    m.large = one_in(&m.dice, 25);
    const int most = wish->workloads_max > 0 ? wish->workloads_max
                     : m.large               ? 6
                                             : 1 + (int)maker_draw(&m.dice, 3);
    const int least = wish->workloads_min > 0 ? wish->workloads_min : 1;
    *ret = (made_plan){.seed = seed};
    ret->workloads = least + (int)maker_draw(&m.dice, (unsigned)(most - least + 1));
    draw_candidates(&m);
    for (int i = 0; i < ret->workloads; i++)
        draw_workload(&m, i);
    draw_pools(&m);
    draw_limits(&m);
    draw_rest(&m);
    draw_growth(&m);
    draw_idle(&m);
}

/* ------------------------------------------------------------ writing */

typedef struct writer {
    const made_plan *plan;
    char *text;
    size_t used;
} writer;

static void put_text(writer *w, const char *text, size_t len) {
    if (w->used + len + 1 >= MADE_TEXT)
        abort();
    memcpy(w->text + w->used, text, len);
    w->used += len;
    w->text[w->used] = '\0';
}

static void put_words(writer *w, const char *text) {
    put_text(w, text, strlen(text));
}

static void put_name(writer *w, int index) {
    char name[24];
    if (w->plan->style.renamed)
        snprintf(name, sizeof name, "other-%03d", 500 - index);
    else
        snprintf(name, sizeof name, "w%d", index);
    put_words(w, name);
}

static void put_value(writer *w, const made_key *key) {
    const char *value = w->plan->style.units && key->other[0] != '\0' ? key->other : key->value;
    if (value[0] == '@')
        put_name(w, (int)strtol(value + 1, NULL, 10));
    else
        put_words(w, value);
}

/* Length of the next component of the key's path below the prefix; 0: not below it. */
static size_t next_part(const made_key *key, size_t below) {
    return strcspn(key->path + below, ".");
}

static bool is_below(const made_key *key, const char *prefix, size_t len) {
    return !key->dropped && strncmp(key->path, prefix, len) == 0;
}

/* Some key before this one (after it when written backwards) starts with the same component. */
static bool was_written(const writer *w, int i, const char *prefix, size_t below) {
    const bool back = w->plan->style.backwards;
    const made_key *key = &w->plan->keys[i];
    const size_t len = next_part(key, below);
    for (int k = back ? i + 1 : 0; k < (back ? w->plan->count : i); k++) {
        const made_key *other = &w->plan->keys[k];
        if (is_below(other, prefix, below) && next_part(other, below) == len &&
            strncmp(other->path + below, key->path + below, len) == 0)
            return true;
    }
    return false;
}

static void write_below(writer *w, const char *prefix, size_t below);

static void write_key(writer *w, const made_key *key, size_t below) {
    const size_t len = next_part(key, below);
    if (key->path[below] == '@')
        put_name(w, (int)strtol(key->path + below + 1, NULL, 10));
    else if (key->path[below] != '[')
        put_text(w, key->path + below, len);
    if (key->path[below] != '[')
        put_words(w, ": ");
    if (key->path[below + len] == '\0')
        put_value(w, key);
    else
        write_below(w, key->path, below + len + 1);
}

static void write_below(writer *w, const char *prefix, size_t below) {
    const made_plan *plan = w->plan;
    const char *closing = NULL;
    for (int n = 0; n < plan->count; n++) {
        const int i = plan->style.backwards ? plan->count - 1 - n : n;
        const made_key *key = &plan->keys[i];
        if (!is_below(key, prefix, below) || was_written(w, i, prefix, below))
            continue;
        const bool list = key->path[below] == '[';
        const char *opening = list ? "[" : "{";
        put_words(w, closing != NULL ? ", " : opening);
        if (list && strncmp(prefix, "workloads", 9) == 0)
            put_words(w, "\n    ");
        closing = list ? "]" : "}";
        write_key(w, key, below);
    }
    put_words(w, closing != NULL ? closing : "{}");
}

static void write_prices(writer *w) {
    char line[128];
    put_words(w, "---\napiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: quote}\nspec:\n"
                 "  currency: USD\n  source: quote\n  items:\n");
    for (int i = 0; i < KINDS; i++) {
        snprintf(line, sizeof line, "    - {item: system/%s, price: %dk USD}\n", kinds[i],
                 kind_prices[i]);
        put_words(w, line);
    }
    snprintf(line, sizeof line, "    - {item: system/%s, price: 3400k USD}\n", rack);
    put_words(w, line);
    for (int i = 0; i < CLOUDS; i++) {
        snprintf(line, sizeof line, "    - {item: %s, price: %d USD/h}\n", clouds[i], 60 + 15 * i);
        put_words(w, line);
    }
    put_words(w, "    - {item: part/cable, price: 200 USD}\n"
                 "    - {item: part/transceiver, price: 900 USD}\n"
                 "    - {item: part/managementCable, price: 10 USD}\n"
                 "    - {item: part/rack, price: 4000 USD}\n"
                 "    - {item: part/powerStrip, price: 2500 USD}\n"
                 "    - {item: part/systemNode, price: 25000 USD}\n"
                 "    - {item: switch/sn2201, price: 3000 USD}\n");
}

void made_write(const made_plan *plan, char text[MADE_TEXT]) {
    writer w = {.plan = plan, .text = text};
    static const char *const sections[] = {"defaults", "site",      "cluster", "candidates",
                                           "costs",    "workloads", "growth"};
    put_words(&w, "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: made}\nspec:\n");
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
        if (!has_below(plan, sections[s]))
            continue;
        put_words(&w, "  ");
        put_words(&w, sections[s]);
        put_words(&w, ": ");
        char prefix[32];
        snprintf(prefix, sizeof prefix, "%s.", sections[s]);
        write_below(&w, prefix, strlen(prefix));
        put_words(&w, "\n");
    }
    if (plan->priced)
        write_prices(&w);
}

/* ------------------------------------------------------------ planning */

static const size_t arena_max = (size_t)512 << 20;
enum { CATALOG_USES = 400 };
static gp_arena *catalog_arena;
static gp_catalog *catalog;
static gp_diags catalog_diags;
static int catalog_uses;

static gp_catalog *shared_catalog(void) {
    catalog_uses++;
    if (catalog != NULL)
        return catalog;
    catalog_arena = gp_arena_new(arena_max);
    if (catalog_arena == NULL)
        abort();
    gp_diags_init(&catalog_diags, catalog_arena);
    if (gp_catalog_open(catalog_arena, &catalog_diags, &catalog) != GP_OK)
        abort();
    return catalog;
}

void made_close(void) {
    gp_arena_free(catalog_arena);
    catalog_arena = NULL;
    catalog = NULL;
    catalog_uses = 0;
}

void made_run_text(const char *text, bool declared_only, const gp_override *overrides, size_t count,
                   made_outcome *ret) {
    gp_catalog *rows = shared_catalog();
    gp_arena *arena = gp_arena_new(arena_max);
    if (arena == NULL)
        abort();
    *ret = (made_outcome){.c = {.arena = arena, .catalog = rows, .declared_only = declared_only}};
    gp_diags_init(&ret->c.diags, arena);
    ret->st = spec_case_run(&ret->c, "made.yaml", gp_arena_strndup(arena, text, strlen(text)),
                            overrides, count);
    ret->result = ret->st == GP_OK ? ret->c.result : NULL;
}

void made_run_set(const made_plan *plan, bool declared_only, const gp_override *overrides,
                  size_t count, made_outcome *ret) {
    static char text[MADE_TEXT];
    made_write(plan, text);
    made_run_text(text, declared_only, overrides, count, ret);
}

void made_run(const made_plan *plan, bool declared_only, made_outcome *ret) {
    made_run_set(plan, declared_only, NULL, 0, ret);
}

void made_done(made_outcome *outcome) {
    spec_case_free(&outcome->c);
    *outcome = (made_outcome){0};
}

/* ------------------------------------------------------------ properties */

static bool still_fails(made_property *property, const made_plan *plan, char why[MADE_WHY]) {
    why[0] = '\0';
    return !property(plan, why);
}

enum { SHRINKS_MAX = 120 }; /* plans made for it */
static int shrinks;

/* Drops what it may, of a whole workload with its growth; true where it did. */
static bool drop_if_fails(made_property *property, made_plan *plan, const char *prefix,
                          int workload) {
    char why[MADE_WHY];
    char growth[MADE_PATH];
    static made_plan smaller;
    if (shrinks++ >= SHRINKS_MAX)
        return false;
    smaller = *plan;
    made_drop(&smaller, prefix);
    snprintf(growth, sizeof growth, "growth.scenarios.expected.@%d", workload);
    if (workload >= 0)
        made_drop(&smaller, growth);
    if (!has_below(&smaller, "growth.scenarios"))
        made_drop(&smaller, "growth");
    if (!still_fails(property, &smaller, why))
        return false;
    *plan = smaller;
    return true;
}

static void shrink(made_property *property, made_plan *plan) {
    static made_plan unpriced;
    char why[MADE_WHY];
    bool changed = true;
    shrinks = 0;
    unpriced = *plan;
    unpriced.priced = false;
    if (still_fails(property, &unpriced, why))
        plan->priced = false;
    while (changed) {
        changed = false;
        for (int w = 0; w < plan->workloads; w++) {
            char prefix[MADE_PATH];
            snprintf(prefix, sizeof prefix, "workloads.[%d]", w);
            if (has_below(plan, prefix))
                changed = drop_if_fails(property, plan, prefix, w) || changed;
        }
        for (int i = 0; i < plan->count; i++)
            if (!plan->keys[i].dropped && !plan->keys[i].needed)
                changed = drop_if_fails(property, plan, plan->keys[i].path, -1) || changed;
    }
}

static unsigned long environment(const char *name) {
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

int made_count(int count) {
    const unsigned long given = environment("GPUPLAN_PROPERTY_COUNT");
    return given > 0 ? (int)given : count;
}

int made_try(const char *name, made_property *property, const maker_wish *wish, int count) {
    enum { DEFAULT_SEED = 20261123, SHOWN = 20 };
    static made_plan plan;
    static char text[MADE_TEXT];
    char why[MADE_WHY];
    int failures = 0;
    const unsigned long given = environment("GPUPLAN_PROPERTY_SEED");
    const unsigned long one = environment("GPUPLAN_PROPERTY_ONE");
    const uint64_t first = given > 0 ? given : DEFAULT_SEED;
    for (int i = 0; i < count && failures < SHOWN; i++) {
        const uint64_t seed = one > 0 ? one : first * 1000003u + (uint64_t)i;
        /* Rows that plans looked up stay in it; no result is alive here. */
        if (catalog_uses > CATALOG_USES)
            made_close();
        maker_make(seed, wish, &plan);
        const bool failed = still_fails(property, &plan, why);
        if (failed) {
            failures++;
            shrink(property, &plan);
            (void)still_fails(property, &plan, why);
            made_write(&plan, text);
            fprintf(stderr, "# %s fails, seed %llu: %s\n%s", name, (unsigned long long)seed, why,
                    text);
        }
        if (one > 0)
            break;
    }
    fprintf(stderr, "# %s: %d plans from seed %llu, %d failures\n", name, count,
            (unsigned long long)first, failures);
    return failures;
}
