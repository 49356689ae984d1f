/*
 * The bill of quantities as a list to order from: a line per part with how it was counted, spares
 * apart, and what is to be bought with its price where one is known.
 */
#include "render/block.h"
#include "render/csv.h"
#include "render/export.h"

static bool has_bill(gp_export_out *out) {
    if (out->report->site.bill.count > 0)
        return true;
    gp_export_fail(out, "a plan on owned machines has one", "the report has no bill of quantities");
    return false;
}

static void cell_count(gp_buf *buf, int64_t count) {
    gp_buf_char(buf, ',');
    if (count != GP_REPORT_NO_COUNT)
        gp_buf_i64(buf, count);
}

static void cell_money(gp_buf *buf, double value) {
    enum { CENTS = 2 };
    gp_buf_char(buf, ',');
    if (isfinite(value))
        gp_buf_fixed(buf, value, CENTS);
}

static void write_csv(gp_export_out *out) {
    const gp_report *report = out->report;
    gp_buf *buf = out->form.buf;
    char digest[GP_PLAN_DIGEST];
    gp_report_digest(report, digest);
    if (!has_bill(out))
        return;
    gp_buf_str(buf, "role,id,count,bought,power_w,price,currency,rule,plan,plan_sha256\n");
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        gp_csv_text(buf, line->role);
        gp_buf_char(buf, ',');
        gp_csv_text(buf, line->id);
        cell_count(buf, line->count);
        cell_count(buf, line->bought);
        gp_buf_char(buf, ',');
        gp_csv_number(buf, line->power_w);
        cell_money(buf, line->price);
        gp_buf_char(buf, ',');
        gp_csv_text(buf, report->cost.currency);
        gp_buf_char(buf, ',');
        gp_csv_text(buf, line->rule);
        gp_buf_char(buf, ',');
        gp_csv_text(buf, gp_export_comment(out, report->summary.plan));
        gp_buf_printf(buf, ",%s\n", digest);
    }
}

/* The prices of the lines: what the report's purchase price is made of, as far as it is known. */
static double sum_of_prices(const gp_report *report) {
    double sum = 0;
    for (size_t i = 0; i < report->site.bill.count; i++)
        if (isfinite(report->site.bill.items[i].price))
            sum += report->site.bill.items[i].price;
    return sum;
}

static void write_missing(gp_export_out *out) {
    const gp_report_cost *cost = &out->report->cost;
    if (cost->missing.count == 0)
        return;
    gp_buf_str(out->form.buf, "\nNo price is known for:");
    for (size_t i = 0; i < cost->missing.count; i++)
        gp_buf_printf(out->form.buf, "%s %s", i > 0 ? "," : "",
                      gp_md_escape(&out->form, cost->missing.items[i]));
    gp_buf_str(out->form.buf, ".\n");
}

static void write_markdown(gp_export_out *out) {
    const gp_report *report = out->report;
    gp_form_out *form = &out->form;
    char digest[GP_PLAN_DIGEST];
    gp_report_digest(report, digest);
    if (!has_bill(out))
        return;
    gp_buf_printf(form->buf, "# Bill of quantities: %s\n\nPlan `sha256:%s`\n",
                  gp_md_escape(form, gp_export_comment(out, report->summary.plan)), digest);
    gp_table table = GP_TABLE("Role", "Part", "Count", "To buy", "Power", "Price", "Rule");
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        GP_TABLE_ROW(form, &table, gp_form_or(line->role, "-"), gp_form_or(line->id, "-"),
                     gp_form_count(form, line->count), gp_form_count(form, line->bought),
                     gp_form_watts(form, line->power_w),
                     gp_form_money(form, line->price, report->cost.currency),
                     gp_form_or(line->rule, "-"));
    }
    gp_buf_char(form->buf, '\n');
    gp_md_table(form, &table);
    gp_buf_printf(form->buf, "\nTotal of the priced lines: %s\n",
                  gp_form_money(form, sum_of_prices(report), report->cost.currency));
    write_missing(out);
}

const gp_export gp_export_bom = {
    .name = "bom",
    .summary = "bill of quantities: role, part, count, spares, price, rule",
    .forms = {{"csv", "csv", write_csv}, {"markdown", "md", write_markdown}},
};
