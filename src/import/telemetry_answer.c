/*
 * Answers of the query API: an envelope around series whose values are strings, because NaN and
 * infinities are legal there. Whatever is no finite number is counted and left out.
 */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "import/telemetry_query.h"
#include "source/json_answer.h"

enum { BODY_MAX = 32 * 1024 * 1024, BODY_NODES = 4000000, HTTP_OK = 200, SHOWN = 200 };

static gp_status refuse(gp_telemetry_answer *answer, const char *problem) {
    answer->problem = problem;
    return GP_ERR_INPUT;
}

/* A text of the server for people: short, on one line. */
static const char *shown(gp_arena *arena, const gp_node *node, const char *otherwise) {
    if (node == NULL || node->kind != GP_NODE_SCALAR || node->len == 0)
        return otherwise;
    char *text = gp_arena_strndup(arena, node->text, gp_utf8_fit(node->text, node->len, SHOWN));
    for (char *c = text; c != NULL && *c != '\0'; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    return text;
}

static void add_warning(gp_telemetry *telemetry, const char *text) {
    for (size_t i = 0; i < telemetry->warnings.count; i++)
        if (gp_str_equal(telemetry->warnings.items[i], text))
            return;
    GP_PUSH(telemetry->arena, telemetry->warnings.items, telemetry->warnings.count,
            telemetry->capacities[2]) = text;
}

static void keep_warnings(gp_telemetry *telemetry, const gp_node *list) {
    for (size_t i = 0; list != NULL && list->kind == GP_NODE_SEQ && i < list->count; i++) {
        const char *text = shown(telemetry->arena, list->items[i], "");
        if (*text != '\0')
            add_warning(telemetry, text);
    }
}

/* [time, "value"] */
static bool read_number(const gp_node *pair, double *ret_value) {
    if (pair == NULL || pair->kind != GP_NODE_SEQ || pair->count != 2 ||
        pair->items[1]->kind != GP_NODE_SCALAR)
        return false;
    const gp_node *value = pair->items[1];
    return gp_num_parse(value->text, value->len, ret_value) && isfinite(*ret_value);
}

static gp_status read_labels(gp_arena *arena, const gp_node *metric, gp_telemetry_row *row) {
    if (metric == NULL || metric->kind != GP_NODE_MAP)
        return GP_ERR_INPUT;
    gp_telemetry_label *labels = GP_NEW_ARRAY(arena, gp_telemetry_label, metric->count + 1);
    for (size_t i = 0; i < metric->count; i++) {
        if (metric->entries[i].value->kind != GP_NODE_SCALAR)
            return GP_ERR_INPUT;
        labels[i] =
            (gp_telemetry_label){metric->entries[i].key->text, metric->entries[i].value->text};
    }
    row->labels = labels;
    row->label_count = metric->count;
    return GP_OK;
}

static gp_status read_row(gp_arena *arena, const gp_node *item, gp_telemetry_row *row) {
    const gp_node *values = gp_node_get(item, "values");
    const gp_node *value = gp_node_get(item, "value");
    gp_status st = read_labels(arena, gp_node_get(item, "metric"), row);
    if (st != GP_OK)
        return st;
    if (values == NULL && value == NULL)
        return GP_ERR_INPUT; /* native histograms among them: nothing here asks for those */
    bool many = values != NULL && values->kind == GP_NODE_SEQ;
    size_t count = many ? values->count : 1;
    row->numbers = GP_NEW_ARRAY(arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        double number = 0;
        if (read_number(many ? values->items[i] : value, &number))
            row->numbers[row->count++] = number;
        else
            row->bad++;
    }
    return GP_OK;
}

static gp_status read_result(gp_arena *arena, const gp_node *data, gp_telemetry_answer *answer) {
    const gp_node *type = gp_node_get(data, "resultType");
    const gp_node *result = gp_node_get(data, "result");
    bool known = gp_node_is(type, "vector") || gp_node_is(type, "matrix");
    if (!known || result == NULL || result->kind != GP_NODE_SEQ)
        return refuse(answer, "the answer holds no vector and no matrix");
    gp_telemetry_row *rows = GP_NEW_ARRAY(arena, gp_telemetry_row, result->count + 1);
    for (size_t i = 0; i < result->count; i++) {
        gp_status st = read_row(arena, result->items[i], &rows[i]);
        if (st != GP_OK)
            return refuse(answer, "a series of the answer has no values");
    }
    answer->rows = rows;
    answer->count = result->count;
    return GP_OK;
}

static gp_status server_error(gp_arena *arena, const gp_node *root, gp_telemetry_answer *answer) {
    const char *type = shown(arena, gp_node_get(root, "errorType"), "error");
    const char *text = shown(arena, gp_node_get(root, "error"), "it gives no reason");
    return refuse(answer, type == NULL || text == NULL
                              ? NULL
                              : gp_arena_printf(arena, "the server answers %s: %s", type, text));
}

static gp_status read_envelope(gp_telemetry *telemetry, long http_status, const gp_node *root,
                               gp_telemetry_answer *answer) {
    if (gp_node_is(gp_node_get(root, "status"), "error"))
        return server_error(telemetry->arena, root, answer);
    if (http_status != HTTP_OK)
        return refuse(answer, gp_arena_printf(telemetry->arena, "the server answers HTTP %d",
                                              (int)http_status));
    if (!gp_node_is(gp_node_get(root, "status"), "success"))
        return refuse(answer, "the answer is not one of the Prometheus query API");
    keep_warnings(telemetry, gp_node_get(root, "warnings"));
    keep_warnings(telemetry, gp_node_get(root, "infos"));
    return read_result(telemetry->arena, gp_node_get(root, "data"), answer);
}

gp_status gp_telemetry_parse(gp_telemetry *telemetry, long http_status, const gp_text *body,
                             gp_telemetry_answer *ret_answer) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    limits.max_bytes = BODY_MAX;
    limits.max_nodes = limits.max_expanded_nodes = BODY_NODES;
    const gp_node *root = NULL;
    *ret_answer = (gp_telemetry_answer){0};
    gp_diags diags = GP_DIAGS(telemetry->arena);
    gp_status st = gp_json_answer_read(telemetry->arena, body, &limits, &diags, &root);
    if (st == GP_OK && root != NULL && root->kind == GP_NODE_MAP)
        return read_envelope(telemetry, http_status, root, ret_answer);
    if (http_status != HTTP_OK)
        return refuse(ret_answer, gp_arena_printf(telemetry->arena, "the server answers HTTP %d",
                                                  (int)http_status));
    return refuse(ret_answer, st == GP_ERR_LIMIT ? "the answer is larger than is read"
                                                 : "the answer is no JSON object");
}

const char *gp_telemetry_label_of(const gp_telemetry_row *row, const char *name) {
    const gp_telemetry_label *label = GP_NAMED_OF(row->labels, row->label_count, name, name);
    return label != NULL ? label->value : "";
}
