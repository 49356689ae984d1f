/*
 * What was measured in the place of what the spec states, and where the growth plan goes with it:
 * the same growth from another start.
 */
#include "report/observe.h"

#include "base/num.h"
#include "base/str.h"
#include "import/telemetry.h"
#include "plan/plan.h"

enum { OVERRIDES_PER_WORKLOAD = 3, DIGITS = 6 };

/* ---- overrides */

static const char *number_text(gp_arena *arena, double value) {
    char room[GP_NUM_TEXT];
    size_t len = gp_num_format_g(room, value, DIGITS);
    return gp_arena_strndup(arena, room, len);
}

static void add_override(gp_arena *arena, gp_observation *observation, const char *workload,
                         const char *key, const char *first, double value, const char *second,
                         double other) {
    const char *path = gp_arena_printf(arena, "workloads.%s.traffic.%s", workload, key);
    const char *one = number_text(arena, value);
    const char *two = number_text(arena, other);
    const char *text = other > value
                           ? gp_arena_printf(arena, "{%s: %s, %s: %s}", first, one, second, two)
                           : gp_arena_printf(arena, "{%s: %s}", first, one);
    GP_NEXT(observation->overrides) = (gp_observe_override){path, text};
}

static void override_lengths(gp_arena *arena, const gp_telemetry *telemetry, const char *served,
                             const char *workload, gp_observation *observation) {
    static const struct {
        const char *key, *mean, *spread;
    } lengths[] = {
        {"inputTokens", "inputTokens", "inputTokenSpread"},
        {"outputTokens", "outputTokens", "outputTokenSpread"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(lengths); i++) {
        const gp_telemetry_reading *mean =
            gp_telemetry_reading_of(telemetry, lengths[i].mean, served);
        const gp_telemetry_reading *spread =
            gp_telemetry_reading_of(telemetry, lengths[i].spread, served);
        if (mean != NULL && mean->mean >= 1)
            add_override(arena, observation, workload, lengths[i].key, "mean", mean->mean, "p95",
                         spread == NULL ? 0 : spread->p95);
    }
}

void gp_observe_overrides(gp_arena *arena, const gp_plan_result *result,
                          const gp_telemetry *telemetry, const gp_observe_options *options,
                          gp_observation *observation) {
    size_t count = result->workloads.count;
    observation->overrides.items =
        GP_NEW_ARRAY(arena, gp_observe_override, count * OVERRIDES_PER_WORKLOAD + 1);
    for (size_t i = 0; i < count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        const char *served = options->subjects[i].served;
        if (!plan->is_serving || plan->is_offline || plan->is_seats || served == NULL)
            continue;
        const char *name = plan->workload->name;
        const gp_telemetry_reading *rate =
            gp_telemetry_reading_of(telemetry, "requestRate", served);
        if (rate != NULL && rate->mean > 0)
            add_override(arena, observation, name, "requestsPerSecond", "mean", rate->mean, "peak",
                         rate->most);
        override_lengths(arena, telemetry, served, name, observation);
    }
}

/* ---- growth */

static const gp_report_growth *first_limit(const gp_report *report, const char *bound) {
    for (size_t i = 0; i < report->growth.count; i++) {
        const gp_report_growth *row = &report->growth.items[i];
        if (row->limit_hit != NULL && (bound == NULL || gp_str_equal(row->limit_hit, bound)))
            return row;
    }
    return NULL;
}

static const gp_report_growth *first_purchase(const gp_report *report) {
    for (size_t i = 0; i < report->growth.count; i++)
        if (report->growth.items[i].buy_nodes > 0)
            return &report->growth.items[i];
    return NULL;
}

static const char *words_of(const char *event) {
    return gp_str_equal(event, "purchase") ? "the first purchase" : event;
}

/* Quarters are "yyyy-Qn": text order is the order of time. */
static void add_shift(gp_arena *arena, const char *event, const gp_report_growth *planned,
                      const gp_report_growth *measured, gp_observation *observation) {
    gp_growth_shift shift = {.event = event};
    shift.planned = planned == NULL ? NULL : planned->quarter;
    shift.observed = measured == NULL ? NULL : measured->quarter;
    shift.planned_order = planned == NULL ? NULL : planned->order_by;
    shift.observed_order = measured == NULL ? NULL : measured->order_by;
    shift.moved = !gp_str_equal(shift.planned, shift.observed);
    shift.earlier = shift.observed != NULL && shift.moved &&
                    (shift.planned == NULL || gp_str_compare(shift.observed, shift.planned) < 0);
    if (!shift.moved) {
        shift.sentence = gp_arena_printf(arena, "%s stays in %s", words_of(event), shift.planned);
    } else if (shift.planned == NULL) {
        shift.sentence =
            gp_arena_printf(arena, "%s, not planned within the horizon, is now due in %s",
                            words_of(event), shift.observed);
    } else if (shift.observed == NULL) {
        shift.sentence =
            gp_arena_printf(arena, "%s, planned for %s, is no longer due within the horizon",
                            words_of(event), shift.planned);
    } else {
        shift.sentence = gp_arena_printf(arena, "%s moves from %s to %s", words_of(event),
                                         shift.planned, shift.observed);
    }
    if (shift.sentence != NULL && shift.observed_order != NULL && shift.moved)
        shift.sentence =
            gp_arena_printf(arena, "%s: order by %s", shift.sentence, shift.observed_order);
    GP_NEXT(observation->shifts) = shift;
}

/* The limits that either plan passes, in the order of the first, then the second. */
static void add_limits(gp_arena *arena, const gp_report *of, const gp_report *planned,
                       const gp_report *measured, gp_observation *observation) {
    for (size_t i = 0; i < of->growth.count; i++) {
        const char *bound = of->growth.items[i].limit_hit;
        if (bound != NULL && GP_NAMED(observation->shifts, event, bound) == NULL)
            add_shift(arena, bound, first_limit(planned, bound), first_limit(measured, bound),
                      observation);
    }
}

void gp_observe_growth(gp_arena *arena, const gp_report *planned, const gp_report *measured,
                       gp_observation *observation) {
    size_t most = planned->growth.count + measured->growth.count + 1;
    observation->shifts.items = GP_NEW_ARRAY(arena, gp_growth_shift, most);
    add_limits(arena, planned, planned, measured, observation);
    add_limits(arena, measured, planned, measured, observation);
    const gp_report_growth *was = first_purchase(planned);
    const gp_report_growth *is = first_purchase(measured);
    if ((was != NULL || is != NULL)) {
        add_shift(arena, "purchase", was, is, observation);
        return;
    }
}
