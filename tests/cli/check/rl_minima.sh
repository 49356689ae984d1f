# Published minima of full-parameter GRPO (verl): what runs on so many GPUs, and not on half of them.
# The last is DeepSeek-V3 with its optimizer in host memory: 66 GB of a GPU were measured.
try() {
    cat >plan.yaml <<END
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: minima}
spec:
  cluster:
    pools:
      - name: p
        count: $((($3 + 7) / 8))
        system:
          {gpus: $(($3 < 8 ? $3 : 8)), gpu: $2, memory: 2 TB, nics: [{count: 8, rate: 400 Gb/s}]}
  defaults: {confidence: expected, headroom: {gpus: 0, memory: 0}}
  candidates: {allow: [p]}
  workloads:
    - name: w
      type: rl
      model: $1
      $5
      rl:
        promptsPerStep: 64
        samplesPerPrompt: 8
        promptTokens: 256
        responseTokens: {mean: 700, peak: 2048}
        steps: 10
END
    echo "$1 on $3 $2: $("$GPUPLAN" check plan.yaml | sed -n '1s/  plan.*//p')"
    test -z "$4" || "$GPUPLAN" size plan.yaml --detail | grep "$4"
}
try qwen2.5-7b h100-sxm 2
try qwen2.5-7b h100-sxm 1
try qwen2.5-14b h100-sxm 4
try qwen2.5-14b h100-sxm 2
try qwen2.5-32b h20 8
try qwen2.5-32b h20 4
try qwen2.5-72b h100-sxm 32
try qwen2.5-72b h100-sxm 8
try deepseek-v3 h20 96 'on a GPU' 'parallelism: {tp: 8, pp: 12, ep: 8, zero: 1, microBatch: 1}
      recompute: full
      offload: {states: optimizer}'
