/*
 * The flip point: the value of the workload's own demand at which its verdict changes, searched
 * outwards to 16 times and one sixteenth of today's value, nearest first, then bisected. Capability
 * does not depend on demand, so a probe costs no new search. What the other workloads leave of a
 * shared limit is taken as it stands: where they alone stand in the way, they would be placed
 * again, and the search ends undecided. A service that is simulated is looked for by the closed
 * form first, and then with the replicas that short runs ask for.
 */
#include "plan/verdict.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"

enum { STEPS = 16, BISECTIONS = 9 };
enum { SEARCHED = 64 }; /* workloads whose flip points anybody reads: the largest */
static const double reach = 16;
static const double lasting = 1.02; /* a verdict that holds for less is a coincidence */
static const double stride = 1.1;   /* of the search with simulation */
enum { STRIDES = 8, HALVINGS = 2 };

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
    size_t at;    /* of a rate: its place in a gp_workload */
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
static gp_scale place(flip_search *s, const gp_case *changed, bool alone, gp_options *options) {
    gp_inventory inventory = *s->v->inventory;
    if (alone)
        inventory.lifted = s->v->plan->all_limits;
    gp_options_sized(changed, s->v->inventory, options);
    gp_verdict_keep_allowed(s->v->plan, changed, &s->today->baseline, options);
    if (s->v->plan->case_count > GP_PLAN_AGAIN_MAX) {
        const gp_scale scale = place_as(s, &inventory, options);
        if (needs_no_more(s, scale))
            return scale;
    }
    /* What is tried for it is left in the scratch: it is placed again in any case. */
    gp_spread_ways(s->v->plan, &inventory, s->v->best, s->i, changed, s->v->scratch, options);
    return place_as(s, &inventory, options);
}

static gp_scale scale_within(flip_search *s, double factor, bool alone) {
    const gp_case changed = demand_at(s, factor);
    gp_arena_mark mark = gp_arena_set_mark(s->v->plan->arena);
    gp_options options;
    const gp_scale scale = place(s, &changed, alone, &options);
    gp_arena_release(s->v->plan->arena, mark);
    return scale;
}

/* Of all workloads placed again, without purchases and with them. */
static gp_baseline baseline_again(const flip_search *s, gp_allocation *today, gp_allocation *best) {
    gp_verdicts v = *s->v;
    v.today = today;
    v.best = best;
    return gp_verdict_baseline(&v, s->i, today->chosen[s->i]);
}

static bool buys(const gp_plan_context *plan, const gp_allocation *a, size_t k) {
    const gp_candidate *chosen = a->chosen[k];
    return chosen == NULL ||
           (chosen->unit->cloud == NULL && gp_ledger_owned(plan, &a->ledger, k) < chosen->nodes);
}

static int64_t bought_in_all(const gp_plan_context *plan, const gp_allocation *a) {
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        nodes += a->ledger.kinds[u].bought;
    return nodes;
}

/* Whose machines are there and whose are new is a matter of who is asked first: it keeps its
 * verdict while others are bought for that are not today, or buys nothing while as many machines
 * are bought for others. */
static bool displaces(const flip_search *s, gp_scale scale, const gp_allocation *again) {
    const gp_plan_context *plan = s->v->plan;
    const int64_t today = bought_in_all(plan, s->v->best);
    bool found = scale == GP_SCALE_NONE && scale != s->today->scale &&
                 !s->today->baseline.greenfield && today > 0 && bought_in_all(plan, again) >= today;
    for (size_t k = 0; k < plan->case_count && scale == s->today->scale; k++)
        found = found || (k != s->i && buys(plan, again, k) && !buys(plan, s->v->best, k));
    return found;
}

/* The same with all workloads placed again; small plans only, where that is quick. */
static gp_scale scale_again(flip_search *s, double factor, gp_scale expected) {
    const gp_plan_context *plan = s->v->plan;
    if (plan->case_count > GP_PLAN_AGAIN_MAX)
        return plan->growth == NULL ? expected : GP_SCALE_COUNT;
    if (plan->case_count < 2 && plan->growth == NULL)
        return expected;
    gp_arena_mark mark = gp_arena_set_mark(plan->arena);
    gp_allocation again;
    gp_allocation today;
    gp_options options;
    gp_scale scale = expected;
    gp_case changed = demand_at(s, factor);
    gp_options_sized(&changed, s->v->inventory, &options);
    gp_verdict_keep_allowed(plan, &changed, &s->today->baseline, &options);
    gp_plan_again(s->v, s->i, &changed, &options, &today, &again);
    const gp_baseline baseline = baseline_again(s, &today, &again);
    gp_share_out(plan, &again);
    scale = gp_verdict_scale(plan, &baseline, &again, s->i);
    if (displaces(s, expected, &again))
        scale = GP_SCALE_COUNT;
    gp_arena_release(plan->arena, mark);
    return scale;
}

static gp_scale scale_at(flip_search *s, double factor) {
    return scale_within(s, factor, false);
}

/* Not possible beside the others as they are placed, but without the limits they share. */
static bool is_open(flip_search *s, double factor, gp_scale scale) {
    return scale == GP_SCALE_INFEASIBLE && s->v->plan->case_count > 1 &&
           scale_within(s, factor, true) != GP_SCALE_INFEASIBLE;
}

/* Between `same` (today's verdict) and `other`, the factor where it changes. */
static double bisect(flip_search *s, double same, double other, gp_scale *to) {
    for (int i = 0; i < BISECTIONS; i++) {
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
    bool ended;  /* no further steps: found, open, or at what the spec allows */
    bool bound;  /* the last of these */
    bool open;   /* undecided: the others would be placed again */
    bool brief;  /* undecided: past it the verdict changes once more at once */
    double same; /* the farthest factor known to keep the verdict */
    double at;   /* where it changes; 0: not found */
    gp_scale to;
} flip_side;

/* A change between the last factor and `next`, if it lasts. */
static void settle(flip_search *s, double next, gp_scale scale, flip_side *side) {
    side->to = scale;
    const double at = bisect(s, side->same, next, &side->to);
    const double past = side->up ? at * lasting : at * (2 - lasting);
    const gp_scale first = side->to;
    side->to = scale_at(s, past);
    side->brief = side->to != s->today->scale && side->to != first;
    const double short_of = side->up ? at * (2 - lasting) : at * lasting;
    side->open = is_open(s, past, side->to) || scale_again(s, past, side->to) != side->to ||
                 scale_again(s, short_of, s->today->scale) != s->today->scale;
    side->ended = side->open || side->to != s->today->scale;
    side->at = side->ended && !side->open && !side->brief ? at : 0;
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

/* What the closed form chooses at a factor, in the copy; false where the verdict is another. */
static bool choose_at(flip_search *s, double factor, gp_scale wanted) {
    const gp_case changed = demand_at(s, factor);
    gp_workload_plan *out = &s->v->plan->copies->varied.out;
    gp_arena_mark mark = gp_arena_set_mark(s->v->plan->arena);
    gp_options options;
    const bool found = place(s, &changed, false, &options) == wanted;
    const gp_candidate *chosen = s->v->scratch->chosen[s->i];
    *out = *changed.out;
    out->chosen = chosen != NULL ? *chosen : (gp_candidate){0};
    if (out->chosen.share_count == 0)
        gp_arena_release(s->v->plan->arena, mark);
    gp_size_describe(&changed, &out->chosen);
    return found && chosen != NULL;
}

/* A plan for that load would look at what is chosen. */
static bool is_way(const flip_search *s, const gp_case *changed) {
    const gp_candidate *chosen = &changed->out->chosen;
    gp_arena_mark mark = gp_arena_set_mark(s->v->plan->arena);
    gp_options options;
    bool found = chosen->share_count > 0;
    gp_options_sized(changed, s->v->inventory, &options);
    for (size_t i = 0; i < options.count && !found; i++)
        found = gp_option_alike(&options.items[i], chosen);
    gp_arena_release(s->v->plan->arena, mark);
    return found;
}

/* By short runs it meets its goals under that load. */
static bool carries(flip_search *s, double factor) {
    gp_case changed = demand_at(s, factor);
    changed.out = &s->v->plan->copies->varied.out;
    return is_way(s, &changed) && gp_confirm_carries(&changed, true);
}

/* A flip of the closed form, put where the replicas of the side of the smaller load stop carrying
 * it. False where they do so nowhere in reach. */
static bool simulate_flip(flip_search *s, bool up, gp_scale to, double *factor) {
    const double least = up ? 1 : 1 / reach;
    const double most = up ? reach : 1;
    double low = gp_num_max(*factor / lasting, least);
    double high = gp_num_min(*factor * lasting, most);
    if (!choose_at(s, low, up ? s->today->scale : to))
        return true;
    const bool holds = carries(s, low);
    bool found = holds && !carries(s, high);
    for (int i = 0; i < STRIDES && holds && !found && high < most; i++) {
        low = high;
        high = gp_num_min(high * stride, most);
        found = !carries(s, high);
    }
    for (int i = 0; i < STRIDES && !holds && !found && low > least; i++) {
        high = low;
        low = gp_num_max(low / stride, least);
        found = carries(s, low);
    }
    for (int i = 0; i < HALVINGS && found; i++) {
        const double middle = 0.5 * (low + high);
        *(carries(s, middle) ? &low : &high) = middle;
    }
    *factor = up ? high : low;
    return found;
}

/* In the order in which they set the deadline. */
static variable training_variable(const gp_workload *w) {
    const gp_goal *goal = &w->goal;
    const variable options[] = {
        {.path = "goal.completeWithin",
         .name = "deadline",
         .today = goal->complete_within_s,
         .dim = GP_DIM_TIME,
         .most = goal->every_s},
        {.path = "goal.maxDuration",
         .name = "deadline",
         .today = goal->max_duration_s,
         .dim = GP_DIM_TIME,
         .most = goal->every_s},
        {.path = "goal.throughput",
         .name = "throughput",
         .today = goal->throughput_tokens_per_s,
         .dim = GP_DIM_PER_S,
         .inverse = true},
        {.path = "goal.every",
         .name = "period",
         .today = goal->every_s,
         .dim = GP_DIM_TIME,
         .recurs = w->jobs.per_week <= 0},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].today > 0)
            return options[i];
    return (variable){0};
}

static variable rate_of(const char *path, size_t at, double today, double least, bool of_mean) {
    return (variable){.name = "requestRate",
                      .path = path,
                      .at = at,
                      .today = today,
                      .dim = GP_DIM_PER_S,
                      .least = least,
                      .of_mean = of_mean};
}

static bool counts_people(const gp_workload *w) {
    return w->type == GP_WORKLOAD_SEATS &&
           GP_ORIGIN_OF(&w->seats, gp_seats, at_once)->kind == GP_ORIGIN_DERIVED;
}

/* The fewest people who have more than so many seats open. */
static int64_t people_beyond(const gp_seats *s, int64_t seats) {
    int64_t least = 1;
    int64_t most = seats + 1;
    while (gp_num_binomial_quantile(most, s->present_fraction, s->found_fraction) <= seats)
        most *= 2;
    while (least < most) {
        const int64_t middle = least + (most - least) / 2;
        if (gp_num_binomial_quantile(middle, s->present_fraction, s->found_fraction) > seats)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

/* Whole seats, or the people who need them, from which on the verdict is another. */
static double whole_seats(const gp_workload *w, double at, bool upward) {
    const int64_t seats = (int64_t)(upward ? ceil(at) : floor(at));
    if (!counts_people(w))
        return (double)seats;
    return (double)(people_beyond(&w->seats, upward ? seats - 1 : seats) - (upward ? 0 : 1));
}

static variable serving_variable(const gp_workload *w) {
    const gp_distribution *d = &w->traffic.requests_per_s;
    const double middle = gp_num_max(d->mean, d->p50);
    const double p95 = gp_num_max(d->p95, middle);
    const double p99 = gp_num_max(d->p99, p95);
    const bool counted = counts_people(w);
    if (w->type == GP_WORKLOAD_SEATS)
        return (variable){.name = "seats",
                          .path = counted ? "seats.people" : "seats.atOnce",
                          .today = (double)w->seats.at_once,
                          .dim = GP_DIM_COUNT,
                          .of_mean = true};
    const variable options[] = {
        rate_of("traffic.requestsPerSecond.peak",
                offsetof(gp_workload, traffic.requests_per_s.peak), d->peak, p99, false),
        rate_of("traffic.requestsPerSecond.p99", offsetof(gp_workload, traffic.requests_per_s.p99),
                d->p99, p95, false),
        rate_of("traffic.requestsPerSecond.p95", offsetof(gp_workload, traffic.requests_per_s.p95),
                d->p95, middle, false),
        rate_of("traffic.requestsPerSecond.mean",
                offsetof(gp_workload, traffic.requests_per_s.mean), d->mean, 0, true),
        rate_of("traffic.requestsPerSecond.p50", offsetof(gp_workload, traffic.requests_per_s.p50),
                d->p50, 0, true),
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

static bool is_simulated(const gp_plan_context *plan, const gp_case *c) {
    return c->out->confirmation.present && plan->case_count <= GP_PLAN_AGAIN_MAX;
}

/* How far the verdict was looked for. */
static const char *same_words(const flip_side *up, const flip_side *down) {
    static const char *const words[2][2] = {
        {"the verdict stays the same from a sixteenth to 16 times today's value",
         "the verdict stays the same from a sixteenth of today's value to the highest that the "
         "spec allows"},
        {"the verdict stays the same from the lowest value that the spec allows to 16 times "
         "today's",
         "the verdict stays the same for every value that the spec allows"}};
    return words[down->bound][up->bound];
}

/* Why nothing being bought for a workload says nothing of what is bought in all; NULL: it does. */
static const char *hollow_words(const gp_case *c, bool upward) {
    const bool asks_more = (c->out->is_serving && !c->offline) == upward;
    if (asks_more)
        return "none but that machines would be bought for another workload";
    return c->plan->case_count > GP_PLAN_AGAIN_MAX
               ? "none that holds wherever the other workloads are placed"
               : NULL;
}

void gp_flip_of(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict,
                gp_flip *ret_flip) {
    const gp_case *c = &verdicts->plan->cases[i];
    *ret_flip = (gp_flip){.reason = "searched only for the 64 largest workloads of a plan"};
    if (!is_searched(verdicts, i))
        return;
    const variable v = c->out->is_serving && !c->offline ? serving_variable(c->workload)
                                                         : training_variable(c->workload);
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
    ret_flip->reason = up.open || down.open
                           ? "it depends on where the other workloads would be placed"
                       : up.brief || down.brief
                           ? "the verdict changes a second time within 2 % of the first change"
                           : same_words(&up, &down);
    if (up.at <= 0 && down.at <= 0)
        return;
    const bool upward = distance(up.at) <= distance(down.at);
    double factor = upward ? up.at : down.at;
    const gp_scale to = upward ? up.to : down.to;
    const char *hollow = to == GP_SCALE_NONE ? hollow_words(c, upward) : NULL;
    if (hollow != NULL) {
        ret_flip->reason = hollow;
        return;
    }
    if (is_simulated(verdicts->plan, c) && !simulate_flip(&s, upward, to, &factor)) {
        ret_flip->reason = "none that a simulation confirms; the formula alone shows one";
        return;
    }
    const double at = v.inverse ? v.today / factor : v.today * factor;
    *ret_flip = (gp_flip){
        .present = true,
        .variable = v.name,
        .path = gp_arena_printf(c->plan->arena, "workloads.%s.%s", c->workload->name, v.path),
        .today = counts_people(c->workload) ? (double)c->workload->seats.people : v.today,
        .at = v.dim == GP_DIM_COUNT ? whole_seats(c->workload, at, upward) : at,
        .dim = v.dim,
        .to_scale = to,
        .field = v.at,
        .inside_band = distance(factor) <= 1 + verdict->chosen.error_fraction,
    };
}
