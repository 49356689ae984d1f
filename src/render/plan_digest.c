/* What a plan is known by: a digest of what it was made from, not of what it says. */
#include "render/form.h"

#include <string.h>

#include "base/sha256.h"

/* Texts end in a NUL each, so that none runs into the next. */
static void digest_text(gp_sha256 *hash, const char *text) {
    const char *it = gp_form_or(text, "");
    gp_sha256_add(hash, it, strlen(it) + 1);
}

static void digest_file(gp_sha256 *hash, const char *kind, const gp_report_file *file) {
    digest_text(hash, kind);
    digest_text(hash, file->sha256);
}

void gp_report_digest(const gp_report *report, char ret_hex[GP_PLAN_DIGEST]) {
    const gp_report_inputs *inputs = &report->inputs;
    gp_sha256 hash;
    gp_sha256_init(&hash);
    digest_text(&hash, report->tool.version);
    digest_text(&hash, report->summary.plan);
    digest_text(&hash, report->summary.objective);
    digest_text(&hash, report->summary.confidence);
    digest_file(&hash, "spec", &inputs->spec);
    digest_file(&hash, "catalog", &inputs->catalog);
    for (size_t i = 0; i < inputs->catalogs.count; i++)
        digest_file(&hash, "catalogs", &inputs->catalogs.items[i]);
    for (size_t i = 0; i < inputs->calibration.count; i++)
        digest_file(&hash, "calibration", &inputs->calibration.items[i]);
    for (size_t i = 0; i < inputs->prices.count; i++)
        digest_file(&hash, "prices", &inputs->prices.items[i]);
    for (size_t i = 0; i < inputs->flags.count; i++) {
        digest_text(&hash, inputs->flags.items[i].path);
        digest_text(&hash, inputs->flags.items[i].value);
    }
    gp_sha256_finish(&hash, ret_hex);
}
