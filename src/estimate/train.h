/* A training layout worked out: what one GPU holds and how often it works. Shared by the memory and
 * the time of a step. All sizes are per GPU. */
#ifndef GP_ESTIMATE_TRAIN_H
#define GP_ESTIMATE_TRAIN_H

#include "estimate/estimate.h"

typedef struct gp_train_split {
    double tp, pp, vpp, dp, cp, ep; /* the layout, as doubles */
    double tokens;                  /* per GPU and micro-batch */
    double micro_batches;           /* per step and pipeline */
    double stage_layers;            /* layers of the fullest stage */
    double last_layers;             /* layers of the stage with the output head */
    double dense_per_layer;  /* parameters outside the routed experts, after tensor parallelism */
    double expert_per_layer; /* routed experts, after expert and their tensor parallelism */
    double embedding;        /* input embedding and vision tower */
    double head;             /* output head */
    double shard;            /* GPUs that share dense states under ZeRO */
    double expert_shard;     /* GPUs that share routed experts' states under ZeRO */
} gp_train_split;

/* Layers of the fullest stage, and those that all stages together have less than if each were as
 * full. */
double gp_layout_stage_layers(const gp_train_job *job, const gp_layout *layout);
double gp_layout_missing_layers(const gp_train_job *job, const gp_layout *layout);
void gp_train_split_of(const gp_train_job *job, const gp_layout *layout, gp_train_split *ret);
/* LoRA over a frozen base: no weight gradients, states for the adapter only. */
bool gp_train_is_adapter(const gp_train_job *job);
/* The base is stored in fewer than 16 bits. */
bool gp_train_is_quantized(const gp_train_job *job);
/* The frozen base is expanded to 16 bits before every matrix product. */
bool gp_train_is_expanded(const gp_train_job *job);

#endif
