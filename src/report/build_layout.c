/* Machines and layouts in words: how many of which, and how the work is split over them. */
#include "report/build.h"

#include "base/str.h"

typedef struct layout_size {
    const char *name;
    int64_t ranks;
} layout_size;

int64_t gp_build_gpus_each(const gp_workload_plan *plan, const gp_candidate *candidate) {
    const gp_layout *layout = &candidate->layout;
    if (plan->is_serving)
        return gp_serve_layout_gpus(&candidate->serve_layout);
    const int64_t trains = layout->tp * layout->pp * layout->cp * layout->dp;
    const gp_rl_place *place = &candidate->rl.place;
    return trains + (place->together ? 0 : place->rollout_gpus);
}

bool gp_build_spans_machines(const gp_workload_plan *plan, const gp_candidate *candidate) {
    return candidate->present && candidate->unit != NULL &&
           gp_build_gpus_each(plan, candidate) > candidate->unit->machine.gpus;
}

const char *gp_build_machines(gp_build *build, const gp_candidate *candidate) {
    if (!candidate->present || candidate->unit == NULL)
        return "nothing";
    if (!gp_candidate_is_mixed(candidate))
        return gp_build_text(build, "%lld %s", (long long)candidate->nodes,
                             gp_build_product(candidate->unit));
    const char *text = "";
    for (int k = 0; k < candidate->share_count; k++)
        text = gp_build_text(build, "%s%s%lld %s", text, k > 0 ? " + " : "",
                             (long long)candidate->shares[k].nodes,
                             gp_build_product(candidate->shares[k].unit));
    return text;
}

/* "TP4 PP2 DP16": the sizes above 1; "no split" when all are 1. */
static const char *join_sizes(gp_build *build, const layout_size *sizes, size_t count) {
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        if (sizes[i].ranks > 1)
            text = gp_build_text(build, "%s%s%s%lld", text, text[0] ? " " : "", sizes[i].name,
                                 (long long)sizes[i].ranks);
    return text[0] != '\0' ? text : "no split";
}

const char *gp_build_replica_words(gp_build *build, const gp_serve_layout *layout) {
    const layout_size sizes[] = {
        {"TP", layout->tp}, {"PP", layout->pp}, {"DP", layout->attention_dp}, {"EP", layout->ep}};
    return gp_build_text(build, "%s (%s)",
                         gp_build_count(build, gp_serve_layout_gpus(layout), "GPU"),
                         join_sizes(build, sizes, sizeof sizes / sizeof sizes[0]));
}

static const char *alike_words(gp_build *build, const gp_candidate *candidate) {
    const gp_split_pools *pools = &candidate->split;
    if (pools->present)
        return gp_build_text(build, "prefill %lld x %s and decode %lld x %s",
                             (long long)pools->prefill_replicas,
                             gp_build_replica_words(build, &pools->layouts.prefill),
                             (long long)pools->decode_replicas,
                             gp_build_replica_words(build, &pools->layouts.decode));
    const char *replicas = gp_build_count(build, candidate->replicas, "replica");
    const gp_serve_layout *layout = &candidate->serve_layout;
    if (layout->part > 0)
        return gp_build_text(build, "%s x %lld %s (%s)",
                             gp_build_count(build, candidate->gpus, "GPU"),
                             (long long)layout->seats,
                             candidate->unit->partition->profiles.items[layout->part - 1].name,
                             candidate->unit->partition->method == GP_PART_MIG ? "MIG" : "MPS");
    if (layout->seats > 0)
        return gp_build_text(build, "%s x %s", gp_build_count(build, candidate->replicas, "seat"),
                             gp_build_count(build, layout->tp, "GPU"));
    if (candidate->part.in_use)
        return gp_build_text(build, "%s x %s of a GPU (%s)", replicas,
                             candidate->part.profile->name,
                             candidate->unit->partition->method == GP_PART_MIG ? "MIG" : "MPS");
    return gp_build_text(build, "%s x %s", replicas,
                         gp_build_replica_words(build, &candidate->serve_layout));
}

/* It is laid out as the other, whatever the counts: the words for one of each are the same. */
static bool is_alike(gp_build *build, const gp_candidate *a, const gp_candidate *b) {
    gp_candidate one[] = {*a, *b};
    for (size_t i = 0; i < GP_COUNT_OF(one); i++)
        one[i].replicas = one[i].gpus = one[i].split.prefill_replicas =
            one[i].split.decode_replicas = 1;
    return gp_str_equal(alike_words(build, &one[0]), alike_words(build, &one[1]));
}

bool gp_build_is_alike(gp_build *build, const gp_candidate *candidate) {
    for (int k = 1; k < candidate->share_count; k++)
        if (!is_alike(build, &candidate->shares[0], &candidate->shares[k]))
            return false;
    return true;
}

/* The first of its shares that are laid out so, with the counts of all of them. */
static gp_candidate sum_alike(gp_build *build, const gp_candidate *candidate, int first) {
    gp_candidate sum = candidate->shares[first];
    for (int k = first + 1; k < candidate->share_count; k++) {
        const gp_candidate *share = &candidate->shares[k];
        if (!is_alike(build, share, &sum))
            continue;
        sum.replicas += share->replicas;
        sum.gpus += share->gpus;
        sum.split.prefill_replicas += share->split.prefill_replicas;
        sum.split.decode_replicas += share->split.decode_replicas;
    }
    return sum;
}

static bool is_told(gp_build *build, const gp_candidate *candidate, int share) {
    for (int k = 0; k < share; k++)
        if (is_alike(build, &candidate->shares[k], &candidate->shares[share]))
            return true;
    return false;
}

const char *gp_build_serving_words(gp_build *build, const gp_candidate *candidate) {
    if (gp_build_is_alike(build, candidate))
        return alike_words(build, candidate);
    const char *text = "";
    for (int k = 0; k < candidate->share_count; k++) {
        if (is_told(build, candidate, k))
            continue;
        const gp_candidate sum = sum_alike(build, candidate, k);
        text = gp_build_text(build, "%s%s%s", text, k > 0 ? " + " : "", alike_words(build, &sum));
    }
    return text;
}

/* ", optimizer in host memory" */
static const char *offload_words(gp_build *build, const gp_layout *layout) {
    if (layout->offload == GP_OFFLOAD_NONE)
        return "";
    return gp_build_text(build, ", %s %s", gp_offload_words[layout->offload],
                         layout->on_drives ? "on drives" : "in host memory");
}

const char *gp_build_degree_words(gp_build *build, const gp_layout *layout) {
    const layout_size sizes[] = {{"TP", layout->tp}, {"PP", layout->pp}, {"VPP", layout->vpp},
                                 {"CP", layout->cp}, {"EP", layout->ep}, {"DP", layout->dp}};
    const char *words = join_sizes(build, sizes, sizeof sizes / sizeof sizes[0]);
    if (layout->zero > 0 && layout->dp > 1)
        words = gp_build_text(build, "%s ZeRO-%lld", words, (long long)layout->zero);
    if (layout->shard_group > 0)
        words = gp_build_text(build, "%s in groups of %lld", words, (long long)layout->shard_group);
    return gp_build_text(build, "%s%s", words, offload_words(build, layout));
}

/* "; 8 engines of 2 GPUs (TP2)": what generates for a job of reinforcement learning. */
static const char *engine_words(gp_build *build, const gp_rl_place *place) {
    const int64_t engines = place->rollout_gpus / gp_serve_layout_gpus(&place->engine);
    return gp_build_text(build, "; %s x %s", gp_build_count(build, engines, "engine"),
                         gp_build_replica_words(build, &place->engine));
}

static const char *training_words(gp_build *build, const gp_workload_plan *plan,
                                  const gp_candidate *candidate) {
    const char *generates =
        candidate->rl.place.rollout_gpus > 0 ? engine_words(build, &candidate->rl.place) : "";
    const char *each =
        candidate->jobs_per_gpu > 1
            ? gp_build_text(build, ", %lld to a GPU", (long long)candidate->jobs_per_gpu)
            : gp_build_text(build, " x %s",
                            gp_build_count(build, gp_build_gpus_each(plan, candidate), "GPU"));
    return gp_build_text(build, "%s%s (%s%s)", gp_build_count(build, candidate->replicas, "job"),
                         each, gp_build_degree_words(build, &candidate->layout), generates);
}

const char *gp_build_layout_words(gp_build *build, const gp_workload_plan *plan,
                                  const gp_candidate *candidate) {
    return plan->is_serving ? gp_build_serving_words(build, candidate)
                            : training_words(build, plan, candidate);
}
