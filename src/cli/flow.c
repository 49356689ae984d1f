/*
 * The path of a spec from file to report, in the order in which it is walked.
 */
#include "cli/flow.h"

#include <string.h>

#include "cli/locks.h"
#include "model/calibration.h"

/* One more item for a counted list. */
#define APPEND(arena, list, type, value)                                                           \
    do {                                                                                           \
        const size_t one_ = sizeof(type);                                                          \
        (list).items = gp_arena_resize((arena), (list).items, (list).count * one_,                 \
                                       ((list).count + 1) * one_);                                 \
        (list).items[(list).count++] = (value);                                                    \
    } while (0)

/* Errors in the input are collected over all files; anything else ends the run. */
static void check_fatal(gp_cli *cli, gp_status st, const gp_diags *diags) {
    bool about_input = st == GP_ERR_INPUT || st == GP_ERR_LIMIT || st == GP_ERR_NOT_FOUND;
    if (st != GP_OK && !(about_input && diags->errors > 0))
        gp_check(cli, st, diags);
}

static void add_file(gp_flow *flow, gp_report_files *files, const gp_text *text) {
    APPEND(flow->cli->arena, *files, gp_report_file,
           ((gp_report_file){.path = text->name, .text = text}));
}

typedef void take_word(gp_flow *flow, const char *word);

static void each_word(gp_flow *flow, const gp_words *words, take_word *take) {
    for (size_t i = 0; i < words->count; i++)
        take(flow, words->items[i]);
}

/* Reads the documents of a file into `spec`, of which `count` are due to be of the kind. */
static void read_kind(gp_flow *flow, const char *path, const char *kind, gp_spec *spec,
                      const size_t *count, gp_report_files *files) {
    gp_text *text = gp_file_read(flow->cli, path);
    gp_status st = gp_spec_read(flow->cli->arena, text, NULL, 0, &flow->diags, spec);
    gp_policies_check(flow->cli->arena, spec->policies.items, spec->policies.count, &flow->diags);
    gp_check(flow->cli, st, &flow->diags);
    if (*count == 0)
        gp_complain(flow->cli, GP_EXIT_INPUT, "%s has no document of kind %s", path, kind);
    add_file(flow, files, text);
}

void gp_flow_add_text(gp_flow *flow, gp_text *text) {
    APPEND(flow->cli->arena, flow->texts, gp_text *, text);
}

static void open_spec(gp_flow *flow, const char *path) {
    gp_text *text = gp_file_read(flow->cli, path);
    gp_flow_add_text(flow, text);
}

static void add_price_file(gp_flow *flow, const char *path, gp_price_lists *prices) {
    gp_spec spec = {.plans = {0}};
    read_kind(flow, path, "Prices", &spec, &spec.prices.count, &prices->files);
    for (size_t i = 0; i < spec.prices.count; i++)
        APPEND(flow->cli->arena, prices->lists, const gp_prices *, spec.prices.items[i]);
}

static void open_flag_prices(gp_flow *flow, const char *path) {
    add_price_file(flow, path, &flow->flag_prices);
}

static void open_flag_policy(gp_flow *flow, const char *path) {
    gp_spec spec = {.plans = {0}};
    read_kind(flow, path, "Policy", &spec, &spec.policies.count, &flow->policy_files);
    for (size_t i = 0; i < spec.policies.count; i++)
        APPEND(flow->cli->arena, flow->flag_policies, const gp_policy *, spec.policies.items[i]);
}

void gp_flow_open(gp_cli *cli, const gp_words *operands, gp_flow *ret_flow) {
    gp_words files = {0};
    *ret_flow = (gp_flow){.cli = cli};
    gp_diags_init(&ret_flow->diags, cli->arena);
    gp_inputs_expand(cli, operands, &files);
    each_word(ret_flow, &files, open_spec);
    each_word(ret_flow, &cli->settings.prices, open_flag_prices);
    each_word(ret_flow, &cli->settings.policies, open_flag_policy);
    gp_catalog_open(cli->arena, &ret_flow->diags, &ret_flow->catalog);
}

void gp_flow_reopen(gp_cli *cli, const gp_flow *of, gp_flow *ret_flow) {
    *ret_flow = *of;
    ret_flow->cli = cli;
    ret_flow->catalog_files = ret_flow->calibration_files = (gp_report_files){0};
    ret_flow->lock = NULL;
    ret_flow->lock_sought = ret_flow->catalog_complete = false;
    gp_diags_init(&ret_flow->diags, cli->arena);
    gp_catalog_open(cli->arena, &ret_flow->diags, &ret_flow->catalog);
}

static void add_catalog(gp_flow *flow, const gp_text *text) {
    add_file(flow, &flow->catalog_files, text);
    gp_status st = gp_catalog_add(flow->catalog, text);
    check_fatal(flow->cli, st, &flow->diags);
}

/* What follows the scheme of an entry of the spec; NULL: it has another one. */
static const char *after_scheme(const char *entry, const char *scheme) {
    const size_t len = strlen(scheme);
    return strncmp(entry, scheme, len) == 0 ? entry + len : NULL;
}

/* ---- calibrations */

void gp_calibration_add(gp_cli *cli, gp_catalog *catalog, gp_diags *diags, const char *path,
                        gp_text **ret_text) {
    gp_calibration_document *document = NULL;
    *ret_text = gp_file_read(cli, path);
    gp_status st = gp_calibration_read(cli->arena, *ret_text, diags, &document);
    if (st == GP_OK)
        st = gp_calibration_apply(cli->arena, catalog, document, diags);
    gp_check(cli, st, diags);
}

static void add_calibration(gp_flow *flow, const char *path) {
    gp_text *text = NULL;
    gp_calibration_add(flow->cli, flow->catalog, &flow->diags, path, &text);
    add_file(flow, &flow->calibration_files, text);
}

/* An entry of spec.calibration; the plan is told where it is no file. */
static void add_spec_calibration(gp_flow *flow, const gp_plan_document *plan, const char *entry) {
    const char *path = after_scheme(entry, "file:");
    if (path == NULL)
        gp_complain_hint(flow->cli, GP_EXIT_INPUT, "for example file:calibration.yaml",
                         "%s: spec.calibration: '%s' is not file:PATH", plan->text->name, entry);
    add_calibration(flow, gp_path_beside(flow->cli->arena, plan->text->name, path));
}

static bool same_calibration(const gp_plan_spec *a, const gp_plan_spec *b) {
    bool same = a->calibration.count == b->calibration.count;
    for (size_t i = 0; same && i < a->calibration.count; i++)
        same = strcmp(a->calibration.items[i], b->calibration.items[i]) == 0;
    return same;
}

/* Those of the spec, then the flags'. The catalogue is one for all plans of a run. */
static void add_calibrations(gp_flow *flow, const gp_spec *spec) {
    for (size_t i = 1; i < spec->plans.count; i++)
        if (!same_calibration(&spec->plans.items[0]->spec, &spec->plans.items[i]->spec))
            gp_complain_hint(flow->cli, GP_EXIT_INPUT, "plan them one at a time",
                             "the plans of one run must have the same spec.calibration");
    const gp_plan_document *plan = spec->plans.count > 0 ? spec->plans.items[0] : NULL;
    const size_t count = plan == NULL ? 0 : plan->spec.calibration.count;
    for (size_t i = 0; i < count; i++)
        add_spec_calibration(flow, plan, plan->spec.calibration.items[i]);
    each_word(flow, &flow->cli->settings.calibrations, add_calibration);
}

static void add_flag_catalog(gp_flow *flow, const char *path) {
    gp_text *text = gp_file_read(flow->cli, path);
    add_catalog(flow, text);
}

/* Catalog documents of the specs first, then the files of --catalog. */
static void complete_catalog(gp_flow *flow, const gp_spec *spec) {
    for (size_t i = 0; i < spec->catalogs.count; i++)
        add_catalog(flow, spec->catalogs.items[i]);
    each_word(flow, &flow->cli->settings.catalogs, add_flag_catalog);
    if (flow->diags.errors == 0)
        add_calibrations(flow, spec);
    flow->catalog_complete = true;
}

void gp_texts_read(gp_cli *cli, const gp_words *files, size_t most, const gp_text ***ret_texts) {
    *ret_texts = GP_NEW_ARRAY(cli->arena, const gp_text *, files->count + 1);
    for (size_t i = 0; i < files->count; i++) {
        gp_text *text = gp_file_read_most(cli, files->items[i], most);
        (*ret_texts)[i] = text;
    }
}

void gp_catalogs_add(gp_cli *cli, gp_catalog *catalog, gp_diags *diags, const gp_words *files) {
    const gp_text **texts = NULL;
    gp_texts_read(cli, files, GP_INPUT_MAX_BYTES, &texts);
    for (size_t i = 0; i < files->count; i++)
        check_fatal(cli, gp_catalog_add(catalog, texts[i]), diags);
    gp_check(cli, GP_OK, diags);
}

void gp_flow_built_in(gp_flow *flow, gp_catalog **ret_catalog) {
    gp_status st = gp_catalog_open(flow->cli->arena, &flow->diags, ret_catalog);
    for (size_t i = 0; st == GP_OK && i < flow->catalog_files.count; i++)
        st = gp_catalog_add(*ret_catalog, flow->catalog_files.items[i].text);
    gp_check(flow->cli, st, &flow->diags);
}

static void seek_lock(gp_flow *flow) {
    if (flow->lock_sought)
        return;
    flow->lock_sought = true;
    if (flow->lock == NULL)
        gp_flow_find_lock(flow);
}

static void resolve_all(gp_flow *flow, gp_spec *spec) {
    for (size_t i = 0; i < spec->plans.count; i++) {
        gp_status st =
            gp_spec_resolve(flow->cli->arena, flow->catalog, &flow->diags, spec->plans.items[i]);
        check_fatal(flow->cli, st, &flow->diags);
    }
}

void gp_flow_read(gp_flow *flow, const gp_overrides *overrides, gp_spec *ret_spec) {
    gp_cli *cli = flow->cli;
    *ret_spec = (gp_spec){.plans = {0}};
    gp_diags_init(&flow->diags, cli->arena);
    for (size_t i = 0; i < flow->texts.count; i++) {
        gp_status st = gp_spec_read(cli->arena, flow->texts.items[i], overrides->items,
                                    overrides->count, &flow->diags, ret_spec);
        check_fatal(cli, st, &flow->diags);
    }
    if (!flow->catalog_complete)
        complete_catalog(flow, ret_spec);
    seek_lock(flow);
    resolve_all(flow, ret_spec);
    gp_policies_check(cli->arena, ret_spec->policies.items, ret_spec->policies.count, &flow->diags);
    gp_flow_check_locked(flow);
    gp_check(cli, GP_OK, &flow->diags);
}

/* ---- prices of one plan */

static void add_locked_prices(gp_flow *flow, const char *name, gp_price_lists *prices) {
    gp_cli *cli = flow->cli;
    const gp_lock_entry *entry = gp_lock_find(flow->lock, name);
    if (entry == NULL || !gp_lock_is_prices(entry))
        gp_complain_hint(cli, cli->settings.locked ? GP_EXIT_ENVIRONMENT : GP_EXIT_INPUT,
                         "gpuplan price adds it; see gpuplan help price",
                         "costs.prices: no price list '%s' in %s", name,
                         flow->lock == NULL ? "a lock" : flow->lock_file.path);
    APPEND(cli->arena, prices->lists, const gp_prices *, &entry->prices);
}

static void add_spec_prices(gp_flow *flow, const gp_plan_document *plan, const char *entry,
                            gp_price_lists *prices) {
    const char *name = after_scheme(entry, "lock:");
    const char *path = after_scheme(entry, "file:");
    if (name != NULL) {
        add_locked_prices(flow, name, prices);
        return;
    }
    if (path == NULL)
        gp_complain_hint(flow->cli, GP_EXIT_INPUT, "expected file:PATH or lock:NAME",
                         "costs.prices: '%s' is not a price list", entry);
    add_price_file(flow, gp_path_beside(flow->cli->arena, plan->text->name, path), prices);
}

/* Those of the spec, then Prices documents among the inputs, then the flags'; later wins. */
static void gather_prices(gp_flow *flow, const gp_spec *spec, const gp_plan_document *plan,
                          gp_price_lists *prices) {
    gp_arena *arena = flow->cli->arena;
    const gp_price_lists *flags = &flow->flag_prices;
    for (size_t i = 0; i < plan->spec.costs.prices.count; i++)
        add_spec_prices(flow, plan, plan->spec.costs.prices.items[i], prices);
    for (size_t i = 0; i < spec->prices.count; i++) {
        const gp_prices *list = spec->prices.items[i];
        APPEND(arena, prices->lists, const gp_prices *, list);
        if (list->meta.span.text != NULL)
            add_file(flow, &prices->files, list->meta.span.text);
    }
    for (size_t i = 0; i < flags->lists.count; i++)
        APPEND(arena, prices->lists, const gp_prices *, flags->lists.items[i]);
    for (size_t i = 0; i < flags->files.count; i++)
        APPEND(arena, prices->files, gp_report_file, flags->files.items[i]);
}

/* ---- traces of one plan */

typedef struct trace_list {
    GP_LIST(gp_plan_trace) items;
} trace_list;

/* The files that traffic.profile.trace names, beside the spec. */
static void gather_traces(gp_flow *flow, const gp_plan_document *plan, trace_list *traces) {
    gp_cli *cli = flow->cli;
    for (size_t i = 0; i < plan->spec.workloads.count; i++) {
        const char *name = plan->spec.workloads.items[i].traffic.profile.trace;
        if (name == NULL)
            continue;
        const char *path = gp_path_beside(cli->arena, plan->text->name, name);
        gp_text *text = gp_file_read(cli, path);
        APPEND(cli->arena, traces->items, gp_plan_trace, ((gp_plan_trace){name, text}));
    }
}

/* ---- one plan */

static void gather_inputs(gp_flow *flow, const gp_overrides *overrides,
                          const gp_price_lists *prices, gp_report_inputs *ret) {
    gp_cli *cli = flow->cli;
    *ret = (gp_report_inputs){
        .catalog = {.path = "built-in"},
        .catalogs = flow->catalog_files,
        .calibration = flow->calibration_files,
        .prices = prices->files,
        .lock = flow->lock == NULL ? NULL : &flow->lock_file,
        .policies = flow->policy_files,
    };
    gp_catalog_digest(flow->catalog, &ret->catalog.sha256);
    flow->project_file = (gp_report_file){.path = cli->project == NULL ? NULL : cli->project->name,
                                          .text = cli->project};
    ret->project = cli->project == NULL ? NULL : &flow->project_file;
    for (size_t i = 0; i < overrides->count; i++) {
        const gp_override *set = &overrides->items[i];
        APPEND(cli->arena, ret->flags, gp_report_flag, ((gp_report_flag){set->path, set->value}));
    }
}

/* What a plan is made from beside its document. */
typedef struct plan_inputs {
    gp_price_lists prices;
    trace_list traces;
    gp_plan_options options;
    gp_report_inputs told;
} plan_inputs;

static void gather(gp_flow *flow, const gp_spec *spec, const gp_overrides *overrides,
                   const gp_plan_document *document, plan_inputs *ret) {
    const gp_settings *settings = &flow->cli->settings;
    *ret = (plan_inputs){.prices = {.lists = {0}}};
    gather_prices(flow, spec, document, &ret->prices);
    gather_traces(flow, document, &ret->traces);
    ret->options = (gp_plan_options){
        .objective =
            settings->objective > 0 ? (gp_objective)(settings->objective - 1) : GP_OBJECTIVE_AUTO,
        .objective_asked = settings->objective > 0,
        .declared_only = flow->declared_only,
        .brief = flow->brief,
        .once = flow->once,
        .memory = flow->memory,
        .layouts_of = flow->layouts_of,
        .simulate = settings->simulate > 0 ? (gp_plan_simulate)(settings->simulate - 1)
                                           : GP_PLAN_SIMULATE_QUICK,
        .traces = ret->traces.items.items,
        .trace_count = ret->traces.items.count,
    };
    gather_inputs(flow, overrides, &ret->prices, &ret->told);
}

static void plan_one(gp_flow *flow, const gp_spec *spec, const gp_overrides *overrides,
                     gp_outcome *outcome) {
    gp_cli *cli = flow->cli;
    plan_inputs in;
    gather(flow, spec, overrides, outcome->document, &in);
    gp_status st = gp_plan_run(cli->arena, flow->catalog, outcome->document, in.prices.lists.items,
                               in.prices.lists.count, &in.options, &flow->diags, &outcome->result);
    gp_check(cli, st, &flow->diags);
    (flow->brief       ? gp_report_brief
     : flow->unsourced ? gp_report_unsourced
                       : gp_report_build)(cli->arena, outcome->result, &in.told, &outcome->report);
}

static void read_plans(gp_flow *flow, const gp_overrides *overrides, gp_spec *ret_spec) {
    gp_flow_read(flow, overrides, ret_spec);
    if (ret_spec->plans.count == 0)
        gp_complain(flow->cli, GP_EXIT_INPUT, "the input has no document of kind Plan");
}

void gp_flow_capacity(gp_flow *flow, const gp_overrides *overrides, int64_t most_gpus,
                      gp_report_capacity **ret_report) {
    gp_cli *cli = flow->cli;
    gp_spec spec;
    plan_inputs in;
    gp_capacity *capacity = NULL;
    read_plans(flow, overrides, &spec);
    if (spec.plans.count > 1)
        gp_complain(cli, GP_EXIT_USAGE, "expected one plan; the input has %zu", spec.plans.count);
    gather(flow, &spec, overrides, spec.plans.items[0], &in);
    gp_plan_document *plan = spec.plans.items[0];
    gp_status st = GP_OK;
    if (cli->settings.site != NULL)
        st = gp_plan_at_site(cli->arena, spec.plans.items[0], cli->settings.site, &plan);
    if (st == GP_ERR_NOT_FOUND)
        gp_complain(cli, GP_EXIT_USAGE, "--site %s: the plan has no such site", cli->settings.site);
    if (st == GP_OK)
        st =
            gp_capacity_run(cli->arena, flow->catalog, plan, in.prices.lists.items,
                            in.prices.lists.count, &in.options, most_gpus, &flow->diags, &capacity);
    gp_check(cli, st, &flow->diags);
    gp_capacity_report(cli->arena, capacity, &in.told, ret_report);
    gp_print_diags(cli, &flow->diags);
}

void gp_flow_run(gp_flow *flow, const gp_overrides *overrides, gp_outcomes *ret_outcomes) {
    gp_cli *cli = flow->cli;
    gp_spec spec;
    read_plans(flow, overrides, &spec);
    flow->spec = spec;
    for (size_t i = 0; i < spec.plans.count; i++) {
        gp_outcome outcome = {.document = spec.plans.items[i]};
        plan_one(flow, &spec, overrides, &outcome);
        APPEND(cli->arena, *ret_outcomes, gp_outcome, outcome);
    }
    gp_print_diags(cli, &flow->diags);
}

typedef struct attempt {
    gp_flow *flow;
    const gp_overrides *overrides;
    gp_outcomes *outcomes;
} attempt;

static gp_status run_attempt(void *context) {
    const attempt *it = context;
    gp_flow_run(it->flow, it->overrides, it->outcomes);
    return GP_OK;
}

gp_exit gp_flow_try(gp_flow *flow, const gp_overrides *overrides, gp_outcomes *ret_outcomes) {
    attempt it = {flow, overrides, ret_outcomes};
    const bool muted = flow->cli->muted;
    flow->cli->muted = true;
    const gp_exit code = gp_try(flow->cli, run_attempt, &it);
    flow->cli->muted = muted;
    if (code != GP_EXIT_YES && code != GP_EXIT_INPUT)
        gp_arena_leave(flow->cli->arena, GP_ERR_INPUT);
    return code;
}

gp_report_list gp_outcomes_reports(gp_cli *cli, const gp_outcomes *outcomes) {
    gp_report_list list = {.items = GP_NEW_ARRAY(cli->arena, gp_report *, outcomes->count + 1)};
    for (; list.count < outcomes->count; list.count++)
        list.items[list.count] = outcomes->items[list.count].report;
    return list;
}

void gp_workloads_check(gp_cli *cli, const gp_report_list *reports, const gp_words *names) {
    gp_words known = {0};
    for (size_t i = 0; i < reports->count; i++) {
        const gp_report *report = reports->items[i];
        for (size_t k = 0; k < report->workloads.count; k++)
            if (report->workloads.items[k].name != NULL)
                gp_words_add(cli->arena, &known, report->workloads.items[k].name);
    }
    gp_words_add(cli->arena, &known, NULL);
    for (size_t i = 0; i < names->count; i++)
        if (gp_str_index(known.items, names->items[i]) < 0)
            gp_complain_hint(cli, GP_EXIT_USAGE,
                             gp_nearest_hint(cli, gp_nearest(names->items[i], known.items), NULL),
                             "--workload: no workload '%s'", names->items[i]);
}

gp_outcome gp_flow_run_one(gp_flow *flow, const gp_overrides *overrides) {
    gp_outcomes outcomes = {0};
    gp_flow_run(flow, overrides, &outcomes);
    if (outcomes.count != 1)
        gp_complain(flow->cli, GP_EXIT_USAGE, "expected one plan; the input has %zu",
                    outcomes.count);
    return outcomes.items[0];
}

/* ---- --set */

/* Length of the first value of `text`, up to a comma that no bracket or quote holds. */
static size_t value_len(const char *text) {
    int depth = 0;
    char quote = 0;
    size_t len = 0;
    for (; text[len] != '\0'; len++) {
        char c = text[len];
        if (quote != 0) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            depth--;
        } else if (c == ',' && depth <= 0) {
            break;
        }
    }
    return len;
}

static void split_values(gp_cli *cli, const char *flag, const char *text, gp_words *values) {
    for (;;) {
        size_t len = value_len(text);
        const char *value = gp_arena_strndup(cli->arena, text, len);
        gp_words_add(cli->arena, values, value);
        if (len == 0)
            gp_complain(cli, GP_EXIT_USAGE, "--set %s: a value is missing", flag);
        if (text[len] == '\0')
            return;
        text += len + 1;
    }
}

void gp_sets_split(gp_cli *cli, gp_overrides *ret_fixed, gp_sweep_flags *ret_several) {
    const gp_words *sets = &cli->settings.sets;
    for (size_t i = 0; i < sets->count; i++) {
        const char *flag = sets->items[i];
        size_t path_len = strcspn(flag, "=");
        if (path_len == 0 || flag[path_len] == '\0')
            gp_complain_hint(cli, GP_EXIT_USAGE,
                             "for example --set workloads.chat.goal.slo.ttft=2s",
                             "--set %s: expected PATH=VALUE", flag);
        const char *path = gp_arena_strndup(cli->arena, flag, path_len);
        gp_words values = {0};
        split_values(cli, flag, flag + path_len + 1, &values);
        if (values.count == 1) {
            APPEND(cli->arena, *ret_fixed, gp_override, ((gp_override){path, values.items[0]}));
        } else {
            APPEND(cli->arena, *ret_several, gp_sweep_flag, ((gp_sweep_flag){path, values}));
        }
    }
}

void gp_sets_parse(gp_cli *cli, gp_overrides *ret_fixed, gp_sweep_flag *ret_sweep) {
    gp_sweep_flags several = {0};
    gp_sets_split(cli, ret_fixed, &several);
    if (several.count > 0)
        *ret_sweep = several.items[0];
    if (several.count > 1)
        gp_complain_hint(cli, GP_EXIT_USAGE, "gpuplan sweep plans every combination",
                         "--set %s: only one path may have several values, and %s has",
                         several.items[1].path, several.items[0].path);
}

void gp_flow_begin(gp_cli *cli, const gp_words *operands, gp_overrides *ret_fixed,
                   gp_flow *ret_flow) {
    gp_sweep_flags several = {0};
    gp_sets_split(cli, ret_fixed, &several);
    if (several.count > 0)
        gp_complain(cli, GP_EXIT_USAGE, "--set %s: expected one value", several.items[0].path);
    gp_flow_open(cli, operands, ret_flow);
}
