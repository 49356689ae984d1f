# Machines that a plan rents are not on the site: each quarter of growth counts them as rented, as
# the summary does.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rented}
spec:
  candidates:
    allow: ['cloud:aws/g6e.48xlarge']
  growth: {horizon: 6mo}
  workloads:
    - {name: search, type: inference, model: llama-3.1-8b}
PLAN
"$GPUPLAN" size plan.yaml --detail | grep -A2 "^  Quarter"
"$GPUPLAN" size plan.yaml -f json | grep '^ *"standNodes"\|^ *"rent[A-Za-z]*"'
