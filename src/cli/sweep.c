/*
 * The `sweep` command: one plan at every combination of some values, at some that are drawn, or
 * with each of its numbers a little lower and higher. What its flags mean; sweep_run.c runs it.
 */
#include "cli/sweep_run.h"

#include <stdio.h>
#include <string.h>

#include "cli/study.h"
#include <gpuplan/units.h>

static const gp_opt sweep_options[] = {
    GP_OPTION_STUDY_FORMAT,
    GP_OPTION_STUDY_OUTPUT,
    GP_OPTIONS_SWEEP("Override a value of the spec before it is sized; several, comma separated, "
                     "make an axis: PATH=a,b,c. Repeatable."),
    GP_TEXTS("metric", metrics, "PATH",
             "A figure of each point, by its path in the report (gpuplan schema report). "
             "Repeatable."),
    GP_TEXT("shard", shard, "I/N", "Only part I of N; gpuplan merge combines the parts."),
    GP_NUMBER(
        "jobs", jobs, "N", 1, 256,
        "Points sized in parallel (default: the number of cores); results do not depend on it.",
        .letter = 'j'),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_OPTION_WIDTH,
};

/* ---- flags */

/* Parts are runs of neighbours, which have much in common. */
static void parse_shard(gp_sweep_job *s) {
    const char *text = s->cli->settings.shard;
    const int64_t points = s->study->point_count;
    char rest = 0;
    int of = 1;
    int which = 1;
    const bool wrong = text != NULL && (sscanf(text, "%7d/%7d%c", &which, &of, &rest) != 2 ||
                                        which < 1 || which > of || of > points);
    if (wrong && s->cli->settings.sweep > 0)
        gp_complain(s->cli, GP_EXIT_USAGE, "--sweep %lld: there are %lld points",
                    (long long)s->cli->settings.sweep, (long long)points);
    if (wrong)
        gp_complain_hint(
            s->cli, GP_EXIT_USAGE, "for example --shard 2/4",
            "--shard %s: expected I/N, with I from 1 to N and N at most the %lld points", text,
            (long long)points);
    const int64_t before =
        points / of * (which - 1) + (which - 1 < points % of ? which - 1 : points % of);
    s->first = before + 1;
    s->count = points / of + (which <= points % of ? 1 : 0);
    if (s->count <= GP_STUDY_SHARD_MAX)
        return;
    const int64_t parts = (points + GP_STUDY_SHARD_MAX - 1) / GP_STUDY_SHARD_MAX;
    gp_complain_hint(
        s->cli, GP_EXIT_USAGE,
        gp_arena_printf(s->cli->arena, "run it in parts: --shard 1/%lld to --shard %lld/%lld",
                        (long long)parts, (long long)parts, (long long)parts),
        "%lld points, but one run sizes at most %d", (long long)s->count, (int)GP_STUDY_SHARD_MAX);
}

static void parse_vary(gp_sweep_job *s) {
    const char *text = s->cli->settings.vary;
    gp_quantity share = {0};
    if (text == NULL)
        return;
    if (gp_quantity_parse(text, strlen(text), GP_DIM_FRACTION, &share) != GP_QUANTITY_OK ||
        !(share.value > 0) || !(share.value < 1))
        gp_complain_hint(s->cli, GP_EXIT_USAGE, "for example --vary 20%",
                         "--vary %s: expected a share above 0%% and below 100%%", text);
    s->study->vary_fraction = share.value;
}

/* Which kind of study the flags ask for. */
static void parse_kind(gp_sweep_job *s) {
    const gp_settings *settings = &s->cli->settings;
    const bool random = settings->random > 0;
    const bool latin = settings->latin > 0;
    const bool vary = settings->vary != NULL;
    gp_study *study = s->study;
    study->vary_fraction = GP_REPORT_NO_REAL;
    study->seed = GP_REPORT_NO_COUNT;
    study->kind = vary ? "vary" : latin ? "latin" : random ? "random" : "grid";
    if (vary + latin + random > 1)
        gp_complain(s->cli, GP_EXIT_USAGE,
                    "--vary, --random and --latin are different sweeps: give one of them");
    study->draws = settings->draws;
    if (latin || random || settings->draws > 0)
        study->seed = settings->seed > 0 ? settings->seed : 1;
    else if (settings->seed > 0)
        gp_complain(s->cli, GP_EXIT_USAGE, "--seed needs --random, --latin or --draws");
    parse_vary(s);
}

/* What the catalogue is made of is read once. */
static void check_axis(gp_cli *cli, const gp_sweep_flag *axis) {
    if (strncmp(axis->path, "calibration", strlen("calibration")) != 0)
        return;
    gp_complain_hint(cli, GP_EXIT_USAGE, "sweep once with each --calibration",
                     "--set %s: the calibration is the same at all points", axis->path);
}

static void check_axis_count(gp_cli *cli, size_t count) {
    if (cli->settings.vary == NULL && count == 0)
        gp_complain_hint(
            cli, GP_EXIT_USAGE,
            "for example --set workloads.chat.traffic.requestsPerSecond=5,20,80, or --vary 20%",
            "nothing to sweep: expected an axis (--set PATH=a,b) or --vary");
    if (count > GP_STUDY_AXES_MAX)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d paths with several values",
                    (int)GP_STUDY_AXES_MAX);
}

/* As many as there are combinations, or as are to be drawn. */
static void count_points(gp_sweep_job *s, const gp_sweep_flags *axes) {
    const gp_settings *settings = &s->cli->settings;
    int64_t points = 1;
    for (size_t i = 0; i < axes->count; i++) {
        check_axis(s->cli, &axes->items[i]);
        points *= (int64_t)axes->items[i].values.count;
        if (points > INT32_MAX)
            gp_complain(s->cli, GP_EXIT_USAGE, "more than %d points", (int)INT32_MAX);
    }
    const int64_t drawn = settings->latin > 0 ? settings->latin : settings->random;
    s->study->point_count = drawn > 0 ? drawn : points;
}

/* Ranges are axes of what is drawn; elsewhere --set takes them for values. */
static bool is_axis(const gp_sweep_job *s, const gp_override *set) {
    return s->cli->settings.random + s->cli->settings.latin > 0 && gp_study_is_range(set->value);
}

static void set_axes(gp_sweep_job *s, const gp_overrides *single, const gp_sweep_flags *axes) {
    gp_arena *arena = s->cli->arena;
    gp_study *study = s->study;
    const size_t most = axes->count + single->count;
    study->axes.items = GP_NEW_ARRAY(arena, gp_study_axis, most + 1);
    s->fixed.items = GP_NEW_ARRAY(arena, gp_override, single->count + 1);
    for (size_t i = 0; i < axes->count; i++) {
        gp_study_axis *axis = &GP_NEXT(study->axes);
        axis->path = axes->items[i].path;
        axis->values.items = axes->items[i].values.items;
        axis->values.count = axes->items[i].values.count;
    }
    for (size_t i = 0; i < single->count; i++) {
        if (!is_axis(s, &single->items[i])) {
            GP_NEXT(s->fixed) = single->items[i];
            continue;
        }
        gp_study_axis *axis = &GP_NEXT(study->axes);
        axis->path = single->items[i].path;
        axis->values.items = &single->items[i].value;
        axis->values.count = 1;
    }
    if (s->cli->settings.vary != NULL && axes->count > 0)
        gp_complain(s->cli, GP_EXIT_USAGE,
                    "--vary changes one number at a time: --set %s can have only one value",
                    axes->items[0].path);
    check_axis_count(s->cli, study->axes.count);
}

/* ---- metrics */

static void add_metric(gp_sweep_job *s, const char *flag, const char *path, const char *goal) {
    const char *nearest = NULL;
    gp_status st = gp_study_add_metric(s->cli->arena, s->study, path, goal, &nearest);
    if (st == GP_ERR_NOT_FOUND) {
        const char *hint = nearest == NULL
                               ? "see: gpuplan schema report"
                               : gp_arena_printf(s->cli->arena, "did you mean '%s'?", nearest);
        gp_complain_hint(s->cli, GP_EXIT_USAGE, hint, "--%s %s: not a figure of a report", flag,
                         path);
    }
    if (st == GP_ERR_LIMIT)
        gp_complain(s->cli, GP_EXIT_USAGE, "more than %d figures", (int)GP_STUDY_METRICS_MAX);
    gp_check(s->cli, st, NULL);
}

static void add_fronts(gp_sweep_job *s) {
    static const char large[] = "max:";
    static const char small[] = "min:";
    const gp_words *fronts = &s->cli->settings.fronts;
    for (size_t i = 0; i < fronts->count; i++) {
        const char *path = fronts->items[i];
        const bool max = strncmp(path, large, sizeof large - 1) == 0;
        if (max || strncmp(path, small, sizeof small - 1) == 0)
            path += sizeof large - 1;
        add_metric(s, "front", path, max ? "max" : "min");
    }
}

/* GPUs and power; the cost where every item has a price, which the first plan tells. */
static void add_metrics(gp_sweep_job *s, const gp_report *report) {
    const gp_words *metrics = &s->cli->settings.metrics;
    const bool own = s->cli->settings.fronts.count > 0;
    add_fronts(s);
    if (!own)
        add_metric(s, "front", "summary.gpus", "min");
    if (!own)
        add_metric(s, "front", "summary.itPowerW", "min");
    if (!own && report->summary.feasible && report->cost.complete)
        add_metric(s, "front", "cost.totalPerYear", "min");
    if (s->study->draws > 0)
        add_metric(s, "draws", GP_STUDY_HOLDS, NULL);
    for (size_t i = 0; i < metrics->count; i++)
        add_metric(s, "metric", metrics->items[i], NULL);
}

/* ---- the run */

static const char *kept(gp_sweep_job *s, const char *text) {
    return text == NULL ? NULL : gp_arena_strndup(s->cli->arena, text, strlen(text));
}

static void describe(gp_sweep_job *s, const gp_report *report) {
    gp_study *study = s->study;
    s->described = true;
    study->schema_version = kept(s, report->schema_version);
    study->tool_version = kept(s, report->tool.version);
    study->plan = kept(s, report->summary.plan);
    study->spec = kept(s, report->inputs.spec.path);
    study->spec_sha256 = kept(s, report->inputs.spec.sha256);
    study->catalog_sha256 = kept(s, report->inputs.catalog.sha256);
    study->currency = kept(s, report->cost.currency);
    add_metrics(s, report);
    s->brief = true;
    for (size_t i = 0; i < study->metrics.count; i++)
        s->brief = s->brief && gp_report_is_brief(study->metrics.items[i].path);
}

/* The numbers of the spec, but for those that --set gives. */
static void list_numbers(gp_sweep_job *s) {
    gp_outcomes outcomes = {0};
    gp_flow_run(&s->flow, &s->fixed, &outcomes);
    if (outcomes.count != 1)
        gp_complain(s->cli, GP_EXIT_USAGE, "a sweep needs one plan; the input has %zu",
                    outcomes.count);
    const gp_plan_document *plan = outcomes.items[0].document;
    gp_status st =
        gp_spec_list_numbers(s->cli->arena, plan->text, plan->metadata.name, &s->numbers);
    gp_check(s->cli, st, NULL);
    size_t left = 0;
    for (size_t i = 0; i < s->numbers.count; i++) {
        bool set = false;
        for (size_t k = 0; k < s->fixed.count; k++)
            set = set || strcmp(s->fixed.items[k].path, s->numbers.items[i].path) == 0;
        if (!set)
            s->numbers.items[left++] = s->numbers.items[i];
    }
    s->numbers.count = left;
    s->study->point_count = 1 + 2 * (int64_t)left;
    describe(s, outcomes.items[0].report);
}

void gp_sweep_prepare(gp_sweep_job *s) {
    gp_overrides single = {0};
    gp_sweep_flags axes = {0};
    gp_sets_split(s->cli, &single, &axes);
    parse_kind(s);
    set_axes(s, &single, &axes);
    count_points(s, &axes);
    gp_flow_open(s->cli, s->operands, &s->flow);
    if (s->cli->settings.vary != NULL)
        list_numbers(s);
    parse_shard(s);
}

static gp_status sweep_all(void *context) {
    gp_sweep_job *job = context;
    gp_results_check(job->cli, &gp_study_results);
    gp_sweep_prepare(job);
    gp_sweep_run(job);
    gp_check(job->cli, gp_study_survey(job->cli->arena, job->study), NULL);
    gp_study_write(job->cli, job->study);
    return GP_OK;
}

/* With a door of its own: threads have arenas of theirs. */
static void run_sweep(gp_cli *cli) {
    gp_sweep_job job = {.cli = cli,
                        .operands = &cli->settings.operands,
                        .study = GP_NEW(cli->arena, gp_study),
                        .describe = describe};
    gp_status st = gp_arena_guard(cli->arena, sweep_all, &job);
    gp_sweep_free(&job);
    if (st != GP_OK)
        gp_arena_leave(cli->arena, st);
}

const gp_command gp_command_sweep = {
    .name = "sweep",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Size one plan at many values: its Pareto front, or the effect of each number.",
    .details = "With --set PATH=a,b,c the plan is sized at every combination of the values, and "
               "the points on the Pareto front are marked. With --random N or --latin N it is "
               "sized at drawn points, from lists or from ranges (PATH=5..80). With --vary 20% "
               "every number in the spec is varied 20% down and up by itself, and the table shows "
               "the effect of each. Exits with 1 if no point is feasible.",
    .examples =
        "  gpuplan sweep plan.yaml --set workloads.chat.traffic.requestsPerSecond=5,20,80 \\\n"
        "      --set workloads.chat.precision.weights=bf16,fp8\n"
        "  gpuplan sweep plan.yaml --vary 20% -o sensitivity.html\n"
        "  gpuplan sweep plan.yaml --latin 500 \\\n"
        "      --set workloads.chat.traffic.requestsPerSecond=5..80\n"
        "  gpuplan sweep plan.yaml --set ... --shard 1/4 -o part1.json\n",
    GP_OPTIONS(sweep_options),
    .run = run_sweep,
};
