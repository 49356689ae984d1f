/* Machines over time, in the text form: a bar per stretch of the horizon, and what holds them. */
#include "render/schedule_form.h"
#include "render/tables.h"
#include "render/text_form.h"

enum { BAR_MOST = 30, BAR_LEAST = 8, BESIDE_BAR = 68 };

/* '#' for machines that compute, '-' for those that are held; as wide as the terminal allows. */
static const char *bar(gp_form_out *out, double mean, double held, double most) {
    char text[BAR_MOST + 1];
    const int64_t room = out->width > 0 ? out->width - BESIDE_BAR : BAR_MOST;
    const int64_t wide = gp_num_max_i64(BAR_LEAST, gp_num_min_i64(BAR_MOST, room));
    const int64_t full = most > 0 ? gp_num_floor_count(mean / most * (double)wide + 0.5) : 0;
    const int64_t end = most > 0 ? gp_num_floor_count(held / most * (double)wide + 0.5) : 0;
    for (int64_t i = 0; i < wide; i++)
        text[i] = i < full ? '#' : i < end ? '-' : ' ';
    text[wide] = '\0';
    return gp_form_text(out, "%s", text);
}

static bool is_told(const gp_report_period *period, size_t kind) {
    for (size_t k = 0; k < kind; k++)
        if (gp_str_equal(period->kinds.items[k].system, period->kinds.items[kind].system))
            return true;
    return false;
}

/* Of the kind from all pools that have it. */
static int64_t nodes_of_kind(const gp_report_period *period, size_t kind) {
    int64_t nodes = 0;
    for (size_t k = kind; k < period->kinds.count; k++)
        if (gp_str_equal(period->kinds.items[k].system, period->kinds.items[kind].system))
            nodes += period->kinds.items[k].peak_nodes;
    return nodes;
}

/* "18 dgx-h200, 4 dgx-b200" */
static const char *kinds_of(gp_form_out *out, const gp_report_period *period) {
    const char *text = "";
    for (size_t k = 0; k < period->kinds.count; k++) {
        const int64_t nodes = is_told(period, k) ? 0 : nodes_of_kind(period, k);
        if (nodes > 0)
            text = gp_form_joined(out, text, ", ",
                                  gp_form_text(out, "%s %s", gp_form_count(out, nodes),
                                               gp_form_or(period->kinds.items[k].system, "?")));
    }
    return text;
}

static void print_periods(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_table table = GP_TABLE("~When", "", ">Held", ">Computing", "~Of which");
    for (size_t i = 0; i < schedule->periods.count;) {
        const gp_schedule_run run = gp_schedule_run_at(schedule, i);
        const gp_report_period *period = &schedule->periods.items[i];
        GP_TABLE_ROW(
            out, &table, gp_form_period(out, schedule, &run),
            bar(out, period->mean_nodes, (double)period->peak_nodes, (double)schedule->peak_nodes),
            gp_form_count(out, period->peak_nodes), gp_form_number(out, period->mean_nodes),
            kinds_of(out, period));
        i = run.last + 1;
    }
    gp_block_table(out, NULL, &table);
}

/* Machines by the hour: one line each, for a working day. */
static void print_day(gp_form_out *out, const gp_report_schedule *schedule) {
    int64_t least = 0;
    int64_t most = 0;
    int64_t at = 0;
    for (size_t h = 0; h < schedule->day.count; h++) {
        const gp_report_day_hour *hour = &schedule->day.items[h];
        if (h == 0 || hour->nodes < least) {
            least = hour->nodes;
            at = hour->hour;
        }
        most = gp_num_max_i64(most, hour->nodes);
    }
    if (schedule->day.count > 0 && least < most)
        gp_labelled(out, "a day",
                    gp_form_text(out, "%s machines held at the busiest hour, %s at %02lld:00",
                                 gp_form_count(out, most), gp_form_count(out, least),
                                 (long long)at));
}

void gp_text_teams(gp_form_out *out, const gp_report *report) {
    gp_table table;
    if (report->teams.count == 0)
        return;
    gp_text_heading(out, "TEAMS, IN GPUS");
    gp_table_teams(out, report, &table);
    gp_block_table(out, NULL, &table);
}

void gp_text_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_table table;
    if (schedule->claims.count == 0)
        return;
    gp_text_heading(out, "SCHEDULE");
    gp_labelled(out, "over time", gp_form_schedule(out, schedule));
    print_day(out, schedule);
    print_periods(out, schedule);
    gp_table_claims(out, schedule, &table);
    gp_block_table(out, NULL, &table);
}
