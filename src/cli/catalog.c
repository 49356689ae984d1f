/*
 * The `catalog` command: what the catalogue holds, where a row's figures come from, and whether a
 * catalogue file is sound.
 */
#include <stdio.h>
#include <string.h>

#include "catalog/catalog.h"
#include "cli/cells.h"
#include "cli/flow.h"

static const char *const forms[] = {"text", "json", NULL};
enum { FORM_JSON = 2 };
static const char *const actions[] = {"list", "show", "lint", NULL};

static const gp_opt catalog_options[] = {
    GP_FORM(forms, "Form on standard output: text or json."),
    GP_TEXT("grep", grep, "WORD",
            "List only rows with this word in their id or aliases; case is ignored."),
    GP_OPTION_CATALOG,
};

/* A catalogue with the files of --catalog, and those of `lint`, laid over it. */
typedef struct catalog_view {
    gp_cli *cli;
    gp_catalog *catalog;
    gp_diags diags;
    bool json;
} catalog_view;

static const char *text_of(const gp_cells *cells, const char *key) {
    const gp_cell *cell = GP_NAMED(*cells, key, key);
    return cell == NULL ? NULL : cell->text;
}

/* ---- list: the kinds, or one kind's rows with the figures by which people tell them apart */

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

static void load(catalog_view *view, gp_catalog_kind kind, row_table *ret_table) {
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

static void list_kinds(catalog_view *view) {
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

static void list_rows(catalog_view *view, gp_catalog_kind kind) {
    row_table table;
    load(view, kind, &table);
    if (view->json)
        list_json(view->cli, kind, &table);
    else
        list_text(view->cli, &table);
}

/* ---- show: every figure of one row, its unit, and how far it can be trusted */

static size_t key_width(const gp_cells *cells) {
    size_t width = 0;
    for (size_t i = 0; i < cells->count; i++) {
        size_t len = strlen(cells->items[i].key);
        width = len > width && !gp_is_row_word(cells->items[i].key) ? len : width;
    }
    return width;
}

static void text_word(gp_buf *page, const gp_cells *cells, const char *key) {
    const char *text = text_of(cells, key);
    if (text != NULL) {
        gp_page_pad(page, key, 10);
        gp_page_wrap(page, text, 10, 10, 80);
    }
}

/* A figure that another row gave, by `extends` or because this one overlays it. */
static bool is_inherited(const gp_cells *cells, const gp_cell *cell) {
    const char *own = text_of(cells, "source");
    const char *source = cell->origin->source;
    return cell->origin->kind == GP_ORIGIN_CATALOG && own != NULL && source != NULL &&
           strcmp(own, source) != 0;
}

static void text_marks(gp_buf *page, const gp_cells *cells, const gp_cell *cell) {
    gp_buf_str(page, cell->origin->unverified ? "  (unverified)" : "");
    gp_buf_str(page, cell->origin->kind == GP_ORIGIN_DEFAULT ? "  (default)" : "");
    gp_buf_str(page, is_inherited(cells, cell) ? "  (inherited)" : "");
    gp_buf_str(page, "\n");
}

static void show_text(gp_cli *cli, const char *kind, const gp_cells *cells) {
    gp_buf page = GP_PAGE(cli->arena);
    const char *id = text_of(cells, "id");
    size_t width = key_width(cells) + 2;
    gp_buf_printf(&page, "%s/%s\n", kind, id == NULL ? "" : id);
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
        gp_buf_printf(&page, ",\"%s\":", words[i]);
        gp_page_json(&page, "", text_of(cells, words[i]));
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

static void show_row(catalog_view *view, gp_catalog_kind kind, const char *id) {
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

/* ---- lint: loads every row, so that each schema, unit, reference and source error shows, and says
 * how much of the catalogue rests on what */

typedef struct tally {
    size_t rows, unsourced;
    size_t evidence[GP_EVIDENCE_COUNT];
    size_t figures, unverified;
} tally;

static bool is_empty(const gp_cells *cells, const char *key) {
    const char *text = text_of(cells, key);
    return text == NULL || text[0] == '\0';
}

static int evidence_of(const gp_cells *cells) {
    static const char *const words[GP_EVIDENCE_COUNT + 1] = {
        [GP_EVIDENCE_NONE] = "",
        [GP_EVIDENCE_DATASHEET] = "datasheet",
        [GP_EVIDENCE_MEASURED] = "measured",
        [GP_EVIDENCE_DERIVED] = "derived",
        [GP_EVIDENCE_ASSUMED] = "assumed",
    };
    const char *text = text_of(cells, "evidence");
    const int evidence = text == NULL ? -1 : gp_str_index(words, text);
    return evidence < 0 ? GP_EVIDENCE_NONE : evidence;
}

static void count_row(const gp_cells *cells, tally *sum) {
    sum->rows++;
    sum->evidence[evidence_of(cells)]++;
    if (is_empty(cells, "source") || is_empty(cells, "date") || is_empty(cells, "evidence"))
        sum->unsourced++;
    for (size_t i = 0; i < cells->count; i++) {
        if (!gp_is_row_word(cells->items[i].key)) {
            sum->figures++;
            sum->unverified += cells->items[i].origin->unverified ? 1 : 0;
        }
    }
}

static void count_kind(catalog_view *view, gp_catalog_kind kind, tally *sum) {
    gp_cli *cli = view->cli;
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(view->catalog, kind, &rows, &count);
    if (st != GP_OK && st != GP_ERR_INPUT)
        gp_check(cli, st, &view->diags);
    for (size_t i = 0; i < count; i++) {
        gp_cells cells;
        gp_cells_of(cli->arena, gp_catalog_kind_type(kind), rows[i], &cells);
        count_row(&cells, sum);
    }
}

static void write_tally(catalog_view *view, const tally *sum) {
    gp_buf page = GP_PAGE(view->cli->arena);
    const size_t *evidence = sum->evidence;
    gp_buf_printf(&page,
                  view->json
                      ? "{\"valid\":true,\"rows\":%zu,\"figures\":%zu,\"unverified\":%zu,"
                        "\"datasheet\":%zu,\"measured\":%zu,\"derived\":%zu,\"assumed\":%zu}\n"
                      : "%zu rows, %zu figures, %zu of them unverified\n"
                        "rows by evidence: %zu datasheet, %zu measured, %zu derived, %zu assumed\n",
                  sum->rows, sum->figures, sum->unverified, evidence[GP_EVIDENCE_DATASHEET],
                  evidence[GP_EVIDENCE_MEASURED], evidence[GP_EVIDENCE_DERIVED],
                  evidence[GP_EVIDENCE_ASSUMED]);
    gp_stdout_page(view->cli, &page);
}

static void lint(catalog_view *view) {
    tally sum = {0};
    gp_status st = gp_catalog_check(view->catalog);
    if (st != GP_OK && st != GP_ERR_INPUT)
        gp_check(view->cli, st, &view->diags);
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++)
        count_kind(view, (gp_catalog_kind)kind, &sum);
    gp_print_diags(view->cli, &view->diags);
    if (sum.unsourced > 0)
        gp_check(view->cli, GP_ERR_INPUT, &view->diags);
    write_tally(view, &sum);
}

/* ---- the command */

/* gpu -> gpus, switch -> switches, efficiency -> efficiencies. */
static int kind_of_singular(gp_arena *arena, const char *name) {
    size_t len = strlen(name);
    const char *const tries[] = {
        gp_arena_printf(arena, "%ss", name),
        gp_arena_printf(arena, "%ses", name),
        len == 0 ? NULL : gp_arena_printf(arena, "%.*sies", (int)len - 1, name),
    };
    for (size_t i = 0; i < GP_COUNT_OF(tries); i++) {
        int kind = tries[i] == NULL ? -1 : gp_catalog_kind_named(tries[i]);
        if (kind >= 0)
            return kind;
    }
    return -1;
}

/* "gpus", "gpu" -> kind; complains where there is none. */
static gp_catalog_kind parse_kind(gp_cli *cli, const char *name) {
    int kind = gp_catalog_kind_named(name);
    if (kind < 0)
        kind = kind_of_singular(cli->arena, name);
    if (kind >= 0)
        return (gp_catalog_kind)kind;
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_str(&page, "one of: ");
    for (int i = 0; i < GP_CATALOG_KIND_COUNT; i++) {
        gp_buf_str(&page, i == 0 ? "" : ", ");
        gp_buf_str(&page, gp_catalog_kind_name((gp_catalog_kind)i));
    }
    gp_complain_hint(cli, GP_EXIT_USAGE, page.data, "no row kind '%s'", name);
}

static void run_action(catalog_view *view) {
    gp_cli *cli = view->cli;
    const gp_words *words = &cli->settings.operands;
    const char *action = words->items[0];
    if (strcmp(action, "lint") == 0) {
        const gp_words files = {.count = words->count - 1, .items = words->items + 1};
        gp_catalogs_add(cli, view->catalog, &view->diags, &files);
        lint(view);
        return;
    }
    if (strcmp(action, "list") == 0 && words->count == 1) {
        list_kinds(view);
        return;
    }
    if (strcmp(action, "list") == 0 && words->count == 2) {
        list_rows(view, parse_kind(cli, words->items[1]));
        return;
    }
    if (strcmp(action, "show") == 0 && words->count == 3) {
        show_row(view, parse_kind(cli, words->items[1]), words->items[2]);
        return;
    }
    const char *nearest = gp_nearest(action, actions);
    const char *usage = "usage: gpuplan catalog list [KIND] | show KIND ID | lint [FILE...]";
    bool known = nearest != NULL && strcmp(nearest, action) == 0;
    if (known)
        gp_complain_hint(cli, GP_EXIT_USAGE, usage, "'%s' has wrong operands", action);
    gp_complain_hint(cli, GP_EXIT_USAGE, usage, "'%s' is not list, show or lint", action);
}

static void run_catalog(gp_cli *cli) {
    catalog_view view = {.cli = cli, .json = cli->settings.form == FORM_JSON};
    gp_diags_init(&view.diags, cli->arena);
    gp_catalog_open(cli->arena, &view.diags, &view.catalog);
    gp_catalogs_add(cli, view.catalog, &view.diags, &cli->settings.catalogs);
    run_action(&view);
}

const gp_command gp_command_catalog = {
    .name = "catalog",
    .operands = "list [KIND] | show KIND ID | lint [FILE...]",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "List, show and check catalogue rows and their sources.",
    .details = "list prints the kinds of rows, or the rows of a kind with their key figures; show "
               "prints every figure of a row with its source and marks those not read at a primary "
               "source; lint checks the catalogue together with the given files.",
    .examples = "  gpuplan catalog list gpus --grep h200\n"
                "  gpuplan catalog show system dgx-h200\n"
                "  gpuplan catalog lint ours.yaml\n",
    GP_OPTIONS(catalog_options),
    .words = actions,
    .run = run_catalog,
};
