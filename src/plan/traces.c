/* Prices a candidate once more with a trace, so that the report can explain each figure. */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* What sharing its GPU makes of a job's step. */
static void trace_sharing(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                          gp_train_time *time) {
    if (candidate->jobs_per_gpu <= 1)
        return;
    gp_train_time_share(time, candidate->jobs_per_gpu);
    GP_TRACE(trace, GP_TERM_TRAIN_JOBS_PER_GPU, (double)candidate->jobs_per_gpu,
             GP_REF(&c->workload->jobs, gp_jobs, concurrent),
             GP_REF(&c->workload->jobs, gp_jobs, per_gpu));
    GP_TRACE(trace, GP_TERM_TRAIN_MEMORY, candidate->memory.total_bytes,
             GP_REF_TERM(GP_TERM_TRAIN_WEIGHTS), GP_REF_TERM(GP_TERM_TRAIN_ADAPTER),
             GP_REF_TERM(GP_TERM_TRAIN_ACTIVATIONS), GP_REF_TERM(GP_TERM_TRAIN_LOGITS),
             GP_REF_TERM(GP_TERM_TRAIN_WORKING_SET), GP_REF_TERM(GP_TERM_TRAIN_RUNTIME),
             GP_REF_TERM(GP_TERM_TRAIN_JOBS_PER_GPU));
    GP_TRACE(trace, GP_TERM_TRAIN_STEP_TIME, time->step_s, GP_REF_TERM(GP_TERM_TRAIN_COMPUTE_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_LAUNCH_TIME), GP_REF_TERM(GP_TERM_TRAIN_JOBS_PER_GPU));
    GP_TRACE(trace, GP_TERM_TRAIN_TOKENS_PER_S, time->tokens_per_s,
             GP_REF(&c->workload->data, gp_data, global_batch),
             GP_REF_TERM(GP_TERM_TRAIN_STEP_TIME));
    GP_TRACE(trace, GP_TERM_TRAIN_MFU, time->mfu_fraction, GP_REF_TERM(GP_TERM_TRAIN_TOKENS_PER_S),
             GP_REF_TERM(GP_TERM_TRAIN_JOBS_PER_GPU), GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS));
}

static void trace_rl(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                     double *ret_step_s) {
    gp_rl_plan plan;
    gp_rl_plan_of(c, candidate, trace, &plan);
    *ret_step_s = plan.time.step_s;
}

static void trace_training(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    const gp_unit *unit = candidate->unit;
    const size_t index = (size_t)(unit - c->plan->units);
    const gp_train_job offloaded = gp_train_job_offloaded(&c->out->train, &candidate->layout);
    const gp_train_job *job = &offloaded;
    const gp_constants *k = c->plan->constants;
    gp_memory memory;
    gp_train_time time;
    gp_run run;
    const gp_machine machine = gp_machine_shared(&unit->machine, candidate->jobs_per_gpu);
    if (gp_layout_gpus(&candidate->layout) <= 0)
        return; /* no layout is launched at all */
    gp_train_memory(job, &machine, &candidate->layout, k, c->memory_headroom_fraction, trace,
                    &memory);
    if (memory.fit == GP_FIT_NOT)
        return;
    if (c->out->is_rl) {
        trace_rl(c, candidate, trace, &time.step_s);
    } else {
        gp_train_step_time(job, &machine, &c->plan->networks[index], &candidate->layout, k, trace,
                           &time);
        trace_sharing(c, candidate, trace, &time);
    }
    const gp_train_place place = {.gpus = gp_candidate_job_gpus(candidate),
                                  .jobs = candidate->jobs_per_gpu,
                                  .nodes = candidate->job_nodes};
    gp_run_of(c, index, place, &candidate->layout, time.step_s, trace, &run);
}

/* The rate that is planned for, and what stands in for a peak that is not stated. */
static void trace_peak(const gp_case *c, gp_trace *trace) {
    const gp_constants *k = c->plan->constants;
    const gp_traffic_plan *traffic = &c->out->traffic;
    const gp_traffic *t = &c->workload->traffic;
    const gp_distribution *rate = &t->requests_per_s;
    const bool goal = traffic->of_goal;
    const bool stated = !c->offline && !goal && traffic->peak_to_mean <= 0 && rate->peak > 0;
    const bool mean = !c->offline && !goal && !stated;
    const bool hours = mean && traffic->shaped;
    const bool office = hours && gp_str_equal(t->profile.name, "office");
    const bool diurnal = hours && gp_str_equal(t->profile.name, "diurnal");
    if (goal)
        GP_TRACE(trace, GP_TERM_SERVE_ASKED, c->out->demand_requests_per_s,
                 GP_REF(&c->workload->goal, gp_goal, throughput_tokens_per_s),
                 GP_REF_IF(t->output_tokens.mean > 0, &t->output_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_SERVE_PEAK, goal ? c->out->demand_requests_per_s : traffic->peak_per_s,
             goal ? GP_REF_TERM(GP_TERM_SERVE_ASKED) : GP_REF_NONE,
             GP_REF_IF(c->offline, t, gp_traffic, requests),
             GP_REF_IF(stated, rate, gp_distribution, peak),
             GP_REF_IF(mean, rate, gp_distribution, mean),
             GP_REF_IF(mean && !hours, k, gp_constants, plan_peak_to_mean),
             GP_REF_IF(office, k, gp_constants, plan_office_peak_to_trough),
             GP_REF_IF(office, k, gp_constants, plan_office_weekend_fraction),
             GP_REF_IF(office, k, gp_constants, plan_office_peak_minute),
             GP_REF_IF(diurnal, k, gp_constants, plan_diurnal_peak_to_trough),
             GP_REF_IF(diurnal, k, gp_constants, plan_diurnal_weekend_fraction),
             GP_REF_IF(hours && !office, k, gp_constants, plan_peak_minute));
}

static void trace_part(const gp_candidate *candidate, gp_trace *trace) {
    const gp_gpu_profile *profile = candidate->part.profile;
    if (!candidate->part.in_use)
        return;
    GP_TRACE(trace, GP_TERM_SERVE_PART, gp_part_fraction(candidate->unit->partition, profile),
             GP_REF(profile, gp_gpu_profile, name), GP_REF(profile, gp_gpu_profile, compute),
             GP_REF(profile, gp_gpu_profile, slices),
             profile->memory_bytes > 0 ? GP_REF(profile, gp_gpu_profile, memory_bytes)
                                       : GP_REF(profile, gp_gpu_profile, share_fraction),
             GP_REF(profile, gp_gpu_profile, flops_fraction));
}

static void trace_serving(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    const gp_unit *unit = candidate->unit;
    const size_t index = (size_t)(unit - c->plan->units);
    const gp_constants *k = c->plan->constants;
    gp_serve_memory memory;
    gp_serve_point point;
    const gp_machine machine = gp_candidate_machine(candidate);
    const gp_serve_job job = gp_plan_serve_job(c, index, &machine);
    gp_serve_memory_of(&job, &machine, &candidate->serve_layout, k, c->memory_headroom_fraction,
                       trace, &memory);
    const int64_t active = candidate->replicas - candidate->spare_replicas;
    if (memory.memory.fit == GP_FIT_NOT || active <= 0 || !c->out->has_goal)
        return;
    trace_peak(c, trace);
    trace_part(candidate, trace);
    if (candidate->split.present) {
        gp_split_point both;
        gp_split_load(c, candidate, trace, &both);
        return;
    }
    const gp_network *network = &c->plan->networks[index];
    const gp_serve_layout *layout = &candidate->serve_layout;
    if (c->offline)
        gp_serve_closed_loop(&job, &machine, network, layout, k, &memory,
                             gp_size_places(c, &job, &memory, active) / gp_num_max(1, job.branches),
                             trace, &point);
    else
        gp_serve_load(&job, &machine, network, layout, k, &memory,
                      gp_size_rate(c, candidate->requests_per_s, active), (double)active, trace,
                      &point);
    gp_serve_start start;
    gp_start_of(c, candidate, trace, &start);
}

void gp_trace_candidate(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    trace->count = 0;
    if (!candidate->present)
        return;
    const gp_constants *k = c->plan->constants;
    gp_shape shape;
    if (!c->out->is_seats)
        (void)gp_shape_derive(&c->workload->model, k, trace, &shape);
    if (c->out->is_seats)
        gp_seats_trace(c, candidate, trace);
    else if (c->out->is_serving)
        trace_serving(c, candidate, trace);
    else
        trace_training(c, candidate, trace);
    gp_node_power power;
    gp_node_power_of(&candidate->unit->machine,
                     c->out->is_serving ? GP_LOAD_SERVING : GP_LOAD_TRAINING,
                     gp_plan_serving_w(c, candidate, trace), k, trace, &power);
    if (candidate->nodes > 1 && candidate->fabric.leaf > 0) {
        gp_fabric_input input = c->plan->fabrics[candidate->unit - c->plan->units];
        gp_fabric_size fabric;
        input.nodes = candidate->nodes;
        (void)gp_fabric_size_of(&input, trace, &fabric);
    }
}
