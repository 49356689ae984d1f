/*
 * From libyaml's events to trees. Events and not libyaml's own documents are read, so that limits
 * hold while reading: its loader takes quadratic time on deep nesting and its documents lose the
 * styles of scalars. libyaml stops at a syntax error; a new parser then starts at the next "---".
 */
#include "source/yaml_tree.h"

#include <string.h>

#include <yaml.h>

#include "base/str.h"
#include "source/tree_build.h"

/* libyaml counts code points; every CHECKPOINT-th has its byte offset remembered. */
enum { CHECKPOINT = 64 };

typedef struct yaml_reader {
    gp_arena *arena;
    const gp_text *text;
    const gp_source_limits *limits;
    gp_diags *diags;
    gp_tree_builder builder;
    const uint32_t *checkpoints; /* NULL: the text is ASCII, offsets are code points */
    size_t code_points;
    size_t segment_begin; /* byte offset and code point where the parser was started */
    size_t segment_code;
    const gp_node **roots;
    size_t root_count;
    size_t root_cap;
    size_t documents; /* begun, empty and faulty ones included */
} yaml_reader;

/* What libyaml holds while a segment is read. */
typedef struct yaml_segment {
    yaml_reader *reader;
    yaml_parser_t parser;
    yaml_event_t event;
    size_t next;
} yaml_segment;

static bool is_ascii(const gp_text *text) {
    for (size_t i = 0; i < text->len; i++)
        if ((unsigned char)text->data[i] >= 0x80)
            return false;
    return true;
}

static size_t code_bytes(const gp_text *text, size_t at) {
    uint32_t code = 0;
    size_t bytes = gp_utf8_decode(text->data + at, text->len - at, &code);
    return bytes ? bytes : 1;
}

static void make_checkpoints(yaml_reader *reader) {
    const gp_text *text = reader->text;
    reader->code_points = text->len;
    if (is_ascii(text))
        return;
    reader->code_points = gp_utf8_count(text->data, text->len);
    uint32_t *offsets = GP_NEW_ARRAY(reader->arena, uint32_t, reader->code_points / CHECKPOINT + 1);
    size_t code = 0;
    for (size_t at = 0; at < text->len; at += code_bytes(text, at)) {
        if (code % CHECKPOINT == 0)
            offsets[code / CHECKPOINT] = (uint32_t)at;
        code++;
    }
    if (code % CHECKPOINT == 0)
        offsets[code / CHECKPOINT] = (uint32_t)text->len;
    reader->checkpoints = offsets;
}

static uint32_t byte_offset(const yaml_reader *reader, const yaml_mark_t *mark) {
    size_t code = reader->segment_code + mark->index;
    if (code >= reader->code_points)
        return (uint32_t)reader->text->len;
    if (!reader->checkpoints)
        return (uint32_t)code;
    size_t at = reader->checkpoints[code / CHECKPOINT];
    for (size_t left = code % CHECKPOINT; left; left--)
        at += code_bytes(reader->text, at);
    return (uint32_t)at;
}

static gp_span span_of(const yaml_reader *reader, const yaml_mark_t *begin,
                       const yaml_mark_t *end) {
    return (gp_span){
        .text = reader->text, .begin = byte_offset(reader, begin), .end = byte_offset(reader, end)};
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The span of an anchored or tagged node begins at "&name"; moves it on to the value. */
static gp_span skip_properties(gp_span span) {
    const char *data = span.text->data;
    uint32_t at = span.begin;
    while (at < span.end && (data[at] == '&' || data[at] == '!')) {
        while (at < span.end && !is_blank(data[at]))
            at++;
        while (at < span.end && is_blank(data[at]))
            at++;
    }
    if (at < span.end && data[at] != '#')
        span.begin = at;
    return span;
}

static gp_span event_span(const yaml_reader *reader, const yaml_event_t *event, bool properties) {
    gp_span span = span_of(reader, &event->start_mark, &event->end_mark);
    return properties ? skip_properties(span) : span;
}

static const char *anchor_text(const yaml_char_t *anchor) {
    return (const char *)anchor;
}

/* Anything but the tag that the node has anyway is refused; the node itself stays. */
static void check_tag(yaml_reader *reader, const yaml_event_t *event, const yaml_char_t *tag,
                      const char *allowed) {
    if (!tag || gp_str_equal((const char *)tag, allowed))
        return;
    gp_diags_error(reader->diags, GP_SOURCE_UNSUPPORTED, event_span(reader, event, false),
                   "a value without a tag", NULL, "YAML tags are not supported: %s",
                   (const char *)tag);
}

static gp_scalar_style style_of(const yaml_event_t *event) {
    switch (event->data.scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return GP_STYLE_QUOTED;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE: return GP_STYLE_BLOCK;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE: break;
    }
    /* "!!str 5" is text, as "5" in quotes is. */
    return event->data.scalar.tag ? GP_STYLE_QUOTED : GP_STYLE_PLAIN;
}

/* A block scalar ends with the line end of its last line, which is no part of what to show. */
static gp_span trim_line_ends(gp_span span) {
    while (span.end > span.begin && is_blank(span.text->data[span.end - 1]))
        span.end--;
    return span;
}

static gp_status on_scalar(yaml_reader *reader, const yaml_event_t *event) {
    const yaml_char_t *anchor = event->data.scalar.anchor;
    const yaml_char_t *tag = event->data.scalar.tag;
    check_tag(reader, event, tag, YAML_STR_TAG);
    gp_tree_scalar scalar = {.text = (const char *)event->data.scalar.value,
                             .len = event->data.scalar.length,
                             .style = style_of(event),
                             .anchor = anchor_text(anchor)};
    gp_span span = event_span(reader, event, anchor || tag);
    if (scalar.style == GP_STYLE_BLOCK)
        span = trim_line_ends(span);
    return gp_tree_scalar_add(&reader->builder, &scalar, span);
}

static gp_status on_map(yaml_reader *reader, const yaml_event_t *event) {
    const yaml_char_t *anchor = event->data.mapping_start.anchor;
    check_tag(reader, event, event->data.mapping_start.tag, YAML_MAP_TAG);
    bool block = event->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE;
    return gp_tree_open(&reader->builder, GP_NODE_MAP, block, anchor_text(anchor),
                        event_span(reader, event, false));
}

static gp_status on_seq(yaml_reader *reader, const yaml_event_t *event) {
    const yaml_char_t *anchor = event->data.sequence_start.anchor;
    check_tag(reader, event, event->data.sequence_start.tag, YAML_SEQ_TAG);
    bool block = event->data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE;
    return gp_tree_open(&reader->builder, GP_NODE_SEQ, block, anchor_text(anchor),
                        event_span(reader, event, false));
}

static gp_status too_many_documents(yaml_reader *reader, gp_span span) {
    gp_diags_error(reader->diags, GP_SOURCE_LIMIT, span, NULL, NULL,
                   "too many documents: at most %zu are read", reader->limits->max_documents);
    return GP_ERR_LIMIT;
}

static gp_status on_document_start(yaml_reader *reader, const yaml_event_t *event) {
    if (++reader->documents > reader->limits->max_documents)
        return too_many_documents(reader, event_span(reader, event, false));
    gp_tree_begin_document(&reader->builder);
    return GP_OK;
}

static void on_document_end(yaml_reader *reader) {
    const gp_node *root = reader->builder.root;
    if (!root || (root->kind == GP_NODE_SCALAR && root->style == GP_STYLE_PLAIN && !root->len))
        return;
    GP_PUSH(reader->arena, reader->roots, reader->root_count, reader->root_cap) = root;
}

static gp_status on_event(yaml_reader *reader, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: return on_document_start(reader, event);
    case YAML_DOCUMENT_END_EVENT: on_document_end(reader); return GP_OK;
    case YAML_ALIAS_EVENT:
        return gp_tree_alias(&reader->builder, (const char *)event->data.alias.anchor,
                             event_span(reader, event, false));
    case YAML_SCALAR_EVENT: return on_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT: return on_seq(reader, event);
    case YAML_MAPPING_START_EVENT: return on_map(reader, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return gp_tree_close(&reader->builder, byte_offset(reader, &event->end_mark));
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: break;
    }
    return GP_OK;
}

typedef struct phrase {
    const char *part; /* of what libyaml says */
    const char *text;
} phrase;

/* What was being read when the error came, said at the place where it began. */
static const phrase context_phrases[] = {
    {"flow sequence", "the list opened here"},
    {"flow mapping", "the map opened here"},
    {"block mapping", "the map that begins here"},
    {"block collection", "the list that begins here"},
    {"quoted scalar", "the quoted text opened here"},
    {"block scalar", "the text block that begins here"},
    {"simple key", "the key that begins here"},
    {"", "what begins here"},
};

static const phrase problem_phrases[] = {
    {"mapping values are not allowed",
     "quotes around a text that contains \": \", or one \"key: value\" per line"},
    {"cannot start any token", "spaces, no tabs, for indentation; quotes around a text that starts "
                               "with %, @ or `"},
    {"could not find expected ':'", "key: value"},
    {"did not find expected key", "a key in the same column as its neighbours"},
    {"did not find expected '-' indicator", "an item (- ...) in the same column as its neighbours"},
    {"expected ',' or ']'", "a comma or the ] that closes the list"},
    {"expected ',' or '}'", "a comma or the } that closes the map"},
    {"unexpected end of stream", "the quote that closes the text"},
    {"unexpected document indicator", "the quote that closes the text"},
    {"", NULL},
};

static const char *phrase_for(const phrase *phrases, const char *said) {
    while (!strstr(said, phrases->part))
        phrases++;
    return phrases->text;
}

/* Byte where libyaml stopped. */
static uint32_t problem_offset(const yaml_reader *reader, const yaml_parser_t *parser) {
    if (parser->error == YAML_READER_ERROR) {
        size_t at = reader->segment_begin + parser->problem_offset;
        return (uint32_t)(at < reader->text->len ? at : reader->text->len);
    }
    return byte_offset(reader, &parser->problem_mark);
}

static gp_span one_character(const yaml_reader *reader, uint32_t begin) {
    bool inside = begin < reader->text->len;
    uint32_t end = inside ? begin + (uint32_t)code_bytes(reader->text, begin) : begin;
    return (gp_span){.text = reader->text, .begin = begin, .end = end};
}

static void report_syntax(yaml_reader *reader, const yaml_parser_t *parser) {
    const char *problem = parser->problem ? parser->problem : "not YAML";
    const char *message = gp_arena_printf(reader->diags->arena, "YAML syntax: %s", problem);
    gp_diag diag = {.id = GP_SOURCE_SYNTAX,
                    .level = GP_LEVEL_ERROR,
                    .span = one_character(reader, problem_offset(reader, parser)),
                    .message = message ? message : problem,
                    .expected = phrase_for(problem_phrases, problem)};
    bool has_context = parser->context && parser->error != YAML_READER_ERROR;
    uint32_t began = has_context ? byte_offset(reader, &parser->context_mark) : 0;
    if (has_context && began != diag.span.begin) {
        diag.related = one_character(reader, began);
        diag.related_text = phrase_for(context_phrases, parser->context);
    }
    gp_diags_add(reader->diags, &diag);
}

static bool is_document_marker(const gp_text *text, size_t at) {
    return text->len - at >= 3 && memcmp(text->data + at, "---", 3) == 0 &&
           (at + 3 == text->len || is_blank(text->data[at + 3]));
}

/* The first line after the segment's own first that starts a document at or after `from`;
 * the text's length where there is none. */
static size_t next_document(const yaml_reader *reader, uint32_t from) {
    const gp_text *text = reader->text;
    for (uint32_t line = 0; line < text->line_count; line++) {
        size_t at = text->line_starts[line];
        size_t end = line + 1 < text->line_count ? text->line_starts[line + 1] : text->len + 1;
        if (at > reader->segment_begin && end > from && is_document_marker(text, at))
            return at;
    }
    return text->len;
}

/* Passes events on until the text or the patience ends; `next` is where to go on. */
static gp_status read_events(void *context) {
    yaml_segment *segment = context;
    yaml_reader *reader = segment->reader;
    yaml_parser_t *parser = &segment->parser;
    gp_status st = GP_OK;
    for (bool more = true; more && !st;) {
        if (!yaml_parser_parse(parser, &segment->event)) {
            /* libyaml 0.2.5 forgets to name the error when memory is short within a tag. */
            if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR)
                gp_arena_exhausted(reader->arena);
            report_syntax(reader, parser);
            segment->next = next_document(reader, problem_offset(reader, parser));
            return GP_OK;
        }
        st = on_event(reader, &segment->event);
        more = segment->event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&segment->event);
    }
    segment->next = reader->text->len;
    return st;
}

static gp_status read_segment(yaml_reader *reader, size_t *ret_next) {
    const gp_text *text = reader->text;
    yaml_segment segment = {.reader = reader};
    if (!yaml_parser_initialize(&segment.parser))
        gp_arena_exhausted(reader->arena);
    yaml_parser_set_encoding(&segment.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&segment.parser,
                                 (const unsigned char *)text->data + reader->segment_begin,
                                 text->len - reader->segment_begin);
    gp_status st = gp_arena_guard(reader->arena, read_events, &segment);
    yaml_event_delete(&segment.event);
    yaml_parser_delete(&segment.parser);
    if (st == GP_ERR_NO_MEMORY)
        gp_arena_exhausted(reader->arena);
    *ret_next = segment.next;
    return st;
}

static gp_status read_segments(yaml_reader *reader) {
    const gp_text *text = reader->text;
    size_t begin = text->line_starts[0]; /* behind a byte order mark */
    size_t starts = 0;
    gp_status st = GP_OK;
    do {
        if (starts++ >= reader->limits->max_documents)
            return too_many_documents(reader, (gp_span){.text = text, .begin = (uint32_t)begin});
        reader->segment_begin = begin;
        reader->segment_code = gp_utf8_count(text->data, begin);
        st = read_segment(reader, &begin);
    } while (!st && begin < text->len);
    return st;
}

static void report_empty(yaml_reader *reader) {
    gp_diags_error(reader->diags, GP_SOURCE_EMPTY, (gp_span){.text = reader->text},
                   "at least one YAML document", NULL, "the text is empty");
}

gp_status gp_yaml_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                       gp_diags *diags, gp_yaml_docs *ret_docs) {
    *ret_docs = (gp_yaml_docs){0};
    size_t errors = diags->errors;
    yaml_reader reader = {.arena = arena, .text = text, .limits = limits, .diags = diags};
    gp_status st = gp_source_check_text(text, limits, diags);
    if (!st)
        make_checkpoints(&reader);
    if (!st)
        gp_tree_init(&reader.builder, arena, text, limits, diags);
    if (!st)
        st = read_segments(&reader);
    if (!st && !reader.root_count && diags->errors == errors)
        report_empty(&reader);
    *ret_docs = (gp_yaml_docs){.count = reader.root_count, .roots = reader.roots};
    return st || diags->errors == errors ? st : GP_ERR_INPUT;
}
