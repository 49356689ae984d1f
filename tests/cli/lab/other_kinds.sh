cat >other.csv <<'ROWS'
id,kind,model,gpu,gpus,precision,engine,batch_or_concurrency,input,output,throughput,throughput_unit,latency_ms,latency_stat,memory_gib
offline,encoder QA,bert-99,NVIDIA H100-SXM-80GB,8,,TensorRT,MLPerf Offline,384 tokens,,71000,Samples per second,,,
server,encoder QA,bert-99,NVIDIA H100-SXM-80GB,8,,TensorRT,MLPerf Server,384 tokens,,57000,Completed samples per second,110,p99,
single,encoder QA,bert-99,NVIDIA L4,2,,TensorRT,MLPerf SingleStream,384 tokens,,,,3.1,p90,
vectors,embedding,bge-large-en-v1.5,NVIDIA L4,1,fp16,an engine,,about 449 tokens,,62192,tokens/s,,,
pictures,image generation,sdxl,NVIDIA H100-SXM-80GB,8,fp8,TensorRT,MLPerf Offline,1 prompt,1 image,18,Samples/s,,,
ROWS
"$GPUPLAN-lab" backtest other.csv -f csv
