/* The figures of one workload in words. */
#include "render/report_parts.h"
#include "render/text_form.h"

enum { BAR = 30 };

/* "20.6% free", or how much is short where it does not fit. */
static const char *room_words(gp_form_out *out, const gp_report_memory *memory) {
    double room = memory->capacity_bytes - memory->used_bytes;
    if (room < 0)
        return gp_form_text(out, "short by %s", gp_form_bytes(out, -room));
    return gp_form_text(out, "%s free", gp_form_share(out, memory->headroom_fraction));
}

static void print_components(gp_form_out *out, const gp_report_memory *memory) {
    const char *parts = "";
    for (size_t i = 0; i < memory->components.count; i++)
        parts = gp_form_joined(out, parts, ", ", "%s %s",
                               gp_form_words(out, memory->components.items[i].name),
                               gp_form_bytes(out, memory->components.items[i].bytes));
    gp_block_fact(out, "", parts);
    const char *stage = gp_form_if(out, memory->worst_stage > 0, "; fullest in stage %lld",
                                   (long long)memory->worst_stage);
    gp_block_say(out, "", "%s%s", gp_form_band(out, memory->used_band, GP_DIM_BYTES), stage);
}

/* Of reinforcement learning it is the layout that trains, apart from what the engine leaves. */
static void print_memory(gp_form_out *out, const gp_report_workload *workload) {
    const gp_report_memory *memory = &workload->memory;
    if (!isfinite(memory->capacity_bytes))
        return;
    const double share = gp_json_written(memory->used_bytes / memory->capacity_bytes);
    int full = share >= 1 ? BAR : (int)(share * BAR + 0.5);
    char bar[BAR + 3];
    bar[0] = '[';
    for (int i = 0; i < BAR; i++)
        bar[i + 1] = i < full ? '#' : '.';
    bar[BAR + 1] = ']';
    bar[BAR + 2] = '\0';
    gp_block_say(out, "memory", "%s %s of %s, %s%s", bar, gp_form_bytes(out, memory->used_bytes),
                 gp_form_bytes(out, memory->capacity_bytes), room_words(out, memory),
                 workload->rl != NULL ? ", before the memory that the engine leaves" : "");
    if (out->asked.detail == GP_DETAIL_ALL)
        print_components(out, memory);
}

/* ", a failure every 3.4 h, 8 spare machines", and preemptions, where they come within a run. */
static const char *failure_words(gp_form_out *out, const gp_report_performance *figures) {
    static const double told = 0.01; /* share of the restart */
    const char *wait = gp_form_if(out, figures->spare_wait_s > told * figures->restart_time_s,
                                  " (%s of it waiting for a machine)",
                                  gp_form_seconds(out, figures->spare_wait_s));
    const char *taken =
        figures->taken >= 0.5
            ? gp_form_text(out, ", preempted %s, which costs %s",
                           gp_form_plural(out, (int64_t)(figures->taken + 0.5), "time"),
                           gp_form_seconds(out, figures->taken_time_s))
            : "";
    if (!(figures->failures >= 0.5))
        return taken;
    return gp_form_text(out, ", a failure every %s, restart %s%s with %s%s",
                        gp_form_seconds(out, figures->time_between_failures_s),
                        gp_form_seconds(out, figures->restart_time_s), wait,
                        gp_form_plural(out, figures->spare_nodes, "spare machine"), taken);
}

/* The whole run: what it takes, and what of the time is not training. */
static void print_run(gp_form_out *out, const gp_report_performance *figures) {
    static const double s_per_h = 3600; /* definition */
    if (!isfinite(figures->gpu_time_s.expected))
        return;
    const gp_report_band hours = {figures->gpu_time_s.expected / s_per_h,
                                  figures->gpu_time_s.low / s_per_h,
                                  figures->gpu_time_s.high / s_per_h};
    gp_block_say(out, "run", "%s tokens: GPU-hours %s; %s",
                 gp_form_quantity(out, figures->trained_tokens, GP_DIM_COUNT),
                 gp_form_band(out, hours, GP_DIM_COUNT),
                 gp_form_band(out, figures->energy_j, GP_DIM_ENERGY));
    gp_block_say(out, "", "%s of the time is training; checkpoint every %s%s",
                 gp_form_share(out, figures->goodput_fraction.expected),
                 gp_form_seconds(out, figures->checkpoint_interval_s), failure_words(out, figures));
}

static void print_training(gp_form_out *out, const gp_report_performance *figures) {
    if (!isfinite(figures->step_time_s.expected))
        return;
    gp_block_fact(out, "time", gp_form_band(out, figures->time_to_complete_s, GP_DIM_TIME));
    print_run(out, figures);
    if (out->asked.detail != GP_DETAIL_ALL)
        return;
    gp_block_say(out, "step", "%s; %s tokens/s; %s of peak; goodput %s",
                 gp_form_band(out, figures->step_time_s, GP_DIM_TIME),
                 gp_form_quantity(out, figures->tokens_per_s.expected, GP_DIM_COUNT),
                 gp_form_share(out, figures->mfu_fraction.expected),
                 gp_form_share(out, figures->goodput_fraction.expected));
}

/* A load so light that next to nothing runs at once is not told to three digits. */
static const char *running_words(gp_form_out *out, double batch) {
    static const double least = 0.01;
    return batch < least ? "under 0.01" : gp_form_number(out, batch);
}

/* A job of requests: when it ends, and what its replicas do meanwhile. */
static void print_offline(gp_form_out *out, const gp_report_performance *figures) {
    const char *rate = gp_form_around(
        out, ", ", gp_form_quantity(out, figures->tokens_per_s.expected, GP_DIM_COUNT),
        " tokens/s");
    gp_block_say(out, "time", "%s%s", gp_form_band(out, figures->time_to_complete_s, GP_DIM_TIME),
                 rate);
    gp_block_say(out, "rate", "up to %s, the deadline needs %s; %s requests running per replica",
                 gp_form_quantity(out, figures->requests_per_s.expected, GP_DIM_PER_S),
                 gp_form_quantity(out, figures->demand_requests_per_s, GP_DIM_PER_S),
                 running_words(out, figures->batch_per_replica));
}

static void print_rate(gp_form_out *out, const gp_report_performance *figures) {
    const char *most = gp_form_around(
        out, "up to ", gp_form_quantity(out, figures->requests_per_s.expected, GP_DIM_PER_S), ", ");
    const char *demand =
        gp_form_around(out, "planned peak ",
                       gp_form_quantity(out, figures->demand_requests_per_s, GP_DIM_PER_S), "; ");
    gp_block_say(out, "rate", "%s%s%s requests running per replica, room for %s", most, demand,
                 running_words(out, figures->batch_per_replica),
                 gp_form_number(out, figures->concurrency_per_replica.expected));
}

static void print_serving(gp_form_out *out, const gp_report_workload *workload) {
    const gp_report_performance *figures = &workload->performance;
    const char *by = workload->simulation != NULL ? "(p95, simulated)" : "(p95)";
    if (isfinite(figures->demand_requests_per_s) &&
        isfinite(figures->time_to_complete_s.expected)) {
        print_offline(out, figures);
        return;
    }
    if (!isfinite(figures->tpot_p95_s.expected)) {
        if (!isfinite(figures->ttft_p95_s.expected))
            return;
        gp_block_say(out, "latency", "%s to the response %s",
                     gp_form_band(out, figures->ttft_p95_s, GP_DIM_TIME), by);
        print_rate(out, figures);
        return;
    }
    const char *first =
        gp_form_if(out, isfinite(figures->ttft_p95_s.expected), "first token %s, then ",
                   gp_form_band(out, figures->ttft_p95_s, GP_DIM_TIME));
    gp_block_say(out, "latency", "%s%s per token %s", first,
                 gp_form_band(out, figures->tpot_p95_s, GP_DIM_TIME), by);
    print_rate(out, figures);
}

static void print_goals(gp_form_out *out, const gp_report_workload *workload) {
    for (size_t i = 0; i < workload->goals.count; i++) {
        const gp_report_goal *goal = &workload->goals.items[i];
        gp_block_say(out, i == 0 ? "goal" : "", "%s %s: %s", gp_form_goal_name(out, goal->name),
                     gp_form_goal_figure(out, goal, goal->target), gp_form_goal_state(goal->state));
    }
}

static const char *waiting_words(gp_form_out *out, const gp_report_network *network) {
    if (!isfinite(network->communication_fraction))
        return "";
    const char *where =
        gp_str_equal(network->bottleneck, "none")
            ? ""
            : gp_form_text(out, ", slowest: %s", gp_form_words(out, network->bottleneck));
    return gp_form_text(out, "; %s of the step is spent waiting for communication%s",
                        gp_form_share(out, network->communication_fraction), where);
}

static void print_network(gp_form_out *out, const gp_report_network *network) {
    if (!network->multi_node)
        return;
    gp_block_say(out, "network", "%s per GPU%s",
                 gp_form_quantity(out, network->rate_bits_per_s, GP_DIM_BITS_PER_S),
                 waiting_words(out, network));
    const char *rates = "step at";
    for (size_t i = 0; i < network->rates.count; i++)
        rates = gp_form_text(
            out, "%s%s %s: %s", rates, i > 0 ? "," : "",
            gp_form_quantity(out, network->rates.items[i].rate_bits_per_s, GP_DIM_BITS_PER_S),
            gp_form_seconds(out, network->rates.items[i].step_time_s));
    if (network->rates.count > 0)
        gp_block_fact(out, "", rates);
    if (network->test != NULL && out->asked.detail == GP_DETAIL_ALL)
        gp_block_say(
            out, "test", "%s; expected bus bandwidth %s", network->test->command,
            gp_form_quantity(out, network->test->bus_bandwidth_bytes_per_s, GP_DIM_BYTES_PER_S));
}

/* GPUs of its machines that are for others. */
static int64_t other_gpus(const gp_report_candidate *chosen) {
    const bool owned = chosen->feasible && gp_str_equal(chosen->where, "owned");
    return owned ? chosen->nodes * chosen->gpus_per_node - chosen->gpus : 0;
}

/* " if the other 7 GPUs were idle": of machines that workloads share, each is told what they draw
 * by its own work, which is not to be added up. */
static const char *idle_words(gp_form_out *out, const gp_report *report,
                              const gp_report_candidate *chosen) {
    const int64_t others = other_gpus(chosen);
    bool shared = false;
    for (size_t i = 0; i < report->workloads.count && others > 0; i++) {
        const gp_report_candidate *it = &report->workloads.items[i].recommendation.chosen;
        shared = shared ||
                 (it != chosen && other_gpus(it) > 0 && gp_str_equal(it->system, chosen->system));
    }
    return gp_form_if(out, shared, " if the other %s were idle",
                      gp_form_plural(out, others, "GPU"));
}

static void print_layout(gp_form_out *out, const gp_report *report,
                         const gp_report_recommendation *verdict) {
    const gp_report_candidate *chosen = &verdict->chosen;
    if (chosen->system == NULL)
        return;
    const char *spare = gp_form_some(out, ", ", chosen->spare_replicas, " of them spare");
    gp_block_say(out, chosen->feasible ? "layout" : "nearest", "%s%s on %s (%s, %s%s)%s",
                 gp_form_or(chosen->layout, "-"), spare, gp_form_machines(out, chosen),
                 gp_form_where(out, verdict), gp_form_draw(out, chosen),
                 idle_words(out, report, chosen),
                 verdict->layout_change ? "; not the declared layout" : "");
    if (verdict->at_expected != NULL)
        gp_block_say(out, "", "at the expected value: %s on %s",
                     gp_form_or(verdict->at_expected->layout, "-"),
                     gp_form_plural(out, verdict->at_expected->nodes, "machine"));
}

static const char *flip_words(gp_form_out *out, const gp_report_recommendation *recommendation) {
    const gp_report_flip *flip = recommendation->flip;
    if (flip == NULL)
        return gp_form_or(recommendation->flip_reason, "-");
    const char *what = !gp_str_equal(flip->variable, "seats") ? gp_form_words(out, flip->variable)
                       : gp_str_ends(gp_form_or(flip->path, ""), ".people")
                           ? "number of people"
                           : "number of open seats";
    return gp_form_text(out, "at a %s of %s: %s%s", what,
                        gp_quantity_format_turn(out->buf->arena, flip->at, flip->today, flip->dim),
                        gp_form_scale(flip->to_scale),
                        flip->inside_band ? ", inside the error band" : "");
}

/* What would change the verdict, and what is there beyond the need. */
static void print_changes(gp_form_out *out, const gp_report_recommendation *verdict) {
    gp_block_fact(out, "changes", flip_words(out, verdict));
    if (verdict->placement != NULL)
        gp_block_fact(out, "cloud", gp_form_or(verdict->placement->reason, "-"));
    size_t changes = verdict->software_changes.count;
    if (out->asked.detail != GP_DETAIL_ALL && changes > 1)
        changes = 1;
    for (size_t i = 0; i < changes; i++)
        gp_block_fact(out, i == 0 ? "software" : "",
                      gp_form_software(out, verdict, &verdict->software_changes.items[i]));
    if (verdict->surplus.gpus > 0)
        gp_block_say(out, "surplus", "%s, %s, %s",
                     gp_form_plural(out, verdict->surplus.gpus, "GPU"),
                     gp_form_plural(out, verdict->surplus.nodes, "machine"),
                     gp_form_watts(out, verdict->surplus.power_w));
}

/* A page draws goals and memory; alternatives are a table but on a terminal. */
void gp_say_workload_facts(gp_form_out *out, const gp_report *report,
                           const gp_report_workload *workload) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    const char *currency = report->cost.currency;
    const bool text = out->layout == GP_LAYOUT_TEXT;
    const bool drawn = out->layout == GP_LAYOUT_HTML;
    if (text)
        gp_block_say(out, "verdict", "%s, bound by %s: %s", gp_form_scale(verdict->scale),
                     gp_form_words(out, verdict->bound_by), gp_form_or(verdict->reason, ""));
    print_layout(out, report, verdict);
    gp_block_fact(out, "need", gp_text_need(out, report, workload));
    print_training(out, &workload->performance);
    gp_say_rl_facts(out, workload->rl);
    gp_say_seats_facts(out, workload->seats);
    print_serving(out, workload);
    if (!drawn)
        print_goals(out, workload);
    gp_say_service_facts(out, report, workload);
    gp_block_fact(out, "simulated",
                  workload->simulation != NULL ? workload->simulation->summary
                                               : workload->simulation_note);
    if (!drawn)
        print_memory(out, workload);
    gp_block_fact(out, "per unit", gp_form_unit(out, &workload->performance, currency));
    gp_block_fact(out, "greener", gp_form_efficient(out, workload));
    print_network(out, &workload->network);
    if (text) {
        gp_block_fact(out, "up", gp_form_alternative(out, &verdict->vertical, currency));
        gp_block_fact(out, "out", gp_form_alternative(out, &verdict->horizontal, currency));
    }
    print_changes(out, verdict);
}
