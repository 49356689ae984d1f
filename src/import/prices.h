/* Prices as they gather, before they become a list. */
#ifndef GP_IMPORT_PRICES_H
#define GP_IMPORT_PRICES_H

#include "base/buf.h"
#include "import/import.h"

/* Why a row of a source is not in the list; each is counted and told. */
typedef enum gp_price_miss {
    GP_MISS_ZERO,    /* no price, or zero */
    GP_MISS_TIER,    /* another tier */
    GP_MISS_REGION,  /* another region */
    GP_MISS_WINDOWS, /* with a licence of Windows */
    GP_MISS_UNIT,    /* not by the hour */
    GP_MISS_UNKNOWN, /* no instance of the catalogue */
    GP_MISS_COUNT
} gp_price_miss;

typedef struct gp_book_item {
    const char *id;     /* of the cloud row */
    const char *region; /* may be NULL */
    int tier;
    double per_hour;
} gp_book_item;

struct gp_price_book {
    gp_arena *arena;
    gp_catalog *catalog;
    const gp_price_options *options;
    const char *currency; /* NULL: none met yet */
    gp_book_item *items;
    size_t count, cap;
    size_t misses[GP_MISS_COUNT];
    const void *const *clouds; /* rows of the catalogue */
    size_t cloud_count;
};

/* Adds a price per hour of an instance, or counts why not. */
gp_status gp_price_book_add(gp_price_book *book, const char *instance, const char *region, int tier,
                            double per_hour);
void gp_price_book_miss(gp_price_book *book, gp_price_miss miss);

#endif
