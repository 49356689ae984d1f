/*
 * The walk over the table: for each figure the query of its values, and where they are none what
 * the reason is: nobody exports it, only blanks, or nothing happened. A figure that is missing is
 * said to be missing; it is never read as zero.
 */
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "import/telemetry_query.h"

void gp_telemetry_open(gp_arena *arena, const gp_telemetry_options *options,
                       gp_telemetry **ret_telemetry) {
    gp_telemetry *telemetry = GP_NEW(arena, gp_telemetry);
    telemetry->arena = arena;
    telemetry->options = *options;
    *ret_telemetry = telemetry;
}

static const gp_telemetry_metric training_rate = {
    .id = "trainingRate",
    .scope = GP_TELEMETRY_MACHINE,
    .dim = GP_DIM_PER_S,
    .factor = 1,
    .least = 0,
    .most = 1e12, /* tokens per second: beyond every cluster */
    .names = "--tokens",
    .enable = "--tokens NAME=QUERY",
    .help = "Tokens per second of one run of training.",
};

static const gp_telemetry_metric *current(const gp_telemetry *telemetry) {
    return &gp_telemetry_metrics[telemetry->at];
}

/* NULL: the walk is in the table yet, or all is read. */
static const gp_telemetry_ask *asked(const gp_telemetry *telemetry) {
    const gp_telemetry_options *options = &telemetry->options;
    size_t at = telemetry->at - gp_telemetry_metric_count;
    return telemetry->at >= gp_telemetry_metric_count && at < options->ask_count
               ? &options->asks[at]
               : NULL;
}

gp_status gp_telemetry_next(gp_telemetry *telemetry, gp_telemetry_request *ret_request) {
    const gp_telemetry_ask *ask = asked(telemetry);
    if (ask != NULL)
        return gp_telemetry_request_of(telemetry->arena, &training_rate, GP_TELEMETRY_ASK_VALUES,
                                       &telemetry->options, ask->query, ret_request);
    if (telemetry->at >= gp_telemetry_metric_count)
        return GP_ERR_NOT_FOUND;
    const char *query = NULL;
    gp_telemetry_step step = (gp_telemetry_step)telemetry->step;
    gp_status st =
        gp_telemetry_query(telemetry->arena, current(telemetry), step, &telemetry->options, &query);
    return st == GP_OK ? gp_telemetry_request_of(telemetry->arena, current(telemetry), step,
                                                 &telemetry->options, query, ret_request)
                       : st;
}

static void go_on(gp_telemetry *telemetry, gp_telemetry_step step) {
    telemetry->step = (int)step;
    if (step == GP_TELEMETRY_STEP_COUNT) {
        telemetry->step = GP_TELEMETRY_ASK_VALUES;
        telemetry->at++;
    }
}

static void add_reading(gp_telemetry *telemetry, const gp_telemetry_reading *reading) {
    GP_PUSH(telemetry->arena, telemetry->readings.items, telemetry->readings.count,
            telemetry->capacities[0]) = *reading;
}

/* ---- values */

static double label_number(const gp_telemetry_row *row, const char *label) {
    const char *text = gp_telemetry_label_of(row, label);
    double number = 0;
    return gp_num_parse(text, strlen(text), &number) ? number : 0;
}

/* An info metric carries blocks and their size as labels; a gauge has the tokens themselves. */
static void read_pool(gp_telemetry_row *row) {
    double tokens = label_number(row, "block_size") * label_number(row, "num_gpu_blocks");
    if (tokens > 0 && row->count > 0)
        row->numbers[0] = tokens;
}

static bool has_subject(const gp_telemetry *telemetry, size_t first, const char *subject) {
    for (size_t i = first; i < telemetry->readings.count; i++)
        if (gp_str_equal(telemetry->readings.items[i].subject, subject))
            return true;
    return false;
}

static gp_status take_row(gp_telemetry *telemetry, const gp_telemetry_answer *answer, size_t index,
                          gp_telemetry_reading *reading) {
    const gp_telemetry_metric *metric = reading->metric;
    gp_telemetry_row row = answer->rows[index];
    if (metric->shape == GP_TELEMETRY_BUCKETS)
        return gp_telemetry_histogram(telemetry->arena, answer,
                                      gp_telemetry_group_label(metric->scope), reading);
    if (metric->shape == GP_TELEMETRY_POOL)
        read_pool(&row);
    return gp_telemetry_summarize(telemetry->arena, metric, &row, reading);
}

static int by_subject(const void *a, const void *b, const void *context) {
    (void)context;
    return gp_str_compare(((const gp_telemetry_reading *)a)->subject,
                          ((const gp_telemetry_reading *)b)->subject);
}

static gp_status take_values(gp_telemetry *telemetry, const gp_telemetry_answer *answer,
                             bool *ret_found) {
    const gp_telemetry_metric *metric = current(telemetry);
    size_t first = telemetry->readings.count;
    const char *query = NULL;
    gp_status st = gp_telemetry_query(telemetry->arena, metric, GP_TELEMETRY_ASK_VALUES,
                                      &telemetry->options, &query);
    for (size_t i = 0; st == GP_OK && i < answer->count; i++) {
        gp_telemetry_reading reading = {.metric = metric, .query = query};
        reading.subject =
            gp_telemetry_label_of(&answer->rows[i], gp_telemetry_group_label(metric->scope));
        if (has_subject(telemetry, first, reading.subject))
            continue;
        st = take_row(telemetry, answer, i, &reading);
        if (st == GP_OK) {
            add_reading(telemetry, &reading);
        } else if (st == GP_ERR_NOT_FOUND) {
            st = GP_OK;
            telemetry->blanks += reading.dropped;
        }
    }
    *ret_found = telemetry->readings.count > first;
    if (st == GP_OK && *ret_found) {
        gp_sort(telemetry->arena, telemetry->readings.items + first,
                telemetry->readings.count - first, sizeof *telemetry->readings.items, by_subject,
                NULL);
        return GP_OK;
    }
    return st;
}

/* ---- why there is nothing */

static const char *first_name(gp_arena *arena, const gp_telemetry_metric *metric) {
    return gp_arena_strndup(arena, metric->names, strcspn(metric->names, " "));
}

static void push_absence(gp_telemetry *telemetry, const gp_telemetry_metric *metric,
                         gp_telemetry_lack lack, const char *reason) {
    GP_PUSH(telemetry->arena, telemetry->absences.items, telemetry->absences.count,
            telemetry->capacities[1]) = (gp_telemetry_absence){metric, lack, reason};
}

static void add_absence(gp_telemetry *telemetry, gp_telemetry_lack lack, int64_t blanks) {
    const gp_telemetry_metric *metric = current(telemetry);
    gp_arena *arena = telemetry->arena;
    const char *name = first_name(arena, metric);
    const char *reason = NULL;
    if (metric->optional && lack != GP_TELEMETRY_BLANK)
        return;
    if (lack == GP_TELEMETRY_MISSING) {
        reason = gp_arena_printf(arena, "%s is not exported: %s", name, metric->enable);
    } else if (lack == GP_TELEMETRY_BLANK) {
        reason = gp_arena_printf(arena,
                                 "%s holds only blanks (%lld of them): the exporter does "
                                 "not know it on these machines",
                                 name, (long long)blanks);
    } else {
        reason =
            gp_arena_printf(arena, "%s is exported, but nothing of it fell into the window", name);
    }
    push_absence(telemetry, metric, lack, reason);
}

static int64_t total_of(const gp_telemetry_answer *answer) {
    double total = 0;
    for (size_t i = 0; i < answer->count; i++)
        total += answer->rows[i].count > 0 ? answer->rows[i].numbers[0] : 0;
    return gp_num_floor_count(total);
}

/* Only where the range is laid on raw values it can be asked what it kept out. */
static bool knows_blanks(const gp_telemetry_metric *metric) {
    return metric->query != NULL && strstr(metric->query, "$X") != NULL;
}

static bool is_last_found(const gp_telemetry *telemetry) {
    size_t count = telemetry->readings.count;
    return count > 0 && telemetry->readings.items[count - 1].metric == current(telemetry);
}

static void take_blanks(gp_telemetry *telemetry, const gp_telemetry_answer *answer) {
    int64_t blanks = total_of(answer);
    telemetry->blanks += blanks;
    if (is_last_found(telemetry)) {
        telemetry->readings.items[telemetry->readings.count - 1].dropped += blanks;
        go_on(telemetry, GP_TELEMETRY_STEP_COUNT);
    } else if (blanks > 0) {
        add_absence(telemetry, GP_TELEMETRY_BLANK, blanks);
        go_on(telemetry, GP_TELEMETRY_STEP_COUNT);
    } else {
        go_on(telemetry, GP_TELEMETRY_ASK_PRESENCE);
    }
}

static gp_status take_answer(gp_telemetry *telemetry, const gp_telemetry_answer *answer) {
    bool found = false;
    const gp_telemetry_metric *metric = current(telemetry);
    gp_status st = GP_OK;
    switch ((gp_telemetry_step)telemetry->step) {
    case GP_TELEMETRY_ASK_VALUES:
        st = take_values(telemetry, answer, &found);
        if (knows_blanks(metric) && (!found || metric->scope == GP_TELEMETRY_DEVICE))
            go_on(telemetry, GP_TELEMETRY_ASK_BLANKS);
        else
            go_on(telemetry, found ? GP_TELEMETRY_STEP_COUNT : GP_TELEMETRY_ASK_PRESENCE);
        return st;
    case GP_TELEMETRY_ASK_BLANKS: take_blanks(telemetry, answer); return GP_OK;
    case GP_TELEMETRY_ASK_PRESENCE:
        add_absence(telemetry, total_of(answer) > 0 ? GP_TELEMETRY_QUIET : GP_TELEMETRY_MISSING, 0);
        st = GP_OK;
        go_on(telemetry, GP_TELEMETRY_STEP_COUNT);
        return st;
    case GP_TELEMETRY_STEP_COUNT: break;
    }
    return GP_ERR_INTERNAL;
}

static gp_status take_ask(gp_telemetry *telemetry, const gp_telemetry_ask *ask,
                          const gp_telemetry_answer *answer) {
    gp_arena *arena = telemetry->arena;
    gp_telemetry_reading reading = {
        .metric = &training_rate, .query = ask->query, .subject = ask->workload};
    telemetry->at++;
    if (answer->count > 1) {
        telemetry->problem = gp_arena_printf(arena,
                                             "the query of --tokens %s gives %zu series, and "
                                             "one is needed: sum() makes one of them",
                                             ask->workload, answer->count);
        return GP_ERR_INPUT;
    }
    gp_status st = answer->count == 0
                       ? GP_ERR_NOT_FOUND
                       : gp_telemetry_summarize(arena, &training_rate, &answer->rows[0], &reading);
    if (st == GP_ERR_NOT_FOUND) {
        push_absence(telemetry, &training_rate, GP_TELEMETRY_QUIET,
                     gp_arena_printf(arena,
                                     "the query of --tokens %s gives nothing in the "
                                     "window",
                                     ask->workload));
        return GP_OK;
    }
    if (st == GP_OK)
        add_reading(telemetry, &reading);
    return st;
}

gp_status gp_telemetry_take(gp_telemetry *telemetry, long http_status, const gp_text *body) {
    gp_telemetry_answer answer;
    const gp_telemetry_ask *ask = asked(telemetry);
    if (ask == NULL && telemetry->at >= gp_telemetry_metric_count)
        return GP_ERR_INTERNAL;
    gp_status st = gp_telemetry_parse(telemetry, http_status, body, &answer);
    telemetry->problem = answer.problem;
    if (st == GP_OK && ask != NULL)
        return take_ask(telemetry, ask, &answer);
    return st == GP_OK ? take_answer(telemetry, &answer) : st;
}

/* ---- looking up */

const gp_telemetry_reading *gp_telemetry_reading_of(const gp_telemetry *telemetry, const char *id,
                                                    const char *subject) {
    for (size_t i = 0; i < telemetry->readings.count; i++) {
        const gp_telemetry_reading *reading = &telemetry->readings.items[i];
        if (gp_str_equal(reading->metric->id, id) &&
            (subject == NULL || gp_str_equal(reading->subject, subject)))
            return reading;
    }
    return NULL;
}

const char *gp_telemetry_absence_of(const gp_telemetry *telemetry, const char *id) {
    for (size_t i = 0; i < telemetry->absences.count; i++)
        if (gp_str_equal(telemetry->absences.items[i].metric->id, id))
            return telemetry->absences.items[i].reason;
    return NULL;
}

static int by_text(const void *a, const void *b, const void *context) {
    (void)context;
    return gp_str_compare(*(const char *const *)a, *(const char *const *)b);
}

void gp_telemetry_subjects(const gp_telemetry *telemetry, gp_telemetry_scope scope,
                           const char *const **ret_names, size_t *ret_count) {
    const char **names =
        GP_NEW_ARRAY(telemetry->arena, const char *, telemetry->readings.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < telemetry->readings.count; i++) {
        const gp_telemetry_reading *reading = &telemetry->readings.items[i];
        bool known = reading->metric->scope != scope || *reading->subject == '\0';
        for (size_t j = 0; !known && j < count; j++)
            known = gp_str_equal(names[j], reading->subject);
        if (!known)
            names[count++] = reading->subject;
    }
    *ret_names = names;
    *ret_count = count;
    gp_sort(telemetry->arena, names, count, sizeof *names, by_text, NULL);
}

static const char *after_slash(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash == NULL || slash[1] == '\0' ? name : slash + 1;
}

/* Lower case letters and digits; 0 for the end. */
static char next_letter(const char **at) {
    for (; **at != '\0'; (*at)++) {
        char c = **at;
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            (*at)++;
            return c;
        }
    }
    return 0;
}

bool gp_telemetry_same_name(const char *a, const char *b) {
    char x = 0;
    if (a == NULL || b == NULL)
        return false;
    a = after_slash(a);
    b = after_slash(b);
    do {
        x = next_letter(&a);
        if (x != next_letter(&b))
            return false;
    } while (x != 0);
    return *a == '\0' && *b == '\0';
}

/* "NVIDIA H200" without its maker. */
static const char *without_maker(const char *name) {
    static const char *const makers[] = {"NVIDIA ", "AMD Instinct ", "AMD "};
    for (size_t i = 0; i < GP_COUNT_OF(makers); i++)
        if (gp_str_starts(name, makers[i]))
            return name + strlen(makers[i]);
    return name;
}

static bool is_gpu(const char *subject, const gp_gpu *gpu) {
    const char *name = without_maker(subject);
    bool same = gp_telemetry_same_name(name, gpu->id);
    for (size_t i = 0; !same && i < gpu->aliases.count; i++)
        same = gp_telemetry_same_name(name, gpu->aliases.items[i]);
    return same;
}

void gp_telemetry_gpu(const gp_telemetry *telemetry, const gp_gpu *gpu, const char **ret_subject) {
    const char *const *names = NULL;
    size_t count = 0;
    gp_telemetry_subjects(telemetry, GP_TELEMETRY_DEVICE, &names, &count);
    *ret_subject = NULL;
    for (size_t i = 0; i < count; i++)
        if (is_gpu(names[i], gpu))
            *ret_subject = names[i];
}
