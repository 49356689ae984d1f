/*
 * The lower part of the first screen: what the largest need is made of, each factor of safety in a
 * row of its own, and beside it what would change the answer.
 */
#include <string.h>

#include "render/block.h"
#include "render/text_form.h"

enum { LEFT = 38, GAP = 2, RIGHT_MOST = 48, LEVERS_MAX = 8, NAME_LEAST = 6 };

typedef struct screen_row {
    const char *text, *figure;
} screen_row;

/* ------------------------------------------------------------ the need */

static const char *assumed(const gp_report_need_step *step) {
    return step->assumed ? " (assumed)" : "";
}

/* "99.99%": every digit of an availability counts. */
static const char *share_words(gp_form_out *out, const gp_report_need_step *step) {
    enum { DIGITS = 9 };
    const char *text =
        gp_quantity_format_digits(out->buf->arena, step->value, GP_DIM_FRACTION, DIGITS);
    return gp_form_or(text, "");
}

static const char *step_words(gp_form_out *out, const gp_report *report,
                              const gp_report_workload *workload, const gp_report_need_step *step) {
    const char *value = gp_form_number(out, step->value);
    const char *share = gp_form_share(out, step->value);
    const char *confidence = gp_form_or(report->summary.confidence, "-");
    if (gp_str_equal(step->factor, "load"))
        return gp_form_text(out, step->dim == GP_DIM_TIME ? "done in %s" : "%s%s on average",
                            gp_form_quantity(out, step->value, step->dim),
                            gp_str_equal(workload->type, "seats") ? " seats" : "");
    if (gp_str_equal(step->factor, "peak"))
        return gp_form_text(out, "x %s at peak%s", value, assumed(step));
    if (gp_str_equal(step->factor, "tuning"))
        return gp_form_text(out, "/ %s for tuning%s", value, assumed(step));
    if (gp_str_equal(step->factor, "confidence"))
        return gp_form_text(out, "error band, %s", confidence);
    if (gp_str_equal(step->factor, "headroom"))
        return gp_form_text(out, "%s headroom", share);
    if (gp_str_equal(step->factor, "availability"))
        return isfinite(step->value) ? gp_form_text(out, "spares for %s", share_words(out, step))
                                     : "spares";
    if (gp_str_equal(step->factor, "survival"))
        return gp_form_text(out, "x %s for the loss of a site", value);
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    return gp_form_text(out, "on %s",
                        chosen->shares.count > 1
                            ? gp_form_machines(out, chosen)
                            : gp_form_plural(out, chosen->nodes, "whole machine"));
}

/* "56 GPUs", "56" below a unit, or the part of one: "1g.10gb". */
static const char *step_figure(gp_form_out *out, const gp_report_need_step *step, bool unit) {
    if (step->gpu_part != NULL)
        return step->gpu_part;
    return unit ? gp_form_plural(out, step->gpus, "GPU")
                : gp_form_text(out, "%lld", (long long)step->gpus);
}

const char *gp_text_need(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload) {
    const char *text = NULL;
    for (size_t i = 0; i < workload->recommendation.need_steps.count; i++) {
        const gp_report_need_step *step = &workload->recommendation.need_steps.items[i];
        const char *words = step_words(out, report, workload, step);
        text = gp_form_text(out, "%s%s%s: %s", text == NULL ? "" : text, text == NULL ? "" : "; ",
                            words, step_figure(out, step, text == NULL));
    }
    return text;
}

const gp_report_workload *gp_text_largest(const gp_report *report) {
    const gp_report_workload *found = NULL;
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        if (workload->recommendation.chosen.feasible &&
            (found == NULL ||
             workload->recommendation.chosen.gpus > found->recommendation.chosen.gpus))
            found = workload;
    }
    return found;
}

/* Rows that fit into `room`: the last, which is what is planned, stands for those before it. */
static size_t list_steps(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload, screen_row *rows, size_t room) {
    const gp_report_need_step *items = workload->recommendation.need_steps.items;
    const size_t count = workload->recommendation.need_steps.count;
    size_t used = 0;
    for (size_t i = 0; i < count && room > 0; i++) {
        const bool adds =
            i == 0 || i + 1 == count || items[i].gpus != items[i - 1].gpus || items[i].assumed;
        const bool last = i + 1 == count;
        if (!adds || (last && i > 0 && items[i].gpus == items[i - 1].gpus && used > 1))
            continue;
        const char *unit = items[i].gpu_part != NULL ? ""
                           : used > 0                ? "     "
                           : items[i].gpus == 1      ? " GPU "
                                                     : " GPUs";
        rows[used < room ? used++ : room - 1] =
            (screen_row){step_words(out, report, workload, &items[i]),
                         gp_form_text(out, "%s%s", step_figure(out, &items[i], false), unit)};
    }
    return used;
}

/* ------------------------------------------------------------ what would change it */

typedef struct change_words {
    const char *end; /* of the path */
    const char *format;
} change_words;

static const change_words changes[] = {
    {"software.tuning", "%s software"},
    {"precision.compute", "%s arithmetic"},
    {"software.release", "release %s"},
    {"data.packing", "packed sequences"},
    {"data.globalBatch", "batch of %s tokens"},
    {"adapter.method", "%s"},
    {"offload.states", "%s states on the host"},
    {"precision.weights", "%s weights"},
    {"checkpoint.interval", "best checkpoint interval"},
    {"precision.kvCache", "%s KV cache"},
    {"speculative.tokens", "speculative decoding"},
};

/* "batch of 1020 sequences": what a trainer is told; NULL where the spec's tokens are no more. */
static const char *batch_text(gp_form_out *out, const gp_report_workload *workload,
                              const gp_report_software_change *change) {
    const gp_report_launch *launch = workload->launch;
    const char *to = gp_form_or(change->to, "");
    double tokens = 0;
    if (launch == NULL || launch->sequence_length <= 0 ||
        !gp_str_ends(change->path, ".globalBatch") || !gp_num_parse(to, strlen(to), &tokens))
        return NULL;
    return gp_form_text(out, "batch of %.0f sequences", tokens / (double)launch->sequence_length);
}

static const char *change_text(gp_form_out *out, const gp_report_workload *workload,
                               const gp_report_software_change *change) {
    const char *path = gp_form_or(change->path, "?");
    const char *batch = batch_text(out, workload, change);
    if (batch != NULL)
        return batch;
    for (size_t i = 0; i < GP_COUNT_OF(changes); i++) {
        const char *found = changes[i].format;
        const char *hole = strstr(found, "%s");
        if (!gp_str_ends(path, changes[i].end))
            continue;
        return hole == NULL ? found
                            : gp_form_text(out, "%.*s%s%s", (int)(hole - found), found,
                                           gp_form_or(change->to, "?"), hole + 2);
    }
    return path;
}

/* Of several workloads the others may still buy. */
static const char *bought_text(const gp_report *report) {
    return report->workloads.count > 1 ? "buys none" : "buy nothing";
}

static const char *gain_text(gp_form_out *out, const gp_report *report,
                             const gp_report_software_change *change) {
    if (change->makes_hardware_unnecessary)
        return bought_text(report);
    if (change->saved_nodes != GP_REPORT_NO_COUNT)
        return gp_form_text(out, "-%lld to add", (long long)change->saved_nodes);
    return change->saved_gpus != GP_REPORT_NO_COUNT
               ? gp_form_text(out, "-%s", gp_form_plural(out, change->saved_gpus, "GPU"))
               : "suffices";
}

/* On an empty site the verdict "none" means one machine, which is still to be bought. */
static const char *flip_gain(const gp_report *report, const gp_report_recommendation *verdict) {
    static const gp_wording words[] = {{"vertical", "scale up"},
                                       {"horizontal", "scale out"},
                                       {"both", "up and out"},
                                       {"infeasible", "fails"}};
    const char *to = verdict->flip->to_scale;
    if (gp_str_equal(verdict->scale, "infeasible"))
        return "holds";
    if (gp_str_equal(to, "none"))
        return verdict->available.product != NULL ? bought_text(report) : "one machine";
    return GP_WORDING(words, to, "");
}

/* Rates beside it are those of the peak. */
static const char *flip_variable(gp_form_out *out, const gp_report_flip *flip) {
    const char *path = gp_form_or(flip->path, "");
    if (gp_str_equal(flip->variable, "seats"))
        return gp_str_ends(path, ".people") ? "people" : "open seats";
    if (!gp_str_equal(flip->variable, "requestRate"))
        return gp_form_words(out, flip->variable);
    return gp_str_ends(path, ".mean")   ? "mean rate"
           : gp_str_ends(path, ".peak") ? "peak rate"
                                        : "rate";
}

/* Half of a terminal that is narrower than both columns. */
static int left_of(const gp_form_out *out) {
    return out->width < LEFT + GAP + LEFT ? (out->width - GAP) / 2 : LEFT;
}

/* Several workloads: each line says whose it is, in as much of its name as there is room for. */
static screen_row lever_row(gp_form_out *out, const gp_report *report,
                            const gp_report_workload *workload, const char *text,
                            const char *gain) {
    const char *name = gp_form_or(workload->name, "?");
    const int room = out->width - left_of(out) - GAP - (int)(strlen(text) + strlen(gain)) - 5;
    const size_t fits =
        gp_utf8_fit(name, strlen(name), (size_t)(room > NAME_LEAST ? room : NAME_LEAST));
    if (report->workloads.count > 1)
        text = gp_form_text(out, "%.*s: %s", (int)fits, name, text);
    return (screen_row){text, gain};
}

typedef struct lever {
    screen_row row;
    int64_t weight;
} lever;

/* What is bought less goes before GPUs that are freed. */
static int64_t weight_of(int64_t nodes, int64_t gpus) {
    enum { NODE = 1 << 20 };
    return NODE * gp_form_counted(nodes) + gp_form_counted(gpus);
}

/* Keeps the heaviest, in their order. */
static void keep(lever *levers, size_t *count, const lever *next) {
    size_t at = *count < LEVERS_MAX ? (*count)++ : LEVERS_MAX;
    while (at > 0 && levers[at - 1].weight < next->weight) {
        if (at < LEVERS_MAX)
            levers[at] = levers[at - 1];
        at--;
    }
    if (at < LEVERS_MAX)
        levers[at] = *next;
}

static void add_workload(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload, lever *levers, size_t *count) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    for (size_t i = 0; i < verdict->software_changes.count; i++) {
        const gp_report_software_change *change = &verdict->software_changes.items[i];
        if (change->assumed ||
            (i > 0 && change->path != NULL && gp_str_equal(change->path, change[-1].path)))
            continue;
        const lever next = {lever_row(out, report, workload, change_text(out, workload, change),
                                      gain_text(out, report, change)),
                            change->makes_hardware_unnecessary
                                ? INT64_MAX
                                : weight_of(change->saved_nodes, change->saved_gpus)};
        keep(levers, count, &next);
    }
    const gp_report_flip *flip = verdict->flip;
    const bool fails = gp_str_equal(verdict->scale, "infeasible");
    const bool spares =
        flip != NULL && gp_str_equal(flip->to_scale, "none") && verdict->available.product != NULL;
    if (flip == NULL || (!spares && !flip->inside_band && !fails) ||
        gp_quantity_is_near(flip->at, flip->today))
        return;
    const char *at = gp_form_quantity(out, flip->at, flip->dim);
    const lever next = {lever_row(out, report, workload,
                                  gp_form_text(out, "%s %s%s", flip_variable(out, flip),
                                               flip->at > flip->today ? ">" : "<", at),
                                  flip_gain(report, verdict)),
                        fails    ? INT64_MAX
                        : spares ? weight_of(verdict->chosen.added_nodes, verdict->chosen.gpus)
                                 : 0};
    keep(levers, count, &next);
}

static size_t list_levers(gp_form_out *out, const gp_report *report, screen_row *rows,
                          size_t room) {
    lever levers[LEVERS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < report->workloads.count; i++)
        add_workload(out, report, &report->workloads.items[i], levers, &count);
    for (size_t i = 0; i < count && i < room; i++)
        rows[i] = levers[i].row;
    return count < room ? count : room;
}

/* ------------------------------------------------------------ side by side */

static void print_cell(gp_form_out *out, const screen_row *row, int columns) {
    const int figure = (int)strlen(row->figure);
    gp_buf_str(out->buf, "  ");
    gp_cell(out, row->text, columns - 2 - figure - 1, false, false);
    gp_buf_printf(out->buf, " %s", row->figure);
}

/* "56 GPUs", and below it "80     ": one column of figures, without blanks at the end of a line. */
static const char *bare(gp_form_out *out, const char *figure) {
    size_t len = strlen(figure);
    while (len > 0 && figure[len - 1] == ' ')
        len--;
    return gp_form_text(out, "%.*s", (int)len, figure);
}

void gp_text_answer_need(gp_form_out *out, const gp_report *report, int lines) {
    enum { ROWS_MAX = 8 };
    screen_row left[ROWS_MAX] = {{0}};
    screen_row right[ROWS_MAX] = {{0}};
    const gp_report_workload *largest = gp_text_largest(report);
    const size_t room = lines - 2 < 1 ? 0 : lines - 2 > ROWS_MAX ? ROWS_MAX : (size_t)(lines - 2);
    const size_t steps = largest != NULL ? list_steps(out, report, largest, left, room) : 0;
    const size_t levers = list_levers(out, report, right, room);
    const int one = left_of(out);
    const int rest = out->width - one - GAP;
    const int other = rest > RIGHT_MOST ? RIGHT_MOST : rest;
    if (steps + levers == 0)
        return;
    gp_buf_char(out->buf, '\n');
    if (steps > 0) {
        const char *heading = gp_form_text(out, "The need of %s, step by step", largest->name);
        if (gp_text_width(heading) > one)
            heading = gp_form_text(out, "The need of %s", largest->name);
        gp_cell(out, heading, one, false, levers == 0);
        gp_buf_repeat(out->buf, ' ', levers > 0 ? GAP : 0);
    }
    gp_buf_printf(out->buf, "%s\n", levers > 0 ? "What would change the answer" : "");
    for (size_t i = 0; i < steps || i < levers; i++) {
        if (i < steps && i >= levers) {
            const int cut = (int)(strlen(left[i].figure) - strlen(bare(out, left[i].figure)));
            left[i].figure = bare(out, left[i].figure);
            print_cell(out, &left[i], one - cut);
            gp_buf_char(out->buf, '\n');
            continue;
        }
        if (i < steps)
            print_cell(out, &left[i], one);
        else if (steps > 0)
            gp_buf_repeat(out->buf, ' ', one);
        gp_buf_repeat(out->buf, ' ', steps > 0 && i < levers ? GAP : 0);
        if (i < levers)
            print_cell(out, &right[i], other);
        gp_buf_char(out->buf, '\n');
    }
}

/* In a comment the heads say what the caption says on a page. */
static void say_rows(gp_form_out *out, const char *caption, const char *const heads[2],
                     const screen_row *rows, size_t count) {
    const bool captioned = out->layout == GP_LAYOUT_HTML;
    gp_table table = GP_TABLE(captioned ? heads[0] : caption, heads[1]);
    for (size_t i = 0; i < count; i++)
        GP_TABLE_ROW(out, &table, rows[i].text, bare(out, rows[i].figure));
    gp_block_table(out, caption, &table);
}

void gp_say_need(gp_form_out *out, const gp_report *report) {
    enum { ROWS_MAX = 8 };
    static const char beside[] = "div class=\"pair\"";
    screen_row steps[ROWS_MAX];
    screen_row levers[ROWS_MAX];
    const gp_report_workload *largest = gp_text_largest(report);
    const size_t step_count =
        largest != NULL ? list_steps(out, report, largest, steps, ROWS_MAX) : 0;
    const size_t lever_count = list_levers(out, report, levers, ROWS_MAX);
    if (step_count + lever_count == 0)
        return;
    gp_block_open(out, beside);
    if (step_count > 0)
        say_rows(out, gp_form_text(out, "The need of %s, step by step", largest->name),
                 (const char *const[2]){"Step", ">Need"}, steps, step_count);
    say_rows(out, "What would change the answer", (const char *const[2]){"Change", ">Gain"}, levers,
             lever_count);
    gp_block_close(out, beside);
}
