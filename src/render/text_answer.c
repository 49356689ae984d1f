/*
 * The first screen, which every form opens with: what holds and what to buy, one row per workload,
 * money and site, what the figures rest on, what would change them, and commands to go on with. On
 * a terminal it has at most GP_SCREEN_LINES lines, each cut where the terminal ends, but for
 * commands, which are to be pasted.
 */
#include <string.h>

#include "render/block.h"
#include "render/text_form.h"

enum { ROWS_MAX = 8, COLUMNS = 6, BECAUSE = 4, BECAUSE_LEAST = 12, NEXT_LINES = 3 };

/* ------------------------------------------------------------ the decision */

/* It has no place, or misses a goal where it is. */
static bool fails(const gp_report_workload *workload) {
    bool misses = gp_str_equal(workload->recommendation.scale, "infeasible");
    for (size_t i = 0; i < workload->goals.count; i++)
        misses = misses || gp_str_equal(workload->goals.items[i].state, "missed") ||
                 gp_str_equal(workload->goals.items[i].state, "metAtExpected");
    return misses;
}

static size_t count_failing(const gp_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->workloads.count; i++)
        count += fails(&report->workloads.items[i]) ? 1 : 0;
    return count;
}

static const char *failing_words(gp_form_out *out, const gp_report *report, size_t failing) {
    const gp_report_workload *first = report->workloads.items;
    while (!fails(first))
        first++;
    const char *name = gp_form_or(first->name, "?");
    if (failing > 1)
        return gp_form_text(out, "does not hold: %zu of %zu workloads fail", failing,
                            report->workloads.count);
    return gp_form_text(out, "does not hold: %s fails", name);
}

static const char *holding_words(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const int64_t more =
        gp_form_counted(summary->bought_nodes) + gp_form_counted(summary->rented_nodes);
    if (report->workloads.count == 0)
        return "holds: it has no workloads";
    if (more == 0)
        return gp_form_text(
            out, "holds on the machines in place: %s%s",
            gp_form_site_machines(out, summary, summary->others_nodes <= 0),
            summary->others_nodes > 0
                ? gp_form_text(out, ", others use %lld", (long long)summary->others_nodes)
                : " in use");
    if (more >= summary->nodes)
        return gp_form_text(out, "holds on %lld %s%s", (long long)more,
                            summary->bought_nodes == 0 ? "rented " : "new ",
                            more == 1 ? "machine" : "machines");
    const int64_t used = summary->nodes - more;
    const int64_t there =
        gp_form_counted(summary->stand_nodes) - gp_form_counted(summary->bought_nodes);
    const char *of = gp_form_if(out, summary->stand_nodes != GP_REPORT_NO_COUNT && there > used,
                                " of %lld", (long long)there);
    return gp_form_text(out, "holds with %lld more %s%s (%lld%s today -> %lld)", (long long)more,
                        summary->bought_nodes == 0 ? "rented " : "",
                        more == 1 ? "machine" : "machines", (long long)used, of,
                        (long long)summary->nodes);
}

/* "chat": whose goals are stated and cannot be judged. */
static const char *unjudged_names(gp_form_out *out, const gp_report *report) {
    const char *text = "";
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        if (gp_str_equal(finding->id, "GP3003") && gp_str_equal(finding->level, "error"))
            text = gp_form_joined(out, text, ", ", "%s", gp_form_or(finding->workload, "?"));
    }
    return text;
}

/* The first team that uses more than it may; else what stands there passes a limit. */
static const char *over_words(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->teams.count; i++) {
        const gp_report_team *team = &report->teams.items[i];
        if (team->borrowing_gpus != GP_REPORT_NO_COUNT &&
            team->borrowed_gpus > team->borrowing_gpus)
            return gp_form_text(out, "does not hold: team %s uses more than it may",
                                gp_form_or(team->name, "?"));
    }
    return "does not hold: the installed machines exceed a limit";
}

static const char *title_words(gp_form_out *out, const gp_report *report) {
    const size_t failing = count_failing(report);
    const bool over = failing == 0 && !report->summary.feasible;
    const char *open = unjudged_names(out, report);
    const char *words = failing > 0 ? failing_words(out, report, failing)
                        : over      ? over_words(out, report)
                        : *open != '\0'
                            ? gp_form_text(out, "is not assessed: goals of %s not judged", open)
                            : holding_words(out, report);
    return gp_form_text(out, "%s %s", gp_form_or(report->summary.plan, "(unnamed)"), words);
}

/* Without what follows, where there is no room for it. */
static const char *cut_at(gp_form_out *out, const char *text, const char *at, int columns) {
    const char *end = gp_text_width(text) > columns ? strstr(text, at) : NULL;
    return end != NULL ? gp_form_text(out, "%.*s", (int)(end - text), text) : text;
}

/* A reason loses its second part, " on average" and " at peak" before it loses letters. */
static const char *shortened(gp_form_out *out, const char *text, int columns) {
    static const char *const ends[] = {",", " on ", " at "};
    for (size_t i = 0; i < GP_COUNT_OF(ends); i++)
        text = cut_at(out, text, ends[i], columns);
    return text;
}

static void print_title(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const bool holds =
        count_failing(report) == 0 && summary->feasible && *unjudged_names(out, report) == '\0';
    const char *right = gp_form_text(out, "%s plan", gp_form_or(summary->confidence, "-"));
    const int room = out->width - (int)strlen(right) - GP_TABLE_GAP;
    gp_text_level(out, holds ? "ok" : "fail", cut_at(out, title_words(out, report), " (", room),
                  room);
    gp_buf_repeat(out->buf, ' ', GP_TABLE_GAP);
    gp_buf_printf(out->buf, "%s\n", right);
}

/* ------------------------------------------------------------ the workloads */

static const char *today_cell(gp_form_out *out, const gp_report_available *today) {
    if (today->product == NULL)
        return "nothing";
    if (today->nodes == 0)
        return gp_form_text(out, "%s left", gp_form_plural(out, today->gpus, "GPU"));
    return gp_form_text(out, "%lld %s", (long long)today->nodes, today->product);
}

static const char *need_cell(gp_form_out *out, const gp_report_candidate *chosen) {
    if (!chosen->feasible)
        return "none";
    return chosen->gpu_part != NULL
               ? gp_form_text(out, "%s %s", chosen->gpu_part, gp_form_or(chosen->product, "?"))
               : gp_form_machines(out, chosen);
}

static const char *scale_cell(gp_form_out *out, const gp_report_recommendation *verdict) {
    const gp_report_candidate *chosen = &verdict->chosen;
    const int64_t added =
        gp_str_equal(chosen->where, "owned") ? chosen->added_nodes : chosen->nodes;
    const char *word = gp_form_scale_word(verdict->scale);
    return added > 0 && chosen->feasible && !gp_str_equal(verdict->scale, "none")
               ? gp_form_text(out, "%s +%lld", word, (long long)added)
               : word;
}

static void fill_row(gp_form_out *out, const gp_report_workload *workload, const char **cells) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    cells[0] = gp_form_or(workload->name, "?");
    cells[1] = today_cell(out, &verdict->today);
    cells[2] = need_cell(out, &verdict->chosen);
    cells[3] = scale_cell(out, verdict);
    cells[BECAUSE] = gp_form_or(verdict->because, "-");
    cells[5] = gp_form_goal_short(out, workload);
}

/* Whether `a` is shown before `b` where not all have room: what fails, then what is largest. */
static bool goes_before(const gp_report_workload *a, const gp_report_workload *b) {
    if (fails(a) != fails(b))
        return fails(a);
    return a->recommendation.chosen.gpus > b->recommendation.chosen.gpus;
}

/* The first of those left by that order, or the next in the spec's where all have room. */
static size_t next_shown(const gp_report *report, const bool *shown, bool all) {
    size_t found = report->workloads.count;
    for (size_t i = 0; i < report->workloads.count; i++) {
        if (shown[i])
            continue;
        if (found == report->workloads.count ||
            (!all && goes_before(&report->workloads.items[i], &report->workloads.items[found])))
            found = i;
    }
    return found;
}

/* GPUs that those not shown hold at one time; parts of GPUs are counted by themselves. Every
 * workload that holds has a claim, in the same order. */
static int64_t rest_gpus(gp_form_out *out, const gp_report *report, const bool *shown) {
    const gp_report_claims *all = &report->site.schedule.claims;
    gp_report_claim *claims = GP_NEW_ARRAY(out->buf->arena, gp_report_claim, all->count + 1);
    size_t next = 0;
    size_t count = 0;
    for (size_t i = 0; i < report->workloads.count && next < all->count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        if (!gp_str_equal(all->items[next].workload, workload->name))
            continue;
        if (!shown[i] && workload->recommendation.chosen.gpu_part == NULL)
            claims[count++] = all->items[next];
        next++;
    }
    return gp_report_gpus_at_once(claims, count);
}

static void add_rest(gp_form_out *out, gp_table *table, const gp_report *report,
                     const bool *shown) {
    int64_t count = 0;
    const int64_t gpus = rest_gpus(out, report, shown);
    int64_t parts = 0;
    int64_t bought = 0;
    const char **cells = gp_table_row(out, table);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_candidate *chosen = &report->workloads.items[i].recommendation.chosen;
        if (shown[i])
            continue;
        count++;
        parts += chosen->feasible && chosen->gpu_part != NULL ? 1 : 0;
        bought += chosen->feasible && chosen->added_nodes > 0 ? chosen->added_nodes : 0;
    }
    cells[0] = gp_form_text(out, "and %lld more", (long long)count);
    cells[2] =
        gp_form_text(out, "%s%s%s", gpus > 0 || parts == 0 ? gp_form_plural(out, gpus, "GPU") : "",
                     gpus > 0 && parts > 0 ? ", " : "",
                     parts > 0 ? gp_form_either(out, parts, "part of one", "parts of GPUs") : "");
    cells[3] = bought > 0 ? gp_form_text(out, "+%lld", (long long)bought) : "";
}

/* Machines that workloads take turns on or share are in each of their rows, but there once: where
 * that makes a column add up to more, what all of them take together is told. */
typedef struct shared_machines {
    int64_t needs, own, today; /* sums of the rows; own: without runs that take turns */
    bool turns;
} shared_machines;

static shared_machines sum_rows(const gp_report *report) {
    const gp_report_claims *claims = &report->site.schedule.claims;
    shared_machines sum = {0};
    for (size_t i = 0; i < claims->count; i++) {
        const bool turns = !gp_str_equal(claims->items[i].turn, "own");
        const int64_t nodes = gp_form_counted(claims->items[i].nodes);
        sum.needs += nodes;
        sum.own += turns ? 0 : nodes;
        sum.turns = sum.turns || turns;
    }
    for (size_t i = 0; i < report->workloads.count; i++)
        sum.today += gp_form_counted(report->workloads.items[i].recommendation.today.nodes);
    return sum;
}

static void add_together(gp_form_out *out, gp_table *table, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const shared_machines sum = sum_rows(report);
    const int64_t more =
        gp_form_counted(summary->bought_nodes) + gp_form_counted(summary->rented_nodes);
    const int64_t there = gp_form_counted(gp_form_counted(summary->stand_nodes) -
                                          gp_form_counted(summary->bought_nodes));
    const bool shares = sum.own > summary->nodes;
    if (sum.needs <= summary->nodes && (there == 0 || sum.today <= there))
        return;
    const char **cells = gp_table_row(out, table);
    cells[0] = "together";
    cells[1] = there > 0 ? gp_form_text(out, "%lld installed", (long long)there) : "";
    cells[2] = gp_form_plural(out, summary->nodes, "machine");
    cells[3] = more > 0 ? gp_form_text(out, "+%lld", (long long)more) : "";
    cells[BECAUSE] = sum.turns && shares ? "in turns, shared"
                     : sum.turns         ? "in turns"
                     : shares            ? "shared"
                                         : "shared today";
}

/* Columns of the table in the width there is: reasons give way first, then what is widest. */
static void fit(const gp_table *table, int room, int *widths) {
    int total = (COLUMNS - 1) * GP_TABLE_GAP;
    gp_table_widths(table, widths);
    for (size_t c = 0; c < COLUMNS; c++)
        total += widths[c];
    while (total > room && widths[BECAUSE] > BECAUSE_LEAST) {
        widths[BECAUSE]--;
        total--;
    }
    while (total > room) {
        const size_t widest = widths[1] > widths[0]   ? (widths[2] > widths[1] ? 2 : 1)
                              : widths[2] > widths[0] ? 2
                                                      : 0;
        widths[widest]--;
        total--;
    }
}

static void print_row(gp_form_out *out, const char *const *cells, const int *widths) {
    size_t columns = COLUMNS;
    while (columns > 1 && *cells[columns - 1] == '\0')
        columns--;
    for (size_t c = 0; c < columns; c++) {
        const char *text = c == BECAUSE ? shortened(out, cells[c], widths[c]) : cells[c];
        gp_cell(out, text, widths[c], false, c + 1 == columns);
        if (c + 1 < columns)
            gp_buf_repeat(out->buf, ' ', GP_TABLE_GAP);
    }
    gp_buf_char(out->buf, '\n');
}

/* The same rows wherever they stand: a terminal has them one on a line, whatever its width. */
static void say_workloads(gp_form_out *out, const gp_report *report) {
    const bool text = out->layout == GP_LAYOUT_TEXT;
    gp_table table = text ? GP_TABLE("WORKLOAD", "TODAY", "NEEDS", "SCALE", "BECAUSE", "GOAL")
                          : GP_TABLE("Workload", "Today", "Needs", "Scale", "Because", "Goal");
    int widths[COLUMNS];
    const size_t count = report->workloads.count;
    const bool all = count <= ROWS_MAX;
    bool *shown = GP_NEW_ARRAY(out->buf->arena, bool, count + 1);
    for (size_t rows = all ? count : ROWS_MAX - 1; rows > 0; rows--) {
        const size_t i = next_shown(report, shown, all);
        fill_row(out, &report->workloads.items[i], gp_table_row(out, &table));
        shown[i] = true;
    }
    if (!all)
        add_rest(out, &table, report, shown);
    else
        add_together(out, &table, report);
    if (!text) {
        gp_block_table(out, "What each workload needs", &table);
        return;
    }
    fit(&table, out->width, widths);
    gp_buf_char(out->buf, '\n');
    print_row(out, table.headers, widths);
    for (size_t r = 0; r < table.rows; r++)
        print_row(out, table.cells + r * COLUMNS, widths);
}

/* ------------------------------------------------------------ how to go on */

/* Machines that are bought less with the change of software that a finding names; 0: none are. */
static int64_t saved_by(gp_form_out *out, const gp_report *report,
                        const gp_report_finding *finding) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        for (size_t k = 0; k < it->recommendation.software_changes.count; k++) {
            const gp_report_software_change *change = &it->recommendation.software_changes.items[k];
            const char *set = gp_form_text(out, "%s=%s", gp_form_or(change->path, ""),
                                           gp_form_or(change->to, ""));
            if (gp_str_equal(finding->set.items[0], set))
                return gp_form_counted(change->saved_nodes);
        }
    }
    return 0;
}

/* Of two changes that findings of one kind name, the one with which less is bought, else that with
 * which more is saved. */
static bool does_more(gp_form_out *out, const gp_report *report, const gp_report_finding *a,
                      const gp_report_finding *b) {
    const int64_t nodes = saved_by(out, report, a);
    const int64_t other = saved_by(out, report, b);
    return nodes != other ? nodes > other : a->value > b->value;
}

/* The change to look at first: of the gravest finding that names one. */
static const gp_report_finding *first_set(gp_form_out *out, const gp_report *report) {
    const gp_report_finding *found = NULL;
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        if (finding->set.count > 0 && (found == NULL || (gp_str_equal(finding->id, found->id) &&
                                                         does_more(out, report, finding, found))))
            found = finding;
    }
    return found;
}

static void print_command(gp_form_out *out, const char *label, const char *command) {
    if (out->layout != GP_LAYOUT_TEXT)
        gp_block_fact(out, label, command);
    else
        gp_buf_printf(out->buf, "%s%s\n", *label != '\0' ? "Next      " : "          ", command);
}

/* Commands are to be pasted: none is cut. */
static void print_next(gp_form_out *out, const gp_report *report) {
    const char *spec = gp_form_spec(out, report);
    const gp_report_finding *change = first_set(out, report);
    const gp_report_workload *told = gp_text_largest(report);
    if (count_failing(report) > 0)
        for (size_t i = report->workloads.count; i-- > 0;)
            told = fails(&report->workloads.items[i]) ? &report->workloads.items[i] : told;
    if (told == NULL) {
        print_command(out, "Next", gp_form_text(out, "gpuplan validate %s", spec));
        return;
    }
    print_command(out, "Next",
                  gp_form_text(out, "gpuplan explain %s %s", spec,
                               gp_form_shell(out, gp_form_or(told->name, ""))));
    print_command(out, "", gp_form_text(out, "gpuplan size %s --detail", spec));
    if (change == NULL)
        return;
    const char *command = gp_form_text(out, "gpuplan size %s", spec);
    for (size_t i = 0; i < change->set.count; i++)
        command =
            gp_form_text(out, "%s --set %s", command, gp_form_shell(out, change->set.items[i]));
    print_command(out, "", command);
}

static void print_answer(gp_form_out *out, const gp_report *report) {
    const size_t start = out->buf->len;
    const int most = GP_SCREEN_LINES - 1 - NEXT_LINES;
    print_title(out, report);
    say_workloads(out, report);
    gp_buf_char(out->buf, '\n');
    gp_text_answer_facts(out, report, most - gp_text_lines(out, start));
    gp_text_answer_need(out, report, most - gp_text_lines(out, start));
    gp_buf_char(out->buf, '\n');
    print_next(out, report);
}

void gp_say_answer(gp_form_out *out, const gp_report *report) {
    enum { NO_EDGE = 1 << 12 };
    if (out->layout == GP_LAYOUT_TEXT) {
        print_answer(out, report);
        out->last = GP_BLOCK_NOTE;
        return;
    }
    out->width = NO_EDGE; /* no line of it is cut */
    gp_block_title(out, gp_form_text(out, "%s, %s plan", title_words(out, report),
                                     gp_form_or(report->summary.confidence, "-")));
    say_workloads(out, report);
    gp_text_answer_facts(out, report, GP_SCREEN_LINES);
    gp_say_need(out, report);
    print_next(out, report);
}
