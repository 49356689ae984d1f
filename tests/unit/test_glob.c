/* Patterns of paths and names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/glob.h"

typedef struct glob_case {
    const char *pattern, *text;
    bool matches;
} glob_case;

static const glob_case cases[] = {
    {"", "", true},
    {"", "a", false},
    {"a", "a", true},
    {"a", "b", false},
    {"a?c", "abc", true},
    {"a?c", "a/c", false},
    {"*", "", true},
    {"*", "abc", true},
    {"*", "a/b", false},
    {"*.yaml", "plan.yaml", true},
    {"*.yaml", "dev/plan.yaml", false},
    {"dev/*", "dev/plan.yaml", true},
    {"dev/*", "dev/a/plan.yaml", false},
    {"**", "", true},
    {"**", "a/b/c", true},
    {"dev/**", "dev/a/b.yaml", true},
    {"dev/**", "prod/a/b.yaml", false},
    {"**/plan.yaml", "plan.yaml", true},
    {"**/plan.yaml", "a/b/plan.yaml", true},
    {"**/plan.yaml", "a/myplan.yaml", false},
    {"a/**/z", "a/z", true},
    {"a/**/z", "a/b/c/z", true},
    {"a/**/z", "a/b/c/y", false},
    {"a/**/b*/z", "a/x/bb/z", true},
    {"a/**/b*/z", "a/b1/y/b2/z", true},
    {"a**c", "a/b/c", true},
    {"*a*b*", "xxaxxbxx", true},
    {"*a*b*", "xxbxxaxx", false},
    {"sft-*", "sft-weekly", true},
    {"\303\274*", "\303\274ber", true},
};

static void table_holds(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (gp_glob_match(cases[i].pattern, cases[i].text) != cases[i].matches)
            fail_msg("%s against %s", cases[i].pattern, cases[i].text);
}

/* Stars that almost match must not take forever. */
static void hostile_patterns_end(void **state) {
    (void)state;
    enum { LENGTH = 2000 };
    char text[LENGTH + 1];
    memset(text, 'a', LENGTH);
    text[LENGTH] = '\0';
    assert_false(gp_glob_match("*a*a*a*a*a*a*a*a*a*b", text));
    assert_false(gp_glob_match("**a**a**a**a**a**a**b", text));
    assert_true(gp_glob_match("**a**a**a**a**a**a**a", text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_holds),
        cmocka_unit_test(hostile_patterns_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
