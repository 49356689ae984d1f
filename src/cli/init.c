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

#define EDITOR_LINES                                                                               \
    "# yaml-language-server: $schema=gpuplan.schema.json\n"                                        \
    "# 'gpuplan schema document > gpuplan.schema.json' enables completion and checks in "          \
    "editors.\n"

static const char head[] = EDITOR_LINES
    "# 'gpuplan size' answers this plan; 'gpuplan schema -f markdown' lists every key.\n"
    "apiVersion: gpuplan/v1\n"
    "kind: Plan\n"
    "metadata: {name: ";

static const char pools[] =
    "  cluster:            # what exists today; leave it out for a greenfield site site\n"
    "    pools:\n"
    "      - {name: gpu, system: dgx-h200, count: ";

static const char candidates[] =
    "}   # see: gpuplan catalog list systems\n"
    "  candidates:         # what may be bought; other machine types are not considered\n"
    "    allow: [dgx-h200, dgx-b200]\n"
    "  workloads:\n";

static const char inference[] =
    "    - name: chat\n"
    "      type: inference\n"
    "      model: @MODEL@   # see: gpuplan catalog list models\n"
    "      traffic: {requestsPerSecond: 2, inputTokens: 2000, outputTokens: 400}   # means\n"
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}   # at the 95th percentile\n";

static const char pretrain[] =
    "    - name: pretrain\n"
    "      type: training\n"
    "      model: @MODEL@   # see: gpuplan catalog list models\n"
    "      data: {tokens: 300B tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"
    "      goal: {completeWithin: 60d}   # wall-clock time, including failures and checkpoints\n";

static const char finetune[] = "    - name: finetune\n"
                               "      type: finetune\n"
                               "      model: @MODEL@   # see: gpuplan catalog list models\n"
                               "      data: {samples: 100k, tokensPerSample: 1500, epochs: 2, "
                               "sequenceLength: 4096, globalBatch: 256k}\n"
                               "      goal: {every: 7d, maxDuration: 12h}\n";

static const char lora[] =
    "    - name: adapters\n"
    "      type: lora\n"
    "      model: @MODEL@   # see: gpuplan catalog list models\n"
    "      adapter: {method: qlora, rank: 16}   # lora | qlora | dora\n"
    "      data: {tokens: 20M tokens, sequenceLength: 2048, globalBatch: 32k}\n"
    "      jobs: {perWeek: 20, concurrent: 2}\n"
    "      goal: {maxDuration: 4h}\n";

/* The work of a company, of every kind. */
static const char company[] = EDITOR_LINES
    "# The work of a company on one page, with published models: put in your own.\n"
    "# 'gpuplan size' answers this plan; 'gpuplan schema -f markdown' lists every key.\n"
    "apiVersion: gpuplan/v1\n"
    "kind: Plan\n"
    "metadata: {name: company}\n"
    "spec:\n"
    "  cluster:            # what exists today; leave it out for a greenfield site site\n"
    "    pools:\n"
    "      - {name: gpu, system: dgx-h200, count: 11}   # see: gpuplan catalog list systems\n"
    "      - {name: small, system: l40s-8gpu, count: 9}\n"
    "  teams:              # the quota of each, and what it may borrow from the others\n"
    "    - {name: research, quota: 74, borrowing: 32}\n"
    "    - {name: product, quota: 86}\n"
    "  candidates:         # what may be bought; other machine types are not considered\n"
    "    allow: [dgx-h200, l40s-8gpu]\n"
    "  workloads:\n"
    "    - name: pretrain          # a model of our own, once\n"
    "      team: research\n"
    "      type: training\n"
    "      model: llama-3.1-8b\n"
    "      data: {tokens: 300B tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"
    "      goal: {completeWithin: 60d}\n"
    "    - name: sft               # fine-tuned every week\n"
    "      team: research\n"
    "      type: finetune\n"
    "      model: qwen3-14b\n"
    "      data: {samples: 100k, tokensPerSample: 1500, epochs: 2, sequenceLength: 4096, "
    "globalBatch: 256k}\n"
    "      goal: {every: 7d, maxDuration: 12h}\n"
    "    - name: adapters          # one LoRA for every customer\n"
    "      team: research\n"
    "      type: lora\n"
    "      model: qwen3-8b\n"
    "      adapter: {method: lora, rank: 16}\n"
    "      data: {tokens: 20M tokens, sequenceLength: 2048, globalBatch: 32k}\n"
    "      jobs: {perWeek: 40, concurrent: 2}\n"
    "      goal: {maxDuration: 4h}\n"
    "    - name: chat              # customers, in the working day\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: llama-3.1-70b\n"
    "      traffic:\n"
    "        requestsPerSecond: 3\n"
    "        profile: office\n"
    "        inputTokens: 2000\n"
    "        outputTokens: 300\n"
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n"
    "    - name: agents            # long reasoning over long contexts\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: gpt-oss-120b\n"
    "      traffic:\n"
    "        requestsPerSecond: 1\n"
    "        inputTokens: 12000\n"
    "        prefixCacheHit: 60%\n"
    "        outputTokens: 800\n"
    "        thoughtTokens: 3000\n"
    "      goal: {slo: {ttft: 5 s, tpot: 30 ms}}\n"
    "    - name: search            # vectors of questions\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: qwen3-embedding-0.6b\n"
    "      traffic: {requestsPerSecond: 30, inputTokens: 40, outputTokens: 0}\n"
    "      goal: {slo: {ttft: 100 ms}}\n"
    "    - name: rerank            # fifty passages to a question\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: bge-reranker-v2-m3\n"
    "      traffic: {requestsPerSecond: 1500, inputTokens: 350}\n"
    "      goal: {slo: {ttft: 300 ms}}\n"
    "    - name: documents         # pages read as pictures\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: qwen3-vl-8b\n"
    "      traffic:\n"
    "        requestsPerSecond: 2\n"
    "        inputTokens: 300\n"
    "        outputTokens: 400\n"
    "        images: {perRequest: 2, width: 1240, height: 1754}\n"
    "      goal: {slo: {ttft: 5 s, tpot: 60 ms}}\n"
    "    - name: calls             # what telephone calls say\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: whisper-large-v3\n"
    "      traffic: {audio: {perRequest: 60 s, perDay: 2000h}, profile: office}\n"
    "      goal: {slo: {e2e: 30 s}}\n"
    "    - name: pictures\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: flux.1-dev\n"
    "      traffic:\n"
    "        requestsPerSecond: 0.05\n"
    "        generate: {width: 1024, height: 1024, steps: 28}\n"
    "      goal: {slo: {e2e: 60 s}}\n"
    "    - name: nightly           # summaries of the day, in the night\n"
    "      team: product\n"
    "      type: inference\n"
    "      model: llama-3.1-70b\n"
    "      traffic: {requests: 200k, inputTokens: 3000, outputTokens: 300}\n"
    "      goal: {every: 1d, maxDuration: 8h}\n"
    "      placement: {timeSharing: true}\n"
    "    - name: notebooks         # people who try things out, a part of a GPU each\n"
    "      team: research\n"
    "      type: seats\n"
    "      seats: {people: 80, present: 40%, memory: 20 GiB, hours: office}\n";

static const char policy[] = EDITOR_LINES
    "# 'gpuplan check plan.yaml --policy policy.yaml' applies it to a plan. Metrics are paths of "
    "the\n"
    "# report: 'gpuplan size plan.yaml -f json' shows them, and 'gpuplan help rules' the "
    "built-in\n"
    "# rules.\n"
    "apiVersion: gpuplan/v1\n"
    "kind: Policy\n"
    "metadata: {name: house-rules}\n"
    "spec:\n"
    "  failOn: error             # note | warning | error\n"
    "  rules:\n"
    "    - id: HOUSE-001\n"
    "      select: {workload.type: inference}\n"
    "      assert: \"memory.headroomFraction >= 5%\"\n"
    "      message: Keep a part of GPU memory free on serving pools.\n"
    "    - id: HOUSE-002\n"
    "      level: warning\n"
    "      assert: \"site.power.itW <= 500 kW\"\n"
    "      message: The room has no more power.\n"
    "  levels:                   # changed levels of built-in rules: note, warning, error or off\n"
    "    GP3007: off             # tuning is measured elsewhere\n"
    "  waivers:                  # findings accepted until a date, and why\n"
    "    - rule: HOUSE-002\n"
    "      paths: [\"**/plan.yaml\"]\n"
    "      until: 2027-12-31\n"
    "      reason: A second feed is ordered.\n";

static const char project[] = EDITOR_LINES
    "# .gpuplan.yaml at the root of a repository; 'gpuplan check' then needs no operands.\n"
    "# See 'gpuplan help settings'.\n"
    "apiVersion: gpuplan/v1\n"
    "kind: Config\n"
    "specs: [\"**/plan.yaml\"]     # * matches within a folder, ** across folders\n"
    "failOn: error               # note | warning | error\n"
    "# policies: [policy.yaml]   # gpuplan init --template policy > policy.yaml\n"
    "# catalogs: [catalog.yaml]  # machines of your own\n"
    "# prices: [prices.yaml]     # your quotes\n";

typedef struct template_row {
    const char *name;
    const char *parts[4];
    const char *model;
    int count;         /* of machines: with as many the plan holds */
    const char *whole; /* a document as it stands; NULL: a plan of the parts */
} template_row;

static const template_row templates[TEMPLATE_COUNT] = {
    [INFERENCE] = {.name = "chat", .parts = {inference}, .model = "llama-3.1-70b", .count = 2},
    [PRETRAIN] = {.name = "pretrain", .parts = {pretrain}, .model = "llama-3.1-8b", .count = 2},
    [FINETUNE] = {.name = "finetune", .parts = {finetune}, .model = "qwen3-8b", .count = 2},
    [LORA] = {.name = "adapters", .parts = {lora}, .model = "qwen3-32b", .count = 2},
    [MIXED] = {.name = "mixed",
               .parts = {pretrain, finetune, lora, inference},
               .model = "llama-3.1-8b",
               .count = 5},
    [COMPANY] = {.whole = company},
    [POLICY] = {.whole = policy},
    [PROJECT] = {.whole = project},
};

/* The template with the model in its place. */
static void add_with_model(gp_page *page, const char *text, const char *model) {
    static const char mark[] = "@MODEL@";
    for (const char *at = strstr(text, mark); at != NULL; at = strstr(text, mark)) {
        gp_page_add_n(page, text, (size_t)(at - text));
        gp_page_add(page, model);
        text = at + sizeof mark - 1;
    }
    gp_page_add(page, text);
}

static void check_model(gp_cli *cli, const char *model) {
    gp_diags diags;
    gp_diags_init(&diags, cli->arena);
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
    if (row->whole != NULL && settings->model != NULL)
        gp_complain(cli, GP_EXIT_USAGE, "--model: this template has no model");
    if (row->whole != NULL) {
        gp_stdout_write(cli, row->whole, strlen(row->whole));
        return;
    }
    check_model(cli, model);
    gp_page page = {.arena = cli->arena};
    gp_page_add(&page, head);
    gp_page_add(&page, row->name);
    gp_page_add(&page, "}\nspec:\n");
    gp_page_add(&page, pools);
    gp_page_printf(&page, "%d", row->count);
    gp_page_add(&page, candidates);
    for (size_t i = 0; i < GP_COUNT_OF(row->parts) && row->parts[i] != NULL; i++)
        add_with_model(&page, row->parts[i], model);
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
