/*
 * The run: the earliest of the next arrival, the next event of the fleet and the next end of a
 * replica's piece, until nothing is left to do; then the figures.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

enum { SERIES_DEFAULT = 240, PROGRESS_EVERY = 4096 };

/* ---- set-up */

static bool engine_works(const gp_engine *engine) {
    return engine->branches >= 1 && engine->max_sequences >= engine->branches &&
           engine->budget_tokens >= engine->max_sequences && engine->block_tokens >= 1 &&
           engine->block_tokens <= GP_SIM_BLOCK_TOKENS && engine->blocks >= 1 &&
           engine->table.rows >= 1 && engine->table.columns >= 1 && engine->table.chunks >= 2 &&
           engine->table.prefixes >= 1 && isfinite(engine->table.decode_s[0][0]) &&
           engine->table.decode_s[0][0] > 0;
}

static bool arrivals_work(const gp_arrivals *arrivals) {
    bool shares = arrivals->prefix_fraction >= 0 && arrivals->prefix_fraction < 1 &&
                  (!(arrivals->prefix_fraction > 0) ||
                   (arrivals->prefix_groups >= 1 && arrivals->prefix_groups <= INT32_MAX));
    if (arrivals->rows != NULL)
        return shares && arrivals->row_count > 0 && arrivals->rate_scale >= 0;
    double sum = 0;
    for (int i = 0; i < GP_HOURS; i++)
        sum += arrivals->hourly[i];
    return shares && arrivals->requests >= 1 && arrivals->requests_per_s > 0 &&
           arrivals->input.mean > 0 && arrivals->output.mean > 0 &&
           (arrivals->process != GP_PROCESS_DIURNAL || sum > 0);
}

static bool fleet_works(const gp_simulate_config *config) {
    const gp_sim_autoscale *scale = &config->autoscale;
    enum { REPLICAS_MAX = 100000 };
    if (config->replicas < 1 || config->replicas > REPLICAS_MAX || config->prefill_replicas < 0 ||
        config->prefill_replicas > REPLICAS_MAX || scale->max_replicas > REPLICAS_MAX)
        return false;
    if (config->prefill_replicas > 0 &&
        (config->prefill_engine == NULL || !engine_works(config->prefill_engine) ||
         config->prefill_engine->branches != config->engine->branches))
        return false;
    if (scale->max_replicas > 0 &&
        (!(scale->period_s > 0) || scale->max_replicas < gp_num_max_i64(scale->min_replicas, 1)))
        return false;
    int64_t all = config->prefill_replicas + gp_num_max_i64(config->replicas, scale->max_replicas);
    for (size_t i = 0; i < config->outage_count; i++) {
        const gp_outage *outage = &config->outages[i];
        if (outage->replica < 0 || outage->replica >= all || !(outage->at_s >= 0) ||
            !(outage->for_s >= 0))
            return false;
    }
    return !(config->failure_mean_s > 0) || config->recovery_s >= 0;
}

/* A first guess at the width of the series: the run is not much longer than its arrivals. */
static double expected_s(const gp_arrivals *arrivals) {
    double scale = arrivals->rate_scale > 0 ? arrivals->rate_scale : 1;
    if (arrivals->rows != NULL)
        return arrivals->rows[arrivals->row_count - 1].at_s / scale;
    return (double)arrivals->requests / arrivals->requests_per_s;
}

static bool bounds_any(const gp_distribution *within) {
    return within->p50 > 0 || within->p95 > 0 || within->p99 > 0;
}

static void init(gp_sim *sim) {
    const gp_simulate_config *config = sim->config;
    const gp_simulate_slo *stop = &config->stop;
    sim->stops = bounds_any(&stop->ttft_s) || bounds_any(&stop->tpot_s) || bounds_any(&stop->e2e_s);
    size_t pieces = config->series_count > 0 ? config->series_count : SERIES_DEFAULT;
    pieces += pieces % 2;
    sim->live_free = GP_NOBODY;
    sim->unrouted = (gp_list){.oldest = GP_NOBODY, .newest = GP_NOBODY};
    sim->fewer_since_s = -1;
    gp_stream_init(&config->arrivals, &sim->stream);
    sim->unmeasured = (int64_t)(config->arrivals.unmeasured_fraction * (double)sim->stream.limit);
    gp_histogram **const histograms[] = {&sim->ttft, &sim->tpot, &sim->e2e, &sim->queue};
    for (size_t i = 0; i < sizeof histograms / sizeof histograms[0]; i++) {
        *histograms[i] = GP_NEW(sim->arena, gp_histogram);
    }
    double width_s = expected_s(&config->arrivals) / (double)pieces;
    gp_series_init(&sim->series, sim->arena, pieces, width_s > 0 ? width_s : 1);
    gp_fleet_init(sim);
}

/* ---- the loop */

static bool can_ever_run(const gp_sim *sim, const gp_live *live) {
    /* The first of either pool stands for all of it. */
    const gp_replica *first = &sim->replicas[0];
    const gp_replica *last = &sim->replicas[sim->replica_count - 1];
    return gp_replica_can_hold(first, live) &&
           (last->role == first->role || gp_replica_can_hold(last, live));
}

static gp_status arrive(gp_sim *sim, const gp_arrival *arrival, int64_t group) {
    const gp_simulate_config *config = sim->config;
    int64_t block = sim->replicas[0].engine->block_tokens;
    int32_t request = GP_NOBODY;
    gp_status st = gp_live_new(sim, &request);
    if (st != GP_OK)
        return st;
    gp_live *live = gp_live_at(sim, request);
    double shared = config->arrivals.prefix_fraction * (double)arrival->input_tokens;
    live->arrival_s = arrival->at_s;
    live->number = sim->result->arrived++;
    live->input = (int32_t)arrival->input_tokens;
    live->output = (int32_t)arrival->output_tokens;
    live->group = (int32_t)group;
    /* The last token of a prompt is always computed. */
    if (shared >= (double)block)
        live->wanted_blocks =
            (int32_t)gp_num_min_i64((int64_t)shared / block, (arrival->input_tokens - 1) / block);
    live->measured = live->number >= sim->unmeasured;
    sim->arrivals_end_s = arrival->at_s;
    if (!can_ever_run(sim, live)) {
        gp_live_refuse(sim, request);
    } else {
        gp_route(sim, request);
    }
    if (config->progress != NULL && sim->result->arrived % PROGRESS_EVERY == 0)
        config->progress(config->context, sim->result->arrived, sim->stream.limit);
    return GP_OK;
}

static int64_t waiting_in_all(const gp_sim *sim) {
    int64_t waiting = sim->unrouted.count;
    for (int32_t i = 0; i < sim->replica_count; i++)
        waiting += sim->replicas[i].waiting.count;
    return waiting;
}

/* It grew from half of the arrivals to three quarters and to the last, by more than chance. Where
 * requests wait for the next batch, as many may wait at all times. */
static bool grows(const gp_sim *sim, int64_t waiting) {
    enum { CHANCE = 3 };
    const int64_t grown = waiting - sim->waiting_half;
    const int64_t arrived = sim->result->arrived;
    return sim->waiting_half <= sim->waiting_later && sim->waiting_later < waiting &&
           waiting * waiting > CHANCE * CHANCE * arrived &&
           4 * grown * grown > CHANCE * CHANCE * arrived;
}

/* Waiting requests when the last one arrives: more than run, or a tenth of all, and the replicas
 * were not keeping up, unless chance alone may have left so many: the number of arrivals in a time
 * spreads by its root, and by more where they come in bursts. */
static void judge_queue(gp_sim *sim) {
    enum { TENTH = 10 };
    const int64_t waiting = waiting_in_all(sim);
    int64_t running = 0;
    for (int32_t i = 0; i < sim->replica_count; i++)
        running += sim->replicas[i].running.count;
    sim->result->queued = waiting > running || waiting > sim->result->arrived / TENTH;
    sim->result->saturated = sim->result->queued && grows(sim, waiting);
}

static void note_waiting(gp_sim *sim) {
    const int64_t quarter = sim->stream.limit / 4;
    if (sim->result->arrived == 2 * quarter)
        sim->waiting_half = waiting_in_all(sim);
    else if (sim->result->arrived == 3 * quarter)
        sim->waiting_later = waiting_in_all(sim);
}

/* No more requests come. A day goes on to its end, since its hours without any are part of it. */
static void end_arrivals(gp_sim *sim, gp_arrival *arrival) {
    const double day_end_s = sim->config->arrivals.end_s;
    sim->requests_over = true;
    sim->arrivals_over = !(day_end_s > sim->now_s);
    arrival->at_s = sim->arrivals_over ? HUGE_VAL : day_end_s;
    sim->arrivals_end_s = sim->now_s;
    sim->completed_then = sim->result->completed;
    sim->tokens_then = sim->result->output_tokens;
}

static gp_status take_arrival(gp_sim *sim, gp_arrival *arrival, int64_t *group) {
    gp_status st = GP_OK;
    if (!sim->requests_over) {
        st = arrive(sim, arrival, *group);
        note_waiting(sim);
        if (st != GP_OK || gp_stream_next(&sim->stream, arrival, group))
            return st;
        judge_queue(sim);
    }
    end_arrivals(sim, arrival);
    return st;
}

static void end_piece(gp_sim *sim, gp_replica *replica) {
    gp_replica_end_piece(sim, replica);
    gp_fleet_settle(sim, replica);
}

static gp_status run(gp_sim *sim) {
    gp_arrival arrival = {.at_s = HUGE_VAL};
    int64_t group = 0;
    gp_status st = GP_OK;
    if (!gp_stream_next(&sim->stream, &arrival, &group))
        end_arrivals(sim, &arrival);
    while (st == GP_OK && (!sim->arrivals_over || sim->in_system > 0) && !sim->result->stopped) {
        gp_replica *replica = gp_ending_first(sim);
        double event_s = sim->event_count > 0 ? sim->events[0].at_s : HUGE_VAL;
        double outside_s = gp_num_min(event_s, arrival.at_s);
        /* A piece that ends now is over before anything else happens; a replica that wakes now
         * waits for all that happens now, so that what comes together starts together. */
        bool over =
            replica->end_s < outside_s || (replica->end_s <= outside_s && replica->steps > 0);
        if (over && replica->end_s < HUGE_VAL) {
            sim->now_s = replica->end_s;
            end_piece(sim, replica);
            st = GP_OK;
        } else if (event_s <= arrival.at_s && event_s < HUGE_VAL) {
            gp_event event = gp_event_pop(sim);
            sim->now_s = event.at_s;
            st = gp_fleet_event(sim, &event);
        } else if (arrival.at_s < HUGE_VAL) {
            sim->now_s = arrival.at_s;
            st = take_arrival(sim, &arrival, &group);
        } else {
            st = GP_ERR_INTERNAL; /* requests are left, and nothing will ever happen to them */
        }
    }
    return st;
}

/* ---- figures */

typedef struct goal_row {
    const char *name;
    double target_s, value_s;
    double spared; /* the part of the requests that the goal says nothing of */
} goal_row;

/* What no replica has room for was not served: it is beyond the goal, whatever the others took. */
static bool keeps_to(const gp_simulation *r, const goal_row *row) {
    return r->measured > 0 && row->value_s <= row->target_s &&
           (double)r->refused <= row->spared * (double)r->arrived;
}

static void set_goals(gp_sim *sim) {
    const gp_simulate_slo *slo = &sim->config->slo;
    gp_simulation *r = sim->result;
    const goal_row rows[] = {
        {"ttftMean", slo->ttft_s.mean, r->ttft_s.mean, 1},
        {"ttftP50", slo->ttft_s.p50, r->ttft_s.p50, 0.5},
        {"ttftP95", slo->ttft_s.p95, r->ttft_s.p95, 0.05},
        {"ttftP99", slo->ttft_s.p99, r->ttft_s.p99, 0.01},
        {"tpotMean", slo->tpot_s.mean, r->tpot_s.mean, 1},
        {"tpotP50", slo->tpot_s.p50, r->tpot_s.p50, 0.5},
        {"tpotP95", slo->tpot_s.p95, r->tpot_s.p95, 0.05},
        {"tpotP99", slo->tpot_s.p99, r->tpot_s.p99, 0.01},
        {"e2eMean", slo->e2e_s.mean, r->e2e_s.mean, 1},
        {"e2eP50", slo->e2e_s.p50, r->e2e_s.p50, 0.5},
        {"e2eP95", slo->e2e_s.p95, r->e2e_s.p95, 0.05},
        {"e2eP99", slo->e2e_s.p99, r->e2e_s.p99, 0.01},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].target_s > 0) {
            r->goals[r->goal_count++] = (gp_simulation_goal){
                .name = rows[i].name,
                .target_s = rows[i].target_s,
                .value_s = rows[i].value_s,
                .ok = keeps_to(r, &rows[i]),
            };
        }
    }
    r->has_slo = r->goal_count > 0;
}

static double per(double value, double over) {
    return over > 0 ? value / over : 0;
}

static void set_rates(gp_sim *sim) {
    gp_simulation *r = sim->result;
    double busy_s = 0;
    for (int32_t i = 0; i < sim->replica_count; i++)
        busy_s += sim->replicas[i].busy_s;
    r->duration_s = sim->end_s;
    r->arrival_s = sim->arrivals_end_s;
    /* What is left when arrivals end says nothing of a service that goes on. */
    bool span = sim->completed_then > 0;
    double over_s = span ? r->arrival_s : r->duration_s;
    r->requests_per_s = per((double)(span ? sim->completed_then : r->completed), over_s);
    r->output_tokens_per_s = per((double)(span ? sim->tokens_then : r->output_tokens), over_s);
    r->good_fraction = per((double)sim->good, (double)r->measured);
    r->good_requests_per_s = r->good_fraction * r->requests_per_s;
    r->energy_j = sim->energy_j;
    r->mean_in_system = per(sim->area_s, r->duration_s);
    const gp_simulation_series *series = &r->series;
    double up_s = 0;
    double energy_j = 0;
    double seen_s = 0;
    for (size_t i = 0; i < series->count; i++) {
        r->peak_power_w = gp_num_max(r->peak_power_w, series->power_w[i]);
        double length = gp_num_min(series->width_s, r->duration_s - (double)i * series->width_s);
        up_s += series->replicas[i] * gp_num_max(length, 0);
        if (i == 0 || (double)(i + 1) * series->width_s <= r->arrival_s) {
            energy_j += series->power_w[i] * length;
            seen_s += length;
        }
    }
    r->mean_power_w = per(energy_j, seen_s);
    r->busy_fraction = gp_num_min(per(busy_s, up_s), 1);
}

static void finish(gp_sim *sim) {
    gp_simulation *r = sim->result;
    const gp_simulate_config *config = sim->config;
    sim->end_s = gp_num_max(sim->end_s, sim->now_s);
    for (int32_t i = 0; i < sim->replica_count; i++)
        gp_replica_account(sim, &sim->replicas[i], sim->end_s);
    r->seed = config->arrivals.seed;
    r->replicas = config->prefill_replicas + config->replicas;
    r->prefill_replicas = config->prefill_replicas;
    r->gpus_per_replica = config->engine->gpus;
    r->prefill_gpus_per_replica = config->prefill_replicas > 0 ? config->prefill_engine->gpus : 0;
    r->router = gp_router_name(config->router);
    r->max_replicas = config->autoscale.max_replicas;
    if (config->arrivals.rows != NULL) {
        r->rate_scale = config->arrivals.rate_scale > 0 ? config->arrivals.rate_scale : 1;
    } else {
        r->process = gp_process_name(config->arrivals.process);
        r->planned_per_s = config->arrivals.requests_per_s;
    }
    gp_histogram_spread(sim->ttft, &r->ttft_s);
    gp_histogram_spread(sim->tpot, &r->tpot_s);
    gp_histogram_spread(sim->e2e, &r->e2e_s);
    gp_histogram_spread(sim->queue, &r->queue_s);
    gp_series_finish(&sim->series, sim->arena, sim->end_s, &r->series);
    for (size_t i = 0; i < r->series.count; i++) {
        /* The sum over replicas, over those that were up and decode. */
        r->series.kv_fraction[i] = per(r->series.kv_fraction[i], r->series.decoding[i]);
    }
    set_goals(sim);
    set_rates(sim);
}

gp_status gp_simulate(gp_arena *arena, const gp_simulate_config *config, gp_simulation **ret) {
    if (config->engine == NULL || !engine_works(config->engine) ||
        !arrivals_work(&config->arrivals) || !fleet_works(config))
        return GP_ERR_INPUT;
    gp_simulation *result = GP_NEW(arena, gp_simulation);
    gp_sim sim = {.arena = arena, .config = config, .result = result};
    init(&sim);
    gp_status st = run(&sim);
    if (st == GP_OK)
        finish(&sim);
    if (st == GP_OK)
        *ret = result;
    return st;
}
