/* A step of reinforcement learning: where it runs, its phases, and memory in each. And seats. */
#include "report/build.h"

#include "base/num.h"
#include "report/value.h"

static const char *const phase_names[GP_RL_PHASE_COUNT] = {
    [GP_RL_ROLLOUT] = "rollout",
    [GP_RL_REWARD] = "reward",
    [GP_RL_LOGPROB] = "logProbabilities",
    [GP_RL_REFERENCE] = "reference",
    [GP_RL_VALUES] = "values",
    [GP_RL_UPDATE] = "update",
    [GP_RL_CRITIC] = "criticUpdate",
    [GP_RL_REFIT] = "weightTransfer",
    [GP_RL_SWITCH] = "offload",
    [GP_RL_OTHER] = "other",
};

static void fill_phases(gp_build *build, const gp_rl_time *time, gp_report_rl *ret) {
    GP_ROOM(build->arena, &ret->phases, GP_RL_PHASE_COUNT);
    for (int i = 0; i < GP_RL_PHASE_COUNT; i++)
        if (time->phase_s[i] > 0)
            GP_NEXT(ret->phases) = (gp_report_time_part){phase_names[i], time->phase_s[i]};
}

static void fill_memory(gp_build *build, const gp_rl_plan *rl, gp_report_rl *ret) {
    const gp_memory *engine = &rl->memory.rollout.memory;
    const gp_memory *update = &rl->memory.update;
    const double stays = rl->place.together && rl->place.stays
                             ? update->bytes[GP_MEMORY_WEIGHTS] + update->bytes[GP_MEMORY_OPTIMIZER]
                             : 0;
    GP_ROOM(build->arena, &ret->memory, 2);
    GP_NEXT(ret->memory) = (gp_report_phase_memory){
        .phase = "rollout",
        .used_bytes = engine->total_bytes + stays,
        .capacity_bytes = update->capacity_bytes,
    };
    GP_NEXT(ret->memory) = (gp_report_phase_memory){
        .phase = "update",
        .used_bytes = update->total_bytes + rl->memory.others_bytes,
        .capacity_bytes = update->capacity_bytes,
    };
}

void gp_build_rl(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    const gp_rl_plan *rl = &plan->rl_chosen;
    if (rl->place.rollout_gpus <= 0)
        return;
    gp_report_rl *out = GP_NEW(build->arena, gp_report_rl);
    gp_report_clear(&gp_report_rl_type, out);
    out->pools = rl->place.together ? "colocated" : "apart";
    out->train_gpus = gp_layout_gpus(&rl->place.layout);
    out->rollout_gpus = rl->place.rollout_gpus;
    out->trainer = gp_build_degree_words(build, &rl->place.layout);
    out->engine = gp_build_replica_words(build, &rl->place.engine);
    out->engines = rl->place.rollout_gpus / gp_serve_layout_gpus(&rl->place.engine);
    out->engine_tp = gp_num_max_i64(1, rl->place.engine.tp);
    out->engine_pp = gp_num_max_i64(1, rl->place.engine.pp);
    out->engine_dp = gp_num_max_i64(1, rl->place.engine.attention_dp);
    out->engine_ep = gp_num_max_i64(1, rl->place.engine.ep);
    out->sequences = plan->rl.sequences;
    out->tokens = rl->time.tokens;
    out->longest_tokens = gp_rl_longest(&plan->rl.response, plan->rl.sequences);
    out->batch_per_engine = gp_build_positive(rl->time.engine_batch);
    out->rollout_fraction = rl->time.rollout_fraction;
    out->tail_s = rl->time.tail_s;
    out->wait_s = gp_build_positive(rl->time.wait_s);
    out->host_bytes = gp_build_positive(rl->memory.away_bytes);
    ret->rl = out;
    fill_phases(build, &rl->time, out);
    ret->performance.step_parts.count = out->phases.count;
    ret->performance.step_parts.items = out->phases.items;
    ret->performance.step_sequences = plan->rl.sequences;
    fill_memory(build, rl, out);
}

void gp_build_seats(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_serve_layout *layout = &chosen->serve_layout;
    const gp_seats *seats = &plan->workload->seats;
    if (!plan->is_seats || chosen->unit == NULL || layout->seats <= 0)
        return;
    gp_report_seats *out = GP_NEW(build->arena, gp_report_seats);
    gp_report_clear(&gp_report_seats_type, out);
    out->people = seats->people > 0 ? seats->people : GP_REPORT_NO_COUNT;
    out->at_once = (int64_t)plan->demand_requests_per_s;
    out->held = (int64_t)chosen->requests_per_s;
    out->per_gpu = (double)layout->seats / (double)layout->tp;
    out->mean_open = plan->traffic.mean_per_s;
    if (layout->part > 0) {
        const gp_gpu_partition *partition = chosen->unit->partition;
        const gp_machine part = gp_machine_part(&chosen->unit->machine, partition,
                                                &partition->profiles.items[layout->part - 1]);
        out->part = partition->profiles.items[layout->part - 1].name;
        out->method = partition->method == GP_PART_MIG ? "mig" : "mps";
        out->part_bytes = part.hbm_bytes;
    } else {
        out->gpus_per_seat = layout->tp;
        out->part_bytes = chosen->unit->machine.hbm_bytes * (double)layout->tp;
    }
    ret->seats = out;
}
