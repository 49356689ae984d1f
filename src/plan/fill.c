/*
 * One workload after the other, and for every combination of GPUs that are left over on the last
 * machine of each kind, the least that leads to it.
 */
#include "plan/fill.h"

#include <math.h>

#include "base/num.h"

enum { STEPS_MOST = 1 << 20 }; /* workloads times rests */

typedef struct walk {
    const gp_fill *fill;
    size_t rests;
    size_t *stride; /* by unit; 0: its machines are taken whole */
    int64_t *grain; /* GPUs that all parts on it are a multiple of */
    double *least;  /* by rest, so far */
    double *next;
    int **picks; /* by case and rest */
    int32_t **befores;
} walk;

static int64_t common(int64_t a, int64_t b) {
    return b == 0 ? a : common(b, a % b);
}

static size_t unit_of(const gp_fill *f, const gp_candidate *option) {
    return (size_t)(option->unit - f->units);
}

static bool takes_part(const gp_candidate *option) {
    return option->share_count == 0 && !option->whole &&
           option->gpus % option->unit->machine.gpus != 0;
}

static int64_t radix(const walk *w, size_t unit) {
    return w->fill->units[unit].machine.gpus / w->grain[unit];
}

/* False: too many. */
static bool count_rests(walk *w) {
    const gp_fill *f = w->fill;
    for (size_t i = 0; i < f->case_count; i++)
        for (size_t k = 0; k < f->options[i].count; k++) {
            const gp_candidate *option = &f->options[i].items[k];
            const size_t u = unit_of(f, option);
            if (takes_part(option))
                w->grain[u] = common(w->grain[u] > 0 ? w->grain[u] : f->units[u].machine.gpus,
                                     option->gpus);
        }
    w->rests = 1;
    for (size_t u = 0; u < f->unit_count; u++) {
        if (w->grain[u] == 0)
            continue;
        w->stride[u] = w->rests;
        w->rests *= (size_t)radix(w, u);
        if (w->rests * f->case_count > STEPS_MOST)
            return false;
    }
    return true;
}

/* What the option takes from a rest, which becomes what it leaves. */
static double take(const walk *w, const gp_candidate *option, size_t *rest) {
    const size_t u = unit_of(w->fill, option);
    const int64_t size = option->unit->machine.gpus;
    if (option->share_count > 0)
        return 0;
    if (w->stride[u] == 0 || !takes_part(option))
        return (double)option->nodes * w->fill->machine[u];
    const int64_t over = (int64_t)(*rest / w->stride[u]) % radix(w, u) * w->grain[u];
    const int64_t opened = gp_num_max_i64(0, (option->gpus - over + size - 1) / size);
    const int64_t left = over + opened * size - option->gpus;
    *rest += (size_t)((left - over) / w->grain[u]) * w->stride[u];
    return (double)opened * w->fill->machine[u];
}

static void add_case(walk *w, size_t i) {
    const gp_options *options = &w->fill->options[i];
    for (size_t r = 0; r < w->rests; r++)
        w->next[r] = HUGE_VAL;
    for (size_t r = 0; r < w->rests; r++)
        for (size_t k = 0; k < options->count && isfinite(w->least[r]); k++) {
            size_t rest = r;
            const double machines = take(w, &options->items[k], &rest);
            const double cost = w->least[r] + w->fill->own[i][k] + machines;
            if (cost >= w->next[rest])
                continue;
            w->next[rest] = cost;
            w->picks[i][rest] = (int)k;
            w->befores[i][rest] = (int32_t)r;
        }
    double *least = w->least;
    w->least = w->next;
    w->next = least;
}

static void init_rests(gp_arena *scratch, walk *w) {
    const size_t count = w->fill->case_count;
    w->least = GP_NEW_ARRAY(scratch, double, w->rests);
    w->next = GP_NEW_ARRAY(scratch, double, w->rests);
    w->picks = GP_NEW_ARRAY(scratch, int *, count + 1);
    w->befores = GP_NEW_ARRAY(scratch, int32_t *, count + 1);
    for (size_t i = 0; i < count; i++) {
        w->picks[i] = GP_NEW_ARRAY(scratch, int, w->rests);
        w->befores[i] = GP_NEW_ARRAY(scratch, int32_t, w->rests);
    }
    for (size_t r = 1; r < w->rests; r++)
        w->least[r] = HUGE_VAL;
}

bool gp_fill_pick(gp_arena *scratch, const gp_fill *fill, int *ret_picks) {
    walk w = {.fill = fill,
              .stride = GP_NEW_ARRAY(scratch, size_t, fill->unit_count + 1),
              .grain = GP_NEW_ARRAY(scratch, int64_t, fill->unit_count + 1)};
    if (!count_rests(&w))
        return false;
    init_rests(scratch, &w);
    for (size_t i = 0; i < fill->case_count; i++) {
        ret_picks[i] = GP_UNPLACED;
        if (fill->options[i].count > 0)
            add_case(&w, i);
    }
    size_t rest = 0;
    for (size_t r = 1; r < w.rests; r++)
        rest = w.least[r] < w.least[rest] ? r : rest;
    for (size_t i = fill->case_count; i-- > 0;) {
        if (fill->options[i].count == 0)
            continue;
        ret_picks[i] = w.picks[i][rest];
        rest = (size_t)w.befores[i][rest];
    }
    return true;
}
