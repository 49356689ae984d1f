/*
 * The command line: options as tables, commands as rows. Only this room touches the environment,
 * files and the standard streams; everything it knows about planning comes through <gpuplan/...>.
 */
#ifndef GP_CLI_CLI_H
#define GP_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>
#include <gpuplan/status.h>

#include "base/buf.h"
#include "base/str.h"

typedef enum gp_exit {
    GP_EXIT_YES = 0,
    GP_EXIT_NO = 1, /* the answer is no: infeasible, or a finding at --fail-on */
    GP_EXIT_USAGE = 2,
    GP_EXIT_INPUT = 3,
    GP_EXIT_ENVIRONMENT = 4,
    GP_EXIT_INTERNAL = 70,
    GP_EXIT_INTERRUPTED = 130
} gp_exit;

/* Texts in the order given; grows in the arena. */
typedef struct gp_words {
    size_t count;
    size_t capacity;
    const char **items;
} gp_words;

/* What the options of all commands set. A word option holds 1 + the index of its choice, and 0
 * where it was not given. */
typedef struct gp_settings {
    bool help, quiet, no_color, man, exit_code;
    int64_t max_bytes; /* 0: not given */
    int color;
    int form;
    int objective;
    int fail_on;
    int detail;
    int simulate;    /* how much of it goes into a plan */
    int64_t width;   /* 0: not given */
    gp_words tokens; /* calibrate */
    gp_words outputs, workloads, sets, catalogs, calibrations, prices, policies;
    const char *now;
    const char *lock; /* path; NULL: gpuplan.lock beside the spec */
    bool locked, no_lock;
    /* import, price */
    const char *cacert, *revision, *name, *provider, *region, *sku, *url;
    int64_t timeout_s, attempts; /* 0: not given */
    int tier;
    bool architectures;
    gp_words gpus, systems;
    const char *grep, *model;
    int template_word;
    bool all; /* backtest */
    int backtest_tuning;
    int leave_out, backtest_confidence; /* gpuplan-lab backtest */
    int64_t worst;                      /* backtest: 0: not given */
    const char *group_by;               /* backtest: columns, comma separated */
    bool read;                          /* calibrate: rows of what tools wrote, and no fit */
    int reader;                         /* calibrate: what wrote the files */
    const char *since, *until;          /* calibrate: the window; its name is `name` too */
    /* simulate; counts are 0 where not given */
    int router, process;
    int64_t requests, seed, replicas, prefill_replicas, prefix_groups;
    const char *workload, *trace, *rate_scale, *arrival_cv, *autoscale;
    gp_words outages;
    /* observe, and calibrate from a server */
    bool declared;
    const char *prometheus, *window, *selector, *auth_file, *readings;
    gp_words matches, limits;
    /* export */
    const char *export_form, *image, *metric;
    int autoscaler, api;
    bool neutral;
    /* capacity */
    int64_t most_gpus, most_racks; /* 0: not given */
    const char *site;              /* one of several; NULL: not given */
    const char *most_power, *most_money;
    /* sweep, merge */
    const char *vary, *shard;
    int64_t jobs, random, latin, draws, sweep; /* 0: not given */
    gp_words metrics, fronts;
    gp_words operands;
} gp_settings;

typedef enum gp_opt_kind {
    GP_OPT_SWITCH, /* bool */
    GP_OPT_TEXT,   /* const char *; the last one wins */
    GP_OPT_LIST,   /* gp_words; repeatable */
    GP_OPT_WORD,   /* int, 1 + index into choices */
    GP_OPT_NUMBER  /* int64_t between min and max */
} gp_opt_kind;

typedef enum gp_opt_value {
    GP_VALUE_ANY, /* what a shell completes the argument with */
    GP_VALUE_FILE,
    GP_VALUE_WORKLOAD /* of the specs on the line */
} gp_opt_value;

typedef struct gp_opt {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    gp_opt_kind kind;
    size_t offset;              /* into gp_settings */
    const char *argument;       /* "FILE"; NULL for a switch */
    const char *const *choices; /* WORD: NULL-terminated */
    const char *bare;           /* WORD: what it says where none of them follows; NULL: an error */
    int64_t min, max;
    gp_opt_value value;
    const char *key; /* of the settings files, where it may stand as well; NULL: nowhere */
    const char *help;
} gp_opt;

/* Rows of option tables: name, member of gp_settings, argument, what the kind needs, help; then
 * members by name. */
#define GP_OPTION_ROW(of_kind, text, member, word, ...)                                            \
    {                                                                                              \
        .name = (text), .kind = (of_kind), .offset = offsetof(gp_settings, member),                \
        .argument = (word), .help = __VA_ARGS__                                                    \
    }
#define GP_SWITCH(name, member, ...)                                                               \
    GP_OPTION_ROW(GP_OPT_SWITCH, name, member, NULL, __VA_ARGS__)
#define GP_TEXT(name, member, word, ...) GP_OPTION_ROW(GP_OPT_TEXT, name, member, word, __VA_ARGS__)
#define GP_TEXTS(name, member, word, ...)                                                          \
    GP_OPTION_ROW(GP_OPT_LIST, name, member, word, __VA_ARGS__)
#define GP_WORD(name, member, word, words, ...)                                                    \
    GP_OPTION_ROW(GP_OPT_WORD, name, member, word, __VA_ARGS__, .choices = (words))
#define GP_NUMBER(name, member, word, least, most, ...)                                            \
    GP_OPTION_ROW(GP_OPT_NUMBER, name, member, word, __VA_ARGS__, .min = (least), .max = (most))
#define GP_FILE(name, member, ...)                                                                 \
    GP_TEXT(name, member, "FILE", __VA_ARGS__, .value = GP_VALUE_FILE)
#define GP_FILES(name, member, ...)                                                                \
    GP_TEXTS(name, member, "FILE", __VA_ARGS__, .value = GP_VALUE_FILE)
#define GP_FORM(words, ...) GP_WORD("format", form, "FORM", words, __VA_ARGS__, .letter = 'f')
#define GP_OUTPUTS(word, ...)                                                                      \
    GP_TEXTS("output", outputs, word, __VA_ARGS__, .letter = 'o', .value = GP_VALUE_FILE)

/* Members of a command. */
#define GP_OPTIONS(rows) .options = (rows), .option_count = GP_COUNT_OF(rows)

typedef struct gp_cli gp_cli;

typedef struct gp_command {
    const char *name;
    const char *operands; /* "FILE|DIR|-...", "" for none */
    size_t min_operands, max_operands;
    const char *summary;
    const char *details;
    const char *examples; /* lines, each a command */
    const gp_opt *options;
    size_t option_count;
    const char *const *words;       /* operands that a shell completes; NULL: files */
    const char *const *lab_options; /* that gpuplan-lab has instead, NULL-terminated; or NULL */
    bool files;                     /* files come after one of the words */
    bool project_specs;             /* without operands it takes the specs of the project file */
    bool no_project;                /* it takes nothing from the project file */
    void (*run)(gp_cli *cli);       /* where the answer is no, it says so in cli->answer */
} gp_command;

/* What a command left with, and the first error, for the JSON error object; of errors of the input
 * all that was told. */
typedef struct gp_cli_error {
    gp_exit code;
    const char *id, *message, *file;
    uint32_t line, column;
    gp_diags diags;
} gp_cli_error;

/* A file, whatever it is called. */
typedef struct gp_file_id {
    uintmax_t device, node;
} gp_file_id;

struct gp_cli {
    gp_arena *arena;
    const gp_command *const *commands; /* NULL-terminated, in the order of help */
    const gp_command *command;         /* NULL before it is known */
    gp_settings settings;
    const gp_text *project; /* the project file, or NULL */
    gp_exit answer;         /* YES or NO, where nothing was complained of */
    bool json_errors;
    bool muted; /* complaints are not printed */
    gp_cli_error *error;
    /* files that were read: nothing is written onto them */
    gp_file_id *inputs;
    size_t input_count, input_capacity;
};

/* ---- options.c */

extern const gp_opt gp_common_options[]; /* of every command */
extern const size_t gp_common_option_count;
/* The command's own in their order, then the common ones; NULL past the last. */
const gp_opt *gp_option_at(const gp_command *command, size_t index);
/* Parses argv[0..argc) into cli->settings. */
void gp_options_parse(gp_cli *cli, const gp_command *command, int argc, char *const *argv);
/* Whether the raw arguments ask for JSON: known before they are checked. */
bool gp_options_ask_json(int argc, char *const *argv);
/* "--format FORM" and "-f, --format FORM" as people read them. */
const char *gp_option_label(gp_arena *arena, const gp_opt *option);
/* Its help, with the words it takes where the help does not name them. */
void gp_option_help(gp_buf *page, const gp_opt *option);
void gp_words_add(gp_arena *arena, gp_words *words, const char *text);
/* Puts those from `from` on into byte order. */
void gp_words_sort(gp_words *words, size_t from);
/* Whether a flag gave the option a value. */
bool gp_option_given(const gp_cli *cli, const gp_opt *option);
/* Those of `names` that were given, in this order, as words for another call: "--set", "a=b". */
void gp_options_again(gp_cli *cli, const char *const *names, gp_words *ret);
/* Gives it the value that a setting of the name `source` holds. */
void gp_option_set(gp_cli *cli, const gp_opt *option, const char *source, const char *value);
/* Complains unless there are as many operands as the command takes. */
void gp_operands_check(gp_cli *cli);

/* ---- settings.c, project.c: what flags left open */

/* Fills cli->settings from the environment, the project file and the user's file, in this order. */
void gp_settings_complete(gp_cli *cli);
/* Place and folder of the project file; NULL: there is none. The folder ends in '/' or is "". */
void gp_project_find(gp_cli *cli, const char **ret_path, const char **ret_folder);
/* Regular files below `folder`, relative to it, in byte order, but what begins with a dot. */
void gp_project_files(gp_cli *cli, const char *folder, gp_words *ret_paths);

/* ---- commands.c, and each command in a file of its own */

extern const gp_command *const gp_commands[]; /* what main puts into cli->commands */

/* ---- nearest.c */

const gp_command *gp_command_find(const gp_cli *cli, const char *name);
/* The word of the NULL-terminated list that is nearest to `text`, or NULL where none is near. */
const char *gp_nearest(const char *text, const char *const *words);
/* "nearest: WORD"; `otherwise` where that is NULL. */
const char *gp_nearest_hint(gp_cli *cli, const char *nearest, const char *otherwise);
/* "one, two, three"; the list is NULL-terminated. */
const char *gp_words_joined(gp_arena *arena, const char *const *words);
/* Complains about a name that is no command: one of a later version, or a slip of the pen. */
_Noreturn void gp_command_unknown(gp_cli *cli, const char *name);

/* ---- message.c: what goes to standard error */

/* Prints "gpuplan COMMAND: message", remembers the first for the JSON object, and leaves by the
 * door of the command's arena: who holds anything but arena memory opens a door of his own. */
_Noreturn void gp_complain(gp_cli *cli, gp_exit code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a line "  hint" below it. */
_Noreturn void gp_complain_hint(gp_cli *cli, gp_exit code, const char *hint, const char *format,
                                ...) __attribute__((format(printf, 4, 5)));
/* YES where `work` comes to an end, else the code that it complained with. */
gp_exit gp_try(gp_cli *cli, gp_status (*work)(void *context), void *context);
/* "gpuplan COMMAND: message" on standard error, unless quiet. */
void gp_tell(const gp_cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts a text on standard error as it is. */
void gp_stderr_write(const char *text);
/* Prints every diagnostic and, where some are errors, a line that counts them. */
void gp_tell_diags(gp_cli *cli, const gp_diags *diags);
/* The same, and leaves (INPUT) where one is an error. */
void gp_print_diags(gp_cli *cli, const gp_diags *diags);
/* Leaves where a library says that something is wrong, and tells what; `diags` may be NULL. */
void gp_check(gp_cli *cli, gp_status st, const gp_diags *diags);
/* Members of a JSON object: "diagnostics", how many are "suppressed", and "error", the first error,
 * where there is one. */
void gp_page_diags(gp_buf *page, const gp_diags *diags, gp_exit code);
/* Writes {"error": ...} to standard output where JSON was asked for and the code is an error. */
void gp_finish_errors(gp_cli *cli);

/* ---- page.c: text that is put together before it is written */

/* As long as there is memory for it. */
#define GP_PAGE(arena) GP_BUF(arena, SIZE_MAX / 2)
/* A JSON string with its quotes behind what stands before it; NULL becomes null. */
void gp_page_json(gp_buf *page, const char *before, const char *text);
/* `text` broken at blanks to `width` columns, each line behind `indent` blanks; the first line
 * starts in column `column` already. Ends with a line feed. */
void gp_page_wrap(gp_buf *page, const char *text, size_t indent, size_t column, size_t width);
/* `text` and blanks up to `width` columns. */
void gp_page_pad(gp_buf *page, const char *text, size_t width);

/* ---- files.c: reading */

enum {
    GP_INPUT_MAX_BYTES = 4 * 1024 * 1024,
    GP_LOG_MAX_BYTES = 64 * 1024 * 1024,
    GP_REPORT_MAX_BYTES = 64 * 1024 * 1024 /* of thousands of workloads */
};

/* Opens a file, or standard input for "-"; nothing is written onto it from here on. */
FILE *gp_file_open(gp_cli *cli, const char *path);
/* Reads it into a text of that name. */
gp_text *gp_file_read(gp_cli *cli, const char *path);
/* The same with another limit on its size. */
gp_text *gp_file_read_most(gp_cli *cli, const char *path, size_t most);
/* What comes from a stream, until it is more than `most` bytes; NUL-terminated. */
char *gp_stream_read(gp_arena *arena, FILE *file, size_t most, size_t *ret_len);
/* The text of that name; complains where there are more than `most` bytes. */
gp_text *gp_bytes_text(gp_cli *cli, const char *path, const char *data, size_t len, size_t most);
/* "own.yaml" or "./own.yaml" in the folder of `file`. */
const char *gp_path_beside(gp_arena *arena, const char *file, const char *path);
/* Operands to files: a directory becomes its plan.yaml and *.plan.yaml in byte order. */
void gp_inputs_expand(gp_cli *cli, const gp_words *operands, gp_words *ret_files);

/* ---- day.c */

/* yyyymmdd of a moment (0: beyond the calendar) and of "2027-03-31" (0: no date). */
int64_t gp_day_of(time_t moment);
int64_t gp_day_parse(const char *text);
/* yyyymmdd of --now, else of SOURCE_DATE_EPOCH, else of today. */
int64_t gp_day_find(gp_cli *cli);
/* "2027-03-31"; NULL when memory is short. */
const char *gp_day_text(gp_arena *arena, int64_t day);

/* ---- output.c: writing */

/* Writes all of `text` to standard output; a full disk or a closed pipe is ENVIRONMENT. */
void gp_stdout_write(gp_cli *cli, const char *text, size_t len);
void gp_stdout_page(gp_cli *cli, const gp_buf *page);

typedef struct gp_artefact {
    const char *path;
    const char *text; /* NULL: `stream` puts it piece by piece */
    size_t len;
    gp_status (*stream)(const void *of, gp_put *put, void *to);
    const void *of;
    bool replaces; /* what was read of it: a lock */
} gp_artefact;

/* Writes the artefacts, each whole or not at all: next to its place first, then renamed. A link is
 * followed; a file that was read is refused (USAGE). */
void gp_artefacts_write(gp_cli *cli, const gp_artefact *items, size_t count);
/* Those with a path to their files, then the one without (if any) to standard output. */
void gp_artefacts_put(gp_cli *cli, const gp_artefact *items, size_t count);
/* One text to the files of --output, each whole or not at all, else to standard output. */
void gp_outputs_write(gp_cli *cli, const char *text, size_t len);
/* Turns SIGINT and SIGTERM into exit 130 that leaves no half-written file behind, and a closed
 * pipe or a file that grows too large into a write error. */
void gp_signals_install(void);
/* Removes what was begun and not put in its place. */
void gp_artefacts_drop(void);

/* ---- terminal.c: what the surroundings say about presentation; it changes no result */

/* Columns of standard output: --width, else COLUMNS on a terminal, else 80. */
int gp_terminal_width(const gp_cli *cli);
/* Whether standard output gets colours. */
bool gp_terminal_colour(const gp_cli *cli);
/* Whether standard output is a terminal. */
bool gp_terminal_is_output(void);
/* Whether somebody watches standard error. */
bool gp_terminal_watched(void);

/* ---- shared.c: libraries that few commands need, opened when they are */

/* Opens the library of that file name for good and writes the address of each function in `names`
 * to `ret_functions`, an array (or a struct) of as many pointers. False where it or one is not
 * there. */
bool gp_shared_open(const char *library, const char *const *names, size_t count,
                    void *ret_functions);

/* ---- help.c, topics.c, manual.c, completion.c */

void gp_help_overview(gp_buf *page, const gp_command *const *commands);
void gp_help_command(gp_buf *page, const gp_command *command);
/* A file of src/cli/texts; NULL: there is none of that name. */
const char *gp_text_named(const char *name);
/* Text of a topic, or false. */
bool gp_help_topic(gp_buf *page, const char *name);
extern const char *const gp_topic_names[];
void gp_manual_write(gp_buf *page, const gp_command *const *commands);
/* The page gpuplan-KIND(5) of "spec", "policy", "calibration" or "config"; else NOT_FOUND. */
gp_status gp_manual_write_schema(gp_buf *page, const char *kind);

#endif
