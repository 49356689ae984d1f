/*
 * Teams on the machines that are chosen: what each holds of its own, what it borrows of the others,
 * and how long its jobs would wait if nobody lent anything. Machines follow from the workloads, not
 * from quotas: who has more than it uses lends it, and may have it back. But no team holds more
 * than it may where another choice spares it that.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "estimate/queue.h"

static const double s_per_week = 604800; /* definition */
static const size_t nobody = SIZE_MAX;

/* Whose claims are whose: those of team t are claims[starts[t]] up to claims[starts[t + 1]]. */
typedef struct roster {
    const gp_plan_context *plan;
    const gp_ledger *ledger;
    size_t *claims, *starts;
    size_t *leading; /* by claim whose machines others take turns on: of a team, who holds most */
} roster;

/* What a workload takes at a time; below 0: gives back. */
typedef struct change {
    double at_s;
    int64_t gpus;
} change;

static const gp_case *case_of(const gp_plan_context *plan, size_t claim) {
    return &plan->cases[claim % plan->case_count];
}

static bool is_held(const gp_plan_context *plan, const gp_ledger *ledger, size_t claim) {
    return ledger->claims[claim] != NULL && case_of(plan, claim)->team != NULL;
}

static bool is_of(const gp_plan_context *plan, const gp_ledger *ledger, size_t claim,
                  const gp_team *team) {
    return ledger->claims[claim] != NULL && case_of(plan, claim)->team == team;
}

/* Where GPUs are cut up, as many as its parts take. */
static int64_t gpus_of(const gp_ledger *ledger, size_t claim) {
    const gp_candidate *candidate = ledger->claims[claim];
    const gp_kind_hold *kind = &ledger->kinds[ledger->held[claim].unit];
    return candidate->part.profile != NULL && kind->part_gpus < kind->part_count
               ? gp_num_ceil_count(gp_option_gpus(candidate))
               : candidate->gpus;
}

static roster roster_of(const gp_plan_context *plan, const gp_ledger *ledger) {
    const gp_plan_spec *spec = plan->spec;
    const size_t count = ledger->claim_count;
    roster r = {plan, ledger, GP_NEW_ARRAY(plan->arena, size_t, count + 1),
                GP_NEW_ARRAY(plan->arena, size_t, spec->teams.count + 2),
                GP_NEW_ARRAY(plan->arena, size_t, count + 1)};
    for (size_t i = 0; i < count; i++)
        if (is_held(plan, ledger, i))
            r.starts[case_of(plan, i)->team - spec->teams.items + 2]++;
    for (size_t t = 2; t <= spec->teams.count + 1; t++)
        r.starts[t] += r.starts[t - 1];
    for (size_t i = 0; i < count; i++)
        if (is_held(plan, ledger, i))
            r.claims[r.starts[case_of(plan, i)->team - spec->teams.items + 1]++] = i;
    return r;
}

/* Of those of a team that take turns on the same machines the one that holds the most. */
static void find_leading(const roster *r, size_t team) {
    const gp_hold *holds = r->ledger->holds;
    for (size_t k = r->starts[team]; k < r->starts[team + 1]; k++)
        r->leading[holds[r->claims[k]].first] = nobody;
    for (size_t k = r->starts[team]; k < r->starts[team + 1]; k++) {
        size_t *at = &r->leading[holds[r->claims[k]].first];
        if (*at == nobody || gpus_of(r->ledger, r->claims[k]) > gpus_of(r->ledger, *at))
            *at = r->claims[k];
    }
}

/* A run in idle hours holds no more for its team in those than the team's own services leave. */
static int64_t idle_gpus(const gp_plan_context *plan, const gp_ledger *ledger, size_t claim,
                         const gp_team *team) {
    int64_t all[GP_WEEK_HOURS] = {0};
    int64_t own[GP_WEEK_HOURS] = {0};
    int64_t more = 0;
    const int64_t nodes = ledger->holds[claim].nodes;
    for (size_t i = 0; i < ledger->claim_count; i++) {
        if (ledger->claims[i] == NULL || ledger->held[i].unit != ledger->held[claim].unit)
            continue;
        gp_ledger_add_idle(case_of(plan, i), ledger->claims[i], all);
        if (is_of(plan, ledger, i, team))
            gp_ledger_add_idle(case_of(plan, i), ledger->claims[i], own);
    }
    for (int h = 0; h < GP_WEEK_HOURS; h++)
        if (all[h] >= nodes)
            more = gp_num_max_i64(more, nodes - own[h]);
    return gpus_of(ledger, claim) * more / nodes;
}

/* In the order of time; what is given back then may be had again. */
static int by_time(const void *left, const void *right, const void *context) {
    (void)context;
    const change *a = left;
    const change *b = right;
    if (a->at_s < b->at_s || a->at_s > b->at_s)
        return a->at_s < b->at_s ? -1 : 1;
    return (a->gpus > b->gpus) - (a->gpus < b->gpus);
}

/* GPUs that a workload holds for its team while it runs; 0: another of the team's holds them. */
static int64_t held_gpus(const roster *r, size_t claim) {
    const gp_ledger *ledger = r->ledger;
    const gp_hold *hold = &ledger->holds[claim];
    const bool waits = ledger->held[claim].role != GP_CLAIM_GOOD;
    if (hold->timing.turn == GP_TURN_IDLE)
        return idle_gpus(r->plan, ledger, claim, case_of(r->plan, claim)->team);
    return waits && r->leading[hold->first] != claim ? 0 : gpus_of(ledger, claim);
}

/* The most that its workloads hold at a time. */
static int64_t held_by(const roster *r, size_t team) {
    gp_arena *arena = r->plan->arena;
    const gp_arena_mark mark = gp_arena_set_mark(arena);
    change *changes = GP_NEW_ARRAY(arena, change, 2 * (r->starts[team + 1] - r->starts[team]) + 1);
    size_t count = 0;
    int64_t held = 0;
    find_leading(r, team);
    for (size_t k = r->starts[team]; k < r->starts[team + 1]; k++) {
        const gp_hold *hold = &r->ledger->holds[r->claims[k]];
        const int64_t gpus = held_gpus(r, r->claims[k]);
        if (hold->start_s >= hold->end_s)
            continue;
        if (hold->start_s > 0)
            changes[count++] = (change){hold->start_s, gpus};
        else
            held += gpus;
        if (hold->end_s < HUGE_VAL)
            changes[count++] = (change){hold->end_s, -gpus};
    }
    int64_t most = held;
    gp_sort(arena, changes, count, sizeof *changes, by_time, NULL);
    for (size_t k = 0; k < count; k++) {
        held += changes[k].gpus;
        most = gp_num_max_i64(most, held);
    }
    gp_arena_release(arena, mark);
    return most;
}

static bool queues(const gp_case *c) {
    return c->workload->jobs.per_week > 0;
}

/* People and services cannot wait for GPUs to come back. */
static bool stays(const gp_case *c) {
    return c->kind == GP_DEMAND_CONTINUOUS;
}

/* The wait of jobs that come at random where the team has `room` GPUs for all that it queues. */
static double wait_s(const gp_case *c, double room, double queued) {
    const gp_candidate *chosen = &c->out->chosen;
    const double places = (double)chosen->replicas * room / queued;
    const double run_s = chosen->time_to_complete_s.expected;
    const double use = c->workload->jobs.per_week * run_s / s_per_week / gp_num_max(places, 1e-9);
    return places >= 1 ? gp_queue_wait(places, use, run_s, 1, 0, c->plan->constants).tail_s
                       : HUGE_VAL;
}

static void fill(const roster *r, size_t t, gp_team_plan *team) {
    int64_t queued = 0;
    team->held = held_by(r, t);
    for (size_t k = r->starts[t]; k < r->starts[t + 1]; k++) {
        const gp_case *c = case_of(r->plan, r->claims[k]);
        team->staying += stays(c) ? gpus_of(r->ledger, r->claims[k]) : 0;
        queued += queues(c) ? gpus_of(r->ledger, r->claims[k]) : 0;
    }
    team->borrowed = gp_num_max_i64(0, team->held - team->quota);
    team->lent = gp_num_max_i64(0, team->quota - team->held);
    team->queued = queued > 0;
    const double room = (double)(team->quota - (team->held - queued));
    for (size_t k = r->starts[t]; k < r->starts[t + 1] && team->queued; k++) {
        const gp_case *c = case_of(r->plan, r->claims[k]);
        if (r->claims[k] >= r->plan->case_count || !queues(c))
            continue;
        team->wait_s = gp_num_max(team->wait_s, c->out->claim.wait_p95_s);
        team->wait_alone_s = gp_num_max(
            team->wait_alone_s, room >= (double)queued ? wait_s(c, (double)queued, (double)queued)
                                                       : wait_s(c, room, (double)queued));
    }
}

static int64_t quota_of(const gp_team *team, double all_gpus) {
    return GP_GIVEN(team, gp_team, share_fraction)
               ? gp_num_floor_count(team->share_fraction * all_gpus)
               : team->gpus;
}

static bool is_limited(const gp_team *team) {
    return GP_GIVEN(team, gp_team, borrow_gpus);
}

/* A share is one of what stands there: nothing is bought for the sake of a larger one. Where
 * nothing stands no share says how much that is. */
int64_t gp_teams_over(const gp_plan_context *plan, const gp_ledger *ledger) {
    if (plan->frees_teams || plan->spec->teams.count == 0)
        return 0;
    const gp_arena_mark mark = gp_arena_set_mark(plan->arena);
    const roster r = roster_of(plan, ledger);
    int64_t over = 0;
    double there = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += (double)(plan->inventory.there[u] * plan->units[u].machine.gpus);
    for (size_t i = 0; i < plan->spec->teams.count; i++) {
        const gp_team *team = &plan->spec->teams.items[i];
        if (!is_limited(team) || (GP_GIVEN(team, gp_team, share_fraction) && there <= 0))
            continue;
        const int64_t most = quota_of(team, there) + team->borrow_gpus;
        over += gp_num_max_i64(0, held_by(&r, i) - most);
    }
    gp_arena_release(plan->arena, mark);
    return over;
}

void gp_teams_of(gp_plan_context *plan, const gp_ledger *ledger) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    const roster r = roster_of(plan, ledger);
    result->teams.items = GP_NEW_ARRAY(plan->arena, gp_team_plan, spec->teams.count + 1);
    for (size_t i = 0; i < spec->teams.count; i++) {
        const gp_team *team = &spec->teams.items[i];
        gp_team_plan *row = &result->teams.items[result->teams.count++];
        *row = (gp_team_plan){.team = team,
                              .quota = quota_of(team, result->site.there_gpus),
                              .limited = is_limited(team)};
        fill(&r, i, row);
        row->over = row->limited ? gp_num_max_i64(0, row->borrowed - team->borrow_gpus) : 0;
        result->promised_gpus += row->quota;
    }
}
