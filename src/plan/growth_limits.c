/*
 * Limits over the horizon: what stands in each quarter with everything around it against what the
 * site, the budget, the fabrics and the storage carry; the month in which each is passed, and when
 * to order what lifts it. Storage and the other networks grow with the machines they serve.
 */
#include "plan/growth.h"
#include "plan/room.h"

#include "base/num.h"
#include "base/str.h"

enum { MONTHS_PER_QUARTER = 3, SPAN_MOST = 4096, HOST_GPUS = 8 };

/* Resources at one time, by gp_resource. */
typedef struct use {
    double used[GP_RESOURCE_COUNT];
    const int64_t *kinds; /* machines by unit */
} use;

/* What the room draws beside machines and their compute fabric today, by the machine. */
static double other_power(const gp_plan_context *plan, int64_t nodes) {
    const gp_site_plan *site = &plan->result->site;
    gp_limits usage;
    int64_t today = 0;
    gp_load_usage(plan, plan->loads, &usage, &today);
    const double fixed = site->storage_w + site->system_w;
    const double other = site->it_nameplate_w - usage.it_power_w - fixed;
    const double ratio = today > 0 ? (double)nodes / (double)today : 1;
    return gp_num_max(0, other) * gp_num_max(1, ratio) + fixed;
}

static int64_t sum_of(const gp_plan_context *plan, const int64_t *kinds) {
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        nodes += kinds[u];
    return nodes;
}

static int64_t switches_of(const gp_plan_context *plan, const int64_t *kinds) {
    int64_t switches = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_fabric_size size;
        if (kinds[u] == 0 || plan->units[u].cloud != NULL)
            continue;
        gp_plan_fabric_built(plan, u, kinds[u], &size);
        switches += size.leaf + size.spine + size.core;
    }
    return switches;
}

/* Machines and compute switches beyond those of the plan itself; 0 where one has no price. */
static double capital_of(const gp_plan_context *plan, const int64_t *kinds) {
    const gp_site_plan *site = &plan->result->site;
    double capital = site->cost.capital;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t today =
            gp_num_max_i64(unit->owned_nodes, gp_load_nodes(unit, &plan->loads[u]));
        if (unit->cloud != NULL || kinds[u] <= today)
            continue;
        gp_fabric_size added;
        gp_fabric_size there;
        gp_plan_fabric_built(plan, u, kinds[u], &added);
        gp_plan_fabric_built(plan, u, today, &there);
        const int64_t switches =
            added.leaf + added.spine + added.core - (there.leaf + there.spine + there.core);
        if (unit->price <= 0 || (switches > 0 && gp_plan_switch_price(plan, u) <= 0))
            return 0;
        capital += unit->price * (double)(kinds[u] - today) +
                   gp_plan_switch_price(plan, u) * (double)gp_num_max_i64(0, switches);
    }
    return site->priced ? capital : 0;
}

/* Power, heat, racks, machines and money of what stands. */
static void use_of_kinds(const gp_plan_context *plan, const int64_t *kinds, use *ret) {
    gp_limits usage;
    const int64_t nodes = sum_of(plan, kinds);
    const double other = other_power(plan, nodes);
    gp_growth_usage(plan, kinds, &usage);
    *ret = (use){.kinds = kinds};
    ret->used[GP_RESOURCE_POWER] = usage.it_power_w + other + plan->held.it_power_w;
    ret->used[GP_RESOURCE_AIR] = usage.air_w + other + plan->held.air_w;
    ret->used[GP_RESOURCE_LIQUID] = usage.liquid_w + plan->held.liquid_w;
    ret->used[GP_RESOURCE_RACKS] = usage.racks + (double)plan->result->room.other_racks;
    ret->used[GP_RESOURCE_CAPITAL] = capital_of(plan, kinds);
    ret->used[GP_RESOURCE_MACHINES] = (double)nodes;
}

/* A service's replicas load their weights together: the rate follows its machines. */
static void add_storage(const gp_plan_context *plan, const gp_growth_row *row, use *now) {
    for (size_t i = 0; i < plan->growth->case_count; i++) {
        const gp_case *c = &plan->growth->cases[i].c;
        gp_storage_need need;
        if (row->case_nodes[i] == 0 || !gp_room_storage_need(c, &need))
            continue;
        const double nodes = (double)gp_num_max_i64(1, c->out->chosen.nodes);
        const double ratio = c->out->is_serving ? (double)row->case_nodes[i] / nodes : 1;
        now->used[GP_RESOURCE_STORAGE_READ] =
            gp_num_max(now->used[GP_RESOURCE_STORAGE_READ], need.read_bytes_per_s * ratio);
        now->used[GP_RESOURCE_STORAGE_CAPACITY] += need.capacity_bytes;
    }
}

/* Machines that the fabric as built takes before its tiers, spines or cores change. */
static int64_t fabric_span(const gp_plan_context *plan, size_t u, int64_t from) {
    const gp_fabric_size *shell = &plan->shells[u];
    int64_t nodes = from;
    while (nodes < SPAN_MOST) {
        gp_fabric_size size;
        gp_plan_fabric(plan, u, nodes + 1, &size);
        if (!size.feasible || size.tiers > shell->tiers || size.spine > shell->spine ||
            size.core > shell->core)
            break;
        nodes++;
    }
    return nodes;
}

static void add(gp_plan_context *plan, gp_resource resource, const gp_unit *unit, double limit,
                gp_dim dim) {
    gp_plan_result *result = plan->result;
    if (limit < 0.5 * GP_UNLIMITED && limit > 0 && result->growth_limit_count < GP_GROWTH_LIMITS)
        result->growth_limits[result->growth_limit_count++] =
            (gp_growth_limit){.resource = resource, .unit = unit, .limit = limit, .dim = dim};
}

static void add_storage_limits(gp_plan_context *plan) {
    const gp_room_plan *room = &plan->result->room;
    const gp_storage_product *product = room->storage_product;
    const double count = (double)room->storage_products;
    add(plan, GP_RESOURCE_STORAGE_READ, NULL,
        product != NULL ? product->read_bytes_per_s * count : room->storage_read_bytes_per_s,
        GP_DIM_BYTES_PER_S);
    add(plan, GP_RESOURCE_STORAGE_CAPACITY, NULL,
        product != NULL ? product->usable_bytes * count : room->storage_capacity_bytes,
        GP_DIM_BYTES);
}

static void add_limits(gp_plan_context *plan, const int64_t *start) {
    const gp_limits *limits = &plan->given;
    const gp_plan_result *result = plan->result;
    const gp_growth_row *last = &result->growth[result->growth_count - 1];
    const gp_limits *held = &plan->held;
    add(plan, GP_RESOURCE_POWER, NULL, limits->it_power_w + held->it_power_w, GP_DIM_POWER);
    add(plan, GP_RESOURCE_AIR, NULL, limits->air_w + held->air_w, GP_DIM_POWER);
    add(plan, GP_RESOURCE_LIQUID, NULL, limits->liquid_w + held->liquid_w, GP_DIM_POWER);
    add(plan, GP_RESOURCE_RACKS, NULL, limits->racks, GP_DIM_COUNT);
    add(plan, GP_RESOURCE_CAPITAL, NULL, limits->capital, GP_DIM_MONEY);
    add_storage_limits(plan);
    if (plan->pool_count > 0)
        add(plan, GP_RESOURCE_MACHINES, NULL, (double)sum_of(plan, start), GP_DIM_COUNT);
    for (size_t i = 0; i < result->room.kinds.count; i++) {
        const gp_unit *unit = result->room.kinds.items[i].unit;
        const size_t u = (size_t)(unit - plan->units);
        if (plan->shells[u].tiers > 1)
            add(plan, GP_RESOURCE_FABRIC, unit, (double)fabric_span(plan, u, last->kind_nodes[u]),
                GP_DIM_COUNT);
    }
}

static double used_of(const gp_plan_context *plan, const gp_growth_limit *limit, const use *now) {
    return limit->unit != NULL ? (double)now->kinds[limit->unit - plan->units]
                               : now->used[limit->resource];
}

static bool passes(const gp_plan_context *plan, const gp_growth_limit *limit, const use *now) {
    const double used = used_of(plan, limit, now);
    return used > limit->limit && !gp_num_near(used, limit->limit);
}

/* The month between two quarters in which the demand first takes more than the limit. */
static int64_t month_of(const gp_plan_context *plan, const gp_growth_limit *limit, int q,
                        int64_t *kinds) {
    const gp_growth_row *before = &plan->result->growth[q - 1];
    const double month = gp_growth_seconds(1) / MONTHS_PER_QUARTER;
    for (int m = 1; m < MONTHS_PER_QUARTER; m++) {
        const double at = gp_growth_seconds(q - 1) + m * month;
        use now;
        for (size_t u = 0; u < plan->unit_count; u++)
            kinds[u] = before->kind_nodes[u];
        gp_growth_stand(plan, GP_SCENARIO_EXPECTED, at, before->quarter, kinds);
        use_of_kinds(plan, kinds, &now);
        if (passes(plan, limit, &now))
            return gp_growth_date(before->quarter, m * month);
    }
    return plan->result->growth[q].quarter;
}

/* What stands in one quarter. */
static void set_row(gp_plan_context *plan, gp_growth_row *row, use *ret_now) {
    use now;
    use_of_kinds(plan, row->kind_nodes, &now);
    add_storage(plan, row, &now);
    row->it_power_w = now.used[GP_RESOURCE_POWER] - plan->held.it_power_w;
    row->facility_peak_w = row->it_power_w * plan->design_pue;
    row->air_w = now.used[GP_RESOURCE_AIR] - plan->held.air_w;
    row->liquid_w = now.used[GP_RESOURCE_LIQUID] - plan->held.liquid_w;
    row->racks = gp_num_ceil_count(now.used[GP_RESOURCE_RACKS]);
    row->capital = now.used[GP_RESOURCE_CAPITAL];
    row->switches = switches_of(plan, row->kind_nodes);
    *ret_now = now;
}

/* The cheapest cloud among the candidates that has the GPUs of a kind of machine; NULL: none. */
static const gp_unit *cloud_for(const gp_plan_context *plan, const gp_unit *unit) {
    const gp_unit *best = NULL;
    double least = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *cloud = &plan->units[u];
        if (cloud->cloud == NULL || !gp_str_equal(cloud->machine.gpu->id, unit->machine.gpu->id) ||
            cloud->machine.domain < gp_num_min_i64(unit->machine.domain, HOST_GPUS))
            continue;
        const double rent = cloud->rent_per_s / (double)cloud->machine.gpus;
        if (best != NULL && gp_num_compare9(rent, least) >= 0)
            continue;
        best = cloud;
        least = rent;
    }
    return best;
}

/* More of what the site holds would pass a limit of it: the machines of the quarter before stay,
 * and what exceeds them is rented. False where no cloud has the GPUs. */
static bool rent_rest(const gp_plan_context *plan, const int64_t *before, gp_growth_row *row) {
    const gp_unit *cloud = NULL;
    int64_t gpus = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t more = row->need_nodes[u] - before[u];
        if (more <= 0 || unit->cloud != NULL)
            continue;
        const gp_unit *found = cloud_for(plan, unit);
        if (found == NULL || (cloud != NULL && cloud != found))
            return false;
        cloud = found;
        gpus += more * unit->machine.gpus;
    }
    if (cloud == NULL)
        return false;
    for (size_t u = 0; u < plan->unit_count; u++)
        row->kind_nodes[u] = before[u];
    row->rent_unit = cloud;
    row->rent_nodes = (gpus + cloud->machine.gpus - 1) / cloud->machine.gpus;
    row->rent_per_s = cloud->rent_per_s * (double)row->rent_nodes;
    return true;
}

static bool passes_any(const gp_plan_context *plan, const use *now) {
    bool passed = false;
    for (int i = 0; i < plan->result->growth_limit_count; i++) {
        const gp_growth_limit *limit = &plan->result->growth_limits[i];
        passed = passed || (limit->resource <= GP_RESOURCE_CAPITAL && passes(plan, limit, now));
    }
    return passed;
}

/* Machines beyond those of today are what the plan buys: no limit of the site. */
static bool told_by_purchases(const gp_plan_context *plan, const gp_growth_limit *limit) {
    bool buys = false;
    for (size_t u = 0; u < plan->unit_count && !plan->declared_only; u++)
        buys = buys || (plan->units[u].may_buy && plan->units[u].cloud == NULL);
    return buys && limit->resource == GP_RESOURCE_MACHINES;
}

/* The month in which a limit is passed is that of the demand, also where a cloud takes it. */
static void judge_limits(gp_plan_context *plan, int q, const use *now, bool rented,
                         int64_t *scratch) {
    gp_plan_result *result = plan->result;
    gp_growth_row *row = &result->growth[q];
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        const bool passed = passes(plan, limit, now);
        if (q == 0)
            limit->today = used_of(plan, limit, now);
        if (passed && !rented && !told_by_purchases(plan, limit) && row->limit_hit == GP_BOUND_NONE)
            row->limit_hit = gp_resource_bound(limit->resource);
        if (passed && limit->passed == 0)
            limit->passed = q == 0 ? row->quarter : month_of(plan, limit, q, scratch);
    }
}

/* Resources of one quarter against all limits. `before` is what stands already. */
static void judge_row(gp_plan_context *plan, int q, const int64_t *before, int64_t *scratch) {
    gp_growth_row *row = &plan->result->growth[q];
    use wanted;
    for (size_t u = 0; u < plan->unit_count; u++)
        row->kind_nodes[u] = before[u];
    gp_growth_raise(plan, row->need_nodes, row->kind_nodes);
    set_row(plan, row, &wanted);
    use now = wanted;
    const bool rented = passes_any(plan, &wanted) && rent_rest(plan, before, row);
    judge_limits(plan, q, &wanted, rented, scratch);
    if (rented)
        set_row(plan, row, &now);
    gp_growth_count(plan, before, q == 0, row);
    for (int i = 0; i < plan->result->growth_limit_count; i++)
        plan->result->growth_limits[i].at_horizon =
            used_of(plan, &plan->result->growth_limits[i], &now);
}

/* The same machines under the high scenario: which limits it passes, by quarter. */
static void judge_high(gp_plan_context *plan, int64_t *kinds) {
    gp_plan_result *result = plan->result;
    gp_growth_start(plan, kinds);
    for (int q = 0; q < result->growth_count && result->growth[q].nodes_high >= 0; q++) {
        use now;
        gp_growth_stand(plan, GP_SCENARIO_HIGH, gp_growth_seconds(q), result->growth[q].quarter,
                        kinds);
        use_of_kinds(plan, kinds, &now);
        for (int i = 0; i < result->growth_limit_count; i++) {
            gp_growth_limit *limit = &result->growth_limits[i];
            if (limit->passed_high == 0 && passes(plan, limit, &now))
                limit->passed_high = result->growth[q].quarter;
        }
    }
}

static void set_orders(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    const gp_lead_time *lead = &plan->spec->growth.lead_time;
    int64_t switches = plan->pool_count > 0 ? result->growth[0].switches : 0;
    double power_w = plan->given.it_power_w;
    for (int i = 0; i < result->growth_count; i++) {
        gp_growth_row *row = &result->growth[i];
        if (row->buy_nodes > 0)
            row->order_by = gp_growth_before(row->quarter, lead->gpus_s);
        if (row->switches > switches && lead->fabric_s > 0)
            row->order_fabric_by = gp_growth_before(row->quarter, lead->fabric_s);
        switches = gp_num_max_i64(switches, row->switches);
        if (row->it_power_w > power_w && lead->power_s > 0)
            row->order_power_by = gp_growth_before(row->quarter, lead->power_s);
        power_w = gp_num_max(power_w, row->it_power_w);
    }
}

/* Spines and cores that today's machines would not take by themselves. */
static int64_t early_spines(const gp_plan_context *plan) {
    int64_t early = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const int64_t nodes = gp_load_nodes(&plan->units[u], &plan->loads[u]);
        gp_fabric_size built;
        gp_fabric_size alone;
        if (plan->units[u].cloud != NULL)
            continue;
        gp_plan_fabric_built(plan, u, nodes, &built);
        gp_plan_fabric(plan, u, gp_num_max_i64(nodes, plan->units[u].owned_nodes), &alone);
        early += gp_num_max_i64(0, built.spine + built.core - alone.spine - alone.core);
    }
    return early;
}

static void add_switches(const gp_plan_context *plan, const int64_t *kinds,
                         gp_growth_shell *shell) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_fabric_size size;
        if (kinds[u] == 0 || plan->units[u].cloud != NULL)
            continue;
        gp_plan_fabric_built(plan, u, kinds[u], &size);
        shell->nodes += kinds[u];
        shell->leaf += size.leaf;
        shell->spine += size.spine;
        shell->core += size.core;
        shell->gpus += kinds[u] * plan->units[u].machine.gpus;
    }
}

/* Nothing is given back, so the last quarter is the most of all. */
static void set_shell(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    const gp_growth_row *last = &result->growth[result->growth_count - 1];
    result->shell = (gp_growth_shell){.present = true,
                                      .racks = last->racks,
                                      .early_spine = early_spines(plan),
                                      .it_power_w = last->it_power_w,
                                      .facility_peak_w = last->facility_peak_w,
                                      .air_w = last->air_w,
                                      .liquid_w = last->liquid_w};
    add_switches(plan, last->kind_nodes, &result->shell);
}

gp_status gp_growth_settle(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    if (plan->growth == NULL || result->growth_count == 0)
        return GP_OK;
    int64_t *scratch = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count);
    if (scratch == NULL)
        return GP_ERR_NO_MEMORY;
    int64_t *start = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count);
    if (start == NULL)
        return GP_ERR_NO_MEMORY;
    gp_growth_start(plan, start);
    add_limits(plan, start);
    for (int q = 0; q < result->growth_count; q++)
        judge_row(plan, q, q > 0 ? result->growth[q - 1].kind_nodes : start, scratch);
    judge_high(plan, scratch);
    set_orders(plan);
    set_shell(plan);
    return GP_OK;
}
