/*
 * String helpers. The nearest word is found by the optimal string alignment distance, in quarter
 * edits, over words of at most 64 bytes: longer ones are nobody's typing error.
 */
#include "base/str.h"

#include <string.h>

enum { NEAR_MAX = 64, EDIT_COST = 4, COMPLETION_COST = 3, JOINT_COST = 2, CASE_COST = 1 };

bool gp_str_equal(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool gp_str_is(const char *text, size_t len, const char *word) {
    return len > 0 ? text[0] == word[0] && strlen(word) == len && memcmp(text, word, len) == 0
                   : word[0] == '\0';
}

bool gp_str_starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool gp_str_ends(const char *text, const char *suffix) {
    size_t len = strlen(text);
    size_t tail = strlen(suffix);
    return tail <= len && memcmp(text + len - tail, suffix, tail) == 0;
}

const char *gp_str_last_key(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool gp_str_equal_nocase(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

bool gp_str_starts_nocase(const char *text, const char *prefix) {
    while (*prefix && lower(*text) == lower(*prefix)) {
        text++;
        prefix++;
    }
    return *prefix == '\0';
}

const char *gp_str_find_nocase(const char *text, const char *word) {
    for (; text && *text; text++)
        if (gp_str_starts_nocase(text, word))
            return text;
    return NULL;
}

const void *gp_item_named(const void *items, const char *const *name, size_t count, size_t size,
                          const char *word) {
    const size_t offset = (size_t)((const char *)name - (const char *)items);
    for (const char *item = items; count > 0; count--, item += size)
        if (gp_str_equal(*(const char *const *)(const void *)(item + offset), word))
            return item;
    return NULL;
}

const char *gp_wording_of(const gp_wording *rows, size_t count, const char *word,
                          const char *otherwise) {
    const gp_wording *row = GP_NAMED_OF(rows, count, word, word);
    return row != NULL ? row->text : otherwise;
}

int gp_str_index(const char *const *words, const char *text) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    return -1;
}

int gp_str_compare(const char *a, const char *b) {
    if (!a || !b)
        return (a ? 1 : 0) - (b ? 1 : 0);
    return strcmp(a, b);
}

static bool is_joint(char c) {
    return c == '-' || c == '_' || c == ' ';
}

static int exchange_cost(char a, char b) {
    if (a == b)
        return 0;
    return lower(a) == lower(b) || (is_joint(a) && is_joint(b)) ? CASE_COST : EDIT_COST;
}

static int gap_cost(char c) {
    return is_joint(c) ? JOINT_COST : EDIT_COST;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* rows[i % 3][j]: cost of turning the first i bytes of `a` into the first j of `b`. */
static int alignment(const char *a, size_t a_len, const char *b, size_t b_len) {
    int rows[3][NEAR_MAX + 1];
    rows[0][0] = 0;
    for (size_t j = 1; j <= b_len; j++)
        rows[0][j] = rows[0][j - 1] + gap_cost(b[j - 1]);
    for (size_t i = 1; i <= a_len; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i - 1) % 3];
        row[0] = above[0] + gap_cost(a[i - 1]);
        for (size_t j = 1; j <= b_len; j++) {
            int cost = above[j - 1] + exchange_cost(a[i - 1], b[j - 1]);
            cost = least(cost, above[j] + gap_cost(a[i - 1]));
            cost = least(cost, row[j - 1] + gap_cost(b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = least(cost, rows[(i - 2) % 3][j - 2] + EDIT_COST);
            row[j] = cost;
        }
    }
    return rows[a_len % 3][b_len];
}

static bool starts_nocase(const char *text, const char *word, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (lower(text[i]) != lower(word[i])) { /* also at the end of the text */
            return false;
        }
    }
    return true;
}

int gp_str_distance(const char *word, size_t len, const char *candidate) {
    size_t other = strlen(candidate);
    if (len == 0 || len > NEAR_MAX || other > NEAR_MAX)
        return -1;
    size_t longer = len > other ? len : other;
    int limit = EDIT_COST * (int)((longer + 2) / 3);
    int cost = alignment(word, len, candidate, other);
    if (len >= 3 && cost > COMPLETION_COST && starts_nocase(candidate, word, len))
        return COMPLETION_COST;
    /* At least one letter must be right, whatever the case. */
    bool all_wrong = cost >= EDIT_COST * (int)longer;
    return cost <= limit && !all_wrong ? cost : -1;
}

void gp_guess_consider(gp_guess *guess, const char *candidate) {
    int cost = candidate ? gp_str_distance(guess->word, guess->len, candidate) : -1;
    if (cost < 0 || (guess->best && cost >= guess->cost))
        return;
    guess->best = candidate;
    guess->cost = cost;
}

const char *gp_str_nearest(const char *word, size_t len, const char *const *words, size_t count) {
    gp_guess guess = {.word = word, .len = len};
    for (size_t i = 0; i < count; i++)
        gp_guess_consider(&guess, words[i]);
    return guess.best;
}

const char *gp_str_nearest_of(const char *word, size_t len, const char *const *words) {
    size_t count = 0;
    while (words[count])
        count++;
    return gp_str_nearest(word, len, words, count);
}
