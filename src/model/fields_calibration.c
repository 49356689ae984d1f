/* Descriptor table of a calibration: factors of a team's own measurements by class. */
#include "model/calibration.h"

#include "catalog/words.h"
#include "model/fields.h"
#include "schema/field.h"

const char *const gp_calibration_term_words[GP_CALIBRATION_TERM_COUNT + 1] = {
    [GP_CALIBRATION_GEMM] = "gemmEfficiency",     [GP_CALIBRATION_PREFILL] = "prefillEfficiency",
    [GP_CALIBRATION_DECODE] = "decodeEfficiency", [GP_CALIBRATION_STEP_TIME] = "stepTime",
    [GP_CALIBRATION_BANDWIDTH] = "busBandwidth",  [GP_CALIBRATION_LATENCY] = "linkLatency",
    [GP_CALIBRATION_POWER] = "gpuPower",          [GP_CALIBRATION_IDLE] = "idlePower",
    [GP_CALIBRATION_MEMORY] = "memoryOverhead",   [GP_CALIBRATION_CACHE] = "cacheShare",
};

#define F_TABLES
#define F_ROWS "model/calibration.def"
#include "schema/rows.def"
