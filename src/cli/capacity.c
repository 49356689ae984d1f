/*
 * The `capacity` command: what a site and its cluster hold, with or without workloads.
 */
#include "cli/flow.h"

static const char *const capacity_forms[] = {"text", "json", "markdown", NULL};

static const gp_opt capacity_options[] = {
    GP_FORM(capacity_forms, "Form on standard output."),
    GP_OUTPUTS("FILE", "Write a file; the extension sets the form (.txt .json .md). Repeatable."),
    GP_TEXT(
        "site", site, "NAME",
        "The site to work out, where there are several, with the workloads that may run there."),
    GP_TEXT("power", most_power, "POWER",
            "IT power (such as 1 MW), in place of site.power.itCapacity."),
    GP_TEXT("budget", most_money, "MONEY",
            "Capital (such as 20M USD), in place of costs.budget.capital."),
    GP_NUMBER("racks", most_racks, "N", 1, 1000000,
              "Number of racks, in place of site.racks.count."),
    GP_NUMBER("gpus", most_gpus, "N", 1, 10000000,
              "Most GPUs over all machines, including installed ones."),
    GP_OPTION_SIMULATE("Simulate each service at its largest load, where a goal limits a "
                       "percentile: quick (the default), full or off."),
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_OPTION_WIDTH,
};

static const gp_result_kind results = {
    .forms = &gp_forms_capacity,
    .extensions = ".txt, .json or .md",
};

/* The limits that flags state, as --set would; behind those of --set, so that they win. */
static void add_limits(gp_cli *cli, gp_overrides *sets) {
    const gp_settings *settings = &cli->settings;
    const char *racks = settings->most_racks > 0
                            ? gp_arena_printf(cli->arena, "%lld", (long long)settings->most_racks)
                            : NULL;
    const char *at =
        settings->site != NULL ? gp_arena_printf(cli->arena, "sites.%s.", settings->site) : "";
    const gp_override limits[] = {
        {gp_arena_printf(cli->arena, "%ssite.power.itCapacity", at), settings->most_power},
        {"costs.budget.capital", settings->most_money},
        {gp_arena_printf(cli->arena, "%ssite.racks.count", at), racks},
    };
    enum { LIMITS = GP_COUNT_OF(limits) };
    gp_override *items = GP_NEW_ARRAY(cli->arena, gp_override, sets->count + LIMITS);
    for (size_t i = 0; i < sets->count; i++)
        items[i] = sets->items[i];
    sets->items = items;
    for (size_t i = 0; i < LIMITS; i++)
        if (limits[i].value != NULL)
            items[sets->count++] = limits[i];
}

static void run_capacity(gp_cli *cli) {
    gp_overrides sets = {0};
    gp_report_capacity *capacity = NULL;
    gp_flow flow;
    gp_results_check(cli, &results);
    gp_flow_begin(cli, &cli->settings.operands, &sets, &flow);
    add_limits(cli, &sets);
    gp_flow_capacity(&flow, &sets, cli->settings.most_gpus, &capacity);
    gp_results_write(cli, &results, cli->settings.form, capacity);
}

const gp_command gp_command_capacity = {
    .name = "capacity",
    .operands = "FILE|DIR|-",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Show what a site and its cluster can hold: machines of each type, and how far "
               "demand can grow.",
    .details = "Fills the site with machines of each candidate type, beside the installed ones, up "
               "to the first limit of power, cooling, racks or money, and names that limit and the "
               "next one. Where the spec has workloads, shows how far each of them can grow on "
               "those machines while the others stay as they are (the rate of a service, runs per "
               "week, concurrent runs), and by what common factor all of them can grow. A site or "
               "a cluster without workloads is enough.",
    .examples = "  gpuplan capacity hall.yaml\n"
                "  gpuplan capacity hall.yaml --power 1MW --racks 40\n"
                "  gpuplan capacity plan.yaml --gpus 512 -o capacity.json\n",
    GP_OPTIONS(capacity_options),
    .project_specs = true,
    .run = run_capacity,
};
