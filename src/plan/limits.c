/*
 * The limits of the site and of the budget, of one site or of each of several, and what a usage
 * takes of each.
 */
#include "plan/usage.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

const gp_limit_row gp_limit_rows[GP_LIMIT_COUNT] = {
    [GP_LIMIT_POWER] = {GP_BOUND_POWER, GP_DIM_POWER, "site.power.itCapacity"},
    [GP_LIMIT_AIR] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.air.capacity"},
    [GP_LIMIT_LIQUID] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.liquid.capacity"},
    [GP_LIMIT_RACKS] = {GP_BOUND_SPACE, GP_DIM_COUNT, "site.racks.count"},
    [GP_LIMIT_CAPITAL] = {GP_BOUND_BUDGET, GP_DIM_MONEY, "costs.budget.capital"},
    [GP_LIMIT_RECURRING] = {GP_BOUND_BUDGET, GP_DIM_MONEY_PER_S, "costs.budget.recurring"},
};

static void limits_of(const gp_plan_spec *spec, double *ret) {
    const gp_site *site = &spec->site;
    const gp_site_cooling *cooling = &site->cooling;
    const struct {
        bool given;
        double value;
    } rows[GP_LIMIT_COUNT] = {
        [GP_LIMIT_POWER] = {GP_GIVEN(&site->power, gp_site_power, it_capacity_w),
                            site->power.it_capacity_w},
        [GP_LIMIT_AIR] = {GP_GIVEN(&cooling->air, gp_site_air, capacity_w),
                          cooling->air.capacity_w},
        [GP_LIMIT_LIQUID] = {GP_GIVEN(&cooling->liquid, gp_site_liquid, capacity_w),
                             cooling->liquid.capacity_w},
        [GP_LIMIT_RACKS] = {GP_GIVEN(&site->racks, gp_site_racks, count),
                            (double)site->racks.count},
    };
    for (int i = 0; i < GP_LIMIT_COUNT; i++)
        ret[i] = rows[i].given ? rows[i].value : HUGE_VAL;
}

/* Of the plan, and of each of several sites. */
static void set_budget(const gp_budget *budget, double *ret) {
    if (GP_GIVEN(budget, gp_budget, capital))
        ret[GP_LIMIT_CAPITAL] = budget->capital;
    if (GP_GIVEN(budget, gp_budget, per_s))
        ret[GP_LIMIT_RECURRING] = budget->per_s;
}

static const gp_budget *budget_of(const gp_plan_context *plan, size_t site) {
    const gp_plan_spec *spec = plan->spec;
    for (size_t i = 0; site > 0 && i < spec->sites.count; i++)
        if (gp_str_equal(spec->sites.items[i].name, plan->sites[site - 1].name))
            return &spec->sites.items[i].budget;
    return &spec->costs.budget;
}

void gp_limits_of(gp_plan_context *plan) {
    const size_t count = (plan->site_count + 1) * GP_LIMIT_COUNT;
    double *limits = GP_NEW_ARRAY(plan->arena, double, count);
    const char **paths = GP_NEW_ARRAY(plan->arena, const char *, count);
    bool *all = GP_NEW_ARRAY(plan->arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        const size_t site = i / GP_LIMIT_COUNT;
        const char *path = gp_limit_row_of((int)i)->path;
        if (plan->options->hold != NULL) {
            limits[i] = HUGE_VAL; /* what was chosen stays chosen */
        } else if (i % GP_LIMIT_COUNT == 0) {
            limits_of(site > 0 ? &plan->sites[site - 1].document->spec : plan->spec, &limits[i]);
            set_budget(budget_of(plan, site), &limits[i]);
        }
        if (plan->options->limits != NULL)
            limits[i] = plan->options->limits[i];
        paths[i] = gp_plan_site_path(plan, site, path);
        all[i] = true;
    }
    plan->limits = limits;
    plan->limit_paths = paths;
    plan->all_limits = all;
    plan->limit_count = (int)count;
}

const gp_limit_row *gp_limit_row_of(int limit) {
    return &gp_limit_rows[limit % GP_LIMIT_COUNT];
}

static double used_of(const gp_site_plan *site, int limit) {
    const double used[GP_LIMIT_COUNT] = {
        [GP_LIMIT_POWER] = site->it_peak_w,      [GP_LIMIT_AIR] = site->air_w,
        [GP_LIMIT_LIQUID] = site->liquid_w,      [GP_LIMIT_RACKS] = (double)site->rack_count,
        [GP_LIMIT_CAPITAL] = site->cost.capital, [GP_LIMIT_RECURRING] = site->cost.total_per_s,
    };
    return used[limit % GP_LIMIT_COUNT];
}

double gp_usage_limited(const gp_usage *usage, int limit) {
    const int place = limit / GP_LIMIT_COUNT;
    return used_of(place > 0 ? &usage->sites[place - 1].site : &usage->site, limit);
}

double gp_result_limited(const gp_plan_result *result, int limit) {
    const int place = limit / GP_LIMIT_COUNT;
    return used_of(place > 0 ? &result->sites.items[place - 1].site : &result->site, limit);
}

int gp_limits_passed(const gp_plan_context *plan, const gp_inventory *inventory,
                     const gp_usage *usage) {
    for (int i = 0; i < plan->limit_count; i++) {
        const double used = gp_usage_limited(usage, i);
        const double most = gp_num_max(plan->limits[i], inventory->base[i]);
        if ((inventory->lifted == NULL || !inventory->lifted[i]) && used > most &&
            !gp_num_near(used, most))
            return i;
    }
    return -1;
}

bool gp_limits_stated(const gp_plan_context *plan) {
    for (int i = 0; i < plan->limit_count; i++)
        if (isfinite(plan->limits[i]))
            return true;
    return false;
}

const gp_lack *gp_limits_raised(const gp_plan_context *plan, const double *to) {
    gp_lack *all = GP_NEW_ARRAY(plan->arena, gp_lack, (size_t)plan->limit_count + 1);
    size_t count = 0;
    for (int i = 0; i < plan->limit_count; i++) {
        const gp_limit_row *row = gp_limit_row_of(i);
        if (!(to[i] > plan->limits[i]))
            continue;
        all[count++] = (gp_lack){.bound = row->bound,
                                 .have = plan->limits[i],
                                 .need = to[i],
                                 .dim = row->dim,
                                 .path = plan->limit_paths[i]};
    }
    for (size_t k = 0; k + 1 < count; k++)
        all[k].also = &all[k + 1];
    return count > 0 ? all : NULL;
}

void gp_limits_set(const gp_plan_context *plan, gp_usage *usage) {
    gp_site_plan *site = &usage->site;
    site->limit_count = 0;
    for (int i = 0; i < GP_LIMIT_COUNT; i++)
        if (isfinite(plan->limits[i]))
            site->limits[site->limit_count++] =
                (gp_limit_use){gp_limit_rows[i].bound, gp_usage_limited(usage, i), plan->limits[i],
                               gp_limit_rows[i].dim, plan->limit_paths[i]};
}
