/*
 * `catalog lint`: loads every row, so that each schema, unit, reference and source error shows, and
 * says how much of the catalogue rests on what.
 */
#include "cli/catalog.h"

#include <string.h>

typedef struct tally {
    size_t rows, unsourced;
    size_t evidence[GP_EVIDENCE_COUNT];
    size_t figures, unverified;
} tally;

static bool is_empty(const gp_cells *cells, const char *key) {
    const gp_cell *cell = GP_NAMED(*cells, key, key);
    return cell == NULL || cell->text[0] == '\0';
}

static int evidence_of(const gp_cells *cells) {
    static const char *const words[GP_EVIDENCE_COUNT] = {
        [GP_EVIDENCE_NONE] = "",
        [GP_EVIDENCE_DATASHEET] = "datasheet",
        [GP_EVIDENCE_MEASURED] = "measured",
        [GP_EVIDENCE_DERIVED] = "derived",
        [GP_EVIDENCE_ASSUMED] = "assumed",
    };
    const gp_cell *cell = GP_NAMED(*cells, key, "evidence");
    for (int i = 0; cell != NULL && i < GP_EVIDENCE_COUNT; i++)
        if (strcmp(words[i], cell->text) == 0)
            return i;
    return GP_EVIDENCE_NONE;
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

static void count_kind(gp_catalog_view *view, gp_catalog_kind kind, tally *sum) {
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

static void write_tally(gp_catalog_view *view, const tally *sum) {
    gp_buf page = GP_PAGE(view->cli->arena);
    const size_t *evidence = sum->evidence;
    if (view->json) {
        gp_buf_printf(&page,
                      "{\"valid\":true,\"rows\":%zu,\"figures\":%zu,\"unverified\":%zu,"
                      "\"datasheet\":%zu,\"measured\":%zu,\"derived\":%zu,\"assumed\":%zu}\n",
                      sum->rows, sum->figures, sum->unverified, evidence[GP_EVIDENCE_DATASHEET],
                      evidence[GP_EVIDENCE_MEASURED], evidence[GP_EVIDENCE_DERIVED],
                      evidence[GP_EVIDENCE_ASSUMED]);
    } else {
        gp_buf_printf(&page,
                      "%zu rows, %zu figures, %zu of them unverified\n"
                      "rows by evidence: %zu datasheet, %zu measured, %zu derived, %zu assumed\n",
                      sum->rows, sum->figures, sum->unverified, evidence[GP_EVIDENCE_DATASHEET],
                      evidence[GP_EVIDENCE_MEASURED], evidence[GP_EVIDENCE_DERIVED],
                      evidence[GP_EVIDENCE_ASSUMED]);
    }
    gp_stdout_page(view->cli, &page);
}

void gp_catalog_lint(gp_catalog_view *view) {
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
