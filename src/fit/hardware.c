/*
 * The machine of a run: the GPU by its name, in the system that the catalogue knows it from (the
 * reference system), changed by what the run says of GPUs per node and of the network.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double bits_per_byte = 8; /* definition */
enum { HOST_GPUS = 8 };
static const int64_t no_limit = 1 << 20; /* nodes in one non-blocking unit: published runs are */

typedef struct system_rows {
    const gp_system *const *items;
    size_t count;
} system_rows;

static system_rows systems_of(gp_fitter *fitter) {
    system_rows rows = {0};
    rows.items =
        (const gp_system *const *)gp_fit_rows_of(fitter->catalog, GP_CATALOG_SYSTEMS, &rows.count);
    return rows;
}

/* How well a system stands for its GPU: with a network, the largest domain, as many GPUs as that or
 * as a common host has. */
static double rank_of(const gp_system *system) {
    const double common = (double)gp_num_max_i64(system->domain, HOST_GPUS);
    return (system->nics.count > 0 ? 2e6 : 0) + (double)system->domain * 1000 -
           fabs((double)system->gpus - common);
}

static const gp_system *best_system(const system_rows *rows, const gp_gpu *gpu, bool sibling) {
    const gp_system *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const gp_gpu *other = &rows->items[i]->gpu;
        bool same = gp_str_equal(other->id, gpu->id) || gp_str_equal(other->extends, gpu->id);
        bool near = sibling && gp_str_equal(other->arch, gpu->arch) &&
                    gp_str_equal(other->link.kind, gpu->link.kind);
        if ((same || near) && (best == NULL || rank_of(rows->items[i]) > rank_of(best)))
            best = rows->items[i];
    }
    return best;
}

/* The GPU's own system, else one of a sibling (architecture and link the same). */
static const gp_system *reference_system(const system_rows *rows, const gp_gpu *gpu) {
    const gp_system *own = best_system(rows, gpu, false);
    return own != NULL ? own : best_system(rows, gpu, true);
}

/* Of several GPUs of one name: that with the largest scale-up domains, then the fastest
 * link, the most memory. */
static const gp_gpu *pick_gpu(gp_fitter *fitter, const system_rows *rows, const char *choices) {
    const gp_gpu *best = NULL;
    double best_rank = 0;
    for (const char *c = choices; *c != '\0';) {
        size_t len = strcspn(c, ", ");
        const char *name = gp_arena_strndup(fitter->arena, c, len);
        const void *row = NULL;
        if (gp_catalog_find(fitter->catalog, GP_CATALOG_GPUS, name, &row, NULL, NULL) == GP_OK) {
            const gp_gpu *gpu = row;
            const gp_system *system = best_system(rows, gpu, false);
            double rank = (system != NULL ? (double)system->domain * 1e15 : 0) +
                          gpu->link.bandwidth_bytes_per_s * 100 + gpu->memory_bytes / 1000;
            if (best == NULL || rank > best_rank) {
                best = gpu;
                best_rank = rank;
            }
        }
        c += len;
        c += strspn(c, ", ");
    }
    return best;
}

/* The GPU of a run; NULL: none named, or not known. */
static const gp_gpu *find_gpu(gp_fitter *fitter, const system_rows *rows, const char *name,
                              const char **ret_note) {
    const void *row = NULL;
    const gp_gpu *gpu = NULL;
    const char *choices = NULL;
    bool whole = true;
    if (name == NULL)
        return NULL;
    gp_status st = gp_catalog_find(fitter->catalog, GP_CATALOG_GPUS, name, &row, NULL, &choices);
    gpu = row;
    if (st == GP_ERR_NOT_FOUND)
        st = gp_catalog_find_device(fitter->catalog, name, &gpu, &choices, &whole);
    /* Of what is left of a name that has been cut, none is picked. */
    if (st != GP_ERR_INPUT || choices == NULL || !whole)
        return gpu;
    gpu = pick_gpu(fitter, rows, choices);
    *ret_note = gpu == NULL ? NULL : gp_arena_printf(fitter->arena, "%s read as %s", name, gpu->id);
    return gpu;
}

/* What a run was on, put together before it is looked for among those known already. */
typedef struct machine_plan {
    const gp_gpu *gpu;
    const gp_system *reference; /* NULL: none */
    int64_t gpus, domain;
    double nic_bits_per_s; /* per GPU */
} machine_plan;

static double reference_nic(const gp_system *system) {
    double bits = 0;
    for (size_t i = 0; system != NULL && i < system->nics.count; i++)
        bits += system->nics.items[i].rate_bits_per_s * (double)system->nics.items[i].count;
    return system != NULL && system->gpus > 0 ? bits / (double)system->gpus : 0;
}

static bool is_rack_scale(const gp_system *system, double per_node) {
    return system != NULL && (double)system->domain > per_node && system->domain > 8;
}

static void plan_size(machine_plan *plan, const gp_run_row *run) {
    const gp_gpu *gpu = plan->gpu;
    double per_node = run->gpus_per_node;
    if (is_rack_scale(plan->reference, per_node)) {
        plan->gpus = plan->reference->gpus;
        plan->domain = plan->reference->domain;
        return;
    }
    if (per_node <= 0)
        per_node = plan->reference != NULL ? (double)plan->reference->gpus
                                           : gp_num_min(8, gp_num_max(1, run->gpus));
    plan->gpus = (int64_t)per_node;
    int64_t most = plan->reference != NULL ? plan->reference->domain : gpu->domain_max;
    if (most <= 0)
        most = gpu->link.bandwidth_bytes_per_s > 0 && !gp_str_starts(gpu->link.kind, "pcie")
                   ? plan->gpus
                   : 1;
    /* A torus or a backplane may span more GPUs than stand in one host. */
    plan->domain = plan->reference != NULL ? gp_num_min_i64(most, plan->gpus) : most;
}

static double generation_rate(gp_fitter *fitter, const char *generation) {
    size_t count = 0;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_SWITCHES, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_switch *row = rows[i];
        if (row->ports > 0 && row->port_bits_per_s > 0 && gp_str_equal(row->generation, generation))
            return row->port_bits_per_s;
    }
    return 0;
}

double gp_fit_port_rate(gp_fitter *fitter, const gp_run_row *run) {
    const char *note = NULL;
    double ports = 0;
    bool per_gpu = false;
    const char *text = run->inter_node_link;
    const double stated = text == NULL ? 0 : gp_words_link(text, &per_gpu);
    const char *generation = stated > 0 ? NULL : gp_words_generation(text, &ports);
    if (stated > 0)
        return stated;
    if (generation != NULL)
        return generation_rate(fitter, generation);
    const system_rows rows = systems_of(fitter);
    const gp_gpu *gpu = find_gpu(fitter, &rows, run->gpu, &note);
    const gp_system *system = gpu != NULL ? reference_system(&rows, gpu) : NULL;
    return system != NULL && system->nics.count > 0 ? system->nics.items[0].rate_bits_per_s : 0;
}

static void plan_network(gp_fitter *fitter, const gp_run_row *run, machine_plan *plan,
                         const char **ret_note) {
    bool per_gpu = false;
    double ports = 0;
    double per_node = run->gpus_per_node > 0 ? run->gpus_per_node : (double)plan->gpus;
    double bits = run->inter_node_link == NULL ? 0 : gp_words_link(run->inter_node_link, &per_gpu);
    const char *generation = bits > 0 ? NULL : gp_words_generation(run->inter_node_link, &ports);
    if (generation != NULL) {
        bits = generation_rate(fitter, generation);
        per_gpu = ports <= 0;
        bits *= ports > 0 ? ports : 1;
    }
    plan->nic_bits_per_s = per_gpu ? bits : bits / per_node;
    if (bits <= 0) {
        plan->nic_bits_per_s = reference_nic(plan->reference);
        bool alone = run->gpus <= (double)gp_num_max_i64(plan->gpus, plan->domain);
        *ret_note = alone ? NULL
                    : plan->reference == NULL
                        ? "no network known for this GPU"
                        : gp_arena_printf(fitter->arena, "network of %s", plan->reference->id);
    }
}

static gp_machine *build_machine(gp_fitter *fitter, const machine_plan *plan) {
    gp_machine *machine = GP_NEW(fitter->arena, gp_machine);
    gp_system *system = GP_NEW(fitter->arena, gp_system);
    gp_nic *nic = GP_NEW(fitter->arena, gp_nic);
    if (plan->reference != NULL)
        memcpy(system, plan->reference, sizeof *system);
    memcpy(&system->gpu, plan->gpu, sizeof system->gpu);
    system->gpus = plan->gpus;
    system->domain = plan->domain;
    nic->rate_bits_per_s = plan->nic_bits_per_s;
    nic->count = plan->gpus;
    system->nics.items = nic;
    system->nics.count = 1;
    const gp_machine_rows rows = {
        .fits = fitter->fits,
        .efficiencies = fitter->efficiency_rows,
        .powers = fitter->power_rows,
        .fit_count = fitter->fit_count,
        .efficiency_count = fitter->efficiency_count,
        .power_count = fitter->power_count,
    };
    gp_machine_derive(system, &rows, 1, machine);
    return machine;
}

static gp_machine *keep_machine(gp_fitter *fitter, const machine_plan *plan) {
    const char *key =
        gp_arena_printf(fitter->arena, "%s|%lld|%lld|%lld", plan->gpu->id, (long long)plan->gpus,
                        (long long)plan->domain, (long long)plan->nic_bits_per_s);
    size_t at = 0;
    bool added = false;
    gp_index_add(&fitter->machines, key, strlen(key), fitter->machine_count, &added, &at);
    if (added) {
        gp_machine *machine = build_machine(fitter, plan);
        at = fitter->machine_count;
        GP_PUSH(fitter->arena, fitter->machine_items, fitter->machine_count, fitter->machine_cap) =
            machine;
    }
    return fitter->machine_items[at];
}

gp_fit_hardware gp_fit_hardware_of(gp_fitter *fitter, const gp_run_row *run) {
    gp_fit_hardware hardware = {0};
    machine_plan plan = {0};
    const char *network_note = NULL;
    const system_rows rows = systems_of(fitter);
    plan.gpu = find_gpu(fitter, &rows, run->gpu, &hardware.note);
    if (plan.gpu == NULL) {
        hardware.why = gp_arena_printf(fitter->arena, "GPU %s is not in the catalogue",
                                       run->gpu == NULL ? "(none named)" : run->gpu);
        return hardware;
    }
    plan.reference = reference_system(&rows, plan.gpu);
    plan_size(&plan, run);
    plan_network(fitter, run, &plan, &network_note);
    hardware.machine = keep_machine(fitter, &plan);
    double nic = plan.nic_bits_per_s / bits_per_byte;
    hardware.network =
        (gp_network){.bytes_per_s = {nic, nic, nic}, .unit_nodes = no_limit, .pod_nodes = no_limit};
    if (gp_words_has(run->inter_node_link, "EFA"))
        hardware.network.latency_s = fitter->constants.network_scale_out_efa_latency_s;
    hardware.note = gp_fit_remark(fitter->arena, hardware.note, network_note);
    return hardware;
}
