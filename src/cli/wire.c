/*
 * libcurl behind one call: a body is given up once it passes its limit, certificates are checked,
 * redirections are never followed, and a proxy is not asked for what is on this machine.
 */
#include "cli/wire.h"

#if GP_NETWORK

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "cli/http.h"

#define CURL_FUNCTIONS(X)                                                                          \
    X(easy_init)                                                                                   \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_perform) X(easy_reset) X(easy_cleanup) X(easy_strerror) X(slist_append) X(slist_free_all)
#define SET(wire, ...) ((wire)->library.easy_setopt((wire)->curl, __VA_ARGS__))
#define MEMBER(name)   __typeof__(curl_##name) *name;
#define NAME(name)     "curl_" #name,

typedef struct curl_functions {
    CURL_FUNCTIONS(MEMBER)
} curl_functions;

static const char *const function_names[] = {CURL_FUNCTIONS(NAME)};

enum { TIMEOUT_S = 60, CONNECT_S = 10, FIRST_ROOM = 16 * 1024, FAILURE = 300 };

struct gp_wire {
    gp_cli *cli;
    curl_functions library;
    CURL *curl;
    const gp_wire_request *request; /* the present one */
    gp_wire_answer *answer;
    size_t capacity, more;
    bool too_large, no_memory;
};

/* ---- what comes in */

/* Room for the body and `wire->more` behind it. It has a door: libcurl is above on the stack. */
static gp_status make_room(void *context) {
    gp_wire *wire = context;
    const size_t need = wire->answer->len + wire->more + 1;
    const size_t doubled = 2 * wire->capacity + FIRST_ROOM;
    const size_t capacity = doubled < need ? need : doubled;
    if (need > wire->capacity) {
        wire->answer->body =
            gp_arena_resize(wire->cli->arena, wire->answer->body, wire->capacity, capacity);
        wire->capacity = capacity;
    }
    return GP_OK;
}

static size_t take_body(char *data, size_t size, size_t count, void *context) {
    gp_wire *wire = context;
    gp_wire_answer *answer = wire->answer;
    size_t more = size * count;
    if (wire->request->head || (answer->status >= FAILURE && !wire->request->keep_failures)) {
        return more; /* nobody reads the pages of errors and redirections */
    }
    if (more > wire->request->max_bytes - answer->len) {
        wire->too_large = true;
        return 0;
    }
    wire->more = more;
    wire->no_memory = gp_arena_guard(wire->cli->arena, make_room, wire) != GP_OK;
    if (wire->no_memory)
        return 0;
    memcpy(answer->body + answer->len, data, more);
    answer->len += more;
    answer->body[answer->len] = '\0';
    return more;
}

static bool header_is(const char *line, size_t len, const char *name) {
    size_t i = 0;
    for (; name[i] != '\0' && i < len; i++) {
        char c = line[i] >= 'A' && line[i] <= 'Z' ? (char)(line[i] - 'A' + 'a') : line[i];
        if (c != name[i])
            return false;
    }
    return name[i] == '\0' && i < len && line[i] == ':';
}

/* The value of a header if it is short and plain, else nothing. */
static void copy_value(const char *line, size_t len, char ret[GP_WIRE_WORD]) {
    const char *value = memchr(line, ':', len);
    const char *end = line + len;
    value++;
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' '))
        end--;
    size_t size = (size_t)(end - value);
    ret[0] = '\0';
    if (size >= GP_WIRE_WORD)
        return;
    for (size_t i = 0; i < size; i++)
        if (value[i] < ' ' || value[i] > '~')
            return;
    memcpy(ret, value, size);
    ret[size] = '\0';
}

static double whole(const char *text) {
    size_t digits = strspn(text, "0123456789");
    double value = 0;
    for (size_t i = 0; i < digits && digits <= 15; i++)
        value = value * 10 + (text[i] - '0');
    return text[digits] == '\0' ? value : 0;
}

/* The three digits behind the first blank. */
static int status_of(const char *line, size_t len) {
    const char *blank = memchr(line, ' ', len);
    int status = 0;
    if (blank == NULL || line + len - blank <= 3)
        return 0;
    for (int i = 1; i <= 3; i++) {
        if (blank[i] < '0' || blank[i] > '9')
            return 0;
        status = 10 * status + (blank[i] - '0');
    }
    return status;
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
    gp_wire_answer *answer = ((gp_wire *)context)->answer;
    size_t len = size * count;
    char value[GP_WIRE_WORD];
    if (len > 9 && memcmp(line, "HTTP/", 5) == 0) {
        answer->status = status_of(line, len);
    } else if (header_is(line, len, "etag")) {
        copy_value(line, len, answer->etag);
    } else if (header_is(line, len, "x-linked-etag")) {
        copy_value(line, len, answer->linked_etag);
    } else if (header_is(line, len, "x-repo-commit")) {
        copy_value(line, len, answer->commit);
    } else if (header_is(line, len, "x-linked-size")) {
        copy_value(line, len, value);
        answer->linked_length = whole(value);
    } else if (header_is(line, len, "content-length")) {
        copy_value(line, len, value);
        answer->length = whole(value);
    } else if (header_is(line, len, "retry-after")) {
        copy_value(line, len, value);
        answer->retry_s = strspn(value, "0123456789") == strlen(value) && value[0] != '\0'
                              ? strtol(value, NULL, 10)
                              : -1;
    }
    return len;
}

/* ---- one exchange */

static void set_protocols(const gp_wire *wire, bool secure) {
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(wire, CURLOPT_PROTOCOLS_STR, secure ? "https" : "http");
#else
    SET(wire, CURLOPT_PROTOCOLS, secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP);
#endif
}

static void set_limits(gp_wire *wire) {
    const gp_settings *settings = &wire->cli->settings;
    SET(wire, CURLOPT_FOLLOWLOCATION, 0L);
    SET(wire, CURLOPT_NOSIGNAL, 1L);
    SET(wire, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    SET(wire, CURLOPT_TIMEOUT,
        settings->timeout_s > 0 ? (long)settings->timeout_s : (long)TIMEOUT_S);
    SET(wire, CURLOPT_USERAGENT, "gpuplan/" GP_VERSION);
    SET(wire, CURLOPT_SSL_VERIFYPEER, 1L);
    SET(wire, CURLOPT_SSL_VERIFYHOST, 2L);
    SET(wire, CURLOPT_WRITEFUNCTION, take_body);
    SET(wire, CURLOPT_WRITEDATA, wire);
    SET(wire, CURLOPT_HEADERFUNCTION, take_header);
    SET(wire, CURLOPT_HEADERDATA, wire);
    if (settings->cacert != NULL)
        SET(wire, CURLOPT_CAINFO, settings->cacert);
}

/* False when memory is short. */
static bool set_request(gp_wire *wire, struct curl_slist **ret_headers) {
    const gp_wire_request *request = wire->request;
    bool ok = SET(wire, CURLOPT_URL, request->url) == CURLE_OK;
    set_protocols(wire, gp_url_is_secure(request->url));
    SET(wire, CURLOPT_NOBODY, request->head ? 1L : 0L);
    SET(wire, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->max_bytes);
    if (gp_url_is_loopback(request->url))
        SET(wire, CURLOPT_NOPROXY, "*");
    if (request->form != NULL)
        SET(wire, CURLOPT_POSTFIELDS, request->form);
    if (request->login != NULL) {
        SET(wire, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        ok = ok && SET(wire, CURLOPT_USERPWD, request->login) == CURLE_OK;
    }
    if (request->token != NULL) {
        const char *line =
            gp_arena_printf(wire->cli->arena, "Authorization: Bearer %s", request->token);
        *ret_headers = wire->library.slist_append(NULL, line);
        ok = ok && *ret_headers != NULL && SET(wire, CURLOPT_HTTPHEADER, *ret_headers) == CURLE_OK;
    }
    return ok;
}

static gp_wire_end end_of(const gp_wire *wire, CURLcode result) {
    static const struct {
        CURLcode result;
        gp_wire_end end;
    } ends[] = {
        {CURLE_OK, GP_WIRE_CAME},
        {CURLE_FILESIZE_EXCEEDED, GP_WIRE_TOO_LARGE},
        {CURLE_PEER_FAILED_VERIFICATION, GP_WIRE_UNTRUSTED},
        {CURLE_SSL_CACERT_BADFILE, GP_WIRE_UNTRUSTED},
        {CURLE_COULDNT_CONNECT, GP_WIRE_BROKE},
        {CURLE_COULDNT_RESOLVE_HOST, GP_WIRE_BROKE},
        {CURLE_PARTIAL_FILE, GP_WIRE_BROKE},
        {CURLE_GOT_NOTHING, GP_WIRE_BROKE},
        {CURLE_SEND_ERROR, GP_WIRE_BROKE},
        {CURLE_RECV_ERROR, GP_WIRE_BROKE},
        {CURLE_HTTP2_STREAM, GP_WIRE_BROKE},
    };
    if (wire->too_large)
        return GP_WIRE_TOO_LARGE;
    for (size_t i = 0; i < GP_COUNT_OF(ends); i++)
        if (ends[i].result == result)
            return ends[i].end;
    return GP_WIRE_FAILED;
}

static void keep_redirect(gp_wire *wire) {
    char *target = NULL;
    (void)wire->library.easy_getinfo(wire->curl, CURLINFO_REDIRECT_URL, &target);
    if (target != NULL)
        wire->answer->redirect = gp_arena_strndup(wire->cli->arena, target, strlen(target));
}

void gp_wire_ask(gp_wire *wire, const gp_wire_request *request, gp_wire_answer *ret_answer) {
    struct curl_slist *headers = NULL;
    *ret_answer = (gp_wire_answer){.retry_s = -1};
    wire->request = request;
    wire->answer = ret_answer;
    wire->capacity = 0;
    wire->too_large = wire->no_memory = false;
    wire->library.easy_reset(
        wire->curl); /* nothing of the last request stays, least of all its secrets */
    set_limits(wire);
    bool ok = set_request(wire, &headers);
    CURLcode result = ok ? wire->library.easy_perform(wire->curl) : CURLE_OUT_OF_MEMORY;
    wire->library.slist_free_all(headers);
    if (!ok || wire->no_memory)
        gp_arena_exhausted(wire->cli->arena);
    keep_redirect(wire);
    if (ret_answer->body == NULL)
        ret_answer->body = gp_arena_strndup(wire->cli->arena, "", 0);
    ret_answer->end = end_of(wire, result);
    ret_answer->problem = wire->library.easy_strerror(result);
}

gp_wire *gp_wire_open(gp_cli *cli) {
    gp_wire *wire = GP_NEW(cli->arena, gp_wire);
    wire->cli = cli;
    if (!gp_shared_open(GP_CURL, function_names, GP_COUNT_OF(function_names), &wire->library))
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s, needed to fetch, is not installed", GP_CURL);
    wire->curl = wire->library.easy_init();
    if (wire->curl == NULL)
        gp_arena_exhausted(cli->arena);
    return wire;
}

void gp_wire_close(gp_wire *wire) {
    wire->library.easy_cleanup(wire->curl);
}

#else

gp_wire *gp_wire_open(gp_cli *cli) {
    gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                     "build it with libcurl (make NETWORK=1); import a file fetched by other means "
                     "with file:PATH",
                     "this gpuplan was built without network support");
}

void gp_wire_ask(gp_wire *wire, const gp_wire_request *request, gp_wire_answer *ret_answer) {
    (void)wire;
    (void)request;
    *ret_answer = (gp_wire_answer){.end = GP_WIRE_FAILED};
}

void gp_wire_close(gp_wire *wire) {
    (void)wire;
}

#endif
