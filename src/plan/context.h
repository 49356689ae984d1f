/*
 * What the files of this room share: the planning context, one case per workload, and the cache of
 * capabilities. A capability is what a unit can do whatever the demand (best step time on N GPUs,
 * request rate of one replica within its SLO); demand (deadline, request rate) is compared with it
 * afterwards, so that a flip point or another confidence costs no new search.
 */
#ifndef GP_PLAN_CONTEXT_H
#define GP_PLAN_CONTEXT_H

#include "plan/plan.h"

#include "estimate/serve.h"

enum {
    GP_PLAN_COUNTS_MAX = 96,    /* GPU counts remembered per unit and workload, the last ones */
    GP_PLAN_LAYOUTS_MAX = 96,   /* replica layouts per unit and workload */
    GP_PLAN_SPLITS_MAX = 400,   /* pairs of a prefill and a decode layout per unit and workload */
    GP_PLAN_ROUNDS_MAX = 4,     /* re-pricings with the shared fabric */
    GP_PLAN_HORIZON_ROUNDS = 3, /* choices made again for what is built for the horizon */
    GP_PLAN_AGAIN_MAX = 8,      /* workloads that are all placed again for a change of one */
    GP_PLAN_CONFIRM_ROUNDS_MAX = 24, /* choices made again after a simulation; */
    GP_PLAN_LOWER_ROUNDS_MAX = 16,   /* those that may take fewer */
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
    double steps; /* that `run` was priced for */
    double error_fraction;
    int64_t tried;              /* layouts that launch */
    gp_rl_way rl;               /* reinforcement learning */
    const char *refused;        /* where none could be tried: why, in words */
    const gp_layout_rule *rule; /* the first that refused one; NULL: none did */
    double asked_sequences;     /* of one step, as asked; the layout has those that are used */
    double outside_bytes;       /* per GPU: host memory or drives of what is offloaded */
    double outside_room_bytes;  /* what there is of them, where that is too little */
} gp_train_capability;

/* What each replica carries within the service level where there are 1, 4, 16 and 64; 0: not
 * even one request. */
enum { GP_CARRIED_COUNT = 4 };
typedef struct gp_carried {
    double requests_per_s[GP_CARRIED_COUNT];
} gp_carried;

/* One replica layout of one unit. */
typedef struct gp_serve_capability {
    gp_serve_layout layout;
    int64_t gpus;  /* per replica */
    int64_t nodes; /* per replica: 1 when it fits into a machine */
    bool fits;
    gp_serve_memory memory;
    double error_fraction;
    gp_carried carried[GP_PLAN_JUDGED_COUNT];
    double simulated_loss;    /* share of that which simulation takes off */
    bool missed;              /* as a share of a service it carried less than it was taken to */
    gp_serve_point idle;      /* a single request at a time: the latency floor */
    gp_serve_replica replica; /* of the layout; its job has ended */
    gp_bound bound;           /* kept by bound.c; it does not depend on demand */
} gp_serve_capability;

/* A replica that the engine does not launch, and why. */
typedef struct gp_serve_refusal {
    gp_serve_layout layout;
    const gp_layout_rule *rule;
} gp_serve_refusal;
enum { GP_PLAN_REFUSALS_MAX = 4 }; /* that are kept: the first of each rule */

/* A prefill layout with a decode layout of one unit, by their place among the layouts. */
typedef struct gp_split_capability {
    int64_t prefill, decode;
    gp_carried prefills[GP_PLAN_JUDGED_COUNT];
    double decode_per_s[GP_PLAN_JUDGED_COUNT]; /* one replica within the SLO; 0: not even one */
    double prefill_loss, decode_loss;          /* shares of those which simulation takes off */
} gp_split_capability;

/* Whether prefill and decode may share a replica. */
typedef enum gp_split_mode {
    GP_SPLIT_AUTO,  /* apart only where that takes less, or is the only way */
    GP_SPLIT_NEVER, /* together */
    GP_SPLIT_ALWAYS /* apart */
} gp_split_mode;

typedef struct gp_unit_capability {
    int64_t train_count;        /* found so far: the oldest make room */
    gp_train_capability *train; /* GP_PLAN_COUNTS_MAX of room */
    int64_t learn_count;
    gp_train_capability *learn; /* the same of updates alone, for reinforcement learning */
    bool serve_done;
    int64_t serve_count;
    int64_t prefill_count; /* the first are for prefill, the others for decode; 0: all for both */
    gp_serve_capability *serve;
    /* What a replica on one GPU serves on each part of it; -1: none, 0: not known yet. */
    double part_per_s[GP_PLAN_JUDGED_COUNT][GP_PART_PROFILES_MAX];
    int64_t refusal_count;
    gp_serve_refusal refusals[GP_PLAN_REFUSALS_MAX];
    /* GPUs and machines of replicas that do both and were found to hold, of the least that the
     * closed form knows; 0: none was. */
    double together_gpus, together_nodes;
    struct gp_simulated *runs;    /* on the unit, the last one first */
    gp_closed_choice closed_form; /* before any of them; no replicas: none was made */
    bool split_done;
    bool split_saves; /* only those were paired that may save GPUs */
    int64_t split_count;
    gp_split_capability *split; /* GP_PLAN_SPLITS_MAX of room */
} gp_unit_capability;

/* Demand scalars that a flip search varies. */
typedef struct gp_demand {
    double deadline_s;     /* wall time allowed; 0: none */
    double rated_tokens;   /* trained within that, where a rate is asked for; 0: a time is */
    double requests_per_s; /* planned peak; 0: none */
    double traffic_factor; /* multiple of the traffic that is stated */
} gp_demand;

/* Which part of a step of reinforcement learning a search is for. */
typedef enum gp_rl_part {
    GP_RL_WHOLE,
    GP_RL_LEARN,   /* its updates, as a training job */
    GP_RL_GENERATE /* its rollout, as a service */
} gp_rl_part;

struct gp_plan_context;
struct gp_row_list;

typedef struct gp_case {
    struct gp_plan_context *plan;
    gp_workload_plan *out;
    const gp_workload *workload;
    const gp_team *team; /* NULL: of none */
    gp_demand demand;
    double gpu_headroom_fraction;
    double memory_headroom_fraction;
    gp_confidence confidence;
    bool exclusive;
    bool offline; /* inference: a job with a deadline, not a service */
    bool is_left_out; /* placed nowhere */
    gp_demand_kind kind;
    size_t rank; /* in the order of priorities and names */
    gp_split_mode split_mode;
    const gp_stack *stack;     /* training: the framework row; NULL where none is named */
    bool pinned;               /* the spec declares a parallelism: it binds */
    bool counted;              /* and so does the number of replicas */
    int64_t replicas_tried;    /* at the load at least, whatever it needs */
    bool stale;                /* its options are to be found again */
    bool fresh;                /* they were, for the choice that is made now */
    const gp_candidate *held;  /* what is worked out again, as it is; NULL: it is chosen */
    gp_rl_part part;           /* of reinforcement learning */
    gp_timing timing;          /* of the hold that is told in full */
    gp_run_input run;          /* checkpoint figures of the job: see gp_plan_run_input */
    double slots_per_week;     /* jobs per week, or how often `slots_min` come back; 0: one job */
    int64_t slots_min;         /* concurrent jobs asked for */
    gp_unit_capability *units; /* one per unit of the plan */
} gp_case;

/* ------------------------------------------------------------ the stages, in their order
 *
 * demands (gp_case) -> options (gp_options) -> allocation (gp_picks) -> ledger -> usage -> verdicts
 */

/* Every way worth having to meet one demand, on all kinds of machines. None is mended later. */
typedef struct gp_options {
    size_t count, room;
    gp_candidate *items;
    gp_candidate *nearest; /* what comes nearest where there is none; NULL: none was tried */
} gp_options;

/* What every trial asks of a kind of machine. */
typedef struct gp_unit_facts {
    gp_node_power idle; /* of one machine without work, with its nameplate and its peak */
    double liquid_fraction;
    int64_t links_per_module; /* of its rate that one module of its switch carries */
} gp_unit_facts;

/* What an allocation may place on. */
typedef struct gp_inventory {
    int64_t *owned;     /* by unit: machines that are there and free */
    int64_t *there;     /* by unit: all that stand there, those in use by others too */
    bool may_buy;       /* false: only what is there */
    const char *only;   /* what is bought is of this unit alone; NULL: of any */
    const bool *lifted; /* by limit: not kept to; NULL: all are kept to */
    double *base;       /* by limit: what stands there takes in any case */
} gp_inventory;

/* The choice: an option of each case, or GP_UNPLACED. */
enum { GP_UNPLACED = -1 };

/* What one case holds. */
typedef struct gp_hold {
    gp_timing timing;
    double start_s, end_s;  /* HUGE_VAL: beyond the horizon */
    double busy_fraction;   /* of that time in which its machines compute */
    int64_t nodes;          /* machines that it has GPUs on */
    size_t first;           /* the claim whose machines it takes turns on; else its own */
    int64_t owned_nodes;    /* of these, those that are there */
    int64_t bought_nodes;   /* of these, those that are bought for it and for nobody else */
    double rented_fraction; /* of a year, for machines in a cloud */
} gp_hold;

/* Machines of one kind: who needs how many of them, and what they do. */
typedef struct gp_kind_hold {
    int64_t nodes;        /* held at the busiest moment, or bought with them */
    int64_t owned;        /* of these, those that are there */
    int64_t shared_nodes; /* of these, those that take parts of several workloads */
    int64_t gpus;         /* held by somebody */
    int64_t part_count;   /* replicas that parts of GPUs are enough for, */
    int64_t part_gpus;    /* and their GPUs: as many where none is cut */
    int64_t fabric_nodes; /* machines of jobs and replicas that leave their machine */
    int64_t stand;        /* machines that stand there with it, those of others too */
    int64_t bought;       /* of `stand`, those that are not there yet, */
    int64_t beyond;       /* and of these, those that no work holds: bought in whole multiples */
    double mean_w;        /* of all that stand, with every workload at work */
    double turns_w;       /* of that, what runs that take turns draw beyond those that come first */
    double year_w;        /* the same over a year: runs for as long as they last */
    gp_storage_need storage;
} gp_kind_hold;

/* Storage that earlier quarters bought; the product is NULL where none in the catalogue does. */
typedef struct gp_stored {
    const gp_storage_product *product;
    int64_t count;
} gp_stored;

/* Whole machines that recurring runs take turns on. A run waits at most for one of each other. */
typedef struct gp_turn_group {
    size_t first; /* the claim that brought them */
    int64_t nodes;
    double busy_s;   /* one run of each */
    double period_s; /* the shortest */
    double slack_s;  /* by which the tightest of them may be put off still */
} gp_turn_group;

/* How a claim comes by its machines. */
typedef enum gp_claim_role {
    GP_CLAIM_GOOD,  /* for good */
    GP_CLAIM_DATED, /* till it ends */
    GP_CLAIM_TURN,  /* in turns with others */
    GP_CLAIM_IDLER  /* in hours that services leave idle, where there are enough */
} gp_claim_role;

/* So many pieces of machines, each of so many GPUs. */
typedef struct gp_piece {
    int64_t gpus, count;
} gp_piece;

/* What a ledger asks of a candidate, time and again: close together, of all claims. */
typedef struct gp_claim {
    size_t unit;
    gp_claim_role role, otherwise; /* without idle hours */
    bool whole;
    int part_count;          /* parts of GPUs that are enough */
    const gp_gpu_part *part; /* which; NULL: whole GPUs */
    int64_t nodes, gpus;
    int64_t filled_nodes, fabric_nodes; /* of them, those that it fills; that need the fabric */
    int64_t least_nodes;                /* those that its pieces take, which fail together */
    int piece_count;
    gp_piece pieces[2 * GP_GROUPS_MAX];   /* of machines that are shared */
    double busy_fraction, node_w, idle_w; /* a machine at work, and without */
    double load_w, added_w;               /* of whole GPUs: all it holds, and what work adds */
    gp_storage_need storage;
    size_t class, rank; /* in which order claims wait, with their machines and */
    double deadline_s;
} gp_claim;

/* What waits for machines of a kind, as it was placed the last time. */
typedef struct gp_kind_waits {
    bool known;                      /* nobody came or went since */
    size_t idlers;                   /* that look for idle hours, which services change */
    int64_t turn_nodes, turn_gpus;   /* of those that take turns */
    int64_t dated_nodes, free_nodes; /* of runs that end, placed among so many free ones */
} gp_kind_waits;

/* Machines that a service leaves idle by the hour of the week. */
typedef struct gp_idle_hours {
    bool known;
    int64_t nodes[GP_WEEK_HOURS];
} gp_idle_hours;

/* Who holds what, when. Nothing else knows what stands where. */
typedef struct gp_ledger {
    gp_kind_hold *kinds;               /* by unit */
    gp_hold *holds;                    /* by claim */
    const gp_candidate *const *chosen; /* by case; NULL: not placed */
    const gp_candidate **claims;       /* the same by share: those of a case lie case_count apart */
    size_t claim_count;                /* those in use, or once in use */
    /* By site: what was added up of it no longer holds; NULL likewise. */
    bool *stale, *stale_least;
    bool fits; /* no more machines than there are to have */
    /* What it was filled with the last time. */
    const int64_t *held_owned; /* what there was; NULL: not known, all is filled anew */
    gp_objective held_objective;
    const gp_candidate **were; /* what was chosen, by case */
    gp_claim *held;            /* by claim */
    gp_idle_hours *idle;       /* likewise; NULL: nobody may use them */
    size_t *first, *next;      /* claims on a unit in their order: by unit, and by claim */
    size_t *waiting;      /* claims that are not held for good, in the order in which they wait */
    size_t wait_count;    /* of them */
    gp_kind_waits *waits; /* by unit */
    size_t doubtful;      /* a case that may have another candidate in the same place */
    bool *changed;        /* by unit; scratch */
} gp_ledger;

/* Everything that a ledger takes of the site: the one place where figures of the site come from. */
typedef struct gp_usage {
    gp_site_plan site; /* of several sites the sum */
    gp_room_plan room;
    struct gp_usage *sites;      /* each of several, and what is rented; NULL: there is one */
    gp_site_plan least;          /* of one of several: its machines alone */
    const gp_candidate **chosen; /* scratch: those at one of them, by case */
} gp_usage;

/* The limits of the site and of the budget. Of several sites those of the plan as a whole come
 * first, then those of each: as many rows for every one. */
typedef struct gp_limit_row {
    gp_bound bound;
    gp_dim dim;
    const char *path; /* of the spec */
} gp_limit_row;
enum {
    GP_LIMIT_POWER,
    GP_LIMIT_AIR,
    GP_LIMIT_LIQUID,
    GP_LIMIT_RACKS,
    GP_LIMIT_CAPITAL,
    GP_LIMIT_RECURRING,
    GP_LIMIT_COUNT
};
extern const gp_limit_row gp_limit_rows[GP_LIMIT_COUNT];

/* One of several sites, by name; its kinds of machines lie together. */
typedef struct gp_site_context {
    const gp_plan_document *document; /* the plan's, with this site and cluster alone */
    const char *name;
    size_t first, count; /* of units */
    gp_overhead_ends design, annual;
    double carbon_kg_per_j;
} gp_site_context;

/* How good an allocation is: fewer unplaced of higher priority first, then what is bought where
 * what stands goes first, then what teams hold beyond what they may, then the objective with its
 * ties. Smaller is better everywhere. */
enum { GP_VALUE_BOUGHT, GP_VALUE_OVER, GP_VALUE_OBJECTIVE, GP_VALUE_KEYS = 8 };
typedef struct gp_value {
    int64_t *missing; /* by class of priority, the highest first */
    double keys[GP_VALUE_KEYS];
} gp_value;

/* A workload and what is planned of it, for a case that differs in either. */
typedef struct gp_case_copy {
    gp_workload_plan out;
    gp_workload workload;
} gp_case_copy;

/* Too large for a stack: each is its user's alone while that is at it. */
typedef struct gp_case_copies {
    gp_case_copy elsewhere;       /* what is chosen, while other kinds of machines are looked at */
    gp_case_copy share;           /* a share of a service, while it is confirmed */
    gp_case_copy varied;          /* with other software, or less of what its need is made of */
    gp_case_copy learn, generate; /* the parts of reinforcement learning */
} gp_case_copies;

/* The storage that was found for the last need: what is read and written a second, and kept. */
typedef struct gp_asked_storage {
    bool known;
    double need[3];
    gp_stored best; /* no product: none is known well enough */
} gp_asked_storage;

/* The price of an item that was asked for before; the words are known by where they stand. */
typedef struct gp_asked_price {
    const char *prefix, *id;
    const gp_price *price; /* NULL: none */
} gp_asked_price;

/* What the horizon takes of a fabric, and the machines that it is built for. */
typedef struct gp_shell {
    int64_t nodes, tiers, spine, core;
} gp_shell;

typedef struct gp_plan_context gp_plan_context;
typedef gp_plan_context *gp_plan_again_fn(const gp_plan_context *plan, gp_arena *arena,
                                          const gp_plan_document *document,
                                          const gp_plan_options *options);

struct gp_plan_context {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    const gp_plan_document *document;
    const gp_plan_spec *spec;
    const gp_prices *const *prices;
    size_t price_count;
    gp_plan_again_fn *again; /* gp_plan_again, for what a choice makes plans of on its way */
    const gp_constants *constants;
    gp_plan_result *result;
    const gp_plan_options *options;
    gp_objective objective;
    bool switches_priced; /* those of some machines that may be bought */
    bool all_priced;
    bool keeps_owned; /* no objective is stated: what is there goes before what is bought */
    bool frees_teams; /* for a choice without limits: what teams may hold is not asked */
    size_t unit_count;
    gp_unit *units;
    gp_network *networks;            /* one per unit: the fabric as its machines see it */
    gp_fabric_input *fabrics;        /* one per unit, nodes filled in by the caller */
    const gp_switch **switches;      /* one per unit */
    size_t *twins;                   /* one per unit: the first that can do the same, or itself */
    gp_overhead_ends design, annual; /* of the hottest day, of a year */
    double carbon_kg_per_j;
    size_t site_count;  /* 0: there is one */
    size_t place_count; /* where shares of a service may stand: below 2 it stays together */
    size_t *places;     /* by unit; place_count: none of its */
    struct gp_spread_room *spread_room; /* of spread.c; NULL: nothing is shared out */
    gp_site_context *sites;
    bool of_several; /* it is one of them: gp_plan_at */
    int limit_count;
    double *limits;           /* HUGE_VAL: not stated */
    const char **limit_paths; /* of the spec, where they are written */
    bool *all_limits;         /* true for each */
    gp_unit_facts *facts;     /* by unit */
    const gp_price **priced;  /* one row of the lists for each item, by item */
    size_t priced_count;
    gp_asked_price *asked_prices;
    gp_asked_storage *asked_storage;
    int64_t step;           /* machines are bought in multiples of it */
    int64_t *pieces, *left; /* scratch of ledgers: by GPUs of a machine, */
    size_t *lists;          /* of cases, */
    int64_t *started;       /* and machines held when dated runs start */
    struct gp_turn_group *turns;
    size_t case_count;
    size_t claim_count; /* of them, one for each site */
    gp_case *cases;     /* in spec order */
    gp_case_copies *copies;
    struct gp_pool_list *pools; /* scratch of the search for pools: of prefill, of decode, sorted */
    gp_options *ways;           /* of each case: how it may be run */
    size_t *order;              /* of cases: by priority, then by name */
    size_t class_count;         /* of priorities */
    size_t *classes;            /* by case */
    gp_inventory inventory;
    struct gp_simulator **simulator; /* what it points to is NULL: nothing was simulated yet */
    const gp_gpu_rates *rates;       /* of all GPUs of the catalogue; NULL: not asked for yet */
    size_t rate_count;
    struct gp_parts_list *parts;   /* rows of the catalogue that every usage asks for */
    gp_shell *shells;              /* one per unit; NULL: not known yet, or no growth is stated */
    bool grows_as_today; /* services lose in later quarters what they do today: for a comparison */
    int64_t *wired;                /* by unit: machines on the fabrics of earlier quarters, */
    int64_t *spared;               /* and spare machines that were bought for them, */
    struct gp_stored *stored;      /* and by site their storage */
    double *spent;                 /* and what was spent there; NULL: it is the first */
    struct gp_growth_plan *growth; /* NULL: none is stated */
};

/* Where one job runs: on `gpus` GPUs of `nodes` machines, which `jobs` such jobs share; each of
 * those has its part of the memory and of the time. */
typedef struct gp_train_place {
    int64_t gpus, jobs, nodes;
} gp_train_place;
/* --- memory.c: searches that plans of one study have in common */
/* Keeps what was just found for a unit: its replicas, or its pairs once those are done; without
 * what a simulation took off. */
void gp_memory_keep(const gp_case *c, size_t unit);
/* False where nothing is kept. */
bool gp_memory_recall(const gp_case *c, size_t unit);
bool gp_memory_recall_split(const gp_case *c, size_t unit);
/* The same of a place to train in. */
void gp_memory_keep_train(const gp_case *c, size_t unit, const gp_train_capability *found);
bool gp_memory_recall_train(const gp_case *c, size_t unit, gp_train_place place,
                            gp_train_capability *ret);
/* It is what was found for that place. */
bool gp_train_is_at(const gp_train_capability *found, gp_train_place place);
/* For the plans of one arena: what they refer to is made there. */
gp_plan_memory *gp_plan_memory_within(gp_arena *arena);
/* A plan is made, with others that are tried for it. */
void gp_plan_memory_begin(gp_plan_memory *memory);
/* Another change of the workload that is edited: what is known of the one before is forgotten. */
void gp_plan_memory_edit(gp_plan_memory *memory);
/* Machines of the catalogue's own systems, under a cap of their power. */
bool gp_memory_recall_machine(const gp_plan_context *plan, const gp_system *system,
                              double cap_fraction, gp_machine *ret_machine);
void gp_memory_keep_machine(const gp_plan_context *plan, const gp_system *system,
                            double cap_fraction, const gp_machine *machine);
/* Where what machines are made of lasts as long as they are kept. */
gp_arena *gp_memory_arena(const gp_plan_context *plan);
/* Where what simulates lasts as long, to which no plan refers. */
gp_arena *gp_memory_beside(const gp_plan_context *plan);
/* Of all GPUs of the catalogue; NULL in it: not asked for yet. */
const gp_gpu_rates **gp_memory_rates(gp_plan_context *plan);
/* What is simulated: large, so one set serves all cases, and all plans of a study. */
typedef struct gp_simulator {
    gp_engine decode, prefill;
    size_t drawn_case; /* by rank */
    size_t drawn_count, drawn_room;
    gp_arrival *drawn; /* requests that it meets, one a second */
    /* Their times, which those of other cases are, too, and what these are drawn by. */
    double *times;
    size_t time_count;
    gp_process time_process;
    double time_cv;
    uint64_t time_seed;
} gp_simulator;
gp_simulator *gp_memory_simulator(const gp_plan_context *plan);
/* Runs of the same engines with the same arrivals. */
bool gp_memory_recall_run(const gp_case *c, size_t unit, const void *key, size_t size,
                          gp_confirm_run *ret);
void gp_memory_keep_run(const gp_case *c, size_t unit, const void *key, size_t size,
                        const gp_confirm_run *run);
/* One after another of those on machines like the unit's; `at` is NULL at first. */
struct kept_run;
const gp_confirm_run *gp_memory_next_run(const gp_case *c, size_t unit, const struct kept_run **at,
                                         const void **ret_key);
/* --- open.c: everything before the options: what there is, what may be had, what is asked */
gp_status gp_plan_open(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                       const gp_prices *const *prices, size_t price_count,
                       const gp_plan_options *options, gp_diags *diags, gp_plan_context *ret);
/* --- choice.c: all stages, each a function of those before */
gp_status gp_plan_once(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                       const gp_prices *const *prices, size_t price_count,
                       const gp_plan_options *options, gp_diags *diags, gp_plan_context *ret);
/* Another plan with the catalogue and the prices of this one; NULL: there is none. It lies in the
 * arena, with its options; what is wrong with it is told to nobody. */
gp_plan_context *gp_plan_again(const gp_plan_context *plan, gp_arena *arena,
                               const gp_plan_document *document, const gp_plan_options *options);
/* It has a place, and keeps to its goals there. */
bool gp_workload_holds(const gp_workload_plan *workload);
/* --- sites.c: several of them */
void gp_plan_sites(gp_plan_context *plan);
/* PUE of the hottest day and of a year, water and carbon, of the only site or of each. */
gp_status gp_plan_overheads(gp_plan_context *plan);
/* The plan as one of its sites sees it: its spec, its kinds of machines, its overheads. */
void gp_plan_at(const gp_plan_context *plan, size_t site, gp_plan_context *ret);
/* What the spec says of the site that a kind of machine stands at. */
const gp_plan_spec *gp_plan_spec_at(const gp_plan_context *plan, size_t unit);
const gp_overhead_ends *gp_plan_overheads_at(const gp_plan_context *plan, size_t unit);
/* All sites say what an objective compares them by, or none does where that is no matter. */
bool gp_plan_sites_compare(const gp_plan_context *plan, gp_objective objective);
/* What a watt of a kind of machine counts for in the choice: see weighed_mean, weighed_year. */
double gp_plan_weight_mean(const gp_plan_context *plan, size_t unit);
double gp_plan_weight_year(const gp_plan_context *plan, size_t unit);
/* Where the spec has what `path` means for one of several sites, counted from 1; 0: `path`. */
const char *gp_plan_site_path(const gp_plan_context *plan, size_t site, const char *path);
/* Which kinds of machines are the same at several sites. */
void gp_plan_twins(gp_plan_context *plan);
/* A workload may run on machines of the unit, by the sites that it names. */
bool gp_plan_may_stand(const gp_plan_context *plan, const gp_workload *workload, size_t unit);
/* --- units.c: machine kinds, their fabrics and prices */
gp_status gp_plan_units(gp_plan_context *plan);
/* Machines of some kind stand there. */
bool gp_plan_has_pools(const gp_plan_context *plan);
/* The pool of this name is of the unit's kind. */
bool gp_unit_has_pool(const gp_plan_context *plan, const gp_unit *unit, const char *name);
/* What the spec states of a share there; NULL: nothing. */
const gp_share *gp_share_on(const gp_case *c, const gp_unit *unit);
/* The degrees that the spec states of a replica there, and what of pools for prefill and decode. */
const gp_parallelism *gp_parallelism_on(const gp_case *c, size_t unit);
const gp_phase *gp_prefill_on(const gp_case *c, size_t unit);
const gp_phase *gp_decode_on(const gp_case *c, size_t unit);
/* --- networks.c */
void gp_plan_networks(gp_plan_context *plan);
void gp_plan_fabric(const gp_plan_context *plan, size_t unit, int64_t nodes, gp_fabric_size *ret);
/* The same as it is built: tiers, spines and cores are those of the horizon's end, and all leaves
 * where few machines are to come. */
void gp_plan_fabric_built(const gp_plan_context *plan, size_t unit, int64_t nodes,
                          gp_fabric_size *ret);
/* What that is sized from; *ret_ports endpoints count as one machine. */
gp_fabric_input gp_plan_fabric_input(const gp_plan_context *plan, size_t unit, int64_t nodes,
                                     int64_t *ret_ports);
/* Power of one: its maximum, else what it typically draws, else by the rate of its ports; and where
 * that is written. */
double gp_plan_switch_w(const gp_plan_context *plan, const gp_switch *product, gp_ref *ret_where);
int64_t gp_fabric_switches(const gp_fabric_size *size);
/* Its catalogue id, also of one that the spec overrides; NULL for none. */
const char *gp_plan_switch_id(const gp_switch *product);
/* The switch with the most capacity of the kind (gp_fabric_kind) whose ports carry the rate; NULL:
 * there is none. */
const gp_switch *gp_plan_default_switch(const struct gp_row_list *rows, int kind,
                                        double bits_per_s);
/* The compute fabric that the spec declares for a unit, or NULL. */
const gp_fabric *gp_plan_compute_fabric(const gp_plan_context *plan, size_t unit);
/* Machines of a unit with which its compute fabric is built: those that need it, and those that are
 * on it today. */
int64_t gp_plan_fabric_nodes(const gp_plan_context *plan, const gp_ledger *ledger, size_t unit);
/* --- cases.c: a workload with every default resolved */
/* A number in it pins the layout. */
bool gp_layout_declared(const gp_parallelism *p);
/* Sets whether its workload's layout and replicas are declared. */
void gp_case_declare(gp_case *c);
/* The spec states replicas that run today. */
bool gp_case_stands(const gp_case *c);
gp_status gp_plan_case_init(gp_plan_context *plan, const gp_workload *workload,
                            gp_workload_plan *out, gp_case *ret_case);
/* Asked for so many times over: services by rate, jobs of the week by number, a run by size. */
gp_case gp_case_times(const gp_case *c, double factor);
/* Asks so much more of it, or nothing. */
void gp_case_ask(gp_case *c, const gp_plan_more *more);
/* The run of a case with the storage and the spares of the site that a unit stands at. */
void gp_plan_run_input(const gp_case *c, size_t unit, gp_run_input *ret);
/* Sorts the cases by priority, and makes room for what ledgers count in. */
void gp_plan_order(gp_plan_context *plan);
/* The stack row of a framework or engine: the declared release, else its newest; NULL without a
 * name. */
gp_status gp_plan_stack(gp_plan_context *plan, const char *name, const char *release, int role,
                        const gp_stack **ret_stack);
/* Share of tuned speed that the software reaches by its class, as an engine or as a framework; 1
 * where nothing is taken off. */
double gp_plan_tuning_share(const gp_case *c, bool serving);
/* --- trace_profile.c: what a trace says */
typedef struct gp_length {
    double mean, p95, p99;
    double cv2; /* variance over the mean squared */
    bool told;  /* something says it: 0 are lengths that are all the same */
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
/* As if the spec stated that peak. */
void gp_traffic_peak(gp_traffic_plan *traffic, double peak_per_s);
/* Hours of a working day, any scale: the profile's, or a conversation's where hours are not told
 * apart. Returns the mean of that day over the peak; 0: no mean is stated. */
double gp_traffic_day(const gp_traffic_plan *traffic, const gp_constants *k,
                      double ret_hours[GP_DAY_HOURS]);
/* The rate to plan for in an hour of a working day or of a weekend's. */
double gp_traffic_planned(const gp_traffic_plan *traffic, int hour, bool weekend);
/* Tokens of a request. What the spec leaves open follows from what it says by the lognormal law;
 * with a mean alone, by the ratios. */
gp_length gp_length_of(const gp_distribution *d, double p95_of_mean, double p99_of_mean);
/* Lengths of the requests that a service is simulated with. */
void gp_traffic_lengths(const gp_constants *k, const gp_workload_plan *w, gp_arrivals *ret);
/* One empty cache of capabilities per unit. */
gp_unit_capability *gp_capabilities_new(const gp_plan_context *plan);
/* The unit, or another that is the same at an earlier site where the workload does the same on
 * either. */
size_t gp_plan_twin(const gp_case *c, size_t unit);
/* What is known of it. */
gp_unit_capability *gp_capability_of(const gp_case *c, size_t unit);
/* What it serves there: in 16 bit where the machine has no path for its precision. */
gp_serve_job gp_plan_serve_job(const gp_case *c, size_t unit, const gp_machine *machine);
/* Room in one of them, made when it is first searched. */
void gp_capabilities_open(const gp_case *c, gp_unit_capability *unit);
/* Empties all of them; their room stays. */
void gp_capabilities_forget(const gp_plan_context *plan, gp_unit_capability *units);
/* The number that pins a dimension of the layout, or 0. */
int64_t gp_pinned(const gp_case *c, int64_t declared);
/* Half width of the error band at p80 for this case's class on a unit; and what of it a confidence
 * adds to a time. */
double gp_plan_error(const gp_case *c, size_t unit);
double gp_plan_ttft_margin(const gp_case *c);
/* Facility over IT power of a year, of heat as that kind of machine gives it off. */
double gp_plan_annual_pue(const gp_plan_context *plan, size_t unit);
/* --- usage_cooling.c: the class of air or water of that name; NULL: none */
const gp_cooling_class *gp_plan_cooling_class(const gp_plan_context *plan, const char *name);
double gp_plan_margin(const gp_case *c, double error_fraction, gp_confidence confidence);
gp_band gp_plan_band(double expected, double margin);
/* --- parts.c: services on parts of GPUs */
/* How the GPUs of each unit are cut. */
gp_status gp_parts_open(struct gp_plan_context *plan);
/* The least part that is enough for a candidate of one replica on one GPU. */
void gp_part_of(const gp_case *c, gp_candidate *candidate);
/* What is chosen, beside others on parts of the same kind of machine: with the part's figures. */
void gp_part_settle(const gp_case *c, const gp_kind_hold *kind, gp_candidate *candidate);
/* --- search_train.c, search_serve.c */
/* The best layout of a training run, or of the updates of reinforcement learning. */
const gp_train_capability *gp_search_train(const gp_case *c, size_t unit, gp_train_place place);
/* What is known of a place, with the run of the case; NULL: nothing. Then room for it. */
gp_train_capability *gp_search_recall(const gp_case *c, size_t unit, gp_train_place place);
gp_train_capability *gp_search_room(const gp_case *c, size_t unit);
/* The layout does not hang on how long the run is, so a longer one takes the same. */
void gp_search_set_run(const gp_case *c, size_t unit, gp_train_place place,
                       gp_train_capability *ret);
/* Batches of one step that will do, in sequences. */
typedef struct gp_batch_choice {
    double asked;      /* as stated, or the default for so many GPUs; not always a whole number */
    int64_t low, high; /* the same where the stated batch binds */
    bool largest;      /* a range is stated: its largest batch is tried beside the middle one */
} gp_batch_choice;
/* The same with other batches, and past the cache. */
void gp_search_train_with(const gp_case *c, size_t unit, gp_train_place place,
                          const gp_batch_choice *batches, gp_train_capability *ret);
/* The same degrees, sharding and offloading; batches and recomputation may be others. */
bool gp_layout_alike(const gp_layout *a, const gp_layout *b);
/* The best layouts of the place and why all but the first lost, at most GP_TRIED_MAX: the
 * search done again. Returns how many. */
int gp_search_train_tried(const gp_case *c, size_t unit, gp_train_place place,
                          gp_layout_tried ret[GP_TRIED_MAX]);
/* The machine as one of `jobs` that share its GPUs sees it. */
gp_machine gp_machine_shared(const gp_machine *machine, int64_t jobs);
/* The whole run of a job at `step_s` a step of the layout in its place on a unit. */
void gp_run_of(const gp_case *c, size_t unit, gp_train_place place, const gp_layout *layout,
               double step_s, gp_trace *trace, gp_run *ret);
/* Turns the step of a job that is alone into that of one of `jobs`. */
void gp_train_time_share(gp_train_time *time, int64_t jobs);
/* --- seats.c: people at GPUs */
/* The one way in which seats lie on GPUs of the unit. */
void gp_seats_search(const gp_case *c, size_t unit, gp_serve_capability *ret);
/* Mean power of a GPU with so many of them open. */
double gp_seats_w(const gp_case *c, const gp_candidate *candidate, double open);
void gp_seats_trace(const gp_case *c, const gp_candidate *candidate, gp_trace *trace);
/* The people are stated, and the seats that they need follow from them. */
bool gp_seats_counted(const gp_workload *w);
/* A flip point of seats, in whole seats, or in the people who need them. */
void gp_seats_flip(const gp_workload *w, gp_flip *flip);
/* --- search_rl.c: reinforcement learning */
/* gp_search_train, or of reinforcement learning the best layouts of updates and engines, together
 * or apart, in a place. */
const gp_train_capability *gp_search_job(const gp_case *c, size_t unit, gp_train_place place);
/* A step as it is placed, in full; on another machine or network, or with a trace. */
void gp_rl_plan_of(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                   gp_rl_plan *ret);
void gp_rl_step_with(const gp_case *c, const gp_candidate *candidate, const gp_machine *machine,
                     const gp_network *network, gp_rl_time *ret);
/* --- train_batch.c: batches */
gp_batch_choice gp_train_batches(const gp_case *c, int64_t gpus);
/* Those within a fraction of a stated one, in sequences. */
gp_batch_choice gp_train_batches_near(double asked, double fraction);
/* The batch nearest to the one asked that `unit` sequences divide; 0: none will do. */
int64_t gp_train_batch_near(const gp_batch_choice *batches, int64_t unit);
/* --- nearby_batch.c: a batch near the stated one with which fewer machines meet the goal */
typedef struct gp_batch_change {
    int64_t from_sequences, to_sequences;
    int64_t to_nodes, to_gpus;
} gp_batch_change;
/* Whether there is one, for a run that takes `place`; false where the batch does not bind or there
 * is no deadline. Plans nothing, changes nothing. */
bool gp_search_train_batch(const gp_case *c, size_t unit, gp_train_place place,
                           gp_batch_change *ret);
/* --- layout_words.c: what refuses a layout.
 * Why none could be tried: which rule of which framework is against it, or which degrees. */
const char *gp_train_refusal(const gp_case *c, const gp_train_capability *found);
const char *gp_serve_refusal_words(const gp_case *c, const gp_serve_refusal *refusal);
/* --- tried.c: the layouts of the chosen machines, for whoever asks why not another */
void gp_tried_of(const gp_case *c);
/* Whose rules replicas keep: gp_layout_rules. */
int gp_serve_rules(const gp_case *c);
/* One layout by itself, whether it is launched or not; and two as pools. */
void gp_serve_capability_of(const gp_case *c, size_t unit, gp_serve_layout layout,
                            gp_serve_capability *ret);
void gp_split_capability_of(const gp_case *c, size_t unit, const gp_serve_split *layouts,
                            gp_serve_capability *ret_decode, gp_split_capability *ret);
const gp_serve_capability *gp_search_serve(const gp_case *c, size_t unit, int64_t *ret_count);
/* Of a plan that is held: one layout, without a search; NULL: there are too many. */
gp_serve_capability *gp_search_held(const gp_case *c, size_t unit, const gp_serve_layout *layout);
/* Room for what it sorts, once a plan. */
void gp_split_open(struct gp_plan_context *plan);
/* Pairs of layouts for prefill and decode apart. */
const gp_split_capability *gp_search_split(const gp_case *c, size_t unit, int64_t *ret_count);
/* The replica of a layout that was found, for the job that is filled in. */
void gp_capability_replica(const gp_case *c, size_t unit, const gp_serve_capability *found,
                           gp_serve_job *job, gp_serve_replica *ret);
/* The rate of one replica of a known layout within the service level on a changed machine. */
double gp_serve_rate_with(const gp_case *c, size_t unit, const gp_machine *machine,
                          const gp_serve_capability *capability);
/* --- carried.c: replicas beside each other */
double gp_carried_each(const gp_carried *carried, int64_t count);
/* The fewest that carry a rate together, each such a share of what is known of it. */
int64_t gp_carried_count(const gp_carried *carried, double share, double requests_per_s);
/* What one carries among so many; where that was found, and where it is likely to be. */
typedef struct gp_carried_near {
    double low, high, found;
} gp_carried_near;
typedef double gp_carried_rate(void *context, double among, gp_carried_near *near);
void gp_carried_fill(gp_carried_rate *rate, void *context, gp_carried *ret);
/* --- replica.c: replicas of a layout
 * Machines that so many take: several to a machine, or several machines each; and how many lie on
 * one. */
int64_t gp_replica_nodes(const gp_machine *machine, const gp_serve_capability *found,
                         int64_t replicas);
int64_t gp_replica_densest(const gp_machine *machine, const gp_serve_capability *found);
/* Those that a demand takes, without spares. */
int64_t gp_replicas_for(const gp_case *c, const gp_serve_capability *found, double requests_per_s);
/* Share of time that maintenance leaves of a cluster at one site; at another it goes on. And
 * whether that is less than the service asks for. */
double gp_replica_windows(const gp_case *c);
bool gp_replica_windows_forbid(const gp_case *c);
/* Share of time in which the replicas that the load needs are up: with `each` on a machine. */
double gp_replica_available(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t replicas,
                            int64_t each);
/* Replicas held for availability. Machines fail, and with one all replicas on it: where several
 * share a machine, as many are held as whole machines of `each` would carry. */
int64_t gp_replica_spares(const gp_case *c, const gp_machine *machine,
                          const gp_serve_capability *found, int64_t needed, int64_t each);
/* Replicas held for availability beside `needed` where machines are filled, with the machines all
 * of them take; and the share of time in which as many as needed are up. */
int64_t gp_size_spares(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *found, int64_t needed, int64_t *ret_nodes);
double gp_size_availability(const gp_case *c, const gp_machine *machine,
                            const gp_serve_capability *found, int64_t needed, int64_t spare);
/* Which judgement the case keeps to: 0, the expected values, or 1, with its margins. */
int gp_size_judged(const gp_case *c);
/* Requests per second that all active replicas are to carry, with what is kept free. */
double gp_size_asked(const gp_case *c);
/* Requests per second that each of the active replicas may take, as the case is judged. */
double gp_size_carried(const gp_case *c, const gp_serve_capability *found, int64_t count);
/* Replicas of a sized candidate's layout for another demand, spares included; and one of them under
 * a load. */
int64_t gp_candidate_replicas(const gp_case *c, const gp_candidate *candidate,
                              double requests_per_s);
/* What is known of a sized candidate's layout on its unit; NULL: nothing. */
gp_serve_capability *gp_size_capability(const gp_case *c, const gp_candidate *candidate);
/* On the machine, or on a part of it, for the job that is filled in. */
void gp_candidate_replica(const gp_case *c, const gp_candidate *candidate,
                          const gp_machine *machine, gp_serve_job *job, gp_serve_replica *ret);
void gp_candidate_load(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_trace *trace, gp_serve_point *ret);
/* --- lack.c */
/* How far a miss is from enough; smaller is nearer. */
double gp_lack_distance(const gp_lack *lack);
/* The workload itself states fewer, at a key of its own, than it takes. */
gp_lack gp_lack_of_count(int64_t have, int64_t need, const char *why, const char *key);
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
/* A level is of the 99th percentile of what hangs on the time per token. */
bool gp_slo_asks_far(const gp_slo *slo);
/* How far beyond its target the worst level is with the margins added, over what it is, which stays
 * below 1 where waits grow without end: every level holds where that is not above 0. And the level
 * that is missed by most. */
double gp_slo_beyond(const gp_slo *slo, const gp_serve_point *point, double margin,
                     double ttft_margin);
gp_lack gp_slo_worst(const gp_slo *slo, const gp_serve_point *point, double margin,
                     double ttft_margin);
/* --- size.c: demand against capability */
typedef struct gp_size_bounds {
    int64_t min_nodes; /* at least so many, where more than the need is asked for; 0: no matter */
    int64_t max_nodes, max_gpus;
} gp_size_bounds;
/* So many machines of a kind; all that may be had of it. */
gp_size_bounds gp_size_within(const gp_plan_context *plan, size_t unit, int64_t nodes);
gp_size_bounds gp_size_any(const gp_plan_context *plan, size_t unit);
/* Is told of every way that was sized, feasible or not; what its work draws, if that is asked. */
typedef double gp_size_sink(void *to, const gp_candidate *candidate);
void gp_size_each(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                  void *to);
/* The same on the machines of runs that take turns with it. */
void gp_size_joined(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                    void *to);
/* The same by counts alone: what services do under the load is left to gp_size_describe. */
void gp_size_counts(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                    void *to);
void gp_size_describe(const gp_case *c, gp_candidate *ret);
/* The one with the fewest GPUs, or what comes nearest. */
void gp_size_fewest(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret);
/* The largest rate that these machines and GPUs hold, as gp_size_unit judges; a multiple of today's
 * demand at most. */
double gp_size_held(const gp_case *c, size_t unit, int64_t nodes, int64_t gpus);
/* The layouts of the unit with prefill and decode together, sized for the demand: all of them, or
 * the `most` nearest to enough. */
int gp_size_layouts(const gp_case *c, size_t unit, int most, gp_candidate *ret);
/* Sequences that a job without end of requests keeps at work on each of its replicas: all there is
 * room for, as far as it has so many, since no replica is done before one of them is. */
double gp_size_places(const gp_case *c, const gp_serve_job *job, const gp_serve_memory *memory,
                      int64_t active);
/* Requests per second that each of the active replicas takes, of what each may take. */
double gp_size_rate(const gp_case *c, double replica_per_s, int64_t active);
/* --- size_split.c: prefill and decode in pools of their own */
/* The mode that keeps to what a candidate does. */
gp_split_mode gp_split_mode_as(const gp_candidate *candidate);
/* What pools have to stay below where they are not asked for: GPUs for a request a second, or GPUs
 * or machines for the demand, of the best replicas that do both, less what a second kind of pool
 * has to save. Power alone is no reason. */
typedef struct gp_split_least {
    double gpus_per_request, gpus, nodes;
} gp_split_least;
void gp_split_least_of(const gp_case *c, size_t unit, gp_split_least *ret);
/* Replicas that do both were simulated and hold: what the closed form counts less of may not. True
 * where pools have to save less than before. */
bool gp_split_beside(const gp_case *c, const gp_candidate *together);
bool gp_split_is_worth(const gp_case *c, size_t unit, const gp_split_capability *pair,
                       const gp_split_least *least);
/* The pair of pools that takes the fewest machines and GPUs, not described; where none is enough,
 * with what it lacks. */
void gp_size_split(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret);
/* The same of those with one layout for prefill, and then of those with one for decode, also where
 * they save nothing by the closed form: of the first from `*layout` on that has any, which it is
 * then beyond; false: none has. */
bool gp_size_split_next(const gp_case *c, size_t unit, gp_size_bounds within, int64_t *layout,
                        gp_candidate *ret);
/* GPUs for a request a second of the best replicas that do both at such a rate: the more is asked
 * for, the fewer. */
double gp_split_gpus_least(const gp_case *c, size_t unit, int judged, double requests_per_s);
/* One pair, with so many replicas for decoding beyond its need. */
gp_candidate gp_split_sized(const gp_case *c, size_t unit, const gp_split_capability *pair,
                            int64_t more, int64_t max_nodes, int64_t max_gpus);
/* The pair of layouts of a sized candidate, or NULL; and what its pools do at the demand. */
gp_split_capability *gp_split_pair(const gp_case *c, const gp_candidate *candidate);
/* What each of so many prefill replicas may take, and each decode replica. */
double gp_split_prefill(const gp_case *c, const gp_split_capability *pair, int64_t count);
double gp_split_decode(const gp_case *c, const gp_split_capability *pair);
void gp_split_describe(const gp_case *c, gp_candidate *candidate);
/* What its pools take for another rate, spares included. */
void gp_split_replicas(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_split_pools *pools);
void gp_split_load(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                   gp_split_point *ret);
/* Mean power of a GPU of both pools at a rate. */
double gp_split_gpu_w(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                      gp_trace *trace);
/* The same candidate of the plan that is held. */
void gp_size_again(const gp_case *c, const gp_candidate *like, gp_candidate *ret);
/* What a candidate's layout does, its counts kept: of two pools, of a training, of its step of
 * reinforcement learning. */
void gp_split_size_again(const gp_case *c, size_t unit, gp_candidate *candidate);
void gp_train_size_again(const gp_case *c, size_t unit, gp_candidate *candidate);
void gp_rl_size_again(const gp_case *c, size_t unit, gp_candidate *candidate);
/* The very layout of `like`, sized for the demand of the case. */
void gp_size_like(const gp_case *c, const gp_candidate *like, gp_candidate *ret);
/* --- autoscale.c: replicas that follow the traffic */
void gp_start_of(const gp_case *c, const gp_candidate *chosen, gp_trace *trace,
                 gp_serve_start *ret);
void gp_autoscale_of(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret);
/* Of it whether there is one, and the replicas by the hour. */
void gp_autoscale_week(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret);
/* --- price_items.c: price lists. Puts all in one order; of an item the row of the last list that
 * has it. Every item names something that there is; GP_ERR_INPUT with diagnostics. */
gp_status gp_plan_prices(gp_plan_context *plan);
/* The cheapest price in the lists for an instance of its term, by the hour or reserved. */
gp_contract gp_plan_contract(const gp_plan_context *plan, const gp_cloud *row, bool reserved);
/* The price of "PREFIX/ID" in the last list that has it; 0: none. */
double gp_plan_item_price(const gp_plan_context *plan, const char *prefix, const char *id);
/* Sets the price of a line of the bill to that of "PREFIX/ID", and where it is written. */
void gp_plan_price_line(const gp_plan_context *plan, const char *prefix, const char *id,
                        gp_bill_item *line);
/* --- price.c: one candidate by itself */
/* Power and cost of a candidate on machines of its own, of which `owned_nodes` are there. */
void gp_price_candidate(const gp_case *c, int64_t owned_nodes, gp_candidate *candidate);
/* --- usage_storage.c: what one workload asks of storage */
void gp_storage_need_of_case(const gp_case *c, const gp_candidate *chosen, gp_storage_need *ret);
/* Workloads write and start at their own times: the largest rate counts, capacities add up. */
void gp_storage_need_add(const gp_storage_need *need, gp_storage_need *all);
/* Mean power of one GPU under the candidate's load; 0 where the workload does not serve. */
double gp_plan_serving_w(const gp_case *c, const gp_candidate *candidate, gp_trace *trace);
/* --- bound.c */
gp_bound gp_bound_of_training(const gp_train_time *time, const gp_run *run);
gp_bound gp_bound_of_rl(const gp_rl_way *rl, const gp_train_time *time, const gp_run *run);
/* --- options.c: every way to meet a demand */
/* The one way of a service whose shares the spec states. */
void gp_shares_stated(const gp_case *c, const gp_inventory *inventory, gp_options *options);
/* On one kind of machine, appended, services not described; of all kinds that the case may use. */
void gp_options_on(const gp_case *c, size_t unit, gp_size_bounds within, gp_options *options);
/* On the same kind of machine with the same layouts, in whatever number. */
bool gp_option_alike(const gp_candidate *a, const gp_candidate *b);
/* More of the unit's machines may be bought than are there. */
bool gp_inventory_buys(const gp_inventory *inventory, const gp_unit *unit);
void gp_options_of(const gp_case *c, const gp_inventory *inventory, gp_options *options);
/* The same; what services do under the load is left to gp_size_describe. */
void gp_options_sized(const gp_case *c, const gp_inventory *inventory, gp_options *options);
/* Adds those on the machines of other runs that take turns with it. */
void gp_options_join(const gp_case *c, const gp_inventory *inventory, gp_options *options);
/* Bounds of what may be had of a unit. */
gp_size_bounds gp_options_within(const gp_case *c, const gp_inventory *inventory, size_t unit);
/* Another kind than it may use: pinned to a pool, or not to be had. */
bool gp_options_allow(const gp_case *c, const gp_inventory *inventory, size_t unit);
/* The next of the pools of their own that a service may have there, as gp_size_split_next has
 * them, priced. */
bool gp_options_apart(const gp_case *c, const gp_inventory *inventory, size_t unit, int64_t *layout,
                      gp_candidate *ret);
/* --- pack.c: machines that a candidate takes by itself, its groups sharing them */
int64_t gp_pack_nodes(const gp_plan_context *plan, const gp_candidate *candidate);
/* --- ledger.c: who holds what, when */
void gp_ledger_init(gp_plan_context *plan, gp_ledger *ret);
/* The same as gp_ledger_of for candidates that stay where they are in memory, but for that of the
 * case `doubtful`: kinds of machines on which nobody comes or goes are left as they are. */
void gp_ledger_change(const gp_plan_context *plan, const gp_inventory *inventory,
                      const gp_candidate *const *chosen, size_t doubtful, gp_ledger *ledger);
/* Packs the chosen options (by case; NULL: not placed) onto machines. */
void gp_ledger_of(const gp_plan_context *plan, const gp_inventory *inventory,
                  const gp_candidate *const *chosen, gp_ledger *ret);
/* The GPUs of a claim, or its even share of those that parts lie on. */
double gp_ledger_gpus(const gp_kind_hold *kind, bool on_part, int64_t gpus);
/* Of the machines that a case holds, those that are there, once they are shared out. */
int64_t gp_ledger_owned(const gp_plan_context *plan, const gp_ledger *ledger, size_t index);
/* Machines that a service leaves idle, added by the hour of a week. */
void gp_ledger_add_idle(const gp_case *c, const gp_candidate *candidate, int64_t *hours);
/* Share of the week in which `nodes` machines of those hours are there, less what restarts take. */
double gp_ledger_idle_share(const gp_case *c, const int64_t *hours, int64_t nodes);
/* --- usage.c, usage_sites.c: what a ledger takes of the site */
/* Finds the rows that every fabric, every bill and every choice of storage looks at. */
gp_status gp_plan_parts(gp_plan_context *plan);
void gp_usage_init(gp_plan_context *plan, gp_usage *ret);
/* `detail`: also what nobody adds up: failures, feeds of the fullest rack, room of fabrics. */
void gp_usage_of(const gp_plan_context *plan, const gp_ledger *ledger, bool detail, gp_usage *ret);
/* Machines of the unit that are bought to be kept for repairs. */
int64_t gp_usage_spares_bought(const gp_plan_context *plan, const gp_ledger *ledger, size_t u);
/* Machines alone, without what stands around them: no key of a choice comes to less. */
void gp_usage_least(const gp_plan_context *plan, const gp_ledger *ledger, gp_usage *scratch,
                    gp_site_plan *ret);
/* --- limits.c */
double gp_usage_limited(const gp_usage *usage, int limit);
double gp_result_limited(const gp_plan_result *result, int limit);
/* Limits that the site and the budget state. */
void gp_limits_of(gp_plan_context *plan);
const gp_limit_row *gp_limit_row_of(int limit);
/* The first limit that is passed and not lifted, beyond what stands there in any case; or -1. */
int gp_limits_passed(const gp_plan_context *plan, const gp_inventory *inventory,
                     const gp_usage *usage);
/* Any is stated. */
bool gp_limits_stated(const gp_plan_context *plan);
/* Those of the plan that are below `to`, by limit, as what they lack; NULL: none is. */
const gp_lack *gp_limits_raised(const gp_plan_context *plan, const double *to);
/* --- racks.c */
void gp_plan_racks(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes,
                   gp_rack_size *ret);
/* Machines that no rack of their site takes are not bought. */
void gp_plan_bar_units(gp_plan_context *plan);
/* --- allocation.c: the choice */
typedef struct gp_allocation {
    const gp_options *options;   /* by case */
    int *picks;                  /* by case: into its options, or GP_UNPLACED */
    const gp_candidate **chosen; /* the same; NULL: not placed */
    gp_ledger ledger;
    gp_usage usage;
    gp_value value;
    int limit;               /* that it passes; -1: none */
    bool quick;              /* look for no better one than exchanges find */
    bool again;              /* the picks were the best a moment ago */
    double gap_fraction;     /* what a better one could save at most; 0: none is better */
    gp_options *own_options; /* scratch of gp_allocate_one */
    int64_t *spare_missing;
} gp_allocation;
void gp_allocation_init(gp_plan_context *plan, gp_allocation *ret);
/* Fills ledger, usage and value of the picks; false where they pass a limit or what there is. */
bool gp_allocation_judge(const gp_plan_context *plan, const gp_inventory *inventory,
                         gp_allocation *allocation);
int gp_value_compare(const gp_plan_context *plan, const gp_value *a, const gp_value *b);
void gp_value_copy(const gp_plan_context *plan, const gp_value *from, gp_value *to);
/* What an option takes, by the objective, of machines that others fill, or that it has alone. */
double gp_allocation_take(const gp_case *c, const gp_candidate *option, bool alone);
/* The best choice among the options of all cases; the picks that `ret` comes with are one start. */
void gp_allocate(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *ret);
/* The best option of `options` for one case when all others keep theirs: its place, or
 * GP_UNPLACED. `scratch` holds the allocation with it. */
int gp_allocate_one(const gp_plan_context *plan, const gp_inventory *inventory,
                    const gp_allocation *others, size_t index, const gp_options *options,
                    gp_allocation *scratch);
/* --- shares.c: a service in shares */
/* The case with no more than a share's part of its demand, with what the spec states of the share
 * on that unit (NULL: nothing is); `workload` holds what it changes. */
gp_case gp_spread_case(const gp_case *c, const gp_unit *unit, double fraction,
                       gp_workload *workload);
/* A candidate made of shares, with their sums. */
void gp_spread_sum(const gp_case *c, const gp_candidate *shares, int count, gp_candidate *ret);
/* --- share_out.c: whose machines are there and whose are bought; of all, or of the kinds of
 * machines alone that a case has */
void gp_share_out(const gp_plan_context *plan, gp_allocation *a);
void gp_share_out_for(const gp_plan_context *plan, gp_allocation *a, size_t index);
/* --- choice.c */
/* Options that a workload's own scaling rules out are none where it has no place today. */
void gp_choice_keep_allowed(gp_plan_context *plan, const gp_inventory *narrow,
                            gp_allocation *today);
/* --- spread_layouts.c: the layouts of shares */
/* What the objective counts of a service, or a share, on machines of its own. */
double gp_spread_weight(const gp_plan_context *plan, const gp_candidate *candidate);
/* The shares of a service at several sites take other layouts where that is better; false where
 * none is. */
bool gp_spread_refine(gp_plan_context *plan, const gp_inventory *inventory, size_t index,
                      gp_allocation *scratch, gp_allocation *best);
/* --- spread.c: a service at several sites */
/* Adds the best way to share a service among sites beside all others as they are; nothing where it
 * has one replica, or where there is one site. */
void gp_spread_ways(const gp_plan_context *plan, const gp_inventory *inventory,
                    const gp_allocation *others, size_t index, const gp_case *c,
                    gp_allocation *scratch, gp_options *options);
/* What its pools can do was found anew: their shares that were sized are no more. */
void gp_spread_forget_runs(const gp_plan_context *plan, size_t index);
/* The service is another: none of its shares is known. */
void gp_spread_forget(const gp_plan_context *plan, size_t index);
/* A service that may have shares at several places. */
bool gp_spread_may(const gp_case *c);
/* Shares services among sites where that is better than what is chosen. */
void gp_spread_services(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *best);
/* Which kinds of machines may carry shares of one service beside each other. */
void gp_spread_places(gp_plan_context *plan);
/* --- confirm.c: the chosen replicas of every serving workload by simulation. *ret_changed: some
 * workload needs more of them, or fewer where they may be lowered, and its rate follows: choose
 * again. */
gp_status gp_confirm_choices(gp_plan_context *plan, bool may_lower, bool *ret_changed);
/* The figures by which the chosen replicas were judged; NULL: no run of them is there. */
const gp_confirm_run *gp_confirm_judged(const gp_case *c);
/* --- placement.c: owned against rented; for finish.c */
/* Share of a year for which the candidate's machines would be rented: the replicas of a service
 * follow its traffic, each machine as long as one of them is on it. */
double gp_rented_fraction(const gp_case *c, const gp_candidate *candidate);
/* Share of a year in which it computes, on average over its replicas. */
double gp_computing_fraction(const gp_case *c, const gp_candidate *candidate);
/* Growth of the demand during one cold start, in the hour in which it grows fastest. */
double gp_growth_of_start(const gp_case *c, const gp_candidate *chosen);
void gp_placement_of(const gp_case *c, gp_placement_plan *ret);
/* Whether a simulation of what is chosen for a case meets the goals, where the case has stores and
 * a plan of its own and is not planned with; what is not simulated does. *ret_changed: by a short
 * one a larger count would, and its rate follows: choose again. */
bool gp_confirm_chosen(gp_case *changed, bool *ret_changed);
/* What is chosen as it is, by short runs or judged as the plan is. */
bool gp_confirm_carries(gp_case *changed, bool briefly);
/* What the chosen replicas of a confirmed case carry: no more than the closed form says. */
gp_status gp_confirm_most(const gp_case *c);
/* What finds no place was not simulated, and would be at another rate. */
bool gp_confirm_simulates(const gp_workload_plan *w);
/* Simulated plans of several workloads take too long to be made often where they grow or may go to
 * several sites. */
bool gp_confirm_takes_long(const gp_plan_context *plan);
/* After the last choice: those that came out otherwise than they were confirmed. */
gp_status gp_confirm_rest(gp_plan_context *plan);
/* --- mend.c: sets the result's mend where what is declared does not hold */
void gp_plan_mend(const gp_plan_context *plan);
/* --- without.c: in place of a plan one without purchases, at several sites with fewer, or with
 * what other objectives choose, where that is found and better; `plan` itself elsewhere */
gp_plan_context *gp_plan_do_without(gp_plan_context *plan);
/* Machines that are bought or rented. */
int64_t gp_plan_new_nodes(const gp_plan_result *of);
/* What it comes to on each kind of machine alone, told in its result; that on one in its place
 * where it is better. */
gp_plan_context *gp_plan_alone(gp_plan_context *plan);
/* --- edited.c: the plan made anew with another workload in place of one, by such options; NULL:
 * there is none. It lies in the arena. */
gp_plan_context *gp_plan_edited(const gp_plan_context *plan, gp_arena *arena, size_t i,
                                const gp_workload *workload, const gp_plan_options *asked);
/* --- software_planned.c: what changes of software do, as plans show it; `without`: these are made
 * in other ways, too, since the plan was found in one of them */
void gp_software_plan(const gp_plan_context *plan, bool without);
/* Plans take too long to be made for it: a workload is placed beside the others as they are. */
bool gp_software_beside(const gp_plan_context *plan);
/* What it is with a change, in which the machines are counted that the whole plan does without. */
void gp_software_tell(const gp_candidate *today, const gp_candidate *with,
                      gp_software_change *change);
/* --- flip_planned.c: flip points of services that are simulated go where plans show them */
void gp_flips_plan(const gp_plan_context *plan);
/* What limits keep out is told with limits that a plan was made with and holds. */
void gp_limits_plan(const gp_plan_context *plan);
/* --- goals.c, traces.c */
/* The goals of every workload; latencies of what was simulated become those of the run. */
void gp_goals_of(const gp_plan_context *plan);
/* Prices one candidate once more, with a trace. */
void gp_trace_candidate(const gp_case *c, const gp_candidate *candidate, gp_trace *trace);
/* --- growth.c: machines over the horizon */
/* Makes the demands of the horizon, once a plan; plan->growth stays NULL where none is stated. */
gp_status gp_growth_init(gp_plan_context *plan);
/* The rows of the horizon and its limits, with the shells of last. */
void gp_growth_of(gp_plan_context *plan);
/* yyyymmdd so long after a day that every month has; whole twelfths of a year are months of the
 * calendar; 0 stays 0. */
int64_t gp_growth_date(int64_t start, double seconds);
/* --- growth_shells.c */
/* Sets plan->shells to what the horizon takes beside `best`; nothing where none is stated. */
void gp_growth_shells(gp_plan_context *plan, const gp_allocation *best);
/* --- schedule.c: all workloads on one time axis; after growth */
void gp_schedule_of(gp_plan_context *plan, const gp_allocation *best);
/* --- teams.c: who holds what */
/* GPUs that teams hold beyond what they may, all of them together. */
int64_t gp_teams_over(const gp_plan_context *plan, const gp_ledger *ledger);
/* After the schedule. */
void gp_teams_of(gp_plan_context *plan, const gp_ledger *ledger);
/* --- whole.c: the plan chosen again by expected values */
void gp_whole_expected(gp_plan_context *plan, const gp_allocation *best);
/* Plans are told in short on other terms: those that are not too large, and not themselves made to
 * find something out. */
bool gp_whole_is_told(const gp_plan_context *plan);
/* --- work_cost.c: what each workload costs of the plan; after the site's figures */
void gp_work_costs_of(gp_plan_context *plan, const gp_ledger *ledger);
/* --- owning.c: what is bought against the cheapest cloud */
gp_status gp_owning_of(gp_plan_context *plan, const gp_ledger *ledger);
/* An owned base and rented bursts; after the schedule. */
void gp_burst_plan(gp_plan_context *plan, const gp_ledger *ledger);

#endif
