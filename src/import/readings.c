/*
 * Logs of other tools as rows of runs: which form a text has, what the caller set, and the table.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "import/reader.h"
#include "schema/diag_ids.h"

enum {
    LOG_MAX_BYTES = 64 << 20,
    TABLE_MAX_BYTES = 64 << 20,
    COLUMNS_MAX = 64,
    HEAD_BYTES = 1 << 20
};

/* A form, and words of which one stands near the start of each such text: logs of training begin
 * with all of their options. */
static const struct form {
    const char *name;
    gp_read_text *read;
    const char *tell[3];
} forms[] = {
    {"nccl-tests", gp_read_nccl_tests, {"algbw", "\"bus_bw\"", "nccl-tests version"}},
    {"vllm", gp_read_vllm, {"\"total_token_throughput\"", NULL, NULL}},
    {"sglang", gp_read_sglang, {"\"random_input_len\"", "\"sharegpt_output_len\"", NULL}},
    {"aiperf", gp_read_aiperf, {"\"output_token_throughput\"", "Metric,avg,", "Metric,Value"}},
    {"megatron", gp_read_megatron, {"elapsed time per iteration (ms)", NULL, NULL}},
    {"nemo", gp_read_nemo, {"train_step_timing in s", NULL, NULL}},
    {"torchtitan", gp_read_torchtitan, {"tps: ", NULL, NULL}},
    {"hf-trainer", gp_read_hf_trainer, {"train_samples_per_second", "train_runtime", NULL}},
    {"megatron-memory", gp_read_megatron_memory, {"max allocated:", NULL, NULL}},
    {"torchtitan-memory", gp_read_torchtitan_memory, {NULL, NULL, NULL}},
    {"dcgm-dmon", gp_read_dcgm_dmon, {"#Entity", NULL, NULL}},
    {"nvidia-smi", gp_read_nvidia_smi, {"power.draw", NULL, NULL}},
    {"perftest", gp_read_perftest, {"BW average[", NULL, NULL}},
    {"sacct", gp_read_sacct, {"ElapsedRaw|", "|AllocTRES", NULL}},
};
enum { FORMS = GP_COUNT_OF(forms) };

const char *const gp_reading_forms[] = {
    "nccl-tests", "vllm",       "sglang",     "aiperf",          "megatron",
    "nemo",       "torchtitan", "hf-trainer", "megatron-memory", "torchtitan-memory",
    "dcgm-dmon",  "nvidia-smi", "perftest",   "sacct",           NULL,
};

static gp_part head_of(const gp_reader *r) {
    size_t len = r->text->len;
    return (gp_part){.at = r->text->data, .len = len < HEAD_BYTES ? len : HEAD_BYTES};
}

/* What is taken for a log and is none, and where it goes. */
static const struct stranger {
    const char *tell, *what, *instead;
} strangers[] = {
    {"\"BW_average\"", "perftest's JSON does not say its unit", "the text that it prints"},
    {"t_min[usec]", "latencies of a port, to which no factor is fitted", "a test of bandwidth"},
    {"<topology", "the description of a machine", "gpuplan import hwloc:FILE"},
    {"NodeName=", "the description of machines", "gpuplan import slurm:FILE"},
    {"\"resultType\"", "an answer of a Prometheus server",
     "gpuplan calibrate PLAN --prometheus URL, which asks it"},
    {"# TYPE ", "what an exporter says of one moment",
     "gpuplan calibrate PLAN --prometheus URL, which knows it over time"},
};

static void refuse_text(gp_reader *r) {
    const gp_part head = head_of(r);
    for (size_t i = 0; i < GP_COUNT_OF(strangers); i++) {
        if (gp_part_after(head, strangers[i].tell).at != NULL) {
            gp_reader_refuse_all(r, strangers[i].instead, strangers[i].what);
            return;
        }
    }
    gp_reader_refuse_all(r, "a form of `gpuplan calibrate --help`, named by --as",
                         "no form of a log that is known");
}

static const struct form *find_form(const gp_reader *r) {
    const gp_part head = head_of(r);
    for (size_t i = 0; i < FORMS; i++) {
        if (r->options->form != NULL) {
            if (gp_str_equal(forms[i].name, r->options->form))
                return &forms[i];
            continue;
        }
        for (size_t j = 0; j < 3 && forms[i].tell[j] != NULL; j++)
            if (gp_part_after(head, forms[i].tell[j]).at != NULL)
                return &forms[i];
    }
    return NULL;
}

static const char *base_of(gp_arena *arena, const char *name) {
    const char *slash = strrchr(name, '/');
    const char *start = slash == NULL ? name : slash + 1;
    const char *dot = strrchr(start, '.');
    size_t len = dot == NULL || dot == start ? strlen(start) : (size_t)(dot - start);
    return gp_str_equal(name, "-") ? "stdin" : gp_arena_strndup(arena, start, len);
}

/* The places where logs hold what is no text: colours, and lines that a progress bar rewrites. */
static gp_status plain_text(gp_arena *arena, const gp_text *text, gp_text **ret_text) {
    static const char escape = '\x1b';
    char *data = gp_arena_alloc(arena, text->len + 1, 1);
    bool inside = false;
    for (size_t i = 0; i < text->len; i++) {
        char c = text->data[i];
        bool begins = c == escape;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        data[i] = begins || inside || (c == '\r' && text->data[i + 1] != '\n') ? ' ' : c;
        inside = begins || (inside && !letter);
    }
    return gp_text_init(arena, text->name, data, text->len, ret_text);
}

static void read_one(gp_reader *r, const gp_text *text) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_text *plain = NULL;
    limits.max_bytes = LOG_MAX_BYTES; /* a line for each step of months */
    r->st = plain_text(r->arena, text, &plain);
    if (r->st == GP_OK)
        r->st = gp_source_check_text(plain, &limits, r->diags);
    if (r->st != GP_OK)
        return;
    r->text = plain;
    r->base = base_of(r->arena, text->name);
    const struct form *form = find_form(r);
    if (form == NULL)
        refuse_text(r);
    else
        form->read(r);
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct table {
    const char *columns[COLUMNS_MAX];
    size_t count;
} table;

static gp_status add_column(table *t, const char *name) {
    for (size_t i = 0; i < t->count; i++)
        if (gp_str_equal(t->columns[i], name))
            return GP_OK;
    if (t->count >= COLUMNS_MAX)
        return GP_ERR_LIMIT;
    t->columns[t->count++] = name;
    return GP_OK;
}

static const char *cell_of(const gp_reading *row, const char *column) {
    const struct gp_reading_cell *cell = GP_NAMED_OF(row->cells, row->count, column, column);
    return cell != NULL ? cell->value : "";
}

static void add_cell(gp_buf *buf, const char *value) {
    if (strpbrk(value, ",\"\n") == NULL) {
        gp_buf_str(buf, value);
        return;
    }
    gp_buf_char(buf, '"');
    for (const char *c = value; *c != '\0'; c++)
        gp_buf_repeat(buf, *c, *c == '"' ? 2 : 1);
    gp_buf_char(buf, '"');
}

static void check_sets(gp_reader *r, gp_runs_kind kind) {
    for (size_t i = 0; i < r->options->set_count; i++) {
        const char *key = r->options->sets[i].key;
        const char *nearest = NULL;
        if (kind != GP_RUNS_UNKNOWN && !gp_runs_has_column(r->arena, kind, key, &nearest))
            gp_diags_error(r->diags, GP_ID_UNKNOWN_KEY, (gp_span){.text = NULL}, NULL, nearest,
                           "--set %s: runs of kind %s have no such column", key,
                           gp_run_tables[kind]->name);
        const char *value = r->options->sets[i].value;
        const char *due = kind == GP_RUNS_UNKNOWN ? NULL : gp_runs_due(kind, key, value);
        if (due != NULL)
            gp_diags_error(r->diags, GP_ID_WRONG_TYPE, (gp_span){.text = NULL}, due, NULL,
                           "--set %s=%s will not do", key, value);
    }
}

/* All rows must be of one kind: a table has one header. */
static gp_status check_kinds(gp_reader *r) {
    for (size_t i = 1; i < r->count; i++) {
        if (r->items[i].kind != r->items[0].kind) {
            gp_reader_refuse_all(r, "logs of one kind; read the others apart",
                                 "the files are about different kinds of runs");
            return GP_ERR_INPUT;
        }
    }
    check_sets(r, r->items[0].kind);
    return r->diags->errors > 0 ? GP_ERR_INPUT : GP_OK;
}

static gp_status write_table(gp_reader *r, const char **ret_csv, size_t *ret_len) {
    table *t = GP_NEW(r->arena, table);
    gp_status st = GP_OK;
    for (size_t i = 0; i < r->count && st == GP_OK; i++)
        for (size_t c = 0; c < r->items[i].count && st == GP_OK; c++)
            st = add_column(t, r->items[i].cells[c].column);
    for (size_t i = 0; i < r->options->set_count && st == GP_OK; i++)
        st = add_column(t, r->options->sets[i].key);
    /* What the kind is told by, though no log may have it. */
    const gp_runs_kind kind = r->items[0].kind;
    for (size_t i = 0; kind != GP_RUNS_UNKNOWN && i < GP_RUNS_TELL && st == GP_OK; i++)
        st = add_column(t, gp_run_tables[kind]->tell[i]);
    if (st != GP_OK)
        return st;
    gp_buf buf = GP_BUF(r->arena, TABLE_MAX_BYTES);
    for (size_t c = 0; c < t->count; c++)
        gp_buf_printf(&buf, "%s%s", c > 0 ? "," : "", t->columns[c]);
    gp_buf_char(&buf, '\n');
    for (size_t i = 0; i < r->count; i++) {
        for (size_t c = 0; c < t->count; c++) {
            const char *set = gp_reader_set(r, t->columns[c]);
            gp_buf_str(&buf, c > 0 ? "," : "");
            add_cell(&buf, set != NULL ? set : cell_of(&r->items[i], t->columns[c]));
        }
        gp_buf_char(&buf, '\n');
    }
    return gp_buf_finish(&buf, ret_csv, ret_len);
}

gp_status gp_readings_read(gp_arena *arena, const gp_text *const *texts, size_t text_count,
                           const gp_reading_options *options, gp_diags *diags, const char **ret_csv,
                           size_t *ret_len) {
    gp_reader r = {.arena = arena, .diags = diags, .options = options};
    for (size_t i = 0; i < text_count; i++) {
        size_t before = r.count;
        size_t errors = diags->errors;
        read_one(&r, texts[i]);
        if (r.st == GP_OK && r.count == before && diags->errors == errors)
            gp_reader_refuse_all(&r, "at least one measurement", "the log holds no measurement");
        if (r.st != GP_OK && r.st != GP_ERR_INPUT)
            return r.st;
        r.st = GP_OK; /* what is wrong is told, and the next one is read */
    }
    if (diags->errors > 0 || r.count == 0)
        return GP_ERR_INPUT;
    gp_status st = check_kinds(&r);
    return st == GP_OK ? write_table(&r, ret_csv, ret_len) : st;
}
