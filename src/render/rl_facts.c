/* A step of reinforcement learning, and people at GPUs. */
#include "render/report_parts.h"

static void print_pools(gp_form_out *out, const gp_report_rl *rl) {
    const bool apart = gp_str_equal(rl->pools, "apart");
    const char *where = apart ? gp_form_text(out, "%s for training (%s), %s for generation",
                                             gp_form_plural(out, rl->train_gpus, "GPU"),
                                             rl->trainer, gp_form_count(out, rl->rollout_gpus))
                              : gp_form_text(out, "%s that train and generate in turn",
                                             gp_form_plural(out, rl->train_gpus, "GPU"));
    gp_block_say(
        out, "pools", "%s: %s, up to %s responses at a time in each", where,
        gp_form_text(out, "%s x %s", gp_form_plural(out, rl->engines, "engine"), rl->engine),
        gp_form_number(out, rl->batch_per_engine));
}

static void print_phases(gp_form_out *out, const gp_report_rl *rl) {
    const char *phases = "";
    for (size_t i = 0; i < rl->phases.count; i++)
        phases =
            gp_form_joined(out, phases, ", ", "%s %s", gp_form_words(out, rl->phases.items[i].name),
                           gp_form_seconds(out, rl->phases.items[i].time_s));
    gp_block_fact(out, "phases", phases);
    const char *waits =
        gp_form_around(out, "; GPUs that finish first wait ", gp_form_seconds(out, rl->wait_s), "");
    gp_block_say(out, "rollout", "%s of the step, %s of it for the second half of the responses%s",
                 gp_form_share(out, rl->rollout_fraction), gp_form_seconds(out, rl->tail_s), waits);
}

static void print_memory(gp_form_out *out, const gp_report_rl *rl) {
    const char *parts = "";
    for (size_t i = 0; i < rl->memory.count; i++)
        parts = gp_form_text(out, "%s%s %s of %s, ", parts, rl->memory.items[i].phase,
                             gp_form_bytes(out, rl->memory.items[i].used_bytes),
                             gp_form_bytes(out, rl->memory.items[i].capacity_bytes));
    const char *host = isfinite(rl->host_bytes) ? gp_form_bytes(out, rl->host_bytes) : "nothing";
    gp_block_say(out, "on a GPU", "%s%s per GPU in host memory", parts, host);
}

void gp_say_rl_facts(gp_form_out *out, const gp_report_rl *rl) {
    if (rl == NULL)
        return;
    print_pools(out, rl);
    print_phases(out, rl);
    print_memory(out, rl);
}

void gp_say_seats_facts(gp_form_out *out, const gp_report_seats *seats) {
    if (seats == NULL)
        return;
    const char *each = seats->part != NULL
                           ? gp_form_text(out, "%s (%s), %s to a GPU", seats->part,
                                          gp_str_equal(seats->method, "mig") ? "MIG" : "MPS",
                                          gp_form_number(out, seats->per_gpu))
                           : gp_form_plural(out, seats->gpus_per_seat, "GPU");
    gp_block_say(out, "seats",
                 "%s open at peak, %s provided for: %s each, %s of memory; %s open on average",
                 gp_form_count(out, seats->at_once), gp_form_count(out, seats->held), each,
                 gp_form_bytes(out, seats->part_bytes), gp_form_number(out, seats->mean_open));
}
