/*
 * The report: one typed model of the answer, in the shape and key order of report.json. Renderers
 * read it and nothing else. Figures are frozen when gp_report_build returns; findings may be
 * appended after. All strings and lists live in the arena of the builder, or are constants.
 *
 * A figure that does not apply (a latency of a training job) or is not known is absent: a double is
 * GP_REPORT_NO_REAL (a NaN), a count GP_REPORT_NO_COUNT, a string or optional struct NULL. JSON
 * prints null for it, or leaves the key out where the row says so.
 */
#ifndef GPUPLAN_REPORT_H
#define GPUPLAN_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <gpuplan/diag.h>
#include <gpuplan/units.h>

#define GP_REPORT_NO_REAL  ((double)NAN)
#define GP_REPORT_NO_COUNT INT64_MIN

/* ---------------------------------------------------------------- descriptors */

typedef struct gp_report_struct gp_report_struct;

typedef enum gp_report_kind {
    GP_REPORT_STRING,   /* const char * */
    GP_REPORT_BOOL,     /* bool */
    GP_REPORT_COUNT,    /* int64_t */
    GP_REPORT_REAL,     /* double, printed with 6 significant digits */
    GP_REPORT_EXACT,    /* double, printed in full: bytes as whole numbers, money to the cent */
    GP_REPORT_BAND,     /* gp_report_band: three keys, <key>, <key>Low, <key>High */
    GP_REPORT_STRUCT,   /* nested struct by value */
    GP_REPORT_OPTIONAL, /* pointer to the nested struct, or NULL */
    GP_REPORT_LIST,     /* GP_LIST of the nested struct; without one of const char *, or of int64_t
                           where it has the dimension of a count */
    GP_REPORT_MAP       /* GP_LIST of the nested struct; its first row is the key of the entry */
} gp_report_kind;

typedef struct gp_report_field {
    const char *key;
    gp_report_kind kind;
    size_t offset;
    gp_dim dim;                     /* of REAL, EXACT, BAND; base units */
    const gp_report_struct *nested; /* STRUCT, OPTIONAL, LIST and MAP of structs */
    const char *const *words;       /* STRING: the only words, NULL-terminated; NULL: free text */
    bool omit_absent;               /* an absent value has no key at all */
    const char *help;               /* one sentence */
} gp_report_field;

struct gp_report_struct {
    const char *name; /* "candidate": for docs and the JSON Schema */
    size_t size;
    const gp_report_field *fields;
    size_t field_count;
    const char *name_key; /* list items are addressed by this key in paths, or NULL: by index */
    size_t dim_offset;    /* of a gp_dim that is not written, but follows from "unit"; 0: none */
    const char *help;
};

typedef struct gp_report_band {
    double expected, low, high;
} gp_report_band;

/* ---------------------------------------------------------------- inputs */

/* A file that entered. `sha256` may be NULL when building: it is then taken over `text`. */
typedef struct gp_report_file {
    const char *path;
    const char *sha256;
    const gp_text *text; /* not part of report.json */
} gp_report_file;

typedef struct gp_report_flag {
    const char *path;
    const char *value;
} gp_report_flag;

/* What the caller knows of the inputs; `spec` may be left empty (the plan's own text is taken). */
typedef struct gp_report_inputs {
    gp_report_file spec;
    gp_report_file catalog;           /* path: "built-in", sha256 from gp_catalog_digest */
    GP_LIST(gp_report_file) catalogs; /* the user's overlays */
    GP_LIST(gp_report_file) calibration;
    GP_LIST(gp_report_file) prices;
    const gp_report_file *lock;
    GP_LIST(gp_report_file) policies; /* those that judged it */
    GP_LIST(gp_report_flag) flags;    /* --set */
    const gp_report_file *project;    /* the project file, or NULL */
    const char *fail_on;              /* level at which a check fails; NULL: none was made */
    const char *now;                  /* date, only when it was used */
} gp_report_inputs;

typedef struct gp_report_tool {
    const char *name;
    const char *version;
} gp_report_tool;

/* ---------------------------------------------------------------- answer */

/* The whole plan on other terms. */
typedef struct gp_report_whole {
    const char *system, *product; /* everything on it; NULL: on any kind */
    const char *where;
    int64_t held; /* workloads that find their machines */
    int64_t gpus, nodes, bought_nodes, rented_nodes;
    double it_power_w, facility_power_w;
    double cost_per_year;
    const char *passed; /* the first limit of the site that it passes */
} gp_report_whole;

typedef struct gp_report_summary {
    const char *plan; /* metadata.name */
    bool feasible;
    const char *objective;
    const char *confidence;
    bool objective_was_auto;
    const char *other_objective; /* one that would change a verdict; NULL: none */
    int64_t gpus, nodes, owned_nodes, bought_nodes, rented_nodes;
    int64_t stand_nodes; /* on the site, those that nobody holds too */
    int64_t racks;
    double it_power_w, it_mean_power_w;
    double facility_power_w, facility_mean_power_w;
    double capital, cost_per_year;
    const gp_report_whole *at_expected; /* NULL: not worked out */
} gp_report_summary;

typedef struct gp_report_check {
    const char *id;    /* resources | network | software | powerCooling | scalability */
    const char *level; /* ok | warning | fail | notAssessed */
    const char *reason;
    GP_LIST(const char *) findings; /* ids */
    GP_LIST(const char *) missing;  /* notAssessed: spec keys to add */
} gp_report_check;

/* ---------------------------------------------------------------- workload */

typedef struct gp_report_lack {
    const char *bound;
    double have, need;
    const char *unit;
    const char *reason; /* in words */
    gp_dim dim;         /* not part of report.json */
} gp_report_lack;

/* A pool of replicas that do nothing but prefill, or nothing but decode. */
typedef struct gp_report_pool {
    const char *name; /* prefill | decode */
    int64_t gpus, replicas, spare_replicas;
    int64_t gpus_per_replica;
    int64_t tp, pp, dp, ep;
    int64_t redundant_experts; /* second copies of busy experts, which make ep divide them */
    const char *layout;        /* in words */
} gp_report_pool;
typedef GP_LIST(gp_report_pool) gp_report_pools;

/* What a workload has at one of several sites, or on one of several kinds of machines. */
typedef struct gp_report_share {
    const char *name; /* of the site; of the pool or the machine where there is one */
    const char *gpu, *system, *product, *layout;
    int64_t gpus, nodes, added_nodes, replicas, spare_replicas;
    int64_t gpus_per_replica, gpus_per_node, hosts_per_node;
    int64_t tp, pp, dp, ep; /* NO_COUNT where prefill and decode are apart */
    double demand_fraction;
    double requests_per_s;
    double it_power_w;
} gp_report_share;

typedef struct gp_report_candidate {
    bool feasible;
    /* What it has at each of several sites, or on each of several kinds of machines; else none. */
    GP_LIST(gp_report_share) shares;
    const char *where; /* "owned" (to be bought included) | "cloud:ID" */
    const char *gpu;
    const char *system;
    const char *product; /* the same by the maker's name */
    int64_t gpus, nodes;
    int64_t added_nodes; /* of the nodes, those not in the cluster today */
    int64_t tp, pp, vpp, dp, cp, ep, zero;
    int64_t redundant_experts; /* of a service; NO_COUNT for training */
    int64_t shard_group;       /* ranks that share weights under ZeRO 3, where not all do */
    int64_t micro_batch;
    int64_t global_batch_sequences; /* of one step; NO_COUNT for inference */
    GP_LIST(int64_t) stage_layers;  /* of each pipeline stage; none for inference */
    const char *recompute;
    const char *offload;    /* none | optimizer | parameters; NULL for inference */
    double offloaded_bytes; /* per GPU, in host memory or on drives */
    int64_t replicas, spare_replicas;
    int64_t gpus_per_replica;
    int64_t gpus_per_node, hosts_per_node; /* hosts: the trays of a rack-scale system, else 1 */
    int64_t gpus_per_domain;               /* that share a scale-up link */
    double memory_bytes_per_s;
    int64_t jobs_per_gpu;        /* training kinds: jobs that share a GPU */
    const char *gpu_part;        /* of a GPU that others have parts of: "1g.10gb"; else NULL */
    const char *gpu_part_method; /* mig | mps */
    double gpu_fraction;         /* what that takes of it */
    const char *layout;          /* in words: "5 replicas x 8 GPUs (TP8)" */
    gp_report_pools parts;       /* of several layouts: theirs, and no degrees above */
    gp_report_band time_to_complete_s;
    gp_report_band step_time_s;
    gp_report_band tokens_per_s;
    gp_report_band ttft_p95_s, tpot_p95_s;
    double requests_per_s;
    double memory_bytes;
    double memory_capacity_bytes;
    double it_power_w, facility_power_w;
    double capital, cost_per_year;
    const gp_report_lack *lack; /* when not feasible */
} gp_report_candidate;

typedef struct gp_report_flip {
    const char *variable;
    const char *path;
    double today, at;
    const char *unit;
    const char *to_scale;
    bool inside_band;
    gp_dim dim; /* not part of report.json */
} gp_report_flip;

/* What earlier claims leave of the cluster for the workload, or what it uses of it. */
typedef struct gp_report_available {
    const char *system, *product;
    int64_t nodes, gpus;
} gp_report_available;

typedef struct gp_report_surplus {
    int64_t gpus, nodes;
    double power_w;
} gp_report_surplus;

typedef struct gp_report_software_change {
    const char *path;
    const char *from;
    const char *to;
    bool feasible;
    int64_t gpus, nodes;
    int64_t saved_gpus;
    double saved_fraction;
    bool makes_hardware_unnecessary;
    const char *layout;         /* what is needed with it, in words */
    double held_requests_per_s; /* services: what the machines of today carry with it */
    bool assumed;               /* it rests on figures that are only assumed */
} gp_report_software_change;

/* What the need is with this factor and all before it. */
typedef struct gp_report_need_step {
    const char *factor; /* load | peak | tuning | confidence | headroom | availability | layout */
    double value;
    const char *unit;
    bool assumed;
    int64_t gpus, nodes;
    const char *gpu_part; /* of the one GPU; NULL: whole GPUs */
    gp_dim dim;           /* not part of report.json */
} gp_report_need_step;

typedef struct gp_report_counts {
    int64_t gpus, nodes;
    const char *layout;
} gp_report_counts;

/* A kind of machine that could have been chosen: the least of it that does, or what it lacks. */
typedef struct gp_report_option {
    const char *system;
    const char *where; /* owned | cloud:ID */
    bool feasible;
    int64_t gpus, nodes;
    const char *layout;
    double time_to_complete_s; /* jobs */
    double ttft_p95_s, tpot_p95_s;
    double facility_power_w;
    double cost_per_year;
    const char *reason; /* when not feasible */
} gp_report_option;

/* Machines of its own against a cloud. */
typedef struct gp_report_placement {
    const char *where; /* of what is chosen: "owned" or "cloud:ID" */
    const char *owned; /* "2 x dgx-h200"; NULL: none holds it */
    const char *owned_lack;
    double owned_per_year;
    const char *rented; /* "2 x azure/..."; NULL: none holds it */
    const char *rented_lack;
    double rented_per_year;
    double rented_fraction;     /* share of the time for which it is rented */
    double break_even_fraction; /* share from which owning is cheaper */
    const char *reason;         /* one sentence */
} gp_report_placement;

typedef struct gp_report_recommendation {
    const char *scale;
    const char *bound_by;
    const char *reason;  /* one sentence */
    const char *because; /* the same in a few words */
    const gp_report_flip *flip;
    const char *flip_reason;   /* when there is none */
    gp_report_available today; /* what it uses: as declared, where it is enough, or all it can */
    gp_report_available available;
    gp_report_surplus surplus;
    GP_LIST(gp_report_software_change) software_changes;
    GP_LIST(gp_report_need_step) need_steps;
    bool layout_change;
    gp_report_candidate current, chosen, vertical, horizontal;
    const gp_report_counts *at_expected;  /* only where it differs from chosen */
    GP_LIST(gp_report_option) options;    /* by the objective, the best first */
    const gp_report_placement *placement; /* NULL: no cloud is a candidate */
} gp_report_recommendation;

typedef struct gp_report_component {
    const char *name;
    double bytes;
} gp_report_component;

typedef struct gp_report_time_part {
    const char *name;
    double time_s;
} gp_report_time_part;

typedef struct gp_report_memory {
    double capacity_bytes;
    double headroom_fraction; /* free share of the capacity */
    double headroom_asked_fraction;
    double used_bytes;
    gp_report_band used_band; /* about 80 % of measured peaks of this class lie in it */
    int64_t worst_stage;      /* of the pipeline, from 1, the fullest GPU is in; 0: no pipeline */
    const char *fit;          /* fits | borderline | doesNotFit */
    double kv_pool_tokens;
    double kv_bytes_per_token;
    GP_LIST(gp_report_component) components;
} gp_report_memory;

typedef struct gp_report_performance {
    gp_report_band step_time_s;
    gp_report_band tokens_per_s;
    gp_report_band tokens_per_s_per_gpu;
    gp_report_band time_to_complete_s;
    gp_report_band goodput_fraction;
    gp_report_band mfu_fraction;
    gp_report_band ttft_p95_s;
    gp_report_band tpot_p95_s;
    gp_report_band requests_per_s;
    gp_report_band concurrency_per_replica;
    double batch_per_replica;
    double demand_requests_per_s; /* planned peak */
    double demand_peak_to_mean;   /* the factor on the mean, where the peak was not given */
    double utilization_fraction;
    double checkpoint_interval_s;
    double checkpoint_time_s;
    double step_sequences;              /* of one optimizer step */
    double step_fill_fraction;          /* of the places that its micro-batches have for them */
    double trained_tokens;              /* of one run */
    gp_report_band gpu_time_s;          /* GPU-seconds of one run */
    gp_report_band energy_j;            /* of one run, with the facility's */
    double energy_j_per_million_tokens; /* trained, or of output at the planned load */
    double cost_per_run;                /* the site's cost of its GPU-hours */
    double cost_per_million_tokens;     /* of output at the mean load; of trained ones */
    double time_between_failures_s;
    double failures; /* expected in one run */
    double taken;    /* of them, those in which its machines are taken for others */
    double taken_time_s;
    double start_time_s;
    double restart_time_s;      /* after a failure, waiting for a machine included */
    double evaluation_fraction; /* of the training time */
    int64_t spare_nodes;        /* given, or assumed at hand */
    double spare_wait_s;
    double error_fraction; /* the band of the class */
    GP_LIST(gp_report_time_part) step_parts;
} gp_report_performance;

/* What lies on a GPU in one phase. */
typedef struct gp_report_phase_memory {
    const char *phase; /* rollout | update */
    double used_bytes, capacity_bytes;
} gp_report_phase_memory;

/* A step of reinforcement learning. */
typedef struct gp_report_rl {
    const char *pools; /* colocated | apart */
    int64_t train_gpus, rollout_gpus;
    const char *trainer; /* layout of the updates in words */
    const char *engine;  /* of the engines */
    int64_t engines;
    int64_t engine_tp, engine_pp, engine_dp, engine_ep;
    double sequences;      /* trained on in one step */
    double tokens;         /* of them, prompts with them */
    double longest_tokens; /* response that the step waits for */
    double batch_per_engine;
    GP_LIST(gp_report_time_part) phases;
    double rollout_fraction; /* of the step */
    double tail_s;           /* of the rollout, with less than half of its sequences running */
    double wait_s;           /* apart: of the side that is done first */
    GP_LIST(gp_report_phase_memory) memory;
    double host_bytes; /* in host memory per GPU: states and models that are not at work */
} gp_report_rl;

/* People at GPUs. */
typedef struct gp_report_seats {
    int64_t people;        /* absent: not stated */
    int64_t at_once, held; /* asked for, and on the GPUs that are chosen */
    int64_t gpus_per_seat; /* absent: a part of one */
    const char *part;      /* "1g.20gb"; NULL: whole GPUs */
    const char *method;    /* mig | mps; NULL likewise */
    double per_gpu;        /* seats */
    double part_bytes;     /* memory of one */
    double mean_open;      /* over a week */
} gp_report_seats;

typedef struct gp_report_rate {
    double rate_bits_per_s; /* per GPU */
    double step_time_s;
    double communication_fraction;
} gp_report_rate;

/* The measurement that would confirm the network the plan counts on. */
typedef struct gp_report_network_test {
    const char *command;
    double size_bytes;
    double bus_bandwidth_bytes_per_s; /* expected */
} gp_report_network_test;

typedef struct gp_report_network {
    bool multi_node;
    double rate_bits_per_s; /* per GPU */
    double oversubscription;
    double communication_fraction;
    double communication_time_s;
    const char *bottleneck; /* none | scaleUp | leaf | spine | core */
    GP_LIST(gp_report_rate) rates;
    const gp_report_network_test *test;
} gp_report_network;

typedef struct gp_report_goal {
    const char *name;
    double target, expected, low, high;
    double judged;          /* of the three, the one that is held against the target */
    double margin_fraction; /* positive: room left, at the confidence asked for */
    const char *unit;
    bool ok;
    bool ok_at_expected;
    const char *state; /* met | metAtExpected | missed | notJudged */
    gp_dim dim;        /* not part of report.json, nor are the next two */
    double deviation;  /* of the logarithm of the figure's error; 0: it has none */
    bool lower_is_better;
} gp_report_goal;

typedef struct gp_report_traffic {
    const char *profile; /* flat | diurnal | office | hourly | trace */
    bool profile_stated;
    double mean_requests_per_s, peak_requests_per_s;
    double busiest_hour_factor;
    double weekend_fraction;
    double minute_factor;
} gp_report_traffic;

/* The replicas that run today, judged as they are. */
typedef struct gp_report_declared {
    int64_t replicas;
    bool enough;
    int64_t needed;
    double requests_per_s;
    const char *layout;
} gp_report_declared;

typedef struct gp_report_hour {
    int64_t hour;
    double requests_per_s;
    int64_t replicas, weekend_replicas;                 /* of two pools: decode's */
    int64_t prefill_replicas, weekend_prefill_replicas; /* NO_COUNT where they do both */
} gp_report_hour;

typedef struct gp_report_autoscale {
    int64_t min_replicas, max_replicas;
    int64_t gpus_per_replica;
    const char *metric;      /* runningRequests | kvCacheUse */
    const char *metric_name; /* as the engine exports it */
    double target;
    double target_requests_per_s, replica_requests_per_s;
    double burst_factor;
    double cold_start_s, load_s, engine_s;
    double weights_bytes, read_bytes_per_s;
    double growth_fraction;
    double gpu_hours_per_week, peak_gpu_hours_per_week;
    double saved_fraction;
    double saved_per_year;
    GP_LIST(gp_report_hour) hours;
} gp_report_autoscale;

/* One way to share the work of prefill and decode, on the chosen kind of machine. */
typedef struct gp_report_sharing {
    bool feasible;
    const char *layout;
    int64_t gpus, nodes;
    double facility_power_w;
    double ttft_p95_s, tpot_p95_s;
    const char *reason; /* when not feasible */
} gp_report_sharing;

typedef struct gp_report_disaggregation {
    bool chosen;
    const char *reason;
    gp_report_sharing together, apart;
    double kv_transfer_s;
    double prefill_utilization, decode_utilization;
    gp_report_pools pools; /* of `apart` */
} gp_report_disaggregation;

/* The rate up to which machines suffice: those of today, or on an empty site those chosen. */
typedef struct gp_report_held {
    const char *system;
    int64_t nodes;
    double requests_per_s;
} gp_report_held;

typedef struct gp_report_service {
    gp_report_traffic traffic;
    double availability_fraction;
    const gp_report_declared *declared;
    const gp_report_autoscale *autoscaling;
    const gp_report_disaggregation *disaggregation;
    const gp_report_held *held;
    GP_LIST(gp_report_sharing) layouts;
} gp_report_service;

/* One number of replicas, simulated. */
typedef struct gp_report_trial {
    int64_t replicas;         /* of the decode pool where there are two */
    int64_t prefill_replicas; /* 0: they do both */
    bool ok;                  /* every goal is met at the confidence asked for */
    bool saturated;
    double ttft_p95_s, tpot_p95_s;
} gp_report_trial;

/* What a short simulation says of the chosen replicas. */
typedef struct gp_report_simulation {
    bool confirmed;
    int64_t requests;      /* of each run */
    double requests_per_s; /* the planned load with its headroom */
    gp_report_trial chosen;
    const gp_report_trial *fewer; /* one replica less; NULL where there is but one */
    gp_report_trial closed_form;  /* what it says of the chosen replicas */
    int64_t closed_form_replicas; /* that it would choose by itself */
    const char *summary;
} gp_report_simulation;

/* What a machine needs beside its GPUs, and what it has; absent: not stated. */
typedef struct gp_report_host {
    double memory_need_bytes, memory_bytes;
    int64_t cores_need, cores;
    double nvme_need_bytes, nvme_bytes;
} gp_report_host;

/* The kind of machine that takes the least energy for the work. */
typedef struct gp_report_efficient {
    const char *system;
    int64_t gpus, nodes;
    const char *layout;
    double facility_power_w;
    double saved_fraction; /* of the chosen one's energy */
    double cost_per_year;
} gp_report_efficient;

/* What a run is launched with beside the degrees of its layout. */
typedef struct gp_report_launch {
    const char *framework; /* as the spec names it; NULL: none */
    const char *rules;     /* whose rules the layout keeps, and whose spelling an export takes */
    int64_t sequence_length;
    int64_t global_batch_sequences; /* of one step, as planned */
    double asked_sequences;         /* as the spec states, or by default */
    int64_t layers;
    int64_t experts; /* of a layer; 0: dense */
    int64_t first_stage_layers, stage_layers, last_stage_layers;
    const char *compute;   /* precision of matrix products */
    const char *gradients; /* format that they are summed in */
    const char *optimizer;
    bool drives; /* what is offloaded waits on drives */
} gp_report_launch;

typedef struct gp_report_workload {
    const char *name;
    const char *type;
    const char *model;
    double parameters, active_parameters;
    gp_report_recommendation recommendation;
    gp_report_memory memory;
    gp_report_performance performance;
    gp_report_network network;
    gp_report_host host;
    const gp_report_efficient *efficient; /* NULL: the chosen one is it */
    const gp_report_launch *launch;       /* NULL: inference, or nothing holds it */
    const gp_report_service *service;     /* inference with traffic */
    const gp_report_rl *rl;               /* reinforcement learning */
    const gp_report_seats *seats;         /* people at GPUs */
    GP_LIST(gp_report_goal) goals;
    gp_span span;                           /* not part of report.json: its name in the spec */
    const gp_report_simulation *simulation; /* NULL: none was due, or: */
    const char *simulation_note;            /* why there is none where one was due */
} gp_report_workload;

/* People who share the machines with others. */
typedef struct gp_report_team {
    const char *name;
    int64_t quota_gpus, borrowing_gpus;
    int64_t held_gpus, staying_gpus, borrowed_gpus, lent_gpus;
    double wait_p95_s, wait_alone_p95_s;
    GP_LIST(const char *) workloads;
} gp_report_team;

/* ---------------------------------------------------------------- site, cost, growth */

typedef struct gp_report_power {
    double training_w;        /* mean IT power of training runs; absent: there are none */
    double transient_w;       /* peak of the IT power while these exchange gradients */
    double cap_fraction;      /* of the GPUs' TDP */
    double cap_time_factor;   /* what the cap makes of the time of arithmetic */
    double cap_energy_factor; /* and of its energy */
    double embodied_kg;       /* carbon of making what is bought; absent: not given */
    double embodied_kg_per_year;
    double it_w, it_mean_w; /* the largest sustained, and under the planned load */
    double network_w, storage_w, system_w;
    double facility_w, facility_mean_w;
    double limit_w;                 /* IT capacity of the site */
    double circuit_w;               /* what one rack circuit carries for good */
    int64_t circuits_per_rack;      /* of the fullest rack, redundancy included */
    int64_t feeds;                  /* independent ones of a rack */
    double circuit_load_fraction;   /* all live */
    double circuit_failed_fraction; /* one circuit, or one feed of 2N, lost */
    double design_pue;              /* stated, else by where the heat goes */
    double annual_pue, annual_pue_low, annual_pue_high;
    double energy_j_per_year;
    double renewable_fraction;
    double carbon_kg_per_year, carbon_market_kg_per_year;
} gp_report_power;

typedef struct gp_report_cooling {
    double heat_w, heat_btu_per_h;
    double air_heat_w, liquid_heat_w;
    double air_limit_w, liquid_limit_w;
    double airflow_m3_per_s, liquid_flow_m3_per_s;
    double water_l_per_year, water_most_l_per_year; /* of towers behind chillers */
    const char *air_class, *liquid_class;           /* as the spec has them */
    double air_supply_c, water_supply_c;
    const char *air_state;        /* recommended | allowed | outside */
    const char *air_level;        /* of the fullest rack: open | containment | warning | beyond */
    double rack_airflow_m3_per_s; /* of the fullest rack */
    double rack_coolant_m3_per_s;
    double air_max_c; /* of the air class, at this altitude */
    double coolant_supply_c, coolant_return_c;
    const char *unit_id; /* distribution unit */
    int64_t units;
    bool free_cooling;
} gp_report_cooling;

/* What stands in a rack, from the top. */
typedef struct gp_report_slot {
    int64_t from_u, to_u; /* the lower and the upper unit, counted from the floor */
    const char *what;
    const char *id;
    double power_w;
} gp_report_slot;

typedef struct gp_report_rack {
    const char *holds; /* catalogue id or name of the machines; "switches and storage" */
    int64_t count;
    int64_t nodes_per_rack;
    double power_w;
    const char *bound_by;          /* power | cooling | height | weight */
    int64_t limit;                 /* racks the site has */
    int64_t circuits;              /* of one, redundancy included */
    double weight_kg;              /* of the machines in one */
    GP_LIST(gp_report_slot) slots; /* elevation of a full one, from the top */
} gp_report_rack;

typedef struct gp_report_cables {
    int64_t node_leaf, leaf_spine, spine_core;
} gp_report_cables;

typedef struct gp_report_fabric {
    const char *name;
    const char *kind;
    const char *switch_id;
    int64_t switch_ports;
    double switch_port_bits_per_s;
    double rate_bits_per_s; /* of a host port */
    double oversubscription;
    int64_t tiers;
    int64_t units;
    int64_t unit_nodes;
    const char *system; /* machines of a compute fabric */
    int64_t hosts;      /* on it: machines, trays of rack-scale ones, ports of storage */
    int64_t leaf, spine, core;
    gp_report_cables cables;
    bool feasible;
    int64_t transceivers;
    int64_t room_unit_nodes, room_spine_nodes, room_tier_nodes; /* machines, all told */
} gp_report_fabric;

/* What runs ask of storage, and what the cluster declares. */
typedef struct gp_report_storage {
    double write_bytes_per_s, read_bytes_per_s, capacity_bytes;
    double there_write_bytes_per_s, there_read_bytes_per_s, there_capacity_bytes;
    const char *product; /* to buy, where the cluster declares none */
    int64_t products;
} gp_report_storage;

/* One line of the bill of quantities. */
typedef struct gp_report_bill {
    const char *role;
    const char *id;
    const char *product; /* machines: the same by the maker's name */
    int64_t count, spare;
    double power_w; /* of all of them, spares left out */
    int64_t bought;
    double price; /* of those to buy */
    const char *rule;
} gp_report_bill;

/* What fails, by a low, a middle and a high published rate. */
typedef struct gp_report_reliability {
    double interruptions_per_month;
    double interruptions_per_month_low, interruptions_per_month_high;
    double mtbf_s; /* between interruptions of a job on all machines */
    int64_t spare_nodes, early_nodes;
} gp_report_reliability;

typedef struct gp_report_limit {
    const char *bound;
    double used, limit;
    const char *unit;
    gp_dim dim; /* not part of report.json */
} gp_report_limit;

/* A resource over the horizon of growth. */
typedef struct gp_report_horizon_limit {
    const char *resource; /* "IT power", "racks", "machines on fabric", ... */
    const char *of;       /* the machines of the fabric, or NULL */
    double today, at_horizon, limit;
    const char *unit;
    const char *passed_on;      /* "2028-03-01": the month; NULL: within the horizon it is not */
    const char *passed_on_high; /* the quarter, by the high scenario */
    gp_dim dim;                 /* not part of report.json */
} gp_report_horizon_limit;

/* What is built once for the whole horizon. */
typedef struct gp_report_horizon {
    int64_t nodes, gpus, racks;
    int64_t leaf, spine, core, early_spine;
    double it_w, facility_w, air_w, liquid_w;
    GP_LIST(gp_report_horizon_limit) limits;
} gp_report_horizon;

/* What a workload holds over the horizon. */
typedef struct gp_report_claim {
    const char *workload;
    const char *demand; /* continuous | deadline | recurring | concurrent | open */
    const char *turn;   /* own | after | queue | idle */
    const char *system;
    int64_t nodes;
    double start_s, end_s; /* end absent: beyond the horizon */
    double busy_fraction;
    double
        share_fraction; /* of the time in which it has its machines, where it has them by turns */
    double utilization_fraction; /* queued runs: of their places */
    double wait_mean_s, wait_p95_s;
} gp_report_claim;

typedef struct gp_report_period_kind {
    const char *system;
    int64_t peak_nodes;
    double mean_nodes;
} gp_report_period_kind;

typedef struct gp_report_period {
    const char *start; /* "2027-01-01"; absent: growth.start is not stated */
    double start_s, end_s;
    int64_t peak_nodes;
    double mean_nodes;
    GP_LIST(gp_report_period_kind) kinds;
} gp_report_period;

typedef struct gp_report_day_hour {
    int64_t hour;
    int64_t nodes, weekend_nodes;
} gp_report_day_hour;

/* Machines over time. */
typedef struct gp_report_schedule {
    double horizon_s;
    int64_t peak_nodes;
    double mean_nodes;
    double used_fraction; /* mean over peak */
    int64_t spare_nodes, system_nodes;
    GP_LIST(gp_report_claim) claims;
    GP_LIST(gp_report_period) periods;
    GP_LIST(gp_report_day_hour) day;
} gp_report_schedule;

typedef struct gp_report_site {
    bool declared; /* the spec has a site section */
    gp_report_power power;
    gp_report_cooling cooling;
    GP_LIST(gp_report_rack) racks;
    GP_LIST(gp_report_fabric) fabrics;
    GP_LIST(gp_report_limit) limits;
    GP_LIST(gp_report_bill) bill;
    gp_report_reliability reliability;
    gp_report_storage storage;
    gp_report_schedule schedule;
    double delivery_kg; /* machines and switches to buy, as far as their weight is known */
    double maintenance_every_s, maintenance_s; /* absent: none is stated */
    const gp_report_horizon *horizon;          /* NULL: no growth is stated */
} gp_report_site;

/* One of several sites. */
typedef struct gp_report_place {
    const char *name;
    int64_t gpus, nodes, stand_nodes, bought_nodes, racks;
    double capital, cost_per_year; /* of what stands there; staff is of the whole plan */
    gp_report_site site;
} gp_report_place;

/* How much of a demand that varies by the hour to own (newsvendor). */
typedef struct gp_report_burst {
    int64_t owned_gpus, peak_gpus;
    double burst_fraction; /* of the GPU-hours, in the cloud */
    double cost_per_year, all_owned_per_year, all_rented_per_year;
} gp_report_burst;

typedef struct gp_report_cost {
    const char *currency;
    bool complete;                 /* every item has a price */
    GP_LIST(const char *) missing; /* what has none: items, site.energy.price */
    double capital, budget_capital;
    double capital_per_year, energy_per_year, colocation_per_year, support_per_year;
    double staff_per_year, licenses_per_year, rent_per_year;
    double total_per_year, budget_per_year;
    /* owned against rented; id NULL: no comparison */
    const char *cloud_id;
    const char *cloud_date;
    double cloud_per_gpu_hour, own_per_gpu_hour; /* own: at full use */
    double break_even_fraction;                  /* of the time that the GPUs are in use */
    double break_even_s;                         /* at full use */
    /* with the use and the losses that are planned */
    double delivered_fraction;      /* of the GPU-hours that are there */
    double delivered_per_gpu_hour;  /* cost of one that computes */
    GP_LIST(const char *) excluded; /* what is to buy or to run and has no price */
    const char *quote_valid_until;  /* the earliest end of a price list */
    const gp_report_burst *burst;   /* services with a profile, held against the cloud */
} gp_report_cost;

typedef struct gp_report_growth {
    const char *quarter; /* "2027-Q1" */
    int64_t gpus, nodes;
    int64_t nodes_low, nodes_high; /* by the other scenarios */
    int64_t buy_nodes;
    const char *order_by;        /* "2026-07-03" */
    const char *order_fabric_by; /* where switches are added */
    const char *order_power_by;  /* where more power is drawn than the site has, or its own grows */
    double facility_w;
    const char *limit_hit;
    int64_t stand_nodes; /* bought so far, those there included */
    int64_t racks, switches;
    double it_w;
    int64_t rent_nodes;    /* machines in a cloud, for what the site has no room */
    const char *rent_from; /* "cloud:ID" */
    double rent_per_year;
    double capital; /* spent so far on machines and compute switches, with all of the first phase */
} gp_report_growth;

/* ---------------------------------------------------------------- findings, data, provenance */

typedef struct gp_report_finding {
    const char *id;
    const char *level; /* note | warning | error */
    const char *message;
    const char *workload; /* NULL: the plan as a whole */
    const char *file;
    int64_t line, column;
    const char *metric; /* path in this report */
    double value, limit, margin;
    const char *unit;
    const char *fix;
    GP_LIST(const char *) set; /* "PATH=VALUE" each, as --set takes it: the plan with the fix */
    const char *waived_by;     /* "REASON (until 2027-03-31)": accepted by a policy; NULL: not */
    gp_dim dim;                /* not part of report.json: of value, limit, margin */
    gp_span span;              /* not part of report.json */
    double weight; /* not part of report.json: of several of one rule the largest is named first */
} gp_report_finding;

typedef struct gp_report_assumption {
    const char *path;
    const char *value;
    const char *source; /* default | constant | catalog */
    bool verified;
    const char *leverage; /* low | medium | high */
} gp_report_assumption;

typedef struct gp_report_data {
    double unverified_share; /* of the headline figures' inputs */
    int64_t inputs;
    GP_LIST(const char *) unverified; /* which inputs */
} gp_report_data;

/* One input of a term. */
typedef struct gp_report_source {
    const char *name;   /* field or term */
    const char *value;  /* with its unit, as people read it */
    const char *origin; /* spec | flag | catalog | default | derived | term */
    const char *where;  /* "plan.yaml:12:9", "gpus/h200-sxm", ... */
    const char *source;
    const char *date;
    const char *evidence;
    bool verified;
} gp_report_source;

typedef struct gp_report_provenance {
    const char *pointer; /* JSON pointer of the figure */
    const char *basis;   /* weakest evidence beneath it: datasheet | measured | derived | assumed */
    const char *formula;
    GP_LIST(gp_report_source) inputs;
} gp_report_provenance;

typedef struct gp_report {
    const char *schema_version;
    gp_report_tool tool;
    gp_report_inputs inputs;
    gp_report_summary summary;
    GP_LIST(gp_report_check) checks;
    GP_LIST(gp_report_whole) platforms; /* the plan on one kind of machine each */
    GP_LIST(gp_report_workload) workloads;
    gp_report_site site;            /* of several sites the sum */
    GP_LIST(gp_report_place) sites; /* by name; none where there is one */
    GP_LIST(gp_report_team) teams;
    gp_report_cost cost;
    GP_LIST(gp_report_growth) growth;
    GP_LIST(gp_report_finding) findings;
    GP_LIST(gp_report_assumption) assumptions;
    gp_report_data data;
    GP_LIST(gp_report_provenance) provenance;
    gp_span span; /* not part of report.json: the name of the plan in the spec */
} gp_report;

extern const gp_report_struct gp_report_type;
extern const gp_report_struct gp_report_workload_type;

/* Highest level among the findings that are not waived; -1 when there is none. An infeasible
 * workload is an error. */
int gp_report_worst_level(const gp_report *report);

/* ---------------------------------------------------------------- reading back */

typedef GP_LIST(gp_report *) gp_report_list;

/* The report, or the list of reports, that `text` (JSON) holds. Keys of later versions are passed
 * over. GP_ERR_INPUT with diagnostics; strings point into the text. */
gp_status gp_report_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                          gp_report_list *ret_reports);

/* ---------------------------------------------------------------- walking */

typedef enum gp_report_event_kind {
    GP_REPORT_OPEN_STRUCT,
    GP_REPORT_CLOSE_STRUCT,
    GP_REPORT_OPEN_LIST,
    GP_REPORT_CLOSE_LIST,
    GP_REPORT_VALUE
} gp_report_event_kind;

typedef struct gp_report_value {
    gp_report_kind kind; /* STRING, BOOL, COUNT, REAL or EXACT */
    gp_dim dim;
    bool absent;
    const char *text;
    bool flag;
    int64_t count;
    double real;
} gp_report_value;

typedef struct gp_report_event {
    gp_report_event_kind kind;
    const char *key; /* NULL for list items and the root */
    gp_report_value value;
} gp_report_event;

typedef gp_status gp_report_visit(void *context, const gp_report_event *event);

/* Visits all of `object` in the order of its rows; a status other than GP_OK ends the walk. */
gp_status gp_report_walk(const gp_report_struct *type, const void *object, gp_report_visit *visit,
                         void *context);

/* The value at a dotted path ("memory.headroomFraction", "workloads.chat.recommendation.scale",
 * "site.racks.0.count"). NOT_FOUND: *ret_nearest (may be NULL) is the nearest key at the step that
 * failed, or NULL. A path that ends at a struct or list is not found either. */
gp_status gp_report_find(const gp_report_struct *type, const void *object, const char *path,
                         gp_report_value *ret_value, const char **ret_nearest);

/* Whether a path can lead to a figure, whatever the names of list items are. NOT_FOUND as above;
 * else the kind and dimension of what it leads to. */
gp_status gp_report_path_check(const gp_report_struct *type, const char *path,
                               gp_report_kind *ret_kind, gp_dim *ret_dim, const char **ret_nearest);

typedef struct gp_report_metric {
    const char *path; /* list items as [] */
    gp_report_kind kind;
    gp_dim dim;
    const char *help;
} gp_report_metric;
typedef GP_LIST(gp_report_metric) gp_report_metrics;

/* Every leaf below `type`. */
void gp_report_list_metrics(gp_arena *arena, const gp_report_struct *type,
                            gp_report_metrics *ret_metrics);
/* JSON Schema (draft-07) of report.json. */
gp_status gp_report_schema_json(gp_arena *arena, const char **ret_text);

/* ---------------------------------------------------------------- rules and checks */

/* The findings a report can hold. */
typedef struct gp_report_rule {
    const char *id;    /* "GP2001" */
    const char *level; /* note | warning | error */
    const char *title;
    const char *check; /* the check it counts for, or NULL */
    double threshold;  /* the fraction or figure it compares with; 0: none of its own */
    const char *help;  /* meaning and what to do */
} gp_report_rule;

extern const gp_report_rule gp_report_rules[];
extern const size_t gp_report_rule_count;
/* NULL: no such rule. */
const gp_report_rule *gp_report_rule_named(const char *id);
/* "first token (p95)" for ttftP95, "duration of a run" for maxDuration; NULL: no memory. */
const char *gp_report_goal_words(gp_arena *arena, const char *name);

#endif
