/*
 * The `diff` command: what changed between two specs, folders, revisions or reports, and which line
 * caused it. Where both sides are specs, the plan is made again with each change alone.
 */
#include "cli/diff.h"
#include <math.h>

#include <string.h>

#include "render/forms.h"

enum { EFFECTS_MAX = 32 }; /* changes that are planned again */

static const char *const diff_forms[] = {"text", "json", "markdown", NULL};

static const gp_opt diff_options[] = {
    GP_FORM(diff_forms,
            "Form on standard output: text, json, or markdown for a comment on a pull request."),
    GP_FILES("policy", policies, "Policy whose diff.METRIC rules apply to the change. Repeatable.",
             .key = "policies"),
    GP_OPTIONS_JUDGED,
    GP_SWITCH("exit-code", exit_code, "Also exit with 1 when anything changed."),
    GP_NUMBER("max-bytes", max_bytes, "N", 2000, 1000000,
              "Size limit of the Markdown form in bytes; whole sections are left out to stay below "
              "it (60000)."),
    GP_OPTIONS_LAID,
    GP_OPTION_WIDTH,
};

/* Whether the change moves the workload, and how. */
static bool effect_on(const gp_report_workload *base, const gp_report_workload *head,
                      gp_diff_effect *ret) {
    const gp_report_recommendation *before = &base->recommendation;
    const gp_report_recommendation *after = &head->recommendation;
    int64_t gpus_before = before->chosen.feasible ? before->chosen.gpus : 0;
    int64_t gpus_after = after->chosen.feasible ? after->chosen.gpus : 0;
    *ret = (gp_diff_effect){
        .workload = head->name,
        .gpus = gpus_after - gpus_before,
        .base_scale = before->scale,
        .head_scale = after->scale,
        .base_system = before->chosen.feasible ? before->chosen.system : NULL,
        .head_system = after->chosen.feasible ? after->chosen.system : NULL,
    };
    return ret->gpus != 0 || !gp_str_equal(before->scale, after->scale) ||
           !gp_str_equal(ret->base_system, ret->head_system);
}

static double moved(double base, double head, gp_dim dim) {
    return isfinite(base) && isfinite(head) && gp_diff_is_same(base, head, dim) ? 0 : head - base;
}

static void fill_effects(gp_cli *cli, const gp_report *base, const gp_report *head,
                         gp_diff_cause *cause) {
    cause->measured = true;
    cause->gpus = head->summary.gpus - base->summary.gpus;
    cause->nodes = head->summary.nodes - base->summary.nodes;
    cause->it_power_w = moved(base->summary.it_power_w, head->summary.it_power_w, GP_DIM_POWER);
    cause->capital = moved(base->summary.capital, head->summary.capital, GP_DIM_MONEY);
    cause->cost_per_year =
        moved(base->summary.cost_per_year, head->summary.cost_per_year, GP_DIM_MONEY);
    cause->effects.items = GP_NEW_ARRAY(cli->arena, gp_diff_effect, head->workloads.count + 1);
    for (size_t i = 0; i < head->workloads.count; i++) {
        const gp_report_workload *it = &head->workloads.items[i];
        const gp_report_workload *other = GP_NAMED(base->workloads, name, it->name);
        gp_diff_effect effect;
        if (other != NULL && effect_on(other, it, &effect))
            GP_NEXT(cause->effects) = effect;
    }
}

static const gp_report *report_named(const gp_outcomes *outcomes, const char *plan) {
    for (size_t i = 0; i < outcomes->count; i++)
        if (strcmp(outcomes->items[i].report->summary.plan, plan) == 0)
            return outcomes->items[i].report;
    return NULL;
}

/* The side planned once more with one value changed; NULL where that alone makes no valid plan. */
static const gp_report *plan_with(gp_side *side, const char *plan, const char *path,
                                  const char *value) {
    gp_override set = {path, value};
    gp_overrides overrides = {.count = 1, .items = &set};
    gp_outcomes outcomes = {0};
    gp_flow flow = side->flow;
    flow.once = true;
    return gp_flow_try(&flow, &overrides, &outcomes) == GP_EXIT_YES ? report_named(&outcomes, plan)
                                                                    : NULL;
}

/* A value that came or changed is set in the base; one that went is set back in the head. */
static void measure(gp_cli *cli, gp_side *base, gp_side *head, const gp_diff *diff,
                    const gp_spec_change *change, gp_diff_cause *cause) {
    const bool back = change->head == NULL;
    gp_side *side = back ? head : base;
    const gp_report *own = gp_side_report(side, diff->plan);
    const gp_report *other =
        plan_with(side, own->summary.plan, change->path, back ? change->base : change->head);
    cause->not_alone = other == NULL;
    if (other != NULL)
        fill_effects(cli, back ? other : own, back ? own : other, cause);
}

static gp_diff_cause cause_of(const gp_spec_change *change) {
    gp_diff_cause cause = gp_diff_cause_new("spec", change->path, change->base, change->head);
    cause.span = change->span;
    if (change->span.text != NULL) {
        gp_place place = gp_span_place(change->span);
        cause.file = change->span.text->name;
        cause.line = (int64_t)place.line;
        cause.column = (int64_t)place.column;
    }
    return cause;
}

/* A report does not hold its spec: that it is another one is all that can be told. */
static void compare_digests(gp_cli *cli, const gp_report *base, const gp_report *head,
                            gp_spec_changes *ret) {
    const gp_report_file *before = &base->inputs.spec;
    const gp_report_file *after = &head->inputs.spec;
    if (gp_str_equal(before->sha256, after->sha256))
        return;
    GP_ROOM(cli->arena, ret, 1);
    GP_NEXT(*ret) =
        (gp_spec_change){.path = after->path, .base = before->sha256, .head = after->sha256};
}

/* A price that a line of the specs tells, with its place. */
static bool is_told(const gp_spec_changes *changes, const gp_diff_cause *cause) {
    for (size_t i = 0; i < changes->count; i++)
        if (strcmp(cause->kind, "prices") == 0 &&
            strncmp(changes->items[i].path, "prices.", strlen("prices.")) == 0 &&
            strstr(changes->items[i].path, cause->path) != NULL)
            return true;
    return false;
}

/* Those that the reports tell, without what the specs tell better. */
static size_t keep_untold(const gp_spec_changes *changes, gp_diff *diff) {
    size_t kept = 0;
    for (size_t i = 0; i < diff->causes.count; i++)
        if (!is_told(changes, &diff->causes.items[i]))
            diff->causes.items[kept++] = diff->causes.items[i];
    return kept;
}

static void add_spec_causes(gp_cli *cli, gp_side *base, gp_side *head, gp_diff *diff) {
    const gp_report *own = gp_side_report(base, diff->plan);
    const gp_text *before = gp_side_text(base, diff->plan);
    const gp_text *after = gp_side_text(head, diff->plan);
    gp_spec_changes changes = {0};
    gp_status st = GP_OK;
    if (before == NULL || after == NULL)
        compare_digests(cli, own, gp_side_report(head, diff->plan), &changes);
    else
        st = gp_spec_compare(cli->arena, before, own->summary.plan, after, diff->plan, &changes);
    if (st != GP_OK)
        gp_complain(cli, GP_EXIT_INPUT, "the specs of plan %s cannot be compared (%s)", diff->plan,
                    gp_status_name(st));
    const gp_diff_cause *told = diff->causes.items;
    const size_t told_count = keep_untold(&changes, diff);
    GP_ROOM(cli->arena, &diff->causes, changes.count + told_count);
    for (size_t i = 0; i < changes.count; i++) {
        gp_diff_cause *cause = &GP_NEXT(diff->causes);
        *cause = cause_of(&changes.items[i]);
        if (changes.count == 1 && told_count == 0)
            fill_effects(cli, own, gp_side_report(head, diff->plan), cause);
        else if (changes.items[i].settable && i < EFFECTS_MAX)
            measure(cli, base, head, diff, &changes.items[i], cause);
    }
    for (size_t i = 0; i < told_count; i++)
        GP_NEXT(diff->causes) = told[i];
}

/* ---- pairs of plans */

/* A report of `size` does not say what holds as declared; what fails with all that may be bought
 * fails without it, too. */
static const char *sized_verdict(const gp_cli *cli, const gp_report *report, const char *known) {
    const int fail_on = cli->settings.fail_on;
    if (known != NULL || report == NULL)
        return known;
    const bool fails =
        !report->summary.feasible || (fail_on > 0 && gp_report_worst_level(report) >= fail_on - 1);
    return fails ? "fails" : NULL;
}

static void compare_pair(gp_cli *cli, gp_side *base, gp_side *head, const char *plan,
                         gp_diff **ret_diff) {
    const gp_report *before = gp_side_report(base, plan);
    const gp_report *after = gp_side_report(head, plan);
    gp_diff_of(cli->arena, before, after, ret_diff);
    gp_diff_check(cli->arena, *ret_diff, gp_side_checked(base, plan), base->level,
                  gp_side_checked(head, plan), head->level);
    (*ret_diff)->base_verdict = sized_verdict(cli, before, (*ret_diff)->base_verdict);
    (*ret_diff)->head_verdict = sized_verdict(cli, after, (*ret_diff)->head_verdict);
    if (before != NULL && after != NULL)
        add_spec_causes(cli, base, head, *ret_diff);
}

/* Plans of the head in its order, then those that only the base has. */
static void compare_all(gp_cli *cli, gp_side *base, gp_side *head, gp_diff_list *list) {
    list->items =
        GP_NEW_ARRAY(cli->arena, gp_diff *, base->reports.count + head->reports.count + 1);
    for (size_t i = 0; i < head->reports.count; i++)
        compare_pair(cli, base, head, head->reports.items[i]->summary.plan, &GP_NEXT(*list));
    for (size_t i = 0; i < base->reports.count; i++) {
        const char *plan = base->reports.items[i]->summary.plan;
        if (base->alias == NULL && gp_side_report(head, plan) == NULL)
            compare_pair(cli, base, head, plan, &GP_NEXT(*list));
    }
}

/* Two plans of different names, one on each side, are bids for the same: they are compared. */
static void pair_single(gp_side *base, const gp_side *head) {
    if (base->reports.count == 1 && head->reports.count == 1)
        base->alias = head->reports.items[0]->summary.plan;
}

/* ---- policies */

static void judge(gp_flow *flow, gp_side *base, gp_side *head, gp_diff_list *list,
                  bool *ret_failed) {
    gp_cli *cli = flow->cli;
    gp_policy_list policies = {0};
    gp_policies_read(flow, &policies);
    for (size_t i = 0; i < list->count; i++) {
        gp_diff *diff = list->items[i];
        gp_status st = gp_diff_judge(cli->arena, diff, gp_side_report(base, diff->plan),
                                     gp_side_report(head, diff->plan), policies.items,
                                     policies.count, &flow->diags);
        gp_check(cli, st, &flow->diags);
        for (size_t k = 0; k < diff->breaches.count; k++)
            *ret_failed = *ret_failed || strcmp(diff->breaches.items[k].level, "error") == 0;
        *ret_failed = *ret_failed || gp_diff_fails(diff);
    }
}

static bool any_changed(const gp_diff_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i]->state, "same") != 0)
            return true;
    return false;
}

static void write_diff(gp_cli *cli, const gp_diff_list *list) {
    const int format = cli->settings.form > 0 ? cli->settings.form - 1 : 0;
    const char *text = NULL;
    size_t len = 0;
    gp_render_options options = {.width = gp_terminal_width(cli),
                                 .colour = gp_terminal_colour(cli),
                                 .max_bytes = (size_t)cli->settings.max_bytes};
    gp_status st = gp_forms_render(cli->arena, &gp_forms_diff, diff_forms[format], list, &options,
                                   &text, &len);
    if (st != GP_OK)
        gp_complain(cli, GP_EXIT_INTERNAL, "cannot write the form '%s' (%s)", diff_forms[format],
                    gp_status_name(st));
    gp_stdout_write(cli, text, len);
}

static void run_diff(gp_cli *cli) {
    gp_side base;
    gp_side head;
    gp_diff_list list = {0};
    bool failed = false;
    gp_side_open(cli, cli->settings.operands.items[0], &base);
    gp_side_open(cli, cli->settings.operands.items[1], &head);
    gp_side_plan(&base, &head);
    gp_side_plan(&head, &base);
    gp_side_check(&base);
    gp_side_check(&head);
    pair_single(&base, &head);
    compare_all(cli, &base, &head, &list);
    judge(&head.flow, &base, &head, &list, &failed);
    write_diff(cli, &list);
    if (failed || (cli->settings.exit_code && any_changed(&list)))
        cli->answer = GP_EXIT_NO;
}

const gp_command gp_command_diff = {
    .name = "diff",
    .operands = "BASE HEAD",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "Show what changed between two specs or reports, and which line caused it.",
    .details =
        "First says whether the plan still holds, and exits like `check` of the newer side; "
        "of a report that `size` wrote, like `size`. Each side is a spec, a folder of "
        "specs, a report.json, or git:REVISION:PATH. "
        "Between specs, the plan is made again with each change alone, to tell the lines "
        "that matter from those that do not. Two plans of different names (metadata.name) are "
        "offers: what each buys is listed, item by item.",
    .examples = "  gpuplan diff git:main:plan.yaml plan.yaml -f markdown\n"
                "  gpuplan diff bidA.yaml bidB.yaml\n"
                "  gpuplan diff last/report.json plan.yaml --exit-code\n",
    GP_OPTIONS(diff_options),
    .run = run_diff,
};
