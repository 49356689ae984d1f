/*
 * The `validate` command: syntax, schema, units and references, without planning.
 */
#include "cli/flow.h"

static const char *const forms[] = {"text", "json", NULL};
enum { FORM_JSON = 2 };

static const gp_opt validate_options[] = {
    GP_FORM(forms, "Form on standard output: text or json."),
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTION_CATALOG,
    GP_OPTIONS_LOCK,
    GP_OPTION_PRICES,
};

/* The diagnostics as a list, and the error object where there is an error. */
static void write_json(gp_cli *cli, const gp_diags *diags, gp_exit code) {
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_printf(&page, "{\"valid\":%s,", code == GP_EXIT_YES ? "true" : "false");
    gp_page_diags(&page, diags, code);
    gp_buf_str(&page, "}\n");
    cli->json_errors = false; /* it is in */
    gp_stdout_page(cli, &page);
    cli->answer = code;
}

static void write_text(gp_cli *cli, const gp_flow *flow, const gp_spec *spec) {
    gp_buf page = GP_PAGE(cli->arena);
    size_t workloads = 0;
    for (size_t i = 0; i < spec->plans.count; i++)
        workloads += spec->plans.items[i]->spec.workloads.count;
    for (size_t i = 0; i < flow->texts.count; i++) {
        gp_buf_str(&page, i == 0 ? "" : ", ");
        gp_buf_str(&page, flow->texts.items[i]->name);
    }
    gp_buf_printf(&page, ": valid (%zu plan%s, %zu workload%s, %zu price list%s, %zu catalogue%s",
                  spec->plans.count, spec->plans.count == 1 ? "" : "s", workloads,
                  workloads == 1 ? "" : "s", spec->prices.count, spec->prices.count == 1 ? "" : "s",
                  spec->catalogs.count, spec->catalogs.count == 1 ? "" : "s");
    if (spec->policies.count > 0)
        gp_buf_printf(&page, ", %zu polic%s", spec->policies.count,
                      spec->policies.count == 1 ? "y" : "ies");
    gp_buf_str(&page, ")\n");
    if (!cli->settings.quiet)
        gp_stdout_page(cli, &page);
}

typedef struct validation {
    gp_flow flow;
    gp_overrides fixed;
    gp_spec spec;
} validation;

static gp_status read_specs(void *context) {
    validation *it = context;
    gp_flow_read(&it->flow, &it->fixed, &it->spec);
    gp_print_diags(it->flow.cli, &it->flow.diags);
    return GP_OK;
}

static void run_validate(gp_cli *cli) {
    validation it = {.fixed = {0}};
    gp_flow_begin(cli, &cli->settings.operands, &it.fixed, &it.flow);
    const gp_exit code = gp_try(cli, read_specs, &it);
    const bool told = code == GP_EXIT_YES || (code == GP_EXIT_INPUT && it.flow.diags.errors > 0);
    if (cli->settings.form == FORM_JSON && told)
        write_json(cli, &it.flow.diags, code);
    else if (code == GP_EXIT_YES)
        write_text(cli, &it.flow, &it.spec);
    else
        gp_arena_leave(cli->arena, GP_ERR_INPUT);
}

const gp_command gp_command_validate = {
    .name = "validate",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Check syntax, schema, units and references of specs.",
    .details = "Reports all errors of all files in one run and exits with 3 if there are any.",
    .examples = "  gpuplan validate plan.yaml\n  gpuplan validate clusters/ -f json\n",
    GP_OPTIONS(validate_options),
    .run = run_validate,
};
