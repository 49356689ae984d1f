/*
 * Storage: what checkpoints, restarts, data and starting replicas ask of it. Where the cluster
 * declares none, a product of the catalogue and how many of it: the most of what write rate, read
 * rate and capacity take each. Rates and capacities are those of the makers' or benchmarks' rows; a
 * write rate that is not recorded is put at the share of reads that NVIDIA's guidelines use.
 */
#include "plan/usage.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

/* A workload's checkpoints and data, or the weights that its replicas load. */
static gp_storage_input storage_of(const gp_case *c, const gp_candidate *chosen) {
    gp_storage_input input = {0};
    const double group = (double)gp_serve_layout_gpus(&chosen->serve_layout);
    if (c->out->is_serving) {
        input.weights_bytes = chosen->serve_memory.memory.bytes[GP_MEMORY_WEIGHTS] * group;
        input.replicas = (double)chosen->replicas;
        return input;
    }
    const gp_data *data = &c->workload->data;
    const double epochs = data->epochs > 0 ? data->epochs : 1;
    input.checkpoint_bytes = chosen->run.checkpoint_bytes;
    input.interval_s = chosen->run.interval_s;
    input.kept = (double)c->workload->checkpoint.keep;
    input.data_bytes = c->out->train.tokens / epochs * c->plan->constants->run_token_bytes;
    input.data_bytes_per_s = chosen->tokens_per_s.expected * c->plan->constants->run_token_bytes;
    return input;
}

/* Where no storage is declared, runs were timed at a rate that is to be bought with them. */
static double timed_write(const gp_plan_context *plan, const gp_candidate *chosen) {
    const gp_run *run = &chosen->run;
    const size_t unit = (size_t)(chosen->unit - plan->units);
    const bool assumed =
        gp_plan_spec_at(plan, unit)->cluster.storage.count == 0 && run->checkpoint_s > 0;
    return assumed ? run->checkpoint_bytes / run->checkpoint_s : 0;
}

static int64_t hosts_of_one(const gp_plan_context *plan, const gp_unit *unit) {
    return gp_num_max_i64(1, plan->fabrics[unit - plan->units].hosts);
}

void gp_storage_need_of_case(const gp_case *c, const gp_candidate *chosen, gp_storage_need *ret) {
    const gp_storage_input input = storage_of(c, chosen);
    gp_storage_need_of(&input, c->plan->constants, ret);
    ret->write_bytes_per_s = gp_num_max(ret->write_bytes_per_s, timed_write(c->plan, chosen));
    if (ret->write_bytes_per_s > 0)
        ret->write_hosts = (double)(chosen->nodes * hosts_of_one(c->plan, chosen->unit));
}

void gp_storage_need_add(const gp_storage_need *need, gp_storage_need *all) {
    all->write_bytes_per_s = gp_num_max(all->write_bytes_per_s, need->write_bytes_per_s);
    all->read_bytes_per_s = gp_num_max(all->read_bytes_per_s, need->read_bytes_per_s);
    all->checkpoint_read_bytes_per_s =
        gp_num_max(all->checkpoint_read_bytes_per_s, need->checkpoint_read_bytes_per_s);
    all->start_read_bytes_per_s =
        gp_num_max(all->start_read_bytes_per_s, need->start_read_bytes_per_s);
    all->capacity_bytes += need->capacity_bytes;
    all->write_hosts += need->write_hosts;
}

/* The fastest storage carries the workloads, as it does in the time of runs. */
static void set_declared(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const gp_cluster *cluster = &u->plan->spec->cluster;
    for (size_t i = 0; i < cluster->storage.count; i++) {
        const gp_storage *there = &cluster->storage.items[i];
        room->storage_read_bytes_per_s =
            gp_num_max(room->storage_read_bytes_per_s, there->read_bytes_per_s);
        room->storage_write_bytes_per_s =
            gp_num_max(room->storage_write_bytes_per_s, there->write_bytes_per_s);
        room->storage_capacity_bytes += there->capacity_bytes;
    }
}

static double write_rate(const gp_plan_context *plan, const gp_storage_product *row) {
    return row->write_bytes_per_s > 0
               ? row->write_bytes_per_s
               : row->read_bytes_per_s * plan->constants->storage_write_of_read_fraction;
}

/* How many of a product carry the need; 0 where a figure that decides is not recorded. */
static int64_t products_for(const gp_plan_context *plan, const gp_storage_need *need,
                            const gp_storage_product *row) {
    if (!(row->read_bytes_per_s > 0) || !(row->usable_bytes > 0) || !(row->max_power_w > 0))
        return 0;
    const int64_t by_rate =
        gp_num_max_i64(gp_num_ceil_count(need->read_bytes_per_s / row->read_bytes_per_s),
                       gp_num_ceil_count(need->write_bytes_per_s / write_rate(plan, row)));
    return gp_num_max_i64(by_rate, gp_num_ceil_count(need->capacity_bytes / row->usable_bytes));
}

typedef struct choice {
    const gp_storage_product *row;
    int64_t count;
    double price; /* of one; 0: none known */
} choice;

/* What has a price before what has none, then the cheapest; without prices the least power. */
static bool better(const choice *a, const choice *b) {
    const bool priced = a->price > 0;
    if (b->row == NULL || priced != (b->price > 0))
        return b->row == NULL || priced;
    const double left = priced ? a->price : a->row->max_power_w;
    const double right = priced ? b->price : b->row->max_power_w;
    return gp_num_compare9(left * (double)a->count, right * (double)b->count) < 0;
}

/* What earlier quarters bought, or stands today. */
static gp_stored stored_before(const gp_plan_context *plan) {
    const gp_storage_systems *stated = &plan->spec->cluster.storage_systems;
    const gp_row_list *rows = &plan->parts->storage;
    if (plan->stored != NULL && plan->stored->count > 0)
        return *plan->stored;
    for (size_t i = 0; i < rows->count; i++) {
        const gp_storage_product *row = rows->items[i];
        if (gp_str_equal(row->id, stated->product))
            return (gp_stored){row, stated->count};
    }
    return (gp_stored){0};
}

static gp_stored best_product(const gp_plan_context *plan, const gp_storage_need *need) {
    const gp_row_list *rows = &plan->parts->storage;
    choice best = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const gp_storage_product *row = rows->items[i];
        const choice option = {.row = row,
                               .count = products_for(plan, need, row),
                               .price = gp_plan_item_price(plan, "storage", row->id)};
        if (option.count > 0 && better(&option, &best))
            best = option;
    }
    return (gp_stored){best.row, best.count};
}

/* Most trials ask for what the one before them asked for. What was there before stays, and more of
 * the same is put beside it. */
static gp_stored systems_for(const gp_using *u, const gp_stored *before) {
    const gp_storage_need *need = &u->usage->room.storage;
    const double asked[] = {need->read_bytes_per_s, need->write_bytes_per_s, need->capacity_bytes};
    gp_asked_storage *known = u->plan->asked_storage;
    if (before->product != NULL) {
        const int64_t more = products_for(u->plan, need, before->product);
        return (gp_stored){before->product, gp_num_max_i64(before->count, more)};
    }
    if (!known->known || memcmp(known->need, asked, sizeof asked) != 0) {
        *known = (gp_asked_storage){.known = true, .best = best_product(u->plan, need)};
        memcpy(known->need, asked, sizeof asked);
    }
    return known->best;
}

static int64_t hosts_of(const gp_using *u) {
    int64_t hosts = 0;
    for (size_t k = 0; k < u->plan->unit_count; k++)
        if (u->plan->units[k].cloud == NULL)
            hosts += u->ledger->kinds[k].nodes * hosts_of_one(u->plan, &u->plan->units[k]);
    return hosts;
}

/* Weights alone lie on the drives of the machines, and so do the checkpoints of a machine by
 * itself: only those of several take a system. Where nothing in the catalogue is known well enough,
 * the line has no product. */
static void buy(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const gp_stored before = stored_before(u->plan);
    const bool needed = room->storage.write_hosts > 1 && hosts_of(u) > 1;
    if (u->plan->spec->cluster.storage.count > 0 || (!needed && before.count == 0))
        return;
    const gp_stored best = systems_for(u, &before);
    const bool open = best.product == NULL;
    const int64_t count = open ? 1 : best.count;
    const int64_t there = best.product == before.product ? before.count : 0;
    gp_bill_item *line = gp_usage_line(u, open ? GP_LINE_STORAGE_OPEN : GP_LINE_STORAGE,
                                       open ? NULL : best.product->id, count, count - there);
    if (!(line->unit_price > 0))
        gp_plan_price_line(u->plan, "part", "storage", line);
    room->storage_product = best.product;
    room->storage_products = count;
    if (open)
        return;
    line->unit_w = best.product->max_power_w;
    line->power = GP_REF(best.product, gp_storage_product, max_power_w);
    room->storage_w = line->unit_w * (double)count;
    room->other_u += best.product->height_u * (double)count;
    u->bought_u += best.product->height_u * (double)(count - there);
}

void gp_usage_storage(gp_using *u) {
    for (size_t k = 0; k < u->plan->unit_count; k++)
        gp_storage_need_add(&u->ledger->kinds[k].storage, &u->usage->room.storage);
    set_declared(u);
    buy(u);
}
