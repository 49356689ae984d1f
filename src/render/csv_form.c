/*
 * The CSV form: a row per workload with its verdict and figures, addressed by their paths in the
 * report; a sweep has the value that was set in front.
 */
#include "render/csv.h"
#include "render/form.h"

/* Paths under a workload, or under the report where they start with "summary". */
static const char *const columns[] = {
    "name",
    "type",
    "model",
    "recommendation.scale",
    "recommendation.boundBy",
    "recommendation.chosen.feasible",
    "recommendation.chosen.where",
    "recommendation.chosen.system",
    "recommendation.chosen.gpu",
    "recommendation.chosen.gpus",
    "recommendation.chosen.nodes",
    "recommendation.chosen.addedNodes",
    "recommendation.chosen.replicas",
    "recommendation.chosen.tp",
    "recommendation.chosen.pp",
    "recommendation.chosen.dp",
    "recommendation.chosen.cp",
    "recommendation.chosen.ep",
    "recommendation.chosen.timeToCompleteS",
    "recommendation.chosen.timeToCompleteSLow",
    "recommendation.chosen.timeToCompleteSHigh",
    "recommendation.chosen.ttftP95S",
    "recommendation.chosen.ttftP95SLow",
    "recommendation.chosen.ttftP95SHigh",
    "recommendation.chosen.tpotP95S",
    "recommendation.chosen.tpotP95SLow",
    "recommendation.chosen.tpotP95SHigh",
    "recommendation.chosen.requestsPerS",
    "recommendation.chosen.memoryBytes",
    "recommendation.chosen.memoryCapacityBytes",
    "memory.headroomFraction",
    "network.communicationFraction",
    "recommendation.chosen.itPowerW",
    "recommendation.chosen.facilityPowerW",
    "recommendation.chosen.capital",
    "recommendation.chosen.costPerYear",
    "recommendation.vertical.feasible",
    "recommendation.vertical.system",
    "recommendation.vertical.gpus",
    "recommendation.horizontal.feasible",
    "recommendation.horizontal.system",
    "recommendation.horizontal.gpus",
};
enum { COLUMNS = GP_COUNT_OF(columns) };

static void write_cell(gp_buf *buf, const gp_report_value *value) {
    if (value->absent)
        return;
    switch (value->kind) {
    case GP_REPORT_STRING: gp_csv_text(buf, value->text); break;
    case GP_REPORT_BOOL: gp_buf_str(buf, value->flag ? "true" : "false"); break;
    case GP_REPORT_COUNT: gp_buf_i64(buf, value->count); break;
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
    case GP_REPORT_BAND:
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL:
    case GP_REPORT_LIST: gp_csv_number(buf, value->real); break;
    }
}

/* Every column must exist: one that does not is a slip in the table above. */
static void write_workload(gp_form_out *out, const gp_report_workload *workload) {
    for (size_t i = 0; i < COLUMNS; i++) {
        gp_report_value value;
        gp_buf_char(out->buf, ',');
        if (gp_report_find(&gp_report_workload_type, workload, columns[i], &value, NULL) != GP_OK)
            out->buf->st = GP_ERR_INTERNAL;
        else
            write_cell(out->buf, &value);
    }
    gp_buf_char(out->buf, '\n');
}

static void write_heading(gp_form_out *out, const char *first) {
    gp_buf_str(out->buf, first);
    for (size_t i = 0; i < COLUMNS; i++)
        gp_buf_printf(out->buf, ",%s", columns[i]);
    gp_buf_char(out->buf, '\n');
}

static void write_rows(gp_form_out *out, const char *first, const gp_report *report) {
    for (size_t i = 0; i < report->workloads.count && out->buf->st == GP_OK; i++) {
        gp_csv_text(out->buf, first);
        write_workload(out, &report->workloads.items[i]);
    }
}

void gp_reports_csv(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    write_heading(out, "plan");
    for (size_t i = 0; i < reports->count; i++)
        write_rows(out, reports->items[i]->summary.plan, reports->items[i]);
}

void gp_sweep_csv(gp_form_out *out, const void *result) {
    const gp_sweep *sweep = result;
    write_heading(out, "value");
    for (size_t i = 0; i < sweep->rows.count; i++)
        write_rows(out, sweep->rows.items[i].value, sweep->rows.items[i].report);
}
