/*
 * Teams on the machines that are chosen: what each holds of its own, what it borrows of the others,
 * and how long its jobs would wait if nobody lent anything. Machines follow from the workloads, not
 * from quotas: who has more than it uses lends it, and may have it back. But no team holds more
 * than it may where another choice spares it that.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/queue.h"

static const double s_per_week = 604800; /* definition */

static const gp_case *case_of(const gp_plan_context *plan, size_t claim) {
    return &plan->cases[claim % plan->case_count];
}

static bool is_of(const gp_plan_context *plan, const gp_ledger *ledger, size_t claim,
                  const gp_team *team) {
    return ledger->claims[claim] != NULL &&
           gp_str_equal(case_of(plan, claim)->workload->team, team->name);
}

/* Where GPUs are cut up, as many as its parts take. */
static int64_t gpus_of(const gp_ledger *ledger, size_t claim) {
    const gp_candidate *candidate = ledger->claims[claim];
    const gp_kind_hold *kind = &ledger->kinds[ledger->held[claim].unit];
    return candidate->part.profile != NULL && kind->part_gpus < kind->part_count
               ? gp_num_ceil_count(gp_option_gpus(candidate))
               : candidate->gpus;
}

/* Another run of the team takes turns with it on the same machines, and holds no fewer GPUs. */
static bool stands_back(const gp_plan_context *plan, const gp_ledger *ledger, size_t claim,
                        const gp_team *team) {
    const int64_t own = gpus_of(ledger, claim);
    for (size_t i = 0; i < ledger->claim_count; i++) {
        if (i == claim || ledger->holds[i].first != ledger->holds[claim].first ||
            !is_of(plan, ledger, i, team))
            continue;
        const int64_t other = gpus_of(ledger, i);
        if (other > own || (other == own && i < claim))
            return true;
    }
    return false;
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

static int64_t held_at(const gp_plan_context *plan, const gp_ledger *ledger, const gp_team *team,
                       double at_s) {
    int64_t held = 0;
    for (size_t i = 0; i < ledger->claim_count; i++) {
        const gp_hold *hold = &ledger->holds[i];
        if (!is_of(plan, ledger, i, team) || at_s < hold->start_s || at_s >= hold->end_s)
            continue;
        if (hold->timing.turn == GP_TURN_IDLE)
            held += idle_gpus(plan, ledger, i, team);
        else if (ledger->held[i].role == GP_CLAIM_GOOD || !stands_back(plan, ledger, i, team))
            held += gpus_of(ledger, i);
    }
    return held;
}

/* The most that its workloads hold at a time: from the begin on, or when one of them starts. */
static int64_t held_by(const gp_plan_context *plan, const gp_ledger *ledger, const gp_team *team) {
    int64_t most = held_at(plan, ledger, team, 0);
    for (size_t i = 0; i < ledger->claim_count; i++)
        if (ledger->holds[i].start_s > 0 && is_of(plan, ledger, i, team))
            most = gp_num_max_i64(most, held_at(plan, ledger, team, ledger->holds[i].start_s));
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

static void fill(const gp_plan_context *plan, const gp_ledger *ledger, gp_team_plan *team) {
    int64_t queued = 0;
    team->held = held_by(plan, ledger, team->team);
    for (size_t i = 0; i < ledger->claim_count; i++) {
        if (!is_of(plan, ledger, i, team->team))
            continue;
        const gp_case *c = case_of(plan, i);
        team->staying += stays(c) ? gpus_of(ledger, i) : 0;
        queued += queues(c) ? gpus_of(ledger, i) : 0;
    }
    team->borrowed = gp_num_max_i64(0, team->held - team->quota);
    team->lent = gp_num_max_i64(0, team->quota - team->held);
    team->queued = queued > 0;
    const double room = (double)(team->quota - (team->held - queued));
    for (size_t i = 0; i < plan->case_count && team->queued; i++) {
        const gp_case *c = case_of(plan, i);
        if (!is_of(plan, ledger, i, team->team) || !queues(c))
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
 * nothing stands no share says how much that is. Of many workloads it is told in the end alone: it
 * is asked of every choice that is looked at, and who holds what at a time takes long to say. */
int64_t gp_teams_over(const gp_plan_context *plan, const gp_ledger *ledger) {
    enum { CHOSEN_MOST = 32 };
    int64_t over = 0;
    double there = 0;
    if (plan->spec->teams.count == 0 || plan->case_count > CHOSEN_MOST)
        return 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += (double)(plan->inventory.there[u] * plan->units[u].machine.gpus);
    for (size_t i = 0; i < plan->spec->teams.count; i++) {
        const gp_team *team = &plan->spec->teams.items[i];
        if (!is_limited(team) || (GP_GIVEN(team, gp_team, share_fraction) && there <= 0))
            continue;
        const int64_t most = quota_of(team, there) + team->borrow_gpus;
        over += gp_num_max_i64(0, held_by(plan, ledger, team) - most);
    }
    return over;
}

void gp_teams_of(gp_plan_context *plan, const gp_ledger *ledger) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    result->teams.items = GP_NEW_ARRAY(plan->arena, gp_team_plan, spec->teams.count + 1);
    for (size_t i = 0; i < spec->teams.count; i++) {
        const gp_team *team = &spec->teams.items[i];
        gp_team_plan *row = &result->teams.items[result->teams.count++];
        *row = (gp_team_plan){.team = team,
                              .quota = quota_of(team, result->site.there_gpus),
                              .limited = is_limited(team)};
        fill(plan, ledger, row);
        row->over = row->limited ? gp_num_max_i64(0, row->borrowed - team->borrow_gpus) : 0;
        result->promised_gpus += row->quota;
    }
}
