/* The arguments that a run is launched with; for exports of jobs. */
#ifndef GP_RENDER_EXPORT_LAUNCH_H
#define GP_RENDER_EXPORT_LAUNCH_H

#include "render/export.h"

enum { GP_LAUNCH_MAX = 64 };

typedef struct gp_launch_argument {
    const char *word;
    const char *value; /* the next word; NULL: none */
} gp_launch_argument;

typedef struct gp_launch {
    const char *framework; /* whose spelling it is; NULL: no table is known */
    int count, note_count;
    gp_launch_argument arguments[GP_LAUNCH_MAX];
    const char *notes[GP_LAUNCH_MAX]; /* what whoever launches it should know, in words */
    const char *file;                 /* name of a file that the arguments name; NULL: none */
    const char *file_text;
} gp_launch;

/* Of a run that is planned; strings live as long as the export. False for a service. */
bool gp_export_launch_of(gp_export_out *out, const gp_report_workload *workload, gp_launch *ret);
/* What every job gets in its environment, whatever launches it: calls `write` for each. */
typedef void gp_launch_variable(void *context, const char *name, const char *value);
void gp_export_launch_variables(gp_export_out *out, const gp_report_workload *workload,
                                gp_launch_variable *write, void *context);

#endif
