/*
 * Whole training runs through the planner: a row becomes a spec by its columns, as a user would
 * write it, is planned once on the published cluster with the published layout and once free, and
 * the answers stand beside what was published.
 */
#include <math.h>
#include <string.h>

#include "plan/plan.h"

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "fit/words.h"
#include "lab/lab.h"
#include "model/fields.h"

enum { DIGITS = GP_LAB_SPEC_DIGITS };

static const double s_per_hour = 3600; /* definitions */
static const double giga = 1e9;

/* A run's spec is written once for each question. */
typedef struct whole_case {
    gp_fitter *fitter;
    const gp_run_row *run;
    const gp_machine *machine;
    double nodes;
    bool free; /* sized on that kind of machine for the published days */
} whole_case;

/* Leading dense layers have a width of their own; without any, the column repeats the experts'. */
static void add_experts(gp_buf *buf, const gp_run_row *run) {
    const gp_lab_whole_run *w = &gp_lab(run)->whole;
    if (run->experts <= 0) {
        return;
    }
    gp_buf_str(buf, ", experts: {count: ");
    gp_buf_number(buf, run->experts, DIGITS);
    gp_lab_write_member(buf, "topK", run->top_k);
    gp_lab_write_member(buf, "ffn", w->expert_ffn);
    gp_lab_write_member(buf, "shared", w->shared_experts);
    gp_lab_write_member(buf, "sharedFfn", w->shared_ffn);
    gp_lab_write_member(buf, "firstDense", w->dense_layers);
    gp_lab_write_member(buf, "every", w->moe_every);
    gp_buf_char(buf, '}');
}

static void add_mixers(gp_buf *buf, const gp_run_row *run) {
    const gp_lab_whole_run *w = &gp_lab(run)->whole;
    if (w->mla_kv_lora > 0) {
        gp_buf_str(buf, ", mla: {kvLora: ");
        gp_buf_number(buf, w->mla_kv_lora, DIGITS);
        gp_lab_write_member(buf, "qLora", w->mla_q_lora);
        gp_lab_write_member(buf, "nope", w->mla_nope);
        gp_lab_write_member(buf, "rope", w->mla_rope);
        gp_lab_write_member(buf, "value", w->mla_value);
        gp_buf_char(buf, '}');
    }
    if (w->window > 0 && w->window_layers > 0) {
        gp_buf_str(buf, ", window: {size: ");
        gp_buf_number(buf, w->window, DIGITS);
        gp_lab_write_member(buf, "layers", w->window_layers);
        gp_buf_char(buf, '}');
    }
    if (w->mamba_layers > 0) {
        gp_buf_str(buf, ", mamba: {layers: ");
        gp_buf_number(buf, w->mamba_layers, DIGITS);
        gp_lab_write_member(buf, "heads", w->mamba_heads);
        gp_lab_write_member(buf, "headDim", w->mamba_head_dim);
        gp_lab_write_member(buf, "state", w->mamba_state);
        gp_lab_write_member(buf, "groups", w->mamba_groups);
        gp_lab_write_member(buf, "conv", w->mamba_conv);
        gp_buf_char(buf, '}');
    }
    if (w->mamba_layers > 0 && run->ffn <= 0 && run->experts <= 0) {
        gp_buf_str(buf, ", pattern: ");
        gp_buf_repeat(buf, 'M', (int)w->mamba_layers);
    }
}

static void add_model(gp_buf *buf, const gp_run_row *run) {
    const gp_lab_whole_run *w = &gp_lab(run)->whole;
    gp_buf_str(buf, "{layers: ");
    gp_buf_number(buf, run->layers, DIGITS);
    gp_lab_write_member(buf, "hidden", run->hidden);
    gp_lab_write_member(buf, "heads", run->heads);
    gp_lab_write_member(buf, "kvHeads", run->kv_heads);
    gp_lab_write_member(buf, "headDim", w->head_dim);
    gp_lab_write_member(buf, "ffn", run->ffn);
    gp_lab_write_member(buf, "vocab", run->vocab);
    gp_buf_printf(buf, ", gated: %s", gp_str_equal(w->gated, "no") ? "false" : "true");
    gp_buf_printf(buf, ", tied: %s", gp_str_equal(w->tied, "yes") ? "true" : "false");
    add_experts(buf, run);
    add_mixers(buf, run);
    gp_buf_char(buf, '}');
}

static void add_data(gp_buf *buf, const gp_run_row *run) {
    gp_buf_str(buf, "{tokens: ");
    gp_buf_number(buf, gp_lab(run)->whole.tokens_b * giga, DIGITS);
    gp_lab_write_member(buf, "sequenceLength", run->sequence_length);
    gp_lab_write_member(buf, "globalBatch", gp_lab(run)->whole.batch_tokens);
    gp_buf_char(buf, '}');
}

typedef struct layout_part {
    const char *key;
    double stated; /* below 0: nothing is */
    int64_t planned;
} layout_part;

enum { LAYOUT_PARTS = 9 };

static double stated_or_none(double value) {
    return value > 0 ? value : -1;
}

/* What the row states of the layout, each part beside the planned one. */
static void parts_of(const gp_run_row *run, const gp_layout *layout, layout_part *ret) {
    const layout_part parts[LAYOUT_PARTS] = {
        {"tp", stated_or_none(run->tp), layout->tp},
        {"pp", stated_or_none(run->pp), layout->pp},
        {"vpp", run->pp > 1 ? stated_or_none(run->vpp) : -1, layout->vpp},
        {"cp", stated_or_none(run->cp), layout->cp},
        {"ep", stated_or_none(run->ep), layout->ep},
        {"dp", stated_or_none(run->dp), layout->dp},
        {"zero", gp_words_zero(run->zero), layout->zero},
        {"shardGroup", stated_or_none(gp_lab(run)->whole.shard_group), layout->shard_group},
        {"microBatch", stated_or_none(run->micro_batch), layout->micro_batch},
    };
    memcpy(ret, parts, sizeof parts);
}

static bool states_layout(const gp_run_row *run) {
    layout_part parts[LAYOUT_PARTS];
    parts_of(run, &(gp_layout){0}, parts);
    for (int i = 0; i < LAYOUT_PARTS; i++) {
        if (parts[i].stated >= 0) {
            return true;
        }
    }
    return false;
}

/* A free plan has none of it. */
static void add_layout(gp_buf *buf, const whole_case *c) {
    layout_part parts[LAYOUT_PARTS];
    int recompute = gp_words_recompute(c->run->recompute);
    parts_of(c->run, &(gp_layout){0}, parts);
    if (!c->free && states_layout(c->run)) {
        gp_buf_str(buf, "      parallelism: {mode: explicit");
        for (int i = 0; i < LAYOUT_PARTS; i++) {
            if (parts[i].stated >= 0) {
                gp_buf_printf(buf, ", %s: %lld", parts[i].key, (long long)parts[i].stated);
            }
        }
        gp_buf_str(buf, "}\n");
    }
    if (recompute != GP_WORD_UNKNOWN) {
        gp_buf_printf(buf, "      recompute: %s\n", gp_recompute_words[recompute]);
    }
}

static void add_software(gp_buf *buf, const whole_case *c) {
    const gp_stack *stack = gp_fit_training_stack(c->fitter, c->run);
    gp_buf_printf(buf, "      software: {tuning: %s", gp_tuning_words[c->fitter->tuning]);
    if (stack != NULL) {
        gp_buf_printf(buf, ", framework: %s", stack->name);
    }
    if (stack != NULL && c->run->version != NULL) {
        gp_buf_printf(buf, ", release: \"%s\"", stack->release);
    }
    gp_buf_str(buf, "}\n");
}

/* The goal of the run on its own cluster is any: its time is asked for, not whether it holds. */
static void add_workload(gp_buf *buf, const whole_case *c) {
    static const double any_days = 36500;
    const gp_run_row *run = c->run;
    bool tunes = gp_words_has(run->kind, "sft") || gp_words_has(run->kind, "finetune");
    int precision = gp_words_precision(run->precision);
    int optimizer = gp_words_optimizer(run->optimizer);
    gp_buf_printf(buf, "  workloads:\n    - name: run\n      type: %s\n      model: ",
                  gp_workload_type_words[tunes ? GP_WORKLOAD_FINETUNE : GP_WORKLOAD_TRAINING]);
    add_model(buf, run);
    gp_buf_str(buf, "\n      data: ");
    add_data(buf, run);
    gp_buf_str(buf, "\n      goal: {completeWithin: ");
    gp_buf_number(buf, c->free ? gp_lab(run)->whole.wall_days : any_days, DIGITS);
    gp_buf_str(buf, " d}\n      precision: {compute: ");
    gp_buf_str(buf, gp_precision_words[precision < 0 ? GP_PRECISION_BF16 : precision]);
    if (optimizer != GP_WORD_UNKNOWN) {
        gp_buf_printf(buf, ", optimizer: %s", gp_optimizer_words[optimizer]);
    }
    gp_buf_str(buf, "}\n");
    add_layout(buf, c);
    add_software(buf, c);
}

static void write_spec(const whole_case *c, gp_buf *buf) {
    gp_buf_printf(buf,
                  "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: run}\nspec:\n"
                  "  defaults: {confidence: %s, headroom: {gpus: 0}}\n"
                  "  cluster: {pools: [{name: own, count: %lld, system: ",
                  gp_confidence_words[c->fitter->confidence], c->free ? 0LL : (long long)c->nodes);
    gp_lab_write_system(buf, c->machine);
    gp_buf_str(buf, "}]}\n  candidates: {allow: [own], limits: {maxNodes: 100000}}\n");
    add_workload(buf, c);
}

/* Of what may be laid out at will, the cluster as it stands is wanted at its fastest. */
static const gp_workload_plan *plan(const whole_case *c, const char **ret_why) {
    const gp_plan_options options = {.declared_only = !c->free,
                                     .objective =
                                         c->free ? GP_OBJECTIVE_AUTO : GP_OBJECTIVE_MIN_TIME,
                                     .simulate = GP_PLAN_SIMULATE_OFF};
    gp_buf buf;
    gp_buf_init(&buf, c->fitter->arena, GP_LAB_SPEC_MAX_BYTES);
    write_spec(c, &buf);
    return gp_lab_plan(c->fitter, c->run->id, &buf, &options, ret_why);
}

/* The cluster that the row names, whole machines of it. */
static void find_cluster(whole_case *c, const char **ret_why, const char **ret_note) {
    const gp_fit_hardware hardware =
        gp_lab_site_of(c->fitter, c->run, gp_lab(c->run)->whole.network_gbps);
    c->machine = hardware.machine;
    *ret_why = hardware.why;
    *ret_note = hardware.note;
    if (c->machine == NULL) {
        return;
    }
    c->nodes = ceil(c->run->gpus / (double)c->machine->gpus);
    if (gp_str_equal(gp_lab(c->run)->whole.encoder_decoder, "yes")) {
        *ret_why = "an encoder and a decoder: the planner knows decoders";
    }
}

/* A layout that is not the published one is another run: every part that the row states. */
static const char *replaced(const gp_run_row *run, const gp_layout *layout) {
    layout_part parts[LAYOUT_PARTS];
    int recompute = gp_words_recompute(run->recompute);
    bool same = recompute == GP_WORD_UNKNOWN || recompute == layout->recompute;
    parts_of(run, layout, parts);
    for (int i = 0; i < LAYOUT_PARTS; i++) {
        same = same && (parts[i].stated < 0 || (int64_t)parts[i].stated == parts[i].planned);
    }
    return same ? NULL : "planned with another layout than the published one";
}

static const char *refusal(const whole_case *c, const gp_workload_plan *w) {
    const gp_candidate *chosen = &w->chosen;
    const gp_lack *lack = &chosen->lack;
    if (lack->refused && lack->why != NULL) {
        return lack->why;
    }
    if (!chosen->present) {
        return "no layout could be tried on the published cluster";
    }
    if (chosen->time_to_complete_s.expected > 0 && isfinite(chosen->time_to_complete_s.expected)) {
        return NULL;
    }
    const char *missing =
        gp_quantity_format(c->fitter->arena, lack->need - lack->have, GP_DIM_BYTES);
    return lack->bound != GP_BOUND_MEMORY || missing == NULL
               ? "it does not fit on the published cluster"
               : gp_arena_printf(c->fitter->arena, "%s is short of memory by %s on each GPU",
                                 states_layout(c->run) ? "its layout" : "every layout", missing);
}

/* Hours without stops where the row counts none, else with all that the run loses. */
static double hours_of(const whole_case *c, const gp_candidate *chosen) {
    bool productive = gp_str_equal(gp_lab(c->run)->whole.hours_kind, "productive");
    double share = productive ? chosen->run.goodput_fraction : 1;
    return chosen->time_to_complete_s.expected * share / s_per_hour * c->run->gpus;
}

/* The percentile asked for, of what lies by `band` around the expected value at its outer
 * tenths. */
static double percentile_factor(const whole_case *c, double band) {
    switch (c->fitter->confidence) {
    case GP_CONFIDENCE_P80: return 1 + gp_band_fifth(band, &c->fitter->constants);
    case GP_CONFIDENCE_P90: return 1 + band;
    case GP_CONFIDENCE_EXPECTED: break;
    }
    return 1;
}

static void score_hours(whole_case *c, const char *why, const char *note, gp_fit_rows *rows) {
    double hours = 0;
    double band = 0;
    const gp_workload_plan *w = why == NULL ? plan(c, &why) : NULL;
    if (w != NULL) {
        const gp_layout *layout = &w->chosen.layout;
        why = refusal(c, w);
        why = why == NULL ? replaced(c->run, layout) : why;
        hours = hours_of(c, &w->chosen);
        band = gp_train_run_band(w->chosen.error_fraction,
                                 gp_words_recompute(c->run->recompute) != GP_WORD_UNKNOWN,
                                 gp_lab(c->run)->whole.batch_tokens > 0, &c->fitter->constants);
    }
    gp_backtest_row row =
        gp_fit_row(c->run, "run", "gpu_hours", gp_lab(c->run)->whole.gpu_hours, why);
    row.shape = c->run->model;
    gp_fit_row_estimate(&row, hours, band, note);
    row.estimated *= percentile_factor(c, band);
    row.error_fraction = row.estimated / row.measured - 1;
    gp_fit_rows_add(c->fitter, rows, &row, NULL);
}

static void score_gpus(whole_case *c, const char *why, const char *note, gp_fit_rows *rows) {
    c->free = true;
    const gp_workload_plan *w = why == NULL ? plan(c, &why) : NULL;
    if (w != NULL && !w->chosen.feasible) {
        why = "no number of machines is found that ends in the published days";
    }
    gp_backtest_row row = gp_fit_row(c->run, "run", "gpus_for_days", c->run->gpus, why);
    row.shape = c->run->model;
    gp_fit_row_estimate(&row, w == NULL ? (double)NAN : (double)w->chosen.gpus, 0, note);
    gp_fit_rows_add(c->fitter, rows, &row, NULL);
}

void gp_lab_score_whole(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    whole_case c = {.fitter = fitter, .run = run};
    const char *why = NULL;
    const char *note = NULL;
    find_cluster(&c, &why, &note);
    if (gp_lab(run)->whole.gpu_hours > 0) {
        score_hours(&c, why, note, rows);
    }
    if (gp_lab(run)->whole.wall_days > 0) {
        score_gpus(&c, why, note, rows);
    }
}
