/*
 * The rollout of a step: every replica starts with its share of the sequences and writes until the
 * last of all replicas is done. While sequences wait, the batch is full; then it drains, and its
 * longest sequences go on at small batch, whatever the number of GPUs.
 */
#include <math.h>

#include "base/num.h"
#include "estimate/rl.h"
#include "estimate/serve.h"

enum {
    PARTS = GP_RL_TAIL_PARTS,
    WAVES = 3, /* of those that run at once, which are followed slice by slice */
    SLICES = (WAVES + 2) * PARTS,
    HALVINGS = 60
};

/* A lognormal law whose lengths are cut at the most that may be written. */
typedef struct law {
    double location, spread, most, runaway;
} law;

static double reaches(const law *l, double tokens) {
    if (tokens >= l->most)
        return 0;
    if (tokens <= 0)
        return 1;
    const double above = gp_num_log(tokens) - l->location;
    const double ends = l->spread > 0 ? gp_num_normal_below(above / l->spread) : above > 0 ? 1 : 0;
    return 1 - (1 - l->runaway) * ends;
}

static double mean_of(const law *l) {
    const double s = l->spread;
    const double whole = gp_num_exp(l->location + 0.5 * s * s);
    if (l->most >= HUGE_VAL)
        return whole;
    if (s <= 0)
        return gp_num_min(whole, l->most);
    const double z = (gp_num_log(l->most) - l->location) / s;
    const double cut = whole * gp_num_normal_below(z - s) + l->most * (1 - gp_num_normal_below(z));
    return (1 - l->runaway) * cut + l->runaway * l->most;
}

/* The law whose mean after the cut is the one that is stated. */
static law law_of(const gp_rl_lengths *lengths) {
    law l = {.spread = lengths->spread, .most = lengths->most > 0 ? lengths->most : HUGE_VAL};
    if (lengths->most > 0)
        l.runaway = gp_num_min(lengths->runaway_fraction, 0.5 * lengths->mean / lengths->most);
    double low = gp_num_log(gp_num_max(lengths->mean, 1)) - l.spread * l.spread - 2;
    double high = low + 16;
    for (int i = 0; i < HALVINGS; i++) {
        l.location = 0.5 * (low + high);
        if (mean_of(&l) < lengths->mean)
            low = l.location;
        else
            high = l.location;
    }
    return l;
}

/* Just below the limit, where those that run on to it are still there. */
static double almost(double most) {
    return most - most / (1 << 30);
}

/* Where half a sequence of so many is left. */
static double longest(const law *l, double sequences) {
    double low = 0, high = l->most;
    if (high >= HUGE_VAL)
        high = gp_num_exp(l->location + 8 * l->spread);
    else if (reaches(l, almost(high)) * sequences >= 0.5)
        return high;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (reaches(l, middle) * sequences > 0.5)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double gp_rl_longest(const gp_rl_lengths *lengths, double sequences) {
    const law l = law_of(lengths);
    return longest(&l, sequences);
}

/* Means over the law: of the length, and of its square. */
static void moments_of(const law *l, double end, double *ret_mean, double *ret_square) {
    const double width = end / PARTS;
    *ret_mean = *ret_square = 0;
    for (int i = 0; i < PARTS; i++) {
        const double at = (i + 0.5) * width;
        *ret_mean += reaches(l, at) * width;
        *ret_square += 2 * at * reaches(l, at) * width;
    }
}

/* Answers that are generated as one: those of the steps that the engines are ahead. */
static double generated(const gp_rl_job *job, bool ahead) {
    const double drawn = job->sequences * gp_num_max(job->drawn_factor, 1);
    return ahead ? drawn * gp_num_max(job->lag, 1) : drawn;
}

static void tail_of(const gp_rl_job *job, double sequences, gp_rl_tail *ret) {
    const law l = law_of(&job->response);
    const double end = longest(&l, sequences);
    *ret = (gp_rl_tail){.sequences = sequences, .width = end / PARTS};
    moments_of(&l, end, &ret->mean, &ret->square);
    for (int i = 0; i < PARTS; i++)
        ret->goes_on[i] = reaches(&l, (i + 0.5) * ret->width);
}

double gp_rl_attended(const gp_rl_job *job) {
    gp_rl_tail tail;
    if (job->attended_tokens > 0)
        return job->attended_tokens;
    tail_of(job, gp_num_max(job->sequences, 1), &tail);
    const double prompt = job->prompt_tokens + job->tool_tokens;
    const double whole = tail.square + 2 * prompt * tail.mean + prompt * prompt;
    return whole / (tail.mean + prompt);
}

double gp_rl_update_longest(const gp_rl_job *job) {
    const double updates = gp_num_max(job->updates, 1);
    return job->update_longest > 0 ? job->update_longest
                                   : job->prompt_tokens + job->tool_tokens +
                                         gp_rl_longest(&job->response, job->sequences / updates);
}

void gp_rl_prepare(gp_rl_job *job) {
    job->attended_tokens = gp_rl_attended(job);
    job->update_longest = gp_rl_update_longest(job);
    tail_of(job, generated(job, false), &job->tails[0]);
    tail_of(job, generated(job, true), &job->tails[1]);
}

/* A replica at work. */
typedef struct replica {
    gp_serve_cost cost;
    const gp_rl_job *job;
    const gp_rl_tail *tail;
    double sequences; /* of it */
    double places;    /* that it runs at once */
    double read;      /* tokens that a sequence has read when it is half written */
    double wait_s;    /* for tools, by the token that is written */
} replica;

static double step_s(const replica *r, double batch, double context) {
    gp_serve_step step;
    gp_serve_step_of(&r->cost, gp_num_max(batch, 1), context, &step);
    return step.total_s;
}

/* Time for a token of each of `alive` sequences, of which those that wait for tools are in no step:
 * b = alive s(b) / (s(b) + w), and s grows with b, less than in proportion. */
static double token_s(const replica *r, double alive, double context) {
    enum { ROUNDS = 12 };
    double batch = alive;
    for (int i = 0; i < ROUNDS && r->wait_s > 0; i++) {
        const double s = step_s(r, batch, context);
        batch = 0.5 * (batch + alive * s / (s + r->wait_s));
    }
    return step_s(r, batch, context) + r->wait_s;
}

/* Prompts are read once each: their samples find them in the cache. */
static double prompts_s(const replica *r) {
    gp_serve_prefill prefill;
    const double prompts = r->sequences / gp_num_max(r->job->samples, 1);
    gp_serve_prefill_of(&r->cost, gp_num_max(r->job->prompt_tokens, 1), 0, 0, &prefill);
    const double first_s = prefill.total_s + gp_num_max(prompts - 1, 0) * prefill.work_s;
    if (!(r->job->tool_tokens > 0))
        return first_s;
    const double turn = r->job->tool_tokens / r->job->tool_turns;
    gp_serve_prefill_of(&r->cost, turn, r->read + 0.5 * r->tail->mean, 0, &prefill);
    return first_s + r->sequences * r->job->tool_turns * prefill.work_s;
}

/* Many more wait than run: as many run as there are places, each somewhere in its length. */
static double steady_s(const replica *r, double sequences) {
    const gp_rl_tail *t = r->tail;
    const double context = r->read + t->square / (2 * t->mean);
    return sequences > 0 ? sequences * t->mean / r->places * token_s(r, r->places, context) : 0;
}

/* Time in slices of as many tokens as a part of the longest sequence has: of those that started in
 * each, a share goes on in the next. Sequences under way, and their tokens so far, but for those
 * that start in the slice. */
static double under_way(const gp_rl_tail *tail, const double *started, int now,
                        double *ret_tokens) {
    double sum = 0;
    *ret_tokens = 0;
    for (int age = 1; age < PARTS && age <= now; age++) {
        const double alive = started[now - age] * tail->goes_on[age];
        sum += alive;
        *ret_tokens += alive * (age + 0.5) * tail->width;
    }
    return sum;
}

/* A place that comes free goes to the next that waits; then the batch drains. */
static double drained_s(const replica *r, double sequences, double *ret_tail_s) {
    const gp_rl_tail *t = r->tail;
    const double first = t->goes_on[0] > 0 ? t->goes_on[0] : 1;
    double started[SLICES] = {0};
    double waiting = sequences, sum = 0;
    *ret_tail_s = 0;
    for (int now = 0, last = 0; now < SLICES && now < last + PARTS; now++) {
        double tokens = 0;
        const double before = under_way(t, started, now, &tokens);
        const double room = gp_num_max(r->places - before, 0);
        started[now] = gp_num_min(waiting, room / first);
        waiting -= started[now];
        last = started[now] > 0 ? now : last;
        const double fresh = started[now] * first;
        const double batch = before + fresh;
        tokens += fresh * 0.5 * t->width;
        const double context = r->read + (batch > 0 ? tokens / batch : 0);
        const double part = t->width * token_s(r, batch, context);
        sum += part;
        *ret_tail_s += batch < 0.5 * gp_num_min(sequences, r->places) ? part : 0;
    }
    return sum;
}

/* No rollout is over sooner: the longest sequence by itself, or all of them at the largest batch,
 * since a step grows less than its batch. */
static double least_s(const replica *r) {
    const gp_rl_tail *t = r->tail;
    const double prompt = r->read;
    const double batch = gp_num_min(r->sequences, r->places);
    const double alone = t->width * PARTS * step_s(r, 1, prompt);
    const double context = prompt + t->square / (2 * t->mean);
    return gp_num_max(alone, r->sequences * t->mean / batch * step_s(r, batch, context));
}

/* Where half a replica is left beyond so many deviations. */
static double left_beyond(const void *context, double deviations) {
    const double *replicas = context;
    return gp_num_normal_below(deviations) - 1 + 0.5 / *replicas;
}

/* What the replica with most to write has over the mean, where each has its share from the start:
 * the samples of a prompt go to one replica, and are alike in length. */
static double uneven(const gp_rl_job *job, const gp_rl_tail *tail, double replicas, double alike) {
    enum { DEVIATIONS_MAX = 8 };
    const double samples = gp_num_max(job->samples, 1);
    const double prompts = gp_num_max(tail->sequences / samples / replicas, 1);
    const double cv2 = gp_num_max(tail->square / (tail->mean * tail->mean) - 1, 0);
    const double of_sum = sqrt(cv2 * (alike + (1 - alike) / samples) / prompts);
    return replicas > 1 ? 1 + of_sum * gp_num_root(left_beyond, &replicas, 0, DEVIATIONS_MAX) : 1;
}

/* False where it does not run there. */
static bool replica_of(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                       const gp_serve_layout *layout, int64_t gpus, const gp_serve_memory *memory,
                       const gp_constants *constants, gp_rl_tail *tail, replica *ret) {
    const int64_t replicas = gpus / gp_serve_layout_gpus(layout);
    const bool ahead = job->lag > 0;
    *tail = job->tails[ahead ? 1 : 0];
    if (tail->sequences <= 0)
        tail_of(job, generated(job, ahead), tail);
    *ret = (replica){.job = job,
                     .tail = tail,
                     .places = gp_serve_admitted(job->rollout, memory),
                     .read = job->prompt_tokens + 0.5 * job->tool_tokens,
                     .wait_s = job->tool_s / gp_num_max(job->response.mean, 1)};
    gp_serve_cost_of(job->rollout, machine, network, layout, constants, &ret->cost);
    if (replicas < 1 || !ret->cost.supported || ret->places < 1)
        return false;
    ret->sequences = gp_num_max(tail->sequences / (double)replicas, 1);
    const double alike = constants->rl_response_alike_fraction;
    if (!ahead) /* engines that run ahead take the next prompt when one is done */
        ret->sequences *= uneven(job, tail, (double)replicas, alike);
    return true;
}

double gp_rl_rollout_least_s(const gp_rl_job *job, const gp_machine *machine,
                             const gp_network *network, const gp_serve_layout *layout, int64_t gpus,
                             const gp_serve_memory *memory, const gp_constants *constants) {
    replica r;
    gp_rl_tail tail;
    return replica_of(job, machine, network, layout, gpus, memory, constants, &tail, &r)
               ? least_s(&r) / gp_num_max(job->lag, 1)
               : HUGE_VAL;
}

double gp_rl_rollout_s(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                       const gp_serve_layout *layout, int64_t gpus, const gp_serve_memory *memory,
                       const gp_constants *constants, gp_rl_time *ret) {
    /* Steps that run ahead of the update fill each other's tails. */
    const double ahead = gp_num_max(job->lag, 1);
    replica r;
    gp_rl_tail tail;
    ret->phase_s[GP_RL_ROLLOUT] = HUGE_VAL;
    if (!replica_of(job, machine, network, layout, gpus, memory, constants, &tail, &r))
        return HUGE_VAL;
    const double followed = gp_num_min(r.sequences, WAVES * r.places);
    const double whole = prompts_s(&r) + steady_s(&r, r.sequences - followed) +
                         drained_s(&r, followed, &ret->tail_s);
    ret->tail_s /= ahead;
    ret->engine_batch = gp_num_min(r.sequences, r.places);
    ret->phase_s[GP_RL_ROLLOUT] = whole / ahead;
    return whole / ahead;
}
