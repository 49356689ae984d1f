/*
 * The share of a GPU's memory that an engine takes, from the tokens that its KV cache holds:
 * engines print them once, as blocks and their size. Weights and all else are believed as planned;
 * a cache that would need quite another share tells of another layout instead, and gives no factor.
 */
#include "model/calibration.h"

#include "base/num.h"
#include "base/str.h"
#include "catalog/constants.h"
#include "import/telemetry.h"
#include "plan/plan.h"

static const double least_factor = 0.8; /* of what engines are set to */
static const double most_factor = 1.12;
static const double window_weight = 0.97; /* as of power at rest: one window, one measurement */

typedef struct service_cache {
    const gp_workload_plan *plan;
    const char *served; /* the model, as its engines call it */
    double built_in;    /* share of the memory */
} service_cache;

/* The built-in share: of the engine's row where the plan names one, else of engines at large; 0
 * where there is none. */
static double built_in_share(const gp_constants *constants, gp_catalog *catalog,
                             const gp_stack *planned) {
    const void *row = NULL;
    if (planned == NULL)
        return constants->serving_utilization_fraction;
    (void)gp_catalog_find(catalog, GP_CATALOG_STACKS, planned->id, &row, NULL, NULL);
    return row == NULL ? 0 : ((const gp_stack *)row)->claim_fraction;
}

/* The share that an engine claims where its pool is of `pool` bytes, by its rule. */
static double share_of(const gp_stack *stack, const gp_memory *memory, double pool) {
    const double *bytes = memory->bytes;
    double used = memory->total_bytes - bytes[GP_MEMORY_KV_CACHE];
    switch (stack == NULL ? GP_POOL_CLAIM : (gp_pool_rule)stack->pool) {
    case GP_POOL_STATIC:
        return (pool + bytes[GP_MEMORY_WEIGHTS] + bytes[GP_MEMORY_ADAPTER]) /
               (memory->capacity_bytes - bytes[GP_MEMORY_CONTEXT]);
    case GP_POOL_FREE: return pool / (memory->capacity_bytes - used);
    case GP_POOL_CLAIM:
    case GP_POOL_COUNT: break;
    }
    return (used + pool) / memory->capacity_bytes;
}

static void add_factor(const gp_telemetry *telemetry, const service_cache *in,
                       gp_calibration *calibration, const char **ret_note) {
    const gp_serve_memory *planned = &in->plan->chosen.serve_memory;
    const gp_telemetry_reading *pool = gp_telemetry_reading_of(telemetry, "kvPool", in->served);
    const gp_stack *stack = in->plan->serve.stack;
    if (pool == NULL || !(planned->kv_pool_tokens > 0) || !(pool->p50 > 0))
        return;
    double ratio = pool->p50 / planned->kv_pool_tokens;
    double share =
        share_of(stack, &planned->memory, planned->memory.bytes[GP_MEMORY_KV_CACHE] * ratio);
    double measured = share / in->built_in;
    if (measured < least_factor || measured > most_factor || share > 1)
        *ret_note = gp_arena_printf(
            telemetry->arena,
            "%s gives no factor of memory: its cache holds %s tokens, not %s as planned, which is "
            "another layout or format: parallelism and precision state what runs",
            in->plan->workload->name, gp_quantity_format(telemetry->arena, pool->p50, GP_DIM_COUNT),
            gp_quantity_format(telemetry->arena, planned->kv_pool_tokens, GP_DIM_COUNT));
    else
        GP_NEXT(calibration->factors) = (gp_calibration_factor){
            .class_of = {.engine = stack == NULL ? NULL : stack->name},
            .term = GP_CALIBRATION_CACHE,
            .factor = gp_num_exp(window_weight * gp_num_log(measured)),
            .measured = measured,
            .weight = window_weight,
            .samples = 1,
        };
}

gp_status gp_telemetry_cache_factors(const gp_telemetry *telemetry, gp_catalog *catalog,
                                     const gp_plan_result *result, const char *const *served,
                                     gp_calibration *calibration, const char **ret_notes) {
    size_t first = calibration->factors.count;
    const size_t size = sizeof *calibration->factors.items;
    calibration->factors.items =
        gp_arena_resize(telemetry->arena, calibration->factors.items, first * size,
                        (first + result->workloads.count + 1) * size);
    gp_constants *constants = GP_NEW(telemetry->arena, gp_constants);
    gp_diags diags = GP_DIAGS(telemetry->arena);
    gp_status st = gp_constants_load(catalog, &diags, constants);
    for (size_t i = 0; st == GP_OK && i < result->workloads.count; i++) {
        service_cache in = {.plan = &result->workloads.items[i], .served = served[i]};
        ret_notes[i] = NULL;
        if (!in.plan->is_serving || !in.plan->chosen.present || in.plan->chosen.split.present ||
            served[i] == NULL)
            continue;
        const gp_stack *stack = in.plan->serve.stack;
        in.built_in = built_in_share(constants, catalog, stack);
        if (in.built_in > 0 &&
            GP_NAMED_OF(calibration->factors.items + first, calibration->factors.count - first,
                        class_of.engine, stack == NULL ? NULL : stack->name) == NULL)
            add_factor(telemetry, &in, calibration, &ret_notes[i]);
    }
    return st;
}
