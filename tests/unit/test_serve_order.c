/* Order in serving: a part that is at least as good in every figure of its datasheet is not
 * estimated slower, and a longer prompt is never answered sooner. All parts of the catalogue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "estimate/serve.h"
#include "support/estimate_case.h"

typedef struct serve_case {
    const char *model;
    gp_format weights;
    gp_precision compute;
    gp_serve_layout layout;
    double input, batch;
} serve_case;

static const serve_case cases[] = {
    {"llama-3.1-8b", GP_FORMAT_BF16, GP_PRECISION_BF16, {1, 1, 1, 0, 0, 0, 0}, 1000, 16},
    {"llama-3.1-8b", GP_FORMAT_FP8, GP_PRECISION_FP8, {1, 1, 1, 0, 0, 0, 0}, 1000, 64},
    {"llama-3.1-70b", GP_FORMAT_FP8, GP_PRECISION_FP8, {8, 1, 1, 0, 0, 0, 0}, 4000, 64},
    {"llama-3.1-70b", GP_FORMAT_NVFP4, GP_PRECISION_FP4, {8, 1, 1, 0, 0, 0, 0}, 4000, 64},
    {"deepseek-v3", GP_FORMAT_FP8_BLOCK, GP_PRECISION_FP8, {8, 1, 1, 0, 0, 0, 0}, 4000, 32},
    {"qwen3-30b-a3b", GP_FORMAT_BF16, GP_PRECISION_BF16, {1, 1, 1, 0, 0, 0, 0}, 1000, 32},
    {"gpt-oss-120b", GP_FORMAT_MXFP4, GP_PRECISION_FP4, {1, 1, 1, 0, 0, 0, 0}, 1000, 64},
};
enum { CASES = sizeof cases / sizeof cases[0], PARTS_MAX = 256, SYSTEM_GPUS = 8, FIGURES = 4 };

typedef struct part {
    const gp_gpu *gpu;
    gp_machine machine;
    double times[CASES][FIGURES]; /* step and prefill, as expected and at the safe edge */
} part;

static gp_serve_job job_of(const serve_case *s, const gp_machine *machine, const gp_shape *shape) {
    gp_serve_job job = estimate_case_serve_job(shape);
    bool computes = machine->efficiency[s->compute] != NULL;
    job.weights = s->weights;
    job.compute = computes ? s->compute : GP_PRECISION_BF16;
    job.quantized_fraction = shape->model->weights.quantized_fraction;
    return job;
}

static void time_part(estimate_case *c, part *p) {
    for (int i = 0; i < CASES; i++) {
        const serve_case *s = &cases[i];
        gp_shape shape = estimate_case_shape(c, s->model);
        gp_serve_job job = job_of(s, &p->machine, &shape);
        double safe = 1 + gp_serve_band(&job, &p->machine, &c->constants);
        p->times[i][0] = gp_decode_step_s(&job, &p->machine, &c->network, &s->layout, &c->constants,
                                          s->batch, s->input, NULL);
        p->times[i][1] = gp_prefill_time_s(&job, &p->machine, &c->network, &s->layout,
                                           &c->constants, s->input, NULL);
        p->times[i][2] = p->times[i][0] * safe;
        p->times[i][3] = p->times[i][1] * safe;
    }
}

static size_t parts_of(estimate_case *c, part *ret_parts) {
    const void *const *rows = NULL;
    size_t count = 0;
    size_t n = 0;
    assert_int_equal(gp_catalog_rows(c->catalog, GP_CATALOG_GPUS, &rows, &count), GP_OK);
    for (size_t i = 0; i < count && n < PARTS_MAX; i++) {
        const gp_gpu *gpu = rows[i];
        part p = {.gpu = gpu, .machine = estimate_case_machine(c, gpu->id, SYSTEM_GPUS)};
        if (gpu->memory_bytes_per_s > 0 && p.machine.efficiency[GP_PRECISION_BF16] != NULL) {
            time_part(c, &p);
            ret_parts[n++] = p;
        }
    }
    return n;
}

/* Collectives of parts that nobody timed go by assumed latencies, which may be the better. */
static size_t inversions(const part *better, const part *worse) {
    size_t n = 0;
    for (int i = 0; i < CASES; i++) {
        const double allowed = cases[i].layout.tp > 1 ? 1.08 : 1.0001;
        for (int f = 0; f < FIGURES; f++) {
            if (better->times[i][f] > worse->times[i][f] * allowed) {
                n++;
                print_message("%s over %s, %s, figure %d: %.4g s and %.4g s\n", better->gpu->id,
                              worse->gpu->id, cases[i].model, f, better->times[i][f],
                              worse->times[i][f]);
            }
        }
    }
    return n;
}

static void better_parts_are_not_slower(void **state) {
    estimate_case *c = *state;
    part *parts = GP_NEW_ARRAY(c->arena, part, PARTS_MAX);
    assert_non_null(parts);
    size_t n = parts_of(c, parts);
    size_t pairs = 0;
    size_t inverted = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            if (a != b && gp_gpu_dominates(parts[a].gpu, parts[b].gpu)) {
                pairs++;
                inverted += inversions(&parts[a], &parts[b]);
            }
        }
    }
    assert_true(pairs > 400);
    assert_int_equal(inverted, 0);
}

/* Alone, and of many that are replaced when they end. */
static void longer_prompts_take_longer(void **state) {
    static const char *const gpus[] = {"a100-sxm-80gb", "l4",     "h100-sxm", "b200-sxm",
                                       "mi300x",        "gaudi3", "gb300"};
    estimate_case *c = *state;
    size_t points = 0;
    for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++) {
        const gp_machine machine = estimate_case_machine(c, gpus[g], SYSTEM_GPUS);
        for (int i = 0; i < CASES; i++) {
            const serve_case *s = &cases[i];
            gp_shape shape = estimate_case_shape(c, s->model);
            gp_serve_job job = job_of(s, &machine, &shape);
            double last[2] = {0, 0};
            for (job.input_tokens = 16; job.input_tokens < 100000; job.input_tokens *= 1.1) {
                gp_serve_memory memory;
                gp_serve_point point[2];
                gp_serve_memory_of(&job, &machine, &s->layout, &c->constants, 0, NULL, &memory);
                if (memory.max_concurrency < s->batch)
                    break;
                gp_serve_load(&job, &machine, &c->network, &s->layout, &c->constants, &memory, 1e-6,
                              1, NULL, &point[0]);
                gp_serve_closed_loop(&job, &machine, &c->network, &s->layout, &c->constants,
                                     &memory, s->batch, NULL, &point[1]);
                points++;
                for (int k = 0; k < 2; k++) {
                    assert_true(point[k].ttft_s >= last[k] * (1 - 1e-9));
                    last[k] = point[k].ttft_s;
                }
            }
        }
    }
    assert_true(points > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(better_parts_are_not_slower, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(longer_prompts_take_longer, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
