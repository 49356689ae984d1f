/*
 * Files of another revision, by the git program: `git show REV:PATH`. It is run without a shell.
 */
#include "cli/diff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* Exit status of git, or -1. */
static int wait_for(pid_t child) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* The output of git as a text; NULL where *ret_status, which git ends with, is not 0. */
static gp_text *show(gp_cli *cli, const char *revision, bool quiet, int *ret_status) {
    int ends[2];
    size_t len = 0;
    if (pipe(ends) != 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    FILE *out = fdopen(ends[0], "rb");
    pid_t child = out == NULL ? -1 : fork();
    if (child == 0) {
        (void)close(ends[0]);
        run_git(ends[1], revision, quiet);
    }
    (void)close(ends[1]);
    if (child < 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot run git: %s", strerror(errno));
    const char *data = gp_stream_read(cli->arena, out, GP_REPORT_MAX_BYTES, &len);
    (void)fclose(out);
    *ret_status = wait_for(child);
    return *ret_status == 0 || len > GP_REPORT_MAX_BYTES
               ? gp_bytes_text(cli, revision, data, len, GP_REPORT_MAX_BYTES)
               : NULL;
}

gp_text *gp_git_read(gp_cli *cli, const char *revision) {
    int status = 0;
    if (revision[0] == '-' || strchr(revision, ':') == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example git:main:plan.yaml",
                         "git:%s: expected REVISION:PATH", revision);
    gp_text *text = show(cli, revision, false, &status);
    if (text == NULL)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                         status == 127 ? "git is not installed" : "expected git:REVISION:PATH",
                         "git cannot show %s", revision);
    return text;
}

gp_text *gp_git_find(gp_cli *cli, const char *revision) {
    int status = 0;
    return show(cli, revision, true, &status);
}
