/* What the files that add up a usage share. */
#ifndef GP_PLAN_USAGE_H
#define GP_PLAN_USAGE_H

#include "plan/context.h"

/* All rows of a kind. */
typedef struct gp_row_list {
    const void *const *items;
    size_t count;
} gp_row_list;

/* Rows of the catalogue that every usage asks for, looked up once. */
typedef struct gp_parts_list {
    gp_row_list switches, cooling, storage;
    const gp_switch *management; /* that hosts and racks are managed over; NULL: none */
    int network_kind;            /* that a switch was picked for the last time, with its rate */
    double network_bits_per_s;
    const gp_switch *network;
} gp_parts_list;

/* One usage while it is added up, with sums over the kinds of machines. */
typedef struct gp_using {
    const gp_plan_context *plan;
    const gp_ledger *ledger;
    gp_usage *usage;
    bool detail;
    int64_t gpus, gpus_per_node, racks, bought_racks;
    int64_t devices, bought_devices; /* with a management port */
    double bought_u;                 /* rack units of what is bought beside machines */
    int64_t circuits, bought_circuits; /* of the racks of machines */
    int64_t bought_other_racks;
    double apart_fraction; /* of the height of switches and storage: in racks of their own */
    double rack_w, rack_heat_w, rack_liquid; /* of the fullest rack */
    double inlet_min_c, inlet_max_c;         /* that all machines take; 0: none states it */
    gp_power_chain chain;       /* of the same */
    double liquid_w, heat_w;    /* of machines */
    double there_liquid_w;      /* of those that are not bought */
} gp_using;

typedef enum gp_line {
#define GP_LINE(name, ...) GP_LINE_##name,
#include "plan/bill.def"
#undef GP_LINE
    GP_LINE_COUNT
} gp_line;

/* The next line of the bill, which has room for all there can be, with its price; `id` may be NULL.
 * What counts nothing is none: the line after it takes its place. */
gp_bill_item *gp_usage_line(gp_using *u, gp_line line, const char *id, int64_t count,
                            int64_t bought);
/* What all lines draw. */
double gp_bill_watts(const gp_using *u);
/* Adds what all lines draw and cost to the site; returns what is bought for good. */
double gp_bill_sum(gp_using *u);
/* Of so many GPUs, by rate. */
void gp_usage_failures(const gp_plan_context *plan, int64_t gpus, int64_t per_node,
                       gp_room_plan *room);
/* --- usage.c: the only site, or one of several; gp_usage_of has whatever there is */
void gp_usage_init_one(gp_plan_context *plan, gp_usage *ret);
void gp_usage_of_one(const gp_plan_context *plan, const gp_ledger *ledger, bool detail,
                     gp_usage *ret);
void gp_usage_least_one(const gp_plan_context *plan, const gp_ledger *ledger, gp_site_plan *ret);
/* What is rented: machines and money. */
void gp_usage_rented(const gp_plan_context *plan, const gp_ledger *ledger, gp_site_plan *ret);
/* --- limits.c: what the usage itself takes of them; those of its sites are with each */
void gp_limits_set(const gp_plan_context *plan, gp_usage *usage);
/* --- usage_kinds.c: machines of a kind with their racks and their fabric */
void gp_usage_kinds(gp_using *u);
/* Those that feed a rack of so much load. */
void gp_usage_circuits(const gp_plan_context *plan, double load_w, gp_power_chain *ret);
void gp_fabric_parts_add(const gp_fabric_parts *part, gp_fabric_parts *sum);
/* --- usage_cooling.c */
void gp_usage_cooling(gp_using *u);
/* --- usage_storage.c: what workloads ask of storage, and what to buy for it where the cluster has
 * none */
void gp_usage_storage(gp_using *u);
/* --- networks_other.c: storage and in-band */
void gp_usage_networks(gp_using *u);

#endif
