/* Whether a workload's figures rest on the user's own measurements. */
#include "report/build.h"

int64_t gp_build_own_samples(const gp_workload_plan *plan) {
    const gp_unit *unit = plan->chosen.unit;
    if (unit == NULL)
        return 0;
    const gp_precision compute = plan->is_serving ? plan->serve.compute : plan->train.compute;
    const gp_efficiency *row = unit->machine.efficiency[compute];
    if (row == NULL)
        return 0;
    return plan->is_serving ? row->own_serving : row->own_runs;
}
