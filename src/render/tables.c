/* Tables of a report that every form for people lays out. Columns in which nothing stands go. */
#include "render/tables.h"

#include "render/schedule_form.h"

void gp_table_bill(gp_form_out *out, const gp_report *report, gp_table *table) {
    const char *currency = report->cost.currency;
    *table = GP_TABLE(">Count", ">Spare", "~What", "~Product", ">Power", ">To buy");
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        GP_TABLE_ROW(out, table, gp_form_count(out, line->count),
                     line->spare > 0 ? gp_form_count(out, line->spare) : "",
                     gp_form_or(line->role, "?"), gp_form_or(line->id, ""),
                     isfinite(line->power_w) ? gp_form_watts(out, line->power_w) : "",
                     isfinite(line->price) ? gp_form_money(out, line->price, currency) : "");
    }
    if (table->rows > 0 && report->cost.capital > 0)
        GP_TABLE_ROW(out, table, "", "", "total", "of what has a price", "",
                     gp_form_money(out, report->cost.capital, currency));
    gp_table_drop_empty(table);
}

void gp_table_quarters(gp_form_out *out, const gp_report *report, gp_table *table) {
    *table = GP_TABLE("Quarter", ">GPUs", ">Machines", ">Low-high", ">Buy", "~Rent", "~Order by",
                      ">IT power", ">Facility", "Passes");
    for (size_t i = 0; i < report->growth.count; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        const bool passes = it->limit_hit != NULL && !gp_str_equal(it->limit_hit, "none");
        GP_TABLE_ROW(out, table, gp_form_or(it->quarter, "?"), gp_form_count(out, it->gpus),
                     gp_form_count(out, it->nodes), gp_form_scenarios(out, it),
                     it->buy_nodes > 0 ? gp_form_count(out, it->buy_nodes) : "",
                     gp_form_rent(out, it), gp_form_orders(out, it), gp_form_watts(out, it->it_w),
                     gp_form_watts(out, it->facility_w),
                     passes ? gp_form_words(out, it->limit_hit) : "");
    }
    gp_table_drop_empty(table);
}

void gp_table_horizon(gp_form_out *out, const gp_report *report, gp_table *table) {
    const gp_report_horizon *horizon = report->site.horizon;
    const char *currency = report->cost.currency;
    *table = GP_TABLE("~Limit", ">First", ">Last", ">Of", "Passed", "If high");
    for (size_t i = 0; horizon != NULL && i < horizon->limits.count; i++) {
        const gp_report_horizon_limit *it = &horizon->limits.items[i];
        GP_TABLE_ROW(out, table,
                     it->of != NULL ? gp_form_text(out, "%s, %s", it->resource, it->of)
                                    : it->resource,
                     gp_form_amount(out, it->today, it->dim, currency),
                     gp_form_amount(out, it->at_horizon, it->dim, currency),
                     gp_form_amount(out, it->limit, it->dim, currency),
                     gp_form_or(it->passed_on, "-"), gp_form_or(it->passed_on_high, "-"));
    }
}

void gp_table_claims(gp_form_out *out, const gp_report_schedule *schedule, gp_table *table) {
    *table = GP_TABLE("~Workload", "Demand", ">Held", "~From", ">Busy", "~Turns");
    for (size_t i = 0; i < schedule->claims.count; i++) {
        const gp_report_claim *it = &schedule->claims.items[i];
        GP_TABLE_ROW(out, table, gp_form_or(it->workload, "?"), it->demand,
                     gp_form_count(out, it->nodes), gp_form_claim_time(out, it),
                     gp_form_share(out, it->busy_fraction), gp_form_claim_turn(out, it));
    }
    gp_table_drop_empty(table);
}

static const char *wait_words(gp_form_out *out, double wait_s, double other_s) {
    return isfinite(wait_s)    ? gp_form_seconds(out, wait_s)
           : isfinite(other_s) ? "without end"
                               : "-";
}

void gp_table_teams(gp_form_out *out, const gp_report *report, gp_table *table) {
    *table = GP_TABLE("~Team", ">Own", ">Held", ">Borrows", ">Lends", ">Wait, p95", ">Alone");
    for (size_t i = 0; i < report->teams.count; i++) {
        const gp_report_team *it = &report->teams.items[i];
        const char *of = it->borrowing_gpus != GP_REPORT_NO_COUNT
                             ? gp_form_text(out, " of %lld", (long long)it->borrowing_gpus)
                             : "";
        GP_TABLE_ROW(out, table, gp_form_or(it->name, "?"), gp_form_count(out, it->quota_gpus),
                     gp_form_count(out, it->held_gpus),
                     gp_form_text(out, "%lld%s", (long long)it->borrowed_gpus, of),
                     gp_form_count(out, it->lent_gpus),
                     wait_words(out, it->wait_p95_s, GP_REPORT_NO_REAL),
                     wait_words(out, it->wait_alone_p95_s, it->wait_p95_s));
    }
    gp_table_drop_empty(table);
}

void gp_table_verdicts(gp_form_out *out, const gp_report *report, gp_table *table) {
    *table = GP_TABLE("Workload", "Type", "Now", "Need", "Scale", "Bound by", "Goal", ">Power",
                      ">A year");
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        const gp_report_recommendation *verdict = &it->recommendation;
        const gp_report_candidate *chosen = &verdict->chosen;
        const bool holds = chosen->feasible;
        GP_TABLE_ROW(
            out, table, gp_form_or(it->name, "?"), it->type, gp_form_now(out, &verdict->today),
            holds ? gp_form_machines(out, chosen) : "-", gp_form_scale_word(verdict->scale),
            gp_form_words(out, verdict->bound_by), gp_form_goal(out, it),
            holds ? gp_form_watts(out, chosen->facility_power_w) : "-",
            holds ? gp_form_money(out, chosen->cost_per_year, report->cost.currency) : "-");
    }
    gp_table_drop_empty(table);
}

void gp_table_sweep(gp_form_out *out, const gp_sweep *sweep, gp_table *table) {
    *table = GP_TABLE("~Value", "~Workload", "Scale", "~Need", ">GPUs", ">Time", ">Power");
    for (size_t i = 0; i < sweep->rows.count; i++) {
        const gp_sweep_row *row = &sweep->rows.items[i];
        for (size_t k = 0; k < row->report->workloads.count; k++) {
            const gp_report_workload *it = &row->report->workloads.items[k];
            const gp_report_candidate *chosen = &it->recommendation.chosen;
            const bool runs = chosen->feasible && isfinite(chosen->time_to_complete_s.expected);
            GP_TABLE_ROW(out, table, k == 0 ? gp_form_or(row->value, "") : "",
                         gp_form_or(it->name, "?"), gp_form_scale_word(it->recommendation.scale),
                         chosen->feasible ? gp_form_machines(out, chosen) : "-",
                         chosen->feasible ? gp_form_count(out, chosen->gpus) : "-",
                         runs ? gp_form_seconds(out, chosen->time_to_complete_s.expected)
                              : gp_form_speed(out, chosen),
                         gp_form_watts(out, chosen->facility_power_w));
        }
    }
}
