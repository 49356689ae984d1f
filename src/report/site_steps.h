/*
 * How the figures of the whole plan came about, one row per figure: its formula, where that is
 * from, and its inputs. `explain` and the provenance map read the same rows.
 */
#ifndef GP_REPORT_SITE_STEPS_H
#define GP_REPORT_SITE_STEPS_H

#include "report/source.h"

/* What an input of a step is. */
typedef enum gp_input_kind {
    GP_INPUT_NONE,
    GP_INPUT_FIGURE,         /* a figure of the report, by its path */
    GP_INPUT_FIELD,          /* a field of the spec, of the catalogue or a constant */
    GP_INPUT_POWER_LINES,    /* lines of the bill that draw power; `path`: end of their role */
    GP_INPUT_PRICE_LINES,    /* lines of the bill with something to buy */
    GP_INPUT_WORKLOAD_POWER, /* each workload's machines under its load */
    GP_INPUT_HEAT,           /* each kind of machine with its share to liquid */
    GP_INPUT_MACHINES,       /* machines of the item's kind */
    GP_INPUT_STANDING,       /* machines of every kind that stands, with their GPUs */
    GP_INPUT_CHECKPOINTS,    /* what workloads write and read */
    GP_INPUT_BUSY,           /* share of the time in which workloads compute */
    GP_INPUT_RENTS,          /* machines in a cloud */
    GP_INPUT_LINKS,          /* links between sites */
    GP_INPUT_DEMAND          /* machines by workload in the item's quarter */
} gp_input_kind;

/* Where a field lies. */
typedef enum gp_input_root {
    GP_ROOT_CONSTANTS,
    GP_ROOT_SITE,
    GP_ROOT_POWER,
    GP_ROOT_DESIGN_PUE,
    GP_ROOT_ANNUAL_PUE,
    GP_ROOT_CIRCUITS,
    GP_ROOT_COOLING,
    GP_ROOT_AIR,
    GP_ROOT_LIQUID,
    GP_ROOT_RACKS,
    GP_ROOT_ENERGY,
    GP_ROOT_COSTS,
    GP_ROOT_GROWTH,
    GP_ROOT_LEAD_TIME,
    GP_ROOT_SYSTEM,  /* the machine of the item's kind */
    GP_ROOT_CLOUD,   /* the instance that owning is compared with, */
    GP_ROOT_RENT,    /* the same where its price is the catalogue's, */
    GP_ROOT_QUOTE,   /* else the line of a price list */
    GP_ROOT_STORAGE, /* the storage product */
    GP_ROOT_CDU,     /* the coolant distribution unit */
    GP_ROOT_COUNT
} gp_input_root;

typedef struct gp_step_input {
    gp_input_kind kind;
    const char *path;
    gp_input_root root;
    size_t offset;
    size_t otherwise;   /* offset of the constant that stands in where it is nothing; 0: none */
    bool unless_stated; /* read where the step's first input, a field, is nothing */
} gp_step_input;

enum { GP_STEP_INPUTS = 11 };

/* A figure; `*` in a path stands for an item of the list before it. */
typedef struct gp_site_step {
    const char *path;
    const char *alias; /* the same figure elsewhere in the report, or NULL */
    const char *name;
    const char *formula;
    const char *source;
    gp_step_input inputs[GP_STEP_INPUTS];
} gp_site_step;

extern const gp_site_step gp_site_steps[];
extern const size_t gp_site_step_count;

/* Items of the list in a step's path; 1 where it has none. */
size_t gp_step_items(const gp_report *report, const gp_site_step *step);
/* `path` with its item by name (or by number, as pointers have it). */
const char *gp_step_path(gp_build *build, const char *path, size_t item, bool by_number);
/* The figure is in the report; its value. */
bool gp_step_value(gp_build *build, const char *path, gp_report_value *ret_value);
/* The step whose figure `path` is, with its item; NULL for none. */
const gp_site_step *gp_step_of_path(gp_build *build, const char *path, size_t *ret_item);
void gp_step_sources(gp_build *build, const gp_site_step *step, size_t item,
                     gp_report_source **ret_items, size_t *ret_count);
/* The fields that the figures of the report rest on. */
void gp_step_fields(gp_build *build, gp_ref_list *ret);
/* The weakest evidence beneath it. */
const char *gp_step_basis(gp_build *build, const gp_site_step *step, size_t item);

#endif
