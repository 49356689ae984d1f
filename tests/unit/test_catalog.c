/* The catalogue: names, extends, user files, provenance per field, the check, the constants. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "catalog/compiled.h"
#include "catalog/constants.h"
#include "model/model.h"

typedef struct view {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
} view;

static view open_view(view *v) {
    v->arena = gp_arena_new((size_t)128 << 20);
    gp_diags_init(&v->diags, v->arena);
    assert_int_equal(gp_catalog_open(v->arena, &v->diags, &v->catalog), GP_OK);
    return *v;
}

static gp_status add(view *v, const char *rows) {
    gp_text *text = NULL;
    const char *yaml = gp_arena_printf(
        v->arena, "apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: t}\nspec:\n%s", rows);
    assert_int_equal(gp_text_init(v->arena, "ours.yaml", yaml, strlen(yaml), &text), GP_OK);
    return gp_catalog_add(v->catalog, text);
}

static const void *find(view *v, gp_catalog_kind kind, const char *name) {
    const void *row = NULL;
    assert_int_equal(gp_catalog_find(v->catalog, kind, name, &row, NULL, NULL), GP_OK);
    return row;
}

static void every_row_is_sound(void **state) {
    (void)state;
    view v;
    open_view(&v);
    gp_status st = gp_catalog_check(v.catalog);
    if (st) {
        const char *text = "";
        gp_diag_format(v.arena, &v.diags.items[0], &text);
        fail_msg("%zu errors; %s", v.diags.errors, text);
    }
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++) {
        const void *const *rows = NULL;
        size_t count = 0;
        assert_int_equal(gp_catalog_rows(v.catalog, (gp_catalog_kind)kind, &rows, &count), GP_OK);
        assert_true(count > 0);
        assert_int_equal(gp_catalog_kind_named(gp_catalog_kind_name((gp_catalog_kind)kind)), kind);
    }
    assert_int_equal(gp_catalog_kind_named("links"), -1);
    gp_arena_free(v.arena);
}

static void rows_are_in_id_order(void **state) {
    (void)state;
    view v;
    open_view(&v);
    const void *const *rows = NULL;
    size_t count = 0;
    assert_int_equal(gp_catalog_rows(v.catalog, GP_CATALOG_GPUS, &rows, &count), GP_OK);
    for (size_t i = 1; i < count; i++) {
        const gp_gpu *a = rows[i - 1];
        const gp_gpu *b = rows[i];
        assert_true(strcmp(a->id, b->id) < 0);
    }
    gp_arena_free(v.arena);
}

static void names_find_rows(void **state) {
    (void)state;
    view v;
    open_view(&v);
    const void *row = NULL;
    const char *nearest = NULL;
    const char *choices = NULL;
    const gp_gpu *gpu = find(&v, GP_CATALOG_GPUS, "h200-sxm");
    assert_ptr_equal(find(&v, GP_CATALOG_GPUS, "H200-SXM"), gpu);
    const gp_model *model = find(&v, GP_CATALOG_MODELS, "hf:Qwen/Qwen3-32B");
    assert_ptr_equal(find(&v, GP_CATALOG_MODELS, "qwen/qwen3-32b"), model);
    assert_int_equal(gp_catalog_find(v.catalog, GP_CATALOG_GPUS, "A100", &row, &nearest, &choices),
                     GP_ERR_INPUT);
    assert_null(row);
    assert_non_null(strstr(choices, "a100-sxm-80gb"));
    assert_int_equal(
        gp_catalog_find(v.catalog, GP_CATALOG_GPUS, "h200-smx", &row, &nearest, &choices),
        GP_ERR_NOT_FOUND);
    assert_string_equal(nearest, "h200-sxm");
    assert_int_equal(gp_catalog_find(v.catalog, GP_CATALOG_GPUS, "", &row, &nearest, NULL),
                     GP_ERR_NOT_FOUND);
    gp_arena_free(v.arena);
}

static void drivers_names_are_found(void **state) {
    (void)state;
    static const struct {
        const char *name, *id; /* NULL: none, or several */
        bool whole;
    } cases[] = {
        {"NVIDIA H100 80GB HBM3", "h100-sxm", true},
        {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb", true},
        {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb", true},
        {"NVIDIA GeForce RTX 4090", "rtx-4090", true},
        {"Tesla V100-SXM2-32GB", "v100-sxm2-32gb", true},
        {"AMD Instinct MI300X", "mi300x", true},
        {"NVIDIA GH200 480GB", "gh200", false},
        {"NVIDIA H200", NULL, true},             /* SXM or NVL */
        {"NVIDIA H100 80GB HBM2e", NULL, false}, /* what is left of it goes for several */
        {"NVIDIA H800", "h800-sxm", true},
        {"NVIDIA H801", NULL, true},
        {"", NULL, true},
    };
    view v;
    open_view(&v);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gp_gpu *gpu = NULL;
        const char *choices = NULL;
        bool whole = false;
        gp_status st = gp_catalog_find_device(v.catalog, cases[i].name, &gpu, &choices, &whole);
        if ((st == GP_OK) != (cases[i].id != NULL) ||
            (st == GP_OK && strcmp(gpu->id, cases[i].id) != 0))
            fail_msg("%s: %s", cases[i].name, gpu == NULL ? gp_status_name(st) : gpu->id);
        assert_int_equal(whole, cases[i].whole);
    }
    gp_arena_free(v.arena);
}

static void figures_know_their_source(void **state) {
    (void)state;
    view v;
    open_view(&v);
    const gp_gpu *gpu = find(&v, GP_CATALOG_GPUS, "h100-sxm");
    const gp_origin *origin = GP_ORIGIN_OF(gpu, gp_gpu, memory_bytes);
    assert_int_equal(origin->kind, GP_ORIGIN_CATALOG);
    assert_int_equal(origin->evidence, GP_EVIDENCE_DATASHEET);
    assert_non_null(origin->source);
    assert_non_null(origin->date);
    assert_false(origin->unverified);
    assert_true(GP_ORIGIN_OF(&gpu->flops, gp_flops, fp32)->unverified);
    assert_false(GP_ORIGIN_OF(&gpu->flops, gp_flops, bf16)->unverified);
    assert_true(strncmp(origin->span.text->name, "<catalog>/gpus/", 15) == 0);
    gp_arena_free(v.arena);
}

static void systems_hold_their_gpu(void **state) {
    (void)state;
    view v;
    open_view(&v);
    const gp_system *system = find(&v, GP_CATALOG_SYSTEMS, "dgx-h200");
    assert_string_equal(system->gpu.id, "h200-sxm");
    assert_true(system->gpu.memory_bytes > 1e11);
    assert_int_equal(system->domain, 8);
    gp_arena_free(v.arena);
}

static void user_files_overlay(void **state) {
    (void)state;
    view v;
    open_view(&v);
    double before = ((const gp_gpu *)find(&v, GP_CATALOG_GPUS, "h200-sxm"))->memory_bytes;
    assert_int_equal(add(&v, "  gpus:\n"
                             "    - {id: h200-sxm, tdp: 650 W, source: s1, date: 2026, evidence: "
                             "measured}\n"
                             "    - {id: ours, extends: h200-sxm, memory: 100 GB, source: s2, "
                             "date: 2026-11-01, evidence: measured}\n"
                             "    - {id: theirs, extends: ours, tdp: 500 W, source: s3, date: "
                             "2026, evidence: assumed}\n"),
                     GP_OK);
    const gp_gpu *row = find(&v, GP_CATALOG_GPUS, "h200-sxm");
    assert_true(fabs(row->tdp_w - 650) < 1e-9);
    assert_true(fabs(row->memory_bytes - before) < 1);
    assert_string_equal(GP_ORIGIN_OF(row, gp_gpu, tdp_w)->source, "s1");
    assert_string_not_equal(GP_ORIGIN_OF(row, gp_gpu, memory_bytes)->source, "s1");
    const gp_gpu *theirs = find(&v, GP_CATALOG_GPUS, "theirs");
    assert_true(fabs(theirs->tdp_w - 500) < 1e-9);
    assert_true(fabs(theirs->memory_bytes - 1e11) < 1);
    assert_string_equal(GP_ORIGIN_OF(theirs, gp_gpu, memory_bytes)->source, "s2");
    assert_true(fabs(theirs->memory_bytes_per_s - row->memory_bytes_per_s) < 1);
    assert_int_equal(theirs->aliases.count, 0); /* names are not inherited */
    /* The systems with that GPU see the change. */
    const gp_system *system = find(&v, GP_CATALOG_SYSTEMS, "dgx-h200");
    assert_true(fabs(system->gpu.tdp_w - 650) < 1e-9);
    gp_arena_free(v.arena);
}

static void bad_rows(void **state) {
    (void)state;
    static const struct {
        const char *rows, *id;
    } cases[] = {
        {"  gpus: [{tdp: 5 W}]\n", "GP1009"},
        {"  gpus: [{id: a, tdp: 5 kg}]\n", "GP1011"},
        {"  gpus: [{id: a, extends: nothing}]\n", "GP1014"},
        {"  gpus: [{id: a, extends: b}, {id: b, extends: a}]\n", "GP1019"},
        {"  gpus: [{id: a, extends: a}]\n", "GP1019"},
        {"  gpus: [{id: a}, {id: a}]\n", "GP1018"},
        {"  gpus: [{id: a, source: s, date: 2026}]\n", "GP1022"},
        {"  gpus: [{id: a, extends: h200-sxm, tdp: 5 W}]\n", "GP1022"},
        {"  gpus: [{id: A b, source: s, date: 2026, evidence: measured}]\n", "GP1022"},
        {"  gpus: [{id: a, source: s, date: May, evidence: measured}]\n", "GP1022"},
        {"  gpus: [{id: a, source: s, date: 2026, evidence: measured, unverified: [tdpp]}]\n",
         "GP1022"},
        {"  systems: [{id: a, gpu: h300, source: s, date: 2026, evidence: measured}]\n", "GP1014"},
        {"  gpu: []\n", "GP1003"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        view v;
        open_view(&v);
        gp_status st = add(&v, cases[i].rows);
        if (!st) {
            st = gp_catalog_check(v.catalog);
        }
        assert_int_equal(st, GP_ERR_INPUT);
        if (strcmp(v.diags.items[0].id, cases[i].id) != 0) {
            fail_msg("%s: %s %s", cases[i].rows, v.diags.items[0].id, v.diags.items[0].message);
        }
        gp_arena_free(v.arena);
    }
}

static void chains_have_an_end(void **state) {
    (void)state;
    view v;
    open_view(&v);
    const char *rows = "  gpus:\n    - {id: c0, extends: h200-sxm}\n";
    for (int i = 1; i <= 9; i++) {
        rows = gp_arena_printf(v.arena, "%s    - {id: c%d, extends: c%d}\n", rows, i, i - 1);
    }
    const void *row = NULL;
    assert_int_equal(add(&v, rows), GP_OK);
    assert_int_equal(
        gp_catalog_rows(v.catalog, GP_CATALOG_GPUS, &(const void *const *){NULL}, &(size_t){0}),
        GP_ERR_INPUT);
    assert_string_equal(v.diags.items[0].id, "GP1019");
    assert_int_equal(gp_catalog_find(v.catalog, GP_CATALOG_GPUS, "c7", &row, NULL, NULL), GP_OK);
    assert_true(((const gp_gpu *)row)->memory_bytes > 1e11);
    gp_arena_free(v.arena);
}

/* What was hashed at build time is what the files are. */
static void the_digest_is_that_of_the_files(void **state) {
    char hex[GP_SHA256_HEX];
    const char *told = NULL;
    gp_sha256 hash;
    view v;
    (void)state;
    gp_sha256_init(&hash);
    for (size_t i = 0; i < gp_catalog_text_count; i++)
        gp_sha256_add(&hash, gp_catalog_texts[i].data, gp_catalog_texts[i].len + 1);
    gp_sha256_finish(&hash, hex);
    open_view(&v);
    gp_catalog_digest(v.catalog, &told);
    assert_string_equal(told, hex);
    gp_arena_free(v.arena);
}

static void the_digest_follows_the_files(void **state) {
    (void)state;
    view v;
    const char *first = NULL;
    const char *second = NULL;
    open_view(&v);
    gp_catalog_digest(v.catalog, &first);
    assert_int_equal(strlen(first), 64);
    assert_int_equal(add(&v, "  gpus: []\n"), GP_OK);
    gp_catalog_digest(v.catalog, &second);
    assert_string_not_equal(first, second);
    gp_arena_free(v.arena);
}

static void constants_load(void **state) {
    (void)state;
    view v;
    static gp_constants constants;
    open_view(&v);
    gp_status st = gp_constants_load(v.catalog, &v.diags, &constants);
    if (st) {
        fail_msg("%s", v.diags.items[0].message);
    }
    assert_true(constants.serving_utilization_fraction > 0.5);
    assert_non_null(GP_ORIGIN_OF(&constants, gp_constants, serving_utilization_fraction)->source);

    assert_int_equal(add(&v, "  constants: [{id: serving.kv.utilization, value: 80%, source: s, "
                             "date: 2026, evidence: assumed}]\n"),
                     GP_OK);
    assert_int_equal(gp_constants_load(v.catalog, &v.diags, &constants), GP_OK);
    assert_true(fabs(constants.serving_utilization_fraction - 0.8) < 1e-12);

    assert_int_equal(add(&v, "  constants: [{id: serving.kv.utilization, value: 80 kg}, {id: "
                             "serving.nothing, value: 1}]\n"),
                     GP_OK);
    assert_int_equal(gp_constants_load(v.catalog, &v.diags, &constants), GP_ERR_INPUT);
    assert_int_equal(v.diags.errors, 2);
    gp_arena_free(v.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_sound),
        cmocka_unit_test(rows_are_in_id_order),
        cmocka_unit_test(names_find_rows),
        cmocka_unit_test(drivers_names_are_found),
        cmocka_unit_test(figures_know_their_source),
        cmocka_unit_test(systems_hold_their_gpu),
        cmocka_unit_test(user_files_overlay),
        cmocka_unit_test(bad_rows),
        cmocka_unit_test(chains_have_an_end),
        cmocka_unit_test(the_digest_is_that_of_the_files),
        cmocka_unit_test(the_digest_follows_the_files),
        cmocka_unit_test(constants_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
