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
    {"say what runs: training, fine-tuning, LoRA, a service", "workloads[].type", "workload"},
    {"describe a model that the catalogue lacks", "workloads[].model", "model"},
    {"say how large the data is", "workloads[].data", "data"},
    {"say how many requests come, how long they are, and when", "workloads[].traffic", "traffic"},
    {"say by when a run must end, or how fast a service answers", "workloads[].goal", "goal"},
    {"declare a layout that you have chosen", "workloads[].parallelism", "parallelism"},
    {"say how well the software is tuned, and which release runs", "workloads[].software",
     "software"},
    {"choose number formats", "workloads[].precision", "precision"},
    {"say where a workload may run, and with whom", "workloads[].placement", "placement"},
    {"say which machines stand there", "cluster.pools", "pool"},
    {"describe the network", "cluster.fabrics", "fabric"},
    {"describe shared storage", "cluster.storage", "storage"},
    {"say what may be bought or rented, and what is best", "candidates", "candidates"},
    {"state the limits of the building", "site.power", "sitePower"},
    {"state how demand grows and how long deliveries take", "growth", "growth"},
    {"give a budget", "costs", "costs"},
    {"say how safe the plan has to be, and what is kept in reserve", "defaults", "defaults"},
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
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        if (gp_str_equal(documents[i].kind, kind ? kind : "spec"))
            return &documents[i];
    }
    return NULL;
}

/* One schema for files with documents of several kinds. */
static const char any_kind[] = "document";

static gp_status any_document(gp_arena *arena, const char **ret_text) {
    const gp_struct *roots[sizeof documents / sizeof documents[0]];
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        roots[i] = documents[i].type;
    return gp_emit_json_schema(arena, roots, sizeof roots / sizeof roots[0], any_kind, ret_text);
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
