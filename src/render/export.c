/* Exports: the table of them, and the call. */
#include "render/export.h"

#include <string.h>

enum { EXPORT_MAX_BYTES = 64 << 20 };

const gp_export *const gp_exports[] = {&gp_export_k8s, &gp_export_kueue, &gp_export_slurm,
                                       &gp_export_bom, &gp_export_rfp,   &gp_export_spec};
const size_t gp_export_count = GP_COUNT_OF(gp_exports);

const char *gp_export_name(const gp_export *kind) {
    return kind->name;
}

const char *gp_export_form(const gp_export *kind, size_t index) {
    for (size_t i = 0; kind->forms[i].name != NULL; i++)
        if (i == index)
            return kind->forms[i].name;
    return NULL;
}

const char *gp_export_form_for_file(const gp_export *kind, const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && kind->forms[i].name != NULL; i++)
        if (kind->forms[i].extension != NULL &&
            gp_str_equal_nocase(kind->forms[i].extension, dot + 1))
            return kind->forms[i].name;
    return NULL;
}

const gp_export *gp_export_named(const char *name) {
    for (size_t i = 0; i < gp_export_count; i++)
        if (gp_str_equal(gp_exports[i]->name, name))
            return gp_exports[i];
    return NULL;
}

static const gp_export_form_row *form_of(const gp_export *kind, const char *name) {
    for (size_t i = 0; kind->forms[i].name != NULL; i++)
        if (name == NULL || gp_str_equal(kind->forms[i].name, name))
            return &kind->forms[i];
    return NULL;
}

gp_status gp_export_report(gp_arena *arena, const gp_export *kind, const gp_report *report,
                           const gp_export_options *options, gp_export_problem *ret_problem,
                           const char **ret_text, size_t *ret_len) {
    gp_buf buf = GP_BUF(arena, EXPORT_MAX_BYTES);
    *ret_problem = (gp_export_problem){NULL, NULL};
    gp_export_out out = {.form = {.buf = &buf, .width = 80},
                         .report = report,
                         .problem = ret_problem,
                         .one_cluster = kind->one_cluster};
    if (options != NULL)
        out.options = *options;
    const gp_export_form_row *form = form_of(kind, out.options.form);
    if (form == NULL) {
        ret_problem->message = "no such form";
        return GP_ERR_NOT_FOUND;
    }
    if (gp_export_chosen_count(&out) == 0) {
        ret_problem->message =
            out.options.workload != NULL ? "no such workload" : "the plan has no workload";
        return GP_ERR_NOT_FOUND;
    }
    form->write(&out);
    return gp_buf_finish(&buf, ret_text, ret_len);
}
