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
} document_type;

static const document_type documents[] = {
    {"spec", &gp_plan_document_type, "Spec reference"},
    {"catalog", &gp_catalog_document_type, "Catalogue reference"},
    {"prices", &gp_prices_document_type, "Price list reference"},
    {"policy", &gp_policy_document_type, "Policy reference"},
    {"calibration", &gp_calibration_document_type, "Calibration reference"},
    {"config", &gp_config_type, "Project file reference"},
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
    return document ? gp_emit_markdown(arena, document->type, document->title, ret_text)
                    : GP_ERR_NOT_FOUND;
}

gp_status gp_schema_json(gp_arena *arena, const char *kind, const char **ret_text) {
    const document_type *document = find(kind);
    if (gp_str_equal(kind, any_kind))
        return any_document(arena, ret_text);
    return document ? gp_emit_json_schema(arena, &document->type, 1, document->type->name, ret_text)
                    : GP_ERR_NOT_FOUND;
}
