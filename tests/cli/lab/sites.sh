# Clusters and machines as they were metered: power in a state, facility, switches and racks; what a
# row does not state is unsupported, grade C is for reading.
cat >clusters.csv <<'END'
id,system,gpu,gpus,nodes,gpus_per_node,node_maker_model,cooling,network_gbps_per_gpu,topology,leaf_switches,spine_switches,core_switches,switch_model,racks,it_power_kw,power_state,facility_power_kw,pue,grade,network_link_gbps,switches_total,gpu_cap_w
dgx,dgx-h100,h100-sxm,256,32,8,NVIDIA DGX H100,air,,,,,,,,278,linpack,,,B,400,,
blade,,MI300A,4608,1152,4,HPE Cray EX255a,liquid,200,dragonfly,,,,,9,3386.62,linpack,,,A,200,,
capped,,gh200,168,42,4,HPE Cray EX254n,liquid,200,,,,,,1,117.08,linpack,,,A,200,,660
rails,,h100-sxm,1024,128,8,some maker,liquid,400,rail,32,16,,QM9700,,1400,training mean,1600,1.12,A,400,,
rumour,,v100-sxm2-32gb,10000,,,,,,,,,,,,3300,training mean,3630,1.1,C,,,
silent,,h100-sxm,64,8,8,,air,,other,4,,,,,80,,,,A,400,,
END
cat >machines.csv <<'END'
id,node_model,gpu,gpus,gpu_tdp_w,cpu,cooling,state_class,watts_node,scope
air,8x H200 (MaxQ),H200-SXM5-141GB,8,700,2x Xeon 8480C,air,inference,5629,node
bath,8-GPU node,H100-SXM5-80GB,8,700,2x Xeon 8462Y+,immersion,LLM training,6953,node
share,part of a site,GB200-NVL72-GPU,1,,,liquid,nameplate/budget,1200,GPU
END
"$GPUPLAN-lab" backtest clusters.csv
"$GPUPLAN-lab" backtest clusters.csv -f csv
"$GPUPLAN-lab" backtest machines.csv -f csv
