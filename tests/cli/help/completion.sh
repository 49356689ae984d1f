"$GPUPLAN" help completion
