/*
 * What limits would have to be for a plan that does not hold: one is made with what each workload
 * that they keep out needs by itself, and again with what that one takes, which is mostly less. So
 * what is named is what a plan made with it stands in.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { PLANS_MOST = 4, HALVINGS = 3 };
static const double close_to = 1.05; /* what fails: nobody looks between */

typedef struct raising {
    const gp_plan_context *plan;
    double *limits;         /* that the next plan is made with */
    double *held;           /* that the last plan that holds was made with */
    double *failed;         /* that a plan does not hold with */
    gp_plan_context *holds; /* that plan, or NULL */
} raising;

/* A limit of the spec keeps it out. */
static bool is_kept_out(const gp_candidate *chosen) {
    return !chosen->feasible && chosen->lack.path != NULL && chosen->lack.why == NULL &&
           !chosen->lack.is_own;
}

static bool raise(raising *r, const gp_lack *lack) {
    bool any = false;
    for (; lack != NULL; lack = lack->also)
        for (int i = 0; i < r->plan->limit_count; i++)
            if (lack->path != NULL && gp_str_equal(lack->path, r->plan->limit_paths[i]) &&
                lack->need > r->limits[i]) {
                r->limits[i] = lack->need;
                any = true;
            }
    return any;
}

static bool raise_all(raising *r) {
    const gp_plan_result *result = r->plan->result;
    bool any = raise(r, result->limits_for_all);
    for (size_t i = 0; i < result->workloads.count; i++)
        if (is_kept_out(&result->workloads.items[i].chosen))
            any = raise(r, &result->workloads.items[i].chosen.lack) || any;
    return any;
}

static bool try_limits(raising *r) {
    const gp_plan_context *plan = r->plan;
    gp_plan_options options = *plan->options;
    options.brief = true;
    options.limits = r->limits;
    gp_plan_context *tried = gp_plan_again(plan, plan->arena, plan->document, &options);
    if (tried == NULL || !tried->result->feasible || tried->unit_count != plan->unit_count)
        return false;
    r->holds = tried;
    memcpy(r->held, r->limits, (size_t)plan->limit_count * sizeof *r->held);
    return true;
}

/* No limit further up than the plan that holds takes; false where none was. */
static bool lower_to_use(raising *r) {
    bool any = false;
    for (int i = 0; i < r->plan->limit_count; i++) {
        const double used = gp_num_max(r->plan->limits[i], gp_result_limited(r->holds->result, i));
        any = any || (used < r->limits[i] && !gp_num_near(used, r->limits[i]));
        r->limits[i] = gp_num_min(r->limits[i], used);
    }
    return any;
}

/* Under just what it takes the choice may not find that plan again. */
static bool raise_halfway(raising *r) {
    for (int i = 0; i < r->plan->limit_count && r->holds != NULL; i++)
        if (r->limits[i] < r->held[i])
            r->limits[i] = 0.5 * (r->limits[i] + r->held[i]);
    return r->holds != NULL;
}

/* Between what fails and what holds; false where these are close. */
static bool set_halfway(raising *r) {
    bool any = false;
    for (int i = 0; i < r->plan->limit_count; i++) {
        const bool apart = r->held[i] > close_to * r->failed[i];
        r->limits[i] = apart ? 0.5 * (r->failed[i] + r->held[i]) : r->held[i];
        any = any || apart;
    }
    return any;
}

/* What is best by the objective may take more than what holds with less. */
static void find_less(raising *r) {
    const size_t size = (size_t)r->plan->limit_count * sizeof *r->limits;
    memcpy(r->failed, r->plan->limits, size);
    for (int i = 0; i < HALVINGS && set_halfway(r); i++)
        if (!try_limits(r) || (lower_to_use(r) && !try_limits(r)))
            memcpy(r->failed, r->limits, size);
}

static gp_status find(void *context) {
    raising *r = context;
    bool lower = true;
    for (int i = 0; i < PLANS_MOST && lower; i++)
        lower = try_limits(r) ? lower_to_use(r) : raise_halfway(r);
    if (r->holds != NULL)
        find_less(r);
    return GP_OK;
}

/* On the machines of this plan, which are in the same order, with the goals that it meets there. */
static void take_over(const raising *r, size_t i, const gp_lack *lack) {
    const gp_plan_context *plan = r->plan;
    const gp_workload_plan *from = &r->holds->result->workloads.items[i];
    const gp_candidate *there = &from->chosen;
    gp_workload_plan *out = &plan->result->workloads.items[i];
    gp_candidate *shares = GP_NEW_ARRAY(plan->arena, gp_candidate, (size_t)there->share_count + 1);
    out->chosen = *there;
    out->chosen.unit = &plan->units[there->unit - r->holds->units];
    for (int k = 0; k < there->share_count; k++) {
        shares[k] = there->shares[k];
        shares[k].unit = &plan->units[there->shares[k].unit - r->holds->units];
    }
    out->chosen.shares = shares;
    out->chosen.feasible = false;
    out->chosen.lack = *lack;
    out->bound_by = lack->bound;
    out->confirmation = from->confirmation;
    out->goal_count = from->goal_count;
    memcpy(out->goals, from->goals, sizeof out->goals);
}

void gp_limits_plan(const gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    const size_t count = (size_t)plan->limit_count + 1;
    raising r = {.plan = plan,
                 .limits = GP_NEW_ARRAY(plan->arena, double, count),
                 .held = GP_NEW_ARRAY(plan->arena, double, count),
                 .failed = GP_NEW_ARRAY(plan->arena, double, count)};
    memcpy(r.limits, plan->limits, (size_t)plan->limit_count * sizeof *r.limits);
    if (result->feasible || plan->case_count > GP_PLAN_AGAIN_MAX || !raise_all(&r))
        return;
    const gp_status st = gp_arena_guard(plan->arena, find, &r);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
    const gp_lack *lacks = r.holds != NULL ? gp_limits_raised(plan, r.held) : NULL;
    if (lacks == NULL)
        return;
    /* Where they keep several out, each is told what it needs by itself. */
    if (result->limits_for_all != NULL)
        result->limits_for_all = lacks;
    for (size_t i = 0; i < result->workloads.count && result->limits_for_all == NULL; i++)
        if (is_kept_out(&result->workloads.items[i].chosen))
            take_over(&r, i, lacks);
}
