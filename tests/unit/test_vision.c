/* Tokens of images by the rules of their families, and what their tower costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/estimate.h"

#include "base/num.h"
#include "support/estimate_case.h"
#include "support/plan_flow.h"

static gp_vision vision_of(estimate_case *c, const char *id) {
    const void *row = NULL;
    assert_int_equal(gp_catalog_find(c->catalog, GP_CATALOG_PROCESSORS, id, &row, NULL, NULL),
                     GP_OK);
    return (gp_vision){.processor = *(const gp_image_processor *)row};
}

static double tokens(const gp_vision *vision, double width, double height) {
    gp_image_cost cost;
    assert_true(gp_image_cost_of(vision, width, height, 0, &cost));
    return cost.tokens;
}

/* What is not square, and what lies beyond the limits. */
static void sizes_follow_each_rule(void **state) {
    static const struct {
        const char *id;
        double width, height, tokens;
    } cases[] = {
        {"qwen3-vl", 1920, 1080, 60 * 34},     /* 33.75 rows: 34 */
        {"qwen3-vl", 64, 64, 64},              /* up to 256 x 256 */
        {"qwen3-vl", 8192, 4096, 181 * 90},    /* 16,777,216 pixels: 5792 x 2896 and less */
        {"qwen2.5-vl", 10, 280, 28},           /* both edges times 2.8 */
        {"kimi-vl", 1920, 1080, 69 * 39},      /* up to 1932 x 1092 */
        {"gemma-4", 1920, 1080, 22 * 12},      /* 1070.9 x 602.4 */
        {"pixtral", 1920, 1080, 65 * 36},      /* 1024 x 576, an end to each row */
        {"llama-4", 336, 336, 147},            /* one tile and its marks */
        {"llama-4", 1344, 672, 8 * 145 + 147}, /* 4 x 2 tiles and the whole */
        {"internvl", 896, 448, 3 * 256},       /* two tiles and the whole */
        {"llava-1.5", 5000, 10, 576},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gp_vision vision = vision_of(*state, cases[i].id);
        const double counted = tokens(&vision, cases[i].width, cases[i].height);
        if (!gp_num_near(counted, cases[i].tokens)) {
            fail_msg("%s of %.0f x %.0f: %.0f tokens, not %.0f", cases[i].id, cases[i].width,
                     cases[i].height, counted, cases[i].tokens);
        }
    }
}

static void videos_count_by_their_frames(void **state) {
    gp_vision vision = vision_of(*state, "qwen3-vl");
    gp_image_cost cost;
    vision.temporal_patch = 2;
    assert_true(gp_image_cost_of(&vision, 640, 384, 15, &cost));
    assert_true(gp_num_near(cost.tokens, 8 * 20 * 12)); /* two frames at a time, the last doubled */
    assert_true(gp_num_near(cost.attended, 4 * 20 * 12));
    assert_true(gp_image_cost_of(&vision, 1920, 1080, 64, &cost));
    assert_true(cost.tokens <= 25165824.0 / (2 * 32 * 32)); /* one budget for all of them */
}

static void cross_attention_keeps_keys_of_tiles(void **state) {
    const gp_vision vision = vision_of(*state, "llama-3.2-vision");
    gp_image_cost cost;
    assert_true(gp_image_cost_of(&vision, 1024, 1024, 0, &cost));
    assert_true(gp_num_near(cost.tokens, 1));
    assert_true(gp_num_near(cost.keys, 4 * 1601));
    assert_true(gp_image_cost_of(&vision, 512, 512, 0, &cost));
    assert_true(gp_num_near(cost.keys, 1601));
}

static void no_rule_is_no_count(void **state) {
    (void)state;
    gp_vision vision = {.patch = 14, .merge = 2, .layers = 24};
    gp_image_cost cost;
    assert_false(gp_image_cost_of(&vision, 1024, 1024, 0, &cost));
    vision.tokens_per_image = 729;
    assert_true(gp_image_cost_of(&vision, 0, 0, 0, &cost));
    assert_true(gp_num_near(cost.tokens, 729));
}

/* A prompt of images takes the time of as many tokens of text and that of its tower: 4,096 patches
 * of an image through 413M parameters and their square in attention, 1,024 tokens through the
 * merger. */
static void prompts_of_images_cost_text_and_tower(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "qwen3-vl-32b");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_serve_layout layout = {4, 1, 1, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_image_cost image;
    assert_true(gp_image_cost_of(&shape.model->vision, 1024, 1024, 0, &image));
    const double text_s = gp_prefill_time_s(&job, &machine, &c->network, &layout, &c->constants,
                                            4 * image.tokens, NULL);
    job.image_tokens = 4 * image.tokens;
    job.image_patches = 4 * image.patches;
    job.image_attended = image.attended;
    const double images_s = gp_prefill_time_s(&job, &machine, &c->network, &layout, &c->constants,
                                              job.image_tokens, NULL);
    const double floor_s = 2 * 412.4e6 * 4 * 4096 / 4 / machine.peak_flop_per_s[GP_PRECISION_BF16];
    assert_true(images_s - text_s > floor_s);
    assert_true(images_s - text_s < 4 * floor_s);
    assert_true(images_s < (1 + gp_serve_band(&job, &machine, &c->constants)) * text_s);
}

/* Keys of images stand in the cache for the whole request; their layers hold no text. */
static void keys_of_images_take_cache(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "llama-3.2-11b-vision");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 1);
    const gp_serve_layout layout = {1, 1, 1, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory text, images;
    gp_serve_memory_of(&job, &machine, &layout, &c->constants, 0, NULL, &text);
    job.image_tokens = 1;
    job.image_keys = 6404;
    gp_serve_memory_of(&job, &machine, &layout, &c->constants, 0, NULL, &images);
    assert_true(estimate_case_near(text.kv_bytes_per_token, 32.0 * 2 * 8 * 128 * 2, 1e-9));
    const double held = images.memory.bytes[GP_MEMORY_KV_CACHE] / images.max_concurrency -
                        text.memory.bytes[GP_MEMORY_KV_CACHE] / text.max_concurrency;
    assert_true(estimate_case_near(held, 6404.0 * 8 * 2 * 8 * 128 * 2, 1e-6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sizes_follow_each_rule, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(videos_count_by_their_frames, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(cross_attention_keeps_keys_of_tiles, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test(no_rule_is_no_count),
        cmocka_unit_test_setup_teardown(prompts_of_images_cost_text_and_tower, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(keys_of_images_take_cache, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
