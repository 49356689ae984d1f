/*
 * What other tools write, as documents of gpuplan: model configurations of Hugging Face
 * repositories as catalogue rows, descriptions of machines (hwloc, Slurm) as pools, prices of
 * clouds as price lists. Texts in, texts out: nothing is fetched here.
 */
#ifndef GP_IMPORT_IMPORT_H
#define GP_IMPORT_IMPORT_H

#include "catalog/catalog.h"

/* ---------------------------------------------------------------- models */

/* The files of one repository; NULL where it has none. */
typedef struct gp_import_model_input {
    const char *name;            /* "ORG/NAME": becomes the row's alias and, lower case, its id */
    const char *source;          /* where the files were read */
    const char *date;            /* "2027-03-31" */
    const gp_text *config;       /* config.json */
    const gp_text *quantization; /* hf_quant_config.json */
    const gp_text *index;        /* model.safetensors.index.json */
    double checkpoint_bytes;     /* where known without an index; 0: not */
} gp_import_model_input;

typedef struct gp_import_model {
    const char *id;
    const char *architecture;    /* model_type of the decoder */
    const char *row;             /* the catalogue row, a key per line */
    const char *document;        /* a Catalog document with that row */
    const gp_model *model;       /* the row as it reads back */
    double parameters;           /* by the shape, vision tower included */
    double active_parameters;    /* of one token */
    double checkpoint_bytes;     /* as published; 0: not known */
    double expected_bytes;       /* by the shape and the formats of the weights */
    GP_LIST(const char *) notes; /* what the shape leaves out, what does not agree */
} gp_import_model;

/* Reads a model's shape. GP_ERR_INPUT: something in the files is wrong, or the architecture is one
 * that cannot be read; diagnostics say what. */
gp_status gp_import_model_read(gp_arena *arena, const gp_import_model_input *input, gp_diags *diags,
                               gp_import_model *ret_model);
/* The architectures that are read (values of model_type), NULL-terminated, in order. */
extern const char *const gp_import_architectures[];

/* ---------------------------------------------------------------- machines */

typedef struct gp_import_pools {
    const char *fragment; /* YAML to put under spec: */
    const char *what;     /* it is, in words; NULL: machines that were found */
    GP_LIST(const char *) notes;
} gp_import_pools;

/* Words for names that a file leaves open: "ID", or "NAME=ID" for one name of several. */
typedef struct gp_import_pool_options {
    GP_LIST(const char *) gpus;    /* catalogue ids of GPUs */
    GP_LIST(const char *) systems; /* catalogue ids of machines, in place of written-out ones */
} gp_import_pool_options;

typedef gp_status gp_import_read_pools(gp_arena *arena, const gp_text *text, gp_catalog *catalog,
                                       const gp_import_pool_options *options, gp_diags *diags,
                                       gp_import_pools *ret_pools);
/* XML of lstopo (hwloc 2 or 3): one machine. */
gp_import_read_pools gp_import_hwloc_read;
/* gres.conf, or the output of `scontrol show node`: pools of machines with the same GPUs. That of
 * `sacct -X --parsable2`: workloads, without the keys that Slurm does not know. */
gp_import_read_pools gp_import_slurm_read;

/* ---------------------------------------------------------------- prices */

/* Tiers of cloud prices. */
typedef enum gp_price_tier {
    GP_TIER_ON_DEMAND,
    GP_TIER_SPOT,
    GP_TIER_LOW_PRIORITY,
    GP_TIER_RESERVED_1Y,
    GP_TIER_RESERVED_3Y,
    GP_TIER_COUNT
} gp_price_tier;

typedef struct gp_price_options {
    const char *provider; /* azure, aws, ...: rows of the catalogue's clouds */
    const char *region;   /* NULL: all */
    const char *sku;      /* one instance type; NULL: all of the catalogue */
    int tier;             /* gp_price_tier; -1: all */
} gp_price_options;

/* Prices as they gather over pages and files. */
typedef struct gp_price_book gp_price_book;

gp_status gp_price_book_new(gp_arena *arena, gp_catalog *catalog, const gp_price_options *options,
                            gp_price_book **ret_book);
/* One page of the Azure Retail Prices API. *ret_next is the address of the next, or NULL. */
gp_status gp_price_azure_add(gp_price_book *book, const gp_text *page, gp_diags *diags,
                             const char **ret_next);
/* A SkyPilot catalogue (vms.csv). */
gp_status gp_price_skypilot_add(gp_price_book *book, const gp_text *csv, gp_diags *diags);

typedef struct gp_price_list {
    const char *document; /* a Prices document */
    const char *payload;  /* its spec alone, a key per line: what a lock keeps */
    size_t items;
    GP_LIST(const char *) notes; /* what was left out, with counts */
} gp_price_list;

/* `name` and `source` go into the document; `date` too. GP_ERR_NOT_FOUND: nothing was priced (the
 * notes say why). */
gp_status gp_price_book_finish(gp_price_book *book, const char *name, const char *source,
                               const char *date, gp_price_list *ret_list);

#endif
