/*
 * Who holds which machines, when. Replicas and jobs that are smaller than a machine share machines
 * with others of their kind (pack.c). Runs that end follow each other, recurring ones take turns,
 * and what may use the hours that services leave idle takes nothing of its own. A ledger says for
 * each kind how many machines that is at the busiest moment, and what they draw then and over a
 * year; usage.c makes everything else of it.
 */
#include "plan/pack.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

enum { WORKING_DAYS = 5, STARTS_MAX = 16 };
static const double s_per_hour = 3600; /* definition */
static const size_t no_case = (size_t)-1;

/* ------------------------------------------------------------ machines over time */

/* One kind of machine while it is filled. */
typedef struct filling {
    const gp_plan_context *plan;
    gp_ledger *ledger;
    size_t unit;
    gp_kind_hold *kind;
    gp_kind_waits *waits;
    int64_t owned;
    bool idle_on; /* machines without work stay on */
    gp_packing shared;
    int64_t whole_nodes;            /* held for good */
    size_t *dated, *turns, *idlers; /* cases; scratch of the plan */
    size_t dated_count, turn_count, idler_count;
    bool idlers_known; /* who of the idlers finds hours enough */
} filling;

static const gp_candidate *chosen_of(const filling *f, size_t claim) {
    return f->ledger->claims[claim];
}

static const gp_case *case_of(const filling *f, size_t claim) {
    const size_t count = f->plan->case_count;
    return &f->plan->cases[claim < count ? claim : claim % count];
}

static double allowed_s(const gp_case *c) {
    return c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
}

/* Held for good: whole machines, and pieces of those that are shared. */
static void hold_for_good(filling *f, const gp_claim *claim) {
    f->whole_nodes += claim->filled_nodes;
    gp_pack_add(&f->shared, claim);
    f->kind->gpus += claim->part != NULL ? 0 : claim->gpus;
}

/* What finds no idle hours, although it may use them, comes by machines as it would otherwise. */
static gp_claim_role role_now(const filling *f, size_t i) {
    const gp_claim *claim = &f->ledger->held[i];
    const bool idle = !f->idlers_known || f->ledger->holds[i].timing.turn == GP_TURN_IDLE;
    return claim->role == GP_CLAIM_IDLER && !idle ? claim->otherwise : claim->role;
}

/* What waits, takes turns or uses idle hours is placed once all else is. */
static void sort_out(filling *f) {
    const gp_ledger *ledger = f->ledger;
    f->dated_count = f->turn_count = f->idler_count = 0;
    for (size_t k = 0; k < ledger->wait_count; k++) {
        const size_t i = ledger->waiting[k];
        if (ledger->held[i].unit != f->unit)
            continue;
        const gp_claim_role role = role_now(f, i);
        if (role == GP_CLAIM_DATED)
            f->dated[f->dated_count++] = i;
        else if (role == GP_CLAIM_TURN)
            f->turns[f->turn_count++] = i;
        else if (role == GP_CLAIM_IDLER)
            f->idlers[f->idler_count++] = i;
    }
}

static bool runs_at(const gp_hold *hold, double at_s) {
    return hold->start_s <= at_s && at_s < hold->end_s;
}

/* Machines that the first `count` dated runs hold at a time. */
static int64_t dated_at(const filling *f, size_t count, double at_s) {
    int64_t held = 0;
    for (size_t k = 0; k < count; k++) {
        const gp_hold *hold = &f->ledger->holds[f->dated[k]];
        held += runs_at(hold, at_s) ? hold->nodes : 0;
    }
    return held;
}

/* Most machines that the first `count` dated runs hold together within a span of time: at its
 * begin, or when one of them starts. */
static int64_t dated_peak(const filling *f, size_t count, double from_s, double to_s) {
    int64_t most = from_s < to_s ? dated_at(f, count, from_s) : 0;
    for (size_t k = 0; k < count; k++) {
        const double at_s = f->ledger->holds[f->dated[k]].start_s;
        if (at_s >= from_s && at_s < to_s)
            most = gp_num_max_i64(most, f->plan->started[k]);
    }
    return most;
}

/* One more that is placed: what is held when it starts, and when those start that it outlasts. */
static void start_dated(const filling *f, size_t i) {
    const gp_hold *placed = &f->ledger->holds[f->dated[i]];
    for (size_t k = 0; k < i; k++)
        if (runs_at(placed, f->ledger->holds[f->dated[k]].start_s))
            f->plan->started[k] += placed->nodes;
    f->plan->started[i] = dated_at(f, i + 1, placed->start_s);
}

/* The earliest time at which it finds its machines among `level` and ends in time; -1: none. */
static double start_within(const filling *f, size_t count, const gp_case *c,
                           const gp_candidate *candidate, int64_t level) {
    const double run_s = candidate->time_to_complete_s.high;
    double at = 0;
    for (int tries = 0; tries < STARTS_MAX && at + run_s <= allowed_s(c); tries++) {
        if (dated_peak(f, count, at, at + run_s) + candidate->nodes <= level)
            return at;
        double next = HUGE_VAL;
        for (size_t k = 0; k < count; k++)
            if (f->ledger->holds[f->dated[k]].end_s > at)
                next = gp_num_min(next, f->ledger->holds[f->dated[k]].end_s);
        at = next;
    }
    return -1;
}

/* Each as early as it finds its machines among `level`, or as many as it needs itself; the machines
 * that all of them take. */
static int64_t place_dated(filling *f, int64_t level) {
    int64_t held = 0;
    for (size_t i = 0; i < f->dated_count; i++) {
        const gp_case *c = case_of(f, f->dated[i]);
        const gp_candidate *candidate = chosen_of(f, f->dated[i]);
        gp_hold *hold = &f->ledger->holds[f->dated[i]];
        level = gp_num_max_i64(level, candidate->nodes);
        const double start = candidate->at_once ? 0 : start_within(f, i, c, candidate, level);
        hold->start_s = gp_num_max(0, start);
        hold->end_s = hold->start_s + candidate->time_to_complete_s.high;
        hold->timing = hold->start_s > 0 ? (gp_timing){.turn = GP_TURN_AFTER, .wait_s = start}
                                         : (gp_timing){.turn = GP_TURN_OWN};
        const int64_t peak = dated_peak(f, i, hold->start_s, hold->end_s) + candidate->nodes;
        start_dated(f, i);
        level = gp_num_max_i64(level, peak);
        held = gp_num_max_i64(held, peak);
    }
    return held;
}

/* Runs that end: on machines that are there anyway where they can wait for them, and beside each
 * other on as many free ones as may be used. One that starts early on a machine that is free may be
 * in the way of others (Graham, "Bounds on multiprocessing timing anomalies", 1969): where that
 * takes more than there is, or the plan asks for it, those that can wait do. */
static int64_t hold_dated(filling *f, int64_t free_nodes) {
    const int64_t held = place_dated(f, free_nodes);
    if (free_nodes == 0 || (held <= free_nodes && !f->plan->options->in_turn))
        return held;
    const int64_t tight = place_dated(f, 0);
    return tight < held ? tight : place_dated(f, free_nodes);
}

static bool joins(const gp_turn_group *group, const gp_case *c, const gp_candidate *candidate) {
    const double run = candidate->time_to_complete_s.high;
    const double period = gp_num_min(group->period_s, c->workload->goal.every_s);
    return candidate->replicas <= 1 && candidate->nodes <= group->nodes && run <= group->slack_s &&
           group->busy_s + run <= gp_num_min(period, allowed_s(c));
}

/* The first group that it and all in it can wait for each other in. */
static int64_t hold_turns(filling *f) {
    gp_turn_group *groups = f->plan->turns;
    size_t count = 0;
    int64_t nodes = 0;
    for (size_t i = 0; i < f->turn_count; i++) {
        const gp_case *c = case_of(f, f->turns[i]);
        const gp_candidate *candidate = chosen_of(f, f->turns[i]);
        const double run = candidate->time_to_complete_s.high;
        gp_hold *hold = &f->ledger->holds[f->turns[i]];
        size_t g = 0;
        hold->timing = (gp_timing){0};
        hold->first = f->turns[i];
        while (g < count && (candidate->at_once || !joins(&groups[g], c, candidate)))
            g++;
        if (g < count) {
            hold->timing = (gp_timing){.turn = GP_TURN_QUEUE, .wait_s = groups[g].busy_s};
            hold->first = groups[g].first;
            groups[g].slack_s =
                gp_num_min(groups[g].slack_s - run, allowed_s(c) - run - groups[g].busy_s);
            groups[g].busy_s += run;
            groups[g].period_s = gp_num_min(groups[g].period_s, c->workload->goal.every_s);
            continue;
        }
        nodes += candidate->nodes;
        f->waits->turn_gpus += candidate->gpus;
        groups[count++] = (gp_turn_group){f->turns[i], candidate->nodes, run,
                                          c->workload->goal.every_s, allowed_s(c) - run};
    }
    return nodes;
}

/* ------------------------------------------------------------ hours that services leave idle */

/* Machines for so many replicas of the chosen layout. */
static int64_t nodes_for(const gp_candidate *chosen, int64_t replicas) {
    const gp_group *group = &chosen->groups[0];
    const int64_t per_node = gp_num_max_i64(1, chosen->unit->machine.gpus / group->gpus);
    return (replicas + per_node - 1) / per_node * group->nodes;
}

/* Where its replicas fill the last machine in part only, that one is shared and never free. */
void gp_ledger_add_idle(const gp_case *c, const gp_candidate *candidate, int64_t *hours) {
    gp_autoscale scaling;
    if (!c->out->is_serving || c->offline || !candidate->feasible || candidate->split.present)
        return;
    const int64_t whole = candidate->gpus / gp_num_max_i64(1, candidate->unit->machine.gpus);
    gp_autoscale_week(c, candidate, &scaling);
    if (!scaling.present || !scaling.has_week)
        return;
    for (int h = 0; h < GP_WEEK_HOURS; h++) {
        const bool weekend = h / GP_DAY_HOURS >= WORKING_DAYS;
        const int64_t replicas = weekend ? scaling.weekend_replicas[h % GP_DAY_HOURS]
                                         : scaling.replicas[h % GP_DAY_HOURS];
        const int64_t held = gp_num_max_i64(replicas, c->workload->scaling.min_replicas);
        hours[h] += gp_num_max_i64(0, whole - nodes_for(candidate, held));
    }
}

/* Hours before each of two weeks that leave enough machines, and how often they begin to. The week
 * is a ring: Sunday night runs into Monday. */
typedef struct windows {
    int open[2 * GP_WEEK_HOURS + 1], begun[2 * GP_WEEK_HOURS + 1];
} windows;

static void find_windows(const int64_t *hours, int64_t nodes, windows *ret) {
    bool before = hours[GP_WEEK_HOURS - 1] >= nodes;
    ret->open[0] = ret->begun[0] = 0;
    for (int h = 0; h < 2 * GP_WEEK_HOURS; h++) {
        const bool now = hours[h < GP_WEEK_HOURS ? h : h - GP_WEEK_HOURS] >= nodes;
        ret->open[h + 1] = ret->open[h] + (now ? 1 : 0);
        ret->begun[h + 1] = ret->begun[h] + (now && !before ? 1 : 0);
        before = now;
    }
}

/* Of `span` hours from an hour of the week on. Every window costs a restart. */
static double idle_s(const gp_plan_context *plan, const windows *week, int from, int span) {
    const int open = week->open[from + span] - week->open[from];
    const int begun = week->begun[from + span] - week->begun[from];
    return open * s_per_hour - begun * plan->constants->run_restart_s;
}

/* A batch that comes back every day or more rarely starts when the services sleep: at the hour that
 * leaves most of the time it has, on the worst day. */
static double best_idle_s(const gp_plan_context *plan, const windows *week, int span) {
    double best_s = 0;
    for (int start = 0; start < GP_DAY_HOURS; start++) {
        double worst_s = span * s_per_hour;
        for (int at = start; at < GP_WEEK_HOURS && worst_s > best_s; at += GP_DAY_HOURS)
            worst_s = gp_num_min(worst_s, idle_s(plan, week, at, span));
        best_s = gp_num_max(best_s, worst_s);
    }
    return best_s;
}

double gp_ledger_idle_share(const gp_case *c, const int64_t *hours, int64_t nodes) {
    const bool daily = c->offline && c->workload->goal.every_s >= GP_DAY_HOURS * s_per_hour;
    const int64_t allowed = gp_num_floor_count(allowed_s(c) / s_per_hour);
    const bool within = daily && allowed >= 1 && allowed < GP_WEEK_HOURS;
    const int span = within ? (int)allowed : GP_WEEK_HOURS;
    windows week;
    find_windows(hours, nodes, &week);
    const double useful_s =
        within ? best_idle_s(c->plan, &week, span) : idle_s(c->plan, &week, 0, span);
    return gp_num_max(0, useful_s / (span * s_per_hour));
}

/* Worked out once as long as a service has the same machines. */
static void add_known_idle(const filling *f, size_t claim, int64_t *hours) {
    gp_idle_hours *idle = &f->ledger->idle[claim];
    if (!idle->known) {
        *idle = (gp_idle_hours){.known = true};
        gp_ledger_add_idle(case_of(f, claim), chosen_of(f, claim), idle->nodes);
    }
    for (int h = 0; h < GP_WEEK_HOURS; h++)
        hours[h] += idle->nodes[h];
}

/* One run may have them; what does not hold its goal that way waits or takes machines of its own,
 * as it would without. */
static void hold_idle(filling *f) {
    const gp_ledger *ledger = f->ledger;
    int64_t hours[GP_WEEK_HOURS] = {0};
    bool taken = false;
    for (size_t i = ledger->first[f->unit]; i != no_case; i = ledger->next[i])
        add_known_idle(f, i, hours);
    for (size_t i = 0; i < f->idler_count; i++) {
        const gp_case *c = case_of(f, f->idlers[i]);
        const gp_candidate *candidate = chosen_of(f, f->idlers[i]);
        const gp_claim *claim = &ledger->held[f->idlers[i]];
        gp_hold *hold = &f->ledger->holds[f->idlers[i]];
        const bool may = !taken && (candidate->whole || c->offline);
        const double share = may ? gp_ledger_idle_share(c, hours, candidate->nodes) : 0;
        const bool holds = share > 0 && candidate->time_to_complete_s.high / share <= allowed_s(c);
        *hold = (gp_hold){.end_s = HUGE_VAL, .nodes = claim->nodes, .first = f->idlers[i]};
        if (holds)
            hold->timing = (gp_timing){.turn = GP_TURN_IDLE, .share_fraction = share};
        else if (claim->otherwise == GP_CLAIM_GOOD)
            hold_for_good(f, claim);
        taken = taken || holds;
    }
}

/* ------------------------------------------------------------ power */

double gp_ledger_gpus(const gp_kind_hold *kind, bool on_part, int64_t gpus) {
    const bool shared = on_part && kind->part_count > 0;
    return shared ? (double)kind->part_gpus / (double)kind->part_count : (double)gpus;
}

/* Its work in watts, with every workload at it, on so many GPUs; what it adds to the draw of idle
 * machines. */
static double load_of(const gp_claim *claim, double gpus, double per_node, double work_w,
                      double *ret_added_w) {
    const double used = claim->whole ? (double)claim->nodes : gpus / per_node;
    const double filled = claim->whole ? (double)claim->gpus / (used * per_node) : 1;
    *ret_added_w = used * filled * work_w;
    return used * claim->idle_w + *ret_added_w;
}

/* What several do on one GPU adds up to what it can draw; its idle draw does not. */
static double load_of_part(const filling *f, const gp_claim *claim, double *ret_added_w) {
    const double gpus = gp_ledger_gpus(f->kind, true, claim->gpus);
    const double share = (double)claim->gpus / gp_num_max(gpus, 1e-9);
    const double own_w = claim->node_w - claim->idle_w;
    const double most_w = f->plan->facts[f->unit].idle.peak_w - claim->idle_w;
    return load_of(claim, gpus, (double)f->shared.per_node, gp_num_min(share * own_w, most_w),
                   ret_added_w);
}

/* Machines that workloads share: those for which the year is long enough, and those on which runs
 * that end are for themselves. */
typedef struct shared_claims {
    double gpus, steady_gpus;   /* of all; of those that never end */
    double nodes, steady_nodes; /* the most that one of them lies on */
    double busy_fraction;       /* of those that end, one after another */
    double turn_w, turn_busy;   /* of all runs that may wait, by how long each computes */
    double first_w;             /* of those that wait for none */
} shared_claims;

static void add_shared(const filling *f, const gp_claim *claim, shared_claims *ret) {
    const double gpus = gp_ledger_gpus(f->kind, claim->part != NULL, claim->gpus) -
                        (double)(claim->filled_nodes * f->shared.per_node);
    const double nodes = (double)claim->nodes - (double)claim->filled_nodes;
    ret->gpus += gpus;
    ret->nodes = gp_num_max(ret->nodes, nodes);
    if (claim->busy_fraction < 1) {
        ret->busy_fraction = gp_num_min(1, ret->busy_fraction + claim->busy_fraction);
        return;
    }
    ret->steady_gpus += gpus;
    ret->steady_nodes = gp_num_max(ret->steady_nodes, nodes);
}

/* A claim's machines at work, with every workload at it, and over a year. Those that it has to
 * itself are on while it computes; of those that are shared this is what the work adds, and so it
 * is in hours that services leave idle, as many as it computes in. */
static void add_power(filling *f, size_t i, shared_claims *shared) {
    const gp_claim *claim = &f->ledger->held[i];
    const gp_timing *timing = &f->ledger->holds[i].timing;
    const bool for_good = claim->role == GP_CLAIM_GOOD;
    const bool own_turn = for_good || timing->turn == GP_TURN_OWN;
    const double busy = claim->busy_fraction;
    double added_w = claim->added_w;
    const double load_w = claim->part != NULL ? load_of_part(f, claim, &added_w) : claim->load_w;
    if (!for_good && timing->turn == GP_TURN_IDLE) {
        f->kind->mean_w += timing->share_fraction * added_w;
        f->kind->year_w += busy * added_w;
        return;
    }
    if (!for_good) {
        shared->turn_w += busy * load_w;
        shared->turn_busy += busy;
        shared->first_w += own_turn ? load_w : 0;
    }
    if (own_turn)
        f->kind->mean_w += load_w;
    if (own_turn && !claim->whole) {
        const double filled = (double)claim->filled_nodes;
        add_shared(f, claim, shared);
        f->kind->year_w += busy * added_w;
        f->kind->year_w += (f->idle_on ? 1 : busy) * filled * claim->idle_w;
        return;
    }
    f->kind->year_w += busy * load_w;
    if (own_turn && f->idle_on)
        f->kind->year_w += (1 - busy) * (load_w - added_w);
}

/* Machines that are on for good, and those that are while runs that end compute there. */
static double shared_on(const filling *f, const shared_claims *shared) {
    const double per_node = (double)f->plan->units[f->unit].machine.gpus;
    const double all = (double)f->shared.nodes;
    const double needed =
        gp_num_max((double)gp_num_ceil_count(shared->gpus / per_node), shared->nodes);
    const double steady =
        gp_num_max((double)gp_num_ceil_count(shared->steady_gpus / per_node), shared->steady_nodes);
    const double loose = gp_num_max(0, all - needed); /* as pieces do not fill them */
    const double good = gp_num_min(all, steady > 0 ? steady + loose : 0);
    return f->idle_on ? all : good + (all - good) * shared->busy_fraction;
}

static void add_rest(filling *f, const shared_claims *shared) {
    const double per_node = (double)f->plan->units[f->unit].machine.gpus;
    double pieces = 0;
    for (int64_t g = 1; g <= f->shared.per_node; g++)
        pieces += (double)(g * f->shared.pieces[g]);
    gp_kind_hold *kind = f->kind;
    const double idle_w = f->plan->facts[f->unit].idle.node_w;
    const int64_t idle = kind->stand - (kind->nodes - kind->beyond);
    const double unused = f->idle_on ? (double)gp_num_max_i64(0, idle) * idle_w : 0;
    kind->mean_w += gp_num_max(0, (double)kind->shared_nodes - pieces / per_node) * idle_w + unused;
    /* Runs that take turns draw what each does in its own, by how long that is. */
    if (shared->turn_busy > 0)
        kind->turns_w = gp_num_max(0, shared->turn_w / shared->turn_busy - shared->first_w);
    kind->mean_w += kind->turns_w;
    kind->year_w += shared_on(f, shared) * idle_w + unused;
}

/* ------------------------------------------------------------ the ledger */

/* Spares come off the pools; where there are none they are bought with each kind, and stay spare
 * in later quarters. */
static int64_t spares_of(const filling *f) {
    const gp_cluster *cluster = &gp_plan_spec_at(f->plan, f->unit)->cluster;
    return cluster->pools.count == 0 && f->kind->nodes > 0 ? cluster->reserve.spare_nodes : 0;
}

/* Machines are bought in multiples: those beyond the need are held with it. */
static void stand(filling *f, const gp_inventory *inventory) {
    gp_kind_hold *kind = f->kind;
    const int64_t step = gp_num_max_i64(1, f->plan->step);
    const int64_t there = inventory->owned[f->unit];
    const int64_t missing = gp_num_max_i64(0, kind->nodes + spares_of(f) - there);
    kind->owned = gp_num_min_i64(kind->nodes, there);
    kind->bought = (missing + step - 1) / step * step;
    kind->beyond = kind->owned + kind->bought - kind->nodes;
    kind->nodes += kind->beyond;
    kind->stand = inventory->there[f->unit] + kind->bought;
}

/* Machines in a cloud are taken by each workload for itself. */
static void fill_cloud(filling *f) {
    const gp_ledger *ledger = f->ledger;
    for (size_t i = ledger->first[f->unit]; i != no_case; i = ledger->next[i]) {
        f->kind->nodes += ledger->held[i].nodes;
        f->kind->gpus += ledger->held[i].gpus;
    }
}

/* Services change the hours that they leave idle; others wait as before where nobody came or went
 * among them. */
static void hold_waiting(filling *f) {
    if (f->waits->known && f->waits->idlers == 0)
        return;
    sort_out(f);
    f->waits->idlers = f->idler_count;
    if (f->idler_count > 0) {
        hold_idle(f);
        f->waits->known = false;
        f->idlers_known = true;
        sort_out(f);
    }
    f->waits->turn_gpus = 0;
    f->waits->turn_nodes = hold_turns(f);
}

/* Machines of runs that end, with `good` ones held by others. Where machines, GPUs or power are
 * asked to be least they wait for each other also beside machines that are free. */
static int64_t dated_nodes(filling *f, int64_t good) {
    const gp_objective objective = f->plan->objective;
    const bool fewest =
        objective == GP_OBJECTIVE_MIN_MACHINES || objective == GP_OBJECTIVE_MIN_GPUS ||
        (objective == GP_OBJECTIVE_MIN_POWER && !f->plan->result->objective_was_auto);
    const int64_t free_nodes = fewest ? 0 : gp_num_max_i64(0, f->owned - good);
    if (f->waits->known && free_nodes == f->waits->free_nodes)
        return f->waits->dated_nodes;
    sort_out(f);
    f->waits->known = true;
    f->waits->free_nodes = free_nodes;
    f->waits->dated_nodes = hold_dated(f, free_nodes);
    return f->waits->dated_nodes;
}

static void hold_all(filling *f) {
    const gp_ledger *ledger = f->ledger;
    for (size_t i = ledger->first[f->unit]; i != no_case; i = ledger->next[i]) {
        const gp_claim *claim = &ledger->held[i];
        if (claim->role == GP_CLAIM_GOOD)
            hold_for_good(f, claim);
        f->kind->fabric_nodes += claim->fabric_nodes;
        gp_storage_need_add(&claim->storage, &f->kind->storage);
    }
    hold_waiting(f);
}

static void fill_unit(const gp_plan_context *plan, const gp_inventory *inventory, size_t unit,
                      gp_ledger *ledger) {
    filling f = {.plan = plan,
                 .ledger = ledger,
                 .unit = unit,
                 .kind = &ledger->kinds[unit],
                 .waits = &ledger->waits[unit],
                 .owned = inventory->owned[unit],
                 .idle_on = gp_plan_spec_at(plan, unit)->cluster.idle == GP_IDLE_POWERED_ON,
                 .dated = plan->lists,
                 .turns = plan->lists + plan->claim_count,
                 .idlers = plan->lists + 2 * plan->claim_count};
    if (plan->units[unit].cloud != NULL) {
        fill_cloud(&f);
        return;
    }
    gp_pack_start(plan, plan->units[unit].machine.gpus, &f.shared);
    f.shared.partition = plan->units[unit].partition;
    hold_all(&f);
    gp_pack_with_parts(&f.shared, plan->objective == GP_OBJECTIVE_MIN_GPUS);
    f.kind->part_count = f.shared.part_count;
    f.kind->part_gpus = f.shared.part_gpus;
    f.kind->gpus += f.shared.part_gpus + f.waits->turn_gpus;
    const int64_t good = f.whole_nodes + f.shared.nodes + f.waits->turn_nodes;
    const int64_t dated = dated_nodes(&f, good);
    f.kind->shared_nodes = f.shared.nodes;
    f.kind->nodes = good + dated;
    f.kind->gpus += dated * f.shared.per_node;
    f.kind->fabric_nodes = gp_num_min_i64(f.kind->fabric_nodes, f.kind->nodes);
    stand(&f, inventory);
    shared_claims claims = {0};
    for (size_t i = ledger->first[unit]; i != no_case; i = ledger->next[i])
        add_power(&f, i, &claims);
    add_rest(&f, &claims);
}

static bool enough(const gp_plan_context *plan, const gp_inventory *inventory, size_t unit,
                   const gp_kind_hold *kind) {
    return gp_inventory_buys(inventory, &plan->units[unit]) ||
           kind->nodes <= inventory->owned[unit];
}

/* Higher priorities first, then most machines, then what is due first, then by name. */
static bool goes_before(const gp_claim *left, const gp_claim *right) {
    if (left->class != right->class)
        return left->class < right->class;
    if (left->nodes != right->nodes)
        return left->nodes > right->nodes;
    if (gp_num_compare9(left->deadline_s, right->deadline_s) != 0)
        return left->deadline_s < right->deadline_s;
    return left->rank < right->rank;
}

static void queue_up(gp_ledger *ledger, size_t i) {
    size_t low = 0;
    size_t high = ledger->wait_count++;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (goes_before(&ledger->held[i], &ledger->held[ledger->waiting[middle]]))
            high = middle;
        else
            low = middle + 1;
    }
    size_t *place = &ledger->waiting[low];
    memmove(place + 1, place, (ledger->wait_count - 1 - low) * sizeof *place);
    *place = i;
}

static void leave_queue(gp_ledger *ledger, size_t i) {
    size_t at = 0;
    while (ledger->waiting[at] != i)
        at++;
    size_t *place = &ledger->waiting[at];
    memmove(place, place + 1, (--ledger->wait_count - at) * sizeof *place);
}

static gp_claim_role role_of(const gp_case *c, const gp_candidate *candidate, bool may_idle) {
    const bool ends = c->demand.deadline_s > 0 && !c->offline && !c->out->is_serving;
    const bool yields = (ends && c->kind != GP_DEMAND_CONCURRENT) || c->offline;
    if (candidate->unit->cloud != NULL)
        return GP_CLAIM_GOOD;
    if (yields && c->workload->placement.time_sharing && may_idle)
        return GP_CLAIM_IDLER;
    if (c->kind == GP_DEMAND_DEADLINE && candidate->whole)
        return GP_CLAIM_DATED;
    return c->kind == GP_DEMAND_RECURRING && candidate->whole && ends ? GP_CLAIM_TURN
                                                                      : GP_CLAIM_GOOD;
}

static gp_claim claim_of(const gp_plan_context *plan, size_t i, const gp_candidate *candidate) {
    const size_t index = i % plan->case_count;
    const gp_case *c = &plan->cases[index];
    const int64_t per_node = candidate->unit->machine.gpus;
    gp_claim claim = {.unit = (size_t)(candidate->unit - plan->units),
                      .role = role_of(c, candidate, true),
                      .otherwise = role_of(c, candidate, false),
                      .whole = candidate->whole,
                      .part = candidate->part.profile != NULL ? &candidate->part : NULL,
                      .nodes = candidate->nodes,
                      .gpus = candidate->gpus,
                      .fabric_nodes = candidate->leaves_machine ? candidate->nodes : 0,
                      .busy_fraction = candidate->busy_fraction,
                      .node_w = candidate->node_load_w,
                      .idle_w = candidate->node_idle_w,
                      .storage = candidate->storage,
                      .class = plan->classes[index],
                      .rank = c->rank,
                      .deadline_s = c->demand.deadline_s};
    claim.load_w = load_of(&claim, (double)claim.gpus, (double)per_node,
                           claim.node_w - claim.idle_w, &claim.added_w);
    gp_pack_claim(candidate, &claim);
    return claim;
}

/* Forgets what was there before: all kinds of machines are filled anew. */
static void forget(const gp_plan_context *plan, gp_ledger *ledger) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        ledger->changed[u] = true;
        ledger->first[u] = no_case;
        ledger->waits[u].known = false;
    }
    for (size_t i = 0; i < plan->case_count; i++)
        ledger->were[i] = NULL;
    for (size_t i = 0; i < ledger->claim_count; i++) {
        ledger->claims[i] = NULL;
        ledger->holds[i] = (gp_hold){.end_s = HUGE_VAL};
    }
    ledger->claim_count = plan->case_count;
    ledger->wait_count = 0;
}

/* Where the claim stands, or would, in the list of those on its unit. */
static size_t *link_of(gp_ledger *ledger, size_t i) {
    const size_t unit = ledger->held[i].unit;
    size_t before = i;
    while (before > 0 &&
           (ledger->claims[before - 1] == NULL || ledger->held[before - 1].unit != unit))
        before--;
    return before > 0 ? &ledger->next[before - 1] : &ledger->first[unit];
}

static void leave(gp_ledger *ledger, size_t i) {
    const gp_claim *claim = &ledger->held[i];
    ledger->changed[claim->unit] = true;
    *link_of(ledger, i) = ledger->next[i];
    ledger->claims[i] = NULL;
    ledger->holds[i] = (gp_hold){.end_s = HUGE_VAL};
    if (claim->role == GP_CLAIM_GOOD)
        return;
    leave_queue(ledger, i);
    ledger->waits[claim->unit].known = false;
}

static void enter(const gp_plan_context *plan, gp_ledger *ledger, size_t i,
                  const gp_candidate *candidate) {
    gp_claim *claim = &ledger->held[i];
    *claim = claim_of(plan, i, candidate);
    ledger->changed[claim->unit] = true;
    size_t *link = link_of(ledger, i);
    ledger->next[i] = *link;
    *link = i;
    ledger->claims[i] = candidate;
    ledger->holds[i] = (gp_hold){.end_s = HUGE_VAL, .nodes = claim->nodes, .first = i};
    if (ledger->idle != NULL)
        ledger->idle[i].known = false;
    if (claim->role == GP_CLAIM_GOOD)
        return;
    queue_up(ledger, i);
    ledger->waits[claim->unit].known = false;
}

/* What is chosen is a claim, or each of its shares is. */
static void change(const gp_plan_context *plan, gp_ledger *ledger, size_t index,
                   const gp_candidate *one) {
    const size_t shares = one == NULL ? 0 : (size_t)gp_num_max_i64(one->share_count, 1);
    ledger->were[index] = one;
    for (size_t i = index, n = 0; i < ledger->claim_count || n < shares;
         i += plan->case_count, n++) {
        const bool is_shared = n < shares && one->share_count > 0;
        if (ledger->claims[i] != NULL)
            leave(ledger, i);
        if (n < shares)
            enter(plan, ledger, i, is_shared ? &one->shares[n] : one);
    }
    if (shares * plan->case_count > ledger->claim_count)
        ledger->claim_count = shares * plan->case_count;
}

/* Kinds of machines that a change of what is chosen touches. */
static void find_changed(const gp_plan_context *plan, gp_ledger *ledger) {
    for (size_t u = 0; u < plan->unit_count; u++)
        ledger->changed[u] = false;
    if (ledger->held_owned == NULL)
        forget(plan, ledger);
    const gp_candidate *const *chosen = ledger->chosen;
    const gp_candidate *const *were = ledger->were;
    const size_t count = plan->case_count;
    if (ledger->doubtful < count)
        change(plan, ledger, ledger->doubtful, chosen[ledger->doubtful]);
    for (size_t i = 0; i < count; i++) {
        while (i < count && chosen[i] == were[i])
            i++;
        if (i < count)
            change(plan, ledger, i, chosen[i]);
    }
}

/* What is rented comes behind the sites. */
static void set_stale(const gp_plan_context *plan, size_t unit, gp_ledger *ledger) {
    if (ledger->stale == NULL)
        return;
    const int site = plan->units[unit].site;
    const size_t at = site == GP_NO_SITE ? plan->site_count : (size_t)site;
    ledger->stale[at] = ledger->stale_least[at] = true;
}

static void hold(const gp_plan_context *plan, const gp_inventory *inventory,
                 const gp_candidate *const *chosen, gp_ledger *ret) {
    ret->fits = true;
    ret->chosen = chosen;
    find_changed(plan, ret);
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (ret->changed[u]) {
            set_stale(plan, u, ret);
            ret->kinds[u] = (gp_kind_hold){0};
            fill_unit(plan, inventory, u, ret);
        }
        ret->fits = ret->fits && enough(plan, inventory, u, &ret->kinds[u]);
    }
}

void gp_ledger_of(const gp_plan_context *plan, const gp_inventory *inventory,
                  const gp_candidate *const *chosen, gp_ledger *ret) {
    ret->held_owned = NULL;
    ret->doubtful = plan->case_count;
    hold(plan, inventory, chosen, ret);
}

void gp_ledger_change(const gp_plan_context *plan, const gp_inventory *inventory,
                      const gp_candidate *const *chosen, size_t doubtful, gp_ledger *ledger) {
    if (ledger->held_owned != inventory->owned || ledger->held_objective != plan->objective)
        ledger->held_owned = NULL;
    ledger->doubtful = doubtful;
    hold(plan, inventory, chosen, ledger);
    ledger->held_owned = inventory->owned;
    ledger->held_objective = plan->objective;
}

void gp_ledger_init(gp_plan_context *plan, gp_ledger *ret) {
    const size_t claims = plan->claim_count + 1;
    *ret = (gp_ledger){.kinds = GP_NEW_ARRAY(plan->arena, gp_kind_hold, plan->unit_count + 1),
                       .holds = GP_NEW_ARRAY(plan->arena, gp_hold, claims),
                       .held = GP_NEW_ARRAY(plan->arena, gp_claim, claims),
                       .claims = GP_NEW_ARRAY(plan->arena, const gp_candidate *, claims),
                       .were =
                           GP_NEW_ARRAY(plan->arena, const gp_candidate *, plan->case_count + 1),
                       .first = GP_NEW_ARRAY(plan->arena, size_t, plan->unit_count + 1),
                       .next = GP_NEW_ARRAY(plan->arena, size_t, claims),
                       .waiting = GP_NEW_ARRAY(plan->arena, size_t, claims),
                       .waits = GP_NEW_ARRAY(plan->arena, gp_kind_waits, plan->unit_count + 1),
                       .changed = GP_NEW_ARRAY(plan->arena, bool, plan->unit_count + 1)};
    for (size_t i = 0; i < plan->case_count && ret->idle == NULL; i++)
        if (plan->cases[i].workload->placement.time_sharing)
            ret->idle = GP_NEW_ARRAY(plan->arena, gp_idle_hours, claims);
    if (plan->site_count > 0) {
        ret->stale = GP_NEW_ARRAY(plan->arena, bool, plan->site_count + 1);
        ret->stale_least = GP_NEW_ARRAY(plan->arena, bool, plan->site_count + 1);
    }
    for (size_t s = 0; ret->stale != NULL && s <= plan->site_count; s++)
        ret->stale[s] = ret->stale_least[s] = true;
}

int64_t gp_ledger_owned(const gp_plan_context *plan, const gp_ledger *ledger, size_t index) {
    int64_t owned = 0;
    for (size_t i = index; i < ledger->claim_count; i += plan->case_count)
        owned += ledger->claims[i] != NULL ? ledger->holds[i].owned_nodes : 0;
    return owned;
}
