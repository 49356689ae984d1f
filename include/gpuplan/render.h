/*
 * Forms of a report. Every form is written into memory whole: the caller puts it on a stream or in
 * a file. Texts are UTF-8, NUL-terminated, arena-owned and end in a newline.
 */
#ifndef GPUPLAN_RENDER_H
#define GPUPLAN_RENDER_H

#include <gpuplan/report.h>


/* How much the text form of a report shows. */
typedef enum gp_detail {
    GP_DETAIL_ANSWER, /* the first screen only */
    GP_DETAIL_NORMAL, /* the answer, what matters of each workload, errors and warnings */
    GP_DETAIL_ALL
} gp_detail;

/* A form that the library does not write by itself, since it takes files on the way: a workbook. */
typedef gp_status gp_workbook_write(gp_arena *arena, const gp_report *const *reports, size_t count,
                                    const char **ret_text, size_t *ret_len);

typedef struct gp_render_options {
    int width;        /* columns of the text form; 0: 80 */
    bool gate;        /* the text form answers "does it hold?" instead of "what does it take?" */
    size_t max_bytes; /* of a comparison in Markdown; 0: 60000 */
    bool colour;      /* ANSI colours in the text form */
    gp_detail detail;
    const char *fail_level; /* findings from here on are failures in gate forms; NULL: error */
    const char
        *command; /* SPEC as the user wrote it, for the "next:" line; NULL: the plan's path */
    const char *const *flags; /* words behind it for the same result: "--set", "a=b" */
    size_t flag_count;
    gp_workbook_write *workbook; /* writes the form xlsx; NULL: there is none */
} gp_render_options;

typedef struct gp_renderer gp_renderer;

/* All forms of text, in the order they are listed to users; xlsx is found by name and extension. */
extern const gp_renderer *const gp_renderers[];
extern const size_t gp_renderer_count;

const char *gp_renderer_name(const gp_renderer *renderer); /* "text" */

const char *gp_renderer_help(const gp_renderer *renderer);
/* By name or alias ("md"), NULL when there is none. */
const gp_renderer *gp_renderer_named(const char *name);
/* By the file name's extension, NULL when it has none that is known. */
const gp_renderer *gp_renderer_for_file(const char *path);

/* `options` may be NULL. One report gives the report alone, several a list of them (JSON:
 * {schemaVersion, reports: []}); GP_ERR_LIMIT when the text would pass 256 MiB. */
gp_status gp_render_reports(gp_arena *arena, const gp_renderer *renderer,
                            const gp_report *const *reports, size_t count,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len);
/* ---------------------------------------------------------------- exports */

/* What a plan becomes in the hands of others: manifests, job scripts, bills, tenders. */
typedef struct gp_export gp_export;

extern const gp_export *const gp_exports[];
extern const size_t gp_export_count;

const char *gp_export_name(const gp_export *kind);    /* "k8s" */
/* Its forms in order, NULL past the last; the first is the default. */
const char *gp_export_form(const gp_export *kind, size_t index);
/* The form that a file's name tells, by its extension; NULL: none. */
const char *gp_export_form_for_file(const gp_export *kind, const char *path);
/* By name, NULL when there is none. */
const gp_export *gp_export_named(const char *name);

typedef struct gp_export_options {
    const char *form;       /* NULL: the first */
    const char *workload;   /* NULL: all */
    const char *image;      /* k8s: of the containers; NULL: one that no registry has */
    const char *autoscaler; /* k8s: hpa | keda | none; NULL: hpa where the metric is known */
    const char *metric;     /* k8s: as the engine exports it; NULL: the plan's */
    const char *prometheus; /* k8s, keda: address of the server */
    const char *api;        /* kueue: v1beta1 (NULL) | v1beta2 */
    bool neutral;           /* rfp: no product is named outside the annex */
    const struct gp_plan_result *planned; /* spec: the plan itself; NULL: there is but a report */
} gp_export_options;

/* Why there is no export, in words. */
typedef struct gp_export_problem {
    const char *message;
    const char *hint; /* NULL: none */
} gp_export_problem;

/* `options` may be NULL. GP_ERR_INPUT with *ret_problem where the report cannot give it (a workload
 * that is infeasible, GPUs that are shared); GP_ERR_NOT_FOUND for a form or workload that is not
 * there. */
gp_status gp_export_report(gp_arena *arena, const gp_export *kind, const gp_report *report,
                           const gp_export_options *options, gp_export_problem *ret_problem,
                           const char **ret_text, size_t *ret_len);
/* The digest of all that the report rests on (version, files, flags), as 64 hexadecimal digits and
 * a NUL. */
enum { GP_PLAN_DIGEST = 65 };
void gp_report_digest(const gp_report *report, char ret_hex[GP_PLAN_DIGEST]);

#endif
