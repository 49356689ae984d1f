/* The whole plan on other terms: by expected values, and on each kind of machine alone. */
#include "report/build.h"
#include "report/value.h"

static void fill_whole(gp_build *build, const gp_whole_plan *plan, gp_report_whole *ret) {
    const gp_unit *unit = plan->unit;
    const gp_site_plan *site = &plan->site;
    const bool priced =
        site->priced && site->cost.total_per_s > 0 && gp_energy_priced(build->result);
    *ret = (gp_report_whole){
        .system = unit != NULL ? gp_build_system_id(unit) : NULL,
        .product = unit != NULL ? gp_build_product(unit) : NULL,
        .where = unit != NULL && unit->cloud != NULL ? unit->id : "owned",
        .held = (int64_t)plan->held,
        .planned = (int64_t)build->result->workloads.count,
        .gpus = site->gpus,
        .nodes = site->nodes,
        .bought_nodes = site->bought_nodes,
        .rented_nodes = site->rented_nodes,
        .it_power_w = gp_build_power(plan->unit, site->it_peak_w),
        .it_mean_power_w = gp_build_power(plan->unit, site->it_mean_w),
        .facility_power_w = gp_build_power(plan->unit, site->figures.facility_peak_w),
        .cost_per_year = priced ? gp_build_per_year(site->cost.total_per_s) : GP_REPORT_NO_REAL,
        .passed = plan->passed != GP_BOUND_NONE ? gp_bound_name(plan->passed) : NULL,
    };
}

/* Of plans too large to be placed again, the GPUs alone are known: those of each workload, which
 * follow each other as they do in the plan. */
static void add_expected(gp_build *build, gp_report_whole *ret) {
    const gp_plan_result *result = build->result;
    gp_report_claim *claims =
        GP_NEW_ARRAY(build->arena, gp_report_claim, result->workloads.count + 1);
    size_t count = 0;
    gp_report_clear(&gp_report_whole_type, ret);
    ret->where = "owned";
    ret->held = 0;
    ret->planned = (int64_t)result->workloads.count;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        if (!plan->at_expected.feasible)
            continue;
        ret->held++;
        claims[count++] = gp_build_claim(plan, &plan->at_expected);
    }
    ret->gpus = gp_report_gpus_at_once(claims, count);
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
        add_expected(build, expected);
    report->summary.at_expected = expected;
}
