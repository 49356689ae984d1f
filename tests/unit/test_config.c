/* Settings files: what they may say in whose hand, and which specs their patterns choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/config.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Config\n"

typedef struct config_case {
    gp_arena *arena;
    gp_diags diags;
    gp_config *config;
    gp_status st;
} config_case;

static config_case config_of(const char *text, gp_config_scope scope) {
    config_case c = {.arena = gp_arena_new(1 << 24)};
    gp_text *source = NULL;
    assert_non_null(c.arena);
    gp_diags_init(&c.diags, c.arena);
    assert_int_equal(gp_text_init(c.arena, ".gpuplan.yaml", text, strlen(text), &source), GP_OK);
    c.st = gp_config_read(c.arena, source, scope, &c.diags, &c.config);
    return c;
}

static void all_keys_are_read(void **state) {
    (void)state;
    config_case c =
        config_of(HEAD "specs: [a.yaml, \"b/**\"]\npolicies: [p.yaml]\n"
                       "catalogs: [c.yaml]\nprices: [d.yaml, e.yaml]\n"
                       "calibration: [f.yaml]\nlock: g.lock\nfailOn: warning\nnow: 2027-03-31\n"
                       "color: never\nwidth: 90\ndetail: all\n",
                  GP_CONFIG_PROJECT);
    assert_int_equal(c.st, GP_OK);
    assert_int_equal(c.config->specs.count, 2);
    assert_string_equal(c.config->specs.items[1], "b/**");
    assert_string_equal(c.config->policies.items[0], "p.yaml");
    assert_string_equal(c.config->catalogs.items[0], "c.yaml");
    assert_string_equal(c.config->prices.items[1], "e.yaml");
    assert_string_equal(c.config->calibration.items[0], "f.yaml");
    assert_string_equal(c.config->lock, "g.lock");
    assert_int_equal(c.config->fail_on, 2);
    assert_int_equal(c.config->now, 20270331);
    assert_int_equal(c.config->color, 3);
    assert_int_equal(c.config->width, 90);
    assert_int_equal(c.config->detail, 3);
    gp_arena_free(c.arena);
}

static void absent_keys_are_zero(void **state) {
    (void)state;
    config_case c = config_of(HEAD, GP_CONFIG_PROJECT);
    assert_int_equal(c.st, GP_OK);
    assert_int_equal(c.config->specs.count, 0);
    assert_int_equal(c.config->fail_on, 0);
    assert_int_equal(c.config->now, 0);
    assert_int_equal(c.config->color, 0);
    assert_int_equal(c.config->width, 0);
    gp_arena_free(c.arena);
}

static void a_user_changes_no_result(void **state) {
    (void)state;
    static const char *const lines[] = {
        "specs: [a]\n",       "policies: [a]\n", "catalogs: [a]\n",   "prices: [a]\n",
        "calibration: [a]\n", "failOn: note\n",  "now: 2027-01-01\n", "lock: a\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, HEAD "width: 90\n%s", lines[i]);
        config_case c = config_of(text, GP_CONFIG_USER);
        assert_int_equal(c.st, GP_ERR_INPUT);
        assert_int_equal(c.diags.count, 1);
        assert_int_equal(gp_span_place(c.diags.items[0].span).line, 4);
        gp_arena_free(c.arena);
    }
    config_case c = config_of(HEAD "color: never\nwidth: 90\ndetail: all\n", GP_CONFIG_USER);
    assert_int_equal(c.st, GP_OK);
    gp_arena_free(c.arena);
}

static void wrong_documents_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "apiVersion: gpuplan/v1\nkind: Plan\n",
                                        "apiVersion: gpuplan/v9\nkind: Config\n",
                                        "kind: Config\n",
                                        HEAD "---\n" HEAD,
                                        HEAD "width: 5\n",
                                        HEAD "color: red\n",
                                        "- a\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        config_case c = config_of(texts[i], GP_CONFIG_PROJECT);
        assert_int_equal(c.st, GP_ERR_INPUT);
        assert_true(c.diags.errors > 0);
        gp_arena_free(c.arena);
    }
}

static void patterns_choose_in_the_order_of_paths(void **state) {
    (void)state;
    static const char *items[] = {"a/plan.yaml", "a/x/plan.yaml", "b.txt", "plan.yaml"};
    const gp_config_paths paths = {4, items};
    gp_config_paths chosen = {0};
    config_case c =
        config_of(HEAD "specs: [plan.yaml, \"a/**/plan.yaml\", \"*.yaml\"]\n", GP_CONFIG_PROJECT);
    assert_int_equal(gp_config_select(c.arena, c.config, &paths, &c.diags, &chosen), GP_OK);
    assert_int_equal(chosen.count, 3);
    assert_string_equal(chosen.items[0], "a/plan.yaml");
    assert_string_equal(chosen.items[1], "a/x/plan.yaml");
    assert_string_equal(chosen.items[2], "plan.yaml");
    gp_arena_free(c.arena);
    c = config_of(HEAD "specs: [plan.yaml, \"*/none.yaml\"]\n", GP_CONFIG_PROJECT);
    assert_int_equal(gp_config_select(c.arena, c.config, &paths, &c.diags, &chosen), GP_OK);
    assert_int_equal(chosen.count, 1);
    assert_int_equal(c.diags.errors, 0);
    assert_int_equal(c.diags.count, 1);
    gp_arena_free(c.arena);
    c = config_of(HEAD "specs: [\"*/none.yaml\"]\n", GP_CONFIG_PROJECT);
    assert_int_equal(gp_config_select(c.arena, c.config, &paths, &c.diags, &chosen), GP_ERR_INPUT);
    assert_int_equal(c.diags.errors, 1);
    gp_arena_free(c.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_are_read),
        cmocka_unit_test(absent_keys_are_zero),
        cmocka_unit_test(a_user_changes_no_result),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(patterns_choose_in_the_order_of_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
