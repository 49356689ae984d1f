/*
 * Rows as specs, planned as a user's are: what scorers of whole runs and of services share. A spec
 * states what the row does, on machines of one kind.
 */
#include "plan/plan.h"

#include "base/num.h"
#include "lab/lab.h"

static const double giga = 1e9; /* definition */

void gp_lab_write_member(gp_buf *buf, const char *key, double value) {
    if (value > 0) {
        gp_buf_printf(buf, ", %s: ", key);
        gp_buf_number(buf, value, GP_LAB_SPEC_DIGITS);
    }
}

void gp_lab_write_system(gp_buf *buf, const gp_machine *machine) {
    gp_buf_printf(buf, "{gpu: %s, gpus: %lld", machine->gpu->id, (long long)machine->gpus);
    if (machine->system->id != NULL) {
        gp_buf_printf(buf, ", extends: %s", machine->system->id);
    }
    gp_lab_write_member(buf, "domain", (double)machine->domain);
    double bits = machine->system->nics.items[0].rate_bits_per_s;
    if (bits > 0) {
        gp_buf_printf(buf, ", nics: [{count: %lld, rate: ", (long long)machine->gpus);
        gp_buf_number(buf, bits / giga, GP_LAB_SPEC_DIGITS);
        gp_buf_str(buf, " Gb/s}]");
    }
    gp_buf_char(buf, '}');
}

static void link_of(gp_fitter *fitter, double gbps, gp_run_row *placed) {
    placed->inter_node_link =
        gbps > 0 ? gp_arena_printf(fitter->arena, "%lld Gb/s per GPU", (long long)gbps) : NULL;
}

gp_fit_hardware gp_lab_site_of(gp_fitter *fitter, const gp_run_row *run, double network_gbps) {
    gp_run_row placed = *run;
    link_of(fitter, network_gbps, &placed);
    gp_fit_hardware hardware = gp_fit_hardware_of(fitter, &placed);
    const gp_machine *machine = hardware.machine;
    bool several = machine != NULL && run->gpus > (double)machine->gpus;
    if (several && machine->nic_bytes_per_s <= 0) {
        link_of(fitter, fitter->constants.network_unstated_bits_per_s / giga, &placed);
        hardware = gp_fit_hardware_of(fitter, &placed);
        hardware.note = "a port of the assumed rate per GPU";
    }
    return hardware;
}

static const char *first_error(const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++) {
        if (diags->items[i].level == GP_LEVEL_ERROR) {
            return diags->items[i].message;
        }
    }
    return "the planner has no answer";
}

const gp_workload_plan *gp_lab_plan(gp_fitter *fitter, const char *name, gp_buf *spec_text,
                                    const gp_plan_options *options, const char **ret_why) {
    gp_arena *arena = fitter->arena;
    const char *bytes = NULL;
    size_t len = 0;
    gp_text *text = NULL;
    gp_spec spec = {0};
    gp_diags diags;
    gp_plan_result *result = NULL;
    gp_diags_init(&diags, arena);
    gp_status st = gp_buf_finish(spec_text, &bytes, &len);
    if (st == GP_OK) {
        st = gp_text_init(arena, name, bytes, len, &text);
    }
    if (st == GP_OK) {
        st = gp_spec_read(arena, text, NULL, 0, &diags, &spec);
    }
    if (st == GP_OK) {
        st = gp_spec_resolve(arena, fitter->catalog, &diags, spec.plans.items[0]);
    }
    if (st == GP_OK) {
        st = gp_plan_run(arena, fitter->catalog, spec.plans.items[0], NULL, 0, options, &diags,
                         &result);
    }
    bool answered = st == GP_OK && diags.errors == 0 && result->workloads.count == 1;
    *ret_why = answered ? NULL : first_error(&diags);
    return answered ? &result->workloads.items[0] : NULL;
}
