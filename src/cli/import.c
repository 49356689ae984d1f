/*
 * The `import` command: model configurations as catalogue rows, descriptions of machines as pools.
 */
#include <string.h>

#include "cli/http.h"
#include "cli/hub.h"
#include "cli/locks.h"
#include "import/import.h"

static const gp_opt import_options[] = {
    GP_OPTIONS_FETCHED,
    GP_TEXT("revision", revision, "NAME",
            "Branch, tag or commit of the repository (default: main)."),
    GP_TEXT("name", name, "ORG/NAME",
            "Model name for file: (default: derived from the file name)."),
    GP_TEXTS("gpu", gpus, "[NAME=]ID",
             "Catalogue GPU for an hwloc or Slurm name that matches several. Repeatable."),
    GP_TEXTS("system", systems, "[NAME=]ID",
             "Catalogue system of the machines with that GPU; by default it is written out. "
             "Repeatable."),
    GP_SWITCH("architectures", architectures,
              "List the model architectures that can be read, and exit."),
    GP_OPTIONS_HTTP,
};

/* ---- models */

static void print_summary(gp_cli *cli, const gp_import_model *model, const char *name) {
    gp_buf page = GP_PAGE(cli->arena);
    if (cli->settings.quiet)
        return;
    const char *all = gp_quantity_format(cli->arena, model->parameters, GP_DIM_COUNT);
    const char *active = gp_quantity_format(cli->arena, model->active_parameters, GP_DIM_COUNT);
    const char *expected = gp_quantity_format(cli->arena, model->expected_bytes, GP_DIM_BYTES);
    gp_buf_printf(&page, "%s: %s, %s parameters, %s active, weights %s from the shape", name,
                  model->architecture, all, active, expected);
    if (model->checkpoint_bytes > 0)
        gp_buf_printf(&page, ", %s published",
                      gp_quantity_format(cli->arena, model->checkpoint_bytes, GP_DIM_BYTES));
    gp_buf_str(&page, "\n");
    gp_stderr_write(page.data);
    gp_notes_print(cli, model->notes.items, model->notes.count);
}

static void read_model(gp_cli *cli, gp_import_model_input *input, gp_import_model *ret_model) {
    gp_diags diags = GP_DIAGS(cli->arena);
    input->date = gp_day_text(cli->arena, gp_day_find(cli));
    gp_status st = gp_import_model_read(cli->arena, input, &diags, ret_model);
    gp_check(cli, st, &diags);
}

static void import_hub(gp_cli *cli, const char *name) {
    gp_hub_model fetched = {.source_count = 0};
    gp_import_model model = {.id = NULL};
    gp_hub_fetch(cli, name, &fetched);
    gp_import_model_input input = {
        .name = fetched.name,
        .source = gp_arena_printf(cli->arena, "config.json of %s at %s, revision %s", fetched.name,
                                  fetched.host, fetched.revision),
        .config = fetched.config,
        .quantization = fetched.quantization,
        .index = fetched.index,
        .checkpoint_bytes = fetched.checkpoint_bytes,
    };
    read_model(cli, &input, &model);
    gp_lock_new entry = {
        .name = gp_arena_printf(cli->arena, "hf:%s", fetched.name),
        .date = input.date,
        .revision = fetched.revision,
        .sources = fetched.sources,
        .source_count = fetched.source_count,
        .kind = "model",
        .payload = model.row,
    };
    print_summary(cli, &model, fetched.name);
    gp_fetched_write(cli, model.document, &entry);
}

/* "dir/ORG--NAME_config.json" -> "ORG/NAME"; "dir/NAME/config.json" -> "NAME". */
static const char *name_of_file(gp_arena *arena, const char *path) {
    static const char *const tails[] = {"_config.json", "config.json", ".json"};
    size_t len = strlen(path);
    for (size_t i = 0; i < GP_COUNT_OF(tails); i++) {
        size_t tail = strlen(tails[i]);
        if (len > tail && strcmp(path + len - tail, tails[i]) == 0) {
            len -= tail;
            break;
        }
    }
    while (len > 0 && path[len - 1] == '/')
        len--;
    size_t begin = len;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    char *name = gp_arena_strndup(arena, path + begin, len - begin);
    char *dashes = strstr(name, "--");
    if (dashes != NULL) {
        *dashes = '/';
        memmove(dashes + 1, dashes + 2, strlen(dashes + 2) + 1);
    }
    return name == NULL || *name != '\0' ? name : "model";
}

/* The quantization lies beside the configuration under a name of its own. */
static const char *quantization_path(gp_arena *arena, const char *path) {
    static const char tail[] = "config.json";
    size_t len = strlen(path);
    if (len < sizeof tail - 1 || strcmp(path + len - (sizeof tail - 1), tail) != 0)
        return gp_arena_printf(arena, "%s.hf_quant_config.json", path);
    return gp_arena_printf(arena, "%.*shf_quant_config.json", (int)(len - (sizeof tail - 1)), path);
}

static void import_file(gp_cli *cli, const char *path) {
    gp_text *quantization = NULL;
    gp_import_model model = {.id = NULL};
    const char *beside = quantization_path(cli->arena, path);
    const char *name = cli->settings.name;
    gp_text *config = gp_file_read(cli, path);
    if (strcmp(path, "-") != 0)
        quantization = gp_file_find(cli, beside);
    if (name == NULL)
        name = strcmp(path, "-") == 0 ? "model" : name_of_file(cli->arena, path);
    gp_import_model_input input = {
        .name = name,
        .source = gp_arena_printf(cli->arena, "config.json of %s, a local file", name),
        .config = config,
        .quantization = quantization,
    };
    read_model(cli, &input, &model);
    print_summary(cli, &model, name);
    gp_fetched_write(cli, model.document, NULL);
}

/* ---- machines */

static void import_pools(gp_cli *cli, const char *path, gp_import_read_pools *read) {
    gp_text *text = NULL;
    gp_catalog *catalog = NULL;
    gp_import_pools pools = {.fragment = NULL};
    const gp_settings *settings = &cli->settings;
    gp_import_pool_options options = {
        .gpus = {settings->gpus.count, settings->gpus.items},
        .systems = {settings->systems.count, settings->systems.items},
    };
    text = gp_file_read_most(cli, path, GP_LOG_MAX_BYTES);
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_status st = gp_catalog_open(cli->arena, &diags, &catalog);
    st = read(cli->arena, text, catalog, &options, &diags, &pools);
    gp_check(cli, st, &diags);
    const char *document =
        gp_arena_printf(cli->arena, "# %s: put this under spec: of a plan.\n%s",
                        pools.what == NULL ? "Machines found" : pools.what, pools.fragment);
    gp_notes_print(cli, pools.notes.items, pools.notes.count);
    gp_fetched_write(cli, document, NULL);
}

/* ---- the command */

typedef struct source_kind {
    const char *scheme;
    void (*run)(gp_cli *cli, const char *rest);
    gp_import_read_pools *read; /* in place of that: of machines */
} source_kind;

static const source_kind kinds[] = {
    {"hf:", import_hub, NULL},
    {"file:", import_file, NULL},
    {"hwloc:", NULL, gp_import_hwloc_read},
    {"slurm:", NULL, gp_import_slurm_read},
};

static void list_architectures(gp_cli *cli) {
    gp_buf page = GP_PAGE(cli->arena);
    for (size_t i = 0; gp_import_architectures[i] != NULL; i++)
        gp_buf_printf(&page, "%s\n", gp_import_architectures[i]);
    gp_stdout_page(cli, &page);
}

static void run_import(gp_cli *cli) {
    const gp_words *operands = &cli->settings.operands;
    if (cli->settings.architectures) {
        list_architectures(cli);
        return;
    }
    if (operands->count == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE,
                         "usage: gpuplan import [options] hf:ORG/NAME|file:PATH|hwloc:PATH|"
                         "slurm:PATH",
                         "an operand is missing");
    if (cli->settings.outputs.count > 1)
        gp_complain(cli, GP_EXIT_USAGE, "--output is given twice");
    for (size_t i = 0; i < GP_COUNT_OF(kinds); i++) {
        size_t len = strlen(kinds[i].scheme);
        if (strncmp(operands->items[0], kinds[i].scheme, len) == 0) {
            if (kinds[i].run != NULL)
                kinds[i].run(cli, operands->items[0] + len);
            else
                import_pools(cli, operands->items[0] + len, kinds[i].read);
            return;
        }
    }
    gp_complain_hint(cli, GP_EXIT_USAGE, "hf:ORG/NAME, file:PATH, hwloc:PATH or slurm:PATH",
                     "the operand does not state what to import");
}

const gp_command gp_command_import = {
    .name = "import",
    .operands = "hf:ORG/NAME[@REVISION]|file:PATH|hwloc:PATH|slurm:PATH",
    .min_operands = 0,
    .max_operands = 1,
    .summary = "Turn model configurations and machine descriptions into documents.",
    .details =
        "hf: fetches config.json, hf_quant_config.json and the index of the checkpoint from "
        "Hugging Face (or HF_ENDPOINT), writes the model as a row of a Catalog document and "
        "records it in gpuplan.lock with address, commit and digests, so that hf: names in specs "
        "work offline. file: does the same with a local config.json, without the lock. hwloc: "
        "(lstopo --of xml) and slurm: (gres.conf or scontrol show node) print pools to put under "
        "spec:; slurm: with the output of sacct -X --parsable2 prints past jobs as workloads. A "
        "token comes from HF_TOKEN or the file that HF_TOKEN_PATH names.",
    .examples = "  gpuplan import hf:Qwen/Qwen3-8B\n"
                "  gpuplan import file:config.json --name ours/model -o catalog.yaml\n"
                "  gpuplan import slurm:gres.conf --gpu h100=h100-sxm\n",
    GP_OPTIONS(import_options),
    .run = run_import,
};
