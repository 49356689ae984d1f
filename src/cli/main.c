/*
 * Entry: finds the command, parses its options, runs it and turns the outcome into an exit code.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* More than any plan needs; a guard against input that is made to take memory. */
static const size_t arena_max_bytes = (size_t)2048 * 1024 * 1024;

static gp_exit print_overview(gp_cli *cli, FILE *stream) {
    gp_page page = {.arena = cli->arena};
    gp_help_overview(&page);
    if (stream == stdout)
        return gp_stdout_page(cli, &page);
    fputs(page.data == NULL ? "" : page.data, stream);
    return GP_EXIT_USAGE;
}

static gp_exit run(gp_cli *cli, int argc, char *const *argv) {
    if (argc < 2)
        return print_overview(cli, stderr);
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
        return print_overview(cli, stdout);
    const gp_command *command = gp_command_find(strcmp(name, "--version") == 0 ? "version" : name);
    if (command == NULL)
        return gp_command_unknown(cli, name);
    cli->command = command;
    gp_exit code = gp_options_parse(cli, command, argc - 2, argv + 2);
    if (code == GP_EXIT_YES && !cli->settings.help) {
        code = gp_settings_complete(cli);
        if (code == GP_EXIT_YES)
            code = gp_operands_check(cli);
        return code == GP_EXIT_YES ? command->run(cli) : code;
    }
    if (code != GP_EXIT_YES)
        return code;
    gp_page page = {.arena = cli->arena};
    gp_help_command(&page, command);
    return gp_stdout_page(cli, &page);
}

typedef struct arguments {
    gp_cli *cli;
    int argc;
    char *const *argv;
    gp_exit code;
} arguments;

static gp_status answer(void *context) {
    arguments *it = context;
    it->code = gp_finish_errors(it->cli, run(it->cli, it->argc, it->argv));
    return GP_OK;
}

/* What the arena held is given back, so that there is room to say so. */
static gp_status say_exhausted(void *context) {
    arguments *it = context;
    it->cli->error = (gp_cli_error){.message = NULL};
    it->code = gp_finish_errors(it->cli, gp_complain(it->cli, GP_EXIT_INTERNAL, "out of memory"));
    return GP_OK;
}

int main(int argc, char **argv) {
    gp_signals_install();
    gp_cli cli = {.arena = gp_arena_new(arena_max_bytes)};
    if (cli.arena == NULL) {
        fputs("gpuplan: out of memory\n", stderr);
        return GP_EXIT_INTERNAL;
    }
    cli.json_errors = gp_options_ask_json(argc - 1, argv + 1);
    arguments given = {&cli, argc, argv, GP_EXIT_INTERNAL};
    const gp_arena_mark begin = gp_arena_set_mark(cli.arena);
    if (gp_arena_guard(cli.arena, answer, &given) != GP_OK) {
        gp_artefacts_drop();
        gp_arena_release(cli.arena, begin);
        (void)gp_arena_guard(cli.arena, say_exhausted, &given);
    }
    gp_arena_free(cli.arena);
    return (int)given.code;
}
