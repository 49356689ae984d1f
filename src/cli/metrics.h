/*
 * Asking a Prometheus server. Only the commands `observe` and `calibrate --prometheus` do.
 */
#ifndef GP_CLI_METRICS_H
#define GP_CLI_METRICS_H

#include "cli/cli.h"
#include "import/telemetry.h"
#include "plan/plan.h"

/* ---- query.c: one connection */

typedef struct gp_query_server gp_query_server;

/* Checks the address and reads --auth-file; nothing is sent yet. The address is refused, and never
 * shown, where it holds a password. */
gp_query_server *gp_query_open(gp_cli *cli, const char *url);
/* Posts a form; any status is an answer. Complains (ENVIRONMENT) where none came. */
void gp_query_post(gp_query_server *server, const char *path, const char *form, int *ret_status,
                   gp_text **ret_body);
void gp_query_close(gp_query_server *server);
/* The address as it may be shown. */
const char *gp_query_address(const gp_query_server *server);

/* ---- calibrate_metrics.c */

/* `calibrate` with --prometheus: its operand is a plan. */
void gp_calibrate_metrics(gp_cli *cli);

/* ---- metrics.c: all figures */

typedef struct gp_metrics {
    const gp_telemetry_ask *asks; /* set before reading: what is asked besides the table */
    size_t ask_count;
    gp_telemetry *telemetry;
    const char *address;
    double window_s;
    int64_t end_s;    /* seconds since 1970 */
    int64_t from, to; /* yyyymmdd */
    const char *end;  /* "2026-06-01T10:00:00Z" */
} gp_metrics;

/* Reads everything the table knows, and `asks`, from --prometheus over --window up to --now. */
void gp_metrics_read(gp_cli *cli, gp_metrics *ret_metrics);
/* Warnings of the server and the reasons for figures that are missing, on standard error. */
void gp_metrics_warn(gp_cli *cli, const gp_metrics *metrics);
/* What engines call the model of a workload: --match NAME=SERVED, else a name that is the same as
 * its own or its model's, else the only one where there is but one service. NULL: none, with the
 * reason. */
void gp_metrics_served_model(gp_cli *cli, const gp_metrics *metrics, const gp_plan_result *result,
                             size_t workload, const char **ret_served, const char **ret_reason);

#define GP_OPTIONS_PROMETHEUS                                                                      \
    GP_TEXT("prometheus", prometheus, "URL",                                                       \
            "The Prometheus server, as http://prometheus:9090; a path before /api is kept."),      \
        GP_TEXT("window", window, "TIME", "How far back to look, as 6h or 7d (default: 1d)."),     \
        GP_TEXT("selector", selector, "LABELS",                                                    \
                "Label matchers for every query, such as 'cluster=\"a\",env=~\"prod.*\"'."),       \
        GP_TEXTS("match", matches, "NAME=MODEL",                                                   \
                 "The model_name that the engines of a workload report, if it is neither the "     \
                 "name of the workload nor of its model. Repeatable."),                            \
        GP_FILE("auth-file", auth_file,                                                            \
                "File whose first line is USER:PASSWORD, or a token if it has no colon; sent "     \
                "only to that server.")
#define GP_OPTION_CACERT                                                                           \
    GP_FILE("cacert", cacert, "CA certificates (PEM) to trust, in place of those of the system.")
#define GP_OPTION_TIMEOUT                                                                          \
    GP_NUMBER("timeout", timeout_s, "SECONDS", 1, 3600, "Time limit for one answer (default: 60).")

#endif
