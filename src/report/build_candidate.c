/* One candidate of a workload as the report shows it: hardware, layout in words, time, cost. */
#include "report/build.h"

#include "base/num.h"
#include "catalog/words.h"
#include "report/value.h"

static const char *pool_words(gp_build *build, const gp_serve_layout *layout, int64_t replicas) {
    return gp_build_text(build, "%s x %s", gp_build_count(build, replicas, "replica"),
                         gp_build_replica_words(build, layout));
}

static gp_report_pool pool_of(gp_build *build, const char *name, const gp_serve_layout *layout,
                              int64_t replicas, int64_t spare) {
    const int64_t each = gp_serve_layout_gpus(layout);
    return (gp_report_pool){
        .name = name,
        .gpus = replicas * each,
        .replicas = replicas,
        .spare_replicas = spare,
        .gpus_per_replica = each,
        .tp = layout->tp,
        .pp = layout->pp,
        .dp = gp_num_max_i64(1, layout->attention_dp),
        .ep = gp_num_max_i64(1, layout->ep),
        .redundant_experts = layout->copies,
        .layout = pool_words(build, layout, replicas),
    };
}

void gp_build_pools(gp_build *build, const gp_split_pools *pools, gp_report_pools *ret) {
    if (!pools->present)
        return;
    ret->items = GP_NEW_ARRAY(build->arena, gp_report_pool, 2);
    GP_NEXT(*ret) = pool_of(build, "prefill", &pools->layouts.prefill, pools->prefill_replicas,
                            pools->prefill_spare);
    GP_NEXT(*ret) = pool_of(build, "decode", &pools->layouts.decode, pools->decode_replicas,
                            pools->decode_spare);
}

static void fill_degrees(const gp_serve_layout *layout, gp_report_candidate *ret) {
    ret->tp = layout->tp;
    ret->pp = layout->pp;
    ret->ep = gp_num_max_i64(1, layout->ep);
    ret->dp = gp_num_max_i64(1, layout->attention_dp);
    ret->redundant_experts = layout->copies;
    ret->vpp = ret->cp = 1;
    ret->zero = 0;
    ret->gpus_per_replica = gp_serve_layout_gpus(layout);
}

/* What another share has in the same role; degrees are told where all shares have the same. */
static void add_pool(gp_build *build, const gp_serve_layout *first, const gp_serve_layout *layout,
                     const gp_report_pool *more, gp_report_pool *sum) {
    sum->gpus += more->gpus;
    sum->replicas += more->replicas;
    sum->spare_replicas += more->spare_replicas;
    if (gp_serve_layout_equal(first, layout) && sum->gpus_per_replica != GP_REPORT_NO_COUNT) {
        sum->layout = pool_words(build, layout, sum->replicas);
        return;
    }
    sum->layout = gp_build_text(build, "%s + %s", sum->layout, more->layout);
    sum->gpus_per_replica = sum->tp = sum->pp = sum->dp = sum->ep = sum->redundant_experts =
        GP_REPORT_NO_COUNT;
}

static void fill_parts(gp_build *build, const gp_candidate *candidate, gp_report_candidate *ret) {
    const gp_split_pools *first = candidate->share_count > 0 ? NULL : &candidate->split;
    if (first != NULL)
        gp_build_pools(build, first, &ret->parts);
    for (int k = 0; k < candidate->share_count; k++) {
        const gp_split_pools *split = &candidate->shares[k].split;
        gp_report_pools more = {0};
        gp_build_pools(build, split, &more);
        if (first == NULL && split->present) {
            first = split;
            ret->parts = more;
        } else if (split->present) {
            add_pool(build, &first->layouts.prefill, &split->layouts.prefill, &more.items[0],
                     &ret->parts.items[0]);
            add_pool(build, &first->layouts.decode, &split->layouts.decode, &more.items[1],
                     &ret->parts.items[1]);
        }
    }
}

static void fill_serving(gp_build *build, const gp_candidate *candidate, gp_report_candidate *ret) {
    if (!candidate->split.present && gp_build_is_alike(build, candidate))
        fill_degrees(&candidate->serve_layout, ret);
    if (candidate->part.in_use) {
        const gp_gpu_partition *partition = candidate->unit->partition;
        ret->gpu_part = candidate->part.profile->name;
        ret->gpu_part_method = gp_part_method_words[partition->method];
        ret->gpu_fraction = gp_part_fraction(partition, candidate->part.profile);
    }
    fill_parts(build, candidate, ret);
}

/* Places that are left free: the first and the last stage have theirs, and the others one each from
 * the end on. */
static void fill_stages(gp_build *build, const gp_workload_plan *plan, const gp_layout *layout,
                        gp_report_candidate *ret) {
    const int64_t last = layout->pp - 1;
    int64_t more = -(int64_t)plan->train.shape->layers;
    int64_t *items = GP_NEW_ARRAY(build->arena, int64_t, (size_t)layout->pp);
    for (int64_t s = 0; s <= last; s++) {
        items[s] = s == last ? layout->last_layers
                   : s == 0  ? layout->first_layers
                             : layout->stage_layers;
        more += items[s];
    }
    items[last] -= last == 0 ? more : 0;
    for (int64_t s = last - 1; more > 0 && last > 1; s = s > 1 ? s - 1 : last - 1, more--)
        items[s]--;
    ret->stage_layers.items = items;
    ret->stage_layers.count = (size_t)layout->pp;
}

static void fill_training(gp_build *build, const gp_workload_plan *plan,
                          const gp_candidate *candidate, gp_report_candidate *ret) {
    const gp_layout *layout = &candidate->layout;
    ret->gpus_per_replica = gp_build_gpus_each(plan, candidate);
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
    ret->recompute = gp_recompute_words[layout->recompute];
    ret->offload = gp_offload_words[layout->offload];
    ret->offloaded_bytes = gp_build_positive(candidate->outside_bytes);
    ret->step_time_s = gp_build_band(candidate->step_s);
    if (layout->stage_layers <= 0)
        return;
    ret->global_batch_sequences = (int64_t)gp_train_step_sequences(&plan->train, layout);
    fill_stages(build, plan, layout, ret);
}

static void fill_cost(gp_build *build, const gp_candidate *candidate, gp_report_candidate *ret) {
    if (!candidate->priced)
        return;
    ret->capital = candidate->cost.capital;
    if (candidate->unit->cloud != NULL || gp_energy_priced(build->result))
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

/* Where a share stands: its site; of one site the pool, or the kind of machine. */
static const char *place_of(const gp_build *build, const gp_unit *unit) {
    if (build->result->sites.count > 0)
        return build->result->sites.items[unit->site].name;
    return unit->pool != NULL ? unit->pool->name : gp_build_system_id(unit);
}

/* What the link from its home adds there. */
static double link_s(const gp_build *build, const gp_workload_plan *plan,
                     const gp_candidate *here) {
    const gp_site_link *link = gp_plan_link(build->result, plan->workload, here->unit);
    return link == NULL       ? GP_REPORT_NO_REAL
           : plan->is_serving ? link->round_trip_s
                              : here->run.moved_s;
}

static gp_report_share share_of(gp_build *build, const gp_workload_plan *plan,
                                const gp_candidate *here) {
    gp_report_candidate layout = {.tp = GP_REPORT_NO_COUNT,
                                  .pp = GP_REPORT_NO_COUNT,
                                  .dp = GP_REPORT_NO_COUNT,
                                  .ep = GP_REPORT_NO_COUNT,
                                  .gpus_per_replica = GP_REPORT_NO_COUNT};
    if (plan->is_serving && !here->split.present)
        fill_degrees(&here->serve_layout, &layout);
    return (gp_report_share){
        .name = place_of(build, here->unit),
        .gpu = gp_build_gpu_id(here->unit),
        .system = gp_build_system_id(here->unit),
        .product = gp_build_product(here->unit),
        .layout = gp_build_layout_words(build, plan, here),
        .gpus = here->gpus,
        .nodes = here->nodes,
        .added_nodes = here->nodes - here->owned_nodes,
        .replicas = plan->is_serving ? here->replicas : GP_REPORT_NO_COUNT,
        .spare_replicas = plan->is_serving ? here->spare_replicas : GP_REPORT_NO_COUNT,
        .gpus_per_replica = layout.gpus_per_replica,
        .gpus_per_node = here->unit->machine.gpus,
        .hosts_per_node = hosts_of(&here->unit->machine),
        .tp = layout.tp,
        .pp = layout.pp,
        .dp = layout.dp,
        .ep = layout.ep,
        .demand_fraction = here->share_fraction > 0 ? here->share_fraction : 1,
        .requests_per_s = gp_build_positive(here->requests_per_s),
        .it_power_w = gp_build_power(here->unit, here->it_mean_w),
        .link_s = link_s(build, plan, here),
    };
}

/* Of several sites those that it runs at, of one its kinds of machines where there are several. */
static void fill_shares(gp_build *build, const gp_workload_plan *plan,
                        const gp_candidate *candidate, gp_report_candidate *ret) {
    const size_t shares = (size_t)candidate->share_count;
    const size_t count = shares > 0 ? shares : 1;
    if (shares == 0 && (build->result->sites.count == 0 || candidate->unit->site == GP_NO_SITE))
        return;
    GP_ROOM(build->arena, &ret->shares, count);
    for (size_t i = 0; i < count; i++)
        GP_NEXT(ret->shares) =
            share_of(build, plan, shares > 0 ? &candidate->shares[i] : candidate);
}

static void fill_hardware(const gp_workload_plan *plan, const gp_candidate *candidate,
                          gp_report_candidate *ret) {
    const gp_unit *unit = candidate->unit;
    const gp_memory *memory = &candidate->memory;
    ret->gpu = gp_build_gpu_id(unit);
    ret->replicas = candidate->replicas;
    ret->spare_replicas = candidate->spare_replicas;
    ret->gpus_per_node = unit->machine.gpus;
    ret->hosts_per_node = hosts_of(&unit->machine);
    ret->gpus_per_domain = unit->machine.domain;
    ret->memory_bytes_per_s = gp_build_positive(unit->machine.hbm_bytes_per_s);
    const bool items = plan->is_seats || (plan->is_serving && plan->serve.item.passes > 0);
    ret->tokens_per_s = gp_build_band(items ? (gp_band){0} : candidate->tokens_per_s);
    ret->memory_bytes = gp_build_positive(memory->total_bytes);
    ret->memory_capacity_bytes = gp_build_positive(memory->capacity_bytes);
    ret->it_power_w = gp_build_power(candidate->unit, candidate->it_mean_w);
}

/* Where nothing could even be tried, there are no machines to try. */
static void fill_lack(gp_build *build, const gp_candidate *candidate, const char *none,
                      gp_report_candidate *ret) {
    const gp_lack *lack = &candidate->lack;
    bool nothing = !candidate->present && !(lack->need > 0) && lack->why == NULL;
    gp_report_lack *out = GP_NEW(build->arena, gp_report_lack);
    *out = (gp_report_lack){
        .bound = gp_bound_name(nothing ? GP_BOUND_SUPPLY : lack->bound),
        .have = lack->have,
        .need = lack->need,
        .unit = gp_dim_base_unit(lack->dim),
        .reason = nothing ? none : gp_build_lack_words(build, candidate),
        .dim = lack->dim,
    };
    ret->lack = out;
}

static void fill_answer(gp_build *build, const gp_workload_plan *plan,
                        const gp_candidate *candidate, gp_report_candidate *ret) {
    const gp_unit *unit = candidate->unit;
    ret->where = unit->cloud != NULL ? unit->id : "owned";
    ret->system = gp_build_system_id(unit);
    ret->product = gp_build_product(unit);
    ret->gpus = candidate->gpus;
    ret->nodes = candidate->nodes;
    ret->added_nodes = unit->cloud != NULL ? 0 : candidate->nodes - candidate->owned_nodes;
    ret->layout = gp_build_layout_words(build, plan, candidate);
    ret->facility_power_w = gp_build_power(unit, candidate->facility_mean_w);
    ret->time_to_complete_s = gp_build_band(candidate->time_to_complete_s);
    if (plan->is_serving) {
        ret->ttft_p95_s = gp_build_band(candidate->ttft_p95_s);
        ret->tpot_p95_s = gp_build_band(candidate->tpot_p95_s);
        ret->requests_per_s = gp_build_positive(candidate->requests_per_s);
    }
    fill_cost(build, candidate, ret);
    fill_shares(build, plan, candidate, ret);
}

void gp_build_brief(gp_build *build, const gp_workload_plan *plan, const gp_candidate *candidate,
                    const char *none, gp_report_candidate *ret) {
    gp_report_clear(&gp_report_candidate_type, ret);
    ret->feasible = candidate->present && candidate->feasible;
    if (candidate->present && candidate->unit != NULL)
        fill_answer(build, plan, candidate, ret);
    if (!ret->feasible)
        fill_lack(build, candidate, none, ret);
}

void gp_build_candidate(gp_build *build, const gp_workload_plan *plan,
                        const gp_candidate *candidate, const char *none, gp_report_candidate *ret) {
    gp_build_brief(build, plan, candidate, none, ret);
    if (!candidate->present || candidate->unit == NULL)
        return;
    fill_hardware(plan, candidate, ret);
    if (plan->is_serving)
        fill_serving(build, candidate, ret);
    else
        fill_training(build, plan, candidate, ret);
}
