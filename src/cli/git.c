/*
 * Files of another revision, by the git program: `git show REV:PATH`. It is run without a shell.
 */
#include "cli/diff.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's half: standard output into the pipe, then git. */
static void run_git(int out, const char *revision, bool quiet) {
    char program[] = "git";
    char verb[] = "show";
    char *copy = strdup(revision);
    char *const arguments[] = {program, verb, copy, NULL};
    int nothing = quiet ? open("/dev/null", O_WRONLY) : -1;
    if (nothing >= 0)
        (void)dup2(nothing, STDERR_FILENO);
    if (copy != NULL && dup2(out, STDOUT_FILENO) >= 0)
        (void)execvp(program, arguments);
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
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot read from git: %s",
                               strerror(errno));
        if (count == 0)
            break;
        len += (size_t)count;
        if (len > GP_INPUT_MAX_BYTES)
            return gp_complain(cli, GP_EXIT_INPUT,
                               "%s is larger than %d MiB, the limit of an input", revision,
                               GP_INPUT_MAX_BYTES / 1024 / 1024);
        if (len == capacity) {
            data = gp_arena_resize(cli->arena, data, capacity + 1, 2 * capacity + 1);
            capacity *= 2;
        }
    }
    data[len] = '\0';
    *ret_data = data;
    *ret_len = len;
    return GP_EXIT_YES;
}

/* Exit status of git, or -1. */
static int wait_for(pid_t child) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* *ret_status is the exit status of git; its output is a text where that is 0. */
static gp_exit show(gp_cli *cli, const char *revision, bool quiet, int *ret_status,
                    gp_text **ret_text) {
    int ends[2];
    char *data = NULL;
    size_t len = 0;
    if (pipe(ends) != 0)
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        run_git(ends[1], revision, quiet);
    }
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    }
    gp_exit code = read_pipe(cli, ends[0], revision, &data, &len);
    (void)close(ends[0]);
    *ret_status = wait_for(child);
    if (code != GP_EXIT_YES || *ret_status != 0)
        return code;
    gp_status st = gp_text_init(cli->arena, revision, data, len, ret_text);
    if (st == GP_ERR_LIMIT)
        return gp_complain(cli, GP_EXIT_INPUT, "%s exceeds a limit of gpuplan", revision);
    return GP_EXIT_YES;
}

gp_exit gp_git_read(gp_cli *cli, const char *revision, gp_text **ret_text) {
    int status = 0;
    if (revision[0] == '-' || strchr(revision, ':') == NULL)
        return gp_complain_hint(cli, GP_EXIT_USAGE, "for example git:main:plan.yaml",
                                "git:%s: expected REVISION:PATH", revision);
    gp_exit code = show(cli, revision, false, &status, ret_text);
    if (code != GP_EXIT_YES || status == 0)
        return code;
    return gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                            status == 127 ? "git is not installed" : "expected git:REVISION:PATH",
                            "git cannot show %s", revision);
}

gp_exit gp_git_find(gp_cli *cli, const char *revision, gp_text **ret_text) {
    int status = 0;
    *ret_text = NULL;
    return show(cli, revision, true, &status, ret_text);
}
