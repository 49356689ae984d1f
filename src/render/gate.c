/* What the forms for gates share. */
#include "render/gate.h"

#include <string.h>

#include "base/sha256.h"

static int rank_of(const char *level) {
    const int known = gp_level_named(level);
    return known < 0 ? GP_LEVEL_ERROR : known;
}

int gp_gate_level(const gp_form_out *out) {
    return rank_of(out->asked.fail_level);
}

bool gp_gate_fails(const gp_form_out *out, const char *level) {
    return rank_of(level) >= gp_gate_level(out);
}

/* What a rule of a policy says, without the figures behind it: the name of a case stays the same
 * from one run to the next. */
static const char *policy_title(gp_form_out *out, const gp_report_finding *finding) {
    const char *message = gp_form_or(finding->message, "");
    const char *figures = strstr(message, " (");
    if (figures == NULL)
        figures = strstr(message, " is ");
    if (figures == NULL)
        return message;
    return gp_form_text(out, "%.*s", (int)(figures - message), message);
}

static gp_gate_case case_of(gp_form_out *out, const char *plan, const gp_report_finding *finding) {
    const gp_report_rule *rule = gp_report_rule_named(finding->id);
    const bool fails = gp_gate_fails(out, finding->level);
    const bool open = rule != NULL && rule->is_open && !fails;
    gp_gate_case ret = {gp_form_or(finding->workload, plan),
                        gp_form_or(finding->id, "GP"),
                        rule != NULL ? rule->title : policy_title(out, finding),
                        fails ? GP_GATE_FAILED : GP_GATE_WARNED,
                        finding,
                        finding->waived_by != NULL ? finding->waived_by
                        : open                     ? gp_gate_sentence(out, finding)
                                                   : NULL};
    if (ret.skipped != NULL)
        ret.state = GP_GATE_SKIPPED;
    return ret;
}

/* "growth.horizon, growth.scenarios.expected": what the spec lacks for the rule; "": nothing. */
static const char *missing_keys(gp_form_out *out, const gp_report *report,
                                const gp_report_rule *rule) {
    const gp_report_check *check = GP_NAMED(report->checks, id, rule->check);
    const char *keys = "";
    for (size_t i = 0; check != NULL && i < check->missing.count; i++)
        if (gp_str_starts(check->missing.items[i], rule->needs))
            keys = gp_form_joined(out, keys, ", ", "%s", check->missing.items[i]);
    const bool budget = report->cost.budget_capital > 0 || report->cost.budget_per_year > 0;
    return gp_str_equal(rule->needs, "costs.budget") && !budget ? rule->needs : keys;
}

/* A rule without a finding: it holds, unless it was not judged. */
static gp_gate_case case_without(gp_form_out *out, const gp_report *report, const char *plan,
                                 const gp_report_rule *rule) {
    gp_gate_case ret = {plan, rule->id, rule->title, GP_GATE_PASSED, NULL, NULL};
    const char *keys = rule->needs != NULL ? missing_keys(out, report, rule) : "";
    const gp_report_finding *open =
        rule->unless != NULL ? GP_NAMED(report->findings, id, rule->unless) : NULL;
    if (*keys != '\0')
        ret.skipped = gp_form_text(out, "not assessed; add %s", keys);
    else if (open != NULL)
        ret.skipped = gp_form_text(out, "not assessed: %s", gp_gate_sentence(out, open));
    if (ret.skipped != NULL)
        ret.state = GP_GATE_SKIPPED;
    return ret;
}

static void add_met_goals(gp_form_out *out, const gp_report *report, gp_gate_cases *cases) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *work = &report->workloads.items[i];
        for (size_t k = 0; k < work->goals.count; k++)
            if (gp_str_equal(work->goals.items[k].state, "met"))
                GP_NEXT(*cases) = (gp_gate_case){
                    work->name,     "goal", gp_form_goal_name(out, work->goals.items[k].name),
                    GP_GATE_PASSED, NULL,   NULL};
    }
}

static size_t most_cases(const gp_report *report) {
    size_t most = report->findings.count + gp_report_rule_count + report->held_rules.count;
    for (size_t i = 0; i < report->workloads.count; i++)
        most += report->workloads.items[i].goals.count;
    return most;
}

gp_gate_cases gp_gate_cases_of(gp_form_out *out, const gp_report *report) {
    gp_gate_cases cases = {0};
    const char *plan = gp_form_or(report->summary.plan, "plan");
    cases.items = GP_NEW_ARRAY(out->buf->arena, gp_gate_case, most_cases(report));
    for (size_t i = 0; i < report->findings.count; i++)
        GP_NEXT(cases) = case_of(out, plan, &report->findings.items[i]);
    add_met_goals(out, report, &cases);
    for (size_t i = 0; i < report->held_rules.count; i++) {
        const gp_report_held_rule *rule = &report->held_rules.items[i];
        GP_NEXT(cases) = (gp_gate_case){gp_form_or(rule->workload, plan),
                                        gp_form_or(rule->id, ""),
                                        gp_form_or(rule->text, ""),
                                        GP_GATE_PASSED,
                                        NULL,
                                        NULL};
    }
    for (size_t i = 0; i < gp_report_rule_count && report->checks.count > 0; i++) {
        const gp_report_rule *rule = &gp_report_rules[i];
        if (GP_NAMED(report->findings, id, rule->id) == NULL)
            GP_NEXT(cases) = case_without(out, report, plan, rule);
    }
    return cases;
}

size_t gp_gate_count(const gp_gate_cases *cases, gp_gate_state state) {
    size_t count = 0;
    for (size_t i = 0; i < cases->count; i++)
        count += cases->items[i].state == state;
    return count;
}

const char *gp_gate_sentence(gp_form_out *out, const gp_report_finding *finding) {
    const char *place = gp_form_place(out, finding);
    const char *text = gp_form_or(finding->message, gp_form_or(finding->id, ""));
    if (place != NULL)
        text = gp_form_text(out, "%s: %s", place, text);
    return finding->fix != NULL ? gp_form_text(out, "%s. Fix: %s", text, finding->fix) : text;
}

static bool is_alike(const gp_report_finding *a, const gp_report_finding *b) {
    return gp_str_equal(a->id, b->id) && gp_str_equal(a->workload, b->workload) &&
           gp_str_equal(a->metric, b->metric);
}

/* Findings of one rule about the plan as a whole are told apart by their place among themselves:
 * readers keep one of each fingerprint. */
static const char *place_among_alike(gp_form_out *out, const gp_report *report,
                                     const gp_report_finding *finding) {
    size_t before = 0;
    for (size_t i = 0; i < report->findings.count && &report->findings.items[i] != finding; i++)
        before += is_alike(&report->findings.items[i], finding) ? 1 : 0;
    return gp_form_if(out, before > 0, "\n%zu", before);
}

const char *gp_gate_fingerprint(gp_form_out *out, const gp_report *report,
                                const gp_report_finding *finding) {
    char hex[GP_SHA256_HEX];
    const char *key =
        gp_form_text(out, "%s\n%s\n%s\n%s%s", gp_form_or(finding->id, ""),
                     gp_form_or(report->summary.plan, ""), gp_form_or(finding->workload, ""),
                     gp_form_or(finding->metric, ""), place_among_alike(out, report, finding));
    gp_sha256_hex(key, strlen(key), hex);
    return gp_form_text(out, "%s", hex);
}

const char *gp_gate_file(const gp_report *report, const gp_report_finding *finding) {
    return gp_form_or(finding->file, gp_form_or(report->inputs.spec.path, "plan.yaml"));
}

int64_t gp_gate_line(const gp_report_finding *finding) {
    return finding->file != NULL && finding->line > 0 ? finding->line : 1;
}

int64_t gp_gate_column(const gp_report_finding *finding) {
    return finding->file != NULL && finding->column > 0 ? finding->column : 1;
}

typedef struct entity {
    char c;
    const char *text;
} entity;

static const entity entities[] = {
    {'&', "&amp;"},   {'<', "&lt;"},   {'>', "&gt;"},  {'"', "&quot;"},
    {'\'', "&apos;"}, {'\n', "&#10;"}, {'\t', "&#9;"},
};

static const char *entity_of(char c) {
    for (size_t i = 0; i < GP_COUNT_OF(entities); i++)
        if (entities[i].c == c)
            return entities[i].text;
    return NULL;
}

static bool is_xml(uint32_t code) {
    static const uint32_t noncharacter = 0xfffe; /* and the next */
    return (code & noncharacter) != noncharacter || code > 0xffff;
}

void gp_gate_xml(gp_buf *buf, const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t code = 0;
        size_t len = gp_utf8_decode(text, left, &code);
        const char *named = len == 1 ? entity_of(*text) : NULL;
        if (named != NULL)
            gp_buf_str(buf, named);
        else if (len == 0 || gp_utf8_control(text) > 0 || !is_xml(code))
            gp_buf_str(buf, replacement);
        else
            gp_buf_add(buf, text, len);
        len = len == 0 ? 1 : len;
        text += len;
        left -= len;
    }
}

void gp_gate_attribute(gp_buf *buf, const char *name, const char *text) {
    gp_buf_printf(buf, " %s=\"", name);
    gp_gate_xml(buf, text);
    gp_buf_char(buf, '"');
}

void gp_gate_write_junit(gp_buf *buf, const gp_gate_junit *it) {
    gp_buf_str(buf, "    <testcase");
    gp_gate_attribute(buf, "name", it->name);
    gp_gate_attribute(buf, "classname", it->group);
    gp_buf_str(buf, " time=\"0\"");
    if (it->skipped == NULL && it->text == NULL) {
        gp_buf_str(buf, "/>\n");
        return;
    }
    gp_buf_str(buf, it->failed != NULL    ? ">\n      <failure"
                    : it->skipped != NULL ? ">\n      <skipped"
                                          : ">\n      <system-out");
    if (it->failed != NULL || it->skipped != NULL)
        gp_gate_attribute(buf, "message", it->failed != NULL ? it->message : it->skipped);
    if (it->failed != NULL)
        gp_gate_attribute(buf, "type", it->failed);
    gp_buf_str(buf, it->failed == NULL && it->skipped != NULL ? "/" : "");
    gp_buf_char(buf, '>');
    if (it->failed != NULL || it->skipped == NULL)
        gp_gate_xml(buf, it->text);
    gp_buf_str(buf, it->failed != NULL    ? "</failure>\n    </testcase>\n"
                    : it->skipped != NULL ? "\n    </testcase>\n"
                                          : "</system-out>\n    </testcase>\n");
}

void gp_gate_label(gp_buf *buf, const char *separator, const char *key, const char *text) {
    const char *value = gp_form_or(text, "");
    gp_buf_printf(buf, "%s%s=\"", separator, key);
    gp_form_clean(buf, value, strlen(value), "\\\"");
    gp_buf_char(buf, '"');
}
