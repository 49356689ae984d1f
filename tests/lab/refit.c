/*
 * Fitting the free constants: least squares on the logarithm of the estimate over the measurement,
 * robust (a run far off pulls no harder than one at the knee) and with each constant drawn to its
 * prior by its spread. Gauss and Newton's steps with differences for derivatives, damped, halved
 * until they help: no chance, no clock, the same result on every machine.
 */
#include "lab/refit.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "lab/solve.h"

/* Method, not physics: noise of one run in log terms, first wide, so that the start does not decide
 * which runs count as far off; step of the differences; when to stop; how many runs and models a
 * constant must rest on; and what share of the variance runs of one shape on one stack have in
 * common; how much closer a constant with few runs is held. */
static const double noises[] = {0.2, 0.15};
static const double difference = 0.02;
static const double noticeable = 0.005;
static const double enough = 1e-6;
static const double alike = 0.02;
static const double closer = 0.5;
static const double power_noise = 5; /* over that of a time: hosts differ, and boards */
/* Serving runs are told apart better than trainings: their noise over that of a run at large. */
static const double serving_noise = 1.0 / 3;
/* Runs of serving that are this many standard deviations off had something that the row does not
 * tell: a crowded host, guessed tokens, cached prompts. */
static const double serving_far = 3;
/* Runs of one model err alike: beyond this many of serving they count as so many together. */
static const double independent_runs = 60;
enum {
    STEPS_MAX = 120,
    HALVINGS_MAX = 6,
    PINS_MAX = 8,
    LEAST_RUNS = 8,
    LEAST_SHAPES = 2,
    LEAST_KIN = 3
};

typedef struct problem {
    gp_fitter *fitter;
    const gp_fit_point *points;
    size_t count;
    const char *const *keys; /* what each point is left out with */
    const char *left_out;    /* key of those left out now, or NULL */
    double noise;
    bool settled; /* past the first descent */
    gp_free_list list;
    size_t *free; /* positions in list of those that move */
    size_t n;
    double *noises;   /* of each point, over that of a run at large */
    double *errors;   /* of each point, at the present values */
    double *weights;  /* of each point: runs of one shape share what the form gets wrong of it */
    double *jacobian; /* count x n */
    double *matrix, *right, *start;
    bool *pinned;           /* at a bound, for this step */
    unsigned char *effects; /* count x list.count: 0 none, 1 some, 2 noticeable */
} problem;

static double error_of(const problem *p, size_t i) {
    const gp_fit_point *point = &p->points[i];
    double estimate = point->estimate(p->fitter, point->subject);
    double noise = point->power ? power_noise : 1;
    return estimate > 0 && isfinite(estimate) ? gp_num_log(estimate / point->measured) / noise
                                              : (double)NAN;
}

static bool is_used(const problem *p, size_t i) {
    return p->left_out == NULL || !gp_str_equal(p->keys[i], p->left_out);
}

static void evaluate(const problem *p, double *ret_errors) {
    for (size_t i = 0; i < p->count; i++) {
        ret_errors[i] = is_used(p, i) ? error_of(p, i) : (double)NAN;
    }
}

static double noise_of(const problem *p, size_t i) {
    return p->noise * p->noises[i];
}

static double own_noise(const gp_fit_point *points, size_t count, size_t i) {
    double noise = points[i].noise > 0 ? points[i].noise : 1;
    noise *= points[i].serving ? serving_noise : 1;
    double together = 0;
    for (size_t j = 0; j < count && points[i].serving; j++) {
        together += gp_str_equal(points[j].shape, points[i].shape) ? 1 : 0;
    }
    return together > independent_runs ? noise * sqrt(together / independent_runs) : noise;
}

/* Points of one shape are next to each other more often than not, so that most need no count. */
static void set_noises(problem *p) {
    for (size_t i = 0; i < p->count; i++) {
        const gp_fit_point *before = i > 0 ? &p->points[i - 1] : NULL;
        const gp_fit_point *point = &p->points[i];
        bool same = before != NULL && before->serving == point->serving &&
                    !(before->noise < point->noise) && !(before->noise > point->noise) &&
                    gp_str_equal(before->shape, point->shape);
        p->noises[i] = same ? p->noises[i - 1] : own_noise(p->points, p->count, i);
    }
}

/* Standard deviations from which a run pulls less and less; not before the first descent has found
 * which runs are far off. */
static double far_off(const problem *p, size_t i) {
    return p->points[i].serving && p->settled ? serving_far : HUGE_VAL;
}

/* Huber's loss at one standard deviation, bounded for what is far off. */
static double loss(const problem *p, size_t i, double error) {
    double z = fabs(error / noise_of(p, i));
    double far = far_off(p, i);
    if (z > far) {
        return far - 0.5 + far * (1 - far / z);
    }
    return z <= 1 ? 0.5 * z * z : z - 0.5;
}

static double weight(const problem *p, size_t i, double error) {
    double z = fabs(error / noise_of(p, i));
    double far = far_off(p, i);
    return z <= 1 ? 1 : z <= far ? 1 / z : far * far / (z * z * z);
}

static double prior_distance(const gp_free *item) {
    return gp_num_log(item->value / item->parent) / item->spread;
}

static double cost(const problem *p, const double *errors) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        sum += isnan(errors[i]) ? 0 : p->weights[i] * loss(p, i, errors[i]);
    }
    for (size_t j = 0; j < p->n; j++) {
        double z = prior_distance(&p->list.items[p->free[j]]);
        sum += 0.5 * z * z;
    }
    return sum;
}

/* Downward where the upper bound is near, so that the difference is never nought. */
static void differentiate(problem *p) {
    for (size_t j = 0; j < p->n; j++) {
        gp_free *item = &p->list.items[p->free[j]];
        double value = item->value;
        double step = value * gp_num_exp(difference) > item->rule->high ? -difference : difference;
        gp_free_set(item, value * gp_num_exp(step));
        for (size_t i = 0; i < p->count; i++) {
            bool still = isnan(p->errors[i]) || p->effects[i * p->list.count + p->free[j]] == 0;
            double moved = still ? 0 : error_of(p, i) - p->errors[i];
            p->jacobian[i * p->n + j] = isnan(moved) ? 0 : moved / step;
        }
        gp_free_set(item, value);
    }
}

static void assemble(problem *p) {
    memset(p->matrix, 0, p->n * p->n * sizeof *p->matrix);
    memset(p->right, 0, p->n * sizeof *p->right);
    for (size_t i = 0; i < p->count; i++) {
        const double *row = p->jacobian + i * p->n;
        if (isnan(p->errors[i])) {
            continue;
        }
        double w = p->weights[i] * weight(p, i, p->errors[i]) / (noise_of(p, i) * noise_of(p, i));
        for (size_t j = 0; j < p->n; j++) {
            p->right[j] -= w * row[j] * p->errors[i];
            for (size_t k = 0; k <= j; k++) {
                p->matrix[j * p->n + k] += w * row[j] * row[k];
            }
        }
    }
    for (size_t j = 0; j < p->n; j++) {
        const gp_free *item = &p->list.items[p->free[j]];
        p->matrix[j * p->n + j] += 1 / (item->spread * item->spread);
        p->right[j] -= prior_distance(item) / item->spread;
    }
}

static void move(problem *p, double share) {
    for (size_t j = 0; j < p->n; j++) {
        double shift = gp_num_max(-1, gp_num_min(1, share * p->right[j]));
        gp_free_set(&p->list.items[p->free[j]], p->start[j] * gp_num_exp(shift));
    }
}

/* A constant at its bound whose step leads outside stays there, and the others know. */
static bool pin(problem *p) {
    bool more = false;
    for (size_t j = 0; j < p->n; j++) {
        const gp_free *item = &p->list.items[p->free[j]];
        double value = p->start[j];
        bool outside = (p->right[j] > 0 && value >= item->rule->high * (1 - difference / 16)) ||
                       (p->right[j] < 0 && value <= item->rule->low * (1 + difference / 16));
        more = more || (outside && !p->pinned[j]);
        p->pinned[j] = p->pinned[j] || outside;
    }
    return more;
}

static void drop_pinned(problem *p) {
    for (size_t j = 0; j < p->n; j++) {
        for (size_t k = 0; k < p->n && p->pinned[j]; k++) {
            p->matrix[j * p->n + k] = p->matrix[k * p->n + j] = 0;
        }
        if (p->pinned[j]) {
            p->matrix[j * p->n + j] = 1;
            p->right[j] = 0;
        }
    }
}

/* The step within the bounds, in p->right. */
static bool solve_step(problem *p) {
    memset(p->pinned, 0, p->n * sizeof *p->pinned);
    for (int i = 0; i < PINS_MAX; i++) {
        assemble(p);
        drop_pinned(p);
        if (!gp_solve_symmetric(p->matrix, p->right, p->n)) {
            return false;
        }
        if (!pin(p)) {
            break;
        }
    }
    return true;
}

/* One step; returns what it gained. */
static double improve(problem *p, double before) {
    differentiate(p);
    for (size_t j = 0; j < p->n; j++) {
        p->start[j] = p->list.items[p->free[j]].value;
    }
    if (!solve_step(p)) {
        return 0;
    }
    double share = 1;
    for (int i = 0; i < HALVINGS_MAX; i++) {
        move(p, share);
        evaluate(p, p->errors);
        double after = cost(p, p->errors);
        if (after < before) {
            return before - after;
        }
        share /= 2;
    }
    move(p, 0);
    evaluate(p, p->errors);
    return 0;
}

static bool reserve(problem *p) {
    gp_arena *arena = p->fitter->arena;
    p->errors = GP_NEW_ARRAY(arena, double, p->count + 1);
    p->weights = GP_NEW_ARRAY(arena, double, p->count + 1);
    p->noises = GP_NEW_ARRAY(arena, double, p->count + 1);
    p->free = GP_NEW_ARRAY(arena, size_t, p->list.count + 1);
    p->jacobian = GP_NEW_ARRAY(arena, double, p->count * p->list.count + 1);
    p->matrix = GP_NEW_ARRAY(arena, double, p->list.count * p->list.count + 1);
    p->right = GP_NEW_ARRAY(arena, double, p->list.count + 1);
    p->start = GP_NEW_ARRAY(arena, double, p->list.count + 1);
    p->pinned = GP_NEW_ARRAY(arena, bool, p->list.count + 1);
    p->effects = GP_NEW_ARRAY(arena, unsigned char, p->count * p->list.count + 1);
    return p->errors != NULL && p->weights != NULL && p->noises != NULL && p->pinned != NULL &&
           p->effects != NULL && p->free != NULL && p->jacobian != NULL && p->matrix != NULL &&
           p->right != NULL && p->start != NULL;
}

/* Which runs a constant has a say in, seen by moving it a good deal. */
static void find_effects(problem *p, size_t position) {
    gp_free *item = &p->list.items[position];
    double value = item->value;
    double step = value * 2 > item->rule->high ? 0.5 : 2;
    gp_free_set(item, value * step);
    for (size_t i = 0; i < p->count; i++) {
        bool apart = p->points[i].power != (item->rule->kind == GP_FREE_POWER);
        double moved = apart || isnan(p->errors[i]) ? 0 : fabs(error_of(p, i) - p->errors[i]);
        p->effects[i * p->list.count + position] = moved > noticeable ? 2 : moved > 0 ? 1 : 0;
    }
    gp_free_set(item, value);
}

static bool shape_is_new(const problem *p, size_t position, size_t i) {
    for (size_t j = 0; j < i; j++) {
        if (p->effects[j * p->list.count + position] > 1 && is_used(p, j) &&
            gp_str_equal(p->points[j].shape, p->points[i].shape)) {
            return false;
        }
    }
    return true;
}

/* Runs and models that a number rests on: those whose estimate it moves noticeably. */
static void count_support(problem *p, size_t position) {
    gp_free *item = &p->list.items[position];
    item->n = item->shapes = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->effects[i * p->list.count + position] > 1 && is_used(p, i)) {
            item->n++;
            item->shapes += shape_is_new(p, position, i) ? 1 : 0;
        }
    }
    item->sparse = item->n < LEAST_RUNS || item->shapes < LEAST_SHAPES;
}

/* Logarithms of the numbers of a rule (and clan, NULL: any) that rest on enough. */
typedef struct kin {
    double sum, squares, n;
} kin;

static kin kin_of(const problem *p, const gp_free_rule *rule, const char *clan) {
    kin all = {0};
    for (size_t i = 0; i < p->list.count; i++) {
        const gp_free *item = &p->list.items[i];
        bool near = clan == NULL || gp_str_equal(item->clan, clan);
        if (item->rule == rule && near && item->n > 0 && !item->sparse && !rule->measured) {
            double value = gp_num_log(item->value);
            all.sum += value;
            all.squares += value * value;
            all.n += 1;
        }
    }
    return all;
}

/* Numbers of one rule are drawn to the mean of those that rest on enough, as closely as they agree;
 * the rule's own spread counts as LEAST_KIN numbers more. Those of one vendor are drawn to the mean
 * of its others, to which that of all counts as much as LEAST_KIN. With fewer kin the prior holds.
 * So it does for engines, however many there are: one that nobody has run is no mean of the others,
 * most of which are of other chips or of the past; they tell how far engines differ. */
static void set_parent(const problem *p, gp_free *item) {
    const gp_free_rule *rule = item->rule;
    kin all = kin_of(p, rule, NULL);
    kin own = item->clan == NULL ? (kin){0} : kin_of(p, rule, item->clan);
    bool told = all.n >= LEAST_KIN;
    bool kin_mean = told && rule->tie != GP_FREE_ENGINE;
    double mean = kin_mean ? all.sum / all.n : gp_num_log(rule->prior);
    double near = (mean * LEAST_KIN + own.sum) / (LEAST_KIN + own.n);
    double square = rule->spread * rule->spread;
    item->parent = kin_mean ? gp_num_exp(near) : rule->prior;
    if (told) {
        double off = all.squares - 2 * mean * all.sum + all.n * mean * mean;
        square = (off + square * LEAST_KIN) / (all.n + LEAST_KIN);
    }
    item->spread = sqrt(square) * (told && item->shapes < LEAST_SHAPES ? closer : 1);
}

/* What rests on one model says as much of the model: a constant of all falls back to its prior, and
 * the number of a class is held closer to its kin. */
static bool is_free(const gp_free *item) {
    return item->n > 0 && (item->shapes >= LEAST_SHAPES || item->rule->tie != GP_FREE_ALL);
}

static void choose_free(problem *p) {
    p->n = 0;
    for (size_t j = 0; j < p->list.count; j++) {
        count_support(p, j);
        if (is_free(&p->list.items[j])) {
            p->free[p->n++] = j;
        }
    }
}

/* Numbers without a run keep what the catalogue says, or follow their class where a run was left
 * out. */
static void set_parents(problem *p) {
    for (size_t j = 0; j < p->list.count; j++) {
        gp_free *item = &p->list.items[j];
        set_parent(p, item);
        if (item->used && !is_free(item)) {
            gp_free_set(item, item->parent);
        }
    }
}

static void descend_at(problem *p) {
    set_parents(p);
    evaluate(p, p->errors);
    double now = cost(p, p->errors);
    for (int i = 0; i < STEPS_MAX && p->n > 0; i++) {
        double gain = improve(p, now);
        if (gain < enough * now) {
            break;
        }
        set_parents(p);
        evaluate(p, p->errors);
        now = cost(p, p->errors);
    }
}

static void descend(problem *p) {
    for (size_t i = 0; i < sizeof noises / sizeof noises[0]; i++) {
        p->noise = noises[i];
        p->settled = i > 0;
        descend_at(p);
    }
}

/* Runs of one shape err alike: with a common part of `alike` of the variance, n of them say as much
 * as n / (1 + alike (n - 1)) runs of different shapes. */
static void weigh(problem *p) {
    for (size_t i = 0; i < p->count; i++) {
        double others = 0;
        for (size_t j = 0; j < p->count; j++) {
            others += j != i && p->points[i].group != NULL &&
                              gp_str_equal(p->points[j].group, p->points[i].group)
                          ? 1
                          : 0;
        }
        p->weights[i] = 1 / (1 + alike * others);
    }
}

/* The rules of those kinds of runs that there are. */
static gp_status collect(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                         gp_free_list *list) {
    bool training = false;
    bool serving = false;
    for (size_t i = 0; i < count; i++) {
        serving = serving || points[i].serving;
        training = training || !points[i].serving;
    }
    gp_status st =
        training ? gp_free_collect(fitter, gp_free_rules, gp_free_rule_count, list) : GP_OK;
    return st == GP_OK && serving
               ? gp_free_collect(fitter, gp_free_serving_rules, gp_free_serving_rule_count, list)
               : st;
}

static gp_status prepare(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                         problem *ret_problem) {
    problem p = {.fitter = fitter, .points = points, .count = count};
    gp_status st = collect(fitter, points, count, &p.list);
    if (st == GP_OK && !reserve(&p)) {
        st = GP_ERR_NO_MEMORY;
    }
    if (st == GP_OK) {
        weigh(&p);
    }
    /* Support is counted at the catalogue's values, the fit starts from the priors. */
    for (size_t j = 0; st == GP_OK && j < p.list.count; j++) {
        gp_free *item = &p.list.items[j];
        gp_free_set(item, *item->targets[0] / item->ratios[0]);
    }
    if (st == GP_OK) {
        set_noises(&p);
        evaluate(&p, p.errors);
    }
    for (size_t j = 0; st == GP_OK && j < p.list.count; j++) {
        find_effects(&p, j);
    }
    if (st == GP_OK) {
        choose_free(&p);
    }
    for (size_t j = 0; st == GP_OK && j < p.list.count; j++) {
        gp_free *item = &p.list.items[j];
        /* Shares of architectures without a run are those of their kin. */
        item->used = item->n > 0 || (item->clan != NULL && !item->rule->measured);
        if (item->used) {
            gp_free_set(item, item->rule->prior);
        }
    }
    *ret_problem = p;
    return st;
}

gp_status gp_refit(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                   gp_free_list *ret_list) {
    problem p;
    gp_status st = prepare(fitter, points, count, &p);
    if (st == GP_OK) {
        descend(&p);
        *ret_list = p.list;
    }
    return st;
}

static void keep_values(const problem *p, double *values) {
    for (size_t j = 0; j < p->list.count; j++) {
        values[j] = p->list.items[j].value;
    }
}

static void restore_values(problem *p, const double *values) {
    for (size_t j = 0; j < p->list.count; j++) {
        if (p->list.items[j].used) {
            gp_free_set(&p->list.items[j], values[j]);
        }
    }
}

static bool is_first_of_key(const problem *p, size_t i) {
    const char *key = p->keys[i];
    bool first = key != NULL;
    for (size_t j = 0; first && j < i; j++) {
        first = !gp_str_equal(p->keys[j], key);
    }
    return first;
}

/* Fits without one key, from the fit to all (constants that rested on it alone follow their class,
 * the others the runs that are left), and estimates its runs. */
static void leave_one(problem *p, const char *key, size_t judged, double *ret_estimates) {
    p->left_out = key;
    choose_free(p);
    descend_at(p);
    for (size_t i = 0; i < judged; i++) {
        if (!is_used(p, i)) {
            ret_estimates[i] = p->points[i].estimate(p->fitter, p->points[i].subject);
        }
    }
}

gp_status gp_refit_left_out(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                            size_t judged, const char *const *keys, double *ret_estimates) {
    problem p;
    gp_status st = prepare(fitter, points, count, &p);
    if (st != GP_OK) {
        return st;
    }
    double *values = GP_NEW_ARRAY(fitter->arena, double, p.list.count + 1);
    if (values == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    p.keys = keys;
    descend(&p);
    keep_values(&p, values);
    for (size_t i = 0; i < judged; i++) {
        ret_estimates[i] = (double)NAN;
    }
    for (size_t i = 0; i < judged; i++) {
        if (is_first_of_key(&p, i)) {
            restore_values(&p, values);
            leave_one(&p, keys[i], judged, ret_estimates);
        }
    }
    return GP_OK;
}
