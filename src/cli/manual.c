/*
 * The manual page gpuplan(1), written from the same tables as the help. It bears no date, so that
 * the same program always writes the same page.
 */
#include "cli/cli.h"

/* Text with what roff would read as its own escaped. */
static void roff(gp_buf *page, const char *text) {
    for (bool line_start = true; *text != '\0'; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            gp_buf_str(page, "\\&");
        if (*text == '-') {
            gp_buf_str(page, "\\-");
        } else if (*text == '\\') {
            gp_buf_str(page, "\\e");
        } else {
            gp_buf_char(page, *text);
        }
        line_start = *text == '\n';
    }
}

static void option_entry(gp_buf *page, const gp_opt *option) {
    gp_buf_str(page, ".TP\n");
    if (option->letter != 0)
        gp_buf_printf(page, "\\fB\\-%c\\fR, ", option->letter);
    gp_buf_str(page, "\\fB\\-\\-");
    roff(page, option->name);
    gp_buf_str(page, "\\fR");
    if (option->argument != NULL) {
        gp_buf_str(page, " \\fI");
        roff(page, option->argument);
        gp_buf_str(page, "\\fR");
    }
    gp_buf_str(page, "\n");
    gp_buf text = GP_PAGE(page->arena);
    gp_option_help(&text, option);
    roff(page, text.data);
    gp_buf_str(page, "\n");
}

static void preformatted(gp_buf *page, const char *text) {
    gp_buf_str(page, ".PP\n.nf\n");
    roff(page, text);
    gp_buf_str(page, ".fi\n");
}

static void command_entry(gp_buf *page, const gp_command *command) {
    gp_buf_printf(page, ".SS %s%s", command->name, command->operands[0] == '\0' ? "" : " ");
    roff(page, command->operands);
    gp_buf_str(page, "\n");
    roff(page, command->summary);
    gp_buf_str(page, "\n");
    if (command->details != NULL) {
        gp_buf_str(page, ".PP\n");
        roff(page, command->details);
        gp_buf_str(page, "\n");
    }
    for (size_t i = 0; i < command->option_count; i++)
        option_entry(page, &command->options[i]);
    if (command->examples != NULL)
        preformatted(page, command->examples);
}

static void topic_section(gp_buf *page, const char *title, const char *topic) {
    gp_buf text = GP_PAGE(page->arena);
    (void)gp_help_topic(&text, topic);
    gp_buf_printf(page, ".SH %s\n", title);
    preformatted(page, text.data);
}

void gp_manual_write(gp_buf *page, const gp_command *const *commands) {
    gp_buf_str(
        page,
        ".TH GPUPLAN 1 \"\" \"gpuplan " GP_VERSION "\" \"User Commands\"\n"
        ".SH NAME\n"
        "gpuplan \\- size GPU clusters: scale up or scale out\n"
        ".SH SYNOPSIS\n"
        ".B gpuplan\n"
        "\\fICOMMAND\\fR [options] [\\fIFILE\\fR|\\fIDIR\\fR|\\-...]\n"
        ".SH DESCRIPTION\n"
        "Reads a YAML file that describes a site, a cluster and its workloads, and shows what is "
        "needed to run them and whether each should scale up (a bigger machine) or out (more "
        "machines). It needs no GPU, no network and no account.\n"
        ".SH COMMANDS\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        command_entry(page, commands[i]);
    gp_buf_str(page, ".SH OPTIONS\nOf every command:\n");
    for (size_t i = 0; i < gp_common_option_count; i++)
        option_entry(page, &gp_common_options[i]);
    topic_section(page, "UNITS", "units");
    topic_section(page, "FORMATS", "formats");
    topic_section(page, "EXIT STATUS", "exit-codes");
    topic_section(page, "ENVIRONMENT", "environment");
    topic_section(page, "FILES", "settings");
    gp_buf_str(page, ".SH SEE ALSO\n"
                     "\\fBgpuplan\\-spec\\fR(5), \\fBgpuplan\\-policy\\fR(5), "
                     "\\fBgpuplan\\-calibration\\fR(5), \\fBgpuplan\\-config\\fR(5)\n");
}
