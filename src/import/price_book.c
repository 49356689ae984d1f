/* A price list of cloud instances as it gathers over pages and files. Tiers are kept apart, a price
 * of zero is a missing one, and what is left out is counted by its reason. */
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "import/prices.h"
#include "source/node_write.h"

enum { ITEMS_MAX = 20000, TEXT_MAX = 3 * 1024 * 1024 };

static const char *const tier_words[] = {"on-demand", "spot", "low-priority", "reserved-1y",
                                         "reserved-3y"};

gp_status gp_price_book_new(gp_arena *arena, gp_catalog *catalog, const gp_price_options *options,
                            gp_price_book **ret_book) {
    gp_price_book *book = GP_NEW(arena, gp_price_book);
    *ret_book = book;
    *book = (gp_price_book){.arena = arena, .catalog = catalog, .options = options};
    return gp_catalog_rows(catalog, GP_CATALOG_CLOUDS, &book->clouds, &book->cloud_count);
}

void gp_price_book_miss(gp_price_book *book, gp_price_miss miss) {
    book->misses[miss]++;
}

static const gp_cloud *cloud_of(const gp_price_book *book, const char *instance) {
    const gp_price_options *options = book->options;
    for (size_t i = 0; i < book->cloud_count; i++) {
        const gp_cloud *cloud = book->clouds[i];
        if (cloud->instance && cloud->provider && gp_str_equal_nocase(cloud->instance, instance) &&
            gp_str_equal_nocase(cloud->provider, options->provider))
            return cloud;
    }
    return NULL;
}

/* One price for one thing: of several, the lowest, whatever the order they come in. */
static gp_book_item *same_item(gp_price_book *book, const gp_book_item *item) {
    for (size_t i = 0; i < book->count; i++) {
        gp_book_item *other = &book->items[i];
        if (other->tier == item->tier && gp_str_equal(other->id, item->id) &&
            gp_str_equal(other->region, item->region))
            return other;
    }
    return NULL;
}

static gp_status add_item(gp_price_book *book, const gp_book_item *item) {
    gp_book_item *same = same_item(book, item);
    if (same) {
        same->per_hour = gp_num_min(same->per_hour, item->per_hour);
        return GP_OK;
    }
    if (book->count == ITEMS_MAX)
        return GP_ERR_LIMIT;
    GP_PUSH(book->arena, book->items, book->count, book->cap) = *item;
    return GP_OK;
}

gp_status gp_price_book_add(gp_price_book *book, const char *instance, const char *region, int tier,
                            double per_hour) {
    const gp_price_options *options = book->options;
    gp_book_item item = {.tier = tier, .per_hour = per_hour};
    const gp_cloud *cloud = cloud_of(book, instance);
    bool asked = !options->sku || gp_str_equal_nocase(options->sku, instance);
    if (!cloud || !asked) {
        gp_price_book_miss(book, GP_MISS_UNKNOWN);
    } else if (options->region && (!region || !gp_str_equal_nocase(options->region, region))) {
        gp_price_book_miss(book, GP_MISS_REGION);
    } else if (options->tier >= 0 && options->tier != tier) {
        gp_price_book_miss(book, GP_MISS_TIER);
    } else if (!(per_hour > 0) || per_hour > 1e6) {
        gp_price_book_miss(book, GP_MISS_ZERO);
    } else {
        item.id = cloud->id;
        item.region = region ? gp_arena_strndup(book->arena, region, strlen(region)) : NULL;
        return add_item(book, &item);
    }
    return GP_OK;
}

/* ---- the list */

/* By instance and region, the longest contract first. */
static int by_item(const void *a, const void *b, const void *context) {
    const gp_book_item *left = a, *right = b;
    int order = gp_str_compare(left->id, right->id);
    (void)context;
    if (order == 0)
        order = gp_str_compare(left->region, right->region);
    return order != 0 ? order : right->tier - left->tier;
}

static void write_item(gp_buf *buf, const gp_book_item *item, const char *currency) {
    gp_buf_str(buf, "  - {item: \"cloud:");
    gp_buf_str(buf, item->id);
    gp_buf_str(buf, "\", price: ");
    gp_buf_number(buf, item->per_hour, 0);
    gp_buf_printf(buf, " %s/h, term: %s", currency, tier_words[item->tier]);
    if (item->region) {
        gp_buf_str(buf, ", region: ");
        gp_yaml_scalar(buf, item->region, strlen(item->region));
    }
    gp_buf_str(buf, "}\n");
}

static gp_status write_payload(const gp_price_book *book, const char *source,
                               const char **ret_payload) {
    const char *currency = book->currency ? book->currency : "USD";
    gp_buf buf = GP_BUF(book->arena, TEXT_MAX);
    gp_buf_printf(&buf, "currency: %s\nsource: ", currency);
    gp_yaml_scalar(&buf, source, strlen(source));
    gp_buf_str(&buf, "\nitems:\n");
    for (size_t i = 0; i < book->count; i++)
        write_item(&buf, &book->items[i], currency);
    return gp_buf_finish(&buf, ret_payload, NULL);
}

static gp_status write_document(gp_arena *arena, const char *name, const char *date,
                                const char *payload, const char **ret_document) {
    gp_buf buf = GP_BUF(arena, 2 * TEXT_MAX);
    gp_buf_str(&buf, "apiVersion: gpuplan/v1\nkind: Prices\nmetadata:\n  name: ");
    gp_yaml_scalar(&buf, name, strlen(name));
    gp_buf_printf(&buf, "\n  annotations: {date: %s}\nspec:\n", date);
    for (const char *at = payload; *at;) {
        size_t len = strcspn(at, "\n");
        gp_buf_str(&buf, "  ");
        gp_buf_add(&buf, at, len);
        gp_buf_char(&buf, '\n');
        at += at[len] ? len + 1 : len;
    }
    return gp_buf_finish(&buf, ret_document, NULL);
}

static void write_notes(const gp_price_book *book, gp_price_list *ret) {
    static const char *const words[GP_MISS_COUNT] = {
        [GP_MISS_ZERO] = "zero or not stated",
        [GP_MISS_TIER] = "of another tier",
        [GP_MISS_REGION] = "of another region",
        [GP_MISS_WINDOWS] = "with a Windows licence",
        [GP_MISS_UNIT] = "not by the hour",
        [GP_MISS_UNKNOWN] = "of instances that were not asked for or that no catalogue row has",
    };
    GP_ROOM(book->arena, &ret->notes, GP_MISS_COUNT);
    for (int i = 0; i < GP_MISS_COUNT; i++) {
        if (book->misses[i] == 0)
            continue;
        GP_NEXT(ret->notes) = gp_arena_printf(book->arena, "%zu %s left out: %s", book->misses[i],
                                              book->misses[i] == 1 ? "price" : "prices", words[i]);
    }
}

gp_status gp_price_book_finish(gp_price_book *book, const char *name, const char *source,
                               const char *date, gp_price_list *ret_list) {
    *ret_list = (gp_price_list){.items = book->count};
    write_notes(book, ret_list);
    gp_sort(book->arena, book->items, book->count, sizeof *book->items, by_item, NULL);
    if (book->count == 0)
        return GP_ERR_NOT_FOUND;
    gp_status st = write_payload(book, source, &ret_list->payload);
    return st ? st
              : write_document(book->arena, name, date, ret_list->payload, &ret_list->document);
}
