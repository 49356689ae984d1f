/* Arena: zeroed and aligned memory, the cap, growth, mark and release. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/arena.h>

static void memory_is_zeroed_and_aligned(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    for (size_t size = 0; size < 300; size++) {
        unsigned char *bytes = gp_arena_alloc(arena, 1, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(bytes[i], 0);
        }
        memset(bytes, 0xff, size);
    }
    gp_arena_free(arena);
}

/* Allocates `count` objects of `size` bytes `times` times, or grows an array of that many. */
typedef struct demand {
    gp_arena *arena;
    size_t count, size, times;
    size_t done;
} demand;

static gp_status allocate(void *context) {
    demand *d = context;
    for (d->done = 0; d->done < d->times; d->done++)
        gp_arena_alloc(d->arena, d->count, d->size);
    return GP_ERR_NOT_FOUND;
}

static gp_status grow(void *context) {
    demand *d = context;
    char dummy[8] = {0};
    gp_arena_grow(d->arena, dummy, d->count, &d->count, d->size);
    return GP_OK;
}

static void the_cap_holds(void **state) {
    (void)state;
    demand d = {gp_arena_new(40000), 1, 1000, 1000, 0};
    assert_int_equal(gp_arena_guard(d.arena, allocate, &d), GP_ERR_NO_MEMORY);
    assert_in_range(d.done, 30, 40);
    assert_true(gp_arena_used(d.arena) <= 40000 + 40 * 32);
    gp_arena_free(d.arena);
}

static gp_status guard_again(void *context) {
    demand *d = context;
    const gp_status inner = gp_arena_guard(d->arena, allocate, d);
    assert_int_equal(inner, GP_ERR_NO_MEMORY);
    gp_arena_exhausted(d->arena);
}

/* What is returned passes; the innermost door is taken, and behind it the next one is open. */
static void doors_nest(void **state) {
    (void)state;
    demand d = {gp_arena_new(40000), 1, 1000, 1, 0};
    assert_int_equal(gp_arena_guard(d.arena, allocate, &d), GP_ERR_NOT_FOUND);
    d.times = 1000;
    assert_int_equal(gp_arena_guard(d.arena, guard_again, &d), GP_ERR_NO_MEMORY);
    gp_arena_free(d.arena);
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(SIZE_MAX);
    demand wants[] = {{arena, SIZE_MAX / 2, 4, 1, 0},
                      {arena, 1, SIZE_MAX, 1, 0},
                      {arena, SIZE_MAX - 4, 1, 1, 0}};
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++)
        assert_int_equal(gp_arena_guard(arena, allocate, &wants[i]), GP_ERR_NO_MEMORY);
    demand many = {arena, SIZE_MAX / 2, 8, 0, 0};
    assert_int_equal(gp_arena_guard(arena, grow, &many), GP_ERR_NO_MEMORY);
    assert_int_equal(many.count, SIZE_MAX / 2);
    gp_arena_free(arena);
    gp_arena_free(NULL);
}

static void arrays_grow_and_keep_their_items(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 22);
    int *items = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < 10000; i++) {
        items = gp_arena_grow(arena, items, i, &cap, sizeof *items);
        assert_non_null(items);
        items[i] = (int)i;
        if (i % 37 == 0) {
            assert_non_null(gp_arena_alloc(arena, 1, 24)); /* in the way of growing in place */
        }
    }
    for (size_t i = 0; i < 10000; i++) {
        assert_int_equal(items[i], (int)i);
    }
    gp_arena_free(arena);
}

static void resize_zeroes_what_is_new(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    char *text = gp_arena_resize(arena, NULL, 0, 10);
    memset(text, 'x', 10);
    char *same = gp_arena_resize(arena, text, 10, 1000);
    assert_ptr_equal(same, text);
    assert_int_equal(same[9], 'x');
    assert_int_equal(same[10], 0);
    assert_int_equal(same[999], 0);
    assert_ptr_equal(gp_arena_resize(arena, same, 1000, 20), same);
    gp_arena_free(arena);
}

static void release_gives_back(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    gp_arena_mark start = gp_arena_set_mark(arena);
    char *kept = gp_arena_strndup(arena, "kept", 4);
    size_t used = gp_arena_used(arena);
    gp_arena_mark mark = gp_arena_set_mark(arena);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 100; i++) {
            char *bytes = gp_arena_alloc(arena, 1, 1000);
            assert_non_null(bytes);
            assert_int_equal(bytes[999], 0);
            memset(bytes, 1, 1000);
        }
        gp_arena_release(arena, mark);
        assert_int_equal(gp_arena_used(arena), used);
    }
    assert_string_equal(kept, "kept");
    gp_arena_release(arena, start);
    assert_int_equal(gp_arena_used(arena), 0);
    gp_arena_free(arena);
}

static void text_is_copied_and_formatted(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    assert_string_equal(gp_arena_strndup(arena, "abcdef", 3), "abc");
    assert_string_equal(gp_arena_strndup(arena, "", 0), "");
    assert_string_equal(gp_arena_printf(arena, "%s:%d:%zu %.*s%%", "a", -1, (size_t)7, 2, "xyz"),
                        "a:-1:7 xy%");
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(the_cap_holds),
        cmocka_unit_test(doors_nest),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(arrays_grow_and_keep_their_items),
        cmocka_unit_test(resize_zeroes_what_is_new),
        cmocka_unit_test(release_gives_back),
        cmocka_unit_test(text_is_copied_and_formatted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
