/*
 * Running a sweep. Each thread has a catalogue of its own and takes points in small runs of
 * neighbours; a point's memory is given back before the next, and of what it was a row of figures
 * and an outcome that many share are kept. Nothing depends on how many threads there are: where
 * points fail, the first of them is run again by itself to tell why.
 */
#include "cli/sweep_run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    THREADS_MAX = 256,
    CHUNK = 16,  /* points that a thread takes at a time */
    RECENT = 32, /* texts and outcomes that are looked for before another is kept */
    PROGRESS_AFTER_S = 2
};
static const size_t arena_max_bytes = (size_t)1 << 30;

/* What points come to that have other figures. */
typedef struct outcome {
    bool feasible;
    const char *refused;
    size_t verdict_count;
    const gp_study_verdict *verdicts;
} outcome;

typedef union cell {
    double value;
    const char *text; /* where the metric's figures are words */
} cell;

typedef struct worker worker;

typedef struct gp_sweep_kept {
    gp_sweep_job *job;
    worker *workers;          /* THREADS_MAX of room */
    const outcome **outcomes; /* by place in this part */
    cell *cells;              /* by place and metric */
    int64_t at;               /* of who reads them */
    atomic_llong next, done, failed;
    time_t begin;
    bool watched, shown;
} run;

struct worker {
    run *run;
    gp_cli *cli; /* its arena has what stays: the catalogue */
    gp_cli own;  /* of all but the main thread */
    gp_cli_error error;
    gp_flow flow;
    gp_arena_mark mark; /* behind what stays */
    /* These leave by the doors of the arena above, which are of the worker's thread. */
    gp_arena *scratch; /* one point */
    gp_arena *kept;    /* texts and outcomes */
    gp_plan_memory *memory;
    const char *texts[RECENT];
    const outcome *outcomes[RECENT];
    size_t text_count, outcome_count;
    int64_t at; /* the point in hand */
    bool opened, main;
    pthread_t thread;
};

/* ---- what a point is */

/* The plan as it is, then each number lower and higher. */
static void vary_sets(gp_arena *arena, const gp_sweep_job *job, gp_study_point *point) {
    if (point->number == 1)
        return;
    const gp_spec_number *number = &job->numbers.items[(point->number - 2) / 2];
    const bool up = point->number % 2 == 1;
    const double share = job->study->vary_fraction;
    gp_study_set *set = GP_NEW(arena, gp_study_set);
    const char *value = gp_spec_number_scaled(arena, number, up ? 1 + share : 1 - share);
    *set = (gp_study_set){number->path, value, number->text};
    point->sets.items = set;
    point->sets.count = 1;
}

static void sets_of(gp_arena *arena, const gp_sweep_job *job, gp_study_point *point) {
    const gp_study *study = job->study;
    if (job->numbers.items != NULL) {
        vary_sets(arena, job, point);
        return;
    }
    point->sets.items = GP_NEW_ARRAY(arena, gp_study_set, study->axes.count + 1);
    for (size_t i = 0; i < study->axes.count; i++)
        GP_NEXT(point->sets) = (gp_study_set){study->axes.items[i].path,
                                              gp_study_value(arena, study, i, point->number), NULL};
}

/* --set of the whole study, then those of the point. */
static void overrides_of(gp_arena *arena, const gp_sweep_job *job, const gp_study_point *point,
                         gp_overrides *ret) {
    ret->items = GP_NEW_ARRAY(arena, gp_override, job->fixed.count + point->sets.count + 1);
    for (size_t i = 0; i < job->fixed.count; i++)
        GP_NEXT(*ret) = job->fixed.items[i];
    for (size_t i = 0; i < point->sets.count; i++)
        GP_NEXT(*ret) = (gp_override){point->sets.items[i].path, point->sets.items[i].value};
}

static const char *first_error(const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].level == GP_LEVEL_ERROR)
            return diags->items[i].message;
    return "no plan can be made";
}

/* All that is set but rates of requests. */
static const char *alike_of(gp_arena *arena, const gp_study_point *point) {
    static const char rate[] = ".requestsPerSecond";
    const char *key = "";
    for (size_t i = 0; i < point->sets.count; i++) {
        const gp_study_set *set = &point->sets.items[i];
        const size_t len = strlen(set->path);
        if (len < sizeof rate || strcmp(set->path + len - (sizeof rate - 1), rate) != 0)
            key = gp_arena_printf(arena, "%s%s=%s\n", key, set->path, set->value);
    }
    return key;
}

/* Makes the plan of a point. A number that cannot be varied makes a refused point; a value that was
 * asked for and cannot be is an error. */
static void size_point(worker *w, gp_cli *cli, gp_study_point *point) {
    gp_sweep_job *job = w->run->job;
    gp_overrides overrides = {0};
    gp_outcomes outcomes = {0};
    const bool may_fail = job->numbers.items != NULL && point->number > 1;
    sets_of(cli->arena, job, point);
    overrides_of(cli->arena, job, point, &overrides);
    gp_plan_memory_open(w->memory, alike_of(cli->arena, point));
    w->flow.cli = cli;
    w->flow.brief = job->brief;
    w->flow.memory = w->memory;
    if (!may_fail) {
        gp_flow_run(&w->flow, &overrides, &outcomes);
    } else if (gp_flow_try(&w->flow, &overrides, &outcomes) != GP_EXIT_YES) {
        point->refused = first_error(&w->flow.diags);
        return;
    }
    if (outcomes.count != 1)
        gp_complain(cli, GP_EXIT_USAGE, "a sweep needs one plan; the input has %zu",
                    outcomes.count);
    if (!job->described) {
        job->described = true;
        job->describe(job, outcomes.items[0].report);
    }
    gp_study_fill(cli->arena, job->study, outcomes.items[0].report, point);
}

/* ---- what is kept of it */

/* NULL: there is none. */
static const char *kept_text(worker *w, const char *text) {
    for (size_t i = 0; i < RECENT && i < w->text_count; i++)
        if (gp_str_equal(w->texts[i], text))
            return w->texts[i];
    return text == NULL ? NULL
                        : (w->texts[w->text_count++ % RECENT] =
                               gp_arena_strndup(w->kept, text, strlen(text)));
}

static bool same_outcome(const outcome *a, const gp_study_point *b) {
    bool same = a->feasible == b->feasible && gp_str_equal(a->refused, b->refused) &&
                a->verdict_count == b->verdicts.count;
    for (size_t i = 0; same && i < a->verdict_count; i++)
        same = gp_str_equal(a->verdicts[i].workload, b->verdicts.items[i].workload) &&
               gp_str_equal(a->verdicts[i].scale, b->verdicts.items[i].scale);
    return same;
}

static const outcome *kept_outcome(worker *w, const gp_study_point *point) {
    for (size_t i = 0; i < RECENT && i < w->outcome_count; i++)
        if (same_outcome(w->outcomes[i], point))
            return w->outcomes[i];
    outcome *it = GP_NEW(w->kept, outcome);
    gp_study_verdict *verdicts = GP_NEW_ARRAY(w->kept, gp_study_verdict, point->verdicts.count + 1);
    for (size_t i = 0; i < point->verdicts.count; i++)
        verdicts[i] = (gp_study_verdict){kept_text(w, point->verdicts.items[i].workload),
                                         kept_text(w, point->verdicts.items[i].scale)};
    *it = (outcome){point->feasible, kept_text(w, point->refused), point->verdicts.count, verdicts};
    return w->outcomes[w->outcome_count++ % RECENT] = it;
}

static void keep(worker *w, int64_t place, const gp_study_point *point) {
    run *r = w->run;
    const gp_study *study = r->job->study;
    cell *cells = &r->cells[place * (int64_t)study->metrics.count];
    for (size_t i = 0; i < study->metrics.count; i++) {
        const bool there = i < point->figures.count;
        if (study->metrics.items[i].word)
            cells[i].text = there ? kept_text(w, point->figures.items[i].text) : NULL;
        else
            cells[i].value = there ? point->figures.items[i].value : GP_REPORT_NO_REAL;
    }
    r->outcomes[place] = kept_outcome(w, point);
}

/* ---- what is kept as points again */

static gp_status to_first(void *of) {
    run *r = of;
    r->at = 0;
    return GP_OK;
}

static gp_status next_point(void *of, gp_arena *arena, gp_study_point *ret, bool *ret_more) {
    run *r = of;
    const gp_study *study = r->job->study;
    const size_t metrics = study->metrics.count;
    *ret_more = r->at < r->job->count;
    if (!*ret_more)
        return GP_OK;
    const outcome *kept = r->outcomes[r->at];
    const cell *cells = &r->cells[r->at * (int64_t)metrics];
    *ret = (gp_study_point){
        .number = r->job->first + r->at++, .refused = kept->refused, .feasible = kept->feasible};
    ret->verdicts.items = GP_NEW_ARRAY(arena, gp_study_verdict, kept->verdict_count + 1);
    ret->figures.items = GP_NEW_ARRAY(arena, gp_study_figure, metrics + 1);
    sets_of(arena, r->job, ret);
    for (size_t i = 0; i < kept->verdict_count; i++)
        GP_NEXT(ret->verdicts) = kept->verdicts[i];
    for (size_t i = 0; i < metrics && kept->refused == NULL; i++) {
        const bool word = study->metrics.items[i].word;
        GP_NEXT(ret->figures) =
            (gp_study_figure){.value = word ? GP_REPORT_NO_REAL : cells[i].value,
                              .text = word ? cells[i].text : NULL};
    }
    return GP_OK;
}

/* ---- threads */

static void show_progress(run *r) {
    if (!r->watched || time(NULL) - r->begin < PROGRESS_AFTER_S)
        return;
    r->shown = true;
    (void)fprintf(stderr, "\rgpuplan sweep: %lld of %lld points ", (long long)r->done,
                  (long long)r->job->count);
}

/* All that a point may look up is read, so that what a point adds to the arena can go. */
static void open_catalog(worker *w) {
    (void)gp_catalog_load_all(w->flow.catalog);
    w->mark = gp_arena_set_mark(w->cli->arena);
    w->opened = true;
}

/* The first point of a thread completes its catalogue; the others leave nothing behind. */
static void run_point(worker *w, int64_t place) {
    gp_study_point point = {.number = w->run->job->first + place};
    if (!w->opened) {
        size_point(w, w->cli, &point);
        keep(w, place, &point);
        open_catalog(w);
        return;
    }
    gp_cli scratch = *w->cli;
    const gp_arena_mark mark = gp_arena_set_mark(w->scratch);
    scratch.arena = w->scratch;
    scratch.inputs = NULL;
    scratch.input_count = scratch.input_capacity = 0;
    scratch.settings.quiet = true;
    size_point(w, &scratch, &point);
    keep(w, place, &point);
    gp_arena_release(w->scratch, mark);
    gp_arena_release(w->cli->arena, w->mark);
}

static void note_failure(run *r, int64_t place) {
    long long failed = r->failed;
    while (place < failed && !atomic_compare_exchange_weak(&r->failed, &failed, place))
        continue;
}

/* The points of a chunk, from the one in hand on. */
static gp_status run_chunk(void *of) {
    worker *w = of;
    run *r = w->run;
    const int64_t end = w->at + CHUNK < r->job->count ? w->at + CHUNK : r->job->count;
    for (; w->at < end; w->at++) {
        run_point(w, w->at);
        r->done++;
        if (w->main)
            show_progress(r);
    }
    return GP_OK;
}

/* Every thread has an arena of its own, and leaves by a door of its own. */
static void *work(void *of) {
    worker *w = of;
    run *r = w->run;
    for (;;) {
        w->at = atomic_fetch_add(&r->next, CHUNK);
        if (w->at >= r->job->count || w->at > r->failed)
            return NULL;
        if (gp_arena_guard(w->cli->arena, run_chunk, w) != GP_OK) {
            note_failure(r, w->at);
            return NULL;
        }
    }
}

static gp_status fill_worker(void *of) {
    worker *w = of;
    const gp_arena *arena = w->cli->arena;
    w->scratch = gp_arena_beside(arena, arena_max_bytes);
    w->kept = gp_arena_beside(arena, arena_max_bytes);
    w->memory = gp_plan_memory_new(arena);
    if (w->main)
        w->flow = w->run->job->flow;
    else
        gp_flow_reopen(w->cli, &w->run->job->flow, &w->flow);
    return GP_OK;
}

static bool open_worker(run *r, worker *w) {
    gp_sweep_job *job = r->job;
    w->run = r;
    w->cli = job->cli;
    if (!w->main) {
        w->own = *job->cli;
        w->cli = &w->own;
        w->own.arena = gp_arena_new(arena_max_bytes);
        w->own.error = &w->error;
        w->own.muted = w->own.settings.quiet = true;
        w->own.inputs = NULL;
        w->own.input_count = w->own.input_capacity = 0;
    }
    return w->cli->arena != NULL && gp_arena_guard(w->cli->arena, fill_worker, w) == GP_OK;
}

static int64_t threads_of(const gp_sweep_job *job) {
    const int64_t asked = job->cli->settings.jobs;
    const int64_t cores = asked > 0 ? asked : (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t chunks = (job->count + CHUNK - 1) / CHUNK;
    const int64_t most = cores < chunks ? cores : chunks;
    return most < 1 ? 1 : most > THREADS_MAX ? THREADS_MAX : most;
}

/* The main thread is one of them. Fewer than asked for do as well. */
static void run_threads(run *r, int64_t count) {
    worker *workers = r->workers;
    int64_t started = 1;
    while (started < count && open_worker(r, &workers[started]) &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    (void)work(&workers[0]);
    for (int64_t i = 1; i < started; i++)
        (void)pthread_join(workers[i].thread, NULL);
    if (r->shown)
        (void)fprintf(stderr, "\r%*s\r", 60, "");
}

static void run_all(run *r) {
    gp_cli *cli = r->job->cli;
    worker *main = &r->workers[0];
    main->main = true;
    if (!open_worker(r, main))
        gp_arena_exhausted(cli->arena);
    /* What is kept of points follows from the first of all parts. */
    gp_study_point first = {.number = 1};
    if (r->job->first > 1 && !r->job->described)
        size_point(main, cli, &first);
    run_point(main, 0);
    r->done = 1;
    cli->muted = true;
    run_threads(r, threads_of(r->job));
    cli->muted = false;
    if (r->failed == r->job->count)
        return;
    /* Alone it may have the memory that it had not; what it says outlives the workers. */
    gp_study_point failed = {.number = r->job->first + r->failed};
    const bool quiet = cli->settings.quiet;
    cli->settings.quiet = true;
    size_point(main, cli, &failed);
    cli->settings.quiet = quiet;
    gp_arena_exhausted(cli->arena);
}

void gp_sweep_run(gp_sweep_job *job) {
    gp_cli *cli = job->cli;
    const size_t count = (size_t)job->count;
    run *r = GP_NEW(cli->arena, run);
    *r = (run){.job = job, .watched = gp_terminal_watched(), .begin = time(NULL)};
    r->next = 1;
    r->failed = job->count;
    r->workers = GP_NEW_ARRAY(cli->arena, worker, THREADS_MAX);
    r->outcomes = GP_NEW_ARRAY(cli->arena, const outcome *, count + 1);
    r->cells = GP_NEW_ARRAY(cli->arena, cell, count * GP_STUDY_METRICS_MAX + 1);
    job->study->source = (gp_study_source){to_first, next_point, r};
    job->kept = r;
    run_all(r);
}

void gp_sweep_free(gp_sweep_job *job) {
    const run *r = job->kept;
    for (int i = 0; r != NULL && i < THREADS_MAX; i++) {
        const worker *w = &r->workers[i];
        gp_arena_free(w->scratch);
        gp_arena_free(w->kept);
        gp_plan_memory_free(w->memory);
        gp_arena_free(w->own.arena);
    }
}
