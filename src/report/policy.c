/*
 * Policies: rules of the user's own over frozen figures, other levels for findings, and waivers.
 * Every rule is checked before any is applied, so that a policy is judged whole or not at all.
 */
#include <string.h>

#include "base/glob.h"
#include "base/sort.h"
#include "base/str.h"
#include "model/model.h"
#include "report/assertion.h"
#include "report/build.h"
#include "report/findings.h"
#include "report/value.h"
#include "schema/diag_ids.h"

static const char off[] = "off";
static const char *const level_words[] = {"note", "warning", "error", off, NULL};
static const char *const select_keys[] = {"workload.name", "workload.type", NULL};
enum { SELECT_NAME, SELECT_TYPE };

typedef struct judge {
    gp_arena *arena;
    gp_report *report;
    gp_diags *diags;
    const gp_policy *policy;
    gp_assertion *assertions; /* one per rule of the policy */
    int64_t today;
    size_t cap, held_cap;
    gp_status st; /* latched */
} judge;

/* ---- texts */

static const char *quantity_text(judge *j, double value, gp_dim dim) {
    enum { DIGITS = 4 };
    return gp_quantity_format_money(j->arena, value, dim, DIGITS, j->report->cost.currency);
}

static void check_rule_id(judge *j, const char *id, gp_span span) {
    if (id == NULL || GP_NAMED(j->policy->rules, id, id) != NULL ||
        gp_report_rule_named(id) != NULL)
        return;
    gp_guess guess = {.word = id, .len = strlen(id)};
    for (size_t i = 0; i < gp_report_rule_count; i++)
        gp_guess_consider(&guess, gp_report_rules[i].id);
    gp_diags_error(j->diags, GP_ID_UNKNOWN_REFERENCE, span,
                   "a rule of this policy or a built-in one (gpuplan help rules)", guess.best,
                   "no rule \"%s\"", id);
}

/* Some type of workload is what the pattern asks for. */
static void check_type(judge *j, const gp_entry *entry) {
    gp_guess guess = {.word = entry->text, .len = strlen(entry->text)};
    for (int type = 0; type < GP_WORKLOAD_TYPE_COUNT; type++) {
        if (gp_glob_match(entry->text, gp_workload_type_words[type]))
            return;
        gp_guess_consider(&guess, gp_workload_type_words[type]);
    }
    gp_diags_error(j->diags, GP_ID_NOT_A_CHOICE, entry->span,
                   "a type of workload: training, finetune, lora, inference, rl or seats",
                   guess.best, "no workload has the type \"%s\"", entry->text);
}

static void check_select(judge *j, const gp_policy_rule *rule) {
    for (size_t i = 0; i < rule->select.count; i++) {
        const gp_entry *entry = &rule->select.items[i];
        bool known = gp_str_equal(entry->key, select_keys[SELECT_NAME]) ||
                     gp_str_equal(entry->key, select_keys[SELECT_TYPE]);
        if (!known)
            gp_diags_error(j->diags, GP_ID_UNKNOWN_KEY, entry->span,
                           "workload.name or workload.type",
                           gp_str_nearest_of(entry->key, strlen(entry->key), select_keys),
                           "nothing is selected by \"%s\"", entry->key);
        else if (gp_str_equal(entry->key, select_keys[SELECT_TYPE]))
            check_type(j, entry);
    }
}

static void check_rule(judge *j, size_t i) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    if (rule->id != NULL && gp_str_starts(rule->id, "GP"))
        gp_diags_error(j->diags, GP_ID_INCONSISTENT, GP_ORIGIN_OF(rule, gp_policy_rule, id)->span,
                       "an id of your own, such as ORG-001", NULL,
                       "ids that start with GP are built in");
    check_select(j, rule);
    if (rule->assertion == NULL)
        return;
    (void)gp_assertion_parse(j->arena, rule->assertion,
                             GP_ORIGIN_OF(rule, gp_policy_rule, assertion)->span, j->diags,
                             &j->assertions[i]);
}

/* What errors of the schema left out is passed over. */
static void check_policy(judge *j) {
    const gp_policy *policy = j->policy;
    for (size_t i = 0; i < policy->rules.count; i++)
        check_rule(j, i);
    for (size_t i = 0; i < policy->levels.count; i++) {
        const gp_entry *entry = &policy->levels.items[i];
        check_rule_id(j, entry->key, entry->span);
        bool known = false;
        for (size_t k = 0; level_words[k] != NULL; k++)
            known = known || gp_str_equal(level_words[k], entry->text);
        if (!known)
            gp_diags_error(j->diags, GP_ID_NOT_A_CHOICE, entry->span,
                           "one of note, warning, error, off",
                           gp_str_nearest_of(entry->text, strlen(entry->text), level_words),
                           "\"%s\" is not a level", entry->text);
    }
    for (size_t i = 0; i < policy->waivers.count; i++) {
        const gp_waiver *waiver = &policy->waivers.items[i];
        check_rule_id(j, waiver->rule, GP_ORIGIN_OF(waiver, gp_waiver, rule)->span);
    }
}

/* ---- findings */

static void add(judge *j, const gp_report_finding *finding) {
    gp_report *report = j->report;
    GP_PUSH(j->arena, report->findings.items, report->findings.count, j->cap) = *finding;
}

static gp_report_finding finding_of(const char *id, const char *level) {
    gp_report_finding finding;
    gp_report_clear(&gp_report_finding_type, &finding);
    finding.id = id;
    finding.level = level;
    return finding;
}

/* "site.power.itW is 612 kW; the rule is <= 540 kW" */
static const char *breach_text(judge *j, const gp_policy_rule *rule, const gp_assertion *assertion,
                               const gp_report_value *value) {
    const char *is = assertion->kind == GP_REPORT_STRING ? value->text
                     : assertion->kind == GP_REPORT_BOOL
                         ? (value->flag ? "true" : "false")
                         : quantity_text(j, gp_value_number(value), assertion->dim);
    const char *fact =
        gp_arena_printf(j->arena, "%s is %s; the rule is %s %s", assertion->path,
                        is != NULL ? is : "-", gp_operator_text(assertion->op), assertion->text);
    return rule->message != NULL ? gp_arena_printf(j->arena, "%s (%s)", rule->message, fact) : fact;
}

static void breach(judge *j, size_t i, const gp_report_workload *workload,
                   const gp_report_value *value) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    const gp_assertion *assertion = &j->assertions[i];
    gp_report_finding finding = finding_of(rule->id, gp_level_name((gp_level)rule->level));
    finding.workload = workload != NULL ? workload->name : NULL;
    finding.metric = assertion->path;
    finding.message = breach_text(j, rule, assertion, value);
    if (assertion->kind != GP_REPORT_STRING) {
        bool upper = assertion->op == GP_OP_LE || assertion->op == GP_OP_LT;
        finding.value = gp_value_number(value);
        finding.limit = assertion->limit;
        finding.margin = upper ? finding.limit - finding.value : finding.value - finding.limit;
        finding.dim = assertion->dim;
        finding.unit = gp_dim_base_unit(assertion->dim);
    }
    gp_place at = gp_span_place(rule->meta.span);
    finding.fix =
        rule->meta.span.text == NULL
            ? NULL
            : gp_arena_printf(j->arena, "meet rule %s of %s:%lld, or waive it with a date",
                              rule->id, rule->meta.span.text->name, (long long)at.line);
    gp_finding_place(&finding, workload != NULL ? workload->span : j->report->span);
    add(j, &finding);
}

static void add_held(judge *j, size_t i, const gp_report_workload *workload) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    GP_PUSH(j->arena, j->report->held_rules.items, j->report->held_rules.count, j->held_cap) =
        (gp_report_held_rule){.id = rule->id,
                              .workload = workload != NULL ? workload->name : NULL,
                              .text =
                                  rule->message != NULL ? rule->message : j->assertions[i].path};
}

bool gp_policy_selects(const gp_policy_rule *rule, const gp_report_workload *workload) {
    for (size_t i = 0; i < rule->select.count; i++) {
        const gp_entry *entry = &rule->select.items[i];
        const char *text =
            gp_str_equal(entry->key, select_keys[SELECT_NAME]) ? workload->name : workload->type;
        if (text == NULL || !gp_glob_match(entry->text, text))
            return false;
    }
    return true;
}

/* A rule that was not judged, here or at all. */
static void not_judged(judge *j, size_t i, const gp_report_workload *workload, const char *before,
                       const char *after, const char *fix) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    gp_report_finding finding = finding_of("GP7012", gp_level_name((gp_level)rule->level));
    finding.workload = workload != NULL ? workload->name : NULL;
    finding.metric = j->assertions[i].path;
    finding.message = gp_arena_printf(j->arena, "rule %s was not judged%s %s%s", rule->id, before,
                                      j->assertions[i].path, after);
    finding.fix = fix;
    gp_finding_place(&finding, rule->meta.span);
    add(j, &finding);
}

/* Its figure is absent. */
static void no_figure(judge *j, size_t i, const char *before, const char *after) {
    const bool selects = j->assertions[i].of_workload || j->policy->rules.items[i].select.count > 0;
    not_judged(j, i, NULL, before, after,
               selects ? "correct its select or its metric"
                       : "state the inputs of the figure (prices, the site), or correct the rule");
}

/* What a figure is of; the first pattern that matches counts. */
typedef struct figure_row {
    const char *pattern;
    bool is_meant;
} figure_row;

/* Figures that sum over the workloads, and what follows from them. Standing machines draw power at
 * the peak all the same. */
static const figure_row sums[] = {
    {"summary.*MeanPowerW", true},
    {"summary.*PowerW", false},
    {"summary.*", true},
    {"cost.*", true},
    {"growth.*", true},
    {"teams.*", true},
    {"*.horizon.*", true},
    {"*.schedule.*", true},
    {"*.storage.*", true},
    {"*.reliability.*", true},
    {"*PerYear", true},
    {"*.power.*MeanW", true},
    {"*.power.trainingW", true},
    {"*.power.embodiedKg", true},
    {NULL, false},
};

/* Figures of a workload that are those of its layout; others are stated, or say how it fares. */
static const figure_row of_layout[] = {
    {"memory.headroomAskedFraction", false},
    {"memory.*", true},
    {"performance.demand*", false},
    {"performance.*", true},
    {"network.*", true},
    {"host.*", true},
    {"efficient.*", true},
    {"launch.*", true},
    {"service.traffic.*", false},
    {"service.*", true},
    {"rl.*", true},
    {"seats.*", true},
    {"simulation.*", true},
    {"recommendation.chosen.feasible", false},
    {"recommendation.chosen.*", true},
    {NULL, false},
};

static bool is_meant(const figure_row *rows, const char *path) {
    while (rows->pattern != NULL && !gp_glob_match(rows->pattern, path))
        rows++;
    return rows->is_meant;
}

static bool is_out(const gp_report_workload *workload) {
    return gp_str_equal(workload->recommendation.scale, gp_scale_name(GP_SCALE_INFEASIBLE));
}

/* The first workload that has no place: it is in no sum. NULL: none, or the figure is no sum that
 * could be larger with it. */
static const char *left_out(const judge *j, const gp_assertion *a) {
    const gp_report_workloads *all = &j->report->workloads;
    const bool upper = a->op == GP_OP_LE || a->op == GP_OP_LT;
    const bool sum = upper && !a->of_workload && is_meant(sums, a->path);
    for (size_t i = 0; i < all->count && sum; i++)
        if (is_out(&all->items[i]))
            return all->items[i].name;
    return NULL;
}

/* Why a figure that keeps a rule says nothing; NULL: it does say something. */
static const char *not_telling(const judge *j, const gp_assertion *a,
                               const gp_report_workload *workload) {
    const char *missing = left_out(j, a);
    if (missing != NULL)
        return gp_arena_printf(j->arena, " does not count %s, which fails", missing);
    return a->of_workload && is_out(workload) && is_meant(of_layout, a->path)
               ? " is that of the nearest candidate, which fails"
               : NULL;
}

/* Judges one object; false where the figure is absent there. */
static bool judge_one(judge *j, size_t i, const gp_report_workload *workload) {
    const gp_assertion *assertion = &j->assertions[i];
    gp_report_value value = {.absent = true};
    const gp_report_struct *type =
        assertion->of_workload ? &gp_report_workload_type : &gp_report_type;
    const void *object = assertion->of_workload ? (const void *)workload : (const void *)j->report;
    if (gp_report_find(type, object, assertion->path, &value, NULL) != GP_OK || value.absent)
        return false;
    const bool holds = gp_assertion_holds(assertion, &value);
    const char *why = holds ? not_telling(j, assertion, workload) : NULL;
    if (!holds)
        breach(j, i, workload, &value);
    else if (why == NULL)
        add_held(j, i, workload);
    else
        not_judged(j, i, workload, ":", why, "make the plan hold first");
    return true;
}

/* Workloads by the rule; those without its figure are told where the rule picks them by itself. */
static void apply_to_workloads(judge *j, size_t i) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    const char *missing = NULL;
    bool judged = false;
    bool selected = false;
    for (size_t k = 0; k < j->report->workloads.count; k++) {
        const gp_report_workload *it = &j->report->workloads.items[k];
        if (!gp_policy_selects(rule, it))
            continue;
        selected = true;
        if (judge_one(j, i, it))
            judged = true;
        else
            missing =
                missing == NULL ? it->name : gp_arena_printf(j->arena, "%s, %s", missing, it->name);
    }
    if (!selected && rule->select.count > 0)
        no_figure(j, i, " on", ": its select matches no workload");
    else if (!judged)
        no_figure(j, i, ": none of the workloads it selects has", "");
    else if (missing != NULL && rule->select.count > 0)
        no_figure(j, i, gp_arena_printf(j->arena, " for %s: it has no", missing), " there");
}

static void apply_rule(judge *j, size_t i) {
    const gp_policy_rule *rule = &j->policy->rules.items[i];
    if (j->assertions[i].of_diff)
        return;
    if (j->assertions[i].of_workload || rule->select.count > 0)
        apply_to_workloads(j, i);
    else if (!judge_one(j, i, NULL))
        no_figure(j, i, ": the plan has no", "");
}

/* ---- levels */

static void apply_level(judge *j, const gp_entry *entry) {
    gp_report *report = j->report;
    size_t left = 0;
    for (size_t i = 0; i < report->findings.count; i++) {
        gp_report_finding finding = report->findings.items[i];
        bool meant = gp_str_equal(finding.id, entry->key);
        if (meant && gp_str_equal(entry->text, off))
            continue;
        if (meant)
            finding.level = entry->text;
        report->findings.items[left++] = finding;
    }
    report->findings.count = left;
}

/* ---- waivers */

static bool matches_any(const char *const *patterns, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (text != NULL && gp_glob_match(patterns[i], text))
            return true;
    return count == 0;
}

static const char *spec_path(const gp_report *report) {
    const char *path = report->inputs.spec.path;
    while (path != NULL && gp_str_starts(path, "./"))
        path += 2;
    return path;
}

static bool is_waived(const judge *j, const gp_waiver *waiver, const gp_report_finding *finding) {
    return gp_str_equal(finding->id, waiver->rule) &&
           matches_any(waiver->paths.items, waiver->paths.count, spec_path(j->report)) &&
           matches_any(waiver->workloads.items, waiver->workloads.count, finding->workload);
}

static void apply_waiver(judge *j, const gp_waiver *waiver) {
    const gp_span span = GP_ORIGIN_OF(waiver, gp_waiver, until)->span;
    const char *until = gp_report_date(j->arena, waiver->until);
    size_t count = 0;
    for (size_t i = 0; i < j->report->findings.count; i++) {
        gp_report_finding *finding = &j->report->findings.items[i];
        if (!is_waived(j, waiver, finding))
            continue;
        count++;
        if (waiver->until >= j->today)
            finding->waived_by = gp_arena_printf(j->arena, "%s (until %s)", waiver->reason, until);
    }
    if (waiver->until >= j->today && count > 0)
        return;
    const char *id = waiver->until < j->today ? "GP7011" : "GP7013";
    gp_report_finding finding = finding_of(id, gp_report_rule_named(id)->level);
    finding.message =
        waiver->until < j->today
            ? gp_arena_printf(j->arena, "the waiver of %s expired on %s", waiver->rule, until)
            : gp_arena_printf(j->arena, "the waiver of %s matches no finding", waiver->rule);
    finding.fix = waiver->until < j->today
                      ? "fix the waived finding, or state a new date and reason"
                      : "remove it";
    gp_finding_place(&finding, span);
    add(j, &finding);
}

/* ---- prices */

void gp_report_expire(gp_arena *arena, gp_report *report, int64_t today) {
    const char *until = report->cost.quote_valid_until;
    judge j = {.arena = arena, .report = report, .cap = report->findings.count};
    if (until == NULL || strcmp(until, gp_report_date(arena, today)) >= 0)
        return;
    gp_report_finding finding = finding_of("GP6008", gp_report_rule_named("GP6008")->level);
    finding.metric = "cost.quoteValidUntil";
    finding.message = gp_arena_printf(arena, "a price list expired on %s", until);
    finding.fix = "ask for a new quote, and state its prices and its validUntil";
    gp_finding_place(&finding, report->cost.quote_span);
    add(&j, &finding);
}

/* ---- all of it */

typedef void policy_step(judge *j);

static void apply_rules(judge *j) {
    for (size_t i = 0; i < j->policy->rules.count && j->st == GP_OK; i++)
        apply_rule(j, i);
}

static void apply_levels(judge *j) {
    for (size_t i = 0; i < j->policy->levels.count; i++)
        apply_level(j, &j->policy->levels.items[i]);
}

static void apply_waivers(judge *j) {
    for (size_t i = 0; i < j->policy->waivers.count && j->st == GP_OK; i++)
        apply_waiver(j, &j->policy->waivers.items[i]);
}

/* Rules of all policies first, so that one policy can set the level of another's rule. */
static policy_step *const steps[] = {check_policy, apply_rules, apply_levels, apply_waivers};

void gp_policies_check(gp_arena *arena, const gp_policy *const *policies, size_t count,
                       gp_diags *diags) {
    judge j = {.arena = arena, .diags = diags};
    for (size_t i = 0; i < count; i++) {
        j.policy = policies[i];
        j.assertions = GP_NEW_ARRAY(arena, gp_assertion, policies[i]->rules.count + 1);
        check_policy(&j);
    }
}

gp_status gp_report_judge(gp_arena *arena, gp_report *report, const gp_policy *const *policies,
                          size_t count, int64_t today, gp_diags *diags) {
    judge j = {.arena = arena, .report = report, .diags = diags, .today = today};
    gp_assertion **assertions = GP_NEW_ARRAY(arena, gp_assertion *, count + 1);
    j.cap = report->findings.count;
    for (size_t i = 0; i < count; i++)
        assertions[i] = GP_NEW_ARRAY(arena, gp_assertion, policies[i]->rules.count + 1);
    for (size_t s = 0; s < GP_COUNT_OF(steps); s++) {
        for (size_t i = 0; i < count && j.st == GP_OK; i++) {
            j.policy = policies[i];
            j.assertions = assertions[i];
            steps[s](&j);
        }
        if (j.st == GP_OK && diags->errors > 0)
            j.st = GP_ERR_INPUT;
        if (j.st != GP_OK)
            return j.st;
    }
    gp_sort(arena, report->findings.items, report->findings.count, sizeof(gp_report_finding),
            gp_finding_by_gravity, NULL);
    return GP_OK;
}
