/*
 * What software alone would do: the same workload with one setting changed, placed again beside all
 * others on the machines it would otherwise run on, and simulated where the plan is. Only changes
 * that save GPUs, or make new machines unnecessary, and worsen nothing that the plan is chosen by,
 * are kept.
 */
#include "plan/verdict.h"

#include <string.h>

#include "base/num.h"
#include "catalog/words.h"
#include "model/fields.h"

/* A copy of a case whose jobs may be changed, with a cache of its own. */
typedef struct variant {
    gp_case c;
    gp_workload_plan *out;
    const gp_unit *unit;
    gp_workload *workload; /* where the change is one of the spec's */
    const char *from, *to; /* the setting as it was, and as it is changed */
} variant;

/* False where there is nothing to change. */
typedef bool apply_change(variant *v);

static bool says(variant *v, const char *from, const char *to) {
    v->from = from;
    v->to = to;
    return true;
}

/* Speed that the workload's tuning class leaves on the table. */
static bool tune(variant *v) {
    const gp_tuning today = (gp_tuning)v->c.workload->software.tuning;
    const double share = gp_plan_tuning_share(&v->c, v->out->is_serving);
    if (share <= 0 || share >= 1)
        return false;
    v->out->train.speed_factor /= gp_plan_tuning_share(&v->c, false);
    v->out->serve.speed_factor /= gp_plan_tuning_share(&v->c, true);
    v->out->train.assumed_tuning = v->out->serve.assumed_tuning = 0;
    return says(v, gp_tuning_words[today], gp_tuning_words[GP_TUNING_TUNED]);
}

/* The newest release of the declared stack, where equal runs were faster on it. */
static bool update_release(variant *v) {
    const gp_software *software = &v->c.workload->software;
    const bool serving = v->out->is_serving;
    const char *name = serving ? software->engine : software->framework;
    const int role = serving ? (int)GP_STACK_SERVING : (int)GP_STACK_TRAINING;
    const gp_stack *today = NULL;
    const gp_stack *newest = NULL;
    if (software->release == NULL ||
        gp_plan_stack(v->c.plan, name, software->release, role, &today) != GP_OK ||
        gp_plan_stack(v->c.plan, name, NULL, role, &newest) != GP_OK || today == NULL ||
        newest == NULL || newest->order <= today->order || newest->time_factor <= 0)
        return false;
    if (serving) {
        v->out->serve.speed_factor *= today->time_factor;
        gp_serve_apply_stack(&v->out->serve, newest);
    } else {
        v->out->train.speed_factor *= today->time_factor;
        v->out->train.loss = GP_LOSS_AUTO;
        v->out->train.per_operator = false;
        gp_train_apply_stack(&v->out->train, newest);
    }
    return says(v, today->release, newest->release);
}

static bool train_in_fp8(variant *v) {
    gp_train_job *job = &v->out->train;
    const gp_precision today = job->compute;
    if (v->out->is_serving || job->type == GP_WORKLOAD_LORA ||
        (today != GP_PRECISION_BF16 && today != GP_PRECISION_FP16) ||
        v->unit->machine.efficiency[GP_PRECISION_FP8] == NULL)
        return false;
    job->compute = GP_PRECISION_FP8;
    return says(v, gp_precision_words[today], gp_precision_words[GP_PRECISION_FP8]);
}

static bool pack(variant *v) {
    gp_train_job *job = &v->out->train;
    if (v->out->is_serving || job->packing_fraction >= 1)
        return false;
    v->c.run.steps *= job->packing_fraction;
    job->packing_fraction = 1;
    job->length_cv = 0;
    return says(v, "false", "true");
}

static bool quantize_base(variant *v) {
    gp_train_job *job = &v->out->train;
    if (v->out->is_serving || job->type != GP_WORKLOAD_LORA || job->weights == GP_FORMAT_NF4)
        return false;
    job->weights = GP_FORMAT_NF4;
    return says(v, gp_adapter_method_words[GP_ADAPTER_LORA],
                gp_adapter_method_words[GP_ADAPTER_QLORA]);
}

/* States outside the GPU, for jobs that lack memory. */
static bool offload_states(variant *v) {
    if (v->out->is_serving || v->c.workload->offload.states != GP_OFFLOAD_NONE ||
        v->out->train.type == GP_WORKLOAD_LORA)
        return false;
    *v->workload = *v->c.workload;
    v->workload->offload.states = GP_OFFLOAD_OPTIMIZER;
    v->c.workload = v->workload;
    return says(v, gp_offload_words[GP_OFFLOAD_NONE], gp_offload_words[GP_OFFLOAD_OPTIMIZER]);
}

/* A batch near the stated one that fewer machines divide. */
static bool resize_batch(variant *v) {
    gp_train_job *job = &v->out->train;
    const gp_candidate *chosen = &v->out->chosen;
    gp_arena *arena = v->c.plan->arena;
    gp_batch_change change;
    if (v->out->is_serving || v->out->is_rl || !chosen->feasible || chosen->unit != v->unit)
        return false;
    const gp_train_place place = {.gpus = gp_layout_gpus(&chosen->layout),
                                  .jobs = chosen->jobs_per_gpu,
                                  .nodes = chosen->job_nodes};
    const size_t unit = (size_t)(v->unit - v->c.plan->units);
    if (!gp_search_train_batch(&v->c, unit, place, &change))
        return false;
    const double today = job->global_batch;
    job->global_batch = (double)change.to_sequences * job->sequence_length;
    v->c.run.steps *= today / job->global_batch;
    return says(v, gp_arena_printf(arena, "%.0f", today),
                gp_arena_printf(arena, "%.0f", job->global_batch));
}

enum {
    FROM_16_BIT = 1u << GP_FORMAT_BF16 | 1u << GP_FORMAT_FP16,
    MADE_FP4 = 1u << GP_FORMAT_MXFP4 | 1u << GP_FORMAT_NVFP4,
    MADE_4_BIT = MADE_FP4 | 1u << GP_FORMAT_INT4 | 1u << GP_FORMAT_NF4
};

/* Weights that are of none of the formats `made`, in another that the GPU multiplies in. */
static bool requantize(variant *v, unsigned made, gp_format to, gp_precision compute) {
    gp_serve_job *job = &v->out->serve;
    const gp_format today = job->weights;
    if ((made >> today & 1) != 0 || v->unit->machine.efficiency[compute] == NULL)
        return false;
    job->weights = to;
    job->compute = compute;
    return says(v, gp_format_words[today], gp_format_words[to]);
}

static bool serve_in_fp8(variant *v) {
    return (v->out->is_serving || v->out->is_rl) &&
           requantize(v, ~(unsigned)FROM_16_BIT, GP_FORMAT_FP8, GP_PRECISION_FP8);
}

static bool quantize_weights(variant *v) {
    return v->out->is_serving && requantize(v, MADE_4_BIT, GP_FORMAT_INT4, GP_PRECISION_BF16);
}

static bool serve_in_fp4(variant *v) {
    return v->out->is_serving && requantize(v, MADE_FP4, GP_FORMAT_NVFP4, GP_PRECISION_FP4);
}

/* Drafted tokens, where the engine does not draft yet. */
static bool speculate(variant *v) {
    const gp_constants *k = v->c.plan->constants;
    gp_serve_job *job = &v->out->serve;
    if (!v->out->is_serving || v->out->is_offline || job->draft_tokens > 0)
        return false;
    job->draft_tokens = k->serving_draft_tokens;
    job->draft_acceptance_fraction = k->serving_draft_acceptance_fraction;
    job->draft_cost_fraction = k->serving_draft_cost_fraction;
    return says(v, "0",
                gp_arena_printf(v->c.plan->arena, "%lld", (long long)k->serving_draft_tokens));
}

static bool quantize_cache(variant *v) {
    gp_serve_job *job = &v->out->serve;
    const gp_format today = job->kv_cache;
    if (!v->out->is_serving || v->out->shape.model->bidirectional ||
        (FROM_16_BIT >> today & 1) == 0)
        return false;
    job->kv_cache = GP_FORMAT_FP8;
    return says(v, gp_format_words[today], gp_format_words[GP_FORMAT_FP8]);
}

static const struct {
    const char *path;
    apply_change *apply;
    bool last_resort; /* told only where it makes new machines unnecessary */
    bool assumed;     /* rests on how a draft model does, which is not known */
} changes[] = {
    {"precision.compute", train_in_fp8, false, false},
    {"software.release", update_release, false, false},
    {"data.packing", pack, false, false},
    {"data.globalBatch", resize_batch, false, false},
    {"adapter.method", quantize_base, false, false},
    {"offload.states", offload_states, true, false},
    {"precision.weights", serve_in_fp8, false, false},
    {"precision.weights", serve_in_fp4, false, false},
    {"precision.weights", quantize_weights, false, false},
    {"precision.kvCache", quantize_cache, false, false},
    /* Nothing is changed by stating it: it is told behind what does as much. */
    {"software.tuning", tune, false, false},
    {"speculative.tokens", speculate, false, true},
};

enum { CHANGES = sizeof changes / sizeof changes[0] };

static void start_variant(const gp_case *c, const gp_unit *unit, gp_unit_capability *cache,
                          variant *ret) {
    gp_capabilities_forget(c->plan, cache);
    ret->c = *c;
    ret->out = &c->plan->copies->varied.out;
    ret->workload = &c->plan->copies->varied.workload;
    *ret->out = *c->out;
    ret->c.out = ret->out;
    ret->c.units = cache;
    ret->unit = unit;
}

static const double carried_apart = 1.04; /* rates, of which one holds and one does not */
static const double carried_least = 1.5; /* times less than the closed form says is not told */

/* The machines whose limit is told: those of today, or on an empty site those chosen. */
typedef struct held_machines {
    bool known;
    size_t unit;
    int64_t nodes, gpus;
    double simulated; /* what they carry over what the closed form says */
} held_machines;

static held_machines held_by(const gp_case *c, const gp_verdict *verdict) {
    const gp_candidate *chosen = &verdict->chosen;
    const gp_baseline *baseline = &verdict->baseline;
    if (!c->out->is_serving || !c->out->has_goal || c->offline)
        return (held_machines){0};
    /* What is chosen on them may have more of their GPUs than the choice without purchases. */
    const bool there = chosen->feasible && chosen->unit == &c->plan->units[baseline->unit] &&
                       chosen->nodes <= baseline->nodes;
    const int64_t gpus = there ? gp_num_max_i64(baseline->gpus, chosen->gpus) : baseline->gpus;
    if (!baseline->greenfield && baseline->gpus > 0)
        return (held_machines){true, baseline->unit, baseline->nodes, gpus, 1};
    if (!chosen->feasible)
        return (held_machines){0};
    return (held_machines){true, (size_t)(chosen->unit - c->plan->units), chosen->nodes,
                           chosen->nodes * chosen->unit->machine.gpus, 1};
}

/* What is asked for, where the choice carries it on those machines; else 0. */
static double chosen_held(const gp_case *c, const gp_verdict *verdict, const held_machines *held) {
    const gp_candidate *chosen = &verdict->chosen;
    const bool there = chosen->feasible && chosen->unit == &c->plan->units[held->unit] &&
                       chosen->nodes <= held->nodes && chosen->gpus <= held->gpus;
    const gp_confirmation *found = &c->out->confirmation;
    return there && (found->confirmed || !found->present) ? c->demand.requests_per_s : 0;
}

/* What they carry with all their GPUs, laid out as for a larger rate. */
static bool carries_at(const gp_case *c, const gp_candidate *all, double requests_per_s) {
    gp_workload_plan *out = &c->plan->copies->varied.out;
    gp_case at = gp_case_times(c, requests_per_s / c->demand.requests_per_s);
    *out = *c->out;
    at.out = out;
    out->chosen = *all;
    gp_size_describe(&at, &out->chosen);
    return gp_confirm_carries(&at, true) && gp_confirm_carries(&at, false);
}

/* Of what the closed form says that they carry the most that simulation confirms, no less than
 * `least_per_s`, which they carry; that, where it is far less. */
static double confirmed_held(const gp_case *c, const held_machines *held, double formula_per_s,
                             double least_per_s) {
    const gp_size_bounds within = {.max_nodes = held->nodes, .max_gpus = held->gpus};
    const gp_case most = gp_case_times(c, formula_per_s / c->demand.requests_per_s);
    double holds = gp_num_max(least_per_s, formula_per_s / carried_least);
    double misses = formula_per_s;
    double found = least_per_s;
    double step = formula_per_s * (carried_apart - 1);
    gp_candidate all;
    gp_size_fewest(&most, held->unit, within, &all);
    if (formula_per_s <= least_per_s || carries_at(c, &all, formula_per_s))
        return gp_num_max(formula_per_s, least_per_s);
    /* It is mostly close by. */
    for (; misses > holds * carried_apart; step *= 2) {
        const double middle = gp_num_max(misses - step, 0.5 * (holds + misses));
        const bool carries = carries_at(c, &all, middle);
        *(carries ? &holds : &misses) = middle;
        found = carries ? middle : found;
    }
    return found;
}

/* What they carry with a change, where it applies to their GPUs. */
static double held_with(const gp_case *c, const held_machines *held, gp_unit_capability *cache,
                        size_t change) {
    variant v;
    if (!held->known)
        return 0;
    start_variant(c, &c->plan->units[held->unit], cache, &v);
    if (!changes[change].apply(&v))
        return 0;
    return gp_size_held(&v.c, held->unit, held->nodes, held->gpus);
}

static bool fits_today(const gp_case *c, const gp_verdict *verdict) {
    gp_candidate fewest;
    gp_size_fewest(c, verdict->baseline.unit, gp_verdict_within(c->plan, &verdict->baseline),
                   &fewest);
    return fewest.feasible;
}

/* What is chosen outlasts the options that it was one of, unless it is made of several. */
static void keep_chosen(variant *v, const gp_candidate *chosen, gp_arena_mark mark) {
    v->out->chosen = chosen != NULL ? *chosen : (gp_candidate){0};
    if (v->out->chosen.share_count == 0)
        gp_arena_release(v->c.plan->arena, mark);
    gp_size_describe(&v->c, &v->out->chosen);
}

/* On the kind of machine that it is on, or on that of today. */
static void options_beside(const gp_verdicts *verdicts, const gp_verdict *verdict, const variant *v,
                           gp_options *ret) {
    const gp_inventory *inventory = verdicts->inventory;
    const size_t here = (size_t)(v->unit - v->c.plan->units);
    const size_t units[] = {here, verdict->baseline.unit};
    const size_t count = verdict->baseline.greenfield || units[1] == here ? 1 : 2;
    *ret = (gp_options){0};
    for (size_t u = 0; u < count; u++)
        if (gp_options_allow(&v->c, inventory, units[u]))
            gp_options_on(&v->c, units[u], gp_options_within(&v->c, inventory, units[u]), ret);
}

/* What may come of a change, and what does. */
typedef struct gain {
    bool may_save, saves;  /* GPUs */
    bool may_do, makes_do; /* without machines that are bought today */
    int64_t nodes;         /* that the plan buys or rents fewer */
    bool any_kind;         /* that it saves is known of its kind: the plan may take another */
} gain;

/* Fewer GPUs than what is chosen, of its kind or of that of today. */
static bool is_smaller(const gp_verdict *verdict, const variant *v, const gain *g,
                       const gp_candidate *with) {
    return (!verdict->chosen.feasible || with->gpus < verdict->chosen.gpus) &&
           (g->any_kind || with->unit == v->unit ||
            with->unit == &v->c.plan->units[verdict->baseline.unit]);
}

static int64_t new_nodes(const gp_plan_context *plan, const gp_allocation *of) {
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &of->ledger.kinds[u];
        nodes += plan->units[u].cloud != NULL ? kind->nodes : kind->bought;
    }
    return nodes;
}

/* Nothing that has a place loses it. */
static bool keeps_all(const gp_verdicts *verdicts, const gp_allocation *with) {
    for (size_t k = 0; k < verdicts->plan->case_count; k++)
        if (verdicts->best->chosen[k] != NULL && with->chosen[k] == NULL)
            return false;
    return true;
}

/* The plan with the change, made anew or with all others where they are; nothing where it gains
 * nothing. */
static void place(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict, bool anew,
                  variant *v, gain *g) {
    gp_allocation again;
    gp_options options;
    const gp_plan_context *plan = verdicts->plan;
    const gp_inventory *inventory = verdicts->inventory;
    const gp_arena_mark mark = gp_arena_set_mark(plan->arena);
    gp_allocation *with = anew ? &again : verdicts->scratch;
    bool found = true;
    if (anew)
        gp_options_of(&v->c, inventory, &options);
    else
        options_beside(verdicts, verdict, v, &options);
    gp_verdict_keep_allowed(plan, &v->c, &verdict->baseline, &options);
    if (anew) {
        gp_plan_again(verdicts, i, &v->c, &options, NULL, with);
    } else {
        gp_spread_ways(plan, inventory, verdicts->best, i, &v->c, with, &options);
        found = gp_allocate_one(plan, inventory, verdicts->best, i, &options, with) >= 0;
    }
    gp_share_out_for(plan, with, i);
    const gp_candidate *chosen = found ? with->chosen[i] : NULL;
    g->saves = g->may_save && chosen != NULL && is_smaller(verdict, v, g, chosen) &&
               gp_value_compare(plan, &with->value, &verdicts->best->value) <= 0;
    g->nodes = new_nodes(plan, verdicts->best) - new_nodes(plan, with);
    g->makes_do = g->may_do && chosen != NULL && chosen->unit->cloud == NULL &&
                  gp_ledger_owned(plan, &with->ledger, i) == chosen->nodes &&
                  keeps_all(verdicts, with);
    keep_chosen(v, g->saves || g->makes_do ? chosen : NULL, mark);
}

/* The same, with as many replicas as their simulation asks for: fewer are not looked for. */
static bool place_confirmed(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict,
                            bool anew, variant *v, gain *g) {
    bool changed = true;
    bool holds = false;
    for (int round = 0; round < GP_PLAN_CONFIRM_ROUNDS_MAX && changed; round++) {
        place(verdicts, i, verdict, anew, v, g);
        if (!v->out->chosen.present)
            return false;
        holds = gp_confirm_chosen(&v->c, &changed);
    }
    return holds && !changed;
}

/* Machines are bought as they are needed; else because they are faster, or draw or cost less. */
static bool buys_for_need(const gp_verdict *verdict) {
    const gp_candidate *today = &verdict->chosen;
    return verdict->scale != GP_SCALE_NONE && !verdict->baseline.greenfield &&
           (!today->feasible || today->owned_nodes < today->nodes) && !verdict->current.feasible;
}

static void tell(const gp_case *c, const gp_verdict *verdict, size_t change, const variant *v,
                 const gain *g, gp_software_change *ret) {
    const gp_candidate *today = &verdict->chosen;
    const gp_candidate *with = &v->out->chosen;
    *ret = (gp_software_change){
        .path = gp_arena_printf(c->plan->arena, "workloads.%s.%s", c->workload->name,
                                changes[change].path),
        .from = v->from,
        .to = v->to,
        .gpus = with->gpus,
        .makes_hardware_unnecessary = g->makes_do,
        .assumed = changes[change].assumed,
        .sized = *with,
    };
    if (g->saves && today->feasible) {
        ret->saved_gpus = today->gpus - with->gpus;
        ret->saved_nodes = gp_num_max_i64(g->nodes, 0);
        ret->saved_fraction = 1 - (double)with->gpus / (double)today->gpus;
    }
}

static void consider(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict, size_t unit,
                     const held_machines *held, size_t change) {
    gp_unit_capability *cache = verdicts->cache;
    const gp_case *c = &verdicts->plan->cases[i];
    const gp_candidate *today = &verdict->chosen;
    gp_workload_plan *out = c->out;
    variant v;
    start_variant(c, &c->plan->units[unit], cache, &v);
    if (!changes[change].apply(&v))
        return;
    gp_candidate fewest;
    gp_size_fewest(&v.c, unit, gp_size_any(c->plan, unit), &fewest);
    gain g = {.may_save = !changes[change].last_resort && fewest.feasible &&
                          (!today->feasible || fewest.gpus < today->gpus),
              .may_do = buys_for_need(verdict) && fits_today(&v.c, verdict)};
    const bool small = c->plan->case_count <= GP_PLAN_AGAIN_MAX;
    const bool anew = small && g.may_do;
    if ((!g.may_save && !g.may_do) || out->software_change_count >= GP_SOFTWARE_CHANGE_MAX ||
        !place_confirmed(verdicts, i, verdict, anew, &v, &g))
        return;
    /* What is found beside the others is told where the plan made anew finds it, too. */
    g.any_kind = g.saves;
    if (small && !anew && !place_confirmed(verdicts, i, verdict, true, &v, &g))
        return;
    gp_software_change *row = &out->software_changes[out->software_change_count++];
    tell(c, verdict, change, &v, &g, row);
    row->held_requests_per_s =
        held->simulated * (held->known && held->unit == unit
                               ? gp_size_held(&v.c, unit, held->nodes, held->gpus)
                               : held_with(c, held, cache, change));
}

void gp_software_changes(const gp_verdicts *v, size_t i, const gp_verdict *verdict) {
    const gp_case *c = &v->plan->cases[i];
    const gp_candidate *chosen = &verdict->chosen;
    const size_t unit =
        chosen->feasible ? (size_t)(chosen->unit - c->plan->units) : verdict->baseline.unit;
    gp_unit_capability *cache = v->cache;
    held_machines held = held_by(c, verdict);
    const double formula = held.known ? gp_size_held(c, held.unit, held.nodes, held.gpus) : 0;
    const bool runs = c->out->confirmation.present && c->plan->case_count <= GP_PLAN_AGAIN_MAX;
    const double chosen_per_s = held.known ? chosen_held(c, verdict, &held) : 0;
    const double simulated = runs && formula > 0 ? confirmed_held(c, &held, formula, chosen_per_s)
                                                 : gp_num_max(formula, chosen_per_s);
    held.simulated = formula > 0 ? simulated / formula : 0;
    c->out->held_requests_per_s = simulated;
    c->out->held_unit = held.known ? &c->plan->units[held.unit] : NULL;
    c->out->held_nodes = held.nodes;
    if (c->out->is_seats) /* people bring their own */
        return;
    /* Their room stays; what else is found by the way is forgotten. */
    for (size_t u = 0; u < c->plan->unit_count; u++)
        gp_capabilities_open(c, &cache[u]);
    gp_workload_plan *out = c->out;
    const size_t size = sizeof *out->software_changes;
    out->software_changes = v->changes;
    for (size_t k = 0; k < CHANGES; k++)
        consider(v, i, verdict, unit, &held, k);
    const size_t count = (size_t)out->software_change_count;
    out->software_changes = gp_arena_alloc(c->plan->arena, count, size);
    memcpy(out->software_changes, v->changes, count * size);
}
