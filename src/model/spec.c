/* Reading of specs: every document of a text by its kind. Plans and price lists are bound at once;
 * texts with Catalog documents are remembered for the catalogue, which binds them itself. */
#include <string.h>

#include "base/str.h"
#include "model/fields.h"
#include "schema/bind.h"
#include "schema/diag_ids.h"
#include "schema/path.h"
#include "schema/scalar.h"
#include "source/yaml_tree.h"

#define OWN_VERSIONS "gpuplan/"
#define API_VERSION OWN_VERSIONS "v1"

typedef struct reader {
    gp_arena *arena;
    gp_diags *diags;
    const gp_text *text;
    const gp_override *overrides;
    size_t override_count;
    gp_spec *spec;
    size_t errors; /* before this text */
    bool is_cut;   /* the reader of YAML left a part out */
} reader;

typedef gp_status read_document(reader *r, const gp_node *root);

static gp_status read_plan(reader *r, const gp_node *root);
static gp_status read_prices(reader *r, const gp_node *root);
static gp_status read_policy(reader *r, const gp_node *root);
static gp_status read_catalog(reader *r, const gp_node *root);

typedef struct document_kind {
    const char *name;
    read_document *read; /* NULL: a known kind that this version does not read */
} document_kind;

static const document_kind kinds[] = {
    {"Plan", read_plan},     {"Prices", read_prices}, {"Catalog", read_catalog},
    {"Policy", read_policy}, {"Calibration", NULL},   {"Config", NULL},
};

static const char *const read_kinds[] = {"Plan", "Prices", "Policy", "Catalog", NULL};
#define READ_KINDS "one of Plan, Prices, Policy, Catalog"

/* Room for one more pointer in a list without spare room: documents are few. */
static void *grown(gp_arena *arena, const void *items, size_t count) {
    void *copy = gp_arena_alloc(arena, count + 1, sizeof(void *));
    if (count > 0)
        memcpy(copy, items, count * sizeof(void *));
    return copy;
}

/* No error so far in this text? The reader of YAML may have left a part of a document out. */
static bool clean(const reader *r) {
    return r->diags->errors == r->errors;
}

static gp_status apply_override(reader *r, gp_binder *binder, const gp_override *override,
                                gp_plan_document *plan) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_text *path = NULL;
    gp_text *value = NULL;
    gp_yaml_docs docs = {.count = 0};
    const char *name = gp_arena_printf(r->arena, "--set %s", override->path);
    gp_status st = gp_text_init(r->arena, "--set", override->path, strlen(override->path), &path);
    if (!st)
        st = gp_text_init(r->arena, name, override->value, strlen(override->value), &value);
    if (!st)
        st = gp_yaml_read(r->arena, value, &limits, r->diags, &docs);
    if (docs.count == 0)
        return GP_OK;
    /* Paths start in spec; those into the envelope name it. */
    size_t first = strcspn(override->path, ".[");
    bool envelope = gp_field_named(&gp_plan_document_rows, override->path, first) >= 0;
    void *object = envelope ? (void *)plan : (void *)&plan->spec;
    return gp_path_set(binder, object, path, docs.roots[0]);
}

/* Amounts are in the currency that the document names. */
static void check_currency(reader *r, const gp_binder *binder, const char *named) {
    const char *currency = named ? named : "USD";
    if (binder->currency[0] && !binder->currencies_differ &&
        !gp_str_equal(binder->currency, currency))
        gp_diags_error(
            r->diags, GP_ID_INCONSISTENT, binder->currency_span,
            gp_arena_printf(r->arena, "amounts in %s, or another currency key", currency), NULL,
            "amount in %s, but the currency is %s", binder->currency, currency);
}

static gp_status read_plan(reader *r, const gp_node *root) {
    gp_binder binder = {.arena = r->arena, .diags = r->diags, .origin = GP_ORIGIN_SPEC};
    gp_plan_document *plan = GP_NEW(r->arena, gp_plan_document);
    gp_struct_init(r->arena, &gp_plan_document_rows, plan);
    gp_bind_struct(&binder, root, &gp_plan_document_rows, plan);
    gp_status st = GP_OK;
    binder.origin = GP_ORIGIN_FLAG;
    for (size_t i = 0; i < r->override_count && !st && clean(r); i++)
        st = apply_override(r, &binder, &r->overrides[i], plan);
    if (st)
        return st;
    check_currency(r, &binder, plan->spec.costs.currency);
    plan->wrong = !clean(r);
    plan->has_amounts = binder.currency[0] != '\0';
    plan->text = r->text;
    gp_plan_document **items = grown(r->arena, r->spec->plans.items, r->spec->plans.count);
    items[r->spec->plans.count++] = plan;
    r->spec->plans.items = items;
    return GP_OK;
}

static gp_status read_prices(reader *r, const gp_node *root) {
    gp_binder binder = {.arena = r->arena, .diags = r->diags, .origin = GP_ORIGIN_SPEC};
    gp_prices_document *document = GP_NEW(r->arena, gp_prices_document);
    gp_struct_init(r->arena, &gp_prices_document_rows, document);
    gp_bind_struct(&binder, root, &gp_prices_document_rows, document);
    check_currency(r, &binder, document->spec.currency);
    if (!clean(r))
        return GP_OK;
    gp_prices **items = grown(r->arena, r->spec->prices.items, r->spec->prices.count);
    items[r->spec->prices.count++] = &document->spec;
    r->spec->prices.items = items;
    gp_defaults_fill(r->arena, r->diags, document);
    return GP_OK;
}

/* Kept with its errors too: what else is wrong with its rules is told in the same run. A part of
 * one would have references to what is not there. */
static gp_status read_policy(reader *r, const gp_node *root) {
    gp_binder binder = {.arena = r->arena, .diags = r->diags, .origin = GP_ORIGIN_SPEC};
    gp_policy_document *document = GP_NEW(r->arena, gp_policy_document);
    gp_struct_init(r->arena, &gp_policy_document_rows, document);
    gp_bind_struct(&binder, root, &gp_policy_document_rows, document);
    if (r->is_cut)
        return GP_OK;
    const gp_policy **items = grown(r->arena, r->spec->policies.items, r->spec->policies.count);
    document->spec.name = document->metadata.name;
    items[r->spec->policies.count++] = &document->spec;
    r->spec->policies.items = items;
    if (clean(r))
        gp_defaults_fill(r->arena, r->diags, document);
    return GP_OK;
}

static gp_status read_catalog(reader *r, const gp_node *root) {
    (void)root;
    size_t count = r->spec->catalogs.count;
    if (count > 0 && r->spec->catalogs.items[count - 1] == r->text)
        return GP_OK;
    const gp_text **items = grown(r->arena, r->spec->catalogs.items, count);
    items[count] = r->text;
    r->spec->catalogs.items = items;
    r->spec->catalogs.count = count + 1;
    return GP_OK;
}

/* The scalar under a key that every document needs, or NULL after an error. */
static const gp_node *envelope_word(reader *r, const gp_node *root, const char *key,
                                    const char *expected) {
    const gp_node *node = gp_node_get(root, key);
    gp_span span = root->span;
    if (!node) {
        span.end = span.begin < span.end ? span.begin + 1 : span.end;
        gp_diags_error(r->diags, GP_ID_MISSING_KEY, span, expected, NULL,
                       "a document needs the key \"%s\"", key);
        return NULL;
    }
    if (node->kind != GP_NODE_SCALAR || gp_node_is_null(node)) {
        gp_diags_error(r->diags, GP_ID_UNKNOWN_KIND, node->span, expected, NULL, "%s is not a word",
                       key);
        return NULL;
    }
    return node;
}

static gp_status read_by_kind(reader *r, const gp_node *root, const gp_node *kind) {
    for (size_t i = 0; i < GP_COUNT_OF(kinds); i++) {
        if (!gp_node_is(kind, kinds[i].name))
            continue;
        if (kinds[i].read)
            return kinds[i].read(r, root);
        gp_diags_error(r->diags, GP_ID_UNKNOWN_KIND, kind->span, READ_KINDS, NULL,
                       "documents of kind %s are not read here", kinds[i].name);
        return GP_OK;
    }
    gp_diags_error(r->diags, GP_ID_UNKNOWN_KIND, kind->span, READ_KINDS,
                   gp_str_nearest_of(kind->text, kind->len, read_kinds),
                   "unknown kind \"%s\" of document", gp_shown(r->arena, kind->text, kind->len));
    return GP_OK;
}

static gp_status read_root(reader *r, const gp_node *root) {
    if (root->kind != GP_NODE_MAP) {
        gp_diags_error(r->diags, GP_ID_WRONG_TYPE, root->span,
                       "a map with apiVersion, kind, metadata and spec", NULL, "a document is a %s",
                       gp_node_kind_name(root->kind));
        return GP_OK;
    }
    const gp_node *version = envelope_word(r, root, "apiVersion", API_VERSION);
    const gp_node *kind = envelope_word(r, root, "kind", READ_KINDS);
    /* Another version of this program's own is read as this one: its errors are told with it. */
    bool own = version && strncmp(version->text, OWN_VERSIONS, strlen(OWN_VERSIONS)) == 0;
    if (version && !gp_node_is(version, API_VERSION))
        gp_diags_error(r->diags, GP_ID_UNKNOWN_KIND, version->span, API_VERSION, API_VERSION,
                       "unknown apiVersion \"%s\"",
                       gp_shown(r->arena, version->text, version->len));
    return own && kind ? read_by_kind(r, root, kind) : GP_OK;
}

gp_status gp_spec_read(gp_arena *arena, const gp_text *text, const gp_override *overrides,
                       size_t override_count, gp_diags *diags, gp_spec *spec) {
    reader r = {arena, diags, text, overrides, override_count, spec, diags->errors, false};
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {.count = 0};
    gp_status st = gp_yaml_read(arena, text, &limits, diags, &docs);
    r.is_cut = !clean(&r);
    for (size_t i = 0; i < docs.count; i++) {
        st = read_root(&r, docs.roots[i]);
        if (st)
            return st;
    }
    return diags->errors > r.errors ? GP_ERR_INPUT : GP_OK;
}
