/* What the files that plan the room share. */
#ifndef GP_PLAN_ROOM_H
#define GP_PLAN_ROOM_H

#include "plan/context.h"

/* Sums over the kinds of machines that stand in the room. */
typedef struct gp_room_total {
    int64_t gpus, gpus_per_node, racks, bought_racks, devices;
    int64_t circuits, bought_circuits;
    double rack_w, rack_liquid; /* of the fullest rack */
    gp_power_chain chain;       /* of the same */
    double liquid_w, heat_w;    /* of machines */
} gp_room_total;

/* Adds a line to the bill, which has room for all there can be; none for a count of nothing. */
void gp_room_add(gp_room_plan *room, const gp_bill_item *item);
/* --- room_cooling.c */
gp_status gp_room_cooling(gp_plan_context *plan, const gp_room_total *total);
/* --- room_storage.c: what workloads ask of storage, and, where the cluster has none, what to buy
 * for it */
gp_status gp_room_storage(gp_plan_context *plan);
/* What one workload asks of it; false where it has no machines on site. */
bool gp_room_storage_need(const gp_case *c, gp_storage_need *ret);

#endif
