/* The search of training layouts by itself: batches that will do, a nearby one that saves machines,
 * why the other layouts lost, and refusals in words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan/context.h"
#include "support/spec_case.h"

/* A case as the planner would hand it over, on the machines that a plan chose. */
typedef struct search_case {
    spec_case spec;
    gp_plan_context plan;
    gp_plan_options options; /* nothing is remembered from other plans */
    size_t twin; /* the only kind of machine is its own */
    gp_network network;
    gp_workload_plan out;
    gp_unit_capability unit;
    gp_case c;
} search_case;

static void open_search(search_case *s, const char *data, const char *more) {
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                   "  candidates: [dgx-h100]\n"
                   "  workloads:\n"
                   "    - name: w\n"
                   "      type: training\n"
                   "      model: llama-3.1-70b\n"
                   "      data: {tokens: 1T tokens, sequenceLength: 4096%s}\n"
                   "      goal: {completeWithin: 60d}\n%s",
                   data, more);
    assert_int_equal(spec_case_plan(&s->spec, "t.yaml", text, NULL, 0), GP_OK);
    s->out = s->spec.result->workloads.items[0];
    const gp_train_job *job = &s->out.train;
    s->twin = 0;
    s->options = (gp_plan_options){0};
    s->network =
        (gp_network){.bytes_per_s = {50e9, 50e9, 50e9}, .unit_nodes = 32, .pod_nodes = 2048};
    s->plan = (gp_plan_context){.arena = s->spec.arena,
                                .options = &s->options,
                                .constants = s->spec.result->constants,
                                .spec = &s->spec.result->document->spec,
                                .units = (gp_unit *)s->out.chosen.unit,
                                .unit_count = 1,
                                .twins = &s->twin,
                                .networks = &s->network};
    s->c = (gp_case){.plan = &s->plan,
                     .out = &s->out,
                     .workload = s->out.workload,
                     .confidence = GP_CONFIDENCE_P80,
                     .gpu_headroom_fraction = 0.1,
                     .memory_headroom_fraction = 0.05,
                     .exclusive = true,
                     .demand = {.deadline_s = 60 * 86400.0},
                     .units = &s->unit};
    s->c.run.steps = job->tokens / job->global_batch;
    s->c.run.checkpoint_bytes = gp_checkpoint_bytes(job, s->plan.constants);
    s->unit = (gp_unit_capability){
        .train = GP_NEW_ARRAY(s->spec.arena, gp_train_capability, GP_PLAN_COUNTS_MAX)};
    assert_non_null(s->unit.train);
}

static const gp_train_place machines_48 = {.gpus = 384, .jobs = 1, .nodes = 48};

/* ------------------------------------------------------------ batches */

static void test_batches(void **state) {
    (void)state;
    static const struct {
        const char *data;
        int64_t gpus;
        double asked;
        int64_t low, high;
    } rows[] = {
        {", globalBatch: 4194304", 320, 1024, 1024, 1024}, /* whole sequences bind */
        {", globalBatch: 4M", 320, 976.5625, 928, 1025},   /* 5 % around what are none */
        {"", 320, 1024, 768, 1280},                        /* a quarter around the default */
        {"", 8192, 3072, 2304, 3840},                      /* larger on thousands of GPUs */
        {", globalBatchRange: {min: 4M, max: 6M}", 320, 1220.7, 977, 1464},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        search_case s;
        open_search(&s, rows[i].data, "");
        const gp_batch_choice b = gp_train_batches(&s.c, rows[i].gpus);
        assert_true(fabs(b.asked - rows[i].asked) < 0.1);
        assert_int_equal(b.low, rows[i].low);
        assert_int_equal(b.high, rows[i].high);
        spec_case_free(&s.spec);
    }
}

static void test_nearest_batch(void **state) {
    (void)state;
    const gp_batch_choice b = {.asked = 1000, .low = 950, .high = 1050};
    assert_int_equal(gp_train_batch_near(&b, 1), 1000);
    assert_int_equal(gp_train_batch_near(&b, 64), 1024);
    assert_int_equal(gp_train_batch_near(&b, 48), 1008);
    assert_int_equal(gp_train_batch_near(&b, 96), 960);
    assert_int_equal(gp_train_batch_near(&b, 600), 0);
    assert_int_equal(gp_train_batch_near(&b, 4096), 0);
}

/* A stated batch is kept; one in round tokens is taken as nearly as it launches; the largest of a
 * range is worth more tokens a second. */
static void test_batch_used(void **state) {
    (void)state;
    double per_s[3];
    static const char *const data[] = {", globalBatch: 4194304", ", globalBatch: 4M",
                                       ", globalBatchRange: {min: 3M, max: 6M}"};
    for (size_t i = 0; i < 3; i++) {
        search_case s;
        open_search(&s, data[i], "");
        const gp_train_capability *found = gp_search_train(&s.c, 0, machines_48);
        const int64_t used = found->layout.global_batch_sequences;
        assert_true(found->fits);
        assert_int_equal(used % (found->layout.dp * found->layout.micro_batch), 0);
        assert_true(i != 0 || used == 1024);
        assert_true(i != 1 || (used >= 928 && used <= 1025));
        assert_true(i != 2 || (used > 1220 && used <= 1464));
        /* As many steps as the tokens take, of whatever batch. */
        const double steps = 1e12 / ((double)used * 4096);
        assert_true(fabs(found->run.compute_s / (steps * found->time.step_s) - 1) < 1e-9);
        per_s[i] = found->time.tokens_per_s;
        spec_case_free(&s.spec);
    }
    assert_true(per_s[2] >= per_s[1]);
}

/* A batch of a prime number of sequences fits few layouts; one beside it saves machines. */
static void test_nearby_batch(void **state) {
    (void)state;
    search_case s;
    gp_batch_change change;
    open_search(&s, ", globalBatch: 4177920", ""); /* 1,020 sequences */
    int64_t nodes = 0;
    for (int64_t n = 1; n <= 256 && nodes == 0; n++) {
        const gp_train_place place = {.gpus = 8 * n, .jobs = 1, .nodes = n};
        const gp_batch_choice batches = gp_train_batches(&s.c, place.gpus);
        gp_train_capability found;
        gp_search_train_with(&s.c, 0, place, &batches, &found);
        const double margin = gp_plan_margin(&s.c, found.error_fraction, s.c.confidence);
        if (found.fits && gp_plan_band(found.run.wall_s, margin).high <= 60 * 86400.0 / 1.1)
            nodes = n;
    }
    assert_true(nodes > 0);
    /* From a count that is half as many again there is a way down. */
    const gp_train_place more = {.gpus = 12 * nodes, .jobs = 1, .nodes = nodes + nodes / 2};
    const gp_train_place place = {.gpus = 8 * more.nodes, .jobs = 1, .nodes = more.nodes};
    assert_true(gp_search_train_batch(&s.c, 0, place, &change));
    assert_int_equal(change.from_sequences, 1020);
    assert_true(change.to_sequences != 1020);
    assert_true(change.to_nodes < place.nodes);
    assert_int_equal(change.to_gpus, 8 * change.to_nodes);
    /* What was promised holds: with that batch, that many machines are enough. */
    const gp_batch_choice promised = {.asked = (double)change.to_sequences,
                                      .low = change.to_sequences,
                                      .high = change.to_sequences};
    const gp_train_place fewer = {.gpus = change.to_gpus, .jobs = 1, .nodes = change.to_nodes};
    gp_train_capability found;
    gp_search_train_with(&s.c, 0, fewer, &promised, &found);
    const double margin = gp_plan_margin(&s.c, found.error_fraction, s.c.confidence);
    assert_true(found.fits && gp_plan_band(found.run.wall_s, margin).high <= 60 * 86400.0 / 1.1);
    s.c.demand.deadline_s = 0;
    assert_false(gp_search_train_batch(&s.c, 0, place, &change));
    spec_case_free(&s.spec);
    open_search(&s, "", ""); /* nothing is stated that could change */
    assert_false(gp_search_train_batch(&s.c, 0, place, &change));
    spec_case_free(&s.spec);
}

/* ------------------------------------------------------------ why not */

static void test_tried(void **state) {
    (void)state;
    search_case s;
    gp_layout_tried rows[GP_TRIED_MAX];
    int of_reason[GP_TRIED_RULE + 1] = {0};
    open_search(&s, ", globalBatch: 4194304", "");
    const gp_train_capability *found = gp_search_train(&s.c, 0, machines_48);
    const int count = gp_search_train_tried(&s.c, 0, machines_48, rows);
    assert_true(count > 3 && count <= GP_TRIED_MAX);
    assert_int_equal(rows[0].reason, GP_TRIED_BEST);
    assert_int_equal(rows[0].layout.tp, found->layout.tp);
    assert_int_equal(rows[0].layout.pp, found->layout.pp);
    assert_true(fabs(rows[0].step_s - found->time.step_s) < 1e-9);
    for (int i = 0; i < count; i++) {
        of_reason[rows[i].reason]++;
        assert_true(rows[i].reason != GP_TRIED_RULE || rows[i].rule != NULL);
        assert_true(rows[i].reason != GP_TRIED_MEMORY || rows[i].short_bytes > 0);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(&rows[i].layout, &rows[k].layout, sizeof rows[i].layout);
    }
    assert_int_equal(of_reason[GP_TRIED_BEST], 1);
    assert_true(of_reason[GP_TRIED_SLOWER] > 0);
    assert_true(of_reason[GP_TRIED_MEMORY] > 0);
    assert_true(of_reason[GP_TRIED_RULE] > 0);
    spec_case_free(&s.spec);
}

/* ------------------------------------------------------------ refusals */

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *data, *more;
        gp_train_place place;
        const char *words;
    } rows[] = {
        {", globalBatch: 4194304",
         "      software: {framework: megatron}\n"
         "      parallelism: {tp: 8, pp: 5, dp: 6, microBatch: 1}\n",
         {.gpus = 240, .jobs = 1, .nodes = 30},
         "Megatron-LM cannot run TP8 PP5 DP6 with micro-batches of 1 and 1024 sequences a step: "
         "the batch is not divisible by DP x micro-batch; 1020 or 1026 sequences would work"},
        {", globalBatch: 4194304",
         "      software: {framework: torchtitan}\n"
         "      parallelism: {tp: 16, pp: 1, dp: 16}\n",
         {.gpus = 256, .jobs = 1, .nodes = 32},
         "torchtitan cannot run TP16 DP16 with micro-batches of 1 and 1024 sequences a step: "
         "tensor parallelism does not divide the key-value heads"},
        {", globalBatch: 4194304",
         "      software: {framework: deepspeed}\n"
         "      parallelism: {pp: 4, dp: 8, tp: 8, zero: 3}\n",
         {.gpus = 256, .jobs = 1, .nodes = 32},
         "DeepSpeed cannot run TP8 PP4 DP8 with micro-batches of 1 and 1024 sequences a step: "
         "tensor parallelism cannot be combined with ZeRO 3"},
        {", globalBatch: 262144",
         "      parallelism: {tp: 1, dp: 256}\n",
         {.gpus = 256, .jobs = 1, .nodes = 32},
         "no framework can run DP256 with micro-batches of 1 and 64 sequences a step: the batch "
         "has fewer sequences than there are data-parallel ranks"},
        {"",
         "      parallelism: {tp: 8, pp: 5, dp: 6}\n",
         {.gpus = 256, .jobs = 1, .nodes = 32},
         "the declared parallelism (TP8 PP5 DP6) takes 240 GPUs, not 256"},
        {"",
         "      parallelism: {tp: 8, pp: 5}\n",
         {.gpus = 256, .jobs = 1, .nodes = 32},
         "the declared parallelism (TP8 PP5) does not fit 256 GPUs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        search_case s;
        open_search(&s, rows[i].data, rows[i].more);
        s.c.pinned = true;
        const gp_train_capability *found = gp_search_train(&s.c, 0, rows[i].place);
        assert_false(found->fits);
        if (found->refused == NULL || strncmp(found->refused, rows[i].words, strlen(rows[i].words)))
            fail_msg("%s, not %s", found->refused, rows[i].words);
        print_message("%s\n", found->refused);
        spec_case_free(&s.spec);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),    cmocka_unit_test(test_nearest_batch),
        cmocka_unit_test(test_batch_used), cmocka_unit_test(test_nearby_batch),
        cmocka_unit_test(test_tried),      cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
