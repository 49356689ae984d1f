/*
 * The alternatives that stood to choice: every kind of machine that may be had, sized for one
 * workload and held against what the other workloads leave of the shared limits. The verdict needs
 * the best of them only; a reader who is to sign for it wants to see the others.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"

static int by_candidate(const void *a, const void *b, const void *context) {
    (void)context;
    return gp_candidate_compare(a, b);
}

/* Sized, priced and held against the shared limits. */
static void size_option(const gp_case *c, size_t unit, bool owned, const gp_baseline *baseline,
                        const gp_limits *shared, gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const int64_t nodes = u->may_buy ? c->plan->spec->candidates.limits.max_nodes : baseline->nodes;
    gp_size_unit(c, unit, 0, nodes, nodes * u->machine.gpus, ret);
    gp_price_candidate(c, unit, owned ? baseline->nodes : 0, ret);
    if (!ret->feasible || u->cloud != NULL)
        return;
    gp_limits usage;
    gp_usage_of(c->plan, ret, &usage);
    const gp_lack lack = gp_limits_lack(shared, &usage);
    if (lack.bound == GP_BOUND_NONE)
        return;
    ret->feasible = false;
    ret->lack = lack;
}

gp_status gp_options_of(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared) {
    gp_workload_plan *out = c->out;
    size_t count = 0;
    if (c->plan->declared_only)
        return GP_OK;
    gp_candidate *all = GP_NEW_ARRAY(c->plan->arena, gp_candidate, c->plan->unit_count + 1);
    if (all == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t u = 0; u < c->plan->unit_count; u++) {
        const bool owned = baseline->pool != NULL && u == baseline->unit;
        if (!owned && !c->plan->units[u].may_buy)
            continue;
        size_option(c, u, owned, baseline, shared, &all[count]);
        count += all[count].present ? 1 : 0;
    }
    gp_status st = gp_sort(c->plan->arena, all, count, sizeof *all, by_candidate, NULL);
    out->option_count = (int)gp_num_min_i64((int64_t)count, GP_FRONTIER_MAX);
    for (int i = 0; i < out->option_count; i++)
        out->options[i] = all[i];
    return st;
}
