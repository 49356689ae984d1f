/* Laying structs over each other: what is given wins, origins travel, groups merge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/catalog.h"
#include "schema/field.h"
#include "schema/overlay.h"

static gp_arena *arena;

static int setup(void **state) {
    (void)state;
    arena = gp_arena_new(1u << 20);
    return arena ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    gp_arena_free(arena);
    return 0;
}

static gp_model *new_model(void) {
    gp_model *model = GP_NEW(arena, gp_model);
    assert_non_null(model);
    gp_struct_init(arena, &gp_model_rows, model);
    return model;
}

static void give(gp_meta *meta, size_t offset, gp_origin_kind kind) {
    meta->origins[gp_field_at(meta->type, offset)].kind = (uint8_t)kind;
}

#define SET(object, type, member, value, origin)                                                   \
    ((object)->member = (value), give(&(object)->meta, offsetof(type, member), origin))

static void given_fields_win(void **state) {
    (void)state;
    gp_model *row = new_model();
    gp_model *own = new_model();
    SET(row, gp_model, layers, 32, GP_ORIGIN_CATALOG);
    SET(row, gp_model, hidden, 4096, GP_ORIGIN_CATALOG);
    SET(own, gp_model, layers, 40, GP_ORIGIN_SPEC);
    own->hidden = 1; /* without an origin: not there */
    gp_overlay(row, own);
    assert_int_equal(row->layers, 40);
    assert_int_equal(row->hidden, 4096);
    assert_int_equal(GP_ORIGIN_OF(row, gp_model, layers)->kind, GP_ORIGIN_SPEC);
    assert_int_equal(GP_ORIGIN_OF(row, gp_model, hidden)->kind, GP_ORIGIN_CATALOG);
}

static void groups_merge_and_wholes_do_not(void **state) {
    (void)state;
    gp_model *row = new_model();
    gp_model *own = new_model();
    give(&row->meta, offsetof(gp_model, experts), GP_ORIGIN_CATALOG);
    SET(&row->experts, gp_experts, count, 8, GP_ORIGIN_CATALOG);
    SET(&row->experts, gp_experts, top_k, 2, GP_ORIGIN_CATALOG);
    give(&row->meta, offsetof(gp_model, weights), GP_ORIGIN_CATALOG);
    SET(&row->weights, gp_weights, bytes, 7e9, GP_ORIGIN_CATALOG);
    give(&own->meta, offsetof(gp_model, experts), GP_ORIGIN_SPEC);
    SET(&own->experts, gp_experts, count, 16, GP_ORIGIN_SPEC);
    give(&own->meta, offsetof(gp_model, weights), GP_ORIGIN_SPEC);
    SET(&own->weights, gp_weights, format, GP_FORMAT_FP8, GP_ORIGIN_SPEC);

    gp_model *base = new_model();
    gp_overlay(base, row);
    gp_overlay(base, own);
    assert_int_equal(base->experts.count, 16);
    assert_int_equal(base->experts.top_k, 2);
    assert_int_equal(base->weights.format, GP_FORMAT_FP8);
    assert_true(base->weights.bytes < 1); /* the size belonged to the other format */
    assert_false(GP_GIVEN(&base->weights, gp_weights, bytes));

    gp_underlay(own, row);
    assert_int_equal(own->experts.count, 16);
    assert_int_equal(own->experts.top_k, 2);
    assert_false(GP_GIVEN(&own->weights, gp_weights, bytes));
}

static void clearing_makes_all_absent(void **state) {
    (void)state;
    gp_model *model = new_model();
    const gp_struct *type = model->meta.type;
    SET(model, gp_model, layers, 32, GP_ORIGIN_SPEC);
    SET(&model->experts, gp_experts, count, 8, GP_ORIGIN_SPEC);
    gp_struct_clear(model);
    assert_int_equal(model->layers, 0);
    assert_int_equal(model->experts.count, 0);
    assert_false(GP_GIVEN(model, gp_model, layers));
    assert_false(GP_GIVEN(&model->experts, gp_experts, count));
    assert_ptr_equal(model->meta.type, type);
}

static void stamps_reach_what_is_given(void **state) {
    (void)state;
    gp_model *model = new_model();
    const gp_origin stamp = {.kind = GP_ORIGIN_CATALOG, .source = "there"};
    SET(&model->experts, gp_experts, count, 8, GP_ORIGIN_SPEC);
    gp_origins_stamp(model, &stamp);
    assert_string_equal(GP_ORIGIN_OF(&model->experts, gp_experts, count)->source, "there");
    assert_false(GP_GIVEN(&model->experts, gp_experts, top_k));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_fields_win),
        cmocka_unit_test(groups_merge_and_wholes_do_not),
        cmocka_unit_test(clearing_makes_all_absent),
        cmocka_unit_test(stamps_reach_what_is_given),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
