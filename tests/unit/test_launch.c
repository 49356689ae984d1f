/*
 * Launch arguments of exported plans, read back: every argument of the job script is one that the
 * planned layout asks for, with the value that was priced, every one that it asks for is there, and
 * a Kubernetes Job has the same words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render/forms.h"
#include <gpuplan/report.h>

#include "support/spec_case.h"

enum { WORDS_MAX = 64, WORD_MAX = 128 };

/* Words of a command line; options and what they are set to alike. */
typedef struct words {
    int count;
    char items[WORDS_MAX][WORD_MAX];
} words;

static void add_word(words *w, const char *text, size_t len) {
    assert_true(w->count < WORDS_MAX && len < WORD_MAX);
    (void)snprintf(w->items[w->count++], WORD_MAX, "%.*s", (int)len, text);
}

static void expect(words *w, const char *text) {
    for (const char *at = text; *at != '\0';) {
        const size_t len = strcspn(at, " ");
        add_word(w, at, len);
        at += len + strspn(at + len, " ");
    }
}

static void expect_number(words *w, const char *key, int64_t value) {
    char text[WORD_MAX];
    (void)snprintf(text, sizeof text, "%s%lld", key, (long long)value);
    expect(w, text);
}

/* ------------------------------------------------------------ what a layout asks for */

typedef struct launched {
    const gp_layout *layout;
    const gp_train_job *job;
    bool moe;
} launched;

static bool last_is_less(const launched *it) {
    return it->layout->pp > 1 && it->layout->last_layers < it->layout->stage_layers;
}

static void ask_megatron_stages(const launched *it, words *w) {
    const gp_layout *l = it->layout;
    if (l->vpp > 1)
        expect_number(w, "--num-virtual-stages-per-pipeline-rank ", l->vpp);
    if (l->pp > 1 && l->first_layers == l->stage_layers - 1)
        expect(w, "--account-for-embedding-in-pipeline-split");
    if (last_is_less(it) && l->stage_layers - l->last_layers == 1)
        expect(w, "--account-for-loss-in-pipeline-split");
    if (last_is_less(it) && l->stage_layers - l->last_layers > 2)
        expect_number(w, "--decoder-last-pipeline-num-layers ", l->last_layers);
}

static void ask_megatron_states(const launched *it, words *w) {
    const gp_layout *l = it->layout;
    static const char *const strategies[] = {NULL, NULL, "optim_grads", "optim_grads_params"};
    const int64_t ranks = l->dp * l->cp;
    if (l->zero > 0)
        expect(w, "--use-distributed-optimizer");
    if (l->zero > 1) {
        expect(w, "--use-megatron-fsdp --no-gradient-accumulation-fusion");
        expect(w, "--ckpt-format fsdp_dtensor --data-parallel-sharding-strategy");
        expect(w, strategies[l->zero]);
    }
    if (l->shard_group > 0 && l->shard_group < ranks)
        expect_number(w, "--num-distributed-optimizer-instances ", ranks / l->shard_group);
    if (l->offload == GP_OFFLOAD_OPTIMIZER)
        expect(w, "--use-precision-aware-optimizer --optimizer-cpu-offload "
                  "--optimizer-offload-fraction 1.0");
}

static void ask_megatron(const launched *it, words *w) {
    const gp_layout *l = it->layout;
    expect_number(w, "--tensor-model-parallel-size ", l->tp);
    if (l->tp > 1)
        expect(w, "--sequence-parallel");
    expect_number(w, "--pipeline-model-parallel-size ", l->pp);
    ask_megatron_stages(it, w);
    expect_number(w, "--context-parallel-size ", l->cp);
    if (it->moe) {
        expect_number(w, "--expert-model-parallel-size ", l->ep);
        expect(w, "--expert-tensor-parallel-size 1");
    }
    expect_number(w, "--micro-batch-size ", l->micro_batch);
    expect_number(w, "--global-batch-size ", l->global_batch_sequences);
    expect_number(w, "--seq-length ", (int64_t)it->job->sequence_length);
    ask_megatron_states(it, w);
    if (l->recompute == GP_RECOMPUTE_SELECTIVE)
        expect(w, "--recompute-granularity selective");
    if (l->recompute == GP_RECOMPUTE_FULL)
        expect(w, "--recompute-granularity full --recompute-method uniform "
                  "--recompute-num-layers 1");
    expect(w, "--bf16 --accumulate-allreduce-grads-in-fp32 --optimizer adam");
    if (it->job->compute == GP_PRECISION_FP8)
        expect(w, "--fp8-format hybrid");
}

static void ask_titan_stages(const launched *it, words *w) {
    const gp_layout *l = it->layout;
    if (l->pp == 1)
        return;
    expect(w, l->vpp > 1 ? "--parallelism.pipeline_parallel_schedule=Interleaved1F1B"
                         : "--parallelism.pipeline_parallel_schedule=1F1B");
    expect_number(w, "--parallelism.pipeline_parallel_layers_per_stage=",
                  l->stage_layers / l->vpp);
    expect_number(w, "--parallelism.pipeline_parallel_first_stage_less_layers=",
                  l->stage_layers - l->first_layers);
    expect_number(w, "--parallelism.pipeline_parallel_last_stage_less_layers=",
                  l->stage_layers - l->last_layers);
    expect_number(w, "--parallelism.pipeline_parallel_microbatch_size=", l->micro_batch);
}

static void ask_titan(const launched *it, words *w) {
    const gp_layout *l = it->layout;
    static const char *const recomputes[] = {
        [GP_RECOMPUTE_NONE] = "--activation_checkpoint.mode=none",
        [GP_RECOMPUTE_SELECTIVE] = "--activation_checkpoint.mode=selective "
                                   "--activation_checkpoint.selective_ac_option=op",
        [GP_RECOMPUTE_FULL] = "--activation_checkpoint.mode=full"};
    const int64_t shard = l->shard_group > 0 ? l->shard_group / l->cp : l->dp;
    expect_number(w, "--parallelism.tensor_parallel_degree=", l->tp);
    expect_number(w, "--parallelism.pipeline_parallel_degree=", l->pp);
    ask_titan_stages(it, w);
    expect_number(w, "--parallelism.context_parallel_degree=", l->cp);
    if (it->moe) {
        expect_number(w, "--parallelism.expert_parallel_degree=", l->ep);
        expect(w, "--parallelism.expert_tensor_parallel_degree=1");
    }
    expect_number(w, "--parallelism.data_parallel_replicate_degree=", l->dp / shard);
    expect_number(w, "--parallelism.data_parallel_shard_degree=", shard);
    expect(w, l->zero == 3 ? "--parallelism.fsdp_reshard_after_forward=always"
                           : "--parallelism.fsdp_reshard_after_forward=never");
    expect_number(w, "--training.local_batch_size=",
                  l->pp > 1 ? l->global_batch_sequences / l->dp : l->micro_batch);
    expect_number(w, "--training.global_batch_size=", l->global_batch_sequences);
    expect_number(w, "--training.seq_len=", (int64_t)it->job->sequence_length);
    expect(w, recomputes[l->recompute]);
    expect(w, "--training.mixed_precision_param=bfloat16 "
              "--training.mixed_precision_reduce=float32 --optimizer.name=AdamW");
    if (it->job->compute == GP_PRECISION_FP8)
        expect(w, "--model.converters=float8");
    if (l->offload != GP_OFFLOAD_NONE)
        expect(w, "--training.enable_cpu_offload=true");
}

/* ------------------------------------------------------------ what was exported */

static const char *exported(const spec_case *c, const gp_report *report, const char *kind,
                            const char *form) {
    const gp_export_options options = {.form = form, .workload = "run"};
    gp_export_problem problem = {0};
    const char *text = "";
    size_t len = 0;
    assert_int_equal(gp_export_report(c->arena, gp_export_named(kind), report, &options, &problem,
                                      &text, &len),
                     GP_OK);
    return text;
}

/* The array `arguments=( ... )` of a job script; quotes are the shell's. */
static void read_script(const char *text, words *ret) {
    const char *at = strstr(text, "arguments=(");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    for (; *at != ')'; at = strchr(at, '\n') + 1) {
        const char *end = strchr(at, '\n');
        at += strspn(at, " ");
        while (at < end) {
            const size_t len = strcspn(at, " \n");
            add_word(ret, at, len);
            at += len + strspn(at + len, " ");
        }
        at = end;
    }
}

/* The list below `args:` of a manifest, one quoted word an item. */
static void read_manifest(const char *text, words *ret) {
    const char *at = strstr(text, " args:\n");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    for (at += strspn(at, " "); strncmp(at, "- \"", 3) == 0; at += strspn(at, " ")) {
        add_word(ret, at + 3, strcspn(at + 3, "\""));
        at = strchr(at, '\n') + 1;
    }
}

static void assert_same_words(const char *name, const words *asked, const words *given) {
    bool used[WORDS_MAX] = {false};
    for (int i = 0; i < given->count; i++) {
        int k = 0;
        while (k < asked->count && (used[k] || strcmp(given->items[i], asked->items[k]) != 0))
            k++;
        if (k == asked->count)
            fail_msg("%s: nothing asks for %s", name, given->items[i]);
        used[k] = true;
    }
    for (int k = 0; k < asked->count; k++)
        if (!used[k])
            fail_msg("%s: %s is not there", name, asked->items[k]);
}

/* ------------------------------------------------------------ plans */

typedef void ask(const launched *it, words *w);

static const struct {
    const char *name, *framework, *model, *more;
    ask *ask;
} plans[] = {
    {"a pipeline", "megatron-lm", "llama-3.1-70b", "", ask_megatron},
    {"virtual stages", "megatron-lm", "llama-3.1-405b",
     "parallelism: {tp: 8, pp: 8, vpp: 8, dp: 4, cp: 1}", ask_megatron},
    {"uneven stages", "megatron-lm", "llama-3.1-70b",
     "parallelism: {tp: 8, pp: 12, vpp: 1, dp: 2}", ask_megatron},
    {"experts", "megatron-lm", "qwen3-30b-a3b", "parallelism: {ep: 8}, precision: fp8",
     ask_megatron},
    {"whole shards", "megatron-lm", "llama-3.1-8b", "parallelism: {zero: 3, shardGroup: 8, dp: 32}",
     ask_megatron},
    {"gradients sharded", "megatron-lm", "llama-3.1-8b", "parallelism: {zero: 2}, recompute: full",
     ask_megatron},
    {"states in host memory", "megatron-lm", "llama-3.1-8b",
     "offload: {states: optimizer}, parallelism: {dp: 8}", ask_megatron},
    {"torchtitan", "torchtitan", "llama-3.1-70b", "", ask_titan},
    {"torchtitan in groups", "torchtitan", "llama-3.1-8b",
     "parallelism: {zero: 3, shardGroup: 16, dp: 64}, recompute: full", ask_titan},
    {"torchtitan's pipeline", "torchtitan", "llama-3.1-405b",
     "parallelism: {tp: 8, pp: 8, vpp: 2, dp: 8, zero: 1}, precision: fp8", ask_titan},
    {"torchtitan's experts", "torchtitan", "qwen3-30b-a3b", "parallelism: {ep: 16, zero: 3}",
     ask_titan},
};

enum { TEXT_ROOM = 2048 };

/* The text lives as long as the plan, whose diagnostics quote it. */
static void plan_one(size_t i, char text[TEXT_ROOM], spec_case *c) {
    (void)snprintf(text, TEXT_ROOM,
                   "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                   "  candidates: {allow: [dgx-h200]}\n  workloads:\n"
                   "    - {name: run, type: training, model: %s,\n"
                   "       data: {tokens: 100B tokens, sequenceLength: 8192, globalBatch: 8388608},"
                   "\n       goal: {completeWithin: 3000 d}, software: {framework: %s}%s%s}\n",
                   plans[i].model, plans[i].framework, plans[i].more[0] != '\0' ? ", " : "",
                   plans[i].more);
    assert_int_equal(spec_case_plan(c, "t.yaml", text, NULL, 0), GP_OK);
}

static void arguments_are_those_of_the_plan(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        spec_case c;
        char text[TEXT_ROOM];
        gp_report *report = NULL;
        plan_one(i, text, &c);
        const gp_workload_plan *w = spec_case_workload(&c, "run");
        if (!w->chosen.feasible)
            fail_msg("%s does not hold", plans[i].name);
        gp_report_build(c.arena, c.result, NULL, &report);
        const launched it = {&w->chosen.layout, &w->train, w->shape.moe};
        words asked = {0}, script = {0}, manifest = {0};
        plans[i].ask(&it, &asked);
        read_script(exported(&c, report, "slurm", "job"), &script);
        read_manifest(exported(&c, report, "k8s", NULL), &manifest);
        assert_same_words(plans[i].name, &asked, &script);
        assert_same_words(plans[i].name, &asked, &manifest);
        print_message("%s: %d words\n", plans[i].name, asked.count);
        spec_case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_those_of_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
