/*
 * The stream of arrivals: rows of a trace, or a process. Times, input lengths, output lengths and
 * groups are drawn from streams of their own, so that two runs that differ in one of them, or in
 * the replicas, meet the same others.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

static const double s_per_hour = 3600; /* definition */

enum { STREAM_TIME, STREAM_INPUT, STREAM_OUTPUT, STREAM_GROUP };

const char *gp_process_name(gp_process process) {
    static const char *const names[] = {
        [GP_PROCESS_POISSON] = "poisson",
        [GP_PROCESS_GAMMA] = "gamma",
        [GP_PROCESS_DIURNAL] = "diurnal",
    };
    return names[process];
}

/* Mean of the hours over the busiest one, each raised to a power. */
static double share_of_busiest(const double *hourly, double busiest, double power) {
    double sum = 0;
    for (int i = 0; i < GP_HOURS; i++)
        sum += hourly[i] > 0 ? gp_num_pow(hourly[i] / busiest, power) : 0;
    return sum / GP_HOURS;
}

/* The power that gives the day its mean: above 1 the hours beside the busiest fall. */
static double power_for(const double *hourly, double busiest, double share) {
    enum { STEPS = 60, POWER_MOST = 64 };
    double low = 0;
    double high = POWER_MOST;
    for (int i = 0; i < STEPS; i++) {
        const double middle = 0.5 * (low + high);
        *(share_of_busiest(hourly, busiest, middle) > share ? &low : &high) = middle;
    }
    return high;
}

void gp_arrivals_day(gp_arrivals *arrivals, double peak_per_s) {
    enum { DEVIATIONS = 8 }; /* of a Poisson count: the day ends before its requests do */
    double busiest = 0;
    for (int i = 0; i < GP_HOURS; i++)
        busiest = gp_num_max(busiest, arrivals->hourly[i]);
    if (arrivals->day_mean_per_s > 0 && busiest > 0) {
        const double power =
            power_for(arrivals->hourly, busiest, arrivals->day_mean_per_s / peak_per_s);
        for (int i = 0; i < GP_HOURS; i++)
            if (arrivals->hourly[i] > 0)
                arrivals->hourly[i] = gp_num_pow(arrivals->hourly[i] / busiest, power);
        busiest = 1;
    }
    const double share = busiest > 0 ? share_of_busiest(arrivals->hourly, busiest, 1) : 1;
    arrivals->process = GP_PROCESS_DIURNAL;
    arrivals->requests_per_s = peak_per_s * share;
    const double expected = arrivals->requests_per_s * s_per_hour * GP_HOURS;
    arrivals->end_s = s_per_hour * GP_HOURS;
    arrivals->requests = gp_num_ceil_count(expected + DEVIATIONS * sqrt(expected));
    arrivals->unmeasured_fraction = 0;
}

void gp_stream_init(const gp_arrivals *arrivals, gp_stream *ret) {
    *ret = (gp_stream){.arrivals = arrivals, .limit = arrivals->requests};
    if (arrivals->rows != NULL) {
        int64_t rows = (int64_t)arrivals->row_count;
        ret->limit = arrivals->requests > 0 ? gp_num_min_i64(arrivals->requests, rows) : rows;
    }
    gp_random_init(&ret->time, arrivals->seed, STREAM_TIME);
    gp_random_init(&ret->input, arrivals->seed, STREAM_INPUT);
    gp_random_init(&ret->output, arrivals->seed, STREAM_OUTPUT);
    gp_random_init(&ret->group, arrivals->seed, STREAM_GROUP);
    double sum = 0;
    for (int i = 0; i < GP_HOURS; i++)
        sum += arrivals->hourly[i];
    ret->hour_scale = sum > 0 ? GP_HOURS / sum : 0;
}

/* The time at which the integral of the rate has grown by `work`, hour by hour. */
static double diurnal_time(const gp_stream *stream, double from_s, double work) {
    const gp_arrivals *arrivals = stream->arrivals;
    double now = from_s;
    for (;;) {
        double hour = floor(now / s_per_hour);
        int at = (int)(hour - GP_HOURS * floor(hour / GP_HOURS));
        double end = (hour + 1) * s_per_hour;
        double rate = arrivals->requests_per_s * arrivals->hourly[at] * stream->hour_scale;
        double reach = (end - now) * rate;
        if (reach >= work && rate > 0)
            return now + work / rate;
        work -= reach;
        now = end;
    }
}

static double next_time(gp_stream *stream) {
    const gp_arrivals *arrivals = stream->arrivals;
    switch (arrivals->process) {
    case GP_PROCESS_POISSON:
        return stream->now_s + gp_random_exponential(&stream->time) / arrivals->requests_per_s;
    case GP_PROCESS_GAMMA:
        return stream->now_s +
               gp_random_gamma(&stream->time, arrivals->cv) / arrivals->requests_per_s;
    case GP_PROCESS_DIURNAL:
        return diurnal_time(stream, stream->now_s, gp_random_exponential(&stream->time));
    }
    return HUGE_VAL;
}

static int64_t tokens_of(double value) {
    return gp_num_max_i64((int64_t)floor(gp_num_min(value, (double)INT32_MAX) + 0.5), 1);
}

static void draw_lengths(gp_stream *stream, gp_arrival *ret) {
    const gp_arrivals *arrivals = stream->arrivals;
    double input = gp_lengths_draw(&arrivals->input, &stream->input) + arrivals->image_tokens;
    double output = gp_lengths_draw(&arrivals->output, &stream->output) +
                    gp_lengths_draw(&arrivals->thought, &stream->output);
    ret->output_tokens = tokens_of(output);
    ret->input_tokens = tokens_of(input);
    if (arrivals->token_limit > 1) {
        ret->output_tokens = gp_num_min_i64(ret->output_tokens, arrivals->token_limit - 1);
        ret->input_tokens =
            gp_num_min_i64(ret->input_tokens, arrivals->token_limit - ret->output_tokens);
    }
}

bool gp_stream_next(gp_stream *stream, gp_arrival *ret, int64_t *ret_group) {
    const gp_arrivals *arrivals = stream->arrivals;
    if (stream->count >= stream->limit)
        return false;
    if (arrivals->rows != NULL) {
        *ret = arrivals->rows[stream->count];
        ret->at_s /= arrivals->rate_scale > 0 ? arrivals->rate_scale : 1;
    } else {
        stream->now_s = next_time(stream);
        ret->at_s = stream->now_s;
        if (arrivals->end_s > 0 && ret->at_s > arrivals->end_s)
            return false;
        draw_lengths(stream, ret);
    }
    stream->count++;
    *ret_group = arrivals->prefix_fraction > 0
                     ? gp_random_below(&stream->group, arrivals->prefix_groups)
                     : 0;
    return true;
}

void gp_arrivals_times(const gp_arrivals *arrivals, size_t count, double *ret_at_s) {
    gp_arrivals all = *arrivals;
    gp_stream stream;
    all.requests_per_s = 1;
    gp_stream_init(&all, &stream);
    for (size_t i = 0; i < count; i++)
        ret_at_s[i] = stream.now_s = next_time(&stream);
}

void gp_arrivals_draw(const gp_arrivals *arrivals, const double *at_s, size_t count,
                      gp_arrival *rows) {
    gp_stream stream;
    gp_stream_init(arrivals, &stream);
    for (size_t i = 0; i < count; i++) {
        rows[i].at_s = at_s[i];
        draw_lengths(&stream, &rows[i]);
    }
}
