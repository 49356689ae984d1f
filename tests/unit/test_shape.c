/* Model shapes: parameter counts against the makers' figures, adapters and activations against
 * hand-worked cases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static void assert_near(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("%.17g, wanted %.17g", value, wanted);
    }
}

static double share_off(double value, double wanted) {
    return fabs(value / wanted - 1);
}

/* Published to the digit: the shape must agree within 1 %. */
static void test_published_parameters(void **state) {
    estimate_case *c = *state;
    const struct {
        const char *model;
        double billions;
    } rows[] = {
        {"llama-3.1-8b", 8.030},
        {"llama-3.1-70b", 70.55},
        {"llama-3.1-405b", 405.9},
        {"qwen3-8b", 8.19},
        {"qwen3-32b", 32.76},
        {"qwen3-30b-a3b", 30.53},
        {"qwen3-235b-a22b", 235.1},
        {"deepseek-v3", 671.0},
        {"mixtral-8x7b", 46.70},
        {"mixtral-8x22b", 140.6},
        {"gpt-oss-120b", 116.8},
        {"gpt-oss-20b", 20.9},
        {"nemotron-4-340b", 341.0},
        {"nemotron-super-49b", 49.9},
        {"nemotron-3-nano-30b-a3b", 31.6},
        {"nemotron-3-super-120b-a12b", 120.6},
        {"deepseek-v4-flash", 284},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gp_shape shape = estimate_case_shape(c, rows[i].model);
        if (share_off(shape.parameters, rows[i].billions * 1e9) > 0.01) {
            fail_msg("%s: %.3fB parameters, published %.3fB", rows[i].model, shape.parameters / 1e9,
                     rows[i].billions);
        }
    }
}

/* Every row with a published size agrees within 1 % (rounding of the printed figure allowed
 * for). */
static void test_catalogue_parameters(void **state) {
    estimate_case *c = *state;
    const void *const *rows = NULL;
    size_t count = 0, checked = 0;
    assert_int_equal(gp_catalog_rows(c->catalog, GP_CATALOG_MODELS, &rows, &count), GP_OK);
    for (size_t i = 0; i < count; i++) {
        const gp_model *model = rows[i];
        gp_shape shape;
        if (gp_shape_derive(model, &c->constants, NULL, &shape) != GP_OK) {
            fail_msg("%s: no shape", model->id);
        }
        if (model->parameters <= 0 || gp_model_kind_of(model) == GP_MODEL_SCORES) {
            continue;
        }
        if (gp_model_kind_of(model) == GP_MODEL_PICTURES) { /* a token's share of the denoiser */
            const double share = shape.linear_parameters / shape.active_parameters;
            assert_true(model->diffusion.pass_flop > 0 || (share > 0.3 && share < 1.05));
            continue;
        }
        double language = shape.parameters - shape.vision_parameters;
        bool only_language =
            model->parameters_of != NULL && strcmp(model->parameters_of, "language") == 0;
        double off = share_off(only_language ? language : shape.parameters, model->parameters);
        if (off > 0.01 && share_off(language, model->parameters) > 0.01) {
            fail_msg("%s: %.4gB parameters, published %.4gB", model->id, shape.parameters / 1e9,
                     model->parameters / 1e9);
        }
        checked++;
    }
    assert_true(checked >= 90);
}

static void test_active_parameters(void **state) {
    estimate_case *c = *state;
    const struct {
        const char *model;
        double billions, tolerance;
    } rows[] = {
        {"deepseek-v3", 37.6, 0.02},     {"qwen3-30b-a3b", 3.35, 0.02},
        {"qwen3-235b-a22b", 22.2, 0.02}, {"mixtral-8x7b", 12.9, 0.02},
        {"llama-3.1-8b", 8.03, 0.01},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gp_shape shape = estimate_case_shape(c, rows[i].model);
        assert_true(share_off(shape.active_parameters, rows[i].billions * 1e9) <=
                    rows[i].tolerance);
        assert_true(shape.active_parameters <= shape.parameters);
        assert_true(shape.linear_parameters <= shape.active_parameters);
    }
}

static double saved_per_layer(const gp_shape *s) {
    return (s->norm_saved_bytes + s->inner_saved_bytes + s->expert_saved_bytes) / s->layers;
}

/* Worked by hand: saved bytes per token and layer, 16 bit, flash attention. */
static void test_saved_bytes(void **state) {
    estimate_case *c = *state;
    const struct {
        const char *model;
        double bytes;
    } cases[] = {{"llama-3.1-8b", 139392}, {"llama-2-7b", 131712}, {"llama-3.2-3b", 90208}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gp_shape shape = estimate_case_shape(c, cases[i].model);
        assert_near(saved_per_layer(&shape), cases[i].bytes, 0.5);
    }
}

static void test_adapter_parameters(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.2-3b");
    const char *targets[] = {"q_proj", "v_proj"};
    gp_adapter adapter = {.rank = 32, .targets = {.count = 2, .items = targets}};
    assert_near(gp_adapter_parameters(&shape, &adapter), 9175040, 0.5);
    adapter.method = GP_ADAPTER_DORA;
    /* One magnitude per output of each target: 28 x (3072 + 1024). */
    assert_near(gp_adapter_parameters(&shape, &adapter), 9175040 + 114688, 0.5);
    const char *all[] = {"all"};
    gp_adapter wide = {.rank = 16, .targets = {.count = 1, .items = all}};
    /* 16 x 28 x (6144 + 2 x 4096 + 6144 + 3 x 11264) */
    assert_near(gp_adapter_parameters(&shape, &wide), 24313856, 0.5);
}

static void test_cache_elements(void **state) {
    estimate_case *c = *state;
    /* 2 x 32 layers x 8 heads x 128; latent attention: 61 x (512 + 64). */
    assert_near(estimate_case_shape(c, "llama-3.1-8b").kv_elements, 65536, 0.5);
    assert_near(estimate_case_shape(c, "deepseek-v3").kv_elements, 35136, 0.5);
    gp_shape windowed = estimate_case_shape(c, "gpt-oss-120b");
    assert_near(windowed.kv_elements, 18 * 2 * 8 * 64, 0.5);
    assert_near(windowed.window_kv_elements, 18 * 2 * 8 * 64, 0.5);
    assert_near(windowed.window_tokens, 128, 0);
}

/* Mistral-7B in NF4 with 16-bit embeddings: 4.125e9 bytes measured. */
static void test_weights_bytes(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "mistral-7b");
    assert_true(share_off(gp_weights_bytes(&shape, &c->constants, GP_FORMAT_NF4, 0), 4.125e9) <
                0.01);
    assert_true(share_off(gp_weights_bytes(&shape, &c->constants, GP_FORMAT_BF16, 0),
                          shape.parameters * 2) < 1e-12);
    assert_true(gp_weights_bytes(&shape, &c->constants, GP_FORMAT_FP32, 0) >
                gp_weights_bytes(&shape, &c->constants, GP_FORMAT_BF16, 0));
}

static void test_incomplete(void **state) {
    estimate_case *c = *state;
    gp_model model = {.layers = 2, .hidden = 64, .vocab = 100};
    gp_shape shape;
    assert_int_equal(gp_shape_derive(&model, &c->constants, NULL, &shape), GP_ERR_INPUT);
    model.heads = 4;
    assert_int_equal(gp_shape_derive(&model, &c->constants, NULL, &shape), GP_ERR_INPUT);
    model.ffn = 256;
    assert_int_equal(gp_shape_derive(&model, &c->constants, NULL, &shape), GP_OK);
    model.experts.count = 8;
    assert_int_equal(gp_shape_derive(&model, &c->constants, NULL, &shape), GP_ERR_INPUT);
}

static void test_trace(void **state) {
    estimate_case *c = *state;
    const void *row = NULL;
    static gp_term terms[GP_TRACE_MAX];
    gp_trace trace = GP_TRACE_ON(terms);
    gp_shape shape;
    trace.count = 0;
    assert_int_equal(
        gp_catalog_find(c->catalog, GP_CATALOG_MODELS, "llama-3.1-8b", &row, NULL, NULL), GP_OK);
    assert_int_equal(gp_shape_derive(row, &c->constants, &trace, &shape), GP_OK);
    assert_int_equal(trace.count, 2);
    assert_int_equal(trace.items[0].id, GP_TERM_PARAMETERS);
    assert_true(trace.items[0].input_count > 0);
    /* A repeated term replaces its value. */
    gp_trace_add(&trace, GP_TERM_PARAMETERS, 1, NULL, 0);
    assert_int_equal(trace.count, 2);
    assert_near(trace.items[0].value, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_parameters),
        cmocka_unit_test(test_catalogue_parameters),
        cmocka_unit_test(test_active_parameters),
        cmocka_unit_test(test_saved_bytes),
        cmocka_unit_test(test_adapter_parameters),
        cmocka_unit_test(test_cache_elements),
        cmocka_unit_test(test_weights_bytes),
        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
