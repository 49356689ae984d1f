/*
 * The figures that can be read from a Prometheus server, one row each: what exporters call them,
 * old names and new, the query, the unit, and what to switch on where they are missing. Values
 * outside least..most are what exporters print for "not known", and never enter a mean.
 */
#include "import/telemetry.h"

#define MEBIBYTE  1048576 /* definition */
#define MEGAHERTZ 1e6     /* definition */
#define PERCENT   0.01    /* definition */
#define MILLI     1e-3    /* definition */
/* Beyond what one GPU, machine, port or service can do: only blanks lie there. */
#define BYTES_PER_S_MOST 1e13
#define GPU_WATTS_MOST   5000
#define NODE_WATTS_MOST  1e6
#define RATE_MOST        1e9

#define SERVE_ADVICE                                                                               \
    "scrape /metrics of the engine (vllm serve has it on; sglang needs --enable-metrics)"
#define DCGM_ADVICE(row) "enable the row " row " in the collectors file of dcgm-exporter"
#define PROFILE_ADVICE(row)                                                                        \
    DCGM_ADVICE(row) " (profiling fields need dcp-metrics-included.csv, or the row added)"
#define POWER_ADVICE                                                                               \
    "scrape ipmi_exporter with the dcmi collector (ipmi_dcmi_power_consumption_current_watts), "   \
    "or "                                                                                          \
    "an exporter of Redfish"
#define LINK_ADVICE                                                                                \
    "run node_exporter with --collector.infiniband (on by default) on machines with InfiniBand"

#define SERVICE(name) .id = name, .scope = GP_TELEMETRY_SERVICE, .enable = SERVE_ADVICE
#define DEVICE(name)  .id = name, .scope = GP_TELEMETRY_DEVICE
#define MACHINE(name) .id = name, .scope = GP_TELEMETRY_MACHINE
#define LINK(name)    .id = name, .scope = GP_TELEMETRY_LINK
#define RATIO         .dim = GP_DIM_FRACTION, .factor = 1, .least = 0, .most = 1
#define RATE          .dim = GP_DIM_PER_S, .factor = 1, .least = 0, .most = RATE_MOST
#define COUNT         .dim = GP_DIM_COUNT, .factor = 1, .least = 0, .most = RATE_MOST
#define SECONDS       .dim = GP_DIM_TIME, .factor = 1, .least = 0, .most = RATE_MOST
#define GPU_WATTS     .dim = GP_DIM_POWER, .factor = 1, .least = 1, .most = GPU_WATTS_MOST
#define NODE_WATTS    .dim = GP_DIM_POWER, .factor = 1, .least = 1, .most = NODE_WATTS_MOST
#define MEMORY        .dim = GP_DIM_BYTES, .factor = MEBIBYTE, .least = 0, .most = 1e7
#define FLOW          .dim = GP_DIM_BYTES_PER_S, .factor = 1, .least = 0, .most = BYTES_PER_S_MOST
#define CELSIUS       .dim = GP_DIM_TEMPERATURE, .factor = 1, .least = -20, .most = 150
#define MEAN          "avg by ($B) ($X)"
#define SUM           "sum by ($B) ($X)"
#define MOST          "max by ($B) ($X)"
#define NUMBER        "count by ($B) ($X)"
#define SUM_RATE      "sum by ($B) ($R())"
#define MEAN_RATE     "avg by ($B) ($R())"
#define BUCKETS       .shape = GP_TELEMETRY_BUCKETS
#define WHOLE         .shape = GP_TELEMETRY_WHOLE
#define OPTIONAL      .optional = true
#define NODE_POWER_NAMES                                                                           \
    "ipmi_dcmi_power_consumption_current_watts ipmi_dcmi_power_consumption_watts "                 \
    "redfish_chassis_power_average_consumed_watts idrac_power_control_consumed_watts"

/* clang-format off: rows of a table */
const gp_telemetry_metric gp_telemetry_metrics[] = {
    {SERVICE("requestRate"), RATE, .names = "vllm:request_success_total sglang:num_requests_total",
     .query = SUM_RATE, .help = "Requests that were answered, per second."},
    {SERVICE("inputTokens"), WHOLE, COUNT,
     .names = "vllm:prompt_tokens_total sglang:prompt_tokens_total",
     .query = "sum by ($B) ($I()) / (sum by ($B) (increase(vllm:request_success_total{$S}[$W]) or "
              "increase(sglang:num_requests_total{$S}[$W])) > 0)",
     .help = "Prompt tokens of a request, mean."},
    {SERVICE("outputTokens"), WHOLE, COUNT,
     .names = "vllm:generation_tokens_total sglang:generation_tokens_total",
     .query = "sum by ($B) ($I()) / (sum by ($B) (increase(vllm:request_success_total{$S}[$W]) or "
              "increase(sglang:num_requests_total{$S}[$W])) > 0)",
     .help = "Generated tokens of a request, mean."},
    {SERVICE("inputTokenSpread"), BUCKETS, COUNT, OPTIONAL,
     .names = "vllm:request_prompt_tokens sglang:prompt_tokens_histogram",
     .help = "Prompt tokens of a request, percentiles."},
    {SERVICE("outputTokenSpread"), BUCKETS, COUNT, OPTIONAL,
     .names = "vllm:request_generation_tokens sglang:generation_tokens_histogram",
     .help = "Generated tokens of a request, percentiles."},
    {SERVICE("ttft"), BUCKETS, SECONDS,
     .names = "vllm:time_to_first_token_seconds sglang:time_to_first_token_seconds",
     .help = "Time to the first token."},
    {SERVICE("tpot"), BUCKETS, SECONDS,
     .names = "vllm:inter_token_latency_seconds vllm:time_per_output_token_seconds "
              "sglang:inter_token_latency_seconds sglang:time_per_output_token_seconds",
     .help = "Time between output tokens."},
    {SERVICE("e2e"), BUCKETS, SECONDS, OPTIONAL,
     .names = "vllm:e2e_request_latency_seconds sglang:e2e_request_latency_seconds",
     .help = "Time of a whole request."},
    {SERVICE("inputRate"), RATE, .names = "vllm:prompt_tokens_total sglang:prompt_tokens_total",
     .query = SUM_RATE, .help = "Prompt tokens per second."},
    {SERVICE("outputRate"), RATE,
     .names = "vllm:generation_tokens_total sglang:generation_tokens_total", .query = SUM_RATE,
     .help = "Generated tokens per second."},
    {SERVICE("kvUse"), RATIO,
     .names = "vllm:kv_cache_usage_perc vllm:gpu_cache_usage_perc sglang:token_usage",
     .query = MEAN, .help = "Share of the KV cache in use, mean of the replicas."},
    {SERVICE("kvPool"), .shape = GP_TELEMETRY_POOL, .dim = GP_DIM_COUNT, .factor = 1, .least = 1,
     .most = 1e12, .names = "vllm:cache_config_info sglang:max_total_num_tokens",
     .query = "max by (model_name, block_size, num_gpu_blocks) ({__name__=~\"$N\",$S})",
     .help = "Tokens that the KV cache of a replica holds."},
    {SERVICE("running"), COUNT, .names = "vllm:num_requests_running sglang:num_running_reqs",
     .query = SUM, .help = "Requests that are worked on, all replicas."},
    {SERVICE("waiting"), COUNT, .names = "vllm:num_requests_waiting sglang:num_queue_reqs",
     .query = SUM, .help = "Requests that wait, all replicas."},
    {SERVICE("replicas"), COUNT, .names = "vllm:num_requests_running sglang:num_running_reqs",
     .query = NUMBER, .help = "Engines that report."},
    {SERVICE("preemptions"), RATE, OPTIONAL, .names = "vllm:num_preemptions_total",
     .query = SUM_RATE, .help = "Requests that were put back for want of cache, per second."},
    {SERVICE("prefixHits"), WHOLE, RATIO, OPTIONAL,
     .names = "vllm:prefix_cache_hits_total sglang:cache_hit_rate",
     .query = "sum by ($B) (increase(vllm:prefix_cache_hits_total{$S}[$W])) / "
              "(sum by ($B) (increase(vllm:prefix_cache_queries_total{$S}[$W])) > 0) or "
              "avg by ($B) (avg_over_time(sglang:cache_hit_rate{$S}[$W]))",
     .help = "Share of prompt tokens found in the prefix cache."},
    {DEVICE("gpus"), .dim = GP_DIM_COUNT, .factor = 1, .least = 0, .most = 1e7,
     .names = "DCGM_FI_DEV_GPU_UTIL DCGM_FI_DEV_POWER_USAGE", .query = NUMBER,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_GPU_UTIL"), .help = "GPUs that report."},
    {DEVICE("gpuUtilization"), .dim = GP_DIM_FRACTION, .factor = PERCENT, .least = 0, .most = 100,
     .names = "DCGM_FI_DEV_GPU_UTIL", .query = MEAN, .enable = DCGM_ADVICE("DCGM_FI_DEV_GPU_UTIL"),
     .help = "Share of the time in which anything ran: a duty cycle, no efficiency."},
    {DEVICE("engineActive"), RATIO, OPTIONAL, .names = "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
     .query = MEAN, .enable = PROFILE_ADVICE("DCGM_FI_PROF_GR_ENGINE_ACTIVE"),
     .help = "Share of the time in which kernels ran."},
    {DEVICE("smActive"), RATIO, OPTIONAL, .names = "DCGM_FI_PROF_SM_ACTIVE", .query = MEAN,
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_SM_ACTIVE"),
     .help = "Share of multiprocessors with work."},
    {DEVICE("tensorActive"), RATIO, .names = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", .query = MEAN,
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"),
     .help = "Share of cycles in which tensor cores worked: no FLOP/s utilization is above it."},
    {DEVICE("tensorActiveLoad"), RATIO, OPTIONAL, .names = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
     .query = "avg by ($B) ($X and (DCGM_FI_DEV_GPU_UTIL{$S} >= 50 <= 100))",
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"),
     .help = "The same of GPUs that are busy half of the time or more."},
    {DEVICE("hbmActive"), RATIO, .names = "DCGM_FI_PROF_DRAM_ACTIVE", .query = MEAN,
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_DRAM_ACTIVE"),
     .help = "Share of cycles in which the memory interface worked."},
    {DEVICE("gpuPower"), GPU_WATTS, .names = "DCGM_FI_DEV_POWER_USAGE", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_POWER_USAGE"), .help = "Power of a GPU, mean."},
    {DEVICE("gpuPowerLoad"), GPU_WATTS, .names = "DCGM_FI_DEV_POWER_USAGE",
     .query = "avg by ($B) ($X and (DCGM_FI_DEV_GPU_UTIL{$S} >= 50 <= 100))",
     .enable = DCGM_ADVICE("DCGM_FI_DEV_POWER_USAGE"),
     .help = "Power of a GPU that is busy half of the time or more."},
    {DEVICE("gpuPowerIdle"), GPU_WATTS, .names = "DCGM_FI_DEV_POWER_USAGE",
     .query = "avg by ($B) ($X and (DCGM_FI_DEV_GPU_UTIL{$S} >= 0 < 5))",
     .enable = DCGM_ADVICE("DCGM_FI_DEV_POWER_USAGE"),
     .help = "Power of a GPU that is busy less than a twentieth of the time."},
    {DEVICE("gpuPowerRest"), GPU_WATTS, OPTIONAL, .names = "DCGM_FI_DEV_POWER_USAGE",
     .query = "avg by ($B) ($X and (DCGM_FI_DEV_GPU_UTIL{$S} >= 0 < 5) and "
              "(DCGM_FI_DEV_FB_USED{$S} >= 8192 < 1e7))",
     .enable = DCGM_ADVICE("DCGM_FI_DEV_POWER_USAGE"),
     .help = "Power of a GPU that holds 8 GiB or more and is busy less than a twentieth of the "
             "time: a loaded engine at rest."},
    {DEVICE("gpuEnergyPower"), .dim = GP_DIM_POWER, .factor = MILLI, .least = 1e3, .most = 5e6,
     OPTIONAL, .names = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
     .query =
         "avg by ($B) (($R() and DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{$S} < 9e18) >= $L <= $M)",
     .enable = DCGM_ADVICE("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"),
     .help = "Power of a GPU by its energy counter."},
    {DEVICE("memoryUsed"), MEMORY, .names = "DCGM_FI_DEV_FB_USED", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_FB_USED"), .help = "Memory in use, mean of the GPUs."},
    {DEVICE("memoryFree"), MEMORY, .names = "DCGM_FI_DEV_FB_FREE", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_FB_FREE"), .help = "Memory that is free."},
    {DEVICE("memoryReserved"), MEMORY, OPTIONAL, .names = "DCGM_FI_DEV_FB_RESERVED", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_FB_RESERVED"), .help = "Memory that the driver keeps."},
    {DEVICE("smClock"), .dim = GP_DIM_PER_S, .factor = MEGAHERTZ, .least = 1, .most = 1e4,
     .names = "DCGM_FI_DEV_SM_CLOCK", .query = MEAN, .enable = DCGM_ADVICE("DCGM_FI_DEV_SM_CLOCK"),
     .help = "Clock of the multiprocessors."},
    {DEVICE("gpuTemperature"), CELSIUS, .names = "DCGM_FI_DEV_GPU_TEMP", .query = MOST,
     .enable = DCGM_ADVICE("DCGM_FI_DEV_GPU_TEMP"), .help = "Temperature of the hottest GPU."},
    {DEVICE("pcieSent"), FLOW, OPTIONAL, .names = "DCGM_FI_PROF_PCIE_TX_BYTES", .query = MEAN,
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_PCIE_TX_BYTES"),
     .help = "Sent over PCIe by a GPU, with protocol headers."},
    {DEVICE("pcieReceived"), FLOW, OPTIONAL, .names = "DCGM_FI_PROF_PCIE_RX_BYTES", .query = MEAN,
     .enable = PROFILE_ADVICE("DCGM_FI_PROF_PCIE_RX_BYTES"),
     .help = "Received over PCIe by a GPU, with protocol headers."},
    {DEVICE("nvlinkSent"), FLOW, .names = "DCGM_FI_PROF_NVLINK_TX_BYTES", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_PROF_NVLINK_TX_BYTES") " (no file that comes with it has it)",
     .help = "Sent over NVLink by a GPU, without protocol headers."},
    {DEVICE("nvlinkReceived"), FLOW, .names = "DCGM_FI_PROF_NVLINK_RX_BYTES", .query = MEAN,
     .enable = DCGM_ADVICE("DCGM_FI_PROF_NVLINK_RX_BYTES") " (no file that comes with it has it)",
     .help = "Received over NVLink by a GPU, without protocol headers."},
    {MACHINE("nodePower"), NODE_WATTS, .names = NODE_POWER_NAMES, .query = MEAN,
     .enable = POWER_ADVICE, .help = "Power of a machine, mean."},
    {MACHINE("nodePowerMost"), NODE_WATTS, OPTIONAL, .names = NODE_POWER_NAMES, .query = MOST,
     .enable = POWER_ADVICE, .help = "Power of the machine that draws most."},
    {MACHINE("nodes"), .dim = GP_DIM_COUNT, .factor = 1, .least = 1, .most = NODE_WATTS_MOST,
     OPTIONAL, .names = NODE_POWER_NAMES, .query = NUMBER, .enable = POWER_ADVICE,
     .help = "Machines whose power is known."},
    {MACHINE("inletTemperature"), CELSIUS,
     .names = "ipmi_temperature_celsius redfish_chassis_temperature_celsius",
     .query = "max by ($B) ((ipmi_temperature_celsius{name=~\"(?i).*inlet.*\",$S} or "
              "redfish_chassis_temperature_celsius{sensor=~\"(?i).*(inlet|intake).*\",$S}) "
              ">= $L <= $M)",
     .enable = "scrape ipmi_exporter with the ipmi collector (ipmi_temperature_celsius), or an "
               "exporter of Redfish",
     .help = "Temperature of the air at the warmest inlet."},
    {MACHINE("hostCpu"), RATIO, .names = "node_cpu_seconds_total node_cpu",
     .query = "1 - avg by ($B) (rate(node_cpu_seconds_total{mode=\"idle\",$S}[$R]) or "
              "rate(node_cpu{mode=\"idle\",$S}[$R]))",
     .enable = "run node_exporter on the machines (node_cpu_seconds_total)",
     .help = "Share of the host's processors in use."},
    {MACHINE("hostMemory"), RATIO,
     .names = "node_memory_MemAvailable_bytes node_memory_MemAvailable",
     .query = "avg by ($B) (1 - node_memory_MemAvailable_bytes{$S} / "
              "node_memory_MemTotal_bytes{$S} or "
              "1 - node_memory_MemAvailable{$S} / node_memory_MemTotal{$S})",
     .enable = "run node_exporter on the machines (node_memory_MemAvailable_bytes)",
     .help = "Share of the host's memory in use."},
    {LINK("fabricSent"), FLOW,
     .names = "node_infiniband_port_data_transmitted_bytes_total "
              "node_infiniband_port_data_transmitted_bytes",
     .query = MEAN_RATE, .enable = LINK_ADVICE, .help = "Sent by an InfiniBand port, mean."},
    {LINK("fabricReceived"), FLOW,
     .names = "node_infiniband_port_data_received_bytes_total "
              "node_infiniband_port_data_received_bytes",
     .query = MEAN_RATE, .enable = LINK_ADVICE, .help = "Received by an InfiniBand port, mean."},
    {LINK("fabricSentMost"), FLOW, OPTIONAL,
     .names = "node_infiniband_port_data_transmitted_bytes_total "
              "node_infiniband_port_data_transmitted_bytes",
     .query = "max by ($B) ($R())", .enable = LINK_ADVICE,
     .help = "Sent by the busiest InfiniBand port."},
    {LINK("fabricErrors"), RATE, OPTIONAL, .names = "node_infiniband_symbol_error_total",
     .query = SUM_RATE, .enable = LINK_ADVICE,
     .help = "Symbol errors of InfiniBand ports, per second, all ports."},
    {LINK("fabricDowns"), RATE, OPTIONAL, .names = "node_infiniband_link_downed_total",
     .query = SUM_RATE, .enable = LINK_ADVICE,
     .help = "InfiniBand ports that lost their link, per second, all ports."},
    {LINK("ethernetSent"), FLOW, OPTIONAL,
     .names = "node_network_transmit_bytes_total node_network_transmit_bytes",
     .query = "max by ($B) (rate(node_network_transmit_bytes_total{device!~\"lo|veth.*|docker.*|"
              "cali.*|ib.*\",$S}[$R]) or rate(node_network_transmit_bytes{device!~\"lo|veth.*|"
              "docker.*|cali.*|ib.*\",$S}[$R]))",
     .enable = "run node_exporter on the machines (node_network_transmit_bytes_total)",
     .help = "Sent by the busiest Ethernet port."},
};
/* clang-format on */
const size_t gp_telemetry_metric_count =
    sizeof gp_telemetry_metrics / sizeof gp_telemetry_metrics[0];

const char *gp_telemetry_scope_name(gp_telemetry_scope scope) {
    static const char *const names[] = {
        [GP_TELEMETRY_SERVICE] = "service",
        [GP_TELEMETRY_DEVICE] = "gpu",
        [GP_TELEMETRY_MACHINE] = "machine",
        [GP_TELEMETRY_LINK] = "link",
    };
    return names[scope];
}
