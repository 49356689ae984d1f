/*
 * Dotted paths into a report: what policies assert over and `explain` is asked for. Items of lists
 * are named by their name key where their struct has one, else (and also) by their index.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "report/value.h"

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
