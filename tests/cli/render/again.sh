# A report kept as JSON gives the same texts as one written at once.
for plan in minimal quickstart lora-fleet teams; do
    cp "$ROOT/examples/$plan.yaml" .
    "$GPUPLAN" size -q $plan.yaml -o report.json
    for form in text markdown html json csv yaml sarif junit tap github gitlab openmetrics; do
        "$GPUPLAN" size $plan.yaml --detail all -f $form >once
        "$GPUPLAN" render report.json --detail all -f $form >again
        cmp once again && echo "$plan $form"
    done
done
