/* Rows of what a report says about one workload: verdict, memory, performance, network, goals. */
#include "report/describe.h"

static const char *const scale_words[] = {"none", "vertical",   "horizontal",
                                          "both", "infeasible", NULL};
static const char *const pool_words[] = {"prefill", "decode", NULL};
static const char *const type_words[] = {"training", "finetune", "lora", "inference",
                                         "rl",       "seats",    NULL};
static const char *const fit_words[] = {"fits", "borderline", "doesNotFit", NULL};
static const char *const factor_words[] = {"load",     "peak",         "tuning", "confidence",
                                           "headroom", "availability", "layout", NULL};
static const char *const goal_states[] = {"met", "metAtExpected", "missed", "notJudged", NULL};
static const char *const bottleneck_words[] = {"none", "scaleUp", "leaf", "spine", "core", NULL};

static const gp_report_field lack_fields[] = {
    GP_R_STRING(gp_report_lack, "bound", bound, "The resource that is short."),
    GP_R_REAL(gp_report_lack, "have", have, GP_DIM_NONE, "How much of it there is."),
    GP_R_REAL(gp_report_lack, "need", need, GP_DIM_NONE, "How much it takes."),
    GP_R_STRING(gp_report_lack, "unit", unit, "Unit of both."),
    GP_R_STRING(gp_report_lack, "reason", reason, "The same in words."),
};
static const gp_report_struct lack_type = GP_R_TYPE(
    gp_report_lack, lack_fields, .name = "lack", .dim_offset = offsetof(gp_report_lack, dim),
    .help = "What a layout that does not hold lacks.");

static const gp_report_field pool_fields[] = {
    GP_R_WORD(gp_report_pool, "name", name, pool_words, "What its replicas do."),
    GP_R_COUNT(gp_report_pool, "gpus", gpus, "GPUs of all of them."),
    GP_R_COUNT(gp_report_pool, "replicas", replicas, "Replicas, spares included."),
    GP_R_COUNT(gp_report_pool, "spareReplicas", spare_replicas, "Of those, held for availability."),
    GP_R_COUNT(gp_report_pool, "gpusPerReplica", gpus_per_replica, "GPUs of one replica."),
    GP_R_COUNT(gp_report_pool, "tp", tp, "Tensor parallel ranks."),
    GP_R_COUNT(gp_report_pool, "pp", pp, "Pipeline stages."),
    GP_R_COUNT(gp_report_pool, "dp", dp, "Groups of GPUs that each serve sequences of their own."),
    GP_R_COUNT(gp_report_pool, "ep", ep, "Expert parallel ranks."),
    GP_R_COUNT(gp_report_pool, "redundantExperts", redundant_experts,
               "Second copies of busy experts."),
    GP_R_STRING(gp_report_pool, "layout", layout, "The layout in words."),
};
const gp_report_struct gp_report_pool_type = GP_R_TYPE(
    gp_report_pool, pool_fields, .name = "pool", .name_key = "name", .help = "Replicas of a kind.");

static const gp_report_field share_fields[] = {
    GP_R_STRING(gp_report_share, "name", name, "The site; at one, the pool or the machine."),
    GP_R_STRING(gp_report_share, "gpu", gpu, "Catalogue id of the GPU."),
    GP_R_STRING(gp_report_share, "system", system, "Catalogue id of the machine."),
    GP_R_STRING(gp_report_share, "product", product, "The machine by its maker's name."),
    GP_R_COUNT(gp_report_share, "gpus", gpus, "GPUs it claims there."),
    GP_R_COUNT(gp_report_share, "nodes", nodes, "Machines it claims there."),
    GP_R_COUNT(gp_report_share, "addedNodes", added_nodes,
               "Machines of those that are not there today."),
    GP_R_COUNT(gp_report_share, "replicas", replicas, "Replicas there."),
    GP_R_COUNT(gp_report_share, "spareReplicas", spare_replicas,
               "Replicas of those held for availability."),
    GP_R_COUNT(gp_report_share, "gpusPerReplica", gpus_per_replica, "GPUs of one of them."),
    GP_R_COUNT(gp_report_share, "gpusPerNode", gpus_per_node, "GPUs of one machine."),
    GP_R_COUNT(gp_report_share, "hostsPerNode", hosts_per_node,
               "Operating systems of one machine."),
    GP_R_COUNT(gp_report_share, "tp", tp, "Tensor parallel ranks."),
    GP_R_COUNT(gp_report_share, "pp", pp, "Pipeline stages."),
    GP_R_COUNT(gp_report_share, "dp", dp, "Data parallel ranks."),
    GP_R_COUNT(gp_report_share, "ep", ep, "Expert parallel ranks."),
    GP_R_STRING(gp_report_share, "layout", layout, "The layout in words."),
    GP_R_REAL(gp_report_share, "demandFraction", demand_fraction, GP_DIM_FRACTION,
              "Share of the requests that goes there."),
    GP_R_REAL(gp_report_share, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Requests that it carries there within the service level."),
    GP_R_REAL(gp_report_share, "itPowerW", it_power_w, GP_DIM_POWER, "Mean IT power there."),
};
static const gp_report_struct share_type =
    GP_R_TYPE(gp_report_share, share_fields, .name = "share",
              .help = "What a workload has at one of several sites, or on one of several kinds of "
                      "machines.");

static const gp_report_field candidate_fields[] = {
    GP_R_BOOL(gp_report_candidate, "feasible", feasible, "It fits and meets every goal and limit."),
    {.key = "shares",
     .kind = GP_REPORT_LIST,
     .offset = GP_LIST_OFFSET(gp_report_candidate, shares, gp_report_share),
     .nested = &share_type,
     .omit_absent = true,
     .help = "What it has at each of several sites, or on each of several kinds of machines."},
    GP_R_STRING(gp_report_candidate, "where", where,
                "owned (machines to buy included), or cloud:ID."),
    GP_R_STRING(gp_report_candidate, "gpu", gpu, "Catalogue id of the GPU."),
    GP_R_STRING(gp_report_candidate, "system", system, "Catalogue id of the machine."),
    GP_R_STRING(gp_report_candidate, "product", product, "The machine by its maker's name."),
    GP_R_COUNT(gp_report_candidate, "gpus", gpus, "GPUs it claims."),
    GP_R_COUNT(gp_report_candidate, "nodes", nodes, "Machines it claims."),
    GP_R_COUNT(gp_report_candidate, "addedNodes", added_nodes,
               "Machines of those that are not in the cluster today."),
    GP_R_COUNT(gp_report_candidate, "tp", tp, "Tensor parallel ranks."),
    GP_R_COUNT(gp_report_candidate, "pp", pp, "Pipeline stages."),
    GP_R_COUNT(gp_report_candidate, "vpp", vpp, "Virtual stages per pipeline stage."),
    GP_R_COUNT(gp_report_candidate, "dp", dp, "Data parallel ranks."),
    GP_R_COUNT(gp_report_candidate, "cp", cp, "Context parallel ranks."),
    GP_R_COUNT(gp_report_candidate, "ep", ep, "Expert parallel ranks."),
    GP_R_COUNT(gp_report_candidate, "redundantExperts", redundant_experts,
               "Second copies of busy experts; null for training."),
    GP_R_COUNT(gp_report_candidate, "zero", zero, "ZeRO stage; 3 is full sharding."),
    GP_R_COUNT(gp_report_candidate, "shardGroup", shard_group,
               "Data parallel ranks that share one set of weights; null where all do."),
    GP_R_COUNT(gp_report_candidate, "microBatch", micro_batch, "Sequences per micro-batch."),
    GP_R_COUNT(gp_report_candidate, "globalBatchSequences", global_batch_sequences,
               "Sequences of one optimizer step, as planned; null for inference."),
    GP_R_COUNTS(gp_report_candidate, "stageLayers", stage_layers,
                "Layers of each pipeline stage, the first stage first; none for inference."),
    GP_R_STRING(gp_report_candidate, "recompute", recompute, "Activation recomputation."),
    GP_R_STRING(gp_report_candidate, "offload", offload,
                "Training states outside the GPU; null for inference."),
    GP_R_EXACT(gp_report_candidate, "offloadedBytes", offloaded_bytes, GP_DIM_BYTES,
               "Host memory, or drive space, that they take per GPU."),
    GP_R_COUNT(gp_report_candidate, "replicas", replicas,
               "Replicas of the model (inference) or concurrent jobs."),
    GP_R_COUNT(gp_report_candidate, "spareReplicas", spare_replicas,
               "Replicas of those held for availability."),
    GP_R_COUNT(gp_report_candidate, "gpusPerReplica", gpus_per_replica, "GPUs of one of them."),
    GP_R_COUNT(gp_report_candidate, "gpusPerNode", gpus_per_node, "GPUs of one machine."),
    GP_R_COUNT(gp_report_candidate, "hostsPerNode", hosts_per_node,
               "Operating systems of one machine: the trays of a rack-scale system, else 1."),
    GP_R_COUNT(gp_report_candidate, "gpusPerDomain", gpus_per_domain, "GPUs in a scale-up domain."),
    GP_R_REAL(gp_report_candidate, "memoryBytesPerS", memory_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Memory bandwidth of one GPU."),
    GP_R_COUNT(gp_report_candidate, "jobsPerGpu", jobs_per_gpu,
               "Jobs that share one GPU; null for inference."),
    GP_R_STRING(gp_report_candidate, "gpuPart", gpu_part,
                "Part of a GPU that it has, others having the rest; null: whole GPUs."),
    GP_R_STRING(gp_report_candidate, "gpuPartMethod", gpu_part_method,
                "How that GPU is cut: mig or mps."),
    GP_R_REAL(gp_report_candidate, "gpuFraction", gpu_fraction, GP_DIM_FRACTION,
              "Share of the GPU that the part takes."),
    GP_R_STRING(gp_report_candidate, "layout", layout, "The layout in words."),
    GP_R_LIST(gp_report_candidate, "parts", parts, gp_report_pool, gp_report_pool_type,
              "Where prefill and decode have layouts of their own: these. Their degrees are null "
              "above, where all else is the total."),
    GP_R_BAND(gp_report_candidate, "timeToCompleteS", time_to_complete_s, GP_DIM_TIME,
              "Wall time of the job."),
    GP_R_BAND(gp_report_candidate, "stepTimeS", step_time_s, GP_DIM_TIME,
              "Time of one optimizer step."),
    GP_R_BAND(gp_report_candidate, "tokensPerS", tokens_per_s, GP_DIM_PER_S,
              "Tokens trained, written, or, where nothing is written, read per second."),
    GP_R_BAND(gp_report_candidate, "ttftP95S", ttft_p95_s, GP_DIM_TIME,
              "Time to the first token, 95th percentile."),
    GP_R_BAND(gp_report_candidate, "tpotP95S", tpot_p95_s, GP_DIM_TIME,
              "Time per further output token, 95th percentile."),
    GP_R_REAL(gp_report_candidate, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Requests all replicas can take within the objectives."),
    GP_R_EXACT(gp_report_candidate, "memoryBytes", memory_bytes, GP_DIM_BYTES,
               "Memory used on the fullest GPU."),
    GP_R_EXACT(gp_report_candidate, "memoryCapacityBytes", memory_capacity_bytes, GP_DIM_BYTES,
               "Usable memory of one GPU."),
    GP_R_REAL(gp_report_candidate, "itPowerW", it_power_w, GP_DIM_POWER,
              "Power of its machines under the planned load."),
    GP_R_REAL(gp_report_candidate, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "The same with cooling and losses."),
    GP_R_EXACT(gp_report_candidate, "capital", capital, GP_DIM_MONEY,
               "Purchase price of what is bought; null where a price is missing."),
    GP_R_EXACT(gp_report_candidate, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "All costs of a year, capital included."),
    GP_R_OPTIONAL(gp_report_candidate, "lack", lack, gp_report_lack, lack_type,
                  "What it lacks; null where it is feasible."),
};
static const gp_report_struct candidate_type =
    GP_R_TYPE(gp_report_candidate, candidate_fields, .name = "candidate",
              .help = "One way to run the workload, sized in full.");

static const gp_report_field flip_fields[] = {
    GP_R_STRING(gp_report_flip, "variable", variable, "What would have to change."),
    GP_R_STRING(gp_report_flip, "path", path, "Its spec path."),
    GP_R_REAL(gp_report_flip, "today", today, GP_DIM_NONE, "Its value in this plan."),
    GP_R_REAL(gp_report_flip, "at", at, GP_DIM_NONE, "Its value where the verdict changes."),
    GP_R_STRING(gp_report_flip, "unit", unit, "Unit of both."),
    GP_R_WORD(gp_report_flip, "toScale", to_scale, scale_words, "The verdict beyond that point."),
    GP_R_BOOL(gp_report_flip, "insideBand", inside_band,
              "It lies inside the error band of the figure that decides."),
};
static const gp_report_struct flip_type = GP_R_TYPE(
    gp_report_flip, flip_fields, .name = "flip", .dim_offset = offsetof(gp_report_flip, dim),
    .help = "The nearest point of another verdict.");

static const gp_report_field available_fields[] = {
    GP_R_STRING(gp_report_available, "system", system, "Kind of machine."),
    GP_R_STRING(gp_report_available, "product", product, "The machine by its maker's name."),
    GP_R_COUNT(gp_report_available, "nodes", nodes, "Machines."),
    GP_R_COUNT(gp_report_available, "gpus", gpus, "GPUs."),
};
static const gp_report_struct available_type =
    GP_R_TYPE(gp_report_available, available_fields, .name = "available",
              .help = "What earlier claims leave of the cluster.");

static const gp_report_field surplus_fields[] = {
    GP_R_COUNT(gp_report_surplus, "gpus", gpus, "GPUs that are not needed."),
    GP_R_COUNT(gp_report_surplus, "nodes", nodes, "Machines that are not needed."),
    GP_R_REAL(gp_report_surplus, "powerW", power_w, GP_DIM_POWER, "Power they would take."),
};
static const gp_report_struct surplus_type =
    GP_R_TYPE(gp_report_surplus, surplus_fields, .name = "surplus",
              .help = "What the workload has beyond its need.");

static const gp_report_field software_fields[] = {
    GP_R_STRING(gp_report_software_change, "path", path, "The spec path to change."),
    GP_R_STRING(gp_report_software_change, "from", from, "Its value in this plan."),
    GP_R_STRING(gp_report_software_change, "to", to, "The value to give it."),
    GP_R_BOOL(gp_report_software_change, "feasible", feasible,
              "The unit of today holds the workload with it."),
    GP_R_COUNT(gp_report_software_change, "gpus", gpus, "GPUs needed with it."),
    GP_R_COUNT(gp_report_software_change, "nodes", nodes, "Machines needed with it."),
    GP_R_COUNT(gp_report_software_change, "savedGpus", saved_gpus,
               "GPUs that it saves; null where none hold it as it is."),
    GP_R_REAL(gp_report_software_change, "savedFraction", saved_fraction, GP_DIM_FRACTION,
              "Share of the GPUs that it saves."),
    GP_R_BOOL(gp_report_software_change, "makesHardwareUnnecessary", makes_hardware_unnecessary,
              "With it nothing has to be added."),
    GP_R_STRING(gp_report_software_change, "layout", layout,
                "What is needed with it, in words; null where nothing does."),
    GP_R_REAL(gp_report_software_change, "heldRequestsPerS", held_requests_per_s, GP_DIM_PER_S,
              "Rate that the machines of service.held carry with it; null for jobs."),
    GP_R_BOOL(gp_report_software_change, "assumed", assumed,
              "It rests on figures of the workload that are only assumed."),
};
static const gp_report_struct software_type =
    GP_R_TYPE(gp_report_software_change, software_fields, .name = "softwareChange",
              .name_key = "path", .help = "What a change of software alone would do.");

static const gp_report_field counts_fields[] = {
    GP_R_COUNT(gp_report_counts, "gpus", gpus, "GPUs."),
    GP_R_COUNT(gp_report_counts, "nodes", nodes, "Machines."),
    GP_R_STRING(gp_report_counts, "layout", layout, "The same in words."),
};
static const gp_report_struct counts_type =
    GP_R_TYPE(gp_report_counts, counts_fields, .name = "counts", .help = "Numbers of hardware.");

static const gp_report_field step_fields[] = {
    GP_R_WORD(gp_report_need_step, "factor", factor, factor_words,
              "What is added: the bare load (tuned, by expected values), its peak, the share of "
              "tuned speed, the edge of the error band, headroom, spare replicas, the layout."),
    GP_R_REAL(gp_report_need_step, "value", value, GP_DIM_NONE,
              "The load, the time allowed, the factor or the share; null where there is none."),
    GP_R_STRING(gp_report_need_step, "unit", unit, "Its unit."),
    GP_R_BOOL(gp_report_need_step, "assumed", assumed, "Nobody stated it."),
    GP_R_COUNT(gp_report_need_step, "gpus", gpus, "GPUs with it and all before it."),
    GP_R_COUNT(gp_report_need_step, "nodes", nodes, "Machines likewise."),
    GP_R_STRING(gp_report_need_step, "gpuPart", gpu_part,
                "Part of the one GPU that is enough; null: whole GPUs."),
};
static const gp_report_struct step_type =
    GP_R_TYPE(gp_report_need_step, step_fields, .name = "needStep", .name_key = "factor",
              .dim_offset = offsetof(gp_report_need_step, dim),
              .help = "What a factor adds to the need, on the chosen kind of machine.");

static const gp_report_field option_fields[] = {
    GP_R_STRING(gp_report_option, "system", system, "Catalogue id of the machine."),
    GP_R_STRING(gp_report_option, "where", where, "owned, or cloud:ID."),
    GP_R_BOOL(gp_report_option, "feasible", feasible, "It meets every goal and limit."),
    GP_R_COUNT(gp_report_option, "gpus", gpus, "GPUs it takes."),
    GP_R_COUNT(gp_report_option, "nodes", nodes, "Machines it takes."),
    GP_R_STRING(gp_report_option, "layout", layout, "The layout in words."),
    GP_R_REAL(gp_report_option, "timeToCompleteS", time_to_complete_s, GP_DIM_TIME,
              "Expected wall time of the job; null for services."),
    GP_R_REAL(gp_report_option, "ttftP95S", ttft_p95_s, GP_DIM_TIME,
              "Expected time to the first token, 95th percentile."),
    GP_R_REAL(gp_report_option, "tpotP95S", tpot_p95_s, GP_DIM_TIME,
              "Expected time per further token, 95th percentile."),
    GP_R_REAL(gp_report_option, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "Mean power with cooling and losses."),
    GP_R_EXACT(gp_report_option, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "All costs of a year; null where a price is missing."),
    GP_R_STRING(gp_report_option, "reason", reason, "What it lacks; null where it is feasible."),
};
static const gp_report_struct option_type =
    GP_R_TYPE(gp_report_option, option_fields, .name = "option", .name_key = "system",
              .help = "A kind of machine that could have been chosen: the least of it that does.");
static const gp_report_field placement_fields[] = {
    GP_R_STRING(gp_report_placement, "where", where, "Of what is chosen: owned or cloud:ID."),
    GP_R_STRING(gp_report_placement, "owned", owned, "The best machines of its own."),
    GP_R_STRING(gp_report_placement, "ownedLack", owned_lack, "Why none of its own hold it."),
    GP_R_EXACT(gp_report_placement, "ownedPerYear", owned_per_year, GP_DIM_MONEY,
               "What they cost a year."),
    GP_R_STRING(gp_report_placement, "rented", rented, "The best in a cloud."),
    GP_R_STRING(gp_report_placement, "rentedLack", rented_lack, "Why none there holds it."),
    GP_R_EXACT(gp_report_placement, "rentedPerYear", rented_per_year, GP_DIM_MONEY,
               "What it costs a year, rented for as long as the workload computes."),
    GP_R_REAL(gp_report_placement, "rentedFraction", rented_fraction, GP_DIM_FRACTION,
              "Share of the time for which it is rented."),
    GP_R_REAL(gp_report_placement, "breakEvenFraction", break_even_fraction, GP_DIM_FRACTION,
              "Share of the time from which owning is cheaper."),
    GP_R_STRING(gp_report_placement, "reason", reason, "Both in one sentence."),
};
static const gp_report_struct placement_type =
    GP_R_TYPE(gp_report_placement, placement_fields, .name = "placement",
              .help = "Machines of its own against a cloud.");

static const gp_report_field recommendation_fields[] = {
    GP_R_WORD(gp_report_recommendation, "scale", scale, scale_words, "The verdict."),
    GP_R_STRING(gp_report_recommendation, "boundBy", bound_by, "The resource that decides."),
    GP_R_STRING(gp_report_recommendation, "reason", reason, "Why, in one sentence."),
    GP_R_STRING(gp_report_recommendation, "because", because, "Why, in a few words."),
    GP_R_OPTIONAL(gp_report_recommendation, "flip", flip, gp_report_flip, flip_type,
                  "Where the verdict would change."),
    GP_R_STRING(gp_report_recommendation, "flipReason", flip_reason,
                "Why there is no such point; null where there is one."),
    GP_R_STRUCT(gp_report_recommendation, "today", today, gp_report_available, available_type,
                "What it uses of the cluster: the replicas declared, what it takes of what is "
                "left for it, or all of that where it is not enough."),
    GP_R_STRUCT(gp_report_recommendation, "available", available, gp_report_available,
                available_type, "What earlier claims leave of the cluster."),
    GP_R_STRUCT(gp_report_recommendation, "surplus", surplus, gp_report_surplus, surplus_type,
                "What is there beyond the need."),
    GP_R_LIST(gp_report_recommendation, "softwareChanges", software_changes,
              gp_report_software_change, software_type, "Changes of software that save hardware."),
    GP_R_LIST(gp_report_recommendation, "needSteps", need_steps, gp_report_need_step, step_type,
              "What the need is made of, step by step."),
    GP_R_BOOL(gp_report_recommendation, "layoutChange", layout_change,
              "The chosen layout differs from the declared one."),
    GP_R_STRUCT(gp_report_recommendation, "current", current, gp_report_candidate, candidate_type,
                "The baseline: what earlier claims leave of the cluster."),
    GP_R_STRUCT(gp_report_recommendation, "chosen", chosen, gp_report_candidate, candidate_type,
                "What is recommended."),
    GP_R_STRUCT(gp_report_recommendation, "vertical", vertical, gp_report_candidate, candidate_type,
                "The best way to scale up."),
    GP_R_STRUCT(gp_report_recommendation, "horizontal", horizontal, gp_report_candidate,
                candidate_type, "The best way to scale out."),
    GP_R_OPTIONAL(gp_report_recommendation, "atExpected", at_expected, gp_report_counts,
                  counts_type, "Need by the expected value, where it differs."),
    GP_R_LIST(gp_report_recommendation, "options", options, gp_report_option, option_type,
              "Kinds of machines considered, by the objective; none in a check."),
    GP_R_OPTIONAL(gp_report_recommendation, "placement", placement, gp_report_placement,
                  placement_type, "Owned or rented, where a cloud is a candidate."),
};
const gp_report_struct gp_report_recommendation_type =
    GP_R_TYPE(gp_report_recommendation, recommendation_fields, .name = "recommendation",
              .help = "Up or out, why, and what else would do.");

static const gp_report_field component_fields[] = {
    GP_R_STRING(gp_report_component, "name", name, "What it holds."),
    GP_R_EXACT(gp_report_component, "bytes", bytes, GP_DIM_BYTES, "Bytes per GPU."),
};
static const gp_report_struct component_type =
    GP_R_TYPE(gp_report_component, component_fields, .name = "component", .name_key = "name",
              .help = "A part of a GPU's memory.");

static const gp_report_field part_fields[] = {
    GP_R_STRING(gp_report_time_part, "name", name, "What the time goes to."),
    GP_R_REAL(gp_report_time_part, "timeS", time_s, GP_DIM_TIME, "Time per step, not hidden."),
};
const gp_report_struct gp_report_part_type =
    GP_R_TYPE(gp_report_time_part, part_fields, .name = "timePart", .name_key = "name",
              .help = "A part of the step time.");

static const gp_report_field memory_fields[] = {
    GP_R_EXACT(gp_report_memory, "capacityBytes", capacity_bytes, GP_DIM_BYTES,
               "Usable memory of one GPU."),
    GP_R_REAL(gp_report_memory, "headroomFraction", headroom_fraction, GP_DIM_FRACTION,
              "Share of it that stays free on the fullest GPU."),
    GP_R_REAL(gp_report_memory, "headroomAskedFraction", headroom_asked_fraction, GP_DIM_FRACTION,
              "Share that the spec asks to keep free."),
    GP_R_EXACT(gp_report_memory, "usedBytes", used_bytes, GP_DIM_BYTES,
               "Memory used on the fullest GPU."),
    GP_R_BAND(gp_report_memory, "usedBand", used_band, GP_DIM_BYTES,
              "The same with its error band: about 80 % of measured peaks of this kind lie in it."),
    GP_R_COUNT(
        gp_report_memory, "worstStage", worst_stage,
        "Stage of the pipeline that the fullest GPU is in, from 1; 0: there is no pipeline."),
    GP_R_WORD(gp_report_memory, "fit", fit, fit_words, "Whether it fits."),
    GP_R_REAL(gp_report_memory, "kvPoolTokens", kv_pool_tokens, GP_DIM_COUNT,
              "Tokens that the KV cache of one replica holds."),
    GP_R_REAL(gp_report_memory, "kvBytesPerToken", kv_bytes_per_token, GP_DIM_BYTES,
              "KV cache of one token on one replica."),
    GP_R_LIST(gp_report_memory, "components", components, gp_report_component, component_type,
              "What the memory holds."),
};
static const gp_report_struct memory_type = GP_R_TYPE(
    gp_report_memory, memory_fields, .name = "memory", .help = "Memory of the fullest GPU.");

static const gp_report_field performance_fields[] = {
    GP_R_BAND(gp_report_performance, "stepTimeS", step_time_s, GP_DIM_TIME,
              "Time of one optimizer step."),
    GP_R_BAND(gp_report_performance, "tokensPerS", tokens_per_s, GP_DIM_PER_S,
              "Tokens trained, written, or, where nothing is written, read per second."),
    GP_R_BAND(gp_report_performance, "tokensPerSPerGpu", tokens_per_s_per_gpu, GP_DIM_PER_S,
              "The same for one GPU."),
    GP_R_BAND(gp_report_performance, "timeToCompleteS", time_to_complete_s, GP_DIM_TIME,
              "Wall time of the job with checkpoints, failures and restarts."),
    GP_R_BAND(gp_report_performance, "goodputFraction", goodput_fraction, GP_DIM_FRACTION,
              "Share of the wall time that trains."),
    GP_R_BAND(gp_report_performance, "mfuFraction", mfu_fraction, GP_DIM_FRACTION,
              "Model FLOP utilization."),
    GP_R_BAND(gp_report_performance, "ttftP95S", ttft_p95_s, GP_DIM_TIME,
              "Time to the first token, 95th percentile."),
    GP_R_BAND(gp_report_performance, "tpotP95S", tpot_p95_s, GP_DIM_TIME,
              "Time per further output token, 95th percentile."),
    GP_R_BAND(gp_report_performance, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Requests all replicas can take within the objectives."),
    GP_R_BAND(gp_report_performance, "concurrencyPerReplica", concurrency_per_replica, GP_DIM_NONE,
              "Sequences of mean length that the memory of one replica holds."),
    GP_R_REAL(gp_report_performance, "batchPerReplica", batch_per_replica, GP_DIM_NONE,
              "Sequences that run at once on one replica under the planned load."),
    GP_R_REAL(gp_report_performance, "demandRequestsPerS", demand_requests_per_s, GP_DIM_PER_S,
              "Requests planned for at the peak."),
    GP_R_REAL(gp_report_performance, "demandPeakToMean", demand_peak_to_mean, GP_DIM_NONE,
              "Assumed factor from mean to peak; null where the peak was given."),
    GP_R_REAL(gp_report_performance, "utilizationFraction", utilization_fraction, GP_DIM_FRACTION,
              "Planned demand over capacity."),
    GP_R_REAL(gp_report_performance, "checkpointIntervalS", checkpoint_interval_s, GP_DIM_TIME,
              "Time between checkpoints."),
    GP_R_REAL(gp_report_performance, "checkpointTimeS", checkpoint_time_s, GP_DIM_TIME,
              "Time to write one."),
    GP_R_REAL(gp_report_performance, "stepSequences", step_sequences, GP_DIM_COUNT,
              "Sequences of one optimizer step, globalBatch rounded to whole ones."),
    GP_R_REAL(gp_report_performance, "stepFillFraction", step_fill_fraction, GP_DIM_FRACTION,
              "Share of the places of its micro-batches that they fill."),
    GP_R_REAL(gp_report_performance, "trainedTokens", trained_tokens, GP_DIM_COUNT,
              "Tokens that one run trains on."),
    GP_R_BAND(gp_report_performance, "gpuTimeS", gpu_time_s, GP_DIM_TIME,
              "GPU time of one run: its GPUs times its wall time."),
    GP_R_BAND(gp_report_performance, "energyJ", energy_j, GP_DIM_ENERGY,
              "Energy of one run, cooling and losses included."),
    GP_R_REAL(gp_report_performance, "energyJPerMillionTokens", energy_j_per_million_tokens,
              GP_DIM_ENERGY,
              "Energy of a million tokens: trained, or of output at the planned load."),
    GP_R_EXACT(gp_report_performance, "costPerRun", cost_per_run, GP_DIM_MONEY,
               "The site's cost of the run's GPU-hours."),
    GP_R_EXACT(gp_report_performance, "costPerMillionTokens", cost_per_million_tokens, GP_DIM_MONEY,
               "The same of a million tokens: trained, or of output at the mean load."),
    GP_R_REAL(gp_report_performance, "timeBetweenFailuresS", time_between_failures_s, GP_DIM_TIME,
              "Mean time between failures that stop the run."),
    GP_R_REAL(gp_report_performance, "failures", failures, GP_DIM_NONE,
              "Failures expected in one run."),
    {.key = "preemptions",
     .kind = GP_REPORT_REAL,
     .offset = GP_OFFSET(gp_report_performance, taken, double),
     .omit_absent = true,
     .help = "Of them, those in which its machines are taken for others."},
    {.key = "preemptionTimeS",
     .kind = GP_REPORT_REAL,
     .offset = GP_OFFSET(gp_report_performance, taken_time_s, double),
     .dim = GP_DIM_TIME,
     .omit_absent = true,
     .help = "Time that these cost: work since the last checkpoint, and restarts."},
    GP_R_REAL(gp_report_performance, "startTimeS", start_time_s, GP_DIM_TIME,
              "Time before the first step, reading weights and data included."),
    GP_R_REAL(gp_report_performance, "restartTimeS", restart_time_s, GP_DIM_TIME,
              "Time from a failure to the next step: replacement, wait for a machine, reading the "
              "checkpoint and the weights."),
    GP_R_REAL(gp_report_performance, "evaluationFraction", evaluation_fraction, GP_DIM_FRACTION,
              "Time of evaluation over that of training."),
    GP_R_COUNT(gp_report_performance, "spareNodes", spare_nodes,
               "Machines that stand ready to replace failed ones: those of the spec, or as many as "
               "the run is assumed to have."),
    GP_R_REAL(gp_report_performance, "spareWaitS", spare_wait_s, GP_DIM_TIME,
              "Part of the restart that waits for a machine, on the mean."),
    GP_R_REAL(gp_report_performance, "errorFraction", error_fraction, GP_DIM_FRACTION,
              "Error of this class of estimates that 80% stay within."),
    GP_R_LIST(gp_report_performance, "stepParts", step_parts, gp_report_time_part,
              gp_report_part_type, "What the step time goes to."),
};
static const gp_report_struct performance_type =
    GP_R_TYPE(gp_report_performance, performance_fields, .name = "performance",
              .help = "Times and rates of the chosen layout.");

static const gp_report_field rate_fields[] = {
    GP_R_REAL(gp_report_rate, "rateBitsPerS", rate_bits_per_s, GP_DIM_BITS_PER_S,
              "Network rate per GPU."),
    GP_R_REAL(gp_report_rate, "stepTimeS", step_time_s, GP_DIM_TIME, "Step time at that rate."),
    GP_R_REAL(gp_report_rate, "communicationFraction", communication_fraction, GP_DIM_FRACTION,
              "Share of it that waits for the network."),
};
static const gp_report_struct rate_type = GP_R_TYPE(gp_report_rate, rate_fields, .name = "rate",
                                                    .help = "The same layout on another network.");

static const gp_report_field test_fields[] = {
    GP_R_STRING(gp_report_network_test, "command", command, "The command of nccl-tests to run."),
    GP_R_EXACT(gp_report_network_test, "sizeBytes", size_bytes, GP_DIM_BYTES, "Message size."),
    GP_R_REAL(gp_report_network_test, "busBandwidthBytesPerS", bus_bandwidth_bytes_per_s,
              GP_DIM_BYTES_PER_S, "Bus bandwidth the plan counts on."),
};
static const gp_report_struct test_type =
    GP_R_TYPE(gp_report_network_test, test_fields, .name = "networkTest",
              .help = "A measurement that would confirm the network.");

static const gp_report_field network_fields[] = {
    GP_R_BOOL(gp_report_network, "multiNode", multi_node, "The workload spans machines."),
    GP_R_REAL(gp_report_network, "rateBitsPerS", rate_bits_per_s, GP_DIM_BITS_PER_S,
              "Network rate per GPU."),
    GP_R_REAL(gp_report_network, "oversubscription", oversubscription, GP_DIM_NONE,
              "Down over up at the leaf; 1 is non-blocking."),
    GP_R_REAL(gp_report_network, "communicationFraction", communication_fraction, GP_DIM_FRACTION,
              "Share of the step that waits for communication."),
    GP_R_REAL(gp_report_network, "communicationTimeS", communication_time_s, GP_DIM_TIME,
              "Communication per step that is not hidden."),
    GP_R_WORD(gp_report_network, "bottleneck", bottleneck, bottleneck_words,
              "The slowest level that the traffic crosses."),
    GP_R_LIST(gp_report_network, "rates", rates, gp_report_rate, rate_type,
              "Step time at 100, 200, 400 and 800 Gb/s per GPU."),
    GP_R_OPTIONAL(gp_report_network, "test", test, gp_report_network_test, test_type,
                  "The test to run."),
};
static const gp_report_struct network_type = GP_R_TYPE(
    gp_report_network, network_fields, .name = "network", .help = "What the network costs.");

static const gp_report_field host_fields[] = {
    GP_R_EXACT(gp_report_host, "memoryNeedBytes", memory_need_bytes, GP_DIM_BYTES,
               "Host memory for page cache, loading, staged checkpoints and what is offloaded."),
    GP_R_EXACT(gp_report_host, "memoryBytes", memory_bytes, GP_DIM_BYTES, "Host memory there is."),
    GP_R_COUNT(gp_report_host, "coresNeed", cores_need, "Cores for data and processes."),
    GP_R_COUNT(gp_report_host, "cores", cores, "Cores there are."),
    GP_R_EXACT(gp_report_host, "nvmeNeedBytes", nvme_need_bytes, GP_DIM_BYTES,
               "Local drives for cache and scratch."),
    GP_R_EXACT(gp_report_host, "nvmeBytes", nvme_bytes, GP_DIM_BYTES, "Local drives there are."),
};
static const gp_report_struct host_type =
    GP_R_TYPE(gp_report_host, host_fields, .name = "host", .help = "A machine beside its GPUs.");

static const gp_report_field efficient_fields[] = {
    GP_R_STRING(gp_report_efficient, "system", system, "Catalogue id of the machines."),
    GP_R_COUNT(gp_report_efficient, "gpus", gpus, "GPUs."),
    GP_R_COUNT(gp_report_efficient, "nodes", nodes, "Machines."),
    GP_R_STRING(gp_report_efficient, "layout", layout, "Its layout in words."),
    GP_R_REAL(gp_report_efficient, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "Mean power with cooling and losses."),
    GP_R_REAL(gp_report_efficient, "savedFraction", saved_fraction, GP_DIM_FRACTION,
              "Share of the chosen one's energy for the same work that it saves."),
    GP_R_EXACT(gp_report_efficient, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "Cost of a year, where prices are known."),
};
static const gp_report_struct efficient_type =
    GP_R_TYPE(gp_report_efficient, efficient_fields, .name = "efficient",
              .help = "The kind of machine that takes the least energy for the work.");

static const gp_report_field launch_fields[] = {
    GP_R_STRING(gp_report_launch, "framework", framework, "As the spec names it."),
    GP_R_STRING(gp_report_launch, "rules", rules,
                "Whose rules the layout keeps, and whose spelling an export takes."),
    GP_R_COUNT(gp_report_launch, "sequenceLength", sequence_length, "Tokens of a sequence."),
    GP_R_COUNT(gp_report_launch, "globalBatchSequences", global_batch_sequences,
               "Sequences of one optimizer step, as planned."),
    GP_R_REAL(gp_report_launch, "askedSequences", asked_sequences, GP_DIM_COUNT,
              "The same as the spec states it, or by default."),
    GP_R_COUNT(gp_report_launch, "layers", layers, "Layers of the model."),
    GP_R_COUNT(gp_report_launch, "experts", experts, "Routed experts of a layer; 0: none."),
    GP_R_COUNT(gp_report_launch, "firstStageLayers", first_stage_layers,
               "Layers of the first pipeline stage."),
    GP_R_COUNT(gp_report_launch, "stageLayers", stage_layers,
               "Layers of a stage between the ends."),
    GP_R_COUNT(gp_report_launch, "lastStageLayers", last_stage_layers,
               "Layers of the last pipeline stage."),
    GP_R_STRING(gp_report_launch, "compute", compute, "Precision of the matrix products."),
    GP_R_STRING(gp_report_launch, "gradients", gradients, "Format that gradients are summed in."),
    GP_R_STRING(gp_report_launch, "optimizer", optimizer, "Optimizer and the format of its state."),
    GP_R_BOOL(gp_report_launch, "drives", drives, "What is offloaded waits on drives."),
};
static const gp_report_struct launch_type =
    GP_R_TYPE(gp_report_launch, launch_fields, .name = "launch",
              .help = "What a run is launched with beside the degrees of its layout.");

static const gp_report_field goal_fields[] = {
    GP_R_STRING(gp_report_goal, "name", name, "The goal."),
    GP_R_REAL(gp_report_goal, "target", target, GP_DIM_NONE, "What was asked for."),
    GP_R_REAL(gp_report_goal, "expected", expected, GP_DIM_NONE, "What is expected."),
    GP_R_REAL(gp_report_goal, "judged", judged, GP_DIM_NONE,
              "The figure that is held against the target, by the confidence asked for."),
    GP_R_REAL(gp_report_goal, "low", low, GP_DIM_NONE, "Lower edge of the band."),
    GP_R_REAL(gp_report_goal, "high", high, GP_DIM_NONE, "Upper edge of the band."),
    GP_R_BOOL(gp_report_goal, "ok", ok, "Met at the confidence asked for."),
    GP_R_BOOL(gp_report_goal, "okAtExpected", ok_at_expected, "Met by the expected value."),
    GP_R_REAL(gp_report_goal, "marginFraction", margin_fraction, GP_DIM_FRACTION,
              "Room left at that confidence, as a share of the target."),
    GP_R_STRING(gp_report_goal, "unit", unit, "Unit of the figures."),
    GP_R_WORD(gp_report_goal, "state", state, goal_states,
              "Met, met by the expected value only, missed, or not judged for want of inputs."),
};
static const gp_report_struct goal_type = GP_R_TYPE(
    gp_report_goal, goal_fields, .name = "goal", .dim_offset = offsetof(gp_report_goal, dim),
    .name_key = "name", .help = "What the workload has to achieve.");

static const gp_report_field trial_fields[] = {
    GP_R_COUNT(gp_report_trial, "replicas", replicas,
               "Replicas that carry the load; of the decode pool where there are two."),
    GP_R_COUNT(gp_report_trial, "prefillReplicas", prefill_replicas,
               "Replicas of the prefill pool; 0: prompts run beside the decode steps."),
    GP_R_BOOL(gp_report_trial, "ok", ok, "Every goal is met at the confidence asked for."),
    GP_R_BOOL(gp_report_trial, "saturated", saturated, "The queue grew to the end."),
    GP_R_REAL(gp_report_trial, "ttftP95S", ttft_p95_s, GP_DIM_TIME,
              "Time to the first token, 95th percentile."),
    GP_R_REAL(gp_report_trial, "tpotP95S", tpot_p95_s, GP_DIM_TIME,
              "Time per further output token, 95th percentile over requests."),
};
static const gp_report_struct trial_type =
    GP_R_TYPE(gp_report_trial, trial_fields, .name = "trial",
              .help = "A number of replicas under the planned load.");

static const gp_report_field simulation_fields[] = {
    GP_R_BOOL(gp_report_simulation, "confirmed", confirmed,
              "The chosen replicas keep to the service level."),
    GP_R_COUNT(gp_report_simulation, "requests", requests, "Requests of each run."),
    GP_R_REAL(gp_report_simulation, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Their rate: the planned one with its headroom."),
    GP_R_STRUCT(gp_report_simulation, "chosen", chosen, gp_report_trial, trial_type,
                "The chosen replicas, spares apart."),
    GP_R_OPTIONAL(gp_report_simulation, "fewer", fewer, gp_report_trial, trial_type,
                  "One replica less."),
    GP_R_STRUCT(gp_report_simulation, "closedForm", closed_form, gp_report_trial, trial_type,
                "What the closed form says of the chosen replicas."),
    GP_R_COUNT(gp_report_simulation, "closedFormReplicas", closed_form_replicas,
               "Replicas that the closed form by itself would choose."),
    GP_R_STRING(gp_report_simulation, "summary", summary, "The same in words."),
};
static const gp_report_struct simulation_type =
    GP_R_TYPE(gp_report_simulation, simulation_fields, .name = "simulation",
              .help = "A short simulation of the chosen replicas.");

static const gp_report_field workload_fields[] = {
    GP_R_STRING(gp_report_workload, "name", name, "The workload."),
    GP_R_WORD(gp_report_workload, "type", type, type_words, "What it does."),
    GP_R_STRUCT(gp_report_workload, "recommendation", recommendation, gp_report_recommendation,
                gp_report_recommendation_type, "Up or out."),
    GP_R_STRUCT(gp_report_workload, "memory", memory, gp_report_memory, memory_type,
                "Memory of the chosen layout."),
    GP_R_STRUCT(gp_report_workload, "performance", performance, gp_report_performance,
                performance_type, "Times and rates of the chosen layout."),
    GP_R_STRUCT(gp_report_workload, "network", network, gp_report_network, network_type,
                "What the network costs."),
    GP_R_STRUCT(gp_report_workload, "host", host, gp_report_host, host_type,
                "Machines beside their GPUs."),
    GP_R_OPTIONAL(gp_report_workload, "efficient", efficient, gp_report_efficient, efficient_type,
                  "Less energy for the same work."),
    GP_R_OPTIONAL(gp_report_workload, "launch", launch, gp_report_launch, launch_type,
                  "What a run is launched with; null for inference."),
    GP_R_OPTIONAL(gp_report_workload, "service", service, gp_report_service, gp_report_service_type,
                  "A service as it runs; null for jobs."),
    {.key = "rl",
     .kind = GP_REPORT_OPTIONAL,
     .offset = GP_OFFSET(gp_report_workload, rl, const gp_report_rl *),
     .nested = &gp_report_rl_type,
     .omit_absent = true,
     .help = "A step of reinforcement learning."},
    {.key = "seats",
     .kind = GP_REPORT_OPTIONAL,
     .offset = GP_OFFSET(gp_report_workload, seats, const gp_report_seats *),
     .nested = &gp_report_seats_type,
     .omit_absent = true,
     .help = "People at GPUs."},
    GP_R_LIST(gp_report_workload, "goals", goals, gp_report_goal, goal_type, "Its goals."),
    GP_R_OPTIONAL(gp_report_workload, "simulation", simulation, gp_report_simulation,
                  simulation_type, "What a short simulation says of the chosen replicas."),
    GP_R_STRING(gp_report_workload, "simulationNote", simulation_note,
                "Why there is no simulation where one was due."),
    GP_R_STRING(gp_report_workload, "model", model, "Catalogue id of the model."),
    GP_R_REAL(gp_report_workload, "parameters", parameters, GP_DIM_COUNT, "Its parameters."),
    GP_R_REAL(gp_report_workload, "activeParameters", active_parameters, GP_DIM_COUNT,
              "Parameters that one token uses."),
};
const gp_report_struct gp_report_workload_type =
    GP_R_TYPE(gp_report_workload, workload_fields, .name = "workload", .name_key = "name",
              .help = "A workload and what it takes.");
