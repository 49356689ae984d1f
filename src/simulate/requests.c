/*
 * Requests in the system: slots that are used again when their request leaves, lists through them,
 * and what is counted when one is done.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

gp_status gp_live_new(gp_sim *sim, int32_t *ret_request) {
    int32_t request = sim->live_free;
    if (request == GP_NOBODY) {
        gp_live *live = gp_arena_grow(sim->arena, sim->live, sim->live_count, &sim->live_capacity,
                                      sizeof *live);
        if (sim->live_count >= INT32_MAX)
            return GP_ERR_LIMIT;
        sim->live = live;
        request = (int32_t)sim->live_count++;
    } else {
        sim->live_free = sim->live[request].newer;
    }
    sim->live[request] = (gp_live){
        .queued_s = -1,
        .first_s = -1,
        .replica = GP_NOBODY,
        .older = GP_NOBODY,
        .newer = GP_NOBODY,
    };
    sim->in_system++;
    sim->result->most_live = gp_num_max_i64(sim->result->most_live, sim->in_system);
    *ret_request = request;
    return GP_OK;
}

static void free_slot(gp_sim *sim, int32_t request) {
    sim->live[request].newer = sim->live_free;
    sim->live_free = request;
    sim->in_system--;
}

void gp_live_lose(gp_sim *sim, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    sim->result->lost_tokens += live->computed;
    live->computed = 0;
    live->chunk = 0;
    live->carried = false;
}

void gp_list_append(gp_sim *sim, gp_list *list, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    live->older = list->newest;
    live->newer = GP_NOBODY;
    if (list->newest == GP_NOBODY) {
        list->oldest = request;
    } else {
        gp_live_at(sim, list->newest)->newer = request;
    }
    list->newest = request;
    list->count++;
}

void gp_list_prepend(gp_sim *sim, gp_list *list, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    live->older = GP_NOBODY;
    live->newer = list->oldest;
    if (list->oldest == GP_NOBODY) {
        list->newest = request;
    } else {
        gp_live_at(sim, list->oldest)->older = request;
    }
    list->oldest = request;
    list->count++;
}

void gp_list_remove(gp_sim *sim, gp_list *list, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    if (live->older == GP_NOBODY) {
        list->oldest = live->newer;
    } else {
        gp_live_at(sim, live->older)->newer = live->newer;
    }
    if (live->newer == GP_NOBODY) {
        list->newest = live->older;
    } else {
        gp_live_at(sim, live->newer)->older = live->older;
    }
    list->count--;
}

/* Every bound that holds for single requests: a target of a percentile or of the mean is what a
 * good request keeps to. */
static bool keeps(const gp_distribution *goal, double value) {
    const double targets[] = {goal->mean, goal->p50, goal->p95, goal->p99};
    double bound = 0; /* the loosest: the others allow some requests to pass them */
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        bound = gp_num_max(bound, targets[i]);
    return !(bound > 0) || value <= bound;
}

static bool is_good(const gp_sim *sim, const gp_request_done *done) {
    const gp_simulate_slo *slo = &sim->config->slo;
    return keeps(&slo->ttft_s, done->ttft_s) &&
           (done->output_tokens < 2 || keeps(&slo->tpot_s, done->tpot_s)) &&
           keeps(&slo->e2e_s, done->e2e_s);
}

/* More of all that are measured are beyond a bound than its percentile leaves: by a part of the
 * histogram, so that the percentile says the same. */
static void judge_stop(gp_sim *sim, const gp_request_done *done) {
    const gp_simulate_slo *stop = &sim->config->stop;
    const double values[] = {done->ttft_s, done->tpot_s, done->e2e_s};
    const gp_distribution *bounds[] = {&stop->ttft_s, &stop->tpot_s, &stop->e2e_s};
    const double all = (double)(sim->stream.limit - sim->unmeasured);
    for (size_t i = 0; i < GP_SIM_STOPS; i++) {
        const gp_distribution *bound = bounds[i / 3];
        const double within[] = {bound->p50, bound->p95, bound->p99};
        const double left[] = {0.5, 0.05, 0.01};
        const double limit = within[i % 3] * (1 + 1.0 / GP_OCTAVE_PARTS);
        if (!(limit > 0) || values[i / 3] <= limit)
            continue;
        sim->beyond[i]++;
        if ((double)sim->beyond[i] > left[i % 3] * all + 1)
            sim->result->stopped = true;
    }
}

static void count_done(gp_sim *sim, const gp_live *live, const gp_request_done *done) {
    gp_simulation *result = sim->result;
    double branches = (double)sim->config->engine->branches;
    result->completed++;
    result->prompt_tokens += live->input;
    result->output_tokens += (int64_t)branches * live->output;
    if (!live->measured)
        return;
    result->measured++;
    gp_histogram_add(sim->queue, done->queue_s);
    gp_histogram_add(sim->ttft, done->ttft_s);
    gp_histogram_add(sim->e2e, done->e2e_s);
    if (live->output > 1)
        gp_histogram_add(sim->tpot, done->tpot_s);
    sim->good += is_good(sim, done) ? 1 : 0;
    if (sim->stops)
        judge_stop(sim, done);
}

void gp_live_done(gp_sim *sim, int32_t request, double at_s) {
    const gp_simulate_config *config = sim->config;
    const gp_live *live = gp_live_at(sim, request);
    double last_s = at_s + live->delay_s;
    double outside_s = config->engine->request_s;
    gp_request_done done = {
        .number = live->number,
        .replica = live->replica,
        .input_tokens = live->input,
        .output_tokens = live->output,
        .arrival_s = live->arrival_s,
        .queue_s = live->queued_s - live->arrival_s,
        .ttft_s = live->first_s - live->arrival_s + outside_s,
        .tpot_s = live->output > 1 ? (last_s - live->first_s) / (double)(live->output - 1) : 0,
        .e2e_s = last_s - live->arrival_s + outside_s,
    };
    count_done(sim, live, &done);
    sim->end_s = gp_num_max(sim->end_s, last_s);
    if (config->request_done != NULL)
        config->request_done(config->context, &done);
    free_slot(sim, request);
}

void gp_live_refuse(gp_sim *sim, int32_t request) {
    const gp_simulate_config *config = sim->config;
    const gp_live *live = gp_live_at(sim, request);
    sim->result->refused++;
    if (config->request_done != NULL) {
        gp_request_done done = {.number = live->number,
                                .replica = GP_NOBODY,
                                .input_tokens = live->input,
                                .output_tokens = live->output,
                                .arrival_s = live->arrival_s,
                                .refused = true};
        config->request_done(config->context, &done);
    }
    free_slot(sim, request);
}
