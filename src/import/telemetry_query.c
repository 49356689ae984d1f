/*
 * From rows of the table to PromQL: what a query filters, so that a blank such as
 * 9223372036854775794 never enters a mean, and how old and new names of a metric are joined, so
 * that an exporter that prints both is not counted twice.
 */
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "import/telemetry_query.h"

enum { QUERY_MAX = 64 * 1024 };
static const double least_step_s = 60;   /* scrapes are rarely closer */
static const double most_points = 10000; /* a server refuses a series of more than 11,000 */
static const double rate_window_s = 300; /* several scrapes */
static const char *const group_labels[] = {
    /* by scope */
    [GP_TELEMETRY_SERVICE] = "model_name",
    [GP_TELEMETRY_DEVICE] = "modelName",
    [GP_TELEMETRY_MACHINE] = "",
    [GP_TELEMETRY_LINK] = "",
};

const char *gp_telemetry_group_label(gp_telemetry_scope scope) {
    return group_labels[scope];
}

typedef struct query_out {
    gp_buf buf;
    const gp_telemetry_metric *metric;
    const gp_telemetry_options *options;
} query_out;

double gp_telemetry_step_s(const gp_telemetry_options *options) {
    return gp_num_max(least_step_s, (double)gp_num_ceil_count(options->window_s / most_points));
}

static void add_seconds(query_out *out, double seconds) {
    gp_buf_i64(&out->buf, gp_num_ceil_count(seconds));
    gp_buf_char(&out->buf, 's');
}

static void add_selector(query_out *out) {
    gp_buf_str(&out->buf, out->options->selector == NULL ? "" : out->options->selector);
}

static void add_rate_window(query_out *out) {
    double step_s = gp_telemetry_step_s(out->options);
    add_seconds(out, gp_num_max(step_s, gp_num_min(rate_window_s, out->options->window_s)));
}

static const char *next_name(const char *names, size_t *ret_len) {
    names += strspn(names, " ");
    *ret_len = strcspn(names, " ");
    return names;
}

/* "FUNCTION(NAME_SUFFIX{S}[W])" */
static void add_over(query_out *out, const char *function, const char *name, size_t len,
                     const char *suffix) {
    gp_buf_printf(&out->buf, "%s(%.*s%s{", function, (int)len, name, suffix);
    add_selector(out);
    gp_buf_str(&out->buf, "}[");
    if (gp_str_equal(function, "rate"))
        add_rate_window(out);
    else
        add_seconds(out, out->options->window_s);
    gp_buf_str(&out->buf, "])");
}

static void add_union(query_out *out, const char *function, const char *suffix) {
    size_t len = 0;
    const char *name = next_name(out->metric->names, &len);
    gp_buf_char(&out->buf, '(');
    for (bool first = true; len > 0; first = false) {
        gp_buf_str(&out->buf, first ? "" : " or ");
        add_over(out, function, name, len, suffix);
        name = next_name(name + len, &len);
    }
    gp_buf_char(&out->buf, ')');
}

static void add_range(query_out *out) {
    gp_buf_str(&out->buf, " >= ");
    gp_buf_number(&out->buf, out->metric->least, 0);
    gp_buf_str(&out->buf, " <= ");
    gp_buf_number(&out->buf, out->metric->most, 0);
}

static void add_values(query_out *out) {
    size_t len = 0;
    const char *name = next_name(out->metric->names, &len);
    gp_buf_char(&out->buf, '(');
    for (bool first = true; len > 0; first = false) {
        gp_buf_printf(&out->buf, "%s%.*s{", first ? "" : " or ", (int)len, name);
        add_selector(out);
        gp_buf_char(&out->buf, '}');
        add_range(out);
        name = next_name(name + len, &len);
    }
    gp_buf_char(&out->buf, ')');
}

/* "a|b", with `suffix` behind each. */
static void add_pattern(query_out *out, const char *suffix) {
    size_t len = 0;
    const char *name = next_name(out->metric->names, &len);
    for (bool first = true; len > 0; first = false) {
        gp_buf_printf(&out->buf, "%s%.*s%s", first ? "" : "|", (int)len, name, suffix);
        name = next_name(name + len, &len);
    }
}

/* One letter behind a '$'; the number of characters that it took. */
static size_t add_slot(query_out *out, const char *slot) {
    bool call = slot[0] != '\0' && slot[1] == '(' && slot[2] == ')';
    switch (slot[0]) {
    case 'B': gp_buf_str(&out->buf, group_labels[out->metric->scope]); return 1;
    case 'S': add_selector(out); return 1;
    case 'W': add_seconds(out, out->options->window_s); return 1;
    case 'X': add_values(out); return 1;
    case 'N': add_pattern(out, ""); return 1;
    case 'L': gp_buf_number(&out->buf, out->metric->least, 0); return 1;
    case 'M': gp_buf_number(&out->buf, out->metric->most, 0); return 1;
    case 'I': add_union(out, "increase", ""); return 3;
    case 'R':
        if (call) {
            add_union(out, "rate", "");
            return 3;
        }
        add_rate_window(out);
        return 1;
    default: out->buf.st = GP_ERR_INTERNAL; return 1;
    }
}

static void add_template(query_out *out, const char *text) {
    while (*text != '\0') {
        size_t len = strcspn(text, "$");
        gp_buf_add(&out->buf, text, len);
        text += len;
        if (*text == '$')
            text += 1 + add_slot(out, text + 1);
    }
}

/* Buckets of the window by name and edge; a name counts where the one before it does not. The sum
 * of all observations comes along under an edge of its own, "sum". */
static void add_buckets(query_out *out) {
    const char *label = group_labels[out->metric->scope];
    const char *before = NULL;
    size_t before_len = 0;
    size_t len = 0;
    const char *name = next_name(out->metric->names, &len);
    gp_buf_printf(&out->buf, "sum by (%s, le) (", label);
    while (len > 0) {
        gp_buf_str(&out->buf, before == NULL ? "" : " or (");
        add_over(out, "increase", name, len, "_bucket");
        if (before != NULL) {
            gp_buf_str(&out->buf, " unless ignoring (le) ");
            add_over(out, "increase", before, before_len, "_bucket");
            gp_buf_char(&out->buf, ')');
        }
        before = name;
        before_len = len;
        name = next_name(name + len, &len);
    }
    gp_buf_printf(&out->buf, ") or label_replace(sum by (%s) ", label);
    add_union(out, "increase", "_sum");
    gp_buf_str(&out->buf, ", \"le\", \"sum\", \"\", \"\")");
}

static void add_matching(query_out *out) {
    gp_buf_str(&out->buf, "{__name__=~\"");
    add_pattern(out, out->metric->shape == GP_TELEMETRY_BUCKETS ? "_count" : "");
    gp_buf_str(&out->buf, "\",");
    add_selector(out);
    gp_buf_char(&out->buf, '}');
}

/* How many values of the window the range keeps out. */
static void add_blanks(query_out *out) {
    gp_buf_str(&out->buf, "sum_over_time(count(");
    add_matching(out);
    gp_buf_str(&out->buf, " < ");
    gp_buf_number(&out->buf, out->metric->least, 0);
    gp_buf_str(&out->buf, " or ");
    add_matching(out);
    gp_buf_str(&out->buf, " > ");
    gp_buf_number(&out->buf, out->metric->most, 0);
    gp_buf_str(&out->buf, ")[");
    add_seconds(out, out->options->window_s);
    gp_buf_char(&out->buf, ':');
    add_seconds(out, gp_telemetry_step_s(out->options));
    gp_buf_str(&out->buf, "])");
}

static void add_presence(query_out *out) {
    gp_buf_str(&out->buf, "count(last_over_time(");
    add_matching(out);
    gp_buf_char(&out->buf, '[');
    add_seconds(out, out->options->window_s);
    gp_buf_str(&out->buf, "]))");
}

gp_status gp_telemetry_query(gp_arena *arena, const gp_telemetry_metric *metric,
                             gp_telemetry_step step, const gp_telemetry_options *options,
                             const char **ret_query) {
    query_out out = {.metric = metric, .options = options};
    gp_buf_init(&out.buf, arena, QUERY_MAX);
    switch (step) {
    case GP_TELEMETRY_ASK_VALUES:
        if (metric->shape == GP_TELEMETRY_BUCKETS)
            add_buckets(&out);
        else
            add_template(&out, metric->query);
        break;
    case GP_TELEMETRY_ASK_BLANKS: add_blanks(&out); break;
    case GP_TELEMETRY_ASK_PRESENCE: add_presence(&out); break;
    case GP_TELEMETRY_STEP_COUNT: return GP_ERR_INTERNAL;
    }
    return gp_buf_finish(&out.buf, ret_query, NULL);
}

/* ---- requests */

static void add_encoded(gp_buf *buf, const char *text) {
    static const char digits[] = "0123456789ABCDEF";
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (strchr(plain, *text) != NULL) {
            gp_buf_char(buf, *text);
        } else {
            const char code[] = {'%', digits[byte / 16], digits[byte % 16]};
            gp_buf_add(buf, code, sizeof code);
        }
    }
}

static void add_moment(gp_buf *buf, const char *key, double seconds) {
    gp_buf_printf(buf, "&%s=", key);
    gp_buf_i64(buf, gp_num_floor_count(seconds));
}

gp_status gp_telemetry_request_of(gp_arena *arena, const gp_telemetry_metric *metric,
                                  gp_telemetry_step step, const gp_telemetry_options *options,
                                  const char *query, gp_telemetry_request *ret_request) {
    bool series = step == GP_TELEMETRY_ASK_VALUES && metric->shape == GP_TELEMETRY_SERIES;
    double step_s = gp_telemetry_step_s(options);
    gp_buf buf = GP_BUF(arena, 4 * (size_t)QUERY_MAX);
    gp_buf_str(&buf, "query=");
    add_encoded(&buf, query);
    if (series) {
        add_moment(&buf, "start", options->end_s - options->window_s + step_s);
        add_moment(&buf, "end", options->end_s);
        add_moment(&buf, "step", step_s);
    } else {
        add_moment(&buf, "time", options->end_s);
    }
    ret_request->path = series ? "/api/v1/query_range" : "/api/v1/query";
    return gp_buf_finish(&buf, &ret_request->form, NULL);
}

const char *gp_telemetry_selector_problem(const char *selector) {
    char quote = 0;
    for (const char *c = selector; *c != '\0'; c++)
        if (quote != 0 && *c == '\\' && c[1] != '\0')
            c++;
        else if (*c == quote)
            quote = 0;
        else if (quote == 0 && (*c == '"' || *c == '\''))
            quote = *c;
        else if (quote == 0 && (*c == '{' || *c == '}' || *c == '[' || *c == '('))
            return "expected label matchers without brackets";
        else if ((unsigned char)*c < 0x20)
            return "it holds a control character";
    if (quote != 0)
        return "a quote is not closed";
    return strchr(selector, '=') == NULL && strchr(selector, '~') == NULL
               ? "expected label matchers such as cluster=\"a\""
               : NULL;
}
