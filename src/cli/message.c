/*
 * What goes to standard error, and the error object that JSON readers get on standard output.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static void remember(gp_cli *cli, const char *id, const char *message, gp_span span) {
    if (cli->error->message != NULL)
        return;
    *cli->error = (gp_cli_error){.id = id, .message = message};
    if (span.text == NULL)
        return;
    const gp_place place = gp_span_place(span);
    cli->error->file = span.text->name;
    cli->error->line = place.line;
    cli->error->column = place.column;
}

static _Noreturn void leave(gp_cli *cli, gp_exit code) {
    cli->error->code = code;
    gp_arena_leave(cli->arena, GP_ERR_INPUT);
}

static _Noreturn void complain(gp_cli *cli, gp_exit code, const char *hint, const char *format,
                               va_list args) __attribute__((format(printf, 4, 0)));
static _Noreturn void complain(gp_cli *cli, gp_exit code, const char *hint, const char *format,
                               va_list args) {
    if (cli->muted)
        leave(cli, code);
    const char *message = gp_arena_vprintf(cli->arena, format, args);
    const char *blank = cli->command == NULL ? "" : " ";
    const char *name = cli->command == NULL ? "" : cli->command->name;
    fprintf(stderr, "gpuplan%s%s: %s\n", blank, name, message);
    if (hint != NULL)
        fprintf(stderr, "  %s\n", hint);
    remember(cli, NULL, message, (gp_span){.text = NULL});
    leave(cli, code);
}

_Noreturn void gp_complain(gp_cli *cli, gp_exit code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(cli, code, NULL, format, args);
}

_Noreturn void gp_complain_hint(gp_cli *cli, gp_exit code, const char *hint, const char *format,
                                ...) {
    va_list args;
    va_start(args, format);
    complain(cli, code, hint, format, args);
}

gp_exit gp_try(gp_cli *cli, gp_status (*work)(void *context), void *context) {
    const gp_status st = gp_arena_guard(cli->arena, work, context);
    if (st == GP_ERR_NO_MEMORY)
        gp_arena_exhausted(cli->arena);
    return st == GP_OK ? GP_EXIT_YES : cli->error->code;
}

void gp_tell(const gp_cli *cli, const char *format, ...) {
    va_list args;
    if (cli->settings.quiet || cli->muted)
        return;
    fprintf(stderr, "gpuplan %s: ", cli->command->name);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    fputs("\n", stderr);
}

void gp_stderr_write(const char *text) {
    (void)fputs(text, stderr);
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

void gp_tell_diags(gp_cli *cli, const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++) {
        const gp_diag *diag = &diags->items[i];
        if (cli->muted || (diag->level != GP_LEVEL_ERROR && cli->settings.quiet))
            continue;
        const char *text = NULL;
        (void)gp_diag_format(cli->arena, diag, &text);
        fputs(text, stderr);
        if (diag->level == GP_LEVEL_ERROR)
            remember(cli, diag->id, diag->message, diag->span);
    }
    if (diags->errors == 0 || cli->muted)
        return;
    if (cli->error->diags.errors == 0)
        cli->error->diags = *diags;
    print_count(diags);
}

void gp_print_diags(gp_cli *cli, const gp_diags *diags) {
    gp_tell_diags(cli, diags);
    if (diags->errors > 0)
        leave(cli, GP_EXIT_INPUT);
}

void gp_check(gp_cli *cli, gp_status st, const gp_diags *diags) {
    if (st == GP_OK && (diags == NULL || diags->errors == 0))
        return;
    if (st == GP_ERR_NO_MEMORY)
        gp_arena_exhausted(cli->arena);
    if (diags != NULL)
        gp_print_diags(cli, diags);
    if (st == GP_ERR_LIMIT)
        gp_complain(cli, GP_EXIT_INPUT, "the input exceeds a limit of gpuplan");
    gp_complain_hint(cli, GP_EXIT_INTERNAL,
                     "this is a bug: report it with the input that caused it",
                     "internal error (%s)", gp_status_name(st));
}

static void json_place(gp_buf *page, gp_span span) {
    if (span.text == NULL) {
        gp_buf_str(page, "\"file\":null,\"line\":null,\"column\":null,\"endLine\":null,"
                         "\"endColumn\":null");
        return;
    }
    gp_place place = gp_span_place(span);
    gp_page_json(page, "\"file\":", span.text->name);
    gp_buf_printf(page, ",\"line\":%lld,\"column\":%lld,\"endLine\":%lld,\"endColumn\":%lld",
                  (long long)place.line, (long long)place.column, (long long)place.end_line,
                  (long long)place.end_column);
}

static void json_diag(gp_buf *page, const gp_diag *diag) {
    gp_buf_printf(page, "{\"id\":\"%s\",\"level\":\"%s\",\"message\":", diag->id,
                  gp_level_name(diag->level));
    gp_page_json(page, "", diag->message);
    gp_page_json(page, ",\"expected\":", diag->expected);
    gp_page_json(page, ",\"nearest\":", diag->nearest);
    gp_buf_str(page, ",");
    json_place(page, diag->span);
    gp_buf_str(page, "}");
}

void gp_page_diags(gp_buf *page, const gp_diags *diags, gp_exit code) {
    const gp_diag *first = NULL;
    gp_buf_str(page, "\"diagnostics\":[");
    for (size_t i = 0; i < diags->count; i++) {
        gp_buf_str(page, i == 0 ? "" : ",");
        json_diag(page, &diags->items[i]);
        if (first == NULL && diags->items[i].level == GP_LEVEL_ERROR)
            first = &diags->items[i];
    }
    gp_buf_printf(page, "],\"suppressed\":%zu", diags->suppressed);
    if (first == NULL)
        return;
    gp_buf_printf(page, ",\"error\":{\"code\":%d,\"id\":\"%s\",\"message\":", (int)code, first->id);
    gp_page_json(page, "", first->message);
    gp_buf_str(page, ",");
    json_place(page, first->span);
    gp_buf_str(page, "}");
}

static void page_error(gp_buf *page, const gp_cli_error *error) {
    gp_buf_printf(page, "\"error\":{\"code\":%d,\"id\":", (int)error->code);
    gp_page_json(page, "", error->id);
    gp_page_json(page, ",\"message\":", error->message);
    gp_page_json(page, ",\"file\":", error->file);
    if (error->line == 0)
        gp_buf_str(page, ",\"line\":null,\"column\":null}");
    else
        gp_buf_printf(page, ",\"line\":%lld,\"column\":%lld}", (long long)error->line,
                      (long long)error->column);
}

void gp_finish_errors(gp_cli *cli) {
    const gp_cli_error *error = cli->error;
    if (!cli->json_errors || error->code == GP_EXIT_YES || error->code == GP_EXIT_NO)
        return;
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_str(&page, "{");
    if (error->code == GP_EXIT_INPUT && error->diags.errors > 0)
        gp_page_diags(&page, &error->diags, error->code);
    else
        page_error(&page, error);
    gp_buf_str(&page, "}\n");
    (void)fwrite(page.data, 1, page.len, stdout);
    (void)fflush(stdout);
}
