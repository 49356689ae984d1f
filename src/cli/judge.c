/*
 * What `check` says of plans, and `diff` of both its sides: what is declared, by goals, limits, the
 * built-in rules and policies.
 */
#include "cli/flow.h"

void gp_policies_read(gp_flow *flow, gp_policy_list *ret_list) {
    const size_t own = flow->spec.policies.count;
    const size_t flags = flow->flag_policies.count;
    const gp_policy **items = GP_NEW_ARRAY(flow->cli->arena, const gp_policy *, own + flags + 1);
    for (size_t i = 0; i < own; i++)
        items[i] = flow->spec.policies.items[i];
    for (size_t i = 0; i < flags; i++)
        items[own + i] = flow->flag_policies.items[i];
    ret_list->items = items;
    ret_list->count = own + flags;
}

static bool has_waivers(const gp_policy_list *policies) {
    for (size_t i = 0; i < policies->count; i++)
        if (policies->items[i]->waivers.count > 0)
            return true;
    return false;
}

/* The flag, else the strictest of the policies, else error. */
static gp_level fail_level(const gp_cli *cli, const gp_policy_list *policies) {
    gp_level level = GP_LEVEL_ERROR;
    if (cli->settings.fail_on > 0)
        return (gp_level)(cli->settings.fail_on - 1);
    for (size_t i = 0; i < policies->count; i++)
        if (policies->items[i]->fail_on < (int)level)
            level = (gp_level)policies->items[i]->fail_on;
    return level;
}

static void judge_all(gp_flow *flow, const gp_policy_list *policies, int64_t today,
                      gp_judged *judged) {
    gp_cli *cli = flow->cli;
    for (size_t i = 0; i < judged->outcomes.count; i++) {
        gp_report *report = judged->outcomes.items[i].report;
        if (cli->settings.now != NULL)
            gp_report_expire(cli->arena, report, today);
        gp_status st = gp_report_judge(cli->arena, report, policies->items, policies->count, today,
                                       &flow->diags);
        gp_check(cli, st, &flow->diags);
        report->inputs.fail_on = gp_level_name(judged->level);
        if (has_waivers(policies) || (cli->settings.now != NULL && report->cost.quote_valid_until))
            report->inputs.now = gp_day_text(cli->arena, today);
    }
}

void gp_judge_declared(gp_flow *flow, const gp_overrides *fixed, gp_judged *ret) {
    gp_policy_list policies = {0};
    gp_flow declared = *flow;
    *ret = (gp_judged){.level = GP_LEVEL_ERROR};
    declared.declared_only = true;
    const int64_t today = gp_day_find(flow->cli);
    gp_flow_run(&declared, fixed, &ret->outcomes);
    gp_policies_read(&declared, &policies);
    ret->level = fail_level(flow->cli, &policies);
    judge_all(&declared, &policies, today, ret);
}

bool gp_judged_holds(const gp_judged *judged, size_t plan) {
    return gp_report_worst_level(judged->outcomes.items[plan].report) < (int)judged->level;
}
