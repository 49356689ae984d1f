# Requirements with classes and tests; no product before the annex where it is neutral.
cp "$ROOT/examples/greenfield.yaml" .
"$GPUPLAN" export rfp greenfield.yaml --neutral | grep -v sha256
"$GPUPLAN" export rfp greenfield.yaml -f csv | cut -d, -f1-5 | grep -e dgx -e nccl
