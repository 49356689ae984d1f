/*
 * Estimators of what stands in the room: power from parts, the power chain, cooling, failures,
 * storage, hosts, networks and money. Pure functions in base units (W, J, s, bytes, K above a
 * reference of 0 degC where a name ends in _c); nothing is looked up and nothing is printed.
 * Formulas and sources: docs/formulas.md.
 */
#ifndef GP_ESTIMATE_FACILITY_H
#define GP_ESTIMATE_FACILITY_H

#include "estimate/estimate.h"

/* ---------------------------------------------------------------- power */

/* A machine's (or a rack-scale system's) power, part by part; they add up to total_w. */
typedef struct gp_power_parts {
    double gpu_w, link_w; /* GPUs; switches of the scale-up links */
    double host_w;        /* processors, boards and drives */
    double memory_w, nic_w;
    double fan_w, supply_w; /* fans for what goes to air; conversion loss */
    double total_w;
} gp_power_parts;

/* How much of its largest power each part draws in a state. */
typedef struct gp_power_share {
    double gpu, host;
    double rest; /* links, memory, adapters */
    double fan;  /* of the power that goes to air */
    bool busbar; /* supplies stand outside the system */
} gp_power_share;

/* Everything at its largest: what circuits are laid for. */
gp_power_share gp_power_share_most(bool busbar, const gp_constants *constants);

/* What a system does not state of processors, memory and adapters is that of its class: processors
 * by GPUs (none where the GPU's module has its own), memory by the GPUs' own, an adapter of
 * fabric.assumed.rate for each GPU on scale-up links, else one. */
void gp_power_parts_of(const gp_system *system, const gp_power_share *share,
                       const gp_constants *constants, gp_power_parts *ret);

/* Power cap of one GPU in this machine: the part's own, or the one that machines of several have;
 * where none is known, what the machine's maximum leaves for it; 0: not known. */
double gp_system_tdp_w(const gp_system *system, const gp_constants *constants);
/* Share of a machine's heat that goes to liquid. */
double gp_system_liquid_fraction(const gp_system *system, const gp_constants *constants);

/* Units of a capacity that carry a load: as many as it takes, one more for N+1, twice as many for
 * 2N. 0 where the capacity is not given. `redundancy` is a gp_redundancy. */
int64_t gp_power_units(double load_w, double unit_w, int redundancy);

typedef struct gp_power_chain_input {
    double load_w; /* largest sustained power of what hangs on it: a rack, a row */
    int64_t phases;
    double voltage_v, current_a; /* line to line for three phases */
    double power_factor, derate_fraction;
    int redundancy; /* gp_redundancy */
    int64_t feeds;  /* independent ones that the site has; 0: one, two for 2N */
} gp_power_chain_input;

typedef struct gp_power_chain {
    double circuit_w; /* that one circuit may carry for good */
    int64_t circuits;
    int64_t feeds;          /* independent ones: 2 for 2N */
    double carried_w;       /* by each circuit when all are live */
    double failed_w;        /* by each when one circuit (2N: one feed) is lost */
    double load_fraction;   /* carried_w over what a circuit may carry */
    double failed_fraction; /* failed_w over the same; above 1: the redundancy does not hold */
} gp_power_chain;

void gp_power_chain_of(const gp_power_chain_input *input, gp_power_chain *ret);

typedef struct gp_pue_input {
    double liquid_fraction;    /* of the heat into liquid; immersion: 1 */
    double rear_door_fraction; /* of the heat into air, taken up by doors with water in them */
    bool free_cooling;         /* no chiller behind the liquid loop */
    int climate;               /* gp_climate */
    double load_fraction;      /* IT power over what the site was built for; 0: 1 */
    double stated_pue;         /* wins; 0: none */
} gp_pue_input;

/* Facility over IT power and water over IT energy, from the parts of power and cooling. */
typedef struct gp_overhead {
    double pue, pue_low, pue_high; /* the band is the number itself where it is stated */
    double wue_l_per_j, wue_low_l_per_j, wue_high_l_per_j; /* low: dry coolers throughout */
} gp_overhead;

void gp_overhead_of(const gp_pue_input *input, const gp_constants *constants, gp_overhead *ret);

/* Of heat that leaves by air alone, and by liquid alone; the law is a straight line between, so
 * that each machine has a share of its own. */
typedef struct gp_overhead_ends {
    gp_overhead air, liquid;
} gp_overhead_ends;

void gp_overhead_between(const gp_overhead_ends *ends, double liquid_fraction, gp_overhead *ret);

/* A cap on GPU power: what it does to time and to energy of work that is bound by arithmetic for
 * `compute_fraction` of its time. Both are factors. */
typedef struct gp_power_cap {
    double time_factor;
    double energy_factor;
} gp_power_cap;
void gp_power_cap_of(double cap_fraction, double compute_fraction, const gp_constants *constants,
                     gp_power_cap *ret);

/* Peak of a steady load while the runs that make up `training_w` of it exchange gradients. */
double gp_power_transient_w(double steady_w, double training_w, const gp_constants *constants);

/* ---------------------------------------------------------------- cooling */

double gp_airflow_m3_per_s(double heat_w, double rise_k, double altitude_m,
                           const gp_constants *constants);
double gp_coolant_flow_m3_per_s(double heat_w, double rise_k, const gp_constants *constants);

typedef enum gp_air_level {
    GP_AIR_OPEN,        /* open aisles do */
    GP_AIR_CONTAINMENT, /* aisle containment or rear doors */
    GP_AIR_WARNING,     /* documented on air, at the edge */
    GP_AIR_BEYOND       /* liquid is needed */
} gp_air_level;

typedef struct gp_cooling_input {
    double rack_w;
    int64_t racks;
    double liquid_fraction;
    double altitude_m;
    double air_supply_c, air_rise_k;      /* rise 0: the constant */
    const gp_cooling_class *air_class;    /* of the room; NULL: not known */
    double inlet_min_c, inlet_max_c;      /* of the machines themselves; 0: not known */
    const gp_cooling_class *liquid_class; /* of the facility water; NULL: not known */
    double facility_supply_c;             /* of the water; 0: the class's maximum */
    double liquid_rise_k; /* of the coolant; 0: up to the outlet that the constant allows */
} gp_cooling_input;

typedef struct gp_cooling {
    double air_w, liquid_w;  /* of a rack */
    double airflow_m3_per_s; /* of a rack */
    double coolant_m3_per_s; /* of a rack */
    double coolant_supply_c, coolant_return_c;
    gp_air_level level;
    int64_t units;                     /* distribution units for all racks */
    double heat_btu_per_h, heat_tons;  /* of all racks */
    double air_min_c, air_max_c;       /* of class and machines, at this altitude; 0: not known */
    bool air_allowed, air_recommended; /* supply within these; true where not known */
    double water_min_c, water_max_c;   /* of its class, and below what coolant may return at */
    bool water_allowed;                /* supply within these; true where not known */
    bool free_cooling;                 /* water this warm needs no chiller */
} gp_cooling;

/* Distribution units of `unit_w` each for so much heat to liquid, with one to spare; 0 where there
 * is no such heat or no such capacity. */
int64_t gp_cooling_units_of(double liquid_w, double unit_w, const gp_constants *constants);
void gp_cooling_of(const gp_cooling_input *input, const gp_constants *constants, gp_cooling *ret);

/* ---------------------------------------------------------------- reliability */

typedef enum gp_rate { GP_RATE_MIDDLE, GP_RATE_FEW, GP_RATE_MANY, GP_RATE_COUNT } gp_rate;

/* Mean time to an interruption of a job, per GPU of it. */
double gp_gpu_mttf_s(gp_rate rate, const gp_constants *constants);

typedef struct gp_failures {
    double mtbf_s;                  /* of the job */
    double interruptions_per_month; /* of 365/12 days */
    int64_t spare_nodes;            /* kept to replace what is under repair */
    int64_t early_nodes;            /* that fail in their first weeks */
} gp_failures;

void gp_failures_of(int64_t gpus, int64_t gpus_per_node, gp_rate rate,
                    const gp_constants *constants, gp_failures *ret);
/* Share of effective time of checkpoints every interval_s under exponential failures. */
double gp_effective_fraction(double interval_s, double write_s, double restart_s, double mtbf_s);
/* Interval that maximises it (Daly). */
double gp_best_interval_s(double write_s, double mtbf_s);
/* Smallest number that more than `mean` failures at a time exceed with probability 1 - confidence
 * at most (Poisson). */
int64_t gp_spares_for(double mean, double confidence);

/* ---------------------------------------------------------------- storage and hosts */

typedef struct gp_storage_input {
    double checkpoint_bytes, interval_s;
    double kept;             /* checkpoints kept; 0: the constant */
    double data_bytes_per_s; /* that training reads; see gp_data_bytes_per_s */
    double data_bytes;       /* data sets */
    double weights_bytes;    /* that a serving replica loads */
    double replicas;         /* that start at once */
} gp_storage_input;

typedef struct gp_storage_need {
    double write_bytes_per_s, read_bytes_per_s, capacity_bytes;
    double checkpoint_read_bytes_per_s,
        start_read_bytes_per_s; /* what the read rate follows from */
    double write_hosts;         /* that checkpoints come from */
} gp_storage_need;

void gp_storage_need_of(const gp_storage_input *input, const gp_constants *constants,
                        gp_storage_need *ret);

typedef struct gp_host_input {
    int64_t gpus; /* of a machine */
    double gpu_memory_bytes;
    double checkpoint_bytes; /* of a machine's own part, staged in memory; 0: written through */
    double offload_bytes;    /* of the machine: optimizer, weights, activations in host memory */
    bool images;             /* pictures or video are decoded on the host */
} gp_host_input;

typedef struct gp_host_need {
    double memory_bytes;
    int64_t cpu_cores;
    double nvme_bytes; /* scratch and cache */
} gp_host_need;

/* Cores that a machine of so many GPUs needs; images: it decodes pictures or video. */
int64_t gp_host_cores_of(int64_t gpus, bool images, const gp_constants *constants);
void gp_host_need_of(const gp_host_input *input, const gp_constants *constants, gp_host_need *ret);

/* ---------------------------------------------------------------- networks */

/* What a fabric is built from. */
typedef struct gp_fabric_parts {
    int64_t switches, cables, nics;
    int64_t transceivers; /* both ends of every cable; a twin one serves two */
} gp_fabric_parts;

/* `ports_per_transceiver`: links of the host rate that one module of a switch carries. */
void gp_fabric_parts_of(const gp_fabric_size *size, int64_t ports_per_transceiver,
                        gp_fabric_parts *ret);

/* What a fabric can take on before something must be changed. */
typedef struct gp_fabric_room {
    int64_t unit_nodes;  /* machines, all told, that the leaves there hold: only their cables */
    int64_t spine_nodes; /* before the spines' number changes: leaves, no re-cabling */
    int64_t tier_nodes;  /* before a third tier */
    int64_t most_nodes;  /* that three tiers carry */
} gp_fabric_room;

gp_status gp_fabric_room_of(const gp_fabric_input *input, gp_fabric_room *ret);

/* Out-of-band management: a port of every machine, switch, power strip and cooling unit. */
int64_t gp_management_switches(int64_t devices, int64_t radix, int64_t uplinks);

/* ---------------------------------------------------------------- money */

typedef struct gp_ownership_input {
    double capital, residual_fraction;
    double life_s, discount_per_s;
    double running_per_s; /* energy, colocation, support, staff, licences */
    int64_t gpus;
    double utilization;    /* share of the time that GPUs are wanted */
    double rent_per_gpu_s; /* of the cloud compared with; 0: none */
} gp_ownership_input;

typedef struct gp_ownership {
    double capital_per_s; /* annuity, residual value taken off */
    double total_per_s;
    double per_gpu_s;           /* delivered */
    double break_even_fraction; /* utilisation from which owning is cheaper; 0: no rent given */
    double break_even_s;        /* after which rent would have cost more; HUGE_VAL: never */
} gp_ownership;

void gp_ownership_of(const gp_ownership_input *input, gp_ownership *ret);

/* How much of a varying demand to own: up to where one more unit would be used for less of the time
 * than own_per_s / rent_per_s (newsvendor). */
typedef struct gp_burst {
    double owned;          /* units */
    double burst_fraction; /* of the work, in the cloud */
    double cost_per_s;     /* mean */
    double all_owned_per_s, all_rented_per_s;
} gp_burst;

/* `demand`: units wanted in each of `count` equal periods, in any order. Costs are per unit and
 * second; memory from `scratch` is given back. */
void gp_burst_of(const double *demand, size_t count, double own_per_s, double rent_per_s,
                 gp_arena *scratch, gp_burst *ret);

#endif
