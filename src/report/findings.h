/*
 * Rules that look at a finished plan and its figures. Each rule is a small function that adds at
 * most one finding per subject; what its id means is a row of the rule table.
 */
#ifndef GP_REPORT_FINDINGS_H
#define GP_REPORT_FINDINGS_H

#include "report/build.h"

typedef struct gp_findings {
    gp_build *build;
    size_t cap;
    const gp_workload_plan *plan;      /* the workload in question, or NULL */
    const gp_report_workload *figures; /* the same in the report */
    const char *site;                  /* one of several, or NULL */
    size_t site_index;
} gp_findings;

typedef void gp_rule_function(gp_findings *findings);

/* --- findings_site.c: rules about what stands at a site, of several at each */
void gp_findings_places(gp_findings *findings);
/* The keys of the limits that what is planned there is not judged by, since nobody stated them; room
 * for GP_SITE_LIMITS. Returns how many. */
enum { GP_SITE_LIMITS = 4 };
size_t gp_site_unstated(const gp_site *site, const gp_site_plan *planned, const char **ret);

/* Rules about one workload, and rules about the plan as a whole; NULL at the end. */
extern gp_rule_function *const gp_rules_fit[];
extern gp_rule_function *const gp_rules_run[];
extern gp_rule_function *const gp_rules_network[];
extern gp_rule_function *const gp_rules_schedule[];
extern gp_rule_function *const gp_rules_site[];
extern gp_rule_function *const gp_rules_plan[];

/* A finding of rule `id` with nothing in it but its level and workload. */
gp_report_finding gp_finding_new(const gp_findings *findings, const char *id);
/* The figures of a finding; margin is what is left of the limit. */
void gp_finding_figures(gp_report_finding *finding, const char *metric, double value, double limit,
                        gp_dim dim, bool lower_is_better);
/* Appends it with the place of the field, or of the nearest thing around it that has a place: in
 * the end the workload. GP_REF_NONE: the workload itself. */
void gp_findings_add(gp_findings *findings, gp_report_finding *finding, gp_ref field);
/* A struct as a whole. */
#define GP_FINDING_AT(object) ((gp_ref){.meta = &(object)->meta})
/* "a, b and c" */
const char *gp_finding_list(gp_findings *findings, const char *const *names, size_t count);
/* Texts for findings: latches like gp_build_text. */
#define GP_FINDING_TEXT(findings, ...)            gp_build_text((findings)->build, __VA_ARGS__)
#define GP_FINDING_QUANTITY(findings, value, dim) gp_build_quantity((findings)->build, value, dim)

void gp_findings_teams(gp_findings *findings);

/* Sets where a finding points; nowhere where the span is. */
void gp_finding_place(gp_report_finding *finding, gp_span span);
/* The gravest first. */
int gp_finding_by_gravity(const void *a, const void *b, const void *context);

#endif
