# Every template is a plan that size answers and that holds as it is declared.
for template in inference pretrain finetune lora mixed company; do
    "$GPUPLAN" init --template $template >$template.yaml
    "$GPUPLAN" validate $template.yaml
    "$GPUPLAN" size -q $template.yaml
    "$GPUPLAN" check -q $template.yaml
done
