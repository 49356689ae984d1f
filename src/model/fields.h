/* Descriptor tables of the spec beside those of model.def, and the words of its enumerations. */
#ifndef GP_MODEL_FIELDS_H
#define GP_MODEL_FIELDS_H

#include "model/model.h"
#include "schema/field.h"

/* One descriptor per place a gp_distribution stands in: a bare number is the mean of a rate or of
 * tokens, and the 95th percentile of a latency. */
extern const gp_struct gp_rate_distribution_type;
extern const gp_struct gp_token_distribution_type;
extern const gp_struct gp_latency_distribution_type;

/* Its document is gp_config of <gpuplan/config.h>. */
extern const gp_struct gp_config_type;

/* The rows every document starts with. */
#define GP_ENVELOPE_FIELDS(T)                                                                      \
    GP_STRING(T, "apiVersion", api_version, .flags = GP_FIELD_REQUIRED,                            \
              .help = "Version of the document format: gpuplan/v1."),                              \
        GP_STRING(T, "kind", kind, .flags = GP_FIELD_REQUIRED, .help = "What the document is."),   \
        GP_STRUCT(T, "metadata", metadata, gp_metadata, gp_metadata_rows,                         \
                  .flags = GP_FIELD_REQUIRED, .help = "Name and labels.")

/* Words of the spec's enumerations, in enum order, NULL-terminated. */
extern const char *const gp_confidence_words[];
extern const char *const gp_tuning_words[];
extern const char *const gp_redundancy_words[];
extern const char *const gp_idle_words[];
extern const char *const gp_climate_words[];
extern const char *const gp_fabric_kind_words[];
extern const char *const gp_topology_words[];
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
