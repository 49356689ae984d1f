/*
 * Plan against reality: what was planned for each workload beside what a metrics server has seen,
 * how far they may be apart, and what the difference does to the growth plan.
 */
#ifndef GP_REPORT_OBSERVE_H
#define GP_REPORT_OBSERVE_H

#include <gpuplan/report.h>

struct gp_plan_result;

struct gp_telemetry;

typedef enum gp_observed_state {
    GP_OBSERVED_OK,
    GP_OBSERVED_UNSURE,       /* beyond the limit, but within the bucket of the histogram */
    GP_OBSERVED_BREACH,       /* beyond the limit */
    GP_OBSERVED_NOT_MEASURED, /* see the reason */
    GP_OBSERVED_NOT_PLANNED   /* measured, and the plan says nothing of it */
} gp_observed_state;

typedef enum gp_observed_side {
    GP_OBSERVED_EITHER,
    GP_OBSERVED_ABOVE,
    GP_OBSERVED_BELOW
} gp_observed_side;

typedef struct gp_observed_figure {
    const char *workload; /* NULL: the machines as a whole */
    const char *metric;   /* "ttftP95" */
    const char *help;
    gp_dim dim;
    double planned, observed; /* NAN: not known */
    double low, high;         /* edges of the histogram's bucket; NAN: none */
    double drift_fraction;    /* observed / planned - 1; NAN */
    double limit_fraction;    /* of the drift, on its side */
    gp_observed_side side;
    gp_observed_state state;
    const char *reason; /* why it was not measured, or what makes it unsure; NULL */
    int64_t samples;
    const char *query; /* PromQL; NULL */
} gp_observed_figure;

/* A date of the growth plan, as planned and with what was measured. */
typedef struct gp_growth_shift {
    const char *event;    /* "power" (a limit that is passed) or "purchase" (the first) */
    const char *planned;  /* "2027-Q3"; NULL: not within the horizon */
    const char *observed; /* likewise */
    const char *planned_order, *observed_order; /* of a purchase: order by */
    bool moved, earlier;
    const char *sentence;
} gp_growth_shift;

typedef struct gp_observe_lack {
    const char *metric;
    const char *reason;
} gp_observe_lack;

/* One value that took the place of the spec's, to see where growth goes. */
typedef struct gp_observe_override {
    const char *path, *value;
} gp_observe_override;

typedef struct gp_observation {
    const char *plan, *spec;
    const char *server;
    const char *until; /* "2026-06-01T10:00:00Z" */
    double window_s;
    bool ok; /* no breach */
    int64_t breaches, unsure, not_measured;
    GP_LIST(gp_observed_figure) figures;
    GP_LIST(gp_growth_shift) shifts;
    GP_LIST(gp_observe_override) overrides;
    GP_LIST(gp_observe_lack) missing; /* all that the server does not have */
    GP_LIST(const char *) warnings;
} gp_observation;

/* What engines call the model of each workload, in spec order; NULL: not found, with the reason. */
typedef struct gp_observe_subject {
    const char *served;
    const char *reason;
} gp_observe_subject;

/* A limit in place of the catalogue's. */
typedef struct gp_observe_limit {
    const char *metric;
    double fraction;
} gp_observe_limit;

typedef struct gp_observe_options {
    const gp_observe_subject *subjects;
    const gp_observe_limit *limits;
    size_t limit_count;
} gp_observe_options;

/* Names of the figures, NULL-terminated: what a limit may be given for. */
extern const char *const gp_observe_metrics[];

/* Figures of every workload. The caller fills plan, spec, server, until and window. */
void gp_observe_build(gp_arena *arena, const struct gp_plan_result *result,
                      const struct gp_telemetry *telemetry, const gp_observe_options *options,
                      gp_observation *ret_observation);
/* What to put in place of the spec's traffic, so that a plan with it says where growth goes. */
void gp_observe_overrides(gp_arena *arena, const struct gp_plan_result *result,
                          const struct gp_telemetry *telemetry, const gp_observe_options *options,
                          gp_observation *observation);
/* Compares the growth of both plans. */
void gp_observe_growth(gp_arena *arena, const gp_report *planned, const gp_report *measured,
                       gp_observation *observation);

#endif
