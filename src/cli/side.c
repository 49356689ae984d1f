/* Sides of a comparison: where they come from, and the plans and reports in them. */
#include "cli/diff.h"

#include <string.h>

#include "cli/locks.h"

static const char git_scheme[] = "git:";

static void plan_side(gp_cli *cli, gp_side *side) {
    gp_overrides none = {0};
    gp_flow planned = side->flow;
    planned.once = true;
    gp_flow_run(&planned, &none, &side->planned);
    side->is_spec = true;
    side->reports = gp_outcomes_reports(cli, &side->planned);
}

void gp_side_check(gp_side *side) {
    gp_overrides none = {0};
    gp_judged judged;
    if (!side->is_spec)
        return;
    gp_judge_declared(&side->flow, &none, &judged);
    side->level = judged.level;
    side->checked = gp_outcomes_reports(side->flow.cli, &judged.outcomes);
}

/* A report of `check` says itself from which level on it fails. */
static void take_checked(gp_cli *cli, gp_side *side) {
    const int fail_on = cli->settings.fail_on;
    side->level = fail_on > 0 ? (gp_level)(fail_on - 1) : GP_LEVEL_ERROR;
    side->checked.items = GP_NEW_ARRAY(cli->arena, gp_report *, side->reports.count + 1);
    for (size_t i = 0; i < side->reports.count; i++) {
        const int level = gp_level_named(side->reports.items[i]->inputs.fail_on);
        if (level < 0)
            continue;
        side->level = (gp_level)level;
        GP_NEXT(side->checked) = side->reports.items[i];
    }
}

static void open_report(gp_cli *cli, gp_text *text, gp_side *side) {
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_words none = {0};
    gp_flow_open(cli, &none, &side->flow);
    gp_status st = gp_report_parse(cli->arena, text, &diags, &side->reports);
    gp_check(cli, st, &diags);
    take_checked(cli, side);
}

/* The lock that lay beside a spec in its revision; --lock goes before it. */
static void find_git_lock(gp_cli *cli, const char *revision, gp_flow *flow) {
    const char *colon = strchr(revision, ':');
    const char *slash = strrchr(revision, '/');
    const char *end = slash != NULL && slash > colon ? slash : colon;
    if (cli->settings.lock != NULL || end == NULL)
        return;
    const char *path =
        gp_arena_printf(cli->arena, "%.*sgpuplan.lock", (int)(end - revision + 1), revision);
    const gp_text *lock = gp_git_find(cli, path);
    if (lock != NULL)
        gp_flow_set_lock(flow, lock);
}

/* Standard input has no name: a report says in its first lines what it is. */
static bool is_report(const gp_text *text) {
    enum { HEAD = 64 };
    static const char key[] = "\"schemaVersion\"";
    size_t len = text->len < HEAD ? text->len : HEAD;
    for (size_t i = 0; i + sizeof key - 1 <= len; i++)
        if (memcmp(text->data + i, key, sizeof key - 1) == 0)
            return true;
    return false;
}

/* `operand` is NULL where the text is all there is. */
static void open_spec(gp_cli *cli, const char *operand, gp_text *text, gp_side *side) {
    gp_words words = {.count = operand == NULL ? 0 : 1, .items = &operand};
    gp_flow_open(cli, &words, &side->flow);
    if (text != NULL) {
        gp_flow_add_text(&side->flow, text);
        find_git_lock(cli, text->name, &side->flow);
    }
    plan_side(cli, side);
}

void gp_side_open(gp_cli *cli, const char *operand, gp_side *ret_side) {
    const bool git = strncmp(operand, git_scheme, sizeof git_scheme - 1) == 0;
    const bool json = gp_str_ends(operand, ".json");
    *ret_side = (gp_side){.is_spec = false};
    if (!git && !json && strcmp(operand, "-") != 0) {
        open_spec(cli, operand, NULL, ret_side);
        return;
    }
    gp_text *text = git ? gp_git_read(cli, operand + sizeof git_scheme - 1)
                        : gp_file_read_most(cli, operand, GP_REPORT_MAX_BYTES);
    if (json || (!git && is_report(text)))
        open_report(cli, text, ret_side);
    else
        open_spec(cli, NULL, text, ret_side);
}

static const gp_report *named(const gp_side *side, const gp_report_list *list, const char *plan) {
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i]->summary.plan;
        if (name != NULL && strcmp(name, plan) == 0)
            return list->items[i];
    }
    return list->count > 0 && side->alias != NULL && strcmp(side->alias, plan) == 0 ? list->items[0]
                                                                                    : NULL;
}

const gp_report *gp_side_report(const gp_side *side, const char *plan) {
    return named(side, &side->reports, plan);
}

const gp_report *gp_side_checked(const gp_side *side, const char *plan) {
    return named(side, &side->checked, plan);
}

const gp_text *gp_side_text(const gp_side *side, const char *plan) {
    const gp_report *report = gp_side_report(side, plan);
    return side->is_spec && report != NULL ? report->inputs.spec.text : NULL;
}
