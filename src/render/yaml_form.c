/*
 * The YAML form: the tree of report.json in block style. Strings are always quoted, as JSON quotes
 * them, so that no text can turn into another type.
 */

#include "render/form.h"

enum { INDENT = 2, DEPTH_MAX = 64 };

typedef struct writer {
    gp_form_out *out;
    int depth;
    bool list[DEPTH_MAX];  /* the bracket at this depth is a list */
    bool empty[DEPTH_MAX]; /* nothing inside it yet */
    bool dash;             /* "- " was written: the next key stands on the same line */
} writer;

/* Words that YAML 1.1 reads as something else than a string. */
static const char *const reserved[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};

static bool is_plain(const char *key) {
    for (size_t i = 0; i < GP_COUNT_OF(reserved); i++)
        if (gp_str_equal_nocase(reserved[i], key))
            return false;
    for (const char *c = key; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && (c == key || !digit))
            return false;
    }
    return *key != '\0';
}

/* Before a key or an item: the line break and the indent. */
static void lead(writer *w, const char *key) {
    gp_buf *buf = w->out->buf;
    if (w->depth == 0)
        return;
    int level = w->depth - 1;
    if (w->dash) {
        w->dash = false;
    } else {
        if (w->empty[level] && level > 0)
            gp_buf_char(buf, '\n');
        gp_buf_repeat(buf, ' ', level * INDENT);
    }
    w->empty[level] = false;
    if (w->list[level]) {
        gp_buf_str(buf, "- ");
    } else if (key != NULL) {
        if (is_plain(key))
            gp_buf_str(buf, key);
        else
            gp_json_quote(buf, key);
        gp_buf_char(buf, ':');
    }
}

static void open_bracket(writer *w, const char *key, bool list) {
    bool item = w->depth > 0 && w->list[w->depth - 1];
    lead(w, key);
    if (w->depth == DEPTH_MAX) {
        w->out->buf->st = GP_ERR_LIMIT;
        return;
    }
    w->list[w->depth] = list;
    w->empty[w->depth] = true;
    w->depth++;
    w->dash = item;
}

static void close_bracket(writer *w) {
    gp_buf *buf = w->out->buf;
    if (w->depth == 0)
        return;
    w->depth--;
    if (!w->empty[w->depth])
        return;
    bool item = w->dash;
    w->dash = false;
    gp_buf_printf(buf, "%s%s\n", w->depth == 0 || item ? "" : " ", w->list[w->depth] ? "[]" : "{}");
}

static gp_status write_event(void *context, const gp_report_event *event) {
    writer *w = context;
    gp_json json = GP_JSON(w->out->buf);
    switch (event->kind) {
    case GP_REPORT_OPEN_STRUCT: open_bracket(w, event->key, false); break;
    case GP_REPORT_OPEN_LIST: open_bracket(w, event->key, true); break;
    case GP_REPORT_CLOSE_STRUCT:
    case GP_REPORT_CLOSE_LIST: close_bracket(w); break;
    case GP_REPORT_VALUE:
        lead(w, event->key);
        if (event->key != NULL)
            gp_buf_char(w->out->buf, ' ');
        gp_json_value(&json, NULL, &event->value);
        gp_buf_char(w->out->buf, '\n');
        break;
    }
    return w->out->buf->st;
}

void gp_reports_yaml(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    for (size_t i = 0; i < reports->count && out->buf->st == GP_OK; i++) {
        writer w = {.out = out};
        gp_buf_str(out->buf, "---\n");
        (void)gp_report_walk(&gp_report_type, reports->items[i], write_event, &w);
    }
}

void gp_explanation_yaml(gp_form_out *out, const void *result) {
    const gp_explanation *explanation = result;
    writer w = {.out = out};
    gp_buf_str(out->buf, "---\n");
    (void)gp_report_walk(&gp_explanation_type, explanation, write_event, &w);
}
