/* Machines from the catalogue's rows: looked up here once, so that the search looks nothing up. */
#include "plan/context.h"

gp_status gp_machine_init(gp_plan_context *plan, const gp_system *system, gp_machine *ret_machine) {
    const void *const *fits = NULL;
    const void *const *efficiencies = NULL;
    const void *const *powers = NULL;
    const void *const *gpus = NULL;
    size_t gpu_count = 0;
    gp_machine_rows rows = {0};
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COLLECTIVES, &fits, &rows.fit_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_EFFICIENCIES, &efficiencies,
                             &rows.efficiency_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_POWERS, &powers, &rows.power_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_GPUS, &gpus, &gpu_count);
    if (st != GP_OK)
        return st;
    rows.fits = (const gp_collective_fit *const *)fits;
    rows.efficiencies = (const gp_efficiency *const *)efficiencies;
    rows.powers = (const gp_power_class *const *)powers;
    gp_machine_derive(system, &rows, plan->spec->site.power.cap_fraction, ret_machine);
    if (plan->rates == NULL)
        gp_gpu_rates_all(plan->arena, (const gp_gpu *const *)gpus, gpu_count, &rows, &plan->rates);
    gp_machine_order(plan->arena, plan->rates, gpu_count, ret_machine);
    return st;
}
