/*
 * The column tables of the files of runs, and which header means which. A file says what it is by
 * the columns that only its kind has.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "schema/diag_ids.h"

#define TEXT(name, member)   GP_COLUMN(TEXT, name, gp_run_row, member, )
#define REAL(name, member)   GP_COLUMN(REAL, name, gp_run_row, member, )
#define WHOLE(name, member)  GP_COLUMN(WHOLE, name, gp_run_row, member, )
#define NEEDED(name, member) GP_COLUMN(TEXT, name, gp_run_row, member, .required = true)

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
    TEXT("engine_version", framework),
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

#define TABLE(name_, columns_, score_)                                                             \
    .name = (name_), .columns = (columns_), .column_count = GP_COUNT_OF(columns_),                 \
    .size = sizeof(gp_run_row), .score = (score_)

static const gp_run_table training = {
    .tell = {"tokens_per_s_per_gpu", "seq_len", "iteration_s"},
    TABLE("training", training_columns, gp_fit_score_training),
};
static const gp_run_table memory = {
    .tell = {"peak_mem_gib_per_gpu", "seq_len", "zero_stage_or_fsdp"},
    TABLE("memory", memory_columns, gp_fit_score_memory),
};
static const gp_run_table one_node = {
    .tell = {"collective", "bytes", "time_us"},
    TABLE("collectives_one_node", one_node_columns, gp_fit_score_one_node),
};
static const gp_run_table multinode = {
    .tell = {"collective", "payload", "busbw_GBps"},
    TABLE("collectives_multinode", multinode_columns, gp_fit_score_multinode),
};
static const gp_run_table serving_power = {
    .tell = {"w_per_gpu", "avg_batch", "gpus"},
    TABLE("serving_power", power_columns, gp_fit_score_power),
};
static const gp_run_table inference = {
    .tell = {"tpot_ms_p50", "input_len", "output_len"},
    TABLE("inference", inference_columns, gp_fit_score_inference),
};

const gp_run_table *const gp_run_tables[GP_RUNS_KIND_COUNT + 1] = {
    [GP_RUNS_TRAINING] = &training,
    [GP_RUNS_MEMORY] = &memory,
    [GP_RUNS_COLLECTIVES_ONE_NODE] = &one_node,
    [GP_RUNS_COLLECTIVES_MULTINODE] = &multinode,
    [GP_RUNS_SERVING_POWER] = &serving_power,
    [GP_RUNS_INFERENCE] = &inference,
    [GP_RUNS_RL] = &gp_fit_rl_table,
};

bool gp_runs_has_column(gp_arena *arena, gp_runs_kind kind, const char *name,
                        const char **ret_nearest) {
    const gp_run_table *table = gp_run_tables[kind];
    const char **names = GP_NEW_ARRAY(arena, const char *, table->column_count + 1);
    for (size_t i = 0; i < table->column_count; i++) {
        if (gp_str_equal(table->columns[i].name, name))
            return true;
        names[i] = table->columns[i].name;
    }
    *ret_nearest = gp_str_nearest(name, strlen(name), names, table->column_count);
    return gp_str_equal(name, "date");
}

const char *gp_runs_due(gp_runs_kind kind, const char *name, const char *value) {
    const gp_run_table *table = gp_run_tables[kind];
    double number = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const gp_column *column = &table->columns[i];
        if (!gp_str_equal(column->name, name) || column->kind == GP_COLUMN_TEXT)
            continue;
        bool whole = column->kind == GP_COLUMN_WHOLE;
        bool good = gp_num_parse(value, strlen(value), &number) && number >= 0 &&
                    number <= (double)GP_NUM_COUNT_MAX && (!whole || gp_num_is_count(number));
        return good ? NULL : whole ? "a whole number" : "a number from 0 on";
    }
    return NULL;
}

/* The table whose telling columns are all there; NULL: none. */
static const gp_run_table *table_of(const gp_csv *csv, const gp_run_table *const *tables,
                                    size_t *ret_kind) {
    for (size_t k = 0; tables[k] != NULL; k++) {
        bool all = true;
        for (size_t i = 0; i < GP_RUNS_TELL; i++)
            all = all && gp_csv_column(csv, tables[k]->tell[i]) >= 0;
        if (all) {
            *ret_kind = k;
            return tables[k];
        }
    }
    return NULL;
}

/* "columns a, b and c (training); ...". */
static const char *kinds_told(gp_arena *arena, const gp_run_table *const *tables) {
    const char *text = "columns";
    for (size_t k = 0; tables[k] != NULL; k++) {
        const char *const *tell = tables[k]->tell;
        text = gp_arena_printf(arena, "%s%s %s, %s and %s (%s)", text, k > 0 ? ";" : "", tell[0],
                               tell[1], tell[2], tables[k]->name);
    }
    return text;
}

static void refuse_header(gp_arena *arena, const gp_csv *csv, const gp_run_table *const *tables,
                          gp_diags *diags) {
    gp_span span = {.text = csv->text};
    if (csv->columns > 0) {
        span = gp_csv_span(csv, &csv->header[0]);
        span.end = csv->header[csv->columns - 1].end;
    }
    bool jobs = gp_csv_column(csv, "gpu_hours") >= 0;
    gp_diags_error(diags, GP_ID_UNKNOWN_KIND, span,
                   jobs ? "`gpuplan import slurm:FILE` with what sacct wrote: workloads"
                        : kinds_told(arena, tables),
                   NULL,
                   jobs ? "accounts of jobs tell no speed"
                        : "the columns tell no kind of table that gpuplan can score");
}

const gp_run_row *gp_runs_at(const gp_runs *runs, size_t i) {
    return (const gp_run_row *)(const void *)(runs->items + i * runs->table->size);
}

gp_status gp_runs_read(gp_arena *arena, const gp_text *text, const gp_run_table *const *tables,
                       gp_diags *diags, gp_runs *ret_runs) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_runs runs = {0};
    gp_status st = gp_csv_read(arena, text, &limits, diags, &runs.csv);
    if (st != GP_OK)
        return st;
    const gp_run_table *table = table_of(&runs.csv, tables, &runs.kind);
    if (table == NULL) {
        refuse_header(arena, &runs.csv, tables, diags);
        return GP_ERR_INPUT;
    }
    size_t errors = diags->errors;
    gp_columns_check(&runs.csv, table->columns, table->column_count, diags);
    if (diags->errors > errors)
        return GP_ERR_INPUT;
    void *items = NULL;
    st = gp_columns_read(arena, &runs.csv, table->columns, table->column_count, table->size, diags,
                         &items);
    runs.table = table;
    runs.items = items;
    runs.count = runs.csv.rows;
    runs.has_strict = gp_csv_column(&runs.csv, "strict") >= 0;
    *ret_runs = runs;
    return st;
}
