/* Finding rows by id, alias or nearly so, and filling structs from the row that they extend. Kinds
 * are read when they are first asked for, and a row of one may extend one of another kind. */
#include <string.h>

#include "base/str.h"
#include "catalog/derive.h"
#include "catalog/tables.h"
#include "schema/diag_ids.h"
#include "schema/overlay.h"
#include "schema/scalar.h"

enum { DEVICE_MAX = 120 };

static size_t lower_bound(const gp_catalog_table *table, const char *folded) {
    size_t low = 0;
    size_t high = table->name_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(table->names[mid].folded, folded) < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* Ids of the rows that go by the name at `first`, as "a, b". */
static const char *list_choices(gp_catalog *catalog, const gp_catalog_table *table, size_t first) {
    const char *list = "";
    const char *name = table->names[first].folded;
    size_t last_row = table->count;
    for (size_t i = first; i < table->name_count && gp_str_equal(table->names[i].folded, name);
         i++) {
        if (table->names[i].row != last_row) {
            last_row = table->names[i].row;
            list = gp_arena_printf(catalog->arena, "%s%s%s", list, *list == '\0' ? "" : ", ",
                                   gp_row_head_of(table->rows[last_row]).id);
        }
    }
    return list;
}

/* The name nearest to a word among all ids and aliases. */
static const char *nearest_id(const gp_catalog_table *table, const char *name) {
    gp_guess guess = {.word = name, .len = strlen(name)};
    for (size_t i = 0; i < table->count; i++) {
        gp_row_head head = gp_row_head_of(table->rows[i]);
        for (size_t k = 0; k <= head.aliases.count; k++)
            gp_guess_consider(&guess, k == 0 ? head.id : head.aliases.items[k - 1]);
    }
    return guess.best;
}

static gp_status find_alias(gp_catalog *catalog, const gp_catalog_table *table, const char *name,
                            const void **ret_row, const char **ret_choices) {
    gp_arena_mark mark = gp_arena_set_mark(catalog->arena);
    char *folded = gp_arena_strndup(catalog->arena, name, strlen(name));
    for (char *c = folded; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    size_t first = lower_bound(table, folded);
    size_t end = first;
    while (end < table->name_count && gp_str_equal(table->names[end].folded, folded))
        end++;
    gp_arena_release(catalog->arena, mark);
    if (first == end)
        return GP_ERR_NOT_FOUND;
    /* Names are sorted by row within one word: the first and the last differ where any two do. */
    if (table->names[first].row == table->names[end - 1].row) {
        *ret_row = table->rows[table->names[first].row];
        return GP_OK;
    }
    if (ret_choices)
        *ret_choices = list_choices(catalog, table, first);
    return GP_ERR_INPUT;
}

/* What an hf: name stands for in the lock, or NULL. */
static const gp_model *find_locked(gp_catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->locked_count; i++) {
        if (gp_str_equal_nocase(catalog->locked[i].name, name))
            return catalog->locked[i].model;
    }
    return NULL;
}

/* A row of the user's that goes by the name, before those that are built in. The last one wins. */
static const void *find_users(const gp_catalog_table *table, const char *name) {
    const void *found = NULL;
    for (size_t i = 0; i < table->count; i++) {
        gp_row_head head = gp_row_head_of(table->rows[i]);
        const gp_text *text = head.meta.span.text;
        bool own = text && !gp_str_starts(text->name, "<catalog>/");
        bool named = own && gp_str_equal_nocase(head.id, name);
        for (size_t k = 0; own && !named && k < head.aliases.count; k++)
            named = gp_str_equal_nocase(head.aliases.items[k], name);
        found = named ? table->rows[i] : found;
    }
    return found;
}

static const void *find_hugging_face(gp_catalog *catalog, const char *name) {
    const gp_model *locked = find_locked(catalog, name);
    const void *own = locked ? locked : find_users(&catalog->tables[GP_CATALOG_MODELS], name);
    if (!own && !catalog->unlocked)
        catalog->unlocked = name;
    return own;
}

/* An id that only adds its active parameters to the name: "qwen3-235b" for qwen3-235b-a22b.
 * *ret_row stays NULL where there is none, or several. */
static void find_active(const gp_catalog_table *table, const char *name, const void **ret_row) {
    const size_t len = strlen(name);
    const void *found = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const char *id = gp_row_head_of(table->rows[i]).id;
        const char *tail = gp_str_starts_nocase(id, name) ? id + len : "";
        const size_t digits = strspn(tail + (*tail != '\0' ? 2 : 0), "0123456789.");
        if (!gp_str_starts(tail, "-a") || digits == 0 || !gp_str_equal(tail + 2 + digits, "b"))
            continue;
        if (found)
            return;
        found = table->rows[i];
    }
    *ret_row = found;
}

/* A model as Hugging Face spells it: with the organisation before it, and with what tells a tuned
 * checkpoint from its base, which has the same shape. */
static gp_status find_model(gp_catalog *catalog, const gp_catalog_table *table, const char *name,
                            const void **ret_row, const char **ret_choices) {
    static const char *const tails[] = {"", "-instruct", "-it", "-chat", "-base", "-hf"};
    const char *slash = strrchr(name, '/');
    const char *bare = slash ? slash + 1 : name;
    gp_arena_mark mark = gp_arena_set_mark(catalog->arena);
    gp_status st = GP_ERR_NOT_FOUND;
    for (size_t i = 0; st == GP_ERR_NOT_FOUND && i < sizeof tails / sizeof tails[0]; i++) {
        const size_t cut = strlen(tails[i]);
        const size_t len = strlen(bare);
        if (cut >= len || !gp_str_equal_nocase(bare + len - cut, tails[i]))
            continue;
        const char *word = gp_arena_strndup(catalog->arena, bare, len - cut);
        st = find_alias(catalog, table, word, ret_row, ret_choices);
        if (st == GP_ERR_NOT_FOUND) {
            find_active(table, word, ret_row);
            st = *ret_row ? GP_OK : st;
        }
    }
    if (!ret_choices || !*ret_choices)
        gp_arena_release(catalog->arena, mark);
    return st;
}

/* The id stands in "a, b, c". */
static bool is_listed(const char *choices, const char *id) {
    const size_t len = strlen(id);
    for (const char *at = strstr(choices, id); at != NULL; at = strstr(at + 1, id)) {
        bool starts = at == choices || at[-1] == ' ';
        if (starts && (at[len] == ',' || at[len] == '\0'))
            return true;
    }
    return false;
}

/* Of the systems with the GPU that goes by the name the one with the shortest id; NULL: none. */
static const char *system_with(gp_catalog *catalog, const char *name) {
    const gp_catalog_table *table = &catalog->tables[GP_CATALOG_SYSTEMS];
    const gp_gpu *gpu = NULL;
    const char *choices = NULL;
    const char *best = NULL;
    bool whole = false;
    gp_status st = gp_catalog_find_device(catalog, name, &gpu, &choices, &whole);
    if (!whole || (st != GP_OK && (st != GP_ERR_INPUT || choices == NULL)))
        return NULL;
    for (size_t i = 0; i < table->count; i++) {
        const gp_system *system = table->rows[i];
        const char *id = system->gpu.id != NULL ? system->gpu.id : system->gpu.extends;
        bool has = id != NULL && (gpu != NULL ? gp_str_equal(id, gpu->id) : is_listed(choices, id));
        if (has && (best == NULL || strlen(system->id) < strlen(best)))
            best = system->id;
    }
    return best;
}

gp_status gp_catalog_find(gp_catalog *catalog, gp_catalog_kind kind, const char *name,
                          const void **ret_row, const char **ret_nearest,
                          const char **ret_choices) {
    gp_catalog_table *table = &catalog->tables[kind];
    bool found = false;
    *ret_row = NULL;
    (void)gp_catalog_load(catalog, kind); /* what is wrong is reported; the others are there */
    if (kind == GP_CATALOG_MODELS && gp_str_starts(name, "hf:")) {
        name += strlen("hf:");
        *ret_row = find_hugging_face(catalog, name);
    }
    if (*ret_row)
        return GP_OK;
    const size_t at = gp_catalog_place(table, name, &found);
    if (found) {
        *ret_row = table->rows[at];
        return GP_OK;
    }
    gp_catalog_name_rows(catalog, table);
    gp_status st = find_alias(catalog, table, name, ret_row, ret_choices);
    if (st == GP_ERR_NOT_FOUND && kind == GP_CATALOG_MODELS)
        st = find_model(catalog, table, name, ret_row, ret_choices);
    if (st == GP_ERR_NOT_FOUND && ret_nearest) {
        const char *with = kind == GP_CATALOG_SYSTEMS ? system_with(catalog, name) : NULL;
        *ret_nearest = with ? with : nearest_id(table, name);
    }
    return st;
}

/* "NVIDIA H100 80GB HBM3" -> "H100-80GB-HBM3": as aliases are written; *ret_as_is keeps the
 * blanks. */
static char *without_maker(gp_arena *arena, const char *name, const char **ret_as_is) {
    static const char *const makers[] = {"NVIDIA-", "AMD-", "Instinct-", "Tesla-", "Intel-"};
    size_t len = strlen(name) < DEVICE_MAX ? strlen(name) : DEVICE_MAX;
    char *copy = gp_arena_strndup(arena, name, len);
    for (char *c = copy; *c; c++)
        *c = *c == ' ' || *c == '_' ? '-' : *c;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        size_t skip = gp_str_starts_nocase(copy, makers[i]) ? strlen(makers[i]) : 0;
        copy += skip;
        name += skip;
    }
    *ret_as_is = name;
    return copy;
}

gp_status gp_catalog_find_device(gp_catalog *catalog, const char *name, const gp_gpu **ret_gpu,
                                 const char **ret_choices, bool *ret_whole) {
    const void *row = NULL;
    const char *as_is = name;
    char *word = without_maker(catalog->arena, name, &as_is);
    *ret_whole = true;
    gp_status st = gp_catalog_find(catalog, GP_CATALOG_GPUS, as_is, &row, NULL, ret_choices);
    while (st == GP_ERR_NOT_FOUND && *word) {
        st = gp_catalog_find(catalog, GP_CATALOG_GPUS, word, &row, NULL, ret_choices);
        char *dash = strrchr(word, '-');
        if (st != GP_ERR_NOT_FOUND || !dash)
            break;
        *dash = '\0';
        *ret_whole = false;
    }
    *ret_gpu = row;
    return st;
}

void gp_catalog_refuse(gp_catalog *catalog, gp_diags *diags, gp_catalog_kind kind, const char *name,
                       gp_span span, const char *nearest, const char *choices) {
    const char *shown = gp_shown(catalog->arena, name, strlen(name));
    const char *kind_name = gp_catalog_kind_name(kind);
    if (choices) {
        gp_diags_error(diags, GP_ID_AMBIGUOUS, span,
                       gp_arena_printf(catalog->arena, "one of %s", choices), NULL,
                       "several %s go by the name \"%s\"", kind_name, shown);
        return;
    }
    bool import = kind == GP_CATALOG_MODELS && gp_str_starts(name, "hf:");
    const char *expected =
        import ? gp_arena_printf(catalog->arena,
                                 "a name of `gpuplan catalog list models`, or `gpuplan import %s`",
                                 shown)
               : gp_arena_printf(catalog->arena, "an id or alias of `gpuplan catalog list %s`",
                                 kind_name);
    gp_diags_error(diags, GP_ID_UNKNOWN_REFERENCE, span, expected, nearest,
                   "the catalogue has no %s \"%s\"", gp_catalog_kind_noun(kind), shown);
}

gp_status gp_catalog_expand(gp_catalog *catalog, gp_diags *diags, gp_catalog_kind kind,
                            void *object, bool *ret_found) {
    const gp_struct *type = gp_catalog_kind_type(kind);
    gp_row_head head = gp_row_head_of(object);
    const char *nearest = NULL;
    const char *choices = NULL;
    const void *row;
    *ret_found = true;
    if (!head.extends)
        return GP_OK;
    gp_status st = gp_catalog_find(catalog, kind, head.extends, &row, &nearest, &choices);
    if (st != GP_OK) {
        gp_span span = gp_origin_at(&head.meta, offsetof(gp_row_head, extends))->span;
        gp_catalog_refuse(catalog, diags, kind, head.extends, span, nearest, choices);
        *ret_found = false;
        return GP_OK;
    }
    void *fresh = gp_arena_alloc(catalog->arena, 1, type->size);
    gp_struct_init(catalog->arena, type, fresh);
    gp_overlay(fresh, row);
    if (kind == GP_CATALOG_SYSTEMS) {
        gp_system *system = fresh;
        gp_system own;
        memcpy(&own, object, sizeof own);
        if (GP_GIVEN(&own.gpu, gp_gpu, extends)) {
            gp_struct_clear(&system->gpu); /* another GPU, not figures of the row's */
        }
    }
    if (kind == GP_CATALOG_MODELS) {
        gp_model *model = fresh;
        gp_model own;
        memcpy(&own, object, sizeof own);
        if (GP_GIVEN(&own.vision.processor, gp_image_processor, extends))
            gp_struct_clear(&model->vision.processor);
    }
    gp_overlay(fresh, object);
    memcpy(object, fresh, type->size);
    return GP_OK;
}

/* ---- rows, when they are first asked for */

/* What follows from the figures of each row. */
static void finish_row(gp_catalog *catalog, gp_catalog_kind kind, void *row) {
    bool found = true;
    if (kind == GP_CATALOG_SYSTEMS) {
        gp_system *system = row;
        gp_catalog_expand(catalog, catalog->diags, GP_CATALOG_GPUS, &system->gpu, &found);
        gp_system_derive(system);
    } else if (kind == GP_CATALOG_GPUS) {
        gp_gpu_derive(row);
    } else if (kind == GP_CATALOG_MODELS) {
        gp_model *model = row;
        gp_catalog_expand(catalog, catalog->diags, GP_CATALOG_PROCESSORS, &model->vision.processor,
                          &found);
    }
    gp_defaults_fill(catalog->arena, catalog->diags, row);
    if (kind == GP_CATALOG_MODELS)
        gp_model_derive(row);
}

gp_status gp_catalog_load(gp_catalog *catalog, gp_catalog_kind kind) {
    gp_catalog_table *table = &catalog->tables[kind];
    if (table->loaded)
        return table->wrong ? GP_ERR_INPUT : GP_OK;
    size_t errors = catalog->diags->errors;
    *table = (gp_catalog_table){.loaded = true};
    gp_catalog_read_rows(catalog, kind);
    for (size_t i = 0; i < table->count; i++)
        finish_row(catalog, kind, table->rows[i]);
    table->wrong = catalog->diags->errors > errors;
    return table->wrong ? GP_ERR_INPUT : GP_OK;
}

/* ---- models of a lock */

/* The model as a row of its own: it neither adds to nor takes from rows of the same id. */
static const gp_model *finish_locked(gp_catalog *catalog, const gp_lock_entry *entry) {
    gp_model *model = GP_NEW(catalog->arena, gp_model);
    gp_struct_init(catalog->arena, &gp_model_rows, model);
    gp_overlay(model, &entry->model);
    gp_catalog_stamp_row(model);
    finish_row(catalog, GP_CATALOG_MODELS, model);
    return model;
}

void gp_catalog_add_lock(gp_catalog *catalog, const gp_lock *lock) {
    size_t count = catalog->locked_count;
    gp_catalog_locked *list =
        GP_NEW_ARRAY(catalog->arena, gp_catalog_locked, count + lock->entries.count + 1);
    if (count > 0)
        memcpy(list, catalog->locked, count * sizeof *list);
    for (size_t i = 0; i < lock->entries.count; i++) {
        const gp_lock_entry *entry = &lock->entries.items[i];
        if (!gp_lock_is_model(entry) || !gp_str_starts(entry->name, "hf:"))
            continue;
        list[count++] = (gp_catalog_locked){.name = entry->name + strlen("hf:"),
                                            .model = finish_locked(catalog, entry)};
    }
    catalog->locked = list;
    catalog->locked_count = count;
}

gp_status gp_catalog_rows(gp_catalog *catalog, gp_catalog_kind kind, const void *const **ret_rows,
                          size_t *ret_count) {
    gp_status st = gp_catalog_load(catalog, kind);
    *ret_rows = (const void *const *)catalog->tables[kind].rows;
    *ret_count = catalog->tables[kind].count;
    return st;
}
