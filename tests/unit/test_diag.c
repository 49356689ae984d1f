/* Texts and places, collecting diagnostics, and how one is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/diag.h>

static gp_text *text_of(gp_arena *arena, const char *data) {
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(arena, "plan.yaml", data, strlen(data), &text), GP_OK);
    return text;
}

static void places_count_lines_and_code_points(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    static const struct {
        const char *data;
        uint32_t offset, line, column;
    } cases[] = {
        {"", 0, 1, 1},
        {"abc", 2, 1, 3},
        {"a\nb", 2, 2, 1},
        {"a\r\nb", 3, 2, 1},
        {"a\rb", 2, 2, 1},
        {"a\n", 2, 1, 2}, /* no line begins at the end */
        {"a\r\nb", 2, 1, 2},
        {"\n\n\nx", 3, 4, 1},
        {"h\xc3\xa9llo", 3, 1, 3},
        {"\xef\xbb\xbf"
         "ab",
         4, 1, 2},
        {"\xef\xbb\xbf"
         "ab",
         0, 1, 1},
        {"abc", 99, 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_text *text = text_of(arena, cases[i].data);
        gp_place place = gp_span_place((gp_span){text, cases[i].offset, cases[i].offset});
        assert_int_equal(place.line, cases[i].line);
        assert_int_equal(place.column, cases[i].column);
    }
    gp_place nowhere = gp_span_place((gp_span){0});
    assert_int_equal(nowhere.line, 0);
    gp_place backwards = gp_span_place((gp_span){text_of(arena, "abcdef"), 4, 1});
    assert_int_equal(backwards.end_column, backwards.column);
    gp_arena_free(arena);
}

static void diagnostics_are_capped(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_diags diags;
    gp_diags_init(&diags, arena);
    for (int i = 0; i < 60; i++) {
        gp_diags_error(&diags, "GP1001", (gp_span){0}, NULL, NULL, "number %d", i);
    }
    gp_diag warning = {.id = "GP1001", .level = GP_LEVEL_WARNING, .message = "m"};
    gp_diags_add(&diags, &warning);
    assert_int_equal(diags.count, 50);
    assert_int_equal(diags.suppressed, 11);
    assert_int_equal(diags.errors, 60);
    assert_string_equal(diags.items[49].message, "number 49");
    assert_string_equal(gp_level_name(GP_LEVEL_ERROR), "error");
    assert_string_equal(gp_status_name(GP_ERR_NO_MEMORY), "out of memory");
    gp_arena_free(arena);
}

static const char *shown(gp_arena *arena, const gp_diag *diag) {
    const char *text = NULL;
    assert_int_equal(gp_diag_format(arena, diag, &text), GP_OK);
    return gp_arena_strndup(arena, text, strlen(text));
}

static void a_diagnostic_is_shown_in_full(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_text *text = text_of(arena, "a: 1\n\ttokenz: 5\n");
    gp_diag diag = {.id = "GP1003",
                    .level = GP_LEVEL_ERROR,
                    .span = {text, 6, 12},
                    .message = "unknown key \"tokenz\"",
                    .expected = "one of tokens, samples",
                    .nearest = "tokens",
                    .related = {text, 0, 1},
                    .related_text = "in this map"};
    assert_string_equal(shown(arena, &diag),
                        "plan.yaml:2:2: error: unknown key \"tokenz\" [GP1003]\n"
                        "     2 |  tokenz: 5\n"
                        "       |  ^~~~~~\n"
                        "       = expected: one of tokens, samples\n"
                        "       = nearest: tokens\n"
                        "plan.yaml:1:1: note: in this map\n");
    gp_diag bare = {.level = GP_LEVEL_NOTE, .message = "nowhere"};
    assert_string_equal(shown(arena, &bare), "note: nowhere\n");
    gp_arena_free(arena);
}

static void carets_stand_below_wide_characters(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_text *text = text_of(arena, "\xe4\xb8\xad\xe6\x96\x87: x\xe4\xb8\xad");
    gp_diag diag = {.id = "GP1003", .level = GP_LEVEL_ERROR, .message = "m", .span = {text, 8, 12}};
    assert_string_equal(shown(arena, &diag), "plan.yaml:1:5: error: m [GP1003]\n"
                                             "     1 | \xe4\xb8\xad\xe6\x96\x87: x\xe4\xb8\xad\n"
                                             "       |       ^~~\n");
    gp_arena_free(arena);
}

static void long_lines_are_shown_around_the_caret(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 22);
    static char line[100001];
    memset(line, 'x', sizeof line - 1);
    gp_text *text = text_of(arena, line);
    static const uint32_t places[] = {0, 1, 50, 99, 100, 5000, 99950, 99999, 100000};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        gp_diag diag = {.id = "GP1001",
                        .level = GP_LEVEL_ERROR,
                        .message = "m",
                        .span = {text, places[i], places[i] + 70000}};
        const char *out = shown(arena, &diag);
        assert_true(strlen(out) < 300);
        const char *source = strstr(out, " | ") + 3;
        const char *caret = strchr(out, '^');
        size_t column = (size_t)(caret - (strstr(source, " | ") + 3));
        assert_true(column <= 110);
        assert_true(source[column] == (places[i] < 100000 ? 'x' : '\n'));
    }
    gp_arena_free(arena);
}

static void control_characters_are_not_passed_on(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_text *text = text_of(arena, "a\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xff");
    gp_diag diag = {.id = "GP1001",
                    .level = GP_LEVEL_ERROR,
                    .message = "bad \x1b[31m\nsecond",
                    .span = {text, 1, 2}};
    assert_string_equal(shown(arena, &diag), "plan.yaml:1:2: error: bad ?[31m?second [GP1001]\n"
                                             "     1 | a?[31m????\n"
                                             "       |  ^\n");
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_count_lines_and_code_points),
        cmocka_unit_test(diagnostics_are_capped),
        cmocka_unit_test(a_diagnostic_is_shown_in_full),
        cmocka_unit_test(carets_stand_below_wide_characters),
        cmocka_unit_test(long_lines_are_shown_around_the_caret),
        cmocka_unit_test(control_characters_are_not_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
