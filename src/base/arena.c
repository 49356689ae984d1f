/*
 * Arena of bump-allocated blocks. Blocks are chained from the newest to the oldest and double in
 * size up to a limit, so that a small arena stays small; then come huge pages. Under
 * AddressSanitizer everything that is not handed out is poisoned and allocations are kept apart, so
 * an overrun inside a block shows.
 */
#define _DEFAULT_SOURCE /* for madvise */

#include <gpuplan/arena.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif
#ifndef ARENA_ASAN
#define ARENA_ASAN 0
#endif

#if ARENA_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum {
    ARENA_ALIGN = 16,
    ARENA_REDZONE = ARENA_ASAN ? 16 : 0,
    ARENA_BLOCK_MIN = 16 * 1024,
    ARENA_BLOCK_MAX = 256 * 1024, /* what grows beyond takes huge pages */
    ARENA_HUGE_PAGE = 2 * 1024 * 1024,
    ARENA_HUGE_MOST = 16 * 1024 * 1024 /* held by then: large plans leave much of it untouched */
};

typedef struct arena_block arena_block;

/* The data follows the header, which keeps its alignment. */
struct arena_block {
    _Alignas(ARENA_ALIGN) arena_block *older;
    size_t size;
    size_t used;
    size_t clean; /* from here on nothing was written yet: it is zero */
    bool is_huge; /* a huge page, and no memory of malloc */
};

/* Doors nest as the calls do: the innermost open one is taken. */
typedef struct arena_door {
    jmp_buf place;
    volatile gp_status status; /* that was left with */
    struct arena_door *outer;
} arena_door;

struct gp_arena {
    arena_block *newest;
    arena_block *spare; /* given back by a release, for whoever allocates next */
    arena_door *door;
    const gp_arena *of; /* whose door it takes where it has none */
    size_t max_bytes;
    size_t held_bytes; /* in blocks, headers included */
    size_t used_bytes; /* handed out, alignment included */
    size_t next_block;
};

static unsigned char *block_data(arena_block *block) {
    return (unsigned char *)block + sizeof(arena_block);
}

static void poison(void *begin, size_t size) {
#if ARENA_ASAN
    ASAN_POISON_MEMORY_REGION(begin, size);
#else
    (void)begin;
    (void)size;
#endif
}

static void unpoison(void *begin, size_t size) {
#if ARENA_ASAN
    ASAN_UNPOISON_MEMORY_REGION(begin, size);
#else
    (void)begin;
    (void)size;
#endif
}

static bool round_up(size_t size, size_t *ret_rounded) {
    if (size > SIZE_MAX / 2)
        return false;
    size_t spaced = size + ARENA_REDZONE;
    *ret_rounded = (spaced + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    return true;
}

gp_arena *gp_arena_new(size_t max_bytes) {
    gp_arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->max_bytes = max_bytes;
        arena->next_block = ARENA_BLOCK_MIN;
    }
    return arena;
}

static void drop_newest(gp_arena *arena) {
    arena_block *block = arena->newest;
    arena->newest = block->older;
    arena->held_bytes -= block->size + sizeof(arena_block);
    arena->used_bytes -= block->used;
    poison(block_data(block), block->size);
    block->used = 0;
    block->older = arena->spare;
    arena->spare = block;
}

void gp_arena_free(gp_arena *arena) {
    if (!arena)
        return;
    while (arena->newest)
        drop_newest(arena);
    while (arena->spare) {
        arena_block *block = arena->spare;
        arena->spare = block->older;
        unpoison(block_data(block), block->size);
        if (block->is_huge)
            munmap(block, ARENA_HUGE_PAGE);
        else
            free(block);
    }
    free(arena);
}

/* A spare block of that size, or NULL. */
static arena_block *take_spare(gp_arena *arena, size_t least, size_t most) {
    for (arena_block **at = &arena->spare; *at; at = &(*at)->older) {
        arena_block *block = *at;
        if (block->size < least || block->size > most)
            continue;
        *at = block->older;
        return block;
    }
    return NULL;
}

gp_arena *gp_arena_beside(const gp_arena *of, size_t max_bytes) {
    gp_arena *arena = gp_arena_new(max_bytes);
    if (!arena)
        gp_arena_exhausted(of);
    arena->of = of;
    return arena;
}

gp_status gp_arena_guard(gp_arena *arena, gp_status (*work)(void *context), void *context) {
    arena_door door = {.outer = arena->door};
    if (setjmp(door.place) != 0) {
        arena->door = door.outer;
        return door.status;
    }
    arena->door = &door;
    gp_status st = work(context);
    arena->door = door.outer;
    return st;
}

_Noreturn void gp_arena_leave(const gp_arena *arena, gp_status st) {
    while (!arena->door && arena->of)
        arena = arena->of;
    if (!arena->door)
        abort();
    arena->door->status = st;
    longjmp(arena->door->place, 1);
}

_Noreturn void gp_arena_exhausted(const gp_arena *arena) {
    gp_arena_leave(arena, GP_ERR_NO_MEMORY);
}

/* One page that the system may hand out at once: a fault for each small one takes longer than what
 * is written to it. NULL: there is no room. */
static arena_block *map_huge_page(void) {
    const size_t spaced = 2 * (size_t)ARENA_HUGE_PAGE;
    unsigned char *begin =
        mmap(NULL, spaced, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED)
        return NULL;
    const size_t before = ARENA_HUGE_PAGE - (uintptr_t)begin % ARENA_HUGE_PAGE;
    arena_block *block = (arena_block *)(begin + before);
    munmap(begin, before);
    if (before < ARENA_HUGE_PAGE)
        munmap(begin + before + ARENA_HUGE_PAGE, ARENA_HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    (void)madvise(block, ARENA_HUGE_PAGE, MADV_HUGEPAGE);
#endif
    block->is_huge = true;
    return block;
}

/* Larger ones than a huge page are tables of which often only a part is written. */
static arena_block *new_block(const gp_arena *arena, size_t size, size_t room) {
    const size_t huge = ARENA_HUGE_PAGE - sizeof(arena_block);
    /* What holds pointers for a leak checker is memory of malloc. */
    const bool is_huge = !ARENA_ASAN && arena->next_block > ARENA_BLOCK_MAX &&
                         arena->held_bytes < ARENA_HUGE_MOST && size <= huge && huge <= room;
    size = is_huge ? huge : size;
    arena_block *block = is_huge ? map_huge_page() : calloc(1, sizeof *block + size);
    if (!block)
        gp_arena_exhausted(arena);
    block->size = size;
    poison(block_data(block), size);
    return block;
}

/* A new block with room for `need` bytes; smaller than usual where the cap is near. */
static void add_block(gp_arena *arena, size_t need) {
    size_t room = arena->max_bytes - arena->held_bytes;
    if (room < sizeof(arena_block) || room - sizeof(arena_block) < need)
        gp_arena_exhausted(arena);
    room -= sizeof(arena_block);
    size_t size = need > arena->next_block ? need : arena->next_block;
    if (size > room)
        size = room;
    arena_block *block = take_spare(arena, need, room);
    if (!block) {
        block = new_block(arena, size, room);
        if (arena->next_block <= ARENA_BLOCK_MAX)
            arena->next_block *= 2;
    }
    block->older = arena->newest;
    arena->newest = block;
    arena->held_bytes += block->size + sizeof(arena_block);
}

/* Room for `size` bytes; those that may hold something are *ret_dirty at its start. */
static void *take_bytes(gp_arena *arena, size_t size, size_t *ret_dirty) {
    size_t rounded = 0;
    if (!round_up(size ? size : 1, &rounded))
        gp_arena_exhausted(arena);
    arena_block *block = arena->newest;
    if (!block || block->size - block->used < rounded) {
        add_block(arena, rounded);
        block = arena->newest;
    }
    const size_t begin = block->used;
    block->used += rounded;
    arena->used_bytes += rounded;
    *ret_dirty = block->clean > begin ? block->clean - begin : 0;
    *ret_dirty = *ret_dirty < size ? *ret_dirty : size;
    block->clean = block->clean > block->used ? block->clean : block->used;
    unpoison(block_data(block) + begin, size);
    return block_data(block) + begin;
}

static void *alloc_bytes(gp_arena *arena, size_t size) {
    size_t dirty = 0;
    void *bytes = take_bytes(arena, size, &dirty);
    return dirty ? memset(bytes, 0, dirty) : bytes;
}

/* For who writes all of it. */
static void *alloc_raw(gp_arena *arena, size_t size) {
    size_t dirty = 0;
    return take_bytes(arena, size, &dirty);
}

void *gp_arena_alloc(gp_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        gp_arena_exhausted(arena);
    return alloc_bytes(arena, count * size);
}

char *gp_arena_strndup(gp_arena *arena, const char *text, size_t len) {
    if (len == SIZE_MAX)
        gp_arena_exhausted(arena);
    char *copy = alloc_raw(arena, len + 1);
    memcpy(copy, text ? text : "", len);
    copy[len] = '\0';
    return copy;
}

char *gp_arena_vprintf(gp_arena *arena, const char *format, va_list args) {
    char most[256]; /* of nearly all texts: these are written once */
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(most, sizeof most, format, args);
    if (len < 0)
        gp_arena_exhausted(arena);
    char *text = alloc_raw(arena, (size_t)len + 1);
    if ((size_t)len < sizeof most)
        memcpy(text, most, (size_t)len + 1);
    else
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

char *gp_arena_printf(gp_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = gp_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

/* Bytes from one place to another. What is zero already is not touched, so that room that nobody
 * uses takes no memory. */
static void clear(unsigned char *bytes, size_t from, size_t to) {
    if (from < to)
        memset(bytes + from, 0, to - from);
}

/* Grows the newest allocation where it stands; false when `old` is not that or room is short. */
static bool extend_in_place(gp_arena *arena, unsigned char *old, size_t old_size, size_t new_size) {
    arena_block *block = arena->newest;
    size_t old_rounded = 0;
    size_t new_rounded = 0;
    if (!block || !round_up(old_size, &old_rounded) || !round_up(new_size, &new_rounded))
        return false;
    if (block->used < old_rounded || old != block_data(block) + (block->used - old_rounded) ||
        new_rounded - old_rounded > block->size - block->used)
        return false;
    const size_t begin = block->used - old_rounded;
    const size_t dirty = block->clean > begin ? block->clean - begin : 0;
    block->used += new_rounded - old_rounded;
    block->clean = block->clean > block->used ? block->clean : block->used;
    arena->used_bytes += new_rounded - old_rounded;
    unpoison(old, new_size);
    clear(old, old_size, dirty < new_size ? dirty : new_size);
    return true;
}

void *gp_arena_resize(gp_arena *arena, void *old, size_t old_size, size_t new_size) {
    if (!old || old_size == 0)
        return alloc_bytes(arena, new_size);
    if (new_size <= old_size || extend_in_place(arena, old, old_size, new_size))
        return old;
    size_t dirty = 0;
    unsigned char *copy = take_bytes(arena, new_size, &dirty);
    memcpy(copy, old, old_size);
    clear(copy, old_size, dirty);
    return copy;
}

void *gp_arena_grow(gp_arena *arena, void *items, size_t count, size_t *cap, size_t size) {
    if (items && count < *cap)
        return items;
    size_t wanted = *cap && items ? *cap * 2 : 8;
    if (wanted <= count || wanted > SIZE_MAX / size)
        gp_arena_exhausted(arena);
    void *grown = gp_arena_resize(arena, items, items ? *cap * size : 0, wanted * size);
    *cap = wanted;
    return grown;
}

gp_arena_mark gp_arena_set_mark(gp_arena *arena) {
    arena_block *block = arena->newest;
    return (gp_arena_mark){.block = block, .used = block ? block->used : 0};
}

void gp_arena_release(gp_arena *arena, gp_arena_mark mark) {
    while (arena->newest && arena->newest != mark.block)
        drop_newest(arena);
    arena_block *block = arena->newest;
    if (!block || block->used <= mark.used)
        return;
    poison(block_data(block) + mark.used, block->used - mark.used);
    arena->used_bytes -= block->used - mark.used;
    block->used = mark.used;
}

size_t gp_arena_used(const gp_arena *arena) {
    return arena->used_bytes;
}
