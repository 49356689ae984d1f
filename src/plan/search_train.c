/*
 * The best layout of a training-like job in a given place on one unit: the fastest per token. Only
 * layouts that the framework launches as they stand are tried, no deeper than the model asks for,
 * each with the batch nearest to the one asked that it divides. Nothing is looked up in here;
 * results are kept per unit and place, since neither deadline nor confidence changes them.
 *
 * Two cuts keep the walk short and are safe: with everything else equal, more recomputation never
 * makes a step faster, and what is slower than the best need not fit.
 */
#include "plan/train_tried.h"

#include "base/num.h"
#include "estimate/train.h"

typedef struct search {
    const gp_case *c;
    gp_train_job job; /* with what is offloaded in this walk */
    gp_train_rates rates;
    int offload;
    bool on_drives;
    const gp_machine *machine;
    const gp_network *network;
    int64_t gpus;
    gp_train_capability *best;
    int64_t domain;       /* GPUs of one scale-up domain that the job uses */
    double nearest_bytes; /* least memory over capacity, when nothing fits */
    double each_s;        /* of the best so far: its step, for each of its sequences */
    int64_t stages;       /* of the deepest pipeline that is tried */
    gp_batch_choice batches;
    gp_layout refused;     /* by best->rule */
    gp_tried_lists *tried; /* NULL: nobody asks why */
} search;

static const int64_t micro_batches[] = {1, 2, 4, 8, 16};
static const int64_t virtual_stages[] = {1, 2, 3, 4, 5, 6, 8, 12};
enum {
    MICRO_BATCHES = sizeof micro_batches / sizeof micro_batches[0],
    VIRTUAL_STAGES = sizeof virtual_stages / sizeof virtual_stages[0],
    PIPELINE_MAX = 64,
    CONTEXT_CHUNK = 8192,    /* tokens per GPU below which ranks of a sequence count as stages */
    CONTEXT_CHUNK_MIN = 2048 /* tokens per GPU below which splitting a sequence gains nothing */
};

static bool wanted(const search *s, int64_t declared, int64_t value) {
    const int64_t pinned = gp_pinned(s->c, declared);
    return pinned <= 0 || pinned == value;
}

/* First and next value of a dimension that is walked in powers of two, or the declared one. */
static int64_t first_of(const search *s, int64_t declared) {
    return gp_num_max_i64(1, gp_pinned(s->c, declared));
}

static int64_t next_of(const search *s, int64_t declared, int64_t value) {
    return gp_pinned(s->c, declared) > 0 ? GP_NUM_COUNT_MAX : value * 2;
}

/* Host memory, or drives, for each GPU that uses it: all of a machine's where it is shared. */
static double room_outside(const search *s, const gp_layout *layout) {
    const gp_system *system = s->machine->system;
    const double room = layout->on_drives ? system->nvme_bytes : system->memory_bytes;
    const int64_t gpus =
        s->c->exclusive ? gp_num_min_i64(s->gpus, s->machine->gpus) : s->machine->gpus;
    return room * (1 - s->c->memory_headroom_fraction) / (double)gpus;
}

/* What nobody stated stands against no layout: the report names it. */
static bool room_is_stated(const search *s, const gp_layout *layout) {
    const gp_system *system = s->machine->system;
    return layout->on_drives ? GP_GIVEN(system, gp_system, nvme_bytes)
                             : GP_GIVEN(system, gp_system, memory_bytes);
}

/* What the layout moves out of the GPUs fits into the machine that they are in. */
static bool machine_holds(const search *s, const gp_layout *layout, const gp_memory *memory,
                          double *ret_bytes) {
    *ret_bytes = 0;
    if (layout->offload == GP_OFFLOAD_NONE)
        return true;
    const double jobs = (double)gp_num_max_i64(1, s->best->jobs);
    const double room = room_outside(s, layout);
    *ret_bytes = jobs * gp_train_offloaded_bytes(&s->c->out->train, s->machine, layout,
                                                 s->c->plan->constants, memory);
    if (*ret_bytes <= room || !room_is_stated(s, layout))
        return true;
    gp_train_capability *best = s->best;
    if (best->outside_bytes <= 0 || *ret_bytes < best->outside_bytes) {
        best->outside_bytes = *ret_bytes;
        best->outside_room_bytes = room;
    }
    return false;
}

/* Keeps the layout that is nearest to fitting. */
static void keep_nearest(search *s, const gp_layout *layout, const gp_memory *memory) {
    gp_train_capability *best = s->best;
    if (best->fits || (s->nearest_bytes > 0 && memory->total_bytes >= s->nearest_bytes))
        return;
    s->nearest_bytes = memory->total_bytes;
    best->memory = *memory;
    best->layout = *layout;
}

/* What loses by more than the comparison sees is not worked out to its end. */
static void time_within(search *s, const gp_layout *layout, gp_train_time *ret) {
    const double lost = 1.001;
    s->job.most_s = lost * s->each_s * (double)layout->global_batch_sequences;
    gp_train_step_time(&s->job, s->machine, s->network, layout, s->c->plan->constants, NULL, ret);
    s->job.most_s = 0;
}

typedef enum outcome {
    FITS,
    TOO_LARGE,       /* for the GPU */
    NO_ROOM_OUTSIDE, /* for what leaves the GPU, which is the same for every micro-batch */
    REFUSED,         /* by a rule of the framework */
    SLOWER           /* than the best, so that it does not matter whether it fits */
} outcome;

/* Tells whoever asks of a layout that was tried; ranks by its time where `rank` is 0. */
static void keep_tried(search *s, const gp_layout *layout, gp_layout_tried row, double rank) {
    gp_train_time time;
    if (s->tried == NULL)
        return;
    gp_train_step_time(&s->job, s->machine, s->network, layout, s->c->plan->constants, NULL, &time);
    row.layout = *layout;
    row.step_s = time.step_s;
    const double each_s = time.step_s / (double)layout->global_batch_sequences;
    const gp_tried_row kept = {
        .row = row, .rank = rank > 0 ? rank : each_s, .per_sequence_s = each_s};
    gp_tried_keep(s->tried, &kept);
}

static gp_memory memory_of(const search *s, const gp_layout *layout) {
    gp_memory memory;
    gp_train_memory(&s->job, s->machine, layout, s->c->plan->constants,
                    s->c->memory_headroom_fraction, NULL, &memory);
    return memory;
}

/* It would fit with everything recomputed. */
static bool would_fit(const search *s, gp_layout layout) {
    layout.recompute = GP_RECOMPUTE_FULL;
    return memory_of(s, &layout).short_bytes <= 0;
}

/* Whether a rule of the framework refuses the layout, or nobody builds it so. */
static bool not_launched(search *s, const gp_layout *layout, bool degrees_launch) {
    const bool declared = s->c->pinned && s->c->workload->parallelism.pp > 0;
    const gp_layout_rule *rule = degrees_launch
                                     ? gp_layout_chunks_broken(&s->job, s->machine, layout)
                                     : gp_layout_broken(&s->job, s->machine, layout);
    if (rule == NULL)
        return !declared && !gp_layout_usual(&s->job, layout);
    if (s->best->rule == NULL) {
        s->best->rule = rule;
        s->refused = *layout;
    }
    /* What no framework could launch need not be told, unless nothing else was asked for. */
    const bool told = (rule->frameworks & 1u << GP_RULES_NONE) == 0 || s->c->pinned;
    if (s->tried != NULL && told && would_fit(s, *layout))
        keep_tried(s, layout, (gp_layout_tried){.reason = GP_TRIED_RULE, .rule = rule}, 0);
    return true;
}

/* The batch of a layout: the nearest to the one asked, or the largest, that fills its micro-batches
 * (and whole rounds of an interleaved pipeline); else the one asked, which a rule refuses. */
static int64_t batch_of(const search *s, const gp_layout *layout, bool largest) {
    const gp_batch_choice *b = &s->batches;
    const int64_t rounds = layout->vpp > 1 ? layout->pp : 1;
    const int64_t unit = layout->dp * layout->micro_batch * rounds;
    if (b->low == b->high)
        return b->low;
    const int64_t found = largest ? b->high / unit * unit : gp_train_batch_near(b, unit);
    return found >= b->low ? found : gp_num_max_i64(1, gp_num_floor_count(b->asked + 0.5));
}

/* How its time compares with that of the best. */
static int compare_time(search *s, const gp_layout *layout, gp_train_time *ret) {
    time_within(s, layout, ret);
    const double each_s = ret->step_s / (double)layout->global_batch_sequences;
    return s->best->fits ? gp_num_compare9(each_s, s->each_s) : -1;
}

static void keep_best(search *s, const gp_layout *layout, const gp_memory *memory,
                      const gp_train_time *time, double outside_bytes) {
    gp_train_capability *best = s->best;
    const double each_s = time->step_s / (double)layout->global_batch_sequences;
    best->fits = true;
    best->layout = *layout;
    best->memory = *memory;
    best->time = *time;
    best->outside_bytes = outside_bytes;
    s->each_s = each_s;
}

/* A layout that launches and has no room. */
static void lose_room(search *s, const gp_layout *layout, const gp_memory *memory) {
    const double more = memory->short_bytes;
    keep_nearest(s, layout, memory);
    keep_tried(s, layout, (gp_layout_tried){.reason = GP_TRIED_MEMORY, .short_bytes = more}, more);
}

/* Prices one layout where it fits. What is slower than the best need not, unless somebody asks. */
static outcome try_layout(search *s, const gp_layout *layout) {
    gp_train_time time;
    const int order = compare_time(s, layout, &time);
    s->best->tried++;
    if (order > 0 && s->tried == NULL)
        return SLOWER;
    const gp_memory memory = memory_of(s, layout);
    if (memory.short_bytes > 0) {
        lose_room(s, layout, &memory);
        return TOO_LARGE;
    }
    double outside_bytes = 0;
    if (!machine_holds(s, layout, &memory, &outside_bytes)) {
        const double more = outside_bytes - room_outside(s, layout);
        keep_nearest(s, layout, &memory);
        keep_tried(s, layout, (gp_layout_tried){.reason = GP_TRIED_OUTSIDE, .short_bytes = more},
                   more);
        return NO_ROOM_OUTSIDE;
    }
    if (order < 0 || (order == 0 && memory.total_bytes < s->best->memory.total_bytes))
        keep_best(s, layout, &memory, &time, outside_bytes);
    keep_tried(s, layout, (gp_layout_tried){.reason = GP_TRIED_SLOWER}, 0);
    return FITS;
}

static bool may_recompute(const search *s, int recompute) {
    const int declared = s->c->workload->recompute;
    return declared == GP_RECOMPUTE_AUTO || declared == recompute;
}

/* The least recomputation with which the batch fits, from *least on; that one then. */
static outcome try_batch(search *s, gp_layout layout, bool largest, int *least) {
    layout.recompute = GP_RECOMPUTE_NONE; /* whether the layout is launched hangs on none */
    layout.global_batch_sequences = batch_of(s, &layout, largest);
    if (not_launched(s, &layout, true))
        return REFUSED;
    outcome found = TOO_LARGE;
    for (int r = *least; r <= GP_RECOMPUTE_FULL && found == TOO_LARGE; r++) {
        if (!may_recompute(s, r))
            continue;
        layout.recompute = r;
        found = try_layout(s, &layout);
    }
    *least = layout.recompute;
    return found;
}

/* Micro-batch, batch and recomputation of an otherwise fixed layout, from *least of that on; what
 * the first that fits needs of it then. */
static void try_batches(search *s, gp_layout layout, int *least) {
    const int64_t declared = gp_pinned(s->c, s->c->workload->parallelism.micro_batch);
    int needed = *least;
    bool first = true;
    for (int b = 0; b < (declared > 0 ? 1 : MICRO_BATCHES); b++) {
        layout.micro_batch = declared > 0 ? declared : micro_batches[b];
        const outcome found = try_batch(s, layout, false, &needed);
        if (found == TOO_LARGE || found == NO_ROOM_OUTSIDE)
            return; /* a larger micro-batch needs more */
        if (found == REFUSED)
            continue;
        if (first)
            *least = needed;
        first = false;
        int more = needed;
        if (s->batches.largest)
            (void)try_batch(s, layout, true, &more);
    }
}

static double states_of(const gp_memory *memory) {
    return memory->bytes[GP_MEMORY_WEIGHTS] + memory->bytes[GP_MEMORY_GRADIENTS] +
           memory->bytes[GP_MEMORY_OPTIMIZER] + memory->bytes[GP_MEMORY_ADAPTER];
}

/* Does not fit even with all recomputed; what holds a layer or two may yet do with less of that,
 * unless the states alone are too large. */
static bool has_no_room(search *s, gp_layout layout) {
    static const int order[] = {GP_RECOMPUTE_FULL, GP_RECOMPUTE_SELECTIVE, GP_RECOMPUTE_NONE};
    for (int i = 0; i < (int)(sizeof order / sizeof order[0]); i++) {
        if (!may_recompute(s, order[i]))
            continue;
        layout.recompute = order[i];
        const gp_memory memory = memory_of(s, &layout);
        if (memory.short_bytes <= 0)
            return false;
        s->best->tried++;
        lose_room(s, &layout, &memory);
        if (states_of(&memory) > memory.capacity_bytes)
            return true;
    }
    return true;
}

/* Whether the degrees are worth walking: they launch with single stages and the smallest
 * micro-batch, and with those, which need the least, they fit. */
static bool degrees_do(search *s, gp_layout layout) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    const int64_t vpp = gp_num_max_i64(1, gp_pinned(s->c, p->vpp));
    const int64_t micro_batch = gp_num_max_i64(1, gp_pinned(s->c, p->micro_batch));
    layout.vpp = 1;
    layout.micro_batch = 1;
    layout.recompute = GP_RECOMPUTE_NONE;
    layout.global_batch_sequences = batch_of(s, &layout, false);
    if (not_launched(s, &layout, false))
        return false;
    if (vpp * micro_batch > 1) {
        layout.vpp = vpp;
        layout.micro_batch = micro_batch;
        layout.global_batch_sequences = batch_of(s, &layout, false);
        if (not_launched(s, &layout, true))
            return false;
    }
    return !has_no_room(s, layout);
}

/* Virtual stages that the layers do not fill are walked only where they are declared. */
static bool stages_do(const search *s, const gp_layout *layout) {
    const double layers = s->c->out->shape.layers;
    if (layout->vpp == 1 || gp_pinned(s->c, s->c->workload->parallelism.vpp) > 0)
        return true;
    return layout->pp > 1 && (double)(layout->pp * layout->vpp) <= layers + 2 &&
           gp_layout_missing_layers(&s->job, layout) <= 2;
}

static void try_stages(search *s, gp_layout layout) {
    const int64_t declared = gp_pinned(s->c, s->c->workload->parallelism.vpp);
    int least = GP_RECOMPUTE_NONE;
    if (!degrees_do(s, layout))
        return;
    for (int v = 0; v < (declared > 0 ? 1 : VIRTUAL_STAGES); v++) {
        layout.vpp = declared > 0 ? declared : virtual_stages[v];
        int needed = least;
        if (stages_do(s, &layout))
            try_batches(s, layout, &needed);
        least = v == 0 ? needed : least;
    }
}

/* Fully sharded states over all ranks, or over those of one machine, two, four ... with replicas
 * beside each other: their gathers stay on the faster links, and their memory is larger. */
static void try_groups(search *s, gp_layout layout) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    const int64_t ranks = layout.dp * layout.cp;
    const int64_t inside = gp_num_max_i64(s->machine->domain, s->machine->gpus);
    if (s->c->pinned && p->shard_group > 0) {
        layout.shard_group = p->shard_group == ranks ? 0 : p->shard_group;
        try_stages(s, layout);
        return;
    }
    try_stages(s, layout);
    if (s->c->stack != NULL && !s->c->stack->hybrid_sharding)
        return;
    for (int64_t group = inside / layout.tp; group > 1 && group < ranks; group *= 2) {
        layout.shard_group = group;
        if (ranks % group == 0 && group * layout.tp % layout.ep == 0)
            try_stages(s, layout);
    }
}

/* Sharding of the optimizer (1) or of everything (3); pipelines keep their weights. */
static void try_sharding(search *s, gp_layout layout) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    const bool declared = s->c->pinned && GP_GIVEN(p, gp_parallelism, zero);
    const bool streams = layout.offload == GP_OFFLOAD_PARAMETERS && layout.dp * layout.cp > 1;
    const bool groups = gp_pinned(s->c, p->shard_group) > 0;
    for (int64_t zero = streams || groups ? 3 : 1; zero <= 3; zero += 2) {
        layout.zero = declared ? p->zero : zero;
        if (layout.zero == 3 && layout.pp > 1 && !declared && !groups)
            return;
        if (layout.zero == 3)
            try_groups(s, layout);
        else
            try_stages(s, layout);
        if (declared || layout.dp * layout.cp == 1)
            return;
    }
}

static void try_experts(search *s, gp_layout layout) {
    const gp_shape *shape = &s->c->out->shape;
    const gp_parallelism *p = &s->c->workload->parallelism;
    const int64_t most = gp_num_max_i64(layout.dp * layout.cp * layout.tp, gp_pinned(s->c, p->ep));
    for (int64_t ep = first_of(s, p->ep); ep <= most; ep = next_of(s, p->ep, ep)) {
        if (ep > 1 && (!shape->moe || (double)ep > shape->experts))
            return;
        layout.ep = ep;
        try_sharding(s, layout);
    }
}

/* Ranks that exchange for every layer (tensor and context parallel) fill scale-up domains evenly,
 * so that no group straddles two of them. */
static bool fills_domains(const search *s, int64_t ranks) {
    const int64_t domain = s->domain;
    return ranks <= domain ? domain % ranks == 0 : ranks % domain == 0;
}

static void try_contexts(search *s, gp_layout layout) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    const double sequence = s->c->out->train.sequence_length;
    const int64_t rest = s->gpus / (layout.tp * layout.pp);
    for (int64_t cp = first_of(s, p->cp); cp <= rest; cp = next_of(s, p->cp, cp)) {
        if (rest % cp != 0)
            continue;
        if (cp > 1 && gp_pinned(s->c, p->cp) <= 0 && sequence < (double)(cp * CONTEXT_CHUNK_MIN))
            return;
        if (cp > 1 && gp_pinned(s->c, p->cp) <= 0 && layout.pp * cp > s->stages &&
            sequence < (double)(cp * CONTEXT_CHUNK))
            return;
        layout.cp = cp;
        layout.dp = rest / cp;
        if (s->machine->domain > 1 && cp > 1 && gp_pinned(s->c, p->cp) <= 0 &&
            !fills_domains(s, layout.tp * cp))
            continue;
        if (wanted(s, p->dp, layout.dp))
            try_experts(s, layout);
    }
}

/* Tensor parallelism as wide as the domain and the heads take it. */
static int64_t widest_tp(const search *s) {
    const gp_shape *shape = &s->c->out->shape;
    int64_t tp = 1;
    while (tp * 2 <= s->domain && tp * 2 <= s->gpus &&
           (shape->heads <= 0 || (int64_t)shape->heads % (tp * 2) == 0) &&
           (shape->mla || shape->kv_heads <= 0 || (int64_t)shape->kv_heads % (tp * 2) == 0))
        tp *= 2;
    return tp;
}

/* Experts split over as many ranks of a stage as divide them. */
static int64_t widest_ep(const search *s, int64_t ranks) {
    const int64_t experts = (int64_t)s->c->out->shape.experts;
    int64_t ep = 1;
    while (ep * 2 <= ranks && ranks % (ep * 2) == 0 && experts % (ep * 2) == 0 && ep < experts)
        ep *= 2;
    return ep;
}

/* The fewest pipeline stages, in powers of two, with which the model fits: everything else as small
 * as can be, and no memory kept free, so that who keeps more finds no layout that others do not. */
static int64_t stages_needed(const search *s) {
    const int64_t tp = widest_tp(s);
    int64_t pp = 1;
    for (; pp < PIPELINE_MAX && pp * tp < s->gpus; pp *= 2) {
        const int64_t dp = s->gpus / (tp * pp);
        const gp_layout layout = {.tp = tp,
                                  .pp = pp,
                                  .vpp = 1,
                                  .dp = dp,
                                  .cp = 1,
                                  .ep = widest_ep(s, dp * tp),
                                  .zero = 1,
                                  .micro_batch = 1,
                                  .recompute = GP_RECOMPUTE_FULL,
                                  .offload = s->offload,
                                  .on_drives = s->on_drives};
        gp_memory memory;
        gp_train_memory(&s->job, s->machine, &layout, s->c->plan->constants, 0, NULL, &memory);
        if (memory.short_bytes <= 0)
            break;
    }
    return pp;
}

/* Its sequences may be shared out over all GPUs. */
static bool batch_divides(const search *s) {
    const double sequences = s->job.global_batch / s->job.sequence_length;
    return (int64_t)(sequences + 0.5) % s->gpus == 0;
}

/* The deepest pipeline that is tried; nobody builds one where a scale-up domain holds the model
 * without, unless the batch leaves ranks without a share. */
static int64_t stages_most(const search *s) {
    const gp_constants *k = s->c->plan->constants;
    const int64_t needed = stages_needed(s);
    if (needed == 1 && s->gpus <= s->domain && batch_divides(s))
        return 1;
    const double deep = (double)needed * k->plan_pipeline_depth;
    const double most = gp_num_max(k->plan_pipeline_stages, deep);
    return gp_num_min_i64(PIPELINE_MAX, gp_num_floor_count(most));
}

static void try_pipelines(search *s, gp_layout layout) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    const int64_t rest = s->gpus / layout.tp;
    const int64_t layers = (int64_t)s->c->out->shape.layers;
    const int64_t declared = gp_pinned(s->c, p->pp);
    const int64_t most = gp_num_max_i64(s->stages, declared);
    for (int64_t pp = first_of(s, p->pp); pp <= most && pp <= rest && pp <= layers; pp++) {
        if (rest % pp != 0 || !wanted(s, p->pp, pp))
            continue;
        layout.pp = pp;
        try_contexts(s, layout);
    }
}

static void walk_layouts(search *s) {
    const gp_parallelism *p = &s->c->workload->parallelism;
    /* Tensor parallelism across machines is never worth its network time, unless it is declared. */
    const int64_t inside = gp_num_max_i64(s->machine->domain, s->machine->gpus);
    const int64_t most = gp_num_max_i64(inside, gp_pinned(s->c, p->tp));
    for (int64_t tp = first_of(s, p->tp); tp <= most && tp <= s->gpus; tp = next_of(s, p->tp, tp)) {
        if (s->gpus % tp != 0)
            continue;
        const gp_layout layout = {.tp = tp, .offload = s->offload, .on_drives = s->on_drives};
        try_pipelines(s, layout);
    }
}

/* What may wait outside the GPU, from the least costly on. */
static const struct {
    int states;
    bool on_drives;
} offloads[] = {
    {GP_OFFLOAD_NONE, false},     {GP_OFFLOAD_OPTIMIZER, false}, {GP_OFFLOAD_PARAMETERS, false},
    {GP_OFFLOAD_OPTIMIZER, true}, {GP_OFFLOAD_PARAMETERS, true},
};

static bool offload_wanted(const search *s, size_t i) {
    const gp_offload_spec *asked = &s->c->workload->offload;
    const int to = offloads[i].on_drives ? GP_OFFLOAD_NVME : GP_OFFLOAD_HOST;
    if (asked->states != GP_OFFLOAD_AUTO && asked->states != offloads[i].states)
        return false;
    /* An adapter's own states are next to nothing. */
    if (asked->states == GP_OFFLOAD_AUTO && offloads[i].states == GP_OFFLOAD_OPTIMIZER &&
        s->c->out->train.type == GP_WORKLOAD_LORA)
        return false;
    return offloads[i].states == GP_OFFLOAD_NONE || asked->to == GP_OFFLOAD_ANYWHERE ||
           asked->to == to;
}

/* A layout that is declared whole without a framework may be another's than the reference; where
 * only parts are, the rest is chosen as the reference launches it. */
static int rules_of(const gp_case *c) {
    const gp_parallelism *p = &c->workload->parallelism;
    const bool whole = c->pinned && p->tp > 0 && p->pp > 0 && p->dp > 0;
    return whole && c->workload->software.framework == NULL ? GP_RULES_NONE : c->out->train.rules;
}

/* Every layout with everything that may be offloaded. */
static void search_layouts(search *s) {
    for (size_t i = 0; i < sizeof offloads / sizeof offloads[0]; i++) {
        if (!offload_wanted(s, i))
            continue;
        const gp_layout layout = {.offload = offloads[i].states,
                                  .on_drives = offloads[i].on_drives};
        s->job = gp_train_job_offloaded(&s->c->out->train, &layout);
        s->job.rules = rules_of(s->c);
        s->job.drawn_heads = gp_pinned(s->c, s->c->workload->parallelism.tp) > 0;
        s->job.drawn_stages = gp_pinned(s->c, s->c->workload->parallelism.pp) > 0;
        s->job.rates = &s->rates;
        s->offload = layout.offload;
        s->on_drives = layout.on_drives;
        s->stages = stages_most(s);
        walk_layouts(s);
        if (s->best->tried > 0)
            continue;
        s->stages = PIPELINE_MAX; /* where the batch divides in no other way */
        walk_layouts(s);
    }
}

gp_machine gp_machine_shared(const gp_machine *machine, int64_t jobs) {
    gp_machine shared = *machine;
    shared.hbm_bytes /= (double)gp_num_max_i64(1, jobs);
    return shared;
}

/* Jobs on one GPU fill each other's waits; what the GPU works for them adds up. */
void gp_train_time_share(gp_train_time *time, int64_t jobs) {
    double *const work[] = {&time->gemm_s,  &time->attention_s, &time->elementwise_s,
                            &time->head_s,  &time->tp_s,        &time->cp_s,
                            &time->ep_s,    &time->pp_s,        &time->bubble_s,
                            &time->dp_s,    &time->optimizer_s, &time->communication_s,
                            &time->frozen_s};
    const double alone_s = time->step_s;
    if (jobs <= 1)
        return;
    time->step_s = gp_train_shared_step_s(time, jobs);
    time->launch_s = time->step_s - (alone_s - time->launch_s) * (double)jobs;
    for (size_t i = 0; i < sizeof work / sizeof work[0]; i++)
        *work[i] *= (double)jobs;
    time->tokens_per_s *= alone_s / time->step_s;
    time->mfu_fraction *= alone_s / time->step_s * (double)jobs;
}

/* The memory of all jobs on the GPU. */
static void share_memory(gp_memory *memory, int64_t jobs) {
    double *const parts[] = {&memory->total_bytes,    &memory->capacity_bytes,
                             &memory->tensor_bytes,   &memory->last_tensor_bytes,
                             &memory->reserved_bytes, &memory->device_bytes,
                             &memory->short_bytes};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        *parts[i] *= (double)jobs;
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++)
        memory->bytes[i] *= (double)jobs;
}

void gp_run_of(const gp_case *c, size_t unit, gp_train_place place, const gp_layout *layout,
               double step_s, gp_trace *trace, gp_run *ret) {
    const gp_train_job *job = &c->out->train;
    gp_run_input input;
    gp_plan_run_input(c, unit, &input);
    if (layout->global_batch_sequences > 0 && !c->out->is_rl)
        input.steps *=
            job->global_batch / ((double)layout->global_batch_sequences * job->sequence_length);
    input.step_s = step_s;
    input.gpus = place.gpus;
    input.nodes = place.nodes;
    /* The operator of rented machines replaces them. */
    input.spares_given = input.spares_given && c->plan->units[unit].cloud == NULL;
    gp_run_time(&input, c->plan->constants, trace, ret);
}

/* GPUs of a scale-up domain that the job uses: where it is the machine, its share of them. */
static int64_t domain_used(const gp_machine *machine, gp_train_place place) {
    const int64_t used = gp_num_max_i64(1, place.gpus / place.nodes);
    return machine->domain == machine->gpus ? gp_num_min_i64(used, machine->domain)
                                            : machine->domain;
}

/* Searches the place; `tried` may be NULL. */
static void search_place(const gp_case *c, size_t unit, gp_train_place place,
                         const gp_batch_choice *batches, gp_tried_lists *tried,
                         gp_train_capability *found) {
    const gp_machine machine = gp_machine_shared(&c->plan->units[unit].machine, place.jobs);
    *found = (gp_train_capability){.gpus = place.gpus,
                                   .jobs = place.jobs,
                                   .nodes = place.nodes,
                                   .asked_sequences = batches->asked,
                                   .error_fraction = gp_plan_error(c, unit)};
    found->unsupported = machine.efficiency[c->out->train.compute] == NULL;
    if (found->unsupported)
        return;
    search s = {
        .c = c,
        .machine = &machine,
        .network = &c->plan->networks[unit],
        .gpus = place.gpus,
        .domain = domain_used(&machine, place),
        .best = found,
        .batches = *batches,
        .tried = tried,
    };
    gp_train_rates_of(&c->out->train, &machine, c->plan->constants, &s.rates);
    search_layouts(&s);
    if (found->tried > 0 || found->fits)
        return;
    if (found->rule != NULL)
        found->layout = s.refused;
    found->refused = gp_train_refusal(c, found);
}

void gp_search_set_run(const gp_case *c, size_t unit, gp_train_place place,
                       gp_train_capability *ret) {
    gp_run_of(c, unit, place, &ret->layout, ret->time.step_s, NULL, &ret->run);
    ret->steps = c->run.steps;
}

void gp_search_train_with(const gp_case *c, size_t unit, gp_train_place place,
                          const gp_batch_choice *batches, gp_train_capability *ret) {
    const gp_machine machine = gp_machine_shared(&c->plan->units[unit].machine, place.jobs);
    search_place(c, unit, place, batches, NULL, ret);
    share_memory(&ret->memory, place.jobs);
    if (!ret->fits)
        return;
    gp_layout_set_stages(&c->out->train, &ret->layout);
    gp_train_time_share(&ret->time, place.jobs);
    gp_search_set_run(c, unit, place, ret);
    ret->error_fraction = gp_train_band(&c->out->train, &machine, &ret->layout, c->plan->constants);
}

/* Those of whole jobs, or of the updates of reinforcement learning. */
static gp_train_capability *kept(const gp_case *c, gp_unit_capability *store, int64_t **ret_count) {
    const bool learns = c->part == GP_RL_LEARN;
    *ret_count = learns ? &store->learn_count : &store->train_count;
    return learns ? store->learn : store->train;
}

/* The layout stays, and what was found for a run of another length gets the times of this one. */
static void set_own_run(const gp_case *c, size_t unit, gp_train_place place,
                        gp_train_capability *found) {
    if (found->fits && !gp_num_near(found->steps, c->run.steps))
        gp_search_set_run(c, unit, place, found);
}

gp_train_capability *gp_search_recall(const gp_case *c, size_t unit, gp_train_place place) {
    int64_t *count = NULL;
    gp_train_capability *const all = kept(c, gp_capability_of(c, unit), &count);
    for (int64_t i = 0; i < gp_num_min_i64(*count, GP_PLAN_COUNTS_MAX); i++) {
        gp_train_capability *t = &all[i];
        if (gp_train_is_at(t, place)) {
            set_own_run(c, unit, place, t);
            return t;
        }
    }
    return NULL;
}

gp_train_capability *gp_search_room(const gp_case *c, size_t unit) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    int64_t *count = NULL;
    gp_capabilities_open(c, store);
    gp_train_capability *const all = kept(c, store, &count);
    return &all[(*count)++ % GP_PLAN_COUNTS_MAX];
}

const gp_train_capability *gp_search_train(const gp_case *c, size_t unit, gp_train_place place) {
    gp_train_capability *found = gp_search_recall(c, unit, place);
    if (found != NULL)
        return found;
    found = gp_search_room(c, unit);
    if (gp_memory_recall_train(c, unit, place, found)) {
        set_own_run(c, unit, place, found);
    } else {
        const gp_batch_choice batches = gp_train_batches(c, place.gpus);
        gp_search_train_with(c, unit, place, &batches, found);
        gp_memory_keep_train(c, unit, found);
    }
    c->out->layouts_timed += found->tried;
    return found;
}

void gp_train_size_again(const gp_case *c, size_t unit, gp_candidate *candidate) {
    const gp_train_job job = gp_train_job_offloaded(&c->out->train, &candidate->layout);
    const gp_machine machine =
        gp_machine_shared(&c->plan->units[unit].machine, candidate->jobs_per_gpu);
    const gp_constants *k = c->plan->constants;
    const gp_train_place place = {.gpus = gp_layout_gpus(&candidate->layout),
                                  .jobs = candidate->jobs_per_gpu,
                                  .nodes = candidate->job_nodes};
    gp_train_memory(&job, &machine, &candidate->layout, k, c->memory_headroom_fraction, NULL,
                    &candidate->memory);
    share_memory(&candidate->memory, place.jobs);
    gp_train_step_time(&job, &machine, &c->plan->networks[unit], &candidate->layout, k, NULL,
                       &candidate->time);
    gp_train_time_share(&candidate->time, place.jobs);
    candidate->error_fraction = gp_train_band(&c->out->train, &machine, &candidate->layout, k);
    gp_run_of(c, unit, place, &candidate->layout, candidate->time.step_s, NULL, &candidate->run);
}

int gp_search_train_tried(const gp_case *c, size_t unit, gp_train_place place,
                          gp_layout_tried ret[GP_TRIED_MAX]) {
    const gp_batch_choice batches = gp_train_batches(c, place.gpus);
    gp_train_capability found;
    gp_tried_lists lists = {0};
    search_place(c, unit, place, &batches, &lists, &found);
    return gp_tried_join(&lists, ret);
}
