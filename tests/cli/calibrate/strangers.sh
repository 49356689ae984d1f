# Texts that are no log of a run name where they go; a log is known behind pages of options.
refuse() { "$GPUPLAN" calibrate --read "$1" 2>&1 | sed -n '1p; /expected/p'; }
printf '{"test_info": {}, "results": {"MsgSize": 65536, "BW_average": 392.1}}\n' >bw.json
printf ' #bytes #iterations    t_min[usec]    t_max[usec]\n 2 1000 3.41 11.2\n' >latency.txt
cp "$ROOT/tests/samples/machines/lstopo.xml" "$ROOT/tests/samples/machines/nodes.txt" .
printf '{"status":"success","data":{"resultType":"vector","result":[]}}\n' >answer.json
printf '# TYPE DCGM_FI_DEV_POWER_USAGE gauge\nDCGM_FI_DEV_POWER_USAGE{gpu="0"} 612\n' >metrics.prom
for file in bw.json latency.txt lstopo.xml nodes.txt answer.json metrics.prom; do
    refuse $file
done
{
    awk 'BEGIN { for (i = 0; i < 2000; i++) print "  some_option_of_many ................ " i }'
    cat "$ROOT/tests/samples/megatron.log"
} >train.log
"$GPUPLAN" calibrate --read train.log
