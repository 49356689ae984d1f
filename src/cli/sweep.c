/*
 * The `sweep` command: one plan at every combination of some values, or with each of its numbers a
 * little lower and higher. A point is a run of its own: its memory is given back before the next.
 */
#include "cli/flow.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/study.h"
#include <gpuplan/units.h>

enum { POINT_MAX_BYTES = 1 << 30, PROGRESS_AFTER_S = 2 };

static const gp_opt sweep_options[] = {
    GP_OPTION_STUDY_FORMAT,
    GP_OPTION_STUDY_OUTPUT,
    GP_OPTION_SET("Override a value of the spec before it is sized; several, comma separated, make "
                  "an axis: PATH=a,b,c. Repeatable."),
    {.name = "vary",
     .kind = GP_OPT_TEXT,
     .offset = offsetof(gp_settings, vary),
     .argument = "SHARE",
     .help = "In place of axes: every number of the spec by itself, this share lower and higher "
             "(20%), and what each moves."},
    {.name = "metric",
     .kind = GP_OPT_LIST,
     .offset = offsetof(gp_settings, metrics),
     .argument = "PATH",
     .help = "A figure of each point, by its path in the report (gpuplan schema report). "
             "Repeatable."},
    {.name = "front",
     .kind = GP_OPT_LIST,
     .offset = offsetof(gp_settings, fronts),
     .argument = "[max:]PATH",
     .help = "A figure that the Pareto front keeps small (max: large). Repeatable; GPUs, IT power "
             "and, where all is priced, the cost of a year where absent."},
    {.name = "shard",
     .kind = GP_OPT_TEXT,
     .offset = offsetof(gp_settings, shard),
     .argument = "I/N",
     .help = "Only every Nth point from the Ith on; gpuplan merge puts the parts together."},
    GP_OPTION_CATALOG,
    GP_OPTIONS_LOCK,
    GP_OPTION_CALIBRATION,
    GP_OPTION_PRICES,
    GP_OPTION_OBJECTIVE,
    GP_OPTION_WIDTH,
};

typedef struct sweep {
    gp_cli *cli;
    gp_flow flow;
    gp_overrides fixed;
    gp_sweep_flags axes;
    gp_spec_numbers numbers; /* of --vary */
    gp_study *study;
    int64_t shard, shards;
    bool opened; /* the first plan was made, and with it the catalogue completed */
    bool watched, shown;
    time_t begin;
} sweep;

static gp_exit out_of_memory(gp_cli *cli) {
    return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
}

/* ---- flags */

static gp_exit parse_shard(sweep *s) {
    const char *text = s->cli->settings.shard;
    char rest = 0;
    int of = 0;
    int which = 0;
    s->shard = 1;
    s->shards = 1;
    if (text == NULL)
        return GP_EXIT_YES;
    if (sscanf(text, "%5d/%5d%c", &which, &of, &rest) != 2 || which < 1 || which > of)
        return gp_complain_hint(s->cli, GP_EXIT_USAGE, "for example --shard 2/4",
                                "--shard %s: I/N with I from 1 to N is due", text);
    s->shard = which;
    s->shards = of;
    return GP_EXIT_YES;
}

static gp_exit parse_vary(sweep *s) {
    const char *text = s->cli->settings.vary;
    gp_quantity share = {0};
    s->study->vary_fraction = GP_REPORT_NO_REAL;
    s->study->kind = text != NULL ? "vary" : "grid";
    if (text == NULL)
        return GP_EXIT_YES;
    if (gp_quantity_parse(text, strlen(text), GP_DIM_FRACTION, &share) != GP_QUANTITY_OK ||
        !(share.value > 0) || !(share.value < 1))
        return gp_complain_hint(s->cli, GP_EXIT_USAGE, "for example --vary 20%",
                                "--vary %s: a share above 0%% and below 100%% is due", text);
    s->study->vary_fraction = share.value;
    return GP_EXIT_YES;
}

/* What the catalogue is made of is read once. */
static gp_exit check_axis(gp_cli *cli, const gp_sweep_flag *axis) {
    if (strncmp(axis->path, "calibration", strlen("calibration")) != 0)
        return GP_EXIT_YES;
    return gp_complain_hint(cli, GP_EXIT_USAGE, "sweep once with each --calibration",
                            "--set %s: the calibration is the same at all points", axis->path);
}

static gp_exit check_axes(sweep *s) {
    gp_cli *cli = s->cli;
    int64_t points = 1;
    if (cli->settings.vary != NULL && s->axes.count > 0)
        return gp_complain(cli, GP_EXIT_USAGE,
                           "--vary takes one number at a time: --set %s can have one value",
                           s->axes.items[0].path);
    if (cli->settings.vary == NULL && s->axes.count == 0)
        return gp_complain_hint(
            cli, GP_EXIT_USAGE,
            "for example --set workloads.chat.traffic.requestsPerSecond=5,20,80, or --vary 20%",
            "nothing to sweep: an axis (--set PATH=a,b) or --vary is due");
    if (s->axes.count > GP_STUDY_AXES_MAX)
        return gp_complain(cli, GP_EXIT_USAGE, "more than %d paths with several values",
                           (int)GP_STUDY_AXES_MAX);
    for (size_t i = 0; i < s->axes.count; i++) {
        gp_exit code = check_axis(cli, &s->axes.items[i]);
        if (code != GP_EXIT_YES)
            return code;
        points *= (int64_t)s->axes.items[i].values.count;
        if (points > GP_STUDY_POINTS_MAX)
            return gp_complain(cli, GP_EXIT_USAGE, "more than %d points", (int)GP_STUDY_POINTS_MAX);
    }
    s->study->point_count = points;
    return GP_EXIT_YES;
}

static void copy_axes(sweep *s) {
    gp_study *study = s->study;
    study->axes.items = GP_NEW_ARRAY(s->cli->arena, gp_study_axis, s->axes.count + 1);
    for (size_t i = 0; i < s->axes.count; i++) {
        gp_study_axis *axis = &study->axes.items[study->axes.count++];
        *axis = (gp_study_axis){.path = s->axes.items[i].path};
        axis->values.items = s->axes.items[i].values.items;
        axis->values.count = s->axes.items[i].values.count;
    }
}

/* ---- metrics */

static gp_exit add_metric(sweep *s, const char *flag, const char *path, const char *goal) {
    const char *nearest = NULL;
    gp_status st = gp_study_add_metric(s->cli->arena, s->study, path, goal, &nearest);
    if (st == GP_ERR_NOT_FOUND) {
        const char *hint =
            nearest == NULL
                ? "gpuplan schema report lists them"
                : gp_arena_printf(s->cli->arena, "the nearest key there is '%s'", nearest);
        return gp_complain_hint(s->cli, GP_EXIT_USAGE, hint, "--%s %s: no figure of a report", flag,
                                path);
    }
    if (st == GP_ERR_LIMIT)
        return gp_complain(s->cli, GP_EXIT_USAGE, "more than %d figures",
                           (int)GP_STUDY_METRICS_MAX);
    return st == GP_OK ? GP_EXIT_YES : out_of_memory(s->cli);
}

static gp_exit add_fronts(sweep *s) {
    static const char large[] = "max:";
    static const char small[] = "min:";
    const gp_words *fronts = &s->cli->settings.fronts;
    gp_exit code = GP_EXIT_YES;
    for (size_t i = 0; i < fronts->count && code == GP_EXIT_YES; i++) {
        const char *path = fronts->items[i];
        const bool max = strncmp(path, large, sizeof large - 1) == 0;
        if (max || strncmp(path, small, sizeof small - 1) == 0)
            path += sizeof large - 1;
        code = add_metric(s, "front", path, max ? "max" : "min");
    }
    return code;
}

/* GPUs and power; the cost where every item has a price, which the first plan tells. */
static gp_exit add_metrics(sweep *s, const gp_report *report) {
    const gp_words *metrics = &s->cli->settings.metrics;
    const bool own = s->cli->settings.fronts.count > 0;
    gp_exit code = add_fronts(s);
    if (!own && code == GP_EXIT_YES)
        code = add_metric(s, "front", "summary.gpus", "min");
    if (!own && code == GP_EXIT_YES)
        code = add_metric(s, "front", "summary.itPowerW", "min");
    if (!own && code == GP_EXIT_YES && report->summary.feasible && report->cost.complete)
        code = add_metric(s, "front", "cost.totalPerYear", "min");
    for (size_t i = 0; i < metrics->count && code == GP_EXIT_YES; i++)
        code = add_metric(s, "metric", metrics->items[i], NULL);
    return code;
}

/* ---- points */

static const char *kept(sweep *s, const char *text) {
    return text == NULL ? NULL : gp_arena_strndup(s->cli->arena, text, strlen(text));
}

static gp_exit describe(sweep *s, const gp_report *report) {
    gp_study *study = s->study;
    study->schema_version = kept(s, report->schema_version);
    study->tool_version = kept(s, report->tool.version);
    study->plan = kept(s, report->summary.plan);
    study->spec = kept(s, report->inputs.spec.path);
    study->spec_sha256 = kept(s, report->inputs.spec.sha256);
    study->catalog_sha256 = kept(s, report->inputs.catalog.sha256);
    study->currency = kept(s, report->cost.currency);
    return add_metrics(s, report);
}

/* The values of a point, the last axis first to move. */
static void grid_sets(sweep *s, gp_study_point *point) {
    int64_t rest = point->number - 1;
    point->sets.count = s->axes.count;
    point->sets.items = GP_NEW_ARRAY(s->cli->arena, gp_study_set, s->axes.count + 1);
    for (size_t i = s->axes.count; i-- > 0;) {
        const gp_sweep_flag *axis = &s->axes.items[i];
        const int64_t count = (int64_t)axis->values.count;
        point->sets.items[i] = (gp_study_set){axis->path, axis->values.items[rest % count], NULL};
        rest /= count;
    }
}

/* The plan as it is, then each number lower and higher. */
static void vary_sets(sweep *s, gp_study_point *point) {
    if (point->number == 1)
        return;
    const gp_spec_number *number = &s->numbers.items[(point->number - 2) / 2];
    const bool up = point->number % 2 == 1;
    const double share = s->study->vary_fraction;
    gp_study_set *set = GP_NEW(s->cli->arena, gp_study_set);
    const char *value = gp_spec_number_scaled(s->cli->arena, number, up ? 1 + share : 1 - share);
    *set = (gp_study_set){number->path, value, number->text};
    point->sets.items = set;
    point->sets.count = 1;
}

/* --set of the whole study, then those of the point. */
static void overrides_of(sweep *s, const gp_study_point *point, gp_arena *arena,
                         gp_overrides *ret) {
    ret->items = GP_NEW_ARRAY(arena, gp_override, s->fixed.count + point->sets.count + 1);
    for (size_t i = 0; i < s->fixed.count; i++)
        ret->items[ret->count++] = s->fixed.items[i];
    for (size_t i = 0; i < point->sets.count; i++) {
        ret->items[ret->count++] =
            (gp_override){point->sets.items[i].path, point->sets.items[i].value};
    }
}

static const char *first_error(const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++) {
        if (diags->items[i].level == GP_LEVEL_ERROR)
            return diags->items[i].message;
    }
    return "no plan can be made";
}

/* Makes the plan of a point and keeps its figures. A number that cannot be varied makes a refused
 * point; a value that was asked for and cannot be is an error. */
static gp_exit run_point(sweep *s, gp_study_point *point, gp_cli *cli) {
    gp_overrides overrides = {0};
    gp_outcomes outcomes = {0};
    gp_flow flow = s->flow;
    const bool may_fail = s->numbers.count > 0 && s->opened;
    flow.cli = cli;
    overrides_of(s, point, cli->arena, &overrides);
    cli->muted = may_fail;
    gp_exit code = gp_flow_run(&flow, &overrides, &outcomes);
    cli->muted = false;
    if (code == GP_EXIT_INPUT && may_fail) {
        point->refused = kept(s, first_error(&flow.diags));
        return GP_EXIT_YES;
    }
    if (code == GP_EXIT_YES && outcomes.count != 1)
        return gp_complain(cli, GP_EXIT_USAGE, "a sweep needs one plan, and the input holds %zu",
                           outcomes.count);
    if (code == GP_EXIT_YES && !s->opened) {
        s->flow = flow; /* with all that is read once */
        s->flow.cli = s->cli;
        code = describe(s, outcomes.items[0].report);
    }
    if (code != GP_EXIT_YES)
        return code;
    gp_study_fill(s->cli->arena, s->study, outcomes.items[0].report, point);
    return GP_EXIT_YES;
}

typedef struct point_work {
    sweep *s;
    gp_study_point *point;
    gp_cli *scratch;
    gp_exit code;
} point_work;

static gp_status run_scratch(void *context) {
    point_work *work = context;
    work->code = run_point(work->s, work->point, work->scratch);
    return GP_OK;
}

/* Every point but the first in an arena of its own, without the warnings of the first again. */
static gp_exit run_apart(sweep *s, gp_study_point *point) {
    gp_cli scratch = *s->cli;
    scratch.arena = gp_arena_new(POINT_MAX_BYTES);
    scratch.settings.quiet = true;
    if (scratch.arena == NULL)
        gp_arena_exhausted(s->cli->arena);
    point_work work = {s, point, &scratch, GP_EXIT_YES};
    gp_status st = gp_arena_guard(scratch.arena, run_scratch, &work);
    s->cli->error = scratch.error;
    gp_arena_free(scratch.arena);
    if (st == GP_ERR_NO_MEMORY)
        return gp_complain(s->cli, GP_EXIT_INTERNAL, "out of memory");
    return work.code;
}

static void show_progress(sweep *s, int64_t done) {
    if (!s->watched || time(NULL) - s->begin < PROGRESS_AFTER_S)
        return;
    s->shown = true;
    (void)fprintf(stderr, "\rgpuplan sweep: %lld of %lld points ", (long long)done,
                  (long long)((s->study->point_count + s->shards - s->shard) / s->shards));
}

static void clear_progress(const sweep *s) {
    if (s->shown)
        (void)fprintf(stderr, "\r%*s\r", 60, "");
}

static gp_exit run_all(sweep *s) {
    gp_study *study = s->study;
    const bool grid = s->cli->settings.vary == NULL;
    gp_exit code = GP_EXIT_YES;
    study->points.items =
        GP_NEW_ARRAY(s->cli->arena, gp_study_point, (size_t)study->point_count + 1);
    for (int64_t n = s->shard; n <= study->point_count && code == GP_EXIT_YES; n += s->shards) {
        gp_study_point *point = &study->points.items[study->points.count++];
        *point = (gp_study_point){.number = n};
        if (grid)
            grid_sets(s, point);
        else
            vary_sets(s, point);
        code = s->opened ? run_apart(s, point) : run_point(s, point, s->cli);
        s->opened = true;
        show_progress(s, (int64_t)study->points.count);
    }
    clear_progress(s);
    return code;
}

/* The numbers of the spec, but for those that --set gives. */
static gp_exit list_numbers(sweep *s) {
    gp_outcomes outcomes = {0};
    gp_exit code = gp_flow_run(&s->flow, &s->fixed, &outcomes);
    if (code != GP_EXIT_YES)
        return code;
    if (outcomes.count != 1)
        return gp_complain(s->cli, GP_EXIT_USAGE, "a sweep needs one plan, and the input holds %zu",
                           outcomes.count);
    const gp_plan_document *plan = outcomes.items[0].document;
    gp_status st =
        gp_spec_list_numbers(s->cli->arena, plan->text, plan->metadata.name, &s->numbers);
    if (st != GP_OK)
        return gp_status_exit(s->cli, st, NULL);
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
    return describe(s, outcomes.items[0].report);
}

static gp_exit prepare(sweep *s) {
    gp_exit code = gp_sets_split(s->cli, &s->fixed, &s->axes);
    if (code == GP_EXIT_YES)
        code = parse_shard(s);
    if (code == GP_EXIT_YES)
        code = parse_vary(s);
    if (code == GP_EXIT_YES)
        code = check_axes(s);
    if (code == GP_EXIT_YES)
        copy_axes(s);
    return code;
}

static gp_exit run_sweep(gp_cli *cli) {
    sweep s = {.cli = cli, .watched = gp_terminal_watched(), .begin = time(NULL)};
    s.study = GP_NEW(cli->arena, gp_study);
    gp_exit code = gp_results_check(cli, &gp_study_results);
    if (code == GP_EXIT_YES)
        code = prepare(&s);
    if (code == GP_EXIT_YES)
        code = gp_flow_open(cli, &cli->settings.operands, &s.flow);
    if (code == GP_EXIT_YES && cli->settings.vary != NULL) {
        code = list_numbers(&s);
        s.opened = true;
    }
    if (code == GP_EXIT_YES)
        code = run_all(&s);
    if (code != GP_EXIT_YES)
        return code;
    gp_study_mark_front(s.study);
    return gp_study_write(cli, s.study);
}

const gp_command gp_command_sweep = {
    .name = "sweep",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Size one plan at many values: its Pareto front, or what each number moves.",
    .details = "With --set PATH=a,b,c the plan is sized at every combination of the values, and "
               "the points that no other one beats are marked. With --vary 20% every number that "
               "the spec states goes 20% down and up by itself, and the table says what each "
               "moves. Exits with 1 where no point is feasible.",
    .examples =
        "  gpuplan sweep plan.yaml --set workloads.chat.traffic.requestsPerSecond=5,20,80 \\\n"
        "      --set workloads.chat.precision.weights=bf16,fp8\n"
        "  gpuplan sweep plan.yaml --vary 20% -o sensitivity.html\n"
        "  gpuplan sweep plan.yaml --set ... --shard 1/4 -o part1.json\n",
    .options = sweep_options,
    .option_count = GP_COUNT_OF(sweep_options),
    .run = run_sweep,
};
