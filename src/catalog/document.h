/* A Catalog document: lists of rows under the names of their kinds. */
#ifndef GP_CATALOG_DOCUMENT_H
#define GP_CATALOG_DOCUMENT_H

#include "schema/field.h"
#include "model/model.h"

typedef struct gp_catalog_spec {
    gp_meta meta;
    GP_LIST(gp_gpu) gpus;
    GP_LIST(gp_system) systems;
    GP_LIST(gp_switch) switches;
    GP_LIST(gp_storage_product) storage;
    GP_LIST(gp_cooling_class) cooling;
    GP_LIST(gp_cloud) clouds;
    GP_LIST(gp_grid) grids;
    GP_LIST(gp_pue) pues;
    GP_LIST(gp_collective_fit) collectives;
    GP_LIST(gp_model) models;
    GP_LIST(gp_constant) constants;
    GP_LIST(gp_efficiency) efficiencies;
    GP_LIST(gp_stack) stacks;
    GP_LIST(gp_tuning_class) tunings;
    GP_LIST(gp_power_class) powers;
    GP_LIST(gp_fabric_design) designs;
    GP_LIST(gp_image_processor) processors;
    GP_LIST(gp_gpu_partition) partitions;
} gp_catalog_spec;

typedef struct gp_catalog_document {
    gp_meta meta;
    const char *api_version;
    const char *kind;
    gp_metadata metadata;
    gp_catalog_spec spec;
} gp_catalog_document;

extern const gp_struct gp_catalog_document_type;
/* Its rows are in the order of gp_catalog_kind. */
extern const gp_struct gp_catalog_spec_type;

/* The members that all row structs start with, for reading by copy. */
typedef struct gp_row_head {
    gp_meta meta;
    const char *id;
    const char *extends;
    GP_LIST(const char *) aliases;
    const char *source;
    const char *date;
    int evidence;
    GP_LIST(const char *) unverified;
    const char *notes;
} gp_row_head;

#endif
