/*
 * The SARIF 2.1.0 form, as code scanning services read it: one run, the rules of the table, a
 * result per finding with its place in the spec and a fingerprint that survives moved lines.
 */
#include <string.h>

#include "render/gate.h"

static const char schema_uri[] = "https://json.schemastore.org/sarif-2.1.0.json";
static const char version[] = "2.1.0";
enum { DIGITS = 6 };

static void message(gp_json *json, const char *key, const char *text) {
    gp_json_open(json, key, '{');
    gp_json_string(json, "text", *text != '\0' ? text : "-");
    gp_json_close(json, "}");
}

static void write_rule(gp_json *json, const gp_report_rule *rule) {
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "id", rule->id);
    message(json, "shortDescription", rule->title);
    message(json, "fullDescription", rule->help);
    message(json, "help", rule->help);
    gp_json_open(json, "defaultConfiguration", '{');
    gp_json_string(json, "level", rule->level);
    gp_json_close(json, "}");
    gp_json_open(json, "properties", '{');
    gp_json_open(json, "tags", '[');
    gp_json_string(json, NULL, rule->check != NULL ? rule->check : "plan");
    gp_json_close(json, "]}}");
}

/* The path as a relative reference: everything but letters, digits and -._~/ in per cent form. */
static const char *uri(gp_form_out *out, const char *path) {
    static const char plain[] = "-._~/";
    static const char digits[] = "0123456789ABCDEF";
    enum { NIBBLE = 4, LOW = 15 };
    gp_buf buf = GP_BUF(out->buf->arena, strlen(path) * 3 + 1);
    while (gp_str_starts(path, "./"))
        path += 2;
    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (letter || (*c >= '0' && *c <= '9') || strchr(plain, *c) != NULL) {
            gp_buf_char(&buf, (char)*c);
        } else {
            gp_buf_char(&buf, '%');
            gp_buf_char(&buf, digits[*c >> NIBBLE]);
            gp_buf_char(&buf, digits[*c & LOW]);
        }
    }
    const char *ret = gp_form_taken(out, &buf);
    return *ret != '\0' ? ret : "plan.yaml";
}

static void write_location(gp_form_out *out, gp_json *json, const gp_report *report,
                           const gp_report_finding *finding) {
    gp_json_open(json, "locations", '[');
    gp_json_open(json, NULL, '{');
    gp_json_open(json, "physicalLocation", '{');
    gp_json_open(json, "artifactLocation", '{');
    gp_json_string(json, "uri", uri(out, gp_gate_file(report, finding)));
    gp_json_close(json, "}");
    gp_json_open(json, "region", '{');
    gp_json_i64(json, "startLine", gp_gate_line(finding));
    gp_json_i64(json, "startColumn", gp_gate_column(finding));
    gp_json_close(json, "}}}]");
}

static int64_t rule_index(const char *id) {
    const gp_report_rule *rule = gp_report_rule_named(id);
    return rule != NULL ? rule - gp_report_rules : -1;
}

static void write_properties(gp_json *json, const gp_report *report,
                             const gp_report_finding *finding) {
    gp_json_open(json, "properties", '{');
    gp_json_string(json, "plan", gp_form_or(report->summary.plan, ""));
    if (finding->workload != NULL)
        gp_json_string(json, "workload", finding->workload);
    if (finding->metric != NULL) {
        gp_json_string(json, "metric", finding->metric);
        gp_json_number(json, "value", finding->value, DIGITS);
        gp_json_number(json, "limit", finding->limit, DIGITS);
    }
    if (finding->fix != NULL)
        gp_json_string(json, "fix", finding->fix);
    gp_json_close(json, "}");
}

static void write_result(gp_form_out *out, gp_json *json, const gp_report *report,
                         const gp_report_finding *finding) {
    int64_t index = rule_index(finding->id);
    const char *text = gp_form_or(finding->message, gp_form_or(finding->id, "-"));
    if (finding->workload != NULL)
        text = gp_form_text(out, "%s: %s", finding->workload, text);
    if (finding->fix != NULL)
        text = gp_form_text(out, "%s. Fix: %s", text, finding->fix);
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "ruleId", finding->id);
    if (index >= 0)
        gp_json_i64(json, "ruleIndex", index);
    gp_json_string(json, "level", finding->level);
    message(json, "message", text);
    write_location(out, json, report, finding);
    if (finding->waived_by != NULL) {
        gp_json_open(json, "suppressions", '[');
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "kind", "external");
        gp_json_string(json, "justification", finding->waived_by);
        gp_json_close(json, "}]");
    }
    gp_json_open(json, "partialFingerprints", '{');
    gp_json_string(json, "gpuplan/v1", gp_gate_fingerprint(out, report, finding));
    gp_json_close(json, "}");
    write_properties(json, report, finding);
    gp_json_close(json, "}");
}

static void write_driver(gp_json *json, const gp_report *report) {
    gp_json_open(json, "tool", '{');
    gp_json_open(json, "driver", '{');
    gp_json_string(json, "name", "gpuplan");
    if (report != NULL && report->tool.version != NULL)
        gp_json_string(json, "version", report->tool.version);
    gp_json_open(json, "rules", '[');
    for (size_t i = 0; i < gp_report_rule_count; i++)
        write_rule(json, &gp_report_rules[i]);
    gp_json_close(json, "]}}");
}

void gp_reports_sarif(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "$schema", schema_uri);
    gp_json_string(&json, "version", version);
    gp_json_open(&json, "runs", '[');
    gp_json_open(&json, NULL, '{');
    write_driver(&json, reports->count > 0 ? reports->items[0] : NULL);
    gp_json_open(&json, "results", '[');
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i]->findings.count && out->buf->st == GP_OK; k++)
            write_result(out, &json, reports->items[i], &reports->items[i]->findings.items[k]);
    gp_json_close(&json, "]}]}");
}
