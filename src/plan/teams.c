/*
 * Teams on the machines that are chosen: what each holds of its own, what it borrows of the others,
 * and how long its jobs would wait if nobody lent anything. Machines follow from the workloads, not
 * from quotas: who has more than it uses lends it, and may have it back.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/queue.h"

static const double s_per_week = 604800; /* definition */

/* Held at the busiest moment; what takes turns with others holds nothing of its own. */
static int64_t held_by(const gp_case *c) {
    const gp_candidate *chosen = &c->out->chosen;
    return chosen->feasible && chosen->timing.turn == GP_TURN_OWN
               ? (chosen->part.in_use ? gp_num_ceil_count(gp_option_gpus(chosen)) : chosen->gpus)
               : 0;
}

static bool queues(const gp_case *c) {
    return c->workload->jobs.per_week > 0 && held_by(c) > 0;
}

/* People and services cannot wait for GPUs to come back. */
static bool stays(const gp_case *c) {
    return c->kind == GP_DEMAND_CONTINUOUS;
}

/* The wait of jobs that come at random where the team has `room` GPUs for all that it queues. */
static double wait_s(const gp_case *c, double room, double queued) {
    const gp_candidate *chosen = &c->out->chosen;
    const double held = (double)held_by(c);
    const double places = (double)chosen->replicas * room / queued;
    const double run_s = chosen->time_to_complete_s.expected;
    const double use = c->workload->jobs.per_week * run_s / s_per_week / gp_num_max(places, 1e-9);
    return places >= 1 && held > 0
               ? gp_queue_wait(places, use, run_s, 1, 0, c->plan->constants).tail_s
               : HUGE_VAL;
}

static void fill(const gp_plan_context *plan, gp_team_plan *team) {
    int64_t queued = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_case *c = &plan->cases[i];
        if (!gp_str_equal(c->workload->team, team->team->name))
            continue;
        team->held += held_by(c);
        team->staying += stays(c) ? held_by(c) : 0;
        queued += queues(c) ? held_by(c) : 0;
    }
    team->borrowed = gp_num_max_i64(0, team->held - team->quota);
    team->lent = gp_num_max_i64(0, team->quota - team->held);
    team->queued = queued > 0;
    const double room = (double)(team->quota - (team->held - queued));
    for (size_t i = 0; i < plan->case_count && team->queued; i++) {
        const gp_case *c = &plan->cases[i];
        if (!gp_str_equal(c->workload->team, team->team->name) || !queues(c))
            continue;
        team->wait_s = gp_num_max(team->wait_s, c->out->claim.wait_p95_s);
        team->wait_alone_s = gp_num_max(
            team->wait_alone_s, room >= (double)queued ? wait_s(c, (double)queued, (double)queued)
                                                       : wait_s(c, room, (double)queued));
    }
}

void gp_teams_of(gp_plan_context *plan) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    const double all = result->site.there_gpus;
    result->teams.items = GP_NEW_ARRAY(plan->arena, gp_team_plan, spec->teams.count + 1);
    for (size_t i = 0; i < spec->teams.count; i++) {
        const gp_team *team = &spec->teams.items[i];
        gp_team_plan *row = &result->teams.items[result->teams.count++];
        const bool shared = GP_GIVEN(team, gp_team, share_fraction);
        *row = (gp_team_plan){.team = team, .quota = team->gpus};
        if (shared)
            row->quota = gp_num_floor_count(team->share_fraction * all);
        row->limited = GP_GIVEN(team, gp_team, borrow_gpus);
        fill(plan, row);
        row->over = row->limited ? gp_num_max_i64(0, row->borrowed - team->borrow_gpus) : 0;
        result->promised_gpus += row->quota;
    }
}
