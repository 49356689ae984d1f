/*
 * Cost of the whole plan. What has no price takes nothing but its own line out of a sum; it is
 * named, and a sum without it says so and stands for no whole.
 */
#include "report/build.h"

#include "base/str.h"

static const double s_per_hour = 3600; /* definition */

/* "part/rack", "switch/sn2201": as price lists name it, where it is a product. */
static const char *part_of(gp_build *build, const gp_bill_item *line) {
    const char *id = line->part != NULL ? line->part : line->id;
    return id != NULL ? gp_build_text(build, "%s/%s", line->kind, id) : line->role;
}

void gp_build_unpriced_parts(gp_build *build, bool compute, const char **names, size_t *count) {
    const gp_room_plan *room = &build->result->room;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        if (gp_part_unpriced(line) && !gp_str_equal(line->role, "machine") &&
            gp_switch_unpriced(line) == compute)
            gp_build_name_once(names, count, part_of(build, line));
    }
}

bool gp_build_limit_known(const gp_build *build, const gp_limit_use *use) {
    const bool over = use->limit > 0 && use->used > use->limit;
    if (use->bound != GP_BOUND_BUDGET || over)
        return true;
    const gp_site_plan *site = &build->result->site;
    return site->priced && !site->left_out &&
           (use->dim == GP_DIM_MONEY || build->report->cost.complete);
}

/* "system/dgx-h200", "cloud:ID": as price lists name it. */
static const char *item_of(gp_build *build, const gp_unit *unit) {
    return unit->cloud != NULL ? unit->id
                               : gp_build_text(build, "system/%s", gp_build_system_id(unit));
}

/* Those that nothing pays for, of any kind of machine. */
static bool leaves_spares(const gp_room_plan *room) {
    for (size_t i = 0; i < room->bill.count; i++)
        if (gp_str_equal(room->bill.items[i].role, "spare machine") &&
            room->bill.items[i].bought <= 0)
            return true;
    return false;
}

/* What is to be bought or run without a price in the total. */
static void list_excluded(gp_build *build, gp_report_cost *ret) {
    const gp_plan_result *result = build->result;
    const gp_costs *costs = &result->document->spec.costs;
    const struct {
        const char *name;
        bool given;
    } running[] = {
        {"support", costs->support_per_s > 0},
        {"staff", costs->staff_per_s > 0},
        {"licences", costs->licenses_per_gpu_s > 0},
        {"building and power plant", costs->colocation_per_w_s > 0},
    };
    enum { RUNNING = GP_COUNT_OF(running), BESIDE = 3 };
    const char **names =
        GP_NEW_ARRAY(build->arena, const char *, result->room.bill.count + RUNNING + BESIDE);
    ret->excluded.items = names;
    gp_build_unpriced_parts(build, false, names, &ret->excluded.count);
    if (leaves_spares(&result->room))
        names[ret->excluded.count++] = "spare machines";
    for (size_t i = 0; i < RUNNING; i++)
        if (!running[i].given)
            names[ret->excluded.count++] = running[i].name;
    names[ret->excluded.count++] = "taxes and transport";
    if (GP_NAMED(result->room.bill, role, "installation") == NULL)
        names[ret->excluded.count++] = "installation";
}

static void fill_burst(gp_build *build, gp_report_cost *ret) {
    const gp_room_plan *room = &build->result->room;
    if (!room->has_burst)
        return;
    gp_report_burst *burst = GP_NEW(build->arena, gp_report_burst);
    *burst = (gp_report_burst){
        .owned_gpus = (int64_t)room->burst.owned,
        .peak_gpus = room->burst_peak_gpus,
        .burst_fraction = room->burst.burst_fraction,
        .cost_per_year = gp_build_per_year(room->burst.cost_per_s),
        .all_owned_per_year = gp_build_per_year(room->burst.all_owned_per_s),
        .all_rented_per_year = gp_build_per_year(room->burst.all_rented_per_s),
    };
    ret->burst = burst;
}

static void list_missing(gp_build *build, gp_report_cost *ret) {
    const gp_plan_result *result = build->result;
    const char **names = GP_NEW_ARRAY(build->arena, const char *,
                                      result->workloads.count + result->room.bill.count + 2);
    ret->missing.items = names;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        if (gp_machines_unpriced(chosen))
            gp_build_name_once(names, &ret->missing.count, item_of(build, chosen->unit));
    }
    gp_build_unpriced_parts(build, true, names, &ret->missing.count);
    if (!result->site.priced && ret->missing.count == 0)
        gp_build_name_once(names, &ret->missing.count, "system");
    if (result->site.figures.facility_mean_w > 0 && !gp_energy_priced(result))
        gp_build_name_once(names, &ret->missing.count, "site.energy.price");
}

/* What is known by itself stays, whatever else has no price; what nobody stated is not 0. */
static void fill_figures(const gp_plan_result *result, gp_report_cost *ret) {
    const gp_cost *cost = &result->site.cost;
    const gp_costs *stated = &result->document->spec.costs;
    if (result->site.priced || cost->capital > 0) {
        ret->capital = cost->capital;
        ret->capital_per_year = gp_build_per_year(cost->capital_per_s);
        if (GP_GIVEN(stated, gp_costs, support_per_s))
            ret->support_per_year = gp_build_per_year(cost->support_per_s);
    }
    if (gp_energy_priced(result))
        ret->energy_per_year = gp_build_per_year(cost->energy_per_s);
    if (GP_GIVEN(stated, gp_costs, colocation_per_w_s))
        ret->colocation_per_year = gp_build_per_year(cost->colocation_per_s);
    if (GP_GIVEN(stated, gp_costs, staff_per_s))
        ret->staff_per_year = gp_build_per_year(cost->staff_per_s);
    if (GP_GIVEN(stated, gp_costs, licenses_per_gpu_s))
        ret->licenses_per_year = gp_build_per_year(cost->licenses_per_s);
    if (cost->links_per_s > 0)
        ret->links_per_year = gp_build_per_year(cost->links_per_s);
    if (ret->complete || cost->rent_per_s > 0)
        ret->rent_per_year = gp_build_per_year(cost->rent_per_s);
    if (ret->complete || cost->total_per_s > 0)
        ret->total_per_year = gp_build_per_year(cost->total_per_s);
}

static void fill_owning(const gp_room_plan *room, gp_report_cost *ret) {
    const gp_ownership *owning = &room->owning;
    bool compared = room->compared != NULL;
    ret->cloud_id = compared ? room->compared->id : NULL;
    ret->cloud_date = compared && room->compared_quote == NULL ? room->compared->date : NULL;
    ret->cloud_per_gpu_hour = ret->own_per_gpu_hour = GP_REPORT_NO_REAL;
    ret->break_even_fraction = ret->break_even_s = GP_REPORT_NO_REAL;
    if (!compared)
        return;
    ret->cloud_per_gpu_hour = room->compared_per_gpu_s * s_per_hour;
    ret->own_per_gpu_hour = owning->per_gpu_s * s_per_hour;
    ret->break_even_fraction = owning->break_even_fraction;
    if (isfinite(owning->break_even_s))
        ret->break_even_s = owning->break_even_s;
}

void gp_build_cost(gp_build *build) {
    const gp_costs *costs = &build->result->document->spec.costs;
    gp_report_cost *ret = &build->report->cost;
    ret->currency = build->result->currency != NULL ? build->result->currency
                    : costs->currency != NULL       ? costs->currency
                                                    : "USD";
    ret->budget_capital = gp_build_positive(costs->budget.capital);
    if (costs->budget.per_s > 0)
        ret->budget_per_year = gp_build_per_year(costs->budget.per_s);
    list_missing(build, ret);
    ret->complete = gp_costs_known(build->result);
    fill_figures(build->result, ret);
    fill_owning(&build->result->room, ret);
    const gp_site_plan *site = &build->result->site;
    ret->delivered_fraction =
        site->there_gpus > 0 ? site->useful_gpus / site->there_gpus : GP_REPORT_NO_REAL;
    if (ret->complete && site->useful_gpus > 0)
        ret->delivered_per_gpu_hour = site->cost.total_per_s * s_per_hour / site->useful_gpus;
    const gp_prices *quote = build->result->quote;
    if (quote != NULL) {
        ret->quote_valid_until = gp_build_date(build, quote->valid_until);
        ret->quote_span = GP_ORIGIN_OF(quote, gp_prices, valid_until)->span;
    }
    list_excluded(build, ret);
    fill_burst(build, ret);
}
