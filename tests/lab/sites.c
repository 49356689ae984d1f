/*
 * Machines and clusters as they were metered and counted, beside what the rules of power, fabrics
 * and racks make of them. A machine is known by its columns alone: a row of the catalogue where one
 * is named, else its GPUs, their number, its processors, cooling and adapters, with all the rest
 * as the rules take it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/facility.h"
#include "fit/words.h"
#include "lab/lab.h"

static const double bits_per_gigabit = 1e9; /* definitions */
static const double w_per_kw = 1e3;
enum { NAME_MAX = 96, NAME_LEAST = 5, SLINGSHOT_PORTS = 64 };

/* ---- the machine */

/* Letters and digits alone, in lower case. */
static void plain_name(const char *text, char ret[NAME_MAX]) {
    size_t len = 0;
    for (; text != NULL && *text != '\0' && len + 1 < NAME_MAX; text++) {
        if (isalnum((unsigned char)*text)) {
            ret[len++] = (char)tolower((unsigned char)*text);
        }
    }
    ret[len] = '\0';
}

/* The catalogue's system whose model, its id without the maker, the words name: the longest. */
static const gp_system *named_system(const void *const *rows, size_t count, const char *words,
                                     double gpus) {
    const gp_system *best = NULL;
    char text[NAME_MAX];
    size_t most = NAME_LEAST - 1;
    plain_name(words, text);
    for (size_t i = 0; i < count; i++) {
        const gp_system *row = rows[i];
        const char *model = strchr(row->id, '-');
        char name[NAME_MAX];
        plain_name(model, name);
        if (strlen(name) > most && strstr(text, name) != NULL &&
            (gpus <= 0 || row->gpus == (int64_t)gpus)) {
            best = row;
            most = strlen(name);
        }
    }
    return best;
}

static const gp_system *system_of(gp_fitter *fitter, const gp_run_row *run) {
    const gp_lab_site_run *site = &gp_lab(run)->site;
    const void *row = NULL;
    size_t count = 0;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_SYSTEMS, &count);
    if (site->system != NULL)
        (void)gp_catalog_find(fitter->catalog, GP_CATALOG_SYSTEMS, site->system, &row, NULL, NULL);
    return row != NULL || site->maker_model == NULL
               ? row
               : named_system(rows, count, site->maker_model, run->gpus_per_node);
}

static int cooling_of(const char *words) {
    if (gp_words_has(words, "immersion")) {
        return GP_COOLING_IMMERSION;
    }
    if (gp_words_has(words, "hybrid") || gp_words_has(words, "AALC")) {
        return GP_COOLING_HYBRID;
    }
    return gp_words_has(words, "liquid") ? GP_COOLING_LIQUID : GP_COOLING_AIR;
}

/* One machine, put together for a row. */
typedef struct site_case {
    gp_system system;
    gp_nic nic;
    gp_machine machine;
    bool known; /* by a row of the catalogue */
    const char *why, *note;
} site_case;

/* Nothing of the system that the GPU is best known from: only what the row says. */
static gp_system bare_system(const gp_run_row *run, const gp_gpu *gpu) {
    const bool superchip = gpu->includes_host;
    gp_system system = {.gpu = *gpu,
                        .gpus = (int64_t)run->gpus_per_node,
                        .cooling = cooling_of(gp_lab(run)->site.cooling)};
    system.domain = gpu->domain_max == 1 && !superchip ? 1 : system.gpus;
    if (gp_lab(run)->site.cpu != NULL) {
        system.cpu_sockets = strtoll(gp_lab(run)->site.cpu, NULL, 10);
    }
    return system;
}

static void set_adapters(const gp_run_row *run, site_case *c) {
    const double rate = gp_lab(run)->site.network_gbps > 0 ? gp_lab(run)->site.network_gbps : 0;
    if (rate <= 0) {
        return;
    }
    c->nic.rate_bits_per_s = rate * bits_per_gigabit;
    c->nic.count = c->system.gpus;
    c->system.nics.items = &c->nic;
    c->system.nics.count = 1;
}

/* Runs that were tuned for efficiency, as submissions name them. */
static bool is_tuned(const gp_run_row *run) {
    return gp_words_has(gp_lab(run)->site.node_model, "MaxQ") ||
           gp_words_has(gp_lab(run)->site.node_model, ", EE");
}

static void set_cap(const gp_fitter *fitter, const gp_run_row *run, site_case *c) {
    const double tdp = gp_system_tdp_w(&c->system, &fitter->constants);
    c->machine.power_cap_fraction = is_tuned(run) ? fitter->constants.site_gpu_tuned_fraction : 1;
    if (gp_lab(run)->site.cap_w > 0 && tdp > 0) {
        c->machine.power_cap_fraction = gp_lab(run)->site.cap_w / tdp;
    }
}

static void case_of(gp_fitter *fitter, const gp_run_row *run, site_case *ret) {
    gp_lab_row row = *gp_lab(run);
    const gp_run_row *sized = &row.run;
    if (sized->gpus_per_node <= 0) {
        row.run.gpus_per_node = run->nodes > 0 ? run->gpus / run->nodes : run->gpus;
    }
    *ret = (site_case){.why = NULL};
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, sized);
    const gp_system *known = system_of(fitter, sized);
    ret->why = !gp_num_is_count(sized->gpus_per_node) || !(sized->gpus_per_node > 0)
                   ? "GPUs of a machine not stated"
                   : NULL;
    if (hardware.machine == NULL || ret->why != NULL) {
        ret->why = ret->why != NULL ? ret->why : hardware.why;
        return;
    }
    const gp_gpu *gpu = hardware.machine->gpu;
    ret->known = known != NULL;
    ret->system = known != NULL ? *known : bare_system(sized, gpu);
    ret->system.gpu = *gpu;
    if (known != NULL && gp_lab(run)->site.cooling != NULL) {
        ret->system.cooling = cooling_of(gp_lab(run)->site.cooling);
    }
    if (known != NULL && !gp_str_equal(known->gpu.id, gpu->id)) {
        ret->system.max_power_w = 0;
    }
    if (gp_lab(run)->site.tdp_w > 0) {
        ret->system.gpu.tdp_w = gp_lab(run)->site.tdp_w;
    }
    set_adapters(run, ret);
    ret->machine = *hardware.machine;
    ret->machine.system = &ret->system;
    ret->machine.gpu = &ret->system.gpu;
    ret->machine.gpus = ret->system.gpus;
    set_cap(fitter, run, ret);
    ret->note =
        known != NULL ? gp_arena_printf(fitter->arena, "read as %s", known->id) : hardware.note;
}

/* ---- power */

static const struct {
    const char *state;
    gp_load load;
    bool nameplate;
} states[] = {
    {"linpack", GP_LOAD_PEAK, false},           {"peak", GP_LOAD_PEAK, false},
    {"training mean", GP_LOAD_TRAINING, false}, {"site mean", GP_LOAD_TRAINING, false},
    {"LLM training", GP_LOAD_TRAINING, false},  {"training (other)", GP_LOAD_TRAINING, false},
    {"inference", GP_LOAD_SERVING, false},      {"idle", GP_LOAD_IDLE, false},
    {"nameplate", GP_LOAD_PEAK, true},          {"nameplate/budget", GP_LOAD_PEAK, true},
};

/* Watts of a machine in the state; 0 with a reason. */
static double power_of(const gp_fitter *fitter, const site_case *c, const char *state,
                       const char **ret_why) {
    gp_node_power power = {0};
    size_t at = 0;
    const size_t count = sizeof states / sizeof states[0];
    while (at < count && !gp_str_equal(states[at].state, state)) {
        at++;
    }
    if (at == count) {
        *ret_why = state == NULL ? "state not stated" : "state not known";
        return 0;
    }
    gp_node_power_of(&c->machine, states[at].load, 0, &fitter->constants, NULL, &power);
    if (!(power.peak_w > 0)) {
        *ret_why = "neither the GPU's TDP nor the machine's maximum is known";
    }
    return states[at].nameplate ? power.nameplate_w : power.node_w;
}

static void add(gp_fitter *fitter, const gp_run_row *run, const char *class_name,
                const char *metric, double measured, double estimated, double error,
                const char *why, const char *note, gp_fit_rows *rows) {
    if (!(measured > 0)) {
        return;
    }
    gp_backtest_row row = gp_fit_row(run, class_name, metric, measured, why);
    row.shape = run->gpu;
    gp_fit_row_estimate(&row, estimated, error, note);
    gp_fit_rows_add(fitter, rows, &row, NULL);
}

void gp_lab_score_machine(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    site_case *c = GP_NEW(fitter->arena, site_case);
    gp_lab_row one = *gp_lab(run);
    one.run.gpus_per_node = run->gpus;
    case_of(fitter, &one.run, c);
    const char *why = c->why;
    if (why == NULL && gp_lab(run)->site.scope != NULL &&
        !gp_str_equal(gp_lab(run)->site.scope, "node")) {
        why = "not the power of a whole machine";
    }
    const double watts = why == NULL ? power_of(fitter, c, gp_lab(run)->site.state_class, &why) : 0;
    add(fitter, run, "machinePower", "watts_node", gp_lab(run)->site.watts, watts,
        fitter->constants.site_power_error_fraction, why, c->note, rows);
}

/* PUE as the site states it, else by what carries the heat away. */
static double pue_of(const gp_fitter *fitter, const gp_run_row *run, const site_case *c) {
    gp_overhead overhead;
    const gp_pue_input input = {.liquid_fraction =
                                    gp_system_liquid_fraction(&c->system, &fitter->constants),
                                .stated_pue = gp_lab(run)->site.pue};
    gp_overhead_of(&input, &fitter->constants, &overhead);
    return overhead.pue;
}

static void score_power(gp_fitter *fitter, const gp_run_row *run, const site_case *c,
                        gp_fit_rows *rows) {
    const char *why = c->why;
    const double each = why == NULL ? power_of(fitter, c, gp_lab(run)->site.state, &why) : 0;
    const double it_kw = each * run->nodes / w_per_kw;
    const double error = fitter->constants.site_power_error_fraction;
    const double pue = why == NULL ? pue_of(fitter, run, c) : 1;
    if (why == NULL && run->nodes <= 0) {
        why = "machines not stated";
    }
    add(fitter, run, "cluster", "it_power_kw", gp_lab(run)->site.it_kw, it_kw, error, why, c->note,
        rows);
    add(fitter, run, "cluster", "facility_power_kw", gp_lab(run)->site.facility_kw, it_kw * pue,
        error, why, c->note, rows);
}

/* ---- switches */

static const char digits[] = "0123456789";

/* Ports of a switch that is only described, as in "64 x 400 Gb/s", at the rate of the links. */
static int64_t described_ports(const char *words, double link_bits_per_s) {
    static const char by[] = " x ";
    static const char unit[] = " Gb/s";
    for (const char *at = strstr(words, by); at != NULL; at = strstr(at + 1, by)) {
        const char *rate = at + sizeof by - 1;
        const size_t rate_len = strspn(rate, digits);
        const char *count = at;
        double gbps = 0;
        int64_t ports = 0;
        while (count > words && isdigit((unsigned char)count[-1])) {
            count--;
        }
        if (gp_num_parse_i64(count, (size_t)(at - count), &ports) &&
            gp_num_parse(rate, rate_len, &gbps) && gp_str_starts(rate + rate_len, unit)) {
            return ports *
                   gp_num_max_i64(1, gp_num_floor_count(gbps * bits_per_gigabit / link_bits_per_s));
        }
    }
    return 0;
}

static int64_t radix_of(gp_fitter *fitter, const gp_run_row *run, double link_bits_per_s) {
    const gp_lab_site_run *site = &gp_lab(run)->site;
    const void *row = NULL;
    const int64_t usual = gp_words_has(site->topology, "dragonfly") ? SLINGSHOT_PORTS : 0;
    if (site->switch_model == NULL || !(link_bits_per_s > 0))
        return usual;
    (void)gp_catalog_find(fitter->catalog, GP_CATALOG_SWITCHES, site->switch_model, &row, NULL,
                          NULL);
    const gp_switch *product = row;
    if (product != NULL)
        return product->ports *
               gp_num_max_i64(1, gp_num_floor_count(product->port_bits_per_s / link_bits_per_s));
    return usual > 0 ? usual : described_ports(site->switch_model, link_bits_per_s);
}

static const char *size_fabric(const gp_run_row *run, double ports, int64_t radix,
                               gp_fabric_size *ret) {
    const bool rail = gp_str_equal(gp_lab(run)->site.topology, "rail");
    const bool tree = gp_words_has(gp_lab(run)->site.topology, "tree");
    const bool dragonfly = gp_str_equal(gp_lab(run)->site.topology, "dragonfly");
    if (!rail && !tree && !dragonfly) {
        return "topology not stated, or of no known rule";
    }
    if (!(ports > 0) || radix <= 0 || run->nodes <= 0) {
        return "ports of a machine or of a switch not stated";
    }
    const int64_t each = gp_num_max_i64(1, gp_num_floor_count(ports + 0.5));
    const gp_fabric_input input = {.nodes = (int64_t)run->nodes * (tree ? each : 1),
                                   .rails = tree ? 1 : each,
                                   .planes = 1,
                                   .radix = radix,
                                   .oversubscription = 1,
                                   .port_bits_per_s =
                                       gp_lab(run)->site.link_gbps * bits_per_gigabit,
                                   .dragonfly = dragonfly};
    return gp_fabric_size_of(&input, NULL, ret) == GP_OK && ret->feasible
               ? NULL
               : "beyond what three tiers carry";
}

static void score_switches(gp_fitter *fitter, const gp_run_row *run, const site_case *c,
                           gp_fit_rows *rows) {
    const gp_lab_site_run *site = &gp_lab(run)->site;
    gp_fabric_size size = {0};
    const double link = site->link_gbps > 0 ? site->link_gbps : site->network_gbps;
    const double per_gpu = site->network_gbps > 0 ? site->network_gbps : link;
    const double ports = link > 0 ? (double)c->machine.gpus * per_gpu / link : 0;
    const int64_t radix = radix_of(fitter, run, link * bits_per_gigabit);
    const char *why = c->why != NULL ? c->why : size_fabric(run, ports, radix, &size);
    const struct {
        const char *metric;
        double measured;
        int64_t counted;
    } counts[] = {
        {"leaf_switches", site->leaf, size.leaf},
        {"spine_switches", site->spine, size.spine},
        {"core_switches", site->core, size.core},
        {"switches_total", site->switches, size.leaf + size.spine + size.core},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        add(fitter, run, "cluster", counts[i].metric, counts[i].measured, (double)counts[i].counted,
            0, why, c->note, rows);
    }
}

static void score_racks(gp_fitter *fitter, const gp_run_row *run, const site_case *c,
                        gp_fit_rows *rows) {
    const gp_constants *k = &fitter->constants;
    const gp_system *system = &c->system;
    const char *why = c->why;
    gp_rack_size size = {0};
    gp_node_power power;
    if (why == NULL && !(system->height_u > 0) && system->rack_nodes <= 0) {
        why = "neither the height of the machine nor machines of a rack are known";
    }
    if (why == NULL) {
        gp_node_power_of(&c->machine, GP_LOAD_PEAK, 0, k, NULL, &power);
        const gp_rack_input input = {
            .nodes = (int64_t)run->nodes,
            .node_w = power.nameplate_w,
            .peak_w = power.peak_w,
            .published_nodes = system->rack_nodes,
            .node_u = system->height_u,
            .node_kg = system->weight_kg,
            .rack_u = k->site_rack_height_u,
            .rack_w = system->cooling == GP_COOLING_AIR ? k->site_rack_air_warning_w : 0,
            .liquid = system->cooling != GP_COOLING_AIR};
        gp_rack_size_of(&input, &size);
    }
    add(fitter, run, "cluster", "racks", gp_lab(run)->site.racks, (double)size.racks, 0, why,
        c->note, rows);
}

void gp_lab_score_cluster(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    site_case *c = GP_NEW(fitter->arena, site_case);
    case_of(fitter, run, c);
    score_power(fitter, run, c, rows);
    score_switches(fitter, run, c, rows);
    score_racks(fitter, run, c, rows);
}
