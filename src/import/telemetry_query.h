/* Queries out of the table, answers into rows of numbers: what the readings are made of. */
#ifndef GP_IMPORT_TELEMETRY_QUERY_H
#define GP_IMPORT_TELEMETRY_QUERY_H

#include "import/telemetry.h"

/* What is asked of one metric, in order; the last two only where the first gave nothing. */
typedef enum gp_telemetry_step {
    GP_TELEMETRY_ASK_VALUES,
    GP_TELEMETRY_ASK_BLANKS,
    GP_TELEMETRY_ASK_PRESENCE,
    GP_TELEMETRY_STEP_COUNT
} gp_telemetry_step;

typedef struct gp_telemetry_label {
    const char *name, *value;
} gp_telemetry_label;

/* One series of an answer. `numbers` has what was finite; `bad` counts the rest. */
typedef struct gp_telemetry_row {
    size_t label_count;
    const gp_telemetry_label *labels;
    size_t count;
    double *numbers;
    int64_t bad;
} gp_telemetry_row;

typedef struct gp_telemetry_answer {
    size_t count;
    const gp_telemetry_row *rows;
    const char *problem; /* of GP_ERR_INPUT */
} gp_telemetry_answer;

/* The label that tells the subjects of a scope apart; "" for none. */
const char *gp_telemetry_group_label(gp_telemetry_scope scope);
/* The PromQL of a step. */
gp_status gp_telemetry_query(gp_arena *arena, const gp_telemetry_metric *metric,
                             gp_telemetry_step step, const gp_telemetry_options *options,
                             const char **ret_query);
/* Seconds between two values of a series. */
double gp_telemetry_step_s(const gp_telemetry_options *options);
/* Path and form of the request for a query. */
gp_status gp_telemetry_request_of(gp_arena *arena, const gp_telemetry_metric *metric,
                                  gp_telemetry_step step, const gp_telemetry_options *options,
                                  const char *query, gp_telemetry_request *ret_request);

/* Reads a body of the query API; warnings are added to `telemetry`. */
gp_status gp_telemetry_parse(gp_telemetry *telemetry, long http_status, const gp_text *body,
                             gp_telemetry_answer *ret_answer);
/* The value of a label, "" where there is none. */
const char *gp_telemetry_label_of(const gp_telemetry_row *row, const char *name);

/* Fills the figures of one reading from a series, whose numbers are sorted on the way.
 * GP_ERR_NOT_FOUND: none of them is in range. */
gp_status gp_telemetry_summarize(gp_arena *arena, const gp_telemetry_metric *metric,
                                 const gp_telemetry_row *row, gp_telemetry_reading *reading);
/* The same from the buckets of one subject. GP_ERR_NOT_FOUND: nothing was counted. */
gp_status gp_telemetry_histogram(gp_arena *arena, const gp_telemetry_answer *answer,
                                 const char *subject_label, gp_telemetry_reading *reading);

#endif
