/*
 * Reading: files, folders and standard input, with a cap while reading so that a wrong name costs
 * no memory.
 */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *shown_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static gp_exit read_all(gp_cli *cli, FILE *file, const char *path, size_t most, char **ret_data,
                        size_t *ret_len) {
    size_t capacity = 64 * 1024;
    size_t len = 0;
    char *data = gp_arena_resize(cli->arena, NULL, 0, capacity + 1);
    while (data != NULL) {
        len += fread(data + len, 1, capacity - len, file);
        if (len > most)
            return gp_complain(cli, GP_EXIT_INPUT,
                               "%s is larger than %zu MiB, the limit of an input", shown_name(path),
                               most / 1024 / 1024);
        if (len < capacity)
            break;
        data = gp_arena_resize(cli->arena, data, capacity + 1, 2 * capacity + 1);
        capacity *= 2;
    }
    if (ferror(file))
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read %s: %s", shown_name(path),
                           strerror(errno));
    data[len] = '\0';
    *ret_data = data;
    *ret_len = len;
    return GP_EXIT_YES;
}

/* So that nothing is written onto it. */
static void remember(gp_cli *cli, FILE *file) {
    struct stat info;
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode))
        return;
    GP_PUSH(cli->arena, cli->inputs, cli->input_count, cli->input_capacity) =
        (gp_file_id){info.st_dev, info.st_ino};
}

gp_exit gp_file_open(gp_cli *cli, const char *path, FILE **ret_file) {
    *ret_file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (*ret_file == NULL)
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot open %s: %s", path, strerror(errno));
    remember(cli, *ret_file);
    return GP_EXIT_YES;
}

gp_exit gp_file_read(gp_cli *cli, const char *path, gp_text **ret_text) {
    return gp_file_read_most(cli, path, GP_INPUT_MAX_BYTES, ret_text);
}

gp_exit gp_file_read_most(gp_cli *cli, const char *path, size_t most, gp_text **ret_text) {
    FILE *file = NULL;
    char *data = NULL;
    size_t len = 0;
    gp_exit code = gp_file_open(cli, path, &file);
    if (code == GP_EXIT_YES)
        code = read_all(cli, file, path, most, &data, &len);
    if (file != NULL && file != stdin)
        (void)fclose(file);
    if (code != GP_EXIT_YES)
        return code;
    gp_status st = gp_text_init(cli->arena, path, data, len, ret_text);
    if (st == GP_ERR_LIMIT)
        return gp_complain(cli, GP_EXIT_INPUT, "%s exceeds a limit of gpuplan", shown_name(path));
    return GP_EXIT_YES;
}

static bool is_plan_name(const char *name) {
    static const char suffix[] = ".plan.yaml";
    size_t len = strlen(name);
    size_t tail = sizeof suffix - 1;
    return strcmp(name, "plan.yaml") == 0 ||
           (len > tail && name[0] != '.' && strcmp(name + len - tail, suffix) == 0);
}

static int compare_words(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static gp_exit list_folder(gp_cli *cli, const char *path, DIR *folder, gp_words *names) {
    size_t len = strlen(path);
    const char *slash = len > 0 && path[len - 1] == '/' ? "" : "/";
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL)
            break;
        if (!is_plan_name(entry->d_name))
            continue;
        const char *name = gp_arena_printf(cli->arena, "%s%s%s", path, slash, entry->d_name);
        gp_words_add(cli->arena, names, name);
    }
    if (errno != 0)
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read folder %s: %s", path,
                           strerror(errno));
    if (names->count == 0)
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "no plan.yaml and no *.plan.yaml in folder %s",
                           path);
    qsort(names->items, names->count, sizeof *names->items, compare_words);
    return GP_EXIT_YES;
}

static gp_exit expand_folder(gp_cli *cli, const char *path, gp_words *files) {
    DIR *folder = opendir(path);
    if (folder == NULL)
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot open folder %s: %s", path,
                           strerror(errno));
    gp_words names = {0};
    gp_exit code = list_folder(cli, path, folder, &names);
    (void)closedir(folder);
    for (size_t i = 0; code == GP_EXIT_YES && i < names.count; i++) {
        gp_words_add(cli->arena, files, names.items[i]);
    }
    return code;
}

gp_exit gp_inputs_expand(gp_cli *cli, const gp_words *operands, gp_words *ret_files) {
    bool stdin_used = false;
    for (size_t i = 0; i < operands->count; i++) {
        const char *path = operands->items[i];
        bool from_stdin = strcmp(path, "-") == 0;
        if (from_stdin && stdin_used)
            return gp_complain(cli, GP_EXIT_USAGE, "'-' is given twice");
        stdin_used = stdin_used || from_stdin;
        struct stat info;
        if (!from_stdin && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            gp_exit code = expand_folder(cli, path, ret_files);
            if (code != GP_EXIT_YES)
                return code;
        } else {
            gp_words_add(cli->arena, ret_files, path);
        }
    }
    return GP_EXIT_YES;
}
