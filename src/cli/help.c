/*
 * Help: the overview, the page of a command and the `help` command itself, all from the tables.
 */
#include "cli/cli.h"

#include <string.h>

#include <gpuplan/report.h>

#include "schema/schema.h"

enum { HELP_WIDTH = 80, NAME_COLUMN = 14, OPTION_COLUMN = 28 };

void gp_help_overview(gp_buf *page, const gp_command *const *commands) {
    gp_buf_str(page,
               "gpuplan: size GPU clusters for their workloads, and decide whether to scale up "
               "or out.\n\n"
               "Usage: gpuplan COMMAND [options] [FILE|DIR|-...]\n\n"
               "Commands:\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        gp_buf_str(page, "  ");
        gp_page_pad(page, commands[i]->name, NAME_COLUMN - 2);
        gp_page_wrap(page, commands[i]->summary, NAME_COLUMN, NAME_COLUMN, HELP_WIDTH);
    }
    gp_buf_str(page, "\n"
                     "Examples:\n"
                     "  gpuplan init --template inference > plan.yaml\n"
                     "  gpuplan size plan.yaml\n"
                     "  gpuplan explain plan.yaml chat\n\n");
    gp_buf_str(page, "'gpuplan help COMMAND' has the details; 'gpuplan help TOPIC' covers:");
    for (size_t i = 0; gp_topic_names[i] != NULL; i++) {
        gp_buf_str(page, i == 0 ? "\n" : ", ");
        gp_buf_str(page, gp_topic_names[i]);
    }
    gp_buf_str(page, ".\n");
}

static void print_option(gp_buf *page, const gp_opt *option) {
    const char *label = gp_option_label(page->arena, option);
    gp_buf text = GP_PAGE(page->arena);
    gp_option_help(&text, option);
    gp_buf_str(page, "  ");
    gp_page_pad(page, label, OPTION_COLUMN - 4);
    gp_buf_str(page, "  ");
    size_t column = strlen(label) + 4;
    gp_page_wrap(page, text.data, OPTION_COLUMN, column > OPTION_COLUMN ? column : OPTION_COLUMN,
                 HELP_WIDTH);
}

void gp_help_command(gp_buf *page, const gp_command *command) {
    gp_buf_printf(page, "Usage: gpuplan %s [options]%s%s\n\n", command->name,
                  command->operands[0] == '\0' ? "" : " ", command->operands);
    gp_page_wrap(page, command->summary, 0, 0, HELP_WIDTH);
    if (command->details != NULL) {
        gp_buf_str(page, "\n");
        gp_page_wrap(page, command->details, 0, 0, HELP_WIDTH);
    }
    gp_buf_str(page, "\nOptions:\n");
    for (size_t i = 0; gp_option_at(command, i) != NULL; i++)
        print_option(page, gp_option_at(command, i));
    if (command->examples != NULL)
        gp_buf_printf(page, "\nExamples:\n%s", command->examples);
}

static const gp_opt help_options[] = {
    GP_SWITCH("man", man,
              "Write the manual page gpuplan(1) in roff; with the operand spec, policy, "
              "calibration or config, the page gpuplan-spec(5) and so on."),
};

static void list_rules(gp_buf *page) {
    gp_buf_str(page, "Input diagnostics (exit 3):\n");
    for (size_t i = 0; i < gp_diag_doc_count; i++)
        gp_buf_printf(page, "  %s           %s\n", gp_diag_docs[i].id, gp_diag_docs[i].title);
    gp_buf_str(page, "\nFindings of a report:\n");
    for (size_t i = 0; i < gp_report_rule_count; i++) {
        const gp_report_rule *rule = &gp_report_rules[i];
        gp_buf_printf(page, "  %s  ", rule->id);
        gp_page_pad(page, rule->level, 9);
        gp_page_wrap(page, rule->title, 19, 19, HELP_WIDTH);
    }
    gp_buf_str(page, "\n'gpuplan help GP1003' explains one and what to do about it.\n");
}

/* "gp3004" is "GP3004". */
static bool help_rule(gp_buf *page, const char *name) {
    const bool lower = name[0] == 'g' && name[1] == 'p';
    const char *id = lower ? gp_arena_printf(page->arena, "GP%s", name + 2) : name;
    if (id == NULL)
        return false;
    for (size_t i = 0; i < gp_diag_doc_count; i++) {
        const gp_diag_doc *doc = &gp_diag_docs[i];
        if (strcmp(doc->id, id) == 0) {
            gp_buf_printf(page, "%s: %s (error in the input)\n\n", doc->id, doc->title);
            gp_page_wrap(page, doc->help, 0, 0, HELP_WIDTH);
            return true;
        }
    }
    const gp_report_rule *rule = gp_report_rule_named(id);
    if (rule == NULL)
        return false;
    gp_buf_printf(page, "%s: %s (%s)\n\n", rule->id, rule->title, rule->level);
    gp_page_wrap(page, rule->help, 0, 0, HELP_WIDTH);
    if (rule->check != NULL)
        gp_buf_printf(page, "\nCounts for the check '%s'.\n", rule->check);
    return true;
}

static void unknown_topic(gp_cli *cli, const char *name) {
    const char *words[48] = {NULL};
    size_t count = 0;
    for (size_t i = 0; cli->commands[i] != NULL && count < 47; i++)
        words[count++] = cli->commands[i]->name;
    for (size_t i = 0; gp_topic_names[i] != NULL && count < 47; i++)
        words[count++] = gp_topic_names[i];
    gp_complain_hint(
        cli, GP_EXIT_USAGE,
        gp_nearest_hint(cli, gp_nearest(name, words), "'gpuplan help' lists commands and topics"),
        "no command, topic or rule '%s'", name);
}

static void write_manual(gp_cli *cli, const char *kind, gp_buf *page) {
    if (kind == NULL) {
        gp_manual_write(page, cli->commands);
        gp_stdout_page(cli, page);
        return;
    }
    gp_status st = gp_manual_write_schema(page, kind);
    if (st == GP_ERR_NOT_FOUND)
        gp_complain_hint(cli, GP_EXIT_USAGE, "one of: spec, policy, calibration, config",
                         "no manual page for '%s'", kind);
    gp_check(cli, st, NULL);
    gp_stdout_page(cli, page);
}

static void run_help(gp_cli *cli) {
    gp_buf page = GP_PAGE(cli->arena);
    const char *name = cli->settings.operands.count == 0 ? NULL : cli->settings.operands.items[0];
    if (cli->settings.man) {
        write_manual(cli, name, &page);
        return;
    }
    if (name == NULL) {
        gp_help_overview(&page, cli->commands);
    } else if (gp_command_find(cli, name) != NULL) {
        gp_help_command(&page, gp_command_find(cli, name));
    } else if (strcmp(name, "rules") == 0) {
        list_rules(&page);
    } else if (!gp_help_topic(&page, name) && !help_rule(&page, name)) {
        unknown_topic(cli, name);
    }
    gp_stdout_page(cli, &page);
}

const gp_command gp_command_help = {
    .name = "help",
    .operands = "[COMMAND|TOPIC|GPnnnn]",
    .max_operands = 1,
    .summary = "Explain a command, a topic or a rule.",
    .examples = "  gpuplan help size\n  gpuplan help units\n  gpuplan help GP1003\n",
    GP_OPTIONS(help_options),
    .words = gp_topic_names,
    .run = run_help,
};
