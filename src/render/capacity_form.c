/*
 * What a site holds as text, JSON and Markdown: the machines that fit, then how far the demands of
 * the workloads go on them, each with what binds and what would bind next.
 */
#include "render/block.h"
#include "report/capacity.h"

enum { DEFAULT_WIDTH = 80, WIDE = 100 };

/* ---- words */

static const gp_wording limits[] = {
    {"site.power.itCapacity", "IT power"},
    {"site.cooling.air.capacity", "heat to air"},
    {"site.cooling.liquid.capacity", "heat to coolant"},
    {"site.racks.count", "racks"},
    {"site.racks.maxPower", "power of a rack"},
    {"site.racks.maxWeight", "weight of a rack"},
    {"site.racks.height", "height of a rack"},
    {"site.cooling.air.perRack", "heat to air of a rack"},
    {"costs.budget.capital", "capital"},
    {"costs.budget.recurring", "cost per year"},
    {"cluster.pools", "machines installed"},
    {"workloads[].scaling.allow", "what its scaling allows"},
    {"candidates.limits.maxNodes", "machines allowed"},
    {"placement.survives", "one site does not survive its loss"},
    {"maxPower", "unknown machine power"},
};

static const char *limit_words(gp_form_out *out, const char *path, const char *bound) {
    const char *other = gp_str_equal(bound, "supply") ? "GPUs" : gp_form_words(out, bound);
    return GP_WORDING(limits, path, other);
}

static const char *holder_words(gp_form_out *out, const gp_report_holder *holder) {
    if (holder == NULL)
        return "no limit stated";
    const char *words = holder->workload != NULL ? gp_form_words(out, holder->bound_by)
                                                 : limit_words(out, holder->path, holder->bound_by);
    return holder->workload != NULL ? gp_form_text(out, "%s of %s", words, holder->workload)
                                    : words;
}

static const char *unit_words(const char *measure, bool one) {
    if (gp_str_equal(measure, "runs"))
        return one ? " run" : " runs";
    if (gp_str_equal(measure, "runsPerWeek"))
        return "/wk";
    if (gp_str_equal(measure, "requests"))
        return " requests";
    return gp_str_equal(measure, "rate") ? "/s" : " x";
}

static const char *amount(gp_form_out *out, double value, const char *measure) {
    static const double one = 1.5; /* whole numbers below are one */
    if (!isfinite(value))
        return "-";
    if (!(value > 0))
        return "none";
    return gp_form_text(out, "%s%s", gp_form_quantity(out, value, GP_DIM_COUNT),
                        unit_words(measure, value < one));
}

/* "43.2/s (2.16 x)"; "any" where nothing binds. */
static const char *most_of(gp_form_out *out, const gp_report_capacity_demand *demand) {
    if (!isfinite(demand->most))
        return "any";
    const char *most = amount(out, demand->most, demand->measure);
    const bool counted =
        gp_str_equal(demand->measure, "factor") || gp_str_equal(demand->measure, "runs");
    if (counted || !isfinite(demand->factor) || !(demand->most > 0))
        return most;
    return gp_form_text(out, "%s (%s)", most, amount(out, demand->factor, "factor"));
}

static const char *row_name(const gp_report_capacity_row *row) {
    return gp_form_or(row->system, "declared");
}

/* "IT power 1 MW (81.6 kW taken)" */
static const char *limit_text(gp_form_out *out, const gp_report_capacity *capacity,
                              const gp_report_capacity_limit *limit) {
    const char *words = limit_words(out, limit->path, limit->bound_by);
    const char *all = gp_form_amount(out, limit->limit, limit->dim, capacity->currency);
    if (!(limit->used > 0))
        return gp_form_text(out, "%s %s", words, all);
    return gp_form_text(out, "%s %s (%s taken)", words, all,
                        gp_form_amount(out, limit->used, limit->dim, capacity->currency));
}

static const char *answer_of(gp_form_out *out, const gp_report_capacity *capacity) {
    const char *text = "";
    for (size_t i = 0; i < capacity->limits.count; i++)
        text = gp_form_joined(out, text, ", ", "%s",
                              limit_text(out, capacity, &capacity->limits.items[i]));
    if (capacity->most_gpus != GP_REPORT_NO_COUNT)
        text = gp_form_text(out, "%s%sGPUs %s", text, *text != '\0' ? ", " : "",
                            gp_form_count(out, capacity->most_gpus));
    const char *plan = gp_form_or(capacity->plan, "?");
    if (*text != '\0')
        return gp_form_text(out, "Plan %s, limits: %s.", plan, text);
    return gp_form_text(out,
                        "Plan %s states no limits: add site.power.itCapacity, site.racks.count or "
                        "costs.budget.capital, or give --power, --racks, --budget or --gpus.",
                        plan);
}

/* ---- tables */

static const char *fit_of(gp_form_out *out, const gp_report_capacity_row *row) {
    if (row->system == NULL)
        return "";
    if (row->added != GP_REPORT_NO_COUNT)
        return gp_form_count(out, row->added);
    return row->binds != NULL ? "?" : "any";
}

/* "IT power, then racks at 112" */
static const char *bound_of(gp_form_out *out, const gp_report_holder *binds,
                            const gp_report_holder *next, const char *next_at) {
    const char *first = holder_words(out, binds);
    return next == NULL
               ? first
               : gp_form_text(out, "%s, then %s at %s", first, holder_words(out, next), next_at);
}

/* Narrow terminals go without what the machines have and do. */
static void machine_table(gp_form_out *out, const gp_report_capacity *capacity, gp_table *table) {
    const bool wide = out->layout == GP_LAYOUT_MARKDOWN || out->width >= WIDE;
    *table = GP_TABLE("machines", ">fit", ">GPUs", ">racks", ">switches", ">IT power");
    if (wide) {
        gp_table_column(table, ">memory");
        gp_table_column(table, ">16 bit");
    }
    gp_table_column(table, "~bound by");
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_report_capacity_row *row = &capacity->rows.items[i];
        const char *bound =
            bound_of(out, row->binds, row->next, gp_form_count(out, row->next_added));
        if (row->unpriced)
            bound = gp_form_text(out, "%s; some items have no price", bound);
        GP_TABLE_ROW(out, table, row_name(row), fit_of(out, row), gp_form_count(out, row->gpus),
                     gp_form_count(out, row->racks), gp_form_count(out, row->switches),
                     gp_form_watts(out, row->it_power_w),
                     wide ? gp_form_bytes(out, row->memory_bytes) : bound,
                     gp_form_quantity(out, row->flops_per_s, GP_DIM_FLOP_PER_S), bound);
    }
}

static void add_demands(gp_form_out *out, const gp_report_capacity_row *row, gp_table *table) {
    for (size_t i = 0; i < row->demands.count; i++) {
        const gp_report_capacity_demand *demand = &row->demands.items[i];
        GP_TABLE_ROW(out, table, i == 0 ? row_name(row) : "",
                     gp_form_or(demand->workload, "all together"),
                     amount(out, demand->today, demand->measure), most_of(out, demand),
                     gp_form_count(out, demand->machines), gp_form_count(out, demand->gpus),
                     bound_of(out, demand->binds, demand->next,
                              amount(out, demand->next_most, demand->measure)));
    }
}

static void demand_table(gp_form_out *out, const gp_report_capacity *capacity, gp_table *table) {
    *table = GP_TABLE("machines", "workload", ">asked", ">most", ">held", ">GPUs", "~bound by");
    for (size_t i = 0; i < capacity->rows.count; i++)
        add_demands(out, &capacity->rows.items[i], table);
}

/* What the rows hold anywhere, so that a caption speaks of it. */
typedef struct traits {
    bool demands, simulated, over;
    bool is_short; /* a workload finds no place as it is asked for */
} traits;

static traits traits_of(const gp_report_capacity *capacity) {
    traits ret = {false};
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_report_capacity_row *row = &capacity->rows.items[i];
        ret.over |= row->over;
        ret.demands |= row->demands.count > 0;
        for (size_t k = 0; k < row->demands.count; k++) {
            ret.simulated |= row->demands.items[k].simulated;
            ret.is_short |=
                row->demands.items[k].workload != NULL && row->demands.items[k].factor < 1;
        }
    }
    return ret;
}

static const char machines_caption[] =
    "Machines that fit beside the installed ones, one machine type at a time, with a compute "
    "fabric over all of them. The figures count everything installed.";
static const char over_caption[] =
    "The installed machines already exceed a limit: nothing more fits.";

static const char *demand_caption(gp_form_out *out, const gp_report_capacity *capacity, traits of) {
    return gp_form_text(
        out,
        "What they can carry, judged at %s%s: each workload grows while the others stay as they "
        "are, on the installed machines plus added machines of the type. Only the switches that "
        "this work needs are counted, so more machines may be held than fit above.%s",
        gp_form_or(capacity->confidence, "?"),
        of.simulated ? ", simulated where a goal is a percentile" : "",
        of.is_short ? " A workload that does not fit as asked is left out of the other rows." : "");
}

/* ---- forms */

static void write_blocks(gp_form_out *out, const void *result) {
    const gp_report_capacity *capacity = result;
    const traits of = traits_of(capacity);
    gp_table table;
    gp_block_lead(out, answer_of(out, capacity));
    gp_block_note(out, "%s%s%s", machines_caption, of.over ? " " : "", of.over ? over_caption : "");
    machine_table(out, capacity, &table);
    gp_block_table(out, NULL, &table);
    if (!of.demands)
        return;
    gp_block_note(out, "%s", demand_caption(out, capacity, of));
    demand_table(out, capacity, &table);
    gp_block_table(out, NULL, &table);
}

static void write_json(gp_form_out *out, const void *result) {
    gp_form_object(out, &gp_report_capacity_type, result);
}

static const gp_renderer forms[] = {
    {"text", "txt", write_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", write_json, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", write_blocks, .layout = GP_LAYOUT_MARKDOWN},
};

const gp_forms gp_forms_capacity = GP_FORMS(forms, DEFAULT_WIDTH);
