/* What the forms share: the table row of a form, and helpers for texts that people read. */
#ifndef GP_RENDER_FORM_H
#define GP_RENDER_FORM_H

#include <math.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "render/forms.h"
#include "report/json.h"

typedef struct gp_form_out gp_form_out;

/* Who lays out the blocks of a result, and the block before the next. */
typedef enum gp_layout_form { GP_LAYOUT_TEXT, GP_LAYOUT_MARKDOWN, GP_LAYOUT_HTML } gp_layout_form;
typedef enum gp_block_kind {
    GP_BLOCK_NONE,
    GP_BLOCK_NOTE,
    GP_BLOCK_HEADING,
    GP_BLOCK_ITEM,
    GP_BLOCK_FACT,
    GP_BLOCK_TABLE
} gp_block_kind;

struct gp_form_out {
    gp_buf *buf;
    gp_layout_form layout;
    gp_block_kind last;
    int sections;       /* of a page, opened by headings */
    const char *prefix; /* of ids of sections; NULL: none */
    int indent;         /* of tables of text */
    int width;
    gp_render_options asked; /* beside the width */
    gp_put *put; /* where the text goes as it grows; NULL: it stays in `buf` */
    void *to;
};
/* Puts what there is where it goes, once it is much. */
void gp_form_drain(gp_form_out *out);

/* A form of a kind of result (reports, a simulation, a study ...). */
typedef void gp_form_write(gp_form_out *out, const void *result);
struct gp_renderer {
    const char *name, *extension; /* extension without the dot; NULL: none */
    gp_form_write *write;
    gp_layout_form layout;    /* of the blocks that it writes */
    const char *alias, *help; /* of reports; NULL: none */
    bool sourced;             /* reports say where figures come from */
    bool gate;                /* findings alone: errors of the input have it too */
};
struct gp_forms {
    const gp_renderer *rows;
    size_t count;
    int width; /* columns where the options say none */
};
#define GP_FORMS(list, columns)                                                                    \
    { .rows = (list), .count = GP_COUNT_OF(list), .width = (columns) }

/* The forms in the tables of render.c, of a gp_report_list, a gp_explanation and a gp_sweep;
 * `blocks`: of text, Markdown and pages. */
gp_form_write gp_reports_blocks, gp_reports_json, gp_reports_csv, gp_reports_yaml;
gp_form_write gp_reports_sarif, gp_reports_junit, gp_reports_tap, gp_reports_github;
gp_form_write gp_reports_gitlab, gp_reports_openmetrics;
gp_form_write gp_explanation_blocks, gp_explanation_json, gp_explanation_yaml;
gp_form_write gp_sweep_blocks, gp_sweep_json, gp_sweep_csv;

/* A formatted text (%s %d %lld); "" and a latched failure when memory is short. */
const char *gp_form_text(gp_form_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The object as its rows describe it, as JSON. */
void gp_form_object(gp_form_out *out, const gp_report_struct *type, const void *object);
/* One likewise, and of several the list of them as `key`. */
void gp_form_objects(gp_form_out *out, const char *key, const gp_report_struct *type,
                     const void *const *objects, size_t count);
/* What was put together in a buffer of its own; "" and a latched failure where it is too long. */
const char *gp_form_taken(gp_form_out *out, gp_buf *buf);
/* A short text that `write` puts together. */
const char *gp_form_written_by(gp_form_out *out, void (*write)(gp_buf *buf, const char *text),
                               const char *text);
/* `len` bytes of a text on one line: control characters, which could move a cursor, become blanks,
 * and what is among `marked` gets a backslash before it. */
void gp_form_clean(gp_buf *buf, const char *text, size_t len, const char *marked);
/* "79.6 GiB"; "-" for an absent figure. */
const char *gp_form_quantity(gp_form_out *out, double value, gp_dim dim);
const char *gp_form_watts(gp_form_out *out, double value);
const char *gp_form_seconds(gp_form_out *out, double value);
const char *gp_form_share(gp_form_out *out, double fraction);
const char *gp_form_bytes(gp_form_out *out, double value);
const char *gp_form_number(gp_form_out *out, double value);
/* A formatted text where it holds, else "". */
const char *gp_form_if(gp_form_out *out, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* ", 1.2M USD/yr"; "" for none. */
const char *gp_form_per_year(gp_form_out *out, double value, const char *currency);
/* A figure between two texts; "" for an absent one, and of a count for none. */
const char *gp_form_around(gp_form_out *out, const char *before, const char *figure,
                           const char *after);
const char *gp_form_some(gp_form_out *out, const char *before, int64_t count, const char *after);
/* One more of a list. */
const char *gp_form_joined(gp_form_out *out, const char *list, const char *between,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));
/* --- site_form.c: sentences about the site; NULL where there is nothing to say */
const char *gp_form_power(gp_form_out *out, const gp_report_power *power);
const char *gp_form_year(gp_form_out *out, const gp_report_power *power);
const char *gp_form_heat(gp_form_out *out, const gp_report_cooling *cooling);
/* "2 racks of up to 3 dgx-b200 (limited by power), each 42.9 kW, 2 circuits of 68.3 kW"; "1 rack of
 * 2 dgx-b200 (room for 3, limited by power), each 28.6 kW" */
const char *gp_form_rack(gp_form_out *out, const gp_report_power *power,
                         const gp_report_rack *rack);
/* "compute of dgx-b200, qm9700 (...): 8 leaf, 4 spine; cables 40 to hosts, 256 to spine" */
const char *gp_form_cabling(gp_form_out *out, const gp_report_fabric *fabric);
const char *gp_form_failures(gp_form_out *out, const gp_report_reliability *failures);
const char *gp_form_storage(gp_form_out *out, const gp_report_storage *storage);
/* What a year costs, part by part: those that are not nothing. */
typedef struct gp_cost_part {
    const char *label;
    double value;
} gp_cost_part;
enum { GP_COST_PARTS = 8 };
size_t gp_form_cost_parts(const gp_report_cost *cost, gp_cost_part ret_parts[GP_COST_PARTS]);
const char *gp_form_cost(gp_form_out *out, const gp_report_cost *cost);
/* " without system/dgx-h200, switch/qm9700": what the sums lack, or that of capital; "" for
 * nothing. */
const char *gp_form_without(gp_form_out *out, const gp_report_cost *cost, bool capital);
/* Whether a device that is bought has no price, so that the sum is without it. */
bool gp_form_part_priced(const gp_report *report);
const char *gp_form_owning(gp_form_out *out, const gp_report_cost *cost);
/* "20 machines in 9 racks, 1.11 MW; ..." */
const char *gp_form_horizon(gp_form_out *out, const gp_report_horizon *horizon);
/* The quantity, or the amount of money. */
const char *gp_form_amount(gp_form_out *out, double value, gp_dim dim, const char *currency);
const char *gp_form_money(gp_form_out *out, double value, const char *currency);
/* "31.2 d (27.1 d to 35.9 d)"; "-" for an absent one, the figure alone where the band is empty. */
const char *gp_form_band(gp_form_out *out, gp_report_band band, gp_dim dim);
/* "128"; "-" for an absent count. */
const char *gp_form_count(gp_form_out *out, int64_t count);
/* To add up: what a report leaves out adds nothing. */
int64_t gp_form_counted(int64_t count);
/* "1 GPU", "8 GPUs"; and where the plural is another word. */
const char *gp_form_plural(gp_form_out *out, int64_t count, const char *one);
const char *gp_form_either(gp_form_out *out, int64_t count, const char *one, const char *many);
/* "memory bandwidth" for hbmBandwidth, "request rate" for requestRate: keys as words. */
const char *gp_form_words(gp_form_out *out, const char *key);
/* "5.64 kW facility mean": what a candidate draws under its load, with cooling and losses. */
const char *gp_form_draw(gp_form_out *out, const gp_report_candidate *candidate);
/* "met", "met by the expected value only", "missed", "not judged" */
const char *gp_form_goal_state(const char *state);
/* The text, or `otherwise` for NULL. */
const char *gp_form_or(const char *text, const char *otherwise);

/* Sentences and cells that several forms print. */
/* By which objective and at which edge of the error band. */
const char *gp_form_judged(gp_form_out *out, const gp_report *report);
/* "up+out": the same in a table. */
const char *gp_form_scale_word(const char *scale);
/* A figure of a goal; shares near the whole keep the digits that tell them apart: "99.971%". */
const char *gp_form_goal_figure(gp_form_out *out, const gp_report_goal *goal, double value);
/* What is expected, with its band. */
const char *gp_form_goal_band(gp_form_out *out, const gp_report_goal *goal);
/* "765 ms (478 ms to 1.22 s) of 1.5 s: met, 18.4% spare" */
const char *gp_form_goal_text(gp_form_out *out, const gp_report_goal *goal);
/* "first token (p95)" for ttftP95, "duration of a run" for maxDuration. */
const char *gp_form_goal_name(gp_form_out *out, const char *name);
const char *gp_form_machines(gp_form_out *out, const gp_report_candidate *candidate);
/* "18 machines", or "3 of 10 machines" where some that stand are held by nobody; the number alone
 * without `noun`. */
const char *gp_form_site_machines(gp_form_out *out, const gp_report_summary *summary, bool noun);
bool gp_form_is_rented(const gp_report_candidate *candidate);
/* "8 there, 6 to buy": where the machines that are chosen come from. */
const char *gp_form_where(gp_form_out *out, const gp_report_recommendation *verdict);
/* "1 x 8 (TP8), 31 d, 120 kW", or what is lacking. */
const char *gp_form_alternative(gp_form_out *out, const gp_report_candidate *candidate,
                                const char *currency);
/* Time to complete, or time per token: the figure the workload is judged by. */
const char *gp_form_speed(gp_form_out *out, const gp_report_candidate *candidate);
/* The reason, with the keys to add where it was not assessed. */
const char *gp_form_check_reason(gp_form_out *out, const gp_report_check *check);
int64_t gp_form_level_count(const gp_report *report, const char *level);
/* "0 errors, 2 warnings, 5 notes" */
const char *gp_form_findings(gp_form_out *out, const gp_report *report);
/* A word of a shell command. */
const char *gp_form_shell(gp_form_out *out, const char *word);
/* "plan.yaml --set a=b": the plan as a command takes it. */
const char *gp_form_spec(gp_form_out *out, const gp_report *report);
/* "39.4 of 45 d": the figure that is judged, and what was asked for. */
const char *gp_form_goal_short(gp_form_out *out, const gp_report_workload *workload);
/* "plan.yaml:12:9", or NULL */
const char *gp_form_place(gp_form_out *out, const gp_report_finding *finding);
const char *gp_form_software(gp_form_out *out, const gp_report_recommendation *verdict,
                             const gp_report_software_change *change);
/* "186 kJ and 0.45 USD per million tokens; 214 USD a run"; NULL: not known. */
const char *gp_form_unit(gp_form_out *out, const gp_report_performance *figures,
                         const char *currency);
/* "5 x dgx-b200 ...: 12% less energy"; NULL: the chosen one takes least. */
const char *gp_form_efficient(gp_form_out *out, const gp_report_workload *workload);
/* "8 leaf, 4 spine" */
const char *gp_form_fabric(gp_form_out *out, const gp_report_fabric *fabric);
/* "q3400-ra (144 ports of 800 Gb/s, split for hosts of 400 Gb/s)" */
const char *gp_form_switch(gp_form_out *out, const gp_report_fabric *fabric);
/* Where an input came from, in one line. */
const char *gp_form_source(gp_form_out *out, const gp_report_source *source);
/* "+0.512%": what a figure does for 1 % more of a number; "gone" where it is no more, "jump" where
 * a step of it is passed. */
const char *gp_form_effect(gp_form_out *out, double effect);

/* "facility power" for summary.facilityPowerW: the unit at the end says nothing in words. */
const char *gp_form_metric(gp_form_out *out, const char *path);

/* A service, which is asked for so many tokens; runs and batches make as many as they can. */
bool gp_form_is_asked(const gp_report_workload *work);
/* Tokens a second that delivered machines are tested for: of a service those of its planned peak,
 * else the lower edge of the band. */
double gp_form_token_rate(const gp_report_workload *work);
/* What measured rates may fall short of those expected by: the lower edge of the band over them. */
double gp_form_rate_share(const gp_report_workload *work);
/* How a goal in time is tested. */
const char *gp_form_goal_test(const gp_report_workload *work);

#endif
