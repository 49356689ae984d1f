/* Capped buffers, the stable sort, the index, SHA-256 and the string helpers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/day.h"
#include "base/index.h"
#include "base/sha256.h"
#include "base/sort.h"
#include "base/str.h"

static void text_is_put_together(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_buf buf;
    const char *text = NULL;
    size_t len = 0;
    gp_buf_init(&buf, arena, 1000);
    assert_int_equal(gp_buf_finish(&buf, &text, &len), GP_OK);
    assert_string_equal(text, "");
    gp_buf_str(&buf, "a=");
    gp_buf_i64(&buf, INT64_MIN);
    gp_buf_char(&buf, ' ');
    gp_buf_number(&buf, 0.1, 0);
    gp_buf_printf(&buf, " %s %d ", "b", 5);
    gp_buf_fixed(&buf, 2.0, 2);
    gp_buf_repeat(&buf, '-', 3);
    gp_buf_repeat(&buf, '-', -3);
    assert_int_equal(gp_buf_finish(&buf, &text, &len), GP_OK);
    assert_string_equal(text, "a=-9223372036854775808 0.1 b 5 2.00---");
    assert_int_equal(len, strlen(text));
    gp_buf_truncate(&buf, 2);
    gp_buf_truncate(&buf, 100);
    gp_buf_finish(&buf, &text, NULL);
    assert_string_equal(text, "a=");
    gp_arena_free(arena);
}

static void the_maximum_latches(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, 10);
    gp_buf_str(&buf, "0123456789");
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_OK);
    assert_string_equal(text, "0123456789");
    gp_buf_char(&buf, 'x');
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_ERR_LIMIT);
    gp_buf_truncate(&buf, 0);
    gp_buf_str(&buf, "a");
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_ERR_LIMIT);
    gp_arena_free(arena);
}

typedef struct pair {
    int key, order;
} pair;

static int compare_pairs(const void *a, const void *b, const void *context) {
    int sign = *(const int *)context;
    return sign * (((const pair *)a)->key - ((const pair *)b)->key);
}

static void the_sort_is_stable(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    pair items[300];
    for (size_t count = 0; count <= 300; count++) {
        unsigned seed = (unsigned)count;
        int sign = count % 2 ? 1 : -1;
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1103515245u + 12345u;
            items[i] = (pair){.key = (int)(seed >> 16) % 10, .order = (int)i};
        }
        size_t used = gp_arena_used(arena);
        gp_sort(arena, items, count, sizeof items[0], compare_pairs, &sign);
        assert_int_equal(gp_arena_used(arena), used);
        for (size_t i = 1; i < count; i++) {
            int order = sign * (items[i].key - items[i - 1].key);
            assert_true(order > 0 || (order == 0 && items[i].order > items[i - 1].order));
        }
    }
    gp_arena_free(arena);
}

static void words_are_indexed(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 22);
    gp_index index;
    bool added = false;
    size_t value = 0;
    gp_index_init(&index, arena);
    assert_false(gp_index_find(&index, "a", 1, &value));
    for (int i = 0; i < 2000; i++) {
        char *key = gp_arena_printf(arena, "key-%d", i);
        gp_index_add(&index, key, strlen(key), (size_t)i, &added, &value);
        assert_true(added);
    }
    for (int i = 0; i < 2000; i++) {
        char *key = gp_arena_printf(arena, "key-%d", i);
        assert_true(gp_index_find(&index, key, strlen(key), &value));
        assert_int_equal(value, i);
    }
    gp_index_add(&index, "key-7", 5, 99, &added, &value);
    assert_false(added);
    assert_int_equal(value, 7);
    gp_index_set(&index, "key-7", 5, 99);
    assert_true(gp_index_find(&index, "key-7", 5, &value));
    assert_int_equal(value, 99);
    assert_false(gp_index_find(&index, "key-", 4, &value));
    gp_arena_free(arena);
}

static void digests_are_those_of_the_standard(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
         "mnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char hex[GP_SHA256_HEX];
        gp_sha256_hex(cases[i].text, strlen(cases[i].text), hex);
        assert_string_equal(hex, cases[i].hex);
    }
    gp_sha256 hash;
    gp_sha256_init(&hash);
    char hex[GP_SHA256_HEX];
    for (int i = 0; i < 1000000; i++) {
        gp_sha256_add(&hash, "a", 1);
    }
    gp_sha256_finish(&hash, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void the_nearest_word_is_found(void **state) {
    (void)state;
    static const char *const words[] = {"tokens",   "samples", "epochs", "maxPower", "gpus",
                                        "h200-sxm", "b200",    "tp",     "pp",       NULL};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"tokenz", "tokens"},
        {"tokn", "tokens"},
        {"tonkes", "tokens"},
        {"max_power", "maxPower"},
        {"MAXPOWER", "maxPower"},
        {"max-power", "maxPower"},
        {"GPUs", "gpus"},
        {"GPU", "gpus"},
        {"gpu", "gpus"},
        {"h200", "h200-sxm"},
        {"H200-", "h200-sxm"},
        {"tq", "tp"},
        {"zzz", NULL},
        {"", NULL},
        {"x", NULL},
        {"completelyDifferent", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = gp_str_nearest_of(cases[i].word, strlen(cases[i].word), words);
        if (cases[i].nearest) {
            assert_non_null(near);
            assert_string_equal(near, cases[i].nearest);
        } else {
            assert_null(near);
        }
    }
    char longest[500];
    memset(longest, 't', sizeof longest);
    assert_null(gp_str_nearest_of(longest, sizeof longest, words));
}

static void strings_are_compared(void **state) {
    (void)state;
    assert_true(gp_str_equal(NULL, NULL));
    assert_false(gp_str_equal(NULL, ""));
    assert_true(gp_str_equal("a", "a"));
    assert_true(gp_str_is("abc", 2, "ab"));
    assert_false(gp_str_is("abc", 3, "ab"));
    assert_true(gp_str_starts("cloud:azure", "cloud:"));
    assert_true(gp_str_ends("a.plan.yaml", ".plan.yaml"));
    assert_false(gp_str_ends("yaml", ".plan.yaml"));
    assert_true(gp_str_equal_nocase("H200", "h200"));
    assert_false(gp_str_equal_nocase("H200", "h20"));
    assert_true(gp_str_compare(NULL, "a") < 0);
    assert_true(gp_str_compare("b", "a") > 0);
    assert_true(gp_str_compare(NULL, NULL) == 0);
}

static void utf8_is_decoded_and_checked(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t len; /* of the first code point, 0: bad */
        uint32_t code;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xc3\xa9", 2, 0xe9},
        {"\xe4\xb8\xad", 3, 0x4e2d},
        {"\xf0\x9f\x98\x80", 4, 0x1f600},
        {"\xc0\x80", 0, 0},         /* overlong */
        {"\xe0\x80\x80", 0, 0},     /* overlong */
        {"\xed\xa0\x80", 0, 0},     /* surrogate */
        {"\xf4\x90\x80\x80", 0, 0}, /* beyond the last */
        {"\x80", 0, 0},             /* continuation first */
        {"\xe4\xb8", 0, 0},         /* cut off */
        {"\xff", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t code = 0;
        size_t all = strlen(cases[i].bytes);
        size_t len = gp_utf8_decode(cases[i].bytes, all, &code);
        assert_int_equal(len, cases[i].len);
        if (len) {
            char back[4];
            assert_int_equal(code, cases[i].code);
            assert_int_equal(gp_utf8_encode(code, back), len);
            assert_memory_equal(back, cases[i].bytes, len);
        }
    }
    char out[4];
    assert_int_equal(gp_utf8_encode(0xd800, out), 0);
    assert_int_equal(gp_utf8_encode(0x110000, out), 0);
    assert_int_equal(gp_utf8_count("a\xc3\xa9\xff", 4), 3);
    assert_int_equal(gp_utf8_width("a\xe4\xb8\xad", 4), 3);
    assert_int_equal(gp_utf8_width("e\xcc\x81", 3), 1);
    assert_int_equal(gp_utf8_fit("\xe4\xb8\xad\xe4\xb8\xad", 6, 3), 3);
    assert_int_equal(gp_utf8_fit("abc", 3, 10), 3);
}

static void shell_words_are_quoted(void **state) {
    (void)state;
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"plans/a.plan.yaml", "plans/a.plan.yaml"},
        {"", "''"},
        {"my plan.yaml", "'my plan.yaml'"},
        {"it's $HOME", "'it'\\''s $HOME'"},
        {"a\nb\033[31m", "$'a\\012b\\033[31m'"},
        {"\xc2\x9b'\\", "$'\\302\\233\\'\\\\'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
        {"\xc2", "'\xc2'"},
    };
    gp_arena *arena = gp_arena_new(1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_buf buf;
        const char *text = NULL;
        gp_buf_init(&buf, arena, 100);
        gp_buf_shell(&buf, cases[i].text);
        assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_OK);
        assert_string_equal(text, cases[i].word);
    }
    assert_int_equal(gp_utf8_control("\x7f"), 1);
    assert_int_equal(gp_utf8_control(""), 0);
    gp_arena_free(arena);
}

static void words_are_found_in_any_case(void **state) {
    static const char *const words[] = {"one", "two", NULL};
    const char *text = "NVIDIA H100";
    (void)state;
    assert_ptr_equal(gp_str_find_nocase(text, "h100"), text + 7);
    assert_null(gp_str_find_nocase(text, "h1000"));
    assert_null(gp_str_find_nocase(NULL, "h100"));
    assert_int_equal(gp_str_index(words, "two"), 1);
    assert_int_equal(gp_str_index(words, "Two"), -1);
}

static void days_are_counted(void **state) {
    (void)state;
    assert_int_equal(gp_days_of(1970, 1, 1), 0);
    assert_int_equal(gp_days_of(2000, 2, 29), 11016);
    assert_int_equal(gp_days_of(2000, 3, 1), 11017);
    assert_int_equal(gp_days_of(2026, 5, 30), 20603);
    assert_int_equal(gp_days_of(2100, 3, 1), 47541); /* no leap year */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_put_together),
        cmocka_unit_test(the_maximum_latches),
        cmocka_unit_test(the_sort_is_stable),
        cmocka_unit_test(words_are_indexed),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(the_nearest_word_is_found),
        cmocka_unit_test(strings_are_compared),
        cmocka_unit_test(words_are_found_in_any_case),
        cmocka_unit_test(days_are_counted),
        cmocka_unit_test(utf8_is_decoded_and_checked),
        cmocka_unit_test(shell_words_are_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
