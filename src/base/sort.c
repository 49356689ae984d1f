/* Bottom-up merge sort between the items and a scratch copy. */
#include "base/sort.h"

#include <string.h>

typedef struct merge_order {
    size_t size;
    gp_compare *compare;
    const void *context;
} merge_order;

/* Merges from[begin, middle) and from[middle, end) into the same place of `to`. */
static void merge(const merge_order *order, unsigned char *to, const unsigned char *from,
                  size_t begin, size_t middle, size_t end) {
    size_t size = order->size;
    size_t left = begin;
    size_t right = middle;
    for (size_t at = begin; at < end; at++) {
        const unsigned char *a = from + left * size;
        const unsigned char *b = from + right * size;
        if (right >= end || (left < middle && order->compare(a, b, order->context) <= 0)) {
            memcpy(to + at * size, a, size);
            left++;
        } else {
            memcpy(to + at * size, b, size);
            right++;
        }
    }
}

void gp_sort(gp_arena *scratch, void *items, size_t count, size_t size, gp_compare *compare,
             const void *context) {
    if (count < 2)
        return;
    gp_arena_mark mark = gp_arena_set_mark(scratch);
    unsigned char *to = gp_arena_alloc(scratch, count, size);
    merge_order order = {.size = size, .compare = compare, .context = context};
    unsigned char *from = items;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count;) {
            size_t middle = count - begin > width ? begin + width : count;
            size_t end = count - middle > width ? middle + width : count;
            merge(&order, to, from, begin, middle, end);
            begin = end;
        }
        unsigned char *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * size);
    gp_arena_release(scratch, mark);
}

int gp_by_number(const void *a, const void *b, const void *context) {
    double x, y;
    (void)context;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y ? 1 : 0;
}
