/* Words of verdicts, goals and objectives. */
#include "render/form.h"

const char *gp_form_scale(const char *scale) {
    static const gp_wording pairs[] = {
        {"none", "enough as it is"},  {"vertical", "scale up"},   {"horizontal", "scale out"},
        {"both", "scale up and out"}, {"infeasible", "not held"},
    };
    return GP_WORDING(pairs, scale, gp_form_or(scale, "-"));
}

const char *gp_form_scale_word(const char *scale) {
    static const gp_wording pairs[] = {
        {"none", "stay"},   {"vertical", "up"},      {"horizontal", "out"},
        {"both", "up+out"}, {"infeasible", "fails"},
    };
    return GP_WORDING(pairs, scale, gp_form_or(scale, "-"));
}

const char *gp_form_goal_name(gp_form_out *out, const char *name) {
    const char *words = gp_report_goal_words(out->buf->arena, gp_form_or(name, ""));
    return gp_form_or(words, "");
}

static const char *objective_words(const char *objective) {
    static const gp_wording pairs[] = {
        {"minCost", "least cost"},
        {"minPower", "least power"},
        {"minGpus", "fewest GPUs"},
        {"minTime", "least time"},
    };
    return GP_WORDING(pairs, objective, gp_form_or(objective, "-"));
}

static const char *confidence_words(const char *confidence) {
    static const gp_wording pairs[] = {
        {"expected", "at their expected values"},
        {"p80", "at the level that 8 in 10 measured runs stay within"},
        {"p90", "at the level that 9 in 10 measured runs stay within"},
    };
    return GP_WORDING(pairs, confidence, gp_form_or(confidence, "-"));
}

/* Whether somebody asked for the objective. */
static const char *default_words(const gp_report_summary *summary) {
    if (!summary->objective_was_auto)
        return "";
    return summary->keeps_owned ? ", by default, machines in place first" : ", by default";
}

const char *gp_form_judged(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    return gp_form_text(out, "Chosen for %s (%s%s); goals are judged %s (%s).",
                        objective_words(summary->objective), gp_form_or(summary->objective, "-"),
                        default_words(summary), confidence_words(summary->confidence),
                        gp_form_or(summary->confidence, "-"));
}
