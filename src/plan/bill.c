/*
 * The lines of the bill, which the figures of the site are added up from.
 */
#include "plan/usage.h"

#include "base/num.h"

gp_bill_item *gp_usage_line(gp_using *u, gp_line line, const char *id, int64_t count,
                            int64_t bought) {
    static const struct {
        const char *prefix, *part, *role, *rule;
    } lines[GP_LINE_COUNT] = {
#define GP_LINE(name, ...) [GP_LINE_##name] = {__VA_ARGS__},
#include "plan/bill.def"
#undef GP_LINE
    };
    gp_room_plan *room = &u->usage->room;
    gp_bill_item *item = &room->bill.items[room->bill.count];
    *item = (gp_bill_item){.role = lines[line].role,
                           .kind = lines[line].prefix,
                           .part = lines[line].part,
                           .rule = lines[line].rule,
                           .id = id,
                           .count = count,
                           .bought = bought};
    gp_plan_price_line(u->plan, lines[line].prefix,
                       lines[line].part != NULL ? lines[line].part : id, item);
    room->bill.count += count > 0 ? 1 : 0;
    return item;
}

double gp_bill_watts(const gp_using *u) {
    const gp_room_plan *room = &u->usage->room;
    double watts = 0;
    for (size_t i = 0; i < room->bill.count; i++)
        watts += room->bill.items[i].unit_w * (double)room->bill.items[i].count;
    return watts;
}

bool gp_part_unpriced(const gp_bill_item *line) {
    return line->bought > 0 && line->unit_price <= 0;
}

/* The lines of the bill: what is neither a machine nor storage nor a system node is a switch. */
double gp_bill_sum(gp_using *u) {
    gp_site_plan *site = &u->usage->site;
    const gp_room_plan *room = &u->usage->room;
    double capital = 0;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        capital += line->unit_price * (double)line->bought;
        site->left_out = site->left_out || gp_part_unpriced(line);
    }
    site->storage_w = room->storage_w;
    site->system_w = u->plan->constants->facility_system_node_w *
                     (double)u->plan->spec->cluster.reserve.system_nodes;
    site->network_w =
        gp_num_max(0, gp_bill_watts(u) - site->it_peak_w - site->storage_w - site->system_w);
    const double other = site->network_w + site->storage_w + site->system_w;
    site->it_peak_w += other;
    site->it_mean_w += other;
    site->it_year_w += other;
    site->air_w += other;
    return capital;
}
