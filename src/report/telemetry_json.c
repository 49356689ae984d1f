/* Readings of a metrics server as JSON: what a calibration or an observation rests on. */

#include "import/telemetry.h"
#include "report/json.h"

enum { JSON_MAX = 16 << 20, DIGITS = 6 };

static const struct {
    const char *key;
    size_t member;
} figures[] = {
    {"mean", offsetof(gp_telemetry_reading, mean)}, {"p10", offsetof(gp_telemetry_reading, p10)},
    {"p50", offsetof(gp_telemetry_reading, p50)},   {"p90", offsetof(gp_telemetry_reading, p90)},
    {"p95", offsetof(gp_telemetry_reading, p95)},   {"p99", offsetof(gp_telemetry_reading, p99)},
    {"max", offsetof(gp_telemetry_reading, most)},
};

static void write_brackets(gp_json *json, const gp_telemetry_reading *reading) {
    const struct {
        const char *key;
        double low, high;
    } brackets[] = {{"p50Bucket", reading->p50_low, reading->p50_high},
                    {"p95Bucket", reading->p95_low, reading->p95_high},
                    {"p99Bucket", reading->p99_low, reading->p99_high}};
    for (size_t i = 0; i < sizeof brackets / sizeof brackets[0]; i++) {
        gp_json_open(json, brackets[i].key, '[');
        gp_json_number(json, NULL, brackets[i].low, DIGITS);
        gp_json_number(json, NULL, brackets[i].high, DIGITS);
        gp_json_close(json, "]");
    }
}

static void write_reading(gp_json *json, const gp_telemetry_reading *reading) {
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "metric", reading->metric->id);
    gp_json_string(json, "of", gp_telemetry_scope_name(reading->metric->scope));
    gp_json_string(json, "subject", reading->subject);
    gp_json_string(json, "unit", gp_dim_base_unit(reading->metric->dim));
    gp_json_string(json, "help", reading->metric->help);
    gp_json_i64(json, "samples", reading->samples);
    gp_json_i64(json, "dropped", reading->dropped);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const double *value =
            (const double *)(const void *)((const char *)reading + figures[i].member);
        gp_json_number(json, figures[i].key, *value, DIGITS);
    }
    if (reading->metric->shape == GP_TELEMETRY_BUCKETS)
        write_brackets(json, reading);
    if (reading->metric->shape == GP_TELEMETRY_SERIES && reading->mean > 0)
        gp_json_number(json, "peakToMean", reading->most / reading->mean, DIGITS);
    gp_json_string(json, "query", reading->query);
    gp_json_close(json, "}");
}

static const char *const lacks[] = {
    [GP_TELEMETRY_MISSING] = "missing",
    [GP_TELEMETRY_BLANK] = "blank",
    [GP_TELEMETRY_QUIET] = "quiet",
};

gp_status gp_telemetry_json(gp_arena *arena, const gp_telemetry *telemetry, const char *server,
                            const char *until, const char **ret_text, size_t *ret_len) {
    gp_buf buf = GP_BUF(arena, JSON_MAX);
    gp_json json = GP_JSON(&buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "schemaVersion", "1.0.0");
    gp_json_string(&json, "server", server);
    gp_json_string(&json, "until", until);
    gp_json_number(&json, "windowS", telemetry->options.window_s, DIGITS);
    gp_json_i64(&json, "blanks", telemetry->blanks);
    gp_json_open(&json, "readings", '[');
    for (size_t i = 0; i < telemetry->readings.count; i++)
        write_reading(&json, &telemetry->readings.items[i]);
    gp_json_close(&json, "]");
    gp_json_open(&json, "missing", '[');
    for (size_t i = 0; i < telemetry->absences.count; i++) {
        const gp_telemetry_absence *absence = &telemetry->absences.items[i];
        gp_json_open(&json, NULL, '{');
        gp_json_string(&json, "metric", absence->metric->id);
        gp_json_string(&json, "lack", lacks[absence->lack]);
        gp_json_string(&json, "reason", absence->reason);
        gp_json_close(&json, "}");
    }
    gp_json_close(&json, "]}");
    return gp_buf_finish(&buf, ret_text, ret_len);
}
