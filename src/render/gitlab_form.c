/* The GitLab form: a Code Quality report, one entry per finding. */
#include "render/gate.h"

static const gp_wording severities[] = {
    {"note", "info"}, {"warning", "major"}, {"error", "critical"}};

static void write_finding(gp_form_out *out, gp_json *json, const gp_report *report,
                          const gp_report_finding *finding) {
    const char *text = gp_form_or(finding->message, "");
    if (finding->workload != NULL)
        text = gp_form_text(out, "%s: %s", finding->workload, text);
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "description", text);
    gp_json_string(json, "check_name", finding->id);
    gp_json_string(json, "fingerprint", gp_gate_fingerprint(out, report, finding));
    gp_json_string(json, "severity", GP_WORDING(severities, finding->level, "info"));
    gp_json_open(json, "location", '{');
    gp_json_string(json, "path", gp_gate_file(report, finding));
    gp_json_open(json, "lines", '{');
    gp_json_i64(json, "begin", gp_gate_line(finding));
    gp_json_close(json, "}}}");
}

void gp_reports_gitlab(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '[');
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i]->findings.count && out->buf->st == GP_OK; k++)
            if (reports->items[i]->findings.items[k].waived_by == NULL)
                write_finding(out, &json, reports->items[i], &reports->items[i]->findings.items[k]);
    gp_json_close(&json, "]");
}
