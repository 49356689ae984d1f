/*
 * What a site holds: as many machines of each kind as power, cooling, racks and money allow beside
 * what stands there, with the limit that binds and the one behind it. Every trial is a ledger with
 * its usage, so that what fits here is what a plan may take. Machines alone get a compute fabric
 * over all of them; what workloads run on takes the fabric that they need (capacity_demand.c).
 */
#include "plan/capacity.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

enum { ADDED_MOST = 1 << 17 }; /* where nothing binds up to here, nothing does */

/* ------------------------------------------------------------ limits */

static double limit_of(const gp_fill *fill, int limit) {
    const gp_candidate_limits *machines = &fill->spec.candidates.limits;
    if (limit == GP_CAPACITY_GPUS)
        return fill->most_gpus > 0 ? (double)fill->most_gpus : HUGE_VAL;
    if (limit == GP_CAPACITY_MACHINES) {
        const int kind = (int)GP_ORIGIN_OF(machines, gp_candidate_limits, max_nodes)->kind;
        const bool stated = kind == (int)GP_ORIGIN_SPEC || kind == (int)GP_ORIGIN_FLAG;
        return stated ? (double)machines->max_nodes : HUGE_VAL;
    }
    return fill->plan->limits[limit];
}

static double used_of(const gp_fill *fill, int limit) {
    const gp_plan_context *plan = fill->plan;
    double gpus = 0;
    if (limit < GP_LIMIT_COUNT)
        return gp_usage_limited(&fill->at.usage, limit);
    double machines = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &fill->at.ledger.kinds[u];
        const int64_t nodes = plan->units[u].cloud != NULL ? kind->nodes : kind->stand;
        gpus += (double)(nodes * plan->units[u].machine.gpus);
        machines += (double)kind->bought;
    }
    return limit == GP_CAPACITY_GPUS ? gpus : machines;
}

static bool is_limited(const gp_fill *fill) {
    for (int i = 0; i < GP_CAPACITY_LIMITS; i++)
        if (isfinite(limit_of(fill, i)))
            return true;
    return false;
}

int gp_fill_passed(const gp_fill *fill) {
    int worst = GP_CAPACITY_NO_LIMIT;
    double most = 1;
    for (int i = 0; i < GP_CAPACITY_LIMITS; i++) {
        const double limit = limit_of(fill, i);
        const double used = used_of(fill, i);
        if ((fill->lifted >> i & 1) != 0 || !(used > limit) || gp_num_near(used, limit))
            continue;
        const double over = limit > 0 ? used / limit : HUGE_VAL;
        if (worst != GP_CAPACITY_NO_LIMIT && over <= most)
            continue;
        worst = i;
        most = over;
    }
    return worst;
}

gp_capacity_bound gp_fill_bound(const gp_fill *fill, int limit) {
    static const gp_limit_row more[] = {
        {GP_BOUND_SUPPLY, GP_DIM_COUNT, NULL},
        {GP_BOUND_SUPPLY, GP_DIM_COUNT, "candidates.limits.maxNodes"},
    };
    if (limit == GP_CAPACITY_NO_LIMIT)
        return (gp_capacity_bound){.bound = GP_BOUND_NONE};
    const gp_limit_row *row =
        limit < GP_LIMIT_COUNT ? &gp_limit_rows[limit] : &more[limit - GP_LIMIT_COUNT];
    return (gp_capacity_bound){
        .bound = row->bound, .path = row->path, .limit = limit_of(fill, limit), .dim = row->dim};
}

/* ------------------------------------------------------------ machines alone */

/* What stands, and `added` machines of the kind at work, all on one fabric. */
static void stand_with(gp_fill *fill, int64_t added) {
    gp_plan_context *plan = fill->plan;
    gp_allocation *at = &fill->at;
    for (size_t i = 0; i < plan->case_count; i++)
        at->chosen[i] = NULL;
    gp_ledger_of(plan, &plan->inventory, at->chosen, &at->ledger);
    if (fill->unit < plan->unit_count) {
        const gp_unit *unit = &plan->units[fill->unit];
        gp_kind_hold *kind = &at->ledger.kinds[fill->unit];
        gp_node_power power;
        gp_node_power_of(&unit->machine, GP_LOAD_TRAINING, 0, plan->constants, NULL, &power);
        kind->bought = added;
        kind->nodes += added;
        kind->stand += added;
        kind->gpus += added * unit->machine.gpus;
        kind->fabric_nodes = kind->stand;
        kind->mean_w += power.node_w * (double)added;
        kind->year_w += power.node_w * (double)added;
    }
    gp_usage_of(plan, &at->ledger, false, &at->usage);
}

static bool holds(gp_fill *fill, int64_t added) {
    stand_with(fill, added);
    return gp_fill_passed(fill) == GP_CAPACITY_NO_LIMIT;
}

/* The most machines, in the multiples that are bought; ADDED_MOST: no limit says how many. */
static int64_t most_added(gp_fill *fill) {
    const int64_t step = gp_num_max_i64(1, fill->plan->step);
    int64_t low = 0;
    int64_t high = 1;
    while (high * step < ADDED_MOST && holds(fill, high * step)) {
        low = high;
        high *= 2;
    }
    if (high * step >= ADDED_MOST)
        return ADDED_MOST;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (holds(fill, middle * step))
            low = middle;
        else
            high = middle;
    }
    return low * step;
}

static int binding_above(gp_fill *fill, int64_t added) {
    stand_with(fill, added + gp_num_max_i64(1, fill->plan->step));
    return gp_fill_passed(fill);
}

/* The figures of all that stands with so many machines added. */
static void set_figures(gp_fill *fill, int64_t added, gp_capacity_row *row) {
    const gp_plan_context *plan = fill->plan;
    stand_with(fill, added);
    const gp_site_plan *site = &fill->at.usage.site;
    row->bounded = true;
    row->added = added;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_machine *machine = &plan->units[u].machine;
        const int64_t nodes = fill->at.ledger.kinds[u].stand;
        const double gpus = (double)(nodes * machine->gpus);
        row->nodes += nodes;
        row->gpus += nodes * machine->gpus;
        row->memory_bytes += gpus * machine->gpu->memory_bytes;
        row->flop_per_s += gpus * machine->peak_flop_per_s[GP_PRECISION_BF16];
    }
    row->racks = site->rack_count;
    row->switches = fill->at.usage.room.fabric_parts.switches;
    row->it_w = site->it_peak_w;
    row->facility_w = site->figures.facility_peak_w;
    row->air_w = site->air_w;
    row->liquid_w = site->liquid_w;
    row->capital = site->priced ? site->cost.capital : 0;
    row->unpriced = !site->priced && (isfinite(plan->limits[GP_LIMIT_CAPITAL]) ||
                                      isfinite(plan->limits[GP_LIMIT_RECURRING]));
}

/* What a plan with nothing in it takes stands there in any case. */
static void fill_declared(gp_fill *fill, gp_capacity_row *row) {
    set_figures(fill, 0, row);
    const int passed = gp_fill_passed(fill);
    row->over = passed != GP_CAPACITY_NO_LIMIT;
    row->binds = row->over ? gp_fill_bound(fill, passed)
                           : (gp_capacity_bound){.bound = GP_BOUND_SUPPLY,
                                                 .path = "cluster.pools",
                                                 .limit = (double)row->nodes,
                                                 .dim = GP_DIM_COUNT};
}

static void fill_kind(gp_fill *fill, gp_capacity_row *row) {
    const int64_t added = most_added(fill);
    if (added >= ADDED_MOST)
        return;
    const int first = binding_above(fill, added);
    row->binds = gp_fill_bound(fill, first);
    fill->lifted = (uint32_t)1 << first;
    const int64_t next = most_added(fill);
    if (next < ADDED_MOST) {
        row->next_added = next;
        row->next = gp_fill_bound(fill, binding_above(fill, next));
    }
    fill->lifted = 0;
    row->over = !holds(fill, 0);
    set_figures(fill, added, row);
}

/* ------------------------------------------------------------ rows */

/* Pools that workloads ask for by name are units of their own of one kind of machine. */
static bool same_kind(const gp_plan_context *plan, size_t a, size_t b) {
    return gp_str_equal(plan->units[a].id, plan->units[b].id);
}

static bool is_first(const gp_plan_context *plan, const bool *may_buy, size_t unit) {
    for (size_t u = 0; u < unit; u++)
        if (may_buy[u] && same_kind(plan, u, unit))
            return false;
    return true;
}

/* Only the kind of the row may be bought. */
static void allow_only(gp_fill *fill, const bool *may_buy, size_t unit) {
    gp_plan_context *plan = fill->plan;
    fill->unit = unit;
    fill->lifted = 0;
    fill->inventory = plan->inventory;
    fill->inventory.may_buy = unit < plan->unit_count;
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->units[u].may_buy = unit < plan->unit_count && may_buy[u] && same_kind(plan, u, unit);
}

static gp_status add_row(gp_fill *fill, const bool *may_buy, size_t unit, gp_capacity *capacity) {
    gp_plan_context *plan = fill->plan;
    const bool declared = unit == plan->unit_count;
    gp_capacity_row *row = &capacity->rows.items[capacity->rows.count++];
    *row = (gp_capacity_row){.unit = declared ? NULL : &plan->units[unit]};
    allow_only(fill, may_buy, unit);
    if (declared)
        fill_declared(fill, row);
    else if (!row->unit->power_known && isfinite(plan->limits[GP_LIMIT_POWER])) {
        /* How many the hall feeds cannot be told. */
        row->binds = (gp_capacity_bound){.bound = GP_BOUND_POWER, .path = "maxPower"};
        return GP_OK;
    } else if (row->unit->cloud == NULL)
        fill_kind(fill, row);
    return plan->case_count > 0 ? gp_fill_demands(fill, row) : GP_OK;
}

static double factor_of(const gp_capacity_row *row) {
    if (row->demands.count == 0)
        return 0;
    const gp_capacity_demand *first = &row->demands.items[0];
    return first->today > 0 ? first->most / first->today : first->most;
}

/* How much a row holds: its demands as a whole, then its arithmetic. */
static int by_capacity(const void *a, const void *b, const void *context) {
    const gp_capacity_row *left = a;
    const gp_capacity_row *right = b;
    (void)context;
    if ((left->unit == NULL) != (right->unit == NULL))
        return left->unit == NULL ? -1 : 1;
    if (left->unit == NULL)
        return 0;
    const double most[] = {factor_of(left), factor_of(right)};
    if (isfinite(most[0]) != isfinite(most[1]))
        return isfinite(most[0]) ? 1 : -1;
    int order = isfinite(most[0]) ? gp_num_compare9(most[1], most[0]) : 0;
    if (order == 0)
        order = gp_num_compare9(right->flop_per_s, left->flop_per_s);
    return order != 0 ? order : gp_str_compare(left->unit->id, right->unit->id);
}

static gp_status add_rows(gp_fill *fill, gp_capacity *capacity) {
    gp_plan_context *plan = fill->plan;
    bool *may_buy = GP_NEW_ARRAY(plan->arena, bool, plan->unit_count + 1);
    capacity->rows.items = GP_NEW_ARRAY(plan->arena, gp_capacity_row, plan->unit_count + 1);
    for (size_t u = 0; u < plan->unit_count; u++)
        may_buy[u] = plan->units[u].may_buy;
    gp_status st = GP_OK;
    if (plan->spec->cluster.pools.count > 0)
        st = add_row(fill, may_buy, plan->unit_count, capacity);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++)
        if (may_buy[u] && is_first(plan, may_buy, u) && is_limited(fill))
            st = add_row(fill, may_buy, u, capacity);
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->units[u].may_buy = may_buy[u];
    if (st == GP_OK)
        gp_sort(plan->arena, capacity->rows.items, capacity->rows.count,
                sizeof *capacity->rows.items, by_capacity, NULL);
    return st;
}

static void set_limits(gp_fill *fill, gp_capacity *capacity) {
    fill->unit = fill->plan->unit_count;
    stand_with(fill, 0);
    const gp_site_plan *site = &fill->at.usage.site;
    capacity->limit_count = site->limit_count;
    for (int i = 0; i < site->limit_count; i++)
        capacity->limits[i] = site->limits[i];
}

static void init_fill(gp_plan_context *plan, int64_t most_gpus, gp_fill *ret) {
    const size_t count = plan->case_count;
    *ret = (gp_fill){.plan = plan,
                     .spec = *plan->spec,
                     .most_gpus = most_gpus,
                     .asked = GP_NEW_ARRAY(plan->arena, gp_case, count + 1),
                     .workloads = GP_NEW_ARRAY(plan->arena, gp_workload, count + 1),
                     .rates = GP_NEW_ARRAY(plan->arena, gp_traffic_plan, count + 1)};
    for (size_t i = 0; i < count; i++) {
        ret->asked[i] = plan->cases[i];
        ret->rates[i] = plan->cases[i].out->traffic;
    }
    plan->spec = &ret->spec;
    gp_allocation_init(plan, &ret->at);
}

static gp_status refuse_several(const gp_plan_document *document, gp_diags *diags) {
    const gp_plan_spec *spec = &document->spec;
    if (spec->sites.count < 2)
        return GP_OK;
    gp_diags_error(diags, "GP1019", GP_ORIGIN_OF(spec, gp_plan_spec, sites)->span,
                   "--site with the name of a site", NULL,
                   "capacity is worked out for one site at a time");
    return GP_ERR_INPUT;
}

gp_status gp_capacity_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                          const gp_prices *const *prices, size_t price_count,
                          const gp_plan_options *options, int64_t most_gpus, gp_diags *diags,
                          gp_capacity **ret_capacity) {
    gp_plan_context *plan = GP_NEW(arena, gp_plan_context);
    gp_fill *fill = GP_NEW(arena, gp_fill);
    gp_capacity *capacity = GP_NEW(arena, gp_capacity);
    gp_status st = refuse_several(document, diags);
    if (st == GP_OK)
        st = gp_plan_open(arena, catalog, document, prices, price_count, options, diags, plan);
    if (st == GP_OK)
        init_fill(plan, most_gpus, fill);
    if (st != GP_OK)
        return st;
    *capacity = (gp_capacity){.plan = plan->result, .gpus = most_gpus};
    set_limits(fill, capacity);
    st = add_rows(fill, capacity);
    *ret_capacity = capacity;
    return st;
}
