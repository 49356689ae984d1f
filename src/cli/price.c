/*
 * The `price` command: prices of cloud instances, from the Azure Retail Prices API or a catalogue
 * of SkyPilot, as a Prices document and an entry of the lock.
 */
#include <string.h>

#include "cli/http.h"
#include "cli/locks.h"
#include "import/import.h"

enum { PAGES_MAX = 100, PAGE_BYTES = 4 * 1024 * 1024, TIER_ALL = GP_TIER_COUNT };

static const char *const actions[] = {"azure", "skypilot", NULL};
static const char *const tiers[] = {
    "on-demand", "spot", "low-priority", "reserved-1y", "reserved-3y", "all", NULL};

static const gp_opt price_options[] = {
    GP_TEXT("region", region, "REGION",
            "Region of the prices, by the name the provider uses. Required."),
    GP_WORD("tier", tier, "TIER", tiers, "Contract of the prices (default: on-demand)."),
    GP_TEXT("sku", sku, "TYPE", "Only this instance type, such as Standard_ND96isr_H200_v5."),
    GP_TEXT("provider", provider, "NAME", "Cloud of a SkyPilot catalogue: aws, azure, gcp, ..."),
    GP_TEXT("name", name, "NAME",
            "Name of the price list, for costs.prices: [lock:NAME]; default: azure-REGION or "
            "skypilot-PROVIDER-REGION."),
    GP_TEXT("url", url, "URL", "Address of the Azure API (default: https://prices.azure.com/)."),
    GP_OPTIONS_FETCHED,
    GP_OPTIONS_HTTP,
};

/* A price list on its way. */
typedef struct pricing {
    gp_cli *cli;
    gp_diags diags;
    gp_price_options options;
    gp_price_book *book;
    const char *name, *source;
    gp_lock_source sources[PAGES_MAX];
    size_t source_count;
} pricing;

/* A word that goes into addresses and names. */
static bool is_word(const char *text) {
    return *text != '\0' && strlen(text) <= 64 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
               strlen(text);
}

static void check_words(pricing *p) {
    const gp_settings *settings = &p->cli->settings;
    const struct {
        const char *option, *value;
    } words[] = {
        {"region", settings->region},
        {"sku", settings->sku},
        {"provider", settings->provider},
        {"name", settings->name},
    };
    for (size_t i = 0; i < GP_COUNT_OF(words); i++)
        if (words[i].value != NULL && !is_word(words[i].value))
            gp_complain(p->cli, GP_EXIT_USAGE, "--%s: expected letters, digits and . _ -",
                        words[i].option);
    if (settings->region == NULL)
        gp_complain_hint(p->cli, GP_EXIT_USAGE, "for example --region eastus",
                         "--region is required: prices differ by region");
}

static void open_book(pricing *p, const char *provider) {
    gp_cli *cli = p->cli;
    gp_catalog *catalog = NULL;
    const gp_settings *settings = &cli->settings;
    int tier = settings->tier > 0 ? settings->tier - 1 : (int)GP_TIER_ON_DEMAND;
    p->options = (gp_price_options){.provider = provider,
                                    .region = settings->region,
                                    .sku = settings->sku,
                                    .tier = tier == TIER_ALL ? -1 : tier};
    gp_diags_init(&p->diags, cli->arena);
    gp_status st = gp_catalog_open(cli->arena, &p->diags, &catalog);
    st = gp_price_book_new(cli->arena, catalog, &p->options, &p->book);
    gp_check(cli, st, &p->diags);
}

/* Fetches `url`, remembering its digest, as a text called `name`. */
static gp_text *fetch(pricing *p, const char *url, const char *name) {
    gp_cli *cli = p->cli;
    gp_http_answer answer = {.status = 0};
    gp_http_request request = {.url = url, .max_bytes = PAGE_BYTES};
    gp_http_get(cli, &request, &answer);
    p->sources[p->source_count++] = gp_http_source(cli, url, &answer);
    gp_text *text = NULL;
    gp_check(cli, gp_text_init(cli->arena, name, answer.body, answer.len, &text), NULL);
    return text;
}

/* What came over the line and cannot be read is the environment's fault. */
static void check_answer(pricing *p, gp_status st, const char *url) {
    if (st != GP_ERR_INPUT && st != GP_ERR_LIMIT) {
        gp_check(p->cli, st, NULL);
        return;
    }
    gp_tell_diags(p->cli, &p->diags);
    gp_complain(p->cli, GP_EXIT_ENVIRONMENT, "the answer of %s has no prices",
                gp_url_shown(p->cli->arena, url));
}

/* ---- Azure */

static const char *azure_address(const pricing *p) {
    const gp_settings *settings = &p->cli->settings;
    gp_buf page = GP_PAGE(p->cli->arena);
    const char *base =
        settings->url != NULL ? settings->url : "https://prices.azure.com/api/retail/prices";
    bool reserved = p->options.tier < 0 || p->options.tier >= GP_TIER_RESERVED_1Y;
    gp_buf_printf(&page,
                  "%s?api-version=2023-01-01-preview&$filter=serviceName%%20eq%%20'Virtual%%20"
                  "Machines'%%20and%%20armRegionName%%20eq%%20'%s'",
                  base, settings->region);
    if (!reserved)
        gp_buf_str(&page, "%20and%20priceType%20eq%20'Consumption'");
    if (settings->sku != NULL) {
        gp_buf_printf(&page, "%%20and%%20armSkuName%%20eq%%20'%s'", settings->sku);
    } else {
        gp_buf_str(&page, "%20and%20contains(armSkuName,'Standard_N')");
    }
    return page.data;
}

/* Blanks and quotes as the API writes them in NextPageLink are not for the line. */
static const char *next_address(const pricing *p, const char *next) {
    gp_buf page = GP_PAGE(p->cli->arena);
    for (const char *c = next; *c != '\0'; c++) {
        if (*c == ' ') {
            gp_buf_str(&page, "%20");
        } else {
            gp_buf_char(&page, *c);
        }
    }
    return page.data;
}

static void read_pages(pricing *p, const char *first) {
    gp_cli *cli = p->cli;
    for (const char *url = first; url != NULL;) {
        const char *next = NULL;
        if (p->source_count == PAGES_MAX)
            gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s has more than %d pages",
                        gp_url_shown(cli->arena, first), (int)PAGES_MAX);
        const gp_text *text = fetch(p, url, "the page of prices");
        check_answer(p, gp_price_azure_add(p->book, text, &p->diags, &next), url);
        url = next == NULL ? NULL : next_address(p, next);
        if (url != NULL && (!gp_url_is_web(url) || !gp_url_same_origin(url, first)))
            gp_complain(cli, GP_EXIT_ENVIRONMENT,
                        "the next page of %s is at another address: refused",
                        gp_url_shown(cli->arena, first));
    }
}

static void price_azure(pricing *p) {
    gp_cli *cli = p->cli;
    open_book(p, "azure");
    const char *base = cli->settings.url;
    if (base != NULL && (!gp_url_is_web(base) || strpbrk(base, "?#") != NULL))
        gp_complain(cli, GP_EXIT_USAGE, "--url: expected an address without a query");
    const char *first = azure_address(p);
    p->name = gp_arena_printf(cli->arena, "azure-%s", cli->settings.region);
    p->source =
        gp_arena_printf(cli->arena, "Azure Retail Prices API, region %s", cli->settings.region);
    read_pages(p, first);
}

/* ---- SkyPilot */

static void price_skypilot(pricing *p, const char *from) {
    gp_cli *cli = p->cli;
    const char *provider = cli->settings.provider;
    bool web = strstr(from, "://") != NULL;
    if (provider == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --provider aws",
                         "--provider is required: the file does not name its cloud");
    open_book(p, provider);
    gp_text *text = web ? fetch(p, from, "vms.csv") : gp_file_read(cli, from);
    if (!web)
        p->sources[p->source_count++] = (gp_lock_source){
            .url = gp_arena_printf(cli->arena, "file:%s", from),
            .sha256 = gp_lock_digest_bytes(cli->arena, text->data, text->len),
            .bytes = (int64_t)text->len,
        };
    gp_status st = gp_price_skypilot_add(p->book, text, &p->diags);
    if (web)
        check_answer(p, st, from);
    gp_check(cli, st, &p->diags);
    p->name = gp_arena_printf(cli->arena, "skypilot-%s-%s", provider, cli->settings.region);
    p->source = gp_arena_printf(cli->arena, "SkyPilot catalogue of %s, region %s", provider,
                                cli->settings.region);
}

/* ---- the list */

static void finish(pricing *p) {
    gp_cli *cli = p->cli;
    gp_price_list list;
    const char *date = gp_day_text(cli->arena, gp_day_find(cli));
    const char *name = cli->settings.name != NULL ? cli->settings.name : p->name;
    gp_status st = gp_price_book_finish(p->book, name, p->source, date, &list);
    if (st == GP_OK || st == GP_ERR_NOT_FOUND)
        gp_notes_print(cli, list.notes.items, list.notes.count);
    if (st == GP_ERR_NOT_FOUND)
        gp_complain(cli, GP_EXIT_INPUT,
                    "no instance of the catalogue has a price in it (%s, region %s)",
                    p->options.provider, p->options.region);
    gp_check(cli, st, &p->diags);
    gp_lock_new entry = {.name = name,
                         .date = date,
                         .sources = p->sources,
                         .source_count = p->source_count,
                         .kind = "prices",
                         .payload = list.payload};
    gp_fetched_write(cli, list.document, &entry);
}

static void run_price(gp_cli *cli) {
    const gp_words *operands = &cli->settings.operands;
    pricing *p = GP_NEW(cli->arena, pricing);
    p->cli = cli;
    bool azure = strcmp(operands->items[0], "azure") == 0 && operands->count == 1;
    bool skypilot = strcmp(operands->items[0], "skypilot") == 0 && operands->count == 2;
    if (!azure && !skypilot)
        gp_complain_hint(cli, GP_EXIT_USAGE, "usage: gpuplan price azure | skypilot FILE|URL",
                         "'%s' is not a price source", operands->items[0]);
    if (cli->settings.outputs.count > 1)
        gp_complain(cli, GP_EXIT_USAGE, "--output is given twice");
    check_words(p);
    azure ? price_azure(p) : price_skypilot(p, operands->items[1]);
    finish(p);
}

const gp_command gp_command_price = {
    .name = "price",
    .operands = "azure | skypilot FILE|URL",
    .min_operands = 1,
    .max_operands = 2,
    .summary = "Fetch prices of cloud instances as a price list.",
    .details = "azure asks the Azure Retail Prices API; skypilot reads a catalogue of SkyPilot "
               "(vms.csv), a file or an address. Prices of instances in the catalogue become a "
               "Prices document and an entry of gpuplan.lock, to be used with costs.prices: "
               "[lock:NAME]. Windows licences are left out, tiers are kept separate, and a zero "
               "price counts as missing; omissions are counted on standard error.",
    .examples = "  gpuplan price azure --region eastus\n"
                "  gpuplan price azure --region eastus --tier spot -o spot.yaml\n"
                "  gpuplan price skypilot vms.csv --provider aws --region us-east-1\n",
    GP_OPTIONS(price_options),
    .words = actions,
    .run = run_price,
};
