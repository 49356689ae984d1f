/*
 * Replicas of a layout: what each carries, how many a demand takes with those that are held for
 * availability, and what one does under a load.
 */
#include "plan/context.h"

#include "base/num.h"

enum { SPARES_FOR = 100000 }; /* machines that a service needs at most */

int64_t gp_replica_nodes(const gp_machine *machine, const gp_serve_capability *found,
                         int64_t replicas) {
    if (found->gpus >= machine->gpus)
        return replicas * found->nodes;
    const int64_t per_node = machine->gpus / found->gpus;
    return (replicas + per_node - 1) / per_node;
}

/* What replicas are planned for: the demand with what is kept free. */
double gp_size_asked(const gp_case *c) {
    return c->demand.requests_per_s * (1 + c->gpu_headroom_fraction);
}

int gp_size_judged(const gp_case *c) {
    return c->confidence == GP_CONFIDENCE_EXPECTED ? 0 : 1;
}

static const gp_carried *judged_rates(const gp_case *c, const gp_serve_capability *found) {
    return &found->carried[gp_size_judged(c)];
}

double gp_size_carried(const gp_case *c, const gp_serve_capability *found, int64_t count) {
    return (1 - found->simulated_loss) * gp_carried_each(judged_rates(c, found), count);
}

int64_t gp_replicas_for(const gp_case *c, const gp_serve_capability *found, double requests_per_s) {
    return c->out->has_goal ? gp_carried_count(judged_rates(c, found), 1 - found->simulated_loss,
                                               requests_per_s * (1 + c->gpu_headroom_fraction))
                            : 1;
}

double gp_replica_windows(const gp_case *c) {
    const gp_maintenance *m = &c->plan->spec->cluster.maintenance;
    return m->every_s > 0 && c->plan->site_count == 0 ? 1 - m->duration_s / m->every_s : 1;
}

bool gp_replica_windows_forbid(const gp_case *c) {
    return gp_replica_windows(c) < 1 && c->workload->goal.slo.availability >= gp_replica_windows(c);
}

/* Of replicas `each` stand on a machine and the rest on the last: that enough of them are up,
 * whether or not that one is. */
static double enough_up(int64_t needed, int64_t replicas, int64_t each, const gp_constants *k) {
    const int64_t full = replicas / each;
    const int64_t rest = replicas % each;
    const int64_t spare = replicas - needed;
    const double all = spare >= 0 ? gp_nodes_down_at_most(full, spare / each, k) : 0;
    if (rest == 0)
        return all;
    const double up = gp_nodes_down_at_most(1, 0, k);
    const double without =
        spare >= rest ? gp_nodes_down_at_most(full, (spare - rest) / each, k) : 0;
    return up * all + (1 - up) * without;
}

double gp_replica_available(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t replicas,
                            int64_t each) {
    const gp_constants *k = c->plan->constants;
    const double open = gp_replica_windows(c);
    if (found->gpus >= machine->gpus)
        return open * gp_replica_availability(needed, replicas, found->nodes, k);
    return open * enough_up(needed, replicas, each, k);
}

double gp_size_availability(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t spare) {
    const int64_t each = gp_num_max_i64(1, machine->gpus / found->gpus);
    return gp_replica_available(c, machine, found, needed, needed + spare, each);
}

int64_t gp_replica_spares(const gp_case *c, const gp_machine *machine,
                          const gp_serve_capability *found, int64_t needed, int64_t each) {
    const double open = gp_replica_windows(c);
    const double stated = c->workload->goal.slo.availability;
    const double availability = stated < open ? stated / open : 0;
    const gp_constants *k = c->plan->constants;
    const int64_t asked = c->workload->scaling.spare_replicas;
    /* More than there are to have, whatever is spare beside them. */
    if (gp_replica_nodes(machine, found, needed) > SPARES_FOR)
        return asked;
    if (found->gpus >= machine->gpus)
        return gp_num_max_i64(asked, gp_spare_replicas(needed, found->nodes, availability, k));
    const int64_t most = gp_spare_replicas((needed + each - 1) / each, 1, availability, k) * each;
    int64_t spare = asked;
    while (spare < most && enough_up(needed, needed + spare, each, k) < availability)
        spare++;
    return spare;
}

int64_t gp_size_spares(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t needed, int64_t *ret_nodes) {
    const int64_t each = gp_num_max_i64(1, machine->gpus / found->gpus);
    const int64_t spare = gp_replica_spares(c, machine, found, needed, each);
    *ret_nodes = gp_replica_nodes(machine, found, needed + spare);
    return spare;
}

gp_serve_capability *gp_size_capability(const gp_case *c, const gp_candidate *candidate) {
    int64_t count = 0;
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    if (c->plan->options->hold != NULL)
        return gp_search_held(c, unit, &candidate->serve_layout);
    (void)gp_search_serve(c, unit, &count);
    gp_serve_capability *all = gp_capability_of(c, unit)->serve;
    for (int64_t i = 0; i < count; i++)
        if (gp_serve_layout_equal(&all[i].layout, &candidate->serve_layout))
            return &all[i];
    return NULL;
}

int64_t gp_candidate_replicas(const gp_case *c, const gp_candidate *candidate,
                              double requests_per_s) {
    const gp_serve_capability *found = gp_size_capability(c, candidate);
    if (found == NULL)
        return candidate->replicas;
    int64_t nodes = 0;
    const int64_t needed = gp_num_max_i64(gp_replicas_for(c, found, requests_per_s),
                                          c->workload->scaling.min_replicas);
    return needed + gp_size_spares(c, &candidate->unit->machine, found, needed, &nodes);
}

void gp_candidate_replica(const gp_case *c, const gp_candidate *candidate,
                          const gp_machine *machine, gp_serve_job *job, gp_serve_replica *ret) {
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    const bool whole = machine == &candidate->unit->machine;
    const gp_serve_capability *found = whole ? gp_size_capability(c, candidate) : NULL;
    if (found != NULL) {
        gp_capability_replica(c, unit, found, job, ret);
        return;
    }
    *job = gp_plan_serve_job(c, unit, machine);
    gp_serve_replica_of(job, machine, &c->plan->networks[unit], &candidate->serve_layout,
                        c->plan->constants, &candidate->serve_memory, ret);
}

gp_machine gp_candidate_machine(const gp_candidate *candidate) {
    const gp_unit *unit = candidate->unit;
    return candidate->part.in_use
               ? gp_machine_part(&unit->machine, unit->partition, candidate->part.profile)
               : unit->machine;
}

void gp_candidate_load(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_trace *trace, gp_serve_point *ret) {
    const gp_machine part = gp_candidate_machine(candidate);
    gp_serve_job job;
    gp_serve_replica replica;
    gp_candidate_replica(c, candidate, candidate->part.in_use ? &part : &candidate->unit->machine,
                         &job, &replica);
    replica.among = (double)gp_num_max_i64(candidate->replicas - candidate->spare_replicas, 1);
    gp_serve_replica_load(&replica, requests_per_s, trace, ret);
}

int64_t gp_replica_densest(const gp_machine *machine, const gp_serve_capability *found) {
    return found->gpus >= machine->gpus ? 1 : machine->gpus / found->gpus;
}
