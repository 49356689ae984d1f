/*
 * Prefill and decode in pools of their own, sized for a demand: each pool for the same rate, so
 * that neither waits for the other, with its own spares.
 */
#include "plan/size.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

gp_split_mode gp_split_mode_as(const gp_candidate *candidate) {
    return candidate->split.present ? GP_SPLIT_ALWAYS : GP_SPLIT_NEVER;
}

/* What a replica of a pool is taken to carry, as `judged`. */
static double prefill_of(const gp_split_capability *pair, int judged, int64_t count) {
    return gp_carried_each(&pair->prefills[judged], count) * (1 - pair->prefill_loss);
}

static double decode_of(const gp_split_capability *pair, int judged) {
    return pair->decode_per_s[judged] * (1 - pair->decode_loss);
}

double gp_split_prefill(const gp_case *c, const gp_split_capability *pair, int64_t count) {
    return prefill_of(pair, gp_size_judged(c), count);
}

double gp_split_decode(const gp_case *c, const gp_split_capability *pair) {
    return decode_of(pair, gp_size_judged(c));
}

/* The fewest of a pool, whatever they carry. */
static int64_t at_least(const gp_case *c, int64_t replicas) {
    return gp_num_max_i64(replicas, gp_num_max_i64(1, c->workload->scaling.min_replicas));
}

static int64_t prefills_for(const gp_case *c, const gp_split_capability *pair, double rate) {
    return at_least(
        c, gp_carried_count(&pair->prefills[gp_size_judged(c)], 1 - pair->prefill_loss, rate));
}

static int64_t decodes_for(const gp_case *c, const gp_split_capability *pair, double rate) {
    return at_least(c, gp_num_ceil_count(rate / gp_split_decode(c, pair)));
}

static double simulated_share(const gp_case *c, double loss, double each) {
    return (loss > 0 || loss < 0) && gp_size_asked(c) > 0 ? each / gp_size_asked(c) : 0;
}

/* The loss with which a replica carries such a share. */
static double loss_of(const gp_case *c, double share, double each) {
    return share > 0 && each > 0 ? 1 - share * gp_size_asked(c) / each : 0;
}

/* Replicas of one pool with its spares. */
static int64_t pool_of(const gp_case *c, const gp_machine *machine,
                       const gp_serve_capability *layout, int64_t needed, int64_t *ret_spare) {
    int64_t nodes = 0;
    *ret_spare = gp_size_spares(c, machine, layout, needed, &nodes);
    return needed + *ret_spare;
}

gp_split_capability *gp_split_pair(const gp_case *c, const gp_candidate *candidate) {
    int64_t count = 0;
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    (void)gp_search_split(c, unit, &count);
    gp_unit_capability *store = gp_capability_of(c, unit);
    const gp_serve_split *layouts = &candidate->split.layouts;
    for (int64_t i = 0; i < count; i++)
        if (gp_serve_layout_equal(&store->serve[store->split[i].prefill].layout,
                                  &layouts->prefill) &&
            gp_serve_layout_equal(&store->serve[store->split[i].decode].layout, &layouts->decode))
            return &store->split[i];
    return NULL;
}

/* A plan that is held may be left with nothing that carries any. */
static double utilized(double demand, double carried) {
    return carried > 0 ? demand / carried : HUGE_VAL;
}

static void fill_point(const gp_case *c, const gp_split_capability *found, gp_candidate *ret) {
    gp_split_pools *pools = &ret->split;
    const int64_t prefills = pools->prefill_replicas - pools->prefill_spare;
    const double prefill = gp_split_prefill(c, found, prefills);
    const double prefill_all = (double)prefills * prefill;
    const double decodes = (double)(pools->decode_replicas - pools->decode_spare);
    const double decode = gp_split_decode(c, found);
    const double demand = c->demand.requests_per_s;
    const double margin = gp_plan_margin(c, ret->error_fraction, c->confidence);
    gp_split_point at;
    gp_split_load(c, ret, NULL, &at);
    ret->point = at.point;
    pools->transfer_s = at.transfer_s;
    pools->prefill_utilization = utilized(demand, prefill_all);
    pools->decode_utilization = utilized(demand, decodes * decode);
    pools->prefill_simulated_share = simulated_share(c, found->prefill_loss, prefill);
    pools->decode_simulated_share = simulated_share(c, found->decode_loss, decode);
    ret->requests_per_s = gp_num_min(prefill_all, decodes * decode);
    /* No more than both were found to carry. */
    if (ret->simulated_share > 0)
        ret->requests_per_s =
            gp_num_min(ret->requests_per_s, ret->simulated_share * gp_size_asked(c) * decodes);
    ret->requests_per_s_expected = gp_num_min((double)prefills * prefill_of(found, 0, prefills),
                                              decodes * decode_of(found, 0));
    ret->utilization = utilized(demand, ret->requests_per_s);
    ret->ttft_p95_s = gp_plan_band(at.point.ttft_p95_s, gp_plan_ttft_margin(c));
    ret->tpot_p95_s = gp_plan_band(at.point.tpot_p95_s, margin);
    ret->tokens_per_s = gp_plan_band(at.point.output_tokens_per_s * decodes, margin);
}

void gp_split_describe(const gp_case *c, gp_candidate *ret) {
    const gp_split_capability *found = ret->split.present ? gp_split_pair(c, ret) : NULL;
    ret->described = true;
    if (found != NULL)
        fill_point(c, found, ret);
}

/* The pools with the requests that they share. */
typedef struct loaded {
    gp_serve_job job;
    gp_split_share share;
} loaded;

static loaded loaded_at(const gp_case *c, const gp_candidate *candidate, double requests_per_s) {
    const gp_unit *unit = candidate->unit;
    const gp_split_pools *pools = &candidate->split;
    return (loaded){
        .job = gp_plan_serve_job(c, (size_t)(unit - c->plan->units), &unit->machine),
        .share = {.requests_per_s = requests_per_s,
                  .prefills = (double)(pools->prefill_replicas - pools->prefill_spare),
                  .decodes = (double)(pools->decode_replicas - pools->decode_spare)},
    };
}

void gp_split_load(const gp_case *c, const gp_candidate *candidate, gp_trace *trace,
                   gp_split_point *ret) {
    const gp_unit *unit = candidate->unit;
    const loaded at = loaded_at(c, candidate, c->demand.requests_per_s);
    gp_serve_split_load(&at.job, &unit->machine, &c->plan->networks[unit - c->plan->units],
                        &candidate->split.layouts, c->plan->constants, &candidate->serve_memory,
                        &at.share, trace, ret);
}

double gp_split_gpu_w(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                      gp_trace *trace) {
    const gp_unit *unit = candidate->unit;
    const loaded at = loaded_at(c, candidate, requests_per_s);
    gp_serve_power power;
    gp_serve_split_power(&at.job, &unit->machine, &c->plan->networks[unit - c->plan->units],
                         &candidate->split.layouts, c->plan->constants, &candidate->serve_memory,
                         &at.share, trace, &power);
    return power.gpu_w;
}

/* With spares no more of a pool on one machine than a full one of it carries. */
static gp_group group_of(const gp_machine *machine, const gp_serve_capability *layout,
                         int64_t replicas, int64_t spare) {
    return (gp_group){.gpus = layout->gpus,
                      .nodes = layout->nodes,
                      .count = replicas,
                      .most_per_node = spare > 0 ? machine->gpus / layout->gpus : 0};
}

/* Share of time in which both pools carry their load; within one domain the same failure takes both
 * out. */
static double available(const gp_case *c, size_t unit, const gp_split_capability *found,
                        const gp_split_pools *pools, double *ret_prefill, double *ret_decode) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *serve = gp_capability_of(c, unit)->serve;
    *ret_prefill =
        gp_size_availability(c, machine, &serve[found->prefill],
                             pools->prefill_replicas - pools->prefill_spare, pools->prefill_spare);
    *ret_decode =
        gp_size_availability(c, machine, &serve[found->decode],
                             pools->decode_replicas - pools->decode_spare, pools->decode_spare);
    const int64_t gpus = pools->prefill_replicas * serve[found->prefill].gpus +
                         pools->decode_replicas * serve[found->decode].gpus;
    return gpus <= machine->domain ? gp_num_min(*ret_prefill, *ret_decode)
                                   : *ret_prefill * *ret_decode;
}

/* Each pool is up for long enough by itself: the weaker gets more spares until both are at once, or
 * more would not help. */
static void add_spares(const gp_case *c, size_t unit, const gp_split_capability *found,
                       gp_split_pools *pools) {
    const double target = c->workload->goal.slo.availability;
    const gp_serve_capability *serve = gp_capability_of(c, unit)->serve;
    double prefill = 0;
    double decode = 0;
    double now = available(c, unit, found, pools, &prefill, &decode);
    for (double before = 0; now < target && now > before;) {
        const bool first = prefill < decode;
        const int64_t size = serve[first ? found->prefill : found->decode].gpus;
        const int64_t more = gp_num_max_i64(1, c->plan->units[unit].machine.gpus / size);
        *(first ? &pools->prefill_spare : &pools->decode_spare) += more;
        *(first ? &pools->prefill_replicas : &pools->decode_replicas) += more;
        before = now;
        now = available(c, unit, found, pools, &prefill, &decode);
    }
}

static void set_replicas(const gp_case *c, size_t unit, const gp_split_capability *found,
                         double rate, gp_split_pools *pools) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *serve = gp_capability_of(c, unit)->serve;
    pools->prefill_replicas = pool_of(c, machine, &serve[found->prefill],
                                      prefills_for(c, found, rate), &pools->prefill_spare);
    pools->decode_replicas = pool_of(c, machine, &serve[found->decode], decodes_for(c, found, rate),
                                     &pools->decode_spare);
    add_spares(c, unit, found, pools);
}

/* So many of a pool as are declared: as few of them spare as the availability asks for; none where
 * they are too few for it. */
static void declare(const gp_case *c, const gp_machine *machine, const gp_serve_capability *layout,
                    int64_t declared, int64_t *replicas, int64_t *spare) {
    int64_t nodes = 0;
    int64_t kept = declared >= *replicas ? *spare : 0;
    if (declared <= 0)
        return;
    while (kept < declared && gp_size_spares(c, machine, layout, declared - kept, &nodes) > kept)
        kept++;
    *replicas = declared;
    *spare = kept < declared ? kept : 0;
}

/* As declared, where that is judged or is enough; false where it is not. */
static bool declare_pools(const gp_case *c, size_t unit, const gp_split_capability *found,
                          gp_split_pools *pools) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *serve = gp_capability_of(c, unit)->serve;
    const int64_t prefill = c->workload->prefill.replicas;
    const int64_t decode = c->workload->decode.replicas;
    const bool enough = (prefill <= 0 || prefill >= pools->prefill_replicas) &&
                        (decode <= 0 || decode >= pools->decode_replicas);
    if (!gp_case_stands(c) || !(c->counted || (c->pinned && enough)))
        return false;
    declare(c, machine, &serve[found->prefill], prefill, &pools->prefill_replicas,
            &pools->prefill_spare);
    declare(c, machine, &serve[found->decode], decode, &pools->decode_replicas,
            &pools->decode_spare);
    return true;
}

/* Replicas, GPUs and machines; what the pools do at the demand is left to gp_split_describe. */
static void fill_counts(const gp_case *c, size_t unit, const gp_split_capability *found,
                        gp_split_pools pools, gp_candidate *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *a = &gp_capability_of(c, unit)->serve[found->prefill];
    const gp_serve_capability *b = &gp_capability_of(c, unit)->serve[found->decode];
    double up_prefill = 0;
    double up_decode = 0;
    const int64_t gpus = pools.prefill_replicas * a->gpus + pools.decode_replicas * b->gpus;
    /* All on one machine: the cache crosses its own links. */
    pools.layouts.same_domain = gpus <= machine->domain;
    *ret = (gp_candidate){
        .present = true,
        .unit = &c->plan->units[unit],
        .gpus = gpus,
        .replicas = pools.prefill_replicas + pools.decode_replicas,
        .spare_replicas = pools.prefill_spare + pools.decode_spare,
        .group_count = 2,
        .groups = {group_of(machine, a, pools.prefill_replicas, pools.prefill_spare),
                   group_of(machine, b, pools.decode_replicas, pools.decode_spare)},
        .serve_layout = b->layout,
        .split = pools,
        .memory = b->memory.memory,
        .serve_memory = b->memory,
        .error_fraction = b->error_fraction,
        .availability_fraction = available(c, unit, found, &pools, &up_prefill, &up_decode),
    };
    ret->nodes = gp_pack_nodes(c->plan, ret);
    if (!c->exclusive)
        return;
    ret->gpus = ret->nodes * machine->gpus;
    ret->group_count = 1;
    ret->groups[0] = (gp_group){.gpus = machine->gpus, .nodes = 1, .count = ret->nodes};
}

/* Those that the load needs, and `more` for decode. What runs today in a declared layout stays
 * where it is enough and has its machines. */
static void fill_pools(const gp_case *c, size_t unit, const gp_split_capability *found,
                       int64_t more, gp_candidate *ret) {
    const gp_serve_capability *serve = gp_capability_of(c, unit)->serve;
    gp_split_pools pools = {.present = true,
                            .layouts = {.prefill = serve[found->prefill].layout,
                                        .decode = serve[found->decode].layout}};
    set_replicas(c, unit, found, gp_size_asked(c), &pools);
    pools.decode_replicas += more;
    fill_counts(c, unit, found, pools, ret);
    if (!declare_pools(c, unit, found, &pools))
        return;
    gp_candidate there;
    fill_counts(c, unit, found, pools, &there);
    if (c->counted || there.nodes <= c->plan->units[unit].owned_nodes)
        *ret = there;
}

/* What declared replicas leave open: load, or availability. */
static gp_lack declared_lack(const gp_case *c, const gp_split_capability *pair,
                             const gp_candidate *sized) {
    const gp_split_pools *pools = &sized->split;
    const double availability = c->workload->goal.slo.availability;
    const double asked = gp_size_asked(c);
    const struct {
        int64_t declared, spare, needed;
        const char *why, *path;
    } rows[] = {
        {c->workload->prefill.replicas, pools->prefill_spare, prefills_for(c, pair, asked),
         "too few for prefill", "prefill.replicas"},
        {c->workload->decode.replicas, pools->decode_spare, decodes_for(c, pair, asked),
         "too few for decode", "decode.replicas"},
    };
    for (size_t i = 0; c->counted && i < GP_COUNT_OF(rows); i++)
        if (rows[i].declared > 0 && rows[i].needed > rows[i].declared - rows[i].spare)
            return gp_lack_of_count(rows[i].declared, rows[i].needed + rows[i].spare, rows[i].why,
                                    rows[i].path);
    if (c->counted && availability > 0 && sized->availability_fraction < availability)
        return gp_lack_of_supply(sized->availability_fraction, availability, GP_DIM_FRACTION,
                                 "no spare machine");
    return (gp_lack){.bound = GP_BOUND_NONE};
}

void gp_split_replicas(const gp_case *c, const gp_candidate *candidate, double requests_per_s,
                       gp_split_pools *pools) {
    const gp_split_capability *found = gp_split_pair(c, candidate);
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    if (found != NULL)
        set_replicas(c, unit, found, requests_per_s * (1 + c->gpu_headroom_fraction), pools);
}

void gp_split_size_again(const gp_case *c, size_t unit, gp_candidate *candidate) {
    const gp_split_pools *pools = &candidate->split;
    gp_serve_capability decode;
    gp_split_capability found;
    gp_split_capability_of(c, unit, &pools->layouts, &decode, &found);
    found.prefill_loss =
        loss_of(c, pools->prefill_simulated_share,
                gp_split_prefill(c, &found, pools->prefill_replicas - pools->prefill_spare));
    found.decode_loss = loss_of(c, pools->decode_simulated_share, gp_split_decode(c, &found));
    candidate->memory = decode.memory.memory;
    candidate->serve_memory = decode.memory;
    candidate->error_fraction = decode.error_fraction;
    fill_point(c, &found, candidate);
}

static bool smaller(const gp_candidate *a, const gp_candidate *b) {
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes;
    return a->gpus < b->gpus;
}

/* GPUs of a pair for the demand, without spares; and machines that these fill. */
static int64_t gpus_of(const gp_case *c, size_t unit, const gp_split_capability *pair) {
    const gp_serve_capability *all = gp_capability_of(c, unit)->serve;
    return prefills_for(c, pair, gp_size_asked(c)) * all[pair->prefill].gpus +
           decodes_for(c, pair, gp_size_asked(c)) * all[pair->decode].gpus;
}

static int64_t nodes_of(const gp_case *c, size_t unit, const gp_split_capability *pair) {
    const int64_t per_node = c->plan->units[unit].machine.gpus;
    return (gpus_of(c, unit, pair) + per_node - 1) / per_node;
}

/* Even without spares no smaller than what is there already. */
static bool is_larger(const gp_case *c, size_t unit, const gp_split_capability *pair,
                      const gp_candidate *best) {
    const int64_t nodes = nodes_of(c, unit, pair);
    return nodes > best->nodes || (nodes == best->nodes && gpus_of(c, unit, pair) >= best->gpus);
}

static bool carries(const gp_case *c, const gp_split_capability *pair) {
    return gp_split_prefill(c, pair, 1) > 0 && pair->decode_per_s[gp_size_judged(c)] > 0;
}

gp_candidate gp_split_sized(const gp_case *c, size_t unit, const gp_split_capability *pair,
                            int64_t more, int64_t max_nodes, int64_t max_gpus) {
    gp_candidate ret = {.unit = &c->plan->units[unit]};
    const int64_t most = c->workload->scaling.max_replicas;
    if (!carries(c, pair))
        return ret;
    fill_pools(c, unit, pair, more, &ret);
    ret.feasible =
        ret.nodes <= max_nodes && ret.gpus <= max_gpus && (most <= 0 || ret.replicas <= most);
    if (ret.nodes > max_nodes || ret.gpus > max_gpus)
        ret.lack = (gp_lack){.bound = GP_BOUND_SUPPLY,
                             .have = (double)max_nodes,
                             .need = (double)ret.nodes,
                             .dim = GP_DIM_COUNT};
    else if (!ret.feasible)
        ret.lack = gp_lack_of_count(most, ret.replicas, "over maxReplicas", "scaling.maxReplicas");
    else
        ret.lack = declared_lack(c, pair, &ret);
    ret.feasible = ret.lack.bound == GP_BOUND_NONE;
    return ret;
}

static bool goes_before(const gp_candidate *a, const gp_candidate *b) {
    return a->feasible != b->feasible ? a->feasible : smaller(a, b);
}

void gp_split_least_of(const gp_case *c, size_t unit, gp_split_least *ret) {
    int64_t count = 0;
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const double kept = 1 - c->plan->constants->plan_split_saving_fraction;
    double gpus = HUGE_VAL;
    double nodes = HUGE_VAL;
    for (int64_t i = 0; i < count; i++) {
        if (!all[i].fits || !(gp_size_carried(c, &all[i], 1) > 0))
            continue;
        const int64_t replicas = gp_replicas_for(c, &all[i], c->demand.requests_per_s);
        gpus = gp_num_min(gpus, (double)(replicas * all[i].gpus));
        nodes = gp_num_min(nodes, (double)gp_replica_nodes(machine, &all[i], replicas));
    }
    const gp_unit_capability *store = gp_capability_of(c, unit);
    *ret =
        (gp_split_least){.gpus_per_request = kept * gp_split_gpus_least(c, unit, gp_size_judged(c),
                                                                        gp_size_asked(c)),
                         .gpus = kept * gpus * gp_num_max(1, store->together_gpus),
                         .nodes = kept * nodes * gp_num_max(1, store->together_nodes)};
}

/* True where it was less. */
static bool raise_share(double *share, double to) {
    const bool raised = to > 1 && gp_num_compare9(to, *share) > 0;
    if (raised)
        *share = to;
    return raised;
}

bool gp_split_beside(const gp_case *c, const gp_candidate *together) {
    const size_t unit = (size_t)(together->unit - c->plan->units);
    const double kept = 1 - c->plan->constants->plan_split_saving_fraction;
    const int64_t active = together->replicas - together->spare_replicas;
    const double gpus = (double)(active * gp_serve_layout_gpus(&together->serve_layout));
    gp_unit_capability *store = gp_capability_of(c, unit);
    gp_split_least least;
    if (c->split_mode != GP_SPLIT_AUTO)
        return false;
    gp_split_least_of(c, unit, &least);
    const bool more_gpus = raise_share(&store->together_gpus, gp_num_max(1, store->together_gpus) *
                                                                  kept * gpus / least.gpus);
    const bool more_nodes =
        raise_share(&store->together_nodes, gp_num_max(1, store->together_nodes) * kept *
                                                (double)together->nodes / least.nodes);
    return more_gpus || more_nodes;
}

bool gp_split_is_worth(const gp_case *c, size_t unit, const gp_split_capability *pair,
                       const gp_split_least *least) {
    const gp_serve_capability *all = gp_capability_of(c, unit)->serve;
    if (!carries(c, pair) || c->split_mode != GP_SPLIT_AUTO)
        return carries(c, pair);
    const gp_carried *prefill = &pair->prefills[gp_size_judged(c)];
    const double each = gp_carried_each(prefill, gp_carried_count(prefill, 1, gp_size_asked(c)));
    const double gpus = (double)all[pair->prefill].gpus / each +
                        (double)all[pair->decode].gpus / pair->decode_per_s[gp_size_judged(c)];
    return gpus < least->gpus_per_request || (double)gpus_of(c, unit, pair) <= least->gpus ||
           (double)nodes_of(c, unit, pair) <= least->nodes;
}

/* Of `count` layouts the one that a pair has to have, for prefill or, beyond those, for decode. */
static bool has_layout(const gp_split_capability *pair, int64_t layout, int64_t count) {
    return layout < count ? pair->prefill == layout : pair->decode == layout - count;
}

/* Of those with such a layout; negative: with any. */
static void find_least(const gp_case *c, size_t unit, gp_size_bounds within, int64_t layout,
                       const gp_split_least *below, gp_candidate *ret) {
    const int64_t layouts = gp_capability_of(c, unit)->serve_count;
    int64_t count = 0;
    const gp_split_capability *all = c->out->has_goal ? gp_search_split(c, unit, &count) : NULL;
    *ret = (gp_candidate){.unit = &c->plan->units[unit]};
    for (int64_t i = 0; i < count; i++) {
        if ((layout >= 0 && !has_layout(&all[i], layout, layouts)) || !carries(c, &all[i]) ||
            (below != NULL && !gp_split_is_worth(c, unit, &all[i], below)) ||
            (ret->feasible && is_larger(c, unit, &all[i], ret)))
            continue;
        const gp_candidate sized =
            gp_split_sized(c, unit, &all[i], 0, within.max_nodes, within.max_gpus);
        if (sized.present && (!ret->present || goes_before(&sized, ret)))
            *ret = sized;
    }
}

bool gp_size_split_next(const gp_case *c, size_t unit, gp_size_bounds within, int64_t *layout,
                        gp_candidate *ret) {
    const int64_t count = 2 * gp_capability_of(c, unit)->serve_count;
    for (ret->feasible = false; *layout < count && !ret->feasible; (*layout)++)
        find_least(c, unit, within, *layout, NULL, ret);
    return ret->feasible;
}

void gp_size_split(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret) {
    gp_split_least least;
    gp_split_least_of(c, unit, &least);
    find_least(c, unit, within, -1, &least, ret);
    if (!ret->present && c->out->has_goal)
        ret->lack = (gp_lack){.bound = GP_BOUND_LATENCY,
                              .dim = GP_DIM_TIME,
                              .why = "no prefill and decode pools meet the service level"};
}
