/* Resolution of reinforcement learning: the models beside the policy, what the algorithm implies,
 * and the run as training sees it: tokens, steps and lengths. */
#include "base/num.h"
#include "model/fields.h"
#include "model/resolve.h"
#include "schema/bind.h"

static const struct {
    bool reference, critic;
} implied[GP_RL_ALGORITHM_COUNT] = {
    [GP_RL_GRPO] = {.reference = true},
    [GP_RL_DAPO] = {.reference = false},
    [GP_RL_PPO] = {.reference = true, .critic = true},
    [GP_RL_ONLINE_DPO] = {.reference = true},
};

#define DEFAULT_TO(object, type, member, value)                                                    \
    do {                                                                                           \
        if (!GP_GIVEN(object, type, member)) {                                                     \
            (object)->member = (value);                                                            \
            gp_origin_derive(&(object)->meta, offsetof(type, member));                             \
        }                                                                                          \
    } while (0)

static void derive_words(gp_rl_spec *rl) {
    DEFAULT_TO(rl, gp_rl_spec, reference, implied[rl->algorithm].reference);
    DEFAULT_TO(rl, gp_rl_spec, reads_policy, true);
    if (rl->prompts > 0 && rl->prompts_per_step > 0)
        DEFAULT_TO(rl, gp_rl_spec, steps, rl->prompts * rl->epochs / rl->prompts_per_step);
}

static gp_status resolve_models(gp_resolver *r, gp_workload *workload, bool *ret_ok) {
    gp_rl_spec *rl = &workload->rl;
    gp_status st = GP_OK;
    if (GP_GIVEN(rl, gp_rl_spec, critic)) {
        st = gp_resolve_model(r, "critic", &rl->critic, ret_ok);
    } else if (implied[rl->algorithm].critic) {
        rl->critic = workload->model;
    }
    if (!st && GP_GIVEN(&rl->reward, gp_rl_reward, model))
        st = gp_resolve_model(r, "reward", &rl->reward.model, ret_ok);
    return st;
}

static void set_data(gp_data *data, size_t offset, double value) {
    double *member = (double *)(void *)((char *)data + offset);
    *member = value;
    gp_origin_derive(&data->meta, offset);
}

/* Updates train on whole answers, packed into sequences as long as the longest of them. */
static void derive_run(gp_workload *workload) {
    const gp_rl_spec *rl = &workload->rl;
    double tools = (gp_num_max(rl->turns, 1) - 1) * rl->tool_tokens;
    double answer = rl->prompt_tokens.mean + rl->response_tokens.mean + tools;
    double tokens = rl->prompts_per_step * rl->samples_per_prompt * answer;
    double most = gp_num_max(rl->response_tokens.peak, rl->response_tokens.mean);
    double updates = gp_num_max(rl->updates_per_step, 1);
    double longest = gp_num_max(rl->prompt_tokens.peak, rl->prompt_tokens.mean) + most + tools;
    set_data(&workload->data, offsetof(gp_data, tokens_per_sample), answer);
    set_data(&workload->data, offsetof(gp_data, tokens), tokens * rl->steps);
    set_data(&workload->data, offsetof(gp_data, sequence_length), longest);
    set_data(&workload->data, offsetof(gp_data, global_batch), tokens / updates);
}

gp_status gp_resolve_rl(gp_resolver *r, gp_workload *workload, bool *ret_ok) {
    gp_rl_spec *rl = &workload->rl;
    gp_defaults_fill(r->arena, r->diags, rl);
    gp_mean_derive(&rl->prompt_tokens);
    gp_mean_derive(&rl->response_tokens);
    derive_words(rl);
    gp_status st = resolve_models(r, workload, ret_ok);
    if (!st)
        derive_run(workload);
    return st;
}
