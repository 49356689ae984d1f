/* Models that answer whole items: pictures, clips, scores; and those that hear speech. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/num.h"
#include "estimate/serve.h"
#include "support/estimate_case.h"

static const gp_serve_layout one_gpu = {1, 1, 1, 0, 0, 0, 0};

static gp_item item_of(const gp_shape *shape, const gp_generate *asked, double candidates) {
    const gp_traffic traffic = {.generate = *asked, .candidates = candidates};
    gp_item item;
    gp_item_of(shape, &traffic, &item);
    return item;
}

static gp_serve_job item_job(const gp_shape *shape, const gp_generate *asked, double candidates) {
    gp_serve_job job = estimate_case_serve_job(shape);
    job.item = item_of(shape, asked, candidates);
    job.input_tokens = job.output_tokens = 1;
    job.input_p95 = job.output_p95 = 0;
    job.reads_only = true;
    return job;
}

static double alone_s(estimate_case *c, const gp_serve_job *job, const gp_machine *machine,
                      int64_t tp, double batch) {
    gp_serve_cost cost;
    gp_serve_prefill prefill;
    const gp_serve_layout layout = {tp, 1, 1, 0, 0, 0, 0};
    gp_serve_cost_of(job, machine, &c->network, &layout, &c->constants, &cost);
    return gp_serve_items_s(&cost, batch, &prefill);
}

/* 1024 pixels are 64 tokens of two cells of eight; 4096 of them and 512 of text go through 57
 * layers of 12 h^2 each. */
static void pictures_are_counted_in_tokens(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "flux.1-dev");
    const gp_generate asked = {.width = 1024, .height = 1024, .steps = 28, .guidance = true};
    const gp_item item = item_of(&shape, &asked, 0);
    const double tokens = 64 * 64 + 512, h = 3072;
    assert_true(gp_num_near(item.passes, 28));
    assert_true(gp_num_near(item.flop, 2 * 57 * 12 * h * h * tokens));
    assert_true(gp_num_near(item.attention_flop, 4 * h * 57 * tokens * tokens));
    assert_true(gp_num_near(item.modules, 2 * 57 + 2 * 19));
}

/* 81 frames are 21 latent ones; with a patch of two of them, 11. Text is looked up, not joined. */
static void clips_are_compressed_in_time(void **state) {
    estimate_case *c = *state;
    const gp_generate asked = {.width = 832, .height = 480, .frames = 81, .guidance = true};
    const gp_shape wan = estimate_case_shape(c, "wan2.1-t2v-1.3b");
    const gp_shape cog = estimate_case_shape(c, "cogvideox1.5-5b");
    assert_true(gp_num_near(item_of(&wan, &asked, 0).tokens, 52 * 30 * 21));
    assert_true(gp_num_near(item_of(&cog, &asked, 0).tokens, 52 * 30 * 11 + 226));
    gp_generate plain = asked;
    plain.guidance = false;
    assert_true(gp_num_near(item_of(&wan, &asked, 0).flop, 2 * item_of(&wan, &plain, 0).flop));
}

/* Twice the edge is four times the tokens and sixteen times their attention. */
static void larger_pictures_take_longer_than_their_pixels(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "flux.1-dev");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_generate small = {.width = 1024, .height = 1024, .steps = 28};
    const gp_generate large = {.width = 2048, .height = 2048, .steps = 28};
    const gp_serve_job few = item_job(&shape, &small, 0), many = item_job(&shape, &large, 0);
    const double ratio = alone_s(c, &many, &machine, 1, 1) / alone_s(c, &few, &machine, 1, 1);
    assert_true(ratio > 4);
    assert_true(ratio < 16);
}

/* Several GPUs are faster, by less than their number; small pictures end at the time of launches,
 * which a batch shares. */
static void gpus_share_a_picture(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "flux.1-dev");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_generate asked = {.width = 1024, .height = 1024, .steps = 28};
    const gp_serve_job job = item_job(&shape, &asked, 0);
    const double one = alone_s(c, &job, &machine, 1, 1), two = alone_s(c, &job, &machine, 2, 1);
    const double eight = alone_s(c, &job, &machine, 8, 1);
    assert_true(two < one && two > one / 2);
    assert_true(eight < two && eight > one / 8);
    assert_true(alone_s(c, &job, &machine, 8, 4) < 4 * eight);
    const double launches = 28 * job.item.modules * c->constants.item_launch_s;
    assert_true(eight >= launches);
}

/* Each GPU that shares a picture holds the whole model; tables of a recommender are dealt out. */
static void models_of_pictures_are_copied(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_serve_layout four = {4, 1, 1, 0, 0, 0, 0};
    const gp_generate asked = {.width = 1024, .height = 1024, .steps = 28};
    const struct {
        const char *model;
        double share;
    } rows[] = {{"flux.1-dev", 1}, {"dlrm-v2", 0.25}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gp_shape shape = estimate_case_shape(c, rows[i].model);
        const gp_serve_job job = item_job(&shape, &asked, 270);
        gp_serve_memory one, split;
        gp_serve_memory_of(&job, &machine, &one_gpu, &c->constants, 0, NULL, &one);
        gp_serve_memory_of(&job, &machine, &four, &c->constants, 0, NULL, &split);
        assert_true(gp_num_near(split.memory.bytes[GP_MEMORY_WEIGHTS],
                                rows[i].share * one.memory.bytes[GP_MEMORY_WEIGHTS]));
        assert_true(one.memory.bytes[GP_MEMORY_WEIGHTS] > 2 * 11e9);
    }
}

/* Items are ranked by their arithmetic: twice as many take twice as long, and never less than the
 * peak allows. */
static void scores_cost_their_arithmetic(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "dlrm-v2");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_generate none = {0};
    const gp_serve_job some = item_job(&shape, &none, 1000), more = item_job(&shape, &none, 2000);
    const double time_s = alone_s(c, &some, &machine, 1, 1);
    assert_true(gp_num_near(alone_s(c, &more, &machine, 1, 1), 2 * time_s));
    assert_true(time_s >
                1000 * shape.model->scoring.flop / machine.peak_flop_per_s[GP_PRECISION_BF16]);
}

/* What waits for a denoiser waits for whole pictures: near the limit the tail is some of them. */
static void replicas_of_items_queue(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "flux.1-dev");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_generate asked = {.width = 1024, .height = 1024, .steps = 28};
    const gp_serve_job job = item_job(&shape, &asked, 0);
    const double one = alone_s(c, &job, &machine, 1, 1);
    gp_serve_memory memory;
    gp_serve_point idle, busy;
    gp_serve_memory_of(&job, &machine, &one_gpu, &c->constants, 0, NULL, &memory);
    gp_serve_load(&job, &machine, &c->network, &one_gpu, &c->constants, &memory, 0.01 / one, 1,
                  NULL, &idle);
    gp_serve_load(&job, &machine, &c->network, &one_gpu, &c->constants, &memory, 0.8 / one, 1, NULL,
                  &busy);
    assert_true(idle.max_requests_per_s > 0.99 / one && idle.max_requests_per_s <= 1 / one);
    assert_true(idle.e2e_s > one && idle.e2e_s < 1.1 * one);
    assert_true(busy.e2e_s > 2 * one);
    assert_true(busy.e2e_p95_s > busy.e2e_s);
}

/* Cross attention keeps 1500 positions of 32 layers for every utterance, whatever is written. */
static void hearing_holds_the_sound(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "whisper-large-v3");
    gp_serve_job job = estimate_case_serve_job(&shape);
    job.image_tokens = 1;
    job.image_patches = job.image_attended = job.image_keys = 1500;
    const gp_serve_kv kv = gp_serve_kv_of(&job, &one_gpu, &c->constants);
    assert_true(gp_num_near(kv.state_bytes, 1500 * 2 * 1280.0 * 32 * 2));
    assert_true(gp_num_near(kv.full_bytes, 2 * 1280.0 * 32 * 2));
    assert_true(shape.parameters > 1.5e9 && shape.parameters < 1.6e9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_counted_in_tokens),
        cmocka_unit_test(clips_are_compressed_in_time),
        cmocka_unit_test(larger_pictures_take_longer_than_their_pixels),
        cmocka_unit_test(gpus_share_a_picture),
        cmocka_unit_test(models_of_pictures_are_copied),
        cmocka_unit_test(scores_cost_their_arithmetic),
        cmocka_unit_test(replicas_of_items_queue),
        cmocka_unit_test(hearing_holds_the_sound),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
