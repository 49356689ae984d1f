/*
 * Calibration documents from text and back. What makes a class complete is a row per term.
 */
#include "model/calibration.h"

#include "base/buf.h"
#include "base/str.h"
#include "model/fields.h"
#include "schema/bind.h"
#include "schema/diag_ids.h"
#include "schema/field.h"
#include "source/yaml_tree.h"

enum { CALIBRATION_MAX_BYTES = 4 << 20, DIGITS = 4 };

/* Members of the class that a term is nothing without. */
static const struct {
    bool gpu, precision, software, link;
} needs[GP_CALIBRATION_TERM_COUNT] = {
    [GP_CALIBRATION_GEMM] = {.gpu = true, .precision = true},
    [GP_CALIBRATION_PREFILL] = {.gpu = true, .precision = true},
    [GP_CALIBRATION_DECODE] = {.gpu = true, .precision = true},
    [GP_CALIBRATION_STEP_TIME] = {.software = true},
    [GP_CALIBRATION_BANDWIDTH] = {.link = true},
    [GP_CALIBRATION_LATENCY] = {.link = true},
    [GP_CALIBRATION_POWER] = {.gpu = true},
    [GP_CALIBRATION_IDLE] = {.gpu = true},
};

static const char *missing_member(const gp_calibration_factor *factor) {
    const gp_calibration_class *c = &factor->class_of;
    bool scale_up = gp_str_equal(c->link, GP_CALIBRATION_SCALE_UP);
    if ((needs[factor->term].gpu || scale_up) && c->gpu == NULL)
        return "gpu";
    if (needs[factor->term].precision && c->precision == NULL)
        return "precision";
    if (needs[factor->term].software && c->framework == NULL && c->engine == NULL)
        return "framework or engine";
    return needs[factor->term].link && c->link == NULL ? "link" : NULL;
}

/* Two factors that would write the same figures. */
static bool same_class(const gp_calibration_factor *a, const gp_calibration_factor *b) {
    const gp_calibration_class *x = &a->class_of;
    const gp_calibration_class *y = &b->class_of;
    bool named = needs[a->term].software || a->term == (int)GP_CALIBRATION_CACHE;
    return a->term == b->term && gp_str_equal(x->gpu, y->gpu) &&
           gp_str_equal(x->precision, y->precision) && gp_str_equal(x->link, y->link) &&
           (!named ||
            (gp_str_equal(x->framework, y->framework) && gp_str_equal(x->engine, y->engine)));
}

/* The model has one network between machines: two names for it would be two figures for one. */
static bool same_network(const gp_calibration_factor *a, const gp_calibration_factor *b) {
    const char *x = a->class_of.link;
    const char *y = b->class_of.link;
    return a->term == b->term && needs[a->term].link && !gp_str_equal(x, GP_CALIBRATION_SCALE_UP) &&
           !gp_str_equal(y, GP_CALIBRATION_SCALE_UP);
}

static void check_factor(const gp_calibration *calibration, size_t at, gp_diags *diags) {
    const gp_calibration_factor *factor = &calibration->factors.items[at];
    const char *word = gp_calibration_term_words[factor->term];
    const char *missing = missing_member(factor);
    if (missing != NULL)
        gp_diags_error(diags, GP_ID_MISSING_KEY, factor->meta.span, NULL, NULL,
                       "a factor on %s needs class.%s", word, missing);
    for (size_t i = 0; i < at; i++) {
        const gp_calibration_factor *other = &calibration->factors.items[i];
        if (same_class(other, factor) || same_network(other, factor)) {
            gp_diags_error(diags, GP_ID_INCONSISTENT, factor->meta.span, "one factor for a class",
                           NULL, "a second factor on %s for the same class", word);
            return;
        }
    }
}

static gp_status bind_document(gp_arena *arena, const gp_text *text, const gp_node *root,
                               gp_diags *diags, gp_calibration_document **ret_document) {
    gp_binder binder = {.arena = arena, .diags = diags, .origin = GP_ORIGIN_SPEC};
    gp_calibration_document *document = GP_NEW(arena, gp_calibration_document);
    size_t errors = diags->errors;
    gp_struct_init(arena, &gp_calibration_document_rows, document);
    gp_bind_struct(&binder, root, &gp_calibration_document_rows, document);
    document->text = text;
    for (size_t i = 0; diags->errors == errors && i < document->spec.factors.count; i++)
        check_factor(&document->spec, i, diags);
    *ret_document = document;
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}

gp_status gp_calibration_read(gp_arena *arena, const gp_text *text, gp_diags *diags,
                              gp_calibration_document **ret_document) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {.count = 0};
    *ret_document = NULL;
    gp_status st = gp_yaml_read(arena, text, &limits, diags, &docs);
    if (st != GP_OK)
        return st;
    const gp_node *found = NULL;
    for (size_t i = 0; i < docs.count; i++) {
        bool fits = gp_node_is(gp_node_get(docs.roots[i], "kind"), "Calibration");
        if (!fits || found != NULL) {
            gp_diags_error(diags, GP_ID_UNKNOWN_KIND, docs.roots[i]->span,
                           "one document of kind: Calibration", NULL,
                           fits ? "a second calibration in one file"
                                : "this document is not a calibration");
            return GP_ERR_INPUT;
        }
        found = docs.roots[i];
    }
    if (found == NULL) {
        gp_diags_error(diags, GP_ID_EMPTY, (gp_span){.text = text}, NULL, NULL,
                       "the file has no document of kind Calibration");
        return GP_ERR_INPUT;
    }
    return bind_document(arena, text, found, diags, ret_document);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A double-quoted YAML scalar: names of files and servers come from outside. */
static void add_quoted(gp_buf *buf, const char *text) {
    gp_buf_char(buf, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            gp_buf_char(buf, '\\');
        gp_buf_char(buf, (unsigned char)*c < ' ' ? ' ' : *c);
    }
    gp_buf_char(buf, '"');
}

static void add_date(gp_buf *buf, const char *key, int64_t date, const char *before) {
    static const int64_t year = 10000;
    static const int64_t month = 100;
    if (date <= 0)
        return;
    int m = (int)(date / month % month);
    int d = (int)(date % month);
    gp_buf_printf(buf, "%s%s: %d-%s%d-%s%d", before, key, (int)(date / year), m < 10 ? "0" : "", m,
                  d < 10 ? "0" : "", d);
}

static void add_window(gp_buf *buf, const gp_calibration_window *window) {
    if (window->from <= 0 && window->to <= 0)
        return;
    gp_buf_str(buf, "  window: {");
    add_date(buf, "from", window->from, "");
    add_date(buf, "to", window->to, window->from > 0 ? ", " : "");
    gp_buf_str(buf, "}\n");
}

static void add_class(gp_buf *buf, const gp_calibration_class *c) {
    const struct {
        const char *key, *value;
    } members[] = {{"gpu", c->gpu},
                   {"precision", c->precision},
                   {"framework", c->framework},
                   {"engine", c->engine},
                   {"link", c->link}};
    const char *between = "";
    gp_buf_str(buf, "    - class: {");
    for (size_t i = 0; i < GP_COUNT_OF(members); i++) {
        if (members[i].value != NULL) {
            gp_buf_printf(buf, "%s%s: ", between, members[i].key);
            add_quoted(buf, members[i].value);
            between = ", ";
        }
    }
    gp_buf_str(buf, "}\n");
}

static void add_number(gp_buf *buf, const char *key, double value) {
    if (value > 0) {
        gp_buf_printf(buf, "      %s: ", key);
        gp_buf_number(buf, value, DIGITS);
        gp_buf_str(buf, "\n");
    }
}

static void add_share(gp_buf *buf, double fraction) {
    static const double percent = 100;
    gp_buf_number(buf, fraction * percent, DIGITS);
    gp_buf_char(buf, '%');
}

static void add_factor(gp_buf *buf, const gp_calibration_factor *factor) {
    add_class(buf, &factor->class_of);
    gp_buf_printf(buf, "      term: %s\n", gp_calibration_term_words[factor->term]);
    add_number(buf, "factor", factor->factor);
    add_number(buf, "measured", factor->measured);
    if (factor->weight > 0) {
        gp_buf_str(buf, "      weight: ");
        add_share(buf, factor->weight);
        gp_buf_str(buf, "\n");
    }
    gp_buf_printf(buf, "      samples: %lld\n", (long long)factor->samples);
    if (factor->spread.p10 > 0 && factor->spread.p90 > 0) {
        gp_buf_str(buf, "      spread: {p10: ");
        gp_buf_number(buf, factor->spread.p10, DIGITS);
        gp_buf_str(buf, ", p90: ");
        gp_buf_number(buf, factor->spread.p90, DIGITS);
        gp_buf_str(buf, "}\n");
    }
    if (factor->error_fraction > 0) {
        gp_buf_str(buf, "      error: ");
        add_share(buf, factor->error_fraction);
        gp_buf_str(buf, "\n");
    }
}

gp_status gp_calibration_write(gp_arena *arena, const char *name, const gp_calibration *calibration,
                               const char **ret_text, size_t *ret_len) {
    const gp_calibration_backtest *backtest = &calibration->backtest;
    gp_buf buf;
    gp_buf_init(&buf, arena, CALIBRATION_MAX_BYTES);
    gp_buf_str(&buf, "apiVersion: gpuplan/v1\nkind: Calibration\nmetadata: {name: ");
    add_quoted(&buf, name);
    gp_buf_str(&buf, "}\nspec:\n");
    add_window(&buf, &calibration->window);
    if (calibration->source != NULL) {
        gp_buf_str(&buf, "  source: ");
        add_quoted(&buf, calibration->source);
        gp_buf_str(&buf, "\n");
    }
    gp_buf_str(&buf, calibration->factors.count > 0 ? "  factors:\n" : "  factors: []\n");
    for (size_t i = 0; i < calibration->factors.count; i++)
        add_factor(&buf, &calibration->factors.items[i]);
    if (backtest->rows > 0) {
        gp_buf_str(&buf, "  backtest: {before: ");
        add_share(&buf, backtest->before_fraction);
        gp_buf_str(&buf, ", after: ");
        add_share(&buf, backtest->after_fraction);
        gp_buf_printf(&buf, ", rows: %lld, refused: %lld}\n", (long long)backtest->rows,
                      (long long)backtest->refused);
    }
    return gp_buf_finish(&buf, ret_text, ret_len);
}
