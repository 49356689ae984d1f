/*
 * What the files of this room share: the planning context, one case per workload, and the cache of
 * capabilities. A capability is what a unit can do whatever the demand (best step time on N GPUs,
 * request rate of one replica within its SLO); demand (deadline, request rate) is compared with it
 * afterwards, so that a flip point or another confidence costs no new search.
 */
#ifndef GP_PLAN_CONTEXT_H
#define GP_PLAN_CONTEXT_H

#include <gpuplan/plan.h>

enum {
    GP_PLAN_COUNTS_MAX = 96,  /* GPU counts tried per unit and workload */
    GP_PLAN_LAYOUTS_MAX = 96, /* replica layouts per unit and workload */
    GP_PLAN_SPLITS_MAX = 400, /* pairs of a prefill and a decode layout per unit and workload */
    GP_PLAN_ROUNDS_MAX = 4,   /* re-pricings with the shared fabric */
    GP_PLAN_CONFIRM_ROUNDS_MAX = 8, /* choices made again after a simulation */
    GP_WEEK_HOURS = 7 * GP_DAY_HOURS,
    GP_PLAN_JUDGED_COUNT = 2 /* SLO capacities: at the expected value, at the confidence asked */
};

/* Best training layout found for one GPU count of one unit. */
typedef struct gp_train_capability {
    int64_t gpus;     /* per job */
    int64_t jobs;     /* that share its GPUs, this one included */
    int64_t nodes;    /* machines of one job: more than its GPUs would fill where some stay idle */
    bool unsupported; /* the GPU has no path for the precision */
    bool fits;        /* some layout fits in memory */
    gp_layout layout;
    gp_memory memory; /* of the layout, or of the nearest one when none fits */
    gp_train_time time;
    gp_run run;
    double error_fraction;
    int64_t tried;
    const char *refused;       /* declared layouts: why none of them is possible (constant) */
    double outside_bytes;      /* per GPU: host memory or drives of what is offloaded */
    double outside_room_bytes; /* what there is of them, where that is too little */
} gp_train_capability;

/* One replica layout of one unit. */
typedef struct gp_serve_capability {
    gp_serve_layout layout;
    int64_t gpus;  /* per replica */
    int64_t nodes; /* per replica: 1 when it fits into a machine */
    bool fits;
    gp_serve_memory memory;
    double error_fraction;
    double requests_per_s[GP_PLAN_JUDGED_COUNT]; /* within the SLO; 0: not even one request */
    gp_serve_point idle;                         /* a single request at a time: the latency floor */
    gp_bound bound; /* kept by gp_bound_of_serving, which does not depend on demand */
} gp_serve_capability;

/* A prefill layout with a decode layout of one unit, by their place among the layouts. */
typedef struct gp_split_capability {
    int64_t prefill, decode;
    double prefill_per_s[GP_PLAN_JUDGED_COUNT]; /* one replica within the SLO; 0: not even one */
    double decode_per_s[GP_PLAN_JUDGED_COUNT];
} gp_split_capability;

/* Whether prefill and decode may share a replica. */
typedef enum gp_split_mode {
    GP_SPLIT_AUTO,  /* apart only where that takes less, or is the only way */
    GP_SPLIT_NEVER, /* together */
    GP_SPLIT_ALWAYS /* apart */
} gp_split_mode;

typedef struct gp_unit_capability {
    int64_t train_count;
    gp_train_capability *train; /* by ascending gpus; GP_PLAN_COUNTS_MAX of room */
    bool serve_done;
    int64_t serve_count;
    gp_serve_capability *serve;
    bool split_done;
    int64_t split_count;
    gp_split_capability *split; /* GP_PLAN_SPLITS_MAX of room */
} gp_unit_capability;

/* Demand scalars that a flip search varies. */
typedef struct gp_demand {
    double deadline_s;     /* wall time allowed; 0: none */
    double requests_per_s; /* planned peak; 0: none */
} gp_demand;

/* Whole machines that a job holds for a time. */
typedef struct gp_dated_claim {
    int64_t nodes;
    double start_s, end_s;
} gp_dated_claim;

/* Whole machines that recurring runs take turns on. A run waits at most for one of each other. */
typedef struct gp_turn_group {
    int64_t nodes;
    double busy_s;   /* one run of each */
    double period_s; /* the shortest */
    double slack_s;  /* by which the tightest of them may be put off still */
} gp_turn_group;

/* What earlier claims leave of a pool. */
typedef struct gp_pool_state {
    const gp_pool *pool;
    size_t unit;        /* index into units */
    int64_t free_nodes; /* machines that nobody holds for good */
    size_t dated_count; /* room for one per case, in both lists */
    gp_dated_claim *dated;
    size_t group_count;
    gp_turn_group *groups;
    int64_t idle_nodes[GP_WEEK_HOURS]; /* that services leave, by the hour of a week */
    bool idle_taken;                   /* one job runs on them */
    int64_t partial_gpus;              /* free GPUs on machines that others share */
    int64_t largest_hole;              /* most free GPUs on one shared machine */
} gp_pool_state;

struct gp_plan_context;

typedef struct gp_case {
    struct gp_plan_context *plan;
    gp_workload_plan *out;
    const gp_workload *workload;
    gp_demand demand;
    double gpu_headroom_fraction;
    double memory_headroom_fraction;
    gp_confidence confidence;
    bool exclusive;
    bool offline;      /* inference: a job with a deadline, not a service */
    bool fixed_layout; /* the spec declares a parallelism: the baseline is tried with it */
    gp_split_mode split_mode;
    const gp_stack *stack; /* training: the framework row; NULL where none is named */
    /* Of the closed form rate that simulation confirmed; 1: all. Apart: of pools of their own. */
    double simulated_fraction, simulated_prefill_fraction, simulated_decode_fraction;
    bool pinned;                      /* search only the declared parallelism */
    gp_timing timing;                 /* of the baseline that is sized */
    gp_run_input run;                 /* storage and checkpoint figures of the job */
    double slots_per_week;            /* jobs per week; 0: one job */
    int64_t slots_min;                /* concurrent jobs asked for */
    gp_unit_capability *units;        /* one per unit of the plan */
    gp_unit_capability *pinned_units; /* the same for the declared parallelism, or NULL */
} gp_case;

/* Resources that workloads share, as limits, as what is left of them, or as what a candidate uses.
 * A limit that was not given is GP_UNLIMITED. */
#define GP_UNLIMITED 9007199254740992.0
typedef struct gp_limits {
    double it_power_w;
    double air_w, liquid_w;
    double racks;
    double capital;
    double cost_per_s;
} gp_limits;

typedef struct gp_plan_context {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    const gp_plan_document *document;
    const gp_plan_spec *spec;
    const gp_prices *const *prices;
    size_t price_count;
    const gp_constants *constants;
    gp_plan_result *result;
    const gp_plan_options *options;
    gp_objective objective;
    bool declared_only;
    gp_plan_simulate simulate;
    bool all_priced;
    size_t unit_count;
    gp_unit *units;
    size_t pool_count;
    gp_pool_state *pools;
    gp_pool_state *bought; /* on an empty site, one per unit: the hours that services leave of what
                              is bought for them; pool NULL */
    gp_network *networks;  /* one per unit: the fabric as its machines see it */
    gp_fabric_input *fabrics;   /* one per unit, nodes filled in by the caller */
    const gp_switch **switches; /* one per unit */
    double design_pue, annual_pue, carbon_kg_per_j;
    gp_limits held;   /* by machines of jobs outside the spec, and spares */
    gp_limits given;  /* the site's and the budget's, less that */
    gp_limits limits; /* the same less what stands around machines: what workloads share */
    size_t case_count;
    gp_case *cases; /* in spec order */
    size_t *claim_order;
    struct gp_unit_load *loads;    /* one per unit: all chosen candidates */
    struct gp_baseline *baselines; /* one per case, as the last claims left it */
    gp_fabric_size *shells;        /* one per unit: the tiers, spines and cores that the horizon
                                      takes; NULL: no growth is stated */
    struct gp_growth_plan *growth; /* as gp_growth_of left it; NULL likewise */
} gp_plan_context;

/* --- units.c: machine kinds, their fabrics and prices */
gp_status gp_plan_units(gp_plan_context *plan, const gp_prices *const *prices, size_t count);
/* --- machine.c */
gp_status gp_machine_init(gp_plan_context *plan, const gp_system *system, gp_machine *ret_machine);
/* --- networks.c */
gp_status gp_plan_networks(gp_plan_context *plan);
/* Bandwidths of the shared fabric as the machines of `unit` see it with `nodes` on it. */
void gp_plan_network_price(const gp_plan_context *plan, size_t unit, int64_t nodes,
                           gp_network *ret_network);
void gp_plan_fabric(const gp_plan_context *plan, size_t unit, int64_t nodes, gp_fabric_size *ret);
/* The same as it is built: tiers, spines and cores are those of the horizon's end. */
void gp_plan_fabric_built(const gp_plan_context *plan, size_t unit, int64_t nodes,
                          gp_fabric_size *ret);
/* What that is sized from; *ret_ports endpoints count as one machine. */
gp_fabric_input gp_plan_fabric_input(const gp_plan_context *plan, size_t unit, int64_t nodes,
                                     int64_t *ret_ports);
/* Switches of each layer that `nodes` machines need beyond those of the `owned` among them. */
void gp_plan_new_switches(const gp_plan_context *plan, size_t unit, int64_t nodes, int64_t owned,
                          gp_fabric_size *ret);
/* Power of one: its maximum, else what it typically draws, else by the rate of its ports; and where
 * that is written. */
double gp_plan_switch_w(const gp_plan_context *plan, const gp_switch *product, gp_ref *ret_where);
/* Its catalogue id, also of one that the spec overrides; NULL for none. */
const char *gp_plan_switch_id(const gp_switch *product);
/* Price of a switch of the unit's fabric; 0: none known. */
double gp_plan_switch_price(const gp_plan_context *plan, size_t unit);
/* The switch with the most capacity of the kind (gp_fabric_kind) whose ports carry the rate; stays
 * as it is where there is none. */
gp_status gp_plan_default_switch(gp_plan_context *plan, int kind, double bits_per_s,
                                 const gp_switch **ret_switch);
/* --- cases.c: a workload with every default resolved */
gp_status gp_plan_case_init(gp_plan_context *plan, const gp_workload *workload,
                            gp_workload_plan *out, gp_case *ret_case);
/* The stack row of a framework or engine: the declared release, else its newest; NULL without a
 * name. */
gp_status gp_plan_stack(gp_plan_context *plan, const char *name, const char *release, int role,
                        const gp_stack **ret_stack);
/* Factor of a tuning class on tuned speed. */
gp_status gp_plan_tuning(gp_plan_context *plan, gp_tuning tuning, double *ret_factor);
/* --- trace_profile.c: what a trace says */
typedef struct gp_length {
    double mean, p95, p99;
    double cv2; /* variance over the mean squared; 0: nothing says it */
} gp_length;
typedef struct gp_trace_profile {
    double requests, duration_s;
    double mean_per_s;
    double minute_factor;
    bool has_hours; /* the trace covers a day at least */
    double hours[GP_DAY_HOURS];
    gp_length input, output;
} gp_trace_profile;
/* NOT_FOUND: the caller did not hand the trace over. */
gp_status gp_trace_profile_of(struct gp_plan_context *plan, const char *path,
                              gp_trace_profile *ret);
/* --- traffic.c: rates over a week, lengths of requests */
/* `trace` (may be NULL) stands in for what the spec leaves open. */
void gp_traffic_of(const gp_workload *workload, const gp_trace_profile *trace,
                   const gp_constants *k, gp_traffic_plan *ret);
/* The rate to plan for in an hour of a working day or of a weekend's. */
double gp_traffic_planned(const gp_traffic_plan *traffic, int hour, bool weekend);
/* Tokens of a request. What the spec leaves open follows from what it says by the lognormal law;
 * with a mean alone, by the ratios. */
gp_length gp_length_of(const gp_distribution *d, double p95_of_mean, double p99_of_mean);
/* Half width of the error band at p80 for this case's class on a unit; and what of it a confidence
 * adds to a time. */
/* Room for a case's capabilities: one cache per unit; NULL when memory is short. */
gp_unit_capability *gp_capabilities_new(const gp_case *c);
void gp_capabilities_forget(gp_unit_capability *units, size_t unit);
/* The number that pins a dimension of the layout, or 0. */
int64_t gp_pinned(const gp_case *c, int64_t declared);
double gp_plan_error(const gp_case *c, size_t unit);
double gp_plan_ttft_margin(const gp_case *c);
double gp_plan_margin(const gp_case *c, double error_fraction, gp_confidence confidence);
/* --- search_train.c, search_serve.c */
/* Where one job runs: on `gpus` GPUs of `nodes` machines, which `jobs` such jobs share; each of
 * those has its part of the memory and of the time. */
typedef struct gp_train_place {
    int64_t gpus, jobs, nodes;
} gp_train_place;
const gp_train_capability *gp_search_train(const gp_case *c, size_t unit, gp_train_place place);
/* The machine as one of `jobs` that share its GPUs sees it. */
gp_machine gp_machine_shared(const gp_machine *machine, int64_t jobs);
/* The whole run of a job at `step_s` a step in its place on a unit. */
void gp_run_of(const gp_case *c, size_t unit, gp_train_place place, double step_s, gp_trace *trace,
               gp_run *ret);
/* Turns the step of a job that is alone into that of one of `jobs`. */
void gp_train_time_share(gp_train_time *time, int64_t jobs);
const gp_serve_capability *gp_search_serve(const gp_case *c, size_t unit, int64_t *ret_count);
/* Pairs of layouts for prefill and decode apart. */
const gp_split_capability *gp_search_split(const gp_case *c, size_t unit, int64_t *ret_count);
/* The rate of one replica of a known layout within the service level on a changed machine. */
double gp_serve_rate_with(const gp_case *c, size_t unit, const gp_machine *machine,
                          const gp_serve_capability *capability);
/* How far a miss is from enough; smaller is nearer. */
double gp_lack_distance(const gp_lack *lack);
bool gp_layout_next_count(int64_t per_node, int64_t *nodes);
/* --- slo.c: the levels that a service promises */
typedef struct gp_slo_level {
    const char *name;    /* of the goal: "ttftP95" */
    size_t distribution; /* in gp_slo */
    size_t level;        /* in gp_distribution */
    size_t figure;       /* in gp_serve_point */
    bool first_token;    /* judged by the error of the time to first token */
} gp_slo_level;
extern const gp_slo_level gp_slo_levels[];
extern const size_t gp_slo_level_count;
const gp_distribution *gp_slo_distribution(const gp_slo_level *level, const gp_slo *slo);
double gp_slo_target(const gp_slo_level *level, const gp_slo *slo); /* 0: none */
double gp_slo_figure(const gp_slo_level *level, const gp_serve_point *point);
/* Every level holds with the margins added; and the one that is missed by most. */
bool gp_slo_holds(const gp_slo *slo, const gp_serve_point *point, double margin,
                  double ttft_margin);
gp_lack gp_slo_worst(const gp_slo *slo, const gp_serve_point *point, double margin,
                     double ttft_margin);
/* --- size.c: demand against capability */
/* The cheapest way to meet the demand on `unit` with at most `max_nodes` machines (and, with
 * min_nodes > 0, at least that many). */
void gp_size_unit(const gp_case *c, size_t unit, int64_t min_nodes, int64_t max_nodes,
                  int64_t max_gpus, gp_candidate *ret);
/* The largest rate that these machines and GPUs hold, as gp_size_unit judges; a multiple of today's
 * demand at most. */
double gp_size_held(const gp_case *c, size_t unit, int64_t nodes, int64_t gpus);
/* The layouts of the unit with prefill and decode together, sized for the demand: all of them, or
 * the `most` nearest to enough. */
int gp_size_layouts(const gp_case *c, size_t unit, int most, gp_candidate *ret);
gp_band gp_plan_band(double expected, double margin);
/* Replicas held for availability beside `needed`, with the machines all of them take; and the share
 * of time in which as many as needed are up. */
int64_t gp_size_spares(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t needed, int64_t *ret_nodes);
double gp_size_availability(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t spare,
                            int64_t all_nodes);
/* --- size_split.c: prefill and decode in pools of their own */
/* The mode that keeps to what a candidate does. */
gp_split_mode gp_split_mode_as(const gp_candidate *candidate);
void gp_size_split(const gp_case *c, size_t unit, int64_t max_nodes, int64_t max_gpus,
                   gp_candidate *ret);
void gp_split_load(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                   gp_split_point *ret);
/* Replicas of a sized candidate's layout for another demand, spares included; and one of them under
 * a load. */
int64_t gp_candidate_replicas(const gp_case *c, const gp_candidate *candidate,
                              double requests_per_s);
void gp_candidate_load(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_trace *trace, gp_serve_point *ret);
/* --- autoscale.c: replicas that follow the traffic */
void gp_start_of(const gp_case *c, const gp_candidate *chosen, gp_trace *trace,
                 gp_serve_start *ret);
void gp_autoscale_of(const gp_case *c, gp_autoscale *ret);
/* --- price.c: power, fabric, cost and objective of a sized candidate */
/* The price of "PREFIX/ID" in the last list that has it; 0: none. */
double gp_plan_item_price(const gp_plan_context *plan, const char *prefix, const char *id);
/* Sets the price of a line of the bill to that of "PREFIX/ID", and where it is written. */
void gp_plan_price_line(const gp_plan_context *plan, const char *prefix, const char *id,
                        gp_bill_item *line);
void gp_price_candidate(const gp_case *c, size_t unit, int64_t owned_nodes,
                        gp_candidate *candidate);
/* Mean power of one GPU under the candidate's load; 0 where the workload does not serve. */
double gp_plan_serving_w(const gp_case *c, const gp_candidate *candidate, gp_trace *trace);
int gp_candidate_compare(const gp_candidate *a, const gp_candidate *b);
double gp_objective_value(const gp_plan_context *plan, const gp_candidate *candidate);
/* --- bound.c */
gp_bound gp_bound_of_training(const gp_train_time *time);
gp_bound gp_bound_of_serving(const gp_case *c, size_t unit, int64_t layout);
/* --- claims.c */
typedef struct gp_baseline {
    bool greenfield;
    size_t unit;
    int64_t nodes; /* whole machines left */
    int64_t gpus;  /* GPUs left */
    int64_t largest_hole;
    gp_pool_state *pool; /* NULL in greenfield */
    gp_timing timing;    /* when its machines are there for the workload */
    size_t group;        /* GP_TURN_QUEUE: which of the pool's */
} gp_baseline;
gp_status gp_claims_init(gp_plan_context *plan);
void gp_claims_take(const gp_case *c, const gp_baseline *baseline, const gp_candidate *candidate);
/* Machines of the pool that nobody holds at `from_s` or later. */
int64_t gp_pool_free(const gp_pool_state *pool, double from_s);
gp_demand_kind gp_demand_kind_of(const gp_case *c);
/* --- turns.c: machines that are free for a time */
/* A baseline on which the workload holds its goal by waiting, by turns or by the hour; false where
 * there is none. */
bool gp_turn_of(const gp_case *c, gp_pool_state *pool, gp_baseline *ret);
/* Machines that a service leaves idle, added by the hour of a week. */
void gp_turn_add_idle(const gp_case *c, const gp_candidate *candidate, int64_t *hours);
/* Share of the week in which `nodes` machines of those hours are there, less what restarts take. */
double gp_turn_idle_share(const gp_plan_context *plan, const int64_t *hours, int64_t nodes);
/* --- schedule.c: all workloads on one time axis; after growth */
gp_status gp_schedule_of(gp_plan_context *plan);
/* Resets the pools to what the cluster has, and sorts the cases into claim order. */
gp_status gp_claims_order(gp_plan_context *plan);
/* --- verdict.c */
typedef struct gp_verdict {
    gp_baseline baseline;
    gp_scale scale;
    gp_bound bound_by;
    gp_candidate current, chosen, vertical, horizontal;
} gp_verdict;
/* The verdict of a case against its baseline. `shared` (may be NULL) is what is left of the shared
 * limits for this workload. */
void gp_verdict_of(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                   bool alternatives, gp_verdict *ret);
void gp_baseline_of(const gp_case *c, gp_baseline *ret_baseline);
void gp_size_baseline(const gp_case *c, const gp_baseline *baseline, gp_candidate *ret);
/* --- limits.c */
void gp_limits_of(gp_plan_context *plan);
void gp_usage_of(const gp_plan_context *plan, const gp_candidate *candidate, gp_limits *ret_usage);
/* Takes what the site uses beyond its limits off those that workloads share; false where it keeps
 * to them. */
bool gp_limits_tighten(gp_plan_context *plan);
void gp_limits_take(gp_limits *left, const gp_limits *usage);
gp_lack gp_limits_lack(const gp_limits *left, const gp_limits *usage);
/* Share of a machine's heat that its coolant takes. */
/* --- room.c: what the machines of the site mean for the room; after gp_site_of */
gp_status gp_room_of(gp_plan_context *plan);
/* --- networks_other.c: storage and in-band; called by room.c */
gp_status gp_other_networks_of(gp_plan_context *plan);
/* --- owning.c: what is bought against the cheapest cloud; after gp_room_of */
gp_status gp_owning_of(gp_plan_context *plan);
/* An owned base and rented bursts; after gp_schedule_of. */
gp_status gp_burst_plan(gp_plan_context *plan);
double gp_liquid_fraction(const gp_plan_context *plan, const gp_system *system);
void gp_plan_racks(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes,
                   gp_rack_size *ret);
/* --- confirm.c: the chosen replicas of every serving workload by simulation. *ret_raised: some
 * workload needs more of them, and its rate was lowered accordingly: choose again. */
gp_status gp_confirm_choices(gp_plan_context *plan, bool *ret_raised);
/* After the last choice: those that came out otherwise than they were confirmed. */
gp_status gp_confirm_rest(gp_plan_context *plan);
/* --- placement.c: owned against rented; for finish.c */
/* Share of the time for which the candidate's machines would be rented. */
double gp_rented_fraction(const gp_case *c, const gp_candidate *candidate);
void gp_placement_of(const gp_case *c, const gp_limits *shared, gp_placement_plan *ret);
/* --- finish.c: everything about one workload that follows from its verdict */
gp_status gp_workload_finish(const gp_case *c, const gp_verdict *verdict, const gp_limits *shared);
/* --- site_plan.c: what runs on one kind of machine, and what all of it takes of the site */
typedef struct gp_unit_load {
    int64_t whole_nodes; /* machines that workloads have to themselves */
    int64_t shared_gpus; /* GPUs of machines that they share */
} gp_unit_load;
/* Machines of the load. */
int64_t gp_load_nodes(const gp_unit *unit, const gp_unit_load *load);
void gp_load_add(const gp_plan_context *plan, gp_unit_load *loads, const gp_candidate *candidate);
/* Power, heat and racks of the loads with their fabrics, at nameplate. */
void gp_load_usage(const gp_plan_context *plan, const gp_unit_load *loads, gp_limits *ret_usage,
                   int64_t *ret_nodes);
/* --- flip.c, software.c, goals.c, traces.c, joint.c, growth.c, site_plan.c */
void gp_flip_of(const gp_case *c, const gp_verdict *verdict, const gp_limits *shared,
                gp_flip *ret_flip);
gp_status gp_software_changes(const gp_case *c, const gp_verdict *verdict);
void gp_goals_of(const gp_case *c);
/* Every kind of machine that may be had, sized for the workload and held against `shared`. */
gp_status gp_options_of(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared);
/* Prices one candidate once more, with a trace. */
void gp_trace_candidate(const gp_case *c, const gp_candidate *candidate, gp_trace *trace);
/* What each workload runs on; then its verdict in full. */
gp_status gp_joint_choose(gp_plan_context *plan);
gp_status gp_joint_finish(gp_plan_context *plan);
/* What is left of the shared limits for case `i` when all others keep their choice. */
void gp_joint_left(const gp_plan_context *plan, size_t i, gp_limits *ret_left);
/* Machines over the horizon and what is built for all of it; before the room is planned. */
gp_status gp_growth_of(gp_plan_context *plan);
/* --- growth_limits.c: limits and dates of the horizon; after the room */
gp_status gp_growth_settle(gp_plan_context *plan);
/* yyyymmdd so long after a day that every month has; whole twelfths of a year are months of the
 * calendar; 0 stays 0. */
int64_t gp_growth_date(int64_t start, double seconds);
void gp_site_of(gp_plan_context *plan);
/* Power of switches beside the compute fabric, of storage and of system nodes, and the purchase of
 * all that the bill lists: what follows from power and capital is worked out again. */
void gp_site_settle(gp_plan_context *plan, double switches_w, double storage_w, double system_w,
                    double capital);

#endif
