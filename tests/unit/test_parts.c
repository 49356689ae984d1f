/* Parts of GPUs: MIG profiles where NVIDIA allows them, and small services that share GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"
#include "support/estimate_case.h"

static const gp_gpu_partition *partition_of(estimate_case *c, const char *id) {
    const void *row = NULL;
    assert_int_equal(gp_catalog_find(c->catalog, GP_CATALOG_PARTITIONS, id, &row, NULL, NULL),
                     GP_OK);
    return row;
}

static size_t profile_named(const gp_gpu_partition *partition, const char *name) {
    for (size_t p = 0; p < partition->profiles.count; p++) {
        if (strcmp(partition->profiles.items[p].name, name) == 0) {
            return p;
        }
    }
    fail_msg("%s has no profile %s", partition->id, name);
    return 0;
}

/* Most instances of each profile on one GPU, as NVIDIA's MIG user guide prints them. */
static void most_instances_are_the_published_ones(void **state) {
    static const struct {
        const char *partition, *profile;
        int64_t most;
    } published[] = {
        {"h100-80gb-mig", "1g.10gb", 7},    {"h100-80gb-mig", "1g.20gb", 4},
        {"h100-80gb-mig", "2g.20gb", 3},    {"h100-80gb-mig", "3g.40gb", 2},
        {"h100-80gb-mig", "4g.40gb", 1},    {"h100-80gb-mig", "7g.80gb", 1},
        {"h100-94gb-mig", "1g.12gb", 7},    {"h100-94gb-mig", "3g.47gb", 2},
        {"h100-96gb-mig", "1g.24gb", 4},    {"h100-96gb-mig", "2g.24gb", 3},
        {"h200-mig", "1g.18gb", 7},         {"h200-mig", "1g.35gb", 4},
        {"h200-mig", "2g.35gb", 3},         {"h200-mig", "3g.71gb", 2},
        {"h200-mig", "4g.71gb", 1},         {"a100-40gb-mig", "1g.5gb", 7},
        {"a100-40gb-mig", "2g.10gb", 3},    {"a100-80gb-mig", "1g.20gb", 4},
        {"a30-mig", "1g.6gb", 4},           {"a30-mig", "2g.12gb", 2},
        {"b200-mig", "1g.23gb", 7},         {"b200-mig", "1g.45gb", 4},
        {"b200-mig", "2g.45gb", 3},         {"b200-mig", "3g.90gb", 2},
        {"b300-mig", "1g.34gb", 7},         {"b300-mig", "1g.67gb", 4},
        {"rtx-pro-6000-mig", "1g.24gb", 4}, {"rtx-pro-6000-mig", "2g.48gb", 2},
        {"rtx-pro-6000-mig", "4g.96gb", 1},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const gp_gpu_partition *partition = partition_of(*state, published[i].partition);
        int64_t counts[GP_PART_PROFILES_MAX] = {0};
        const size_t p = profile_named(partition, published[i].profile);
        counts[p] = published[i].most;
        if (gp_parts_gpus(partition, counts) != 1) {
            fail_msg("%lld x %s do not fit on one GPU", (long long)counts[p], published[i].profile);
        }
        counts[p]++;
        assert_int_equal(gp_parts_gpus(partition, counts), 2);
    }
}

/* Mixtures that the guide's tables of combinations have, and some that they lack. */
static void mixtures_keep_their_places(void **state) {
    static const struct {
        int64_t one, wide_one, two, three, four, gpus;
    } mixtures[] = {
        {.four = 1, .three = 1, .gpus = 1},
        {.four = 1, .two = 1, .one = 1, .gpus = 1},
        {.three = 1, .two = 1, .one = 2, .gpus = 1},
        {.two = 3, .one = 1, .gpus = 1},
        {.three = 2, .one = 1, .gpus = 2}, /* six compute slices, but no memory is left */
        {.four = 2, .gpus = 2},
        {.four = 1, .three = 1, .one = 1, .gpus = 2},
        {.two = 4, .gpus = 2},
        {.two = 2, .wide_one = 2, .gpus = 1},
        {.one = 12, .gpus = 2},
    };
    const gp_gpu_partition *partition = partition_of(*state, "h100-80gb-mig");
    for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++) {
        int64_t counts[GP_PART_PROFILES_MAX] = {0};
        counts[profile_named(partition, "1g.10gb")] = mixtures[i].one;
        counts[profile_named(partition, "1g.20gb")] = mixtures[i].wide_one;
        counts[profile_named(partition, "2g.20gb")] = mixtures[i].two;
        counts[profile_named(partition, "3g.40gb")] = mixtures[i].three;
        counts[profile_named(partition, "4g.40gb")] = mixtures[i].four;
        const int64_t gpus = gp_parts_gpus(partition, counts);
        if (gpus != mixtures[i].gpus) {
            fail_msg("mixture %zu takes %lld GPUs", i, (long long)gpus);
        }
    }
}

static void a_part_is_a_smaller_machine(void **state) {
    estimate_case *c = *state;
    const gp_gpu_partition *partition = partition_of(c, "h200-mig");
    const gp_gpu_profile *profile = &partition->profiles.items[profile_named(partition, "1g.18gb")];
    const gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    const gp_machine part = gp_machine_part(&machine, partition, profile);
    assert_int_equal(part.gpus, 1);
    assert_true(gp_num_near(part.hbm_bytes, 16.0 * (1 << 30)));
    assert_true(gp_num_near(part.hbm_bytes_per_s, machine.hbm_bytes_per_s / 8));
    assert_true(estimate_case_near(part.peak_flop_per_s[GP_PRECISION_BF16],
                                   machine.peak_flop_per_s[GP_PRECISION_BF16] * 16 / 132, 0.01));
}

/* Two processes under MPS on one A100-80GB, 60 % of the multiprocessors each, made 93 % of the
 * requests and 1.19 times the time per token of two GPUs (Qwen3-4B-FP8, tests/reference of the
 * catalogue's row): half of a GPU must not promise more than half of one. */
static void halves_promise_no_more_than_the_whole(void **state) {
    estimate_case *c = *state;
    const gp_gpu_partition *partition = partition_of(c, "ada-mps");
    const gp_machine machine = estimate_case_machine(c, "l40s", 8);
    const gp_shape shape = estimate_case_shape(c, "qwen3-4b");
    const gp_serve_layout layout = {1, 1, 1, 0, 0, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    double rates[2];
    for (int i = 0; i < 2; i++) {
        const gp_gpu_profile *half = &partition->profiles.items[profile_named(partition, "1/2")];
        const gp_machine on = i == 0 ? machine : gp_machine_part(&machine, partition, half);
        gp_serve_memory memory;
        gp_serve_point point;
        gp_serve_memory_of(&job, &on, &layout, &c->constants, 0, NULL, &memory);
        gp_serve_load(&job, &on, &c->network, &layout, &c->constants, &memory, 0.1, 1, NULL,
                      &point);
        rates[i] = point.max_requests_per_s;
    }
    assert_true(rates[1] > 0);
    assert_true(2 * rates[1] < rates[0] * 1.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(most_instances_are_the_published_ones, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(mixtures_keep_their_places, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(a_part_is_a_smaller_machine, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(halves_promise_no_more_than_the_whole, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
