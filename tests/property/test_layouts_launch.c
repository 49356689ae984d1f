/*
 * Whatever is asked, the layout chosen is one that its framework launches: models, batches,
 * deadlines, machines, frameworks and parts that are declared alone are drawn from a fixed seed,
 * and what the frameworks check is worked out here once more from the layout alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

enum { PLANS = 76, RUNS = 8, CHOSEN_MIN = 500, TEXT_MAX = 8192 };

static uint64_t seed = 20261123;

static unsigned draw(unsigned below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

typedef enum family { MEGATRON, TORCHTITAN, DEEPSPEED, TRAINER } family;

static const struct {
    const char *software; /* NULL: none is named, and the reference is Megatron */
    family family;
} frameworks[] = {
    {NULL, MEGATRON},         {"megatron", MEGATRON},    {"megatron-bridge", MEGATRON},
    {"nemo", MEGATRON},       {"megatron-lm", MEGATRON}, {"torchtitan", TORCHTITAN},
    {"deepspeed", DEEPSPEED}, {"trl", TRAINER},
};
enum { FRAMEWORKS = sizeof frameworks / sizeof frameworks[0] };

static const char *const models[] = {
    "llama-3.1-8b",
    "llama-3.1-70b",
    "llama-3.1-405b",
    "qwen3-30b-a3b",
    "qwen3-32b",
    "deepseek-v3",
    "gpt3-175b",
    "qwen2.5-7b",
    "gpt-oss-120b",
    "mistral-7b",
    "{layers: 70, hidden: 14336, heads: 112, ffn: 57344, vocab: 250880}",
    "{layers: 61, hidden: 7168, heads: 56, kvHeads: 8, ffn: 18432, vocab: 129280}",
    "{layers: 47, hidden: 5120, heads: 40, kvHeads: 10, ffn: 13824, vocab: 64000}",
};
static const char *const systems[] = {"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200",
                                      "gb200-nvl72"};
static const char *const types[] = {"training", "training", "training", "finetune"};

/* Of a layout, one alone; every framework here can do it. */
static const struct {
    const char *text;
    size_t offset;
    int64_t value;
} parts[] = {
    {"zero: 1", offsetof(gp_layout, zero), 1},
    {"zero: 2", offsetof(gp_layout, zero), 2},
    {"tp: 4", offsetof(gp_layout, tp), 4},
    {"pp: 1", offsetof(gp_layout, pp), 1},
    {"cp: 1", offsetof(gp_layout, cp), 1},
    {"dp: 6", offsetof(gp_layout, dp), 6},
    {"dp: 8", offsetof(gp_layout, dp), 8},
    {"microBatch: 2", offsetof(gp_layout, micro_batch), 2},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

typedef struct request {
    int framework;
    int part;          /* declared alone; PARTS or above: none */
    int64_t sequences; /* stated as a whole number of them; 0: otherwise */
    double tokens;     /* per step, stated; 0: a range or nothing */
    int64_t low, high; /* of a range */
} request;

/* A batch stated in whole sequences, in round tokens, as a range, or not at all. */
static int write_batch(char *text, size_t room, int64_t sequence, request *ret) {
    switch (draw(4)) {
    case 0:
        ret->sequences = 64 + draw(4096);
        ret->tokens = (double)(ret->sequences * sequence);
        return snprintf(text, room, ", globalBatch: %lld", (long long)ret->tokens);
    case 1:
        ret->tokens = 1e6 * (1 + draw(16));
        return snprintf(text, room, ", globalBatch: %.0fM", ret->tokens / 1e6);
    case 2:
        ret->low = 64 + draw(1024);
        ret->high = ret->low + draw(1024);
        return snprintf(text, room, ", globalBatchRange: {min: %lld, max: %lld}",
                        (long long)(ret->low * sequence), (long long)(ret->high * sequence));
    default: return 0;
    }
}

static int write_run(char *text, size_t room, int i, request *ret) {
    const int64_t sequence = INT64_C(2048) << draw(3);
    *ret = (request){.framework = (int)draw(FRAMEWORKS), .part = (int)draw(3 * PARTS)};
    const char *software = frameworks[ret->framework].software;
    int n = snprintf(text, room,
                     "    - {name: w%d, type: %s, model: %s, data: {tokens: %uB tokens, "
                     "sequenceLength: %lld",
                     i, types[draw(4)], models[draw(sizeof models / sizeof models[0])],
                     5 + draw(400), (long long)sequence);
    n += write_batch(text + n, room - (size_t)n, sequence, ret);
    n += snprintf(text + n, room - (size_t)n, "}, goal: {completeWithin: %ud}", 5 + draw(90));
    if (software != NULL)
        n += snprintf(text + n, room - (size_t)n, ", software: {framework: %s}", software);
    if (ret->part < PARTS)
        n += snprintf(text + n, room - (size_t)n, ", parallelism: {%s}", parts[ret->part].text);
    return n + snprintf(text + n, room - (size_t)n, "}\n");
}

/* ------------------------------------------------------------ what frameworks check */

static void stages_filled(const gp_shape *shape, const gp_layout *l) {
    const int64_t layers = (int64_t)shape->layers;
    if (l->pp == 1)
        return;
    assert_int_equal(l->first_layers + (l->pp - 2) * l->stage_layers + l->last_layers, layers);
    assert_true(l->first_layers >= 1 && l->last_layers >= 1);
    assert_int_equal(l->stage_layers % l->vpp, 0);
}

static void megatron_launches(const gp_shape *shape, const gp_layout *l, double sequence) {
    const int64_t micro_batches = l->global_batch_sequences / (l->dp * l->micro_batch);
    stages_filled(shape, l);
    if (!shape->mla && shape->kv_heads > 0)
        assert_int_equal((int64_t)shape->kv_heads % l->tp, 0);
    if (l->vpp > 1)
        assert_int_equal(micro_batches % l->pp, 0);
    assert_true(l->pp == 1 || l->zero <= 1);
    assert_int_equal((int64_t)sequence % (l->tp * (l->cp > 1 ? 2 * l->cp : 1)), 0);
}

static void family_launches(family which, const gp_shape *shape, const gp_layout *l,
                            double sequence) {
    switch (which) {
    case MEGATRON: megatron_launches(shape, l, sequence); break;
    case TORCHTITAN:
        stages_filled(shape, l);
        if (!shape->mla)
            assert_int_equal((int64_t)shape->kv_heads % l->tp, 0);
        assert_true(l->ep == 1 || l->ep % (l->cp * l->tp) == 0);
        break;
    case DEEPSPEED:
        assert_int_equal(l->vpp, 1);
        assert_true(l->pp == 1 || l->zero <= 1);
        assert_true(l->zero < 3 || (l->tp == 1 && !shape->moe));
        break;
    case TRAINER: assert_int_equal(l->pp, 1); break;
    }
}

static void batch_kept(const request *asked, const gp_layout *l, double sequence) {
    const int64_t used = l->global_batch_sequences;
    if (asked->sequences > 0)
        assert_int_equal(used, asked->sequences);
    else if (asked->tokens > 0)
        assert_true(fabs((double)used * sequence / asked->tokens - 1) <= 0.05 ||
                    asked->tokens < 10 * sequence);
    else if (asked->high > 0)
        assert_true(used >= asked->low && used <= asked->high);
}

static void check_run(const gp_workload_plan *w, const request *asked) {
    const gp_layout *l = &w->chosen.layout;
    const double sequence = w->train.sequence_length;
    const gp_layout_rule *rule = gp_layout_broken(&w->train, &w->chosen.unit->machine, l);
    if (rule != NULL)
        fail_msg("%s declares %s: %s (%s): TP%d PP%d VPP%d DP%d CP%d EP%d ZeRO%d b%d of %d",
                 w->workload->name, asked->part < PARTS ? parts[asked->part].text : "nothing",
                 rule->words,
                 frameworks[asked->framework].software == NULL
                     ? "none"
                     : frameworks[asked->framework].software,
                 (int)l->tp, (int)l->pp, (int)l->vpp, (int)l->dp, (int)l->cp, (int)l->ep,
                 (int)l->zero, (int)l->micro_batch, (int)l->global_batch_sequences);
    assert_int_equal(l->global_batch_sequences % (l->dp * l->micro_batch), 0);
    assert_true(w->shape.heads <= 0 || (int64_t)w->shape.heads % l->tp == 0);
    assert_true(l->ep == 1 || (int64_t)w->shape.experts % l->ep == 0);
    assert_int_equal(l->dp * l->cp * l->tp % l->ep, 0);
    assert_true(w->chosen.time.tokens_per_s > 0);
    batch_kept(asked, l, sequence);
    if (asked->part < PARTS)
        assert_int_equal(
            *(const int64_t *)(const void *)((const char *)l + parts[asked->part].offset),
            parts[asked->part].value);
    family_launches(frameworks[asked->framework].family, &w->shape, l, sequence);
}

static void test_chosen_layouts_launch(void **state) {
    (void)state;
    int chosen = 0;
    for (int p = 0; p < PLANS; p++) {
        char text[TEXT_MAX];
        request runs[RUNS];
        const char *system = systems[draw(sizeof systems / sizeof systems[0])];
        int n = snprintf(text, sizeof text,
                         "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                         "  candidates: {allow: [%s], limits: {maxNodes: 512}}\n  workloads:\n",
                         system);
        for (int i = 0; i < RUNS; i++)
            n += write_run(text + n, sizeof text - (size_t)n, i, &runs[i]);
        spec_case c;
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
        for (int i = 0; i < RUNS; i++) {
            const gp_workload_plan *w = &c.result->workloads.items[i];
            if (!w->chosen.feasible)
                continue;
            chosen++;
            check_run(w, &runs[i]);
        }
        spec_case_free(&c);
    }
    print_message("%d of %d runs planned\n", chosen, PLANS * RUNS);
    assert_true(chosen >= CHOSEN_MIN);
}

int main(void) {
    spec_case_brief = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_layouts_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
