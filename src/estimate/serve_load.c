/*
 * One replica under load. Continuous batching is a fixed point: with b running sequences a token
 * takes t(b), which includes the prompts that arrive meanwhile, and b sequences give b / t(b)
 * tokens a second; the batch is the smallest b that keeps up with the arrivals. It is bounded by
 * the KV pool and by the engine. Time to first token is waiting for a place, waiting for prompts
 * ahead, prefill and one step (docs/formulas.md, "Continuous batching", "Time to first token").
 */
#include <math.h>

#include "base/num.h"
#include "estimate/serve.h"

typedef gp_serve_replica load;

static double positive(double value) {
    return value > 0 ? value : 1;
}

double gp_serve_counted_tokens(const gp_serve_job *job) {
    return job->reads_only ? job->input_tokens : job->output_tokens * job->branches;
}

int64_t gp_serve_longest_tokens(const gp_serve_job *job) {
    const gp_model *model = job->shape->model;
    const int64_t context = model != NULL ? model->context : 0;
    return job->input_tokens + job->output_tokens > (double)context ? 0 : context;
}

/* Sequences that the pool holds: on average a sequence has half of its output, but an engine may
 * give it room for more at its start. */
double gp_serve_admitted(const gp_serve_job *job, const gp_serve_memory *memory) {
    double output = positive(job->output_tokens);
    double reserved = gp_num_max(job->stack == NULL ? 0 : job->stack->reserved_fraction, 0.5);
    double input = positive(job->input_tokens);
    double held = (input + 0.5 * output) / (input + reserved * output);
    return gp_num_min(memory->max_concurrency * held, memory->max_sequences);
}

/* What a step of that batch takes with its part of the prefill of the batch / (branches x output)
 * requests that arrive during it. */
static double with_prompts_s(const load *l, double batch, double step_s) {
    return step_s + batch / (l->branches * l->output) * l->work_s;
}

static double plain_step_s(const load *l, double batch) {
    gp_serve_step step;
    gp_serve_step_of(&l->cost, batch, l->context, &step);
    return step.total_s;
}

/* Time per output token with `batch` running sequences. */
static double iteration_s(const load *l, double batch) {
    return with_prompts_s(l, batch, plain_step_s(l, batch));
}

static bool can_run(const load *l) {
    return l->cost.supported && l->batch_max >= 1;
}

static bool is_item(const load *l) {
    return l->cost.job->item.passes > 0;
}

static gp_serve_shared shared_of(const load *l, const gp_serve_prefill *prefill, double input) {
    double fresh = gp_serve_fresh_tokens(l->cost.job, input);
    if (is_item(l)) { /* one after the other, whole */
        return (gp_serve_shared){.total_s = prefill->total_s, .work_s = prefill->work_s};
    }
    return (gp_serve_shared){.total_s = prefill->total_s,
                             .work_s = prefill->work_s,
                             .steps = gp_num_max(fresh / l->cost.budget_tokens, 1)};
}

static gp_serve_shared longer_of(const load *l, double input, const gp_serve_shared *shorter,
                                 double than) {
    gp_serve_prefill prefill;
    if (!(input > than))
        return *shorter;
    gp_serve_prompt_of(&l->cost, input, &prefill);
    return shared_of(l, &prefill, input);
}

void gp_serve_replica_of(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_layout *layout,
                         const gp_constants *constants, const gp_serve_memory *memory,
                         gp_serve_replica *ret) {
    *ret = (gp_serve_replica){
        .among = 1, .seats = (double)layout->seats, .max_requests_per_s = (double)layout->seats};
    if (layout->seats > 0)
        return;
    gp_serve_cost_of(job, machine, network, layout, constants, &ret->cost);
    ret->input = positive(job->input_tokens);
    ret->output = positive(job->output_tokens);
    ret->branches = positive(job->branches);
    /* A step that writes nothing reads no cache: its prompts are what it does. */
    ret->context = job->reads_only ? 0 : ret->input + 0.5 * ret->output;
    gp_serve_prompts prompts;
    gp_serve_prompts_of(&ret->cost, ret->input, &prompts);
    ret->prefill = prompts.mean;
    ret->work_s = prompts.work_s / (double)ret->cost.pp;
    ret->work_cv2 = prompts.cv2;
    ret->prompt_steps = gp_serve_fresh_tokens(job, ret->input) / ret->cost.budget_tokens;
    double longer = gp_num_max(job->input_p95, ret->input);
    ret->mean = shared_of(ret, &ret->prefill, ret->input);
    ret->p95 = longer_of(ret, longer, &ret->mean, ret->input);
    ret->p99 = longer_of(ret, job->input_p99, &ret->p95, longer);
    ret->batch_max = gp_serve_admitted(job, memory);
    if (!can_run(ret))
        return;
    double most = ret->batch_max;
    ret->idle_step_s = plain_step_s(ret, 0);
    ret->full_step_s = plain_step_s(ret, most);
    ret->max_requests_per_s =
        most / with_prompts_s(ret, most, ret->full_step_s) / (ret->branches * ret->output);
}

/* A batch and the step that it takes. */
typedef struct stepped {
    double batch, step_s;
} stepped;

/* A load, and what its batch has to do. */
typedef struct asked {
    const load *l;
    double tokens_per_s; /* to yield */
    double held;         /* sequences to hold */
    stepped *last;       /* that was looked at */
} asked;

static double batch_beyond(const void *context, double batch) {
    const asked *a = context;
    *a->last = (stepped){batch, plain_step_s(a->l, batch)};
    return batch - a->tokens_per_s * with_prompts_s(a->l, batch, a->last->step_s);
}

/* Where the parabola through three points, batch over what is beyond, crosses nought. */
static double crossing(const double *x, const double *f) {
    double from_0 = x[0] * (f[1] / (f[0] - f[1])) * (f[2] / (f[0] - f[2]));
    double from_1 = x[1] * (f[0] / (f[1] - f[0])) * (f[2] / (f[1] - f[2]));
    return from_0 + from_1 + x[2] * (f[0] / (f[2] - f[0])) * (f[1] / (f[2] - f[1]));
}

double gp_serve_balance(gp_num_function *beyond, const void *context, const gp_serve_ends *ends) {
    enum { TRIES = 16 };
    double x[] = {0, ends->most, 0};
    double f[] = {ends->beyond_none, ends->beyond_most, 0};
    double low = 0;
    double high = ends->most;
    double batch = -f[0] * high / (f[1] - f[0]);
    for (int i = 0; i < TRIES && batch > low && batch < high; i++) {
        double value = beyond(context, batch);
        if (gp_num_near(batch + value, batch))
            return batch;
        *(value < 0 ? &low : &high) = batch;
        x[2] = batch;
        f[2] = value;
        batch = crossing(x, f);
        /* A parabola that leads out of the range: half of what is left of it. */
        batch = batch > low && batch < high ? batch : 0.5 * (low + high);
        for (int k = 0; k < 2; k++) {
            x[k] = x[k + 1];
            f[k] = f[k + 1];
        }
    }
    return gp_num_root(beyond, context, 0, ends->most);
}

/* Smallest batch that yields `tokens_per_s`. The caller knows that batch_max yields more. */
static stepped batch_for(const load *l, double tokens_per_s) {
    stepped last = {0};
    const asked a = {.l = l, .tokens_per_s = tokens_per_s, .last = &last};
    double most = l->batch_max;
    const gp_serve_ends ends = {
        .most = most,
        .beyond_none = -tokens_per_s * l->idle_step_s,
        .beyond_most = most - tokens_per_s * with_prompts_s(l, most, l->full_step_s),
    };
    double batch = gp_serve_balance(batch_beyond, &a, &ends);
    bool seen = !(last.batch < batch) && !(last.batch > batch);
    return seen ? last : (stepped){batch, plain_step_s(l, batch)};
}

static double squared(double value) {
    return value * value;
}

/* Spread between a mean and a percentile. */
static double spread(double tail, double mean) {
    return gp_num_max(tail - mean, 0);
}

/* Spreads of independent parts add up by their squares. */
static double root3(double a, double b, double c) {
    return sqrt(squared(a) + squared(b) + squared(c));
}

/* Prompts ahead also carry the decode steps that run beside their chunks. */
static gp_wait prompt_wait(const load *l, double requests_per_s, double step_s, double arrival_cv) {
    const gp_constants *constants = l->cost.constants;
    gp_wait wait = gp_queue_routed(l->among, 1, requests_per_s * l->work_s, l->work_s,
                                   squared(arrival_cv), l->work_cv2, constants);
    double stretch = l->work_s > 0 ? 1 + l->prompt_steps * step_s / l->work_s : 1;
    wait.mean_s *= stretch;
    wait.tail_s *= stretch;
    wait.far_s *= stretch;
    return wait;
}

/* Prefill of a prompt whose chunks share their steps with the running batch. */
static double shared_prefill_s(const gp_serve_shared *prompt, double step_s) {
    return gp_num_max(prompt->total_s, prompt->work_s + prompt->steps * step_s);
}

void gp_serve_set_tails(const gp_serve_job *job, const gp_wait *place, const gp_wait *prompts,
                        double longer_p95_s, double longer_p99_s, gp_serve_point *point) {
    const double output = positive(job->output_tokens);
    const double more = output - 1;
    point->ttft_p95_s =
        point->ttft_s + root3(spread(place->tail_s, place->mean_s),
                              spread(prompts->tail_s, prompts->mean_s), longer_p95_s);
    point->ttft_p99_s =
        point->ttft_s + root3(spread(place->far_s, place->mean_s),
                              spread(prompts->far_s, prompts->mean_s), longer_p99_s);
    point->e2e_s = point->ttft_s + more * point->tpot_s;
    point->e2e_p95_s = point->e2e_s + root3(point->ttft_p95_s - point->ttft_s,
                                            spread(job->output_p95, output) * point->tpot_s,
                                            more * (point->tpot_p95_s - point->tpot_s));
    point->e2e_p99_s = point->e2e_s + root3(point->ttft_p99_s - point->ttft_s,
                                            spread(job->output_p99, output) * point->tpot_s,
                                            more * (point->tpot_p99_s - point->tpot_s));
}

/* The step of the point's batch is known. */
static void set_latency(const load *l, const gp_wait *place, const gp_wait *prompts,
                        gp_serve_point *ret) {
    const gp_constants *constants = l->cost.constants;
    const gp_serve_job *job = l->cost.job;
    ret->prefill_s = l->prefill.total_s;
    double prefill = shared_prefill_s(&l->mean, ret->step_s);
    double at_p95 = shared_prefill_s(&l->p95, ret->step_s);
    double at_p99 = shared_prefill_s(&l->p99, ret->step_s);
    /* An arrival meets a step half done. */
    ret->ttft_s = gp_serve_request_s(job, constants) + place->mean_s + prompts->mean_s + prefill +
                  (is_item(l) ? 0 : 0.5 * ret->tpot_s);
    gp_serve_set_tails(job, place, prompts, spread(at_p95, prefill), spread(at_p99, prefill), ret);
}

/* The number of running sequences of a replica with free places is close to Poisson. */
static double tail_batch(const load *l, double batch, double deviations) {
    double tail = batch + deviations * sqrt(batch);
    return gp_num_min(tail, gp_num_max(l->batch_max, batch));
}

/* Time per token of a request that meets more than the mean: more sequences beside it, and more
 * prompts between its tokens. The work of the prompts that come in the n t seconds of its output is
 * a compound Poisson sum with variance rate n t E w^2; per token, and over outputs of unequal
 * length, rate t E w^2 E 1/n, with E 1/n = (1 + cv^2) / mean for a lognormal law. */
static double tail_s(const load *l, const gp_serve_point *point, double requests_per_s,
                     double deviations) {
    double tpot_s = point->tpot_s;
    double crowd_s = iteration_s(l, tail_batch(l, point->batch, deviations)) - tpot_s;
    double inverse = (1 + gp_serve_output_cv2(l->cost.job, l->cost.constants)) / l->output;
    double prompts_s =
        deviations * l->work_s * sqrt(requests_per_s * tpot_s * (1 + l->work_cv2) * inverse);
    return tpot_s + sqrt(squared(crowd_s) + squared(prompts_s));
}

static void trace_point(const load *l, const gp_serve_point *point, double wait_s,
                        gp_trace *trace) {
    const gp_serve_job *job = l->cost.job;
    const gp_constants *constants = l->cost.constants;
    gp_serve_step step;
    gp_serve_step_of(&l->cost, point->batch, l->context, &step);
    gp_serve_step_trace(&l->cost, &step, trace);
    gp_serve_prefill_trace(&l->cost, &l->prefill, trace);
    GP_TRACE(trace, GP_TERM_SERVE_BATCH, point->batch, GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_REF_TERM(GP_TERM_SERVE_INTERFERENCE), GP_REF_TERM(GP_TERM_SERVE_CONCURRENCY),
             GP_REF_TERM(GP_TERM_SERVE_PEAK),
             GP_SERVE_REF(job, traffic.requests_per_s, gp_distribution, mean),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, mean),
             GP_SERVE_REF(job, traffic, gp_traffic, branches));
    GP_TRACE(trace, GP_TERM_SERVE_INTERFERENCE, point->tpot_s - step.total_s,
             GP_REF_TERM(GP_TERM_SERVE_BATCH), GP_REF_TERM(GP_TERM_SERVE_PREFILL),
             GP_REF(constants, gp_constants, serving_interference_fraction),
             GP_REF(constants, gp_constants, serving_input_cv),
             GP_REF(constants, gp_constants, serving_output_cv));
    GP_TRACE(trace, GP_TERM_SERVE_TPOT, point->tpot_s, GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_REF_TERM(GP_TERM_SERVE_INTERFERENCE));
    GP_TRACE(trace, GP_TERM_SERVE_TPOT_P95, point->tpot_p95_s, GP_REF_TERM(GP_TERM_SERVE_TPOT),
             GP_REF_TERM(GP_TERM_SERVE_BATCH),
             GP_REF(constants, gp_constants, serving_percentile_normal));
    GP_TRACE(trace, GP_TERM_SERVE_QUEUE, wait_s, GP_REF_TERM(GP_TERM_SERVE_BATCH),
             GP_REF_TERM(GP_TERM_SERVE_CONCURRENCY), GP_REF_TERM(GP_TERM_SERVE_PREFILL),
             GP_REF_TERM(GP_TERM_SERVE_TPOT), GP_REF(constants, gp_constants, plan_arrival_cv),
             GP_REF(constants, gp_constants, serving_input_cv),
             GP_REF(constants, gp_constants, serving_output_cv));
    GP_TRACE(trace, GP_TERM_SERVE_TTFT, point->ttft_s, GP_REF_TERM(GP_TERM_SERVE_QUEUE),
             GP_REF_TERM(GP_TERM_SERVE_PREFILL), GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_REF(constants, gp_constants, serving_request_s),
             GP_REF_IF(job->link != NULL, job->link, gp_site_link, round_trip_s));
    GP_TRACE(trace, GP_TERM_SERVE_TTFT_P95, point->ttft_p95_s, GP_REF_TERM(GP_TERM_SERVE_TTFT),
             GP_REF_TERM(GP_TERM_SERVE_QUEUE),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, p95),
             GP_REF(constants, gp_constants, plan_length_p95_of_mean),
             GP_REF(constants, gp_constants, serving_percentile_tail_fraction));
    GP_TRACE(trace, GP_TERM_SERVE_E2E, point->e2e_s, GP_REF_TERM(GP_TERM_SERVE_TTFT),
             GP_REF_TERM(GP_TERM_SERVE_TPOT),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_SERVE_MAX_RATE, point->max_requests_per_s,
             GP_REF_TERM(GP_TERM_SERVE_CONCURRENCY), GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_REF_TERM(GP_TERM_SERVE_INTERFERENCE), GP_REF_TERM(GP_TERM_SERVE_TPOT_P95),
             GP_REF_TERM(GP_TERM_SERVE_TTFT_P95), gp_serve_band_ref(job, constants, true),
             gp_serve_band_ref(job, constants, false),
             GP_REF(constants, gp_constants, plan_band_tenth_deviations),
             GP_REF(constants, gp_constants, plan_band_fifth_deviations),
             GP_REF(constants, gp_constants, serving_reserve_sequences));
    GP_TRACE(trace, GP_TERM_SERVE_UTILIZATION, point->utilization,
             GP_REF_TERM(GP_TERM_SERVE_MAX_RATE));
    GP_TRACE(trace, GP_TERM_SERVE_THROUGHPUT, point->output_tokens_per_s,
             GP_REF_TERM(GP_TERM_SERVE_BATCH), GP_REF_TERM(GP_TERM_SERVE_TPOT));
}

static void overloaded(const load *l, double requests_per_s, gp_serve_point *ret) {
    ret->batch = l->batch_max;
    ret->utilization =
        ret->max_requests_per_s > 0 ? requests_per_s / ret->max_requests_per_s : HUGE_VAL;
    ret->prefill_s = l->prefill.total_s;
    ret->tpot_s = can_run(l) ? iteration_s(l, l->batch_max) : HUGE_VAL;
    ret->tpot_p95_s = ret->tpot_s;
    ret->tpot_p99_s = ret->tpot_s;
    ret->ttft_s = HUGE_VAL;
    ret->ttft_p95_s = HUGE_VAL;
    ret->ttft_p99_s = HUGE_VAL;
    ret->e2e_s = HUGE_VAL;
    ret->e2e_p95_s = HUGE_VAL;
    ret->e2e_p99_s = HUGE_VAL;
    ret->output_tokens_per_s = ret->max_requests_per_s * l->branches * l->output;
}

/* What a replica with this batch, whose step is known, does for requests that come at this rate;
 * their waits, summed. */
static double fill_point(const load *l, double batch, double step_s, double requests_per_s,
                         gp_serve_point *ret) {
    const gp_constants *constants = l->cost.constants;
    double arrival_cv2 = squared(constants->plan_arrival_cv);
    ret->stable = true;
    ret->max_requests_per_s = l->max_requests_per_s;
    ret->batch = batch;
    ret->utilization = requests_per_s / l->max_requests_per_s;
    ret->step_s = step_s;
    ret->tpot_s = with_prompts_s(l, batch, step_s);
    ret->tpot_p95_s = tail_s(l, ret, requests_per_s, constants->serving_percentile_normal);
    ret->tpot_p99_s = l->near
                          ? ret->tpot_p95_s
                          : tail_s(l, ret, requests_per_s, constants->serving_percentile99_normal);
    ret->output_tokens_per_s = requests_per_s * l->branches * l->output;
    gp_wait place = gp_queue_routed(l->among, l->batch_max / l->branches, batch / l->batch_max,
                                    l->output * ret->tpot_s, arrival_cv2,
                                    gp_serve_output_cv2(l->cost.job, constants), constants);
    gp_wait prompts = prompt_wait(l, requests_per_s, ret->tpot_s, constants->plan_arrival_cv);
    set_latency(l, &place, &prompts, ret);
    return place.mean_s + prompts.mean_s;
}

double gp_serve_replica_with(const gp_serve_replica *replica, double batch, gp_serve_point *ret) {
    double step_s = plain_step_s(replica, batch);
    double tokens_per_s = batch / with_prompts_s(replica, batch, step_s);
    double requests_per_s = tokens_per_s / (replica->branches * replica->output);
    *ret = (gp_serve_point){0};
    (void)fill_point(replica, batch, step_s, requests_per_s, ret);
    return requests_per_s;
}

/* Below its largest rate. */
static stepped step_at(const load *l, double requests_per_s) {
    double tokens_per_s = requests_per_s * l->branches * l->output;
    return tokens_per_s > 0 ? batch_for(l, tokens_per_s) : (stepped){0, l->idle_step_s};
}

double gp_serve_replica_batch(const gp_serve_replica *l, double requests_per_s,
                              double *ret_tokens_per_s) {
    double rate = gp_num_max(gp_num_min(requests_per_s, l->max_requests_per_s), 0);
    *ret_tokens_per_s = rate * l->branches * l->output;
    if (l->seats > 0)
        return requests_per_s;
    return requests_per_s < l->max_requests_per_s ? step_at(l, rate).batch : l->batch_max;
}

void gp_serve_replica_load(const gp_serve_replica *l, double requests_per_s, gp_trace *trace,
                           gp_serve_point *ret) {
    *ret = (gp_serve_point){0};
    double wait_s = 0;
    if (l->seats > 0) {
        ret->stable = requests_per_s <= l->seats;
        ret->batch = requests_per_s;
        ret->utilization = requests_per_s / l->seats;
        ret->max_requests_per_s = l->seats;
        return;
    }
    if (requests_per_s < l->max_requests_per_s) {
        double rate = gp_num_max(requests_per_s, 0);
        stepped at = step_at(l, rate);
        wait_s = fill_point(l, at.batch, at.step_s, rate, ret);
    } else {
        ret->max_requests_per_s = l->max_requests_per_s;
        overloaded(l, requests_per_s, ret);
    }
    if (trace != NULL)
        trace_point(l, ret, wait_s, trace);
}

void gp_serve_load(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                   const gp_serve_layout *layout, const gp_constants *constants,
                   const gp_serve_memory *memory, double requests_per_s, double among,
                   gp_trace *trace, gp_serve_point *ret) {
    gp_serve_replica replica;
    gp_serve_replica_of(job, machine, network, layout, constants, memory, &replica);
    replica.among = among;
    gp_serve_replica_load(&replica, requests_per_s, trace, ret);
}

/* Sequences held beyond those asked for when `batch` of them are in decode: those in prefill hold
 * places too. */
static double held_beyond(const void *context, double batch) {
    const asked *a = context;
    const load *l = a->l;
    double step_s = plain_step_s(l, batch);
    double iteration = with_prompts_s(l, batch, step_s);
    double prefill = shared_prefill_s(&l->mean, step_s);
    return batch + batch / iteration / l->output * prefill - a->held;
}

/* Sequences in decode when `held` are held in all. */
static double decoding_batch(const load *l, double held) {
    const asked a = {.l = l, .held = held};
    return gp_num_root(held_beyond, &a, 0, held);
}

/* Requests of equal length that start together end together and return as a wave, so that a prompt
 * meets half of the wave's others; unequal lengths dissolve it into a queue. No more prompts can be
 * ahead than are driven. */
static gp_wait wave_wait(const load *l, double requests, double requests_per_s, double step_s) {
    double others_s = gp_num_max(requests - 1, 0) * l->work_s;
    const gp_serve_job *job = l->cost.job;
    double share =
        job->wave_fraction > 0 ? job->wave_fraction : l->cost.constants->serving_wave_fraction;
    share = job->lockstep ? 1 : share;
    double wave_s = 0.5 * others_s * share;
    gp_wait wait = prompt_wait(l, requests_per_s, step_s, 1);
    wait.mean_s = gp_num_max(gp_num_min(wait.mean_s, others_s), wave_s);
    wait.tail_s = gp_num_max(gp_num_min(wait.tail_s, others_s), wait.mean_s);
    wait.far_s = gp_num_max(gp_num_min(wait.far_s, others_s), wait.tail_s);
    return wait;
}

/* Requests of one length that go through together: all prompts, then all tokens. */
static void wave_of(const load *l, double held, gp_serve_point *ret) {
    gp_serve_step step;
    gp_serve_step_of(&l->cost, held, l->context, &step);
    double prompts_s = held / l->branches * l->work_s;
    ret->batch = held;
    ret->step_s = step.total_s;
    ret->tpot_s = step.total_s;
    ret->output_tokens_per_s = held * l->output / (prompts_s + l->output * step.total_s);
}

void gp_serve_closed_loop(const gp_serve_job *job, const gp_machine *machine,
                          const gp_network *network, const gp_serve_layout *layout,
                          const gp_constants *constants, const gp_serve_memory *memory,
                          double concurrency, gp_trace *trace, gp_serve_point *ret) {
    *ret = (gp_serve_point){0};
    load l;
    gp_serve_replica_of(job, machine, network, layout, constants, memory, &l);
    if (!can_run(&l)) {
        overloaded(&l, 0, ret);
        return;
    }
    ret->stable = true;
    ret->max_requests_per_s = l.max_requests_per_s;
    double sequences = positive(concurrency) * l.branches;
    double held = gp_num_min(sequences, l.batch_max);
    if (job->lockstep) {
        wave_of(&l, held, ret);
    } else {
        ret->batch = decoding_batch(&l, held);
        ret->step_s = plain_step_s(&l, ret->batch);
        ret->tpot_s = with_prompts_s(&l, ret->batch, ret->step_s);
        ret->output_tokens_per_s = ret->batch / ret->tpot_s;
    }
    ret->tpot_p95_s = ret->tpot_s;
    ret->tpot_p99_s = ret->tpot_s;
    double requests_per_s = ret->output_tokens_per_s / (l.branches * l.output);
    ret->utilization = requests_per_s / ret->max_requests_per_s;
    /* Requests beyond the places wait for one; arrivals are as regular as the departures. */
    gp_wait place = {.mean_s = (sequences - held) / (l.branches * requests_per_s)};
    place.tail_s = place.mean_s;
    place.far_s = place.mean_s;
    gp_wait prompts = wave_wait(&l, held / l.branches, requests_per_s, ret->tpot_s);
    set_latency(&l, &place, &prompts, ret);
    if (trace != NULL)
        trace_point(&l, ret, place.mean_s + prompts.mean_s, trace);
}
