/* Accounts of jobs: `sacct -X --parsable2`, whose columns are whatever was asked for. Names of jobs
 * are free text and may hold the separator. */
#include "import/sacct.h"

#include <string.h>

#include "base/day.h"
#include "base/num.h"
#include "import/reader.h"
#include "schema/diag_ids.h"

enum { COLUMNS_MAX = 64, GPUS_MAX = 1 << 24 };

static const char expected[] = "sacct -X --parsable2 --format=JobID,JobName,State,Submit,Start,End,"
                               "ElapsedRaw,NNodes,AllocTRES";

typedef enum column {
    COLUMN_ID,
    COLUMN_STATE,
    COLUMN_ELAPSED,
    COLUMN_NODES,
    COLUMN_TRES,
    COLUMN_NEEDED,
    COLUMN_NAME = COLUMN_NEEDED,
    COLUMN_SUBMIT,
    COLUMN_START,
    COLUMN_END,
    COLUMN_COUNT
} column;

static const char *const names[COLUMN_COUNT] = {
    "JobID", "State", "ElapsedRaw", "NNodes", "AllocTRES", "JobName", "Submit", "Start", "End",
};

typedef struct reader {
    gp_arena *arena;
    gp_diags *diags;
    const gp_text *text;
    int columns[COLUMN_COUNT]; /* place in a row, or -1 */
    int count;
    gp_sacct_job *jobs;
    size_t job_count, cap;
    gp_sacct *sacct;
} reader;

static int split(gp_part line, gp_part ret_parts[COLUMNS_MAX]) {
    int count = 0;
    for (bool more = true; more && count < COLUMNS_MAX; count++) {
        more = memchr(line.at, '|', line.len) != NULL;
        ret_parts[count] = gp_part_until(&line, '|');
    }
    return count;
}

static gp_part line_at(const gp_text *text, size_t index) {
    return gp_part_trim(gp_text_part(text, index));
}

static void refuse(reader *r, gp_part cell, const char *id, const char *what) {
    gp_span span = {.text = r->text, .begin = (uint32_t)(cell.at - r->text->data)};
    span.end = span.begin + (uint32_t)(cell.len > 0 ? cell.len : 1);
    gp_diags_error(r->diags, id, span, expected, NULL, "%s", what);
}

bool gp_sacct_is(const gp_text *text) {
    gp_part parts[COLUMNS_MAX];
    bool id = false;
    bool tres = false;
    int count = text->line_count > 0 ? split(line_at(text, 0), parts) : 0;
    for (int i = 0; i < count; i++) {
        id = id || gp_part_is(parts[i], "JobID");
        tres = tres || gp_part_is(parts[i], "AllocTRES") || gp_part_is(parts[i], "ElapsedRaw");
    }
    return id && tres;
}

static bool find_columns(reader *r) {
    gp_part parts[COLUMNS_MAX];
    gp_part line = line_at(r->text, 0);
    bool whole = true;
    r->count = split(line, parts);
    for (int c = 0; c < COLUMN_COUNT; c++) {
        r->columns[c] = -1;
        for (int i = 0; i < r->count; i++)
            r->columns[c] = gp_part_is(parts[i], names[c]) ? i : r->columns[c];
        if (c < COLUMN_NEEDED && r->columns[c] < 0) {
            const char *what =
                gp_arena_printf(r->arena, "no column %s in the first line", names[c]);
            refuse(r, line, GP_ID_UNKNOWN_LOG, what);
            whole = false;
        }
    }
    return whole;
}

/* ---- cells */

/* Bars in the name of a job move what stands behind it. */
static gp_part cell_of(const reader *r, const gp_part *parts, int count, column c) {
    int at = r->columns[c];
    int more = count > r->count ? count - r->count : 0;
    if (at < 0)
        return (gp_part){"", 0};
    at += r->columns[COLUMN_NAME] >= 0 && at > r->columns[COLUMN_NAME] ? more : 0;
    gp_part cell = at < count ? parts[at] : (gp_part){"", 0};
    if (c == COLUMN_NAME && more > 0)
        cell.len = (size_t)(parts[at + more].at + parts[at + more].len - cell.at);
    return cell;
}

/* gres/gpu=N, else the sum of the typed entries: both are listed, and are the same GPUs. */
static int64_t gpus_of(gp_part tres, gp_part *ret_type) {
    static const char mark[] = "gres/gpu";
    const size_t mark_len = sizeof mark - 1;
    int64_t all = 0;
    int64_t typed = 0;
    const char *end = tres.at + tres.len;
    *ret_type = (gp_part){"", 0};
    for (const char *at = tres.at; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        const char *equals = memchr(at, '=', (size_t)(stop - at));
        int64_t value = 0;
        bool told = equals != NULL && (size_t)(equals - at) >= mark_len &&
                    memcmp(at, mark, mark_len) == 0 &&
                    gp_num_parse_i64(equals + 1, (size_t)(stop - equals - 1), &value) &&
                    value > 0 && value <= GPUS_MAX;
        if (told && (size_t)(equals - at) == mark_len) {
            all = value;
        } else if (told && at[mark_len] == ':' && typed < GPUS_MAX) {
            const char *type = at + mark_len + 1;
            /* A job on two kinds of GPU has none of its own. */
            *ret_type = typed > 0 ? (gp_part){"", 0} : (gp_part){type, (size_t)(equals - type)};
            typed += value;
        }
        at = stop + 1;
    }
    return all > 0 ? all : typed;
}

/* "2026-05-30T08:00:00"; negative for Unknown and the like. */
static double time_of(gp_part cell) {
    static const char shape[] = "0000-00-00T00:00:00";
    int64_t fields[6] = {0};
    int field = 0;
    if (cell.len != sizeof shape - 1)
        return -1;
    for (size_t i = 0; i < cell.len; i++) {
        bool digit = cell.at[i] >= '0' && cell.at[i] <= '9';
        if (digit != (shape[i] == '0') || (!digit && cell.at[i] != shape[i]))
            return -1;
        field += digit ? 0 : 1;
        fields[field] = digit ? fields[field] * 10 + (cell.at[i] - '0') : 0;
    }
    if (fields[0] < 1970 || fields[1] < 1 || fields[1] > 12 || fields[2] < 1 || fields[2] > 31)
        return -1;
    return (((double)gp_days_of(fields[0], fields[1], fields[2]) * 24 + (double)fields[3]) * 60 +
            (double)fields[4]) *
               60 +
           (double)fields[5];
}

/* ---- rows */

static const char *copy(reader *r, gp_part cell) {
    return gp_arena_strndup(r->arena, cell.at, cell.len);
}

static bool whole_cell(reader *r, gp_part cell, const char *what, int64_t *ret) {
    *ret = 0;
    if (cell.len > 0 && (!gp_num_parse_i64(cell.at, cell.len, ret) || *ret < 0)) {
        refuse(r, cell, GP_ID_WRONG_TYPE, what);
        return false;
    }
    return true;
}

static void add_job(reader *r, const gp_sacct_job *job) {
    GP_PUSH(r->arena, r->jobs, r->job_count, r->cap) = *job;
}

static void read_row(reader *r, gp_part line) {
    gp_part parts[COLUMNS_MAX];
    gp_part type;
    int count = split(line, parts);
    int64_t elapsed = 0;
    int64_t nodes = 0;
    if (count < r->count) {
        refuse(r, line, GP_ID_WRONG_TYPE, "a row with fewer fields than the first line");
        return;
    }
    gp_part id = cell_of(r, parts, count, COLUMN_ID);
    gp_part state = cell_of(r, parts, count, COLUMN_STATE);
    gp_part name = cell_of(r, parts, count, COLUMN_NAME);
    int64_t gpus = gpus_of(cell_of(r, parts, count, COLUMN_TRES), &type);
    bool sound = whole_cell(r, cell_of(r, parts, count, COLUMN_ELAPSED),
                            "ElapsedRaw is no number of seconds", &elapsed);
    sound = whole_cell(r, cell_of(r, parts, count, COLUMN_NODES), "NNodes is no count", &nodes) &&
            sound;
    if (!sound || memchr(id.at, '.', id.len) != NULL)
        return;
    r->sacct->waiting += elapsed == 0 ? 1 : 0;
    if (elapsed > 0 && gpus > 0) {
        uint32_t begin = (uint32_t)(line.at - r->text->data);
        add_job(r, &(gp_sacct_job){.id = copy(r, id),
                                   .name = copy(r, name),
                                   .state = copy(r, gp_part_word(&state)),
                                   .gpu = copy(r, type),
                                   .gpus = gpus,
                                   .nodes = nodes,
                                   .elapsed_s = (double)elapsed,
                                   .submit_s = time_of(cell_of(r, parts, count, COLUMN_SUBMIT)),
                                   .start_s = time_of(cell_of(r, parts, count, COLUMN_START)),
                                   .end_s = time_of(cell_of(r, parts, count, COLUMN_END)),
                                   .span = {r->text, begin, begin + (uint32_t)line.len}});
    }
}

gp_status gp_sacct_read(gp_arena *arena, const gp_text *text, gp_diags *diags,
                        gp_sacct *ret_sacct) {
    size_t errors = diags->errors;
    *ret_sacct = (gp_sacct){.jobs = NULL};
    reader r = {.arena = arena, .diags = diags, .text = text, .sacct = ret_sacct};
    if (find_columns(&r)) {
        for (size_t i = 1; i < text->line_count; i++) {
            gp_part line = line_at(text, i);
            if (line.len > 0)
                read_row(&r, line);
        }
    }
    ret_sacct->jobs = r.jobs;
    ret_sacct->count = r.job_count;
    ret_sacct->has_times = r.columns[COLUMN_START] >= 0 && r.columns[COLUMN_END] >= 0;
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}
