/*
 * Figures from a Prometheus server: the walk over the library's requests, the moment and window
 * they are about, and which served model is which workload.
 */
#include "cli/metrics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gpuplan/units.h>

#include "base/day.h"

static const double day_s = 86400;        /* definition */
static const double window_least_s = 300; /* shorter than the window of a rate */
static const double window_most_s = 366 * 86400.0;
enum { EPOCH_YEAR = 1970, NOW_DAY = 10, NOW_FULL = 20 };

/* ---- the moment */

/* Two digits, or -1. */
static int64_t two(const char *text) {
    bool digits = text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9';
    return digits ? (int64_t)(text[0] - '0') * 10 + (text[1] - '0') : -1;
}

/* Seconds since 1970 of "2027-03-31" (its end) or "2027-03-31T10:00:00Z"; -1: neither. */
static int64_t moment_of(const char *text) {
    const size_t len = strlen(text);
    char date[NOW_DAY + 1] = "";
    if (len != NOW_DAY && len != NOW_FULL)
        return -1;
    memcpy(date, text, NOW_DAY);
    const int64_t day = gp_day_parse(date); /* yyyymmdd */
    if (day / 10000 < EPOCH_YEAR)
        return -1;
    int64_t midnight = gp_days_of(day / 10000, day / 100 % 100, day % 100) * (int64_t)day_s;
    if (len == NOW_DAY)
        return midnight + (int64_t)day_s;
    int64_t hour = two(text + 11);
    int64_t minute = two(text + 14);
    int64_t second = two(text + 17);
    bool fits = text[10] == 'T' && text[13] == ':' && text[16] == ':' && text[19] == 'Z';
    return fits && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 &&
                   second < 60
               ? midnight + hour * 3600 + minute * 60 + second
               : -1;
}

static int64_t find_end(gp_cli *cli) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *rest = NULL;
    if (cli->settings.now != NULL) {
        const int64_t end = moment_of(cli->settings.now);
        if (end <= 0)
            gp_complain_hint(cli, GP_EXIT_USAGE, "for example --now 2027-03-31T10:00:00Z",
                             "--now %s: expected a date or a time in UTC", cli->settings.now);
        return end;
    }
    if (epoch == NULL || *epoch == '\0')
        return (int64_t)time(NULL);
    const int64_t end = (int64_t)strtoll(epoch, &rest, 10);
    if (*rest != '\0' || end <= 0)
        gp_complain(cli, GP_EXIT_USAGE, "SOURCE_DATE_EPOCH=%s: not a number of seconds since 1970",
                    epoch);
    return end;
}

static bool tell_moment(gp_cli *cli, gp_metrics *metrics) {
    struct tm parts;
    char room[40];
    const time_t end = (time_t)metrics->end_s;
    metrics->from = gp_day_of((time_t)(metrics->end_s - (int64_t)metrics->window_s));
    metrics->to = gp_day_of(end);
    if (metrics->from == 0 || gmtime_r(&end, &parts) == NULL)
        return false;
    size_t len = strftime(room, sizeof room, "%Y-%m-%dT%H:%M:%SZ", &parts);
    metrics->end = gp_arena_strndup(cli->arena, room, len);
    return len > 0;
}

static double find_window(gp_cli *cli) {
    const char *text = cli->settings.window;
    gp_quantity window = {.value = day_s};
    if (text != NULL &&
        (gp_quantity_parse(text, strlen(text), GP_DIM_TIME, &window) != GP_QUANTITY_OK ||
         window.value < window_least_s || window.value > window_most_s))
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --window 6h",
                         "--window %s: expected a time from 5 min to a year", text);
    return window.value;
}

/* ---- reading */

typedef struct reading {
    gp_cli *cli;
    gp_query_server *server;
    gp_telemetry *telemetry;
} reading;

/* With a door of its own: the connection is no arena memory. */
static gp_status read_all(void *context) {
    gp_cli *cli = ((reading *)context)->cli;
    gp_query_server *server = ((reading *)context)->server;
    gp_telemetry *telemetry = ((reading *)context)->telemetry;
    for (;;) {
        gp_telemetry_request request = {0};
        gp_text *body = NULL;
        int status = 0;
        gp_status st = gp_telemetry_next(telemetry, &request);
        if (st == GP_ERR_NOT_FOUND)
            return GP_OK;
        gp_check(cli, st, NULL);
        gp_query_post(server, request.path, request.form, &status, &body);
        st = gp_telemetry_take(telemetry, status, body);
        if (st == GP_ERR_INPUT && (status == 401 || status == 403))
            gp_complain_hint(cli, GP_EXIT_ENVIRONMENT, "give credentials with --auth-file FILE",
                             "%s refuses access (HTTP %d)", gp_query_address(server), status);
        if (st == GP_ERR_INPUT)
            gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s: %s", gp_query_address(server),
                        telemetry->problem);
        gp_check(cli, st, NULL);
    }
}

void gp_metrics_read(gp_cli *cli, gp_metrics *ret_metrics) {
    gp_telemetry_options options = {.selector = cli->settings.selector,
                                    .asks = ret_metrics->asks,
                                    .ask_count = ret_metrics->ask_count};
    const char *problem =
        options.selector == NULL ? NULL : gp_telemetry_selector_problem(options.selector);
    *ret_metrics = (gp_metrics){.asks = options.asks, .ask_count = options.ask_count};
    if (problem != NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--selector %s: %s", options.selector, problem);
    ret_metrics->window_s = find_window(cli);
    ret_metrics->end_s = find_end(cli);
    if (!tell_moment(cli, ret_metrics))
        gp_complain(cli, GP_EXIT_USAGE, "--now: beyond the calendar");
    options.window_s = ret_metrics->window_s;
    options.end_s = (double)ret_metrics->end_s;
    gp_telemetry_open(cli->arena, &options, &ret_metrics->telemetry);
    reading it = {cli, gp_query_open(cli, cli->settings.prometheus), ret_metrics->telemetry};
    ret_metrics->address = gp_query_address(it.server);
    const gp_status st = gp_arena_guard(cli->arena, read_all, &it);
    gp_query_close(it.server);
    if (st != GP_OK)
        gp_arena_leave(cli->arena, st);
}

void gp_metrics_warn(gp_cli *cli, const gp_metrics *metrics) {
    const gp_telemetry *telemetry = metrics->telemetry;
    for (size_t i = 0; i < telemetry->warnings.count; i++)
        gp_tell(cli, "the server warns: %s", telemetry->warnings.items[i]);
    for (size_t i = 0; i < telemetry->absences.count; i++)
        gp_tell(cli, "not measured: %s: %s", telemetry->absences.items[i].metric->id,
                telemetry->absences.items[i].reason);
}

/* ---- who serves what */

static const char *asked_for(const gp_cli *cli, const char *workload) {
    const gp_words *matches = &cli->settings.matches;
    size_t len = strlen(workload);
    for (size_t i = 0; i < matches->count; i++) {
        const char *match = matches->items[i];
        if (strncmp(match, workload, len) == 0 && match[len] == '=')
            return match + len + 1;
    }
    return NULL;
}

static const char *list_of(gp_cli *cli, const char *const *names, size_t count) {
    const char *list = count == 0 ? "none" : names[0];
    for (size_t i = 1; list != NULL && i < count; i++)
        list = gp_arena_printf(cli->arena, "%s, %s", list, names[i]);
    return list == NULL ? "" : list;
}

static bool is_service(const gp_workload_plan *plan) {
    return plan->is_serving && !plan->is_offline && !plan->is_seats;
}

static size_t services_of(const gp_plan_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->workloads.count; i++)
        count += is_service(&result->workloads.items[i]) ? 1 : 0;
    return count;
}

static bool is_served(const char *served, const char *asked, const gp_workload *workload) {
    const gp_model *model = &workload->model;
    if (asked != NULL)
        return strcmp(asked, served) == 0;
    bool same =
        gp_telemetry_same_name(served, workload->name) || gp_telemetry_same_name(served, model->id);
    for (size_t i = 0; !same && i < model->aliases.count; i++)
        same = gp_telemetry_same_name(served, model->aliases.items[i]);
    return same;
}

void gp_metrics_served_model(gp_cli *cli, const gp_metrics *metrics, const gp_plan_result *result,
                             size_t workload, const char **ret_served, const char **ret_reason) {
    const gp_workload_plan *plan = &result->workloads.items[workload];
    const char *const *served = NULL;
    size_t count = 0;
    const char *asked = asked_for(cli, plan->workload->name);
    *ret_served = *ret_reason = NULL;
    if (!is_service(plan))
        return;
    gp_telemetry_subjects(metrics->telemetry, GP_TELEMETRY_SERVICE, &served, &count);
    for (size_t i = 0; *ret_served == NULL && i < count; i++)
        *ret_served = is_served(served[i], asked, plan->workload) ? served[i] : NULL;
    if (*ret_served == NULL && asked == NULL && count == 1 && services_of(result) == 1)
        *ret_served = served[0];
    if (*ret_served == NULL) {
        *ret_reason = gp_arena_printf(
            cli->arena, "no engine reports %s (--match %s=MODEL names it); served: %s",
            asked == NULL ? "its model" : asked, plan->workload->name, list_of(cli, served, count));
        return;
    }
}
