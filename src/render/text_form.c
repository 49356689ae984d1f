/* The text form: the answer on one screen, then everything in full; explanations and sweeps. */
#include "render/text_form.h"

static void write_reports(gp_form_out *out, const gp_report *const *reports, size_t count) {
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        const gp_report *report = reports[i];
        if (i > 0)
            gp_buf_char(out->buf, '\n');
        gp_text_answer(out, report);
        for (size_t k = 0; k < report->workloads.count; k++)
            gp_text_workload(out, report, &report->workloads.items[k]);
        gp_text_site(out, report);
        gp_text_remarks(out, report);
    }
}

static void print_input(gp_form_out *out, const gp_report_source *source) {
    gp_buf_repeat(out->buf, ' ', 4);
    gp_wrap(out,
            gp_form_text(out, "%s = %s  (%s)", gp_form_or(source->name, "?"),
                         gp_form_or(source->value, "-"), gp_form_source(out, source)),
            4, 8);
}

static void print_term(gp_form_out *out, const gp_explained_term *term) {
    gp_text_heading(out, gp_form_text(out, "%s = %s", term->name,
                                      gp_form_quantity(out, term->value, term->dim)));
    if (term->formula != NULL) {
        gp_buf_str(out->buf, "  = ");
        gp_wrap(out, term->formula, 4, 4);
    }
    if (term->source != NULL) {
        gp_buf_str(out->buf, "  source: ");
        gp_wrap(out, term->source, 10, 10);
    }
    for (size_t i = 0; i < term->inputs.count; i++)
        print_input(out, &term->inputs.items[i]);
}

void gp_text_explanation(gp_form_out *out, const gp_explanation *explanation) {
    gp_wrap(out,
            gp_form_text(out, "%s: %s. %s.", gp_form_or(explanation->workload, "?"),
                         gp_form_or(explanation->scale, "-"), gp_form_or(explanation->reason, "-")),
            0, 2);
    if (explanation->layout != NULL)
        gp_labelled(out, "layout", explanation->layout);
    if (explanation->figures.count > 0)
        gp_text_heading(out, "FIGURES");
    for (size_t i = 0; i < explanation->figures.count; i++) {
        const gp_explained_figure *figure = &explanation->figures.items[i];
        const gp_report_band band = {figure->value, figure->low, figure->high};
        gp_buf_repeat(out->buf, ' ', 2);
        gp_wrap(out,
                gp_form_text(out, "%s = %s%s%s", figure->path, gp_form_band(out, band, figure->dim),
                             figure->term != NULL ? ", from " : "", gp_form_or(figure->term, "")),
                2, 6);
    }
    for (size_t i = 0; i < explanation->terms.count; i++)
        print_term(out, &explanation->terms.items[i]);
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
    cells[2] = workload->recommendation.scale;
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
