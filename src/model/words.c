/* The words of the spec's enumerations, in enum order. */
#include "model/fields.h"

const char *const gp_confidence_words[] = {
    [GP_CONFIDENCE_EXPECTED] = "expected",
    [GP_CONFIDENCE_P80] = "p80",
    [GP_CONFIDENCE_P90] = "p90",
    NULL,
};

const char *const gp_tuning_words[] = {
    [GP_TUNING_TUNED] = "tuned",
    [GP_TUNING_TYPICAL] = "typical",
    [GP_TUNING_UNTUNED] = "untuned",
    NULL,
};

const char *const gp_redundancy_words[] = {
    [GP_REDUNDANCY_N] = "N",
    [GP_REDUNDANCY_N1] = "N+1",
    [GP_REDUNDANCY_2N] = "2N",
    NULL,
};

const char *const gp_idle_words[] = {
    [GP_IDLE_POWERED_DOWN] = "poweredDown",
    [GP_IDLE_POWERED_ON] = "poweredOn",
    NULL,
};

const char *const gp_climate_words[] = {
    [GP_CLIMATE_UNKNOWN] = "unknown",
    [GP_CLIMATE_COLD] = "cold",
    [GP_CLIMATE_TEMPERATE] = "temperate",
    [GP_CLIMATE_HOT] = "hot",
    NULL,
};

const char *const gp_fabric_kind_words[] = {
    [GP_FABRIC_INFINIBAND] = "infiniband",
    [GP_FABRIC_ETHERNET] = "ethernet",
    NULL,
};

const char *const gp_topology_words[] = {
    [GP_TOPOLOGY_RAIL] = "rail-optimized",
    [GP_TOPOLOGY_FAT_TREE] = "fat-tree",
    [GP_TOPOLOGY_DRAGONFLY] = "dragonfly",
    NULL,
};

const char *const gp_objective_words[] = {
    [GP_OBJECTIVE_AUTO] = "auto",
    [GP_OBJECTIVE_MIN_COST] = "minCost",
    [GP_OBJECTIVE_MIN_POWER] = "minPower",
    [GP_OBJECTIVE_MIN_GPUS] = "minGpus",
    [GP_OBJECTIVE_MIN_TIME] = "minTime",
    [GP_OBJECTIVE_MIN_MACHINES] = "minMachines",
    [GP_OBJECTIVE_MIN_CARBON] = "minCarbon",
    NULL,
};

const char *const gp_workload_type_words[] = {
    [GP_WORKLOAD_TRAINING] = "training",
    [GP_WORKLOAD_FINETUNE] = "finetune",
    [GP_WORKLOAD_LORA] = "lora",
    [GP_WORKLOAD_INFERENCE] = "inference",
    [GP_WORKLOAD_RL] = "rl",
    [GP_WORKLOAD_SEATS] = "seats",
    NULL,
};

const char *const gp_method_words[] = {
    [GP_METHOD_SFT] = "sft",
    [GP_METHOD_CONTINUED] = "continued",
    [GP_METHOD_DPO] = "dpo",
    [GP_METHOD_REWARD_MODEL] = "rewardModel",
    [GP_METHOD_DISTILLATION] = "distillation",
    NULL,
};

const char *const gp_rl_algorithm_words[] = {
    [GP_RL_GRPO] = "grpo",
    [GP_RL_DAPO] = "dapo",
    [GP_RL_PPO] = "ppo",
    [GP_RL_ONLINE_DPO] = "onlineDpo",
    NULL,
};

const char *const gp_rl_pools_words[] = {
    [GP_RL_POOLS_AUTO] = "auto",
    [GP_RL_POOLS_COLOCATED] = "colocated",
    [GP_RL_POOLS_APART] = "apart",
    NULL,
};

const char *const gp_optimizer_words[] = {
    [GP_OPTIMIZER_ADAMW] = "adamw",
    [GP_OPTIMIZER_ADAMW_8BIT] = "adamw-8bit",
    [GP_OPTIMIZER_ADAMW_BF16] = "adamw-bf16",
    [GP_OPTIMIZER_SGD] = "sgd",
    [GP_OPTIMIZER_ADAFACTOR] = "adafactor",
    [GP_OPTIMIZER_MUON] = "muon",
    [GP_OPTIMIZER_ADAMW_MIXED] = "adamw-mixed",
    NULL,
};

const char *const gp_recompute_words[] = {
    [GP_RECOMPUTE_AUTO] = "auto",
    [GP_RECOMPUTE_NONE] = "none",
    [GP_RECOMPUTE_SELECTIVE] = "selective",
    [GP_RECOMPUTE_FULL] = "full",
    NULL,
};

const char *const gp_offload_words[] = {
    [GP_OFFLOAD_NONE] = "none",
    [GP_OFFLOAD_OPTIMIZER] = "optimizer",
    [GP_OFFLOAD_PARAMETERS] = "parameters",
    [GP_OFFLOAD_AUTO] = "auto",
    NULL,
};

const char *const gp_offload_place_words[] = {
    [GP_OFFLOAD_ANYWHERE] = "any",
    [GP_OFFLOAD_HOST] = "host",
    [GP_OFFLOAD_NVME] = "nvme",
    NULL,
};

const char *const gp_adapter_method_words[] = {
    [GP_ADAPTER_LORA] = "lora",
    [GP_ADAPTER_QLORA] = "qlora",
    [GP_ADAPTER_DORA] = "dora",
    NULL,
};
