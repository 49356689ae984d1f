/*
 * The `render` command: a report that was written as JSON, in other forms.
 */
#include "cli/flow.h"

static const gp_opt render_options[] = {
    GP_OPTION_FORMAT,
    GP_OPTION_OUTPUT,
    GP_WORD("fail-on", fail_on, "LEVEL", gp_level_choices,
            "Finding level that CI forms report as failure (default: error)."),
    GP_WORD("detail", detail, "[LEVEL]", gp_detail_choices,
            "How much the text form shows: the answer alone, normal, or all.", .bare = "normal",
            .key = "detail"),
    GP_OPTION_WIDTH,
};

static void run_render(gp_cli *cli) {
    const char *path = cli->settings.operands.items[0];
    gp_report_list reports = {0};
    gp_sinks sinks;
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_sinks_parse(cli, &gp_forms_report, &sinks);
    gp_text *text = gp_file_read_most(cli, path, GP_REPORT_MAX_BYTES);
    gp_status st = gp_report_parse(cli->arena, text, &diags, &reports);
    gp_check(cli, st, &diags);
    gp_sinks_write(cli, &sinks, NULL, &reports);
}

const gp_command gp_command_render = {
    .name = "render",
    .operands = "REPORT.json|-",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Write a report saved as JSON in other formats.",
    .details = "Reads the output of `size -f json` or `check -f json`; nothing is planned again.",
    .examples = "  gpuplan render report.json -o report.md -o findings.sarif\n"
                "  gpuplan size plan.yaml -f json | gpuplan render - --detail all\n",
    GP_OPTIONS(render_options),
    .run = run_render,
};
