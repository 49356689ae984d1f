/* Exports: they count what the report counts, names stay harmless, and what is lacking is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/forms.h"

#include "support/report_case.h"

static const char quickstart[] = "examples/quickstart.yaml";
static const char hostile[] =
    "=cmd()</script>]]>\n::error::x\n#SBATCH --uid=0\r# y \"q\" \\ $(id) `id` "
    "\033[31m \342\200\256 \xff & ',{}: |";

/* A report whose workloads may be changed. */
typedef struct export_case {
    report_case *base;
    gp_report report;
    gp_report_workload *workloads;
} export_case;

static export_case *open_planned(report_case *base) {
    export_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->base = base;
    c->report = *report_case_build(base);
    c->workloads = GP_NEW_ARRAY(base->arena, gp_report_workload, c->report.workloads.count);
    assert_non_null(c->workloads);
    memcpy(c->workloads, c->report.workloads.items,
           c->report.workloads.count * sizeof *c->workloads);
    c->report.workloads.items = c->workloads;
    return c;
}

static export_case *open_example(const char *path) {
    return open_planned(report_case_new(path));
}

/* A service in one pool, whatever would be planned: the pools apart are a test of their own. */
static export_case *open_together(void) {
    return open_planned(report_case_together(quickstart));
}

static int open_case(void **state) {
    *state = open_together();
    return 0;
}

static int close_case(void **state) {
    export_case *c = *state;
    report_case_free(c->base);
    free(c);
    return 0;
}

static gp_status try_export(export_case *c, const char *name, const gp_export_options *options,
                            gp_export_problem *problem, const char **text) {
    size_t len = 0;
    *text = "";
    const gp_status st = gp_export_report(c->base->arena, gp_export_named(name), &c->report,
                                          options, problem, text, &len);
    if (st == GP_OK)
        assert_int_equal(strlen(*text), len);
    return st;
}

static const char *export_text(export_case *c, const char *name, const gp_export_options *options) {
    gp_export_problem problem;
    const char *text = NULL;
    const gp_status st = try_export(c, name, options, &problem, &text);
    if (st != GP_OK)
        fail_msg("%s: %s", name, problem.message != NULL ? problem.message : gp_status_name(st));
    return text;
}

static gp_report_workload *workload(export_case *c, const char *name) {
    for (size_t i = 0; i < c->report.workloads.count; i++)
        if (strcmp(c->workloads[i].name, name) == 0)
            return &c->workloads[i];
    fail_msg("no workload %s", name);
    return NULL;
}

/* The number behind `key` in the object that starts at `from`; `otherwise` where it has none. */
static long number_in(const char *from, const char *key, long otherwise) {
    const char *end = strstr(from + 1, "\n---");
    const char *at = strstr(from, key);
    if (at == NULL || (end != NULL && at > end))
        return otherwise;
    at += strlen(key);
    return strtol(*at == '"' ? at + 1 : at, NULL, 10);
}

/* Replicas x pods x GPUs over all objects that run pods. */
static long counted_gpus(const char *yaml) {
    static const struct {
        const char *kind, *count, *size;
    } kinds[] = {
        {"\nkind: Deployment", "\n  replicas: ", "no such key"},
        {"\nkind: LeaderWorkerSet", "\n  replicas: ", "\n    size: "},
        {"\nkind: Job\n", "\n  parallelism: ", "no such key"},
        {"\nkind: JobSet\n", "\n    replicas: ", "\n        parallelism: "},
    };
    long sum = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (const char *at = strstr(yaml, kinds[i].kind); at != NULL;
             at = strstr(at + 1, kinds[i].kind))
            sum += number_in(at, kinds[i].count, 0) * number_in(at, kinds[i].size, 1) *
                   number_in(at, "nvidia.com/gpu: \"", 0);
    return sum;
}

static long reported_gpus(const export_case *c) {
    long sum = 0;
    for (size_t i = 0; i < c->report.workloads.count; i++)
        sum += (long)c->workloads[i].recommendation.chosen.gpus;
    return sum;
}

static void kubernetes_counts_what_the_report_counts(void **state) {
    (void)state;
    static const char *const examples[] = {
        "examples/quickstart.yaml",     "examples/chat-fleet.yaml",    "examples/greenfield.yaml",
        "examples/inference-site.yaml", "examples/pretrain-405b.yaml", "examples/minimal.yaml"};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        export_case *c = open_example(examples[i]);
        const long counted = counted_gpus(export_text(c, "k8s", NULL));
        if (counted != reported_gpus(c) || counted == 0)
            fail_msg("%s: %ld of %ld", examples[i], counted, reported_gpus(c));
        void *opened = c;
        (void)close_case(&opened);
    }
}

static void kueue_covers_what_the_report_counts(void **state) {
    export_case *c = *state;
    const char *text = export_text(c, "kueue", NULL);
    long sum = 0;
    for (const char *at = strstr(text, "nominalQuota: \""); at != NULL;
         at = strstr(at + 1, "nominalQuota: \""))
        sum += strtol(at + strlen("nominalQuota: \""), NULL, 10);
    assert_int_equal(sum, reported_gpus(c));
    assert_non_null(strstr(text, "kueue.x-k8s.io/v1beta1"));
    const gp_export_options newer = {.api = "v1beta2"};
    assert_null(strstr(export_text(c, "kueue", &newer), "v1beta1"));
}

/* Nodes x GPUs x jobs of the script. */
static void slurm_counts_what_the_report_counts(void **state) {
    export_case *c = *state;
    for (size_t i = 0; i < c->report.workloads.count; i++) {
        const gp_export_options options = {.form = "job", .workload = c->workloads[i].name};
        const char *text = export_text(c, "slurm", &options);
        const char *gpus = strstr(text, "--gpus-per-node=");
        assert_non_null(gpus);
        gpus = strchr(gpus, ':');
        const long jobs = number_in(text, "--array=0-", 0) + 1;
        assert_int_equal(number_in(text, "--nodes=", 0) * strtol(gpus + 1, NULL, 10) * jobs,
                         c->workloads[i].recommendation.chosen.gpus);
    }
}

/* One replica over two hosts; trays of a rack-scale system are hosts. */
static void replicas_span_hosts(void **state) {
    export_case *c = *state;
    gp_report_candidate *chosen = &workload(c, "chat")->recommendation.chosen;
    const gp_export_options options = {.workload = "chat"};
    chosen->replicas = 3;
    chosen->gpus_per_replica = 16;
    chosen->gpus = 48;
    const char *text = export_text(c, "k8s", &options);
    assert_non_null(strstr(text, "kind: LeaderWorkerSet"));
    assert_null(strstr(text, "kind: Deployment"));
    assert_non_null(strstr(text, "\n    size: 2\n"));
    assert_int_equal(counted_gpus(text), 48);
    chosen->gpus_per_node = 72;
    chosen->hosts_per_node = 18;
    text = export_text(c, "k8s", &options);
    assert_non_null(strstr(text, "\n    size: 4\n"));
    assert_int_equal(counted_gpus(text), 48);
    const gp_export_options gres = {.workload = "chat", .form = "gres"};
    assert_non_null(strstr(export_text(c, "slurm", &gres), "File=/dev/nvidia[0-3]\n"));
    chosen->gpus_per_replica = 10;
    gp_export_problem problem;
    assert_int_equal(try_export(c, "k8s", &options, &problem, &text), GP_ERR_INPUT);
    assert_non_null(strstr(problem.message, "do not divide"));
}

static void pools_stand_apart(void **state) {
    export_case *c = *state;
    gp_report_pool pools[] = {
        {.name = "prefill",
         .replicas = 3,
         .spare_replicas = 1,
         .tp = 8,
         .pp = 1,
         .ep = 1,
         .gpus_per_replica = 8},
        {.name = "decode", .replicas = 2, .tp = 8, .pp = 2, .ep = 1, .gpus_per_replica = 16}};
    gp_report_disaggregation apart = {.chosen = true, .pools = {2, pools}};
    gp_report_service service = {.disaggregation = &apart};
    workload(c, "chat")->service = &service;
    const gp_export_options options = {.workload = "chat"};
    const char *text = export_text(c, "k8s", &options);
    assert_int_equal(counted_gpus(text), 3 * 8 + 2 * 16);
    assert_non_null(strstr(text, "kind: Deployment\nmetadata:\n  name: \"chat-prefill\""));
    assert_non_null(strstr(text, "kind: LeaderWorkerSet\nmetadata:\n  name: \"chat-decode\""));
    assert_non_null(strstr(text, "# No autoscaler"));
    const gp_export_options keda = {.workload = "chat", .autoscaler = "keda", .metric = "a"};
    const gp_export_options job = {.workload = "chat", .form = "job"};
    gp_export_problem problem;
    assert_int_equal(try_export(c, "k8s", &keda, &problem, &text), GP_ERR_INPUT);
    assert_int_equal(try_export(c, "slurm", &job, &problem, &text), GP_ERR_INPUT);
    assert_non_null(strstr(export_text(c, "slurm", &options), "# ---- chat-decode.sbatch"));
}

static void autoscalers_follow_the_plan(void **state) {
    export_case *c = *state;
    gp_export_options options = {.workload = "chat", .metric = "vllm:num_requests_running"};
    const gp_report_autoscale *scaling = workload(c, "chat")->service->autoscaling;
    const char *text = export_text(c, "k8s", &options);
    assert_int_equal(number_in(strstr(text, "kind: HorizontalPodAutoscaler"), "averageValue: ", 0),
                     (long)(scaling->target * 1000));
    assert_non_null(strstr(text, "name: \"vllm_num_requests_running\""));
    options.autoscaler = "keda";
    text = export_text(c, "k8s", &options);
    const char *keda = strstr(text, "kind: ScaledObject");
    assert_non_null(keda);
    assert_null(strstr(text, "HorizontalPodAutoscaler\n"));
    assert_int_equal(number_in(keda, "maxReplicaCount: ", 0), scaling->max_replicas);
    assert_int_equal(number_in(keda, "minReplicaCount: ", 0), scaling->min_replicas);
    assert_non_null(strstr(keda, "sum(vllm:num_requests_running{pod=~"));
    options.metric = NULL; /* the spec names no engine */
    gp_export_problem problem;
    assert_int_equal(try_export(c, "k8s", &options, &problem, &text), GP_ERR_INPUT);
    options.autoscaler = NULL;
    assert_non_null(strstr(export_text(c, "k8s", &options), "# No autoscaler"));
}

/* ---- what the report cannot give */

static void lacks_are_told(void **state) {
    export_case *c = *state;
    gp_export_problem problem;
    const char *text = NULL;
    const gp_export_options unknown = {.workload = "nobody"};
    assert_int_equal(try_export(c, "k8s", &unknown, &problem, &text), GP_ERR_NOT_FOUND);
    const gp_export_options form = {.form = "svg"};
    assert_int_equal(try_export(c, "bom", &form, &problem, &text), GP_ERR_NOT_FOUND);
    const gp_export_options job = {.form = "job"};
    assert_int_equal(try_export(c, "slurm", &job, &problem, &text), GP_ERR_INPUT);
    assert_non_null(strstr(problem.message, "one workload"));
    workload(c, "adapters")->recommendation.chosen.jobs_per_gpu = 2;
    assert_int_equal(try_export(c, "k8s", NULL, &problem, &text), GP_ERR_INPUT);
    assert_non_null(strstr(problem.message, "share GPUs"));
    workload(c, "chat")->recommendation.chosen.feasible = false;
    const gp_export_options chat = {.workload = "chat"};
    for (size_t i = 0; i < gp_export_count; i++) {
        const char *name = gp_export_name(gp_exports[i]);
        if (strcmp(name, "bom") == 0 || strcmp(name, "spec") == 0)
            continue;
        const gp_status st = try_export(c, name, &chat, &problem, &text);
        assert_int_equal(st, GP_ERR_INPUT);
        assert_non_null(strstr(problem.message, "infeasible"));
    }
    c->report.site.bill.count = 0;
    assert_int_equal(try_export(c, "bom", NULL, &problem, &text), GP_ERR_INPUT);
    assert_int_equal(try_export(c, "spec", NULL, &problem, &text), GP_ERR_INPUT);
    assert_non_null(strstr(problem.message, "does not contain the spec"));
}

/* ---- names */

static size_t lines_starting(const char *text, const char *word) {
    size_t count = strncmp(text, word, strlen(word)) == 0;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        count += strncmp(at + 1, word, strlen(word)) == 0;
    return count;
}

static size_t lines(const char *text) {
    size_t count = 0;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        count++;
    return count;
}

/* Names, layouts, systems and rules are hostile: no line is more, none says another thing. */
static void names_stay_names(void **state) {
    export_case *c = *state;
    for (size_t i = 0; i < gp_export_count; i++) {
        const char *name = gp_export_name(gp_exports[i]);
        for (size_t f = 0; gp_export_form(gp_exports[i], f) != NULL; f++) {
            const gp_export_options plain = {.form = gp_export_form(gp_exports[i], f),
                                             .workload = "chat",
                                             .planned = &c->base->result};
            const char *benign = export_text(c, name, &plain);
            export_case *bad = open_together();
            gp_report_workload *work = workload(bad, "chat");
            work->name = hostile;
            work->recommendation.chosen.layout = hostile;
            bad->report.summary.plan = hostile;
            bad->report.tool.version = hostile;
            const gp_export_options options = {
                .form = plain.form, .workload = hostile, .planned = &c->base->result};
            const char *text = export_text(bad, name, &options);
            assert_null(strchr(text, '\033'));
            assert_null(strchr(text, '\r'));
            assert_null(strstr(text, "\342\200\256"));
            assert_null(strstr(text, "\xff"));
            assert_int_equal(lines_starting(text, "::error"), 0);
            assert_int_equal(lines_starting(text, "=cmd"), 0);
            assert_int_equal(lines_starting(text, "#SBATCH --uid"), 0);
            assert_int_equal(lines(text), lines(benign));
            void *opened = bad;
            (void)close_case(&opened);
        }
    }
}

/* Labels are DNS labels, short enough for what is put behind them, and differ where names do. */
static void labels_differ(void **state) {
    static const char *const names[] = {
        "a b",
        "a-b",
        "A-b",
        "1",
        "",
        "-",
        "\xff",
        "a.b",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"};
    enum { NAMES = sizeof names / sizeof names[0] };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char seen[NAMES][64];
    export_case *c = *state;
    for (size_t i = 0; i < NAMES; i++) {
        gp_report_workload *work = &c->workloads[0];
        work->name = names[i];
        const gp_export_options options = {.workload = names[i]};
        const char *at = strstr(export_text(c, "kueue", &options), "kind: LocalQueue");
        assert_non_null(at);
        at = strstr(at, "name: \"") + strlen("name: \"");
        const size_t len = strcspn(at, "\"");
        assert_in_range(len, 1, 49);
        assert_int_equal(strspn(at, letters), len);
        assert_in_range(at[0], 'a', 'z');
        assert_int_not_equal(at[len - 1], '-');
        (void)snprintf(seen[i], sizeof seen[i], "%.*s", (int)len, at);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(seen[i], seen[j]);
    }
    assert_string_equal(seen[1], "a-b");
}

/* ---- digests, tenders */

static void digests_are_carried(void **state) {
    export_case *c = *state;
    char first[GP_PLAN_DIGEST];
    char second[GP_PLAN_DIGEST];
    const gp_export_options planned = {.planned = &c->base->result};
    gp_report_digest(&c->report, first);
    for (size_t i = 0; i < gp_export_count; i++)
        assert_non_null(strstr(export_text(c, gp_export_name(gp_exports[i]), &planned), first));
    gp_report_flag flag = {"workloads.chat.model", "x"};
    c->report.inputs.flags.items = &flag;
    c->report.inputs.flags.count = 1;
    gp_report_digest(&c->report, second);
    assert_string_not_equal(first, second);
}

/* Before the annex, no id of the catalogue and no maker stands in a neutral tender. */
static void neutral_tenders_name_nothing(void **state) {
    static const char *const brands[] = {"dgx",  "DGX",    "h100",       "h200",       "qm97",
                                         "nccl", "NVLink", "infiniband", "InfiniBand", "llama",
                                         "sn22", "vidia",  "VIDIA"};
    (void)state;
    export_case *c = open_example("examples/greenfield.yaml");
    const gp_export_options options = {.neutral = true};
    const char *text = export_text(c, "rfp", &options);
    const char *annex = strstr(text, "## Annex");
    assert_non_null(annex);
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        const char *at = strstr(text, brands[i]);
        if (at != NULL && at < annex)
            fail_msg("%s stands in the neutral part: %.60s", brands[i], at);
    }
    assert_non_null(strstr(annex, c->workloads[0].recommendation.chosen.system));
    assert_non_null(strstr(export_text(c, "rfp", NULL), "nccl-tests"));
    void *opened = c;
    (void)close_case(&opened);
}

static void bills_hold_the_purchase_price(void **state) {
    (void)state;
    export_case *c = open_example("examples/greenfield.yaml");
    const char *text = export_text(c, "bom", NULL);
    double sum = 0;
    assert_int_equal(lines(text), c->report.site.bill.count + 1);
    for (size_t i = 0; i < c->report.site.bill.count; i++)
        if (c->report.site.bill.items[i].price > 0)
            sum += c->report.site.bill.items[i].price;
    assert_true(sum > 0);
    assert_true(sum - c->report.cost.capital < 1 && c->report.cost.capital - sum < 1);
    void *opened = c;
    (void)close_case(&opened);
}

/* ------------------------------------------------------------ launch arguments */

/* A key in the spelling of a framework, and the figure of the report that stands behind it. */
typedef struct spelled {
    const char *rules, *framework;
    const char *key;
    size_t offset; /* in gp_report_candidate; SIZE_MAX: the batch */
} spelled;

#define OF(member) offsetof(gp_report_candidate, member)
static const spelled spelled_keys[] = {
    {"megatron-lm", NULL, "--tensor-model-parallel-size ", OF(tp)},
    {"megatron-lm", NULL, "--pipeline-model-parallel-size ", OF(pp)},
    {"megatron-lm", NULL, "--num-virtual-stages-per-pipeline-rank ", OF(vpp)},
    {"megatron-lm", NULL, "--context-parallel-size ", OF(cp)},
    {"megatron-lm", NULL, "--micro-batch-size ", OF(micro_batch)},
    {"megatron-lm", NULL, "--global-batch-size ", SIZE_MAX},
    {"megatron-lm", "megatron-bridge", "model.tensor_model_parallel_size=", OF(tp)},
    {"megatron-lm", "megatron-bridge", "model.virtual_pipeline_model_parallel_size=", OF(vpp)},
    {"megatron-lm", "megatron-bridge", "train.micro_batch_size=", OF(micro_batch)},
    {"megatron-lm", "megatron-bridge", "train.global_batch_size=", SIZE_MAX},
    {"nemo", NULL, "trainer.strategy.pipeline_model_parallel_size=", OF(pp)},
    {"nemo", NULL, "trainer.strategy.virtual_pipeline_model_parallel_size=", OF(vpp)},
    {"nemo", NULL, "trainer.strategy.context_parallel_size=", OF(cp)},
    {"nemo", NULL, "data.global_batch_size=", SIZE_MAX},
    {"torchtitan", NULL, "--parallelism.tensor_parallel_degree=", OF(tp)},
    {"torchtitan", NULL, "--parallelism.pipeline_parallel_degree=", OF(pp)},
    {"torchtitan", NULL, "--parallelism.context_parallel_degree=", OF(cp)},
    {"torchtitan", NULL, "--parallelism.data_parallel_shard_degree=", OF(dp)},
    {"torchtitan", NULL, "--parallelism.pipeline_parallel_microbatch_size=", OF(micro_batch)},
    {"torchtitan", NULL, "--training.global_batch_size=", SIZE_MAX},
    {"deepspeed", NULL, "\"train_batch_size\": ", SIZE_MAX},
    {"deepspeed", NULL, "\"train_micro_batch_size_per_gpu\": ", OF(micro_batch)},
    {"deepspeed", NULL, "\"stages\": ", OF(pp)},
    {"deepspeed", NULL, "\"autotp_size\": ", OF(tp)},
    {"fsdp", NULL, "--per_device_train_batch_size ", OF(micro_batch)},
};

/* The run of the example as 16 machines would have it: every degree is another number. */
static gp_report_launch *set_layout(export_case *c) {
    gp_report_workload *run = workload(c, "pretrain");
    gp_report_candidate *chosen = &run->recommendation.chosen;
    gp_report_launch *launch = GP_NEW(c->base->arena, gp_report_launch);
    assert_non_null(launch);
    assert_non_null(run->launch);
    *launch = *run->launch;
    chosen->tp = 2;
    chosen->pp = 4;
    chosen->vpp = 5;
    chosen->cp = 1;
    chosen->dp = 3;
    chosen->micro_batch = 7;
    chosen->recompute = "full";
    launch->global_batch_sequences = 7 * 3 * 8;
    launch->layers = 38; /* of 40 places the embedding and the head have one each */
    launch->stage_layers = 10;
    launch->first_stage_layers = launch->last_stage_layers = 9;
    run->launch = launch;
    return launch;
}

static const char *spelled_by(export_case *c, const char *kind, const spelled *row) {
    gp_report_launch *launch = set_layout(c);
    const gp_export_options options = {.form = strcmp(kind, "slurm") == 0 ? "job" : NULL,
                                       .workload = "pretrain"};
    launch->rules = row->rules;
    launch->framework = row->framework;
    return export_text(c, kind, &options);
}

/* Every argument reads back as the figure that was priced. */
static void arguments_read_back(void **state) {
    export_case *c = *state;
    for (size_t i = 0; i < sizeof spelled_keys / sizeof spelled_keys[0]; i++) {
        const spelled *row = &spelled_keys[i];
        const char *text = spelled_by(c, "slurm", row);
        const gp_report_workload *run = workload(c, "pretrain");
        const char *at = strstr(text, row->key);
        const int64_t *figure =
            row->offset == SIZE_MAX
                ? &run->launch->global_batch_sequences
                : (const int64_t *)(const void *)((const char *)&run->recommendation.chosen +
                                                  row->offset);
        if (at == NULL || strtoll(at + strlen(row->key), NULL, 10) != *figure)
            fail_msg("%s: not %lld", row->key, (long long)*figure);
    }
}

/* What is no number: sharding, recomputation, precision, stages that are not alike. */
static void words_read_back(void **state) {
    export_case *c = *state;
    static const struct {
        const char *rules, *framework;
        const char *words[8];
    } rows[] = {
        {"megatron-lm",
         NULL,
         {"--use-distributed-optimizer", "--recompute-granularity full", "--bf16",
          "--account-for-embedding-in-pipeline-split", "--account-for-loss-in-pipeline-split",
          "--sequence-parallel", "--accumulate-allreduce-grads-in-fp32", "--optimizer adam"}},
        {"nemo",
         NULL,
         {"trainer.strategy.ddp.use_distributed_optimizer=true",
          "model.config.recompute_granularity=full", "trainer.plugins.precision=bf16-mixed"}},
        {"torchtitan",
         NULL,
         {"--parallelism.fsdp_reshard_after_forward=never", "--activation_checkpoint.mode=full",
          "--parallelism.pipeline_parallel_schedule=Interleaved1F1B",
          "--parallelism.pipeline_parallel_layers_per_stage=2",
          "--parallelism.pipeline_parallel_first_stage_less_layers=1",
          "--training.mixed_precision_param=bfloat16", "--training.local_batch_size=56"}},
        {"deepspeed",
         NULL,
         {"\"zero_optimization\": {\"stage\": 1}", "\"bf16\": {\"enabled\": true}",
          "\"gradient_accumulation_steps\": 8", "--deepspeed_config ds_config.json"}},
        {"fsdp",
         NULL,
         {"--fsdp 'shard_grad_op auto_wrap'", "--gradient_checkpointing true", "--bf16 true",
          "--gradient_accumulation_steps 8"}},
        {"none", "gigatron", {"export ZERO_STAGE=1", "export RECOMPUTE=full"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const spelled row = {rows[i].rules, rows[i].framework, NULL, 0};
        const char *text = spelled_by(c, "slurm", &row);
        for (size_t k = 0; k < 8 && rows[i].words[k] != NULL; k++)
            if (strstr(text, rows[i].words[k]) == NULL)
                fail_msg("%s lacks %s:\n%s", rows[i].rules, rows[i].words[k], text);
    }
}

/* A Job has the same arguments, one word an item, and the file of DeepSpeed beside it. */
static void jobs_have_arguments(void **state) {
    export_case *c = *state;
    const spelled megatron = {"megatron-lm", NULL, NULL, 0};
    const char *text = spelled_by(c, "k8s", &megatron);
    assert_non_null(strstr(text, "- \"--pipeline-model-parallel-size\"\n"));
    assert_null(strstr(text, "kind: ConfigMap"));
    const spelled deepspeed = {"deepspeed", NULL, NULL, 0};
    text = spelled_by(c, "k8s", &deepspeed);
    assert_non_null(strstr(text, "kind: ConfigMap"));
    assert_non_null(strstr(text, "    {\n      \"train_batch_size\": 168,\n"));
    assert_non_null(strstr(text, "\"/etc/gpuplan/ds_config.json\""));
    assert_non_null(strstr(text, "mountPath: /etc/gpuplan}"));
}

/* A report that was read back may say anything: words become labels, numbers are kept in bounds. */
static void launches_stay_launches(void **state) {
    export_case *c = *state;
    const spelled megatron = {"megatron-lm", NULL, NULL, 0};
    const spelled deepspeed = {"deepspeed", NULL, NULL, 0};
    const spelled *const rows[] = {&megatron, &deepspeed};
    for (size_t i = 0; i < 2; i++) {
        (void)spelled_by(c, "slurm", rows[i]);
        gp_report_workload *run = workload(c, "pretrain");
        gp_report_launch *launch = GP_NEW(c->base->arena, gp_report_launch);
        const gp_export_options options = {.form = "job", .workload = "pretrain"};
        assert_non_null(launch);
        *launch = *run->launch;
        launch->framework = launch->compute = launch->gradients = launch->optimizer = hostile;
        launch->layers = launch->stage_layers = launch->global_batch_sequences = INT64_MAX;
        launch->last_stage_layers = GP_REPORT_NO_COUNT;
        run->launch = launch;
        run->recommendation.chosen.zero = INT64_MAX;
        run->recommendation.chosen.recompute = hostile;
        run->recommendation.chosen.vpp = INT64_MAX;
        const char *text = export_text(c, "slurm", &options);
        assert_null(strstr(text, "$(id)"));
        assert_null(strchr(text, '\033'));
        assert_int_equal(lines_starting(text, "::error"), 0);
        assert_int_equal(lines_starting(text, "#SBATCH --uid"), 0);
        run->recommendation.chosen.zero = 1;
    }
}

/* More places left than embedding and head take: the last stage is told, or all chunks are. */
static void uneven_stages_are_told(void **state) {
    export_case *c = *state;
    const spelled megatron = {"megatron-lm", NULL, NULL, 0};
    (void)spelled_by(c, "slurm", &megatron);
    gp_report_workload *run = workload(c, "pretrain");
    gp_report_launch launch = *run->launch;
    const gp_export_options options = {.form = "job", .workload = "pretrain"};
    run->launch = &launch;
    launch.layers = 37;
    launch.last_stage_layers = 7;
    launch.first_stage_layers = 10;
    assert_non_null(
        strstr(export_text(c, "slurm", &options), "--pipeline-model-parallel-layout 'Et*2|t*2|"));
    run->recommendation.chosen.vpp = 1;
    assert_non_null(
        strstr(export_text(c, "slurm", &options), "--decoder-last-pipeline-num-layers 7\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kubernetes_counts_what_the_report_counts),
        cmocka_unit_test_setup_teardown(kueue_covers_what_the_report_counts, open_case, close_case),
        cmocka_unit_test_setup_teardown(slurm_counts_what_the_report_counts, open_case, close_case),
        cmocka_unit_test_setup_teardown(arguments_read_back, open_case, close_case),
        cmocka_unit_test_setup_teardown(words_read_back, open_case, close_case),
        cmocka_unit_test_setup_teardown(jobs_have_arguments, open_case, close_case),
        cmocka_unit_test_setup_teardown(uneven_stages_are_told, open_case, close_case),
        cmocka_unit_test_setup_teardown(launches_stay_launches, open_case, close_case),
        cmocka_unit_test_setup_teardown(replicas_span_hosts, open_case, close_case),
        cmocka_unit_test_setup_teardown(pools_stand_apart, open_case, close_case),
        cmocka_unit_test_setup_teardown(autoscalers_follow_the_plan, open_case, close_case),
        cmocka_unit_test_setup_teardown(lacks_are_told, open_case, close_case),
        cmocka_unit_test_setup_teardown(names_stay_names, open_case, close_case),
        cmocka_unit_test_setup_teardown(labels_differ, open_case, close_case),
        cmocka_unit_test_setup_teardown(digests_are_carried, open_case, close_case),
        cmocka_unit_test(neutral_tenders_name_nothing),
        cmocka_unit_test(bills_hold_the_purchase_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
