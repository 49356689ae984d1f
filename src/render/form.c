/* Words and cells that the forms for people have in common. */
#include "render/form.h"

#include <stdarg.h>
#include <string.h>

const char *gp_form_text(gp_form_out *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(out->buf->arena, format, args);
    va_end(args);
    return text;
}

const char *gp_form_or(const char *text, const char *otherwise) {
    return text != NULL ? text : otherwise;
}

static const gp_wording named[] = {
    {"hbmBandwidth", "memory bandwidth"}, {"supply", "machines"},
    {"scaleUp", "inside the machines"},   {"leaf", "leaf switches"},
    {"spine", "spine switches"},          {"core", "core switches"},
};

const char *gp_form_taken(gp_form_out *out, gp_buf *buf) {
    const char *ret = NULL;
    const gp_status st = gp_buf_finish(buf, &ret, NULL);
    if (st != GP_OK && out->buf->st == GP_OK)
        out->buf->st = st;
    return st == GP_OK ? ret : "";
}

const char *gp_form_written_by(gp_form_out *out, void (*write)(gp_buf *buf, const char *text),
                               const char *text) {
    gp_buf buf = GP_BUF(out->buf->arena, 6 * strlen(text) + 4); /* each byte escaped, and quotes */
    write(&buf, text);
    return gp_form_taken(out, &buf);
}

void gp_form_clean(gp_buf *buf, const char *text, size_t len, const char *marked) {
    for (size_t i = 0; i < len;) {
        const size_t control = gp_utf8_control(text + i);
        if (control == 0 && strchr(marked, text[i]) != NULL)
            gp_buf_char(buf, '\\');
        gp_buf_char(buf, control > 0 ? ' ' : text[i]);
        i += control > 0 ? control : 1;
    }
}

const char *gp_form_words(gp_form_out *out, const char *key) {
    if (key == NULL)
        return "-";
    const char *words = GP_WORDING(named, key, NULL);
    return words != NULL ? words : gp_form_written_by(out, gp_buf_words, key);
}

const char *gp_form_resource(gp_arena *arena, const char *key) {
    gp_buf buf = GP_BUF(arena, 1);
    gp_form_out out = {.buf = &buf};
    return gp_form_words(&out, key);
}

const char *gp_form_quantity(gp_form_out *out, double value, gp_dim dim) {
    if (!isfinite(value))
        return "-";
    if (dim != GP_DIM_BYTES) /* written in full */
        value = gp_json_written(value);
    if (value > 0 || value < 0 || dim == GP_DIM_FRACTION)
        return gp_quantity_format(out->buf->arena, value, dim);
    const char *unit = gp_dim_base_unit(dim);
    return unit[0] != '\0' ? gp_form_text(out, "0 %s", unit) : "0";
}

const char *gp_form_watts(gp_form_out *out, double value) {
    return gp_form_quantity(out, value, GP_DIM_POWER);
}

const char *gp_form_seconds(gp_form_out *out, double value) {
    return gp_form_quantity(out, value, GP_DIM_TIME);
}

const char *gp_form_share(gp_form_out *out, double fraction) {
    return gp_form_quantity(out, fraction, GP_DIM_FRACTION);
}

const char *gp_form_bytes(gp_form_out *out, double value) {
    return gp_form_quantity(out, value, GP_DIM_BYTES);
}

const char *gp_form_number(gp_form_out *out, double value) {
    return gp_form_quantity(out, value, GP_DIM_NONE);
}

const char *gp_form_money(gp_form_out *out, double value, const char *currency) {
    if (!isfinite(value))
        return "-";
    return gp_quantity_format_money(out->buf->arena, value, GP_DIM_MONEY, 3, currency);
}

const char *gp_form_amount(gp_form_out *out, double value, gp_dim dim, const char *currency) {
    const bool money = dim == GP_DIM_MONEY || dim == GP_DIM_MONEY_PER_S;
    return money && currency != NULL && isfinite(value)
               ? gp_quantity_format_money(out->buf->arena, value, dim, 3, currency)
               : gp_form_quantity(out, value, dim);
}

const char *gp_form_band(gp_form_out *out, gp_report_band band, gp_dim dim) {
    const char *expected = gp_form_quantity(out, band.expected, dim);
    const char *low = gp_form_quantity(out, band.low, dim);
    const char *high = gp_form_quantity(out, band.high, dim);
    if (!isfinite(band.low) || strcmp(low, high) == 0)
        return expected;
    return gp_form_text(out, "%s (%s to %s)", expected, low, high);
}

int64_t gp_form_counted(int64_t count) {
    return gp_num_max_i64(0, count);
}

const char *gp_form_count(gp_form_out *out, int64_t count) {
    return count == GP_REPORT_NO_COUNT ? "-" : gp_form_text(out, "%lld", (long long)count);
}

const char *gp_form_plural(gp_form_out *out, int64_t count, const char *one) {
    return gp_form_text(out, "%s %s%s", gp_form_count(out, count), one, count == 1 ? "" : "s");
}

const char *gp_form_either(gp_form_out *out, int64_t count, const char *one, const char *many) {
    return gp_form_text(out, "%s %s", gp_form_count(out, count), count == 1 ? one : many);
}

const char *gp_form_around(gp_form_out *out, const char *before, const char *figure,
                           const char *after) {
    return *figure == '\0' || gp_str_equal(figure, "-")
               ? ""
               : gp_form_text(out, "%s%s%s", before, figure, after);
}

const char *gp_form_if(gp_form_out *out, bool holds, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = holds ? gp_arena_vprintf(out->buf->arena, format, args) : "";
    va_end(args);
    return text;
}

const char *gp_form_per_year(gp_form_out *out, double value, const char *currency) {
    return gp_form_if(out, value > 0, ", %s/yr", gp_form_money(out, value, currency));
}

const char *gp_form_some(gp_form_out *out, const char *before, int64_t count, const char *after) {
    return gp_form_if(out, count > 0, "%s%lld%s", before, (long long)count, after);
}

const char *gp_form_joined(gp_form_out *out, const char *list, const char *between,
                           const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *next = gp_arena_vprintf(out->buf->arena, format, args);
    va_end(args);
    return *list == '\0' ? next : gp_form_text(out, "%s%s%s", list, between, next);
}

const char *gp_form_machines(gp_form_out *out, const gp_report_candidate *candidate) {
    if (candidate->system == NULL)
        return "none";
    const gp_report_share *shares = candidate->shares.items;
    const char *text = "";
    bool mixed = false;
    for (size_t i = 0; i < candidate->shares.count; i++) {
        mixed = mixed || !gp_str_equal(shares[i].system, shares[0].system);
        text = gp_form_text(out, "%s%s%lld %s", text, i > 0 ? " + " : "",
                            (long long)shares[i].nodes, gp_form_or(shares[i].product, "?"));
    }
    return mixed ? text
                 : gp_form_text(out, "%lld %s", (long long)candidate->nodes,
                                gp_form_or(candidate->product, candidate->system));
}

const char *gp_form_site_machines(gp_form_out *out, const gp_report_summary *summary, bool noun) {
    const char *held =
        noun ? gp_form_plural(out, summary->nodes, "machine") : gp_form_count(out, summary->nodes);
    if (summary->stand_nodes == GP_REPORT_NO_COUNT || summary->rented_nodes == GP_REPORT_NO_COUNT ||
        summary->stand_nodes + summary->rented_nodes <= summary->nodes)
        return held;
    return gp_form_text(out, "%s of %s%s", gp_form_count(out, summary->nodes),
                        gp_form_count(out, summary->stand_nodes + summary->rented_nodes),
                        noun ? " machines" : "");
}

bool gp_form_is_rented(const gp_report_candidate *candidate) {
    return candidate->feasible && !gp_str_equal(candidate->where, "owned");
}

const char *gp_form_where(gp_form_out *out, const gp_report_recommendation *verdict) {
    const gp_report_candidate *candidate = &verdict->chosen;
    const gp_report_available *today = &verdict->today;
    const bool mixed = today->product != NULL && today->system == NULL;
    const int64_t owned = candidate->nodes - candidate->added_nodes;
    if (gp_form_is_rented(candidate))
        return gp_form_text(out, "rented from %s", candidate->where);
    if (candidate->added_nodes == 0)
        return mixed || gp_str_equal(today->system, candidate->system)
                   ? "in place today"
                   : "shared with other workloads";
    if (owned == 0)
        return "to buy";
    return gp_form_text(out, "%lld %s, %lld to buy", (long long)owned,
                        today->product != NULL ? "today" : "shared",
                        (long long)candidate->added_nodes);
}

static const gp_report_goal *tightest(const gp_report_workload *workload) {
    const gp_report_goal *found = NULL;
    for (size_t i = 0; i < workload->goals.count; i++) {
        const gp_report_goal *goal = &workload->goals.items[i];
        if (isfinite(goal->margin_fraction) &&
            (found == NULL || goal->margin_fraction < found->margin_fraction))
            found = goal;
    }
    return found;
}

typedef struct state_words {
    const char *state;
    const char *cell; /* in a table */
    const char *text;
} state_words;

static const state_words states[] = {
    {"met", "met", "met"},
    {"metAtExpected", "unsure", "met at the expected value only"},
    {"missed", "missed", "missed"},
    {"notJudged", "not judged", "not judged"},
};
enum { STATES = GP_COUNT_OF(states) };

static const state_words *words_of(const char *state) {
    size_t i = 0;
    while (i + 1 < STATES && !gp_str_equal(states[i].state, state))
        i++;
    return &states[i];
}

const char *gp_form_goal_state(const char *state) {
    return words_of(state)->text;
}

const char *gp_form_goal_figure(gp_form_out *out, const gp_report_goal *goal, double value) {
    static const double near_whole = 0.99;
    static const double told = 0.95; /* of a digit of what is missing */
    enum { DIGITS_MOST = 5 };
    char text[GP_NUM_TEXT];
    double missing = (1 - value) * 100;
    int digits = 0;
    if (goal->dim != GP_DIM_FRACTION || !(value > near_whole) || !(value < 1))
        return gp_form_quantity(out, value, goal->dim);
    for (; missing < told && digits < DIGITS_MOST; digits++)
        missing *= 10;
    (void)gp_num_format_fixed(text, value * 100, digits);
    return gp_form_text(out, "%s%%", text);
}

/* More is better: beyond the target there is room, or short of it there is none. */
static bool is_least(const gp_report_goal *goal) {
    return goal->judged > goal->target ? goal->margin_fraction > 0
                                       : goal->judged < goal->target && goal->margin_fraction < 0;
}

const char *gp_form_goal_short(gp_form_out *out, const gp_report_workload *workload) {
    const gp_report_goal *goal = tightest(workload);
    if (goal == NULL || !isfinite(goal->judged))
        return workload->goals.count > 0 ? words_of(workload->goals.items[0].state)->cell
                                         : "no goal";
    const char *judged = gp_form_goal_figure(out, goal, goal->judged);
    const char *target = gp_form_goal_figure(out, goal, goal->target);
    const char *unit = strrchr(judged, ' ');
    const char *other = strrchr(target, ' ');
    const bool same = unit != NULL && other != NULL && strcmp(unit, other) == 0;
    if (gp_str_equal(goal->name, "seats"))
        return goal->judged < goal->target
                   ? gp_form_text(out, "%s of %s seats", judged, target)
                   : gp_form_text(out,
                                  gp_str_equal(judged, "1") ? "%s seat for %s" : "%s seats for %s",
                                  judged, target);
    return gp_form_text(out, "%.*s %s %s", (int)(same ? (size_t)(unit - judged) : strlen(judged)),
                        judged, is_least(goal) ? "for" : "of", target);
}

const char *gp_form_goal_band(gp_form_out *out, const gp_report_goal *goal) {
    const char *expected = gp_form_goal_figure(out, goal, goal->expected);
    const char *low = gp_form_goal_figure(out, goal, goal->low);
    const char *high = gp_form_goal_figure(out, goal, goal->high);
    if (!isfinite(goal->low) || strcmp(low, high) == 0)
        return expected;
    return gp_form_text(out, "%s (%s to %s)", expected, low, high);
}

const char *gp_form_goal_text(gp_form_out *out, const gp_report_goal *goal) {
    if (!isfinite(goal->expected))
        return gp_form_text(out, "target %s: %s", gp_form_goal_figure(out, goal, goal->target),
                            gp_form_goal_state(goal->state));
    const char *room = "";
    if (isfinite(goal->margin_fraction) && goal->margin_fraction >= -1)
        room = gp_form_text(out, ", %s %s", gp_form_share(out, fabs(goal->margin_fraction)),
                            goal->margin_fraction < 0 ? "off" : "spare");
    return gp_form_text(out, "%s of %s: %s%s", gp_form_goal_band(out, goal),
                        gp_form_goal_figure(out, goal, goal->target),
                        gp_form_goal_state(goal->state), room);
}

const char *gp_form_speed(gp_form_out *out, const gp_report_candidate *candidate) {
    if (isfinite(candidate->time_to_complete_s.expected))
        return gp_form_band(out, candidate->time_to_complete_s, GP_DIM_TIME);
    if (isfinite(candidate->tpot_p95_s.expected))
        return gp_form_text(out, "%s/token", gp_form_seconds(out, candidate->tpot_p95_s.expected));
    return "-";
}

const char *gp_form_draw(gp_form_out *out, const gp_report_candidate *candidate) {
    return gp_form_text(out, "%s facility mean", gp_form_watts(out, candidate->facility_power_w));
}

static const char *lack_words(const gp_report_lack *lack) {
    return lack != NULL && lack->reason != NULL ? lack->reason : "no candidate";
}

const char *gp_form_alternative(gp_form_out *out, const gp_report_candidate *candidate,
                                const char *currency) {
    if (candidate->system == NULL)
        return gp_form_text(out, "not possible: %s", lack_words(candidate->lack));
    const char *machines = gp_form_text(out, "%s (%s)", gp_form_machines(out, candidate),
                                        gp_form_plural(out, candidate->gpus, "GPU"));
    if (!candidate->feasible)
        return gp_form_text(out, "not possible; the nearest is %s: %s", machines,
                            lack_words(candidate->lack));
    const char *speed = gp_form_speed(out, candidate);
    const char *cost = gp_form_per_year(out, candidate->cost_per_year, currency);
    return gp_form_text(out, "%s: %s, %s%s%s%s", machines, gp_form_or(candidate->layout, "-"),
                        gp_str_equal(speed, "-") ? "" : speed, gp_str_equal(speed, "-") ? "" : ", ",
                        gp_form_draw(out, candidate), cost);
}

const char *gp_form_check_reason(gp_form_out *out, const gp_report_check *check) {
    const char *reason = gp_form_or(check->reason, "");
    if (check->missing.count == 0 || !gp_str_equal(check->level, "notAssessed"))
        return reason;
    const char *text = gp_form_text(out, "%s; add", reason);
    for (size_t i = 0; i < check->missing.count; i++)
        text = gp_form_text(out, "%s%s %s", text, i > 0 ? "," : "", check->missing.items[i]);
    return text;
}

int64_t gp_form_level_count(const gp_report *report, const char *level) {
    int64_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += report->findings.items[i].waived_by == NULL &&
                 gp_str_equal(report->findings.items[i].level, level);
    return count;
}

static const char *level_words(gp_form_out *out, const gp_report *report, const char *level) {
    return gp_form_plural(out, gp_form_level_count(report, level), level);
}

const char *gp_form_findings(gp_form_out *out, const gp_report *report) {
    return gp_form_text(out, "%s, %s, %s", level_words(out, report, "error"),
                        level_words(out, report, "warning"), level_words(out, report, "note"));
}

const char *gp_form_shell(gp_form_out *out, const char *word) {
    return gp_form_written_by(out, gp_buf_shell, word);
}

const char *gp_form_spec(gp_form_out *out, const gp_report *report) {
    const char *spec =
        gp_form_or(out->asked.command, gp_form_or(report->inputs.spec.path, "plan.yaml"));
    const char *text = gp_form_shell(out, spec);
    for (size_t i = 0; i < out->asked.flag_count; i++)
        text = gp_form_text(out, "%s %s", text, gp_form_shell(out, out->asked.flags[i]));
    return text;
}

const char *gp_form_place(gp_form_out *out, const gp_report_finding *finding) {
    if (finding->file == NULL || finding->line == GP_REPORT_NO_COUNT)
        return NULL;
    return gp_form_text(out, "%s:%lld:%lld", finding->file, (long long)finding->line,
                        (long long)finding->column);
}

const char *gp_form_software(gp_form_out *out, const gp_report_recommendation *verdict,
                             const gp_report_software_change *change) {
    const char *whose = verdict->today.product != NULL ? "today's" : "the planned";
    const char *fewer = gp_form_if(out, change->saved_fraction > 0, ", %s fewer",
                                   gp_form_share(out, change->saved_fraction));
    const char *effect = change->feasible ? gp_form_text(out, "%s%s", change->layout, fewer)
                                          : "not enough by itself";
    const char *held =
        gp_form_around(out, gp_form_text(out, "; %s machines then carry ", whose),
                       gp_form_quantity(out, change->held_requests_per_s, GP_DIM_PER_S), "");
    return gp_form_text(out, "%s %s instead of %s: %s%s%s%s", gp_form_or(change->path, "?"),
                        gp_form_or(change->to, "?"), gp_form_or(change->from, "?"), effect, held,
                        change->makes_hardware_unnecessary ? "; nothing to buy" : "",
                        change->assumed ? " (at the assumed acceptance rate)" : "");
}

const char *gp_form_unit(gp_form_out *out, const gp_report_performance *figures,
                         const char *currency) {
    if (!isfinite(figures->energy_j_per_million_tokens))
        return NULL;
    const char *money = gp_form_around(
        out, " and ", gp_form_money(out, figures->cost_per_million_tokens, currency), "");
    const char *run =
        gp_form_around(out, "; ", gp_form_money(out, figures->cost_per_run, currency), " a run");
    return gp_form_text(out, "%s%s per million tokens%s",
                        gp_form_quantity(out, figures->energy_j_per_million_tokens, GP_DIM_ENERGY),
                        money, run);
}

const char *gp_form_efficient(gp_form_out *out, const gp_report_workload *workload) {
    const gp_report_efficient *other = workload->efficient;
    if (other == NULL)
        return NULL;
    return gp_form_text(out, "%s x %s (%s): %s less energy for the same work",
                        gp_form_count(out, other->nodes), gp_form_or(other->system, "?"),
                        gp_form_plural(out, other->gpus, "GPU"),
                        gp_form_share(out, other->saved_fraction));
}

const char *gp_form_fabric(gp_form_out *out, const gp_report_fabric *fabric) {
    if (fabric->tiers == 0)
        return "none needed";
    const char *core = gp_form_some(out, ", ", fabric->core, " core");
    const char *spine =
        gp_form_some(out, ", ", fabric->spine, fabric->spine == 1 ? " spine" : " spines");
    return gp_form_text(out, "%s %s%s%s", gp_form_count(out, fabric->leaf),
                        fabric->leaf == 1 ? "leaf" : "leaves", spine, core);
}

/* Ports of a faster switch serve several host ports each. */
const char *gp_form_switch(gp_form_out *out, const gp_report_fabric *fabric) {
    if (fabric->switch_id == NULL || !isfinite(fabric->switch_port_bits_per_s))
        return gp_form_or(fabric->switch_id, "switches");
    bool split = fabric->rate_bits_per_s > 0 &&
                 fabric->switch_port_bits_per_s >= 2 * fabric->rate_bits_per_s;
    return gp_form_text(
        out, "%s (%s ports of %s%s)", fabric->switch_id, gp_form_count(out, fabric->switch_ports),
        gp_form_quantity(out, fabric->switch_port_bits_per_s, GP_DIM_BITS_PER_S),
        split ? gp_form_text(out, ", split for hosts of %s",
                             gp_form_quantity(out, fabric->rate_bits_per_s, GP_DIM_BITS_PER_S))
              : "");
}

const char *gp_form_horizon(gp_form_out *out, const gp_report_horizon *horizon) {
    const char *core = gp_form_some(out, " and ", horizon->core, " core");
    const char *early = gp_form_some(out, ", ", horizon->early_spine, " of them ahead of need");
    const char *spines =
        gp_form_if(out, horizon->spine > 0, "; %s spine%s switches with the first phase%s",
                   gp_form_count(out, horizon->spine), core, early);
    return gp_form_text(out, "power and space for %s IT, %s facility, %s for %s%s",
                        gp_form_watts(out, horizon->it_w), gp_form_watts(out, horizon->facility_w),
                        gp_form_plural(out, horizon->racks, "rack position"),
                        gp_form_plural(out, horizon->nodes, "machine"), spines);
}

const char *gp_form_source(gp_form_out *out, const gp_report_source *source) {
    const char *text = source->origin;
    const char *const parts[] = {source->where, source->source, source->date, source->evidence};
    for (size_t i = 0; i < GP_COUNT_OF(parts); i++)
        if (parts[i] != NULL)
            text = gp_form_text(out, "%s, %s", gp_form_or(text, ""), parts[i]);
    return source->verified || gp_str_equal(source->origin, "term")
               ? gp_form_or(text, "")
               : gp_form_text(out, "%s, unverified", gp_form_or(text, ""));
}

const char *gp_form_effect(gp_form_out *out, double effect) {
    enum { DIGITS = 3, JUMP = 10 };
    char text[GP_NUM_TEXT];
    if (!isfinite(effect))
        return "gone";
    if (effect > JUMP || effect < -JUMP)
        return "jump"; /* a step of something whole */
    (void)gp_num_format_fixed(text, effect, DIGITS);
    return gp_form_text(out, "%s%s%%", effect > 0 ? "+" : "", text);
}

/* Keys that do not read as words. */
static const gp_wording labels[] = {
    {"gpus", "GPUs"},
    {"nodes", "machines"},
    {"boughtNodes", "machines to buy"},
    {"addedNodes", "machines to buy"},
    {"rentedNodes", "machines to rent"},
    {"itPowerW", "IT power"},
    {"capital", "purchase"},
    {"totalPerYear", "cost per year"},
    {"costPerYear", "cost per year"},
    {"energyJPerYear", "energy of a year"},
    {"carbonKgPerYear", "carbon of a year"},
    {"ttftP95S", "first token, p95"},
    {"tpotP95S", "per token, p95"},
    {"scale", "verdict"},
    {"feasible", "holds, with purchases"},
};

/* "facility power" for summary.facilityPowerW: the unit at the end says nothing in words. */
const char *gp_form_metric(gp_form_out *out, const char *path) {
    static const char *const units[] = {" w", " s"};
    const char *key = gp_str_last_key(path);
    const char *label = GP_WORDING(labels, key, NULL);
    if (label != NULL)
        return label;
    const char *text = gp_form_words(out, key);
    if (gp_str_ends(text, " per s"))
        return gp_form_text(out, "%second", text); /* a rate keeps what it is per */
    for (size_t i = 0; i < GP_COUNT_OF(units); i++)
        if (gp_str_ends(text, units[i]))
            return gp_form_text(out, "%.*s", (int)(strlen(text) - strlen(units[i])), text);
    return text;
}

bool gp_form_is_asked(const gp_report_workload *work) {
    return isfinite(work->performance.demand_requests_per_s) &&
           !isfinite(work->performance.time_to_complete_s.expected);
}

double gp_form_rate_share(const gp_report_workload *work) {
    const gp_report_band *rate = &work->performance.tokens_per_s;
    return rate->low > 0 && rate->expected > 0 ? rate->low / rate->expected : 1;
}

const char *gp_form_goal_test(const gp_report_workload *work) {
    return isfinite(work->performance.ttft_p95_s.expected)
               ? "one hour of load"
               : "the whole run, or one hour of it, scaled to the whole";
}

double gp_form_token_rate(const gp_report_workload *work) {
    const gp_report_band *rate = &work->performance.tokens_per_s;
    return gp_form_is_asked(work) ? rate->expected : rate->low;
}
