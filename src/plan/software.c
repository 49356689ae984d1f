/*
 * What software alone may do: the same workload with one setting changed. Where plans take no long
 * time they are made with what may help (software_planned.c); else it is placed again beside all
 * others, on the machines it would otherwise run on, and simulated where the plan is. Only changes
 * that save GPUs, or make new machines unnecessary, and worsen nothing that the plan is chosen by,
 * are kept.
 */
#include "plan/verdict.h"

#include <stddef.h>
#include <string.h>

#include "base/num.h"
#include "catalog/words.h"
#include "model/fields.h"

/* A setting of software that is changed, and the workload with it. */
typedef struct variant {
    const gp_case *c;    /* as it is */
    const gp_unit *unit; /* that it would run on */
    gp_workload *workload;
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
    gp_software *software = &v->workload->software;
    const gp_tuning today = (gp_tuning)software->tuning;
    const double share = gp_plan_tuning_share(v->c, v->c->out->is_serving);
    if (share <= 0 || share >= 1)
        return false;
    software->tuning = GP_TUNING_TUNED;
    gp_origin_state(v->c->plan->arena, &software->meta, offsetof(gp_software, tuning));
    return says(v, gp_tuning_words[today], gp_tuning_words[GP_TUNING_TUNED]);
}

/* The newest release of the declared stack, where equal runs were faster on it. */
static bool update_release(variant *v) {
    gp_software *software = &v->workload->software;
    gp_plan_context *plan = v->c->plan;
    const bool serving = v->c->out->is_serving;
    const char *name = serving ? software->engine : software->framework;
    const int role = serving ? (int)GP_STACK_SERVING : (int)GP_STACK_TRAINING;
    const gp_stack *today = NULL;
    const gp_stack *newest = NULL;
    if (software->release == NULL ||
        gp_plan_stack(plan, name, software->release, role, &today) != GP_OK ||
        gp_plan_stack(plan, name, NULL, role, &newest) != GP_OK || today == NULL ||
        newest == NULL || newest->order <= today->order || newest->time_factor <= 0)
        return false;
    software->release = newest->release;
    return says(v, today->release, newest->release);
}

static bool train_in_fp8(variant *v) {
    const gp_train_job *job = &v->c->out->train;
    const gp_precision today = job->compute;
    if (v->c->out->is_serving || job->type == GP_WORKLOAD_LORA ||
        (today != GP_PRECISION_BF16 && today != GP_PRECISION_FP16) ||
        v->unit->machine.efficiency[GP_PRECISION_FP8] == NULL)
        return false;
    v->workload->precision.compute = GP_PRECISION_FP8;
    return says(v, gp_precision_words[today], gp_precision_words[GP_PRECISION_FP8]);
}

static bool pack(variant *v) {
    if (v->c->out->is_serving || v->c->out->train.packing_fraction >= 1)
        return false;
    v->workload->data.packing = true;
    return says(v, "false", "true");
}

static bool quantize_base(variant *v) {
    const gp_train_job *job = &v->c->out->train;
    gp_adapter *adapter = &v->workload->adapter;
    const int today = adapter->method;
    if (v->c->out->is_serving || job->type != GP_WORKLOAD_LORA || job->weights == GP_FORMAT_NF4)
        return false;
    adapter->method = GP_ADAPTER_QLORA;
    adapter->base = v->workload->precision.weights = GP_FORMAT_NF4;
    return says(v, gp_adapter_method_words[today], gp_adapter_method_words[GP_ADAPTER_QLORA]);
}

/* States outside the GPU, for jobs that lack memory. */
static bool offload_states(variant *v) {
    if (v->c->out->is_serving || v->workload->offload.states != GP_OFFLOAD_NONE ||
        v->c->out->train.type == GP_WORKLOAD_LORA)
        return false;
    v->workload->offload.states = GP_OFFLOAD_OPTIMIZER;
    return says(v, gp_offload_words[GP_OFFLOAD_NONE], gp_offload_words[GP_OFFLOAD_OPTIMIZER]);
}

/* As often as weighs their cost against lost work. */
static bool space_checkpoints(variant *v) {
    gp_checkpoint_spec *checkpoint = &v->workload->checkpoint;
    const double today = checkpoint->interval_s;
    if (v->c->out->is_serving || !(today > 0))
        return false;
    checkpoint->interval_s = 0;
    return says(v, gp_arena_printf(v->c->plan->arena, "%.6g s", today), "auto");
}

/* A batch near the stated one that fewer machines divide. */
static bool resize_batch(variant *v) {
    const gp_workload_plan *out = v->c->out;
    const gp_candidate *chosen = &out->chosen;
    gp_arena *arena = v->c->plan->arena;
    gp_batch_change change;
    if (out->is_serving || out->is_rl || !chosen->feasible || chosen->unit != v->unit)
        return false;
    const gp_train_place place = {.gpus = gp_layout_gpus(&chosen->layout),
                                  .jobs = chosen->jobs_per_gpu,
                                  .nodes = chosen->job_nodes};
    const size_t unit = (size_t)(v->unit - v->c->plan->units);
    if (!gp_search_train_batch(v->c, unit, place, &change))
        return false;
    v->workload->data.global_batch = (double)change.to_sequences * out->train.sequence_length;
    return says(v, gp_arena_printf(arena, "%.0f", out->train.global_batch),
                gp_arena_printf(arena, "%.0f", v->workload->data.global_batch));
}

enum {
    FROM_16_BIT = 1u << GP_FORMAT_BF16 | 1u << GP_FORMAT_FP16,
    MADE_FP4 = 1u << GP_FORMAT_MXFP4 | 1u << GP_FORMAT_NVFP4,
    MADE_4_BIT = MADE_FP4 | 1u << GP_FORMAT_INT4 | 1u << GP_FORMAT_NF4
};

/* Weights that are of none of the formats `made`, in another that the GPU multiplies in. */
static bool requantize(variant *v, unsigned made, gp_format to, gp_precision compute) {
    const gp_format today = v->c->out->serve.weights;
    if ((made >> today & 1) != 0 || v->unit->machine.efficiency[compute] == NULL)
        return false;
    v->workload->precision.weights = (int)to;
    if (v->c->out->is_serving)
        v->workload->precision.compute = (int)compute;
    return says(v, gp_format_words[today], gp_format_words[to]);
}

static bool serve_in_fp8(variant *v) {
    return (v->c->out->is_serving || v->c->out->is_rl) &&
           requantize(v, ~(unsigned)FROM_16_BIT, GP_FORMAT_FP8, GP_PRECISION_FP8);
}

static bool quantize_weights(variant *v) {
    return v->c->out->is_serving && requantize(v, MADE_4_BIT, GP_FORMAT_INT4, GP_PRECISION_BF16);
}

static bool serve_in_fp4(variant *v) {
    return v->c->out->is_serving && requantize(v, MADE_FP4, GP_FORMAT_NVFP4, GP_PRECISION_FP4);
}

/* Drafted tokens, where the engine does not draft yet. */
static bool speculate(variant *v) {
    const gp_constants *k = v->c->plan->constants;
    gp_speculative *drafted = &v->workload->speculative;
    if (!v->c->out->is_serving || v->c->out->is_offline || v->c->out->serve.draft_tokens > 0)
        return false;
    drafted->tokens = (int64_t)k->serving_draft_tokens;
    drafted->acceptance_fraction = k->serving_draft_acceptance_fraction;
    drafted->draft_cost_fraction = k->serving_draft_cost_fraction;
    return says(v, "0", gp_arena_printf(v->c->plan->arena, "%lld", (long long)drafted->tokens));
}

static bool quantize_cache(variant *v) {
    const gp_format today = v->c->out->serve.kv_cache;
    if (!v->c->out->is_serving || v->c->out->shape.model->bidirectional ||
        (FROM_16_BIT >> today & 1) == 0)
        return false;
    v->workload->precision.kv_cache = GP_FORMAT_FP8;
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
    {"checkpoint.interval", space_checkpoints, false, false},
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

/* The workload with a change, where there is something to change. */
static bool vary(const gp_case *c, const gp_unit *unit, size_t change, variant *ret) {
    *ret = (variant){.c = c, .unit = unit, .workload = GP_NEW(c->plan->arena, gp_workload)};
    *ret->workload = *c->workload;
    return changes[change].apply(ret);
}

/* A case of its own, with a cache of its own; false: there is none. */
static bool open_variant(const variant *v, gp_unit_capability *cache, gp_case *ret) {
    gp_workload_plan *out = &v->c->plan->copies->varied.out;
    *out = (gp_workload_plan){0};
    if (gp_plan_case_init(v->c->plan, v->workload, out, ret) != GP_OK)
        return false;
    gp_capabilities_forget(v->c->plan, cache);
    ret->rank = v->c->rank;
    ret->units = cache;
    return true;
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
    gp_case with;
    if (!held->known || !vary(c, &c->plan->units[held->unit], change, &v) ||
        !open_variant(&v, cache, &with))
        return 0;
    return held->simulated * gp_size_held(&with, held->unit, held->nodes, held->gpus);
}

static bool fits_today(const gp_case *c, const gp_verdict *verdict) {
    gp_candidate fewest;
    gp_size_fewest(c, verdict->baseline.unit, gp_verdict_within(c->plan, &verdict->baseline),
                   &fewest);
    return fewest.feasible;
}

/* Machines are bought as they are needed; else because they are faster, or draw or cost less. */
static bool buys_for_need(const gp_verdict *verdict) {
    const gp_candidate *today = &verdict->chosen;
    return verdict->scale != GP_SCALE_NONE && !verdict->baseline.greenfield &&
           (!today->feasible || today->owned_nodes < today->nodes) && !verdict->current.feasible;
}

/* What may come of it, by what is known without a plan; false: nothing. */
static bool may_help(const gp_verdict *verdict, size_t unit, const gp_case *with,
                     gp_software_change *change) {
    const gp_candidate *today = &verdict->chosen;
    gp_candidate fewest;
    gp_size_fewest(with, unit, gp_size_any(with->plan, unit), &fewest);
    change->may_save =
        change->may_save && fewest.feasible && (!today->feasible || fewest.gpus < today->gpus);
    change->may_do = buys_for_need(verdict) && fits_today(with, verdict);
    change->gpus = fewest.feasible ? fewest.gpus : INT64_MAX;
    return change->may_save || change->may_do;
}

/* ------------------------------------------------------------ beside others as they are */

bool gp_software_beside(const gp_plan_context *plan) {
    return plan->case_count > GP_PLAN_AGAIN_MAX || gp_confirm_takes_long(plan);
}

/* What is chosen outlasts the options that it was one of, unless it is made of several. */
static void keep_chosen(gp_case *c, const gp_candidate *chosen, gp_arena_mark mark) {
    c->out->chosen = chosen != NULL ? *chosen : (gp_candidate){0};
    if (c->out->chosen.share_count == 0)
        gp_arena_release(c->plan->arena, mark);
    gp_size_describe(c, &c->out->chosen);
}

/* On the kind of machine that it is on, or on that of today. */
static void options_beside(const gp_verdicts *verdicts, const gp_verdict *verdict, size_t unit,
                           const gp_case *with, gp_options *ret) {
    const gp_inventory *inventory = verdicts->inventory;
    const size_t units[] = {unit, verdict->baseline.unit};
    const size_t count = verdict->baseline.greenfield || units[1] == unit ? 1 : 2;
    *ret = (gp_options){0};
    for (size_t u = 0; u < count; u++)
        if (gp_options_allow(with, inventory, units[u]))
            gp_options_on(with, units[u], gp_options_within(with, inventory, units[u]), ret);
    gp_verdict_keep_allowed(with->plan, with, &verdict->baseline, ret);
}

static int64_t new_nodes(const gp_plan_context *plan, const gp_allocation *of) {
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &of->ledger.kinds[u];
        nodes += plan->units[u].cloud != NULL ? kind->nodes : kind->bought;
    }
    return nodes;
}

/* With all others where they are; nothing where it gains nothing. */
static void place(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict, size_t unit,
                  gp_case *with, gp_software_change *change) {
    gp_options options;
    const gp_plan_context *plan = verdicts->plan;
    const gp_arena_mark mark = gp_arena_set_mark(plan->arena);
    gp_allocation *tried = verdicts->scratch;
    options_beside(verdicts, verdict, unit, with, &options);
    gp_spread_ways(plan, verdicts->inventory, verdicts->best, i, with, tried, &options);
    const bool found =
        gp_allocate_one(plan, verdicts->inventory, verdicts->best, i, &options, tried) >= 0;
    gp_share_out_for(plan, tried, i);
    const gp_candidate *chosen = found ? tried->chosen[i] : NULL;
    const bool fewer =
        chosen != NULL && (!verdict->chosen.feasible || chosen->gpus < verdict->chosen.gpus);
    change->saved_nodes = new_nodes(plan, verdicts->best) - new_nodes(plan, tried);
    change->makes_hardware_unnecessary = change->may_do && chosen != NULL &&
                                         chosen->unit->cloud == NULL &&
                                         gp_ledger_owned(plan, &tried->ledger, i) == chosen->nodes;
    const bool saves = change->may_save && fewer &&
                       gp_value_compare(plan, &tried->value, &verdicts->best->value) <= 0;
    keep_chosen(with, saves || change->makes_hardware_unnecessary ? chosen : NULL, mark);
}

/* The same, with as many replicas as their simulation asks for: fewer are not looked for. */
static bool place_confirmed(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict,
                            size_t unit, gp_case *with, gp_software_change *change) {
    bool changed = true;
    bool holds = false;
    for (int round = 0; round < GP_PLAN_CONFIRM_ROUNDS_MAX && changed; round++) {
        place(verdicts, i, verdict, unit, with, change);
        if (!with->out->chosen.present)
            return false;
        holds = gp_confirm_chosen(with, &changed);
    }
    gp_software_tell(&verdict->chosen, &with->out->chosen, change);
    return holds && !changed;
}

/* ------------------------------------------------------------ all changes of a workload */

void gp_software_tell(const gp_candidate *today, const gp_candidate *with,
                      gp_software_change *change) {
    change->sized = *with;
    change->gpus = with->gpus;
    if (!today->feasible || with->gpus >= today->gpus)
        change->saved_nodes = 0;
    else {
        change->saved_gpus = today->gpus - with->gpus;
        change->saved_fraction = 1 - (double)with->gpus / (double)today->gpus;
        change->saved_nodes = gp_num_max_i64(change->saved_nodes, 0);
    }
}

static void consider(const gp_verdicts *verdicts, size_t i, const gp_verdict *verdict, size_t unit,
                     const held_machines *held, size_t change) {
    const gp_plan_context *plan = verdicts->plan;
    const gp_case *c = &plan->cases[i];
    gp_workload_plan *out = c->out;
    variant v;
    gp_case with;
    if (out->software_change_count >= GP_SOFTWARE_CHANGE_MAX ||
        !vary(c, &plan->units[unit], change, &v) || !open_variant(&v, verdicts->cache, &with))
        return;
    gp_software_change row = {
        .path = gp_arena_printf(plan->arena, "workloads.%s.%s", c->workload->name,
                                changes[change].path),
        .from = v.from,
        .to = v.to,
        .assumed = changes[change].assumed,
        .workload = v.workload,
        .may_save = !changes[change].last_resort,
    };
    if (!may_help(verdict, unit, &with, &row) ||
        (gp_software_beside(plan) && !place_confirmed(verdicts, i, verdict, unit, &with, &row)))
        return;
    row.held_requests_per_s = held_with(c, held, verdicts->cache, change);
    out->software_changes[out->software_change_count++] = row;
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
    if (c->out->is_seats || c->plan->options->once) /* people bring their own */
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
