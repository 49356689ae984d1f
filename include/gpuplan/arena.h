/*
 * Memory. Every object lives in an arena that the caller owns and frees as a whole; there is no
 * per-object free. Allocation returns zeroed, 16-byte aligned memory, never NULL: where the system
 * or the arena's cap refuses, the work in hand ends at the arena's door (gp_arena_guard).
 */
#ifndef GPUPLAN_ARENA_H
#define GPUPLAN_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include <gpuplan/status.h>

#define GP_NEVER_NULL __attribute__((returns_nonnull))

/* A counted array. */
#define GP_LIST(T)                                                                                 \
    struct {                                                                                       \
        size_t count;                                                                              \
        T *items;                                                                                  \
    }

typedef struct gp_arena gp_arena;

typedef struct gp_arena_mark {
    void *block;
    size_t used;
} gp_arena_mark;

/* A new arena that never holds more than `max_bytes`; NULL when memory is short. */
gp_arena *gp_arena_new(size_t max_bytes);
/* The same that leaves by the doors of `of`, in its thread, but for doors of its own. */
gp_arena *gp_arena_beside(const gp_arena *of, size_t max_bytes) GP_NEVER_NULL;
/* Frees the arena and all that lives in it. NULL is fine. */
void gp_arena_free(gp_arena *arena);
/* What `work` returns, or what it left with: the door by which all that allocates from the arena
 * leaves when it is exhausted (GP_ERR_NO_MEMORY). What `work` had begun stands half done, so who
 * owns anything but arena memory (a parser, a file) opens a door of his own, lets go and passes the
 * status on. Doors nest. Allocating without one is a mistake of the caller and aborts when memory
 * ends. */
gp_status gp_arena_guard(gp_arena *arena, gp_status (*work)(void *context), void *context);
/* Leaves by the door with GP_ERR_NO_MEMORY: for those whose memory is not the arena's. */
_Noreturn void gp_arena_exhausted(const gp_arena *arena);
/* Leaves by the door with a status that is not GP_OK. */
_Noreturn void gp_arena_leave(const gp_arena *arena, gp_status st);
/* Zeroed memory for `count` objects of `size` bytes (overflow checked). */
void *gp_arena_alloc(gp_arena *arena, size_t count, size_t size) GP_NEVER_NULL;
/* A NUL-terminated copy of `len` bytes. */
char *gp_arena_strndup(gp_arena *arena, const char *text, size_t len) GP_NEVER_NULL;
/* A printf-formatted, NUL-terminated string. Only %s %.*s %d %zu %lld and %% are for use: numbers
 * with fractions go through gp_num_*. */
char *gp_arena_printf(gp_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3))) GP_NEVER_NULL;
char *gp_arena_vprintf(gp_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0))) GP_NEVER_NULL;
/* Room for one more element: `items`, moved and doubled where `count` has reached `*cap`. */
void *gp_arena_grow(gp_arena *arena, void *items, size_t count, size_t *cap, size_t size)
    GP_NEVER_NULL;
/* A further item of a list in its place: GP_PUSH(arena, items, count, cap) = item; */
#define GP_PUSH(arena, items, count, cap)                                                          \
    (*((items) = gp_arena_grow((arena), (items), (count), &(cap), sizeof *(items)),                \
       &(items)[(count)++]))
/* `old` (of `old_size` bytes, or NULL) with room for `new_size` bytes: in place where it was the
 * last allocation, else a copy. The new bytes are zero. */
void *gp_arena_resize(gp_arena *arena, void *old, size_t old_size, size_t new_size) GP_NEVER_NULL;
/* Mark and release: all that was allocated since the mark is given back. */
gp_arena_mark gp_arena_set_mark(gp_arena *arena);
void gp_arena_release(gp_arena *arena, gp_arena_mark mark);
/* Bytes handed out so far. */
size_t gp_arena_used(const gp_arena *arena);

#define GP_NEW(arena, type)          ((type *)gp_arena_alloc((arena), 1, sizeof(type)))
#define GP_NEW_ARRAY(arena, type, n) ((type *)gp_arena_alloc((arena), (n), sizeof(type)))
/* A further item of a GP_LIST that has room for it. */
#define GP_NEXT(list) ((list).items[(list).count++])
/* Empties a GP_LIST and gives it room for `n` items and one more. */
#define GP_ROOM(arena, list, n)                                                                    \
    ((list)->count = 0,                                                                            \
     (void)((list)->items = gp_arena_alloc((arena), (size_t)(n) + 1, sizeof *(list)->items)))

#endif
