/*
 * What a team's own measurements say of the built-in figures: factors by class, each with the
 * number of measurements behind it, their spread and the band that is left. A document of
 * `kind: Calibration` holds them; laid over the catalogue they replace its rows one by one.
 * Whoever makes one (from runs, from a metrics server) fills gp_calibration and writes it with
 * gp_calibration_write; `meta` members may then stay zero.
 */
#ifndef GP_MODEL_CALIBRATION_H
#define GP_MODEL_CALIBRATION_H

#include "catalog/catalog.h"
#include "model/model.h"

/* What a factor multiplies. Words, and members of the class that must be there. */
typedef enum gp_calibration_term {
    GP_CALIBRATION_GEMM,      /* gemmEfficiency: training rates of gpu x precision */
    GP_CALIBRATION_PREFILL,   /* prefillEfficiency: prompt rate of gpu x precision */
    GP_CALIBRATION_DECODE,    /* decodeEfficiency: memory rates of gpu x precision in decode */
    GP_CALIBRATION_STEP_TIME, /* stepTime: of framework (or engine); above 1 is slower */
    GP_CALIBRATION_BANDWIDTH, /* busBandwidth: of link; scale-up also names gpu */
    GP_CALIBRATION_LATENCY,   /* linkLatency: likewise */
    GP_CALIBRATION_POWER,     /* gpuPower: draw under load of gpu */
    GP_CALIBRATION_IDLE,      /* idlePower: draw of a loaded engine at rest, of gpu */
    GP_CALIBRATION_MEMORY,    /* memoryOverhead: fragmentation in training */
    GP_CALIBRATION_CACHE,     /* cacheShare: share of a GPU's memory that engine, or any, takes */
    GP_CALIBRATION_TERM_COUNT
} gp_calibration_term;

/* The word of class.link for the network between machines; "scale-up" is the domain inside. Any
 * other word (ndr-rail) names a network between machines, too. */
#define GP_CALIBRATION_SCALE_UP  "scale-up"
#define GP_CALIBRATION_SCALE_OUT "scale-out"

#define F_ROWS "model/calibration.def"
#include "schema/rows.def"

/* "gemmEfficiency" ... in the order of the enum, NULL-terminated. */
extern const char *const gp_calibration_term_words[GP_CALIBRATION_TERM_COUNT + 1];

/* Reads a text with one document of kind Calibration and checks it: classes complete, factors above
 * zero, no class and term twice. Errors go to `diags` (GP_ERR_INPUT). */
gp_status gp_calibration_read(gp_arena *arena, const gp_text *text, gp_diags *diags,
                              gp_calibration_document **ret_document);
/* The document's YAML form; figures with four significant digits. */
gp_status gp_calibration_write(gp_arena *arena, const char *name, const gp_calibration *calibration,
                               const char **ret_text, size_t *ret_len);
/* Lays the factors over the catalogue's rows as they stand now, as rows of their own with evidence
 * `measured` and a source that names the calibration. A class that names a GPU the catalogue lacks
 * is an error at its place (GP_ERR_INPUT). */
gp_status gp_calibration_apply(gp_arena *arena, gp_catalog *catalog,
                               const gp_calibration_document *document, gp_diags *diags);

#endif
