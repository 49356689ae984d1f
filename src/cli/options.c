/*
 * The option parser: one table per command says what there is; nothing is abbreviated and nothing
 * is guessed. Options may stand before or after operands; `--` ends them.
 */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

static const char *const color_words[] = {"auto", "always", "never", NULL};

const gp_opt gp_common_options[] = {
    GP_SWITCH("help", help, "Print help for the command and exit.", .letter = 'h'),
    GP_SWITCH("quiet", quiet,
              "Print errors only: no warnings, and no report unless a form is requested.",
              .letter = 'q'),
    GP_WORD("color", color, "WHEN", color_words, "Colour: auto (on a terminal), always or never.",
            .key = "color"),
    GP_SWITCH("no-color", no_color, "The same as --color never."),
};
const size_t gp_common_option_count = GP_COUNT_OF(gp_common_options);

void gp_words_add(gp_arena *arena, gp_words *words, const char *text) {
    GP_PUSH(arena, words->items, words->count, words->capacity) = text;
}

const char *gp_option_label(gp_arena *arena, const gp_opt *option) {
    const char *blank = option->argument == NULL ? "" : " ";
    const char *argument = option->argument == NULL ? "" : option->argument;
    if (option->letter == 0)
        return gp_arena_printf(arena, "    --%s%s%s", option->name, blank, argument);
    return gp_arena_printf(arena, "-%c, --%s%s%s", option->letter, option->name, blank, argument);
}

static bool tells_choices(const gp_opt *option) {
    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++)
        if (strstr(option->help, option->choices[i]) == NULL)
            return false;
    return true;
}

void gp_option_help(gp_buf *page, const gp_opt *option) {
    gp_buf_str(page, option->help);
    if (tells_choices(option))
        return;
    for (size_t i = 0; option->choices[i] != NULL; i++) {
        gp_buf_str(page, i == 0 ? " One of " : ", ");
        gp_buf_str(page, option->choices[i]);
    }
    gp_buf_str(page, ".");
}

const gp_opt *gp_option_at(const gp_command *command, size_t index) {
    if (index < command->option_count)
        return &command->options[index];
    index -= command->option_count;
    return index < gp_common_option_count ? &gp_common_options[index] : NULL;
}

static const gp_opt *option_find(const gp_command *command, const char *name, size_t len,
                                 char letter) {
    const gp_opt *option = NULL;
    for (size_t i = 0; (option = gp_option_at(command, i)) != NULL; i++)
        if ((name != NULL && gp_str_is(name, len, option->name)) ||
            (letter != 0 && option->letter == letter))
            break;
    return option;
}

static bool is_of_lab(const gp_command *command, const char *name, size_t len) {
    const char *const *words = command->lab_options;
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        if (gp_str_is(name, len, words[i]))
            return true;
    return false;
}

static _Noreturn void unknown_option(gp_cli *cli, const gp_command *command, const char *name,
                                     size_t len) {
    if (is_of_lab(command, name, len))
        gp_complain_hint(cli, GP_EXIT_USAGE,
                         "build it with `make lab` in the gpuplan sources; it fits the built-in "
                         "constants to published runs",
                         "--%.*s is an option of gpuplan-lab, which is not installed", (int)len,
                         name);
    const char *words[32] = {NULL};
    for (size_t i = 0; i < 31 && gp_option_at(command, i) != NULL; i++)
        words[i] = gp_option_at(command, i)->name;
    const char *copy = gp_arena_strndup(cli->arena, name, len);
    const char *nearest = gp_nearest(copy, words);
    const char *hint =
        nearest != NULL
            ? gp_arena_printf(cli->arena, "nearest: --%s", nearest)
            : gp_arena_printf(cli->arena, "see 'gpuplan help %s' for its options", command->name);
    gp_complain_hint(cli, GP_EXIT_USAGE, hint, "unknown option '--%.*s'", (int)len, name);
}

static void set_word(gp_cli *cli, const gp_opt *option, const char *source, const char *value,
                     int *ret_word) {
    int index = gp_str_index(option->choices, value);
    if (index >= 0) {
        *ret_word = index + 1;
        return;
    }
    const char *there = gp_words_joined(cli->arena, option->choices);
    const char *nearest = gp_nearest(value, option->choices);
    const char *hint =
        nearest == NULL
            ? gp_arena_printf(cli->arena, "one of: %s", there)
            : gp_arena_printf(cli->arena, "one of: %s (did you mean %s?)", there, nearest);
    gp_complain_hint(cli, GP_EXIT_USAGE, hint, "%s: unknown value '%s'", source, value);
}

static void set_number(gp_cli *cli, const gp_opt *option, const char *source, const char *value,
                       int64_t *ret_number) {
    int64_t number = 0;
    const char *begin = value != NULL ? value : "";
    const char *at = begin;
    for (; *at >= '0' && *at <= '9' && number <= option->max; at++)
        number = number * 10 + (*at - '0');
    if (at == begin || *at != '\0' || number < option->min || number > option->max)
        gp_complain(cli, GP_EXIT_USAGE, "%s: '%s' is not a whole number from %lld to %lld", source,
                    begin, (long long)option->min, (long long)option->max);
    *ret_number = number;
}

void gp_option_set(gp_cli *cli, const gp_opt *option, const char *source, const char *value) {
    void *slot = (char *)&cli->settings + option->offset;
    switch (option->kind) {
    case GP_OPT_SWITCH: *(bool *)slot = true; return;
    case GP_OPT_TEXT: *(const char **)slot = value; return;
    case GP_OPT_LIST: gp_words_add(cli->arena, slot, value); return;
    case GP_OPT_WORD: set_word(cli, option, source, value, slot); return;
    case GP_OPT_NUMBER: set_number(cli, option, source, value, slot); return;
    }
}

static void set_value(gp_cli *cli, const gp_opt *option, const char *value) {
    const char *source = gp_arena_printf(cli->arena, "--%s", option->name);
    gp_option_set(cli, option, source, value);
}

bool gp_option_given(const gp_cli *cli, const gp_opt *option) {
    const void *slot = (const char *)&cli->settings + option->offset;
    switch (option->kind) {
    case GP_OPT_SWITCH: return *(const bool *)slot;
    case GP_OPT_TEXT: return *(const char *const *)slot != NULL;
    case GP_OPT_LIST: return ((const gp_words *)slot)->count > 0;
    case GP_OPT_WORD: return *(const int *)slot > 0;
    case GP_OPT_NUMBER: return *(const int64_t *)slot != 0;
    }
    return false;
}

/* A value that the option was given, as it was written; NULL: a switch has none. */
static const char *value_again(gp_arena *arena, const gp_opt *option, const void *slot,
                               size_t index) {
    switch (option->kind) {
    case GP_OPT_SWITCH: break;
    case GP_OPT_TEXT: return *(const char *const *)slot;
    case GP_OPT_LIST: return ((const gp_words *)slot)->items[index];
    case GP_OPT_WORD: return option->choices[*(const int *)slot - 1];
    case GP_OPT_NUMBER: return gp_arena_printf(arena, "%lld", (long long)*(const int64_t *)slot);
    }
    return NULL;
}

static void add_again(gp_cli *cli, const gp_opt *option, gp_words *ret) {
    const void *slot = (const char *)&cli->settings + option->offset;
    const size_t count = option->kind == GP_OPT_LIST ? ((const gp_words *)slot)->count : 1;
    for (size_t i = 0; i < count; i++) {
        const char *value = value_again(cli->arena, option, slot, i);
        gp_words_add(cli->arena, ret, gp_arena_printf(cli->arena, "--%s", option->name));
        if (value != NULL)
            gp_words_add(cli->arena, ret, value);
    }
}

void gp_options_again(gp_cli *cli, const char *const *names, gp_words *ret) {
    for (; *names != NULL; names++) {
        const gp_opt *option = option_find(cli->command, *names, strlen(*names), 0);
        if (option != NULL && gp_option_given(cli, option))
            add_again(cli, option, ret);
    }
}

/* Where the parser stands. */
typedef struct cursor {
    int argc;
    char *const *argv;
    int at;
} cursor;

/* What follows an option whose word may be left out is an operand where it is no word of it: an
 * option, a path, an address, or the name of a file that there is. */
static bool is_operand(const char *next) {
    return next == NULL || next[0] == '-' || strpbrk(next, "./:") != NULL ||
           access(next, F_OK) == 0;
}

static void take_next(gp_cli *cli, const gp_opt *option, cursor *args) {
    const char *next = args->at + 1 < args->argc ? args->argv[args->at + 1] : NULL;
    bool word = next != NULL && option->choices != NULL && gp_str_index(option->choices, next) >= 0;
    if (option->bare != NULL && !word && is_operand(next)) {
        set_value(cli, option, option->bare);
        return;
    }
    if (next == NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--%s needs a value: %s", option->name, option->argument);
    if (next[0] == '-' && next[1] != '\0')
        gp_complain_hint(cli, GP_EXIT_USAGE,
                         gp_arena_printf(cli->arena,
                                         "write a value that begins with '-' as --%s=%s",
                                         option->name, next),
                         "--%s needs a value: %s", option->name, option->argument);
    args->at++;
    set_value(cli, option, next);
}

static void parse_long(gp_cli *cli, const gp_command *command, cursor *args) {
    const char *name = args->argv[args->at] + 2;
    size_t len = strcspn(name, "=");
    const gp_opt *option = option_find(command, name, len, 0);
    const bool alone = name[len] == '\0';
    if (option == NULL)
        unknown_option(cli, command, name, len);
    if (option->kind == GP_OPT_SWITCH && !alone)
        gp_complain(cli, GP_EXIT_USAGE, "--%s takes no value", option->name);
    if (option->kind != GP_OPT_SWITCH && alone)
        take_next(cli, option, args);
    else
        set_value(cli, option, alone ? NULL : name + len + 1);
}

/* "-q", "-f json", "-fjson", "-qf json". */
static void parse_short(gp_cli *cli, const gp_command *command, cursor *args) {
    for (const char *letter = args->argv[args->at] + 1; *letter != '\0'; letter++) {
        const gp_opt *option = option_find(command, NULL, 0, *letter);
        if (option == NULL)
            gp_complain_hint(
                cli, GP_EXIT_USAGE,
                gp_arena_printf(cli->arena, "see 'gpuplan help %s' for its options", command->name),
                "unknown option '-%.*s'", 1, letter);
        if (option->kind == GP_OPT_SWITCH) {
            set_value(cli, option, NULL);
            continue;
        }
        if (letter[1] == '\0')
            take_next(cli, option, args);
        else
            set_value(cli, option, letter + 1);
        return;
    }
}

void gp_operands_check(gp_cli *cli) {
    const gp_command *command = cli->command;
    size_t count = cli->settings.operands.count;
    if (cli->settings.help)
        return;
    const char *hint =
        gp_arena_printf(cli->arena, "usage: gpuplan %s [options] %s", command->name,
                        command->operands[0] == '\0' ? "(no operands)" : command->operands);
    if (count < command->min_operands && command->project_specs)
        hint = gp_arena_printf(cli->arena, "%s; or specs in .gpuplan.yaml", hint);
    if (count < command->min_operands)
        gp_complain_hint(cli, GP_EXIT_USAGE, hint, "an operand is missing");
    if (count > command->max_operands)
        gp_complain_hint(cli, GP_EXIT_USAGE, hint, "unexpected operand '%s'",
                         cli->settings.operands.items[command->max_operands]);
}

void gp_options_parse(gp_cli *cli, const gp_command *command, int argc, char *const *argv) {
    bool options_end = false;
    for (cursor args = {argc, argv, 0}; args.at < argc; args.at++) {
        const char *arg = argv[args.at];
        if (options_end || arg[0] != '-' || arg[1] == '\0') {
            gp_words_add(cli->arena, &cli->settings.operands, arg);
        } else if (strcmp(arg, "--") == 0) {
            options_end = true;
        } else if (arg[1] == '-') {
            parse_long(cli, command, &args);
        } else {
            parse_short(cli, command, &args);
        }
    }
}

bool gp_options_ask_json(int argc, char *const *argv) {
    bool json = false;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool apart = strcmp(argv[i], "-f") == 0 || strcmp(argv[i], "--format") == 0;
        if (apart && i + 1 < argc) {
            json = strcmp(argv[++i], "json") == 0;
        } else if (strncmp(argv[i], "--format=", 9) == 0) {
            json = strcmp(argv[i] + 9, "json") == 0;
        } else if (strncmp(argv[i], "-f", 2) == 0) {
            json = strcmp(argv[i] + 2, "json") == 0;
        }
    }
    return json;
}
