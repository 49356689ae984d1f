/*
 * One step of reinforcement learning: phases one after the other on GPUs that all of them share, or
 * rollout and updates side by side on GPUs of their own (docs/formulas.md, "Reinforcement
 * learning").
 */
#include "estimate/rl.h"

#include <math.h>

#include "base/num.h"
#include "estimate/train.h"

static double updates_of(const gp_rl_job *job) {
    return gp_num_max(job->updates, 1);
}

double gp_rl_tokens(const gp_rl_job *job) {
    return job->sequences * (job->prompt_tokens + job->response.mean + job->tool_tokens);
}

/* The update with sequences packed evenly: of all GPUs each has the same number of packs, none
 * longer than one training sequence. */
static gp_train_job packed_of(const gp_rl_job *job, const gp_layout *layout) {
    gp_train_job packed = gp_train_job_offloaded(job->policy, layout);
    const double most = packed.sequence_length * (double)layout->micro_batch;
    /* Answers are dealt out evenly, and none is split between ranks: the one with the longest is
     * done last. */
    const double longest = gp_rl_update_longest(job);
    const double even = gp_rl_tokens(job) / updates_of(job) / (double)layout->dp;
    const double of_rank = gp_num_max(even, longest);
    const double packs = gp_num_max(1, ceil(of_rank / most));
    packed.sequence_length = of_rank / packs;
    packed.global_batch = of_rank * (double)layout->dp;
    packed.attention_length = gp_rl_attended(job);
    packed.length_cv = 0;
    return packed;
}

/* The degrees of the policy, as far as another model takes them. */
static gp_layout layout_of(const gp_layout *layout, const gp_shape *shape) {
    gp_layout out = *layout;
    out.global_batch_sequences = 0;
    out.micro_batch = 1;
    if (!shape->moe)
        out.ep = out.expert_tp = 1;
    if ((double)(out.pp * out.vpp) > shape->layers)
        out.vpp = 1;
    return out;
}

typedef struct learning {
    const gp_rl_job *job;
    const gp_machine *machine;
    const gp_network *network;
    const gp_layout *layout;
    const gp_constants *constants;
} learning;

/* One update, or one pass over all sequences of the step. */
static gp_train_time time_of(const learning *l, const gp_shape *shape, bool reads,
                             gp_trace *trace) {
    gp_train_time time;
    gp_train_job packed = packed_of(l->job, l->layout);
    const gp_layout layout = layout_of(l->layout, shape);
    packed.shape = shape;
    if (shape == l->job->critic && packed.type == GP_WORKLOAD_LORA)
        packed.type = GP_WORKLOAD_FINETUNE;
    packed.forward_only = reads;
    packed.global_batch *= reads ? updates_of(l->job) : 1;
    gp_train_step_time(&packed, l->machine, l->network, &layout, l->constants, trace, &time);
    return time;
}

/* Passes and updates alone, on the GPUs of `layout`. Fills what of *ret is about them. */
static double learn_s(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                      const gp_layout *layout, const gp_constants *constants, gp_trace *trace,
                      gp_rl_time *ret) {
    const learning l = {job, machine, network, layout, constants};
    double *const phase = ret->phase_s;
    ret->update = time_of(&l, job->policy->shape, false, trace);
    ret->read_s = time_of(&l, job->policy->shape, true, NULL).step_s;
    phase[GP_RL_UPDATE] = updates_of(job) * ret->update.step_s;
    phase[GP_RL_LOGPROB] = job->reads_policy ? ret->read_s : 0;
    if (job->reference != NULL)
        phase[GP_RL_REFERENCE] = time_of(&l, job->reference, true, NULL).step_s;
    if (job->critic != NULL) {
        phase[GP_RL_VALUES] = time_of(&l, job->critic, true, NULL).step_s;
        phase[GP_RL_CRITIC] = updates_of(job) * time_of(&l, job->critic, false, NULL).step_s;
    }
    if (job->reward != NULL)
        phase[GP_RL_REWARD] = time_of(&l, job->reward, true, NULL).step_s;
    return phase[GP_RL_UPDATE] + phase[GP_RL_LOGPROB] + phase[GP_RL_REFERENCE] +
           phase[GP_RL_VALUES] + phase[GP_RL_CRITIC] + phase[GP_RL_REWARD];
}

/* ------------------------------------------------------------ memory */

/* Weights and optimizer states of one GPU; gradients are made anew. */
static double states_of(const gp_memory *memory) {
    return memory->bytes[GP_MEMORY_WEIGHTS] + memory->bytes[GP_MEMORY_OPTIMIZER] +
           memory->bytes[GP_MEMORY_ADAPTER];
}

static bool has_adapter(const gp_rl_job *job) {
    return job->policy->type == GP_WORKLOAD_LORA;
}

/* The update of a model on its GPU, beside what the engine leaves there. */
static gp_memory update_of(const gp_rl_job *job, const gp_shape *shape, const gp_machine *machine,
                           const gp_rl_place *place, const gp_constants *constants,
                           double headroom_fraction, gp_trace *trace) {
    gp_memory memory;
    gp_machine left = *machine;
    gp_train_job train = gp_train_job_offloaded(job->policy, &place->layout);
    gp_layout layout = layout_of(&place->layout, shape);
    layout.micro_batch = place->layout.micro_batch;
    train.shape = shape;
    /* An adapter is the policy's: a critic learns in full. */
    if (shape != job->policy->shape && train.type == GP_WORKLOAD_LORA)
        train.type = GP_WORKLOAD_FINETUNE;
    left.hbm_bytes -= place->together ? constants->rl_engine_left_bytes : 0;
    gp_train_memory(&train, &left, &layout, constants, headroom_fraction, trace, &memory);
    memory.capacity_bytes = machine->hbm_bytes;
    return memory;
}

static double weights_per_gpu(const gp_shape *shape, const gp_layout *layout,
                              const gp_constants *constants) {
    return gp_weights_bytes(shape, constants, GP_FORMAT_BF16, 0) / (double)gp_layout_gpus(layout);
}

void gp_rl_memory_of(const gp_rl_job *job, const gp_machine *machine, const gp_rl_place *place,
                     const gp_constants *constants, double headroom_fraction, gp_trace *trace,
                     gp_rl_memory *ret) {
    gp_machine engine = *machine;
    gp_serve_job rollout = *job->rollout;
    *ret = (gp_rl_memory){0};
    ret->update =
        update_of(job, job->policy->shape, machine, place, constants, headroom_fraction, trace);
    double short_bytes = ret->update.short_bytes;
    double others = 0;
    if (job->reference != NULL && !has_adapter(job)) /* else it is the policy without it */
        others += weights_per_gpu(job->reference, &place->layout, constants);
    if (job->critic != NULL) {
        const gp_memory critic =
            update_of(job, job->critic, machine, place, constants, headroom_fraction, NULL);
        short_bytes = gp_num_max(short_bytes, critic.short_bytes);
        others += states_of(&critic);
    }
    const bool leaves = place->together && !place->stays;
    ret->others_bytes = place->together ? constants->rl_engine_left_bytes : 0;
    ret->away_bytes = others + (leaves ? states_of(&ret->update) : 0);
    if (place->together) {
        engine.hbm_bytes -= place->stays ? states_of(&ret->update) : 0;
        if (!(rollout.claim_fraction > 0))
            rollout.claim_fraction = constants->rl_engine_claim_fraction;
    }
    gp_serve_memory_of(&rollout, &engine, &place->engine, constants, headroom_fraction, trace,
                       &ret->rollout);
    const gp_memory *pool = &ret->rollout.memory;
    const bool holds = pool->fit != GP_FIT_NOT && ret->rollout.max_concurrency >= 1;
    const double missing = gp_num_max(pool->total_bytes - pool->capacity_bytes, 1);
    ret->short_bytes = gp_num_max(short_bytes, holds ? 0 : missing);
}

/* ------------------------------------------------------------ between the phases */

/* Bytes per second at which a GPU takes weights in. An engine beside its trainer gets them from the
 * trainer on its own GPU, which gathers the whole model for that; one on other GPUs is sent what it
 * holds. */
static double refit_bytes_per_s(const gp_machine *machine, const gp_network *network,
                                const gp_rl_place *place, const gp_constants *k) {
    const double whole = place->nodes > 1 ? gp_network_bytes_per_s(network, place->nodes)
                                          : machine->link_bytes_per_s;
    return k->rl_refit_fraction * (whole > 0 ? whole : k->training_offload_bytes_per_s);
}

static double refit_s(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                      const gp_rl_place *place, const gp_constants *k) {
    const gp_serve_job *rollout = job->rollout;
    const double each_bytes = gp_format_bytes(k, GP_FORMAT_BF16);
    if (has_adapter(job)) /* every engine takes the adapter, and nothing else */
        return k->rl_refit_s + job->policy->adapter_parameters * each_bytes /
                                   refit_bytes_per_s(machine, network, place, k);
    const double taken = gp_weights_bytes(rollout->shape, k, rollout->weights, 1) /
                         (double)gp_serve_layout_gpus(&place->engine);
    const double whole = gp_weights_bytes(rollout->shape, k, GP_FORMAT_BF16, 0);
    const bool narrowed = gp_format_bytes(k, rollout->weights) < each_bytes;
    return k->rl_refit_s +
           (place->together ? whole : taken) / refit_bytes_per_s(machine, network, place, k) +
           (narrowed ? taken / k->rl_refit_narrow_bytes_per_s : 0);
}

/* What is away comes in for its phase and goes out after it. */
static double switch_s(const gp_rl_job *job, const gp_rl_memory *memory, const gp_constants *k) {
    return 2 * memory->away_bytes / gp_train_offload_rate(job->policy, k);
}

/* Answers are checked as they come; what the processors have not done by the end shows. */
static double verified_s(const gp_rl_job *job, const gp_rl_place *place, double rollout_s) {
    const double cores = job->verify_cores * (double)gp_num_max_i64(1, place->nodes);
    const double drawn = job->sequences * gp_num_max(job->drawn_factor, 1);
    if (job->verify_s <= 0 || cores <= 0)
        return 0;
    return job->verify_s + gp_num_max(0, drawn * job->verify_s / cores - rollout_s);
}

static void trace_step(const gp_rl_job *job, const gp_rl_time *t, const gp_constants *k,
                       gp_trace *trace) {
    static const gp_term_id ids[GP_RL_PHASE_COUNT] = {
        [GP_RL_ROLLOUT] = GP_TERM_RL_ROLLOUT_TIME,     [GP_RL_REWARD] = GP_TERM_RL_REWARD_TIME,
        [GP_RL_LOGPROB] = GP_TERM_RL_LOGPROB_TIME,     [GP_RL_VALUES] = GP_TERM_RL_VALUES_TIME,
        [GP_RL_REFERENCE] = GP_TERM_RL_REFERENCE_TIME, [GP_RL_UPDATE] = GP_TERM_RL_UPDATE_TIME,
        [GP_RL_CRITIC] = GP_TERM_RL_CRITIC_TIME,       [GP_RL_REFIT] = GP_TERM_RL_REFIT_TIME,
        [GP_RL_SWITCH] = GP_TERM_RL_SWITCH_TIME,       [GP_RL_OTHER] = GP_TERM_RL_OTHER_TIME,
    };
    const gp_rl_spec *rl = &job->policy->workload->rl;
    const gp_ref tokens = GP_REF_TERM(GP_TERM_RL_TOKENS);
    const gp_ref inputs[GP_RL_PHASE_COUNT][4] = {
        [GP_RL_ROLLOUT] = {tokens, GP_REF_TERM(GP_TERM_RL_LONGEST),
                           GP_REF(rl, gp_rl_spec, samples_per_prompt),
                           GP_REF(k, gp_constants, rl_response_alike_fraction)},
        [GP_RL_REWARD] = {GP_REF(&rl->reward, gp_rl_reward, cpu_s), tokens, GP_REF_NONE},
        [GP_RL_LOGPROB] = {tokens, GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS), GP_REF_NONE},
        [GP_RL_REFERENCE] = {tokens, GP_REF(rl, gp_rl_spec, reference), GP_REF_NONE},
        [GP_RL_VALUES] = {tokens, GP_REF(rl, gp_rl_spec, critic), GP_REF_NONE},
        [GP_RL_UPDATE] = {GP_REF_TERM(GP_TERM_TRAIN_STEP_TIME),
                          GP_REF(rl, gp_rl_spec, updates_per_step), GP_REF_NONE},
        [GP_RL_CRITIC] = {tokens, GP_REF(rl, gp_rl_spec, critic), GP_REF_NONE},
        [GP_RL_REFIT] = {GP_REF_TERM(GP_TERM_PARAMETERS),
                         GP_REF(k, gp_constants, rl_refit_fraction),
                         GP_REF(k, gp_constants, rl_refit_s)},
        [GP_RL_SWITCH] = {GP_REF_TERM(GP_TERM_PARAMETERS),
                          GP_REF(k, gp_constants, training_offload_bytes_per_s), GP_REF_NONE},
        [GP_RL_OTHER] = {GP_REF(k, gp_constants, rl_other_fraction), GP_REF_NONE, GP_REF_NONE},
    };
    for (int i = 0; i < GP_RL_PHASE_COUNT && trace != NULL; i++)
        if (t->phase_s[i] > 0)
            gp_trace_add(trace, ids[i], t->phase_s[i], inputs[i], i == GP_RL_ROLLOUT ? 4 : 3);
}

static void trace_lengths(const gp_rl_job *job, const gp_rl_time *t, const gp_constants *k,
                          gp_trace *trace) {
    const gp_rl_spec *rl = &job->policy->workload->rl;
    GP_TRACE(trace, GP_TERM_RL_TOKENS, t->tokens, GP_REF(rl, gp_rl_spec, prompts_per_step),
             GP_REF(rl, gp_rl_spec, samples_per_prompt),
             GP_REF(&rl->prompt_tokens, gp_distribution, mean),
             GP_REF(&rl->response_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_RL_LONGEST, gp_rl_longest(&job->response, job->sequences),
             GP_REF(&rl->response_tokens, gp_distribution, mean),
             GP_REF(&rl->response_tokens, gp_distribution, peak),
             GP_REF(k, gp_constants, rl_response_spread),
             GP_REF(k, gp_constants, rl_response_runaway_fraction));
}

static void trace_whole(const gp_rl_job *job, const gp_rl_time *t, gp_trace *trace) {
    const gp_rl_spec *rl = &job->policy->workload->rl;
    GP_TRACE(trace, GP_TERM_RL_STEP_TIME, t->step_s, GP_REF_TERM(GP_TERM_RL_ROLLOUT_TIME),
             GP_REF_TERM(GP_TERM_RL_REWARD_TIME), GP_REF_TERM(GP_TERM_RL_LOGPROB_TIME),
             GP_REF_TERM(GP_TERM_RL_REFERENCE_TIME), GP_REF_TERM(GP_TERM_RL_VALUES_TIME),
             GP_REF_TERM(GP_TERM_RL_UPDATE_TIME), GP_REF_TERM(GP_TERM_RL_CRITIC_TIME),
             GP_REF_TERM(GP_TERM_RL_REFIT_TIME), GP_REF_TERM(GP_TERM_RL_SWITCH_TIME),
             GP_REF_TERM(GP_TERM_RL_OTHER_TIME), GP_REF(rl, gp_rl_spec, lag));
    GP_TRACE(trace, GP_TERM_RL_TOKENS_PER_S, t->tokens_per_s, GP_REF_TERM(GP_TERM_RL_TOKENS),
             GP_REF_TERM(GP_TERM_RL_STEP_TIME));
    GP_TRACE(trace, GP_TERM_RL_COMMUNICATION_TIME, t->update.communication_s * updates_of(job),
             GP_REF_TERM(GP_TERM_TRAIN_COMMUNICATION_TIME),
             GP_REF(rl, gp_rl_spec, updates_per_step));
    GP_TRACE(trace, GP_TERM_RL_ROLLOUT_SHARE, t->rollout_fraction,
             GP_REF_TERM(GP_TERM_RL_ROLLOUT_TIME), GP_REF_TERM(GP_TERM_RL_STEP_TIME));
}

static double sum_of(const double *phase) {
    double sum = 0;
    for (int i = 0; i < GP_RL_PHASE_COUNT; i++)
        sum += phase[i];
    return sum;
}

void gp_rl_step_time(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                     const gp_rl_place *place, const gp_rl_memory *memory,
                     const gp_constants *constants, gp_trace *trace, gp_rl_time *ret) {
    gp_rl_job at = *job;
    gp_rl_time t = {.tokens = gp_rl_tokens(job)};
    at.lag = place->together ? 0 : job->lag;
    const double rollout = gp_rl_rollout_s(&at, machine, network, &place->engine,
                                           place->rollout_gpus, &memory->rollout, constants, &t);
    (void)learn_s(&at, machine, network, &place->layout, constants, trace, &t);
    t.phase_s[GP_RL_REWARD] += verified_s(job, place, rollout);
    t.phase_s[GP_RL_REFIT] = refit_s(job, machine, network, place, constants);
    t.phase_s[GP_RL_SWITCH] = switch_s(job, memory, constants);
    double shown = sum_of(t.phase_s);
    if (at.lag > 0) {
        const double learns_s = shown - rollout - t.phase_s[GP_RL_REFIT];
        t.wait_s = fabs(rollout - learns_s);
        shown = gp_num_max(rollout, learns_s) + t.phase_s[GP_RL_REFIT];
    }
    t.phase_s[GP_RL_OTHER] = constants->rl_other_fraction * shown;
    t.step_s = shown + t.phase_s[GP_RL_OTHER];
    t.rollout_fraction = gp_num_min(1, rollout / t.step_s);
    t.tokens_per_s = t.tokens / t.step_s;
    if (trace != NULL) {
        (void)gp_decode_step_s(job->rollout, machine, network, &place->engine, constants,
                               t.engine_batch, job->prompt_tokens + 0.5 * job->response.mean,
                               trace);
        trace_lengths(job, &t, constants, trace);
        trace_step(job, &t, constants, trace);
        trace_whole(job, &t, trace);
    }
    *ret = t;
}

double gp_rl_band(const gp_rl_job *job, const gp_constants *constants) {
    (void)job;
    return constants->plan_band_rl_fraction;
}
