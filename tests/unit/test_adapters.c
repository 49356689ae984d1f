/* Adapters of a service that do not all fit in GPU memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/num.h"
#include "estimate/serve.h"
#include "support/estimate_case.h"

static const gp_serve_layout one_gpu = {1, 1, 1, 0, 0, 0, 0};

static double fetch_s(estimate_case *c, const gp_machine *machine, int64_t adapters,
                      int64_t resident) {
    const gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_cost cost;
    job.adapters = adapters;
    job.resident_adapters = resident;
    gp_serve_cost_of(&job, machine, &c->network, &one_gpu, &c->constants, &cost);
    return cost.adapter_s;
}

/* Of 1000 adapters the first 100 are asked for in 5.19 / 7.49 of all requests; the others come over
 * the host's link. */
static void popular_adapters_are_there(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    const gp_serve_job job = estimate_case_serve_job(&shape);
    const double bytes = gp_serve_adapter_bytes(&job, &c->constants);
    double all = 0, first = 0;
    for (int n = 1; n <= 1000; n++) {
        all += 1.0 / n;
        first += n <= 100 ? 1.0 / n : 0;
    }
    const double host_s = bytes / c->constants.training_offload_bytes_per_s;
    assert_true(
        estimate_case_near(fetch_s(c, &machine, 1000, 100), (1 - first / all) * host_s, 1e-5));
    assert_true(gp_num_near(fetch_s(c, &machine, 1000, 0), 0));
    assert_true(gp_num_near(fetch_s(c, &machine, 100, 100), 0));
}

/* What the host's memory does not hold either comes from drives, which are slower. */
static void the_rest_lies_on_drives(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_system small = {.memory_bytes = 8e9};
    const double near = fetch_s(c, &machine, 10000, 100);
    machine.system = &small;
    assert_true(fetch_s(c, &machine, 10000, 100) > near);
}

/* Those that wait elsewhere take no GPU memory, and lengthen the time to the first token. */
static void residents_alone_take_memory(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "l40s", 8);
    const gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory all, some;
    job.adapters = 200;
    gp_serve_memory_of(&job, &machine, &one_gpu, &c->constants, 0, NULL, &all);
    const double before =
        gp_prefill_time_s(&job, &machine, &c->network, &one_gpu, &c->constants, 1000, NULL);
    job.resident_adapters = 20;
    gp_serve_memory_of(&job, &machine, &one_gpu, &c->constants, 0, NULL, &some);
    assert_true(gp_num_near(all.memory.bytes[GP_MEMORY_ADAPTER],
                            10 * some.memory.bytes[GP_MEMORY_ADAPTER]));
    assert_true(some.kv_pool_tokens > all.kv_pool_tokens);
    assert_true(gp_prefill_time_s(&job, &machine, &c->network, &one_gpu, &c->constants, 1000,
                                  NULL) > before);
}

/* Rates that follow Zipf's law are that law; with all requests for what is held nothing waits. */
static void stated_rates_take_its_place(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "l40s", 8);
    const gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    double zipf[20], held[20];
    double sum = 0;
    for (int i = 0; i < 20; i++)
        zipf[i] = sum += 1.0 / (i + 1);
    for (int i = 0; i < 20; i++) {
        zipf[i] /= sum;
        held[i] = i < 4 ? (i + 1) / 4.0 : 1;
    }
    const double *const shares[] = {NULL, zipf, held};
    double times[3], alone;
    job.adapters = 20;
    alone = gp_prefill_time_s(&job, &machine, &c->network, &one_gpu, &c->constants, 1000, NULL);
    job.resident_adapters = 5;
    for (int i = 0; i < 3; i++) {
        job.adapter_shares = shares[i];
        times[i] =
            gp_prefill_time_s(&job, &machine, &c->network, &one_gpu, &c->constants, 1000, NULL);
    }
    assert_true(gp_num_near(times[0], times[1]));
    assert_true(times[0] > alone);
    assert_true(gp_num_near(times[2], alone));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(popular_adapters_are_there),
        cmocka_unit_test(the_rest_lies_on_drives),
        cmocka_unit_test(residents_alone_take_memory),
        cmocka_unit_test(stated_rates_take_its_place),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
