/* One candidate of a workload as the report shows it: hardware, layout in words, time, cost. */
#include "report/build.h"

#include "report/describe.h"

typedef struct layout_size {
    const char *name;
    int64_t ranks;
} layout_size;

int64_t gp_build_gpus_each(const gp_workload_plan *plan, const gp_candidate *candidate) {
    const gp_layout *layout = &candidate->layout;
    if (plan->is_serving)
        return gp_serve_layout_gpus(&candidate->serve_layout);
    return layout->tp * layout->pp * layout->cp * layout->dp;
}

bool gp_build_spans_machines(const gp_workload_plan *plan, const gp_candidate *candidate) {
    return candidate->present && candidate->unit != NULL &&
           gp_build_gpus_each(plan, candidate) > candidate->unit->machine.gpus;
}

const char *gp_build_machines(gp_build *build, const gp_candidate *candidate) {
    if (!candidate->present || candidate->unit == NULL)
        return "nothing";
    return gp_build_word(gp_build_text(build, "%lld %s", (long long)candidate->nodes,
                                       gp_build_product(candidate->unit)));
}

/* "TP4 PP2 DP16": the sizes above 1; "no split" when all are 1. */
static const char *join_sizes(gp_build *build, const layout_size *sizes, size_t count) {
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        if (sizes[i].ranks > 1)
            text = gp_build_word(gp_build_text(build, "%s%s%s%lld", text, text[0] ? " " : "",
                                               sizes[i].name, (long long)sizes[i].ranks));
    return text[0] != '\0' ? text : "no split";
}

/* "8 GPUs (TP8)" */
static const char *replica_words(gp_build *build, const gp_serve_layout *layout) {
    const layout_size sizes[] = {
        {"TP", layout->tp}, {"PP", layout->pp}, {"DP", layout->attention_dp}, {"EP", layout->ep}};
    return gp_build_word(gp_build_text(
        build, "%s (%s)", gp_build_count(build, gp_serve_layout_gpus(layout), "GPU", "GPUs"),
        join_sizes(build, sizes, sizeof sizes / sizeof sizes[0])));
}

const char *gp_build_serving_words(gp_build *build, const gp_candidate *candidate) {
    const gp_split_pools *pools = &candidate->split;
    if (pools->present)
        return gp_build_text(
            build, "prefill %lld x %s and decode %lld x %s", (long long)pools->prefill_replicas,
            replica_words(build, &pools->layouts.prefill), (long long)pools->decode_replicas,
            replica_words(build, &pools->layouts.decode));
    return gp_build_text(build, "%s x %s",
                         gp_build_count(build, candidate->replicas, "replica", "replicas"),
                         replica_words(build, &candidate->serve_layout));
}

static const char *const offload_names[] = {
    [GP_OFFLOAD_NONE] = "none",
    [GP_OFFLOAD_OPTIMIZER] = "optimizer",
    [GP_OFFLOAD_PARAMETERS] = "parameters",
};

/* ", optimizer in host memory" */
static const char *offload_words(gp_build *build, const gp_layout *layout) {
    if (layout->offload == GP_OFFLOAD_NONE)
        return "";
    return gp_build_word(gp_build_text(build, ", %s %s", offload_names[layout->offload],
                                       layout->on_drives ? "on drives" : "in host memory"));
}

static const char *training_words(gp_build *build, const gp_workload_plan *plan,
                                  const gp_candidate *candidate) {
    const gp_layout *layout = &candidate->layout;
    const layout_size sizes[] = {{"TP", layout->tp}, {"PP", layout->pp}, {"VPP", layout->vpp},
                                 {"CP", layout->cp}, {"EP", layout->ep}, {"DP", layout->dp}};
    size_t count = sizeof sizes / sizeof sizes[0];
    const char *zero =
        layout->zero > 0 && layout->dp > 1
            ? gp_build_word(gp_build_text(build, " ZeRO-%lld", (long long)layout->zero))
            : "";
    if (layout->shard_group > 0)
        zero = gp_build_word(
            gp_build_text(build, "%s in groups of %lld", zero, (long long)layout->shard_group));
    const char *each =
        candidate->jobs_per_gpu > 1
            ? gp_build_text(build, ", %lld to a GPU", (long long)candidate->jobs_per_gpu)
            : gp_build_text(
                  build, " x %s",
                  gp_build_count(build, gp_build_gpus_each(plan, candidate), "GPU", "GPUs"));
    return gp_build_text(
        build, "%s%s (%s%s%s)", gp_build_count(build, candidate->replicas, "job", "jobs"),
        gp_build_word(each), join_sizes(build, sizes, count), zero, offload_words(build, layout));
}

const char *gp_build_layout_words(gp_build *build, const gp_workload_plan *plan,
                                  const gp_candidate *candidate) {
    return plan->is_serving ? gp_build_serving_words(build, candidate)
                            : training_words(build, plan, candidate);
}

static const char *recompute_name(int recompute) {
    static const char *const names[] = {
        [GP_RECOMPUTE_AUTO] = "auto",
        [GP_RECOMPUTE_NONE] = "none",
        [GP_RECOMPUTE_SELECTIVE] = "selective",
        [GP_RECOMPUTE_FULL] = "full",
    };
    return names[recompute];
}

static void fill_serving(const gp_candidate *candidate, gp_report_candidate *ret) {
    ret->tp = candidate->serve_layout.tp;
    ret->pp = candidate->serve_layout.pp;
    ret->ep = candidate->serve_layout.ep;
    ret->dp = candidate->serve_layout.attention_dp > 1 ? candidate->serve_layout.attention_dp : 1;
    ret->vpp = ret->cp = 1;
    ret->zero = 0;
    ret->micro_batch = GP_REPORT_NO_COUNT;
    ret->time_to_complete_s = gp_build_band(candidate->time_to_complete_s);
    ret->ttft_p95_s = gp_build_band(candidate->ttft_p95_s);
    ret->tpot_p95_s = gp_build_band(candidate->tpot_p95_s);
    ret->requests_per_s = gp_build_positive(candidate->requests_per_s);
}

static void fill_training(const gp_candidate *candidate, gp_report_candidate *ret) {
    const gp_layout *layout = &candidate->layout;
    ret->jobs_per_gpu = candidate->jobs_per_gpu;
    ret->tp = layout->tp;
    ret->pp = layout->pp;
    ret->vpp = layout->vpp;
    ret->dp = layout->dp;
    ret->cp = layout->cp;
    ret->ep = layout->ep;
    ret->zero = layout->zero;
    ret->micro_batch = layout->micro_batch;
    if (layout->shard_group > 0)
        ret->shard_group = layout->shard_group;
    ret->recompute = recompute_name(layout->recompute);
    ret->offload = offload_names[layout->offload];
    ret->offloaded_bytes = gp_build_positive(candidate->outside_bytes);
    ret->time_to_complete_s = gp_build_band(candidate->time_to_complete_s);
    ret->step_time_s = gp_build_band(candidate->step_s);
}

static void fill_cost(gp_build *build, const gp_candidate *candidate, gp_report_candidate *ret) {
    if (!candidate->priced)
        return;
    ret->capital = candidate->cost.capital;
    if (candidate->unit->cloud != NULL || gp_build_energy_priced(build->result))
        ret->cost_per_year = gp_build_per_year(candidate->cost.total_per_s);
}

/* A rack-scale system is one machine to the planner, and a tray of it one host: two processors. */
static int64_t hosts_of(const gp_machine *machine) {
    enum { ONE_HOST_GPUS = 8, TRAY_SOCKETS = 2 };
    const int64_t trays = machine->system->cpu_sockets / TRAY_SOCKETS;
    const bool rack_scale =
        machine->gpus > ONE_HOST_GPUS && trays > 1 && machine->gpus % trays == 0;
    return rack_scale ? trays : 1;
}

static void fill_hardware(gp_build *build, const gp_workload_plan *plan,
                          const gp_candidate *candidate, gp_report_candidate *ret) {
    const gp_unit *unit = candidate->unit;
    const gp_memory *memory = &candidate->memory;
    ret->where = unit->cloud != NULL ? unit->id : "owned";
    ret->gpu = gp_build_gpu_id(unit);
    ret->system = gp_build_system_id(unit);
    ret->product = gp_build_product(unit);
    ret->gpus = candidate->gpus;
    ret->nodes = candidate->nodes;
    ret->added_nodes = unit->cloud != NULL ? 0 : candidate->nodes - candidate->owned_nodes;
    ret->replicas = candidate->replicas;
    ret->spare_replicas = candidate->spare_replicas;
    ret->gpus_per_replica = gp_build_gpus_each(plan, candidate);
    ret->gpus_per_node = unit->machine.gpus;
    ret->hosts_per_node = hosts_of(&unit->machine);
    ret->gpus_per_domain = unit->machine.domain;
    ret->memory_bytes_per_s = gp_build_positive(unit->machine.hbm_bytes_per_s);
    ret->layout = gp_build_layout_words(build, plan, candidate);
    ret->tokens_per_s = gp_build_band(candidate->tokens_per_s);
    ret->memory_bytes = gp_build_positive(memory->total_bytes);
    ret->memory_capacity_bytes = gp_build_positive(memory->capacity_bytes);
    ret->it_power_w = gp_build_positive(candidate->it_mean_w);
    ret->facility_power_w = gp_build_positive(candidate->facility_mean_w);
    fill_cost(build, candidate, ret);
}

/* Where nothing could even be tried, there are no machines to try. */
static gp_status fill_lack(gp_build *build, const gp_candidate *candidate, const char *none,
                           gp_report_candidate *ret) {
    const gp_lack *lack = &candidate->lack;
    bool nothing = !candidate->present && !(lack->need > 0) && lack->why == NULL;
    gp_report_lack *out = GP_NEW(build->arena, gp_report_lack);
    if (out == NULL)
        return GP_ERR_NO_MEMORY;
    *out = (gp_report_lack){
        .bound = gp_bound_name(nothing ? GP_BOUND_SUPPLY : lack->bound),
        .have = lack->have,
        .need = lack->need,
        .unit = gp_dim_base_unit(lack->dim),
        .reason = nothing ? none : gp_build_lack_words(build, candidate),
        .dim = lack->dim,
    };
    ret->lack = out;
    return GP_OK;
}

gp_status gp_build_candidate(gp_build *build, const gp_workload_plan *plan,
                             const gp_candidate *candidate, const char *none,
                             gp_report_candidate *ret) {
    ret->feasible = candidate->present && candidate->feasible;
    if (candidate->present && candidate->unit != NULL) {
        fill_hardware(build, plan, candidate, ret);
        if (plan->is_serving)
            fill_serving(candidate, ret);
        else
            fill_training(candidate, ret);
    }
    return ret->feasible ? GP_OK : fill_lack(build, candidate, none, ret);
}
