/*
 * `catalog list`: the kinds, or one kind's rows with the figures by which people tell them apart.
 */
#include "cli/catalog.h"

#include <string.h>

enum { FIGURES_MAX = 6 };

/* Which figures a kind's table shows; any key of its rows may stand here. */
static const char *const figures[GP_CATALOG_KIND_COUNT][FIGURES_MAX + 1] = {
    [GP_CATALOG_GPUS] = {"memory", "memoryBandwidth", "flops.bf16", "flops.fp8", "tdp", NULL},
    [GP_CATALOG_SYSTEMS] = {"gpu", "gpus", "domain", "maxPower", "height", "cooling", NULL},
    [GP_CATALOG_SWITCHES] = {"fabric", "ports", "portRate", "maxPower", NULL},
    [GP_CATALOG_STORAGE] = {"vendor", "read", "usableCapacity", "maxPower", NULL},
    [GP_CATALOG_COOLING] = {"kind", "name", "max", "capacity", NULL},
    [GP_CATALOG_CLOUDS] = {"gpu", "gpus", "network", "onDemand", "region", NULL},
    [GP_CATALOG_GRIDS] = {"region", "value", "year", NULL},
    [GP_CATALOG_PUES] = {"operator", "region", "value", "year", NULL},
    [GP_CATALOG_COLLECTIVES] = {"gpu", "collective", "ranks", "busBandwidth", "error", NULL},
    [GP_CATALOG_MODELS] = {"parameters", "activeParameters", "layers", "hidden", "context", NULL},
    [GP_CATALOG_CONSTANTS] = {"value", "evidence", NULL},
    [GP_CATALOG_EFFICIENCIES] = {"gpu", "arch", "precision", "gemm", "error", NULL},
    [GP_CATALOG_STACKS] = {"name", "release", "role", "timeFactor", NULL},
    [GP_CATALOG_TUNINGS] = {"factor", "evidence", NULL},
    [GP_CATALOG_POWERS] = {"gpu", "arch", "weights", "compute", "error", NULL},
    [GP_CATALOG_DESIGNS] = {"generation", "rails", "planes", "radix", "unitNodes", NULL},
    [GP_CATALOG_PARTITIONS] = {"method", "slices", "compute", NULL},
    [GP_CATALOG_PROCESSORS] = {"rule", "patch", "merge", "maxPixels", "maxPatches", "tile", NULL},
};

static const char *text_of(const gp_cells *cells, const char *key) {
    const gp_cell *cell = GP_NAMED(*cells, key, key);
    return cell == NULL ? NULL : cell->text;
}

static bool is_wanted(const gp_cells *cells, const char *word) {
    const char *aliases = text_of(cells, "aliases");
    const char *id = text_of(cells, "id");
    return word == NULL || word[0] == '\0' || gp_str_find_nocase(id, word) != NULL ||
           gp_str_find_nocase(aliases, word) != NULL;
}

/* The rows that --grep leaves, as cells. */
typedef struct row_table {
    size_t count;
    gp_cells *rows;
    const char *const *keys;
} row_table;

static void load(gp_catalog_view *view, gp_catalog_kind kind, row_table *ret_table) {
    gp_cli *cli = view->cli;
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(view->catalog, kind, &rows, &count);
    gp_check(cli, st, &view->diags);
    *ret_table = (row_table){.keys = figures[kind]};
    ret_table->rows = GP_NEW_ARRAY(cli->arena, gp_cells, count == 0 ? 1 : count);
    for (size_t i = 0; i < count; i++) {
        gp_cells *cells = &ret_table->rows[ret_table->count];
        gp_cells_of(cli->arena, gp_catalog_kind_type(kind), rows[i], cells);
        ret_table->count += is_wanted(cells, cli->settings.grep) ? 1 : 0;
    }
}

static size_t column_width(const row_table *table, const char *key) {
    size_t width = strlen(key);
    for (size_t i = 0; i < table->count; i++) {
        const char *text = text_of(&table->rows[i], key);
        size_t len = text == NULL ? 1 : strlen(text);
        width = len > width ? len : width;
    }
    return width;
}

static void print_row(gp_buf *page, const row_table *table, const gp_cells *cells,
                      const size_t *widths) {
    const char *id = cells == NULL ? "id" : text_of(cells, "id");
    for (size_t i = 0; table->keys[i] != NULL; i++) {
        gp_page_pad(page, id == NULL ? "-" : id, widths[i] + 2);
        id = cells == NULL ? table->keys[i] : text_of(cells, table->keys[i]);
    }
    gp_buf_str(page, id == NULL ? "-" : id);
    gp_buf_str(page, "\n");
}

static void list_text(gp_cli *cli, const row_table *table) {
    size_t widths[FIGURES_MAX + 1] = {column_width(table, "id")};
    for (size_t i = 0; table->keys[i] != NULL; i++)
        widths[i + 1] = column_width(table, table->keys[i]);
    gp_buf page = GP_PAGE(cli->arena);
    print_row(&page, table, NULL, widths);
    for (size_t i = 0; i < table->count; i++)
        print_row(&page, table, &table->rows[i], widths);
    gp_stdout_page(cli, &page);
}

static void list_json(gp_cli *cli, gp_catalog_kind kind, const row_table *table) {
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_printf(&page, "{\"kind\":\"%s\",\"rows\":[", gp_catalog_kind_name(kind));
    for (size_t i = 0; i < table->count; i++) {
        const gp_cells *cells = &table->rows[i];
        gp_page_json(&page, i == 0 ? "\n{\"id\":" : ",\n{\"id\":", text_of(cells, "id"));
        for (size_t j = 0; table->keys[j] != NULL; j++) {
            gp_page_json(&page, ",", table->keys[j]);
            gp_page_json(&page, ":", text_of(cells, table->keys[j]));
        }
        gp_buf_str(&page, "}");
    }
    gp_buf_str(&page, "\n]}\n");
    gp_stdout_page(cli, &page);
}

void gp_catalog_list_kinds(gp_catalog_view *view) {
    if (view->cli->settings.grep != NULL)
        gp_complain(view->cli, GP_EXIT_USAGE, "--grep needs a kind of row: list KIND");
    gp_buf page = GP_PAGE(view->cli->arena);
    gp_buf_str(&page, view->json ? "{\"kinds\":[" : "kind          rows\n");
    for (int i = 0; i < GP_CATALOG_KIND_COUNT; i++) {
        gp_catalog_kind kind = (gp_catalog_kind)i;
        const void *const *rows = NULL;
        size_t count = 0;
        gp_status st = gp_catalog_rows(view->catalog, kind, &rows, &count);
        gp_check(view->cli, st, &view->diags);
        const char *name = gp_catalog_kind_name(kind);
        if (view->json) {
            gp_buf_printf(&page, "%s{\"kind\":\"%s\",\"rows\":%zu}", i == 0 ? "" : ",", name,
                          count);
        } else {
            gp_page_pad(&page, name, 14);
            gp_buf_printf(&page, "%zu\n", count);
        }
    }
    gp_buf_str(&page, view->json ? "]}\n" : "");
    gp_stdout_page(view->cli, &page);
}

void gp_catalog_list(gp_catalog_view *view, gp_catalog_kind kind) {
    row_table table;
    load(view, kind, &table);
    if (view->json)
        list_json(view->cli, kind, &table);
    else
        list_text(view->cli, &table);
}
