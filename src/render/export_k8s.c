/*
 * Kubernetes manifests. A service becomes a Deployment where a replica stands on one host, else a
 * LeaderWorkerSet, with a disruption budget and an autoscaler that follows the plan's metric; a run
 * becomes a Job, or a JobSet where it spans hosts. Replicas x pods x GPUs is what the report says.
 * What a plan does not know (the image, the monitoring server) is a name that no registry and no
 * resolver has, so that it fails at once and not quietly.
 */
#include "render/export_launch.h"

#include <stdarg.h>
#include <string.h>

static const char no_image[] = "registry.invalid/set-the-image:pinned";
static const char launch_folder[] = "/etc/gpuplan";
static const char no_server[] = "http://prometheus.invalid:9090";

enum { SCALE_DOWN_S = 300, RESERVE_PODS = 1, RESTARTS_LEAST = 3 };

/* What is written of one set of replicas, or of one run. */
typedef struct target {
    gp_export_out *out;
    const gp_report_workload *workload;
    gp_export_device device;
    gp_export_shape shape;
    int64_t spare;
    int64_t tp, pp, ep;
    int64_t dp;       /* of a run: replicas of the model; of a service: groups of its attention */
    int64_t copies;   /* of busy experts */
    const char *pool; /* "prefill" or "decode" of a service that keeps them apart, else NULL */
    const char *name;
    const char *master; /* address of the first host of a run; NULL: there is but one */
} target;

static gp_buf *buf_of(const target *it) {
    return it->out->form.buf;
}

/* A part of a manifest, each of its lines `depth` columns further in. */
__attribute__((format(printf, 3, 4))) static void lines(const target *it, int depth,
                                                        const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(buf_of(it)->arena, format, args);
    va_end(args);
    while (*text != '\0') {
        const size_t len = strcspn(text, "\n");
        gp_buf_repeat(buf_of(it), ' ', depth);
        gp_buf_add(buf_of(it), text, len);
        gp_buf_char(buf_of(it), '\n');
        text += len + (text[len] == '\n' ? 1 : 0);
    }
}

static const char *quoted(const target *it, const char *text) {
    return gp_export_quoted(it->out, text);
}

/* "spec:" and what it holds is left to the caller. */
static void open_object(const target *it, const char *api, const char *kind, const char *name) {
    char digest[GP_PLAN_DIGEST];
    gp_report_digest(it->out->report, digest);
    lines(it, 0,
          "---\napiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  labels:\n"
          "    app.kubernetes.io/name: %s\n    app.kubernetes.io/part-of: %s\n"
          "    app.kubernetes.io/managed-by: gpuplan\n  annotations:\n"
          "    gpuplan/plan-digest: \"sha256:%s\"\n    gpuplan/workload: %s\n"
          "    gpuplan/layout: %s\nspec:",
          api, kind, quoted(it, name), quoted(it, it->name),
          quoted(it, gp_export_label(it->out, it->out->report->summary.plan)), digest,
          quoted(it, it->workload->name), quoted(it, it->workload->recommendation.chosen.layout));
}

/* ---- pods */

static void selector(const target *it) {
    lines(it, 2, "selector:\n  matchLabels:\n    app.kubernetes.io/name: %s", quoted(it, it->name));
}

static void environment(const target *it, int depth, const char *name, int64_t value) {
    if (value > 0)
        lines(it, depth, "- {name: %s, value: \"%lld\"}", name, (long long)value);
}

typedef struct variable_place {
    const target *it;
    int depth;
} variable_place;

static void text_variable(void *context, const char *name, const char *value) {
    const variable_place *place = context;
    lines(place->it, place->depth, "- {name: %s, value: \"%s\"}", name, value);
}

/* A file of the framework is mounted where its arguments then find it. */
static const char *mounted(const target *it, const gp_launch *launch, const char *word) {
    return launch->file != NULL && gp_str_equal(word, launch->file)
               ? gp_form_text(&it->out->form, "%s/%s", launch_folder, word)
               : word;
}

/* The arguments of the framework, for an image that starts it. */
static void arguments(const target *it, int depth, const gp_launch *launch) {
    for (int i = 0; i < launch->note_count; i++)
        lines(it, depth, "# %s", launch->notes[i]);
    if (launch->count == 0)
        return;
    lines(it, depth, "args:");
    for (int i = 0; i < launch->count; i++) {
        const char *value = launch->arguments[i].value;
        lines(it, depth, "- %s", quoted(it, launch->arguments[i].word));
        if (value != NULL)
            lines(it, depth, "- %s", quoted(it, mounted(it, launch, value)));
    }
}

/* The same file for every pod of a run. */
static void config_map(const target *it) {
    gp_launch launch;
    if (!gp_export_launch_of(it->out, it->workload, &launch) || launch.file == NULL)
        return;
    lines(it, 0, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata:\n  %s: |",
          quoted(it, it->name), launch.file);
    lines(it, 4, "%s", launch.file_text);
}

/* ---- arguments of serving engines, for layouts that their defaults do not make */

/* One word after the other: those of a size above 1 with it. */
static void flag(const target *it, const char *name, int64_t size, bool wanted) {
    if (wanted && size > 0)
        gp_buf_printf(buf_of(it), " %s %lld", name, (long long)size);
    else if (wanted)
        gp_buf_printf(buf_of(it), " %s", name);
}

static void engine(const target *it, int depth, const char *command) {
    gp_buf_repeat(buf_of(it), ' ', depth);
    gp_buf_printf(buf_of(it), "# %s", command);
}

/* Attention in groups over hosts: every host starts its own, and is told the first of them. Experts
 * are dealt out to all GPUs, or sliced by all. */
static void vllm_arguments(const target *it, int depth) {
    const bool several = it->shape.hosts > 1;
    const int64_t local = gp_num_max_i64(1, it->shape.gpus_per_host / it->tp);
    engine(it, depth, "vLLM: vllm serve MODEL");
    flag(it, "--tensor-parallel-size", it->tp, true);
    flag(it, "--pipeline-parallel-size", it->pp, it->pp > 1);
    flag(it, "--distributed-executor-backend ray", 0, it->dp <= 1 && several);
    flag(it, "--data-parallel-size", it->dp, it->dp > 1);
    flag(it, "--data-parallel-size-local", local, it->dp > 1 && several);
    flag(it, "--data-parallel-address $(LWS_LEADER_ADDRESS) --data-parallel-hybrid-lb", 0,
         it->dp > 1 && several);
    if (it->dp > 1 && several)
        gp_buf_printf(buf_of(it), " --data-parallel-start-rank $((LWS_WORKER_INDEX * %lld))",
                      (long long)local);
    flag(it, "--enable-expert-parallel", 0, it->ep > 1);
    flag(it, "--enable-eplb", 0, it->ep > 1 && it->dp > 1);
    if (it->copies > 0)
        gp_buf_printf(buf_of(it), " --eplb-config '{\"num_redundant_experts\": %lld}'",
                      (long long)it->copies);
    flag(it,
         "--kv-transfer-config '{\"kv_connector\": \"NixlConnector\", \"kv_role\": \"kv_both\"}'",
         0, it->pool != NULL);
    gp_buf_char(buf_of(it), '\n');
}

static void sglang_arguments(const target *it, int depth) {
    const bool several = it->shape.hosts > 1;
    engine(it, depth, "SGLang: python3 -m sglang.launch_server --model-path MODEL");
    flag(it, "--tp-size", it->tp * it->dp, true);
    flag(it, "--pp-size", it->pp, it->pp > 1);
    flag(it, "--dp-size", it->dp, it->dp > 1);
    flag(it, "--enable-dp-attention", 0, it->dp > 1);
    flag(it, "--ep-size", it->ep, it->ep > 1);
    flag(it, "--moe-a2a-backend deepep", 0, it->ep > 1 && it->dp > 1);
    flag(it, "--ep-num-redundant-experts", it->copies, it->copies > 0);
    flag(it, "--nnodes", it->shape.hosts, several);
    flag(it, "--node-rank $(LWS_WORKER_INDEX) --dist-init-addr $(LWS_LEADER_ADDRESS):20000", 0,
         several);
    if (it->pool != NULL)
        gp_buf_printf(buf_of(it), " --disaggregation-mode %s", it->pool);
    gp_buf_char(buf_of(it), '\n');
}

/* What trtllm-serve is told in a file. */
static void tensorrt_options(const target *it) {
    if (it->dp <= 1 && it->pool == NULL)
        return;
    gp_buf_str(buf_of(it), " --extra_llm_api_options FILE  # with");
    flag(it, "enable_attention_dp: true", 0, it->dp > 1);
    flag(it, "cache_transceiver_config: {backend: DEFAULT}", 0, it->pool != NULL);
    flag(it, "moe_config: {load_balancer: FILE} with num_slots: experts +", it->copies,
         it->copies > 0);
}

/* Its attention goes by groups of one GPU, or by tensor parallelism over all. */
static void tensorrt_arguments(const target *it, int depth) {
    if (it->tp > 1 && it->dp > 1) {
        engine(it, depth, "TensorRT-LLM: attention cannot span groups of more than one GPU\n");
        return;
    }
    engine(it, depth, "TensorRT-LLM: trtllm-serve MODEL");
    flag(it, "--tp_size", it->tp * it->dp, true);
    flag(it, "--pp_size", it->pp, it->pp > 1);
    flag(it, "--ep_size", it->ep, it->ep > 1);
    flag(it, "--gpus_per_node", it->shape.gpus_per_host, it->shape.hosts > 1);
    tensorrt_options(it);
    gp_buf_char(buf_of(it), '\n');
}

static void engine_arguments(const target *it, int depth) {
    if (!gp_export_is_serving(it->workload) || (it->dp <= 1 && it->ep <= 1))
        return;
    lines(it, depth,
          "# The layout as arguments of vLLM 0.11, SGLang 0.5 and TensorRT-LLM 1.1:");
    vllm_arguments(it, depth);
    sglang_arguments(it, depth);
    tensorrt_arguments(it, depth);
}

/* Who opens a seat is not in the plan: a quota of the namespace holds them to what is there. */
static void seat_quota(const target *it) {
    const gp_report_candidate *chosen = &it->workload->recommendation.chosen;
    const gp_report_seats *seats = it->workload->seats;
    const int64_t each = seats->part != NULL ? 1 : seats->gpus_per_seat;
    const char *resource = gp_export_resource_of(it->out, chosen->gpu, seats->part, seats->method);
    lines(it, 0,
          "# A hub such as JupyterHub starts one pod per person, with %s: %lld in its limits.",
          resource, (long long)each);
    open_object(it, "v1", "ResourceQuota", it->name);
    lines(it, 2, "hard:\n  requests.%s: \"%lld\"", resource, (long long)(seats->held * each));
}

static void container(const target *it, int depth, const gp_launch *launch) {
    const gp_report_candidate *chosen = &it->workload->recommendation.chosen;
    lines(it, depth, "- name: main\n  image: %s",
          quoted(it, gp_form_or(it->out->options.image, no_image)));
    arguments(it, depth + 2, launch);
    engine_arguments(it, depth + 2);
    lines(it, depth + 2, "env:");
    environment(it, depth + 2, "TENSOR_PARALLEL_SIZE", it->tp);
    environment(it, depth + 2, "PIPELINE_PARALLEL_SIZE", it->pp);
    environment(it, depth + 2, "EXPERT_PARALLEL_SIZE", it->ep);
    environment(it, depth + 2, "CONTEXT_PARALLEL_SIZE", it->pool != NULL ? 1 : chosen->cp);
    environment(it, depth + 2, "DATA_PARALLEL_SIZE", it->dp);
    environment(it, depth + 2, "MICRO_BATCH_SIZE", chosen->micro_batch);
    variable_place place = {it, depth + 2};
    gp_export_launch_variables(it->out, it->workload, text_variable, &place);
    if (it->master != NULL) { /* the rank of a host is JOB_COMPLETION_INDEX */
        text_variable(&place, "MASTER_ADDR", it->master);
        environment(it, depth + 2, "NNODES", it->shape.hosts);
        environment(it, depth + 2, "NPROC_PER_NODE", it->shape.gpus_per_host);
    }
    lines(it, depth + 2,
          "resources:\n  limits:\n    %s: \"%lld\"\nvolumeMounts:\n"
          "- {name: shm, mountPath: /dev/shm}",
          gp_export_resource_of(it->out, chosen->gpu, chosen->gpu_part, chosen->gpu_part_method),
          (long long)it->shape.gpus_per_host);
    if (launch->file != NULL)
        lines(it, depth + 2, "- {name: launch, mountPath: %s}", launch_folder);
}

/* Replicas that spare machines stand in for are lost together with theirs: no more of them go on
 * one than were counted on, and as few as can be. Pools may lie on machines as they like. */
static void spread(const target *it, int depth) {
    const gp_report_candidate *chosen = &it->workload->recommendation.chosen;
    const int64_t hosts = gp_num_max_i64(1, chosen->nodes * chosen->hosts_per_node);
    const int64_t most = (it->shape.replicas + hosts - 1) / hosts;
    const struct {
        long long skew;
        const char *otherwise;
        bool holds;
    } rows[] = {{most, "DoNotSchedule", it->pool == NULL}, {1, "ScheduleAnyway", true}};
    if (it->spare <= 0 || it->shape.hosts > 1 ||
        (most + 1) * it->shape.gpus_per_host > it->shape.host_gpus)
        return;
    lines(it, depth, "topologySpreadConstraints:");
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        if (rows[i].holds)
            lines(it, depth,
                  "- maxSkew: %lld\n  topologyKey: kubernetes.io/hostname\n"
                  "  whenUnsatisfiable: %s\n"
                  "  labelSelector: {matchLabels: {app.kubernetes.io/name: %s}}",
                  rows[i].skew, rows[i].otherwise, quoted(it, it->name));
}

static void pod(const target *it, int depth, const char *restart) {
    gp_launch launch;
    (void)gp_export_launch_of(it->out, it->workload, &launch);
    const char *gpu = it->workload->recommendation.chosen.gpu;
    lines(it, depth,
          "metadata:\n  labels:\n    app.kubernetes.io/name: %s\nspec:", quoted(it, it->name));
    if (restart != NULL)
        lines(it, depth + 2, "restartPolicy: %s", quoted(it, restart));
    spread(it, depth + 2);
    lines(
        it, depth + 2,
        "nodeSelector:\n  %s: %s\ntolerations:\n"
        "- {key: %s, operator: Exists, effect: NoSchedule}\ncontainers:",
        it->device.label,
        quoted(it, it->device.product != NULL ? it->device.product : gp_export_label(it->out, gpu)),
        it->device.resource);
    container(it, depth + 2, &launch);
    lines(it, depth + 2, "volumes:\n- name: shm\n  emptyDir: {medium: Memory}");
    if (launch.file != NULL)
        lines(it, depth + 2, "- name: launch\n  configMap: {name: %s}", it->name);
}

/* ---- services */

/* There are no GPUs for a pod on top: one goes before the next comes. */
static int64_t unavailable(const target *it) {
    return gp_num_max_i64(it->spare, RESERVE_PODS);
}

static void deployment(const target *it) {
    open_object(it, "apps/v1", "Deployment", it->name);
    lines(it, 2, "replicas: %lld", (long long)it->shape.replicas);
    selector(it);
    lines(it, 2,
          "strategy:\n  type: RollingUpdate\n"
          "  rollingUpdate: {maxUnavailable: %lld, maxSurge: 0}\ntemplate:",
          (long long)unavailable(it));
    pod(it, 4, NULL);
}

static void leader_worker_set(const target *it) {
    open_object(it, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", it->name);
    lines(it, 2,
          "replicas: %lld\nstartupPolicy: LeaderCreated\nrolloutStrategy:\n"
          "  type: RollingUpdate\n"
          "  rollingUpdateConfiguration: {maxUnavailable: %lld, maxSurge: 0}\n"
          "leaderWorkerTemplate:\n  size: %lld\n"
          "  restartPolicy: RecreateGroupOnPodRestart\n  workerTemplate:",
          (long long)it->shape.replicas, (long long)unavailable(it), (long long)it->shape.hosts);
    pod(it, 6, NULL);
}

static void disruption_budget(const target *it) {
    open_object(it, "policy/v1", "PodDisruptionBudget", it->name);
    lines(it, 2, "maxUnavailable: %lld", (long long)(unavailable(it) * it->shape.hosts));
    selector(it);
}

static void scale_target(const target *it) {
    const bool several = it->shape.hosts > 1;
    lines(it, 2, "scaleTargetRef:\n  apiVersion: \"%s\"\n  kind: \"%s\"\n  name: %s",
          several ? "leaderworkerset.x-k8s.io/v1" : "apps/v1",
          several ? "LeaderWorkerSet" : "Deployment", quoted(it, it->name));
}

static int64_t settle_s(const gp_report_autoscale *scaling) {
    const double cold = isfinite(scaling->cold_start_s) ? ceil(scaling->cold_start_s) : 0;
    return gp_num_max_i64(SCALE_DOWN_S, gp_num_ceil_count(cold));
}

static void behavior(const target *it, int depth, const gp_report_autoscale *scaling) {
    lines(it, depth,
          "behavior:\n  scaleUp: {stabilizationWindowSeconds: 0}\n"
          "  scaleDown: {stabilizationWindowSeconds: %lld}",
          (long long)settle_s(scaling));
}

/* A metric of Prometheus as the adapter of the custom metrics API serves it: letters, digits, '_'.
 */
static const char *metric_word(const target *it, const char *metric, bool colons) {
    gp_buf word = GP_BUF(buf_of(it)->arena, 256);
    for (const char *c = metric; *c != '\0' && word.len < 200; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        const bool digit = *c >= '0' && *c <= '9';
        gp_buf_char(&word, letter || digit || (colons && *c == ':') ? *c : '_');
    }
    return gp_form_taken(&it->out->form, &word);
}

/* Thousandths, as Kubernetes writes fractions. */
static const char *quantity(const target *it, double value) {
    enum { MILLI = 1000 };
    const int64_t thousandths = gp_num_max_i64(1, gp_num_floor_count(value * MILLI));
    return gp_form_text(&it->out->form, "%lldm", (long long)thousandths);
}

static void horizontal_autoscaler(const target *it, const gp_report_autoscale *scaling,
                                  const char *metric) {
    open_object(it, "autoscaling/v2", "HorizontalPodAutoscaler", it->name);
    scale_target(it);
    lines(it, 2,
          "minReplicas: %lld\nmaxReplicas: %lld\nmetrics:\n- type: Pods\n  pods:\n    metric:\n"
          "      name: %s\n    target:\n      type: AverageValue\n      averageValue: \"%s\"",
          (long long)gp_num_max_i64(1, scaling->min_replicas), (long long)scaling->max_replicas,
          quoted(it, metric_word(it, metric, false)), quantity(it, scaling->target));
    behavior(it, 2, scaling);
}

static void scaled_object(const target *it, const gp_report_autoscale *scaling,
                          const char *metric) {
    char threshold[GP_NUM_TEXT];
    enum { DIGITS = 6, FAILURES = 3, POLL_S = 15 };
    (void)gp_num_format_g(threshold, scaling->target, DIGITS);
    open_object(it, "keda.sh/v1alpha1", "ScaledObject", it->name);
    scale_target(it);
    lines(it, 2,
          "pollingInterval: %d\nminReplicaCount: %lld\nmaxReplicaCount: %lld\n"
          "fallback: {failureThreshold: %d, replicas: %lld}\nadvanced:\n"
          "  horizontalPodAutoscalerConfig:",
          POLL_S, (long long)gp_num_max_i64(1, scaling->min_replicas),
          (long long)scaling->max_replicas, FAILURES, (long long)scaling->max_replicas);
    behavior(it, 6, scaling);
    lines(it, 2,
          "triggers:\n- type: prometheus\n  metricType: AverageValue\n  metadata:\n"
          "    serverAddress: %s\n    query: %s\n    threshold: \"%s\"\n"
          "    ignoreNullValues: \"false\"",
          quoted(it, gp_form_or(it->out->options.prometheus, no_server)),
          quoted(it, gp_form_text(&it->out->form, "sum(%s{pod=~\"%s-.*\"})",
                                  metric_word(it, metric, true), it->name)),
          threshold);
}

/* Only where asked for by name is a missing figure an error. */
static void no_autoscaler(const target *it, const char *what, const char *hint) {
    if (it->out->options.autoscaler != NULL)
        gp_export_fail(it->out, hint, "no autoscaler for '%s': the plan has %s",
                       gp_export_comment(it->out, it->workload->name), what);
    else
        lines(it, 0, "# No autoscaler: the plan has %s.", what);
}

static void scaler(const target *it, const gp_report_autoscale *scaling, const char *metric) {
    lines(it, 0, "# The autoscaler sets the replicas: leave them out when applying again.");
    if (gp_str_equal(it->out->options.autoscaler, "keda"))
        scaled_object(it, scaling, metric);
    else
        horizontal_autoscaler(it, scaling, metric);
}

static void autoscaler(const target *it) {
    const gp_report_service *service = it->workload->service;
    const gp_report_autoscale *scaling = service != NULL ? service->autoscaling : NULL;
    const char *metric = it->out->options.metric;
    if (metric == NULL && scaling != NULL)
        metric = scaling->metric_name;
    if (gp_str_equal(it->out->options.autoscaler, "none"))
        return;
    if (gp_export_apart(it->workload) != NULL)
        no_autoscaler(it, "separate prefill and decode pools without a metric for each",
                      "--autoscaler none");
    else if (it->workload->recommendation.chosen.shares.count > 0)
        no_autoscaler(it, "replicas on several machine types without a metric for each",
                      "--autoscaler none");
    else if (scaling == NULL || !(scaling->target > 0))
        no_autoscaler(it, "a fixed number of replicas", "--autoscaler none");
    else if (metric == NULL)
        no_autoscaler(it, "no metric, because the workload names no serving engine",
                      "set one with --metric NAME");
    else
        scaler(it, scaling, metric);
}

static void replicas_of(const target *it) {
    if (it->shape.hosts > 1)
        leader_worker_set(it);
    else
        deployment(it);
    disruption_budget(it);
}

static void service(target *it) {
    const gp_report_candidate *chosen = &it->workload->recommendation.chosen;
    const gp_report_disaggregation *apart = gp_export_apart(it->workload);
    const char *name = it->name;
    for (size_t i = 0; apart != NULL && i < apart->pools.count; i++) {
        const gp_report_pool *pool = &apart->pools.items[i];
        it->name =
            gp_form_text(&it->out->form, "%s-%s", name, gp_export_label(it->out, pool->name));
        it->spare = pool->spare_replicas;
        it->tp = pool->tp;
        it->pp = pool->pp;
        it->ep = pool->ep;
        it->copies = pool->redundant_experts;
        it->dp = gp_num_max_i64(1, pool->gpus_per_replica / (pool->tp * pool->pp));
        it->pool = pool->name;
        if (!gp_export_shape_of(it->out, it->workload, pool->replicas, pool->gpus_per_replica,
                                &it->shape))
            return;
        replicas_of(it);
    }
    if (apart == NULL) {
        if (!gp_export_shape_of(it->out, it->workload, chosen->replicas, chosen->gpus_per_replica,
                                &it->shape))
            return;
        replicas_of(it);
    }
    autoscaler(it);
}

/* ---- runs */

/* The fields of a Job whose pods are the hosts of one run, or runs of one host each. */
static void job_fields(const target *it, int depth, int64_t pods) {
    lines(it, depth,
          "completions: %lld\nparallelism: %lld\ncompletionMode: Indexed\nbackoffLimit: 0\n"
          "template:",
          (long long)pods, (long long)pods);
    pod(it, depth + 2, "Never");
}

static void job(const target *it, const char *name, int64_t pods) {
    open_object(it, "batch/v1", "Job", name);
    job_fields(it, 2, pods);
}

/* A run that loses a host starts again from its checkpoint: twice as often as failures and
 * preemptions are expected, before somebody has to look. */
static int64_t restarts(const target *it) {
    const gp_report_performance *figures = &it->workload->performance;
    const double stops = gp_num_max(figures->failures, 0) + gp_num_max(figures->taken, 0);
    return gp_num_max_i64(RESTARTS_LEAST, gp_num_ceil_count(2 * stops));
}

/* Hosts of one run start, fail and start again together, and know the first by its name. */
static void job_set(target *it, const char *name) {
    open_object(it, "jobset.x-k8s.io/v1alpha2", "JobSet", name);
    lines(it, 2,
          "network:\n  enableDNSHostnames: true\n  subdomain: %s\nfailurePolicy:\n"
          "  maxRestarts: %lld\nreplicatedJobs:\n- name: run\n  replicas: 1\n  template:\n"
          "    spec:",
          quoted(it, name), (long long)restarts(it));
    it->master = gp_form_text(&it->out->form, "%s-run-0-0.%s", name, name);
    job_fields(it, 8, it->shape.hosts);
    it->master = NULL;
}

static void run(target *it) {
    const gp_report_candidate *chosen = &it->workload->recommendation.chosen;
    const char *name = it->name;
    enum { JOBS_MAX = 10000 };
    if (!gp_export_shape_of(it->out, it->workload, chosen->replicas, chosen->gpus_per_replica,
                            &it->shape))
        return;
    if (it->shape.hosts == 1) { /* each pod is a run of its own */
        job(it, name, it->shape.replicas);
        return;
    }
    for (int64_t i = 0; i < it->shape.replicas && i < JOBS_MAX && !gp_export_failed(it->out); i++)
        job_set(it, it->shape.replicas == 1
                        ? name
                        : gp_form_text(&it->out->form, "%s-%lld", name, (long long)i));
}

static void write_yaml(gp_export_out *out) {
    gp_export_place at = {0};
    gp_export_header(out);
    if (out->options.image == NULL)
        gp_buf_str(out->form.buf, "# A plan has no container image: set it with --image NAME.\n");
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at)) {
        const gp_report_candidate *chosen = &it->recommendation.chosen;
        target one = {.out = out,
                      .workload = it,
                      .device = gp_export_device_of(chosen->gpu),
                      .spare = chosen->spare_replicas,
                      .tp = chosen->tp,
                      .pp = chosen->pp,
                      .ep = chosen->ep,
                      .copies = gp_num_max_i64(0, chosen->redundant_experts),
                      .dp = chosen->dp,
                      .name = gp_export_label(out, it->name)};
        if (one.device.product == NULL)
            gp_buf_printf(out->form.buf, "# Label the machines with %s: %s.\n", one.device.label,
                          gp_export_label(out, chosen->gpu));
        if (it->seats != NULL)
            seat_quota(&one);
        else if (gp_export_is_serving(it))
            service(&one);
        else {
            config_map(&one);
            run(&one);
        }
    }
}

const gp_export gp_export_k8s = {
    .one_cluster = true,
    .name = "k8s",
    .summary = "Kubernetes: Deployment or LeaderWorkerSet with autoscaler, Job or JobSet for a run",
    .forms = {{"yaml", "yaml", write_yaml}},
};
