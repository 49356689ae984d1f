/* Every number raised in turn, and the plan worked out again with its choice kept. */
#include "report/measure.h"

#include <math.h>
#include <string.h>

#include "base/index.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/tables.h"
#include "schema/visit.h"

static const double change = 0.02;    /* of a number */
static const double spread = 0.01;    /* of several at a time: each by another share, so that what
                                         one adds another does not take away */
static const double movement = 1e-6;  /* of a figure; less is rounding */
static const double golden = 0.61803; /* fills (0, 1) evenly */
enum { REPLAY_MEMORY_MAX = 1 << 30, FIRST_YEAR = 2000, LAST_YEAR = 2100 };

/* The cells of a number as they are. */
typedef struct cells {
    void *at;
    size_t count;
    bool whole; /* int64_t, else double */
    double *reals;
    int64_t *counts;
} cells;

typedef struct measure {
    gp_build *build;
    gp_figures *read;
    const void *context;
    size_t figures, count, capacity, cell_capacity;
    gp_number *numbers;
    cells *cells;
    gp_index names; /* of numbers, the first of each */
    double *base, *now;
    const char *group, *named; /* the struct last visited that has an id, by path and by id */
} measure;

/* ------------------------------------------------------------ all numbers */

/* What is in a struct with an id goes by that: "h100-sxm.memory", wherever the GPU is. */
static const char *name_of(measure *m, const char *path) {
    const size_t len = m->group != NULL ? strlen(m->group) : 0;
    if (len > 0 && gp_str_starts(path, m->group) && path[len] == '.')
        return gp_build_text(m->build, "%s%s", m->named, path + len);
    return gp_build_text(m->build, "%s", path);
}

static bool set_cells(measure *m, const gp_field *field, const void *value, cells *ret) {
    const bool list = field->kind == GP_FIELD_LIST && field->nested == NULL;
    const gp_field_kind kind = list ? field->item : field->kind;
    gp_any_list items = {.count = 1};
    const bool year = kind == GP_FIELD_COUNT && field->has_min && field->min >= FIRST_YEAR &&
                      field->has_max && field->max <= LAST_YEAR;
    if ((kind != GP_FIELD_QUANTITY && kind != GP_FIELD_COUNT) || year)
        return false;
    if (list)
        memcpy(&items, value, sizeof items);
    /* Rows and specs lie in arenas; what is changed here is put back. */
    *ret = (cells){.at = list ? items.items : (void *)(uintptr_t)value,
                   .count = items.count,
                   .whole = kind == GP_FIELD_COUNT};
    ret->reals = GP_NEW_ARRAY(m->build->arena, double, items.count + 1);
    ret->counts = GP_NEW_ARRAY(m->build->arena, int64_t, items.count + 1);
    if (items.count > 0)
        memcpy(ret->whole ? (void *)ret->counts : (void *)ret->reals, ret->at,
               items.count * sizeof(double));
    for (size_t i = 0; i < items.count; i++)
        if (ret->whole ? (double)ret->counts[i] * change >= 1 : ret->reals[i] > 0)
            return true;
    return false;
}

static bool same_value(const cells *a, const cells *b) {
    return a->whole == b->whole && a->count == b->count &&
           (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof(double)) == 0);
}

/* A row stands in every list and system that names it, and a derived field says once more what
 * another of its struct does (`name` less `key`). */
static size_t repeats(measure *m, const cells *found, const gp_visit *visit, const char *name) {
    const size_t len = strlen(name), stem = len - strlen(visit->field->key);
    size_t first = 0;
    bool added = false;
    gp_index_add(&m->names, name, len, m->count, &added, &first);
    if (!added && same_value(found, &m->cells[first]))
        return m->numbers[first].with;
    for (size_t i = m->count; visit->origin->kind == GP_ORIGIN_DERIVED && i-- > 0;) {
        if (strncmp(m->numbers[i].name, name, stem) != 0)
            break;
        if (m->numbers[i].field->dim == visit->field->dim && same_value(found, &m->cells[i]))
            return m->numbers[i].with;
    }
    return m->count;
}

static void add(measure *m, const gp_visit *visit, const void *value) {
    cells found;
    if (!set_cells(m, visit->field, value, &found))
        return;
    const char *name = name_of(m, visit->path);
    const size_t with = repeats(m, &found, visit, name);
    m->numbers =
        gp_arena_grow(m->build->arena, m->numbers, m->count, &m->capacity, sizeof *m->numbers);
    m->cells =
        gp_arena_grow(m->build->arena, m->cells, m->count, &m->cell_capacity, sizeof *m->cells);
    m->cells[m->count] = found;
    m->numbers[m->count++] = (gp_number){.name = name,
                                         .field = visit->field,
                                         .origin = visit->origin,
                                         .value = visit->value,
                                         .with = with};
}

static void look(const gp_visit *visit) {
    measure *m = visit->context;
    const gp_field *field = visit->field;
    if (field->kind == GP_FIELD_STRUCT) {
        const char *id = gp_struct_id(visit->value, field->nested);
        m->group = id != NULL ? gp_build_text(m->build, "%s", visit->path) : m->group;
        m->named = id != NULL ? id : m->named;
    }
    add(m, visit, visit->value);
    if (field->kind == GP_FIELD_QUANTITY && field->or_dim != GP_DIM_NONE)
        add(m, visit, (const char *)visit->value - field->offset + field->or_offset);
}

/* The constants, the spec with its models, and every kind of row that was looked at. */
static void list_numbers(measure *m) {
    gp_arena *arena = m->build->arena;
    const gp_plan_result *plan = m->build->result;
    gp_struct_visit(arena, plan->constants, "", look, m);
    gp_struct_visit(arena, &plan->document->spec, "", look, m);
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++) {
        const gp_catalog_table *table = &plan->catalog->tables[kind];
        for (size_t i = 0; i < table->count && kind != GP_CATALOG_CONSTANTS; i++)
            gp_struct_visit(arena, table->rows[i], gp_row_head_of(table->rows[i]).id, look, m);
    }
}

/* ------------------------------------------------------------ one change at a time */

/* Changes the numbers from `low` to `high`; 0: puts them back. */
static void turn(const measure *m, size_t low, size_t high, double share) {
    for (size_t i = 0; i < m->count; i++) {
        const cells *c = &m->cells[i];
        const size_t with = m->numbers[i].with;
        if (with < low || with >= high)
            continue;
        const double part = (double)with * golden;
        const bool several = high - low > 1 && share > 0;
        const double by =
            several ? share + spread * (part - (double)gp_num_floor_count(part)) : share;
        for (size_t k = 0; k < c->count; k++)
            if (c->whole)
                ((int64_t *)c->at)[k] =
                    c->counts[k] + gp_num_floor_count(0.5 + by * (double)c->counts[k]);
            else
                ((double *)c->at)[k] = c->reals[k] * (1 + by);
    }
}

bool gp_same_products(const gp_plan_result *a, const gp_plan_result *b) {
    bool same = a->room.bill.count == b->room.bill.count;
    for (size_t i = 0; i < a->room.bill.count && same; i++)
        same = gp_str_equal(a->room.bill.items[i].id, b->room.bill.items[i].id);
    return same;
}

/* The plan as the numbers now stand. */
typedef struct replaying {
    const measure *m;
    gp_arena *arena; /* its own: what it takes is given back */
    double *figures;
} replaying;

static gp_status work_out(void *context) {
    const replaying *r = context;
    const gp_plan_result *was = r->m->build->result;
    gp_plan_result *plan = NULL;
    gp_build of = {.arena = r->arena};
    gp_status st = gp_plan_hold(r->arena, was, &plan);
    if (st != GP_OK)
        return st;
    if (!gp_same_products(was, plan))
        return GP_ERR_INPUT;
    of.result = plan;
    gp_build_figures(&of);
    r->m->read(r->m->context, &of, r->figures);
    return GP_OK;
}

static gp_status work_out_apart(void *context) {
    const replaying *r = context;
    return gp_arena_guard(r->arena, work_out, context);
}

bool gp_is_moved(double effect) {
    return isnan(effect) || effect > 0 || effect < 0;
}

static bool differs(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) != isnan(b);
    return fabs(a - b) > movement * fmax(fabs(a), fabs(b));
}

/* The figures with some numbers changed; false where that is no plan of the same choice. Rows are
 * put back whatever happens. */
static bool replay_with(const measure *m, size_t low, size_t high, double share, double *ret) {
    replaying r = {.m = m, .arena = gp_arena_new(REPLAY_MEMORY_MAX), .figures = ret};
    if (r.arena == NULL)
        gp_arena_exhausted(m->build->arena);
    turn(m, low, high, share);
    const gp_status st = gp_arena_guard(m->build->arena, work_out_apart, &r);
    turn(m, low, high, 0);
    gp_arena_free(r.arena);
    if (st == GP_ERR_NO_MEMORY)
        gp_arena_exhausted(m->build->arena);
    return st == GP_OK;
}

static bool any_differs(const measure *m) {
    for (size_t i = 0; i < m->figures; i++)
        if (differs(m->base[i], m->now[i]))
            return true;
    return false;
}

/* What a number does: up, or down where the plan does not bear more of it. */
static bool measure_one(measure *m, size_t at) {
    double share = change;
    double *effects = GP_NEW_ARRAY(m->build->arena, double, m->figures + 1);
    if (m->numbers[at].with != at)
        return false;
    bool holds = replay_with(m, at, at + 1, share, m->now);
    if (!holds || (m->figures > 0 && isnan(m->now[0]) && !isnan(m->base[0]))) {
        share = -change;
        holds = replay_with(m, at, at + 1, share, m->now);
    }
    if (!holds || !any_differs(m))
        return false;
    for (size_t i = 0; i < m->figures; i++)
        if (differs(m->base[i], m->now[i]))
            effects[i] = fabs(m->base[i]) > 0 ? (m->now[i] / m->base[i] - 1) / share : (double)NAN;
    m->numbers[at].effects = effects;
    return true;
}

/* Numbers that move nothing together are done with; of the others each half by itself, where it is
 * not known already (`moves`) that the second does. */
static bool measure_range(measure *m, size_t low, size_t high, bool moves) {
    if (low >= high)
        return false;
    if (high - low == 1)
        return measure_one(m, low);
    if (!moves && replay_with(m, low, high, change, m->now) && !any_differs(m))
        return false;
    const size_t middle = low + (high - low) / 2;
    const bool first = measure_range(m, low, middle, false);
    return measure_range(m, middle, high, !first) || first;
}

void gp_measure(gp_build *build, gp_figures *read, const void *context, size_t count,
                gp_number **ret_numbers, size_t *ret_count) {
    measure m = {.build = build, .read = read, .context = context, .figures = count};
    m.base = GP_NEW_ARRAY(build->arena, double, 2 * count + 1);
    m.now = m.base + count;
    gp_index_init(&m.names, build->arena);
    if (count > 0)
        list_numbers(&m);
    if (m.count > 0 && replay_with(&m, 0, 0, 0, m.base))
        (void)measure_range(&m, 0, m.count, true);
    *ret_numbers = m.numbers;
    *ret_count = m.count;
}
