/*
 * Completion scripts for bash, zsh and fish, written from the tables: commands, options, the words
 * that options take, and files where an option or operand is one.
 */
#include "cli/flow.h"

#include <string.h>

typedef void option_visit(gp_buf *page, const gp_command *command, const gp_opt *option);

static void each_option(gp_buf *page, const gp_command *command, option_visit *visit) {
    for (size_t i = 0; gp_option_at(command, i) != NULL; i++)
        visit(page, command, gp_option_at(command, i));
}

static void add_words(gp_buf *page, const char *const *words) {
    for (size_t i = 0; words[i] != NULL; i++) {
        gp_buf_str(page, i == 0 ? "" : " ");
        gp_buf_str(page, words[i]);
    }
}

static void add_commands(gp_buf *page, const gp_command *const *commands) {
    for (size_t i = 0; commands[i] != NULL; i++) {
        gp_buf_str(page, i == 0 ? "" : " ");
        gp_buf_str(page, commands[i]->name);
    }
}

/* `text` between single quotes of a shell; `quote` is how that shell writes one inside them. */
static void quoted(gp_buf *page, const char *text, const char *quote) {
    gp_buf_str(page, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            gp_buf_str(page, quote);
        } else {
            gp_buf_char(page, *text);
        }
    }
    gp_buf_str(page, "'");
}

/* ---- bash */

static void bash_name(gp_buf *page, const gp_command *command, const gp_opt *option) {
    (void)command;
    gp_buf_printf(page, " --%s", option->name);
}

static void bash_value(gp_buf *page, const gp_command *command, const gp_opt *option) {
    if (option->argument == NULL)
        return;
    gp_buf_printf(page, "    %s:--%s", command->name, option->name);
    if (option->letter != 0)
        gp_buf_printf(page, "|%s:-%c", command->name, option->letter);
    gp_buf_str(page, ") ");
    if (option->choices != NULL) {
        gp_buf_str(page, "COMPREPLY=($(compgen -W '");
        add_words(page, option->choices);
        gp_buf_str(page, "' -- \"$word\"))");
    } else if (option->value == GP_VALUE_FILE) {
        gp_buf_str(page, "COMPREPLY=($(compgen -f -- \"$word\"))");
    } else if (option->value == GP_VALUE_WORKLOAD) {
        gp_buf_str(page, "COMPREPLY=($(compgen -W \"$(_gpuplan_workloads)\" -- \"$word\"))");
    } else {
        gp_buf_str(page, "COMPREPLY=()");
    }
    gp_buf_str(page, "; return ;;\n");
}

static void write_bash(gp_buf *page, const gp_command *const *commands) {
    gp_buf_str(page, "# bash completion of gpuplan\n"
                     "_gpuplan_workloads() {\n"
                     "    local each specs=()\n"
                     "    for each in \"${COMP_WORDS[@]:2}\"; do\n"
                     "        [ -f \"$each\" ] && specs+=(\"$each\")\n"
                     "    done\n"
                     "    gpuplan completion workloads \"${specs[@]}\" 2>/dev/null\n"
                     "}\n"
                     "_gpuplan() {\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    local command=${COMP_WORDS[1]}\n"
                     "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                     "        COMPREPLY=($(compgen -W '");
    add_commands(page, commands);
    gp_buf_str(page, "' -- \"$word\"))\n        return\n    fi\n    case $command:$before in\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        each_option(page, commands[i], bash_value);
    gp_buf_str(page, "    esac\n    case $command:$word in\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        const gp_command *command = commands[i];
        gp_buf_printf(page, "    %s:-*) COMPREPLY=($(compgen -W '", command->name);
        each_option(page, command, bash_name);
        gp_buf_str(page, "' -- \"$word\")) ;;\n");
        if (command->words != NULL) {
            gp_buf_printf(page, "    %s:*) COMPREPLY=($(compgen -W '", command->name);
            add_words(page, command->words);
            gp_buf_printf(page, "'%s -- \"$word\")) ;;\n", command->files ? " -f" : "");
        }
    }
    gp_buf_str(page, "    explain:*) COMPREPLY=($(compgen -f -W \"$(_gpuplan_workloads)\" -- "
                     "\"$word\")) ;;\n");
    gp_buf_str(page, "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                     "complete -o filenames -F _gpuplan gpuplan\n");
}

/* ---- zsh */

/* Brackets and colons mean something in an _arguments text. */
static void zsh_text(gp_buf *page, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("[]:\\", *text) != NULL)
            gp_buf_str(page, "\\");
        gp_buf_char(page, *text);
    }
}

static void zsh_option(gp_buf *page, const gp_command *command, const gp_opt *option) {
    (void)command;
    gp_buf spec = GP_PAGE(page->arena);
    gp_buf_printf(&spec, "%s--%s%s[", option->kind == GP_OPT_LIST ? "*" : "", option->name,
                  option->argument == NULL ? "" : "=");
    zsh_text(&spec, option->help);
    gp_buf_str(&spec, "]");
    if (option->argument != NULL) {
        gp_buf_str(&spec, ":");
        zsh_text(&spec, option->argument);
        gp_buf_str(&spec, ":");
    }
    if (option->choices != NULL) {
        gp_buf_str(&spec, "(");
        add_words(&spec, option->choices);
        gp_buf_str(&spec, ")");
    } else if (option->value == GP_VALUE_FILE) {
        gp_buf_str(&spec, "_files");
    } else if (option->value == GP_VALUE_WORKLOAD) {
        gp_buf_str(&spec, "_gpuplan_workloads");
    }
    gp_buf_str(page, " \\\n            ");
    quoted(page, spec.data, "'\\''");
}

static void write_zsh(gp_buf *page, const gp_command *const *commands) {
    gp_buf_str(page, "#compdef gpuplan\n"
                     "_gpuplan_workloads() {\n"
                     "    local -a specs names\n"
                     "    specs=(${^words[2,-1]}(N-.))\n"
                     "    names=(${(f)\"$(gpuplan completion workloads $specs 2>/dev/null)\"})\n"
                     "    compadd -a names\n"
                     "}\n");
    gp_buf_str(page, "_gpuplan() {\n    if (( CURRENT == 2 )); then\n"
                     "        local -a commands=(\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        gp_buf text = GP_PAGE(page->arena);
        gp_buf_printf(&text, "%s:", commands[i]->name);
        zsh_text(&text, commands[i]->summary);
        gp_buf_str(page, "            ");
        quoted(page, text.data, "'\\''");
        gp_buf_str(page, "\n");
    }
    gp_buf_str(page, "        )\n        _describe command commands\n        return\n    fi\n"
                     "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
                     "    case $command in\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        const gp_command *command = commands[i];
        gp_buf_printf(page, "    %s)\n        _arguments", command->name);
        each_option(page, command, zsh_option);
        gp_buf_printf(page, " \\\n            '%s:operand:", command->files ? "1" : "*");
        if (command->words == NULL) {
            gp_buf_str(page, "_files'");
        } else {
            gp_buf_str(page, "(");
            add_words(page, command->words);
            gp_buf_str(page, command->files ? ")' '*:file:_files'" : ")'");
        }
        gp_buf_str(page, " ;;\n");
    }
    gp_buf_str(page, "    esac\n}\ncompdef _gpuplan gpuplan\n");
}

/* ---- fish */

static void fish_option(gp_buf *page, const gp_command *command, const gp_opt *option) {
    gp_buf_printf(page, "complete -c gpuplan -n '__fish_seen_subcommand_from %s' -l %s",
                  command->name, option->name);
    if (option->letter != 0)
        gp_buf_printf(page, " -s %c", option->letter);
    if (option->choices != NULL) {
        gp_buf_str(page, " -x -a '");
        add_words(page, option->choices);
        gp_buf_str(page, "'");
    } else if (option->value == GP_VALUE_WORKLOAD) {
        gp_buf_str(page, " -x -a '(__gpuplan_workloads)'");
    } else if (option->argument != NULL) {
        gp_buf_str(page, option->value == GP_VALUE_FILE ? " -r -F" : " -x");
    }
    gp_buf_str(page, " -d ");
    quoted(page, option->help, "\\'");
    gp_buf_str(page, "\n");
}

static void write_fish(gp_buf *page, const gp_command *const *commands) {
    gp_buf_str(page, "# fish completion of gpuplan\n"
                     "function __gpuplan_workloads\n"
                     "    set -l specs\n"
                     "    for each in (commandline -opc)[3..-1]\n"
                     "        test -f $each; and set -a specs $each\n"
                     "    end\n"
                     "    gpuplan completion workloads $specs 2>/dev/null\n"
                     "end\n"
                     "complete -c gpuplan -n '__fish_seen_subcommand_from explain' -a "
                     "'(__gpuplan_workloads)'\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        const gp_command *command = commands[i];
        gp_buf_printf(page, "complete -c gpuplan -f -n __fish_use_subcommand -a %s -d ",
                      command->name);
        quoted(page, command->summary, "\\'");
        gp_buf_str(page, "\n");
        each_option(page, command, fish_option);
        gp_buf_printf(page, "complete -c gpuplan -n '__fish_seen_subcommand_from %s'",
                      command->name);
        if (command->words == NULL) {
            gp_buf_str(page, " -F\n");
        } else {
            gp_buf_str(page, command->files ? " -F -a '" : " -f -a '");
            add_words(page, command->words);
            gp_buf_str(page, "'\n");
        }
    }
}

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* A name that a shell takes as it is: others would have to be quoted, and are left out. */
static bool is_plain(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return name[0] != '\0' && name[0] != '-' && name[strspn(name, letters)] == '\0';
}

/* What the scripts ask while somebody types: the workloads of the specs on the line. */
static void print_workloads(gp_cli *cli) {
    gp_words specs = cli->settings.operands;
    gp_overrides fixed = {0};
    gp_buf page = GP_PAGE(cli->arena);
    gp_flow flow;
    gp_spec spec;
    specs.items++;
    specs.count--;
    if (specs.count == 0)
        return;
    gp_flow_open(cli, &specs, &flow);
    gp_flow_read(&flow, &fixed, &spec);
    for (size_t i = 0; i < spec.plans.count; i++) {
        const gp_plan_spec *plan = &spec.plans.items[i]->spec;
        for (size_t k = 0; k < plan->workloads.count; k++)
            if (is_plain(plan->workloads.items[k].name))
                gp_buf_printf(&page, "%s\n", plan->workloads.items[k].name);
    }
    gp_stdout_page(cli, &page);
}

static void run_completion(gp_cli *cli) {
    static void (*const writers[])(gp_buf *, const gp_command *const *) = {write_bash, write_zsh,
                                                                           write_fish};
    const char *shell = cli->settings.operands.items[0];
    const int at = gp_str_index(shells, shell);
    if (strcmp(shell, "workloads") == 0) {
        print_workloads(cli);
        return;
    }
    if (cli->settings.operands.count > 1)
        gp_complain(cli, GP_EXIT_USAGE, "expected one shell");
    gp_buf page = GP_PAGE(cli->arena);
    if (at < 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, "one of: bash, zsh, fish", "no completion for '%s'",
                         shell);
    writers[at](&page, cli->commands);
    gp_stdout_page(cli, &page);
}

const gp_command gp_command_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Print a completion script for a shell.",
    .details =
        "The scripts complete commands, options and their values, files, and the workloads of the "
        "specs on the command line, which they get from 'gpuplan completion workloads FILE...'.",
    .examples = "  gpuplan completion bash > /etc/bash_completion.d/gpuplan\n"
                "  gpuplan completion fish > ~/.config/fish/completions/gpuplan.fish\n",
    .words = shells,
    .run = run_completion,
};
