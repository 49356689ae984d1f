/*
 * Fetching over HTTP with libcurl. Redirections are followed by hand, so that each target is judged
 * and a token never leaves the host it is for; bodies are capped while they come in; answers that
 * say "later" are asked for again, with longer pauses.
 */
#include "cli/http.h"

#if GP_NETWORK

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    REDIRECTS_MAX = 5,
    TIMEOUT_S = 60,
    CONNECT_S = 10,
    ATTEMPTS = 4,
    PAUSE_MS = 500,
    PAUSE_MOST_MS = 30000,
    WORD_MAX = 200
};

/* One exchange: what was asked, and what came. */
typedef struct exchange {
    gp_cli *cli;
    const gp_http_request *request;
    const char *url; /* after redirections */
    char *body;
    size_t len, capacity;
    bool too_large, no_memory;
    int status;
    long retry_s; /* -1: not told */
    double length, linked_length;
    char etag[WORD_MAX], linked_etag[WORD_MAX], commit[WORD_MAX];
    char *redirect;
    CURLcode result;
} exchange;

// ---- what comes in

static size_t take_body(char *data, size_t size, size_t count, void *context) {
    exchange *x = context;
    size_t more = size * count;
    if (x->status >= 300 || x->request->head) {
        return more; /* nobody reads the pages of errors and redirections */
    }
    if (more > x->request->max_bytes - x->len) {
        x->too_large = true;
        return 0;
    }
    if (x->len + more + 1 > x->capacity) {
        size_t capacity = x->len + more + 1 > 2 * x->capacity ? x->len + more + 1 : 2 * x->capacity;
        char *body = gp_arena_resize(x->cli->arena, x->body, x->capacity, capacity);
        if (body == NULL) {
            x->no_memory = true;
            return 0;
        }
        x->body = body;
        x->capacity = capacity;
    }
    memcpy(x->body + x->len, data, more);
    x->len += more;
    x->body[x->len] = '\0';
    return more;
}

static bool header_is(const char *line, size_t len, const char *name) {
    size_t i = 0;
    for (; name[i] != '\0' && i < len; i++) {
        char c = line[i] >= 'A' && line[i] <= 'Z' ? (char)(line[i] - 'A' + 'a') : line[i];
        if (c != name[i]) {
            return false;
        }
    }
    return name[i] == '\0' && i < len && line[i] == ':';
}

/* The value of a header if it is short and plain, else nothing. */
static void copy_value(const char *line, size_t len, char ret[WORD_MAX]) {
    const char *value = memchr(line, ':', len);
    const char *end = line + len;
    value++;
    while (value < end && (*value == ' ' || *value == '\t')) {
        value++;
    }
    while (end > value && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) {
        end--;
    }
    size_t size = (size_t)(end - value);
    ret[0] = '\0';
    if (size >= WORD_MAX) {
        return;
    }
    for (size_t i = 0; i < size; i++) {
        if (value[i] < ' ' || value[i] > '~') {
            return;
        }
    }
    memcpy(ret, value, size);
    ret[size] = '\0';
}

static double whole(const char *text) {
    size_t digits = strspn(text, "0123456789");
    double value = 0;
    for (size_t i = 0; i < digits && digits <= 15; i++) {
        value = value * 10 + (text[i] - '0');
    }
    return text[digits] == '\0' ? value : 0;
}

/* The three digits behind the first blank. */
static int status_of(const char *line, size_t len) {
    const char *blank = memchr(line, ' ', len);
    int status = 0;
    if (blank == NULL || line + len - blank <= 3) {
        return 0;
    }
    for (int i = 1; i <= 3; i++) {
        if (blank[i] < '0' || blank[i] > '9') {
            return 0;
        }
        status = 10 * status + (blank[i] - '0');
    }
    return status;
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
    exchange *x = context;
    size_t len = size * count;
    char value[WORD_MAX];
    if (len > 9 && memcmp(line, "HTTP/", 5) == 0) {
        x->status = status_of(line, len);
    } else if (header_is(line, len, "etag")) {
        copy_value(line, len, x->etag);
    } else if (header_is(line, len, "x-linked-etag")) {
        copy_value(line, len, x->linked_etag);
    } else if (header_is(line, len, "x-repo-commit") && x->commit[0] == '\0') {
        copy_value(line, len, x->commit);
    } else if (header_is(line, len, "x-linked-size")) {
        copy_value(line, len, value);
        x->linked_length = whole(value);
    } else if (header_is(line, len, "content-length")) {
        copy_value(line, len, value);
        x->length = whole(value);
    } else if (header_is(line, len, "retry-after")) {
        copy_value(line, len, value);
        x->retry_s = strspn(value, "0123456789") == strlen(value) && value[0] != '\0'
                         ? strtol(value, NULL, 10)
                         : -1;
    }
    return len;
}

// ---- one exchange

static struct curl_slist *headers_of(exchange *x, bool *ret_failed) {
    const char *token = x->request->token;
    *ret_failed = false;
    if (token == NULL || !gp_url_same_origin(x->url, x->request->url)) {
        return NULL;
    }
    char *line = gp_arena_printf(x->cli->arena, "Authorization: Bearer %s", token);
    struct curl_slist *list = line == NULL ? NULL : curl_slist_append(NULL, line);
    *ret_failed = list == NULL;
    return list;
}

static void set_protocols(CURL *curl, bool secure) {
#if LIBCURL_VERSION_NUM >= 0x075500
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, secure ? "https" : "http");
#else
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS, secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP);
#endif
}

static void set_options(CURL *curl, exchange *x) {
    const gp_settings *settings = &x->cli->settings;
    (void)curl_easy_setopt(curl, CURLOPT_URL, x->url);
    set_protocols(curl, gp_url_is_secure(x->url));
    (void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_NOBODY, x->request->head ? 1L : 0L);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT,
                           settings->timeout_s > 0 ? (long)settings->timeout_s : (long)TIMEOUT_S);
    (void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "gpuplan/" GP_VERSION);
    (void)curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, x);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, x);
    (void)curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)x->request->max_bytes);
    if (gp_url_is_loopback(x->url)) {
        (void)curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    }
    if (settings->cacert != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_CAINFO, settings->cacert);
    }
}

/* Forgets what came, and asks. */
static gp_exit perform(exchange *x) {
    bool failed = false;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl == NULL ? NULL : headers_of(x, &failed);
    if (curl == NULL || failed) {
        curl_easy_cleanup(curl);
        return gp_complain(x->cli, GP_EXIT_INTERNAL, "out of memory");
    }
    x->status = 0;
    x->len = 0;
    x->retry_s = -1;
    x->length = 0;
    x->etag[0] = '\0';
    x->redirect = NULL;
    set_options(curl, x);
    if (headers != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    }
    x->result = curl_easy_perform(curl);
    char *target = NULL;
    (void)curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &target);
    if (target != NULL) {
        x->redirect = gp_arena_strndup(x->cli->arena, target, strlen(target));
        x->no_memory = x->no_memory || x->redirect == NULL;
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return x->no_memory ? gp_complain(x->cli, GP_EXIT_INTERNAL, "out of memory") : GP_EXIT_YES;
}

// ---- again

static bool is_passing(const exchange *x) {
    static const CURLcode passing[] = {
        CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING,
        CURLE_SEND_ERROR,      CURLE_RECV_ERROR,           CURLE_HTTP2_STREAM,
    };
    for (size_t i = 0; i < GP_COUNT_OF(passing); i++) {
        if (x->result == passing[i]) {
            return true;
        }
    }
    return x->result == CURLE_OK &&
           (x->status == 429 || x->status == 500 || (x->status >= 502 && x->status <= 504));
}

static void sleep_ms(long pause_ms) {
    struct timespec rest = {.tv_sec = pause_ms / 1000, .tv_nsec = pause_ms % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
}

static const char *host_shown(const exchange *x) {
    return gp_url_shown(x->cli->arena, x->url);
}

static gp_exit ask(exchange *x) {
    int64_t asked = x->cli->settings.attempts;
    const int64_t attempts = asked > 0 ? asked : ATTEMPTS;
    for (int64_t i = 0;; i++) {
        gp_exit code = perform(x);
        if (code != GP_EXIT_YES || x->too_large || !is_passing(x) || i + 1 >= attempts) {
            return code;
        }
        long pause_ms = PAUSE_MS << (i < 6 ? i : 6);
        if (x->retry_s >= 0) {
            pause_ms = x->retry_s > PAUSE_MOST_MS / 1000 ? PAUSE_MOST_MS + 1 : x->retry_s * 1000;
        }
        if (pause_ms > PAUSE_MOST_MS) {
            return gp_complain(x->cli, GP_EXIT_ENVIRONMENT,
                               "%s asks to come back in %ld s (status %d)", host_shown(x),
                               x->retry_s, x->status);
        }
        if (!x->cli->settings.quiet) {
            (void)fprintf(stderr, "gpuplan %s: %s, again in %ld.%ld s\n", x->cli->command->name,
                          x->result == CURLE_OK ? "the server is busy"
                                                : curl_easy_strerror(x->result),
                          pause_ms / 1000, pause_ms % 1000 / 100);
        }
        sleep_ms(pause_ms);
    }
}

// ---- redirections

/* https stays https; plain http is for a server on this machine, and stays there. */
static gp_exit follow(exchange *x) {
    const char *from = host_shown(x);
    bool open = !gp_url_is_secure(x->request->url) && gp_url_is_loopback(x->request->url);
    if (x->redirect == NULL || !gp_url_is_web(x->redirect)) {
        return gp_complain(x->cli, GP_EXIT_ENVIRONMENT, "%s redirects to no web address", from);
    }
    if (!gp_url_is_secure(x->redirect) && !(open && gp_url_is_loopback(x->redirect))) {
        return gp_complain(x->cli, GP_EXIT_ENVIRONMENT,
                           "%s redirects to %s, which is not https: refused", from,
                           gp_url_shown(x->cli->arena, x->redirect));
    }
    x->url = x->redirect;
    return GP_EXIT_YES;
}

// ---- what to say

static gp_exit refused(const exchange *x) {
    const char *hint = x->request->token != NULL
                           ? "the token was sent; it may lack access to this repository"
                           : "a gated or private repository needs a token: HF_TOKEN, or a file "
                             "named by HF_TOKEN_PATH";
    return gp_complain_hint(x->cli, GP_EXIT_ENVIRONMENT, hint, "%s refuses access (status %d)",
                            host_shown(x), x->status);
}

static gp_exit failed(const exchange *x) {
    if (x->too_large || x->result == CURLE_FILESIZE_EXCEEDED) {
        return gp_complain(x->cli, GP_EXIT_ENVIRONMENT, "%s is larger than %zu MiB: not read",
                           host_shown(x), x->request->max_bytes / 1024 / 1024);
    }
    bool trust =
        x->result == CURLE_PEER_FAILED_VERIFICATION || x->result == CURLE_SSL_CACERT_BADFILE;
    return gp_complain_hint(x->cli, GP_EXIT_ENVIRONMENT,
                            trust ? "--cacert FILE names the authority to trust" : NULL,
                            "cannot fetch %s: %s", host_shown(x), curl_easy_strerror(x->result));
}

static gp_exit judge(const exchange *x) {
    bool redirected = x->status >= 300 && x->status < 400;
    if (x->result != CURLE_OK) {
        return failed(x);
    }
    if (x->status == 200 || (x->status == 404 && x->request->may_lack) ||
        (redirected && x->request->head)) {
        return GP_EXIT_YES;
    }
    if (x->status == 401 || x->status == 403) {
        return refused(x);
    }
    if (x->status == 404) {
        return gp_complain(x->cli, GP_EXIT_ENVIRONMENT, "there is no %s (status 404)",
                           host_shown(x));
    }
    if (x->status == 429) {
        return gp_complain(x->cli, GP_EXIT_ENVIRONMENT,
                           "%s turns requests away: too many (status 429)", host_shown(x));
    }
    return gp_complain(x->cli, GP_EXIT_ENVIRONMENT, "%s answers with status %d", host_shown(x),
                       x->status);
}

static gp_exit fill_answer(exchange *x, gp_http_answer *ret) {
    gp_arena *arena = x->cli->arena;
    const char *etag = x->linked_etag[0] != '\0' ? x->linked_etag : x->etag;
    bool commit = strlen(x->commit) == 40 && strspn(x->commit, "0123456789abcdef") == 40;
    *ret = (gp_http_answer){.status = x->status, .body = x->body, .len = x->len};
    ret->etag = etag[0] != '\0' ? gp_arena_strndup(arena, etag, strlen(etag)) : NULL;
    ret->commit = commit ? gp_arena_strndup(arena, x->commit, 40) : NULL;
    ret->size = x->linked_length > 0 ? x->linked_length : x->status == 200 ? x->length : 0;
    if (ret->body == NULL) {
        ret->body = gp_arena_strndup(arena, "", 0);
    }
    bool lost = (etag[0] != '\0' && ret->etag == NULL) || (commit && ret->commit == NULL);
    return lost || ret->body == NULL ? gp_complain(x->cli, GP_EXIT_INTERNAL, "out of memory")
                                     : GP_EXIT_YES;
}

gp_exit gp_http_get(gp_cli *cli, const gp_http_request *request, gp_http_answer *ret_answer) {
    exchange *x = GP_NEW(cli->arena, exchange);
    if (x == NULL) {
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    *x = (exchange){.cli = cli, .request = request, .url = request->url};
    if (!gp_url_is_web(x->url) || (!gp_url_is_secure(x->url) && !gp_url_is_loopback(x->url))) {
        return gp_complain(cli, GP_EXIT_USAGE,
                           "%s: an https address is due, or http to this machine",
                           gp_url_shown(cli->arena, x->url));
    }
    for (int i = 0;; i++) {
        gp_exit code = ask(x);
        if (code != GP_EXIT_YES) {
            return code;
        }
        bool redirected = x->result == CURLE_OK && x->status >= 300 && x->status < 400 &&
                          x->status != 304 && !request->head;
        if (!redirected) {
            code = judge(x);
            return code != GP_EXIT_YES ? code : fill_answer(x, ret_answer);
        }
        code = i < REDIRECTS_MAX
                   ? follow(x)
                   : gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s redirects more than %d times",
                                 gp_url_shown(cli->arena, request->url), (int)REDIRECTS_MAX);
        if (code != GP_EXIT_YES) {
            return code;
        }
    }
}

#else

gp_exit gp_http_get(gp_cli *cli, const gp_http_request *request, gp_http_answer *ret_answer) {
    *ret_answer = (gp_http_answer){.status = 0};
    return gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                            "build it with libcurl (make NETWORK=1), or fetch the file by other "
                            "means and import it with file:PATH",
                            "this gpuplan was built without a network: cannot fetch %s",
                            gp_url_shown(cli->arena, request->url));
}

#endif
