# A report kept as JSON gives the same texts as one written at once.
forms='text markdown html csv yaml sarif junit tap github gitlab openmetrics'
for plan in minimal quickstart lora-fleet teams; do
    cp "$ROOT/examples/$plan.yaml" .
    for form in $forms; do
        echo "$form=once.$form"
    done | sed 's/^/-o /' | xargs "$GPUPLAN" size -q $plan.yaml --detail all -o report.json
    for form in json $forms; do
        [ "$form" != json ] || cp report.json once.json
        "$GPUPLAN" render report.json --detail all -f "$form" >again
        cmp "once.$form" again && echo "$plan $form"
    done
done
