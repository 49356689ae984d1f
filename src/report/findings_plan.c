/* Rules about the plan as a whole: growth, prices, objective, quality of the data. */
#include "base/str.h"
#include "report/findings.h"

static const double worth_telling = 0.01; /* of the objective */

/* Small plans are searched whole; of others it is told how much a better one could save. */
static void not_proven(gp_findings *findings) {
    const double gap = findings->build->result->gap_fraction;
    if (!(gap > worth_telling))
        return;
    gp_findings_say(findings, "GP3012", GP_REF_NONE, GP_FOUND_AT("summary.gapFraction"),
                    "allow fewer machine types, or plan the workloads in separate groups",
                    "no better plan was found, but one that saves up to %s is possible",
                    GP_FINDING_QUANTITY(findings, gap, GP_DIM_FRACTION));
}

/* What lacks a price, and is not judged, limits nothing. */
static bool site_is_limited(gp_findings *findings, const gp_site_plan *site) {
    for (int i = 0; i < site->limit_count; i++)
        if (gp_build_limit_known(findings->build, &site->limits[i]) || site->limits[i].used > 0)
            return true;
    return false;
}

static bool is_limited(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_candidate_limits *limits = &result->document->spec.candidates.limits;
    const gp_origin *origin = GP_ORIGIN_OF(limits, gp_candidate_limits, max_nodes);
    bool limited = origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG ||
                   site_is_limited(findings, &result->site);
    for (size_t i = 0; i < result->sites.count; i++)
        limited = limited || site_is_limited(findings, &result->sites.items[i].site);
    return limited;
}

/* More machines make a run shorter for as long as any are left to take. */
static void only_time_counts(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const int64_t added = result->site.bought_nodes + result->site.rented_nodes;
    if (result->objective != GP_OBJECTIVE_MIN_TIME || added == 0 || is_limited(findings))
        return;
    gp_findings_say(findings, "GP3024", GP_FINDING_AT(&result->document->spec.candidates),
                    GP_FOUND_AT("summary.nodes"),
                    "state site.power.itCapacity or candidates.limits.maxNodes, or choose another "
                    "objective",
                    "objective minTime adds %s: no limit applies, and only a limit stops it",
                    gp_build_count(findings->build, added, "machine"));
}

static void machines_shared(gp_findings *findings) {
    const int64_t saved = findings->build->result->site.shared_nodes;
    if (saved <= 0)
        return;
    gp_findings_say(findings, "GP3023", GP_REF_NONE, GP_FOUND_AT("summary.nodes"),
                    "set placement.exclusive for those that must not share",
                    "workloads share machines: %s fewer than on machines of their own",
                    gp_build_count(findings->build, saved, "machine"));
}

static void no_growth(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    if (result->growth_count > 0)
        return;
    gp_findings_say(findings, "GP3010", GP_FINDING_AT(&result->document->spec.growth),
                    GP_FOUND_AT(NULL), "add growth.horizon and growth.scenarios.expected",
                    "no growth is stated, so when limits are reached is unknown");
}

/* "IT power", "machines on fabric (dgx-b200)" */
static const char *resource_words(gp_findings *findings, const gp_growth_limit *limit) {
    const char *name = gp_resource_name(limit->resource);
    return limit->unit == NULL
               ? name
               : GP_FINDING_TEXT(findings, "%s (%s)", name, gp_build_system_id(limit->unit));
}

/* What the first quarter that is short of machines has to buy, and when. */
static const char *order_words(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    for (int i = 0; i < result->growth_count; i++) {
        const gp_report_growth *row = &findings->build->report->growth.items[i];
        if (result->growth[i].limit_hit == GP_BOUND_SUPPLY && row->order_by != NULL &&
            row->buy_nodes > 0)
            return GP_FINDING_TEXT(findings, "order %s by %s",
                                   gp_build_count(findings->build, row->buy_nodes, "machine"),
                                   row->order_by);
    }
    return "order more machines one lead time ahead";
}

static const char *growth_fix(gp_findings *findings, bool machines) {
    return machines ? order_words(findings)
                    : "start raising the limit one lead time ahead, or place the growth "
                      "elsewhere";
}

/* "IT power at lulea" */
static const char *limit_words(gp_findings *findings, const gp_growth_limit *limit) {
    const char *what = resource_words(findings, limit);
    return limit->site == GP_NO_SITE
               ? what
               : GP_FINDING_TEXT(findings, "%s at %s", what,
                                 findings->build->result->sites.items[limit->site].name);
}

/* A limit each, with the month by the expected demand, or the quarter by the high scenario. */
static void growth_passes(gp_findings *findings, size_t index) {
    const gp_plan_result *result = findings->build->result;
    const gp_growth_limit *limit = &result->growth_limits[index];
    const bool expected = limit->passed > 0;
    const int64_t date = expected ? limit->passed : limit->passed_high;
    gp_report_finding *finding = gp_findings_say(
        findings, expected ? "GP3011" : "GP3017", GP_FINDING_AT(&result->document->spec.growth),
        GP_FOUND_AT(GP_FINDING_TEXT(findings, "site.horizon.limits.%zu.atHorizon", index)),
        growth_fix(findings, false), "the limit of %s on %s is exceeded in %.7s%s",
        GP_FINDING_QUANTITY(findings, limit->limit, limit->dim), limit_words(findings, limit),
        gp_build_date(findings->build, date),
        expected ? "" : " in the high scenario; not in the expected one within the horizon");
    finding->weight = -(double)date; /* the first speaks */
}

/* Demand that no machine of the kind carries any more. */
static void growth_without_place(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        if (row->limit_hit == GP_BOUND_NONE)
            continue;
        const bool machines = row->limit_hit == GP_BOUND_SUPPLY;
        const char *gpus = gp_build_count(findings->build, row->site.gpus, "GPU");
        const char *quarter = findings->build->report->growth.items[i].quarter;
        gp_findings_say(
            findings, "GP3011", GP_FINDING_AT(&result->document->spec.growth),
            GP_FOUND_AT(GP_FINDING_TEXT(findings, "growth.%d.limitHit", i)),
            growth_fix(findings, machines), "%s",
            machines ? GP_FINDING_TEXT(findings, "%s needs more machines than are available: %s",
                                       quarter, gpus)
                     : GP_FINDING_TEXT(findings, "the limit on %s is exceeded in %s, at %s",
                                       gp_build_bound_words(row->limit_hit), quarter, gpus));
        return;
    }
}

static void growth_hits_limit(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    bool told = false;
    for (int i = 0; i < result->growth_limit_count; i++) {
        const gp_growth_limit *limit = &result->growth_limits[i];
        /* More machines than today's are what the plan buys: the first quarter to say so speaks. */
        if (limit->resource == GP_RESOURCE_MACHINES)
            continue;
        told = told || limit->passed > 0;
        if (limit->passed > 0 || limit->passed_high > 0)
            growth_passes(findings, (size_t)i);
    }
    if (!told)
        growth_without_place(findings);
}

static bool tuning_stated(const gp_software *software) {
    const gp_origin *origin = GP_ORIGIN_OF(software, gp_software, tuning);
    return software->efficiency > 0 || origin->kind == GP_ORIGIN_SPEC ||
           origin->kind == GP_ORIGIN_FLAG || origin->kind == GP_ORIGIN_DERIVED;
}

/* One finding that names all workloads: it is one thing to do. */
static void tuning_assumed(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_workload *first = NULL;
    size_t count = 0;
    const char **names =
        GP_NEW_ARRAY(findings->build->arena, const char *, result->workloads.count + 1);
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload *workload = result->workloads.items[i].workload;
        if (tuning_stated(&workload->software) || workload->type == GP_WORKLOAD_SEATS ||
            gp_build_own_samples(&result->workloads.items[i]) > 0)
            continue;
        first = first != NULL ? first : workload;
        names[count++] = workload->name;
    }
    if (first == NULL)
        return;
    const bool group = first->software.meta.span.text != NULL;
    gp_report_finding *finding = gp_findings_say(
        findings, "GP3007",
        group ? GP_REF(&first->software, gp_software, tuning) : GP_REF(first, gp_workload, name),
        GP_FOUND_AT("performance.tokensPerS"),
        "set software.tuning or software.efficiency, or calibrate with measured runs",
        "the software tuning of %s is not stated; typical was assumed",
        gp_finding_list(findings, names, count));
    finding->workload = count == 1 ? first->name : NULL;
}

static void no_price(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_report_cost *cost = &findings->build->report->cost;
    if (cost->complete)
        return;
    gp_findings_say(findings, "GP6001", GP_FINDING_AT(&result->document->spec.costs),
                    GP_FOUND_AT("cost.totalPerYear"),
                    result->site.priced ? "add site.energy.price"
                                        : "add a Prices document and costs.prices",
                    "no price for %s, so the cost per year is not given",
                    gp_finding_list(findings, cost->missing.items, cost->missing.count));
}

static bool rents_spot(const gp_plan_result *result) {
    for (size_t u = 0; u < result->units.count; u++)
        if (result->units.items[u].is_spot)
            return true;
    return false;
}

/* "cloud:aws/p5.48xlarge/spot": what the instances that may be rented are called on spot. */
static const char *spot_ids(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const void *const *rows = NULL;
    size_t row_count = 0;
    size_t count = 0;
    if (gp_catalog_rows(result->catalog, GP_CATALOG_CLOUDS, &rows, &row_count) != GP_OK)
        return "";
    const char **ids = GP_NEW_ARRAY(findings->build->arena, const char *, row_count + 1);
    for (size_t i = 0; i < row_count; i++) {
        const gp_cloud *row = rows[i];
        for (size_t u = 0; u < result->units.count && gp_str_equal(row->term, "spot"); u++) {
            const gp_cloud *rented = result->units.items[u].cloud;
            if (rented != NULL && gp_str_equal(row->extends, rented->id))
                gp_build_name_once(ids, &count, GP_FINDING_TEXT(findings, "cloud:%s", row->id));
        }
    }
    return gp_finding_list(findings, ids, count);
}

/* How often spot machines are reclaimed, of which none may be rented: an instance is on demand, and
 * what it is on spot has an id of its own. */
static void spot_not_allowed(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_candidates *candidates = &result->document->spec.candidates;
    if (!(candidates->spot_interrupted_s > 0) || rents_spot(result))
        return;
    const char *ids = spot_ids(findings);
    gp_findings_say(findings, "GP6007", GP_REF(candidates, gp_candidates, spot_interrupted_s),
                    GP_FOUND_AT(NULL),
                    *ids != '\0'
                        ? GP_FINDING_TEXT(findings, "add %s to candidates.allow", ids)
                        : "add some to candidates.allow; `gpuplan catalog list clouds` has "
                          "their ids, which end in /spot",
                    "nothing runs on spot: candidates.allow names no spot machines");
}

static void objective_matters(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    if (!result->objective_changes_verdict || !result->objective_was_auto)
        return;
    gp_findings_say(
        findings, "GP6003", GP_REF(&result->document->spec.candidates, gp_candidates, objective),
        GP_FOUND_AT("summary.otherObjective"), "state candidates.objective",
        "with %s instead of %s the verdict of %s would change",
        gp_objective_name(result->other_objective), gp_objective_name(result->objective),
        gp_build_word(result->other_objective_workload));
}

static void unverified_data(gp_findings *findings) {
    const gp_report_data *data = &findings->build->report->data;
    if (data->unverified.count == 0)
        return;
    gp_findings_say(
        findings, "GP7001", GP_REF_NONE,
        GP_FOUND("data.unverifiedShare", data->unverified_share, 0, GP_DIM_FRACTION, true),
        "check the inputs listed in data.unverified, or override them with your own",
        "%s of the inputs behind the answer are unverified or assumed",
        GP_FINDING_QUANTITY(findings, data->unverified_share, GP_DIM_FRACTION));
}

gp_rule_function *const gp_rules_plan[] = {
    only_time_counts,  machines_shared,   tuning_assumed, not_proven,
    no_growth,         growth_hits_limit, no_price,       spot_not_allowed,
    objective_matters, unverified_data,   NULL,
};
