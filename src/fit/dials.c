/*
 * Turning classes of factors. A turn starts from the rows as they were, so that turns do not add up
 * and rounding leaves no trace. Where an architecture's row stands in for several GPUs, only the
 * class in question turns it.
 */
#include "fit/dials.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static void *copy(gp_arena *arena, const void *items, size_t count, size_t size) {
    void *ret = gp_arena_alloc(arena, count + 1, size);
    if (count > 0)
        memcpy(ret, items, count * size);
    return ret;
}

void gp_dials_init(gp_dials *dials, gp_fitter *fitter) {
    gp_arena *arena = fitter->arena;
    *dials = (gp_dials){.fitter = fitter, .constants = fitter->constants};
    dials->efficiencies =
        copy(arena, fitter->efficiencies, fitter->efficiency_count, sizeof *fitter->efficiencies);
    dials->powers = copy(arena, fitter->powers, fitter->power_count, sizeof *fitter->powers);
    dials->stacks = copy(arena, fitter->stacks, fitter->stack_count, sizeof *fitter->stacks);
}

/* What is believed before any measurement: how far a site is off the built-in figures. */
static const double prior_spreads[GP_CALIBRATION_TERM_COUNT] = {
    [GP_CALIBRATION_GEMM] = 0.3,      [GP_CALIBRATION_PREFILL] = 0.4,
    [GP_CALIBRATION_DECODE] = 0.3,    [GP_CALIBRATION_STEP_TIME] = 0.1,
    [GP_CALIBRATION_BANDWIDTH] = 0.2, [GP_CALIBRATION_LATENCY] = 0.4,
    [GP_CALIBRATION_POWER] = 0.15,    [GP_CALIBRATION_IDLE] = 0.3,
    [GP_CALIBRATION_MEMORY] = 0.5,
};

static const char *key_of(gp_arena *arena, const gp_dial *d) {
    return gp_arena_printf(arena, "%d|%s|%s|%s|%s", (int)d->term, d->gpu == NULL ? "" : d->gpu->id,
                           d->precision == NULL ? "" : d->precision, d->link == NULL ? "" : d->link,
                           d->term == GP_CALIBRATION_STEP_TIME ? d->software : "");
}

/* Runs of one class need not share their software: then the class does not name it. */
static void join_software(gp_dial *known, const gp_dial *more) {
    if (!gp_str_equal(known->software, more->software)) {
        known->mixed = true;
        known->software = NULL;
    }
}

void gp_dials_get(gp_dials *dials, const gp_dial *wanted, size_t *ret_at) {
    gp_arena *arena = dials->fitter->arena;
    const char *key = key_of(arena, wanted);
    for (size_t i = 0; i < dials->count; i++) {
        if (gp_str_equal(dials->items[i].key, key)) {
            if (!dials->items[i].mixed)
                join_software(&dials->items[i], wanted);
            *ret_at = i;
            return;
        }
    }
    *ret_at = dials->count;
    gp_dial *added = &GP_PUSH(arena, dials->items, dials->count, dials->cap);
    *added = *wanted;
    added->key = key;
    added->prior_spread = prior_spreads[wanted->term];
}

/* ---- turning --------------------------------------------------------------------------------- */

static void turn_efficiency(gp_dials *dials, const gp_dial *d, double factor) {
    gp_fitter *fitter = dials->fitter;
    for (size_t i = 0; i < fitter->efficiency_count; i++) {
        gp_efficiency *row = &fitter->efficiencies[i];
        if (row != d->target)
            continue;
        if (d->term == GP_CALIBRATION_GEMM) {
            row->gemm_fraction *= factor;
            row->attention_fraction = gp_num_min(1, row->attention_fraction * factor);
        } else if (d->term == GP_CALIBRATION_PREFILL) {
            row->prefill_gemm_fraction *= factor;
        } else {
            row->hbm_fraction *= factor;
            row->kv_fraction = gp_num_min(1, row->kv_fraction * factor);
            row->decode_layer_s /= factor;
        }
    }
}

static void turn_power(gp_dials *dials, const gp_dial *d, double factor) {
    gp_fitter *fitter = dials->fitter;
    for (size_t i = 0; i < fitter->power_count; i++) {
        gp_power_class *row = &fitter->powers[i];
        if (row != d->target)
            continue;
        row->weights_fraction *= factor;
        row->block_fraction *= factor;
        row->compute_fraction *= factor;
        row->prefill_fraction *= factor;
        row->attention_fraction *= factor;
        row->communication_fraction *= factor;
        row->overhead_fraction *= factor;
    }
}

static void turn_stacks(gp_dials *dials, const gp_dial *d, double factor) {
    gp_fitter *fitter = dials->fitter;
    const int role = (int)(d->serving ? GP_STACK_SERVING : GP_STACK_TRAINING);
    for (size_t i = 0; i < fitter->stack_count; i++) {
        gp_stack *row = &fitter->stacks[i];
        if (row->role == role && gp_str_equal(row->name, d->software))
            row->time_factor = (row->time_factor > 0 ? row->time_factor : 1) * factor;
    }
}

static void turn_curves(gp_dials *dials, const gp_dial *d, double factor) {
    gp_fitter *fitter = dials->fitter;
    for (size_t m = 0; m < fitter->machine_count; m++) {
        gp_machine *machine = fitter->machine_items[m];
        if (!gp_str_equal(machine->gpu->id, d->gpu->id))
            continue;
        for (int c = 0; c < GP_COLLECTIVE_COUNT; c++) {
            for (int r = 0; r < GP_FIT_RANKS; r++) {
                gp_curve *curve = &machine->scale_up[c][r];
                if (d->term == GP_CALIBRATION_LATENCY) {
                    curve->latency_s *= factor;
                } else {
                    curve->bus_bytes_per_s *= factor;
                    curve->sqrt_s /= factor;
                }
            }
        }
    }
}

static void turn_link(gp_dials *dials, const gp_dial *d, double factor) {
    gp_constants *k = &dials->fitter->constants;
    if (d->gpu != NULL)
        turn_curves(dials, d, factor);
    else if (d->term == GP_CALIBRATION_LATENCY)
        k->network_scale_out_latency_s *= factor;
    else
        k->network_scale_out_fraction *= factor;
}

static void turn_memory(gp_dials *dials, const gp_dial *d, double factor) {
    (void)d;
    dials->fitter->constants.memory_fragmentation_fraction *= factor;
}

static void (*const turners[GP_CALIBRATION_TERM_COUNT])(gp_dials *, const gp_dial *, double) = {
    [GP_CALIBRATION_GEMM] = turn_efficiency,   [GP_CALIBRATION_PREFILL] = turn_efficiency,
    [GP_CALIBRATION_DECODE] = turn_efficiency, [GP_CALIBRATION_STEP_TIME] = turn_stacks,
    [GP_CALIBRATION_BANDWIDTH] = turn_link,    [GP_CALIBRATION_LATENCY] = turn_link,
    [GP_CALIBRATION_POWER] = turn_power,       [GP_CALIBRATION_IDLE] = turn_power,
    [GP_CALIBRATION_MEMORY] = turn_memory,
    /* cacheShare comes of no run */
};

/* Machines are made when a run first names them: those made since keep what they are. */
static void keep_machines(gp_dials *dials) {
    gp_fitter *fitter = dials->fitter;
    gp_machine *kept = GP_NEW_ARRAY(fitter->arena, gp_machine, fitter->machine_count + 1);
    for (size_t i = 0; i < fitter->machine_count; i++)
        kept[i] = i < dials->machine_count ? dials->machines[i] : *fitter->machine_items[i];
    dials->machines = kept;
    dials->machine_count = fitter->machine_count;
}

static void restore(gp_dials *dials) {
    gp_fitter *fitter = dials->fitter;
    if (dials->machine_count < fitter->machine_count)
        keep_machines(dials);
    memcpy(fitter->efficiencies, dials->efficiencies,
           fitter->efficiency_count * sizeof *fitter->efficiencies);
    memcpy(fitter->powers, dials->powers, fitter->power_count * sizeof *fitter->powers);
    memcpy(fitter->stacks, dials->stacks, fitter->stack_count * sizeof *fitter->stacks);
    fitter->constants = dials->constants;
    for (size_t i = 0; i < dials->machine_count; i++)
        memcpy(fitter->machine_items[i]->scale_up, dials->machines[i].scale_up,
               sizeof dials->machines[i].scale_up);
}

void gp_dials_turn(gp_dials *dials, size_t own, double log_factor) {
    restore(dials);
    for (size_t i = 0; i < dials->count; i++) {
        const gp_dial *d = &dials->items[i];
        const gp_dial *mine = own < dials->count ? &dials->items[own] : NULL;
        bool rival = mine != NULL && i != own && d->target != NULL && d->target == mine->target &&
                     d->term == mine->term;
        if (!rival)
            turners[d->term](dials, d, gp_num_exp(i == own ? log_factor : d->log_factor));
    }
}

void gp_dials_probe(gp_dials *dials, const gp_dial *probe, double log_factor) {
    gp_dials_turn(dials, SIZE_MAX, 0);
    turners[probe->term](dials, probe, gp_num_exp(log_factor));
}
