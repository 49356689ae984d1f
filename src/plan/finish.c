/*
 * Everything about one workload that follows from its verdict: alternatives, the count at the
 * expected value, flip point, surplus, software changes, times at other network rates, and
 * the traces that explain the figures.
 */
#include "plan/verdict.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static const double bits_per_byte = 8;                                      /* definition */
static const double rate_rows[GP_RATE_ROWS] = {100e9, 200e9, 400e9, 800e9}; /* Gb/s per GPU */

/* What the chosen kind of machine would need judged at the expected value: never more. */
static void size_at_expected(const gp_case *c, const gp_verdict *verdict) {
    const gp_candidate *chosen = &verdict->chosen;
    c->out->at_expected = *chosen;
    if (!chosen->feasible)
        return;
    gp_case expected = *c;
    expected.confidence = GP_CONFIDENCE_EXPECTED;
    expected.split_mode = gp_split_mode_as(chosen);
    const size_t unit = (size_t)(chosen->unit - c->plan->units);
    gp_candidate other;
    const gp_size_bounds within = {.max_nodes = chosen->nodes, .max_gpus = chosen->gpus};
    gp_size_fewest(&expected, unit, within, &other);
    gp_price_candidate(&expected, chosen->owned_nodes, &other);
    if (other.feasible && other.gpus <= chosen->gpus)
        c->out->at_expected = other;
}

/* What the replicas that run today would do, kept for the report whether they are enough or not. */
static void judge_declared(const gp_case *c, const gp_verdict *verdict) {
    c->out->has_declared = c->out->is_serving && gp_case_stands(c);
    if (!c->out->has_declared)
        return;
    gp_case counted = *c;
    counted.counted = true;
    gp_size_fewest(&counted, verdict->baseline.unit, gp_size_any(c->plan, verdict->baseline.unit),
                   &c->out->declared);
}

/* More tensor parallelism against more replicas, on the chosen kind of machine. */
static void size_layouts(const gp_case *c) {
    gp_workload_plan *out = c->out;
    out->layout_count = 0;
    if (!out->is_serving || !out->has_goal || out->chosen.unit == NULL)
        return;
    int64_t count = 0;
    const size_t unit = (size_t)(out->chosen.unit - c->plan->units);
    (void)gp_search_serve(c, unit, &count);
    count = gp_num_min_i64(count, GP_LAYOUT_ROWS_MAX);
    out->layouts = GP_NEW_ARRAY(c->plan->arena, gp_candidate, (size_t)count);
    out->layout_count = gp_size_layouts(c, unit, (int)count, out->layouts);
    for (int i = 0; i < out->layout_count; i++)
        gp_price_candidate(c, out->chosen.owned_nodes, &out->layouts[i]);
}

/* The chosen unit with prefill and decode together, and apart. */
static void compare_split(const gp_case *c) {
    gp_workload_plan *out = c->out;
    if (c->held != NULL) {
        const gp_workload_plan *was = &c->plan->options->hold->workloads.items[c - c->plan->cases];
        gp_size_again(c, &was->together, &out->together);
        gp_size_again(c, &was->apart, &out->apart);
        return;
    }
    if (!out->is_serving || !out->has_goal || out->chosen.unit == NULL ||
        c->split_mode == GP_SPLIT_NEVER)
        return;
    const size_t unit = (size_t)(out->chosen.unit - c->plan->units);
    const gp_size_bounds within = gp_size_any(c->plan, unit);
    gp_case one = *c;
    one.split_mode = GP_SPLIT_NEVER;
    gp_size_fewest(&one, unit, within, &out->together);
    /* The objective may have other pools than those on the fewest machines. */
    if (out->chosen.split.present && out->chosen.share_count == 0) {
        out->apart = out->chosen;
        return;
    }
    gp_size_split(c, unit, within, &out->apart);
    gp_split_describe(c, &out->apart);
}

/* The chosen step on another network. */
static void step_at(const gp_case *c, const gp_machine *machine, const gp_network *network,
                    gp_train_time *ret) {
    const gp_candidate *chosen = &c->out->chosen;
    const gp_train_job job = gp_train_job_offloaded(&c->out->train, &chosen->layout);
    gp_rl_time rl;
    gp_train_step_time(&job, machine, network, &chosen->layout, c->plan->constants, NULL, ret);
    if (!c->out->is_rl)
        return;
    gp_rl_step_with(c, chosen, machine, network, &rl);
    ret->communication_s = rl.update.communication_s * c->out->rl.updates + rl.phase_s[GP_RL_REFIT];
    ret->step_s = rl.step_s;
}

/* Step time of the chosen layout with other network rates per GPU. */
static void rate_table(const gp_case *c) {
    const gp_candidate *chosen = &c->out->chosen;
    gp_workload_plan *out = c->out;
    out->has_rates = false;
    if (!chosen->feasible || chosen->unit == NULL || out->is_serving ||
        gp_candidate_job_gpus(chosen) <= chosen->unit->machine.gpus)
        return;
    const size_t unit = (size_t)(chosen->unit - c->plan->units);
    const double oversubscription = gp_num_max(1, c->plan->fabrics[unit].oversubscription);
    out->has_rates = true;
    for (int i = 0; i < GP_RATE_ROWS; i++) {
        gp_machine machine = chosen->unit->machine;
        gp_network network = c->plan->networks[unit];
        gp_train_time time;
        machine.nic_bytes_per_s = rate_rows[i] / bits_per_byte;
        network.bytes_per_s[0] = machine.nic_bytes_per_s;
        network.bytes_per_s[1] = machine.nic_bytes_per_s / oversubscription;
        network.bytes_per_s[2] = network.bytes_per_s[1];
        step_at(c, &machine, &network, &time);
        out->rates[i] = (gp_rate_row){
            .bits_per_s = rate_rows[i],
            .step_s = time.step_s,
            .communication_fraction = time.communication_s / time.step_s,
        };
    }
}

/* Energy of a run, or power under the same load: what a unit of work takes of it. */
static double energy_of(const gp_case *c, const gp_candidate *candidate) {
    const double time_s = c->out->is_serving && !c->offline
                              ? 1
                              : candidate->time_to_complete_s.expected - candidate->timing.wait_s;
    return candidate->facility_mean_w * time_s /
           (double)gp_num_max_i64(1, c->out->is_serving ? 1 : candidate->replicas);
}

/* The kind of machine that does the work with the least energy, where it is another one. */
static void find_greenest(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_candidate *chosen = &out->chosen;
    if (!chosen->feasible || chosen->unit == NULL || !out->has_goal ||
        c->plan->options->declared_only || chosen->unit->cloud != NULL)
        return;
    double least = energy_of(c, chosen);
    const double today = least;
    for (size_t k = 0; k < out->kinds.count; k++) {
        const gp_candidate *kind = &out->kinds.items[k];
        if (!kind->feasible || kind->unit->cloud != NULL || kind->unit == chosen->unit ||
            gp_num_compare9(energy_of(c, kind), least) >= 0)
            continue;
        least = energy_of(c, kind);
        out->greenest = *kind;
    }
    out->greenest_saved_fraction = today > 0 ? 1 - least / today : 0;
}

/* What a machine of the chosen kind needs beside its GPUs. */
static void set_host(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_candidate *chosen = &out->chosen;
    if (!chosen->feasible || chosen->unit == NULL)
        return;
    const gp_machine *machine = &chosen->unit->machine;
    const double machines = (double)gp_num_max_i64(1, chosen->job_nodes);
    const gp_host_input input = {
        .gpus = machine->gpus,
        .gpu_memory_bytes = machine->hbm_bytes,
        .checkpoint_bytes = out->is_serving ? 0 : chosen->run.checkpoint_bytes / machines,
        .offload_bytes = chosen->outside_bytes * (double)machine->gpus,
        .images = c->workload->traffic.images.per_request > 0,
    };
    gp_host_need_of(&input, c->plan->constants, &out->host);
}

/* No more room than its terms take, and those of its cost: there is one for every workload. */
static void keep_trace(gp_arena *arena, const gp_trace *trace, gp_trace *ret) {
    *ret = *trace;
    ret->room = trace->count + GP_WORK_TERMS;
    ret->items = GP_NEW_ARRAY(arena, gp_term, ret->room);
    if (trace->count > 0)
        memcpy(ret->items, trace->items, trace->count * sizeof *ret->items);
}

/* Of a service at several sites the share that is slowest to answer, whose figure is shown. */
static void trace_chosen(const gp_case *c, gp_trace *trace) {
    const gp_candidate *chosen = &c->out->chosen;
    const gp_candidate *slowest = chosen;
    for (int k = 0; k < chosen->share_count; k++)
        if (k == 0 || chosen->shares[k].ttft_p95_s.high > slowest->ttft_p95_s.high)
            slowest = &chosen->shares[k];
    if (slowest == chosen) {
        gp_trace_candidate(c, chosen, trace);
        return;
    }
    /* The trace points to what it rests on. */
    gp_workload *workload = GP_NEW(c->plan->arena, gp_workload);
    const gp_case part = gp_spread_case(c, slowest->unit, slowest->share_fraction, workload);
    gp_trace_candidate(&part, slowest, trace);
}

/* Than those that run today. */
static bool other_replicas(const gp_workload *w, const gp_candidate *chosen) {
    const int64_t pairs[][2] = {{w->replicas, chosen->replicas},
                                {w->prefill.replicas, chosen->split.prefill_replicas},
                                {w->decode.replicas, chosen->split.decode_replicas}};
    bool other = false;
    for (size_t i = 0; i < GP_COUNT_OF(pairs); i++)
        other = other || (pairs[i][0] > 0 && pairs[i][0] != pairs[i][1]);
    return other;
}

void gp_workload_finish(const gp_verdicts *v, size_t i, const gp_verdict *verdict) {
    const gp_case *c = &v->plan->cases[i];
    gp_workload_plan *out = c->out;
    out->scale = verdict->scale;
    out->bound_by = verdict->bound_by;
    out->baseline_nodes = verdict->baseline.greenfield ? 0 : verdict->baseline.nodes;
    out->baseline_gpus = verdict->baseline.greenfield ? 0 : verdict->baseline.gpus;
    out->current = verdict->current;
    out->chosen = verdict->chosen;
    out->vertical = verdict->vertical;
    out->horizontal = verdict->horizontal;
    if (out->chosen.unit != NULL)
        out->network = c->plan->networks[out->chosen.unit - c->plan->units];
    out->layout_declared = c->pinned;
    out->layout_change = out->chosen.feasible && other_replicas(c->workload, &out->chosen);
    if (c->plan->options->brief) {
        out->at_expected = out->chosen;
        return;
    }
    size_at_expected(c, verdict);
    if (out->is_serving && gp_confirm_most(c) != GP_OK)
        return;
    if (out->is_serving)
        gp_autoscale_of(c, &out->chosen, &out->autoscale);
    if (out->is_serving && out->chosen.feasible && out->has_goal && !out->chosen.split.present)
        out->replicas_needed = gp_candidate_replicas(c, &out->chosen, c->demand.requests_per_s);
    judge_declared(c, verdict);
    compare_split(c);
    if (c->held == NULL)
        size_layouts(c);
    if (out->is_rl && out->chosen.rl.place.rollout_gpus > 0)
        gp_rl_plan_of(c, &out->chosen, NULL, &out->rl_chosen);
    rate_table(c);
    set_host(c);
    find_greenest(c);
    if (!c->plan->options->declared_only)
        gp_placement_of(c, &out->placement);
    trace_chosen(c, v->trace);
    keep_trace(c->plan->arena, v->trace, &out->trace_chosen);
    if (c->held != NULL)
        return;
    gp_tried_of(c);
    if (!verdict->likely)
        gp_flip_of(v, i, verdict, &out->flip);
    if (!c->plan->options->declared_only)
        gp_need_steps_of(v, i);
    gp_software_changes(v, i, verdict);
}
