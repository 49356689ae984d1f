/* Records terms for explanations. A trace is a flat array in the caller's hands: recording never
 * allocates and never fails, it only notes that there was no room. */
#include "estimate/estimate.h"

static gp_term *term_named(gp_trace *trace, gp_term_id id) {
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->items[i].id == id)
            return &trace->items[i];
    }
    if (trace->count >= trace->room) {
        trace->overflow = true;
        return NULL;
    }
    return &trace->items[trace->count++];
}

void gp_trace_add(gp_trace *trace, gp_term_id id, double value, const gp_ref *inputs, int count) {
    if (trace == NULL)
        return;
    gp_term *term = term_named(trace, id);
    if (term == NULL)
        return;
    *term = (gp_term){.id = id, .value = value};
    for (int i = 0; i < count && term->input_count < GP_TERM_INPUT_MAX; i++) {
        if (inputs[i].meta != NULL || inputs[i].term != GP_TERM_COUNT)
            term->inputs[term->input_count++] = inputs[i];
    }
}
