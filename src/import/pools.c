/* Pools of machines from what a file tells: the GPU's name becomes an id of the catalogue, or the
 * choice that the user made; a name that fits several is never guessed at. */
#include "import/pools.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"
#include "source/node_write.h"

enum { FRAGMENT_MAX = 256 * 1024, POOLS_MAX = 1000 };

/* The same GPUs, and nothing told that differs: what one record leaves out, another may tell. */
static bool alike(const gp_found_pool *a, const gp_found_pool *b) {
    bool memory = a->memory_bytes <= 0 || b->memory_bytes <= 0 ||
                  gp_num_near(a->memory_bytes, b->memory_bytes);
    bool cores = a->cores == 0 || b->cores == 0 || a->cores == b->cores;
    return gp_str_equal_nocase(a->gpu, b->gpu) && a->gpus == b->gpus && memory && cores;
}

void gp_found_add(gp_found *found, const gp_found_pool *pool) {
    for (size_t i = 0; i < found->count; i++) {
        gp_found_pool *other = &found->pools[i];
        if (alike(other, pool)) {
            other->count += pool->count;
            other->memory_bytes = gp_num_max(other->memory_bytes, pool->memory_bytes);
            other->cores = gp_num_max_i64(other->cores, pool->cores);
            other->sockets = gp_num_max_i64(other->sockets, pool->sockets);
            return;
        }
    }
    if (found->count == POOLS_MAX) {
        gp_diags_error(found->diags, GP_ID_LIMIT, pool->span, "1000 kinds of machines at most",
                       NULL, "more kinds of machines than a plan can tell apart");
        return;
    }
    GP_PUSH(found->arena, found->pools, found->count, found->cap) = *pool;
}

void gp_found_note(gp_found *found, const char *note) {
    GP_PUSH(found->arena, found->notes, found->note_count, found->note_cap) = note;
}

/* ---- names */

/* What the user chose for `name`: "NAME=ID" first, then a bare "ID"; NULL for neither. */
static const char *chosen(const char *const *words, size_t count, const char *name) {
    const char *bare = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        size_t len = equals ? (size_t)(equals - words[i]) : 0;
        if (!equals)
            bare = words[i];
        else if (strlen(name) == len && memcmp(words[i], name, len) == 0)
            return equals + 1;
    }
    return bare;
}

static gp_status refuse_gpu(gp_found *found, const gp_found_pool *pool, const char *choices) {
    const char *shown = gp_shown(found->arena, pool->gpu, strlen(pool->gpu));
    const char *expected =
        choices
            ? gp_arena_printf(found->arena, "--gpu \"%s=ID\" with one of %s", shown, choices)
            : gp_arena_printf(found->arena,
                              "--gpu \"%s=ID\" with an id of `gpuplan catalog list gpus`", shown);
    gp_diags_error(
        found->diags, choices ? GP_ID_AMBIGUOUS : GP_ID_UNKNOWN_REFERENCE, pool->span, expected,
        NULL, choices ? "several GPUs go by the name \"%s\"" : "the catalogue has no GPU \"%s\"",
        shown);
    return GP_ERR_INPUT;
}

/* The memory that was measured must be that of the row, within what drivers keep for themselves. */
static gp_status check_memory(gp_found *found, const gp_found_pool *pool, const gp_gpu *gpu) {
    double share = gpu->memory_bytes > 0 ? pool->gpu_bytes / gpu->memory_bytes : 0;
    if (pool->gpu_bytes <= 0 || gpu->memory_bytes <= 0 || (share > 0.85 && share < 1.15))
        return GP_OK;
    gp_diags_error(found->diags, GP_ID_INCONSISTENT, pool->span,
                   gp_arena_printf(found->arena, "--gpu ID of a GPU with %s",
                                   gp_quantity_format(found->arena, pool->gpu_bytes, GP_DIM_BYTES)),
                   NULL, "the GPU \"%s\" of the catalogue has another memory", gpu->id);
    return GP_ERR_INPUT;
}

static gp_status resolve(gp_found *found, const gp_found_pool *pool, const char **ret_id) {
    const char *choice = chosen(found->options->gpus.items, found->options->gpus.count, pool->gpu);
    const char *choices = NULL;
    const void *row = NULL;
    const gp_gpu *gpu = NULL;
    bool whole = false;
    gp_status st =
        choice ? gp_catalog_find(found->catalog, GP_CATALOG_GPUS, choice, &row, NULL, &choices)
               : gp_catalog_find_device(found->catalog, pool->gpu, &gpu, &choices, &whole);
    gpu = choice ? row : gpu;
    if (st == GP_ERR_NOT_FOUND || (st == GP_ERR_INPUT && !gpu))
        return refuse_gpu(found, pool, st == GP_ERR_NOT_FOUND ? NULL : choices);
    if (st)
        return st;
    *ret_id = gpu->id;
    return choice ? GP_OK : check_memory(found, pool, gpu);
}

/* ---- text */

static void write_pool(gp_found *found, gp_buf *buf, const gp_found_pool *pool, const char *id,
                       size_t same) {
    const gp_import_pool_options *options = found->options;
    const char *system = chosen(options->systems.items, options->systems.count, pool->gpu);
    const char *name = gp_arena_printf(found->arena, same > 0 ? "%s-%lld-%zu" : "%s-%lld", id,
                                       (long long)pool->gpus, same + 1);
    gp_buf_printf(buf, "    - name: %s\n      system: ", name);
    if (system) {
        gp_yaml_scalar(buf, system, strlen(system));
    } else {
        gp_buf_printf(buf, "{id: %s, gpu: %s, gpus: %lld", name, id, (long long)pool->gpus);
        if (pool->memory_bytes > 0) {
            gp_buf_str(buf, ", memory: ");
            gp_buf_number(buf, pool->memory_bytes, 0);
            gp_buf_str(buf, " B");
        }
        if (pool->sockets > 0)
            gp_buf_printf(buf, ", cpuSockets: %lld", (long long)pool->sockets);
        if (pool->cores > 0)
            gp_buf_printf(buf, ", cpuCores: %lld", (long long)pool->cores);
        gp_buf_char(buf, '}');
    }
    gp_buf_printf(buf, "\n      count: %lld\n", (long long)pool->count);
}

gp_status gp_found_finish(gp_found *found, gp_import_pools *ret_pools) {
    const char **ids = GP_NEW_ARRAY(found->arena, const char *, found->count + 1);
    if (found->count == 0) {
        gp_diags_error(found->diags, GP_ID_EMPTY, (gp_span){.text = NULL}, NULL, NULL,
                       "%s tells of no machine with GPUs", found->file);
        return GP_ERR_INPUT;
    }
    gp_status worst = GP_OK;
    gp_buf buf = GP_BUF(found->arena, FRAGMENT_MAX);
    gp_buf_str(&buf, "cluster:\n  pools:\n");
    for (size_t i = 0; i < found->count; i++) {
        size_t same = 0;
        gp_status st = resolve(found, &found->pools[i], &ids[i]);
        if (st && st != GP_ERR_INPUT)
            return st;
        worst = st ? st : worst;
        for (size_t k = 0; k < i && !worst; k++)
            same += gp_str_equal(ids[k], ids[i]) && found->pools[k].gpus == found->pools[i].gpus;
        if (!worst)
            write_pool(found, &buf, &found->pools[i], ids[i], same);
    }
    ret_pools->notes.items = found->notes;
    ret_pools->notes.count = found->note_count;
    if (worst)
        return worst;
    return gp_buf_finish(&buf, &ret_pools->fragment, NULL);
}
