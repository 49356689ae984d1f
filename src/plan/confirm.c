/*
 * Simulation beside the closed form. Where a goal bounds a percentile, the replicas that the closed
 * form chose are run, and one fewer, under the load that they were chosen for, the planned rate
 * with its headroom, and judged as they were: a percentile must keep to its goal at the edge of the
 * band that the confidence asks for. A run that comes close to a limit is made again, longer. Where
 * it misses a goal, more replicas are tried, up to a bound, and where fewer keep to all, still
 * fewer; the rate that one of them is taken to carry then becomes what needs as many as the runs
 * say, and the choice is made again with it.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum {
    QUICK_REQUESTS = 2000,
    FULL_TIMES = 10, /* as many requests in a full run */
    RAISE_SHARE = 2, /* the chosen replicas over this are added at most */
    POOL_RAISE_LEAST = 2,
    TRIES_MAX = 12,       /* of counts */
    LONGER_TIMES = 4,     /* a run again that came close to a limit, or was too short, */
    FILL_TIMES = 16,      /* at most, to fill pools */
    NEARLY = 3,           /* pools that take machines over this more than stand may do with these */
    LOWER_SHARE = 2,      /* the chosen replicas over this are the fewest that are tried */
    SHARE_BISECTIONS = 3, /* of the load that more of them carry at one of several places */
    MOST_RUNS = 4         /* of the most load, for what is told of it */
};

static const double close_to = 1.25; /* a goal: what two short runs differ by */
static const double alike = 1.05;    /* as good as the same load */

typedef struct trial {
    const gp_plan_context *plan;
    gp_case *c;
    gp_simulator *set;
    bool open;   /* `config` is filled in */
    bool brief;  /* no run is made again, longer */
    bool stops;  /* where it is known that a goal is missed */
    bool chosen; /* the run is of what is chosen, as it is */
    gp_simulate_config config;
    gp_confirm ask;
} trial;

/* What a run of one service on one kind of machine hangs on, in words without gaps. */
typedef struct simulated_key {
    gp_serve_layout decode, prefill;
    int64_t part; /* of a GPU: its number, 1 more; 0: whole GPUs */
    int64_t replicas, prefill_replicas, requests;
    double requests_per_s, residence_s;
} simulated_key;

struct gp_simulated {
    struct gp_simulated *older;
    simulated_key key;
    bool chosen; /* so many were, when it was made */
    gp_confirm_run run;
};

/* Replicas that carry load; prefill 0: they do both. */
typedef struct counts {
    int64_t prefill, decode;
} counts;

static bool bounds_percentile(const gp_distribution *goal) {
    return goal->p50 > 0 || goal->p95 > 0 || goal->p99 > 0;
}

static bool wants_simulation(const gp_case *c) {
    const gp_slo *slo = &c->workload->goal.slo;
    const gp_candidate *chosen = &c->out->chosen;
    return c->plan->options->simulate != GP_PLAN_SIMULATE_OFF && c->out->is_serving &&
           c->out->has_goal && chosen->present && chosen->feasible && chosen->requests_per_s > 0 &&
           !c->offline &&
           (bounds_percentile(&slo->ttft_s) || bounds_percentile(&slo->tpot_s) ||
            bounds_percentile(&slo->e2e_s));
}

static counts active_of(const gp_candidate *candidate) {
    const gp_split_pools *pools = &candidate->split;
    if (!pools->present)
        return (counts){.decode = candidate->replicas - candidate->spare_replicas};
    return (counts){.prefill = pools->prefill_replicas - pools->prefill_spare,
                    .decode = pools->decode_replicas - pools->decode_spare};
}

static int64_t gpus_of(const gp_candidate *candidate) {
    const counts active = active_of(candidate);
    return active.prefill * gp_serve_layout_gpus(&candidate->split.layouts.prefill) +
           active.decode * gp_serve_layout_gpus(&candidate->serve_layout);
}

static trial trial_of(const gp_plan_context *plan, gp_case *c) {
    gp_workload_plan *out = c->out;
    const bool full = plan->options->simulate == GP_PLAN_SIMULATE_FULL;
    out->network = plan->networks[out->chosen.unit - plan->units];
    return (trial){
        .plan = plan,
        .c = c,
        .set = gp_memory_simulator(plan),
        .ask = {.requests = full ? QUICK_REQUESTS * FULL_TIMES : QUICK_REQUESTS,
                .requests_per_s = c->demand.requests_per_s * (1 + c->gpu_headroom_fraction),
                .residence_s = out->chosen.point.e2e_s,
                .whole = full},
    };
}

/* The engines of the chosen layout; once, for the first run that is not known. */
static gp_status open_trial(trial *t) {
    gp_workload_plan *out = t->c->out;
    gp_engine *prefill = out->chosen.split.present ? &t->set->prefill : &t->set->decode;
    gp_status st =
        t->open ? GP_OK
                : gp_plan_simulation(t->plan->result, out, 1, &t->set->decode, prefill, &t->config);
    t->open = st == GP_OK;
    return st;
}

/* Times hang on neither workload nor rate. */
static void draw_times(trial *t, size_t count) {
    gp_simulator *set = t->set;
    const gp_arrivals *arrivals = &t->config.arrivals;
    const bool other_cv = set->time_cv < arrivals->cv || set->time_cv > arrivals->cv;
    if (set->time_count >= count && set->time_process == arrivals->process && !other_cv &&
        set->time_seed == arrivals->seed)
        return;
    gp_arrivals_times(arrivals, count, set->times);
    set->time_count = count;
    set->time_process = arrivals->process;
    set->time_cv = arrivals->cv;
    set->time_seed = arrivals->seed;
}

/* The requests of a case are the same for every count of replicas and every rate. */
static void draw_requests(trial *t) {
    gp_simulator *set = t->set;
    const size_t count = (size_t)t->ask.requests;
    if (set->drawn_room < count) {
        set->drawn = GP_NEW_ARRAY(gp_memory_beside(t->plan), gp_arrival, count);
        set->times = GP_NEW_ARRAY(gp_memory_beside(t->plan), double, count);
        set->drawn_room = count;
        set->drawn_count = set->time_count = 0;
    }
    if (set->drawn_case != t->c->rank || set->drawn_count < count) {
        draw_times(t, count);
        gp_arrivals_draw(&t->config.arrivals, set->times, count, set->drawn);
        set->drawn_case = t->c->rank;
        set->drawn_count = count;
    }
    t->config.arrivals.rows = set->drawn;
    t->config.arrivals.row_count = set->drawn_count;
}

/* The band of a goal's figure, as the closed form is judged with. */
static double margin_of(const gp_case *c, const char *goal) {
    if (gp_str_starts(goal, "ttft"))
        return gp_plan_ttft_margin(c);
    return gp_plan_margin(c, c->out->chosen.error_fraction, c->confidence);
}

/* At the edge of the band that a goal is judged at. */
static double judged_s(const gp_simulation_goal *goal) {
    return goal->value_s * (1 + goal->margin_fraction);
}

/* Times that, with their margins, are at their goals. */
static gp_distribution within(const gp_distribution *goal, double margin) {
    return (gp_distribution){.p50 = goal->p50 / (1 + margin),
                             .p95 = goal->p95 / (1 + margin),
                             .p99 = goal->p99 / (1 + margin)};
}

static gp_simulate_slo stop_of(const gp_case *c) {
    const gp_slo *slo = &c->workload->goal.slo;
    return (gp_simulate_slo){.ttft_s = within(&slo->ttft_s, margin_of(c, "ttft")),
                             .tpot_s = within(&slo->tpot_s, margin_of(c, "tpot")),
                             .e2e_s = within(&slo->e2e_s, margin_of(c, "e2e"))};
}

/* Who wants to know only whether goals are met may have a run that stopped. */
static bool is_whole(const trial *t, const gp_confirm_run *run) {
    return t->stops || !run->stopped;
}

static gp_status simulate(trial *t, const gp_confirm *ask, gp_confirm_run *ret) {
    gp_status st = open_trial(t);
    if (st == GP_OK)
        draw_requests(t);
    if (st == GP_OK)
        st = gp_simulate_confirm(t->plan->arena, &t->config, ask, ret);
    for (int i = 0; st == GP_OK && i < ret->goal_count; i++) {
        gp_simulation_goal *goal = &ret->goals[i];
        goal->margin_fraction = margin_of(t->c, goal->name);
        goal->ok = goal->ok && judged_s(goal) <= goal->target_s;
        ret->ok = ret->ok && goal->ok;
    }
    return st;
}

/* Another plan of the study may have asked for the very same. */
static gp_status run_anew(trial *t, const simulated_key *key, gp_confirm_run *ret) {
    const size_t unit = (size_t)(t->c->out->chosen.unit - t->plan->units);
    gp_confirm ask = t->ask;
    ask.replicas = key->replicas;
    ask.prefill_replicas = key->prefill_replicas;
    if (gp_memory_recall_run(t->c, unit, key, sizeof *key, ret) && is_whole(t, ret))
        return GP_OK;
    if (t->stops)
        ask.stop = stop_of(t->c);
    gp_status st = simulate(t, &ask, ret);
    if (st == GP_OK)
        gp_memory_keep_run(t->c, unit, key, sizeof *key, ret);
    return st;
}

/* Of machines of one kind, wherever they stand. */
static struct gp_simulated **runs_of(const trial *t) {
    return &gp_capability_of(t->c, (size_t)(t->c->out->chosen.unit - t->plan->units))->runs;
}

static simulated_key key_of(const trial *t, counts replicas) {
    const gp_candidate *chosen = &t->c->out->chosen;
    return (simulated_key){.decode = chosen->serve_layout,
                           .prefill = chosen->split.layouts.prefill,
                           .part = chosen->part.in_use ? chosen->part.index + 1 : 0,
                           .replicas = replicas.decode,
                           .prefill_replicas = replicas.prefill,
                           .requests = t->ask.requests,
                           .requests_per_s = t->ask.requests_per_s,
                           .residence_s = t->ask.residence_s};
}

/* The choice is confirmed anew after every change of another: what was run is not run again. */
static gp_status run_once(trial *t, counts replicas, gp_confirm_run *ret) {
    struct gp_simulated **runs = runs_of(t);
    const simulated_key key = key_of(t, replicas);
    struct gp_simulated *known = *runs;
    gp_status st = GP_OK;
    while (known != NULL && memcmp(&known->key, &key, sizeof key) != 0)
        known = known->older;
    if (known == NULL) {
        known = GP_NEW(t->plan->arena, struct gp_simulated);
        st = run_anew(t, &key, &known->run);
        known->key = key;
        known->older = *runs;
        if (st == GP_OK)
            *runs = known;
    } else if (!is_whole(t, &known->run))
        st = run_anew(t, &key, &known->run);
    known->chosen = known->chosen || t->chosen;
    *ret = known->run;
    return st;
}

/* No longer run would say otherwise. */
static bool is_clear(const gp_confirm_run *run) {
    double worst = 0;
    for (int i = 0; i < run->goal_count; i++) {
        const gp_simulation_goal *goal = &run->goals[i];
        worst = gp_num_max(worst, judged_s(goal) / goal->target_s);
    }
    return !run->stopped && (run->saturated || worst > close_to ||
                             (run->filled && worst * close_to < 1 && !run->queued));
}

static gp_status run_times(trial *t, int64_t times, counts replicas, gp_confirm_run *ret) {
    t->ask.requests *= times;
    gp_status st = run_once(t, replicas, ret);
    t->ask.requests /= times;
    return st;
}

/* A queue would have grown in it: it is as long as the runs that follow one that filled. */
static bool is_long(const trial *t, size_t unit, const simulated_key *other) {
    simulated_key before = *other;
    gp_confirm_run run;
    before.requests /= LONGER_TIMES;
    return gp_memory_recall_run(t->c, unit, &before, sizeof before, &run) && run.filled;
}

/* A run of as many replicas under another load says how this one would end: what missed a goal
 * under less does so under more, and what held under more does so under less. */
static bool tells(const trial *t, size_t unit, int64_t requests, const simulated_key *other,
                  const gp_confirm_run *run) {
    const bool less = other->requests_per_s <= t->ask.requests_per_s;
    const bool more = other->requests_per_s >= t->ask.requests_per_s;
    const bool says_which = other->prefill_replicas == 0 || is_whole(t, run);
    const bool is_last = (t->brief && other->requests >= requests) || is_clear(run);
    return run->filled && says_which && (run->ok ? more : less) &&
           (is_last || is_long(t, unit, other));
}

static bool is_foretold(const trial *t, int64_t times, counts replicas, gp_confirm_run *ret) {
    const size_t unit = (size_t)(t->c->out->chosen.unit - t->plan->units);
    const struct kept_run *at = NULL;
    const void *words = NULL;
    const gp_confirm_run *run = NULL;
    while (t->plan->options->nearby &&
           (run = gp_memory_next_run(t->c, unit, &at, &words)) != NULL) {
        simulated_key key = key_of(t, replicas);
        simulated_key other;
        memcpy(&other, words, sizeof other);
        key.requests = other.requests;
        key.requests_per_s = other.requests_per_s;
        key.residence_s = other.residence_s;
        if (memcmp(&key, &other, sizeof key) == 0 &&
            tells(t, unit, times * t->ask.requests, &other, run)) {
            *ret = *run;
            return true;
        }
    }
    return false;
}

/* Again, longer, where it came close to a limit. */
static gp_status run_from(trial *t, int64_t times, counts replicas, gp_confirm_run *ret) {
    if (is_foretold(t, times, replicas, ret))
        return GP_OK;
    gp_status st = run_times(t, times, replicas, ret);
    return st != GP_OK || t->brief || is_clear(ret)
               ? st
               : run_times(t, times * LONGER_TIMES, replicas, ret);
}

/* Replicas that did not fill were tried under less than their load: what meets its goals so says
 * nothing. */
static bool says_little(const gp_confirm_run *run) {
    return !run->filled && (run->prefill_replicas > 0 || run->ok);
}

/* As long as it takes to fill them. Pools whose sizes share no divisor are run whole. */
static gp_status run(trial *t, counts replicas, gp_confirm_run *ret) {
    gp_status st = run_from(t, 1, replicas, ret);
    for (int64_t times = LONGER_TIMES; times <= FILL_TIMES; times *= LONGER_TIMES)
        if (st == GP_OK && says_little(ret))
            st = run_from(t, times, replicas, ret);
    return st;
}

/* So many missed a goal when they were chosen: no run under the residence time of others says that
 * they hold, or the choice would go to and fro between two counts. */
static const gp_confirm_run *missed_before(const trial *t, counts replicas) {
    for (const struct gp_simulated *known = *runs_of(t); known != NULL; known = known->older) {
        simulated_key key = key_of(t, replicas);
        const bool as_long = known->key.requests >= key.requests;
        key.requests = known->key.requests;
        key.residence_s = known->key.residence_s;
        if (known->chosen && !known->run.ok && memcmp(&known->key, &key, sizeof key) == 0 &&
            (as_long || is_clear(&known->run)))
            return &known->run;
    }
    return NULL;
}

/* Fewer than are chosen; nobody waits for pools to fill. */
static gp_status run_lower(trial *t, counts replicas, gp_confirm_run *ret) {
    gp_status st = run_from(t, 1, replicas, ret);
    const gp_confirm_run *missed = st == GP_OK && ret->ok ? missed_before(t, replicas) : NULL;
    if (missed != NULL)
        *ret = *missed;
    return st;
}

/* The closed form with so many replicas under a load. */
static void closed_form(const trial *t, counts replicas, double requests_per_s,
                        gp_serve_point *ret) {
    const gp_workload_plan *out = t->c->out;
    const gp_machine machine = gp_candidate_machine(&out->chosen);
    const gp_split_share share = {requests_per_s, (double)replicas.prefill,
                                  (double)replicas.decode};
    const size_t unit = (size_t)(out->chosen.unit - t->plan->units);
    const gp_serve_job job = gp_plan_serve_job(t->c, unit, &machine);
    gp_split_point apart;
    if (replicas.prefill == 0) {
        gp_serve_load(&job, &machine, &out->network, &out->chosen.serve_layout, t->plan->constants,
                      &out->chosen.serve_memory, requests_per_s / share.decodes, share.decodes,
                      NULL, ret);
        return;
    }
    gp_serve_split_load(&job, &machine, &out->network, &out->chosen.split.layouts,
                        t->plan->constants, &out->chosen.serve_memory, &share, NULL, &apart);
    *ret = apart.point;
}

/* What is planned, without headroom, does not outrun the closed form, whose latencies are told. */
static bool keeps_up(const trial *t, counts replicas) {
    gp_serve_point point;
    closed_form(t, replicas, t->c->demand.requests_per_s, &point);
    return point.stable;
}

/* One fewer; of two pools the one that can better be spared. */
static gp_status run_fewer(trial *t, counts active, gp_confirm_run *ret) {
    gp_status st = GP_OK;
    if (active.decode > 1)
        st = run_lower(t, (counts){active.prefill, active.decode - 1}, ret);
    if (st != GP_OK || active.prefill <= 1 || ret->ok)
        return st;
    gp_confirm_run other;
    st = run_lower(t, (counts){active.prefill - 1, active.decode}, &other);
    if (st == GP_OK && (other.ok || ret->replicas == 0))
        *ret = other;
    return st;
}

static gp_status confirm(trial *t, gp_confirmation *ret) {
    const gp_candidate *chosen = &t->c->out->chosen;
    const counts active = active_of(chosen);
    gp_closed_choice *alone = &t->c->units[chosen->unit - t->plan->units].closed_form;
    const gp_confirmation before = *ret;
    *ret = (gp_confirmation){
        .requests_per_s = t->ask.requests_per_s,
        .chosen_all_gpus = gpus_of(chosen),
    };
    if (alone->replicas == 0)
        *alone = (gp_closed_choice){.replicas = active.prefill + active.decode,
                                    .gpus = gp_serve_layout_gpus(&chosen->serve_layout),
                                    .all_gpus = gpus_of(chosen)};
    ret->closed_form = *alone;
    t->chosen = true;
    gp_status st = run(t, active, &ret->chosen);
    t->chosen = false;
    ret->requests = ret->chosen.requests;
    ret->judged = ret->chosen;
    if (st != GP_OK) {
        *ret = before;
        return st;
    }
    /* A run may be too short to fill them, and would confirm anything. */
    ret->unfilled = says_little(&ret->chosen);
    ret->confirmed = ret->chosen.ok && ret->chosen.refused == 0 && !ret->unfilled;
    return ret->unfilled ? GP_ERR_NOT_FOUND : GP_OK;
}

/* What is told beside it. */
static gp_status compare(trial *t, gp_confirmation *ret) {
    const counts active = active_of(&t->c->out->chosen);
    gp_serve_point closed;
    gp_status st = ret->confirmed ? GP_OK : run_fewer(t, active, &ret->fewer);
    closed_form(t, active, ret->requests_per_s, &closed);
    ret->closed_ttft_p95_s = closed.ttft_p95_s;
    ret->closed_tpot_p95_s = closed.tpot_p95_s;
    return st;
}

/* ---- how many it takes */

/* Of one pool: as many as are known to be too few, and the fewest that are enough; 0: none is. */
typedef struct bracket {
    int64_t misses, holds;
} bracket;

/* Which counts are looked through, from which on. */
typedef struct span {
    counts start, least, most;
    bool fills; /* a run goes on until they are full */
} span;

static bool is_same(counts a, counts b) {
    return a.prefill == b.prefill && a.decode == b.decode;
}

/* That are tried. */
static counts fewest_of(counts active) {
    return (counts){(active.prefill + LOWER_SHARE - 1) / LOWER_SHARE,
                    (active.decode + LOWER_SHARE - 1) / LOWER_SHARE};
}

/* Goals of the first token ask for prefill, those per token for decode; what else is missed for
 * both. */
static void find_short(counts at, const gp_confirm_run *run, bool *ret_prefill, bool *ret_decode) {
    *ret_prefill = *ret_decode = false;
    for (int i = 0; at.prefill > 0 && !run->ok && i < run->goal_count; i++) {
        const gp_simulation_goal *goal = &run->goals[i];
        *ret_prefill = *ret_prefill || (!goal->ok && gp_str_starts(goal->name, "ttft"));
        *ret_decode = *ret_decode || (!goal->ok && gp_str_starts(goal->name, "tpot"));
    }
    if (!*ret_prefill && !*ret_decode) {
        *ret_prefill = at.prefill > 0;
        *ret_decode = true;
    }
}

static void narrow(bracket *of, int64_t count, bool misses) {
    if (misses)
        of->misses = gp_num_max_i64(of->misses, count);
    else if (of->holds == 0 || count < of->holds)
        of->holds = count;
    if (of->holds <= of->misses)
        of->holds = 0;
}

/* In the middle of the two; where none is known to be enough, twice as far from the start. */
static int64_t next_of(const bracket *of, int64_t start) {
    if (of->holds == 0)
        return of->misses + gp_num_max_i64(of->misses - start, 1);
    return of->holds - of->misses > 1 ? of->misses + (of->holds - of->misses) / 2 : of->holds;
}

/* The bound itself is tried before one beyond it. */
static int64_t next_within(const bracket *of, int64_t start, int64_t most) {
    return gp_num_min_i64(next_of(of, start), of->misses < most ? most : most + 1);
}

static counts next_counts(const bracket *prefill, const bracket *decode, const span *s) {
    return (counts){.prefill = s->start.prefill > 0
                                   ? next_within(prefill, s->start.prefill, s->most.prefill)
                                   : 0,
                    .decode = next_within(decode, s->start.decode, s->most.decode)};
}

/* The fewest within the span that hold, of both pools at once: a run says of each whether it is too
 * small. Where none does, one beyond: the choice is made again as if so many were needed, so that
 * what the closed form alone believes in does not stand. */
static gp_status find_least(trial *t, const span *s, const gp_confirm_run *first, counts *ret) {
    bracket prefill = {s->least.prefill - 1, 0};
    bracket decode = {s->least.decode - 1, 0};
    gp_confirm_run got = *first;
    counts at = s->start;
    *ret = (counts){0};
    for (int i = 0; i < TRIES_MAX; i++) {
        bool more_prefill = false;
        bool more_decode = false;
        const bool enough = got.ok && (got.filled || s->fills) && keeps_up(t, at);
        if (enough)
            *ret = at;
        else
            find_short(at, &got, &more_prefill, &more_decode);
        narrow(&prefill, at.prefill, more_prefill);
        narrow(&decode, at.decode, more_decode);
        const counts next = next_counts(&prefill, &decode, s);
        if (next.prefill > s->most.prefill || next.decode > s->most.decode || is_same(next, *ret)) {
            *ret = ret->decode > 0 ? *ret : next;
            return GP_OK;
        }
        at = next;
        gp_status st = s->fills ? run(t, at, &got) : run_lower(t, at, &got);
        if (st != GP_OK)
            return st;
    }
    *ret = ret->decode > 0 ? *ret : at;
    return GP_OK;
}

static int64_t raise_bound(const trial *t, int64_t active) {
    const bool full = t->plan->options->simulate == GP_PLAN_SIMULATE_FULL;
    return gp_num_max_i64(full ? active : active / RAISE_SHARE, 1);
}

/* More than are chosen, which miss; of two pools one may do with fewer. */
static gp_status find_more(trial *t, const gp_confirm_run *missed, counts *ret) {
    const counts active = active_of(&t->c->out->chosen);
    const int64_t least = active.prefill > 0 ? POOL_RAISE_LEAST : 1;
    const span all = {
        .start = active,
        .least = fewest_of(active),
        .most = {active.prefill > 0
                     ? active.prefill + gp_num_max_i64(raise_bound(t, active.prefill), least)
                     : 0,
                 active.decode + gp_num_max_i64(raise_bound(t, active.decode), least)},
        .fills = true};
    return find_least(t, &all, missed, ret);
}

/* The least that holds, where so many do. */
static gp_status lower(trial *t, const gp_confirm_run *fewer, counts *ret) {
    const counts active = {.prefill = fewer->prefill_replicas, .decode = fewer->replicas};
    const span all = {.start = active, .least = fewest_of(active), .most = active};
    if (!fewer->filled || !keeps_up(t, active))
        return GP_OK;
    return find_least(t, &all, fewer, ret);
}

/* Where the run was too short to fill fewer, by longer ones. */
static gp_status lower_filled(trial *t, gp_confirm_run *fewer, counts *ret) {
    const int64_t times = fewer->filled ? 1 : LONGER_TIMES;
    gp_status st = GP_OK;
    t->ask.requests *= times;
    if (times > 1)
        st = run_fewer(t, active_of(&t->c->out->chosen), fewer);
    if (st == GP_OK && fewer->ok)
        st = lower(t, fewer, ret);
    t->ask.requests /= times;
    return st;
}

/* Pools that run today with fewer replicas than are chosen may be enough as they are. */
static gp_status keep_stated(trial *t, counts *ret) {
    const gp_workload *w = t->c->workload;
    const gp_candidate *chosen = &t->c->out->chosen;
    const counts stated = {w->prefill.replicas, w->decode.replicas};
    const counts active = active_of(chosen);
    gp_confirm_run there;
    if (!chosen->split.present || chosen->spare_replicas > 0 || stated.prefill <= 0 ||
        stated.decode <= 0 || stated.prefill > active.prefill || stated.decode > active.decode ||
        is_same(stated, active) || !keeps_up(t, stated))
        return GP_OK;
    const gp_status st = run(t, stated, &there);
    if (st == GP_OK && there.ok && there.filled)
        *ret = stated;
    return st;
}

/* Where more replicas are needed at one of several places, what those carry, up to what the closed
 * form says: the rest of the load goes to the others. */
static gp_status bear_share(trial *t, counts more, double *ret_requests_per_s) {
    const double asked = t->ask.requests_per_s;
    const gp_serve_capability *found = gp_size_capability(t->c, &t->c->out->chosen);
    const double each = found != NULL ? gp_size_carried(t->c, found, more.decode) : 0;
    double misses = each * (double)more.decode;
    double bears = asked;
    gp_status st = GP_OK;
    for (int i = 0; i < SHARE_BISECTIONS && st == GP_OK && misses > bears * alike; i++) {
        gp_confirm_run got;
        t->ask.requests_per_s = 0.5 * (bears + misses);
        st = run(t, more, &got);
        if (st == GP_OK)
            *(got.ok && got.filled ? &bears : &misses) = t->ask.requests_per_s;
    }
    t->ask.requests_per_s = asked;
    *ret_requests_per_s = bears;
    return st;
}

/* Requests per second that a replica is taken to carry become what so many of them are needed for;
 * false where no other count is needed than `needed`. */
static bool set_loss(double *loss, double requests_per_s, double each, int64_t needed,
                     int64_t replicas) {
    const double value = 1 - (1 - *loss) * requests_per_s / (each * (double)replicas);
    const bool changes = replicas != needed && gp_num_compare9(1 - *loss, 1 - value) != 0;
    if (changes)
        *loss = value;
    return changes;
}

/* What a layout was found to carry as a pool, it carries beside any other: less at once, or the
 * choice would go through all pairs of the same counts; more where nothing else is known. */
static void pass_loss(double loss, double *other) {
    const bool known = *other > 0 || *other < 0;
    if (loss > *other || !known)
        *other = loss;
}

static void spread_loss(const gp_case *c, const gp_candidate *chosen,
                        const gp_split_capability *pair) {
    gp_unit_capability *store = gp_capability_of(c, (size_t)(chosen->unit - c->plan->units));
    for (int64_t i = 0; i < store->split_count; i++) {
        gp_split_capability *other = &store->split[i];
        if (other->prefill == pair->prefill)
            pass_loss(pair->prefill_loss, &other->prefill_loss);
        if (other->decode == pair->decode)
            pass_loss(pair->decode_loss, &other->decode_loss);
    }
}

/* The same machines at another site are known apart where a link leads there, and lose as much. */
static void set_twins(const gp_case *c, const gp_candidate *chosen) {
    const gp_plan_context *plan = c->plan;
    const size_t unit = (size_t)(chosen->unit - plan->units);
    for (size_t u = 0; c->workload->placement.home != NULL && u < plan->unit_count; u++) {
        gp_candidate there = *chosen;
        there.unit = &plan->units[u];
        if (u == unit || plan->twins[u] != plan->twins[unit])
            continue;
        if (!chosen->split.present) {
            gp_serve_capability *found = gp_size_capability(c, &there);
            if (found != NULL)
                found->simulated_loss = gp_size_capability(c, chosen)->simulated_loss;
            continue;
        }
        gp_split_capability *pair = gp_split_pair(c, &there);
        if (pair == NULL)
            continue;
        pair->prefill_loss = gp_split_pair(c, chosen)->prefill_loss;
        pair->decode_loss = gp_split_pair(c, chosen)->decode_loss;
        spread_loss(c, &there, pair);
    }
}

/* Of a declared number of replicas the closed form needs more. */
static bool declared_short(const gp_case *c) {
    const gp_candidate *chosen = &c->out->chosen;
    return c->counted && chosen->lack.bound == GP_BOUND_SUPPLY;
}

/* Few replicas of a share carry less each than many, and the choice would go to and fro between
 * what was found of the one and of the other: what a share missed stays. Not so
 * at several sites, where one layout may have shares of all sizes. */
static bool set_together(gp_case *c, double requests_per_s, int64_t replicas, bool shares) {
    gp_serve_capability *found = gp_size_capability(c, &c->out->chosen);
    if (found == NULL)
        return false;
    const double before = found->simulated_loss;
    const bool changes = set_loss(&found->simulated_loss, requests_per_s,
                                  gp_size_carried(c, found, replicas), 0, replicas);
    if (found->missed && found->simulated_loss < before) {
        found->simulated_loss = before;
        return false;
    }
    found->missed =
        found->missed || (shares && c->plan->site_count == 0 && found->simulated_loss > before);
    return changes;
}

/* A part of a GPU that is too small says nothing of a whole one: it carries what so many of them
 * were found to. */
static bool set_part(const gp_case *c, double requests_per_s, int64_t replicas) {
    const gp_candidate *chosen = &c->out->chosen;
    gp_unit_capability *store = gp_capability_of(c, (size_t)(chosen->unit - c->plan->units));
    double *each = &store->part_per_s[gp_size_judged(c)][chosen->part.index];
    const gp_serve_capability *found = gp_size_capability(c, chosen);
    if (replicas == active_of(chosen).decode || found == NULL)
        return false;
    *each = requests_per_s / ((double)replicas * (1 - found->simulated_loss));
    return true;
}

static bool set_rate(gp_case *c, double requests_per_s, counts replicas, bool shares) {
    const gp_candidate *chosen = &c->out->chosen;
    const counts active = active_of(chosen);
    if (chosen->part.in_use)
        return set_part(c, requests_per_s, replicas.decode);
    if (active.prefill == 0)
        return set_together(c, requests_per_s, replicas.decode, shares);
    gp_split_capability *pair = gp_split_pair(c, chosen);
    if (pair == NULL)
        return false;
    const double prefill = gp_split_prefill(c, pair, replicas.prefill);
    const double decode = gp_split_decode(c, pair);
    /* What is declared stays as it is, and carries more than the closed form knows. */
    const bool stays = is_same(replicas, active);
    const bool more_prefill = stays && requests_per_s > prefill * (double)replicas.prefill;
    const bool more_decode = stays && requests_per_s > decode * (double)replicas.decode;
    const bool first = set_loss(&pair->prefill_loss, requests_per_s, prefill,
                                more_prefill ? 0 : active.prefill, replicas.prefill);
    const bool second = set_loss(&pair->decode_loss, requests_per_s, decode,
                                 more_decode ? 0 : active.decode, replicas.decode);
    spread_loss(c, chosen, pair);
    return first || second;
}

/* What a look at all choices may do, and whether it did. */
typedef struct look {
    bool raises, lowers;   /* counts; neither: what is chosen is judged */
    bool tells;            /* what to compare it with, too */
    bool shares;           /* it is one of several places */
    bool brief;            /* by short runs alone */
    bool stops;            /* runs where it is known that a goal is missed */
    bool changed;
} look;

/* What so many replicas were found to carry; true where the choice is to be made again with it. */
static bool learn(gp_case *c, double requests_per_s, counts replicas, look *l) {
    if (replicas.decode == 0 || !set_rate(c, requests_per_s, replicas, l->shares))
        return false;
    set_twins(c, &c->out->chosen);
    c->stale = true;
    l->changed = true;
    return true;
}

/* Where the choice is made again, nobody is told of this one. */
static gp_status confirm_case(gp_plan_context *plan, gp_case *c, look *l) {
    trial t = trial_of(plan, c);
    t.brief = l->brief;
    t.stops = l->stops;
    gp_confirmation *found = &c->out->confirmation;
    counts replicas = {0};
    double load_per_s = t.ask.requests_per_s;
    gp_status st = confirm(&t, found);
    if (st == GP_OK && found->chosen.ok && (l->lowers || l->tells))
        st = run_fewer(&t, active_of(&c->out->chosen), &found->fewer);
    else if (st == GP_OK && !found->chosen.ok && l->raises)
        st = find_more(&t, &found->chosen, &replicas);
    if (st == GP_OK && l->shares && replicas.decode > 0 && replicas.prefill == 0)
        st = bear_share(&t, replicas, &load_per_s);
    if (st == GP_OK && found->chosen.ok && l->lowers)
        st = keep_stated(&t, &replicas);
    const bool short_of = declared_short(c);
    if (st == GP_OK && found->fewer.ok && l->lowers && replicas.decode == 0 && !short_of)
        st = lower_filled(&t, &found->fewer, &replicas);
    if (st == GP_OK && found->chosen.ok && replicas.decode == 0 && short_of)
        replicas = active_of(&c->out->chosen);
    if (st == GP_OK && learn(c, load_per_s, replicas, l))
        return GP_OK;
    if (st == GP_OK && found->confirmed && l->lowers && !c->out->chosen.split.present &&
        gp_split_beside(c, &c->out->chosen)) {
        c->stale = l->changed = true;
        return GP_OK;
    }
    if (st == GP_OK && l->tells)
        st = compare(&t, found);
    found->present = found->present || st == GP_OK;
    return st == GP_ERR_NOT_FOUND ? GP_OK : st;
}

/* Of a service at several places each figure is that of the place that takes longest, as judged. */
static void keep_longest(const gp_confirm_run *share, gp_confirm_run *all) {
    all->ttft_p95_s = gp_num_max(all->ttft_p95_s, share->ttft_p95_s);
    all->tpot_p95_s = gp_num_max(all->tpot_p95_s, share->tpot_p95_s);
    for (int i = 0; i < all->goal_count && i < share->goal_count; i++) {
        const gp_simulation_goal *one = &share->goals[i];
        gp_simulation_goal *most = &all->goals[i];
        if (judged_s(one) > judged_s(most))
            *most = *one;
        if (gp_str_equal(most->name, "ttftP95"))
            all->ttft_p95_s = most->value_s;
        if (gp_str_equal(most->name, "tpotP95"))
            all->tpot_p95_s = most->value_s;
    }
}

/* The replicas of one share by themselves. */
static gp_case part_of(const gp_plan_context *plan, const gp_case *c, int share) {
    gp_case_copy *copy = &plan->copies->share;
    const gp_candidate *chosen = &c->out->chosen.shares[share];
    gp_case part = gp_spread_case(c, chosen->unit, chosen->share_fraction, &copy->workload);
    copy->out = *c->out;
    copy->out.chosen = *chosen;
    copy->out.demand_requests_per_s *= chosen->share_fraction;
    part.out = &copy->out;
    part.stale = false;
    return part;
}

static gp_status confirm_share(gp_plan_context *plan, gp_case *c, int share, look *l) {
    gp_case part = part_of(plan, c, share);
    gp_workload_plan *out = part.out;
    if (share > 0)
        out->confirmation = (gp_confirmation){.present = false};
    gp_status st = confirm_case(plan, &part, l);
    c->stale = c->stale || part.stale;
    gp_confirmation *all = &c->out->confirmation;
    if (share == 0) {
        *all = out->confirmation;
        return st;
    }
    all->confirmed = all->confirmed && out->confirmation.confirmed;
    all->present = all->present && out->confirmation.present;
    keep_longest(&out->confirmation.judged, &all->judged);
    return st;
}

/* Of a service at several sites the largest share is told. */
static gp_status confirm_all(gp_plan_context *plan, gp_case *c, look *l) {
    gp_status st = GP_OK;
    l->shares = c->out->chosen.share_count > 0;
    if (!l->shares)
        return confirm_case(plan, c, l);
    for (int k = 0; k < c->out->chosen.share_count && st == GP_OK; k++)
        st = confirm_share(plan, c, k, l);
    return st;
}

/* Of its GPUs, those of the most whole machines that take less than the choice: with one machine
 * less, what that draws idle goes at once. */
static double whole_share(const gp_case *c, const gp_candidate *chosen, const gp_candidate *way) {
    const double most = gp_allocation_take(c, chosen, true);
    gp_candidate fewer = *way;
    for (fewer.nodes--; fewer.nodes > 0; fewer.nodes--) {
        fewer.gpus = fewer.nodes * way->unit->machine.gpus;
        if (fewer.gpus < way->gpus && gp_allocation_take(c, &fewer, true) < most)
            return ((double)fewer.gpus + 0.5) / (double)way->gpus;
    }
    return 0;
}

/* What the choice takes of what a way does, as the one or the other counts it. */
static double share_of(const gp_case *c, const gp_candidate *chosen, const gp_candidate *way) {
    double share = gp_option_gpus(chosen) / gp_option_gpus(way);
    for (int alone = 0; alone < 2; alone++) {
        const double take = gp_allocation_take(c, way, alone != 0);
        if (take > 0)
            share = gp_num_max(share, gp_allocation_take(c, chosen, alone != 0) / take);
    }
    return gp_num_max(share, whole_share(c, chosen, way));
}

/* It runs on what stands where the choice buys: as much will do. */
static double slack_of(const gp_case *c, const gp_candidate *chosen, const gp_candidate *way) {
    const gp_plan_context *plan = c->plan;
    const int64_t *owned = plan->inventory.owned;
    const bool buys = owned[chosen->unit - plan->units] < chosen->nodes;
    return buys && owned[way->unit - plan->units] > 0 ? 1 + 1e-6 : 1;
}

/* That share, where it is more than what the fewest replicas that are tried would take; else 0. */
static double rival_share(const gp_case *c, const gp_candidate *way) {
    const gp_candidate *chosen = &c->out->chosen;
    const counts active = active_of(way);
    const counts fewest = fewest_of(active);
    const double share = share_of(c, chosen, way) * slack_of(c, chosen, way);
    const double least =
        (double)(fewest.prefill + fewest.decode) / (double)(active.prefill + active.decode);
    return way->share_count == 0 && !gp_option_alike(way, chosen) && share > least ? share : 0;
}

/* So many of a pool, beside what else there is, as take fewer GPUs than `room`. */
static int64_t count_below(double room, int64_t gpus, int64_t others, int64_t active) {
    const int64_t count = gp_num_ceil_count((room - (double)others) / (double)gpus) - 1;
    return gp_num_min_i64(count, active - 1);
}

static gp_status run_possible(trial *t, counts replicas, gp_confirm_run *ret) {
    const counts fewest = fewest_of(active_of(&t->c->out->chosen));
    const bool possible = replicas.prefill >= fewest.prefill && replicas.decode >= fewest.decode &&
                          replicas.decode > 0 && keeps_up(t, replicas);
    return possible ? run_lower(t, replicas, ret) : GP_OK;
}

/* Of two pools fewer of one, so that both take less than that share of their GPUs. */
static gp_status run_fewer_apart(trial *t, double share, counts active, gp_confirm_run *ret) {
    const gp_candidate *chosen = &t->c->out->chosen;
    const int64_t prefill_gpus = gp_serve_layout_gpus(&chosen->split.layouts.prefill);
    const int64_t decode_gpus = gp_serve_layout_gpus(&chosen->serve_layout);
    const double room = share * (double)gpus_of(chosen);
    const counts less = {
        count_below(room, prefill_gpus, active.decode * decode_gpus, active.prefill),
        count_below(room, decode_gpus, active.prefill * prefill_gpus, active.decode)};
    gp_status st = run_possible(t, (counts){active.prefill, less.decode}, ret);
    if (st == GP_OK && !ret->ok && less.prefill > 0)
        st = run_possible(t, (counts){less.prefill, active.decode}, ret);
    return st;
}

/* So many as take less than the choice. */
static gp_status run_rival(trial *t, double share, gp_confirm_run *ret) {
    const counts active = active_of(&t->c->out->chosen);
    const int64_t better = count_below(share * (double)active.decode, 1, 0, active.decode);
    *ret = (gp_confirm_run){.ok = false};
    if (active.prefill > 0)
        return run_fewer_apart(t, share, active, ret);
    return better > 0 ? run_lower(t, (counts){.decode = better}, ret) : GP_OK;
}

/* Fewer than the closed form counts, by short runs: what holds by them alone is judged in full
 * where it is chosen. */
static gp_status lower_rival(gp_case *c, double share, look *l) {
    trial t = trial_of(c->plan, c);
    gp_confirm_run fewer;
    counts replicas = {0};
    t.brief = t.stops = true;
    gp_status st = run_rival(&t, share, &fewer);
    if (st == GP_OK && fewer.ok && !fewer.filled) {
        t.ask.requests *= LONGER_TIMES;
        st = run_rival(&t, share, &fewer);
    }
    if (st == GP_OK && fewer.ok)
        st = lower(&t, &fewer, &replicas);
    if (st == GP_OK)
        (void)learn(c, t.ask.requests_per_s, replicas, l);
    return st == GP_ERR_NOT_FOUND ? GP_OK : st;
}

/* Where that may take less than the choice. */
static gp_status try_rival(gp_case *c, const gp_candidate *way, double most, look *l) {
    gp_workload_plan *out = c->out;
    gp_case_copy *copy = &c->plan->copies->elsewhere;
    const double share = gp_num_min(rival_share(c, way), most);
    if (!(share > 0))
        return GP_OK;
    copy->out = *out;
    out->chosen = *way;
    gp_size_describe(c, &out->chosen);
    const gp_status st = lower_rival(c, share, l);
    *out = copy->out;
    return st;
}

/* Of its GPUs, what pools have to stay within to be worth having. */
static double worth_share(const gp_case *c, const gp_candidate *apart) {
    gp_split_least least;
    gp_split_least_of(c, (size_t)(apart->unit - c->plan->units), &least);
    const int64_t nodes = gp_num_floor_count(least.nodes);
    const double within = gp_num_max(least.gpus, (double)(nodes * apart->unit->machine.gpus));
    return (within + 0.5) / (double)apart->gpus;
}

/* One of the first `count` ways is laid out like it: what they carry is known of both. */
static bool is_among(const gp_options *ways, size_t count, const gp_candidate *candidate) {
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || gp_option_alike(&ways->items[i], candidate);
    return any;
}

/* Ways beside the choice may be better with what simulation says; so may pools on a kind of
 * machines that are none by the closed form. */
static gp_status lower_rivals(gp_case *c, const gp_options *ways, look *l) {
    const gp_plan_context *plan = c->plan;
    gp_status st = GP_OK;
    gp_candidate apart;
    for (size_t i = 0; i < ways->count && st == GP_OK; i++)
        if (!is_among(ways, i, &ways->items[i]))
            st = try_rival(c, &ways->items[i], HUGE_VAL, l);
    for (size_t u = 0; u < plan->unit_count; u++)
        for (int64_t layout = 0;
             st == GP_OK && gp_options_apart(c, &plan->inventory, u, &layout, &apart);)
            if (!is_among(ways, ways->count, &apart))
                st = try_rival(c, &apart, worth_share(c, &apart), l);
    return st;
}

/* Of a service without a place what comes nearest on a kind of machines: NULL where there is none
 * that only limits keep out. */
static const gp_candidate *nearest_on(const gp_options *ways, const gp_unit *unit) {
    const gp_candidate *least = NULL;
    for (size_t i = 0; i < ways->count; i++) {
        const gp_candidate *way = &ways->items[i];
        if (way->unit == unit && (least == NULL || way->gpus < least->gpus))
            least = way;
    }
    const gp_candidate *short_of = ways->nearest;
    if (least == NULL && short_of != NULL && short_of->unit == unit &&
        short_of->lack.bound == GP_BOUND_SUPPLY && !short_of->lack.refused)
        least = short_of;
    return least;
}

static gp_status lower_way(gp_case *c, const gp_candidate *way, look *l) {
    c->out->chosen = *way;
    gp_size_describe(c, &c->out->chosen);
    c->out->chosen.feasible = true;
    return wants_simulation(c) ? confirm_all(c->plan, c, l) : GP_OK;
}

/* Also where there is a choice: what only the closed form puts beyond what may be had may be better
 * than it. */
static gp_status lower_beyond(gp_case *c, const gp_options *ways, look *l) {
    const gp_plan_context *plan = c->plan;
    gp_workload_plan *out = c->out;
    gp_case_copy *copy = &plan->copies->elsewhere;
    look both = {.raises = true, .lowers = true};
    gp_status st = GP_OK;
    copy->out = *out;
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++) {
        gp_options there = {0};
        const int64_t most = gp_options_within(c, &plan->inventory, u).max_nodes;
        if (gp_options_allow(c, &plan->inventory, u))
            gp_options_on(c, u, gp_size_within(plan, u, LOWER_SHARE * most), &there);
        for (size_t i = 0; i < there.count && st == GP_OK; i++)
            if (there.items[i].nodes > most && !is_among(ways, ways->count, &there.items[i]))
                st = lower_way(c, &there.items[i], &both);
    }
    *out = copy->out;
    l->changed = l->changed || both.changed;
    return st;
}

/* Pools of each layout that nearly find room on the machines that stand, until one does. */
static gp_status lower_apart(gp_case *c, size_t unit, look *l) {
    gp_plan_context *plan = c->plan;
    const int64_t room = plan->inventory.owned[unit];
    const gp_size_bounds near = gp_size_within(plan, unit, room + room / NEARLY);
    gp_status st = GP_OK;
    gp_candidate apart;
    if (c->split_mode != GP_SPLIT_AUTO || c->pinned || c->offline || room == 0)
        return GP_OK;
    for (int64_t layout = 0;
         st == GP_OK && !l->changed && gp_size_split_next(c, unit, near, &layout, &apart);) {
        gp_price_candidate(c, 0, &apart);
        st = lower_way(c, &apart, l);
    }
    return st;
}

/* What the closed form counts too many of may find a place with what simulation says: on machines
 * that stand each way there would be, were there enough of them, and so where there is none on as
 * many as may be bought; elsewhere what comes nearest. */
static gp_status lower_unplaced(gp_case *c, const gp_options *ways, look *l) {
    gp_plan_context *plan = c->plan;
    const bool buys = plan->inventory.may_buy;
    const bool open = (!buys || ways->count == 0) && plan->case_count <= GP_PLAN_AGAIN_MAX;
    const int64_t most = plan->spec->candidates.limits.max_nodes * (buys && open ? LOWER_SHARE : 1);
    look both = {.raises = true, .lowers = true};
    gp_status st = GP_OK;
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++) {
        const gp_candidate *near = nearest_on(ways, &plan->units[u]);
        gp_options there = {0};
        if (open && gp_options_allow(c, &plan->inventory, u))
            gp_options_on(c, u, gp_size_within(plan, u, most), &there);
        for (size_t i = 0; i < there.count && st == GP_OK; i++)
            st = lower_way(c, &there.items[i], &both);
        if (there.count == 0 && near != NULL && st == GP_OK)
            st = lower_way(c, near, &both);
        if (open && !buys && st == GP_OK && gp_options_allow(c, &plan->inventory, u))
            st = lower_apart(c, u, &both);
    }
    c->out->chosen = (gp_candidate){0};
    c->out->confirmation = (gp_confirmation){.present = false};
    l->changed = l->changed || both.changed;
    return st;
}

gp_status gp_confirm_choices(gp_plan_context *plan, bool may_lower, bool *ret_changed) {
    look l = {.raises = true, .lowers = may_lower, .tells = !plan->options->brief};
    const bool few = plan->case_count <= GP_PLAN_AGAIN_MAX;
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < plan->case_count; i++) {
        gp_case *c = &plan->cases[i];
        const bool simulated = wants_simulation(c);
        if (simulated)
            st = confirm_all(plan, c, &l);
        if (st == GP_OK && may_lower && !c->out->chosen.present)
            st = lower_unplaced(c, &plan->ways[i], &l);
        else if (st == GP_OK && may_lower && simulated && few)
            st = lower_rivals(c, &plan->ways[i], &l);
        if (st == GP_OK && may_lower && simulated && few)
            st = lower_beyond(c, &plan->ways[i], &l);
    }
    *ret_changed = l.changed;
    return st;
}

/* True where nothing is simulated. */
static bool holds(gp_case *changed, bool briefly, look *l) {
    gp_confirmation *found = &changed->out->confirmation;
    *found = (gp_confirmation){.present = false};
    l->brief = briefly;
    return !wants_simulation(changed) || confirm_all(changed->plan, changed, l) != GP_OK ||
           found->confirmed;
}

bool gp_confirm_carries(gp_case *changed, bool briefly) {
    look l = {.stops = true};
    const gp_candidate *chosen = &changed->out->chosen;
    const trial t = trial_of(changed->plan, changed);
    return holds(changed, briefly, &l) &&
           (chosen->share_count > 0 || keeps_up(&t, active_of(chosen)));
}

/* What short runs say holds is judged as the plan is. */
bool gp_confirm_chosen(gp_case *changed, bool *ret_changed) {
    const gp_confirmation *found = &changed->out->confirmation;
    look l = {.raises = true};
    if (holds(changed, true, &l) && !l.changed && wants_simulation(changed)) {
        l.brief = false;
        (void)confirm_all(changed->plan, changed, &l);
    }
    *ret_changed = l.changed;
    return found->confirmed || !found->present;
}

static bool is_current(const gp_case *c) {
    const gp_confirmation *found = &c->out->confirmation;
    const gp_candidate *chosen = &c->out->chosen;
    const counts active = active_of(chosen->share_count > 0 ? &chosen->shares[0] : chosen);
    return found->present && found->chosen.replicas == active.decode &&
           found->chosen.prefill_replicas == active.prefill;
}

const gp_confirm_run *gp_confirm_judged(const gp_case *c) {
    return is_current(c) ? &c->out->confirmation.judged : NULL;
}

/* What the chosen replicas carry is what the closed form says of them, or less where short runs do
 * not hold it. */
static gp_status find_most(gp_case *c) {
    gp_candidate *chosen = &c->out->chosen;
    trial t = trial_of(c->plan, c);
    const counts active = active_of(chosen);
    const double asked = t.ask.requests_per_s;
    double bears = asked;
    double misses = chosen->requests_per_s;
    gp_status st = GP_OK;
    t.brief = true;
    for (int i = 0; i < MOST_RUNS && st == GP_OK && misses > bears * alike; i++) {
        gp_confirm_run got = {.ok = false};
        t.ask.requests_per_s = i == 0 ? misses : 0.5 * (bears + misses);
        st = run(&t, active, &got);
        *(got.ok ? &bears : &misses) = t.ask.requests_per_s;
    }
    if (st == GP_OK && bears < chosen->requests_per_s) {
        chosen->requests_per_s = bears;
        chosen->utilization = c->demand.requests_per_s / bears;
        chosen->simulated_share = bears / (double)active.decode / asked;
    }
    return st;
}

static bool may_carry_less(const gp_case *c, const gp_candidate *chosen) {
    return !chosen->part.in_use && chosen->requests_per_s > 0 && c->out->has_goal;
}

gp_status gp_confirm_most(const gp_case *c) {
    gp_candidate *chosen = &c->out->chosen;
    const int count = chosen->share_count;
    gp_candidate *shares = GP_NEW_ARRAY(c->plan->arena, gp_candidate, (size_t)count + 1);
    gp_case own = *c;
    gp_status st = GP_OK;
    if (!wants_simulation(c) || !is_current(c) || !c->out->confirmation.confirmed)
        return GP_OK;
    if (count == 0 && may_carry_less(c, chosen))
        st = find_most(&own);
    for (int k = 0; k < count && st == GP_OK; k++) {
        gp_case part = part_of(c->plan, c, k);
        if (may_carry_less(&part, &part.out->chosen))
            st = find_most(&part);
        shares[k] = part.out->chosen;
    }
    if (count > 0 && st == GP_OK)
        gp_spread_sum(c, shares, count, chosen);
    return st == GP_ERR_NOT_FOUND ? GP_OK : st;
}

gp_status gp_confirm_rest(gp_plan_context *plan) {
    look l = {.tells = !plan->options->brief};
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < plan->case_count; i++) {
        gp_case *c = &plan->cases[i];
        if (!wants_simulation(c)) {
            c->out->confirmation = (gp_confirmation){.present = false};
            continue;
        }
        if (is_current(c))
            continue;
        c->out->confirmation.present = false;
        st = confirm_all(plan, c, &l);
    }
    return st;
}

bool gp_confirm_simulates(const gp_workload_plan *w) {
    return w->is_serving && (w->confirmation.present || !w->chosen.feasible);
}

bool gp_confirm_takes_long(const gp_plan_context *plan) {
    bool simulated = false;
    for (size_t i = 0; i < plan->case_count; i++)
        simulated = simulated || gp_confirm_simulates(plan->cases[i].out);
    return simulated && plan->case_count > 1 && (plan->site_count > 1 || plan->growth != NULL);
}
