/*
 * Fetching the small files of a model repository: the configuration, its quantization, the index of
 * the checkpoint. The first answer tells the commit; the other files are asked for at that commit.
 */
#include "cli/hub.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/http.h"

enum {
    CONFIG_BYTES = 4 * 1024 * 1024,
    INDEX_BYTES = 64 * 1024 * 1024,
    TOKEN_MAX = 512,
    NAME_MAX_BYTES = 200
};

typedef struct hub {
    gp_cli *cli;
    const char *endpoint; /* without a slash at the end */
    const char *token;    /* NULL: none */
    const char *name;     /* ORG/NAME */
    const char *revision;
} hub;

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value == NULL || *value == '\0' ? NULL : value;
}

/* ---- endpoint and names */

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

/* ---- the token */

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

/* ---- files */

static const char *address(const hub *h, const char *file) {
    return gp_arena_printf(h->cli->arena, "%s/%s/resolve/%s/%s", h->endpoint, h->name, h->revision,
                           file);
}

static void add_source(hub *h, const char *url, const gp_http_answer *answer, gp_hub_model *ret) {
    gp_arena *arena = h->cli->arena;
    gp_lock_source *source = &ret->sources[ret->source_count++];
    *source = (gp_lock_source){.url = gp_url_kept(arena, url),
                               .etag = answer->etag,
                               .sha256 = gp_lock_digest_bytes(arena, answer->body, answer->len),
                               .bytes = (int64_t)answer->len};
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
static void fetch(hub *h, const char *file, size_t most, bool may_lack, gp_hub_model *ret,
                  const gp_text **ret_text) {
    gp_cli *cli = h->cli;
    gp_http_answer answer = {.status = 0};
    const char *url = address(h, file);
    *ret_text = NULL;
    gp_http_request request = {
        .url = url, .token = h->token, .max_bytes = most, .may_lack = may_lack};
    gp_http_get(cli, &request, &answer);
    if (answer.status == 404)
        return;
    if (!looks_like_json(&answer))
        gp_complain(cli, GP_EXIT_ENVIRONMENT, "%s is not JSON", gp_url_shown(cli->arena, url));
    if (answer.commit != NULL)
        h->revision = answer.commit;
    gp_text *text = NULL;
    gp_check(cli, gp_text_init(cli->arena, file, answer.body, answer.len, &text), NULL);
    *ret_text = text;
    add_source(h, url, &answer, ret);
}

/* Without an index the checkpoint is one file, whose size the server tells. */
static void fetch_size(hub *h, gp_hub_model *ret) {
    gp_http_answer answer = {.status = 0};
    const char *url = address(h, "model.safetensors");
    gp_http_request request = {.url = url, .token = h->token, .head = true, .may_lack = true};
    gp_http_get(h->cli, &request, &answer);
    if (answer.status != 404)
        ret->checkpoint_bytes = answer.size;
}

void gp_hub_fetch(gp_cli *cli, const char *name, gp_hub_model *ret_model) {
    hub h = {.cli = cli};
    *ret_model = (gp_hub_model){.source_count = 0};
    parse_name(&h, name);
    find_endpoint(&h);
    find_token(&h);
    fetch(&h, "config.json", CONFIG_BYTES, false, ret_model, &ret_model->config);
    fetch(&h, "hf_quant_config.json", CONFIG_BYTES, true, ret_model, &ret_model->quantization);
    fetch(&h, "model.safetensors.index.json", INDEX_BYTES, true, ret_model, &ret_model->index);
    if (ret_model->index == NULL)
        fetch_size(&h, ret_model);
    ret_model->name = h.name;
    ret_model->revision = h.revision;
    ret_model->host = gp_url_shown(cli->arena, h.endpoint);
}
