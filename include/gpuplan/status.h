/* Status codes for control flow. People read gp_diag, programs read gp_status. */
#ifndef GPUPLAN_STATUS_H
#define GPUPLAN_STATUS_H

#include <stddef.h>

typedef enum gp_status {
    GP_OK = 0,
    GP_ERR_INPUT,     /* the input is wrong; at least one error diagnostic says where */
    GP_ERR_LIMIT,     /* a size, depth or count limit was passed */
    GP_ERR_NO_MEMORY, /* an allocation failed or an arena reached its cap */
    GP_ERR_NOT_FOUND, /* a named thing does not exist */
    GP_ERR_INTERNAL,  /* an invariant of gpuplan itself does not hold */
    GP_STATUS_COUNT
} gp_status;

/* Constant English name of `st`, for messages about gpuplan itself. */
const char *gp_status_name(gp_status st);

/* Takes the next bytes of a text. */
typedef gp_status gp_put(void *to, const char *bytes, size_t len);

#endif
