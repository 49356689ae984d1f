/* Several sites: one entry alone is the site and the cluster of the plan; of more, the cluster of
 * the plan is what stands at all of them, for whoever asks for a pool by name. */
#include <string.h>

#include "base/str.h"
#include "model/resolve.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"

/* The origin of one struct's field as that of another's. */
static void take_origin(gp_meta *to, size_t offset, const gp_meta *from, size_t from_offset) {
    const gp_origin *origin = gp_origin_at(from, from_offset);
    to->origins[gp_field_at(to->type, offset)] = *origin;
}

void gp_sites_raise(gp_plan_spec *spec) {
    if (spec->sites.count != 1 || GP_GIVEN(spec, gp_plan_spec, site) ||
        GP_GIVEN(spec, gp_plan_spec, cluster))
        return;
    const gp_named_site *only = &spec->sites.items[0];
    spec->site = only->site;
    spec->cluster = only->cluster;
    if (GP_GIVEN(only, gp_named_site, budget) && !GP_GIVEN(&spec->costs, gp_costs, budget))
        spec->costs.budget = only->budget;
    take_origin(&spec->meta, offsetof(gp_plan_spec, site), &only->meta,
                offsetof(gp_named_site, site));
    take_origin(&spec->meta, offsetof(gp_plan_spec, cluster), &only->meta,
                offsetof(gp_named_site, cluster));
}

/* ---- what stands at all of them -------------------------------------------------------------- */

void gp_sites_merge(gp_resolver *r) {
    gp_plan_spec *spec = r->spec;
    gp_cluster *all = &spec->cluster;
    size_t pools = 0;
    size_t storage = 0;
    for (size_t i = 0; i < spec->sites.count; i++) {
        pools += spec->sites.items[i].cluster.pools.count;
        storage += spec->sites.items[i].cluster.storage.count;
    }
    all->pools.items = GP_NEW_ARRAY(r->arena, gp_pool, pools + 1);
    all->storage.items = GP_NEW_ARRAY(r->arena, gp_storage, storage + 1);
    all->pools.count = all->storage.count = 0;
    for (size_t i = 0; i < spec->sites.count; i++) {
        const gp_cluster *one = &spec->sites.items[i].cluster;
        for (size_t k = 0; k < one->pools.count; k++)
            GP_NEXT(all->pools) = one->pools.items[k];
        for (size_t k = 0; k < one->storage.count; k++)
            GP_NEXT(all->storage) = one->storage.items[k];
        all->reserve.spare_nodes += one->reserve.spare_nodes;
        all->reserve.system_nodes += one->reserve.system_nodes;
    }
    take_origin(&all->meta, offsetof(gp_cluster, pools), &spec->meta,
                offsetof(gp_plan_spec, sites));
}

static bool may_run(const gp_plan_spec *spec, const gp_workload *workload,
                    const gp_named_site *site) {
    const gp_placement *placement = &workload->placement;
    const char *home = placement->home;
    if (home && !gp_str_equal(home, site->name) && !gp_link_between(spec, home, site->name))
        return false;
    bool named = placement->sites.count == 0;
    for (size_t i = 0; i < placement->sites.count; i++)
        named = named || gp_str_equal(placement->sites.items[i], site->name);
    return named && (!placement->pool || GP_NAMED(site->cluster.pools, name, placement->pool));
}

gp_status gp_plan_at_site(gp_arena *arena, const gp_plan_document *plan, const char *name,
                          gp_plan_document **ret_plan) {
    const gp_named_site *site = NULL;
    for (size_t i = 0; i < plan->spec.sites.count; i++)
        if (gp_str_equal(plan->spec.sites.items[i].name, name))
            site = &plan->spec.sites.items[i];
    if (!site)
        return GP_ERR_NOT_FOUND;
    gp_plan_document *at = GP_NEW(arena, gp_plan_document);
    gp_workload *workloads = GP_NEW_ARRAY(arena, gp_workload, plan->spec.workloads.count + 1);
    *at = *plan;
    at->spec.site = site->site;
    at->spec.cluster = site->cluster;
    if (GP_GIVEN(site, gp_named_site, budget))
        at->spec.costs.budget = site->budget;
    at->spec.sites.count = 0;
    at->spec.links.count = 0;
    at->spec.workloads.items = workloads;
    at->spec.workloads.count = 0;
    for (size_t i = 0; i < plan->spec.workloads.count; i++)
        if (may_run(&plan->spec, &plan->spec.workloads.items[i], site))
            workloads[at->spec.workloads.count++] = plan->spec.workloads.items[i];
    *ret_plan = at;
    return GP_OK;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void alone_or_several(gp_resolver *r) {
    const gp_plan_spec *spec = r->spec;
    const bool site = GP_GIVEN(spec, gp_plan_spec, site);
    if (spec->sites.count == 0 || (!site && !GP_GIVEN(spec, gp_plan_spec, cluster)))
        return;
    gp_refuse_values(r, GP_PLACE(spec, gp_plan_spec, sites),
                     "site and cluster inside an item of sites, or no sites",
                     "sites together with a %s of the plan itself", site ? "site" : "cluster");
}

/* Where a pool of the same name stands at an earlier site; NULL: nowhere. */
static const gp_pool *earlier_pool(const gp_plan_spec *spec, size_t site, const char *name) {
    for (size_t i = 0; i < site && name; i++) {
        const gp_cluster *cluster = &spec->sites.items[i].cluster;
        for (size_t k = 0; k < cluster->pools.count; k++)
            if (gp_str_equal(cluster->pools.items[k].name, name))
                return &cluster->pools.items[k];
    }
    return NULL;
}

/* A pool's name tells its site. */
static void pools_apart(gp_resolver *r) {
    for (size_t i = 0; i < r->spec->sites.count; i++) {
        const gp_cluster *cluster = &r->spec->sites.items[i].cluster;
        for (size_t k = 0; k < cluster->pools.count; k++) {
            const gp_pool *pool = &cluster->pools.items[k];
            const gp_pool *first = earlier_pool(r->spec, i, pool->name);
            if (!first)
                continue;
            gp_diag diag = {.id = GP_ID_DUPLICATE_NAME, .level = GP_LEVEL_ERROR};
            diag.span = GP_PLACE(pool, gp_pool, name);
            diag.related = GP_PLACE(first, gp_pool, name);
            diag.related_text = "first defined here";
            diag.message = gp_arena_printf(r->arena, "the name \"%s\" is already used",
                                           gp_shown(r->arena, pool->name, strlen(pool->name)));
            gp_diags_add(r->diags, &diag);
        }
    }
}

const gp_site_link *gp_link_between(const gp_plan_spec *spec, const char *one, const char *other) {
    for (size_t i = 0; i < spec->links.count; i++) {
        const gp_site_link *link = &spec->links.items[i];
        for (size_t k = 0; link->between.count == 2 && k < 2; k++)
            if (gp_str_equal(link->between.items[k], one) &&
                gp_str_equal(link->between.items[1 - k], other))
                return link;
    }
    return NULL;
}

static bool is_site(const gp_plan_spec *spec, const char *name, const char **ret_nearest) {
    for (size_t i = 0; i < spec->sites.count; i++) {
        const char *other = spec->sites.items[i].name;
        if (!other || gp_str_equal(other, name)) {
            return true; /* a site whose name was refused may be the one */
        }
        if (gp_str_distance(name, strlen(name), other) >= 0)
            *ret_nearest = other;
    }
    return false;
}

static void check_name(gp_resolver *r, gp_span span, const char *name) {
    const char *nearest = NULL;
    if (!is_site(r->spec, name, &nearest))
        gp_diags_error(r->diags, GP_ID_UNKNOWN_LOCAL, span, "the name of a site in spec.sites",
                       nearest, "no site \"%s\"", gp_shown(r->arena, name, strlen(name)));
}

void gp_check_site_names(gp_resolver *r, const gp_workload *workload) {
    const gp_placement *placement = &workload->placement;
    for (size_t i = 0; i < placement->sites.count; i++)
        check_name(r, GP_PLACE(placement, gp_placement, sites), placement->sites.items[i]);
    if (placement->home)
        check_name(r, GP_PLACE(placement, gp_placement, home), placement->home);
}

/* Two sites each, and no two links between the same. */
static void check_link(gp_resolver *r, size_t index) {
    const gp_site_link *link = &r->spec->links.items[index];
    const gp_span span = GP_PLACE(link, gp_site_link, between);
    for (size_t i = 0; i < link->between.count; i++)
        check_name(r, span, link->between.items[i]);
    if (link->between.count != 2 || gp_str_equal(link->between.items[0], link->between.items[1])) {
        gp_refuse_values(r, span, "the names of two sites", "a link must join two sites");
        return;
    }
    if (gp_link_between(r->spec, link->between.items[0], link->between.items[1]) != link)
        gp_refuse_values(r, span, "one link that stands for both",
                         "a second link between the two sites");
}

void gp_check_sites(gp_resolver *r) {
    alone_or_several(r);
    pools_apart(r);
    for (size_t i = 0; i < r->spec->links.count; i++)
        check_link(r, i);
}
