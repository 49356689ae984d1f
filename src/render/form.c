/* Words and cells that the forms for people have in common. */
#include "render/form.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

const char *gp_form_text(gp_form_out *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(out->buf->arena, format, args);
    va_end(args);
    if (text == NULL)
        out->buf->st = GP_ERR_NO_MEMORY;
    return text != NULL ? text : "";
}

const char *gp_form_or(const char *text, const char *otherwise) {
    return text != NULL ? text : otherwise;
}

static const char *keep(gp_form_out *out, const char *text) {
    if (text == NULL)
        out->buf->st = GP_ERR_NO_MEMORY;
    return text != NULL ? text : "";
}

const char *gp_form_quantity(gp_form_out *out, double value, gp_dim dim) {
    if (!isfinite(value))
        return "-";
    if (value > 0 || value < 0 || dim == GP_DIM_FRACTION)
        return keep(out, gp_quantity_format(out->buf->arena, value, dim));
    const char *unit = gp_dim_base_unit(dim);
    return unit[0] != '\0' ? gp_form_text(out, "0 %s", unit) : "0";
}

const char *gp_form_money(gp_form_out *out, double value, const char *currency) {
    if (!isfinite(value))
        return "-";
    return keep(out, gp_quantity_format_money(out->buf->arena, value, GP_DIM_MONEY, 3, currency));
}

const char *gp_form_band(gp_form_out *out, gp_report_band band, gp_dim dim) {
    const char *expected = gp_form_quantity(out, band.expected, dim);
    const char *low = gp_form_quantity(out, band.low, dim);
    const char *high = gp_form_quantity(out, band.high, dim);
    if (!isfinite(band.low) || strcmp(low, high) == 0)
        return expected;
    return gp_form_text(out, "%s (%s to %s)", expected, low, high);
}

const char *gp_form_count(gp_form_out *out, int64_t count) {
    return count == GP_REPORT_NO_COUNT ? "-" : gp_form_text(out, "%lld", (long long)count);
}

const char *gp_form_plural(gp_form_out *out, int64_t count, const char *one, const char *many) {
    return gp_form_text(out, "%s %s", gp_form_count(out, count), count == 1 ? one : many);
}

const char *gp_form_machines(gp_form_out *out, const gp_report_candidate *candidate) {
    if (candidate->system == NULL)
        return "none";
    return gp_form_text(out, "%lld x %s", (long long)candidate->nodes, candidate->system);
}

const char *gp_form_now(gp_form_out *out, const gp_report_available *available) {
    if (available->system == NULL)
        return "nothing";
    if (available->nodes == 0)
        return gp_form_text(out, "%s of %s", gp_form_plural(out, available->gpus, "GPU", "GPUs"),
                            available->system);
    return gp_form_text(out, "%lld x %s", (long long)available->nodes, available->system);
}

const char *gp_form_where(gp_form_out *out, const gp_report_candidate *candidate) {
    const int64_t owned = candidate->nodes - candidate->added_nodes;
    if (!gp_str_equal(candidate->where, "owned"))
        return gp_form_text(out, "rented from %s", candidate->where);
    if (candidate->added_nodes == 0)
        return "there today";
    if (owned == 0)
        return "to buy";
    return gp_form_text(out, "%lld there, %lld to buy", (long long)owned,
                        (long long)candidate->added_nodes);
}

static const gp_report_goal *tightest(const gp_report_workload *workload) {
    const gp_report_goal *found = NULL;
    for (size_t i = 0; i < workload->goals.count; i++) {
        const gp_report_goal *goal = &workload->goals.items[i];
        if (isfinite(goal->margin_fraction) &&
            (found == NULL || goal->margin_fraction < found->margin_fraction))
            found = goal;
    }
    return found;
}

const char *gp_form_goal(gp_form_out *out, const gp_report_workload *workload) {
    const gp_report_goal *goal = tightest(workload);
    if (goal == NULL)
        return isfinite(workload->performance.demand_requests_per_s) ? "rate" : "none";
    const char *word = goal->ok ? "ok" : goal->ok_at_expected ? "in band" : "missed";
    if (goal->margin_fraction < -1)
        return word;
    return gp_form_text(out, "%s %s%s", word, goal->margin_fraction >= 0 ? "+" : "",
                        gp_form_quantity(out, goal->margin_fraction, GP_DIM_FRACTION));
}

const char *gp_form_speed(gp_form_out *out, const gp_report_candidate *candidate) {
    if (isfinite(candidate->time_to_complete_s.expected))
        return gp_form_band(out, candidate->time_to_complete_s, GP_DIM_TIME);
    if (isfinite(candidate->tpot_p95_s.expected))
        return gp_form_text(out, "%s/token",
                            gp_form_quantity(out, candidate->tpot_p95_s.expected, GP_DIM_TIME));
    return "-";
}

static const char *lack_words(gp_form_out *out, const gp_report_lack *lack) {
    if (lack == NULL || gp_str_equal(lack->bound, "none"))
        return "not possible";
    bool time = lack->dim == GP_DIM_TIME;
    return gp_form_text(out, "not possible: %s, %s%s where %s is %s", lack->bound,
                        time ? "takes " : "", gp_form_quantity(out, lack->have, lack->dim),
                        gp_form_quantity(out, lack->need, lack->dim), time ? "allowed" : "needed");
}

const char *gp_form_alternative(gp_form_out *out, const gp_report_candidate *candidate,
                                const char *currency) {
    if (candidate->system == NULL)
        return lack_words(out, candidate->lack);
    const char *machines = gp_form_text(out, "%s (%s)", gp_form_machines(out, candidate),
                                        gp_form_plural(out, candidate->gpus, "GPU", "GPUs"));
    if (!candidate->feasible)
        return gp_form_text(out, "%s, nearest %s", lack_words(out, candidate->lack), machines);
    const char *cost =
        candidate->cost_per_year > 0
            ? gp_form_text(out, ", %s/yr", gp_form_money(out, candidate->cost_per_year, currency))
            : "";
    return gp_form_text(out, "%s: %s, %s, %s%s", machines, gp_form_or(candidate->layout, "-"),
                        gp_form_speed(out, candidate),
                        gp_form_quantity(out, candidate->facility_power_w, GP_DIM_POWER), cost);
}

const char *gp_form_flip(gp_form_out *out, const gp_report_recommendation *recommendation) {
    const gp_report_flip *flip = recommendation->flip;
    if (flip == NULL)
        return gp_form_or(recommendation->flip_reason, "-");
    return gp_form_text(out, "to %s at a %s of %s (now %s)%s", flip->to_scale, flip->variable,
                        gp_form_quantity(out, flip->at, flip->dim),
                        gp_form_quantity(out, flip->today, flip->dim),
                        flip->inside_band ? ", inside the error band" : "");
}

const char *gp_form_check_level(const char *level) {
    return gp_str_equal(level, "notAssessed") ? "not assessed" : level;
}

const char *gp_form_check_name(const char *id) {
    return gp_str_equal(id, "powerCooling") ? "power, cooling" : id;
}

const char *gp_form_check_reason(gp_form_out *out, const gp_report_check *check) {
    if (check->missing.count == 0 || !gp_str_equal(check->level, "notAssessed"))
        return gp_form_or(check->reason, "");
    const char *text = "add ";
    for (size_t i = 0; i < check->missing.count; i++)
        text = gp_form_text(out, "%s%s%s", text, i > 0 ? ", " : "", check->missing.items[i]);
    return text;
}

int64_t gp_form_level_count(const gp_report *report, const char *level) {
    int64_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += gp_str_equal(report->findings.items[i].level, level);
    return count;
}

static const char *level_words(gp_form_out *out, const gp_report *report, const char *level) {
    return gp_form_plural(out, gp_form_level_count(report, level), level,
                          gp_form_text(out, "%ss", level));
}

const char *gp_form_findings(gp_form_out *out, const gp_report *report) {
    return gp_form_text(out, "%s, %s, %s", level_words(out, report, "error"),
                        level_words(out, report, "warning"), level_words(out, report, "note"));
}

const char *gp_form_next(gp_form_out *out, const gp_report *report) {
    const char *spec = gp_form_or(out->command, gp_form_or(report->inputs.spec.path, "plan.yaml"));
    if (report->workloads.count == 0)
        return gp_form_text(out, "gpuplan validate %s", spec);
    return gp_form_text(out, "gpuplan explain %s %s", spec, report->workloads.items[0].name);
}

const char *gp_form_place(gp_form_out *out, const gp_report_finding *finding) {
    if (finding->file == NULL || finding->line == GP_REPORT_NO_COUNT)
        return NULL;
    return gp_form_text(out, "%s:%lld:%lld", finding->file, (long long)finding->line,
                        (long long)finding->column);
}

const char *gp_form_software(gp_form_out *out, const gp_report_software_change *change) {
    const char *effect =
        change->feasible
            ? gp_form_text(out, "%s, %s fewer", gp_form_plural(out, change->gpus, "GPU", "GPUs"),
                           gp_form_quantity(out, change->saved_fraction, GP_DIM_FRACTION))
            : "not enough by itself";
    return gp_form_text(out, "%s %s instead of %s: %s%s", gp_form_or(change->path, "?"),
                        gp_form_or(change->to, "?"), gp_form_or(change->from, "?"), effect,
                        change->makes_hardware_unnecessary ? "; nothing to buy" : "");
}

const char *gp_form_fabric(gp_form_out *out, const gp_report_fabric *fabric) {
    if (fabric->tiers == 0)
        return "none needed";
    const char *core =
        fabric->core > 0 ? gp_form_text(out, ", %s core", gp_form_count(out, fabric->core)) : "";
    const char *spine =
        fabric->spine > 0 ? gp_form_text(out, ", %s spine", gp_form_count(out, fabric->spine)) : "";
    return gp_form_text(out, "%s leaf%s%s", gp_form_count(out, fabric->leaf), spine, core);
}

const char *gp_form_source(gp_form_out *out, const gp_report_source *source) {
    const char *text = source->origin;
    const char *const parts[] = {source->where, source->source, source->date, source->evidence};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i] != NULL)
            text = gp_form_text(out, "%s, %s", gp_form_or(text, ""), parts[i]);
    return source->verified || gp_str_equal(source->origin, "term")
               ? gp_form_or(text, "")
               : gp_form_text(out, "%s, unverified", gp_form_or(text, ""));
}
