/*
 * The `export` command: a plan as manifests, job scripts, a bill, a tender or a declared spec.
 */
#include "cli/diff.h"
#include "cli/study.h"
#include "cli/sweep_run.h"

#include <string.h>

static const char *const export_words[] = {"k8s", "kueue", "slurm", "bom", "rfp", "spec", NULL};
static const char *const autoscaler_words[] = {"hpa", "keda", "none", NULL};
static const char *const api_words[] = {"v1beta1", "v1beta2", NULL};

static const gp_opt export_options[] = {
    GP_TEXT("format", export_form, "FORM",
            "Form on standard output: k8s, kueue and spec: yaml; slurm: all (for reading), gres, "
            "nodes and job; bom: csv and markdown; rfp: markdown and csv.",
            .letter = 'f'),
    GP_OUTPUTS("[FORM=]FILE",
               "Write a file instead of standard output; the extension sets the form (.yaml "
               ".sbatch .conf .csv .md) unless FORM= is given. Repeatable."),
    GP_TEXT("workload", workload, "NAME",
            "Export this workload only; all are still planned together.", .letter = 'w',
            .value = GP_VALUE_WORKLOAD),
    GP_TEXT("image", image, "NAME", "k8s: container image; by default a placeholder name."),
    GP_WORD("autoscaler", autoscaler, "WORD", autoscaler_words,
            "k8s: hpa (the default where the plan has a metric), keda or none."),
    GP_TEXT("metric", metric, "NAME",
            "k8s: metric to scale on, by its exported name, in place of that of the plan."),
    GP_TEXT("prometheus", prometheus, "URL",
            "k8s with --autoscaler keda: address of the monitoring server."),
    GP_WORD("api", api, "VERSION", api_words, "kueue: v1beta1 (the default) or v1beta2."),
    GP_SWITCH("neutral", neutral, "rfp: name products in the annex only."),
    GP_NUMBER("sweep", sweep, "N", 1, 1000000,
              "slurm, k8s: instead of the jobs of the plan, a sweep of it in N parts, as a job "
              "array or an Indexed Job, followed by the merge. The options below belong to the "
              "sweep, and --metric is a figure of its points."),
    GP_OPTIONS_SWEEP("--sweep: PATH=VALUE for all points, PATH=a,b,c for an axis. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
};

/* A form of the export by name. */
static const char *form_named(const gp_export *kind, const char *name, size_t len) {
    for (size_t i = 0; gp_export_form(kind, i) != NULL; i++) {
        const char *form = gp_export_form(kind, i);
        if (strlen(form) == len && memcmp(form, name, len) == 0)
            return form;
    }
    return NULL;
}

static const char *form_list(gp_cli *cli, const gp_export *kind) {
    const char *list = "available:";
    for (size_t i = 0; gp_export_form(kind, i) != NULL; i++)
        list = gp_arena_printf(cli->arena, "%s %s", list, gp_export_form(kind, i));
    return list;
}

enum { OUTPUTS_MAX = 16 };

static void parse_output(gp_cli *cli, const gp_export *kind, const char *output, gp_sink *ret) {
    size_t len = strcspn(output, "=");
    const char *form = output[len] == '=' ? form_named(kind, output, len) : NULL;
    *ret = (gp_sink){form != NULL ? output + len + 1 : output, form};
    if (ret->path[0] == '\0' || strcmp(ret->path, "-") == 0)
        gp_complain(cli, GP_EXIT_USAGE, "--output %s: expected a file", output);
    if (ret->form == NULL)
        ret->form = gp_export_form_for_file(kind, output);
    if (ret->form == NULL && gp_export_form(kind, 1) == NULL)
        ret->form = gp_export_form(kind, 0);
    if (ret->form == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, form_list(cli, kind),
                         "--output %s: the name does not tell the form; write FORM=FILE", output);
}

static void parse_goals(gp_cli *cli, const gp_export *kind, gp_sinks *ret) {
    const gp_settings *settings = &cli->settings;
    *ret = (gp_sinks){.forms = NULL};
    if (settings->export_form != NULL &&
        form_named(kind, settings->export_form, strlen(settings->export_form)) == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, form_list(cli, kind), "--format: %s has no form '%s'",
                         gp_export_name(kind), settings->export_form);
    if (settings->outputs.count >= OUTPUTS_MAX)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", OUTPUTS_MAX - 1);
    if (settings->export_form != NULL || settings->outputs.count == 0)
        GP_NEXT(*ret) = (gp_sink){NULL, settings->export_form};
    for (size_t i = 0; i < settings->outputs.count; i++) {
        gp_sink sink;
        parse_output(cli, kind, settings->outputs.items[i], &sink);
        gp_sinks_add(cli, ret, sink);
    }
}

static void check_sweep(gp_cli *cli) {
    const gp_settings *s = &cli->settings;
    const bool given = s->sets.count + s->fronts.count > 0 || s->vary != NULL ||
                       s->random + s->latin + s->draws + s->seed > 0;
    if (s->sweep == 0 && given)
        gp_complain(cli, GP_EXIT_USAGE,
                    "--set, --vary, --front, --random, --latin, "
                    "--draws and --seed are options of --sweep");
}

/* Options that the kind would pass over in silence. */
static void check_options(gp_cli *cli, const gp_export *kind) {
    const gp_settings *settings = &cli->settings;
    const struct {
        const char *option, *kind;
        bool given;
    } owned[] = {
        {"image", "k8s", settings->image != NULL},
        {"autoscaler", "k8s", settings->autoscaler > 0},
        {"metric", "k8s", settings->metric != NULL && settings->sweep == 0},
        {"prometheus", "k8s", settings->prometheus != NULL},
        {"api", "kueue", settings->api > 0},
        {"neutral", "rfp", settings->neutral},
    };
    if (settings->workload != NULL && strcmp(gp_export_name(kind), "spec") == 0)
        gp_complain(cli, GP_EXIT_USAGE,
                    "--workload: 'export spec' declares all workloads of the plan");
    for (size_t i = 0; i < GP_COUNT_OF(owned); i++)
        if (owned[i].given && strcmp(owned[i].kind, gp_export_name(kind)) != 0)
            gp_complain(cli, GP_EXIT_USAGE, "--%s is an option of 'export %s'", owned[i].option,
                        owned[i].kind);
}

static void find_kind(gp_cli *cli, const char *name, const gp_export **ret_kind) {
    *ret_kind = gp_export_named(name);
    if (*ret_kind != NULL)
        return;
    const char *nearest = gp_nearest(name, export_words);
    gp_complain_hint(cli, GP_EXIT_USAGE, "available: k8s, kueue, slurm, bom, rfp, spec",
                     "no export '%s'%s%s", name, nearest != NULL ? "; nearest: " : "",
                     nearest != NULL ? nearest : "");
}

static void make_text(gp_cli *cli, const gp_export *kind, const gp_side *side, const gp_sink *it,
                      gp_artefact *ret) {
    const gp_settings *settings = &cli->settings;
    const gp_report *report = side->reports.items[0];
    const gp_export_options options = {
        .form = it->form,
        .workload = settings->workload,
        .image = settings->image,
        .autoscaler = settings->autoscaler > 0 ? autoscaler_words[settings->autoscaler - 1] : NULL,
        .metric = settings->metric,
        .prometheus = settings->prometheus,
        .api = settings->api > 0 ? api_words[settings->api - 1] : NULL,
        .neutral = settings->neutral,
        .planned = side->planned.count == 1 ? side->planned.items[0].result : NULL,
    };
    gp_export_problem problem;
    *ret = (gp_artefact){.path = it->path};
    gp_status st =
        gp_export_report(cli->arena, kind, report, &options, &problem, &ret->text, &ret->len);
    if (st != GP_OK && problem.message != NULL)
        gp_complain_hint(cli, GP_EXIT_INPUT, problem.hint, "%s", problem.message);
    if (st != GP_OK)
        gp_complain(cli, GP_EXIT_INTERNAL, "cannot write the export (%s)", gp_status_name(st));
}

static void write_goals(gp_cli *cli, const gp_export *kind, const gp_side *side,
                        const gp_sinks *all) {
    gp_artefact artefacts[OUTPUTS_MAX] = {{0}};
    for (size_t i = 0; i < all->count; i++)
        make_text(cli, kind, side, &all->items[i], &artefacts[i]);
    gp_artefacts_put(cli, artefacts, all->count);
}

static void run_export(gp_cli *cli) {
    const gp_export *kind = NULL;
    gp_sinks all;
    gp_side side;
    find_kind(cli, cli->settings.operands.items[0], &kind);
    check_options(cli, kind);
    check_sweep(cli);
    if (cli->settings.sweep > 0) {
        gp_export_sweep_run(cli, kind);
        return;
    }
    parse_goals(cli, kind, &all);
    gp_side_open(cli, cli->settings.operands.items[1], &side);
    gp_side_plan(&side, NULL);
    if (side.reports.count != 1)
        gp_complain(cli, GP_EXIT_USAGE, "an export is of one plan, and the input holds %zu",
                    side.reports.count);
    const gp_words asked = {.count = cli->settings.workload != NULL,
                            .items = &cli->settings.workload};
    gp_workloads_check(cli, &side.reports, &asked);
    write_goals(cli, kind, &side, &all);
}

const gp_command gp_command_export = {
    .name = "export",
    .operands = "k8s|kueue|slurm|bom|rfp|spec PLAN.yaml|REPORT.json",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "Turn a plan into manifests, job scripts, a bill, a tender or a declared spec.",
    .details =
        "Plans a spec, or reads a report saved as JSON (its name ends in .json, or - for standard "
        "input). k8s writes a Deployment, or a LeaderWorkerSet where a replica spans hosts, with "
        "an autoscaler at the plan's threshold, and a Job for a run, or a JobSet where it spans "
        "hosts; kueue a ResourceFlavor per GPU, a ClusterQueue and LocalQueues; slurm gres.conf, "
        "node lines and a job script; bom the bill of quantities; rfp the requirements of a tender "
        "with acceptance tests; spec the spec with the machines and layouts of the plan declared, "
        "for check and size: goals, limits and prices stay; give the same flags again. Replicas x "
        "pods x GPUs equals the report, and every export names the digest of the plan. Anything "
        "that the report cannot provide is an error.",
    .examples =
        "  gpuplan export k8s plan.yaml -w chat --autoscaler keda\n"
        "  gpuplan export slurm plan.yaml -w pretrain -o pretrain.sbatch -o gres=gres.conf\n"
        "  gpuplan export slurm plan.yaml --sweep 100 --set PATH=a,b,c -o sweep.sh\n"
        "  gpuplan export rfp report.json --neutral -o tender.md\n"
        "  gpuplan export spec plan.yaml -o built.yaml && gpuplan check built.yaml\n",
    GP_OPTIONS(export_options),
    .words = export_words,
    .files = true,
    .run = run_export,
};
