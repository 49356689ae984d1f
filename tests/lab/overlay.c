/*
 * The refitted constants as a document of kind Catalog, so that the shipped values can be made
 * again and a user's own runs can correct them.
 */
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "lab/refit.h"

enum { OVERLAY_MAX_BYTES = 16 << 20, DIGITS = 4 };

/* A number as the catalogue writes it: a percentage, or in the base unit of its dimension. */
static void add_value(gp_buf *buf, double value, gp_dim dim) {
    const char *unit = gp_dim_base_unit(dim);
    bool share = dim == GP_DIM_FRACTION;
    gp_buf_number(buf, share ? value * 100 : value, DIGITS);
    gp_buf_str(buf, share ? "%" : "");
    if (!share && unit[0] != '\0') {
        gp_buf_printf(buf, " %s", unit);
    }
}

static void add_head(gp_buf *buf, const char *id, const gp_free *item) {
    gp_buf_printf(buf, "    - id: %s\n", id);
    gp_buf_printf(buf, "      source: \"fit to %zu runs of %zu models\"\n", item->n, item->shapes);
    gp_buf_str(buf, "      evidence: derived\n");
}

/* A section without rows would not be read again. */
static bool has_kind(const gp_free_list *list, gp_free_kind kind) {
    bool found = false;
    for (size_t i = 0; i < list->count && !found; i++) {
        found = list->items[i].rule->kind == kind && list->items[i].used;
    }
    return found;
}

static void add_constants(gp_buf *buf, const gp_free_list *list) {
    gp_buf_str(buf, "  constants:\n");
    for (size_t i = 0; i < list->count; i++) {
        const gp_free *item = &list->items[i];
        if (item->rule->kind != GP_FREE_CONSTANT || !item->used) {
            continue;
        }
        int field = gp_field_named(&gp_constants_type, item->rule->id, strlen(item->rule->id));
        add_head(buf, item->rule->id, item);
        gp_buf_str(buf, "      value: \"");
        add_value(buf, item->value, gp_constants_type.fields[field].dim);
        gp_buf_str(buf, "\"\n");
    }
}

/* The free number that writes to this member of a row, or NULL. */
static const gp_free *writer_of(const gp_free_list *list, const double *member) {
    for (size_t i = 0; i < list->count; i++) {
        const gp_free *item = &list->items[i];
        for (size_t j = 0; item->used && j < item->target_count; j++) {
            if (item->targets[j] == member) {
                return item;
            }
        }
    }
    return NULL;
}

/* The members of one row that were fitted; the title of its section before the first row. */
static void add_row(gp_buf *buf, const gp_free_list *list, const gp_struct *type, const char *id,
                    const void *row, const char **title) {
    bool begun = false;
    for (size_t f = 0; f < type->field_count; f++) {
        const gp_field *field = &type->fields[f];
        if (field->kind != GP_FIELD_QUANTITY) {
            continue;
        }
        const void *at = (const char *)row + field->offset;
        const gp_free *item = writer_of(list, at);
        if (item == NULL) {
            continue;
        }
        gp_buf_str(buf, *title);
        *title = "";
        if (!begun) {
            gp_buf_printf(buf, "    - id: %s\n", id);
            begun = true;
        }
        gp_buf_printf(buf, "      %s: ", field->key);
        add_value(buf, *(const double *)at, field->dim);
        gp_buf_printf(buf, " # %zu runs, %zu models\n", item->n, item->shapes);
    }
}

static void add_rows(gp_buf *buf, const gp_fitter *fitter, const gp_free_list *list) {
    const char *title = "  efficiencies:\n";
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_EFFICIENCIES);
    for (size_t i = 0; i < fitter->efficiency_count; i++) {
        const gp_efficiency *row = &fitter->efficiencies[i];
        add_row(buf, list, type, row->id, row, &title);
    }
    title = "  powers:\n";
    type = gp_catalog_kind_type(GP_CATALOG_POWERS);
    for (size_t i = 0; i < fitter->power_count; i++) {
        add_row(buf, list, type, fitter->powers[i].id, &fitter->powers[i], &title);
    }
    title = "  stacks:\n";
    type = gp_catalog_kind_type(GP_CATALOG_STACKS);
    for (size_t i = 0; i < fitter->stack_count; i++) {
        const gp_stack *row = &fitter->stacks[i];
        add_row(buf, list, type, row->id, row, &title);
    }
}

static void add_curves(gp_buf *buf, const gp_lab_curve_row *rows, size_t count) {
    static const double microseconds_per_s = 1e6; /* definition */
    if (count > 0) {
        gp_buf_str(buf, "  collectives:\n");
    }
    for (size_t i = 0; i < count; i++) {
        const gp_lab_curve_row *row = &rows[i];
        const char *gpu = row->head->machine->gpu->id;
        const char *name = gp_collective_words[row->head->collective];
        gp_buf_printf(buf,
                      "    - {id: %s/%s/%lld, gpu: %s, collective: %s, ranks: %lld, latency: ", gpu,
                      name, (long long)row->head->ranks, gpu, name, (long long)row->head->ranks);
        add_value(buf, row->curve.latency_s, GP_DIM_TIME);
        gp_buf_str(buf, ", busBandwidth: ");
        add_value(buf, row->curve.bus_bytes_per_s, GP_DIM_BYTES_PER_S);
        gp_buf_str(buf, ", sqrtCoefficient: ");
        gp_buf_number(buf, row->curve.sqrt_s * microseconds_per_s, DIGITS);
        gp_buf_str(buf, ", error: ");
        add_value(buf, row->error_fraction, GP_DIM_FRACTION);
        gp_buf_printf(buf, "} # %zu sizes\n", row->n);
    }
}

static void write_catalog(gp_buf *buf, const gp_fitter *fitter, const gp_free_list *list) {
    gp_buf_str(buf, "apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: fitted}\nspec:\n");
    if (has_kind(list, GP_FREE_CONSTANT)) {
        add_constants(buf, list);
    }
    add_rows(buf, fitter, list);
}

static void write_table(gp_buf *buf, const gp_fitter *fitter, const gp_free_list *list) {
    (void)fitter;
    gp_buf_str(buf,
               "| constant | value | prior | runs | models | |\n|---|---:|---:|---:|---:|---|\n");
    for (size_t i = 0; i < list->count; i++) {
        const gp_free *item = &list->items[i];
        if (item->n == 0) {
            continue;
        }
        gp_buf_printf(buf, "| %s | ", item->name);
        gp_buf_number(buf, item->value, DIGITS);
        gp_buf_str(buf, " | ");
        gp_buf_number(buf, item->rule->prior, DIGITS);
        gp_buf_printf(buf, " | %zu | %zu | %s |\n", item->n, item->shapes,
                      item->sparse ? "drawn to its class" : "");
    }
}

gp_status gp_lab_constants(gp_arena *arena, gp_catalog *catalog, const gp_text *const *texts,
                           size_t text_count, gp_lab_form form, gp_diags *diags,
                           const char **ret_text, size_t *ret_len) {
    gp_fitter fitter;
    gp_fit_point *points = NULL;
    gp_free_list list = {0};
    gp_buf buf;
    size_t count = 0;
    gp_status st = gp_fitter_init(arena, catalog, diags, &fitter);
    if (st == GP_OK) {
        st = gp_lab_collect(&fitter, texts, text_count, &points, &count);
    }
    if (st == GP_OK) {
        st = gp_refit(&fitter, points, count, &list);
    }
    if (st != GP_OK) {
        return st;
    }
    size_t curve_count = 0;
    gp_lab_curve_row *curves = gp_lab_curves(&fitter, points, count, &curve_count);
    gp_buf_init(&buf, arena, OVERLAY_MAX_BYTES);
    if (form == GP_LAB_FORM_CATALOG) {
        write_catalog(&buf, &fitter, &list);
        add_curves(&buf, curves, curve_count);
    } else {
        write_table(&buf, &fitter, &list);
    }
    return gp_buf_finish(&buf, ret_text, ret_len);
}
