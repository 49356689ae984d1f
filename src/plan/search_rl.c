/*
 * Reinforcement learning in a place: the training layouts and the engines' layouts of the other
 * searches, put together. The same GPUs generate and train in turn, or each of both has GPUs of its
 * own; which of them, and how the GPUs are dealt out, is what is searched here.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

typedef struct search {
    const gp_case *c;
    size_t unit;
    const gp_machine *machine;
    const gp_network *network;
    gp_rl_job job;
    int64_t nodes;
    gp_case learn, generate; /* as one of its parts */
    gp_train_capability *best;
    gp_rl_plan plan; /* of the best */
} search;

/* That check answers; where nobody counted those of a machine, as many as it needs. */
static int64_t cores_of(const gp_case *c, size_t unit) {
    const gp_system *system = c->plan->units[unit].system;
    const int64_t stated = c->workload->rl.reward.cores;
    const int64_t there = stated > 0 ? stated : system->cpu_cores;
    return there > 0 ? there : gp_host_cores_of(system->gpus, false, c->plan->constants);
}

static gp_rl_job rl_job(const gp_case *c, size_t unit) {
    const gp_workload_plan *out = c->out;
    const gp_rl_spec *rl = &c->workload->rl;
    gp_rl_job job = out->rl;
    job.policy = &out->train;
    job.rollout = &out->serve;
    job.reference = rl->reference ? &out->shape : NULL;
    job.critic = out->critic.model != NULL ? &out->critic : NULL;
    job.reward = out->reward.model != NULL ? &out->reward : NULL;
    job.verify_cores = (double)cores_of(c, unit);
    return job;
}

int64_t gp_candidate_job_gpus(const gp_candidate *candidate) {
    const gp_rl_place *place = &candidate->rl.place;
    return gp_layout_gpus(&candidate->layout) + (place->together ? 0 : place->rollout_gpus);
}

void gp_rl_plan_of(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                   gp_rl_plan *ret) {
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    const gp_machine *machine = &candidate->unit->machine;
    const gp_rl_job job = rl_job(c, unit);
    *ret = (gp_rl_plan){.place = candidate->rl.place};
    gp_rl_memory_of(&job, machine, &ret->place, c->plan->constants, c->memory_headroom_fraction,
                    trace, &ret->memory);
    gp_rl_step_time(&job, machine, &c->plan->networks[unit], &ret->place, &ret->memory,
                    c->plan->constants, trace, &ret->time);
}

void gp_rl_step_with(const gp_case *c, const gp_candidate *candidate, const gp_machine *machine,
                     const gp_network *network, gp_rl_time *ret) {
    const gp_rl_job job = rl_job(c, (size_t)(candidate->unit - c->plan->units));
    gp_rl_memory memory;
    gp_rl_memory_of(&job, machine, &candidate->rl.place, c->plan->constants,
                    c->memory_headroom_fraction, NULL, &memory);
    gp_rl_step_time(&job, machine, network, &candidate->rl.place, &memory, c->plan->constants, NULL,
                    ret);
}

/* A GPU that also generates keeps room for what the engine leaves on it. */
static void start_parts(search *s) {
    const gp_constants *k = s->c->plan->constants;
    gp_case_copies *copies = s->c->plan->copies;
    gp_case *const parts[] = {&s->learn, &s->generate};
    gp_case_copy *const both[] = {&copies->learn, &copies->generate};
    for (int i = 0; i < 2; i++) {
        both[i]->out = *s->c->out;
        both[i]->workload = *s->c->workload;
        *parts[i] = *s->c;
        parts[i]->out = &both[i]->out;
        parts[i]->workload = &both[i]->workload;
    }
    s->learn.part = GP_RL_LEARN;
    s->learn.memory_headroom_fraction += k->rl_engine_left_bytes / s->machine->hbm_bytes;
    s->generate.part = GP_RL_GENERATE;
    s->generate.pinned = false;
    s->generate.out->is_serving = true;
    s->generate.out->is_rl = false;
    copies->generate.workload.parallelism = s->c->workload->rl.engine;
}

/* Engines on the GPUs of a place, as the job asks of them. */
typedef struct engines {
    gp_rl_job job;
    gp_serve_job rollout;
    gp_machine machine; /* with what is left of its memory for them */
    int64_t count;
    const gp_serve_capability *all;
    double least_s[GP_PLAN_LAYOUTS_MAX]; /* of each; HUGE_VAL: it does not hold the model there */
} engines;

static gp_serve_memory pool_of(const search *s, const gp_rl_place *place, const engines *e,
                               const gp_serve_layout *layout) {
    gp_serve_memory pool;
    gp_serve_memory_of(&e->rollout, &e->machine, layout, s->c->plan->constants,
                       s->c->memory_headroom_fraction, NULL, &pool);
    if (pool.memory.fit == GP_FIT_NOT || gp_serve_layout_gpus(layout) > place->rollout_gpus)
        pool.max_concurrency = 0;
    return pool;
}

static void engines_of(const search *s, const gp_rl_place *place, const gp_memory *update,
                       engines *ret) {
    const gp_constants *k = s->c->plan->constants;
    const double stays = update->bytes[GP_MEMORY_WEIGHTS] + update->bytes[GP_MEMORY_OPTIMIZER];
    ret->job = s->job;
    ret->rollout = *s->job.rollout;
    ret->machine = *s->machine;
    ret->job.rollout = &ret->rollout;
    ret->job.lag = place->together ? 0 : s->job.lag;
    ret->rollout.claim_fraction = place->together ? k->rl_engine_claim_fraction : 0;
    ret->machine.hbm_bytes -= place->together && place->stays ? stays : 0;
    ret->all = gp_search_serve(&s->generate, s->unit, &ret->count);
    for (int64_t i = 0; i < ret->count; i++) {
        const gp_serve_memory pool = pool_of(s, place, ret, &ret->all[i].layout);
        ret->least_s[i] = gp_rl_rollout_least_s(&ret->job, s->machine, s->network,
                                                &ret->all[i].layout, place->rollout_gpus, &pool, k);
    }
}

static int64_t least_of(const engines *e) {
    int64_t least = 0;
    for (int64_t i = 1; i < e->count; i++)
        least = e->least_s[i] < e->least_s[least] ? i : least;
    return least;
}

/* The engine that generates soonest on so many GPUs, tried by what each takes at the least; false
 * where none holds the model. */
static bool choose_engine(const search *s, gp_rl_place *place, const gp_rl_memory *memory) {
    engines e;
    gp_rl_time time = {0};
    double best_s = HUGE_VAL;
    engines_of(s, place, &memory->update, &e);
    while (e.count > 0) {
        const int64_t i = least_of(&e);
        if (e.least_s[i] >= best_s)
            break;
        const gp_serve_memory pool = pool_of(s, place, &e, &e.all[i].layout);
        const double each_s =
            gp_rl_rollout_s(&e.job, s->machine, s->network, &e.all[i].layout, place->rollout_gpus,
                            &pool, s->c->plan->constants, &time);
        e.least_s[i] = HUGE_VAL;
        if (best_s < HUGE_VAL && gp_num_compare9(each_s, best_s) >= 0)
            continue;
        best_s = each_s;
        place->engine = e.all[i].layout;
    }
    return best_s < HUGE_VAL;
}

/* What comes nearest where nothing fits. */
static void keep_nearest(search *s, const gp_train_capability *learn) {
    gp_train_capability *best = s->best;
    const bool nearer = best->tried == 0 ||
                        (learn->tried > 0 && learn->memory.short_bytes < best->memory.short_bytes);
    best->tried += learn->tried;
    best->rule = best->rule != NULL ? best->rule : learn->rule;
    best->refused = best->refused != NULL ? best->refused : learn->refused;
    if (best->fits || learn->fits || !nearer)
        return;
    best->layout = learn->layout;
    best->memory = learn->memory;
    best->outside_bytes = learn->outside_bytes;
    best->outside_room_bytes = learn->outside_room_bytes;
}

/* The updates fit, and another phase does not. */
static void keep_short(search *s, const gp_train_capability *learn, const gp_memory *memory) {
    gp_train_capability *best = s->best;
    if (best->fits ||
        (best->memory.short_bytes > 0 && best->memory.short_bytes <= memory->short_bytes))
        return;
    best->layout = learn->layout;
    best->memory = *memory;
    best->outside_bytes = 0;
}

/* The least that an engine lacks on so many GPUs. */
static void keep_engine(search *s, const gp_train_capability *learn, const gp_rl_place *place) {
    int64_t count = 0;
    const gp_constants *k = s->c->plan->constants;
    const gp_serve_capability *all = gp_search_serve(&s->generate, s->unit, &count);
    for (int64_t i = 0; i < count; i++) {
        gp_rl_place at = *place;
        gp_rl_memory memory;
        if (all[i].gpus > place->rollout_gpus)
            continue;
        at.engine = all[i].layout;
        gp_rl_memory_of(&s->job, s->machine, &at, k, s->c->memory_headroom_fraction, NULL, &memory);
        gp_memory *const engine = &memory.rollout.memory;
        engine->short_bytes = memory.short_bytes;
        engine->total_bytes = gp_num_max(engine->total_bytes, memory.short_bytes);
        keep_short(s, learn, engine);
    }
}

static gp_rl_way way_of(const gp_rl_plan *plan) {
    const double *phase = plan->time.phase_s;
    gp_rl_way way = {.place = plan->place,
                     .rollout_s = phase[GP_RL_ROLLOUT],
                     .between_s = phase[GP_RL_REFIT] + phase[GP_RL_SWITCH]};
    for (int i = 0; i < GP_RL_PHASE_COUNT; i++)
        way.learn_s += i == GP_RL_OTHER ? 0 : phase[i];
    way.learn_s -= way.rollout_s + way.between_s;
    return way;
}

/* The parts of the updates, and the step that they are in. */
static gp_train_time time_of(const gp_rl_time *t, double updates) {
    gp_train_time time = t->update;
    double *const parts[] = {
        &time.gemm_s, &time.attention_s, &time.elementwise_s,  &time.head_s, &time.launch_s,
        &time.tp_s,   &time.cp_s,        &time.ep_s,           &time.pp_s,   &time.bubble_s,
        &time.dp_s,   &time.optimizer_s, &time.communication_s};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        *parts[i] *= updates;
    time.step_s = t->step_s;
    time.tokens_per_s = t->tokens_per_s;
    return time;
}

static void keep_best(search *s, const gp_train_capability *learn, const gp_rl_plan *plan) {
    gp_train_capability *best = s->best;
    if (best->fits && gp_num_compare9(plan->time.step_s, s->plan.time.step_s) >= 0)
        return;
    s->plan = *plan;
    best->fits = true;
    best->layout = learn->layout;
    best->memory = plan->memory.update;
    best->time = time_of(&plan->time, s->job.updates);
    best->outside_bytes = plan->memory.away_bytes + learn->outside_bytes;
}

/* Host memory for what is away, where it is stated. */
static bool host_holds(const search *s, double bytes, double *ret_room_bytes) {
    const gp_system *system = s->machine->system;
    const double room = system->memory_bytes * (1 - s->c->memory_headroom_fraction);
    const double each = room / (double)s->machine->gpus;
    if (!GP_GIVEN(system, gp_system, memory_bytes) || bytes <= each)
        return true;
    *ret_room_bytes = each;
    return false;
}

/* Training on so many GPUs of so many machines, generation on `rollout` GPUs. */
static void try_split(search *s, gp_train_place trains, int64_t rollout, bool together,
                      bool stays) {
    const gp_constants *k = s->c->plan->constants;
    const gp_train_capability *learn = gp_search_train(&s->learn, s->unit, trains);
    if (learn == NULL)
        return;
    keep_nearest(s, learn);
    if (!learn->fits)
        return;
    gp_rl_plan plan = {.place = {.layout = learn->layout,
                                 .rollout_gpus = rollout,
                                 .together = together,
                                 .stays = stays,
                                 .nodes = s->nodes}};
    const gp_rl_memory before = {.update = learn->memory};
    if (!choose_engine(s, &plan.place, &before)) {
        keep_engine(s, learn, &plan.place);
        return;
    }
    gp_rl_memory_of(&s->job, s->machine, &plan.place, k, s->c->memory_headroom_fraction, NULL,
                    &plan.memory);
    if (plan.memory.short_bytes > 0) {
        plan.memory.update.short_bytes = plan.memory.short_bytes;
        keep_short(s, learn, &plan.memory.update);
        return;
    }
    const double outside = plan.memory.away_bytes + learn->outside_bytes;
    if (!host_holds(s, outside, &s->best->outside_room_bytes)) {
        s->best->outside_bytes = outside;
        s->best->layout = learn->layout;
        return;
    }
    gp_rl_step_time(&s->job, s->machine, s->network, &plan.place, &plan.memory, k, NULL,
                    &plan.time);
    keep_best(s, learn, &plan);
}

static void try_together(search *s, gp_train_place place) {
    try_split(s, place, place.gpus, true, false);
    try_split(s, place, place.gpus, true, true);
}

/* Apart: machines, or GPUs of one, for training in powers of two and in three of four. */
static void try_apart(search *s, gp_train_place place) {
    const int64_t whole = place.nodes > 1 ? place.nodes : place.gpus;
    const int64_t each = place.gpus / whole;
    const int64_t stated = s->c->workload->rl.rollout_gpus;
    if (stated > 0) {
        const int64_t trains = place.gpus - stated;
        const int64_t per_node = place.gpus / place.nodes;
        if (trains > 0)
            try_split(s,
                      (gp_train_place){
                          .gpus = trains, .jobs = 1, .nodes = (trains + per_node - 1) / per_node},
                      stated, false, false);
        return;
    }
    for (int64_t trains = 1; trains < whole; trains *= 2) {
        const int64_t more = trains * 2 < whole ? 0 : whole / 4 * 3;
        const int64_t tried[] = {trains, more};
        for (int i = 0; i < 2; i++)
            if (tried[i] > 0 && (i == 0 || tried[i] > trains))
                try_split(s,
                          (gp_train_place){.gpus = tried[i] * each,
                                           .jobs = 1,
                                           .nodes = place.nodes > 1 ? tried[i] : 1},
                          (whole - tried[i]) * each, false, false);
    }
}

/* The best layouts of updates and engines, together or apart, in a place. */
static void search_rl(const gp_case *c, size_t unit, gp_train_place place,
                      gp_train_capability *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const int pools = c->workload->rl.pools;
    *ret =
        (gp_train_capability){.gpus = place.gpus,
                              .jobs = place.jobs,
                              .nodes = place.nodes,
                              .error_fraction = gp_plan_error(c, unit),
                              .unsupported = u->machine.efficiency[c->out->train.compute] == NULL};
    search s = {.c = c,
                .unit = unit,
                .machine = &u->machine,
                .network = &c->plan->networks[unit],
                .job = rl_job(c, unit),
                .nodes = place.nodes,
                .best = ret};
    if (ret->unsupported || place.jobs > 1)
        return;
    start_parts(&s);
    if (pools != GP_RL_POOLS_APART)
        try_together(&s, place);
    if (pools == GP_RL_POOLS_APART || (pools == GP_RL_POOLS_AUTO && (!ret->fits || s.job.lag > 0)))
        try_apart(&s, place);
    ret->rl = way_of(&s.plan);
}

const gp_train_capability *gp_search_job(const gp_case *c, size_t unit, gp_train_place place) {
    if (!c->out->is_rl)
        return gp_search_train(c, unit, place);
    gp_train_capability *found = gp_search_recall(c, unit, place);
    if (found != NULL)
        return found;
    found = gp_search_room(c, unit);
    search_rl(c, unit, place, found);
    if (found->fits)
        gp_search_set_run(c, unit, place, found);
    c->out->layouts_timed += found->tried;
    return found;
}

void gp_rl_size_again(const gp_case *c, size_t unit, gp_candidate *candidate) {
    const gp_train_place place = {
        .gpus = gp_candidate_job_gpus(candidate), .jobs = 1, .nodes = candidate->job_nodes};
    gp_rl_plan plan;
    gp_rl_plan_of(c, candidate, NULL, &plan);
    candidate->rl = way_of(&plan);
    candidate->memory = plan.memory.update;
    candidate->time = time_of(&plan.time, c->out->rl.updates);
    candidate->error_fraction = gp_plan_error(c, unit);
    gp_run_of(c, unit, place, &candidate->layout, candidate->time.step_s, NULL, &candidate->run);
}
