/*
 * The `simulate` command: the layout that `size` chooses for one serving workload, under a trace or
 * an arrival process.
 */
#include "cli/flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "simulate/simulate.h"

static const char *const simulate_forms[] = {"text", "json", "csv", "markdown",
                                             "html", "svg",  NULL};
static const char *const router_words[] = {"leastLoaded", "roundRobin", "prefixAware", NULL};
static const char *const process_words[] = {"poisson", "gamma", "diurnal", NULL};

enum { COUNT_MAX = 100000000, REPLICAS_MAX = 10000, OUTAGES_MAX = 64 };

static const gp_opt simulate_options[] = {
    GP_FORM(simulate_forms, "Form on standard output; csv has the time series."),
    GP_OUTPUTS(
        "FILE",
        "Write a file; the extension sets the form (.txt .json .csv .md .html .svg). Repeatable."),
    GP_TEXT("workload", workload, "NAME",
            "The serving workload to simulate; optional if there is only one.", .letter = 'w',
            .value = GP_VALUE_WORKLOAD),
    GP_FILE("trace", trace,
            "Replay a CSV trace with the columns TIMESTAMP, ContextTokens, GeneratedTokens in "
            "place of a random process."),
    GP_TEXT("rate-scale", rate_scale, "X",
            "Multiply the arrival rate: a trace is replayed X times as fast."),
    GP_WORD("process", process, "WORD", process_words,
            "Arrivals at the planned rate: poisson, gamma (bursts; the default, with the "
            "catalogue's coefficient of variation), diurnal (a working day by traffic.profile, "
            "with the planned rate in its busiest hour and, where traffic states a mean, the mean "
            "rate of such a day)."),
    GP_TEXT("cv", arrival_cv, "X", "Coefficient of variation of the gaps with --process gamma."),
    GP_NUMBER(
        "requests", requests, "N", 1, COUNT_MAX,
        "Requests to simulate (default: 20000, more for large fleets; a whole trace or day)."),
    GP_NUMBER("seed", seed, "N", 1, COUNT_MAX, "Random seed (1)."),
    GP_NUMBER("replicas", replicas, "N", 1, REPLICAS_MAX, "Replicas, in place of those planned."),
    GP_NUMBER("prefill-replicas", prefill_replicas, "N", 1, REPLICAS_MAX,
              "Disaggregate: this many additional replicas do only prefill."),
    GP_WORD("router", router, "WORD", router_words, "How requests are routed to replicas."),
    GP_NUMBER("prefix-groups", prefix_groups, "N", 1, 1000000,
              "Number of different prompt prefixes, where traffic.prefixCacheHit is stated (1: all "
              "share one)."),
    GP_TEXT("autoscale", autoscale, "MIN:MAX",
            "Scale the replicas within this range on requests per replica, with the planned batch "
            "as target."),
    GP_TEXTS("outage", outages, "N@AT+FOR",
             "Replica N (from 1) fails AT seconds into the run, for FOR seconds. Repeatable."),
    GP_OPTION_SET("Override a value of the spec before it is sized. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_OPTION_WIDTH,
};

/* ---- numbers with a fraction */

/* A decimal number above zero at `text`, up to `end`. */
static bool parse_positive(const char *text, char end, double *ret_value, const char **ret_end) {
    char *after = NULL;
    bool digit = (text[0] >= '0' && text[0] <= '9') || text[0] == '.';
    double value = digit ? strtod(text, &after) : 0;
    if (after == NULL || after == text || *after != end || !(value > 0) || value > 1e12)
        return false;
    *ret_value = value;
    *ret_end = after;
    return true;
}

static void parse_factor(gp_cli *cli, const char *option, const char *text, double *ret_value) {
    const char *end = NULL;
    if (text != NULL && !parse_positive(text, '\0', ret_value, &end))
        gp_complain(cli, GP_EXIT_USAGE, "--%s: '%s' is not a number above zero", option, text);
}

static void parse_outage(gp_cli *cli, const char *text, gp_outage *ret) {
    double replica = 0;
    const char *at = NULL;
    const char *end = NULL;
    bool ok = parse_positive(text, '@', &replica, &at) && replica <= REPLICAS_MAX &&
              parse_positive(at + 1, '+', &ret->at_s, &end) &&
              parse_positive(end + 1, '\0', &ret->for_s, &end);
    ret->replica = ok ? (int64_t)replica - 1 : 0;
    if (!ok)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --outage 2@600+300",
                         "--outage: '%s' is not N@AT+FOR", text);
}

static void parse_autoscale(gp_cli *cli, gp_sim_autoscale *ret) {
    const char *text = cli->settings.autoscale;
    double least = 0;
    double most = 0;
    const char *end = NULL;
    if (text == NULL)
        return;
    if (!parse_positive(text, ':', &least, &end) || !parse_positive(end + 1, '\0', &most, &end) ||
        most > REPLICAS_MAX || least > most)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --autoscale 2:8",
                         "--autoscale: '%s' is not MIN:MAX", text);
    ret->min_replicas = (int64_t)least;
    ret->max_replicas = (int64_t)most;
}

/* ---- which workload */

typedef struct chosen {
    const gp_outcome *outcome;
    const gp_workload_plan *workload;
} chosen;

static bool is_asked(const gp_cli *cli, const gp_workload_plan *plan) {
    const char *name = cli->settings.workload;
    return name == NULL ? plan->is_serving && !plan->is_seats
                        : strcmp(name, plan->workload->name) == 0;
}

static _Noreturn void complain_choice(gp_cli *cli, const gp_words *names, size_t found) {
    const char *name = cli->settings.workload;
    const char *serving =
        names->items[0] == NULL
            ? NULL
            : gp_arena_printf(cli->arena, "serving: %s", gp_words_joined(cli->arena, names->items));
    if (name == NULL && found == 0)
        gp_complain(cli, GP_EXIT_USAGE, "the input has no serving workload");
    if (name == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, serving, "--workload NAME is required");
    gp_complain_hint(cli, GP_EXIT_USAGE,
                     gp_nearest_hint(cli, gp_nearest(name, names->items), serving),
                     "--workload: no workload '%s'", name);
}

static void choose(gp_cli *cli, const gp_outcomes *outcomes, chosen *ret) {
    gp_words names = {0};
    size_t found = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        const gp_plan_result *result = outcomes->items[i].result;
        for (size_t j = 0; j < result->workloads.count; j++) {
            const gp_workload_plan *plan = &result->workloads.items[j];
            if (plan->is_serving && !plan->is_seats)
                gp_words_add(cli->arena, &names, plan->workload->name);
            if (is_asked(cli, plan)) {
                *ret = (chosen){&outcomes->items[i], plan};
                found++;
            }
        }
    }
    gp_words_add(cli->arena, &names, NULL);
    if (found != 1)
        complain_choice(cli, &names, found);
}

/* ---- progress */

typedef struct watcher {
    bool watched, shown;
    time_t begin;
} watcher;

static void show_progress(void *context, int64_t arrived, int64_t expected) {
    watcher *w = context;
    if (!w->watched || time(NULL) - w->begin < 2 || expected <= 0)
        return;
    w->shown = true;
    (void)fprintf(stderr, "\rgpuplan simulate: %d%% of %lld requests ",
                  (int)(100 * arrived / expected), (long long)expected);
}

static void clear_progress(const watcher *w) {
    if (w->shown)
        (void)fprintf(stderr, "\r%*s\r", 60, "");
}

/* ---- set-up */

typedef struct setup {
    gp_engine engine, prefill_engine;
    gp_simulate_config config;
    gp_arrival_list trace;
    gp_outage outages[OUTAGES_MAX];
    watcher watcher;
} setup;

static void read_trace(gp_cli *cli, setup *s) {
    gp_text *text = NULL;
    if (cli->settings.trace == NULL)
        return;
    text = gp_file_read(cli, cli->settings.trace);
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_status st = gp_arrivals_read(cli->arena, text, &diags, &s->trace);
    gp_check(cli, st, &diags);
    s->config.arrivals.rows = s->trace.items;
    s->config.arrivals.row_count = s->trace.count;
    s->config.arrivals.requests = 0;
    s->config.arrivals.unmeasured_fraction = 0;
}

static void set_arrivals(gp_cli *cli, setup *s) {
    const gp_settings *settings = &cli->settings;
    gp_arrivals *arrivals = &s->config.arrivals;
    double scale = 1;
    parse_factor(cli, "rate-scale", settings->rate_scale, &scale);
    parse_factor(cli, "cv", settings->arrival_cv, &arrivals->cv);
    read_trace(cli, s);
    arrivals->rate_scale = scale;
    arrivals->requests_per_s *= scale;
    arrivals->day_mean_per_s *= scale;
    if (settings->process > 0)
        arrivals->process = (gp_process)(settings->process - 1);
    if (arrivals->process == GP_PROCESS_DIURNAL && arrivals->rows == NULL)
        gp_arrivals_day(arrivals, arrivals->requests_per_s);
    if (settings->requests > 0) {
        arrivals->requests = settings->requests;
        arrivals->end_s = 0;
    }
    if (settings->seed > 0)
        arrivals->seed = (uint64_t)settings->seed;
    if (settings->prefix_groups > 0)
        arrivals->prefix_groups = settings->prefix_groups;
}

static void set_fleet(gp_cli *cli, setup *s) {
    const gp_settings *settings = &cli->settings;
    gp_simulate_config *config = &s->config;
    if (settings->replicas > 0)
        config->replicas = settings->replicas;
    if (settings->prefill_replicas > 0)
        config->prefill_replicas = settings->prefill_replicas;
    if (settings->router > 0)
        config->router = (gp_router)(settings->router - 1);
    if (settings->outages.count > OUTAGES_MAX)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d outages", OUTAGES_MAX);
    parse_autoscale(cli, &config->autoscale);
    int64_t most = config->replicas > config->autoscale.max_replicas
                       ? config->replicas
                       : config->autoscale.max_replicas;
    for (size_t i = 0; i < settings->outages.count; i++) {
        parse_outage(cli, settings->outages.items[i], &s->outages[i]);
        if (s->outages[i].replica >= config->prefill_replicas + most)
            gp_complain(cli, GP_EXIT_USAGE, "--outage: no replica %lld",
                        (long long)s->outages[i].replica + 1);
    }
    config->outages = s->outages;
    config->outage_count = settings->outages.count;
}

/* Why the plan has no place for it. */
static const char *reason_of(const chosen *c) {
    const gp_report_workload *workload =
        GP_NAMED(c->outcome->report->workloads, name, c->workload->workload->name);
    return workload != NULL ? workload->recommendation.reason : "`gpuplan size` says why";
}

static _Noreturn void no_simulation(gp_cli *cli, const chosen *c) {
    const gp_workload_plan *plan = c->workload;
    const char *name = plan->workload->name;
    if (!plan->is_serving)
        gp_complain(cli, GP_EXIT_USAGE, "workload '%s' does not serve requests", name);
    if (!plan->has_goal)
        gp_complain_hint(cli, GP_EXIT_INPUT, "add traffic.requestsPerSecond",
                         "workload '%s' states no traffic", name);
    gp_complain_hint(cli, GP_EXIT_NO, reason_of(c),
                     "no allowed machine can run workload '%s'", name);
}

static void tell(const gp_cli *cli, const chosen *c, const setup *s, gp_simulation *result) {
    const gp_workload_plan *plan = c->workload;
    const gp_candidate *candidate = &plan->chosen;
    result->plan = c->outcome->document->metadata.name;
    result->workload = plan->workload->name;
    result->model = plan->workload->model.id;
    result->machine = candidate->unit->id;
    result->tp = candidate->serve_layout.tp;
    result->pp = candidate->serve_layout.pp;
    if (result->prefill_replicas > 0) {
        const gp_serve_layout *prefill =
            candidate->split.present ? &candidate->split.layouts.prefill : &candidate->serve_layout;
        result->prefill_tp = prefill->tp;
        result->prefill_pp = prefill->pp;
    }
    result->spare_replicas = cli->settings.replicas > 0 ? 0 : candidate->spare_replicas;
    result->trace = cli->settings.trace;
    result->empty_rows = (int64_t)s->trace.empty;
}

/* ---- output */

static const gp_result_kind results = {
    .forms = &gp_forms_simulation,
    .extensions = ".txt, .json, .csv, .md, .html or .svg",
};

static void simulate(gp_cli *cli, const chosen *c) {
    gp_simulation *result = NULL;
    setup *s = GP_NEW(cli->arena, setup);
    if (gp_plan_simulation(c->outcome->result, c->workload, 1, &s->engine, &s->prefill_engine,
                           &s->config) != GP_OK)
        no_simulation(cli, c);
    if (!c->workload->chosen.feasible)
        gp_tell(cli, "workload '%s' has no place in the plan; what comes nearest is simulated: %s",
                c->workload->workload->name, reason_of(c));
    set_arrivals(cli, s);
    set_fleet(cli, s);
    s->watcher = (watcher){.watched = gp_terminal_watched(), .begin = time(NULL)};
    s->config.progress = show_progress;
    s->config.context = &s->watcher;
    gp_status st = gp_simulate(cli->arena, &s->config, &result);
    clear_progress(&s->watcher);
    if (st == GP_ERR_INPUT)
        gp_complain_hint(cli, GP_EXIT_USAGE, "set another number with --replicas",
                         "%lld replicas cannot be simulated", (long long)s->config.replicas);
    gp_check(cli, st, NULL);
    tell(cli, c, s, result);
    gp_results_write(cli, &results, cli->settings.form, result);
    for (int i = 0; i < result->goal_count; i++)
        if (!result->goals[i].ok)
            cli->answer = GP_EXIT_NO;
}

static void run_simulate(gp_cli *cli) {
    gp_overrides fixed = {0};
    gp_flow flow;
    gp_outcomes outcomes = {0};
    chosen c = {0};
    gp_results_check(cli, &results);
    gp_flow_begin(cli, &cli->settings.operands, &fixed, &flow);
    flow.once = true;
    gp_flow_run(&flow, &fixed, &outcomes);
    choose(cli, &outcomes, &c);
    simulate(cli, &c);
}

const gp_command gp_command_simulate = {
    .name = "simulate",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Simulate traffic on the planned layout of a serving workload.",
    .details =
        "Sizes the plans, then simulates the engine of the chosen layout step by step: continuous "
        "batching, KV blocks, chunked prefill, preemption, a prefix cache, replicas behind a "
        "router. Prints latency percentiles, the share of requests within the service level, and "
        "the queue, the KV cache and the power over time. Exits with 1 when a goal is missed.",
    .examples =
        "  gpuplan simulate plan.yaml\n"
        "  gpuplan simulate plan.yaml -w chat --trace azure.csv --rate-scale 2 -o run.html\n"
        "  gpuplan simulate plan.yaml -w chat --replicas 8 --outage 1@300+600\n",
    GP_OPTIONS(simulate_options),
    .run = run_simulate,
};
