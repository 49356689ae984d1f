/*
 * The planner: from a resolved plan to one verdict per workload. The only room that iterates.
 *
 * unit  = (GPU kind, GPUs per scale-up domain of the machine); count = machines of it.
 * The baseline of a workload is what earlier claims leave of the declared cluster; on an empty
 * cluster it is one machine of the candidate with the least total HBM (ties: power, id).
 */
#ifndef GP_PLAN_PLAN_H
#define GP_PLAN_PLAN_H

#include "estimate/estimate.h"
#include "estimate/facility.h"
#include "estimate/rl.h"
#include "simulate/simulate.h"

typedef enum gp_scale {
    GP_SCALE_NONE,
    GP_SCALE_VERTICAL,
    GP_SCALE_HORIZONTAL,
    GP_SCALE_BOTH,
    GP_SCALE_INFEASIBLE,
    GP_SCALE_COUNT
} gp_scale;

typedef enum gp_bound {
    GP_BOUND_NONE,
    GP_BOUND_MEMORY,
    GP_BOUND_COMPUTE,
    GP_BOUND_HBM_BANDWIDTH,
    GP_BOUND_INTERCONNECT,
    GP_BOUND_LATENCY,
    GP_BOUND_POWER,
    GP_BOUND_COOLING,
    GP_BOUND_SPACE,
    GP_BOUND_BUDGET,
    GP_BOUND_DEADLINE,
    GP_BOUND_SUPPLY,
    GP_BOUND_COUNT
} gp_bound;

enum { GP_NO_SITE = -1 };

/* What one machine of a cloud is rented for. */
typedef struct gp_contract {
    double per_s;          /* 0: not offered, or no price known */
    const gp_price *quote; /* of a price list; NULL: by the catalogue */
} gp_contract;

/* A machine kind the planner may use, at one site. */
typedef struct gp_unit {
    gp_machine machine;
    const gp_system *system;
    const gp_cloud *cloud; /* rented when not NULL */
    const gp_pool *pool;   /* the first declared pool of this kind, if any */
    const char *id;        /* catalogue id, "cloud:ID", or the pool's name for inline systems */
    int site;              /* of the result's: where it stands; GP_NO_SITE: the only one, or none */
    bool may_buy;          /* allowed by spec.candidates, and a rack of the site takes one */
    bool is_barred;        /* allowed, but no rack takes one */
    bool assumed_nics;     /* nobody stated its adapters */
    bool power_known;      /* it, or its GPU, states one */
    double price;          /* purchase per machine; 0: no price known */
    gp_contract hourly;    /* rental of one machine for as long as it is taken, */
    gp_contract reserved;  /* and for all hours of the year */
    bool is_spot;          /* rented, and taken back at any time */
    int64_t there_nodes;   /* of all its pools */
    int64_t fabric_nodes;  /* of these, those on the compute fabric */
    int64_t owned_nodes;   /* of these, what inUse and reserve leave, */
    int64_t spare_nodes;   /* and what is kept for repairs */
    gp_pool_switches switches;         /* of its fabric, as stated of its pools */
    bool fabric_stated;                /* a pool says that it stands, or what is on it */
    const gp_gpu_partition *partition; /* how its GPUs are cut; NULL: they are not */
    const struct gp_lack *rack_lack;   /* what a rack of its site lacks for one; NULL: nothing */
} gp_unit;

/* low <= expected <= high at the confidence asked for; times and rates. */
typedef struct gp_band {
    double expected, low, high;
} gp_band;

/* What a candidate lacks: the resource, and how much of it in its own unit. */
typedef struct gp_lack {
    gp_bound bound;
    double have, need;
    gp_dim dim;
    const char *why;            /* in words, where the figures do not say it; constant, or NULL */
    const char *path;           /* the limit of the spec that it is about: constant, or NULL */
    bool is_own;                /* the path begins at the workload */
    bool refused;               /* a rule is against the very layout that is declared */
    const struct gp_lack *also; /* another limit that is in the way at the same time, or NULL */
} gp_lack;

/* `why` of a service whose availability no number of machines reaches. */
extern const char gp_lack_windows[];

/* Prefill and decode in pools of their own. */
typedef struct gp_split_pools {
    bool present;
    gp_serve_split layouts;
    int64_t prefill_replicas, prefill_spare;
    int64_t decode_replicas, decode_spare;
    double transfer_s;
    double prefill_utilization, decode_utilization; /* of what each pool carries within the SLO */
    double prefill_simulated_share, decode_simulated_share; /* as gp_candidate.simulated_share */
} gp_split_pools;

/* How a workload asks for machines over time. */
typedef enum gp_demand_kind {
    GP_DEMAND_CONTINUOUS, /* a service: always, by the hour where its traffic has a profile */
    GP_DEMAND_DEADLINE,   /* once, and then its machines are free */
    GP_DEMAND_RECURRING,  /* so many runs side by side in every period */
    GP_DEMAND_CONCURRENT, /* jobs side by side, as they come */
    GP_DEMAND_OPEN,       /* no goal says how long: held for good */
    GP_DEMAND_COUNT
} gp_demand_kind;

/* Which machines it runs on, beside those that others hold. */
typedef enum gp_turn {
    GP_TURN_OWN,   /* machines that nobody else holds meanwhile */
    GP_TURN_AFTER, /* those of earlier workloads, once these are done */
    GP_TURN_QUEUE, /* those of other recurring runs, one after the other */
    GP_TURN_IDLE,  /* those that services leave idle by the hour */
    GP_TURN_COUNT
} gp_turn;

/* When a workload may use its machines. */
typedef struct gp_timing {
    gp_turn turn;
    double wait_s;         /* until it starts, at the latest */
    double share_fraction; /* of the time in which it has them; 0: all of it */
} gp_timing;

/* GPUs that lie together on one machine, or on whole machines of their own. */
typedef struct gp_group {
    int64_t gpus;          /* of one */
    int64_t nodes;         /* machines of one; 1: it may share its machine with others */
    int64_t count;         /* of them */
    int64_t most_per_node; /* so many on one machine at most, since they fail together; 0: any */
} gp_group;
enum { GP_GROUPS_MAX = 2 };

/* The least part of a GPU that would do for a replica that would have one to itself. */
typedef struct gp_gpu_part {
    const gp_gpu_profile *profile; /* of the unit's partition; NULL: it needs a whole GPU */
    int64_t index;                 /* of that profile */
    bool in_use; /* others have parts of its GPU: the figures are those of the part */
} gp_gpu_part;

/* Where a step of reinforcement learning runs, and what its time goes to. */
typedef struct gp_rl_way {
    gp_rl_place place; /* rollout_gpus 0: no such step */
    double rollout_s, learn_s, between_s;
} gp_rl_way;

/* The same in full. */
typedef struct gp_rl_plan {
    gp_rl_place place;
    gp_rl_memory memory;
    gp_rl_time time;
} gp_rl_plan;

/* One way to run one workload, sized in full. Of a service at several sites the figures are those
 * of all its shares, the layout and the unit those of the first. */
typedef struct gp_candidate {
    bool present; /* false: nothing could even be tried */
    bool feasible;
    bool at_once;        /* a run that waits for no other's machines */
    bool alone;          /* a batch that shares those it fills with nobody else, till it ends */
    bool whole;          /* no other work on its machines */
    bool leaves_machine; /* its GPUs talk across machines */
    bool described;      /* services: what they do under the load is known */
    int group_count;
    const gp_unit *unit;
    int64_t nodes; /* machines held: whole ones when exclusive, else those touched */
    int64_t gpus;  /* GPUs claimed */
    gp_group groups[GP_GROUPS_MAX]; /* what has to be placed: jobs or replicas, prefill first */
    gp_gpu_part part;
    gp_band time_to_complete_s;      /* the wait included */
    double busy_fraction;            /* share of the time for which it computes */
    double node_load_w, node_idle_w; /* of one machine: all of its GPUs at this work, and idle */
    int64_t owned_nodes;             /* of `nodes`, those that earlier claims leave there */
    int64_t replicas;                /* inference: model replicas; training: concurrent jobs */
    int64_t spare_replicas;          /* of `replicas`, those held for availability */
    double outside_bytes;            /* per GPU: host memory or drives of offloaded states */
    int64_t job_nodes;               /* training kinds: machines of one job */
    int64_t jobs_per_gpu;            /* training kinds: jobs that share each GPU; else 0 */
    gp_lack lack;                    /* when not feasible */
    gp_storage_need storage;         /* what it asks of storage by itself */
    gp_layout layout;                /* training kinds: per job; rl: of its updates */
    gp_rl_way rl;                    /* reinforcement learning */
    gp_serve_layout serve_layout;    /* inference: per replica; of the decode pool when split */
    gp_split_pools split;            /* inference: prefill apart from decode */
    gp_memory memory;
    gp_train_time time;
    gp_run run;
    gp_serve_memory serve_memory;
    gp_serve_point point;  /* one replica at the planned load */
    double error_fraction; /* the class's band at p80 */
    gp_timing timing;
    gp_band step_s;
    gp_band tokens_per_s; /* whole workload: trained tokens, or output tokens */
    gp_band ttft_p95_s, tpot_p95_s;
    double requests_per_s;          /* inference: capacity of all replicas within the SLO */
    double requests_per_s_expected; /* the same, judged by the expected value */
    double simulated_share;       /* of the load, that one replica carries as simulated; 0: what the
                               closed form says */
    double utilization;           /* planned demand over capacity */
    double availability_fraction; /* share of time in which as many replicas run as needed */
    double gpu_mean_w, it_mean_w, it_peak_w, facility_mean_w;
    double fabric_w;       /* in both it figures: the switches of `fabric` */
    gp_fabric_size fabric; /* of its own nodes */
    gp_cost cost;
    double rented_fraction; /* share of a year for which its machines are paid; 0: owned */
    bool priced;            /* every item had a price */
    double objective;       /* value of the objective; smaller is better */
    int share_count;        /* sites that it is spread over; 0: it is at one */
    const struct gp_candidate *shares; /* what each of them carries, the largest first */
    double share_fraction;             /* of a share: of the demand */
} gp_candidate;

/* GPUs of one job: of training, and of what generates for it. */
int64_t gp_candidate_job_gpus(const gp_candidate *candidate);
/* What of it stands on a kind of machine: itself, or its share there; NULL: nothing. */
const gp_candidate *gp_candidate_on(const gp_candidate *candidate, const gp_unit *unit);
/* Its shares stand on more than one kind of machine. */
bool gp_candidate_is_mixed(const gp_candidate *candidate);
/* The machine that it runs on, or the part of it. */
gp_machine gp_candidate_machine(const gp_candidate *candidate);

typedef struct gp_flip {
    bool present;
    const char *variable; /* "deadline", "throughput", "period", "requestRate", "seats",
                           * "dailyAudio", "numberOfStreams": constant */
    const char *path;     /* spec path, arena-owned */
    double today;
    double at;
    double least, most; /* that the rest of the spec allows of it; 0: any */
    gp_dim dim;
    gp_scale to_scale;
    size_t field;       /* where a gp_workload states it; 0: seats, which are counted */
    bool inside_band;   /* the flip lies inside the error band of the figure it depends on */
    const char *reason; /* when not present: why (constant) */
} gp_flip;

/* A change of software and what it does on the baseline's unit. */
typedef struct gp_software_change {
    const char *path; /* spec path */
    const char *from, *to;
    int64_t gpus;          /* GPUs needed with it; 0: not feasible even so */
    int64_t saved_gpus;    /* of those needed without it; 0: none hold it without it */
    double saved_fraction; /* of the GPUs needed without it */
    int64_t saved_nodes;   /* that the plan buys or rents fewer; 0: none */
    bool makes_hardware_unnecessary;
    double held_requests_per_s; /* services: what the machines of today (on an empty site those
                                   chosen) carry with it; 0: not worked out */
    bool assumed;               /* it rests on figures of the workload that are only assumed */
    gp_candidate sized;         /* in full, with it */
    const gp_workload *workload; /* as it is with it */
    bool may_save, may_do;       /* GPUs, or without new machines, by the closed form */
} gp_software_change;
/* What a need is made of, in the order in which it is built up. */
typedef enum gp_need_factor {
    GP_NEED_LOAD,         /* the mean load or the deadline, tuned, by expected values */
    GP_NEED_PEAK,         /* services: the planned peak over the mean */
    GP_NEED_TUNING,       /* the share of tuned speed that is counted on */
    GP_NEED_CONFIDENCE,   /* the edge of the error band */
    GP_NEED_HEADROOM,     /* GPUs kept free */
    GP_NEED_AVAILABILITY, /* replicas beside those that carry the load */
    GP_NEED_SURVIVAL,     /* services: what the other sites carry when one is lost */
    GP_NEED_LAYOUT,       /* what is planned: whole machines, and the objective's choice */
    GP_NEED_COUNT
} gp_need_factor;

/* Need with this factor and all before it. */
typedef struct gp_need_step {
    gp_need_factor factor;
    double value; /* LOAD: requests/s, or seconds allowed; else the factor or share */
    bool assumed; /* nobody stated the value */
    int64_t gpus, nodes;
    const gp_gpu_profile *part; /* of the one GPU: what is enough of it; NULL: whole GPUs */
} gp_need_step;
enum { GP_LAYOUT_ROWS_MAX = 8 };
enum { GP_SOFTWARE_CHANGE_MAX = 10 };

typedef struct gp_goal_result {
    const char *name; /* constant: "completeWithin", "ttftP95", ... */
    gp_dim dim;
    double target, expected, low, high;
    double deviation; /* of the logarithm of its error; 0: it has none */
    bool lower_is_better;
    bool towards_one; /* a share of which the rest counts: room is a part of 1 - target */
    bool ok;          /* at the confidence asked for */
    bool ok_at_expected;
    const gp_meta *meta; /* with offset: where the target is written */
    size_t offset;
} gp_goal_result;
enum { GP_GOAL_MAX = 16 };

typedef struct gp_rate_row { /* multi-node workloads: time at other network rates */
    double bits_per_s;
    double step_s;
    double communication_fraction;
} gp_rate_row;
enum { GP_RATE_ROWS = 4 };

enum { GP_DAY_HOURS = 24 };

/* What a service is asked over a week. Rates to plan for are those of the busiest minute. */
typedef struct gp_traffic_plan {
    double mean_per_s;
    bool mean_stated; /* else it follows from the peak */
    double peak_per_s;
    double peak_to_mean;               /* assumed factor from mean to peak; 0: the peak was given */
    bool of_goal;                      /* goal.throughput asks for more than the traffic peaks at */
    bool shaped;                       /* the spec states a profile */
    double hour_factors[GP_DAY_HOURS]; /* of a working day, on the mean of the week */
    double weekend_fraction;           /* of a working day's rate */
    double minute_factor;              /* busiest minute of an hour over that hour's mean */
} gp_traffic_plan;

/* The engine's gauge that replicas are scaled on, per replica. */
typedef enum gp_scale_metric {
    GP_SCALE_METRIC_RUNNING, /* sequences that run */
    GP_SCALE_METRIC_KV_USE   /* share of the KV cache in use */
} gp_scale_metric;

/* Replicas of the chosen layout that follow the traffic. */
typedef struct gp_autoscale {
    bool present;
    int64_t min_replicas, max_replicas; /* spares included; of two pools the sum */
    gp_scale_metric metric;
    double target;                 /* of the metric, mean per replica; 0: none for two pools */
    double replica_requests_per_s; /* what one replica carries within the service level */
    double target_requests_per_s;  /* what it carries at the target */
    double growth_fraction;        /* of the demand during one cold start, at its steepest */
    double burst_factor;           /* busiest minute over the mean that the metric sees */
    gp_serve_start start;
    bool has_week; /* the profile is known: what follows holds for it */
    int64_t replicas[GP_DAY_HOURS], weekend_replicas[GP_DAY_HOURS]; /* of two pools: decode's */
    int64_t prefill_replicas[GP_DAY_HOURS], weekend_prefill_replicas[GP_DAY_HOURS];
    double gpu_s_per_week, peak_gpu_s_per_week;
    double saved_fraction;
} gp_autoscale;

/* What the closed form alone would choose on that kind of machine: replicas, and the GPUs of each:
 * of the decode pool where there are two. All GPUs: of the replicas that carry load. */
typedef struct gp_closed_choice {
    int64_t replicas, gpus, all_gpus;
} gp_closed_choice;

/* What simulation says of the chosen replicas, judged as the plan is: under the load with its
 * headroom, at the edge of the error band that the confidence asks for. */
typedef struct gp_confirmation {
    bool present;     /* a percentile is asked for, and simulation was not turned off */
    bool confirmed;   /* the chosen replicas keep to the service level */
    bool unfilled;    /* not present: so many requests are too few to load these pools */
    int64_t requests; /* of each run */
    double requests_per_s;
    gp_closed_choice closed_form;
    int64_t chosen_all_gpus;
    gp_confirm_run chosen; /* the replicas that carry the load, spares apart */
    gp_confirm_run fewer;  /* one less; replicas 0: there is none */
    gp_confirm_run judged; /* the figures of the chosen; of several shares the longest of each */
    double closed_ttft_p95_s, closed_tpot_p95_s; /* of the closed form, at that load */
    double ttft_share, tpot_share; /* what is judged over what the closed form says of the plan */
} gp_confirmation;

/* What a workload holds over the horizon, and the queue before it. */
typedef struct gp_schedule_claim {
    gp_demand_kind kind;
    int64_t nodes;         /* machines while it runs; of what shares machines, those touched */
    double start_s, end_s; /* HUGE_VAL: beyond the horizon */
    double busy_fraction;  /* of that time in which the machines compute, on average */
    bool queued;           /* runs come by chance or share machines: what follows holds */
    double utilization;    /* of its places */
    double wait_mean_s, wait_p95_s;
    bool could_idle; /* would hold its goal on what services leave idle, and was not allowed to */
} gp_schedule_claim;

/* The best machines of its own against the best in a cloud, each by itself. */
typedef struct gp_placement_plan {
    bool present; /* some cloud is a candidate */
    gp_candidate owned, rented;
    double break_even_fraction; /* share of the time from which owning is cheaper; 0: not known */
} gp_placement_plan;

/* What became of a layout that was tried. */
typedef enum gp_tried_reason {
    GP_TRIED_BEST,    /* taken */
    GP_TRIED_OPEN,    /* training: it would do, and another is declared */
    GP_TRIED_SLOWER,  /* training */
    GP_TRIED_MEMORY,  /* training: of the GPU is short */
    GP_TRIED_OUTSIDE, /* training: host memory or drives are */
    GP_TRIED_RULE,    /* the framework or the engine does not launch it */
    GP_TRIED_MORE,    /* services: it would do, and takes more */
    GP_TRIED_LACK,    /* services: `sized` says what it lacks */
    GP_TRIED_COUNT
} gp_tried_reason;

/* A layout that was tried on the chosen machines. */
typedef struct gp_layout_tried {
    gp_tried_reason reason;
    gp_layout layout;           /* training */
    double step_s;              /* training */
    double worse_fraction;      /* than the one taken, below 0: better; training: time per token,
                                   services: what the objective counts */
    double short_bytes;         /* per GPU; MEMORY and OUTSIDE */
    const gp_layout_rule *rule; /* RULE */
    const gp_candidate *sized;  /* services: for the demand; of RULE the layout alone */
} gp_layout_tried;
enum { GP_TRIED_MAX = 12 };

/* What a run takes and costs, or a year of a service. */
typedef struct gp_work_plan {
    bool is_run;
    double energy_j;
    double tokens; /* 0: none are counted */
    bool priced;   /* all of the plan has a price, and what the service does is known */
    double cost;
} gp_work_plan;

typedef struct gp_workload_plan {
    const gp_workload *workload;
    gp_shape shape;
    gp_train_job train;   /* training kinds */
    gp_serve_job serve;   /* inference, and the rollout of reinforcement learning */
    gp_rl_job rl;         /* reinforcement learning; its parts are set by search_rl.c */
    gp_rl_plan rl_chosen; /* the step as it is chosen */
    gp_shape critic, reward;
    gp_shape frozen; /* teacher of distillation */
    bool is_rl;
    bool is_serving;
    bool is_offline; /* inference with a deadline in place of a rate */
    bool is_seats;   /* people: a rate is how many seats are open */
    bool has_goal;
    gp_traffic_plan traffic;      /* inference */
    double demand_requests_per_s; /* inference: planned peak */
    double demand_peak_to_mean;   /* and the factor it came from; 0: peak was given */
    gp_scale scale;
    gp_bound bound_by;
    int64_t baseline_nodes; /* machines that earlier claims leave; greenfield: none */
    int64_t baseline_gpus;
    gp_candidate current; /* the workload on the baseline */
    gp_candidate chosen;
    gp_candidate vertical;
    gp_candidate horizontal;
    gp_candidate at_expected; /* chosen when judged at the expected value */
    bool layout_declared;     /* the spec states a parallelism, which binds */
    bool layout_change;       /* chosen has another number of replicas than is declared */
    gp_autoscale autoscale;   /* inference */
    gp_candidate together;    /* inference: the chosen unit with prefill and decode together, */
    gp_candidate apart;       /* and in pools of their own */
    int64_t replicas_needed;  /* of the chosen layout, spares included */
    bool has_declared;        /* the spec says how many replicas run today: */
    gp_candidate declared;    /* exactly those on the baseline */
    gp_flip flip;
    int64_t surplus_gpus, surplus_nodes;
    double surplus_power_w;
    double held_requests_per_s; /* services: what the same machines carry as it is */
    int64_t held_nodes;         /* those machines */
    const gp_unit *held_unit;
    /* Every kind of machine that may be had, with all other workloads where they are: the best
     * first, those that do not do last. */
    GP_LIST(gp_candidate) kinds;
    int layout_count; /* services: each layout of the chosen unit, sized for the demand */
    gp_candidate *layouts;
    int software_change_count;
    gp_software_change *software_changes;
    int need_step_count; /* on the chosen kind of machine; 0: nothing holds it, or no goal */
    gp_need_step need_steps[GP_NEED_COUNT];
    int goal_count;
    gp_goal_result goals[GP_GOAL_MAX];
    bool has_rates;
    gp_rate_row rates[GP_RATE_ROWS]; /* 100, 200, 400, 800 Gb/s per GPU */
    GP_LIST(gp_layout_tried)
    tried;                 /* where options->layouts_of asks: the one taken first, then
                                       the best of the others, GP_TRIED_MAX at most */
    int64_t layouts_timed; /* those that launch and were tried, on all kinds of machines */
    gp_network network;    /* as the machines of `chosen` see it */
    gp_confirmation confirmation;
    gp_candidate greenest; /* of all kinds allowed, that with the least energy for the work */
    double greenest_saved_fraction; /* of the energy of the chosen one; 0: that is it */
    gp_host_need host;              /* of one machine */
    gp_placement_plan placement;
    gp_schedule_claim claim; /* its machines over the horizon */
    gp_work_plan work;
    gp_trace trace_chosen;
} gp_workload_plan;

/* Why a shared limit could not be kept, or what is left of it. */
typedef struct gp_limit_use {
    gp_bound bound;
    double used, limit;
    gp_dim dim;
    const char *path; /* of the spec: constant */
} gp_limit_use;
enum { GP_LIMIT_MAX = 6 };

typedef struct gp_site_plan {
    /* Counts that add up over several sites, from `gpus` to `rack_count`. */
    int64_t gpus, nodes; /* that workloads hold, at the busiest moment */
    int64_t owned_nodes, bought_nodes, rented_nodes;
    int64_t stand_nodes;  /* on site, with those that nobody holds */
    int64_t shared_nodes; /* machines saved by workloads that share them */
    int64_t rack_count;   /* all kinds together */
    /* Figures that do, from `it_peak_w` to `cost`. */
    double it_peak_w; /* the largest that lasts: for supply and cooling */
    double it_mean_w, network_w, storage_w;
    double turns_w;     /* of the mean, what runs that wait draw beyond those that come first */
    double system_w;    /* of system nodes, likewise in the first two */
    double there_gpus;  /* on site, and rented while they are */
    double useful_gpus; /* of these, those that compute, over a year */
    double it_year_w;   /* mean over a year: runs for as long as they last */
    /* What power counts for in the choice: of several sites with what each facility takes, and over
     * a year by the carbon of each, in kg/s where that is what is to be least. */
    double weighed_mean, weighed_year;
    double facility_year_w;              /* the same with what the facility takes */
    double liquid_mean_w, liquid_year_w; /* what coolant takes of the means */
    double air_w, liquid_w;              /* heat of it_peak_w */
    gp_site_figures figures;
    gp_cost cost;
    /* What does not. */
    double design_pue;
    gp_overhead annual;      /* over a year, of what draws it_mean_w */
    double wue_most_l_per_j; /* of what draws it_year_w */
    double air_rack_w;       /* most heat to air of one rack */
    gp_fabric_size fabric;   /* the largest compute fabric, for today's machines alone */
    gp_network network;
    double circuit_w; /* what one circuit of a rack carries; 0: not stated */
    bool priced;
    bool left_out; /* parts to buy without a price: sums of money are of the rest */
    int limit_count;
    gp_limit_use limits[GP_LIMIT_MAX];
} gp_site_plan;

/* One line of the bill of quantities: what stands in the room, and by which rule. */
typedef struct gp_bill_item {
    const char *role; /* constant: "machine", "leaf switch", ... */
    const char *kind; /* constant: "system", "switch", ... as price lists have it */
    const char *part; /* constant: "rack", ... likewise; NULL: they have the id */
    const char *id;   /* catalogue id or name of the unit; NULL: no product chosen */
    const char *rule; /* constant: how it was counted */
    int64_t count;
    double unit_w;     /* largest of one that lasts; 0: none, or in another line */
    int64_t bought;    /* of `count`, those that are not there yet */
    double unit_price; /* 0: no price known */
    gp_ref power;      /* where unit_w is written; meta NULL: nowhere */
    gp_ref price;      /* where unit_price is written, likewise */
    const gp_price *quote; /* of a price list; NULL: none */
} gp_bill_item;

/* Machines of one kind in the room, with what is built for them alone. */
typedef struct gp_kind_room {
    const gp_unit *unit;
    int64_t nodes;
    int64_t hosts; /* of one: trays of a rack-scale system */
    gp_rack_size racks;
    double liquid_fraction; /* of their heat */
    double rack_kg;         /* of the machines of a full one; 0: not known */
    gp_power_chain chain;   /* of a full one; circuits 0: not stated */
    int64_t fabric_nodes;   /* of `nodes`, those that its compute fabric is built for */
    gp_fabric_size fabric;  /* that; tiers 0: none */
    gp_fabric_parts parts;
    gp_fabric_room room;
    double port_bits_per_s;
    const gp_switch *switch_product;
} gp_kind_room;

/* A network beside the compute fabric. */
typedef struct gp_other_network {
    const char *name; /* constant: "storage", "inBand" */
    int kind;         /* gp_fabric_kind */
    double rate_bits_per_s;
    int64_t ports;          /* of machines and storage */
    double need_bits_per_s; /* by what the workloads ask of storage; 0: not worked out */
    const gp_switch *switch_product;
    gp_fabric_size size;
    gp_fabric_parts parts;
} gp_other_network;
enum { GP_OTHER_NETWORKS_MAX = 2 };

/* What follows from the site's machines for the room that they stand in. */
typedef struct gp_room_plan {
    GP_LIST(gp_bill_item) bill;
    GP_LIST(gp_kind_room) kinds;          /* the one with the most racks first */
    gp_cooling cooling;                   /* of the fullest rack and of all */
    const gp_cooling_class *cooling_unit; /* distribution units; NULL: none needed or none known */
    gp_power_chain chain;                 /* of the fullest rack; circuits 0: not stated */
    gp_failures failures[GP_RATE_COUNT];  /* of all machines, by gp_rate */
    gp_fabric_parts fabric_parts;         /* of all compute fabrics */
    gp_fabric_room fabric_room;           /* of the largest */
    gp_storage_need storage;              /* the largest rates, the sum of capacities */
    double storage_read_bytes_per_s;      /* that the cluster declares, likewise below; 0: none */
    double storage_write_bytes_per_s, storage_capacity_bytes;
    const gp_storage_product *storage_product; /* to buy where none is declared; NULL: none fits */
    int64_t storage_products;
    double storage_w;    /* of them, at nameplate */
    double other_u;      /* rack units of switches and storage */
    int64_t other_racks; /* for those of them that the machines' racks have no room for */
    int64_t management_switches;
    int network_count;
    gp_other_network networks[GP_OTHER_NETWORKS_MAX];
    double water_c;      /* facility water; 0: not known */
    double weight_kg;    /* of all that is delivered and whose weight is known */
    double rack_kg;      /* of the fullest rack's machines; 0: not known */
    int64_t spare_nodes; /* of all kinds of machines */
    gp_ownership owning; /* of what is bought, against `compared` */
    bool has_burst;
    gp_burst burst; /* units: GPUs */
    int64_t burst_peak_gpus;
    const gp_cloud
        *compared; /* cheapest on-demand instance of the most GPUs; NULL: no comparison */
    const gp_price *compared_quote; /* what a price list says of it; NULL: by the catalogue */
    double compared_per_gpu_s;
} gp_room_plan;

/* Machines of one kind in one period of the horizon. */
typedef struct gp_period_kind {
    const gp_unit *unit;
    int64_t peak_nodes; /* at the busiest moment */
    double mean_nodes;  /* computing, on average */
} gp_period_kind;

typedef struct gp_period {
    double start_s, end_s;
    int64_t date; /* yyyymmdd of its first day; 0: growth.start is not stated */
    int64_t peak_nodes;
    double mean_nodes;
    GP_LIST(gp_period_kind) kinds; /* those that anything runs on */
} gp_period;
enum { GP_PERIODS_MAX = 40 };

/* All workloads on one time axis. */
typedef struct gp_schedule {
    double horizon_s;
    int period_count;
    gp_period periods[GP_PERIODS_MAX];
    int64_t peak_nodes;
    double mean_nodes;
    int64_t spare_nodes, system_nodes; /* that the cluster keeps beside them */
    bool has_day;                      /* some service has a profile by hours */
    int64_t day_nodes[GP_DAY_HOURS], weekend_nodes[GP_DAY_HOURS]; /* held today, by the hour */
} gp_schedule;

typedef struct gp_growth_row {
    int64_t quarter;               /* yyyymmdd of its first day */
    gp_site_plan site;             /* of all that stands: nothing is given back. Bought machines are
                                      those for this quarter; in the first, the plan's own too */
    int64_t nodes;                 /* that stand or are rented */
    int64_t nodes_low, nodes_high; /* the same by the other scenarios; -1: not stated */
    int64_t needed_by;       /* yyyymmdd of the month in which they are first needed; 0: nothing to
                                  buy */
    int64_t order_by;        /* the longest lead time before; 0: nothing to buy, or none stated */
    int64_t order_fabric_by; /* that of switches, where it takes more */
    int64_t order_power_by;  /* that of power, where more is drawn than the IT capacity and what was
                                  ordered before */
    int64_t switches;        /* of all compute fabrics, spines as the end of the horizon takes */
    double over_w;           /* of its power, beyond the IT capacity of the sites */
    double capital;          /* spent so far; 0: not all has a price */
    gp_bound limit_hit;      /* first limit passed in this quarter, or NONE */
    const gp_candidate **chosen; /* by workload, those added later behind the others; NULL: it is
                                    not there */
    int64_t rent_nodes;          /* for what no limit of the site leaves room: in a cloud */
    const gp_unit *rent_unit;    /* its machines; NULL: none rented beyond the plan */
    double rent_per_s;           /* 0: no price known */
    int64_t *held;               /* by workloads, by kind of machine; what is rented included */
    int64_t *bought;             /* for this quarter, by kind of machine */
} gp_growth_row;
enum { GP_GROWTH_MAX = 40 };

/* What is built once, for the whole horizon: taken backwards from its last quarter, so that no
 * phase strands what an earlier one built. */
typedef struct gp_growth_shell {
    int64_t gpus;
    int64_t leaf, spine, core; /* of all compute fabrics, at the end */
    int64_t early_spine;       /* spines and cores bought at first that only later phases need */
    bool keeps_kinds;          /* workloads, so many, grow on the kinds that they are on at first */
} gp_growth_shell;

/* What growth may run out of: the limits of the site and the budget, then other things. */
typedef enum gp_resource {
    GP_RESOURCE_POWER,
    GP_RESOURCE_AIR,
    GP_RESOURCE_LIQUID,
    GP_RESOURCE_RACKS,
    GP_RESOURCE_CAPITAL,
    GP_RESOURCE_RECURRING,
    GP_RESOURCE_STORAGE_READ,
    GP_RESOURCE_STORAGE_CAPACITY,
    GP_RESOURCE_MACHINES, /* on a declared cluster: those there or bought today */
    GP_RESOURCE_FABRIC,   /* machines that a compute fabric takes as it is built */
    GP_RESOURCE_COUNT
} gp_resource;

/* A resource over the horizon. */
typedef struct gp_growth_limit {
    gp_resource resource;
    const gp_unit *unit; /* FABRIC: whose machines; else NULL */
    int site;            /* of the result's; GP_NO_SITE: of the plan as a whole */
    double today, at_horizon; /* NaN: not known, since prices are missing */
    double limit;
    gp_dim dim;
    bool over;           /* in the quarter that was judged last */
    int64_t passed;      /* yyyymmdd: first day of the month in which it is passed; 0: it is not */
    int64_t passed_high; /* first day of the quarter, by the high scenario; 0 likewise */
    int64_t rented_from; /* first day of the quarter from which machines are rented since buying
                              them would pass it; 0: none are */
} gp_growth_limit;

/* The whole plan chosen again on other terms, to be told beside it. */
typedef struct gp_whole_plan {
    const gp_unit *unit; /* everything on this kind of machine; NULL: on any */
    size_t held;         /* workloads that find their machines */
    gp_site_plan site;
    gp_bound passed; /* the first limit of the site that it passes; NONE: it keeps to all */
    double objective_value;
} gp_whole_plan;

/* One of several sites as it is planned. */
typedef struct gp_site_part {
    const char *name;
    gp_plan_document document; /* the plan's, with this site and cluster alone */
    gp_site_plan site;
    gp_room_plan room;
} gp_site_part;

/* The most GPUs that the workloads of a team hold at a time, and what that means for it. */
typedef struct gp_team_plan {
    const gp_team *team;
    int64_t quota, held;
    int64_t staying; /* of `held`, those of services and seats */
    int64_t borrowed, lent;
    int64_t over;        /* of `borrowed`, those beyond what it may borrow */
    bool limited;        /* it may not borrow any number */
    bool queued;         /* it has jobs that come at random: what follows holds */
    double wait_s;       /* 95th percentile of the job that waits longest; */
    double wait_alone_s; /* the same on its own GPUs alone */
} gp_team_plan;

/* What a service declares of its replicas: of all of them, or of each pool. */
typedef struct gp_replica_key {
    const char *path; /* below the workload */
    size_t offset;    /* in it */
} gp_replica_key;

enum { GP_REPLICA_KEYS = 3 };
extern const gp_replica_key gp_replica_keys[GP_REPLICA_KEYS];
int64_t gp_replicas_declared(const gp_workload *workload, size_t key);

/* A change of what is declared that was planned with and holds as a whole. */
typedef struct gp_mend {
    size_t pool; /* by its place among the pools */
    int64_t count;
    bool is_count;                /* it is another number of machines than is declared */
    const gp_workload *workloads; /* with their replicas */
    const gp_lack *limits;        /* that it passes, and what they have to be; NULL: none */
} gp_mend;

typedef struct gp_plan_result {
    const gp_plan_document *document;
    gp_catalog *catalog; /* with those below: what it was planned from */
    const gp_prices *const *prices;
    const struct gp_plan_trace *traces;
    size_t price_count, trace_count;
    gp_constants *constants;
    gp_objective objective; /* as applied: never AUTO */
    bool objective_was_auto;
    bool in_turn;                   /* runs that end wait for each other: it is better so */
    bool keeps_owned;               /* then: machines in place go before machines to buy */
    bool objective_changes_verdict; /* another objective would give another verdict somewhere */
    const gp_lack *limits_for_all;  /* with which all hold that limits keep out, where several */
    const char *other_objective_workload; /* the first whose verdict would be another */
    gp_objective other_objective;         /* which one */
    gp_confidence confidence;
    GP_LIST(gp_unit) units;
    GP_LIST(gp_workload_plan) workloads; /* in spec order */
    gp_site_plan site;                   /* of several sites the sum, likewise below */
    gp_room_plan room;
    GP_LIST(gp_site_part) sites; /* by name; none where there is one */
    gp_schedule schedule;
    GP_LIST(gp_team_plan) teams;
    int64_t promised_gpus; /* by their quotas */
    int growth_count;
    gp_growth_row *growth;
    gp_growth_shell shell;
    int growth_limit_count;
    gp_growth_limit *growth_limits;
    const char *currency;   /* of every price; NULL: none is known */
    const gp_prices *quote; /* the price list that ends first; NULL: none says when */
    double objective_value; /* of the site that is planned, in the objective's unit */
    double gap_fraction;    /* what a better choice could save at most; 0: there is none */
    const gp_whole_plan *at_expected; /* judged by expected values; NULL: not worked out */
    GP_LIST(gp_whole_plan) alone;     /* on one kind each, where there are several */
    bool over_limits; /* what stands there passes a limit of the site whatever is chosen */
    bool feasible;
    bool declared_only;  /* chosen is what is declared, as options->declared_only asked */
    const gp_mend *mend; /* with which what is declared holds; NULL: none is known, or due */
} gp_plan_result;

/* A trace that the spec names, read by the caller. */
typedef struct gp_plan_trace {
    const char *path; /* as the spec has it */
    const gp_text *text;
} gp_plan_trace;

/* What one machine of a cloud comes to under the cheaper contract for its use. */
typedef struct gp_rent {
    double per_s;            /* mean over a year; 0: no price known */
    double paid_fraction;    /* of the year that is paid for */
    const gp_contract *from; /* in the unit */
} gp_rent;

/* --- bill.c. To buy, without a price. */
bool gp_part_unpriced(const gp_bill_item *line);
/* --- unpriced.c. Energy has a price, or needs none of its own. */
bool gp_energy_priced(const gp_plan_result *result);
/* To buy or rent. */
bool gp_machines_unpriced(const gp_candidate *chosen);
/* To buy, of a compute fabric. */
bool gp_switch_unpriced(const gp_bill_item *line);
/* None of these lacks a price. */
bool gp_costs_known(const gp_plan_result *result);
/* --- work_cost.c. One run: time with its machines, GPUs, what the facility draws for it. */
double gp_run_held_s(const gp_candidate *run);
double gp_run_gpus(const gp_candidate *run);
double gp_run_power_w(const gp_candidate *run);
/* A machine that is taken for a share of the year. */
gp_rent gp_rent_of(const gp_unit *unit, double fraction);
/* GPUs of its own: a fraction where part of one is enough. */
double gp_option_gpus(const gp_candidate *candidate);

/* How much simulation goes into a plan. */
typedef enum gp_plan_simulate {
    GP_PLAN_SIMULATE_QUICK, /* runs of at most 2,000 requests */
    GP_PLAN_SIMULATE_FULL,  /* all replicas, ten times the requests, a wider search */
    GP_PLAN_SIMULATE_OFF
} gp_plan_simulate;

/* What plans of one study have in common: what a replica of a layout carries within its service
 * level, whatever the demand. */
typedef struct gp_plan_memory gp_plan_memory;
/* Its arenas leave by the doors of `of`. */
gp_plan_memory *gp_plan_memory_new(const gp_arena *of);
void gp_plan_memory_free(gp_plan_memory *memory);
/* Before a plan: `key` is all that differs between plans of the study but the rate of requests;
 * with another key than before, what is remembered is forgotten. */
void gp_plan_memory_open(gp_plan_memory *memory, const char *key);

/* How much more of a workload than its spec asks for. */
typedef struct gp_plan_more {
    double times; /* services by rate, jobs of a week by number, a run by size; 1: no more; 0: it
                     is left out */
    int64_t runs; /* beside each other, at least; 0: as the spec says */
} gp_plan_more;

typedef struct gp_plan_options {
    gp_objective objective; /* AUTO: the spec's, */
    bool objective_asked;   /* unless that itself is asked for */
    /* Judge the machines that the spec declares, not those that would be best: every workload runs
     * on what earlier claims leave of the cluster. One that misses its goals keeps its figures;
     * alternatives are still sized. */
    bool declared_only;
    bool owned_only; /* purchases are allowed, and none is made */
    bool tightly;    /* chosen once more from what comes to less than the first choice */
    bool others;     /* what other objectives choose is simulated before the choice */
    bool in_turn;    /* runs that end wait for each other, on machines that are free, too */
    const char *only; /* unit of which all is that is bought; NULL: of any */
    bool alone;  /* then: what stands of others stays idle, and no limit of the site is kept to, */
    bool within; /* unless this is set */
    bool brief; /* the choice, its figures and verdicts alone, without what compares and explains */
    bool once;  /* without what is found by planning again: flip points, limits, what mends */
    gp_plan_simulate simulate;
    const char *layouts_of;      /* workload whose layouts are told in `tried`; NULL: none's */
    const double *limits;        /* in place of the spec's, in their order; NULL: those */
    const gp_plan_more *more;    /* of each workload, in their order; NULL: what the spec asks */
    const gp_plan_result *hold;  /* whose choice is kept; set by gp_plan_hold */
    const gp_plan_trace *traces; /* those that traffic.profile.trace names */
    size_t trace_count;
    gp_plan_memory *memory; /* of the study that it is part of, or NULL */
    bool nearby; /* plans of other rates are in it: what missed under less load does so here */
    size_t edited; /* 1 more than the workload that differs from the study's; 0: none */
} gp_plan_options;

/* Plans `document` (resolved). Catalogue rows that are needed are loaded first; the search itself
 * neither allocates nor looks anything up. GP_ERR_INPUT with a diagnostic when the objective needs
 * a price that is missing, or a goal makes no sense. */
gp_status gp_plan_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                      const gp_prices *const *prices, size_t price_count,
                      const gp_plan_options *options, gp_diags *diags, gp_plan_result **ret_result);

/* Works a plan out again with its choice kept: machines, layouts and counts stay, and nothing is
 * searched, simulated or compared. Numbers of its document, of the catalogue and of its constants
 * may have been changed since. GP_ERR_INPUT where they leave other kinds of machines to choose
 * from. */
gp_status gp_plan_hold(gp_arena *arena, const gp_plan_result *plan, gp_plan_result **ret_result);

/* Fills the simulation of a serving workload as it was planned: its chosen layout, the replicas
 * that carry the load (spares apart), the planned rate, lengths and service level. `slowdown` (1:
 * none) stretches every step. *ret_prefill is the engine of replicas that do nothing but prefill,
 * where the plan has them, else that of all. The caller may change anything before gp_simulate.
 * GP_ERR_NOT_FOUND where the workload does not serve, has no layout that fits, or no traffic. */
gp_status gp_plan_simulation(const gp_plan_result *result, const gp_workload_plan *workload,
                             double slowdown, gp_engine *ret_engine, gp_engine *ret_prefill,
                             gp_simulate_config *ret_config);

/* Tokens of the cache that all but one in a thousand requests of a service do with. */
double gp_plan_long_request(const gp_constants *constants, const gp_workload_plan *workload);

/* What lies between a workload's home and the site of the unit; NULL: nothing, or no home. */
const gp_site_link *gp_plan_link(const gp_plan_result *result, const gp_workload *workload,
                                 const gp_unit *unit);

/* ---------------------------------------------------------------- what a site holds */

/* What keeps a number from being larger. */
typedef struct gp_capacity_bound {
    gp_bound bound;   /* NONE: nothing that is stated */
    const char *path; /* of the spec: constant; NULL: no limit of the spec */
    double limit;     /* in its own unit; 0: it has none */
    gp_dim dim;
    const char *workload; /* which has no layout that does, whatever there is; NULL: none */
} gp_capacity_bound;

typedef enum gp_capacity_measure {
    GP_CAPACITY_FACTOR,   /* all workloads at once, as multiples of their demand */
    GP_CAPACITY_RATE,     /* requests per second, on average */
    GP_CAPACITY_REQUESTS, /* of a batch within its deadline */
    GP_CAPACITY_SEATS,    /* open at once */
    GP_CAPACITY_WEEKLY,   /* runs per week */
    GP_CAPACITY_RUNS,     /* side by side, each within its goal */
    GP_CAPACITY_MEASURES,
    GP_CAPACITY_MACHINES = GP_CAPACITY_MEASURES /* that stand by themselves: no demand */
} gp_capacity_measure;

/* How far a demand may go on the machines of a row, all others as they are; others that find no
 * place without it are left out. */
typedef struct gp_capacity_demand {
    const gp_workload *workload; /* NULL: all of them together */
    gp_capacity_measure measure;
    double today;            /* 0: not stated */
    double most;             /* 0: not even a small part of today's; HUGE_VAL: nothing binds */
    double peak;             /* RATE: the peak that is planned for at `most` */
    int64_t nodes, gpus;     /* that workloads hold then, all together */
    gp_capacity_bound binds; /* just above `most` */
    double next_most;        /* without that limit; 0: not known */
    gp_capacity_bound next;  /* and what binds then */
    bool simulated;          /* percentiles were run at `most`, and held */
} gp_capacity_demand;

/* What stands, and as many more machines of one kind as the limits hold. */
typedef struct gp_capacity_row {
    const gp_unit *unit; /* that may be added; NULL: none, the cluster as it is declared */
    bool bounded;        /* false: no limit says how many; the figures below are absent */
    bool over;           /* what stands passes a limit already */
    bool unpriced;       /* a budget is stated, and not all that is added has a price */
    int64_t added;       /* machines of the kind beyond what stands */
    gp_site_plan site;   /* of all that stands then */
    int64_t gpus, switches;
    double memory_bytes, flop_per_s; /* of all GPUs; 16 bit */
    gp_capacity_bound binds, next;
    int64_t next_added;                  /* without the limit that binds; 0: not known */
    GP_LIST(gp_capacity_demand) demands; /* of several workloads all together first, then each */
} gp_capacity_row;

/* What a site and its cluster hold. */
typedef struct gp_capacity {
    const gp_plan_result *plan; /* units, constants, currency; nothing is chosen */
    int limit_count;
    gp_limit_use limits[GP_LIMIT_MAX]; /* with what stands there */
    int64_t gpus;                      /* limit on all GPUs; 0: none */
    GP_LIST(gp_capacity_row) rows;     /* as declared first, then what holds most */
} gp_capacity;

/* Fills a site with machines, and finds how far the demands of its workloads may go. `most_gpus`:
 * on all machines together; 0: any. The spec may have no workloads. Plans as gp_plan_run does, but
 * what is bought is of one kind at a time. */
gp_status gp_capacity_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                          const gp_prices *const *prices, size_t price_count,
                          const gp_plan_options *options, int64_t most_gpus, gp_diags *diags,
                          gp_capacity **ret_capacity);

const char *gp_capacity_measure_name(gp_capacity_measure measure); /* "rate" "runs" ... */

const char *gp_scale_name(gp_scale scale);             /* "none" "vertical" ... */
const char *gp_demand_name(gp_demand_kind kind);       /* "continuous" "deadline" ... */
const char *gp_resource_name(gp_resource resource);    /* "IT power" "heat to air" ... */
gp_bound gp_resource_bound(gp_resource resource);      /* NONE for storage */
const char *gp_turn_name(gp_turn turn);                /* "own" "after" "queue" "idle" */
const char *gp_bound_name(gp_bound bound);             /* "memory" "hbmBandwidth" ... */
const char *gp_objective_name(gp_objective objective); /* "minCost" ... */

#endif
