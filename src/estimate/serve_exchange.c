/*
 * Tokens to their experts and back: how many copies of a token cross which path, and how fast
 * (docs/formulas.md, "Exchange of tokens").
 */
#include "base/num.h"
#include "estimate/serve.h"

/* Different places among `places` that top_k draws hit. */
static double places_hit(double top_k, double places) {
    return places * (1 - gp_num_pow(1 - 1 / places, gp_num_max(top_k, 1)));
}

/* Over links a token goes to no rank twice. Across machines, of few tokens every expert is sent its
 * own; of many, each machine gets one and hands it on. */
gp_exchange_copies gp_exchange_copies_of(const gp_exchange_group *group) {
    double machines = group->machines;
    bool far = machines > 1;
    double others = 1 - 1 / machines;
    double ranks = places_hit(group->top_k, group->parts) * group->slices / group->tp;
    return (gp_exchange_copies){
        .few_link = ranks / machines,
        .many_link = ranks,
        .few_net = far ? group->top_k * group->slices * others / group->tp : 0,
        .many_net = far ? places_hit(group->top_k, machines) * others / group->tp : 0,
    };
}

gp_exchange_rates gp_exchange_rates_of(const gp_machine *machine, const gp_network *network,
                                       const gp_constants *constants, int64_t machines) {
    double link = machine->link_bytes_per_s * constants->serving_exchange_link_fraction;
    return (gp_exchange_rates){
        .link_bytes_per_s = link > 0 ? link : constants->network_staged_bytes_per_s,
        .net_bytes_per_s = machines > 1 ? gp_network_bytes_per_s(network, machines) *
                                              constants->serving_exchange_network_fraction
                                        : 1,
    };
}

double gp_exchange_bytes_s(const gp_exchange_rates *rates, const gp_exchange_copies *copies,
                           double bytes, bool many) {
    double link = many ? copies->many_link : copies->few_link;
    double net = many ? copies->many_net : copies->few_net;
    return gp_num_max(bytes * link / rates->link_bytes_per_s, bytes * net / rates->net_bytes_per_s);
}
