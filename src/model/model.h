/*
 * The spec (kind: Plan) as bound structs, and its resolution against a catalogue. A member that is
 * absent is zero with origin NONE. All doubles are in the unit their name ends in.
 */
#ifndef GP_MODEL_MODEL_H
#define GP_MODEL_MODEL_H

#include "catalog/catalog.h"

/* A scalar or a map; the bare scalar means `mean` for traffic and `p95` for an SLO. */
typedef struct gp_distribution {
    gp_meta meta;
    double mean, p50, p95, p99, peak;
} gp_distribution;

typedef enum gp_confidence {
    GP_CONFIDENCE_EXPECTED,
    GP_CONFIDENCE_P80,
    GP_CONFIDENCE_P90
} gp_confidence;

typedef enum gp_tuning { GP_TUNING_TUNED, GP_TUNING_TYPICAL, GP_TUNING_UNTUNED } gp_tuning;

typedef enum gp_redundancy { GP_REDUNDANCY_N, GP_REDUNDANCY_N1, GP_REDUNDANCY_2N } gp_redundancy;

/* Climates by the share of the year in which chillers run for air and for cool water. */
typedef enum gp_climate {
    GP_CLIMATE_UNKNOWN, /* chillers all year: a design is judged so */
    GP_CLIMATE_COLD,
    GP_CLIMATE_TEMPERATE,
    GP_CLIMATE_HOT,
    GP_CLIMATE_COUNT
} gp_climate;

typedef enum gp_fabric_kind { GP_FABRIC_INFINIBAND, GP_FABRIC_ETHERNET } gp_fabric_kind;
typedef enum gp_topology {
    GP_TOPOLOGY_RAIL,
    GP_TOPOLOGY_FAT_TREE,
    GP_TOPOLOGY_DRAGONFLY
} gp_topology;

/* Machines that nobody works on for a while. */
typedef enum gp_idle { GP_IDLE_POWERED_DOWN, GP_IDLE_POWERED_ON } gp_idle;

typedef enum gp_objective {
    GP_OBJECTIVE_AUTO,
    GP_OBJECTIVE_MIN_COST,
    GP_OBJECTIVE_MIN_POWER,
    GP_OBJECTIVE_MIN_GPUS,
    GP_OBJECTIVE_MIN_TIME,
    GP_OBJECTIVE_MIN_MACHINES,
    GP_OBJECTIVE_MIN_CARBON
} gp_objective;

extern const char *const gp_objective_words[]; /* by objective; NULL at the end */

typedef enum gp_workload_type {
    GP_WORKLOAD_TRAINING,
    GP_WORKLOAD_FINETUNE,
    GP_WORKLOAD_LORA,
    GP_WORKLOAD_INFERENCE,
    GP_WORKLOAD_RL,
    GP_WORKLOAD_SEATS,
    GP_WORKLOAD_TYPE_COUNT
} gp_workload_type;

typedef enum gp_optimizer {
    GP_OPTIMIZER_ADAMW,
    GP_OPTIMIZER_ADAMW_8BIT,
    GP_OPTIMIZER_ADAMW_BF16,
    GP_OPTIMIZER_SGD,
    GP_OPTIMIZER_ADAFACTOR,
    GP_OPTIMIZER_MUON,
    GP_OPTIMIZER_ADAMW_MIXED /* FP32 weights, BF16 moments */
} gp_optimizer;

typedef enum gp_recompute {
    GP_RECOMPUTE_AUTO,
    GP_RECOMPUTE_NONE,
    GP_RECOMPUTE_SELECTIVE,
    GP_RECOMPUTE_FULL
} gp_recompute;

/* What of the training states waits outside the GPU. */
typedef enum gp_offload {
    GP_OFFLOAD_NONE,
    GP_OFFLOAD_OPTIMIZER,
    GP_OFFLOAD_PARAMETERS, /* and the optimizer's states */
    GP_OFFLOAD_AUTO        /* as little as makes it fit */
} gp_offload;

typedef enum gp_offload_place {
    GP_OFFLOAD_ANYWHERE, /* the host where it has room, else its drives */
    GP_OFFLOAD_HOST,
    GP_OFFLOAD_NVME
} gp_offload_place;

typedef enum gp_adapter_method {
    GP_ADAPTER_LORA,
    GP_ADAPTER_QLORA,
    GP_ADAPTER_DORA
} gp_adapter_method;

typedef struct gp_images {
    gp_meta meta;
    double per_request;
    int64_t edge;          /* pixels of a square; 0: width and height say it, or nothing needs to */
    int64_t width, height; /* pixels */
    int64_t frames;        /* of a video; 0: an image */
} gp_images;

typedef enum gp_rl_algorithm {
    GP_RL_GRPO,
    GP_RL_DAPO,
    GP_RL_PPO,
    GP_RL_ONLINE_DPO,
    GP_RL_ALGORITHM_COUNT
} gp_rl_algorithm;

/* Which GPUs generate and which train. */
typedef enum gp_rl_pools {
    GP_RL_POOLS_AUTO,
    GP_RL_POOLS_COLOCATED, /* the same, in turn */
    GP_RL_POOLS_APART
} gp_rl_pools;

/* What a model is tuned to. */
typedef enum gp_method_kind {
    GP_METHOD_SFT, /* to answer as the data does; also where nothing is said */
    GP_METHOD_CONTINUED,
    GP_METHOD_DPO,
    GP_METHOD_REWARD_MODEL,
    GP_METHOD_DISTILLATION
} gp_method_kind;

/* ---------------------------------------------------------------- the documents */

#define F_ROWS "model/model.def"
#include "schema/rows.def"

/* A --set PATH=VALUE override, e.g. {"workloads.chat.traffic.requestsPerSecond", "80"}. */
typedef struct gp_override {
    const char *path;
    const char *value;
} gp_override;

/* Everything read from the given texts. */
typedef struct gp_spec {
    GP_LIST(gp_plan_document *) plans;
    GP_LIST(gp_prices *) prices;
    GP_LIST(const gp_policy *) policies;
    GP_LIST(const gp_text *) catalogs; /* Catalog documents found among the inputs */
} gp_spec;

/* Parses and binds all documents of `text`, appending to `spec`. All schema and unit errors go to
 * `diags`; GP_ERR_INPUT when there was one (a plan with errors is appended too, with `wrong` set,
 * so that resolving it adds its reference errors to the same run). Does not look at the catalogue.
 * `overrides` are applied to every plan after binding (an unknown path is an error with the nearest
 * name). */
gp_status gp_spec_read(gp_arena *arena, const gp_text *text, const gp_override *overrides,
                       size_t override_count, gp_diags *diags, gp_spec *spec);
/* Resolves references against the catalogue, applies `extends`, pool overrides and
 * spec.defaults, and checks the model's invariants. The document is changed in place; every
 * resolved field keeps its origin. GP_ERR_INPUT also for a document that is `wrong`. */
gp_status gp_spec_resolve(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                          gp_plan_document *plan);

/* The first link between two sites; NULL: none. */
const gp_site_link *gp_link_between(const gp_plan_spec *spec, const char *one, const char *other);

/* NULL where no team has that name, or there is no name. */
const gp_team *gp_team_named(const gp_plan_spec *spec, const char *name);

/* A resolved plan as one of its several sites has it: its site and cluster, and the workloads that
 * may run there. NOT_FOUND: there is no such site. */
gp_status gp_plan_at_site(gp_arena *arena, const gp_plan_document *plan, const char *name,
                          gp_plan_document **ret_plan);

/* Descriptor tables, for docs and schema output. */

/* Text forms of the descriptor tables (arena-owned): Markdown reference and JSON Schema
 * (draft-07) of `kind`: "spec", "catalog", "prices", "policy", "config", and as JSON Schema
 * "document" for any of them. NULL kind: spec. */
gp_status gp_schema_markdown(gp_arena *arena, const char *kind, const char **ret_text);
gp_status gp_schema_json(gp_arena *arena, const char *kind, const char **ret_text);

/* ---------------------------------------------------------------- comparing specs */

/* A difference between two specs, as --set writes it. */
typedef struct gp_spec_change {
    const char *path;        /* "workloads.chat.traffic.requestsPerSecond" */
    const char *base, *head; /* the values in flow form; NULL: not there */
    bool settable;           /* false: a whole item of a list came or went, or it is a price */
    gp_span span;            /* in the head; of what went in the base */
} gp_spec_change;

typedef GP_LIST(gp_spec_change) gp_spec_changes;

/* What differs between a plan of one text and a plan of another (each by its name), and between the
 * price lists in these texts, in their order; both were read without an error. Items of lists are
 * told apart by their names. NOT_FOUND where a text has no such plan. */
gp_status gp_spec_compare(gp_arena *arena, const gp_text *base, const char *base_plan,
                          const gp_text *head, const char *head_plan, gp_spec_changes *ret_changes);

/* A number that a plan states, as --set would write it. */
typedef struct gp_spec_number {
    const char *path; /* "workloads.chat.traffic.requestsPerSecond.mean" */
    const char *text; /* "25", "80 GiB", "2T tokens" */
    bool whole;       /* a count without a prefix: it stays whole */
} gp_spec_number;

typedef GP_LIST(gp_spec_number) gp_spec_numbers;

/* All numbers of the plan of this name, in the order of the text, but for degrees of parallelism:
 * those are names of layouts. NOT_FOUND where the text has no such plan. */
gp_status gp_spec_list_numbers(gp_arena *arena, const gp_text *text, const char *plan,
                               gp_spec_numbers *ret_numbers);
/* The number times `factor`, its unit kept; a whole number moves by one at least, and not below 0.
 * NULL when memory is short. */
const char *gp_spec_number_scaled(gp_arena *arena, const gp_spec_number *number, double factor);

#endif
