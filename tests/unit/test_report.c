/* The report model: order and shape of its keys, paths into it, its figures against the plan. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render/forms.h"

#include "report/source.h"
#include "support/agreement.h"
#include "support/plan_flow.h"
#include "support/report_case.h"
#include "support/spec_case.h"

static const char quickstart[] = "examples/quickstart.yaml";

static int open_case(void **state) {
    *state = report_case_together(quickstart);
    return 0;
}

static int close_case(void **state) {
    report_case_free(*state);
    return 0;
}

static const char *json_of(gp_arena *arena, const gp_report *report) {
    const char *text = NULL;
    size_t len = 0;
    assert_int_equal(
        gp_render_reports(arena, gp_renderer_named("json"), &report, 1, NULL, &text, &len), GP_OK);
    assert_int_equal(strlen(text), len);
    return text;
}

/* The keys stand in this order; each is looked for behind the one before. */
static void keys_in_order(const char *text, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(text, keys[i]);
        if (at == NULL)
            fail_msg("%s is missing or out of order", keys[i]);
        text = at + strlen(keys[i]);
    }
}

static void contract_order(void **state) {
    static const char *const keys[] = {
        "\"schemaVersion\":",
        "\"tool\":",
        "\"name\":",
        "\"version\":",
        "\"inputs\":",
        "\"spec\":",
        "\"path\":",
        "\"sha256\":",
        "\"catalog\":",
        "\"calibration\":",
        "\"prices\":",
        "\"lock\":",
        "\"flags\":",
        "\"summary\":",
        "\"feasible\":",
        "\"objective\":",
        "\"confidence\":",
        "\"gpus\":",
        "\"nodes\":",
        "\"racks\":",
        "\"itPowerW\":",
        "\"facilityPowerW\":",
        "\"checks\":",
        "\"id\": \"resources\"",
        "\"id\": \"network\"",
        "\"id\": \"software\"",
        "\"id\": \"powerCooling\"",
        "\"id\": \"scalability\"",
        "\"workloads\":",
        "\"name\":",
        "\"type\":",
        "\"recommendation\":",
        "\"scale\":",
        "\"boundBy\":",
        "\"reason\":",
        "\"flip\":",
        "\"surplus\":",
        "\"softwareChanges\":",
        "\"layoutChange\":",
        "\"current\":",
        "\"feasible\":",
        "\"chosen\":",
        "\"feasible\":",
        "\"where\":",
        "\"gpu\":",
        "\"gpus\":",
        "\"nodes\":",
        "\"tp\":",
        "\"pp\":",
        "\"dp\":",
        "\"cp\":",
        "\"ep\":",
        "\"replicas\":",
        "\"vertical\":",
        "\"horizontal\":",
        "\"memory\":",
        "\"capacityBytes\":",
        "\"headroomFraction\":",
        "\"components\":",
        "\"performance\":",
        "\"stepTimeS\":",
        "\"stepTimeSLow\":",
        "\"stepTimeSHigh\":",
        "\"tokensPerS\":",
        "\"tokensPerSPerGpu\":",
        "\"timeToCompleteS\":",
        "\"goodputFraction\":",
        "\"ttftP95S\":",
        "\"tpotP95S\":",
        "\"requestsPerS\":",
        "\"concurrencyPerReplica\":",
        "\"network\":",
        "\"goals\":",
        "\"site\":",
        "\"power\":",
        "\"itW\":",
        "\"cooling\":",
        "\"racks\":",
        "\"fabrics\":",
        "\"leaf\":",
        "\"spine\":",
        "\"core\":",
        "\"cables\":",
        "\"cost\":",
        "\"growth\":",
        "\"findings\":",
        "\"id\":",
        "\"level\":",
        "\"message\":",
        "\"workload\":",
        "\"file\":",
        "\"line\":",
        "\"column\":",
        "\"metric\":",
        "\"value\":",
        "\"limit\":",
        "\"margin\":",
        "\"fix\":",
        "\"assumptions\":",
        "\"path\":",
        "\"value\":",
        "\"source\":",
        "\"verified\":",
        "\"leverage\":",
        "\"data\":",
        "\"unverifiedShare\":",
        "\"provenance\":",
        "\"figures\":",
        "\"basis\":",
        "\"formula\":",
        "\"inputs\":",
        "\"workloadFigures\":",
        "\"sources\":",
    };
    report_case *c = *state;
    keys_in_order(json_of(c->arena, report_case_build(c)), keys, sizeof keys / sizeof keys[0]);
}

static void same_bytes_twice(void **state) {
    report_case *c = *state;
    report_case *other = report_case_together(quickstart);
    const char *first = json_of(c->arena, report_case_build(c));
    const char *second = json_of(other->arena, report_case_build(other));
    assert_string_equal(first, second);
    static const char *const wrong[] = {": nan", ": inf", ":nan", ":inf"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(strstr(first, wrong[i]));
    report_case_free(other);
}

static void figures_are_the_plans(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    assert_int_equal(report->workloads.count, c->result.workloads.count);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_workload_plan *plan = &c->workloads[i];
        const gp_report_workload *workload = &report->workloads.items[i];
        assert_string_equal(workload->recommendation.scale, gp_scale_name(plan->scale));
        assert_int_equal(workload->recommendation.chosen.gpus, plan->chosen.gpus);
        assert_non_null(workload->recommendation.reason);
        double sum = 0;
        for (size_t k = 0; k < workload->memory.components.count; k++)
            sum += workload->memory.components.items[k].bytes;
        assert_true(fabs(sum - workload->memory.used_bytes) <= 1e-9 * sum);
        sum = 0;
        for (size_t k = 0; k < workload->performance.step_parts.count; k++)
            sum += workload->performance.step_parts.items[k].time_s;
        if (!plan->is_serving)
            assert_true(fabs(sum - plan->chosen.time.step_s) <= 1e-6 * sum);
    }
}

/* Both alternatives are there whatever the verdict; one that does not hold says what it lacks. */
static void alternatives_are_objects(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_recommendation *verdict = &report->workloads.items[i].recommendation;
        assert_true(verdict->vertical.feasible || verdict->vertical.lack != NULL);
        assert_true(verdict->horizontal.feasible || verdict->horizontal.lack != NULL);
        assert_true(verdict->flip != NULL || verdict->flip_reason != NULL);
    }
}

static void layout_in_words(void **state) {
    report_case *c = *state;
    gp_workload_plan *chat = &c->workloads[3];
    assert_true(chat->is_serving);
    chat->chosen.replicas = 5;
    chat->chosen.serve_layout = (gp_serve_layout){8, 1, 1, 0, 0, 0, 0};
    const gp_report *report = report_case_build(c);
    const gp_report_candidate *chosen = &report->workloads.items[3].recommendation.chosen;
    assert_string_equal(chosen->layout, "5 replicas x 8 GPUs (TP8)");
    assert_int_equal(chosen->gpus_per_replica, 8);
}

static void find_paths(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_report_value value;
    const char *nearest = NULL;
    assert_int_equal(gp_report_find(&gp_report_type, report,
                                    "workloads.chat.memory.headroomFraction", &value, &nearest),
                     GP_OK);
    assert_int_equal(value.dim, GP_DIM_FRACTION);
    assert_false(value.absent);
    assert_int_equal(gp_report_find(&gp_report_type, report, "workloads.0.type", &value, NULL),
                     GP_OK);
    assert_string_equal(value.text, "training");
    assert_int_equal(gp_report_find(&gp_report_workload_type, &report->workloads.items[0],
                                    "performance.stepTimeSHigh", &value, NULL),
                     GP_OK);
    assert_true(value.real > report->workloads.items[0].performance.step_time_s.expected);
    assert_int_equal(gp_report_find(&gp_report_workload_type, &report->workloads.items[3],
                                    "performance.stepTimeS", &value, NULL),
                     GP_OK);
    assert_true(value.absent);
}

static void find_reports_nearest(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_report_value value;
    const char *nearest = NULL;
    static const struct {
        const char *path, *nearest;
    } rows[] = {
        {"sumary.gpus", "summary"},
        {"summary.gpu", "gpus"},
        {"workloads.chatt.type", "chat"},
        {"workloads.chat.memory.headroomFracton", "headroomFraction"},
        {"summary", NULL},
        {"summary.gpus.more", NULL},
        {"workloads.99.type", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(gp_report_find(&gp_report_type, report, rows[i].path, &value, &nearest),
                         GP_ERR_NOT_FOUND);
        if (rows[i].nearest != NULL) {
            assert_non_null(nearest);
            assert_string_equal(nearest, rows[i].nearest);
        }
    }
}

/* What the list of metrics names under the root structs is found in a report. */
/* Rows below `prefix` lead to figures and say what they mean; returns how many do. */
static int checked_rows(gp_arena *arena, const gp_report_struct *type, const char *prefix) {
    int count = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_report_field *field = &type->fields[i];
        const bool list = field->kind == GP_REPORT_LIST;
        const char *path = gp_arena_printf(arena, "%s%s", prefix, field->key);
        gp_report_kind kind;
        gp_dim dim;
        const char *near = NULL;
        assert_non_null(field->help);
        if (field->nested != NULL)
            count += checked_rows(arena, field->nested,
                                  gp_arena_printf(arena, list ? "%s.0." : "%s.", path));
        else if (!list && gp_report_path_check(&gp_report_type, path, &kind, &dim, &near) != GP_OK)
            fail_msg("%s is described, but not found", path);
        count += field->nested == NULL ? 1 : 0;
    }
    return count;
}

static void every_row_is_found(void **state) {
    report_case *c = *state;
    assert_true(checked_rows(c->arena, &gp_report_type, "") > 200);
}

static void schema_names_every_struct(void **state) {
    report_case *c = *state;
    const char *text = NULL;
    assert_int_equal(gp_report_schema_json(c->arena, &text), GP_OK);
    static const char *const keys[] = {"\"$schema\":", "\"definitions\":", "\"candidate\":",
                                       "\"goal\":",    "\"finding\":",     "\"provenance\":"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(strstr(text, keys[i]));
}

static void spec_is_digested(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    assert_string_equal(report->inputs.spec.path, quickstart);
    assert_int_equal(strlen(report->inputs.spec.sha256), 64);
    assert_null(strstr(json_of(c->arena, report), "\"now\""));
}

static void explains_a_figure(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    bool unknown = true;
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "pretrain",
                                       "performance.stepTimeS", &explanation, &nearest, &unknown),
                     GP_OK);
    assert_int_equal(explanation->figures.count, 1);
    assert_string_equal(explanation->terms.items[0].name, "stepTime");
    for (size_t i = 0; i < explanation->terms.count; i++) {
        if (explanation->terms.items[i].formula == NULL)
            fail_msg("%s has no formula", explanation->terms.items[i].name);
        assert_non_null(explanation->terms.items[i].source);
    }
}

/* How a figure of the whole plan is computed; NULL where that is not told. */
static const gp_report_derivation *derivation_of(const gp_report *report, const char *pointer) {
    const gp_report_derivations *figures = &report->provenance.figures;
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->items[i].figure, pointer) == 0)
            return &figures->items[i];
    return NULL;
}

static const gp_report_derivation *workload_derivation_of(const gp_report *report, size_t workload,
                                                          const char *pointer) {
    const gp_report_workload *w = &report->workloads.items[workload];
    for (size_t i = 0; i < w->provenance.count; i++) {
        const gp_report_derivation *of =
            &report->provenance.workload_figures.items[w->provenance.items[i]];
        if (strcmp(of->figure, pointer) == 0)
            return of;
    }
    return NULL;
}

static const gp_report_source *input_of(const gp_report *report, const gp_report_derivation *of,
                                        size_t index) {
    return &report->provenance.sources.items[of->inputs.items[index]];
}

/* Every workload tells where its step time or its latency comes from; terms tell no value, since
 * workloads share them. */
static void workload_figures_have_provenance(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_derivation *of = workload_derivation_of(
            report, i,
            report->workloads.items[i].service != NULL ? "/performance/tpotP95S"
                                                       : "/performance/stepTimeS");
        assert_non_null(of);
        assert_true(of->inputs.count > 0);
        assert_string_equal(input_of(report, of, 0)->origin, "term");
        assert_null(input_of(report, of, 0)->value);
    }
}

/* Figures of the whole plan say where they come from, too; sums over machines by their paths. */
static void site_figures_have_provenance(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    assert_non_null(derivation_of(report, "/site/cooling/airflowM3PerS"));
    const gp_report_derivation *power = derivation_of(report, "/site/power/facilityW");
    assert_non_null(power);
    assert_non_null(power->formula);
    assert_string_equal(input_of(report, power, 0)->name, "site.power.itW");
    assert_non_null(input_of(report, power, 0)->value);
    const gp_report_derivation *it = derivation_of(report, "/site/power/itW");
    assert_non_null(it);
    assert_true(it->inputs.count > 0);
    assert_non_null(input_of(report, it, 0)->source);
    assert_non_null(derivation_of(report, "/site/racks/0/count"));
    assert_non_null(derivation_of(report, "/summary/facilityPowerW"));
}

static gp_status explain_site(report_case *c, const char *metric, gp_explanation **ret) {
    const char *nearest = NULL;
    bool unknown = false;
    const gp_report *report = report_case_build(c);
    return gp_report_explain(c->arena, &c->result, report, "site", metric, ret, &nearest, &unknown);
}

/* By path, without its first word, by its last, by its term, by a group; beneath each figure come
 * the steps that it rests on. */
static void the_site_is_explained(void **state) {
    static const char *const ways[] = {"site.power.facilityW", "power.facilityW",
                                       "facilityPeakPower", "summary.facilityPowerW"};
    report_case *c = *state;
    gp_explanation *explanation = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_int_equal(explain_site(c, ways[i], &explanation), GP_OK);
        assert_int_equal(explanation->figures.count, 1);
        assert_string_equal(explanation->figures.items[0].path, "site.power.facilityW");
        assert_string_equal(explanation->terms.items[0].name, "facilityPeakPower");
        assert_string_equal(explanation->terms.items[1].name, "itPower");
        assert_true(explanation->terms.items[1].inputs.count > 0);
    }
    assert_int_equal(explain_site(c, "site.power", &explanation), GP_OK);
    assert_true(explanation->figures.count > 3);
    assert_int_equal(explain_site(c, NULL, &explanation), GP_OK);
    assert_true(explanation->figures.count > 10);
    for (size_t i = 0; i < explanation->terms.count; i++) {
        assert_non_null(explanation->terms.items[i].formula);
        assert_non_null(explanation->terms.items[i].source);
    }
    assert_int_equal(explain_site(c, "nothingOfTheKind", &explanation), GP_ERR_NOT_FOUND);
}

static void fabrics_tell_what_was_planned(void **state) {
    report_case *c = *state;
    c->document.spec.cluster.fabrics.count = 0;
    const gp_report *report = report_case_build(c);
    assert_true(report->site.fabrics.count >= 1);
    const gp_report_fabric *fabric = &report->site.fabrics.items[0];
    assert_string_equal(fabric->kind, "infiniband");
    assert_true(fabric->rate_bits_per_s > 0);
    assert_true(fabs(fabric->oversubscription - 1) < 1e-9);
    assert_true(fabric->switch_ports > 0);
    assert_true(fabric->switch_port_bits_per_s >= fabric->rate_bits_per_s * (1 - 1e-9));
}

/* An alternative that could not even be tried says why, and names no layout. */
static void absent_alternatives_say_why(void **state) {
    report_case *c = *state;
    c->workloads[0].vertical = (gp_candidate){0};
    c->workloads[0].horizontal =
        (gp_candidate){.lack = {.bound = GP_BOUND_SUPPLY, .why = "nothing is for sale"}};
    const gp_report_recommendation *verdict =
        &report_case_build(c)->workloads.items[0].recommendation;
    assert_string_equal(verdict->vertical.lack->bound, "supply");
    assert_string_equal(verdict->vertical.lack->reason, "the candidates include no larger machine");
    assert_string_equal(verdict->horizontal.lack->reason, "nothing is for sale");
}

/* Each factor of safety adds to the need before it, and what is planned is the last row. */
static void needs_are_built_up(void **state) {
    const gp_report *report = report_case_build(*state);
    size_t told = 0;
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_recommendation *verdict = &report->workloads.items[i].recommendation;
        const size_t count = verdict->need_steps.count;
        for (size_t k = 1; k < count; k++)
            assert_true(verdict->need_steps.items[k].gpus >= verdict->need_steps.items[k - 1].gpus);
        if (count > 0)
            assert_int_equal(verdict->need_steps.items[count - 1].gpus, verdict->chosen.gpus);
        told += count > 0;
    }
    assert_int_equal(told, report->workloads.count);
}

/* No figure of an example contradicts another, neither of what is planned nor of what stands. */
static void figures_of_examples_agree(void **state) {
    static const char *const examples[] = {"chat-fleet", "greenfield", "inference-site",
                                           "lora-fleet", "media",      "quickstart",
                                           "retrieval",  "teams",      "two-sites",
                                           "vision"};
    char why[AGREEMENT_WHY];
    (void)state;
    for (size_t i = 0; i < 2 * sizeof examples / sizeof examples[0]; i++) {
        char path[64];
        spec_case c = {.declared_only = i % 2 == 1, .arena = gp_arena_new((size_t)1 << 30)};
        gp_report *report = NULL;
        snprintf(path, sizeof path, "examples/%s.yaml", examples[i / 2]);
        gp_diags_init(&c.diags, c.arena);
        const char *text = spec_case_read(c.arena, path);
        assert_int_equal(spec_case_run(&c, path, text, NULL, 0), GP_OK);
        gp_report_build(c.arena, c.result, NULL, &report);
        if (!figures_agree(report, why))
            fail_msg("%s: %s", path, why);
        spec_case_free(&c);
    }
}

/* The plan by expected values never takes more than the safe one, and one kind of machine alone
 * holds the same workloads or says how many. */
static void other_plans_are_told(void **state) {
    const gp_report *report = report_case_build(*state);
    const gp_report_summary *summary = &report->summary;
    assert_non_null(summary->at_expected);
    assert_true(summary->at_expected->bought_nodes <= summary->bought_nodes);
    assert_true(summary->at_expected->bought_nodes > 0);
    assert_true(report->platforms.count > 1);
    for (size_t i = 0; i < report->platforms.count; i++) {
        const gp_report_whole *row = &report->platforms.items[i];
        assert_non_null(row->product);
        assert_true(row->held > 0 && row->held <= (int64_t)report->workloads.count);
        assert_true(row->nodes > 0 && row->it_power_w > 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(row->system, report->platforms.items[k].system);
    }
}

static const gp_report_assumption *assumption_of(const gp_report *report, const char *path,
                                                 size_t *ret_place) {
    for (size_t i = 0; i < report->assumptions.count; i++) {
        *ret_place = i;
        if (strcmp(report->assumptions.items[i].path, path) == 0)
            return &report->assumptions.items[i];
    }
    return NULL;
}

/* What moves the answer most comes first; defaults that workloads inherit are told with them. */
static void assumptions_go_by_leverage(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    size_t tuning = 0;
    size_t pue = 0;
    size_t headroom = 0;
    size_t place = 0;
    const gp_report_assumption *row =
        assumption_of(report, "workloads.chat.software.tuning", &tuning);
    assert_non_null(row);
    assert_non_null(strstr(row->value, "of tuned speed"));
    assert_non_null(assumption_of(report, "site.power.annual.pue", &pue));
    assert_non_null(assumption_of(report, "defaults.headroom.gpus", &headroom));
    assert_true(tuning < pue);
    assert_true(pue < headroom);
    assert_null(assumption_of(report, "defaults.software.tuning", &place));
    assert_null(assumption_of(report, "defaults.precision", &place));
}

static const gp_explained_number *number_named(const gp_explanation *explanation,
                                               const char *name) {
    for (size_t i = 0; i < explanation->numbers.count; i++)
        if (strcmp(explanation->numbers.items[i].from.name, name) == 0)
            return &explanation->numbers.items[i];
    return NULL;
}

/* The numbers that move the figure and no others, the largest first; the peak of the format that
 * the job multiplies in. */
static void explains_by_the_numbers_that_count(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    bool unknown = false;
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "chat", "prefillGemmTime",
                                       &explanation, &nearest, &unknown),
                     GP_OK);
    const gp_explained_number *peak = number_named(explanation, "h200-sxm.flops.fp8");
    assert_non_null(peak);
    assert_true(fabs(peak->effect + 1) < 0.05);
    assert_string_equal(peak->from.value, "1.98 PFLOP/s");
    assert_non_null(peak->from.source);
    assert_string_equal(peak->terms.items[0], "prefillGemmTime");
    assert_null(number_named(explanation, "h200-sxm.flops.bf16"));
    assert_null(number_named(explanation, "rl.rollout.tail"));
    for (size_t i = 1; i < explanation->numbers.count; i++)
        assert_true(fabs(explanation->numbers.items[i - 1].effect) >=
                    fabs(explanation->numbers.items[i].effect));
}

/* The same choice worked out again has the same figures, to the last bit. */
static void holds_a_plan(void **state) {
    report_case *c = *state;
    gp_plan_result *again = NULL;
    assert_int_equal(gp_plan_hold(c->arena, &c->result, &again), GP_OK);
    for (size_t i = 0; i < c->result.workloads.count; i++) {
        const gp_trace *was = &c->result.workloads.items[i].trace_chosen;
        const gp_trace *now = &again->workloads.items[i].trace_chosen;
        assert_int_equal(was->count, now->count);
        for (size_t k = 0; k < was->count; k++)
            assert_memory_equal(&was->items[k].value, &now->items[k].value, sizeof(double));
    }
    assert_memory_equal(&c->result.site.it_peak_w, &again->site.it_peak_w, sizeof(double));
    assert_memory_equal(&c->result.site.cost, &again->site.cost, sizeof again->site.cost);
}

static void explains_every_workload(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    for (size_t i = 0; i < report->workloads.count; i++) {
        gp_explanation *explanation = NULL;
        const char *nearest = NULL;
        bool unknown = true;
        assert_int_equal(gp_report_explain(c->arena, &c->result, report,
                                           report->workloads.items[i].name, NULL, &explanation,
                                           &nearest, &unknown),
                         GP_OK);
        assert_int_equal(explanation->terms.count, c->workloads[i].trace_chosen.count);
        assert_true(explanation->figures.count > 5);
    }
}

/* A time, the speed that its parts are divided by, and those. */
typedef struct time_sum {
    gp_term_id whole, speed, parts[4];
} time_sum;

static double term_or(const gp_trace *trace, gp_term_id id, double otherwise) {
    const gp_term *term = gp_trace_find(trace, id);
    return term != NULL ? term->value : otherwise;
}

/* False: it is not in the trace. */
static bool adds_up(const gp_trace *trace, const time_sum *row) {
    const double whole = term_or(trace, row->whole, 0);
    const double speed = term_or(trace, row->speed, 1);
    const bool prompt = row->whole == GP_TERM_SERVE_PREFILL;
    double sum = 0;
    for (size_t i = 0; i < sizeof row->parts / sizeof row->parts[0]; i++)
        sum += term_or(trace, row->parts[i], 0);
    sum = sum / speed + (prompt ? term_or(trace, GP_TERM_SERVE_ADAPTER_LOAD, 0) : 0);
    if (!(whole > 0))
        return false;
    assert_true(fabs(sum / whole - 1) < 1e-9);
    assert_true(speed > 0.3 && speed < 2);
    return true;
}

/* Of a large mixture of experts, too. */
static void times_add_up(void **state) {
    static const time_sum sums[] = {
        {GP_TERM_SERVE_STEP_TIME,
         GP_TERM_SERVE_SPEED,
         {GP_TERM_SERVE_GEMM_TIME, GP_TERM_SERVE_ATTENTION_TIME, GP_TERM_SERVE_OVERHEAD_TIME,
          GP_TERM_SERVE_COMMUNICATION_TIME}},
        {GP_TERM_SERVE_PREFILL,
         GP_TERM_SERVE_PREFILL_SPEED,
         {GP_TERM_SERVE_PREFILL_GEMM, GP_TERM_SERVE_PREFILL_ATTENTION,
          GP_TERM_SERVE_PREFILL_COMMUNICATION, GP_TERM_SERVE_PREFILL_OVERHEAD}},
        {GP_TERM_TRAIN_STEP_TIME,
         GP_TERM_COUNT,
         {GP_TERM_TRAIN_COMPUTE_TIME, GP_TERM_TRAIN_COMMUNICATION_TIME, GP_TERM_TRAIN_BUBBLE_TIME,
          GP_TERM_COUNT}},
    };
    static const char *const paths[] = {"examples/inference-site.yaml", "examples/quickstart.yaml"};
    size_t checked = 0;
    (void)state;
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        report_case *c = report_case_new(paths[p]);
        for (size_t i = 0; i < c->result.workloads.count; i++)
            for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
                checked += adds_up(&c->workloads[i].trace_chosen, &sums[k]);
        report_case_free(c);
    }
    assert_true(checked > 5);
}

static void every_term_has_a_text(void **state) {
    (void)state;
    for (int id = 0; id < GP_TERM_COUNT; id++) {
        const gp_term_text *text = gp_term_text_of((gp_term_id)id);
        if (text->formula == NULL || text->source == NULL)
            fail_msg("%s has no formula or source", text->name);
    }
    assert_string_equal(gp_term_text_of(GP_TERM_COUNT)->name, "unknown");
}

static void explain_knows_what_was_meant(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    bool unknown = false;
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "pretrian", NULL, &explanation,
                                       &nearest, &unknown),
                     GP_ERR_NOT_FOUND);
    assert_true(unknown);
    assert_string_equal(nearest, "pretrain");
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "pretrain", "stepTimes",
                                       &explanation, &nearest, &unknown),
                     GP_ERR_NOT_FOUND);
    assert_false(unknown);
    assert_non_null(nearest);
}

/* The kinds that stood to choice: what holds before what does not, what does not with the reason,
 * and the chosen machine among them. */
static void options_tell_the_choice(void **state) {
    const gp_report *report = report_case_build(*state);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_recommendation *verdict = &report->workloads.items[i].recommendation;
        bool chosen = false;
        bool holds = true;
        assert_true(verdict->options.count >= 2);
        for (size_t k = 0; k < verdict->options.count; k++) {
            const gp_report_option *option = &verdict->options.items[k];
            assert_true(holds || !option->feasible);
            assert_true(option->feasible == (option->reason == NULL));
            assert_true(option->gpus > 0 && option->nodes > 0);
            holds = option->feasible;
            chosen = chosen || strcmp(option->system, verdict->chosen.system) == 0;
            for (size_t other = 0; other < k; other++)
                assert_true(strcmp(verdict->options.items[other].system, option->system) != 0 ||
                            strcmp(verdict->options.items[other].where, option->where) != 0);
        }
        assert_true(chosen);
    }
}

/* ---- what other tools read of a chosen layout */

static int64_t ranks(int64_t tp, int64_t pp, int64_t dp) {
    return tp * pp * dp;
}

static void run_adds_up(const gp_report_workload *w) {
    const gp_report_candidate *c = &w->recommendation.chosen;
    int64_t layers = 0;
    for (size_t i = 0; i < c->stage_layers.count; i++)
        layers += c->stage_layers.items[i];
    assert_int_equal(c->stage_layers.count, (size_t)c->pp);
    assert_int_equal(layers, w->launch->layers);
    assert_true(c->global_batch_sequences > 0);
    assert_int_equal(c->global_batch_sequences % (c->dp * c->micro_batch), 0);
    assert_int_equal(ranks(c->tp, c->pp, c->dp) * c->cp, c->gpus_per_replica);
}

static void service_adds_up(const gp_report_workload *w) {
    const gp_report_candidate *c = &w->recommendation.chosen;
    int64_t gpus = 0;
    int64_t replicas = 0;
    for (size_t i = 0; i < c->parts.count; i++) {
        const gp_report_pool *part = &c->parts.items[i];
        gpus += part->gpus;
        replicas += part->replicas;
        assert_int_equal(ranks(part->tp, part->pp, part->dp), part->gpus_per_replica);
        assert_int_equal(part->gpus, part->replicas * part->gpus_per_replica);
    }
    assert_int_equal(c->stage_layers.count, 0);
    assert_true(c->global_batch_sequences == GP_REPORT_NO_COUNT);
    if (c->parts.count == 0) {
        assert_int_equal(ranks(c->tp, c->pp, c->dp), c->gpus_per_replica);
        return;
    }
    assert_int_equal(gpus, c->gpus);
    assert_int_equal(replicas, c->replicas);
    assert_true(c->tp == GP_REPORT_NO_COUNT && c->gpus_per_replica == GP_REPORT_NO_COUNT);
}

static void layouts_add_up(void **state) {
    static const char *const paths[] = {
        "examples/chat-fleet.yaml", "examples/greenfield.yaml", "examples/inference-site.yaml",
        "examples/lora-fleet.yaml", "examples/minimal.yaml",    "examples/pretrain-405b.yaml",
        "examples/quickstart.yaml",
    };
    static const gp_override apart = {"workloads.chat.disaggregated", "true"};
    size_t parts = 0;
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        const bool split = strcmp(paths[i], quickstart) == 0;
        report_case *c = report_case_with(paths[i], &apart, split ? 1 : 0);
        const gp_report *report = report_case_build(c);
        int64_t gpus = 0;
        for (size_t k = 0; k < report->workloads.count; k++) {
            const gp_report_workload *w = &report->workloads.items[k];
            gpus += w->recommendation.chosen.gpus;
            parts += w->recommendation.chosen.parts.count;
            if (w->launch != NULL)
                run_adds_up(w);
            else
                service_adds_up(w);
        }
        /* GPUs that workloads take turns on are counted once. */
        assert_true(report->summary.gpus > 0 && report->summary.gpus <= gpus);
        report_case_free(c);
    }
    assert_true(parts > 0);
}

/* A report that is read back has the lists of counts, too. */
static void counts_are_read_back(void **state) {
    report_case *c = *state;
    gp_text *text = NULL;
    gp_diags diags;
    gp_report_list reports;
    const char *json = json_of(c->arena, report_case_build(c));
    gp_diags_init(&diags, c->arena);
    assert_int_equal(gp_text_init(c->arena, "r.json", json, strlen(json), &text), GP_OK);
    assert_int_equal(gp_report_parse(c->arena, text, &diags, &reports), GP_OK);
    const gp_report_candidate *chosen = &reports.items[0]->workloads.items[0].recommendation.chosen;
    assert_int_equal(chosen->stage_layers.count, (size_t)chosen->pp);
    assert_true(chosen->stage_layers.items[0] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(options_tell_the_choice, open_case, close_case),
        cmocka_unit_test_setup_teardown(contract_order, open_case, close_case),
        cmocka_unit_test_setup_teardown(same_bytes_twice, open_case, close_case),
        cmocka_unit_test_setup_teardown(figures_are_the_plans, open_case, close_case),
        cmocka_unit_test_setup_teardown(alternatives_are_objects, open_case, close_case),
        cmocka_unit_test_setup_teardown(layout_in_words, open_case, close_case),
        cmocka_unit_test_setup_teardown(find_paths, open_case, close_case),
        cmocka_unit_test_setup_teardown(find_reports_nearest, open_case, close_case),
        cmocka_unit_test_setup_teardown(every_row_is_found, open_case, close_case),
        cmocka_unit_test_setup_teardown(schema_names_every_struct, open_case, close_case),
        cmocka_unit_test_setup_teardown(spec_is_digested, open_case, close_case),
        cmocka_unit_test_setup_teardown(explains_a_figure, open_case, close_case),
        cmocka_unit_test_setup_teardown(the_site_is_explained, open_case, close_case),
        cmocka_unit_test_setup_teardown(workload_figures_have_provenance, open_case, close_case),
        cmocka_unit_test_setup_teardown(site_figures_have_provenance, open_case, close_case),
        cmocka_unit_test_setup_teardown(fabrics_tell_what_was_planned, open_case, close_case),
        cmocka_unit_test_setup_teardown(absent_alternatives_say_why, open_case, close_case),
        cmocka_unit_test_setup_teardown(assumptions_go_by_leverage, open_case, close_case),
        cmocka_unit_test_setup_teardown(explains_by_the_numbers_that_count, open_case, close_case),
        cmocka_unit_test_setup_teardown(holds_a_plan, open_case, close_case),
        cmocka_unit_test_setup_teardown(explains_every_workload, open_case, close_case),
        cmocka_unit_test(layouts_add_up),
        cmocka_unit_test_setup_teardown(counts_are_read_back, open_case, close_case),
        cmocka_unit_test_setup_teardown(needs_are_built_up, open_case, close_case),
        cmocka_unit_test(figures_of_examples_agree),
        cmocka_unit_test_setup_teardown(other_plans_are_told, open_case, close_case),
        cmocka_unit_test(times_add_up),
        cmocka_unit_test(every_term_has_a_text),
        cmocka_unit_test_setup_teardown(explain_knows_what_was_meant, open_case, close_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
