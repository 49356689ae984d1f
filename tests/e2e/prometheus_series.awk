# OpenMetrics samples with the names that exporters use: two machines with eight GPUs each, four
# replicas of vLLM (two of them of an older release), one of SGLang, IPMI, node_exporter and
# InfiniBand ports (one machine with the older names).
#   awk -v end=SECONDS -v span=SECONDS -v rate=REQUESTS_PER_S -v slow=FACTOR -f prometheus_series.awk
# rate: requests per second over all replicas of vLLM; slow: factor on their latencies.

function head(name, type) { print "# TYPE " name " " type }

# head() of a counter leaves _total out; a sample carries it.
function sample(name, labels, value, at) { printf "%s{%s} %.10g %d\n", name, labels, value, at }

function gauge(name, labels, value,    t) {
    for (t = start; t <= end; t += every) sample(name, labels, value, t)
}

# A value that swings once over the span.
function wave(name, labels, middle, swing,    t) {
    for (t = start; t <= end; t += every)
        sample(name, labels, middle + swing * sin(6.283185307 * (t - start) / span), t)
}

function counter(name, labels, per_s,    t) {
    for (t = start; t <= end; t += every) sample(name, labels, per_s * (t - start), t)
}

# Counters that sum up a rate which swings by a share of itself.
function surge(name, labels, per_s, share,    t, turn) {
    turn = 6.283185307 / span
    for (t = start; t <= end; t += every)
        sample(name, labels, per_s * ((t - start) + share * (1 - cos(turn * (t - start))) / turn), t)
}

# Buckets of a spread that is exponential above an offset.
function histogram(name, labels, edges, offset, mean, per_s,    list, n, i, share) {
    n = split(edges, list, " ")
    head(name, "histogram")
    for (i = 1; i <= n; i++) {
        share = list[i] + 0 <= offset ? 0 : 1 - exp(-(list[i] - offset) / (mean - offset))
        counter(name "_bucket", labels ",le=\"" list[i] "\"", per_s * share)
    }
    counter(name "_bucket", labels ",le=\"+Inf\"", per_s)
    counter(name "_count", labels, per_s)
    counter(name "_sum", labels, per_s * mean)
}

function gpus(name, type, busy, idle,    node, gpu, labels, value) {
    head(name, type)
    for (node = 1; node <= 2; node++)
        for (gpu = 0; gpu < 8; gpu++) {
            labels = sprintf("gpu=\"%d\",UUID=\"GPU-%d%d\",modelName=\"NVIDIA H200\",Hostname=\"gpu-%d\",instance=\"gpu-%d:9400\"", gpu, node, gpu, node, node)
            value = node == 2 && gpu >= 6 ? idle : busy
            if (type == "counter") counter(name, labels, value)
            else gauge(name, labels, value)
        }
}

function replica(i,    labels, mine) {
    labels = sprintf("model_name=\"meta-llama/Llama-3.1-70B-FP8\",engine=\"0\",instance=\"serve-%d:8000\"", i)
    return labels
}

function serving(    i, mine, tpot) {
    mine = rate / 4
    tpot = "0.01 0.025 0.05 0.075 0.1 0.15 0.2 0.3 0.5"
    for (i = 1; i <= 4; i++) served[i] = replica(i)
    head("vllm:request_success", "counter")
    for (i = 1; i <= 4; i++) {
        surge("vllm:request_success_total", served[i] ",finished_reason=\"stop\"", mine * 0.9, 0.3)
        surge("vllm:request_success_total", served[i] ",finished_reason=\"length\"", mine * 0.1, 0.3)
    }
    head("vllm:prompt_tokens", "counter")
    for (i = 1; i <= 4; i++) surge("vllm:prompt_tokens_total", served[i], mine * 2100, 0.3)
    head("vllm:generation_tokens", "counter")
    for (i = 1; i <= 4; i++) surge("vllm:generation_tokens_total", served[i], mine * 390, 0.3)
    head("vllm:num_requests_running", "gauge")
    for (i = 1; i <= 4; i++) wave("vllm:num_requests_running", served[i], 9, 3)
    head("vllm:num_requests_waiting", "gauge")
    for (i = 1; i <= 4; i++) gauge("vllm:num_requests_waiting", served[i], 0)
    # All print the old name of the share of the cache, the newer two both.
    head("vllm:gpu_cache_usage_perc", "gauge")
    for (i = 1; i <= 4; i++) gauge("vllm:gpu_cache_usage_perc", served[i], 0.35)
    head("vllm:kv_cache_usage_perc", "gauge")
    for (i = 1; i <= 2; i++) gauge("vllm:kv_cache_usage_perc", served[i], 0.35)
    head("vllm:cache_config_info", "gauge")
    for (i = 1; i <= 4; i++)
        gauge("vllm:cache_config_info", served[i] ",block_size=\"16\",num_gpu_blocks=\"27912\"", 1)
    histogram("vllm:time_to_first_token_seconds", served[1], "0.02 0.04 0.06 0.08 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10", 0.05, 0.3 * slow, rate)
    histogram("vllm:inter_token_latency_seconds", served[1], tpot, 0.012, 0.02 * slow, mine * 390 * 2)
    histogram("vllm:time_per_output_token_seconds", served[3], tpot, 0.012, 0.02 * slow, mine * 390 * 2)
    # The transition: an engine that prints both, of which one counts.
    histogram("vllm:time_to_first_token_seconds_old", served[1], "1", 0, 1, 0)
    histogram("vllm:request_prompt_tokens", served[1], "100 200 500 1000 2000 5000 10000 20000", 50, 2100, rate)
    histogram("vllm:request_generation_tokens", served[1], "50 100 200 500 1000 2000", 20, 390, rate)
}

function sglang(    labels) {
    labels = "model_name=\"qwen/qwen2.5-7b\",tp_rank=\"0\",instance=\"code-1:30000\""
    head("sglang:num_running_reqs", "gauge"); gauge("sglang:num_running_reqs", labels, 12)
    head("sglang:num_queue_reqs", "gauge"); gauge("sglang:num_queue_reqs", labels, 1)
    head("sglang:token_usage", "gauge"); gauge("sglang:token_usage", labels, 0.71)
    head("sglang:num_requests", "counter"); counter("sglang:num_requests_total", labels, 3)
    head("sglang:prompt_tokens", "counter"); counter("sglang:prompt_tokens_total", labels, 6000)
    head("sglang:generation_tokens", "counter"); counter("sglang:generation_tokens_total", labels, 90)
    histogram("sglang:time_to_first_token_seconds", labels, "0.1 0.2 0.4 0.6 0.8 1", 0.05, 0.2, 3)
    histogram("sglang:time_per_output_token_seconds", labels, "0.002 0.005 0.01 0.02 0.03 0.05", 0.004, 0.009, 90)
}

function machines(    node, labels) {
    head("ipmi_dcmi_power_consumption_current_watts", "gauge")
    for (node = 1; node <= 2; node++)
        wave("ipmi_dcmi_power_consumption_current_watts", "instance=\"gpu-" node ":9290\"", 6200 + 200 * node, 500)
    head("ipmi_temperature_celsius", "gauge")
    for (node = 1; node <= 2; node++) {
        labels = "instance=\"gpu-" node ":9290\",id=\"1\""
        gauge("ipmi_temperature_celsius", labels ",name=\"Inlet Temp\"", 22 + 2 * node)
        gauge("ipmi_temperature_celsius", labels ",name=\"Exhaust Temp\"", 48)
    }
    head("node_cpu_seconds", "counter")
    for (node = 1; node <= 2; node++) {
        counter("node_cpu_seconds_total", "instance=\"gpu-" node ":9100\",cpu=\"0\",mode=\"idle\"", 0.9)
        counter("node_cpu_seconds_total", "instance=\"gpu-" node ":9100\",cpu=\"0\",mode=\"user\"", 0.1)
    }
    head("node_infiniband_port_data_transmitted_bytes", "counter")
    counter("node_infiniband_port_data_transmitted_bytes_total", "instance=\"gpu-1:9100\",device=\"mlx5_0\",port=\"1\"", 2e9)
    head("node_infiniband_port_data_received_bytes", "counter")
    counter("node_infiniband_port_data_received_bytes_total", "instance=\"gpu-1:9100\",device=\"mlx5_0\",port=\"1\"", 1e9)
}

# Names of older exporters, which OpenMetrics would not let a counter have.
function old_machines() {
    head("node_infiniband_port_data_transmitted_bytes", "unknown")
    counter("node_infiniband_port_data_transmitted_bytes", "instance=\"gpu-2:9100\",device=\"mlx5_0\",port=\"1\"", 4e9)
}

BEGIN {
    every = 30
    start = end - span
    blank = "9223372036854775794"
    if (old) { old_machines(); print "# EOF"; exit }
    gpus("DCGM_FI_DEV_GPU_UTIL", "gauge", 92, 1)
    gpus("DCGM_FI_DEV_POWER_USAGE", "gauge", 560, 118)
    gpus("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter", 560000, 118000)
    gpus("DCGM_FI_DEV_FB_USED", "gauge", 130000, 130000)
    gpus("DCGM_FI_DEV_FB_FREE", "gauge", 13000, 13000)
    gpus("DCGM_FI_DEV_SM_CLOCK", "gauge", 1830, 345)
    gpus("DCGM_FI_DEV_GPU_TEMP", "gauge", blank, blank)
    gpus("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gauge", 0.31, 0)
    gpus("DCGM_FI_PROF_DRAM_ACTIVE", "gauge", 0.62, blank)
    serving()
    sglang()
    machines()
    print "# EOF"
}
