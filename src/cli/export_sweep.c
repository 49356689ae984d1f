/*
 * `export slurm|k8s --sweep N`: a sweep in N parts for a cluster. The sweep is checked as `sweep`
 * checks it, before anything is written.
 */
#include "cli/sweep_run.h"

#include <string.h>

#include <gpuplan/render.h>

/* What the sweep on the cluster is given again. */
static const char *const again[] = {"set",    "vary",  "random",    "latin",   "draws",
                                    "seed",   "front", "metric",    "catalog", "calibration",
                                    "prices", "lock",  "objective", "locked",  NULL};

/* Pods have the spec and nothing beside it. */
static void check_files(gp_cli *cli, const gp_flow *flow, bool pods) {
    const gp_settings *s = &cli->settings;
    if (flow->texts.count != 1 || strcmp(flow->texts.items[0]->name, "-") == 0)
        gp_complain(cli, GP_EXIT_USAGE, "--sweep: expected one file");
    if (pods && s->catalogs.count + s->calibrations.count + s->prices.count > 0)
        gp_complain_hint(
            cli, GP_EXIT_USAGE, "add them to the spec file as documents",
            "--sweep: pods get only the spec, without --catalog, --calibration and --prices");
}

/* "minimal" of examples/minimal.plan.yaml */
static const char *name_of(gp_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    return gp_arena_printf(arena, "%.*s-sweep", (int)strcspn(base, "."), base);
}

static void write_order(gp_cli *cli, const gp_export *kind, const gp_sweep_order *order) {
    const gp_words *outputs = &cli->settings.outputs;
    gp_artefact artefact = {.path = outputs->count > 0 ? outputs->items[0] : NULL};
    gp_status st = gp_export_sweep(cli->arena, kind, order, &artefact.text, &artefact.len);
    gp_check(cli, st, NULL);
    gp_artefacts_put(cli, &artefact, 1);
}

void gp_export_sweep_run(gp_cli *cli, const gp_export *kind) {
    const bool pods = strcmp(gp_export_name(kind), "k8s") == 0;
    const int64_t parts = cli->settings.sweep;
    gp_words arguments = {0};
    gp_words spec = {0};
    gp_sweep_job job = {.cli = cli, .study = GP_NEW(cli->arena, gp_study), .operands = &spec};
    if (!pods && strcmp(gp_export_name(kind), "slurm") != 0)
        gp_complain(cli, GP_EXIT_USAGE, "--sweep is an option of 'export slurm' and k8s");
    if (cli->settings.outputs.count > 1 || cli->settings.export_form != NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--sweep: expected one output, which has one form");
    cli->settings.shard =
        gp_arena_printf(cli->arena, "%lld/%lld", (long long)parts, (long long)parts);
    gp_options_again(cli, again, &arguments);
    gp_words_add(cli->arena, &spec, cli->settings.operands.items[1]);
    gp_sweep_prepare(&job);
    check_files(cli, &job.flow, pods);
    const gp_text *text = job.flow.texts.items[0];
    const gp_sweep_order order = {.name = name_of(cli->arena, text->name),
                                  .version = GP_VERSION,
                                  .spec = text,
                                  .image = cli->settings.image,
                                  .parts = parts,
                                  .points = job.study->point_count,
                                  .arguments = arguments.items,
                                  .argument_count = arguments.count};
    write_order(cli, kind, &order);
}
