/* A step of reinforcement learning, and people at GPUs, in report.json. */
#include "report/describe.h"

static const char *const pools_words[] = {"colocated", "apart", NULL};
static const char *const phase_words[] = {"rollout", "update", NULL};

static const gp_report_field memory_fields[] = {
    GP_R_WORD(gp_report_phase_memory, "phase", phase, phase_words, "What the GPU does."),
    GP_R_EXACT(gp_report_phase_memory, "usedBytes", used_bytes, GP_DIM_BYTES, "What lies on it."),
    GP_R_EXACT(gp_report_phase_memory, "capacityBytes", capacity_bytes, GP_DIM_BYTES,
               "What it has room for."),
};
static const gp_report_struct memory_type =
    GP_R_TYPE(gp_report_phase_memory, memory_fields, .name = "phaseMemory", .name_key = "phase",
              .help = "Memory of a GPU in one phase.");

static const gp_report_field rl_fields[] = {
    GP_R_WORD(gp_report_rl, "pools", pools, pools_words,
              "Whether the same GPUs generate and train."),
    GP_R_COUNT(gp_report_rl, "trainGpus", train_gpus, "GPUs that train, of one job."),
    GP_R_COUNT(gp_report_rl, "rolloutGpus", rollout_gpus, "GPUs that generate."),
    GP_R_STRING(gp_report_rl, "trainer", trainer, "Layout of the updates."),
    GP_R_STRING(gp_report_rl, "engine", engine, "Layout of one engine."),
    GP_R_COUNT(gp_report_rl, "engines", engines, "Engines that generate."),
    GP_R_COUNT(gp_report_rl, "engineTp", engine_tp, "Tensor-parallel degree of an engine."),
    GP_R_COUNT(gp_report_rl, "enginePp", engine_pp, "Its pipeline stages."),
    GP_R_COUNT(gp_report_rl, "engineDp", engine_dp, "Its groups that share the experts."),
    GP_R_COUNT(gp_report_rl, "engineEp", engine_ep, "Parts that its experts are dealt out to."),
    GP_R_REAL(gp_report_rl, "sequences", sequences, GP_DIM_COUNT,
              "Answers that one step trains on."),
    GP_R_REAL(gp_report_rl, "tokens", tokens, GP_DIM_COUNT, "Their tokens, prompts with them."),
    GP_R_REAL(gp_report_rl, "longestTokens", longest_tokens, GP_DIM_COUNT,
              "The longest answer, which the step waits for."),
    GP_R_REAL(gp_report_rl, "batchPerEngine", batch_per_engine, GP_DIM_NONE,
              "Answers that one engine writes at once, at most."),
    GP_R_LIST(gp_report_rl, "phases", phases, gp_report_time_part, gp_report_part_type,
              "Time of each phase; on GPUs of their own rollout and training overlap."),
    GP_R_REAL(gp_report_rl, "rolloutFraction", rollout_fraction, GP_DIM_FRACTION,
              "Time of the rollout over that of the step."),
    GP_R_REAL(gp_report_rl, "tailS", tail_s, GP_DIM_TIME,
              "Part of the rollout with less than half of its answers still being written."),
    GP_R_REAL(gp_report_rl, "waitS", wait_s, GP_DIM_TIME,
              "Time that GPUs of their own wait for the others."),
    GP_R_LIST(gp_report_rl, "memory", memory, gp_report_phase_memory, memory_type,
              "Memory of a GPU in each phase."),
    GP_R_EXACT(gp_report_rl, "hostBytes", host_bytes, GP_DIM_BYTES,
               "Host memory per GPU for states and models that are not at work."),
};
const gp_report_struct gp_report_rl_type =
    GP_R_TYPE(gp_report_rl, rl_fields, .name = "rl", .help = "A step of reinforcement learning.");

static const char *const part_words[] = {"mig", "mps", NULL};

static const gp_report_field seat_fields[] = {
    GP_R_COUNT(gp_report_seats, "people", people, "People who may open one."),
    GP_R_COUNT(gp_report_seats, "atOnce", at_once, "Seats open at the busiest."),
    GP_R_COUNT(gp_report_seats, "held", held, "Seats that the chosen GPUs have."),
    GP_R_COUNT(gp_report_seats, "gpusPerSeat", gpus_per_seat, "Whole GPUs of one."),
    GP_R_STRING(gp_report_seats, "part", part, "Part of a GPU of one, by its profile."),
    GP_R_WORD(gp_report_seats, "method", method, part_words, "How GPUs are cut."),
    GP_R_REAL(gp_report_seats, "perGpu", per_gpu, GP_DIM_NONE, "Seats on one GPU."),
    GP_R_EXACT(gp_report_seats, "memoryBytes", part_bytes, GP_DIM_BYTES, "GPU memory of one."),
    GP_R_REAL(gp_report_seats, "meanOpen", mean_open, GP_DIM_NONE, "Open on average of a week."),
};
const gp_report_struct gp_report_seats_type =
    GP_R_TYPE(gp_report_seats, seat_fields, .name = "seats", .help = "People at GPUs.");
