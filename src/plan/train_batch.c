/*
 * Batches that a training run may take. A batch that the spec states binds; one that is no whole
 * number of sequences is taken as nearly as it launches; a range is searched, and so is a default.
 */
#include <math.h>

#include "plan/context.h"

#include "base/num.h"

static bool is_default(const gp_data *data) {
    return GP_ORIGIN_OF(data, gp_data, global_batch)->kind == GP_ORIGIN_DEFAULT;
}

gp_batch_choice gp_train_batches_near(double asked, double fraction) {
    const int64_t nearest = gp_num_max_i64(1, gp_num_floor_count(asked + 0.5));
    gp_batch_choice b = {.asked = asked,
                         .low = gp_num_ceil_count(asked * (1 - fraction)),
                         .high = gp_num_floor_count(asked * (1 + fraction))};
    b.low = gp_num_max_i64(1, gp_num_min_i64(b.low, nearest));
    b.high = gp_num_max_i64(b.high, nearest);
    return b;
}

gp_batch_choice gp_train_batches(const gp_case *c, int64_t gpus) {
    const gp_data *data = &c->workload->data;
    const gp_constants *k = c->plan->constants;
    const gp_train_job *job = &c->out->train;
    const double asked = job->global_batch / job->sequence_length;
    if (GP_GIVEN(data, gp_data, global_batch_range)) {
        const double low = data->global_batch_range.min / job->sequence_length;
        const double high = data->global_batch_range.max / job->sequence_length;
        const int64_t least = gp_num_max_i64(1, gp_num_ceil_count(low));
        return (gp_batch_choice){.asked = asked,
                                 .low = least,
                                 .high = gp_num_max_i64(least, gp_num_floor_count(high)),
                                 .largest = true};
    }
    if (is_default(data) || c->part == GP_RL_LEARN) {
        const double large = job->type == GP_WORKLOAD_TRAINING
                                 ? (double)gpus * k->plan_batch_gpu_tokens / job->sequence_length
                                 : 0;
        return gp_train_batches_near(gp_num_max(asked, large), k->plan_batch_range_fraction);
    }
    const bool whole = gp_num_near(asked, floor(asked + 0.5));
    return gp_train_batches_near(asked, whole ? 0 : k->plan_batch_rounding_fraction);
}

int64_t gp_train_batch_near(const gp_batch_choice *batches, int64_t unit) {
    const int64_t below = gp_num_floor_count(batches->asked / (double)unit) * unit;
    const int64_t above = below + unit;
    const bool below_will = below >= batches->low && below <= batches->high && below > 0;
    const bool above_will = above >= batches->low && above <= batches->high;
    if (below_will && above_will)
        return batches->asked - (double)below <= (double)above - batches->asked ? below : above;
    return below_will ? below : above_will ? above : 0;
}
