mkdir folder
"$GPUPLAN" size folder
