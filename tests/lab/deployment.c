/*
 * Services of the world through the planner: a row becomes a spec by its columns, is sized free on
 * its kind of GPU for the published load within the published latencies, and once more with the
 * published layout declared, for what a GPU of it carries.
 */
#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "fit/words.h"
#include "lab/lab.h"
#include "model/fields.h"

static const double ms_per_s = 1000; /* definition */
static const double rack_gpus = 72;  /* whose load is taken where a row gives rates per GPU alone */
static const double half = 0.5;

typedef enum pool_kind { POOL_AGGREGATED, POOL_PREFILL, POOL_DECODE, POOL_BOTH } pool_kind;

static const char *const pool_words[] = {
    [POOL_AGGREGATED] = "aggregated",
    [POOL_PREFILL] = "prefill",
    [POOL_DECODE] = "decode",
    [POOL_BOTH] = "disaggregated",
};
static const char *const apart_words[] = {
    [POOL_AGGREGATED] = "false",
    [POOL_PREFILL] = "prefill",
    [POOL_DECODE] = "decode",
    [POOL_BOTH] = "true",
};

typedef struct service {
    gp_fitter *fitter;
    const gp_run_row *run;
    const gp_fit_model *model;
    const gp_machine *machine;
    const gp_stack *stack; /* NULL: not known */
    gp_serve_job job;      /* formats and draft */
    pool_kind pool;
    double input, output, requests_per_s;
    double gpus; /* published; of a rack where the row gives rates per GPU alone */
} service;

static bool set_pool(service *s) {
    for (size_t i = 0; i < sizeof pool_words / sizeof pool_words[0]; i++) {
        if (gp_str_equal(gp_lab(s->run)->pool, pool_words[i])) {
            s->pool = (pool_kind)i;
            return true;
        }
    }
    return false;
}

/* Lengths of a request: decoding alone, those that make the context, of which half is written where
 * the row does not say how much. */
static void set_lengths(service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    s->input = d->input;
    s->output = s->pool == POOL_PREFILL ? 1 : d->output;
    if (s->pool == POOL_DECODE && d->context > 0) {
        s->output = s->output > 0 ? s->output : d->context / (1 + half);
        s->input = gp_num_max(d->context - half * s->output, 1);
    }
}

static double output_rate(const service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    return d->output_per_s > 0 ? d->output_per_s : d->output_per_gpu_s * s->gpus;
}

static const char *set_load(service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    set_lengths(s);
    if (s->input <= 0 || s->output <= 0) {
        return "lengths not stated";
    }
    s->gpus = s->run->gpus > 0 ? s->run->gpus : rack_gpus;
    s->requests_per_s = d->requests_per_s;
    if (s->requests_per_s <= 0) {
        s->requests_per_s =
            s->pool == POOL_PREFILL ? d->input_per_s / s->input : output_rate(s) / s->output;
    }
    return s->requests_per_s > 0 ? NULL : "no load stated";
}

static const char *prepare(service *s) {
    const gp_run_row *run = s->run;
    s->job.weights = (gp_format)s->model->model.weights.format;
    if (!set_pool(s)) {
        return "not a pool that is known";
    }
    if (!gp_fit_serving_formats(s->fitter, run, s->machine, &s->job, &s->stack) &&
        run->precision != NULL) {
        return "precision not known";
    }
    /* Blocks of 8 bit are meant where the checkpoint has them. */
    if (s->job.weights == GP_FORMAT_FP8 && s->model->model.weights.format == GP_FORMAT_FP8_BLOCK) {
        s->job.weights = GP_FORMAT_FP8_BLOCK;
    }
    gp_lab_set_draft(s->fitter, run, &s->job);
    return set_load(s);
}

/* ---- the spec */

/* Tests that drive a service to its limit send it prompts of one length. */
static void add_prompts(gp_buf *buf, const service *s) {
    if (!gp_str_equal(gp_lab(s->run)->served.rate_kind, "saturation")) {
        gp_lab_write_member(buf, "inputTokens", s->input);
        return;
    }
    gp_buf_str(buf, ", inputTokens: {mean: ");
    gp_buf_number(buf, s->input, GP_LAB_SPEC_DIGITS);
    gp_lab_write_member(buf, "p95", s->input);
    gp_buf_char(buf, '}');
}

/* What was counted is what these GPUs carried: those of a mean follow the load through the day. */
static void add_traffic(gp_buf *buf, const service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    gp_buf_str(buf, "      traffic: {requestsPerSecond: {mean: ");
    gp_buf_number(buf, s->requests_per_s, GP_LAB_SPEC_DIGITS);
    gp_lab_write_member(buf, "peak", s->requests_per_s);
    gp_buf_char(buf, '}');
    add_prompts(buf, s);
    gp_lab_write_member(buf, "outputTokens", s->output);
    gp_lab_write_member(buf, "prefixCacheHit", s->pool == POOL_DECODE ? 0 : d->prefix_hit);
    gp_buf_str(buf, "}\n");
}

/* A limit of which nobody says what it is of is a mean. */
static void add_limit(gp_buf *buf, const char *key, const char *stat, double limit_ms,
                      bool *first) {
    if (limit_ms > 0) {
        bool tail = gp_str_equal(stat, "p99") || gp_str_equal(stat, "p95");
        gp_buf_printf(buf, "%s%s: {%s: ", *first ? "" : ", ", key, tail ? stat : "mean");
        gp_buf_number(buf, limit_ms / ms_per_s, GP_LAB_SPEC_DIGITS);
        gp_buf_str(buf, " s}");
        *first = false;
    }
}

/* What was promised, else what was measured. A pool is held to its own part. */
static void add_goal(gp_buf *buf, const service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    bool promised = d->slo_ttft_ms > 0 || d->slo_tpot_ms > 0;
    const char *stat = promised ? d->slo_stat : NULL;
    double ttft = promised ? d->slo_ttft_ms : d->ttft_ms;
    double tpot = promised ? d->slo_tpot_ms : d->tpot_ms;
    bool first = true;
    if (s->pool == POOL_DECODE ? tpot <= 0 : ttft <= 0 && tpot <= 0) {
        return;
    }
    gp_buf_str(buf, "      goal: {slo: {");
    add_limit(buf, "ttft", stat, s->pool == POOL_DECODE ? 0 : ttft, &first);
    add_limit(buf, "tpot", stat, s->pool == POOL_PREFILL ? 0 : tpot, &first);
    gp_buf_str(buf, "}}\n");
}

static void add_software(gp_buf *buf, const service *s) {
    int compute = gp_words_precision(gp_lab(s->run)->served.compute);
    gp_buf_printf(buf, "      precision: {weights: %s, kvCache: %s",
                  gp_format_words[s->job.weights], gp_format_words[s->job.kv_cache]);
    if (compute >= 0) {
        gp_buf_printf(buf, ", compute: %s", gp_precision_words[compute]);
    }
    gp_buf_printf(buf, "}\n      software: {tuning: %s", gp_tuning_words[s->fitter->tuning]);
    if (s->stack != NULL) {
        gp_buf_printf(buf, ", engine: %s, release: \"%s\"", s->stack->name, s->stack->release);
    }
    gp_buf_str(buf, "}\n");
    if (s->job.draft_tokens > 0) {
        gp_buf_printf(buf, "      speculative: {tokens: %d", (int)s->job.draft_tokens);
        gp_lab_write_member(buf, "acceptance", s->job.draft_acceptance_fraction);
        gp_buf_str(buf, "}\n");
    }
}

static bool has_layout(const service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    return s->pool != POOL_BOTH && (d->tp > 0 || d->dp > 0 || d->ep > 0);
}

static void add_layout(gp_buf *buf, const service *s) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    gp_buf_str(buf, "      parallelism: {mode: explicit");
    gp_lab_write_member(buf, "tp", gp_num_max(d->tp, 1));
    gp_lab_write_member(buf, "dp", d->dp);
    gp_lab_write_member(buf, "ep", d->ep);
    gp_lab_write_member(buf, "pp", d->stages);
    gp_buf_str(buf, "}\n");
}

static const gp_workload_plan *plan(const service *s, bool declared, const char **ret_why) {
    const gp_plan_options options = {.simulate = GP_PLAN_SIMULATE_OFF};
    gp_buf buf;
    gp_buf_init(&buf, s->fitter->arena, GP_LAB_SPEC_MAX_BYTES);
    gp_buf_printf(&buf,
                  "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: service}\nspec:\n"
                  "  defaults: {confidence: %s, headroom: {gpus: 0}}\n"
                  "  cluster: {pools: [{name: own, count: 0, system: ",
                  gp_confidence_words[s->fitter->confidence]);
    gp_lab_write_system(&buf, s->machine);
    gp_buf_printf(&buf,
                  "}]}\n  candidates: {allow: [own], objective: minGpus, limits: {maxNodes: "
                  "100000}}\n  workloads:\n    - name: service\n      type: inference\n"
                  "      model: %s\n      disaggregated: %s\n",
                  s->model->model.id, apart_words[s->pool]);
    add_traffic(&buf, s);
    add_goal(&buf, s);
    add_software(&buf, s);
    if (declared) {
        add_layout(&buf, s);
    }
    return gp_lab_plan(s->fitter, s->run->id, &buf, &options, ret_why);
}

/* ---- what is compared */

static const char *refusal(const gp_workload_plan *w) {
    return !w->chosen.present    ? "no layout could be tried on this GPU"
           : !w->chosen.feasible ? "no number of GPUs is found that keeps the latencies"
                                 : NULL;
}

static const char *layout_words(gp_arena *arena, const char *name, int64_t replicas,
                                const gp_serve_layout *layout) {
    return gp_arena_printf(arena, "%s%lld x TP%lld DP%lld EP%lld", name, (long long)replicas,
                           (long long)layout->tp,
                           (long long)gp_num_max_i64(layout->attention_dp, 1),
                           (long long)gp_num_max_i64(layout->ep, 1));
}

/* The layout that was chosen for the load, in the short hand of those who run them. */
static const char *chosen_words(gp_arena *arena, const gp_candidate *chosen) {
    const gp_split_pools *split = &chosen->split;
    if (!split->present) {
        return layout_words(arena, "", chosen->replicas, &chosen->serve_layout);
    }
    const char *prefill =
        split->prefill_replicas > 0
            ? layout_words(arena, "prefill ", split->prefill_replicas, &split->layouts.prefill)
            : NULL;
    const char *decode =
        split->decode_replicas > 0
            ? layout_words(arena, "decode ", split->decode_replicas, &split->layouts.decode)
            : NULL;
    return gp_fit_remark(arena, prefill, decode);
}

static void score_gpus(const service *s, const char *why, const char *note, gp_fit_rows *rows) {
    gp_arena *arena = s->fitter->arena;
    const gp_workload_plan *w = why == NULL ? plan(s, false, &why) : NULL;
    why = w == NULL ? why : refusal(w);
    gp_backtest_row row = gp_fit_row(s->run, "deployment", "gpus", s->gpus, why);
    if (w != NULL && why == NULL) {
        note = gp_fit_remark(arena, chosen_words(arena, &w->chosen), note);
    }
    gp_fit_row_estimate(&row, w == NULL ? 0 : (double)w->chosen.gpus, 0, note);
    gp_fit_rows_add(s->fitter, rows, &row, NULL);
}

/* What a GPU carries, by the expected value or as the confidence judges it. */
static double rate_per_gpu(const service *s, const gp_candidate *chosen, bool expected) {
    double requests = expected ? chosen->requests_per_s_expected : chosen->requests_per_s;
    double tokens = s->pool == POOL_PREFILL ? s->input : s->output;
    return requests * tokens / gp_num_max((double)chosen->gpus, 1);
}

/* The band lies around the expected value, whatever percentile is asked for. */
static void set_rate(const service *s, const gp_candidate *chosen, const char *note,
                     gp_backtest_row *row) {
    bool expected = s->fitter->confidence == GP_CONFIDENCE_EXPECTED;
    gp_fit_row_estimate(row, rate_per_gpu(s, chosen, true), chosen->error_fraction, note);
    if (row->status == GP_BACKTEST_SCORED) {
        row->estimated = rate_per_gpu(s, chosen, expected);
        row->error_fraction = row->estimated / row->measured - 1;
    }
}

static void score_rate(const service *s, const char *why, const char *note, gp_fit_rows *rows) {
    const gp_lab_deployment *d = &gp_lab(s->run)->served;
    bool prefill = s->pool == POOL_PREFILL;
    double measured = (prefill ? d->input_per_s : output_rate(s)) / gp_num_max(s->gpus, 1);
    if (measured <= 0 || !has_layout(s)) {
        return;
    }
    const gp_workload_plan *w = why == NULL ? plan(s, true, &why) : NULL;
    why = w == NULL ? why : refusal(w);
    gp_backtest_row row = gp_fit_row(
        s->run, "deployment",
        prefill ? "input_tokens_per_s_per_gpu" : "output_tokens_per_s_per_gpu", measured, why);
    if (w != NULL) {
        set_rate(s, &w->chosen, note, &row);
    }
    gp_fit_rows_add(s->fitter, rows, &row, NULL);
}

/* Rows that tell a time or what fits, and no load, have nothing that a plan answers. */
static bool tells_load(const gp_run_row *run) {
    const gp_lab_deployment *d = &gp_lab(run)->served;
    return d->requests_per_s > 0 || d->input_per_s > 0 || d->output_per_s > 0 ||
           d->output_per_gpu_s > 0;
}

void gp_lab_score_deployment(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    service s = {.fitter = fitter, .run = run, .gpus = run->gpus};
    const char *why = NULL;
    if (!tells_load(run)) {
        gp_backtest_row row = gp_fit_row(run, "deployment", "gpus", run->gpus, "no load stated");
        row.status = GP_BACKTEST_SKIPPED;
        gp_fit_rows_add(fitter, rows, &row, NULL);
        return;
    }
    s.model = gp_lab_served_model(fitter, run, &why);
    const gp_fit_hardware hardware = gp_lab_site_of(fitter, run, gp_lab(run)->served.network_gbps);
    s.machine = hardware.machine;
    why = gp_fit_remark(fitter->arena, why, hardware.why);
    if (why == NULL) {
        why = s.model->model.id == NULL ? "a model of that name is not in the catalogue"
                                        : prepare(&s);
    }
    score_gpus(&s, why, hardware.note, rows);
    score_rate(&s, why, hardware.note, rows);
}
