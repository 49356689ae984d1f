/*
 * Dotted paths into a report: what policies assert over and `explain` is asked for. Items of lists
 * are named by their name key where their struct has one, else (and also) by their index.
 */
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "report/value.h"

enum { KEYS_SHOWN = 12, KEYS_MAX = 1000 };

typedef struct place {
    const gp_report_struct *type;
    const void *object;
} place;

static const char *nearest_key(const gp_report_struct *type, const char *word, size_t len) {
    gp_guess guess = {.word = word, .len = len};
    for (size_t i = 0; i < type->field_count; i++)
        gp_guess_consider(&guess, type->fields[i].key);
    return guess.best;
}

/* The row and part whose key is `word`; -1 for none. */
static int find_key(const gp_report_struct *type, const char *word, size_t len, int *ret_part) {
    for (size_t i = 0; i < type->field_count; i++) {
        for (int part = 0; part < gp_report_parts(&type->fields[i]); part++) {
            char room[GP_REPORT_KEY_MAX];
            if (gp_str_is(word, len, gp_report_part_key(&type->fields[i], part, room))) {
                *ret_part = part;
                return (int)i;
            }
        }
    }
    return -1;
}

static const gp_report_field *name_field(const gp_report_field *list) {
    if (list->nested == NULL || list->nested->name_key == NULL)
        return NULL;
    return GP_NAMED_OF(list->nested->fields, list->nested->field_count, key,
                       list->nested->name_key);
}

static const void *find_item(const gp_report_field *field, gp_any_list list, const char *word,
                             size_t len, const char **ret_nearest) {
    const gp_report_field *name = name_field(field);
    gp_guess guess = {.word = word, .len = len};
    for (size_t i = 0; name != NULL && i < list.count; i++) {
        const void *item = gp_report_item(list, field, i);
        const char *text = gp_report_text_at(name, item);
        if (text != NULL && gp_str_is(word, len, text))
            return item;
        gp_guess_consider(&guess, text);
    }
    int64_t index = -1;
    if (gp_num_parse_i64(word, len, &index) && index >= 0 && (size_t)index < list.count)
        return gp_report_item(list, field, (size_t)index);
    *ret_nearest = guess.best;
    return NULL;
}

/* Goes on inside a row. What lies inside something absent is absent too, whatever its items are
 * called. */
static gp_status enter(place *at, const gp_report_field *field, const char **path,
                       const char **ret_nearest) {
    const void *inside = at->object != NULL ? (const char *)at->object + field->offset : NULL;
    if (**path != '.' || field->nested == NULL)
        return GP_ERR_NOT_FOUND;
    *path += 1;
    if (field->kind == GP_REPORT_LIST) {
        const size_t len = strcspn(*path, ".");
        if (inside != NULL)
            inside =
                find_item(field, gp_report_list_of(field, at->object), *path, len, ret_nearest);
        *path += len;
        if (**path != '.' || (inside == NULL && at->object != NULL))
            return GP_ERR_NOT_FOUND;
        *path += 1;
    } else if (field->kind == GP_REPORT_OPTIONAL && inside != NULL) {
        inside = *(const void *const *)inside;
    }
    *at = (place){field->nested, inside};
    return GP_OK;
}

gp_status gp_report_path_check(const gp_report_struct *type, const char *path,
                               gp_report_kind *ret_kind, gp_dim *ret_dim,
                               const char **ret_nearest) {
    gp_report_value value;
    const gp_status st = gp_report_find(type, NULL, path, &value, ret_nearest);
    if (st == GP_OK) {
        *ret_kind = value.kind;
        *ret_dim = value.dim;
    }
    return st;
}

/* Without an object, and below an optional struct that is absent, every path that the type has
 * gives an absent value. */
gp_status gp_report_find(const gp_report_struct *type, const void *object, const char *path,
                         gp_report_value *ret_value, const char **ret_nearest) {
    place at = {type, object};
    const char *unused = NULL;
    const char **nearest = ret_nearest != NULL ? ret_nearest : &unused;
    *nearest = NULL;
    for (;;) {
        size_t len = strcspn(path, ".");
        int part = 0;
        int row = find_key(at.type, path, len, &part);
        if (row < 0) {
            *nearest = nearest_key(at.type, path, len);
            return GP_ERR_NOT_FOUND;
        }
        const gp_report_field *field = &at.type->fields[row];
        path += len;
        if (*path == '\0' && field->nested == NULL && field->kind != GP_REPORT_LIST) {
            *ret_value = (gp_report_value){.kind = field->kind, .dim = field->dim, .absent = true};
            if (at.object != NULL)
                gp_report_read(field, at.object, part, ret_value);
            return GP_OK;
        }
        if (enter(&at, field, &path, nearest) != GP_OK)
            return GP_ERR_NOT_FOUND;
    }
}

/* ---- hints */

/* The struct in which the path goes astray or ends, *ret_known bytes behind its start; NULL: what
 * it leads to has no keys. */
static const gp_report_struct *follow(const gp_report_struct *type, const char *path,
                                      size_t *ret_known) {
    place at = {type, NULL};
    const char *rest = path;
    for (;;) {
        const char *unused = NULL;
        const size_t len = strcspn(rest, ".");
        int part = 0;
        const int row = find_key(at.type, rest, len, &part);
        *ret_known = (size_t)(rest - path);
        if (row < 0)
            return at.type;
        const gp_report_field *field = &at.type->fields[row];
        rest += len;
        *ret_known += len;
        if (*rest == '\0' && field->kind != GP_REPORT_LIST)
            return field->nested;
        if (enter(&at, field, &rest, &unused) != GP_OK)
            return NULL;
    }
}

static bool any_has(const gp_report_struct *type, const char *word) {
    for (size_t i = 0; i < type->field_count; i++)
        if (gp_str_find_nocase(type->fields[i].key, word) != NULL)
            return true;
    return false;
}

/* "a key of cost: capitalPerYear, ...": those that have the word in them, else the first. */
static const char *keys_of(gp_arena *arena, const gp_report_struct *type, const char *path,
                           size_t known) {
    gp_buf buf = GP_BUF(arena, KEYS_MAX);
    const char *text = NULL;
    const char *word = path + known;
    const bool some = *word != '\0' && any_has(type, word);
    const size_t parent = known > 0 && path[known - 1] == '.' ? known - 1 : known;
    int shown = 0;
    gp_buf_printf(&buf, "a key of %.*s", (int)parent, path);
    for (size_t i = 0; i < type->field_count; i++) {
        const char *key = type->fields[i].key;
        if (some && gp_str_find_nocase(key, word) == NULL)
            continue;
        if (shown < KEYS_SHOWN)
            gp_buf_printf(&buf, "%s%s", shown == 0 ? ": " : ", ", key);
        shown++;
    }
    gp_buf_str(&buf, shown > KEYS_SHOWN ? ", ..." : "");
    return gp_buf_finish(&buf, &text, NULL) == GP_OK ? text : NULL;
}

/* The type that the path follows furthest speaks; of several, the first with a key that is near. */
gp_report_hint gp_report_hint_of(gp_arena *arena, const char *path,
                                 const gp_report_struct *const *types, size_t count) {
    gp_report_hint hint = {0};
    size_t furthest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        const gp_report_struct *type = follow(types[i], path, &known);
        if (type == NULL || known < furthest || (known == furthest && hint.nearest != NULL))
            continue;
        const char *word = path + known;
        const char *key = nearest_key(type, word, strcspn(word, "."));
        furthest = known;
        hint.nearest = key != NULL ? gp_arena_printf(arena, "%.*s%s", (int)known, path, key) : NULL;
        hint.expected = known > 0 ? keys_of(arena, type, path, known) : NULL;
    }
    return hint;
}
