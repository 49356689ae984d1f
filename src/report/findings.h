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
/* The keys of the limits that what is planned there is not judged by, since nobody stated them;
 * room for GP_SITE_LIMITS. Returns how many. */
enum { GP_SITE_LIMITS = 4 };
size_t gp_site_unstated(const gp_site *site, const gp_site_plan *planned, const char **ret);

/* Rules about one workload, and rules about the plan as a whole; NULL at the end. */
extern gp_rule_function *const gp_rules_fit[];
extern gp_rule_function *const gp_rules_run[];
extern gp_rule_function *const gp_rules_network[];
extern gp_rule_function *const gp_rules_schedule[];
extern gp_rule_function *const gp_rules_site[];
extern gp_rule_function *const gp_rules_plan[];

/* A figure, and the limit that it is held against. */
typedef struct gp_found {
    bool has_unit;      /* also where the figure is not known */
    const char *metric; /* NULL: none */
    double value, limit;
    gp_dim dim;
    bool lower_is_better;
} gp_found;

#define GP_FOUND(...) ((gp_found){true, __VA_ARGS__})
/* Only the name of a figure. */
#define GP_FOUND_AT(metric)                                                                        \
    ((gp_found){false, metric, GP_REPORT_NO_REAL, GP_REPORT_NO_REAL, GP_DIM_NONE, false})

/* Adds a finding of rule `id`, of its level and of the workload in question, with the place of the
 * field, or of the nearest thing around it that has a place: in the end the workload. GP_REF_NONE:
 * the workload itself. What it returns is there until the next is added. */
gp_report_finding *gp_findings_say(gp_findings *findings, const char *id, gp_ref field,
                                   gp_found found, const char *fix, const char *message, ...)
    __attribute__((format(printf, 6, 7)));
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
