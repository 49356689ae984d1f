# Every template is a plan that size answers.
for template in inference pretrain finetune lora mixed; do
    "$GPUPLAN" init --template $template >$template.yaml
    "$GPUPLAN" validate $template.yaml
    "$GPUPLAN" size -q $template.yaml || test $? -eq 1
done
