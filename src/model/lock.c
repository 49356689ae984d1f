/* Reading and writing locks. The digest of an entry is taken over its model or prices in the one
 * form that trees are written in, so that blanks and comments do not matter and figures do. */
#include "model/lock.h"

#include <string.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "base/sort.h"
#include "base/str.h"
#include "schema/bind.h"
#include "schema/diag_ids.h"
#include "schema/field.h"
#include "source/node_write.h"
#include "source/yaml_tree.h"

enum { LOCK_MAX = 4 * 1024 * 1024, DEPTH = 3 };

static const char *const payload_keys[] = {"model", "prices", NULL};

/* ---- digests */

const char *gp_lock_digest_bytes(gp_arena *arena, const void *bytes, size_t len) {
    char hex[GP_SHA256_HEX];
    gp_sha256_hex(bytes, len, hex);
    return gp_arena_strndup(arena, hex, GP_SHA256_HEX - 1);
}

static gp_status digest_of(gp_arena *arena, const gp_node *payload, const char **ret_hex) {
    gp_buf buf;
    const char *text = NULL;
    size_t len = 0;
    gp_buf_init(&buf, arena, LOCK_MAX);
    gp_node_write_flow(&buf, payload);
    gp_status st = gp_buf_finish(&buf, &text, &len);
    if (st)
        return st;
    *ret_hex = gp_lock_digest_bytes(arena, text, len);
    return GP_OK;
}

/* The one document of `text`, a map; NULL and an error otherwise. */
static gp_status read_root(gp_arena *arena, const gp_text *text, gp_diags *diags,
                           const gp_node **ret_root) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {.count = 0};
    size_t errors = diags->errors;
    *ret_root = NULL;
    gp_status st = gp_yaml_read(arena, text, &limits, diags, &docs);
    if (st)
        return st;
    if (docs.count != 1 || docs.roots[0]->kind != GP_NODE_MAP) {
        gp_diags_error(diags, GP_ID_UNKNOWN_KIND, (gp_span){.text = text}, "one map", NULL,
                       "%s is not one document", text->name);
        return GP_ERR_INPUT;
    }
    *ret_root = docs.roots[0];
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}

/* What the digest of a payload would be. */
static gp_status lock_digest(gp_arena *arena, const char *payload, const char **ret_hex) {
    gp_diags diags;
    gp_text *text = NULL;
    const gp_node *root = NULL;
    gp_diags_init(&diags, arena);
    gp_status st = gp_text_init(arena, "payload", payload, strlen(payload), &text);
    if (!st)
        st = read_root(arena, text, &diags, &root);
    return st ? st : digest_of(arena, root, ret_hex);
}

/* ---- reading */

/* The list of entries of a Lock document; an error where there is none. */
static gp_status read_entries(gp_arena *arena, const gp_text *text, gp_diags *diags,
                              const gp_node **ret_entries) {
    const gp_node *root = NULL;
    *ret_entries = NULL;
    gp_status st = read_root(arena, text, diags, &root);
    if (st)
        return st;
    const gp_node *entries = gp_node_get(gp_node_get(root, "spec"), "entries");
    bool is_lock = gp_node_is(gp_node_get(root, "kind"), "Lock") &&
                   gp_node_is(gp_node_get(root, "apiVersion"), "gpuplan/v1");
    if (!is_lock || !entries || entries->kind != GP_NODE_SEQ) {
        gp_diags_error(diags, GP_ID_UNKNOWN_KIND, root->span,
                       "apiVersion: gpuplan/v1, kind: Lock, spec: {entries: [...]}", NULL,
                       "%s is not a lock file", text->name);
        return GP_ERR_INPUT;
    }
    *ret_entries = entries;
    return GP_OK;
}

bool gp_lock_is_model(const gp_lock_entry *entry) {
    return GP_GIVEN(entry, gp_lock_entry, model);
}

bool gp_lock_is_prices(const gp_lock_entry *entry) {
    return GP_GIVEN(entry, gp_lock_entry, prices);
}

static gp_status bind_entry(gp_arena *arena, const gp_node *node, gp_diags *diags,
                            gp_lock_entry *entry) {
    gp_binder binder = {.arena = arena, .diags = diags, .origin = GP_ORIGIN_CATALOG};
    size_t errors = diags->errors;
    gp_struct_init(arena, &gp_lock_entry_rows, entry);
    gp_bind_struct(&binder, node, &gp_lock_entry_rows, entry);
    gp_status st = GP_OK;
    if (diags->errors > errors)
        return st;
    if (gp_lock_is_model(entry) == gp_lock_is_prices(entry)) {
        gp_diags_error(diags, GP_ID_INCONSISTENT, node->span, "model: or prices:", NULL,
                       "an entry of a lock holds either a model or prices");
        return GP_OK;
    }
    const char *hex = NULL;
    const gp_node *payload = gp_node_get(node, payload_keys[gp_lock_is_model(entry) ? 0 : 1]);
    st = payload ? digest_of(arena, payload, &hex) : GP_ERR_INTERNAL;
    entry->intact = !st && gp_str_equal(hex, entry->digest);
    if (!(st || gp_lock_is_model(entry))) {
        gp_defaults_fill(arena, diags, &entry->prices);
        return GP_OK;
    }
    return st;
}

gp_status gp_lock_read(gp_arena *arena, const gp_text *text, gp_diags *diags, gp_lock **ret_lock) {
    const gp_node *entries = NULL;
    size_t errors = diags->errors;
    gp_lock *lock = GP_NEW(arena, gp_lock);
    *ret_lock = lock;
    gp_status st = read_entries(arena, text, diags, &entries);
    if (st)
        return st;
    lock->text = text;
    lock->entries.items = GP_NEW_ARRAY(arena, gp_lock_entry, entries->count + 1);
    st = GP_OK;
    for (size_t i = 0; i < entries->count && !st; i++) {
        st = bind_entry(arena, entries->items[i], diags, &lock->entries.items[i]);
        lock->entries.count++;
    }
    return !st && diags->errors > errors ? GP_ERR_INPUT : st;
}

const gp_lock_entry *gp_lock_find(const gp_lock *lock, const char *name) {
    for (size_t i = 0; lock && i < lock->entries.count; i++) {
        const char *own = lock->entries.items[i].name;
        if (own && gp_str_equal_nocase(own, name))
            return &lock->entries.items[i];
    }
    return NULL;
}

const gp_lock_entry *gp_lock_broken(const gp_lock *lock) {
    for (size_t i = 0; i < lock->entries.count; i++)
        if (!lock->entries.items[i].intact)
            return &lock->entries.items[i];
    return NULL;
}

/* ---- writing */

static void write_pair(gp_buf *buf, const char *key, const char *value) {
    if (value) {
        gp_buf_printf(buf, "%s: ", key);
        gp_yaml_scalar(buf, value, strlen(value));
        gp_buf_char(buf, '\n');
    }
}

/* `payload` behind its key, each line two blanks further in. */
static void write_payload(gp_buf *buf, const gp_lock_new *entry) {
    gp_buf_printf(buf, "%s:\n", entry->kind);
    for (const char *at = entry->payload; *at;) {
        size_t len = strcspn(at, "\n");
        gp_buf_printf(buf, "  %.*s\n", (int)len, at);
        at += at[len] == '\n' ? len + 1 : len;
    }
}

static void write_sources(gp_buf *buf, const gp_lock_new *entry) {
    gp_buf_str(buf, entry->source_count > 0 ? "sources:\n" : "");
    for (size_t i = 0; i < entry->source_count; i++) {
        const gp_lock_source *source = &entry->sources[i];
        gp_buf_str(buf, "  - {url: ");
        gp_yaml_scalar(buf, source->url, strlen(source->url));
        if (source->etag) {
            gp_buf_str(buf, ", etag: ");
            gp_yaml_scalar(buf, source->etag, strlen(source->etag));
        }
        gp_buf_printf(buf, ", sha256: %s, bytes: ", source->sha256);
        gp_buf_i64(buf, source->bytes);
        gp_buf_str(buf, "}\n");
    }
}

/* The new entry as a tree. */
static gp_status entry_node(gp_arena *arena, const gp_lock_new *entry, gp_diags *diags,
                            const gp_node **ret_node) {
    gp_buf buf;
    gp_text *text = NULL;
    const char *data = NULL;
    const char *digest = NULL;
    size_t len = 0;
    gp_status st = lock_digest(arena, entry->payload, &digest);
    if (st)
        return st;
    gp_buf_init(&buf, arena, LOCK_MAX);
    write_pair(&buf, "name", entry->name);
    write_pair(&buf, "date", entry->date);
    write_pair(&buf, "revision", entry->revision);
    write_sources(&buf, entry);
    write_pair(&buf, "digest", digest);
    write_payload(&buf, entry);
    st = gp_buf_finish(&buf, &data, &len);
    if (!st)
        st = gp_text_init(arena, "the new entry", data, len, &text);
    return st ? st : read_root(arena, text, diags, ret_node);
}

static const char *name_of(const gp_node *entry) {
    const gp_node *name = gp_node_get(entry, "name");
    return name && name->kind == GP_NODE_SCALAR ? name->text : "";
}

static int by_name(const void *a, const void *b, const void *context) {
    const gp_node *const *left = a;
    const gp_node *const *right = b;
    (void)context;
    return gp_str_compare(name_of(*left), name_of(*right));
}

static gp_status write_lock(gp_arena *arena, const gp_node **entries, size_t count,
                            const char **ret_text) {
    gp_buf buf;
    gp_node list = {.kind = GP_NODE_SEQ, .count = count, .items = entries};
    gp_sort(arena, entries, count, sizeof *entries, by_name, NULL);
    gp_buf_init(&buf, arena, LOCK_MAX);
    gp_buf_str(&buf, "# Models and prices fetched by gpuplan import and gpuplan price; gpuplan "
                     "size and check read them offline.\n# Keep it under version control; fetch "
                     "again instead of editing.\napiVersion: gpuplan/v1\nkind: Lock\nmetadata: "
                     "{name: gpuplan}\nspec:\n  entries:\n");
    gp_node_write_block(&buf, &list, 4, DEPTH);
    return gp_buf_finish(&buf, ret_text, NULL);
}

gp_status gp_lock_put(gp_arena *arena, const gp_text *old, const gp_lock_new *entry,
                      gp_diags *diags, const char **ret_text) {
    const gp_node *entries = NULL;
    const gp_node *added = NULL;
    gp_status st = old ? read_entries(arena, old, diags, &entries) : GP_OK;
    if (!st)
        st = entry_node(arena, entry, diags, &added);
    if (st)
        return st;
    size_t before = entries ? entries->count : 0;
    size_t count = 0;
    const gp_node **all = GP_NEW_ARRAY(arena, const gp_node *, before + 1);
    for (size_t i = 0; i < before; i++)
        if (!gp_str_equal_nocase(name_of(entries->items[i]), entry->name))
            all[count++] = entries->items[i];
    all[count++] = added;
    return write_lock(arena, all, count, ret_text);
}
