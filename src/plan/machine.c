/* Machines from the catalogue's rows: looked up here once, so that the search looks nothing up. */
#include "plan/context.h"

gp_status gp_machine_init(gp_plan_context *plan, const gp_system *system, gp_machine *ret_machine) {
    const void *const *fits = NULL;
    const void *const *efficiencies = NULL;
    size_t fit_count = 0;
    size_t efficiency_count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COLLECTIVES, &fits, &fit_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_EFFICIENCIES, &efficiencies,
                             &efficiency_count);
    if (st != GP_OK)
        return st;
    gp_machine_derive(system, (const gp_collective_fit *const *)fits, fit_count,
                      (const gp_efficiency *const *)efficiencies, efficiency_count,
                      plan->spec->site.power.cap_fraction, ret_machine);
    return GP_OK;
}
