/*
 * How far demands go on the machines of a row: the workloads are placed with more and more asked of
 * them, all at once or one beside the others, until they find no place; the step between is
 * bisected. What a machine can do does not hang on demand, so a trial costs no search of layouts.
 * Percentiles are simulated at the end, as a plan does, and what loses by that is searched again.
 */
#include "plan/capacity.h"

#include <math.h>

#include "base/num.h"

enum {
    DOUBLINGS = 16,
    NEXT_DOUBLINGS = 4, /* what binds beyond 16 times as much is far off */
    HALVINGS = 10,
    BISECTIONS = 8,
    CONFIRM_ROUNDS = 8,
    WAYS_MOST = 2000,
    EVERYTHING = 0xffff /* every limit lifted */
};

/* One question: which workload, and what of it. */
typedef struct asking {
    gp_fill *fill;
    size_t index; /* case_count: all of them */
    gp_capacity_measure measure;
    int64_t missing; /* others that find no place even without it */
} asking;

/* ------------------------------------------------------------ what is asked */

/* The case as the spec has it, on a workload that may be changed. */
static void as_asked(gp_fill *fill, size_t i) {
    gp_case *c = &fill->plan->cases[i];
    *c = fill->asked[i];
    fill->workloads[i] = *c->workload;
    c->workload = &fill->workloads[i];
    c->out->workload = c->workload;
    c->out->traffic = fill->rates[i];
    c->out->demand_requests_per_s = c->demand.requests_per_s;
}

/* A service by its rate, jobs of the week by their number, a run by its size. */
static void multiply(gp_fill *fill, size_t i, double factor) {
    gp_case *c = &fill->plan->cases[i];
    gp_workload *workload = &fill->workloads[i];
    gp_workload_plan *out = c->out;
    if (!out->is_serving && workload->jobs.per_week <= 0) {
        c->run.steps *= factor;
        return;
    }
    workload->jobs.per_week *= factor;
    c->slots_per_week *= factor;
    workload->traffic.requests *= factor;
    c->demand.requests_per_s *= factor;
    out->demand_requests_per_s *= factor;
    out->traffic.mean_per_s *= factor;
    out->traffic.peak_per_s *= factor;
}

static void run_beside(gp_fill *fill, size_t i, double runs) {
    fill->workloads[i].jobs.concurrent = gp_num_floor_count(runs);
    fill->plan->cases[i].slots_min = gp_num_floor_count(runs);
}

static gp_capacity_measure measure_of(const gp_case *c) {
    if (c->out->is_serving)
        return c->offline         ? GP_CAPACITY_REQUESTS
               : c->out->is_seats ? GP_CAPACITY_SEATS
                                  : GP_CAPACITY_RATE;
    return c->workload->jobs.per_week > 0 ? GP_CAPACITY_WEEKLY : GP_CAPACITY_RUNS;
}

/* In the measure's own unit: what the spec asks for; 0: it does not say. */
static double today_of(const gp_fill *fill, size_t i, gp_capacity_measure measure) {
    const gp_case *c = &fill->asked[i];
    const double values[GP_CAPACITY_MEASURES] = {
        [GP_CAPACITY_FACTOR] = 1,
        [GP_CAPACITY_RATE] =
            fill->rates[i].mean_per_s > 0 ? fill->rates[i].mean_per_s : c->demand.requests_per_s,
        [GP_CAPACITY_REQUESTS] = c->workload->traffic.requests,
        [GP_CAPACITY_SEATS] = c->demand.requests_per_s,
        [GP_CAPACITY_WEEKLY] = c->workload->jobs.per_week,
        [GP_CAPACITY_RUNS] = (double)gp_num_max_i64(1, c->workload->jobs.concurrent),
    };
    return values[measure];
}

/* ------------------------------------------------------------ one trial */

static int64_t missing_of(const gp_fill *fill, size_t but) {
    int64_t missing = 0;
    for (size_t i = 0; i < fill->plan->case_count; i++)
        missing += i != but && fill->at.picks[i] < 0 ? 1 : 0;
    return missing;
}

/* So few ways to choose that all of them may be looked at. */
static bool is_small(const gp_plan_context *plan) {
    double ways = 1;
    for (size_t i = 0; i < plan->case_count; i++)
        ways *= (double)plan->ways[i].count + 1;
    return plan->case_count > 1 && ways <= WAYS_MOST;
}

static bool choose(const asking *ask, bool quick) {
    gp_fill *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    for (size_t i = 0; i < plan->case_count; i++)
        fill->at.picks[i] = GP_UNPLACED;
    fill->at.quick = quick;
    gp_allocate(plan, &fill->inventory, &fill->at);
    const bool there = ask->index == plan->case_count || fill->at.picks[ask->index] >= 0;
    return there && missing_of(fill, ask->index) <= ask->missing &&
           gp_fill_passed(fill) == GP_CAPACITY_NO_LIMIT;
}

/* So much of it holds, beside the others. */
static bool place(const asking *ask, double amount) {
    gp_fill *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    for (size_t i = 0; i < plan->case_count; i++) {
        as_asked(fill, i);
        if (ask->index == i && ask->measure == GP_CAPACITY_RUNS)
            run_beside(fill, i, amount);
        else if (ask->index == i || ask->index == plan->case_count)
            multiply(fill, i, amount);
        gp_options_of(&plan->cases[i], &fill->inventory, &plan->ways[i]);
    }
    for (int limit = 0; limit < GP_LIMIT_COUNT; limit++)
        fill->lifted_limits[limit] = (fill->lifted >> limit & 1) != 0;
    fill->inventory.lifted = fill->lifted_limits;
    return choose(ask, true) || (is_small(plan) && choose(ask, false));
}

/* The others by themselves. */
static void place_others(asking *ask) {
    gp_fill *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    for (size_t i = 0; i < plan->case_count; i++) {
        as_asked(fill, i);
        fill->at.picks[i] = GP_UNPLACED;
        plan->ways[i] = (gp_options){0};
        if (i != ask->index)
            gp_options_of(&plan->cases[i], &fill->inventory, &plan->ways[i]);
    }
    gp_allocate(plan, &fill->inventory, &fill->at);
    ask->missing = missing_of(fill, ask->index);
}

/* ------------------------------------------------------------ the most */

/* The largest amount that is known to hold, and one just above it that does not. */
typedef struct edge {
    double holds, fails; /* fails HUGE_VAL: everything holds */
} edge;

/* Up from an amount that holds; HUGE_VAL where so many doublings still do. */
static edge go_up(const asking *ask, double from, int doublings) {
    edge at = {.holds = from, .fails = from};
    for (int i = 0; i < doublings; i++) {
        at.holds = at.fails;
        at.fails *= 2;
        if (!place(ask, at.fails))
            return at;
    }
    return (edge){.holds = HUGE_VAL, .fails = HUGE_VAL};
}

/* Down from 1, which does not hold; a run has no parts. */
static edge go_down(const asking *ask) {
    edge at = {.fails = 1};
    for (int i = 0; i < HALVINGS && ask->measure != GP_CAPACITY_RUNS; i++) {
        if (place(ask, at.fails / 2))
            return (edge){.holds = at.fails / 2, .fails = at.fails};
        at.fails /= 2;
    }
    return at;
}

static void narrow(const asking *ask, edge *at) {
    const bool whole = ask->measure == GP_CAPACITY_RUNS;
    if (!(at->holds > 0) || !isfinite(at->holds))
        return;
    for (int i = 0; (whole ? at->fails - at->holds > 1 : i < BISECTIONS); i++) {
        const double half = 0.5 * (at->holds + at->fails);
        const double middle = whole ? (double)gp_num_floor_count(half) : half;
        *(place(ask, middle) ? &at->holds : &at->fails) = middle;
    }
}

static edge most_of(const asking *ask) {
    edge at = place(ask, 1) ? go_up(ask, 1, DOUBLINGS) : go_down(ask);
    narrow(ask, &at);
    return at;
}

/* ------------------------------------------------------------ what binds */

/* The one limit without which the amount would hold, else the one that is passed by most; false
 * where it does not hold without any. */
static bool limit_at(const asking *ask, double amount, int *ret_limit) {
    gp_fill *fill = ask->fill;
    const uint32_t lifted = fill->lifted;
    bool ok = false;
    *ret_limit = GP_CAPACITY_NO_LIMIT;
    for (int i = 0; i < GP_CAPACITY_LIMITS && !ok; i++) {
        if ((lifted >> i & 1) != 0 || !(gp_fill_bound(fill, i).limit < HUGE_VAL))
            continue;
        fill->lifted = lifted | (uint32_t)1 << i;
        ok = place(ask, amount);
        *ret_limit = ok ? i : GP_CAPACITY_NO_LIMIT;
    }
    fill->lifted = EVERYTHING;
    ok = ok || place(ask, amount);
    fill->lifted = lifted;
    if (ok && *ret_limit == GP_CAPACITY_NO_LIMIT)
        *ret_limit = gp_fill_passed(fill);
    return ok;
}

/* What a workload that no number of machines would help lacks, by the trial before. */
static gp_capacity_bound lacking(const asking *ask) {
    const gp_plan_context *plan = ask->fill->plan;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *nearest = plan->ways[i].nearest;
        const bool asked = ask->index == i || ask->index == plan->case_count;
        if (asked && plan->ways[i].count == 0 && nearest != NULL)
            return (gp_capacity_bound){.bound = nearest->lack.bound,
                                       .workload = plan->cases[i].workload->name};
    }
    return (gp_capacity_bound){.bound = GP_BOUND_SUPPLY};
}

/* Where no limit of the site is in the way: machines, or that no number of them would do. */
static gp_capacity_bound supply_of(const asking *ask) {
    const gp_fill *fill = ask->fill;
    const gp_capacity_bound lack = lacking(ask);
    double machines = 0;
    if (lack.bound != GP_BOUND_SUPPLY)
        return lack;
    if (fill->inventory.may_buy)
        return (gp_capacity_bound){.bound = GP_BOUND_SUPPLY,
                                   .path = "candidates.limits.maxNodes",
                                   .limit = (double)fill->spec.candidates.limits.max_nodes,
                                   .dim = GP_DIM_COUNT};
    for (size_t u = 0; u < fill->plan->unit_count; u++)
        machines += (double)fill->inventory.owned[u];
    return (gp_capacity_bound){
        .bound = GP_BOUND_SUPPLY, .path = "cluster.pools", .limit = machines, .dim = GP_DIM_COUNT};
}

static gp_capacity_bound bound_at(const asking *ask, double amount, int *ret_limit) {
    return limit_at(ask, amount, ret_limit) ? gp_fill_bound(ask->fill, *ret_limit)
                                            : supply_of(ask);
}

/* ------------------------------------------------------------ simulation */

/* Percentiles at the amount that was found; where they ask for more replicas, a smaller one, which
 * nobody has simulated where the rounds are used up. */
static gp_status confirm(const asking *ask, edge *at, bool *ret_simulated) {
    gp_fill *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    gp_status st = GP_OK;
    bool raised = true;
    *ret_simulated = false;
    for (int round = 0; st == GP_OK && raised && round < CONFIRM_ROUNDS; round++) {
        if (round > 0)
            *at = most_of(ask);
        if (!(at->holds > 0) || !isfinite(at->holds))
            return st;
        (void)place(ask, at->holds);
        for (size_t i = 0; i < plan->case_count && st == GP_OK; i++) {
            plan->cases[i].out->chosen =
                fill->at.chosen[i] != NULL ? *fill->at.chosen[i] : (gp_candidate){0};
            plan->cases[i].out->confirmation = (gp_confirmation){.present = false};
        }
        st = gp_confirm_choices(plan, round == 0, &raised);
    }
    for (size_t i = 0; i < plan->case_count; i++)
        *ret_simulated = *ret_simulated || plan->cases[i].out->confirmation.present;
    *ret_simulated = *ret_simulated && !raised;
    if (st == GP_OK && raised)
        *at = most_of(ask);
    return st;
}

/* ------------------------------------------------------------ the answers */

/* The same without the limit that binds. */
static void set_next(const asking *ask, int limit, double holds, double unit,
                     gp_capacity_demand *ret) {
    gp_fill *fill = ask->fill;
    int other = GP_CAPACITY_NO_LIMIT;
    if (limit == GP_CAPACITY_NO_LIMIT)
        return;
    fill->lifted = (uint32_t)1 << limit;
    edge next = holds > 0 ? go_up(ask, holds, NEXT_DOUBLINGS) : most_of(ask);
    narrow(ask, &next);
    if (isfinite(next.fails)) {
        ret->next_most = next.holds * unit;
        ret->next = bound_at(ask, next.fails, &other);
    }
    fill->lifted = 0;
}

static gp_status answer(const asking *ask, double today, gp_capacity_demand *ret) {
    gp_fill *fill = ask->fill;
    const double unit = ask->measure == GP_CAPACITY_RUNS ? 1 : today;
    const gp_site_plan *site = &fill->at.usage.site;
    int limit = GP_CAPACITY_NO_LIMIT;
    ret->today = today;
    ret->measure = ask->measure;
    edge at = most_of(ask);
    gp_status st = confirm(ask, &at, &ret->simulated);
    if (st == GP_OK && isfinite(at.fails)) {
        ret->binds = bound_at(ask, at.fails, &limit);
        set_next(ask, limit, at.holds, unit, ret);
    }
    if (st == GP_OK && at.holds > 0 && isfinite(at.holds)) {
        (void)place(ask, at.holds);
        ret->nodes = site->nodes;
        ret->gpus = site->gpus;
        if (ask->measure == GP_CAPACITY_RATE)
            ret->peak = fill->plan->cases[ask->index].demand.requests_per_s;
    }
    ret->most = at.holds * unit;
    return st;
}

/* Nothing to multiply: no rate, no deadline. */
static bool grows(const gp_case *c) {
    return c->out->is_serving ? c->demand.requests_per_s > 0
                              : c->demand.deadline_s > 0 || c->slots_per_week > 0;
}

/* All together say more than one service does by itself where there are several, or a run that
 * grows in size instead of in number. */
static bool asks_for_all(const gp_fill *fill) {
    const size_t count = fill->plan->case_count;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || grows(&fill->asked[i]);
    return any && (count > 1 || measure_of(&fill->asked[0]) == GP_CAPACITY_RUNS);
}

gp_status gp_fill_demands(gp_fill *fill, gp_capacity_row *row) {
    gp_plan_context *plan = fill->plan;
    const size_t count = plan->case_count;
    gp_status st = GP_OK;
    row->demands.items = GP_NEW_ARRAY(plan->arena, gp_capacity_demand, count + 1);
    if (asks_for_all(fill)) {
        const asking all = {.fill = fill, .index = count, .measure = GP_CAPACITY_FACTOR};
        st = answer(&all, 1, &row->demands.items[row->demands.count++]);
    }
    for (size_t i = 0; i < count && st == GP_OK; i++) {
        const gp_case *c = &fill->asked[i];
        gp_capacity_demand *demand = &row->demands.items[row->demands.count++];
        asking one = {.fill = fill, .index = i, .measure = measure_of(c)};
        demand->workload = c->workload;
        demand->measure = one.measure;
        if (count > 1)
            place_others(&one);
        if (!c->out->is_serving || grows(c))
            st = answer(&one, today_of(fill, i, one.measure), demand);
    }
    for (size_t i = 0; i < count; i++)
        as_asked(fill, i);
    return st;
}
