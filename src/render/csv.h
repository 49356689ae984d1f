/* Cells of comma-separated values (RFC 4180), safe to open in a spreadsheet. */
#ifndef GP_RENDER_CSV_H
#define GP_RENDER_CSV_H

#include "base/buf.h"

/* Quoted where it must be; a text that a spreadsheet would run as a formula gets an apostrophe
 * before it, control characters become blanks. NULL: an empty cell. */
void gp_csv_text(gp_buf *buf, const char *text);
/* 6 significant digits; an empty cell for what is not finite. */
void gp_csv_number(gp_buf *buf, double value);

#endif
