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

char *gp_stream_read(gp_arena *arena, FILE *file, size_t most, size_t *ret_len) {
    size_t capacity = 64 * 1024;
    size_t len = 0;
    char *data = gp_arena_resize(arena, NULL, 0, capacity + 1);
    while ((len += fread(data + len, 1, capacity - len, file)) == capacity && len <= most) {
        data = gp_arena_resize(arena, data, capacity + 1, 2 * capacity + 1);
        capacity *= 2;
    }
    data[len] = '\0';
    *ret_len = len;
    return data;
}

gp_text *gp_bytes_text(gp_cli *cli, const char *path, const char *data, size_t len, size_t most) {
    gp_text *text = NULL;
    if (len > most)
        gp_complain(cli, GP_EXIT_INPUT, "%s is larger than %zu MiB, the limit of an input",
                    shown_name(path), most / 1024 / 1024);
    if (gp_text_init(cli->arena, path, data, len, &text) == GP_ERR_LIMIT)
        gp_complain(cli, GP_EXIT_INPUT, "%s exceeds a limit of gpuplan", shown_name(path));
    return text;
}

/* So that nothing is written onto it. */
static void remember(gp_cli *cli, FILE *file) {
    struct stat info;
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode))
        return;
    GP_PUSH(cli->arena, cli->inputs, cli->input_count, cli->input_capacity) =
        (gp_file_id){info.st_dev, info.st_ino};
}

FILE *gp_file_open(gp_cli *cli, const char *path) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file == NULL)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot open %s: %s", path, strerror(errno));
    remember(cli, file);
    return file;
}

gp_text *gp_file_read(gp_cli *cli, const char *path) {
    return gp_file_read_most(cli, path, GP_INPUT_MAX_BYTES);
}

gp_text *gp_file_read_most(gp_cli *cli, const char *path, size_t most) {
    FILE *file = gp_file_open(cli, path);
    size_t len = 0;
    const char *data = gp_stream_read(cli->arena, file, most, &len);
    const int error = ferror(file) ? errno : 0;
    if (file != stdin)
        (void)fclose(file);
    if (error != 0 && len <= most)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read %s: %s", shown_name(path),
                    strerror(error));
    return gp_bytes_text(cli, path, data, len, most);
}

const char *gp_path_beside(gp_arena *arena, const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    if (path[0] == '.' && path[1] == '/')
        path += 2;
    if (path[0] == '/' || slash == NULL)
        return path;
    return gp_arena_printf(arena, "%.*s%s", (int)(slash - file + 1), file, path);
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

void gp_words_sort(gp_words *words, size_t from) {
    qsort(words->items + from, words->count - from, sizeof *words->items, compare_words);
}

/* Adds its plans to `files`, in byte order. */
static void expand_folder(gp_cli *cli, const char *path, gp_words *files) {
    const size_t before = files->count;
    const size_t len = strlen(path);
    const char *slash = len > 0 && path[len - 1] == '/' ? "" : "/";
    DIR *folder = opendir(path);
    if (folder == NULL)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot open folder %s: %s", path, strerror(errno));
    const struct dirent *entry = NULL;
    while (errno = 0, (entry = readdir(folder)) != NULL)
        if (is_plan_name(entry->d_name))
            gp_words_add(cli->arena, files,
                         gp_arena_printf(cli->arena, "%s%s%s", path, slash, entry->d_name));
    const int error = errno;
    (void)closedir(folder);
    if (error != 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read folder %s: %s", path, strerror(error));
    if (files->count == before)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "no plan.yaml and no *.plan.yaml in folder %s", path);
    gp_words_sort(files, before);
}

void gp_inputs_expand(gp_cli *cli, const gp_words *operands, gp_words *ret_files) {
    bool stdin_used = false;
    for (size_t i = 0; i < operands->count; i++) {
        const char *path = operands->items[i];
        bool from_stdin = strcmp(path, "-") == 0;
        if (from_stdin && stdin_used)
            gp_complain(cli, GP_EXIT_USAGE, "'-' is given twice");
        stdin_used = stdin_used || from_stdin;
        struct stat info;
        if (!from_stdin && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            expand_folder(cli, path, ret_files);
        } else {
            gp_words_add(cli->arena, ret_files, path);
        }
    }
}
