/* Strings: comparison, UTF-8, and the nearest word to a misspelt one. */
#ifndef GP_BASE_STR_H
#define GP_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GP_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Both NULL counts as equal. */
bool gp_str_equal(const char *a, const char *b);
/* `text` of `len` bytes is the word `word`. */
bool gp_str_is(const char *text, size_t len, const char *word);
bool gp_str_starts(const char *text, const char *prefix);
bool gp_str_ends(const char *text, const char *suffix);
/* "c" of "a.b.c". */
const char *gp_str_last_key(const char *path);
/* ASCII letters without regard to case. */
bool gp_str_equal_nocase(const char *a, const char *b);
bool gp_str_starts_nocase(const char *text, const char *prefix);
/* Where `word` begins in the text, any case; NULL: nowhere, or in no text. */
const char *gp_str_find_nocase(const char *text, const char *word);
/* The place of `text` in a NULL-terminated list; -1: it is not there. */
int gp_str_index(const char *const *words, const char *text);
/*
 * The first of `count` items of `size` bytes that has this name, NULL where none has; `name` is
 * where the first of them keeps its own. A name that is NULL is found as one that lacks, too.
 */
const void *gp_item_named(const void *items, const char *const *name, size_t count, size_t size,
                          const char *word);
/* The same by the member that holds the name: of an array of `count`, of a GP_LIST, of a table. */
#define GP_NAMED_OF(items, count, member, word)                                                    \
    ((count) > 0 ? gp_item_named((items), &(items)->member, (count), sizeof *(items), (word))      \
                 : NULL)
#define GP_NAMED(list, member, word)     GP_NAMED_OF((list).items, (list).count, member, word)
#define GP_ROW_NAMED(rows, member, word) GP_NAMED_OF((rows), GP_COUNT_OF(rows), member, word)
/* A word of a key or an option, and what people read for it. */
typedef struct gp_wording {
    const char *word, *text;
} gp_wording;
/* The text for the word; `otherwise` where the table lacks it. */
const char *gp_wording_of(const gp_wording *rows, size_t count, const char *word,
                          const char *otherwise);
#define GP_WORDING(rows, word, otherwise)                                                          \
    gp_wording_of((rows), GP_COUNT_OF(rows), (word), (otherwise))
/* strcmp, with NULL before everything. */
int gp_str_compare(const char *a, const char *b);

/*
 * The word of `words` that a user most likely meant by `word`, or NULL where none is near. Edits
 * are insertion, deletion, exchange and swap of neighbours; about a third of the letters may be
 * wrong. A missing '-', '_' or ' ' costs half an edit, another case a quarter; a word that only
 * goes on ("h200" for "h200-sxm", from three letters) costs less than one edit ("b200"). Ties go
 * to the first in the list.
 */
const char *gp_str_nearest(const char *word, size_t len, const char *const *words, size_t count);
/* The same over a NULL-terminated list. */
const char *gp_str_nearest_of(const char *word, size_t len, const char *const *words);
/* The same for words that are not in an array: each is looked at in turn, NULL is none. */
typedef struct gp_guess {
    const char *word;
    size_t len;
    const char *best; /* NULL: none is near */
    int cost;
} gp_guess;
void gp_guess_consider(gp_guess *guess, const char *candidate);
/* One step of that: the cost in quarter edits, or -1 where the two are not near. */
int gp_str_distance(const char *word, size_t len, const char *candidate);

/* Length in bytes of the code point at the start of `text`; 0 where it is not valid UTF-8
 * (overlong, surrogate, beyond U+10FFFF, cut off) or `len` is 0. */
size_t gp_utf8_decode(const char *text, size_t len, uint32_t *ret_code);
/* Bytes written (1..4), 0 for something that is no code point. */
size_t gp_utf8_encode(uint32_t code, char out[4]);
/* Code points; a byte that is not valid UTF-8 counts as one. */
size_t gp_utf8_count(const char *text, size_t len);
/* Columns on a terminal: 2 for wide East Asian characters and most emoji, 0 for combining marks. */
size_t gp_utf8_width(const char *text, size_t len);
int gp_utf8_code_width(uint32_t code);
/* Bytes of the control character (C0, DEL, C1, line separators, marks of direction) at the start of
 * NUL-terminated `text`, else 0. */
size_t gp_utf8_control(const char *text);
/* Bytes of the longest beginning that is at most `columns` wide. */
size_t gp_utf8_fit(const char *text, size_t len, size_t columns);

#endif
