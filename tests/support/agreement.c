/* Test support: what a report says twice, compared. */
#include "support/agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double same = 1e-9;

#define AGREES(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            snprintf(why, AGREEMENT_WHY, __VA_ARGS__);                                             \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool is_same(double a, double b) {
    return !isfinite(a) ? !isfinite(b) : fabs(a - b) <= same * fmax(fabs(a), fabs(b));
}

static const gp_report_goal *goal_named(const gp_report_workload *w, const char *name) {
    for (size_t i = 0; i < w->goals.count; i++)
        if (strcmp(w->goals.items[i].name, name) == 0)
            return &w->goals.items[i];
    return NULL;
}

/* Of a run that judges the replicas, else of the formula: the same in every place. */
static bool latency_agrees(const gp_report_workload *w, const char *goal, double told,
                           double chosen, double simulated, char why[AGREEMENT_WHY]) {
    const gp_report_goal *judged = goal_named(w, goal);
    AGREES(is_same(told, chosen), "%s: %s is %.9g, of the chosen %.9g", w->name, goal, told,
           chosen);
    AGREES(w->simulation == NULL || !isfinite(told) || is_same(told, simulated),
           "%s: %s is %.9g, simulated %.9g", w->name, goal, told, simulated);
    AGREES(judged == NULL || !isfinite(judged->expected) || is_same(told, judged->expected),
           "%s: %s is %.9g, judged %.9g", w->name, goal, told, judged->expected);
    return true;
}

static bool latencies_agree(const gp_report_workload *w, char why[AGREEMENT_WHY]) {
    const gp_report_performance *told = &w->performance;
    const gp_report_candidate *chosen = &w->recommendation.chosen;
    const gp_report_trial none = {.ttft_p95_s = (double)NAN, .tpot_p95_s = (double)NAN};
    const gp_report_trial *run = w->simulation != NULL ? &w->simulation->chosen : &none;
    return latency_agrees(w, "ttftP95", told->ttft_p95_s.expected, chosen->ttft_p95_s.expected,
                          run->ttft_p95_s, why) &&
           latency_agrees(w, "tpotP95", told->tpot_p95_s.expected, chosen->tpot_p95_s.expected,
                          run->tpot_p95_s, why);
}

static bool goals_agree(const gp_report_workload *w, char why[AGREEMENT_WHY]) {
    for (size_t i = 0; i < w->goals.count; i++) {
        const gp_report_goal *goal = &w->goals.items[i];
        const double over = (goal->lower_is_better ? 1 : -1) * (goal->judged - goal->target);
        if (!isfinite(goal->judged))
            continue;
        AGREES((over <= same * goal->target) == (strcmp(goal->state, "met") == 0),
               "%s: %s is %.9g, target %.9g: %s", w->name, goal->name, goal->judged, goal->target,
               goal->state);
    }
    return true;
}

/* Each step adds, and the last is what is planned. */
static bool need_agrees(const gp_report_workload *w, char why[AGREEMENT_WHY]) {
    const gp_report_recommendation *r = &w->recommendation;
    const size_t count = r->need_steps.count;
    for (size_t k = 1; k < count; k++)
        AGREES(r->need_steps.items[k].gpus >= r->need_steps.items[k - 1].gpus,
               "%s: the need falls from %lld to %lld with %s", w->name,
               (long long)r->need_steps.items[k - 1].gpus, (long long)r->need_steps.items[k].gpus,
               r->need_steps.items[k].factor);
    AGREES(count == 0 || r->need_steps.items[count - 1].gpus == r->chosen.gpus,
           "%s: the need ends at %lld GPUs of %lld", w->name,
           (long long)r->need_steps.items[count - 1].gpus, (long long)r->chosen.gpus);
    return true;
}

/* What is planned carries what is planned for, and so do the machines of today that are enough. */
static bool rates_agree(const gp_report_workload *w, char why[AGREEMENT_WHY]) {
    const gp_report_performance *told = &w->performance;
    const gp_report_candidate *chosen = &w->recommendation.chosen;
    const double demand = told->demand_requests_per_s;
    if (!chosen->feasible || !isfinite(demand))
        return true;
    AGREES(!isfinite(told->requests_per_s.expected) ||
               told->requests_per_s.expected >= demand * (1 - same),
           "%s: carries %.9g/s of %.9g", w->name, told->requests_per_s.expected, demand);
    const gp_report_held *held = w->service != NULL ? w->service->held : NULL;
    const bool enough = held != NULL && chosen->shares.count == 0 && held->nodes >= chosen->nodes &&
                        strcmp(held->system, chosen->system) == 0;
    AGREES(!enough || held->requests_per_s >= demand * (1 - 1e-4),
           "%s: %lld machines carry %.9g/s, %lld are planned for %.9g", w->name,
           (long long)held->nodes, held->requests_per_s, (long long)chosen->nodes, demand);
    return true;
}

static bool site_agrees(const gp_report *report, char why[AGREEMENT_WHY]) {
    int64_t bought = 0;
    for (size_t i = 0; i < report->site.bill.count; i++)
        if (strcmp(report->site.bill.items[i].role, "machine") == 0)
            bought += report->site.bill.items[i].bought;
    AGREES(bought == report->summary.bought_nodes, "the bill buys %lld machines, the summary %lld",
           (long long)bought, (long long)report->summary.bought_nodes);
    AGREES(report->growth.count == 0 || report->growth.items[0].gpus == report->summary.gpus,
           "growth begins with %lld GPUs, the plan has %lld",
           (long long)report->growth.items[0].gpus, (long long)report->summary.gpus);
    return true;
}

bool figures_agree(const gp_report *report, char why[AGREEMENT_WHY]) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *w = &report->workloads.items[i];
        if (!latencies_agree(w, why) || !goals_agree(w, why) || !need_agrees(w, why) ||
            !rates_agree(w, why))
            return false;
    }
    return site_agrees(report, why);
}
