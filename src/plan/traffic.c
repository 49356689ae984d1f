/*
 * What a service is asked over a week: the mean, the rate to plan for, and how the hours differ.
 * Peaks are those of a minute; a profile gives the mean of an hour, and the busiest minute of an
 * hour lies above it (docs/formulas.md, "Traffic").
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

enum { DAYS = 7, WEEKEND_DAYS = 2, QUARTER_DAY = GP_DAY_HOURS / 4 };

/* A day and a week in figures of the catalogue. */
typedef struct day_shape {
    double peak_to_trough, weekend_fraction, minute_factor;
} day_shape;

static day_shape shape_named(const gp_constants *k, const char *name) {
    if (gp_str_equal(name, "diurnal"))
        return (day_shape){k->plan_diurnal_peak_to_trough, k->plan_diurnal_weekend_fraction,
                           k->plan_peak_minute};
    if (gp_str_equal(name, "office"))
        return (day_shape){k->plan_office_peak_to_trough, k->plan_office_weekend_fraction,
                           k->plan_office_peak_minute};
    return (day_shape){1, 1, k->plan_peak_minute};
}

/* A working day as one wave of a cosine around its mean, whose crest is the given number of times
 * its trough. cos((n + 1) a) = 2 cos(a) cos(n a) - cos((n - 1) a), a = 15 degrees. */
static void wave(double peak_to_trough, int crest, double *ret_factors) {
    const double swing = (peak_to_trough - 1) / (peak_to_trough + 1);
    const double step = 0.5 * sqrt(2 + sqrt(3));
    double now = 1;
    double before = step;
    for (int i = 0; i < GP_DAY_HOURS; i++) {
        ret_factors[(crest + i) % GP_DAY_HOURS] = 1 + swing * now;
        const double next = 2 * step * now - before;
        before = now;
        now = next;
    }
}

static double mean_of_hours(const double *factors) {
    double sum = 0;
    for (int i = 0; i < GP_DAY_HOURS; i++)
        sum += factors[i];
    return sum / GP_DAY_HOURS;
}

/* The factors as shares of the mean of the whole week. */
static void scale_to_week(gp_traffic_plan *traffic) {
    const double working = DAYS - WEEKEND_DAYS + WEEKEND_DAYS * traffic->weekend_fraction;
    const double scale = DAYS / (working * mean_of_hours(traffic->hour_factors));
    for (int i = 0; i < GP_DAY_HOURS; i++)
        traffic->hour_factors[i] *= scale;
}

static double busiest(const gp_traffic_plan *traffic) {
    double most = 0;
    for (int i = 0; i < GP_DAY_HOURS; i++)
        most = gp_num_max(most, traffic->hour_factors[i]);
    return most;
}

static bool any_hour(const gp_profile *profile) {
    for (size_t i = 0; i < profile->hourly.count; i++)
        if (profile->hourly.items[i] > 0)
            return true;
    return false;
}

static bool is_stated(const gp_profile *profile) {
    const gp_origin *origin = GP_ORIGIN_OF(profile, gp_profile, name);
    return profile->hourly.count > 0 || origin->kind == GP_ORIGIN_SPEC ||
           origin->kind == GP_ORIGIN_FLAG;
}

/* The trace's busiest minute, and its hours where it has seen a day. */
static void set_trace(const gp_trace_profile *trace, gp_traffic_plan *traffic) {
    traffic->shaped = trace->has_hours;
    traffic->weekend_fraction = 1;
    traffic->minute_factor = trace->minute_factor;
    for (int i = 0; i < GP_DAY_HOURS; i++)
        traffic->hour_factors[i] = trace->hours[i];
    scale_to_week(traffic);
}

static void set_shape(const gp_profile *profile, const gp_constants *k, gp_traffic_plan *traffic) {
    const day_shape shape = shape_named(k, profile->name);
    traffic->shaped = is_stated(profile);
    traffic->weekend_fraction = shape.weekend_fraction;
    traffic->minute_factor = shape.minute_factor;
    wave(shape.peak_to_trough, (int)k->plan_peak_hour, traffic->hour_factors);
    if (profile->hourly.count == GP_DAY_HOURS && any_hour(profile)) {
        traffic->weekend_fraction = 1;
        for (int i = 0; i < GP_DAY_HOURS; i++)
            traffic->hour_factors[i] = profile->hourly.items[i];
    }
    scale_to_week(traffic);
}

/* The rate that the spec says to plan for; 0: only a mean is known. */
static double stated_peak(const gp_distribution *d) {
    const double levels[] = {d->peak, d->p99, d->p95};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (levels[i] > 0)
            return levels[i];
    return 0;
}

void gp_traffic_peak(gp_traffic_plan *traffic, double peak_per_s) {
    const double most = busiest(traffic);
    if (traffic->mean_per_s <= 0) /* seats: no mean is known but that of the hours */
        traffic->mean_per_s = peak_per_s / (traffic->shaped ? most : 1);
    const double hour = traffic->mean_per_s * most;
    traffic->minute_factor = hour > 0 ? gp_num_max(1, peak_per_s / hour) : 1;
    traffic->peak_per_s = peak_per_s;
    traffic->peak_to_mean = 0;
}

void gp_traffic_of(const gp_workload *workload, const gp_trace_profile *trace,
                   const gp_constants *k, gp_traffic_plan *ret) {
    const gp_distribution *rate = &workload->traffic.requests_per_s;
    *ret = (gp_traffic_plan){.mean_per_s = rate->mean};
    if (trace != NULL)
        set_trace(trace, ret);
    else
        set_shape(&workload->traffic.profile, k, ret);
    if (ret->mean_per_s <= 0 && trace != NULL)
        ret->mean_per_s = trace->mean_per_s;
    const double most = busiest(ret);
    ret->mean_stated = ret->mean_per_s > 0;
    ret->peak_per_s = stated_peak(rate);
    if (ret->peak_per_s > 0) {
        gp_traffic_peak(ret, ret->peak_per_s);
        return;
    }
    ret->peak_to_mean =
        ret->shaped || trace != NULL ? most * ret->minute_factor : k->plan_peak_to_mean;
    ret->peak_per_s = ret->mean_per_s * ret->peak_to_mean;
}

double gp_traffic_day(const gp_traffic_plan *traffic, const gp_constants *k,
                      double ret_hours[GP_DAY_HOURS]) {
    const double mean = mean_of_hours(traffic->hour_factors);
    const bool differ = traffic->shaped && !gp_num_near(busiest(traffic), mean);
    wave(k->plan_diurnal_peak_to_trough, (int)k->plan_peak_hour, ret_hours);
    for (int i = 0; differ && i < GP_DAY_HOURS; i++)
        ret_hours[i] = traffic->hour_factors[i];
    return traffic->mean_stated ? traffic->mean_per_s * mean / traffic->peak_per_s : 0;
}

double gp_traffic_planned(const gp_traffic_plan *traffic, int hour, bool weekend) {
    const double most = busiest(traffic);
    const double day = weekend ? traffic->weekend_fraction : 1;
    return most > 0 ? traffic->peak_per_s * traffic->hour_factors[hour] / most * day : 0;
}

/* ---- lengths */

static const double z95 = 1.6449; /* quantiles of the standard normal distribution */
static const double z99 = 2.3263;

/* Spread of the lognormal law whose mean and percentile are these; the smaller of two. */
static double lognormal_spread(double mean, double percentile, double z) {
    const double rest = z * z - 2 * gp_num_log(percentile / mean);
    return rest > 0 ? z - sqrt(rest) : z;
}

static double lognormal_percentile(double mean, double spread, double z) {
    return mean * gp_num_exp(z * spread - 0.5 * spread * spread);
}

static gp_length from_spread(double mean, double spread) {
    return (gp_length){.mean = mean,
                       .told = true,
                       .p95 = lognormal_percentile(mean, spread, z95),
                       .p99 = lognormal_percentile(mean, spread, z99),
                       .cv2 = gp_num_exp(spread * spread) - 1};
}

/* Where no log-normal law has both, one in twenty or so is as long as that. */
static gp_length through(double mean, double p95) {
    const gp_lengths law = gp_lengths_through(mean, p95);
    gp_length length = from_spread(mean, law.sigma);
    length.cv2 = gp_lengths_cv2(&law);
    length.p95 = p95;
    return length;
}

gp_length gp_length_of(const gp_distribution *d, double p95_of_mean, double p99_of_mean) {
    const double mean = d->mean > 0 ? d->mean : d->p50;
    if (!(mean > 0))
        return (gp_length){0};
    gp_length length = {.mean = mean, .p95 = mean * p95_of_mean, .p99 = mean * p99_of_mean};
    if (d->p95 > 0) {
        length = through(mean, d->p95);
    } else if (d->p99 > 0) {
        length = from_spread(mean, lognormal_spread(mean, d->p99, z99));
    } else if (d->p50 > 0 && d->mean > d->p50) {
        length = from_spread(mean, sqrt(2 * gp_num_log(d->mean / d->p50)));
    }
    if (d->p99 > 0)
        length.p99 = d->p99;
    if (d->peak > 0) {
        length.p95 = gp_num_min(length.p95, d->peak);
        length.p99 = gp_num_min(length.p99, d->peak);
    }
    length.p99 = gp_num_max(length.p99, length.p95);
    return length;
}

/* ------------------------------------------------------------ lengths of simulated requests */

static double mean_of(const gp_distribution *d) {
    return d->mean > 0 ? d->mean : d->p50;
}

/* A distribution whose spread the spec states follows it, else it has the published shape. */
static gp_lengths lengths_of(const gp_constants *k, const gp_distribution *d, bool input) {
    const double mean = mean_of(d);
    const gp_length stated = gp_length_of(d, 0, 0);
    if (stated.told)
        return gp_lengths_through(mean, d->p95 > 0 ? d->p95 : stated.p95);
    return input ? gp_lengths_input(k, mean) : gp_lengths_output(k, mean);
}

void gp_traffic_lengths(const gp_constants *k, const gp_workload_plan *w, gp_arrivals *ret) {
    const gp_traffic *t = &w->workload->traffic;
    const gp_serve_job *job = &w->serve; /* its lengths are a trace's where the spec has none */
    ret->input = mean_of(&t->input_tokens) > 0
                     ? lengths_of(k, &t->input_tokens, true)
                     : gp_lengths_through(job->input_tokens, job->input_p95);
    ret->output = mean_of(&t->output_tokens) > 0
                      ? lengths_of(k, &t->output_tokens, false)
                      : gp_lengths_through(job->output_tokens, job->output_p95);
    ret->thought = lengths_of(k, &t->thought_tokens, false);
    ret->image_tokens = job->image_tokens;
    ret->token_limit = gp_serve_longest_tokens(job);
}

double gp_plan_long_request(const gp_constants *k, const gp_workload_plan *w) {
    const double branches = gp_num_max(w->serve.branches, 1);
    gp_arrivals a = {.cv = 0};
    gp_traffic_lengths(k, w, &a);
    const double prompt = a.input.mean + a.image_tokens;
    const double answer = a.output.mean + a.thought.mean;
    const double longer =
        gp_num_max(gp_lengths_long(&a.input) - a.input.mean,
                   branches * (gp_lengths_long(&a.output) + gp_lengths_long(&a.thought) - answer));
    const double all = prompt + branches * answer + gp_num_max(longer, 0);
    return a.token_limit > 0 ? gp_num_min(all, branches * (double)a.token_limit) : all;
}
