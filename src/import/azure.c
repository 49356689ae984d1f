/* Pages of the Azure Retail Prices API. Tiers are told by words in the name of the SKU, Windows by
 * one in the product's; a reservation has the price of its whole term. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/prices.h"
#include "schema/diag_ids.h"
#include "source/json_answer.h"

enum { HOURS_OF_A_YEAR = 8760, PAGE_NODES = 400000 };

static const char *text_at(const gp_node *item, const char *key) {
    const gp_node *node = gp_node_get(item, key);
    return node && node->kind == GP_NODE_SCALAR && !gp_node_is_null(node) ? node->text : "";
}

static double price_of(const gp_node *item) {
    const char *text = text_at(item, "retailPrice");
    double value = 0;
    if (*text == '\0')
        text = text_at(item, "unitPrice");
    return gp_num_parse(text, strlen(text), &value) ? value : 0;
}

/* The tier, and the hours that the price is for; -1: none that is sold by the hour or the year. */
static int tier_of(const gp_node *item, double *ret_hours) {
    const char *sku = text_at(item, "skuName"), *type = text_at(item, "type");
    const char *term = text_at(item, "reservationTerm");
    *ret_hours = 1;
    if (gp_str_equal(type, "Reservation")) {
        bool one = gp_str_equal(term, "1 Year"), three = gp_str_equal(term, "3 Years");
        *ret_hours = one ? HOURS_OF_A_YEAR : 3.0 * HOURS_OF_A_YEAR;
        return one ? GP_TIER_RESERVED_1Y : three ? GP_TIER_RESERVED_3Y : -1;
    }
    if (*type != '\0' && !gp_str_equal(type, "Consumption"))
        return -1;
    return strstr(sku, " Spot")           ? GP_TIER_SPOT
           : strstr(sku, " Low Priority") ? GP_TIER_LOW_PRIORITY
                                          : GP_TIER_ON_DEMAND;
}

static gp_status add_item(gp_price_book *book, const gp_node *item) {
    const char *product = text_at(item, "productName"), *unit = text_at(item, "unitOfMeasure");
    const char *region = text_at(item, "armRegionName");
    double hours = 1;
    int tier = tier_of(item, &hours);
    if (strstr(product, " Win")) {
        gp_price_book_miss(book, GP_MISS_WINDOWS);
        return GP_OK;
    }
    if (tier < 0 || strstr(product, "Cloud Services") ||
        (*unit != '\0' && !gp_str_equal(unit, "1 Hour"))) {
        gp_price_book_miss(book, tier < 0 ? GP_MISS_TIER : GP_MISS_UNIT);
        return GP_OK;
    }
    return gp_price_book_add(book, text_at(item, "armSkuName"), *region ? region : NULL, tier,
                             price_of(item) / hours);
}

static bool is_currency(const char *text) {
    return strlen(text) == 3 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
}

static gp_status check_envelope(gp_price_book *book, const gp_node *root, gp_diags *diags,
                                const gp_node **ret_items) {
    const gp_node *items = gp_node_get(root, "Items");
    const char *currency = text_at(root, "BillingCurrency");
    *ret_items = items;
    if (!items || items->kind != GP_NODE_SEQ || !is_currency(currency)) {
        gp_diags_error(diags, GP_ID_WRONG_TYPE, root->span, "BillingCurrency and a list of Items",
                       NULL, "this is no page of the Azure Retail Prices API");
        return GP_ERR_INPUT;
    }
    if (book->currency && !gp_str_equal(book->currency, currency)) {
        gp_diags_error(diags, GP_ID_INCONSISTENT, root->span, "pages in one currency", NULL,
                       "a page is in %s, one before it in %s", currency, book->currency);
        return GP_ERR_INPUT;
    }
    book->currency = currency;
    return GP_OK;
}

gp_status gp_price_azure_add(gp_price_book *book, const gp_text *page, gp_diags *diags,
                             const char **ret_next) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    const gp_node *root = NULL;
    const gp_node *items = NULL;
    *ret_next = NULL;
    limits.max_nodes = limits.max_expanded_nodes = PAGE_NODES;
    gp_status st = gp_json_answer_read(book->arena, page, &limits, diags, &root);
    if (!st)
        st = check_envelope(book, root, diags, &items);
    for (size_t i = 0; !st && i < items->count; i++)
        if (items->items[i]->kind == GP_NODE_MAP)
            st = add_item(book, items->items[i]);
    if (!st) {
        const char *next = text_at(root, "NextPageLink");
        *ret_next = *next ? next : NULL;
    }
    return st;
}
