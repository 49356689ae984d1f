/* Two reports of one plan, figure by figure. */
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/model.h"
#include "report/assertion.h"
#include "report/build.h"
#include "report/value.h"

static const char *const plan_paths[] = {
    "summary.feasible",
    "summary.gpus",
    "summary.nodes",
    "summary.boughtNodes",
    "summary.rentedNodes",
    "summary.racks",
    "summary.itPowerW",
    "summary.facilityPowerW",
    "summary.capital",
    "cost.totalPerYear",
    "site.power.energyJPerYear",
};
static const char *const workload_paths[] = {
    "recommendation.scale",
    "recommendation.boundBy",
    "recommendation.chosen.feasible",
    "recommendation.chosen.where",
    "recommendation.chosen.system",
    "recommendation.chosen.gpus",
    "recommendation.chosen.nodes",
    "recommendation.chosen.addedNodes",
    "recommendation.chosen.layout",
    "recommendation.chosen.timeToCompleteS",
    "recommendation.chosen.ttftP95S",
    "recommendation.chosen.tpotP95S",
    "memory.headroomFraction",
    "network.communicationFraction",
    "recommendation.chosen.facilityPowerW",
    "recommendation.chosen.costPerYear",
    "performance.costPerRun",
    "performance.costPerMillionTokens",
};
static const char added[] = "added";
static const char removed[] = "removed";
static const char changed[] = "changed";
static const char unchanged[] = "same";

/* ---- figures */

static gp_report_value value_at(const gp_report_struct *type, const void *object,
                                const char *path) {
    gp_report_value value = {.absent = true};
    if (object == NULL || gp_report_find(type, object, path, &value, NULL) != GP_OK)
        value.absent = true;
    return value;
}

static bool is_text(gp_report_kind kind) {
    return kind == GP_REPORT_STRING || kind == GP_REPORT_BOOL;
}

static const char *word_of(const gp_report_value *value) {
    if (value->absent)
        return NULL;
    if (value->kind == GP_REPORT_BOOL)
        return value->flag ? "true" : "false";
    return value->text;
}

bool gp_diff_is_same(double a, double b, gp_dim dim) {
    static const double digits = 5e-6; /* half of the last of six digits, where the first is 1 */
    static const double cents = 0.005;
    if (!isfinite(a) || !isfinite(b))
        return !isfinite(a) && !isfinite(b);
    const double least = dim == GP_DIM_MONEY ? cents : 0;
    return fabs(a - b) <= gp_num_max(least, digits * gp_num_max(fabs(a), fabs(b)));
}

static gp_diff_figure figure_of(const char *path, const gp_report_value *base,
                                const gp_report_value *head) {
    const gp_report_value *one = head->absent ? base : head;
    gp_diff_figure figure = {
        .metric = path,
        .base = GP_REPORT_NO_REAL,
        .head = GP_REPORT_NO_REAL,
        .change_fraction = GP_REPORT_NO_REAL,
        .dim = one->dim,
    };
    if (one->absent)
        return figure;
    if (is_text(one->kind)) {
        figure.base_text = word_of(base);
        figure.head_text = word_of(head);
        return figure;
    }
    figure.unit = gp_dim_base_unit(one->dim);
    if (!base->absent)
        figure.base = gp_value_number(base);
    if (!head->absent)
        figure.head = gp_value_number(head);
    if (figure.base > 0 && isfinite(figure.head))
        figure.change_fraction = figure.head / figure.base - 1;
    return figure;
}

static bool figure_changed(const gp_diff_figure *figure) {
    return !gp_str_equal(figure->base_text, figure->head_text) ||
           !gp_diff_is_same(figure->base, figure->head, figure->dim);
}

/* Those that changed, or all that either side has. */
static void compare_paths(gp_arena *arena, const gp_report_struct *type, const void *base,
                          const void *head, const char *const *paths, size_t count, bool all,
                          gp_diff_figures *ret_list) {
    ret_list->items = GP_NEW_ARRAY(arena, gp_diff_figure, count);
    ret_list->count = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_report_value before = value_at(type, base, paths[i]);
        const gp_report_value after = value_at(type, head, paths[i]);
        const gp_diff_figure figure = figure_of(paths[i], &before, &after);
        if (figure_changed(&figure) || (all && !(before.absent && after.absent)))
            GP_NEXT(*ret_list) = figure;
    }
}

/* ---- workloads */

static const gp_report_workload *workload_named(const gp_report *report, const char *name) {
    return report != NULL ? GP_NAMED(report->workloads, name, name) : NULL;
}

static void add_workload(gp_arena *arena, gp_diff *diff, const gp_report_workload *base,
                         const gp_report_workload *head) {
    gp_diff_workload *it = &GP_NEXT(diff->workloads);
    compare_paths(arena, &gp_report_workload_type, base, head, workload_paths,
                  GP_COUNT_OF(workload_paths), false, &it->figures);
    it->name = head != NULL ? head->name : base->name;
    it->state = base == NULL            ? added
                : head == NULL          ? removed
                : it->figures.count > 0 ? changed
                                        : unchanged;
    it->lack = head != NULL && head->recommendation.chosen.lack != NULL
                   ? head->recommendation.chosen.lack->reason
                   : NULL;
}

static void compare_workloads(gp_arena *arena, gp_diff *diff, const gp_report *base,
                              const gp_report *head) {
    const size_t most =
        (base != NULL ? base->workloads.count : 0) + (head != NULL ? head->workloads.count : 0);
    diff->workloads.items = GP_NEW_ARRAY(arena, gp_diff_workload, most + 1);
    for (size_t i = 0; head != NULL && i < head->workloads.count; i++) {
        const gp_report_workload *it = &head->workloads.items[i];
        add_workload(arena, diff, workload_named(base, it->name), it);
    }
    for (size_t i = 0; base != NULL && i < base->workloads.count; i++) {
        const gp_report_workload *it = &base->workloads.items[i];
        if (workload_named(head, it->name) == NULL)
            add_workload(arena, diff, it, NULL);
    }
}

/* ---- findings */

static bool is_like(const gp_report_finding *a, const gp_report_finding *b) {
    return gp_str_equal(a->id, b->id) && gp_str_equal(a->workload, b->workload) &&
           gp_str_equal(a->metric, b->metric) && gp_str_equal(a->level, b->level);
}

static bool has_finding(const gp_report *report, const gp_report_finding *finding) {
    for (size_t i = 0; report != NULL && i < report->findings.count; i++)
        if (is_like(&report->findings.items[i], finding))
            return true;
    return false;
}

/* What is not judged is not resolved. */
static bool is_unjudged(const gp_report *report, const gp_report_finding *finding) {
    for (size_t i = 0; report != NULL && finding->metric != NULL && i < report->findings.count; i++)
        if (gp_str_equal(report->findings.items[i].id, "GP7012") &&
            gp_str_equal(report->findings.items[i].metric, finding->metric))
            return true;
    return false;
}

static void add_findings(gp_diff *diff, const gp_report *from, const gp_report *other,
                         const char *change) {
    for (size_t i = 0; from != NULL && i < from->findings.count; i++) {
        const gp_report_finding *it = &from->findings.items[i];
        if (!has_finding(other, it) && !is_unjudged(other, it))
            GP_NEXT(diff->findings) = (gp_diff_finding){.change = change, .of = *it};
    }
}

static void compare_findings(gp_arena *arena, gp_diff *diff, const gp_report *base,
                             const gp_report *head) {
    const size_t most =
        (base != NULL ? base->findings.count : 0) + (head != NULL ? head->findings.count : 0);
    diff->findings.items = GP_NEW_ARRAY(arena, gp_diff_finding, most + 1);
    diff->findings.count = 0;
    add_findings(diff, head, base, "new");
    add_findings(diff, base, head, "resolved");
}

/* ---- causes that the reports tell */

enum { FILES_MAX = 64, DIGEST_SHOWN = 12 };

gp_diff_cause gp_diff_cause_new(const char *kind, const char *path, const char *base,
                                const char *head) {
    gp_diff_cause cause;
    gp_report_clear(&gp_diff_cause_type, &cause);
    cause.kind = kind;
    cause.path = path;
    cause.base = base;
    cause.head = head;
    return cause;
}

static void add_cause(gp_diff *diff, const char *kind, const char *path, const char *base,
                      const char *head) {
    if (!gp_str_equal(base, head))
        GP_NEXT(diff->causes) = gp_diff_cause_new(kind, path, base, head);
}

static const char *digest_in(const gp_report_files *files, const char *path) {
    const gp_report_file *file = GP_NAMED(*files, path, path);
    return file != NULL ? file->sha256 : NULL;
}

/* `but`: not those of a path, on either side. */
static void compare_files(gp_diff *diff, const char *kind, const gp_report_files *base,
                          const gp_report_files *head, const char *const but[2]) {
    for (size_t i = 0; i < head->count; i++)
        if (!gp_str_equal(head->items[i].path, but[1]))
            add_cause(diff, kind, head->items[i].path, digest_in(base, head->items[i].path),
                      head->items[i].sha256);
    for (size_t i = 0; i < base->count; i++)
        if (!gp_str_equal(base->items[i].path, but[0]) &&
            digest_in(head, base->items[i].path) == NULL)
            add_cause(diff, kind, base->items[i].path, base->items[i].sha256, NULL);
}

static const gp_report_bill *line_in(const gp_report *report, const gp_report_bill *line) {
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *other = &report->site.bill.items[i];
        if (gp_str_equal(other->role, line->role) && gp_str_equal(other->id, line->id) &&
            other->bought > 0 && isfinite(other->price))
            return other;
    }
    return NULL;
}

static const char *each_price(gp_arena *arena, const gp_report *report,
                              const gp_report_bill *line) {
    const char *price = gp_quantity_format(arena, line->price / (double)line->bought, GP_DIM_NONE);
    return gp_arena_printf(arena, "%s %s", price,
                           report->cost.currency != NULL ? report->cost.currency : "");
}

/* What one of each item costs, where both sides buy it; the files themselves only where none of
 * these tells them apart, and not those that hold the spec, too: what changed there is told line by
 * line. */
static void compare_prices(gp_arena *arena, gp_diff *diff, const gp_report *base,
                           const gp_report *head) {
    const size_t before = diff->causes.count;
    for (size_t i = 0; i < head->site.bill.count; i++) {
        const gp_report_bill *line = &head->site.bill.items[i];
        const gp_report_bill *was = line_in(base, line);
        if (was != NULL && line_in(head, line) == line)
            add_cause(diff, "prices", line->id != NULL ? line->id : line->role,
                      each_price(arena, base, was), each_price(arena, head, line));
    }
    if (diff->causes.count == before)
        compare_files(diff, "prices", &base->inputs.prices, &head->inputs.prices,
                      (const char *const[]){base->inputs.spec.path, head->inputs.spec.path});
}

static const char *flag_in(const gp_report_inputs *inputs, const char *path) {
    const gp_report_flag *flag = GP_NAMED(inputs->flags, path, path);
    return flag != NULL ? flag->value : NULL;
}

static void compare_inputs(gp_arena *arena, gp_diff *diff, const gp_report *base,
                           const gp_report *head) {
    const gp_report_inputs *a = &base->inputs;
    const gp_report_inputs *b = &head->inputs;
    const char *const none[2] = {NULL, NULL};
    const size_t most = a->catalogs.count + b->catalogs.count + a->calibration.count +
                        b->calibration.count + a->prices.count + b->prices.count + a->flags.count +
                        b->flags.count + head->site.bill.count + 3;
    diff->causes.items = GP_NEW_ARRAY(arena, gp_diff_cause, most);
    add_cause(diff, "tool", "gpuplan", base->tool.version, head->tool.version);
    add_cause(diff, "catalog", b->catalog.path, a->catalog.sha256, b->catalog.sha256);
    compare_files(diff, "catalog", &a->catalogs, &b->catalogs, none);
    compare_files(diff, "calibration", &a->calibration, &b->calibration, none);
    compare_prices(arena, diff, base, head);
    for (size_t i = 0; i < b->flags.count; i++)
        add_cause(diff, "flags", b->flags.items[i].path, flag_in(a, b->flags.items[i].path),
                  b->flags.items[i].value);
    for (size_t i = 0; i < a->flags.count; i++)
        if (flag_in(b, a->flags.items[i].path) == NULL)
            add_cause(diff, "flags", a->flags.items[i].path, a->flags.items[i].value, NULL);
}

/* ---- two offers, item by item */

static const char *product_of(const gp_report_bill *line) {
    return line->product != NULL ? line->product : line->id;
}

static gp_diff_item *item_for(gp_diff *diff, const gp_report_bill *line) {
    for (size_t i = 0; i < diff->items.count; i++) {
        gp_diff_item *it = &diff->items.items[i];
        if (gp_str_equal(it->role, line->role) && gp_str_equal(it->product, product_of(line)))
            return it;
    }
    gp_diff_item *it = &GP_NEXT(diff->items);
    *it = (gp_diff_item){.role = line->role,
                         .product = product_of(line),
                         .base.price = GP_REPORT_NO_REAL,
                         .head.price = GP_REPORT_NO_REAL};
    return it;
}

static void add_items(gp_diff *diff, const gp_report *report, bool head) {
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (line->bought <= 0)
            continue;
        gp_diff_item *it = item_for(diff, line);
        gp_diff_quote *quote = head ? &it->head : &it->base;
        quote->count += line->bought;
        if (isfinite(line->price))
            quote->price = line->price + (isfinite(quote->price) ? quote->price : 0);
    }
}

/* A line of the bill, not what runs beside it. */
static bool is_bought(const gp_report *report, const char *role) {
    for (size_t i = 0; i < report->site.bill.count; i++)
        if (report->site.bill.items[i].bought > 0 &&
            gp_str_equal(report->site.bill.items[i].role, role))
            return true;
    return false;
}

static bool is_excluded(const gp_report *report, const char *name) {
    for (size_t i = 0; i < report->cost.excluded.count; i++)
        if (gp_str_equal(report->cost.excluded.items[i], name))
            return true;
    return false;
}

/* A part to buy, or what the other offer has a price of: without it the two are not alike. What is
 * installed are racks. */
static bool is_lacking(const gp_report *report, const gp_report *other, const char *name) {
    if (strchr(name, '/') != NULL)
        return true;
    return !is_excluded(other, name) &&
           (!gp_str_equal(name, "installation") || is_bought(report, "rack"));
}

/* No purchase price has it. */
static bool is_yearly(const char *name) {
    static const char *const names[] = {"site.energy.price", "support", "staff", "licences",
                                        "building and power plant"};
    for (size_t i = 0; i < GP_COUNT_OF(names); i++)
        if (gp_str_equal(names[i], name))
            return true;
    return false;
}

/* What the sums of a report are without; whether its purchase price is. */
static const char *unpriced(gp_arena *arena, const gp_report *report, const gp_report *other,
                            bool *ret_partial) {
    const gp_report_cost *cost = &report->cost;
    const char *text = NULL;
    *ret_partial = false;
    for (size_t i = 0; i < cost->missing.count + cost->excluded.count; i++) {
        const bool missing = i < cost->missing.count;
        const char *name =
            missing ? cost->missing.items[i] : cost->excluded.items[i - cost->missing.count];
        if (!missing && !is_lacking(report, other, name))
            continue;
        text = text == NULL ? name : gp_arena_printf(arena, "%s; %s", text, name);
        *ret_partial = *ret_partial || !is_yearly(name);
    }
    return text;
}

/* Of what has a price: 0 where nothing is bought. */
static double total_of(const gp_report *report) {
    double total = 0;
    bool priced = true;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        total += line->bought > 0 && isfinite(line->price) ? line->price : 0;
        priced = priced && line->bought <= 0;
    }
    return priced || total > 0 ? total : GP_REPORT_NO_REAL;
}

static void compare_items(gp_arena *arena, gp_diff *diff, const gp_report *base,
                          const gp_report *head) {
    diff->items.items =
        GP_NEW_ARRAY(arena, gp_diff_item, base->site.bill.count + head->site.bill.count + 1);
    add_items(diff, base, false);
    add_items(diff, head, true);
    diff->base_unpriced = unpriced(arena, base, head, &diff->base_partial);
    diff->head_unpriced = unpriced(arena, head, base, &diff->head_partial);
    diff->base_total = total_of(base);
    diff->head_total = total_of(head);
}

/* ---- the whole */

static bool any_change(const gp_diff *diff) {
    for (size_t i = 0; i < diff->workloads.count; i++)
        if (diff->workloads.items[i].state != unchanged)
            return true;
    for (size_t i = 0; i < diff->figures.count; i++)
        if (figure_changed(&diff->figures.items[i]))
            return true;
    return diff->findings.count > 0;
}

void gp_diff_of(gp_arena *arena, const gp_report *base, const gp_report *head, gp_diff **ret_diff) {
    const gp_report *one = head != NULL ? head : base;
    gp_diff *diff = GP_NEW(arena, gp_diff);
    diff->schema_version = GP_REPORT_SCHEMA_VERSION;
    diff->base_total = diff->head_total = GP_REPORT_NO_REAL;
    diff->plan = one->summary.plan;
    if (base != NULL && head != NULL && !gp_str_equal(base->summary.plan, head->summary.plan))
        diff->base_plan = base->summary.plan;
    diff->currency = one->cost.currency;
    diff->base_path = base != NULL ? base->inputs.spec.path : NULL;
    diff->head_path = head != NULL ? head->inputs.spec.path : NULL;
    compare_paths(arena, &gp_report_type, base, head, plan_paths, GP_COUNT_OF(plan_paths),
                  diff->base_plan != NULL, &diff->figures);
    compare_workloads(arena, diff, base, head);
    compare_findings(arena, diff, base, head);
    if (base != NULL && head != NULL)
        compare_inputs(arena, diff, base, head);
    if (diff->base_plan != NULL)
        compare_items(arena, diff, base, head);
    diff->state = base == NULL       ? added
                  : head == NULL     ? removed
                  : any_change(diff) ? changed
                                     : unchanged;
    *ret_diff = diff;
}

/* ---- what `check` says */

/* A finding that a policy waives has gone as far as the gate goes. */
static void without_waived(gp_arena *arena, const gp_report *report, gp_report *ret) {
    gp_report_finding *items = GP_NEW_ARRAY(arena, gp_report_finding, report->findings.count + 1);
    *ret = *report;
    ret->findings.items = items;
    ret->findings.count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].waived_by == NULL)
            items[ret->findings.count++] = report->findings.items[i];
}

void gp_diff_check(gp_arena *arena, gp_diff *diff, const gp_report *base, gp_level base_level,
                   const gp_report *head, gp_level head_level) {
    gp_report before;
    gp_report after;
    diff->base_verdict = base != NULL ? gp_report_verdict(base, (int)base_level) : NULL;
    diff->head_verdict = head != NULL ? gp_report_verdict(head, (int)head_level) : NULL;
    diff->fail_on = gp_level_name(head_level);
    if (base != NULL)
        without_waived(arena, base, &before);
    if (head != NULL)
        without_waived(arena, head, &after);
    /* A report of `size` is held against what `size` makes of the other side. */
    const bool one_sided = diff->state == added || diff->state == removed;
    if ((base == NULL && head == NULL) || (!one_sided && (base == NULL || head == NULL)))
        return;
    compare_findings(arena, diff, base != NULL ? &before : NULL, head != NULL ? &after : NULL);
    if (diff->state == unchanged && any_change(diff))
        diff->state = changed;
}

bool gp_diff_fails(const gp_diff *diff) {
    return diff->head_verdict != NULL && !gp_str_equal(diff->head_verdict, "holds");
}

/* ---- policies over the change */

typedef struct diff_judge {
    gp_arena *arena;
    gp_diff *diff;
    const gp_policy_rule *rule;
    gp_assertion assertion;
    size_t *cap;
    gp_status st;
} diff_judge;

static const char *breach_text(diff_judge *j, double change) {
    const gp_assertion *a = &j->assertion;
    const char *shown = gp_quantity_format_money(j->arena, change, a->dim, 3, j->diff->currency);
    const char *text =
        gp_arena_printf(j->arena, "%s changes by %s; the rule is %s %s",
                        a->path + sizeof "diff." - 1, shown, gp_operator_text(a->op), a->text);
    if (j->rule->message != NULL)
        text = gp_arena_printf(j->arena, "%s (%s)", j->rule->message, text);
    return text;
}

static void add_breach(diff_judge *j, const char *workload, double change, const char *message) {
    gp_report_finding *finding =
        &GP_PUSH(j->arena, j->diff->breaches.items, j->diff->breaches.count, *j->cap);
    gp_report_clear(&gp_report_finding_type, finding);
    finding->id = j->rule->id;
    finding->level = gp_level_name((gp_level)j->rule->level);
    finding->workload = workload;
    finding->metric = j->assertion.path;
    finding->value = change;
    finding->limit = j->assertion.limit;
    finding->dim = j->assertion.dim;
    finding->unit = gp_dim_base_unit(finding->dim);
    finding->message = message;
}

/* A rule that cannot be judged is no rule that is kept. */
static void add_unjudged(diff_judge *j, const char *workload, const char *path, bool before) {
    add_breach(j, workload, GP_REPORT_NO_REAL,
               gp_arena_printf(j->arena, "%s has no figure %s, so the rule was not judged", path,
                               before ? "before the change" : "after the change"));
}

static void judge_change(diff_judge *j, const gp_report_struct *type, const void *base,
                         const void *head, const char *workload) {
    const char *path = j->assertion.path + sizeof "diff." - 1;
    const gp_report_value before = value_at(type, base, path);
    const gp_report_value after = value_at(type, head, path);
    if (base == NULL || is_text(after.kind))
        return;
    if (before.absent || after.absent) {
        add_unjudged(j, workload, path, before.absent);
        return;
    }
    const bool share = j->assertion.dim == GP_DIM_FRACTION && after.dim != GP_DIM_FRACTION;
    const double from = gp_value_number(&before);
    const double change = share ? (from > 0 ? gp_value_number(&after) / from - 1 : 0)
                                : gp_value_number(&after) - from;
    const gp_report_value value = {.kind = GP_REPORT_REAL, .real = change};
    if (gp_assertion_holds(&j->assertion, &value))
        return;
    add_breach(j, workload, change, breach_text(j, change));
}

static void judge_rule(diff_judge *j, const gp_report *base, const gp_report *head) {
    if (!j->assertion.of_workload) {
        judge_change(j, &gp_report_type, base, head, NULL);
        return;
    }
    for (size_t i = 0; i < head->workloads.count && j->st == GP_OK; i++) {
        const gp_report_workload *it = &head->workloads.items[i];
        if (gp_policy_selects(j->rule, it))
            judge_change(j, &gp_report_workload_type, workload_named(base, it->name), it, it->name);
    }
}

gp_status gp_diff_judge(gp_arena *arena, gp_diff *diff, const gp_report *base,
                        const gp_report *head, const gp_policy *const *policies, size_t count,
                        gp_diags *diags) {
    size_t cap = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < policies[i]->rules.count; k++) {
            diff_judge j = {arena, diff, &policies[i]->rules.items[k], {0}, &cap, GP_OK};
            j.st = gp_assertion_parse(arena, j.rule->assertion,
                                      GP_ORIGIN_OF(j.rule, gp_policy_rule, assertion)->span, diags,
                                      &j.assertion);
            if (j.st == GP_OK && j.assertion.of_diff && base != NULL && head != NULL)
                judge_rule(&j, base, head);
        }
    }
    return diags->errors > 0 ? GP_ERR_INPUT : GP_OK;
}
