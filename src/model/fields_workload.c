/* Descriptor tables of workloads: data, goals, precision, layout, traffic. */
#include "catalog/fields.h"
#include "catalog/words.h"
#include "model/fields.h"

static const gp_field batch_range_fields[] = {
    GP_QUANTITY(gp_batch_range, "min", min, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED, .help = "Fewest tokens."),
    GP_QUANTITY(gp_batch_range, "max", max, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED, .help = "Most tokens."),
};

static const gp_struct batch_range_type =
    GP_TYPE(gp_batch_range, batch_range_fields, .name = "batchRange",
            .help = "Tokens of one optimizer step that will do.");

static const gp_field data_fields[] = {
    GP_QUANTITY(gp_data, "tokens", tokens, GP_DIM_COUNT, GP_ABOVE(0, 1e18),
                .flags = GP_FIELD_SUFFIX, .help = "Tokens of one pass over the data."),
    GP_QUANTITY(gp_data, "samples", samples, GP_DIM_COUNT, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_SUFFIX, .help = "Samples of one pass, in place of tokens."),
    GP_QUANTITY(gp_data, "tokensPerSample", tokens_per_sample, GP_DIM_COUNT, GP_ABOVE(0, 1e9),
                .flags = GP_FIELD_SUFFIX, .help = "Mean tokens of one sample."),
    GP_QUANTITY(gp_data, "size", stored_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e18),
                .help = "The data of one pass as it is stored; by its tokens where absent."),
    GP_QUANTITY(gp_data, "epochs", epochs, GP_DIM_NONE, GP_ABOVE(0, 1e4), .default_text = "1",
                .help = "Passes over the data."),
    GP_BOOL(gp_data, "packing", packing, .default_text = "true",
            .help = "Several samples share one sequence."),
    GP_QUANTITY(gp_data, "sequenceLength", sequence_length, GP_DIM_COUNT, GP_ABOVE(0, 1e8),
                .flags = GP_FIELD_SUFFIX,
                .help = "Tokens of one training sequence; 8192, 4096 or 2048 where absent, for "
                        "training, finetune and lora."),
    GP_QUANTITY(gp_data, "globalBatch", global_batch, GP_DIM_COUNT, GP_ABOVE(0, 1e12),
                .flags = GP_FIELD_SUFFIX,
                .help = "Tokens of one optimizer step; binds where stated. 4M, 512k or 128k where "
                        "absent, for training, finetune and lora, and larger on thousands of GPUs; "
                        "then a quarter more or less will do."),
    GP_STRUCT(gp_data, "globalBatchRange", global_batch_range, gp_batch_range, batch_range_type,
              .help = "Tokens of one optimizer step that will do, in place of globalBatch."),
};

const gp_struct gp_data_type =
    GP_TYPE(gp_data, data_fields, .name = "data", .help = "What a model is trained on.");

static const gp_field slo_fields[] = {
    GP_STRUCT(gp_slo, "ttft", ttft_s, gp_distribution, gp_latency_distribution_type,
              .help = "Time to the first token."),
    GP_STRUCT(gp_slo, "tpot", tpot_s, gp_distribution, gp_latency_distribution_type,
              .help = "Time per further output token."),
    GP_STRUCT(gp_slo, "e2e", e2e_s, gp_distribution, gp_latency_distribution_type,
              .help = "Time of the whole request."),
    GP_QUANTITY(gp_slo, "availability", availability, GP_DIM_FRACTION, GP_RANGE(0, 0.999999999),
                .help = "Share of time the service must be up."),
};

static const gp_struct slo_type =
    GP_TYPE(gp_slo, slo_fields, .name = "slo", .help = "What requests are promised.");

static const gp_field goal_fields[] = {
    GP_QUANTITY(gp_goal, "completeWithin", complete_within_s, GP_DIM_TIME, GP_ABOVE(0, 1e10),
                .help = "Wall time in which the whole run must end."),
    GP_QUANTITY(gp_goal, "every", every_s, GP_DIM_TIME, GP_ABOVE(0, 1e10),
                .help = "How often the run starts."),
    GP_QUANTITY(gp_goal, "maxDuration", max_duration_s, GP_DIM_TIME, GP_ABOVE(0, 1e10),
                .help = "Longest wall time of one run."),
    GP_STRUCT(gp_goal, "slo", slo, gp_slo, slo_type, .help = "What requests are promised."),
    GP_QUANTITY(gp_goal, "throughput", throughput_tokens_per_s, GP_DIM_PER_S, GP_ABOVE(0, 1e15),
                .help = "Tokens per second: generated (inference) or trained."),
};

static const gp_struct goal_type =
    GP_TYPE(gp_goal, goal_fields, .name = "goal", .help = "What a workload must achieve.");

static const gp_field precision_fields[] = {
    GP_ENUM(gp_precision_spec, "compute", compute, gp_precision_words,
            .aliases = gp_precision_aliases, .help = "Precision of the matrix products."),
    GP_ENUM(gp_precision_spec, "gradients", gradients, gp_format_words,
            .aliases = gp_format_aliases, .default_text = "fp32",
            .help = "Format gradients are summed in."),
    GP_ENUM(gp_precision_spec, "optimizer", optimizer, gp_optimizer_words, .default_text = "adamw",
            .help = "Optimizer and the format of its state."),
    GP_ENUM(gp_precision_spec, "weights", weights, gp_format_words, .aliases = gp_format_aliases,
            .help = "Format the weights are kept in."),
    GP_ENUM(gp_precision_spec, "kvCache", kv_cache, gp_format_words, .aliases = gp_format_aliases,
            .default_text = "bf16", .help = "Format of the key-value cache."),
};

static const gp_struct precision_type =
    GP_TYPE(gp_precision_spec, precision_fields, .name = "precision", .scalar_key = "compute",
            .help = "Number formats; a bare word is compute.");

static const char *const parallelism_modes[] = {"auto", "explicit", NULL};

#define DEGREE(name, member, most, text)                                                           \
    GP_COUNT(gp_parallelism, name, member, GP_RANGE(1, most), .help = text)

static const gp_field parallelism_fields[] = {
    GP_STRING(gp_parallelism, "mode", mode, .choices = parallelism_modes,
              .help = "auto searches; explicit takes the degrees below."),
    DEGREE("tp", tp, 1e4, "Tensor-parallel degree."),
    DEGREE("pp", pp, 1e4, "Pipeline stages."),
    DEGREE("vpp", vpp, 1e4, "Virtual stages per pipeline stage."),
    DEGREE("dp", dp, 1e6, "Data-parallel degree."),
    DEGREE("cp", cp, 1e4, "Context-parallel degree."),
    DEGREE("ep", ep, 1e4, "Expert-parallel degree."),
    GP_COUNT(gp_parallelism, "zero", zero, GP_RANGE(0, 3),
             .help = "ZeRO stage: what data-parallel ranks shard."),
    DEGREE("shardGroup", shard_group, 1e6,
           "Data-parallel ranks that share one set of weights under ZeRO 3; all of them where "
           "absent."),
    DEGREE("microBatch", micro_batch, 1e6, "Sequences of one micro-batch."),
};

const gp_struct gp_parallelism_type =
    GP_TYPE(gp_parallelism, parallelism_fields, .name = "parallelism", .scalar_key = "mode",
            .help = "How a workload is laid out over GPUs.");

static const gp_field offload_fields[] = {
    GP_ENUM(gp_offload_spec, "states", states, gp_offload_words, .default_text = "none",
            .help = "What waits outside the GPU: the optimizer's states, or the weights too; auto: "
                    "as little as makes it fit."),
    GP_ENUM(gp_offload_spec, "to", to, gp_offload_place_words, .default_text = "any",
            .help = "Where: host memory, the machine's drives, or any: drives where host memory "
                    "has no room."),
};

static const gp_struct offload_type =
    GP_TYPE(gp_offload_spec, offload_fields, .name = "offload", .scalar_key = "states",
            .help = "Training states that wait outside the GPU.");

static const gp_field checkpoint_fields[] = {
    GP_QUANTITY(gp_checkpoint_spec, "interval", interval_s, GP_DIM_TIME, GP_ABOVE(0, 1e9),
                .flags = GP_FIELD_AUTO, .default_text = "auto",
                .help = "Time between checkpoints; auto weighs their cost against lost work."),
    GP_COUNT(gp_checkpoint_spec, "keep", keep, GP_RANGE(1, 1e6), .default_text = "3",
             .help = "Checkpoints kept on storage."),
};

static const gp_struct checkpoint_type =
    GP_TYPE(gp_checkpoint_spec, checkpoint_fields, .name = "checkpoint", .scalar_key = "interval",
            .help = "Checkpoints of a training run.");

static const gp_field run_fields[] = {
    GP_QUANTITY(gp_run_spec, "start", start_s, GP_DIM_TIME, GP_RANGE(0, 1e8), .default_text = "0 s",
                .help = "Time before the first step beside reading weights and data: images, "
                        "compilation, warm-up."),
    GP_QUANTITY(gp_run_spec, "restart", restart_s, GP_DIM_TIME, GP_ABOVE(0, 1e8),
                .help = "Time to notice a failure, replace the machine and start again, beside "
                        "reading weights; the constant run.restart where absent."),
    GP_QUANTITY(gp_run_spec, "mttf", gpu_mttf_s, GP_DIM_TIME, GP_ABOVE(0, 1e12),
                .help = "Mean time to a failure of one GPU or what belongs to it; the constant "
                        "run.mttf.gpu where absent."),
    GP_QUANTITY(gp_run_spec, "preemptedEvery", preempted_every_s, GP_DIM_TIME, GP_ABOVE(0, 1e12),
                .help =
                    "Mean time until work of higher priority, or the team that lent them, takes "
                    "the GPUs of the run: what it did since its last checkpoint is lost. Never "
                    "where absent."),
};

static const gp_struct run_type =
    GP_TYPE(gp_run_spec, run_fields, .name = "run", .scalar_key = "start",
            .help = "What a whole run takes beside its steps.");

static const gp_field evaluation_fields[] = {
    GP_QUANTITY(gp_evaluation_spec, "tokens", tokens, GP_DIM_COUNT, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED, .help = "Tokens of one evaluation."),
    GP_QUANTITY(gp_evaluation_spec, "every", every, GP_DIM_COUNT, GP_ABOVE(0, 1e18),
                .flags = GP_FIELD_SUFFIX | GP_FIELD_REQUIRED,
                .help = "Tokens trained between two evaluations."),
};

static const gp_struct evaluation_type =
    GP_TYPE(gp_evaluation_spec, evaluation_fields, .name = "evaluation",
            .help = "Evaluation in the course of a run.");

static const char *const part_words[] = {"auto", "none", NULL};
static const char *const loss_words[] = {"site", NULL};

static const gp_field placement_fields[] = {
    GP_STRING(gp_placement, "pool", pool, .flags = GP_FIELD_LOCAL_REF, .ref = "pools",
              .help = "The pool it runs on."),
    GP_STRING_LIST(gp_placement, "sites", sites, .flags = GP_FIELD_LOCAL_REF, .ref = "sites",
                   .help = "The sites it may run at; any where absent."),
    GP_BOOL(gp_placement, "exclusive", exclusive,
            .help = "It takes whole machines; true for training and fine-tuning where absent."),
    GP_BOOL(
        gp_placement, "timeSharing", time_sharing,
        .help =
            "A job or batch with a deadline may run on what services leave idle by the hour, and "
            "stops when they need it back."),
    GP_STRING(gp_placement, "gpuParts", gpu_parts, .choices = part_words,
              .help = "A service that one part of a GPU is enough for shares it with others: a MIG "
                      "profile, or a share under MPS; none keeps whole GPUs. auto where absent."),
    GP_STRING(gp_placement, "survives", survives, .choices = loss_words,
              .help = "site: a service stands at several sites, and those that are left carry its "
                      "load when any one is lost."),
    GP_STRING(gp_placement, "home", home, .flags = GP_FIELD_LOCAL_REF, .ref = "sites",
              .help = "The site where its users come in and its data lies: elsewhere it runs only "
                      "where a link leads, and what the link takes is counted."),
};

static const gp_struct placement_type =
    GP_TYPE(gp_placement, placement_fields, .name = "placement", .scalar_key = "pool",
            .help = "Where a workload runs.");

static const char *const adapter_targets[] = {
    "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "all", NULL};

static const gp_field adapter_fields[] = {
    GP_ENUM(gp_adapter, "method", method, gp_adapter_method_words, .default_text = "lora",
            .help = "Adapter method."),
    GP_COUNT(gp_adapter, "rank", rank, GP_RANGE(1, 1e5), .default_text = "16",
             .help = "Rank of the update."),
    GP_STRING_LIST(gp_adapter, "targets", targets, .choices = adapter_targets,
                   .default_text = "q_proj, v_proj", .help = "Matrices that get an adapter."),
    GP_ENUM(gp_adapter, "base", base, gp_format_words, .aliases = gp_format_aliases,
            .help = "Format of the frozen weights; nf4 for qlora, else that of the weights."),
};

const gp_struct gp_adapter_type = GP_TYPE(gp_adapter, adapter_fields, .name = "adapter",
                                          .scalar_key = "method", .help = "Low-rank adapters.");

static const gp_field jobs_fields[] = {
    GP_QUANTITY(gp_jobs, "perWeek", per_week, GP_DIM_NONE, GP_ABOVE(0, 1e9),
                .help = "Runs started in a week."),
    GP_COUNT(gp_jobs, "concurrent", concurrent, GP_RANGE(1, 1e6), .default_text = "1",
             .help = "Runs at the same time."),
    GP_COUNT(gp_jobs, "perGpu", per_gpu, GP_RANGE(1, 1e3), .flags = GP_FIELD_AUTO,
             .default_text = "auto",
             .help = "Most runs that may share one GPU; auto: as many as its memory holds and the "
                     "goal allows, where the workload is not exclusive."),
};

static const gp_struct jobs_type =
    GP_TYPE(gp_jobs, jobs_fields, .name = "jobs", .help = "Repeated runs of one workload.");

static const char *const profile_names[] = {"flat", "diurnal", "office", NULL};

static const gp_field profile_fields[] = {
    GP_STRING(gp_profile, "name", name, .choices = profile_names,
              .help = "A week's shape that gpuplan knows: all hours alike, a service asked day and "
                      "night with fewer at weekends, or one asked in working hours."),
    GP_QUANTITY_LIST(gp_profile, "hourly", hourly, GP_DIM_NONE, GP_RANGE(0, 1e6),
                     .help = "24 factors, one per hour of every day; only their proportions "
                             "count."),
    GP_STRING(gp_profile, "trace", trace,
              .help = "CSV file with one row per request (TIMESTAMP, ContextTokens, "
                      "GeneratedTokens), beside the spec: its busiest minute, its hours where it "
                      "covers a day, and what the spec leaves open of rate and lengths."),
};

const gp_struct gp_profile_type =
    GP_TYPE(gp_profile, profile_fields, .name = "profile", .scalar_key = "name",
            .list_key = "hourly", .help = "How traffic varies over a day.");

static const gp_field image_fields[] = {
    GP_QUANTITY(gp_images, "perRequest", per_request, GP_DIM_NONE, GP_RANGE(0, 1e4),
                .default_text = "0", .help = "Mean images in a request."),
    GP_COUNT(gp_images, "edge", edge, GP_RANGE(1, 1e6),
             .help = "Edge of a square image in pixels; 1024 where no size is given."),
    GP_COUNT(gp_images, "width", width, GP_RANGE(1, 1e6), .help = "Width of an image in pixels."),
    GP_COUNT(gp_images, "height", height, GP_RANGE(1, 1e6),
             .help = "Height of an image in pixels."),
};

static const gp_struct images_type =
    GP_TYPE(gp_images, image_fields, .name = "images", .scalar_key = "perRequest",
            .help = "Images in requests.");

static const gp_field video_fields[] = {
    GP_QUANTITY(gp_images, "perRequest", per_request, GP_DIM_NONE, GP_RANGE(0, 1e4),
                .default_text = "0", .help = "Mean videos in a request."),
    GP_COUNT(gp_images, "frames", frames, GP_RANGE(1, 1e6),
             .help = "Frames of a video that the model is shown."),
    GP_COUNT(gp_images, "width", width, GP_RANGE(1, 1e6),
             .help = "Width of a frame in pixels; 1280 where no size is given."),
    GP_COUNT(gp_images, "height", height, GP_RANGE(1, 1e6),
             .help = "Height of a frame in pixels; 720 where no size is given."),
};

static const gp_struct videos_type =
    GP_TYPE(gp_images, video_fields, .name = "videos", .help = "Videos in requests.");

static const gp_field generate_fields[] = {
    GP_QUANTITY(gp_generate, "perRequest", per_request, GP_DIM_NONE, GP_ABOVE(0, 1e4),
                .default_text = "1", .help = "Pictures or clips of a request."),
    GP_COUNT(gp_generate, "width", width, GP_RANGE(16, 1e5), .help = "Width in pixels."),
    GP_COUNT(gp_generate, "height", height, GP_RANGE(16, 1e5), .help = "Height in pixels."),
    GP_COUNT(gp_generate, "frames", frames, GP_RANGE(1, 1e6), .help = "Frames of a clip."),
    GP_COUNT(gp_generate, "steps", steps, GP_RANGE(1, 1e4),
             .help = "Denoising steps; as usual for the model where absent."),
    GP_BOOL(gp_generate, "guidance", guidance, .default_text = "true",
            .help = "The prompt guides every step, which takes two passes unless the model has "
                    "learned it."),
};

static const gp_struct generate_type =
    GP_TYPE(gp_generate, generate_fields, .name = "generate", .scalar_key = "perRequest",
            .help = "Pictures or clips to make.");

static const gp_field audio_fields[] = {
    GP_QUANTITY(gp_audio, "perRequest", per_request_s, GP_DIM_TIME, GP_ABOVE(0, 1e6),
                .help = "Length of what is heard, or said, in a request."),
    GP_QUANTITY(gp_audio, "perDay", per_day_s, GP_DIM_TIME, GP_ABOVE(0, 1e12),
                .help = "Length of all requests of a day, in place of their rate."),
    GP_QUANTITY(gp_audio, "streams", streams, GP_DIM_NONE, GP_ABOVE(0, 1e9),
                .help = "Streams that run in real time, in place of a rate of requests."),
};

static const gp_struct audio_type =
    GP_TYPE(gp_audio, audio_fields, .name = "audio", .scalar_key = "perRequest",
            .help = "Speech that is heard, or said.");

static const gp_field traffic_fields[] = {
    GP_STRUCT(gp_traffic, "requestsPerSecond", requests_per_s, gp_distribution,
              gp_rate_distribution_type, .help = "Requests per second."),
    GP_STRUCT(gp_traffic, "profile", profile, gp_profile, gp_profile_type,
              .help = "How traffic varies over a day."),
    GP_STRUCT(gp_traffic, "inputTokens", input_tokens, gp_distribution, gp_token_distribution_type,
              .help = "Prompt tokens of a request."),
    GP_STRUCT(gp_traffic, "outputTokens", output_tokens, gp_distribution,
              gp_token_distribution_type,
              .help = "Answer tokens of a request; 0 where only the prompt is read: embeddings, "
                      "rerankers, classifiers."),
    GP_STRUCT(gp_traffic, "thoughtTokens", thought_tokens, gp_distribution,
              gp_token_distribution_type, .help = "Tokens of thought before the answer."),
    GP_COUNT(gp_traffic, "branches", branches, GP_RANGE(1, 1e6), .default_text = "1",
             .help = "Samples per request: best-of-n, tree search."),
    GP_STRUCT(gp_traffic, "images", images, gp_images, images_type, .help = "Images in requests."),
    GP_STRUCT(gp_traffic, "videos", videos, gp_images, videos_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Videos in requests."),
    GP_STRUCT(gp_traffic, "generate", generate, gp_generate, generate_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Pictures or clips to make."),
    GP_STRUCT(gp_traffic, "audio", audio, gp_audio, audio_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Speech that is heard, or said."),
    GP_QUANTITY(gp_traffic, "candidates", candidates, GP_DIM_COUNT, GP_ABOVE(0, 1e9),
                .flags = GP_FIELD_SUFFIX, .help = "Items that one request has scored."),
    GP_QUANTITY(gp_traffic, "prefixCacheHit", prefix_hit_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .default_text = "0%", .help = "Share of prompt tokens found in the prefix cache."),
    GP_COUNT(gp_traffic, "adapters", adapters, GP_RANGE(0, 1e6), .default_text = "0",
             .help = "LoRA adapters served together."),
    GP_COUNT(gp_traffic, "residentAdapters", resident_adapters, GP_RANGE(1, 1e6),
             .help = "Adapters in GPU memory at once; all where absent. The others wait in host "
                     "memory, or on drives where that is too small, and are fetched when asked "
                     "for."),
    GP_QUANTITY_LIST(gp_traffic, "adapterRates", adapter_rates, GP_DIM_NONE, GP_RANGE(0, 1e9),
                     .help = "How often each adapter is asked for; only their proportions count. "
                             "By Zipf's law where absent."),
    GP_QUANTITY(gp_traffic, "requests", requests, GP_DIM_COUNT, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_SUFFIX,
                .help = "Requests of one offline job, in place of a rate; its deadline is "
                        "goal.completeWithin, or goal.every with goal.maxDuration."),
};

const gp_struct gp_traffic_type =
    GP_TYPE(gp_traffic, traffic_fields, .name = "traffic", .help = "What a service is asked.");

static const char *const scaling_words[] = {"vertical", "horizontal", NULL};

static const gp_field scaling_fields[] = {
    GP_COUNT(gp_scaling, "minReplicas", min_replicas, GP_RANGE(1, 1e6), .default_text = "1",
             .help = "Fewest replicas."),
    GP_COUNT(gp_scaling, "maxReplicas", max_replicas, GP_RANGE(1, 1e6),
             .help = "Most replicas; no limit where absent."),
    GP_COUNT(gp_scaling, "spareReplicas", spare_replicas, GP_RANGE(0, 1e6), .default_text = "0",
             .help = "Replicas held beyond the need: 1 is N+1. More where goal.slo.availability "
                     "asks for more."),
    GP_STRING_LIST(gp_scaling, "allow", allow, .choices = scaling_words,
                   .default_text = "vertical, horizontal", .help = "Ways it may grow."),
};

static const gp_struct scaling_type =
    GP_TYPE(gp_scaling, scaling_fields, .name = "scaling", .list_key = "allow",
            .help = "How a service may grow.");

static const gp_field speculative_fields[] = {
    GP_COUNT(gp_speculative, "tokens", tokens, GP_RANGE(0, 64), .default_text = "0",
             .help = "Tokens drafted per step; none where 0."),
    GP_QUANTITY(gp_speculative, "acceptance", acceptance_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .default_text = "70%", .help = "Share of drafted tokens that stand."),
    GP_QUANTITY(gp_speculative, "draftCost", draft_cost_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .default_text = "4%",
                .help = "Time of one drafted token over that of a step of the model."),
};

static const gp_struct speculative_type =
    GP_TYPE(gp_speculative, speculative_fields, .name = "speculative", .scalar_key = "tokens",
            .help = "Speculative decoding.");

static const char *const workload_aliases[] = {
    "pretrain",  "training", "pre-training", "training", "fine-tuning", "finetune", "fine-tune",
    "finetune",  "peft",     "lora",         "rlhf",     "rl",          "grpo",     "rl",
    "notebooks", "seats",    "interactive",  "seats",    NULL};
static const char *const pool_words[] = {"auto", "true", "false", "prefill", "decode", NULL};

static const gp_field workload_fields[] = {
    GP_STRING(gp_workload, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name of the workload."),
    GP_STRING(gp_workload, "team", team, .flags = GP_FIELD_LOCAL_REF, .ref = "teams",
              .help = "The team that it belongs to."),
    GP_ENUM(gp_workload, "type", type, gp_workload_type_words, .flags = GP_FIELD_REQUIRED,
            .aliases = workload_aliases, .help = "What kind of work it is."),
    GP_STRUCT(gp_workload, "model", model, gp_model, gp_model_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The model: a catalogue id, an hf: name, or written out; seats have none."),
    GP_STRUCT(gp_workload, "method", method, gp_method, gp_method_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "What it is tuned to; sft where absent."),
    GP_STRUCT(gp_workload, "data", data, gp_data, gp_data_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "What the model is trained on."),
    GP_STRUCT(gp_workload, "goal", goal, gp_goal, goal_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "What it must achieve; without one it is sized to memory only."),
    GP_STRUCT(gp_workload, "software", software, gp_software, gp_software_type,
              .help = "The software stack."),
    GP_STRUCT(gp_workload, "precision", precision, gp_precision_spec, precision_type,
              .help = "Number formats."),
    GP_STRUCT(gp_workload, "parallelism", parallelism, gp_parallelism, gp_parallelism_type,
              .help = "How it is laid out over GPUs."),
    GP_ENUM(gp_workload, "recompute", recompute, gp_recompute_words, .default_text = "auto",
            .help = "Activations computed again instead of kept."),
    GP_STRUCT(gp_workload, "offload", offload, gp_offload_spec, offload_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Training states outside the GPU."),
    GP_STRUCT(gp_workload, "checkpoint", checkpoint, gp_checkpoint_spec, checkpoint_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Checkpoints."),
    GP_STRUCT(gp_workload, "run", run, gp_run_spec, run_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Start, restarts and failures."),
    GP_STRUCT(gp_workload, "evaluation", evaluation, gp_evaluation_spec, evaluation_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Evaluation in the course of the run."),
    GP_STRUCT(gp_workload, "placement", placement, gp_placement, placement_type,
              .help = "Where it runs."),
    GP_COUNT(gp_workload, "priority", priority, GP_RANGE(0, 1e6), .default_text = "0",
             .help = "Larger is placed first, equals in the order of their names."),
    GP_STRUCT(gp_workload, "adapter", adapter, gp_adapter, gp_adapter_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Low-rank adapters."),
    GP_STRUCT(gp_workload, "rl", rl, gp_rl_spec, gp_rl_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Reinforcement learning: what one step generates and trains on."),
    GP_STRUCT(gp_workload, "seats", seats, gp_seats, gp_seats_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "People at GPUs: how many at once, and what each has."),
    GP_STRUCT(gp_workload, "jobs", jobs, gp_jobs, jobs_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Repeated runs."),
    GP_STRUCT(gp_workload, "traffic", traffic, gp_traffic, gp_traffic_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "What the service is asked."),
    GP_STRUCT(gp_workload, "scaling", scaling, gp_scaling, scaling_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "How the service may grow."),
    GP_STRUCT(gp_workload, "speculative", speculative, gp_speculative, speculative_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Speculative decoding."),
    GP_STRING(gp_workload, "disaggregated", disaggregated, .choices = pool_words,
              .help = "Prefill and decode in pools of their own; auto where that takes less, or "
                      "is the only way; prefill or decode: one such pool alone."),
    GP_COUNT(gp_workload, "replicas", replicas, GP_RANGE(1, 1e6),
             .help = "Replicas that run today: judged first, as they are."),
};

const gp_struct gp_workload_type_ = GP_TYPE(
    gp_workload, workload_fields, .name = "workload",
    .help = "A training run, fine-tuning, adapters, reinforcement learning, a service, or seats.");
