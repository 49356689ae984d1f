/*
 * What the readers of logs share: lines, words and numbers of a text, rows to fill, and errors at
 * their place. A reader takes one text and adds readings of one kind.
 */
#ifndef GP_IMPORT_READER_H
#define GP_IMPORT_READER_H

#include "fit/runs.h"
#include "import/readings.h"

enum { GP_READING_CELLS = 24 };

/* GP_RUNS_UNKNOWN: accounts of jobs, which are no runs. */
typedef struct gp_reading {
    gp_runs_kind kind;
    size_t count;
    struct gp_reading_cell {
        const char *column, *value;
    } cells[GP_READING_CELLS];
} gp_reading;

typedef struct gp_reader {
    gp_arena *arena;
    gp_diags *diags;
    const gp_reading_options *options;
    const gp_text *text;
    const char *base; /* file name without folders and extension: ids start with it */
    gp_reading *items;
    size_t count, cap;
    gp_status st; /* the first failure other than of input */
} gp_reader;

/* Part of a text; never NUL-terminated. */
typedef struct gp_part {
    const char *at;
    size_t len;
} gp_part;

typedef void gp_read_text(gp_reader *r);

/* ---- reader.c */
/* Line `index` from 0 without its end. */
gp_part gp_text_part(const gp_text *text, size_t index);
gp_part gp_reader_line(const gp_reader *r, size_t index);
gp_part gp_part_trim(gp_part part);
/* The next word between blanks, taken off `rest`; empty at the end. */
gp_part gp_part_word(gp_part *rest);
/* The next part up to `separator`, taken off `rest`. */
gp_part gp_part_until(gp_part *rest, char separator);
/* What follows `word` in `part`; at NULL where it is not there. */
gp_part gp_part_after(gp_part part, const char *word);
bool gp_part_is(gp_part part, const char *word);
bool gp_part_starts(gp_part part, const char *word);
/* The decimal number at the start of `part` (digit groups with commas allowed), what follows may be
 * a unit; false where there is none or the word says that the value is missing. */
bool gp_part_number(gp_part part, double *ret);
/* An error of id GP1024 at `part`, with what is known. */
void gp_reader_refuse(gp_reader *r, gp_part part, const char *expected, const char *message);
/* The same at the start of the text. */
void gp_reader_refuse_all(gp_reader *r, const char *expected, const char *message);
/* What the caller set for a column, or NULL. */
const char *gp_reader_set(const gp_reader *r, const char *key);
/* The same as a number above zero; 0 where not set. */
double gp_reader_set_number(const gp_reader *r, const char *key);
/* The first of tp x pp x dp, gpus that is set; an error that names the key where none is. */
double gp_reader_gpus(gp_reader *r, double from_log);
/* A new row with its id; NULL when memory is short. */
gp_reading *gp_reader_add(gp_reader *r, gp_runs_kind kind, const char *suffix);
/* A cell; empty and NULL values, and zero, are left out; a negative number is an error. */
void gp_reading_text(gp_reader *r, gp_reading *row, const char *column, const char *value);
void gp_reading_part(gp_reader *r, gp_reading *row, const char *column, gp_part value);
void gp_reading_number(gp_reader *r, gp_reading *row, const char *column, double value);
/* The cell `date` from the first day in `part`: "2026-08-03", "2026/08/03", or "20260803" at its
 * start; nothing where there is none. */
void gp_reader_date(gp_reader *r, gp_reading *row, gp_part part);
/* Median of `count` values, which are sorted. */
double gp_reader_median(gp_reader *r, double *values, size_t count);

/* ---- the readers */
gp_read_text gp_read_nccl_tests;
gp_read_text gp_read_vllm, gp_read_sglang, gp_read_aiperf;
gp_read_text gp_read_megatron, gp_read_nemo, gp_read_torchtitan, gp_read_hf_trainer;
gp_read_text gp_read_megatron_memory, gp_read_torchtitan_memory;
gp_read_text gp_read_dcgm_dmon, gp_read_nvidia_smi;
gp_read_text gp_read_perftest, gp_read_sacct;

#endif
