/*
 * Results of serving benchmarks: `vllm bench serve`, SGLang's bench_serving (one object a line),
 * genai-perf and aiperf (JSON and CSV). Rates become rates per GPU, so the number of GPUs has to be
 * said: in none of these files it stands.
 */
#include <string.h>

#include "base/str.h"
#include "import/reader.h"
#include "source/json_tree.h"

typedef struct serving {
    const char *engine, *model, *request_rate, *date;
    double tp, requests, input_tokens, output_tokens, concurrency;
    double output_rate, total_rate, ttft_ms, tpot_ms;
    bool counts; /* requests are told */
} serving;

static void add_serving(gp_reader *r, const serving *s, const char *suffix) {
    if (s->counts && !(s->requests > 0)) {
        gp_reader_refuse_all(r, "a benchmark that ran", "no request was completed");
        return;
    }
    double gpus = gp_reader_gpus(r, s->tp);
    if (!(gpus > 0))
        return;
    gp_reading *row = gp_reader_add(r, GP_RUNS_INFERENCE, suffix);
    gp_reading_text(r, row, "model", s->model);
    gp_reading_text(r, row, "engine", s->engine);
    gp_reading_text(r, row, "mode", "online");
    gp_reading_number(r, row, "gpus", gpus);
    gp_reading_number(r, row, "tp", s->tp);
    gp_reading_number(r, row, "input_len", s->input_tokens);
    gp_reading_number(r, row, "output_len", s->output_tokens);
    gp_reading_number(r, row, "concurrency_or_batch", s->concurrency);
    gp_reading_text(r, row, "request_rate", s->request_rate);
    gp_reading_number(r, row, "output_tokens_per_s_per_gpu", s->output_rate / gpus);
    gp_reading_number(r, row, "total_tokens_per_s_per_gpu", s->total_rate / gpus);
    gp_reading_number(r, row, "ttft_ms_p50", s->ttft_ms);
    gp_reading_number(r, row, "tpot_ms_p50", s->tpot_ms);
    if (s->date != NULL)
        gp_reader_date(r, row, (gp_part){s->date, strlen(s->date)});
}

static const gp_node *scalar_of(const gp_node *map, const char *key) {
    const gp_node *node = gp_node_get(map, key);
    return node != NULL && node->kind == GP_NODE_SCALAR && !gp_node_is_null(node) ? node : NULL;
}

static double number_of(const gp_node *map, const char *key) {
    const gp_node *node = scalar_of(map, key);
    double value = 0;
    return node != NULL && gp_part_number((gp_part){node->text, node->len}, &value) ? value : 0;
}

static const char *text_of(const gp_node *map, const char *key) {
    const gp_node *node = scalar_of(map, key);
    return node == NULL ? NULL : node->text;
}

/* Mean over requests: a benchmark counts them all together. */
static double per_request(double tokens, double requests) {
    return requests > 0 ? tokens / requests : 0;
}

static bool is_whole(gp_reader *r, const gp_node *root, const char *const *keys, const char *form,
                     gp_part place) {
    for (size_t i = 0; keys[i] != NULL; i++) {
        if (scalar_of(root, keys[i]) == NULL) {
            gp_reader_refuse(r, place, form,
                             gp_arena_printf(r->arena, "the result has no key \"%s\"", keys[i]));
            return false;
        }
    }
    return true;
}

/* ---- vLLM, SGLang ---------------------------------------------------------------------------- */

static void set_common(const gp_node *root, serving *s) {
    s->counts = true;
    s->requests = number_of(root, "completed");
    s->input_tokens = per_request(number_of(root, "total_input_tokens"), s->requests);
    s->output_tokens = per_request(number_of(root, "total_output_tokens"), s->requests);
    s->concurrency = number_of(root, "max_concurrency");
    s->output_rate = number_of(root, "output_throughput");
    s->ttft_ms = number_of(root, "median_ttft_ms");
    s->tpot_ms = number_of(root, "median_tpot_ms");
    s->request_rate = text_of(root, "request_rate");
    if (gp_str_equal(s->request_rate, "Infinity"))
        s->request_rate = "inf";
}

void gp_read_vllm(gp_reader *r) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    static const char known[] = "the result of `vllm bench serve`, 0.6 or newer";
    static const char *const keys[] = {"completed", "total_output_tokens", "output_throughput",
                                       "median_tpot_ms", NULL};
    const gp_node *root = NULL;
    r->st = gp_json_read(r->arena, r->text, &limits, r->diags, &root);
    if (r->st != GP_OK || !is_whole(r, root, keys, known, gp_reader_line(r, 0)))
        return;
    serving s = {.engine = "vllm",
                 .model = text_of(root, "model_id"),
                 .date = text_of(root, "date"),
                 .tp = number_of(root, "tp"),
                 .total_rate = number_of(root, "total_token_throughput")};
    set_common(root, &s);
    add_serving(r, &s, "");
}

/* Each line in a text of its own: places are those of the file by the line's own name. */
void gp_read_sglang(gp_reader *r) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    static const char known[] = "lines of SGLang's bench_serving, 0.4 or newer";
    static const char *const keys[] = {"completed", "total_output_tokens", "output_throughput",
                                       "median_tpot_ms", NULL};
    for (size_t i = 0; i < r->text->line_count && r->st == GP_OK; i++) {
        gp_part line = gp_part_trim(gp_reader_line(r, i));
        const gp_node *root = NULL;
        gp_text *text = NULL;
        if (line.len == 0)
            continue;
        const char *copy = gp_arena_strndup(r->arena, line.at, line.len);
        const char *name =
            gp_arena_printf(r->arena, "%s, object %lld", r->text->name, (long long)i + 1);
        r->st = gp_text_init(r->arena, name, copy, line.len, &text);
        if (r->st == GP_OK)
            r->st = gp_json_read(r->arena, text, &limits, r->diags, &root);
        if (r->st == GP_ERR_INPUT || (r->st == GP_OK && !is_whole(r, root, keys, known, line))) {
            r->st = GP_OK; /* told; so is what is wrong with the others */
            continue;
        }
        if (r->st != GP_OK)
            return;
        serving s = {.engine = "sglang", .total_rate = number_of(root, "total_throughput")};
        set_common(root, &s);
        add_serving(r, &s, gp_arena_printf(r->arena, "-%lld", (long long)i + 1));
    }
}

/* ---- aiperf, genai-perf ---------------------------------------------------------------------- */

static const char known_aiperf[] =
    "aiperf schema 1.0 to 1.5 or genai-perf, times in ms, us, ns or sec";

/* Milliseconds in a unit; 0: not known. */
static double ms_of(gp_part unit) {
    static const struct {
        const char *word;
        double ms;
    } units[] = {{"ms", 1}, {"sec", 1e3}, {"s", 1e3}, {"us", 1e-3}, {"ns", 1e-6}}; /* definitions */
    for (size_t i = 0; i < GP_COUNT_OF(units); i++)
        if (gp_part_is(unit, units[i].word))
            return units[i].ms;
    return 0;
}

static double time_ms(gp_reader *r, const gp_node *root, const char *key) {
    const gp_node *block = gp_node_get(root, key);
    const gp_node *unit = scalar_of(block, "unit");
    if (block == NULL)
        return 0;
    double scale = unit == NULL ? 0 : ms_of((gp_part){unit->text, unit->len});
    if (scale <= 0)
        gp_reader_refuse_all(r, known_aiperf,
                             gp_arena_printf(r->arena, "%s: a unit that is not known", key));
    return number_of(block, "p50") * scale;
}

static void read_aiperf_json(gp_reader *r) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    const gp_node *root = NULL;
    r->st = gp_json_read(r->arena, r->text, &limits, r->diags, &root);
    if (r->st != GP_OK)
        return;
    const gp_node *schema = scalar_of(root, "schema_version");
    if (schema != NULL && !gp_part_starts((gp_part){schema->text, schema->len}, "1.")) {
        gp_reader_refuse_all(r, known_aiperf, "a schema_version that is not known");
        return;
    }
    const gp_node *endpoint = gp_node_get(gp_node_get(root, "input_config"), "endpoint");
    const gp_node *models = gp_node_get(endpoint, "model_names");
    bool named = models != NULL && models->kind == GP_NODE_SEQ && models->count > 0 &&
                 models->items[0]->kind == GP_NODE_SCALAR;
    size_t errors = r->diags->errors;
    serving s = {
        .model = named ? models->items[0]->text : NULL,
        .input_tokens = number_of(gp_node_get(root, "input_sequence_length"), "avg"),
        .output_tokens = number_of(gp_node_get(root, "output_sequence_length"), "avg"),
        .output_rate = number_of(gp_node_get(root, "output_token_throughput"), "avg"),
        .ttft_ms = time_ms(r, root, "time_to_first_token"),
        .tpot_ms = time_ms(r, root, "inter_token_latency"),
    };
    /* Requests in flight by Little's law where the run does not say. */
    double latency_ms = number_of(gp_node_get(root, "request_latency"), "avg");
    s.concurrency = number_of(gp_node_get(root, "request_throughput"), "avg") * latency_ms / 1e3;
    if (r->diags->errors == errors)
        add_serving(r, &s, "");
}

/* "Time to First Token (ms)" to its unit; false for another metric. */
static bool metric_is(gp_part name, const char *metric, gp_part *ret_unit) {
    *ret_unit = (gp_part){.at = NULL};
    if (!gp_part_starts(name, metric))
        return false;
    gp_part rest = gp_part_after(name, "(");
    if (rest.at != NULL)
        *ret_unit = gp_part_until(&rest, ')');
    return true;
}

/* The cell under a header of that name, counted from the metric's. */
static double cell_under(gp_part header, gp_part line, const char *name) {
    double value = 0;
    while (header.len > 0 && line.len > 0) {
        gp_part column = gp_part_until(&header, ',');
        gp_part cell = gp_part_until(&line, ',');
        if (gp_part_is(gp_part_trim(column), name))
            return gp_part_number(cell, &value) ? value : 0;
    }
    return 0;
}

static void read_metric(gp_reader *r, gp_part header, gp_part line, serving *s) {
    gp_part rest = line;
    gp_part name = gp_part_until(&rest, ',');
    gp_part unit;
    const struct {
        const char *metric, *column;
        double *at;
        bool time;
    } metrics[] = {
        {"Time to First Token", "p50", &s->ttft_ms, true},
        {"Inter Token Latency", "p50", &s->tpot_ms, true},
        {"Input Sequence Length", "avg", &s->input_tokens, false},
        {"Output Sequence Length", "avg", &s->output_tokens, false},
        {"Output Token Throughput (", "Value", &s->output_rate, false},
        {"Request Throughput", "Value", &s->requests, false},
    };
    for (size_t i = 0; i < GP_COUNT_OF(metrics); i++) {
        if (!metric_is(name, metrics[i].metric, &unit))
            continue;
        double scale = metrics[i].time ? ms_of(unit) : 1;
        if (scale <= 0) {
            gp_reader_refuse(r, name, known_aiperf, "a unit that is not known");
            return;
        }
        *metrics[i].at = cell_under(header, line, metrics[i].column) * scale;
    }
}

static void read_aiperf_csv(gp_reader *r) {
    gp_part header = {.at = NULL};
    serving s = {.engine = NULL};
    size_t errors = r->diags->errors;
    for (size_t i = 0; i < r->text->line_count && r->diags->errors == errors; i++) {
        gp_part line = gp_reader_line(r, i);
        if (gp_part_starts(line, "Metric,"))
            header = line;
        else if (header.at != NULL && line.len > 0)
            read_metric(r, header, line, &s);
    }
    s.concurrency = 0;
    if (r->diags->errors == errors)
        add_serving(r, &s, "");
}

void gp_read_aiperf(gp_reader *r) {
    gp_part all = gp_part_trim((gp_part){r->text->data, r->text->len});
    if (gp_part_starts(all, "{"))
        read_aiperf_json(r);
    else
        read_aiperf_csv(r);
}
