/* Bounds that the figures over the published runs must keep: what is reached, and a tenth. Included
 * by the test of backtest, which defines `bar`. */

static const bar training_bars[] = {
    {"denseTraining", "tokens_per_s_per_gpu", 0.036, 0.11},
    {"moeHybridTraining", "tokens_per_s_per_gpu", 0.084, 0.285},
    {"sft", "tokens_per_s_per_gpu", 0.073, 0.185},
    {"lora", "tokens_per_s_per_gpu", 0.079, 0.155},
};
static const bar finetune_bars[] = {
    {"sft", "tokens_per_s_per_gpu", 0.074, 0.265},
    {"lora", "tokens_per_s_per_gpu", 0.087, 0.274},
};
static const bar training_other_bars[] = {
    {"otherTraining", "tokens_per_s_per_gpu", 0.101, 0.228},
};
static const bar memory_bars[] = {
    {"fineTuneMemory", "peak_mem_gib_per_gpu", 0.018, 0.079},
    {"inferenceMemory", "weights_gib", 0.002, 0.017},
    {"inferenceMemory", "kv_cache_tokens", 0.0015, 0.026},
    {"inferenceMemory", "peak_mem_gib_per_gpu", 0.014, 0.024},
    {"pretrainMemory", "peak_mem_gib_per_gpu", 0.047, 0.14},
};
static const bar power_bars[] = {
    {"servingPower hopper", "w_per_gpu", 0.07, 0.172},
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
    {"offline", "output_tokens_per_s_per_gpu", 0.084, 0.305},
};
static const bar inference_other_bars[] = {
    {"offline", "output_tokens_per_s_per_gpu", 0.12, 0.32},
    {"staticBatch", "output_tokens_per_s_per_gpu", 0.08, 0.42},
    {"staticBatch", "tpot_ms", 0.07, 0.29},
};
static const bar serving_ep_bars[] = {
    {"servingPool", "in_tok_s_per_gpu", 0.2, 0.35},
    {"servingPool", "out_tok_s_per_gpu", 0.27, 0.58},
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
    {"tests/reference/training_other.csv", BARS(training_other_bars), 0.93},
    {"tests/reference/memory.csv", BARS(memory_bars), 0.98},
    {"tests/reference/serving_power.csv", BARS(power_bars), 0.97},
    {"tests/reference/fabric.csv", BARS(fabric_bars), 1},
    {"tests/reference/collectives_one_node.csv", BARS(one_node_bars), 1},
    {"tests/reference/collectives_multinode.csv", BARS(multinode_bars), 1},
    {"tests/reference/inference.csv", BARS(inference_bars), 0.99},
    {"tests/reference/inference_other.csv", BARS(inference_other_bars), 0.97},
    {"tests/reference/serving_ep.csv", BARS(serving_ep_bars), 0.6},
};
