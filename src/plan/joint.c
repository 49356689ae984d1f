/*
 * All workloads together. Each takes its baseline and its own best candidate in claim order; where
 * a shared limit (power, cooling, racks, budget) is then passed, the frontiers are searched
 * jointly: workloads of higher priority stay feasible first, then the sum of the objective is
 * least. The fabric is re-priced with the machines that came out, at most four times.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"

enum { VISITS_MAX = 20000 };

typedef struct option_list {
    size_t count;
    gp_candidate items[GP_FRONTIER_MAX];
} option_list;

typedef struct joint_search {
    gp_plan_context *plan;
    const option_list *options; /* by claim position */
    int pick[64];
    int best_pick[64];
    double best_objective;
    uint64_t best_missing; /* bit per claim position, highest priority = highest bit */
    bool found;
    int visits;
} joint_search;

static int by_candidate(const void *a, const void *b, const void *context) {
    (void)context;
    return gp_candidate_compare(a, b);
}

/* The frontier of one case: what is enough without shared limits, best first. */
static gp_status frontier(gp_plan_context *plan, const gp_case *c, const gp_baseline *baseline,
                          option_list *list) {
    gp_verdict verdict;
    list->count = 0;
    gp_verdict_of(c, baseline, NULL, false, &verdict);
    if (verdict.scale == GP_SCALE_NONE)
        list->items[list->count++] = verdict.chosen;
    const size_t from = list->count;
    const int64_t most = plan->spec->candidates.limits.max_nodes;
    for (size_t u = 0; u < plan->unit_count && list->count < GP_FRONTIER_MAX; u++) {
        const gp_unit *unit = &plan->units[u];
        const bool owned = baseline->pool != NULL && u == baseline->unit;
        const int64_t nodes = unit->may_buy ? most : owned ? baseline->nodes : 0;
        gp_candidate *candidate = &list->items[list->count];
        gp_size_unit(c, u, 0, nodes, nodes * unit->machine.gpus, candidate);
        gp_price_candidate(c, u, owned ? baseline->nodes : 0, candidate);
        if (candidate->feasible)
            list->count++;
    }
    return gp_sort(plan->arena, &list->items[from], list->count - from, sizeof(gp_candidate),
                   by_candidate, NULL);
}

static void record(joint_search *s, uint64_t missing, double objective) {
    const bool better =
        !s->found || missing < s->best_missing ||
        (missing == s->best_missing && gp_num_compare9(objective, s->best_objective) < 0);
    if (!better)
        return;
    s->found = true;
    s->best_missing = missing;
    s->best_objective = objective;
    for (size_t i = 0; i < s->plan->case_count; i++)
        s->best_pick[i] = s->pick[i];
}

/* Depth first in claim order; an option is taken where it fits into what is left. */
static void walk(joint_search *s, size_t depth, const gp_limits *left, uint64_t missing,
                 double objective) {
    const size_t count = s->plan->case_count;
    if (s->visits++ > VISITS_MAX || (s->found && missing > s->best_missing))
        return;
    if (depth == count) {
        record(s, missing, objective);
        return;
    }
    const option_list *list = &s->options[depth];
    for (size_t i = 0; i < list->count; i++) {
        gp_limits usage;
        gp_usage_of(s->plan, &list->items[i], &usage);
        if (gp_limits_lack(left, &usage).bound != GP_BOUND_NONE)
            continue;
        gp_limits rest = *left;
        gp_limits_take(&rest, &usage);
        s->pick[depth] = (int)i;
        walk(s, depth + 1, &rest, missing, objective + list->items[i].objective);
    }
    s->pick[depth] = -1;
    walk(s, depth + 1, left, missing | ((uint64_t)1 << (count - 1 - depth)), objective);
}

static gp_status search_jointly(gp_plan_context *plan, const gp_baseline *baselines) {
    option_list *options = GP_NEW_ARRAY(plan->arena, option_list, plan->case_count);
    if (options == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < plan->case_count; i++) {
        const size_t index = plan->claim_order[i];
        gp_status st = frontier(plan, &plan->cases[index], &baselines[index], &options[i]);
        if (st != GP_OK)
            return st;
    }
    joint_search s = {.plan = plan, .options = options};
    walk(&s, 0, &plan->limits, 0, 0);
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_candidate *chosen = &plan->cases[plan->claim_order[i]].out->chosen;
        if (s.best_pick[i] >= 0)
            *chosen = options[i].items[s.best_pick[i]];
        else
            chosen->feasible = false;
    }
    return GP_OK;
}

void gp_joint_left(const gp_plan_context *plan, size_t i, gp_limits *ret_left) {
    *ret_left = plan->limits;
    for (size_t other = 0; other < plan->case_count; other++) {
        const gp_candidate *chosen = &plan->cases[other].out->chosen;
        if (other == i || !chosen->feasible)
            continue;
        gp_limits usage;
        gp_usage_of(plan, chosen, &usage);
        gp_limits_take(ret_left, &usage);
    }
}

/* Each case in claim order: its baseline, its own best, its claim. */
static gp_status claim_all(gp_plan_context *plan, gp_baseline *baselines) {
    gp_status st = gp_claims_order(plan);
    for (size_t i = 0; i < plan->case_count && st == GP_OK; i++) {
        const size_t index = plan->claim_order[i];
        const gp_case *c = &plan->cases[index];
        gp_verdict verdict;
        gp_baseline_of(c, &baselines[index]);
        gp_verdict_of(c, &baselines[index], NULL, false, &verdict);
        c->out->chosen = verdict.chosen;
        gp_claims_take(c, &baselines[index], &verdict.chosen);
    }
    return st;
}

static bool limits_passed(const gp_plan_context *plan) {
    gp_limits total = {0};
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_limits usage;
        if (!plan->cases[i].out->chosen.feasible)
            continue;
        gp_usage_of(plan, &plan->cases[i].out->chosen, &usage);
        total.it_power_w += usage.it_power_w;
        total.air_w += usage.air_w;
        total.liquid_w += usage.liquid_w;
        total.racks += usage.racks;
        total.capital += usage.capital;
        total.cost_per_s += usage.cost_per_s;
    }
    return gp_limits_lack(&plan->limits, &total).bound != GP_BOUND_NONE;
}

static int64_t fabric_nodes(const gp_plan_context *plan, size_t unit) {
    int64_t nodes = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (chosen->feasible && chosen->unit == &plan->units[unit] &&
            chosen->timing.turn == GP_TURN_OWN)
            nodes += chosen->nodes;
    }
    return nodes;
}

static bool same_network(const gp_network *a, const gp_network *b) {
    for (int i = 0; i < 3; i++)
        if (gp_num_compare9(a->bytes_per_s[i], b->bytes_per_s[i]) != 0)
            return false;
    return a->unit_nodes == b->unit_nodes && a->pod_nodes == b->pod_nodes;
}

static void forget_capabilities(gp_plan_context *plan, size_t unit) {
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_capabilities_forget(plan->cases[i].units, unit);
        if (plan->cases[i].pinned_units != NULL)
            gp_capabilities_forget(plan->cases[i].pinned_units, unit);
    }
}

/* Prices the fabric with the machines now chosen; true when that changed nothing. */
static bool reprice_networks(gp_plan_context *plan) {
    bool stable = true;
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_network network;
        gp_plan_network_price(plan, u, fabric_nodes(plan, u), &network);
        if (same_network(&network, &plan->networks[u]))
            continue;
        plan->networks[u] = network;
        forget_capabilities(plan, u);
        stable = false;
    }
    return stable;
}

static gp_status final_verdicts(gp_plan_context *plan, gp_baseline *baselines) {
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_case *c = &plan->cases[i];
        gp_limits left;
        gp_joint_left(plan, i, &left);
        gp_verdict verdict;
        gp_verdict_of(c, &baselines[i], &left, true, &verdict);
        gp_status st = gp_workload_finish(c, &verdict, &left);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

/* Claims, and prices the fabric of what was claimed, until that changes nothing. */
static gp_status choose_once(gp_plan_context *plan, gp_baseline *baselines) {
    gp_plan_result *result = plan->result;
    result->converged = false;
    result->iterations = 0;
    while (!result->converged && result->iterations < GP_PLAN_ROUNDS_MAX) {
        gp_status st = claim_all(plan, baselines);
        if (st == GP_OK && !plan->declared_only && limits_passed(plan))
            st = search_jointly(plan, baselines);
        if (st != GP_OK)
            return st;
        result->iterations++;
        result->converged = reprice_networks(plan);
    }
    return GP_OK;
}

gp_status gp_joint_choose(gp_plan_context *plan) {
    gp_baseline *baselines = GP_NEW_ARRAY(plan->arena, gp_baseline, plan->case_count);
    if (baselines == NULL)
        return GP_ERR_NO_MEMORY;
    plan->baselines = baselines;
    gp_status st = choose_once(plan, baselines);
    bool raised = true;
    /* Another rate may make another machine the best one, which is then simulated in its turn. */
    for (int i = 0; st == GP_OK && raised && i < GP_PLAN_CONFIRM_ROUNDS_MAX; i++) {
        st = gp_confirm_choices(plan, &raised);
        if (st == GP_OK && raised)
            st = choose_once(plan, baselines);
    }
    return st;
}

gp_status gp_joint_finish(gp_plan_context *plan) {
    gp_status st = final_verdicts(plan, plan->baselines);
    return st == GP_OK ? gp_confirm_rest(plan) : st;
}
