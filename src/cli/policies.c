/*
 * Policies of a run: the Policy documents among its inputs, and the files of --policy.
 */
#include "cli/flow.h"

void gp_policies_read(gp_flow *flow, gp_policy_list *ret_list) {
    const size_t own = flow->spec.policies.count;
    const size_t flags = flow->flag_policies.count;
    const gp_policy **items = GP_NEW_ARRAY(flow->cli->arena, const gp_policy *, own + flags + 1);
    for (size_t i = 0; i < own; i++)
        items[i] = flow->spec.policies.items[i];
    for (size_t i = 0; i < flags; i++)
        items[own + i] = flow->flag_policies.items[i];
    ret_list->items = items;
    ret_list->count = own + flags;
}
