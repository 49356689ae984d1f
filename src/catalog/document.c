/* Descriptor table of Catalog documents. */
#include "catalog/document.h"

#include "base/str.h"
#include "model/fields.h"

static const gp_field spec_fields[GP_CATALOG_KIND_COUNT] = {
    [GP_CATALOG_GPUS] = GP_STRUCT_LIST(gp_catalog_spec, "gpus", gpus, gp_gpu, gp_gpu_rows,
                                       .help = "GPUs and other accelerators."),
    [GP_CATALOG_SYSTEMS] = GP_STRUCT_LIST(gp_catalog_spec, "systems", systems, gp_system,
                                          gp_system_rows, .help = "Machines with GPUs."),
    [GP_CATALOG_SWITCHES] = GP_STRUCT_LIST(gp_catalog_spec, "switches", switches, gp_switch,
                                           gp_switch_rows, .help = "Network switches and parts."),
    [GP_CATALOG_STORAGE] =
        GP_STRUCT_LIST(gp_catalog_spec, "storage", storage, gp_storage_product,
                       gp_storage_product_rows, .help = "Storage appliances and requirements."),
    [GP_CATALOG_COOLING] =
        GP_STRUCT_LIST(gp_catalog_spec, "cooling", cooling, gp_cooling_class, gp_cooling_class_rows,
                       .help = "Cooling classes and units."),
    [GP_CATALOG_CLOUDS] = GP_STRUCT_LIST(gp_catalog_spec, "clouds", clouds, gp_cloud, gp_cloud_rows,
                                         .help = "Cloud instances."),
    [GP_CATALOG_GRIDS] = GP_STRUCT_LIST(gp_catalog_spec, "grids", grids, gp_grid, gp_grid_rows,
                                        .help = "Carbon intensity of grids."),
    [GP_CATALOG_PUES] = GP_STRUCT_LIST(gp_catalog_spec, "pues", pues, gp_pue, gp_pue_rows,
                                       .help = "Published facility overheads."),
    [GP_CATALOG_COLLECTIVES] =
        GP_STRUCT_LIST(gp_catalog_spec, "collectives", collectives, gp_collective_fit,
                       gp_collective_fit_rows, .help = "Measured collectives."),
    [GP_CATALOG_MODELS] = GP_STRUCT_LIST(gp_catalog_spec, "models", models, gp_model, gp_model_rows,
                                         .help = "Model shapes."),
    [GP_CATALOG_CONSTANTS] = GP_STRUCT_LIST(gp_catalog_spec, "constants", constants, gp_constant,
                                            gp_constant_rows, .help = "Empirical numbers."),
    [GP_CATALOG_EFFICIENCIES] =
        GP_STRUCT_LIST(gp_catalog_spec, "efficiencies", efficiencies, gp_efficiency,
                       gp_efficiency_rows, .help = "Achieved rates by class."),
    [GP_CATALOG_STACKS] = GP_STRUCT_LIST(gp_catalog_spec, "stacks", stacks, gp_stack, gp_stack_rows,
                                         .help = "Software releases."),
    [GP_CATALOG_TUNINGS] = GP_STRUCT_LIST(gp_catalog_spec, "tunings", tunings, gp_tuning_class,
                                          gp_tuning_class_rows, .help = "Tuning classes."),
    [GP_CATALOG_POWERS] =
        GP_STRUCT_LIST(gp_catalog_spec, "powers", powers, gp_power_class, gp_power_class_rows,
                       .help = "Power of GPUs by kind of work."),
    [GP_CATALOG_DESIGNS] =
        GP_STRUCT_LIST(gp_catalog_spec, "designs", designs, gp_fabric_design, gp_fabric_design_rows,
                       .help = "Reference designs of compute fabrics."),
    [GP_CATALOG_PROCESSORS] =
        GP_STRUCT_LIST(gp_catalog_spec, "processors", processors, gp_image_processor,
                       gp_image_processor_rows, .help = "How models cut images into tokens."),
    [GP_CATALOG_PARTITIONS] =
        GP_STRUCT_LIST(gp_catalog_spec, "partitions", partitions, gp_gpu_partition,
                       gp_gpu_partition_rows, .help = "How GPUs are cut into parts."),
};

const gp_struct gp_catalog_spec_type =
    GP_TYPE(gp_catalog_spec, spec_fields, .name = "catalogSpec", .help = "Rows by kind.");

static const gp_field document_fields[] = {
    GP_ENVELOPE_FIELDS(gp_catalog_document),
    GP_STRUCT(gp_catalog_document, "spec", spec, gp_catalog_spec, gp_catalog_spec_type,
              .flags = GP_FIELD_REQUIRED, .help = "The rows."),
};

const gp_struct gp_catalog_document_type =
    GP_TYPE(gp_catalog_document, document_fields, .name = "Catalog",
            .help = "Rows that add to the catalogue or replace figures of it.");

int gp_catalog_kind_named(const char *name) {
    for (int i = 0; i < GP_CATALOG_KIND_COUNT; i++) {
        if (gp_str_equal(spec_fields[i].key, name))
            return i;
    }
    return -1;
}

const char *gp_catalog_kind_name(gp_catalog_kind kind) {
    return spec_fields[kind].key;
}

const char *gp_catalog_kind_noun(gp_catalog_kind kind) {
    static const char *const nouns[GP_CATALOG_KIND_COUNT] = {
        [GP_CATALOG_GPUS] = "GPU",
        [GP_CATALOG_SYSTEMS] = "system",
        [GP_CATALOG_SWITCHES] = "switch",
        [GP_CATALOG_STORAGE] = "storage",
        [GP_CATALOG_COOLING] = "cooling class",
        [GP_CATALOG_CLOUDS] = "cloud instance",
        [GP_CATALOG_GRIDS] = "grid",
        [GP_CATALOG_PUES] = "published PUE",
        [GP_CATALOG_COLLECTIVES] = "measured collective",
        [GP_CATALOG_MODELS] = "model",
        [GP_CATALOG_CONSTANTS] = "constant",
        [GP_CATALOG_EFFICIENCIES] = "efficiency class",
        [GP_CATALOG_STACKS] = "software release",
        [GP_CATALOG_TUNINGS] = "tuning class",
        [GP_CATALOG_POWERS] = "power class",
        [GP_CATALOG_DESIGNS] = "fabric design",
    };
    return nouns[kind];
}

const gp_struct *gp_catalog_kind_type(gp_catalog_kind kind) {
    return spec_fields[kind].nested;
}
