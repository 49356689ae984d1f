/* The parts of the `catalog` command. */
#ifndef GP_CLI_CATALOG_H
#define GP_CLI_CATALOG_H

#include "catalog/catalog.h"
#include "cli/cells.h"
#include "cli/cli.h"

/* A catalogue with the files of --catalog and of `files` (may be NULL) laid over it. */
typedef struct gp_catalog_view {
    gp_cli *cli;
    gp_catalog *catalog;
    gp_diags diags;
    bool json;
} gp_catalog_view;

void gp_catalog_list_kinds(gp_catalog_view *view);
void gp_catalog_list(gp_catalog_view *view, gp_catalog_kind kind);
void gp_catalog_show(gp_catalog_view *view, gp_catalog_kind kind, const char *id);
void gp_catalog_lint(gp_catalog_view *view);

#endif
