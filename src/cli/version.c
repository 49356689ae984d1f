/*
 * The `version` command: the tool, its report form and its catalogue.
 */
#include "cli/cli.h"

#include "catalog/catalog.h"

static const char *const forms[] = {"text", "json", NULL};
enum { FORM_JSON = 2 };

static const gp_opt version_options[] = {
    GP_FORM(forms, "Form of the output: text or json."),
};

static void run_version(gp_cli *cli) {
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_catalog *catalog = NULL;
    const char *digest = NULL;
    gp_catalog_open(cli->arena, &diags, &catalog);
    gp_catalog_digest(catalog, &digest);
    gp_buf page = GP_PAGE(cli->arena);
    if (cli->settings.form == FORM_JSON) {
        gp_buf_printf(&page,
                      "{\"name\":\"gpuplan\",\"version\":\"%s\",\"apiVersion\":\"gpuplan/v1\","
                      "\"catalogSha256\":\"%s\",\"libcurl\":%s,\"libxlsxwriter\":%s}\n",
                      GP_VERSION, digest, GP_NETWORK ? "true" : "false",
                      GP_XLSX ? "true" : "false");
    } else {
        gp_buf_printf(
            &page,
            "gpuplan %s\nspec: gpuplan/v1\ncatalogue: sha256 %s\nlibcurl: %s\nlibxlsxwriter: %s\n",
            GP_VERSION, digest,
            GP_NETWORK ? "opened by import, price, observe and calibrate --prometheus"
                       : "built without",
            GP_XLSX ? "opened by the form xlsx" : "built without: no form xlsx");
    }
    gp_stdout_page(cli, &page);
}

const gp_command gp_command_version = {
    .name = "version",
    .operands = "",
    .summary = "Print the version of the tool and of its catalogue.",
    .examples = "  gpuplan version -f json\n",
    GP_OPTIONS(version_options),
    .words = (const char *const[]){NULL},
    .run = run_version,
};
