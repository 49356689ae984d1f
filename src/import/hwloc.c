/* XML of lstopo: a machine by its PCI devices. A GPU shows as several devices of the operating
 * system; what counts is the PCI device beneath them. The form is that of hwloc, not XML at large:
 * tags with attributes, no text between them. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/pools.h"
#include "schema/diag_ids.h"
#include "source/tree.h"

enum { DEPTH_MAX = 256, GPUS_MAX = 256, WORD_MAX = 160 };

static const double kib = 1024;

typedef struct found_gpu {
    char model[WORD_MAX];
    double bytes;
    bool is_gpu;
} found_gpu;

typedef struct hwloc_reader {
    const gp_text *text;
    gp_diags *diags;
    gp_found *found;
    size_t at;
    int depth;          /* open objects */
    int pci[DEPTH_MAX]; /* the PCI device that each open object lies in, or -1 */
    bool fabric;        /* the innermost device is an adapter of a fabric */
    found_gpu gpus[GPUS_MAX];
    int gpu_count; /* PCI devices of classes that GPUs have */
    int64_t adapters, sockets, cores;
    double memory_bytes;
} hwloc_reader;

/* ---- tags */

typedef struct tag {
    size_t begin, end; /* "<" to behind ">" */
    bool closing, empty;
    char name[WORD_MAX];
} tag;

static gp_status refuse(hwloc_reader *r, size_t begin, size_t end, const char *what) {
    gp_diags_error(r->diags, GP_ID_SYNTAX,
                   (gp_span){.text = r->text, .begin = (uint32_t)begin, .end = (uint32_t)end},
                   "the XML of `lstopo --of xml`", NULL, "%s", what);
    return GP_ERR_INPUT;
}

/* The end of the tag at `at`, quotes skipped; 0 where there is none. */
static size_t tag_end(const char *data, size_t at) {
    char quote = 0;
    for (; data[at]; at++)
        if (quote)
            quote = data[at] == quote ? 0 : quote;
        else if (data[at] == '"' || data[at] == '\'')
            quote = data[at];
        else if (data[at] == '>')
            return at + 1;
    return 0;
}

/* The next tag; *ret_more is false at the end. Declarations and comments are skipped. */
static gp_status next_tag(hwloc_reader *r, tag *ret, bool *ret_more) {
    const char *data = r->text->data;
    for (;;) {
        const char *open = strchr(data + r->at, '<');
        *ret_more = open != NULL;
        if (!open)
            return GP_OK;
        size_t begin = (size_t)(open - data);
        if (gp_str_starts(open, "<!--")) {
            const char *close = strstr(open, "-->");
            if (!close)
                return refuse(r, begin, begin + 4, "a comment has no end");
            r->at = (size_t)(close - data) + 3;
            continue;
        }
        size_t end = tag_end(data, begin);
        if (end == 0)
            return refuse(r, begin, begin + 1, "a tag has no end");
        r->at = end;
        if (open[1] == '?' || open[1] == '!')
            continue;
        *ret = (tag){.begin = begin, .end = end, .closing = open[1] == '/'};
        ret->empty = data[end - 2] == '/';
        const char *name = open + (ret->closing ? 2 : 1);
        size_t len =
            strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        memcpy(ret->name, name, len < WORD_MAX - 1 ? len : WORD_MAX - 1);
        return GP_OK;
    }
}

static size_t decode_entity(const char *text, char *ret) {
    static const struct {
        const char *name;
        char value;
    } rows[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++) {
        if (gp_str_starts(text, rows[i].name)) {
            *ret = rows[i].value;
            return strlen(rows[i].name);
        }
    }
    *ret = text[0];
    return 1;
}

/* Value of an attribute, cut to the room; empty where the tag does not have it. */
static void attribute(const hwloc_reader *r, const tag *t, const char *name, char ret[WORD_MAX]) {
    const char *data = r->text->data;
    size_t len = strlen(name);
    size_t out = 0;
    ret[0] = '\0';
    for (size_t at = t->begin; at + len + 2 < t->end; at++) {
        char quote = data[at + len + 1];
        bool blank = at > t->begin && strchr(" \t\r\n", data[at - 1]) != NULL;
        if (!blank || memcmp(data + at, name, len) != 0 || data[at + len] != '=' ||
            (quote != '"' && quote != '\''))
            continue;
        for (at += len + 2; at < t->end && data[at] != quote && out < WORD_MAX - 1;) {
            at += decode_entity(data + at, &ret[out]);
            out++;
        }
        ret[out] = '\0';
        return;
    }
}

static double number_of(const char *text) {
    double value = 0;
    return gp_num_parse(text, strlen(text), &value) && value > 0 && value < 1e18 ? value : 0;
}

/* ---- objects */

/* 03xx are display and 3D controllers, 12xx processing accelerators. */
static bool may_be_gpu(const char *pci_type) {
    return gp_str_starts(pci_type, "03") || gp_str_starts(pci_type, "12");
}

static int open_pci(hwloc_reader *r, const tag *t) {
    char type[WORD_MAX];
    attribute(r, t, "pci_type", type);
    if (!may_be_gpu(type) || r->gpu_count == GPUS_MAX)
        return -1;
    return r->gpu_count++;
}

static void open_device(hwloc_reader *r, const tag *t, int pci) {
    static const char *const kinds[] = {"CUDA", "NVML", "RSMI", "LevelZero", "OpenCL"};
    char subtype[WORD_MAX], name[WORD_MAX];
    attribute(r, t, "subtype", subtype);
    attribute(r, t, "name", name);
    for (size_t i = 0; i < GP_COUNT_OF(kinds) && pci >= 0; i++)
        r->gpus[pci].is_gpu = r->gpus[pci].is_gpu || gp_str_equal(subtype, kinds[i]);
    r->fabric = false;
}

static void open_object(hwloc_reader *r, const tag *t) {
    char type[WORD_MAX], memory[WORD_MAX];
    int pci = r->depth > 0 ? r->pci[r->depth - 1] : -1;
    attribute(r, t, "type", type);
    if (gp_str_equal(type, "PCIDev")) {
        pci = open_pci(r, t);
    } else if (gp_str_equal(type, "OSDev")) {
        open_device(r, t, pci);
    } else if (gp_str_equal(type, "NUMANode")) {
        attribute(r, t, "local_memory", memory);
        r->memory_bytes += number_of(memory);
    } else if (gp_str_equal(type, "Package")) {
        r->sockets++;
    } else if (gp_str_equal(type, "Core")) {
        r->cores++;
    }
    if (!t->empty)
        r->pci[r->depth++] = pci;
}

static void read_info(hwloc_reader *r, const tag *t) {
    char name[WORD_MAX], value[WORD_MAX];
    int pci = r->depth > 0 ? r->pci[r->depth - 1] : -1;
    attribute(r, t, "name", name);
    attribute(r, t, "value", value);
    if (gp_str_equal(name, "NodeGUID") && !r->fabric) {
        r->fabric = true;
        r->adapters++;
    }
    if (pci < 0)
        return;
    found_gpu *gpu = &r->gpus[pci];
    if (gp_str_equal(name, "GPUModel") && gpu->model[0] == '\0')
        memcpy(gpu->model, value, sizeof value);
    else if (gp_str_equal(name, "CUDAGlobalMemorySize") || gp_str_equal(name, "RSMIVRAMSize"))
        gpu->bytes = number_of(value) * kib;
}

static gp_status read_tag(hwloc_reader *r, const tag *t) {
    bool object = gp_str_equal(t->name, "object");
    if (object && t->closing) {
        if (r->depth == 0)
            return refuse(r, t->begin, t->end, "an object is closed that was not opened");
        r->depth--;
    } else if (object) {
        if (r->depth == DEPTH_MAX)
            return refuse(r, t->begin, t->end, "objects lie more than 256 deep");
        open_object(r, t);
    } else if (gp_str_equal(t->name, "info")) {
        read_info(r, t);
    }
    return GP_OK;
}

static gp_status read_tags(hwloc_reader *r) {
    tag t;
    bool more = true;
    bool topology = false;
    for (gp_status st = next_tag(r, &t, &more); more || st; st = next_tag(r, &t, &more)) {
        topology = topology || gp_str_equal(t.name, "topology");
        if (!st && !topology)
            st = refuse(r, t.begin, t.end, "the first element is not <topology>");
        if (!st)
            st = read_tag(r, &t);
        if (st)
            return st;
    }
    return topology && r->depth == 0 ? GP_OK
                                     : refuse(r, 0, 0,
                                              topology ? "the text ends inside an object"
                                                       : "there is no <topology> in the text");
}

/* ---- the machine */

static gp_status add_machine(hwloc_reader *r) {
    gp_arena *arena = r->found->arena;
    gp_found_pool pool = {.count = 1,
                          .memory_bytes = r->memory_bytes,
                          .sockets = r->sockets,
                          .cores = r->cores,
                          .span = {.text = r->text}};
    for (int i = 0; i < r->gpu_count; i++) {
        const found_gpu *gpu = &r->gpus[i];
        if (!gpu->is_gpu)
            continue;
        if (pool.gpus > 0 && !gp_str_equal(pool.gpu, gpu->model)) {
            gp_diags_error(r->diags, GP_ID_INCONSISTENT, pool.span,
                           "machines with GPUs of one kind", NULL,
                           "the machine has GPUs of several kinds");
            return GP_ERR_INPUT;
        }
        pool.gpu = gp_arena_strndup(arena, gpu->model, strlen(gpu->model));
        pool.gpu_bytes = gp_num_max(pool.gpu_bytes, gpu->bytes);
        pool.gpus++;
    }
    if (pool.gpus > 0)
        gp_found_add(r->found, &pool);
    if (r->adapters > 0)
        gp_found_note(r->found,
                      gp_arena_printf(arena,
                                      "%lld fabric adapter%s: the file does not tell their rate; "
                                      "add nics: [{rate: 400 Gb/s, count: %lld}] to the system",
                                      (long long)r->adapters, r->adapters == 1 ? "" : "s",
                                      (long long)r->adapters));
    return GP_OK;
}

gp_status gp_import_hwloc_read(gp_arena *arena, const gp_text *text, gp_catalog *catalog,
                               const gp_import_pool_options *options, gp_diags *diags,
                               gp_import_pools *ret_pools) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_found found = {
        .arena = arena, .catalog = catalog, .options = options, .diags = diags, .file = text->name};
    hwloc_reader *r = GP_NEW(arena, hwloc_reader);
    *ret_pools = (gp_import_pools){.fragment = NULL};
    *r = (hwloc_reader){.text = text, .diags = diags, .found = &found};
    gp_status st = gp_source_check_text(text, &limits, diags);
    if (!st)
        st = read_tags(r);
    if (!st)
        st = add_machine(r);
    return st ? st : gp_found_finish(&found, ret_pools);
}
