/* Machines from the catalogue's rows: looked up here once, so that the search looks nothing up. */
#include "plan/context.h"

gp_status gp_machine_plain(gp_plan_context *plan, const gp_system *system,
                           gp_machine *ret_machine) {
    const void *const *fits = NULL;
    const void *const *efficiencies = NULL;
    const void *const *powers = NULL;
    const void *const *gpus = NULL;
    gp_machine_rows rows = {0};
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COLLECTIVES, &fits, &rows.fit_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_EFFICIENCIES, &efficiencies,
                             &rows.efficiency_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_POWERS, &powers, &rows.power_count);
    if (st == GP_OK)
        st = gp_catalog_rows(plan->catalog, GP_CATALOG_GPUS, &gpus, &plan->rate_count);
    if (st != GP_OK)
        return st;
    rows.fits = (const gp_collective_fit *const *)fits;
    rows.efficiencies = (const gp_efficiency *const *)efficiencies;
    rows.powers = (const gp_power_class *const *)powers;
    gp_machine_derive(system, &rows, plan->spec->site.power.cap_fraction, ret_machine);
    const gp_gpu_rates **rates = gp_memory_rates(plan);
    if (*rates == NULL)
        gp_gpu_rates_all(gp_memory_arena(plan), (const gp_gpu *const *)gpus, plan->rate_count,
                         &rows, rates);
    plan->rates = *rates;
    return GP_OK;
}

gp_status gp_machine_init(gp_plan_context *plan, const gp_system *system, gp_machine *ret_machine) {
    const double cap_fraction = plan->spec->site.power.cap_fraction;
    if (gp_memory_recall_machine(plan, system, cap_fraction, ret_machine))
        return GP_OK;
    gp_status st = gp_machine_plain(plan, system, ret_machine);
    if (st != GP_OK)
        return st;
    gp_machine_order(gp_memory_arena(plan), plan->rates, plan->rate_count, ret_machine);
    gp_memory_keep_machine(plan, system, cap_fraction, ret_machine);
    return GP_OK;
}
