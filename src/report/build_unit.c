/* What a unit of work takes of energy and money, what hosts need, which machines would take
 * less energy, and what a run is launched with. */
#include "base/num.h"
#include "catalog/words.h"
#include "report/build.h"

static const double million = 1e6; /* definition */

/* GPUs of the workloads in clouds; what of the site's money is not their rent pays for the rest. */
static double rented_gpus(const gp_plan_result *result) {
    double gpus = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        const gp_candidate *parts = chosen->share_count > 0 ? chosen->shares : chosen;
        const int count = chosen->share_count > 0 ? chosen->share_count : 1;
        for (int k = 0; k < count && chosen->feasible; k++)
            gpus += parts[k].unit->cloud != NULL ? (double)parts[k].gpus : 0;
    }
    return gpus;
}

/* Money for one second of what a workload stands on: its share of what is owned, by GPUs, or its
 * rent while it is paid. */
static double money_per_s(const gp_build *build, const gp_candidate *part, bool whole_year) {
    const gp_site_plan *site = &build->result->site;
    const gp_unit *unit = part->unit;
    if (unit->cloud != NULL)
        return whole_year
                   ? part->cost.rent_per_s
                   : gp_rent_of(unit, part->rented_fraction).from->per_s * (double)part->nodes;
    const double own = (double)site->gpus - rented_gpus(build->result);
    const double gpus = whole_year ? gp_option_gpus(part) : (double)part->gpus;
    return own > 0 ? (site->cost.total_per_s - site->cost.rent_per_s) / own * gpus : 0;
}

static double money_of(const gp_build *build, const gp_candidate *chosen, bool whole_year) {
    double money = 0;
    if (!build->report->cost.complete || !(build->result->site.cost.total_per_s > 0))
        return GP_REPORT_NO_REAL;
    for (int k = 0; k < chosen->share_count; k++)
        money += money_per_s(build, &chosen->shares[k], whole_year);
    return chosen->share_count > 0 ? money : money_per_s(build, chosen, whole_year);
}

static void fill_run(const gp_build *build, const gp_candidate *chosen,
                     gp_report_performance *ret) {
    const double money = money_of(build, chosen, false);
    const double tokens = ret->trained_tokens;
    if (isfinite(ret->gpu_time_s.expected) && isfinite(money))
        ret->cost_per_run = money * ret->gpu_time_s.expected / (double)chosen->gpus;
    if (!(tokens > 0))
        return;
    if (isfinite(ret->energy_j.expected))
        ret->energy_j_per_million_tokens = ret->energy_j.expected / tokens * million;
    if (isfinite(ret->cost_per_run))
        ret->cost_per_million_tokens = ret->cost_per_run / tokens * million;
}

/* A year's energy and money over what the year serves: both at the mean, where one is known. */
static void fill_service(const gp_build *build, const gp_workload_plan *plan,
                         gp_report_performance *ret) {
    const double money = money_of(build, &plan->chosen, true);
    const double each = gp_serve_counted_tokens(&plan->serve);
    const double mean = plan->traffic.mean_per_s * each;
    const double served = mean > 0 ? mean : plan->demand_requests_per_s * each;
    const gp_candidate *chosen = &plan->chosen;
    if (plan->serve.item.passes > 0)
        return;
    const double gpus = gp_option_gpus(chosen);
    if (served > 0 && chosen->gpus > 0)
        ret->energy_j_per_million_tokens =
            chosen->facility_mean_w * gpus / (double)chosen->gpus / served * million;
    if (mean > 0 && isfinite(money))
        ret->cost_per_million_tokens = money / mean * million;
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
    const gp_candidate *green = &plan->greenest;
    if (!(plan->greenest_saved_fraction > 0) || !green->present)
        return;
    gp_report_efficient *efficient = GP_NEW(build->arena, gp_report_efficient);
    *efficient = (gp_report_efficient){
        .system = gp_build_system_id(green->unit),
        .gpus = green->gpus,
        .nodes = green->nodes,
        .layout = gp_build_layout_words(build, plan, green),
        .facility_power_w = green->facility_mean_w,
        .saved_fraction = plan->greenest_saved_fraction,
        .cost_per_year = green->priced && gp_build_energy_priced(build->result)
                             ? gp_build_per_year(green->cost.total_per_s)
                             : GP_REPORT_NO_REAL,
    };
    ret->efficient = efficient;
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
        if (plan->is_serving && !plan->is_seats)
            fill_service(build, plan, &ret->performance);
        else if (!plan->is_serving)
            fill_run(build, &plan->chosen, &ret->performance);
        fill_host(plan, &ret->host);
        fill_efficient(build, plan, ret);
        fill_launch(build, plan, ret);
    }
}
