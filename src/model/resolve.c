/* Resolution of a plan: references to catalogue rows are filled in place, figures of a quote are
 * laid over them, defaults reach the workloads, and what follows from other fields is derived.
 * Then the rules over several fields run, each only over parts whose references held. */
#include "model/resolve.h"

#include <string.h>

#include "base/str.h"
#include "catalog/derive.h"
#include "catalog/tables.h"
#include "schema/bind.h"
#include "schema/overlay.h"

static const char cloud_prefix[] = "cloud:";

/* ---- the cluster ----------------------------------------------------------------------------- */

/* Lays a quote's figures over the machine. Another GPU replaces the whole GPU. */
static void lay_overrides(gp_pool *pool) {
    if (GP_GIVEN(&pool->overrides.gpu, gp_gpu, extends))
        gp_struct_clear(&pool->system.gpu);
    gp_span span = pool->system.meta.span;
    gp_span key_span = pool->system.meta.key_span;
    gp_overlay(&pool->system, &pool->overrides);
    pool->system.meta.span = span;
    pool->system.meta.key_span = key_span;
}

/* A thing that the spec writes out goes by the name of what it stands in. */
static void name_it(gp_meta *meta, size_t offset, const char **id, const char *name) {
    if (!*id) {
        *id = name;
        gp_origin_derive(meta, offset);
    }
}

static gp_status resolve_pool(gp_resolver *r, gp_pool *pool, bool *ret_ok) {
    gp_system *system = &pool->system;
    bool gpu_ok = true;
    gp_status st = gp_catalog_expand(r->catalog, r->diags, GP_CATALOG_SYSTEMS, system, ret_ok);
    if (st || !*ret_ok)
        return st;
    lay_overrides(pool);
    st = gp_catalog_expand(r->catalog, r->diags, GP_CATALOG_GPUS, &system->gpu, &gpu_ok);
    *ret_ok = gpu_ok;
    name_it(&system->meta, offsetof(gp_system, id), &system->id, pool->name);
    name_it(&system->gpu.meta, offsetof(gp_gpu, id), &system->gpu.id, pool->name);
    gp_system_derive(system);
    return st;
}

static gp_status resolve_pools(gp_resolver *r, gp_cluster *cluster) {
    gp_status st = GP_OK;
    for (size_t i = 0; i < cluster->pools.count && !st; i++) {
        gp_pool *pool = &cluster->pools.items[i];
        bool ok = true;
        st = resolve_pool(r, pool, &ok);
        if (!st && ok && !r->plan->wrong)
            gp_check_pool(r, pool);
    }
    return st;
}

static gp_status resolve_fabrics(gp_resolver *r, gp_cluster *cluster) {
    gp_status st = GP_OK;
    for (size_t i = 0; i < cluster->fabrics.count && !st; i++) {
        gp_fabric *fabric = &cluster->fabrics.items[i];
        gp_switch *product = &fabric->switch_product;
        bool ok = true;
        st = gp_catalog_expand(r->catalog, r->diags, GP_CATALOG_SWITCHES, product, &ok);
        if (!GP_GIVEN(fabric, gp_fabric, rate_bits_per_s) && product->port_bits_per_s > 0) {
            fabric->rate_bits_per_s = product->port_bits_per_s;
            gp_origin_derive(&fabric->meta, offsetof(gp_fabric, rate_bits_per_s));
        }
        if (GP_GIVEN(fabric, gp_fabric, switch_product))
            name_it(&product->meta, offsetof(gp_switch, id), &product->id, fabric->name);
    }
    return st;
}

static gp_status resolve_energy(gp_resolver *r, gp_site *site) {
    gp_site_energy *energy = &site->energy;
    const char *nearest = NULL;
    const char *choices = NULL;
    const void *row = NULL;
    if (!energy->grid)
        return GP_OK;
    gp_status st =
        gp_catalog_find(r->catalog, GP_CATALOG_GRIDS, energy->grid, &row, &nearest, &choices);
    if (st == GP_ERR_NOT_FOUND || st == GP_ERR_INPUT) {
        gp_catalog_refuse(r->catalog, r->diags, GP_CATALOG_GRIDS, energy->grid,
                          GP_PLACE(energy, gp_site_energy, grid), nearest, choices);
        return GP_OK;
    }
    if (st || GP_GIVEN(energy, gp_site_energy, carbon_kg_per_j))
        return st;
    const gp_grid *grid = row;
    energy->carbon_kg_per_j = grid->carbon_kg_per_j;
    int at = gp_field_at(energy->meta.type, offsetof(gp_site_energy, carbon_kg_per_j));
    energy->meta.origins[at] = *GP_ORIGIN_OF(grid, gp_grid, carbon_kg_per_j);
    return GP_OK;
}

/* Rates are those of the row, or those that are written out: not both. */
static gp_status resolve_storage(gp_resolver *r, const gp_cluster *cluster) {
    const gp_storage_systems *systems = &cluster->storage_systems;
    const gp_span place = GP_PLACE(systems, gp_storage_systems, product);
    const char *nearest = NULL;
    const char *choices = NULL;
    const void *row = NULL;
    if (!systems->product)
        return GP_OK;
    if (cluster->storage.count > 0)
        gp_refuse_values(r, place, "storage or storageSystems",
                         "storage is stated by its rates and by its product");
    gp_status st =
        gp_catalog_find(r->catalog, GP_CATALOG_STORAGE, systems->product, &row, &nearest, &choices);
    if (st != GP_ERR_NOT_FOUND && st != GP_ERR_INPUT)
        return st;
    gp_catalog_refuse(r->catalog, r->diags, GP_CATALOG_STORAGE, systems->product, place, nearest,
                      choices);
    return GP_OK;
}

static gp_status resolve_place(gp_resolver *r, gp_site *site, gp_cluster *cluster) {
    gp_status st = resolve_pools(r, cluster);
    if (!st)
        st = resolve_fabrics(r, cluster);
    if (!st)
        st = resolve_storage(r, cluster);
    return st ? st : resolve_energy(r, site);
}

/* The only site, or each of several, whose pools are then those of the plan. */
static gp_status resolve_places(gp_resolver *r) {
    gp_plan_spec *spec = r->spec;
    gp_check_sites(r);
    if (spec->sites.count < 2) {
        gp_sites_raise(spec);
        return resolve_place(r, &spec->site, &spec->cluster);
    }
    gp_status st = GP_OK;
    for (size_t i = 0; i < spec->sites.count && !st; i++) {
        gp_named_site *at = &spec->sites.items[i];
        st = resolve_place(r, &at->site, &at->cluster);
        if (!st)
            gp_defaults_fill(r->arena, r->diags, at);
    }
    if (st == GP_OK)
        gp_sites_merge(r);
    return st;
}

/* One word of allow or deny: a pool stays, an id or alias becomes the id. */
static gp_status resolve_candidate(gp_resolver *r, const char **word, gp_span span) {
    bool cloud = gp_str_starts(*word, cloud_prefix);
    gp_catalog_kind kind = cloud ? GP_CATALOG_CLOUDS : GP_CATALOG_SYSTEMS;
    const char *name = cloud ? *word + strlen(cloud_prefix) : *word;
    const char *nearest = NULL;
    const char *choices = NULL;
    const void *row = NULL;
    if (GP_NAMED(r->spec->cluster.pools, name, *word) != NULL)
        return GP_OK;
    gp_status st = gp_catalog_find(r->catalog, kind, name, &row, &nearest, &choices);
    if (st == GP_ERR_NOT_FOUND || st == GP_ERR_INPUT) {
        gp_catalog_refuse(r->catalog, r->diags, kind, name, span, nearest, choices);
        return GP_OK;
    }
    if (!st) {
        const char *id = gp_row_head_of(row).id;
        *word = cloud ? gp_arena_printf(r->arena, "%s%s", cloud_prefix, id) : id;
    }
    return st;
}

static gp_status resolve_candidates(gp_resolver *r) {
    gp_candidates *c = &r->spec->candidates;
    gp_status st = GP_OK;
    for (size_t i = 0; i < c->allow.count && !st; i++)
        st = resolve_candidate(r, &c->allow.items[i], GP_PLACE(c, gp_candidates, allow));
    for (size_t i = 0; i < c->deny.count && !st; i++)
        st = resolve_candidate(r, &c->deny.items[i], GP_PLACE(c, gp_candidates, deny));
    return st;
}

/* ---- workloads ------------------------------------------------------------------------------- */

static gp_status resolve_one(gp_resolver *r, gp_workload *workload) {
    bool ok = true;
    gp_status st = gp_resolve_workload(r, workload, &ok);
    if (!st && ok && !r->plan->wrong)
        gp_check_workload(r, workload);
    return st;
}

static gp_status resolve_workloads(gp_resolver *r) {
    gp_status st = GP_OK;
    for (size_t i = 0; i < r->spec->workloads.count && !st; i++)
        st = resolve_one(r, &r->spec->workloads.items[i]);
    for (size_t i = 0; i < r->spec->growth.adds.count && !st; i++)
        st = resolve_one(r, &r->spec->growth.adds.items[i].workload);
    return st;
}

gp_status gp_spec_resolve(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                          gp_plan_document *plan) {
    gp_resolver r = {arena, catalog, diags, plan, &plan->spec};
    size_t errors = diags->errors;
    gp_defaults_fill(arena, diags, &plan->spec.defaults);
    gp_status st = resolve_places(&r);
    if (!st)
        st = resolve_candidates(&r);
    if (!st)
        st = resolve_workloads(&r);
    if (!st)
        gp_defaults_fill(arena, diags, plan);
    if (st)
        return st;
    if (!plan->wrong)
        gp_check_spec(&r);
    return plan->wrong || diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}
