/* Whose machines are there, and whose are bought. */
#include "plan/context.h"

#include "base/num.h"

/* The claim that comes k-th by priority: those of a case follow each other. */
static size_t claim_at(const gp_plan_context *plan, const gp_allocation *a, size_t k) {
    const size_t each = a->ledger.claim_count / plan->case_count;
    return plan->order[k / each] + k % each * plan->case_count;
}

/* It has machines of a kind, and they are its own at once: it waits for nobody's. */
static bool holds_of(const gp_plan_context *plan, const gp_allocation *a, size_t i, size_t unit) {
    return a->ledger.claims[i] != NULL && a->ledger.claims[i]->unit == &plan->units[unit] &&
           a->ledger.holds[i].timing.turn == GP_TURN_OWN;
}

/* Machines that the rules of spreading leave partly empty are bought for the last that use them. */
static void share_out_rest(const gp_plan_context *plan, gp_allocation *a, size_t u, int64_t left) {
    for (size_t k = a->ledger.claim_count; k-- > 0 && left > 0;) {
        gp_hold *hold = &a->ledger.holds[claim_at(plan, a, k)];
        if (!holds_of(plan, a, claim_at(plan, a, k), u))
            continue;
        const int64_t more = gp_num_min_i64(left, hold->nodes - hold->bought_nodes);
        hold->bought_nodes += more;
        hold->owned_nodes = gp_num_min_i64(hold->owned_nodes, hold->nodes - hold->bought_nodes);
        left -= more;
    }
}

/* How far the machines of a kind are shared out. */
typedef struct sharing_out {
    const gp_plan_context *plan;
    gp_allocation *a;
    size_t unit;
    double gpus;     /* of those that have had their turn */
    int64_t reached; /* machines that these take */
    int64_t left;    /* bought, and nobody's yet */
} sharing_out;

static void take_turn(sharing_out *s, size_t i) {
    gp_hold *hold = &s->a->ledger.holds[i];
    const int64_t owned = s->a->ledger.kinds[s->unit].owned;
    s->gpus += gp_option_gpus(s->a->ledger.claims[i]);
    const int64_t reach = gp_num_ceil_count(s->gpus / (double)s->plan->units[s->unit].machine.gpus);
    const int64_t most = gp_num_min_i64(s->left, hold->nodes);
    hold->bought_nodes = gp_num_max_i64(0, gp_num_min_i64(reach - s->reached, most));
    hold->owned_nodes -= gp_num_max_i64(0, gp_num_min_i64(reach - owned, hold->nodes));
    s->reached = gp_num_max_i64(s->reached, reach);
    s->left -= hold->bought_nodes;
}

/* Of one priority those that fill machines go before those that take parts of them. */
static size_t share_out_class(sharing_out *s, size_t first) {
    const gp_ledger *ledger = &s->a->ledger;
    const size_t cases = s->plan->case_count;
    const size_t class = s->plan->classes[claim_at(s->plan, s->a, first) % cases];
    const int64_t per_node = s->plan->units[s->unit].machine.gpus;
    size_t end = first;
    for (int whole = 1; whole >= 0; whole--)
        for (end = first; end < ledger->claim_count; end++) {
            const size_t i = claim_at(s->plan, s->a, end);
            if (s->plan->classes[i % cases] != class)
                break;
            if (holds_of(s->plan, s->a, i, s->unit) &&
                (ledger->claims[i]->gpus >= per_node) == (whole == 1))
                take_turn(s, i);
        }
    return end;
}

/* What is there goes to the workloads of higher priority. A machine that several share is bought
 * for the first that needs it. */
static void share_out(const gp_plan_context *plan, gp_allocation *a, size_t unit) {
    const gp_ledger *ledger = &a->ledger;
    const gp_kind_hold *kind = &ledger->kinds[unit];
    sharing_out s = {.plan = plan,
                     .a = a,
                     .unit = unit,
                     .reached = kind->owned,
                     .left = kind->nodes - kind->owned};
    for (size_t i = 0; i < ledger->claim_count; i++) {
        if (ledger->claims[i] == NULL || ledger->claims[i]->unit != &plan->units[unit])
            continue;
        ledger->holds[i].owned_nodes = ledger->holds[i].nodes;
        ledger->holds[i].bought_nodes = 0;
    }
    for (size_t k = 0; k < ledger->claim_count && s.left > 0;)
        k = share_out_class(&s, k);
    share_out_rest(plan, a, unit, s.left);
}

void gp_share_out(const gp_plan_context *plan, gp_allocation *a) {
    for (size_t u = 0; u < plan->unit_count; u++)
        share_out(plan, a, u);
}

void gp_share_out_for(const gp_plan_context *plan, gp_allocation *a, size_t index) {
    for (size_t i = index; i < a->ledger.claim_count; i += plan->case_count)
        if (a->ledger.claims[i] != NULL)
            share_out(plan, a, (size_t)(a->ledger.claims[i]->unit - plan->units));
}
