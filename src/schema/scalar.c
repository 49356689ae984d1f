/* Scalars: text to value, with one diagnostic that says what was expected. Which words and units
 * are fine comes from the field's row alone. */
#include "schema/scalar.h"

#include <string.h>

#include "base/day.h"
#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"
#include "schema/field.h"

enum { SHOWN_MAX = 40, WORDS_MAX = 64 };

const char *gp_shown(gp_arena *arena, const char *text, size_t len) {
    bool cut = len > SHOWN_MAX;
    size_t end = cut ? SHOWN_MAX : len;
    while (cut && end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    char *copy = gp_arena_printf(arena, "%.*s%s", (int)end, text, cut ? "..." : "");
    for (char *c = copy; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        *c = byte < 0x20 || byte == 0x7f ? '?' : *c;
    }
    return copy;
}

/* The key as it stands in the file: a scalar may stand for one key of a map. */
static const char *key_of(const gp_binder *binder, const gp_field *field) {
    return binder->written != NULL ? binder->written : field->key;
}

/* An error about the whole scalar. */
static bool refuse(gp_binder *binder, const char *id, const gp_node *node, const gp_field *field,
                   const char *nearest, const char *what) {
    gp_diags_error(binder->diags, id, node->span, gp_field_expected(binder->arena, field), nearest,
                   "%s: \"%s\" %s", key_of(binder, field),
                   gp_shown(binder->arena, node->text, node->len), what);
    return false;
}

static const char *alias_target(const gp_field *field, const gp_node *node) {
    for (const char *const *pair = field->aliases; pair && pair[0]; pair += 2)
        if (gp_str_is(node->text, node->len, pair[0]))
            return pair[1];
    return NULL;
}

static bool read_choice(gp_binder *binder, const gp_node *node, const gp_field *field,
                        gp_scalar *ret) {
    const char *word = alias_target(field, node);
    for (int i = 0; node->len > 0 && field->choices[i]; i++) {
        bool same = word ? gp_str_equal(word, field->choices[i])
                         : gp_str_is(node->text, node->len, field->choices[i]);
        if (same) {
            ret->choice = i;
            ret->text = field->choices[i];
            return true;
        }
    }
    return refuse(binder, GP_ID_NOT_A_CHOICE, node, field,
                  gp_str_nearest_of(node->text, node->len, field->choices),
                  "is not a valid choice");
}

static bool read_text(gp_binder *binder, const gp_node *node, const gp_field *field,
                      gp_scalar *ret) {
    if (node->len == 0)
        return refuse(binder, GP_ID_EMPTY, node, field, NULL, "is empty");
    if (field->choices)
        return read_choice(binder, node, field, ret);
    ret->text = node->text;
    return true;
}

static bool read_bool(gp_binder *binder, const gp_node *node, const gp_field *field,
                      gp_scalar *ret) {
    static const char *const words[] = {"yes", "no", "on", "off", "y", "n", NULL};
    bool plain = node->style == GP_STYLE_PLAIN;
    if (plain && (gp_node_is(node, "true") || gp_node_is(node, "false"))) {
        ret->flag = gp_node_is(node, "true");
        return true;
    }
    for (int i = 0; words[i]; i++)
        if (gp_str_equal_nocase(words[i], node->text))
            return refuse(binder, GP_ID_NOT_A_BOOLEAN, node, field, i % 2 == 0 ? "true" : "false",
                          "is a word, not a boolean");
    return refuse(binder, GP_ID_NOT_A_BOOLEAN, node, field, NULL,
                  plain ? "is not a boolean" : "is quoted: text, not a boolean");
}

/* `count` digits at `text` as a number, or -1. */
static int64_t digits(const char *text, size_t len, size_t at, size_t count) {
    int64_t value = 0;
    if (at + count > len)
        return -1;
    for (size_t i = at; i < at + count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* 2027, 2027-03, 2027-03-31 and 2027-Q1 as yyyymmdd, or -1. */
static int64_t date_value(const char *text, size_t len) {
    int64_t year = digits(text, len, 0, 4);
    int64_t month = 1;
    int64_t day = 1;
    if (year < 1900 || (len > 4 && text[4] != '-'))
        return -1;
    if (len == 7 && text[5] == 'Q') {
        int64_t quarter = digits(text, len, 6, 1);
        month = quarter >= 1 && quarter <= 4 ? 3 * quarter - 2 : -1;
    } else if (len == 7 || len == 10) {
        month = digits(text, len, 5, 2);
    } else if (len != 4) {
        return -1;
    }
    if (len == 10)
        day = text[7] == '-' ? digits(text, len, 8, 2) : -1;
    return day < 1 || day > gp_days_in_month(year, month) ? -1 : year * 10000 + month * 100 + day;
}

static bool read_date(gp_binder *binder, const gp_node *node, const gp_field *field,
                      gp_scalar *ret) {
    ret->count = date_value(node->text, node->len);
    return ret->count > 0 || refuse(binder, GP_ID_WRONG_TYPE, node, field, NULL, "is not a date");
}

/* As many as tell 99.9999999% from all. */
enum { RANGE_DIGITS = 9 };

static const char *range_text(gp_arena *arena, const gp_field *field) {
    const char *low = gp_quantity_format_digits(arena, field->min, field->dim, RANGE_DIGITS);
    const char *high = gp_quantity_format_digits(arena, field->max, field->dim, RANGE_DIGITS);
    if (!field->has_max)
        return gp_arena_printf(arena, "%s %s", field->exclusive_min ? "more than" : "at least",
                               low);
    return gp_arena_printf(arena, "%s %s, at most %s",
                           field->exclusive_min ? "more than" : "at least", low, high);
}

static bool in_range(gp_binder *binder, const gp_node *node, const gp_field *field, double value) {
    bool low =
        field->has_min && (value < field->min || (field->exclusive_min && !(value > field->min)));
    bool high = field->has_max && value > field->max;
    if (!low && !high)
        return true;
    gp_diags_error(binder->diags, GP_ID_OUT_OF_RANGE, node->span, range_text(binder->arena, field),
                   NULL, "%s: \"%s\" is out of range", key_of(binder, field),
                   gp_shown(binder->arena, node->text, node->len));
    return false;
}

typedef struct quantity_problem {
    const char *id;
    const char *what;
} quantity_problem;

static const quantity_problem problems[] = {
    [GP_QUANTITY_OK] = {"", ""},
    [GP_QUANTITY_NOT_A_NUMBER] = {GP_ID_WRONG_TYPE, "is not a number"},
    [GP_QUANTITY_MISSING_UNIT] = {GP_ID_MISSING_UNIT, "has no unit"},
    [GP_QUANTITY_UNKNOWN_UNIT] = {GP_ID_WRONG_UNIT, "has an unknown unit"},
    [GP_QUANTITY_WRONG_DIMENSION] = {GP_ID_WRONG_UNIT, "has a unit of the wrong kind"},
    [GP_QUANTITY_OUT_OF_RANGE] = {GP_ID_OUT_OF_RANGE, "is too large"},
};

/* The unit's place, where the text stands in the file as it is. */
static gp_span unit_span(const gp_node *node, const gp_quantity *quantity) {
    gp_span span = node->span;
    bool literal = node->style == GP_STYLE_PLAIN && span.end - span.begin == node->len;
    if (literal && quantity->unit_begin > 0 && quantity->unit_begin < node->len)
        span.begin += (uint32_t)quantity->unit_begin;
    return span;
}

static bool refuse_quantity(gp_binder *binder, const gp_node *node, const gp_field *field,
                            gp_quantity_error error, const gp_quantity *quantity) {
    bool about_unit = error == GP_QUANTITY_UNKNOWN_UNIT || error == GP_QUANTITY_WRONG_DIMENSION;
    gp_span span = about_unit ? unit_span(node, quantity) : node->span;
    const char *expected = gp_field_expected(binder->arena, field);
    const char *nearest = quantity->hint;
    if (nearest && strchr(nearest, ' ')) { /* a reason, not a unit */
        expected = gp_arena_printf(binder->arena, "%s; %s", expected ? expected : "", nearest);
        nearest = NULL;
    }
    gp_diags_error(binder->diags, problems[error].id, span, expected, nearest, "%s: \"%s\" %s",
                   key_of(binder, field), gp_shown(binder->arena, node->text, node->len),
                   problems[error].what);
    return false;
}

/* All money of a document is in one currency: amounts are added up. */
static bool same_currency(gp_binder *binder, const gp_node *node, const gp_field *field,
                          const char *currency) {
    if (*currency == '\0' || gp_str_equal(binder->currency, currency))
        return true;
    if (binder->currency[0] == '\0') {
        memcpy(binder->currency, currency, sizeof binder->currency);
        binder->currency_span = node->span;
        return true;
    }
    binder->currencies_differ = true;
    gp_diag diag = {.id = GP_ID_INCONSISTENT, .level = GP_LEVEL_ERROR, .span = node->span};
    diag.message = gp_arena_printf(binder->arena, "%s: %s among amounts in %s",
                                   key_of(binder, field), currency, binder->currency);
    diag.expected = "one currency in a document";
    diag.related = binder->currency_span;
    diag.related_text = "first amount here";
    gp_diags_add(binder->diags, &diag);
    return false;
}

static bool read_quantity(gp_binder *binder, const gp_node *node, const gp_field *field,
                          gp_scalar *ret) {
    gp_quantity quantity;
    gp_quantity_error error = gp_quantity_parse(node->text, node->len, field->dim, &quantity);
    if (error && field->or_dim != GP_DIM_NONE) {
        gp_quantity other;
        if (!gp_quantity_parse(node->text, node->len, field->or_dim, &other)) {
            error = GP_QUANTITY_OK;
            quantity = other;
            ret->other_dim = true;
        }
    }
    if (error)
        return refuse_quantity(binder, node, field, error, &quantity);
    ret->number = quantity.value;
    return same_currency(binder, node, field, quantity.currency) &&
           in_range(binder, node, field, quantity.value);
}

static bool read_count(gp_binder *binder, const gp_node *node, const gp_field *field,
                       gp_scalar *ret) {
    gp_quantity quantity;
    gp_quantity_error error = gp_quantity_parse(node->text, node->len, GP_DIM_COUNT, &quantity);
    if (error)
        return refuse_quantity(binder, node, field, error, &quantity);
    if (!in_range(binder, node, field, quantity.value))
        return false;
    if (quantity.value > (double)GP_NUM_COUNT_MAX || quantity.value < -(double)GP_NUM_COUNT_MAX)
        return refuse(binder, GP_ID_OUT_OF_RANGE, node, field, NULL, "is too large");
    ret->count = (int64_t)quantity.value;
    if ((double)ret->count < quantity.value || (double)ret->count > quantity.value)
        return refuse(binder, GP_ID_WRONG_TYPE, node, field, NULL, "is not a whole number");
    return true;
}

bool gp_scalar_read(gp_binder *binder, const gp_node *node, const gp_field *field,
                    gp_field_kind kind, gp_scalar *ret_scalar) {
    *ret_scalar = (gp_scalar){.text = NULL};
    if (node->kind != GP_NODE_SCALAR) {
        gp_diags_error(binder->diags, GP_ID_WRONG_TYPE, node->span,
                       gp_field_expected(binder->arena, field), NULL, "%s: found a %s",
                       key_of(binder, field), gp_node_kind_name(node->kind));
        return false;
    }
    if (gp_node_is_null(node)) {
        gp_diags_error(binder->diags, GP_ID_EMPTY, node->span,
                       gp_field_expected(binder->arena, field), NULL, "%s has no value",
                       key_of(binder, field));
        return false;
    }
    if ((field->flags & GP_FIELD_AUTO) && gp_node_is(node, "auto"))
        return true;
    switch (kind) {
    case GP_FIELD_STRING: return read_text(binder, node, field, ret_scalar);
    case GP_FIELD_ENUM: return read_choice(binder, node, field, ret_scalar);
    case GP_FIELD_BOOL: return read_bool(binder, node, field, ret_scalar);
    case GP_FIELD_COUNT: return read_count(binder, node, field, ret_scalar);
    case GP_FIELD_QUANTITY: return read_quantity(binder, node, field, ret_scalar);
    case GP_FIELD_DATE: return read_date(binder, node, field, ret_scalar);
    case GP_FIELD_STRUCT:
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: break;
    }
    return false;
}

void gp_scalar_store(const gp_scalar *scalar, gp_field_kind kind, void *target) {
    switch (kind) {
    case GP_FIELD_STRING: memcpy(target, &scalar->text, sizeof scalar->text); break;
    case GP_FIELD_ENUM: memcpy(target, &scalar->choice, sizeof scalar->choice); break;
    case GP_FIELD_BOOL: memcpy(target, &scalar->flag, sizeof scalar->flag); break;
    case GP_FIELD_COUNT:
    case GP_FIELD_DATE: memcpy(target, &scalar->count, sizeof scalar->count); break;
    case GP_FIELD_QUANTITY: memcpy(target, &scalar->number, sizeof scalar->number); break;
    case GP_FIELD_STRUCT:
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: break;
    }
}
