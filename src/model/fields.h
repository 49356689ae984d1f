/* Descriptor tables of the spec's structs; the rows of fields_*.c. */
#ifndef GP_MODEL_FIELDS_H
#define GP_MODEL_FIELDS_H

#include "model/model.h"
#include "schema/field.h"

/* One descriptor per place a gp_distribution stands in: a bare number is the mean of a rate or of
 * tokens, and the 95th percentile of a latency. */
extern const gp_struct gp_rate_distribution_type;
extern const gp_struct gp_token_distribution_type;
extern const gp_struct gp_latency_distribution_type;

extern const gp_struct gp_software_type;
extern const gp_struct gp_defaults_type;
extern const gp_struct gp_site_type;
extern const gp_struct gp_cluster_type;
extern const gp_struct gp_pool_type;
extern const gp_struct gp_fabric_type;
extern const gp_struct gp_candidates_type;
extern const gp_struct gp_workload_type_;
extern const gp_struct gp_data_type;
extern const gp_struct gp_adapter_type;
extern const gp_struct gp_parallelism_type;
extern const gp_struct gp_rl_type;
extern const gp_struct gp_method_type;
extern const gp_struct gp_traffic_type;
extern const gp_struct gp_growth_type;
extern const gp_struct gp_costs_type;
extern const gp_struct gp_metadata_type;
extern const gp_struct gp_plan_spec_type;
extern const gp_struct gp_prices_type;

/* A Prices document with its envelope. */
typedef struct gp_prices_document {
    gp_meta meta;
    const char *api_version;
    const char *kind;
    gp_metadata metadata;
    gp_prices spec;
} gp_prices_document;

/* A Policy document with its envelope. */
typedef struct gp_policy_document {
    gp_meta meta;
    const char *api_version;
    const char *kind;
    gp_metadata metadata;
    gp_policy spec;
} gp_policy_document;
extern const gp_struct gp_policy_document_type;

/* Its document is gp_config of <gpuplan/config.h>. */
extern const gp_struct gp_config_type;

/* The rows every document starts with. */
#define GP_ENVELOPE_FIELDS(T)                                                                      \
    GP_STRING(T, "apiVersion", api_version, .flags = GP_FIELD_REQUIRED,                            \
              .help = "Version of the document format: gpuplan/v1."),                              \
        GP_STRING(T, "kind", kind, .flags = GP_FIELD_REQUIRED, .help = "What the document is."),   \
        GP_STRUCT(T, "metadata", metadata, gp_metadata, gp_metadata_type,                          \
                  .flags = GP_FIELD_REQUIRED, .help = "Name and labels.")

/* Words of the spec's enumerations, in enum order, NULL-terminated. */
extern const char *const gp_confidence_words[];
extern const char *const gp_tuning_words[];
extern const char *const gp_redundancy_words[];
extern const char *const gp_idle_words[];
extern const char *const gp_climate_words[];
extern const char *const gp_fabric_kind_words[];
extern const char *const gp_topology_words[];
extern const char *const gp_objective_words[];
extern const char *const gp_workload_type_words[];
extern const char *const gp_method_words[];
extern const char *const gp_rl_algorithm_words[];
extern const char *const gp_rl_pools_words[];
extern const char *const gp_optimizer_words[];
extern const char *const gp_recompute_words[];
extern const char *const gp_offload_words[];
extern const char *const gp_offload_place_words[];
extern const char *const gp_adapter_method_words[];

struct gp_node;
struct gp_yaml_docs;
/* The spec of the plan with this name among documents as they were written, or NULL (numbers.c). */
const struct gp_node *gp_plan_node(const struct gp_yaml_docs *docs, const char *name);

#endif
