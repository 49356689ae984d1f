/*
 * Where results go: the forms of --format and --output, checked before any work is done.
 */
#include "cli/flow.h"

#include <string.h>

const char *const gp_report_forms[] = {"text",   "json",        "markdown", "html", "csv",
                                       "yaml",   "sarif",       "junit",    "tap",  "github",
                                       "gitlab", "openmetrics", "xlsx",     NULL};

const char *const gp_level_choices[] = {"note", "warning", "error", NULL};
const char *const gp_simulate_choices[] = {"quick", "full", "off", NULL};
const char *const gp_detail_choices[] = {"answer", "normal", "all", NULL};
static const gp_detail details[] = {GP_DETAIL_ANSWER, GP_DETAIL_NORMAL, GP_DETAIL_ALL};

/* FORM=FILE; a name with '=' whose left side is no form is a file. */
static void explicit_form(gp_cli *cli, const char *output, gp_sink *sink) {
    size_t len = strcspn(output, "=");
    if (output[len] == '\0')
        return;
    const char *form = gp_arena_strndup(cli->arena, output, len);
    if (gp_str_index(gp_report_forms, form) >= 0) {
        sink->form = form;
        sink->path = output + len + 1;
    }
}

static void parse_output(gp_cli *cli, const char *output, gp_sink *sink) {
    sink->path = output;
    explicit_form(cli, output, sink);
    if (sink->path[0] == '\0' || strcmp(sink->path, "-") == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, "--format chooses what goes to standard output",
                         "--output %s: expected a file", output);
    if (sink->form == NULL)
        sink->form = gp_forms_for_file(&gp_forms_report, output);
    if (sink->form == NULL)
        gp_complain_hint(
            cli, GP_EXIT_USAGE,
            "end it in .txt .json .md .html .csv .yaml .sarif .xml .tap .prom or .xlsx, or "
            "write FORM=FILE",
            "--output %s: unknown extension", output);
}

static bool is_workbook(const gp_sink *sink) {
    return strcmp(sink->form, "xlsx") == 0;
}

/* What the command makes has no such form: say which it has. */
static void check_form(gp_cli *cli, const gp_sink *sink, const gp_forms *forms) {
    if (is_workbook(sink) && gp_xlsx_writer() == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE,
                         "install it, and rebuild gpuplan if it was built without it",
                         "libxlsxwriter is missing: no form 'xlsx'");
    if (is_workbook(sink) && sink->path == NULL && gp_terminal_is_output())
        gp_complain_hint(cli, GP_EXIT_USAGE, "write it to a file with -o report.xlsx",
                         "a workbook cannot be printed on a terminal");
    if (gp_forms_have(forms, sink->form))
        return;
    const char *list = "available:";
    for (size_t i = 0; gp_forms_name(forms, i) != NULL; i++)
        list = gp_arena_printf(cli->arena, "%s %s", list, gp_forms_name(forms, i));
    gp_complain_hint(cli, GP_EXIT_USAGE, list, "no form '%s' for %s", sink->form,
                     forms == &gp_forms_sweep ? "several values" : "an explanation");
}

void gp_sinks_add(gp_cli *cli, gp_sinks *sinks, gp_sink sink) {
    for (size_t i = 0; i < sinks->count; i++)
        if (sinks->items[i].path != NULL && strcmp(sinks->items[i].path, sink.path) == 0)
            gp_complain(cli, GP_EXIT_USAGE, "--output %s is given twice", sink.path);
    GP_NEXT(*sinks) = sink;
}

void gp_sinks_parse(gp_cli *cli, const gp_forms *forms, gp_sinks *ret_sinks) {
    const gp_settings *settings = &cli->settings;
    size_t most = GP_COUNT_OF(ret_sinks->items) - 1;
    *ret_sinks = (gp_sinks){.forms = forms};
    if (settings->form > 0 || !settings->quiet) {
        int form = settings->form > 0 ? settings->form - 1 : 0;
        GP_NEXT(*ret_sinks) = (struct gp_sink){.form = gp_report_forms[form]};
    }
    if (settings->outputs.count > most)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", (int)most);
    for (size_t i = 0; i < settings->outputs.count; i++) {
        gp_sink sink = {0};
        parse_output(cli, settings->outputs.items[i], &sink);
        gp_sinks_add(cli, ret_sinks, sink);
    }
    for (size_t i = 0; i < ret_sinks->count; i++)
        check_form(cli, &ret_sinks->items[i], forms);
}

bool gp_sinks_are_sourced(const gp_sinks *sinks) {
    for (size_t i = 0; i < sinks->count; i++)
        if (gp_forms_are_sourced(sinks->forms, sinks->items[i].form))
            return true;
    return false;
}

/* What a command to go on with needs for the same plan. */
static const char *const again[] = {"set", "catalog", "calibration", "prices", "objective", NULL};

void gp_sinks_write(gp_cli *cli, const gp_sinks *sinks, const char *spec, const void *object) {
    gp_artefact artefacts[GP_COUNT_OF(sinks->items)] = {{0}};
    gp_words flags = {0};
    gp_options_again(cli, again, &flags);
    for (size_t i = 0; i < sinks->count; i++) {
        const gp_sink *sink = &sinks->items[i];
        gp_artefact *artefact = &artefacts[i];
        artefact->path = sink->path;
        gp_render_options options = {.command = spec,
                                     .gate = sinks->gate,
                                     .workbook = is_workbook(sink) ? gp_xlsx_writer() : NULL};
        options.width = gp_terminal_width(cli);
        if (cli->settings.fail_on > 0)
            options.fail_level = gp_level_choices[cli->settings.fail_on - 1];
        if (cli->settings.detail > 0)
            options.detail = details[cli->settings.detail - 1];
        options.flags = flags.items;
        options.flag_count = flags.count;
        options.colour = sink->path == NULL && gp_terminal_colour(cli);
        gp_status st = gp_forms_render(cli->arena, sinks->forms, sink->form, object, &options,
                                       &artefact->text, &artefact->len);
        if (st != GP_OK && is_workbook(sink))
            gp_complain(cli, GP_EXIT_ENVIRONMENT,
                        "cannot create a workbook in the temporary folder");
        if (st != GP_OK)
            gp_complain(cli, GP_EXIT_INTERNAL, "cannot write the form '%s' (%s)", sink->form,
                        gp_status_name(st));
    }
    gp_artefacts_put(cli, artefacts, sinks->count);
}
