/*
 * A plan as a spec that declares it: the documents that it was made from, with the machines of the
 * plan as the cluster and what was chosen for each workload as its layout. All else stays as it was
 * written, so that `check` judges the plan by the same goals and limits.
 */
#include "report/produce.h"

#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "model/fields.h"
#include "plan/plan.h"
#include "source/node_write.h"
#include "source/yaml_tree.h"

enum { TEXT_MAX = 16 << 20, LINE_DEPTH = 3, SEQUENCE_DIGITS = 15, CENTS = 2 };

static const double s_per_year = 31536000; /* 8,760 h: definition */

typedef struct declaring {
    gp_arena *arena;
    const gp_plan_result *plan;
    const char **pools;  /* by unit: the pool that stands for it; NULL: none does */
    const char *problem; /* the first, in words; NULL: none */
    gp_status st;        /* latched */
} declaring;

/* ------------------------------------------------------------ trees with other values in them */

static const gp_node *word(declaring *d, const char *text) {
    gp_node *node = GP_NEW(d->arena, gp_node);
    *node = (gp_node){.kind = GP_NODE_SCALAR, .text = text, .len = strlen(text)};
    return node;
}

/* The map (NULL: an empty one) with `value` under `key`, or without the key where it is NULL. */
static const gp_node *put(declaring *d, const gp_node *map, const char *key, const gp_node *value) {
    const size_t count = map != NULL && map->kind == GP_NODE_MAP ? map->count : 0;
    gp_node *ret = GP_NEW(d->arena, gp_node);
    gp_node_entry *entries = GP_NEW_ARRAY(d->arena, gp_node_entry, count + 1);
    *ret = (gp_node){.kind = GP_NODE_MAP, .entries = entries};
    bool there = value == NULL;
    for (size_t i = 0; i < count; i++) {
        const bool here = gp_node_is(map->entries[i].key, key);
        if (here && value == NULL)
            continue;
        entries[ret->count++] =
            here ? (gp_node_entry){map->entries[i].key, value} : map->entries[i];
        there = there || here;
    }
    const gp_node *name = there ? NULL : word(d, key);
    if (name != NULL)
        entries[ret->count++] = (gp_node_entry){name, value};
    return ret;
}

static const gp_node *put_word(declaring *d, const gp_node *map, const char *key,
                               const char *text) {
    return put(d, map, key, word(d, text));
}

static const gp_node *put_number(declaring *d, const gp_node *map, const char *key, int64_t value) {
    return put(d, map, key, word(d, gp_arena_printf(d->arena, "%lld", (long long)value)));
}

/* A list of the same items in an array of its own, with room for `more`. */
static gp_node *copied(declaring *d, const gp_node *list, size_t more, const gp_node ***ret_items) {
    const size_t count = list != NULL && list->kind == GP_NODE_SEQ ? list->count : 0;
    gp_node *ret = GP_NEW(d->arena, gp_node);
    const gp_node **items = GP_NEW_ARRAY(d->arena, const gp_node *, count + more + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = list->items[i];
    *ret = (gp_node){.kind = GP_NODE_SEQ, .count = count, .items = items};
    *ret_items = items;
    return ret;
}

/* What stands under a key as a map; a bare value stands for `key` of it. */
static const gp_node *as_map(declaring *d, const gp_node *node, const char *key) {
    if (node == NULL || node->kind == GP_NODE_MAP)
        return node;
    return put(d, NULL, key, node);
}

/* ------------------------------------------------------------ the cluster */

static int64_t standing(const declaring *d, const gp_unit *unit) {
    for (size_t i = 0; i < d->plan->room.kinds.count; i++)
        if (d->plan->room.kinds.items[i].unit == unit)
            return d->plan->room.kinds.items[i].nodes;
    return 0;
}

/* Switches that are built for later quarters as well are written down, since they stand. */
static bool tells_switches(const declaring *d, const gp_kind_room *kind) {
    return kind->fabric.leaf > 0 && GP_GIVEN(&d->plan->document->spec, gp_plan_spec, growth);
}

/* Machines of a unit that its fabric is built for; -1: all of them, or nobody tells of one. What
 * pools alone tell of a fabric they go on telling, and who writes down its switches tells of it. */
static int64_t connected(const declaring *d, const gp_unit *unit) {
    const gp_plan_result *plan = d->plan;
    const bool declared = plan->document->spec.cluster.fabrics.count > 0;
    for (size_t i = 0; i < plan->room.kinds.count; i++) {
        const gp_kind_room *kind = &plan->room.kinds.items[i];
        if (kind->unit != unit)
            continue;
        const bool some = kind->fabric_nodes < kind->nodes;
        const bool pools_tell = unit->fabric_stated && !declared;
        const bool told = declared || tells_switches(d, kind);
        return pools_tell || (told && some) ? kind->fabric_nodes : -1;
    }
    return -1;
}

static bool is_pool(const declaring *d, const char *name) {
    const gp_cluster *cluster = &d->plan->document->spec.cluster;
    if (GP_NAMED(cluster->pools, name, name) != NULL)
        return true;
    for (size_t u = 0; u < d->plan->units.count; u++)
        if (d->pools[u] != NULL && gp_str_equal(d->pools[u], name))
            return true;
    return false;
}

/* A kind that the cluster lacks gets a pool with the name of its machine. */
static const char *new_pool_name(declaring *d, const gp_unit *unit) {
    const char *name = unit->system->id;
    for (int more = 2; name != NULL && is_pool(d, name); more++)
        name = gp_arena_printf(d->arena, "%s-%d", unit->system->id, more);
    return name;
}

static const gp_node *new_pool(declaring *d, const gp_unit *unit, const char *name, int64_t count) {
    const gp_node *pool = put_word(d, NULL, "name", name);
    pool = put_word(d, pool, "system", unit->system->id);
    return put_number(d, pool, "count", count);
}

/* Of a kind's pools the first tells what all of them have more on the fabric than they had. */
static const gp_node *put_connected(declaring *d, const gp_node *pool, const gp_unit *unit) {
    const int64_t now = connected(d, unit);
    const gp_pool *first = unit->pool;
    const bool given = first != NULL && GP_GIVEN(first, gp_pool, connected);
    const int64_t had = first == NULL ? 0 : given ? first->connected : first->count;
    return now < 0 ? put(d, pool, "connected", NULL)
                   : put_number(d, pool, "connected", now - (unit->fabric_nodes - had));
}

/* What is built at once for the horizon stands before the machines that it is for. */
static const gp_node *put_fabric(declaring *d, const gp_node *pool, const gp_unit *unit) {
    const gp_plan_result *plan = d->plan;
    const gp_kind_room *kind = NULL;
    pool = put_connected(d, pool, unit);
    for (size_t i = 0; i < plan->room.kinds.count; i++)
        if (plan->room.kinds.items[i].unit == unit)
            kind = &plan->room.kinds.items[i];
    if (kind == NULL || !tells_switches(d, kind))
        return pool;
    const gp_pool_switches *first = unit->pool != NULL ? &unit->pool->switches : NULL;
    const struct {
        const char *key;
        int64_t stand, others;
    } rows[] = {
        {"leaf", kind->fabric.leaf, first != NULL ? unit->switches.leaf - first->leaf : 0},
        {"spine", kind->fabric.spine, first != NULL ? unit->switches.spine - first->spine : 0},
        {"core", kind->fabric.core, first != NULL ? unit->switches.core - first->core : 0},
    };
    const gp_node *switches = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        if (rows[i].stand > rows[i].others)
            switches = put_number(d, switches, rows[i].key, rows[i].stand - rows[i].others);
    return put(d, pool, "switches", switches);
}

/* Spares come off the first pools that have them free: where none of a pool's is left and later
 * ones give some, too, what is bought goes behind all pools, so that spares stay where they are. */
static bool grows(const declaring *d, const gp_unit *unit) {
    const gp_unit *end = d->plan->units.items + d->plan->units.count;
    bool later = false;
    for (const gp_unit *other = unit + 1; other < end; other++)
        later = later || other->owned_nodes < other->there_nodes;
    return unit->pool != NULL && (unit->owned_nodes > 0 || !later ||
                                  d->plan->document->spec.cluster.reserve.spare_nodes == 0);
}

/* Pools that stand, larger where more of their kind is bought, and a pool for every new kind. */
static const gp_node *pools_of(declaring *d, const gp_node *cluster) {
    const gp_plan_result *plan = d->plan;
    const gp_pool *first = plan->document->spec.cluster.pools.items;
    const gp_node **items = NULL;
    gp_node *pools = copied(d, gp_node_get(cluster, "pools"), plan->units.count, &items);
    for (size_t u = 0; pools != NULL && u < plan->units.count; u++) {
        const gp_unit *unit = &plan->units.items[u];
        const int64_t more = standing(d, unit) - unit->there_nodes;
        const size_t at = unit->pool != NULL ? (size_t)(unit->pool - first) : 0;
        d->pools[u] = unit->pool != NULL ? unit->pool->name : NULL;
        if (more > 0 && grows(d, unit))
            items[at] = put_number(d, items[at], "count", unit->pool->count + more);
        if (unit->pool != NULL && (more <= 0 || grows(d, unit))) {
            items[at] = put_fabric(d, items[at], unit);
        } else if (more > 0) {
            d->pools[u] = new_pool_name(d, unit);
            items[pools->count++] = put_fabric(d, new_pool(d, unit, d->pools[u], more), unit);
        }
    }
    return pools;
}

/* Spares are those that the plan has: what no pool had free for them was not bought either, unless
 * there was none. */
static const gp_node *reserve_of(declaring *d, const gp_node *reserve) {
    const gp_plan_result *plan = d->plan;
    const gp_cluster *cluster = &plan->document->spec.cluster;
    int64_t kept = 0;
    for (size_t u = 0; u < plan->units.count; u++)
        kept += plan->units.items[u].spare_nodes;
    return cluster->pools.count > 0 && kept < cluster->reserve.spare_nodes
               ? put_number(d, reserve, "spareNodes", kept)
               : reserve;
}

/* Storage that is bought. */
static const gp_node *storage_of(declaring *d, const gp_node *cluster) {
    const gp_room_plan *room = &d->plan->room;
    if (room->storage_product == NULL)
        return cluster;
    const gp_node *systems = put_word(d, NULL, "product", room->storage_product->id);
    return put(d, cluster, "storageSystems",
               put_number(d, systems, "count", room->storage_products));
}

/* ------------------------------------------------------------ layouts */

static const gp_node *serving_degrees(declaring *d, const gp_serve_layout *layout) {
    const gp_node *degrees = put_number(d, NULL, "tp", gp_num_max_i64(1, layout->tp));
    degrees = put_number(d, degrees, "pp", gp_num_max_i64(1, layout->pp));
    if (layout->attention_dp > 1)
        degrees = put_number(d, degrees, "dp", layout->attention_dp);
    return layout->ep > 1 ? put_number(d, degrees, "ep", layout->ep) : degrees;
}

static const gp_node *training_degrees(declaring *d, const gp_layout *layout) {
    const struct {
        const char *key;
        int64_t value;
    } rows[] = {
        {"tp", layout->tp},     {"pp", layout->pp},
        {"vpp", layout->vpp},   {"dp", layout->dp},
        {"cp", layout->cp},     {"ep", layout->ep},
        {"zero", layout->zero}, {"microBatch", layout->micro_batch},
    };
    const gp_node *degrees = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        degrees = put_number(d, degrees, rows[i].key, rows[i].value);
    return layout->shard_group > 0 ? put_number(d, degrees, "shardGroup", layout->shard_group)
                                   : degrees;
}

/* The batch of one step in tokens, as planned. */
static const gp_node *data_of(declaring *d, const gp_node *data, const gp_workload_plan *plan) {
    const double tokens =
        (double)plan->chosen.layout.global_batch_sequences * plan->workload->data.sequence_length;
    char text[GP_NUM_TEXT];
    if (!(tokens > 0))
        return data;
    (void)gp_num_format_g(text, tokens, SEQUENCE_DIGITS);
    data = put(d, data, "globalBatchRange", NULL);
    return put_word(d, data, "globalBatch", gp_arena_printf(d->arena, "%s", text));
}

static const gp_node *offload_of(declaring *d, const gp_layout *layout) {
    const gp_node *offload = put_word(d, NULL, "states", gp_offload_words[layout->offload]);
    const int to = layout->on_drives ? GP_OFFLOAD_NVME : GP_OFFLOAD_HOST;
    return layout->offload == GP_OFFLOAD_NONE
               ? offload
               : put_word(d, offload, "to", gp_offload_place_words[to]);
}

/* Who generates, and how. */
static const gp_node *rl_of(declaring *d, const gp_node *rl, const gp_rl_place *place) {
    const bool together = place->together;
    rl = put_word(d, rl, "pools",
                  gp_rl_pools_words[together ? GP_RL_POOLS_COLOCATED : GP_RL_POOLS_APART]);
    if (together)
        rl = put(d, rl, "lag", NULL);
    else
        rl = put_number(d, rl, "rolloutGpus", place->rollout_gpus);
    return put(d, rl, "engine", serving_degrees(d, &place->engine));
}

static const gp_node *training_of(declaring *d, const gp_node *node, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_node *jobs = gp_node_get(node, "jobs");
    if (plan->is_rl)
        node = put(d, node, "rl", rl_of(d, gp_node_get(node, "rl"), &chosen->rl.place));
    else
        node = put(d, node, "data", data_of(d, gp_node_get(node, "data"), plan));
    node = put(d, node, "parallelism", training_degrees(d, &chosen->layout));
    node = put_word(d, node, "recompute", gp_recompute_words[chosen->layout.recompute]);
    node = put(d, node, "offload", offload_of(d, &chosen->layout));
    return jobs == NULL ? node
                        : put(d, node, "jobs", put_number(d, jobs, "perGpu", chosen->jobs_per_gpu));
}

static const gp_node *phase_of(declaring *d, const gp_serve_layout *layout, int64_t replicas) {
    const gp_node *phase = put(d, NULL, "parallelism", serving_degrees(d, layout));
    return put_number(d, phase, "replicas", replicas);
}

static const gp_node *pools_apart(declaring *d, const gp_node *node, const gp_split_pools *pools) {
    node = put_word(d, node, "disaggregated", "true");
    node = put(d, node, "prefill", phase_of(d, &pools->layouts.prefill, pools->prefill_replicas));
    return put(d, node, "decode", phase_of(d, &pools->layouts.decode, pools->decode_replicas));
}

/* A share, and a service that has none: whether its pools are apart, its layout, its replicas. */
static const gp_node *replicas_of(declaring *d, const gp_node *node, const gp_candidate *chosen) {
    if (chosen->split.present)
        return pools_apart(d, node, &chosen->split);
    node = put(d, node, "parallelism", serving_degrees(d, &chosen->serve_layout));
    /* Declared replicas keep whole GPUs: what is on a part finds it again by its demand. */
    return chosen->part.in_use ? node : put_number(d, node, "replicas", chosen->replicas);
}

static const gp_node *share_of(declaring *d, const gp_candidate *share) {
    char text[GP_NUM_TEXT];
    (void)gp_num_format_g(text, share->share_fraction, SEQUENCE_DIGITS);
    const gp_node *node = put_word(d, NULL, "pool", d->pools[share->unit - d->plan->units.items]);
    node = put_word(d, node, "fraction", gp_arena_printf(d->arena, "%s", text));
    return replicas_of(d, node, share);
}

static const gp_node *shares_of(declaring *d, const gp_node *node, const gp_candidate *chosen) {
    const gp_node **items = NULL;
    gp_node *list = copied(d, NULL, (size_t)chosen->share_count, &items);
    for (int k = 0; k < chosen->share_count; k++)
        items[list->count++] = share_of(d, &chosen->shares[k]);
    return put(d, node, "placement", put(d, gp_node_get(node, "placement"), "shares", list));
}

static const gp_node *serving_of(declaring *d, const gp_node *node, const gp_workload_plan *plan) {
    node = put(d, put(d, node, "parallelism", NULL), "replicas", NULL);
    return plan->chosen.share_count > 0 ? shares_of(d, node, &plan->chosen)
                                        : replicas_of(d, node, &plan->chosen);
}

/* ------------------------------------------------------------ workloads */

/* Naming a pool takes it out of its kind: one of several like it, or one whose kind may be bought
 * in place of pools that others name, stays unnamed. */
static bool may_name(const declaring *d, const gp_unit *unit) {
    bool named = false;
    for (size_t i = 0; i < d->plan->workloads.count; i++)
        named = named || d->plan->workloads.items[i].workload->placement.pool != NULL;
    return unit->pool == NULL || (!named && unit->there_nodes == unit->pool->count);
}

static const gp_node *placed(declaring *d, const gp_node *node, const gp_workload_plan *plan) {
    const gp_unit *unit = plan->chosen.unit;
    const char *pool = d->pools[unit - d->plan->units.items];
    const gp_node *placement = as_map(d, gp_node_get(node, "placement"), "pool");
    const bool named = plan->workload->placement.pool != NULL;
    if (pool == NULL || !(named || may_name(d, unit)))
        return node;
    return put(d, node, "placement", put_word(d, placement, "pool", pool));
}

static void refuse(declaring *d, const char *problem) {
    d->problem = problem;
    d->st = GP_ERR_INPUT;
}

static const gp_node *workload_of(declaring *d, const gp_node *node, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    const char *name = plan->workload->name;
    if (plan->scale == GP_SCALE_INFEASIBLE || !chosen->feasible) {
        refuse(d, gp_arena_printf(d->arena,
                                  "the workload '%s' is infeasible: there is nothing to declare",
                                  name));
        return node;
    }
    if (chosen->unit->cloud != NULL) {
        refuse(d, gp_arena_printf(d->arena,
                                  "the workload '%s' runs on rented machines (%s): a cluster "
                                  "declares only machines on the site",
                                  name, chosen->unit->id));
        return node;
    }
    if (chosen->share_count == 0)
        node = placed(d, node, plan);
    if (plan->is_seats)
        return node;
    return plan->is_serving ? serving_of(d, node, plan) : training_of(d, node, plan);
}

static const gp_node *workloads_of(declaring *d, const gp_node *list) {
    const gp_node **items = NULL;
    const gp_node *ret = copied(d, list, 0, &items);
    for (size_t i = 0; ret != NULL && i < ret->count && d->st == GP_OK; i++)
        items[i] = workload_of(d, items[i], &d->plan->workloads.items[i]);
    return ret;
}

/* ------------------------------------------------------------ the documents */

/* An objective that a flag gave stands in the spec from now on. */
static const gp_node *candidates_of(declaring *d, const gp_node *candidates) {
    const bool asked = !d->plan->objective_was_auto &&
                       d->plan->document->spec.candidates.objective != (int)d->plan->objective;
    return asked ? put_word(d, as_map(d, candidates, "allow"), "objective",
                            gp_objective_words[d->plan->objective])
                 : candidates;
}

/* What the cluster has from now on was bought. */
static double spent(const gp_plan_result *plan) {
    double money = 0;
    for (size_t i = 0; i < plan->room.bill.count; i++)
        money += plan->room.bill.items[i].unit_price * (double)plan->room.bill.items[i].bought;
    return money;
}

/* An amount as the spec states it, less what is spent of it; `unit` follows the currency. */
static const gp_node *less(declaring *d, const gp_node *budget, const char *key, double amount,
                           const char *unit) {
    char text[GP_NUM_TEXT];
    (void)gp_num_format_fixed(text, gp_num_max(0, amount), CENTS);
    return put_word(d, budget, key,
                    gp_arena_printf(d->arena, "%s %s%s", text, d->plan->currency, unit));
}

/* Capital that is spent is not there to be spent again, nor is what writing it off takes a year. */
static const gp_node *costs_of(declaring *d, const gp_node *costs) {
    const gp_budget *stated = &d->plan->document->spec.costs.budget;
    const gp_cost *cost = &d->plan->site.cost;
    const double money = spent(d->plan);
    const gp_node *budget = gp_node_get(costs, "budget");
    if (budget == NULL || !(money > 0))
        return costs;
    const double share = money / cost->capital;
    const double yearly = (cost->capital_per_s + cost->support_per_s) * share * s_per_year;
    if (GP_GIVEN(stated, gp_budget, capital))
        budget = less(d, budget, "capital", stated->capital - money, "");
    if (GP_GIVEN(stated, gp_budget, per_s))
        budget = less(d, budget, "recurring", stated->per_s * s_per_year - yearly, "/yr");
    return put(d, costs, "budget", budget);
}

static const gp_node *spec_of(declaring *d, const gp_node *spec) {
    const gp_node *cluster = gp_node_get(spec, "cluster");
    cluster = put(d, cluster, "pools", pools_of(d, cluster));
    cluster = put(d, cluster, "reserve", reserve_of(d, gp_node_get(cluster, "reserve")));
    spec = put(d, spec, "cluster", storage_of(d, cluster));
    spec = put(d, spec, "costs", costs_of(d, gp_node_get(spec, "costs")));
    spec = put(d, spec, "candidates", candidates_of(d, gp_node_get(spec, "candidates")));
    return put(d, spec, "workloads", workloads_of(d, gp_node_get(spec, "workloads")));
}

static void write_documents(declaring *d, const gp_yaml_docs *docs, gp_buf *buf) {
    const gp_node *own = gp_plan_node(docs, d->plan->document->metadata.name);
    for (size_t i = 0; i < docs->count && d->st == GP_OK; i++) {
        const gp_node *root = docs->roots[i];
        if (gp_node_get(root, "spec") == own)
            root = put(d, root, "spec", spec_of(d, own));
        if (d->st != GP_OK)
            return;
        gp_buf_str(buf, i > 0 ? "---\n" : "");
        gp_node_write_block(buf, root, 0, LINE_DEPTH);
    }
}

gp_status gp_plan_declare(gp_arena *arena, const gp_plan_result *plan, const char **ret_problem,
                          const char **ret_text) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {0};
    declaring d = {.arena = arena,
                   .plan = plan,
                   .pools = GP_NEW_ARRAY(arena, const char *, plan->units.count + 1)};
    *ret_problem = NULL;
    gp_diags diags = GP_DIAGS(arena);
    gp_status st = gp_yaml_read(arena, plan->document->text, &limits, &diags, &docs);
    if (st != GP_OK)
        return st;
    gp_buf buf = GP_BUF(arena, TEXT_MAX);
    if (plan->sites.count > 0)
        refuse(&d, "a plan over several sites is not one cluster to declare");
    else
        write_documents(&d, &docs, &buf);
    if (d.st == GP_OK && !plan->feasible)
        refuse(&d, plan->over_limits
                       ? "the installed machines exceed a limit of the site: there is no plan to "
                         "declare"
                       : "a workload misses a goal: there is no plan that holds to declare");
    *ret_problem = d.problem;
    return d.st == GP_OK ? gp_buf_finish(&buf, ret_text, NULL) : d.st;
}
