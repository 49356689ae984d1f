# The hall of 1 MW: the service it carries on each kind of machine, then machines alone, air against
# liquid, and other limits by flags. What binds differs: power, air, racks, money, GPUs.
cp "$ROOT/examples/hall.yaml" .
sed '/^  workloads:/,$d' hall.yaml >bare.yaml
show() {
    echo "## $*"
    "$GPUPLAN" capacity "$@"
}
show hall.yaml
show bare.yaml --set site.cooling.air.capacity=1.1MW --width 110
show bare.yaml --power 3MW --racks 12
show bare.yaml --gpus 300
show hall.yaml --simulate off -f markdown --set 'candidates.allow=[dgx-b200]'
