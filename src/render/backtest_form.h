/* Forms of a backtest, and the tables that the forms for people share. */
#ifndef GP_RENDER_BACKTEST_FORM_H
#define GP_RENDER_BACKTEST_FORM_H

#include "fit/backtest.h"
#include "render/table.h"

/* "666 estimates scored, 3 unsupported, 166 skipped" */
const char *gp_backtest_counts(gp_form_out *out, const gp_backtest *backtest);
/* Tables of the result; those without rows are left out. */
typedef enum gp_backtest_part {
    GP_BACKTEST_CLASSES, /* errors by class and metric, over all in the last row */
    GP_BACKTEST_FITS,    /* whether configurations ran */
    GP_BACKTEST_GROUPS,
    GP_BACKTEST_WORST,
    GP_BACKTEST_PART_COUNT
} gp_backtest_part;
void gp_backtest_table(gp_form_out *out, const gp_backtest *backtest, gp_backtest_part part,
                       gp_table *ret_table);

#endif
