/*
 * The table of free constants, and from its rows to the numbers in memory that a refit moves. A
 * rule speaks of physics or of a class of hardware or software, never of a model or a page; its
 * prior is what one would assume before seeing a run, so that a refit does not depend on the values
 * that are shipped.
 */
#include "lab/free.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"

#define CONSTANT(id_, prior_, spread_, low_, high_)                                                \
    {                                                                                              \
        .kind = GP_FREE_CONSTANT, .id = id_, .tie = GP_FREE_ALL, .prior = prior_,                  \
        .spread = spread_, .low = low_, .high = high_                                              \
    }
#define EFFICIENCY(key_, tie_, prior_, spread_, low_, high_)                                       \
    {                                                                                              \
        .kind = GP_FREE_EFFICIENCY, .id = key_, .tie = tie_, .prior = prior_, .spread = spread_,   \
        .low = low_, .high = high_                                                                 \
    }

#define POWER(key_, prior_, spread_, low_, high_)                                                  \
    {                                                                                              \
        .kind = GP_FREE_POWER, .id = key_, .tie = GP_FREE_EACH, .prior = prior_,                   \
        .spread = spread_, .low = low_, .high = high_                                              \
    }

const gp_free_rule gp_free_rules[] = {
    CONSTANT("training.gemm.tokens", 1, 0.7, 0.1, 20),
    CONSTANT("training.gemm.width", 80, 0.7, 5, 2000),
    CONSTANT("training.gemm.expert-tokens", 200, 0.5, 5, 4000),
    CONSTANT("training.elementwise.passes", 40, 0.4, 5, 150),
    CONSTANT("training.attention.tokens", 1000, 1, 10, 8000),
    CONSTANT("training.attention.head", 16, 1, 1, 300),
    CONSTANT("training.attention.flash2", 0.6, 0.4, 0.3, 1),
    CONSTANT("training.attention.triton", 0.7, 0.4, 0.2, 1),
    CONSTANT("training.attention.eager", 20, 1, 1, 60),
    CONSTANT("training.elementwise.eager", 2, 0.5, 1, 6),
    CONSTANT("training.host.layer", 2e-3, 1, 1e-4, 2e-2),
    CONSTANT("training.host.adapter", 1e-3, 0.3, 1e-5, 2e-2),
    CONSTANT("training.host.sharded", 4e-3, 1, 1e-5, 5e-2),
    CONSTANT("training.host.unit", 4e-3, 1, 1e-5, 5e-2),
    CONSTANT("training.dequantize", 60, 0.7, 5, 600),
    CONSTANT("training.dequantize.int4", 150, 0.7, 5, 1000),
    CONSTANT("training.selective.recompute", 0.17, 0.5, 0.02, 0.6),
    CONSTANT("training.moe.permute", 12, 0.3, 1, 100),
    CONSTANT("training.host.split", 0.5, 1, 0.01, 3),
    CONSTANT("training.host.step", 5e-2, 1, 1e-3, 1),
    CONSTANT("training.moe.layer", 4e-3, 1, 5e-5, 4e-2),
    CONSTANT("training.scan.bytes", 2, 0.7, 0.1, 40),
    CONSTANT("training.adapter.layer", 3e-5, 1, 1e-6, 1e-3),
    CONSTANT("training.adapter.passes", 4, 0.7, 0.1, 40),
    CONSTANT("training.tp.exposed", 0.35, 0.5, 0.1, 1),
    CONSTANT("training.cp.exposed", 0.3, 0.5, 0.05, 1),
    CONSTANT("training.ep.exposed", 0.3, 0.5, 0.1, 1),
    CONSTANT("training.pp.exposed", 0.4, 0.7, 0.02, 1),
    CONSTANT("training.dp.exposed", 0.3, 0.7, 0.01, 0.8),
    CONSTANT("training.fsdp.exposed", 0.4, 0.7, 0.01, 0.8),
    CONSTANT("training.overlap", 0.7, 0.3, 0.3, 1),
    CONSTANT("network.host.staged", 5e9, 0.5, 5e8, 2e10),
    CONSTANT("memory.activations.remat", 2, 0.3, 1, 3),
    CONSTANT("memory.logits.eager", 14, 0.2, 6, 20),
    CONSTANT("memory.logits.fused", 8, 0.2, 4, 14),
    CONSTANT("memory.logits.fused-sharded", 6, 0.2, 3, 12),
    CONSTANT("memory.logits.parallel", 6, 0.3, 3, 14),
    CONSTANT("memory.logits.compiled", 4, 0.3, 2, 10),
    CONSTANT("memory.fragmentation", 0.1, 0.5, 0.01, 0.4),
    EFFICIENCY("gemm", GP_FREE_DIE, 0.6, 0.4, 0.1, 1.5),
    EFFICIENCY("attention", GP_FREE_ALL, 0.4, 0.5, 0.05, 1.5),
    EFFICIENCY("moe", GP_FREE_ALL, 0.8, 0.2, 0.05, 1),
    EFFICIENCY("layerTime", GP_FREE_ALL, 6e-5, 1, 5e-6, 1e-3),
    POWER("idle", 0.2, 0.3, 0.05, 0.4),
    POWER("weights", 0.7, 0.5, 0.1, 2),
    POWER("blockWeights", 0.8, 0.5, 0.1, 2),
    POWER("compute", 0.7, 0.5, 0.05, 4),
    POWER("prefill", 0.7, 0.5, 0.1, 2),
    POWER("attention", 0.7, 0.5, 0.05, 2),
    POWER("communication", 0.3, 1, 0.01, 1.5),
    POWER("overhead", 0.3, 1, 0.01, 1.5),
    POWER("hostStep", 2e-3, 2, 1e-5, 2e-2),
    POWER("hostRank", 2e-3, 2, 1e-5, 2e-2),
    POWER("hostSequence", 1e-5, 2, 1e-7, 1e-3),
    POWER("hostMedia", 2e-5, 2, 1e-7, 1e-3),
    {.kind = GP_FREE_STACK,
     .id = "timeFactor",
     .tie = GP_FREE_BUILD,
     .prior = 1.05,
     .spread = 0.15,
     .low = 0.5,
     .high = 5},
    {.kind = GP_FREE_STACK,
     .id = "moeFactor",
     .tie = GP_FREE_BUILD,
     .prior = 1.2,
     .spread = 0.3,
     .low = 0.5,
     .high = 5},
};
const size_t gp_free_rule_count = sizeof gp_free_rules / sizeof gp_free_rules[0];

static gp_free *find_free(gp_free_list *list, const gp_free_rule *rule, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].rule == rule && strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* An earlier rule of the same member that names the class itself. */
static bool is_named(const gp_free_list *list, const gp_free_rule *rule, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].rule != rule && strcmp(list->items[i].name, name) == 0)
            return true;
    return false;
}

static gp_free *get_free(gp_fitter *fitter, gp_free_list *list, const gp_free_rule *rule,
                         const char *name) {
    gp_free *known = name == NULL ? NULL : find_free(list, rule, name);
    if (known != NULL || name == NULL) {
        return known;
    }
    gp_free *items =
        gp_arena_grow(fitter->arena, list->items, list->count, &list->cap, sizeof *list->items);
    if (items == NULL) {
        return NULL;
    }
    list->items = items;
    items[list->count] = (gp_free){.rule = rule, .name = name, .value = rule->prior};
    return &items[list->count++];
}

static gp_status add_target(gp_fitter *fitter, gp_free *item, double *target, double ratio) {
    double **targets = gp_arena_grow(fitter->arena, item->targets, item->target_count,
                                     &item->target_cap, sizeof(double *));
    if (targets == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    item->targets = targets;
    double *ratios = gp_arena_grow(fitter->arena, item->ratios, item->target_count,
                                   &item->ratio_cap, sizeof(double));
    if (ratios == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    item->ratios = ratios;
    targets[item->target_count] = target;
    ratios[item->target_count++] = ratio;
    return GP_OK;
}

static gp_status collect_constant(gp_fitter *fitter, const gp_free_rule *rule, gp_free_list *list) {
    int field = gp_field_named(&gp_constants_type, rule->id, strlen(rule->id));
    if (field < 0) {
        gp_diags_error(fitter->diags, GP_ID_CATALOG, (gp_span){0}, NULL, NULL,
                       "the constant %s is to be fitted but does not exist", rule->id);
        return GP_ERR_INTERNAL;
    }
    void *at = (char *)&fitter->constants + gp_constants_type.fields[field].offset;
    gp_free *item = get_free(fitter, list, rule, rule->id);
    return item == NULL ? GP_ERR_NO_MEMORY : add_target(fitter, item, at, 1);
}

/* Architecture and kind of memory: data-centre parts and cards of one name differ in little else. A
 * row of a whole architecture stands for the parts with stacked memory, where there are any. */
static const char *family_of(gp_fitter *fitter, const gp_efficiency *row, bool by_memory,
                             const char **ret_vendor) {
    const void *const *rows = NULL;
    size_t count = 0;
    const char *arch = row->arch;
    bool stacked = false;
    if (gp_catalog_rows(fitter->catalog, GP_CATALOG_GPUS, &rows, &count) != GP_OK) {
        return "";
    }
    for (size_t i = 0; i < count; i++) {
        const gp_gpu *gpu = rows[i];
        bool own =
            row->gpu != NULL ? gp_str_equal(gpu->id, row->gpu) : gp_str_equal(gpu->arch, row->arch);
        arch = own && row->gpu != NULL ? gpu->arch : arch;
        *ret_vendor = own ? gpu->vendor : *ret_vendor;
        stacked = stacked || (own && gp_str_starts(gpu->memory_type, "hbm"));
    }
    return by_memory ? gp_arena_printf(fitter->arena, "%s %s", arch, stacked ? "hbm" : "gddr")
                     : arch;
}

static const char *width_of(const gp_efficiency *row) {
    switch (row->precision) {
    case GP_PRECISION_FP16:
    case GP_PRECISION_BF16: return "16 bit";
    case GP_PRECISION_FP8:
    case GP_PRECISION_MXFP8:
    case GP_PRECISION_INT8: return "8 bit";
    case GP_PRECISION_FP4: return "4 bit";
    default: return "32 bit";
    }
}

static const char *efficiency_name(gp_fitter *fitter, const gp_free_rule *rule,
                                   const gp_efficiency *row, const char **ret_vendor) {
    switch (rule->tie) {
    case GP_FREE_EACH: return gp_arena_printf(fitter->arena, "%s %s", rule->id, row->id);
    case GP_FREE_DIE:
    case GP_FREE_FAMILY:
        return gp_arena_printf(fitter->arena, "%s %s %s", rule->id,
                               family_of(fitter, row, rule->tie == GP_FREE_FAMILY, ret_vendor),
                               width_of(row));
    case GP_FREE_GENERATION:
        return gp_arena_printf(fitter->arena, "%s %s", rule->id,
                               family_of(fitter, row, true, ret_vendor));
    case GP_FREE_ENGINE:
    case GP_FREE_BUILD:
    case GP_FREE_ALL: break;
    }
    return rule->id;
}

static gp_status collect_efficiency(gp_fitter *fitter, const gp_free_rule *rule,
                                    gp_free_list *list) {
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_EFFICIENCIES);
    int field = gp_field_named(type, rule->id, strlen(rule->id));
    gp_status st = field < 0 ? GP_ERR_INTERNAL : GP_OK;
    for (size_t i = 0; st == GP_OK && i < fitter->efficiency_count; i++) {
        gp_efficiency *row = &fitter->efficiencies[i];
        const char *vendor = NULL;
        const char *name = efficiency_name(fitter, rule, row, &vendor);
        if (name != NULL && ((rule->only != NULL && !gp_str_ends(name, rule->only)) ||
                             is_named(list, rule, name))) {
            continue;
        }
        gp_free *item = get_free(fitter, list, rule, name);
        void *at = (char *)row + type->fields[field].offset;
        st = item == NULL ? GP_ERR_NO_MEMORY : add_target(fitter, item, at, 1);
        if (st == GP_OK) {
            item->clan = vendor;
        }
    }
    return st;
}

static gp_status collect_powers(gp_fitter *fitter, const gp_free_rule *rule, gp_free_list *list) {
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_POWERS);
    int field = gp_field_named(type, rule->id, strlen(rule->id));
    gp_status st = field < 0 ? GP_ERR_INTERNAL : GP_OK;
    for (size_t i = 0; st == GP_OK && i < fitter->power_count; i++) {
        gp_power_class *row = &fitter->powers[i];
        const char *name = gp_arena_printf(fitter->arena, "%s %s", rule->id, row->id);
        gp_free *item = get_free(fitter, list, rule, name);
        void *at = (char *)row + type->fields[field].offset;
        st = item == NULL ? GP_ERR_NO_MEMORY : add_target(fitter, item, at, 1);
    }
    return st;
}

/* Stacks that are built alike share what their build costs over the reference. */
static const char *build_name(gp_fitter *fitter, const gp_free_rule *rule, const gp_stack *row) {
    static const char *const words[GP_KERNELS_COUNT] = {
        [GP_KERNELS_AUTO] = "compiled",
        [GP_KERNELS_EAGER] = "plain modules",
        [GP_KERNELS_FUSED] = "fused modules",
        [GP_KERNELS_LIGER] = "fused modules",
    };
    return gp_arena_printf(fitter->arena, "%s %s", rule->id, words[row->kernels]);
}

/* Whether two releases of an engine stand with the same times. */
static bool is_alike(const gp_stack *a, const gp_stack *b) {
    return a->role == b->role && gp_str_equal(a->name, b->name) &&
           gp_num_near(a->time_factor, b->time_factor) && gp_num_near(a->step_s, b->step_s) &&
           gp_num_near(a->layer_s, b->layer_s) && gp_num_near(a->expert_s, b->expert_s) &&
           gp_num_near(a->sequence_s, b->sequence_s) && gp_num_near(a->request_s, b->request_s) &&
           gp_num_near(a->draft_s, b->draft_s) &&
           gp_num_near(a->prefill_factor, b->prefill_factor);
}

/* Releases with the same times are one class, called by its newest. */
static const gp_stack *class_of(const gp_fitter *fitter, const gp_stack *row) {
    const gp_stack *newest = row;
    for (size_t i = 0; i < fitter->stack_count; i++) {
        const gp_stack *other = &fitter->stacks[i];
        newest = other->order > newest->order && is_alike(other, row) ? other : newest;
    }
    return newest;
}

/* A member of the serving engines' rows. A time factor of 1 is the reference that the others are
 * measured against. */
static gp_status collect_engines(gp_fitter *fitter, const gp_free_rule *rule, gp_free_list *list) {
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_STACKS);
    int field = gp_field_named(type, rule->id, strlen(rule->id));
    gp_status st = field < 0 ? GP_ERR_INTERNAL : GP_OK;
    for (size_t i = 0; st == GP_OK && i < fitter->stack_count; i++) {
        gp_stack *row = &fitter->stacks[i];
        double *at = (double *)(void *)((char *)row + type->fields[field].offset);
        bool reference = at == &row->time_factor && gp_num_near(*at, 1);
        if (row->role != GP_STACK_SERVING || *at <= 0 || reference) {
            continue;
        }
        const char *name =
            gp_arena_printf(fitter->arena, "%s %s", rule->id, class_of(fitter, row)->id);
        gp_free *item = get_free(fitter, list, rule, name);
        st = item == NULL ? GP_ERR_NO_MEMORY : add_target(fitter, item, at, 1);
    }
    return st;
}

/* A stack at 1 is the reference that the others are measured against; one at 0 says nothing. */
static gp_status collect_stacks(gp_fitter *fitter, const gp_free_rule *rule, gp_free_list *list) {
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_STACKS);
    int field = gp_field_named(type, rule->id, strlen(rule->id));
    gp_status st = field < 0 ? GP_ERR_INTERNAL : GP_OK;
    for (size_t i = 0; st == GP_OK && i < fitter->stack_count; i++) {
        gp_stack *row = &fitter->stacks[i];
        void *at = (char *)row + type->fields[field].offset;
        double value = *(const double *)at;
        if (row->role != GP_STACK_TRAINING || value <= 0 || gp_num_near(value, 1)) {
            continue;
        }
        gp_free *item = get_free(fitter, list, rule, build_name(fitter, rule, row));
        st = item == NULL ? GP_ERR_NO_MEMORY : add_target(fitter, item, at, 1);
    }
    return st;
}

gp_status gp_free_collect(gp_fitter *fitter, const gp_free_rule *rules, size_t rule_count,
                          gp_free_list *list) {
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < rule_count; i++) {
        const gp_free_rule *rule = &rules[i];
        switch (rule->kind) {
        case GP_FREE_CONSTANT: st = collect_constant(fitter, rule, list); break;
        case GP_FREE_EFFICIENCY: st = collect_efficiency(fitter, rule, list); break;
        case GP_FREE_POWER: st = collect_powers(fitter, rule, list); break;
        case GP_FREE_STACK:
            st = rule->tie == GP_FREE_ENGINE ? collect_engines(fitter, rule, list)
                                             : collect_stacks(fitter, rule, list);
            break;
        }
    }
    return st;
}

void gp_free_set(gp_free *item, double value) {
    item->value = gp_num_min(gp_num_max(value, item->rule->low), item->rule->high);
    for (size_t i = 0; i < item->target_count; i++) {
        *item->targets[i] = item->value * item->ratios[i];
    }
}
