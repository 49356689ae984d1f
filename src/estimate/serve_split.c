/*
 * Prefill and decode on machines of their own. A prefill replica is a queue of prompts; a decode
 * replica runs its batch without prompts in between; the KV cache of each prompt crosses from one
 * to the other before its second token (docs/formulas.md, "Disaggregated prefill and decode").
 */
#include <math.h>

#include "base/num.h"
#include "estimate/serve.h"

static double positive(double value) {
    return value > 0 ? value : 1;
}

/* Time for the KV cache of a prompt of `tokens` tokens from a prefill to a decode replica. */
static double serve_transfer_s(const gp_serve_job *job, const gp_machine *machine,
                               const gp_network *network, const gp_serve_split *split,
                               const gp_constants *constants, double tokens) {
    const gp_serve_kv from = gp_serve_kv_of(job, &split->prefill, constants);
    const gp_serve_kv to = gp_serve_kv_of(job, &split->decode, constants);
    /* Ranks send and receive side by side: the side with fewer of them decides. */
    const double bytes =
        gp_num_max(gp_serve_kv_bytes(&from, tokens), gp_serve_kv_bytes(&to, tokens));
    return gp_point_to_point_time_s(machine, network, constants, bytes, split->same_domain);
}

static double step_s(const gp_serve_pools *p, double batch) {
    gp_serve_step step;
    gp_serve_step_of(&p->decode, batch, p->context, &step);
    return step.total_s;
}

/* Prefill and transfer of a longer prompt, beyond those of the mean. */
static double longer_s(const gp_serve_pools *p, double input) {
    gp_serve_prefill prompt;
    const double tokens = gp_num_max(input, p->input);
    gp_serve_prompt_of(&p->prefill, tokens, &prompt);
    return gp_num_max(prompt.total_s - p->lone_s, 0) + p->transfer_s * (tokens / p->input - 1);
}

void gp_serve_pools_of(const gp_serve_job *job, const gp_machine *machine,
                       const gp_network *network, const gp_serve_split *split,
                       const gp_constants *constants, const gp_serve_memory *memory,
                       gp_serve_pools *ret) {
    *ret = (gp_serve_pools){.constants = constants, .prefills = 1, .decodes = 1};
    gp_serve_cost_of(job, machine, network, &split->prefill, constants, &ret->prefill);
    gp_serve_cost_of(job, machine, network, &split->decode, constants, &ret->decode);
    ret->input = positive(job->input_tokens);
    ret->output = positive(job->output_tokens);
    ret->branches = positive(job->branches);
    ret->context = ret->input + 0.5 * ret->output;
    gp_serve_prompts prompts;
    gp_serve_prompts_of(&ret->prefill, ret->input, &prompts);
    /* Short prompts share a step, and with it all that does not grow with their tokens. */
    const double fresh = gp_serve_fresh_tokens(job, ret->input);
    const double together = gp_num_max(ret->prefill.budget_tokens / fresh, 1);
    const double fixed_s = gp_serve_prompt_fixed_s(&ret->prefill, &prompts.mean);
    ret->lone_s = prompts.mean.total_s;
    ret->prompt_s = (prompts.work_s + fixed_s / together) / (double)ret->prefill.pp;
    ret->prompt_cv2 = prompts.cv2;
    ret->transfer_s = serve_transfer_s(job, machine, network, split, constants, ret->input);
    ret->batch_max = gp_serve_admitted(job, memory);
    ret->supported = ret->prefill.supported && ret->decode.supported && ret->batch_max >= 1;
    ret->idle_step_s = step_s(ret, 0);
    ret->full_step_s = step_s(ret, ret->batch_max);
    ret->max_requests_per_s =
        ret->supported ? ret->batch_max / ret->full_step_s / (ret->branches * ret->output) : 0;
    ret->longer_p95_s = longer_s(ret, job->input_p95);
    ret->longer_p99_s = longer_s(ret, gp_num_max(job->input_p99, job->input_p95));
}

typedef struct asked {
    const gp_serve_pools *pools;
    double tokens_per_s;
} asked;

static double batch_beyond(const void *context, double batch) {
    const asked *a = context;
    return batch - a->tokens_per_s * step_s(a->pools, batch);
}

/* Smallest batch with b / t(b) at the rate. */
static double batch_for(const gp_serve_pools *p, double tokens_per_s) {
    const asked a = {p, tokens_per_s};
    const gp_serve_ends ends = {
        .most = p->batch_max,
        .beyond_none = -tokens_per_s * p->idle_step_s,
        .beyond_most = p->batch_max - tokens_per_s * p->full_step_s,
    };
    return gp_serve_balance(batch_beyond, &a, &ends);
}

static double tail_s(const gp_serve_pools *p, double batch, double deviations) {
    return step_s(p, gp_num_min(batch + deviations * sqrt(batch), gp_num_max(p->batch_max, batch)));
}

static void trace_split(const gp_serve_pools *p, const gp_serve_point *point, double wait_s,
                        gp_trace *trace) {
    const gp_serve_job *job = p->decode.job;
    gp_serve_step step;
    gp_serve_prefill prompt;
    gp_serve_step_of(&p->decode, point->batch, p->context, &step);
    gp_serve_prompt_of(&p->prefill, p->input, &prompt);
    gp_serve_step_trace(&p->decode, &step, trace);
    gp_serve_prefill_trace(&p->prefill, &prompt, trace);
    GP_TRACE(trace, GP_TERM_SERVE_TRANSFER, p->transfer_s, GP_REF_TERM(GP_TERM_SERVE_KV_PER_TOKEN),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_SERVE_BATCH, point->batch, GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_SERVE_TPOT, point->tpot_s, GP_REF_TERM(GP_TERM_SERVE_STEP_TIME));
    GP_TRACE(trace, GP_TERM_SERVE_TPOT_P95, point->tpot_p95_s, GP_REF_TERM(GP_TERM_SERVE_TPOT),
             GP_REF_TERM(GP_TERM_SERVE_BATCH),
             GP_REF(p->constants, gp_constants, serving_percentile_normal));
    GP_TRACE(trace, GP_TERM_SERVE_QUEUE, wait_s, GP_REF_TERM(GP_TERM_SERVE_PREFILL),
             GP_REF(p->constants, gp_constants, plan_arrival_cv),
             GP_REF(p->constants, gp_constants, serving_input_cv));
    GP_TRACE(trace, GP_TERM_SERVE_TTFT, point->ttft_s, GP_REF_TERM(GP_TERM_SERVE_QUEUE),
             GP_REF_TERM(GP_TERM_SERVE_PREFILL), GP_REF_TERM(GP_TERM_SERVE_TRANSFER),
             GP_REF_TERM(GP_TERM_SERVE_STEP_TIME),
             GP_REF(p->constants, gp_constants, serving_request_s),
             GP_REF_IF(job->link != NULL, job->link, gp_site_link, round_trip_s));
    GP_TRACE(trace, GP_TERM_SERVE_TTFT_P95, point->ttft_p95_s, GP_REF_TERM(GP_TERM_SERVE_TTFT),
             GP_REF_TERM(GP_TERM_SERVE_QUEUE),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, p95));
    GP_TRACE(trace, GP_TERM_SERVE_E2E, point->e2e_s, GP_REF_TERM(GP_TERM_SERVE_TTFT),
             GP_REF_TERM(GP_TERM_SERVE_TPOT));
}

void gp_serve_pools_decode(const gp_serve_pools *pools, double batch, gp_serve_point *ret) {
    const gp_constants *constants = pools->constants;
    const double tokens = pools->branches * pools->output;
    *ret = (gp_serve_point){
        .stable = true,
        .batch = batch,
        .tpot_s = step_s(pools, batch),
        .tpot_p95_s = tail_s(pools, batch, constants->serving_percentile_normal),
        .prefill_s = pools->lone_s,
        .max_requests_per_s = pools->max_requests_per_s,
    };
    ret->tpot_p99_s = pools->near ? ret->tpot_p95_s
                                  : tail_s(pools, batch, constants->serving_percentile99_normal);
    ret->output_tokens_per_s = batch / ret->tpot_s;
    ret->utilization = ret->output_tokens_per_s / tokens / ret->max_requests_per_s;
}

void gp_serve_pools_latency(const gp_serve_pools *pools, double prefill_requests_per_s,
                            gp_serve_point *point) {
    const gp_constants *constants = pools->constants;
    const double arrival_cv2 = constants->plan_arrival_cv * constants->plan_arrival_cv;
    const gp_wait prompts =
        gp_queue_routed(pools->prefills, 1, prefill_requests_per_s * pools->prompt_s,
                        pools->prompt_s, arrival_cv2, pools->prompt_cv2, constants);
    const gp_wait place =
        gp_queue_routed(pools->decodes, pools->batch_max / pools->branches,
                        point->batch / pools->batch_max, pools->output * point->tpot_s, arrival_cv2,
                        gp_serve_output_cv2(pools->decode.job, constants), constants);
    point->stable = point->stable && isfinite(prompts.mean_s) && isfinite(place.mean_s);
    if (!point->stable)
        return;
    point->ttft_s = gp_serve_request_s(pools->decode.job, constants) + prompts.mean_s +
                    pools->lone_s + pools->transfer_s + place.mean_s + point->tpot_s;
    gp_serve_set_tails(pools->decode.job, &place, &prompts, pools->longer_p95_s,
                       pools->longer_p99_s, point);
}

void gp_serve_split_load(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_split *split,
                         const gp_constants *constants, const gp_serve_memory *memory,
                         const gp_split_share *share, gp_trace *trace, gp_split_point *ret) {
    const double prefill_requests_per_s = share->requests_per_s / share->prefills;
    const double decode_requests_per_s = share->requests_per_s / share->decodes;
    *ret = (gp_split_point){0};
    gp_serve_pools p;
    gp_serve_pools_of(job, machine, network, split, constants, memory, &p);
    if (!p.supported)
        return;
    p.prefills = share->prefills;
    p.decodes = share->decodes;
    gp_serve_point *point = &ret->point;
    gp_serve_pools_decode(&p, p.batch_max, point);
    ret->transfer_s = p.transfer_s;
    ret->prefill_max_per_s = 1 / p.prompt_s;
    ret->decode_max_per_s = point->max_requests_per_s;
    point->stable = prefill_requests_per_s < ret->prefill_max_per_s &&
                    decode_requests_per_s < ret->decode_max_per_s;
    if (!point->stable)
        return;
    const double tokens = p.branches * p.output;
    const double batch =
        decode_requests_per_s > 0 ? batch_for(&p, decode_requests_per_s * tokens) : 0;
    gp_serve_pools_decode(&p, batch, point);
    point->output_tokens_per_s = decode_requests_per_s * tokens;
    gp_serve_pools_latency(&p, prefill_requests_per_s, point);
    if (trace != NULL)
        trace_split(&p, point, point->ttft_s - p.lone_s - p.transfer_s, trace);
}

void gp_serve_split_power(const gp_serve_job *job, const gp_machine *machine,
                          const gp_network *network, const gp_serve_split *split,
                          const gp_constants *constants, const gp_serve_memory *memory,
                          const gp_split_share *share, gp_trace *trace, gp_serve_power *ret) {
    gp_serve_pools p;
    gp_serve_point point;
    *ret = (gp_serve_power){0};
    if (!(share->requests_per_s > 0))
        return; /* nothing is asked of them */
    const double prefill = share->prefills * (double)gp_serve_layout_gpus(&split->prefill);
    const double decode = share->decodes * (double)gp_serve_layout_gpus(&split->decode);
    gp_serve_pools_of(job, machine, network, split, constants, memory, &p);
    if (!p.supported)
        return;
    const double tokens_per_s = share->requests_per_s / share->decodes * p.branches * p.output;
    gp_serve_pools_decode(&p, batch_for(&p, tokens_per_s), &point);
    point.output_tokens_per_s = tokens_per_s;
    gp_serve_pools_power(&p, &point, share->requests_per_s / share->prefills * p.prompt_s,
                         prefill / (prefill + decode), trace, ret);
}

/* ---- requests that follow each other --------------------------------------------------------- */

typedef struct loop {
    const gp_serve_pools *pools;
    const gp_split_loop *stated;
} loop;

/* Requests a second of the whole whose decode replicas run `batch` each. */
static double loop_rate(const loop *l, double batch) {
    const gp_serve_pools *p = l->pools;
    return batch > 0 ? l->stated->decodes * batch / step_s(p, batch) / (p->branches * p->output)
                     : 0;
}

/* Prompts ahead of one: no more than are driven. Those driven at once wait for each other once:
 * they leave a prefill replica one by one, and come back so. Where the prefill replicas are not
 * counted there are enough of them. */
static double loop_wait_s(const loop *l, double requests_per_s) {
    const gp_serve_pools *p = l->pools;
    const gp_split_loop *stated = l->stated;
    if (!(stated->prefills > 0) || !(stated->requests > 0))
        return 0;
    const double others_s = gp_num_max(stated->requests / stated->prefills - 1, 0) * p->prompt_s;
    const gp_wait wait = gp_queue_wait(1, requests_per_s / stated->prefills * p->prompt_s,
                                       p->prompt_s, 1, p->prompt_cv2, p->constants);
    return gp_num_min(wait.mean_s, others_s);
}

static double loop_ttft_s(const loop *l, double requests_per_s) {
    return gp_serve_request_s(l->pools->decode.job, l->pools->constants) + l->pools->lone_s +
           l->pools->transfer_s + loop_wait_s(l, requests_per_s);
}

static double loop_beyond(const void *context, double batch) {
    const loop *l = context;
    const double rate = loop_rate(l, batch);
    const double decoding = l->stated->decodes * batch / l->pools->branches;
    return decoding + rate * loop_ttft_s(l, rate) - l->stated->requests;
}

/* The batch of a decode replica: what is driven, what fits, what the prompts suffice for. */
static double loop_batch(const loop *l) {
    const gp_serve_pools *p = l->pools;
    const gp_split_loop *stated = l->stated;
    const double fits = p->batch_max;
    const bool few = stated->requests > 0 && loop_beyond(l, fits) > 0;
    const double batch = few ? gp_num_root(loop_beyond, l, 0, fits) : fits;
    const double most = stated->prefills / p->prompt_s;
    if (!(stated->prefills > 0) || loop_rate(l, batch) <= most)
        return batch;
    return batch_for(p, most / stated->decodes * p->branches * p->output);
}

void gp_serve_split_closed_loop(const gp_serve_job *job, const gp_machine *machine,
                                const gp_network *network, const gp_serve_split *split,
                                const gp_constants *constants, const gp_serve_memory *memory,
                                const gp_split_loop *stated, gp_split_point *ret) {
    gp_serve_pools p;
    const loop l = {&p, stated};
    *ret = (gp_split_point){0};
    gp_serve_pools_of(job, machine, network, split, constants, memory, &p);
    if (!p.supported || !(stated->decodes > 0))
        return;
    gp_serve_point *point = &ret->point;
    const double batch = loop_batch(&l);
    const double rate = loop_rate(&l, batch);
    gp_serve_pools_decode(&p, batch, point);
    ret->transfer_s = p.transfer_s;
    /* Rates are those of whole runs, whose prefill replicas stand idle at both ends; latencies are
     * those between. */
    ret->prefill_max_per_s = constants->serving_split_fraction / p.prompt_s;
    ret->decode_max_per_s = point->max_requests_per_s;
    const double most = stated->prefills > 0 ? stated->prefills * ret->prefill_max_per_s : rate;
    point->output_tokens_per_s = gp_num_min(rate, most) * p.branches * p.output;
    /* Who is driven and not in decode waits for a prefill replica, or for a place. */
    const double rest = stated->requests - stated->decodes * batch / p.branches;
    point->ttft_s = gp_num_max(loop_ttft_s(&l, rate), rest / rate) + point->tpot_s;
}
