/*
 * What a site holds: as many machines of each kind as power, cooling, racks and money allow beside
 * what stands there, and how far the demands of its workloads go on them, each with the limit that
 * binds and the one behind it. More and more is tried until it finds no place; the step between is
 * bisected. Every trial is a ledger with its usage, so that what fits here is what a plan may take.
 * Machines alone get a compute fabric over all of them; what workloads run on takes the fabric that
 * they need. What a machine can do does not hang on demand, so a trial costs no search of layouts.
 * Of few workloads plans are made at the end, from what trials found up or down, so that `size` of
 * what is told is that plan.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

/* Limits beyond those of a plan: on all GPUs, and on the machines that may be bought. */
enum { LIMIT_GPUS = GP_LIMIT_COUNT, LIMIT_MACHINES, LIMITS, NO_LIMIT = -1 };
enum {
    DOUBLINGS = 16,
    NEXT_DOUBLINGS = 4, /* what binds beyond 16 times as much of a demand is far off */
    HALVINGS = 10,
    BISECTIONS = 8,
    MOVES = 7, /* from what trials found to what plans hold, each twice as far as the one before */
    WAYS_MOST = 2000,
    TRIED_BYTES = 256 << 20,
    EVERYTHING = 0xffff /* every limit lifted */
};
static const double first_move = 1.04;
static const double close_by = 1.041; /* two plans, between which nobody looks further */

/* A site while it is filled: with machines of one kind, or by demands that are run on them. */
typedef struct filling {
    gp_plan_context *plan;
    gp_plan_spec spec;                  /* of the plan, whose limit on machines may be lifted */
    size_t unit;                        /* that may be bought; unit_count: none */
    int64_t most_gpus;                  /* 0: any */
    uint32_t lifted;                    /* a bit for each limit */
    bool lifted_limits[GP_LIMIT_COUNT]; /* the same of those of a plan */
    gp_inventory inventory;
    gp_allocation at, today; /* with what is added, and without */
    gp_case *asked;   /* as the spec has them */
    bool *left_out;   /* by case: finds no place on the machines of the row */
    gp_arena *beside; /* of the plans that are made */
} filling;

/* One question: which workload, and what of it. */
typedef struct asking {
    filling *fill;
    size_t index; /* case_count: all of them */
    gp_capacity_measure measure;
} asking;

/* ------------------------------------------------------------ limits */

static double limit_of(const filling *fill, int limit) {
    const gp_candidate_limits *machines = &fill->spec.candidates.limits;
    if (limit == LIMIT_GPUS)
        return fill->most_gpus > 0 ? (double)fill->most_gpus : HUGE_VAL;
    if (limit == LIMIT_MACHINES) {
        const int kind = (int)GP_ORIGIN_OF(machines, gp_candidate_limits, max_nodes)->kind;
        const bool stated = kind == (int)GP_ORIGIN_SPEC || kind == (int)GP_ORIGIN_FLAG;
        return stated ? (double)machines->max_nodes : HUGE_VAL;
    }
    return fill->plan->limits[limit];
}

static double used_of(const filling *fill, int limit) {
    const gp_plan_context *plan = fill->plan;
    double gpus = 0;
    if (limit < GP_LIMIT_COUNT)
        return gp_usage_limited(&fill->at.usage, limit);
    double machines = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &fill->at.ledger.kinds[u];
        const int64_t nodes = plan->units[u].cloud != NULL ? kind->nodes : kind->stand;
        gpus += (double)(nodes * plan->units[u].machine.gpus);
        machines += (double)kind->bought;
    }
    return limit == LIMIT_GPUS ? gpus : machines;
}

static bool is_limited(const filling *fill) {
    for (int i = 0; i < LIMITS; i++)
        if (isfinite(limit_of(fill, i)))
            return true;
    return false;
}

/* The limit that the last usage passes by the largest factor, those lifted aside. */
static int passed_most(const filling *fill) {
    int worst = NO_LIMIT;
    double most = 1;
    for (int i = 0; i < LIMITS; i++) {
        const double limit = limit_of(fill, i);
        const double used = used_of(fill, i);
        if ((fill->lifted >> i & 1) != 0 || !(used > limit) || gp_num_near(used, limit))
            continue;
        const double over = limit > 0 ? used / limit : HUGE_VAL;
        if (worst != NO_LIMIT && over <= most)
            continue;
        worst = i;
        most = over;
    }
    return worst;
}

/* What a limit is about, for the report. */
static gp_capacity_bound bound_of(const filling *fill, int limit) {
    static const gp_limit_row more[] = {
        {GP_BOUND_SUPPLY, GP_DIM_COUNT, NULL},
        {GP_BOUND_SUPPLY, GP_DIM_COUNT, "candidates.limits.maxNodes"},
    };
    if (limit == NO_LIMIT)
        return (gp_capacity_bound){.bound = GP_BOUND_NONE};
    const gp_limit_row *row =
        limit < GP_LIMIT_COUNT ? &gp_limit_rows[limit] : &more[limit - GP_LIMIT_COUNT];
    return (gp_capacity_bound){
        .bound = row->bound, .path = row->path, .limit = limit_of(fill, limit), .dim = row->dim};
}

/* ------------------------------------------------------------ machines alone */

/* Machines are bought in multiples of it. */
static int64_t step_of(const filling *fill) {
    return gp_num_max_i64(1, fill->plan->step);
}

/* What stands, and so many steps of machines of the kind at work, all on one fabric. */
static void stand_with(filling *fill, int64_t steps) {
    gp_plan_context *plan = fill->plan;
    gp_allocation *at = &fill->at;
    const int64_t added = steps * step_of(fill);
    for (size_t i = 0; i < plan->case_count; i++)
        at->chosen[i] = NULL;
    gp_ledger_of(plan, &plan->inventory, at->chosen, &at->ledger);
    if (fill->unit < plan->unit_count) {
        const gp_unit *unit = &plan->units[fill->unit];
        gp_kind_hold *kind = &at->ledger.kinds[fill->unit];
        gp_node_power power;
        gp_node_power_of(&unit->machine, GP_LOAD_TRAINING, 0, plan->constants, NULL, &power);
        kind->bought = added;
        kind->nodes += added;
        kind->stand += added;
        kind->gpus += added * unit->machine.gpus;
        kind->fabric_nodes = kind->stand;
        kind->mean_w += power.node_w * (double)added;
        kind->year_w += power.node_w * (double)added;
    }
    gp_usage_of(plan, &at->ledger, false, &at->usage);
}

/* ------------------------------------------------------------ what is asked */

/* So many times of what the spec asks of a workload; of a run, so many beside each other. */
static gp_plan_more more_of(const asking *ask, size_t i, double amount) {
    const bool all = ask->index == ask->fill->plan->case_count;
    const bool runs = ask->measure == GP_CAPACITY_RUNS;
    return (gp_plan_more){
        .times = ask->fill->left_out[i]              ? 0
                 : (ask->index == i && !runs) || all ? amount
                                                     : 1,
        .runs = ask->index == i && runs ? gp_num_floor_count(amount) : 0,
    };
}

static void ask_for(const asking *ask, size_t i, double amount) {
    gp_case *c = &ask->fill->plan->cases[i];
    const gp_plan_more more = more_of(ask, i, amount);
    *c = ask->fill->asked[i];
    gp_case_ask(c, &more);
}

static gp_capacity_measure measure_of(const gp_case *c) {
    if (c->out->is_serving)
        return c->offline         ? GP_CAPACITY_REQUESTS
               : c->out->is_seats ? GP_CAPACITY_SEATS
                                  : GP_CAPACITY_RATE;
    return c->workload->jobs.per_week > 0 ? GP_CAPACITY_WEEKLY : GP_CAPACITY_RUNS;
}

/* In the measure's own unit: what the spec asks for; 0: it does not say. */
static double today_of(const filling *fill, size_t i, gp_capacity_measure measure) {
    const gp_case *c = &fill->asked[i];
    const double values[GP_CAPACITY_MEASURES] = {
        [GP_CAPACITY_FACTOR] = 1,
        [GP_CAPACITY_RATE] =
            c->out->traffic.mean_per_s > 0 ? c->out->traffic.mean_per_s : c->demand.requests_per_s,
        [GP_CAPACITY_REQUESTS] = c->workload->traffic.requests,
        [GP_CAPACITY_SEATS] = c->demand.requests_per_s,
        [GP_CAPACITY_WEEKLY] = c->workload->jobs.per_week,
        [GP_CAPACITY_RUNS] = (double)gp_num_max_i64(1, c->workload->jobs.concurrent),
    };
    return values[measure];
}

/* ------------------------------------------------------------ one trial */

static bool has_place(const filling *fill, size_t i) {
    return fill->at.picks[i] >= 0 || fill->plan->cases[i].is_left_out;
}

/* So few ways to choose that all of them may be looked at. */
static bool is_small(const gp_plan_context *plan) {
    double ways = 1;
    for (size_t i = 0; i < plan->case_count; i++)
        ways *= (double)plan->ways[i].count + 1;
    return plan->case_count > 1 && ways <= WAYS_MOST;
}

static bool is_found(const asking *ask) {
    const filling *fill = ask->fill;
    bool all = true;
    for (size_t i = 0; i < fill->plan->case_count; i++)
        all = all && has_place(fill, i);
    return all && passed_most(fill) == NO_LIMIT;
}

static bool choose(const asking *ask, bool quick) {
    filling *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    for (size_t i = 0; i < plan->case_count; i++)
        fill->at.picks[i] = GP_UNPLACED;
    fill->at.quick = quick;
    gp_allocate(plan, &fill->inventory, &fill->at);
    return is_found(ask);
}

/* Services that find no place in one piece may be shared out over kinds of machines. */
static bool share_out(const asking *ask) {
    gp_plan_context *plan = ask->fill->plan;
    if (plan->case_count > GP_PLAN_AGAIN_MAX)
        return false;
    gp_spread_services(plan, &ask->fill->inventory, &ask->fill->at);
    return is_found(ask);
}

/* Options that a workload's own scaling rules out are none, whatever it asks for. */
static void keep_allowed(filling *fill) {
    gp_plan_context *plan = fill->plan;
    gp_inventory narrow = fill->inventory;
    bool any = false;
    for (size_t i = 0; i < plan->case_count; i++) {
        fill->today.picks[i] = GP_UNPLACED;
        fill->today.chosen[i] = NULL;
        any = any || plan->cases[i].workload->scaling.allow.count == 1;
    }
    if (!any)
        return;
    narrow.may_buy = false;
    if (gp_plan_has_pools(plan))
        gp_allocate(plan, &narrow, &fill->today);
    gp_choice_keep_allowed(plan, &narrow, &fill->today);
}

/* So much of it holds, beside the others. */
static bool place(const asking *ask, double amount) {
    filling *fill = ask->fill;
    gp_plan_context *plan = fill->plan;
    if (ask->measure == GP_CAPACITY_MACHINES) {
        stand_with(fill, (int64_t)amount);
        return passed_most(fill) == NO_LIMIT;
    }
    for (size_t i = 0; i < plan->case_count; i++) {
        ask_for(ask, i, amount);
        gp_options_of(&plan->cases[i], &fill->inventory, &plan->ways[i]);
    }
    keep_allowed(fill);
    for (int limit = 0; limit < GP_LIMIT_COUNT; limit++)
        fill->lifted_limits[limit] = (fill->lifted >> limit & 1) != 0;
    fill->inventory.lifted = fill->lifted_limits;
    return choose(ask, true) || (is_small(plan) && choose(ask, false)) || share_out(ask);
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

/* Runs and machines have no parts. */
static bool is_whole(const asking *ask) {
    return ask->measure == GP_CAPACITY_RUNS || ask->measure == GP_CAPACITY_MACHINES;
}

/* Down from 1, which does not hold. */
static edge go_down(const asking *ask) {
    edge at = {.fails = 1};
    for (int i = 0; i < HALVINGS && !is_whole(ask); i++) {
        if (place(ask, at.fails / 2))
            return (edge){.holds = at.fails / 2, .fails = at.fails};
        at.fails /= 2;
    }
    return at;
}

static void narrow(const asking *ask, edge *at) {
    const bool whole = is_whole(ask);
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
    filling *fill = ask->fill;
    const uint32_t lifted = fill->lifted;
    bool ok = false;
    *ret_limit = NO_LIMIT;
    for (int i = 0; i < LIMITS && !ok; i++) {
        if ((lifted >> i & 1) != 0 || !(bound_of(fill, i).limit < HUGE_VAL))
            continue;
        fill->lifted = lifted | (uint32_t)1 << i;
        ok = place(ask, amount);
        *ret_limit = ok ? i : NO_LIMIT;
    }
    fill->lifted = EVERYTHING;
    ok = ok || place(ask, amount);
    fill->lifted = lifted;
    if (ok && *ret_limit == NO_LIMIT)
        *ret_limit = passed_most(fill);
    return ok;
}

/* What a workload that no number of machines would help lacks, by the trial before. */
static gp_capacity_bound lacking(const asking *ask) {
    const gp_plan_context *plan = ask->fill->plan;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *nearest = plan->ways[i].nearest;
        const bool asked = ask->index == i || ask->index == plan->case_count;
        if (asked && plan->ways[i].count == 0 && nearest != NULL)
            return (gp_capacity_bound){
                .bound = nearest->lack.bound,
                .path = nearest->lack.path,
                .limit = nearest->lack.have,
                .dim = nearest->lack.dim,
                .workload = nearest->lack.path == NULL ? plan->cases[i].workload->name : NULL};
    }
    return (gp_capacity_bound){.bound = GP_BOUND_SUPPLY};
}

/* Every workload that is asked for runs on machines that are added, too. */
static bool runs_on_added(const asking *ask) {
    const gp_plan_context *plan = ask->fill->plan;
    bool all = true;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_options *ways = &plan->ways[i];
        bool any = ways->count == 0 && ways->nearest != NULL &&
                   ways->nearest->unit == &plan->units[ask->fill->unit];
        for (size_t k = 0; k < ways->count; k++)
            any = any || ways->items[k].unit == &plan->units[ask->fill->unit];
        all = all && (any || (ask->index != i && ask->index != plan->case_count));
    }
    return all;
}

/* No option is left to one of them that may only scale up, or only out. */
static bool held_back(const asking *ask) {
    const gp_plan_context *plan = ask->fill->plan;
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->ways[i].count == 0 && plan->cases[i].workload->scaling.allow.count == 1 &&
            (ask->index == i || ask->index == plan->case_count))
            return true;
    return false;
}

/* Where no limit of the site is in the way: machines, or that no number of them would do. */
static gp_capacity_bound supply_of(const asking *ask) {
    const filling *fill = ask->fill;
    const gp_capacity_bound lack = lacking(ask);
    double machines = 0;
    if (lack.bound != GP_BOUND_SUPPLY || gp_str_equal(lack.path, "placement.survives"))
        return lack;
    if (held_back(ask))
        return (gp_capacity_bound){.bound = GP_BOUND_SUPPLY,
                                   .path = "workloads[].scaling.allow",
                                   .limit = (double)NAN,
                                   .dim = GP_DIM_COUNT};
    if (fill->inventory.may_buy && runs_on_added(ask))
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
    return limit_at(ask, amount, ret_limit) ? bound_of(ask->fill, *ret_limit) : supply_of(ask);
}

/* ------------------------------------------------------------ as planned */

/* What a plan says of an amount. */
typedef struct planned {
    bool holds, simulated;
    int64_t nodes, gpus;
} planned;

static planned outcome(const asking *ask, const gp_plan_result *result) {
    const int64_t most_gpus = ask->fill->most_gpus;
    planned found = {.nodes = result->site.nodes, .gpus = result->site.gpus};
    bool all = true;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *w = &result->workloads.items[i];
        all = all && (more_of(ask, i, 1).times <= 0 || gp_workload_holds(w));
        found.simulated = found.simulated || w->confirmation.present;
    }
    found.holds = all && !result->over_limits &&
                  (most_gpus == 0 || result->site.there_gpus <= (double)most_gpus);
    return found;
}

/* Made anew with so much of it. */
static gp_status plan_with(const asking *ask, double amount, gp_plan_context *ret) {
    const filling *fill = ask->fill;
    const gp_plan_context *plan = fill->plan;
    gp_plan_options *options = GP_NEW(fill->beside, gp_plan_options);
    gp_plan_more *more = GP_NEW_ARRAY(fill->beside, gp_plan_more, plan->case_count + 1);
    gp_diags diags;
    for (size_t i = 0; i < plan->case_count; i++)
        more[i] = more_of(ask, i, amount);
    *options = *plan->options;
    options->brief = true;
    options->more = more;
    options->owned_only = fill->unit == plan->unit_count;
    options->only = options->owned_only ? NULL : plan->units[fill->unit].id;
    gp_diags_init(&diags, fill->beside);
    return gp_plan_once(fill->beside, plan->catalog, plan->document, plan->prices,
                        plan->price_count, options, &diags, ret);
}

static gp_status plan_at(const asking *ask, double amount, planned *ret) {
    gp_arena *beside = ask->fill->beside;
    const gp_arena_mark mark = gp_arena_set_mark(beside);
    gp_plan_context *tried = GP_NEW(beside, gp_plan_context);
    const gp_status st = plan_with(ask, amount, tried);
    *ret = st == GP_OK ? outcome(ask, tried->result) : (planned){.holds = false};
    gp_arena_release(beside, mark);
    return st;
}

/* The others that find no place even without it. */
static gp_status leave_out(const asking *ask) {
    filling *fill = ask->fill;
    const size_t count = fill->plan->case_count;
    const bool few = count <= GP_PLAN_AGAIN_MAX;
    const gp_arena_mark mark = gp_arena_set_mark(fill->beside);
    gp_plan_context *tried = GP_NEW(fill->beside, gp_plan_context);
    gp_status st = GP_OK;
    fill->left_out[ask->index] = true;
    if (few)
        st = plan_with(ask, 1, tried);
    else
        (void)place(ask, 1);
    for (size_t i = 0; i < count && st == GP_OK; i++)
        fill->left_out[i] =
            i != ask->index &&
            (few ? !gp_workload_holds(&tried->result->workloads.items[i]) : !has_place(fill, i));
    gp_arena_release(fill->beside, mark);
    return st;
}

static bool is_close(const asking *ask, const edge *at) {
    return is_whole(ask) ? at->fails - at->holds <= 1 : at->fails <= at->holds * close_by;
}

/* Whole numbers by addition, others by a factor. */
static double moved(const asking *ask, double at, int move, bool up) {
    const double far = (double)((int64_t)1 << move);
    if (is_whole(ask))
        return up ? at + far : at - far;
    return at * gp_num_pow(first_move, up ? far : -far);
}

/* A plan at `amount` moves one end. */
static gp_status try_amount(const asking *ask, double amount, edge *at, planned *most) {
    planned now;
    const gp_status st = plan_at(ask, amount, &now);
    *(now.holds ? &at->holds : &at->fails) = amount;
    if (now.holds)
        *most = now;
    return st;
}

/* From what trials found on, up while plans hold, or down until one does; then between the two.
 * *ret: the plan of the most that holds; 0 is none. */
static gp_status find_planned(const asking *ask, double from, double *ret_most, planned *ret) {
    edge at = {.holds = 0, .fails = HUGE_VAL};
    double amount = from;
    gp_status st = GP_OK;
    for (int move = 0; st == GP_OK && move <= MOVES && amount > 0; move++) {
        st = try_amount(ask, amount, &at, ret);
        if (at.holds > 0 && isfinite(at.fails))
            break;
        amount = moved(ask, amount, move, at.holds > 0);
    }
    while (st == GP_OK && at.holds > 0 && isfinite(at.fails) && !is_close(ask, &at)) {
        amount = is_whole(ask) ? floor(0.5 * (at.holds + at.fails)) : sqrt(at.holds * at.fails);
        st = try_amount(ask, amount, &at, ret);
    }
    *ret_most = at.holds;
    return st;
}

/* ------------------------------------------------------------ the answers */

/* What binds, and the same without that limit. */
static void set_bounds(const asking *ask, const edge *at, double unit, gp_capacity_demand *ret) {
    filling *fill = ask->fill;
    int limit = NO_LIMIT;
    int other = NO_LIMIT;
    if (!isfinite(at->fails))
        return;
    ret->binds = bound_at(ask, at->fails, &limit);
    if (limit == NO_LIMIT)
        return;
    const int doublings = ask->measure == GP_CAPACITY_MACHINES ? DOUBLINGS : NEXT_DOUBLINGS;
    fill->lifted = (uint32_t)1 << limit;
    edge next = at->holds > 0 ? go_up(ask, at->holds, doublings) : most_of(ask);
    narrow(ask, &next);
    if (isfinite(next.fails)) {
        ret->next_most = next.holds * unit;
        ret->next = bound_at(ask, next.fails, &other);
    }
    fill->lifted = 0;
}

/* What trials found; what lies beyond is that much more of what plans hold. */
static void tell(const asking *ask, const edge *at, gp_capacity_demand *ret) {
    filling *fill = ask->fill;
    const gp_site_plan *site = &fill->at.usage.site;
    set_bounds(ask, at, is_whole(ask) ? 1 : ret->today, ret);
    ret->most = at->holds * (is_whole(ask) ? 1 : ret->today);
    if (!(at->holds > 0) || !isfinite(at->holds))
        return;
    (void)place(ask, at->holds);
    ret->nodes = site->nodes;
    ret->gpus = site->gpus;
}

static gp_status tell_planned(const asking *ask, const edge *at, gp_capacity_demand *ret) {
    planned found = {.holds = false};
    double most = 0;
    if (!isfinite(at->holds))
        return GP_OK;
    const gp_status st = find_planned(ask, at->holds > 0 ? at->holds : 1, &most, &found);
    if (st != GP_OK)
        return st;
    if (!is_whole(ask) && at->holds > 0)
        ret->next_most *= most / at->holds;
    ret->most = most * (is_whole(ask) ? 1 : ret->today);
    ret->next_most = gp_num_max(ret->next_most, ret->next.bound != GP_BOUND_NONE ? ret->most : 0);
    ret->nodes = found.nodes;
    ret->gpus = found.gpus;
    ret->simulated = found.simulated;
    return GP_OK;
}

static gp_status answer(const asking *ask, double today, gp_capacity_demand *ret) {
    const gp_case *asked = &ask->fill->asked[ask->index];
    const edge at = most_of(ask);
    gp_status st = GP_OK;
    ret->today = today;
    ret->measure = ask->measure;
    tell(ask, &at, ret);
    if (ask->fill->plan->case_count <= GP_PLAN_AGAIN_MAX)
        st = tell_planned(ask, &at, ret);
    if (ask->measure == GP_CAPACITY_RATE && isfinite(ret->most) && today > 0)
        ret->peak = asked->demand.requests_per_s * ret->most / today;
    return st;
}

/* Nothing to multiply: no rate, no deadline. */
static bool grows(const gp_case *c) {
    return c->out->is_serving ? c->demand.requests_per_s > 0
                              : c->demand.deadline_s > 0 || c->slots_per_week > 0;
}

/* All together say more than one service does by itself where there are several, or a run that
 * grows in size instead of in number. */
static bool asks_for_all(const filling *fill) {
    const size_t count = fill->plan->case_count;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || grows(&fill->asked[i]);
    return any && (count > 1 || measure_of(&fill->asked[0]) == GP_CAPACITY_RUNS);
}

static gp_status fill_demands(filling *fill, gp_capacity_row *row) {
    gp_plan_context *plan = fill->plan;
    const size_t count = plan->case_count;
    gp_status st = GP_OK;
    bool all_fit = false;
    row->demands.items = GP_NEW_ARRAY(plan->arena, gp_capacity_demand, count + 1);
    memset(fill->left_out, 0, count * sizeof *fill->left_out);
    if (asks_for_all(fill)) {
        const asking all = {.fill = fill, .index = count, .measure = GP_CAPACITY_FACTOR};
        gp_capacity_demand *together = &row->demands.items[row->demands.count++];
        st = answer(&all, 1, together);
        all_fit = together->most >= 1;
    }
    for (size_t i = 0; i < count && st == GP_OK; i++) {
        const gp_case *c = &fill->asked[i];
        gp_capacity_demand *demand = &row->demands.items[row->demands.count++];
        const asking one = {.fill = fill, .index = i, .measure = measure_of(c)};
        demand->workload = c->workload;
        demand->measure = one.measure;
        if (!all_fit && count > 1)
            st = leave_out(&one);
        if (st == GP_OK && (!c->out->is_serving || grows(c)))
            st = answer(&one, today_of(fill, i, one.measure), demand);
    }
    memset(fill->left_out, 0, count * sizeof *fill->left_out);
    for (size_t i = 0; i < count; i++)
        ask_for(&(asking){.fill = fill, .index = count}, i, 1);
    return st;
}

/* ------------------------------------------------------------ rows */

/* The figures of all that stands with so many steps of machines added. */
static void set_figures(filling *fill, int64_t steps, gp_capacity_row *row) {
    const gp_plan_context *plan = fill->plan;
    stand_with(fill, steps);
    row->bounded = true;
    row->added = steps * step_of(fill);
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_machine *machine = &plan->units[u].machine;
        const int64_t nodes = fill->at.ledger.kinds[u].stand;
        const double gpus = (double)(nodes * machine->gpus);
        row->gpus += nodes * machine->gpus;
        row->memory_bytes += gpus * machine->gpu->memory_bytes;
        row->flop_per_s += gpus * machine->peak_flop_per_s[GP_PRECISION_BF16];
    }
    row->site = fill->at.usage.site;
    row->switches = fill->at.usage.room.fabric_parts.switches;
    row->unpriced = !row->site.priced && (isfinite(plan->limits[GP_LIMIT_CAPITAL]) ||
                                          isfinite(plan->limits[GP_LIMIT_RECURRING]));
}

/* What a plan with nothing in it takes stands there in any case. */
static void fill_declared(filling *fill, gp_capacity_row *row) {
    set_figures(fill, 0, row);
    const int passed = passed_most(fill);
    row->over = passed != NO_LIMIT;
    row->binds = row->over ? bound_of(fill, passed)
                           : (gp_capacity_bound){.bound = GP_BOUND_SUPPLY,
                                                 .path = "cluster.pools",
                                                 .limit = (double)row->site.stand_nodes,
                                                 .dim = GP_DIM_COUNT};
}

/* No rack takes one, however much power and cooling there is. */
static void fill_barred(filling *fill, gp_capacity_row *row) {
    const gp_lack *lack = row->unit->rack_lack;
    set_figures(fill, 0, row);
    row->binds = (gp_capacity_bound){
        .bound = lack->bound, .path = lack->path, .limit = lack->have, .dim = lack->dim};
}

static void fill_kind(filling *fill, gp_capacity_row *row) {
    const asking ask = {.fill = fill, .measure = GP_CAPACITY_MACHINES};
    const double step = (double)step_of(fill);
    gp_capacity_demand machines = {0};
    const edge most = most_of(&ask);
    if (!isfinite(most.fails))
        return;
    set_bounds(&ask, &most, step, &machines);
    row->binds = machines.binds;
    row->next = machines.next;
    row->next_added = (int64_t)machines.next_most;
    row->over = !place(&ask, 0);
    set_figures(fill, (int64_t)most.holds, row);
}

/* Pools that workloads ask for by name are units of their own of one kind of machine. */
static bool same_kind(const gp_plan_context *plan, size_t a, size_t b) {
    return gp_str_equal(plan->units[a].id, plan->units[b].id);
}

static bool is_first(const gp_plan_context *plan, const bool *may_buy, size_t unit) {
    for (size_t u = 0; u < unit; u++)
        if (may_buy[u] && same_kind(plan, u, unit))
            return false;
    return true;
}

static void allow(gp_unit *unit, bool may_buy) {
    unit->may_buy = may_buy && unit->rack_lack == NULL;
    unit->is_barred = may_buy && unit->rack_lack != NULL;
}

/* Only the kind of the row may be bought. */
static void allow_only(filling *fill, const bool *may_buy, size_t unit) {
    gp_plan_context *plan = fill->plan;
    fill->unit = unit;
    fill->lifted = 0;
    fill->inventory = plan->inventory;
    fill->inventory.may_buy = unit < plan->unit_count;
    for (size_t u = 0; u < plan->unit_count; u++)
        allow(&plan->units[u], unit < plan->unit_count && may_buy[u] && same_kind(plan, u, unit));
}

static gp_status add_row(filling *fill, const bool *may_buy, size_t unit, gp_capacity *capacity) {
    gp_plan_context *plan = fill->plan;
    const bool declared = unit == plan->unit_count;
    gp_capacity_row *row = &capacity->rows.items[capacity->rows.count++];
    *row = (gp_capacity_row){.unit = declared ? NULL : &plan->units[unit]};
    allow_only(fill, may_buy, unit);
    if (declared)
        fill_declared(fill, row);
    else if (!row->unit->power_known && isfinite(plan->limits[GP_LIMIT_POWER])) {
        /* How many the hall feeds cannot be told. */
        row->binds = (gp_capacity_bound){.bound = GP_BOUND_POWER, .path = "maxPower"};
        return GP_OK;
    } else if (row->unit->is_barred)
        fill_barred(fill, row);
    else if (row->unit->cloud == NULL)
        fill_kind(fill, row);
    return plan->case_count > 0 ? fill_demands(fill, row) : GP_OK;
}

static double factor_of(const gp_capacity_row *row) {
    if (row->demands.count == 0)
        return 0;
    const gp_capacity_demand *first = &row->demands.items[0];
    return first->today > 0 ? first->most / first->today : first->most;
}

/* How much a row holds: its demands as a whole, then its arithmetic. */
static int by_capacity(const void *a, const void *b, const void *context) {
    const gp_capacity_row *left = a;
    const gp_capacity_row *right = b;
    (void)context;
    if ((left->unit == NULL) != (right->unit == NULL))
        return left->unit == NULL ? -1 : 1;
    if (left->unit == NULL)
        return 0;
    const double most[] = {factor_of(left), factor_of(right)};
    if (isfinite(most[0]) != isfinite(most[1]))
        return isfinite(most[0]) ? 1 : -1;
    int order = isfinite(most[0]) ? gp_num_compare9(most[1], most[0]) : 0;
    if (order == 0)
        order = gp_num_compare9(right->flop_per_s, left->flop_per_s);
    return order != 0 ? order : gp_str_compare(left->unit->id, right->unit->id);
}

static gp_status add_rows(filling *fill, gp_capacity *capacity) {
    gp_plan_context *plan = fill->plan;
    bool *may_buy = GP_NEW_ARRAY(plan->arena, bool, plan->unit_count + 1);
    capacity->rows.items = GP_NEW_ARRAY(plan->arena, gp_capacity_row, plan->unit_count + 1);
    for (size_t u = 0; u < plan->unit_count; u++)
        may_buy[u] = plan->units[u].may_buy || plan->units[u].is_barred;
    gp_status st = GP_OK;
    if (plan->spec->cluster.pools.count > 0)
        st = add_row(fill, may_buy, plan->unit_count, capacity);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++)
        if (may_buy[u] && is_first(plan, may_buy, u) && is_limited(fill))
            st = add_row(fill, may_buy, u, capacity);
    for (size_t u = 0; u < plan->unit_count; u++)
        allow(&plan->units[u], may_buy[u]);
    if (st == GP_OK)
        gp_sort(plan->arena, capacity->rows.items, capacity->rows.count,
                sizeof *capacity->rows.items, by_capacity, NULL);
    return st;
}

static void set_limits(filling *fill, gp_capacity *capacity) {
    fill->unit = fill->plan->unit_count;
    stand_with(fill, 0);
    const gp_site_plan *site = &fill->at.usage.site;
    capacity->limit_count = site->limit_count;
    for (int i = 0; i < site->limit_count; i++)
        capacity->limits[i] = site->limits[i];
}

static void init_fill(gp_plan_context *plan, int64_t most_gpus, filling *ret) {
    const size_t count = plan->case_count;
    *ret = (filling){.plan = plan,
                     .spec = *plan->spec,
                     .most_gpus = most_gpus,
                     .asked = GP_NEW_ARRAY(plan->arena, gp_case, count + 1),
                     .left_out = GP_NEW_ARRAY(plan->arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++)
        ret->asked[i] = plan->cases[i];
    plan->spec = &ret->spec;
    gp_allocation_init(plan, &ret->at);
    gp_allocation_init(plan, &ret->today);
}

static gp_status refuse_several(const gp_plan_document *document, gp_diags *diags) {
    const gp_plan_spec *spec = &document->spec;
    if (spec->sites.count < 2)
        return GP_OK;
    gp_diags_error(diags, "GP1019", GP_ORIGIN_OF(spec, gp_plan_spec, sites)->span,
                   "--site with the name of a site", NULL,
                   "capacity is worked out for one site at a time");
    return GP_ERR_INPUT;
}

/* What is worked out, within memory that plans are made in. */
typedef struct working {
    filling *fill;
    gp_capacity *capacity;
    gp_status status;
} working;

static gp_status work(void *context) {
    working *w = context;
    w->fill->beside = gp_arena_beside(w->fill->plan->arena, TRIED_BYTES);
    w->status = add_rows(w->fill, w->capacity);
    return GP_OK;
}

static void work_out(working *w) {
    gp_arena *arena = w->fill->plan->arena;
    const gp_status st = gp_arena_guard(arena, work, w);
    if (w->fill->beside != NULL)
        gp_arena_free(w->fill->beside);
    if (st != GP_OK)
        gp_arena_leave(arena, st);
}

gp_status gp_capacity_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                          const gp_prices *const *prices, size_t price_count,
                          const gp_plan_options *options, int64_t most_gpus, gp_diags *diags,
                          gp_capacity **ret_capacity) {
    gp_plan_context *plan = GP_NEW(arena, gp_plan_context);
    filling *fill = GP_NEW(arena, filling);
    gp_capacity *capacity = GP_NEW(arena, gp_capacity);
    working w = {.fill = fill, .capacity = capacity};
    gp_status st = refuse_several(document, diags);
    if (st == GP_OK)
        st = gp_plan_open(arena, catalog, document, prices, price_count, options, diags, plan);
    if (st == GP_OK)
        init_fill(plan, most_gpus, fill);
    if (st != GP_OK)
        return st;
    *capacity = (gp_capacity){.plan = plan->result, .gpus = most_gpus};
    set_limits(fill, capacity);
    work_out(&w);
    *ret_capacity = capacity;
    return w.status;
}
