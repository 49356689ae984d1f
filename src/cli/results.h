/* Results that have forms of their own (simulate, observe, sweep): the outputs asked for are
 * checked before any work, and written whole or not at all. */
#ifndef GP_CLI_RESULTS_H
#define GP_CLI_RESULTS_H

#include "render/forms.h"

#include "cli/cli.h"

typedef struct gp_result_kind {
    const char *const *forms; /* of --format, the default first */
    const char *extensions;   /* ".txt, .json or .md" */
    const char *(*form_for_file)(const char *path);
    gp_status (*render)(gp_arena *arena, const char *form, const void *result,
                        const gp_render_options *options, const char **ret_text, size_t *ret_len);
} gp_result_kind;

gp_exit gp_results_check(gp_cli *cli, const gp_result_kind *kind);
/* Files first, then standard output in `form` (1 + index; 0: not given). */
gp_exit gp_results_write(gp_cli *cli, const gp_result_kind *kind, int form, const void *result);

#endif
