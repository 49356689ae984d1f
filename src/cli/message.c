/*
 * What goes to standard error, and the error object that JSON readers get on standard output.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static void remember(gp_cli *cli, const gp_cli_error *error) {
    if (cli->error.message == NULL)
        cli->error = *error;
}

static void print_message(gp_cli *cli, const char *hint, const char *message) {
    if (cli->muted)
        return;
    const char *blank = cli->command == NULL ? "" : " ";
    const char *name = cli->command == NULL ? "" : cli->command->name;
    fprintf(stderr, "gpuplan%s%s: %s\n", blank, name, message);
    if (hint != NULL)
        fprintf(stderr, "  %s\n", hint);
    remember(cli, &(gp_cli_error){.message = message});
}

gp_exit gp_complain(gp_cli *cli, gp_exit code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = gp_arena_vprintf(cli->arena, format, args);
    va_end(args);
    print_message(cli, NULL, message);
    return code;
}

gp_exit gp_complain_hint(gp_cli *cli, gp_exit code, const char *hint, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = gp_arena_vprintf(cli->arena, format, args);
    va_end(args);
    print_message(cli, hint, message);
    return code;
}

void gp_stderr_write(const char *text) {
    (void)fputs(text, stderr);
}

static void remember_diag(gp_cli *cli, const gp_diag *diag) {
    gp_cli_error error = {.id = diag->id, .message = diag->message};
    if (diag->span.text != NULL) {
        gp_place place = gp_span_place(diag->span);
        error.file = diag->span.text->name;
        error.line = place.line;
        error.column = place.column;
    }
    remember(cli, &error);
}

/* "3 errors in plan.yaml", or "in 2 files" where they lie in several. */
static void print_count(const gp_diags *diags) {
    const char *file = NULL;
    size_t files = 0;
    for (size_t i = 0; i < diags->count; i++) {
        const gp_diag *diag = &diags->items[i];
        if (diag->level != GP_LEVEL_ERROR || diag->span.text == NULL)
            continue;
        if (file == NULL || strcmp(file, diag->span.text->name) != 0)
            files++;
        file = diag->span.text->name;
    }
    fprintf(stderr, "%zu error%s", diags->errors, diags->errors == 1 ? "" : "s");
    if (files == 1) {
        fprintf(stderr, " in %s", file);
    } else if (files > 1) {
        fprintf(stderr, " in %zu files", files);
    }
    if (diags->suppressed > 0)
        fprintf(stderr, "; %zu more messages are not shown", diags->suppressed);
    fputs("\n", stderr);
}

gp_exit gp_print_diags(gp_cli *cli, const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++) {
        const gp_diag *diag = &diags->items[i];
        if (cli->muted || (diag->level != GP_LEVEL_ERROR && cli->settings.quiet))
            continue;
        const char *text = NULL;
        (void)gp_diag_format(cli->arena, diag, &text);
        fputs(text, stderr);
        if (diag->level == GP_LEVEL_ERROR)
            remember_diag(cli, diag);
    }
    if (diags->errors == 0)
        return GP_EXIT_YES;
    if (cli->muted)
        return GP_EXIT_INPUT;
    print_count(diags);
    return GP_EXIT_INPUT;
}

gp_exit gp_status_exit(gp_cli *cli, gp_status st, const gp_diags *diags) {
    if (st == GP_ERR_NO_MEMORY)
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    gp_exit code = diags == NULL ? GP_EXIT_YES : gp_print_diags(cli, diags);
    if (code != GP_EXIT_YES || st == GP_OK)
        return code;
    if (st == GP_ERR_LIMIT)
        return gp_complain(cli, GP_EXIT_INPUT, "the input exceeds a limit of gpuplan");
    return gp_complain_hint(cli, GP_EXIT_INTERNAL,
                            "this is a bug: report it with the input that caused it",
                            "internal error (%s)", gp_status_name(st));
}

gp_exit gp_finish_errors(gp_cli *cli, gp_exit code) {
    if (!cli->json_errors || code == GP_EXIT_YES || code == GP_EXIT_NO)
        return code;
    const gp_cli_error *error = &cli->error;
    gp_page page = {.arena = cli->arena};
    gp_page_printf(&page, "{\"error\":{\"code\":%d,\"id\":", (int)code);
    gp_page_json(&page, error->id);
    gp_page_add(&page, ",\"message\":");
    gp_page_json(&page, error->message);
    gp_page_add(&page, ",\"file\":");
    gp_page_json(&page, error->file);
    if (error->line == 0) {
        gp_page_add(&page, ",\"line\":null,\"column\":null}}\n");
    } else {
        gp_page_printf(&page, ",\"line\":%lld,\"column\":%lld}}\n", (long long)error->line,
                       (long long)error->column);
    }
    (void)fwrite(page.data, 1, page.len, stdout);
    (void)fflush(stdout);
    return code;
}
