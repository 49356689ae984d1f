/*
 * The rows of the horizon and its limits: what stands in each quarter with everything around it
 * against what the site, the budget, the fabrics and the storage carry; the month in which each is
 * passed, and when to order what lifts it.
 */
#include "plan/growth.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

_Static_assert((int)GP_RESOURCE_RECURRING == (int)GP_LIMIT_RECURRING, "limits come first");
enum { MONTHS_PER_QUARTER = 3, SPAN_MOST = 4096, ORDERS_MOST = 4 };

/* ------------------------------------------------------------ what a time takes */

static double limited(const gp_usage *usage, const gp_growth_limit *limit) {
    return gp_usage_limited(usage, (limit->site + 1) * GP_LIMIT_COUNT + (int)limit->resource);
}

/* Those that stand idle are on it, too. */
static int64_t on_fabric(const gp_growth_plan *growth, size_t u) {
    return gp_plan_fabric_nodes(&growth->later, &growth->at.ledger, u);
}

/* What is spent is unknown, 0, where a price is. */
static double used_of(const gp_growth_plan *growth, const gp_growth_limit *limit) {
    const gp_usage *all = &growth->at.usage;
    const gp_usage *usage = limit->site == GP_NO_SITE ? all : &all->sites[limit->site];
    switch (limit->resource) {
    case GP_RESOURCE_CAPITAL: return gp_growth_is_priced(growth) ? limited(all, limit) : 0;
    case GP_RESOURCE_RECURRING:
        return limited(all, limit) + (limit->site == GP_NO_SITE ? growth->rent_per_s : 0);
    case GP_RESOURCE_STORAGE_READ: return usage->room.storage.read_bytes_per_s;
    case GP_RESOURCE_STORAGE_CAPACITY: return usage->room.storage.capacity_bytes;
    case GP_RESOURCE_MACHINES: return (double)usage->site.stand_nodes;
    case GP_RESOURCE_FABRIC:
        return (double)on_fabric(growth, (size_t)(limit->unit - growth->later.units));
    case GP_RESOURCE_POWER:
    case GP_RESOURCE_AIR:
    case GP_RESOURCE_LIQUID:
    case GP_RESOURCE_RACKS:
    case GP_RESOURCE_COUNT: break;
    }
    return limited(all, limit);
}

static bool passes(const gp_growth_plan *growth, const gp_growth_limit *limit) {
    return gp_growth_exceeds(used_of(growth, limit), limit->limit);
}

/* Money of which some has no price is not known, unless what has one is too much by itself. */
static double told_of(const gp_growth_plan *growth, const gp_growth_limit *limit) {
    const bool money =
        limit->resource == GP_RESOURCE_CAPITAL || limit->resource == GP_RESOURCE_RECURRING;
    if (money && !gp_growth_is_whole(growth) && !passes(growth, limit))
        return (double)NAN;
    return used_of(growth, limit);
}

/* ------------------------------------------------------------ the limits */

static void add(gp_plan_context *plan, gp_growth_limit limit) {
    gp_plan_result *result = plan->result;
    if (isfinite(limit.limit) && limit.limit > 0)
        result->growth_limits[result->growth_limit_count++] = limit;
}

/* Machines that the fabric as built takes before its tiers, spines or cores change. */
static int64_t fabric_span(const gp_plan_context *plan, size_t u, int64_t from,
                           const gp_fabric_size *built) {
    int64_t nodes = from;
    while (nodes < SPAN_MOST) {
        gp_fabric_size size;
        gp_plan_fabric(plan, u, nodes + 1, &size);
        if (!size.feasible || size.tiers > built->tiers || size.spine > built->spine ||
            size.core > built->core)
            break;
        nodes++;
    }
    return nodes;
}

static void add_fabric_limit(gp_plan_context *plan, size_t u, int64_t nodes) {
    gp_fabric_size built;
    gp_plan_fabric_built(plan, u, nodes, &built);
    if (built.tiers > 1)
        add(plan, (gp_growth_limit){.resource = GP_RESOURCE_FABRIC,
                                    .unit = &plan->units[u],
                                    .site = plan->units[u].site,
                                    .limit = (double)fabric_span(plan, u, nodes, &built),
                                    .dim = GP_DIM_COUNT});
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

/* Machines beyond those of today are what a plan that buys is for: no limit of the site. */
static bool buys(const gp_plan_context *plan) {
    bool any = false;
    for (size_t u = 0; u < plan->unit_count && !plan->options->declared_only; u++)
        any = any || (plan->units[u].may_buy && plan->units[u].cloud == NULL);
    return any;
}

/* By the usage of the first quarter: what storage there is or is bought for it. */
static void add_limits(gp_plan_context *plan, const gp_growth_plan *growth) {
    for (int i = 0; i < plan->limit_count; i++)
        add(plan, (gp_growth_limit){.resource = (gp_resource)(i % GP_LIMIT_COUNT),
                                    .site = i / GP_LIMIT_COUNT - 1,
                                    .limit = plan->limits[i],
                                    .dim = gp_limit_row_of(i)->dim});
    add_storage_limits(plan, growth);
    if (plan->spec->cluster.pools.count > 0 && !buys(plan))
        add(plan, (gp_growth_limit){.resource = GP_RESOURCE_MACHINES,
                                    .site = GP_NO_SITE,
                                    .limit = (double)growth->at.usage.site.stand_nodes,
                                    .dim = GP_DIM_COUNT});
    for (size_t u = 0; u < plan->unit_count; u++)
        add_fabric_limit(plan, u, on_fabric(growth, u));
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

/* What demand comes to at some time, and where the date of that goes. */
typedef struct event {
    const gp_growth_limit *limit; /* it passes this one; else NULL */
    bool buys;                    /* it takes more machines than stand; */
    bool wires;                   /* more switches than these; */
    int64_t switches;
    double over_w; /* else more power than this beyond what the sites have */
    bool has_come;
    double lead_s; /* before the month in which it comes */
    int64_t *date;
} event;

static bool has_come(const gp_growth_plan *growth, const event *e) {
    const gp_usage *usage = &growth->at.usage;
    if (e->limit != NULL)
        return passes(growth, e->limit);
    if (e->wires)
        return usage->room.fabric_parts.switches > e->switches;
    return e->buys ? usage->site.bought_nodes > 0
                   : gp_growth_exceeds(power_beyond(growth), e->over_w);
}

/* Limits that what stands passes. */
static void judge_limits(gp_plan_context *plan, gp_growth_plan *growth, int q) {
    gp_plan_result *result = plan->result;
    gp_growth_row *row = &result->growth[q];
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        limit->over = passes(growth, limit);
        limit->at_horizon = told_of(growth, limit);
        if (q == 0)
            limit->today = limit->at_horizon;
        if (limit->over && row->limit_hit == GP_BOUND_NONE)
            row->limit_hit = gp_resource_bound(limit->resource);
    }
}

/* Limits that would be passed by buying, and are not since the rest is rented. */
static void judge_relief(gp_plan_context *plan, const gp_growth_plan *growth, int64_t quarter) {
    for (int i = 0; i < plan->result->growth_limit_count; i++) {
        gp_growth_limit *limit = &plan->result->growth_limits[i];
        if (limit->resource <= GP_RESOURCE_RECURRING && limit->rented_from == 0 &&
            passes(growth, limit))
            limit->rented_from = quarter;
    }
}

/* From order to delivery: as a price list states it of the item, else as growth has it. What comes
 * with the machines is there in time unless its own is longer. */
static double lead_of(const gp_bill_item *line, const gp_lead_time *stated) {
    const gp_price *quote = line->quote;
    if (quote != NULL && GP_GIVEN(quote, gp_price, lead_time_s))
        return quote->lead_time_s;
    if (gp_str_equal(line->kind, "switch"))
        return stated->fabric_s;
    return gp_str_equal(line->kind, "system") ? stated->gpus_s : 0;
}

/* The longest of the switches that are bought, or of all else. */
static double longest_lead(const gp_room_plan *room, const gp_lead_time *stated, bool switches) {
    double longest = 0;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        if (line->bought > 0 && gp_str_equal(line->kind, "switch") == switches)
            longest = gp_num_max(longest, lead_of(line, stated));
    }
    return longest;
}

static double longest_anywhere(const gp_growth_plan *growth, bool switches) {
    const gp_usage *usage = &growth->at.usage;
    const gp_lead_time *stated = &growth->later.spec->growth.lead_time;
    double longest = longest_lead(&usage->room, stated, switches);
    for (size_t s = 0; s < growth->later.site_count; s++)
        longest = gp_num_max(longest, longest_lead(&usage->sites[s].room, stated, switches));
    return longest;
}

/* What is to be ordered beyond what stands and what earlier quarters did. */
static size_t add_orders(const gp_plan_context *plan, const gp_growth_plan *growth, int q,
                         gp_growth_row *row, event *ret) {
    const double power_s = plan->spec->growth.lead_time.power_s;
    const double lead_s = longest_anywhere(growth, false);
    const double fabric_s = longest_anywhere(growth, true);
    int64_t switches = 0;
    double over_w = 0;
    size_t count = 0;
    for (int i = 0; i < q; i++) {
        switches = gp_num_max_i64(switches, plan->result->growth[i].switches);
        over_w = gp_num_max(over_w, plan->result->growth[i].over_w);
    }
    if (row->site.bought_nodes > 0)
        ret[count++] = (event){.buys = true, .date = &row->needed_by};
    if (row->site.bought_nodes > 0 && lead_s > 0)
        ret[count++] = (event){.buys = true, .lead_s = lead_s, .date = &row->order_by};
    if (row->switches > switches && fabric_s > 0)
        ret[count++] = (event){
            .wires = true, .switches = switches, .lead_s = fabric_s, .date = &row->order_fabric_by};
    if (row->over_w > over_w && power_s > 0 && row->rent_unit == NULL)
        ret[count++] = (event){.over_w = over_w, .lead_s = power_s, .date = &row->order_power_by};
    return count;
}

/* What is new in a quarter: limits that are passed, and orders. */
static size_t add_events(const gp_plan_context *plan, const gp_growth_plan *growth, int q,
                         event *ret) {
    gp_plan_result *result = plan->result;
    size_t count = 0;
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        if (limit->over && limit->passed == 0)
            ret[count++] = (event){.limit = limit, .date = &limit->passed};
    }
    return count + add_orders(plan, growth, q, &result->growth[q], ret + count);
}

/* Each by the month between the quarter before and this one in which it comes first. */
static void date_events(const gp_plan_context *plan, gp_growth_plan *growth, int q, event *events,
                        size_t count) {
    const gp_growth_row *row = &plan->result->growth[q];
    const double month = gp_growth_seconds(1) / MONTHS_PER_QUARTER;
    for (size_t i = 0; i < count; i++)
        *events[i].date = row->quarter;
    for (int m = 1; m < MONTHS_PER_QUARTER && q > 0 && count > 0; m++) {
        (void)gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(q - 1) + m * month,
                           row[-1].quarter);
        for (size_t i = 0; i < count; i++) {
            if (events[i].has_come || !has_come(growth, &events[i]))
                continue;
            events[i].has_come = true;
            *events[i].date = gp_growth_date(row[-1].quarter, m * month);
        }
    }
    for (size_t i = 0; i < count; i++)
        *events[i].date = gp_growth_before(*events[i].date, events[i].lead_s);
}

/* Machines that stand or are rented as each workload's own. */
static int64_t machines_of(const gp_growth_plan *growth) {
    return growth->at.usage.site.stand_nodes + growth->at.usage.site.rented_nodes;
}

static void fill_row(gp_growth_plan *growth, gp_growth_row *row) {
    row->site = growth->at.usage.site;
    row->nodes = machines_of(growth) + row->rent_nodes;
    row->switches = growth->at.usage.room.fabric_parts.switches;
    row->over_w = power_beyond(growth);
    row->capital = gp_growth_is_priced(growth) ? row->site.cost.capital : 0;
    for (size_t u = 0; u < growth->later.unit_count; u++) {
        const gp_kind_hold *kind = &growth->at.ledger.kinds[u];
        row->bought[u] = kind->bought;
        row->held[u] = kind->nodes - kind->beyond +
                       (row->rent_unit == &growth->later.units[u] ? row->rent_nodes : 0);
    }
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

/* The site as it stood the quarter before: what exceeds it is rented. */
static void rent_rest(gp_growth_plan *growth, gp_growth_row *row) {
    const int64_t gpus = growth->at.usage.site.gpus;
    gp_growth_buy_nothing(growth);
    growth->rent_per_s = row->rent_per_s;
    fill_row(growth, row);
    row->site.gpus = gpus;
}

/* What stands in the quarter, and what is rented beside it. */
static void stand_in(gp_growth_plan *growth, int q, gp_growth_row *row) {
    const gp_bound lacking =
        gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(q), row->quarter);
    row->limit_hit = row->limit_hit == GP_BOUND_NONE ? lacking : row->limit_hit;
    if (row->rent_unit != NULL)
        rent_rest(growth, row);
    else
        fill_row(growth, row);
}

/* `events`: room for one of each limit, and for the orders. */
static void judge_row(gp_plan_context *plan, gp_growth_plan *growth, int q, event *events) {
    gp_plan_result *result = plan->result;
    gp_growth_row *row = &result->growth[q];
    const gp_growth_row *held = gp_growth_held(plan, row->quarter);
    row->nodes_low = held != NULL ? held->nodes_low : -1;
    row->nodes_high = held != NULL ? held->nodes_high : -1;
    stand_in(growth, q, row);
    if (q == 0)
        add_limits(plan, growth);
    if (gp_growth_rents(growth, held, row)) {
        judge_relief(plan, growth, row->quarter);
        stand_in(growth, q, row);
    }
    if (held == NULL) {
        judge_limits(plan, growth, q);
        date_events(plan, growth, q, events, add_events(plan, growth, q, events));
        stand_in(growth, q, row);
    }
    gp_growth_stay(growth);
    for (size_t i = 0; i < growth->later.case_count; i++)
        if (growth->at.chosen[i] != NULL)
            row->chosen[i] = keep(plan->arena, growth->at.chosen[i]);
}

/* The last quarter has months of growth, too. Fabrics are built for what each quarter begins with,
 * and may be added to. */
static void judge_end(gp_plan_context *plan, gp_growth_plan *growth) {
    gp_plan_result *result = plan->result;
    const int last = result->growth_count - 1;
    const int64_t quarter = result->growth[last].quarter;
    const double month = gp_growth_seconds(1) / MONTHS_PER_QUARTER;
    for (int m = 1; m < MONTHS_PER_QUARTER && gp_growth_held(plan, quarter) == NULL; m++) {
        (void)gp_growth_at(growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(last) + m * month,
                           quarter);
        gp_growth_row rented;
        for (int i = 0; i < result->growth_limit_count && !gp_growth_rents(growth, NULL, &rented);
             i++) {
            gp_growth_limit *limit = &result->growth_limits[i];
            if (limit->passed != 0 || limit->rented_from != 0 ||
                limit->resource == GP_RESOURCE_FABRIC || !passes(growth, limit))
                continue;
            limit->over = true;
            limit->passed = gp_growth_date(quarter, m * month);
            limit->at_horizon = told_of(growth, limit);
        }
    }
}

static void judge_high(gp_plan_result *result, const gp_growth_plan *growth, int64_t quarter) {
    for (int i = 0; i < result->growth_limit_count; i++) {
        gp_growth_limit *limit = &result->growth_limits[i];
        if (limit->passed_high == 0 && passes(growth, limit))
            limit->passed_high = quarter;
    }
}

/* The same workloads under another scenario: its machines, and of the high one which limits it
 * passes. Less work may be packed worse; what is expected lies between the two. */
static void follow(gp_plan_context *plan, gp_growth_plan *growth, gp_scenario s) {
    gp_plan_result *result = plan->result;
    gp_growth_start(plan, growth);
    for (int q = 0; q < result->growth_count && gp_growth_is_stated(plan, s); q++) {
        gp_growth_row *row = &result->growth[q];
        (void)gp_growth_at(growth, s, gp_growth_seconds(q), row->quarter);
        if (s == GP_SCENARIO_LOW)
            row->nodes_low = gp_num_min_i64(row->nodes, machines_of(growth));
        else
            row->nodes_high = gp_num_max_i64(row->nodes, machines_of(growth));
        if (s == GP_SCENARIO_HIGH)
            judge_high(result, growth, row->quarter);
        gp_growth_stay(growth);
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
        gp_plan_fabric(plan, u, on_fabric(growth, u), &alone);
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
    const gp_candidate **chosen =
        GP_NEW_ARRAY(plan->arena, const gp_candidate *, (cases + 1) * (size_t)growth->quarters);
    const size_t kinds = (plan->unit_count + 1) * (size_t)growth->quarters;
    int64_t *held = GP_NEW_ARRAY(plan->arena, int64_t, kinds);
    int64_t *bought = GP_NEW_ARRAY(plan->arena, int64_t, kinds);
    int64_t early = 0;
    const size_t limits =
        (size_t)plan->limit_count + 2 * (plan->site_count + 1) + plan->unit_count + 1;
    event *events = GP_NEW_ARRAY(plan->arena, event, limits + ORDERS_MOST);
    result->growth_limits = GP_NEW_ARRAY(plan->arena, gp_growth_limit, limits);
    gp_growth_start(plan, growth);
    result->growth = GP_NEW_ARRAY(plan->arena, gp_growth_row, (size_t)growth->quarters);
    result->growth_count = growth->quarters;
    for (int q = 0; q < growth->quarters; q++) {
        result->growth[q] = (gp_growth_row){.quarter = gp_growth_quarter(plan, q),
                                            .chosen = chosen + (size_t)q * cases,
                                            .held = held + (size_t)q * plan->unit_count,
                                            .bought = bought + (size_t)q * plan->unit_count};
        judge_row(plan, growth, q, events);
        early = q == 0 ? early_spines(plan, growth) : early;
    }
    result->shell =
        (gp_growth_shell){.early_spine = early, .keeps_kinds = cases > GP_PLAN_AGAIN_MAX};
    set_shell(growth, &result->shell);
    judge_end(plan, growth);
    if (plan->options->hold == NULL) {
        follow(plan, growth, GP_SCENARIO_LOW);
        follow(plan, growth, GP_SCENARIO_HIGH);
    }
}
