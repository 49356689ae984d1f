/* Rules over several fields of a pool, and over the whole plan. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/fields.h"
#include "model/resolve.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"

/* ---- a pool ---------------------------------------------------------------------------------- */

static bool has_flops(const gp_flops *f) {
    return f->fp32 > 0 || f->tf32 > 0 || f->fp16 > 0 || f->bf16 > 0 || f->fp8 > 0 || f->fp4 > 0 ||
           f->int8 > 0;
}

static void system_complete(gp_resolver *r, const gp_pool *pool) {
    const gp_system *s = &pool->system;
    const struct {
        bool there;
        const char *key;
    } due[] = {
        {s->gpus > 0, "gpus"},
        {s->gpu.memory_bytes > 0, "gpu.memory"},
        {s->gpu.memory_bytes_per_s > 0, "gpu.memoryBandwidth"},
        {has_flops(&s->gpu.flops), "gpu.flops"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(due); i++)
        if (!due[i].there)
            gp_refuse_absence(r, s->meta.span.text ? s->meta.span : pool->meta.span,
                              gp_arena_printf(r->arena, "a system needs %s", due[i].key),
                              "the figure, or the id of a catalogue row that has it");
}

static void system_domain(gp_resolver *r, const gp_pool *pool) {
    const gp_system *s = &pool->system;
    bool fits =
        s->domain <= 0 || s->gpus <= 0 || s->gpus % s->domain == 0 || s->domain % s->gpus == 0;
    if (!fits)
        gp_refuse_values(r, GP_PLACE(s, gp_system, domain), "a divisor or a multiple of gpus",
                         "domain is %lld and the system has %lld GPUs", (long long)s->domain,
                         (long long)s->gpus);
    for (size_t i = 0; i < s->nics.count; i++) {
        const gp_nic *nic = &s->nics.items[i];
        if (!(nic->rate_bits_per_s > 0))
            gp_refuse_absence(r, nic->meta.span, "a compute port needs its rate",
                              "rate: bits per second (such as 400 Gb/s)");
    }
}

static void pool_counts(gp_resolver *r, const gp_pool *pool) {
    if (pool->connected > pool->count)
        gp_refuse_values(r, GP_PLACE(pool, gp_pool, connected), "at most count",
                         "%lld of %lld machines are connected", (long long)pool->connected,
                         (long long)pool->count);
    if (pool->in_use > pool->count)
        gp_refuse_values(r, GP_PLACE(pool, gp_pool, in_use), "at most count",
                         "%lld of %lld machines are in use", (long long)pool->in_use,
                         (long long)pool->count);
}

void gp_check_pool(gp_resolver *r, const gp_pool *pool) {
    system_complete(r, pool);
    system_domain(r, pool);
    pool_counts(r, pool);
}

static void maintenance_fits(gp_resolver *r, const gp_cluster *cluster) {
    const gp_maintenance *m = &cluster->maintenance;
    if (m->every_s > 0 && m->duration_s * 2 > m->every_s)
        gp_refuse_values(r, GP_PLACE(m, gp_maintenance, duration_s), "at most half of every",
                         "the cluster would be down most of the time");
}

/* ---- site ------------------------------------------------------------------------------------ */

static void site_power(gp_resolver *r, const gp_site *site) {
    const gp_site_power *p = &site->power;
    if (p->circuits.phases == 2)
        gp_refuse_values(r, GP_PLACE(&p->circuits, gp_circuits, phases), "1 or 3",
                         "a circuit has one phase or three");
    if (p->design.pue > 0 && p->annual.pue > p->design.pue)
        gp_refuse_values(r, GP_PLACE(&p->annual, gp_pue_spec, pue), "at most the design PUE",
                         "the annual PUE is above the design PUE");
    if (p->redundancy == GP_REDUNDANCY_2N && p->feeds < 2)
        gp_refuse_values(r, GP_PLACE(p, gp_site_power, redundancy), "feeds of 2 or more",
                         "2N redundancy with one feed");
}

static void site_racks(gp_resolver *r, const gp_site *site) {
    const gp_site_racks *racks = &site->racks;
    if (GP_GIVEN(racks, gp_site_racks, used_u) && racks->used_u > racks->height_u)
        gp_refuse_values(r, GP_PLACE(racks, gp_site_racks, used_u), "at most height",
                         "more rack units are used than a rack has");
}

/* ---- workloads ------------------------------------------------------------------------------- */

static void some_workload(gp_resolver *r) {
    const bool asks_for_room = GP_GIVEN(r->spec, gp_plan_spec, site) ||
                               r->spec->cluster.pools.count > 0 || r->spec->sites.count > 0;
    if (r->spec->workloads.count == 0 && !asks_for_room)
        gp_refuse_absence(r, GP_PLACE(r->spec, gp_plan_spec, workloads),
                          "a plan needs a workload, or a site or a cluster to fill",
                          "workloads: a list of what to run");
}

/* ---- cluster and candidates ------------------------------------------------------------------ */

static void spares(gp_resolver *r, const gp_cluster *c) {
    int64_t machines = 0;
    for (size_t i = 0; i < c->pools.count; i++)
        machines += c->pools.items[i].count;
    if (c->pools.count > 0 && c->reserve.spare_nodes > machines)
        gp_refuse_values(r, GP_PLACE(&c->reserve, gp_reserve, spare_nodes),
                         "at most the machines of all pools", "%lld of %lld machines are spares",
                         (long long)c->reserve.spare_nodes, (long long)machines);
}

static void candidates(gp_resolver *r) {
    const gp_candidates *c = &r->spec->candidates;
    if (GP_GIVEN(c, gp_candidates, allow) && c->allow.count == 0)
        gp_refuse_values(r, GP_PLACE(c, gp_candidates, allow),
                         "one name or more; leave the key out to allow all",
                         "an empty list allows nothing");
    for (size_t i = 0; i < c->allow.count; i++)
        for (size_t k = 0; k < c->deny.count; k++)
            if (gp_str_equal(c->allow.items[i], c->deny.items[k]))
                gp_refuse_values(r, GP_PLACE(c, gp_candidates, deny), "each name in one list",
                                 "\"%s\" is both allowed and denied", c->deny.items[k]);
    if (c->limits.step > c->limits.max_nodes)
        gp_refuse_values(r, GP_PLACE(&c->limits, gp_candidate_limits, step), "at most maxNodes",
                         "step is %lld and maxNodes %lld", (long long)c->limits.step,
                         (long long)c->limits.max_nodes);
}

static void default_release(gp_resolver *r) {
    const gp_software *s = &r->spec->defaults.software;
    if (s->release && s->framework && s->engine)
        gp_refuse_values(r, GP_PLACE(s, gp_software, release),
                         "framework or engine with it; state the other on its workloads",
                         "a release for a framework and an engine at once");
}

/* ---- growth ---------------------------------------------------------------------------------- */

static const gp_workload *workload_named(const gp_resolver *r, const char *name) {
    const gp_workload *own = GP_NAMED(r->spec->workloads, name, name);
    if (own != NULL)
        return own;
    for (size_t i = 0; i < r->spec->growth.adds.count; i++)
        if (gp_str_equal(r->spec->growth.adds.items[i].workload.name, name))
            return &r->spec->growth.adds.items[i].workload;
    return NULL;
}

static const char *nearest_workload(const gp_resolver *r, const char *name) {
    for (size_t i = 0; i < r->spec->workloads.count; i++) {
        const char *other = r->spec->workloads.items[i].name;
        if (gp_str_distance(name, strlen(name), other) >= 0)
            return other;
    }
    return NULL;
}

/* What shrinks by more than all there is has no meaning, whatever the period. */
static void scenario_rates(gp_resolver *r) {
    const gp_struct *type = r->spec->growth.scenarios.meta.type;
    for (size_t i = 0; i < type->field_count; i++) {
        gp_any_list list = gp_list_get(&r->spec->growth.scenarios, &type->fields[i]);
        const gp_entry *entries = list.items;
        for (size_t k = 0; k < list.count; k++) {
            double percent = 0;
            size_t len = strcspn(entries[k].text, "%");
            if (gp_num_parse(entries[k].text, len, &percent) && percent <= -100)
                gp_refuse_values(r, entries[k].span, "more than -100 %",
                                 "\"%s\" cannot shrink by more than 100%%", entries[k].key);
        }
    }
}

static bool runs_once(const gp_workload *w) {
    const bool ends = w->type != GP_WORKLOAD_INFERENCE || w->traffic.requests > 0;
    return ends && w->goal.complete_within_s > 0 && !(w->goal.every_s > 0) &&
           !(w->jobs.per_week > 0) && w->jobs.concurrent <= 1;
}

/* Growth of a run that happens once says nothing. */
static void scenario_of_runs(gp_resolver *r) {
    const gp_growth *growth = &r->spec->growth;
    for (size_t i = 0; growth->horizon_s > 0 && i < growth->scenarios.expected.count; i++) {
        const gp_entry *entry = &growth->scenarios.expected.items[i];
        const gp_workload *w = GP_NAMED(r->spec->workloads, name, entry->key);
        if (w != NULL && runs_once(w) && (entry->value > 0 || entry->value < 0))
            gp_refuse_values(
                r, entry->span,
                "growth of a service or of a run with goal.every, or growth.add for a future run",
                "%s runs once, so its demand cannot grow", w->name);
    }
}

static void scenario_names(gp_resolver *r) {
    const gp_field *fields = r->spec->growth.scenarios.meta.type->fields;
    for (size_t i = 0; i < r->spec->growth.scenarios.meta.type->field_count; i++) {
        gp_any_list list = gp_list_get(&r->spec->growth.scenarios, &fields[i]);
        const gp_entry *entries = list.items;
        for (size_t k = 0; k < list.count; k++) {
            const char *name = entries[k].key;
            if (!workload_named(r, name))
                gp_diags_error(r->diags, GP_ID_UNKNOWN_LOCAL, entries[k].span,
                               "the name of a workload", nearest_workload(r, name),
                               "no workload \"%s\"", gp_shown(r->arena, name, strlen(name)));
        }
    }
}

static const gp_entry *entry_named(gp_any_list list, const char *key) {
    const gp_entry *entries = list.items;
    return GP_NAMED_OF(entries, list.count, key, key);
}

static void compare_scenarios(gp_resolver *r, const gp_field *lower, const gp_field *upper) {
    gp_any_list low = gp_list_get(&r->spec->growth.scenarios, lower);
    gp_any_list high = gp_list_get(&r->spec->growth.scenarios, upper);
    const gp_entry *entries = low.items;
    for (size_t i = 0; i < low.count; i++) {
        const gp_entry *other = entry_named(high, entries[i].key);
        if (other && other->value < entries[i].value)
            gp_refuse_values(r, other->span, "low <= expected <= high",
                             "\"%s\" grows more slowly in %s than in %s", other->key, upper->key,
                             lower->key);
    }
}

/* Rows of the table are in rising order: low, expected, high. */
static void scenario_order(gp_resolver *r) {
    const gp_struct *type = r->spec->growth.scenarios.meta.type;
    for (size_t i = 0; i < type->field_count; i++)
        for (size_t k = i + 1; k < type->field_count; k++)
            compare_scenarios(r, &type->fields[i], &type->fields[k]);
}

static void added_names(gp_resolver *r) {
    for (size_t i = 0; i < r->spec->growth.adds.count; i++) {
        const gp_workload *added = &r->spec->growth.adds.items[i].workload;
        const gp_workload *first = workload_named(r, added->name);
        if (first == added || !added->name)
            continue;
        gp_diag diag = {.id = GP_ID_DUPLICATE_NAME, .level = GP_LEVEL_ERROR};
        diag.span = GP_PLACE(added, gp_workload, name);
        diag.related = GP_PLACE(first, gp_workload, name);
        diag.related_text = "first defined here";
        diag.message = gp_arena_printf(r->arena, "the name \"%s\" is already used",
                                       gp_shown(r->arena, added->name, strlen(added->name)));
        gp_diags_add(r->diags, &diag);
    }
}

static void place(gp_resolver *r, const gp_site *site, const gp_cluster *cluster) {
    site_power(r, site);
    site_racks(r, site);
    spares(r, cluster);
    maintenance_fits(r, cluster);
}

static void (*const rules[])(gp_resolver *) = {
    some_workload,  candidates,     default_release,  scenario_names,
    scenario_rates, scenario_order, scenario_of_runs, added_names,
};

void gp_check_spec(gp_resolver *r) {
    const bool several = r->spec->sites.count > 1;
    for (size_t i = 0; several && i < r->spec->sites.count; i++)
        place(r, &r->spec->sites.items[i].site, &r->spec->sites.items[i].cluster);
    if (!several)
        place(r, &r->spec->site, &r->spec->cluster);
    for (size_t i = 0; i < GP_COUNT_OF(rules); i++)
        rules[i](r);
    gp_check_teams(r);
}
