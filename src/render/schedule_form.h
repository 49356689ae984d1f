/* Machines over time, in words that several forms print. */
#ifndef GP_RENDER_SCHEDULE_FORM_H
#define GP_RENDER_SCHEDULE_FORM_H

#include "render/form.h"

/* Periods that look alike are one line: from the first to the last of them. */
typedef struct gp_schedule_run {
    size_t first, last;
} gp_schedule_run;

/* The run that starts at `first`. */
gp_schedule_run gp_schedule_run_at(const gp_report_schedule *schedule, size_t first);
/* "2027-01", "2027-01 to 2027-06", "week 1 to 13" */
const char *gp_form_period(gp_form_out *out, const gp_report_schedule *schedule,
                           const gp_schedule_run *run);
/* "from day 12 to day 61", "for good", "every run waits up to 6 h" */
const char *gp_form_claim_time(gp_form_out *out, const gp_report_claim *claim);
const char *gp_form_claim_turn(gp_form_out *out, const gp_report_claim *claim);
/* "22 machines at the peak, 17.3 computing on average (78.6%)" */
const char *gp_form_schedule(gp_form_out *out, const gp_report_schedule *schedule);
/* "24-31"; a scenario that is not stated is a dash. */
const char *gp_form_scenarios(gp_form_out *out, const gp_report_growth *row);
/* "2026-10-01, switches 2026-11-12, power 2026-04-01" */
const char *gp_form_orders(gp_form_out *out, const gp_report_growth *row);
/* Machines to rent, or "". */
const char *gp_form_rent(gp_form_out *out, const gp_report_growth *row);

#endif
