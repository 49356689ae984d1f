/*
 * Demand against capability: how many GPUs of one unit a workload needs, and what it lacks where no
 * number within the bounds is enough. Counts come from a fixed ladder (1..8, then 5 6 7 8 times a
 * power of two), as clusters are bought and batches divide.
 */
#include "plan/context.h"

#include "base/num.h"

static const double s_per_week = 604800; /* definition */
enum {
    SHARED_MAX = 8, /* jobs to a GPU */
    STALLS_MAX = 4, /* counts without progress before a search gives up */
    REFINEMENTS = 4 /* counts tried between two rungs of the ladder */
};

enum { HELD_MOST = 64, HELD_STEPS = 24 }; /* of the demand of today; bisections */

typedef struct bounds {
    int64_t min_nodes, max_nodes, max_gpus;
} bounds;

gp_band gp_plan_band(double expected, double margin) {
    return (gp_band){
        .expected = expected,
        .low = expected / (1 + margin),
        .high = expected * (1 + margin),
    };
}

/* The next rung above `*nodes` (0 starts); false past the representable range. */
bool gp_layout_next_count(int64_t per_step, int64_t *nodes) {
    int64_t rung = *nodes / per_step;
    int64_t power = 1;
    while (rung / power >= 8)
        power *= 2;
    *nodes = (rung / power + 1) * power * per_step;
    return *nodes < GP_NUM_COUNT_MAX / 1024;
}

/* How far a miss is from enough: a want of memory is further than a want of speed, which is
 * further than a want of machines; among equals, have over need or its inverse. */
double gp_lack_distance(const gp_lack *lack) {
    const double steps = lack->bound == GP_BOUND_MEMORY   ? 2
                         : lack->bound == GP_BOUND_SUPPLY ? 0
                                                          : 1;
    double ratio = (double)GP_NUM_COUNT_MAX;
    if (lack->have > 0 && lack->need > 0)
        ratio = gp_num_max(lack->have / lack->need, lack->need / lack->have);
    return steps + 1 - 1 / ratio;
}

/* ------------------------------------------------------------ training, fine-tuning, LoRA */

static int64_t slots_for(const gp_case *c, double wall_s) {
    const int64_t weekly = gp_num_ceil_count(c->slots_per_week * wall_s / s_per_week);
    return gp_num_max_i64(c->slots_min, c->slots_per_week > 0 ? weekly : 1);
}

/* Places on GPUs that `jobs` take, several to a place where they share. */
static int64_t places_for(int64_t jobs, int64_t shared_by) {
    return (jobs + shared_by - 1) / shared_by;
}

static int64_t nodes_for_jobs(const gp_case *c, const gp_machine *machine,
                              const gp_train_capability *found, int64_t slots) {
    if (found->gpus >= machine->gpus || found->nodes > 1)
        return slots * found->nodes;
    if (c->exclusive)
        return slots;
    const int64_t per_node = machine->gpus / found->gpus;
    return (slots + per_node - 1) / per_node;
}

/* Jobs side by side; more of them where whole machines are to be filled. */
static int64_t slots_filling(const gp_case *c, const gp_machine *machine,
                             const gp_train_capability *found, int64_t slots, int64_t min_nodes) {
    int64_t more = slots;
    const int64_t step = gp_num_max_i64(1, machine->gpus / found->gpus);
    while (c->slots_per_week > 0 && found->gpus < machine->gpus &&
           nodes_for_jobs(c, machine, found, more) < min_nodes)
        more += step;
    return more;
}

/* A run that waits for its machines, or has them for a part of the time. */
static gp_band timed_band(const gp_timing *timing, gp_band run) {
    const double share = timing->share_fraction > 0 ? timing->share_fraction : 1;
    return (gp_band){.expected = timing->wait_s + run.expected / share,
                     .low = timing->wait_s + run.low / share,
                     .high = timing->wait_s + run.high / share};
}

static void fill_training(const gp_case *c, size_t unit, const gp_train_capability *found,
                          int64_t min_nodes, gp_candidate *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_train_job *job = &c->out->train;
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    const int64_t jobs = slots_for(c, found->run.wall_s * (1 + margin));
    const int64_t needed = places_for(jobs, found->jobs);
    const int64_t places = slots_filling(c, machine, found, needed, min_nodes);
    const int64_t slots = places > needed ? places * found->jobs : jobs;
    const int64_t nodes = nodes_for_jobs(c, machine, found, places);
    *ret = (gp_candidate){
        .present = true,
        .unit = &c->plan->units[unit],
        .nodes = nodes,
        .gpus = c->exclusive ? nodes * machine->gpus : places * found->gpus,
        .replicas = slots,
        .outside_bytes = found->fits ? found->outside_bytes : 0,
        .job_nodes = found->nodes,
        .jobs_per_gpu = gp_num_min_i64(found->jobs, slots),
        .layout = found->layout,
        .memory = found->memory,
        .time = found->time,
        .run = found->run,
        .error_fraction = found->error_fraction,
    };
    if (!found->fits)
        return;
    ret->timing = c->timing;
    ret->time_to_complete_s = timed_band(&c->timing, gp_plan_band(found->run.wall_s, margin));
    ret->step_s = gp_plan_band(found->time.step_s, margin);
    ret->tokens_per_s = gp_plan_band(
        job->global_batch * job->packing_fraction / found->time.step_s * (double)slots, margin);
    if (c->demand.deadline_s > 0)
        ret->utilization = ret->time_to_complete_s.high / c->demand.deadline_s;
}

/* States that were to wait outside the GPUs have no room there. */
static gp_lack outside_lack(const gp_train_capability *found) {
    const bool known = found->outside_room_bytes > 0;
    return (gp_lack){
        .bound = GP_BOUND_MEMORY,
        .have = found->outside_room_bytes,
        .need = known ? found->outside_bytes : 0,
        .dim = GP_DIM_BYTES,
        .why = known ? "host memory or drives per GPU are short of what is offloaded"
                     : "the machine does not say what host memory or drives it has to offload to",
    };
}

/* Why this candidate is not enough; bound NONE when it is. */
static gp_lack training_lack(const gp_case *c, const gp_train_capability *found,
                             const gp_candidate *candidate, const bounds *b) {
    if (found->unsupported)
        return (gp_lack){.bound = GP_BOUND_COMPUTE,
                         .dim = GP_DIM_FLOP_PER_S,
                         .why = "this GPU has no path for the precision asked for"};
    if (found->tried == 0)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .dim = GP_DIM_COUNT,
                         .why = found->refused != NULL
                                    ? found->refused
                                    : "the parallelism declared does not make up these GPUs"};
    if (!found->fits && found->outside_bytes > 0)
        return outside_lack(found);
    if (!found->fits)
        return (gp_lack){.bound = GP_BOUND_MEMORY,
                         .have = found->memory.capacity_bytes,
                         .need = found->memory.total_bytes,
                         .dim = GP_DIM_BYTES};
    const double wall = candidate->time_to_complete_s.high;
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    if (c->demand.deadline_s > 0 && wall > allowed)
        return (gp_lack){.bound = gp_bound_of_training(&found->time),
                         .have = wall,
                         .need = allowed,
                         .dim = GP_DIM_TIME};
    if (candidate->nodes > b->max_nodes)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = (double)b->max_nodes,
                         .need = (double)candidate->nodes,
                         .dim = GP_DIM_COUNT};
    if (candidate->gpus > b->max_gpus)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = (double)b->max_gpus,
                         .need = (double)candidate->gpus,
                         .dim = GP_DIM_COUNT};
    return (gp_lack){.bound = GP_BOUND_NONE};
}

/* No layout can beat every GPU running its multiplications at peak. */
static bool hopeless(const gp_case *c, size_t unit, int64_t gpus) {
    const gp_train_job *job = &c->out->train;
    const double peak = c->plan->units[unit].machine.peak_flop_per_s[job->compute];
    const double passes = job->type == GP_WORKLOAD_LORA ? 2 : 3;
    const double flops = 2 * passes * job->shape->linear_parameters * job->global_batch;
    if (c->demand.deadline_s <= 0 || peak <= 0)
        return false;
    return c->run.steps * flops / (peak * (double)gpus) > c->demand.deadline_s;
}

static bool better_training(const gp_case *c, const gp_candidate *a, const gp_candidate *b) {
    if (!b->feasible)
        return true;
    if (c->plan->objective == GP_OBJECTIVE_MIN_TIME)
        return gp_num_compare9(a->time_to_complete_s.expected, b->time_to_complete_s.expected) < 0;
    if (a->gpus != b->gpus)
        return a->gpus < b->gpus;
    return gp_num_compare9(a->time_to_complete_s.expected, b->time_to_complete_s.expected) < 0;
}

/* Considers one place for each job; true when it is enough. */
static bool consider_place(const gp_case *c, size_t unit, gp_train_place place, const bounds *b,
                           gp_candidate *best) {
    const gp_train_capability *found = gp_search_train(c, unit, place);
    if (found == NULL)
        return false;
    gp_candidate candidate;
    fill_training(c, unit, found, b->min_nodes, &candidate);
    candidate.lack = training_lack(c, found, &candidate, b);
    candidate.feasible = candidate.lack.bound == GP_BOUND_NONE;
    if (candidate.feasible && candidate.nodes < b->min_nodes)
        return false;
    if (candidate.feasible && better_training(c, &candidate, best))
        *best = candidate;
    else if (!best->feasible && !candidate.feasible &&
             (!best->present || gp_lack_distance(&candidate.lack) < gp_lack_distance(&best->lack)))
        *best = candidate;
    return candidate.feasible;
}

/* GPUs of a machine that a job splits well over: all, or where their number is no power of two the
 * largest such part (64 of a rack of 72), the rest idle. */
static int64_t round_part(int64_t gpus) {
    int64_t part = 1;
    while (part * 2 <= gpus)
        part *= 2;
    return part;
}

/* Whole machines for each job, on all of their GPUs or on a round part of them. */
static bool consider_machines(const gp_case *c, size_t unit, int64_t nodes, const bounds *b,
                              gp_candidate *best) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t part = round_part(gpus);
    gp_train_place place = {.gpus = nodes * gpus, .jobs = 1, .nodes = nodes};
    const bool enough = consider_place(c, unit, place, b, best);
    if (part == gpus)
        return enough;
    place.gpus = nodes * part;
    return consider_place(c, unit, place, b, best) || enough;
}

/* Several jobs to a GPU, until its memory or the goal ends it. */
static bool size_shared(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    const int64_t asked = c->workload->jobs.per_gpu;
    const int64_t most = gp_num_min_i64(asked > 0 ? asked : SHARED_MAX, SHARED_MAX);
    const int64_t wanted = c->slots_per_week > 0 ? most : gp_num_min_i64(most, c->slots_min);
    bool enough = false;
    for (int64_t jobs = 2; jobs <= wanted; jobs++) {
        const gp_train_place place = {.gpus = 1, .jobs = jobs, .nodes = 1};
        const gp_train_capability *found = gp_search_train(c, unit, place);
        if (found == NULL || !found->fits)
            break;
        enough = consider_place(c, unit, place, b, best) || enough;
    }
    return enough;
}

/* Parts of one machine: 1, 2, 4 ... GPUs. */
static bool size_parts(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    bool enough = false;
    for (int64_t gpus = 1; gpus < machine->gpus && gpus <= b->max_gpus; gpus *= 2) {
        const gp_train_place place = {.gpus = gpus, .jobs = 1, .nodes = 1};
        if (!hopeless(c, unit, gpus))
            enough = consider_place(c, unit, place, b, best) || enough;
    }
    return size_shared(c, unit, b, best) || enough;
}

/* Between a count that is too small and one that is enough, the smallest that is enough. */
static void refine(const gp_case *c, size_t unit, int64_t too_few, int64_t enough, const bounds *b,
                   gp_candidate *best) {
    for (int i = 0; i < REFINEMENTS && enough - too_few > 1; i++) {
        const int64_t middle = too_few + (enough - too_few) / 2;
        if (consider_machines(c, unit, middle, b, best))
            enough = middle;
        else
            too_few = middle;
    }
}

/* The next rung, or the limit itself where the ladder steps over it; false past the limit. */
static bool next_rung(int64_t most, int64_t *nodes) {
    const int64_t before = *nodes;
    if (before >= most || !gp_layout_next_count(1, nodes))
        return false;
    *nodes = gp_num_min_i64(*nodes, most);
    return true;
}

static void size_machines(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t most = gp_num_min_i64(b->max_nodes, b->max_gpus / gpus);
    const bool fastest = c->plan->objective == GP_OBJECTIVE_MIN_TIME;
    double shortest = 0;
    int stalls = 0;
    int64_t nodes = 0;
    int64_t before = 0;
    while (next_rung(most, &nodes) && stalls < STALLS_MAX) {
        const bool skip = hopeless(c, unit, nodes * gpus) && nodes != most;
        const bool enough = !skip && consider_machines(c, unit, nodes, b, best);
        if (enough && !fastest) {
            refine(c, unit, before, nodes, b, best);
            return;
        }
        before = nodes;
        if (skip)
            continue;
        const double wall = best->time_to_complete_s.expected;
        stalls = shortest > 0 && wall >= shortest ? stalls + 1 : 0;
        shortest = wall;
    }
}

static void size_training(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    if (!c->exclusive && (b->min_nodes <= 1 || c->slots_per_week > 0 || c->slots_min > 1))
        (void)size_parts(c, unit, b, best);
    if (!best->feasible || c->plan->objective == GP_OBJECTIVE_MIN_TIME)
        size_machines(c, unit, b, best);
    if (!best->present && b->max_nodes > 0)
        (void)consider_machines(c, unit, 1, b, best);
}

/* ------------------------------------------------------------ inference */

/* Machines that `replicas` take: several to a machine, or several machines each. */
static int64_t nodes_for_replicas(const gp_machine *machine, const gp_serve_capability *found,
                                  int64_t replicas) {
    if (found->gpus >= machine->gpus)
        return replicas * found->nodes;
    const int64_t per_node = machine->gpus / found->gpus;
    return (replicas + per_node - 1) / per_node;
}

/* Replicas for a demand, `rate` each. */
static int64_t replicas_for(const gp_case *c, double requests_per_s, double rate) {
    int64_t needed = 1;
    if (c->out->has_goal && rate > 0)
        needed = gp_num_ceil_count(requests_per_s * (1 + c->gpu_headroom_fraction) / rate);
    return gp_num_max_i64(needed, 1);
}

static double judged_rate(const gp_case *c, const gp_serve_capability *found) {
    return c->simulated_fraction *
           found->requests_per_s[c->confidence == GP_CONFIDENCE_EXPECTED ? 0 : 1];
}

/* A job without end of requests keeps every place of its replicas taken. */
static void fill_offline(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         int64_t active, gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    const gp_serve_memory *memory = &found->memory;
    gp_serve_job job = c->out->serve;
    const double places = gp_serve_admitted(&job, memory);
    if (u->machine.efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_closed_loop(&job, &u->machine, &c->plan->networks[unit], &found->layout,
                         c->plan->constants, memory, places / gp_num_max(1, job.branches), NULL,
                         &ret->point);
    const double rate = ret->point.max_requests_per_s * (double)active;
    ret->time_to_complete_s = gp_plan_band(c->workload->traffic.requests / rate, margin);
    ret->tokens_per_s =
        gp_plan_band(rate * job.branches * gp_num_max(job.output_tokens, 1), margin);
    ret->requests_per_s = judged_rate(c, found) * (double)active;
    ret->requests_per_s_expected = found->requests_per_s[0] * (double)active;
    ret->utilization = ret->time_to_complete_s.high / c->demand.deadline_s;
}

static void fill_point(const gp_case *c, size_t unit, const gp_serve_capability *found,
                       int64_t active, gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    gp_serve_job job = c->out->serve;
    if (u->machine.efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_load(&job, &u->machine, &c->plan->networks[unit], &found->layout, c->plan->constants,
                  &found->memory, c->demand.requests_per_s / (double)active, NULL, &ret->point);
    ret->ttft_p95_s = gp_plan_band(ret->point.ttft_p95_s, gp_plan_ttft_margin(c));
    ret->tpot_p95_s = gp_plan_band(ret->point.tpot_p95_s, margin);
    ret->tokens_per_s = gp_plan_band(ret->point.output_tokens_per_s * (double)active, margin);
    ret->requests_per_s = judged_rate(c, found) * (double)active;
    ret->requests_per_s_expected = found->requests_per_s[0] * (double)active;
    ret->utilization = ret->requests_per_s > 0 ? c->demand.requests_per_s / ret->requests_per_s : 0;
}

/* Share of time in which the replicas that the load needs are up. */
double gp_size_availability(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t spare,
                            int64_t all_nodes) {
    const gp_constants *k = c->plan->constants;
    if (found->gpus >= machine->gpus)
        return gp_replica_availability(needed, needed + spare, found->nodes, k);
    return gp_replica_availability(nodes_for_replicas(machine, found, needed), all_nodes, 1, k);
}

/* Replicas held for availability. Machines fail, and with one all replicas on it: where several
 * share a machine, whole machines are held, loaded like the others. */
static int64_t spares_by_availability(const gp_case *c, const gp_machine *machine,
                                      const gp_serve_capability *found, int64_t needed,
                                      int64_t *ret_nodes) {
    const double availability = c->workload->goal.slo.availability;
    const gp_constants *k = c->plan->constants;
    const int64_t nodes = nodes_for_replicas(machine, found, needed);
    if (found->gpus >= machine->gpus) {
        const int64_t spare = gp_spare_replicas(needed, found->nodes, availability, k);
        *ret_nodes = nodes + spare * found->nodes;
        return spare;
    }
    const int64_t spare_nodes = gp_spare_replicas(nodes, 1, availability, k);
    const int64_t on_each = (needed + nodes - 1) / nodes;
    *ret_nodes = nodes + spare_nodes;
    return spare_nodes * on_each;
}

int64_t gp_size_spares(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t needed, int64_t *ret_nodes) {
    const int64_t asked = c->workload->scaling.spare_replicas;
    const int64_t spare = spares_by_availability(c, machine, found, needed, ret_nodes);
    if (asked <= spare)
        return spare;
    *ret_nodes = gp_num_max_i64(*ret_nodes, nodes_for_replicas(machine, found, needed + asked));
    return asked;
}

/* How many replicas carry load and how many are spare. */
typedef struct fleet {
    int64_t needed, spare, nodes;
} fleet;

/* Those that the load needs, at least on `min_nodes` machines. */
static fleet fleet_for(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t min_nodes) {
    fleet f = {.needed = replicas_for(c, c->demand.requests_per_s, judged_rate(c, found))};
    f.needed = gp_num_max_i64(f.needed, c->workload->scaling.min_replicas);
    while (nodes_for_replicas(machine, found, f.needed) < min_nodes)
        f.needed += gp_num_max_i64(1, machine->gpus / found->gpus);
    f.spare = gp_size_spares(c, machine, found, f.needed, &f.nodes);
    return f;
}

/* Exactly those declared: as few of them spare as the availability asks for; none where they are
 * too few for it, which the goal then shows. */
static fleet fleet_declared(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t declared) {
    for (int64_t spare = 0; spare < declared; spare++) {
        fleet f = {.needed = declared - spare};
        f.spare = gp_size_spares(c, machine, found, f.needed, &f.nodes);
        if (f.spare <= spare) {
            f.spare = spare;
            f.nodes = nodes_for_replicas(machine, found, declared);
            return f;
        }
    }
    return (fleet){.needed = declared, .nodes = nodes_for_replicas(machine, found, declared)};
}

static void fill_serving(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         int64_t min_nodes, gp_candidate *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const int64_t declared = gp_pinned(c, c->workload->replicas);
    const fleet f = declared > 0 ? fleet_declared(c, machine, found, declared)
                                 : fleet_for(c, machine, found, min_nodes);
    const int64_t needed = f.needed;
    const int64_t spare = f.spare;
    const int64_t nodes = f.nodes;
    const int64_t replicas = needed + spare;
    *ret = (gp_candidate){
        .present = true,
        .unit = &c->plan->units[unit],
        .nodes = nodes,
        .gpus = c->exclusive ? nodes * machine->gpus : replicas * found->gpus,
        .replicas = replicas,
        .spare_replicas = spare,
        .serve_layout = found->layout,
        .memory = found->memory.memory,
        .serve_memory = found->memory,
        .error_fraction = found->error_fraction,
        .availability_fraction = gp_size_availability(c, machine, found, needed, spare, nodes),
    };
    if (found->fits && c->out->has_goal && c->offline)
        fill_offline(c, unit, found, needed, ret);
    else if (found->fits && c->out->has_goal)
        fill_point(c, unit, found, needed, ret);
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
    const int64_t declared = gp_pinned(c, c->workload->replicas);
    if (declared <= 0)
        return (gp_lack){.bound = GP_BOUND_NONE};
    const int64_t active = candidate->replicas - candidate->spare_replicas;
    const int64_t needed = replicas_for(c, c->demand.requests_per_s, judged_rate(c, found));
    const gp_lack few = {.bound = GP_BOUND_SUPPLY,
                         .have = (double)active,
                         .need = (double)needed,
                         .dim = GP_DIM_COUNT,
                         .why = "too few for the load"};
    if (needed > active)
        return few;
    if (availability > 0 && candidate->availability_fraction < availability)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = candidate->availability_fraction,
                         .need = availability,
                         .dim = GP_DIM_FRACTION,
                         .why = "none of them is left to lose"};
    return (gp_lack){.bound = GP_BOUND_NONE};
}

static gp_lack serving_lack(const gp_case *c, const gp_serve_capability *found,
                            const gp_candidate *candidate, const bounds *b) {
    const gp_scaling *scaling = &c->workload->scaling;
    if (!found->fits)
        return (gp_lack){.bound = GP_BOUND_MEMORY,
                         .have = found->memory.memory.capacity_bytes,
                         .need = found->memory.memory.total_bytes,
                         .dim = GP_DIM_BYTES};
    if (c->out->has_goal && judged_rate(c, found) <= 0)
        return latency_lack(c, found);
    const gp_lack few = declared_lack(c, found, candidate);
    if (few.bound != GP_BOUND_NONE)
        return few;
    if (candidate->nodes > b->max_nodes)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = (double)b->max_nodes,
                         .need = (double)candidate->nodes,
                         .dim = GP_DIM_COUNT};
    if (candidate->gpus > b->max_gpus)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = (double)b->max_gpus,
                         .need = (double)candidate->gpus,
                         .dim = GP_DIM_COUNT};
    if (scaling->max_replicas > 0 && candidate->replicas > scaling->max_replicas)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = (double)scaling->max_replicas,
                         .need = (double)candidate->replicas,
                         .dim = GP_DIM_COUNT,
                         .why = "scaling.maxReplicas allows fewer replicas"};
    return (gp_lack){.bound = GP_BOUND_NONE};
}

static const gp_serve_capability *capability_of(const gp_case *c, const gp_candidate *candidate) {
    int64_t count = 0;
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    for (int64_t i = 0; i < count; i++)
        if (gp_serve_layout_equal(&all[i].layout, &candidate->serve_layout))
            return &all[i];
    return NULL;
}

int64_t gp_candidate_replicas(const gp_case *c, const gp_candidate *candidate,
                              double requests_per_s) {
    const gp_serve_capability *found = capability_of(c, candidate);
    if (found == NULL)
        return candidate->replicas;
    int64_t nodes = 0;
    const int64_t needed = gp_num_max_i64(replicas_for(c, requests_per_s, judged_rate(c, found)),
                                          c->workload->scaling.min_replicas);
    return needed + gp_size_spares(c, &candidate->unit->machine, found, needed, &nodes);
}

void gp_candidate_load(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_trace *trace, gp_serve_point *ret) {
    const gp_unit *unit = candidate->unit;
    gp_serve_job job = c->out->serve;
    if (unit->machine.efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_load(&job, &unit->machine, &c->plan->networks[unit - c->plan->units],
                  &candidate->serve_layout, c->plan->constants, &candidate->serve_memory,
                  requests_per_s, trace, ret);
}

static bool better_serving(const gp_case *c, const gp_candidate *a, const gp_candidate *b) {
    if (!b->feasible)
        return true;
    const int latency = gp_num_compare9(a->tpot_p95_s.expected, b->tpot_p95_s.expected);
    if (c->plan->objective == GP_OBJECTIVE_MIN_TIME && latency != 0)
        return latency < 0;
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes;
    if (a->gpus != b->gpus)
        return a->gpus < b->gpus;
    return latency < 0;
}

static void size_together(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    int64_t count = 0;
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    for (int64_t i = 0; i < count; i++) {
        gp_candidate candidate;
        fill_serving(c, unit, &all[i], b->min_nodes, &candidate);
        candidate.lack = serving_lack(c, &all[i], &candidate, b);
        candidate.feasible = candidate.lack.bound == GP_BOUND_NONE;
        if (candidate.feasible && better_serving(c, &candidate, best))
            *best = candidate;
        else if (!best->feasible && !candidate.feasible &&
                 (!best->present ||
                  gp_lack_distance(&candidate.lack) < gp_lack_distance(&best->lack)))
            *best = candidate;
    }
}

static bool takes_less(const gp_candidate *a, const gp_candidate *b) {
    return a->gpus != b->gpus ? a->gpus < b->gpus : a->nodes < b->nodes;
}

/* Prefill apart from decode where that is asked for, takes less, or is the only way. What is to be
 * sized beyond its need, for comparison, is kept together. */
static void size_serving(const gp_case *c, size_t unit, const bounds *b, gp_candidate *best) {
    if (c->split_mode != GP_SPLIT_ALWAYS)
        size_together(c, unit, b, best);
    if (c->split_mode == GP_SPLIT_NEVER || c->pinned)
        return;
    gp_candidate apart;
    gp_size_split(c, unit, b->max_nodes, b->max_gpus, &apart);
    if (apart.nodes < b->min_nodes)
        apart.feasible = false;
    const bool better = apart.feasible && (!best->feasible || takes_less(&apart, best));
    if (c->split_mode == GP_SPLIT_ALWAYS || better)
        *best = apart;
}

void gp_size_unit(const gp_case *c, size_t unit, int64_t min_nodes, int64_t max_nodes,
                  int64_t max_gpus, gp_candidate *ret) {
    const bounds b = {min_nodes, max_nodes, max_gpus};
    *ret = (gp_candidate){.unit = &c->plan->units[unit]};
    if (c->out->is_serving)
        size_serving(c, unit, &b, ret);
    else
        size_training(c, unit, &b, ret);
}

double gp_size_held(const gp_case *c, size_t unit, int64_t nodes, int64_t gpus) {
    double low = 0;
    double high = HELD_MOST * c->demand.requests_per_s;
    for (int i = 0; i < HELD_STEPS; i++) {
        gp_case other = *c;
        gp_candidate sized;
        other.demand.requests_per_s = 0.5 * (low + high);
        gp_size_unit(&other, unit, 0, nodes, gpus, &sized);
        if (sized.feasible)
            low = other.demand.requests_per_s;
        else
            high = other.demand.requests_per_s;
    }
    return low;
}

/* One row of a layout, sized for the demand. */
static gp_candidate row_of(const gp_case *c, size_t unit, const gp_serve_capability *found,
                           const bounds *b) {
    gp_candidate row;
    fill_serving(c, unit, found, 0, &row);
    row.lack = serving_lack(c, found, &row, b);
    row.feasible = row.lack.bound == GP_BOUND_NONE;
    return row;
}

static bool nearer(const gp_case *c, const gp_candidate *a, const gp_candidate *b) {
    if (a->feasible || b->feasible)
        return a->feasible && better_serving(c, a, b);
    return gp_lack_distance(&a->lack) < gp_lack_distance(&b->lack);
}

/* Of more layouts than rows the nearest to what is wanted, those first. */
int gp_size_layouts(const gp_case *c, size_t unit, int most, gp_candidate *ret) {
    int64_t count = 0;
    int filled = 0;
    const int64_t nodes = c->plan->spec->candidates.limits.max_nodes;
    const bounds b = {.max_nodes = nodes, .max_gpus = nodes * c->plan->units[unit].machine.gpus};
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const bool choose = count > most;
    for (int64_t i = 0; i < count; i++) {
        const gp_candidate row = row_of(c, unit, &all[i], &b);
        int at = filled;
        while (choose && at > 0 && nearer(c, &row, &ret[at - 1]))
            at--;
        if (at >= most)
            continue;
        filled = filled < most ? filled + 1 : most;
        for (int k = filled - 1; k > at; k--)
            ret[k] = ret[k - 1];
        ret[at] = row;
    }
    return filled;
}
