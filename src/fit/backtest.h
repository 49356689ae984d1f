/*
 * Estimates beside measured runs: what `gpuplan backtest` found, as plain data for any form of
 * output. Fractions are signed shares (0.1: 10 % above what was measured); NAN: not known. All
 * texts live in the arena of the run.
 */
#ifndef GP_FIT_BACKTEST_H
#define GP_FIT_BACKTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gp_backtest_status {
    GP_BACKTEST_SCORED,
    GP_BACKTEST_UNSUPPORTED, /* no estimate; counts against the tool */
    GP_BACKTEST_SKIPPED      /* the file does not call the row strict */
} gp_backtest_status;

/* One metric of one row of the file. */
typedef struct gp_backtest_row {
    const char *id;
    const char *class_name; /* "denseTraining" */
    const char *metric;     /* "tokens_per_s_per_gpu" */
    double measured;
    double estimated;
    double error_fraction; /* estimated / measured - 1; NAN for `fits` */
    double low, high;      /* of the estimate: about four in five measurements lie within */
    gp_backtest_status status;
    const char *reason;  /* what was assumed where the row is silent, or why there is no estimate */
    bool is_fit;         /* metric `fits`: measured and estimated are 1 (ran) or 0 (ran out) */
    bool borderline;     /* of `fits`: too near to the limit to call */
    const char *shape;   /* the model's shape: all its aliases and fine-tunes share it */
    const char *cluster; /* its model and source, whose rows err alike; NULL: not known */
    double left_out;     /* estimate by constants fitted without its kind; NAN: not asked for */
    double left_band;    /* half width of its band then, where it is another; 0: the same */
    size_t line;         /* in the file, from 1 */
    const char *const *by; /* values of the columns asked for, in their order */
} gp_backtest_row;

/* Figures over a set of rows. Percentiles interpolate between the two nearest ranks. */
typedef struct gp_backtest_stats {
    size_t n;                      /* scored */
    size_t unsupported;            /* without an estimate */
    double mean, median, p80, p90; /* of |error_fraction| */
    double bias;                   /* median of the signed error */
    double within_10;              /* share of rows with |error| <= 10 % */
    double coverage;               /* share of rows inside low..high */
    double width;                  /* median half width of their bands: high / estimate - 1 */
    /* Interval score of the bands, mean over the rows, in logarithms: the width, and what lies
     * outside an 80 % band ten times over. Beside it that of one band around all estimates of the
     * table, as wide as to hold 80 % of them. Less is better. */
    double score, constant_score;
    double cluster_median, cluster_p90; /* over models and sources, of the median error of each */
    /* of `fits` */
    double right;      /* share of the calls outside the borderline band that are right */
    double borderline; /* share of rows inside it */
} gp_backtest_stats;

/* One class and metric, or one group of them. */
typedef struct gp_backtest_class {
    const char *class_name;
    const char *metric;
    const char *group; /* "gpu=H100-SXM5-80GB, precision=fp8"; NULL where none was asked for */
    bool is_fit;
    gp_backtest_stats stats;
    gp_backtest_stats left_out;   /* the same with the row's kind left out of the fit */
    const gp_backtest_row *worst; /* scored rows; NULL where there is none */
    const gp_backtest_row *best;
} gp_backtest_class;

typedef struct gp_backtest {
    const char *kind; /* "training" */
    size_t row_count;
    const gp_backtest_row *rows;
    size_t class_count;
    const gp_backtest_class *classes;
    size_t group_count;
    const gp_backtest_class *groups;
    size_t worst_count;
    const gp_backtest_row *const *worst; /* largest error first */
    size_t scored, unsupported, skipped;
    gp_backtest_stats total;    /* over all metrics but `fits` */
    gp_backtest_stats left_out; /* likewise */
    gp_backtest_stats fits;     /* over the rows of `fits` */
    bool has_fits;
    bool has_left_out;
} gp_backtest;

#endif
