/* Machines over time: what holds them, how teams share them, and how they grow. */
#include "render/report_parts.h"

/* ---- words */

enum { MONTH_TEXT = 7 };          /* of a date: yyyy-mm */
static const double tenth = 0.05; /* means that print alike */

static bool alike(const gp_report_period *a, const gp_report_period *b) {
    return a->peak_nodes == b->peak_nodes && fabs(a->mean_nodes - b->mean_nodes) < tenth;
}

/* Periods that look alike are one line: from the first to the last of them. */
typedef struct period_run {
    size_t first, last;
} period_run;

static period_run run_at(const gp_report_schedule *schedule, size_t first) {
    period_run run = {first, first};
    while (run.last + 1 < schedule->periods.count &&
           alike(&schedule->periods.items[first], &schedule->periods.items[run.last + 1]))
        run.last++;
    return run;
}

static const char *period_words(gp_form_out *out, const gp_report_schedule *schedule,
                                const period_run *run) {
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

static const char *claim_time(gp_form_out *out, const gp_report_claim *claim) {
    const char *from = claim->start_s > 0 ? gp_form_seconds(out, claim->start_s) : "day 1";
    if (isfinite(claim->end_s))
        return gp_form_text(out, "%s, until %s", from, gp_form_seconds(out, claim->end_s));
    return gp_form_text(out, "%s, open-ended", from);
}

static const char *claim_turn(gp_form_out *out, const gp_report_claim *claim) {
    if (gp_str_equal(claim->turn, "after"))
        return "after other runs";
    if (gp_str_equal(claim->turn, "idle"))
        return gp_form_text(out, "idle hours, %s", gp_form_share(out, claim->share_fraction));
    if (!isfinite(claim->wait_p95_s))
        return "-";
    return gp_form_text(out, "queue, up to %s", gp_form_seconds(out, claim->wait_p95_s));
}

static const char *schedule_words(gp_form_out *out, const gp_report_schedule *schedule) {
    const char *kept =
        gp_form_if(out, schedule->spare_nodes + schedule->system_nodes > 0, "; plus %s and %s",
                   gp_form_plural(out, schedule->spare_nodes, "spare"),
                   gp_form_plural(out, schedule->system_nodes, "system node"));
    return gp_form_text(out, "%s at the peak, %s computing on average (%s)%s",
                        gp_form_plural(out, schedule->peak_nodes, "machine"),
                        gp_form_number(out, schedule->mean_nodes),
                        gp_form_share(out, schedule->used_fraction), kept);
}

static const char *order_words(gp_form_out *out, const gp_report_growth *row) {
    const struct {
        const char *what, *when;
    } orders[] = {
        {"", row->order_by}, {"switches ", row->order_fabric_by}, {"power ", row->order_power_by}};
    const char *text = "";
    for (size_t i = 0; i < GP_COUNT_OF(orders); i++)
        if (orders[i].when != NULL)
            text = gp_form_joined(out, text, ", ", "%s%s", orders[i].what, orders[i].when);
    return text;
}

/* "24-31"; of a scenario alone what it comes to at most, or at least. */
static const char *scenario_words(gp_form_out *out, const gp_report_growth *row) {
    const bool low = row->nodes_low != GP_REPORT_NO_COUNT;
    const bool high = row->nodes_high != GP_REPORT_NO_COUNT;
    if (low && high)
        return gp_form_text(out, "%s-%s", gp_form_count(out, row->nodes_low),
                            gp_form_count(out, row->nodes_high));
    if (high)
        return gp_form_text(out, "up to %s", gp_form_count(out, row->nodes_high));
    return low ? gp_form_text(out, "from %s", gp_form_count(out, row->nodes_low)) : "";
}

/* What is rented: "4 x cloud:aws/p5", and the count alone where that is as it was before. */
static const char *rent_words(gp_form_out *out, const gp_report *report, size_t i) {
    const gp_report_growth *row = &report->growth.items[i];
    if (row->rent_nodes <= 0)
        return "";
    if (i > 0 && row->rent_from != NULL &&
        gp_str_equal(row->rent_from, report->growth.items[i - 1].rent_from))
        return gp_form_count(out, row->rent_nodes);
    return gp_form_text(out, "%s x %s", gp_form_count(out, row->rent_nodes),
                        gp_form_or(row->rent_from, "?"));
}

/* ---- over the horizon */

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
        const gp_report_period_kind *kinds = period->kinds.items;
        const bool told = GP_NAMED_OF(kinds, k, system, kinds[k].system) != NULL;
        const int64_t nodes = told ? 0 : nodes_of_kind(period, k);
        if (nodes > 0)
            text = gp_form_joined(out, text, ", ", "%s %s", gp_form_count(out, nodes),
                                  gp_form_or(period->kinds.items[k].system, "?"));
    }
    return text;
}

static void say_periods(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_table table = GP_TABLE("~When", "", ">Held", ">Computing", "~Of which");
    for (size_t i = 0; i < schedule->periods.count;) {
        const period_run run = run_at(schedule, i);
        const gp_report_period *period = &schedule->periods.items[i];
        GP_TABLE_ROW(out, &table, period_words(out, schedule, &run),
                     out->layout == GP_LAYOUT_TEXT
                         ? bar(out, period->mean_nodes, (double)period->peak_nodes,
                               (double)schedule->peak_nodes)
                         : "",
                     gp_form_count(out, period->peak_nodes),
                     gp_form_number(out, period->mean_nodes), kinds_of(out, period));
        i = run.last + 1;
    }
    gp_table_drop_empty(&table);
    gp_block_table(out, NULL, &table);
}

/* Machines by the hour: one line each, for a working day. */
static void say_day(gp_form_out *out, const gp_report_schedule *schedule) {
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
        gp_block_note(out,
                      "Over a day, %s machines are in use at the busiest hour and %s at %02lld:00.",
                      gp_form_count(out, most), gp_form_count(out, least), (long long)at);
}

/* A column per period as high as the machines held, the part that computes filled. */
static void draw_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_chart_span spans[GP_CHART_SPANS];
    size_t count = 0;
    for (size_t i = 0; i < schedule->periods.count && count < GP_CHART_SPANS; i++) {
        const period_run run = {i, i};
        const gp_report_period *period = &schedule->periods.items[i];
        spans[count++] = (gp_chart_span){
            .head = period_words(out, schedule, &run),
            .held = (double)period->peak_nodes,
            .used = period->mean_nodes,
            .text = gp_form_count(out, period->peak_nodes),
        };
    }
    gp_chart_spans(out, "Machines reserved by period; the filled part is computing", spans, count);
}

static void say_claims(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_table table = GP_TABLE("~Workload", "Demand", ">Held", "~From", ">Busy", "~Turns");
    for (size_t i = 0; i < schedule->claims.count; i++) {
        const gp_report_claim *it = &schedule->claims.items[i];
        GP_TABLE_ROW(out, &table, gp_form_or(it->workload, "?"), it->demand,
                     gp_form_count(out, it->nodes), claim_time(out, it),
                     gp_form_share(out, it->busy_fraction), claim_turn(out, it));
    }
    gp_table_drop_empty(&table);
    gp_block_table(out, "Machines by workload", &table);
}

void gp_say_time(gp_form_out *out, const gp_report *report) {
    const gp_report_schedule *schedule = &report->site.schedule;
    gp_block_note(out, "%s.", schedule_words(out, schedule));
    say_day(out, schedule);
    if (out->layout == GP_LAYOUT_HTML)
        draw_schedule(out, schedule);
    else
        say_periods(out, schedule);
    say_claims(out, schedule);
}

/* ---- teams */

static const char *wait_words(gp_form_out *out, double wait_s, double other_s) {
    return isfinite(wait_s)    ? gp_form_seconds(out, wait_s)
           : isfinite(other_s) ? "without end"
                               : "-";
}

void gp_say_teams(gp_form_out *out, const gp_report *report) {
    gp_table table =
        GP_TABLE("~Team", ">Own", ">Held", ">Borrows", ">Lends", ">Wait, p95", ">Alone");
    for (size_t i = 0; i < report->teams.count; i++) {
        const gp_report_team *it = &report->teams.items[i];
        const char *of = gp_form_if(out, it->borrowing_gpus != GP_REPORT_NO_COUNT, " of %lld",
                                    (long long)it->borrowing_gpus);
        GP_TABLE_ROW(out, &table, gp_form_or(it->name, "?"), gp_form_count(out, it->quota_gpus),
                     gp_form_count(out, it->held_gpus),
                     gp_form_text(out, "%lld%s", (long long)it->borrowed_gpus, of),
                     gp_form_count(out, it->lent_gpus),
                     wait_words(out, it->wait_p95_s, GP_REPORT_NO_REAL),
                     wait_words(out, it->wait_alone_p95_s, it->wait_p95_s));
    }
    gp_table_drop_empty(&table);
    gp_block_table(out, "GPUs of each team", &table);
}

/* ---- growth */

/* Machines can be bought; another limit of the site cannot be passed so simply. */
static bool passes_site(const gp_report_growth *row) {
    return row->limit_hit != NULL && !gp_str_equal(row->limit_hit, "none") &&
           !gp_str_equal(row->limit_hit, "supply");
}

static void draw_growth(gp_form_out *out, const gp_report *report) {
    gp_chart_column columns[GP_CHART_SPANS];
    size_t count = 0;
    for (size_t i = 0; i < report->growth.count && count < GP_CHART_SPANS; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        columns[count++] = (gp_chart_column){
            gp_form_or(it->quarter, "?"),
            (double)it->nodes,
            it->nodes_low == GP_REPORT_NO_COUNT ? GP_REPORT_NO_REAL : (double)it->nodes_low,
            it->nodes_high == GP_REPORT_NO_COUNT ? GP_REPORT_NO_REAL : (double)it->nodes_high,
            gp_form_count(out, it->nodes),
            passes_site(it)};
    }
    gp_chart_columns(out,
                     "Machines by quarter; the line spans the low and high scenarios, red marks a "
                     "quarter beyond a limit of the site",
                     columns, count);
}

static bool owns_another(const gp_report *report, const char *system) {
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (gp_str_equal(line->role, "machine") && line->count > line->bought &&
            !gp_str_equal(line->id, system))
            return true;
    }
    return false;
}

/* A quarter after the first buys other machines than some that are owned, which may be idle. */
static bool buys_beside_owned(const gp_report *report) {
    for (size_t i = 1; i < report->growth.count; i++)
        for (size_t k = 0; k < report->growth.items[i].buy.count; k++)
            if (owns_another(report, report->growth.items[i].buy.items[k].system))
                return true;
    return false;
}

static const char *moved_words(gp_form_out *out, const gp_report_growth *row) {
    const char *names = "";
    for (size_t i = 0; i < row->moved.count; i++)
        names = gp_form_joined(out, names, ", ", "%s", row->moved.items[i]);
    return names;
}

static bool any_moved(const gp_report *report) {
    bool any = false;
    for (size_t i = 0; i < report->growth.count; i++)
        any = any || report->growth.items[i].moved.count > 0;
    return any;
}

static void say_quarters(gp_form_out *out, const gp_report *report) {
    gp_table table =
        GP_TABLE("Quarter", ">GPUs", ">Machines", ">Low-high", ">Buy", "~Rent", "~Moved",
                 "Needed by", "Order by", ">IT power", ">Facility", "Exceeds");
    for (size_t i = 0; i < report->growth.count; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        const bool passes = it->limit_hit != NULL && !gp_str_equal(it->limit_hit, "none");
        GP_TABLE_ROW(
            out, &table, gp_form_or(it->quarter, "?"), gp_form_count(out, it->gpus),
            gp_form_count(out, it->nodes), scenario_words(out, it),
            it->buy_nodes > 0 ? gp_form_count(out, it->buy_nodes) : "", rent_words(out, report, i),
            moved_words(out, it), it->order_by == NULL ? gp_form_or(it->needed_by, "") : "",
            order_words(out, it), gp_form_watts(out, it->it_w), gp_form_watts(out, it->facility_w),
            passes ? gp_form_words(out, it->limit_hit) : "");
    }
    gp_table_drop_empty(&table);
    gp_block_table(out, "Quarter by quarter, as each begins", &table);
    gp_block_note(out, "Each quarter as it begins: what is needed within it is in the next row.");
    if (any_moved(report))
        gp_block_note(out, "Moved: on other kinds of machines than at first, idle ones before more "
                           "are bought.");
    if (report->site.horizon->keeps_kinds && buys_beside_owned(report))
        gp_block_note(out,
                      "So many workloads grow on the kinds of machines they are on at first. Idle "
                      "machines of other kinds are not counted on: before buying, size with "
                      "the demand of that quarter to see whether they are enough.");
}

/* What is not known is not within its limit. */
static const char *unpassed_words(const gp_report_horizon_limit *it) {
    return isfinite(it->at_horizon) ? "-" : "?";
}

/* A limit that renting keeps to is not exceeded, and need not be the one that renting began for. */
static const char *exceeded_words(gp_form_out *out, const gp_report_horizon_limit *it) {
    if (it->passed_on != NULL || it->rented_from == NULL)
        return gp_form_or(it->passed_on, unpassed_words(it));
    return gp_form_text(out, "%s if bought", it->rented_from);
}

static void say_horizon(gp_form_out *out, const gp_report *report) {
    const gp_report_horizon *horizon = report->site.horizon;
    const char *currency = report->cost.currency;
    gp_table table = GP_TABLE("~Limit", ">First", ">Last", ">Of", "Exceeded", "If high");
    for (size_t i = 0; horizon != NULL && i < horizon->limits.count; i++) {
        const gp_report_horizon_limit *it = &horizon->limits.items[i];
        GP_TABLE_ROW(out, &table,
                     it->of != NULL ? gp_form_text(out, "%s, %s", it->resource, it->of)
                                    : it->resource,
                     gp_form_amount(out, it->today, it->dim, currency),
                     gp_form_amount(out, it->at_horizon, it->dim, currency),
                     gp_form_amount(out, it->limit, it->dim, currency), exceeded_words(out, it),
                     gp_form_or(it->passed_on_high, unpassed_words(it)));
    }
    gp_block_table(out, "Limits over the horizon", &table);
}

void gp_say_growth(gp_form_out *out, const gp_report *report) {
    draw_growth(out, report);
    say_quarters(out, report);
    say_horizon(out, report);
    if (report->site.horizon != NULL)
        gp_block_note(out, "To build once: %s.", gp_form_horizon(out, report->site.horizon));
}
