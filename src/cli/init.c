/*
 * The `init` command: a commented spec to start from. Each template is a plan that holds
 * as it stands, so that a gate that is set up with it starts green.
 */
#include "cli/cli.h"

#include <string.h>

#include "catalog/catalog.h"

enum template_kind {
    INFERENCE,
    PRETRAIN,
    FINETUNE,
    LORA,
    MIXED,
    COMPANY,
    POLICY,
    PROJECT,
    TEMPLATE_COUNT
};

/* The types of a spec with their aliases, in the order of the templates. */
static const char *const template_words[] = {"inference", "pretrain",    "finetune", "lora",
                                             "mixed",     "company",     "policy",   "project",
                                             "training",  "fine-tuning", "peft",     NULL};
static const enum template_kind template_kinds[] = {
    INFERENCE, PRETRAIN, FINETUNE, LORA, MIXED, COMPANY, POLICY, PROJECT, PRETRAIN, FINETUNE, LORA};

static const gp_opt init_options[] = {
    GP_WORD("template", template_word, "KIND", template_words,
            "Workloads to start from, or a policy or project file (default: inference)."),
    GP_TEXT("model", model, "NAME", "Model of the workloads: a catalogue id or hf:ORG/NAME."),
};

/* A document as it stands, or a plan of several kinds of work. */
typedef struct template_row {
    const char *name; /* of the plan; NULL: the first part is a whole document */
    const char *parts[4];
    const char *model;
    const char *count; /* of machines: with as many the plan holds */
} template_row;

static const template_row templates[TEMPLATE_COUNT] = {
    [INFERENCE] = {"chat", {"inference.yaml"}, "llama-3.1-70b", "2"},
    [PRETRAIN] = {"pretrain", {"pretrain.yaml"}, "llama-3.1-8b", "2"},
    [FINETUNE] = {"finetune", {"finetune.yaml"}, "qwen3-8b", "2"},
    [LORA] = {"adapters", {"lora.yaml"}, "qwen3-32b", "2"},
    [MIXED] = {"mixed",
               {"pretrain.yaml", "finetune.yaml", "lora.yaml", "inference.yaml"},
               "llama-3.1-8b",
               "5"},
    [COMPANY] = {.parts = {"company.yaml"}},
    [POLICY] = {.parts = {"policy.yaml"}},
    [PROJECT] = {.parts = {"project.yaml"}},
};

/* The text with what goes in the place of its marks. */
static void add_text(gp_buf *page, const char *file, const template_row *row, const char *model) {
    const char *const marks[][2] = {
        {"@MODEL@", model}, {"@NAME@", row->name}, {"@COUNT@", row->count}};
    for (const char *at = gp_text_named(file); *at != '\0';) {
        size_t len = strcspn(at + 1, "@") + 1;
        for (size_t i = 0; i < GP_COUNT_OF(marks); i++) {
            const size_t mark = strlen(marks[i][0]);
            if (marks[i][1] != NULL && strncmp(at, marks[i][0], mark) == 0) {
                gp_buf_str(page, marks[i][1]);
                at += mark;
                len = 0;
            }
        }
        gp_buf_add(page, at, len);
        at += len;
    }
}

static void check_model(gp_cli *cli, const char *model) {
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_catalog *catalog = NULL;
    const void *row = NULL;
    const char *nearest = NULL;
    const char *choices = NULL;
    gp_status st = gp_catalog_open(cli->arena, &diags, &catalog);
    st = gp_catalog_find(catalog, GP_CATALOG_MODELS, model, &row, &nearest, &choices);
    if (st == GP_OK)
        return;
    const char *hint = choices != NULL   ? gp_arena_printf(cli->arena, "one of: %s", choices)
                       : nearest != NULL ? gp_arena_printf(cli->arena, "nearest: %s", nearest)
                                         : "see: gpuplan catalog list models";
    if (st == GP_ERR_NOT_FOUND || (st == GP_ERR_INPUT && diags.errors == 0))
        gp_complain_hint(cli, GP_EXIT_USAGE, hint, "--model: no model '%s'", model);
    gp_check(cli, st, &diags);
}

static void run_init(gp_cli *cli) {
    const gp_settings *settings = &cli->settings;
    enum template_kind kind =
        settings->template_word > 0 ? template_kinds[settings->template_word - 1] : INFERENCE;
    const template_row *row = &templates[kind];
    const char *model = settings->model != NULL ? settings->model : row->model;
    if (row->name == NULL && settings->model != NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--model: this template has no model");
    gp_buf page = GP_PAGE(cli->arena);
    if (row->name != NULL) {
        check_model(cli, model);
        add_text(&page, "plan.yaml", row, model);
    }
    for (size_t i = 0; i < GP_COUNT_OF(row->parts) && row->parts[i] != NULL; i++)
        add_text(&page, row->parts[i], row, model);
    gp_stdout_page(cli, &page);
}

const gp_command gp_command_init = {
    .name = "init",
    .operands = "",
    .summary = "Print a commented spec to start from.",
    .examples = "  gpuplan init --template inference --model llama-3.1-70b > plan.yaml\n"
                "  gpuplan init --template company > plan.yaml\n"
                "  gpuplan init --template project > .gpuplan.yaml\n",
    GP_OPTIONS(init_options),
    .words = (const char *const[]){NULL},
    .run = run_init,
};
