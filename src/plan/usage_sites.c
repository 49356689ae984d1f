/*
 * What a plan takes of its site, or of several: each is added up by itself (usage.c) as if it were
 * the only one, and the plan's figures are the sum.
 */
#include "plan/usage.h"

#include "base/num.h"
#include "base/str.h"

static void add_counts(const gp_site_plan *part, gp_site_plan *sum) {
    const int64_t *from = &part->gpus;
    int64_t *to = &sum->gpus;
    for (ptrdiff_t i = 0; i <= &part->rack_count - from; i++)
        to[i] += from[i];
}

static void add_weighed(const gp_overhead *part, double weight, gp_overhead *sum) {
    const double *from = &part->pue;
    double *to = &sum->pue;
    for (size_t i = 0; i < sizeof *part / sizeof *to; i++)
        to[i] += from[i] * weight;
}

/* Ratios as sums first; close_sum divides. */
static void add_site(const gp_site_plan *part, gp_site_plan *sum) {
    const size_t figures = offsetof(gp_site_plan, design_pue) - offsetof(gp_site_plan, it_peak_w);
    add_counts(part, sum);
    gp_num_add_all(&part->it_peak_w, &sum->it_peak_w, figures);
    add_weighed(&part->annual, part->it_mean_w, &sum->annual);
    sum->wue_most_l_per_j += part->wue_most_l_per_j * part->it_year_w;
    sum->air_rack_w = gp_num_max(sum->air_rack_w, part->air_rack_w);
    sum->priced = sum->priced && part->priced;
    sum->left_out = sum->left_out || part->left_out;
    if (gp_fabric_switches(&part->fabric) > gp_fabric_switches(&sum->fabric)) {
        sum->fabric = part->fabric;
        sum->network = part->network;
    }
}

/* What draws nothing anywhere has the overhead of the first site. */
static void close_sum(const gp_site_plan *first, gp_site_plan *sum) {
    const gp_overhead weighed = sum->annual;
    if (!(sum->it_mean_w > 0) || !(sum->it_peak_w > 0) || !(sum->it_year_w > 0)) {
        sum->design_pue = first->design_pue;
        sum->annual = first->annual;
        sum->wue_most_l_per_j = first->wue_most_l_per_j;
        return;
    }
    sum->design_pue = sum->figures.facility_peak_w / sum->it_peak_w;
    sum->annual = (gp_overhead){0};
    add_weighed(&weighed, 1 / sum->it_mean_w, &sum->annual);
    sum->annual.pue = sum->figures.facility_mean_w / sum->it_mean_w;
    sum->wue_most_l_per_j /= sum->it_year_w;
}

/* Lines that say the same of two sites are one. */
static void add_line(const gp_bill_item *line, gp_room_plan *sum) {
    for (size_t i = 0; i < sum->bill.count; i++) {
        gp_bill_item *other = &sum->bill.items[i];
        if (!gp_str_equal(other->role, line->role) || !gp_str_equal(other->rule, line->rule) ||
            other->unit_w < line->unit_w || other->unit_w > line->unit_w ||
            (other->id != line->id && !gp_str_equal(other->id, line->id)))
            continue;
        other->count += line->count;
        other->bought += line->bought;
        return;
    }
    sum->bill.items[sum->bill.count++] = *line;
}

/* The rates of storage are those of the site that asks for the most. */
static void add_storage(const gp_room_plan *part, gp_room_plan *sum) {
    gp_storage_need_add(&part->storage, &sum->storage);
    sum->storage_read_bytes_per_s =
        gp_num_max(sum->storage_read_bytes_per_s, part->storage_read_bytes_per_s);
    sum->storage_write_bytes_per_s =
        gp_num_max(sum->storage_write_bytes_per_s, part->storage_write_bytes_per_s);
    sum->storage_capacity_bytes += part->storage_capacity_bytes;
    sum->storage_w += part->storage_w;
    if (part->storage_product != NULL && sum->storage_product == NULL)
        sum->storage_product = part->storage_product;
    if (part->storage_product != NULL && sum->storage_product == part->storage_product)
        sum->storage_products += part->storage_products;
}

static void add_room(const gp_room_plan *part, bool detail, gp_room_plan *sum) {
    for (size_t k = 0; k < part->kinds.count; k++)
        sum->kinds.items[sum->kinds.count++] = part->kinds.items[k];
    for (size_t i = 0; detail && i < part->bill.count; i++)
        add_line(&part->bill.items[i], sum);
    add_storage(part, sum);
    gp_fabric_parts_add(&part->fabric_parts, &sum->fabric_parts);
    if (part->fabric_room.unit_nodes > sum->fabric_room.unit_nodes)
        sum->fabric_room = part->fabric_room;
    sum->other_u += part->other_u;
    sum->other_racks += part->other_racks;
    sum->management_switches += part->management_switches;
    sum->weight_kg += part->weight_kg;
    sum->rack_kg = gp_num_max(sum->rack_kg, part->rack_kg);
    sum->spare_nodes += part->spare_nodes;
}

static void add_failures(const gp_plan_context *plan, const gp_usage *usage, gp_room_plan *sum) {
    int64_t gpus = 0;
    int64_t most = 1;
    for (size_t k = 0; k < usage->room.kinds.count; k++) {
        const gp_kind_room *kind = &usage->room.kinds.items[k];
        gpus += kind->nodes * kind->unit->machine.gpus;
        most = gp_num_max_i64(most, kind->unit->machine.gpus);
    }
    gp_usage_failures(plan, gpus, most, sum);
}

/* The plan and its ledger as a site sees them. */
static void see(const gp_plan_context *plan, const gp_ledger *ledger, size_t site,
                const gp_candidate **chosen, gp_plan_context *ret_plan, gp_ledger *ret_ledger) {
    gp_plan_at(plan, site, ret_plan);
    *ret_ledger = *ledger;
    ret_ledger->kinds += ret_plan->units - plan->units;
    ret_ledger->chosen = chosen;
    for (size_t i = 0; i < plan->case_count; i++) {
        chosen[i] = NULL;
        for (size_t k = i; k < ledger->claim_count && chosen[i] == NULL; k += plan->case_count) {
            const gp_candidate *one = ledger->claims[k];
            const bool here = one != NULL && one->unit >= ret_plan->units &&
                              one->unit < ret_plan->units + ret_plan->unit_count;
            chosen[i] = here ? one : NULL;
        }
    }
}

static gp_usage emptied(const gp_usage *usage) {
    gp_usage empty = {.site = {.priced = true}, .sites = usage->sites, .chosen = usage->chosen};
    empty.room.bill.items = usage->room.bill.items;
    empty.room.kinds.items = usage->room.kinds.items;
    return empty;
}

/* One site, or what is rented where it is the one behind the last. */
static void add_up(const gp_plan_context *plan, const gp_ledger *ledger, size_t site, bool detail,
                   gp_usage *all) {
    gp_plan_context at;
    gp_ledger held;
    see(plan, ledger, site, all->chosen, &at, &held);
    if (site == plan->site_count)
        gp_usage_rented(&at, &held, &all->sites[site].site);
    else
        gp_usage_of_one(&at, &held, detail, &all->sites[site]);
    ledger->stale[site] = detail;
}

/* Only sites at which somebody came or went are added up again; with what is built for the horizon,
 * all are. Rooms are added up for whoever reads them. */
static void usage_of_several(const gp_plan_context *plan, const gp_ledger *ledger, bool detail,
                             gp_usage *ret) {
    const bool rooms = detail || plan->shells != NULL;
    *ret = emptied(ret);
    for (size_t s = 0; s <= plan->site_count; s++) {
        if (ledger->stale[s] || rooms)
            add_up(plan, ledger, s, detail, ret);
        ledger->stale[s] = ledger->stale[s] || rooms;
        add_site(&ret->sites[s].site, &ret->site);
        if (rooms && s < plan->site_count)
            add_room(&ret->sites[s].room, detail, &ret->room);
    }
    close_sum(&ret->sites[0].site, &ret->site);
    if (detail)
        add_failures(plan, ret, &ret->room);
    gp_limits_set(plan, ret);
}

void gp_usage_of(const gp_plan_context *plan, const gp_ledger *ledger, bool detail, gp_usage *ret) {
    (plan->site_count > 0 ? usage_of_several : gp_usage_of_one)(plan, ledger, detail, ret);
}

void gp_usage_least(const gp_plan_context *plan, const gp_ledger *ledger, gp_usage *scratch,
                    gp_site_plan *ret) {
    if (plan->site_count == 0) {
        gp_usage_least_one(plan, ledger, ret);
        return;
    }
    *ret = (gp_site_plan){.priced = true};
    for (size_t s = 0; s <= plan->site_count; s++) {
        gp_site_plan *least = &scratch->sites[s].least;
        if (ledger->stale_least[s]) {
            gp_plan_context at;
            gp_ledger held;
            see(plan, ledger, s, scratch->chosen, &at, &held);
            gp_usage_least_one(&at, &held, least);
            ledger->stale_least[s] = false;
        }
        add_site(least, ret);
    }
}

void gp_usage_init(gp_plan_context *plan, gp_usage *ret) {
    gp_usage_init_one(plan, ret);
    if (plan->site_count == 0)
        return;
    ret->sites = GP_NEW_ARRAY(plan->arena, gp_usage, plan->site_count + 1);
    ret->chosen = GP_NEW_ARRAY(plan->arena, const gp_candidate *, plan->case_count + 1);
    for (size_t s = 0; s < plan->site_count; s++) {
        gp_plan_context at;
        gp_plan_at(plan, s, &at);
        gp_usage_init_one(&at, &ret->sites[s]);
    }
}
