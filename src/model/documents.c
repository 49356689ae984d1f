/* The documents that users write, as reference text and JSON Schema. */
#include "model/calibration.h"

#include "base/str.h"
#include "catalog/document.h"
#include "model/fields.h"
#include "schema/emit.h"

typedef struct document_type {
    const char *kind;
    const gp_struct *type;
    const char *title;
    const gp_emit_task *tasks; /* by which the reference opens; NULL: by its keys alone */
} document_type;

static const gp_emit_task spec_tasks[] = {
    {"say what to run: training, fine-tuning, LoRA, a service", "workloads[].type", "workload"},
    {"describe a model that the catalogue lacks", "workloads[].model", "model"},
    {"state the size of the data", "workloads[].data", "data"},
    {"describe requests: rate, length and time of day", "workloads[].traffic", "traffic"},
    {"set a deadline for a run, or a latency for a service", "workloads[].goal", "goal"},
    {"declare a layout you have chosen", "workloads[].parallelism", "parallelism"},
    {"state how well the software is tuned and its release", "workloads[].software", "software"},
    {"choose number formats", "workloads[].precision", "precision"},
    {"say where a workload may run and what it may share", "workloads[].placement", "placement"},
    {"declare the machines you have", "cluster.pools", "pool"},
    {"describe the network", "cluster.fabrics", "fabric"},
    {"describe shared storage", "cluster.storage", "storage"},
    {"say what may be bought or rented, and what to optimize", "candidates", "candidates"},
    {"state the limits of the site", "site.power", "sitePower"},
    {"state growth and delivery times", "growth", "growth"},
    {"give a budget", "costs", "costs"},
    {"set the confidence and the headroom of the plan", "defaults", "defaults"},
    {0},
};

static const document_type documents[] = {
    {"spec", &gp_plan_document_rows, "Spec reference", spec_tasks},
    {"catalog", &gp_catalog_document_type, "Catalogue reference", NULL},
    {"prices", &gp_prices_document_rows, "Price list reference", NULL},
    {"policy", &gp_policy_document_rows, "Policy reference", NULL},
    {"calibration", &gp_calibration_document_rows, "Calibration reference", NULL},
    {"config", &gp_config_type, "Project file reference", NULL},
};

static const document_type *find(const char *kind) {
    return GP_ROW_NAMED(documents, kind, kind ? kind : "spec");
}

/* One schema for files with documents of several kinds. */
static const char any_kind[] = "document";

static gp_status any_document(gp_arena *arena, const char **ret_text) {
    const gp_struct *roots[GP_COUNT_OF(documents)];
    for (size_t i = 0; i < GP_COUNT_OF(roots); i++)
        roots[i] = documents[i].type;
    return gp_emit_json_schema(arena, roots, GP_COUNT_OF(roots), any_kind, ret_text);
}

gp_status gp_schema_markdown(gp_arena *arena, const char *kind, const char **ret_text) {
    const document_type *document = find(kind);
    return document ? gp_emit_markdown(arena, document->type, document->title,
                                       document->tasks, ret_text)
                    : GP_ERR_NOT_FOUND;
}

gp_status gp_schema_json(gp_arena *arena, const char *kind, const char **ret_text) {
    const document_type *document = find(kind);
    if (gp_str_equal(kind, any_kind))
        return any_document(arena, ret_text);
    return document ? gp_emit_json_schema(arena, &document->type, 1, document->type->name, ret_text)
                    : GP_ERR_NOT_FOUND;
}
