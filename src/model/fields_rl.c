/* Descriptor tables of reinforcement learning, and of what else a model is tuned to. */
#include "catalog/fields.h"
#include "model/fields.h"

static const gp_field reward_fields[] = {
    GP_STRUCT(gp_rl_reward, "model", model, gp_model, gp_model_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "A model that scores whole answers, on the GPUs that train."),
    GP_STRING(gp_rl_reward, "service", service, .flags = GP_FIELD_LOCAL_REF, .ref = "workloads",
              .help = "A workload of type inference that scores them; its own traffic says how "
                      "many."),
    GP_QUANTITY(gp_rl_reward, "cpuTime", cpu_s, GP_DIM_TIME, GP_RANGE(0, 1e6),
                .default_text = "0 s",
                .help = "Processor time that checks one answer: unit tests, a prover."),
    GP_COUNT(gp_rl_reward, "cores", cores, GP_RANGE(1, 1e5),
             .help = "Processor cores of one machine that check answers; all it has where absent."),
};

static const gp_struct reward_type =
    GP_TYPE(gp_rl_reward, reward_fields, .name = "reward", .scalar_key = "service",
            .help = "What an answer is worth; a rule at no cost where nothing is said.");

static const gp_field rl_fields[] = {
    GP_ENUM(gp_rl_spec, "algorithm", algorithm, gp_rl_algorithm_words, .default_text = "grpo",
            .help = "The algorithm: what is read before an update, and whether a critic learns."),
    GP_QUANTITY(gp_rl_spec, "promptsPerStep", prompts_per_step, GP_DIM_COUNT, GP_ABOVE(0, 1e9),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED, .help = "Prompts of one step."),
    GP_QUANTITY(gp_rl_spec, "samplesPerPrompt", samples_per_prompt, GP_DIM_COUNT, GP_RANGE(1, 1e6),
                .flags = GP_FIELD_SUFFIX, .default_text = "1",
                .help = "Answers to one prompt that are trained on: the group of GRPO."),
    GP_QUANTITY(gp_rl_spec, "oversampling", drawn_factor, GP_DIM_NONE, GP_RANGE(1, 1e3),
                .default_text = "1",
                .help = "Answers generated for each that is trained on: dynamic sampling."),
    GP_QUANTITY(gp_rl_spec, "updatesPerStep", updates_per_step, GP_DIM_NONE, GP_RANGE(1, 1e6),
                .default_text = "1",
                .help = "Optimizer updates that the answers of one step are split into."),
    GP_STRUCT(gp_rl_spec, "promptTokens", prompt_tokens, gp_distribution,
              gp_token_distribution_type, .flags = GP_FIELD_REQUIRED,
              .help = "Tokens of a prompt."),
    GP_STRUCT(gp_rl_spec, "responseTokens", response_tokens, gp_distribution,
              gp_token_distribution_type, .flags = GP_FIELD_REQUIRED,
              .help = "Tokens of an answer, thought included; peak: the most that may be written."),
    GP_QUANTITY(gp_rl_spec, "turns", turns, GP_DIM_NONE, GP_RANGE(1, 1e4), .default_text = "1",
                .help = "Turns that an answer is written in, a tool or an environment between two "
                        "of them; responseTokens are those of all turns."),
    GP_QUANTITY(gp_rl_spec, "toolTime", tool_s, GP_DIM_TIME, GP_RANGE(0, 1e6),
                .default_text = "0 s",
                .help = "Time between two turns: the engine goes on with other answers."),
    GP_QUANTITY(gp_rl_spec, "toolTokens", tool_tokens, GP_DIM_COUNT, GP_RANGE(0, 1e7),
                .flags = GP_FIELD_SUFFIX, .default_text = "0",
                .help = "Tokens that come back between two turns: read, and trained past."),
    GP_QUANTITY(gp_rl_spec, "steps", steps, GP_DIM_COUNT, GP_ABOVE(0, 1e9),
                .flags = GP_FIELD_SUFFIX, .help = "Steps of the run."),
    GP_QUANTITY(gp_rl_spec, "prompts", prompts, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX,
                .help = "Prompts of one pass over them, in place of "
                        "steps."),
    GP_QUANTITY(gp_rl_spec, "epochs", epochs, GP_DIM_NONE, GP_ABOVE(0, 1e4), .default_text = "1",
                .help = "Passes over the prompts."),
    GP_BOOL(gp_rl_spec, "reference", reference,
            .help = "A frozen copy of the policy reads every answer; true where absent but for "
                    "dapo."),
    GP_BOOL(gp_rl_spec, "recomputeLogProbs", reads_policy,
            .help = "The policy reads its answers again before the updates, in place of what the "
                    "engine says of them; true where absent."),
    GP_STRUCT(gp_rl_spec, "critic", critic, gp_model, gp_model_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The critic of ppo, trained beside the policy; one like the policy where "
                      "absent."),
    GP_STRUCT(gp_rl_spec, "reward", reward, gp_rl_reward, reward_type,
              .help = "What an answer is worth."),
    GP_ENUM(gp_rl_spec, "pools", pools, gp_rl_pools_words, .default_text = "auto",
            .help = "colocated: the same GPUs generate and train in turn; apart: GPUs of their "
                    "own; auto: what takes less."),
    GP_COUNT(gp_rl_spec, "lag", lag, GP_RANGE(0, 1e3), .default_text = "0",
             .help = "Steps by which generation may be ahead of training; 0: each step waits for "
                     "the one before."),
    GP_COUNT(gp_rl_spec, "rolloutGpus", rollout_gpus, GP_RANGE(1, 1e7),
             .help = "GPUs that generate where they have none of training: searched where absent."),
    GP_STRUCT(gp_rl_spec, "engine", engine, gp_parallelism, gp_parallelism_type,
              .help = "How one replica that generates is laid out."),
};

const gp_struct gp_rl_type =
    GP_TYPE(gp_rl_spec, rl_fields, .name = "rl", .help = "One step of reinforcement learning.");

static const gp_field method_fields[] = {
    GP_ENUM(gp_method, "kind", kind, gp_method_words,
            .help = "sft; continued: pre-training gone on with; dpo: pairs, beside a frozen "
                    "reference; rewardModel: pairs, with a score in place of words; distillation: "
                    "beside a frozen teacher. Tokens of a pair are those of both answers."),
    GP_STRUCT(gp_method, "teacher", teacher, gp_model, gp_model_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The teacher of distillation."),
    GP_BOOL(gp_method, "cached", cached,
            .help = "What the reference or the teacher says was worked out beforehand."),
};

const gp_struct gp_method_type = GP_TYPE(gp_method, method_fields, .name = "method",
                                         .scalar_key = "kind", .help = "What a model is tuned to.");
