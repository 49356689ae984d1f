/*
 * What is bought against the cheapest on-demand instance with the same GPUs: of the candidates,
 * else of the plan's own price lists, else by the catalogue's dated prices. From which use owning
 * is cheaper, and after how long. Only where the purchase and what it costs to run are priced and
 * nothing of the site was there before: what is sunk has no price to compare.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* The kind of machine that most of the bought GPUs are in. */
static const gp_unit *largest_bought(const gp_plan_context *plan, const gp_ledger *ledger,
                                     int64_t *ret_gpus) {
    const gp_unit *largest = NULL;
    int64_t most = 0;
    *ret_gpus = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t gpus = ledger->kinds[u].stand * unit->machine.gpus;
        if (unit->cloud != NULL || gpus == 0)
            continue;
        *ret_gpus += gpus;
        if (gpus > most) {
            most = gpus;
            largest = unit;
        }
    }
    return largest;
}

/* What the plan itself may rent is what owning is compared with, and what somebody has a price for
 * comes before what the catalogue knows. */
static int nearness(const gp_plan_context *plan, const gp_cloud *row, const gp_price *quote) {
    enum { KNOWN, QUOTED, CANDIDATE };
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].cloud == row)
            return CANDIDATE;
    return quote != NULL ? QUOTED : KNOWN;
}

/* Whole machines of as many GPUs or more are like for like; one GPU of a shared host is not. The
 * catalogue has dollars. */
static void find_cheapest(const gp_plan_context *plan, const void *const *rows, size_t count,
                          const gp_gpu *gpu, int64_t gpus) {
    static const char on_demand[] = "on-demand";
    gp_room_plan *room = &plan->result->room;
    const bool in_dollars = gp_str_equal(plan->result->currency, "USD");
    int nearest = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_cloud *row = rows[i];
        const bool same = gp_str_equal(row->gpu, gpu->id) || gp_str_equal(row->gpu, gpu->extends);
        if (!same || !gp_str_equal(row->term, on_demand) || row->gpus < gp_num_min_i64(gpus, 8))
            continue;
        const gp_contract quoted = gp_plan_contract(plan, row, false);
        const double known = in_dollars ? row->on_demand_usd_per_s : 0;
        const double rent = (quoted.quote != NULL ? quoted.per_s : known) / (double)row->gpus;
        const int near = nearness(plan, row, quoted.quote);
        const bool cheaper =
            room->compared == NULL || gp_num_compare9(rent, room->compared_per_gpu_s) < 0;
        if (!(rent > 0) || near < nearest || (near == nearest && !cheaper))
            continue;
        nearest = near;
        room->compared = row;
        room->compared_quote = quoted.quote;
        room->compared_per_gpu_s = rent;
    }
}

gp_status gp_owning_of(gp_plan_context *plan, const gp_ledger *ledger) {
    const gp_site_plan *site = &plan->result->site;
    const gp_costs *costs = &plan->spec->costs;
    gp_room_plan *room = &plan->result->room;
    const void *const *rows = NULL;
    size_t count = 0;
    int64_t gpus = 0;
    const gp_unit *unit = largest_bought(plan, ledger, &gpus);
    if (unit == NULL)
        return GP_OK;
    const gp_site *fed_by = &gp_plan_spec_at(plan, (size_t)(unit - plan->units))->site;
    const bool fed = fed_by->energy.price_per_j > 0 || costs->colocation_per_w_s > 0;
    if (!site->priced || !fed || site->owned_nodes > 0 || site->cost.capital <= 0)
        return GP_OK;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_CLOUDS, &rows, &count);
    if (st != GP_OK)
        return st;
    /* Rack-scale systems are rented by the tray. */
    const int64_t trays = gp_num_max_i64(1, plan->fabrics[unit - plan->units].hosts);
    find_cheapest(plan, rows, count, unit->machine.gpu, unit->machine.gpus / trays);
    if (room->compared == NULL)
        return GP_OK;
    const gp_ownership_input input = {
        .capital = site->cost.capital,
        .residual_fraction = costs->residual_fraction,
        .life_s = costs->amortization_s,
        .discount_per_s = costs->discount_per_s,
        .running_per_s = site->cost.total_per_s - site->cost.capital_per_s - site->cost.rent_per_s,
        .gpus = gpus,
        .utilization = 1,
        .rent_per_gpu_s = room->compared_per_gpu_s,
    };
    gp_ownership_of(&input, &room->owning);
    return GP_OK;
}

/* Demand by the hour of a week: what services take, and everything else as it is held. Only where
 * some service follows its traffic is there anything to place elsewhere for an hour. */
void gp_burst_plan(gp_plan_context *plan, const gp_ledger *ledger) {
    gp_room_plan *room = &plan->result->room;
    double demand[GP_WEEK_HOURS];
    int64_t idle[GP_WEEK_HOURS] = {0};
    int64_t gpus = 0;
    const gp_unit *unit = largest_bought(plan, ledger, &gpus);
    if (room->compared == NULL || unit == NULL || !plan->result->schedule.has_day)
        return;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (chosen->feasible && chosen->unit == unit)
            gp_ledger_add_idle(&plan->cases[i], chosen, idle);
    }
    for (int h = 0; h < GP_WEEK_HOURS; h++) {
        demand[h] = (double)(gpus - idle[h] * unit->machine.gpus);
        room->burst_peak_gpus =
            gp_num_max_i64(room->burst_peak_gpus, gp_num_floor_count(demand[h]));
    }
    const double own = room->owning.total_per_s / (double)gpus;
    const double rent = room->compared_per_gpu_s;
    room->has_burst = true;
    gp_burst_of(demand, GP_WEEK_HOURS, own, rent, plan->arena, &room->burst);
}
