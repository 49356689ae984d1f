/* Rules over several fields of one workload. Each row of the tables is one rule; a rule reports
 * what it finds and leaves the rest to the others. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/fields.h"
#include "model/resolve.h"

typedef void workload_rule(gp_resolver *r, const gp_workload *workload);

static bool serves(const gp_workload *w) {
    return w->type == GP_WORKLOAD_INFERENCE;
}

/* ---- model ----------------------------------------------------------------------------------- */

/* All of its layers are state-space blocks, which need no MLP beside them. */
static bool only_mamba(const gp_model *m) {
    return m->mamba.layers > 0 && m->mamba.layers == m->layers;
}

/* Some layers of the model have attention. */
static bool has_attention(const gp_model *m) {
    bool only_linear = m->linear.layers > 0 && m->linear.layers == m->layers;
    return !only_linear && !only_mamba(m);
}

static void model_complete(gp_resolver *r, const gp_workload *w) {
    const gp_model *m = &w->model;
    if (!GP_GIVEN(w, gp_workload, model) || w->type == GP_WORKLOAD_SEATS ||
        gp_model_kind_of(m) == GP_MODEL_PICTURES || gp_model_kind_of(m) == GP_MODEL_SCORES)
        return;
    const struct {
        bool there;
        const char *key;
    } due[] = {
        {m->layers > 0, "layers"},
        {m->hidden > 0, "hidden"},
        {m->vocab > 0, "vocab"},
        {m->heads > 0 || !has_attention(m), "heads"},
        {m->ffn > 0 || m->experts.count > 0 || m->blocks.count > 0 || m->pattern || only_mamba(m),
         "ffn or experts"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(due); i++)
        if (!due[i].there)
            gp_refuse_absence(r, m->meta.span,
                              gp_arena_printf(r->arena, "a model needs %s", due[i].key),
                              "the shape of the model, or the id of a catalogue row");
}

static void model_heads(gp_resolver *r, const gp_workload *w) {
    const gp_model *m = &w->model;
    bool derived = GP_ORIGIN_OF(m, gp_model, head_dim)->kind == GP_ORIGIN_DERIVED;
    if (m->heads <= 0)
        return;
    if (m->kv_heads > m->heads || (m->kv_heads > 0 && m->heads % m->kv_heads != 0))
        gp_refuse_values(r, GP_PLACE(m, gp_model, kv_heads), "a divisor of heads",
                         "kvHeads is %lld with %lld heads", (long long)m->kv_heads,
                         (long long)m->heads);
    if (derived && !GP_GIVEN(m, gp_model, mla) && m->hidden % m->heads != 0)
        gp_refuse_values(r, GP_PLACE(m, gp_model, heads), "heads that divide hidden, or headDim",
                         "%lld heads do not divide hidden %lld", (long long)m->heads,
                         (long long)m->hidden);
}

static void model_experts(gp_resolver *r, const gp_workload *w) {
    const gp_experts *e = &w->model.experts;
    if (e->count > 0 && e->top_k > e->count)
        gp_refuse_values(r, GP_PLACE(e, gp_experts, top_k), "at most count",
                         "topK is %lld of %lld experts", (long long)e->top_k, (long long)e->count);
    if (e->count > 0 && e->ffn <= 0)
        gp_refuse_absence(r, e->meta.span, "experts need ffn", "ffn: the width of one expert");
}

static void model_layers(gp_resolver *r, const gp_workload *w) {
    const gp_model *m = &w->model;
    int64_t special = m->mamba.layers + m->linear.layers + m->window.layers;
    if (special > m->layers && m->layers > 0)
        gp_refuse_values(
            r, GP_PLACE(m, gp_model, layers), "no more special layers than layers",
            "%lld layers, but %lld of them with a window, state space or linear attention",
            (long long)m->layers, (long long)special);
    size_t pattern = m->pattern ? strlen(m->pattern) : 0;
    if (pattern > 0 && m->layers > 0 && pattern != (size_t)m->layers)
        gp_refuse_values(r, GP_PLACE(m, gp_model, pattern), "one letter per layer",
                         "the pattern has %zu letters and the model %lld layers", pattern,
                         (long long)m->layers);
}

/* ---- training -------------------------------------------------------------------------------- */

static void data_complete(gp_resolver *r, const gp_workload *w) {
    const gp_data *d = &w->data;
    if (serves(w) || w->type == GP_WORKLOAD_RL || w->type == GP_WORKLOAD_SEATS)
        return;
    if (!(d->tokens > 0)) {
        gp_span span = d->meta.span.text ? d->meta.span : w->meta.span;
        gp_refuse_absence(r, span,
                          gp_arena_printf(r->arena, "%s needs the size of its data",
                                          gp_workload_type_words[w->type]),
                          "data.tokens, or data.samples and data.tokensPerSample");
    }
    bool both = GP_GIVEN(d, gp_data, samples) && d->tokens_per_sample > 0 &&
                GP_ORIGIN_OF(d, gp_data, tokens)->kind != GP_ORIGIN_DERIVED;
    if (both && !gp_num_near(d->tokens, d->samples * d->tokens_per_sample))
        gp_refuse_values(r, GP_PLACE(d, gp_data, tokens), "only one of the two",
                         "tokens does not equal samples times tokensPerSample");
    if (d->global_batch > 0 && d->global_batch < d->sequence_length)
        gp_refuse_values(r, GP_PLACE(d, gp_data, global_batch), "tokens of one optimizer step",
                         "globalBatch is less than one sequence");
}

/* A range of batches stands in for one batch, and has room for a sequence. */
static void batch_range_meant(gp_resolver *r, const gp_workload *w) {
    const gp_data *d = &w->data;
    const gp_batch_range *range = &d->global_batch_range;
    if (serves(w) || !GP_GIVEN(d, gp_data, global_batch_range))
        return;
    if (GP_ORIGIN_OF(d, gp_data, global_batch)->kind != GP_ORIGIN_DERIVED)
        gp_refuse_values(r, GP_PLACE(d, gp_data, global_batch_range), "only one of the two",
                         "globalBatch and globalBatchRange are both stated");
    if (range->max < range->min || range->max < d->sequence_length)
        gp_refuse_values(r, GP_PLACE(range, gp_batch_range, max), "at least min, and one sequence",
                         "no batch size lies between min and max");
}

/* A training deals whole experts out evenly. A service may keep second copies of some, half as many
 * as there are experts at most, and its groups (tp GPUs each) share all of them. */
static void experts_fit(gp_resolver *r, const gp_workload *w) {
    const gp_parallelism *p = &w->parallelism;
    int64_t experts = w->model.experts.count;
    bool serves = w->type == GP_WORKLOAD_INFERENCE;
    bool dealt = serves ? 2 * p->ep <= 3 * experts : experts % p->ep == 0;
    if (experts <= 0 || !dealt)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, ep),
                         serves ? "at most 1.5 times the number of experts"
                                : "a divisor of the number of experts",
                         "ep is %lld and the model has %lld experts", (long long)p->ep,
                         (long long)experts);
    int64_t tp = p->tp > 0 ? p->tp : 1;
    int64_t replicated = p->dp > 0 ? p->dp : p->ep > tp ? p->ep / tp : 1;
    if (serves && tp * replicated % p->ep != 0)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, ep), "a divisor of tp x dp",
                         "ep is %lld and a replica has %lld x %lld ranks", (long long)p->ep,
                         (long long)tp, (long long)replicated);
}

static void layout_fits(gp_resolver *r, const gp_workload *w) {
    const gp_parallelism *p = &w->parallelism;
    bool degrees = p->tp || p->pp || p->vpp || p->dp || p->cp || p->ep || p->shard_group ||
                   p->micro_batch || GP_GIVEN(p, gp_parallelism, zero);
    if (gp_str_equal(p->mode, "auto") && degrees)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, mode), "either auto or explicit degrees",
                         "parallelism is both auto and explicit");
    if (gp_str_equal(p->mode, "explicit") && !degrees)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, mode),
                         "at least one of tp, pp, dp, cp, ep, zero, microBatch",
                         "an explicit layout without degrees");
    if (p->vpp > 1 && p->pp <= 1)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, vpp), "pp of 2 or more",
                         "virtual stages without a pipeline");
    if (p->shard_group > 0 && GP_GIVEN(p, gp_parallelism, zero) && p->zero != 3)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, shard_group), "zero: 3",
                         "a shard group with zero %lld", (long long)p->zero);
    if (p->ep > 1)
        experts_fit(r, w);
    if (p->tp > 1 && w->model.heads > 0 && w->model.heads % p->tp != 0)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, tp), "a divisor of the heads",
                         "tp is %lld and the model has %lld heads", (long long)p->tp,
                         (long long)w->model.heads);
    if (p->pp > w->model.layers && w->model.layers > 0)
        gp_refuse_values(r, GP_PLACE(p, gp_parallelism, pp), "at most one stage per layer",
                         "pp is %lld and the model has %lld layers", (long long)p->pp,
                         (long long)w->model.layers);
}

/* ---- serving --------------------------------------------------------------------------------- */

typedef struct level {
    size_t offset;
    const char *key;
    double most_of_mean; /* Markov: 1 / (1 - level); 0: no bound */
} level;

/* In rising order; the mean may lie above the median and below it. */
static const level levels[] = {
    {offsetof(gp_distribution, p50), "p50", 2},
    {offsetof(gp_distribution, p95), "p95", 20},
    {offsetof(gp_distribution, p99), "p99", 100},
    {offsetof(gp_distribution, peak), "peak", 0},
};

static double level_of(const gp_distribution *d, size_t offset) {
    const double *value = (const double *)(const void *)((const char *)d + offset);
    return *value;
}

static void check_levels(gp_resolver *r, const gp_distribution *d, const char *name) {
    double last = 0;
    const char *last_key = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(levels); i++) {
        double value = level_of(d, levels[i].offset);
        bool given = gp_origin_at(&d->meta, levels[i].offset)->kind != GP_ORIGIN_NONE;
        double floor = i == 0 ? 0 : gp_num_max(last, d->mean);
        if (given && value < floor)
            gp_refuse_values(r, gp_place_of(&d->meta, levels[i].offset),
                             "mean and p50 <= p95 <= p99 <= peak", "%s: %s is below %s", name,
                             levels[i].key, last_key && last > d->mean ? last_key : "mean");
        if (given && value > last) {
            last = value;
            last_key = levels[i].key;
        }
    }
}

/* What one in twenty exceeds is at most twenty times the mean: else they alone make up more. */
static void check_amounts(gp_resolver *r, const gp_distribution *d, const char *name) {
    check_levels(r, d, name);
    for (size_t i = 0; i < GP_COUNT_OF(levels) && d->mean > 0; i++) {
        const double most = levels[i].most_of_mean * d->mean;
        const double value = level_of(d, levels[i].offset);
        if (most > 0 && value > most)
            gp_refuse_values(r, gp_place_of(&d->meta, levels[i].offset),
                             "a smaller percentile, or a larger mean",
                             "%s: %s is more than %.0f times the mean, which is impossible", name,
                             levels[i].key, levels[i].most_of_mean);
    }
}

static void distributions(gp_resolver *r, const gp_workload *w) {
    check_amounts(r, &w->traffic.requests_per_s, "requestsPerSecond");
    check_amounts(r, &w->traffic.input_tokens, "inputTokens");
    check_amounts(r, &w->traffic.output_tokens, "outputTokens");
    check_amounts(r, &w->traffic.thought_tokens, "thoughtTokens");
    check_levels(r, &w->goal.slo.ttft_s, "ttft");
    check_levels(r, &w->goal.slo.tpot_s, "tpot");
    check_levels(r, &w->goal.slo.e2e_s, "e2e");
}

static void mean_given(gp_resolver *r, const gp_distribution *d, const gp_traffic *traffic,
                       const char *key) {
    if (!GP_GIVEN(d, gp_distribution, mean)) {
        gp_refuse_absence(r, d->meta.span.text ? d->meta.span : traffic->meta.span,
                          gp_arena_printf(r->arena, "traffic needs the mean of %s", key),
                          gp_arena_printf(r->arena, "%s: a number, or a map with mean", key));
    } else if (d->mean <= 0) {
        gp_refuse_values(r, GP_PLACE(d, gp_distribution, mean), "a number above zero",
                         "the mean of %s is zero", key);
    }
}

/* Vectors, scores and classes come of the prompt alone: nothing that makes tokens goes with
 * them. */
static void reads_only(gp_resolver *r, const gp_workload *w) {
    const gp_traffic *t = &w->traffic;
    const gp_distribution *output = &t->output_tokens;
    static const char wanted[] =
        "goal.slo.ttft: it is the latency of a service that generates nothing";
    if (output->mean > 0) {
        if (w->model.bidirectional && gp_model_kind_of(&w->model) == GP_MODEL_TEXT)
            gp_refuse_values(r, GP_PLACE(output, gp_distribution, mean), "outputTokens: 0",
                             "an encoder generates no tokens");
        return;
    }
    if (w->goal.slo.tpot_s.meta.span.text)
        gp_refuse_values(r, w->goal.slo.tpot_s.meta.span, wanted,
                         "a time per token, but no tokens are generated");
    if (t->thought_tokens.mean > 0 || t->branches > 1 || w->speculative.tokens > 0)
        gp_refuse_values(r, GP_PLACE(output, gp_distribution, mean),
                         "outputTokens above 0, or none of these",
                         "reasoning, branches or drafts for a service that generates nothing");
    if (gp_str_equal(w->disaggregated, "true") || gp_str_equal(w->disaggregated, "decode"))
        gp_refuse_values(r, GP_PLACE(w, gp_workload, disaggregated), "auto or false",
                         "a decode pool, but no tokens are generated");
}

/* Images cost what the model's own rule makes of them: without it nothing is planned. */
static void images_complete(gp_resolver *r, const gp_workload *w, const gp_images *images,
                            const char *what) {
    const gp_vision *vision = &w->model.vision;
    const gp_span place = GP_PLACE(images, gp_images, per_request);
    const bool video = images == &w->traffic.videos;
    if (images->per_request <= 0)
        return;
    if (vision->layers <= 0) {
        gp_refuse_values(r, place, "a model with a vision tower", "%s for a model that reads %s",
                         what, "text only");
    } else if (vision->processor.rule == GP_IMAGE_NONE && vision->tokens_per_image <= 0) {
        gp_refuse_values(r, place, "model.vision.processor, or model.vision.tokensPerImage",
                         "the model does not state how many tokens an image takes");
    } else if (vision->processor.cross_attention && vision->cross_layers <= 0) {
        gp_refuse_absence(
            r, place, "cross-attention layers for a decoder that reads images by cross attention",
            "model.vision.crossLayers");
    } else if (video && images->frames <= 0) {
        gp_refuse_absence(r, place, "a video has frames", "traffic.videos.frames");
    } else if ((images->width > 0) != (images->height > 0)) {
        gp_refuse_values(r, place, "both width and height", "the size of %s has only one side",
                         what);
    } else if (images->width > 0 && images->edge > 0) {
        gp_refuse_values(r, place, "edge, or width and height", "%s have two sizes", what);
    }
}

static void traffic_complete(gp_resolver *r, const gp_workload *w) {
    const gp_traffic *t = &w->traffic;
    if (!serves(w) || !GP_GIVEN(w, gp_workload, traffic))
        return;
    if (GP_GIVEN(t, gp_traffic, requests_per_s))
        mean_given(r, &t->requests_per_s, t, "requestsPerSecond");
    if (!t->profile.trace || GP_GIVEN(t, gp_traffic, input_tokens))
        mean_given(r, &t->input_tokens, t, "inputTokens");
    if (GP_GIVEN(&t->output_tokens, gp_distribution, mean)) {
        reads_only(r, w);
    } else if (!t->profile.trace || GP_GIVEN(t, gp_traffic, output_tokens)) {
        mean_given(r, &t->output_tokens, t, "outputTokens");
    }
    if (t->requests > 0 && GP_GIVEN(t, gp_traffic, requests_per_s))
        gp_refuse_values(r, GP_PLACE(t, gp_traffic, requests), "requests or requestsPerSecond",
                         "traffic is both an offline job and a service");
    const gp_goal *g = &w->goal;
    if (t->requests > 0 && !(g->complete_within_s > 0 || g->max_duration_s > 0 || g->every_s > 0))
        gp_refuse_absence(r, GP_PLACE(t, gp_traffic, requests), "an offline job needs a deadline",
                          "goal.completeWithin, or goal.every with goal.maxDuration");
    if (GP_GIVEN(t, gp_traffic, thought_tokens))
        mean_given(r, &t->thought_tokens, t, "thoughtTokens");
    enum { HOURS = 24 };
    if (GP_GIVEN(&t->profile, gp_profile, hourly) && t->profile.hourly.count != HOURS)
        gp_refuse_values(r, GP_PLACE(&t->profile, gp_profile, hourly), "24 factors, one per hour",
                         "the profile has %zu factors", t->profile.hourly.count);
    images_complete(r, w, &t->images, "images");
    images_complete(r, w, &t->videos, "videos");
}

/* All hours at nothing tell no shape; and no engine can promise its largest latency. */
static void levels_meant(gp_resolver *r, const gp_workload *w) {
    const gp_profile *profile = &w->traffic.profile;
    double sum = 0;
    for (size_t i = 0; i < profile->hourly.count; i++)
        sum += profile->hourly.items[i];
    if (profile->hourly.count > 0 && !(sum > 0))
        gp_refuse_values(r, GP_PLACE(profile, gp_profile, hourly), "at least one factor above zero",
                         "the profile is zero in every hour");
    const gp_distribution *promised[] = {&w->goal.slo.ttft_s, &w->goal.slo.tpot_s,
                                         &w->goal.slo.e2e_s};
    for (size_t i = 0; i < GP_COUNT_OF(promised); i++)
        if (promised[i]->peak > 0)
            gp_refuse_values(r, GP_PLACE(promised[i], gp_distribution, peak), "mean, p50, p95, p99",
                             "a maximum latency cannot be guaranteed; use a percentile");
}

static void replicas_fit(gp_resolver *r, const gp_workload *w) {
    const gp_scaling *s = &w->scaling;
    if (GP_GIVEN(s, gp_scaling, allow) && s->allow.count == 0)
        gp_refuse_values(r, GP_PLACE(s, gp_scaling, allow), "vertical, horizontal, or both",
                         "an empty list allows no way to grow");
    if (s->max_replicas > 0 && s->max_replicas < s->min_replicas)
        gp_refuse_values(r, GP_PLACE(s, gp_scaling, max_replicas), "at least minReplicas",
                         "maxReplicas is %lld and minReplicas %lld", (long long)s->max_replicas,
                         (long long)s->min_replicas);
}

/* There is another site, and it is a service that stands there, too. */
static void loss_survived(gp_resolver *r, const gp_workload *w) {
    const gp_placement *p = &w->placement;
    const bool service = (serves(w) && !(w->traffic.requests > 0)) || w->type == GP_WORKLOAD_SEATS;
    if (p->survives && !service)
        gp_refuse_values(r, GP_PLACE(p, gp_placement, survives), "a service, or seats",
                         "a run or a batch runs at one site");
    else if (p->survives && (r->spec->sites.count < 2 || p->sites.count == 1))
        gp_refuse_values(r, GP_PLACE(p, gp_placement, survives), "two sites or more",
                         "there is no other site to take over");
}

static void pool_denied(gp_resolver *r, gp_span place, const char *name) {
    const gp_candidates *c = &r->spec->candidates;
    const gp_pool *pool = GP_NAMED(r->spec->cluster.pools, name, name);
    for (size_t i = 0; i < c->deny.count && pool != NULL; i++)
        if (gp_str_equal(c->deny.items[i], name) || gp_str_equal(c->deny.items[i], pool->system.id))
            gp_refuse_values(r, place, "a pool that candidates.deny leaves",
                             "candidates.deny has \"%s\", so nothing runs on the pool \"%s\"",
                             c->deny.items[i], name);
}

/* What it asks for by name may be used. */
static void pools_allowed(gp_resolver *r, const gp_workload *w) {
    const gp_placement *p = &w->placement;
    pool_denied(r, GP_PLACE(p, gp_placement, pool), p->pool);
    for (size_t i = 0; i < p->shares.count; i++)
        pool_denied(r, GP_PLACE(&p->shares.items[i], gp_share, pool), p->shares.items[i].pool);
}

/* Some workload asks for this very pool, which takes it out of its kind. */
static bool is_asked_for(const gp_resolver *r, const char *pool) {
    for (size_t i = 0; i < r->spec->workloads.count; i++)
        if (gp_str_equal(r->spec->workloads.items[i].placement.pool, pool))
            return true;
    return false;
}

/* Machines that the plan takes for one kind. */
static bool same_machines(const gp_resolver *r, const char *a, const char *b) {
    const gp_pool *one = GP_NAMED(r->spec->cluster.pools, name, a);
    const gp_pool *other = GP_NAMED(r->spec->cluster.pools, name, b);
    return one == other ||
           (one && other && one->system.id && gp_str_equal(one->system.id, other->system.id) &&
            !GP_GIVEN(one, gp_pool, overrides) && !GP_GIVEN(other, gp_pool, overrides) &&
            !is_asked_for(r, a) && !is_asked_for(r, b));
}

static void shares_apart(gp_resolver *r, const gp_placement *p) {
    for (size_t i = 0; i < p->shares.count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_machines(r, p->shares.items[i].pool, p->shares.items[k].pool))
                gp_refuse_values(r, GP_PLACE(&p->shares.items[i], gp_share, pool),
                                 "one share for all pools of the same machines",
                                 "the pools \"%s\" and \"%s\" are one kind of machine",
                                 p->shares.items[k].pool, p->shares.items[i].pool);
}

/* A layout or replicas of prefill or decode belong to pools that are apart. */
static void phase_meant(gp_resolver *r, const gp_phase *phase, bool apart, bool together) {
    if (phase->meta.span.text == NULL)
        return;
    if (!apart)
        gp_refuse_values(r, phase->meta.span, "disaggregated: true",
                         "prefill and decode have replicas of their own only in separate pools");
    else if (together)
        gp_refuse_values(r, phase->meta.span, "replicas and parallelism of prefill and of decode",
                         "separate pools have no replicas in common");
}

static void phases_meant(gp_resolver *r, const gp_workload *w) {
    const bool apart = gp_str_equal(w->disaggregated, "true");
    const bool several = w->placement.shares.count > 0;
    if (!serves(w))
        return;
    phase_meant(r, &w->prefill, apart && !several, w->replicas > 0);
    phase_meant(r, &w->decode, apart && !several, w->replicas > 0);
    for (size_t i = 0; i < w->placement.shares.count; i++) {
        const gp_share *share = &w->placement.shares.items[i];
        phase_meant(r, &share->prefill, share->disaggregated, share->replicas > 0);
        phase_meant(r, &share->decode, share->disaggregated, share->replicas > 0);
    }
}

/* What a service has of its own is stated in its shares, each on machines of its own. */
static void shares_meant(gp_resolver *r, const gp_workload *w) {
    static const double rounding = 0.001;
    const gp_placement *p = &w->placement;
    const gp_span place = GP_PLACE(p, gp_placement, shares);
    double sum = 0;
    for (size_t i = 0; i < p->shares.count; i++)
        sum += p->shares.items[i].fraction;
    if (!GP_GIVEN(p, gp_placement, shares))
        return;
    if (!serves(w) || w->traffic.requests > 0)
        gp_refuse_values(r, place, "a service", "runs and batches are not spread over pools");
    if (r->spec->sites.count > 0)
        gp_refuse_values(r, place, "placement.sites: where it may run",
                         "shares are of one site; at several the plan shares a service out");
    if (p->shares.count < 2)
        gp_refuse_values(r, place, "two shares or more; placement.pool for one",
                         "a service is spread over several pools");
    else if (sum < 1 - rounding || sum > 1 + rounding)
        gp_refuse_values(r, place, "fractions that add up to 100 %", "the shares add up to %.4g %%",
                         100 * sum);
    if (p->pool || w->replicas > 0 || gp_str_equal(w->parallelism.mode, "explicit"))
        gp_refuse_values(r, place, "pool, replicas and parallelism of each share",
                         "a service in shares has no pool, replicas or parallelism of its own");
    shares_apart(r, p);
}

static workload_rule *const rules[] = {
    model_complete, model_heads,       model_experts, model_layers,     gp_check_type,
    data_complete,  layout_fits,       distributions, traffic_complete, levels_meant,
    replicas_fit,   batch_range_meant, gp_check_rl,   gp_check_method,  loss_survived,
    gp_check_seats, pools_allowed,     shares_meant,  phases_meant,
};

void gp_check_workload(gp_resolver *r, const gp_workload *workload) {
    gp_check_kind(r, workload);
    for (size_t i = 0; i < GP_COUNT_OF(rules); i++)
        rules[i](r, workload);
}
