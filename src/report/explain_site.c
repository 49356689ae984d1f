/*
 * How a figure of the site, of money or of growth came about. A figure is named by its path
 * ("site.power.itW", also without "site."), by its last word ("leaf": of every fabric), by a group
 * of paths ("cost", "growth.2028-Q1") or by its term ("itPower"); without one, all of them.
 */
#include <string.h>

#include "base/str.h"
#include "report/explain_numbers.h"
#include "report/site_steps.h"
#include "report/value.h"

enum { ANSWERS_MAX = 1024 };

/* A step with its item. */
typedef struct answer {
    const gp_site_step *step;
    size_t item;
    const char *path;
} answer;

typedef struct request {
    gp_build *build;
    gp_explanation *out;
    size_t count;
    answer *answers;
} request;

static const char *without_site(const char *path) {
    static const char prefix[] = "site.";
    return gp_str_starts(path, prefix) ? path + sizeof prefix - 1 : path;
}

/* `path` is `group`, or lies beneath it. */
static bool is_beneath(const char *path, const char *group) {
    const size_t len = strlen(group);
    return gp_str_starts(path, group) && (path[len] == '\0' || path[len] == '.');
}

static bool is_meant(const gp_site_step *step, const char *path, const char *metric) {
    return metric == NULL || is_beneath(path, metric) || is_beneath(without_site(path), metric) ||
           gp_str_equal(gp_str_last_key(path), metric) || gp_str_equal(step->name, metric) ||
           (step->alias != NULL && (gp_str_equal(step->alias, metric) ||
                                    gp_str_equal(gp_str_last_key(step->alias), metric)));
}

static void add(request *req, const gp_site_step *step, size_t item, const char *path) {
    for (size_t i = 0; i < req->count; i++)
        if (req->answers[i].step == step && req->answers[i].item == item)
            return;
    if (req->count < ANSWERS_MAX)
        req->answers[req->count++] = (answer){step, item, path};
}

/* Without a metric what is nothing is left out. */
static void add_meant(request *req, const char *metric) {
    gp_report_value value;
    for (size_t i = 0; i < gp_site_step_count; i++) {
        const gp_site_step *step = &gp_site_steps[i];
        for (size_t item = 0; item < gp_step_items(req->build->report, step); item++) {
            const char *path = gp_step_path(req->build, step->path, item, false);
            const bool there = gp_step_value(req->build, path, &value) &&
                               (metric != NULL || gp_value_number(&value) > 0);
            if (there && is_meant(step, path, metric))
                add(req, step, item, path);
        }
    }
}

/* Adds the steps of all figures that those in it rest on. */
static void close_over(request *req) {
    gp_report_value value;
    for (size_t i = 0; i < req->count; i++) {
        const answer above = req->answers[i];
        for (int k = 0; k < GP_STEP_INPUTS; k++) {
            const gp_step_input *input = &above.step->inputs[k];
            size_t item = 0;
            if (input->kind != GP_INPUT_FIGURE)
                continue;
            const char *path = gp_step_path(req->build, input->path, above.item, false);
            const gp_site_step *step = gp_step_of_path(req->build, path, &item);
            if (step != NULL && gp_step_value(req->build, path, &value))
                add(req, step, item, path);
        }
    }
}

static const char *unit_of(const request *req, gp_dim dim) {
    return dim == GP_DIM_MONEY ? gp_build_currency(req->build->result) : gp_dim_base_unit(dim);
}

static void add_figure(request *req, const char *path, const char *term) {
    gp_report_value value;
    if (!gp_step_value(req->build, path, &value))
        return;
    GP_NEXT(req->out->figures) = (gp_explained_figure){.path = path,
                                                       .value = gp_value_number(&value),
                                                       .low = GP_REPORT_NO_REAL,
                                                       .high = GP_REPORT_NO_REAL,
                                                       .unit = unit_of(req, value.dim),
                                                       .term = term,
                                                       .dim = value.dim};
}

static void add_term(request *req, const answer *from) {
    gp_build *build = req->build;
    gp_report_value value;
    if (!gp_step_value(build, from->path, &value))
        return;
    gp_explained_term *term = &GP_NEXT(req->out->terms);
    const char *list = strchr(from->step->path, '*');
    *term = (gp_explained_term){
        .name = list == NULL ? from->step->name
                             : gp_build_text(build, "%s (%s)", from->step->name, from->path),
        .value = gp_value_number(&value),
        .unit = unit_of(req, value.dim),
        .formula = from->step->formula,
        .source = from->step->source,
        .dim = value.dim,
    };
    gp_step_sources(build, from->step, from->item, &term->inputs.items, &term->inputs.count);
}

/* Any other number of the report: shown, with nothing beneath it. */
static bool is_plain_figure(request *req, const char *metric, const char **ret_path) {
    gp_report_value value;
    const char *const paths[] = {metric, gp_build_text(req->build, "site.%s", metric),
                                 gp_build_text(req->build, "summary.%s", metric)};
    for (size_t i = 0; i < GP_COUNT_OF(paths); i++) {
        *ret_path = paths[i];
        if (gp_step_value(req->build, paths[i], &value) &&
            (value.kind == GP_REPORT_COUNT || value.kind == GP_REPORT_REAL ||
             value.kind == GP_REPORT_EXACT))
            return true;
    }
    return false;
}

static const char *nearest(request *req, const char *metric) {
    const gp_report *report = req->build->report;
    gp_guess guess = {.word = metric, .len = strlen(metric)};
    for (size_t i = 0; i < gp_site_step_count; i++) {
        const gp_site_step *step = &gp_site_steps[i];
        if (report->sites.count == 0 && gp_step_items(report, step) == 0)
            continue;
        gp_guess_consider(&guess, step->path);
        gp_guess_consider(&guess, gp_str_last_key(step->path));
        gp_guess_consider(&guess, without_site(step->path));
        gp_guess_consider(&guess, step->name);
    }
    return guess.best != NULL ? gp_step_path(req->build, guess.best, 0, false) : NULL;
}

/* "328 GPUs in 9 machines and 7 racks; 649 kW IT, 844 kW facility; 17M USD to buy" */
static const char *headline(gp_build *build) {
    const gp_report_summary *summary = &build->report->summary;
    const char *money =
        summary->capital > 0
            ? gp_build_text(build, "; %s to buy",
                            gp_build_quantity(build, summary->capital, GP_DIM_MONEY))
            : "";
    return gp_build_text(build, "%s in %s and %s; %s IT, %s facility%s",
                         gp_build_count(build, summary->gpus, "GPU"),
                         gp_build_count(build, summary->nodes, "machine"),
                         gp_build_count(build, summary->racks, "rack"),
                         gp_build_quantity(build, summary->it_power_w, GP_DIM_POWER),
                         gp_build_quantity(build, summary->facility_power_w, GP_DIM_POWER), money);
}

static void start(request *req, const char *metric) {
    gp_arena *arena = req->build->arena;
    req->out = GP_NEW(arena, gp_explanation);
    req->answers = GP_NEW_ARRAY(arena, answer, ANSWERS_MAX);
    req->out->figures.items = GP_NEW_ARRAY(arena, gp_explained_figure, ANSWERS_MAX + 1);
    req->out->terms.items = GP_NEW_ARRAY(arena, gp_explained_term, ANSWERS_MAX);
    req->out->schema_version = GP_REPORT_SCHEMA_VERSION;
    req->out->layouts_timed = GP_REPORT_NO_COUNT;
    req->out->workload = "site";
    req->out->metric = metric;
    req->out->currency = gp_build_currency(req->build->result);
    req->out->scale = req->build->report->summary.feasible ? "feasible" : "infeasible";
    req->out->reason = headline(req->build);
}

static void fill(request *req, size_t asked) {
    for (size_t i = 0; i < asked; i++)
        add_figure(req, req->answers[i].path, req->answers[i].step->name);
    for (size_t i = 0; i < req->count; i++)
        add_term(req, &req->answers[i]);
}

static void add_numbers(request *req, gp_build *whole, int place) {
    const char **paths = GP_NEW_ARRAY(whole->arena, const char *, req->count + 1);
    for (size_t i = 0; i < req->count; i++)
        paths[i] = req->answers[i].path;
    const gp_explained_from from = {.out = req->out, .paths = paths, .place = place};
    gp_explain_numbers(whole, &from, req->out);
}

gp_status gp_explain_site(gp_arena *arena, const gp_plan_result *result, const gp_report *report,
                          int place, const char *metric, gp_explanation **ret_explanation,
                          const char **ret_nearest) {
    gp_report copy = *report;
    gp_build whole = {.arena = arena, .result = result, .report = &copy};
    gp_build build = whole;
    request req = {.build = &build};
    const char *plain = NULL;
    gp_explain_view(&build, place);
    start(&req, metric);
    if (place != GP_NO_PLACE)
        req.out->workload = report->sites.items[place].name;
    add_meant(&req, metric);
    if (req.count == 0 && metric != NULL && is_plain_figure(&req, metric, &plain))
        add_figure(&req, plain, NULL);
    else if (req.count == 0 && metric != NULL) {
        *ret_nearest = nearest(&req, metric);
        /* A sum has no steps of its own: those of each site lead to it. */
        if (report->sites.count > 0 && *ret_nearest != NULL)
            *ret_nearest =
                gp_build_text(&build, "%s %s", report->sites.items[0].name, *ret_nearest);
        return GP_ERR_NOT_FOUND;
    }
    const size_t asked = req.count;
    close_over(&req);
    fill(&req, asked);
    add_numbers(&req, &whole, place);
    *ret_explanation = req.out;
    return GP_OK;
}
