/*
 * Files of another revision, by the git program: `git show REV:PATH`. It is run without a shell.
 */
#include "cli/diff.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's half: standard output into the pipe, then git. */
static void run_git(int out, const char *revision) {
    char program[] = "git";
    char verb[] = "show";
    char *copy = strdup(revision);
    char *const arguments[] = {program, verb, copy, NULL};
    if (copy != NULL && dup2(out, STDOUT_FILENO) >= 0) {
        (void)execvp(program, arguments);
    }
    _exit(127);
}

/* All that comes out of the pipe, up to the limit of an input. */
static gp_exit read_pipe(gp_cli *cli, int in, const char *revision, char **ret_data,
                         size_t *ret_len) {
    size_t capacity = 64 * 1024;
    size_t len = 0;
    char *data = gp_arena_resize(cli->arena, NULL, 0, capacity + 1);
    while (data != NULL) {
        ssize_t count = read(in, data + len, capacity - len);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read from git: %s",
                               strerror(errno));
        }
        if (count == 0) {
            break;
        }
        len += (size_t)count;
        if (len > GP_INPUT_MAX_BYTES) {
            return gp_complain(cli, GP_EXIT_INPUT,
                               "%s is larger than %d MiB, the limit of an input", revision,
                               GP_INPUT_MAX_BYTES / 1024 / 1024);
        }
        if (len == capacity) {
            data = gp_arena_resize(cli->arena, data, capacity + 1, 2 * capacity + 1);
            capacity *= 2;
        }
    }
    if (data == NULL) {
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    data[len] = '\0';
    *ret_data = data;
    *ret_len = len;
    return GP_EXIT_YES;
}

static gp_exit wait_for(gp_cli *cli, pid_t child, const char *revision) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        return GP_EXIT_YES;
    }
    const bool missing = WIFEXITED(state) && WEXITSTATUS(state) == 127;
    return gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                            missing ? "git is not installed" : "git:REVISION:PATH is due",
                            "git cannot show %s", revision);
}

gp_exit gp_git_read(gp_cli *cli, const char *revision, gp_text **ret_text) {
    int ends[2];
    char *data = NULL;
    size_t len = 0;
    if (revision[0] == '-' || strchr(revision, ':') == NULL) {
        return gp_complain_hint(cli, GP_EXIT_USAGE, "for example git:main:plan.yaml",
                                "git:%s: REVISION:PATH is due", revision);
    }
    if (pipe(ends) != 0) {
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        run_git(ends[1], revision);
    }
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    }
    gp_exit code = read_pipe(cli, ends[0], revision, &data, &len);
    (void)close(ends[0]);
    gp_exit ended = wait_for(cli, child, revision);
    if (code != GP_EXIT_YES || ended != GP_EXIT_YES) {
        return code != GP_EXIT_YES ? code : ended;
    }
    gp_status st = gp_text_init(cli->arena, revision, data, len, ret_text);
    return st == GP_OK ? GP_EXIT_YES : gp_status_exit(cli, st, NULL);
}
