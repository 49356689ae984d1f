/*
 * Flip points of plans of few workloads: where the closed form says that a verdict changes, plans
 * are made again until one has today's verdict and the next, a little farther, another. Of many
 * workloads the closed form says it alone.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

enum { MOVES = 4, HALVINGS = 12, LASTINGS = 2, TRIED_BYTES = 256 << 20 };
static const double reach = 4;
static const double first_step = 1.1, longest_step = 1.21; /* from what a formula says */
static const double close_by = 1.02; /* two values, between which nobody looks further */
static const double close_by_simulated = 1.05;
static const double lasting = 1.03, lasting_simulated = 1.06;

/* Plans that are tried have memory of their own. */
typedef struct flips {
    const gp_plan_context *plan;
    gp_arena *beside;
} flips;

static bool is_whole(const gp_flip *flip) {
    return flip->dim == GP_DIM_COUNT;
}

static void set_value(gp_workload *w, const gp_flip *flip, double value) {
    if (is_whole(flip)) {
        w->seats.at_once = (int64_t)value;
        w->traffic.requests_per_s.peak = value;
    } else {
        memcpy((char *)w + flip->field, &value, sizeof value);
    }
}

/* Nothing is bought for it where as many machines are bought for others: that depends on who is
 * asked first. */
static bool displaces(const gp_plan_context *plan, const gp_plan_result *tried, size_t i) {
    const int64_t today = plan->result->site.bought_nodes;
    return tried->workloads.items[i].scale == GP_SCALE_NONE && gp_plan_has_pools(plan) &&
           today > 0 && tried->site.bought_nodes >= today;
}

/* The verdict of a plan for that value; GP_SCALE_COUNT: there is none. */
static gp_scale scale_at(const flips *f, size_t i, double value) {
    const gp_plan_context *plan = f->plan;
    const gp_workload_plan *today = &plan->result->workloads.items[i];
    gp_plan_options options = *plan->options;
    const gp_arena_mark mark = gp_arena_set_mark(f->beside);
    gp_workload *workload = GP_NEW(f->beside, gp_workload);
    *workload = plan->spec->workloads.items[i];
    set_value(workload, &today->flip, value);
    options.nearby = true;
    const gp_plan_context *tried = gp_plan_edited(plan, f->beside, i, workload, &options);
    gp_scale scale = tried != NULL ? tried->result->workloads.items[i].scale : GP_SCALE_COUNT;
    if (scale != today->scale && tried != NULL && displaces(plan, tried->result, i))
        scale = GP_SCALE_COUNT;
    gp_arena_release(f->beside, mark);
    return scale;
}

/* How many times the one value is the other. */
static double apart(double a, double b) {
    return gp_num_max(a / b, b / a);
}

/* Two plans between which the verdict changes. */
typedef struct bracket {
    double same, other; /* 0: not found */
    gp_scale to;        /* of the other */
    double past;        /* farther than the other, with the same verdict; 0: not looked at */
    bool up;            /* the other is farther up */
    double close, lasting;
} bracket;

static void keep_other(bracket *b, double at, gp_scale to) {
    b->past = b->other > 0 && to == b->to ? b->other : 0;
    b->other = at;
    b->to = to;
}

/* Whole where the value is, and never the same again. */
static double next_value(const gp_flip *flip, double at, double step, bool up) {
    const double next = up ? at * step : at / step;
    if (!is_whole(flip))
        return next;
    return up ? gp_num_max(ceil(next), floor(at) + 1) : gp_num_min(floor(next), ceil(at) - 1);
}

static bool is_close(const gp_flip *flip, const bracket *b) {
    return is_whole(flip) ? fabs(b->same - b->other) <= 1 : apart(b->same, b->other) <= b->close;
}

static void halve(const flips *f, size_t i, const gp_flip *flip, bracket *b) {
    const gp_scale today = f->plan->result->workloads.items[i].scale;
    for (int n = 0; n < HALVINGS && !is_close(flip, b); n++) {
        const double at =
            is_whole(flip) ? floor((b->same + b->other) / 2) : sqrt(b->same * b->other);
        const gp_scale scale = scale_at(f, i, at);
        if (scale == today || scale == GP_SCALE_COUNT) {
            b->same = at;
        } else {
            keep_other(b, at, scale);
        }
    }
}

/* As far as the rest of the spec lets it go. */
static double within(const gp_flip *flip, double at) {
    const double most = flip->most > 0 ? flip->most : at;
    return gp_num_max(flip->least, gp_num_min(at, most));
}

/* A verdict that holds for less than that is a coincidence: what comes after it is told, and where
 * that is today's the search goes on from there. False where it does not last. */
static bool lasts(const flips *f, size_t i, const gp_flip *flip, double at, bracket *b) {
    const double past = next_value(flip, at, b->lasting, b->up);
    if (is_whole(flip) || apart(past, within(flip, past)) > 1 ||
        (b->past > 0 && (b->up ? b->past >= past : b->past <= past)))
        return true;
    const gp_scale scale = scale_at(f, i, past);
    if (scale == GP_SCALE_COUNT)
        return false;
    if (scale != f->plan->result->workloads.items[i].scale) {
        b->to = scale;
        return true;
    }
    b->same = past;
    b->other = b->past = 0;
    return false;
}

/* Of buying nothing or not: what today's machines were found to hold; 0: that says nothing. */
static double held_of(const gp_case *c, const gp_flip *flip) {
    const gp_workload_plan *w = c->out;
    const bool buys_or_not = w->scale == GP_SCALE_NONE || flip->to_scale == GP_SCALE_NONE;
    if (!w->is_serving || c->offline || w->baseline_gpus == 0 || !buys_or_not ||
        !(c->demand.requests_per_s > 0))
        return 0;
    const double held = flip->today * w->held_requests_per_s / c->demand.requests_per_s;
    return (flip->at > flip->today ? held > flip->today : held < flip->today) ? held : 0;
}

/* Walks from `at` on until plans show today's verdict and another. False where there is none in
 * reach. */
static bool walk(const flips *f, size_t i, const gp_flip *flip, double at, double step,
                 bracket *b) {
    const gp_workload_plan *w = &f->plan->result->workloads.items[i];
    for (int n = 0; n < MOVES && (b->same <= 0 || b->other <= 0); n++) {
        const double allowed = within(flip, at);
        if (apart(at, allowed) > 1 && b->same > 0 && apart(b->same, allowed) <= 1)
            return false;
        at = allowed;
        const bool is_today = b->up ? at <= flip->today : at >= flip->today;
        const gp_scale scale = is_today ? w->scale : scale_at(f, i, at);
        if (scale == GP_SCALE_COUNT || apart(at, flip->today) > reach)
            return false;
        if (scale == w->scale)
            b->same = is_today ? flip->today : at;
        else
            keep_other(b, at, scale);
        step = gp_num_min(step * step, longest_step);
        at = next_value(flip, at, step, (scale == w->scale) == b->up);
    }
    return b->same > 0 && b->other > 0;
}

/* From where the change is said to be to where plans show it. */
static bool move(const flips *f, size_t i, gp_flip *flip) {
    const gp_workload_plan *w = &f->plan->result->workloads.items[i];
    const bool simulated = gp_confirm_simulates(w);
    const double held = held_of(&f->plan->cases[i], flip);
    bracket b = {.up = flip->at > flip->today,
                 .close = simulated ? close_by_simulated : close_by,
                 .lasting = simulated ? lasting_simulated : lasting};
    double step = simulated && held <= 0 ? first_step : sqrt(b.close);
    double at = next_value(flip, held > 0 ? held : flip->at, step, b.up);
    for (int n = 0; n < LASTINGS; n++) {
        if (!walk(f, i, flip, at, step, &b))
            return false;
        halve(f, i, flip, &b);
        /* Of what is measured the larger demand at which nothing is bought, but not today's. */
        const bool beyond = b.up ? b.same > flip->today : b.same < flip->today;
        const double told =
            w->scale == GP_SCALE_NONE && !is_whole(flip) && beyond ? b.same : b.other;
        if (lasts(f, i, flip, told, &b)) {
            flip->at = told;
            flip->to_scale = b.to;
            return true;
        }
        if (b.other > 0)
            return false;
        at = next_value(flip, b.same, step, b.up);
    }
    return false;
}

/* What today's machines hold is what it buys nothing at; what a plan that is enough holds is no
 * more than that: beyond it others that stand may help. */
static void tell_held(const gp_case *c) {
    gp_workload_plan *w = c->out;
    const double at = c->demand.requests_per_s * w->flip.at / w->flip.today;
    if (!w->is_serving || c->offline || w->held_requests_per_s <= 0)
        return;
    if (w->flip.to_scale == GP_SCALE_NONE && w->baseline_gpus > 0)
        w->held_requests_per_s = at;
    else if (w->scale == GP_SCALE_NONE && w->flip.at >= w->flip.today)
        w->held_requests_per_s = gp_num_min(w->held_requests_per_s, at);
}

/* A rate that follows from an amount of sound is told as that: the spec may state one of them. */
static void tell_sound(gp_arena *arena, const gp_workload *w, gp_flip *flip) {
    const gp_audio *sound = &w->traffic.audio;
    const bool daily = sound->per_day_s > 0;
    const double times = flip->at / flip->today;
    if (!daily && !(sound->streams > 0))
        return;
    flip->variable = daily ? "dailyAudio" : "numberOfStreams";
    flip->path = gp_arena_printf(arena, "workloads.%s.traffic.audio.%s", w->name,
                                 daily ? "perDay" : "streams");
    flip->today = daily ? sound->per_day_s : sound->streams;
    flip->at = flip->today * times;
    flip->dim = daily ? GP_DIM_TIME : GP_DIM_NONE;
}

static gp_status tell_all(void *context) {
    flips *f = context;
    const gp_plan_context *plan = f->plan;
    const bool few = plan->case_count <= GP_PLAN_AGAIN_MAX;
    f->beside = gp_arena_beside(plan->arena, TRIED_BYTES);
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_workload_plan *w = plan->cases[i].out;
        gp_flip *flip = &w->flip;
        if (!flip->present)
            continue;
        if (few && !move(f, i, flip)) {
            *flip = (gp_flip){.reason = "none that a plan confirms; the formula alone shows one"};
            continue;
        }
        flip->inside_band = apart(flip->at, flip->today) <= 1 + w->chosen.error_fraction;
        if (few)
            tell_held(&plan->cases[i]);
        if (is_whole(flip))
            gp_seats_flip(plan->cases[i].workload, flip);
        tell_sound(plan->arena, plan->cases[i].workload, flip);
    }
    return GP_OK;
}

static void forget_all(const gp_plan_context *plan) {
    static const char *const why =
        "not searched where several workloads, some simulated, grow or have several sites";
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->cases[i].out->flip.present)
            plan->cases[i].out->flip = (gp_flip){.reason = why};
}

void gp_flips_plan(const gp_plan_context *plan) {
    flips f = {.plan = plan};
    if (gp_confirm_takes_long(plan)) {
        forget_all(plan);
        return;
    }
    const gp_status st = gp_arena_guard(plan->arena, tell_all, &f);
    gp_arena_free(f.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
}
