/*
 * Batches that a training run may take, and what refuses a layout, in words. A batch that the spec
 * states binds; one that is no whole number of sequences is taken as nearly as it launches; a range
 * is searched, and so is a default.
 */
#include <math.h>

#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* ------------------------------------------------------------ batches */

static bool is_default(const gp_data *data) {
    return GP_ORIGIN_OF(data, gp_data, global_batch)->kind == GP_ORIGIN_DEFAULT;
}

static gp_batch_choice around(double asked, double fraction) {
    const int64_t nearest = gp_num_max_i64(1, gp_num_floor_count(asked + 0.5));
    gp_batch_choice b = {.asked = asked,
                         .low = gp_num_ceil_count(asked * (1 - fraction)),
                         .high = gp_num_floor_count(asked * (1 + fraction))};
    b.low = gp_num_max_i64(1, gp_num_min_i64(b.low, nearest));
    b.high = gp_num_max_i64(b.high, nearest);
    return b;
}

gp_batch_choice gp_train_batches(const gp_case *c, int64_t gpus) {
    const gp_data *data = &c->workload->data;
    const gp_constants *k = c->plan->constants;
    const gp_train_job *job = &c->out->train;
    const double asked = job->global_batch / job->sequence_length;
    if (GP_GIVEN(data, gp_data, global_batch_range)) {
        const double low = data->global_batch_range.min / job->sequence_length;
        const double high = data->global_batch_range.max / job->sequence_length;
        const int64_t least = gp_num_max_i64(1, gp_num_ceil_count(low));
        return (gp_batch_choice){.asked = asked,
                                 .low = least,
                                 .high = gp_num_max_i64(least, gp_num_floor_count(high)),
                                 .largest = true};
    }
    if (is_default(data)) {
        const double large = job->type == GP_WORKLOAD_TRAINING
                                 ? (double)gpus * k->plan_batch_gpu_tokens / job->sequence_length
                                 : 0;
        return around(gp_num_max(asked, large), k->plan_batch_range_fraction);
    }
    const bool whole = gp_num_near(asked, floor(asked + 0.5));
    return around(asked, whole ? 0 : k->plan_batch_rounding_fraction);
}

int64_t gp_train_batch_near(const gp_batch_choice *batches, int64_t unit) {
    const int64_t below = gp_num_floor_count(batches->asked / (double)unit) * unit;
    const int64_t above = below + unit;
    const bool below_will = below >= batches->low && below <= batches->high && below > 0;
    const bool above_will = above >= batches->low && above <= batches->high;
    if (below_will && above_will)
        return batches->asked - (double)below <= (double)above - batches->asked ? below : above;
    return below_will ? below : above_will ? above : 0;
}

/* ------------------------------------------------------------ a nearby batch */

typedef struct nearby {
    const gp_case *c;
    size_t unit;
    gp_train_place place;
    gp_batch_choice batches;
    gp_train_capability found;
} nearby;

/* The run meets its goal on so many machines, with one of the batches. */
static bool nearby_enough(nearby *n, int64_t nodes) {
    const gp_case *c = n->c;
    const gp_train_place place = {
        .gpus = n->place.gpus / n->place.nodes * nodes, .jobs = n->place.jobs, .nodes = nodes};
    gp_search_train_with(c, n->unit, place, &n->batches, &n->found);
    if (!n->found.fits)
        return false;
    const double margin = gp_plan_margin(c, n->found.error_fraction, c->confidence);
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    return gp_plan_band(n->found.run.wall_s, margin).high <= allowed;
}

/* The fewest machines below those of the place, by halving. */
static bool nearby_fewest(nearby *n, gp_batch_change *ret) {
    int64_t too_few = 0;
    int64_t enough = n->place.nodes;
    while (enough - too_few > 1) {
        const int64_t middle = too_few + (enough - too_few) / 2;
        if (!nearby_enough(n, middle)) {
            too_few = middle;
            continue;
        }
        enough = middle;
        ret->to_sequences = n->found.layout.global_batch_sequences;
        ret->to_gpus = n->found.gpus;
        ret->to_nodes = middle;
    }
    return enough < n->place.nodes && ret->to_sequences != ret->from_sequences;
}

bool gp_search_train_batch(const gp_case *c, size_t unit, gp_train_place place,
                           gp_batch_change *ret) {
    const gp_constants *k = c->plan->constants;
    const double reach[] = {k->plan_batch_rounding_fraction, k->plan_batch_range_fraction};
    const gp_batch_choice stated = gp_train_batches(c, place.gpus);
    if (stated.low != stated.high || !(c->demand.deadline_s > 0))
        return false;
    for (size_t i = 0; i < sizeof reach / sizeof reach[0]; i++) {
        nearby n = {.c = c, .unit = unit, .place = place};
        n.batches = around(stated.asked, reach[i]);
        *ret = (gp_batch_change){.from_sequences = stated.low, .from_nodes = place.nodes};
        if (nearby_fewest(&n, ret))
            return true;
    }
    return false;
}

/* ------------------------------------------------------------ words */

/* "Megatron-LM does not launch", or that nothing does. */
static const char *who_refuses(const gp_layout_rule *rule, int rules) {
    static const char *const words[GP_RULES_COUNT] = {
        [GP_RULES_MEGATRON] = "Megatron-LM does not launch",
        [GP_RULES_NEMO] = "NeMo does not launch",
        [GP_RULES_TORCHTITAN] = "torchtitan does not launch",
        [GP_RULES_FSDP] = "FSDP does not launch",
        [GP_RULES_DEEPSPEED] = "DeepSpeed does not launch",
    };
    const bool everywhere = (rule->frameworks & 1u << GP_RULES_NONE) != 0;
    return everywhere || words[rules] == NULL ? "no framework launches" : words[rules];
}

/* "TP8 PP35 DP10": the degrees above one. */
static const char *degrees_words(gp_arena *arena, const gp_layout *l) {
    const struct {
        const char *name;
        int64_t degree;
    } parts[] = {{"TP", l->tp}, {"PP", l->pp}, {"VPP", l->vpp},
                 {"CP", l->cp}, {"EP", l->ep}, {"DP", l->dp}};
    const char *words = "";
    for (size_t i = 0; words != NULL && i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].degree > 1)
            words = gp_arena_printf(arena, "%s%s%s%lld", words, words[0] != '\0' ? " " : "",
                                    parts[i].name, (long long)parts[i].degree);
    if (words == NULL)
        return "";
    return words[0] == '\0' ? "one GPU" : words;
}

/* Batches beside the one that does not divide. */
static const char *beside_words(gp_arena *arena, int64_t sequences, const gp_layout *l) {
    const int64_t unit = l->dp * l->micro_batch;
    const int64_t below = sequences / unit * unit;
    const char *words = below > 0 ? gp_arena_printf(arena, "; %lld or %lld sequences do",
                                                    (long long)below, (long long)(below + unit))
                                  : gp_arena_printf(arena, "; %lld sequences do", (long long)unit);
    return words != NULL ? words : "";
}

/* The degrees that are declared do not make up the GPUs. */
static const char *product_words(const gp_case *c, int64_t gpus) {
    const gp_parallelism *p = &c->workload->parallelism;
    gp_layout l = {.tp = gp_num_max_i64(1, p->tp),
                   .pp = gp_num_max_i64(1, p->pp),
                   .cp = gp_num_max_i64(1, p->cp),
                   .dp = gp_num_max_i64(1, p->dp)};
    const char *words = degrees_words(c->plan->arena, &l);
    return p->dp > 0 && p->tp > 0 && p->pp > 0
               ? gp_arena_printf(c->plan->arena,
                                 "the parallelism declared (%s) takes %lld GPUs, not %lld", words,
                                 (long long)gp_layout_gpus(&l), (long long)gpus)
               : gp_arena_printf(c->plan->arena,
                                 "the parallelism declared (%s) does not make up %lld GPUs", words,
                                 (long long)gpus);
}

/* Layouts that launch and have no room: the one that is nearest to it. */
static const char *short_words(const gp_case *c, const gp_train_capability *found) {
    gp_arena *arena = c->plan->arena;
    const bool outside = found->outside_bytes > found->outside_room_bytes;
    const double usable = found->memory.capacity_bytes * (1 - c->memory_headroom_fraction) *
                          gp_num_min(1, c->plan->constants->memory_borderline_fraction);
    const double need = outside ? found->outside_bytes : found->memory.total_bytes;
    const double have = outside ? found->outside_room_bytes : usable;
    const char *lack = gp_quantity_format(arena, need - have, GP_DIM_BYTES);
    const char *there = gp_quantity_format(arena, have, GP_DIM_BYTES);
    if (lack == NULL || there == NULL)
        return NULL;
    return gp_arena_printf(arena,
                           "%s with micro-batches of %lld is short of %s by %s on each GPU, "
                           "of %s that may be used",
                           degrees_words(arena, &found->layout),
                           (long long)found->layout.micro_batch,
                           outside ? "host memory or drives" : "memory", lack, there);
}

static const char *rule_words(const gp_case *c, const gp_layout_rule *rule,
                              const gp_layout *refused) {
    gp_arena *arena = c->plan->arena;
    const int64_t sequences = (int64_t)gp_train_step_sequences(&c->out->train, refused);
    const bool batch = gp_str_equal(rule->id, "batch.divides");
    return gp_arena_printf(arena,
                           "%s %s with micro-batches of %lld and %lld sequences a step: %s%s",
                           who_refuses(rule, c->out->train.rules), degrees_words(arena, refused),
                           (long long)refused->micro_batch, (long long)sequences, rule->words,
                           batch ? beside_words(arena, sequences, refused) : "");
}

const char *gp_train_refusal(const gp_case *c, const gp_train_capability *found,
                             const gp_layout *refused) {
    if (found->tried > 0)
        return short_words(c, found);
    if (found->rule != NULL)
        return rule_words(c, found->rule, refused);
    return c->pinned ? product_words(c, found->gpus)
                     : gp_arena_printf(c->plan->arena, "no layout makes up %lld GPUs",
                                       (long long)found->gpus);
}

/* ------------------------------------------------------------ why not */

/* "3.1% slower", or faster where it has no room or is not launched. */
static const char *speed_words(gp_arena *arena, const gp_train_tried *row) {
    const bool faster = row->slower_fraction < 0;
    const char *share = gp_quantity_format(
        arena, faster ? -row->slower_fraction : row->slower_fraction, GP_DIM_FRACTION);
    const char *words =
        share != NULL ? gp_arena_printf(arena, "%s %s", share, faster ? "faster" : "slower") : NULL;
    return words != NULL ? words : "";
}

static const char *lost_words(gp_arena *arena, const gp_train_tried *row) {
    const char *lack = gp_quantity_format(arena, row->short_bytes, GP_DIM_BYTES);
    switch (row->reason) {
    case GP_TRIED_BEST: return "taken";
    case GP_TRIED_SLOWER: return speed_words(arena, row);
    case GP_TRIED_MEMORY:
        return gp_arena_printf(arena, "short of memory by %s on each GPU, else %s",
                               lack != NULL ? lack : "", speed_words(arena, row));
    case GP_TRIED_OUTSIDE:
        return gp_arena_printf(arena, "short of host memory or drives by %s for each GPU",
                               lack != NULL ? lack : "");
    case GP_TRIED_RULE: return gp_arena_printf(arena, "not launched: %s", row->rule->words);
    }
    return NULL;
}

const char *gp_train_tried_words(gp_arena *arena, const gp_train_tried *row) {
    const gp_layout *l = &row->layout;
    const char *lost = lost_words(arena, row);
    if (lost == NULL)
        return NULL;
    return gp_arena_printf(arena, "%s ZeRO-%lld, micro-batches of %lld, %lld sequences a step: %s",
                           degrees_words(arena, l), (long long)l->zero, (long long)l->micro_batch,
                           (long long)l->global_batch_sequences, lost);
}
