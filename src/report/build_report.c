/*
 * The report as a whole: figures first, in the order of report.json, then what follows from them.
 * Each part is written once; nothing here computes a figure that the plan does not have.
 */
#include "report/build.h"

#include <string.h>

#include "base/sha256.h"
#include "base/str.h"
#include "report/value.h"

static void fill_digest(gp_build *build, gp_report_file *file) {
    if (file->sha256 != NULL || file->text == NULL)
        return;
    char hex[GP_SHA256_HEX];
    gp_sha256_hex(file->text->data, file->text->len, hex);
    file->sha256 = gp_arena_strndup(build->arena, hex, GP_SHA256_HEX - 1);
}

/* The lists of files are the caller's: digests they lack go into copies. */
static void fill_digests(gp_build *build, gp_report_file **items, size_t count) {
    gp_report_file *copy = GP_NEW_ARRAY(build->arena, gp_report_file, count + 1);
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*items)[i];
        fill_digest(build, &copy[i]);
    }
    *items = copy;
}

static void fill_one(gp_build *build, const gp_report_file **file) {
    if (*file == NULL)
        return;
    gp_report_file *copy = GP_NEW(build->arena, gp_report_file);
    *copy = **file;
    *file = copy;
    fill_digest(build, copy);
}

void gp_build_inputs(gp_build *build, const gp_plan_document *document,
                     const gp_report_inputs *inputs, gp_report_inputs *ret) {
    const gp_text *text = document->text;
    if (inputs != NULL)
        *ret = *inputs;
    if (ret->spec.text == NULL)
        ret->spec.text = text;
    if (ret->spec.path == NULL && text != NULL)
        ret->spec.path = text->name;
    fill_digest(build, &ret->spec);
    fill_one(build, &ret->lock);
    fill_digests(build, &ret->catalogs.items, ret->catalogs.count);
    fill_digests(build, &ret->calibration.items, ret->calibration.count);
    fill_digests(build, &ret->policies.items, ret->policies.count);
    fill_one(build, &ret->project);
    fill_digests(build, &ret->prices.items, ret->prices.count);
}

static int64_t used_in(const gp_cluster *cluster) {
    int64_t nodes = 0;
    for (size_t i = 0; i < cluster->pools.count; i++)
        nodes += cluster->pools.items[i].in_use;
    return nodes;
}

/* Machines that the spec says others use. */
static int64_t used_by_others(const gp_plan_spec *spec) {
    int64_t nodes = used_in(&spec->cluster);
    for (size_t s = 0; s < spec->sites.count; s++)
        nodes += used_in(&spec->sites.items[s].cluster);
    return nodes;
}

static void fill_summary(gp_build *build) {
    const gp_plan_result *result = build->result;
    const gp_site_plan *site = &result->site;
    gp_report_summary *ret = &build->report->summary;
    ret->plan = result->document->metadata.name;
    build->report->span = GP_ORIGIN_OF(&result->document->metadata, gp_metadata, name)->span;
    ret->feasible = result->feasible;
    ret->objective = gp_objective_name(result->objective);
    ret->confidence = gp_confidence_words[result->confidence];
    ret->objective_was_auto = result->objective_was_auto;
    ret->keeps_owned = result->keeps_owned;
    ret->other_objective =
        result->objective_changes_verdict ? gp_objective_name(result->other_objective) : NULL;
    ret->gpus = site->gpus;
    ret->nodes = site->nodes;
    ret->owned_nodes = site->owned_nodes;
    ret->stand_nodes = site->stand_nodes;
    ret->stand_gpus = gp_build_positive(site->there_gpus);
    ret->others_nodes = used_by_others(&result->document->spec);
    ret->bought_nodes = site->bought_nodes;
    ret->rented_nodes = site->rented_nodes;
    ret->racks = site->rack_count;
    if (gp_build_powerless(build->result) == NULL) {
        ret->it_power_w = site->it_peak_w;
        ret->it_mean_power_w = site->it_mean_w;
        ret->facility_power_w = site->figures.facility_peak_w;
        ret->facility_mean_power_w = site->figures.facility_mean_w;
    }
    /* Sums that lack a line are no figures to compare by. */
    if (site->priced)
        ret->capital = build->report->cost.capital;
    if (build->report->cost.complete)
        ret->cost_per_year = build->report->cost.total_per_year;
}

static void fill_workloads(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    report->workloads.items =
        GP_NEW_ARRAY(build->arena, gp_report_workload, result->workloads.count + 1);
    report->workloads.count = result->workloads.count;
    for (size_t i = 0; i < result->workloads.count; i++)
        gp_build_workload(build, &result->workloads.items[i], &report->workloads.items[i]);
}

static void start(gp_build *build) {
    if (build->report != NULL)
        return;
    build->report = GP_NEW(build->arena, gp_report);
    gp_report_clear(&gp_report_type, build->report);
    build->report->schema_version = GP_REPORT_SCHEMA_VERSION;
    build->report->tool = (gp_report_tool){"gpuplan", GP_VERSION};
}

static void fill_figures(gp_build *build) {
    start(build);
    gp_build_cost(build);
    fill_summary(build);
    fill_workloads(build);
}

void gp_build_figures(gp_build *build) {
    fill_figures(build);
    gp_build_units_of_work(build);
    gp_build_site(build);
    gp_build_schedule(build);
    gp_build_wholes(build);
    gp_build_teams(build);
    gp_build_growth(build);
}

/* Findings look at the figures, checks at the findings and the assumptions at both. */
static void build_all(gp_build *build, const gp_report_inputs *inputs) {
    start(build);
    gp_build_inputs(build, build->result->document, inputs, &build->report->inputs);
    gp_build_figures(build);
    gp_build_data(build);
    gp_build_findings(build);
    gp_build_checks(build);
    gp_build_assumptions(build);
}

void gp_report_unsourced(gp_arena *arena, const gp_plan_result *result,
                         const gp_report_inputs *inputs, gp_report **ret_report) {
    gp_build build = {.arena = arena, .result = result};
    build_all(&build, inputs);
    *ret_report = build.report;
}

void gp_report_build(gp_arena *arena, const gp_plan_result *result, const gp_report_inputs *inputs,
                     gp_report **ret_report) {
    gp_build build = {.arena = arena, .result = result};
    build_all(&build, inputs);
    gp_build_provenance(&build);
    *ret_report = build.report;
}

void gp_report_brief(gp_arena *arena, const gp_plan_result *result, const gp_report_inputs *inputs,
                     gp_report **ret_report) {
    gp_build build = {.arena = arena, .result = result};
    start(&build);
    gp_build_inputs(&build, result->document, inputs, &build.report->inputs);
    fill_figures(&build);
    *ret_report = build.report;
}

bool gp_report_is_brief(const char *path) {
    static const char *const not_brief[] = {"summary.atExpected", "summary.otherObjective"};
    for (size_t i = 0; i < GP_COUNT_OF(not_brief); i++)
        if (gp_str_starts(path, not_brief[i]))
            return false;
    return gp_str_equal(path, "holds") || gp_str_starts(path, "summary.") ||
           gp_str_starts(path, "cost.") ||
           (gp_str_starts(path, "workloads.") && strstr(path, ".performance.") != NULL);
}

/* -1: waived. */
static int level_of(const gp_report_finding *finding) {
    return finding->waived_by != NULL ? -1 : gp_level_named(finding->level);
}

int gp_report_worst_level(const gp_report *report) {
    int worst = -1;
    for (size_t i = 0; i < report->findings.count; i++) {
        const int level = level_of(&report->findings.items[i]);
        worst = level > worst ? level : worst;
    }
    return worst;
}

const char *gp_report_verdict(const gp_report *report, int level) {
    bool open = false;
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_rule *rule = gp_report_rule_named(report->findings.items[i].id);
        if (level_of(&report->findings.items[i]) < level)
            continue;
        if (rule == NULL || !rule->is_open)
            return "fails";
        open = true;
    }
    return open ? "notAssessed" : "holds";
}
