/* The plan as a spec that declares it, which `check` and `size` take like any other. */
#include "render/export.h"

static void write_yaml(gp_export_out *out) {
    const char *problem = NULL;
    const char *text = NULL;
    gp_buf *buf = out->form.buf;
    if (out->options.planned == NULL) {
        gp_export_fail(out, "give the spec it was made from",
                       "a report does not contain the spec of its plan");
        return;
    }
    const gp_status st = gp_plan_declare(buf->arena, out->options.planned, &problem, &text);
    if (problem != NULL)
        gp_export_fail(out, NULL, "%s", problem);
    else if (st != GP_OK)
        buf->st = st;
    if (gp_export_failed(out))
        return;
    gp_export_header(out);
    gp_buf_str(buf, text);
}

const gp_export gp_export_spec = {
    .name = "spec",
    .summary = "the plan as a spec with its machines and layouts declared",
    .forms = {{"yaml", "yaml", write_yaml}},
};
