/*
 * One exchange over HTTP after the other: what may come in, for how long, and whom to trust. Only
 * wire.c knows libcurl; what an answer means is for those who ask (http.c, query.c).
 */
#ifndef GP_CLI_WIRE_H
#define GP_CLI_WIRE_H

#include "cli/cli.h"

typedef struct gp_wire gp_wire;

typedef struct gp_wire_request {
    const char *url;    /* http or https */
    const char *form;   /* what is posted; NULL: GET */
    const char *token;  /* bearer; NULL: none */
    const char *login;  /* USER:PASSWORD; NULL: none */
    size_t max_bytes;   /* of the body */
    bool head;          /* headers alone */
    bool keep_failures; /* the bodies of statuses from 300 on are wanted, too */
} gp_wire_request;

typedef enum gp_wire_end {
    GP_WIRE_CAME,
    GP_WIRE_TOO_LARGE,
    GP_WIRE_UNTRUSTED,
    GP_WIRE_BROKE, /* asking again may help */
    GP_WIRE_FAILED
} gp_wire_end;

enum { GP_WIRE_WORD = 200 };

typedef struct gp_wire_answer {
    gp_wire_end end;
    const char *problem; /* in words, where none came */
    int status;
    char *body; /* NUL-terminated */
    size_t len;
    long retry_s;                 /* Retry-After; -1: not told */
    double length, linked_length; /* Content-Length and X-Linked-Size; 0: not told */
    char etag[GP_WIRE_WORD], linked_etag[GP_WIRE_WORD], commit[GP_WIRE_WORD]; /* "": not told */
    const char *redirect; /* where it points; NULL: nowhere. Never followed here */
} gp_wire_answer;

/* Complains (ENVIRONMENT) where this gpuplan was built without a network. */
gp_wire *gp_wire_open(gp_cli *cli);
/* Within --timeout and --cacert. */
void gp_wire_ask(gp_wire *wire, const gp_wire_request *request, gp_wire_answer *ret_answer);
void gp_wire_close(gp_wire *wire);

#endif
