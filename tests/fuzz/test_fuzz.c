/*
 * The targets of fuzz.c on what they start from, and on mutations of it by a seed: a short run with
 * any compiler. make fuzz runs them at length with libFuzzer; what it finds is put beside the seeds
 * as TARGET-NAME and is run here from then on.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/fuzz.h"
#include "simulate/random.h"

enum { LINE_MAX_BYTES = 4096, INPUT_MAX_BYTES = 1 << 18, MUTATED_MAX_BYTES = 1 << 14, EDITS = 6 };

typedef struct input {
    size_t len;
    uint8_t bytes[INPUT_MAX_BYTES + 64];
} input;

static input whole, mutated;

static int rounds(void) {
    const char *asked = getenv("GPUPLAN_FUZZ_ROUNDS");
    return asked != NULL ? atoi(asked) : 6;
}

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    whole.len = fread(whole.bytes, 1, INPUT_MAX_BYTES, file);
    (void)fclose(file);
}

/* Takes `cut` bytes at `at` out and puts a word of trouble in. */
static void splice(input *it, size_t at, size_t cut, const void *word, size_t len) {
    cut = cut > it->len - at ? it->len - at : cut;
    if (it->len - cut + len > INPUT_MAX_BYTES)
        return;
    memmove(it->bytes + at + len, it->bytes + at + cut, it->len - at - cut);
    memcpy(it->bytes + at, word, len);
    it->len += len - cut;
}

static void edit(gp_random *random, input *it) {
    static const char *const words[] = {
        "",     "0",     "-1", "1e308", "nan", "9223372036854775807",
        "null", "[]",    "{",  "\"",    ":",   "\xff",
        "..",   "1e-99", "\n", "- ",    ",,",  "%"};
    enum { WORDS = sizeof words / sizeof words[0] };
    const size_t at = (size_t)gp_random_below(random, (int64_t)it->len + 1);
    const char *word = words[gp_random_below(random, WORDS)];
    const size_t cut = (size_t)gp_random_below(random, 12);
    if (gp_random_below(random, 4) == 0 && it->len > 0)
        splice(it, at, 0, whole.bytes, (size_t)gp_random_below(random, (int64_t)whole.len / 2 + 1));
    else
        splice(it, at, cut, word, strlen(word));
}

static void run_mutated(const char *name, gp_random *random) {
    if (whole.len > MUTATED_MAX_BYTES)
        return;
    for (int i = 0; i < rounds(); i++) {
        memcpy(mutated.bytes, whole.bytes, whole.len);
        mutated.len = whole.len;
        for (int64_t k = 1 + gp_random_below(random, EDITS); k > 0; k--)
            edit(random, &mutated);
        assert_true(fuzz_run(name, mutated.bytes, mutated.len));
    }
}

static size_t run_pattern(const char *name, const char *pattern, gp_random *random) {
    glob_t found;
    const int missing = glob(pattern, 0, NULL, &found);
    const size_t count = missing != 0 ? 0 : found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        load(found.gl_pathv[i]);
        assert_true(fuzz_run(name, whole.bytes, whole.len));
        run_mutated(name, random);
    }
    if (missing == 0)
        globfree(&found);
    return count;
}

/* A line of tests/fuzz/targets: a name and the patterns of what it starts from. */
static void run_target(char *line, gp_random *random) {
    char found[LINE_MAX_BYTES];
    char *name = strtok(line, " \n");
    size_t count = 0;
    for (char *pattern = strtok(NULL, " \n"); pattern != NULL; pattern = strtok(NULL, " \n"))
        count += run_pattern(name, pattern, random);
    if (count == 0)
        fail_msg("%s starts from nothing", name);
    (void)snprintf(found, sizeof found, "tests/fuzz/found/%s-*", name);
    (void)run_pattern(name, found, random);
}

static void test_targets(void **state) {
    char line[LINE_MAX_BYTES];
    gp_random random;
    (void)state;
    FILE *file = fopen("tests/fuzz/targets", "r");
    assert_non_null(file);
    gp_random_init(&random, 1, 0);
    while (fgets(line, sizeof line, file) != NULL)
        run_target(line, &random);
    (void)fclose(file);
    assert_false(fuzz_run("none", whole.bytes, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_targets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
