/*
 * Readings as rows of runs, so that live figures take the same way into a calibration as a
 * benchmark's: the plan gives the layout, the server what it does. Latency counts by its mean over
 * the window, at the mean number of requests in flight; where requests queue, the time to the first
 * token says nothing of the GPU and is left out.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "catalog/words.h"
#include "import/telemetry_query.h"
#include "model/fields.h"
#include "plan/plan.h"

enum { CSV_MAX = 1 << 20, DIGITS = 6 };
static const double milliseconds_per_s = 1000; /* definition */
static const double billion = 1e9;             /* definition */
static const double queueing_fraction = 0.05;  /* of the requests in flight: above, prompts wait */

static const char inference_header[] =
    "id,model,params_b,active_params_b,gpu,gpus,tp,pp,ep,engine,mode,precision_weights,"
    "precision_kv,input_len,output_len,concurrency_or_batch,output_tokens_per_s_per_gpu,"
    "ttft_ms_p50,tpot_ms_p50,strict\n";
static const char training_header[] =
    "id,kind,model,params_b,active_params_b,gpu,gpus,precision,framework,gbs_sequences,mbs,seq_len,"
    "tp,pp,cp,vp,ep,dp,zero_or_fsdp,recompute,tokens_per_s_per_gpu,iteration_s,strict\n";
static const char power_header[] = "id,model,gpu,gpus,total_params_b,active_params_b,precision,"
                                   "avg_batch,input_len,output_len,w_per_gpu,strict\n";

typedef struct writer {
    const gp_telemetry *telemetry;
    const gp_plan_result *result;
    const char *date;
    gp_buf inference, power, training;
    bool has_inference, has_power, has_training;
    gp_telemetry_runs *runs;
    size_t capacity;
} writer;

/* One service: what runs, and the readings that all rows need. */
typedef struct service {
    const gp_workload_plan *plan;
    const char *served;
    const gp_telemetry_reading *input, *output, *running, *waiting, *replicas;
    double gpus_per_replica;
} service;

static void note(writer *w, const char *workload, const char *why) {
    gp_arena *arena = w->telemetry->arena;
    const char *text = gp_arena_printf(arena, "%s gives no run: %s", workload, why);
    GP_PUSH(arena, w->runs->notes.items, w->runs->notes.count, w->capacity) = text;
}

/* Why the readings are not enough; NULL: they are. */
static const char *open_service(const writer *w, const gp_workload_plan *plan, const char *served,
                                service *ret) {
    static const char *const needed[] = {"inputTokens", "outputTokens", "running", "replicas"};
    *ret = (service){.plan = plan, .served = served};
    if (served == NULL)
        return "no engine reports its model";
    if (!plan->chosen.present || plan->chosen.split.present || plan->chosen.unit == NULL)
        return "its layout is not one pool of replicas";
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (gp_telemetry_reading_of(w->telemetry, needed[i], served) == NULL) {
            const char *why = gp_telemetry_absence_of(w->telemetry, needed[i]);
            return why == NULL ? "the server lacks figures of it" : why;
        }
    }
    ret->input = gp_telemetry_reading_of(w->telemetry, "inputTokens", served);
    ret->output = gp_telemetry_reading_of(w->telemetry, "outputTokens", served);
    ret->running = gp_telemetry_reading_of(w->telemetry, "running", served);
    ret->waiting = gp_telemetry_reading_of(w->telemetry, "waiting", served);
    ret->replicas = gp_telemetry_reading_of(w->telemetry, "replicas", served);
    ret->gpus_per_replica = (double)gp_serve_layout_gpus(&plan->chosen.serve_layout);
    bool whole = ret->replicas->p50 >= 1 && ret->replicas->p10 >= ret->replicas->p50 &&
                 ret->replicas->p90 <= ret->replicas->p50;
    if (!whole)
        return "the number of its replicas changes within the window: take a shorter one";
    return ret->running->mean > 0 ? NULL : "nothing ran in the window";
}

/* ---- cells */

static void add_text(gp_buf *buf, const char *text) {
    bool plain = text == NULL || strpbrk(text, ",\"\r\n") == NULL;
    gp_buf_str(buf, plain ? "" : "\"");
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        gp_buf_str(buf, *c == '"' ? "\"" : "");
        gp_buf_char(buf, *c == '\r' || *c == '\n' ? ' ' : *c);
    }
    gp_buf_str(buf, plain ? "," : "\",");
}

static void add_number(gp_buf *buf, double value) {
    if (isfinite(value) && value > 0)
        gp_buf_number(buf, value, DIGITS);
    gp_buf_char(buf, ',');
}

/* "fp8_block" for fp8-block: as tables of runs have it. */
static void add_format(gp_buf *buf, gp_format format) {
    for (const char *c = gp_format_words[format]; *c != '\0'; c++)
        gp_buf_char(buf, *c == '-' ? '_' : *c);
    gp_buf_char(buf, ',');
}

static void add_head(const writer *w, gp_buf *buf, const service *s, const char *kind) {
    const char *id =
        gp_arena_printf(w->telemetry->arena, "%s-%s-%s", kind, s->plan->workload->name, w->date);
    add_text(buf, id);
    add_text(buf, s->plan->workload->model.id);
}

static void add_gpus(gp_buf *buf, const service *s) {
    add_text(buf, s->plan->chosen.unit->machine.gpu->id);
    add_number(buf, s->gpus_per_replica * s->replicas->p50);
}

static bool is_queueing(const service *s) {
    return s->waiting == NULL || s->waiting->mean > queueing_fraction * s->running->mean;
}

static void add_inference(writer *w, const service *s) {
    const gp_telemetry_reading *ttft = gp_telemetry_reading_of(w->telemetry, "ttft", s->served);
    const gp_telemetry_reading *tpot = gp_telemetry_reading_of(w->telemetry, "tpot", s->served);
    const gp_telemetry_reading *rate =
        gp_telemetry_reading_of(w->telemetry, "outputRate", s->served);
    const gp_serve_job *job = &s->plan->serve;
    const gp_serve_layout *layout = &s->plan->chosen.serve_layout;
    gp_buf *buf = &w->inference;
    if (tpot == NULL && rate == NULL) {
        note(w, s->plan->workload->name, "neither tokens nor latencies are exported");
        return;
    }
    add_head(w, buf, s, "live");
    add_number(buf, job->shape->parameters / billion);
    add_number(buf, job->shape->active_parameters / billion);
    add_gpus(buf, s);
    add_number(buf, (double)layout->tp);
    add_number(buf, (double)layout->pp);
    add_number(buf, (double)layout->ep);
    add_text(buf, s->plan->workload->software.engine);
    add_text(buf, "online");
    add_format(buf, job->weights);
    add_format(buf, job->kv_cache);
    add_number(buf, s->input->mean);
    add_number(buf, s->output->mean);
    add_number(buf, s->running->mean);
    /* The rate of tokens is the same measurement as the time for one: it stands in where that is
     * not exported. */
    add_number(buf,
               tpot == NULL ? rate->mean / (s->gpus_per_replica * s->replicas->p50) : (double)NAN);
    add_number(buf, ttft == NULL || is_queueing(s) ? (double)NAN : ttft->mean * milliseconds_per_s);
    add_number(buf, tpot == NULL ? (double)NAN : tpot->mean * milliseconds_per_s);
    gp_buf_str(buf, "yes\n");
    w->has_inference = true;
}

/* GPUs of the kind run nothing but this service. */
static bool has_gpus_alone(const writer *w, const service *s) {
    const gp_gpu *gpu = s->plan->chosen.unit->machine.gpu;
    for (size_t i = 0; i < w->result->workloads.count; i++) {
        const gp_workload_plan *other = &w->result->workloads.items[i];
        const gp_unit *unit = other->chosen.present ? other->chosen.unit : NULL;
        if (other != s->plan && unit != NULL && unit->machine.gpu == gpu)
            return false;
    }
    return true;
}

static void add_power(writer *w, const service *s) {
    const gp_serve_job *job = &s->plan->serve;
    const char *gpus = NULL;
    gp_buf *buf = &w->power;
    gp_telemetry_gpu(w->telemetry, s->plan->chosen.unit->machine.gpu, &gpus);
    const gp_telemetry_reading *watts =
        gpus == NULL ? NULL : gp_telemetry_reading_of(w->telemetry, "gpuPowerLoad", gpus);
    if (watts == NULL || !has_gpus_alone(w, s))
        return;
    add_head(w, buf, s, "power");
    add_text(buf, s->plan->chosen.unit->machine.gpu->id);
    add_number(buf, s->gpus_per_replica);
    add_number(buf, job->shape->parameters / billion);
    add_number(buf, job->shape->active_parameters / billion);
    add_format(buf, job->weights);
    add_number(buf, s->running->mean / s->replicas->p50);
    add_number(buf, s->input->mean);
    add_number(buf, s->output->mean);
    add_number(buf, watts->p50);
    gp_buf_str(buf, "yes\n");
    w->has_power = true;
}

/* No exporter tells steps or tokens of training under a name that is the same everywhere. What
 * DCGM tells of its GPUs bounds its speed, which is no measurement of it. */
static void tell_training(writer *w, const gp_workload_plan *plan) {
    gp_arena *arena = w->telemetry->arena;
    const gp_unit *unit = plan->chosen.present ? plan->chosen.unit : NULL;
    const char *gpus = NULL;
    const char *why = "no exporter tells the steps of training under a name that is the same "
                      "everywhere; --tokens NAME=QUERY asks for its tokens per second, calibrate "
                      "--read takes its log";
    if (unit != NULL)
        gp_telemetry_gpu(w->telemetry, unit->machine.gpu, &gpus);
    const gp_telemetry_reading *active =
        gpus == NULL ? NULL : gp_telemetry_reading_of(w->telemetry, "tensorActiveLoad", gpus);
    if (active != NULL)
        why = gp_arena_printf(
            arena,
            "%s. The tensor cores of %s at work were active %s of the time: no more of the "
            "peak than that is used, and how much is not told",
            why, gpus, gp_quantity_format(arena, active->p50, GP_DIM_FRACTION));
    note(w, plan->workload->name, why);
}

static const char *zero_words(const gp_layout *layout) {
    static const char *const words[] = {"DDP", "ZeRO-1", "ZeRO-2", "FSDP"};
    return words[layout->zero >= 0 && layout->zero < 4 ? layout->zero : 0];
}

/* Why one run's rate is not that of the layout; NULL: it is. */
static const char *training_problem(const gp_workload_plan *plan) {
    if (!plan->chosen.present || plan->chosen.unit == NULL)
        return "no layout of it is planned";
    if (plan->train.type == GP_WORKLOAD_LORA)
        return "adapters are calibrated from their logs (calibrate --read)";
    return plan->chosen.jobs_per_gpu > 1 ? "its runs share GPUs" : NULL;
}

static void add_training(writer *w, const gp_workload_plan *plan,
                         const gp_telemetry_reading *rate) {
    gp_arena *arena = w->telemetry->arena;
    const char *why = training_problem(plan);
    if (why != NULL) {
        note(w, plan->workload->name, why);
        return;
    }
    const gp_train_job *job = &plan->train;
    const gp_layout *layout = &plan->chosen.layout;
    const double gpus = (double)(layout->tp * layout->pp * layout->cp * layout->dp);
    const double degrees[] = {(double)layout->tp,  (double)layout->pp, (double)layout->cp,
                              (double)layout->vpp, (double)layout->ep, (double)layout->dp};
    gp_buf *buf = &w->training;
    add_text(buf, gp_arena_printf(arena, "live-%s-%s", plan->workload->name, w->date));
    add_text(buf, job->type == GP_WORKLOAD_FINETUNE ? "sft" : "pretrain");
    add_text(buf, plan->workload->model.id);
    add_number(buf, job->shape->parameters / billion);
    add_number(buf, job->shape->active_parameters / billion);
    add_text(buf, plan->chosen.unit->machine.gpu->id);
    add_number(buf, gpus);
    add_text(buf, gp_precision_words[job->compute]);
    add_text(buf, plan->workload->software.framework);
    add_number(buf, job->global_batch / job->sequence_length);
    add_number(buf, (double)layout->micro_batch);
    add_number(buf, job->sequence_length);
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++)
        add_number(buf, degrees[i]);
    add_text(buf, zero_words(layout));
    add_text(buf, gp_recompute_words[layout->recompute]);
    add_number(buf, rate->p50 / gpus);
    gp_buf_str(buf, ",yes\n");
    w->has_training = true;
}

static void add_workload(writer *w, const gp_workload_plan *plan, const char *served) {
    service s;
    const gp_telemetry_reading *rate =
        gp_telemetry_reading_of(w->telemetry, "trainingRate", plan->workload->name);
    if (!plan->is_serving) {
        if (rate != NULL)
            add_training(w, plan, rate);
        else
            tell_training(w, plan);
        return;
    }
    if (plan->is_offline) {
        note(w, plan->workload->name,
             "batches have no latencies that count; calibrate from a benchmark of it");
        return;
    }
    const char *why = open_service(w, plan, served, &s);
    if (why != NULL) {
        note(w, plan->workload->name, why);
        return;
    }
    add_inference(w, &s);
    add_power(w, &s);
}

gp_status gp_telemetry_runs_of(const gp_telemetry *telemetry, const gp_plan_result *result,
                               const char *const *served, const char *date,
                               gp_telemetry_runs *ret_runs) {
    writer w = {.telemetry = telemetry, .result = result, .date = date, .runs = ret_runs};
    gp_status st = GP_OK;
    *ret_runs = (gp_telemetry_runs){.inference = NULL};
    gp_buf_init(&w.inference, telemetry->arena, CSV_MAX);
    gp_buf_init(&w.power, telemetry->arena, CSV_MAX);
    gp_buf_str(&w.inference, inference_header);
    gp_buf_str(&w.power, power_header);
    gp_buf_init(&w.training, telemetry->arena, CSV_MAX);
    gp_buf_str(&w.training, training_header);
    for (size_t i = 0; st == GP_OK && i < result->workloads.count; i++)
        add_workload(&w, &result->workloads.items[i], served[i]);
    if (w.has_inference)
        st = gp_buf_finish(&w.inference, &ret_runs->inference, NULL);
    if (st == GP_OK && w.has_training)
        st = gp_buf_finish(&w.training, &ret_runs->training, NULL);
    return st == GP_OK && w.has_power ? gp_buf_finish(&w.power, &ret_runs->power, NULL) : st;
}
