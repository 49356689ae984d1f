/* What the rows of site_steps.c point at, in the plan and in the report. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "report/site_steps.h"

/* A list that a path goes through, and what names its items. */
typedef struct list_row {
    const char *prefix;
    size_t (*count)(const gp_report *report);
    const char *(*name)(const gp_report *report, size_t item); /* NULL: by number */
} list_row;

/* Those of machines: what stands apart comes last. */
static size_t rack_count(const gp_report *report) {
    size_t count = 0;
    while (count < report->site.racks.count && report->site.racks.items[count].nodes_per_rack > 0)
        count++;
    return count;
}

static size_t fabric_count(const gp_report *report) {
    return report->site.fabrics.count;
}

static const char *fabric_name(const gp_report *report, size_t item) {
    return report->site.fabrics.items[item].name;
}

static size_t quarter_count(const gp_report *report) {
    return report->growth.count;
}

static const char *quarter_name(const gp_report *report, size_t item) {
    return report->growth.items[item].quarter;
}

static const list_row lists[] = {
    {"site.racks.*", rack_count, NULL},
    {"site.fabrics.*", fabric_count, fabric_name},
    {"growth.*", quarter_count, quarter_name},
};

static const list_row *list_of(const char *path) {
    for (size_t i = 0; i < GP_COUNT_OF(lists); i++)
        if (gp_str_starts(path, lists[i].prefix))
            return &lists[i];
    return NULL;
}

/* Of several sites the figures are sums, which none of these steps makes. */
size_t gp_step_items(const gp_report *report, const gp_site_step *step) {
    static const char site[] = "site.";
    const list_row *list = list_of(step->path);
    if (report->sites.count > 0 && gp_str_starts(step->path, site))
        return 0;
    return list != NULL ? list->count(report) : 1;
}

const char *gp_step_path(gp_build *build, const char *path, size_t item, bool by_number) {
    const list_row *list = list_of(path);
    if (list == NULL)
        return path;
    const int head = (int)strlen(list->prefix) - 1;
    const char *rest = path + head + 1;
    if (list->name == NULL || by_number)
        return gp_build_text(build, "%.*s%zu%s", head, path, item, rest);
    return gp_build_text(build, "%.*s%s%s", head, path, list->name(build->report, item), rest);
}

bool gp_step_value(gp_build *build, const char *path, gp_report_value *ret_value) {
    return path != NULL &&
           gp_report_find(&gp_report_type, build->report, path, ret_value, NULL) == GP_OK &&
           !ret_value->absent;
}

/* Only then are the names of the items looked at. */
static bool may_be_of(const gp_site_step *step, const char *path) {
    const list_row *list = list_of(step->path);
    if (list == NULL || (step->alias != NULL && gp_str_equal(step->alias, path)))
        return true;
    const size_t head = strlen(list->prefix) - 1;
    return strncmp(path, step->path, head) == 0 && gp_str_ends(path, step->path + head + 1);
}

const gp_site_step *gp_step_of_path(gp_build *build, const char *path, size_t *ret_item) {
    for (size_t i = 0; i < gp_site_step_count; i++) {
        const gp_site_step *step = &gp_site_steps[i];
        const size_t items = may_be_of(step, path) ? gp_step_items(build->report, step) : 0;
        for (*ret_item = 0; *ret_item < items; (*ret_item)++)
            if (gp_str_equal(gp_step_path(build, step->path, *ret_item, false), path) ||
                gp_str_equal(gp_step_path(build, step->path, *ret_item, true), path) ||
                (step->alias != NULL && gp_str_equal(step->alias, path)))
                return step;
    }
    return NULL;
}

static const gp_meta *kind_meta(const gp_plan_result *result, size_t item) {
    const gp_room_plan *room = &result->room;
    return item < room->kinds.count ? &room->kinds.items[item].unit->system->meta : NULL;
}

/* The struct that a root is; NULL where the plan has none. */
static const gp_meta *root_of(const gp_plan_result *result, gp_input_root root, size_t item) {
    const gp_plan_spec *spec = &result->document->spec;
    const gp_room_plan *room = &result->room;
    const gp_meta *const roots[GP_ROOT_COUNT] = {
        [GP_ROOT_CONSTANTS] = &result->constants->meta,
        [GP_ROOT_SITE] = &spec->site.meta,
        [GP_ROOT_POWER] = &spec->site.power.meta,
        [GP_ROOT_DESIGN_PUE] = &spec->site.power.design.meta,
        [GP_ROOT_ANNUAL_PUE] = &spec->site.power.annual.meta,
        [GP_ROOT_CIRCUITS] = &spec->site.power.circuits.meta,
        [GP_ROOT_COOLING] = &spec->site.cooling.meta,
        [GP_ROOT_AIR] = &spec->site.cooling.air.meta,
        [GP_ROOT_LIQUID] = &spec->site.cooling.liquid.meta,
        [GP_ROOT_RACKS] = &spec->site.racks.meta,
        [GP_ROOT_ENERGY] = &spec->site.energy.meta,
        [GP_ROOT_COSTS] = &spec->costs.meta,
        [GP_ROOT_GROWTH] = &spec->growth.meta,
        [GP_ROOT_LEAD_TIME] = &spec->growth.lead_time.meta,
        [GP_ROOT_SYSTEM] = kind_meta(result, item),
        [GP_ROOT_CLOUD] = room->compared != NULL ? &room->compared->meta : NULL,
        [GP_ROOT_RENT] =
            room->compared != NULL && room->compared_quote == NULL ? &room->compared->meta : NULL,
        [GP_ROOT_QUOTE] = room->compared_quote != NULL ? &room->compared_quote->meta : NULL,
        [GP_ROOT_STORAGE] = room->storage_product != NULL ? &room->storage_product->meta : NULL,
        [GP_ROOT_CDU] = room->cooling_unit != NULL ? &room->cooling_unit->meta : NULL,
    };
    return roots[root];
}

static double real_at(const gp_meta *meta, size_t offset) {
    return *(const double *)(const void *)((const char *)meta + offset);
}

/* Where the value of a field input lies; meta NULL where there is none. */
static gp_ref ref_of(const gp_plan_result *result, const gp_step_input *input, size_t item) {
    gp_ref ref = {.meta = root_of(result, input->root, item), .offset = input->offset};
    if (input->otherwise > 0 && (ref.meta == NULL || !(real_at(ref.meta, ref.offset) > 0)))
        ref = (gp_ref){.meta = &result->constants->meta, .offset = input->otherwise};
    return ref;
}

typedef struct source_list {
    gp_build *build;
    size_t count, capacity;
    gp_report_source *items;
    gp_ref_list *fields; /* of what is listed those alone; NULL: everything, as sources */
} source_list;

static gp_report_source *next(source_list *list) {
    gp_report_source *source =
        &GP_PUSH(list->build->arena, list->items, list->count, list->capacity);
    *source = (gp_report_source){.origin = "term", .verified = true};
    return source;
}

static void add_value(source_list *list, const char *name, const char *value) {
    gp_report_source *source = next(list);
    source->name = name;
    source->value = value;
}

static void add_ref(source_list *list, const gp_ref *ref, const char *name, const char *value) {
    if (ref->meta == NULL || gp_ref_is_unused(ref))
        return;
    if (list->fields != NULL) {
        gp_ref_list_add(list->build->arena, list->fields, ref);
        return;
    }
    gp_report_source *source = next(list);
    gp_source_of_ref(list->build, NULL, ref, source);
    source->name = name != NULL ? name : source->name;
    source->value = value != NULL ? value : source->value;
}

static void add_figure(source_list *list, const char *path, size_t item) {
    gp_build *build = list->build;
    const char *full = gp_step_path(build, path, item, false);
    gp_report_value value;
    if (!gp_step_value(build, full, &value))
        return;
    add_value(list, full,
              value.kind == GP_REPORT_COUNT ? gp_build_text(build, "%lld", (long long)value.count)
                                            : gp_build_quantity(build, value.real, value.dim));
}

static const char *line_name(gp_build *build, const gp_bill_item *line) {
    return line->id != NULL ? gp_build_text(build, "%s %s", line->role, line->id) : line->role;
}

/* "5 x 14.3 kW" beside "machine dgx-b200" */
static void add_power_lines(source_list *list, const char *ending) {
    gp_build *build = list->build;
    const gp_room_plan *room = &build->result->room;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        if (!(line->unit_w > 0) || !gp_str_ends(line->role, ending))
            continue;
        const char *name = line_name(build, line);
        const char *value = gp_build_text(build, "%lld x %s", (long long)line->count,
                                          gp_build_quantity(build, line->unit_w, GP_DIM_POWER));
        if (line->power.meta != NULL && !gp_ref_is_unused(&line->power))
            add_ref(list, &line->power, name, value);
        else
            add_value(list, name, value);
    }
}

static void add_price_lines(source_list *list) {
    gp_build *build = list->build;
    const gp_room_plan *room = &build->result->room;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        if (line->bought == 0 || !(line->unit_price > 0))
            continue;
        const char *name = line_name(build, line);
        add_ref(list, &line->price, name,
                gp_build_text(build, "%lld x %s", (long long)line->bought,
                              gp_build_quantity(build, line->unit_price, GP_DIM_MONEY)));
    }
}

/* Of machines that it shares what its own GPUs' part of them draws. */
static double own_watts(const gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    const double unused =
        (double)chosen->nodes - (double)chosen->gpus / (double)chosen->unit->machine.gpus;
    const double all = chosen->it_mean_w - chosen->fabric_w;
    return gp_build_shares_machine(build, plan) ? all - gp_num_max(0, unused) * chosen->node_idle_w
                                                : all;
}

/* The workloads that hold machines of their own on site, or a share of some. */
static void add_workload_power(source_list *list) {
    gp_build *build = list->build;
    const gp_plan_result *result = build->result;
    const gp_site_plan *site = &result->site;
    const char *idle = "idle machines";
    double rest =
        site->it_mean_w - site->turns_w - site->network_w - site->storage_w - site->system_w;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        const gp_candidate *chosen = &plan->chosen;
        if (!chosen->feasible || chosen->unit->cloud != NULL || chosen->timing.turn != GP_TURN_OWN)
            continue;
        const double watts = own_watts(build, plan);
        if (gp_build_shares_machine(build, plan))
            idle = "idle machines and GPUs";
        rest -= watts;
        add_value(list, plan->workload->name,
                  gp_build_text(build, "%s on %s", gp_build_quantity(build, watts, GP_DIM_POWER),
                                gp_build_machines(build, chosen)));
    }
    if (site->turns_w > 0)
        add_value(list, "runs in later turns",
                  gp_build_quantity(build, site->turns_w, GP_DIM_POWER));
    if (!gp_num_near(rest + result->site.it_mean_w, result->site.it_mean_w))
        add_value(list, rest > 0 ? idle : "shared machines",
                  gp_build_quantity(build, rest, GP_DIM_POWER));
}

static void add_heat(source_list *list) {
    gp_build *build = list->build;
    const gp_room_plan *room = &build->result->room;
    for (size_t i = 0; i < room->kinds.count; i++) {
        const gp_kind_room *kind = &room->kinds.items[i];
        const char *name = gp_build_system_id(kind->unit);
        const gp_ref share = GP_REF(kind->unit->system, gp_system, liquid_fraction);
        const char *value =
            gp_build_text(build, "%lld, %s to liquid", (long long)kind->nodes,
                          gp_build_quantity(build, kind->liquid_fraction, GP_DIM_FRACTION));
        if (gp_ref_is_unused(&share))
            add_value(list, name, value);
        else
            add_ref(list, &share, name, value);
    }
}

static void add_machines(source_list *list, size_t item) {
    const gp_room_plan *room = &list->build->result->room;
    if (item < room->kinds.count)
        add_value(list, gp_build_system_id(room->kinds.items[item].unit),
                  gp_build_count(list->build, room->kinds.items[item].nodes, "machine"));
}

static void add_standing(source_list *list) {
    const gp_room_plan *room = &list->build->result->room;
    for (size_t i = 0; i < room->kinds.count; i++) {
        const gp_kind_room *kind = &room->kinds.items[i];
        add_value(list, gp_build_system_id(kind->unit),
                  gp_build_text(list->build, "%s of %s",
                                gp_build_count(list->build, kind->nodes, "machine"),
                                gp_build_count(list->build, kind->unit->machine.gpus, "GPU")));
    }
}

static void add_checkpoints(source_list *list) {
    gp_build *build = list->build;
    for (size_t i = 0; i < build->result->workloads.count; i++) {
        const gp_workload_plan *plan = &build->result->workloads.items[i];
        const gp_run *run = &plan->chosen.run;
        if (!plan->chosen.feasible || plan->chosen.unit->cloud != NULL)
            continue;
        if (plan->is_serving)
            add_value(list, plan->workload->name,
                      gp_build_text(build, "weights for %s",
                                    gp_build_count(build, plan->chosen.replicas, "replica")));
        else
            add_value(list, plan->workload->name,
                      gp_build_text(build, "a checkpoint of %s every %s, written in %s",
                                    gp_build_quantity(build, run->checkpoint_bytes, GP_DIM_BYTES),
                                    gp_build_quantity(build, run->interval_s, GP_DIM_TIME),
                                    gp_build_quantity(build, run->checkpoint_s, GP_DIM_TIME)));
    }
}

static void add_busy(source_list *list) {
    gp_build *build = list->build;
    for (size_t i = 0; i < build->result->workloads.count; i++) {
        const gp_workload_plan *plan = &build->result->workloads.items[i];
        if (!plan->chosen.feasible)
            continue;
        /* Of a year: what ends has its machines to its end alone. */
        const double held = plan->claim.kind == GP_DEMAND_CONTINUOUS ? plan->claim.busy_fraction
                                                                     : plan->chosen.busy_fraction;
        const double busy = held * (plan->is_serving ? 1 : plan->chosen.run.goodput_fraction);
        add_value(list, plan->workload->name,
                  gp_build_text(build, "%lld GPUs, %s of the time", (long long)plan->chosen.gpus,
                                gp_build_quantity(build, busy, GP_DIM_FRACTION)));
    }
}

static void add_rents(source_list *list) {
    gp_build *build = list->build;
    for (size_t i = 0; i < build->result->workloads.count; i++) {
        const gp_workload_plan *plan = &build->result->workloads.items[i];
        const gp_candidate *chosen = &plan->chosen;
        if (!chosen->feasible || chosen->unit->cloud == NULL)
            continue;
        const gp_contract *from = gp_rent_of(chosen->unit, chosen->rented_fraction).from;
        const gp_cloud *cloud = chosen->unit->cloud;
        const gp_ref price = from->quote != NULL     ? GP_REF(from->quote, gp_price, price_per_s)
                             : chosen->unit->is_spot ? GP_REF(cloud, gp_cloud, spot_usd_per_s)
                                                     : GP_REF(cloud, gp_cloud, on_demand_usd_per_s);
        add_ref(list, &price, plan->workload->name,
                gp_build_text(build, "%s at %s, %s of the time", gp_build_machines(build, chosen),
                              gp_build_quantity(build, from->per_s, GP_DIM_MONEY_PER_S),
                              gp_build_quantity(build, chosen->rented_fraction, GP_DIM_FRACTION)));
    }
}

static void add_links(source_list *list) {
    const gp_plan_spec *spec = &list->build->result->document->spec;
    for (size_t i = 0; i < spec->links.count; i++) {
        const gp_site_link *link = &spec->links.items[i];
        const gp_ref price = GP_REF(link, gp_site_link, price_per_s);
        if (link->price_per_s > 0)
            add_ref(list, &price,
                    gp_build_text(list->build, "%s to %s", link->between.items[0],
                                  link->between.items[1]),
                    NULL);
    }
}

/* "16 machines, 7%/mo" */
static void add_demand(source_list *list, size_t item) {
    gp_build *build = list->build;
    const gp_plan_result *result = build->result;
    const gp_growth *growth = &result->document->spec.growth;
    if (item >= (size_t)result->growth_count)
        return;
    const gp_growth_row *row = &result->growth[item];
    for (size_t i = 0; i < result->workloads.count + growth->adds.count; i++) {
        const bool later = i >= result->workloads.count;
        const char *name = later ? growth->adds.items[i - result->workloads.count].workload.name
                                 : result->workloads.items[i].workload->name;
        const char *rate = "";
        for (size_t k = 0; k < growth->scenarios.expected.count; k++)
            if (gp_str_equal(growth->scenarios.expected.items[k].key, name))
                rate = gp_build_text(build, ", %s", growth->scenarios.expected.items[k].text);
        if (row->chosen[i] != NULL)
            add_value(list, name,
                      gp_build_text(build, "%s%s",
                                    gp_build_count(build, row->chosen[i]->nodes, "machine"), rate));
    }
}

static void add_input(source_list *list, const gp_step_input *input, size_t item) {
    static const bool has_fields[] = {
        [GP_INPUT_FIELD] = true,  [GP_INPUT_POWER_LINES] = true, [GP_INPUT_PRICE_LINES] = true,
        [GP_INPUT_HEAT] = true,   [GP_INPUT_RENTS] = true,       [GP_INPUT_LINKS] = true,
        [GP_INPUT_DEMAND] = false};
    if (list->fields != NULL && !has_fields[input->kind])
        return;
    switch (input->kind) {
    case GP_INPUT_NONE: return;
    case GP_INPUT_FIGURE: add_figure(list, input->path, item); return;
    case GP_INPUT_FIELD: {
        const gp_ref ref = ref_of(list->build->result, input, item);
        add_ref(list, &ref, NULL, NULL);
        return;
    }
    case GP_INPUT_POWER_LINES: add_power_lines(list, input->path); return;
    case GP_INPUT_PRICE_LINES: add_price_lines(list); return;
    case GP_INPUT_WORKLOAD_POWER: add_workload_power(list); return;
    case GP_INPUT_HEAT: add_heat(list); return;
    case GP_INPUT_MACHINES: add_machines(list, item); return;
    case GP_INPUT_STANDING: add_standing(list); return;
    case GP_INPUT_CHECKPOINTS: add_checkpoints(list); return;
    case GP_INPUT_BUSY: add_busy(list); return;
    case GP_INPUT_RENTS: add_rents(list); return;
    case GP_INPUT_LINKS: add_links(list); return;
    case GP_INPUT_DEMAND: add_demand(list, item); return;
    }
}

static bool is_stated(const gp_plan_result *result, const gp_step_input *input, size_t item) {
    const gp_meta *meta = root_of(result, input->root, item);
    return meta != NULL && real_at(meta, input->offset) > 0;
}

static void add_inputs(source_list *list, const gp_site_step *step, size_t item) {
    for (int i = 0; i < GP_STEP_INPUTS; i++)
        if (!step->inputs[i].unless_stated ||
            !is_stated(list->build->result, &step->inputs[0], item))
            add_input(list, &step->inputs[i], item);
}

void gp_step_sources(gp_build *build, const gp_site_step *step, size_t item,
                     gp_report_source **ret_items, size_t *ret_count) {
    source_list list = {.build = build};
    add_inputs(&list, step, item);
    *ret_items = list.items;
    *ret_count = list.count;
}

void gp_step_fields(gp_build *build, gp_ref_list *ret) {
    source_list list = {.build = build, .fields = ret};
    gp_report_value value;
    for (size_t i = 0; i < gp_site_step_count; i++)
        for (size_t item = 0; item < gp_step_items(build->report, &gp_site_steps[i]); item++)
            if (gp_step_value(build, gp_step_path(build, gp_site_steps[i].path, item, true),
                              &value))
                add_inputs(&list, &gp_site_steps[i], item);
}

/* Steps rest on earlier ones and on figures that nothing explains further: a step deep enough. */
static void add_beneath(source_list *list, const gp_site_step *step, size_t item, int depth) {
    enum { DEEPEST = 6 };
    add_inputs(list, step, item);
    for (int i = 0; i < GP_STEP_INPUTS && depth < DEEPEST; i++) {
        size_t below = 0;
        if (step->inputs[i].kind != GP_INPUT_FIGURE)
            continue;
        const char *path = gp_step_path(list->build, step->inputs[i].path, item, false);
        const gp_site_step *under = gp_step_of_path(list->build, path, &below);
        if (under != NULL && under != step)
            add_beneath(list, under, below, depth + 1);
    }
}

const char *gp_step_basis(gp_build *build, const gp_site_step *step, size_t item) {
    gp_ref_list fields = {0};
    source_list list = {.build = build, .fields = &fields};
    add_beneath(&list, step, item, 0);
    return gp_ref_list_basis(&fields);
}
