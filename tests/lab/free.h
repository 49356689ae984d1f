/* The constants that are fitted to measured runs: which, between which bounds, from which prior. */
#ifndef GP_LAB_FREE_H
#define GP_LAB_FREE_H

#include "lab/lab.h"

typedef enum gp_free_kind {
    GP_FREE_CONSTANT,   /* the constants row of that id */
    GP_FREE_EFFICIENCY, /* a member of the efficiency rows */
    GP_FREE_POWER,      /* a member of the power classes */
    GP_FREE_STACK       /* a member of the stacks: training's, or with GP_FREE_ENGINE serving's */
} gp_free_kind;

/* Which rows share one value. */
typedef enum gp_free_tie {
    GP_FREE_EACH,       /* every row has its own */
    GP_FREE_DIE,        /* one architecture and width of the format */
    GP_FREE_FAMILY,     /* one architecture, kind of memory and width of the format */
    GP_FREE_GENERATION, /* one architecture and kind of memory */
    GP_FREE_ENGINE,     /* releases of a serving engine that stand with the same times */
    GP_FREE_BUILD,      /* stacks whose layers are built alike */
    GP_FREE_ALL
} gp_free_tie;

typedef struct gp_free_rule {
    gp_free_kind kind;
    const char *id; /* row id of a constant, key of an efficiency's member */
    gp_free_tie tie;
    double prior;  /* in base units: what is believed without any run */
    double spread; /* of the natural logarithm around the prior, one standard deviation */
    double low, high;
    const char *only; /* of the efficiency rows those whose family ends so; NULL: all */
    bool measured;    /* the prior is of kernel measurements: with too few runs it holds, not the
                         mean of its rule's others */
} gp_free_rule;

extern const gp_free_rule gp_free_rules[];
extern const size_t gp_free_rule_count;
/* The same for runs of serving. */
extern const gp_free_rule gp_free_serving_rules[];
extern const size_t gp_free_serving_rule_count;

/* One free number and the members that it is written to, each times its ratio. */
typedef struct gp_free {
    const gp_free_rule *rule;
    const char *name; /* "training.tp.exposed", "gemm hopper hbm 8 bit" */
    const char *clan; /* of efficiencies the vendor, whose others are nearer kin; or NULL */
    size_t target_count, target_cap, ratio_cap;
    double **targets;
    double *ratios;
    double value;
    size_t n;      /* runs whose estimate moves with it */
    size_t shapes; /* models among them */
    bool used;     /* some run of the fit moves with it */
    bool sparse;   /* rests on too few runs: drawn to its class */
    double parent; /* what it is drawn to */
    double spread; /* how closely: one standard deviation of the logarithm around the parent */
} gp_free;

typedef struct gp_free_list {
    gp_free *items;
    size_t count, cap;
} gp_free_list;

/* Adds all free numbers of `rules` that rows of the fitter hold; a rule whose constant does not
 * exist is GP_ERR_INTERNAL with a diagnostic. */
gp_status gp_free_collect(gp_fitter *fitter, const gp_free_rule *rules, size_t rule_count,
                          gp_free_list *list);
/* Writes a value, kept within the rule's bounds, to all members. */
void gp_free_set(gp_free *item, double value);

#endif
