/*
 * What the terms of model shapes, training and whole runs mean. Symbols: N parameters, L layers,
 * h hidden width, f feed-forward width, V vocabulary, s sequence length, T tokens per GPU and
 * micro-batch, m micro-batches, t p v d c e the parallel sizes, P peak, W memory bandwidth.
 */
#include "report/term_texts.h"

#define CONFIG   "the models' reference implementations"
#define MEGATRON "Megatron-LM, arXiv 2104.04473 and 2205.05198"
#define MEASURED "fit to published training runs"
#define PEAKS    "measured peaks of fine-tuning and pre-training runs"
#define NCCL     "nccl-tests fits of the catalogue"
#define FAILURES "exponential failures; Young and Daly, FGCS 22 (2006)"
#define PHYSICS  "definition"

const gp_term_text gp_term_texts_training[] = {
    {GP_TERM_PARAMETERS, "embeddings + sum over layers of mixer + MLP or experts + norms", CONFIG},
    {GP_TERM_ACTIVE_PARAMETERS, "N - (experts - topK) x parameters of one expert x MoE layers",
     CONFIG},
    {GP_TERM_TRAIN_WEIGHTS, "N of the stage / (t, e) x bytes of the format; / d c with ZeRO 3",
     MEGATRON},
    {GP_TERM_TRAIN_GRADIENTS, "trained N of the stage x bytes; / d c from ZeRO 2 on", MEGATRON},
    {GP_TERM_TRAIN_OPTIMIZER, "trained N of the stage x state bytes; / d c from ZeRO 1 on",
     MEGATRON},
    {GP_TERM_TRAIN_ADAPTER, "rank x (inputs + outputs of the targets) x 16 B / (t p)", PEAKS},
    {GP_TERM_TRAIN_ACTIVATIONS,
     "saved bytes per token and layer x T / t x layers and micro-batches in flight; full "
     "recomputation: layer inputs + one layer worked out again",
     "arXiv 2205.05198; " PEAKS},
    {GP_TERM_TRAIN_LOGITS, "T V / t x bytes of the loss, on the last stage", PEAKS},
    {GP_TERM_TRAIN_WORKING_SET,
     "gathered layers of ZeRO 3, gathered keys and values of c, pipeline buffers, or the "
     "optimizer's temporary",
     PEAKS},
    {GP_TERM_TRAIN_RUNTIME, "context + communicators + fragmentation share of the peak", PEAKS},
    {GP_TERM_TRAIN_MEMORY,
     "sum of the parts, on the fuller end of the pipeline; times the jobs that share a GPU",
     PHYSICS},
    {GP_TERM_TRAIN_FIT, "peak of the tensors / usable memory less headroom", PEAKS},
    {GP_TERM_TRAIN_GEMM_TIME, "m 2 T N_active x passes / (t P e_gemm), e falling with T, h / t",
     MEASURED},
    {GP_TERM_TRAIN_ATTENTION_TIME,
     "m 4 T s/2 width (1 + backward) L / (t P16 e_attention), e falling with s, d", MEASURED},
    {GP_TERM_TRAIN_ELEMENTWISE_TIME, "m passes x 2 B x T (h + f / 2) L / (t W)", MEASURED},
    {GP_TERM_TRAIN_HEAD_TIME, "m (6 T h V / (t P16 e_gemm) + logits read and written / W)",
     MEASURED},
    {GP_TERM_TRAIN_LAUNCH_TIME, "m (L x fixed time of a layer + waits for the host)", MEASURED},
    {GP_TERM_TRAIN_TP_TIME, "m 2 (gather + scatter of 2 T h B) per block x exposed share", NCCL},
    {GP_TERM_TRAIN_CP_TIME, "m 3 gathers of keys and values per layer x exposed share", NCCL},
    {GP_TERM_TRAIN_EP_TIME, "m 4 all-to-alls of topK T h 2 B / t per MoE layer x exposed share",
     NCCL},
    {GP_TERM_TRAIN_PP_TIME, "2 v m sends of 2 T h B / t x exposed share", NCCL},
    {GP_TERM_TRAIN_BUBBLE_TIME, "(p - 1) / v x time of a stage and micro-batch",
     "arXiv 2104.04473"},
    {GP_TERM_TRAIN_DP_TIME,
     "gradients reduced and weights gathered (ZeRO 3: gathered twice and reduced per "
     "micro-batch), less what computation covers",
     NCCL "; " MEASURED},
    {GP_TERM_TRAIN_OPTIMIZER_TIME, "trained N of the GPU x traffic / W", PHYSICS},
    {GP_TERM_TRAIN_FROZEN_TIME,
     "forward pass of the reference or the teacher over the sequences of the step", MEASURED},
    {GP_TERM_TRAIN_COMPUTE_TIME,
     "sum of the work of the slowest stage, each part / (tuning x stack) already", PHYSICS},
    {GP_TERM_TRAIN_COMMUNICATION_TIME, "sum of the communication that computation does not hide",
     PHYSICS},
    {GP_TERM_TRAIN_JOBS_PER_GPU, "jobs that share a GPU, each with its part of the memory",
     PHYSICS},
    {GP_TERM_TRAIN_STEP_TIME,
     "work + communication + bubble; of n jobs on a GPU: the longer of it and n times what the GPU "
     "works",
     MEASURED},
    {GP_TERM_TRAIN_TOKENS_PER_S, "tokens of a step x packed share / step time", PHYSICS},
    {GP_TERM_TRAIN_MFU,
     "tokens per second x (6 N_active + causal attention, no recomputation) / (P x GPUs)", PHYSICS},
    {GP_TERM_RUN_MTBF, "mean time to failure of a GPU / GPUs", FAILURES},
    {GP_TERM_RUN_SPARES,
     "given, or the fewest so that no more machines than these are down in the share run.spares of "
     "the time",
     "binomial, by the availability of a machine"},
    {GP_TERM_RUN_SPARE_WAIT,
     "P(every spare is in use) x repair time / (spares + 1); repair time = time to failure x (1 / "
     "availability - 1)",
     "binomial, by the availability of a machine"},
    {GP_TERM_RUN_START_TIME, "given + (weights + data) / read rate", PHYSICS},
    {GP_TERM_RUN_EVALUATION, "tokens of an evaluation / (tokens between two x passes of training)",
     PHYSICS},
    {GP_TERM_RUN_FAILURES, "wall time / time between failures", FAILURES},
    {GP_TERM_RUN_CHECKPOINT_BYTES, "trained parameters x 14 B",
     "16-bit weights, 32-bit copy, two moments"},
    {GP_TERM_RUN_CHECKPOINT_TIME, "checkpoint bytes / write rate", PHYSICS},
    {GP_TERM_RUN_INTERVAL, "sqrt(2 d M) (1 + sqrt(d / 2M) / 3 + d / 18M) - d", FAILURES},
    {GP_TERM_RUN_RESTART_TIME,
     "detection and replacement + wait for a spare machine + (checkpoint + frozen weights + "
     "data) / read rate",
     PHYSICS},
    {GP_TERM_RUN_GOODPUT, "(tau / M) / (exp((tau + d) / M) - 1) x exp(-R / M)", FAILURES},
    {GP_TERM_RUN_COMPUTE_TIME, "steps x step time x (1 + share of evaluation)", PHYSICS},
    {GP_TERM_RUN_WALL_TIME, "compute time / goodput + time to the first step", PHYSICS},
};

const size_t gp_term_texts_training_count =
    sizeof gp_term_texts_training / sizeof gp_term_texts_training[0];
