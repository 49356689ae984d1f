/* Rules about the site: shared limits of power, cooling, space and money, and dense racks. */
#include <string.h>

#include "base/str.h"
#include "report/findings.h"

/* Which rule speaks for a limit that is passed, and where the limit is written. */
typedef struct limit_rule {
    gp_bound bound;
    const char *id;
    const char *metric;
    const char *takes, *has; /* words before the figures */
    const char *fix;
} limit_rule;

static const limit_rule limit_rules[] = {
    {GP_BOUND_POWER, "GP5001", "site.power.itW", "IT power is", "the site has",
     "raise site.power.itCapacity, cap the GPUs' power or use fewer machines"},
    {GP_BOUND_COOLING, "GP5002", "site.cooling.heatW", "heat is", "the site can cool",
     "raise the cooling capacity or use machines with the other kind of cooling"},
    {GP_BOUND_SPACE, "GP5004", "summary.racks", "racks needed:", "the site has",
     "add racks, or raise the power and weight limits of a rack"},
    {GP_BOUND_BUDGET, "GP6002", "cost.capital", "the cost is", "the budget is",
     "raise costs.budget or relax a goal"},
};

static const limit_rule *rule_of(gp_bound bound) {
    for (size_t i = 0; i < GP_COUNT_OF(limit_rules); i++)
        if (limit_rules[i].bound == bound)
            return &limit_rules[i];
    return NULL;
}

static gp_ref limit_place(const gp_findings *findings, gp_bound bound) {
    const gp_plan_spec *spec = &findings->build->result->document->spec;
    if (bound == GP_BOUND_POWER)
        return GP_REF(&spec->site.power, gp_site_power, it_capacity_w);
    if (bound == GP_BOUND_SPACE)
        return GP_REF(&spec->site.racks, gp_site_racks, count);
    if (bound == GP_BOUND_BUDGET)
        return GP_REF(&spec->costs.budget, gp_budget, capital);
    return GP_FINDING_AT(&spec->site.cooling);
}

static void limit_passed(gp_findings *findings, const char *workload, gp_bound bound, double used,
                         double limit, gp_dim dim) {
    const limit_rule *rule = rule_of(bound);
    if (rule == NULL)
        return;
    gp_report_finding *finding =
        gp_findings_say(findings, rule->id, limit_place(findings, bound),
                        GP_FOUND(rule->metric, used, limit, dim, true), rule->fix, "%s %s; %s %s",
                        rule->takes, gp_build_quantity_apart(findings->build, used, limit, dim),
                        rule->has, gp_build_quantity_apart(findings->build, limit, used, dim));
    finding->workload = workload;
}

static void limits_passed(gp_findings *findings) {
    const gp_site_plan *site = &findings->build->result->site;
    for (int i = 0; i < site->limit_count; i++) {
        const gp_limit_use *use = &site->limits[i];
        if (use->limit > 0 && use->used > use->limit * (1 + 1e-9))
            limit_passed(findings, NULL, use->bound, use->used, use->limit, use->dim);
    }
}

/* What has a price is too much already, whatever the rest costs. */
static bool budget_keeps_out(const gp_plan_result *result, gp_dim dim) {
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_lack *lack = &result->workloads.items[i].chosen.lack;
        if (result->workloads.items[i].scale == GP_SCALE_INFEASIBLE &&
            lack->bound == GP_BOUND_BUDGET && lack->dim == dim)
            return true;
    }
    return false;
}

/* A purchase needs no price of energy; a year pays for all that is bought. */
static const char *unpriced_words(gp_findings *findings, bool capital) {
    gp_build *build = findings->build;
    const gp_report_cost *cost = &build->report->cost;
    const char **names = GP_NEW_ARRAY(build->arena, const char *,
                                      cost->missing.count + build->result->room.bill.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < cost->missing.count; i++)
        if (!capital || !gp_str_starts(cost->missing.items[i], "site."))
            names[count++] = cost->missing.items[i];
    gp_build_unpriced_parts(build, false, names, &count);
    return gp_finding_list(findings, names, count);
}

/* What has no price may be more than the budget has: it holds for what is known alone. */
static void budgets_unknown(gp_findings *findings) {
    const gp_site_plan *site = &findings->build->result->site;
    for (int i = 0; i < site->limit_count; i++) {
        const gp_limit_use *use = &site->limits[i];
        if (gp_build_limit_known(findings->build, use) ||
            budget_keeps_out(findings->build->result, use->dim))
            continue;
        const bool capital = use->dim == GP_DIM_MONEY;
        const gp_budget *budget = &findings->build->result->document->spec.costs.budget;
        gp_findings_say(findings, "GP6006",
                        capital ? GP_REF(budget, gp_budget, capital)
                                : GP_REF(budget, gp_budget, per_s),
                        GP_FOUND_AT(capital ? "cost.capital" : "cost.totalPerYear"),
                        "add these prices to a Prices document or to the site",
                        "no price for %s, so costs.budget.%s was not judged",
                        unpriced_words(findings, capital), capital ? "capital" : "recurring");
    }
}

/* The one of several whose limit the path is; their number: none. */
static size_t site_of_path(const gp_plan_result *result, const char *path) {
    static const char sites[] = "sites.";
    size_t s = 0;
    if (path == NULL || !gp_str_starts(path, sites))
        return result->sites.count;
    while (s < result->sites.count) {
        const char *name = result->sites.items[s].name;
        const size_t len = strlen(name);
        const char *rest = path + sizeof sites - 1;
        if (strncmp(rest, name, len) == 0 && rest[len] == '.')
            break;
        s++;
    }
    return s;
}

/* A rack that does not hold one machine: what a rack has stands in the spec. */
static void rack_too_small(gp_findings *findings, const char *workload, const gp_unit *unit) {
    const gp_site *site = &findings->build->result->document->spec.site;
    const gp_lack *lack = unit->rack_lack;
    const bool air = lack->bound == GP_BOUND_COOLING;
    const gp_ref place =
        air                             ? GP_REF(&site->cooling.air, gp_site_air, per_rack_w)
        : lack->bound == GP_BOUND_POWER ? GP_REF(&site->racks, gp_site_racks, max_power_w)
        : lack->dim == GP_DIM_MASS      ? GP_REF(&site->racks, gp_site_racks, max_weight_kg)
                                        : GP_REF(&site->racks, gp_site_racks, height_u);
    const char *need = gp_build_quantity_up(findings->build, lack->need, lack->dim);
    const char *have = GP_FINDING_QUANTITY(findings, lack->have, lack->dim);
    gp_report_finding *finding = gp_findings_say(
        findings, "GP5013", place, GP_FOUND("site.racks", lack->need, lack->have, lack->dim, true),
        GP_FINDING_TEXT(findings, "raise %s from %s to %s, or use machines that a rack can take",
                        lack->path, have, need),
        "one %s needs %s in a rack, which has %s", gp_build_product(unit), need, have);
    finding->workload = workload;
}

static void racks_too_small(gp_findings *findings) {
    const gp_room_plan *room = &findings->build->result->room;
    for (size_t i = 0; i < room->kinds.count; i++)
        if (room->kinds.items[i].unit->rack_lack != NULL)
            rack_too_small(findings, NULL, room->kinds.items[i].unit);
}

/* A workload that finds no place because of a limit of the site. */
static void workloads_kept_out(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        const gp_lack *lack = &plan->chosen.lack;
        if (plan->scale != GP_SCALE_INFEASIBLE)
            continue;
        gp_build *build = findings->build;
        gp_plan_result at;
        const size_t site = site_of_path(result, lack->path);
        if (site < result->sites.count) {
            gp_build_at(result, site, &at);
            findings->site = result->sites.items[site].name;
            findings->site_index = site;
            build->result = &at;
        }
        if (gp_build_lacks_rack(&plan->chosen))
            rack_too_small(findings, plan->workload->name, plan->chosen.unit);
        else
            limit_passed(findings, plan->workload->name, lack->bound, lack->need, lack->have,
                         lack->dim);
        build->result = result;
        findings->site = NULL;
    }
}

/* Dense racks take several circuits: the electrician has to know. */
static void several_circuits(gp_findings *findings) {
    const gp_room_plan *room = &findings->build->result->room;
    const gp_site_power *power = &findings->build->result->document->spec.site.power;
    for (size_t i = 0; i < room->kinds.count; i++) {
        const gp_kind_room *kind = &room->kinds.items[i];
        const double circuit_w = kind->chain.circuit_w;
        if (kind->chain.circuits == 0 || kind->racks.rack_w <= circuit_w)
            continue;
        gp_findings_say(findings, "GP5006", GP_REF(&power->circuits, gp_circuits, current_a),
                        GP_FOUND(gp_build_text(findings->build, "site.racks.%zu.powerW", i),
                                 kind->racks.rack_w, circuit_w, GP_DIM_POWER, true),
                        "plan these circuits, larger ones, or a lower site.racks.maxPower",
                        "a rack of %s draws up to %s and one circuit carries %s: it needs %s",
                        gp_build_system_id(kind->unit),
                        GP_FINDING_QUANTITY(findings, kind->racks.rack_w, GP_DIM_POWER),
                        GP_FINDING_QUANTITY(findings, circuit_w, GP_DIM_POWER),
                        gp_build_count(findings->build, kind->chain.circuits, "circuit"));
    }
}

/* What is left after a loss carries the rack, or the redundancy asked for is none. */
static void redundancy_does_not_hold(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_power_chain *chain = &result->room.chain;
    const gp_site_power *power = &result->document->spec.site.power;
    if (chain->circuits == 0 || power->redundancy == GP_REDUNDANCY_N ||
        chain->failed_fraction <= 1 + 1e-9)
        return;
    gp_findings_say(findings, "GP5008", GP_REF(power, gp_site_power, redundancy),
                    GP_FOUND("site.power.circuitFailedFraction", chain->failed_fraction, 1,
                             GP_DIM_FRACTION, true),
                    "add circuits to each rack or lower site.racks.maxPower",
                    "if one circuit or feed fails, each of the others carries %s of its rating",
                    GP_FINDING_QUANTITY(findings, chain->failed_fraction, GP_DIM_FRACTION));
}

/* Air or water, and what class and machines allow of it. */
typedef struct supply {
    bool allowed;
    double heat_w, supply_c, min_c, max_c;
    const char *what, *class_name, *metric, *fix;
    gp_ref at;
} supply;

static void judge_supply(gp_findings *findings, const supply *s) {
    if (s->allowed || !(s->heat_w > 0))
        return;
    const char *class_and =
        s->class_name != NULL ? GP_FINDING_TEXT(findings, "class %s and ", s->class_name) : "";
    gp_findings_say(findings, "GP5007", s->at,
                    GP_FOUND(s->metric, s->supply_c, s->max_c, GP_DIM_TEMPERATURE, true), s->fix,
                    "%s at %s, outside the %s to %s that %sthe machines allow", s->what,
                    GP_FINDING_QUANTITY(findings, s->supply_c, GP_DIM_TEMPERATURE),
                    GP_FINDING_QUANTITY(findings, s->min_c, GP_DIM_TEMPERATURE),
                    GP_FINDING_QUANTITY(findings, s->max_c, GP_DIM_TEMPERATURE), class_and);
}

static void supply_outside_class(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_cooling *cooling = &result->room.cooling;
    const gp_site_air *air = &result->document->spec.site.cooling.air;
    const gp_site_liquid *liquid = &result->document->spec.site.cooling.liquid;
    const supply supplies[] = {
        {cooling->air_allowed, result->site.air_w, air->supply_c, cooling->air_min_c,
         cooling->air_max_c, "supply air", air->class_name, "site.cooling.airMaxC",
         "keep site.cooling.air.supply within that, or choose machines that allow more",
         GP_REF(air, gp_site_air, supply_c)},
        {cooling->water_allowed, result->site.liquid_w, liquid->supply_c, cooling->water_min_c,
         cooling->water_max_c, "facility water", liquid->class_name, "site.cooling.waterSupplyC",
         "keep site.cooling.liquid.supply within that, or state the class that the water is of",
         GP_REF(liquid, gp_site_liquid, supply_c)},
    };
    for (size_t i = 0; i < GP_COUNT_OF(supplies); i++)
        judge_supply(findings, &supplies[i]);
}

/* Write rate, read rate and capacity that are declared and do not reach. */
static void storage_short(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_room_plan *room = &result->room;
    const struct {
        const char *metric, *what;
        double need, there;
        gp_dim dim;
        const char *fix;
    } sides[] = {
        {"site.storage.writeBytesPerS", "checkpoints need a write rate of",
         room->storage.write_bytes_per_s, room->storage_write_bytes_per_s, GP_DIM_BYTES_PER_S,
         "extend cluster.storage, or write checkpoints less often"},
        {"site.storage.readBytesPerS", "restarts and cold starts need a read rate of",
         room->storage.read_bytes_per_s, room->storage_read_bytes_per_s, GP_DIM_BYTES_PER_S,
         "extend cluster.storage"},
        {"site.storage.capacityBytes", "checkpoints and weights need a capacity of",
         room->storage.capacity_bytes, room->storage_capacity_bytes, GP_DIM_BYTES,
         "extend cluster.storage, or keep fewer checkpoints"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(sides); i++) {
        if (!(sides[i].there > 0) || sides[i].need <= sides[i].there)
            continue;
        gp_findings_say(
            findings, "GP5009", GP_FINDING_AT(&result->document->spec.cluster),
            GP_FOUND(sides[i].metric, sides[i].need, sides[i].there, sides[i].dim, true),
            sides[i].fix, "%s %s; the storage has %s", sides[i].what,
            GP_FINDING_QUANTITY(findings, sides[i].need, sides[i].dim),
            GP_FINDING_QUANTITY(findings, sides[i].there, sides[i].dim));
    }
}

/* Beyond the upper figure no documented rack stays on air. Racks that nobody described are not
 * judged: the machines could be spread at will. */
static void dense_air_racks(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_constants *constants = result->constants;
    const gp_site_racks *racks = &result->document->spec.site.racks;
    double rack_w = result->site.air_rack_w;
    if (!GP_GIVEN(racks, gp_site_racks, count) && !GP_GIVEN(racks, gp_site_racks, max_power_w))
        return;
    if (rack_w <= constants->site_rack_air_warning_w)
        return;
    bool beyond = rack_w > constants->site_rack_air_limit_w;
    double limit = beyond ? constants->site_rack_air_limit_w : constants->site_rack_air_warning_w;
    gp_report_finding *finding = gp_findings_say(
        findings, "GP5003", GP_REF(racks, gp_site_racks, max_power_w),
        GP_FOUND(NULL, rack_w, limit, GP_DIM_POWER, true),
        "lower site.racks.maxPower to spread the machines, or use liquid cooling",
        "racks with %s of heat to air", GP_FINDING_QUANTITY(findings, rack_w, GP_DIM_POWER));
    if (beyond)
        finding->level = gp_level_name(GP_LEVEL_ERROR);
}

/* Heights and weights that are not stated hold no rack back. */
static void racks_unknown(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_site_racks *racks = &result->document->spec.site.racks;
    for (size_t i = 0; i < result->room.kinds.count; i++) {
        const gp_system *system = result->room.kinds.items[i].unit->system;
        const bool height = !(system->height_u > 0);
        const bool weight = racks->max_weight_kg > 0 && !(system->weight_kg > 0);
        if (!height && !weight)
            continue;
        const char *what = height && weight ? "height and weight" : height ? "height" : "weight";
        gp_findings_say(
            findings, "GP5011", GP_FINDING_AT(system),
            GP_FOUND_AT(gp_build_text(findings->build, "site.racks.%zu.fits", i)),
            GP_FINDING_TEXT(findings, "state the %s of the system", what),
            "machines per rack of %s were not limited by %s: the catalogue row states none",
            gp_build_system_id(result->room.kinds.items[i].unit), what);
    }
}

static void power_unknown(gp_findings *findings) {
    const gp_unit *unit = gp_build_powerless(findings->build->result);
    if (unit == NULL)
        return;
    gp_findings_say(
        findings, "GP5012", GP_FINDING_AT(unit->system), GP_FOUND_AT("site.power.itW"),
        "state maxPower of the machine (overrides: {maxPower: 100 kW}), or tdp of its GPU",
        "power, cooling and energy are unknown: %s states no power", gp_build_system_id(unit));
}

/* What the room takes up by air says nothing of what it takes up by liquid, nor the other way. */
size_t gp_site_unstated(const gp_site *site, const gp_site_plan *planned, const char **ret) {
    const gp_site_cooling *cooling = &site->cooling;
    const bool by_liquid = GP_GIVEN(&cooling->liquid, gp_site_liquid, capacity_w);
    const bool heats_air = planned->air_w > 0 || !by_liquid;
    const struct {
        const char *key;
        bool given;
    } limits[GP_SITE_LIMITS] = {
        {"site.power.itCapacity", GP_GIVEN(&site->power, gp_site_power, it_capacity_w)},
        {"site.cooling.air.capacity",
         GP_GIVEN(&cooling->air, gp_site_air, capacity_w) || !heats_air},
        {"site.cooling.liquid.capacity", by_liquid || !(planned->liquid_w > 0)},
        {"site.racks.count", GP_GIVEN(&site->racks, gp_site_racks, count)},
    };
    size_t count = 0;
    for (size_t i = 0; i < GP_SITE_LIMITS; i++)
        if (!limits[i].given)
            ret[count++] = limits[i].key;
    return count;
}

static void site_not_described(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_site *site = &result->document->spec.site;
    const char *keys[GP_SITE_LIMITS];
    const size_t count = gp_site_unstated(site, &result->site, keys);
    if (count == 0)
        return;
    gp_findings_say(findings, "GP5005", GP_FINDING_AT(site), GP_FOUND_AT(NULL),
                    GP_FINDING_TEXT(findings, "add %s", gp_finding_list(findings, keys, count)),
                    "limits of power, cooling or space that are not stated were not judged");
}

gp_rule_function *const gp_rules_site[] = {
    limits_passed,
    budgets_unknown,
    workloads_kept_out,
    NULL,
};

static gp_rule_function *const rules_place[] = {
    racks_too_small,
    several_circuits,
    redundancy_does_not_hold,
    supply_outside_class,
    storage_short,
    dense_air_racks,
    power_unknown,
    racks_unknown,
    site_not_described,
    NULL,
};

static void judge_place(gp_findings *findings) {
    for (gp_rule_function *const *rules = rules_place; *rules != NULL; rules++)
        (*rules)(findings);
}

/* Of several sites each by itself, its limits too: the findings say which. */
void gp_findings_places(gp_findings *findings) {
    gp_build *build = findings->build;
    const gp_plan_result *result = build->result;
    gp_plan_result *at = NULL;
    if (result->sites.count == 0) {
        judge_place(findings);
        return;
    }
    at = GP_NEW(build->arena, gp_plan_result);
    for (size_t s = 0; s < result->sites.count; s++) {
        gp_build_at(result, s, at);
        build->result = at;
        findings->site = result->sites.items[s].name;
        findings->site_index = s;
        limits_passed(findings);
        judge_place(findings);
    }
    build->result = result;
    findings->site = NULL;
}
