/* YAML texts as trees: places, limits, and one case per kind of mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "source/yaml_tree.h"

static const gp_source_limits default_limits = GP_SOURCE_LIMITS_INIT;

typedef struct fixture {
    gp_arena *arena;
    gp_diags diags;
    gp_yaml_docs docs;
    gp_status st;
} fixture;

static void read_bytes(fixture *f, const char *data, size_t len, const gp_source_limits *limits) {
    gp_text *text = NULL;
    f->arena = gp_arena_new((size_t)1 << 28);
    gp_diags_init(&f->diags, f->arena);
    assert_int_equal(gp_text_init(f->arena, "t.yaml", data, len, &text), GP_OK);
    f->st = gp_yaml_read(f->arena, text, limits, &f->diags, &f->docs);
}

static void read_text(fixture *f, const char *data) {
    read_bytes(f, data, strlen(data), &default_limits);
}

static const gp_node *good(fixture *f, const char *data) {
    read_text(f, data);
    if (f->st) {
        fail_msg("%s", f->diags.items[0].message);
    }
    assert_true(f->docs.count >= 1);
    return f->docs.roots[0];
}

static void done(fixture *f) {
    gp_arena_free(f->arena);
}

/* The bytes that a span covers, as text. */
static const char *covered(fixture *f, gp_span span) {
    assert_non_null(span.text);
    assert_true(span.begin <= span.end && span.end <= span.text->len);
    return gp_arena_strndup(f->arena, span.text->data + span.begin, span.end - span.begin);
}

static void trees_are_built(void **state) {
    (void)state;
    fixture f;
    const gp_node *root = good(&f, "kind: Plan\n"
                                   "spec:\n"
                                   "  pools:\n"
                                   "    - {name: 'a', count: 16}\n"
                                   "    - name: \"b\"\n"
                                   "  text: |\n"
                                   "    one\n"
                                   "    two\n"
                                   "  nothing:\n"
                                   "last: ~\n");
    assert_int_equal(root->kind, GP_NODE_MAP);
    assert_int_equal(root->count, 3);
    assert_true(gp_node_is(gp_node_get(root, "kind"), "Plan"));
    const gp_node *spec = gp_node_get(root, "spec");
    const gp_node *pools = gp_node_get(spec, "pools");
    assert_int_equal(pools->kind, GP_NODE_SEQ);
    assert_int_equal(pools->count, 2);
    const gp_node *name = gp_node_get(pools->items[0], "name");
    assert_string_equal(name->text, "a");
    assert_int_equal(name->style, GP_STYLE_QUOTED);
    assert_int_equal(gp_node_get(pools->items[0], "count")->style, GP_STYLE_PLAIN);
    assert_string_equal(gp_node_get(spec, "text")->text, "one\ntwo\n");
    assert_int_equal(gp_node_get(spec, "text")->style, GP_STYLE_BLOCK);
    assert_true(gp_node_is_null(gp_node_get(spec, "nothing")));
    assert_true(gp_node_is_null(gp_node_get(root, "last")));
    assert_false(gp_node_is_null(gp_node_get(root, "kind")));
    assert_null(gp_node_get(root, "absent"));
    assert_null(gp_node_get(NULL, "absent"));
    assert_null(gp_node_get(pools, "absent"));
    assert_false(gp_node_is(NULL, "a"));
    assert_string_equal(gp_node_kind_name(GP_NODE_SEQ), "list");
    assert_int_equal(root->height, 5);
    done(&f);
}

static void places_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *data, *value; /* what the span of the value under "k" covers */
        uint32_t line, column;
    } cases[] = {
        {"k: 80 GiB   # note\n", "80 GiB", 1, 4},
        {"a: 1\nk: 'it''s'\n", "'it''s'", 2, 4},
        {"\xc3\xa9\xe4\xb8\xad: \xc3\xa9\nk: \xe4\xb8\xad x\n", "\xe4\xb8\xad x", 2, 4},
        {"a: \xf0\x9f\x98\x80\xf0\x9f\x98\x80 # \xc3\xa9\n# \xc3\xa9\nk: 5", "5", 3, 4},
        {"\xef\xbb\xbfk: 5\n", "5", 1, 4},
        {"a: 1\r\nk: 5\r\n", "5", 2, 4},
        {"a: 1\rk: 5\r", "5", 2, 4},
        {"k: [1, 2]  \n", "[1, 2]", 1, 4},
        {"k: {a: 1,\n    b: 2}\n\n", "{a: 1,\n    b: 2}", 1, 4},
        {"k:\n  - 1\n  - 2   # x\n\n\nz: 1\n", "- 1\n  - 2", 2, 3},
        {"k:\n  a: 1\n  b: two\n\n# x\nz: 1\n", "a: 1\n  b: two", 2, 3},
        {"k: |\n  one\n  two\n\nz: 1\n", "|\n  one\n  two", 1, 4},
        {"k: &anchor 80 GiB\n", "80 GiB", 1, 12},
        {"k: !!str 80\n", "80", 1, 10},
        {"k: \"a\\n\\u00e9\"\n", "\"a\\n\\u00e9\"", 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        const gp_node *value = gp_node_get(good(&f, cases[i].data), "k");
        assert_non_null(value);
        assert_string_equal(covered(&f, value->span), cases[i].value);
        gp_place place = gp_span_place(value->span);
        assert_int_equal(place.line, cases[i].line);
        assert_int_equal(place.column, cases[i].column);
        done(&f);
    }
}

/* Every scalar's place, in a text with characters of all lengths beyond many checkpoints. */
static void places_hold_far_into_a_text(void **state) {
    (void)state;
    static char data[200000];
    size_t len = 0;
    for (int i = 0; i < 3000; i++) {
        len += (size_t)snprintf(data + len, sizeof data - len,
                                "key%d: v\xc3\xa9%d # \xf0\x9f\x98\x80\xe4\xb8\xad\n", i, i);
    }
    fixture f;
    const gp_node *root = good(&f, data);
    assert_int_equal(root->count, 3000);
    for (size_t i = 0; i < root->count; i++) {
        assert_string_equal(covered(&f, root->entries[i].value->span),
                            root->entries[i].value->text);
        assert_string_equal(covered(&f, root->entries[i].key->span), root->entries[i].key->text);
        assert_int_equal(gp_span_place(root->entries[i].value->span).line, i + 1);
    }
    done(&f);
}

static void several_documents_are_read(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\n- c\n");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.docs.count, 3);
    assert_int_equal(gp_span_place(f.docs.roots[2]->span).line, 9);
    done(&f);
}

static void aliases_are_written_out(void **state) {
    (void)state;
    fixture f;
    const gp_node *root = good(&f, "a: &x {n: 1, m: [1, 2]}\nb: *x\nc: [*x, *x]\n");
    const gp_node *a = gp_node_get(root, "a");
    const gp_node *b = gp_node_get(root, "b");
    assert_true(gp_node_is(gp_node_get(b, "n"), "1"));
    assert_string_equal(covered(&f, b->used_at), "*x");
    assert_null(a->used_at.text);
    assert_int_equal(b->span.begin, a->span.begin);
    assert_int_equal(a->node_count, 7);
    assert_int_equal(gp_node_get(root, "c")->node_count, 15);
    assert_int_equal(root->node_count, 1 + 3 + 7 + 7 + 15);
    assert_string_equal(covered(&f, root->span) + root->span.end - root->span.begin - 8,
                        "[*x, *x]");
    done(&f);
    root = good(&f, "a: &x 1\nb: &x 2\nc: *x\n");
    assert_true(gp_node_is(gp_node_get(root, "c"), "2"));
    done(&f);
}

static void mistakes_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *data, *id;
        uint32_t line, column;
        const char *message;   /* part of it */
        uint32_t related_line; /* 0: none */
    } cases[] = {
        {"", "GP1007", 1, 1, "empty", 0},
        {"# only a comment\n", "GP1007", 1, 1, "empty", 0},
        {"---\n---\n", "GP1007", 1, 1, "empty", 0},
        {"\xef\xbb\xbf", "GP1007", 1, 1, "empty", 0},
        {"a: [1, 2\nb: 3\n", "GP1001", 2, 2, "expected ',' or ']'", 1},
        {"a: {b: 1\n", "GP1001", 1, 9, "expected ',' or '}'", 1},
        {"a: 'open\nb: 1\n", "GP1001", 2, 5, "unexpected end of stream", 1},
        {"a: b: c\n", "GP1001", 1, 5, "mapping values are not allowed", 0},
        {"a:\n\tb: 1\n", "GP1001", 2, 1, "cannot start any token", 0},
        {"a: @x\n", "GP1001", 1, 4, "cannot start any token", 0},
        {"a:\n  b: 1\n c: 2\n", "GP1001", 3, 2, "did not find expected key", 1},
        {"a: *nowhere\n", "GP1001", 1, 4, "no anchor", 0},
        {"a: &x [1, *x]\n", "GP1001", 1, 11, "inside its own anchor", 0},
        {"a: 1\nb: 2\na: 3\n", "GP1002", 3, 1, "duplicate key \"a\"", 1},
        {"a: 1\n\"a\": 3\n", "GP1002", 2, 1, "duplicate key \"a\"", 1},
        {"b: &x {c: 1}\na:\n  <<: *x\n", "GP1008", 3, 3, "merge keys", 0},
        {"[a, b]: 1\n", "GP1008", 1, 1, "a list cannot be a key", 0},
        {"? {a: 1}\n: 2\n", "GP1008", 1, 3, "a map cannot be a key", 0},
        {"a: !vault x\n", "GP1008", 1, 4, "tags are not supported: !vault", 0},
        {"a: !!int 5\n", "GP1008", 1, 4, "tags are not supported", 0},
        {"a: !!set {b}\n", "GP1008", 1, 4, "tags are not supported", 0},
        {"a: \xff\n", "GP1006", 1, 4, "byte 0xff at offset 3", 0},
        {"a: 1\nb\xc3: 2\n", "GP1006", 2, 2, "byte 0xc3", 0},
        {"a: \x01\n", "GP1006", 1, 4, "byte 0x01", 0},
        {"a: \xef\xbf\xbf\n", "GP1001", 1, 4, "control characters", 0},
        {"\xff\xfe"
         "a",
         "GP1006", 1, 1, "byte 0xff", 0},
        {"%FOO bar\n---\na: 1\n", "GP1001", 1, 5, "unknown directive", 1},
        {"%YAML 1.9\n%YAML 1.9\n---\na: 1\n", "GP1001", 1, 1, "incompatible", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        read_text(&f, cases[i].data);
        assert_int_equal(f.st, GP_ERR_INPUT);
        assert_int_equal(f.diags.count, 1);
        const gp_diag *diag = &f.diags.items[0];
        gp_place place = gp_span_place(diag->span);
        if (strcmp(diag->id, cases[i].id) != 0 || place.line != cases[i].line ||
            (place.column != cases[i].column) || !strstr(diag->message, cases[i].message)) {
            fail_msg("case %zu: %u:%u %s %s", i, place.line, place.column, diag->id, diag->message);
        }
        assert_int_equal(diag->related.text ? gp_span_place(diag->related).line : 0,
                         cases[i].related_line);
        const char *out = NULL;
        assert_int_equal(gp_diag_format(f.arena, diag, &out), GP_OK);
        done(&f);
    }
}

static void a_nul_is_binary(void **state) {
    (void)state;
    fixture f;
    read_bytes(&f, "a: 1\0b", 6, &default_limits);
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_string_equal(f.diags.items[0].id, "GP1006");
    assert_int_equal(f.diags.items[0].span.begin, 4);
    assert_int_equal(f.docs.count, 0);
    done(&f);
}

static void the_rest_of_a_faulty_tree_stays(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "a: 1\na: 2\n? [x]\n: {y: 1}\n<<: *no\nb: !t {c: 3}\nd: *no\n");
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_int_equal(f.diags.count, 6);
    const gp_node *root = f.docs.roots[0];
    assert_int_equal(root->count, 3);
    assert_true(gp_node_is(gp_node_get(root, "a"), "1"));
    assert_true(gp_node_is(gp_node_get(gp_node_get(root, "b"), "c"), "3"));
    assert_true(gp_node_is_null(gp_node_get(root, "d")));
    done(&f);
}

static void a_syntax_error_ends_its_document_only(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "\xc3\xa9: 1\n---\nb: [1\n---\nc: 3\n---\n@\n---\nd: \xc3\xa9\n");
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_int_equal(f.diags.count, 2);
    assert_int_equal(f.docs.count, 3);
    assert_true(gp_node_is(gp_node_get(f.docs.roots[1], "c"), "3"));
    const gp_node *last = gp_node_get(f.docs.roots[2], "d");
    assert_string_equal(covered(&f, last->span), "\xc3\xa9");
    assert_int_equal(gp_span_place(last->span).line, 9);
    assert_int_equal(gp_span_place(f.diags.items[1].span).line, 7);
    done(&f);
}

static void many_keys_are_checked(void **state) {
    (void)state;
    static char data[2000000];
    size_t len = 0;
    for (int i = 0; i < 90000; i++) {
        len += (size_t)snprintf(data + len, sizeof data - len, "key%d: 1\n", i);
    }
    snprintf(data + len, sizeof data - len, "key77777: 2\n");
    fixture f;
    clock_t begin = clock();
    read_text(&f, data);
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_int_equal(f.diags.count, 1);
    assert_int_equal(gp_span_place(f.diags.items[0].related).line, 77778);
    assert_int_equal(f.docs.roots[0]->count, 90000);
    assert_true(clock() - begin < 20 * CLOCKS_PER_SEC);
    done(&f);
}

/* What each limit says, at the limit and one beyond. */
static void limits_hold(void **state) {
    (void)state;
    static const struct {
        gp_source_limits limits;
        const char *within, *beyond;
    } cases[] = {
        {{.max_bytes = 5}, "a: 12", "a: 123"},
        {{.max_depth = 3}, "[[[a]]]", "[[[[a]]]]"},
        {{.max_depth = 3}, "a: &x [1]\nb: [*x]", "a: &x [1]\nb: [[*x]]"},
        {{.max_nodes = 4}, "[1, 2, 3]", "[1, 2, 3, 4]"},
        {{.max_expanded_nodes = 8}, "[&x [1, 2], *x, 1]", "[&x [1, 2], *x, 1, 1]"},
        {{.max_scalar_bytes = 4}, "abcd", "abcde"},
        {{.max_documents = 2}, "--- a\n--- b", "--- a\n--- b\n--- c"},
        {{.max_documents = 2}, "--- a\n--- b", "%A\n--- a\n--- @\n--- a\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_source_limits limits = default_limits;
        const gp_source_limits *given = &cases[i].limits;
        limits.max_bytes = given->max_bytes ? given->max_bytes : limits.max_bytes;
        limits.max_depth = given->max_depth ? given->max_depth : limits.max_depth;
        limits.max_nodes = given->max_nodes ? given->max_nodes : limits.max_nodes;
        limits.max_expanded_nodes =
            given->max_expanded_nodes ? given->max_expanded_nodes : limits.max_expanded_nodes;
        limits.max_scalar_bytes =
            given->max_scalar_bytes ? given->max_scalar_bytes : limits.max_scalar_bytes;
        limits.max_documents = given->max_documents ? given->max_documents : limits.max_documents;
        fixture f;
        read_bytes(&f, cases[i].within, strlen(cases[i].within), &limits);
        assert_int_equal(f.st, GP_OK);
        done(&f);
        read_bytes(&f, cases[i].beyond, strlen(cases[i].beyond), &limits);
        assert_int_equal(f.st, GP_ERR_LIMIT);
        assert_string_equal(f.diags.items[f.diags.count - 1].id, "GP1005");
        done(&f);
    }
}

static void hostile_texts_end_quickly(void **state) {
    (void)state;
    static const struct {
        const char *piece;
        size_t len;
    } cases[] = {
        {"[", 10u << 20},      {"[", 4u << 20},
        {"- ", 4u << 20},      {"{a: ", 4u << 20},
        {"? ", 4u << 20},      {"a: &a [", 4u << 20},
        {"--- @\n", 4u << 20}, {"\"", 4u << 20},
        {"a: b: ", 4u << 20},  {"!!", 4u << 20},
        {"&x ", 4u << 20},     {"x", 4u << 20},
        {"#", 4u << 20},       {"\n", 4u << 20},
        {"%A\n", 4u << 20},    {"- [&a 1,*a]\n", 4u << 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len = strlen(cases[i].piece);
        char *data = malloc(cases[i].len + 1);
        assert_non_null(data);
        for (size_t at = 0; at < cases[i].len; at++) {
            data[at] = cases[i].piece[at % len];
        }
        data[cases[i].len] = '\0';
        fixture f;
        clock_t begin = clock();
        read_bytes(&f, data, cases[i].len, &default_limits);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        if (seconds > 30 || !f.st) {
            fail_msg("%s took %.1f s, status %d", cases[i].piece, seconds, (int)f.st);
        }
        done(&f);
        free(data);
    }
}

static void an_alias_bomb_is_refused(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                  "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                  "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n");
    assert_int_equal(f.st, GP_ERR_LIMIT);
    assert_string_equal(f.diags.items[0].id, "GP1005");
    done(&f);
}

static gp_status read_in(void *context) {
    static const char data[] = "a: [1, 2, {b: c}]\nd: \xc3\xa9\na: 1\n---\nx: &x [1]\ny: *x\n";
    gp_arena *arena = context;
    gp_diags diags;
    gp_text *text = NULL;
    gp_yaml_docs docs;
    gp_diags_init(&diags, arena);
    gp_status st = gp_text_init(arena, "t", data, sizeof data - 1, &text);
    return st == GP_OK ? gp_yaml_read(arena, text, &default_limits, &diags, &docs) : st;
}

/* libyaml's own memory is given back, too, whatever is left by the door. */
static void short_memory_is_an_error(void **state) {
    (void)state;
    for (size_t cap = 1000; cap < 200000; cap += 100) {
        gp_arena *arena = gp_arena_new(cap);
        const gp_status st = gp_arena_guard(arena, read_in, arena);
        assert_true(st == GP_ERR_NO_MEMORY || st == GP_ERR_INPUT);
        gp_arena_free(arena);
        if (st == GP_ERR_INPUT) {
            return;
        }
    }
    fail_msg("never enough memory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_built),
        cmocka_unit_test(places_are_exact),
        cmocka_unit_test(places_hold_far_into_a_text),
        cmocka_unit_test(several_documents_are_read),
        cmocka_unit_test(aliases_are_written_out),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(a_nul_is_binary),
        cmocka_unit_test(the_rest_of_a_faulty_tree_stays),
        cmocka_unit_test(a_syntax_error_ends_its_document_only),
        cmocka_unit_test(many_keys_are_checked),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(hostile_texts_end_quickly),
        cmocka_unit_test(an_alias_bomb_is_refused),
        cmocka_unit_test(short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
