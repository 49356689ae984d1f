/*
 * The column tables of published runs. A file says what it is by the columns that only its kind
 * has.
 */
#include "lab/lab.h"

#define TEXT(name_, member)                                                                        \
    { .name = name_, .kind = GP_COLUMN_TEXT, .offset = offsetof(gp_lab_row, member) }
#define REAL(name_, member)                                                                        \
    { .name = name_, .kind = GP_COLUMN_REAL, .offset = offsetof(gp_lab_row, member) }
#define WHOLE(name_, member)                                                                       \
    { .name = name_, .kind = GP_COLUMN_WHOLE, .offset = offsetof(gp_lab_row, member) }
#define NEEDED(name_, member)                                                                      \
    {                                                                                              \
        .name = name_, .kind = GP_COLUMN_TEXT, .offset = offsetof(gp_lab_row, member),             \
        .required = true                                                                           \
    }

static const gp_column fabric_columns[] = {
    NEEDED("id", run.id),
    NEEDED("ra", design),
    TEXT("strict", run.strict),
    WHOLE("nodes", run.nodes),
    WHOLE("gpus", run.gpus),
    WHOLE("rails", rails),
    WHOLE("planes", planes),
    WHOLE("radix", radix),
    WHOLE("unit_nodes", unit_nodes),
    WHOLE("managers", managers),
    WHOLE("leaf", leaf),
    WHOLE("spine", spine),
    WHOLE("core", core),
    WHOLE("node_leaf_cables", node_leaf),
    WHOLE("leaf_spine_cables", leaf_spine),
    WHOLE("spine_core_cables", spine_core),
};

static const gp_column serving_ep_columns[] = {
    NEEDED("id", run.id),
    NEEDED("model", run.model),
    NEEDED("gpu", run.gpu),
    NEEDED("pool", pool),
    TEXT("engine", run.engine),
    TEXT("attn_tp", attention_tp),
    TEXT("attn_dp", attention_dp),
    TEXT("moe_ep", expert_parts),
    TEXT("redundant_experts", copies),
    TEXT("batch_per_gpu", batch_text),
    TEXT("isl", input_length),
    TEXT("osl", output_length),
    TEXT("ctx_at_decode", context_text),
    TEXT("kv_precision", run.kv_precision),
    TEXT("weight_precision", run.precision),
    TEXT("spec", run.spec_decode),
    TEXT("prefix_reuse", prefix_text),
    TEXT("gpus_in_pool", pool_gpus),
    TEXT("pp", stages),
    TEXT("concurrency_total", concurrency),
    TEXT("accept_tok_per_step", accepted),
    TEXT("in_tok_s_per_gpu", input_rate),
    TEXT("out_tok_s_per_gpu", pool_rate),
    TEXT("ttft_ms", pool_ttft),
    TEXT("tpot_ms", pool_tpot),
    TEXT("note", run.notes),
    TEXT("nodes_or_workers", workers),
    TEXT("total_gpus", total_gpus),
    TEXT("total_tok_s_per_gpu", both_rate),
    TEXT("out_tok_s_total", sum_rate),
    TEXT("tok_s_user", user_rate),
};

static const gp_column whole_columns[] = {
    NEEDED("id", run.id),
    NEEDED("model", run.model),
    NEEDED("gpu", run.gpu),
    TEXT("kind", run.kind),
    TEXT("precision", run.precision),
    TEXT("optimizer", run.optimizer),
    TEXT("zero", run.zero),
    TEXT("recompute", run.recompute),
    TEXT("framework", run.framework),
    TEXT("framework_version", run.version),
    TEXT("source", run.source),
    TEXT("encoder_decoder", whole.encoder_decoder),
    TEXT("attention_kernel", whole.attention_kernel),
    TEXT("ffn_gated", whole.gated),
    TEXT("tied_embeddings", whole.tied),
    TEXT("hours_kind", whole.hours_kind),
    WHOLE("layers", run.layers),
    WHOLE("hidden", run.hidden),
    WHOLE("heads", run.heads),
    WHOLE("kv_heads", run.kv_heads),
    WHOLE("head_dim", whole.head_dim),
    WHOLE("ffn_hidden", run.ffn),
    WHOLE("vocab", run.vocab),
    WHOLE("num_experts", run.experts),
    WHOLE("topk", run.top_k),
    WHOLE("shared_experts", whole.shared_experts),
    WHOLE("expert_ffn_hidden", whole.expert_ffn),
    WHOLE("dense_layers", whole.dense_layers),
    WHOLE("moe_every", whole.moe_every),
    WHOLE("shared_ffn_hidden", whole.shared_ffn),
    WHOLE("window", whole.window),
    WHOLE("window_layers", whole.window_layers),
    WHOLE("encoder_layers", whole.encoder_layers),
    WHOLE("mla_q_lora", whole.mla_q_lora),
    WHOLE("mla_kv_lora", whole.mla_kv_lora),
    WHOLE("mla_nope", whole.mla_nope),
    WHOLE("mla_rope", whole.mla_rope),
    WHOLE("mla_value", whole.mla_value),
    WHOLE("mamba_layers", whole.mamba_layers),
    WHOLE("mamba_heads", whole.mamba_heads),
    WHOLE("mamba_head_dim", whole.mamba_head_dim),
    WHOLE("mamba_state", whole.mamba_state),
    WHOLE("mamba_groups", whole.mamba_groups),
    WHOLE("mamba_conv", whole.mamba_conv),
    WHOLE("gpus", run.gpus),
    WHOLE("gpus_per_node", run.gpus_per_node),
    REAL("network_gbps_per_gpu", whole.network_gbps),
    REAL("tokens_b", whole.tokens_b),
    WHOLE("seq_len", run.sequence_length),
    WHOLE("global_batch_tokens", whole.batch_tokens),
    WHOLE("tp", run.tp),
    WHOLE("pp", run.pp),
    WHOLE("vp", run.vpp),
    WHOLE("cp", run.cp),
    WHOLE("ep", run.ep),
    WHOLE("dp", run.dp),
    WHOLE("micro_batch", run.micro_batch),
    WHOLE("shard_group", whole.shard_group),
    REAL("gpu_hours", whole.gpu_hours),
    REAL("wall_days", whole.wall_days),
};

static const gp_column deployment_columns[] = {
    NEEDED("id", run.id),
    NEEDED("model", run.model),
    NEEDED("gpu", run.gpu),
    NEEDED("pool", pool),
    TEXT("weights_precision", run.precision),
    TEXT("kv_precision", run.kv_precision),
    TEXT("compute_precision", served.compute),
    TEXT("engine", run.engine),
    TEXT("engine_version", run.version),
    TEXT("speculative", run.spec_decode),
    TEXT("mtp_accept", accepted),
    TEXT("rate_kind", served.rate_kind),
    TEXT("slo_stat", served.slo_stat),
    TEXT("source", run.source),
    REAL("params_b", run.params_b),
    REAL("active_params_b", run.active_b),
    WHOLE("gpus", run.gpus),
    WHOLE("gpus_per_node", run.gpus_per_node),
    REAL("nic_gbps_per_gpu", served.network_gbps),
    WHOLE("attention_tp", served.tp),
    WHOLE("attention_dp", served.dp),
    WHOLE("moe_ep", served.ep),
    WHOLE("pp", served.stages),
    REAL("input_len_mean", served.input),
    REAL("output_len_mean", served.output),
    REAL("context_at_decode", served.context),
    REAL("prefix_hit_fraction", served.prefix_hit),
    REAL("request_rate_per_s", served.requests_per_s),
    REAL("input_tokens_per_s", served.input_per_s),
    REAL("output_tokens_per_s", served.output_per_s),
    REAL("output_tokens_per_s_per_gpu", served.output_per_gpu_s),
    REAL("ttft_ms", served.ttft_ms),
    REAL("tpot_ms", served.tpot_ms),
    REAL("slo_ttft_ms", served.slo_ttft_ms),
    REAL("slo_tpot_ms", served.slo_tpot_ms),
};

static const gp_column cluster_columns[] = {
    NEEDED("id", run.id),
    NEEDED("gpu", run.gpu),
    TEXT("system", site.system),
    TEXT("node_maker_model", site.maker_model),
    TEXT("cooling", site.cooling),
    TEXT("topology", site.topology),
    TEXT("switch_model", site.switch_model),
    TEXT("power_state", site.state),
    TEXT("grade", site.grade),
    WHOLE("gpus", run.gpus),
    WHOLE("nodes", run.nodes),
    WHOLE("gpus_per_node", run.gpus_per_node),
    REAL("network_gbps_per_gpu", site.network_gbps),
    REAL("network_link_gbps", site.link_gbps),
    REAL("gpu_cap_w", site.cap_w),
    REAL("pue", site.pue),
    REAL("it_power_kw", site.it_kw),
    REAL("facility_power_kw", site.facility_kw),
    WHOLE("leaf_switches", site.leaf),
    WHOLE("spine_switches", site.spine),
    WHOLE("core_switches", site.core),
    WHOLE("switches_total", site.switches),
    WHOLE("racks", site.racks),
};

static const gp_column machine_columns[] = {
    NEEDED("id", run.id),
    TEXT("gpu", run.gpu),
    TEXT("node_model", site.node_model),
    TEXT("cpu", site.cpu),
    TEXT("cooling", site.cooling),
    TEXT("state_class", site.state_class),
    TEXT("scope", site.scope),
    WHOLE("gpus", run.gpus),
    REAL("gpu_tdp_w", site.tdp_w),
    REAL("watts_node", site.watts),
};

static const gp_column exchange_columns[] = {
    NEEDED("id", run.id),          NEEDED("gpu", run.gpu),
    NEEDED("op", run.collective),  TEXT("library", run.engine),
    TEXT("version", run.version),  TEXT("fabric", run.inter_node_link),
    TEXT("mode", run.mode),        TEXT("dtype", run.precision),
    TEXT("bw_kind", bandwidth),    TEXT("note", run.notes),
    TEXT("source", run.source),    WHOLE("ep", run.ranks),
    WHOLE("experts", run.experts), WHOLE("tokens_per_rank", run.micro_batch),
    WHOLE("hidden", run.hidden),   WHOLE("topk", run.top_k),
    REAL("time_us", run.time_us),  REAL("gbps", run.bus_gb_per_s),
};

static const gp_column vision_columns[] = {
    NEEDED("model", run.id),
    TEXT("model", run.model),
    TEXT("patch", patch),
    TEXT("merge", merge),
    TEXT("tile_rule", tile_rule),
    TEXT("min_tokens", least_tokens),
    TEXT("max_tokens", most_tokens),
    TEXT("source", run.source),
    TEXT("notes", run.notes),
    TEXT("tok_336", image_tokens[0]),
    TEXT("tok_512", image_tokens[1]),
    TEXT("tok_1024", image_tokens[2]),
    TEXT("tok_2048", image_tokens[3]),
};

static const gp_column sharing_columns[] = {
    NEEDED("id", run.id),
    NEEDED("kind", run.kind),
    NEEDED("gpu", run.gpu),
    NEEDED("profile_or_case", pool),
    TEXT("max_instances", instances),
    TEXT("memory_gb", part_memory),
    TEXT("memory_fraction", memory_share),
    TEXT("sm_fraction", compute_share),
    TEXT("value", part_value),
    TEXT("source", run.source),
    TEXT("notes", run.notes),
};

static const gp_column other_columns[] = {
    NEEDED("id", run.id),
    NEEDED("kind", run.kind),
    NEEDED("model", run.model),
    NEEDED("gpu", run.gpu),
    TEXT("gpus", pool_gpus),
    TEXT("precision", run.precision),
    TEXT("engine", run.engine),
    TEXT("batch_or_concurrency", concurrency),
    TEXT("input", input_length),
    TEXT("output", output_length),
    TEXT("throughput_unit", unit),
    TEXT("source", run.source),
    TEXT("notes", run.notes),
    REAL("throughput", run.tokens_per_s),
    REAL("latency_ms", run.ttft_ms),
    REAL("memory_gib", run.peak_gib),
};

#define TABLE(name_, columns_, score_)                                                             \
    .name = (name_), .columns = (columns_),                                                        \
    .column_count = sizeof(columns_) / sizeof(columns_)[0], .size = sizeof(gp_lab_row),            \
    .score = (score_)

static const gp_run_table published[] = {
    {.tell = {"ra", "leaf", "spine"}, TABLE("fabric", fabric_columns, gp_lab_score_fabric)},
    {.tell = {"gpus_in_pool", "attn_dp", "moe_ep"},
     TABLE("serving_ep", serving_ep_columns, gp_lab_score_pool)},
    {.tell = {"gpu_hours", "tokens_b", "wall_days"},
     TABLE("runs", whole_columns, gp_lab_score_whole)},
    {.tell = {"context_at_decode", "rate_kind", "slo_tpot_ms"},
     TABLE("deployments", deployment_columns, gp_lab_score_deployment)},
    {.tell = {"it_power_kw", "power_state", "leaf_switches"},
     TABLE("clusters", cluster_columns, gp_lab_score_cluster)},
    {.tell = {"watts_node", "state_class", "scope"},
     TABLE("machine_power", machine_columns, gp_lab_score_machine)},
    {.tell = {"tokens_per_rank", "topk", "dtype"},
     TABLE("exchanges", exchange_columns, gp_lab_score_exchange)},
    {.tell = {"tile_rule", "tok_336", "tok_1024"},
     TABLE("vision_tokens", vision_columns, gp_lab_score_vision)},
    {.tell = {"throughput_unit", "latency_stat", "memory_gib"},
     TABLE("other_kinds", other_columns, gp_lab_score_other)},
    {.tell = {"profile_or_case", "max_instances", "sm_fraction"},
     TABLE("gpu_sharing", sharing_columns, gp_lab_score_sharing)},
};
enum { PUBLISHED = sizeof published / sizeof published[0] };

/* A kind of users' tables whose published rows are read by the lab. */
static const gp_run_table *read_here(gp_arena *arena, gp_runs_kind kind, gp_run_score *score) {
    gp_run_table *table = GP_NEW(arena, gp_run_table);
    *table = *gp_run_tables[kind];
    table->score = score;
    return table;
}

const gp_run_table *const *gp_lab_tables(gp_arena *arena) {
    const gp_run_table **all =
        GP_NEW_ARRAY(arena, const gp_run_table *, GP_RUNS_KIND_COUNT + PUBLISHED + 1);
    for (size_t i = 0; i < GP_RUNS_KIND_COUNT + PUBLISHED; i++)
        all[i] = i < GP_RUNS_KIND_COUNT ? gp_run_tables[i] : &published[i - GP_RUNS_KIND_COUNT];
    all[GP_RUNS_MEMORY] = read_here(arena, GP_RUNS_MEMORY, gp_lab_score_memory);
    all[GP_RUNS_SERVING_POWER] = read_here(arena, GP_RUNS_SERVING_POWER, gp_lab_score_power);
    return all;
}
