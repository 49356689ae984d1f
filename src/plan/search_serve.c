/*
 * Replica layouts of a model on one unit: tensor parallelism inside the scale-up domain, pipeline
 * stages across machines where one does not hold the weights; with routed experts, also attention
 * in groups that each serve sequences of their own while the experts are dealt out to all of them,
 * inside the domain and across machines. For each, the request rate that one replica carries within
 * the service level, found by bisection.
 */
#include "plan/context.h"

#include "base/num.h"
#include "estimate/serve.h"

enum {
    PIPELINE_NODES_MAX = 8,
    GROUP_TP_MAX = 8, /* of groups on one machine */
    WIDE_TP_MAX = 2,  /* and of those across machines */
    BISECTIONS = 24,
    PRECISION = 1 << 20
};
static const double large_parameters = 100e9; /* smaller models are split as they must be */

typedef struct probe {
    const gp_case *c;
    gp_serve_job job;
    gp_serve_replica replica;
    double limit;       /* of its requests per second */
    double margin;      /* what the confidence adds to times */
    double ttft_margin; /* and to the time to the first token, which is known worst */
} probe;

/* Beyond the service level, or the rate that is left of the replica's. */
static double load_beyond(const void *context, double batch) {
    const probe *p = context;
    gp_serve_point point;
    const double carried = gp_serve_replica_with(&p->replica, batch, &point);
    const double beyond =
        gp_slo_beyond(&p->c->workload->goal.slo, &point, p->margin, p->ttft_margin);
    const double over = (carried - p->limit) / p->limit;
    return gp_num_max(beyond, carried < p->limit ? over : over + 1.0 / PRECISION);
}

/* Largest rate of one replica within the service level, below `limit`; 0 when none is. The search
 * goes over running sequences: what a rate makes of them would be a search of its own. */
static double rate_within_slo(probe *p, double limit, gp_carried_near *near) {
    gp_serve_point point;
    p->limit = limit;
    const gp_num_range range = {.most = p->replica.batch_max,
                                .precision = PRECISION,
                                .steps = BISECTIONS,
                                .low = near->low,
                                .high = near->high};
    near->found = gp_num_last_held(load_beyond, p, &range);
    const double rate =
        near->found > 0 ? gp_serve_replica_with(&p->replica, near->found, &point) : 0;
    return rate > limit / (double)(1 << (BISECTIONS - 2)) ? rate : 0;
}

static double rate_among(void *context, double among, gp_carried_near *near) {
    probe *p = context;
    p->replica.among = among;
    return rate_within_slo(p, p->replica.max_requests_per_s / (1 + p->margin), near);
}

static void probe_of(const gp_case *c, size_t unit, const gp_machine *machine,
                     const gp_serve_capability *capability, probe *ret) {
    *ret = (probe){.c = c, .job = gp_plan_serve_job(c, unit, machine)};
    gp_serve_replica_of(&ret->job, machine, &c->plan->networks[unit], &capability->layout,
                        c->plan->constants, &capability->memory, &ret->replica);
}

static void judge(const gp_case *c, size_t unit, gp_serve_capability *capability) {
    const double error = gp_plan_error(c, unit);
    probe p;
    probe_of(c, unit, &c->plan->units[unit].machine, capability, &p);
    capability->error_fraction = error;
    capability->replica = p.replica;
    gp_serve_replica_load(&p.replica, 0, NULL, &capability->idle);
    p.replica.near = !gp_slo_asks_far(&c->workload->goal.slo);
    if (p.replica.max_requests_per_s <= 0)
        return;
    gp_carried_fill(rate_among, &p, &capability->carried[0]);
    p.margin = gp_plan_margin(c, error, c->confidence);
    p.ttft_margin = gp_plan_ttft_margin(c);
    capability->carried[1] = capability->carried[0];
    if (p.margin > 0)
        gp_carried_fill(rate_among, &p, &capability->carried[1]);
}

/* Tokens of the long ones among the requests, which the cache is to have room for. */
static double long_tokens(const gp_case *c) {
    return gp_plan_long_request(c->plan->constants, c->out);
}

double gp_serve_rate_with(const gp_case *c, size_t unit, const gp_machine *machine,
                          const gp_serve_capability *capability) {
    gp_serve_capability changed = *capability;
    const gp_serve_job job = gp_plan_serve_job(c, unit, machine);
    probe p;
    gp_serve_memory_of(&job, machine, &changed.layout, c->plan->constants,
                       c->memory_headroom_fraction, NULL, &changed.memory);
    const double tokens = long_tokens(c);
    if (capability->memory.kv_pool_tokens >= tokens && changed.memory.kv_pool_tokens < tokens)
        return 0;
    probe_of(c, unit, machine, &changed, &p);
    p.replica.near = !gp_slo_asks_far(&c->workload->goal.slo);
    p.margin = gp_plan_margin(c, capability->error_fraction, c->confidence);
    p.ttft_margin = gp_plan_ttft_margin(c);
    const double limit = p.replica.max_requests_per_s;
    return limit > 0 ? rate_within_slo(&p, limit, &(gp_carried_near){0}) : 0;
}

void gp_capability_replica(const gp_case *c, size_t unit, const gp_serve_capability *found,
                           gp_serve_job *job, gp_serve_replica *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    *job = gp_plan_serve_job(c, unit, machine);
    *ret = found->replica;
    ret->cost.job = job;
    if (found->replica.cost.constants == NULL)
        gp_serve_replica_of(job, machine, &c->plan->networks[unit], &found->layout,
                            c->plan->constants, &found->memory, ret);
}

int gp_serve_rules(const gp_case *c) {
    const gp_stack *stack = c->out->serve.stack;
    return stack != NULL ? stack->rules : GP_RULES_NONE;
}

static bool has_load(const gp_case *c) {
    return c->out->serve.input_tokens > 0 && c->out->serve.output_tokens > 0;
}

/* Keeps the first of what each rule refuses. */
static void keep_refusal(gp_unit_capability *store, const gp_serve_layout *layout,
                         const gp_layout_rule *rule) {
    for (int64_t i = 0; i < store->refusal_count; i++)
        if (store->refusals[i].rule == rule)
            return;
    if (store->refusal_count < GP_PLAN_REFUSALS_MAX)
        store->refusals[store->refusal_count++] =
            (gp_serve_refusal){.layout = *layout, .rule = rule};
}

void gp_serve_capability_of(const gp_case *c, size_t unit, gp_serve_layout layout,
                            gp_serve_capability *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const int64_t gpus = gp_serve_layout_gpus(&layout);
    *ret = (gp_serve_capability){
        .layout = layout,
        .gpus = gpus,
        .nodes = (gpus + machine->gpus - 1) / machine->gpus,
    };
    const gp_serve_job job = gp_plan_serve_job(c, unit, machine);
    gp_serve_memory_of(&job, machine, &layout, c->plan->constants, c->memory_headroom_fraction,
                       NULL, &ret->memory);
    ret->fits = ret->memory.memory.fit != GP_FIT_NOT && ret->memory.max_concurrency >= 1;
    if (ret->fits && has_load(c) && c->part == GP_RL_WHOLE)
        judge(c, unit, ret);
}

/* True where the engine launches the layout and it fits. */
static bool add_layout(const gp_case *c, size_t unit, gp_serve_layout layout) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    const gp_layout_rule *rule = gp_serve_layout_broken(&c->out->shape, gp_serve_rules(c), &layout);
    if (rule != NULL)
        keep_refusal(store, &layout, rule);
    if (rule != NULL || store->serve_count >= GP_PLAN_LAYOUTS_MAX)
        return false;
    gp_serve_capability *found = &store->serve[store->serve_count++];
    gp_serve_capability_of(c, unit, layout, found);
    return found->fits;
}

static bool any_fits(const gp_unit_capability *store, int64_t from) {
    for (int64_t i = from; i < store->serve_count; i++)
        if (store->serve[i].fits)
            return true;
    return false;
}

/* A declared degree binds every layout, unless it tells what runs today and may be replaced. */
static int64_t bound_to(const gp_case *c, int64_t declared) {
    return gp_case_stands(c) ? gp_pinned(c, declared) : declared;
}

/* The degrees that are walked: the declared one, or powers of two. */
static int64_t first_of(const gp_case *c, int64_t declared) {
    return gp_num_max_i64(1, bound_to(c, declared));
}

static int64_t next_of(const gp_case *c, int64_t declared, int64_t value) {
    return bound_to(c, declared) > 0 ? GP_NUM_COUNT_MAX : value * 2;
}

/* Nothing but memory and the machine says how a replica is split. */
static bool is_free(const gp_case *c, const gp_parallelism *p) {
    return bound_to(c, p->tp) + bound_to(c, p->pp) + bound_to(c, p->dp) + bound_to(c, p->ep) == 0;
}

/* Deals the experts out to the layout's parts as evenly as they go, the places left over to copies
 * of the busiest. Of many parts each gets one more place where none is left over, if there is room
 * for it: few experts to a part are loaded unevenly. */
static void add_dealt(const gp_case *c, size_t unit, gp_serve_layout layout) {
    const int64_t experts = (int64_t)c->out->shape.experts;
    const int64_t left = layout.ep > 1 ? (layout.ep - experts % layout.ep) % layout.ep : 0;
    const bool many = layout.ep > GROUP_TP_MAX;
    if (2 * left > experts)
        return;
    layout.copies = left == 0 && many ? layout.ep : left;
    if (!add_layout(c, unit, layout) && layout.copies > left) {
        layout.copies = left;
        (void)add_layout(c, unit, layout);
    }
}

static void search_tp(const gp_case *c, size_t unit, const gp_parallelism *p, int64_t least,
                      int64_t pp) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    /* Inside a machine the split may pass the scale-up domain: over PCIe it is priced as slow. */
    const int64_t inside = gp_num_max_i64(machine->domain, machine->gpus);
    const int64_t most = gp_num_max_i64(inside, bound_to(c, p->tp));
    const int64_t first = gp_num_max_i64(first_of(c, p->tp), least);
    for (int64_t tp = first; tp <= most; tp = next_of(c, p->tp, tp)) {
        (void)add_layout(c, unit, (gp_serve_layout){.tp = tp, .pp = pp, .ep = 1});
        if (c->out->shape.moe && tp > 1 && is_free(c, p))
            add_dealt(c, unit, (gp_serve_layout){.tp = tp, .pp = pp, .ep = tp});
    }
}

/* Replicas that a machine divides into, or that divide into machines whose GPUs have links of their
 * own: kernels that send tokens on to other machines are written for those. */
static bool size_possible(const gp_machine *machine, int64_t gpus) {
    if (gpus <= machine->gpus)
        return machine->gpus % gpus == 0 || gpus <= machine->domain;
    return machine->domain > 1 && gpus % machine->gpus == 0;
}

/* Attention in groups of tp GPUs. */
static void search_groups(const gp_case *c, size_t unit, int64_t tp) {
    static const int64_t sizes[] = {2,  4,  8,  12, 16, 20,  24,  28,  32,  36,  40,  44, 48,
                                    56, 64, 72, 80, 96, 128, 144, 160, 192, 256, 288, 320};
    const gp_machine *machine = &c->plan->units[unit].machine;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const bool wide = sizes[i] > gp_num_min_i64(machine->gpus, GROUP_TP_MAX);
        const bool splits = sizes[i] > tp && sizes[i] % tp == 0 && (!wide || tp <= WIDE_TP_MAX);
        if (splits && size_possible(machine, sizes[i]))
            add_dealt(c, unit,
                      (gp_serve_layout){
                          .tp = tp, .pp = 1, .ep = sizes[i], .attention_dp = sizes[i] / tp});
    }
}

static void search_experts(const gp_case *c, size_t unit) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    for (int64_t tp = 1; tp <= GROUP_TP_MAX && tp <= machine->domain; tp *= 2)
        search_groups(c, unit, tp);
}

/* Declared groups or experts, in groups of the declared size or of each that makes them up. */
static void search_declared(const gp_case *c, size_t unit, const gp_parallelism *p) {
    const int64_t ep = gp_num_max_i64(1, p->ep);
    const int64_t most = gp_num_max_i64(GROUP_TP_MAX, p->tp);
    for (int64_t tp = first_of(c, p->tp); tp <= most; tp = next_of(c, p->tp, tp)) {
        const int64_t dp = p->dp > 0 ? p->dp : gp_num_max_i64(1, ep / tp);
        if (p->tp > 0 || tp * dp % ep == 0)
            add_dealt(c, unit,
                      (gp_serve_layout){
                          .tp = tp, .pp = gp_num_max_i64(1, p->pp), .ep = ep, .attention_dp = dp});
    }
}

/* Layouts that would reject requests for their length give way to those that would not. */
static void keep_roomy(const gp_case *c, gp_unit_capability *store) {
    const double tokens = long_tokens(c);
    bool any = false;
    for (int64_t i = 0; i < store->serve_count; i++)
        any = any || (store->serve[i].fits && store->serve[i].memory.kv_pool_tokens >= tokens);
    for (int64_t i = 0; any && i < store->serve_count; i++)
        store->serve[i].fits &= store->serve[i].memory.kv_pool_tokens >= tokens;
}

static void search_with(const gp_case *c, size_t unit, const gp_parallelism *p) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    if (bound_to(c, p->dp) > 1 || bound_to(c, p->ep) > 1) {
        search_declared(c, unit, p);
        return;
    }
    const int64_t most = gp_num_max_i64(PIPELINE_NODES_MAX, bound_to(c, p->pp));
    /* Pipelines only where tensor parallelism alone does not hold the model, whether its experts
     * spread over several machines do or not, or of a large one whose weights all work on every
     * token, in stages of so many GPUs. */
    const bool large = !c->out->shape.moe && c->out->shape.parameters >= large_parameters;
    bool held = false;
    for (int64_t pp = first_of(c, p->pp); pp <= most; pp = next_of(c, p->pp, pp)) {
        const int64_t from = store->serve_count;
        search_tp(c, unit, p, held ? GROUP_TP_MAX : 1, pp);
        held = held || any_fits(store, from);
        if (pp == 1 && c->out->shape.moe && is_free(c, p))
            search_experts(c, unit);
        if (held && !large)
            break;
    }
}

/* Where a layout of prefill or of decode is declared, those of prefill and then those of decode. */
static void search(const gp_case *c, size_t unit) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    const gp_parallelism *any = gp_parallelism_on(c, unit);
    const gp_parallelism *prefill = &gp_prefill_on(c, unit)->parallelism;
    const gp_parallelism *decode = &gp_decode_on(c, unit)->parallelism;
    const bool first = gp_layout_declared(prefill), second = gp_layout_declared(decode);
    search_with(c, unit, first ? prefill : any);
    store->prefill_count = first || second ? store->serve_count : 0;
    if (first || second)
        search_with(c, unit, second ? decode : any);
}

gp_serve_capability *gp_search_held(const gp_case *c, size_t unit, const gp_serve_layout *layout) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    gp_capabilities_open(c, store);
    for (int64_t i = 0; i < store->serve_count; i++)
        if (gp_serve_layout_equal(&store->serve[i].layout, layout))
            return &store->serve[i];
    if (store->serve_count >= GP_PLAN_LAYOUTS_MAX)
        return NULL;
    gp_serve_capability *found = &store->serve[store->serve_count++];
    if (c->out->is_seats)
        gp_seats_search(c, unit, found);
    else
        gp_serve_capability_of(c, unit, *layout, found);
    return found;
}

/* Those that launch, whether another plan has searched them or this one. */
static int64_t count_timed(const gp_case *c, const gp_unit_capability *store) {
    int64_t count = 0;
    for (int64_t i = 0; i < store->serve_count && has_load(c) && c->part == GP_RL_WHOLE; i++)
        count += store->serve[i].fits;
    return count;
}

const gp_serve_capability *gp_search_serve(const gp_case *c, size_t unit, int64_t *ret_count) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    const gp_machine *machine = &c->plan->units[unit].machine;
    *ret_count = 0;
    gp_capabilities_open(c, store);
    if (!store->serve_done && c->out->is_seats) {
        gp_seats_search(c, unit, &store->serve[store->serve_count++]);
    } else if (!store->serve_done && machine->efficiency[GP_PRECISION_BF16] != NULL) {
        if (!gp_memory_recall(c, unit)) {
            search(c, unit);
            if (has_load(c) && c->part == GP_RL_WHOLE)
                keep_roomy(c, store);
            store->serve_done = true;
            gp_memory_keep(c, unit);
        }
        c->out->layouts_timed += count_timed(c, store);
    }
    store->serve_done = true;
    *ret_count = store->serve_count;
    return store->serve;
}
