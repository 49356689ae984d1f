/* Results that have forms of their own (simulate, observe, sweep): the outputs asked for are
 * checked before any work, and written whole or not at all. */
#ifndef GP_CLI_RESULTS_H
#define GP_CLI_RESULTS_H

#include "render/forms.h"

#include "cli/cli.h"

typedef struct gp_result_kind {
    const gp_forms *forms;  /* the default first */
    const char *extensions; /* ".txt, .json or .md" */
    bool streamed;          /* it may be larger than memory */
} gp_result_kind;

void gp_results_check(gp_cli *cli, const gp_result_kind *kind);
/* Files first, then standard output in `form` (1 + index; 0: not given). */
void gp_results_write(gp_cli *cli, const gp_result_kind *kind, int form, const void *result);

#endif
