/*
 * What a run leaves open of its layout is closed as a user of the tool would: the fastest layout
 * that fits, by the same estimators (where none does, the fastest: the run is there to prove it).
 * Recomputation is the least that fits.
 */

#include "base/num.h"
#include "fit/fitter.h"

typedef struct layout_search {
    const gp_fitter *fitter;
    const gp_fit_case *c;
    gp_train_job job;
    gp_layout best;
    double best_s;
    bool anyhow; /* nothing fits by the estimate, and yet it ran */
} layout_search;

/* Most of each dimension that is tried, in powers of two. */
enum { TP_MOST = 8, PP_MOST = 16, CP_MOST = 8, EP_MOST = 64, MICRO_BATCH_MOST = 8 };

static bool fits(const layout_search *s, const gp_layout *layout) {
    gp_memory memory;
    gp_train_memory(&s->job, s->c->machine, layout, &s->fitter->constants, 0, NULL, &memory);
    return memory.fit != GP_FIT_NOT;
}

/* The least recomputation that fits; where none does, what such jobs are run with. */
static bool least_recompute(const layout_search *s, gp_layout *layout) {
    /* Tuned recipes that say nothing recompute selectively at most: they would say so.
     * Fine-tuning under FSDP wraps whole layers or none. */
    bool whole = s->job.type != GP_WORKLOAD_TRAINING && layout->zero == 3;
    bool little = s->job.kernels == GP_KERNELS_AUTO && !whole;
    int most = little ? GP_RECOMPUTE_SELECTIVE : GP_RECOMPUTE_FULL;
    for (int r = GP_RECOMPUTE_NONE; r <= most; r++) {
        layout->recompute = r;
        if (!(whole && r == GP_RECOMPUTE_SELECTIVE) && fits(s, layout))
            return true;
    }
    return false;
}

static void try_layout(layout_search *s, gp_layout layout, bool open_recompute) {
    gp_train_time time;
    bool room = open_recompute ? least_recompute(s, &layout) : fits(s, &layout);
    if (!(room || s->anyhow) || !gp_layout_valid(&s->job, s->c->machine, &layout))
        return;
    gp_train_step_time(&s->job, s->c->machine, &s->c->network, &layout, &s->fitter->constants, NULL,
                       &time);
    if (s->best_s <= 0 || gp_num_compare9(time.step_s, s->best_s) < 0) {
        s->best = layout;
        s->best_s = time.step_s;
    }
}

static void try_experts(layout_search *s, gp_layout layout, const gp_fit_open *open) {
    int64_t ep_most = open->experts ? EP_MOST : layout.ep;
    int64_t batch_most = open->micro_batch ? MICRO_BATCH_MOST : layout.micro_batch;
    for (int64_t ep = open->experts ? 1 : layout.ep; ep <= ep_most; ep *= 2) {
        for (int64_t b = open->micro_batch ? 1 : layout.micro_batch; b <= batch_most; b *= 2) {
            layout.ep = ep;
            layout.micro_batch = b;
            try_layout(s, layout, open->recompute);
        }
    }
}

static void try_sharding(layout_search *s, gp_layout layout, const gp_fit_open *open) {
    int64_t model_parallel = layout.tp * layout.pp * layout.cp;
    int64_t gpus = (int64_t)s->c->gpus;
    if (gpus % model_parallel != 0)
        return;
    layout.dp = gpus / model_parallel;
    layout.vpp = 1;
    for (int64_t zero = 1; zero <= 3; zero += 2) {
        layout.zero = layout.dp * layout.cp > 1 ? zero : 0;
        try_experts(s, layout, open);
    }
}

static void try_splits(layout_search *s, const gp_fit_open *open) {
    gp_layout layout = s->c->layout;
    for (int64_t tp = 1; tp <= TP_MOST; tp *= 2) {
        for (int64_t pp = 1; pp <= PP_MOST; pp *= 2) {
            for (int64_t cp = 1; cp <= CP_MOST; cp *= 2) {
                layout.tp = tp;
                layout.pp = pp;
                layout.cp = cp;
                try_sharding(s, layout, open);
            }
        }
    }
}

bool gp_fit_close_layout(const gp_fitter *fitter, gp_fit_case *c, const gp_fit_open *open) {
    layout_search s = {.fitter = fitter, .c = c, .job = gp_fit_job(fitter, c)};
    bool search = open->split || open->experts || open->micro_batch;
    for (int pass = 0; search && pass < 2 && s.best_s <= 0; pass++) {
        s.anyhow = pass > 0;
        if (open->split)
            try_splits(&s, open);
        else
            try_experts(&s, c->layout, open);
    }
    if (s.best_s > 0)
        c->layout = s.best;
    else if (open->recompute)
        (void)least_recompute(&s, &c->layout);
    return s.best_s > 0 || !open->split; /* a stated split is kept as it is */
}
