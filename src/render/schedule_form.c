/* Machines over time, in words that several forms print. */
#include "render/schedule_form.h"

enum { MONTH_TEXT = 7 };          /* of a date: yyyy-mm */
static const double tenth = 0.05; /* means that print alike */

static bool alike(const gp_report_period *a, const gp_report_period *b) {
    return a->peak_nodes == b->peak_nodes && fabs(a->mean_nodes - b->mean_nodes) < tenth;
}

gp_schedule_run gp_schedule_run_at(const gp_report_schedule *schedule, size_t first) {
    gp_schedule_run run = {first, first};
    while (run.last + 1 < schedule->periods.count &&
           alike(&schedule->periods.items[first], &schedule->periods.items[run.last + 1]))
        run.last++;
    return run;
}

const char *gp_form_period(gp_form_out *out, const gp_report_schedule *schedule,
                           const gp_schedule_run *run) {
    const gp_report_period *first = &schedule->periods.items[run->first];
    const gp_report_period *last = &schedule->periods.items[run->last];
    if (first->start == NULL || last->start == NULL) {
        const char *until = gp_form_seconds(out, last->end_s);
        return first->start_s > 0
                   ? gp_form_text(out, "%s to %s", gp_form_seconds(out, first->start_s), until)
                   : gp_form_text(out, "up to %s", until);
    }
    if (run->first == run->last)
        return gp_form_text(out, "%.*s", MONTH_TEXT, first->start);
    return gp_form_text(out, "%.*s to %.*s", MONTH_TEXT, first->start, MONTH_TEXT, last->start);
}

const char *gp_form_claim_time(gp_form_out *out, const gp_report_claim *claim) {
    const char *from = claim->start_s > 0 ? gp_form_seconds(out, claim->start_s) : "at once";
    if (isfinite(claim->end_s))
        return gp_form_text(out, "%s, until %s", from, gp_form_seconds(out, claim->end_s));
    return gp_form_text(out, "%s, for good", from);
}

const char *gp_form_claim_turn(gp_form_out *out, const gp_report_claim *claim) {
    if (gp_str_equal(claim->turn, "after"))
        return "after others";
    if (gp_str_equal(claim->turn, "idle"))
        return gp_form_text(out, "idle hours, %s", gp_form_share(out, claim->share_fraction));
    if (!isfinite(claim->wait_p95_s))
        return "-";
    return gp_form_text(out, "queue, up to %s", gp_form_seconds(out, claim->wait_p95_s));
}

const char *gp_form_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    const char *kept =
        schedule->spare_nodes + schedule->system_nodes > 0
            ? gp_form_text(out, "; %s and %s beside them",
                           gp_form_plural(out, schedule->spare_nodes, "spare"),
                           gp_form_plural(out, schedule->system_nodes, "system node"))
            : "";
    return gp_form_text(out, "%s at the peak, %s computing on average (%s)%s",
                        gp_form_plural(out, schedule->peak_nodes, "machine"),
                        gp_form_number(out, schedule->mean_nodes),
                        gp_form_share(out, schedule->used_fraction), kept);
}

const char *gp_form_orders(gp_form_out *out, const gp_report_growth *row) {
    const struct {
        const char *what, *when;
    } orders[] = {
        {"", row->order_by}, {"switches ", row->order_fabric_by}, {"power ", row->order_power_by}};
    const char *text = "";
    for (size_t i = 0; i < GP_COUNT_OF(orders); i++)
        if (orders[i].when != NULL)
            text = gp_form_joined(out, text, ", ",
                                  gp_form_text(out, "%s%s", orders[i].what, orders[i].when));
    return text;
}

/* "24-31"; a scenario that is not stated is a dash. */
const char *gp_form_scenarios(gp_form_out *out, const gp_report_growth *row) {
    bool low = row->nodes_low != GP_REPORT_NO_COUNT;
    bool high = row->nodes_high != GP_REPORT_NO_COUNT;
    if (!low && !high)
        return "";
    return gp_form_text(out, "%s-%s", low ? gp_form_count(out, row->nodes_low) : "",
                        high ? gp_form_count(out, row->nodes_high) : "");
}

/* What the site has no room for: "4 x aws/p5". */
const char *gp_form_rent(gp_form_out *out, const gp_report_growth *row) {
    if (row->rent_nodes <= 0)
        return "";
    return gp_form_text(out, "%s x %s", gp_form_count(out, row->rent_nodes),
                        gp_form_or(row->rent_from, "?"));
}
