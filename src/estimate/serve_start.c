/*
 * How long a new replica takes to serve: its weights are read over what lies between them and the
 * GPUs, then the engine compiles, captures and warms up (docs/formulas.md, "Cold start").
 */
#include "base/num.h"
#include "estimate/serve.h"

/* The slowest of the ways that the weights take; the constant where none is known. */
static double read_rate(const gp_start_input *input, const gp_constants *constants) {
    double rate = input->storage != NULL ? input->storage->read_bytes_per_s : 0;
    if (!(rate > 0))
        return constants->serving_start_read_bytes_per_s;
    return input->network_bytes_per_s > 0 ? gp_num_min(rate, input->network_bytes_per_s) : rate;
}

void gp_serve_start_of(const gp_start_input *input, const gp_constants *constants, gp_trace *trace,
                       gp_serve_start *ret) {
    *ret = (gp_serve_start){
        .weights_bytes = input->weights_bytes,
        .read_bytes_per_s = read_rate(input, constants),
        .engine_s = constants->serving_start_engine_s,
    };
    ret->load_s = ret->read_bytes_per_s > 0 ? ret->weights_bytes / ret->read_bytes_per_s : 0;
    ret->total_s = ret->load_s + ret->engine_s;
    const gp_ref constant = GP_REF(constants, gp_constants, serving_start_read_bytes_per_s);
    const bool stored = input->storage != NULL && input->storage->read_bytes_per_s > 0;
    const gp_ref from = stored ? GP_REF(input->storage, gp_storage, read_bytes_per_s) : constant;
    GP_TRACE(trace, GP_TERM_SERVE_LOAD_TIME, ret->load_s, GP_REF_TERM(GP_TERM_SERVE_WEIGHTS), from);
    GP_TRACE(trace, GP_TERM_SERVE_COLD_START, ret->total_s, GP_REF_TERM(GP_TERM_SERVE_LOAD_TIME),
             GP_REF(constants, gp_constants, serving_start_engine_s));
}
