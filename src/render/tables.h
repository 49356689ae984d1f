/* Tables of a report, for text, Markdown and pages alike. */
#ifndef GP_RENDER_TABLES_H
#define GP_RENDER_TABLES_H

#include "render/block.h"

/* The bill of quantities, with the sum of what has a price. */
void gp_table_bill(gp_form_out *out, const gp_report *report, gp_table *table);
/* Growth, quarter by quarter, and how far each limit is from first to last. */
void gp_table_quarters(gp_form_out *out, const gp_report *report, gp_table *table);
void gp_table_horizon(gp_form_out *out, const gp_report *report, gp_table *table);
/* What holds machines over time. */
void gp_table_claims(gp_form_out *out, const gp_report_schedule *schedule, gp_table *table);
/* What each workload needs. */
void gp_table_verdicts(gp_form_out *out, const gp_report *report, gp_table *table);
void gp_table_sweep(gp_form_out *out, const gp_sweep *sweep, gp_table *table);

#endif
