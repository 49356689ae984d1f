/*
 * What the forms for gates share: the findings of a report as test cases (one failure per case),
 * texts made safe for XML, and fingerprints that survive an edit of the file.
 */
#ifndef GP_RENDER_GATE_H
#define GP_RENDER_GATE_H

#include "render/form.h"

typedef enum gp_gate_state {
    GP_GATE_PASSED,
    GP_GATE_WARNED,  /* a finding below the level that fails */
    GP_GATE_SKIPPED, /* accepted by a policy, or not assessed */
    GP_GATE_FAILED
} gp_gate_state;

/* A rule that found nothing or was not assessed, a goal that is met, or one finding. */
typedef struct gp_gate_case {
    const char *group; /* the workload, else the plan */
    const char *rule;  /* "GP3002", "goal" */
    const char *title;
    gp_gate_state state;
    const gp_report_finding *finding; /* NULL: there is none */
    const char *skipped;              /* why; NULL: it was not */
} gp_gate_case;
typedef GP_LIST(gp_gate_case) gp_gate_cases;

/* Every finding, then goals that are met, rules of policies that hold, and, of what was planned,
 * every rule of the table without a finding; failures are latched in out->buf. */
gp_gate_cases gp_gate_cases_of(gp_form_out *out, const gp_report *report);
size_t gp_gate_count(const gp_gate_cases *cases, gp_gate_state state);
/* "plan.yaml:12:9: message. Fix: text", the parts that there are. */
const char *gp_gate_sentence(gp_form_out *out, const gp_report_finding *finding);
/* 64 hexadecimal digits over rule, plan, workload and metric: the same wherever the line moves. */
const char *gp_gate_fingerprint(gp_form_out *out, const gp_report *report,
                                const gp_report_finding *finding);
/* The level at which findings fail the gate. */
int gp_gate_level(const gp_form_out *out);
/* A finding of this level fails the gate. */
bool gp_gate_fails(const gp_form_out *out, const char *level);
/* The file that a finding without a place is shown at: its own, else the spec. */
const char *gp_gate_file(const gp_report *report, const gp_report_finding *finding);
/* At least 1. */
int64_t gp_gate_line(const gp_report_finding *finding);
int64_t gp_gate_column(const gp_report_finding *finding);
/* Text for an XML attribute or element; characters XML 1.0 has no room for become U+FFFD. */
void gp_gate_xml(gp_buf *buf, const char *text);
/* A case of JUnit: what failed has the word of its kind, what is skipped the reason alone; else a
 * text is its output, and NULL: nothing is told of it. */
typedef struct gp_gate_junit {
    const char *name, *group;
    const char *failed;  /* NULL: it did not fail */
    const char *skipped; /* NULL: it was not skipped */
    const char *message, *text;
} gp_gate_junit;
void gp_gate_write_junit(gp_buf *buf, const gp_gate_junit *it);
/* `separator`key="text", a label of OpenMetrics. */
void gp_gate_label(gp_buf *buf, const char *separator, const char *key, const char *text);
/* " name="text"", of XML. */
void gp_gate_attribute(gp_buf *buf, const char *name, const char *text);

#endif
