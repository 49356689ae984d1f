/*
 * The spec (kind: Plan) as bound structs, and its resolution against a catalogue. A member that is
 * absent is zero with origin NONE. All doubles are in the unit their name ends in.
 */
#ifndef GP_MODEL_MODEL_H
#define GP_MODEL_MODEL_H

#include "catalog/catalog.h"

/* A scalar or a map; the bare scalar means `mean` for traffic and `p95` for an SLO. */
typedef struct gp_distribution {
    gp_meta meta;
    double mean, p50, p95, p99, peak;
} gp_distribution;

typedef enum gp_confidence {
    GP_CONFIDENCE_EXPECTED,
    GP_CONFIDENCE_P80,
    GP_CONFIDENCE_P90
} gp_confidence;

typedef enum gp_tuning { GP_TUNING_TUNED, GP_TUNING_TYPICAL, GP_TUNING_UNTUNED } gp_tuning;

typedef struct gp_software {
    gp_meta meta;
    const char *framework; /* training stacks */
    const char *engine;    /* serving stacks */
    const char *release;
    int tuning;        /* gp_tuning */
    double efficiency; /* user's own factor on tuned throughput; replaces tuning; 0: none */
} gp_software;

typedef struct gp_headroom {
    gp_meta meta;
    double gpus_fraction;
    double memory_fraction;
} gp_headroom;

typedef struct gp_defaults {
    gp_meta meta;
    int precision; /* gp_precision */
    int confidence;
    gp_headroom headroom;
    gp_software software;
} gp_defaults;

typedef enum gp_redundancy { GP_REDUNDANCY_N, GP_REDUNDANCY_N1, GP_REDUNDANCY_2N } gp_redundancy;

typedef struct gp_pue_spec {
    gp_meta meta;
    double pue;
} gp_pue_spec;

typedef struct gp_circuits {
    gp_meta meta;
    int64_t phases;
    double voltage_v;
    double current_a;
    double derate_fraction;
    double power_factor;
} gp_circuits;

typedef struct gp_site_power {
    gp_meta meta;
    double it_capacity_w;
    int64_t feeds;
    int redundancy; /* gp_redundancy */
    gp_pue_spec design;
    gp_pue_spec annual;
    gp_circuits circuits;
    double cap_fraction;  /* GPU power cap as a share of TDP; 0: none */
    double load_fraction; /* in use of what the facility was built for */
} gp_site_power;

typedef struct gp_site_air {
    gp_meta meta;
    const char *class_name; /* A1..A4 */
    double supply_c;
    double delta_t_k;
    double capacity_w;
    double per_rack_w;
    double door_fraction; /* of its heat, taken up by doors with water in them */
} gp_site_air;

typedef struct gp_site_liquid {
    gp_meta meta;
    const char *class_name; /* W17..W45 */
    double supply_c;
    double delta_t_k;
    double capacity_w;
} gp_site_liquid;

/* Climates by the share of the year in which chillers run for air and for cool water. */
typedef enum gp_climate {
    GP_CLIMATE_UNKNOWN, /* chillers all year: a design is judged so */
    GP_CLIMATE_COLD,
    GP_CLIMATE_TEMPERATE,
    GP_CLIMATE_HOT,
    GP_CLIMATE_COUNT
} gp_climate;

typedef struct gp_site_cooling {
    gp_meta meta;
    gp_site_air air;
    gp_site_liquid liquid;
    int climate; /* gp_climate */
    double wue_l_per_j;
} gp_site_cooling;

typedef struct gp_site_racks {
    gp_meta meta;
    int64_t count;
    double height_u;
    double used_u;
    double max_power_w;
    double max_weight_kg;
} gp_site_racks;

typedef struct gp_site_energy {
    gp_meta meta;
    double price_per_j;
    double carbon_kg_per_j;
    const char *grid; /* catalogue grid id instead of carbon */
    double renewable_fraction;
    double embodied_kg_per_gpu; /* of making and delivering a machine, by GPU; 0: not known */
} gp_site_energy;

typedef struct gp_site {
    gp_meta meta;
    double altitude_m;
    gp_site_power power;
    gp_site_cooling cooling;
    gp_site_racks racks;
    gp_site_energy energy;
} gp_site;

typedef struct gp_pool {
    gp_meta meta;
    const char *name;
    gp_system system;    /* scalar form: the id, in system.extends */
    gp_system overrides; /* fields that replace the catalogue's */
    int64_t count;
    int64_t in_use;
    int64_t connected; /* of `count`: on the compute fabric */
    GP_LIST(gp_entry) labels;
} gp_pool;

typedef enum gp_fabric_kind { GP_FABRIC_INFINIBAND, GP_FABRIC_ETHERNET } gp_fabric_kind;
typedef enum gp_topology {
    GP_TOPOLOGY_RAIL,
    GP_TOPOLOGY_FAT_TREE,
    GP_TOPOLOGY_DRAGONFLY
} gp_topology;

typedef struct gp_fabric {
    gp_meta meta;
    const char *name; /* compute | storage | ... */
    int kind;         /* gp_fabric_kind */
    double rate_bits_per_s;
    int topology;             /* gp_topology */
    int64_t tiers;            /* 0: auto */
    int64_t planes;           /* separate fabrics that every port is split over; 0: 1 */
    double oversubscription;  /* down : up at the leaf; 1 is non-blocking */
    gp_switch switch_product; /* key "switch"; scalar form: id */
} gp_fabric;

typedef struct gp_storage {
    gp_meta meta;
    const char *name;
    double capacity_bytes;
    double read_bytes_per_s;
    double write_bytes_per_s;
} gp_storage;

typedef struct gp_reserve {
    gp_meta meta;
    int64_t spare_nodes;
    int64_t system_nodes;
} gp_reserve;

/* Times at which the whole cluster stands still, announced beforehand. */
typedef struct gp_maintenance {
    gp_meta meta;
    double every_s, duration_s;
} gp_maintenance;

/* Machines that nobody works on for a while. */
typedef enum gp_idle { GP_IDLE_POWERED_DOWN, GP_IDLE_POWERED_ON } gp_idle;

typedef struct gp_cluster {
    gp_meta meta;
    int idle; /* gp_idle */
    GP_LIST(gp_pool) pools;
    GP_LIST(gp_fabric) fabrics;
    GP_LIST(gp_storage) storage;
    gp_reserve reserve;
    gp_maintenance maintenance;
} gp_cluster;

typedef struct gp_budget {
    gp_meta meta;
    double capital;
    double per_s; /* recurring */
} gp_budget;

/* One of several places, each with what `site` and `cluster` say of a single one. */
typedef struct gp_named_site {
    gp_meta meta;
    const char *name;
    gp_site site;
    gp_cluster cluster;
    gp_budget budget;
} gp_named_site;

/* What lies between two of them, both ways. */
typedef struct gp_site_link {
    gp_meta meta;
    GP_LIST(const char *) between;
    double bits_per_s, round_trip_s, price_per_s;
} gp_site_link;

typedef enum gp_objective {
    GP_OBJECTIVE_AUTO,
    GP_OBJECTIVE_MIN_COST,
    GP_OBJECTIVE_MIN_POWER,
    GP_OBJECTIVE_MIN_GPUS,
    GP_OBJECTIVE_MIN_TIME,
    GP_OBJECTIVE_MIN_MACHINES,
    GP_OBJECTIVE_MIN_CARBON
} gp_objective;

typedef struct gp_candidate_limits {
    gp_meta meta;
    int64_t max_nodes; /* per workload; default in the table */
    int64_t step;
} gp_candidate_limits;

typedef struct gp_candidates {
    gp_meta meta;
    GP_LIST(const char *) allow; /* system ids, "cloud:ID", or pool names */
    GP_LIST(const char *) deny;
    gp_candidate_limits limits;
    int objective;
    double spot_interrupted_s; /* mean time until one spot machine is taken back; 0: not known */
} gp_candidates;

typedef enum gp_workload_type {
    GP_WORKLOAD_TRAINING,
    GP_WORKLOAD_FINETUNE,
    GP_WORKLOAD_LORA,
    GP_WORKLOAD_INFERENCE,
    GP_WORKLOAD_RL,
    GP_WORKLOAD_SEATS,
    GP_WORKLOAD_TYPE_COUNT
} gp_workload_type;

/* Tokens per optimizer step that will do. */
typedef struct gp_batch_range {
    gp_meta meta;
    double min, max;
} gp_batch_range;

typedef struct gp_data {
    gp_meta meta;
    double tokens;
    double samples;
    double tokens_per_sample;
    double stored_bytes; /* 0: by its tokens */
    double epochs;
    bool packing;
    double sequence_length;
    double global_batch; /* tokens per optimizer step; with a range its middle */
    gp_batch_range global_batch_range;
} gp_data;

typedef struct gp_slo {
    gp_meta meta;
    gp_distribution ttft_s;
    gp_distribution tpot_s;
    gp_distribution e2e_s;
    double availability;
} gp_slo;

typedef struct gp_goal {
    gp_meta meta;
    double complete_within_s;
    double every_s;
    double max_duration_s;
    gp_slo slo;
    double throughput_tokens_per_s; /* output tokens (inference) or tokens trained */
} gp_goal;

typedef struct gp_precision_spec {
    gp_meta meta;
    int compute;   /* gp_precision */
    int gradients; /* gp_format */
    int optimizer; /* gp_optimizer */
    int weights;   /* gp_format: serving weights */
    int kv_cache;  /* gp_format */
} gp_precision_spec;

typedef enum gp_optimizer {
    GP_OPTIMIZER_ADAMW,
    GP_OPTIMIZER_ADAMW_8BIT,
    GP_OPTIMIZER_ADAMW_BF16,
    GP_OPTIMIZER_SGD,
    GP_OPTIMIZER_ADAFACTOR,
    GP_OPTIMIZER_MUON,
    GP_OPTIMIZER_ADAMW_MIXED /* FP32 weights, BF16 moments */
} gp_optimizer;

typedef struct gp_parallelism {
    gp_meta meta;
    const char *mode; /* auto; "explicit" is implied by any number */
    int64_t tp, pp, vpp, dp, cp, ep, zero, micro_batch;
    int64_t shard_group; /* ZeRO 3: GPUs that share one set of weights; 0: all */
} gp_parallelism;

typedef enum gp_recompute {
    GP_RECOMPUTE_AUTO,
    GP_RECOMPUTE_NONE,
    GP_RECOMPUTE_SELECTIVE,
    GP_RECOMPUTE_FULL
} gp_recompute;

/* What of the training states waits outside the GPU. */
typedef enum gp_offload {
    GP_OFFLOAD_NONE,
    GP_OFFLOAD_OPTIMIZER,
    GP_OFFLOAD_PARAMETERS, /* and the optimizer's states */
    GP_OFFLOAD_AUTO        /* as little as makes it fit */
} gp_offload;

typedef enum gp_offload_place {
    GP_OFFLOAD_ANYWHERE, /* the host where it has room, else its drives */
    GP_OFFLOAD_HOST,
    GP_OFFLOAD_NVME
} gp_offload_place;

typedef struct gp_offload_spec {
    gp_meta meta;
    int states; /* gp_offload */
    int to;     /* gp_offload_place */
} gp_offload_spec;

typedef struct gp_checkpoint_spec {
    gp_meta meta;
    double interval_s; /* 0: auto */
    int64_t keep;
} gp_checkpoint_spec;

/* What a whole run takes beside its steps; 0: the constants. */
typedef struct gp_run_spec {
    gp_meta meta;
    double start_s;           /* images, compilation, warm-up before the first step */
    double restart_s;         /* detection and replacement after a failure */
    double gpu_mttf_s;        /* mean time to failure of one GPU */
    double preempted_every_s; /* mean time until others take its GPUs; 0: nobody does */
} gp_run_spec;

/* Evaluation on held-out tokens, once every so many trained ones. */
typedef struct gp_evaluation_spec {
    gp_meta meta;
    double tokens;
    double every;
} gp_evaluation_spec;

typedef struct gp_placement {
    gp_meta meta;
    const char *pool;
    GP_LIST(const char *) sites; /* where it may run; none: anywhere */
    bool exclusive;
    bool time_sharing;
    const char *gpu_parts; /* auto, none */
    const char *survives;  /* site: the loss of any one; NULL: nothing */
    const char *home;      /* site of its users and data; NULL: not known */
} gp_placement;

typedef enum gp_adapter_method {
    GP_ADAPTER_LORA,
    GP_ADAPTER_QLORA,
    GP_ADAPTER_DORA
} gp_adapter_method;

typedef struct gp_adapter {
    gp_meta meta;
    int method;
    int64_t rank;
    GP_LIST(const char *) targets; /* q_proj k_proj v_proj o_proj gate_proj up_proj down_proj all */
    int base;                      /* gp_format of the frozen weights */
} gp_adapter;

typedef struct gp_jobs {
    gp_meta meta;
    double per_week;
    int64_t concurrent;
    int64_t per_gpu; /* most jobs that may share one GPU; 0: auto */
} gp_jobs;

typedef struct gp_profile {
    gp_meta meta;
    const char *name;       /* flat | diurnal | office */
    GP_LIST(double) hourly; /* 24 factors, list form */
    const char *trace;
} gp_profile;

typedef struct gp_images {
    gp_meta meta;
    double per_request;
    int64_t edge;          /* pixels of a square; 0: width and height say it, or nothing needs to */
    int64_t width, height; /* pixels */
    int64_t frames;        /* of a video; 0: an image */
} gp_images;

/* Pictures or clips that a request asks for. */
typedef struct gp_generate {
    gp_meta meta;
    double per_request;
    int64_t width, height; /* pixels */
    int64_t frames;        /* of a clip; 0: a picture */
    int64_t steps;         /* of the denoiser */
    bool guidance;         /* the prompt guides it: two passes to a step, where not learned */
} gp_generate;

/* Sound that is heard, or said. */
typedef struct gp_audio {
    gp_meta meta;
    double per_request_s;
    double per_day_s; /* of all requests, in place of their rate */
    double streams;   /* that run in real time, in place of it */
} gp_audio;

typedef struct gp_traffic {
    gp_meta meta;
    gp_distribution requests_per_s;
    gp_profile profile;
    gp_distribution input_tokens;
    gp_distribution output_tokens;
    gp_distribution thought_tokens;
    int64_t branches;
    gp_images images, videos;
    gp_generate generate;
    gp_audio audio;
    double candidates; /* items that one request has scored */
    double prefix_hit_fraction;
    int64_t adapters, resident_adapters;
    GP_LIST(double) adapter_rates; /* of each; only their proportions count */
    double requests; /* of one offline job with a deadline, in place of a rate */
} gp_traffic;

typedef struct gp_speculative {
    gp_meta meta;
    int64_t tokens; /* drafted per step; 0: none */
    double acceptance_fraction;
    double draft_cost_fraction; /* time of one drafted token over that of a step of the model */
} gp_speculative;

typedef struct gp_scaling {
    gp_meta meta;
    int64_t min_replicas, max_replicas;
    int64_t spare_replicas;      /* beyond the need, whatever the availability: 1 is N+1 */
    GP_LIST(const char *) allow; /* vertical, horizontal */
} gp_scaling;

typedef enum gp_rl_algorithm {
    GP_RL_GRPO,
    GP_RL_DAPO,
    GP_RL_PPO,
    GP_RL_ONLINE_DPO,
    GP_RL_ALGORITHM_COUNT
} gp_rl_algorithm;

/* Which GPUs generate and which train. */
typedef enum gp_rl_pools {
    GP_RL_POOLS_AUTO,
    GP_RL_POOLS_COLOCATED, /* the same, in turn */
    GP_RL_POOLS_APART
} gp_rl_pools;

/* What an answer is worth: a rule where neither model nor service is named. */
typedef struct gp_rl_reward {
    gp_meta meta;
    gp_model model;      /* of its own, on the GPUs that train */
    const char *service; /* a workload that serves; it carries its load itself */
    double cpu_s;        /* processor time that checks one answer */
    int64_t cores;       /* of one machine, for that; 0: those of the machine */
} gp_rl_reward;

typedef struct gp_rl_spec {
    gp_meta meta;
    int algorithm; /* gp_rl_algorithm */
    double prompts_per_step;
    double samples_per_prompt;
    double drawn_factor; /* samples generated for each that is trained on */
    double updates_per_step;
    gp_distribution prompt_tokens, response_tokens; /* peak: the most that may be written */
    double turns;       /* that an answer is written in, with a tool between two of them */
    double tool_s;      /* that a tool takes */
    double tool_tokens; /* that it adds to what is read */
    double steps;
    double prompts, epochs; /* in place of steps */
    bool reference;         /* a frozen copy of the policy keeps it near */
    bool reads_policy;      /* log-probabilities are worked out again before the updates */
    gp_model critic;
    gp_rl_reward reward;
    int pools; /* gp_rl_pools */
    int64_t lag;
    int64_t rollout_gpus;  /* apart: that generate; 0: searched */
    gp_parallelism engine; /* of one replica that generates */
} gp_rl_spec;

/* What a model is tuned to. */
typedef enum gp_method_kind {
    GP_METHOD_SFT, /* to answer as the data does; also where nothing is said */
    GP_METHOD_CONTINUED,
    GP_METHOD_DPO,
    GP_METHOD_REWARD_MODEL,
    GP_METHOD_DISTILLATION
} gp_method_kind;

typedef struct gp_method {
    gp_meta meta;
    int kind;         /* gp_method_kind */
    gp_model teacher; /* distillation */
    bool cached;      /* what the reference or the teacher says was written down beforehand */
} gp_method;

/* People who work on a GPU by hand: notebooks, development. */
typedef struct gp_seats {
    gp_meta meta;
    int64_t people;          /* who may open a seat */
    double present_fraction; /* of them, at the busiest */
    double found_fraction;   /* of the busiest time in which whoever comes finds a free one */
    int64_t at_once;         /* seats open at the busiest; 0: of the three above */
    int64_t gpus;            /* whole ones, of a seat; 0: a part of one that has `memory` */
    double memory_bytes;
    double compute_fraction; /* of a GPU, that the part has at the least */
    double busy_fraction;    /* of an open seat's time in which its GPU computes */
    gp_profile hours;
} gp_seats;

typedef struct gp_workload {
    gp_meta meta;
    const char *name;
    const char *team;
    int type; /* gp_workload_type */
    gp_model model;
    gp_method method;
    gp_data data;
    gp_goal goal;
    gp_software software;
    gp_precision_spec precision;
    gp_parallelism parallelism;
    int recompute;
    gp_offload_spec offload;
    gp_checkpoint_spec checkpoint;
    gp_run_spec run;
    gp_evaluation_spec evaluation;
    gp_placement placement;
    int64_t priority;
    gp_adapter adapter;
    gp_rl_spec rl;
    gp_seats seats;
    gp_jobs jobs;
    gp_traffic traffic;
    gp_scaling scaling;
    gp_speculative speculative;
    const char *disaggregated; /* auto | true | false */
    int64_t replicas;          /* declared for `check`: replicas that run today; 0: unknown */
} gp_workload;

/* People who share a cluster with others. */
typedef struct gp_team {
    gp_meta meta;
    const char *name;
    int64_t gpus;          /* its own */
    double share_fraction; /* in place of them: of all */
    int64_t borrow_gpus;   /* beyond them; any number where not given */
} gp_team;

typedef struct gp_lead_time {
    gp_meta meta;
    double gpus_s, fabric_s, power_s;
} gp_lead_time;

typedef struct gp_scenarios {
    gp_meta meta;
    GP_LIST(gp_entry) low, expected, high; /* workload -> growth per second */
} gp_scenarios;

typedef struct gp_growth_add {
    gp_meta meta;
    int64_t at; /* yyyymmdd */
    gp_workload workload;
} gp_growth_add;

typedef struct gp_growth {
    gp_meta meta;
    int64_t start;
    double horizon_s;
    int64_t module_nodes; /* bought at a time; 0: as many as are needed */
    gp_lead_time lead_time;
    gp_scenarios scenarios;
    GP_LIST(gp_growth_add) adds;
} gp_growth;

typedef struct gp_costs {
    gp_meta meta;
    const char *currency;
    double amortization_s;
    double discount_per_s;
    double support_per_s; /* share of capital cost */
    double staff_per_s;
    double colocation_per_w_s;
    double licenses_per_gpu_s;
    double residual_fraction; /* of the purchase price, after the amortization */
    gp_budget budget;
    GP_LIST(const char *) prices; /* file:..., lock:... */
} gp_costs;

typedef struct gp_plan_spec {
    gp_meta meta;
    gp_defaults defaults;
    gp_site site;       /* of several sites: nothing */
    gp_cluster cluster; /* the only one; of several sites: their pools, storage and reserves */
    GP_LIST(gp_named_site) sites; /* as written; one alone is `site` and `cluster`, too */
    GP_LIST(gp_site_link) links;
    gp_candidates candidates;
    GP_LIST(gp_team) teams;
    GP_LIST(gp_workload) workloads;
    gp_growth growth;
    gp_costs costs;
    GP_LIST(const char *) calibration;
} gp_plan_spec;

typedef struct gp_metadata {
    gp_meta meta;
    const char *name;
    GP_LIST(gp_entry) labels;
    GP_LIST(gp_entry) annotations;
} gp_metadata;

typedef struct gp_plan_document {
    gp_meta meta;
    const char *api_version;
    const char *kind;
    gp_metadata metadata;
    gp_plan_spec spec;
    const gp_text *text;
    bool wrong; /* errors were reported while reading it: resolving only checks its references */
} gp_plan_document;

/* One price of a Prices document. */
typedef struct gp_price {
    gp_meta meta;
    const char *item; /* system/ID, switch/ID, gpu/ID, cloud:ID, ... */
    double price;     /* money, or money per second where `rate` */
    double price_per_s;
    const char *term;
    const char *region;
    double lead_time_s;
} gp_price;

typedef struct gp_prices {
    gp_meta meta;
    const char *currency;
    int64_t valid_until;
    const char *source;
    GP_LIST(gp_price) items;
} gp_prices;

/* ---------------------------------------------------------------- policies */

/* One rule of a policy: "METRIC OP VALUE" over the figures of a report. */
typedef struct gp_policy_rule {
    gp_meta meta;
    const char *id;
    int level;                /* gp_level */
    GP_LIST(gp_entry) select; /* workload.name, workload.type: glob patterns */
    const char *assertion;
    const char *message; /* NULL: made from the figures */
} gp_policy_rule;

/* A finding that is accepted until a date. Empty lists: everywhere. */
typedef struct gp_waiver {
    gp_meta meta;
    const char *rule;
    GP_LIST(const char *) paths;     /* of specs; `**` crosses folders */
    GP_LIST(const char *) workloads; /* glob patterns */
    int64_t until;                   /* yyyymmdd, the last day */
    const char *reason;
} gp_waiver;

typedef struct gp_policy {
    gp_meta meta;
    const char *name; /* metadata.name */
    int fail_on;      /* gp_level */
    GP_LIST(gp_policy_rule) rules;
    GP_LIST(gp_entry) levels; /* rule id to note, warning, error or off */
    GP_LIST(gp_waiver) waivers;
} gp_policy;

/* A --set PATH=VALUE override, e.g. {"workloads.chat.traffic.requestsPerSecond", "80"}. */
typedef struct gp_override {
    const char *path;
    const char *value;
} gp_override;

/* Everything read from the given texts. */
typedef struct gp_spec {
    GP_LIST(gp_plan_document *) plans;
    GP_LIST(gp_prices *) prices;
    GP_LIST(const gp_policy *) policies;
    GP_LIST(const gp_text *) catalogs; /* Catalog documents found among the inputs */
} gp_spec;

/* Parses and binds all documents of `text`, appending to `spec`. All schema and unit errors go to
 * `diags`; GP_ERR_INPUT when there was one (a plan with errors is appended too, with `wrong` set,
 * so that resolving it adds its reference errors to the same run). Does not look at the catalogue.
 * `overrides` are applied to every plan after binding (an unknown path is an error with the nearest
 * name). */
gp_status gp_spec_read(gp_arena *arena, const gp_text *text, const gp_override *overrides,
                       size_t override_count, gp_diags *diags, gp_spec *spec);
/* Resolves references against the catalogue, applies `extends`, pool overrides and
 * spec.defaults, and checks the model's invariants. The document is changed in place; every
 * resolved field keeps its origin. GP_ERR_INPUT also for a document that is `wrong`. */
gp_status gp_spec_resolve(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                          gp_plan_document *plan);

/* The first link between two sites; NULL: none. */
const gp_site_link *gp_link_between(const gp_plan_spec *spec, const char *one, const char *other);

/* A resolved plan as one of its several sites has it: its site and cluster, and the workloads that
 * may run there. NOT_FOUND: there is no such site. */
gp_status gp_plan_at_site(gp_arena *arena, const gp_plan_document *plan, const char *name,
                          gp_plan_document **ret_plan);

/* Descriptor tables, for docs and schema output. */
extern const gp_struct gp_plan_document_type;
extern const gp_struct gp_prices_document_type;

/* Text forms of the descriptor tables (arena-owned): Markdown reference and JSON Schema
 * (draft-07) of `kind`: "spec", "catalog", "prices", "policy", "config", and as JSON Schema
 * "document" for any of them. NULL kind: spec. */
gp_status gp_schema_markdown(gp_arena *arena, const char *kind, const char **ret_text);
gp_status gp_schema_json(gp_arena *arena, const char *kind, const char **ret_text);

/* ---------------------------------------------------------------- comparing specs */

/* A difference between two specs, as --set writes it. */
typedef struct gp_spec_change {
    const char *path;        /* "workloads.chat.traffic.requestsPerSecond" */
    const char *base, *head; /* the values in flow form; NULL: not there */
    bool settable;           /* false: a whole item of a list came or went */
    gp_span span;            /* in the head; of what went in the base */
} gp_spec_change;

typedef GP_LIST(gp_spec_change) gp_spec_changes;

/* What differs between a plan of one text and a plan of another (each by its name); both were read
 * without an error. Items of lists are told apart by their names. NOT_FOUND where a text has no
 * such plan. */
gp_status gp_spec_compare(gp_arena *arena, const gp_text *base, const char *base_plan,
                          const gp_text *head, const char *head_plan, gp_spec_changes *ret_changes);

/* A number that a plan states, as --set would write it. */
typedef struct gp_spec_number {
    const char *path; /* "workloads.chat.traffic.requestsPerSecond.mean" */
    const char *text; /* "25", "80 GiB", "2T tokens" */
    bool whole;       /* a count without a prefix: it stays whole */
} gp_spec_number;

typedef GP_LIST(gp_spec_number) gp_spec_numbers;

/* All numbers of the plan of this name, in the order of the text, but for degrees of parallelism:
 * those are names of layouts. NOT_FOUND where the text has no such plan. */
gp_status gp_spec_list_numbers(gp_arena *arena, const gp_text *text, const char *plan,
                               gp_spec_numbers *ret_numbers);
/* The number times `factor`, its unit kept; a whole number moves by one at least, and not below 0.
 * NULL when memory is short. */
const char *gp_spec_number_scaled(gp_arena *arena, const gp_spec_number *number, double factor);

#endif
