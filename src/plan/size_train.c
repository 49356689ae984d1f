/*
 * Training, fine-tuning and LoRA on one kind of machine. Counts of machines are tried one by one at
 * first, then eight an octave; just before the first that is enough also some in between. No count
 * tells what another takes: batches and heads divide over some much better than over others.
 */
#include "plan/size.h"

#include "base/num.h"

static const double s_per_week = 604800; /* definition */
enum {
    SHARED_MAX = 8,    /* jobs to a GPU */
    STALLS_MAX = 3,    /* octaves without progress before a search gives up */
    OCTAVE = 8,        /* counts tried between two powers of two, */
    FINER = 64,        /* and at least so many steps up to the first that is enough, of which the */
    LAST = 16,         /* last so many are taken */
    JOINED_CASES = 24, /* of at most so many runs each looks at the machines of the others, */
    JOINED_NODES = 64  /* up to so many */
};

/* What comes back does so many at a time, beside those before that have not ended. */
static int64_t slots_for(const gp_case *c, double wall_s) {
    const int64_t weekly = gp_num_ceil_count(c->slots_per_week * wall_s / s_per_week);
    if (c->kind == GP_DEMAND_RECURRING)
        return c->slots_min * gp_num_max_i64(1, weekly);
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

void gp_train_fill_times(const gp_case *c, gp_candidate *ret) {
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
        gp_train_fill_times(c, ret);
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

/* Too slow, in the terms of the goal. */
static gp_lack speed_lack(const gp_case *c, gp_bound bound, double wall, double allowed) {
    const double tokens = c->demand.rated_tokens;
    return tokens > 0
               ? (gp_lack){.bound = bound,
                           .have = tokens / wall,
                           .need = tokens / allowed,
                           .dim = GP_DIM_PER_S}
               : (gp_lack){.bound = bound, .have = wall, .need = allowed, .dim = GP_DIM_TIME};
}

/* Why this candidate is not enough; bound NONE when it is. */
static gp_lack training_lack(const gp_case *c, const gp_train_capability *found,
                             const gp_candidate *candidate, const gp_sizing *b) {
    const char *spot = gp_lack_spot(c, (size_t)(candidate->unit - c->plan->units));
    if (spot != NULL)
        return gp_lack_of_supply(0, 0, GP_DIM_COUNT, spot);
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
        return gp_lack_of_memory(&found->memory);
    const double wall = candidate->time_to_complete_s.high;
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    if (c->demand.deadline_s > 0 && wall > allowed)
        return speed_lack(c,
                          c->out->is_rl ? gp_bound_of_rl(&found->rl, &found->time, &found->run)
                                        : gp_bound_of_training(&found->time, &found->run),
                          wall, allowed);
    return gp_lack_of_machines(candidate, b);
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
                                   const gp_sizing *b) {
    const gp_train_capability *found = gp_search_job(c, unit, place);
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
                                      const gp_sizing *b) {
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
static void size_shared(const gp_case *c, size_t unit, const gp_sizing *b) {
    const int64_t asked = c->workload->jobs.per_gpu;
    const int64_t most = gp_num_min_i64(asked > 0 ? asked : SHARED_MAX, SHARED_MAX);
    const int64_t wanted = c->slots_per_week > 0 ? most : gp_num_min_i64(most, c->slots_min);
    for (int64_t jobs = 2; jobs <= wanted; jobs++) {
        const gp_train_place place = {.gpus = 1, .jobs = jobs, .nodes = 1};
        const gp_train_capability *found = gp_search_job(c, unit, place);
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
static bool size_parts(const gp_case *c, size_t unit, const gp_sizing *b) {
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

/* Machines whose GPUs, all or a round part of each, the declared degrees make up: multiples of
 * this. */
static int64_t nodes_together(const gp_case *c, size_t unit) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t ranks = ranks_declared(c);
    const int64_t shared =
        gp_num_max_i64(gp_num_gcd(ranks, gpus), gp_num_gcd(ranks, round_part(gpus)));
    return gp_num_min_i64(ranks / shared, GP_NUM_COUNT_MAX / gpus);
}

static int64_t least_counts(int64_t each, const gp_sizing *b) {
    return gp_num_max_i64(1, (b->in.min_nodes + each - 1) / each);
}

/* Before a count that is enough the smallest that is enough, too: a batch divides over some counts
 * better than over those beside them. Counts are of `each` machines. */
static void refine(const gp_case *c, size_t unit, int64_t each, int64_t enough,
                   const gp_sizing *b) {
    int64_t step = 1; /* a power of two, as what divides well */
    while (2 * step * FINER <= enough)
        step *= 2;
    int64_t count = gp_num_max_i64(least_counts(each, b), (enough / step - LAST) * step);
    while (count < enough && !consider_machines(c, unit, count * each, b).feasible)
        count += step;
}

/* Machines that declared GPUs fill, all of theirs or a round part. */
static int64_t nodes_declared(const gp_case *c, size_t unit, int64_t declared) {
    const int64_t gpus = c->plan->units[unit].machine.gpus;
    const int64_t part = round_part(gpus);
    const bool idle = declared % gpus != 0 && declared % part == 0;
    return idle ? declared / part : gp_num_max_i64(1, (declared + gpus - 1) / gpus);
}

int64_t gp_size_next_count(int64_t count) {
    int64_t step = 1;
    while (count >= 2 * OCTAVE * step)
        step *= 2;
    return count + step;
}

/* Most of `each` machines that there are to have. */
static int64_t most_counts(const gp_case *c, size_t unit, int64_t each, const gp_sizing *b) {
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    return gp_num_min_i64(b->in.max_nodes / each, b->in.max_gpus / gpus);
}

/* From a count on as long as so many octaves bring progress since `last`: less than `least` of the
 * time of the run, or of machine time. The limit does not choose among them, so a larger one is
 * never worse. */
static bool size_on(const gp_case *c, size_t unit, int64_t count, int64_t last, int octaves,
                    double least, const gp_sizing *b) {
    const int64_t each = nodes_together(c, unit);
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    const int64_t most = most_counts(c, unit, each, b);
    const bool by_time = c->plan->objective == GP_OBJECTIVE_MIN_TIME;
    bool enough = false;
    for (; count <= most && count <= last << octaves; count = gp_size_next_count(count)) {
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

/* Runs of the same kind may wait for each other. */
static bool waits_with(const gp_case *c, const gp_case *other) {
    return (c->kind == GP_DEMAND_DEADLINE || c->kind == GP_DEMAND_RECURRING) &&
           other->workload != c->workload && other->kind == c->kind && !other->out->is_serving;
}

static bool may_wait(const gp_case *c) {
    bool any = false;
    for (size_t i = 0; i < c->plan->case_count && c->plan->case_count <= JOINED_CASES; i++)
        any = any || waits_with(c, &c->plan->cases[i]);
    return any;
}

/* More machines than are enough may come to less where time costs money or carbon, where another
 * run has them in its turn, and where one run after the other does what took several at once. */
static void size_beyond(const gp_case *c, size_t unit, int64_t count, const gp_candidate *enough,
                        const gp_sizing *b) {
    const gp_objective objective = c->plan->objective;
    const bool priced = objective == GP_OBJECTIVE_MIN_COST || objective == GP_OBJECTIVE_MIN_CARBON;
    const bool several = enough->job_nodes > 0 && enough->job_nodes < enough->nodes;
    if ((priced || several || may_wait(c)) && work_of(enough) > 0)
        (void)size_on(c, unit, gp_size_next_count(count), count, 1, work_of(enough), b);
}

/* Whole machines, the limit itself last, until octaves bring no progress; from the first count that
 * is enough those just before it. */
static void size_machines(const gp_case *c, size_t unit, const gp_sizing *b) {
    const int64_t each = nodes_together(c, unit);
    const int64_t gpus = c->plan->units[unit].machine.gpus * each;
    const int64_t most = most_counts(c, unit, each, b);
    /* A part of a machine that is too small is told by what a whole one would lack. */
    if (most <= 0)
        (void)consider_machines(c, unit, each, b);
    double shortest = 0;
    int64_t before = least_counts(each, b) - 1;
    for (int64_t last = before + 1; before < most && before < last << STALLS_MAX;) {
        const int64_t count = gp_num_min_i64(gp_size_next_count(before), most);
        before = count;
        if (count < most && hopeless(c, unit, count * gpus)) {
            last = count;
            continue;
        }
        const gp_candidate tried = consider_machines(c, unit, count * each, b);
        if (tried.feasible) {
            refine(c, unit, each, count, b);
            size_beyond(c, unit, count, &tried, b);
            return;
        }
        const double wall = tried.run.wall_s;
        if (shortest <= 0 || (wall > 0 && wall < shortest))
            last = count;
        shortest = wall > 0 && (shortest <= 0 || wall < shortest) ? wall : shortest;
    }
}

void gp_size_training(const gp_case *c, size_t unit, const gp_sizing *b) {
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
    const gp_sizing b = {within, false, sink, to};
    uint64_t seen = 0;
    for (size_t i = 0; i < plan->case_count && plan->case_count <= JOINED_CASES; i++) {
        if (!waits_with(c, &plan->cases[i]))
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
