/* The text form: the answer on one screen, then everything in full; explanations and sweeps. */
#include "render/text_form.h"

static void write_report(gp_form_out *out, const gp_report *report) {
    if (out->gate) {
        gp_text_gate(out, report);
        return;
    }
    gp_text_answer(out, report);
    if (out->detail == GP_DETAIL_ANSWER)
        return;
    for (size_t k = 0; k < report->workloads.count; k++)
        gp_text_workload(out, report, &report->workloads.items[k]);
    gp_text_site(out, report);
    gp_text_remarks(out, report);
}

static void write_reports(gp_form_out *out, const gp_report *const *reports, size_t count) {
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        if (i > 0)
            gp_buf_char(out->buf, '\n');
        write_report(out, reports[i]);
    }
}

static void add_sweep_row(gp_form_out *out, gp_table *table, const gp_sweep_row *row,
                          size_t index) {
    const gp_report_workload *workload = &row->report->workloads.items[index];
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    const char **cells = gp_table_row(out, table);
    if (cells == NULL)
        return;
    cells[0] = index == 0 ? gp_form_or(row->value, "") : "";
    cells[1] = gp_form_or(workload->name, "?");
    cells[2] = gp_form_scale_word(workload->recommendation.scale);
    cells[3] = chosen->feasible ? gp_form_machines(out, chosen) : "-";
    cells[4] = chosen->feasible ? gp_form_count(out, chosen->gpus) : "-";
    cells[5] = chosen->feasible && isfinite(chosen->time_to_complete_s.expected)
                   ? gp_form_quantity(out, chosen->time_to_complete_s.expected, GP_DIM_TIME)
                   : gp_form_speed(out, chosen);
    cells[6] = gp_form_quantity(out, chosen->facility_power_w, GP_DIM_POWER);
}

void gp_text_sweep(gp_form_out *out, const gp_sweep *sweep) {
    gp_table table = {
        .columns = 7,
        .headers = {"VALUE", "WORKLOAD", "SCALE", "NEED", "GPUS", "TIME", "POWER"},
        .right = {false, false, false, false, true, true, true},
        .shrink = {true, true, false, true},
    };
    gp_wrap(out, gp_form_text(out, "%s", gp_form_or(sweep->path, "")), 0, 0);
    for (size_t i = 0; i < sweep->rows.count; i++)
        for (size_t k = 0; k < sweep->rows.items[i].report->workloads.count; k++)
            add_sweep_row(out, &table, &sweep->rows.items[i], k);
    gp_buf_char(out->buf, '\n');
    gp_table_print(out, &table, 0);
}

const gp_renderer gp_renderer_text = {
    .name = "text",
    .extension = "txt",
    .help = "for people at a terminal; the answer comes first",
    .reports = write_reports,
    .explanation = gp_text_explanation,
    .sweep = gp_text_sweep,
};
