printf 'PK\003\004' >config.json
"$GPUPLAN" import file:config.json
