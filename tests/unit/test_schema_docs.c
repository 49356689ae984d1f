/* The descriptor tables: sound in themselves, and complete as documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/constants.h"
#include "model/model.h"

#include "catalog/document.h"
#include "schema/bind.h"
#include "schema/emit.h"
#include "schema/field.h"

static const gp_struct *const roots[] = {&gp_plan_document_rows, &gp_prices_document_rows,
                                         &gp_catalog_document_type, &gp_constants_type};
enum { ROOTS = sizeof roots / sizeof roots[0] };

static gp_arena *arena;

static int setup(void **state) {
    (void)state;
    arena = gp_arena_new((size_t)64 << 20);
    return arena ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    gp_arena_free(arena);
    return 0;
}

/* Calls `check` for every row of every table. */
static void each_row(void (*check)(const gp_struct *, const gp_field *)) {
    for (size_t r = 0; r < ROOTS; r++) {
        gp_type_list list;
        assert_int_equal(gp_types_collect(&roots[r], 1, &list), GP_OK);
        for (size_t t = 0; t < list.count; t++) {
            for (size_t i = 0; i < list.types[t]->field_count; i++) {
                check(list.types[t], &list.types[t]->fields[i]);
            }
        }
    }
}

static void row_is_sound(const gp_struct *type, const gp_field *field) {
    bool fits = field->key && field->key[0] && field->offset + gp_field_size(field) <= type->size &&
                field->offset >= sizeof(gp_meta) &&
                (!field->has_min || !field->has_max || field->min <= field->max) && field->help &&
                field->help[0] && field->help[strlen(field->help) - 1] == '.' &&
                (field->kind != GP_FIELD_STRUCT || field->nested) &&
                (field->kind != GP_FIELD_ENUM || field->choices);
    if (!fits) {
        fail_msg("%s.%s is not sound", type->name, field->key);
    }
}

static void rows_are_sound(void **state) {
    (void)state;
    each_row(row_is_sound);
}

static void tables_are_sound(void **state) {
    (void)state;
    for (size_t r = 0; r < ROOTS; r++) {
        gp_type_list list;
        assert_int_equal(gp_types_collect(&roots[r], 1, &list), GP_OK);
        for (size_t t = 0; t < list.count; t++) {
            const gp_struct *type = list.types[t];
            assert_non_null(type->help);
            for (size_t i = 0; i < type->field_count; i++) {
                const char *key = type->fields[i].key;
                /* Keys are unique: a look-up comes back to the row. */
                assert_int_equal(gp_field_named(type, key, strlen(key)), i);
                assert_int_equal(gp_field_at(type, type->fields[i].offset), i);
            }
            const char *forms[] = {type->scalar_key, type->list_key};
            for (size_t i = 0; i < 2; i++) {
                assert_true(!forms[i] || gp_field_named(type, forms[i], strlen(forms[i])) >= 0);
            }
            for (size_t other = 0; other < t; other++) {
                assert_string_not_equal(list.types[other]->name, type->name);
            }
        }
    }
}

static void row_has_a_good_default(const gp_struct *type, const gp_field *field) {
    gp_diags diags;
    if (!field->default_text) {
        return;
    }
    void *object = gp_arena_alloc(arena, 1, type->size);
    gp_diags_init(&diags, arena);
    assert_non_null(object);
    gp_struct_init(arena, type, object);
    gp_default_field(arena, &diags, field, object);
    gp_meta *meta = object;
    if (diags.errors || gp_origin_of_field(meta, field)->kind != GP_ORIGIN_DEFAULT) {
        fail_msg("default of %s.%s: %s", type->name, field->key,
                 diags.count ? diags.items[0].message : "not bound");
    }
}

static void defaults_can_be_read(void **state) {
    (void)state;
    each_row(row_has_a_good_default);
}

static void row_says_what_it_expects(const gp_struct *type, const gp_field *field) {
    const char *expected = gp_field_expected(arena, field);
    if (!expected || !expected[0]) {
        fail_msg("%s.%s expects nothing", type->name, field->key);
    }
}

static void every_row_expects_something(void **state) {
    (void)state;
    each_row(row_says_what_it_expects);
}

static void key_is_in_the_text(const char *text, const char *before, const char *key,
                               const char *after) {
    const char *line = gp_arena_printf(arena, "%s%s%s", before, key, after);
    if (!strstr(text, line)) {
        fail_msg("%s is not there", line);
    }
}

static void documents_name_every_key(void **state) {
    (void)state;
    static const char *const kinds[] = {"spec", "prices", "catalog"};
    for (size_t k = 0; k < 3; k++) {
        const char *markdown = NULL;
        const char *json = NULL;
        gp_type_list list;
        assert_int_equal(gp_schema_markdown(arena, kinds[k], &markdown), GP_OK);
        assert_int_equal(gp_schema_json(arena, kinds[k], &json), GP_OK);
        assert_int_equal(gp_types_collect(&roots[k], 1, &list), GP_OK);
        for (size_t t = 0; t < list.count; t++) {
            for (size_t i = 0; i < list.types[t]->field_count; i++) {
                key_is_in_the_text(markdown, "| `", list.types[t]->fields[i].key, "` |");
                key_is_in_the_text(json, "\"", list.types[t]->fields[i].key, "\": {");
            }
        }
    }
}

static void an_unknown_kind_has_no_document(void **state) {
    (void)state;
    const char *text = NULL;
    assert_int_equal(gp_schema_json(arena, "pollicy", &text), GP_ERR_NOT_FOUND);
    assert_int_equal(gp_schema_markdown(arena, NULL, &text), GP_OK);
}

static void diagnostics_are_documented_in_order(void **state) {
    (void)state;
    for (size_t i = 0; i < gp_diag_doc_count; i++) {
        const char *id = gp_arena_printf(arena, "GP%d", 1001 + (int)i);
        assert_string_equal(gp_diag_docs[i].id, id);
        assert_true(gp_diag_docs[i].title[0] && gp_diag_docs[i].help[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(defaults_can_be_read),
        cmocka_unit_test(every_row_expects_something),
        cmocka_unit_test(documents_name_every_key),
        cmocka_unit_test(an_unknown_kind_has_no_document),
        cmocka_unit_test(diagnostics_are_documented_in_order),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
