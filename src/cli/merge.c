/*
 * The `merge` command: parts of a sweep that were run apart, put together; and writing a study,
 * which `sweep` does as well. Of each part one line is in memory at a time.
 */
#include "cli/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gp_study_choices[] = {"text", "json", "csv", "markdown", "html", NULL};

/* ---- writing */

const gp_result_kind gp_study_results = {
    .forms = &gp_forms_study,
    .extensions = ".txt, .json, .csv, .md or .html",
    .streamed = true,
};

void gp_study_write(gp_cli *cli, const gp_study *study) {
    gp_results_write(cli, &gp_study_results, cli->settings.form, study);
    if (study->feasible == 0)
        cli->answer = GP_EXIT_NO;
}

/* ---- the command */

static const gp_opt merge_options[] = {
    GP_OPTION_STUDY_FORMAT,
    GP_OPTION_STUDY_OUTPUT,
    GP_OPTION_WIDTH,
};

/* A study in JSON has its points on lines of their own, behind this one. */
static const char points_line[] = "  \"points\": [\n";

typedef struct part {
    const char *path;
    FILE *file;      /* NULL: it was written by another hand, and read as a whole */
    gp_study *study; /* its head, or all of it */
    size_t at;       /* the next of its points, where it has them all */
    char *line;      /* the next of them, where it has not */
    size_t room;
    ssize_t len;
    long body;      /* where the first of them stands */
    int64_t number; /* of the next; 0: there is none */
} part;

typedef struct merging {
    gp_cli *cli;
    part *parts;
    size_t count;
    int64_t last; /* number of the point before */
    const char *problem;
} merging;

/* "    {"number": 12, ..." */
static void next_line(part *p) {
    static const char key[] = "{\"number\": ";
    p->number = 0;
    if (p->file == NULL) {
        if (p->at < p->study->points.count)
            p->number = p->study->points.items[p->at].number;
        return;
    }
    p->len = getline(&p->line, &p->room, p->file);
    const char *found = p->len < 0 ? NULL : strstr(p->line, key);
    if (found != NULL)
        p->number = strtoll(found + sizeof key - 1, NULL, 10);
}

static gp_status to_first(void *of) {
    merging *m = of;
    m->last = 0;
    for (size_t i = 0; i < m->count; i++) {
        part *p = &m->parts[i];
        p->at = 0;
        if (p->file != NULL && fseek(p->file, p->body, SEEK_SET) != 0)
            return GP_ERR_INPUT;
        next_line(p);
    }
    return GP_OK;
}

/* The line without what parts it from the next. */
static gp_status parse_line(const part *p, gp_arena *arena, gp_study_point *ret) {
    size_t len = (size_t)p->len;
    gp_text *text = NULL;
    while (len > 0 && strchr(",\r\n", p->line[len - 1]) != NULL)
        len--;
    p->line[len] = '\0';
    gp_diags diags = GP_DIAGS(arena);
    gp_status st = gp_text_init(arena, p->path, p->line, len, &text);
    return st == GP_OK ? gp_study_parse_point(arena, text, &diags, ret) : st;
}

static gp_status next_point(void *of, gp_arena *arena, gp_study_point *ret, bool *ret_more) {
    merging *m = of;
    part *next = NULL;
    for (size_t i = 0; i < m->count; i++) {
        part *p = &m->parts[i];
        if (p->number > 0 && (next == NULL || p->number < next->number))
            next = p;
    }
    *ret_more = next != NULL;
    if (next == NULL)
        return GP_OK;
    gp_status st = GP_OK;
    if (next->number <= m->last) {
        m->problem = gp_arena_printf(m->cli->arena, "point %lld is in more than one of them",
                                     (long long)next->number);
        return GP_ERR_INPUT;
    }
    if (next->file == NULL)
        *ret = next->study->points.items[next->at++];
    else
        st = parse_line(next, arena, ret);
    if (st == GP_ERR_INPUT)
        m->problem = gp_arena_printf(m->cli->arena, "point %lld of %s cannot be read",
                                     (long long)next->number, next->path);
    m->last = next->number;
    next_line(next);
    return st;
}

/* ---- opening */

static void parse_head(gp_cli *cli, part *p, const char *text, size_t len) {
    gp_text *head = NULL;
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_status st = gp_text_init(cli->arena, p->path, text, len, &head);
    if (st == GP_OK)
        st = gp_study_parse(cli->arena, head, &diags, &p->study);
    gp_check(cli, st, &diags);
}

/* All before the points, closed behind them as if there were none. */
static void read_head(gp_cli *cli, part *p) {
    gp_buf head = GP_PAGE(cli->arena);
    while ((p->len = getline(&p->line, &p->room, p->file)) > 0 && head.len < GP_INPUT_MAX_BYTES) {
        gp_buf_add(&head, p->line, (size_t)p->len);
        if (strcmp(p->line, points_line) != 0)
            continue;
        p->body = ftell(p->file);
        gp_buf_str(&head, "]}");
        parse_head(cli, p, head.data, head.len);
        return;
    }
    (void)fclose(p->file);
    p->file = NULL;
    parse_head(cli, p, head.data == NULL ? "" : head.data, head.len);
}

static void open_part(gp_cli *cli, const char *path, part *ret) {
    *ret = (part){.path = path, .file = gp_file_open(cli, path)};
    if (fseek(ret->file, 0, SEEK_SET) != 0)
        gp_complain(cli, GP_EXIT_INPUT, "%s can be read only once: expected a file", path);
    read_head(cli, ret);
}

static _Noreturn void not_parts(gp_cli *cli, const char *problem) {
    gp_complain(cli, GP_EXIT_INPUT, "these are not parts of one sweep: %s", problem);
}

static void open_parts(gp_cli *cli, merging *m) {
    const gp_words *operands = &cli->settings.operands;
    for (size_t i = 0; i < operands->count; i++) {
        open_part(cli, operands->items[i], &m->parts[m->count++]);
        const char *what = gp_study_difference(m->parts[0].study, m->parts[i].study);
        if (what != NULL)
            not_parts(cli, gp_arena_printf(cli->arena, "they have different %s", what));
    }
}

static void write_whole(gp_cli *cli, merging *m) {
    gp_study *study = m->parts[0].study;
    study->source = (gp_study_source){to_first, next_point, m};
    gp_status st = gp_study_survey(cli->arena, study);
    if (m->problem != NULL)
        not_parts(cli, m->problem);
    gp_check(cli, st, NULL);
    if (study->done < study->point_count)
        gp_tell(cli, "warning: %lld of %lld points were found; the others are in none of the parts",
                (long long)study->done, (long long)study->point_count);
    gp_study_write(cli, study);
}

static gp_status merge_parts(void *context) {
    merging *m = context;
    gp_results_check(m->cli, &gp_study_results);
    open_parts(m->cli, m);
    write_whole(m->cli, m);
    return GP_OK;
}

/* With a door of its own: files and lines are no arena memory. */
static void run_merge(gp_cli *cli) {
    merging m = {.cli = cli,
                 .parts = GP_NEW_ARRAY(cli->arena, part, cli->settings.operands.count + 1)};
    gp_status st = gp_arena_guard(cli->arena, merge_parts, &m);
    for (size_t i = 0; i < m.count; i++) {
        if (m.parts[i].file != NULL)
            (void)fclose(m.parts[i].file);
        free(m.parts[i].line);
    }
    if (st != GP_OK)
        gp_arena_leave(cli->arena, st);
}

const gp_command gp_command_merge = {
    .name = "merge",
    .operands = "PART.json...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Merge the parts of a sweep that were run separately.",
    .details =
        "Reads the JSON output of gpuplan sweep --shard I/N, in any order, and marks the Pareto "
        "front of all points. Parts with different specs, values or versions are refused.",
    .examples = "  gpuplan merge part1.json part2.json -o sweep.html\n",
    GP_OPTIONS(merge_options),
    .run = run_merge,
};
