/*
 * Assumptions: every default that a workload of its type uses, the peak that was derived from a
 * mean, and the assumed or unverified figures of the catalogue beneath the chosen candidates.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "report/assumed.h"
#include "report/build.h"
#include "report/site_steps.h"
#include "schema/visit.h"

static const char medium[] = "medium";
static const char high[] = "high";

enum {
    FOR_TRAINING = 1u << GP_WORKLOAD_TRAINING,
    FOR_FINETUNE = 1u << GP_WORKLOAD_FINETUNE,
    FOR_LORA = 1u << GP_WORKLOAD_LORA,
    FOR_SERVING = 1u << GP_WORKLOAD_INFERENCE,
    FOR_RL = 1u << GP_WORKLOAD_RL,
    FOR_DATA = FOR_TRAINING | FOR_FINETUNE | FOR_LORA,
    FOR_JOBS = FOR_DATA | FOR_RL,
    FOR_ENGINES = FOR_SERVING | FOR_RL,
};

/* Fields that only some types of workload use. */
typedef struct use_row {
    const char *path;
    unsigned types;
} use_row;

static const use_row uses[] = {
    {"data", FOR_DATA},
    {"method", FOR_FINETUNE | FOR_LORA},
    {"recompute", FOR_JOBS},
    {"offload", FOR_JOBS},
    {"checkpoint", FOR_JOBS},
    {"run", FOR_JOBS},
    {"evaluation", FOR_JOBS},
    {"parallelism.vpp", FOR_JOBS},
    {"parallelism.zero", FOR_JOBS},
    {"parallelism.shardGroup", FOR_JOBS},
    {"precision.compute", FOR_JOBS},
    {"precision.gradients", FOR_JOBS},
    {"precision.optimizer", FOR_JOBS},
    {"precision.weights", FOR_ENGINES},
    {"precision.kvCache", FOR_ENGINES},
    {"goal.slo", FOR_SERVING},
    {"adapter", FOR_LORA | FOR_RL},
    {"rl", FOR_RL},
    {"seats", 1u << GP_WORKLOAD_SEATS},
    {"software", FOR_JOBS | FOR_SERVING},
    {"jobs", FOR_FINETUNE | FOR_LORA},
    {"traffic", FOR_SERVING},
    {"scaling", FOR_SERVING},
    {"disaggregated", FOR_SERVING},
    {"replicas", FOR_SERVING},
};

/* Defaults that each workload either overrides or inherits: listed with the workloads. */
static const char *const inherited[] = {"defaults.software", "defaults.precision"};

typedef struct collector {
    gp_build *build;
    size_t cap;
    unsigned type;      /* bit of the workload's type; 0: outside workloads */
    size_t skip_prefix; /* length of "workloads.NAME." */
} collector;

static void add(collector *out, const gp_report_assumption *row) {
    gp_report *report = out->build->report;
    GP_PUSH(out->build->arena, report->assumptions.items, report->assumptions.count, out->cap) =
        *row;
}

static gp_report_assumption *row_of(const collector *out, const char *path) {
    const gp_report *report = out->build->report;
    for (size_t i = 0; i < report->assumptions.count; i++)
        if (gp_str_equal(report->assumptions.items[i].path, path))
            return &report->assumptions.items[i];
    return NULL;
}

/* In the place of what is said of the path already. */
static void put(collector *out, const gp_report_assumption *row) {
    gp_report_assumption *there = row_of(out, row->path);
    if (there != NULL)
        *there = *row;
    else
        add(out, row);
}

static bool under(const char *path, const char *group) {
    size_t len = strlen(group);
    return strncmp(path, group, len) == 0 &&
           (path[len] == '\0' || path[len] == '.' || path[len] == '[');
}

static bool used_by_type(const collector *out, const char *path) {
    const char *inside = path + out->skip_prefix;
    for (size_t i = 0; i < GP_COUNT_OF(uses); i++)
        if (under(inside, uses[i].path))
            return (uses[i].types & out->type) != 0;
    return true;
}

/* Rows of the catalogue describe products: what they leave open is not the plan's assumption. */
static bool inside_row(const char *path) {
    return strstr(path, ".system.") != NULL || strstr(path, ".model.") != NULL ||
           strstr(path, ".switch.") != NULL || strstr(path, ".overrides.") != NULL;
}

static bool is_inherited(const char *path) {
    for (size_t i = 0; i < GP_COUNT_OF(inherited); i++)
        if (under(path, inherited[i]))
            return true;
    return false;
}

static void look(const gp_visit *visit) {
    collector *out = visit->context;
    if (visit->origin->kind != GP_ORIGIN_DEFAULT || visit->field->kind == GP_FIELD_STRUCT ||
        inside_row(visit->path) || is_inherited(visit->path))
        return;
    /* Price lists say which it is. */
    if (under(visit->path, "costs.currency") &&
        !gp_str_equal(out->build->result->currency,
                      out->build->result->document->spec.costs.currency))
        return;
    bool workload = under(visit->path, "workloads");
    if (out->type == 0 ? workload || under(visit->path, "growth.adds")
                       : !used_by_type(out, visit->path))
        return;
    const gp_report_assumption row = {
        .path = gp_build_text(out->build, "%s", visit->path),
        .value = gp_field_text(out->build, visit->field, visit->value),
        .source = "default",
        .leverage = gp_leverage_of(visit->path),
    };
    add(out, &row);
}

/* Where the rates are of own runs, their tuning is in them and nothing is assumed. */
static const char *tuning_text(collector *out, const gp_workload_plan *plan, const char *word,
                               double factor) {
    int64_t own = gp_build_own_samples(plan);
    if (own > 0)
        return gp_build_text(out->build, "measured: calibration of %s",
                             gp_build_count(out->build, own, "own run"));
    return gp_build_text(out->build, "%s, %s of tuned speed", gp_build_word(word),
                         gp_build_quantity(out->build, factor, GP_DIM_FRACTION));
}

/* "typical, 45% of tuned speed": the word alone does not tell what it does to the answer. */
static void tell_tuning(collector *out, const gp_workload_plan *plan, size_t from) {
    double factor = plan->is_serving ? plan->serve.speed_factor : plan->train.speed_factor;
    for (size_t i = from; factor > 0 && i < out->build->report->assumptions.count; i++) {
        gp_report_assumption *row = &out->build->report->assumptions.items[i];
        if (gp_str_ends(row->path, ".software.tuning"))
            row->value = tuning_text(out, plan, row->value, factor);
    }
}

/* "480 sequences a step, where 488.28 are asked": the batch that launches, where it is not the one
 * that the spec or its default says. */
static void tell_batch(collector *out, const gp_workload_plan *plan) {
    enum { DIGITS = 5 };
    const int64_t used = plan->chosen.layout.global_batch_sequences;
    const double sequence = plan->train.sequence_length;
    const double asked = sequence > 0 ? plan->train.global_batch / sequence : 0;
    if (plan->is_serving || !plan->chosen.feasible || used <= 0 || gp_num_near((double)used, asked))
        return;
    const char *number = gp_quantity_format_digits(out->build->arena, asked, GP_DIM_COUNT, DIGITS);
    gp_report_assumption row = {
        .path = gp_build_text(out->build, "workloads.%s.data.globalBatch", plan->workload->name),
        .value = gp_build_text(out->build, "%s a step; %s requested",
                               gp_build_count(out->build, used, "sequence"), number),
        .source = "layout",
        .leverage = medium,
    };
    const gp_report_assumption *there = row_of(out, row.path);
    row.source = there != NULL ? there->source : row.source;
    put(out, &row);
}

static void add_fields(collector *out, const gp_workload *workload) {
    const char *prefix = gp_build_text(out->build, "workloads.%s", workload->name);
    out->type = 1u << (unsigned)workload->type;
    out->skip_prefix = strlen(prefix) + 1;
    gp_struct_visit(out->build->arena, workload, prefix, look, out);
}

static void add_peak(collector *out, const gp_workload_plan *plan) {
    if (!(plan->demand_peak_to_mean > 0) || !(plan->demand_requests_per_s > 0))
        return;
    const gp_report_assumption row = {
        .path = gp_build_text(out->build, "workloads.%s.traffic.requestsPerSecond.peak",
                              plan->workload->name),
        .value =
            gp_build_text(out->build, "%s, %s times the mean",
                          gp_build_quantity(out->build, plan->demand_requests_per_s, GP_DIM_PER_S),
                          gp_build_quantity(out->build, plan->demand_peak_to_mean, GP_DIM_NONE)),
        .source = "constant",
        .leverage = high,
    };
    add(out, &row);
}

/* Where the spec keeps no machines spare, long runs are given what they need: it should say so. */
static void add_spares(collector *out) {
    const gp_plan_result *result = out->build->result;
    const gp_origin *origin =
        GP_ORIGIN_OF(&result->document->spec.cluster.reserve, gp_reserve, spare_nodes);
    int64_t spares = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        if (!plan->is_serving && plan->chosen.run.failures >= 1)
            spares += plan->chosen.run.spare_nodes;
    }
    if (origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG || spares == 0)
        return;
    const gp_report_assumption row = {
        .path = "cluster.reserve.spareNodes",
        .value = gp_build_text(out->build, "%s kept for runs, not counted in the plan",
                               gp_build_count(out->build, spares, "machine")),
        .source = "constant",
        .leverage = medium,
    };
    put(out, &row);
}

/* Facility power is IT power times these: where the spec is silent, by where the heat goes. */
static void add_pue_of(collector *out, const gp_site_power *power, const gp_site_plan *site,
                       const char *prefix) {
    const struct {
        const gp_pue_spec *spec;
        const char *path;
        double value;
    } rows[] = {{&power->annual, "site.power.annual.pue", site->annual.pue},
                {&power->design, "site.power.design.pue", site->design_pue}};
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++) {
        const gp_origin *origin = GP_ORIGIN_OF(rows[i].spec, gp_pue_spec, pue);
        if (origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG)
            continue;
        const gp_report_assumption row = {
            .path = gp_build_text(out->build, "%s%s", prefix, rows[i].path),
            .value = gp_build_quantity(out->build, rows[i].value, GP_DIM_NONE),
            .source = "constant",
            .leverage = gp_leverage_of(rows[i].path),
        };
        add(out, &row);
    }
}

static void add_pue(collector *out) {
    const gp_plan_result *result = out->build->result;
    if (result->sites.count == 0) {
        add_pue_of(out, &result->document->spec.site.power, &result->site, "");
        return;
    }
    for (size_t i = 0; i < result->sites.count; i++) {
        const gp_site_part *part = &result->sites.items[i];
        const char *prefix = gp_build_text(out->build, "sites.%s.", part->name);
        add_pue_of(out, &part->document.spec.site.power, &part->site, prefix);
    }
}

/* Spec fields are listed by the walk above, under their full path. */
static void add_refs(collector *out, const gp_trace *trace, const gp_ref_list *refs) {
    for (size_t i = 0; i < refs->count; i++) {
        const gp_ref *ref = &refs->items[i];
        const gp_origin *origin = gp_origin_at(ref->meta, ref->offset);
        if (origin->kind == GP_ORIGIN_DEFAULT || !gp_origin_is_unverified(origin))
            continue;
        gp_report_source source;
        gp_source_of_ref(out->build, trace, ref, &source);
        if (row_of(out, source.name) != NULL)
            continue;
        const gp_report_assumption row = {
            .path = source.name,
            .value = source.value,
            .source = ref->meta->type == &gp_constants_type ? "constant" : "catalog",
            .leverage = medium,
        };
        add(out, &row);
    }
}

static void add_workload(collector *out, const gp_workload_plan *plan) {
    size_t from = out->build->report->assumptions.count;
    add_fields(out, plan->workload);
    add_peak(out, plan);
    gp_ref_list refs = {0};
    gp_ref_list_add_trace(out->build->arena, &refs, &plan->trace_chosen);
    add_refs(out, &plan->trace_chosen, &refs);
    tell_tuning(out, plan, from);
    tell_batch(out, plan);
}

void gp_build_assumptions(gp_build *build) {
    const gp_plan_result *result = build->result;
    collector out = {.build = build};
    gp_ref_list refs = {0};
    gp_struct_visit(build->arena, &result->document->spec, "", look, &out);
    add_pue(&out);
    add_spares(&out);
    for (size_t i = 0; i < result->workloads.count; i++)
        add_workload(&out, &result->workloads.items[i]);
    gp_step_fields(build, &refs);
    add_refs(&out, NULL, &refs);
    gp_assumptions_fold(build->arena, build->report);
}
