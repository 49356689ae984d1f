/*
 * What runs ask of storage and of their hosts: write rate for checkpoints, read rate for data,
 * restarts and cold starts, capacity; memory, cores and local drives of a machine
 * (docs/formulas.md, "Storage", "Hosts").
 */
#include "estimate/facility.h"

#include "base/num.h"

static double rate_of(double bytes, double time_s) {
    return bytes > 0 && time_s > 0 ? bytes / time_s : 0;
}

/* Restarts, starts and data are not at their worst together: the largest of them, and training
 * data beside it. */
void gp_storage_need_of(const gp_storage_input *input, const gp_constants *constants,
                        gp_storage_need *ret) {
    double kept = input->kept > 0 ? input->kept : constants->storage_kept_count;
    double loaded = input->weights_bytes * input->replicas;
    *ret = (gp_storage_need){0};
    ret->write_bytes_per_s =
        rate_of(input->checkpoint_bytes, input->interval_s * constants->storage_stall_fraction);
    ret->checkpoint_read_bytes_per_s =
        rate_of(input->checkpoint_bytes, constants->storage_restart_s);
    ret->start_read_bytes_per_s = rate_of(loaded, constants->storage_start_s);
    ret->read_bytes_per_s =
        gp_num_max(gp_num_max(ret->checkpoint_read_bytes_per_s, ret->start_read_bytes_per_s),
                   input->data_bytes_per_s);
    ret->capacity_bytes = input->checkpoint_bytes * kept + input->data_bytes + input->weights_bytes;
}

int64_t gp_host_cores_of(int64_t gpus, bool images, const gp_constants *constants) {
    const double each = images ? constants->host_cores_images : constants->host_cores_gpu;
    return gp_num_ceil_count(constants->host_cores_base + (double)gp_num_max_i64(gpus, 1) * each);
}

void gp_host_need_of(const gp_host_input *input, const gp_constants *constants, gp_host_need *ret) {
    double gpus = (double)gp_num_max_i64(input->gpus, 1);
    *ret = (gp_host_need){0};
    ret->memory_bytes = constants->host_memory_base_bytes +
                        gpus * (constants->host_memory_gpu_bytes +
                                input->gpu_memory_bytes * constants->host_memory_cache_fraction) +
                        input->checkpoint_bytes + input->offload_bytes;
    ret->cpu_cores = gp_host_cores_of(input->gpus, input->images, constants);
    ret->nvme_bytes = gpus * constants->host_nvme_bytes;
}
