# All parts to read, and each as a file; a hostile name stays a name.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" export slurm quickstart.yaml | grep -v sha256
"$GPUPLAN" export slurm quickstart.yaml -w sft -o gres=gres.conf -o slurm.conf -o sft.sbatch
cat gres.conf slurm.conf | grep -v '^#'
sh -n sft.sbatch
cat >hostile.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: "$(id)\n#SBATCH --uid=0"}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: "`id`\n#SBATCH --uid=0 \u202e", type: inference, model: llama-3.1-8b}
PLAN
"$GPUPLAN" export slurm hostile.yaml -f job | grep -v sha256
