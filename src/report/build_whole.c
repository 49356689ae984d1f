/* The whole plan on other terms: by expected values, and on each kind of machine alone. */
#include "report/build.h"

static void fill_whole(gp_build *build, const gp_whole_plan *plan, gp_report_whole *ret) {
    const gp_unit *unit = plan->unit;
    const bool priced = plan->cost_per_s > 0 && gp_build_energy_priced(build->result);
    *ret = (gp_report_whole){
        .system = unit != NULL ? gp_build_system_id(unit) : NULL,
        .product = unit != NULL ? gp_build_product(unit) : NULL,
        .where = unit != NULL && unit->cloud != NULL ? unit->id : "owned",
        .held = (int64_t)plan->held,
        .gpus = plan->gpus,
        .nodes = plan->nodes,
        .bought_nodes = plan->bought_nodes,
        .rented_nodes = plan->rented_nodes,
        .it_power_w = gp_build_power(plan->unit, plan->it_peak_w),
        .facility_power_w = gp_build_power(plan->unit, plan->facility_peak_w),
        .cost_per_year = priced ? gp_build_per_year(plan->cost_per_s) : GP_REPORT_NO_REAL,
        .passed = plan->passed != GP_BOUND_NONE ? gp_bound_name(plan->passed) : NULL,
    };
}

/* Of plans too large to be placed again, the GPUs alone are known: those of each workload. */
static void add_expected(const gp_plan_result *result, gp_report_whole *ret) {
    *ret = (gp_report_whole){.where = "owned",
                             .nodes = GP_REPORT_NO_COUNT,
                             .bought_nodes = GP_REPORT_NO_COUNT,
                             .rented_nodes = GP_REPORT_NO_COUNT,
                             .it_power_w = GP_REPORT_NO_REAL,
                             .facility_power_w = GP_REPORT_NO_REAL,
                             .cost_per_year = GP_REPORT_NO_REAL};
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *expected = &result->workloads.items[i].at_expected;
        ret->held += expected->feasible ? 1 : 0;
        ret->gpus += expected->feasible ? expected->gpus : 0;
    }
}

void gp_build_wholes(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    gp_report_whole *rows = GP_NEW_ARRAY(build->arena, gp_report_whole, result->alone.count + 1);
    for (size_t i = 0; i < result->alone.count; i++)
        fill_whole(build, &result->alone.items[i], &rows[i]);
    report->platforms.items = rows;
    report->platforms.count = result->alone.count;
    if (result->declared_only)
        return;
    gp_report_whole *expected = &rows[result->alone.count];
    if (result->at_expected != NULL)
        fill_whole(build, result->at_expected, expected);
    else
        add_expected(result, expected);
    report->summary.at_expected = expected;
}
