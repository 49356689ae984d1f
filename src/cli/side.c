/* Sides of a comparison: where they come from, and the plans and reports in them. */
#include "cli/diff.h"

#include <string.h>

#include "cli/locks.h"

static const char git_scheme[] = "git:";

static bool ends_in(const char *text, const char *suffix) {
    size_t len = strlen(text);
    size_t tail = strlen(suffix);
    return len >= tail && strcmp(text + len - tail, suffix) == 0;
}

static gp_exit check_side(gp_cli *cli, gp_side *side) {
    gp_overrides none = {0};
    gp_judged judged;
    gp_exit code = gp_judge_declared(&side->flow, &none, &judged);
    if (code != GP_EXIT_YES)
        return code;
    side->level = judged.level;
    side->checked.items = GP_NEW_ARRAY(cli->arena, gp_report *, judged.outcomes.count + 1);
    for (size_t i = 0; i < judged.outcomes.count; i++)
        side->checked.items[side->checked.count++] = judged.outcomes.items[i].report;
    return GP_EXIT_YES;
}

static gp_exit plan_side(gp_cli *cli, gp_side *side) {
    gp_overrides none = {0};
    gp_exit code = gp_flow_run(&side->flow, &none, &side->planned);
    if (code != GP_EXIT_YES)
        return code;
    side->is_spec = true;
    side->reports.items = GP_NEW_ARRAY(cli->arena, gp_report *, side->planned.count + 1);
    for (size_t i = 0; i < side->planned.count; i++)
        side->reports.items[side->reports.count++] = side->planned.items[i].report;
    return check_side(cli, side);
}

/* A report of `check` says itself from which level on it fails. */
static void take_checked(gp_cli *cli, gp_side *side) {
    side->checked.items = GP_NEW_ARRAY(cli->arena, gp_report *, side->reports.count + 1);
    for (size_t i = 0; i < side->reports.count; i++) {
        const char *fail_on = side->reports.items[i]->inputs.fail_on;
        for (int level = GP_LEVEL_NOTE; fail_on != NULL && level < GP_LEVEL_COUNT; level++) {
            if (strcmp(fail_on, gp_level_name((gp_level)level)) == 0) {
                side->level = (gp_level)level;
                side->checked.items[side->checked.count++] = side->reports.items[i];
            }
        }
    }
}

static gp_exit open_report(gp_cli *cli, gp_text *text, gp_side *side) {
    gp_diags diags;
    gp_diags_init(&diags, cli->arena);
    gp_words none = {0};
    gp_exit code = gp_flow_open(cli, &none, &side->flow);
    gp_status st = gp_report_parse(cli->arena, text, &diags, &side->reports);
    if (code == GP_EXIT_YES && st != GP_OK)
        return gp_status_exit(cli, st, &diags);
    if (code == GP_EXIT_YES)
        take_checked(cli, side);
    return code;
}

/* The lock that lay beside a spec in its revision; --lock goes before it. */
static gp_exit find_git_lock(gp_cli *cli, const char *revision, gp_flow *flow) {
    gp_text *lock = NULL;
    const char *colon = strchr(revision, ':');
    const char *slash = strrchr(revision, '/');
    const char *end = slash != NULL && slash > colon ? slash : colon;
    if (cli->settings.lock != NULL || end == NULL)
        return GP_EXIT_YES;
    const char *path =
        gp_arena_printf(cli->arena, "%.*sgpuplan.lock", (int)(end - revision + 1), revision);
    gp_exit code = gp_git_find(cli, path, &lock);
    return code != GP_EXIT_YES || lock == NULL ? code : gp_flow_set_lock(flow, lock);
}

/* Standard input has no name: a report says in its first lines what it is. */
static bool is_report(const gp_text *text) {
    enum { HEAD = 64 };
    static const char key[] = "\"schemaVersion\"";
    size_t len = text->len < HEAD ? text->len : HEAD;
    for (size_t i = 0; i + sizeof key - 1 <= len; i++) {
        if (memcmp(text->data + i, key, sizeof key - 1) == 0)
            return true;
    }
    return false;
}

static gp_exit open_text(gp_cli *cli, gp_text *text, const char *path, gp_side *side) {
    if (ends_in(path, ".json") || (strcmp(path, "-") == 0 && is_report(text)))
        return open_report(cli, text, side);
    gp_words none = {0};
    gp_exit code = gp_flow_open(cli, &none, &side->flow);
    if (code == GP_EXIT_YES)
        gp_flow_add_text(&side->flow, text);
    if (code == GP_EXIT_YES)
        code = find_git_lock(cli, text->name, &side->flow);
    return code == GP_EXIT_YES ? plan_side(cli, side) : code;
}

gp_exit gp_side_open(gp_cli *cli, const char *operand, gp_side *ret_side) {
    *ret_side = (gp_side){.is_spec = false};
    gp_text *text = NULL;
    if (strncmp(operand, git_scheme, sizeof git_scheme - 1) == 0) {
        gp_exit code = gp_git_read(cli, operand + sizeof git_scheme - 1, &text);
        return code == GP_EXIT_YES ? open_text(cli, text, operand, ret_side) : code;
    }
    if (ends_in(operand, ".json")) {
        gp_exit code = gp_file_read(cli, operand, &text);
        return code == GP_EXIT_YES ? open_report(cli, text, ret_side) : code;
    }
    if (strcmp(operand, "-") == 0) {
        gp_exit code = gp_file_read(cli, operand, &text);
        return code == GP_EXIT_YES ? open_text(cli, text, operand, ret_side) : code;
    }
    const char *items[] = {operand};
    gp_words words = {.count = 1, .capacity = 1, .items = items};
    gp_exit code = gp_flow_open(cli, &words, &ret_side->flow);
    return code == GP_EXIT_YES ? plan_side(cli, ret_side) : code;
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
