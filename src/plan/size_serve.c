/*
 * Inference on one kind of machine: replicas for the demand, with those that are held for
 * availability, and prefill and decode in pools of their own beside them.
 */
#include "plan/size.h"

#include <math.h>

#include "base/num.h"

static const double gain_least = 0.002; /* of power: what one replica more has to bring */

/* What is left beside the weights holds the usual requests at most. */
static gp_lack room_lack(const gp_case *c, const gp_serve_memory *memory) {
    return (gp_lack){.bound = GP_BOUND_MEMORY,
                     .have = memory->kv_pool_tokens,
                     .need = gp_plan_long_request(c->plan->constants, c->out),
                     .dim = GP_DIM_COUNT,
                     .why = "too few tokens in the KV cache for the longest requests"};
}

static double requests_of(const gp_case *c) {
    return c->demand.requests_per_s * c->demand.deadline_s;
}

double gp_size_places(const gp_case *c, const gp_serve_job *job, const gp_serve_memory *memory,
                      int64_t active) {
    const double all = requests_of(c) * job->branches / (double)active;
    return gp_num_max(1, gp_num_min(gp_serve_admitted(job, memory), all));
}

static void fill_offline(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         int64_t active, gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    const gp_serve_memory *memory = &found->memory;
    const gp_serve_job job = gp_plan_serve_job(c, unit, &u->machine);
    const double places = gp_size_places(c, &job, memory, active);
    gp_serve_closed_loop(&job, &u->machine, &c->plan->networks[unit], &found->layout,
                         c->plan->constants, memory, places / gp_num_max(1, job.branches), NULL,
                         &ret->point);
    const bool full = places >= gp_serve_admitted(&job, memory);
    const double filled = full ? 1 : ret->point.utilization;
    const double every_s = c->plan->spec->candidates.spot_interrupted_s;
    const double restart_s = c->plan->constants->run_restart_s;
    const double up = u->is_spot && every_s > 0 ? every_s / (every_s + restart_s) : 1;
    const double rate = up * ret->point.max_requests_per_s * filled * (double)active;
    ret->time_to_complete_s = gp_plan_band(requests_of(c) / rate, margin);
    ret->tokens_per_s = gp_plan_band(rate * gp_serve_counted_tokens(&job), margin);
    ret->utilization = ret->time_to_complete_s.high / c->demand.deadline_s;
}

/* A layout that misses the service level even with one request is told by that request. */
double gp_size_rate(const gp_case *c, double replica_per_s, int64_t active) {
    return replica_per_s > 0 ? c->demand.requests_per_s / (double)active : 0;
}

static void fill_point(const gp_case *c, size_t unit, const gp_serve_capability *found,
                       int64_t active, gp_candidate *ret) {
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    gp_serve_job job;
    gp_serve_replica replica;
    const double carried = gp_size_carried(c, found, active);
    gp_capability_replica(c, unit, found, &job, &replica);
    replica.among = (double)active;
    gp_serve_replica_load(&replica, gp_size_rate(c, carried, active), NULL, &ret->point);
    ret->ttft_p95_s = gp_plan_band(ret->point.ttft_p95_s, gp_plan_ttft_margin(c));
    const double counted = gp_serve_counted_tokens(&job) / (job.output_tokens * job.branches);
    if (!job.reads_only)
        ret->tpot_p95_s = gp_plan_band(ret->point.tpot_p95_s, margin);
    ret->tokens_per_s =
        gp_plan_band(ret->point.output_tokens_per_s * counted * (double)active, margin);
    const bool simulated = found->simulated_loss > 0 || found->simulated_loss < 0;
    ret->simulated_share = simulated && gp_size_asked(c) > 0 ? carried / gp_size_asked(c) : 0;
    ret->utilization = ret->requests_per_s > 0 ? c->demand.requests_per_s / ret->requests_per_s : 0;
}

/* How many replicas carry load and how many are spare; most on one machine, 0: as many as fit. */
typedef struct fleet {
    int64_t needed, spare, each;
} fleet;

/* Those that the load needs, at least on `min_nodes` machines. */
static fleet fleet_for(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t min_nodes, int64_t each) {
    fleet f = {.needed = gp_replicas_for(c, found, c->demand.requests_per_s), .each = each};
    f.needed = gp_num_max_i64(f.needed, c->workload->scaling.min_replicas);
    f.needed = gp_num_max_i64(f.needed, c->replicas_tried);
    while (gp_replica_nodes(machine, found, f.needed) < min_nodes)
        f.needed += gp_num_max_i64(1, machine->gpus / found->gpus);
    f.spare = gp_replica_spares(c, machine, found, f.needed, gp_num_max_i64(1, each));
    return f;
}

/* Exactly those declared: as few of them spare as the availability asks for; none where they are
 * too few for it, which the goal then shows. */
static fleet fleet_declared(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t declared, int64_t each) {
    for (int64_t spare = 0; spare < declared; spare++)
        if (gp_replica_spares(c, machine, found, declared - spare, gp_num_max_i64(1, each)) <=
            spare)
            return (fleet){.needed = declared - spare, .spare = spare, .each = each};
    return (fleet){.needed = declared, .each = each};
}

static fleet fleet_of(const gp_case *c, size_t unit, const gp_serve_capability *found,
                      int64_t min_nodes, int64_t each) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const int64_t owned_nodes = c->plan->units[unit].owned_nodes;
    const int64_t declared = c->workload->replicas;
    const fleet needed = fleet_for(c, machine, found, min_nodes, each);
    /* What runs today in a declared layout stays where it is enough and has its machines. */
    const bool stays = c->pinned && declared >= needed.needed + needed.spare &&
                       gp_replica_nodes(machine, found, declared) <= owned_nodes;
    return declared > 0 && (c->counted || stays) ? fleet_declared(c, machine, found, declared, each)
                                                 : needed;
}

/* Whole machines to itself, or replicas that share them with others. */
static gp_group group_of(const gp_case *c, const gp_machine *machine,
                         const gp_serve_capability *found, const fleet *f, int64_t nodes) {
    if (c->exclusive && found->nodes == 1)
        return (gp_group){.gpus = machine->gpus, .nodes = 1, .count = nodes};
    return (gp_group){.gpus = found->gpus,
                      .nodes = found->nodes,
                      .count = f->needed + f->spare,
                      .most_per_node = f->spare > 0 ? f->each : 0};
}

static int64_t nodes_of_fleet(const gp_machine *machine, const gp_serve_capability *found,
                              const fleet *f) {
    const int64_t replicas = f->needed + f->spare;
    const int64_t nodes = gp_replica_nodes(machine, found, replicas);
    return found->gpus < machine->gpus && f->spare > 0 && f->each > 0
               ? gp_num_max_i64(nodes, (replicas + f->each - 1) / f->each)
               : nodes;
}

static void fill_serving(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         int64_t min_nodes, int64_t each, gp_candidate *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const fleet f = fleet_of(c, unit, found, min_nodes, each);
    const int64_t nodes = nodes_of_fleet(machine, found, &f);
    const int64_t replicas = f.needed + f.spare;
    *ret = (gp_candidate){
        .present = true,
        .unit = &c->plan->units[unit],
        .nodes = nodes,
        .gpus = c->exclusive ? nodes * machine->gpus : replicas * found->gpus,
        .replicas = replicas,
        .spare_replicas = f.spare,
        .group_count = 1,
        .groups = {group_of(c, machine, found, &f, nodes)},
        .serve_layout = found->layout,
        .memory = found->memory.memory,
        .serve_memory = found->memory,
        .error_fraction = found->error_fraction,
        .availability_fraction =
            gp_replica_available(c, machine, found, f.needed, replicas, gp_num_max_i64(1, each)),
    };
    if (!found->fits || !c->out->has_goal)
        return;
    ret->requests_per_s = gp_size_carried(c, found, f.needed) * (double)f.needed;
    ret->requests_per_s_expected = gp_carried_each(&found->carried[0], f.needed) * (double)f.needed;
    ret->utilization = ret->requests_per_s > 0 ? c->demand.requests_per_s / ret->requests_per_s : 0;
}

void gp_serve_describe(const gp_case *c, size_t unit, const gp_serve_capability *found,
                       gp_candidate *ret) {
    const int64_t active = ret->replicas - ret->spare_replicas;
    ret->described = true;
    if (found->fits && c->out->has_goal && c->offline)
        fill_offline(c, unit, found, active, ret);
    else if (found->fits && c->out->has_goal)
        fill_point(c, unit, found, active, ret);
}

/* The latency that misses its goal by most, with a single request on the replica. */
static gp_lack latency_lack(const gp_case *c, const gp_serve_capability *found) {
    return gp_slo_worst(&c->workload->goal.slo, &found->idle,
                        gp_plan_margin(c, found->error_fraction, c->confidence),
                        gp_plan_ttft_margin(c));
}

/* What a declared number of replicas leaves open: load, or availability. */
static gp_lack declared_lack(const gp_case *c, const gp_serve_capability *found,
                             const gp_candidate *candidate) {
    const double availability = c->workload->goal.slo.availability;
    const int64_t declared = c->counted ? c->workload->replicas : 0;
    if (declared <= 0)
        return (gp_lack){.bound = GP_BOUND_NONE};
    const int64_t active = candidate->replicas - candidate->spare_replicas;
    const int64_t needed = gp_replicas_for(c, found, c->demand.requests_per_s);
    if (needed > active)
        return gp_lack_of_count(declared, needed + candidate->spare_replicas,
                                "too few for the load", "replicas");
    if (availability > 0 && candidate->availability_fraction < availability)
        return gp_lack_of_supply(candidate->availability_fraction, availability, GP_DIM_FRACTION,
                                 "no spare machine");
    return (gp_lack){.bound = GP_BOUND_NONE};
}

static gp_lack serving_lack(const gp_case *c, const gp_serve_capability *found,
                            const gp_candidate *candidate, const gp_sizing *b) {
    const gp_scaling *scaling = &c->workload->scaling;
    const char *spot = gp_lack_spot(c, (size_t)(candidate->unit - c->plan->units));
    if (spot != NULL)
        return gp_lack_of_supply(0, 0, GP_DIM_COUNT, spot);
    /* No layout helps against that. */
    if (gp_replica_windows_forbid(c))
        return gp_lack_of_supply(gp_replica_windows(c), c->workload->goal.slo.availability,
                                 GP_DIM_FRACTION, gp_lack_windows);
    if (!found->fits && !c->out->is_seats && found->memory.memory.fit != GP_FIT_NOT)
        return room_lack(c, &found->memory);
    if (!found->fits)
        return gp_lack_of_memory(&found->memory.memory);
    if (c->out->has_goal && gp_size_carried(c, found, 1) <= 0)
        return latency_lack(c, found);
    const gp_lack few = declared_lack(c, found, candidate);
    if (few.bound != GP_BOUND_NONE)
        return few;
    const gp_lack many = gp_lack_of_machines(candidate, b);
    if (many.bound != GP_BOUND_NONE)
        return many;
    if (scaling->max_replicas > 0 && candidate->replicas > scaling->max_replicas)
        return gp_lack_of_count(scaling->max_replicas, candidate->replicas, "over maxReplicas",
                                "scaling.maxReplicas");
    if (c->workload->placement.survives != NULL)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .dim = GP_DIM_COUNT,
                         .why = "at a single site the service does not survive the loss of that "
                                "site, and no other takes its share",
                         .path = "placement.survives",
                         .is_own = true};
    return (gp_lack){.bound = GP_BOUND_NONE};
}

/* How a fleet is judged beside others of its layout: those that are short of nothing first, for the
 * load or for availability, then fewer machines, replicas and, among as many, spares. */
typedef struct spread {
    int64_t short_of, nodes, replicas, spare;
} spread;

static bool betters(const spread *a, const spread *b) {
    if (a->short_of != b->short_of)
        return a->short_of < b->short_of;
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes;
    return a->replicas != b->replicas ? a->replicas < b->replicas : a->spare < b->spare;
}

/* Replicas on each machine that is held for availability: fewer of them take fewer spares, as long
 * as they take no more machines. Without that goal they lie where there is room. */
static int64_t best_spread(const gp_case *c, size_t unit, const gp_serve_capability *found,
                           int64_t min_nodes) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const int64_t most = gp_replica_densest(machine, found);
    const int64_t load = gp_replicas_for(c, found, c->demand.requests_per_s);
    int64_t best_each = most;
    spread best = {0};
    if (!(c->workload->goal.slo.availability > 0) || found->gpus >= machine->gpus || !found->fits)
        return most;
    for (int64_t each = most; each > 0; each--) {
        const fleet f = fleet_of(c, unit, found, min_nodes, each);
        const int64_t spares = gp_replica_spares(c, machine, found, f.needed, each);
        const spread now = {.short_of = gp_num_max_i64(0, load - f.needed) +
                                        gp_num_max_i64(0, spares - f.spare),
                            .nodes = nodes_of_fleet(machine, found, &f),
                            .replicas = f.needed + f.spare,
                            .spare = f.spare};
        if (best.nodes > 0 && !betters(&now, &best))
            continue;
        best = now;
        best_each = each;
    }
    return best_each;
}

/* Where the engine launches none of the layouts asked for: the first of them, and why. */
static void tell_refusal(const gp_case *c, size_t unit, const gp_sizing *b) {
    if (gp_capability_of(c, unit)->refusal_count == 0)
        return; /* nothing could be tried: memory is short */
    const gp_serve_refusal *refusal = &gp_capability_of(c, unit)->refusals[0];
    const int64_t gpus = gp_serve_layout_gpus(&refusal->layout);
    const int64_t each = c->plan->units[unit].machine.gpus;
    const gp_candidate candidate = {
        .present = true,
        .unit = &c->plan->units[unit],
        .nodes = (gpus + each - 1) / each,
        .gpus = gpus,
        .replicas = 1,
        .serve_layout = refusal->layout,
        .lack = {.bound = GP_BOUND_SUPPLY,
                 .have = (double)gpus,
                 .dim = GP_DIM_COUNT,
                 .why = gp_serve_refusal_words(c, refusal),
                 .refused = true},
    };
    (void)b->sink(b->to, &candidate);
}

/* What it comes to, and what the sink says of it. */
static gp_candidate consider_layout(const gp_case *c, size_t unit, const gp_serve_capability *found,
                                    const gp_sizing *b, double *ret_w) {
    gp_candidate candidate;
    fill_serving(c, unit, found, b->in.min_nodes, best_spread(c, unit, found, b->in.min_nodes),
                 &candidate);
    candidate.lack = serving_lack(c, found, &candidate, b);
    candidate.feasible = candidate.lack.bound == GP_BOUND_NONE;
    if (c->offline && !b->counted)
        gp_serve_describe(c, unit, found, &candidate);
    if (!b->counted)
        gp_part_of(c, &candidate);
    *ret_w = b->sink(b->to, &candidate);
    return candidate;
}

/* With so many at the load. */
static double consider_replicas(const gp_case *c, size_t unit, const gp_serve_capability *found,
                                int64_t replicas, const gp_sizing *b) {
    gp_case full = *c;
    full.replicas_tried = replicas;
    double watts = 0;
    (void)consider_layout(&full, unit, found, b, &watts);
    return watts;
}

/* The power of what is chosen counts. */
static bool power_counts(const gp_case *c) {
    const gp_objective objective = c->plan->objective;
    return objective == GP_OBJECTIVE_MIN_COST || objective == GP_OBJECTIVE_MIN_POWER ||
           objective == GP_OBJECTIVE_MIN_CARBON;
}

/* More replicas than the load needs may draw less: one more as long as each does. A batch ends
 * sooner on all that its machines have room for. */
static void add_replicas(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         const gp_candidate *least, double watts, const gp_sizing *b) {
    const int64_t active = least->replicas - least->spare_replicas;
    const int64_t room = least->nodes * gp_replica_densest(&c->plan->units[unit].machine, found) -
                         least->spare_replicas;
    if (!least->feasible || b->counted || c->counted || !c->out->has_goal ||
        (!c->offline && !power_counts(c)))
        return;
    for (int64_t n = active + 1; !c->offline || n <= room; n++) {
        const double most = watts * (1 - gain_least);
        watts = consider_replicas(c, unit, found, n, b);
        if (!c->offline && watts > most)
            return;
    }
}

/* Where the shortest time is wanted, a batch takes as many replicas as there are to have: what
 * others leave of a machine, every one of the first few counts of machines and eight an octave
 * beyond. */
static void spread_batch(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         const gp_sizing *b) {
    const int64_t each = gp_replica_densest(&c->plan->units[unit].machine, found);
    const int64_t nodes =
        gp_num_min_i64(b->in.max_nodes, c->plan->spec->candidates.limits.max_nodes);
    const int64_t most =
        gp_num_min_i64(nodes / found->nodes, b->in.max_gpus / (found->gpus * each));
    for (int64_t count = 1; count < each && most > 0; count++)
        (void)consider_replicas(c, unit, found, count, b);
    for (int64_t count = 1; count < most; count = gp_size_next_count(count))
        (void)consider_replicas(c, unit, found, count * each, b);
    (void)consider_replicas(c, unit, found, most * each, b);
}

static void size_together(const gp_case *c, size_t unit, const gp_sizing *b) {
    int64_t count = 0;
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const bool spreads = c->offline && !c->counted && c->plan->objective == GP_OBJECTIVE_MIN_TIME;
    if (count == 0)
        tell_refusal(c, unit, b);
    for (int64_t i = 0; i < count; i++) {
        double watts = 0;
        const gp_candidate least = consider_layout(c, unit, &all[i], b, &watts);
        add_replicas(c, unit, &all[i], &least, watts, b);
        if (spreads && least.feasible)
            spread_batch(c, unit, &all[i], b);
    }
}

/* A pair, and it with more replicas for decoding as long as each draws less: what a split service
 * draws hangs on them. */
static void size_pair(const gp_case *c, size_t unit, const gp_split_capability *pair,
                      int64_t most_gpus, const gp_sizing *b) {
    double most = HUGE_VAL;
    for (int64_t more = 0;; more++) {
        gp_candidate sized = gp_split_sized(c, unit, pair, more, b->in.max_nodes, most_gpus);
        if (!sized.feasible || sized.nodes < b->in.min_nodes)
            return;
        gp_split_describe(c, &sized);
        const double watts = b->sink(b->to, &sized);
        if (watts > most)
            return;
        most = watts * (1 - gain_least);
    }
}

/* The least that does it; where power counts, every pair that is not half as large again, or finds
 * place on a machine. */
static void size_apart(const gp_case *c, size_t unit, const gp_sizing *b) {
    int64_t count = 0;
    gp_candidate least;
    gp_size_split(c, unit, b->in, &least);
    least.feasible = least.feasible && least.nodes >= b->in.min_nodes;
    if (!least.present && c->pinned)
        tell_refusal(c, unit, b);
    if (!b->counted)
        gp_split_describe(c, &least);
    if (least.feasible || c->split_mode == GP_SPLIT_ALWAYS)
        (void)b->sink(b->to, &least);
    if (b->counted || !least.feasible || !power_counts(c))
        return;
    const int64_t larger =
        gp_num_max_i64(c->plan->units[unit].machine.gpus, least.gpus + least.gpus / 2);
    const int64_t most_gpus = gp_num_min_i64(b->in.max_gpus, larger);
    const gp_split_capability *pairs = gp_search_split(c, unit, &count);
    gp_split_least together;
    gp_split_least_of(c, unit, &together);
    for (int64_t i = 0; i < count; i++)
        if (gp_split_is_worth(c, unit, &pairs[i], &together))
            size_pair(c, unit, &pairs[i], most_gpus, b);
}

/* Prefill and decode together, and apart; what is to be sized beyond its need, for comparison, is
 * kept together, and so is a declared layout, unless pools of it are asked for. */
void gp_size_serving(const gp_case *c, size_t unit, const gp_sizing *b) {
    const bool refused = gp_lack_spot(c, unit) != NULL || gp_replica_windows_forbid(c) ||
                         c->workload->placement.survives != NULL;
    /* What refuses pools refuses one kind of replica, too, and is told of that. */
    if (c->split_mode != GP_SPLIT_ALWAYS || refused)
        size_together(c, unit, b);
    if (refused || c->split_mode == GP_SPLIT_NEVER || (c->pinned && c->split_mode == GP_SPLIT_AUTO))
        return;
    size_apart(c, unit, b);
}
void gp_serve_size_again(const gp_case *c, size_t unit, gp_candidate *ret) {
    const int64_t active = ret->replicas - ret->spare_replicas;
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *held = gp_search_held(c, unit, &ret->serve_layout);
    if (held == NULL)
        return;
    gp_serve_capability found = *held;
    ret->memory = found.memory.memory;
    ret->serve_memory = found.memory;
    ret->error_fraction = found.error_fraction;
    const int64_t kept = ret->groups[0].most_per_node;
    const int64_t each = kept > 0 ? kept : gp_num_max_i64(1, machine->gpus / found.gpus);
    ret->availability_fraction =
        gp_replica_available(c, machine, &found, active, ret->replicas, each);
    const double carried = gp_size_carried(c, &found, active);
    if (ret->simulated_share > 0 && carried > 0)
        found.simulated_loss = 1 - ret->simulated_share * gp_size_asked(c) / carried;
    ret->requests_per_s = gp_size_carried(c, &found, active) * (double)active;
    ret->requests_per_s_expected = gp_carried_each(&found.carried[0], active) * (double)active;
    if (found.fits && c->out->has_goal && active > 0)
        (c->offline ? fill_offline : fill_point)(c, unit, &found, active, ret);
}

gp_candidate gp_size_row(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         const gp_sizing *b) {
    gp_candidate row;
    fill_serving(c, unit, found, 0, best_spread(c, unit, found, 0), &row);
    row.lack = serving_lack(c, found, &row, b);
    row.feasible = row.lack.bound == GP_BOUND_NONE;
    gp_serve_describe(c, unit, found, &row);
    return row;
}
