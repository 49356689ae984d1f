/*
 * Own measurements against the built-in figures: for each the factor that makes the estimate what
 * was measured, then one factor for each class, shrunk towards 1 by how little is known of it.
 *
 * ln f of sample i scatters around its class by sigma / e_i (e: elasticity of the estimate in the
 * factor), and classes around 0 by tau. Mean of a class: sum(e^2 y) / sum(e^2), its variance
 * v = sigma^2 / sum(e^2); weight tau^2 / (tau^2 + v); factor exp(weight x mean). sigma is pooled
 * over the classes of a term, tau over the classes as well, both with a prior
 * (docs/calibration.md).
 */
#include <math.h>
#include <string.h>

#include "base/day.h"
#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "fit/dials.h"
#include "schema/diag_ids.h"

enum { ROUNDS = 3, STEPS = 40 };

static const double log_limit = 3;           /* e^3: a twentieth or twenty times is no tuning */
static const double least_elasticity = 0.05; /* below, a sample says nothing of its class */
static const double prior_sigma = 0.05;      /* scatter of repeated runs, worth ... */
static const double prior_runs = 4;          /* ... that many runs */
static const double prior_classes = 2;       /* the prior of tau, likewise */
static const double least_tau = 0.05;
static const double outlier_sigmas = 2.5;
static const double mad_to_sigma = 1.4826; /* of a normal distribution */
static const double least_mad = 0.02;
static const double normal_p80 = 1.2816; /* |error| below it in four cases of five */
static const double least_band = 0.02;

/* ---- one sample ------------------------------------------------------------------------------ */

typedef struct curve {
    gp_dials *dials;
    gp_sample *sample;
} curve;

/* ln(estimate / measured) with the sample's dial at exp(x); NAN where there is no estimate. */
static double miss(curve *c, double x) {
    gp_dials_turn(c->dials, c->sample->dial, x);
    const double estimate = gp_sample_estimate(c->dials, c->sample);
    return estimate > 0 ? gp_num_log(estimate / c->sample->measured) : (double)NAN;
}

/* Root of a monotone function between ends of different signs: false position with halved ends
 * (Illinois), a fixed number of steps. */
static double root_between(curve *c, double low, double at_low, double high, double at_high) {
    static const double close = 1e-9;
    double middle = low;
    for (int i = 0; i < STEPS && fabs(high - low) > close; i++) {
        middle = (low * at_high - high * at_low) / (at_high - at_low);
        double at = miss(c, middle);
        if (isnan(at) || fabs(at) < close)
            break;
        if ((at > 0) == (at_high > 0)) {
            high = middle;
            at_high = at;
            at_low *= 0.5;
        } else {
            low = middle;
            at_low = at;
            at_high *= 0.5;
        }
    }
    return middle;
}

static const char *unit_hint(const gp_sample *sample) {
    double ratio = sample->measured / sample->before;
    double gpus = sample->run->gpus;
    bool whole = gpus > 1 && (gp_str_ends(sample->metric, "per_gpu") ||
                              gp_str_equal(sample->metric, "tokens_per_s_per_gpu"));
    if (whole && ratio > gpus * 0.25 && ratio < gpus * 1.5)
        return "far above the estimate: of all GPUs together, not of one?";
    return ratio > 1 ? "far above the estimate: another unit?"
                     : "far below the estimate: another unit?";
}

static const char *roofline(const gp_dial *d) {
    static const char *const limits[GP_CALIBRATION_TERM_COUNT] = {
        [GP_CALIBRATION_GEMM] = "faster than the GPU's peak rate allows",
        [GP_CALIBRATION_PREFILL] = "prompts faster than the GPU's peak rate allows",
        [GP_CALIBRATION_DECODE] = "tokens faster than the GPU's memory bandwidth allows",
        [GP_CALIBRATION_BANDWIDTH] = "faster than the rate of the link",
    };
    return limits[d->term] != NULL ? limits[d->term] : "outside of what the model can explain";
}

/* Whether a higher factor would be needed than there is. */
static bool wants_more(const gp_sample *sample, const gp_dial *d) {
    bool time = gp_str_ends(sample->metric, "_ms") || gp_str_ends(sample->metric, "_us") ||
                gp_str_equal(sample->metric, "iteration_s");
    bool faster = time ? sample->measured < sample->before : sample->measured > sample->before;
    return faster && d->term <= GP_CALIBRATION_BANDWIDTH;
}

static void judge(gp_dials *dials, gp_sample *sample, double x) {
    static const double slack = 1.02; /* of rounded figures */
    const gp_dial *d = &dials->items[sample->dial];
    sample->log_factor = x;
    if (d->shares[0] > 0 && d->shares[0] * gp_num_exp(x) > slack)
        sample->refused = roofline(d);
}

static void solve(gp_dials *dials, gp_sample *sample) {
    static const double step = 0.1;
    curve c = {.dials = dials, .sample = sample};
    const gp_dial *d = &dials->items[sample->dial];
    double start = d->log_factor;
    double at = miss(&c, start);
    double beside = miss(&c, start + step);
    double slope = (beside - at) / step;
    sample->elasticity = fabs(slope);
    if (isnan(slope)) {
        sample->refused = "no estimate beside which it could be put";
        return;
    }
    if (fabs(at) > log_limit) {
        sample->refused = unit_hint(sample);
        return;
    }
    if (sample->elasticity < least_elasticity) {
        sample->refused = "hardly depends on what is fitted: something else holds this run up";
        return;
    }
    double end = (at > 0) == (slope > 0) ? -log_limit : log_limit;
    double at_end = miss(&c, end);
    if (isnan(at_end) || (at_end > 0) == (at > 0)) {
        sample->refused = wants_more(sample, d) ? roofline(d) : unit_hint(sample);
        return;
    }
    judge(dials, sample, fabs(at) > 0 ? root_between(&c, start, at, end, at_end) : start);
}

static bool counts(const gp_sample *sample) {
    return sample->refused == NULL && !sample->silent;
}

/* ---- one class ------------------------------------------------------------------------------- */

static void median_of(gp_arena *arena, double *values, size_t count, double *ret) {
    gp_sort(arena, values, count, sizeof *values, gp_by_number, NULL);
    *ret = gp_fit_percentile(values, count, 0.5);
}

/* Values far off their median are moved to the edge, so that one bad run does not carry a class. */
static void clip(gp_arena *arena, double *values, size_t count) {
    double *work = GP_NEW_ARRAY(arena, double, count + 1);
    double middle = 0;
    double mad = 0;
    memcpy(work, values, count * sizeof *values);
    median_of(arena, work, count, &middle);
    for (size_t i = 0; i < count; i++)
        work[i] = fabs(values[i] - middle);
    median_of(arena, work, count, &mad);
    double reach = outlier_sigmas * gp_num_max(mad_to_sigma * mad, least_mad);
    for (size_t i = 0; count > 2 && i < count; i++)
        values[i] = gp_num_max(middle - reach, gp_num_min(middle + reach, values[i]));
}

typedef struct members {
    gp_sample **samples;
    double *values; /* ln of the factor, clipped */
    size_t count;
} members;

static void members_of(gp_dials *dials, size_t dial, members *ret) {
    gp_arena *arena = dials->fitter->arena;
    *ret = (members){.samples = GP_NEW_ARRAY(arena, gp_sample *, dials->sample_count + 1),
                     .values = GP_NEW_ARRAY(arena, double, dials->sample_count + 1)};
    for (size_t i = 0; i < dials->sample_count; i++) {
        gp_sample *sample = &dials->samples[i];
        if (counts(sample) && sample->dial == dial) {
            ret->values[ret->count] = sample->log_factor;
            ret->samples[ret->count++] = sample;
        }
    }
    clip(arena, ret->values, ret->count);
}

static double mean_of(const members *m, double *ret_information) {
    double sum = 0;
    double information = 0;
    for (size_t i = 0; i < m->count; i++) {
        double e = gp_num_min(1, m->samples[i]->elasticity);
        sum += e * e * m->values[i];
        information += e * e;
    }
    *ret_information = information;
    return information > 0 ? sum / information : 0;
}

static void fill_spread(gp_dials *dials, const members *m, gp_dial *d) {
    double *work = GP_NEW_ARRAY(dials->fitter->arena, double, m->count + 1);
    for (size_t i = 0; i < m->count; i++)
        work[i] = m->samples[i]->log_factor;
    gp_sort(dials->fitter->arena, work, m->count, sizeof *work, gp_by_number, NULL);
    d->p10 = gp_num_exp(gp_fit_percentile(work, m->count, 0.1));
    d->p90 = gp_num_exp(gp_fit_percentile(work, m->count, 0.9));
}

/* Pooled over the classes of a term. */
typedef struct scatter {
    double squares, degrees; /* of sigma, the prior's included */
    double between, classes; /* of tau squared, likewise */
} scatter;

static double sigma_of(const scatter *s) {
    return sqrt(s->squares / s->degrees);
}

static double tau_of(const scatter *s) {
    return sqrt(gp_num_max(least_tau * least_tau, s->between / s->classes));
}

static void add_squares(const members *m, double mean, scatter *s) {
    for (size_t i = 0; i < m->count; i++) {
        double e = gp_num_min(1, m->samples[i]->elasticity);
        double off = e * (m->values[i] - mean);
        s->squares += off * off;
    }
    s->degrees += (double)m->count - 1;
}

static void shrink(gp_dial *d, const scatter *s) {
    double sigma = sigma_of(s);
    double tau = tau_of(s);
    d->variance = sigma * sigma / d->information;
    d->weight = tau * tau / (tau * tau + d->variance);
    d->log_factor = d->weight * d->log_mean;
    double left = d->weight * d->variance;
    d->error_fraction =
        gp_num_max(least_band, gp_num_exp(normal_p80 * sqrt(sigma * sigma + left)) - 1);
}

static bool is_stack(const gp_dial *d) {
    return d->term == GP_CALIBRATION_STEP_TIME;
}

/* Classes of one term: means first, then what they share, then each shrunk by it. */
static void fit_term(gp_dials *dials, gp_calibration_term term, scatter *ret_scatter) {
    scatter s = {.squares = prior_runs * prior_sigma * prior_sigma, .degrees = prior_runs};
    members *all = GP_NEW_ARRAY(dials->fitter->arena, members, dials->count + 1);
    for (size_t i = 0; i < dials->count; i++) {
        gp_dial *d = &dials->items[i];
        if (d->term != term)
            continue;
        members_of(dials, i, &all[i]);
        d->samples = all[i].count;
        if (d->samples > 0) {
            d->log_mean = mean_of(&all[i], &d->information);
            add_squares(&all[i], d->log_mean, &s);
            fill_spread(dials, &all[i], d);
        }
    }
    double sigma = sigma_of(&s);
    for (size_t i = 0; i < dials->count; i++) {
        const gp_dial *d = &dials->items[i];
        if (d->term == term && d->samples > 0) {
            if (s.classes <= 0) {
                s.classes = prior_classes;
                s.between = prior_classes * d->prior_spread * d->prior_spread;
            }
            s.classes += 1;
            s.between += gp_num_max(0, d->log_mean * d->log_mean - sigma * sigma / d->information);
        }
    }
    for (size_t i = 0; i < dials->count; i++)
        if (dials->items[i].term == term && dials->items[i].samples > 0)
            shrink(&dials->items[i], &s);
    *ret_scatter = s;
}

/* ---- frameworks ------------------------------------------------------------------------------ */

/* Only classes whose runs were made with several frameworks tell frameworks apart. */
static bool tells_stacks(const gp_dials *dials, const gp_sample *sample) {
    return counts(sample) && sample->stack_dial != SIZE_MAX && dials->items[sample->dial].mixed;
}

/* Mean residual of the framework's runs, in ln(time), beyond their classes; shrunk. */
static void fit_stack(gp_dials *dials, size_t at) {
    gp_dial *d = &dials->items[at];
    double sum = 0;
    double n = 0;
    for (size_t i = 0; i < dials->sample_count; i++) {
        const gp_sample *sample = &dials->samples[i];
        if (!tells_stacks(dials, sample) || sample->stack_dial != at)
            continue;
        double off = sample->log_factor - dials->items[sample->dial].log_factor;
        sum -= gp_num_min(1, sample->elasticity) * off; /* a slower run needs a lower rate */
        n += 1;
    }
    if (n <= 0)
        return;
    double v = prior_sigma * prior_sigma / n;
    double tau = d->prior_spread;
    d->samples = (size_t)n;
    d->weight = tau * tau / (tau * tau + v);
    d->log_mean = d->log_factor + sum / n; /* the residual is beside the present factor */
    d->log_factor = d->weight * d->log_mean;
    d->p10 = d->p90 = 0;
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* Collectives across machines say more of the network than a stream between two ports does: where
 * they are there, streams are left out, and where not, the band of collectives stays what it is. */
static void weigh_streams(gp_dials *dials) {
    for (size_t i = 0; i < dials->count; i++)
        dials->items[i].streams = true;
    for (size_t i = 0; i < dials->sample_count; i++) {
        const gp_sample *sample = &dials->samples[i];
        if (counts(sample) && !gp_fit_is_stream(sample->run))
            dials->items[sample->dial].streams = false;
    }
    for (size_t i = 0; i < dials->sample_count; i++) {
        gp_sample *sample = &dials->samples[i];
        if (counts(sample) && gp_fit_is_stream(sample->run) && !dials->items[sample->dial].streams)
            sample->refused = "collectives across machines are there, which say more of the "
                              "network than a stream between two ports";
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void one_round(gp_dials *dials, scatter scatters[GP_CALIBRATION_TERM_COUNT]) {
    for (size_t i = 0; i < dials->sample_count; i++)
        if (counts(&dials->samples[i]))
            solve(dials, &dials->samples[i]);
    for (int t = 0; t < GP_CALIBRATION_TERM_COUNT; t++)
        if (t != GP_CALIBRATION_STEP_TIME)
            fit_term(dials, (gp_calibration_term)t, &scatters[t]);
    for (size_t i = 0; i < dials->count; i++)
        if (is_stack(&dials->items[i]))
            fit_stack(dials, i);
}

/* The class's factor without this sample. */
static double left_out(const gp_dials *dials, const gp_sample *sample, const scatter *s) {
    const gp_dial *d = &dials->items[sample->dial];
    double e = gp_num_min(1, sample->elasticity);
    double information = d->information - e * e;
    if (information <= 0 || d->samples < 2 || !(d->weight > 0))
        return 0;
    double mean = (d->log_mean * d->information - e * e * sample->log_factor) / information;
    double sigma = sigma_of(s);
    double tau = tau_of(s);
    double v = sigma * sigma / information;
    return mean * tau * tau / (tau * tau + v);
}

static void look_again(gp_dials *dials, const scatter *scatters) {
    for (size_t i = 0; i < dials->sample_count; i++) {
        gp_sample *sample = &dials->samples[i];
        if (!counts(sample))
            continue;
        const scatter *s = &scatters[dials->items[sample->dial].term];
        gp_dials_turn(dials, sample->dial, left_out(dials, sample, s));
        sample->after = gp_sample_estimate(dials, sample);
    }
}

/* A factor that does not bring the left-out samples of its class closer is noise: built-in then. */
static size_t drop_noise(gp_dials *dials) {
    size_t dropped = 0;
    for (size_t d = 0; d < dials->count; d++) {
        gp_dial *dial = &dials->items[d];
        double gain = 0;
        for (size_t i = 0; i < dials->sample_count; i++) {
            const gp_sample *sample = &dials->samples[i];
            if (counts(sample) && sample->dial == d && sample->after > 0)
                gain += fabs(gp_num_log(sample->before / sample->measured)) -
                        fabs(gp_num_log(sample->after / sample->measured));
        }
        if (dial->samples > 1 && dial->weight > 0 && !is_stack(dial) && gain <= 0) {
            dial->log_factor = 0;
            dial->weight = 0;
            dropped++;
        }
    }
    return dropped;
}

static void median_errors(gp_dials *dials, gp_calibration_backtest *ret) {
    gp_arena *arena = dials->fitter->arena;
    double *before = GP_NEW_ARRAY(arena, double, dials->sample_count + 1);
    double *after = GP_NEW_ARRAY(arena, double, dials->sample_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < dials->sample_count; i++) {
        const gp_sample *sample = &dials->samples[i];
        ret->refused += sample->refused != NULL ? 1 : 0;
        if (counts(sample)) {
            before[n] = fabs(sample->before / sample->measured - 1);
            after[n++] = fabs(sample->after / sample->measured - 1);
        }
    }
    ret->rows = (int64_t)n;
    median_of(arena, before, n, &ret->before_fraction);
    median_of(arena, after, n, &ret->after_fraction);
}

static int compare_dials(const void *a, const void *b, const void *context) {
    (void)context;
    return gp_str_compare(((const gp_dial *)a)->key, ((const gp_dial *)b)->key);
}

static gp_calibration_factor factor_of(const gp_dial *d) {
    bool no_band = is_stack(d) || d->streams;
    return (gp_calibration_factor){
        .term = (int)d->term,
        .class_of = {.gpu = d->gpu == NULL ? NULL : d->gpu->id,
                     .precision = d->precision,
                     .framework = d->serving ? NULL : d->software,
                     .engine = d->serving ? d->software : NULL,
                     .link = d->link},
        .factor = gp_num_exp(d->log_factor),
        .measured = gp_num_exp(d->log_mean),
        .weight = d->weight,
        .samples = (int64_t)d->samples,
        .spread = {.p10 = d->p10, .p90 = d->p90},
        .error_fraction = no_band ? 0 : d->error_fraction,
    };
}

static void fill_factors(gp_dials *dials, gp_calibration *ret) {
    gp_sort(dials->fitter->arena, dials->items, dials->count, sizeof *dials->items, compare_dials,
            NULL);
    ret->factors.items =
        GP_NEW_ARRAY(dials->fitter->arena, gp_calibration_factor, dials->count + 1);
    for (size_t i = 0; i < dials->count; i++)
        if (dials->items[i].samples > 0)
            GP_NEXT(ret->factors) = factor_of(&dials->items[i]);
}

static void tell_refused(const gp_dials *dials, gp_diags *diags) {
    for (size_t i = 0; i < dials->sample_count; i++) {
        const gp_sample *sample = &dials->samples[i];
        if (sample->refused == NULL)
            continue;
        const char *message = gp_arena_printf(diags->arena, "%s left out: %s: %s",
                                              sample->run->id == NULL ? "row" : sample->run->id,
                                              sample->metric, sample->refused);
        const gp_diag diag = {.id = GP_ID_NOT_BELIEVED,
                              .level = GP_LEVEL_WARNING,
                              .span = sample->span,
                              .message = message};
        gp_diags_add(diags, &diag);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* "2026-09-01", at the start of a cell, as yyyymmdd; 0 where it is none. */
static int64_t date_of(const char *text) {
    int64_t parts[3] = {0};
    static const size_t widths[] = {4, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        if (strlen(text) < widths[i] || !gp_num_parse_i64(text, widths[i], &parts[i]))
            return 0;
        text += widths[i];
        if (i < 2 && *text++ != '-')
            return 0;
    }
    return parts[0] > 0 && parts[2] > 0 && parts[2] <= gp_days_in_month(parts[0], parts[1])
               ? (parts[0] * 100 + parts[1]) * 100 + parts[2]
               : 0;
}

static void widen(gp_calibration_window *window, int64_t date) {
    if (date > 0) {
        window->from = window->from > 0 ? gp_num_min_i64(window->from, date) : date;
        window->to = gp_num_max_i64(window->to, date);
    }
}

static gp_status add_table(gp_dials *dials, const gp_text *text, gp_diags *diags,
                           gp_calibration_window *window) {
    gp_runs *runs = GP_NEW(dials->fitter->arena, gp_runs);
    gp_status st = gp_runs_read(dials->fitter->arena, text, gp_run_tables, diags, runs);
    if (st != GP_OK)
        return st;
    int dated = gp_csv_column(&runs->csv, "date");
    for (size_t i = 0; i < runs->count; i++) {
        const gp_run_row *run = gp_runs_at(runs, i);
        if (runs->has_strict && !gp_str_equal(run->strict, "yes"))
            continue;
        if (dated >= 0)
            widen(window, date_of(gp_csv_at(&runs->csv, i, (size_t)dated)->text));
        gp_span span = gp_csv_span(&runs->csv, gp_csv_at(&runs->csv, i, 0));
        gp_samples_add(dials, (gp_runs_kind)runs->kind, run, span);
    }
    return GP_OK;
}

static const char *source_of(gp_arena *arena, const gp_text *const *texts, size_t count) {
    const char *source = "";
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(texts[i]->name, '/');
        const char *name = slash == NULL ? texts[i]->name : slash + 1;
        source = gp_arena_printf(arena, "%s%s%s", source, i > 0 ? ", " : "", name);
    }
    return source;
}

static void fit(gp_dials *dials, gp_calibration *ret) {
    scatter scatters[GP_CALIBRATION_TERM_COUNT] = {{0}};
    weigh_streams(dials);
    for (int i = 0; i < ROUNDS; i++)
        one_round(dials, scatters);
    look_again(dials, scatters);
    if (drop_noise(dials) > 0)
        look_again(dials, scatters);
    median_errors(dials, &ret->backtest);
    fill_factors(dials, ret);
}

gp_status gp_calibrate(gp_arena *arena, gp_catalog *catalog, const gp_text *const *texts,
                       size_t text_count, const gp_calibrate_options *options, gp_diags *diags,
                       gp_calibration *ret_calibration) {
    gp_fitter *fitter = GP_NEW(arena, gp_fitter);
    gp_dials dials;
    gp_calibration ret = {.window = {.from = 0}};
    gp_status st = gp_fitter_init(arena, catalog, diags, fitter);
    if (st == GP_OK)
        gp_dials_init(&dials, fitter);
    for (size_t i = 0; i < text_count && st == GP_OK; i++)
        st = add_table(&dials, texts[i], diags, &ret.window);
    if (st != GP_OK)
        return st;
    fit(&dials, &ret);
    tell_refused(&dials, diags);
    if (ret.factors.count == 0) {
        gp_diags_error(diags, GP_ID_EMPTY, (gp_span){.text = texts[0]}, NULL, NULL,
                       "no row is left that a factor could rest on");
        return GP_ERR_INPUT;
    }
    ret.window.from = options->from > 0 ? options->from : ret.window.from;
    ret.window.to = options->to > 0 ? options->to : ret.window.to;
    ret.source = source_of(arena, texts, text_count);
    *ret_calibration = ret;
    return GP_OK;
}
