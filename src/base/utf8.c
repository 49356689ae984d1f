/* UTF-8: decoding by the table of well-formed sequences in the Unicode standard (table 3-7), and
 * widths of characters on a terminal by a short list of ranges. */
#include "base/str.h"

/* What the first byte asks for: how many more bytes, and the least code point of that length. */
typedef struct lead {
    unsigned char mask, bits;
    size_t more;
    uint32_t least;
} lead;

static const lead leads[] = {
    {.mask = 0x80, .bits = 0x00, .more = 0, .least = 0},
    {.mask = 0xe0, .bits = 0xc0, .more = 1, .least = 0x80},
    {.mask = 0xf0, .bits = 0xe0, .more = 2, .least = 0x800},
    {.mask = 0xf8, .bits = 0xf0, .more = 3, .least = 0x10000},
};

static bool is_code_point(uint32_t code) {
    return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

size_t gp_utf8_decode(const char *text, size_t len, uint32_t *ret_code) {
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; len && i < GP_COUNT_OF(leads); i++) {
        const lead *row = &leads[i];
        if ((bytes[0] & row->mask) != row->bits)
            continue;
        if (len <= row->more)
            return 0;
        uint32_t code = bytes[0] & (unsigned char)~row->mask;
        for (size_t k = 1; k <= row->more; k++) {
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (bytes[k] & 0x3fu);
        }
        *ret_code = code;
        return code >= row->least && is_code_point(code) ? row->more + 1 : 0;
    }
    return 0;
}

size_t gp_utf8_encode(uint32_t code, char out[4]) {
    if (!is_code_point(code))
        return 0;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    for (size_t k = more; k > 0; k--) {
        out[k] = (char)(unsigned char)(0x80u | (code & 0x3fu));
        code >>= 6;
    }
    out[0] = (char)(unsigned char)(leads[more].bits | code);
    return more + 1;
}

size_t gp_utf8_count(const char *text, size_t len) {
    size_t count = 0;
    for (size_t at = 0; at < len; count++) {
        uint32_t code = 0;
        size_t bytes = gp_utf8_decode(text + at, len - at, &code);
        at += bytes ? bytes : 1;
    }
    return count;
}

typedef struct width_range {
    uint32_t first, last;
    int width;
} width_range;

/* Sorted. Combining marks and joiners, then the wide blocks of East Asian Width and emoji. */
static const width_range width_ranges[] = {
    {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},   {0x064b, 0x065f, 0},
    {0x0e34, 0x0e3a, 0},   {0x0e47, 0x0e4e, 0},   {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},
    {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},   {0x202a, 0x202e, 0},   {0x2060, 0x2064, 0},
    {0x20d0, 0x20ff, 0},   {0x231a, 0x231b, 2},   {0x23e9, 0x23ec, 2},   {0x2e80, 0x303e, 2},
    {0x3041, 0x33ff, 2},   {0x3400, 0x4dbf, 2},   {0x4e00, 0x9fff, 2},   {0xa000, 0xa4cf, 2},
    {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},
    {0xfe30, 0xfe4f, 2},   {0xfeff, 0xfeff, 0},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
    {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
    {0xe0100, 0xe01ef, 0},
};

int gp_utf8_code_width(uint32_t code) {
    size_t low = 0;
    size_t high = GP_COUNT_OF(width_ranges);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const width_range *range = &width_ranges[middle];
        if (code >= range->first && code <= range->last)
            return range->width;
        if (code < range->first) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return 1;
}

/* Bytes and columns of the character at the start; a bad byte is one column. */
static size_t step(const char *text, size_t len, size_t *ret_width) {
    uint32_t code = 0;
    size_t bytes = gp_utf8_decode(text, len, &code);
    *ret_width = bytes ? (size_t)gp_utf8_code_width(code) : 1;
    return bytes ? bytes : 1;
}

size_t gp_utf8_width(const char *text, size_t len) {
    size_t total = 0;
    for (size_t at = 0; at < len;) {
        size_t width = 0;
        at += step(text + at, len - at, &width);
        total += width;
    }
    return total;
}

size_t gp_utf8_fit(const char *text, size_t len, size_t columns) {
    size_t at = 0;
    size_t total = 0;
    while (at < len) {
        size_t width = 0;
        size_t bytes = step(text + at, len - at, &width);
        if (total + width > columns)
            break;
        total += width;
        at += bytes;
    }
    return at;
}

/* U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069: they turn the direction of the text around
 * them, or end a line. */
static bool is_format(const unsigned char *byte) {
    if (byte[0] != 0xe2)
        return false;
    if (byte[1] == 0x80)
        return byte[2] == 0x8e || byte[2] == 0x8f || (byte[2] >= 0xa8 && byte[2] <= 0xae);
    return byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9;
}

size_t gp_utf8_control(const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0)
        return 2;
    if (is_format(byte))
        return 3;
    return (byte[0] > 0 && byte[0] < 0x20) || byte[0] == 0x7f ? 1 : 0;
}
