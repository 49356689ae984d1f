/*
 * What no limit of the site leaves room for is rented where a cloud among the candidates has the
 * GPUs: the machines of the quarter before stay.
 */
#include "plan/growth.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

enum { HOST_GPUS = 8 };

bool gp_growth_is_priced(const gp_growth_plan *growth) {
    return growth->priced && growth->at.usage.site.priced;
}

bool gp_growth_is_whole(const gp_growth_plan *growth) {
    return gp_growth_is_priced(growth) && !growth->left_out && !growth->at.usage.site.left_out;
}

bool gp_growth_exceeds(double used, double limit) {
    return used > limit && !gp_num_near(used, limit);
}

/* What is spent counts where it is known. */
bool gp_growth_passes(const gp_growth_plan *growth) {
    const gp_plan_context *plan = &growth->later;
    bool passed = false;
    for (int i = 0; i < plan->limit_count; i++) {
        const bool known = i % GP_LIMIT_COUNT != GP_LIMIT_CAPITAL || gp_growth_is_priced(growth);
        const bool stated = isfinite(plan->limits[i]) && plan->limits[i] > 0;
        passed =
            passed || (known && stated &&
                       gp_growth_exceeds(gp_usage_limited(&growth->at.usage, i), plan->limits[i]));
    }
    return passed;
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
        const double rent = gp_rent_of(cloud, 1).per_s / (double)cloud->machine.gpus;
        if (best != NULL && gp_num_compare9(rent, least) >= 0)
            continue;
        best = cloud;
        least = rent;
    }
    return best;
}

/* False where no one cloud has the GPUs of all that would be bought, or nothing would. */
static bool find_rent(const gp_growth_plan *growth, gp_growth_row *row) {
    const gp_plan_context *plan = &growth->later;
    const gp_unit *cloud = NULL;
    int64_t gpus = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t more = growth->at.ledger.kinds[u].bought - growth->at.ledger.kinds[u].beyond;
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
    row->rent_per_s = gp_rent_of(cloud, 1).per_s * (double)row->rent_nodes;
    return true;
}

bool gp_growth_rents(const gp_growth_plan *growth, const gp_growth_row *held, gp_growth_row *row) {
    return (held != NULL ? held->rent_unit != NULL : gp_growth_passes(growth)) &&
           find_rent(growth, row);
}

void gp_growth_buy_nothing(gp_growth_plan *growth) {
    for (size_t u = 0; u < growth->later.unit_count; u++) {
        gp_kind_hold *kind = &growth->at.ledger.kinds[u];
        if (growth->later.units[u].cloud != NULL)
            continue;
        kind->nodes = kind->owned;
        kind->stand -= kind->bought;
        kind->bought = kind->beyond = 0;
        kind->fabric_nodes = gp_num_min_i64(kind->fabric_nodes, kind->nodes);
    }
    gp_usage_of(&growth->later, &growth->at.ledger, false, &growth->at.usage);
}
