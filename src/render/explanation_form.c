/*
 * Explanations as blocks. Many inputs share a source: each is printed once, at the end, and
 * referred to by its number.
 */
#include "render/block.h"

#include <string.h>

typedef struct source_list {
    size_t count, cap;
    const char **items;
} source_list;

/* "[3]"; "" for NULL. */
static const char *number_of(gp_form_out *out, source_list *list, const char *source) {
    size_t i = 0;
    if (source == NULL)
        return "";
    while (i < list->count && !gp_str_equal(list->items[i], source))
        i++;
    if (i == list->count) {
        const char **items = gp_arena_grow(out->buf->arena, list->items, list->count, &list->cap,
                                           sizeof *list->items);
        list->items = items;
        items[list->count++] = source;
    }
    return gp_form_text(out, "[%zu]", i + 1);
}

static const char *listed(gp_form_out *out, const char *list, const gp_report_source *input) {
    return gp_form_joined(out, list, ", ", "%s %s", gp_form_or(input->name, "?"),
                          gp_form_or(input->value, "-"));
}

/* The numbers that enter by the term. */
static const char *numbers_of(gp_form_out *out, const gp_explanation *explanation,
                              const char *term) {
    const char *list = "";
    for (size_t i = 0; i < explanation->numbers.count; i++) {
        const gp_explained_number *number = &explanation->numbers.items[i];
        for (size_t k = 0; k < number->terms.count; k++)
            if (gp_str_equal(number->terms.items[k], term))
                list = listed(out, list, &number->from);
    }
    return list;
}

static void say_term(gp_form_out *out, source_list *list, const gp_explanation *explanation,
                     const gp_explained_term *term) {
    const char *numbers = numbers_of(out, explanation, term->name);
    const char *inputs = "";
    for (size_t i = 0; i < term->inputs.count; i++)
        inputs = listed(out, inputs, &term->inputs.items[i]);
    gp_block_heading(
        out, gp_form_text(out, "%s = %s", term->name,
                          gp_form_amount(out, term->value, term->dim, explanation->currency)));
    if (term->formula != NULL)
        gp_block_say(out, "=", "%s  %s", term->formula, number_of(out, list, term->source));
    gp_block_fact(out, "with", *inputs != '\0' ? inputs : NULL);
    gp_block_fact(out, "from", *numbers != '\0' ? numbers : NULL);
}

/* Where a number is written: the place for what the user wrote, else its source. */
static const char *origin_text(gp_form_out *out, source_list *list, const gp_report_source *from) {
    gp_report_source unplaced = *from;
    const bool own = from->source == NULL;
    unplaced.where = NULL;
    if (own && from->where != NULL && !gp_str_equal(from->origin, "flag"))
        return strrchr(from->where, '/') != NULL ? strrchr(from->where, '/') + 1 : from->where;
    return own ? gp_form_or(from->origin, "-")
               : number_of(out, list, gp_form_source(out, &unplaced));
}

/* "stepTimeS, 3 more" */
static const char *first_of(gp_form_out *out, const char *const *names, size_t count) {
    if (count == 0)
        return "";
    const char *first = gp_str_last_key(names[0]);
    return count > 1 ? gp_form_text(out, "%s, %zu more", first, count - 1) : first;
}

static void say_numbers(gp_form_out *out, source_list *list, const gp_explanation *explanation) {
    const bool several = explanation->figures.count > 1;
    size_t unverified = 0;
    gp_table table = GP_TABLE("number", ">value", ">effect", several ? "of" : "in", "from");
    if (explanation->numbers.count == 0)
        return;
    for (size_t i = 0; i < explanation->numbers.count; i++)
        unverified += explanation->numbers.items[i].from.verified ? 0 : 1;
    gp_block_heading(
        out, gp_form_text(out,
                          "Numbers, and the effect on the figure of 1%% more of each "
                          "(%s, %zu of them assumed or unverified)",
                          gp_form_plural(out, (int64_t)explanation->numbers.count, "number"),
                          unverified));
    for (size_t i = 0; i < explanation->numbers.count; i++) {
        const gp_explained_number *number = &explanation->numbers.items[i];
        GP_TABLE_ROW(out, &table, gp_form_or(number->from.name, "?"),
                     gp_form_or(number->from.value, "-"), gp_form_effect(out, number->effect),
                     several ? first_of(out, number->figures.items, number->figures.count)
                             : first_of(out, number->terms.items, number->terms.count),
                     origin_text(out, list, &number->from));
    }
    gp_block_table(out, NULL, &table);
}

static void say_figure(gp_form_out *out, const gp_explained_figure *figure, const char *currency) {
    const gp_report_band band = {figure->value, figure->low, figure->high};
    const char *value = isfinite(figure->low)
                            ? gp_form_band(out, band, figure->dim)
                            : gp_form_amount(out, figure->value, figure->dim, currency);
    gp_block_item(
        out, gp_form_text(out, "%s = %s%s%s%s%s", figure->path, value,
                          figure->term != NULL ? ", from " : "", gp_form_or(figure->term, ""),
                          figure->relation != NULL ? ": " : "", gp_form_or(figure->relation, "")));
}

static void say_layout(gp_form_out *out, source_list *list, const gp_explained_layout *layout) {
    const char *step = gp_form_around(out, " (", gp_form_seconds(out, layout->step_s), " a step)");
    const char *source = layout->source != NULL
                             ? gp_form_text(out, " %s", number_of(out, list, layout->source))
                             : "";
    gp_block_item(out, gp_form_text(out, "%s%s: %s%s", gp_form_or(layout->layout, "-"), step,
                                    gp_form_or(layout->why, "-"), source));
}

static void say_layouts(gp_form_out *out, source_list *list, const gp_explanation *explanation) {
    const long long timed = (long long)explanation->layouts_timed;
    if (explanation->layouts.count > 0)
        gp_block_heading(
            out, timed == 0 ? "Layouts: none of the allowed ones launches and fits"
                            : gp_form_text(out, "Layouts, the best of %lld that launch", timed));
    for (size_t i = 0; i < explanation->layouts.count; i++)
        say_layout(out, list, &explanation->layouts.items[i]);
}

static void say_sources(gp_form_out *out, const source_list *list) {
    if (list->count == 0)
        return;
    gp_block_heading(out, "Sources");
    for (size_t i = 0; i < list->count; i++)
        gp_block_fact(out, gp_form_text(out, "[%zu]", i + 1), list->items[i]);
}

void gp_explanation_blocks(gp_form_out *out, const void *result) {
    const gp_explanation *explanation = result;
    source_list list = {0};
    out->indent = 2;
    gp_block_lead(out, gp_form_text(out, "%s: %s; %s.", gp_form_or(explanation->workload, "?"),
                                    gp_form_scale(explanation->scale),
                                    gp_form_or(explanation->reason, "-")));
    gp_block_fact(out, "layout", explanation->layout);
    gp_block_fact(out, "choice", explanation->choice);
    if (explanation->figures.count > 0)
        gp_block_heading(out, "Figures");
    for (size_t i = 0; i < explanation->figures.count; i++)
        say_figure(out, &explanation->figures.items[i], explanation->currency);
    say_layouts(out, &list, explanation);
    for (size_t i = 0; i < explanation->terms.count; i++)
        say_term(out, &list, explanation, &explanation->terms.items[i]);
    say_numbers(out, &list, explanation);
    say_sources(out, &list);
}
