#!/bin/sh
# Writes docs/accuracy.md: every figure in it comes out of the program and tests/reference.
# Usage: accuracy.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
runs=tests/reference
page=$folder/accuracy.md

backtest() {
    "$program" backtest -f markdown --worst 5 "$@" </dev/null
}

{
    cat <<'END'
# Accuracy

Made by `make accuracy`; do not edit. Each table is what `gpuplan backtest` prints over the published runs in `tests/reference`
(one run per row, with its source). An estimate sees a run's configuration and never what was measured.

- *median, p80, p90*: of the absolute error, estimate over measurement less one; percentiles interpolate between ranks.
- *in band*: share of runs inside the band that reports print around such an estimate.
- *no est.*: runs that the columns or the catalogue leave too open; they count against the tool.
- *left out*: the constants are fitted again without all runs of the run's model shape, which is then estimated. Constants that
  rested on that shape alone fall back on their class. Collectives: each curve is fitted to every second size and judged on the others.

To see it again: `gpuplan backtest training.csv finetune.csv training_other.csv --leave-out model` there. Runs of your own
in the same columns are scored the same way.

## Pre-training, supervised fine-tuning and LoRA on vendors' and frameworks' pages

END
    backtest "$runs/training.csv" "$runs/finetune.csv" "$runs/training_other.csv" --leave-out model
    printf '\n## Fine-tuning, LoRA and QLoRA in open benchmarks\n\n'
    backtest "$runs/finetune.csv" "$runs/training.csv" "$runs/training_other.csv" --leave-out model
    printf '\n## Other accelerators\n\n'
    backtest "$runs/training_other.csv"
    printf '\n## Memory\n\n'
    backtest "$runs/memory.csv" --leave-out model
    printf '\n## Power of GPUs while serving\n\n'
    backtest "$runs/serving_power.csv" --leave-out model
    printf '\n## Collectives inside a node\n\n'
    backtest "$runs/collectives_one_node.csv" --leave-out size
    printf '\n## Collectives across nodes, and at another site\n\n'
    backtest "$runs/collectives_multinode.csv"
    printf '\n## Switches and cables\n\n'
    backtest "$runs/fabric.csv"
    cat <<'END'

## Serving

Time per output token (`tpot_ms`), time to first token (`ttft_ms`; *onlineQueued*: at more than 16 requests in flight, where it is
mostly queueing) and throughput of vLLM, SGLang, TensorRT-LLM and NIM on NVIDIA GPUs. Many of these pages do not say whether a figure is
a mean or a median, nor whether tokens were guessed ahead (speculative decoding). The band of *onlineQueued* is
`plan.band.ttftQueued`, that of such benchmarks; that of rates of online runs whose prompts are not told or whose experts are routed is
`plan.band.rate`, that of time to first token of a batch called in place `plan.band.ttftLone`: reports print none of the three. Runs
more than three standard deviations off (crowded hosts, tokens guessed ahead unsaid, cached prompts) are scored and pull at no constant.

END
    backtest "$runs/inference.csv" "$runs/inference_other.csv" --leave-out model
    printf '\n## Serving on other accelerators\n\n'
    backtest "$runs/inference_other.csv"
    cat <<'END'

## What other tools publish

Each on runs of its own choice: not the runs above.

| tool | figure | source |
|---|---|---|
| calculon | step time of 8 Megatron runs (A100): mean 3.65 %, worst 8.9 %; tuned on the same runs | its llm-validation command, caa4b11 |
| vTrain | step time: mean 8.4 % (8 A100), 14.7 % (up to 512 A100) | paper's abstract |
| operator-level predictor for distributed training | step time: mean 5.0 % (A100), 9.4 % (GH200), up to 128 GPUs | arXiv 2509.22832 |
| llm-analysis | 13B inference on A100: -11 % (1 GPU), -25 % (2 GPUs), efficiencies profiled | its examples, d841e40 |
| aiconfigurator | CI gate: mean below 5 % overall and 10 % per partition, on its own silicon data | its regression tools, 095f58a |
| inference-sim (BLIS) | end-to-end latency: median 6.7 %; time to first token 17.6 %; GPUs not seen 13 to 16 % | its documentation, f90a1e3 |
| llm-d planner | weights 0.9 %, KV cache 0.3 % (means over 57 vLLM runs) | its pull request 205 |
| Megatron-LM memory report | 175B: weights and optimizer +2.9 %, activations +0.3 % | its tool, d98e8a6, against calculon's profile |

## The constants

Fitted together to the strict runs of `training.csv`, `finetune.csv`, `training_other.csv` and `memory.csv` by `make calibrate`, which prints them as a
catalogue (`gpuplan ... --catalog`). *Runs* and *models* are those whose estimate moves by more than half a per cent when the constant is
doubled or halved. A constant with fewer than 8 runs or 2 models is drawn to the mean of its class, else to its prior. All other constants
are in the catalogue with their source (`gpuplan catalog list constants`).

END
    "$program" backtest --refit -f markdown "$runs/training.csv" "$runs/finetune.csv" \
        "$runs/training_other.csv" "$runs/memory.csv" </dev/null
    cat <<'END'

Those of serving, fitted to the strict runs of `inference.csv` and `inference_other.csv` by `make calibrate-serving`; with too few runs
an efficiency keeps its prior, which kernel tables give. Architectures go with their kind of memory (*hbm*, *gddr*) and the width of
the format.

END
    "$program" backtest --refit -f markdown "$runs/inference.csv" "$runs/inference_other.csv" </dev/null
} >"$page.new"
mv "$page.new" "$page"
