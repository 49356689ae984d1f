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

static const gp_field class_fields[] = {
    GP_STRING(gp_calibration_class, "gpu", gpu, .help = "The GPU, by its id in the catalogue."),
    GP_STRING(gp_calibration_class, "precision", precision, .choices = gp_precision_words,
              .help = "Compute precision."),
    GP_STRING(gp_calibration_class, "framework", framework,
              .help = "Training framework; beside a GPU, what the runs were made with."),
    GP_STRING(gp_calibration_class, "engine", engine, .help = "Serving engine, likewise."),
    GP_STRING(gp_calibration_class, "link", link,
              .help = "The network: scale-up, or a name for the one between machines."),
};
static const gp_struct class_type =
    GP_TYPE(gp_calibration_class, class_fields, .name = "calibrationClass",
            .help = "What a factor is for.");

static const gp_field spread_fields[] = {
    GP_QUANTITY(gp_calibration_spread, "p10", p10, GP_DIM_NONE, GP_ABOVE(0, 1e3),
                .help = "A tenth of the measurements lie below it."),
    GP_QUANTITY(gp_calibration_spread, "p90", p90, GP_DIM_NONE, GP_ABOVE(0, 1e3),
                .help = "A tenth of the measurements lie above it."),
};
static const gp_struct spread_type = GP_TYPE(gp_calibration_spread, spread_fields, .name = "spread",
                                             .help = "Factors of single measurements.");

static const gp_field factor_fields[] = {
    GP_STRUCT(gp_calibration_factor, "class", class_of, gp_calibration_class, class_type,
              .help = "What the factor is for."),
    GP_ENUM(gp_calibration_factor, "term", term, gp_calibration_term_words,
            .flags = GP_FIELD_REQUIRED, .help = "What it multiplies."),
    GP_QUANTITY(gp_calibration_factor, "factor", factor, GP_DIM_NONE, GP_ABOVE(0, 100),
                .flags = GP_FIELD_REQUIRED, .help = "Factor on the built-in figure."),
    GP_QUANTITY(gp_calibration_factor, "measured", measured, GP_DIM_NONE, GP_ABOVE(0, 1e3),
                .help = "The same before it was shrunk towards 1."),
    GP_QUANTITY(gp_calibration_factor, "weight", weight, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share that the measurements have in it."),
    GP_COUNT(gp_calibration_factor, "samples", samples, GP_RANGE(1, 1e12),
             .flags = GP_FIELD_REQUIRED, .help = "Measurements behind it."),
    GP_STRUCT(gp_calibration_factor, "spread", spread, gp_calibration_spread, spread_type,
              .help = "How far single measurements lie apart."),
    GP_QUANTITY(gp_calibration_factor, "error", error_fraction, GP_DIM_FRACTION, GP_ABOVE(0, 10),
                .help = "Error band that is left: 80th percentile of the absolute error."),
};
static const gp_struct factor_type =
    GP_TYPE(gp_calibration_factor, factor_fields, .name = "factor", .help = "One factor.");

static const gp_field window_fields[] = {
    GP_DATE(gp_calibration_window, "from", from, .help = "First day of the measurements."),
    GP_DATE(gp_calibration_window, "to", to, .help = "Last day of the measurements."),
};
static const gp_struct window_type =
    GP_TYPE(gp_calibration_window, window_fields, .name = "window", .help = "When was measured.");

static const gp_field backtest_fields[] = {
    GP_QUANTITY(gp_calibration_backtest, "before", before_fraction, GP_DIM_FRACTION,
                GP_RANGE(0, 1e6), .help = "Median error of the measurements by built-in figures."),
    GP_QUANTITY(gp_calibration_backtest, "after", after_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1e6),
                .help = "The same with the factors."),
    GP_COUNT(gp_calibration_backtest, "rows", rows, GP_RANGE(0, 1e12), .help = "Measurements."),
    GP_COUNT(gp_calibration_backtest, "refused", refused, GP_RANGE(0, 1e12),
             .help = "Measurements that were not believed."),
};
static const gp_struct backtest_type =
    GP_TYPE(gp_calibration_backtest, backtest_fields, .name = "calibrationBacktest",
            .help = "The model against the measurements.");

static const gp_field calibration_fields[] = {
    GP_STRUCT(gp_calibration, "window", window, gp_calibration_window, window_type,
              .help = "When was measured."),
    GP_STRING(gp_calibration, "source", source, .help = "What was measured."),
    GP_STRUCT_LIST(gp_calibration, "factors", factors, gp_calibration_factor, factor_type,
                   .flags = GP_FIELD_REQUIRED, .help = "The factors."),
    GP_STRUCT(gp_calibration, "backtest", backtest, gp_calibration_backtest, backtest_type,
              .help = "The model against the measurements, before and after."),
};
static const gp_struct calibration_type =
    GP_TYPE(gp_calibration, calibration_fields, .name = "calibration",
            .help = "Factors of own measurements.");

static const gp_field document_fields[] = {
    GP_ENVELOPE_FIELDS(gp_calibration_document),
    GP_STRUCT(gp_calibration_document, "spec", spec, gp_calibration, calibration_type,
              .flags = GP_FIELD_REQUIRED, .help = "The factors."),
};

const gp_struct gp_calibration_document_type =
    GP_TYPE(gp_calibration_document, document_fields, .name = "Calibration",
            .help = "What own measurements say of the built-in figures.");
