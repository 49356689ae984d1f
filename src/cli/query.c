/*
 * The query API of a Prometheus server. A redirection is not followed (credentials would travel),
 * and a body is given up once it is larger than any answer to the queries here.
 */
#include "cli/metrics.h"

#include <string.h>

#include "cli/wire.h"

enum { ADDRESS_MAX = 2048, AUTH_MAX = 8192, BODY_MAX = 32 * 1024 * 1024 };

/* What is wrong with an address; NULL: nothing. Says nothing of its content. */
static const char *address_problem(const char *url) {
    static const char *const schemes[] = {"http://", "https://"};
    const char *host = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(schemes); i++)
        if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
            host = url + strlen(schemes[i]);
    if (host == NULL || *host == '\0' || *host == '/' || strlen(url) > ADDRESS_MAX)
        return "expected an address such as http://prometheus:9090";
    for (const char *c = url; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~' || *c == '"' || *c == '\\')
            return "expected an address of plain characters";
    return strpbrk(host, "?#") != NULL ? "expected an address without ? and #" : NULL;
}

static void check_address(gp_cli *cli, const char *url) {
    if (url != NULL && strchr(url, '@') != NULL)
        gp_complain_hint(cli, GP_EXIT_ENVIRONMENT,
                         "put USER:PASSWORD into a file and pass it with --auth-file",
                         "--prometheus: the address contains credentials, which would appear in "
                         "process lists and logs; nothing was sent");
    const char *problem = url == NULL ? NULL : address_problem(url);
    if (problem != NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--prometheus: %s", problem);
}

struct gp_query_server {
    gp_cli *cli;
    gp_wire *wire;
    const char *address;       /* without a slash at the end */
    const char *token, *login; /* of --auth-file; NULL: none */
};

/* The first line of --auth-file: a pair for Basic, else a bearer token. */
static void set_auth(gp_query_server *server, const char *path) {
    gp_cli *cli = server->cli;
    gp_text *text = gp_file_read(cli, path);
    size_t len = strcspn(text->data, "\r\n");
    if (len == 0 || len > AUTH_MAX)
        gp_complain(cli, GP_EXIT_ENVIRONMENT,
                    "--auth-file %s: its first line must be USER:PASSWORD or a token", path);
    const char *secret = gp_arena_strndup(cli->arena, text->data, len);
    bool pair = strchr(secret, ':') != NULL;
    server->login = pair ? secret : NULL;
    server->token = pair ? NULL : secret;
}

gp_query_server *gp_query_open(gp_cli *cli, const char *url) {
    check_address(cli, url);
    gp_query_server *server = GP_NEW(cli->arena, gp_query_server);
    size_t len = strlen(url);
    while (len > 0 && url[len - 1] == '/')
        len--;
    const char *address = gp_arena_strndup(cli->arena, url, len);
    *server = (gp_query_server){.cli = cli, .address = address};
    if (cli->settings.auth_file != NULL)
        set_auth(server, cli->settings.auth_file);
    server->wire = gp_wire_open(cli);
    return server;
}

static _Noreturn void not_come(const gp_query_server *server, const gp_wire_answer *answer) {
    if (answer->end == GP_WIRE_TOO_LARGE)
        gp_complain(server->cli, GP_EXIT_ENVIRONMENT, "%s: the answer is larger than %d MiB",
                    server->address, BODY_MAX / 1024 / 1024);
    gp_complain_hint(server->cli, GP_EXIT_ENVIRONMENT,
                     answer->end == GP_WIRE_UNTRUSTED ? "--cacert FILE names the authority to trust"
                                                      : NULL,
                     "%s: no answer: %s", server->address, answer->problem);
}

void gp_query_post(gp_query_server *server, const char *path, const char *form, int *ret_status,
                   gp_text **ret_body) {
    gp_cli *cli = server->cli;
    gp_wire_answer *answer = GP_NEW(cli->arena, gp_wire_answer);
    const gp_wire_request request = {
        .url = gp_arena_printf(cli->arena, "%s%s", server->address, path),
        .form = form,
        .token = server->token,
        .login = server->login,
        .max_bytes = BODY_MAX,
        .keep_failures = true,
    };
    gp_wire_ask(server->wire, &request, answer);
    if (answer->end != GP_WIRE_CAME)
        not_come(server, answer);
    *ret_status = answer->status;
    gp_status st = gp_text_init(cli->arena, server->address, answer->body, answer->len, ret_body);
    gp_check(cli, st, NULL);
}

void gp_query_close(gp_query_server *server) {
    gp_wire_close(server->wire);
}

const char *gp_query_address(const gp_query_server *server) {
    return server->address;
}
