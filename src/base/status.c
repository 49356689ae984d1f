/* Names of the status codes. */
#include <gpuplan/status.h>

static const char *const status_names[GP_STATUS_COUNT] = {
    [GP_OK] = "ok",
    [GP_ERR_INPUT] = "invalid input",
    [GP_ERR_LIMIT] = "limit exceeded",
    [GP_ERR_NO_MEMORY] = "out of memory",
    [GP_ERR_NOT_FOUND] = "not found",
    [GP_ERR_INTERNAL] = "internal error",
};

const char *gp_status_name(gp_status st) {
    unsigned index = (unsigned)st;
    return index < GP_STATUS_COUNT ? status_names[index] : "unknown status";
}
