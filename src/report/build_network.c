/*
 * What the network costs a workload: its share of the step, the level that binds, the same layout
 * at other rates, and the nccl-tests run that would show whether the network delivers.
 */
#include "report/build.h"

#include <string.h>

/* Large enough that latency plays no part in the figure, small enough for every GPU. */
static const double test_bytes = 1073741824.0; /* 1 GiB */

const gp_fabric *gp_build_compute_fabric(const gp_plan_result *result, const gp_unit *unit) {
    const bool placed = unit != NULL && unit->site != GP_NO_SITE && result->sites.count > 0;
    const gp_cluster *cluster = placed ? &result->sites.items[unit->site].document.spec.cluster
                                       : &result->document->spec.cluster;
    for (size_t i = 0; i < cluster->fabrics.count; i++)
        if (cluster->fabrics.items[i].name != NULL &&
            strcmp(cluster->fabrics.items[i].name, "compute") == 0)
            return &cluster->fabrics.items[i];
    return cluster->fabrics.count > 0 ? &cluster->fabrics.items[0] : NULL;
}

/* The slowest level that traffic between `nodes` machines crosses; the lowest among equals. */
static const char *slowest_level(const gp_network *network, int64_t nodes) {
    static const char *const names[] = {"leaf", "spine", "core"};
    int crossed = 1;
    int slowest = 0;
    if (network->unit_nodes > 0 && nodes > network->unit_nodes)
        crossed = network->pod_nodes > 0 && nodes > network->pod_nodes ? 3 : 2;
    for (int i = 1; i < crossed; i++)
        if (network->bytes_per_s[i] < network->bytes_per_s[slowest])
            slowest = i;
    return names[slowest];
}

static const char *bottleneck(const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_train_time *time = &chosen->time;
    bool spans = gp_build_spans_machines(plan, chosen);
    if (plan->is_serving) {
        if (gp_build_gpus_each(plan, chosen) < 2)
            return "none";
        return spans ? slowest_level(&plan->network, chosen->nodes) : "scaleUp";
    }
    if (!(time->communication_s > 0))
        return "none";
    if (!spans || time->tp_s > time->communication_s - time->tp_s)
        return "scaleUp";
    return slowest_level(&plan->network, chosen->nodes);
}

static void fill_rates(gp_build *build, const gp_workload_plan *plan, gp_report_network *ret) {
    if (!plan->has_rates)
        return;
    GP_ROOM(build->arena, &ret->rates, GP_RATE_ROWS);
    for (int i = 0; i < GP_RATE_ROWS; i++) {
        const gp_rate_row *row = &plan->rates[i];
        GP_NEXT(ret->rates) =
            (gp_report_rate){row->bits_per_s, row->step_s, row->communication_fraction};
    }
}

/* Bus bandwidth as nccl-tests defines it for an all-reduce: 2 (n - 1) / n times size over time. */
static void fill_test(gp_build *build, const gp_workload_plan *plan, gp_report_network *ret) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_machine *machine = &chosen->unit->machine;
    int64_t ranks = chosen->nodes * machine->gpus;
    double time_s =
        gp_collective_time_s(machine, &plan->network, build->result->constants,
                             GP_COLLECTIVE_ALL_REDUCE, test_bytes, ranks, chosen->nodes);
    gp_report_network_test *test = GP_NEW(build->arena, gp_report_network_test);
    if (!(time_s > 0) || !isfinite(time_s))
        return;
    test->size_bytes = test_bytes;
    test->bus_bandwidth_bytes_per_s = 2 * (double)(ranks - 1) / (double)ranks * test_bytes / time_s;
    test->command = gp_build_text(build, "mpirun -np %lld -N %lld all_reduce_perf -b 1G -e 1G -g 1",
                                  (long long)ranks, (long long)machine->gpus);
    ret->test = test;
}

void gp_build_network(gp_build *build, const gp_workload_plan *plan, gp_report_network *ret) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_fabric *fabric = gp_build_compute_fabric(build->result, chosen->unit);
    if (!chosen->present || chosen->unit == NULL)
        return;
    double network_bits = plan->network.bytes_per_s[0] * 8;
    ret->multi_node = gp_build_spans_machines(plan, chosen);
    ret->rate_bits_per_s = gp_build_positive(
        network_bits > 0 ? network_bits : chosen->unit->machine.nic_bytes_per_s * 8);
    if (fabric != NULL)
        ret->oversubscription = gp_build_positive(fabric->oversubscription);
    ret->bottleneck = bottleneck(plan);
    if (!plan->is_serving && chosen->time.step_s > 0) {
        ret->communication_time_s = chosen->time.communication_s;
        ret->communication_fraction = chosen->time.communication_s / chosen->time.step_s;
    }
    fill_rates(build, plan, ret);
    if (!ret->multi_node)
        return;
    fill_test(build, plan, ret);
}
