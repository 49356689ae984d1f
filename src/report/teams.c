/* Teams in the report: what each holds, borrows and lends, and the findings about them. */
#include "report/build.h"
#include "report/findings.h"
#include "report/value.h"

#include "base/num.h"
#include "base/str.h"

static void fill(gp_build *build, const gp_team_plan *team, gp_report_team *ret) {
    const gp_plan_result *result = build->result;
    gp_report_clear(&gp_report_team_type, ret);
    ret->name = team->team->name;
    ret->quota_gpus = team->quota;
    ret->borrowing_gpus = team->limited ? team->team->borrow_gpus : GP_REPORT_NO_COUNT;
    ret->held_gpus = team->held;
    ret->staying_gpus = team->staying;
    ret->borrowed_gpus = team->borrowed;
    ret->lent_gpus = team->lent;
    ret->wait_p95_s = team->queued && isfinite(team->wait_s) ? team->wait_s : GP_REPORT_NO_REAL;
    ret->wait_alone_p95_s =
        team->queued && isfinite(team->wait_alone_s) ? team->wait_alone_s : GP_REPORT_NO_REAL;
    ret->workloads.items = GP_NEW_ARRAY(build->arena, const char *, result->workloads.count + 1);
    for (size_t i = 0; i < result->workloads.count; i++)
        if (gp_str_equal(result->workloads.items[i].workload->team, ret->name))
            GP_NEXT(ret->workloads) = result->workloads.items[i].workload->name;
}

void gp_build_teams(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    report->teams.items = GP_NEW_ARRAY(build->arena, gp_report_team, result->teams.count + 1);
    for (size_t i = 0; i < result->teams.count; i++)
        fill(build, &result->teams.items[i], &GP_NEXT(report->teams));
}

/* GPUs by which quotas would add up to more than there is, were one raised by so many. */
static int64_t beyond_all(const gp_findings *findings, int64_t more) {
    const gp_plan_result *result = findings->build->result;
    return result->promised_gpus + more - gp_num_floor_count(result->site.there_gpus);
}

static void team_over(gp_findings *findings, const gp_team_plan *team, size_t index) {
    const bool room = beyond_all(findings, team->over) <= 0;
    gp_findings_say(
        findings, "GP3041", GP_REF(team->team, gp_team, name),
        GP_FOUND(GP_FINDING_TEXT(findings, "teams.%zu.heldGpus", index), (double)team->held,
                 (double)(team->held - team->over), GP_DIM_COUNT, true),
        GP_FINDING_TEXT(findings, "raise its %s by %s",
                        room ? "quota or its borrowing" : "borrowing",
                        gp_build_count(findings->build, team->over, "GPU")),
        "team %s needs %lld GPUs and may use %lld of its own plus %lld borrowed", team->team->name,
        (long long)team->held, (long long)team->quota, (long long)team->team->borrow_gpus);
}

/* The team that leaves most of its quota to others, but for one. */
static const gp_team_plan *largest_lender(const gp_plan_result *result, const gp_team_plan *but) {
    const gp_team_plan *most = NULL;
    for (size_t i = 0; i < result->teams.count; i++) {
        const gp_team_plan *team = &result->teams.items[i];
        if (team != but && (most == NULL || team->lent > most->lent))
            most = team;
    }
    return most;
}

/* Quotas that add up to no more than there is: what it lacks is another's who does not use it. */
static const char *enough_quota(const gp_findings *findings, const gp_team_plan *team) {
    const gp_team_plan *lender = largest_lender(findings->build->result, team);
    const int64_t beyond = beyond_all(findings, team->staying - team->quota);
    const char *own =
        GP_FINDING_TEXT(findings, "give it a quota of %lld GPUs", (long long)team->staying);
    if (beyond <= 0)
        return own;
    return lender != NULL && lender->lent >= beyond
               ? GP_FINDING_TEXT(findings, "%s and team %s one of %lld", own, lender->team->name,
                                 (long long)(lender->quota - beyond))
               : GP_FINDING_TEXT(findings, "%s and add machines for %lld", own, (long long)beyond);
}

static void team_at_risk(gp_findings *findings, const gp_team_plan *team, size_t index) {
    gp_findings_say(findings, "GP3042", GP_REF(team->team, gp_team, name),
                    GP_FOUND(GP_FINDING_TEXT(findings, "teams.%zu.stayingGpus", index),
                             (double)team->staying, (double)team->quota, GP_DIM_COUNT, true),
                    enough_quota(findings, team),
                    "services and seats of team %s need %lld GPUs, of which %lld "
                    "are its own: the borrowed rest may be reclaimed",
                    team->team->name, (long long)team->staying, (long long)team->quota);
}

void gp_findings_teams(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const double all = result->site.there_gpus;
    for (size_t i = 0; i < result->teams.count; i++) {
        const gp_team_plan *team = &result->teams.items[i];
        if (team->over > 0)
            team_over(findings, team, i);
        else if (team->staying > team->quota)
            team_at_risk(findings, team, i);
    }
    if (result->teams.count == 0 || (double)result->promised_gpus <= all)
        return;
    gp_findings_say(findings, "GP3043", GP_REF(&result->document->spec, gp_plan_spec, teams),
                    GP_FOUND_AT(NULL), "lower the quotas, or add machines",
                    "quotas add up to %lld GPUs; %lld are installed or rented",
                    (long long)result->promised_gpus, (long long)all);
}
