/*
 * Text that is put together in memory, so that a result is written in one go or not at all.
 */
#include "cli/cli.h"

#include <string.h>

static void reserve(gp_page *page, size_t more) {
    size_t need = page->len + more + 1;
    if (need <= page->capacity)
        return;
    size_t capacity = page->capacity * 2 > need ? page->capacity * 2 : need + 1024;
    char *data = gp_arena_resize(page->arena, page->data, page->capacity, capacity);
    page->data = data;
    page->capacity = capacity;
}

void gp_page_add_n(gp_page *page, const char *text, size_t len) {
    reserve(page, len);
    memcpy(page->data + page->len, text, len);
    page->len += len;
    page->data[page->len] = '\0';
}

void gp_page_add(gp_page *page, const char *text) {
    gp_page_add_n(page, text, strlen(text));
}

void gp_page_printf(gp_page *page, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(page->arena, format, args);
    va_end(args);
    gp_page_add(page, text);
}

static void json_char(gp_page *page, unsigned char c) {
    static const char hex[] = "0123456789abcdef";
    static const char escaped[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *at = c == '\0' ? NULL : strchr(escaped, c);
    if (at != NULL) {
        const char pair[2] = {'\\', letters[at - escaped]};
        gp_page_add_n(page, pair, sizeof pair);
    } else if (c < 0x20) {
        const char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        gp_page_add_n(page, code, sizeof code);
    } else {
        const char same = (char)c;
        gp_page_add_n(page, &same, 1);
    }
}

void gp_page_json(gp_page *page, const char *before, const char *text) {
    gp_page_add(page, before);
    if (text == NULL) {
        gp_page_add(page, "null");
        return;
    }
    gp_page_add(page, "\"");
    for (; *text != '\0'; text++)
        json_char(page, (unsigned char)*text);
    gp_page_add(page, "\"");
}

static void blanks(gp_page *page, size_t count) {
    for (; count > 0; count--)
        gp_page_add_n(page, " ", 1);
}

void gp_page_wrap(gp_page *page, const char *text, size_t indent, size_t column, size_t width) {
    bool first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " \n");
        if (!first && column + 1 + len > width) {
            gp_page_add(page, "\n");
            column = 0;
            first = true;
        }
        if (column < indent) {
            blanks(page, indent - column);
            column = indent;
        }
        if (!first) {
            gp_page_add(page, " ");
            column++;
        }
        gp_page_add_n(page, text, len);
        column += len;
        first = false;
        text += len;
        if (*text == '\n') {
            gp_page_add(page, "\n");
            column = 0;
            first = true;
        }
        text += *text != '\0';
    }
    if (column > 0)
        gp_page_add(page, "\n");
}

/* Columns of UTF-8 text, one per code point. */
static size_t columns(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

void gp_page_pad(gp_page *page, const char *text, size_t width) {
    size_t used = columns(text);
    gp_page_add(page, text);
    blanks(page, width > used ? width - used : 0);
}
