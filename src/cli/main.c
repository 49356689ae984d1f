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

int main(int argc, char **argv) {
    gp_signals_install();
    gp_cli cli = {.arena = gp_arena_new(arena_max_bytes)};
    if (cli.arena == NULL) {
        fputs("gpuplan: out of memory\n", stderr);
        return GP_EXIT_INTERNAL;
    }
    cli.json_errors = gp_options_ask_json(argc - 1, argv + 1);
    gp_exit code = gp_finish_errors(&cli, run(&cli, argc, argv));
    gp_arena_free(cli.arena);
    return (int)code;
}
