/*
 * The GitHub form: workflow commands that annotate the lines of a change. A step shows ten of a
 * level, so the first nine are written and a tenth counts the rest.
 */
#include <string.h>

#include "render/gate.h"

enum { SHOWN = 9 };

typedef struct command {
    const char *level;
    const char *word;
} command;

static const command commands[] = {
    {"error", "error"},
    {"warning", "warning"},
    {"note", "notice"},
};

/* `%`, line ends and, in a property, what ends it are written as %XX; other control characters
 * become blanks. */
static void escaped(gp_form_out *out, const char *text, const char *special) {
    static const char digits[] = "0123456789ABCDEF";
    enum { NIBBLE = 4, LOW = 15 };
    size_t control = 0;
    for (const char *c = text; *c != '\0'; c += control > 0 ? control : 1) {
        control = gp_utf8_control(c);
        if (strchr(special, *c) != NULL) {
            gp_buf_char(out->buf, '%');
            gp_buf_char(out->buf, digits[(unsigned char)*c >> NIBBLE]);
            gp_buf_char(out->buf, digits[(unsigned char)*c & LOW]);
        } else {
            gp_buf_char(out->buf, control > 0 ? ' ' : *c);
        }
    }
}

static void property(gp_form_out *out, const char *text) {
    escaped(out, text, "%\r\n:,");
}

static void data(gp_form_out *out, const char *text) {
    escaped(out, text, "%\r\n");
}

static void write_finding(gp_form_out *out, const char *word, const gp_report *report,
                          const gp_report_finding *finding) {
    const gp_report_rule *rule = gp_report_rule_named(finding->id);
    gp_buf_printf(out->buf, "::%s file=", word);
    property(out, gp_gate_file(report, finding));
    gp_buf_printf(out->buf, ",line=%lld,col=%lld,title=", (long long)gp_gate_line(finding),
                  (long long)gp_gate_column(finding));
    property(out, gp_form_or(finding->id, "GP"));
    if (rule != NULL)
        property(out, gp_form_text(out, " %s", rule->title));
    gp_buf_str(out->buf, "::");
    if (finding->workload != NULL)
        data(out, gp_form_text(out, "%s: ", finding->workload));
    data(out, gp_form_or(finding->message, ""));
    if (finding->fix != NULL)
        data(out, gp_form_text(out, ". Fix: %s", finding->fix));
    gp_buf_char(out->buf, '\n');
}

static void write_level(gp_form_out *out, const command *it, const gp_report_list *reports) {
    size_t seen = 0;
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i]->findings.count && out->buf->st == GP_OK; k++) {
            const gp_report_finding *finding = &reports->items[i]->findings.items[k];
            if (finding->waived_by == NULL && gp_str_equal(finding->level, it->level) &&
                ++seen <= SHOWN)
                write_finding(out, it->word, reports->items[i], finding);
        }
    if (seen > SHOWN)
        gp_buf_printf(out->buf, "::%s::and %zu more %s%s\n", it->word, seen - SHOWN, it->level,
                      seen - SHOWN == 1 ? "" : "s");
}

void gp_reports_github(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    for (size_t i = 0; i < GP_COUNT_OF(commands); i++)
        write_level(out, &commands[i], reports);
    for (size_t i = 0; i < reports->count; i++) {
        const gp_report *report = reports->items[i];
        if (report->checks.count == 0) /* errors of the input: nothing was planned */
            continue;
        data(out, gp_form_text(out, "gpuplan: %s: %s, %s", gp_form_or(report->summary.plan, "plan"),
                               report->summary.feasible ? "feasible" : "not feasible",
                               gp_form_findings(out, report)));
        gp_buf_char(out->buf, '\n');
    }
}
