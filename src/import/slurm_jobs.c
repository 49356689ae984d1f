/* Jobs that Slurm has accounted for, as workloads of a plan: how often each kind of job runs, how
 * long, on how many GPUs. Slurm knows no model: type, model and data are left to whoever plans. */
#include <string.h>

#include "base/index.h"
#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "import/pools.h"
#include "import/sacct.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"
#include "source/node_write.h"

enum { FRAGMENT_MAX = 256 * 1024, KINDS_SHOWN = 20, FAILURES_LEAST = 3, DIGITS = 3, NAME_MAX = 60 };

static const double s_per_hour = 3600;
static const double s_per_day = 86400;
static const double s_per_week = 604800; /* definitions */
static const double percent = 100;

/* Jobs of one name, but for what counts them, on as many GPUs. */
typedef struct kind {
    const char *name;
    const char *gpu; /* "": several, or not told */
    int64_t gpus, nodes;
    int64_t jobs, completed, lost, unfinished;
    double gpu_s;
} kind;

typedef struct book {
    gp_arena *arena;
    gp_found *found; /* for notes */
    const gp_sacct *sacct;
    size_t *kind_of; /* by job */
    gp_index names;  /* and GPUs of a kind -> its place */
    kind *kinds;
    size_t count, cap;
    double *work;           /* room for a number of each job */
    double first_s, last_s; /* of the accounts; last < first: not told */
    double gpu_s;
    int64_t lost;
} book;

/* ---- kinds */

/* "Pretrain 8B_0017" -> "pretrain-8b": lower case, and without the number that counts runs. */
static const char *stem_of(gp_arena *arena, const char *name) {
    size_t len = strlen(name) < NAME_MAX ? strlen(name) : NAME_MAX;
    char *stem = gp_arena_alloc(arena, len + 4, 1);
    size_t out = 0;
    for (size_t i = 0; i < len; i++) {
        char c = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (plain || (out > 0 && stem[out - 1] != '-'))
            stem[out++] = plain ? c : '-';
    }
    size_t end = out;
    while (end > 0 && stem[end - 1] >= '0' && stem[end - 1] <= '9')
        end--;
    out = end > 1 && end < out && (stem[end - 1] == '-' || stem[end - 1] == '.') ? end : out;
    while (out > 0 && (stem[out - 1] == '-' || stem[out - 1] == '.'))
        out--;
    memcpy(stem + out, out > 0 ? "" : "job", out > 0 ? 1 : 4);
    return stem;
}

static void find_kind(book *b, const gp_sacct_job *job, size_t *ret_at) {
    const char *name = stem_of(b->arena, job->name);
    const char *key = gp_arena_printf(b->arena, "%s|%lld", name, (long long)job->gpus);
    bool added = false;
    gp_index_add(&b->names, key, strlen(key), b->count, &added, ret_at);
    if (!added)
        return;
    *ret_at = b->count;
    GP_PUSH(b->arena, b->kinds, b->count, b->cap) =
        (kind){.name = name, .gpu = job->gpu, .gpus = job->gpus};
}

static bool is_unfinished(const gp_sacct_job *job) {
    return gp_str_equal(job->state, "RUNNING") || gp_str_equal(job->state, "SUSPENDED");
}

static void count_job(book *b, kind *k, const gp_sacct_job *job) {
    double gpu_s = (double)job->gpus * job->elapsed_s;
    k->jobs++;
    k->completed += gp_str_equal(job->state, "COMPLETED") ? 1 : 0;
    k->lost += gp_str_equal(job->state, "NODE_FAIL") ? 1 : 0;
    k->unfinished += is_unfinished(job) ? 1 : 0;
    k->nodes = gp_num_max_i64(k->nodes, job->nodes);
    k->gpu = gp_str_equal(k->gpu, job->gpu) ? k->gpu : "";
    k->gpu_s += gpu_s;
    b->gpu_s += gpu_s;
    b->lost += gp_str_equal(job->state, "NODE_FAIL") ? 1 : 0;
    if (job->start_s >= 0) {
        bool first = b->last_s < b->first_s;
        b->first_s = first ? job->start_s : gp_num_min(b->first_s, job->start_s);
        b->last_s = first ? job->start_s + job->elapsed_s
                          : gp_num_max(b->last_s, job->start_s + job->elapsed_s);
    }
}

static void count_jobs(book *b) {
    for (size_t i = 0; i < b->sacct->count; i++) {
        find_kind(b, &b->sacct->jobs[i], &b->kind_of[i]);
        count_job(b, &b->kinds[b->kind_of[i]], &b->sacct->jobs[i]);
    }
}

/* ---- figures */

typedef double measure(const gp_sacct_job *job);

/* Negative: the job does not tell. */
static double wall_time(const gp_sacct_job *job) {
    return is_unfinished(job) ? -1 : job->elapsed_s;
}

static double queue_time(const gp_sacct_job *job) {
    return job->submit_s >= 0 && job->start_s >= job->submit_s ? job->start_s - job->submit_s : -1;
}

/* Of the jobs of a kind that completed, or of all where fewer than three did: median and 95th
 * percentile by the nearest rank. False where none tells. */
static bool spread_of(book *b, size_t at, measure *of, double *ret_p50, double *ret_p95) {
    enum { COMPLETED_LEAST = 3 };
    static const double rank = 0.95;
    bool all = b->kinds[at].completed < COMPLETED_LEAST;
    size_t count = 0;
    for (size_t i = 0; i < b->sacct->count; i++) {
        const gp_sacct_job *job = &b->sacct->jobs[i];
        if (b->kind_of[i] == at && (all || gp_str_equal(job->state, "COMPLETED")) && of(job) >= 0)
            b->work[count++] = of(job);
    }
    if (count == 0)
        return false;
    gp_sort(b->arena, b->work, count, sizeof *b->work, gp_by_number, NULL);
    *ret_p50 = b->work[(count - 1) / 2];
    *ret_p95 = b->work[gp_num_ceil_count(rank * (double)count) - 1];
    return true;
}

/* Machines that were held: on average, and most at a time. */
typedef struct event {
    double at_s;
    int64_t nodes; /* below 0: given back */
} event;

static int by_time(const void *a, const void *b, const void *context) {
    const event *x = a;
    const event *y = b;
    (void)context;
    if (x->at_s < y->at_s || x->at_s > y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    return x->nodes < y->nodes ? -1 : x->nodes > y->nodes ? 1 : 0;
}

static void held(const book *b, double *ret_mean, int64_t *ret_most) {
    event *events = GP_NEW_ARRAY(b->arena, event, 2 * b->sacct->count + 1);
    size_t count = 0;
    int64_t now = 0;
    double node_s = 0;
    for (size_t i = 0; i < b->sacct->count; i++) {
        const gp_sacct_job *job = &b->sacct->jobs[i];
        if (job->start_s >= 0) {
            events[count++] = (event){job->start_s, job->nodes};
            events[count++] = (event){job->start_s + job->elapsed_s, -job->nodes};
            node_s += (double)job->nodes * job->elapsed_s;
        }
    }
    gp_sort(b->arena, events, count, sizeof *events, by_time, NULL);
    *ret_most = 0;
    for (size_t i = 0; i < count; i++) {
        now += events[i].nodes;
        *ret_most = gp_num_max_i64(*ret_most, now);
    }
    *ret_mean = node_s / (b->last_s - b->first_s);
}

/* ---- text */

static void put_time(gp_buf *buf, double time_s) {
    bool short_time = time_s < s_per_hour;
    gp_buf_number(buf, short_time ? time_s / 60 : time_s / s_per_hour, DIGITS);
    gp_buf_str(buf, short_time ? " min" : " h");
}

static void put_count(gp_buf *buf, int64_t count, const char *one, const char *several) {
    gp_buf_printf(buf, "%lld %s", (long long)count, count == 1 ? one : several);
}

static void put_spread(book *b, gp_buf *buf, size_t at, const char *word, measure *of,
                       double *ret_p95) {
    double p50 = 0;
    if (spread_of(b, at, of, &p50, ret_p95)) {
        gp_buf_printf(buf, "; %s ", word);
        put_time(buf, p50);
        gp_buf_str(buf, " median, ");
        put_time(buf, *ret_p95);
        gp_buf_str(buf, " p95");
    }
}

static void put_comment(book *b, gp_buf *buf, size_t at, double *ret_wall_s) {
    const kind *k = &b->kinds[at];
    double queued_s = 0;
    gp_buf_str(buf, "    # ");
    put_count(buf, k->jobs, "job", "jobs");
    gp_buf_str(buf, " of ");
    put_count(buf, k->gpus, "GPU", "GPUs");
    if (k->gpu[0] != '\0')
        gp_buf_printf(buf, " (%s)", gp_shown(b->arena, k->gpu, strlen(k->gpu)));
    gp_buf_str(buf, " on ");
    put_count(buf, k->nodes, "machine", "machines");
    gp_buf_printf(buf, ": %lld completed", (long long)k->completed);
    if (k->lost > 0)
        gp_buf_printf(buf, ", %lld ended by NODE_FAIL", (long long)k->lost);
    if (k->unfinished > 0)
        gp_buf_printf(buf, ", %lld not done yet", (long long)k->unfinished);
    gp_buf_str(buf, "; ");
    gp_buf_number(buf, percent * k->gpu_s / b->gpu_s, DIGITS);
    gp_buf_str(buf, " % of the GPU-hours");
    put_spread(b, buf, at, "ran", wall_time, ret_wall_s);
    put_spread(b, buf, at, "waited", queue_time, &queued_s);
    gp_buf_char(buf, '\n');
}

static bool has_namesake(const book *b, size_t at) {
    for (size_t i = 0; i < b->count; i++)
        if (i != at && gp_str_equal(b->kinds[i].name, b->kinds[at].name))
            return true;
    return false;
}

static void put_kind(book *b, gp_buf *buf, size_t at) {
    const kind *k = &b->kinds[at];
    const bool twice = has_namesake(b, at);
    const double span_s = b->last_s - b->first_s;
    double wall_s = 0;
    const char *name =
        twice ? gp_arena_printf(b->arena, "%s-%lld", k->name, (long long)k->gpus) : k->name;
    name = name == NULL ? "job" : name; /* short memory shows at the next turn */
    gp_buf_str(buf, "  - name: ");
    gp_yaml_scalar(buf, name, strlen(name));
    gp_buf_char(buf, '\n');
    put_comment(b, buf, at, &wall_s);
    if (span_s >= s_per_day) {
        gp_buf_str(buf, "    jobs: {perWeek: ");
        gp_buf_number(buf, (double)k->jobs * s_per_week / span_s, DIGITS);
        gp_buf_str(buf, "}\n");
    }
    if (wall_s > 0 && k->completed > 0) { /* what never ended by itself tells no duration */
        gp_buf_str(buf, "    goal: {maxDuration: ");
        put_time(buf, wall_s);
        gp_buf_str(buf, "}\n");
    }
    if (b->lost >= FAILURES_LEAST) {
        gp_buf_str(buf, "    run: {mttf: ");
        put_time(buf, b->gpu_s / (double)b->lost);
        gp_buf_str(buf, "}\n");
    }
}

static int by_weight(const void *a, const void *b, const void *context) {
    const kind *kinds = context;
    const kind *x = &kinds[*(const size_t *)a];
    const kind *y = &kinds[*(const size_t *)b];
    if (x->gpu_s > y->gpu_s || x->gpu_s < y->gpu_s)
        return x->gpu_s > y->gpu_s ? -1 : 1;
    int names = gp_str_compare(x->name, y->name);
    return names != 0 ? names : x->gpus < y->gpus ? -1 : 1;
}

static gp_status put_kinds(book *b, gp_buf *buf) {
    size_t *order = GP_NEW_ARRAY(b->arena, size_t, b->count + 1);
    double rest_s = 0;
    for (size_t i = 0; i < b->count; i++)
        order[i] = i;
    gp_sort(b->arena, order, b->count, sizeof *order, by_weight, b->kinds);
    gp_status st = GP_OK;
    gp_buf_str(buf, "workloads:\n");
    for (size_t i = 0; st == GP_OK && i < b->count; i++)
        if (i < KINDS_SHOWN)
            put_kind(b, buf, order[i]);
        else
            rest_s += b->kinds[order[i]].gpu_s;
    if (b->count > KINDS_SHOWN) {
        const char *text = NULL;
        gp_buf share = GP_BUF(b->arena, FRAGMENT_MAX);
        gp_buf_printf(&share, "%zu further kinds of jobs, with ", b->count - KINDS_SHOWN);
        gp_buf_number(&share, percent * rest_s / b->gpu_s, DIGITS);
        gp_buf_str(&share, " % of the GPU-hours, are left out");
        st = gp_buf_finish(&share, &text, NULL);
        gp_found_note(b->found, text);
    }
    return st;
}

static void note_times(book *b) {
    gp_arena *arena = b->arena;
    double span_s = b->last_s - b->first_s;
    if (!(span_s > 0)) {
        gp_found_note(
            b->found,
            "no times are told, and so no jobs.perWeek: ask sacct for Submit, Start and End too");
    } else if (span_s < s_per_day) {
        gp_found_note(b->found, "the accounts are of less than a day: too short for jobs.perWeek");
    }
    if (b->lost > 0 && b->lost < FAILURES_LEAST)
        gp_found_note(b->found,
                      gp_arena_printf(arena,
                                      "%lld of the jobs ended by NODE_FAIL: too few for run.mttf",
                                      (long long)b->lost));
}

static gp_status note_held(book *b) {
    double mean = 0;
    int64_t most = 0;
    const char *text = NULL;
    if (!(b->last_s > b->first_s))
        return GP_OK;
    held(b, &mean, &most);
    gp_buf buf = GP_BUF(b->arena, FRAGMENT_MAX);
    gp_buf_str(&buf, "the jobs held ");
    gp_buf_number(&buf, mean, DIGITS);
    gp_buf_printf(&buf,
                  " machines on average, %lld at most; those of jobs that stay outside the plan "
                  "belong into cluster.pools[].inUse",
                  (long long)most);
    gp_status st = gp_buf_finish(&buf, &text, NULL);
    gp_found_note(b->found, text);
    return st;
}

gp_status gp_import_jobs_read(gp_found *found, const gp_text *text, gp_import_pools *ret) {
    gp_sacct sacct;
    gp_status st = gp_sacct_read(found->arena, text, found->diags, &sacct);
    book b = {.arena = found->arena, .found = found, .sacct = &sacct, .last_s = -1};
    if (st != GP_OK)
        return st;
    if (sacct.count == 0) {
        gp_diags_error(found->diags, GP_ID_EMPTY, (gp_span){.text = text}, NULL, NULL,
                       "%s tells of no job that ran on GPUs", found->file);
        return GP_ERR_INPUT;
    }
    gp_index_init(&b.names, found->arena);
    b.kind_of = GP_NEW_ARRAY(found->arena, size_t, sacct.count);
    b.work = GP_NEW_ARRAY(found->arena, double, sacct.count);
    count_jobs(&b);
    gp_buf buf = GP_BUF(found->arena, FRAGMENT_MAX);
    st = put_kinds(&b, &buf);
    if (st == GP_OK) {
        note_times(&b);
        st = note_held(&b);
    }
    ret->notes.items = found->notes;
    ret->notes.count = found->note_count;
    ret->what = "Jobs that ran; Slurm knows no type, model and data";
    return st == GP_OK ? gp_buf_finish(&buf, &ret->fragment, NULL) : st;
}
