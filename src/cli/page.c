/*
 * Text that is put together in memory, so that a result is written in one go or not at all.
 */
#include "cli/cli.h"

#include <string.h>

static void json_char(gp_buf *page, unsigned char c) {
    static const char escaped[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *at = c == '\0' ? NULL : strchr(escaped, c);
    if (at != NULL) {
        const char pair[2] = {'\\', letters[at - escaped]};
        gp_buf_add(page, pair, sizeof pair);
    } else if (c < 0x20) {
        gp_buf_printf(page, "\\u%04x", c);
    } else {
        gp_buf_char(page, (char)c);
    }
}

void gp_page_json(gp_buf *page, const char *before, const char *text) {
    gp_buf_str(page, before);
    if (text == NULL) {
        gp_buf_str(page, "null");
        return;
    }
    gp_buf_str(page, "\"");
    for (; *text != '\0'; text++)
        json_char(page, (unsigned char)*text);
    gp_buf_str(page, "\"");
}

void gp_page_wrap(gp_buf *page, const char *text, size_t indent, size_t column, size_t width) {
    bool first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " \n");
        if (!first && column + 1 + len > width) {
            gp_buf_str(page, "\n");
            column = 0;
            first = true;
        }
        if (column < indent) {
            gp_buf_repeat(page, ' ', (int)(indent - column));
            column = indent;
        }
        if (!first) {
            gp_buf_str(page, " ");
            column++;
        }
        gp_buf_add(page, text, len);
        column += len;
        first = false;
        text += len;
        if (*text == '\n') {
            gp_buf_str(page, "\n");
            column = 0;
            first = true;
        }
        text += *text != '\0';
    }
    if (column > 0)
        gp_buf_str(page, "\n");
}

/* Columns of UTF-8 text, one per code point. */
static size_t columns(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

void gp_page_pad(gp_buf *page, const char *text, size_t width) {
    size_t used = columns(text);
    gp_buf_str(page, text);
    gp_buf_repeat(page, ' ', (int)width - (int)used);
}
