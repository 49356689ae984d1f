/*
 * Adapters of a service beyond those that GPU memory holds: a request for one of them waits for it,
 * and so does the batch that it joins. Those that are asked for most are held. Where no rates are
 * stated they follow Zipf's law, so that the first n of N take H(n) / H(N) of the requests
 * (docs/formulas.md, "Served adapters").
 */
#include "base/num.h"
#include "estimate/serve.h"

/* 1 + 1/2 + ... + 1/n: the first terms as they are, the others by the integral of 1/x over them. */
static double harmonic(double n) {
    enum { TERMS = 32 };
    double sum = 0;
    for (int k = 1; k <= TERMS && k <= n; k++)
        sum += 1.0 / k;
    return n > TERMS ? sum + gp_num_log((n + 0.5) / (TERMS + 0.5)) : sum;
}

static double share_of_first(const gp_serve_job *job, double n) {
    double all = (double)job->adapters;
    if (n >= all || n < 1)
        return n < 1 ? 0 : 1;
    return job->adapter_shares != NULL ? job->adapter_shares[(size_t)n - 1]
                                       : harmonic(n) / harmonic(all);
}

double gp_serve_adapter_bytes(const gp_serve_job *job, const gp_constants *constants) {
    double each = job->adapter_parameters;
    if (!(each > 0))
        each = job->shape->parameters * constants->serving_adapter_share_fraction;
    return each * gp_format_bytes(constants, GP_FORMAT_BF16);
}

double gp_serve_adapters_held(const gp_serve_job *job) {
    double all = (double)job->adapters, resident = (double)job->resident_adapters;
    return resident > 0 ? gp_num_min(resident, all) : all;
}

/* Adapters that the replica's part of its host's memory has room for; all where the host's memory
 * is not known. */
static double held_by_host(const gp_serve_cost *cost, double each) {
    const gp_machine *machine = cost->machine;
    double gpus = (double)gp_num_max_i64(machine->gpus, 1);
    double memory = machine->system == NULL ? 0 : machine->system->memory_bytes;
    double part = gp_num_min((double)(cost->tp * cost->pp * cost->groups) / gpus, 1);
    return memory > 0 ? memory * part / each : (double)cost->job->adapters;
}

double gp_serve_adapter_s(const gp_serve_cost *cost) {
    const gp_constants *constants = cost->constants;
    double all = (double)cost->job->adapters, held = gp_serve_adapters_held(cost->job);
    if (held >= all)
        return 0;
    double bytes = gp_serve_adapter_bytes(cost->job, constants);
    double near = gp_num_max(held_by_host(cost, bytes), held);
    double missed = 1 - share_of_first(cost->job, held);
    double far = 1 - share_of_first(cost->job, near);
    /* What lies on drives passes through the host. */
    return bytes * (missed / constants->training_offload_bytes_per_s +
                    far / constants->training_offload_nvme_bytes_per_s);
}
