/*
 * Simulation beside the closed form. Where a goal bounds a percentile, the replicas that the closed
 * form chose are run, and one fewer, under the load that they were chosen for, the planned rate
 * with its headroom, and judged as they were: a percentile must keep to its goal at the edge of the
 * band that the confidence asks for. Where the run misses a goal, more replicas are tried, up to a
 * bound, and the rate that one of them is taken to carry is lowered, so that the choice is made
 * again with it.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

enum {
    QUICK_REQUESTS = 2000,
    FULL_TIMES = 10, /* as many requests in a full run */
    RAISE_SHARE = 2  /* the chosen replicas over this are added at most */
};

typedef struct trial {
    gp_plan_context *plan;
    gp_case *c;
    gp_engine *engine;
    gp_simulate_config config;
    gp_confirm ask;
} trial;

static bool bounds_percentile(const gp_distribution *goal) {
    return goal->p50 > 0 || goal->p95 > 0 || goal->p99 > 0;
}

static bool wants_simulation(const gp_case *c) {
    const gp_slo *slo = &c->workload->goal.slo;
    const gp_candidate *chosen = &c->out->chosen;
    return c->plan->simulate != GP_PLAN_SIMULATE_OFF && c->out->is_serving && c->out->has_goal &&
           chosen->present && chosen->feasible && chosen->requests_per_s > 0 && !c->offline &&
           !chosen->split.present &&
           (bounds_percentile(&slo->ttft_s) || bounds_percentile(&slo->tpot_s) ||
            bounds_percentile(&slo->e2e_s));
}

static int64_t active_of(const gp_candidate *candidate) {
    return candidate->replicas - candidate->spare_replicas;
}

static gp_status trial_init(gp_plan_context *plan, gp_case *c, gp_engine *engine, trial *ret) {
    gp_workload_plan *out = c->out;
    out->network = plan->networks[out->chosen.unit - plan->units];
    *ret = (trial){.plan = plan, .c = c, .engine = engine};
    gp_status st = gp_plan_simulation(plan->result, out, 1, engine, engine, &ret->config);
    if (st != GP_OK)
        return st;
    const bool full = plan->simulate == GP_PLAN_SIMULATE_FULL;
    ret->ask = (gp_confirm){
        .requests = full ? QUICK_REQUESTS * FULL_TIMES : QUICK_REQUESTS,
        .requests_per_s = c->demand.requests_per_s * (1 + c->gpu_headroom_fraction),
        .residence_s = out->chosen.point.e2e_s,
        .whole = full,
    };
    return GP_OK;
}

/* The band of a goal's figure, as the closed form is judged with. */
static double margin_of(const gp_case *c, const char *goal) {
    if (gp_str_starts(goal, "ttft"))
        return gp_plan_ttft_margin(c);
    return gp_plan_margin(c, c->out->chosen.error_fraction, c->confidence);
}

static gp_status run(const trial *t, int64_t replicas, gp_confirm_run *ret) {
    gp_confirm ask = t->ask;
    ask.replicas = replicas;
    gp_status st = gp_simulate_confirm(t->plan->arena, &t->config, &ask, ret);
    for (int i = 0; st == GP_OK && i < ret->goal_count; i++) {
        gp_simulation_goal *goal = &ret->goals[i];
        goal->ok = goal->value_s * (1 + margin_of(t->c, goal->name)) <= goal->target_s;
        ret->ok = ret->ok && goal->ok;
    }
    return st;
}

/* The closed form at the load of the simulation. */
static void closed_form(const trial *t, gp_confirmation *ret) {
    const gp_workload_plan *out = t->c->out;
    const gp_machine *machine = &out->chosen.unit->machine;
    gp_serve_job job = out->serve;
    gp_serve_point point;
    if (machine->efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_load(&job, machine, &out->network, &out->chosen.serve_layout, t->plan->constants,
                  &out->chosen.serve_memory, ret->requests_per_s / (double)ret->chosen.replicas,
                  NULL, &point);
    ret->closed_ttft_p95_s = point.ttft_p95_s;
    ret->closed_tpot_p95_s = point.tpot_p95_s;
}

static gp_status confirm(const trial *t, gp_confirmation *ret) {
    const int64_t active = active_of(&t->c->out->chosen);
    const gp_confirmation before = *ret;
    const gp_serve_layout *layout = &t->c->out->chosen.serve_layout;
    *ret = (gp_confirmation){
        .present = true,
        .requests = t->ask.requests,
        .requests_per_s = t->ask.requests_per_s,
        .closed_form_replicas = active,
        .closed_form_gpus = layout->tp * layout->pp,
    };
    if (before.closed_form_replicas > 0) {
        ret->closed_form_replicas = before.closed_form_replicas;
        ret->closed_form_gpus = before.closed_form_gpus;
    }
    gp_status st = run(t, active, &ret->chosen);
    if (st == GP_OK && active > 1)
        st = run(t, active - 1, &ret->fewer);
    if (st != GP_OK)
        return st;
    ret->confirmed = ret->chosen.ok;
    closed_form(t, ret);
    return GP_OK;
}

/* Between a count that misses and one that holds, the least that holds. */
static gp_status narrow(const trial *t, int64_t misses, int64_t *replicas) {
    while (*replicas - misses > 1) {
        const int64_t middle = misses + (*replicas - misses) / 2;
        gp_confirm_run got;
        gp_status st = run(t, middle, &got);
        if (st != GP_OK)
            return st;
        if (got.ok)
            *replicas = middle;
        else
            misses = middle;
    }
    return GP_OK;
}

/* A count above the chosen one that holds, with one fewer that does not; 0 where none within the
 * bound does. */
static gp_status raise(const trial *t, int64_t *ret_replicas) {
    const bool full = t->plan->simulate == GP_PLAN_SIMULATE_FULL;
    const int64_t active = active_of(&t->c->out->chosen);
    const int64_t bound = gp_num_max_i64(full ? active : active / RAISE_SHARE, 1);
    int64_t misses = 0;
    int64_t more = 1;
    *ret_replicas = 0;
    for (;;) {
        gp_confirm_run got;
        gp_status st = run(t, active + more, &got);
        if (st != GP_OK)
            return st;
        if (got.ok) {
            *ret_replicas = active + more;
            return narrow(t, active + misses, ret_replicas);
        }
        if (more == bound)
            return GP_OK;
        misses = more;
        more = gp_num_min_i64(2 * more, bound);
    }
}

/* The rate of one replica is lowered to what needs so many. */
static void lower_rate(gp_case *c, double requests_per_s, int64_t replicas) {
    const gp_candidate *chosen = &c->out->chosen;
    const double each = chosen->requests_per_s / (double)active_of(chosen);
    c->simulated_fraction *= requests_per_s / (each * (double)replicas);
}

static gp_status confirm_case(gp_plan_context *plan, gp_case *c, gp_engine *engine,
                              bool *ret_raised) {
    trial t;
    gp_confirmation *found = &c->out->confirmation;
    gp_status st = trial_init(plan, c, engine, &t);
    if (st == GP_OK)
        st = confirm(&t, found);
    if (st != GP_OK || found->confirmed || ret_raised == NULL)
        return st == GP_ERR_NOT_FOUND ? GP_OK : st;
    int64_t replicas = 0;
    st = raise(&t, &replicas);
    if (st == GP_OK && replicas > 0) {
        lower_rate(c, found->requests_per_s, replicas);
        *ret_raised = true;
    }
    return st;
}

gp_status gp_confirm_choices(gp_plan_context *plan, bool *ret_raised) {
    gp_status st = GP_OK;
    gp_engine *engine = NULL;
    *ret_raised = false;
    for (size_t i = 0; st == GP_OK && i < plan->case_count; i++) {
        gp_case *c = &plan->cases[i];
        if (!wants_simulation(c))
            continue;
        if (engine == NULL)
            engine = GP_NEW(plan->arena, gp_engine);
        st = engine == NULL ? GP_ERR_NO_MEMORY : confirm_case(plan, c, engine, ret_raised);
    }
    return st;
}

static bool is_current(const gp_case *c) {
    const gp_confirmation *found = &c->out->confirmation;
    return found->present && found->chosen.replicas == active_of(&c->out->chosen);
}

gp_status gp_confirm_rest(gp_plan_context *plan) {
    gp_status st = GP_OK;
    gp_engine *engine = NULL;
    for (size_t i = 0; st == GP_OK && i < plan->case_count; i++) {
        gp_case *c = &plan->cases[i];
        if (!wants_simulation(c)) {
            c->out->confirmation.present = false;
            continue;
        }
        if (is_current(c))
            continue;
        if (engine == NULL)
            engine = GP_NEW(plan->arena, gp_engine);
        st = engine == NULL ? GP_ERR_NO_MEMORY : confirm_case(plan, c, engine, NULL);
    }
    return st;
}
