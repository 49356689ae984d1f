#include <gpuplan/readings.h>
const char *const gp_reading_forms[] = {"nccl-tests", NULL};
gp_status gp_readings_read(gp_arena *arena, const gp_text *const *texts, size_t text_count,
                           const gp_reading_options *options, gp_diags *diags,
                           const char **ret_csv, size_t *ret_len) {
    (void)arena; (void)texts; (void)text_count; (void)options; (void)diags; (void)ret_csv; (void)ret_len;
    return GP_ERR_INPUT;
}
