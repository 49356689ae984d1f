/*
 * Reinforcement learning of a language model (GRPO, DAPO, PPO, online DPO): one step is a rollout,
 * scores of what came out of it, passes that only read it, updates, and the new weights back to the
 * engines. Each phase is priced by the estimators of serving and of training; what is added here is
 * the tail of the lengths, the order of the phases, and what lies in memory in each.
 */
#ifndef GP_ESTIMATE_RL_H
#define GP_ESTIMATE_RL_H

#include "estimate/estimate.h"

/* Lengths of what the policy writes: lognormal up to the most that it may write. */
typedef struct gp_rl_lengths {
    double mean;             /* of what comes out, cut or not */
    double spread;           /* standard deviation of the logarithm, before the cut */
    double most;             /* 0: no limit */
    double runaway_fraction; /* that does not end before the limit, whatever the law says */
} gp_rl_lengths;

enum { GP_RL_TAIL_PARTS = 32 };

/* The lengths of the sequences that are generated as one, once worked out. */
typedef struct gp_rl_tail {
    double sequences;                 /* of all engines; 0: not worked out */
    double mean, square;              /* of a length, and of its square */
    double width;                     /* tokens of a part of the longest */
    double goes_on[GP_RL_TAIL_PARTS]; /* share that is longer than the middle of each part */
} gp_rl_tail;

typedef struct gp_rl_job {
    const gp_train_job *policy; /* one optimizer update */
    const gp_serve_job *rollout;
    const gp_shape *reference; /* NULL: none, likewise the next two */
    const gp_shape *critic;    /* trained as the policy is */
    const gp_shape *reward;    /* a model that scores whole answers */
    double sequences;          /* trained on in one step: prompts x samples */
    double samples;            /* of one prompt */
    double drawn_factor;       /* sequences that are generated for each of those; 0: 1 */
    double prompt_tokens;
    gp_rl_lengths response;
    double tool_tokens;  /* read in one answer beside the prompt, between its turns */
    double tool_turns;   /* how often */
    double tool_s;       /* that an answer waits for all of them */
    double updates;      /* optimizer updates in one step; 0: 1 */
    bool reads_policy;   /* a pass of the policy before the first update */
    double lag;          /* steps by which the rollout may be ahead of the update; 0: none */
    double verify_s;     /* processor time that checks one answer */
    double verify_cores; /* of one machine, for that */
    /* What gp_rl_prepare works out of the lengths; 0: worked out each time. */
    double attended_tokens, update_longest;
    gp_rl_tail tails[2]; /* in turn, and ahead */
} gp_rl_job;

/* Where the phases run. Together all have the same GPUs, one after the other. */
typedef struct gp_rl_place {
    gp_layout layout;       /* of the updates, on all GPUs that train */
    gp_serve_layout engine; /* of one replica that generates */
    int64_t rollout_gpus;   /* of all replicas */
    bool together;
    bool stays;    /* together: training states stay on the GPU while tokens are made */
    int64_t nodes; /* machines of the whole job */
} gp_rl_place;

typedef enum gp_rl_phase {
    GP_RL_ROLLOUT,
    GP_RL_REWARD,    /* what of the scores is not hidden behind the rollout */
    GP_RL_LOGPROB,   /* the policy reads its answers before the first update */
    GP_RL_REFERENCE, /* the reference reads them */
    GP_RL_VALUES,    /* the critic reads them */
    GP_RL_UPDATE,
    GP_RL_CRITIC,
    GP_RL_REFIT,  /* new weights to the engines */
    GP_RL_SWITCH, /* states in and out of the GPUs that both phases share */
    GP_RL_OTHER,  /* data, advantages, logging */
    GP_RL_PHASE_COUNT
} gp_rl_phase;

typedef struct gp_rl_time {
    double step_s;
    double phase_s[GP_RL_PHASE_COUNT]; /* apart they overlap: their sum is more than the step */
    double wait_s;                     /* apart: that one side waits for the other */
    double rollout_fraction;           /* of the step, as far as it shows */
    double tail_s;                     /* of the rollout, once half of its sequences are done */
    double engine_batch;               /* sequences of one replica at the start */
    double tokens;                     /* of all sequences that are trained on */
    double tokens_per_s;
    gp_train_time update; /* of one update */
    double read_s;        /* one pass of the policy over all sequences */
} gp_rl_time;

/* What lies on one GPU in each phase; apart, each kind of GPUs has its own. */
typedef struct gp_rl_memory {
    gp_serve_memory rollout;
    gp_memory update;
    double others_bytes; /* of the update's GPU: reference and critic, and what the engine leaves */
    double away_bytes;   /* in host memory, per GPU, while others have the GPU */
    double short_bytes;  /* of the worst phase; 0: all fit */
} gp_rl_memory;

/* Works out once what every step of the job asks of its lengths. */
void gp_rl_prepare(gp_rl_job *job);
/* The longest of so many sequences, and the mean of what comes out. */
double gp_rl_longest(const gp_rl_lengths *lengths, double sequences);
/* Tokens that one sequence attends to on average, weighted by its tokens: E[l^2] / E[l]. */
double gp_rl_attended(const gp_rl_job *job);
/* Tokens of all sequences of a step, prompts with them. */
double gp_rl_tokens(const gp_rl_job *job);

/* `rollout` is the machine that generates with what it has of memory for that. */
void gp_rl_memory_of(const gp_rl_job *job, const gp_machine *machine, const gp_rl_place *place,
                     const gp_constants *constants, double headroom_fraction, gp_trace *trace,
                     gp_rl_memory *ret);
/* The rollout alone: `gpus` of replicas of a layout, whose memory is known; HUGE_VAL where it does
 * not run. And what it takes at the least, which is soon worked out. */
double gp_rl_rollout_s(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                       const gp_serve_layout *layout, int64_t gpus, const gp_serve_memory *memory,
                       const gp_constants *constants, gp_rl_time *ret);
double gp_rl_rollout_least_s(const gp_rl_job *job, const gp_machine *machine,
                             const gp_network *network, const gp_serve_layout *layout, int64_t gpus,
                             const gp_serve_memory *memory, const gp_constants *constants);
/* The whole step. */
void gp_rl_step_time(const gp_rl_job *job, const gp_machine *machine, const gp_network *network,
                     const gp_rl_place *place, const gp_rl_memory *memory,
                     const gp_constants *constants, gp_trace *trace, gp_rl_time *ret);
/* Half width of the band of a step at the 80th percentile. */
double gp_rl_band(const gp_rl_job *job, const gp_constants *constants);

/* ---- what the files of reinforcement learning share */

/* The longest sequence of one update, its prompt with it. */
double gp_rl_update_longest(const gp_rl_job *job);

#endif
