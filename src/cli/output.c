/*
 * Writing. A result reaches its place whole or not at all: a file is written under another name in
 * the same folder, flushed to disk and renamed; a signal on the way removes what was begun.
 */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARTEFACT_MAX = 16, LINKS_MAX = 40, LINK_BYTES = 4096 };

/* What a signal must remove. A handler can be told in no other way. */
static const char *volatile pending[ARTEFACT_MAX];

void gp_artefacts_drop(void) {
    for (int i = 0; i < ARTEFACT_MAX; i++) {
        const char *path = pending[i];
        if (path != NULL)
            (void)unlink(path);
        pending[i] = NULL;
    }
}

static void on_signal(int number) {
    (void)number;
    gp_artefacts_drop();
    _exit(GP_EXIT_INTERRUPTED);
}

void gp_signals_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < GP_COUNT_OF(numbers); i++)
        (void)sigaction(numbers[i], &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
#ifdef SIGXFSZ /* XSI: a limit on the size of files */
    (void)sigaction(SIGXFSZ, &action, NULL);
#endif
}

/* 0, or errno. */
static int write_all(int file, const char *text, size_t len) {
    while (len > 0) {
        ssize_t count = write(file, text, len);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0 ? EIO : errno;
        text += count;
        len -= (size_t)count;
    }
    return 0;
}

/* A file that pieces go to. */
typedef struct stream {
    int file;
    int error;
} stream;

static gp_status put_piece(void *to, const char *bytes, size_t len) {
    stream *s = to;
    s->error = write_all(s->file, bytes, len);
    return s->error == 0 ? GP_OK : GP_ERR_INTERNAL;
}

/* 0, or errno. */
static int write_text(int file, const gp_artefact *artefact) {
    stream s = {.file = file};
    if (artefact->stream == NULL)
        return write_all(file, artefact->text, artefact->len);
    gp_status st = artefact->stream(artefact->of, put_piece, &s);
    return s.error != 0 ? s.error : st == GP_ERR_NO_MEMORY ? ENOMEM : st == GP_OK ? 0 : EIO;
}

static void write_stdout(gp_cli *cli, const gp_artefact *artefact) {
    int error = write_text(STDOUT_FILENO, artefact);
    if (error == 0)
        return;
    cli->json_errors = false; /* there is nowhere to write it */
    gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot write to standard output: %s", strerror(error));
}

void gp_stdout_write(gp_cli *cli, const char *text, size_t len) {
    write_stdout(cli, &(gp_artefact){.text = text, .len = len});
}

void gp_stdout_page(gp_cli *cli, const gp_buf *page) {
    gp_stdout_write(cli, page->data == NULL ? "" : page->data, page->len);
}

/* One artefact on its way. */
typedef struct place {
    const gp_artefact *artefact;
    const char *path; /* behind all links */
    char *temporary;  /* NULL: a device or pipe, written in place */
    mode_t mode;
} place;

static mode_t new_file_mode(void) {
    mode_t mask = umask(0);
    (void)umask(mask);
    return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask;
}

/* What a link points to in the end, also where nothing stands there yet; NULL: errno tells. */
static const char *follow_links(gp_arena *arena, const char *path) {
    char target[LINK_BYTES];
    for (int i = 0; i < LINKS_MAX && path != NULL; i++) {
        ssize_t len = readlink(path, target, sizeof target);
        if (len < 0)
            return errno == EINVAL || errno == ENOENT ? path : NULL;
        const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
        path = gp_arena_printf(arena, "%.*s%.*s", slash == NULL ? 0 : (int)(slash - path + 1), path,
                               (int)len, target);
    }
    errno = path == NULL ? ENOMEM : ELOOP;
    return NULL;
}

static bool is_input(const gp_cli *cli, const struct stat *info) {
    for (size_t i = 0; i < cli->input_count; i++)
        if (cli->inputs[i].device == info->st_dev && cli->inputs[i].node == info->st_ino)
            return true;
    return false;
}

static void find_place(gp_cli *cli, place *it) {
    const char *path = it->artefact->path;
    struct stat info;
    it->mode = new_file_mode();
    if (stat(path, &info) == 0) {
        if (!it->artefact->replaces && is_input(cli, &info))
            gp_complain(cli, GP_EXIT_USAGE, "--output %s is also an input", path);
        if (S_ISDIR(info.st_mode))
            gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot write %s: it is a folder", path);
        if (!S_ISREG(info.st_mode))
            return;
        it->mode = info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    }
    it->path = path = follow_links(cli->arena, path);
    if (path == NULL)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot write %s: %s", it->artefact->path,
                    strerror(errno));
    const char *slash = strrchr(path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    it->temporary = gp_arena_printf(cli->arena, "%.*s.gpuplan-XXXXXX", folder, path);
}

/* 0, or errno. */
static int write_temporary(place *it, const char *volatile *ret_pending) {
    int file = mkstemp(it->temporary);
    if (file < 0) {
        int error = errno;
        it->temporary = NULL;
        return error;
    }
    *ret_pending = it->temporary;
    int error = write_text(file, it->artefact);
    if (error == 0 && (fchmod(file, it->mode) != 0 || fsync(file) != 0))
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    return error;
}

/* 0, or errno. */
static int write_in_place(const gp_artefact *artefact) {
    int file = open(artefact->path, O_WRONLY);
    if (file < 0)
        return errno;
    int error = write_text(file, artefact);
    if (close(file) != 0 && error == 0)
        error = errno;
    return error;
}

static void check_written(gp_cli *cli, const place *it, int error) {
    if (error != 0)
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot write %s: %s", it->artefact->path,
                    strerror(error));
}

static void prepare(gp_cli *cli, place *places, size_t count) {
    for (size_t i = 0; i < count; i++)
        find_place(cli, &places[i]);
    for (size_t i = 0; i < count; i++)
        if (places[i].temporary != NULL)
            check_written(cli, &places[i], write_temporary(&places[i], &pending[i]));
}

static void commit(gp_cli *cli, place *places, size_t count) {
    for (size_t i = 0; i < count; i++) {
        place *it = &places[i];
        if (it->temporary == NULL) {
            check_written(cli, it, write_in_place(it->artefact));
        } else {
            check_written(cli, it, rename(it->temporary, it->path) == 0 ? 0 : errno);
            pending[i] = NULL;
        }
    }
}

void gp_artefacts_write(gp_cli *cli, const gp_artefact *items, size_t count) {
    place places[ARTEFACT_MAX] = {{0}};
    if (count > ARTEFACT_MAX)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", (int)ARTEFACT_MAX);
    for (size_t i = 0; i < count; i++)
        places[i].artefact = &items[i];
    prepare(cli, places, count);
    commit(cli, places, count);
}

void gp_artefacts_put(gp_cli *cli, const gp_artefact *items, size_t count) {
    gp_artefact *files = GP_NEW_ARRAY(cli->arena, gp_artefact, count + 1);
    const gp_artefact *out = NULL;
    size_t file_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].path == NULL)
            out = &items[i];
        else
            files[file_count++] = items[i];
    }
    gp_artefacts_write(cli, files, file_count);
    if (out != NULL)
        write_stdout(cli, out);
}

void gp_outputs_write(gp_cli *cli, const char *text, size_t len) {
    const gp_words *outputs = &cli->settings.outputs;
    gp_artefact *artefacts = GP_NEW_ARRAY(cli->arena, gp_artefact, outputs->count + 1);
    artefacts[0] = (gp_artefact){.text = text, .len = len};
    for (size_t i = 0; i < outputs->count; i++)
        artefacts[i] = (gp_artefact){.path = outputs->items[i], .text = text, .len = len};
    gp_artefacts_put(cli, artefacts, outputs->count > 0 ? outputs->count : 1);
}
