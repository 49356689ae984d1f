"$GPUPLAN" completion zsh
