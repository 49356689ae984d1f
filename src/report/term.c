/* The estimators' terms in words. */
#include "report/source.h"

#define CONFIG    "the models' reference implementations"
#define MEGATRON  "Megatron-LM, arXiv 2104.04473 and 2205.05198"
#define MEASURED  "fit to published training runs"
#define PEAKS     "measured peaks of fine-tuning and pre-training runs"
#define NCCL      "nccl-tests fits of the catalogue"
#define FAILURES  "exponential failures; Young and Daly, FGCS 22 (2006)"
#define PHYSICS   "definition"
#define PHASES    "phases of verl, NeMo RL and OpenRLHF"
#define LENGTHS   "lognormal distribution, cut at the limit"
#define TRANSFERS "published weight transfers of NeMo RL"
#define VLLM_LOGS "vLLM 0.19 start-up logs"
#define KERNELS   "kernel tables of ai-dynamo/aiconfigurator"
#define SUPERPOD  "DGX SuperPOD reference architectures"
#define AZURE     "Azure LLM inference traces 2023"
#define QUEUES    "queueing theory"

const gp_term_text *gp_term_text_of(gp_term_id id) {
    static const gp_term_text rows[GP_TERM_COUNT + 1] = {
#define TERM(id, name, dim, formula, source) [GP_TERM_##id] = {name, formula, source, dim},
#include "estimate/terms.inc"
#undef TERM
        [GP_TERM_COUNT] = {"unknown", NULL, NULL, GP_DIM_NONE},
    };
    return &rows[(size_t)id < GP_TERM_COUNT ? id : GP_TERM_COUNT];
}
