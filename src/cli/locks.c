/*
 * Locks on disk: found beside the specs, judged, given to the catalogue, written by the commands
 * that fetch.
 */
#include "cli/locks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_name[] = "gpuplan.lock";

gp_text *gp_file_find(gp_cli *cli, const char *path) {
    struct stat info;
    const bool lacks = stat(path, &info) == 0 ? info.st_size == 0 : errno == ENOENT;
    return lacks ? NULL : gp_file_read(cli, path);
}

static gp_lock *parse_lock(gp_cli *cli, const gp_text *text) {
    gp_lock *lock = NULL;
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_status st = gp_lock_read(cli->arena, text, &diags, &lock);
    gp_check(cli, st, &diags);
    return lock;
}

/* An entry that was changed by hand: refused where only the lock may be believed, else told. */
static void check_digests(gp_cli *cli, const gp_lock *lock) {
    const gp_lock_entry *entry = gp_lock_broken(lock);
    if (entry == NULL)
        return;
    const char *hint =
        gp_arena_printf(cli->arena,
                        gp_lock_is_model(entry) ? "gpuplan import %s fetches it again"
                                                : "gpuplan price fetches \"%s\" again",
                        entry->name);
    if (cli->settings.locked)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT, hint,
                         "%s: the content of \"%s\" does not match its digest", lock->text->name,
                         entry->name);
    const char *warning = gp_arena_printf(
        cli->arena, "warning: %s: the content of \"%s\" does not match its digest\n  %s\n",
        lock->text->name, entry->name, hint);
    if (!cli->settings.quiet)
        gp_stderr_write(warning);
}

void gp_flow_set_lock(gp_flow *flow, const gp_text *text) {
    gp_cli *cli = flow->cli;
    gp_lock *lock = parse_lock(cli, text);
    check_digests(cli, lock);
    gp_catalog_add_lock(flow->catalog, lock);
    flow->lock = lock;
    flow->lock_file = (gp_report_file){.path = text->name, .text = text};
}

static _Noreturn void too_many(gp_cli *cli, const char *first, const char *second) {
    gp_complain_hint(cli, GP_EXIT_USAGE, "choose one with --lock FILE",
                     "the specs are beside different lock files: %s and %s", first, second);
}

void gp_flow_find_lock(gp_flow *flow) {
    gp_cli *cli = flow->cli;
    gp_text *found = NULL;
    const char *looked = NULL;
    if (cli->settings.lock != NULL) {
        gp_flow_set_lock(flow, gp_file_read(cli, cli->settings.lock));
        return;
    }
    for (size_t i = 0; i < flow->texts.count; i++) {
        const char *path = gp_path_beside(cli->arena, flow->texts.items[i]->name, file_name);
        if (looked != NULL && strcmp(looked, path) == 0)
            continue;
        looked = path;
        gp_text *text = gp_file_find(cli, path);
        if (found != NULL && text != NULL && strcmp(found->name, text->name) != 0)
            too_many(cli, found->name, text->name);
        found = text != NULL ? text : found;
    }
    if (found != NULL)
        gp_flow_set_lock(flow, found);
}

void gp_flow_check_locked(const gp_flow *flow) {
    gp_cli *cli = flow->cli;
    const char *name = gp_catalog_unlocked_name(flow->catalog);
    if (!cli->settings.locked)
        return;
    if (flow->lock == NULL)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                         "gpuplan import hf:ORG/NAME and gpuplan price write one",
                         "--locked: no %s beside the spec", file_name);
    if (name != NULL)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                         gp_arena_printf(cli->arena, "gpuplan import hf:%s adds it", name),
                         "--locked: %s is stale: it has no hf:%s", flow->lock_file.path, name);
}

/* ---- writing */

/* Where import and price keep what they fetch. */
static const char *lock_path(const gp_cli *cli) {
    return cli->settings.lock != NULL ? cli->settings.lock : file_name;
}

/* The text of the lock with the entry in it. */
static void make_lock(gp_cli *cli, const gp_lock_new *entry, const char **ret_text) {
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_text *old = gp_file_find(cli, lock_path(cli));
    gp_status st = gp_lock_put(cli->arena, old, entry, &diags, ret_text);
    gp_check(cli, st, &diags);
}

static bool same_sources(const gp_lock_entry *old, const gp_lock_new *entry) {
    if (old->sources.count != entry->source_count)
        return false;
    for (size_t i = 0; i < entry->source_count; i++)
        if (strcmp(old->sources.items[i].sha256, entry->sources[i].sha256) != 0)
            return false;
    return true;
}

/* Complains (ENVIRONMENT) where the lock has not what was fetched. */
static void compare_lock(gp_cli *cli, const gp_lock_new *entry) {
    const char *path = lock_path(cli);
    const gp_lock *lock = parse_lock(cli, gp_file_read(cli, path));
    check_digests(cli, lock);
    const gp_lock_entry *old = gp_lock_find(lock, entry->name);
    if (old == NULL || !same_sources(old, entry))
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT, "the same command without --locked updates it",
                         old == NULL ? "%s is stale: it has no \"%s\""
                                     : "%s is stale: \"%s\" has changed since",
                         path, entry->name);
}

static bool is_same_file(int file, const char *path) {
    struct stat held, there;
    return fstat(file, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

/* Holds the lock until it is closed, so that two that fetch at a time do not undo each other. It is
 * replaced by renaming: who waited for a file that is no longer there tries again. */
static int hold(gp_cli *cli, const char *path) {
    for (;;) {
        int file = open(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
        if (file < 0)
            gp_complain(cli, GP_EXIT_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
        while (flock(file, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (is_same_file(file, path))
            return file;
        (void)close(file);
    }
}

/* A lock that was begun and not written is no lock. */
static void let_go(const char *path, int file) {
    struct stat info;
    if (stat(path, &info) == 0 && info.st_size == 0 && S_ISREG(info.st_mode))
        (void)unlink(path);
    (void)close(file);
}

static void write_fetched(gp_cli *cli, const char *document, const gp_lock_new *entry) {
    gp_artefact files[2] = {{0}};
    size_t count = 0;
    const char *lock = NULL;
    if (entry != NULL) {
        make_lock(cli, entry, &lock);
        files[count++] = (gp_artefact){
            .path = lock_path(cli), .text = lock, .len = strlen(lock), .replaces = true};
    }
    const bool to_file = cli->settings.outputs.count > 0;
    if (to_file || !cli->settings.quiet)
        files[count++] = (gp_artefact){.path = to_file ? cli->settings.outputs.items[0] : NULL,
                                       .text = document,
                                       .len = strlen(document)};
    if (count == 2 && to_file && strcmp(files[0].path, files[1].path) == 0)
        gp_complain(cli, GP_EXIT_USAGE, "--output %s is the lock", files[1].path);
    gp_artefacts_put(cli, files, count);
}

typedef struct fetched {
    gp_cli *cli;
    const char *document;
    const gp_lock_new *entry;
} fetched;

static gp_status write_held(void *context) {
    fetched *it = context;
    write_fetched(it->cli, it->document, it->entry);
    return GP_OK;
}

void gp_fetched_write(gp_cli *cli, const char *document, const gp_lock_new *entry) {
    const char *path = lock_path(cli);
    if (cli->settings.locked && entry != NULL) {
        compare_lock(cli, entry);
        return;
    }
    if (entry == NULL || cli->settings.no_lock) {
        write_fetched(cli, document, NULL);
        return;
    }
    const int file = hold(cli, path);
    fetched it = {cli, document, entry};
    gp_status st = gp_arena_guard(cli->arena, write_held, &it);
    let_go(path, file);
    if (st != GP_OK)
        gp_arena_leave(cli->arena, st);
}

void gp_notes_print(gp_cli *cli, const char *const *notes, size_t count) {
    gp_buf page = GP_PAGE(cli->arena);
    for (size_t i = 0; i < count && !cli->settings.quiet; i++)
        gp_buf_printf(&page, "note: %s\n", notes[i]);
    gp_stderr_write(page.data == NULL ? "" : page.data);
}
