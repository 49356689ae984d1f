/* What refuses a layout, in words: a rule of the framework or the engine, or what is short. */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* "Megatron-LM does not launch", or that nothing does. */
static const char *who_refuses(const gp_layout_rule *rule, int rules, const char *nobody) {
    static const char *const words[GP_RULES_COUNT] = {
        [GP_RULES_MEGATRON] = "Megatron-LM cannot run",
        [GP_RULES_NEMO] = "NeMo cannot run",
        [GP_RULES_TORCHTITAN] = "torchtitan cannot run",
        [GP_RULES_FSDP] = "FSDP cannot run",
        [GP_RULES_DEEPSPEED] = "DeepSpeed cannot run",
        [GP_RULES_VLLM] = "vLLM cannot run",
        [GP_RULES_SGLANG] = "SGLang cannot run",
        [GP_RULES_TENSORRT_LLM] = "TensorRT-LLM cannot run",
    };
    const bool everywhere = (rule->frameworks & 1u << GP_RULES_NONE) != 0;
    return everywhere || words[rules] == NULL ? nobody : words[rules];
}

/* "TP8 PP35 DP10": the degrees above one. */
static const char *degrees_words(gp_arena *arena, const gp_layout *l) {
    const struct {
        const char *name;
        int64_t degree;
    } parts[] = {{"TP", l->tp}, {"PP", l->pp}, {"VPP", l->vpp},
                 {"CP", l->cp}, {"EP", l->ep}, {"DP", l->dp}};
    const char *words = "";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].degree > 1)
            words = gp_arena_printf(arena, "%s%s%s%lld", words, words[0] != '\0' ? " " : "",
                                    parts[i].name, (long long)parts[i].degree);
    return words[0] == '\0' ? "one GPU" : words;
}

/* Batches beside the one that does not divide. */
static const char *beside_words(gp_arena *arena, int64_t sequences, const gp_layout *l) {
    const int64_t unit = l->dp * l->micro_batch;
    const int64_t below = sequences / unit * unit;
    const char *words =
        below > 0 ? gp_arena_printf(arena, "; %lld or %lld sequences would work", (long long)below,
                                    (long long)(below + unit))
                  : gp_arena_printf(arena, "; %lld sequences would work", (long long)unit);
    return words;
}

/* The degrees that are declared do not make up the GPUs. */
static const char *product_words(const gp_case *c, int64_t gpus) {
    const gp_parallelism *p = &c->workload->parallelism;
    gp_layout l = {.tp = gp_num_max_i64(1, p->tp),
                   .pp = gp_num_max_i64(1, p->pp),
                   .cp = gp_num_max_i64(1, p->cp),
                   .dp = gp_num_max_i64(1, p->dp)};
    const char *words = degrees_words(c->plan->arena, &l);
    return p->dp > 0 && p->tp > 0 && p->pp > 0
               ? gp_arena_printf(c->plan->arena,
                                 "the declared parallelism (%s) takes %lld GPUs, not %lld", words,
                                 (long long)gp_layout_gpus(&l), (long long)gpus)
               : gp_arena_printf(c->plan->arena,
                                 "the declared parallelism (%s) does not fit %lld GPUs", words,
                                 (long long)gpus);
}

static const char *rule_words(const gp_case *c, const gp_layout_rule *rule,
                              const gp_layout *refused) {
    gp_arena *arena = c->plan->arena;
    const int64_t sequences = (int64_t)gp_train_step_sequences(&c->out->train, refused);
    const bool batch = gp_str_equal(rule->id, "batch.divides");
    return gp_arena_printf(
        arena, "%s %s with micro-batches of %lld and %lld sequences a step: %s%s",
        who_refuses(rule, c->out->train.rules, "no framework can run"),
        degrees_words(arena, refused), (long long)refused->micro_batch, (long long)sequences,
        rule->words, batch ? beside_words(arena, sequences, refused) : "");
}

const char *gp_train_refusal(const gp_case *c, const gp_train_capability *found) {
    if (found->rule != NULL)
        return rule_words(c, found->rule, &found->layout);
    return c->pinned ? product_words(c, found->gpus)
                     : gp_arena_printf(c->plan->arena, "no layout uses %lld GPUs",
                                       (long long)found->gpus);
}

const char *gp_serve_refusal_words(const gp_case *c, const gp_serve_refusal *refusal) {
    const gp_serve_layout *l = &refusal->layout;
    const gp_layout same = {.tp = l->tp, .pp = l->pp, .ep = l->ep, .dp = l->attention_dp};
    return gp_arena_printf(c->plan->arena, "%s %s: %s",
                           who_refuses(refusal->rule, gp_serve_rules(c), "no engine can run"),
                           degrees_words(c->plan->arena, &same), refusal->rule->words);
}
