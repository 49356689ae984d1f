/* Which keys mean something for which type of workload. What nothing reads is refused: who writes
 * it expects that it counts. */
#include "base/buf.h"
#include "base/str.h"
#include "model/fields.h"
#include "model/resolve.h"

enum { KINDS_MAX = 200 };

/* A service that answers a rate, and one that works through so many requests. */
#define RATE           (1u << GP_WORKLOAD_INFERENCE)
#define BATCH          (1u << GP_WORKLOAD_TYPE_COUNT)
#define SERVING_TYPES  (RATE | BATCH)
#define TUNING_TYPES   (1u << GP_WORKLOAD_FINETUNE | 1u << GP_WORKLOAD_LORA)
#define TRAINING_TYPES (1u << GP_WORKLOAD_TRAINING | TUNING_TYPES)
#define RUNNING_TYPES  (TRAINING_TYPES | 1u << GP_WORKLOAD_RL)
#define ENGINE_TYPES   (SERVING_TYPES | 1u << GP_WORKLOAD_RL)

/* How a message names the types that a key is for: the first rows that have all of theirs. */
static const struct {
    unsigned among, types;
    const char *words;
} type_words[] = {
    {1u << GP_WORKLOAD_TRAINING, 1u << GP_WORKLOAD_TRAINING, "training"},
    {1u << GP_WORKLOAD_FINETUNE, 1u << GP_WORKLOAD_FINETUNE, "finetune"},
    {1u << GP_WORKLOAD_LORA, 1u << GP_WORKLOAD_LORA, "lora"},
    {1u << GP_WORKLOAD_RL, 1u << GP_WORKLOAD_RL, "rl"},
    {1u << GP_WORKLOAD_SEATS, 1u << GP_WORKLOAD_SEATS, "seats"},
    {SERVING_TYPES, SERVING_TYPES, "inference"},
    {SERVING_TYPES, RATE, "inference at a rate"},
    {SERVING_TYPES, BATCH, "inference of traffic.requests"},
};

typedef struct key_rule {
    size_t part;   /* of gp_workload: a struct that has the key; 0: the workload itself */
    size_t offset; /* in that */
    const char *key;
    unsigned types; /* that take it */
} key_rule;

#define KEY(member, key, types)                                                                    \
    { 0, offsetof(gp_workload, member), key, types }
#define KEY_OF(part, type, member, key, types)                                                     \
    { offsetof(gp_workload, part), offsetof(type, member), #part "." key, types }

static const key_rule keys[] = {
    KEY(model, "model", RUNNING_TYPES | SERVING_TYPES),
    KEY(goal, "goal", RUNNING_TYPES | SERVING_TYPES),
    KEY(seats, "seats", 1u << GP_WORKLOAD_SEATS),
    KEY(method, "method", TUNING_TYPES),
    KEY(data, "data", TRAINING_TYPES),
    KEY(recompute, "recompute", RUNNING_TYPES),
    KEY(offload, "offload", RUNNING_TYPES),
    KEY(checkpoint, "checkpoint", RUNNING_TYPES),
    KEY(run, "run", RUNNING_TYPES),
    KEY(evaluation, "evaluation", RUNNING_TYPES),
    KEY(jobs, "jobs", RUNNING_TYPES),
    KEY(rl, "rl", 1u << GP_WORKLOAD_RL),
    KEY(adapter, "adapter", 1u << GP_WORKLOAD_LORA | ENGINE_TYPES),
    KEY(speculative, "speculative", SERVING_TYPES),
    KEY(traffic, "traffic", SERVING_TYPES),
    KEY(scaling, "scaling", SERVING_TYPES),
    KEY(replicas, "replicas", SERVING_TYPES),
    KEY(disaggregated, "disaggregated", SERVING_TYPES),
    KEY(prefill, "prefill", SERVING_TYPES),
    KEY(decode, "decode", SERVING_TYPES),
    KEY_OF(software, gp_software, framework, "framework", RUNNING_TYPES),
    KEY_OF(software, gp_software, engine, "engine", ENGINE_TYPES),
    KEY_OF(precision, gp_precision_spec, gradients, "gradients", RUNNING_TYPES),
    KEY_OF(precision, gp_precision_spec, optimizer, "optimizer", RUNNING_TYPES),
    KEY_OF(precision, gp_precision_spec, weights, "weights", ENGINE_TYPES),
    KEY_OF(precision, gp_precision_spec, kv_cache, "kvCache", ENGINE_TYPES),
    KEY_OF(parallelism, gp_parallelism, vpp, "vpp", RUNNING_TYPES),
    KEY_OF(parallelism, gp_parallelism, cp, "cp", RUNNING_TYPES),
    KEY_OF(parallelism, gp_parallelism, zero, "zero", RUNNING_TYPES),
    KEY_OF(parallelism, gp_parallelism, shard_group, "shardGroup", RUNNING_TYPES),
    KEY_OF(parallelism, gp_parallelism, micro_batch, "microBatch", RUNNING_TYPES),
    KEY_OF(placement, gp_placement, time_sharing, "timeSharing", RUNNING_TYPES | BATCH),
    KEY_OF(placement, gp_placement, gpu_parts, "gpuParts", RATE),
    KEY_OF(adapter, gp_adapter, base, "base", 1u << GP_WORKLOAD_LORA | 1u << GP_WORKLOAD_RL),
};

static bool serves(const gp_workload *w) {
    return w->type == GP_WORKLOAD_INFERENCE;
}

static unsigned type_of(const gp_workload *w) {
    return serves(w) && w->traffic.requests > 0 ? BATCH : 1u << w->type;
}

/* "type: training, finetune or lora" */
static const char *words_of(gp_arena *arena, unsigned types) {
    const char *words[GP_COUNT_OF(type_words)];
    size_t count = 0;
    for (size_t i = 0; i < GP_COUNT_OF(type_words); i++)
        if ((types & type_words[i].among) == type_words[i].types)
            words[count++] = type_words[i].words;
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, KINDS_MAX);
    gp_buf_str(&buf, "type: ");
    for (size_t i = 0; i < count; i++)
        gp_buf_printf(&buf, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
    return gp_buf_finish(&buf, &text, NULL) == GP_OK ? text : NULL;
}

static void keys_fit(gp_resolver *r, const gp_workload *w) {
    for (size_t i = 0; i < GP_COUNT_OF(keys); i++) {
        const key_rule *rule = &keys[i];
        const gp_meta *meta = (const gp_meta *)(const void *)((const char *)w + rule->part);
        if (gp_written_at(meta, rule->offset) && !(rule->types & type_of(w)))
            gp_refuse_values(r, gp_place_of(meta, rule->offset), words_of(r->arena, rule->types),
                             "%s does not apply to %s", rule->key, gp_workload_type_words[w->type]);
    }
}

/* What an adapter of a service is the size of. */
static void adapter_served(gp_resolver *r, const gp_workload *w) {
    if (serves(w) && GP_GIVEN(w, gp_workload, adapter) && w->traffic.adapters == 0)
        gp_refuse_values(r, GP_PLACE(w, gp_workload, adapter), "traffic.adapters: how many",
                         "the size of adapters, but none are served");
}

typedef struct goal_rule {
    size_t offset; /* in gp_goal */
    const char *key;
    unsigned types;
} goal_rule;

static const goal_rule goals[] = {
    {offsetof(gp_goal, complete_within_s), "completeWithin", RUNNING_TYPES | BATCH},
    {offsetof(gp_goal, every_s), "every", RUNNING_TYPES | BATCH},
    {offsetof(gp_goal, max_duration_s), "maxDuration", RUNNING_TYPES | BATCH},
    {offsetof(gp_goal, slo), "slo", RATE},
};

static const char *goals_of(unsigned type) {
    return type == BATCH  ? "completeWithin, maxDuration or every"
           : type == RATE ? "slo or throughput"
                          : "completeWithin, maxDuration, every or throughput";
}

static void goal_fits(gp_resolver *r, const gp_workload *w) {
    const gp_goal *g = &w->goal;
    for (size_t i = 0; i < GP_COUNT_OF(goals); i++)
        if (gp_written_at(&g->meta, goals[i].offset) && !(goals[i].types & type_of(w)))
            gp_refuse_values(r, gp_place_of(&g->meta, goals[i].offset), goals_of(type_of(w)),
                             "the goal %s does not apply to %s", goals[i].key,
                             gp_workload_type_words[w->type]);
    if (g->every_s > 0 && g->max_duration_s > g->every_s)
        gp_refuse_values(r, GP_PLACE(g, gp_goal, max_duration_s), "at most every",
                         "maxDuration is longer than every");
    if (g->every_s > 0 && w->jobs.per_week > 0)
        gp_refuse_values(r, GP_PLACE(&w->jobs, gp_jobs, per_week), "only one of the two",
                         "goal.every and jobs.perWeek both say how often it runs");
}

void gp_check_type(gp_resolver *r, const gp_workload *w) {
    keys_fit(r, w);
    adapter_served(r, w);
    goal_fits(r, w);
}
