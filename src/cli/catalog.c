/*
 * The `catalog` command: what the catalogue holds, where a row's figures come from, and whether a
 * catalogue file is sound.
 */
#include "cli/catalog.h"

#include <string.h>

#include "cli/flow.h"

static const char *const forms[] = {"text", "json", NULL};
enum { FORM_JSON = 2 };
static const char *const actions[] = {"list", "show", "lint", NULL};

static const gp_opt catalog_options[] = {
    GP_FORM(forms, "Form on standard output: text or json."),
    GP_TEXT("grep", grep, "WORD",
            "List only rows with this word in their id or aliases; case is ignored."),
    GP_OPTION_CATALOG,
};

/* gpu -> gpus, switch -> switches, efficiency -> efficiencies. */
static int kind_of_singular(gp_arena *arena, const char *name) {
    size_t len = strlen(name);
    const char *const tries[] = {
        gp_arena_printf(arena, "%ss", name),
        gp_arena_printf(arena, "%ses", name),
        len == 0 ? NULL : gp_arena_printf(arena, "%.*sies", (int)len - 1, name),
    };
    for (size_t i = 0; i < GP_COUNT_OF(tries); i++) {
        int kind = tries[i] == NULL ? -1 : gp_catalog_kind_named(tries[i]);
        if (kind >= 0)
            return kind;
    }
    return -1;
}

/* "gpus", "gpu" -> kind; complains where there is none. */
static gp_catalog_kind parse_kind(gp_cli *cli, const char *name) {
    int kind = gp_catalog_kind_named(name);
    if (kind < 0)
        kind = kind_of_singular(cli->arena, name);
    if (kind >= 0)
        return (gp_catalog_kind)kind;
    gp_buf page = GP_PAGE(cli->arena);
    gp_buf_str(&page, "one of: ");
    for (int i = 0; i < GP_CATALOG_KIND_COUNT; i++) {
        gp_buf_str(&page, i == 0 ? "" : ", ");
        gp_buf_str(&page, gp_catalog_kind_name((gp_catalog_kind)i));
    }
    gp_complain_hint(cli, GP_EXIT_USAGE, page.data, "no row kind '%s'", name);
}

static void run_action(gp_catalog_view *view) {
    gp_cli *cli = view->cli;
    const gp_words *words = &cli->settings.operands;
    const char *action = words->items[0];
    if (strcmp(action, "lint") == 0) {
        const gp_words files = {.count = words->count - 1, .items = words->items + 1};
        gp_catalogs_add(cli, view->catalog, &view->diags, &files);
        gp_catalog_lint(view);
        return;
    }
    if (strcmp(action, "list") == 0 && words->count == 1) {
        gp_catalog_list_kinds(view);
        return;
    }
    if (strcmp(action, "list") == 0 && words->count == 2) {
        gp_catalog_list(view, parse_kind(cli, words->items[1]));
        return;
    }
    if (strcmp(action, "show") == 0 && words->count == 3) {
        gp_catalog_show(view, parse_kind(cli, words->items[1]), words->items[2]);
        return;
    }
    const char *nearest = gp_nearest(action, actions);
    const char *usage = "usage: gpuplan catalog list [KIND] | show KIND ID | lint [FILE...]";
    bool known = nearest != NULL && strcmp(nearest, action) == 0;
    if (known)
        gp_complain_hint(cli, GP_EXIT_USAGE, usage, "'%s' has wrong operands", action);
    gp_complain_hint(cli, GP_EXIT_USAGE, usage, "'%s' is not list, show or lint", action);
}

static void run_catalog(gp_cli *cli) {
    gp_catalog_view view = {.cli = cli, .json = cli->settings.form == FORM_JSON};
    gp_diags_init(&view.diags, cli->arena);
    gp_catalog_open(cli->arena, &view.diags, &view.catalog);
    gp_catalogs_add(cli, view.catalog, &view.diags, &cli->settings.catalogs);
    run_action(&view);
}

const gp_command gp_command_catalog = {
    .name = "catalog",
    .operands = "list [KIND] | show KIND ID | lint [FILE...]",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "List, show and check catalogue rows and their sources.",
    .details = "list prints the kinds of rows, or the rows of a kind with their key figures; show "
               "prints every figure of a row with its source and marks those not read at a primary "
               "source; lint checks the catalogue together with the given files.",
    .examples = "  gpuplan catalog list gpus --grep h200\n"
                "  gpuplan catalog show system dgx-h200\n"
                "  gpuplan catalog lint ours.yaml\n",
    GP_OPTIONS(catalog_options),
    .words = actions,
    .run = run_catalog,
};
