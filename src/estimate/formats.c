/* Bytes of stored numbers: elements of a format and the weights of a whole model. */
#include "estimate/estimate.h"

double gp_format_bytes(const gp_constants *constants, gp_format format) {
    return constants->memory_format_bytes[format];
}

double gp_weights_bytes(const gp_shape *shape, const gp_constants *constants, gp_format format,
                        double quantized_fraction) {
    double full = gp_format_bytes(constants, GP_FORMAT_BF16);
    double stored = gp_format_bytes(constants, format);
    if (format == GP_FORMAT_FP32)
        return shape->parameters * stored;
    double quantized =
        quantized_fraction > 0
            ? shape->parameters * quantized_fraction
            : shape->attention_parameters + shape->dense_mlp_parameters + shape->expert_parameters;
    return quantized * stored + (shape->parameters - quantized) * full;
}
