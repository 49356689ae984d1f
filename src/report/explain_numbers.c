#include "report/explain_numbers.h"

#include "base/sort.h"
#include "base/str.h"
#include "report/describe.h"
#include "report/site_steps.h"

static size_t outputs_of(const gp_explanation *out) {
    return out->figures.count + out->terms.count;
}

static double real_of(gp_status st, const gp_report_value *value) {
    if (st != GP_OK || value->absent)
        return (double)NAN;
    return value->kind == GP_REPORT_COUNT ? (double)value->count : value->real;
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

/* Figures first, then terms. */
static void read_outputs(const void *context, gp_build *of, double *ret) {
    const gp_explained_from *from = context;
    const gp_explanation *out = from->out;
    const gp_trace *trace = NULL;
    gp_report_value value;
    if (gp_explain_view(of, from->place) != GP_OK)
        return;
    const bool site = from->workload == NULL;
    const gp_report_workload *figures = site ? NULL : figures_of(of, from->workload, &trace);
    const gp_report_struct *type = site ? &gp_report_type : &gp_report_workload_type;
    const void *object = site ? (const void *)of->report : figures;
    for (size_t i = 0; i < outputs_of(out); i++) {
        const bool figure = i < out->figures.count;
        const size_t at = figure ? i : i - out->figures.count;
        const gp_term *term = figure || site ? NULL : gp_trace_find(trace, from->terms->items[at]->id);
        const char *path = figure ? out->figures.items[at].path : site ? from->paths[at] : NULL;
        ret[i] = term != NULL   ? term->value
                 : path == NULL ? (double)NAN
                                : real_of(gp_report_find(type, object, path, &value, NULL), &value);
    }
}

/* A term that it moves, and none beneath which it moves as well: it enters there. */
static bool enters(const gp_explanation *out, const double *effects, size_t term) {
    const size_t before = out->figures.count;
    const gp_explained_term *above = &out->terms.items[term];
    bool beneath = false;
    for (size_t i = 0; i < above->inputs.count; i++)
        for (size_t k = 0; k < out->terms.count; k++)
            beneath = beneath || (k != term && gp_is_moved(effects[before + k]) &&
                                  gp_str_equal(out->terms.items[k].name, above->inputs.items[i].name));
    return gp_is_moved(effects[before + term]) && !beneath;
}

static double size_of(double effect) {
    return effect < 0 ? -effect : effect;
}

/* The terms that it enters by, those that it moves most first. */
static void fill_terms(const gp_explanation *out, const double *effects, size_t *order,
                       const char **names, gp_explained_number *ret) {
    const double *of = effects + out->figures.count;
    size_t count = 0;
    for (size_t i = 0; i < out->terms.count; i++) {
        size_t at = count;
        if (!enters(out, effects, i))
            continue;
        for (; at > 0 && size_of(of[order[at - 1]]) < size_of(of[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = out->terms.items[order[i]].name;
    ret->terms.items = names;
    ret->terms.count = count;
}

static gp_status fill(gp_build *build, const gp_explanation *out, const gp_number *number,
                      gp_explained_number *ret) {
    const char **names = GP_NEW_ARRAY(build->arena, const char *, out->terms.count + 1);
    size_t *order = GP_NEW_ARRAY(build->arena, size_t, out->terms.count + 1);
    if (names == NULL || order == NULL)
        return GP_ERR_NO_MEMORY;
    *ret = (gp_explained_number){0};
    gp_source_of_number(build, number, &ret->from);
    fill_terms(out, number->effects, order, names, ret);
    const size_t asked = out->figures.count > 0 ? out->figures.count : outputs_of(out) > 0;
    for (size_t i = 0; i < asked; i++)
        if (gp_is_moved(number->effects[i]) &&
            !(size_of(number->effects[i]) < size_of(ret->effect))) {
            ret->effect = number->effects[i];
            ret->figure = out->figures.count > 0 ? out->figures.items[i].path
                                                 : out->terms.items[0].name;
        }
    return GP_OK;
}

static int by_effect(const void *a, const void *b, const void *context) {
    const double left = size_of(((const gp_explained_number *)a)->effect);
    const double right = size_of(((const gp_explained_number *)b)->effect);
    (void)context;
    return (left < right) - (left > right);
}

gp_status gp_explain_numbers(gp_build *build, const gp_explained_from *from, gp_explanation *out) {
    gp_number *numbers = NULL;
    size_t count = 0;
    gp_status st = gp_measure(build, read_outputs, from, outputs_of(out), &numbers, &count);
    gp_explained_number *items = GP_NEW_ARRAY(build->arena, gp_explained_number, count + 1);
    if (st == GP_OK && items == NULL)
        st = GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < count && st == GP_OK; i++) {
        st = fill(build, out, &numbers[i], &items[out->numbers.count]);
        out->numbers.count += items[out->numbers.count].figure != NULL;
    }
    out->numbers.items = items;
    return st == GP_OK ? gp_sort(build->arena, items, out->numbers.count, sizeof *items, by_effect,
                                 NULL)
                       : st;
}
