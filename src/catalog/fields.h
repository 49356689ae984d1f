/* Descriptor tables of the catalogue's structs; the rows of fields_*.c. */
#ifndef GP_CATALOG_FIELDS_H
#define GP_CATALOG_FIELDS_H

#include "catalog/catalog.h"
#include "schema/field.h"

extern const gp_struct gp_gpu_type;
extern const gp_struct gp_system_type;
extern const gp_struct gp_switch_type;
extern const gp_struct gp_storage_product_type;
extern const gp_struct gp_cooling_class_type;
extern const gp_struct gp_cloud_type;
extern const gp_struct gp_grid_type;
extern const gp_struct gp_pue_type;
extern const gp_struct gp_collective_fit_type;
extern const gp_struct gp_model_type;
extern const gp_struct gp_image_processor_type;
extern const gp_struct gp_constant_type;
extern const gp_struct gp_efficiency_type;
extern const gp_struct gp_stack_type;
extern const gp_struct gp_tuning_class_type;
extern const gp_struct gp_power_class_type;
extern const gp_struct gp_fabric_design_type;
extern const gp_struct gp_gpu_partition_type;

/* The rows that every catalogue struct T starts with; `kind` is the folder its rows live in. */
#define GP_ROW_FIELDS(T, kind)                                                                     \
    GP_STRING(T, "id", id, .flags = GP_FIELD_ID, .help = "Lower-case name of the row."),           \
        GP_STRING(T, "extends", extends, .flags = GP_FIELD_CATALOG_REF, .ref = (kind),             \
                  .help = "Row whose figures this one starts from."),                              \
        GP_STRING_LIST(T, "aliases", aliases, .help = "Other names of the same thing."),           \
        GP_STRING(T, "source", source, .help = "Where the figures were read."),                    \
        GP_STRING(T, "date", date, .help = "When the figures held."),                              \
        GP_ENUM(T, "evidence", evidence, gp_evidence_words, .help = "How the figures are known."), \
        GP_STRING_LIST(T, "unverified", unverified,                                                \
                       .help = "Keys whose figure was not read at a primary source."),             \
        GP_STRING(T, "notes", notes, .help = "What a reader of the figures should know.")

#endif
