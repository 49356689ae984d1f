/* Words of the planner's enums, as they stand in reports. */
#include "plan/plan.h"

#include "model/fields.h"

static const char *const scale_names[GP_SCALE_COUNT] = {
    [GP_SCALE_NONE] = "none",
    [GP_SCALE_VERTICAL] = "vertical",
    [GP_SCALE_HORIZONTAL] = "horizontal",
    [GP_SCALE_BOTH] = "both",
    [GP_SCALE_INFEASIBLE] = "infeasible",
};

static const char *const bound_names[GP_BOUND_COUNT] = {
    [GP_BOUND_NONE] = "none",
    [GP_BOUND_MEMORY] = "memory",
    [GP_BOUND_COMPUTE] = "compute",
    [GP_BOUND_HBM_BANDWIDTH] = "hbmBandwidth",
    [GP_BOUND_INTERCONNECT] = "interconnect",
    [GP_BOUND_LATENCY] = "latency",
    [GP_BOUND_POWER] = "power",
    [GP_BOUND_COOLING] = "cooling",
    [GP_BOUND_SPACE] = "space",
    [GP_BOUND_BUDGET] = "budget",
    [GP_BOUND_DEADLINE] = "deadline",
    [GP_BOUND_SUPPLY] = "supply",
};

const char *gp_scale_name(gp_scale scale) {
    return scale_names[scale];
}

const char *gp_demand_name(gp_demand_kind kind) {
    static const char *const names[GP_DEMAND_COUNT] = {
        [GP_DEMAND_CONTINUOUS] = "continuous",
        [GP_DEMAND_DEADLINE] = "deadline",
        [GP_DEMAND_RECURRING] = "recurring",
        [GP_DEMAND_CONCURRENT] = "concurrent",
        [GP_DEMAND_OPEN] = "open",
    };
    return names[kind];
}

const char *gp_turn_name(gp_turn turn) {
    static const char *const names[GP_TURN_COUNT] = {
        [GP_TURN_OWN] = "own",
        [GP_TURN_AFTER] = "after",
        [GP_TURN_QUEUE] = "queue",
        [GP_TURN_IDLE] = "idle",
    };
    return names[turn];
}

const char *gp_bound_name(gp_bound bound) {
    return bound_names[bound];
}

const char *gp_objective_name(gp_objective objective) {
    return gp_objective_words[objective];
}

static const struct {
    const char *name;
    gp_bound bound;
} resources[GP_RESOURCE_COUNT] = {
    [GP_RESOURCE_POWER] = {"IT power", GP_BOUND_POWER},
    [GP_RESOURCE_AIR] = {"heat to air", GP_BOUND_COOLING},
    [GP_RESOURCE_LIQUID] = {"heat to coolant", GP_BOUND_COOLING},
    [GP_RESOURCE_RACKS] = {"racks", GP_BOUND_SPACE},
    [GP_RESOURCE_CAPITAL] = {"capital", GP_BOUND_BUDGET},
    [GP_RESOURCE_RECURRING] = {"cost per year", GP_BOUND_BUDGET},
    [GP_RESOURCE_STORAGE_READ] = {"storage read rate", GP_BOUND_NONE},
    [GP_RESOURCE_STORAGE_CAPACITY] = {"storage capacity", GP_BOUND_NONE},
    [GP_RESOURCE_MACHINES] = {"machines", GP_BOUND_SUPPLY},
    [GP_RESOURCE_FABRIC] = {"machines on fabric", GP_BOUND_INTERCONNECT},
};

const char *gp_resource_name(gp_resource resource) {
    return resources[resource].name;
}

gp_bound gp_resource_bound(gp_resource resource) {
    return resources[resource].bound;
}

const char *gp_capacity_measure_name(gp_capacity_measure measure) {
    static const char *const names[GP_CAPACITY_MEASURES] = {
        [GP_CAPACITY_FACTOR] = "factor",     [GP_CAPACITY_RATE] = "rate",
        [GP_CAPACITY_REQUESTS] = "requests", [GP_CAPACITY_WEEKLY] = "runsPerWeek",
        [GP_CAPACITY_RUNS] = "runs",         [GP_CAPACITY_SEATS] = "seats",
    };
    return names[measure];
}
