/* Parts of the text form. */
#ifndef GP_RENDER_TEXT_FORM_H
#define GP_RENDER_TEXT_FORM_H

#include "render/table.h"

enum { GP_SCREEN_LINES = 30, GP_SCREEN_LABEL = 10 };

/* The answer: one screen, and the same at the head of a page or of a comment. */
void gp_say_answer(gp_form_out *out, const gp_report *report);
/* What to buy, the site, the range, checks, platforms; texts are cut where `lines` are passed. */
void gp_text_answer_facts(gp_form_out *out, const gp_report *report, int lines);
/* Lines written since the buffer was `start` bytes long. */
int gp_text_lines(const gp_form_out *out, size_t start);
/* The need of one workload step by step beside what would change the answer, in `lines` lines at
 * most. */
void gp_text_answer_need(gp_form_out *out, const gp_report *report, int lines);
/* The same as two tables. */
void gp_say_need(gp_form_out *out, const gp_report *report);
/* "done in 45 d: 56 GPUs; / 0.7 for tuning: 80; ..."; NULL: nothing is known of its parts. */
const char *gp_text_need(gp_form_out *out, const gp_report *report,
                         const gp_report_workload *workload);
/* The workload with the most GPUs among those that hold; NULL: none holds. */
const gp_report_workload *gp_text_largest(const gp_report *report);
/* A line of the screen behind its label, cut where there is no room for it. */
void gp_text_fact(gp_form_out *out, const char *label, const char *text);
/* Writes `text` in the colour of a level (ok, warning, fail, error, note, ...), padded. */
void gp_text_level(gp_form_out *out, const char *level, const char *text, int columns);

/* Does what is declared hold: goals, findings with their fixes, what is waived. */
void gp_text_gate(gp_form_out *out, const gp_report *report);

#endif
