/* A simulation as text, JSON, CSV and Markdown, and the table of all its forms. */
#include "render/simulation_form.h"

#include "render/block.h"

enum { DEFAULT_WIDTH = 80, DIGITS = 9 };

/* ---- text, Markdown, a page */

static void write_blocks(gp_form_out *out, const void *result) {
    const gp_simulation *simulation = result;
    gp_block_title(
        out, gp_form_text(out, "Simulation of %s", gp_form_or(simulation->workload, "a workload")));
    gp_block_lead(out, gp_simulation_answer(out, simulation));
    for (int part = 0; part < GP_SIMULATION_PART_COUNT; part++) {
        static const char *const captions[] = {"Latency", "Figures"};
        gp_table table;
        gp_simulation_table(out, simulation, (gp_simulation_part)part, &table);
        gp_block_table(out, captions[part], &table);
    }
    if (out->layout == GP_LAYOUT_TEXT)
        gp_simulation_plot(out, simulation);
    else
        gp_simulation_figure(out, simulation);
}

/* ---- JSON */

static void json_spread(gp_json *json, const char *key, const gp_simulation_spread *spread) {
    const struct {
        const char *key;
        double value;
    } rows[] = {
        {"mean", spread->mean}, {"p50", spread->p50}, {"p90", spread->p90}, {"p95", spread->p95},
        {"p99", spread->p99},   {"min", spread->min}, {"max", spread->max},
    };
    gp_json_open(json, key, '{');
    gp_json_i64(json, "count", spread->count);
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        gp_json_number(json, rows[i].key, spread->count > 0 ? rows[i].value : (double)NAN, DIGITS);
    gp_json_close(json, "}");
}

static void json_input(gp_json *json, const gp_simulation *s) {
    gp_json_open(json, "input", '{');
    gp_json_string(json, "plan", s->plan);
    gp_json_string(json, "workload", s->workload);
    gp_json_string(json, "model", s->model);
    gp_json_string(json, "machine", s->machine);
    gp_json_i64(json, "replicas", s->replicas);
    gp_json_i64(json, "prefillReplicas", s->prefill_replicas);
    gp_json_i64(json, "spareReplicas", s->spare_replicas);
    gp_json_i64(json, "gpusPerReplica", s->gpus_per_replica);
    gp_json_i64(json, "tp", s->tp);
    gp_json_i64(json, "pp", s->pp);
    gp_json_i64(json, "prefillGpusPerReplica", s->prefill_gpus_per_replica);
    gp_json_i64(json, "prefillTp", s->prefill_tp);
    gp_json_i64(json, "prefillPp", s->prefill_pp);
    gp_json_string(json, "router", s->router);
    if (s->process != NULL) {
        gp_json_string(json, "process", s->process);
        gp_json_number(json, "requestsPerSecond", s->planned_per_s, DIGITS);
    } else {
        gp_json_string(json, "trace", s->trace);
        gp_json_number(json, "rateScale", s->rate_scale, DIGITS);
    }
    gp_json_i64(json, "seed", (int64_t)s->seed);
    gp_json_close(json, "}");
}

static void json_counts(gp_json *json, const gp_simulation *s) {
    const struct {
        const char *key;
        int64_t value;
    } rows[] = {
        {"arrived", s->arrived},
        {"completed", s->completed},
        {"refused", s->refused},
        {"measured", s->measured},
        {"mostInSystem", s->most_live},
        {"promptTokens", s->prompt_tokens},
        {"outputTokens", s->output_tokens},
        {"computedTokens", s->computed_tokens},
        {"cachedTokens", s->cached_tokens},
        {"lostTokens", s->lost_tokens},
        {"preemptions", s->preemptions},
        {"failures", s->failures},
        {"movedRequests", s->moved},
        {"replicaStarts", s->starts},
        {"engineSteps", s->iterations},
        {"pieces", s->events},
    };
    gp_json_open(json, "counts", '{');
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        gp_json_i64(json, rows[i].key, rows[i].value);
    gp_json_close(json, "}");
}

static void json_figures(gp_json *json, const gp_simulation *s) {
    gp_json_number(json, "durationS", s->duration_s, DIGITS);
    gp_json_number(json, "arrivalS", s->arrival_s, DIGITS);
    gp_json_number(json, "requestsPerS", s->requests_per_s, DIGITS);
    gp_json_number(json, "outputTokensPerS", s->output_tokens_per_s, DIGITS);
    gp_json_number(json, "meanInSystem", s->mean_in_system, DIGITS);
    gp_json_number(json, "busyFraction", s->busy_fraction, DIGITS);
    gp_json_bool(json, "saturated", s->saturated);
    gp_json_number(json, "meanPowerW", s->mean_power_w, DIGITS);
    gp_json_number(json, "peakPowerW", s->peak_power_w, DIGITS);
    gp_json_number(json, "energyJ", s->energy_j, DIGITS);
    json_spread(json, "ttftS", &s->ttft_s);
    json_spread(json, "tpotS", &s->tpot_s);
    json_spread(json, "e2eS", &s->e2e_s);
    json_spread(json, "queueS", &s->queue_s);
}

static void json_goals(gp_json *json, const gp_simulation *s) {
    if (!s->has_slo)
        return;
    gp_json_number(json, "goodFraction", s->good_fraction, DIGITS);
    gp_json_number(json, "goodRequestsPerS", s->good_requests_per_s, DIGITS);
    gp_json_open(json, "goals", '[');
    for (int i = 0; i < s->goal_count; i++) {
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "goal", s->goals[i].name);
        gp_json_number(json, "targetS", s->goals[i].target_s, DIGITS);
        gp_json_number(json, "valueS", s->goals[i].value_s, DIGITS);
        gp_json_bool(json, "ok", s->goals[i].ok);
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]");
}

typedef struct named_series {
    const char *key;
    const double *values;
} named_series;
enum { SERIES_COUNT = 5 };

static void all_series(const gp_simulation *s, named_series ret[SERIES_COUNT]) {
    ret[0] = (named_series){"running", s->series.running};
    ret[1] = (named_series){"waiting", s->series.waiting};
    ret[2] = (named_series){"kvFraction", s->series.kv_fraction};
    ret[3] = (named_series){"powerW", s->series.power_w};
    ret[4] = (named_series){"replicas", s->series.replicas};
}

static void write_json(gp_form_out *out, const void *result) {
    const gp_simulation *simulation = result;
    named_series series[SERIES_COUNT];
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    json_input(&json, simulation);
    json_counts(&json, simulation);
    json_figures(&json, simulation);
    json_goals(&json, simulation);
    gp_json_open(&json, "series", '{');
    gp_json_number(&json, "widthS", simulation->series.width_s, DIGITS);
    all_series(simulation, series);
    for (size_t k = 0; k < SERIES_COUNT; k++) {
        gp_json_open(&json, series[k].key, '[');
        for (size_t i = 0; i < simulation->series.count; i++)
            gp_json_number(&json, NULL, series[k].values[i], DIGITS);
        gp_json_close(&json, "]");
    }
    gp_json_close(&json, "}}");
}

/* ---- CSV: the run over time */

static void write_csv(gp_form_out *out, const void *result) {
    const gp_simulation *simulation = result;
    named_series series[SERIES_COUNT];
    all_series(simulation, series);
    gp_buf_str(out->buf, "fromS,widthS");
    for (size_t k = 0; k < SERIES_COUNT; k++)
        gp_buf_printf(out->buf, ",%s", series[k].key);
    gp_buf_char(out->buf, '\n');
    for (size_t i = 0; i < simulation->series.count; i++) {
        gp_buf_number(out->buf, (double)i * simulation->series.width_s, DIGITS);
        gp_buf_char(out->buf, ',');
        gp_buf_number(out->buf, simulation->series.width_s, DIGITS);
        for (size_t k = 0; k < SERIES_COUNT; k++) {
            gp_buf_char(out->buf, ',');
            gp_buf_number(out->buf, series[k].values[i], DIGITS);
        }
        gp_buf_char(out->buf, '\n');
    }
}

/* ---- */

static const gp_renderer forms[] = {
    {"text", "txt", write_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", write_json, .layout = GP_LAYOUT_TEXT},
    {"csv", "csv", write_csv, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", write_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"html", "html", write_blocks, .layout = GP_LAYOUT_HTML},
    {"svg", "svg", gp_simulation_svg, .layout = GP_LAYOUT_TEXT},
};

const gp_forms gp_forms_simulation = GP_FORMS(forms, DEFAULT_WIDTH);
