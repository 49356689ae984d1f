/*
 * The report: one typed model of the answer, in the shape and key order of report.json. Renderers
 * read it and nothing else. Figures are frozen when gp_report_build returns; findings may be
 * appended after. All strings and lists live in the arena of the builder, or are constants.
 *
 * A figure that does not apply (a latency of a training job) or is not known is absent: a double is
 * GP_REPORT_NO_REAL (a NaN), a count GP_REPORT_NO_COUNT, a string or optional struct NULL. JSON
 * prints null for it, or leaves the key out where the row says so and within dense lists.
 */
#ifndef GPUPLAN_REPORT_H
#define GPUPLAN_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <gpuplan/diag.h>
#include <gpuplan/units.h>

#define GP_REPORT_NO_REAL  ((double)NAN)
#define GP_REPORT_NO_COUNT INT64_MIN

/* ---------------------------------------------------------------- descriptors */

typedef struct gp_report_struct gp_report_struct;

typedef enum gp_report_kind {
    GP_REPORT_STRING,   /* const char * */
    GP_REPORT_BOOL,     /* bool */
    GP_REPORT_COUNT,    /* int64_t */
    GP_REPORT_REAL,     /* double, printed with 6 significant digits */
    GP_REPORT_EXACT,    /* double, printed in full: bytes as whole numbers, money to the cent */
    GP_REPORT_BAND,     /* gp_report_band: three keys, <key>, <key>Low, <key>High */
    GP_REPORT_STRUCT,   /* nested struct by value */
    GP_REPORT_OPTIONAL, /* pointer to the nested struct, or NULL */
    GP_REPORT_LIST      /* GP_LIST of the nested struct; without one of const char *, or of int64_t
                           where it has the dimension of a count */
} gp_report_kind;

typedef struct gp_report_field {
    const char *key;
    gp_report_kind kind;
    size_t offset;
    gp_dim dim;                     /* of REAL, EXACT, BAND; base units */
    const gp_report_struct *nested; /* STRUCT, OPTIONAL, LIST of structs */
    const char *const *words;       /* STRING: the only words, NULL-terminated; NULL: free text */
    bool omit_absent;               /* an absent value has no key at all */
    bool dense;                     /* LIST: long, so that what is absent in it has no key */
    bool whole;                     /* STRUCT: what is absent in it is null, also in a dense list */
    const char *help;               /* one sentence */
} gp_report_field;

struct gp_report_struct {
    const char *name; /* "candidate": for docs and the JSON Schema */
    size_t size;
    const gp_report_field *fields;
    size_t field_count;
    const char *name_key; /* list items are addressed by this key in paths, or NULL: by index */
    size_t dim_offset;    /* of a gp_dim that is not written, but follows from "unit"; 0: none */
    const char *help;
};

typedef struct gp_report_band {
    double expected, low, high;
} gp_report_band;

/* ---------------------------------------------------------------- the report */

/* Every struct, down to gp_report itself, as its rows describe it. */
#define GP_ROWS <gpuplan/report.def>
#include <gpuplan/rows.def>

/* Highest level among the findings that are not waived; -1 when there is none. An infeasible
 * workload is an error. */
int gp_report_worst_level(const gp_report *report);
/* "holds"; "fails" where a finding that is not waived has the level; "notAssessed" where all that
 * have it say that something could not be judged. */
const char *gp_report_verdict(const gp_report *report, int level);

/* Most GPUs that claims hold at one time: runs that follow each other hold the same ones. */
int64_t gp_report_gpus_at_once(const gp_report_claim *claims, size_t count);

/* ---------------------------------------------------------------- reading back */

typedef GP_LIST(gp_report *) gp_report_list;

/* The report, or the list of reports, that `text` (JSON) holds. Keys of later versions are passed
 * over. GP_ERR_INPUT with diagnostics; strings point into the text. */
gp_status gp_report_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                          gp_report_list *ret_reports);

/* ---------------------------------------------------------------- walking */

typedef enum gp_report_event_kind {
    GP_REPORT_OPEN_STRUCT,
    GP_REPORT_CLOSE_STRUCT,
    GP_REPORT_OPEN_LIST,
    GP_REPORT_CLOSE_LIST,
    GP_REPORT_VALUE
} gp_report_event_kind;

typedef struct gp_report_value {
    gp_report_kind kind; /* STRING, BOOL, COUNT, REAL or EXACT */
    gp_dim dim;
    bool absent;
    const char *text;
    bool flag;
    int64_t count;
    double real;
} gp_report_value;

typedef struct gp_report_event {
    gp_report_event_kind kind;
    const char *key; /* NULL for list items and the root */
    gp_report_value value;
    const gp_report_struct *type; /* of the struct */
    bool dense;                   /* of the list */
} gp_report_event;

typedef gp_status gp_report_visit(void *context, const gp_report_event *event);

/* Visits all of `object` in the order of its rows, but what is absent in dense lists; a status
 * other than GP_OK ends the walk. */
gp_status gp_report_walk(const gp_report_struct *type, const void *object, gp_report_visit *visit,
                         void *context);

/* The value at a dotted path ("memory.headroomFraction", "workloads.chat.recommendation.scale",
 * "site.racks.0.count"). NOT_FOUND: *ret_nearest (may be NULL) is the nearest key at the step that
 * failed, or NULL. A path that ends at a struct or list is not found either. */
gp_status gp_report_find(const gp_report_struct *type, const void *object, const char *path,
                         gp_report_value *ret_value, const char **ret_nearest);

/* Whether a path can lead to a figure, whatever the names of list items are. NOT_FOUND as above;
 * else the kind and dimension of what it leads to. */
gp_status gp_report_path_check(const gp_report_struct *type, const char *path,
                               gp_report_kind *ret_kind, gp_dim *ret_dim, const char **ret_nearest);

/* JSON Schema (draft-07) of report.json. */
gp_status gp_report_schema_json(gp_arena *arena, const char **ret_text);

/* ---------------------------------------------------------------- rules and checks */

/* The findings a report can hold. */
typedef struct gp_report_rule {
    const char *id;    /* "GP2001" */
    const char *level; /* note | warning | error */
    const char *title;
    const char *check; /* the check it counts for, or NULL */
    double threshold;  /* the fraction or figure it compares with; 0: none of its own */
    bool is_open;      /* it says that something was not judged, not that it was missed */
    const char *needs; /* how the keys begin without which it is not judged; NULL: none */
    const char *unless; /* the rule that finds that it was not judged; NULL: none */
    const char *help;  /* meaning and what to do */
} gp_report_rule;

extern const gp_report_rule gp_report_rules[];
extern const size_t gp_report_rule_count;
/* NULL: no such rule. */
const gp_report_rule *gp_report_rule_named(const char *id);
/* "first token (p95)" for ttftP95, "duration of a run" for maxDuration; NULL: no memory. */
const char *gp_report_goal_words(gp_arena *arena, const char *name);

#endif
