/* Slurm's texts about machines: gres.conf, and what `scontrol show node` prints (jobs: see
 * slurm_jobs.c). Both are lines of
 * KEY=VALUE; some values run to the end of their line, host lists stand for many machines. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/pools.h"
#include "import/sacct.h"
#include "schema/diag_ids.h"
#include "source/tree.h"

enum { TEXT_MAX_BYTES = 64 << 20, WORD_MAX = 4096, HOSTS_MAX = 1000000, GPUS_MAX = 1024 };

typedef struct slurm_reader {
    const gp_text *text;
    gp_found *found;
    gp_diags *diags;
    size_t at; /* start of the next line */
    bool wrong;
} slurm_reader;

/* One KEY=VALUE of a line. */
typedef struct pair {
    const char *key, *value;
    size_t key_len, value_len;
} pair;

static gp_span line_span(const slurm_reader *r, const char *from, size_t len) {
    size_t begin = (size_t)(from - r->text->data);
    return (gp_span){.text = r->text, .begin = (uint32_t)begin, .end = (uint32_t)(begin + len)};
}

static void refuse(slurm_reader *r, const char *from, size_t len, const char *what) {
    r->wrong = true;
    gp_diags_error(r->diags, GP_ID_WRONG_TYPE, line_span(r, from, len), NULL, NULL, "%s", what);
}

static bool key_is(const pair *p, const char *word) {
    return p->key_len == strlen(word) && gp_str_starts_nocase(p->key, word);
}

/* The next pair of [at, end); false where there is none. Free text runs to the end. */
static bool next_pair(const char **at, const char *end, pair *ret) {
    while (*at < end) {
        const char *word = *at + strspn(*at, " \t\r");
        if (word >= end)
            break;
        size_t len = strcspn(word, " \t\r\n");
        const char *equals = memchr(word, '=', len);
        if (!equals) {
            *at = word + len;
            continue;
        }
        *ret = (pair){.key = word, .key_len = (size_t)(equals - word), .value = equals + 1};
        bool free_text = key_is(ret, "OS") || key_is(ret, "Reason") || key_is(ret, "Comment") ||
                         key_is(ret, "Extra");
        const char *stop = free_text ? end : word + len;
        ret->value_len = (size_t)(stop - ret->value);
        *at = stop;
        return true;
    }
    return false;
}

static int64_t number_at(const char *text, size_t len) {
    size_t digits = strspn(text, "0123456789");
    int64_t value = 0;
    return gp_num_parse_i64(text, digits < len ? digits : len, &value) ? value : -1;
}

/* Machines or devices of "gpu-[017-048],gpu-049" or "nvidia[0-7]"; -1 where it is no list. */
static int64_t count_list(const char *text, size_t len) {
    int64_t total = 0, product = 1, inside = 0;
    bool bracket = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '[' && !bracket) {
            bracket = true;
            inside = 0;
        } else if (c == ']' && bracket) {
            bracket = false;
            product = inside > 0 && product <= HOSTS_MAX ? product * inside : -1;
        } else if (bracket && c >= '0' && c <= '9') {
            size_t first = strspn(text + i, "0123456789");
            int64_t low = number_at(text + i, len - i), high = low;
            i += first;
            if (i < len && text[i] == '-') {
                high = number_at(text + i + 1, len - i - 1);
                i += 1 + strspn(text + i + 1, "0123456789");
            }
            i--;
            if (low < 0 || high < low || high - low > HOSTS_MAX)
                return -1;
            inside += high - low + 1;
        } else if (c == ',' && !bracket) {
            total += product;
            product = 1;
        } else if (bracket && c != ',') {
            return -1;
        }
        if (product < 0 || total > HOSTS_MAX || inside > HOSTS_MAX)
            return -1;
    }
    total += product;
    return bracket || len == 0 || total > HOSTS_MAX ? -1 : total;
}

static const char *copy_of(slurm_reader *r, const char *text, size_t len) {
    return gp_arena_strndup(r->found->arena, text, len < WORD_MAX ? len : WORD_MAX);
}

/* The next line, with lines that end in a backslash joined to it as they stand. */
static bool next_line(slurm_reader *r, const char **ret_begin, const char **ret_end) {
    const char *data = r->text->data;
    if (r->at >= r->text->len)
        return false;
    size_t end = r->at + strcspn(data + r->at, "\n");
    *ret_begin = data + r->at;
    *ret_end = data + end;
    r->at = data[end] ? end + 1 : end;
    return true;
}

/* ---- gres.conf */

/* Several lines may tell of the devices of the same machines. */
typedef struct gres_line {
    const char *nodes, *type;
    int64_t machines, gpus;
    gp_span span;
} gres_line;

typedef struct gres_list {
    gres_line *items;
    size_t count, cap;
} gres_list;

static void add_gres(slurm_reader *r, gres_list *list, const gres_line *line) {
    for (size_t i = 0; i < list->count; i++) {
        gres_line *other = &list->items[i];
        if (!gp_str_equal(other->nodes, line->nodes))
            continue;
        if (!gp_str_equal_nocase(other->type, line->type))
            refuse(r, r->text->data + line->span.begin, line->span.end - line->span.begin,
                   "machines with GPUs of several kinds cannot be told in a pool");
        other->gpus += line->gpus;
        return;
    }
    GP_PUSH(r->found->arena, list->items, list->count, list->cap) = *line;
}

static void read_gres_line(slurm_reader *r, const char *begin, const char *end, gres_list *list) {
    const char *hash = memchr(begin, '#', (size_t)(end - begin));
    const char *stop = hash ? hash : end, *at = begin;
    gres_line line = {.nodes = "", .type = "", .machines = 1};
    bool gpu = false, counted = false;
    pair p;
    line.span = line_span(r, begin, (size_t)(stop - begin));
    while (next_pair(&at, stop, &p)) {
        if (key_is(&p, "NodeName")) {
            line.nodes = copy_of(r, p.value, p.value_len);
            line.machines = count_list(p.value, p.value_len);
        } else if (key_is(&p, "Name")) {
            gpu = gp_str_is(p.value, p.value_len, "gpu");
        } else if (key_is(&p, "Type")) {
            line.type = copy_of(r, p.value, p.value_len);
        } else if (key_is(&p, "Count")) {
            line.gpus = number_at(p.value, p.value_len);
            counted = true;
        } else if (key_is(&p, "File") && !counted) {
            line.gpus = count_list(p.value, p.value_len);
        }
    }
    if (!gpu)
        return;
    if (line.machines < 1 || line.gpus < 1 || line.gpus > GPUS_MAX)
        refuse(r, begin, (size_t)(stop - begin),
               line.machines < 1 ? "NodeName is no list of hosts"
                                 : "neither Count nor File tells how many GPUs there are");
    else
        add_gres(r, list, &line);
}

static gp_status read_gres(slurm_reader *r) {
    gres_list list = {.items = NULL};
    const char *begin = NULL, *end = NULL;
    while (next_line(r, &begin, &end))
        read_gres_line(r, begin, end, &list);
    for (size_t i = 0; i < list.count; i++) {
        const gres_line *line = &list.items[i];
        gp_found_add(r->found, &(gp_found_pool){.gpu = line->type,
                                                .gpus = line->gpus,
                                                .count = line->machines,
                                                .span = line->span});
        if (line->nodes[0] == '\0')
            gp_found_note(r->found, "a line without NodeName counts as one machine");
    }
    return r->wrong ? GP_ERR_INPUT : GP_OK;
}

/* ---- scontrol show node */

typedef struct node_block {
    gp_found_pool pool;
    const char *name;
    bool down;
} node_block;

/* A bare number is in MiB. */
static double memory_of(const char *text, size_t len) {
    static const struct {
        char unit;
        double bytes;
    } units[] = {{'K', 1024}, {'M', 1024.0 * 1024}, {'G', 1073741824.0}, {'T', 1099511627776.0}};
    double value = 0;
    size_t digits = strspn(text, "0123456789.");
    digits = digits < len ? digits : len;
    if (!gp_num_parse(text, digits, &value) || value < 0 || value > 1e12)
        return 0;
    char unit = digits < len ? text[digits] : 'M';
    for (size_t i = 0; i < GP_COUNT_OF(units); i++)
        if (units[i].unit == unit)
            return value * units[i].bytes;
    return 0;
}

/* "...,mem=2063000M,gres/gpu=8,gres/gpu:h100=8": the count of all, and the type that has one. */
static void read_tres(slurm_reader *r, const pair *p, node_block *block) {
    static const char mark[] = "gres/gpu";
    const char *end = p->value + p->value_len;
    for (const char *at = p->value; at < end;) {
        size_t left = (size_t)(end - at);
        const char *comma = memchr(at, ',', left);
        size_t len = comma ? (size_t)(comma - at) : left;
        const char *equals = memchr(at, '=', len);
        if (len > 4 && memcmp(at, "mem=", 4) == 0 && block->pool.memory_bytes <= 0)
            block->pool.memory_bytes = memory_of(at + 4, len - 4);
        if (equals && len > sizeof mark - 1 && memcmp(at, mark, sizeof mark - 1) == 0) {
            const char *rest = at + sizeof mark - 1;
            int64_t count = number_at(equals + 1, len - (size_t)(equals + 1 - at));
            if (*rest == ':')
                block->pool.gpu = copy_of(r, rest + 1, (size_t)(equals - rest - 1));
            block->pool.gpus = block->pool.gpus > count ? block->pool.gpus : count;
        }
        at += len + 1;
    }
}

/* "gpu:h100:8(S:0-1)", or "gpu:8". */
static void read_node_gres(slurm_reader *r, const pair *p, node_block *block) {
    if (p->value_len < 4 || memcmp(p->value, "gpu:", 4) != 0)
        return;
    const char *type = p->value + 4;
    size_t len = p->value_len - 4;
    const char *colon = memchr(type, ':', len);
    const char *stop = memchr(type, '(', len);
    bool named = colon && (!stop || colon < stop);
    if (named && block->pool.gpu[0] == '\0')
        block->pool.gpu = copy_of(r, type, (size_t)(colon - type));
    if (block->pool.gpus == 0) {
        const char *count = named ? colon + 1 : type;
        block->pool.gpus = number_at(count, (size_t)(p->value + p->value_len - count));
    }
}

static void finish_block(slurm_reader *r, node_block *block, int64_t *down, int64_t *bare) {
    if (!block->name)
        return;
    block->pool.cores *= block->pool.sockets;
    if (block->pool.gpus > 0 && block->pool.gpus <= GPUS_MAX) {
        gp_found_add(r->found, &block->pool);
        *down += block->down ? 1 : 0;
    } else {
        *bare += 1;
    }
}

static void read_node_pair(slurm_reader *r, const pair *p, node_block *block) {
    if (key_is(p, "CfgTRES")) {
        read_tres(r, p, block);
    } else if (key_is(p, "Gres")) {
        read_node_gres(r, p, block);
    } else if (key_is(p, "RealMemory")) {
        block->pool.memory_bytes = memory_of(p->value, p->value_len);
    } else if (key_is(p, "Sockets")) {
        block->pool.sockets = gp_num_max_i64(number_at(p->value, p->value_len), 0);
    } else if (key_is(p, "CoresPerSocket")) {
        block->pool.cores = gp_num_max_i64(number_at(p->value, p->value_len), 0);
    } else if (key_is(p, "State")) {
        const char *state = copy_of(r, p->value, p->value_len);
        block->down = state && (strstr(state, "DOWN") || strstr(state, "DRAIN") ||
                                strstr(state, "FAIL") || strstr(state, "*"));
    }
}

static void note_count(slurm_reader *r, int64_t count, const char *one, const char *several) {
    if (count > 0)
        gp_found_note(r->found, gp_arena_printf(r->found->arena, "%lld %s", (long long)count,
                                                count == 1 ? one : several));
}

static void read_nodes(slurm_reader *r) {
    node_block block = {.name = NULL};
    int64_t down = 0, bare = 0;
    const char *begin = NULL, *end = NULL;
    while (next_line(r, &begin, &end)) {
        const char *at = begin;
        pair p;
        while (next_pair(&at, end, &p)) {
            if (key_is(&p, "NodeName")) {
                finish_block(r, &block, &down, &bare);
                block = (node_block){.name = p.value,
                                     .pool = {.gpu = "",
                                              .count = 1,
                                              .span = line_span(r, begin, (size_t)(end - begin))}};
            } else if (block.name) {
                read_node_pair(r, &p, &block);
            }
        }
    }
    finish_block(r, &block, &down, &bare);
    note_count(r, down, "machine is drained, down or failing; counted all the same",
               "machines are drained, down or failing; counted all the same");
    note_count(r, bare, "machine without GPUs is left out", "machines without GPUs are left out");
}

gp_status gp_import_slurm_read(gp_arena *arena, const gp_text *text, gp_catalog *catalog,
                               const gp_import_pool_options *options, gp_diags *diags,
                               gp_import_pools *ret_pools) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_found found = {
        .arena = arena, .catalog = catalog, .options = options, .diags = diags, .file = text->name};
    slurm_reader r = {.text = text, .found = &found, .diags = diags};
    *ret_pools = (gp_import_pools){.fragment = NULL};
    limits.max_bytes = TEXT_MAX_BYTES; /* accounts of years */
    gp_status st = gp_source_check_text(text, &limits, diags);
    if (st)
        return st;
    if (gp_sacct_is(text))
        return gp_import_jobs_read(&found, text, ret_pools);
    bool nodes = strstr(text->data, "CfgTRES=") || strstr(text->data, "Gres=") ||
                 strstr(text->data, "RealMemory=");
    if (nodes)
        read_nodes(&r);
    else
        st = read_gres(&r);
    return st ? st : gp_found_finish(&found, ret_pools);
}
