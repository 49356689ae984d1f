/* Bounds that the figures over the published runs must keep: what is reached, and a tenth. Included
 * by the test of backtest, which defines `bar`. */

static const bar training_bars[] = {
    {"denseTraining", "tokens_per_s_per_gpu", 0.041, 0.122},
    {"moeHybridTraining", "tokens_per_s_per_gpu", 0.105, 0.281},
    {"sft", "tokens_per_s_per_gpu", 0.067, 0.174},
    {"lora", "tokens_per_s_per_gpu", 0.08, 0.247},
};
static const bar finetune_bars[] = {
    {"sft", "tokens_per_s_per_gpu", 0.076, 0.22},
    {"lora", "tokens_per_s_per_gpu", 0.083, 0.376},
};
static const bar finetune_h100_bars[] = {
    {"sft", "tokens_per_s_per_gpu", 0.051, 0.145},
    {"lora", "tokens_per_s_per_gpu", 0.125, 0.41},
};
static const bar finetune_small_bars[] = {
    {"sft", "tokens_per_s_per_gpu", 0.162, 0.36},
    {"lora", "tokens_per_s_per_gpu", 0.102, 0.245},
};
static const bar memory_h100_bars[] = {
    {"fineTuneMemory", "peak_mem_gib_per_gpu", 0.025, 0.052},
};
static const bar training_other_bars[] = {
    {"otherTraining", "tokens_per_s_per_gpu", 0.092, 0.388},
};
static const bar memory_bars[] = {
    {"fineTuneMemory", "peak_mem_gib_per_gpu", 0.018, 0.079},
    {"inferenceMemory", "weights_gib", 0.002, 0.017},
    {"inferenceMemory", "kv_cache_tokens", 0.0015, 0.026},
    {"inferenceMemory", "peak_mem_gib_per_gpu", 0.014, 0.024},
    {"pretrainMemory", "peak_mem_gib_per_gpu", 0.047, 0.14},
};
static const bar power_bars[] = {
    {"servingPower hopper", "w_per_gpu", 0.069, 0.17},
    {"servingPower blackwell", "w_per_gpu", 0.127, 0.395},
};
static const bar fabric_bars[] = {
    {"fabric", "leaf", 1e-9, 1e-9},
    {"fabric", "spine", 1e-9, 1e-9},
    {"fabric", "core", 1e-9, 1e-9},
    {"fabric", "node_leaf_cables", 1e-9, 1e-9},
    {"fabric", "leaf_spine_cables", 1e-9, 1e-9},
    {"fabric", "spine_core_cables", 1e-9, 1e-9},
};
static const bar one_node_bars[] = {
    {"collectivesOneNode below 64 MiB", "time_us", 0.042, 0.192},
    {"collectivesOneNode from 64 MiB", "time_us", 0.015, 0.05},
};
static const bar multinode_bars[] = {
    {"collectivesMultinode", "busbw_GBps", 0.04, 0.18},
    {"collectivesOtherSite", "busbw_GBps", 0.032, 0.22},
};
static const bar inference_bars[] = {
    {"onlineDense", "tpot_ms", 0.065, 0.27},
    {"onlineMoe", "tpot_ms", 0.1, 0.42},
    {"onlineDense", "ttft_ms", 0.28, 0.57},
    {"onlineMoe", "ttft_ms", 0.22, 0.64},
    {"offline", "output_tokens_per_s_per_gpu", 0.094, 0.325},
};
static const bar inference_other_bars[] = {
    {"offline", "output_tokens_per_s_per_gpu", 0.12, 0.32},
    {"staticBatch", "output_tokens_per_s_per_gpu", 0.08, 0.42},
    {"staticBatch", "tpot_ms", 0.07, 0.29},
};
static const bar serving_ep_bars[] = {
    {"servingPool", "in_tok_s_per_gpu", 0.168, 0.345},
    {"servingPool", "out_tok_s_per_gpu", 0.2, 0.56},
    {"servingPool", "total_tok_s_per_gpu", 0.245, 0.31},
    {"servingPool", "tpot_ms", 0.122, 0.47},
    {"servingPool", "ttft_ms", 0.34, 1.35},
};

static const bar exchange_bars[] = {
    {"exchange over links", "time_us", 0.07, 0.28},
    {"exchange over the network", "time_us", 0.07, 0.37},
    {"exchange over EFA", "time_us", 0.17, 0.55},
};

/* The same of pre-training left out of the fit: what is promised for what nobody has measured. */
static const struct {
    gp_leave_out kind;
    double dense, dense_p90, moe, held; /* held: least share inside the bands */
} left_out_bars[] = {
    {GP_LEAVE_OUT_MODEL, 0.05, 0.14, 0.15, 0.75},
    {GP_LEAVE_OUT_GPU, 0.08, 0.165, 0.13, 0.75},
    {GP_LEAVE_OUT_ENGINE, 0.12, 0.25, 0.18, 0.75},
    {GP_LEAVE_OUT_ORGANIZATION, 0.055, 0.2, 0.14, 0.75},
};

static const bar other_kinds_bars[] = {
    {"clips", "throughput", 0.055, 0.176},   {"pictures", "throughput", 0.177, 0.4},
    {"clips", "latency_ms", 0.055, 0.171},   {"pictures", "latency_ms", 0.199, 0.444},
    {"ranking", "throughput", 0.167, 0.365}, {"classifying", "throughput", 0.129, 0.26},
    {"speech", "throughput", 0.045, 12},     {"reading", "throughput", 0.174, 0.224},
};

static const bar sharing_bars[] = {
    {"migPart", "max_instances", 1e-9, 1e-9},
    {"migPart", "memory_gb", 0.038, 0.06},
    {"migPart", "sm_fraction", 0.001, 0.002},
};

/* Steps of reinforcement learning differ as their responses do, whose lengths few pages state. */
static const bar rl_bars[] = {
    {"rlApart", "step_s", 0.19, 0.475},
    {"rlApart", "update_s", 0.18, 0.4},
    {"rlColocated", "step_s", 0.26, 0.605},
    {"rlColocated", "update_s", 0.21, 0.64},
};

#define BARS(list) (list), sizeof(list) / sizeof(list)[0]

static const struct {
    const char *path;
    const bar *bars;
    size_t count;
    double supported;
} reference_files[] = {
    {"tests/reference/training.csv", BARS(training_bars), 0.97},
    {"tests/reference/finetune.csv", BARS(finetune_bars), 0.97},
    {"tests/reference/finetune_h100.csv", BARS(finetune_h100_bars), 1},
    {"tests/reference/finetune_small.csv", BARS(finetune_small_bars), 1},
    {"tests/reference/memory_h100.csv", BARS(memory_h100_bars), 1},
    {"tests/reference/training_other.csv", BARS(training_other_bars), 0.93},
    {"tests/reference/memory.csv", BARS(memory_bars), 0.98},
    {"tests/reference/serving_power.csv", BARS(power_bars), 0.97},
    {"tests/reference/fabric.csv", BARS(fabric_bars), 1},
    {"tests/reference/collectives_one_node.csv", BARS(one_node_bars), 1},
    {"tests/reference/collectives_multinode.csv", BARS(multinode_bars), 1},
    {"tests/reference/inference.csv", BARS(inference_bars), 0.99},
    {"tests/reference/inference_other.csv", BARS(inference_other_bars), 0.97},
    {"tests/reference/other_kinds.csv", BARS(other_kinds_bars), 0.84},
    {"tests/reference/gpu_sharing.csv", BARS(sharing_bars), 0.63},
    {"tests/reference/exchanges.csv", BARS(exchange_bars), 0.85},
    {"tests/reference/serving_ep.csv", BARS(serving_ep_bars), 0.7},
    {"tests/reference/rl.csv", BARS(rl_bars), 0.98},
};
