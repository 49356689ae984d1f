/*
 * From a planned serving workload to its simulation: the engine of its chosen layout, and arrivals
 * with the rate that it was planned for.
 */
#include "plan/context.h"

#include "base/num.h"

/* What is simulated: of a service at several sites its largest share, with the requests that go
 * there. */
typedef struct service {
    const gp_plan_result *result;
    const gp_workload_plan *w;
    const gp_candidate *chosen;
    double requests_per_s;
} service;

static service service_of(const gp_plan_result *result, const gp_workload_plan *w) {
    const bool spread = w->chosen.share_count > 0;
    const gp_candidate *chosen = spread ? &w->chosen.shares[0] : &w->chosen;
    return (service){result, w, chosen,
                     w->demand_requests_per_s * (spread ? chosen->share_fraction : 1)};
}

/* What the caches of two pools travel over: every GPU of a replica sends its share. */
static void set_transfer(const service *s, int64_t gpus, gp_simulate_config *ret) {
    enum { PROBE_BYTES = 1 << 30 };
    const gp_machine *machine = &s->chosen->unit->machine;
    const gp_network *network = &s->w->network;
    const gp_constants *k = s->result->constants;
    const double none_s = gp_point_to_point_time_s(machine, network, k, 0, false);
    const double probe_s = gp_point_to_point_time_s(machine, network, k, PROBE_BYTES, false);
    ret->transfer_latency_s = none_s;
    if (probe_s > none_s)
        ret->transfer_bytes_per_s = PROBE_BYTES / (probe_s - none_s) * (double)gpus;
}

/* Prefill and decode in pools of their own: each its layout and the replicas that carry load. */
static void set_pools(const service *s, const gp_serve_job *job, double slowdown,
                      gp_engine *ret_prefill, gp_simulate_config *ret) {
    const gp_split_pools *pools = &s->chosen->split;
    const gp_machine *machine = &s->chosen->unit->machine;
    const gp_constants *k = s->result->constants;
    const double headroom = s->result->document->spec.defaults.headroom.memory_fraction;
    gp_serve_memory memory;
    gp_serve_memory_of(job, machine, &pools->layouts.prefill, k, headroom, NULL, &memory);
    gp_engine_of(job, machine, &s->w->network, &pools->layouts.prefill, k, &memory, slowdown,
                 ret_prefill);
    ret->replicas = pools->decode_replicas - pools->decode_spare;
    ret->prefill_replicas = pools->prefill_replicas - pools->prefill_spare;
}

/* Enough to fill the replicas and keep them full for a while. */
static int64_t requests_of(const service *s) {
    enum { RESIDENCES = 6, MOST = 500000 };
    const double in_flight = s->requests_per_s * s->chosen->point.e2e_s;
    const double wanted =
        gp_num_max(s->result->constants->simulate_requests, RESIDENCES * in_flight);
    return gp_num_ceil_count(gp_num_min(wanted, MOST));
}

static void set_arrivals(const service *s, gp_arrivals *ret) {
    const gp_workload_plan *w = s->w;
    const gp_constants *k = s->result->constants;
    const double some = 1.0 / 1024; /* of a prompt is always new */
    *ret = (gp_arrivals){
        .process = GP_PROCESS_GAMMA,
        .cv = k->plan_arrival_cv,
        .requests_per_s = s->requests_per_s,
        .requests = requests_of(s),
        .prefix_fraction = gp_num_min(w->workload->traffic.prefix_hit_fraction, 1 - some),
        .prefix_groups = 1,
        .unmeasured_fraction = k->simulate_unmeasured_fraction,
        .seed = 1,
    };
    gp_traffic_lengths(k, w, ret);
    ret->day_mean_per_s = gp_traffic_day(&w->traffic, k, ret->hourly) * ret->requests_per_s;
}

gp_status gp_plan_simulation(const gp_plan_result *result, const gp_workload_plan *w,
                             double slowdown, gp_engine *ret_engine, gp_engine *ret_prefill,
                             gp_simulate_config *ret_config) {
    const service s = service_of(result, w);
    const gp_candidate *chosen = s.chosen;
    const gp_constants *k = result->constants;
    if (!w->is_serving || !chosen->present || chosen->unit == NULL || !w->has_goal ||
        chosen->serve_memory.max_concurrency < 1 || chosen->replicas < 1 ||
        !(w->serve.input_tokens > 0) || !(w->serve.output_tokens > 0))
        return GP_ERR_NOT_FOUND;
    const gp_machine part = gp_candidate_machine(chosen);
    const gp_machine *machine = &part;
    gp_serve_job job = w->serve;
    job.link = gp_plan_link(result, w->workload, chosen->unit);
    if (machine->efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_engine_of(&job, machine, &w->network, &chosen->serve_layout, k, &chosen->serve_memory,
                 slowdown, ret_engine);
    if (ret_prefill != ret_engine)
        *ret_prefill = *ret_engine;
    const gp_slo *slo = &w->workload->goal.slo;
    *ret_config = (gp_simulate_config){
        .engine = ret_engine,
        .replicas = gp_num_max_i64(chosen->replicas - chosen->spare_replicas, 1),
        .imbalance_ratio = k->simulate_router_imbalance,
        .imbalance_requests = gp_num_ceil_count(k->simulate_router_slack),
        .prefill_engine = ret_prefill,
        .autoscale = {.target_requests = chosen->point.batch / w->serve.branches,
                      .period_s = k->simulate_autoscale_period_s,
                      .start_s = k->simulate_start_s,
                      .quiet_s = k->simulate_autoscale_quiet_s},
        .slo = {.ttft_s = slo->ttft_s, .tpot_s = slo->tpot_s, .e2e_s = slo->e2e_s},
    };
    if (chosen->split.present && ret_prefill != ret_engine)
        set_pools(&s, &job, slowdown, ret_prefill, ret_config);
    set_transfer(&s, gp_num_min_i64(ret_engine->gpus, ret_prefill->gpus), ret_config);
    set_arrivals(&s, &ret_config->arrivals);
    return GP_OK;
}
