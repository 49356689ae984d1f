/*
 * Joins the references that estimators record with what is known of the fields they point at: the
 * place in the spec, or the catalogue row with its source, date and evidence.
 */
#include "report/source.h"

#include "report/describe.h"
#include "report/term_texts.h"

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

const char *gp_basis_name(gp_basis basis) {
    static const char *const names[] = {
        [GP_BASIS_GIVEN] = "given",       [GP_BASIS_DATASHEET] = "datasheet",
        [GP_BASIS_MEASURED] = "measured", [GP_BASIS_DERIVED] = "derived",
        [GP_BASIS_ASSUMED] = "assumed",
    };
    return names[basis];
}

gp_basis gp_basis_of_origin(const gp_origin *origin) {
    static const gp_basis by_evidence[GP_EVIDENCE_COUNT] = {
        [GP_EVIDENCE_NONE] = GP_BASIS_GIVEN,        [GP_EVIDENCE_DATASHEET] = GP_BASIS_DATASHEET,
        [GP_EVIDENCE_MEASURED] = GP_BASIS_MEASURED, [GP_EVIDENCE_DERIVED] = GP_BASIS_DERIVED,
        [GP_EVIDENCE_ASSUMED] = GP_BASIS_ASSUMED,
    };
    if (origin->kind == GP_ORIGIN_DEFAULT || origin->unverified)
        return GP_BASIS_ASSUMED;
    return by_evidence[origin->evidence];
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
        text = gp_build_word(gp_build_text(build, "%s%s%s", text, i > 0 ? ", " : "",
                                           ((const char *const *)list->items)[i]));
    return text;
}

static const char *date_text(gp_build *build, int64_t date) {
    int64_t parts[] = {date / 10000, date / 100 % 100, date % 100};
    return gp_build_text(build, "%lld-%s%lld-%s%lld", (long long)parts[0], parts[1] < 10 ? "0" : "",
                         (long long)parts[1], parts[2] < 10 ? "0" : "", (long long)parts[2]);
}

const char *gp_field_text(gp_build *build, const gp_field *field, const void *value) {
    switch (field->kind) {
    case GP_FIELD_STRING: return *(const char *const *)value;
    case GP_FIELD_ENUM: return enum_text(field, *(const int *)value);
    case GP_FIELD_BOOL: return *(const bool *)value ? "true" : "false";
    case GP_FIELD_COUNT: return gp_build_text(build, "%lld", (long long)*(const int64_t *)value);
    case GP_FIELD_QUANTITY: return gp_build_quantity(build, *(const double *)value, field->dim);
    case GP_FIELD_DATE: return date_text(build, *(const int64_t *)value);
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: return list_text(build, field, value);
    case GP_FIELD_STRUCT: return NULL;
    }
    return NULL;
}

const gp_field *gp_ref_field(const gp_ref *ref) {
    if (ref->meta == NULL || ref->meta->type == NULL)
        return NULL;
    int row = gp_field_at(ref->meta->type, ref->offset);
    return row < 0 ? NULL : &ref->meta->type->fields[row];
}

/* The struct begins with its meta, so a reference leads to its id. */
const char *gp_ref_name(gp_build *build, const gp_ref *ref) {
    const gp_field *field = gp_ref_field(ref);
    if (ref->meta == NULL)
        return gp_term_name(ref->term);
    if (field == NULL)
        return "?";
    const gp_struct *type = ref->meta->type;
    if (type == &gp_constants_type)
        return field->key;
    const char *id = gp_struct_id(ref->meta, type);
    const gp_span key = ref->meta->key_span;
    if (id == NULL && key.text != NULL)
        return gp_build_word(gp_build_text(build, "%.*s.%s", (int)(key.end - key.begin),
                                           key.text->data + key.begin, field->key));
    return gp_build_word(
        gp_build_text(build, "%s.%s", id != NULL ? id : gp_build_word(type->name), field->key));
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
    ret->name = gp_term_name(id);
    ret->origin = "term";
    ret->verified = true;
    if (term != NULL)
        ret->value = gp_build_quantity(build, term->value, gp_term_dim(id));
}

void gp_source_of_ref(gp_build *build, const gp_trace *trace, const gp_ref *ref,
                      gp_report_source *ret_source) {
    *ret_source = (gp_report_source){0};
    if (ref->meta == NULL) {
        source_of_term(build, trace, ref->term, ret_source);
        return;
    }
    const gp_field *field = gp_ref_field(ref);
    const gp_origin *origin = gp_origin_at(ref->meta, ref->offset);
    ret_source->name = gp_ref_name(build, ref);
    ret_source->origin = origin_names[origin->kind];
    ret_source->where = place_text(build, origin->span);
    ret_source->source = origin->source;
    ret_source->date = origin->date;
    ret_source->evidence = evidence_names[origin->evidence];
    ret_source->verified = !gp_origin_is_unverified(origin);
    if (field != NULL)
        ret_source->value = gp_field_text(build, field, (const char *)ref->meta + field->offset);
}

const gp_term *gp_trace_find(const gp_trace *trace, gp_term_id id) {
    for (size_t i = 0; i < trace->count; i++)
        if (trace->items[i].id == id)
            return &trace->items[i];
    return NULL;
}

gp_status gp_sources_of_term(gp_build *build, const gp_trace *trace, const gp_term *term,
                             gp_report_source **ret_items) {
    gp_report_source *items =
        GP_NEW_ARRAY(build->arena, gp_report_source, (size_t)term->input_count + 1);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    for (int i = 0; i < term->input_count; i++)
        gp_source_of_ref(build, trace, &term->inputs[i], &items[i]);
    *ret_items = items;
    return GP_OK;
}

void gp_term_set_add(gp_term_set *set, const gp_trace *trace, gp_term_id id) {
    const gp_term *term = gp_trace_find(trace, id);
    if (term == NULL || set->seen[id])
        return;
    set->seen[id] = true;
    set->items[set->count++] = term;
}

void gp_term_set_close(gp_term_set *set, const gp_trace *trace) {
    for (size_t i = 0; i < set->count; i++)
        for (int k = 0; k < set->items[i]->input_count; k++)
            if (set->items[i]->inputs[k].meta == NULL)
                gp_term_set_add(set, trace, set->items[i]->inputs[k].term);
}

gp_basis gp_term_set_basis(const gp_term_set *set) {
    gp_basis weakest = GP_BASIS_GIVEN;
    for (size_t i = 0; i < set->count; i++) {
        for (int k = 0; k < set->items[i]->input_count; k++) {
            const gp_ref *ref = &set->items[i]->inputs[k];
            if (ref->meta == NULL)
                continue;
            gp_basis basis = gp_basis_of_origin(gp_origin_at(ref->meta, ref->offset));
            weakest = basis > weakest ? basis : weakest;
        }
    }
    return weakest;
}

const gp_figure_term gp_figure_terms[] = {
    {"performance.stepTimeS", GP_TERM_TRAIN_STEP_TIME},
    {"performance.tokensPerS", GP_TERM_TRAIN_TOKENS_PER_S},
    {"performance.tokensPerS", GP_TERM_SERVE_THROUGHPUT},
    {"performance.tokensPerSPerGpu", GP_TERM_TRAIN_TOKENS_PER_S},
    {"performance.tokensPerSPerGpu", GP_TERM_SERVE_THROUGHPUT},
    {"performance.timeToCompleteS", GP_TERM_RUN_WALL_TIME},
    {"performance.goodputFraction", GP_TERM_RUN_GOODPUT},
    {"performance.mfuFraction", GP_TERM_TRAIN_MFU},
    {"performance.ttftP95S", GP_TERM_SERVE_TTFT_P95},
    {"performance.tpotP95S", GP_TERM_SERVE_TPOT_P95},
    {"performance.requestsPerS", GP_TERM_SERVE_MAX_RATE},
    {"performance.concurrencyPerReplica", GP_TERM_SERVE_CONCURRENCY},
    {"performance.batchPerReplica", GP_TERM_SERVE_BATCH},
    {"performance.utilizationFraction", GP_TERM_SERVE_UTILIZATION},
    {"performance.checkpointIntervalS", GP_TERM_RUN_INTERVAL},
    {"performance.checkpointTimeS", GP_TERM_RUN_CHECKPOINT_TIME},
    {"memory.headroomFraction", GP_TERM_TRAIN_FIT},
    {"memory.headroomFraction", GP_TERM_SERVE_BUDGET},
    {"memory.usedBytes", GP_TERM_TRAIN_MEMORY},
    {"memory.usedBytes", GP_TERM_SERVE_BUDGET},
    {"memory.kvPoolTokens", GP_TERM_SERVE_KV_TOKENS},
    {"memory.kvBytesPerToken", GP_TERM_SERVE_KV_PER_TOKEN},
    {"network.communicationFraction", GP_TERM_TRAIN_COMMUNICATION_TIME},
    {"network.communicationTimeS", GP_TERM_TRAIN_COMMUNICATION_TIME},
    {"recommendation.chosen.itPowerW", GP_TERM_NODE_POWER},
    {"recommendation.chosen.facilityPowerW", GP_TERM_NODE_POWER},
    {"parameters", GP_TERM_PARAMETERS},
    {"activeParameters", GP_TERM_ACTIVE_PARAMETERS},
};
const size_t gp_figure_term_count = sizeof gp_figure_terms / sizeof gp_figure_terms[0];
