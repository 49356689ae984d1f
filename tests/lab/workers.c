/*
 * The short hand of large services: counts before a P or a D, a word for what a replica is split
 * into (DEP16: attention in parallel by data and experts over 16 GPUs; TEP8: both over 8).
 */
#include "lab/workers.h"

#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { SPLIT_TP = 1, SPLIT_DP = 2, SPLIT_EP = 4 };

static const struct {
    const char *word;
    unsigned splits;
} split_words[] = {
    {"TP", SPLIT_TP},
    {"DP", SPLIT_DP},
    {"EP", SPLIT_EP},
    {"DEP", SPLIT_DP | SPLIT_EP},
    {"TEP", SPLIT_TP | SPLIT_EP},
    {"DTP", SPLIT_DP}, /* the experts are sliced over the same GPUs */
};

static const struct {
    const char *word;
    gp_lab_role role;
} role_words[] = {
    {"P", GP_LAB_PREFILL},
    {"D", GP_LAB_DECODE},
    {"prefill", GP_LAB_PREFILL},
    {"decode", GP_LAB_DECODE},
};

double gp_lab_cell_number(const char *cell) {
    static const double thousand = 1024; /* as lengths of texts are written */
    double low = 0, high = 0;
    const char *at = cell == NULL ? "" : cell;
    at += *at == '~' ? 1 : 0;
    size_t len = gp_num_scan(at, strlen(at));
    if (!gp_num_parse(at, len, &low)) {
        return 0;
    }
    at += len;
    low *= *at == 'K' || *at == 'k' ? thousand : 1;
    if (*at != '-') {
        return low;
    }
    at++;
    return gp_num_parse(at, gp_num_scan(at, strlen(at)), &high) ? 0.5 * (low + high) : low;
}

double gp_lab_workers_cell(const char *cell, gp_lab_role role) {
    static const char letters[GP_LAB_ROLES] = {'\0', 'P', 'D'};
    if (cell == NULL) {
        return 0;
    }
    for (const char *at = cell; letters[role] != '\0' && *at != '\0'; at++) {
        if (*at == letters[role] && isdigit((unsigned char)at[1])) {
            return gp_lab_cell_number(at + 1);
        }
    }
    return strpbrk(cell, "/-PD") == NULL ? gp_lab_cell_number(cell) : 0;
}

typedef struct reading {
    gp_lab_workers *roles;
    gp_lab_role role; /* that is being told about */
    double count;     /* the number just read; 0: none waits */
} reading;

static void set_split(gp_lab_workers *w, unsigned splits, double number) {
    w->tp = (splits & SPLIT_TP) != 0 ? number : w->tp;
    w->dp = (splits & SPLIT_DP) != 0 ? number : w->dp;
    w->ep = (splits & SPLIT_EP) != 0 ? number : w->ep;
}

/* "TP4+EP": experts over the GPUs that share the attention. */
static void read_split(reading *r, const char *word, double number) {
    gp_lab_workers *w = &r->roles[r->role];
    for (size_t i = 0; i < sizeof split_words / sizeof split_words[0]; i++) {
        if (gp_str_equal(word, split_words[i].word)) {
            bool bare = !(number > 0) && split_words[i].splits == SPLIT_EP;
            set_split(w, split_words[i].splits, bare ? w->tp : number);
        }
    }
}

/* A word that names a pool, whose count stands before it. A letter without one is no pool. */
static bool read_role(reading *r, const char *word) {
    for (size_t i = 0; i < sizeof role_words / sizeof role_words[0]; i++) {
        if (gp_str_equal_nocase(word, role_words[i].word) && (r->count > 0 || word[1] != '\0')) {
            r->role = role_words[i].role;
            r->roles[r->role].replicas = r->count;
            return true;
        }
    }
    return false;
}

static bool is_split(const gp_lab_workers *w) {
    return w->tp > 0 || w->dp > 0 || w->ep > 0;
}

static void copy_split(const gp_lab_workers *from, gp_lab_workers *to) {
    if (is_split(from) && !is_split(to)) {
        to->tp = from->tp;
        to->dp = from->dp;
        to->ep = from->ep;
    }
}

/* One word, and the number that follows it at once. */
static const char *read_word(reading *r, const char *at) {
    enum { WORD_MAX = 16 };
    char word[WORD_MAX] = "";
    size_t len = 0;
    double number = 0;
    for (; isalpha((unsigned char)at[len]); len++) {
        word[len < WORD_MAX - 1 ? len : WORD_MAX - 1] = at[len];
    }
    word[len < WORD_MAX - 1 ? len : WORD_MAX - 1] = '\0';
    size_t digits = gp_num_scan(at + len, strlen(at + len));
    bool numbered = gp_num_parse(at + len, digits, &number);
    read_split(r, word, number);
    if (read_role(r, word)) {
        r->count = 0;
        return at + len; /* "3P1D": what follows is the next pool's */
    }
    if (gp_str_equal(word, "x") && r->count > 0 && !(r->roles[r->role].replicas > 0)) {
        r->roles[r->role].replicas = r->count;
    }
    r->count = 0;
    return at + len + (numbered ? digits : 0);
}

void gp_lab_workers_read(const char *text, gp_lab_workers ret[GP_LAB_ROLES]) {
    reading r = {.roles = ret};
    memset(ret, 0, GP_LAB_ROLES * sizeof *ret);
    for (const char *at = text == NULL ? "" : text; *at != '\0';) {
        size_t digits = isdigit((unsigned char)*at) ? gp_num_scan(at, strlen(at)) : 0;
        if (digits > 0) {
            (void)gp_num_parse(at, digits, &r.count);
            at += digits;
        } else if (isalpha((unsigned char)*at)) {
            at = read_word(&r, at);
        } else {
            at++;
        }
    }
    /* "1P + 1D TP4": said once, it is meant of both. */
    copy_split(&ret[GP_LAB_DECODE], &ret[GP_LAB_PREFILL]);
    copy_split(&ret[GP_LAB_PREFILL], &ret[GP_LAB_DECODE]);
    copy_split(&ret[GP_LAB_BOTH], &ret[GP_LAB_PREFILL]);
    copy_split(&ret[GP_LAB_BOTH], &ret[GP_LAB_DECODE]);
}
