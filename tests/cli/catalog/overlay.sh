cat >ours.yaml <<'CATALOG'
apiVersion: gpuplan/v1
kind: Catalog
metadata: {name: ours}
spec:
  gpus:
    - {id: h200-capped, extends: h200-sxm, tdp: 600 W, source: power cap of operations, date: 2026-11-01, evidence: measured}
CATALOG
"$GPUPLAN" catalog lint ours.yaml >/dev/null
"$GPUPLAN" catalog show gpu h200-capped --catalog ours.yaml
