/*
 * Matching with a way back: after a mismatch the last `*` takes one byte more, and where that
 * would be a '/', the last `**` does. Earlier stars never need another try, since what stands
 * between two stars was found at its first place.
 */
#include "base/glob.h"

#include <stddef.h>

typedef struct mark {
    const char *pattern; /* behind the star; NULL: no star yet */
    const char *text;    /* what it has not taken */
} mark;

typedef struct matcher {
    const char *pattern, *text;
    mark star, globstar;
} matcher;

static void enter_globstar(matcher *m) {
    m->pattern += 2;
    if (*m->pattern == '/')
        m->pattern++;
    m->globstar = (mark){m->pattern, m->text};
    m->star = (mark){0};
}

/* One step on; false on a mismatch. */
static bool step(matcher *m) {
    if (*m->pattern == '*') {
        if (m->pattern[1] == '*') {
            enter_globstar(m);
        } else {
            m->pattern++;
            m->star = (mark){m->pattern, m->text};
        }
        return true;
    }
    if (*m->text == '\0')
        return false;
    if (*m->pattern != *m->text && (*m->pattern != '?' || *m->text == '/'))
        return false;
    m->pattern++;
    m->text++;
    return true;
}

/* The last star that can take one byte more. `**` with a '/' behind it stops at folders. */
static bool retry(matcher *m) {
    if (m->star.pattern != NULL && *m->star.text != '\0' && *m->star.text != '/') {
        m->star.text++;
        m->pattern = m->star.pattern;
        m->text = m->star.text;
        return true;
    }
    if (m->globstar.pattern == NULL || *m->globstar.text == '\0')
        return false;
    bool folders = m->globstar.pattern[-1] == '/';
    do
        m->globstar.text++;
    while (folders && *m->globstar.text != '\0' && m->globstar.text[-1] != '/');
    m->pattern = m->globstar.pattern;
    m->text = m->globstar.text;
    m->star = (mark){0};
    return true;
}

bool gp_glob_match(const char *pattern, const char *text) {
    matcher m = {.pattern = pattern, .text = text};
    while (*m.text != '\0' || *m.pattern != '\0')
        if (*m.pattern == '\0' ? !retry(&m) : !step(&m) && !retry(&m))
            return false;
    return true;
}
