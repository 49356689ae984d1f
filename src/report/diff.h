/*
 * What changed between two reports of one plan, and why. Figures come from the reports; the causes
 * are found by the caller, who can plan again, and are told with the effect each has by itself.
 */
#ifndef GP_REPORT_DIFF_H
#define GP_REPORT_DIFF_H

#include <gpuplan/report.h>

struct gp_policy;

/* A figure on both sides; an absent one is NaN or NULL. */
typedef struct gp_diff_figure {
    const char *metric;                /* path under the workload or the report */
    double base, head;                 /* numbers */
    const char *base_text, *head_text; /* words */
    double change_fraction;            /* of the base; NaN where that says nothing */
    const char *unit;
    gp_dim dim; /* not written */
} gp_diff_figure;

typedef struct gp_diff_workload {
    const char *name;
    const char *state; /* added | removed | changed | same */
    GP_LIST(gp_diff_figure) figures;
} gp_diff_workload;

/* What a change does to one workload by itself. */
typedef struct gp_diff_effect {
    const char *workload;
    int64_t gpus; /* more of them */
    const char *base_scale, *head_scale;
    const char *base_system, *head_system; /* the machine it runs on; NULL: none */
} gp_diff_effect;

typedef struct gp_diff_cause {
    const char *kind; /* spec | catalog | calibration | prices | tool | flags */
    const char *path; /* of the spec, or of the file */
    const char *base, *head;
    const char *file;
    int64_t line, column;
    bool measured; /* the plan was made again with this change alone */
    int64_t gpus;  /* more of them, of the whole plan; absent where not measured */
    int64_t nodes; /* likewise below */
    double it_power_w, capital, cost_per_year;
    GP_LIST(gp_diff_effect) effects;
    gp_span span; /* not written */
} gp_diff_cause;

typedef struct gp_diff_finding {
    const char *change; /* new | resolved */
    const char *id, *level, *workload, *message;
    const char *fix;  /* NULL: none is known */
    const char *file; /* NULL: no line is responsible */
    int64_t line, column;
} gp_diff_finding;

/* One item of an offer: what is bought, and what that costs. */
typedef struct gp_diff_quote {
    int64_t count, spare;
    double price; /* NaN: it has none */
} gp_diff_quote;

typedef struct gp_diff_item {
    const char *role, *product;
    gp_diff_quote base, head;
} gp_diff_item;

typedef struct gp_diff {
    const char *schema_version;
    const char *plan;
    const char *base_plan; /* its name on the base side, where that is another: two offers */
    const char *state;     /* added | removed | changed | same */
    const char *base_path, *head_path;
    const char *base_verdict, *head_verdict; /* holds | fails, as `check` says; NULL: not known */
    const char *fail_on;                     /* findings of the head from this level on fail */
    const char *currency;
    GP_LIST(gp_diff_figure) figures; /* those that changed; of two offers the totals of both */
    GP_LIST(gp_diff_workload) workloads;
    GP_LIST(gp_diff_item) items;               /* of two offers: what each buys */
    const char *base_unpriced, *head_unpriced; /* of two offers: what has no price; NULL: nothing */
    GP_LIST(gp_diff_cause) causes;
    GP_LIST(gp_diff_finding) findings;
    GP_LIST(gp_report_finding) breaches; /* of policies over the change itself */
} gp_diff;

typedef GP_LIST(gp_diff *) gp_diff_list;

extern const gp_report_struct gp_diff_type;

/* Compares two reports of one plan; one of them may be NULL (the plan came or went). Causes that
 * the reports themselves tell (other catalogue, prices, calibration, tool, flags) are in. */
void gp_diff_of(gp_arena *arena, const gp_report *base, const gp_report *head, gp_diff **ret_diff);

/* What `check` says of both sides (NULL: not known, or no such plan), and from which level on each
 * fails: verdicts, and the findings that came or went between them. */
void gp_diff_check(gp_arena *arena, gp_diff *diff, const gp_report *base, gp_level base_level,
                   const gp_report *head, gp_level head_level);
/* Whether `check` of the newer side says no. */
bool gp_diff_fails(const gp_diff *diff);

/* Holds the change against the rules of policies that speak of "diff.METRIC". A limit in per cent
 * is held against the change as a share of the base, another one against the difference. */
gp_status gp_diff_judge(gp_arena *arena, gp_diff *diff, const gp_report *base,
                        const gp_report *head, const struct gp_policy *const *policies,
                        size_t count, gp_diags *diags);

#endif
