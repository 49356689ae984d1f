/*
 * What the terms of reinforcement learning mean. Symbols: n sequences of a step, u updates.
 */
#include "report/term_texts.h"

#define PHASES   "phases of verl, NeMo RL and OpenRLHF"
#define PHYSICS  "definition"
#define LENGTHS  "lognormal law, cut at the limit"
#define MEASURED "published weight transfers of NeMo RL"

const gp_term_text gp_term_texts_rl[] = {
    {GP_TERM_RL_TOKENS, "prompts x samples x (prompt + response)", PHYSICS},
    {GP_TERM_RL_LONGEST, "length that half a sequence of all is longer than", LENGTHS},
    {GP_TERM_RL_ROLLOUT_TIME,
     "prompts read once each + sum over token after token of the decode step of those that are "
     "still running, until the longest of all engines is done",
     LENGTHS},
    {GP_TERM_RL_REWARD_TIME,
     "forward pass of the reward model, or processor time beyond the rollout", PHYSICS},
    {GP_TERM_RL_LOGPROB_TIME, "forward pass of the policy over all sequences", PHASES},
    {GP_TERM_RL_REFERENCE_TIME, "forward pass of the reference over all sequences", PHASES},
    {GP_TERM_RL_VALUES_TIME, "forward pass of the critic over all sequences", PHASES},
    {GP_TERM_RL_UPDATE_TIME,
     "u training steps of n / u packed sequences; a rank has the longest of them at least", PHASES},
    {GP_TERM_RL_CRITIC_TIME, "the same of the critic", PHASES},
    {GP_TERM_RL_REFIT_TIME,
     "fixed time + bytes / share of the bandwidth: the whole model where engines share their GPUs "
     "with training, else what a GPU of an engine holds",
     MEASURED},
    {GP_TERM_RL_SWITCH_TIME, "states out and in over the bus of the host", PHYSICS},
    {GP_TERM_RL_OTHER_TIME, "share of the phases", PHASES},
    {GP_TERM_RL_COMMUNICATION_TIME, "of one update, times the updates of a step", PHYSICS},
    {GP_TERM_RL_STEP_TIME,
     "sum of the phases; where rollouts run ahead on GPUs of their own, the longer of rollout and "
     "training + weight transfer",
     PHASES},
    {GP_TERM_RL_TOKENS_PER_S, "tokens of a step / its time", PHYSICS},
    {GP_TERM_RL_ROLLOUT_SHARE, "rollout / step", PHYSICS},
};
const size_t gp_term_texts_rl_count = sizeof gp_term_texts_rl / sizeof gp_term_texts_rl[0];
