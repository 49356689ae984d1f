/* Time of collectives: a three-term curve inside a scale-up domain, and across machines the larger
 * of the part inside each machine and the part on the network, which runs rail by rail. */
#include <math.h>

#include "base/num.h"
#include "estimate/estimate.h"

/* Traffic factor of nccl-tests: payload that crosses a link per rank, over the full tensor. */
static double traffic_factor(gp_collective collective, double ranks) {
    double once = (ranks - 1) / ranks;
    return collective == GP_COLLECTIVE_ALL_REDUCE ? 2 * once : once;
}

static int curve_index(int64_t ranks) {
    int index = 0;
    for (int64_t n = 2; n < ranks && index < GP_FIT_RANKS - 1; n *= 2)
        index++;
    return index;
}

/* Source of the form: nccl-tests fits, docs/formulas.md. */
static double scale_up_time_s(const gp_machine *machine, const gp_constants *constants,
                              gp_collective collective, double bytes, int64_t ranks) {
    if (ranks <= 1)
        return 0;
    gp_curve curve = machine->scale_up[collective][curve_index(ranks)];
    if (curve.bus_bytes_per_s <= 0) {
        curve.latency_s = constants->network_scale_up_latency_s;
        curve.bus_bytes_per_s = machine->link_bytes_per_s * constants->network_scale_up_fraction;
        curve.sqrt_s = 0;
    }
    /* Beyond the domain, inside the machine: over the host, unless that is what was measured. */
    if (ranks > machine->domain && !curve.fitted) {
        double host = machine->staged ? constants->network_staged_bytes_per_s
                                      : constants->network_host_bytes_per_s;
        curve.bus_bytes_per_s = gp_num_min(curve.bus_bytes_per_s, host);
    }
    /* Without a switch a GPU reaches its peers over links of their own. */
    if (machine->mesh && machine->domain > ranks)
        curve.bus_bytes_per_s *= (double)(ranks - 1) / (double)(machine->domain - 1);
    /* What nobody stated a link of does not get there. */
    if (!(curve.bus_bytes_per_s > 0))
        return HUGE_VAL;
    double factor = traffic_factor(collective, (double)ranks);
    return curve.latency_s + factor * bytes / curve.bus_bytes_per_s + curve.sqrt_s * sqrt(bytes);
}

/* Bandwidth of the lowest level that spans all `nodes`. */
double gp_network_bytes_per_s(const gp_network *network, int64_t nodes) {
    if (network->unit_nodes <= 0 || nodes <= network->unit_nodes)
        return network->bytes_per_s[0];
    if (network->pod_nodes <= 0 || nodes <= network->pod_nodes)
        return network->bytes_per_s[1];
    return network->bytes_per_s[2];
}

static double scale_out_latency_s(const gp_network *network, const gp_constants *constants,
                                  int64_t nodes) {
    double hops = 0;
    for (int64_t n = 1; n < nodes; n *= 2)
        hops += 1;
    double base =
        network->latency_s > 0 ? network->latency_s : constants->network_scale_out_latency_s;
    return base + hops * constants->network_scale_out_hop_s;
}

/* Across machines every rank of a machine has a rail of its own and carries 1/g of the tensor,
 * except that all-to-all sends each rank's own payload to every other machine. */
static double scale_out_time_s(const gp_network *network, const gp_constants *constants,
                               gp_collective collective, double bytes, double per_node,
                               int64_t nodes) {
    double share = collective == GP_COLLECTIVE_ALL_TO_ALL ? 1 : 1 / per_node;
    double rate = gp_network_bytes_per_s(network, nodes) * constants->network_scale_out_fraction;
    if (rate <= 0)
        return HUGE_VAL;
    return traffic_factor(collective, (double)nodes) * bytes * share / rate +
           scale_out_latency_s(network, constants, nodes);
}

double gp_collective_time_s(const gp_machine *machine, const gp_network *network,
                            const gp_constants *constants, gp_collective collective, double bytes,
                            int64_t ranks, int64_t nodes) {
    if (ranks <= 1)
        return 0;
    if (nodes <= 1)
        return scale_up_time_s(machine, constants, collective, bytes, ranks);
    int64_t per_node = gp_num_max_i64(1, ranks / nodes);
    double inside = scale_up_time_s(machine, constants, collective, bytes, per_node);
    return gp_num_max(
        inside, scale_out_time_s(network, constants, collective, bytes, (double)per_node, nodes));
}

double gp_point_to_point_time_s(const gp_machine *machine, const gp_network *network,
                                const gp_constants *constants, double bytes, bool same_domain) {
    double rate = same_domain ? machine->link_bytes_per_s * constants->network_scale_up_fraction
                              : network->bytes_per_s[0] * constants->network_scale_out_fraction;
    return rate > 0 ? constants->network_send_latency_s + bytes / rate : HUGE_VAL;
}
