cat >fabric.csv <<'ROWS'
id,ra,su,nodes,gpus,leaf,spine,core,node_leaf_cables,leaf_spine_cables,spine_core_cables,source,strict
whole,B200-NDR,2,64,512,16,8,,512,512,,page,yes
managed,H100-NDR,1,31,248,8,4,,252,256,,page,yes
slip,B300-XDR,18,1296,9216,144,72,,10368,10368,,page,yes
racks,GB200-NDR,1,144,576,32,24,,576,576,,page,yes
other,unheard-of,1,16,128,8,4,,,,,page,yes
ROWS
"$GPUPLAN-lab" backtest fabric.csv -f csv
