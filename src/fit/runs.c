/*
 * The column tables of the files of runs, and which header means which. A file says what it is by
 * the columns that only its kind has.
 */
#include "fit/runs.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"

#define TEXT(name_, member)                                                                        \
    { .name = name_, .kind = GP_COLUMN_TEXT, .offset = offsetof(gp_run_row, member) }
#define REAL(name_, member)                                                                        \
    { .name = name_, .kind = GP_COLUMN_REAL, .offset = offsetof(gp_run_row, member) }
#define WHOLE(name_, member)                                                                       \
    { .name = name_, .kind = GP_COLUMN_WHOLE, .offset = offsetof(gp_run_row, member) }
#define NEEDED(name_, member)                                                                      \
    {                                                                                              \
        .name = name_, .kind = GP_COLUMN_TEXT, .offset = offsetof(gp_run_row, member),             \
        .required = true                                                                           \
    }

static const gp_column training_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("kind", kind),
    TEXT("precision", precision),
    TEXT("strict", strict),
    TEXT("notes", notes),
    TEXT("inter_node_link", inter_node_link),
    TEXT("zero_or_fsdp", zero),
    TEXT("recompute", recompute),
    TEXT("source", source),
    TEXT("framework", framework),
    TEXT("framework_version", version),
    TEXT("packing", packing),
    TEXT("targets", targets),
    TEXT("quant", quant),
    TEXT("framework_config", framework_config),
    TEXT("attn", attn),
    REAL("params_b", params_b),
    REAL("active_params_b", active_b),
    WHOLE("layers", layers),
    WHOLE("hidden", hidden),
    WHOLE("heads", heads),
    WHOLE("kv_heads", kv_heads),
    WHOLE("ffn_hidden", ffn),
    WHOLE("vocab", vocab),
    WHOLE("num_experts", experts),
    WHOLE("topk", top_k),
    WHOLE("gpus", gpus),
    WHOLE("gpus_per_node", gpus_per_node),
    REAL("gbs_sequences", sequences),
    REAL("mbs", micro_batch),
    REAL("seq_len", sequence_length),
    WHOLE("tp", tp),
    WHOLE("pp", pp),
    WHOLE("cp", cp),
    WHOLE("vp", vpp),
    WHOLE("ep", ep),
    WHOLE("dp", dp),
    REAL("rank", rank),
    WHOLE("grad_accum", grad_accum),
    REAL("tokens_per_s_per_gpu", tokens_per_s),
    REAL("iteration_s", iteration_s),
};

static const gp_column memory_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("kind", kind),
    TEXT("precision", precision),
    TEXT("strict", strict),
    TEXT("notes", notes),
    TEXT("zero_stage_or_fsdp", zero),
    TEXT("recompute", recompute),
    TEXT("source", source),
    TEXT("engine_version", version),
    TEXT("packing", packing),
    TEXT("lora_targets", targets),
    TEXT("optimizer", optimizer),
    TEXT("offload", offload),
    TEXT("component_gib", components),
    TEXT("outcome", outcome),
    TEXT("measure", measure),
    TEXT("loss_kernel", loss_kernel),
    TEXT("peft_method", peft_method),
    REAL("params_b", params_b),
    WHOLE("gpus", gpus),
    REAL("mbs", micro_batch),
    REAL("seq_len", sequence_length),
    WHOLE("tp", tp),
    WHOLE("pp", pp),
    WHOLE("ep", ep),
    WHOLE("dp", dp),
    REAL("lora_rank", rank),
    REAL("quant_bits", quant_bits),
    REAL("usable_gib", usable_gib),
    REAL("peak_mem_gib_per_gpu", peak_gib),
    REAL("kv_cache_tokens", kv_tokens),
};

static const gp_column one_node_columns[] = {
    NEEDED("id", id),         NEEDED("gpu", gpu),    NEEDED("collective", collective),
    TEXT("strict", strict),   WHOLE("ranks", ranks), WHOLE("bytes", bytes),
    REAL("time_us", time_us),
};

static const gp_column multinode_columns[] = {
    NEEDED("id", id),
    NEEDED("gpu", gpu),
    NEEDED("collective", collective),
    TEXT("strict", strict),
    TEXT("network", inter_node_link),
    TEXT("payload", payload),
    WHOLE("nodes", nodes),
    WHOLE("ranks", ranks),
    REAL("busbw_GBps", bus_gb_per_s),
};

static const gp_column power_columns[] = {
    NEEDED("id", id),
    NEEDED("gpu", gpu),
    TEXT("model", model),
    TEXT("strict", strict),
    TEXT("precision", precision),
    REAL("total_params_b", params_b),
    REAL("active_params_b", active_b),
    WHOLE("gpus", gpus),
    REAL("avg_batch", batch),
    REAL("input_len", input_tokens),
    REAL("output_len", output_tokens),
    REAL("w_per_gpu", watts),
};

static const gp_column inference_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("strict", strict),
    TEXT("notes", notes),
    TEXT("source", source),
    TEXT("mode", mode),
    TEXT("engine", engine),
    TEXT("precision_weights", precision),
    TEXT("precision_kv", kv_precision),
    REAL("params_b", params_b),
    REAL("active_params_b", active_b),
    WHOLE("gpus", gpus),
    WHOLE("tp", tp),
    WHOLE("pp", pp),
    WHOLE("ep", ep),
    WHOLE("dp", dp),
    REAL("input_len", input_tokens),
    REAL("output_len", output_tokens),
    REAL("concurrency_or_batch", batch),
    TEXT("request_rate", request_rate),
    TEXT("engine_version", version),
    TEXT("input_len", input_text),
    TEXT("spec_decode", spec_decode),
    TEXT("prefix_cache", prefix_cache),
    WHOLE("moe_tp", moe_tp),
    REAL("output_tokens_per_s_per_gpu", output_rate),
    REAL("total_tokens_per_s_per_gpu", total_rate),
    REAL("ttft_ms_p50", ttft_ms),
    REAL("tpot_ms_p50", tpot_ms),
};

static const gp_column fabric_columns[] = {
    NEEDED("id", id),
    NEEDED("ra", design),
    TEXT("strict", strict),
    WHOLE("nodes", nodes),
    WHOLE("gpus", gpus),
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
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    NEEDED("pool", pool),
    TEXT("engine", engine),
    TEXT("attn_tp", attention_tp),
    TEXT("attn_dp", attention_dp),
    TEXT("moe_ep", expert_parts),
    TEXT("redundant_experts", copies),
    TEXT("batch_per_gpu", batch_text),
    TEXT("isl", input_length),
    TEXT("osl", output_length),
    TEXT("ctx_at_decode", context_text),
    TEXT("kv_precision", kv_precision),
    TEXT("weight_precision", precision),
    TEXT("spec", spec_decode),
    TEXT("prefix_reuse", prefix_text),
    TEXT("gpus_in_pool", pool_gpus),
    TEXT("pp", stages),
    TEXT("concurrency_total", concurrency),
    TEXT("accept_tok_per_step", accepted),
    TEXT("in_tok_s_per_gpu", input_rate),
    TEXT("out_tok_s_per_gpu", pool_rate),
    TEXT("ttft_ms", pool_ttft),
    TEXT("tpot_ms", pool_tpot),
    TEXT("note", notes),
    TEXT("nodes_or_workers", workers),
    TEXT("total_gpus", total_gpus),
    TEXT("total_tok_s_per_gpu", both_rate),
    TEXT("out_tok_s_total", sum_rate),
    TEXT("tok_s_user", user_rate),
};

static const gp_column whole_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("kind", kind),
    TEXT("precision", precision),
    TEXT("optimizer", optimizer),
    TEXT("zero", zero),
    TEXT("recompute", recompute),
    TEXT("framework", framework),
    TEXT("framework_version", version),
    TEXT("source", source),
    TEXT("encoder_decoder", whole.encoder_decoder),
    TEXT("attention_kernel", whole.attention_kernel),
    TEXT("ffn_gated", whole.gated),
    TEXT("tied_embeddings", whole.tied),
    TEXT("hours_kind", whole.hours_kind),
    WHOLE("layers", layers),
    WHOLE("hidden", hidden),
    WHOLE("heads", heads),
    WHOLE("kv_heads", kv_heads),
    WHOLE("head_dim", whole.head_dim),
    WHOLE("ffn_hidden", ffn),
    WHOLE("vocab", vocab),
    WHOLE("num_experts", experts),
    WHOLE("topk", top_k),
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
    WHOLE("gpus", gpus),
    WHOLE("gpus_per_node", gpus_per_node),
    REAL("network_gbps_per_gpu", whole.network_gbps),
    REAL("tokens_b", whole.tokens_b),
    WHOLE("seq_len", sequence_length),
    WHOLE("global_batch_tokens", whole.batch_tokens),
    WHOLE("tp", tp),
    WHOLE("pp", pp),
    WHOLE("vp", vpp),
    WHOLE("cp", cp),
    WHOLE("ep", ep),
    WHOLE("dp", dp),
    WHOLE("micro_batch", micro_batch),
    WHOLE("shard_group", whole.shard_group),
    REAL("gpu_hours", whole.gpu_hours),
    REAL("wall_days", whole.wall_days),
};

static const gp_column deployment_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    NEEDED("pool", pool),
    TEXT("weights_precision", precision),
    TEXT("kv_precision", kv_precision),
    TEXT("compute_precision", served.compute),
    TEXT("engine", engine),
    TEXT("engine_version", version),
    TEXT("speculative", spec_decode),
    TEXT("mtp_accept", accepted),
    TEXT("rate_kind", served.rate_kind),
    TEXT("slo_stat", served.slo_stat),
    TEXT("source", source),
    REAL("params_b", params_b),
    REAL("active_params_b", active_b),
    WHOLE("gpus", gpus),
    WHOLE("gpus_per_node", gpus_per_node),
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
    NEEDED("id", id),
    NEEDED("gpu", gpu),
    TEXT("system", site.system),
    TEXT("node_maker_model", site.maker_model),
    TEXT("cooling", site.cooling),
    TEXT("topology", site.topology),
    TEXT("switch_model", site.switch_model),
    TEXT("power_state", site.state),
    TEXT("grade", site.grade),
    WHOLE("gpus", gpus),
    WHOLE("nodes", nodes),
    WHOLE("gpus_per_node", gpus_per_node),
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
    NEEDED("id", id),
    TEXT("gpu", gpu),
    TEXT("node_model", site.node_model),
    TEXT("cpu", site.cpu),
    TEXT("cooling", site.cooling),
    TEXT("state_class", site.state_class),
    TEXT("scope", site.scope),
    WHOLE("gpus", gpus),
    REAL("gpu_tdp_w", site.tdp_w),
    REAL("watts_node", site.watts),
};

static const gp_column exchange_columns[] = {
    NEEDED("id", id),
    NEEDED("gpu", gpu),
    NEEDED("op", collective),
    TEXT("library", engine),
    TEXT("version", version),
    TEXT("fabric", inter_node_link),
    TEXT("mode", mode),
    TEXT("dtype", precision),
    TEXT("bw_kind", bandwidth),
    TEXT("note", notes),
    TEXT("source", source),
    WHOLE("ep", ranks),
    WHOLE("experts", experts),
    WHOLE("tokens_per_rank", micro_batch),
    WHOLE("hidden", hidden),
    WHOLE("topk", top_k),
    REAL("time_us", time_us),
    REAL("gbps", bus_gb_per_s),
};

static const gp_column vision_columns[] = {
    NEEDED("model", id),
    TEXT("model", model),
    TEXT("patch", patch),
    TEXT("merge", merge),
    TEXT("tile_rule", tile_rule),
    TEXT("min_tokens", least_tokens),
    TEXT("max_tokens", most_tokens),
    TEXT("source", source),
    TEXT("notes", notes),
    TEXT("tok_336", image_tokens[0]),
    TEXT("tok_512", image_tokens[1]),
    TEXT("tok_1024", image_tokens[2]),
    TEXT("tok_2048", image_tokens[3]),
};

static const gp_column other_columns[] = {
    NEEDED("id", id),
    NEEDED("kind", kind),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("gpus", pool_gpus),
    TEXT("precision", precision),
    TEXT("engine", engine),
    TEXT("batch_or_concurrency", concurrency),
    TEXT("input", input_length),
    TEXT("output", output_length),
    TEXT("throughput_unit", unit),
    TEXT("source", source),
    TEXT("notes", notes),
    REAL("throughput", tokens_per_s),
    REAL("latency_ms", ttft_ms),
    REAL("memory_gib", peak_gib),
};

static const gp_column rl_columns[] = {
    NEEDED("id", id),
    NEEDED("model", model),
    NEEDED("gpu", gpu),
    TEXT("algorithm", rl.algorithm),
    TEXT("row_kind", rl.row_kind),
    TEXT("grade", rl.grade),
    TEXT("colocated", rl.colocated),
    TEXT("precision_train", precision),
    TEXT("precision_rollout", rl.rollout_precision),
    TEXT("reference_model", rl.reference),
    TEXT("critic", rl.critic),
    TEXT("framework", framework),
    TEXT("framework_version", version),
    TEXT("source", source),
    TEXT("notes", notes),
    REAL("params_b", params_b),
    REAL("active_params_b", active_b),
    WHOLE("gpus_total", gpus),
    WHOLE("gpus_train", rl.train_gpus),
    WHOLE("gpus_rollout", rl.rollout_gpus),
    REAL("policy_lag", rl.lag),
    WHOLE("prompts_per_step", rl.prompts),
    WHOLE("generations_per_prompt", rl.samples),
    WHOLE("train_global_batch_sequences", rl.batch_sequences),
    REAL("prompt_len_mean", rl.prompt_tokens),
    REAL("response_len_mean", rl.response_tokens),
    REAL("max_len", rl.most_tokens),
    WHOLE("gen_tp", rl.engine_tp),
    WHOLE("gen_pp", rl.engine_pp),
    WHOLE("gen_ep", rl.engine_ep),
    WHOLE("train_tp", tp),
    WHOLE("train_pp", pp),
    WHOLE("train_cp", cp),
    WHOLE("train_ep", ep),
    REAL("step_time_s", rl.step_s),
    REAL("generation_time_s", rl.rollout_s),
    REAL("train_time_s", rl.train_s),
    REAL("refit_time_s", rl.refit_s),
};

typedef struct run_table {
    const char *name;
    const char *tell[GP_RUNS_TELL]; /* columns that only this kind has all of */
    const gp_column *columns;
    size_t column_count;
} run_table;

#define COLUMNS(table) .columns = (table), .column_count = sizeof(table) / sizeof(table)[0]

static const run_table tables[GP_RUNS_KIND_COUNT] = {
    [GP_RUNS_TRAINING] = {.name = "training",
                          .tell = {"tokens_per_s_per_gpu", "seq_len", "iteration_s"},
                          COLUMNS(training_columns)},
    [GP_RUNS_MEMORY] = {.name = "memory",
                        .tell = {"peak_mem_gib_per_gpu", "seq_len", "zero_stage_or_fsdp"},
                        COLUMNS(memory_columns)},
    [GP_RUNS_COLLECTIVES_ONE_NODE] = {.name = "collectives_one_node",
                                      .tell = {"collective", "bytes", "time_us"},
                                      COLUMNS(one_node_columns)},
    [GP_RUNS_COLLECTIVES_MULTINODE] = {.name = "collectives_multinode",
                                       .tell = {"collective", "payload", "busbw_GBps"},
                                       COLUMNS(multinode_columns)},
    [GP_RUNS_SERVING_POWER] = {.name = "serving_power",
                               .tell = {"w_per_gpu", "avg_batch", "gpus"},
                               COLUMNS(power_columns)},
    [GP_RUNS_INFERENCE] = {.name = "inference",
                           .tell = {"tpot_ms_p50", "input_len", "output_len"},
                           COLUMNS(inference_columns)},
    [GP_RUNS_FABRIC] = {.name = "fabric", .tell = {"ra", "leaf", "spine"}, COLUMNS(fabric_columns)},
    [GP_RUNS_SERVING_EP] = {.name = "serving_ep",
                            .tell = {"gpus_in_pool", "attn_dp", "moe_ep"},
                            COLUMNS(serving_ep_columns)},
    [GP_RUNS_WHOLE] = {.name = "runs",
                       .tell = {"gpu_hours", "tokens_b", "wall_days"},
                       COLUMNS(whole_columns)},
    [GP_RUNS_DEPLOYMENTS] = {.name = "deployments",
                             .tell = {"context_at_decode", "rate_kind", "slo_tpot_ms"},
                             COLUMNS(deployment_columns)},
    [GP_RUNS_CLUSTERS] = {.name = "clusters",
                          .tell = {"it_power_kw", "power_state", "leaf_switches"},
                          COLUMNS(cluster_columns)},
    [GP_RUNS_MACHINES] = {.name = "machine_power",
                          .tell = {"watts_node", "state_class", "scope"},
                          COLUMNS(machine_columns)},
    [GP_RUNS_EXCHANGES] = {.name = "exchanges",
                           .tell = {"tokens_per_rank", "topk", "dtype"},
                           COLUMNS(exchange_columns)},
    [GP_RUNS_VISION_TOKENS] = {.name = "vision_tokens",
                               .tell = {"tile_rule", "tok_336", "tok_1024"},
                               COLUMNS(vision_columns)},
    [GP_RUNS_OTHER_KINDS] = {.name = "other_kinds",
                             .tell = {"throughput_unit", "latency_stat", "memory_gib"},
                             COLUMNS(other_columns)},
    [GP_RUNS_RL] = {.name = "rl",
                    .tell = {"step_time_s", "gpus_rollout", "policy_lag"},
                    COLUMNS(rl_columns)},
};

const char *gp_runs_kind_name(gp_runs_kind kind) {
    return kind < GP_RUNS_KIND_COUNT ? tables[kind].name : "unknown";
}

const char *const *gp_runs_tell(gp_runs_kind kind) {
    return kind < GP_RUNS_KIND_COUNT ? tables[kind].tell : NULL;
}

bool gp_runs_has_column(gp_arena *arena, gp_runs_kind kind, const char *name,
                        const char **ret_nearest) {
    const run_table *table = &tables[kind];
    const char **names = GP_NEW_ARRAY(arena, const char *, table->column_count + 1);
    for (size_t i = 0; i < table->column_count; i++) {
        if (gp_str_equal(table->columns[i].name, name)) {
            return true;
        }
        if (names != NULL) {
            names[i] = table->columns[i].name;
        }
    }
    *ret_nearest =
        names == NULL ? NULL : gp_str_nearest(name, strlen(name), names, table->column_count);
    return gp_str_equal(name, "date");
}

const char *gp_runs_due(gp_runs_kind kind, const char *name, const char *value) {
    const run_table *table = &tables[kind];
    double number = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const gp_column *column = &table->columns[i];
        if (!gp_str_equal(column->name, name) || column->kind == GP_COLUMN_TEXT) {
            continue;
        }
        bool whole = column->kind == GP_COLUMN_WHOLE;
        bool good = gp_num_parse(value, strlen(value), &number) && number >= 0 &&
                    number <= (double)GP_NUM_COUNT_MAX && (!whole || gp_num_is_count(number));
        return good ? NULL : whole ? "a whole number" : "a number from 0 on";
    }
    return NULL;
}

static gp_runs_kind kind_of(const gp_csv *csv) {
    for (int k = 0; k < GP_RUNS_KIND_COUNT; k++) {
        bool all = true;
        for (size_t i = 0; i < sizeof tables[k].tell / sizeof tables[k].tell[0]; i++) {
            all = all && gp_csv_column(csv, tables[k].tell[i]) >= 0;
        }
        if (all) {
            return (gp_runs_kind)k;
        }
    }
    return GP_RUNS_UNKNOWN;
}

// "columns a, b and c (training); ...".
static const char *kinds_told(gp_arena *arena) {
    const char *text = "columns";
    for (int k = 0; text != NULL && k < GP_RUNS_KIND_COUNT; k++) {
        text = gp_arena_printf(arena, "%s%s %s, %s and %s (%s)", text, k > 0 ? ";" : "",
                               tables[k].tell[0], tables[k].tell[1], tables[k].tell[2],
                               tables[k].name);
    }
    return text;
}

static void refuse_header(gp_arena *arena, const gp_csv *csv, gp_diags *diags) {
    gp_span span = {.text = csv->text};
    if (csv->columns > 0) {
        span = gp_csv_span(csv, &csv->header[0]);
        span.end = csv->header[csv->columns - 1].end;
    }
    bool jobs = gp_csv_column(csv, "gpu_hours") >= 0;
    gp_diags_error(diags, GP_ID_UNKNOWN_KIND, span,
                   jobs ? "`gpuplan import slurm:FILE` with what sacct wrote: workloads"
                        : kinds_told(arena),
                   NULL,
                   jobs ? "accounts of jobs tell no speed"
                        : "the columns tell no kind of table that gpuplan can score");
}

gp_status gp_runs_read(gp_arena *arena, const gp_text *text, gp_diags *diags, gp_runs *ret_runs) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_runs runs = {0};
    gp_status st = gp_csv_read(arena, text, &limits, diags, &runs.csv);
    if (st != GP_OK) {
        return st;
    }
    runs.kind = kind_of(&runs.csv);
    if (runs.kind == GP_RUNS_UNKNOWN) {
        refuse_header(arena, &runs.csv, diags);
        return GP_ERR_INPUT;
    }
    const run_table *table = &tables[runs.kind];
    size_t errors = diags->errors;
    gp_columns_check(&runs.csv, table->columns, table->column_count, diags);
    if (diags->errors > errors) {
        return GP_ERR_INPUT;
    }
    void *items = NULL;
    st = gp_columns_read(arena, &runs.csv, table->columns, table->column_count, sizeof(gp_run_row),
                         diags, &items);
    runs.items = items;
    runs.count = runs.csv.rows;
    runs.has_strict = gp_csv_column(&runs.csv, "strict") >= 0;
    *ret_runs = runs;
    return st;
}

static bool is_break(char c) {
    return c == ';' || c == ' ' || c == '\0';
}

const char *gp_notes_value(const char *notes, const char *key, size_t *ret_len) {
    size_t key_len = strlen(key);
    *ret_len = 0;
    for (const char *c = notes; c != NULL && *c != '\0'; c++) {
        bool starts = c == notes || is_break(c[-1]);
        if (!starts || strncmp(c, key, key_len) != 0 || c[key_len] != '=') {
            continue;
        }
        const char *value = c + key_len + 1;
        while (!is_break(value[*ret_len])) {
            ++*ret_len;
        }
        return value;
    }
    return NULL;
}

double gp_notes_number(const char *notes, const char *key) {
    size_t len = 0;
    const char *text = gp_notes_value(notes, key, &len);
    double value = 0;
    if (text == NULL || !gp_num_parse(text, gp_num_scan(text, len), &value)) {
        return 0;
    }
    return value;
}
