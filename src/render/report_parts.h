/* Sections of a report, as blocks; report_form.c has their order and what opens them. */
#ifndef GP_RENDER_REPORT_PARTS_H
#define GP_RENDER_REPORT_PARTS_H

#include "render/block.h"
#include "render/chart.h"

typedef void gp_say(gp_form_out *out, const gp_report *report);

/* A section of its own for each. */
gp_say gp_say_workloads;
/* Power, cooling, racks, fabrics; of several sites each in a section of its own. */
gp_say gp_say_site;
gp_say gp_say_time;
gp_say gp_say_teams;
gp_say gp_say_growth;
gp_say gp_say_bill;
gp_say gp_say_cost;
gp_say gp_say_tests;
gp_say gp_say_assumptions;
gp_say gp_say_method;
gp_say gp_say_sources;
gp_say gp_say_inputs;
/* On a terminal, with what is waived in a section of its own. */
gp_say gp_text_findings;

/* Facts, between gp_block_facts and its end. */
void gp_say_workload_facts(gp_form_out *out, const gp_report *report,
                           const gp_report_workload *workload);
void gp_say_service_facts(gp_form_out *out, const gp_report *report,
                          const gp_report_workload *workload);
void gp_say_rl_facts(gp_form_out *out, const gp_report_rl *rl);
void gp_say_seats_facts(gp_form_out *out, const gp_report_seats *seats);
void gp_say_site_facts(gp_form_out *out, const gp_report *report);
void gp_say_cost_facts(gp_form_out *out, const gp_report_cost *cost);

#endif
