/*
 * `catalog show`: every figure of one row, its unit, and how far it can be trusted.
 */
#include "cli/catalog.h"

#include <stdio.h>
#include <string.h>

static size_t key_width(const gp_cells *cells) {
    size_t width = 0;
    for (size_t i = 0; i < cells->count; i++) {
        size_t len = strlen(cells->items[i].key);
        width = len > width && !gp_is_row_word(cells->items[i].key) ? len : width;
    }
    return width;
}

static void text_word(gp_buf *page, const gp_cells *cells, const char *key) {
    const gp_cell *cell = GP_NAMED(*cells, key, key);
    if (cell != NULL) {
        gp_page_pad(page, key, 10);
        gp_page_wrap(page, cell->text, 10, 10, 80);
    }
}

/* A figure that another row gave, by `extends` or because this one overlays it. */
static bool is_inherited(const gp_cells *cells, const gp_cell *cell) {
    const gp_cell *own = GP_NAMED(*cells, key, "source");
    const char *source = cell->origin->source;
    return cell->origin->kind == GP_ORIGIN_CATALOG && own != NULL && source != NULL &&
           strcmp(own->text, source) != 0;
}

static void text_marks(gp_buf *page, const gp_cells *cells, const gp_cell *cell) {
    gp_buf_str(page, cell->origin->unverified ? "  (unverified)" : "");
    gp_buf_str(page, cell->origin->kind == GP_ORIGIN_DEFAULT ? "  (default)" : "");
    gp_buf_str(page, is_inherited(cells, cell) ? "  (inherited)" : "");
    gp_buf_str(page, "\n");
}

static void show_text(gp_cli *cli, const char *kind, const gp_cells *cells) {
    gp_buf page = GP_PAGE(cli->arena);
    const gp_cell *id = GP_NAMED(*cells, key, "id");
    size_t width = key_width(cells) + 2;
    gp_buf_printf(&page, "%s/%s\n", kind, id == NULL ? "" : id->text);
    for (size_t i = 0; i < cells->count; i++) {
        const gp_cell *cell = &cells->items[i];
        if (gp_is_row_word(cell->key))
            continue;
        gp_buf_str(&page, "  ");
        gp_page_pad(&page, cell->key, width);
        gp_buf_str(&page, cell->text);
        text_marks(&page, cells, cell);
    }
    static const char *const words[] = {"aliases", "extends",  "source",
                                        "date",    "evidence", "notes"};
    for (size_t i = 0; i < GP_COUNT_OF(words); i++)
        text_word(&page, cells, words[i]);
    gp_stdout_page(cli, &page);
}

static void json_value(gp_buf *page, const gp_cell *cell) {
    if (cell->kind == GP_FIELD_QUANTITY || cell->kind == GP_FIELD_COUNT) {
        /* The program never sets a locale, so the decimal point is a point. */
        char number[40];
        (void)snprintf(number, sizeof number, "%.15g", cell->number);
        gp_buf_str(page, number);
    } else if (cell->kind == GP_FIELD_BOOL) {
        gp_buf_str(page, cell->truth ? "true" : "false");
    } else {
        gp_page_json(page, "", cell->text);
    }
}

static void json_cell(gp_buf *page, const gp_cell *cell) {
    gp_page_json(page, "{\"key\":", cell->key);
    gp_buf_str(page, ",\"value\":");
    json_value(page, cell);
    gp_page_json(
        page, ",\"unit\":", cell->kind == GP_FIELD_QUANTITY ? gp_dim_base_unit(cell->dim) : NULL);
    gp_page_json(page, ",\"text\":", cell->text);
    gp_buf_printf(page, ",\"unverified\":%s,\"origin\":\"%s\",\"source\":",
                  cell->origin->unverified ? "true" : "false",
                  cell->origin->kind == GP_ORIGIN_DEFAULT ? "default" : "catalog");
    gp_page_json(page, "", cell->origin->source);
    gp_buf_str(page, "}");
}

static void show_json(gp_cli *cli, const char *kind, const gp_cells *cells) {
    static const char *const words[] = {"id",   "extends",  "aliases", "source",
                                        "date", "evidence", "notes"};
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_printf(&page, "{\"kind\":\"%s\"", kind);
    for (size_t i = 0; i < GP_COUNT_OF(words); i++) {
        const gp_cell *cell = GP_NAMED(*cells, key, words[i]);
        gp_buf_printf(&page, ",\"%s\":", words[i]);
        gp_page_json(&page, "", cell == NULL ? NULL : cell->text);
    }
    gp_buf_str(&page, ",\"fields\":[");
    bool first = true;
    for (size_t i = 0; i < cells->count; i++) {
        if (!gp_is_row_word(cells->items[i].key)) {
            gp_buf_str(&page, first ? "\n" : ",\n");
            json_cell(&page, &cells->items[i]);
            first = false;
        }
    }
    gp_buf_str(&page, "\n]}\n");
    gp_stdout_page(cli, &page);
}

void gp_catalog_show(gp_catalog_view *view, gp_catalog_kind kind, const char *id) {
    gp_cli *cli = view->cli;
    const void *row = NULL;
    const char *nearest = NULL;
    const char *choices = NULL;
    gp_status st = gp_catalog_find(view->catalog, kind, id, &row, &nearest, &choices);
    if (st == GP_ERR_INPUT && view->diags.errors == 0) {
        const char *hint =
            gp_arena_printf(cli->arena, "one of: %s", choices == NULL ? "" : choices);
        gp_complain_hint(cli, GP_EXIT_USAGE, hint, "'%s' is the name of several rows", id);
    }
    if (st == GP_ERR_NOT_FOUND) {
        const char *all =
            gp_arena_printf(cli->arena, "see: gpuplan catalog list %s", gp_catalog_kind_name(kind));
        gp_complain_hint(cli, GP_EXIT_USAGE, gp_nearest_hint(cli, nearest, all),
                         "no %s '%s' in the catalogue", gp_catalog_kind_noun(kind), id);
    }
    gp_cells cells;
    gp_check(cli, st, &view->diags);
    gp_cells_of(cli->arena, gp_catalog_kind_type(kind), row, &cells);
    const char *name = gp_catalog_kind_name(kind);
    if (view->json)
        show_json(cli, name, &cells);
    else
        show_text(cli, name, &cells);
}
