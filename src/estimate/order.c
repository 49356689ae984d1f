/*
 * Order among parts. A part that is at least as good as another in every figure of its datasheet
 * is taken to reach at least what the other does, as expected and at the safe edge: its class may
 * rest on fewer or older runs. Shares are raised until their rates are no less, fixed times lowered
 * to the other's, and the band narrowed as far as its safe edge stays no better than the other's.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/machine.h"

static double domain_of(const gp_gpu *gpu) {
    bool linked = gpu->link.kind != NULL && !gp_str_starts(gpu->link.kind, "pcie");
    return gpu->domain_max > 0 ? (double)gpu->domain_max : linked ? (double)GP_NUM_COUNT_MAX : 1;
}

static bool is_kind(const gp_gpu *gpu, const char *word) {
    return gpu->link.kind != NULL && strstr(gpu->link.kind, word) != NULL;
}

/* In every figure but the rate of 8-bit integers, which some newer parts have given up. */
static bool betters(const gp_gpu *a, const gp_gpu *b) {
    const double figures[][2] = {
        {a->flops.fp32, b->flops.fp32},
        {a->flops.tf32, b->flops.tf32},
        {a->flops.fp16, b->flops.fp16},
        {a->flops.bf16, b->flops.bf16},
        {a->flops.fp8, b->flops.fp8},
        {a->flops.fp4, b->flops.fp4},
        {a->exponentials_per_s > 0 ? a->exponentials_per_s : b->exponentials_per_s,
         b->exponentials_per_s},
        {a->memory_bytes, b->memory_bytes},
        {a->memory_bytes_per_s, b->memory_bytes_per_s},
        {a->link.bandwidth_bytes_per_s, b->link.bandwidth_bytes_per_s},
        {a->tdp_w, b->tdp_w},
        {domain_of(a), domain_of(b)},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (figures[i][0] < figures[i][1])
            return false;
    }
    /* A mesh gives a pair of GPUs a part of its links; some drivers give them none. */
    bool topology =
        is_kind(a, "xgmi") <= is_kind(b, "xgmi") && is_kind(a, "staged") <= is_kind(b, "staged");
    return topology && a->tdp_w > 0 && b->tdp_w > 0;
}

bool gp_gpu_dominates(const gp_gpu *a, const gp_gpu *b) {
    return betters(a, b) && a->flops.int8 >= b->flops.int8;
}

/* What the other part has of a peak of this one; 0 where neither has it. */
static double over(double other, double own) {
    return own > 0 ? other / own : 0;
}

/* Of what both have, the least that this part does over what the other one does. */
static void raise(double *own, double other, double *ratio) {
    if (!(other > 0) || !(*own > 0)) {
        return; /* a constant stands for both */
    }
    *own = gp_num_max(*own, other);
    *ratio = gp_num_min(*ratio, *own / other);
}

static void lower(double *own, double other, double *ratio) {
    if (!(other > 0) || !(*own > 0))
        return;
    *own = gp_num_min(*own, other);
    *ratio = gp_num_min(*ratio, other / *own);
}

/* The row, no worse than the other part's row of that precision. */
static void keep_up(const gp_machine *m, const gp_gpu_rates *other, int precision,
                    gp_efficiency *own) {
    const gp_efficiency *row = other->efficiency[precision];
    double wide =
        gp_num_max(m->peak_flop_per_s[GP_PRECISION_BF16], m->peak_flop_per_s[GP_PRECISION_FP16]);
    double other_wide = gp_num_max(other->peak_flop_per_s[GP_PRECISION_BF16],
                                   other->peak_flop_per_s[GP_PRECISION_FP16]);
    double peak = over(other->peak_flop_per_s[precision], m->peak_flop_per_s[precision]);
    /* Of both the exponentials are known, or the multipliers are all there is to go by. */
    bool known = m->gpu->exponentials_per_s > 0 && other->gpu->exponentials_per_s > 0;
    double attention = known ? 1 : over(other_wide, wide);
    double memory = over(other->gpu->memory_bytes_per_s, m->hbm_bytes_per_s);
    double ratio = (double)GP_NUM_COUNT_MAX;
    raise(&own->gemm_fraction, row->gemm_fraction * peak, &ratio);
    raise(&own->attention_fraction, row->attention_fraction * attention, &ratio);
    raise(&own->prefill_gemm_fraction, row->prefill_gemm_fraction * peak, &ratio);
    raise(&own->prefill_attention_fraction, row->prefill_attention_fraction * attention, &ratio);
    raise(&own->hbm_fraction, row->hbm_fraction * memory, &ratio);
    raise(&own->kv_fraction, row->kv_fraction * memory, &ratio);
    raise(&own->expert_hbm_fraction, row->expert_hbm_fraction * memory, &ratio);
    /* Grouped products count by the plain ones. */
    raise(&own->moe_fraction,
          row->moe_fraction * over(row->gemm_fraction * peak, own->gemm_fraction), &ratio);
    raise(&own->expert_gemm_fraction,
          row->expert_gemm_fraction *
              over(row->prefill_gemm_fraction * peak, own->prefill_gemm_fraction),
          &ratio);
    lower(&own->expert_layer_s, row->expert_layer_s, &ratio);
    lower(&own->decode_layer_s, row->decode_layer_s, &ratio);
    lower(&own->layer_s, row->layer_s, &ratio);
    double safe = (1 + row->error_fraction) * gp_num_max(ratio, 1) - 1;
    own->error_fraction = gp_num_min(own->error_fraction, safe);
}

static bool is_same(const gp_efficiency *a, const gp_efficiency *b) {
    const double apart[] = {
        a->gemm_fraction - b->gemm_fraction,
        a->attention_fraction - b->attention_fraction,
        a->prefill_gemm_fraction - b->prefill_gemm_fraction,
        a->prefill_attention_fraction - b->prefill_attention_fraction,
        a->hbm_fraction - b->hbm_fraction,
        a->kv_fraction - b->kv_fraction,
        a->expert_hbm_fraction - b->expert_hbm_fraction,
        a->moe_fraction - b->moe_fraction,
        a->expert_gemm_fraction - b->expert_gemm_fraction,
        b->expert_layer_s - a->expert_layer_s,
        b->decode_layer_s - a->decode_layer_s,
        b->layer_s - a->layer_s,
        b->error_fraction - a->error_fraction,
    };
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        if (apart[i] > 0)
            return false;
    }
    return true;
}

/* Measured on the part by its owner: that stands. */
static bool is_own(const gp_efficiency *row) {
    return row->own_runs > 0 || row->own_serving > 0;
}

static bool may_follow(const gp_machine *m, const gp_gpu_rates *other, int precision) {
    const gp_efficiency *own = m->efficiency[precision];
    const gp_efficiency *row = other->efficiency[precision];
    return own != NULL && row != NULL && own != row && !is_own(own) && !is_own(row) &&
           m->peak_flop_per_s[precision] >= other->peak_flop_per_s[precision];
}

void gp_gpu_rates_all(gp_arena *arena, const gp_gpu *const *gpus, size_t count,
                      const gp_machine_rows *rows, const gp_gpu_rates **ret_rates) {
    gp_gpu_rates *rates = GP_NEW_ARRAY(arena, gp_gpu_rates, count + 1);
    for (size_t i = 0; i < count; i++)
        gp_gpu_rates_of(rows, gpus[i], &rates[i]);
    *ret_rates = rates;
}

void gp_machine_order(gp_arena *arena, const gp_gpu_rates *rates, size_t rate_count,
                      gp_machine *machine) {
    gp_efficiency raised[GP_PRECISION_COUNT];
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        if (machine->efficiency[p] != NULL)
            memcpy(&raised[p], machine->efficiency[p], sizeof raised[p]);
    }
    for (size_t i = 0; i < rate_count; i++) {
        const gp_gpu_rates *other = &rates[i];
        if (gp_str_equal(other->gpu->id, machine->gpu->id) || !betters(machine->gpu, other->gpu))
            continue;
        for (int p = 0; p < GP_PRECISION_COUNT; p++) {
            if (may_follow(machine, other, p))
                keep_up(machine, other, p, &raised[p]);
        }
    }
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        if (machine->efficiency[p] == NULL || is_same(&raised[p], machine->efficiency[p]))
            continue;
        gp_efficiency *row = GP_NEW(arena, gp_efficiency);
        memcpy(row, &raised[p], sizeof *row);
        machine->efficiency[p] = row;
    }
}
