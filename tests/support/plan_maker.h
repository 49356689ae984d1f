/*
 * Test support: specs drawn from a seed. A drawn plan is a list of keys with their values, so that
 * a test may change one, write the same plan in another way, or leave out what a failure does not
 * need. The same seed gives the same plan on every machine.
 */
#ifndef GP_TESTS_PLAN_MAKER_H
#define GP_TESTS_PLAN_MAKER_H

#include "support/spec_case.h"

enum { MADE_KEYS_MAX = 320, MADE_PATH = 64, MADE_VALUE = 96, MADE_TEXT = 24576 };

/* "workloads.[0].traffic.profile": components in brackets are items of a list, "@0" is the name of
 * workload 0. */
typedef struct made_key {
    char path[MADE_PATH];
    char value[MADE_VALUE]; /* a "@0" in it stands for the name of workload 0 */
    char other[MADE_VALUE]; /* the same in other units; "": none */
    bool needed;            /* goes only with its whole workload */
    bool dropped;
} made_key;

/* How it is written: none of these means anything. */
typedef struct made_style {
    bool backwards; /* workloads and keys in reverse order */
    bool renamed;   /* names that sort the other way round */
    bool units;     /* values in other units */
} made_style;

typedef struct made_plan {
    uint64_t seed;
    int workloads;
    int count;
    made_key keys[MADE_KEYS_MAX];
    made_style style;
    bool priced; /* a price list goes with it */
} made_plan;

/* Small generator: the same numbers everywhere. */
typedef struct maker_dice {
    uint64_t state;
} maker_dice;
void maker_seed(maker_dice *dice, uint64_t seed);
unsigned maker_draw(maker_dice *dice, unsigned below);

/* Which plans to draw; zero draws from everything. */
typedef struct maker_wish {
    int workloads_min, workloads_max; /* 0: 1 to 3, now and then 6 */
    int kinds_min, kinds_max;         /* 0: 1 or 2, now and then 3, or none stated */
    bool services; /* nothing but services in one pool, without availability or profile */
    bool all_work; /* seats, RL, readers, large mixtures of experts and racks as well */
    bool no_pools, no_limits, no_growth;
    const char *objective; /* NULL: any */
} maker_wish;

void maker_make(uint64_t seed, const maker_wish *wish, made_plan *ret);
/* Sets a key, adding it where there is none; `value` is printf-formatted. */
void made_set(made_plan *plan, const char *path, const char *value, ...)
    __attribute__((format(printf, 3, 4)));
/* Drops all keys whose path starts so. */
void made_drop(made_plan *plan, const char *prefix);
const char *made_get(const made_plan *plan, const char *path); /* NULL: not there */
int made_items(const made_plan *plan, const char *list);       /* of "candidates.allow" */
void made_write(const made_plan *plan, char text[MADE_TEXT]);

/* What came of it. The result lives until the next plan is made into the same outcome. */
typedef struct made_outcome {
    spec_case c;
    gp_status st;
    const gp_plan_result *result; /* NULL unless st is OK */
} made_outcome;
/* One catalogue for all plans; a zeroed outcome is empty. */
void made_run(const made_plan *plan, bool declared_only, made_outcome *ret);
/* The same with values of the spec overridden, as --set does. */
void made_run_set(const made_plan *plan, bool declared_only, const gp_override *overrides,
                  size_t count, made_outcome *ret);
/* The same of a spec that is written already; the text is copied. */
void made_run_text(const char *text, bool declared_only, const gp_override *overrides, size_t count,
                   made_outcome *ret);
void made_done(made_outcome *outcome);
void made_close(void);

/* A property: true where it holds (or says nothing about this plan); what is wrong into `why`. */
enum { MADE_WHY = 512 };
typedef bool made_property(const made_plan *plan, char why[MADE_WHY]);
/* Draws `count` plans and tries each; a plan that fails is made as small as it stays failing, and
 * printed with its seed. Returns the number of failures. `seed` 0: the default, or that of
 * GPUPLAN_PROPERTY_SEED. */
int made_try(const char *name, made_property *property, const maker_wish *wish, int count);
/* Plans to draw: `count`, or GPUPLAN_PROPERTY_COUNT. */
int made_count(int count);

#endif
