/*
 * What flags left open: the environment, then the project file, then the user's file. What only
 * concerns how things are shown may come from any of them, all else from the project file alone.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/config.h"

/* ---- the environment */

/* Options that change what is shown, never what comes out. */
static const char *const shown_options[] = {"color", "detail", "format", "quiet", "width", NULL};

/* "fail-on" to "GPUPLAN_FAIL_ON". */
static const char *variable_of(gp_arena *arena, const char *option) {
    char *name = gp_arena_printf(arena, "GPUPLAN_%s", option);
    for (char *at = name; at != NULL && *at != '\0'; at++) {
        if (*at >= 'a' && *at <= 'z') {
            *at = (char)(*at - 'a' + 'A');
        } else if (*at == '-') {
            *at = '_';
        }
    }
    return name;
}

/* A switch is on where its variable is 1, true or yes. */
static bool is_off(const gp_opt *option, const char *value) {
    return option->kind == GP_OPT_SWITCH && strcmp(value, "1") != 0 && strcmp(value, "true") != 0 &&
           strcmp(value, "yes") != 0;
}

static void from_variable(gp_cli *cli, const gp_opt *option) {
    const char *name = variable_of(cli->arena, option->name);
    const char *value = getenv(name);
    if (value == NULL || value[0] == '\0')
        return;
    if (gp_str_index(shown_options, option->name) < 0) {
        gp_tell(cli, "%s is not read: the environment changes what is shown, never results", name);
        return;
    }
    if (!gp_option_given(cli, option) && !is_off(option, value))
        gp_option_set(cli, option, name, value);
}

static void from_environment(gp_cli *cli) {
    for (size_t i = 0; i < gp_common_option_count; i++)
        from_variable(cli, &gp_common_options[i]);
    for (size_t i = 0; i < cli->command->option_count; i++)
        from_variable(cli, &cli->command->options[i]);
}

/* ---- files of settings */

static void read_config(gp_cli *cli, const char *path, gp_config_scope scope,
                        const gp_text **ret_text, gp_config **ret_config) {
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_text *text = gp_file_read(cli, path);
    *ret_text = text;
    gp_status st = gp_config_read(cli->arena, text, scope, &diags, ret_config);
    gp_check(cli, st, &diags);
    gp_print_diags(cli, &diags);
}

/* The option of the command that the key of settings files belongs to, where it is still open. */
static const gp_opt *open_option(const gp_cli *cli, const char *key) {
    const gp_opt *option = NULL;
    for (size_t i = 0; (option = gp_option_at(cli->command, i)) != NULL; i++)
        if (option->key != NULL && strcmp(option->key, key) == 0)
            break;
    const bool open =
        option != NULL && (option->kind == GP_OPT_LIST || !gp_option_given(cli, option));
    return open ? option : NULL;
}

static void take_word(gp_cli *cli, const char *key, int word) {
    const gp_opt *option = word > 0 ? open_option(cli, key) : NULL;
    if (option != NULL)
        *(int *)(void *)((char *)&cli->settings + option->offset) = word;
}

/* What both files may say. */
static void take_shown(gp_cli *cli, const gp_config *config) {
    const gp_opt *width = config->width > 0 ? open_option(cli, "width") : NULL;
    take_word(cli, "color", config->color);
    take_word(cli, "detail", config->detail);
    if (width != NULL)
        cli->settings.width = config->width;
}

/* ---- the project */

/* A path of the project file, as seen from the working folder. */
static const char *from_folder(gp_cli *cli, const char *folder, const char *path) {
    return path[0] == '/' ? path : gp_arena_printf(cli->arena, "%s%s", folder, path);
}

/* The project's items go before those of flags, so that the latter win. */
static void take_files(gp_cli *cli, const char *folder, const gp_config_paths *paths,
                       gp_words *words) {
    gp_words all = {0};
    for (size_t i = 0; i < paths->count; i++) {
        const char *path = from_folder(cli, folder, paths->items[i]);
        gp_words_add(cli->arena, &all, path);
    }
    for (size_t i = 0; i < words->count; i++)
        gp_words_add(cli->arena, &all, words->items[i]);
    *words = all;
}

static void take_inputs(gp_cli *cli, const char *folder, const gp_config *config) {
    gp_settings *settings = &cli->settings;
    const struct {
        const char *key;
        const gp_config_paths paths;
        gp_words *words;
    } rows[] = {
        {"catalogs", {config->catalogs.count, config->catalogs.items}, &settings->catalogs},
        {"calibration",
         {config->calibration.count, config->calibration.items},
         &settings->calibrations},
        {"prices", {config->prices.count, config->prices.items}, &settings->prices},
        {"policies", {config->policies.count, config->policies.items}, &settings->policies},
    };
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        if (open_option(cli, rows[i].key) != NULL)
            take_files(cli, folder, &rows[i].paths, rows[i].words);
    if (config->lock != NULL && open_option(cli, "lock") != NULL)
        settings->lock = from_folder(cli, folder, config->lock);
}

/* The day of the environment goes before that of the project. */
static void take_day(gp_cli *cli, const gp_config *config) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const int64_t day = config->now;
    if (day == 0 || open_option(cli, "now") == NULL || (epoch != NULL && epoch[0] != '\0'))
        return;
    cli->settings.now = gp_day_text(cli->arena, day);
}

static void take_specs(gp_cli *cli, const char *folder, const gp_config *config) {
    gp_words files = {0};
    gp_config_paths chosen = {0};
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_project_files(cli, folder, &files);
    const gp_config_paths all = {files.count, files.items};
    gp_status st = gp_config_select(cli->arena, config, &all, &diags, &chosen);
    gp_check(cli, st, &diags);
    gp_print_diags(cli, &diags);
    take_files(cli, folder, &chosen, &cli->settings.operands);
}

static void from_project(gp_cli *cli) {
    const char *path = NULL;
    const char *folder = NULL;
    gp_config *config = NULL;
    gp_project_find(cli, &path, &folder);
    if (path == NULL)
        return;
    read_config(cli, path, GP_CONFIG_PROJECT, &cli->project, &config);
    take_inputs(cli, folder, config);
    take_word(cli, "failOn", config->fail_on);
    take_shown(cli, config);
    take_day(cli, config);
    if (cli->command->project_specs && cli->settings.operands.count == 0 && config->specs.count > 0)
        take_specs(cli, folder, config);
}

/* ---- the user */

static const char *user_path(gp_arena *arena) {
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (base != NULL && base[0] == '/')
        return gp_arena_printf(arena, "%s/gpuplan/config.yaml", base);
    return home == NULL || home[0] != '/'
               ? NULL
               : gp_arena_printf(arena, "%s/.config/gpuplan/config.yaml", home);
}

static void from_user(gp_cli *cli) {
    const char *path = user_path(cli->arena);
    const char *no_color = getenv("NO_COLOR");
    struct stat info;
    const gp_text *text = NULL;
    gp_config *config = NULL;
    if (path == NULL || (stat(path, &info) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return;
    read_config(cli, path, GP_CONFIG_USER, &text, &config);
    if (no_color != NULL && no_color[0] != '\0')
        config->color = 0; /* the environment goes before the user's file */
    take_shown(cli, config);
}

/* Commands without any option that a file may set have no use for one. */
static bool takes_settings(const gp_command *command) {
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].key != NULL)
            return true;
    return false;
}

void gp_settings_complete(gp_cli *cli) {
    from_environment(cli);
    if (!takes_settings(cli->command))
        return;
    if (!cli->command->no_project)
        from_project(cli);
    from_user(cli);
}
