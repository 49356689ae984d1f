/*
 * What plans of one study have in common. Searches of layouts by machine and workload ask nothing
 * of the rate that is wanted, so the plan of another rate takes what they found as it was found:
 * before anything was simulated.
 */
#include "plan/growth.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { RUN_SLOTS = 4096, RUN_KEY_WORDS = 32 };

typedef struct kept_machine {
    bool present;
    double cap_fraction;
    gp_machine machine;
} kept_machine;

/* A run of so many words of key; the last one of its slot. */
struct kept_run {
    struct kept_run *older; /* that was kept first in another slot */
    int64_t study; /* keys before its own */
    size_t rank, unit; /* of one that was edited, behind all others, the rank of the edit */
    uint64_t key[RUN_KEY_WORDS];
    gp_confirm_run run;
};
typedef struct kept_run kept_run;

/* What a search of places to train in found, on one unit. */
typedef struct kept_train {
    const struct kept_train *older;
    gp_train_capability found;
} kept_train;

typedef struct kept_unit {
    gp_unit_capability serve;
    const kept_train *train; /* the last one first */
} kept_unit;

/* How a service was planned for a later demand. */
typedef struct kept_look {
    struct kept_look *older;
    size_t rank, unit;
    int64_t owned_nodes;
    gp_objective objective;
    double requests_per_s, traffic_factor;
    gp_growth_look look;
} kept_look;

struct gp_plan_memory {
    gp_arena *arena;
    const char *key;
    kept_unit *kept; /* by case and unit; behind them those of a case that is edited */
    size_t case_count, unit_count;
    gp_arena_mark begin;
    int64_t keys;      /* so far */
    size_t edits;      /* likewise: changes of a workload */
    kept_run **runs;   /* RUN_SLOTS of them, some of earlier keys; NULL: none yet */
    kept_run *last_run;
    kept_look *last_look; /* of the plan that is made with all that is tried for it */
    gp_arena *lasting; /* runs and what simulates, whatever the key */
    gp_arena *made_in; /* machines, which plans refer to: the same, or their owner's */
    gp_simulator *simulator;
    const gp_gpu_rates *rates;
    kept_machine *machines; /* by row of the catalogue */
    size_t machine_count;
};

/* Past the first nothing more is kept; the second is room for it in blocks. */
enum { KEPT_BYTES = 64 << 20, MEMORY_BYTES = 4 * KEPT_BYTES };

gp_plan_memory *gp_plan_memory_new(const gp_arena *of) {
    gp_arena *lasting = gp_arena_beside(of, MEMORY_BYTES);
    gp_plan_memory *memory = GP_NEW(lasting, gp_plan_memory);
    memory->lasting = memory->made_in = lasting;
    memory->arena = gp_arena_beside(of, MEMORY_BYTES);
    memory->begin = gp_arena_set_mark(memory->arena);
    return memory;
}

gp_plan_memory *gp_plan_memory_within(gp_arena *arena) {
    gp_plan_memory *memory = gp_plan_memory_new(arena);
    memory->made_in = arena;
    gp_plan_memory_open(memory, "");
    return memory;
}

void gp_plan_memory_free(gp_plan_memory *memory) {
    if (memory == NULL)
        return;
    gp_arena_free(memory->arena);
    gp_arena_free(memory->lasting);
}

void gp_plan_memory_open(gp_plan_memory *memory, const char *key) {
    if (memory->key != NULL && gp_str_equal(memory->key, key))
        return;
    gp_arena_release(memory->arena, memory->begin);
    memory->kept = NULL;
    memory->keys++;
    memory->key = NULL;
    if (memory->simulator != NULL)
        memory->simulator->drawn_count = 0;
    memory->key = gp_arena_strndup(memory->arena, key, strlen(key));
}

/* Of the plan itself, not of what it is compared with. */
static bool is_planned(const gp_case *c, size_t *ret_index) {
    size_t at = 0;
    while (at < c->plan->case_count && c->plan->cases[at].units != c->units)
        at++;
    *ret_index = at;
    return at < c->plan->case_count;
}

static kept_unit *units_of(gp_plan_memory *memory, const gp_plan_context *plan) {
    const size_t count = plan->case_count * plan->unit_count;
    if (memory->kept == NULL) {
        memory->case_count = plan->case_count;
        memory->unit_count = plan->unit_count;
        memory->kept = GP_NEW_ARRAY(memory->arena, kept_unit, count + plan->unit_count + 1);
    }
    const bool same =
        memory->case_count == plan->case_count && memory->unit_count == plan->unit_count;
    return same ? memory->kept : NULL;
}

void gp_plan_memory_edit(gp_plan_memory *memory) {
    memory->edits++;
    for (size_t u = 0; memory->kept != NULL && u < memory->unit_count; u++)
        memory->kept[memory->case_count * memory->unit_count + u] = (kept_unit){0};
}

/* Where a unit of a case of the plan is kept, or NULL. */
static kept_unit *kept_of(const gp_case *c, size_t unit) {
    const gp_plan_context *plan = c->plan;
    gp_plan_memory *memory = plan->options->memory;
    size_t at = 0;
    if (memory == NULL || !is_planned(c, &at) || c->part != GP_RL_WHOLE)
        return NULL;
    kept_unit *all = units_of(memory, plan);
    const size_t row = plan->options->edited == at + 1 ? plan->case_count : at;
    return all != NULL ? &all[row * plan->unit_count + gp_plan_twin(c, unit)] : NULL;
}

/* A copy of the first `count`, where there is room for it; else NULL. */
static void *copy_of(gp_plan_memory *memory, const void *items, int64_t count, size_t size) {
    if (gp_arena_used(memory->arena) + ((size_t)count + 1) * size > KEPT_BYTES)
        return NULL;
    void *copy = gp_arena_alloc(memory->arena, (size_t)count + 1, size);
    if (count > 0)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

static void keep_serve(gp_plan_memory *memory, const gp_unit_capability *found, kept_unit *kept) {
    gp_serve_capability *serve =
        copy_of(memory, found->serve, found->serve_count, sizeof *found->serve);
    if (serve == NULL)
        return;
    for (int64_t i = 0; i < found->serve_count; i++) {
        serve[i].simulated_loss = 0;
        serve[i].missed = false;
    }
    kept->serve = *found;
    kept->serve.serve = serve;
    kept->serve.split = NULL;
    kept->serve.split_done = false;
    kept->serve.together_gpus = kept->serve.together_nodes = 0;
}

static void keep_split(gp_plan_memory *memory, const gp_unit_capability *found, kept_unit *kept) {
    gp_split_capability *split =
        copy_of(memory, found->split, found->split_count, sizeof *found->split);
    if (split == NULL)
        return;
    for (int64_t i = 0; i < found->split_count; i++)
        split[i].prefill_loss = split[i].decode_loss = 0;
    kept->serve.split = split;
    kept->serve.split_count = found->split_count;
    kept->serve.split_done = true;
    kept->serve.split_saves = found->split_saves;
}

static void keep_train(gp_plan_memory *memory, const gp_train_capability *found, kept_unit *kept) {
    kept_train *one = copy_of(memory, NULL, 0, sizeof *one);
    if (one == NULL)
        return;
    *one = (kept_train){kept->train, *found};
    kept->train = one;
}

void gp_memory_keep(const gp_case *c, size_t unit) {
    const gp_unit_capability *found = gp_capability_of(c, unit);
    gp_plan_memory *memory = c->plan->options->memory;
    kept_unit *kept = kept_of(c, unit);
    if (kept != NULL && found->split_done)
        keep_split(memory, found, kept);
    else if (kept != NULL)
        keep_serve(memory, found, kept);
}

void gp_memory_keep_train(const gp_case *c, size_t unit, const gp_train_capability *found) {
    kept_unit *kept = kept_of(c, unit);
    if (kept != NULL)
        keep_train(c->plan->options->memory, found, kept);
}

/* What was found is priced with what the plan that finds it has. */
static void set_own(const gp_plan_context *plan, size_t unit, gp_serve_cost *cost) {
    cost->machine = &plan->units[unit].machine;
    cost->network = &plan->networks[unit];
    cost->constants = plan->constants;
}

bool gp_memory_recall(const gp_case *c, size_t unit) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    const kept_unit *of = kept_of(c, unit);
    if (of == NULL || !of->serve.serve_done)
        return false;
    const gp_unit_capability *kept = &of->serve;
    store->serve_count = kept->serve_count;
    store->prefill_count = kept->prefill_count;
    store->refusal_count = kept->refusal_count;
    memcpy(store->refusals, kept->refusals, sizeof store->refusals);
    if (kept->serve_count > 0)
        memcpy(store->serve, kept->serve, (size_t)kept->serve_count * sizeof *store->serve);
    for (int64_t i = 0; i < store->serve_count; i++)
        set_own(c->plan, unit, &store->serve[i].replica.cost);
    return true;
}

bool gp_memory_recall_split(const gp_case *c, size_t unit) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    const kept_unit *of = kept_of(c, unit);
    if (of == NULL || !of->serve.split_done)
        return false;
    const gp_unit_capability *kept = &of->serve;
    store->split_count = kept->split_count;
    store->split_done = true;
    store->split_saves = kept->split_saves;
    if (kept->split_count > 0)
        memcpy(store->split, kept->split, (size_t)kept->split_count * sizeof *store->split);
    return true;
}

bool gp_train_is_at(const gp_train_capability *found, gp_train_place place) {
    return found->gpus == place.gpus && found->jobs == place.jobs && found->nodes == place.nodes;
}

bool gp_memory_recall_train(const gp_case *c, size_t unit, gp_train_place place,
                            gp_train_capability *ret) {
    const kept_unit *of = kept_of(c, unit);
    const kept_train *kept = of != NULL ? of->train : NULL;
    while (kept != NULL && !gp_train_is_at(&kept->found, place))
        kept = kept->older;
    if (kept != NULL)
        *ret = kept->found;
    return kept != NULL;
}

/* ---- simulations */

gp_simulator *gp_memory_simulator(const gp_plan_context *plan) {
    gp_plan_memory *memory = plan->options->memory;
    gp_simulator **kept = memory != NULL ? &memory->simulator : plan->simulator;
    if (*kept == NULL)
        *kept = GP_NEW(gp_memory_beside(plan), gp_simulator);
    return *kept;
}

/* Of one that was edited, behind all others, that of the edit. */
static size_t rank_of(const gp_case *c, size_t index) {
    const bool is_edited = c->plan->options->edited == index + 1;
    return is_edited ? c->plan->case_count + c->plan->options->memory->edits : c->rank;
}

/* Where a run would be kept, and its key without gaps; NULL: nowhere. */
static kept_run **run_of(const gp_case *c, size_t unit, const void *key, size_t size,
                         kept_run *ret_wanted) {
    gp_plan_memory *memory = c->plan->options->memory;
    const size_t kind = gp_plan_twin(c, unit);
    size_t index = 0;
    if (memory == NULL || size > sizeof ret_wanted->key || !is_planned(c, &index))
        return NULL;
    const size_t rank = rank_of(c, index);
    uint64_t hash = rank * c->plan->unit_count + kind;
    if (memory->runs == NULL)
        memory->runs = GP_NEW_ARRAY(memory->lasting, kept_run *, RUN_SLOTS);
    *ret_wanted = (kept_run){.study = memory->keys, .rank = rank, .unit = kind};
    memcpy(ret_wanted->key, key, size);
    for (size_t i = 0; i < RUN_KEY_WORDS; i++)
        hash = (hash ^ ret_wanted->key[i]) * 0x9E3779B97F4A7C15u;
    return &memory->runs[(hash >> 32) % RUN_SLOTS];
}

bool gp_memory_recall_run(const gp_case *c, size_t unit, const void *key, size_t size,
                          gp_confirm_run *ret) {
    kept_run wanted;
    kept_run *const *slot = run_of(c, unit, key, size, &wanted);
    const kept_run *kept = slot != NULL ? *slot : NULL;
    if (kept == NULL || kept->study != wanted.study || kept->rank != wanted.rank ||
        kept->unit != wanted.unit || memcmp(kept->key, wanted.key, sizeof wanted.key) != 0)
        return false;
    *ret = kept->run;
    return true;
}

void gp_memory_keep_run(const gp_case *c, size_t unit, const void *key, size_t size,
                        const gp_confirm_run *run) {
    kept_run wanted;
    kept_run **slot = run_of(c, unit, key, size, &wanted);
    if (slot == NULL)
        return;
    gp_plan_memory *memory = c->plan->options->memory;
    wanted.older = *slot != NULL ? (*slot)->older : memory->last_run;
    if (*slot == NULL)
        memory->last_run = *slot = GP_NEW(memory->lasting, kept_run);
    **slot = wanted;
    (*slot)->run = *run;
}

const gp_confirm_run *gp_memory_next_run(const gp_case *c, size_t unit, const kept_run **at,
                                         const void **ret_key) {
    const gp_plan_memory *memory = c->plan->options->memory;
    const size_t kind = gp_plan_twin(c, unit);
    const kept_run *run = *at == NULL ? memory->last_run : (*at)->older;
    while (run != NULL && (run->study != memory->keys || run->rank != c->rank || run->unit != kind))
        run = run->older;
    *at = run;
    *ret_key = run != NULL ? run->key : NULL;
    return run != NULL ? &run->run : NULL;
}

/* ---- machines */

gp_arena *gp_memory_arena(const gp_plan_context *plan) {
    return plan->options->memory != NULL ? plan->options->memory->made_in : plan->arena;
}

gp_arena *gp_memory_beside(const gp_plan_context *plan) {
    return plan->options->memory != NULL ? plan->options->memory->lasting : plan->arena;
}

const gp_gpu_rates **gp_memory_rates(gp_plan_context *plan) {
    return plan->options->memory != NULL ? &plan->options->memory->rates : &plan->rates;
}

/* Of a row of the catalogue; what a spec says of a machine goes with its plan. */
static kept_machine *machine_of(const gp_plan_context *plan, const gp_system *system) {
    gp_plan_memory *memory = plan->options->memory;
    const void *const *rows = NULL;
    size_t count = 0;
    if (memory == NULL ||
        gp_catalog_rows(plan->catalog, GP_CATALOG_SYSTEMS, &rows, &count) != GP_OK)
        return NULL;
    if (memory->machines == NULL) {
        memory->machines = GP_NEW_ARRAY(memory->lasting, kept_machine, count + 1);
        memory->machine_count = count;
    }
    for (size_t i = 0; i < memory->machine_count; i++)
        if (rows[i] == system)
            return &memory->machines[i];
    return NULL;
}

bool gp_memory_recall_machine(const gp_plan_context *plan, const gp_system *system,
                              double cap_fraction, gp_machine *ret_machine) {
    const kept_machine *kept = machine_of(plan, system);
    if (kept == NULL || !kept->present || kept->cap_fraction < cap_fraction ||
        kept->cap_fraction > cap_fraction)
        return false;
    *ret_machine = kept->machine;
    return true;
}

void gp_memory_keep_machine(const gp_plan_context *plan, const gp_system *system,
                            double cap_fraction, const gp_machine *machine) {
    kept_machine *kept = machine_of(plan, system);
    if (kept != NULL)
        *kept = (kept_machine){true, cap_fraction, *machine};
}

/* ---- later quarters */

void gp_plan_memory_begin(gp_plan_memory *memory) {
    if (memory != NULL)
        memory->last_look = NULL;
}

gp_growth_look *gp_memory_look(const gp_case *c, size_t index, size_t unit, double factor,
                               bool *ret_known) {
    gp_plan_memory *memory = c->plan->options->memory;
    const kept_look wanted = {.rank = memory != NULL ? rank_of(c, index) : 0,
                              .unit = unit,
                              .owned_nodes = c->plan->units[unit].owned_nodes,
                              .objective = c->plan->objective,
                              .requests_per_s = c->demand.requests_per_s * factor,
                              .traffic_factor = c->demand.traffic_factor * factor};
    kept_look *kept = memory != NULL ? memory->last_look : NULL;
    while (kept != NULL &&
           (kept->rank != wanted.rank || kept->unit != wanted.unit ||
            kept->owned_nodes != wanted.owned_nodes || kept->objective != wanted.objective ||
            !gp_num_near(kept->requests_per_s, wanted.requests_per_s) ||
            !gp_num_near(kept->traffic_factor, wanted.traffic_factor)))
        kept = kept->older;
    *ret_known = kept != NULL;
    if (kept != NULL)
        return &kept->look;
    kept = GP_NEW(memory != NULL ? memory->lasting : c->plan->arena, kept_look);
    *kept = wanted;
    if (memory != NULL) {
        kept->older = memory->last_look;
        memory->last_look = kept;
    }
    return &kept->look;
}
