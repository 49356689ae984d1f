/*
 * Published steps of reinforcement learning beside the estimate: whole steps whose configuration is
 * known, the rollout's share where the phases are listed, and weight transfers by themselves. Mean
 * lengths are the row's; where it states a limit alone, a law with that limit stands in, and the
 * reason says so.
 */
#include "estimate/rl.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double usual_tokens = 8192;  /* of a long sequence that one GPU has */
static const double usual_sequences = 32; /* that an engine has room for */
static const double usual_prompt = 150;   /* tokens of a mathematical problem with its template */

/* A row: the configuration, and behind it what was measured. */
typedef struct rl_row {
    gp_run_row run;
    const char *row_kind, *grade, *colocated, *rollout_precision, *reference, *critic;
    double train_gpus, rollout_gpus, lag;
    double prompts, samples, batch_sequences, prompt_tokens, response_tokens, most_tokens;
    double engine_tp, engine_pp, engine_ep;
    double step_s, rollout_s, train_s, refit_s;
} rl_row;

typedef struct rl_case {
    const rl_row *rl;
    const gp_run_row *run;
    gp_fit_case train;
    gp_train_job policy;
    gp_serve_job rollout;
    gp_rl_job job;
    gp_rl_place place;
    gp_machine machine;
    const char *note;
} rl_case;

static double or_one(double value) {
    return value > 0 ? value : 1;
}

/* Models that think write a share of what they may; others answer, and so do those that were only
 * pre-trained. */
static bool thinks(const char *model) {
    static const char *const names[] = {"R1", "QwQ", "Qwen3", "8B dense", "Thinking"};
    for (size_t i = 0; i < GP_COUNT_OF(names); i++)
        if (gp_words_has(model, names[i]) && !gp_words_has(model, "-Base"))
            return true;
    return false;
}

static void set_lengths(gp_fitter *fitter, rl_case *c) {
    const rl_row *rl = c->rl;
    const gp_constants *k = &fitter->constants;
    gp_rl_job *job = &c->job;
    job->prompt_tokens = rl->prompt_tokens > 0 ? rl->prompt_tokens : usual_prompt;
    job->response = (gp_rl_lengths){.mean = rl->response_tokens,
                                    .spread = k->rl_response_spread,
                                    .most = gp_num_max(rl->most_tokens - job->prompt_tokens, 0),
                                    .runaway_fraction = k->rl_response_runaway_fraction};
    if (job->response.mean > 0)
        return;
    job->response.mean = thinks(c->run->model)
                             ? k->rl_response_thought_fraction * job->response.most
                             : gp_num_min(k->rl_response_answer_tokens, job->response.most);
    c->note = gp_fit_remark(
        fitter->arena, c->note,
        gp_arena_printf(fitter->arena, "responses of %.0f tokens assumed", job->response.mean));
}

/* Words of trainers that run fully ahead: they take the log-probabilities of the engines. */
static bool takes_log_probs(const char *notes) {
    static const char *const words[] = {"staleness_threshold", "require_batches", "fully async"};
    for (size_t i = 0; i < GP_COUNT_OF(words); i++)
        if (gp_words_has(notes, words[i]))
            return true;
    return false;
}

static void set_step(rl_case *c) {
    const rl_row *rl = c->rl;
    gp_rl_job *job = &c->job;
    job->samples = or_one(rl->samples);
    job->sequences = rl->prompts * job->samples;
    job->updates =
        rl->batch_sequences > 0 ? gp_num_max(1, job->sequences / rl->batch_sequences) : 1;
    job->lag = rl->lag;
    job->reads_policy = !takes_log_probs(c->run->notes);
    job->reference = gp_str_equal(rl->reference, "yes") ? &c->train.model->shape : NULL;
    job->critic = gp_str_equal(rl->critic, "yes") ? &c->train.model->shape : NULL;
    job->policy = &c->policy;
    job->rollout = &c->rollout;
}

/* Which GPUs do what. Systems that run ahead without saying on how many give rollouts three in
 * four (AReaL). */
static const char *set_pools(gp_fitter *fitter, rl_case *c) {
    const rl_row *rl = c->rl;
    const bool apart = gp_str_equal(rl->colocated, "no") || rl->lag > 0;
    double train = rl->train_gpus > 0 ? rl->train_gpus : c->run->gpus;
    double rollout = rl->rollout_gpus > 0 ? rl->rollout_gpus : c->run->gpus;
    if (apart && !(rl->train_gpus > 0)) {
        train = c->run->gpus / 4;
        rollout = c->run->gpus - train;
        c->note = gp_fit_remark(fitter->arena, c->note, "three in four GPUs generate by default");
    }
    c->train.gpus = train;
    c->place.rollout_gpus = (int64_t)rollout;
    c->place.together = !apart;
    c->place.nodes = (int64_t)ceil((train + (apart ? rollout : 0)) / (double)c->machine.gpus);
    return train >= 1 && rollout >= 1 ? NULL : "GPUs not stated";
}

/* Who trains with the Megatron core shards the optimizer; others shard everything. */
static const char *set_layout(gp_fitter *fitter, rl_case *c) {
    const gp_run_row *run = c->run;
    gp_layout *l = &c->train.layout;
    const bool stated = run->tp > 0;
    *l = (gp_layout){.tp = (int64_t)or_one(run->tp),
                     .pp = (int64_t)or_one(run->pp),
                     .cp = (int64_t)or_one(run->cp),
                     .ep = (int64_t)or_one(run->ep),
                     .vpp = 1,
                     .zero = 1,
                     .micro_batch = 1,
                     .recompute = GP_RECOMPUTE_FULL};
    while (!stated && c->job.response.most > usual_tokens * (double)l->cp &&
           (double)l->cp < c->train.gpus)
        l->cp *= 2;
    l->dp = (int64_t)c->train.gpus / (l->tp * l->pp * l->cp);
    if (l->dp < 1)
        return "more ranks than GPUs that train";
    if (!stated && !c->train.model->shape.moe) {
        l->zero = 3;
        c->note = gp_fit_remark(fitter->arena, c->note, "fully sharded by default");
    } else if (!stated) {
        const gp_fit_open open = {.split = true};
        (void)gp_fit_close_layout(fitter, &c->train, &open);
    }
    c->place.layout = *l;
    return NULL;
}

static gp_precision precision_of(const char *words) {
    const int precision = gp_words_precision(words);
    return precision >= 0 ? (gp_precision)precision : GP_PRECISION_BF16;
}

static void set_jobs(gp_fitter *fitter, rl_case *c) {
    const gp_shape *shape = &c->train.model->shape;
    const gp_precision rollout = precision_of(c->rl->rollout_precision);
    c->train.job = (gp_train_job){
        .shape = shape,
        .type = GP_WORKLOAD_FINETUNE,
        .sequence_length =
            c->job.prompt_tokens + gp_num_max(c->job.response.most, c->job.response.mean),
        .packing_fraction = 1,
        .compute = precision_of(c->run->precision),
        .weights = GP_FORMAT_BF16,
        .gradients = GP_FORMAT_FP32,
        .optimizer = GP_OPTIMIZER_ADAMW,
        .speed_factor = fitter->tuned_factor,
    };
    c->train.job.global_batch = gp_rl_tokens(&c->job) / c->job.updates;
    c->rollout = (gp_serve_job){
        .shape = shape,
        .compute = rollout,
        .weights = rollout == GP_PRECISION_FP8 ? GP_FORMAT_FP8_BLOCK : GP_FORMAT_BF16,
        .quantized_fraction = 1,
        .kv_cache = GP_FORMAT_BF16,
        .input_tokens = c->job.prompt_tokens,
        .output_tokens = c->job.response.mean,
        .branches = 1,
        .speed_factor = fitter->served_factor,
        .direct = true,
    };
    c->policy = c->train.job;
}

/* "gen_tp 4" among the words of where a row comes from: its column was left empty. */
static double engine_tp_of(const rl_row *rl) {
    static const char key[] = "gen_tp ";
    const char *at = rl->run.source != NULL ? strstr(rl->run.source, key) : NULL;
    double tp = rl->engine_tp;
    for (at = at != NULL ? at + sizeof key - 1 : "";
         !(rl->engine_tp > 0) && *at >= '0' && *at <= '9'; at++)
        tp = gp_num_max(10 * tp, 0) + (*at - '0');
    return tp;
}

/* Where a row does not say how engines are split: the fewest GPUs that hold the model. */
static void set_engine(gp_fitter *fitter, rl_case *c) {
    const rl_row *rl = c->rl;
    gp_serve_layout *e = &c->place.engine;
    gp_serve_memory memory;
    const double stated = engine_tp_of(rl);
    *e = (gp_serve_layout){.tp = (int64_t)or_one(stated),
                           .pp = (int64_t)or_one(rl->engine_pp),
                           .ep = (int64_t)or_one(rl->engine_ep)};
    gp_serve_job job = c->rollout;
    job.claim_fraction = c->place.together ? fitter->constants.rl_engine_claim_fraction : 0;
    while (!(stated > 0) && e->tp < c->machine.gpus) {
        gp_serve_memory_of(&job, &c->machine, e, &fitter->constants, 0, NULL, &memory);
        if (memory.memory.fit != GP_FIT_NOT && memory.max_concurrency >= usual_sequences)
            break;
        e->tp *= 2;
    }
}

/* The model by its name, else by the first word of it. */
static const gp_fit_model *model_of(gp_fitter *fitter, const gp_run_row *run,
                                    const char **ret_why) {
    gp_run_row named = *run;
    const gp_fit_model *model = gp_fit_model_of(fitter, run, ret_why);
    if (model != NULL || strchr(run->model, ' ') == NULL)
        return model;
    named.model = gp_arena_strndup(fitter->arena, run->model, strcspn(run->model, " "));
    return gp_fit_model_of(fitter, &named, ret_why);
}

static void prepare(gp_fitter *fitter, const gp_run_row *run, rl_case *c, const char **ret_why) {
    *c = (rl_case){.run = run, .rl = (const rl_row *)(const void *)run};
    c->train.run = run;
    c->train.model = model_of(fitter, run, ret_why);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, run);
    if (c->train.model == NULL || hardware.machine == NULL) {
        *ret_why = gp_fit_remark(fitter->arena, *ret_why, hardware.why);
        return;
    }
    c->note = gp_fit_remark(fitter->arena, c->train.model->note, hardware.note);
    c->train.machine = hardware.machine;
    c->train.network = hardware.network;
    c->machine = *hardware.machine;
    set_step(c);
    set_lengths(fitter, c);
    *ret_why = !(c->job.sequences > 0)       ? "prompts of a step not stated"
               : !(c->job.response.mean > 0) ? "lengths of responses not stated"
                                             : NULL;
    if (*ret_why != NULL)
        return;
    set_jobs(fitter, c);
    *ret_why = set_pools(fitter, c);
    *ret_why = *ret_why == NULL ? set_layout(fitter, c) : *ret_why;
    if (*ret_why == NULL)
        set_engine(fitter, c);
}

/* States leave the GPU for the rollout where the engine has no room beside them. */
static void estimate(const gp_fitter *fitter, rl_case *c, gp_rl_time *ret) {
    gp_rl_memory memory;
    gp_rl_memory_of(&c->job, &c->machine, &c->place, &fitter->constants, 0, NULL, &memory);
    /* It ran: a pool that does not hold a sequence by the estimate holds one. */
    memory.rollout.max_concurrency = gp_num_max(memory.rollout.max_concurrency, 1);
    gp_rl_step_time(&c->job, &c->machine, &c->train.network, &c->place, &memory, &fitter->constants,
                    NULL, ret);
}

static void add(gp_fitter *fitter, const rl_case *c, const char *metric, double stated,
                double estimated, double band, const char *why, gp_fit_rows *rows) {
    if (!(stated > 0))
        return;
    const char *name = c->place.together ? "rlColocated" : "rlApart";
    gp_backtest_row row = gp_fit_row(c->run, name, metric, stated, why);
    gp_fit_row_estimate(&row, estimated, band, c->note);
    gp_fit_rows_add(fitter, rows, &row, NULL);
}

static void score(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    const rl_row *rl = (const rl_row *)(const void *)run;
    rl_case c;
    gp_rl_time time = {0};
    const char *why = NULL;
    const bool whole = rl->row_kind == NULL || gp_str_equal(rl->row_kind, "e2e_step");
    const bool known =
        rl->grade == NULL || gp_str_equal(rl->grade, "A") || gp_str_equal(rl->grade, "B");
    if (!whole || !known)
        return;
    prepare(fitter, run, &c, &why);
    if (why == NULL) {
        estimate(fitter, &c, &time);
        why = time.step_s < HUGE_VAL ? NULL : "the engine does not run there";
    }
    const double band = gp_rl_band(&c.job, &fitter->constants);
    add(fitter, &c, "step_s", rl->step_s, time.step_s, band, why, rows);
    add(fitter, &c, "rollout_s", rl->rollout_s, time.phase_s[GP_RL_ROLLOUT], band, why, rows);
    add(fitter, &c, "update_s", rl->train_s, time.phase_s[GP_RL_UPDATE], band, why, rows);
    if (c.place.together && rl->rollout_s > 0)
        add(fitter, &c, "rollout_share", rl->rollout_s / rl->step_s, time.rollout_fraction, 0, why,
            rows);
}

#define TEXT(name, member)   GP_COLUMN(TEXT, name, rl_row, member, )
#define REAL(name, member)   GP_COLUMN(REAL, name, rl_row, member, )
#define WHOLE(name, member)  GP_COLUMN(WHOLE, name, rl_row, member, )
#define NEEDED(name, member) GP_COLUMN(TEXT, name, rl_row, member, .required = true)

static const gp_column columns[] = {
    NEEDED("id", run.id),
    NEEDED("model", run.model),
    NEEDED("gpu", run.gpu),
    TEXT("strict", run.strict),
    TEXT("row_kind", row_kind),
    TEXT("grade", grade),
    TEXT("colocated", colocated),
    TEXT("precision_train", run.precision),
    TEXT("precision_rollout", rollout_precision),
    TEXT("reference_model", reference),
    TEXT("critic", critic),
    TEXT("framework", run.framework),
    TEXT("framework_version", run.version),
    TEXT("source", run.source),
    TEXT("notes", run.notes),
    REAL("params_b", run.params_b),
    REAL("active_params_b", run.active_b),
    WHOLE("gpus_total", run.gpus),
    WHOLE("gpus_train", train_gpus),
    WHOLE("gpus_rollout", rollout_gpus),
    REAL("policy_lag", lag),
    WHOLE("prompts_per_step", prompts),
    WHOLE("generations_per_prompt", samples),
    WHOLE("train_global_batch_sequences", batch_sequences),
    REAL("prompt_len_mean", prompt_tokens),
    REAL("response_len_mean", response_tokens),
    REAL("max_len", most_tokens),
    WHOLE("gen_tp", engine_tp),
    WHOLE("gen_pp", engine_pp),
    WHOLE("gen_ep", engine_ep),
    WHOLE("train_tp", run.tp),
    WHOLE("train_pp", run.pp),
    WHOLE("train_cp", run.cp),
    WHOLE("train_ep", run.ep),
    REAL("step_time_s", step_s),
    REAL("generation_time_s", rollout_s),
    REAL("train_time_s", train_s),
    REAL("refit_time_s", refit_s),
};

const gp_run_table gp_fit_rl_table = {
    .name = "rl",
    .tell = {"step_time_s", "gpus_rollout", "policy_lag"},
    .columns = columns,
    .column_count = GP_COUNT_OF(columns),
    .size = sizeof(rl_row),
    .score = score,
    .typical = true,
};
