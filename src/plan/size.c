/*
 * Demand against capability: the ways in which one kind of machine meets a demand, and what each
 * lacks where it is not enough. Counts of machines are tried one by one at first, then eight an
 * octave; just before the first that is enough also some in between. Which counts are looked at
 * hangs on the demand only where speed rules a count out, so that a tighter demand never finds one
 * that takes less.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

static const double s_per_week = 604800; /* definition */
static const double count_slack = 0.95;  /* of machine time: what a count in between may gain */
static const double next_slack = 0.7;    /* the same of any larger count */
static const double gain_least = 0.002;  /* of power: what one replica more has to bring */
enum {
    SHARED_MAX = 8,    /* jobs to a GPU */
    STALLS_MAX = 3,    /* octaves without progress before a search gives up */
    OCTAVE = 8,        /* counts tried between two powers of two, */
    FINER = 4,         /* and between two of those before the first that is enough */
    JOINED_CASES = 24, /* of at most so many runs each looks at the machines of the others, */
    JOINED_NODES = 64  /* up to so many */
};

enum { SPARES_FOR = 100000 };                  /* machines that a service needs at most */
enum { HELD_DOUBLINGS = 30, HELD_STEPS = 18 }; /* of the demand of today; bisections */

/* Who is told of every way that was sized. */
typedef struct bounds {
    gp_size_bounds in;
    bool counted; /* services are sized alone; what they do is not described */
    gp_size_sink *sink;
    void *to;
} bounds;

gp_band gp_plan_band(double expected, double margin) {
    return (gp_band){
        .expected = expected,
        .low = expected / (1 + margin),
        .high = expected * (1 + margin),
    };
}

gp_size_bounds gp_size_within(const gp_plan_context *plan, size_t unit, int64_t nodes) {
    return (gp_size_bounds){.max_nodes = nodes, .max_gpus = nodes * plan->units[unit].machine.gpus};
}

gp_size_bounds gp_size_any(const gp_plan_context *plan, size_t unit) {
    return gp_size_within(plan, unit, plan->spec->candidates.limits.max_nodes);
}

/* How far a miss is from enough: degrees that do not make up the GPUs are furthest, then layouts
 * that are not launched on them, then a want of memory, of speed, of machines; among equals, have
 * over need or its inverse. */
double gp_lack_distance(const gp_lack *lack) {
    const bool refused = lack->bound == GP_BOUND_SUPPLY && lack->why != NULL && lack->path == NULL;
    const double steps = refused                          ? (lack->have > 0 ? 3 : 4)
                         : lack->bound == GP_BOUND_MEMORY ? 2
                         : lack->bound == GP_BOUND_SUPPLY || lack->path != NULL ? 0
                                                                                : 1;
    double ratio = lack->refused ? 1 : (double)GP_NUM_COUNT_MAX;
    if (lack->have > 0 && lack->need > 0)
        ratio = gp_num_max(lack->have / lack->need, lack->need / lack->have);
    return steps + 1 - 1 / ratio;
}

/* Of a GPU's memory: what is needed, and what of it may be used. */
static gp_lack memory_lack(const gp_memory *memory) {
    return (gp_lack){.bound = GP_BOUND_MEMORY,
                     .have = memory->total_bytes - memory->short_bytes,
                     .need = memory->total_bytes,
                     .dim = GP_DIM_BYTES};
}

/* What is left beside the weights holds the usual requests at most. */
static gp_lack room_lack(const gp_case *c, const gp_serve_memory *memory) {
    return (gp_lack){.bound = GP_BOUND_MEMORY,
                     .have = memory->kv_pool_tokens,
                     .need = gp_plan_long_request(c->plan->constants, c->out),
                     .dim = GP_DIM_COUNT,
                     .why = "too few tokens in the KV cache for the longest requests"};
}

static gp_lack supply_lack(double have, double need, gp_dim dim, const char *why) {
    return (gp_lack){.bound = GP_BOUND_SUPPLY, .have = have, .need = need, .dim = dim, .why = why};
}

gp_lack gp_count_lack(int64_t have, int64_t need, const char *why, const char *key) {
    gp_lack lack = supply_lack((double)have, (double)need, GP_DIM_COUNT, why);
    lack.path = key;
    lack.is_own = true;
    return lack;
}

/* More machines or GPUs than there are to have; bound NONE where there are enough. */
static gp_lack machines_lack(const gp_candidate *candidate, const bounds *b) {
    if (candidate->nodes > b->in.max_nodes)
        return supply_lack((double)b->in.max_nodes, (double)candidate->nodes, GP_DIM_COUNT, NULL);
    if (candidate->gpus > b->in.max_gpus)
        return supply_lack((double)b->in.max_gpus, (double)candidate->gpus, GP_DIM_COUNT, NULL);
    return (gp_lack){.bound = GP_BOUND_NONE};
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

static void fill_times(const gp_case *c, gp_candidate *ret) {
    const double margin = gp_plan_margin(c, ret->error_fraction, c->confidence);
    ret->time_to_complete_s = gp_plan_band(ret->run.wall_s, margin);
    ret->step_s = gp_plan_band(ret->time.step_s, margin);
    ret->tokens_per_s = gp_plan_band(ret->time.tokens_per_s * (double)ret->replicas, margin);
    if (c->demand.deadline_s > 0)
        ret->utilization = ret->time_to_complete_s.high / c->demand.deadline_s;
}

static void fill_training(const gp_case *c, size_t unit, const gp_train_capability *found,
                          int64_t min_nodes, gp_candidate *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
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
        .group_count = 1,
        .groups = {c->exclusive && found->nodes == 1
                       ? (gp_group){.gpus = machine->gpus, .nodes = 1, .count = nodes}
                       : (gp_group){.gpus = found->gpus, .nodes = found->nodes, .count = places}},
        .layout = found->layout,
        .rl = found->rl,
        .memory = found->memory,
        .time = found->time,
        .run = found->run,
        .error_fraction = found->error_fraction,
    };
    if (found->fits)
        fill_times(c, ret);
}

/* States that were to wait outside the GPUs have no room there. */
static gp_lack outside_lack(const gp_train_capability *found) {
    return (gp_lack){
        .bound = GP_BOUND_MEMORY,
        .have = found->outside_room_bytes,
        .need = found->outside_bytes,
        .dim = GP_DIM_BYTES,
        .why = "host memory or drives per GPU are too small for the offloaded data",
    };
}

/* Machines that are taken back at any time carry no service, and nothing at all where nobody says
 * how often that is. */
static const char *spot_words(const gp_case *c, size_t unit) {
    if (!c->plan->units[unit].is_spot)
        return NULL;
    if (c->kind == GP_DEMAND_CONTINUOUS)
        return "spot machines can be reclaimed at any time, so they cannot carry a service";
    return c->plan->spec->candidates.spot_interrupted_s > 0
               ? NULL
               : "how often spot machines are reclaimed is not stated "
                 "(candidates.spotInterruptedEvery)";
}

/* Why this candidate is not enough; bound NONE when it is. */
static gp_lack training_lack(const gp_case *c, const gp_train_capability *found,
                             const gp_candidate *candidate, const bounds *b) {
    const char *spot = spot_words(c, (size_t)(candidate->unit - c->plan->units));
    if (spot != NULL)
        return supply_lack(0, 0, GP_DIM_COUNT, spot);
    if (found->unsupported)
        return (gp_lack){.bound = GP_BOUND_COMPUTE,
                         .dim = GP_DIM_FLOP_PER_S,
                         .why = "this GPU does not support the requested precision"};
    if (found->tried == 0)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .have = found->rule != NULL ? (double)found->gpus : 0,
                         .dim = GP_DIM_COUNT,
                         .why = found->refused != NULL
                                    ? found->refused
                                    : "the declared parallelism does not match these GPUs",
                         .refused = found->refused != NULL};
    if (!found->fits && found->outside_bytes > 0)
        return outside_lack(found);
    if (!found->fits)
        return memory_lack(&found->memory);
    const double wall = candidate->time_to_complete_s.high;
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    if (c->demand.deadline_s > 0 && wall > allowed)
        return (gp_lack){.bound = c->out->is_rl
                                      ? gp_bound_of_rl(&found->rl, &found->time, &found->run)
                                      : gp_bound_of_training(&found->time, &found->run),
                         .have = wall,
                         .need = allowed,
                         .dim = GP_DIM_TIME};
    return machines_lack(candidate, b);
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

/* Considers one place for each job; what it comes to. */
static gp_candidate consider_place(const gp_case *c, size_t unit, gp_train_place place,
                                   const bounds *b) {
    const gp_train_capability *found = gp_search_train(c, unit, place);
    gp_candidate candidate = {.unit = &c->plan->units[unit]};
    if (found == NULL)
        return candidate;
    fill_training(c, unit, found, b->in.min_nodes, &candidate);
    candidate.lack = training_lack(c, found, &candidate, b);
    candidate.feasible = candidate.lack.bound == GP_BOUND_NONE;
    if (!candidate.feasible || candidate.nodes >= b->in.min_nodes)
        (void)b->sink(b->to, &candidate);
    return candidate;
}

/* GPUs of a machine that a job splits well over: all, or where their number is no power of two the
 * largest such part (64 of a rack of 72), the rest idle. */
static int64_t round_part(int64_t gpus) {
    int64_t part = 1;
    while (part * 2 <= gpus)
        part *= 2;
    return part;
}

/* Whole machines for each job, on all of their GPUs or on a round part of them: the better. */
static gp_candidate consider_machines(const gp_case *c, size_t unit, int64_t nodes,
                                      const bounds *b) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t part = round_part(gpus);
    gp_train_place place = {.gpus = nodes * gpus, .jobs = 1, .nodes = nodes};
    const gp_candidate all = consider_place(c, unit, place, b);
    if (part == gpus)
        return all;
    place.gpus = nodes * part;
    const gp_candidate some = consider_place(c, unit, place, b);
    return some.feasible && (!all.feasible ||
                             some.time_to_complete_s.expected < all.time_to_complete_s.expected)
               ? some
               : all;
}

/* Several jobs to a GPU, until its memory or the goal ends it. */
static void size_shared(const gp_case *c, size_t unit, const bounds *b) {
    const int64_t asked = c->workload->jobs.per_gpu;
    const int64_t most = gp_num_min_i64(asked > 0 ? asked : SHARED_MAX, SHARED_MAX);
    const int64_t wanted = c->slots_per_week > 0 ? most : gp_num_min_i64(most, c->slots_min);
    for (int64_t jobs = 2; jobs <= wanted; jobs++) {
        const gp_train_place place = {.gpus = 1, .jobs = jobs, .nodes = 1};
        const gp_train_capability *found = gp_search_train(c, unit, place);
        if (found == NULL || !found->fits)
            break;
        (void)consider_place(c, unit, place, b);
    }
}

static int64_t product_declared(const gp_case *c) {
    const gp_parallelism *p = &c->workload->parallelism;
    const int64_t degrees[] = {p->tp, p->pp, p->dp, p->cp};
    int64_t ranks = 1;
    for (size_t i = 0; c->pinned && i < sizeof degrees / sizeof degrees[0]; i++)
        ranks *= gp_num_max_i64(1, degrees[i]);
    return ranks;
}

/* The degrees are those of the GPUs that train, and others generate. */
static bool generates_apart(const gp_case *c) {
    return c->out->is_rl && c->workload->rl.pools != GP_RL_POOLS_COLOCATED;
}

/* What the declared degrees come to: the GPUs of a job are a multiple of it. */
static int64_t ranks_declared(const gp_case *c) {
    return generates_apart(c) ? 1 : product_declared(c);
}

/* GPUs of a job whose degrees are all declared; 0: they are not. */
static int64_t gpus_declared(const gp_case *c) {
    const gp_parallelism *p = &c->workload->parallelism;
    const int64_t rollout = c->workload->rl.rollout_gpus;
    const bool all = c->pinned && p->tp > 0 && p->pp > 0 && p->dp > 0;
    if (!all || (generates_apart(c) && rollout <= 0))
        return 0;
    return product_declared(c) + (generates_apart(c) ? rollout : 0);
}

/* Parts of one machine: 1, 2, 4 ... GPUs, or multiples of those declared; true where one is
 * enough. */
static bool size_parts(const gp_case *c, size_t unit, const bounds *b) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const bool all = gpus_declared(c) > 0;
    const int64_t most = gp_num_min_i64(machine->gpus - 1, b->in.max_gpus);
    bool enough = false;
    for (int64_t gpus = ranks_declared(c); gpus <= most; gpus = all ? machine->gpus : gpus * 2) {
        const gp_train_place place = {.gpus = gpus, .jobs = 1, .nodes = 1};
        if (!hopeless(c, unit, gpus))
            enough = consider_place(c, unit, place, b).feasible || enough;
    }
    size_shared(c, unit, b);
    return enough;
}

/* Machine time that a count takes for the run; 0: it does not run there. */
static double work_of(const gp_candidate *candidate) {
    return candidate->run.wall_s > 0 ? candidate->run.wall_s * (double)candidate->job_nodes : 0;
}

/* No count between two does it in less machine time than the better of them, near enough. */
static bool too_slow(const gp_case *c, int64_t nodes, double least_work, double slack) {
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    return c->demand.deadline_s > 0 && least_work * slack / (double)nodes > allowed;
}

/* Machines whose GPUs, all or a round part of each, the declared degrees make up: multiples of
 * this. */
static int64_t nodes_together(const gp_case *c, size_t unit) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t ranks = ranks_declared(c);
    const int64_t shared =
        gp_num_max_i64(gp_num_gcd(ranks, gpus), gp_num_gcd(ranks, round_part(gpus)));
    return gp_num_min_i64(ranks / shared, GP_NUM_COUNT_MAX / gpus);
}

/* Between a count that is too small and one that is enough, the smallest that is enough. Counts are
 * of `each` machines. */
static void refine(const gp_case *c, size_t unit, int64_t each, int64_t too_few, int64_t enough,
                   double least, const bounds *b) {
    const int64_t step = gp_num_max_i64(1, (enough - too_few) / FINER);
    int64_t count = too_few + step;
    while (count < enough && (too_slow(c, count * each, least, count_slack) ||
                              !consider_machines(c, unit, count * each, b).feasible))
        count += step;
}

/* Machines that declared GPUs fill, all of theirs or a round part. */
static int64_t nodes_declared(const gp_case *c, size_t unit, int64_t declared) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t part = round_part(gpus);
    const bool idle = declared % gpus != 0 && declared % part == 0;
    return idle ? declared / part : gp_num_max_i64(1, (declared + gpus - 1) / gpus);
}

/* The counts that are tried: all of the first few, then eight an octave. */
static int64_t next_count(int64_t count) {
    int64_t step = 1;
    while (count >= 2 * OCTAVE * step)
        step *= 2;
    return count + step;
}

/* Most of `each` machines that there are to have. */
static int64_t most_counts(const gp_case *c, size_t unit, int64_t each, const bounds *b) {
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    return gp_num_min_i64(b->in.max_nodes / each, b->in.max_gpus / gpus);
}

static int64_t least_counts(int64_t each, const bounds *b) {
    return gp_num_max_i64(1, (b->in.min_nodes + each - 1) / each);
}

/* From a count on as long as so many octaves bring progress since `last`: less than `least` of the
 * time of the run, or of machine time. The limit does not choose among them, so a larger one is
 * never worse. */
static bool size_on(const gp_case *c, size_t unit, int64_t count, int64_t last, int octaves,
                    double least, const bounds *b) {
    const int64_t each = nodes_together(c, unit);
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    const int64_t most = most_counts(c, unit, each, b);
    const bool by_time = c->plan->objective == GP_OBJECTIVE_MIN_TIME;
    bool enough = false;
    for (; count <= most && count <= last << octaves; count = next_count(count)) {
        const gp_candidate tried = hopeless(c, unit, count * gpus)
                                       ? (gp_candidate){0}
                                       : consider_machines(c, unit, count * each, b);
        const double now = by_time ? tried.run.wall_s : work_of(&tried);
        enough = enough || tried.feasible;
        if (now > 0 && (least <= 0 || now < least))
            least = now;
        else if (least > 0)
            continue;
        last = count;
    }
    return enough;
}

/* Where time costs money or carbon, more machines than are enough may come to less. */
static void size_beyond(const gp_case *c, size_t unit, int64_t count, const gp_candidate *enough,
                        const bounds *b) {
    const gp_objective objective = c->plan->objective;
    if ((objective == GP_OBJECTIVE_MIN_COST || objective == GP_OBJECTIVE_MIN_CARBON) &&
        work_of(enough) > 0)
        (void)size_on(c, unit, next_count(count), count, 1, work_of(enough), b);
}

/* Whole machines, the limit itself last, until octaves bring no progress; from the first count that
 * is enough those just before it. */
static void size_machines(const gp_case *c, size_t unit, const bounds *b) {
    const int64_t each = nodes_together(c, unit);
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    const int64_t most = most_counts(c, unit, each, b);
    /* A part of a machine that is too small is told by what a whole one would lack. */
    if (most <= 0)
        (void)consider_machines(c, unit, each, b);
    double shortest = 0;
    double work = 0;
    int64_t before = least_counts(each, b) - 1;
    for (int64_t last = before + 1; before < most && before < last << STALLS_MAX;) {
        const int64_t count = gp_num_min_i64(next_count(before), most);
        const int64_t too_few = before;
        before = count;
        if (count < most &&
            (hopeless(c, unit, count * gpus) || too_slow(c, count * each, work, next_slack))) {
            last = count;
            continue;
        }
        const gp_candidate tried = consider_machines(c, unit, count * each, b);
        work = work_of(&tried) > 0 ? work_of(&tried) : work;
        if (tried.feasible) {
            refine(c, unit, each, too_few, count, work, b);
            size_beyond(c, unit, count, &tried, b);
            return;
        }
        const double wall = tried.run.wall_s;
        if (shortest <= 0 || (wall > 0 && wall < shortest))
            last = count;
        shortest = wall > 0 && (shortest <= 0 || wall < shortest) ? wall : shortest;
    }
}

static void size_training(const gp_case *c, size_t unit, const bounds *b) {
    const int64_t declared = gpus_declared(c);
    bool enough = false;
    if (b->in.max_nodes <= 0)
        return;
    if (!c->exclusive && (b->in.min_nodes <= 1 || c->slots_per_week > 0 || c->slots_min > 1))
        enough = size_parts(c, unit, b);
    if (b->in.min_nodes > 1 && consider_machines(c, unit, b->in.min_nodes, b).feasible)
        return;
    if (c->plan->objective == GP_OBJECTIVE_MIN_TIME && declared == 0)
        enough = size_on(c, unit, least_counts(nodes_together(c, unit), b), 1, STALLS_MAX, 0, b) ||
                 enough;
    else if (enough) { /* a machine that is there anyway, or bought whole, may be used whole */
        const int64_t nodes = gp_num_max_i64(1, b->in.min_nodes);
        const gp_candidate whole = consider_machines(c, unit, nodes, b);
        size_beyond(c, unit, nodes, &whole, b);
    }
    if (!enough && declared > 0)
        (void)consider_machines(c, unit, nodes_declared(c, unit, declared), b);
    else if (!enough)
        size_machines(c, unit, b);
}

/* Runs that wait for each other want the same machines: those of each other's ways, too. */
void gp_size_joined(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                    void *to) {
    const gp_plan_context *plan = c->plan;
    const bounds b = {within, false, sink, to};
    uint64_t seen = 0;
    const bool waits = c->kind == GP_DEMAND_DEADLINE || c->kind == GP_DEMAND_RECURRING;
    for (size_t i = 0; i < plan->case_count && plan->case_count <= JOINED_CASES && waits; i++) {
        const gp_case *other = &plan->cases[i];
        if (other->workload == c->workload || other->kind != c->kind || other->out->is_serving)
            continue;
        for (size_t k = 0; k < plan->ways[i].count; k++) {
            const gp_candidate *way = &plan->ways[i].items[k];
            const int64_t nodes = way->job_nodes;
            if (way->unit != &plan->units[unit] || nodes > JOINED_NODES ||
                nodes > within.max_nodes || (seen >> (nodes - 1) & 1) != 0)
                continue;
            seen |= (uint64_t)1 << (nodes - 1);
            (void)consider_machines(c, unit, nodes, &b);
        }
    }
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

/* Replicas for a demand. */
static int64_t replicas_for(const gp_case *c, const gp_serve_capability *found,
                            double requests_per_s) {
    return c->out->has_goal ? gp_carried_count(judged_rates(c, found), 1 - found->simulated_loss,
                                               requests_per_s * (1 + c->gpu_headroom_fraction))
                            : 1;
}

/* A job without end of requests keeps every place of its replicas taken, as far as it has so many
 * requests: no replica is done before one of them is. */
static void fill_offline(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         int64_t active, gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const double margin = gp_plan_margin(c, found->error_fraction, c->confidence);
    const gp_serve_memory *memory = &found->memory;
    const gp_serve_job job = gp_plan_serve_job(c, unit, &u->machine);
    const double requests = c->demand.requests_per_s * c->demand.deadline_s;
    const double room = gp_serve_admitted(&job, memory);
    const double places = gp_num_max(1, gp_num_min(room, requests * job.branches / (double)active));
    gp_serve_closed_loop(&job, &u->machine, &c->plan->networks[unit], &found->layout,
                         c->plan->constants, memory, places / gp_num_max(1, job.branches), NULL,
                         &ret->point);
    const double filled = places < room ? ret->point.utilization : 1;
    const double every_s = c->plan->spec->candidates.spot_interrupted_s;
    const double restart_s = c->plan->constants->run_restart_s;
    const double up = u->is_spot && every_s > 0 ? every_s / (every_s + restart_s) : 1;
    const double rate = up * ret->point.max_requests_per_s * filled * (double)active;
    ret->time_to_complete_s = gp_plan_band(requests / rate, margin);
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

/* Share of time that maintenance leaves of a cluster at one site; at another it goes on. */
static double outside_windows(const gp_case *c) {
    const gp_maintenance *m = &c->plan->spec->cluster.maintenance;
    return m->every_s > 0 && c->plan->site_count == 0 ? 1 - m->duration_s / m->every_s : 1;
}

static bool windows_forbid(const gp_case *c) {
    return outside_windows(c) < 1 && c->workload->goal.slo.availability >= outside_windows(c);
}

/* Share of time in which the replicas that the load needs are up: with so many on a machine. */
static double availability_of(const gp_case *c, const gp_machine *machine,
                              const gp_serve_capability *found, int64_t needed, int64_t replicas,
                              int64_t each) {
    const gp_constants *k = c->plan->constants;
    const double open = outside_windows(c);
    if (found->gpus >= machine->gpus)
        return open * gp_replica_availability(needed, replicas, found->nodes, k);
    return open *
           gp_replica_availability((needed + each - 1) / each, (replicas + each - 1) / each, 1, k);
}

double gp_size_availability(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t spare) {
    const int64_t each = gp_num_max_i64(1, machine->gpus / found->gpus);
    return availability_of(c, machine, found, needed, needed + spare, each);
}

/* Replicas held for availability. Machines fail, and with one all replicas on it: where several
 * share a machine, as many are held as whole machines of `each` would carry. */
static int64_t spares_for(const gp_case *c, const gp_machine *machine,
                          const gp_serve_capability *found, int64_t needed, int64_t each) {
    const double open = outside_windows(c);
    const double stated = c->workload->goal.slo.availability;
    const double availability = stated < open ? stated / open : 0;
    const gp_constants *k = c->plan->constants;
    const int64_t asked = c->workload->scaling.spare_replicas;
    /* More than there are to have, whatever is spare beside them. */
    if (nodes_for_replicas(machine, found, needed) > SPARES_FOR)
        return asked;
    const int64_t spare =
        found->gpus >= machine->gpus
            ? gp_spare_replicas(needed, found->nodes, availability, k)
            : gp_spare_replicas((needed + each - 1) / each, 1, availability, k) * each;
    return gp_num_max_i64(asked, spare);
}

int64_t gp_size_spares(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t needed, int64_t *ret_nodes) {
    const int64_t each = gp_num_max_i64(1, machine->gpus / found->gpus);
    const int64_t spare = spares_for(c, machine, found, needed, each);
    *ret_nodes = nodes_for_replicas(machine, found, needed + spare);
    return spare;
}

/* How many replicas carry load and how many are spare; most on one machine, 0: as many as fit. */
typedef struct fleet {
    int64_t needed, spare, each;
} fleet;

/* Those that the load needs, at least on `min_nodes` machines. */
static fleet fleet_for(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t min_nodes, int64_t each) {
    fleet f = {.needed = replicas_for(c, found, c->demand.requests_per_s), .each = each};
    f.needed = gp_num_max_i64(f.needed, c->workload->scaling.min_replicas);
    f.needed = gp_num_max_i64(f.needed, c->replicas_tried);
    while (nodes_for_replicas(machine, found, f.needed) < min_nodes)
        f.needed += gp_num_max_i64(1, machine->gpus / found->gpus);
    f.spare = spares_for(c, machine, found, f.needed, gp_num_max_i64(1, each));
    return f;
}

/* Exactly those declared: as few of them spare as the availability asks for; none where they are
 * too few for it, which the goal then shows. */
static fleet fleet_declared(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t declared, int64_t each) {
    for (int64_t spare = 0; spare < declared; spare++)
        if (spares_for(c, machine, found, declared - spare, gp_num_max_i64(1, each)) <= spare)
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
                       nodes_for_replicas(machine, found, declared) <= owned_nodes;
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
    const int64_t nodes = nodes_for_replicas(machine, found, replicas);
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
            availability_of(c, machine, found, f.needed, replicas, gp_num_max_i64(1, each)),
    };
    if (!found->fits || !c->out->has_goal)
        return;
    ret->requests_per_s = gp_size_carried(c, found, f.needed) * (double)f.needed;
    ret->requests_per_s_expected = gp_carried_each(&found->carried[0], f.needed) * (double)f.needed;
    ret->utilization = ret->requests_per_s > 0 ? c->demand.requests_per_s / ret->requests_per_s : 0;
}

/* What the replicas do under the load. */
static void describe(const gp_case *c, size_t unit, const gp_serve_capability *found,
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
    const int64_t needed = replicas_for(c, found, c->demand.requests_per_s);
    if (needed > active)
        return gp_count_lack(declared, needed + candidate->spare_replicas, "too few for the load",
                             "replicas");
    if (availability > 0 && candidate->availability_fraction < availability)
        return supply_lack(candidate->availability_fraction, availability, GP_DIM_FRACTION,
                           "no spare machine");
    return (gp_lack){.bound = GP_BOUND_NONE};
}

static gp_lack serving_lack(const gp_case *c, const gp_serve_capability *found,
                            const gp_candidate *candidate, const bounds *b) {
    const gp_scaling *scaling = &c->workload->scaling;
    const char *spot = spot_words(c, (size_t)(candidate->unit - c->plan->units));
    if (spot != NULL)
        return supply_lack(0, 0, GP_DIM_COUNT, spot);
    if (!found->fits && !c->out->is_seats && found->memory.memory.fit != GP_FIT_NOT)
        return room_lack(c, &found->memory);
    if (!found->fits)
        return memory_lack(&found->memory.memory);
    if (c->out->has_goal && gp_size_carried(c, found, 1) <= 0)
        return latency_lack(c, found);
    const double open = outside_windows(c);
    if (windows_forbid(c))
        return supply_lack(open, c->workload->goal.slo.availability, GP_DIM_FRACTION,
                           "maintenance windows leave less than the required availability");
    const gp_lack few = declared_lack(c, found, candidate);
    if (few.bound != GP_BOUND_NONE)
        return few;
    const gp_lack many = machines_lack(candidate, b);
    if (many.bound != GP_BOUND_NONE)
        return many;
    if (scaling->max_replicas > 0 && candidate->replicas > scaling->max_replicas)
        return gp_count_lack(scaling->max_replicas, candidate->replicas, "over maxReplicas",
                             "scaling.maxReplicas");
    if (c->workload->placement.survives != NULL)
        return (gp_lack){.bound = GP_BOUND_SUPPLY,
                         .dim = GP_DIM_COUNT,
                         .why =
                             "at a single site the service does not survive the loss of that site",
                         .path = "placement.survives",
                         .is_own = true};
    return (gp_lack){.bound = GP_BOUND_NONE};
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
    const int64_t needed =
        gp_num_max_i64(replicas_for(c, found, requests_per_s), c->workload->scaling.min_replicas);
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

static int64_t densest(const gp_machine *machine, const gp_serve_capability *found) {
    return found->gpus >= machine->gpus ? 1 : machine->gpus / found->gpus;
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
    const int64_t most = densest(machine, found);
    const int64_t load = replicas_for(c, found, c->demand.requests_per_s);
    int64_t best_each = most;
    spread best = {0};
    if (!(c->workload->goal.slo.availability > 0) || found->gpus >= machine->gpus || !found->fits)
        return most;
    for (int64_t each = most; each > 0; each--) {
        const fleet f = fleet_of(c, unit, found, min_nodes, each);
        const int64_t spares = spares_for(c, machine, found, f.needed, each);
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
static void tell_refusal(const gp_case *c, size_t unit, const bounds *b) {
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
                                    const bounds *b, double *ret_w) {
    gp_candidate candidate;
    fill_serving(c, unit, found, b->in.min_nodes, best_spread(c, unit, found, b->in.min_nodes),
                 &candidate);
    candidate.lack = serving_lack(c, found, &candidate, b);
    candidate.feasible = candidate.lack.bound == GP_BOUND_NONE;
    if (c->offline && !b->counted)
        describe(c, unit, found, &candidate);
    if (!b->counted)
        gp_part_of(c, &candidate);
    *ret_w = b->sink(b->to, &candidate);
    return candidate;
}

/* With so many at the load. */
static double consider_replicas(const gp_case *c, size_t unit, const gp_serve_capability *found,
                                int64_t replicas, const bounds *b) {
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
                         const gp_candidate *least, double watts, const bounds *b) {
    const int64_t active = least->replicas - least->spare_replicas;
    const int64_t room =
        least->nodes * densest(&c->plan->units[unit].machine, found) - least->spare_replicas;
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
                         const bounds *b) {
    const int64_t each = densest(&c->plan->units[unit].machine, found);
    const int64_t nodes =
        gp_num_min_i64(b->in.max_nodes, c->plan->spec->candidates.limits.max_nodes);
    const int64_t most =
        gp_num_min_i64(nodes / found->nodes, b->in.max_gpus / (found->gpus * each));
    for (int64_t count = 1; count < each && most > 0; count++)
        (void)consider_replicas(c, unit, found, count, b);
    for (int64_t count = 1; count < most; count = next_count(count))
        (void)consider_replicas(c, unit, found, count * each, b);
    (void)consider_replicas(c, unit, found, most * each, b);
}

static double rate_per_gpu(const gp_candidate *candidate) {
    return candidate->feasible ? candidate->requests_per_s / (double)candidate->gpus : 0;
}

static void size_together(const gp_case *c, size_t unit, const bounds *b) {
    int64_t count = 0;
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const gp_serve_capability *fastest = NULL;
    double most = 0;
    if (count == 0)
        tell_refusal(c, unit, b);
    for (int64_t i = 0; i < count; i++) {
        double watts = 0;
        const gp_candidate least = consider_layout(c, unit, &all[i], b, &watts);
        add_replicas(c, unit, &all[i], &least, watts, b);
        if (rate_per_gpu(&least) > most) {
            most = rate_per_gpu(&least);
            fastest = &all[i];
        }
    }
    if (c->offline && fastest != NULL && !c->counted && c->plan->objective == GP_OBJECTIVE_MIN_TIME)
        spread_batch(c, unit, fastest, b);
}

/* A pair, and it with more replicas for decoding as long as each draws less: what a split service
 * draws hangs on them. */
static void size_pair(const gp_case *c, size_t unit, const gp_split_capability *pair,
                      int64_t most_gpus, const bounds *b) {
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
static void size_apart(const gp_case *c, size_t unit, const bounds *b) {
    int64_t count = 0;
    gp_candidate least;
    gp_size_split(c, unit, b->in.max_nodes, b->in.max_gpus, &least);
    least.feasible = least.feasible && least.nodes >= b->in.min_nodes;
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
    const double below = gp_split_gpus_below(c, unit, gp_size_judged(c), gp_size_asked(c));
    for (int64_t i = 0; i < count; i++)
        if (gp_split_is_worth(c, unit, &pairs[i], below))
            size_pair(c, unit, &pairs[i], most_gpus, b);
}

/* Prefill and decode together, and apart; what is to be sized beyond its need, for comparison, is
 * kept together, and so is a declared layout, unless pools of it are asked for. */
static void size_serving(const gp_case *c, size_t unit, const bounds *b) {
    const bool refused =
        spot_words(c, unit) != NULL || windows_forbid(c) || c->workload->placement.survives != NULL;
    /* What refuses pools refuses one kind of replica, too, and is told of that. */
    if (c->split_mode != GP_SPLIT_ALWAYS || refused)
        size_together(c, unit, b);
    if (refused || c->split_mode == GP_SPLIT_NEVER || (c->pinned && c->split_mode == GP_SPLIT_AUTO))
        return;
    size_apart(c, unit, b);
}

static void serve_again(const gp_case *c, size_t unit, gp_candidate *ret) {
    const int64_t active = ret->replicas - ret->spare_replicas;
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *held = gp_search_held(c, unit, &ret->serve_layout);
    if (held == NULL)
        return;
    gp_serve_capability found = *held;
    ret->memory = found.memory.memory;
    ret->serve_memory = found.memory;
    ret->error_fraction = found.error_fraction;
    ret->availability_fraction =
        gp_size_availability(c, machine, &found, active, ret->spare_replicas);
    const double carried = gp_size_carried(c, &found, active);
    if (ret->simulated_share > 0 && carried > 0)
        found.simulated_loss = 1 - ret->simulated_share * gp_size_asked(c) / carried;
    ret->requests_per_s = gp_size_carried(c, &found, active) * (double)active;
    ret->requests_per_s_expected = gp_carried_each(&found.carried[0], active) * (double)active;
    if (found.fits && c->out->has_goal && active > 0)
        (c->offline ? fill_offline : fill_point)(c, unit, &found, active, ret);
}

static void size_again(const gp_case *c, size_t unit, gp_candidate *ret) {
    ret->unit = &c->plan->units[unit];
    ret->timing = (gp_timing){0};
    if (c->out->is_serving && ret->split.present)
        gp_split_size_again(c, unit, ret);
    else if (c->out->is_serving)
        serve_again(c, unit, ret);
    else if (gp_layout_gpus(&ret->layout) > 0) {
        gp_train_size_again(c, unit, ret);
        fill_times(c, ret);
    }
}

/* On the kinds of machines and with the counts that it was chosen with. */
void gp_size_again(const gp_case *c, const gp_candidate *like, gp_candidate *ret) {
    const gp_unit *units = c->plan->options->hold->units.items;
    const size_t count = (size_t)like->share_count;
    gp_candidate *shares = GP_NEW_ARRAY(c->plan->arena, gp_candidate, count + 1);
    *ret = *like;
    for (size_t k = 0; k < count; k++) {
        gp_workload workload;
        const gp_case part = gp_spread_case(c, like->shares[k].share_fraction, &workload);
        shares[k] = like->shares[k];
        size_again(&part, (size_t)(shares[k].unit - units), &shares[k]);
    }
    if (count > 0)
        gp_spread_sum(c, shares, like->share_count, ret);
    else if (like->present)
        size_again(c, (size_t)(like->unit - units), ret);
    ret->feasible = like->feasible;
}

static void size_held(const gp_case *c, size_t unit, const bounds *b) {
    gp_candidate again;
    if (c->held->unit != &c->plan->options->hold->units.items[unit])
        return;
    gp_size_again(c, c->held, &again);
    (void)b->sink(b->to, &again);
}

static void size_each(const gp_case *c, size_t unit, const bounds *b) {
    if (c->held != NULL)
        size_held(c, unit, b);
    else if (c->out->is_serving)
        size_serving(c, unit, b);
    else
        size_training(c, unit, b);
}

void gp_size_each(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                  void *to) {
    size_each(c, unit, &(bounds){within, false, sink, to});
}

void gp_size_counts(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                    void *to) {
    size_each(c, unit, &(bounds){within, true, sink, to});
}

/* The fewest GPUs, then machines; where none is enough, what comes nearest. */
static bool nearer(const gp_candidate *a, const gp_candidate *b) {
    if (a->feasible != b->feasible)
        return a->feasible;
    return a->feasible ? a->gpus < b->gpus || (a->gpus == b->gpus && a->nodes < b->nodes)
                       : gp_lack_distance(&a->lack) < gp_lack_distance(&b->lack);
}

static double keep_fewest(void *to, const gp_candidate *candidate) {
    gp_candidate *best = to;
    if (candidate->present && (!best->present || nearer(candidate, best)))
        *best = *candidate;
    return 0;
}

static void count_fewest(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret) {
    *ret = (gp_candidate){.unit = &c->plan->units[unit]};
    gp_size_counts(c, unit, within, keep_fewest, ret);
}

void gp_size_describe(const gp_case *c, gp_candidate *ret) {
    const gp_serve_capability *found =
        c->out->is_serving && ret->present && !ret->lack.refused && !ret->split.present
            ? gp_size_capability(c, ret)
            : NULL;
    if (ret->described || ret->share_count > 0)
        return;
    if (ret->split.present)
        gp_split_describe(c, ret);
    if (found == NULL)
        return;
    describe(c, (size_t)(ret->unit - c->plan->units), found, ret);
    gp_part_of(c, ret);
}

/* Which it is hangs on counts alone, so that only this one is described. */
void gp_size_fewest(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret) {
    count_fewest(c, unit, within, ret);
    gp_size_describe(c, ret);
}

/* So many machines are enough for a demand. */
static bool is_held(const gp_case *c, size_t unit, gp_size_bounds within, double requests_per_s) {
    gp_case other = *c;
    gp_candidate sized;
    other.demand.requests_per_s = requests_per_s;
    count_fewest(&other, unit, within, &sized);
    return sized.feasible;
}

double gp_size_held(const gp_case *c, size_t unit, int64_t nodes, int64_t gpus) {
    const gp_size_bounds within = {.max_nodes = nodes, .max_gpus = gpus};
    double low = 0;
    double high = c->demand.requests_per_s;
    for (int i = 0; i < HELD_DOUBLINGS && is_held(c, unit, within, high); i++) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < HELD_STEPS; i++) {
        const double middle = 0.5 * (low + high);
        *(is_held(c, unit, within, middle) ? &low : &high) = middle;
    }
    return low;
}

/* One row of a layout, sized for the demand. */
static gp_candidate row_of(const gp_case *c, size_t unit, const gp_serve_capability *found,
                           const bounds *b) {
    gp_candidate row;
    fill_serving(c, unit, found, 0, best_spread(c, unit, found, 0), &row);
    row.lack = serving_lack(c, found, &row, b);
    row.feasible = row.lack.bound == GP_BOUND_NONE;
    describe(c, unit, found, &row);
    return row;
}

void gp_size_like(const gp_case *c, const gp_candidate *like, gp_candidate *ret) {
    const size_t unit = (size_t)(like->unit - c->plan->units);
    const bounds b = {.in = gp_size_any(c->plan, unit)};
    const gp_serve_capability *found = like->split.present ? NULL : gp_size_capability(c, like);
    *ret = (gp_candidate){.unit = like->unit};
    if (like->split.present) {
        gp_size_split(c, unit, b.in.max_nodes, b.in.max_gpus, ret);
        gp_split_describe(c, ret);
    } else if (found != NULL)
        *ret = row_of(c, unit, found, &b);
    gp_price_candidate(c, 0, ret);
}

/* Of more layouts than rows the nearest to what is wanted, those first. */
int gp_size_layouts(const gp_case *c, size_t unit, int most, gp_candidate *ret) {
    int64_t count = 0;
    int filled = 0;
    const bounds b = {.in = gp_size_any(c->plan, unit)};
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const bool choose = count > most;
    for (int64_t i = 0; i < count; i++) {
        const gp_candidate row = row_of(c, unit, &all[i], &b);
        int at = filled;
        while (choose && at > 0 && nearer(&row, &ret[at - 1]))
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
