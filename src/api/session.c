/*
 * Sessions: what the command line does with files, for programs that hold texts. Every entry opens
 * the door of the session's arena, so that nothing below has a branch for memory that is short.
 */
#include <gpuplan/gpuplan.h>

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "fit/fit.h"
#include "model/model.h"
#include "plan/plan.h"
#include "report/produce.h"
#include "schema/diag_ids.h"

enum { MESSAGES_MAX = 4 * 1024 * 1024 };

struct gp_session {
    gp_arena *arena;
    gp_diags diags;
    GP_LIST(gp_text *) files;
    size_t file_cap;
    GP_LIST(gp_override) sets;
    size_t set_cap;
};

const char *gp_version(void) {
    return GP_VERSION;
}

static gp_status open_session(void *context) {
    gp_session **it = context;
    gp_arena *arena = (*it)->arena;
    *it = GP_NEW(arena, gp_session);
    (*it)->arena = arena;
    gp_diags_init(&(*it)->diags, arena);
    return GP_OK;
}

gp_session *gp_session_new(size_t max_bytes) {
    gp_session begin = {.arena = gp_arena_new(max_bytes)};
    gp_session *session = &begin;
    if (begin.arena != NULL && gp_arena_guard(begin.arena, open_session, &session) == GP_OK)
        return session;
    gp_arena_free(begin.arena);
    return NULL;
}

void gp_session_free(gp_session *session) {
    if (session != NULL)
        gp_arena_free(session->arena);
}

/* ---- what it is given */

typedef struct file_call {
    gp_session *session;
    const char *name, *data;
    size_t len;
} file_call;

static gp_text **find_file(const gp_session *session, const char *name) {
    for (size_t i = 0; i < session->files.count; i++)
        if (gp_str_equal(session->files.items[i]->name, name))
            return &session->files.items[i];
    return NULL;
}

static gp_status add_file(void *context) {
    const file_call *call = context;
    gp_session *s = call->session;
    const char *name = gp_arena_strndup(s->arena, call->name, strlen(call->name));
    const char *data = gp_arena_strndup(s->arena, call->data, call->len);
    gp_text *text = NULL;
    gp_status st = gp_text_init(s->arena, name, data, call->len, &text);
    gp_text **held = find_file(s, name);
    if (st != GP_OK)
        return st;
    if (held == NULL)
        held = &GP_PUSH(s->arena, s->files.items, s->files.count, s->file_cap);
    *held = text;
    return GP_OK;
}

gp_status gp_session_add(gp_session *session, const char *name, const char *data, size_t len) {
    file_call call = {session, name, data, len};
    return gp_arena_guard(session->arena, add_file, &call);
}

static gp_status add_set(void *context) {
    const file_call *call = context;
    gp_session *s = call->session;
    GP_PUSH(s->arena, s->sets.items, s->sets.count, s->set_cap) =
        (gp_override){gp_arena_strndup(s->arena, call->name, strlen(call->name)),
                      gp_arena_strndup(s->arena, call->data, call->len)};
    return GP_OK;
}

gp_status gp_session_set(gp_session *session, const char *path, const char *value) {
    file_call call = {session, path, value, strlen(value)};
    return gp_arena_guard(session->arena, add_set, &call);
}

/* ---- plans */

typedef struct plan_call {
    gp_session *session;
    gp_session_question question;
    const char *const *names;
    size_t count;
    gp_report_list *ret;
    gp_spec spec;
    gp_catalog *catalog;
    gp_report_inputs told; /* what all plans rest on */
} plan_call;

/* What one plan rests on beside. */
typedef struct plan_files {
    const gp_prices **prices;
    size_t price_count;
    gp_plan_trace *traces;
    size_t trace_count;
    gp_report_inputs told;
} plan_files;

static void tell_file(gp_arena *arena, gp_report_file **items, size_t *count, const gp_text *text) {
    const size_t size = sizeof **items;
    *items = gp_arena_resize(arena, *items, *count * size, (*count + 1) * size);
    (*items)[(*count)++] = (gp_report_file){.path = text->name, .text = text};
}

/* The file that a spec names, with or without "file:" before it; NULL and an error: not added. */
static const gp_text *named_file(const plan_call *call, const gp_text *by, const char *entry) {
    const char *name = gp_str_starts(entry, "file:") ? entry + strlen("file:") : entry;
    gp_text *const *held = find_file(call->session, name);
    if (held == NULL)
        gp_diags_error(&call->session->diags, GP_ID_UNKNOWN_REFERENCE, (gp_span){.text = by},
                       "a file that was added to the session", NULL,
                       "no file \"%s\" in the session", name);
    return held == NULL ? NULL : *held;
}

static gp_status read_specs(plan_call *call) {
    gp_session *s = call->session;
    for (size_t i = 0; i < call->count; i++) {
        gp_text *const *text = find_file(s, call->names[i]);
        if (text == NULL)
            return GP_ERR_NOT_FOUND;
        gp_status st =
            gp_spec_read(s->arena, *text, s->sets.items, s->sets.count, &s->diags, &call->spec);
        if (st != GP_OK && st != GP_ERR_INPUT)
            return st;
    }
    return call->spec.plans.count > 0 || s->diags.errors > 0 ? GP_OK : GP_ERR_NOT_FOUND;
}

static gp_status apply_calibrations(plan_call *call, const gp_plan_document *plan) {
    gp_session *s = call->session;
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < plan->spec.calibration.count; i++) {
        gp_calibration_document *document = NULL;
        const gp_text *text = named_file(call, plan->text, plan->spec.calibration.items[i]);
        st =
            text == NULL ? GP_ERR_INPUT : gp_calibration_read(s->arena, text, &s->diags, &document);
        if (st == GP_OK)
            st = gp_calibration_apply(s->arena, call->catalog, document, &s->diags);
        if (st == GP_OK)
            tell_file(s->arena, &call->told.calibration.items, &call->told.calibration.count, text);
    }
    return st;
}

/* The catalogue is one for all plans of a call, and so are the calibrations: those of the first. */
static gp_status open_catalog(plan_call *call) {
    gp_session *s = call->session;
    gp_catalog_open(s->arena, &s->diags, &call->catalog);
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < call->spec.catalogs.count; i++) {
        st = gp_catalog_add(call->catalog, call->spec.catalogs.items[i]);
        tell_file(s->arena, &call->told.catalogs.items, &call->told.catalogs.count,
                  call->spec.catalogs.items[i]);
    }
    if (st == GP_OK && call->spec.plans.count > 0)
        st = apply_calibrations(call, call->spec.plans.items[0]);
    call->told.catalog.path = "built-in";
    gp_catalog_digest(call->catalog, &call->told.catalog.sha256);
    call->told.flags.items = GP_NEW_ARRAY(s->arena, gp_report_flag, s->sets.count + 1);
    for (size_t i = 0; i < s->sets.count; i++)
        GP_NEXT(call->told.flags) = (gp_report_flag){s->sets.items[i].path, s->sets.items[i].value};
    return st;
}

static void add_prices(const plan_call *call, plan_files *in, const gp_spec *spec) {
    gp_arena *arena = call->session->arena;
    const size_t size = sizeof *in->prices;
    in->prices = gp_arena_resize(arena, in->prices, in->price_count * size,
                                 (in->price_count + spec->prices.count) * size);
    for (size_t i = 0; i < spec->prices.count; i++) {
        in->prices[in->price_count++] = spec->prices.items[i];
        tell_file(arena, &in->told.prices.items, &in->told.prices.count,
                  spec->prices.items[i]->meta.span.text);
    }
}

static gp_status gather(plan_call *call, const gp_plan_document *plan, plan_files *in) {
    gp_session *s = call->session;
    for (size_t i = 0; i < plan->spec.costs.prices.count; i++) {
        gp_spec spec = {.plans = {0}};
        const gp_text *text = named_file(call, plan->text, plan->spec.costs.prices.items[i]);
        gp_status st =
            text == NULL ? GP_ERR_INPUT : gp_spec_read(s->arena, text, NULL, 0, &s->diags, &spec);
        if (st != GP_OK)
            return st;
        add_prices(call, in, &spec);
    }
    add_prices(call, in, &call->spec);
    in->traces = GP_NEW_ARRAY(s->arena, gp_plan_trace, plan->spec.workloads.count + 1);
    for (size_t i = 0; i < plan->spec.workloads.count; i++) {
        const char *name = plan->spec.workloads.items[i].traffic.profile.trace;
        const gp_text *text = name == NULL ? NULL : named_file(call, plan->text, name);
        if (text != NULL)
            in->traces[in->trace_count++] = (gp_plan_trace){name, text};
    }
    return s->diags.errors > 0 ? GP_ERR_INPUT : GP_OK;
}

static gp_status plan_one(plan_call *call, const gp_plan_document *plan, gp_report **ret_report) {
    gp_session *s = call->session;
    plan_files in = {.told = call->told};
    gp_plan_result *result = NULL;
    gp_status st = gather(call, plan, &in);
    const gp_plan_options options = {.declared_only = call->question == GP_SESSION_CHECK,
                                     .simulate = GP_PLAN_SIMULATE_QUICK,
                                     .traces = in.traces,
                                     .trace_count = in.trace_count};
    if (st == GP_OK)
        st = gp_plan_run(s->arena, call->catalog, plan, in.prices, in.price_count, &options,
                         &s->diags, &result);
    if (st == GP_OK)
        gp_report_build(s->arena, result, &in.told, ret_report);
    return st;
}

static gp_status plan_all(void *context) {
    plan_call *call = context;
    gp_session *s = call->session;
    gp_diags_init(&s->diags, s->arena);
    gp_status st = read_specs(call);
    if (st == GP_OK)
        st = open_catalog(call);
    for (size_t i = 0; st == GP_OK && i < call->spec.plans.count; i++)
        (void)gp_spec_resolve(s->arena, call->catalog, &s->diags, call->spec.plans.items[i]);
    if (st == GP_OK && s->diags.errors > 0)
        st = GP_ERR_INPUT;
    gp_report_list list = {.items =
                               GP_NEW_ARRAY(s->arena, gp_report *, call->spec.plans.count + 1)};
    for (size_t i = 0; st == GP_OK && i < call->spec.plans.count; i++)
        st = plan_one(call, call->spec.plans.items[i], &GP_NEXT(list));
    if (st == GP_OK)
        *call->ret = list;
    return st;
}

gp_status gp_session_plan(gp_session *session, gp_session_question question,
                          const char *const *names, size_t count, gp_report_list *ret_reports) {
    plan_call call = {.session = session,
                      .question = question,
                      .names = names,
                      .count = count,
                      .ret = ret_reports};
    *ret_reports = (gp_report_list){0};
    return gp_arena_guard(session->arena, plan_all, &call);
}

/* ---- reports */

typedef struct form_call {
    gp_session *session;
    const char *name;
    const gp_report_list *reports;
    gp_report_list *ret_reports;
    const gp_report *report;
    const void *options;
    gp_export_problem *ret_problem;
    const char **ret_text;
    size_t *ret_len;
} form_call;

static gp_status read_reports(void *context) {
    const form_call *call = context;
    gp_session *s = call->session;
    gp_text *const *text = find_file(s, call->name);
    gp_diags_init(&s->diags, s->arena);
    return text == NULL ? GP_ERR_NOT_FOUND
                        : gp_report_parse(s->arena, *text, &s->diags, call->ret_reports);
}

gp_status gp_session_read(gp_session *session, const char *name, gp_report_list *ret_reports) {
    form_call call = {.session = session, .name = name, .ret_reports = ret_reports};
    *ret_reports = (gp_report_list){0};
    return gp_arena_guard(session->arena, read_reports, &call);
}

static gp_status render(void *context) {
    const form_call *call = context;
    const gp_renderer *form = gp_renderer_named(call->name);
    return form == NULL ? GP_ERR_NOT_FOUND
                        : gp_render_reports(call->session->arena, form,
                                            (const gp_report *const *)call->reports->items,
                                            call->reports->count, call->options, call->ret_text,
                                            call->ret_len);
}

gp_status gp_session_render(gp_session *session, const char *form, const gp_report_list *reports,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len) {
    form_call call = {.session = session,
                      .name = form,
                      .reports = reports,
                      .options = options,
                      .ret_text = ret_text,
                      .ret_len = ret_len};
    return gp_arena_guard(session->arena, render, &call);
}

static gp_status export_report(void *context) {
    const form_call *call = context;
    const gp_export *kind = gp_export_named(call->name);
    return kind == NULL ? GP_ERR_NOT_FOUND
                        : gp_export_report(call->session->arena, kind, call->report, call->options,
                                           call->ret_problem, call->ret_text, call->ret_len);
}

gp_status gp_session_export(gp_session *session, const char *name, const gp_report *report,
                            const gp_export_options *options, gp_export_problem *ret_problem,
                            const char **ret_text, size_t *ret_len) {
    form_call call = {.session = session,
                      .name = name,
                      .report = report,
                      .options = options,
                      .ret_problem = ret_problem,
                      .ret_text = ret_text,
                      .ret_len = ret_len};
    *ret_problem = (gp_export_problem){0};
    return gp_arena_guard(session->arena, export_report, &call);
}

/* ---- what was wrong */

const gp_diags *gp_session_diags(const gp_session *session) {
    return &session->diags;
}

static gp_status write_messages(void *context) {
    const form_call *call = context;
    gp_session *s = call->session;
    gp_buf buf;
    gp_buf_init(&buf, s->arena, MESSAGES_MAX);
    for (size_t i = 0; i < s->diags.count; i++) {
        const char *text = "";
        (void)gp_diag_format(s->arena, &s->diags.items[i], &text);
        gp_buf_str(&buf, text);
    }
    return gp_buf_finish(&buf, call->ret_text, NULL);
}

gp_status gp_session_messages(gp_session *session, const char **ret_text) {
    form_call call = {.session = session, .ret_text = ret_text};
    return gp_arena_guard(session->arena, write_messages, &call);
}
