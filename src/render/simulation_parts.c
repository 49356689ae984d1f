/* A simulation in words and tables, for every form that people read. */
#include <string.h>

#include "render/simulation_form.h"

enum { ROOMY = 96 };

static const char *percent(gp_form_out *out, double fraction) {
    char text[GP_NUM_TEXT];
    (void)gp_num_format_fixed(text, fraction * 100, 1);
    return gp_form_text(out, "%s%%", text);
}

static const char *number(gp_form_out *out, double value, int digits) {
    char text[GP_NUM_TEXT];
    (void)gp_num_format_g(text, value, digits);
    return gp_form_text(out, "%s", text);
}

/* ---- sentences */

static int goals_missed(const gp_simulation *s) {
    int missed = 0;
    for (int i = 0; i < s->goal_count; i++)
        missed += s->goals[i].ok ? 0 : 1;
    return missed;
}

const char *gp_simulation_answer(gp_form_out *out, const gp_simulation *s) {
    const char *name = gp_form_or(s->workload, "the workload");
    const char *queue =
        s->saturated ? " The queue grew to the end: the load exceeds the capacity." : "";
    if (!s->has_slo)
        return gp_form_text(out, "Simulation of %s: no service level is stated.%s", name, queue);
    const int missed = goals_missed(s);
    if (missed == 0)
        return gp_form_text(out, "Simulation of %s: %s met; %s of the requests meet all limits.%s",
                            name, s->goal_count == 1 ? "the goal is" : "every goal is",
                            percent(out, s->good_fraction), queue);
    return gp_form_text(
        out, "Simulation of %s: %d of %d %s missed; %s of the requests meet all limits.%s", name,
        missed, s->goal_count, s->goal_count == 1 ? "goal" : "goals",
        percent(out, s->good_fraction), queue);
}

/* "4 GPUs (TP4)" */
static const char *replica_words(gp_form_out *out, int64_t gpus, int64_t tp, int64_t pp) {
    const char *each = gp_form_plural(out, gpus, "GPU");
    if (tp <= 1 && pp <= 1)
        return each;
    if (pp <= 1)
        return gp_form_text(out, "%s (TP%lld)", each, (long long)tp);
    return gp_form_text(out, "%s (TP%lld PP%lld)", each, (long long)tp, (long long)pp);
}

/* "4 replicas x 4 GPUs (TP4)", "prefill 3 x 1 GPU and decode 1 x 2 GPUs (TP2)" */
static const char *replicas_words(gp_form_out *out, const gp_simulation *s) {
    const char *each = replica_words(out, s->gpus_per_replica, s->tp, s->pp);
    const char *scaled = "";
    if (s->max_replicas > 0)
        scaled = gp_form_text(out, " at first, up to %lld,", (long long)s->max_replicas);
    if (s->prefill_replicas <= 0)
        return gp_form_text(out, "%s%s x %s", gp_form_plural(out, s->replicas, "replica"), scaled,
                            each);
    return gp_form_text(
        out, "prefill %lld x %s and decode %lld%s x %s", (long long)s->prefill_replicas,
        replica_words(out, s->prefill_gpus_per_replica, s->prefill_tp, s->prefill_pp),
        (long long)(s->replicas - s->prefill_replicas), scaled, each);
}

/* "4 replicas x 4 GPUs (TP4) on dgx-h200" */
static const char *simulation_layout(gp_form_out *out, const gp_simulation *s) {
    const char *machine = gp_form_if(out, s->machine != NULL, " on %s", s->machine);
    const char *spare = "";
    if (s->spare_replicas > 0)
        spare = gp_form_text(out, ", without %s", gp_form_plural(out, s->spare_replicas, "spare"));
    return gp_form_text(out, "%s%s%s", replicas_words(out, s), machine, spare);
}

static const char *simulation_arrivals(gp_form_out *out, const gp_simulation *s) {
    if (s->process != NULL)
        return gp_form_text(out, "%s, %s requests/s", s->process, number(out, s->planned_per_s, 4));
    const char *scale = "";
    if (s->rate_scale < 1 || s->rate_scale > 1)
        scale = gp_form_text(out, ", rate x %s", number(out, s->rate_scale, 4));
    const char *empty = "";
    if (s->empty_rows > 0)
        empty = gp_form_text(out, ", %lld rows without output left out", (long long)s->empty_rows);
    return gp_form_text(out, "trace %s%s%s", gp_form_or(s->trace, ""), scale, empty);
}

/* ---- tables */

/* "p95 2 s met", of the goals whose names begin with `prefix`. */
static const char *goals_of(gp_form_out *out, const gp_simulation *s, const char *prefix) {
    const char *text = "";
    for (int i = 0; i < s->goal_count; i++) {
        const gp_simulation_goal *goal = &s->goals[i];
        if (!gp_str_starts(goal->name, prefix))
            continue;
        const char *what = goal->name + strlen(prefix);
        const char *figure = gp_str_equal(what, "Mean") ? "mean" : what;
        text = gp_form_joined(out, text, ", ", "%s %s: %s",
                              figure[0] == 'P' ? gp_form_text(out, "p%s", figure + 1) : figure,
                              gp_form_seconds(out, goal->target_s), goal->ok ? "met" : "missed");
    }
    return text;
}

static void latency_row(gp_form_out *out, const gp_simulation *s, gp_table *table, const char *name,
                        const char *goals, const gp_simulation_spread *spread) {
    const char **cells = gp_table_row(out, table);
    const double values[] = {spread->mean, spread->p50, spread->p90,
                             spread->p95,  spread->p99, spread->max};
    const size_t shown = table->columns - (s->has_slo ? 2 : 1);
    cells[0] = name;
    for (size_t i = 0; i < shown; i++)
        cells[1 + i] = spread->count > 0 ? gp_form_seconds(out, values[i]) : "-";
    if (s->has_slo)
        cells[table->columns - 1] = goals != NULL ? goals_of(out, s, goals) : "";
}

static void fill_latency(gp_form_out *out, const gp_simulation *s, gp_table *table) {
    static const char *const headers[] = {">Mean", ">p50", ">p90", ">p95", ">p99", ">Max"};
    *table = GP_TABLE("Latency");
    /* A narrow terminal has no room for the longest one. */
    size_t shown = GP_COUNT_OF(headers);
    shown -= s->has_slo && out->layout == GP_LAYOUT_TEXT && out->width < ROOMY ? 1 : 0;
    for (size_t i = 0; i < shown; i++)
        gp_table_column(table, headers[i]);
    if (s->has_slo)
        gp_table_column(table, "~Goal");
    latency_row(out, s, table, "first token", "ttft", &s->ttft_s);
    latency_row(out, s, table, "per token", "tpot", &s->tpot_s);
    latency_row(out, s, table, "whole", "e2e", &s->e2e_s);
    latency_row(out, s, table, "queue", NULL, &s->queue_s);
}

static void figure(gp_form_out *out, gp_table *table, const char *label, const char *text) {
    GP_TABLE_ROW(out, table, label, text);
}

/* Over the intervals in which requests arrive. */
static double mean_of(const gp_simulation *s, const double *values) {
    double sum = 0;
    size_t seen = 0;
    for (size_t i = 0; i < s->series.count; i++) {
        if (i == 0 || (double)(i + 1) * s->series.width_s <= s->arrival_s) {
            sum += values[i];
            seen++;
        }
    }
    return seen > 0 ? sum / (double)seen : 0;
}

static double top_of(const gp_simulation *s, const double *values) {
    return gp_curve_peak(&s->series, values, 0, 1);
}

static void fill_requests(gp_form_out *out, const gp_simulation *s, gp_table *table) {
    const char *refused = "";
    if (s->refused > 0)
        refused =
            gp_form_text(out, ", %lld rejected as too long for a replica", (long long)s->refused);
    figure(out, table, "requests",
           gp_form_text(out, "%lld in %s%s; %lld in the percentiles", (long long)s->arrived,
                        gp_form_seconds(out, s->duration_s), refused, (long long)s->measured));
    figure(out, table, "throughput",
           gp_form_text(out, "%s requests/s, %s output tokens/s", number(out, s->requests_per_s, 4),
                        number(out, s->output_tokens_per_s, 4)));
    if (s->has_slo)
        figure(out, table, "goodput",
               gp_form_text(out, "%s requests/s within the service level (%s)",
                            number(out, s->good_requests_per_s, 4),
                            percent(out, s->good_fraction)));
    figure(out, table, "in system",
           gp_form_text(out, "%s on average, %lld at most; %s waiting at the peak",
                        number(out, s->mean_in_system, 4), (long long)s->most_live,
                        number(out, top_of(s, s->series.waiting), 3)));
}

static void fill_mechanisms(gp_form_out *out, const gp_simulation *s, gp_table *table) {
    if (s->cached_tokens > 0)
        figure(out, table, "prefix cache",
               gp_form_text(out, "%s of the prompt tokens",
                            percent(out, (double)s->cached_tokens /
                                             gp_num_max((double)s->prompt_tokens, 1))));
    if (s->preemptions > 0)
        figure(
            out, table, "preemptions",
            gp_form_text(
                out, "%s; %s of the work was lost to them", gp_form_count(out, s->preemptions),
                percent(out, (double)s->lost_tokens / gp_num_max((double)s->computed_tokens, 1))));
    if (s->failures > 0)
        figure(out, table, "failures",
               gp_form_text(out, "%s; %s moved to another replica",
                            gp_form_plural(out, s->failures, "failure"),
                            gp_form_plural(out, s->moved, "request")));
    if (s->max_replicas > 0)
        figure(out, table, "autoscaling",
               gp_form_text(out, "%s; %s replicas on average, %s at most",
                            gp_form_plural(out, s->starts, "start"),
                            number(out, mean_of(s, s->series.replicas), 3),
                            number(out, top_of(s, s->series.replicas), 3)));
}

static void fill_figures(gp_form_out *out, const gp_simulation *s, gp_table *table) {
    *table = GP_TABLE("Figure", "~");
    figure(out, table, "layout", simulation_layout(out, s));
    figure(out, table, "arrivals",
           gp_form_text(out, "%s; router %s; seed %lld", simulation_arrivals(out, s),
                        gp_form_words(out, s->router), (long long)s->seed));
    fill_requests(out, s, table);
    figure(out, table, "KV cache",
           gp_form_text(out, "%s of the blocks%s on average, %s in the fullest interval",
                        percent(out, mean_of(s, s->series.kv_fraction)),
                        s->prefill_replicas > 0 ? " for decode" : "",
                        percent(out, top_of(s, s->series.kv_fraction))));
    fill_mechanisms(out, s, table);
    if (s->mean_power_w > 0)
        figure(out, table, "power",
               gp_form_text(out, "%s mean, %s peak; %s in all; replicas busy %s of the time",
                            gp_form_watts(out, s->mean_power_w),
                            gp_form_watts(out, s->peak_power_w),
                            gp_form_quantity(out, s->energy_j, GP_DIM_ENERGY),
                            percent(out, s->busy_fraction)));
    figure(out, table, "engine steps",
           gp_form_text(out, "%s, computed in %s events", gp_form_count(out, s->iterations),
                        gp_form_count(out, s->events)));
}

void gp_simulation_table(gp_form_out *out, const gp_simulation *simulation, gp_simulation_part part,
                         gp_table *ret_table) {
    *ret_table = (gp_table){0};
    switch (part) {
    case GP_SIMULATION_LATENCY: fill_latency(out, simulation, ret_table); break;
    case GP_SIMULATION_FIGURES: fill_figures(out, simulation, ret_table); break;
    case GP_SIMULATION_PART_COUNT: break;
    }
}

/* ---- curves */

double gp_curve_peak(const gp_simulation_series *series, const double *values, double from,
                     double to) {
    double peak = 0;
    const size_t first = (size_t)(from * (double)series->count);
    size_t last = (size_t)ceil(to * (double)series->count);
    last = last > first ? last : first + 1;
    for (size_t i = first; i < last && i < series->count; i++)
        peak = gp_num_max(peak, values[i]);
    return peak;
}

/* The next of a few round figures, so that no curve leaves more than a third of its field empty. */
static double round_top(double value) {
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
    double unit = 1;
    while (unit * 10 < value)
        unit *= 10;
    while (unit >= value && value > 0)
        unit /= 10;
    for (size_t i = 0; i < GP_COUNT_OF(steps); i++)
        if (unit * steps[i] >= value)
            return unit * steps[i];
    return unit * 10;
}

size_t gp_simulation_curves(gp_form_out *out, const gp_simulation *s,
                            gp_curve_view ret_curves[GP_CURVES_MAX]) {
    const gp_simulation_series *series = &s->series;
    size_t n = 0;
    const double running = round_top(gp_num_max(top_of(s, series->running), 1));
    ret_curves[n++] = (gp_curve_view){"requests running", "running", series->running, running,
                                      number(out, running, 4)};
    const double waiting = round_top(gp_num_max(top_of(s, series->waiting), 1));
    ret_curves[n++] = (gp_curve_view){"requests waiting", "waiting", series->waiting, waiting,
                                      number(out, waiting, 4)};
    const char *kv = s->prefill_replicas > 0 ? "KV cache for decode in use" : "KV cache in use";
    ret_curves[n++] = (gp_curve_view){kv, "kv", series->kv_fraction, 1, "100%"};
    const double power = top_of(s, series->power_w);
    if (power > 0)
        ret_curves[n++] = (gp_curve_view){"power", "power", series->power_w, round_top(power),
                                          gp_form_watts(out, round_top(power))};
    const double replicas = gp_num_max(top_of(s, series->replicas), 1);
    if (s->failures > 0 || s->max_replicas > 0)
        ret_curves[n++] = (gp_curve_view){"replicas up", "replicas", series->replicas,
                                          round_top(replicas), number(out, round_top(replicas), 4)};
    return n;
}
