/*
 * Several sites. Each has kinds of machines of its own, which lie together, and limits, prices,
 * overheads and carbon of its own. What is rented is at none of them. They are taken by name, so
 * that the order in which a spec has them changes nothing.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

/* ------------------------------------------------------------ what each one sees */

static int by_name(const void *a, const void *b, const void *context) {
    const gp_named_site *const *left = a;
    const gp_named_site *const *right = b;
    (void)context;
    return gp_str_compare((*left)->name, (*right)->name);
}

static void init_site(const gp_plan_context *plan, const gp_named_site *from, gp_site_part *part,
                      gp_site_context *ret) {
    part->name = from->name;
    part->document = *plan->document;
    part->document.spec.site = from->site;
    part->document.spec.cluster = from->cluster;
    *ret = (gp_site_context){.name = from->name, .document = &part->document};
}

void gp_plan_sites(gp_plan_context *plan) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    const size_t count = spec->sites.count;
    if (count < 2)
        return;
    const gp_named_site **named = GP_NEW_ARRAY(plan->arena, const gp_named_site *, count);
    plan->sites = GP_NEW_ARRAY(plan->arena, gp_site_context, count);
    result->sites.items = GP_NEW_ARRAY(plan->arena, gp_site_part, count);
    for (size_t i = 0; i < count; i++)
        named[i] = &spec->sites.items[i];
    gp_sort(plan->arena, named, count, sizeof *named, by_name, NULL);
    for (size_t i = 0; i < count; i++)
        init_site(plan, named[i], &result->sites.items[i], &plan->sites[i]);
    plan->site_count = result->sites.count = count;
}

/* `site` one behind the last: what is in clouds. */
void gp_plan_at(const gp_plan_context *plan, size_t site, gp_plan_context *ret) {
    const gp_site_context *last = &plan->sites[plan->site_count - 1];
    const bool cloud = site == plan->site_count;
    const gp_site_context *at = cloud ? last : &plan->sites[site];
    const size_t first = cloud ? last->first + last->count : at->first;
    *ret = *plan;
    ret->site_count = 0;
    ret->of_several = !cloud;
    ret->unit_count = cloud ? plan->unit_count - first : at->count;
    ret->units = plan->units != NULL ? plan->units + first : NULL;
    ret->limit_count = 0;
    if (plan->facts != NULL) {
        ret->networks += first;
        ret->fabrics += first;
        ret->switches += first;
        ret->facts += first;
    }
    if (plan->shells != NULL)
        ret->shells += first;
    if (plan->wired != NULL) {
        ret->wired += first;
        ret->spared += first;
        ret->stored += site;
        ret->spent += site;
    }
    if (cloud)
        return;
    ret->spec = &at->document->spec;
    ret->design = at->design;
    ret->annual = at->annual;
    ret->carbon_kg_per_j = at->carbon_kg_per_j;
    if (plan->limits != NULL) {
        ret->limit_count = GP_LIMIT_COUNT;
        ret->limits += (site + 1) * GP_LIMIT_COUNT;
        ret->limit_paths += (site + 1) * GP_LIMIT_COUNT;
    }
}

static const gp_site_context *site_of(const gp_plan_context *plan, size_t unit) {
    if (plan->site_count == 0 || plan->units[unit].site == GP_NO_SITE)
        return NULL;
    return &plan->sites[plan->units[unit].site];
}

const gp_plan_spec *gp_plan_spec_at(const gp_plan_context *plan, size_t unit) {
    const gp_site_context *site = site_of(plan, unit);
    return site != NULL ? &site->document->spec : plan->spec;
}

const gp_overhead_ends *gp_plan_overheads_at(const gp_plan_context *plan, size_t unit) {
    const gp_site_context *site = site_of(plan, unit);
    return site != NULL ? &site->annual : &plan->annual;
}

double gp_plan_annual_pue(const gp_plan_context *plan, size_t unit) {
    gp_overhead overhead;
    gp_overhead_between(gp_plan_overheads_at(plan, unit), plan->facts[unit].liquid_fraction,
                        &overhead);
    return overhead.pue;
}

const char *gp_plan_site_path(const gp_plan_context *plan, size_t site, const char *path) {
    static const char costs[] = "costs.";
    if (site == 0)
        return path;
    const char *own = gp_str_starts(path, costs) ? path + sizeof costs - 1 : path;
    return gp_arena_printf(plan->arena, "sites.%s.%s", plan->sites[site - 1].name, own);
}

/* ------------------------------------------------------------ kinds that stand at several */

static bool is_plain(const gp_unit *unit) {
    return unit->pool == NULL ||
           (unit->pool->system.id != NULL && !GP_GIVEN(unit->pool, gp_pool, overrides));
}

static bool same_network(const gp_network *a, const gp_network *b) {
    for (size_t i = 0; i < sizeof a->bytes_per_s / sizeof a->bytes_per_s[0]; i++)
        if (gp_num_compare9(a->bytes_per_s[i], b->bytes_per_s[i]) != 0)
            return false;
    return a->unit_nodes == b->unit_nodes && a->pod_nodes == b->pod_nodes;
}

/* What runs write to and start from, and the machines that stand in for failed ones. */
static bool same_storage(const gp_cluster *a, const gp_cluster *b) {
    if (a->storage.count != b->storage.count || a->reserve.spare_nodes != b->reserve.spare_nodes ||
        GP_GIVEN(&a->reserve, gp_reserve, spare_nodes) !=
            GP_GIVEN(&b->reserve, gp_reserve, spare_nodes))
        return false;
    for (size_t i = 0; i < a->storage.count; i++) {
        const gp_storage *left = &a->storage.items[i];
        const gp_storage *right = &b->storage.items[i];
        if (gp_num_compare9(left->write_bytes_per_s, right->write_bytes_per_s) != 0 ||
            gp_num_compare9(left->read_bytes_per_s, right->read_bytes_per_s) != 0)
            return false;
    }
    return true;
}

/* A layout does the same on either, so it is searched once, and simulated once. */
static bool are_twins(const gp_plan_context *plan, size_t a, size_t b) {
    const gp_unit *left = &plan->units[a];
    const gp_unit *right = &plan->units[b];
    const gp_plan_spec *specs[] = {gp_plan_spec_at(plan, a), gp_plan_spec_at(plan, b)};
    return left->cloud == NULL && right->cloud == NULL && is_plain(left) && is_plain(right) &&
           gp_str_equal(left->system->id, right->system->id) &&
           gp_num_compare9(specs[0]->site.power.cap_fraction, specs[1]->site.power.cap_fraction) ==
               0 &&
           same_network(&plan->networks[a], &plan->networks[b]) &&
           same_storage(&specs[0]->cluster, &specs[1]->cluster);
}

void gp_plan_twins(gp_plan_context *plan) {
    plan->twins = GP_NEW_ARRAY(plan->arena, size_t, plan->unit_count + 1);
    for (size_t u = 0; u < plan->unit_count; u++) {
        plan->twins[u] = u;
        for (size_t k = 0; k < u && plan->twins[u] == u; k++)
            plan->twins[u] = plan->twins[k] == k && are_twins(plan, k, u) ? k : u;
    }
}

/* ------------------------------------------------------------ overheads and carbon */

/* Of heat that goes one way; `stated` is the PUE that the site gives itself, or 0. */
static void overhead_of(const gp_plan_context *plan, double liquid_fraction, double stated,
                        int climate, double load_fraction, gp_overhead *ret) {
    const gp_site_cooling *cooling = &plan->spec->site.cooling;
    const gp_cooling_input water = {.liquid_class =
                                        gp_plan_cooling_class(plan, cooling->liquid.class_name),
                                    .facility_supply_c = cooling->liquid.supply_c};
    gp_cooling room;
    gp_cooling_of(&water, plan->constants, &room);
    const gp_pue_input input = {.liquid_fraction = liquid_fraction,
                                .rear_door_fraction = cooling->air.door_fraction,
                                .free_cooling = room.free_cooling,
                                .climate = climate,
                                .load_fraction = load_fraction,
                                .stated_pue = stated};
    gp_overhead_of(&input, plan->constants, ret);
    if (GP_GIVEN(cooling, gp_site_cooling, wue_l_per_j))
        ret->wue_l_per_j = ret->wue_low_l_per_j = ret->wue_high_l_per_j = cooling->wue_l_per_j;
}

/* What the site states; else by where the heat of the machines goes. Where only one of the two is
 * stated, the hottest day is no better than the year, and the year no worse than it. */
static void set_overheads(gp_plan_context *plan) {
    const gp_site *site = &plan->spec->site;
    const double design = site->power.design.pue;
    const double annual = site->power.annual.pue > 0 ? site->power.annual.pue : design;
    gp_overhead *const hot[] = {&plan->design.air, &plan->design.liquid};
    gp_overhead *const year[] = {&plan->annual.air, &plan->annual.liquid};
    for (int liquid = 0; liquid < 2; liquid++) {
        overhead_of(plan, liquid, design, GP_CLIMATE_UNKNOWN, 1, hot[liquid]);
        overhead_of(plan, liquid, annual, site->cooling.climate, site->power.load_fraction,
                    year[liquid]);
        if (annual > 0)
            hot[liquid]->pue = gp_num_max(hot[liquid]->pue, annual);
    }
}

static gp_status set_site(gp_plan_context *plan) {
    const gp_site *site = &plan->spec->site;
    set_overheads(plan);
    plan->carbon_kg_per_j = site->energy.carbon_kg_per_j;
    if (plan->carbon_kg_per_j > 0 || site->energy.grid == NULL)
        return GP_OK;
    const void *row = NULL;
    gp_status st =
        gp_catalog_find(plan->catalog, GP_CATALOG_GRIDS, site->energy.grid, &row, NULL, NULL);
    if (st == GP_OK)
        plan->carbon_kg_per_j = ((const gp_grid *)row)->carbon_kg_per_j;
    return st;
}

gp_status gp_plan_overheads(gp_plan_context *plan) {
    gp_status st = set_site(plan);
    for (size_t s = 0; s < plan->site_count && st == GP_OK; s++) {
        gp_plan_context at;
        gp_plan_at(plan, s, &at);
        st = set_site(&at);
        plan->sites[s].design = at.design;
        plan->sites[s].annual = at.annual;
        plan->sites[s].carbon_kg_per_j = at.carbon_kg_per_j;
    }
    return st;
}

/* ------------------------------------------------------------ the choice among them */

bool gp_plan_sites_compare(const gp_plan_context *plan, gp_objective objective) {
    size_t priced = 0;
    size_t clean = 0;
    for (size_t s = 0; s < plan->site_count; s++) {
        const gp_site_energy *energy = &plan->sites[s].document->spec.site.energy;
        priced += GP_GIVEN(energy, gp_site_energy, price_per_j) ? 1 : 0;
        clean += GP_GIVEN(energy, gp_site_energy, carbon_kg_per_j) ? 1 : 0;
    }
    if (objective == GP_OBJECTIVE_MIN_COST)
        return priced == 0 || priced == plan->site_count;
    return objective != GP_OBJECTIVE_MIN_CARBON || clean == plan->site_count;
}

double gp_plan_weight_mean(const gp_plan_context *plan, size_t unit) {
    return site_of(plan, unit) != NULL ? gp_plan_annual_pue(plan, unit) : 1;
}

/* What a provider's power is made of is not known: it counts as the dirtiest of the sites. */
static double dirtiest(const gp_plan_context *plan) {
    double most = 0;
    for (size_t s = 0; s < plan->site_count; s++)
        most = gp_num_max(most, plan->sites[s].carbon_kg_per_j);
    return most;
}

double gp_plan_weight_year(const gp_plan_context *plan, size_t unit) {
    const gp_site_context *site = site_of(plan, unit);
    if (plan->site_count == 0)
        return 1;
    return site != NULL ? gp_plan_annual_pue(plan, unit) * site->carbon_kg_per_j : dirtiest(plan);
}

static bool is_away(const gp_plan_result *result, const gp_workload *workload,
                    const gp_unit *unit) {
    const char *home = workload->placement.home;
    return home != NULL && result->sites.count > 0 && unit->site != GP_NO_SITE &&
           !gp_str_equal(home, result->sites.items[unit->site].name);
}

const gp_site_link *gp_plan_link(const gp_plan_result *result, const gp_workload *workload,
                                 const gp_unit *unit) {
    return is_away(result, workload, unit)
               ? gp_link_between(&result->document->spec, workload->placement.home,
                                 result->sites.items[unit->site].name)
               : NULL;
}

static bool has_pool(const gp_site_context *site, const char *name) {
    const gp_cluster *cluster = &site->document->spec.cluster;
    for (size_t i = 0; i < cluster->pools.count; i++)
        if (gp_str_equal(cluster->pools.items[i].name, name))
            return true;
    return false;
}

/* At the sites that it names, and at that of the pool that it names. */
static bool is_at(const gp_placement *placement, const gp_site_context *site) {
    bool named = placement->sites.count == 0;
    for (size_t i = 0; site != NULL && i < placement->sites.count; i++)
        named = named || gp_str_equal(placement->sites.items[i], site->name);
    return named && (placement->pool == NULL || (site != NULL && has_pool(site, placement->pool)));
}

bool gp_plan_may_stand(const gp_plan_context *plan, const gp_workload *workload, size_t unit) {
    const gp_unit *u = &plan->units[unit];
    if (is_away(plan->result, workload, u) && gp_plan_link(plan->result, workload, u) == NULL)
        return false;
    return plan->site_count == 0 || is_at(&workload->placement, site_of(plan, unit));
}
