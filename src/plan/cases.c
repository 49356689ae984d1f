/*
 * One workload as the search sees it: shape, job, demand and limits, every default resolved. What
 * the spec leaves open was filled in (and marked) when it was resolved; nothing is invented here.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "model/fields.h"

static const double s_per_week = 604800; /* definition */

/* Factor of a tuning class on tuned speed, of training or of serving. */
static gp_status tuning_factor(gp_plan_context *plan, int tuning, bool serving,
                               double *ret_factor) {
    const void *row = NULL;
    gp_status st = gp_catalog_find(plan->catalog, GP_CATALOG_TUNINGS, gp_tuning_words[tuning], &row,
                                   NULL, NULL);
    if (st == GP_OK) {
        const gp_tuning_class *class = row;
        *ret_factor = serving && class->serving_factor > 0 ? class->serving_factor : class->factor;
    }
    return st;
}

double gp_plan_tuning_share(const gp_case *c, bool serving) {
    const gp_software *software = &c->workload->software;
    double tuned = 0;
    double today = 0;
    if (software->efficiency > 0 ||
        tuning_factor(c->plan, GP_TUNING_TUNED, serving, &tuned) != GP_OK ||
        tuning_factor(c->plan, software->tuning, serving, &today) != GP_OK || tuned <= 0)
        return 1;
    return today / tuned;
}

/* Share of tuned speed: the user's own efficiency, or the tuning class. */
static gp_status speed_factor(gp_plan_context *plan, const gp_software *software, bool serving,
                              double *ret_factor) {
    *ret_factor = software->efficiency;
    return software->efficiency > 0 ? GP_OK
                                    : tuning_factor(plan, software->tuning, serving, ret_factor);
}

/* Tuning that nobody stated: own runs, where there are some, stand in for it. */
static double assumed_tuning(const gp_software *software, double factor) {
    const gp_origin *origin = GP_ORIGIN_OF(software, gp_software, tuning);
    bool stated = origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
    return software->efficiency > 0 || stated ? 0 : factor;
}

gp_status gp_plan_stack(gp_plan_context *plan, const char *name, const char *release, int role,
                        const gp_stack **ret_stack) {
    const void *const *rows = NULL;
    size_t count = 0;
    *ret_stack = NULL;
    if (name == NULL)
        return GP_OK;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_STACKS, &rows, &count);
    for (size_t i = 0; st == GP_OK && i < count; i++) {
        const gp_stack *row = rows[i];
        if (!gp_str_equal_nocase(row->name, name) || row->role != role)
            continue;
        const bool same = release != NULL && gp_str_equal(row->release, release);
        if (same || *ret_stack == NULL || (release == NULL && row->order > (*ret_stack)->order))
            *ret_stack = row;
        if (same)
            break;
    }
    return st;
}

/* What an engine and its tuning say of a service. */
static gp_status apply_engine(const gp_case *c, const char *release, int role, gp_serve_job *job) {
    const gp_software *software = &c->workload->software;
    const gp_stack *stack = NULL;
    gp_status st = speed_factor(c->plan, software, true, &job->speed_factor);
    job->assumed_tuning = assumed_tuning(software, job->speed_factor);
    if (st == GP_OK)
        st = gp_plan_stack(c->plan, software->engine, release, role, &stack);
    gp_serve_apply_stack(job, stack);
    return st;
}

static double training_tokens(const gp_data *data) {
    const double once = data->tokens > 0 ? data->tokens : data->samples * data->tokens_per_sample;
    return once * (data->epochs > 0 ? data->epochs : 1);
}

/* Unpacked samples fill only part of each sequence. */
static double packing_fraction(const gp_data *data) {
    if (data->packing || data->tokens_per_sample <= 0 || data->sequence_length <= 0)
        return 1;
    return gp_num_min(1, data->tokens_per_sample / data->sequence_length);
}

static void set_train_job(const gp_case *c, gp_train_job *job) {
    const gp_workload *w = c->workload;
    const bool adapts = w->type == GP_WORKLOAD_LORA ||
                        (w->type == GP_WORKLOAD_RL && GP_GIVEN(w, gp_workload, adapter));
    *job = (gp_train_job){
        .shape = &c->out->shape,
        .workload = w,
        .type = w->type != GP_WORKLOAD_RL ? w->type
                : adapts                  ? GP_WORKLOAD_LORA
                                          : GP_WORKLOAD_FINETUNE,
        .tokens = training_tokens(&w->data),
        .sequence_length = w->data.sequence_length,
        .global_batch = w->data.global_batch,
        .packing_fraction = packing_fraction(&w->data),
        .attention_length = w->data.packing ? w->data.tokens_per_sample : 0,
        .length_cv = w->data.packing ? 0 : c->plan->constants->plan_sample_cv,
        .compute = (gp_precision)w->precision.compute,
        .weights = GP_FORMAT_BF16,
        .gradients = (gp_format)w->precision.gradients,
        .optimizer = (gp_optimizer)w->precision.optimizer,
    };
    if (w->method.kind == GP_METHOD_DPO && !w->method.cached)
        job->frozen = &c->out->shape;
    if (w->method.kind == GP_METHOD_DISTILLATION && !w->method.cached)
        job->frozen = &c->out->frozen;
    if (!adapts)
        return;
    job->adapter_parameters = gp_adapter_parameters(&c->out->shape, &w->adapter);
    if (w->adapter.rank > 0)
        job->adapter_width = job->adapter_parameters / (double)w->adapter.rank;
    job->adapter_inputs = gp_adapter_inputs(&c->out->shape, &w->adapter);
    job->adapter_matrices = gp_adapter_matrices(&c->out->shape, &w->adapter);
    job->adapter_dora = w->adapter.method == GP_ADAPTER_DORA;
    if (w->adapter.method == GP_ADAPTER_QLORA)
        job->weights = (gp_format)w->adapter.base;
}

/* Forward passes over held-out tokens, as a share of the training between two of them. */
static double evaluation_fraction(const gp_case *c, const gp_train_job *job) {
    const gp_evaluation_spec *evaluation = &c->workload->evaluation;
    const double passes = job->type == GP_WORKLOAD_LORA ? 2 : 3;
    return evaluation->every > 0 ? evaluation->tokens / evaluation->every / passes : 0;
}

/* One pass as it is stored. */
static double stored_bytes(const gp_case *c, const gp_train_job *job) {
    const gp_data *data = &c->workload->data;
    const double epochs = data->epochs > 0 ? data->epochs : 1;
    return data->stored_bytes > 0 ? data->stored_bytes
           : c->out->is_rl        ? 0
                                  : job->tokens / epochs * c->plan->constants->run_token_bytes;
}

/* Fine-tuning data is held whole and read at every start; pre-training reads it as it goes. */
static double data_bytes(const gp_case *c, const gp_train_job *job) {
    return job->type == GP_WORKLOAD_TRAINING || c->out->is_rl ? 0 : stored_bytes(c, job);
}

/* Weights that training starts from. */
static double base_bytes(const gp_case *c, const gp_train_job *job) {
    return job->type == GP_WORKLOAD_TRAINING
               ? 0
               : gp_weights_bytes(job->shape, c->plan->constants, job->weights, 0);
}

static bool spares_stated(const gp_reserve *reserve) {
    const gp_origin *origin = GP_ORIGIN_OF(reserve, gp_reserve, spare_nodes);
    return origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
}

/* Where pools stand, what they had free for it; else as many as are bought. */
static int64_t spares_kept(const gp_plan_context *plan, size_t unit) {
    const gp_cluster *cluster = &gp_plan_spec_at(plan, unit)->cluster;
    int64_t kept = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        kept += plan->units[u].site == plan->units[unit].site ? plan->units[u].spare_nodes : 0;
    return cluster->pools.count > 0 ? kept : cluster->reserve.spare_nodes;
}

/* The fastest storage of the cluster carries checkpoints and what a start reads. */
void gp_plan_run_input(const gp_case *c, size_t unit, gp_run_input *ret) {
    const gp_cluster *cluster = &gp_plan_spec_at(c->plan, unit)->cluster;
    *ret = c->run;
    ret->link = gp_plan_link(c->plan->result, c->workload, &c->plan->units[unit]);
    if (c->plan->units[unit].is_spot)
        ret->interrupted_every_s = c->plan->spec->candidates.spot_interrupted_s;
    if (c->plan->units[unit].cloud == NULL && cluster->maintenance.every_s > 0)
        ret->maintenance = &cluster->maintenance;
    ret->spares_given = spares_stated(&cluster->reserve);
    ret->spare_nodes = spares_kept(c->plan, unit);
    for (size_t i = 0; i < cluster->storage.count; i++) {
        const gp_storage *storage = &cluster->storage.items[i];
        if (storage->write_bytes_per_s > ret->storage_write_bytes_per_s) {
            ret->storage_write_bytes_per_s = storage->write_bytes_per_s;
            ret->write_storage = storage;
        }
        if (storage->read_bytes_per_s > ret->storage_read_bytes_per_s) {
            ret->storage_read_bytes_per_s = storage->read_bytes_per_s;
            ret->read_storage = storage;
        }
    }
}

/* Steps, checkpoints, and what a start reads. */
static void set_run(gp_case *c, const gp_train_job *job) {
    const gp_constants *k = c->plan->constants;
    const gp_run_spec *run = &c->workload->run;
    const bool lora = job->type == GP_WORKLOAD_LORA;
    c->run = (gp_run_input){
        .steps = c->out->is_rl ? c->workload->rl.steps
                               : job->tokens / (job->global_batch * job->packing_fraction),
        .checkpoint_bytes = gp_checkpoint_bytes(job, k),
        .interval_s = c->workload->checkpoint.interval_s,
        .start_bytes = base_bytes(c, job) + data_bytes(c, job),
        .moved_bytes = base_bytes(c, job) + stored_bytes(c, job),
        .loaded_bytes = (lora ? base_bytes(c, job) : 0) + data_bytes(c, job),
        .evaluation_fraction = evaluation_fraction(c, job),
        .start_s = run->start_s,
        .restart_s = run->restart_s,
        .gpu_mttf_s = run->gpu_mttf_s,
        .preempted_every_s = run->preempted_every_s,
        .workload = c->workload,
    };
}

static double time_at_rate(const gp_goal *goal, double tokens) {
    const double rate = goal->throughput_tokens_per_s;
    return rate > 0 ? tokens / rate : 0;
}

/* The wall time that all forms of the goal allow; a run that only comes back has until the next. */
static double deadline_of(const gp_goal *goal, double tokens) {
    const double limits[] = {goal->complete_within_s, goal->max_duration_s,
                             time_at_rate(goal, tokens)};
    double least = HUGE_VAL;
    for (size_t i = 0; i < GP_COUNT_OF(limits); i++)
        least = limits[i] > 0 ? gp_num_min(least, limits[i]) : least;
    return isfinite(least) ? least : goal->every_s;
}

static gp_status init_training(gp_case *c, gp_train_job *job) {
    const gp_workload *w = c->workload;
    set_train_job(c, job);
    set_run(c, job);
    c->demand.deadline_s = deadline_of(&w->goal, job->tokens);
    if (gp_num_near(c->demand.deadline_s, time_at_rate(&w->goal, job->tokens)))
        c->demand.rated_tokens = job->tokens;
    c->slots_min = gp_num_max_i64(1, w->jobs.concurrent);
    c->slots_per_week = w->goal.every_s > 0 ? s_per_week / w->goal.every_s : w->jobs.per_week;
    c->out->has_goal = c->demand.deadline_s > 0;
    const gp_stack *stack = NULL;
    gp_status st = speed_factor(c->plan, &w->software, false, &job->speed_factor);
    job->assumed_tuning = assumed_tuning(&w->software, job->speed_factor);
    if (st == GP_OK)
        st = gp_plan_stack(c->plan, w->software.framework, w->software.release,
                           (int)GP_STACK_TRAINING, &stack);
    gp_train_apply_stack(job, stack);
    /* Without a framework the plan rests on the reference, Megatron: what that launches. */
    job->rules = stack != NULL                   ? stack->rules
                 : w->software.framework == NULL ? GP_RULES_MEGATRON
                                                 : GP_RULES_NONE;
    c->stack = stack;
    return st;
}

/* Of two lengths that do not hang on each other, the first with another spread than it states. */
static double spread_of_sum(const gp_length *a, double a_cv2, const gp_length *b) {
    const double mean = a->mean + b->mean;
    return mean > 0 ? (a_cv2 * a->mean * a->mean + b->cv2 * b->mean * b->mean) / (mean * mean) : 0;
}

/* Percentiles that nobody stated stay within what the model takes beside the other tokens of a
 * request; limit 0: there is none. */
static void keep_within(double limit, double others, gp_length *length) {
    const double most = gp_num_max(limit - others, length->mean);
    if (!(limit > 0) || length->told)
        return;
    length->p95 = gp_num_min(length->p95, most);
    length->p99 = gp_num_min(length->p99, most);
}

static void set_lengths(const gp_workload *w, const gp_trace_profile *trace, const gp_constants *k,
                        double images, gp_serve_job *job) {
    const gp_traffic *t = &w->traffic;
    gp_length input =
        gp_length_of(&t->input_tokens, k->plan_length_p95_of_mean, k->plan_length_p99_of_mean);
    gp_length output =
        gp_length_of(&t->output_tokens, k->plan_output_p95_of_mean, k->plan_output_p99_of_mean);
    if (trace != NULL && input.mean <= 0)
        input = trace->input;
    if (trace != NULL && output.mean <= 0)
        output = trace->output;
    const gp_length thought =
        gp_length_of(&t->thought_tokens, k->plan_output_p95_of_mean, k->plan_output_p99_of_mean);
    const double written = output.mean + thought.mean;
    job->input_tokens = input.mean + images;
    job->output_tokens = written;
    const double context = (double)gp_serve_longest_tokens(job);
    keep_within(context, images + written, &input);
    keep_within(context, images + input.mean + thought.mean, &output);
    job->input_p95 = input.p95 + images;
    job->input_p99 = input.p99 + images;
    const double spread = k->serving_input_cv * k->serving_input_cv;
    const gp_length images_too = {.mean = images}; /* on top, the same for all */
    job->input_cv2 = spread_of_sum(&input, input.told ? input.cv2 : spread, &images_too);
    job->output_cv2 = spread_of_sum(&output, output.cv2, &thought);
    job->output_p95 = output.p95 + thought.p95;
    job->output_p99 = output.p99 + thought.p99;
}

static void write_one(gp_serve_job *job) {
    job->output_tokens = job->output_p95 = job->output_p99 = 1;
}

/* One pool of a service whose other pool is planned elsewhere: prefill hands over after the first
 * token, decode takes prompts with their caches. */
static void set_pool(const gp_workload *w, gp_serve_job *job) {
    job->prefilled = gp_str_equal(w->disaggregated, "decode");
    if (gp_str_equal(w->disaggregated, "prefill"))
        write_one(job);
}

/* A service that writes nothing answers with its prompt's pass. */
static void set_reading(gp_case *c, gp_serve_job *job) {
    const gp_distribution *output = &c->workload->traffic.output_tokens;
    job->reads_only = GP_GIVEN(output, gp_distribution, mean) && !(output->mean > 0);
    if (!job->reads_only)
        return;
    c->split_mode = GP_SPLIT_NEVER;
    write_one(job);
}

/* A job that ends: the rate that its deadline asks for, without peaks, prefill and decode together.
 */
static void set_offline(gp_case *c, const gp_serve_job *job) {
    const gp_workload *w = c->workload;
    c->offline = true;
    c->split_mode = GP_SPLIT_NEVER;
    c->demand.deadline_s =
        deadline_of(&w->goal, w->traffic.requests * gp_serve_counted_tokens(job));
    c->demand.requests_per_s = w->traffic.requests / c->demand.deadline_s;
    c->out->traffic = (gp_traffic_plan){.mean_per_s = c->demand.requests_per_s,
                                        .peak_per_s = c->demand.requests_per_s,
                                        .minute_factor = 1,
                                        .weekend_fraction = 1};
    for (int h = 0; h < GP_DAY_HOURS; h++)
        c->out->traffic.hour_factors[h] = 1;
    c->out->is_offline = true;
}

/* Tokens per second that the goal asks for are planned like a stated peak where they are more than
 * the traffic takes. */
static void ask_throughput(gp_case *c, const gp_serve_job *job) {
    gp_traffic_plan *traffic = &c->out->traffic;
    const double tokens = gp_serve_counted_tokens(job);
    const double asked = tokens > 0 ? c->workload->goal.throughput_tokens_per_s / tokens : 0;
    traffic->of_goal = asked > c->demand.requests_per_s;
    if (!traffic->of_goal)
        return;
    if (traffic->mean_per_s > 0)
        gp_traffic_peak(traffic, asked);
    c->demand.requests_per_s = asked;
}

/* The images and videos of a mean request, one after the other. */
static void add_images(const gp_vision *vision, const gp_images *images, gp_image_cost *sum) {
    const double width = (double)(images->width > 0 ? images->width : images->edge);
    const double height = (double)(images->height > 0 ? images->height : images->edge);
    gp_image_cost each;
    if (images->per_request <= 0 ||
        !gp_image_cost_of(vision, width, height, (double)images->frames, &each))
        return;
    const double patches = images->per_request * each.patches;
    sum->attended =
        (sum->patches * sum->attended + patches * each.attended) / (sum->patches + patches);
    sum->patches += patches;
    sum->tokens += images->per_request * each.tokens;
    sum->keys += images->per_request * each.keys;
}

/* The formats of engines that compute in what they keep. */
static gp_precision rollout_precision(int weights) {
    return weights == GP_FORMAT_FP8 || weights == GP_FORMAT_FP8_BLOCK ? GP_PRECISION_FP8
           : weights == GP_FORMAT_NVFP4                               ? GP_PRECISION_FP4
                                                                      : GP_PRECISION_BF16;
}

static gp_rl_lengths rl_lengths(const gp_rl_spec *rl, const gp_constants *k) {
    const gp_distribution *d = &rl->response_tokens;
    const gp_length length = gp_length_of(d, 0, 0);
    const bool told = d->p50 > 0 || d->p95 > 0 || d->p99 > 0;
    return (gp_rl_lengths){
        .mean = d->mean,
        .spread = told && length.cv2 > 0 ? sqrt(gp_num_log(1 + length.cv2)) : k->rl_response_spread,
        .most = d->peak,
        .runaway_fraction = told ? 0 : k->rl_response_runaway_fraction,
    };
}

static gp_status rl_shapes(gp_case *c) {
    const gp_rl_spec *rl = &c->workload->rl;
    const gp_constants *k = c->plan->constants;
    gp_status st = GP_OK;
    if (rl->critic.layers > 0)
        st = gp_shape_derive(&rl->critic, k, NULL, &c->out->critic);
    if (st == GP_OK && rl->reward.model.layers > 0)
        st = gp_shape_derive(&rl->reward.model, k, NULL, &c->out->reward);
    return st;
}

/* What generates is a service that is called in place, with the lengths of a step. */
static gp_status init_rl(gp_case *c) {
    const gp_workload *w = c->workload;
    const gp_rl_spec *rl = &w->rl;
    gp_workload_plan *out = c->out;
    out->serve = (gp_serve_job){
        .shape = &out->shape,
        .compute = rollout_precision(w->precision.weights),
        .weights = (gp_format)w->precision.weights,
        .quantized_fraction = 1,
        .kv_cache = (gp_format)w->precision.kv_cache,
        .input_tokens = rl->prompt_tokens.mean,
        .output_tokens = rl->response_tokens.mean,
        .branches = 1,
        .direct = true,
    };
    out->rl = (gp_rl_job){
        .sequences = rl->prompts_per_step * rl->samples_per_prompt,
        .samples = rl->samples_per_prompt,
        .drawn_factor = rl->drawn_factor,
        .prompt_tokens = rl->prompt_tokens.mean,
        .response = rl_lengths(rl, c->plan->constants),
        .updates = rl->updates_per_step,
        .reads_policy = rl->reads_policy,
        .lag = (double)rl->lag,
        .verify_s = rl->reward.cpu_s,
        .tool_turns = gp_num_max(rl->turns, 1) - 1,
    };
    out->rl.tool_tokens = out->rl.tool_turns * rl->tool_tokens;
    out->rl.tool_s = out->rl.tool_turns * rl->tool_s;
    out->serve.input_tokens += 0.5 * out->rl.tool_tokens;
    gp_rl_prepare(&out->rl);
    gp_status st = rl_shapes(c);
    st = st == GP_OK ? init_training(c, &out->train) : st;
    out->serve.adapters = out->train.type == GP_WORKLOAD_LORA ? 1 : 0;
    out->serve.adapter_parameters = out->train.adapter_parameters;
    const char *release = w->software.framework == NULL ? w->software.release : NULL;
    return st == GP_OK ? apply_engine(c, release, (int)GP_STACK_SERVING, &out->serve) : st;
}

/* Sound is heard window by window: all of them go through the encoder, and the decoder reads one at
 * a time. */
static void add_sound(const gp_model *model, const gp_audio *audio, gp_image_cost *sum) {
    const gp_speech *speech = &model->speech;
    if (!(speech->window_s > 0) || !(audio->per_request_s > 0))
        return;
    const double windows = (double)gp_num_ceil_count(audio->per_request_s / speech->window_s);
    sum->tokens = 1;
    sum->patches = windows * (double)speech->positions;
    sum->attended = (double)speech->positions;
    sum->keys = (double)speech->positions;
}

static int largest_first(const void *a, const void *b, const void *context) {
    const double left = *(const double *)a, right = *(const double *)b;
    (void)context;
    return left > right ? -1 : left < right;
}

/* Shares of the requests that the adapters take which are asked for most. */
static void set_adapter_rates(gp_case *c, gp_serve_job *job) {
    const gp_traffic *t = &c->workload->traffic;
    gp_arena *arena = c->plan->arena;
    double *shares = GP_NEW_ARRAY(arena, double, t->adapter_rates.count + 1);
    double sum = 0;
    for (size_t i = 0; i < t->adapter_rates.count; i++)
        shares[i] = t->adapter_rates.items[i];
    gp_sort(arena, shares, t->adapter_rates.count, sizeof *shares, largest_first, NULL);
    for (size_t i = 0; i < t->adapter_rates.count; i++)
        shares[i] = sum += shares[i];
    for (size_t i = 0; i < t->adapter_rates.count; i++)
        shares[i] /= sum;
    job->adapter_shares = t->adapter_rates.count > 0 ? shares : NULL;
}

static void set_serve_job(const gp_case *c, const gp_image_cost *images, gp_serve_job *job) {
    const gp_workload *w = c->workload;
    const gp_traffic *t = &w->traffic;
    *job = (gp_serve_job){
        .shape = &c->out->shape,
        .workload = w,
        .compute = (gp_precision)w->precision.compute,
        .weights = (gp_format)w->precision.weights,
        .quantized_fraction = w->model.weights.quantized_fraction,
        .kv_cache = (gp_format)w->precision.kv_cache,
        .branches = (double)gp_num_max_i64(1, t->branches),
        .prefix_hit_fraction = t->prefix_hit_fraction,
        .image_tokens = images->tokens,
        .image_patches = images->patches,
        .image_attended = images->attended,
        .image_keys = images->keys,
        .adapters = t->adapters,
        .resident_adapters = t->resident_adapters,
        .adapter_parameters = GP_GIVEN(w, gp_workload, adapter)
                                  ? gp_adapter_parameters(&c->out->shape, &w->adapter)
                                  : 0,
        .draft_tokens = (double)w->speculative.tokens,
        .draft_acceptance_fraction = w->speculative.acceptance_fraction,
        .draft_cost_fraction = w->speculative.draft_cost_fraction,
    };
}

static gp_status init_serving(gp_case *c, gp_serve_job *job) {
    const gp_workload *w = c->workload;
    const gp_traffic *t = &w->traffic;
    gp_image_cost images = {0};
    add_images(&w->model.vision, &t->images, &images);
    add_images(&w->model.vision, &t->videos, &images);
    add_sound(&w->model, &t->audio, &images);
    set_serve_job(c, &images, job);
    gp_trace_profile shape;
    const gp_trace_profile *trace = t->profile.trace != NULL ? &shape : NULL;
    gp_status st = trace != NULL ? gp_trace_profile_of(c->plan, t->profile.trace, &shape) : GP_OK;
    if (st != GP_OK)
        return st;
    set_lengths(w, trace, c->plan->constants, images.tokens, job);
    set_pool(w, job);
    set_reading(c, job);
    gp_traffic_of(w, trace, c->plan->constants, &c->out->traffic);
    c->demand.requests_per_s = c->out->traffic.peak_per_s;
    c->demand.traffic_factor = 1;
    if (t->requests > 0)
        set_offline(c, job);
    else
        ask_throughput(c, job);
    c->out->demand_requests_per_s = c->demand.requests_per_s;
    c->out->demand_peak_to_mean = c->out->traffic.peak_to_mean;
    c->out->has_goal = c->demand.requests_per_s > 0;
    gp_item_of(&c->out->shape, t, &job->item);
    set_adapter_rates(c, job);
    return apply_engine(c, w->software.release, (int)gp_engine_role(&w->model), job);
}

/* Seats are held by people: nothing of them is estimated. */
static void init_seats(gp_case *c) {
    gp_traffic_of(c->workload, NULL, c->plan->constants, &c->out->traffic);
    c->demand.requests_per_s = c->out->traffic.peak_per_s;
    c->demand.traffic_factor = 1;
    c->out->demand_requests_per_s = c->demand.requests_per_s;
    c->out->serve = (gp_serve_job){.branches = 1, .output_tokens = 1};
    c->out->has_goal = true;
    c->out->is_seats = true;
}

double gp_plan_error(const gp_case *c, size_t unit) {
    const gp_constants *k = c->plan->constants;
    if (c->out->is_seats)
        return 0;
    if (c->out->is_rl)
        return gp_rl_band(&c->out->rl, k);
    return c->out->is_serving
               ? gp_serve_band(&c->out->serve, &c->plan->units[unit].machine, k)
               : gp_train_band(&c->out->train, &c->plan->units[unit].machine, NULL, k);
}

gp_band gp_plan_band(double expected, double margin) {
    return (gp_band){
        .expected = expected,
        .low = expected / (1 + margin),
        .high = expected * (1 + margin),
    };
}

double gp_plan_margin(const gp_case *c, double error_fraction, gp_confidence confidence) {
    const gp_constants *k = c->plan->constants;
    if (confidence == GP_CONFIDENCE_EXPECTED)
        return 0;
    /* A run that is launched as planned has the plan's recomputation and batch. */
    const double band =
        c->out->is_serving ? error_fraction : gp_train_run_band(error_fraction, true, true, k);
    return confidence == GP_CONFIDENCE_P90 ? band : gp_band_fifth(band, k);
}

double gp_plan_ttft_margin(const gp_case *c) {
    return c->out->is_seats
               ? 0
               : gp_plan_margin(c, gp_serve_ttft_band(&c->out->serve, c->plan->constants),
                                c->confidence);
}

gp_serve_job gp_plan_serve_job(const gp_case *c, size_t unit, const gp_machine *machine) {
    gp_serve_job job = c->out->serve;
    job.link = gp_plan_link(c->plan->result, c->workload, &c->plan->units[unit]);
    if (machine->efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    return job;
}

gp_unit_capability *gp_capabilities_new(const gp_plan_context *plan) {
    return GP_NEW_ARRAY(plan->arena, gp_unit_capability, plan->unit_count + 1);
}

size_t gp_plan_twin(const gp_case *c, size_t unit) {
    return c->workload->placement.home != NULL ? unit : c->plan->twins[unit];
}

gp_unit_capability *gp_capability_of(const gp_case *c, size_t unit) {
    return &c->units[gp_plan_twin(c, unit)];
}

void gp_capabilities_open(const gp_case *c, gp_unit_capability *unit) {
    gp_arena *arena = c->plan->arena;
    const bool rl = c->workload->type == GP_WORKLOAD_RL;
    if ((c->out->is_serving || rl) && unit->serve == NULL) {
        unit->serve = GP_NEW_ARRAY(arena, gp_serve_capability, GP_PLAN_LAYOUTS_MAX);
        unit->split = GP_NEW_ARRAY(arena, gp_split_capability, GP_PLAN_SPLITS_MAX);
    }
    if ((!c->out->is_serving || rl) && unit->train == NULL)
        unit->train = GP_NEW_ARRAY(arena, gp_train_capability, GP_PLAN_COUNTS_MAX);
    if (rl && unit->learn == NULL)
        unit->learn = GP_NEW_ARRAY(arena, gp_train_capability, GP_PLAN_COUNTS_MAX);
}

void gp_capabilities_forget(const gp_plan_context *plan, gp_unit_capability *units) {
    for (size_t u = 0; u < plan->unit_count; u++)
        units[u] = (gp_unit_capability){.train = units[u].train,
                                        .learn = units[u].learn,
                                        .serve = units[u].serve,
                                        .split = units[u].split};
}

int64_t gp_pinned(const gp_case *c, int64_t declared) {
    return c->pinned ? declared : 0;
}

bool gp_layout_declared(const gp_parallelism *p) {
    return p->tp > 0 || p->pp > 0 || p->dp > 0 || p->cp > 0 || p->ep > 0 || p->vpp > 0 ||
           p->micro_batch > 0 || p->shard_group > 0 || GP_GIVEN(p, gp_parallelism, zero);
}

void gp_case_declare(gp_case *c) {
    const gp_workload *w = c->workload;
    c->pinned = gp_layout_declared(&w->parallelism) ||
                gp_layout_declared(&w->prefill.parallelism) ||
                gp_layout_declared(&w->decode.parallelism);
    c->counted = c->plan->options->declared_only && gp_case_stands(c);
    /* Those that are counted do both, unless pools are asked for. */
    if (c->counted && w->replicas > 0 && c->split_mode == GP_SPLIT_AUTO)
        c->split_mode = GP_SPLIT_NEVER;
}

bool gp_case_stands(const gp_case *c) {
    const gp_workload *w = c->workload;
    return w->replicas > 0 || w->prefill.replicas > 0 || w->decode.replicas > 0;
}

static gp_split_mode split_mode_of(const gp_workload *workload) {
    if (gp_str_equal(workload->disaggregated, "true"))
        return GP_SPLIT_ALWAYS;
    return gp_str_equal(workload->disaggregated, "auto") ? GP_SPLIT_AUTO : GP_SPLIT_NEVER;
}

static gp_demand_kind kind_of(const gp_case *c) {
    const gp_workload *w = c->workload;
    if (c->out->is_serving && !c->offline)
        return GP_DEMAND_CONTINUOUS;
    if (w->goal.every_s > 0)
        return GP_DEMAND_RECURRING;
    if (w->jobs.per_week > 0 || w->jobs.concurrent > 1)
        return GP_DEMAND_CONCURRENT;
    return w->goal.complete_within_s > 0 ? GP_DEMAND_DEADLINE : GP_DEMAND_OPEN;
}

/* A reward model has one number in place of the words at its end. */
static void score_in_place_of_words(gp_shape *shape) {
    const double words = shape->head_parameters;
    shape->parameters -= shape->model->tied ? 0 : words - shape->hidden;
    shape->active_parameters -= words - shape->hidden;
    shape->linear_parameters -= words - shape->hidden;
    shape->head_parameters = shape->hidden;
    shape->vocab = 1;
}

static gp_status method_shapes(const gp_workload *w, const gp_constants *k, gp_workload_plan *out) {
    if (w->method.kind == GP_METHOD_REWARD_MODEL)
        score_in_place_of_words(&out->shape);
    return w->method.kind == GP_METHOD_DISTILLATION
               ? gp_shape_derive(&w->method.teacher, k, NULL, &out->frozen)
               : GP_OK;
}

/* No more seats are kept free than there are people who could come. */
static double headroom_of(const gp_workload *workload, double asked) {
    const gp_seats *seats = &workload->seats;
    return gp_seats_counted(workload)
               ? gp_num_min(asked, (double)seats->people / (double)seats->at_once - 1)
               : asked;
}

gp_status gp_plan_case_init(gp_plan_context *plan, const gp_workload *workload,
                            gp_workload_plan *out, gp_case *ret_case) {
    const gp_defaults *defaults = &plan->spec->defaults;
    *ret_case = (gp_case){
        .plan = plan,
        .out = out,
        .workload = workload,
        .team = gp_team_named(plan->spec, workload->team),
        .gpu_headroom_fraction = headroom_of(workload, defaults->headroom.gpus_fraction),
        .memory_headroom_fraction = defaults->headroom.memory_fraction,
        .confidence = (gp_confidence)defaults->confidence,
        .exclusive = workload->placement.exclusive,
        .split_mode = split_mode_of(workload),
    };
    gp_case_declare(ret_case);
    out->workload = workload;
    const bool seats = workload->type == GP_WORKLOAD_SEATS;
    out->is_serving = workload->type == GP_WORKLOAD_INFERENCE || seats;
    out->is_rl = workload->type == GP_WORKLOAD_RL;
    gp_status st =
        seats ? GP_OK : gp_shape_derive(&workload->model, plan->constants, NULL, &out->shape);
    if (st != GP_OK)
        return st;
    st = method_shapes(workload, plan->constants, out);
    if (st != GP_OK)
        return st;
    ret_case->units = gp_capabilities_new(plan);
    if (seats)
        init_seats(ret_case);
    else
        st = out->is_serving ? init_serving(ret_case, &out->serve)
             : out->is_rl    ? init_rl(ret_case)
                             : init_training(ret_case, &out->train);
    ret_case->kind = kind_of(ret_case);
    /* Those that no rack takes, or that nothing is chosen on while nothing, or one kind alone, is
     * bought, or shares are stated, may be searched first within memory that is given back. */
    const bool narrow = plan->options->owned_only || plan->options->only != NULL ||
                        workload->placement.shares.count > 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].is_barred || narrow)
            gp_capabilities_open(ret_case, gp_capability_of(ret_case, u));
    return st;
}

gp_case gp_case_times(const gp_case *c, double factor) {
    gp_case more = *c;
    more.held = NULL;
    if (c->out->is_serving) {
        more.demand.requests_per_s *= factor;
        more.demand.traffic_factor *= factor;
    } else if (c->workload->jobs.per_week > 0) {
        more.slots_per_week *= factor;
    } else {
        more.run.steps *= factor;
    }
    return more;
}

void gp_case_ask(gp_case *c, const gp_plan_more *more) {
    c->is_left_out = more->times <= 0;
    if (c->is_left_out)
        return;
    *c = gp_case_times(c, more->times);
    if (more->runs > 0)
        c->slots_min = more->runs;
    c->out->demand_requests_per_s = c->demand.requests_per_s;
}

/* Priority first, then what cannot wait; the name only so that the order in the file does not
 * matter. */
static int by_priority(const void *a, const void *b, const void *context) {
    const gp_plan_context *plan = context;
    const gp_case *one = &plan->cases[*(const size_t *)a];
    const gp_case *other = &plan->cases[*(const size_t *)b];
    const gp_workload *left = one->workload;
    const gp_workload *right = other->workload;
    if (left->priority != right->priority)
        return left->priority > right->priority ? -1 : 1;
    if (one->kind != other->kind &&
        (one->kind == GP_DEMAND_CONTINUOUS || other->kind == GP_DEMAND_CONTINUOUS))
        return one->kind == GP_DEMAND_CONTINUOUS ? -1 : 1;
    return gp_str_compare(left->name, right->name);
}

static int64_t most_gpus(const gp_plan_context *plan) {
    int64_t most = 1;
    for (size_t u = 0; u < plan->unit_count; u++)
        most = gp_num_max_i64(most, plan->units[u].machine.gpus);
    return most;
}

void gp_plan_order(gp_plan_context *plan) {
    const size_t count = plan->case_count;
    const size_t gpus = (size_t)most_gpus(plan) + 1;
    plan->order = GP_NEW_ARRAY(plan->arena, size_t, count + 1);
    plan->classes = GP_NEW_ARRAY(plan->arena, size_t, count + 1);
    plan->pieces = GP_NEW_ARRAY(plan->arena, int64_t, gpus);
    plan->left = GP_NEW_ARRAY(plan->arena, int64_t, gpus);
    plan->claim_count = count * plan->place_count;
    plan->lists = GP_NEW_ARRAY(plan->arena, size_t, 3 * plan->claim_count + 1);
    plan->turns = GP_NEW_ARRAY(plan->arena, gp_turn_group, plan->claim_count + 1);
    plan->started = GP_NEW_ARRAY(plan->arena, int64_t, plan->claim_count + 1);
    for (size_t i = 0; i < count; i++)
        plan->order[i] = i;
    gp_sort(plan->arena, plan->order, count, sizeof *plan->order, by_priority, plan);
    for (size_t k = 0; k < count; k++) {
        const bool first = k == 0 || plan->cases[plan->order[k]].workload->priority !=
                                         plan->cases[plan->order[k - 1]].workload->priority;
        plan->class_count += first ? 1 : 0;
        plan->classes[plan->order[k]] = plan->class_count - 1;
        plan->cases[plan->order[k]].rank = k;
    }
}
