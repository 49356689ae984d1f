/* Commands by their names, and what to say where a word is none that is known. */
#include "cli/cli.h"

#include <string.h>

enum { COMMANDS_MAX = 48 };

const gp_command *gp_command_find(const gp_cli *cli, const char *name) {
    for (size_t i = 0; cli->commands[i] != NULL; i++)
        if (strcmp(cli->commands[i]->name, name) == 0)
            return cli->commands[i];
    return NULL;
}

const char *gp_nearest(const char *text, const char *const *words) {
    return words == NULL ? NULL : gp_str_nearest_of(text, strlen(text), words);
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
    for (size_t i = 0; cli->commands[i] != NULL && i < COMMANDS_MAX; i++)
        names[i] = cli->commands[i]->name;
    const char *there =
        gp_arena_printf(cli->arena, "available: %s", gp_words_joined(cli->arena, names));
    gp_complain_hint(cli, GP_EXIT_USAGE, gp_nearest_hint(cli, gp_nearest(name, names), there),
                     "unknown command '%s'", name);
}
