/* What a unit of work takes of energy and money, what hosts need, which machines would take
 * less energy, and what a run is launched with. */
#include "base/num.h"
#include "catalog/words.h"
#include "report/build.h"

static const double million = 1e6; /* definition */

/* Energy and money of a million tokens, and of a run. */
static void fill_work(const gp_work_plan *work, gp_report_performance *ret) {
    if (work->priced && work->is_run)
        ret->cost_per_run = work->cost;
    if (!(work->tokens > 0))
        return;
    ret->energy_j_per_million_tokens = gp_build_positive(work->energy_j / work->tokens * million);
    if (work->priced)
        ret->cost_per_million_tokens = work->cost / work->tokens * million;
}

static void fill_host(const gp_workload_plan *plan, gp_report_host *ret) {
    const gp_system *system = plan->chosen.unit->system;
    if (system == NULL)
        return;
    ret->memory_need_bytes = gp_build_positive(plan->host.memory_bytes);
    ret->cores_need = plan->host.cpu_cores > 0 ? plan->host.cpu_cores : GP_REPORT_NO_COUNT;
    ret->nvme_need_bytes = gp_build_positive(plan->host.nvme_bytes);
    ret->memory_bytes = gp_build_positive(system->memory_bytes);
    ret->cores = system->cpu_cores > 0 ? system->cpu_cores : GP_REPORT_NO_COUNT;
    ret->nvme_bytes = gp_build_positive(system->nvme_bytes);
}

static void fill_efficient(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    static const double worth_telling = 0.005; /* of the energy */
    const gp_candidate *green = &plan->greenest;
    if (plan->greenest_saved_fraction < worth_telling || !green->present)
        return;
    gp_report_efficient *efficient = GP_NEW(build->arena, gp_report_efficient);
    *efficient = (gp_report_efficient){
        .system = gp_build_system_id(green->unit),
        .gpus = green->gpus,
        .nodes = green->nodes,
        .layout = gp_build_layout_words(build, plan, green),
        .facility_power_w = green->facility_mean_w,
        .saved_fraction = plan->greenest_saved_fraction,
        .cost_per_year = green->priced && gp_energy_priced(build->result)
                             ? gp_build_per_year(green->cost.total_per_s)
                             : GP_REPORT_NO_REAL,
    };
    ret->efficient = efficient;
}

/* Before it is stopped: what the goal says of one run counts before what it says of all. */
static double time_limit_s(const gp_goal *goal) {
    return gp_build_positive(goal->max_duration_s > 0      ? goal->max_duration_s
                             : goal->complete_within_s > 0 ? goal->complete_within_s
                                                           : goal->every_s);
}

static const gp_report_adapter *adapter_of(const gp_build *build, const gp_workload_plan *plan) {
    const gp_adapter *adapter = &plan->workload->adapter;
    if (plan->train.type != GP_WORKLOAD_LORA)
        return NULL;
    gp_report_adapter *ret = GP_NEW(build->arena, gp_report_adapter);
    *ret = (gp_report_adapter){.method = gp_adapter_method_words[adapter->method],
                               .rank = adapter->rank,
                               .targets = {adapter->targets.count, adapter->targets.items},
                               .base = gp_format_words[adapter->base]};
    return ret;
}

/* What a run is launched with beside the degrees of its layout. */
static void fill_launch(const gp_build *build, const gp_workload_plan *plan,
                        gp_report_workload *ret) {
    const gp_train_job *job = &plan->train;
    const gp_layout *layout = &plan->chosen.layout;
    const gp_software *software = &plan->workload->software;
    if (plan->is_serving || !plan->chosen.feasible)
        return;
    gp_report_launch *out = GP_NEW(build->arena, gp_report_launch);
    *out = (gp_report_launch){
        .framework = software->framework,
        .rules = gp_layout_rules_words[job->rules],
        .sequence_length = (int64_t)job->sequence_length,
        .global_batch_sequences = (int64_t)gp_train_step_sequences(job, layout),
        .asked_sequences = job->global_batch / job->sequence_length,
        .layers = (int64_t)job->shape->layers,
        .experts = (int64_t)job->shape->experts,
        .first_stage_layers = layout->first_layers,
        .stage_layers = layout->stage_layers,
        .last_stage_layers = layout->last_layers,
        .compute = gp_precision_words[job->compute],
        .gradients = gp_format_words[job->gradients],
        .optimizer = gp_optimizer_words[job->optimizer],
        .drives = layout->on_drives,
        .time_limit_s = time_limit_s(&plan->workload->goal),
        .adapter = adapter_of(build, plan),
    };
    if (plan->is_rl) {
        out->asked_sequences = plan->rl.sequences / gp_num_max(plan->rl.updates, 1);
        out->global_batch_sequences = gp_num_floor_count(out->asked_sequences);
        out->asked_sequences = (double)out->global_batch_sequences;
    }
    ret->launch = out;
}

void gp_build_units_of_work(gp_build *build) {
    const gp_plan_result *result = build->result;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        gp_report_workload *ret = &build->report->workloads.items[i];
        if (!plan->chosen.feasible)
            continue;
        fill_work(&plan->work, &ret->performance);
        fill_host(plan, &ret->host);
        fill_efficient(build, plan, ret);
        fill_launch(build, plan, ret);
    }
}
