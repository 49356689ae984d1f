# The words of a spec and their aliases name the templates, too.
for pair in training:pretrain fine-tuning:finetune peft:lora; do
    "$GPUPLAN" init --template "${pair%:*}" >a.yaml
    "$GPUPLAN" init --template "${pair#*:}" >b.yaml
    cmp a.yaml b.yaml
done
