"$GPUPLAN" import slurm:"$ROOT"/tests/samples/machines/nodes.txt --gpu h100-sxm >pools.yaml
cat pools.yaml
# The fragment under spec: of a plan.
{ printf 'apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n'
  sed 's/^/  /' pools.yaml
  printf '  workloads: [{name: a, type: inference, model: qwen3-8b, traffic: {requestsPerSecond: 1, inputTokens: 100, outputTokens: 10}}]\n'; } >plan.yaml
"$GPUPLAN" validate plan.yaml
