/* Words and small conversions that all parts of a report use. */
#include "report/build.h"

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { HOURS_PER_YEAR = 8760, SECONDS_PER_HOUR = 3600 };

const char *gp_build_text(gp_build *build, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(build->arena, format, args);
    va_end(args);
    return text;
}

const char *gp_build_word(const char *text) {
    return text != NULL ? text : "?";
}

const char *gp_build_currency(const gp_plan_result *result) {
    return result->currency != NULL ? result->currency : result->document->spec.costs.currency;
}

const char *gp_build_quantity(gp_build *build, double value, gp_dim dim) {
    if (!isfinite(value))
        return "unknown";
    if (!(value > 0) && !(value < 0) && dim == GP_DIM_MONEY)
        return gp_build_text(build, "0 %s", gp_build_currency(build->result));
    if (!(value > 0) && !(value < 0) && dim != GP_DIM_FRACTION)
        return gp_build_text(build, gp_dim_base_unit(dim)[0] != '\0' ? "0 %s" : "0%s",
                             gp_dim_base_unit(dim));
    return gp_quantity_format_money(build->arena, value, dim, 3, gp_build_currency(build->result));
}

const char *gp_build_quantity_apart(gp_build *build, double value, double other, gp_dim dim) {
    if (!isfinite(other) || !(value > 0))
        return gp_build_quantity(build, value, dim);
    return gp_quantity_format_apart(build->arena, value, other, dim,
                                    gp_build_currency(build->result));
}

const char *gp_build_quantity_up(gp_build *build, double value, gp_dim dim) {
    return gp_quantity_format_side(build->arena, value, dim, true,
                                   gp_build_currency(build->result));
}

static const char *written(gp_build *build, void (*write)(gp_buf *buf, const char *text),
                           const char *text) {
    const char *ret = NULL;
    gp_buf buf = GP_BUF(build->arena, 4 * strlen(text) + 4); /* each byte escaped, and the quotes */
    write(&buf, text);
    (void)gp_buf_finish(&buf, &ret, NULL);
    return gp_build_word(ret);
}

const char *gp_build_size_command(gp_build *build, const char *setting) {
    const char *spec = build->report->inputs.spec.path;
    return gp_build_text(build, "gpuplan size %s --set %s",
                         written(build, gp_buf_shell, spec != NULL ? spec : "plan.yaml"),
                         written(build, gp_buf_shell, setting));
}

const char *gp_build_key_words(gp_build *build, const char *key) {
    return written(build, gp_buf_words, gp_build_word(key));
}

const char *gp_report_goal_words(gp_arena *arena, const char *name) {
    static const struct {
        const char *head, *words;
    } heads[] = {{"ttft", "first token"},
                 {"tpot", "time per token"},
                 {"e2e", "whole request"},
                 {"completeWithin", "time to complete"},
                 {"maxDuration", "duration of a run"}};
    const char *ret = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(heads); i++) {
        const size_t len = strlen(heads[i].head);
        if (!gp_str_starts(name, heads[i].head))
            continue;
        if (name[len] == 'P')
            return gp_arena_printf(arena, "%s (p%s)", heads[i].words, name + len + 1);
        return gp_arena_printf(arena, name[len] == 'M' ? "%s (mean)" : "%s", heads[i].words);
    }
    gp_buf buf = GP_BUF(arena, 2 * strlen(name) + 4);
    gp_buf_words(&buf, name);
    return gp_buf_finish(&buf, &ret, NULL) == GP_OK ? ret : NULL;
}

void gp_build_name_once(const char **names, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (gp_str_equal(names[i], name))
            return;
    names[(*count)++] = name;
}

const char *gp_build_count(gp_build *build, int64_t count, const char *one) {
    return gp_build_text(build, "%lld %s%s", (long long)count, one, count == 1 ? "" : "s");
}

const char *gp_build_bound_words(gp_bound bound) {
    static const char *const words[GP_BOUND_COUNT] = {
        [GP_BOUND_NONE] = "nothing",
        [GP_BOUND_MEMORY] = "memory",
        [GP_BOUND_COMPUTE] = "compute",
        [GP_BOUND_HBM_BANDWIDTH] = "memory bandwidth",
        [GP_BOUND_INTERCONNECT] = "interconnect bandwidth",
        [GP_BOUND_LATENCY] = "latency",
        [GP_BOUND_POWER] = "power",
        [GP_BOUND_COOLING] = "cooling",
        [GP_BOUND_SPACE] = "rack space",
        [GP_BOUND_BUDGET] = "budget",
        [GP_BOUND_DEADLINE] = "the deadline",
        [GP_BOUND_SUPPLY] = "machines",
    };
    return words[bound];
}

/* A row written out in the spec may have no id of its own; then what it extends names it. */
const char *gp_build_gpu_id(const gp_unit *unit) {
    const gp_gpu *gpu = unit->machine.gpu;
    if (gpu == NULL)
        return unit->id;
    if (gpu->id != NULL)
        return gpu->id;
    return gpu->extends != NULL ? gpu->extends : unit->id;
}

const char *gp_build_system_id(const gp_unit *unit) {
    if (unit->system != NULL && unit->system->id != NULL)
        return unit->system->id;
    return unit->id;
}

/* Of the names that the catalogue has, the shortest is what people say. */
const char *gp_build_product(const gp_unit *unit) {
    static const char cloud[] = "cloud:";
    const gp_system *system = unit->system;
    const char *found = NULL;
    if (unit->cloud != NULL)
        return gp_str_starts(unit->id, cloud) ? unit->id + sizeof cloud - 1 : unit->id;
    for (size_t i = 0; system != NULL && i < system->aliases.count; i++)
        if (found == NULL || strlen(system->aliases.items[i]) < strlen(found))
            found = system->aliases.items[i];
    return found != NULL ? found : gp_build_system_id(unit);
}

gp_report_band gp_build_no_band(void) {
    return (gp_report_band){GP_REPORT_NO_REAL, GP_REPORT_NO_REAL, GP_REPORT_NO_REAL};
}

gp_report_band gp_build_band(gp_band band) {
    if (!(band.expected > 0))
        return gp_build_no_band();
    return (gp_report_band){band.expected, band.low, band.high};
}

double gp_build_positive(double value) {
    return value > 0 ? value : GP_REPORT_NO_REAL;
}

double gp_build_per_year(double per_s) {
    return per_s * HOURS_PER_YEAR * SECONDS_PER_HOUR;
}

double gp_build_power(const gp_unit *unit, double power_w) {
    return unit == NULL || unit->power_known ? gp_build_positive(power_w) : GP_REPORT_NO_REAL;
}

const char *gp_report_date(gp_arena *arena, int64_t date) {
    return gp_arena_printf(arena, "%04lld-%02lld-%02lld", (long long)(date / 10000),
                           (long long)(date / 100 % 100), (long long)(date % 100));
}

const char *gp_build_date(gp_build *build, int64_t date) {
    return gp_report_date(build->arena, date);
}

int64_t gp_build_own_samples(const gp_workload_plan *plan) {
    const gp_unit *unit = plan->chosen.unit;
    if (unit == NULL)
        return 0;
    const gp_precision compute = plan->is_serving ? plan->serve.compute : plan->train.compute;
    const gp_efficiency *row = unit->machine.efficiency[compute];
    if (row == NULL)
        return 0;
    return plan->is_serving ? row->own_serving : row->own_runs;
}
