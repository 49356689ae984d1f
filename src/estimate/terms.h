/*
 * The terms that estimators record: X(ID, "camelCaseName", dimension of the value). One row per
 * term; names, formulas and sources in words are in src/report/term_texts.c under the same id.
 */
#ifndef GP_ESTIMATE_TERMS_H
#define GP_ESTIMATE_TERMS_H

#define GP_TERMS_SHAPE(X)                                                                          \
    X(PARAMETERS, "parameters", GP_DIM_COUNT)                                                      \
    X(ACTIVE_PARAMETERS, "activeParameters", GP_DIM_COUNT)

#define GP_TERMS_TRAINING(X)                                                                       \
    X(TRAIN_WEIGHTS, "trainingWeights", GP_DIM_BYTES)                                              \
    X(TRAIN_GRADIENTS, "trainingGradients", GP_DIM_BYTES)                                          \
    X(TRAIN_OPTIMIZER, "trainingOptimizer", GP_DIM_BYTES)                                          \
    X(TRAIN_ADAPTER, "trainingAdapter", GP_DIM_BYTES)                                              \
    X(TRAIN_ACTIVATIONS, "trainingActivations", GP_DIM_BYTES)                                      \
    X(TRAIN_LOGITS, "trainingLogits", GP_DIM_BYTES)                                                \
    X(TRAIN_WORKING_SET, "trainingWorkingSet", GP_DIM_BYTES)                                       \
    X(TRAIN_RUNTIME, "trainingRuntimeMemory", GP_DIM_BYTES)                                        \
    X(TRAIN_MEMORY, "trainingMemory", GP_DIM_BYTES)                                                \
    X(TRAIN_FIT, "trainingMemoryShare", GP_DIM_FRACTION)                                           \
    X(TRAIN_GEMM_TIME, "gemmTime", GP_DIM_TIME)                                                    \
    X(TRAIN_ATTENTION_TIME, "attentionTime", GP_DIM_TIME)                                          \
    X(TRAIN_ELEMENTWISE_TIME, "elementwiseTime", GP_DIM_TIME)                                      \
    X(TRAIN_HEAD_TIME, "headTime", GP_DIM_TIME)                                                    \
    X(TRAIN_LAUNCH_TIME, "launchTime", GP_DIM_TIME)                                                \
    X(TRAIN_TP_TIME, "tensorParallelTime", GP_DIM_TIME)                                            \
    X(TRAIN_CP_TIME, "contextParallelTime", GP_DIM_TIME)                                           \
    X(TRAIN_EP_TIME, "expertParallelTime", GP_DIM_TIME)                                            \
    X(TRAIN_PP_TIME, "pipelineSendTime", GP_DIM_TIME)                                              \
    X(TRAIN_BUBBLE_TIME, "bubbleTime", GP_DIM_TIME)                                                \
    X(TRAIN_DP_TIME, "dataParallelTime", GP_DIM_TIME)                                              \
    X(TRAIN_OPTIMIZER_TIME, "optimizerTime", GP_DIM_TIME)                                          \
    X(TRAIN_FROZEN_TIME, "frozenModelTime", GP_DIM_TIME)                                           \
    X(TRAIN_COMPUTE_TIME, "computeTime", GP_DIM_TIME)                                              \
    X(TRAIN_COMMUNICATION_TIME, "communicationTime", GP_DIM_TIME)                                  \
    X(TRAIN_JOBS_PER_GPU, "jobsPerGpu", GP_DIM_COUNT)                                              \
    X(TRAIN_STEP_TIME, "stepTime", GP_DIM_TIME)                                                    \
    X(TRAIN_TOKENS_PER_S, "trainingTokensPerS", GP_DIM_PER_S)                                      \
    X(TRAIN_MFU, "modelFlopsUtilization", GP_DIM_FRACTION)                                         \
    X(RUN_MTBF, "timeBetweenFailures", GP_DIM_TIME)                                                \
    X(RUN_SPARES, "spareMachines", GP_DIM_COUNT)                                                   \
    X(RUN_SPARE_WAIT, "spareWait", GP_DIM_TIME)                                                    \
    X(RUN_START_TIME, "startTime", GP_DIM_TIME)                                                    \
    X(RUN_EVALUATION, "evaluationShare", GP_DIM_FRACTION)                                          \
    X(RUN_FAILURES, "failuresInRun", GP_DIM_COUNT)                                                 \
    X(RUN_CHECKPOINT_BYTES, "checkpointBytes", GP_DIM_BYTES)                                       \
    X(RUN_CHECKPOINT_TIME, "checkpointTime", GP_DIM_TIME)                                          \
    X(RUN_INTERVAL, "checkpointInterval", GP_DIM_TIME)                                             \
    X(RUN_RESTART_TIME, "restartTime", GP_DIM_TIME)                                                \
    X(RUN_GOODPUT, "goodput", GP_DIM_FRACTION)                                                     \
    X(RUN_COMPUTE_TIME, "runComputeTime", GP_DIM_TIME)                                             \
    X(RUN_WALL_TIME, "runWallTime", GP_DIM_TIME)

#define GP_TERMS_RL(X)                                                                             \
    X(RL_TOKENS, "rlTokensPerStep", GP_DIM_COUNT)                                                  \
    X(RL_LONGEST, "rlLongestResponse", GP_DIM_COUNT)                                               \
    X(RL_ROLLOUT_TIME, "rolloutTime", GP_DIM_TIME)                                                 \
    X(RL_REWARD_TIME, "rewardTime", GP_DIM_TIME)                                                   \
    X(RL_LOGPROB_TIME, "logProbabilityTime", GP_DIM_TIME)                                          \
    X(RL_REFERENCE_TIME, "referenceTime", GP_DIM_TIME)                                             \
    X(RL_VALUES_TIME, "valuesTime", GP_DIM_TIME)                                                   \
    X(RL_UPDATE_TIME, "updateTime", GP_DIM_TIME)                                                   \
    X(RL_CRITIC_TIME, "criticTime", GP_DIM_TIME)                                                   \
    X(RL_REFIT_TIME, "refitTime", GP_DIM_TIME)                                                     \
    X(RL_SWITCH_TIME, "switchTime", GP_DIM_TIME)                                                   \
    X(RL_OTHER_TIME, "otherTime", GP_DIM_TIME)                                                     \
    X(RL_COMMUNICATION_TIME, "rlCommunicationTime", GP_DIM_TIME)                                   \
    X(RL_STEP_TIME, "rlStepTime", GP_DIM_TIME)                                                     \
    X(RL_TOKENS_PER_S, "rlTokensPerS", GP_DIM_PER_S)                                               \
    X(RL_ROLLOUT_SHARE, "rolloutShare", GP_DIM_FRACTION)

#define GP_TERMS_SERVING(X)                                                                        \
    X(SEATS_OPEN, "seatsOpen", GP_DIM_COUNT)                                                       \
    X(SEATS_PER_GPU, "seatsPerGpu", GP_DIM_NONE)                                                   \
    X(SERVE_WEIGHTS, "weightsPerGpu", GP_DIM_BYTES)                                                \
    X(SERVE_ACTIVATIONS, "activationReserve", GP_DIM_BYTES)                                        \
    X(SERVE_NON_TORCH, "nonTorchMemory", GP_DIM_BYTES)                                             \
    X(SERVE_ADAPTERS, "adapterMemory", GP_DIM_BYTES)                                               \
    X(SERVE_BUDGET, "engineMemoryBudget", GP_DIM_BYTES)                                            \
    X(SERVE_KV_PER_TOKEN, "kvBytesPerToken", GP_DIM_BYTES)                                         \
    X(SERVE_KV_POOL, "kvPool", GP_DIM_BYTES)                                                       \
    X(SERVE_KV_TOKENS, "kvPoolTokens", GP_DIM_COUNT)                                               \
    X(SERVE_CONCURRENCY, "maxConcurrency", GP_DIM_COUNT)                                           \
    X(SERVE_CONCURRENCY_P95, "maxConcurrencyP95", GP_DIM_COUNT)                                    \
    X(SERVE_EXPERTS_TOUCHED, "expertsTouched", GP_DIM_COUNT)                                       \
    X(SERVE_WEIGHTS_READ, "weightsRead", GP_DIM_BYTES)                                             \
    X(SERVE_GEMM_TIME, "decodeGemmTime", GP_DIM_TIME)                                              \
    X(SERVE_KV_READ, "kvRead", GP_DIM_BYTES)                                                       \
    X(SERVE_ATTENTION_TIME, "decodeAttentionTime", GP_DIM_TIME)                                    \
    X(SERVE_OVERHEAD_TIME, "decodeOverheadTime", GP_DIM_TIME)                                      \
    X(SERVE_COMMUNICATION_TIME, "decodeCommunicationTime", GP_DIM_TIME)                            \
    X(SERVE_STEP_TIME, "decodeStepTime", GP_DIM_TIME)                                              \
    X(SERVE_PREFILL_GEMM, "prefillGemmTime", GP_DIM_TIME)                                          \
    X(SERVE_PREFILL_ATTENTION, "prefillAttentionTime", GP_DIM_TIME)                                \
    X(SERVE_PREFILL_COMMUNICATION, "prefillCommunicationTime", GP_DIM_TIME)                        \
    X(SERVE_PREFILL, "prefillTime", GP_DIM_TIME)                                                   \
    X(SERVE_IMAGE_TOKENS, "imageTokens", GP_DIM_COUNT)                                             \
    X(SERVE_VISION_TIME, "visionTowerTime", GP_DIM_TIME)                                           \
    X(SERVE_BATCH, "batch", GP_DIM_COUNT)                                                          \
    X(SERVE_INTERFERENCE, "prefillInterference", GP_DIM_TIME)                                      \
    X(SERVE_TPOT, "tpot", GP_DIM_TIME)                                                             \
    X(SERVE_TPOT_P95, "tpotP95", GP_DIM_TIME)                                                      \
    X(SERVE_QUEUE, "queueWait", GP_DIM_TIME)                                                       \
    X(SERVE_TTFT, "ttft", GP_DIM_TIME)                                                             \
    X(SERVE_TTFT_P95, "ttftP95", GP_DIM_TIME)                                                      \
    X(SERVE_E2E, "endToEndTime", GP_DIM_TIME)                                                      \
    X(SERVE_MAX_RATE, "maxRequestRate", GP_DIM_PER_S)                                              \
    X(SERVE_UTILIZATION, "replicaUtilization", GP_DIM_FRACTION)                                    \
    X(SERVE_THROUGHPUT, "replicaOutputTokensPerS", GP_DIM_PER_S)                                   \
    X(SERVE_PEAK, "plannedPeak", GP_DIM_PER_S)                                                     \
    X(SERVE_TRANSFER, "kvTransferTime", GP_DIM_TIME)                                               \
    X(SERVE_LOAD_TIME, "weightsLoadTime", GP_DIM_TIME)                                             \
    X(SERVE_COLD_START, "coldStart", GP_DIM_TIME)                                                  \
    X(SERVE_PART, "gpuPart", GP_DIM_FRACTION)                                                      \
    X(SERVE_ITEM_FLOP, "itemFlop", GP_DIM_COUNT)                                                   \
    X(SERVE_ADAPTER_LOAD, "adapterLoadTime", GP_DIM_TIME)                                          \
    X(SERVE_ITEM_PASS, "passTime", GP_DIM_TIME)

#define GP_TERMS_SITE(X)                                                                           \
    X(FABRIC_LEAF, "leafSwitches", GP_DIM_COUNT)                                                   \
    X(FABRIC_SPINE, "spineSwitches", GP_DIM_COUNT)                                                 \
    X(FABRIC_CORE, "coreSwitches", GP_DIM_COUNT)                                                   \
    X(FABRIC_TWO_TIER_NODES, "maxNodesInTwoTiers", GP_DIM_COUNT)                                   \
    X(GPU_POWER, "gpuPower", GP_DIM_POWER)                                                         \
    X(NODE_POWER, "nodePower", GP_DIM_POWER)                                                       \
    X(NODE_NAMEPLATE, "nodeNameplatePower", GP_DIM_POWER)                                          \
    X(NODE_PEAK, "nodePeakPower", GP_DIM_POWER)

#define GP_TERMS(X)                                                                                \
    GP_TERMS_SHAPE(X)                                                                              \
    GP_TERMS_TRAINING(X)                                                                           \
    GP_TERMS_RL(X)                                                                                 \
    GP_TERMS_SERVING(X)                                                                            \
    GP_TERMS_SITE(X)

#endif
