/*
 * The rows of the horizon and its limits: what stands in each quarter with everything around it
 * against what the site, the budget, the fabrics and the storage carry; the month in which each is
 * passed, and when to order what lifts it. What no limit leaves room for is rented where a cloud
 * among the candidates has the GPUs.
 */
#include "plan/growth.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

_Static_assert((int)GP_RESOURCE_RECURRING == (int)GP_LIMIT_RECURRING, "limits come first");
enum { MONTHS_PER_QUARTER = 3, SPAN_MOST = 4096, HOST_GPUS = 8 };

/* ------------------------------------------------------------ what a time takes */

/* Spent by then: on what is bought at this time and on what stood before it; unknown, 0, where a
 * price is. */
static double capital_of(const gp_growth_plan *growth, double before) {
    const gp_site_plan *site = &growth->at.usage.site;
    return site->priced ? before + site->cost.capital : 0;
}

static double used_of(const gp_growth_plan *growth, const gp_growth_limit *limit, double spent) {
    const gp_usage *all = &growth->at.usage;
    const gp_usage *usage = limit->site == GP_NO_SITE ? all : &all->sites[limit->site];
    switch (limit->resource) {
    case GP_RESOURCE_CAPITAL: return capital_of(growth, spent);
    case GP_RESOURCE_STORAGE_READ: return usage->room.storage.read_bytes_per_s;
    case GP_RESOURCE_STORAGE_CAPACITY: return usage->room.storage.capacity_bytes;
    case GP_RESOURCE_MACHINES: return (double)usage->site.stand_nodes;
    case GP_RESOURCE_FABRIC:
        return (double)growth->at.ledger.kinds[limit->unit - growth->later.units].fabric_nodes;
    case GP_RESOURCE_POWER:
    case GP_RESOURCE_AIR:
    case GP_RESOURCE_LIQUID:
    case GP_RESOURCE_RACKS:
    case GP_RESOURCE_RECURRING:
    case GP_RESOURCE_COUNT: break;
    }
    return gp_usage_limited(all, (limit->site + 1) * GP_LIMIT_COUNT + (int)limit->resource);
}

static bool exceeds(double used, double limit) {
    return used > limit && !gp_num_near(used, limit);
}

static bool passes(const gp_growth_plan *growth, const gp_growth_limit *limit, double spent) {
    return exceeds(used_of(growth, limit, spent), limit->limit);
}

/* ------------------------------------------------------------ the limits */

static void add(gp_plan_context *plan, gp_growth_limit limit) {
    gp_plan_result *result = plan->result;
    if (isfinite(limit.limit) && limit.limit > 0)
        result->growth_limits[result->growth_limit_count++] = limit;
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

static void add_storage_limit(gp_plan_context *plan, const gp_room_plan *room, int site) {
    const gp_storage_product *product = room->storage_product;
    const double count = (double)room->storage_products;
    add(plan, (gp_growth_limit){.resource = GP_RESOURCE_STORAGE_READ,
                                .site = site,
                                .limit = product != NULL ? product->read_bytes_per_s * count
                                                         : room->storage_read_bytes_per_s,
                                .dim = GP_DIM_BYTES_PER_S});
    add(plan, (gp_growth_limit){.resource = GP_RESOURCE_STORAGE_CAPACITY,
                                .site = site,
                                .limit = product != NULL ? product->usable_bytes * count
                                                         : room->storage_capacity_bytes,
                                .dim = GP_DIM_BYTES});
}

static void add_storage_limits(gp_plan_context *plan, const gp_growth_plan *growth) {
    if (plan->site_count == 0)
        add_storage_limit(plan, &growth->at.usage.room, GP_NO_SITE);
    for (size_t s = 0; s < plan->site_count; s++)
        add_storage_limit(plan, &growth->at.usage.sites[s].room, (int)s);
}

/* By the usage of the first quarter: what storage there is or is bought for it. */
static void add_limits(gp_plan_context *plan, const gp_growth_plan *growth) {
    for (int i = 0; i < plan->limit_count; i++)
        add(plan, (gp_growth_limit){.resource = (gp_resource)(i % GP_LIMIT_COUNT),
                                    .site = i / GP_LIMIT_COUNT - 1,
                                    .limit = plan->limits[i],
                                    .dim = gp_limit_row_of(i)->dim});
    add_storage_limits(plan, growth);
    if (plan->spec->cluster.pools.count > 0)
        add(plan, (gp_growth_limit){.resource = GP_RESOURCE_MACHINES,
                                    .site = GP_NO_SITE,
                                    .limit = (double)growth->at.usage.site.stand_nodes,
                                    .dim = GP_DIM_COUNT});
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->shells[u].tiers > 1)
            add(plan, (gp_growth_limit){.resource = GP_RESOURCE_FABRIC,
                                        .unit = &plan->units[u],
                                        .site = plan->units[u].site,
                                        .limit = (double)fabric_span(
                                            plan, u, growth->at.ledger.kinds[u].fabric_nodes),
                                        .dim = GP_DIM_COUNT});
}

/* Machines beyond those of today are what the plan buys: no limit of the site. */
static bool told_by_purchases(const gp_plan_context *plan, const gp_growth_limit *limit) {
    bool buys = false;
    for (size_t u = 0; u < plan->unit_count && !plan->options->declared_only; u++)
        buys = buys || (plan->units[u].may_buy && plan->units[u].cloud == NULL);
    return buys && limit->resource == GP_RESOURCE_MACHINES;
}

/* ------------------------------------------------------------ what is rented */

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

/* The machines of the quarter before stay, and what exceeds them is rented, within the budget of a
 * year. False where no cloud has the GPUs. */
static bool rent_rest(const gp_growth_plan *growth, gp_growth_row *row) {
    const gp_plan_context *plan = &growth->later;
    const gp_unit *cloud = NULL;
    int64_t gpus = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t more = growth->at.ledger.kinds[u].bought;
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
    row->rent_unit = cloud;
    row->rent_nodes = (gpus + cloud->machine.gpus - 1) / cloud->machine.gpus;
    row->rent_per_s = cloud->rent_per_s * (double)row->rent_nodes;
    return true;
}

static bool passes_any(const gp_growth_plan *growth, const gp_plan_result *result, double spent) {
    bool passed = false;
    for (int i = 0; i < result->growth_limit_count; i++) {
        const gp_growth_limit *limit = &result->growth_limits[i];
        passed =
            passed || (limit->resource <= GP_RESOURCE_RECURRING && passes(growth, limit, spent));
    }
    return passed;
}

/* ------------------------------------------------------------ the rows */

/* Beyond what is stated of the sites. */
static double power_beyond(const gp_growth_plan *growth) {
    const gp_plan_context *plan = &growth->later;
    double over = 0;
    for (int i = GP_LIMIT_POWER; i < plan->limit_count; i += GP_LIMIT_COUNT)
        over += gp_num_max(0, gp_usage_limited(&growth->at.usage, i) - plan->limits[i]);
    return over;
}

/* What demand comes to at some time: it passes a limit, with what was spent before, or takes more
 * power beyond what the sites have. */
typedef struct event {
    const gp_growth_limit *limit; /* NULL: power */
    double spent, over_w;
} event;

static bool has_come(const gp_growth_plan *growth, const event *e) {
    return e->limit != NULL ? passes(growth, e->limit, e->spent)
                            : exceeds(power_beyond(growth), e->over_w);
}

/* The month between the quarter before and this one in which it comes first. */
static int64_t month_of(const gp_plan_context *plan, gp_growth_plan *growth, int q,
                        const event *e) {
    if (q == 0)
        return plan->result->growth[q].quarter;
    const gp_growth_row *last = &plan->result->growth[q - 1];
    const double month = gp_growth_seconds(1) / MONTHS_PER_QUARTER;
    for (int m = 1; m < MONTHS_PER_QUARTER; m++) {
        (void)gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(q - 1) + m * month,
                           last->quarter);
        if (has_come(growth, e))
            return gp_growth_date(last->quarter, m * month);
    }
    return plan->result->growth[q].quarter;
}

static void judge_limits(gp_plan_context *plan, gp_growth_plan *growth, int q, double spent,
                         bool rented) {
    gp_plan_result *result = plan->result;
    gp_growth_row *row = &result->growth[q];
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        limit->over = passes(growth, limit, spent);
        limit->at_horizon = used_of(growth, limit, spent);
        if (q == 0)
            limit->today = limit->at_horizon;
        if (limit->over && !rented && !told_by_purchases(plan, limit) &&
            row->limit_hit == GP_BOUND_NONE)
            row->limit_hit = gp_resource_bound(limit->resource);
    }
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        const event e = {.limit = limit, .spent = spent};
        if (limit->over && limit->passed == 0)
            limit->passed = month_of(plan, growth, q, &e);
    }
}

/* Power beyond what the sites have, and beyond what earlier quarters ordered, is there in the month
 * in which it is first drawn. */
static void order_power(gp_plan_context *plan, gp_growth_plan *growth, int q) {
    gp_growth_row *row = &plan->result->growth[q];
    const double lead_s = plan->spec->growth.lead_time.power_s;
    event e = {.over_w = 0};
    for (int i = 0; i < q; i++)
        e.over_w = gp_num_max(e.over_w, plan->result->growth[i].over_w);
    if (row->over_w > e.over_w && lead_s > 0)
        row->order_power_by = gp_growth_before(month_of(plan, growth, q, &e), lead_s);
}

static void fill_row(gp_growth_plan *growth, double spent, gp_growth_row *row) {
    row->site = growth->at.usage.site;
    row->switches = growth->at.usage.room.fabric_parts.switches;
    row->over_w = power_beyond(growth);
    row->capital = capital_of(growth, spent);
}

/* A copy that lasts beyond this quarter. */
static const gp_candidate *keep(gp_arena *arena, const gp_candidate *now) {
    const size_t count = (size_t)now->share_count;
    gp_candidate *kept = GP_NEW_ARRAY(arena, gp_candidate, count + 1);
    *kept = *now;
    kept->shares = kept + 1;
    if (count > 0)
        memcpy(kept + 1, now->shares, count * sizeof *kept);
    return kept;
}

/* Machines of the quarter by another scenario; -1: not stated. */
static int64_t nodes_by(gp_growth_plan *growth, gp_scenario s, int q, const gp_growth_row *row) {
    const gp_growth_row *held = gp_growth_held(&growth->later, row->quarter);
    if (held != NULL)
        return s == GP_SCENARIO_LOW ? held->nodes_low : held->nodes_high;
    if (!gp_growth_is_stated(&growth->later, s))
        return -1;
    (void)gp_growth_at(growth, s, gp_growth_seconds(q), row->quarter);
    return growth->at.usage.site.nodes;
}

/* With what would be rented: the budget of a year holds for that, too. */
static bool rent_passes_budget(const gp_plan_context *plan, const gp_growth_plan *growth,
                               const gp_growth_row *row) {
    const double total = growth->at.usage.site.cost.total_per_s + row->rent_per_s;
    return isfinite(plan->limits[GP_LIMIT_RECURRING]) && total > plan->limits[GP_LIMIT_RECURRING];
}

/* The site as it stood the quarter before: what exceeds it is rented. */
static void buy_nothing(gp_growth_plan *growth, double spent, gp_growth_row *row) {
    const gp_site_plan wanted = row->site;
    for (size_t u = 0; u < growth->later.unit_count; u++) {
        gp_kind_hold *kind = &growth->at.ledger.kinds[u];
        if (growth->later.units[u].cloud != NULL)
            continue;
        kind->nodes = kind->owned;
        kind->stand -= kind->bought;
        kind->bought = 0;
        kind->fabric_nodes = gp_num_min_i64(kind->fabric_nodes, kind->nodes);
    }
    gp_usage_of(&growth->later, &growth->at.ledger, false, &growth->at.usage);
    fill_row(growth, spent, row);
    row->site.gpus = wanted.gpus;
    row->site.nodes = wanted.nodes;
}

static void judge_row(gp_plan_context *plan, gp_growth_plan *growth, int q, double *spent) {
    gp_plan_result *result = plan->result;
    gp_growth_row *row = &result->growth[q];
    const gp_growth_row *held = gp_growth_held(plan, row->quarter);
    row->nodes_low = nodes_by(growth, GP_SCENARIO_LOW, q, row);
    row->nodes_high = nodes_by(growth, GP_SCENARIO_HIGH, q, row);
    row->limit_hit = gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(q), row->quarter);
    if (q == 0)
        add_limits(plan, growth);
    fill_row(growth, *spent, row);
    const bool beyond = held != NULL ? held->rent_unit != NULL : passes_any(growth, result, *spent);
    const bool rented = beyond && rent_rest(growth, row);
    const bool over = rented && rent_passes_budget(plan, growth, row);
    if (held == NULL)
        judge_limits(plan, growth, q, *spent, rented && !over);
    if (held == NULL && !rented)
        order_power(plan, growth, q);
    if (over)
        row->limit_hit = GP_BOUND_BUDGET;
    (void)gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(q), row->quarter);
    if (rented)
        buy_nothing(growth, *spent, row);
    gp_growth_stay(growth);
    *spent = row->capital;
    for (size_t i = 0; i < growth->later.case_count; i++)
        if (growth->at.chosen[i] != NULL)
            row->chosen[i] = keep(plan->arena, growth->at.chosen[i]);
}

/* The same machines under the high scenario: which limits it passes, by quarter. */
static void judge_high(gp_plan_context *plan, gp_growth_plan *growth) {
    gp_plan_result *result = plan->result;
    double spent = 0;
    gp_growth_start(plan, growth);
    for (int q = 0; q < result->growth_count && result->growth[q].nodes_high >= 0; q++) {
        (void)gp_growth_at(growth, GP_SCENARIO_HIGH, gp_growth_seconds(q),
                           result->growth[q].quarter);
        for (int i = 0; i < result->growth_limit_count; i++) {
            gp_growth_limit *limit = &result->growth_limits[i];
            if (limit->passed_high == 0 && passes(growth, limit, spent))
                limit->passed_high = result->growth[q].quarter;
        }
        spent = capital_of(growth, spent);
        gp_growth_stay(growth);
    }
}

static void set_orders(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    const gp_lead_time *lead = &plan->spec->growth.lead_time;
    int64_t switches = plan->spec->cluster.pools.count > 0 ? result->growth[0].switches : 0;
    for (int i = 0; i < result->growth_count; i++) {
        gp_growth_row *row = &result->growth[i];
        if (row->site.bought_nodes > 0)
            row->order_by = gp_growth_before(row->quarter, lead->gpus_s);
        if (row->switches > switches && lead->fabric_s > 0)
            row->order_fabric_by = gp_growth_before(row->quarter, lead->fabric_s);
        switches = gp_num_max_i64(switches, row->switches);
    }
}

/* Nothing is given back, so the last quarter is the most of all; spines and cores that today's
 * machines would not take by themselves are built early. */
static void set_shell(const gp_growth_plan *growth, gp_growth_shell *shell) {
    const gp_room_plan *room = &growth->at.usage.room;
    for (size_t k = 0; k < room->kinds.count; k++) {
        const gp_kind_room *kind = &room->kinds.items[k];
        shell->leaf += kind->fabric.leaf;
        shell->spine += kind->fabric.spine;
        shell->core += kind->fabric.core;
        shell->gpus += kind->nodes * kind->unit->machine.gpus;
    }
}

static int64_t early_spines(const gp_plan_context *plan, const gp_growth_plan *growth) {
    int64_t early = 0;
    for (size_t k = 0; k < growth->at.usage.room.kinds.count; k++) {
        const gp_kind_room *kind = &growth->at.usage.room.kinds.items[k];
        const size_t u = (size_t)(kind->unit - plan->units);
        gp_fabric_size alone;
        gp_plan_fabric(plan, u, growth->at.ledger.kinds[u].fabric_nodes, &alone);
        early +=
            gp_num_max_i64(0, kind->fabric.spine + kind->fabric.core - alone.spine - alone.core);
    }
    return early;
}

void gp_growth_of(gp_plan_context *plan) {
    gp_growth_plan *growth = plan->growth;
    gp_plan_result *result = plan->result;
    if (growth == NULL)
        return;
    const size_t cases = growth->later.case_count;
    double spent = 0;
    const gp_candidate **chosen =
        GP_NEW_ARRAY(plan->arena, const gp_candidate *, (cases + 1) * (size_t)growth->quarters);
    int64_t early = 0;
    result->growth_limits =
        GP_NEW_ARRAY(plan->arena, gp_growth_limit,
                     (size_t)plan->limit_count + 2 * (plan->site_count + 1) + plan->unit_count + 1);
    gp_growth_start(plan, growth);
    result->growth = GP_NEW_ARRAY(plan->arena, gp_growth_row, (size_t)growth->quarters);
    result->growth_count = growth->quarters;
    for (int q = 0; q < growth->quarters; q++) {
        result->growth[q] = (gp_growth_row){.quarter = gp_growth_quarter(plan, q),
                                            .chosen = chosen + (size_t)q * cases};
        judge_row(plan, growth, q, &spent);
        early = q == 0 ? early_spines(plan, growth) : early;
    }
    result->shell = (gp_growth_shell){.early_spine = early};
    set_shell(growth, &result->shell);
    if (plan->options->hold == NULL)
        judge_high(plan, growth);
    set_orders(plan);
}
