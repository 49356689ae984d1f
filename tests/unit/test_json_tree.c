/* JSON texts as trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "source/json_tree.h"

static const gp_source_limits default_limits = GP_SOURCE_LIMITS_INIT;

typedef struct fixture {
    gp_arena *arena;
    gp_diags diags;
    const gp_node *root;
    gp_status st;
} fixture;

static void read_bytes(fixture *f, const char *data, size_t len, const gp_source_limits *limits) {
    gp_text *text = NULL;
    f->arena = gp_arena_new((size_t)1 << 27);
    gp_diags_init(&f->diags, f->arena);
    assert_int_equal(gp_text_init(f->arena, "t.json", data, len, &text), GP_OK);
    f->st = gp_json_read(f->arena, text, limits, &f->diags, &f->root);
}

static void read_text(fixture *f, const char *data) {
    read_bytes(f, data, strlen(data), &default_limits);
}

static void done(fixture *f) {
    gp_arena_free(f->arena);
}

static void trees_are_built(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "\xef\xbb\xbf {\"a\": [1, -2.5e3, true, null, NaN, -Infinity], \"b\": {},\r\n"
                  "\t\"c\": [] , \"d\\n\\u00e9\\ud83d\\ude00\\\\\\/\": \"\\t\xc3\xa9\"}\n");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.root->count, 4);
    const gp_node *list = gp_node_get(f.root, "a");
    assert_int_equal(list->count, 6);
    assert_string_equal(list->items[1]->text, "-2.5e3");
    assert_int_equal(list->items[1]->style, GP_STYLE_PLAIN);
    assert_true(gp_node_is_null(list->items[3]));
    assert_string_equal(list->items[5]->text, "-Infinity");
    assert_int_equal(gp_node_get(f.root, "b")->kind, GP_NODE_MAP);
    assert_int_equal(gp_node_get(f.root, "c")->count, 0);
    const gp_node *text = gp_node_get(f.root, "d\n\xc3\xa9\xf0\x9f\x98\x80\\/");
    assert_non_null(text);
    assert_string_equal(text->text, "\t\xc3\xa9");
    assert_int_equal(text->style, GP_STYLE_QUOTED);
    gp_place place = gp_span_place(gp_node_get(f.root, "c")->span);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 7);
    assert_int_equal(place.end_column, 9);
    assert_int_equal(f.root->span.begin, 4);
    done(&f);
}

static void mistakes_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *data, *id;
        uint32_t line, column;
        uint32_t related; /* column of the second place, or 0 */
    } cases[] = {
        {"", "GP1007", 1, 1, 0},
        {" \n\t", "GP1007", 1, 1, 0},
        {"{\"a\": 1, \"a\": 2}", "GP1002", 1, 10, 2},
        {"[1, 2", "GP1001", 1, 6, 1},
        {"[1 2]", "GP1001", 1, 4, 1},
        {"[1,]", "GP1001", 1, 4, 0},
        {"{\"a\" 1}", "GP1001", 1, 6, 1},
        {"{\"a\": }", "GP1001", 1, 7, 0},
        {"{a: 1}", "GP1001", 1, 2, 1},
        {"{\"a\": 1,}", "GP1001", 1, 9, 1},
        {"{\"a\": 1", "GP1001", 1, 8, 1},
        {"{", "GP1001", 1, 2, 1},
        {"{\"a", "GP1001", 1, 4, 2},
        {"{\"a\"", "GP1001", 1, 5, 1},
        {"\"a\nb\"", "GP1001", 1, 3, 1},
        {"\"\\x\"", "GP1001", 1, 2, 1},
        {"\"\\", "GP1001", 1, 2, 1},
        {"\"\\u12", "GP1001", 1, 2, 1},
        {"\"\\u0000\"", "GP1001", 1, 2, 1},
        {"\"\\ud800\"", "GP1001", 1, 2, 1},
        {"\"\\ud800\\u0041\"", "GP1001", 1, 2, 1},
        {"\"\\udc00\"", "GP1001", 1, 2, 1},
        {"01", "GP1001", 1, 1, 0},
        {"+1", "GP1001", 1, 1, 0},
        {"1.", "GP1001", 1, 1, 0},
        {".5", "GP1001", 1, 1, 0},
        {"-", "GP1001", 1, 1, 0},
        {"True", "GP1001", 1, 1, 0},
        {"'a'", "GP1001", 1, 1, 0},
        {"\xc3\xa9", "GP1001", 1, 1, 0},
        {"1 2", "GP1001", 1, 3, 0},
        {"{} // x", "GP1001", 1, 4, 0},
        {"\"\xff\"", "GP1006", 1, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        read_text(&f, cases[i].data);
        assert_int_equal(f.st, GP_ERR_INPUT);
        assert_int_equal(f.diags.count, 1);
        const gp_diag *diag = &f.diags.items[0];
        gp_place place = gp_span_place(diag->span);
        uint32_t related = diag->related.text ? gp_span_place(diag->related).column : 0;
        if (strcmp(diag->id, cases[i].id) != 0 || place.line != cases[i].line ||
            place.column != cases[i].column || related != cases[i].related) {
            fail_msg("case %zu (%s): %u:%u %s, related %u", i, cases[i].data, place.line,
                     place.column, diag->id, related);
        }
        assert_true((f.root != NULL) == (strcmp(diag->id, "GP1002") == 0));
        done(&f);
    }
}

static void limits_hold(void **state) {
    (void)state;
    gp_source_limits limits = default_limits;
    limits.max_scalar_bytes = 4;
    limits.max_depth = 2;
    limits.max_nodes = 6;
    static const char *const within[] = {"\"abcd\"", "[[1]]", "[1,2,3,4,5]"};
    static const char *const beyond[] = {"\"abcde\"", "[[[1]]]", "[1,2,3,4,5,6]", "[12345]"};
    fixture f;
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++) {
        read_bytes(&f, within[i], strlen(within[i]), &limits);
        assert_int_equal(f.st, GP_OK);
        done(&f);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        read_bytes(&f, beyond[i], strlen(beyond[i]), &limits);
        assert_int_equal(f.st, GP_ERR_LIMIT);
        assert_string_equal(f.diags.items[0].id, "GP1005");
        assert_null(f.root);
        done(&f);
    }
    size_t len = 4u << 20;
    char *deep = malloc(len + 1);
    assert_non_null(deep);
    memset(deep, '[', len);
    deep[len] = '\0';
    read_bytes(&f, deep, len, &default_limits);
    assert_int_equal(f.st, GP_ERR_LIMIT);
    done(&f);
    free(deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_built),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
