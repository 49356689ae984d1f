/* Steps of reinforcement learning: lengths, rollouts, passes, memory and the order of phases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/rl.h"

#include "base/num.h"
#include "support/estimate_case.h"

/* A dense model of 8B on eight H100 of a machine, 64 prompts of 32 answers. */
typedef struct step_case {
    gp_shape shape;
    gp_machine machine;
    gp_train_job policy;
    gp_serve_job rollout;
    gp_rl_job job;
    gp_rl_place place;
} step_case;

static void open_step(estimate_case *c, const char *gpu, int64_t gpus, step_case *s) {
    s->shape = estimate_case_shape(c, "llama-3.1-8b");
    s->machine = estimate_case_machine(c, gpu, 8);
    s->rollout = estimate_case_serve_job(&s->shape);
    s->rollout.input_tokens = 130;
    s->rollout.output_tokens = 1000;
    s->rollout.direct = true;
    s->job = (gp_rl_job){.policy = &s->policy,
                         .rollout = &s->rollout,
                         .reference = &s->shape,
                         .sequences = 2048,
                         .samples = 32,
                         .prompt_tokens = 130,
                         .response = {.mean = 1000, .spread = 0.7, .most = 3966},
                         .updates = 4,
                         .reads_policy = true};
    s->policy = (gp_train_job){.shape = &s->shape,
                               .type = GP_WORKLOAD_FINETUNE,
                               .sequence_length = 4096,
                               .global_batch = 2048.0 * 1130 / 4,
                               .packing_fraction = 1,
                               .compute = GP_PRECISION_BF16,
                               .weights = GP_FORMAT_BF16,
                               .gradients = GP_FORMAT_FP32,
                               .optimizer = GP_OPTIMIZER_ADAMW,
                               .speed_factor = 1};
    s->place = (gp_rl_place){.layout = {.tp = 1,
                                        .pp = 1,
                                        .vpp = 1,
                                        .dp = gpus,
                                        .cp = 1,
                                        .ep = 1,
                                        .zero = 3,
                                        .micro_batch = 1,
                                        .recompute = GP_RECOMPUTE_FULL},
                             .engine = {1, 1, 1, 0, 0, 0, 0},
                             .rollout_gpus = gpus,
                             .together = true,
                             .nodes = (gpus + 7) / 8};
}

static gp_rl_time step_of(estimate_case *c, const step_case *s) {
    gp_rl_memory memory;
    gp_rl_time time;
    gp_rl_memory_of(&s->job, &s->machine, &s->place, &c->constants, 0, NULL, &memory);
    gp_rl_step_time(&s->job, &s->machine, &c->network, &s->place, &memory, &c->constants, NULL,
                    &time);
    return time;
}

/* 0.5, 0.158655 above one deviation, and symmetric. */
static void normal_law(void **state) {
    (void)state;
    assert_true(estimate_case_near(gp_num_normal_below(0), 0.5, 1e-6));
    assert_true(estimate_case_near(1 - gp_num_normal_below(1), 0.1586553, 1e-5));
    assert_true(estimate_case_near(gp_num_normal_below(-2) + gp_num_normal_below(2), 1, 1e-6));
}

/* Of one answer half are longer than the median of the law; of many the longest reaches the limit,
 * and none passes it. Without a limit it goes with exp(z s): z is 3.48 for 1 in 4,000. */
static void longest_answers(void **state) {
    (void)state;
    const gp_rl_lengths open = {.mean = 1000, .spread = 0.7};
    const gp_rl_lengths cut = {.mean = 1000, .spread = 0.7, .most = 3000};
    const double median = 1000 * gp_num_exp(-0.5 * 0.7 * 0.7);
    assert_true(estimate_case_near(gp_rl_longest(&open, 1), median, 1e-3));
    assert_true(
        estimate_case_near(gp_rl_longest(&open, 2000), median * gp_num_exp(0.7 * 3.4808), 1e-2));
    assert_true(gp_num_near(gp_rl_longest(&cut, 1e5), 3000));
    assert_true(gp_rl_longest(&cut, 10) < 3000);
}

/* Answers of one length are all done at once. */
static void equal_answers_have_no_tail(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    s.job.response = (gp_rl_lengths){.mean = 1000, .most = 1000};
    assert_true(gp_num_near(gp_rl_longest(&s.job.response, 2048), 1000));
    assert_true(estimate_case_near(gp_rl_attended(&s.job), 1130, 1e-2));
    assert_true(step_of(c, &s).tail_s <= 0);
}

/* Eight engines with eight prompts of 32 answers each: half of the engines' worst draw lies 1.53
 * deviations above the mean, and a sum of 8 prompts deviates by sqrt(cv^2 (0.5 + 0.5 / 32) / 8).
 * Engines that run ahead take the next prompt, and equal answers are dealt out evenly. */
static void alike_answers_are_uneven(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    s.job.response.most = 0;
    const double cv2 = gp_num_exp(0.7 * 0.7) - 1;
    const double most = 1 + 1.534 * sqrt(cv2 * (0.5 + 0.5 / 32) / 8);
    assert_true(estimate_case_near(step_of(c, &s).engine_batch, 256 * most, 0.02));
    s.job.samples = 1;
    const double alone = step_of(c, &s).engine_batch;
    assert_true(alone > 256 && alone < 256 * (1 + 0.3 * (most - 1)));
    s.job.samples = 32;
    s.job.lag = 1;
    s.place.together = false;
    assert_true(gp_num_near(step_of(c, &s).engine_batch, 256));
    s.job.lag = 0;
    s.job.response = (gp_rl_lengths){.mean = 1000, .most = 1000};
    assert_true(step_of(c, &s).engine_batch < 256 * 1.01);
}

/* Twice the GPUs never generate in more time, nor in half of it: the longest answer takes its steps
 * at small batch on any number of them. */
static void more_gpus_meet_the_tail(void **state) {
    estimate_case *c = *state;
    step_case s;
    double before = 0;
    for (int64_t gpus = 8; gpus <= 512; gpus *= 4) {
        open_step(c, "h100-sxm", gpus, &s);
        const double now = step_of(c, &s).phase_s[GP_RL_ROLLOUT];
        assert_true(before <= 0 || now <= before);
        assert_true(before <= 0 || now > before / 4);
        before = now;
    }
    const double token_s = gp_decode_step_s(&s.rollout, &s.machine, &c->network, &s.place.engine,
                                            &c->constants, 1, 2000, NULL);
    assert_true(before >= 0.9 * 3966 * token_s);
}

/* A wider law with the same mean takes longer, and so do more places than there is memory for. */
static void rollouts_wait_for_the_longest(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 64, &s);
    s.job.response.most = 0;
    const double wide = step_of(c, &s).phase_s[GP_RL_ROLLOUT];
    s.job.response.spread = 0.2;
    assert_true(step_of(c, &s).phase_s[GP_RL_ROLLOUT] < wide);
}

/* A pass that reads has a third of the products of an update without recomputation, a quarter with;
 * exchanges and the optimizer are the update's alone. */
static void reading_is_a_share_of_updating(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    const gp_rl_time full = step_of(c, &s);
    assert_true(full.phase_s[GP_RL_LOGPROB] < 0.3 * full.phase_s[GP_RL_UPDATE]);
    assert_true(full.phase_s[GP_RL_LOGPROB] > 0.2 * full.phase_s[GP_RL_UPDATE]);
    assert_true(gp_num_near(full.phase_s[GP_RL_LOGPROB], full.phase_s[GP_RL_REFERENCE]));
    s.place.layout.recompute = GP_RECOMPUTE_NONE;
    const gp_rl_time none = step_of(c, &s);
    assert_true(none.phase_s[GP_RL_LOGPROB] < 0.4 * none.phase_s[GP_RL_UPDATE]);
    assert_true(gp_num_near(none.phase_s[GP_RL_LOGPROB], full.phase_s[GP_RL_LOGPROB]));
    s.job.reads_policy = false;
    s.job.reference = NULL;
    const gp_rl_time less = step_of(c, &s);
    assert_true(less.phase_s[GP_RL_LOGPROB] <= 0 && less.phase_s[GP_RL_REFERENCE] <= 0);
    assert_true(less.step_s < none.step_s);
}

/* A critic like the policy is read once and updated as often; a reward model is read. */
static void critics_learn_too(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    s.job.critic = s.job.reward = &s.shape;
    const gp_rl_time t = step_of(c, &s);
    assert_true(gp_num_near(t.phase_s[GP_RL_CRITIC], t.phase_s[GP_RL_UPDATE]));
    assert_true(gp_num_near(t.phase_s[GP_RL_VALUES], t.phase_s[GP_RL_LOGPROB]));
    assert_true(gp_num_near(t.phase_s[GP_RL_REWARD], t.phase_s[GP_RL_LOGPROB]));
}

/* Phases in turn add up; apart and ahead, the longer side counts, and the other waits for it. */
static void apart_the_longer_side_counts(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 16, &s);
    const gp_rl_time together = step_of(c, &s);
    double sum = 0;
    for (int i = 0; i < GP_RL_PHASE_COUNT; i++)
        sum += together.phase_s[i];
    assert_true(gp_num_near(sum, together.step_s));
    s.place.together = false;
    s.place.layout.dp = s.place.rollout_gpus = 8;
    const gp_rl_time waits = step_of(c, &s);
    s.job.lag = 1;
    const gp_rl_time ahead = step_of(c, &s);
    assert_true(ahead.step_s < waits.step_s);
    assert_true(ahead.step_s > ahead.phase_s[GP_RL_ROLLOUT]);
    assert_true(ahead.step_s > ahead.phase_s[GP_RL_UPDATE]);
    assert_true(ahead.wait_s > 0);
    s.job.lag = 8;
    assert_true(step_of(c, &s).phase_s[GP_RL_ROLLOUT] < ahead.phase_s[GP_RL_ROLLOUT]);
}

/* New weights: an engine beside its trainer takes the whole model, apart what it holds. */
static void weights_are_handed_over(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 16, &s);
    s.place.engine.tp = 8;
    const double whole = step_of(c, &s).phase_s[GP_RL_REFIT];
    s.place.together = false;
    const double taken = step_of(c, &s).phase_s[GP_RL_REFIT];
    const double base = c->constants.rl_refit_s;
    assert_true(estimate_case_near((whole - base) / (taken - base), 8, 1e-3));
    s.rollout.weights = GP_FORMAT_FP8;
    assert_true(step_of(c, &s).phase_s[GP_RL_REFIT] > taken);
}

/* States that stay leave the engine less; states that go take host memory and time. */
static void states_stay_or_go(void **state) {
    estimate_case *c = *state;
    step_case s;
    gp_rl_memory goes, stays;
    open_step(c, "h100-sxm", 16, &s);
    gp_rl_memory_of(&s.job, &s.machine, &s.place, &c->constants, 0, NULL, &goes);
    s.place.stays = true;
    gp_rl_memory_of(&s.job, &s.machine, &s.place, &c->constants, 0, NULL, &stays);
    assert_true(stays.rollout.kv_pool_tokens < goes.rollout.kv_pool_tokens);
    /* 2 bytes of weights and 12 of the optimizer for each of 8.03B parameters, over 16. */
    assert_true(estimate_case_near(goes.away_bytes - stays.away_bytes, 8.03e9 * 14 / 16, 0.05));
    /* The reference is away either way: 2 bytes. */
    assert_true(estimate_case_near(stays.away_bytes, 8.03e9 * 2 / 16, 0.02));
    s.place.layout.dp = 1;
    gp_rl_memory_of(&s.job, &s.machine, &s.place, &c->constants, 0, NULL, &goes);
    assert_true(goes.short_bytes > 0);
}

/* 2,048 answers of 10 s each on 100 cores take 205 s, of which the rollout hides its own time. */
static void checks_hide_behind_the_rollout(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    const double without = step_of(c, &s).phase_s[GP_RL_REWARD];
    s.job.verify_s = 10;
    s.job.verify_cores = 100;
    const gp_rl_time t = step_of(c, &s);
    const double hidden = gp_num_min(t.phase_s[GP_RL_ROLLOUT], 204.8);
    assert_true(without <= 0);
    assert_true(estimate_case_near(t.phase_s[GP_RL_REWARD], 10 + 204.8 - hidden, 1e-6));
    s.job.verify_cores = 1e6;
    assert_true(gp_num_near(step_of(c, &s).phase_s[GP_RL_REWARD], 10));
}

/* A frozen reference of the same size reads what is trained on: a third of the products again, and
 * 2 bytes for each parameter that are sharded as the others are; an adapter's base is its own. */
static void frozen_models_are_read(void **state) {
    estimate_case *c = *state;
    step_case s;
    gp_train_time alone, beside;
    gp_memory own, both;
    open_step(c, "h100-sxm", 8, &s);
    s.place.layout.recompute = GP_RECOMPUTE_NONE;
    s.policy.global_batch = 64 * 4096;
    gp_train_step_time(&s.policy, &s.machine, &c->network, &s.place.layout, &c->constants, NULL,
                       &alone);
    gp_train_memory(&s.policy, &s.machine, &s.place.layout, &c->constants, 0, NULL, &own);
    s.policy.frozen = &s.shape;
    gp_train_step_time(&s.policy, &s.machine, &c->network, &s.place.layout, &c->constants, NULL,
                       &beside);
    gp_train_memory(&s.policy, &s.machine, &s.place.layout, &c->constants, 0, NULL, &both);
    assert_true(gp_num_near(beside.step_s, alone.step_s + beside.frozen_s));
    assert_true(beside.frozen_s > 0.25 * alone.step_s && beside.frozen_s < 0.4 * alone.step_s);
    const double more = both.bytes[GP_MEMORY_WEIGHTS] - own.bytes[GP_MEMORY_WEIGHTS];
    assert_true(estimate_case_near(more, 2 * s.shape.parameters / 8, 1e-6));
    s.policy.type = GP_WORKLOAD_LORA;
    gp_train_memory(&s.policy, &s.machine, &s.place.layout, &c->constants, 0, NULL, &both);
    s.policy.frozen = NULL;
    gp_train_memory(&s.policy, &s.machine, &s.place.layout, &c->constants, 0, NULL, &own);
    assert_true(gp_num_near(both.bytes[GP_MEMORY_WEIGHTS], own.bytes[GP_MEMORY_WEIGHTS]));
}

static double rollout_with(estimate_case *c, const step_case *s, double tool_s, double tokens) {
    step_case other = *s;
    other.job.policy = &other.policy;
    other.job.rollout = &other.rollout;
    other.job.tool_turns = 4;
    other.job.tool_s = tool_s;
    other.job.tool_tokens = tokens;
    return step_of(c, &other).phase_s[GP_RL_ROLLOUT];
}

/* One answer on each engine waits for all of its tools, and nobody fills the time. Where many share
 * an engine others go on meanwhile: the rollout takes longer than without tools, and less than with
 * all waits added to it. What tools say has to be read. */
static void tools_are_waited_for(void **state) {
    estimate_case *c = *state;
    step_case s;
    open_step(c, "h100-sxm", 8, &s);
    s.job.response = (gp_rl_lengths){.mean = 1000, .most = 1000};
    s.job.sequences = 8;
    s.job.samples = 1;
    const double alone = rollout_with(c, &s, 0, 0);
    assert_true(estimate_case_near(rollout_with(c, &s, 60, 0), alone + 60, 1e-3));
    s.job.sequences = 2048;
    const double many = rollout_with(c, &s, 0, 0);
    const double waits = rollout_with(c, &s, 60, 0);
    assert_true(waits > many && waits < many + 60);
    assert_true(rollout_with(c, &s, 0, 4000) > many);
    assert_true(gp_num_near(many, step_of(c, &s).phase_s[GP_RL_ROLLOUT]));
}

/* An adapter is what learns and what is handed over: its update is two thirds of a full one at
 * most, and no copy of the weights is the reference. */
static void adapters_learn_alone(void **state) {
    estimate_case *c = *state;
    step_case s, lora;
    gp_rl_memory full, small;
    open_step(c, "h100-sxm", 8, &s);
    open_step(c, "h100-sxm", 8, &lora);
    lora.policy.type = GP_WORKLOAD_LORA;
    lora.policy.adapter_parameters = 2e7;
    lora.policy.adapter_width = 2e7 / 16;
    lora.policy.adapter_matrices = 64;
    const gp_rl_time a = step_of(c, &s), b = step_of(c, &lora);
    assert_true(b.phase_s[GP_RL_REFIT] < a.phase_s[GP_RL_REFIT]);
    assert_true(b.phase_s[GP_RL_UPDATE] < a.phase_s[GP_RL_UPDATE]);
    assert_true(b.phase_s[GP_RL_UPDATE] > 0.5 * a.phase_s[GP_RL_UPDATE]);
    gp_rl_memory_of(&s.job, &s.machine, &s.place, &c->constants, 0, NULL, &full);
    gp_rl_memory_of(&lora.job, &lora.machine, &lora.place, &c->constants, 0, NULL, &small);
    assert_true(small.away_bytes < full.away_bytes);
    assert_true(small.update.total_bytes < full.update.total_bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_law),
        cmocka_unit_test(longest_answers),
        cmocka_unit_test(equal_answers_have_no_tail),
        cmocka_unit_test(alike_answers_are_uneven),
        cmocka_unit_test(more_gpus_meet_the_tail),
        cmocka_unit_test(rollouts_wait_for_the_longest),
        cmocka_unit_test(reading_is_a_share_of_updating),
        cmocka_unit_test(critics_learn_too),
        cmocka_unit_test(apart_the_longer_side_counts),
        cmocka_unit_test(weights_are_handed_over),
        cmocka_unit_test(states_stay_or_go),
        cmocka_unit_test(checks_hide_behind_the_rollout),
        cmocka_unit_test(frozen_models_are_read),
        cmocka_unit_test(tools_are_waited_for),
        cmocka_unit_test(adapters_learn_alone),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
