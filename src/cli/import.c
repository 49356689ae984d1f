/*
 * The `import` command: model configurations as catalogue rows, descriptions of machines as pools.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/http.h"
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

/* ---- hf: fetches the small files of a model repository: the configuration, its quantization, the
 * index of the checkpoint. The first answer tells the commit; the other files are asked for at that
 * commit. */

enum {
    CONFIG_BYTES = 4 * 1024 * 1024,
    INDEX_BYTES = 64 * 1024 * 1024,
    TOKEN_MAX = 512,
    NAME_MAX_BYTES = 200,
    FILES = 3
};

typedef struct hub {
    gp_cli *cli;
    const char *endpoint; /* without a slash at the end */
    const char *token;    /* NULL: none */
    const char *name;     /* ORG/NAME */
    const char *revision; /* commit; what was asked for where the server does not tell */
    gp_lock_source sources[FILES];
    size_t source_count;
} hub;

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value == NULL || *value == '\0' ? NULL : value;
}

static void find_endpoint(hub *h) {
    const char *endpoint = setting("HF_ENDPOINT");
    const char *offline = setting("HF_HUB_OFFLINE");
    if (offline != NULL && strcmp(offline, "0") != 0)
        gp_complain(h->cli, GP_EXIT_ENVIRONMENT, "HF_HUB_OFFLINE is set: nothing is fetched");
    if (endpoint == NULL)
        endpoint = "https://huggingface.co";
    bool web = gp_url_is_web(endpoint) && strpbrk(endpoint, "?#") == NULL;
    if (!web || (!gp_url_is_secure(endpoint) && !gp_url_is_loopback(endpoint)))
        gp_complain(h->cli, GP_EXIT_USAGE,
                    "HF_ENDPOINT: expected an https address, or http to this machine");
    size_t len = strlen(endpoint);
    while (len > 0 && endpoint[len - 1] == '/')
        len--;
    h->endpoint = gp_arena_strndup(h->cli->arena, endpoint, len);
}

/* Letters, digits and . _ -, parts not empty and not made of dots; `slashes` at most. */
static bool is_name(const char *text, size_t len, int slashes) {
    size_t part = 0, dots = 0;
    if (len == 0 || len > NAME_MAX_BYTES)
        return false;
    for (size_t i = 0; i <= len; i++) {
        char c = i < len ? text[i] : '/';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (c == '/') {
            if (part == 0 || part == dots || (i < len && slashes-- == 0))
                return false;
            part = dots = 0;
            continue;
        }
        if (!letter && c != '.' && c != '_' && c != '-')
            return false;
        part++;
        dots += c == '.' ? 1 : 0;
    }
    return true;
}

static void parse_name(hub *h, const char *text) {
    const char *at = strchr(text, '@');
    size_t len = at == NULL ? strlen(text) : (size_t)(at - text);
    h->revision = at == NULL ? "main" : at + 1;
    if (h->cli->settings.revision != NULL)
        h->revision = h->cli->settings.revision;
    if (!is_name(text, len, 1) || !is_name(h->revision, strlen(h->revision), 4))
        gp_complain_hint(h->cli, GP_EXIT_USAGE, "for example hf:Qwen/Qwen3-8B",
                         "expected a name such as hf:ORG/NAME or hf:ORG/NAME@REVISION");
    h->name = gp_arena_strndup(h->cli->arena, text, len);
}

/* A token is one word of plain characters: it goes into a header. */
static void set_token(hub *h, const char *text, size_t len) {
    size_t blanks = strspn(text, " \t\r\n");
    text += blanks;
    len -= blanks < len ? blanks : len;
    while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
        len--;
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] > '~')
            gp_complain(h->cli, GP_EXIT_ENVIRONMENT,
                        "the Hugging Face token is more than one plain word");
    if (len > TOKEN_MAX)
        gp_complain(h->cli, GP_EXIT_ENVIRONMENT, "the Hugging Face token is too long");
    h->token = len == 0 ? NULL : gp_arena_strndup(h->cli->arena, text, len);
}

/* Where the token's file lies: named, or where the hub's own tools put it. */
static const char *token_path(gp_arena *arena) {
    const char *path = setting("HF_TOKEN_PATH");
    const char *hub_home = setting("HF_HOME");
    const char *cache = setting("XDG_CACHE_HOME");
    const char *home = setting("HOME");
    if (path != NULL)
        return gp_arena_strndup(arena, path, strlen(path));
    if (hub_home != NULL)
        return gp_arena_printf(arena, "%s/token", hub_home);
    return cache != NULL
               ? gp_arena_printf(arena, "%s/huggingface/token", cache)
               : gp_arena_printf(arena, "%s/.cache/huggingface/token", home == NULL ? "" : home);
}

static void find_token(hub *h) {
    const char *const names[] = {setting("HF_TOKEN"), setting("HUGGING_FACE_HUB_TOKEN")};
    struct stat info;
    for (size_t i = 0; i < GP_COUNT_OF(names); i++) {
        if (names[i] != NULL) {
            set_token(h, names[i], strlen(names[i]));
            return;
        }
    }
    const char *path = token_path(h->cli->arena);
    if (setting("HF_TOKEN_PATH") == NULL && stat(path, &info) != 0)
        return;
    gp_text *text = gp_file_read(h->cli, path);
    set_token(h, text->data, text->len);
}

static const char *address(const hub *h, const char *file) {
    return gp_arena_printf(h->cli->arena, "%s/%s/resolve/%s/%s", h->endpoint, h->name, h->revision,
                           file);
}

/* A page of HTML with status 200 is what some proxies answer. */
static bool looks_like_json(const gp_http_answer *answer) {
    const char *body = answer->body + strspn(answer->body, " \t\r\n");
    const char *end = answer->body + answer->len;
    while (end > body && strchr(" \t\r\n", end[-1]) != NULL)
        end--;
    return end > body && body[0] == '{' && end[-1] == '}' &&
           memchr(answer->body, '\0', answer->len) == NULL;
}

/* The file as a text; NULL where it may lack and does. */
static const gp_text *fetch(hub *h, const char *file, size_t most, bool may_lack) {
    gp_cli *cli = h->cli;
    gp_http_answer answer = {.status = 0};
    const char *url = address(h, file);
    gp_http_request request = {
        .url = url, .token = h->token, .max_bytes = most, .may_lack = may_lack};
    gp_http_get(cli, &request, &answer);
    if (answer.status == 404)
        return NULL;
    if (!looks_like_json(&answer))
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s is not JSON", gp_url_shown(cli->arena, url));
    if (answer.commit != NULL)
        h->revision = answer.commit;
    gp_text *text = NULL;
    gp_check(cli, gp_text_init(cli->arena, file, answer.body, answer.len, &text), NULL);
    h->sources[h->source_count++] = gp_http_source(cli, url, &answer);
    return text;
}

/* Without an index the checkpoint is one file, whose size the server tells; 0: it does not. */
static double fetch_size(hub *h) {
    gp_http_answer answer = {.status = 0};
    const char *url = address(h, "model.safetensors");
    gp_http_request request = {.url = url, .token = h->token, .head = true, .may_lack = true};
    gp_http_get(h->cli, &request, &answer);
    return answer.status != 404 ? answer.size : 0;
}

static void fetch_model(hub *h, const char *name, gp_import_model_input *ret) {
    parse_name(h, name);
    find_endpoint(h);
    find_token(h);
    ret->name = h->name;
    ret->config = fetch(h, "config.json", CONFIG_BYTES, false);
    ret->quantization = fetch(h, "hf_quant_config.json", CONFIG_BYTES, true);
    ret->index = fetch(h, "model.safetensors.index.json", INDEX_BYTES, true);
    if (ret->index == NULL)
        ret->checkpoint_bytes = fetch_size(h);
    ret->source = gp_arena_printf(h->cli->arena, "config.json of %s at %s, revision %s", h->name,
                                  gp_url_shown(h->cli->arena, h->endpoint), h->revision);
}

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
    hub h = {.cli = cli};
    gp_import_model_input input = {.name = NULL};
    gp_import_model model = {.id = NULL};
    fetch_model(&h, name, &input);
    read_model(cli, &input, &model);
    gp_lock_new entry = {
        .name = gp_arena_printf(cli->arena, "hf:%s", h.name),
        .date = input.date,
        .revision = h.revision,
        .sources = h.sources,
        .source_count = h.source_count,
        .kind = "model",
        .payload = model.row,
    };
    print_summary(cli, &model, h.name);
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
