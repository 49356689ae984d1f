/*
 * What a calibration turns: the figures that one class of factors multiplies, in the fitter's
 * copies of the catalogue's rows, and single measurements with the class they belong to.
 */
#ifndef GP_FIT_DIALS_H
#define GP_FIT_DIALS_H

#include "fit/fitter.h"
#include "model/calibration.h"

/* One class: a term, what it is for, and the member figures. */
typedef struct gp_dial {
    gp_calibration_term term;
    const gp_gpu *gpu;     /* NULL: not by GPU */
    const char *precision; /* NULL: not by precision */
    const char *software;  /* framework of a stepTime; else what all its runs share, or NULL */
    bool mixed;            /* runs of several frameworks or engines */
    bool serving;
    const char *link;
    const char *key;     /* tells classes apart, and their order */
    const void *target;  /* efficiency row, power row, machine; NULL: a constant or stacks */
    double shares[2];    /* built-in shares of a peak that the factor must not lift above 1 */
    double prior_spread; /* standard deviation of ln(factor) before any measurement */
    double log_factor;   /* present value: shrunk */
    double log_mean;     /* of the measurements */
    double weight;       /* share of the measurements in log_factor */
    double variance;     /* of log_mean */
    double information;  /* sum of the squared elasticities of its samples */
    double error_fraction;
    bool streams;    /* all samples are streams between two ports: they tell of no collective */
    double p10, p90; /* of the factors of single samples */
    size_t samples;
} gp_dial;

/* One measured figure of one run. */
typedef struct gp_sample {
    const gp_run_row *run;
    gp_runs_kind kind;
    gp_span span;
    const char *metric;
    gp_fit_point point; /* subject NULL: the run is scored anew */
    double measured;
    double before;     /* built-in estimate */
    double after;      /* by factors fitted without this sample */
    size_t dial;       /* its class */
    size_t stack_dial; /* the framework's, or SIZE_MAX */
    double log_factor; /* that makes the estimate the measured figure */
    double elasticity; /* of the estimate in the factor, above 0 */
    const char *refused;
    bool silent; /* tells nothing of its class */
} gp_sample;

typedef struct gp_dials {
    gp_fitter *fitter;
    gp_efficiency *efficiencies; /* the rows as they were */
    gp_power_class *powers;
    gp_stack *stacks;
    gp_constants constants;
    gp_machine *machines; /* as they were, of those in the fitter */
    size_t machine_count;
    gp_dial *items;
    size_t count, cap;
    gp_sample *samples;
    size_t sample_count, sample_cap;
} gp_dials;

/* ---- dials.c */
void gp_dials_init(gp_dials *dials, gp_fitter *fitter);
/* The dial of that class, new where there is none. */
void gp_dials_get(gp_dials *dials, const gp_dial *wanted, size_t *ret_at);
/* Puts the rows back to what they were, then turns every dial to its factor but `own`, which is
 * turned to exp(log_factor); SIZE_MAX: all to their own. */
void gp_dials_turn(gp_dials *dials, size_t own, double log_factor);
/* The same with all at their own factors, and `probe`, which is none of them, on top. */
void gp_dials_probe(gp_dials *dials, const gp_dial *probe, double log_factor);

/* ---- samples.c */
/* Scores a run and adds its measured figures, each with its class. */
void gp_samples_add(gp_dials *dials, gp_runs_kind kind, const gp_run_row *run, gp_span span);
/* The estimate of a sample by the fitter's present rows; not above zero where there is none. */
double gp_sample_estimate(gp_dials *dials, const gp_sample *sample);

#endif
