/*
 * Where the project file is: the nearest .gpuplan.yaml from the working folder up to the root of
 * the repository, and not beyond. Outside of a repository only the working folder counts.
 */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROJECT_FILE ".gpuplan.yaml"

enum { LEVELS_MAX = 64, DEPTH_MAX = 32, FILES_MAX = 100000 };

static bool exists(const char *path) {
    struct stat info;
    return path != NULL && stat(path, &info) == 0;
}

/* Whether both name the same folder: the root of the file system is above itself. */
static bool same_folder(const char *a, const char *b) {
    struct stat one;
    struct stat two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

void gp_project_find(gp_cli *cli, const char **ret_path, const char **ret_folder) {
    const char *found = NULL;
    const char *folder = "";
    bool in_repository = false;
    for (int level = 0; level < LEVELS_MAX && !in_repository; level++) {
        const char *file = gp_arena_printf(cli->arena, "%s" PROJECT_FILE, folder);
        const char *git = gp_arena_printf(cli->arena, "%s.git", folder);
        const char *above = gp_arena_printf(cli->arena, "../%s", folder);
        if (found == NULL && exists(file))
            found = folder;
        in_repository = exists(git);
        if (same_folder(folder[0] == '\0' ? "." : folder, above))
            break;
        folder = above;
    }
    if (found == NULL || (!in_repository && found[0] != '\0'))
        return;
    *ret_folder = found;
    *ret_path = gp_arena_printf(cli->arena, "%s" PROJECT_FILE, found);
}

/* ---- files of the project */

static void walk(gp_cli *cli, const char *root, const char *below, int depth, gp_words *paths);

/* `path` is relative to `root`. Folders behind symbolic links are not entered. */
static void visit(gp_cli *cli, const char *root, const char *path, int depth, gp_words *paths) {
    struct stat info;
    const char *full = gp_arena_printf(cli->arena, "%s%s", root, path);
    if (lstat(full, &info) != 0) {
        return; /* gone since it was listed */
    }
    if (S_ISDIR(info.st_mode)) {
        const char *folder = gp_arena_printf(cli->arena, "%s/", path);
        walk(cli, root, folder, depth + 1, paths);
        return;
    }
    if (stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    if (paths->count >= FILES_MAX)
        gp_complain(cli, GP_EXIT_INPUT, "more than %d files in the project", (int)FILES_MAX);
    gp_words_add(cli->arena, paths, path);
}

static void walk(gp_cli *cli, const char *root, const char *below, int depth, gp_words *paths) {
    const char *full = gp_arena_printf(cli->arena, "%s%s", root, below);
    DIR *folder = depth > DEPTH_MAX ? NULL : opendir(full[0] == '\0' ? "." : full);
    if (depth > DEPTH_MAX)
        gp_complain(cli, GP_EXIT_INPUT, "folders too deep at %s", full);
    if (folder == NULL)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot open folder %s: %s",
                    full[0] == '\0' ? "." : full, strerror(errno));
    gp_words found = {0};
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (entry->d_name[0] != '.')
            gp_words_add(cli->arena, &found,
                         gp_arena_printf(cli->arena, "%s%s", below, entry->d_name));
    (void)closedir(folder);
    for (size_t i = 0; i < found.count; i++)
        visit(cli, root, found.items[i], depth, paths);
}

void gp_project_files(gp_cli *cli, const char *folder, gp_words *ret_paths) {
    walk(cli, folder, "", 0, ret_paths);
    gp_words_sort(ret_paths, 0);
}
