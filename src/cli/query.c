/*
 * The query API of a Prometheus server over libcurl. A redirection is not followed (credentials
 * would travel), certificates are checked, and a body is given up once it is larger than any answer
 * to the queries here.
 */
#include "cli/metrics.h"

#include <stdio.h>
#include <string.h>

enum { ADDRESS_MAX = 2048, AUTH_MAX = 8192 };

/* What is wrong with an address; NULL: nothing. Says nothing of its content. */
static const char *address_problem(const char *url) {
    static const char *const schemes[] = {"http://", "https://"};
    const char *host = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(schemes); i++) {
        if (strncmp(url, schemes[i], strlen(schemes[i])) == 0) {
            host = url + strlen(schemes[i]);
        }
    }
    if (host == NULL || *host == '\0' || *host == '/' || strlen(url) > ADDRESS_MAX) {
        return "an address such as http://prometheus:9090 is due";
    }
    for (const char *c = url; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~' || *c == '"' || *c == '\\') {
            return "an address of plain characters is due";
        }
    }
    return strpbrk(host, "?#") != NULL ? "an address without ? and # is due" : NULL;
}

static gp_exit check_address(gp_cli *cli, const char *url) {
    if (url != NULL && strchr(url, '@') != NULL) {
        return gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                                "put USER:PASSWORD into a file and name it with --auth-file",
                                "--prometheus: the address holds credentials, which would show up "
                                "in process lists and logs; nothing was sent");
    }
    const char *problem = url == NULL ? NULL : address_problem(url);
    return problem == NULL ? GP_EXIT_YES
                           : gp_complain(cli, GP_EXIT_USAGE, "--prometheus: %s", problem);
}

#if GP_NETWORK

#include <curl/curl.h>

enum { BODY_MAX = 32 * 1024 * 1024, CONNECT_S = 10, TIMEOUT_S = 60, FIRST_ROOM = 16 * 1024 };

struct gp_query_server {
    gp_cli *cli;
    CURL *curl;
    const char *address; /* without a slash at the end */
    struct curl_slist *headers;
    char *body;
    size_t len, capacity;
    bool too_large, no_memory;
};

static size_t take_body(char *data, size_t size, size_t count, void *context) {
    gp_query_server *server = context;
    size_t more = size * count;
    if (more > BODY_MAX - server->len) {
        server->too_large = true;
        return 0;
    }
    if (server->len + more + 1 > server->capacity) {
        size_t capacity = 2 * server->capacity + FIRST_ROOM;
        capacity = capacity < server->len + more + 1 ? server->len + more + 1 : capacity;
        char *body = gp_arena_resize(server->cli->arena, server->body, server->capacity, capacity);
        if (body == NULL) {
            server->no_memory = true;
            return 0;
        }
        server->body = body;
        server->capacity = capacity;
    }
    memcpy(server->body + server->len, data, more);
    server->len += more;
    server->body[server->len] = '\0';
    return more;
}

/* The first line of --auth-file: a pair for Basic, else a bearer token. */
static gp_exit set_auth(gp_query_server *server, const char *path) {
    gp_cli *cli = server->cli;
    gp_text *text = NULL;
    gp_exit code = gp_file_read(cli, path, &text);
    if (code != GP_EXIT_YES) {
        return code;
    }
    size_t len = strcspn(text->data, "\r\n");
    if (len == 0 || len > AUTH_MAX) {
        return gp_complain(cli, GP_EXIT_ENVIRONMENT,
                           "--auth-file %s: its first line is due to be USER:PASSWORD or a token",
                           path);
    }
    const char *secret = gp_arena_strndup(cli->arena, text->data, len);
    if (secret != NULL && strchr(secret, ':') != NULL) {
        (void)curl_easy_setopt(server->curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        return curl_easy_setopt(server->curl, CURLOPT_USERPWD, secret) == CURLE_OK
                   ? GP_EXIT_YES
                   : gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    const char *line =
        secret == NULL ? NULL : gp_arena_printf(cli->arena, "Authorization: Bearer %s", secret);
    server->headers = line == NULL ? NULL : curl_slist_append(NULL, line);
    return server->headers != NULL ? GP_EXIT_YES
                                   : gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
}

static void set_options(gp_query_server *server) {
    const gp_settings *settings = &server->cli->settings;
    CURL *curl = server->curl;
#if LIBCURL_VERSION_NUM >= 0x075500
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    (void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT,
                           settings->timeout_s > 0 ? (long)settings->timeout_s : (long)TIMEOUT_S);
    (void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "gpuplan/" GP_VERSION);
    (void)curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, server);
    if (server->headers != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, server->headers);
    }
    if (settings->cacert != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_CAINFO, settings->cacert);
    }
}

gp_exit gp_query_open(gp_cli *cli, const char *url, gp_query_server **ret_server) {
    gp_exit code = check_address(cli, url);
    if (code != GP_EXIT_YES) {
        return code;
    }
    gp_query_server *server = GP_NEW(cli->arena, gp_query_server);
    size_t len = strlen(url);
    while (len > 0 && url[len - 1] == '/') {
        len--;
    }
    const char *address = gp_arena_strndup(cli->arena, url, len);
    CURL *curl = curl_easy_init();
    if (server == NULL || address == NULL || curl == NULL) {
        curl_easy_cleanup(curl);
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    *server = (gp_query_server){.cli = cli, .curl = curl, .address = address};
    *ret_server = server;
    code =
        cli->settings.auth_file == NULL ? GP_EXIT_YES : set_auth(server, cli->settings.auth_file);
    set_options(server);
    return code;
}

static gp_exit not_come(const gp_query_server *server, CURLcode result) {
    if (server->no_memory) {
        return gp_complain(server->cli, GP_EXIT_INTERNAL, "out of memory");
    }
    if (server->too_large) {
        return gp_complain(server->cli, GP_EXIT_ENVIRONMENT,
                           "%s: the answer is larger than %d MiB: given up", server->address,
                           BODY_MAX / 1024 / 1024);
    }
    return gp_complain(server->cli, GP_EXIT_ENVIRONMENT, "%s: no answer: %s", server->address,
                       curl_easy_strerror(result));
}

gp_exit gp_query_post(gp_query_server *server, const char *path, const char *form, int *ret_status,
                      gp_text **ret_body) {
    gp_arena *arena = server->cli->arena;
    const char *url = gp_arena_printf(arena, "%s%s", server->address, path);
    long status = 0;
    if (url == NULL) {
        return gp_complain(server->cli, GP_EXIT_INTERNAL, "out of memory");
    }
    server->body = NULL;
    server->len = server->capacity = 0;
    (void)curl_easy_setopt(server->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(server->curl, CURLOPT_POSTFIELDS, form);
    CURLcode result = curl_easy_perform(server->curl);
    if (result != CURLE_OK) {
        return not_come(server, result);
    }
    (void)curl_easy_getinfo(server->curl, CURLINFO_RESPONSE_CODE, &status);
    *ret_status = (int)status;
    gp_status st = gp_text_init(arena, server->address, server->body == NULL ? "" : server->body,
                                server->len, ret_body);
    return st == GP_OK ? GP_EXIT_YES : gp_status_exit(server->cli, st, NULL);
}

void gp_query_close(gp_query_server *server) {
    if (server != NULL) {
        curl_slist_free_all(server->headers);
        curl_easy_cleanup(server->curl);
    }
}

const char *gp_query_address(const gp_query_server *server) {
    return server->address;
}

#else

gp_exit gp_query_open(gp_cli *cli, const char *url, gp_query_server **ret_server) {
    *ret_server = NULL;
    gp_exit code = check_address(cli, url);
    return code != GP_EXIT_YES ? code
                               : gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                                                  "build it with libcurl (make NETWORK=1)",
                                                  "this gpuplan was built without a network");
}

gp_exit gp_query_post(gp_query_server *server, const char *path, const char *form, int *ret_status,
                      gp_text **ret_body) {
    (void)server;
    (void)path;
    (void)form;
    *ret_status = 0;
    *ret_body = NULL;
    return GP_EXIT_INTERNAL;
}

void gp_query_close(gp_query_server *server) {
    (void)server;
}

const char *gp_query_address(const gp_query_server *server) {
    (void)server;
    return "";
}

#endif
