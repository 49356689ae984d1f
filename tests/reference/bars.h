/* Bounds that the figures over the published runs must keep: what is reached, and a tenth. Included
 * by the test of backtest, which defines `bar`. */

static const bar training_bars[] = {
    {"denseTraining", "tokens_per_s_per_gpu", 0.05, 0.15},
    {"moeHybridTraining", "tokens_per_s_per_gpu", 0.12, 0.40},
    {"sft", "tokens_per_s_per_gpu", 0.12, 0.40},
    {"lora", "tokens_per_s_per_gpu", 0.12, 0.40},
};
static const bar finetune_bars[] = {
    {"sft", "tokens_per_s_per_gpu", 0.10, 0.50},
    {"lora", "tokens_per_s_per_gpu", 0.10, 0.50},
};
static const bar training_other_bars[] = {
    {"otherTraining", "tokens_per_s_per_gpu", 0.16, 0.45},
};
static const bar memory_bars[] = {
    {"fineTuneMemory", "peak_mem_gib_per_gpu", 0.04, 0.25},
    {"inferenceMemory", "weights_gib", 0.02, 0.50},
    {"pretrainMemory", "peak_mem_gib_per_gpu", 0.20, 0.70},
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
    {"tests/reference/training_other.csv", BARS(training_other_bars), 0.85},
    {"tests/reference/memory.csv", BARS(memory_bars), 0.85},
};
