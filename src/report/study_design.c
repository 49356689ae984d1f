/*
 * Which values a point has: of a grid by its number, the last axis first to move; of points drawn
 * at random and of a Latin hypercube by the seed, the axis and the number alone, so that parts that
 * are run apart draw what the whole draws.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "report/study.h"
#include "simulate/random.h"

/* A range as it is written: "0.5 s..2 s". */
typedef struct range {
    double low, high;
    const char *unit; /* behind the number, with what parts them */
    bool whole;       /* no end has a decimal point: neither has what is between */
} range;

static bool parse_range(const char *text, range *ret) {
    const char *dots = strstr(text, "..");
    const char *high = dots == NULL ? text : dots + 2;
    const size_t low_len = dots == NULL ? 0 : (size_t)(dots - text);
    const size_t low_digits = gp_num_scan(text, low_len);
    const size_t high_digits = gp_num_scan(high, strlen(high));
    const size_t unit_len = low_len - low_digits;
    ret->unit = high + high_digits;
    ret->whole = memchr(text, '.', low_digits) == NULL && memchr(high, '.', high_digits) == NULL;
    return gp_num_parse(text, low_digits, &ret->low) &&
           gp_num_parse(high, high_digits, &ret->high) && ret->low < ret->high &&
           (unit_len == 0 ||
            (unit_len == strlen(ret->unit) && memcmp(text + low_digits, ret->unit, unit_len) == 0));
}

bool gp_study_is_range(const char *value) {
    range r;
    return parse_range(value, &r);
}

/* The rank of `index` among `count` in an order of the stream's own: four rounds of a Feistel
 * network over the next power of four, walked until it lands below `count`. */
static int64_t shuffled(uint64_t seed, uint64_t stream, int64_t index, int64_t count) {
    enum { ROUNDS = 4 };
    unsigned half = 1;
    uint64_t at = (uint64_t)index;
    while (half < 31 && ((int64_t)1 << 2 * half) < count)
        half++;
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        for (uint64_t round = 0; round < ROUNDS; round++) {
            gp_random random;
            const uint64_t right = at & mask;
            gp_random_init(&random, seed ^ right, stream * ROUNDS + round);
            const uint64_t mixed = (uint64_t)gp_random_below(&random, (int64_t)mask + 1);
            at = right << half | ((at >> half) ^ mixed);
        }
    } while (at >= (uint64_t)count);
    return (int64_t)at;
}

/* In (0, 1): where along its axis a point lies. */
static double place_of(const gp_study *study, size_t axis, int64_t number) {
    gp_random random;
    gp_random_init(&random, (uint64_t)study->seed, (uint64_t)number * GP_STUDY_AXES_MAX + axis);
    const double unit = gp_random_unit(&random);
    if (!gp_str_equal(study->kind, "latin"))
        return unit;
    const int64_t slice = shuffled((uint64_t)study->seed, axis, number - 1, study->point_count);
    return ((double)slice + unit) / (double)study->point_count;
}

static const char *between(gp_arena *arena, const range *r, double place) {
    enum { DIGITS = 6 };
    char text[GP_NUM_TEXT];
    const double value = r->low + (r->high - r->low) * place;
    if (r->whole)
        (void)gp_num_format_i64(text, (int64_t)floor(r->low + (r->high - r->low + 1) * place));
    else
        (void)gp_num_format_g(text, value, DIGITS);
    return gp_arena_printf(arena, "%s%s", text, r->unit);
}

const char *gp_study_value(gp_arena *arena, const gp_study *study, size_t axis, int64_t number) {
    const gp_study_axis *it = &study->axes.items[axis];
    const int64_t count = (int64_t)it->values.count;
    int64_t rest = number - 1;
    range r;
    if (!gp_str_equal(study->kind, "grid")) {
        const double place = place_of(study, axis, number);
        if (count == 1 && parse_range(it->values.items[0], &r))
            return between(arena, &r, place);
        return it->values.items[(int64_t)floor((double)count * place)];
    }
    for (size_t i = study->axes.count - 1; i > axis; i--)
        rest /= (int64_t)study->axes.items[i].values.count;
    return it->values.items[rest % count];
}
