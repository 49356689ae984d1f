/* Commands by their names, and what to say where a word is none that is known. */
#include "cli/cli.h"

#include <string.h>

enum { COMMANDS_MAX = 48 };

const gp_command *gp_command_find(const char *name) {
    for (size_t i = 0; gp_commands[i] != NULL; i++) {
        if (strcmp(gp_commands[i]->name, name) == 0)
            return gp_commands[i];
    }
    return NULL;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) from `a` to `b`; words are short. */
static size_t distance(const char *a, const char *b) {
    enum { WORD_MAX = 40 };
    size_t rows[3][WORD_MAX + 1];
    size_t len_a = strlen(a);
    size_t len_b = strlen(b);
    if (len_a > WORD_MAX || len_b > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= len_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= len_a; i++) {
        size_t *row = rows[i % 3];
        const size_t *up = rows[(i + 2) % 3];
        const size_t *up_two = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= len_b; j++) {
            size_t replaced = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = least(replaced, least(up[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], up_two[j - 2] + 1);
        }
    }
    return rows[len_a % 3][len_b];
}

const char *gp_nearest(const char *text, const char *const *words) {
    const char *best = NULL;
    size_t best_edits = strlen(text) / 3 + 2; /* farther than this is no slip of the pen */
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        bool begins = text[0] != '\0' && strncmp(words[i], text, strlen(text)) == 0;
        size_t edits = begins ? 1 : distance(text, words[i]);
        if (edits < best_edits && edits < strlen(words[i])) {
            best = words[i];
            best_edits = edits;
        }
    }
    return best;
}

const char *gp_nearest_hint(gp_cli *cli, const char *nearest, const char *otherwise) {
    return nearest == NULL ? otherwise : gp_arena_printf(cli->arena, "nearest: %s", nearest);
}

const char *gp_words_joined(gp_arena *arena, const char *const *words) {
    const char *text = words[0] == NULL ? "" : words[0];
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++)
        text = gp_arena_printf(arena, "%s, %s", text, words[i]);
    return text;
}

void gp_command_unknown(gp_cli *cli, const char *name) {
    const char *names[COMMANDS_MAX + 1] = {NULL};
    for (size_t i = 0; gp_commands[i] != NULL && i < COMMANDS_MAX; i++)
        names[i] = gp_commands[i]->name;
    const char *there =
        gp_arena_printf(cli->arena, "there is: %s", gp_words_joined(cli->arena, names));
    gp_complain_hint(cli, GP_EXIT_USAGE, gp_nearest_hint(cli, gp_nearest(name, names), there),
                     "unknown command '%s'", name);
}
