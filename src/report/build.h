/*
 * What the files that build a report share.
 */
#ifndef GP_REPORT_BUILD_H
#define GP_REPORT_BUILD_H

#include "report/produce.h"

#include "model/fields.h"
#include "plan/plan.h"
#include "report/json.h"

typedef struct gp_build {
    gp_arena *arena;
    const gp_plan_result *result;
    gp_report *report;
} gp_build;

/* A printf-formatted text (%s %d %lld). */
const char *gp_build_text(gp_build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of all prices: that of the lists, else the one the spec states. */
const char *gp_build_currency(const gp_plan_result *result);
/* A quantity for people; "unknown" for what is not finite. */
const char *gp_build_quantity(gp_build *build, double value, gp_dim dim);
/* The same, with as many digits as tell it from the other. */
const char *gp_build_quantity_apart(gp_build *build, double value, double other, gp_dim dim);
/* A quantity that reads no less than the value: what a limit is to be raised to. */
const char *gp_build_quantity_up(gp_build *build, double value, gp_dim dim);
/* The text, or "?" for NULL: for use inside sentences. */
const char *gp_build_word(const char *text);
/* Adds a name to a list with room for it, where it is not there yet. */
void gp_build_name_once(const char **names, size_t *count, const char *name);
/* "1 GPU", "8 GPUs". */
const char *gp_build_count(gp_build *build, int64_t count, const char *one);
/* Replicas that the spec states of a service, of prefill and decode together. */
int64_t gp_build_declared(const gp_workload_plan *plan);

const char *gp_build_bound_words(gp_bound bound); /* "memory bandwidth" */
const char *gp_build_gpu_id(const gp_unit *unit);
const char *gp_build_system_id(const gp_unit *unit);
/* "DGX H100": as its maker calls it; the id where the catalogue has no other name. */
const char *gp_build_product(const gp_unit *unit);

gp_report_band gp_build_band(gp_band band);
gp_report_band gp_build_no_band(void);
/* The figure, or absent where it is not above zero. */
double gp_build_positive(double value);
double gp_build_per_year(double per_s);

/* "16 DGX H200" */
const char *gp_build_machines(gp_build *build, const gp_candidate *candidate);
/* Pools with layouts of their own; none where there is but one. */
void gp_build_pools(gp_build *build, const gp_split_pools *pools, gp_report_pools *ret);
/* The answer alone, as it is told of a way that was not taken. `none`: what to say where there is
 * no candidate at all. */
void gp_build_brief(gp_build *build, const gp_workload_plan *plan, const gp_candidate *candidate,
                    const char *none, gp_report_candidate *ret);
void gp_build_candidate(gp_build *build, const gp_workload_plan *plan,
                        const gp_candidate *candidate, const char *none, gp_report_candidate *ret);
void gp_build_workload(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
void gp_build_performance(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
void gp_build_service(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
/* A step of reinforcement learning; its phases are the parts of the step. */
void gp_build_rl(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
void gp_build_seats(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
/* "5 replicas x 8 GPUs (TP8)", "2 jobs x 4 GPUs (DP4)" */
const char *gp_build_layout_words(gp_build *build, const gp_workload_plan *plan,
                                  const gp_candidate *candidate);
/* The same of an inference workload. */
const char *gp_build_serving_words(gp_build *build, const gp_candidate *candidate);
/* All of its shares are laid out as the first is. */
bool gp_build_is_alike(gp_build *build, const gp_candidate *candidate);
void gp_build_simulation(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
void gp_build_goals(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret);
void gp_build_network(gp_build *build, const gp_workload_plan *plan, gp_report_network *ret);
/* GPUs of one job or replica of the candidate. */
int64_t gp_build_gpus_each(const gp_workload_plan *plan, const gp_candidate *candidate);
/* One job or replica spans machines. */
bool gp_build_spans_machines(const gp_workload_plan *plan, const gp_candidate *candidate);
/* The fabric of the spec that carries the workloads' traffic, or NULL; of the site that a unit
 * stands at; `unit` NULL: of the only one. */
const gp_fabric *gp_build_compute_fabric(const gp_plan_result *result, const gp_unit *unit);
/* The result as one of several sites sees it. */
void gp_build_at(const gp_plan_result *result, size_t site, gp_plan_result *ret);
/* "machines", "GPUs" or "replicas": what a lack of supply counts. */
const char *gp_build_supply_noun(const gp_candidate *candidate);
/* "TP4 PP2 DP16 ZeRO-1" of a training, "8 GPUs (TP8)" of a replica. */
const char *gp_build_degree_words(gp_build *build, const gp_layout *layout);
const char *gp_build_replica_words(gp_build *build, const gp_serve_layout *layout);
/* "short of memory by 68.8 GiB: needs 141 GiB, may use 72.2 GiB on each GPU" */
const char *gp_build_lack_words(gp_build *build, const gp_candidate *candidate);
/* It would be enough, but no rack takes its machines. */
/* A time that is too long, or a rate of training that is too low. */
bool gp_build_is_slow(const gp_lack *lack);
bool gp_build_lacks_rack(const gp_candidate *candidate);
/* Whether its goals could be held against figures: a service needs its traffic for that. */
bool gp_build_is_judged(const gp_workload_plan *plan);
bool gp_build_goal_is_moot(const gp_workload_plan *plan, const gp_goal_result *goal);
/* Money of which some has no price is not known, unless what has one is too much by itself. */
bool gp_build_limit_known(const gp_build *build, const gp_limit_use *use);
/* Adds the parts to buy that have none, as price lists name them: of compute fabrics, or others. */
void gp_build_unpriced_parts(gp_build *build, bool compute, const char **names, size_t *count);
/* The first kind of machine that stands there whose power nobody states; NULL: all do. */
const gp_unit *gp_build_powerless(const gp_plan_result *result);
/* What work on machines of a kind draws (NULL: on several), as far as it is known. */
double gp_build_power(const gp_unit *unit, double power_w);
/* "gpuplan size plan.yaml --set PATH=VALUE": to be pasted. */
const char *gp_build_size_command(gp_build *build, const char *setting);
/* "request rate" for requestRate. */
const char *gp_build_key_words(gp_build *build, const char *key);
/* How much speaks for a change: one that spares new machines first, then the share it saves. */
double gp_build_change_weight(const gp_software_change *change);
/* The sentence behind a verdict. */
const char *gp_build_reason(gp_build *build, const gp_workload_plan *plan);

/* It has a part of machines of which other workloads have parts, too. */
bool gp_build_shares_machine(const gp_build *build, const gp_workload_plan *plan);
/* What it runs on today would do, and is taken by others: as much is bought for it. */
bool gp_build_is_displaced(const gp_workload_plan *plan);
/* "62 d on 8, limit 41 d": the same in a few words. */
const char *gp_build_because(gp_build *build, const gp_workload_plan *plan);

/* The whole plan by expected values, and on each kind of machine alone. */
void gp_build_wholes(gp_build *build);
/* Files with their digests. */
void gp_build_inputs(gp_build *build, const gp_plan_document *document,
                     const gp_report_inputs *inputs, gp_report_inputs *ret);
void gp_build_site(gp_build *build);
void gp_build_schedule(gp_build *build);
/* What a workload holds over the horizon, with the GPUs of a candidate. */
gp_report_claim gp_build_claim(const gp_workload_plan *plan, const gp_candidate *candidate);
void gp_build_teams(gp_build *build);
/* Energy and money of a unit of work, hosts, energy-efficient alternatives; after workloads and
 * cost. */
void gp_build_units_of_work(gp_build *build);
void gp_build_cost(gp_build *build);
/* "2027-01-01" of yyyymmdd */
const char *gp_report_date(gp_arena *arena, int64_t date);
const char *gp_build_date(gp_build *build, int64_t date);
void gp_build_growth(gp_build *build);

/* The figures of a report, which is made where there is none: all but what judges them. */
void gp_build_figures(gp_build *build);
void gp_build_findings(gp_build *build);
void gp_build_checks(gp_build *build);
void gp_build_assumptions(gp_build *build);
void gp_build_data(gp_build *build);
void gp_build_provenance(gp_build *build);

/* The rows of the metric that asks for layouts. */
void gp_explain_layouts(gp_build *build, const gp_workload_plan *plan, gp_explanation *out);
/* The same as gp_report_explain, of the site, or of one of several. */
gp_status gp_explain_site(gp_arena *arena, const gp_plan_result *result, const gp_report *report,
                          int place, const char *metric, gp_explanation **ret_explanation,
                          const char **ret_nearest);

/* Own measurements behind the rates of the chosen machine for this workload; 0: none. */
int64_t gp_build_own_samples(const gp_workload_plan *plan);

#endif
