/*
 * Replica layouts of a model on one unit: tensor parallelism inside the scale-up domain, pipeline
 * stages across machines where one does not hold the weights; with routed experts, also attention
 * in groups that each serve sequences of their own while the experts are dealt out to all of them,
 * inside the domain and across machines. For each, the request rate that one replica carries within
 * the service level, found by bisection.
 */
#include "plan/context.h"

#include "base/num.h"

enum { PIPELINE_NODES_MAX = 8, GROUP_TP_MAX = 8, BISECTIONS = 24 };

typedef struct probe {
    const gp_case *c;
    const gp_machine *machine;
    const gp_network *network;
    gp_serve_job job;
    const gp_serve_capability *capability;
    double margin;      /* what the confidence adds to times */
    double ttft_margin; /* and to the time to the first token, which is known worst */
} probe;

/* The service level holds at this point. */
static bool slo_holds(const probe *p, const gp_serve_point *point) {
    return gp_slo_holds(&p->c->workload->goal.slo, point, p->margin, p->ttft_margin);
}

static bool holds_at(const probe *p, double requests_per_s, gp_serve_point *point) {
    gp_serve_load(&p->job, p->machine, p->network, &p->capability->layout, p->c->plan->constants,
                  &p->capability->memory, requests_per_s, NULL, point);
    return slo_holds(p, point);
}

/* Largest stable rate of one replica within the service level; 0 when none is. */
static double rate_within_slo(const probe *p, double limit) {
    gp_serve_point point;
    double low = 0;
    double high = limit;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (holds_at(p, middle, &point))
            low = middle;
        else
            high = middle;
    }
    return low > limit / (double)(1 << (BISECTIONS - 2)) ? low : 0;
}

/* The multiplication precision of the format, or 16 bit where the GPU has no such path. */
static gp_precision usable_precision(const gp_machine *machine, gp_precision wanted) {
    return machine->efficiency[wanted] != NULL ? wanted : GP_PRECISION_BF16;
}

static void judge(const gp_case *c, size_t unit, gp_serve_capability *capability) {
    const gp_unit *u = &c->plan->units[unit];
    probe p = {
        .c = c,
        .machine = &u->machine,
        .network = &c->plan->networks[unit],
        .job = c->out->serve,
        .capability = capability,
    };
    p.job.compute = usable_precision(&u->machine, p.job.compute);
    const double error = gp_plan_error(c, unit);
    capability->error_fraction = error;
    (void)holds_at(&p, 0, &capability->idle);
    const double limit = capability->idle.max_requests_per_s;
    if (limit <= 0)
        return;
    capability->requests_per_s[0] = rate_within_slo(&p, limit);
    p.margin = gp_plan_margin(c, error, c->confidence);
    p.ttft_margin = gp_plan_ttft_margin(c);
    capability->requests_per_s[1] =
        p.margin > 0 ? rate_within_slo(&p, limit / (1 + p.margin)) : capability->requests_per_s[0];
}

double gp_serve_rate_with(const gp_case *c, size_t unit, const gp_machine *machine,
                          const gp_serve_capability *capability) {
    gp_serve_capability changed = *capability;
    probe p = {
        .c = c,
        .machine = machine,
        .network = &c->plan->networks[unit],
        .job = c->out->serve,
        .capability = &changed,
        .margin = gp_plan_margin(c, capability->error_fraction, c->confidence),
        .ttft_margin = gp_plan_ttft_margin(c),
    };
    p.job.compute = usable_precision(machine, p.job.compute);
    gp_serve_memory_of(&p.job, machine, &changed.layout, c->plan->constants,
                       c->memory_headroom_fraction, NULL, &changed.memory);
    (void)holds_at(&p, 0, &changed.idle);
    const double limit = changed.idle.max_requests_per_s;
    return limit > 0 ? rate_within_slo(&p, limit) : 0;
}

static bool has_load(const gp_case *c) {
    return c->out->serve.input_tokens > 0 && c->out->serve.output_tokens > 0;
}

static void add_layout(const gp_case *c, size_t unit, gp_serve_layout layout) {
    gp_unit_capability *store = &c->units[unit];
    const gp_machine *machine = &c->plan->units[unit].machine;
    if (store->serve_count >= GP_PLAN_LAYOUTS_MAX)
        return;
    gp_serve_capability *found = &store->serve[store->serve_count++];
    const int64_t gpus = gp_serve_layout_gpus(&layout);
    *found = (gp_serve_capability){
        .layout = layout,
        .gpus = gpus,
        .nodes = (gpus + machine->gpus - 1) / machine->gpus,
    };
    gp_serve_job job = c->out->serve;
    job.compute = usable_precision(machine, job.compute);
    gp_serve_memory_of(&job, machine, &layout, c->plan->constants, c->memory_headroom_fraction,
                       NULL, &found->memory);
    found->fits = found->memory.memory.fit != GP_FIT_NOT && found->memory.max_concurrency >= 1;
    c->out->layouts_tried++;
    if (found->fits && has_load(c))
        judge(c, unit, found);
}

static bool tp_possible(const gp_shape *shape, int64_t tp) {
    const int64_t heads = (int64_t)shape->heads;
    return heads <= 0 || heads % tp == 0;
}

static bool any_fits(const gp_unit_capability *store, int64_t from) {
    for (int64_t i = from; i < store->serve_count; i++)
        if (store->serve[i].fits)
            return true;
    return false;
}

static bool wanted(const gp_case *c, int64_t declared, int64_t value) {
    const int64_t pinned = gp_pinned(c, declared);
    return pinned <= 0 || pinned == value;
}

/* Deals the experts out to the layout's parts as evenly as they go, the places left over to copies
 * of the busiest; where none is left over, also with one more place each. */
static void add_dealt(const gp_case *c, size_t unit, gp_serve_layout layout) {
    const int64_t experts = (int64_t)c->out->shape.experts;
    if (layout.ep > 1)
        layout.copies = (layout.ep - experts % layout.ep) % layout.ep;
    if (2 * layout.copies > experts)
        return;
    add_layout(c, unit, layout);
    if (layout.ep > 1 && layout.attention_dp > 1 && layout.copies == 0) {
        layout.copies = layout.ep;
        add_layout(c, unit, layout);
    }
}

static void search_tp(const gp_case *c, size_t unit, int64_t pp) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    const gp_parallelism *p = &c->workload->parallelism;
    const gp_shape *shape = &c->out->shape;
    /* Inside a machine the split may pass the scale-up domain: over PCIe it is priced as slow. */
    for (int64_t tp = 1; tp <= gp_num_max_i64(machine->domain, machine->gpus); tp *= 2) {
        if (!tp_possible(shape, tp) || !wanted(c, p->tp, tp))
            continue;
        add_layout(c, unit, (gp_serve_layout){.tp = tp, .pp = pp, .ep = 1});
        if (shape->moe && tp > 1 && !c->pinned)
            add_dealt(c, unit, (gp_serve_layout){.tp = tp, .pp = pp, .ep = tp});
    }
}

/* Replicas that a machine divides into, or that divide into machines. */
static bool size_possible(const gp_machine *machine, int64_t gpus) {
    return gpus < machine->gpus ? gpus <= machine->domain : gpus % machine->gpus == 0;
}

/* Attention in groups of tp GPUs. */
static void search_groups(const gp_case *c, size_t unit, int64_t tp) {
    static const int64_t sizes[] = {2,  4,  8,  12, 16, 24,  32,  36,  48,  64,
                                    72, 80, 96, 128, 144, 160, 192, 256, 288, 320};
    const gp_machine *machine = &c->plan->units[unit].machine;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const bool splits = sizes[i] > tp && sizes[i] % tp == 0;
        if (splits && size_possible(machine, sizes[i]))
            add_dealt(c, unit,
                      (gp_serve_layout){
                          .tp = tp, .pp = 1, .ep = sizes[i], .attention_dp = sizes[i] / tp});
    }
}

static void search_experts(const gp_case *c, size_t unit) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    for (int64_t tp = 1; tp <= GROUP_TP_MAX && tp <= machine->domain; tp *= 2)
        if (tp_possible(&c->out->shape, tp))
            search_groups(c, unit, tp);
}

/* Declared groups or experts: no other layout. */
static void add_declared(const gp_case *c, size_t unit) {
    const gp_parallelism *p = &c->workload->parallelism;
    const int64_t tp = gp_num_max_i64(1, p->tp);
    const int64_t ep = gp_num_max_i64(1, p->ep);
    const int64_t dp = p->dp > 0 ? p->dp : gp_num_max_i64(1, ep / tp);
    const bool even = tp * dp % ep == 0 && (ep == 1 || c->out->shape.moe);
    if (even && tp_possible(&c->out->shape, tp))
        add_dealt(c, unit,
                  (gp_serve_layout){.tp = tp,
                                    .pp = gp_num_max_i64(1, p->pp),
                                    .ep = ep,
                                    .attention_dp = dp});
}

static void search(const gp_case *c, size_t unit) {
    gp_unit_capability *store = &c->units[unit];
    const gp_parallelism *p = &c->workload->parallelism;
    if (gp_pinned(c, p->dp) > 1 || gp_pinned(c, p->ep) > 1) {
        add_declared(c, unit);
        return;
    }
    for (int64_t pp = 1; pp <= PIPELINE_NODES_MAX; pp *= 2) {
        const int64_t from = store->serve_count;
        if (wanted(c, p->pp, pp))
            search_tp(c, unit, pp);
        if (pp == 1 && c->out->shape.moe && !c->pinned)
            search_experts(c, unit);
        if (any_fits(store, from))
            break; /* pipelines only where no layout without them holds the model */
    }
}

const gp_serve_capability *gp_search_serve(const gp_case *c, size_t unit, int64_t *ret_count) {
    gp_unit_capability *store = &c->units[unit];
    const gp_machine *machine = &c->plan->units[unit].machine;
    if (!store->serve_done && machine->efficiency[GP_PRECISION_BF16] != NULL)
        search(c, unit);
    store->serve_done = true;
    *ret_count = store->serve_count;
    return store->serve;
}
