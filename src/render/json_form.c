/* The JSON form: report.json as its rows describe it, explanations likewise, sweeps as a table. */
#include "render/form.h"

void gp_form_object(gp_form_out *out, const gp_report_struct *type, const void *object) {
    gp_json json = GP_JSON(out->buf);
    const gp_status st = gp_json_object(&json, NULL, type, object);
    if (st != GP_OK && out->buf->st == GP_OK)
        out->buf->st = st;
}

void gp_form_objects(gp_form_out *out, const char *key, const gp_report_struct *type,
                     const void *const *objects, size_t count) {
    if (count == 1) {
        gp_form_object(out, type, objects[0]);
        return;
    }
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "schemaVersion", GP_REPORT_SCHEMA_VERSION);
    gp_json_open(&json, key, '[');
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++)
        (void)gp_json_object(&json, NULL, type, objects[i]);
    gp_json_close(&json, "]}");
}

void gp_reports_json(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    gp_form_objects(out, "reports", &gp_report_type, (const void *const *)reports->items,
                    reports->count);
}

void gp_explanation_json(gp_form_out *out, const void *result) {
    gp_form_object(out, &gp_explanation_type, result);
}

/* Figures of a sweep's row and of its workloads, by their paths in a report. */
static const char *const row_paths[] = {
    "summary.feasible", "summary.gpus",           "summary.nodes",   "summary.racks",
    "summary.itPowerW", "summary.facilityPowerW", "summary.capital", "summary.costPerYear",
};
static const char *const workload_paths[] = {
    "name",
    "recommendation.scale",
    "recommendation.boundBy",
    "recommendation.chosen.feasible",
    "recommendation.chosen.where",
    "recommendation.chosen.system",
    "recommendation.chosen.gpus",
    "recommendation.chosen.nodes",
    "recommendation.chosen.replicas",
    "recommendation.chosen.timeToCompleteS",
    "recommendation.chosen.ttftP95S",
    "recommendation.chosen.tpotP95S",
    "recommendation.chosen.facilityPowerW",
    "network.communicationFraction",
};

static void write_paths(gp_json *json, const gp_report_struct *type, const void *object,
                        const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gp_report_value value;
        if (gp_report_find(type, object, paths[i], &value, NULL) == GP_OK)
            gp_json_value(json, gp_str_last_key(paths[i]), &value);
    }
}

static void write_row(gp_json *json, const gp_sweep_row *row) {
    const gp_report *report = row->report;
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "value", row->value);
    write_paths(json, &gp_report_type, report, row_paths, GP_COUNT_OF(row_paths));
    gp_json_open(json, "workloads", '[');
    for (size_t i = 0; i < report->workloads.count; i++) {
        gp_json_open(json, NULL, '{');
        write_paths(json, &gp_report_workload_type, &report->workloads.items[i], workload_paths,
                    GP_COUNT_OF(workload_paths));
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]}");
}

void gp_sweep_json(gp_form_out *out, const void *result) {
    const gp_sweep *sweep = result;
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "schemaVersion", GP_REPORT_SCHEMA_VERSION);
    gp_json_open(&json, "sweep", '{');
    gp_json_string(&json, "path", sweep->path);
    gp_json_open(&json, "rows", '[');
    for (size_t i = 0; i < sweep->rows.count; i++)
        write_row(&json, &sweep->rows.items[i]);
    gp_json_close(&json, "]}}");
}
