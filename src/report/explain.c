/*
 * How a figure came about: the terms of the chosen candidate beneath it, each with its formula and
 * its inputs. Without a figure: the verdict, the headline figures and all terms.
 */
#include <string.h>

#include "base/str.h"
#include "report/build.h"
#include "report/explain_numbers.h"
#include "report/value.h"

typedef struct request {
    gp_build *build;
    const gp_workload_plan *plan;
    const gp_report_workload *figures;
    gp_explanation *out;
    gp_term_set *terms;
} request;

static bool is_there(const request *req, const char *path) {
    gp_report_value value;
    return gp_report_find(&gp_report_workload_type, req->figures, path, &value, NULL) == GP_OK &&
           !value.absent;
}

static const char *nearest_metric(const request *req, gp_guess guess) {
    const gp_trace *trace = &req->plan->trace_chosen;
    for (size_t i = 0; i < gp_figure_term_count; i++) {
        if (!is_there(req, gp_figure_terms[i].path))
            continue;
        gp_guess_consider(&guess, gp_figure_terms[i].path);
        gp_guess_consider(&guess, gp_str_last_key(gp_figure_terms[i].path));
    }
    for (size_t i = 0; i < req->figures->goals.count; i++)
        gp_guess_consider(&guess, req->figures->goals.items[i].name);
    for (size_t i = 0; i < trace->count; i++)
        gp_guess_consider(&guess, gp_term_text_of(trace->items[i].id)->name);
    gp_guess_consider(&guess, GP_EXPLAIN_LAYOUTS);
    return guess.best;
}

static void add_figure(request *req, const char *path, const gp_figure_term *row);

/* The figures that a struct of the workload has, which `add` adds; false: none. */
static bool has_figures(request *req, const gp_report_struct *type, const char *path, bool add) {
    bool any = false;
    if (add)
        GP_ROOM(req->build->arena, &req->out->figures, type->field_count);
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_report_field *field = &type->fields[i];
        const char *figure = gp_build_text(req->build, "%s.%s", path, field->key);
        if (field->nested != NULL || field->kind == GP_REPORT_STRING ||
            field->kind == GP_REPORT_BOOL || !is_there(req, figure))
            continue;
        any = true;
        if (add)
            add_figure(req, figure, NULL);
    }
    return any;
}

/* By its path, or by its last word: "service.autoscaling"; those near it are guessed at. */
static bool add_group(request *req, const gp_report_struct *type, const char *inside,
                      gp_guess *guess) {
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_report_field *field = &type->fields[i];
        const char *path = gp_build_text(req->build, "%s%s", inside, field->key);
        if (field->nested == NULL || field->kind == GP_REPORT_LIST)
            continue;
        if (has_figures(req, field->nested, path, false)) {
            gp_guess_consider(guess, path);
            gp_guess_consider(guess, field->key);
            if (gp_str_equal(path, guess->word) || gp_str_equal(field->key, guess->word))
                return has_figures(req, field->nested, path, true);
        }
        if (add_group(req, field->nested, gp_build_text(req->build, "%s.", path), guess))
            return true;
    }
    return false;
}

static const gp_figure_term *find_figure(const gp_trace *trace, const char *metric) {
    for (size_t i = 0; i < gp_figure_term_count; i++) {
        const gp_figure_term *row = &gp_figure_terms[i];
        bool named =
            gp_str_equal(row->path, metric) || gp_str_equal(gp_str_last_key(row->path), metric);
        if (named && gp_trace_find(trace, row->term) != NULL)
            return row;
    }
    return NULL;
}

static double read_real(const request *req, const char *path, const char *suffix, gp_dim *ret_dim) {
    const char *full = gp_build_text(req->build, "%s%s", path, suffix);
    gp_report_value value;
    if (gp_report_find(&gp_report_workload_type, req->figures, full, &value, NULL) != GP_OK ||
        value.absent)
        return GP_REPORT_NO_REAL;
    *ret_dim = value.dim;
    return gp_value_number(&value);
}

/* A latency that was simulated is not what its term says. */
static const char *relation_of(const request *req, const char *path, const gp_figure_term *row) {
    const gp_report_simulation *run = req->figures->simulation;
    const gp_term *term = gp_trace_find(&req->plan->trace_chosen, row->term);
    const bool latency = gp_str_equal(path, "performance.ttftP95S") ||
                         gp_str_equal(path, "performance.tpotP95S");
    if (run != NULL && req->plan->chosen.simulated_share > 0 &&
        gp_str_equal(path, "performance.requestsPerS"))
        return gp_build_text(req->build,
                             "the most that one replica can carry by the formula; the figure is "
                             "what the replicas in use were found to carry by simulation");
    if (run == NULL || !latency)
        return row->relation;
    return gp_build_text(req->build,
                         "as simulated at %s, the planned peak with its headroom; the formula "
                         "gives %s at the planned peak",
                         gp_build_quantity(req->build, run->requests_per_s, GP_DIM_PER_S),
                         gp_build_quantity(req->build, term->value, GP_DIM_TIME));
}

static void add_figure(request *req, const char *path, const gp_figure_term *row) {
    gp_dim dim = GP_DIM_NONE;
    gp_explained_figure figure = {
        .path = path,
        .value = read_real(req, path, "", &dim),
        .low = read_real(req, path, "Low", &dim),
        .high = read_real(req, path, "High", &dim),
        .term = row != NULL ? gp_term_text_of(row->term)->name : NULL,
        .relation = row != NULL ? relation_of(req, path, row) : NULL,
    };
    if (!isfinite(figure.value))
        return;
    figure.dim = dim;
    figure.unit = gp_dim_base_unit(dim);
    GP_NEXT(req->out->figures) = figure;
    if (row != NULL)
        gp_term_set_add(req->terms, &req->plan->trace_chosen, row->term);
}

/* "e2eP95", "e2eP95S" or "goals.e2eP95" */
static const gp_report_goal *goal_named(const request *req, const char *metric) {
    static const char group[] = "goals.";
    const char *name = metric + (gp_str_starts(metric, group) ? sizeof group - 1 : 0);
    const size_t len = strlen(name);
    const gp_report_goal *goal = GP_NAMED(req->figures->goals, name, name);
    return goal == NULL && len > 0 && name[len - 1] == 'S'
               ? GP_NAMED(req->figures->goals, name,
                          gp_build_text(req->build, "%.*s", (int)len - 1, name))
               : goal;
}

/* The first that begins the name of the goal and was recorded. */
static const struct goal_term {
    const char *head;
    gp_term_id term;
} goal_terms[] = {
    {"ttftP95", GP_TERM_SERVE_TTFT_P95},
    {"ttft", GP_TERM_SERVE_TTFT},
    {"tpotP95", GP_TERM_SERVE_TPOT_P95},
    {"tpot", GP_TERM_SERVE_TPOT},
    {"e2e", GP_TERM_SERVE_E2E},
    {"completeWithin", GP_TERM_RUN_WALL_TIME},
    {"maxDuration", GP_TERM_RUN_WALL_TIME},
};

/* Percentiles of the whole request have no term of their own. */
static const char *goal_relation(const request *req, const gp_report_goal *goal,
                                 const struct goal_term *row) {
    const gp_report_simulation *run = req->figures->simulation;
    const gp_term *term = gp_trace_find(&req->plan->trace_chosen, row->term);
    const bool mean = !gp_str_equal(row->head, goal->name);
    if (run != NULL)
        return gp_build_text(req->build, "as simulated at %s; the formula gives %s%s",
                             gp_build_quantity(req->build, run->requests_per_s, GP_DIM_PER_S),
                             gp_build_quantity(req->build, term->value, GP_DIM_TIME),
                             mean ? " on average" : "");
    return mean ? "the mean; a percentile adds the spreads of what it consists of" : NULL;
}

static void add_goal(request *req, const gp_report_goal *goal) {
    const gp_trace *trace = &req->plan->trace_chosen;
    gp_explained_figure *figure = &GP_NEXT(req->out->figures);
    *figure = (gp_explained_figure){
        .path = gp_build_text(req->build, "goals.%s.expected", goal->name),
        .value = goal->expected,
        .low = goal->low,
        .high = goal->high,
        .unit = goal->unit,
        .dim = goal->dim,
    };
    for (size_t i = 0; i < GP_COUNT_OF(goal_terms) && figure->term == NULL; i++) {
        const struct goal_term *row = &goal_terms[i];
        if (!gp_str_starts(goal->name, row->head) || gp_trace_find(trace, row->term) == NULL)
            continue;
        figure->term = gp_term_text_of(row->term)->name;
        figure->relation = goal_relation(req, goal, row);
        gp_term_set_add(req->terms, trace, row->term);
        gp_term_set_close(req->terms, trace);
    }
}

static void add_all(request *req) {
    const gp_trace *trace = &req->plan->trace_chosen;
    for (size_t i = 0; i < gp_figure_term_count; i++) {
        const gp_figure_term *row = &gp_figure_terms[i];
        if (find_figure(trace, row->path) == row)
            add_figure(req, row->path, row);
    }
    gp_term_set_close(req->terms, trace);
    for (size_t i = 0; i < trace->count; i++)
        gp_term_set_add(req->terms, trace, trace->items[i].id);
}

static bool add_term_named(request *req, const char *name) {
    const gp_trace *trace = &req->plan->trace_chosen;
    for (size_t i = 0; i < trace->count; i++) {
        if (!gp_str_equal(gp_term_text_of(trace->items[i].id)->name, name))
            continue;
        gp_term_set_add(req->terms, trace, trace->items[i].id);
        gp_term_set_close(req->terms, trace);
        return true;
    }
    return false;
}

/* By its path, or by its last word; NULL: there is no such figure. */
static const char *other_figure(const request *req, const char *metric) {
    for (size_t i = 0; i < gp_figure_term_count; i++)
        if (gp_str_equal(gp_str_last_key(gp_figure_terms[i].path), metric) &&
            is_there(req, gp_figure_terms[i].path))
            return gp_figure_terms[i].path;
    return is_there(req, metric) ? metric : NULL;
}

/* A figure with a term, a term, a goal, or any other figure of the workload. */
static gp_status choose(request *req, const char *metric, const char **ret_nearest) {
    const gp_trace *trace = &req->plan->trace_chosen;
    if (metric == NULL) {
        add_all(req);
        return GP_OK;
    }
    if (gp_str_equal(metric, GP_EXPLAIN_LAYOUTS)) {
        gp_explain_layouts(req->build, req->plan, req->out);
        return GP_OK;
    }
    const gp_figure_term *row = find_figure(trace, metric);
    if (row != NULL) {
        add_figure(req, row->path, row);
        gp_term_set_close(req->terms, trace);
        return GP_OK;
    }
    if (add_term_named(req, metric))
        return GP_OK;
    const gp_report_goal *goal = goal_named(req, metric);
    if (goal != NULL) {
        add_goal(req, goal);
        return GP_OK;
    }
    const char *path = other_figure(req, metric);
    if (path != NULL) {
        add_figure(req, path, NULL);
        return GP_OK;
    }
    if (gp_str_equal(metric, "scale")) {
        add_all(req);
        return GP_OK;
    }
    gp_guess guess = {.word = metric, .len = strlen(metric)};
    if (add_group(req, &gp_report_workload_type, "", &guess))
        return GP_OK;
    *ret_nearest = nearest_metric(req, guess);
    return GP_ERR_NOT_FOUND;
}

static void fill_terms(request *req) {
    const gp_trace *trace = &req->plan->trace_chosen;
    const gp_term_set *set = req->terms;
    GP_ROOM(req->build->arena, &req->out->terms, set->count);
    for (size_t i = 0; i < set->count; i++) {
        const gp_term *term = set->items[i];
        const gp_term_text *text = gp_term_text_of(term->id);
        gp_explained_term *next = &GP_NEXT(req->out->terms);
        *next = (gp_explained_term){
            .name = text->name,
            .value = term->value,
            .unit = gp_dim_base_unit(text->dim),
            .formula = text->formula,
            .source = text->source,
            .dim = text->dim,
        };
        gp_sources_of_term(req->build, trace, term, true, &next->inputs.items, &next->inputs.count);
    }
}

static const gp_workload_plan *find_workload(const gp_plan_result *result, const char *name,
                                             size_t *ret_index, const char **ret_nearest) {
    gp_guess guess = {.word = name, .len = strlen(name)};
    for (size_t i = 0; i < result->workloads.count; i++) {
        const char *candidate = result->workloads.items[i].workload->name;
        *ret_index = i;
        if (gp_str_equal(candidate, name))
            return &result->workloads.items[i];
        gp_guess_consider(&guess, candidate);
    }
    *ret_nearest = guess.best;
    return NULL;
}

/* "taken from a search of 1,240 layouts; next best: TP4 PP2 DP12, 3.1% slower" */
static const char *choice_of(gp_build *build, const gp_workload_plan *plan) {
    gp_explanation tried = {0};
    const char *next = "";
    if (plan->tried.count == 0)
        return NULL;
    gp_explain_layouts(build, plan, &tried);
    for (size_t i = tried.layouts.count; i-- > 1;) {
        const gp_explained_layout *row = &tried.layouts.items[i];
        if (gp_str_equal(row->outcome, "slower") || gp_str_equal(row->outcome, "more"))
            next = gp_build_text(build, "; next best: %s: %s", row->layout, row->why);
    }
    return gp_build_text(build, "%s, chosen from %s that launch%s", tried.layouts.items[0].why,
                         gp_build_count(build, plan->layouts_timed, "layout"), next);
}

static void start(request *req, const char *metric) {
    gp_arena *arena = req->build->arena;
    req->out = GP_NEW(arena, gp_explanation);
    req->out->figures.items = GP_NEW_ARRAY(arena, gp_explained_figure, gp_figure_term_count + 1);
    req->out->schema_version = GP_REPORT_SCHEMA_VERSION;
    req->out->workload = req->figures->name;
    req->out->metric = metric;
    req->out->layouts_timed = GP_REPORT_NO_COUNT;
    req->out->currency = gp_build_currency(req->build->result);
    req->out->scale = req->figures->recommendation.scale;
    req->out->reason = req->figures->recommendation.reason;
    req->out->layout = req->figures->recommendation.chosen.layout;
    req->out->choice = choice_of(req->build, req->plan);
}

static bool find_site(const gp_plan_result *result, const char *name, size_t *ret_index) {
    for (*ret_index = 0; *ret_index < result->sites.count; (*ret_index)++)
        if (gp_str_equal(result->sites.items[*ret_index].name, name))
            return true;
    return false;
}

gp_status gp_report_explain(gp_arena *arena, const gp_plan_result *result, const gp_report *report,
                            const char *workload, const char *metric,
                            gp_explanation **ret_explanation, const char **ret_nearest,
                            bool *ret_unknown_workload) {
    gp_build build = {.arena = arena, .result = result};
    gp_term_set terms = {0};
    request req = {.build = &build, .terms = &terms};
    size_t index = 0;
    size_t site = 0;
    *ret_nearest = NULL;
    req.plan = find_workload(result, workload, &index, ret_nearest);
    *ret_unknown_workload = false;
    if (req.plan == NULL && gp_str_equal(workload, "site"))
        return gp_explain_site(arena, result, report, GP_NO_PLACE, metric, ret_explanation,
                               ret_nearest);
    if (req.plan == NULL && find_site(result, workload, &site))
        return gp_explain_site(arena, result, report, (int)site, metric, ret_explanation,
                               ret_nearest);
    *ret_unknown_workload = req.plan == NULL;
    if (req.plan == NULL)
        return GP_ERR_NOT_FOUND;
    req.figures = &report->workloads.items[index];
    start(&req, metric);
    gp_status st = choose(&req, metric, ret_nearest);
    if (st == GP_OK)
        fill_terms(&req);
    const gp_explained_from from = {
        .out = req.out, .workload = req.figures->name, .terms = &terms, .place = GP_NO_PLACE};
    if (st == GP_OK)
        gp_explain_numbers(&build, &from, req.out);
    if (st == GP_OK)
        *ret_explanation = req.out;
    return st;
}
