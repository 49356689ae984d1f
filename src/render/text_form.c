/* The text form: the answer on one screen, then everything in full; explanations and sweeps. */
#include "render/text_form.h"

#include "render/tables.h"

static void write_report(gp_form_out *out, const gp_report *report) {
    if (out->gate) {
        gp_text_gate(out, report);
        return;
    }
    gp_text_answer(out, report);
    out->indent = 2;
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

static void text_sweep(gp_form_out *out, const gp_sweep *sweep) {
    gp_table table;
    gp_table_sweep(out, sweep, &table);
    gp_block_lead(out, gp_form_or(sweep->path, ""));
    gp_block_table(out, NULL, &table);
}

const gp_renderer gp_renderer_text = {
    .name = "text",
    .extension = "txt",
    .help = "for people at a terminal; the answer comes first",
    .reports = write_reports,
    .explanation = gp_text_explanation,
    .sweep = text_sweep,
};
