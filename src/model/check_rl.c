/* Rules over the fields of reinforcement learning. */
#include "base/str.h"
#include "model/fields.h"
#include "model/resolve.h"

static void reward_fits(gp_resolver *r, const gp_workload *w) {
    const gp_rl_reward *reward = &w->rl.reward;
    const gp_workload *service =
        reward->service ? GP_NAMED(r->spec->workloads, name, reward->service) : NULL;
    bool model = GP_GIVEN(reward, gp_rl_reward, model);
    if (reward->service && model)
        gp_refuse_values(r, GP_PLACE(reward, gp_rl_reward, service), "a model, or a service",
                         "responses are scored by both a model and a service");
    if (reward->service && (!service || service->type != GP_WORKLOAD_INFERENCE))
        gp_refuse_values(r, GP_PLACE(reward, gp_rl_reward, service),
                         "the name of a workload of type inference",
                         "no service \"%s\" to score responses", reward->service);
    if (GP_GIVEN(reward, gp_rl_reward, cores) && !(reward->cpu_s > 0))
        gp_refuse_absence(r, GP_PLACE(reward, gp_rl_reward, cores),
                          "cores for checking responses need rl.reward.cpuTime", "reward.cpuTime");
}

static void lengths_fit(gp_resolver *r, const gp_workload *w) {
    const gp_distribution *response = &w->rl.response_tokens;
    const struct {
        const gp_distribution *lengths;
        const char *key;
    } due[] = {{&w->rl.prompt_tokens, "promptTokens"}, {response, "responseTokens"}};
    for (size_t i = 0; i < GP_COUNT_OF(due); i++)
        if (due[i].lengths->meta.span.text && !(due[i].lengths->mean > 0))
            gp_refuse_absence(r, due[i].lengths->meta.span,
                              gp_arena_printf(r->arena, "a step needs the mean of %s", due[i].key),
                              "a number, or a map with mean, or with p50 and p95");
    if (response->peak > 0 && response->mean > response->peak)
        gp_refuse_values(r, GP_PLACE(response, gp_distribution, peak), "mean <= peak",
                         "the mean response is longer than the longest");
}

static void steps_fit(gp_resolver *r, const gp_workload *w) {
    const gp_rl_spec *rl = &w->rl;
    bool derived = GP_ORIGIN_OF(rl, gp_rl_spec, steps)->kind == GP_ORIGIN_DERIVED;
    if (!(rl->steps > 0)) {
        gp_refuse_absence(r, rl->meta.span, "rl needs the number of steps of its run",
                          "rl.steps, or rl.prompts with rl.epochs");
    } else if (rl->prompts > 0 && !derived) {
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, steps), "only one of the two",
                         "steps and prompts are both stated");
    }
    double answers = rl->prompts_per_step * rl->samples_per_prompt;
    if (rl->updates_per_step > answers)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, updates_per_step),
                         "no more updates than responses", "%.0f updates from %.0f responses",
                         rl->updates_per_step, answers);
}

static void algorithm_fits(gp_resolver *r, const gp_workload *w) {
    const gp_rl_spec *rl = &w->rl;
    bool groups = rl->algorithm == GP_RL_GRPO || rl->algorithm == GP_RL_DAPO ||
                  rl->algorithm == GP_RL_ONLINE_DPO;
    if (groups && rl->samples_per_prompt < 2)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, samples_per_prompt), "2 or more",
                         "%s compares responses to the same prompt, and there is only one",
                         gp_rl_algorithm_words[rl->algorithm]);
    if (GP_GIVEN(rl, gp_rl_spec, critic) && rl->algorithm != GP_RL_PPO)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, critic), "algorithm: ppo", "%s has no critic",
                         gp_rl_algorithm_words[rl->algorithm]);
    if (rl->algorithm == GP_RL_ONLINE_DPO && GP_GIVEN(rl, gp_rl_spec, reference) && !rl->reference)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, reference), "reference: true",
                         "onlineDpo compares the policy with a reference");
    if (rl->rollout_gpus > 0 && rl->pools != GP_RL_POOLS_APART)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, rollout_gpus), "pools: apart",
                         "generation GPUs can be given only with separate pools");
    if (rl->lag > 0 && rl->pools == GP_RL_POOLS_COLOCATED)
        gp_refuse_values(r, GP_PLACE(rl, gp_rl_spec, lag), "lag: 0, or pools: apart",
                         "generation cannot run ahead of training on the same GPUs");
}

static void turns_fit(gp_resolver *r, const gp_workload *w) {
    const gp_rl_spec *rl = &w->rl;
    const bool time = rl->tool_s > 0;
    if (rl->turns <= 1 && (time || rl->tool_tokens > 0))
        gp_refuse_values(
            r, time ? GP_PLACE(rl, gp_rl_spec, tool_s) : GP_PLACE(rl, gp_rl_spec, tool_tokens),
            "turns: 2 or more", "a tool between turns, but responses have only one turn");
}

void gp_check_rl(gp_resolver *r, const gp_workload *w) {
    if (w->type != GP_WORKLOAD_RL)
        return;
    if (!GP_GIVEN(w, gp_workload, rl)) {
        gp_refuse_absence(r, w->meta.span, "rl needs what one step generates and trains on",
                          "rl: promptsPerStep, samplesPerPrompt, promptTokens, responseTokens, "
                          "steps");
        return;
    }
    lengths_fit(r, w);
    turns_fit(r, w);
    steps_fit(r, w);
    algorithm_fits(r, w);
    reward_fits(r, w);
}

/* Only distillation has a teacher, and it needs one. */
void gp_check_method(gp_resolver *r, const gp_workload *w) {
    const gp_method *m = &w->method;
    bool taught = GP_GIVEN(m, gp_method, teacher);
    bool read = m->kind == GP_METHOD_DPO || m->kind == GP_METHOD_DISTILLATION;
    if (m->kind == GP_METHOD_DISTILLATION && !taught) {
        gp_refuse_absence(r, m->meta.span, "distillation has a teacher", "method.teacher");
    } else if (m->kind != GP_METHOD_DISTILLATION && taught) {
        gp_refuse_values(r, GP_PLACE(m, gp_method, teacher), "kind: distillation",
                         "%s has no teacher", gp_method_words[m->kind]);
    }
    if (m->cached && !read)
        gp_refuse_values(r, GP_PLACE(m, gp_method, cached), "kind: dpo or distillation",
                         "%s uses no other model", gp_method_words[m->kind]);
}
