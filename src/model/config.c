/* The Config document: its descriptor table, its reading, and the choice of specs by patterns. */
#include <string.h>

#include "base/glob.h"
#include "base/str.h"
#include "model/config.h"
#include "model/fields.h"
#include "schema/bind.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"
#include "source/yaml_tree.h"

enum { WIDTH_LEAST = 60, WIDTH_MOST = 1000 };

/* The first word is none: a key that is absent binds it. */
static const char *const level_words[] = {"", "note", "warning", "error", NULL};
static const char *const color_words[] = {"", "auto", "always", "never", NULL};
static const char *const detail_words[] = {"", "answer", "normal", "all", NULL};

static const gp_field config_fields[] = {
    GP_STRING(gp_config, "apiVersion", api_version, .flags = GP_FIELD_REQUIRED,
              .help = "Version of the document format: gpuplan/v1."),
    GP_STRING(gp_config, "kind", kind, .flags = GP_FIELD_REQUIRED, .help = "What the document is."),
    GP_STRUCT(gp_config, "metadata", metadata, gp_metadata, gp_metadata_rows,
              .help = "Name and labels."),
    GP_STRING_LIST(gp_config, "specs", specs,
                   .help = "Specs of the project, for commands without operands; * matches within "
                           "a folder, ** across folders."),
    GP_STRING_LIST(gp_config, "policies", policies,
                   .help = "Policy files that checks apply, in addition to those of --policy."),
    GP_STRING_LIST(gp_config, "catalogs", catalogs,
                   .help = "Catalogue files laid over the built-in catalogue; later files win, and "
                           "those of --catalog win over all."),
    GP_STRING_LIST(
        gp_config, "prices", prices,
        .help = "Price lists; they override those of the specs and are overridden by --prices."),
    GP_STRING_LIST(
        gp_config, "calibration", calibration,
        .help =
            "Calibration files; they override the catalogue and are overridden by --calibration."),
    GP_STRING(gp_config, "lock", lock,
              .help = "The lock file with fetched models and prices; by default gpuplan.lock "
                      "beside the spec."),
    GP_ENUM(gp_config, "failOn", fail_on, level_words,
            .help = "Finding level at which a check fails; overrides the policies."),
    GP_DATE(gp_config, "now", now,
            .help = "Date used to judge waivers and the validity of prices; with it the plans of "
                    "the project give the same "
                    "answer on any day."),
    GP_ENUM(gp_config, "color", color, color_words, .help = "When to use colour."),
    GP_COUNT(gp_config, "width", width, GP_RANGE(WIDTH_LEAST, WIDTH_MOST),
             .help = "Columns of the text form."),
    GP_ENUM(gp_config, "detail", detail, detail_words, .help = "How much the text form shows."),
};

const gp_struct gp_config_type =
    GP_TYPE(gp_config, config_fields, .name = "Config",
            .help = "Settings of a project: .gpuplan.yaml, searched for from the working folder up "
                    "to the repository root.");

/* Keys that a user's file may have: they change what is shown, never what comes out. */
static const char *const user_keys[] = {"apiVersion", "kind",   "metadata", "color",
                                        "width",      "detail", NULL};

static void check_user_keys(const gp_config *config, gp_diags *diags) {
    for (size_t i = 0; i < gp_config_type.field_count; i++) {
        const gp_field *field = &gp_config_type.fields[i];
        const gp_origin *origin = &config->meta.origins[i];
        if (origin->kind != GP_ORIGIN_NONE && gp_str_index(user_keys, field->key) < 0)
            gp_diags_error(
                diags, GP_ID_INCONSISTENT, origin->span,
                "color, width, detail; other settings belong in the .gpuplan.yaml of the project",
                NULL, "\"%s\" changes results, which user settings may not", field->key);
    }
}

static void check_word(gp_arena *arena, const gp_config *config, const char *key, const char *value,
                       const char *due, gp_diags *diags) {
    int row = gp_field_named(&gp_config_type, key, strlen(key));
    if (value != NULL && row >= 0 && !gp_str_equal(value, due))
        gp_diags_error(diags, GP_ID_UNKNOWN_KIND, config->meta.origins[row].span, due, due,
                       "%s is \"%s\" here", key, gp_shown(arena, value, strlen(value)));
}

static void bind_config(gp_arena *arena, const gp_node *root, gp_config_scope scope,
                        gp_diags *diags, gp_config *config) {
    gp_binder binder = {.arena = arena, .diags = diags, .origin = GP_ORIGIN_SPEC};
    gp_struct_init(arena, &gp_config_type, config);
    gp_bind_struct(&binder, root, &gp_config_type, config);
    check_word(arena, config, "apiVersion", config->api_version, "gpuplan/v1", diags);
    check_word(arena, config, "kind", config->kind, "Config", diags);
    if (scope == GP_CONFIG_USER)
        check_user_keys(config, diags);
}

gp_status gp_config_read(gp_arena *arena, const gp_text *text, gp_config_scope scope,
                         gp_diags *diags, gp_config **ret_config) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {.count = 0};
    size_t errors = diags->errors;
    gp_config *config = GP_NEW(arena, gp_config);
    gp_status st = gp_yaml_read(arena, text, &limits, diags, &docs);
    if (docs.count > 1)
        gp_diags_error(diags, GP_ID_INCONSISTENT, docs.roots[1]->span, "one document", NULL,
                       "a second settings document");
    if (docs.count > 0) {
        bind_config(arena, docs.roots[0], scope, diags, config);
        st = GP_OK;
    }
    *ret_config = config;
    return diags->errors > errors ? GP_ERR_INPUT : st;
}

/* Whether any path matches, which is marked. */
static bool mark_matches(const char *pattern, const gp_config_paths *paths, bool *marks) {
    bool any = false;
    for (size_t i = 0; i < paths->count; i++) {
        if (gp_glob_match(pattern, paths->items[i])) {
            marks[i] = true;
            any = true;
        }
    }
    return any;
}

/* A pattern that a file has yet to come for is worth a warning; no file at all is an error. */
static void report_unmatched(gp_arena *arena, const gp_config *config, const char *pattern,
                             gp_level level, gp_diags *diags) {
    const gp_diag diag = {
        .id = GP_ID_UNKNOWN_REFERENCE,
        .level = level,
        .span = GP_ORIGIN_OF(config, gp_config, specs)->span,
        .message = gp_arena_printf(arena, "no file matches \"%s\"",
                                   gp_shown(arena, pattern, strlen(pattern))),
    };
    gp_diags_add(diags, &diag);
}

gp_status gp_config_select(gp_arena *arena, const gp_config *config, const gp_config_paths *paths,
                           gp_diags *diags, gp_config_paths *ret_paths) {
    bool *marks = GP_NEW_ARRAY(arena, bool, paths->count + 1);
    bool *used = GP_NEW_ARRAY(arena, bool, config->specs.count + 1);
    const char **items = GP_NEW_ARRAY(arena, const char *, paths->count + 1);
    bool any = false;
    for (size_t i = 0; i < config->specs.count; i++) {
        used[i] = mark_matches(config->specs.items[i], paths, marks);
        any = any || used[i];
    }
    for (size_t i = 0; i < config->specs.count; i++)
        if (!used[i])
            report_unmatched(arena, config, config->specs.items[i],
                             any ? GP_LEVEL_WARNING : GP_LEVEL_ERROR, diags);
    *ret_paths = (gp_config_paths){0, items};
    for (size_t i = 0; i < paths->count; i++)
        if (marks[i])
            items[ret_paths->count++] = paths->items[i];
    return any ? GP_OK : GP_ERR_INPUT;
}
