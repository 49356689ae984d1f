/*
 * The `schema` command: JSON Schema or a Markdown reference, out of the tables that read the files.
 */
#include "cli/cli.h"

#include <gpuplan/report.h>

#include <string.h>

#include "model/model.h"

static const char *const forms[] = {"json", "markdown", NULL};
enum { FORM_JSON = 1, FORM_MARKDOWN = 2 };
static const char *const kinds[] = {"spec",   "catalog",  "prices", "policy", "calibration",
                                    "config", "document", "report", NULL};

static const gp_opt schema_options[] = {
    GP_FORM(forms,
            "Form on standard output: json (JSON Schema, draft-07) or markdown (a reference)."),
};

static _Noreturn void unknown_kind(gp_cli *cli, const char *kind) {
    const char *nearest = gp_nearest(kind, kinds);
    const char *hint =
        gp_arena_printf(cli->arena, "one of: %s%s%s%s", gp_words_joined(cli->arena, kinds),
                        nearest == NULL ? "" : " (nearest: ", nearest == NULL ? "" : nearest,
                        nearest == NULL ? "" : ")");
    gp_complain_hint(cli, GP_EXIT_USAGE, hint, "no schema '%s'", kind);
}

static void run_schema(gp_cli *cli) {
    const gp_words *operands = &cli->settings.operands;
    const char *kind = operands->count == 0 ? "spec" : operands->items[0];
    bool markdown = cli->settings.form == FORM_MARKDOWN;
    if (gp_str_index(kinds, kind) < 0)
        unknown_kind(cli, kind);
    const char *text = NULL;
    gp_status st = GP_OK;
    if (markdown && strcmp(kind, "document") == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, "gpuplan schema spec -f markdown",
                         "this schema is available as json only");
    if (strcmp(kind, "report") != 0) {
        st = markdown ? gp_schema_markdown(cli->arena, kind, &text)
                      : gp_schema_json(cli->arena, kind, &text);
    } else if (markdown) {
        gp_complain_hint(cli, GP_EXIT_USAGE, "gpuplan schema report -f json",
                         "this schema is available as json only");
    } else {
        st = gp_report_schema_json(cli->arena, &text);
    }
    if (st != GP_OK)
        gp_complain(cli, GP_EXIT_INTERNAL, "cannot write the schema (%s)", gp_status_name(st));
    gp_stdout_write(cli, text, strlen(text));
}

const gp_command gp_command_schema = {
    .name = "schema",
    .operands = "[spec|catalog|prices|policy|calibration|config|document|report]",
    .max_operands = 1,
    .summary = "Print the schema of a spec, policy or other document, or of the report.",
    .details = "The schema 'document' is for editors: it checks a document of any kind against the "
               "schema of its kind. A first line '# yaml-language-server: $schema=FILE' in a spec "
               "gives completion and checks while writing.",
    .examples =
        "  gpuplan schema document > gpuplan.schema.json\n  gpuplan schema catalog -f markdown\n",
    GP_OPTIONS(schema_options),
    .words = kinds,
    .run = run_schema,
};
