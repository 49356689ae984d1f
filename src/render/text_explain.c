/*
 * Explanations in the text form. Many inputs share a source: each is printed once, at the end, and
 * referred to by its number.
 */
#include "render/text_form.h"

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

/* "ttft 165 ms": a term, a figure or a fact of the plan. */
static const char *input_text(gp_form_out *out, const gp_report_source *input) {
    return gp_form_text(out, "%s %s", gp_form_or(input->name, "?"), gp_form_or(input->value, "-"));
}

static const char *listed(gp_form_out *out, const char *list, const gp_report_source *input) {
    return gp_form_text(out, "%s%s%s", list, *list != '\0' ? ", " : "", input_text(out, input));
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

static void print_term(gp_form_out *out, source_list *list, const gp_explanation *explanation,
                       const gp_explained_term *term) {
    const char *numbers = numbers_of(out, explanation, term->name);
    const char *inputs = "";
    for (size_t i = 0; i < term->inputs.count; i++)
        inputs = listed(out, inputs, &term->inputs.items[i]);
    gp_text_heading(
        out, gp_form_text(out, "%s = %s", term->name,
                          gp_form_amount(out, term->value, term->dim, explanation->currency)));
    if (term->formula != NULL) {
        gp_buf_str(out->buf, "  = ");
        gp_wrap(out, gp_form_text(out, "%s  %s", term->formula, number_of(out, list, term->source)),
                4, 4);
    }
    if (*inputs != '\0') {
        gp_buf_str(out->buf, "  with ");
        gp_wrap(out, inputs, 7, 7);
    }
    if (*numbers != '\0') {
        gp_buf_str(out->buf, "  from ");
        gp_wrap(out, numbers, 7, 7);
    }
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

static void print_numbers(gp_form_out *out, source_list *list, const gp_explanation *explanation) {
    const bool several = explanation->figures.count > 1;
    size_t unverified = 0;
    gp_table table = GP_TABLE("number", ">value", ">effect", several ? "of" : "in", "from");
    if (explanation->numbers.count == 0)
        return;
    for (size_t i = 0; i < explanation->numbers.count; i++)
        unverified += explanation->numbers.items[i].from.verified ? 0 : 1;
    gp_text_heading(out, gp_form_text(out,
                                      "NUMBERS, and what 1%% more of each does to the figure (%zu, "
                                      "%zu of them assumed or unverified)",
                                      explanation->numbers.count, unverified));
    for (size_t i = 0; i < explanation->numbers.count; i++) {
        const gp_explained_number *number = &explanation->numbers.items[i];
        GP_TABLE_ROW(out, &table, gp_form_or(number->from.name, "?"),
                     gp_form_or(number->from.value, "-"), gp_form_effect(out, number->effect),
                     several ? first_of(out, number->figures.items, number->figures.count)
                             : first_of(out, number->terms.items, number->terms.count),
                     origin_text(out, list, &number->from));
    }
    gp_table_print(out, &table, 2);
}

static void print_figure(gp_form_out *out, const gp_explained_figure *figure,
                         const char *currency) {
    const gp_report_band band = {figure->value, figure->low, figure->high};
    const char *value = isfinite(figure->low)
                            ? gp_form_band(out, band, figure->dim)
                            : gp_form_amount(out, figure->value, figure->dim, currency);
    gp_buf_repeat(out->buf, ' ', 2);
    gp_wrap(out,
            gp_form_text(out, "%s = %s%s%s%s%s", figure->path, value,
                         figure->term != NULL ? ", from " : "", gp_form_or(figure->term, ""),
                         figure->relation != NULL ? ": " : "", gp_form_or(figure->relation, "")),
            2, 6);
}

static void print_layout(gp_form_out *out, source_list *list, const gp_explained_layout *layout) {
    const char *step = gp_form_around(out, " (", gp_form_seconds(out, layout->step_s), " a step)");
    const char *source = layout->source != NULL
                             ? gp_form_text(out, " %s", number_of(out, list, layout->source))
                             : "";
    gp_buf_repeat(out->buf, ' ', 2);
    gp_wrap(out,
            gp_form_text(out, "%s%s: %s%s", gp_form_or(layout->layout, "-"), step,
                         gp_form_or(layout->why, "-"), source),
            2, 6);
}

static void print_layouts(gp_form_out *out, source_list *list, const gp_explanation *explanation) {
    const long long timed = (long long)explanation->layouts_timed;
    if (explanation->layouts.count > 0)
        gp_text_heading(
            out, timed == 0
                     ? "LAYOUTS: none that may be taken launches and fits"
                     : gp_form_text(out, "LAYOUTS, the best of %lld that launch and fit", timed));
    for (size_t i = 0; i < explanation->layouts.count; i++)
        print_layout(out, list, &explanation->layouts.items[i]);
}

static void print_sources(gp_form_out *out, const source_list *list) {
    if (list->count > 0)
        gp_text_heading(out, "SOURCES");
    for (size_t i = 0; i < list->count; i++) {
        const char *number = gp_form_text(out, "[%zu]", i + 1);
        gp_buf_repeat(out->buf, ' ', 2);
        gp_cell(out, number, 6, false, false);
        gp_wrap(out, list->items[i], 8, 8);
    }
}

void gp_text_explanation(gp_form_out *out, const gp_explanation *explanation) {
    source_list list = {0};
    gp_wrap(out,
            gp_form_text(out, "%s: %s; %s.", gp_form_or(explanation->workload, "?"),
                         gp_form_scale(explanation->scale), gp_form_or(explanation->reason, "-")),
            0, 2);
    if (explanation->layout != NULL)
        gp_labelled(out, "layout", explanation->layout);
    if (explanation->choice != NULL)
        gp_labelled(out, "choice", explanation->choice);
    if (explanation->figures.count > 0)
        gp_text_heading(out, "FIGURES");
    for (size_t i = 0; i < explanation->figures.count; i++)
        print_figure(out, &explanation->figures.items[i], explanation->currency);
    print_layouts(out, &list, explanation);
    for (size_t i = 0; i < explanation->terms.count; i++)
        print_term(out, &list, explanation, &explanation->terms.items[i]);
    print_numbers(out, &list, explanation);
    print_sources(out, &list);
}
