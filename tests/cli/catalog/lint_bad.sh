cat >ours.yaml <<'CATALOG'
apiVersion: gpuplan/v1
kind: Catalog
metadata: {name: ours}
spec:
  gpus:
    - {id: mystery, memory: 80 GB}
CATALOG
"$GPUPLAN" catalog lint ours.yaml
