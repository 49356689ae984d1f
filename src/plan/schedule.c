/*
 * All workloads on one time axis: which machines of which kind run what, when. Services hold their
 * machines for good and grow by quarter, jobs with a deadline end, recurring runs come back. Peaks
 * are machines that must stand there, means are machines that compute.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "estimate/queue.h"

enum { WORKING_DAYS = 5, MONTHS_PER_YEAR = 12, PERIODS_GOOD = 26 };
static const double s_per_week = 604800;     /* definition */
static const double s_per_year = 31536000;   /* 8,760 h: definition */
static const double s_per_quarter = 7884000; /* of it */

static bool on_machines(const gp_candidate *chosen) {
    return chosen->feasible && chosen->unit != NULL;
}

/* Share of the week for which a service's replicas run, by the hours of its profile. */
static double service_share(const gp_workload_plan *out) {
    const gp_autoscale *scaling = &out->autoscale;
    if (!scaling->present || !scaling->has_week || scaling->peak_gpu_s_per_week <= 0)
        return 1;
    return scaling->gpu_s_per_week / scaling->peak_gpu_s_per_week;
}

/* Runs that come by chance wait where all places are taken: G/G/c with Poisson arrivals, all runs
 * as long as planned. */
static void set_queue(const gp_case *c, gp_schedule_claim *claim) {
    const gp_candidate *chosen = &c->out->chosen;
    const double run_s = chosen->time_to_complete_s.expected - chosen->timing.wait_s;
    const double places = (double)gp_num_max_i64(chosen->replicas, 1);
    claim->queued = c->workload->jobs.per_week > 0;
    if (!claim->queued)
        return;
    claim->utilization = c->workload->jobs.per_week * run_s / s_per_week / places;
    claim->busy_fraction = gp_num_min(1, claim->utilization);
    const gp_wait wait = gp_queue_wait(places, claim->utilization, run_s, 1, 0, c->plan->constants);
    claim->wait_mean_s = wait.mean_s;
    claim->wait_p95_s = wait.tail_s;
}

static void set_claim(const gp_case *c) {
    const gp_candidate *chosen = &c->out->chosen;
    gp_schedule_claim *claim = &c->out->claim;
    *claim = (gp_schedule_claim){.kind = c->kind, .end_s = HUGE_VAL};
    if (!on_machines(chosen))
        return;
    claim->nodes = chosen->nodes;
    claim->busy_fraction = 1;
    claim->start_s = chosen->timing.turn == GP_TURN_AFTER ? chosen->timing.wait_s : 0;
    switch (claim->kind) {
    case GP_DEMAND_CONTINUOUS: claim->busy_fraction = service_share(c->out); break;
    case GP_DEMAND_DEADLINE: claim->end_s = chosen->time_to_complete_s.high; break;
    case GP_DEMAND_RECURRING:
        claim->busy_fraction = chosen->busy_fraction;
        claim->queued = chosen->timing.turn == GP_TURN_QUEUE;
        claim->utilization = claim->busy_fraction;
        claim->wait_p95_s = claim->queued ? chosen->timing.wait_s : 0;
        break;
    case GP_DEMAND_CONCURRENT: set_queue(c, claim); break;
    case GP_DEMAND_OPEN:
    case GP_DEMAND_COUNT: break;
    }
}

/* A run that would hold its goal on what services of the same kind leave idle, and may not. */
static void set_could_idle(gp_plan_context *plan, const gp_case *c) {
    const gp_candidate *chosen = &c->out->chosen;
    int64_t hours[GP_WEEK_HOURS] = {0};
    const gp_demand_kind kind = c->out->claim.kind;
    if (!on_machines(chosen) || c->workload->placement.time_sharing || c->demand.deadline_s <= 0 ||
        chosen->timing.turn != GP_TURN_OWN || (c->out->is_serving && !c->offline) ||
        (kind != GP_DEMAND_RECURRING && kind != GP_DEMAND_DEADLINE))
        return;
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->cases[i].out->chosen.unit == chosen->unit)
            gp_ledger_add_idle(&plan->cases[i], &plan->cases[i].out->chosen, hours);
    const double share = gp_ledger_idle_share(c, hours, chosen->nodes);
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    c->out->claim.could_idle = share > 0 && chosen->time_to_complete_s.high / share <= allowed;
}

/* The quarter of growth that a moment lies in; NULL: none is planned. */
static const gp_growth_row *quarter_at(const gp_plan_context *plan, double at_s) {
    const int64_t quarter = gp_num_floor_count(at_s / s_per_quarter + 1e-9);
    return quarter < plan->result->growth_count ? &plan->result->growth[quarter] : NULL;
}

/* Workloads of today, and with growth those that come later. */
static size_t all_cases(const gp_plan_context *plan) {
    const size_t later = plan->result->growth_count > 0 ? plan->spec->growth.adds.count : 0;
    return plan->case_count + later;
}

/* What a workload has on a kind of machine in a quarter, or today; NULL: nothing. */
static const gp_candidate *planned_on(const gp_plan_context *plan, const gp_growth_row *row,
                                      size_t i, const gp_unit *unit) {
    const bool today = row == NULL || (i < plan->case_count &&
                                       plan->cases[i].out->claim.kind == GP_DEMAND_DEADLINE);
    const gp_candidate *chosen = today ? &plan->cases[i].out->chosen : row->chosen[i];
    return chosen != NULL && on_machines(chosen) ? gp_candidate_on(chosen, unit) : NULL;
}

/* The same at a moment. Those that come later have no plan of their own. */
static const gp_candidate *there_at(const gp_plan_context *plan, size_t i, const gp_unit *unit,
                                    double at_s) {
    if (i < plan->case_count) {
        const gp_schedule_claim *claim = &plan->cases[i].out->claim;
        if (at_s < claim->start_s || at_s >= claim->end_s)
            return NULL;
    }
    return planned_on(plan, quarter_at(plan, at_s), i, unit);
}

/* A run that shares its machines with nobody: they are free once it is done. */
static bool ends_apart(const gp_plan_context *plan, size_t i, const gp_unit *unit) {
    const gp_candidate *chosen = &plan->cases[i].out->chosen;
    const gp_candidate *here = on_machines(chosen) ? gp_candidate_on(chosen, unit) : NULL;
    return plan->cases[i].out->claim.kind == GP_DEMAND_DEADLINE && here != NULL && here->whole &&
           chosen->timing.turn != GP_TURN_IDLE;
}

/* Machines of such runs at a moment. */
static int64_t apart_at(const gp_plan_context *plan, const gp_unit *unit, double at_s) {
    int64_t nodes = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *now = ends_apart(plan, i, unit) ? there_at(plan, i, unit, at_s) : NULL;
        nodes += now != NULL ? now->nodes : 0;
    }
    return nodes;
}

/* The most of them at a time: in the quarter of growth, or of all that is planned today. */
static int64_t apart_most(const gp_plan_context *plan, const gp_unit *unit,
                          const gp_growth_row *row) {
    const double from_s = row != NULL ? (double)(row - plan->result->growth) * s_per_quarter : 0;
    const double to_s = row != NULL ? from_s + s_per_quarter : HUGE_VAL;
    int64_t most = apart_at(plan, unit, from_s);
    for (size_t i = 0; i < plan->case_count; i++) {
        const double start_s = plan->cases[i].out->claim.start_s;
        if (start_s > from_s && start_s < to_s)
            most = gp_num_max_i64(most, apart_at(plan, unit, start_s));
    }
    return most;
}

/* Machines of a kind that are held at a moment: those of today's ledger, and those of the quarter
 * where growth is planned. */
static int64_t held_at(const gp_plan_context *plan, const gp_ledger *ledger, const gp_unit *unit,
                       double at_s) {
    const gp_growth_row *row = quarter_at(plan, at_s);
    const size_t u = (size_t)(unit - plan->units);
    const gp_kind_hold *today = &ledger->kinds[u];
    const int64_t held = row != NULL ? row->held[u] : today->nodes - today->beyond;
    const int64_t others = gp_num_max_i64(0, held - apart_most(plan, unit, row));
    const int64_t apart = apart_at(plan, unit, at_s);
    int64_t alone = 0;
    int64_t then = 0;
    for (size_t i = 0; i < all_cases(plan); i++) {
        const gp_turn turn =
            i < plan->case_count ? plan->cases[i].out->chosen.timing.turn : GP_TURN_OWN;
        if (turn != GP_TURN_OWN || (i < plan->case_count && ends_apart(plan, i, unit)))
            continue;
        const gp_candidate *whole = planned_on(plan, row, i, unit);
        const gp_candidate *now = there_at(plan, i, unit, at_s);
        alone += whole != NULL ? whole->nodes : 0;
        then += now != NULL ? now->nodes : 0;
    }
    /* What the others save by sharing they save then; what is rented beyond the plan is nobody's
     * own. */
    if (alone == 0)
        return row != NULL && row->rent_unit == unit ? held : gp_num_min_i64(held, apart);
    return gp_num_min_i64(held,
                          apart + gp_num_ceil_count((double)then * (double)others / (double)alone));
}

/* Time of a period in which a workload lasts. */
static double overlap_s(const gp_plan_context *plan, size_t i, const gp_period *period) {
    if (i >= plan->case_count)
        return period->end_s - period->start_s;
    const gp_schedule_claim *claim = &plan->cases[i].out->claim;
    return gp_num_max(0, gp_num_min(claim->end_s, period->end_s) -
                             gp_num_max(claim->start_s, period->start_s));
}

/* Runs that grow take more of the time, on machines that do not become more as smoothly. */
static double busy_share(const gp_plan_context *plan, size_t i, const gp_candidate *here) {
    if (i >= plan->case_count)
        return here->busy_fraction;
    const gp_workload_plan *out = plan->cases[i].out;
    return gp_num_min(1,
                      out->claim.busy_fraction * here->busy_fraction / out->chosen.busy_fraction);
}

/* Machines of a workload on a kind that compute, as a mean of the period. */
static double busy_nodes(const gp_plan_context *plan, size_t i, const gp_unit *unit,
                         const gp_period *period) {
    const double start_s = i < plan->case_count ? plan->cases[i].out->claim.start_s : 0;
    const gp_candidate *here = there_at(plan, i, unit, gp_num_max(start_s, period->start_s));
    return here == NULL
               ? 0
               : gp_option_gpus(here) / (double)unit->machine.gpus * busy_share(plan, i, here) *
                     overlap_s(plan, i, period) / (period->end_s - period->start_s);
}

static void fill_kind(const gp_plan_context *plan, const gp_ledger *ledger, const gp_unit *unit,
                      const gp_period *period, gp_period_kind *ret) {
    *ret =
        (gp_period_kind){.unit = unit, .peak_nodes = held_at(plan, ledger, unit, period->start_s)};
    for (size_t i = 0; i < all_cases(plan); i++) {
        ret->mean_nodes += busy_nodes(plan, i, unit, period);
        if (i >= plan->case_count)
            continue;
        const double start_s = plan->cases[i].out->claim.start_s;
        if (start_s > period->start_s && start_s < period->end_s)
            ret->peak_nodes = gp_num_max_i64(ret->peak_nodes, held_at(plan, ledger, unit, start_s));
    }
}

/* What machines that stand there have no room for computes on those that are rented. */
static void move_to_rented(const gp_growth_row *row, gp_period *period) {
    double gpus = 0;
    for (size_t k = 0; k < period->kinds.count; k++) {
        gp_period_kind *kind = &period->kinds.items[k];
        const double beyond = gp_num_max(0, kind->mean_nodes - (double)kind->peak_nodes);
        if (kind->unit->cloud != NULL)
            continue;
        kind->mean_nodes -= beyond;
        gpus += beyond * (double)kind->unit->machine.gpus;
    }
    for (size_t k = 0; k < period->kinds.count; k++)
        if (period->kinds.items[k].unit == row->rent_unit)
            period->kinds.items[k].mean_nodes += gpus / (double)row->rent_unit->machine.gpus;
}

static bool is_used(const gp_plan_context *plan, const gp_unit *unit, double at_s) {
    const gp_growth_row *row = quarter_at(plan, at_s);
    bool used = row != NULL && row->held[unit - plan->units] > 0;
    for (size_t i = 0; i < plan->case_count && !used; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        used = on_machines(chosen) && gp_candidate_on(chosen, unit) != NULL;
    }
    return used;
}

static void fill_period(gp_plan_context *plan, const gp_ledger *ledger, gp_period *period) {
    const gp_growth_row *row = quarter_at(plan, period->start_s);
    period->kinds.items = GP_NEW_ARRAY(plan->arena, gp_period_kind, plan->unit_count);
    for (size_t u = 0; u < plan->unit_count; u++)
        if (is_used(plan, &plan->units[u], period->start_s))
            fill_kind(plan, ledger, &plan->units[u], period,
                      &period->kinds.items[period->kinds.count++]);
    if (row != NULL && row->rent_unit != NULL)
        move_to_rented(row, period);
    for (size_t k = 0; k < period->kinds.count; k++) {
        period->peak_nodes += period->kinds.items[k].peak_nodes;
        period->mean_nodes += period->kinds.items[k].mean_nodes;
    }
}

/* The horizon of growth, else long enough for every job that ends, and a quarter at least. */
static double horizon_of(const gp_plan_context *plan) {
    double horizon = (double)plan->result->growth_count * s_per_quarter;
    for (size_t i = 0; i < plan->case_count; i++) {
        const double end = plan->cases[i].out->claim.end_s;
        if (plan->result->growth_count == 0 && end < HUGE_VAL)
            horizon = gp_num_max(horizon, end);
    }
    return gp_num_max(horizon, s_per_quarter);
}

/* Weeks, months, quarters or years, whichever are few enough to read. */
static double period_of(double horizon_s) {
    const double lengths[] = {s_per_week, s_per_year / MONTHS_PER_YEAR, s_per_quarter, s_per_year};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        if (horizon_s / lengths[i] <= PERIODS_GOOD)
            return lengths[i];
    return horizon_s / PERIODS_GOOD;
}

/* Machines held in every hour of a working day and of a weekend's, as planned today. */
static void set_day(gp_plan_context *plan, const gp_ledger *ledger) {
    gp_schedule *schedule = &plan->result->schedule;
    int64_t idle[GP_WEEK_HOURS] = {0};
    int64_t held = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        held += held_at(plan, ledger, &plan->units[u], 0);
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_case *c = &plan->cases[i];
        gp_ledger_add_idle(c, &c->out->chosen, idle);
        schedule->has_day = schedule->has_day || c->out->autoscale.has_week;
    }
    for (int h = 0; h < GP_DAY_HOURS; h++) {
        schedule->day_nodes[h] = held - idle[h];
        schedule->weekend_nodes[h] = held - idle[WORKING_DAYS * GP_DAY_HOURS + h];
    }
}

void gp_schedule_of(gp_plan_context *plan, const gp_allocation *best) {
    gp_schedule *schedule = &plan->result->schedule;
    const gp_reserve *reserve = &plan->spec->cluster.reserve;
    for (size_t i = 0; i < plan->case_count; i++)
        set_claim(&plan->cases[i]);
    for (size_t i = 0; i < plan->case_count; i++)
        set_could_idle(plan, &plan->cases[i]);
    schedule->spare_nodes = reserve->spare_nodes;
    schedule->system_nodes = reserve->system_nodes;
    schedule->horizon_s = horizon_of(plan);
    const double length = period_of(schedule->horizon_s);
    const int64_t count =
        gp_num_min_i64(GP_PERIODS_MAX, gp_num_ceil_count(schedule->horizon_s / length));
    for (int64_t p = 0; p < count; p++) {
        gp_period *period = &schedule->periods[schedule->period_count++];
        *period = (gp_period){
            .start_s = (double)p * length,
            .end_s = gp_num_min(schedule->horizon_s, (double)(p + 1) * length),
            .date = plan->result->growth_count > 0
                        ? gp_growth_date(plan->spec->growth.start, (double)p * length)
                        : 0,
        };
        fill_period(plan, &best->ledger, period);
        schedule->peak_nodes = gp_num_max_i64(schedule->peak_nodes, period->peak_nodes);
        schedule->mean_nodes +=
            period->mean_nodes * (period->end_s - period->start_s) / schedule->horizon_s;
    }
    set_day(plan, &best->ledger);
}
