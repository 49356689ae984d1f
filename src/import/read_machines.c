/*
 * Samples of power (dcgmi dmon, nvidia-smi --query-gpu) and accounts of jobs (Slurm's sacct). A
 * sample without a figure is left out; so is a GPU at rest where the samples say so.
 */
#include <string.h>

#include "import/reader.h"
#include "import/sacct.h"
#include "schema/diag_ids.h"

enum { COLUMNS_MAX = 64, KINDS_MAX = 16 };

typedef struct watts {
    double sum;
    double count;
} watts;

static void add_power(gp_reader *r, const watts *w, const char *suffix, gp_part gpu,
                      gp_part moment) {
    if (!(w->count > 0))
        return;
    gp_reading *row = gp_reader_add(r, GP_RUNS_SERVING_POWER, suffix);
    gp_reading_part(r, row, "gpu", gpu);
    gp_reading_number(r, row, "w_per_gpu", w->sum / w->count);
    gp_reader_date(r, row, moment);
}

/* "590.00 W": the unit is W where there is one. */
static bool has_other_unit(gp_part cell) {
    gp_part rest = cell;
    (void)gp_part_word(&rest);
    gp_part unit = gp_part_trim(rest);
    return unit.len > 0 && !gp_part_is(unit, "W");
}

static void add_sample(gp_reader *r, watts *w, gp_part cell, bool resting) {
    static const double most = 5000;  /* W: no GPU draws more */
    static const double blank = 9e18; /* what exporters print for "not known" lies above */
    double value = 0;
    bool known = gp_part_number(cell, &value) && !(value > blank);
    if (known && (value < 0 || value > most || has_other_unit(cell))) {
        gp_reader_refuse(r, cell, "watts of one GPU", "no power that a GPU can draw");
    } else if (known && value > 0 && !resting) {
        w->sum += value;
        w->count += 1;
    }
}

/* ---- dcgmi dmon ------------------------------------------------------------------------------ */

static const char known_dcgm[] = "dcgmi dmon -e 155,... with its header (#Entity ... POWER ...)";

static int word_index(gp_part line, const char *word) {
    gp_part rest = line;
    for (int i = 0; i < COLUMNS_MAX; i++) {
        gp_part next = gp_part_word(&rest);
        if (next.len == 0)
            return -1;
        if (gp_part_is(next, word))
            return i;
    }
    return -1;
}

static gp_part word_at(gp_part line, int index) {
    gp_part word = {.at = NULL};
    for (int i = 0; i <= index; i++)
        word = gp_part_word(&line);
    return word;
}

/* Rows start with two words, "GPU 0", where the header has one. */
static void read_dcgm_row(gp_reader *r, gp_part line, int power, int busy, watts *w) {
    double activity = 1;
    if (busy >= 0 && gp_part_number(word_at(line, busy + 1), &activity))
        activity = activity > 0 ? 1 : 0;
    add_sample(r, w, word_at(line, power + 1), !(activity > 0));
}

void gp_read_dcgm_dmon(gp_reader *r) {
    watts w = {.sum = 0};
    int power = -1;
    int busy = -1;
    for (size_t i = 0; i < r->text->line_count; i++) {
        gp_part line = gp_part_trim(gp_reader_line(r, i));
        if (gp_part_starts(line, "#Entity")) {
            power = word_index(line, "POWER");
            busy = word_index(line, "TENSO");
            if (power < 0) {
                gp_reader_refuse(r, line, known_dcgm, "no column POWER");
                return;
            }
        } else if (gp_part_starts(line, "GPU ")) {
            if (power < 0) {
                gp_reader_refuse(r, line, known_dcgm, "a row without a header before it");
                return;
            }
            read_dcgm_row(r, line, power, busy, &w);
        }
    }
    add_power(r, &w, "", (gp_part){.at = NULL}, (gp_part){.at = NULL});
}

/* ---- nvidia-smi ------------------------------------------------------------------------------ */

static const char known_smi[] =
    "nvidia-smi --query-gpu=...,power.draw --format=csv, with its header";

typedef struct smi_columns {
    int power, busy, name;
} smi_columns;

static int cell_index(gp_part line, const char *name) {
    for (int i = 0; line.len > 0 && i < COLUMNS_MAX; i++)
        if (gp_part_starts(gp_part_trim(gp_part_until(&line, ',')), name))
            return i;
    return -1;
}

static gp_part cell_at(gp_part line, int index, char separator) {
    gp_part cell = {.at = NULL};
    for (int i = 0; i <= index; i++)
        cell = gp_part_until(&line, separator);
    return gp_part_trim(cell);
}

/* GPUs of one kind. */
typedef struct kind {
    gp_part name;
    gp_part first; /* line of it */
    watts w;
} kind;

static watts *watts_of(gp_reader *r, kind *kinds, size_t *count, gp_part name, gp_part line) {
    for (size_t i = 0; i < *count; i++)
        if (kinds[i].name.len == name.len &&
            (name.len == 0 || memcmp(kinds[i].name.at, name.at, name.len) == 0))
            return &kinds[i].w;
    if (*count == KINDS_MAX) {
        gp_reader_refuse(r, name, "sixteen kinds at most", "too many kinds of GPUs in one file");
        return NULL;
    }
    kinds[*count] = (kind){.name = name, .first = line};
    return &kinds[(*count)++].w;
}

static void read_smi_line(gp_reader *r, gp_part line, const smi_columns *c, kind *kinds,
                          size_t *count) {
    double share = 1;
    gp_part name = c->name >= 0 ? cell_at(line, c->name, ',') : (gp_part){.at = line.at};
    watts *w = watts_of(r, kinds, count, name, line);
    if (w != NULL) {
        bool told = c->busy >= 0 && gp_part_number(cell_at(line, c->busy, ','), &share);
        add_sample(r, w, cell_at(line, c->power, ','), told && !(share > 0));
    }
}

void gp_read_nvidia_smi(gp_reader *r) {
    gp_part header = gp_reader_line(r, 0);
    const smi_columns c = {.power = cell_index(header, "power.draw"),
                           .busy = cell_index(header, "utilization.gpu"),
                           .name = cell_index(header, "name")};
    kind *kinds = GP_NEW_ARRAY(r->arena, kind, KINDS_MAX);
    size_t count = 0;
    if (c.power < 0) {
        gp_reader_refuse(r, header, known_smi, "no column power.draw in the first line");
        return;
    }
    for (size_t i = 1; i < r->text->line_count; i++) {
        gp_part line = gp_reader_line(r, i);
        if (gp_part_trim(line).len > 0)
            read_smi_line(r, line, &c, kinds, &count);
    }
    for (size_t i = 0; i < count; i++) {
        const char *suffix = count > 1 ? gp_arena_printf(r->arena, "-%zu", i + 1) : "";
        add_power(r, &kinds[i].w, suffix, kinds[i].name, kinds[i].first);
    }
}

/* ---- Slurm ----------------------------------------------------------------------------------- */

static void add_job(gp_reader *r, const gp_sacct_job *job) {
    static const double s_per_hour = 3600; /* definition */
    gp_reading *row = gp_reader_add(r, GP_RUNS_UNKNOWN, "");
    if (row == NULL)
        return;
    row->count = 0; /* the job has an id of its own */
    gp_reading_text(r, row, "id", job->id);
    gp_reading_text(r, row, "name", job->name);
    gp_reading_text(r, row, "state", job->state);
    gp_reading_text(r, row, "gpu", job->gpu);
    gp_reading_number(r, row, "gpus", (double)job->gpus);
    gp_reading_number(r, row, "nodes", (double)job->nodes);
    if (job->submit_s >= 0 && job->start_s >= job->submit_s)
        gp_reading_number(r, row, "queued_s", job->start_s - job->submit_s);
    gp_reading_number(r, row, "elapsed_s", job->elapsed_s);
    gp_reading_number(r, row, "gpu_hours", (double)job->gpus * job->elapsed_s / s_per_hour);
}

void gp_read_sacct(gp_reader *r) {
    gp_sacct sacct;
    gp_status st = gp_sacct_read(r->arena, r->text, r->diags, &sacct);
    r->st = st == GP_ERR_INPUT ? r->st : st; /* told in the diagnostics */
    for (size_t i = 0; st == GP_OK && i < sacct.count; i++)
        add_job(r, &sacct.jobs[i]);
    if (st == GP_OK && sacct.count > 0) {
        const gp_diag note = {
            .id = GP_ID_UNKNOWN_LOG,
            .level = GP_LEVEL_NOTE,
            .span = {.text = r->text},
            .message = "jobs tell no speed: no factor is fitted to these rows; `gpuplan import "
                       "slurm:FILE` makes workloads of them",
        };
        gp_diags_add(r->diags, &note);
    }
}
