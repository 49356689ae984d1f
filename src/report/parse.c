/*
 * Reading report.json back, by the rows that wrote it: what is not written is absent. Members that
 * are not part of report.json (dimensions) are found again from units and paths, so that every form
 * comes out as if it had been written at once.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "report/assumed.h"
#include "report/study.h"
#include "report/value.h"
#include "schema/diag_ids.h"
#include "source/json_tree.h"

typedef struct parser {
    gp_arena *arena;
    gp_diags *diags;
    size_t errors; /* before this text */
} parser;

static gp_status parse_struct(parser *p, const gp_report_struct *type, const gp_node *node,
                              void *object);

static void wrong(parser *p, const gp_node *node, const char *key, const char *expected) {
    gp_diags_error(p->diags, GP_ID_WRONG_TYPE, node->span, expected, NULL,
                   "\"%s\" is not a value that a report can have here", key);
}

static bool is_plain(const gp_node *node) {
    return node->kind == GP_NODE_SCALAR && node->style == GP_STYLE_PLAIN;
}

static void parse_string(parser *p, const char *key, const gp_node *node, void *at) {
    if (node->kind != GP_NODE_SCALAR || is_plain(node))
        wrong(p, node, key, "a string");
    else
        memcpy(at, &node->text, sizeof node->text);
}

/* What names a struct is never absent: forms tell it from others by that. */
static void require_name(parser *p, const gp_report_struct *type, const gp_node *map) {
    const gp_node *name = type->name_key != NULL ? gp_node_get(map, type->name_key) : map;
    if (name == NULL || gp_node_is_null(name))
        gp_diags_error(p->diags, GP_ID_MISSING_KEY, map->span, type->name_key, NULL,
                       "this %s has no \"%s\"", type->name, type->name_key);
}

static void parse_bool(parser *p, const char *key, const gp_node *node, void *at) {
    const bool value = gp_node_is(node, "true");
    if (!is_plain(node) || (!value && !gp_node_is(node, "false")))
        wrong(p, node, key, "true or false");
    else
        memcpy(at, &value, sizeof value);
}

/* Counts are added up by the forms. */
static const int64_t most_counted = (int64_t)1 << 53;

static void parse_count(parser *p, const char *key, const gp_node *node, void *at) {
    int64_t value = 0;
    if (!is_plain(node) || !gp_num_parse_i64(node->text, node->len, &value) ||
        value > most_counted || value < -most_counted)
        wrong(p, node, key, "a whole number");
    else
        memcpy(at, &value, sizeof value);
}

static void parse_real(parser *p, const char *key, const gp_node *node, void *at) {
    double value = 0;
    if (!is_plain(node) || !gp_num_parse(node->text, node->len, &value))
        wrong(p, node, key, "a number");
    else
        memcpy(at, &value, sizeof value);
}

static void parse_band(parser *p, const gp_report_field *field, const gp_node *map,
                       gp_report_band *band) {
    enum { PARTS = 3 };
    double *const parts[PARTS] = {&band->expected, &band->low, &band->high};
    for (int part = 0; part < gp_report_parts(field) && part < PARTS; part++) {
        char room[GP_REPORT_KEY_MAX];
        const char *key = gp_report_part_key(field, part, room);
        const gp_node *node = gp_node_get(map, key);
        if (!(node == NULL || gp_node_is_null(node)))
            parse_real(p, field->key, node, parts[part]);
    }
}

static gp_status parse_optional(parser *p, const gp_report_field *field, const gp_node *node,
                                void *at) {
    void *object = gp_arena_alloc(p->arena, 1, field->nested->size);
    memcpy(at, &object, sizeof object);
    return parse_struct(p, field->nested, node, object);
}

static gp_status parse_item(parser *p, const gp_report_field *field, const gp_node *node,
                            void *item) {
    if (gp_report_holds_counts(field)) {
        parse_count(p, field->key, node, item);
        return GP_OK;
    }
    if (field->nested == NULL) {
        parse_string(p, field->key, node, item);
        return GP_OK;
    }
    return parse_struct(p, field->nested, node, item);
}

static gp_status parse_list(parser *p, const gp_report_field *field, const gp_node *node,
                            void *at) {
    gp_any_list list = {0};
    if (node->kind != GP_NODE_SEQ) {
        wrong(p, node, field->key, "a list");
        return GP_OK;
    }
    list.items = gp_arena_alloc(p->arena, node->count + 1, gp_report_item_size(field));
    for (; list.count < node->count; list.count++) {
        char *item = (char *)list.items + list.count * gp_report_item_size(field);
        gp_status st = parse_item(p, field, node->items[list.count], item);
        if (st != GP_OK)
            return st;
    }
    memcpy(at, &list, sizeof list);
    return GP_OK;
}

static gp_status parse_field(parser *p, const gp_report_field *field, const gp_node *map,
                             void *object) {
    void *at = (char *)object + field->offset;
    if (field->kind == GP_REPORT_BAND) {
        parse_band(p, field, map, at);
        return GP_OK;
    }
    const gp_node *node = gp_node_get(map, field->key);
    if (node == NULL || gp_node_is_null(node))
        return GP_OK;
    switch (field->kind) {
    case GP_REPORT_STRING: parse_string(p, field->key, node, at); return GP_OK;
    case GP_REPORT_BOOL: parse_bool(p, field->key, node, at); return GP_OK;
    case GP_REPORT_COUNT: parse_count(p, field->key, node, at); return GP_OK;
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT: parse_real(p, field->key, node, at); return GP_OK;
    case GP_REPORT_STRUCT: return parse_struct(p, field->nested, node, at);
    case GP_REPORT_OPTIONAL: return parse_optional(p, field, node, at);
    case GP_REPORT_LIST: return parse_list(p, field, node, at);
    case GP_REPORT_BAND: break;
    }
    return GP_ERR_INTERNAL;
}

/* The dimension with this base unit; shares and counts have none. */
static gp_dim dim_of_unit(const char *unit) {
    for (int dim = GP_DIM_COUNT + 1; unit != NULL && *unit != '\0' && dim < GP_DIM_COUNT_OF; dim++)
        if (gp_str_equal(gp_dim_base_unit((gp_dim)dim), unit))
            return (gp_dim)dim;
    return GP_DIM_COUNT;
}

/* A member that is not written: the dimension that the unit tells. */
static void restore_dim(const gp_report_struct *type, void *object) {
    const gp_report_field *unit = GP_NAMED_OF(type->fields, type->field_count, key, "unit");
    if (type->dim_offset == 0 || unit == NULL)
        return;
    const gp_dim dim = dim_of_unit(gp_report_text_at(unit, object));
    memcpy((char *)object + type->dim_offset, &dim, sizeof dim);
}

static gp_status parse_struct(parser *p, const gp_report_struct *type, const gp_node *node,
                              void *object) {
    gp_report_clear(type, object);
    if (node->kind != GP_NODE_MAP) {
        wrong(p, node, type->name, "an object");
        return GP_OK;
    }
    require_name(p, type, node);
    for (size_t i = 0; i < type->field_count; i++) {
        gp_status st = parse_field(p, &type->fields[i], node, object);
        if (st != GP_OK)
            return st;
    }
    restore_dim(type, object);
    return GP_OK;
}

/* A finding's own dimension where its path tells it: a share has no unit. */
static void restore_finding(gp_report_finding *finding) {
    gp_report_kind kind = GP_REPORT_REAL;
    const char *nearest = NULL;
    if (finding->metric != NULL && finding->dim == GP_DIM_COUNT &&
        gp_report_path_check(&gp_report_workload_type, finding->metric, &kind, &finding->dim,
                             &nearest) != GP_OK)
        (void)gp_report_path_check(&gp_report_type, finding->metric, &kind, &finding->dim,
                                   &nearest);
}

/* A share has no unit: of goals the availability is one. */
static void restore_goals(gp_report_goals *goals) {
    for (size_t i = 0; i < goals->count; i++)
        if (gp_str_equal(goals->items[i].name, "availability"))
            goals->items[i].dim = GP_DIM_FRACTION;
}

/* ---- the document */

/* Reports of the same major version add keys at most. */
static gp_status check_version(parser *p, const gp_node *root) {
    static const char expected[] = "a report of gpuplan with a schemaVersion of 2.x";
    const gp_node *version = gp_node_get(root, "schemaVersion");
    if (version != NULL && version->kind == GP_NODE_SCALAR && gp_str_starts(version->text, "2."))
        return GP_OK;
    gp_diags_error(p->diags, GP_ID_UNKNOWN_KIND, version != NULL ? version->span : root->span,
                   expected, NULL,
                   version != NULL ? "a report of another version" : "not a report");
    return GP_ERR_INPUT;
}

static gp_status parse_report(parser *p, const gp_node *node, gp_report **ret_report) {
    gp_report *report = GP_NEW(p->arena, gp_report);
    gp_status st = check_version(p, node);
    if (st == GP_OK)
        st = parse_struct(p, &gp_report_type, node, report);
    if (st != GP_OK)
        return st;
    for (size_t i = 0; i < report->findings.count; i++)
        restore_finding(&report->findings.items[i]);
    for (size_t i = 0; i < report->workloads.count; i++)
        restore_goals(&report->workloads.items[i].goals);
    if (!gp_assumptions_unfold(p->arena, report))
        wrong(p, node, "assumptions", "places in the list of assumptions");
    *ret_report = report;
    return GP_OK;
}

/* A report of thousands of workloads is larger than anything that people write. */
static gp_status begin(parser *p, const gp_text *text, const gp_node **ret_root) {
    enum { MAX_BYTES = 64 << 20, MAX_NODES = 8 << 20 };
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    limits.max_bytes = MAX_BYTES;
    limits.max_nodes = limits.max_expanded_nodes = MAX_NODES;
    return gp_json_read(p->arena, text, &limits, p->diags, ret_root);
}

static gp_status finish(const parser *p, gp_status st) {
    return st == GP_OK && p->diags->errors > p->errors ? GP_ERR_INPUT : st;
}

gp_status gp_report_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                          gp_report_list *ret_reports) {
    parser p = {arena, diags, diags->errors};
    const gp_node *root = NULL;
    gp_status st = begin(&p, text, &root);
    if (st != GP_OK)
        return st;
    const gp_node *list = gp_node_get(root, "reports");
    const bool several = list != NULL && list->kind == GP_NODE_SEQ;
    const size_t count = several ? list->count : 1;
    GP_ROOM(arena, ret_reports, count);
    for (size_t i = 0; i < count && st == GP_OK; i++)
        st = parse_report(&p, several ? list->items[i] : root, &GP_NEXT(*ret_reports));
    return finish(&p, st);
}

gp_status gp_study_parse_point(gp_arena *arena, const gp_text *text, gp_diags *diags,
                               gp_study_point *ret) {
    parser p = {arena, diags, diags->errors};
    const gp_node *root = NULL;
    gp_status st = begin(&p, text, &root);
    return finish(&p, st == GP_OK ? parse_struct(&p, &gp_study_point_type, root, ret) : st);
}

gp_status gp_study_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                         gp_study **ret_study) {
    parser p = {arena, diags, diags->errors};
    const gp_node *root = NULL;
    *ret_study = GP_NEW(arena, gp_study);
    gp_status st = begin(&p, text, &root);
    if (st == GP_OK)
        st = check_version(&p, root);
    if (st == GP_OK && gp_node_get(root, "study") == NULL)
        gp_diags_error(diags, GP_ID_UNKNOWN_KIND, root->span, "what gpuplan sweep -f json writes",
                       NULL, "not a study");
    else if (st == GP_OK)
        st = parse_struct(&p, &gp_study_type, root, *ret_study);
    return finish(&p, st);
}
