/*
 * Fetching over HTTP. Redirections are followed by hand, so that each target is judged and a token
 * never leaves the host it is for; answers that say "later" are asked for again, with longer
 * pauses.
 */
#include "cli/http.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/wire.h"

enum { REDIRECTS_MAX = 5, ATTEMPTS = 4, PAUSE_MS = 500, PAUSE_MOST_MS = 30000, COMMIT = 40 };

/* A file on its way: what was asked, and what came. */
typedef struct fetch {
    gp_cli *cli;
    gp_wire *wire;
    const gp_http_request *request;
    const char *url; /* after redirections */
    gp_wire_answer answer;
    /* of any answer on the way */
    double linked_length;
    const char *linked_etag, *commit;
} fetch;

static const char *host_shown(const fetch *f) {
    return gp_url_shown(f->cli->arena, f->url);
}

/* ---- one answer */

/* What the hub tells before it redirects to a store. */
static void keep_links(fetch *f) {
    gp_arena *arena = f->cli->arena;
    const gp_wire_answer *answer = &f->answer;
    const char *commit = answer->commit;
    bool whole = strlen(commit) == COMMIT && strspn(commit, "0123456789abcdef") == COMMIT;
    if (whole && f->commit == NULL)
        f->commit = gp_arena_strndup(arena, commit, COMMIT);
    if (answer->linked_etag[0] != '\0')
        f->linked_etag = gp_arena_strndup(arena, answer->linked_etag, strlen(answer->linked_etag));
    f->linked_length = answer->linked_length > 0 ? answer->linked_length : f->linked_length;
}

static void ask_once(fetch *f) {
    const gp_wire_request request = {
        .url = f->url,
        .token = gp_url_same_origin(f->url, f->request->url) ? f->request->token : NULL,
        .max_bytes = f->request->max_bytes,
        .head = f->request->head,
    };
    gp_wire_ask(f->wire, &request, &f->answer);
    keep_links(f);
}

/* ---- again */

static bool is_passing(const gp_wire_answer *answer) {
    return answer->end == GP_WIRE_BROKE ||
           (answer->end == GP_WIRE_CAME && (answer->status == 429 || answer->status == 500 ||
                                            (answer->status >= 502 && answer->status <= 504)));
}

static void sleep_ms(long pause_ms) {
    struct timespec rest = {.tv_sec = pause_ms / 1000, .tv_nsec = pause_ms % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
}

static void ask(fetch *f) {
    int64_t asked = f->cli->settings.attempts;
    const int64_t attempts = asked > 0 ? asked : ATTEMPTS;
    const gp_wire_answer *answer = &f->answer;
    for (int64_t i = 0;; i++) {
        ask_once(f);
        if (!is_passing(answer) || i + 1 >= attempts)
            return;
        long pause_ms = PAUSE_MS << (i < 6 ? i : 6);
        if (answer->retry_s >= 0)
            pause_ms =
                answer->retry_s > PAUSE_MOST_MS / 1000 ? PAUSE_MOST_MS + 1 : answer->retry_s * 1000;
        if (pause_ms > PAUSE_MOST_MS)
            gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s asks to retry after %ld s (status %d)",
                        host_shown(f), answer->retry_s, answer->status);
        gp_tell(f->cli, "%s, retrying in %ld.%ld s",
                answer->end == GP_WIRE_CAME ? "the server is busy" : answer->problem,
                pause_ms / 1000, pause_ms % 1000 / 100);
        sleep_ms(pause_ms);
    }
}

/* ---- redirections */

static bool is_redirection(const fetch *f) {
    const gp_wire_answer *answer = &f->answer;
    return answer->end == GP_WIRE_CAME && answer->status >= 300 && answer->status < 400 &&
           answer->status != 304 && !f->request->head;
}

/* https stays https; plain http is for a server on this machine, and stays there. */
static void follow(fetch *f) {
    const char *from = host_shown(f);
    const char *target = f->answer.redirect;
    bool open = !gp_url_is_secure(f->request->url) && gp_url_is_loopback(f->request->url);
    if (target == NULL || !gp_url_is_web(target))
        gp_complain(f->cli, GP_EXIT_ENVIRONMENT,
                    "%s redirects to something that is not a web address", from);
    if (!gp_url_is_secure(target) && !(open && gp_url_is_loopback(target)))
        gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s redirects to %s, which is not https: refused",
                    from, gp_url_shown(f->cli->arena, target));
    f->url = target;
}

/* ---- what to say */

static _Noreturn void refused(const fetch *f) {
    const char *hint = f->request->token != NULL
                           ? "the token was sent; it may lack access to this repository"
                           : "a gated or private repository needs a token: HF_TOKEN, or a file "
                             "named by HF_TOKEN_PATH";
    gp_complain_hint(f->cli, GP_EXIT_ENVIRONMENT, hint, "%s refuses access (status %d)",
                     host_shown(f), f->answer.status);
}

static _Noreturn void failed(const fetch *f) {
    if (f->answer.end == GP_WIRE_TOO_LARGE)
        gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s is larger than %zu MiB and was not read",
                    host_shown(f), f->request->max_bytes / 1024 / 1024);
    gp_complain_hint(
        f->cli, GP_EXIT_ENVIRONMENT,
        f->answer.end == GP_WIRE_UNTRUSTED ? "--cacert FILE names the authority to trust" : NULL,
        "cannot fetch %s: %s", host_shown(f), f->answer.problem);
}

static void judge(const fetch *f) {
    const int status = f->answer.status;
    if (f->answer.end != GP_WIRE_CAME)
        failed(f);
    if (status == 200 || (status == 404 && f->request->may_lack) ||
        (status >= 300 && status < 400 && f->request->head))
        return;
    if (status == 401 || status == 403)
        refused(f);
    if (status == 404)
        gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s not found (status 404)", host_shown(f));
    if (status == 429)
        gp_complain(f->cli, GP_EXIT_ENVIRONMENT,
                    "%s rejects the request: too many requests (status 429)", host_shown(f));
    gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s answers with status %d", host_shown(f), status);
}

static void fill_answer(const fetch *f, gp_http_answer *ret) {
    const gp_wire_answer *answer = &f->answer;
    *ret = (gp_http_answer){.status = answer->status,
                            .body = answer->body,
                            .len = answer->len,
                            .etag = f->linked_etag,
                            .commit = f->commit};
    ret->size = f->linked_length > 0    ? f->linked_length
                : answer->status == 200 ? answer->length
                                        : 0;
    if (ret->etag == NULL && answer->etag[0] != '\0')
        ret->etag = gp_arena_strndup(f->cli->arena, answer->etag, strlen(answer->etag));
}

/* With a door of its own: the connection is no arena memory. */
static gp_status fetch_file(void *context) {
    fetch *f = context;
    ask(f);
    for (int i = 0; is_redirection(f); i++) {
        if (i == REDIRECTS_MAX)
            gp_complain(f->cli, GP_EXIT_ENVIRONMENT, "%s redirects more than %d times",
                        gp_url_shown(f->cli->arena, f->request->url), (int)REDIRECTS_MAX);
        follow(f);
        ask(f);
    }
    judge(f);
    return GP_OK;
}

void gp_http_get(gp_cli *cli, const gp_http_request *request, gp_http_answer *ret_answer) {
    fetch *f = GP_NEW(cli->arena, fetch);
    *f = (fetch){.cli = cli, .request = request, .url = request->url};
    if (!gp_url_is_web(f->url) || (!gp_url_is_secure(f->url) && !gp_url_is_loopback(f->url)))
        gp_complain(cli, GP_EXIT_USAGE, "%s: expected an https address, or http to this machine",
                    gp_url_shown(cli->arena, f->url));
    f->wire = gp_wire_open(cli);
    const gp_status st = gp_arena_guard(cli->arena, fetch_file, f);
    gp_wire_close(f->wire);
    if (st != GP_OK)
        gp_arena_leave(cli->arena, st);
    fill_answer(f, ret_answer);
}

gp_lock_source gp_http_source(gp_cli *cli, const char *url, const gp_http_answer *answer) {
    return (gp_lock_source){.url = gp_url_kept(cli->arena, url),
                            .etag = answer->etag,
                            .sha256 = gp_lock_digest_bytes(cli->arena, answer->body, answer->len),
                            .bytes = (int64_t)answer->len};
}
