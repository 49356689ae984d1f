/* Parts of the HTML form. */
#ifndef GP_RENDER_HTML_PARTS_H
#define GP_RENDER_HTML_PARTS_H

#include "render/chart.h"

/* A sheet per workload. */
void gp_html_workload(gp_form_out *out, const gp_report *report, const gp_report_workload *workload,
                      const char *id);
/* Power, cooling, racks, fabrics; machines over time; growth. */
void gp_html_site(gp_form_out *out, const gp_report *report, const char *prefix);
/* The bill of quantities, cost, owning against renting. */
void gp_html_money(gp_form_out *out, const gp_report *report, const char *prefix);
/* Acceptance tests, assumptions, method, sources, inputs. */
void gp_html_basis(gp_form_out *out, const gp_report *report, const char *prefix);

#endif
