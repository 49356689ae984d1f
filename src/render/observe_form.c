/*
 * Plan against reality in all its forms: a table for people, JSON, OpenMetrics gauges to alert on,
 * and JUnit cases for a scheduled job. Figures follow the order in which they were judged.
 */

#include "render/block.h"
#include "render/gate.h"

enum { DEFAULT_WIDTH = 100, DIGITS = 6 };

static const char *const state_words[] = {
    [GP_OBSERVED_OK] = "ok",
    [GP_OBSERVED_UNSURE] = "unsure",
    [GP_OBSERVED_BREACH] = "breach",
    [GP_OBSERVED_NOT_MEASURED] = "notMeasured",
    [GP_OBSERVED_NOT_PLANNED] = "notPlanned",
};
static const char *const state_texts[] = {
    [GP_OBSERVED_OK] = "ok",
    [GP_OBSERVED_UNSURE] = "unsure",
    [GP_OBSERVED_BREACH] = "BREACH",
    [GP_OBSERVED_NOT_MEASURED] = "not measured",
    [GP_OBSERVED_NOT_PLANNED] = "not planned",
};
static const char *const side_words[] = {
    [GP_OBSERVED_EITHER] = "either",
    [GP_OBSERVED_ABOVE] = "above",
    [GP_OBSERVED_BELOW] = "below",
};

static const char *subject_of(const gp_observed_figure *figure) {
    return gp_form_or(figure->workload, "machines");
}

static bool is_judged(const gp_observed_figure *figure) {
    return figure->state != GP_OBSERVED_NOT_MEASURED && figure->state != GP_OBSERVED_NOT_PLANNED;
}

/* ---- for people */

static const char *signed_share(gp_form_out *out, double share) {
    char room[GP_NUM_TEXT];
    if (!isfinite(share))
        return "-";
    (void)gp_num_format_fixed(room, share * 100, 0);
    return gp_form_text(out, "%s%s%%", share >= 0 ? "+" : "", room);
}

/* "+-20%", "+25%", "-15%": how far it may drift. */
static const char *limit_text(gp_form_out *out, const gp_observed_figure *figure) {
    char room[GP_NUM_TEXT];
    static const char *const signs[] = {
        [GP_OBSERVED_EITHER] = "+-",
        [GP_OBSERVED_ABOVE] = "+",
        [GP_OBSERVED_BELOW] = "-",
    };
    (void)gp_num_format_fixed(room, figure->limit_fraction * 100, 0);
    return gp_form_text(out, "%s%s%%", signs[figure->side], room);
}

static const char *observed_text(gp_form_out *out, const gp_observed_figure *figure) {
    const char *value = gp_form_quantity(out, figure->observed, figure->dim);
    if (!isfinite(figure->low))
        return value;
    return gp_form_text(out, "%s (%s..%s)", value, gp_form_quantity(out, figure->low, figure->dim),
                        isfinite(figure->high) ? gp_form_quantity(out, figure->high, figure->dim)
                                               : "");
}

static void figures_table(gp_form_out *out, const gp_observation *it, gp_table *table) {
    *table = GP_TABLE("of", "figure", ">planned", ">observed", ">drift", ">limit", "");
    for (size_t i = 0; i < it->figures.count; i++) {
        const gp_observed_figure *figure = &it->figures.items[i];
        GP_TABLE_ROW(out, table, subject_of(figure), figure->metric,
                     gp_form_quantity(out, figure->planned, figure->dim),
                     observed_text(out, figure), signed_share(out, figure->drift_fraction),
                     limit_text(out, figure), state_texts[figure->state]);
    }
}

static const char *headline(gp_form_out *out, const gp_observation *it) {
    const char *unsure =
        it->unsure == 0 ? "" : gp_form_text(out, ", %lld unsure", (long long)it->unsure);
    const char *open = it->not_measured == 0
                           ? ""
                           : gp_form_text(out, ", %lld not measured", (long long)it->not_measured);
    if (it->not_measured == (int64_t)it->figures.count)
        return gp_form_text(out, "%s: not assessed%s", it->plan, open);
    return it->ok ? gp_form_text(out, "%s: as planned%s%s", it->plan, unsure, open)
                  : gp_form_text(out, "%s: %s beyond limits%s%s", it->plan,
                                 gp_form_plural(out, it->breaches, "figure"), unsure, open);
}

/* The reasons of figures that were not judged, each once. */
static bool is_first_reason(const gp_observation *it, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (gp_str_equal(it->figures.items[i].reason, it->figures.items[index].reason))
            return false;
    return true;
}

/* "outputTokensP95, tpotP95": the figures that share the reason of this one; of many the first. */
static const char *metrics_of_reason(gp_form_out *out, const gp_observation *it, size_t index) {
    enum { NAMED = 3 };
    const char *reason = it->figures.items[index].reason;
    const char *names = it->figures.items[index].metric;
    size_t count = 1;
    for (size_t i = index + 1; i < it->figures.count; i++) {
        const gp_observed_figure *figure = &it->figures.items[i];
        if (gp_str_equal(figure->reason, reason))
            names = ++count > NAMED ? names : gp_form_text(out, "%s, %s", names, figure->metric);
    }
    return count > NAMED
               ? gp_form_text(out, "%s and %zu more", it->figures.items[index].metric, count - 1)
               : names;
}

static void write_blocks(gp_form_out *out, const void *result) {
    const gp_observation *it = result;
    gp_table table;
    bool any = false;
    figures_table(out, it, &table);
    gp_block_lead(out, headline(out, it));
    gp_block_note(out, "%s, %s up to %s", it->server, gp_form_seconds(out, it->window_s),
                  it->until);
    gp_block_table(out, NULL, &table);
    if (it->shifts.count > 0)
        gp_block_heading(out, "Growth, projected from the measurements");
    for (size_t i = 0; i < it->shifts.count; i++)
        gp_block_item(out, it->shifts.items[i].sentence);
    for (size_t i = 0; i < it->figures.count; i++) {
        const char *reason = it->figures.items[i].reason;
        if (reason == NULL || !is_first_reason(it, i))
            continue;
        if (!any)
            gp_block_heading(out, "What could not be judged");
        any = true;
        gp_block_item(out, gp_form_text(out, "%s: %s", metrics_of_reason(out, it, i), reason));
    }
}

/* ---- JSON */

static void json_figure(gp_json *json, const gp_observed_figure *figure) {
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "workload", figure->workload);
    gp_json_string(json, "metric", figure->metric);
    gp_json_string(json, "unit", gp_dim_base_unit(figure->dim));
    gp_json_number(json, "planned", figure->planned, DIGITS);
    gp_json_number(json, "observed", figure->observed, DIGITS);
    if (isfinite(figure->low)) {
        gp_json_number(json, "observedLow", figure->low, DIGITS);
        gp_json_number(json, "observedHigh", figure->high, DIGITS);
    }
    gp_json_number(json, "driftFraction", figure->drift_fraction, DIGITS);
    gp_json_number(json, "limitFraction", figure->limit_fraction, DIGITS);
    gp_json_string(json, "side", side_words[figure->side]);
    gp_json_string(json, "state", state_words[figure->state]);
    gp_json_string(json, "reason", figure->reason);
    gp_json_i64(json, "samples", figure->samples);
    gp_json_string(json, "query", figure->query);
    gp_json_close(json, "}");
}

static void json_shifts(gp_json *json, const gp_observation *it) {
    gp_json_open(json, "growth", '[');
    for (size_t i = 0; i < it->shifts.count; i++) {
        const gp_growth_shift *shift = &it->shifts.items[i];
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "event", shift->event);
        gp_json_string(json, "planned", shift->planned);
        gp_json_string(json, "observed", shift->observed);
        gp_json_string(json, "plannedOrderBy", shift->planned_order);
        gp_json_string(json, "observedOrderBy", shift->observed_order);
        gp_json_bool(json, "moved", shift->moved);
        gp_json_bool(json, "earlier", shift->earlier);
        gp_json_string(json, "sentence", shift->sentence);
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]");
    gp_json_open(json, "measuredInputs", '[');
    for (size_t i = 0; i < it->overrides.count; i++) {
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "path", it->overrides.items[i].path);
        gp_json_string(json, "value", it->overrides.items[i].value);
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]");
}

static void json_missing(gp_json *json, const gp_observation *it) {
    gp_json_open(json, "missing", '[');
    for (size_t i = 0; i < it->missing.count; i++) {
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "metric", it->missing.items[i].metric);
        gp_json_string(json, "reason", it->missing.items[i].reason);
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]");
    gp_json_open(json, "warnings", '[');
    for (size_t i = 0; i < it->warnings.count; i++)
        gp_json_string(json, NULL, it->warnings.items[i]);
    gp_json_close(json, "]");
}

static void write_json(gp_form_out *out, const void *result) {
    const gp_observation *it = result;
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "schemaVersion", "1.0.0");
    gp_json_string(&json, "plan", it->plan);
    gp_json_string(&json, "spec", it->spec);
    gp_json_string(&json, "server", it->server);
    gp_json_string(&json, "until", it->until);
    gp_json_number(&json, "windowS", it->window_s, DIGITS);
    gp_json_bool(&json, "ok", it->ok);
    gp_json_i64(&json, "breaches", it->breaches);
    gp_json_i64(&json, "unsure", it->unsure);
    gp_json_i64(&json, "notMeasured", it->not_measured);
    gp_json_open(&json, "figures", '[');
    for (size_t i = 0; i < it->figures.count; i++)
        json_figure(&json, &it->figures.items[i]);
    gp_json_close(&json, "]");
    json_shifts(&json, it);
    json_missing(&json, it);
    gp_json_close(&json, "}");
}

/* ---- OpenMetrics */

typedef struct gauge {
    const char *name, *help;
    size_t offset; /* of the figure's member; 0: whether it is a breach */
} gauge;

static const gauge gauges[] = {
    {"gpuplan_observe_planned", "Planned value in its SI unit.",
     offsetof(gp_observed_figure, planned)},
    {"gpuplan_observe_observed", "Observed value in its SI unit.",
     offsetof(gp_observed_figure, observed)},
    {"gpuplan_observe_drift", "Observed / planned - 1.",
     offsetof(gp_observed_figure, drift_fraction)},
    {"gpuplan_observe_limit", "Allowed drift.", offsetof(gp_observed_figure, limit_fraction)},
    {"gpuplan_observe_breach", "1 if a figure is beyond its limit.", 0},
};

/* A figure that was not judged has no sample of a breach: 0 would say that it holds. */
static double gauge_value(const gauge *it, const gp_observed_figure *figure) {
    if (it->offset > 0)
        return *(const double *)(const void *)((const char *)figure + it->offset);
    return !is_judged(figure) ? (double)NAN : figure->state == GP_OBSERVED_BREACH;
}

static void write_gauge(gp_form_out *out, const gauge *it, const gp_observation *all) {
    gp_buf *buf = out->buf;
    gp_buf_printf(buf, "# TYPE %s gauge\n# HELP %s %s\n", it->name, it->name, it->help);
    for (size_t i = 0; i < all->figures.count; i++) {
        const gp_observed_figure *figure = &all->figures.items[i];
        const double value = gauge_value(it, figure);
        if (isfinite(value)) {
            gp_buf_str(buf, it->name);
            gp_gate_label(buf, "{", "plan", all->plan);
            gp_gate_label(buf, ",", "workload", gp_form_or(figure->workload, ""));
            gp_gate_label(buf, ",", "metric", figure->metric);
            gp_buf_str(buf, "} ");
            gp_buf_number(buf, value, DIGITS);
            gp_buf_char(buf, '\n');
        }
    }
}

static void write_openmetrics(gp_form_out *out, const void *result) {
    const gp_observation *it = result;
    gp_buf *buf = out->buf;
    for (size_t i = 0; i < GP_COUNT_OF(gauges); i++)
        write_gauge(out, &gauges[i], it);
    gp_buf_str(buf,
               "# TYPE gpuplan_observe_growth_earlier gauge\n# HELP gpuplan_observe_growth_earlier "
               "1 if a date of the growth plan comes earlier than planned.\n");
    for (size_t i = 0; i < it->shifts.count; i++) {
        gp_buf_str(buf, "gpuplan_observe_growth_earlier");
        gp_gate_label(buf, "{", "plan", it->plan);
        gp_gate_label(buf, ",", "event", it->shifts.items[i].event);
        gp_buf_printf(buf, "} %d\n", it->shifts.items[i].earlier ? 1 : 0);
    }
    gp_buf_str(buf, "# EOF\n");
}

/* ---- JUnit */

static const char *sentence(gp_form_out *out, const gp_observed_figure *figure) {
    return gp_form_text(out, "planned %s, observed %s: %s, limit %s",
                        gp_form_quantity(out, figure->planned, figure->dim),
                        observed_text(out, figure), signed_share(out, figure->drift_fraction),
                        limit_text(out, figure));
}

static void write_case(gp_form_out *out, const gp_observation *it,
                       const gp_observed_figure *figure) {
    const bool breach = figure->state == GP_OBSERVED_BREACH;
    const char *told = sentence(out, figure);
    const char *state = state_texts[figure->state];
    const gp_gate_junit one = {
        .name = figure->metric,
        .group = gp_form_text(out, "%s.%s", it->plan, subject_of(figure)),
        .failed = breach ? "drift" : NULL,
        .skipped = is_judged(figure) ? NULL : gp_form_or(figure->reason, state),
        .message = told,
        .text = breach ? figure->help : gp_form_text(out, "%s: %s", state, told),
    };
    gp_gate_write_junit(out->buf, &one);
}

static void write_junit(gp_form_out *out, const void *result) {
    const gp_observation *it = result;
    gp_buf *buf = out->buf;
    size_t skipped = 0;
    for (size_t i = 0; i < it->figures.count; i++)
        skipped += is_judged(&it->figures.items[i]) ? 0 : 1;
    const char *counts = gp_form_text(out, "tests=\"%zu\" failures=\"%lld\" errors=\"0\"",
                                      it->figures.count, (long long)it->breaches);
    gp_buf_printf(buf,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gpuplan\" %s "
                  "time=\"0\">\n  <testsuite",
                  counts);
    gp_gate_attribute(buf, "name", gp_form_or(it->spec, it->plan));
    gp_buf_printf(buf, " %s skipped=\"%zu\" time=\"0\">\n", counts, skipped);
    for (size_t i = 0; i < it->figures.count && buf->st == GP_OK; i++)
        write_case(out, it, &it->figures.items[i]);
    gp_buf_str(buf, "  </testsuite>\n</testsuites>\n");
}

/* ---- which */

static const gp_renderer forms[] = {
    {"text", "txt", write_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", write_json, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", write_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"openmetrics", "prom", write_openmetrics, .layout = GP_LAYOUT_TEXT},
    {"junit", "xml", write_junit, .layout = GP_LAYOUT_TEXT}};

const gp_forms gp_forms_observation = GP_FORMS(forms, DEFAULT_WIDTH);
