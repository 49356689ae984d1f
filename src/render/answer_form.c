/* Words of verdicts, goals and objectives. */
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
