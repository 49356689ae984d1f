/*
 * From texts to reports. A session holds all that it is given and all that it returns until it is
 * freed; it opens no file and reads no clock. What a spec names (price lists, traces, calibrations)
 * is added under that name. Sessions share nothing: each may have a thread of its own.
 */
#ifndef GPUPLAN_SESSION_H
#define GPUPLAN_SESSION_H

#include <gpuplan/diag.h>
#include <gpuplan/render.h>
#include <gpuplan/report.h>

typedef struct gp_session gp_session;

/* A session that never holds more than `max_bytes`; NULL when memory is short. Any function below
 * returns GP_ERR_NO_MEMORY when that is used up; the session can still be asked and freed. */
gp_session *gp_session_new(size_t max_bytes);
void gp_session_free(gp_session *session); /* NULL is fine */

/* A file by its name: `data` is copied. One of the same name is replaced. */
gp_status gp_session_add(gp_session *session, const char *name, const char *data, size_t len);
/* As --set PATH=VALUE: "workloads.chat.traffic.requestsPerSecond", "80". For plans to come. */
gp_status gp_session_set(gp_session *session, const char *path, const char *value);

typedef enum gp_session_question {
    GP_SESSION_SIZE, /* what the plan takes */
    GP_SESSION_CHECK /* what the machines that it declares are good for */
} gp_session_question;

/* One report for each Plan among the files of these names, in order. Their Prices and Catalog
 * documents take part. GP_ERR_INPUT: the diagnostics say why; GP_ERR_NOT_FOUND: no file has one of
 * the names, or there is no Plan in them. */
gp_status gp_session_plan(gp_session *session, gp_session_question question,
                          const char *const *names, size_t count, gp_report_list *ret_reports);
/* The reports that an added file holds, as JSON. */
gp_status gp_session_read(gp_session *session, const char *name, gp_report_list *ret_reports);

/* Reports as text in one of the forms of render.h, by name; GP_ERR_NOT_FOUND: there is no such form
 * of text. `options` may be NULL. */
gp_status gp_session_render(gp_session *session, const char *form, const gp_report_list *reports,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len);
/* As gp_export_report, by the export's name. */
gp_status gp_session_export(gp_session *session, const char *name, const gp_report *report,
                            const gp_export_options *options, gp_export_problem *ret_problem,
                            const char **ret_text, size_t *ret_len);

/* What was wrong with the inputs of the last gp_session_plan or gp_session_read. */
const gp_diags *gp_session_diags(const gp_session *session);
/* The same as people read it, with the lines in question; "" where nothing was wrong. */
gp_status gp_session_messages(gp_session *session, const char **ret_text);

#endif
