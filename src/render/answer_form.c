/* The answer in a few sentences, as the forms for readers open with it. */
#include "render/form.h"

#include <string.h>

typedef struct word_pair {
    const char *word, *text;
} word_pair;

static const char *find_words(const word_pair *pairs, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (gp_str_equal(pairs[i].word, word))
            return pairs[i].text;
    return gp_form_or(word, "-");
}

const char *gp_form_scale(const char *scale) {
    static const word_pair pairs[] = {
        {"none", "enough as it is"},  {"vertical", "scale up"},   {"horizontal", "scale out"},
        {"both", "scale up and out"}, {"infeasible", "not held"},
    };
    return find_words(pairs, GP_COUNT_OF(pairs), scale);
}

const char *gp_form_scale_word(const char *scale) {
    static const word_pair pairs[] = {
        {"none", "stay"},   {"vertical", "up"},      {"horizontal", "out"},
        {"both", "up+out"}, {"infeasible", "fails"},
    };
    return find_words(pairs, GP_COUNT_OF(pairs), scale);
}

const char *gp_form_goal_name(gp_form_out *out, const char *name) {
    const char *words = gp_report_goal_words(out->buf->arena, gp_form_or(name, ""));
    return gp_form_or(words, "");
}

static const char *objective_words(const char *objective) {
    static const word_pair pairs[] = {
        {"minCost", "least cost"},
        {"minPower", "least power"},
        {"minGpus", "fewest GPUs"},
        {"minTime", "least time"},
    };
    return find_words(pairs, GP_COUNT_OF(pairs), objective);
}

static const char *confidence_words(const char *confidence) {
    static const word_pair pairs[] = {
        {"expected", "at their expected values"},
        {"p80", "at the level that 8 in 10 measured runs stay within"},
        {"p90", "at the level that 9 in 10 measured runs stay within"},
    };
    return find_words(pairs, GP_COUNT_OF(pairs), confidence);
}

const char *gp_form_judged(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    return gp_form_text(
        out, "Chosen for %s (%s%s); goals are judged %s (%s).", objective_words(summary->objective),
        gp_form_or(summary->objective, "-"), summary->objective_was_auto ? ", by default" : "",
        confidence_words(summary->confidence), gp_form_or(summary->confidence, "-"));
}

/* "4 x gb200-nvl72 and 5 x dgx-b200" of the bill. */
static const char *kinds_words(gp_form_out *out, const gp_report_site *site) {
    const char *text = "";
    size_t left = 0;
    for (size_t i = 0; i < site->bill.count; i++)
        left += gp_str_equal(site->bill.items[i].role, "machine");
    for (size_t i = 0; i < site->bill.count; i++) {
        const gp_report_bill *line = &site->bill.items[i];
        if (!gp_str_equal(line->role, "machine"))
            continue;
        left--;
        text = gp_form_text(out, "%s%s x %s%s", text, gp_form_count(out, line->count),
                            gp_form_or(line->id, "?"),
                            left > 1    ? ", "
                            : left == 1 ? " and "
                                        : "");
    }
    return text;
}

static const char *origin_words(gp_form_out *out, const gp_report_summary *summary) {
    const char *bought = summary->bought_nodes > 0
                             ? gp_form_text(out, ", %s to buy",
                                            summary->bought_nodes == summary->nodes
                                                ? "all"
                                                : gp_form_count(out, summary->bought_nodes))
                             : "";
    const char *rented = gp_form_some(out, ", ", summary->rented_nodes, " to rent");
    return gp_form_text(out, "%s%s", bought, rented);
}

static const char *take_words(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const char *kinds = kinds_words(out, &report->site);
    const char *money =
        summary->capital > 0
            ? gp_form_text(out, "; %s to buy%s",
                           gp_form_money(out, summary->capital, report->cost.currency),
                           gp_form_part_priced(report) ? " for the priced items" : "")
            : "";
    const char *year =
        summary->cost_per_year > 0
            ? gp_form_text(out, "%s%s a year with the purchase amortized",
                           summary->capital > 0 ? ", " : "; ",
                           gp_form_money(out, summary->cost_per_year, report->cost.currency))
            : "";
    return gp_form_text(out, "%s with %s%s%s%s; %s, %s at the facility meter%s%s.",
                        gp_form_site_machines(out, summary, true),
                        gp_form_plural(out, summary->gpus, "GPU"), *kinds != '\0' ? ": " : "",
                        kinds, origin_words(out, summary),
                        gp_form_plural(out, summary->racks, "rack"),
                        gp_form_watts(out, summary->facility_power_w), money, year);
}

static const char *failing_words(gp_form_out *out, const gp_report *report) {
    const char *text = "";
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        if (!gp_str_equal(workload->recommendation.scale, "infeasible"))
            continue;
        text = gp_form_joined(out, text, "; ",
                              gp_form_text(out, "%s (%s)", gp_form_or(workload->name, "?"),
                                           gp_form_or(workload->recommendation.reason, "-")));
    }
    return text;
}

static size_t failing_count(const gp_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->workloads.count; i++)
        count += gp_str_equal(report->workloads.items[i].recommendation.scale, "infeasible");
    return count;
}

const char *gp_form_answer(gp_form_out *out, const gp_report *report) {
    const size_t all = report->workloads.count;
    const size_t failing = failing_count(report);
    const bool checked = report->inputs.fail_on != NULL;
    if (failing > 0)
        return gp_form_text(
            out, "%s cannot run %s: %s.", checked ? "The declared cluster" : "The allowed machines",
            all == 1 ? "the workload" : gp_form_text(out, "%zu of %zu workloads", failing, all),
            failing_words(out, report));
    return gp_form_text(out, "%s %s on %s",
                        all == 1 ? "The workload" : gp_form_text(out, "All %zu workloads", all),
                        all == 1 ? "holds" : "hold", take_words(out, report));
}
