/*
 * Fetching files over HTTP. Only the commands `import` and `price` do.
 */
#ifndef GP_CLI_HTTP_H
#define GP_CLI_HTTP_H

#include "cli/cli.h"
#include "model/lock.h"

typedef struct gp_http_request {
    const char *url;
    const char *token; /* bearer; sent to the address's own host only; NULL: none */
    size_t max_bytes;  /* of the body */
    bool head;         /* headers alone; a redirection is an answer */
    bool may_lack;     /* 404 is an answer */
} gp_http_request;

typedef struct gp_http_answer {
    int status; /* 200, 404, or for `head` 3xx */
    char *body; /* NUL-terminated */
    size_t len;
    const char *etag;   /* of this version of the file; NULL where it is not told */
    const char *commit; /* 40 hexadecimal digits; NULL */
    double size;        /* of the file where it is told; 0 */
} gp_http_answer;

/* Fetches with retries, within --timeout, --attempts and --cacert; complains (ENVIRONMENT) about
 * what did not come. */
void gp_http_get(gp_cli *cli, const gp_http_request *request, gp_http_answer *ret_answer);

/* What the lock says of a file that came. */
gp_lock_source gp_http_source(gp_cli *cli, const char *url, const gp_http_answer *answer);

/* ---- url.c */

/* An http or https address of plain characters with a host. The others below need one. */
bool gp_url_is_web(const char *url);
bool gp_url_is_loopback(const char *url);
bool gp_url_is_secure(const char *url);
bool gp_url_same_origin(const char *a, const char *b);
/* Without user, password and fragment: for a lock. NULL when memory is short. */
const char *gp_url_kept(gp_arena *arena, const char *url);
/* Also without the query: for messages. */
const char *gp_url_shown(gp_arena *arena, const char *url);

#define GP_OPTIONS_HTTP                                                                            \
    GP_FILE("cacert", cacert,                                                                      \
            "Certificates (PEM) of the authorities to trust, in place of those of the "            \
            "system."),                                                                            \
        GP_NUMBER("timeout", timeout_s, "SECONDS", 1, 3600,                                        \
                  "Time limit for one file (default: 60)."),                                       \
        GP_NUMBER("attempts", attempts, "N", 1, 11,                                                \
                  "Attempts per file when the server is busy or the connection drops, with "       \
                  "growing pauses (default: 4).")

#endif
