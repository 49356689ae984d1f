/*
 * Seats: people who hold a GPU, several, or a part of one while they work. A replica is what
 * several of them share: one GPU cut into parts of the smallest size that is enough, or the GPUs
 * of one seat. Its rate is the number of seats, so that growth, hours, sites and limits go by it
 * as they do by requests.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

/* Parts of one size on one GPU, where the driver can make them. */
static int64_t parts_on_gpu(const gp_gpu_partition *partition, size_t profile) {
    int64_t counts[GP_PART_PROFILES_MAX] = {0};
    do {
        counts[profile]++;
    } while (counts[profile] <= partition->compute && gp_parts_gpus(partition, counts) == 1);
    return counts[profile] - 1;
}

static bool is_enough(const gp_seats *seats, const gp_machine *machine,
                      const gp_gpu_partition *partition, const gp_gpu_profile *profile) {
    const gp_machine part = gp_machine_part(machine, partition, profile);
    return part.hbm_bytes >= seats->memory_bytes &&
           profile->flops_fraction >= seats->compute_fraction;
}

void gp_seats_search(const gp_case *c, size_t unit, gp_serve_capability *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const gp_seats *seats = &c->workload->seats;
    const gp_gpu_partition *partition = u->partition;
    const double whole_bytes = u->machine.hbm_bytes;
    gp_serve_layout best = {.tp = gp_num_max_i64(1, seats->gpus), .pp = 1, .ep = 1, .seats = 1};
    for (size_t p = 0; seats->gpus == 0 && partition != NULL && p < gp_part_profiles(partition);
         p++) {
        const int64_t count = parts_on_gpu(partition, p);
        if (count > best.seats &&
            is_enough(seats, &u->machine, partition, &partition->profiles.items[p])) {
            best.seats = count;
            best.part = (int64_t)p + 1;
        }
    }
    *ret = (gp_serve_capability){
        .layout = best,
        .gpus = best.tp,
        .nodes = 1,
        .fits = seats->memory_bytes <= whole_bytes && best.tp <= u->machine.gpus,
        .bound = best.part > 0 ? GP_BOUND_MEMORY : GP_BOUND_COMPUTE,
        .idle = {.stable = true, .max_requests_per_s = (double)best.seats},
    };
    if (seats->memory_bytes > whole_bytes)
        ret->memory.memory = (gp_memory){.total_bytes = seats->memory_bytes,
                                         .short_bytes = seats->memory_bytes - whole_bytes};
    for (int i = 0; i < GP_PLAN_JUDGED_COUNT && ret->fits; i++)
        for (int k = 0; k < GP_CARRIED_COUNT; k++)
            ret->carried[i].requests_per_s[k] = (double)best.seats;
}

double gp_seats_w(const gp_case *c, const gp_candidate *candidate, double open) {
    const gp_constants *k = c->plan->constants;
    const gp_machine *machine = &candidate->unit->machine;
    const double seats = (double)gp_num_max_i64(1, candidate->serve_layout.seats);
    const double busy = c->workload->seats.busy_fraction * gp_num_min(1, open / seats);
    gp_node_power work, idle;
    gp_node_power_of(machine, GP_LOAD_TRAINING, 0, k, NULL, &work);
    gp_node_power_of(machine, GP_LOAD_IDLE, 0, k, NULL, &idle);
    return idle.gpu_w + busy * (work.gpu_w - idle.gpu_w);
}

bool gp_seats_counted(const gp_workload *w) {
    return w->type == GP_WORKLOAD_SEATS &&
           GP_ORIGIN_OF(&w->seats, gp_seats, at_once)->kind == GP_ORIGIN_DERIVED;
}

void gp_seats_trace(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    const gp_seats *seats = &c->workload->seats;
    const gp_gpu_partition *partition = candidate->unit->partition;
    const gp_serve_layout *layout = &candidate->serve_layout;
    const bool counted = gp_seats_counted(c->workload);
    GP_TRACE(trace, GP_TERM_SEATS_OPEN, c->demand.requests_per_s,
             GP_REF_IF(!counted, seats, gp_seats, at_once),
             GP_REF_IF(counted, seats, gp_seats, people),
             GP_REF_IF(counted, seats, gp_seats, present_fraction),
             GP_REF_IF(counted, seats, gp_seats, found_fraction));
    if (layout->part == 0) {
        GP_TRACE(trace, GP_TERM_SEATS_PER_GPU, (double)layout->seats / (double)layout->tp,
                 GP_REF_IF(seats->gpus > 0, seats, gp_seats, gpus),
                 GP_REF_IF(seats->gpus == 0, seats, gp_seats, memory_bytes));
        return;
    }
    const gp_gpu_profile *profile = &partition->profiles.items[layout->part - 1];
    GP_TRACE(trace, GP_TERM_SEATS_PER_GPU, (double)layout->seats,
             GP_REF(seats, gp_seats, memory_bytes), GP_REF(seats, gp_seats, compute_fraction),
             GP_REF(profile, gp_gpu_profile, name), GP_REF(profile, gp_gpu_profile, slices),
             GP_REF_IF(profile->memory_bytes > 0, profile, gp_gpu_profile, memory_bytes));
}

/* The fewest people who have more than so many seats open. */
static int64_t people_beyond(const gp_seats *s, int64_t seats) {
    int64_t least = 1;
    int64_t most = seats + 1;
    while (gp_num_binomial_quantile(most, s->present_fraction, s->found_fraction) <= seats)
        most *= 2;
    while (least < most) {
        const int64_t middle = least + (most - least) / 2;
        if (gp_num_binomial_quantile(middle, s->present_fraction, s->found_fraction) > seats)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

/* Whole seats, or the people who need them, from which on the verdict is another. */
void gp_seats_flip(const gp_workload *w, gp_flip *flip) {
    const bool up = flip->at > flip->today;
    flip->at = up ? ceil(flip->at) : floor(flip->at);
    if (!gp_seats_counted(w))
        return;
    const int64_t seats = (int64_t)flip->at;
    flip->at =
        (double)(up ? people_beyond(&w->seats, seats - 1) : people_beyond(&w->seats, seats) - 1);
    flip->today = (double)w->seats.people;
}
