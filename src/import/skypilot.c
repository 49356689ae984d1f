/* SkyPilot's catalogue of virtual machines (vms.csv): a price and a spot price by instance and
 * region; an empty or a zero one is missing. */

#include "base/num.h"
#include "import/prices.h"
#include "schema/diag_ids.h"
#include "source/csv_tree.h"

static gp_status refuse_header(const gp_text *csv, gp_diags *diags) {
    gp_diags_error(diags, GP_ID_MISSING_KEY, (gp_span){.text = csv},
                   "the columns InstanceType, Price and Region", NULL,
                   "%s is no catalogue of SkyPilot", csv->name);
    return GP_ERR_INPUT;
}

/* An empty cell is zero, which counts as missing; what is no number is refused. */
static gp_status price_at(const gp_csv *csv, size_t row, int column, gp_diags *diags,
                          double *ret_price) {
    *ret_price = 0;
    if (column < 0)
        return GP_OK;
    const gp_csv_cell *cell = gp_csv_at(csv, row, (size_t)column);
    if (cell->len > 0 && !gp_num_parse(cell->text, cell->len, ret_price)) {
        gp_diags_error(diags, GP_ID_WRONG_TYPE, gp_csv_span(csv, cell), "a number, or nothing",
                       NULL, "this is no price");
        return GP_ERR_INPUT;
    }
    return GP_OK;
}

gp_status gp_price_skypilot_add(gp_price_book *book, const gp_text *csv, gp_diags *diags) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_csv table;
    gp_status st = gp_csv_read(book->arena, csv, &limits, diags, &table);
    if (st)
        return st;
    int instance = gp_csv_column(&table, "InstanceType"), region = gp_csv_column(&table, "Region");
    int columns[] = {gp_csv_column(&table, "Price"), gp_csv_column(&table, "SpotPrice")};
    static const int tiers[] = {GP_TIER_ON_DEMAND, GP_TIER_SPOT};
    if (instance < 0 || region < 0 || columns[0] < 0)
        return refuse_header(csv, diags);
    book->currency = "USD";
    for (size_t row = 0; row < table.rows && !st; row++) {
        const gp_csv_cell *name = gp_csv_at(&table, row, (size_t)instance);
        const gp_csv_cell *place = gp_csv_at(&table, row, (size_t)region);
        for (size_t i = 0; i < 2 && !st; i++) {
            double price = 0;
            st = price_at(&table, row, columns[i], diags, &price);
            if (!st && columns[i] >= 0)
                st = gp_price_book_add(book, name->text, place->len > 0 ? place->text : NULL,
                                       tiers[i], price);
        }
    }
    return st;
}
