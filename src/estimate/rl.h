/* What the files of reinforcement learning share. */
#ifndef GP_ESTIMATE_RL_H
#define GP_ESTIMATE_RL_H

#include <gpuplan/rl.h>

/* The update with sequences packed evenly: of all GPUs each has the same number of packs, none
 * longer than one training sequence. */
gp_train_job gp_rl_packed(const gp_rl_job *job, const gp_layout *layout);

/* The longest sequence of one update, its prompt with it. */
double gp_rl_update_longest(const gp_rl_job *job);

#endif
