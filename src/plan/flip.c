/*
 * Where the flip point may lie: the value of the workload's own demand at which its verdict
 * changes, by the closed form, searched outwards to four times and a quarter of today's value,
 * nearest first, then bisected. Capability does not depend on demand, so a probe costs no new
 * search. All others stand as they do: plans that are made again say where it lies (flip_planned),
 * but where there are too many workloads.
 */
#include "plan/verdict.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"

enum { STEPS = 8, BISECTIONS = 9 };
enum { GUESSED = 4 };   /* bisections where plans say where it lies, closer by */
enum { SEARCHED = 16 }; /* workloads whose flip points anybody reads: the largest */
static const double reach = 4;
static const double lasting = 1.02; /* a verdict that holds for less is a coincidence */
static const double beyond =
    1.07; /* what the spec allows lies so far past a flip that plans show */

/* The spec field that the demand came from. */
typedef struct variable {
    const char *name;
    const char *path;
    double today;
    gp_dim dim;
    bool inverse; /* a rate: the deadline goes with its inverse */
    bool recurs;  /* a period: runs start that often, too */
    bool of_mean; /* a rate: all of the traffic goes with it, not its peak alone */
    double least; /* the spec's other statements allow no less, */
    double most;  /* and no more; 0: any */
    size_t field; /* its place in a gp_workload */
} variable;

typedef struct flip_search {
    const variable *variable;
    const gp_verdicts *v;
    size_t i;
    const gp_verdict *today;
    gp_baseline open; /* where it finds no place without purchases */
} flip_search;

static gp_case demand_at(const flip_search *s, double factor) {
    const gp_case *c = &s->v->plan->cases[s->i];
    gp_case changed = *c;
    changed.demand.deadline_s *= factor;
    changed.demand.requests_per_s *= c->offline ? 1 / factor : factor;
    if (s->variable->of_mean)
        changed.demand.traffic_factor *= factor;
    if (s->variable->recurs)
        changed.slots_per_week /= factor;
    return changed;
}

/* What the verdict of another demand starts from: where it finds a place without purchases, else
 * the most room; in large plans the place that it has today, or that room. */
static gp_baseline baseline_at(const flip_search *s, const gp_options *options) {
    const gp_verdicts *v = s->v;
    const bool stays = s->today->scale == GP_SCALE_NONE;
    if (s->today->baseline.greenfield || v->plan->case_count > GP_PLAN_AGAIN_MAX)
        return stays ? s->open : s->today->baseline;
    const int pick = gp_allocate_one(v->plan, v->narrow, v->today, s->i, options, v->scratch);
    return gp_verdict_baseline(v, s->i, pick >= 0 ? &options->items[pick] : NULL);
}

static gp_scale place_as(flip_search *s, const gp_inventory *inventory, const gp_options *options) {
    const gp_baseline baseline = baseline_at(s, options);
    (void)gp_allocate_one(s->v->plan, inventory, s->v->best, s->i, options, s->v->scratch);
    gp_share_out_for(s->v->plan, s->v->scratch, s->i);
    return gp_verdict_scale(s->v->plan, &baseline, s->v->scratch, s->i);
}

/* Shared out over several kinds it could only buy less, and it buys nothing as it is: in large
 * plans nobody looks. */
static bool needs_no_more(const flip_search *s, gp_scale scale) {
    return scale == GP_SCALE_NONE && s->today->scale == GP_SCALE_NONE;
}

/* The workload with another demand, placed beside all others as they are. */
static gp_scale place(flip_search *s, const gp_case *changed) {
    const gp_inventory *inventory = s->v->inventory;
    gp_options options;
    gp_options_sized(changed, inventory, &options);
    gp_verdict_keep_allowed(s->v->plan, changed, &s->today->baseline, &options);
    if (s->v->plan->case_count > GP_PLAN_AGAIN_MAX) {
        const gp_scale scale = place_as(s, inventory, &options);
        if (needs_no_more(s, scale))
            return scale;
    }
    /* What is tried for it is left in the scratch: it is placed again in any case. */
    gp_spread_ways(s->v->plan, inventory, s->v->best, s->i, changed, s->v->scratch, &options);
    return place_as(s, inventory, &options);
}

static gp_scale scale_at(flip_search *s, double factor) {
    const gp_case changed = demand_at(s, factor);
    gp_arena_mark mark = gp_arena_set_mark(s->v->plan->arena);
    const gp_scale scale = place(s, &changed);
    gp_arena_release(s->v->plan->arena, mark);
    return scale;
}

/* Between `same` (today's verdict) and `other`, the factor where it changes. */
static double bisect(flip_search *s, double same, double other, gp_scale *to) {
    const int count = s->v->plan->case_count > GP_PLAN_AGAIN_MAX ? (int)BISECTIONS : (int)GUESSED;
    for (int i = 0; i < count; i++) {
        const double middle = 0.5 * (same + other);
        const gp_scale scale = scale_at(s, middle);
        if (scale == s->today->scale) {
            same = middle;
        } else {
            other = middle;
            *to = scale;
        }
    }
    return other;
}

/* One side of today's value, walked outwards. */
typedef struct flip_side {
    bool up;
    bool ended;  /* no further steps: found, or at what the spec allows */
    bool bound;  /* the latter */
    double same; /* the farthest factor known to keep the verdict */
    double at;   /* where it changes; 0: not found */
    gp_scale to;
} flip_side;

/* A change between the last factor and `next`, if it lasts. */
static void settle(flip_search *s, double next, gp_scale scale, flip_side *side) {
    side->to = scale;
    const double at = bisect(s, side->same, next, &side->to);
    side->to = scale_at(s, side->up ? at * lasting : at * (2 - lasting));
    side->ended = side->to != s->today->scale;
    side->at = side->ended ? at : 0;
}

static void step_out(flip_search *s, double ratio, flip_side *side) {
    const variable *v = s->variable;
    const double least = v->least / v->today * lasting; /* a change there has to last, too */
    const double most = v->most > 0 ? v->most / v->today / lasting : HUGE_VAL;
    double next = side->up ? side->same * ratio : side->same / ratio;
    side->bound = next < least || next > most;
    side->ended = side->bound;
    if (side->up ? most <= side->same : least >= side->same)
        return;
    next = gp_num_max(least, gp_num_min(next, most));
    const gp_scale scale = scale_at(s, next);
    if (scale != s->today->scale)
        settle(s, next, scale, side);
    side->same = next;
}

static double distance(double factor) {
    return factor <= 0 ? (double)GP_NUM_COUNT_MAX : gp_num_max(factor, 1 / factor);
}

/* The one that sets the deadline. */
static variable training_variable(const gp_case *c) {
    const gp_goal *goal = &c->workload->goal;
    const variable options[] = {
        {.path = "goal.completeWithin",
         .field = offsetof(gp_workload, goal.complete_within_s),
         .name = "deadline",
         .today = goal->complete_within_s,
         .dim = GP_DIM_TIME,
         .most = goal->every_s},
        {.path = "goal.maxDuration",
         .field = offsetof(gp_workload, goal.max_duration_s),
         .name = "deadline",
         .today = goal->max_duration_s,
         .dim = GP_DIM_TIME,
         .most = goal->every_s},
        {.path = "goal.throughput",
         .field = offsetof(gp_workload, goal.throughput_tokens_per_s),
         .name = "throughput",
         .today = goal->throughput_tokens_per_s,
         .dim = GP_DIM_PER_S,
         .inverse = true},
        {.path = "goal.every",
         .field = offsetof(gp_workload, goal.every_s),
         .name = "period",
         .today = goal->every_s,
         .dim = GP_DIM_TIME,
         .recurs = true},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].today > 0 &&
            (options[i].inverse || options[i].today <= c->demand.deadline_s))
            return options[i];
    return (variable){0};
}

static variable rate_of(const char *path, size_t field, double today, double least, bool of_mean) {
    return (variable){.name = "requestRate",
                      .path = path,
                      .field = field,
                      .today = today,
                      .dim = GP_DIM_PER_S,
                      .least = least,
                      .of_mean = of_mean};
}

static variable serving_variable(const gp_case *c) {
    const gp_workload *w = c->workload;
    const gp_distribution *d = &w->traffic.requests_per_s;
    const double p95 = gp_num_max(d->p95, d->mean);
    const double p99 = gp_num_max(d->p99, p95);
    if (w->type == GP_WORKLOAD_SEATS)
        return (variable){.name = "seats",
                          .path = gp_seats_counted(w) ? "seats.people" : "seats.atOnce",
                          .today = (double)w->seats.at_once,
                          .dim = GP_DIM_COUNT,
                          .of_mean = true};
    const variable options[] = {
        {.name = "throughput",
         .path = "goal.throughput",
         .field = offsetof(gp_workload, goal.throughput_tokens_per_s),
         .today = c->out->traffic.of_goal ? w->goal.throughput_tokens_per_s : 0,
         .dim = GP_DIM_PER_S},
        rate_of("traffic.requestsPerSecond.peak",
                offsetof(gp_workload, traffic.requests_per_s.peak), d->peak, p99, false),
        rate_of("traffic.requestsPerSecond.p99", offsetof(gp_workload, traffic.requests_per_s.p99),
                d->p99, p95, false),
        rate_of("traffic.requestsPerSecond.p95", offsetof(gp_workload, traffic.requests_per_s.p95),
                d->p95, d->mean, false),
        rate_of("traffic.requestsPerSecond.mean",
                offsetof(gp_workload, traffic.requests_per_s.mean), d->mean, 0, true),
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].today > 0)
            return options[i];
    return (variable){0};
}

/* Those that find no place are the largest of all. */
static int64_t size_of(const gp_verdicts *v, size_t i) {
    return v->best->chosen[i] != NULL ? v->best->chosen[i]->gpus : GP_NUM_COUNT_MAX;
}

static bool is_searched(const gp_verdicts *v, size_t i) {
    const gp_plan_context *plan = v->plan;
    size_t larger = 0;
    for (size_t k = 0; k < plan->case_count && plan->case_count > SEARCHED; k++) {
        const int64_t other = size_of(v, k);
        larger += other > size_of(v, i) ||
                  (other == size_of(v, i) && plan->cases[k].rank < plan->cases[i].rank);
    }
    return larger < SEARCHED;
}

/* How far the verdict was looked for. */
static const char *same_words(const flip_side *up, const flip_side *down) {
    static const char *const words[2][2] = {
        {"the verdict stays the same from a quarter to four times today's value",
         "the verdict stays the same from a quarter of today's value to the highest that the "
         "spec allows"},
        {"the verdict stays the same from the lowest value that the spec allows to four times "
         "today's",
         "the verdict stays the same for every value that the spec allows"}};
    return words[down->bound][up->bound];
}

/* Plans that are made again do not say where it lies, and growth asks for that. */
static bool is_open(const gp_plan_context *plan) {
    return plan->case_count > GP_PLAN_AGAIN_MAX && plan->growth != NULL;
}

void gp_flip_of(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict,
                gp_flip *ret_flip) {
    const gp_case *c = &verdicts->plan->cases[i];
    *ret_flip = (gp_flip){.reason = "searched only for the 16 largest workloads of a plan"};
    if (!is_searched(verdicts, i))
        return;
    *ret_flip = (gp_flip){.reason = "not searched where more than 8 workloads grow"};
    if (is_open(verdicts->plan))
        return;
    const variable v =
        c->out->is_serving && !c->offline ? serving_variable(c) : training_variable(c);
    *ret_flip = (gp_flip){.reason = "no goal to vary"};
    if (v.name == NULL)
        return;
    flip_search s = {.variable = &v, .v = verdicts, .i = i, .today = verdict};
    if (verdict->scale == GP_SCALE_NONE)
        s.open = gp_verdict_baseline(verdicts, i, NULL);
    const double ratio = gp_num_pow(reach, 1.0 / STEPS);
    flip_side up = {.up = true, .same = 1};
    flip_side down = {.same = 1};
    /* Both sides in step: once one has changed, the other can only change farther out. */
    for (int k = 0; k < STEPS && up.at <= 0 && down.at <= 0; k++) {
        if (!up.ended)
            step_out(&s, ratio, &up);
        if (!down.ended)
            step_out(&s, ratio, &down);
    }
    ret_flip->reason = same_words(&up, &down);
    if (up.at <= 0 && down.at <= 0)
        return;
    const bool upward = distance(up.at) <= distance(down.at);
    const double factor = upward ? up.at : down.at;
    *ret_flip = (gp_flip){
        .present = true,
        .variable = v.name,
        .path = gp_arena_printf(c->plan->arena, "workloads.%s.%s", c->workload->name, v.path),
        .today = v.today,
        .at = v.inverse ? v.today / factor : v.today * factor,
        .dim = v.dim,
        .to_scale = upward ? up.to : down.to,
        .field = v.field,
        .least = v.least * beyond,
        .most = v.most / beyond,
    };
}
