/*
 * The five checks. Each is the worst level of the rules that the rule table assigns to it; a check
 * without its inputs is not assessed and names the keys to add.
 */
#include "base/str.h"
#include "report/findings.h"

enum { MISSING_MAX = 4, CHECKS = 5 };

/* Adds the keys that the spec would have to have, or says why else nothing can be judged. */
typedef void find_missing(gp_build *build, gp_report_check *ret);

typedef struct check_row {
    const char *id;
    const char *good; /* the reason when nothing speaks against it */
    find_missing *missing;
    const char *open; /* the reason where nothing speaks against it but inputs are missing */
} check_row;

static void need(gp_report_check *check, bool there, const char *key) {
    if (!there && check->missing.count < MISSING_MAX)
        GP_NEXT(check->missing) = key;
}

static void resources_missing(gp_build *build, gp_report_check *ret) {
    need(ret, build->result->workloads.count > 0, "workloads");
}

/* A network nobody described is assumed; that is no assessment. */
static void network_missing(gp_build *build, gp_report_check *ret) {
    need(ret, GP_NAMED(build->report->findings, id, "GP4004") == NULL, "cluster.fabrics");
}

static bool software_given(const gp_software *software) {
    static const size_t offsets[] = {offsetof(gp_software, framework),
                                     offsetof(gp_software, engine), offsetof(gp_software, release),
                                     offsetof(gp_software, tuning),
                                     offsetof(gp_software, efficiency)};
    for (size_t i = 0; i < GP_COUNT_OF(offsets); i++) {
        int kind = gp_origin_at(&software->meta, offsets[i])->kind;
        if (kind == GP_ORIGIN_SPEC || kind == GP_ORIGIN_FLAG)
            return true;
    }
    return false;
}

/* A change that saves is told whatever the spec says; that none does counts only where the spec
 * says what each workload runs on. */
static void software_missing(gp_build *build, gp_report_check *ret) {
    bool given = true;
    for (size_t i = 0; i < build->result->workloads.count; i++)
        given = given && software_given(&build->result->workloads.items[i].workload->software);
    given = given || software_given(&build->result->document->spec.defaults.software);
    need(ret, given, "workloads[].software");
}

static void limits_missing(const gp_site *site, const gp_site_plan *planned, gp_report_check *ret) {
    const char *keys[GP_SITE_LIMITS];
    const size_t count = gp_site_unstated(site, planned, keys);
    for (size_t i = 0; i < count; i++)
        need(ret, false, keys[i]);
}

/* Of several sites the first that leaves something out is told. */
static void site_missing(gp_build *build, gp_report_check *ret) {
    const gp_plan_result *result = build->result;
    if (result->sites.count == 0)
        limits_missing(&result->document->spec.site, &result->site, ret);
    for (size_t i = 0; i < result->sites.count && ret->missing.count == 0; i++)
        limits_missing(&result->sites.items[i].document.spec.site, &result->sites.items[i].site,
                       ret);
}

/* What has no place today is in no quarter, and a budget says nothing of what has no price. */
static void growth_missing(gp_build *build, gp_report_check *ret) {
    const gp_report *report = build->report;
    const gp_report_horizon *horizon = report->site.horizon;
    const bool there = build->result->growth_count > 0;
    const gp_report_workload *out =
        GP_NAMED(report->workloads, recommendation.scale, gp_scale_name(GP_SCALE_INFEASIBLE));
    need(ret, there, "growth.horizon");
    need(ret, there, "growth.scenarios.expected");
    for (size_t i = 0; horizon != NULL && i < horizon->limits.count; i++)
        if (!isfinite(horizon->limits.items[i].at_horizon))
            ret->reason = "the budget was not judged: prices are missing";
    if (there && out != NULL)
        ret->reason = gp_build_text(build, "not judged: %s has no place today", out->name);
}

static const check_row rows[CHECKS] = {
    {"resources", "every workload fits with its headroom and meets its goals", resources_missing,
     "the spec has no workloads"},
    {"network", "no workload waits long on the network", network_missing, "the network is assumed"},
    {"software", "no software change alone saves a tenth of the GPUs", software_missing,
     "no software change saves a tenth of the GPUs, but the software in use is assumed"},
    {"powerCooling", "power, cooling and racks are sufficient", site_missing,
     "the site's limits are not stated"},
    {"scalability", "no limit is reached within the horizon", growth_missing,
     "no growth is stated"},
};

static int severity(const gp_report_finding *finding) {
    if (gp_str_equal(finding->level, gp_level_name(GP_LEVEL_ERROR)))
        return GP_LEVEL_ERROR;
    return gp_str_equal(finding->level, gp_level_name(GP_LEVEL_WARNING)) ? GP_LEVEL_WARNING
                                                                         : GP_LEVEL_NOTE;
}

static bool speaks_louder(const gp_report_finding *finding, const gp_report_finding *than) {
    return gp_str_equal(finding->id, than->id) && gp_str_equal(finding->level, than->level) &&
           finding->weight > than->weight;
}

static const char *reason_of(gp_build *build, const gp_report_finding *finding) {
    if (finding->workload == NULL)
        return finding->message;
    return gp_build_text(build, "%s: %s", finding->workload, finding->message);
}

/* Findings come gravest first, so the first one of a check is its worst. */
static void collect(gp_build *build, gp_report_check *check, int *ret_worst) {
    const gp_report *report = build->report;
    const gp_report_finding *worst = NULL;
    GP_ROOM(build->arena, &check->findings, report->findings.count);
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        if (!gp_str_equal(gp_report_rule_named(finding->id)->check, check->id))
            continue;
        if (worst == NULL || speaks_louder(finding, worst))
            worst = finding;
        gp_build_name_once(check->findings.items, &check->findings.count, finding->id);
    }
    *ret_worst = worst != NULL ? severity(worst) : GP_LEVEL_NOTE;
    if (*ret_worst > GP_LEVEL_NOTE)
        check->reason = reason_of(build, worst);
}

static void judge(gp_build *build, const check_row *row, gp_report_check *ret) {
    static const char *const levels[] = {
        [GP_LEVEL_NOTE] = "ok", [GP_LEVEL_WARNING] = "warning", [GP_LEVEL_ERROR] = "fail"};
    int worst = GP_LEVEL_NOTE;
    ret->id = row->id;
    GP_ROOM(build->arena, &ret->missing, MISSING_MAX);
    row->missing(build, ret);
    if (ret->missing.count > 0)
        ret->reason = row->open;
    const bool open = ret->reason != NULL;
    ret->reason = open ? ret->reason : row->good;
    collect(build, ret, &worst);
    ret->level = open && worst == GP_LEVEL_NOTE ? "notAssessed" : levels[worst];
}

void gp_build_checks(gp_build *build) {
    gp_report *report = build->report;
    report->checks.items = GP_NEW_ARRAY(build->arena, gp_report_check, CHECKS);
    report->checks.count = CHECKS;
    for (size_t i = 0; i < CHECKS; i++)
        judge(build, &rows[i], &report->checks.items[i]);
}
