/*
 * The machine kinds a plan may use: the declared pools, what spec.candidates allows to buy or rent,
 * and, where it allows nothing by name, each recent kind of catalogue machine whose figures were
 * read at a source and whose GPU has measured classes of its own, of the cluster's vendors.
 */
#include "plan/usage.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static const char cloud_prefix[] = "cloud:";
static const char system_prefix[] = "system/";
static const double bits_per_gigabit = 1e9; /* definition */

/* Some workload asks for this very pool. */
static bool is_asked_for(const gp_plan_context *plan, const gp_pool *pool) {
    for (size_t i = 0; i < plan->spec->workloads.count; i++)
        if (gp_str_equal(plan->spec->workloads.items[i].placement.pool, pool->name))
            return true;
    return false;
}

/* A pool of plain catalogue machines that nobody asks for by name: one kind with others like it. */
static bool is_plain(const gp_plan_context *plan, const gp_pool *pool) {
    return pool->system.id != NULL && !GP_GIVEN(pool, gp_pool, overrides) &&
           !is_asked_for(plan, pool);
}

/* Machines that are bought of this unit are anybody's: those of a pool that a workload asks for
 * are not. */
static bool is_open(const gp_plan_context *plan, const gp_unit *unit) {
    return unit->pool == NULL || !is_asked_for(plan, unit->pool);
}

static bool is_of(const gp_plan_context *plan, const gp_pool *pool, const gp_unit *unit) {
    return unit->pool == pool ||
           (unit->pool != NULL && is_plain(plan, pool) && is_plain(plan, unit->pool) &&
            gp_str_equal(pool->system.id, unit->pool->system.id));
}

bool gp_unit_has_pool(const gp_plan_context *plan, const gp_unit *unit, const char *name) {
    const gp_cluster *cluster = &gp_plan_spec_at(plan, (size_t)(unit - plan->units))->cluster;
    for (size_t i = 0; i < cluster->pools.count; i++)
        if (gp_str_equal(cluster->pools.items[i].name, name) &&
            is_of(plan, &cluster->pools.items[i], unit))
            return true;
    return false;
}

/* `name` is its id, or an alias of its system. */
static bool kind_named(const gp_unit *unit, const char *name) {
    if (gp_str_equal(unit->id, name) || gp_str_equal(unit->system->id, name))
        return true;
    for (size_t i = 0; i < unit->system->aliases.count; i++)
        if (gp_str_equal_nocase(unit->system->aliases.items[i], name))
            return true;
    return false;
}

/* `name` stands for this unit: that of its kind, or of a pool of it. */
static bool unit_named(const gp_plan_context *plan, const gp_unit *unit, const char *name) {
    return kind_named(unit, name) || gp_unit_has_pool(plan, unit, name);
}

/* The kind of machine may not be used, or this pool of it; NULL: machines of no pool. */
static bool denied(const gp_plan_context *plan, const gp_unit *unit, const gp_pool *pool) {
    const gp_candidates *candidates = &plan->spec->candidates;
    for (size_t i = 0; i < candidates->deny.count; i++) {
        const char *name = candidates->deny.items[i];
        if (kind_named(unit, name) || (pool != NULL && gp_str_equal(pool->name, name)))
            return true;
    }
    return false;
}

/* Room was made for every kind that the spec and the catalogue can name. */
static gp_unit *add_unit(gp_plan_context *plan) {
    return &plan->units[plan->unit_count++];
}

/* The same kind of machine stands at an earlier site. */
static bool is_repeated(const gp_plan_context *plan, size_t unit) {
    for (size_t u = 0; u < unit; u++)
        if (gp_str_equal(plan->units[u].id, plan->units[unit].id))
            return true;
    return false;
}

static void name_adapters(gp_plan_context *plan, const gp_unit *unit) {
    const gp_nic *nic = &unit->system->nics.items[0];
    const char *message =
        gp_arena_printf(plan->arena, "%s states no nics: %lld x %.0f Gb/s assumed", unit->id,
                        (long long)nic->count, nic->rate_bits_per_s / bits_per_gigabit);
    gp_diags_add(plan->diags,
                 &(gp_diag){.id = "GP1009",
                            .level = GP_LEVEL_WARNING,
                            .span = unit->system->meta.span,
                            .message = message,
                            .expected = "nics: the ports of the compute fabric and their rate"});
}

/* What nobody knows the power of stands in no limit and beside no other: it is not bought where
 * there is a choice. */
static void name_powerless(gp_plan_context *plan) {
    bool choice = false;
    for (size_t u = 0; u < plan->unit_count; u++)
        choice = choice || (plan->units[u].may_buy && plan->units[u].power_known);
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_unit *unit = &plan->units[u];
        if (unit->power_known || unit->cloud != NULL)
            continue;
        const bool left_out = choice && unit->may_buy;
        unit->may_buy = unit->may_buy && !choice;
        gp_diags_add(plan->diags,
                     &(gp_diag){.id = "GP1009",
                                .level = GP_LEVEL_WARNING,
                                .span = unit->system->meta.span,
                                .message = gp_arena_printf(
                                    plan->arena, "%s states no power, nor does its GPU%s", unit->id,
                                    left_out ? ", so it is not bought" : ""),
                                .expected = "maxPower of the machine, or tdp of the GPU"});
    }
}

/* Adapters that nobody stated are assumed, one for each GPU on scale-up links, else one, and named
 * as the constant that they come from, so that a plan across machines stands on what it says. */
static void assume_adapters(gp_plan_context *plan, gp_unit *unit) {
    const gp_system *stated = unit->system;
    if (stated->nics.count > 0 || unit->cloud != NULL)
        return;
    gp_system *system = GP_NEW(plan->arena, gp_system);
    gp_nic *nic = GP_NEW(plan->arena, gp_nic);
    gp_origin *origins = GP_NEW_ARRAY(plan->arena, gp_origin, stated->meta.type->field_count);
    *system = *stated;
    memcpy(origins, stated->meta.origins, stated->meta.type->field_count * sizeof *origins);
    system->meta.origins = origins;
    nic->rate_bits_per_s = plan->constants->fabric_assumed_bits_per_s;
    nic->count = stated->domain > 1 ? stated->gpus : 1;
    system->nics.items = nic;
    system->nics.count = 1;
    const gp_origin *at = gp_origin_at(&system->meta, offsetof(gp_system, nics));
    origins[at - origins] = *GP_ORIGIN_OF(plan->constants, gp_constants, fabric_assumed_bits_per_s);
    unit->system = system;
    unit->assumed_nics = true;
}

/* A machine that is written out in the spec goes by its pool's name wherever an id is due. */
static void named_system(gp_plan_context *plan, const gp_pool *pool, const gp_system **ret_system) {
    *ret_system = &pool->system;
    if (pool->system.id != NULL)
        return;
    gp_system *system = GP_NEW(plan->arena, gp_system);
    *system = pool->system;
    system->id = pool->name;
    *ret_system = system;
}

/* Machines of a pool join those of another that are the same. Those of a denied one only stand. */
static void add_pools(gp_plan_context *plan) {
    const gp_cluster *cluster = &plan->spec->cluster;
    for (size_t i = 0; i < cluster->pools.count; i++) {
        const gp_pool *pool = &cluster->pools.items[i];
        gp_unit *unit = NULL;
        for (size_t u = 0; u < plan->unit_count && unit == NULL; u++)
            unit = is_of(plan, pool, &plan->units[u]) ? &plan->units[u] : NULL;
        if (unit == NULL) {
            unit = add_unit(plan);
            *unit = (gp_unit){.pool = pool};
            named_system(plan, pool, &unit->system);
            unit->id = unit->system->id;
        }
        unit->there_nodes += pool->count;
        unit->fabric_nodes += GP_GIVEN(pool, gp_pool, connected) ? pool->connected : pool->count;
        unit->fabric_stated |=
            GP_GIVEN(pool, gp_pool, connected) || GP_GIVEN(pool, gp_pool, switches);
        if (!denied(plan, unit, pool))
            unit->owned_nodes += gp_num_max_i64(0, pool->count - pool->in_use);
        unit->switches.leaf += pool->switches.leaf;
        unit->switches.spine += pool->switches.spine;
        unit->switches.core += pool->switches.core;
    }
}

/* A rented instance as a machine: GPUs and network are the row's, the rest is the provider's. */
static gp_status cloud_system(gp_plan_context *plan, const gp_cloud *cloud,
                              const gp_system **ret_system) {
    const void *gpu = NULL;
    gp_status st = gp_catalog_find(plan->catalog, GP_CATALOG_GPUS, cloud->gpu, &gpu, NULL, NULL);
    if (st != GP_OK)
        return st;
    gp_system *system = GP_NEW(plan->arena, gp_system);
    gp_nic *nic = GP_NEW(plan->arena, gp_nic);
    const gp_struct *type = gp_catalog_kind_type(GP_CATALOG_SYSTEMS);
    gp_origin *system_origins = GP_NEW_ARRAY(plan->arena, gp_origin, type->field_count);
    const gp_origin from = {
        .kind = GP_ORIGIN_CATALOG,
        .span = cloud->meta.span,
        .source = cloud->source,
        .date = cloud->date,
        .evidence = (uint8_t)cloud->evidence,
    };
    for (size_t i = 0; i < type->field_count; i++)
        system_origins[i] = from;
    nic->rate_bits_per_s = cloud->network_bits_per_s;
    nic->count = 1;
    system->meta = (gp_meta){.type = type, .origins = system_origins, .span = cloud->meta.span};
    system->id = cloud->id;
    system->source = cloud->source;
    system->date = cloud->date;
    system->gpu = *(const gp_gpu *)gpu;
    system->gpus = cloud->gpus;
    const int64_t most = system->gpu.domain_max;
    system->domain = most > 0 ? gp_num_min_i64(most, cloud->gpus) : cloud->gpus;
    system->memory_bytes = cloud->memory_bytes;
    system->nics.items = nic;
    system->nics.count = cloud->network_bits_per_s > 0 ? 1 : 0;
    *ret_system = system;
    return GP_OK;
}

static gp_status add_cloud(gp_plan_context *plan, const char *name) {
    const void *row = NULL;
    gp_status st = gp_catalog_find(plan->catalog, GP_CATALOG_CLOUDS, name, &row, NULL, NULL);
    if (st != GP_OK)
        return st;
    gp_unit *unit = add_unit(plan);
    *unit = (gp_unit){.cloud = row, .may_buy = true};
    unit->is_spot = gp_str_equal(unit->cloud->term, "spot");
    /* The catalogue has dollars; in another currency a list has to say. */
    if (gp_str_equal(plan->result->currency, "USD"))
        unit->hourly.per_s =
            unit->is_spot ? unit->cloud->spot_usd_per_s : unit->cloud->on_demand_usd_per_s;
    unit->id = gp_arena_printf(plan->arena, "%s%s", cloud_prefix, unit->cloud->id);
    return cloud_system(plan, unit->cloud, &unit->system);
}

static void add_system(gp_plan_context *plan, const gp_system *row) {
    for (size_t i = 0; i < plan->unit_count; i++)
        if (gp_str_equal(plan->units[i].system->id, row->id) && is_open(plan, &plan->units[i])) {
            plan->units[i].may_buy = true;
            return;
        }
    gp_unit *unit = add_unit(plan);
    *unit = (gp_unit){.system = row, .id = row->id, .may_buy = true};
    if (denied(plan, unit, NULL))
        plan->unit_count--;
}

static bool has_pool(const gp_cluster *cluster, const char *name) {
    for (size_t i = 0; i < cluster->pools.count; i++)
        if (gp_str_equal(cluster->pools.items[i].name, name))
            return true;
    return false;
}

/* A pool of another site. */
static bool is_elsewhere(const gp_plan_context *plan, const char *name) {
    return plan->of_several && has_pool(&plan->document->spec.cluster, name) &&
           !has_pool(&plan->spec->cluster, name);
}

static gp_status add_allowed(gp_plan_context *plan) {
    const gp_candidates *candidates = &plan->spec->candidates;
    for (size_t i = 0; i < candidates->allow.count; i++) {
        const char *name = candidates->allow.items[i];
        const char *cloud =
            gp_str_starts(name, cloud_prefix) ? name + sizeof cloud_prefix - 1 : NULL;
        gp_status st = GP_OK;
        bool known = is_elsewhere(plan, name);
        if (cloud != NULL) {
            st = add_cloud(plan, cloud);
            known = true;
        }
        for (size_t u = 0; u < plan->unit_count; u++)
            if (unit_named(plan, &plan->units[u], name)) {
                plan->units[u].may_buy = true;
                known = known || is_open(plan, &plan->units[u]) ||
                        gp_str_equal(plan->units[u].pool->name, name);
            }
        if (!known) {
            const void *row = NULL;
            st = gp_catalog_find(plan->catalog, GP_CATALOG_SYSTEMS, name, &row, NULL, NULL);
            if (st == GP_OK)
                add_system(plan, row);
        }
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

static bool known_vendor(const gp_plan_context *plan, const char *vendor) {
    const gp_cluster *cluster = &plan->document->spec.cluster;
    for (size_t i = 0; i < cluster->pools.count; i++)
        if (gp_str_equal(cluster->pools.items[i].system.gpu.vendor, vendor))
            return true;
    return cluster->pools.count == 0;
}

/* A tray of a rack-scale part, or several machines sold as one, is no machine to plan with. */
static bool is_whole_machine(const gp_system *row, const gp_machine *machine) {
    if (row->gpu.domain_max <= 1)
        return machine->domain == 1 || machine->domain == machine->gpus;
    return machine->domain == machine->gpus && machine->domain >= row->gpu.domain_max;
}

static bool offered_by_default(const gp_plan_context *plan, const gp_system *row,
                               const gp_machine *machine, int64_t newest) {
    const int64_t years = (int64_t)plan->constants->plan_candidate_years;
    return is_whole_machine(row, machine) && row->evidence != GP_EVIDENCE_ASSUMED &&
           row->max_power_w > 0 && row->nics.count > 0 && !machine->inherited &&
           machine->efficiency[GP_PRECISION_BF16] != NULL && row->gpu.released + years >= newest &&
           known_vendor(plan, row->gpu.vendor);
}

/* Of several rows of one kind of machine the one with the fewest unverified figures stands in. */
static bool better_known(const gp_system *row, const gp_system *other) {
    if (row->unverified.count != other->unverified.count)
        return row->unverified.count < other->unverified.count;
    return gp_str_compare(row->id, other->id) < 0;
}

static bool same_kind(const gp_system *row, const gp_system *other) {
    return row->domain == other->domain && row->gpus == other->gpus &&
           gp_str_equal(row->gpu.id, other->gpu.id);
}

static int64_t newest_year(const void *const *rows, size_t count) {
    int64_t newest = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_system *row = rows[i];
        if (row->evidence != GP_EVIDENCE_ASSUMED)
            newest = gp_num_max_i64(newest, row->gpu.released);
    }
    return newest;
}

/* Another offered row describes the same kind of machine better. */
static bool outdone(const void *const *rows, const bool *offered, size_t count, size_t i) {
    for (size_t j = 0; j < count; j++)
        if (j != i && offered[j] && same_kind(rows[i], rows[j]) && better_known(rows[j], rows[i]))
            return true;
    return false;
}

/* Looked up here once, so that the search looks nothing up; without what better parts are known to
 * reach, which is enough to tell what a machine has. */
static gp_status plain_machine(gp_plan_context *plan, const gp_system *system, gp_machine *ret) {
    enum { FITS, EFFICIENCIES, POWERS, GPUS, KINDS };
    static const gp_catalog_kind kinds[KINDS] = {
        [FITS] = GP_CATALOG_COLLECTIVES,
        [EFFICIENCIES] = GP_CATALOG_EFFICIENCIES,
        [POWERS] = GP_CATALOG_POWERS,
        [GPUS] = GP_CATALOG_GPUS,
    };
    gp_row_list found[KINDS];
    for (int k = 0; k < KINDS; k++) {
        const gp_status st =
            gp_catalog_rows(plan->catalog, kinds[k], &found[k].items, &found[k].count);
        if (st != GP_OK)
            return st;
    }
    const gp_machine_rows rows = {
        .fits = (const gp_collective_fit *const *)found[FITS].items,
        .efficiencies = (const gp_efficiency *const *)found[EFFICIENCIES].items,
        .powers = (const gp_power_class *const *)found[POWERS].items,
        .fit_count = found[FITS].count,
        .efficiency_count = found[EFFICIENCIES].count,
        .power_count = found[POWERS].count,
    };
    gp_machine_derive(system, &rows, plan->spec->site.power.cap_fraction, ret);
    const gp_gpu_rates **rates = gp_memory_rates(plan);
    plan->rate_count = found[GPUS].count;
    if (*rates == NULL)
        gp_gpu_rates_all(gp_memory_arena(plan), (const gp_gpu *const *)found[GPUS].items,
                         plan->rate_count, &rows, rates);
    plan->rates = *rates;
    return GP_OK;
}

static gp_status init_machine(gp_plan_context *plan, gp_unit *unit) {
    const double cap_fraction = plan->spec->site.power.cap_fraction;
    if (gp_memory_recall_machine(plan, unit->system, cap_fraction, &unit->machine))
        return GP_OK;
    const gp_status st = plain_machine(plan, unit->system, &unit->machine);
    if (st != GP_OK)
        return st;
    gp_machine_order(gp_memory_arena(plan), plan->rates, plan->rate_count, &unit->machine);
    gp_memory_keep_machine(plan, unit->system, cap_fraction, &unit->machine);
    return GP_OK;
}

static gp_status add_defaults(gp_plan_context *plan) {
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_SYSTEMS, &rows, &count);
    if (st != GP_OK)
        return st;
    bool *offered = GP_NEW_ARRAY(plan->arena, bool, count);
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->units[u].may_buy = true;
    const int64_t newest = newest_year(rows, count);
    for (size_t i = 0; i < count && st == GP_OK; i++) {
        gp_machine machine;
        st = plain_machine(plan, rows[i], &machine);
        offered[i] = st == GP_OK && offered_by_default(plan, rows[i], &machine, newest);
    }
    for (size_t i = 0; i < count && st == GP_OK; i++)
        if (offered[i] && !outdone(rows, offered, count, i))
            add_system(plan, rows[i]);
    return st;
}

/* Machines whose GPU no efficiency class describes cannot be planned with: the spec has to name an
 * architecture that has one. */
static gp_status check_classes(gp_plan_context *plan) {
    gp_status st = GP_OK;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        bool known = false;
        for (int p = 0; p < GP_PRECISION_COUNT; p++)
            known = known || unit->machine.efficiency[p] != NULL;
        if (known || is_repeated(plan, u))
            continue;
        const gp_gpu *gpu = &unit->system->gpu;
        gp_diags_error(
            plan->diags, "GP1019", gpu->meta.span,
            "flops for a precision, and an arch that `gpuplan catalog list efficiencies` shows",
            NULL, "no efficiency class describes the GPU \"%s\" of architecture \"%s\"",
            gpu->id != NULL ? gpu->id : "", gpu->arch != NULL ? gpu->arch : "");
        st = GP_ERR_INPUT;
    }
    return st;
}

static void set_price(gp_unit *unit, const gp_price *price) {
    const bool system = gp_str_starts(price->item, system_prefix) && unit->cloud == NULL &&
                        gp_str_equal(price->item + sizeof system_prefix - 1, unit->system->id);
    if (system)
        unit->price = price->price;
}

/* The catalogue says nothing of an instance that the lists have a price for. */
static void set_contracts(const gp_plan_context *plan, gp_unit *unit) {
    const gp_contract hourly = gp_plan_contract(plan, unit->cloud, false);
    const gp_contract reserved = gp_plan_contract(plan, unit->cloud, true);
    if (hourly.quote == NULL && reserved.quote == NULL)
        return;
    unit->hourly = hourly;
    unit->reserved = reserved;
}

static void set_prices(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_unit *unit = &plan->units[u];
        if (unit->cloud != NULL)
            set_contracts(plan, unit);
        for (size_t p = 0; p < plan->price_count; p++)
            for (size_t i = 0; i < plan->prices[p]->items.count; i++)
                set_price(unit, &plan->prices[p]->items.items[i]);
    }
}

/* Spares come off the first pools that have them free; system nodes have no GPUs and are none of
 * theirs. */
static void take_reserve(gp_plan_context *plan) {
    const gp_reserve *reserve = &plan->spec->cluster.reserve;
    int64_t wanted = reserve->spare_nodes;
    for (size_t u = 0; u < plan->unit_count && wanted > 0; u++) {
        const int64_t taken = gp_num_min_i64(wanted, plan->units[u].owned_nodes);
        plan->units[u].owned_nodes -= taken;
        plan->units[u].spare_nodes = taken;
        wanted -= taken;
    }
}

/* What may be bought of a kind may be bought for each pool of it. */
static void buy_alike(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t k = 0; k < plan->unit_count && plan->units[u].pool != NULL; k++)
            if (plan->units[k].may_buy && plan->units[k].system->id != NULL &&
                gp_str_equal(plan->units[k].system->id, plan->units[u].system->id))
                plan->units[u].may_buy = true;
}

/* Where only a pool is denied, more of what the catalogue has of its kind may be bought. */
static void deny_purchases(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_unit *unit = &plan->units[u];
        const bool common = unit->pool != NULL && is_plain(plan, unit->pool);
        unit->may_buy = unit->may_buy && !denied(plan, unit, common ? NULL : unit->pool);
    }
}

/* Of one site, in room of its own. */
static gp_status find_units(gp_plan_context *plan) {
    const void *const *rows = NULL;
    size_t systems = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_SYSTEMS, &rows, &systems);
    if (st != GP_OK)
        return st;
    plan->unit_count = 0;
    plan->units = GP_NEW_ARRAY(plan->arena, gp_unit,
                               plan->spec->cluster.pools.count +
                                   plan->spec->candidates.allow.count + systems + 1);
    add_pools(plan);
    st = plan->spec->candidates.allow.count > 0 ? add_allowed(plan) : add_defaults(plan);
    buy_alike(plan);
    deny_purchases(plan);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++)
        assume_adapters(plan, &plan->units[u]);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++) {
        plan->units[u].site = GP_NO_SITE;
        plan->units[u].power_known = gp_system_tdp_w(plan->units[u].system, plan->constants) > 0;
        st = init_machine(plan, &plan->units[u]);
    }
    if (st == GP_OK)
        take_reserve(plan);
    return st;
}

/* The machines of a site behind those of the others; what is in a cloud is at none. */
static size_t take_units(gp_plan_context *plan, const gp_plan_context *from, int site) {
    const size_t first = plan->unit_count;
    for (size_t u = 0; u < from->unit_count; u++)
        if ((from->units[u].cloud != NULL) == (site == GP_NO_SITE)) {
            plan->units[plan->unit_count] = from->units[u];
            plan->units[plan->unit_count++].site = site;
        }
    return plan->unit_count - first;
}

/* Kinds of machines at each of several sites, then those in clouds. */
static gp_status find_units_by_site(gp_plan_context *plan) {
    gp_plan_context *at = GP_NEW_ARRAY(plan->arena, gp_plan_context, plan->site_count);
    gp_status st = GP_OK;
    size_t room = 0;
    for (size_t s = 0; s < plan->site_count && st == GP_OK; s++) {
        gp_plan_at(plan, s, &at[s]);
        st = find_units(&at[s]);
        plan->rates = at[s].rates; /* of the catalogue's GPUs: the same everywhere */
        room += at[s].unit_count;
    }
    if (st != GP_OK)
        return st;
    plan->units = GP_NEW_ARRAY(plan->arena, gp_unit, room + 1);
    for (size_t s = 0; s < plan->site_count; s++) {
        plan->sites[s].first = plan->unit_count;
        plan->sites[s].count = take_units(plan, &at[s], (int)s);
    }
    (void)take_units(plan, &at[0], GP_NO_SITE);
    return GP_OK;
}

gp_status gp_plan_units(gp_plan_context *plan) {
    gp_status st = plan->site_count > 0 ? find_units_by_site(plan) : find_units(plan);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++)
        if (plan->units[u].assumed_nics && !is_repeated(plan, u))
            name_adapters(plan, &plan->units[u]);
    if (st == GP_OK)
        name_powerless(plan);
    if (st == GP_OK)
        st = check_classes(plan);
    if (st == GP_OK)
        set_prices(plan);
    return st;
}

bool gp_plan_has_pools(const gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].there_nodes > 0)
            return true;
    return false;
}

const gp_share *gp_share_on(const gp_case *c, const gp_unit *unit) {
    for (size_t i = 0; i < c->workload->placement.shares.count; i++)
        if (gp_unit_has_pool(c->plan, unit, c->workload->placement.shares.items[i].pool))
            return &c->workload->placement.shares.items[i];
    return NULL;
}

const gp_parallelism *gp_parallelism_on(const gp_case *c, size_t unit) {
    const gp_share *stated = gp_share_on(c, &c->plan->units[unit]);
    return stated != NULL ? &stated->parallelism : &c->workload->parallelism;
}

const gp_phase *gp_prefill_on(const gp_case *c, size_t unit) {
    const gp_share *stated = gp_share_on(c, &c->plan->units[unit]);
    return stated != NULL ? &stated->prefill : &c->workload->prefill;
}

const gp_phase *gp_decode_on(const gp_case *c, size_t unit) {
    const gp_share *stated = gp_share_on(c, &c->plan->units[unit]);
    return stated != NULL ? &stated->decode : &c->workload->decode;
}
