/* Machines over time: what each workload holds, the horizon in parts, a day by the hour. */
#include "report/build.h"

#include "base/num.h"
#include "base/str.h"

#include <string.h>

gp_report_claim gp_build_claim(const gp_workload_plan *plan, const gp_candidate *candidate) {
    const gp_schedule_claim *claim = &plan->claim;
    const gp_candidate *chosen = &plan->chosen;
    gp_report_claim ret;
    memset(&ret, 0, sizeof ret);
    ret.workload = plan->workload->name;
    ret.demand = gp_demand_name(claim->kind);
    ret.turn = gp_turn_name(chosen->timing.turn);
    ret.system = chosen->unit != NULL ? gp_build_system_id(chosen->unit) : NULL;
    ret.nodes = claim->nodes;
    const gp_turn turn = chosen->timing.turn;
    ret.gpus = turn == GP_TURN_OWN || turn == GP_TURN_AFTER ? candidate->gpus : 0;
    ret.start_s = claim->start_s;
    ret.end_s = isfinite(claim->end_s) ? claim->end_s : GP_REPORT_NO_REAL;
    ret.busy_fraction = claim->busy_fraction;
    ret.share_fraction = gp_build_positive(chosen->timing.share_fraction);
    ret.utilization_fraction = claim->queued ? claim->utilization : GP_REPORT_NO_REAL;
    const bool waits = claim->queued && isfinite(claim->wait_p95_s);
    ret.wait_mean_s = waits ? claim->wait_mean_s : GP_REPORT_NO_REAL;
    ret.wait_p95_s = waits ? claim->wait_p95_s : GP_REPORT_NO_REAL;
    return ret;
}

/* What is held changes for the larger where a claim starts. */
int64_t gp_report_gpus_at_once(const gp_report_claim *claims, size_t count) {
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t held = 0;
        for (size_t k = 0; k < count; k++)
            if (claims[k].start_s <= claims[i].start_s && !(claims[k].end_s <= claims[i].start_s))
                held += claims[k].gpus;
        most = gp_num_max_i64(most, held);
    }
    return most;
}

static void fill_claims(gp_build *build, gp_report_schedule *ret) {
    const size_t count = build->result->workloads.count;
    ret->claims.items = GP_NEW_ARRAY(build->arena, gp_report_claim, count + 1);
    for (size_t i = 0; i < count; i++) {
        const gp_workload_plan *plan = &build->result->workloads.items[i];
        if (plan->chosen.feasible)
            GP_NEXT(ret->claims) = gp_build_claim(plan, &plan->chosen);
    }
}

/* One row for a kind of machine that stands at several sites. */
static gp_report_period_kind *kind_row(const gp_build *build, const char *system,
                                       gp_report_period *ret) {
    for (size_t k = 0; build->result->sites.count > 0 && k < ret->kinds.count; k++)
        if (gp_str_equal(ret->kinds.items[k].system, system))
            return &ret->kinds.items[k];
    ret->kinds.items[ret->kinds.count] = (gp_report_period_kind){.system = system};
    return &GP_NEXT(ret->kinds);
}

static void fill_period(gp_build *build, const gp_period *period, gp_report_period *ret) {
    *ret = (gp_report_period){
        .start = period->date > 0 ? gp_build_date(build, period->date) : NULL,
        .start_s = period->start_s,
        .end_s = period->end_s,
        .peak_nodes = period->peak_nodes,
        .mean_nodes = period->mean_nodes,
    };
    ret->kinds.items = GP_NEW_ARRAY(build->arena, gp_report_period_kind, period->kinds.count + 1);
    for (size_t k = 0; k < period->kinds.count; k++) {
        const gp_period_kind *kind = &period->kinds.items[k];
        gp_report_period_kind *row = kind_row(build, gp_build_system_id(kind->unit), ret);
        row->peak_nodes += kind->peak_nodes;
        row->mean_nodes += kind->mean_nodes;
    }
}

static void fill_periods(gp_build *build, gp_report_schedule *ret) {
    const gp_schedule *schedule = &build->result->schedule;
    const size_t count = (size_t)schedule->period_count;
    ret->periods.items = GP_NEW_ARRAY(build->arena, gp_report_period, count + 1);
    ret->periods.count = count;
    for (size_t i = 0; i < count; i++)
        fill_period(build, &schedule->periods[i], &ret->periods.items[i]);
}

static void fill_day(gp_build *build, gp_report_schedule *ret) {
    const gp_schedule *schedule = &build->result->schedule;
    if (!schedule->has_day)
        return;
    ret->day.items = GP_NEW_ARRAY(build->arena, gp_report_day_hour, GP_DAY_HOURS);
    ret->day.count = GP_DAY_HOURS;
    for (int h = 0; h < GP_DAY_HOURS; h++)
        ret->day.items[h] = (gp_report_day_hour){
            .hour = h,
            .nodes = schedule->day_nodes[h],
            .weekend_nodes = schedule->weekend_nodes[h],
        };
}

void gp_build_schedule(gp_build *build) {
    const gp_schedule *schedule = &build->result->schedule;
    gp_report_schedule *ret = &build->report->site.schedule;
    ret->horizon_s = schedule->horizon_s;
    ret->peak_nodes = schedule->peak_nodes;
    ret->mean_nodes = schedule->mean_nodes;
    ret->used_fraction = schedule->peak_nodes > 0
                             ? schedule->mean_nodes / (double)schedule->peak_nodes
                             : GP_REPORT_NO_REAL;
    ret->spare_nodes = schedule->spare_nodes;
    ret->system_nodes = schedule->system_nodes;
    fill_claims(build, ret);
    fill_periods(build, ret);
    fill_day(build, ret);
}
