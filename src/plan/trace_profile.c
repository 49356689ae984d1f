/*
 * What a trace of requests says of a service: its rate, its hours, its busiest minute, and the
 * lengths of its requests. A trace of less than a day tells nothing of the hours, and one of less
 * than a few minutes nothing of the minutes.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "simulate/simulate.h"

enum { MINUTE_S = 60, HOUR_S = 3600, HOUR_MINUTES = 60 };

static const gp_text *text_of(const gp_plan_context *plan, const char *path) {
    for (size_t i = 0; i < plan->options->trace_count; i++)
        if (gp_str_equal(plan->options->traces[i].path, path))
            return plan->options->traces[i].text;
    return NULL;
}

/* Requests of each whole minute; the last is counted only where the trace fills it. */
static double *count_minutes(gp_arena *arena, const gp_arrival_list *list, size_t minutes) {
    double *counts = GP_NEW_ARRAY(arena, double, minutes + 1);
    for (size_t i = 0; i < list->count; i++) {
        const size_t at = (size_t)(list->items[i].at_s / MINUTE_S);
        if (at < minutes)
            counts[at] += 1;
    }
    return counts;
}

/* The busiest minute over the mean of the minutes of its own hour. */
static double minute_factor(const double *counts, size_t minutes) {
    double most = 1;
    for (size_t from = 0; from < minutes; from += HOUR_MINUTES) {
        const size_t to = from + HOUR_MINUTES < minutes ? from + HOUR_MINUTES : minutes;
        double sum = 0;
        double busiest = 0;
        for (size_t i = from; i < to; i++) {
            sum += counts[i];
            busiest = gp_num_max(busiest, counts[i]);
        }
        /* The rest of a trace is no hour: a few minutes have no mean to speak of. */
        const bool whole =
            to - from == HOUR_MINUTES || minutes < HOUR_MINUTES || (to - from) * 2 > HOUR_MINUTES;
        if (whole && sum > 0)
            most = gp_num_max(most, busiest * (double)(to - from) / sum);
    }
    return most;
}

/* Mean of each hour of the day over the whole days of the trace, counted from its start. */
static void set_hours(const double *counts, size_t minutes, gp_trace_profile *ret) {
    const size_t days = minutes / (HOUR_MINUTES * GP_DAY_HOURS);
    double all = 0;
    ret->has_hours = days > 0;
    for (size_t i = 0; i < days * HOUR_MINUTES * GP_DAY_HOURS; i++) {
        ret->hours[i / HOUR_MINUTES % GP_DAY_HOURS] += counts[i];
        all += counts[i];
    }
    for (int h = 0; h < GP_DAY_HOURS; h++)
        ret->hours[h] = ret->has_hours && all > 0 ? ret->hours[h] * GP_DAY_HOURS / all : 1;
}

static double at_share(const double *sorted, size_t count, double share) {
    const int64_t rank = gp_num_ceil_count(share * (double)count);
    return sorted[gp_num_max_i64(rank, 1) - 1];
}

static void length_of(gp_arena *arena, const gp_arrival_list *list, bool input, double *values,
                      gp_length *ret) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < list->count; i++) {
        const gp_arrival *item = &list->items[i];
        values[i] = (double)(input ? item->input_tokens : item->output_tokens);
        sum += values[i];
        squares += values[i] * values[i];
    }
    const double mean = sum / (double)list->count;
    gp_sort(arena, values, list->count, sizeof *values, gp_by_number, NULL);
    *ret = (gp_length){.mean = mean,
                       .p95 = at_share(values, list->count, 0.95),
                       .p99 = at_share(values, list->count, 0.99),
                       .told = true,
                       .cv2 = squares / (double)list->count / (mean * mean) - 1};
}

static void measure(gp_arena *arena, const gp_arrival_list *list, gp_trace_profile *ret) {
    const double end_s = list->items[list->count - 1].at_s;
    const size_t minutes = (size_t)(end_s / MINUTE_S);
    double *values = GP_NEW_ARRAY(arena, double, list->count);
    double *counts = count_minutes(arena, list, minutes);
    *ret = (gp_trace_profile){.requests = (double)list->count, .duration_s = end_s};
    ret->mean_per_s = end_s > 0 ? (double)(list->count - 1) / end_s : 0;
    ret->minute_factor = minute_factor(counts, minutes);
    set_hours(counts, minutes, ret);
    length_of(arena, list, true, values, &ret->input);
    length_of(arena, list, false, values, &ret->output);
}

gp_status gp_trace_profile_of(gp_plan_context *plan, const char *path, gp_trace_profile *ret) {
    const gp_text *text = text_of(plan, path);
    gp_arrival_list list = {0};
    *ret = (gp_trace_profile){.minute_factor = 1};
    if (text == NULL)
        return GP_ERR_NOT_FOUND;
    gp_status st = gp_arrivals_read(plan->arena, text, plan->diags, &list);
    if (st == GP_OK)
        measure(plan->arena, &list, ret);
    return st;
}
