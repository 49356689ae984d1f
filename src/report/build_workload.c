/* One workload of the report: the verdict with its alternatives; the rest has its own files. */
#include "report/build.h"

#include "base/str.h"

#include "base/sort.h"
#include "report/value.h"

static void fill_flip(gp_build *build, const gp_flip *flip, gp_report_recommendation *ret) {
    if (!flip->present) {
        ret->flip_reason = flip->reason;
        return;
    }
    gp_report_flip *out = GP_NEW(build->arena, gp_report_flip);
    *out = (gp_report_flip){
        .variable = flip->variable,
        .path = flip->path,
        .today = flip->today,
        .at = flip->at,
        .unit = gp_dim_base_unit(flip->dim),
        .to_scale = gp_scale_name(flip->to_scale),
        .inside_band = flip->inside_band,
        .dim = flip->dim,
    };
    ret->flip = out;
}

double gp_build_change_weight(const gp_software_change *change) {
    if (change->assumed)
        return change->saved_fraction - 1;
    return change->saved_fraction + (change->makes_hardware_unnecessary ? 1 : 0);
}

static int by_weight(const void *a, const void *b, const void *context) {
    (void)context;
    const double left = gp_build_change_weight(a);
    const double right = gp_build_change_weight(b);
    return left > right ? -1 : left < right;
}

/* The planner's changes, those that speak loudest first. */
static void sorted_changes(gp_build *build, const gp_workload_plan *plan,
                           gp_software_change **ret_items) {
    size_t count = (size_t)plan->software_change_count;
    gp_software_change *items = GP_NEW_ARRAY(build->arena, gp_software_change, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = plan->software_changes[i];
    *ret_items = items;
    gp_sort(build->arena, items, count, sizeof *items, by_weight, NULL);
}

static void fill_changes(gp_build *build, const gp_workload_plan *plan,
                         gp_report_recommendation *ret) {
    size_t count = (size_t)plan->software_change_count;
    gp_software_change *sorted = NULL;
    GP_ROOM(build->arena, &ret->software_changes, count);
    sorted_changes(build, plan, &sorted);
    for (size_t i = 0; i < count; i++) {
        const gp_software_change *change = &sorted[i];
        GP_NEXT(ret->software_changes) = (gp_report_software_change){
            .path = change->path,
            .from = change->from,
            .to = change->to,
            .feasible = change->gpus > 0,
            .gpus = change->gpus > 0 ? change->gpus : GP_REPORT_NO_COUNT,
            .nodes = change->gpus > 0 ? change->sized.nodes : GP_REPORT_NO_COUNT,
            .saved_gpus = change->saved_gpus > 0 ? change->saved_gpus : GP_REPORT_NO_COUNT,
            .saved_fraction = change->saved_fraction,
            .saved_nodes = change->saved_nodes > 0 ? change->saved_nodes : GP_REPORT_NO_COUNT,
            .makes_hardware_unnecessary = change->makes_hardware_unnecessary,
            .layout = change->gpus > 0 ? gp_build_layout_words(build, plan, &change->sized) : NULL,
            .assumed = change->assumed,
            .held_requests_per_s = gp_build_positive(change->held_requests_per_s),
        };
    }
}

static const struct {
    const char *name;
    gp_dim dim;
    bool valued;
} factors[GP_NEED_COUNT] = {
    [GP_NEED_LOAD] = {"load", GP_DIM_TIME, true},
    [GP_NEED_PEAK] = {"peak", GP_DIM_NONE, true},
    [GP_NEED_TUNING] = {"tuning", GP_DIM_FRACTION, true},
    [GP_NEED_CONFIDENCE] = {"confidence", GP_DIM_NONE, false},
    [GP_NEED_HEADROOM] = {"headroom", GP_DIM_FRACTION, true},
    [GP_NEED_AVAILABILITY] = {"availability", GP_DIM_FRACTION, true},
    [GP_NEED_SURVIVAL] = {"survival", GP_DIM_NONE, true},
    [GP_NEED_LAYOUT] = {"layout", GP_DIM_NONE, false},
};

/* A tuning that nobody stated, where own runs stand in for it. */
static bool is_replaced(const gp_workload_plan *plan, size_t i) {
    const gp_need_step *step = &plan->need_steps[i];
    return step->factor == GP_NEED_TUNING && step->assumed && gp_build_own_samples(plan) > 0 &&
           i > 0 && step->gpus == plan->need_steps[i - 1].gpus;
}

static void fill_need_steps(gp_build *build, const gp_workload_plan *plan,
                            gp_report_recommendation *ret) {
    const size_t count = (size_t)plan->need_step_count;
    GP_ROOM(build->arena, &ret->need_steps, count);
    for (size_t i = 0; i < count; i++) {
        const gp_need_step *step = &plan->need_steps[i];
        if (is_replaced(plan, i))
            continue;
        const bool rate = step->factor == GP_NEED_LOAD && plan->is_serving && !plan->is_offline;
        const gp_dim dim = rate && plan->is_seats ? GP_DIM_COUNT
                           : rate                 ? GP_DIM_PER_S
                                                  : factors[step->factor].dim;
        GP_NEXT(ret->need_steps) = (gp_report_need_step){
            .factor = factors[step->factor].name,
            .value =
                factors[step->factor].valued ? gp_build_positive(step->value) : GP_REPORT_NO_REAL,
            .unit = gp_dim_base_unit(dim),
            .assumed = step->assumed,
            .gpus = step->gpus,
            .nodes = step->nodes,
            .gpu_part = step->part != NULL ? step->part->name : NULL,
            .dim = dim,
        };
    }
}

static void fill_at_expected(gp_build *build, const gp_workload_plan *plan,
                             gp_report_recommendation *ret) {
    const gp_candidate *expected = &plan->at_expected;
    if (!expected->present ||
        (expected->gpus == plan->chosen.gpus && expected->nodes == plan->chosen.nodes))
        return;
    gp_report_counts *out = GP_NEW(build->arena, gp_report_counts);
    *out = (gp_report_counts){expected->gpus, expected->nodes,
                              gp_build_layout_words(build, plan, expected)};
    ret->at_expected = out;
}

/* "2 x dgx-h200 for 169k USD a year"; why not, where none is there. */
static const char *offer_words(gp_build *build, const gp_candidate *candidate) {
    if (!candidate->present || !candidate->feasible)
        return gp_build_text(build, "not possible: %s",
                             candidate->present ? gp_build_lack_words(build, candidate)
                                                : "no candidate");
    if (!candidate->priced)
        return gp_build_text(build, "%s, no price", gp_build_machines(build, candidate));
    return gp_build_text(
        build, "%s for %s a year", gp_build_machines(build, candidate),
        gp_build_quantity(build, gp_build_per_year(candidate->cost.total_per_s), GP_DIM_MONEY));
}

/* The contract that is the cheaper one for its use, in the words of the list that has it. */
static const char *term_of(const gp_candidate *rented) {
    const gp_contract *from = gp_rent_of(rented->unit, rented->rented_fraction).from;
    return from->quote != NULL ? from->quote->term : rented->unit->cloud->term;
}

static const char *placement_reason(gp_build *build, const gp_placement_plan *placement) {
    const gp_candidate *rented = &placement->rented;
    const char *used =
        rented->feasible
            ? gp_build_text(build, ", rented %s of the time",
                            gp_build_quantity(build, rented->rented_fraction, GP_DIM_FRACTION))
            : "";
    if (rented->feasible && rented->priced && term_of(rented) != NULL)
        used = gp_build_text(build, "%s (%s)", used, term_of(rented));
    const char *even = placement->break_even_fraction > 0
                           ? gp_build_text(build, "; owning is cheaper above %s",
                                           gp_build_quantity(build, placement->break_even_fraction,
                                                             GP_DIM_FRACTION))
                           : "";
    return gp_build_text(build, "own: %s; rent: %s%s%s", offer_words(build, &placement->owned),
                         offer_words(build, rented), used, even);
}

static const char *lack_of(gp_build *build, const gp_candidate *candidate) {
    if (candidate->feasible)
        return NULL;
    return candidate->present ? gp_build_lack_words(build, candidate) : "no candidate";
}

static double price_of(const gp_candidate *candidate) {
    return candidate->feasible && candidate->priced ? gp_build_per_year(candidate->cost.total_per_s)
                                                    : GP_REPORT_NO_REAL;
}

static void fill_placement(gp_build *build, const gp_workload_plan *plan,
                           gp_report_recommendation *ret) {
    const gp_placement_plan *placement = &plan->placement;
    const gp_candidate *chosen = &plan->chosen;
    if (!placement->present)
        return;
    gp_report_placement *out = GP_NEW(build->arena, gp_report_placement);
    *out = (gp_report_placement){
        .where = !chosen->feasible             ? NULL
                 : chosen->unit->cloud != NULL ? chosen->unit->id
                                               : "owned",
        .owned = placement->owned.feasible ? gp_build_machines(build, &placement->owned) : NULL,
        .owned_lack = lack_of(build, &placement->owned),
        .owned_per_year = price_of(&placement->owned),
        .rented = placement->rented.feasible ? gp_build_machines(build, &placement->rented) : NULL,
        .rented_lack = lack_of(build, &placement->rented),
        .rented_per_year = price_of(&placement->rented),
        .rented_term = placement->rented.feasible ? term_of(&placement->rented) : NULL,
        .rented_fraction =
            placement->rented.feasible ? placement->rented.rented_fraction : GP_REPORT_NO_REAL,
        .break_even_fraction = gp_build_positive(placement->break_even_fraction),
        .reason = placement_reason(build, placement),
    };
    ret->placement = out;
}

static bool is_chosen(const gp_report_candidate *chosen, const gp_report_candidate *other) {
    return other->feasible == chosen->feasible && other->gpus == chosen->gpus &&
           other->nodes == chosen->nodes && gp_str_equal(other->system, chosen->system) &&
           gp_str_equal(other->layout, chosen->layout);
}

/* Larger machines are to take the place of today's, and no more than those. */
static void say_instead(gp_build *build, int64_t today, const gp_lack *lack,
                        gp_report_candidate *vertical) {
    if (vertical->lack == NULL || lack->bound != GP_BOUND_SUPPLY || lack->why != NULL ||
        lack->refused || !(lack->need > lack->have) || lack->have < 1)
        return;
    gp_report_lack *words = GP_NEW(build->arena, gp_report_lack);
    *words = *vertical->lack;
    words->reason =
        today == 0 ? gp_build_text(build, "one is not enough: it takes %lld", (long long)lack->need)
        : (double)today > lack->have
            ? gp_build_text(build, "in place of %lld of today's %lld it takes %lld",
                            (long long)lack->have, (long long)today, (long long)lack->need)
            : gp_build_text(build, "in place of today's %lld it takes %lld", (long long)lack->have,
                            (long long)lack->need);
    vertical->lack = words;
}

static void fill_candidates(gp_build *build, const gp_workload_plan *plan,
                            gp_report_recommendation *ret) {
    gp_report_candidate *current = GP_NEW(build->arena, gp_report_candidate);
    gp_build_candidate(build, plan, &plan->chosen, "no candidate can run it", &ret->chosen);
    gp_build_brief(build, plan, &plan->current, "no machine is left", current);
    ret->current = is_chosen(&ret->chosen, current) ? NULL : current;
    gp_build_brief(build, plan, &plan->vertical, "the candidates include no larger machine",
                   &ret->vertical);
    say_instead(build, plan->baseline_nodes, &plan->vertical.lack, &ret->vertical);
    gp_build_brief(build, plan, &plan->horizontal,
                   "the candidates include no more machines of that type", &ret->horizontal);
}

static void fill_option(gp_build *build, const gp_workload_plan *plan,
                        const gp_candidate *candidate, gp_report_option *ret) {
    const gp_unit *unit = candidate->unit;
    const bool priced =
        candidate->priced && (unit->cloud != NULL || gp_energy_priced(build->result));
    *ret = (gp_report_option){
        .system = gp_build_system_id(unit),
        .where = unit->cloud != NULL ? unit->id : "owned",
        .feasible = candidate->feasible,
        .gpus = candidate->gpus,
        .nodes = candidate->nodes,
        .layout = gp_build_layout_words(build, plan, candidate),
        .time_to_complete_s = gp_build_positive(candidate->time_to_complete_s.expected),
        .ttft_p95_s = gp_build_positive(candidate->ttft_p95_s.expected),
        .tpot_p95_s = gp_build_positive(candidate->tpot_p95_s.expected),
        .facility_power_w = gp_build_power(candidate->unit, candidate->facility_mean_w),
        .cost_per_year =
            priced ? gp_build_per_year(candidate->cost.total_per_s) : GP_REPORT_NO_REAL,
        .reason = candidate->feasible ? NULL : gp_build_lack_words(build, candidate),
    };
}

/* A kind that is there and may be bought as well was considered twice: the better way counts. */
static bool is_listed(const gp_report_recommendation *list, const gp_report_option *option) {
    for (size_t i = 0; i < list->options.count; i++)
        if (gp_str_equal(list->options.items[i].system, option->system) &&
            gp_str_equal(list->options.items[i].where, option->where))
            return true;
    return false;
}

static void fill_options(gp_build *build, const gp_workload_plan *plan,
                         gp_report_recommendation *ret) {
    gp_report_option *items = GP_NEW_ARRAY(build->arena, gp_report_option, plan->kinds.count + 1);
    ret->options.items = items;
    for (size_t i = 0; i < plan->kinds.count; i++) {
        gp_report_option *next = &items[ret->options.count];
        if (plan->kinds.items[i].unit == NULL)
            continue;
        fill_option(build, plan, &plan->kinds.items[i], next);
        ret->options.count += is_listed(ret, next) ? 0 : 1;
    }
}

/* What a workload uses today: the replicas that are declared, else what it takes of what is left
 * for it; where that is not enough, all of it. */
static gp_report_available used_today(const gp_workload_plan *plan,
                                      const gp_report_available *available) {
    const bool declared = plan->has_declared && plan->declared.present;
    const gp_candidate *used = declared ? &plan->declared : &plan->current;
    if (available->system == NULL)
        return *available;
    /* What others leave of a machine is told in GPUs. */
    if (!(declared || used->feasible)) {
        gp_report_available left = *available;
        left.nodes = left.gpus > left.nodes * used->unit->machine.gpus ? 0 : left.nodes;
        return left;
    }
    const bool mixed = gp_candidate_is_mixed(used);
    return (gp_report_available){.system = mixed ? NULL : gp_build_system_id(used->unit),
                                 .product = mixed ? "machines" : gp_build_product(used->unit),
                                 .nodes = used->nodes,
                                 .gpus = used->gpus};
}

static void fill_recommendation(gp_build *build, const gp_workload_plan *plan,
                                gp_report_recommendation *ret) {
    ret->scale = gp_scale_name(plan->scale);
    ret->bound_by = gp_bound_name(plan->bound_by);
    ret->reason = gp_build_reason(build, plan);
    ret->because = gp_build_because(build, plan);
    ret->layout_change = plan->layout_change;
    const gp_unit *unit = plan->current.unit;
    ret->available = (gp_report_available){
        .system = plan->baseline_gpus > 0 && unit != NULL ? gp_build_system_id(unit) : NULL,
        .product = plan->baseline_gpus > 0 && unit != NULL ? gp_build_product(unit) : NULL,
        .nodes = plan->baseline_nodes,
        .gpus = plan->baseline_gpus,
    };
    ret->today = used_today(plan, &ret->available);
    ret->surplus =
        (gp_report_surplus){plan->surplus_gpus, plan->surplus_nodes, plan->surplus_power_w};
    fill_flip(build, &plan->flip, ret);
    fill_changes(build, plan, ret);
    fill_need_steps(build, plan, ret);
    fill_at_expected(build, plan, ret);
    fill_options(build, plan, ret);
    fill_placement(build, plan, ret);
    fill_candidates(build, plan, ret);
}

/* As the spec calls it: rows of the catalogue are shared by models of one shape. */
static const char *model_name(const gp_model *model) {
    const int from = GP_ORIGIN_OF(model, gp_model, id)->kind;
    const bool own = from == GP_ORIGIN_SPEC || from == GP_ORIGIN_FLAG;
    if (model->id != NULL && (own || model->extends == NULL))
        return model->id;
    return model->extends != NULL ? model->extends : model->family;
}

void gp_build_workload(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    gp_report_clear(&gp_report_workload_type, ret);
    ret->name = plan->workload->name;
    ret->span = GP_ORIGIN_OF(plan->workload, gp_workload, name)->span;
    ret->type = gp_workload_type_words[plan->workload->type];
    ret->model = model_name(&plan->workload->model);
    ret->parameters = gp_build_positive(plan->shape.parameters);
    ret->active_parameters = gp_build_positive(plan->shape.active_parameters);
    fill_recommendation(build, plan, &ret->recommendation);
    gp_build_performance(build, plan, ret);
    gp_build_network(build, plan, &ret->network);
    gp_build_service(build, plan, ret);
    gp_build_rl(build, plan, ret);
    gp_build_seats(build, plan, ret);
    gp_build_simulation(build, plan, ret);
    gp_build_goals(build, plan, ret);
}
