/*
 * Joins the references that estimators record with what is known of the fields they point at: the
 * place in the spec, or the catalogue row with its source, date and evidence.
 */
#include "report/source.h"

#include "model/fields.h"

static const char *const evidence_names[GP_EVIDENCE_COUNT] = {
    [GP_EVIDENCE_NONE] = NULL,           [GP_EVIDENCE_DATASHEET] = "datasheet",
    [GP_EVIDENCE_MEASURED] = "measured", [GP_EVIDENCE_DERIVED] = "derived",
    [GP_EVIDENCE_ASSUMED] = "assumed",
};

static const char *const origin_names[] = {
    [GP_ORIGIN_NONE] = "default",    [GP_ORIGIN_SPEC] = "spec",
    [GP_ORIGIN_FLAG] = "flag",       [GP_ORIGIN_CATALOG] = "catalog",
    [GP_ORIGIN_DEFAULT] = "default", [GP_ORIGIN_DERIVED] = "derived",
};

/* Bases from the strongest to the weakest. */
typedef enum basis { GIVEN, DATASHEET, MEASURED, DERIVED, ASSUMED } basis;

static basis basis_of(const gp_origin *origin) {
    static const basis by_evidence[GP_EVIDENCE_COUNT] = {
        [GP_EVIDENCE_NONE] = GIVEN,        [GP_EVIDENCE_DATASHEET] = DATASHEET,
        [GP_EVIDENCE_MEASURED] = MEASURED, [GP_EVIDENCE_DERIVED] = DERIVED,
        [GP_EVIDENCE_ASSUMED] = ASSUMED,
    };
    return origin->kind == GP_ORIGIN_DEFAULT || origin->unverified ? ASSUMED
                                                                   : by_evidence[origin->evidence];
}

bool gp_origin_is_unverified(const gp_origin *origin) {
    return origin->unverified || origin->kind == GP_ORIGIN_DEFAULT ||
           origin->evidence == GP_EVIDENCE_ASSUMED;
}

static const char *enum_text(const gp_field *field, int value) {
    for (int i = 0; field->choices != NULL && field->choices[i] != NULL; i++)
        if (i == value)
            return field->choices[i];
    return "auto";
}

static const char *list_text(gp_build *build, const gp_field *field, const void *value) {
    const gp_any_list *list = value;
    const char *text = "";
    if (field->kind != GP_FIELD_LIST || field->item != GP_FIELD_STRING || field->nested != NULL)
        return gp_build_text(build, "%zu items", list->count);
    for (size_t i = 0; i < list->count; i++)
        text = gp_build_text(build, "%s%s%s", text, i > 0 ? ", " : "",
                             ((const char *const *)list->items)[i]);
    return text;
}

/* "fp16 989 TFLOP/s, fp8 1.98 PFLOP/s": the members of a group of quantities that are there. */
static const char *group_text(gp_build *build, const gp_struct *type, const void *group) {
    const char *text = NULL;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        if (field->kind != GP_FIELD_QUANTITY)
            return NULL;
        const double value = *(const double *)(const void *)((const char *)group + field->offset);
        if (value > 0)
            text = gp_build_text(build, "%s%s%s %s", text != NULL ? text : "",
                                 text != NULL ? ", " : "", field->key,
                                 gp_build_quantity(build, value, field->dim));
    }
    return text;
}

/* A field that may be auto stands at nothing where it is. */
static bool is_auto(const gp_field *field, const void *value) {
    if (!(field->flags & GP_FIELD_AUTO))
        return false;
    return (field->kind == GP_FIELD_COUNT && *(const int64_t *)value == 0) ||
           (field->kind == GP_FIELD_QUANTITY && !(*(const double *)value > 0));
}

const char *gp_field_text(gp_build *build, const gp_field *field, const void *value) {
    if (is_auto(field, value))
        return "auto";
    switch (field->kind) {
    case GP_FIELD_STRING: return *(const char *const *)value;
    case GP_FIELD_ENUM: return enum_text(field, *(const int *)value);
    case GP_FIELD_BOOL: return *(const bool *)value ? "true" : "false";
    case GP_FIELD_COUNT: return gp_build_text(build, "%lld", (long long)*(const int64_t *)value);
    case GP_FIELD_QUANTITY: return gp_build_quantity(build, *(const double *)value, field->dim);
    case GP_FIELD_DATE: return gp_build_date(build, *(const int64_t *)value);
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: return list_text(build, field, value);
    case GP_FIELD_STRUCT: return group_text(build, field->nested, value);
    }
    return NULL;
}

static const gp_field *ref_field(const gp_ref *ref) {
    if (ref->meta == NULL || ref->meta->type == NULL)
        return NULL;
    int row = gp_field_at(ref->meta->type, ref->offset);
    return row < 0 ? NULL : &ref->meta->type->fields[row];
}

/* The struct begins with its meta, so a reference leads to its id. */
const char *gp_ref_name(gp_build *build, const gp_ref *ref) {
    const gp_field *field = ref_field(ref);
    if (ref->meta == NULL)
        return gp_term_text_of(ref->term)->name;
    if (field == NULL)
        return "?";
    const gp_struct *type = ref->meta->type;
    if (type == &gp_constants_type)
        return field->key;
    const char *id = gp_struct_id(ref->meta, type);
    const gp_span key = ref->meta->key_span;
    if (id == NULL && key.text != NULL)
        return gp_build_text(build, "%.*s.%s", (int)(key.end - key.begin),
                             key.text->data + key.begin, field->key);
    return gp_build_text(build, "%s.%s", id != NULL ? id : type->name, field->key);
}

static const char *place_text(gp_build *build, gp_span span) {
    if (span.text == NULL)
        return NULL;
    gp_place place = gp_span_place(span);
    return gp_build_text(build, "%s:%lld:%lld", span.text->name, (long long)place.line,
                         (long long)place.column);
}

static void source_of_term(gp_build *build, const gp_trace *trace, gp_term_id id,
                           gp_report_source *ret) {
    const gp_term *term = gp_trace_find(trace, id);
    ret->name = gp_term_text_of(id)->name;
    ret->origin = "term";
    ret->verified = true;
    if (term != NULL)
        ret->value = gp_build_quantity(build, term->value, gp_term_text_of(id)->dim);
}

/* A distribution starts with its meta. */
static const gp_distribution *distribution_of(const gp_ref *ref) {
    return (const gp_distribution *)(const void *)ref->meta;
}

/* Rates are planned at the highest level that the spec gives. */
static gp_ref planned_level(const gp_ref *ref) {
    gp_ref level = *ref;
    if (ref->meta == NULL || ref->meta->type != &gp_rate_distribution_type ||
        ref->offset != offsetof(gp_distribution, mean))
        return level;
    const gp_distribution *rate = distribution_of(ref);
    if (rate->peak > 0)
        level.offset = offsetof(gp_distribution, peak);
    else if (rate->p99 > 0)
        level.offset = offsetof(gp_distribution, p99);
    else if (rate->p95 > 0)
        level.offset = offsetof(gp_distribution, p95);
    return level;
}

/* A length of which only the mean is given: its p95 follows from that. */
static bool follows_mean(const gp_ref *ref) {
    return ref->meta != NULL && ref->meta->type == &gp_token_distribution_type &&
           ref->offset == offsetof(gp_distribution, p95) && !(distribution_of(ref)->p95 > 0) &&
           distribution_of(ref)->mean > 0;
}

static void fill_from_mean(gp_build *build, const gp_ref *ref, gp_report_source *ret) {
    const gp_origin *origin = gp_origin_at(ref->meta, offsetof(gp_distribution, mean));
    ret->name = gp_ref_name(build, ref);
    ret->origin = "derived";
    ret->value = gp_build_text(build, "derived from the mean, %s",
                               gp_build_quantity(build, distribution_of(ref)->mean, GP_DIM_COUNT));
    ret->where = place_text(build, origin->span);
    ret->verified = false;
}

/* The peak that a rate without one was planned at. */
static double planned_rate(const gp_build *build, const gp_ref *ref) {
    for (size_t i = 0; i < build->result->workloads.count; i++) {
        const gp_workload_plan *plan = &build->result->workloads.items[i];
        if (&plan->workload->traffic.requests_per_s.meta == ref->meta)
            return plan->demand_peak_to_mean > 0 ? plan->demand_requests_per_s : 0;
    }
    return 0;
}

static void tell_peak(gp_build *build, const gp_ref *ref, gp_report_source *ret) {
    double rate = planned_rate(build, ref);
    if (rate > 0)
        ret->value = gp_build_text(build, "%s, planned at a peak of %s", gp_build_word(ret->value),
                                   gp_build_quantity(build, rate, GP_DIM_PER_S));
}

static void fill_origin(gp_build *build, const gp_origin *origin, gp_report_source *ret) {
    ret->origin = origin_names[origin->kind];
    ret->where = place_text(build, origin->span);
    ret->source = origin->source;
    ret->date = origin->date;
    ret->evidence = evidence_names[origin->evidence];
    ret->verified = !gp_origin_is_unverified(origin);
}

void gp_source_of_number(gp_build *build, const gp_number *number, gp_report_source *ret_source) {
    *ret_source = (gp_report_source){.name = number->name,
                                     .value = gp_field_text(build, number->field, number->value)};
    fill_origin(build, number->origin, ret_source);
}

void gp_source_of_ref(gp_build *build, const gp_trace *trace, const gp_ref *given,
                      gp_report_source *ret_source) {
    const gp_ref level = planned_level(given);
    const gp_ref *ref = &level;
    *ret_source = (gp_report_source){0};
    if (ref->meta == NULL) {
        source_of_term(build, trace, ref->term, ret_source);
        return;
    }
    if (follows_mean(ref)) {
        fill_from_mean(build, ref, ret_source);
        return;
    }
    const gp_field *field = ref_field(ref);
    const gp_origin *origin = gp_origin_at(ref->meta, ref->offset);
    ret_source->name = gp_ref_name(build, ref);
    fill_origin(build, origin, ret_source);
    if (field != NULL)
        ret_source->value = gp_field_text(build, field, (const char *)ref->meta + field->offset);
    tell_peak(build, ref, ret_source);
}

const gp_term *gp_trace_find(const gp_trace *trace, gp_term_id id) {
    for (size_t i = 0; i < trace->count; i++)
        if (trace->items[i].id == id)
            return &trace->items[i];
    return NULL;
}

/* Nobody gave it and it stands at nothing: the formula took another way. */
bool gp_ref_is_unused(const gp_ref *given) {
    const gp_ref ref = planned_level(given);
    const gp_field *field = ref_field(&ref);
    if (ref.meta == NULL || follows_mean(&ref))
        return false;
    const gp_origin *origin = gp_origin_at(ref.meta, ref.offset);
    if (field == NULL || origin->kind == GP_ORIGIN_NONE)
        return true;
    if (origin->kind != GP_ORIGIN_DEFAULT || field->kind != GP_FIELD_COUNT)
        return false;
    return *(const int64_t *)(const void *)((const char *)ref.meta + field->offset) == 0;
}

void gp_sources_of_term(gp_build *build, const gp_trace *trace, const gp_term *term,
                        bool terms_only, gp_report_source **ret_items, size_t *ret_count) {
    gp_report_source *items =
        GP_NEW_ARRAY(build->arena, gp_report_source, (size_t)term->input_count + 1);
    *ret_count = 0;
    for (int i = 0; i < term->input_count; i++) {
        const gp_ref *ref = &term->inputs[i];
        const bool told = ref->meta == NULL ? gp_trace_find(trace, ref->term) != NULL
                                            : !terms_only && !gp_ref_is_unused(ref);
        if (told || (ref->meta == NULL && !terms_only))
            gp_source_of_ref(build, trace, ref, &items[(*ret_count)++]);
    }
    *ret_items = items;
}

void gp_term_set_add(gp_term_set *set, const gp_trace *trace, gp_term_id id) {
    const gp_term *term = gp_trace_find(trace, id);
    if (term == NULL || set->seen[id])
        return;
    set->seen[id] = true;
    GP_NEXT(*set) = term;
}

void gp_term_set_close(gp_term_set *set, const gp_trace *trace) {
    for (size_t i = 0; i < set->count; i++)
        for (int k = 0; k < set->items[i]->input_count; k++)
            if (set->items[i]->inputs[k].meta == NULL)
                gp_term_set_add(set, trace, set->items[i]->inputs[k].term);
}

void gp_ref_list_add(gp_arena *arena, gp_ref_list *list, const gp_ref *ref) {
    if (ref->meta == NULL || gp_origin_at(ref->meta, ref->offset)->kind == GP_ORIGIN_NONE)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].meta == ref->meta && list->items[i].offset == ref->offset)
            return;
    GP_PUSH(arena, list->items, list->count, list->capacity) = *ref;
}

void gp_ref_list_add_trace(gp_arena *arena, gp_ref_list *list, const gp_trace *trace) {
    for (size_t i = 0; i < trace->count; i++)
        for (int k = 0; k < trace->items[i].input_count; k++)
            gp_ref_list_add(arena, list, &trace->items[i].inputs[k]);
}

const char *gp_ref_list_basis(const gp_ref_list *list) {
    static const char *const names[] = {"given", "datasheet", "measured", "derived", "assumed"};
    basis weakest = GIVEN;
    for (size_t i = 0; i < list->count; i++) {
        const basis one = basis_of(gp_origin_at(list->items[i].meta, list->items[i].offset));
        weakest = one > weakest ? one : weakest;
    }
    return names[weakest];
}

const gp_figure_term gp_figure_terms[] = {
    {"performance.stepTimeS", GP_TERM_RL_STEP_TIME, NULL},
    {"performance.stepTimeS", GP_TERM_TRAIN_STEP_TIME, NULL},
    {"performance.tokensPerS", GP_TERM_RL_TOKENS_PER_S, NULL},
    {"performance.tokensPerSPerGpu", GP_TERM_RL_TOKENS_PER_S, "divided by the GPUs"},
    {"rl.rolloutFraction", GP_TERM_RL_ROLLOUT_SHARE, NULL},
    {"rl.tokens", GP_TERM_RL_TOKENS, NULL},
    {"rl.longestTokens", GP_TERM_RL_LONGEST, NULL},
    {"performance.tokensPerS", GP_TERM_TRAIN_TOKENS_PER_S, NULL},
    {"performance.tokensPerS", GP_TERM_SERVE_THROUGHPUT, "per replica, times the replicas in use"},
    {"performance.tokensPerSPerGpu", GP_TERM_TRAIN_TOKENS_PER_S, "divided by the GPUs"},
    {"performance.tokensPerSPerGpu", GP_TERM_SERVE_THROUGHPUT,
     "per replica, times the replicas in use, divided by the GPUs"},
    {"performance.timeToCompleteS", GP_TERM_RUN_WALL_TIME, NULL},
    {"performance.timeToCompleteS", GP_TERM_SERVE_MAX_RATE,
     "per replica; the requests divided by it and by the replicas in use"},
    {"performance.goodputFraction", GP_TERM_RUN_GOODPUT, NULL},
    {"performance.mfuFraction", GP_TERM_TRAIN_MFU, NULL},
    {"performance.ttftP95S", GP_TERM_SERVE_TTFT_P95, NULL},
    {"performance.tpotP95S", GP_TERM_SERVE_TPOT_P95, NULL},
    {"performance.requestsPerS", GP_TERM_SERVE_MAX_RATE,
     "the most that one replica can carry; the figure is the rate within the objectives, as the "
     "confidence judges it, times the replicas in use"},
    {"performance.concurrencyPerReplica", GP_TERM_SERVE_CONCURRENCY, NULL},
    {"performance.batchPerReplica", GP_TERM_SERVE_BATCH, NULL},
    {"performance.utilizationFraction", GP_TERM_SERVE_UTILIZATION,
     "per replica at its largest rate; the figure is the planned peak divided by the rate within "
     "the objectives"},
    {"performance.demandRequestsPerS", GP_TERM_SERVE_PEAK, NULL},
    {"recommendation.chosen.gpuFraction", GP_TERM_SERVE_PART, NULL},
    {"seats.atOnce", GP_TERM_SEATS_OPEN, NULL},
    {"seats.perGpu", GP_TERM_SEATS_PER_GPU, NULL},
    {"service.autoscaling.coldStartS", GP_TERM_SERVE_COLD_START, NULL},
    {"service.autoscaling.weightsLoadS", GP_TERM_SERVE_LOAD_TIME, NULL},
    {"service.disaggregation.kvTransferS", GP_TERM_SERVE_TRANSFER, NULL},
    {"performance.checkpointIntervalS", GP_TERM_RUN_INTERVAL, NULL},
    {"performance.checkpointTimeS", GP_TERM_RUN_CHECKPOINT_TIME, NULL},
    {"performance.gpuTimeS", GP_TERM_RUN_WALL_TIME, "times the GPUs of one run"},
    {"performance.energyJ", GP_TERM_RUN_WALL_TIME, "times the power of its machines"},
    {"performance.costPerRun", GP_TERM_COST_RUN, NULL},
    {"performance.costPerMillionTokens", GP_TERM_COST_MILLION_TOKENS, NULL},
    {"performance.timeBetweenFailuresS", GP_TERM_RUN_MTBF, NULL},
    {"performance.failures", GP_TERM_RUN_FAILURES, NULL},
    {"performance.startTimeS", GP_TERM_RUN_START_TIME, NULL},
    {"performance.restartTimeS", GP_TERM_RUN_RESTART_TIME, NULL},
    {"performance.evaluationFraction", GP_TERM_RUN_EVALUATION, NULL},
    {"performance.spareNodes", GP_TERM_RUN_SPARES, NULL},
    {"performance.spareWaitS", GP_TERM_RUN_SPARE_WAIT, NULL},
    {"memory.headroomFraction", GP_TERM_TRAIN_FIT,
     "1 less this share, which includes fragmentation and context"},
    {"memory.headroomFraction", GP_TERM_SERVE_BUDGET, "usable memory that the engine leaves free"},
    {"memory.usedBytes", GP_TERM_TRAIN_MEMORY, NULL},
    {"memory.usedBytes", GP_TERM_SERVE_BUDGET, NULL},
    {"memory.kvPoolTokens", GP_TERM_SERVE_KV_TOKENS, NULL},
    {"memory.kvBytesPerToken", GP_TERM_SERVE_KV_PER_TOKEN, NULL},
    {"network.communicationFraction", GP_TERM_RL_COMMUNICATION_TIME, "divided by the step time"},
    {"network.communicationTimeS", GP_TERM_RL_COMMUNICATION_TIME, NULL},
    {"network.communicationFraction", GP_TERM_TRAIN_COMMUNICATION_TIME, "divided by the step time"},
    {"network.communicationTimeS", GP_TERM_TRAIN_COMMUNICATION_TIME, NULL},
    {"recommendation.chosen.itPowerW", GP_TERM_NODE_POWER,
     "per machine, times the machines, plus their switches"},
    {"recommendation.chosen.facilityPowerW", GP_TERM_NODE_POWER,
     "per machine, times the machines, plus their switches, times the annual PUE"},
    {"parameters", GP_TERM_PARAMETERS, NULL},
    {"activeParameters", GP_TERM_ACTIVE_PARAMETERS, NULL},
};
const size_t gp_figure_term_count = sizeof gp_figure_terms / sizeof gp_figure_terms[0];
