/*
 * Power from the bottom up: what a machine draws in a state, part by part, and the chain that feeds
 * it: circuits under a redundancy, caps, swings, batteries
 * (docs/formulas.md, "Power from parts", "Power chain").
 */
#include "estimate/facility.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

enum { SOCKETS_OF_A_BOARD = 2 };

/* NVLink joins a few GPUs by wire, more by switches; other links go without one. */
static const struct {
    const char *kind;
    int64_t wired;
} switched_links[] = {{"nvlink2", 8}, {"nvlink", 4}};

static double nic_bits_per_s(const gp_system *system, const gp_constants *constants) {
    double bits_per_s = 0;
    for (size_t i = 0; i < system->nics.count; i++)
        bits_per_s += system->nics.items[i].rate_bits_per_s * (double)system->nics.items[i].count;
    if (system->nics.count == 0)
        bits_per_s =
            constants->fabric_assumed_bits_per_s * (system->domain > 1 ? (double)system->gpus : 1);
    for (size_t i = 0; i < system->storage_nics.count; i++) {
        const gp_nic *nic = &system->storage_nics.items[i];
        bits_per_s += nic->rate_bits_per_s * (double)nic->count;
    }
    return bits_per_s;
}

static bool is_switched(const char *kind, int64_t domain) {
    for (size_t i = 0; i < sizeof switched_links / sizeof switched_links[0] && kind != NULL; i++)
        if (strncmp(kind, switched_links[i].kind, strlen(switched_links[i].kind)) == 0)
            return domain > switched_links[i].wired;
    return false;
}

static double link_w(const gp_system *system, const gp_constants *constants) {
    const gp_link *link = &system->gpu.link;
    int64_t domain = system->domain > 0 ? system->domain : system->gpus;
    double rate = is_switched(link->kind, domain) ? link->bandwidth_bytes_per_s : 0;
    return (double)system->gpus * rate * constants->facility_link_j_per_byte;
}

static double sockets_of(const gp_system *system, const gp_constants *constants) {
    if (system->gpu.includes_host)
        return 0;
    if (system->cpu_sockets > 0)
        return (double)system->cpu_sockets;
    return (double)gp_num_ceil_count((double)system->gpus * constants->facility_sockets_per_gpu);
}

static double memory_bytes(const gp_system *system, const gp_constants *constants) {
    if (system->gpu.includes_host)
        return 0;
    if (system->memory_bytes > 0)
        return system->memory_bytes;
    return (double)system->gpus * system->gpu.memory_bytes * constants->facility_memory_of_gpu;
}

double gp_system_liquid_fraction(const gp_system *system, const gp_constants *constants) {
    if (system->cooling == GP_COOLING_AIR)
        return 0;
    if (system->cooling == GP_COOLING_IMMERSION)
        return 1;
    return system->liquid_fraction > 0 ? system->liquid_fraction : constants->site_liquid_fraction;
}

/* What fans and supplies add to each watt. */
static double fans_of(const gp_system *system, const gp_power_share *share,
                      const gp_constants *constants) {
    return (1 - gp_system_liquid_fraction(system, constants)) * share->fan;
}

static void parts_of(const gp_system *system, double tdp_w, const gp_power_share *share,
                     const gp_constants *constants, gp_power_parts *ret) {
    double sockets = sockets_of(system, constants);
    double boards = gp_num_max(sockets / SOCKETS_OF_A_BOARD, 1);
    *ret = (gp_power_parts){
        .gpu_w = (double)system->gpus * tdp_w * share->gpu,
        .link_w = link_w(system, constants) * share->rest,
        .host_w = boards * constants->facility_board_w +
                  sockets * constants->facility_host_w * share->host,
        .memory_w =
            memory_bytes(system, constants) * constants->facility_memory_w_per_byte * share->rest,
        .nic_w =
            nic_bits_per_s(system, constants) * constants->facility_nic_j_per_bit * share->rest,
    };
    double inside = ret->gpu_w + ret->link_w + ret->host_w + ret->memory_w + ret->nic_w;
    ret->fan_w = inside * fans_of(system, share, constants);
    double before = inside + ret->fan_w;
    ret->supply_w = share->busbar ? 0 : before / constants->facility_supply_fraction - before;
    ret->total_w = before + ret->supply_w;
}

gp_power_share gp_power_share_most(bool busbar, const gp_constants *constants) {
    return (gp_power_share){
        .gpu = 1, .host = 1, .rest = 1, .fan = constants->facility_fan_fraction, .busbar = busbar};
}

double gp_system_tdp_w(const gp_system *system, const gp_constants *constants) {
    const gp_gpu *gpu = &system->gpu;
    if (system->gpus > 1 && gpu->shared_tdp_w > 0)
        return gpu->shared_tdp_w;
    if (gpu->tdp_w > 0 || !(system->max_power_w > 0) || system->gpus < 1)
        return gpu->tdp_w;
    gp_power_parts parts;
    gp_power_share most = gp_power_share_most(false, constants);
    parts_of(system, 0, &most, constants, &parts);
    double left = (system->max_power_w - parts.total_w) * constants->facility_supply_fraction;
    return gp_num_max(left / (1 + fans_of(system, &most, constants)) / (double)system->gpus, 0);
}

void gp_power_parts_of(const gp_system *system, const gp_power_share *share,
                       const gp_constants *constants, gp_power_parts *ret) {
    parts_of(system, gp_system_tdp_w(system, constants), share, constants, ret);
}

int64_t gp_power_units(double load_w, double unit_w, int redundancy) {
    if (!(unit_w > 0) || !(load_w > 0))
        return 0;
    int64_t needed = gp_num_ceil_count(load_w / unit_w);
    switch ((gp_redundancy)redundancy) {
    case GP_REDUNDANCY_N1: return needed + 1;
    case GP_REDUNDANCY_2N: return 2 * needed;
    case GP_REDUNDANCY_N: return needed;
    }
    return needed;
}

/* Watts that an ampere of the circuit carries. */
static double w_per_a(const gp_power_chain_input *input) {
    double phase = input->phases == 3 ? sqrt(3) : 1;
    return phase * input->voltage_v * input->power_factor;
}

void gp_power_chain_of(const gp_power_chain_input *input, gp_power_chain *ret) {
    *ret = (gp_power_chain){0};
    ret->circuit_w = w_per_a(input) * input->current_a * input->derate_fraction;
    ret->circuits = gp_power_units(input->load_w, ret->circuit_w, input->redundancy);
    if (ret->circuits == 0)
        return;
    bool twice = input->redundancy == GP_REDUNDANCY_2N;
    ret->feeds = gp_num_max_i64(input->feeds, twice ? 2 : 1);
    double all = (double)ret->circuits;
    double left = twice ? all / 2 : all - 1;
    ret->carried_w = input->load_w / all;
    ret->failed_w = left > 0 ? input->load_w / left : HUGE_VAL;
    ret->load_fraction = ret->carried_w / ret->circuit_w;
    ret->failed_fraction = ret->failed_w / ret->circuit_w;
}

void gp_power_cap_of(double cap_fraction, double compute_fraction, const gp_constants *constants,
                     gp_power_cap *ret) {
    *ret = (gp_power_cap){.time_factor = 1, .energy_factor = 1};
    if (!(cap_fraction > 0) || cap_fraction >= 1)
        return;
    double clock = gp_num_pow(cap_fraction, constants->site_power_cap_exponent);
    double bound = gp_num_min(gp_num_max(compute_fraction, 0), 1);
    ret->time_factor = bound / clock + (1 - bound);
    ret->energy_factor = cap_fraction * ret->time_factor;
}

double gp_power_transient_w(double steady_w, double training_w, const gp_constants *constants) {
    return steady_w + training_w * (constants->facility_transient_factor - 1);
}
