/*
 * Policies of a run: the Policy documents among its inputs, and the files of --policy.
 */
#include "cli/flow.h"

static gp_exit out_of_memory(gp_cli *cli) {
    return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
}

static gp_exit add_policies(gp_cli *cli, const gp_spec *spec, gp_policy_list *list) {
    if (spec->policies.count == 0) {
        return GP_EXIT_YES;
    }
    const gp_policy **items =
        GP_NEW_ARRAY(cli->arena, const gp_policy *, list->count + spec->policies.count);
    if (items == NULL) {
        return out_of_memory(cli);
    }
    for (size_t i = 0; i < list->count; i++) {
        items[i] = list->items[i];
    }
    for (size_t i = 0; i < spec->policies.count; i++) {
        items[list->count + i] = spec->policies.items[i];
    }
    list->items = items;
    list->count += spec->policies.count;
    return GP_EXIT_YES;
}

static gp_exit read_policy(gp_flow *flow, const char *path, gp_policy_list *list) {
    gp_cli *cli = flow->cli;
    gp_spec spec = {.plans = {0}};
    gp_text *text = NULL;
    gp_exit code = gp_file_read(cli, path, &text);
    if (code != GP_EXIT_YES) {
        return code;
    }
    gp_status st = gp_spec_read(cli->arena, text, NULL, 0, &flow->diags, &spec);
    if (st != GP_OK || flow->diags.errors > 0) {
        return gp_status_exit(cli, st, &flow->diags);
    }
    if (spec.policies.count == 0) {
        return gp_complain(cli, GP_EXIT_INPUT, "%s holds no document of kind Policy", path);
    }
    return add_policies(cli, &spec, list);
}

gp_exit gp_policies_read(gp_flow *flow, gp_policy_list *ret_list) {
    gp_cli *cli = flow->cli;
    gp_exit code = add_policies(cli, &flow->spec, ret_list);
    for (size_t i = 0; code == GP_EXIT_YES && i < cli->settings.policies.count; i++) {
        code = read_policy(flow, cli->settings.policies.items[i], ret_list);
    }
    return code;
}
