/*
 * Price lists. Names of items are held against what there is to price: a list with a slip of the
 * pen would otherwise leave its line without a price, and say nothing.
 */
#include "plan/context.h"

#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "base/str.h"

static const char *const part_names[] = {
    "rack",    "cable",   "transceiver", "managementCable", "powerStrip",
    "circuit", "storage", "systemNode",  "installation",
};
enum { PARTS = sizeof part_names / sizeof part_names[0], NO_CATALOG = -1 };

/* What stands before the slash, and where the names behind it come from. */
static const struct {
    const char *prefix;
    int kind; /* gp_catalog_kind; NO_CATALOG: the parts above */
} kinds[] = {
    {"system", GP_CATALOG_SYSTEMS},
    {"spare", GP_CATALOG_SYSTEMS},
    {"switch", GP_CATALOG_SWITCHES},
    {"storage", GP_CATALOG_STORAGE},
    {"cdu", GP_CATALOG_COOLING},
    {"gpu", GP_CATALOG_GPUS},
    {"part", NO_CATALOG},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
enum { ASKED = 1024, ASKED_SHIFT = 54 }; /* answers kept by where the words stand */

static const char cloud_prefix[] = "cloud:";

/* What a provider takes back at any time is no price of what it leaves. */
static bool is_reclaimed(const char *term) {
    return gp_str_equal(term, "spot") || gp_str_equal(term, "low-priority");
}

static bool is_reserved(const gp_price *price) {
    return price->term != NULL && gp_str_starts(price->term, "reserved");
}

/* Lists name what is taken back as they name the instance, whose row its own extends. */
static bool rents(const gp_price *price, const gp_cloud *row) {
    const bool reclaimed = is_reclaimed(price->term);
    if (!(price->price_per_s > 0) || !gp_str_starts(price->item, cloud_prefix))
        return false;
    const char *id = price->item + sizeof cloud_prefix - 1;
    return (gp_str_equal(id, row->id) || (reclaimed && gp_str_equal(id, row->extends))) &&
           (price->term == NULL || reclaimed == is_reclaimed(row->term));
}

/* Later lines correct earlier ones of the same term, and no other. */
static bool is_corrected(const gp_plan_context *plan, const gp_price *price) {
    bool behind = false;
    bool corrected = false;
    for (size_t p = 0; p < plan->price_count; p++)
        for (size_t i = 0; i < plan->prices[p]->items.count; i++) {
            const gp_price *other = &plan->prices[p]->items.items[i];
            corrected = corrected || (behind && gp_str_equal(other->item, price->item) &&
                                      gp_str_equal(other->term, price->term));
            behind = behind || other == price;
        }
    return corrected;
}

gp_contract gp_plan_contract(const gp_plan_context *plan, const gp_cloud *row, bool reserved) {
    gp_contract found = {0};
    for (size_t p = 0; p < plan->price_count; p++)
        for (size_t i = 0; i < plan->prices[p]->items.count; i++) {
            const gp_price *price = &plan->prices[p]->items.items[i];
            if (rents(price, row) && is_reserved(price) == reserved && !is_corrected(plan, price) &&
                (found.quote == NULL || price->price_per_s < found.per_s))
                found = (gp_contract){price->price_per_s, price};
        }
    return found;
}

static void refuse(const gp_plan_context *plan, const gp_price *price, const char *expected,
                   const char *nearest) {
    gp_diags_error(plan->diags, "GP1014", GP_ORIGIN_OF(price, gp_price, item)->span, expected,
                   nearest, "\"%s\" is not the name of a price item", price->item);
}

/* "system/dgx-h200" of a name that is near. */
static const char *whole_name(const gp_plan_context *plan, const char *prefix, const char *name) {
    return name == NULL ? NULL : gp_arena_printf(plan->arena, "%s/%s", prefix, name);
}

static gp_status check_part(const gp_plan_context *plan, const gp_price *price, const char *name) {
    for (size_t i = 0; i < PARTS; i++)
        if (gp_str_equal(part_names[i], name))
            return GP_OK;
    refuse(plan, price,
           "part/rack, cable, transceiver, managementCable, powerStrip, circuit, storage, "
           "systemNode or installation",
           whole_name(plan, "part", gp_str_nearest(name, strlen(name), part_names, PARTS)));
    return GP_ERR_INPUT;
}

/* Machines that the spec writes out go by the names of their pools. */
static bool is_unit(const gp_plan_context *plan, const char *name) {
    for (size_t u = 0; u < plan->unit_count; u++)
        if (gp_str_equal(plan->units[u].system->id, name))
            return true;
    return false;
}

static gp_status check_row(const gp_plan_context *plan, const gp_price *price, size_t kind,
                           const char *name) {
    const gp_catalog_kind rows = (gp_catalog_kind)kinds[kind].kind;
    const void *row = NULL;
    const char *nearest = NULL;
    if (rows == GP_CATALOG_SYSTEMS && is_unit(plan, name))
        return GP_OK;
    gp_status st = gp_catalog_find(plan->catalog, rows, name, &row, &nearest, NULL);
    if (st != GP_ERR_NOT_FOUND && st != GP_ERR_INPUT)
        return st;
    refuse(plan, price, "the id of a catalogue row, or of a pool's machine",
           whole_name(plan, kinds[kind].prefix, nearest));
    return GP_ERR_INPUT;
}

/* What is rented has a price per time, and what is bought has none. */
static gp_status check_amount(const gp_plan_context *plan, const gp_price *price) {
    const bool rented = gp_str_starts(price->item, cloud_prefix);
    if (rented == (price->price_per_s > 0))
        return GP_OK;
    gp_diags_error(plan->diags, "GP1019", GP_ORIGIN_OF(price, gp_price, price)->span,
                   rented ? "money per time, as 60 USD/h" : "an amount of money, as 300k USD", NULL,
                   "%s is %s, and its price is %s", price->item, rented ? "rented" : "bought",
                   rented ? "an amount" : "per time");
    return GP_ERR_INPUT;
}

static gp_status check_name(const gp_plan_context *plan, const gp_price *price) {
    const char *prefixes[KINDS];
    const char *slash = strchr(price->item, '/');
    const size_t len = slash != NULL ? (size_t)(slash - price->item) : strlen(price->item);
    /* Lists of a provider name more instances than the catalogue has. */
    if (gp_str_starts(price->item, cloud_prefix))
        return GP_OK;
    for (size_t k = 0; k < KINDS; k++) {
        prefixes[k] = kinds[k].prefix;
        if (slash == NULL || strlen(kinds[k].prefix) != len ||
            strncmp(price->item, kinds[k].prefix, len) != 0)
            continue;
        return kinds[k].kind == NO_CATALOG ? check_part(plan, price, slash + 1)
                                           : check_row(plan, price, k, slash + 1);
    }
    const char *nearest = gp_str_nearest(price->item, len, prefixes, KINDS);
    refuse(plan, price,
           "system/ID, spare/ID, switch/ID, storage/ID, cdu/ID, gpu/ID, cloud:ID or part/NAME",
           nearest != NULL && slash != NULL ? whole_name(plan, nearest, slash + 1) : nearest);
    return GP_ERR_INPUT;
}

static gp_status check_items(const gp_plan_context *plan) {
    gp_status ret = GP_OK;
    for (size_t p = 0; p < plan->price_count; p++)
        for (size_t i = 0; i < plan->prices[p]->items.count; i++) {
            const gp_price *price = &plan->prices[p]->items.items[i];
            gp_status st = check_name(plan, price);
            st = st == GP_OK ? check_amount(plan, price) : st;
            if (st != GP_OK && st != GP_ERR_INPUT)
                return st;
            ret = st != GP_OK ? st : ret;
        }
    return ret;
}

static int by_item(const void *a, const void *b, const void *context) {
    const gp_price *const *left = a;
    const gp_price *const *right = b;
    (void)context;
    return gp_str_compare((*left)->item, (*right)->item);
}

gp_status gp_plan_prices(gp_plan_context *plan) {
    size_t count = 0;
    size_t kept = 0;
    for (size_t p = 0; p < plan->price_count; p++)
        count += plan->prices[p]->items.count;
    plan->priced = GP_NEW_ARRAY(plan->arena, const gp_price *, count + 1);
    count = 0;
    for (size_t p = 0; p < plan->price_count; p++)
        for (size_t i = 0; i < plan->prices[p]->items.count; i++)
            plan->priced[count++] = &plan->prices[p]->items.items[i];
    gp_sort(plan->arena, plan->priced, count, sizeof(gp_price *), by_item, NULL);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || by_item(&plan->priced[i], &plan->priced[i + 1], NULL) != 0)
            plan->priced[kept++] = plan->priced[i];
    plan->priced_count = kept;
    plan->asked_storage = GP_NEW(plan->arena, gp_asked_storage);
    plan->asked_prices = GP_NEW_ARRAY(plan->arena, gp_asked_price, ASKED);
    return check_items(plan);
}

/* An item of a list against "PREFIX/ID". */
static int compare_item(const char *item, const char *prefix, const char *id) {
    const size_t len = strlen(prefix);
    const int order = strncmp(item, prefix, len);
    if (order != 0 || item[len] != '/')
        return order != 0 ? order : (unsigned char)item[len] - '/';
    return strcmp(item + len + 1, id);
}

/* In the last list that has it; NULL: none. */
static const gp_price *search(const gp_plan_context *plan, const char *prefix, const char *id) {
    size_t low = 0;
    size_t high = id != NULL ? plan->priced_count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_item(plan->priced[middle]->item, prefix, id);
        if (order == 0)
            return plan->priced[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Every trial asks for the same few. */
static const gp_price *price_of(const gp_plan_context *plan, const char *prefix, const char *id) {
    const uint64_t words = (uint64_t)(uintptr_t)id * 31 + (uintptr_t)prefix;
    gp_asked_price *asked = &plan->asked_prices[words * 0x9E3779B97F4A7C15u >> ASKED_SHIFT];
    if (asked->prefix != prefix || asked->id != id)
        *asked = (gp_asked_price){prefix, id, search(plan, prefix, id)};
    return asked->price;
}

double gp_plan_item_price(const gp_plan_context *plan, const char *prefix, const char *id) {
    const gp_price *price = price_of(plan, prefix, id);
    return price != NULL ? price->price : 0;
}

void gp_plan_price_line(const gp_plan_context *plan, const char *prefix, const char *id,
                        gp_bill_item *line) {
    const gp_price *price = price_of(plan, prefix, id);
    if (price == NULL)
        return;
    line->quote = price;
    line->unit_price = price->price;
    line->price = GP_REF(price, gp_price, price);
}
