/* Figures of the telemetry table by name, as tests speak of them. */
#ifndef GP_TESTS_TELEMETRY_H
#define GP_TESTS_TELEMETRY_H

#include <string.h>

#include "import/telemetry.h"

static inline const gp_telemetry_metric *metric_named(const char *id) {
    for (size_t i = 0; i < gp_telemetry_metric_count; i++) {
        if (strcmp(gp_telemetry_metrics[i].id, id) == 0)
            return &gp_telemetry_metrics[i];
    }
    return NULL;
}

#endif
