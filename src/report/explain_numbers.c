/* The numbers beneath an explanation: which move its figures, and by which terms they enter. */
#include "report/explain_numbers.h"

#include <math.h>

#include "base/sort.h"
#include "base/str.h"
#include "report/value.h"

static const double own_share = 1.5; /* of what the terms beneath pass on: no matter of degree */

static size_t outputs_of(const gp_explanation *out) {
    return out->figures.count + out->terms.count;
}

static double real_of(gp_status st, const gp_report_value *value) {
    if (st != GP_OK || value->absent)
        return (double)NAN;
    return gp_value_number(value);
}

static const gp_report_workload *figures_of(const gp_build *of, const char *name,
                                            const gp_trace **ret_trace) {
    for (size_t i = 0; i < of->report->workloads.count; i++) {
        *ret_trace = &of->result->workloads.items[i].trace_chosen;
        if (gp_str_equal(of->report->workloads.items[i].name, name))
            return &of->report->workloads.items[i];
    }
    return NULL;
}

/* What of a workload stands at a site; NULL: nothing. */
static const gp_candidate *at_site(const gp_candidate *chosen, int site) {
    if (chosen->unit == NULL || !chosen->feasible)
        return NULL;
    for (int k = 0; k < chosen->share_count; k++)
        if (chosen->shares[k].unit->site == site)
            return &chosen->shares[k];
    return chosen->share_count == 0 && chosen->unit->site == site ? chosen : NULL;
}

/* The workloads that run there, with what they have there. */
static void keep_workloads(gp_arena *arena, int site, gp_plan_result *result, gp_report *report) {
    const size_t count = result->workloads.count;
    gp_workload_plan *plans = GP_NEW_ARRAY(arena, gp_workload_plan, count + 1);
    gp_report_workload *figures = GP_NEW_ARRAY(arena, gp_report_workload, count + 1);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_candidate *here = at_site(&result->workloads.items[i].chosen, site);
        if (here == NULL)
            continue;
        plans[kept] = result->workloads.items[i];
        plans[kept].chosen = *here;
        figures[kept] = report->workloads.items[i];
        figures[kept].recommendation.chosen.gpus = here->gpus;
        figures[kept].recommendation.chosen.nodes = here->nodes;
        kept++;
    }
    result->workloads.items = plans;
    report->workloads.items = figures;
    result->workloads.count = report->workloads.count = kept;
}

/* One of several sites as if it were the only one. */
void gp_explain_view(gp_build *build, int place) {
    gp_report *figures = GP_NEW(build->arena, gp_report);
    *figures = *build->report; /* the builders read and never change it */
    if (place != GP_NO_PLACE) {
        gp_plan_result *at = GP_NEW(build->arena, gp_plan_result);
        const gp_report_place *there = &build->report->sites.items[place];
        gp_build_at(build->result, (size_t)place, at);
        figures->site = there->site;
        figures->sites.count = 0;
        figures->growth.count = 0;
        figures->summary.gpus = there->gpus;
        figures->summary.nodes = there->nodes;
        figures->summary.racks = there->racks;
        figures->summary.it_power_w = there->site.power.it_w;
        figures->summary.facility_power_w = there->site.power.facility_w;
        figures->summary.capital = there->capital;
        gp_report_clear(&gp_report_cost_type, &figures->cost);
        keep_workloads(build->arena, place, at, figures);
        build->result = at;
    }
    build->report = figures;
}

/* Figures first, then terms. */
static void read_outputs(const void *context, gp_build *of, double *ret) {
    const gp_explained_from *from = context;
    const gp_explanation *out = from->out;
    const gp_trace *trace = NULL;
    gp_report_value value;
    gp_explain_view(of, from->place);
    const bool site = from->workload == NULL;
    const gp_report_workload *figures = site ? NULL : figures_of(of, from->workload, &trace);
    const gp_report_struct *type = site ? &gp_report_type : &gp_report_workload_type;
    const void *object = site ? (const void *)of->report : figures;
    for (size_t i = 0; i < outputs_of(out); i++) {
        const bool figure = i < out->figures.count;
        const size_t at = figure ? i : i - out->figures.count;
        const gp_term *term =
            figure || site ? NULL : gp_trace_find(trace, from->terms->items[at]->id);
        const char *path = figure ? out->figures.items[at].path : site ? from->paths[at] : NULL;
        ret[i] = term != NULL   ? term->value
                 : path == NULL ? (double)NAN
                                : real_of(gp_report_find(type, object, path, &value, NULL), &value);
    }
}

static double size_of(double effect) {
    return isnan(effect) ? HUGE_VAL : fabs(effect);
}

/* The most that it moves a term which this one rests on; 0: none. */
static double moved_beneath(const gp_explanation *out, const double *of_terms, size_t term) {
    const gp_explained_term *above = &out->terms.items[term];
    double most = 0;
    for (size_t i = 0; i < above->inputs.count; i++)
        for (size_t k = 0; k < out->terms.count; k++)
            if (k != term && gp_is_moved(of_terms[k]) &&
                gp_str_equal(out->terms.items[k].name, above->inputs.items[i].name))
                most = fmax(most, size_of(of_terms[k]));
    return most;
}

/* What moves the terms beneath a term moves it so many times as much: a queue before a place that
 * is nearly always taken grows faster than what it waits for. The median over all numbers. */
static void pass_on(gp_build *build, const gp_explanation *out, const gp_number *numbers,
                    size_t count, double *ret) {
    double *ratios = GP_NEW_ARRAY(build->arena, double, count + 1);
    for (size_t term = 0; term < out->terms.count; term++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            const double *of = numbers[i].effects;
            const double beneath =
                of != NULL ? moved_beneath(out, of + out->figures.count, term) : 0;
            if (beneath > 0 && gp_is_moved(of[out->figures.count + term]))
                ratios[found++] = size_of(of[out->figures.count + term]) / beneath;
        }
        gp_sort(build->arena, ratios, found, sizeof *ratios, gp_by_number, NULL);
        ret[term] = found > 0 ? fmax(1, ratios[found / 2]) : 1;
    }
}

/* It moves the term by more than what the terms beneath pass on: it enters there itself. */
static bool enters(const gp_explanation *out, const double *of_terms, const double *passed,
                   size_t term) {
    return gp_is_moved(of_terms[term]) &&
           size_of(of_terms[term]) > own_share * passed[term] * moved_beneath(out, of_terms, term);
}

/* Keeps the names in the order of what their figures do, the largest first. */
static void insert(const char **names, double *sizes, size_t *count, const char *name,
                   double effect) {
    size_t at = (*count)++;
    for (; at > 0 && sizes[at - 1] < size_of(effect); at--) {
        names[at] = names[at - 1];
        sizes[at] = sizes[at - 1];
    }
    names[at] = name;
    sizes[at] = size_of(effect);
}

/* Without a figure the first term is what was asked for. */
static void fill(gp_build *build, const gp_explanation *out, const gp_number *number,
                 const double *passed, gp_explained_number *ret) {
    const size_t figures = out->figures.count, all = outputs_of(out);
    const char **names = GP_NEW_ARRAY(build->arena, const char *, 2 * all + 1);
    double *sizes = GP_NEW_ARRAY(build->arena, double, all + 1);
    *ret = (gp_explained_number){.figures.items = names, .terms.items = names + all};
    gp_source_of_number(build, number, &ret->from);
    for (size_t i = 0; i < (figures > 0 ? figures : all > 0); i++) {
        if (!gp_is_moved(number->effects[i]))
            continue;
        insert(names, sizes, &ret->figures.count,
               figures > 0 ? out->figures.items[i].path : out->terms.items[i].name,
               number->effects[i]);
        if (ret->figures.count == 1 || size_of(number->effects[i]) >= sizes[0])
            ret->effect = number->effects[i];
    }
    for (size_t i = 0; i < out->terms.count; i++)
        if (enters(out, number->effects + figures, passed, i))
            insert(ret->terms.items, sizes, &ret->terms.count, out->terms.items[i].name,
                   number->effects[figures + i]);
}

static int by_effect(const void *a, const void *b, const void *context) {
    const double left = size_of(((const gp_explained_number *)a)->effect);
    const double right = size_of(((const gp_explained_number *)b)->effect);
    (void)context;
    return (left < right) - (left > right);
}

void gp_explain_numbers(gp_build *build, const gp_explained_from *from, gp_explanation *out) {
    gp_number *numbers = NULL;
    size_t count = 0;
    gp_measure(build, read_outputs, from, outputs_of(out), &numbers, &count);
    gp_explained_number *items = GP_NEW_ARRAY(build->arena, gp_explained_number, count + 1);
    double *passed = GP_NEW_ARRAY(build->arena, double, out->terms.count + 1);
    pass_on(build, out, numbers, count, passed);
    for (size_t i = 0; i < count; i++) {
        gp_explained_number *next = &items[out->numbers.count];
        if (numbers[i].effects != NULL)
            fill(build, out, &numbers[i], passed, next);
        out->numbers.count += next->figures.count > 0;
    }
    gp_sort(build->arena, items, out->numbers.count, sizeof *items, by_effect, NULL);
    out->numbers.items = items;
}
