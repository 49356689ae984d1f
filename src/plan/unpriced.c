/* What of a plan has no price: sums stand for the whole only where nothing lacks one. */
#include "plan/plan.h"

#include "base/str.h"

bool gp_energy_priced(const gp_plan_result *result) {
    const gp_plan_spec *spec = &result->document->spec;
    for (size_t i = 0; i < result->sites.count; i++) {
        const gp_site *site = &result->sites.items[i].document.spec.site;
        if (!GP_GIVEN(&site->energy, gp_site_energy, price_per_j))
            return GP_GIVEN(&spec->costs, gp_costs, colocation_per_w_s);
    }
    if (result->sites.count > 0)
        return true;
    return GP_GIVEN(&spec->site.energy, gp_site_energy, price_per_j) ||
           GP_GIVEN(&spec->costs, gp_costs, colocation_per_w_s);
}

bool gp_machines_unpriced(const gp_candidate *chosen) {
    const gp_unit *unit = chosen->unit;
    if (!chosen->feasible)
        return false;
    if (unit->cloud != NULL)
        return !(gp_rent_of(unit, 1).per_s > 0);
    return chosen->nodes > chosen->owned_nodes && !(unit->price > 0);
}

/* Without these a cluster is none; what else has no price is named as left out. */
bool gp_switch_unpriced(const gp_bill_item *line) {
    static const char *const roles[] = {"leaf switch", "spine switch", "core switch"};
    bool compute = false;
    for (size_t i = 0; i < GP_COUNT_OF(roles); i++)
        compute = compute || gp_str_equal(line->role, roles[i]);
    return compute && gp_part_unpriced(line);
}

bool gp_costs_known(const gp_plan_result *result) {
    bool known = result->site.priced &&
                 (gp_energy_priced(result) || !(result->site.figures.facility_mean_w > 0));
    for (size_t i = 0; i < result->workloads.count; i++)
        known = known && !gp_machines_unpriced(&result->workloads.items[i].chosen);
    for (size_t i = 0; i < result->room.bill.count; i++)
        known = known && !gp_switch_unpriced(&result->room.bill.items[i]);
    return known;
}
