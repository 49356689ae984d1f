/*
 * The report as a whole: figures first, in the order of report.json, then what follows from them.
 * Each part is written once; nothing here computes a figure that the plan does not have.
 */
#include "report/build.h"

#include "base/sha256.h"
#include "base/str.h"
#include "report/describe.h"

static gp_status fill_digest(gp_build *build, gp_report_file *file) {
    if (file->sha256 != NULL || file->text == NULL)
        return GP_OK;
    char hex[GP_SHA256_HEX];
    gp_sha256_hex(file->text->data, file->text->len, hex);
    file->sha256 = gp_arena_strndup(build->arena, hex, GP_SHA256_HEX - 1);
    return file->sha256 == NULL ? GP_ERR_NO_MEMORY : GP_OK;
}

/* The lists of files are the caller's: digests they lack go into copies. */
static gp_status fill_digests(gp_build *build, gp_report_file **items, size_t count) {
    gp_report_file *copy = GP_NEW_ARRAY(build->arena, gp_report_file, count + 1);
    if (copy == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*items)[i];
        gp_status st = fill_digest(build, &copy[i]);
        if (st != GP_OK)
            return st;
    }
    *items = copy;
    return GP_OK;
}

static gp_status fill_lock(gp_build *build, gp_report_inputs *inputs) {
    if (inputs->lock == NULL)
        return GP_OK;
    gp_report_file *copy = GP_NEW(build->arena, gp_report_file);
    if (copy == NULL)
        return GP_ERR_NO_MEMORY;
    *copy = *inputs->lock;
    inputs->lock = copy;
    return fill_digest(build, copy);
}

static gp_status fill_project(gp_build *build, gp_report_inputs *inputs) {
    gp_report_file *copy = GP_NEW(build->arena, gp_report_file);
    if (copy == NULL)
        return GP_ERR_NO_MEMORY;
    *copy = *inputs->project;
    inputs->project = copy;
    return fill_digest(build, copy);
}

gp_status gp_build_inputs(gp_build *build, const gp_plan_document *document,
                          const gp_report_inputs *inputs, gp_report_inputs *ret) {
    const gp_text *text = document->text;
    if (inputs != NULL)
        *ret = *inputs;
    if (ret->spec.text == NULL)
        ret->spec.text = text;
    if (ret->spec.path == NULL && text != NULL)
        ret->spec.path = text->name;
    gp_status st = fill_digest(build, &ret->spec);
    if (st == GP_OK)
        st = fill_lock(build, ret);
    if (st == GP_OK)
        st = fill_digests(build, &ret->catalogs.items, ret->catalogs.count);
    if (st == GP_OK)
        st = fill_digests(build, &ret->calibration.items, ret->calibration.count);
    if (st == GP_OK)
        st = fill_digests(build, &ret->policies.items, ret->policies.count);
    if (st == GP_OK && ret->project != NULL)
        st = fill_project(build, ret);
    return st == GP_OK ? fill_digests(build, &ret->prices.items, ret->prices.count) : st;
}

static gp_status fill_summary(gp_build *build) {
    const gp_plan_result *result = build->result;
    const gp_site_plan *site = &result->site;
    gp_report_summary *ret = &build->report->summary;
    ret->plan = result->document->metadata.name;
    build->report->span = GP_ORIGIN_OF(&result->document->metadata, gp_metadata, name)->span;
    ret->feasible = result->feasible;
    ret->objective = gp_objective_name(result->objective);
    ret->confidence = gp_build_confidence_name((int)result->confidence);
    ret->objective_was_auto = result->objective_was_auto;
    ret->other_objective =
        result->objective_changes_verdict ? gp_objective_name(result->other_objective) : NULL;
    ret->gpus = site->gpus;
    ret->nodes = site->nodes;
    ret->owned_nodes = site->owned_nodes;
    ret->stand_nodes = site->stand_nodes;
    ret->bought_nodes = site->bought_nodes;
    ret->rented_nodes = site->rented_nodes;
    ret->racks = site->rack_count;
    ret->it_power_w = site->it_peak_w;
    ret->it_mean_power_w = site->it_mean_w;
    ret->facility_power_w = site->figures.facility_peak_w;
    ret->facility_mean_power_w = site->figures.facility_mean_w;
    /* Sums that lack a line are no figures to compare by. */
    if (site->priced)
        ret->capital = build->report->cost.capital;
    if (build->report->cost.complete)
        ret->cost_per_year = build->report->cost.total_per_year;
    return GP_OK;
}

static gp_status fill_workloads(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    report->workloads.items =
        GP_NEW_ARRAY(build->arena, gp_report_workload, result->workloads.count + 1);
    if (report->workloads.items == NULL)
        return GP_ERR_NO_MEMORY;
    report->workloads.count = result->workloads.count;
    for (size_t i = 0; i < result->workloads.count; i++) {
        gp_status st =
            gp_build_workload(build, &result->workloads.items[i], &report->workloads.items[i]);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

typedef gp_status build_step(gp_build *build);

static gp_status run_steps(gp_build *build, build_step *const *steps, size_t count) {
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < count; i++)
        st = steps[i](build);
    return st == GP_OK && build->failed ? GP_ERR_NO_MEMORY : st;
}

static gp_status start(gp_build *build) {
    if (build->report != NULL)
        return GP_OK;
    build->report = GP_NEW(build->arena, gp_report);
    if (build->report == NULL)
        return GP_ERR_NO_MEMORY;
    gp_report_clear(&gp_report_type, build->report);
    build->report->schema_version = GP_REPORT_SCHEMA_VERSION;
    build->report->tool = (gp_report_tool){"gpuplan", GP_VERSION};
    return GP_OK;
}

gp_status gp_build_figures(gp_build *build) {
    static build_step *const steps[] = {
        gp_build_cost,          fill_summary,  fill_workloads,    gp_build_wholes,
        gp_build_units_of_work, gp_build_site, gp_build_schedule, gp_build_growth,
    };
    gp_status st = start(build);
    return st == GP_OK ? run_steps(build, steps, sizeof steps / sizeof steps[0]) : st;
}

gp_status gp_report_build(gp_arena *arena, const gp_plan_result *result,
                          const gp_report_inputs *inputs, gp_report **ret_report) {
    /* Findings look at the figures, checks at the findings and the assumptions at both. */
    static build_step *const steps[] = {gp_build_data, gp_build_findings, gp_build_checks,
                                        gp_build_assumptions, gp_build_provenance};
    gp_build build = {.arena = arena, .result = result};
    gp_status st = start(&build);
    if (st == GP_OK)
        st = gp_build_inputs(&build, result->document, inputs, &build.report->inputs);
    if (st == GP_OK)
        st = gp_build_figures(&build);
    if (st == GP_OK)
        st = run_steps(&build, steps, sizeof steps / sizeof steps[0]);
    if (st == GP_OK)
        *ret_report = build.report;
    return st;
}

int gp_report_worst_level(const gp_report *report) {
    int worst = -1;
    for (size_t i = 0; i < report->findings.count; i++) {
        const char *level = report->findings.items[i].level;
        if (report->findings.items[i].waived_by != NULL)
            continue;
        for (int known = GP_LEVEL_NOTE; known < GP_LEVEL_COUNT; known++)
            if (known > worst && gp_str_equal(level, gp_level_name((gp_level)known)))
                worst = known;
    }
    return worst;
}
