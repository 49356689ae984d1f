/*
 * A study as text, JSON, CSV, Markdown and a page. A grid is a table of its points with those of
 * the front marked; a study of single numbers is a table of what each moves, the largest first.
 */

#include "render/block.h"
#include "render/chart.h"
#include "render/csv.h"
#include "report/study.h"

enum { DEFAULT_WIDTH = 80, SCRATCH_BYTES = 64 << 20 };

/* ---- words */

/* Statistics say nothing without what they are of. */
static bool is_statistic(const char *key) {
    static const char *const words[] = {"mean", "p50", "p95", "p99", "peak", NULL};
    return gp_str_index(words, key) >= 0;
}

/* The key before the last, in words, and the statistic. */
static const char *statistic_of(gp_form_out *out, const char *path, const char *last) {
    const char *end = last - 1;
    const char *begin = end;
    while (begin > path && begin[-1] != '.')
        begin--;
    return gp_form_text(out, "%s %s",
                        gp_form_words(out, gp_form_text(out, "%.*s", (int)(end - begin), begin)),
                        last);
}

/* The last key in words, or the whole path where another axis or metric ends in the same. */
static const char *head_of(gp_form_out *out, const gp_study *study, const char *path) {
    const char *last = gp_str_last_key(path);
    int alike = 0;
    for (size_t i = 0; i < study->axes.count; i++)
        alike += gp_str_equal(gp_str_last_key(study->axes.items[i].path), last) ? 1 : 0;
    for (size_t i = 0; i < study->metrics.count; i++)
        alike += gp_str_equal(gp_str_last_key(study->metrics.items[i].path), last) ? 1 : 0;
    if (alike > 1)
        return path;
    return last > path && is_statistic(last) ? statistic_of(out, path, last)
                                             : gp_form_metric(out, path);
}

static const char *figure_of(gp_form_out *out, const gp_study *study, const gp_study_point *point,
                             size_t metric) {
    if (metric >= point->figures.count)
        return "-";
    const gp_study_figure *figure = &point->figures.items[metric];
    if (figure->text != NULL)
        return figure->text;
    if (!isfinite(figure->value))
        return "-";
    return gp_form_amount(out, figure->value, study->metrics.items[metric].dim, study->currency);
}

/* "chat out, sft stay"; of an infeasible point the workloads that have no place, where it is for
 * these that it does not hold. */
static const char *verdicts_of(gp_form_out *out, const gp_study_point *point) {
    const char *text = "";
    if (point->refused != NULL)
        return gp_form_text(out, "refused: %s", point->refused);
    for (size_t i = 0; i < point->verdicts.count; i++) {
        const gp_study_verdict *verdict = &point->verdicts.items[i];
        const char *scale = gp_form_or(verdict->scale, "?");
        if (!point->feasible && !gp_str_equal(scale, "infeasible"))
            continue;
        if (point->verdicts.count == 1)
            return gp_form_scale_word(scale);
        text = gp_form_joined(out, text, ", ", "%s %s", gp_form_or(verdict->workload, "?"),
                              gp_form_scale_word(scale));
    }
    return point->feasible || text[0] != '\0' ? text : "does not hold";
}

static const char *change_words(gp_form_out *out, const gp_study_point *point, double change) {
    if (point->refused != NULL)
        return "refused";
    if (!point->feasible)
        return "infeasible";
    if (!isfinite(change))
        return "-";
    if (!(fabs(change) > 0))
        return "0";
    return gp_form_text(out, "%s%s", change < 0 ? "-" : "+", gp_form_share(out, fabs(change)));
}

/* Workloads are told by their names. */
static const char *number_of(const char *path) {
    static const char all[] = "workloads.";
    return gp_str_starts(path, all) ? path + sizeof all - 1 : path;
}

static const char *set_value(const gp_study_point *point, const char *path) {
    const gp_study_set *set = GP_NAMED(point->sets, path, path);
    return set != NULL ? gp_form_or(set->value, "-") : "-";
}

/* "least GPUs, least IT power": what the front is made of. */
static const char *goals_of(gp_form_out *out, const gp_study *study) {
    const char *text = "";
    for (size_t i = 0; i < study->metrics.count; i++) {
        const gp_study_metric *metric = &study->metrics.items[i];
        if (metric->goal != NULL)
            text = gp_form_joined(out, text, ", ", "%s %s",
                                  gp_str_equal(metric->goal, "max") ? "most" : "least",
                                  head_of(out, study, metric->path));
    }
    return text;
}

static bool is_grid(const gp_study *study) {
    return !gp_str_equal(study->kind, "vary");
}

static const char *part_of(gp_form_out *out, const gp_study *study) {
    if (study->done >= study->point_count)
        return "";
    return gp_form_text(out, " of %lld", (long long)study->point_count);
}

/* "", or how the points were drawn. */
static const char *drawn_words(gp_form_out *out, const gp_study *study) {
    if (gp_str_equal(study->kind, "grid"))
        return "";
    return gp_form_text(out, " %s (seed %lld)",
                        gp_str_equal(study->kind, "latin") ? "of a Latin hypercube" : "at random",
                        (long long)study->seed);
}

static const char *answer_of(gp_form_out *out, const gp_study *study, int64_t front) {
    const char *plan = gp_form_or(study->plan, "?");
    if (is_grid(study))
        return gp_form_text(
            out,
            "Plan %s at %lld%s points%s: %lld feasible; %lld on the Pareto front of %s, "
            "marked *.%s",
            plan, (long long)study->done, part_of(out, study), drawn_words(out, study),
            (long long)study->feasible, (long long)front, goals_of(out, study),
            study->done <= GP_STUDY_SHOWN_MAX
                ? ""
                : " Only points on the front are shown; JSON and CSV have all of them.");
    return gp_form_text(out, "Plan %s with each number varied %s down and up: %lld%s plans.", plan,
                        gp_form_share(out, study->vary_fraction), (long long)study->done,
                        part_of(out, study));
}

/* What people are shown of it; NULL: it could not be read again. */
static const gp_study *shown_of(gp_form_out *out, const gp_study *study, const char **ret_answer) {
    gp_study *shown = GP_NEW(out->buf->arena, gp_study);
    int64_t front = 0;
    gp_status st = gp_study_gather(out->buf->arena, study, shown, &front);
    if (st != GP_OK) {
        out->buf->st = st;
        return NULL;
    }
    *ret_answer = answer_of(out, shown, front);
    return shown;
}

/* ---- tables */

static void grid_table(gp_form_out *out, const gp_study *study, gp_table *table) {
    *table = GP_TABLE("point");
    for (size_t i = 0; i < study->axes.count; i++)
        gp_table_column(table, head_of(out, study, study->axes.items[i].path));
    gp_table_column(table, "~verdict");
    for (size_t i = 0; i < study->metrics.count; i++)
        gp_table_column(
            table, gp_form_text(out, ">%s", head_of(out, study, study->metrics.items[i].path)));
    for (size_t i = 0; i < study->points.count; i++) {
        const gp_study_point *point = &study->points.items[i];
        const char **cells = gp_table_row(out, table);
        size_t column = 0;
        cells[column++] =
            gp_form_text(out, "%lld%s", (long long)point->number, point->on_front ? " *" : "");
        for (size_t k = 0; k < study->axes.count; k++)
            cells[column++] = set_value(point, study->axes.items[k].path);
        cells[column++] = verdicts_of(out, point);
        for (size_t k = 0; k < study->metrics.count; k++)
            cells[column++] = figure_of(out, study, point, k);
    }
}

typedef struct swing_tally {
    size_t still, fixed; /* numbers that move next to nothing, and that cannot be moved */
} swing_tally;

/* Whether a row says something; where not, why not. */
static bool tells(const gp_study_swing *swing, swing_tally *tally) {
    static const double next_to_nothing = 0.001;
    const bool low = swing->low->refused == NULL;
    const bool high = swing->high->refused == NULL;
    const bool fails = (low && !swing->low->feasible) || (high && !swing->high->feasible);
    if (swing->most >= next_to_nothing || swing->changes_verdict || fails)
        return true;
    if (low || high)
        tally->still++;
    else
        tally->fixed++;
    return false;
}

/* What moves `metric`, the most first. */
static swing_tally swing_table(gp_form_out *out, const gp_study *study, size_t metric,
                               gp_table *table) {
    gp_study_swings swings;
    swing_tally tally = {0};
    const char *by = gp_form_share(out, study->vary_fraction);
    *table = GP_TABLE("~number", ">now", gp_form_text(out, ">%s", gp_form_text(out, "-%s", by)),
                      gp_form_text(out, ">%s", gp_form_text(out, "+%s", by)), "verdict");
    gp_study_swings_of(out->buf->arena, study, metric, &swings);
    for (size_t i = 0; i < swings.count; i++) {
        const gp_study_swing *swing = &swings.items[i];
        if (!tells(swing, &tally))
            continue;
        GP_TABLE_ROW(out, table, number_of(swing->path), gp_form_or(swing->was, "-"),
                     change_words(out, swing->low, swing->low_change),
                     change_words(out, swing->high, swing->high_change),
                     swing->changes_verdict ? "changes" : "");
    }
    return tally;
}

static const char *swing_caption(gp_form_out *out, const gp_study *study, size_t metric) {
    const char *head = head_of(out, study, study->metrics.items[metric].path);
    if (study->points.count == 0 || study->points.items[0].sets.count > 0)
        return gp_form_text(out, "Changes of %s", head);
    return gp_form_text(out, "Changes of %s, now %s", head,
                        figure_of(out, study, &study->points.items[0], metric));
}

/* "52 other numbers move it by less than 0.1%; 3 cannot go so far either way." or nothing. */
static const char *still_words(gp_form_out *out, swing_tally tally) {
    const char *still =
        tally.still == 0
            ? ""
            : gp_form_text(out, "%zu other number%s move%s it by less than 0.1%%", tally.still,
                           tally.still == 1 ? "" : "s", tally.still == 1 ? "s" : "");
    if (tally.fixed == 0)
        return tally.still == 0 ? NULL : gp_form_text(out, "%s.", still);
    return gp_form_text(out, "%s%s%zu cannot vary that far.", still, tally.still > 0 ? "; " : "",
                        tally.fixed);
}

/* Words are no figures to swing. */
static bool swings(const gp_study *study, size_t metric) {
    return study->points.count > 0 && metric < study->points.items[0].figures.count &&
           study->points.items[0].figures.items[metric].text == NULL;
}

/* ---- text, Markdown, page: charts are of the page alone */

/* The two figures that the front is drawn over: the first two with a goal. */
static bool axes_of(const gp_study *study, size_t *ret_across, size_t *ret_up) {
    size_t found = 0;
    for (size_t i = 0; i < study->metrics.count && found < 2; i++)
        if (study->metrics.items[i].goal != NULL)
            *(found++ == 0 ? ret_across : ret_up) = i;
    return found == 2;
}

/* From a little below the least to a little above the most. */
static gp_chart_axis axis_of(gp_form_out *out, const gp_study *study, size_t metric,
                             const double *values, size_t count) {
    static const double margin = 0.05;
    const gp_study_metric *it = &study->metrics.items[metric];
    gp_chart_axis axis = {.name = head_of(out, study, it->path)};
    for (size_t i = 0; i < count; i++) {
        axis.least = i == 0 ? values[i] : gp_num_min(axis.least, values[i]);
        axis.most = i == 0 ? values[i] : gp_num_max(axis.most, values[i]);
    }
    const double room = margin * (axis.most - axis.least);
    axis.least -= room;
    axis.most += room;
    axis.least_text = gp_form_amount(out, axis.least, it->dim, study->currency);
    axis.most_text = gp_form_amount(out, axis.most, it->dim, study->currency);
    return axis;
}

/* Points of a small study, the front of a large one. */
static void draw_front(gp_form_out *out, const gp_study *study) {
    enum { DRAWN_MAX = 40 };
    gp_chart_point drawn[DRAWN_MAX];
    double xs[DRAWN_MAX] = {0};
    double ys[DRAWN_MAX] = {0};
    size_t count = 0;
    size_t across = 0;
    size_t up = 0;
    if (!axes_of(study, &across, &up))
        return;
    const bool all = study->points.count <= DRAWN_MAX;
    for (size_t i = 0; i < study->points.count && count < DRAWN_MAX; i++) {
        const gp_study_point *point = &study->points.items[i];
        if (!point->feasible || (!all && !point->on_front) ||
            point->figures.count != study->metrics.count || /* a file may say anything */
            !isfinite(point->figures.items[across].value) ||
            !isfinite(point->figures.items[up].value))
            continue;
        xs[count] = point->figures.items[across].value;
        ys[count] = point->figures.items[up].value;
        drawn[count] = (gp_chart_point){
            .x = xs[count],
            .y = ys[count],
            .label = gp_form_text(out, "%lld", (long long)point->number),
            .name = "",
            .chosen = point->on_front,
        };
        count++;
    }
    const gp_chart_axis x = axis_of(out, study, across, xs, count);
    const gp_chart_axis y = axis_of(out, study, up, ys, count);
    gp_chart_scatter(out, all ? "Points by their figures; the front is green" : "The front", &x, &y,
                     drawn, count);
}

/* What a number moves, from its lower to its higher side, around the plan as it is. */
static void draw_swings(gp_form_out *out, const gp_study *study, size_t metric) {
    gp_study_swings all;
    gp_chart_bar bars[GP_CHART_BARS];
    size_t count = 0;
    gp_study_swings_of(out->buf->arena, study, metric, &all);
    if (all.count == 0)
        return;
    const double widest = all.items[0].most;
    for (size_t i = 0; i < all.count && count < GP_CHART_BARS && widest > 0; i++) {
        const gp_study_swing *swing = &all.items[i];
        const double low = isfinite(swing->low_change) ? swing->low_change : 0;
        const double high = isfinite(swing->high_change) ? swing->high_change : 0;
        const double from = gp_num_min(gp_num_min(low, high), 0);
        const double to = gp_num_max(gp_num_max(low, high), 0);
        if (!(swing->most > 0))
            break;
        bars[count++] = (gp_chart_bar){
            .label = number_of(swing->path),
            .text = gp_form_text(out, "%s, %s", change_words(out, swing->low, swing->low_change),
                                 change_words(out, swing->high, swing->high_change)),
            .from = 0.5 + 0.5 * from / widest,
            .to = 0.5 + 0.5 * to / widest,
            .mark = 0.5,
            .class_name = swing->changes_verdict ? "unsure" : "c0",
        };
    }
    gp_chart_bars(
        out, "Lower, then higher; the line is the plan as it is, brown marks a changed verdict",
        bars, count);
}

static void write_grid(gp_form_out *out, const gp_study *study) {
    gp_table table;
    draw_front(out, study);
    grid_table(out, study, &table);
    gp_block_table(out, "Points; those on the front are marked *", &table);
}

static void write_swings(gp_form_out *out, const gp_study *study, size_t metric) {
    gp_table table;
    const char *still = still_words(out, swing_table(out, study, metric, &table));
    gp_block_heading(out, swing_caption(out, study, metric));
    draw_swings(out, study, metric);
    gp_block_table(out, "Numbers of the spec, by effect", &table);
    if (still != NULL)
        gp_block_note(out, "%s", still);
}

static void write_blocks(gp_form_out *out, const void *result) {
    const char *answer = NULL;
    const gp_study *study = shown_of(out, result, &answer);
    if (study == NULL)
        return;
    gp_block_title(out, gp_form_text(out, "Sweep of %s", gp_form_or(study->plan, "?")));
    gp_block_lead(out, answer);
    if (is_grid(study))
        write_grid(out, study);
    for (size_t i = 0; !is_grid(study) && i < study->metrics.count; i++)
        if (swings(study, i))
            write_swings(out, study, i);
}

/* ---- JSON, CSV */

typedef void point_writer(gp_form_out *out, const gp_study *study, const gp_study_point *point);

typedef struct point_work {
    gp_form_out *out;
    const gp_study *study;
    const char *between;
    point_writer *write;
    gp_arena *scratch;
} point_work;

static gp_status write_points(void *context) {
    const point_work *w = context;
    gp_buf *buf = w->out->buf;
    bool more = true;
    gp_status st = gp_study_rewind(w->study);
    for (bool first = true; st == GP_OK && buf->st == GP_OK; first = false) {
        const gp_arena_mark mark = gp_arena_set_mark(w->scratch);
        gp_study_point point;
        gp_buf text;
        gp_form_out inner = {.buf = &text, .width = w->out->width};
        gp_buf_init(&text, w->scratch, SCRATCH_BYTES);
        st = gp_study_next(w->study, w->scratch, &point, &more);
        if (st != GP_OK || !more)
            break;
        gp_buf_str(&text, first ? "" : w->between);
        w->write(&inner, w->study, &point);
        st = text.st;
        gp_buf_add(buf, text.data, text.len);
        gp_form_drain(w->out);
        gp_arena_release(w->scratch, mark);
    }
    return st;
}

/* One point after the other, with the memory of one. */
static void each_point(gp_form_out *out, const gp_study *study, const char *between,
                       point_writer *write) {
    gp_arena *arena = out->buf->arena;
    point_work work = {out, study, between, write, gp_arena_beside(arena, SCRATCH_BYTES)};
    gp_status st = gp_arena_guard(arena, write_points, &work);
    gp_arena_free(work.scratch);
    if (out->buf->st == GP_OK)
        out->buf->st = st;
}

static void json_point(gp_form_out *out, const gp_study *study, const gp_study_point *point) {
    (void)study;
    gp_json json = GP_JSON(out->buf);
    json.line = true;
    gp_buf_str(out->buf, "    ");
    const gp_status st = gp_json_object(&json, NULL, &gp_study_point_type, point);
    if (st != GP_OK && out->buf->st == GP_OK)
        out->buf->st = st;
}

/* The points stand last, one on a line: who reads them need not hold them all. */
static void write_json(gp_form_out *out, const void *result) {
    static const char empty[] = "]\n}\n";
    gp_study head = *(const gp_study *)result;
    head.points.count = 0;
    gp_form_object(out, &gp_study_type, &head);
    if (head.done == 0 || out->buf->st != GP_OK)
        return;
    gp_buf_truncate(out->buf, out->buf->len - (sizeof empty - 1));
    gp_buf_char(out->buf, '\n');
    each_point(out, result, ",\n", json_point);
    gp_buf_str(out->buf, "\n  ]\n}\n");
}

/* Cells of a row from the second on. */
static void cell_text(gp_buf *buf, const char *text) {
    gp_buf_char(buf, ',');
    gp_csv_text(buf, text);
}

static void cell_figure(gp_buf *buf, const gp_study_point *point, size_t metric) {
    gp_buf_char(buf, ',');
    if (metric >= point->figures.count)
        return;
    if (point->figures.items[metric].text != NULL)
        gp_csv_text(buf, point->figures.items[metric].text);
    else
        gp_csv_number(buf, point->figures.items[metric].value);
}

static void csv_head(gp_buf *buf, const gp_study *study) {
    gp_buf_str(buf, "number");
    for (size_t i = 0; i < study->axes.count; i++)
        cell_text(buf, study->axes.items[i].path);
    gp_buf_str(buf, is_grid(study) ? "" : ",path,value");
    gp_buf_str(buf, ",feasible,onFront,verdicts");
    for (size_t i = 0; i < study->metrics.count; i++)
        cell_text(buf, study->metrics.items[i].path);
    gp_buf_char(buf, '\n');
}

static void csv_point(gp_form_out *out, const gp_study *study, const gp_study_point *point) {
    gp_buf *buf = out->buf;
    const bool set = point->sets.count > 0;
    gp_buf_printf(buf, "%lld", (long long)point->number);
    for (size_t i = 0; i < study->axes.count; i++)
        cell_text(buf, set_value(point, study->axes.items[i].path));
    if (!is_grid(study)) {
        cell_text(buf, set ? point->sets.items[0].path : NULL);
        cell_text(buf, set ? point->sets.items[0].value : NULL);
    }
    cell_text(buf, point->feasible ? "true" : "false");
    cell_text(buf, point->on_front ? "true" : "false");
    cell_text(buf, verdicts_of(out, point));
    for (size_t i = 0; i < study->metrics.count; i++)
        cell_figure(buf, point, i);
    gp_buf_char(buf, '\n');
}

/* Figures in base units, a row for each point; of numbers varied the path and its value. */
static void write_csv(gp_form_out *out, const void *result) {
    csv_head(out->buf, result);
    each_point(out, result, "", csv_point);
}

/* ---- the table of forms */

static const gp_renderer forms[] = {
    {"text", "txt", write_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", write_json, .layout = GP_LAYOUT_TEXT},
    {"csv", "csv", write_csv, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", write_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"html", "html", write_blocks, .layout = GP_LAYOUT_HTML},
};

const gp_forms gp_forms_study = GP_FORMS(forms, DEFAULT_WIDTH);
