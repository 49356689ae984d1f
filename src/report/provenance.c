/*
 * Where figures come from: each headline figure of a workload, and those of the whole plan. What
 * workloads share, and each source, stands once and is referred to by its place.
 */
#include "base/index.h"
#include "base/str.h"
#include "report/build.h"
#include "report/site_steps.h"

typedef struct tables {
    gp_build *build;
    gp_report_provenance *out;
    gp_index figures, sources; /* those of workloads; all */
    size_t figure_capacity, shared_capacity, source_capacity;
} tables;

/* "/performance/stepTimeS" of "performance.stepTimeS" */
static const char *pointer_of(gp_build *build, const char *path) {
    char *text = gp_arena_printf(build->arena, "/%s", path);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '.')
            *c = '/';
    return text;
}

static int64_t place_source(tables *t, const gp_report_source *source) {
    bool added = false;
    const char *key =
        gp_build_text(t->build, "%s\n%s\n%s\n%s\n%s\n%s\n%s", gp_build_word(source->name),
                      gp_build_word(source->value), gp_build_word(source->origin),
                      gp_build_word(source->where), gp_build_word(source->source),
                      gp_build_word(source->date), gp_build_word(source->evidence));
    const int64_t place = (int64_t)gp_index_place(&t->sources, key, &added);
    if (added)
        GP_PUSH(t->build->arena, t->out->sources.items, t->out->sources.count, t->source_capacity) =
            *source;
    return place;
}

static gp_report_derivation derive(tables *t, const char *path, const char *basis,
                                   const char *formula, const gp_report_source *inputs,
                                   size_t count) {
    gp_report_derivation ret = {
        .figure = pointer_of(t->build, path), .basis = basis, .formula = formula};
    GP_ROOM(t->build->arena, &ret.inputs, count);
    for (; ret.inputs.count < count; ret.inputs.count++)
        ret.inputs.items[ret.inputs.count] = place_source(t, &inputs[ret.inputs.count]);
    return ret;
}

static int64_t place_figure(tables *t, const gp_report_derivation *figure) {
    bool added = false;
    const char *key =
        gp_build_text(t->build, "%s\n%s\n%s\n", figure->figure, figure->basis, figure->formula);
    for (size_t i = 0; i < figure->inputs.count; i++)
        key = gp_build_text(t->build, "%s %lld", key, (long long)figure->inputs.items[i]);
    const int64_t place = (int64_t)gp_index_place(&t->figures, key, &added);
    if (added)
        GP_PUSH(t->build->arena, t->out->workload_figures.items, t->out->workload_figures.count,
                t->shared_capacity) = *figure;
    return place;
}

/* The weakest evidence beneath a term. */
static const char *basis_of(gp_build *build, const gp_trace *trace, gp_term_id id) {
    gp_term_set beneath = {0};
    gp_term_set_add(&beneath, trace, id);
    gp_term_set_close(&beneath, trace);
    gp_ref_list fields = {0};
    for (size_t i = 0; i < beneath.count; i++)
        for (int k = 0; k < beneath.items[i]->input_count; k++)
            gp_ref_list_add(build->arena, &fields, &beneath.items[i]->inputs[k]);
    return gp_ref_list_basis(&fields);
}

/* The figure is in the report and its term was recorded, and no earlier row of its path was. */
static bool applies(const gp_build *build, size_t workload, size_t row) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    const gp_figure_term *figure = &gp_figure_terms[row];
    gp_report_value value;
    if (gp_trace_find(trace, figure->term) == NULL)
        return false;
    for (size_t i = 0; i < row; i++)
        if (gp_str_equal(gp_figure_terms[i].path, figure->path) &&
            gp_trace_find(trace, gp_figure_terms[i].term) != NULL)
            return false;
    return gp_report_find(&gp_report_workload_type, &build->report->workloads.items[workload],
                          figure->path, &value, NULL) == GP_OK &&
           !value.absent;
}

/* What a term comes to is the workload's own: `explain` has it. */
static void add_workload(tables *t, size_t workload) {
    gp_build *build = t->build;
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    gp_report_workload *ret = &build->report->workloads.items[workload];
    GP_ROOM(build->arena, &ret->provenance, gp_figure_term_count);
    for (size_t row = 0; row < gp_figure_term_count; row++) {
        const gp_figure_term *figure = &gp_figure_terms[row];
        gp_report_source *inputs = NULL;
        size_t count = 0;
        if (!applies(build, workload, row))
            continue;
        gp_sources_of_term(build, trace, gp_trace_find(trace, figure->term), false, &inputs,
                           &count);
        for (size_t i = 0; i < count; i++)
            if (gp_str_equal(inputs[i].origin, "term"))
                inputs[i].value = NULL;
        const gp_report_derivation derivation =
            derive(t, figure->path, basis_of(build, trace, figure->term),
                   gp_term_text_of(figure->term)->formula, inputs, count);
        GP_NEXT(ret->provenance) = place_figure(t, &derivation);
    }
}

/* A figure of the whole plan, also where it stands a second time. */
static void add_step(tables *t, const gp_site_step *step, size_t item) {
    gp_build *build = t->build;
    const char *const paths[] = {gp_step_path(build, step->path, item, true), step->alias};
    gp_report_value value;
    for (size_t p = 0; p < GP_COUNT_OF(paths); p++) {
        gp_report_source *inputs = NULL;
        size_t count = 0;
        if (!gp_step_value(build, paths[p], &value))
            continue;
        gp_step_sources(build, step, item, &inputs, &count);
        GP_PUSH(build->arena, t->out->figures.items, t->out->figures.count, t->figure_capacity) =
            derive(t, paths[p], gp_step_basis(build, step, item), step->formula, inputs, count);
    }
}

void gp_build_provenance(gp_build *build) {
    tables t = {.build = build, .out = &build->report->provenance};
    gp_index_init(&t.figures, build->arena);
    gp_index_init(&t.sources, build->arena);
    for (size_t i = 0; i < build->result->workloads.count; i++)
        add_workload(&t, i);
    for (size_t i = 0; i < gp_site_step_count; i++)
        for (size_t item = 0; item < gp_step_items(build->report, &gp_site_steps[i]); item++)
            add_step(&t, &gp_site_steps[i], item);
}

/* Quality of the data: the distinct inputs beneath the figures, and which of them nobody read at a
 * primary source or stated. */
static void fill_quality(gp_build *build, const gp_ref_list *list, gp_report_data *ret) {
    GP_ROOM(build->arena, &ret->unverified, list->count);
    size_t unverified = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!gp_origin_is_unverified(gp_origin_at(list->items[i].meta, list->items[i].offset)))
            continue;
        unverified++;
        gp_build_name_once(ret->unverified.items, &ret->unverified.count,
                           gp_ref_name(build, &list->items[i]));
    }
    if (list->count > 0)
        ret->unverified_share = (double)unverified / (double)list->count;
}

void gp_build_data(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report_data *ret = &build->report->data;
    gp_ref_list list = {0};
    for (size_t i = 0; i < result->workloads.count; i++)
        gp_ref_list_add_trace(build->arena, &list, &result->workloads.items[i].trace_chosen);
    gp_step_fields(build, &list);
    fill_quality(build, &list, ret);
    ret->inputs = (int64_t)list.count;
}
