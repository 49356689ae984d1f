/*
 * The sheet of a workload: the reason, the alternatives sized in full, its goals with their bands,
 * memory, time, every kind of machine considered, and what would move the answer.
 */
#include <string.h>

#include "render/report_parts.h"

static void write_memory(gp_form_out *out, const gp_report_memory *memory) {
    static const gp_wording fits[] = {{"fits", "fits"}, {"borderline", "borderline"}};
    gp_chart_part parts[GP_CHART_PARTS];
    size_t count = 0;
    const double whole = fmax(memory->capacity_bytes, memory->used_bytes);
    if (!isfinite(memory->capacity_bytes) || !(whole > 0))
        return;
    for (size_t i = 0; i < memory->components.count && count + 1 < GP_CHART_PARTS; i++) {
        const gp_report_component *it = &memory->components.items[i];
        if (it->bytes > 0)
            parts[count++] =
                (gp_chart_part){gp_form_words(out, it->name), gp_form_bytes(out, it->bytes),
                                it->bytes / whole, false};
    }
    const double room = memory->capacity_bytes - memory->used_bytes;
    if (room > 0)
        parts[count++] = (gp_chart_part){"free", gp_form_bytes(out, room), room / whole, true};
    gp_chart_stack(out,
                   gp_form_text(out, "Memory of the fullest GPU: %s of %s, %s",
                                gp_form_bytes(out, memory->used_bytes),
                                gp_form_bytes(out, memory->capacity_bytes),
                                GP_WORDING(fits, memory->fit, "does not fit")),
                   parts, count);
}

static void write_step(gp_form_out *out, const gp_report_performance *figures) {
    gp_chart_part parts[GP_CHART_PARTS];
    size_t count = 0;
    double total = 0;
    for (size_t i = 0; i < figures->step_parts.count; i++)
        total += gp_json_written(fmax(figures->step_parts.items[i].time_s, 0));
    if (!(total > 0))
        return;
    for (size_t i = 0; i < figures->step_parts.count && count < GP_CHART_PARTS; i++) {
        const gp_report_time_part *it = &figures->step_parts.items[i];
        if (it->time_s > 0)
            parts[count++] =
                (gp_chart_part){gp_form_words(out, it->name),
                                gp_form_text(out, "%s (%s)", gp_form_seconds(out, it->time_s),
                                             gp_form_share(out, it->time_s / total)),
                                gp_json_written(it->time_s) / total, false};
    }
    gp_chart_stack(out,
                   isfinite(figures->step_time_s.expected)
                       ? gp_form_text(out, "Where the step time goes: %s",
                                      gp_form_band(out, figures->step_time_s, GP_DIM_TIME))
                       : "Where the time goes",
                   parts, count);
}

/* A bar of the band, to a quarter past the larger of target and band; a share is held against the
 * whole, and there the part that is missing is what counts. */
static gp_chart_bar goal_bar(gp_form_out *out, const gp_report_goal *goal) {
    static const double room = 1.25;
    const bool share = goal->dim == GP_DIM_FRACTION && goal->target <= 1;
    const double low = gp_json_written(isfinite(goal->low) ? goal->low : goal->expected);
    const double high = gp_json_written(isfinite(goal->high) ? goal->high : goal->expected);
    gp_chart_bar bar = {.label = gp_form_goal_name(out, goal->name),
                        .text = gp_form_goal_text(out, goal),
                        .from = GP_REPORT_NO_REAL,
                        .to = GP_REPORT_NO_REAL,
                        .mark = GP_REPORT_NO_REAL,
                        .class_name = goal->ok               ? "good"
                                      : goal->ok_at_expected ? "unsure"
                                                             : "bad"};
    if (!(goal->expected > 0) || !(goal->target > 0) || share)
        return bar;
    const double most = gp_num_max(goal->target, high) * room;
    bar.from = low / most;
    bar.to = high / most;
    bar.mark = goal->target / most;
    return bar;
}

static void write_goals(gp_form_out *out, const gp_report_workload *workload) {
    gp_chart_bar bars[GP_CHART_BARS];
    size_t count = 0;
    for (size_t i = 0; i < workload->goals.count && count < GP_CHART_BARS; i++)
        bars[count++] = goal_bar(out, &workload->goals.items[i]);
    gp_chart_bars(out, "Goals: the bar is the error band, the line across it the target", bars,
                  count);
}

/* ---- alternatives */

static gp_table sized_table(const char *first) {
    return GP_TABLE(first, "Machines", "Layout", ">GPUs", ">Speed", ">Power", "Verdict", ">A year");
}

static void alternative_row(gp_form_out *out, gp_table *table, const gp_report *report,
                            const char *name, const gp_report_candidate *candidate) {
    const bool sized = candidate->system != NULL;
    const char *verdict = candidate->feasible ? "holds"
                          : candidate->lack != NULL
                              ? gp_form_or(candidate->lack->reason, "does not hold")
                              : "not possible";
    GP_TABLE_ROW(out, table, name, sized ? gp_form_machines(out, candidate) : "-",
                 sized ? gp_form_or(candidate->layout, "-") : "-",
                 sized ? gp_form_count(out, candidate->gpus) : "-", gp_form_speed(out, candidate),
                 gp_form_watts(out, candidate->facility_power_w), verdict,
                 gp_form_money(out, candidate->cost_per_year, report->cost.currency));
}

static void write_alternatives(gp_form_out *out, const gp_report *report,
                               const gp_report_recommendation *verdict) {
    gp_table table = sized_table("Way");
    alternative_row(out, &table, report, verdict->chosen.feasible ? "chosen" : "nearest",
                    &verdict->chosen);
    alternative_row(out, &table, report, "scale up", &verdict->vertical);
    alternative_row(out, &table, report, "scale out", &verdict->horizontal);
    gp_table_drop_empty(&table);
    gp_block_table(out, "Scale up or out: both alternatives, fully sized", &table);
}

/* ---- every kind of machine */

static double speed_of(const gp_report_option *option) {
    return isfinite(option->time_to_complete_s) ? option->time_to_complete_s : option->tpot_p95_s;
}

static bool is_chosen(const gp_report_option *option, const gp_report_candidate *chosen) {
    return chosen->feasible && gp_str_equal(option->system, chosen->system) &&
           gp_str_equal(option->where, chosen->where);
}

static bool all_priced(const gp_report_recommendation *verdict) {
    for (size_t i = 0; i < verdict->options.count; i++)
        if (verdict->options.items[i].feasible && !(verdict->options.items[i].cost_per_year > 0))
            return false;
    return true;
}

static const char *option_speed(gp_form_out *out, const gp_report_option *option) {
    const char *text = gp_form_seconds(out, speed_of(option));
    return isfinite(option->time_to_complete_s) || gp_str_equal(text, "-")
               ? text
               : gp_form_text(out, "%s/token by formula", text);
}

/* What an option costs or, where prices are missing, draws. */
static double price_of(const gp_report_option *option, bool priced) {
    return priced ? option->cost_per_year : option->facility_power_w;
}

static size_t option_points(gp_form_out *out, const gp_report_recommendation *verdict, bool priced,
                            gp_chart_point *points) {
    size_t count = 0;
    for (size_t i = 0; i < verdict->options.count && count < GP_CHART_BARS; i++) {
        const gp_report_option *it = &verdict->options.items[i];
        if (it->feasible && price_of(it, priced) > 0 && speed_of(it) > 0)
            points[count++] =
                (gp_chart_point){gp_json_written(price_of(it, priced)),
                                 gp_json_written(speed_of(it)), gp_form_text(out, "%zu", i + 1),
                                 gp_form_or(it->system, "?"), is_chosen(it, &verdict->chosen)};
    }
    return count;
}

/* From a tenth below the least to a tenth above the most. */
static void span_axes(const gp_chart_point *points, size_t count, gp_chart_axis *across,
                      gp_chart_axis *up) {
    static const double below = 0.9;
    static const double above = 1.1;
    for (size_t i = 0; i < count; i++) {
        const double x = points[i].x;
        const double y = points[i].y;
        across->least = i == 0 ? x * below : gp_num_min(across->least, x * below);
        across->most = gp_num_max(across->most, x * above);
        up->least = i == 0 ? y * below : gp_num_min(up->least, y * below);
        up->most = gp_num_max(up->most, y * above);
    }
}

/* Cost, or power where prices are missing, against the figure the workload is judged by. */
static void draw_options(gp_form_out *out, const gp_report *report,
                         const gp_report_recommendation *verdict) {
    enum { FEWEST = 3 }; /* of two the table says as much */
    gp_chart_point points[GP_CHART_BARS];
    const bool priced = all_priced(verdict);
    const bool jobs = isfinite(verdict->options.items[0].time_to_complete_s);
    const char *currency = report->cost.currency;
    const size_t count = option_points(out, verdict, priced, points);
    gp_chart_axis across = {.name = priced ? "cost per year" : "facility power, mean"};
    gp_chart_axis up = {.name = jobs ? "time to complete" : "time per token by formula, p95"};
    if (count < FEWEST)
        return;
    span_axes(points, count, &across, &up);
    up.least_text = gp_form_seconds(out, up.least);
    up.most_text = gp_form_seconds(out, up.most);
    across.least_text =
        priced ? gp_form_money(out, across.least, currency) : gp_form_watts(out, across.least);
    across.most_text =
        priced ? gp_form_money(out, across.most, currency) : gp_form_watts(out, across.most);
    gp_chart_scatter(
        out,
        gp_form_text(out,
                     "Machine types by %s and %s: lower and further left is better, green is the "
                     "choice, the line joins those that no other beats on both",
                     across.name, up.name),
        &across, &up, points, count);
}

static void write_options(gp_form_out *out, const gp_report *report,
                          const gp_report_recommendation *verdict) {
    gp_table table = sized_table("No.");
    if (verdict->options.count < 2)
        return;
    draw_options(out, report, verdict);
    for (size_t i = 0; i < verdict->options.count; i++) {
        const gp_report_option *it = &verdict->options.items[i];
        GP_TABLE_ROW(out, &table, gp_form_text(out, "%zu", i + 1),
                     gp_form_text(out, "%s x %s%s", gp_form_count(out, it->nodes),
                                  gp_form_or(it->system, "?"),
                                  gp_str_equal(it->where, "owned") ? "" : " (rented)"),
                     gp_form_or(it->layout, "-"), gp_form_count(out, it->gpus),
                     option_speed(out, it), gp_form_watts(out, it->facility_power_w),
                     is_chosen(it, &verdict->chosen) ? "chosen"
                     : it->feasible                  ? "holds"
                                                     : gp_form_or(it->reason, "does not hold"),
                     gp_form_money(out, it->cost_per_year, report->cost.currency));
    }
    gp_table_drop_empty(&table);
    gp_block_table(out, "Machine types considered, the fewest of each that suffice", &table);
}

/* ---- what would move the answer */

/* "precision.compute fp8" of "workloads.chat.precision.compute" */
static const char *lever_words(gp_form_out *out, const gp_report_workload *workload,
                               const gp_report_software_change *change) {
    const char *head = gp_form_text(out, "workloads.%s.", gp_form_or(workload->name, ""));
    const char *path = gp_form_or(change->path, "?");
    if (gp_str_starts(path, head))
        path += strlen(head);
    return gp_form_text(out, "%s %s", path, gp_form_or(change->to, "?"));
}

static const char *against(gp_form_out *out, int64_t gpus, int64_t planned) {
    const double share = (double)(gpus - planned) / (double)planned;
    return gp_form_text(out, "%s, %s%s", gp_form_plural(out, gpus, "GPU"), share > 0 ? "+" : "",
                        gp_form_share(out, share));
}

static size_t add_lever(gp_form_out *out, gp_chart_bar *bars, size_t count, const char *label,
                        int64_t gpus, int64_t planned) {
    if (count >= GP_CHART_BARS || gpus <= 0)
        return count;
    bars[count] = (gp_chart_bar){.label = label,
                                 .text = against(out, gpus, planned),
                                 .from = 0,
                                 .to = (double)gpus,
                                 .mark = GP_REPORT_NO_REAL,
                                 .class_name = "c4"};
    return count + 1;
}

static void write_levers(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    const int64_t planned = verdict->chosen.gpus;
    gp_chart_bar bars[GP_CHART_BARS];
    size_t count = 0;
    if (!verdict->chosen.feasible || planned <= 0)
        return;
    bars[count++] = (gp_chart_bar){
        .label = gp_form_text(out, "as planned (%s)", gp_form_or(report->summary.confidence, "-")),
        .text = gp_form_plural(out, planned, "GPU"),
        .to = (double)planned,
        .mark = GP_REPORT_NO_REAL,
        .class_name = "c0"};
    if (verdict->at_expected != NULL)
        count = add_lever(out, bars, count, "at the expected value", verdict->at_expected->gpus,
                          planned);
    for (size_t i = 0; i < verdict->software_changes.count; i++) {
        const gp_report_software_change *it = &verdict->software_changes.items[i];
        if (it->feasible)
            count = add_lever(out, bars, count, lever_words(out, workload, it), it->gpus, planned);
    }
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = gp_num_max(most, bars[i].to);
    for (size_t i = 0; i < count; i++)
        bars[i].to /= most;
    if (count > 1)
        gp_chart_bars(out, "What would move the answer: GPUs needed, one change at a time", bars,
                      count);
}

static void write_rates(gp_form_out *out, const gp_report_network *network) {
    gp_chart_bar bars[GP_CHART_BARS];
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < network->rates.count; i++)
        most = gp_num_max(most, network->rates.items[i].step_time_s);
    for (size_t i = 0; i < network->rates.count && count < GP_CHART_BARS && most > 0; i++) {
        const gp_report_rate *rate = &network->rates.items[i];
        const bool planned = gp_num_compare9(rate->rate_bits_per_s, network->rate_bits_per_s) == 0;
        bars[count++] = (gp_chart_bar){
            .label = gp_form_text(out, "%s%s",
                                  gp_form_quantity(out, rate->rate_bits_per_s, GP_DIM_BITS_PER_S),
                                  planned ? " (planned)" : ""),
            .text =
                gp_form_text(out, "%s, %s of it waiting", gp_form_seconds(out, rate->step_time_s),
                             gp_form_share(out, rate->communication_fraction)),
            .to = gp_json_written(rate->step_time_s) / gp_json_written(most),
            .mark = GP_REPORT_NO_REAL,
            .class_name = planned ? "c0" : "c4"};
    }
    gp_chart_bars(out, "Step time by network rate per GPU", bars, count);
}

static const char *model_of(gp_form_out *out, const gp_report_workload *workload, const char *own) {
    return gp_form_text(out, "%s, %s parameters", gp_form_or(workload->model, own),
                        gp_form_quantity(out, workload->parameters, GP_DIM_COUNT));
}

/* What a page draws, and a comment has in tables. */
static void write_sheet(gp_form_out *out, const gp_report *report,
                        const gp_report_workload *workload) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    gp_block_note(out, "%s of %s; bound by %s", workload->type,
                  model_of(out, workload, "its own reward model"),
                  gp_form_words(out, verdict->bound_by));
    gp_block_lead(out, gp_form_text(out, "%s.", gp_form_or(verdict->reason, "-")));
    if (out->layout == GP_LAYOUT_MARKDOWN) {
        write_alternatives(out, report, verdict);
        return;
    }
    write_goals(out, workload);
    write_alternatives(out, report, verdict);
    write_memory(out, &workload->memory);
    write_step(out, &workload->performance);
    write_levers(out, report, workload);
    write_options(out, report, verdict);
    write_rates(out, &workload->network);
}

static void say_workload(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload, const char *id) {
    const char *name = gp_form_or(workload->name, "?");
    const bool text = out->layout == GP_LAYOUT_TEXT;
    const bool folded = out->layout == GP_LAYOUT_MARKDOWN;
    gp_block_section(
        out, id,
        !text ? gp_form_text(out, "%s: %s", name, gp_form_scale(workload->recommendation.scale))
        : workload->seats != NULL ? gp_form_text(out, "%s: %s", name, workload->type)
                                  : gp_form_text(out, "%s: %s, %s", name, workload->type,
                                                 model_of(out, workload, "own model")));
    if (!text)
        write_sheet(out, report, workload);
    if (folded)
        gp_block_fold(out, gp_form_text(out, "All figures of %s", name));
    gp_say_workload_facts(out, report, workload);
    if (folded)
        gp_block_fold_end(out);
}

void gp_say_workloads(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->workloads.count; i++)
        say_workload(out, report, &report->workloads.items[i], gp_form_text(out, "w%zu", i + 1));
}
