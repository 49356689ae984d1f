/* Sides of a comparison: where they come from, and the plans and reports in them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/diff.h"
#include "cli/locks.h"

/* ---- files of another revision, by the git program: `git show REV:PATH`, run without a shell */

/* The child's half: standard output into the pipe, then git. */
static void run_git(int out, const char *revision, bool quiet) {
    char program[] = "git";
    char verb[] = "show";
    char *copy = strdup(revision);
    char *const arguments[] = {program, verb, copy, NULL};
    int nothing = quiet ? open("/dev/null", O_WRONLY) : -1;
    if (nothing >= 0)
        (void)dup2(nothing, STDERR_FILENO);
    if (copy != NULL && dup2(out, STDOUT_FILENO) >= 0)
        (void)execvp(program, arguments);
    _exit(127);
}

/* Exit status of git, or -1. */
static int wait_for(pid_t child) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* The output of git as a text; NULL where *ret_status, which git ends with, is not 0. */
static gp_text *show(gp_cli *cli, const char *revision, bool quiet, int *ret_status) {
    int ends[2];
    size_t len = 0;
    if (pipe(ends) != 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    FILE *out = fdopen(ends[0], "rb");
    pid_t child = out == NULL ? -1 : fork();
    if (child == 0) {
        (void)close(ends[0]);
        run_git(ends[1], revision, quiet);
    }
    (void)close(ends[1]);
    if (child < 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    const char *data = gp_stream_read(cli->arena, out, GP_REPORT_MAX_BYTES, &len);
    (void)fclose(out);
    *ret_status = wait_for(child);
    return *ret_status == 0 || len > GP_REPORT_MAX_BYTES
               ? gp_bytes_text(cli, revision, data, len, GP_REPORT_MAX_BYTES)
               : NULL;
}

/* The output of `git show REV:PATH`, under the name REV:PATH. */
static gp_text *git_read(gp_cli *cli, const char *revision) {
    int status = 0;
    if (revision[0] == '-' || strchr(revision, ':') == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example git:main:plan.yaml",
                         "git:%s: expected REVISION:PATH", revision);
    gp_text *text = show(cli, revision, false, &status);
    if (text == NULL)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                         status == 127 ? "git is not installed" : "expected git:REVISION:PATH",
                         "git cannot show %s", revision);
    return text;
}

/* The same for a file that need not be there: NULL where git has none. */
static gp_text *git_find(gp_cli *cli, const char *revision) {
    int status = 0;
    return show(cli, revision, true, &status);
}

static const char git_scheme[] = "git:";

/* ---- sides */

void gp_side_plan(gp_side *side, const gp_side *other) {
    gp_overrides none = {0};
    gp_flow planned = side->flow;
    if (!side->is_spec)
        return;
    planned.once = other == NULL || other->is_spec || other->checked.count > 0;
    gp_flow_run(&planned, &none, &side->planned);
    side->reports = gp_outcomes_reports(side->flow.cli, &side->planned);
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
    const gp_text *lock = git_find(cli, path);
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
    side->is_spec = true;
}

void gp_side_open(gp_cli *cli, const char *operand, gp_side *ret_side) {
    const bool git = strncmp(operand, git_scheme, sizeof git_scheme - 1) == 0;
    const bool json = gp_str_ends(operand, ".json");
    *ret_side = (gp_side){.is_spec = false};
    if (!git && !json && strcmp(operand, "-") != 0) {
        open_spec(cli, operand, NULL, ret_side);
        return;
    }
    gp_text *text = git ? git_read(cli, operand + sizeof git_scheme - 1)
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
