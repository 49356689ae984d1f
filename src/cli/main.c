/*
 * Entry: finds the command, parses its options, runs it and turns the outcome into an exit code.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* More than any plan needs; a guard against input that is made to take memory. */
static const size_t arena_max_bytes = (size_t)2048 * 1024 * 1024;

static void print_overview(gp_cli *cli, FILE *stream) {
    gp_buf page = GP_PAGE(cli->arena);
    gp_help_overview(&page, cli->commands);
    if (stream == stdout) {
        gp_stdout_page(cli, &page);
        return;
    }
    fputs(page.data, stream);
    cli->answer = GP_EXIT_USAGE;
}

static void run(gp_cli *cli, int argc, char *const *argv) {
    if (argc < 2) {
        print_overview(cli, stderr);
        return;
    }
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) {
        print_overview(cli, stdout);
        return;
    }
    cli->command = gp_command_find(cli, strcmp(name, "--version") == 0 ? "version" : name);
    if (cli->command == NULL)
        gp_command_unknown(cli, name);
    gp_options_parse(cli, cli->command, argc - 2, argv + 2);
    if (cli->settings.help) {
        gp_buf page = GP_PAGE(cli->arena);
        gp_help_command(&page, cli->command);
        gp_stdout_page(cli, &page);
        return;
    }
    gp_settings_complete(cli);
    gp_operands_check(cli);
    cli->command->run(cli);
}

typedef struct arguments {
    gp_cli *cli;
    int argc;
    char *const *argv;
} arguments;

static gp_status answer(void *context) {
    arguments *it = context;
    run(it->cli, it->argc, it->argv);
    return GP_OK;
}

static gp_status finish(void *context) {
    gp_finish_errors(context);
    return GP_OK;
}

static gp_status say_exhausted(void *context) {
    ((gp_cli *)context)->muted = false;
    gp_complain(context, GP_EXIT_INTERNAL, "out of memory");
}

int main(int argc, char **argv) {
    gp_signals_install();
    gp_cli_error error = {.code = GP_EXIT_YES};
    gp_cli cli = {.arena = gp_arena_new(arena_max_bytes), .commands = gp_commands, .error = &error};
    if (cli.arena == NULL) {
        fputs("gpuplan: out of memory\n", stderr);
        return GP_EXIT_INTERNAL;
    }
    cli.json_errors = gp_options_ask_json(argc - 1, argv + 1);
    arguments given = {&cli, argc, argv};
    const gp_arena_mark begin = gp_arena_set_mark(cli.arena);
    gp_status st = gp_arena_guard(cli.arena, answer, &given);
    gp_artefacts_drop();
    if (st == GP_ERR_NO_MEMORY) {
        /* What the arena held is given back, so that there is room to say so. */
        gp_arena_release(cli.arena, begin);
        error = (gp_cli_error){.code = GP_EXIT_INTERNAL};
        (void)gp_arena_guard(cli.arena, say_exhausted, &cli);
    }
    if (st != GP_OK)
        (void)gp_arena_guard(cli.arena, finish, &cli);
    gp_arena_free(cli.arena);
    return (int)(st == GP_OK ? cli.answer : error.code);
}
