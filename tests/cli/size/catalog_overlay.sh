cp "$ROOT/examples/minimal.yaml" .
cat >ours.yaml <<'CATALOG'
apiVersion: gpuplan/v1
kind: Catalog
metadata: {name: ours}
spec:
  systems:
    - {id: our-8x-h200, extends: dgx-h200, maxPower: 9 kW, source: rack survey, date: 2026-11-02, evidence: measured}
CATALOG
"$GPUPLAN" size minimal.yaml --catalog ours.yaml --set 'candidates.allow=[our-8x-h200]' -f json |
    grep -o '"system": *"[a-z0-9-]*"' | tr -d ' ' | sort -u
