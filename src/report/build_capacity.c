/* What a site holds, from the figures of the plan's floor to those of a report. */
#include "report/build.h"

#include "report/capacity.h"
#include "report/value.h"

static void holder_of(gp_build *build, const gp_capacity_bound *bound,
                      const gp_report_holder **ret) {
    *ret = NULL;
    if (bound->bound == GP_BOUND_NONE)
        return;
    gp_report_holder *holder = GP_NEW(build->arena, gp_report_holder);
    const bool limited = bound->limit > 0;
    *holder = (gp_report_holder){.bound_by = gp_bound_name(bound->bound),
                                 .path = bound->path,
                                 .workload = bound->workload,
                                 .limit = limited ? bound->limit : GP_REPORT_NO_REAL,
                                 .unit = limited ? gp_dim_base_unit(bound->dim) : NULL,
                                 .dim = bound->dim};
    *ret = holder;
}

static double finite_or_none(double value) {
    return isfinite(value) ? value : GP_REPORT_NO_REAL;
}

static void fill_demand(gp_build *build, const gp_capacity_demand *demand,
                        gp_report_capacity_demand *ret) {
    const bool held = demand->most > 0 && isfinite(demand->most);
    *ret = (gp_report_capacity_demand){
        .workload = demand->workload != NULL ? demand->workload->name : NULL,
        .measure = gp_capacity_measure_name(demand->measure),
        .today = gp_build_positive(demand->today),
        .most = finite_or_none(demand->most),
        .factor =
            demand->today > 0 ? finite_or_none(demand->most / demand->today) : GP_REPORT_NO_REAL,
        .peak_per_s = gp_build_positive(demand->peak),
        .machines = held ? demand->nodes : GP_REPORT_NO_COUNT,
        .gpus = held ? demand->gpus : GP_REPORT_NO_COUNT,
        .next_most = demand->next_most > 0 ? finite_or_none(demand->next_most) : GP_REPORT_NO_REAL,
        .simulated = demand->simulated,
    };
    holder_of(build, &demand->binds, &ret->binds);
    holder_of(build, &demand->next, &ret->next);
}

static void fill_machines(const gp_capacity_row *row, gp_report_capacity_row *ret) {
    const bool known = row->bounded;
    const int64_t none = GP_REPORT_NO_COUNT;
    ret->over = row->over;
    ret->unpriced = row->unpriced;
    ret->added = known ? row->added : none;
    ret->machines = known ? row->site.stand_nodes : none;
    ret->gpus = known ? row->gpus : none;
    ret->racks = known ? row->site.rack_count : none;
    ret->switches = known ? row->switches : none;
    ret->it_power_w = known ? row->site.it_peak_w : GP_REPORT_NO_REAL;
    ret->facility_power_w = known ? row->site.figures.facility_peak_w : GP_REPORT_NO_REAL;
    ret->air_w = known ? row->site.air_w : GP_REPORT_NO_REAL;
    ret->liquid_w = known ? row->site.liquid_w : GP_REPORT_NO_REAL;
    ret->memory_bytes = known ? row->memory_bytes : GP_REPORT_NO_REAL;
    ret->flops_per_s = known ? row->flop_per_s : GP_REPORT_NO_REAL;
    ret->capital = gp_build_positive(row->site.priced ? row->site.cost.capital : 0);
    ret->next_added = row->next_added > 0 ? row->next_added : none;
}

static void fill_row(gp_build *build, const gp_capacity_row *row, gp_report_capacity_row *ret) {
    const gp_unit *unit = row->unit;
    *ret = (gp_report_capacity_row){
        .where = unit == NULL          ? "declared"
                 : unit->cloud != NULL ? "rented"
                                       : "added",
        .system = unit != NULL ? unit->id : NULL,
        .gpu = unit != NULL ? gp_build_gpu_id(unit) : NULL,
        .demands = {.items = GP_NEW_ARRAY(build->arena, gp_report_capacity_demand,
                                          row->demands.count + 1),
                    .count = row->demands.count},
    };
    fill_machines(row, ret);
    holder_of(build, &row->binds, &ret->binds);
    holder_of(build, &row->next, &ret->next);
    for (size_t i = 0; i < row->demands.count; i++)
        fill_demand(build, &row->demands.items[i], &ret->demands.items[i]);
}

static void fill_limits(gp_build *build, const gp_capacity *capacity, gp_report_capacity *ret) {
    ret->limits.items = GP_NEW_ARRAY(build->arena, gp_report_capacity_limit, GP_LIMIT_MAX);
    for (int i = 0; i < capacity->limit_count; i++) {
        const gp_limit_use *use = &capacity->limits[i];
        GP_NEXT(ret->limits) = (gp_report_capacity_limit){.bound_by = gp_bound_name(use->bound),
                                                          .path = use->path,
                                                          .used = use->used,
                                                          .limit = use->limit,
                                                          .unit = gp_dim_base_unit(use->dim),
                                                          .dim = use->dim};
    }
}

void gp_capacity_report(gp_arena *arena, const gp_capacity *capacity,
                        const gp_report_inputs *inputs, gp_report_capacity **ret_report) {
    gp_build build = {.arena = arena, .result = capacity->plan};
    gp_report_capacity *ret = GP_NEW(arena, gp_report_capacity);
    gp_report_clear(&gp_report_capacity_type, ret);
    ret->schema_version = GP_REPORT_SCHEMA_VERSION;
    ret->tool = (gp_report_tool){"gpuplan", GP_VERSION};
    ret->plan = capacity->plan->document->metadata.name;
    ret->confidence = gp_confidence_words[capacity->plan->confidence];
    ret->currency = gp_build_currency(capacity->plan);
    ret->most_gpus = capacity->gpus > 0 ? capacity->gpus : GP_REPORT_NO_COUNT;
    gp_build_inputs(&build, capacity->plan->document, inputs, &ret->inputs);
    fill_limits(&build, capacity, ret);
    ret->rows.items = GP_NEW_ARRAY(arena, gp_report_capacity_row, capacity->rows.count + 1);
    ret->rows.count = capacity->rows.count;
    for (size_t i = 0; i < capacity->rows.count; i++)
        fill_row(&build, &capacity->rows.items[i], &ret->rows.items[i]);
    *ret_report = ret;
}
