/*
 * A service at several sites, or on several kinds of machines at one: its places. Its demand is
 * shared out by whole replicas: as many at the first place as its limits and its machines leave
 * room for beside everybody else, what is left at the next. Every order of few places is tried, on
 * each of the best kinds of machines there. A share is sized as a service with that part of the
 * demand, its own spares included, and stands in the ledger as one; the candidate has their sums.
 * Runs and batches stay together, and so do the pools for prefill and decode of a share.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"

#define PIECE_SLACK 1e-6 /* of a replica's part of the demand, as shares are summed up */

enum {
    KINDS_MOST = 8,       /* that are tried where machines are bought, */
    SITE_KINDS = 3,       /* and at each of several sites */
    ALL_ORDERS = 3,       /* of at most so many sites every order is tried, with all ways at each */
    TRIES_MOST = 64,      /* else turns of the cheapest first, with one way everywhere */
    ALL_CASES = 24,       /* of at most so many workloads every service is looked at */
    ROOM_CASES = 8,       /* of at most so many a service may make room for each of the others */
    MACHINES_MOST = 16,   /* that one share hands on to another */
    TRIED_MOST = 1 << 11, /* kept of the shares that were tried: a power of two */
    SIZED_MOST = 1 << 10, /* and of those that were sized */
    HASH_SHIFT = 48       /* its upper bits hang on all of what it is of */
};

/* ------------------------------------------------------------ where shares may stand */

/* A share of a place. */
typedef struct gp_share_tried {
    double fraction;
    int kind;
} gp_share_tried;

/* Many orders come to the same shares: whether they find their machines is asked once. */
typedef struct gp_shares_tried {
    int64_t spread; /* in which; 0: none */
    bool fits;
    int among; /* of which machines */
    gp_share_tried *shares;
} gp_shares_tried;

/* What the size of a share hangs on, in words without gaps. */
typedef struct share_key {
    int64_t index; /* of the service */
    int64_t look;  /* at what it can do */
    double loss;
    double requests_per_s, traffic_factor; /* of the whole service */
    double fraction;
    int64_t unit, apart;
    gp_serve_layout decode, prefill;
} share_key;

/* The whole demand on the best kinds of machines of one site. */
typedef struct at_site {
    int count;
    gp_candidate best[KINDS_MOST];
    double weights[KINDS_MOST];
    share_key keys[KINDS_MOST]; /* of a share of nothing */
    uint64_t hashes[KINDS_MOST];
} at_site;

/* A share that was sized: orders, moves and turns of services come to the same ones. */
typedef struct gp_share_sized {
    share_key key;
    gp_candidate share;
} gp_share_sized;

/* What a service is shared out with, in room that the next one uses again. */
typedef struct gp_spread_room {
    gp_share_sized *sized;  /* SIZED_MOST */
    int64_t *looks, *times; /* by service: when what it can do was found, and for what demand, */
    int64_t look;           /* and the last of all */
    int64_t spread;         /* the last of all */
    gp_shares_tried *tried; /* TRIED_MOST */
    at_site *sites;         /* by place, and so are the others */
    const gp_candidate **at;
    gp_candidate *own, *shares, *found;
} gp_spread_room;

/* At several sites these; at one each kind that is there, and all that would be bought. */
void gp_spread_places(gp_plan_context *plan) {
    size_t count = plan->site_count > 0 ? plan->site_count : 1;
    plan->places = GP_NEW_ARRAY(plan->arena, size_t, plan->unit_count + 1);
    for (size_t u = 0; u < plan->unit_count && plan->site_count == 0; u++)
        plan->places[u] = plan->units[u].there_nodes > 0 ? count++ : 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (plan->units[u].cloud != NULL)
            plan->places[u] = count;
        else if (plan->site_count > 0)
            plan->places[u] = (size_t)plan->units[u].site;
    }
    plan->place_count = count;
    if (count < 2)
        return;
    const size_t services = plan->spec->workloads.count + plan->spec->growth.adds.count + 1;
    gp_spread_room *room = GP_NEW(plan->arena, gp_spread_room);
    *room = (gp_spread_room){.sized = GP_NEW_ARRAY(plan->arena, gp_share_sized, SIZED_MOST),
                             .looks = GP_NEW_ARRAY(plan->arena, int64_t, services),
                             .times = GP_NEW_ARRAY(plan->arena, int64_t, services),
                             .tried = GP_NEW_ARRAY(plan->arena, gp_shares_tried, TRIED_MOST),
                             .sites = GP_NEW_ARRAY(plan->arena, at_site, count),
                             .at = GP_NEW_ARRAY(plan->arena, const gp_candidate *, count),
                             .own = GP_NEW_ARRAY(plan->arena, gp_candidate, count),
                             .shares = GP_NEW_ARRAY(plan->arena, gp_candidate, count),
                             .found = GP_NEW_ARRAY(plan->arena, gp_candidate, count)};
    for (int i = 0; i < TRIED_MOST; i++)
        room->tried[i].shares = GP_NEW_ARRAY(plan->arena, gp_share_tried, count);
    plan->spread_room = room;
}

void gp_spread_forget_runs(const gp_plan_context *plan, size_t index) {
    gp_spread_room *room = plan->spread_room;
    if (room != NULL)
        room->looks[index] = ++room->look;
}

void gp_spread_forget(const gp_plan_context *plan, size_t index) {
    gp_spread_forget_runs(plan, index);
    if (plan->spread_room != NULL)
        plan->spread_room->times[index] = plan->spread_room->look;
}

/* ------------------------------------------------------------ what is tried */

typedef struct spreading {
    const gp_plan_context *plan;
    const gp_inventory *inventory;
    const gp_allocation *others;
    size_t index;
    const gp_case *c;
    int64_t look, times;
    gp_allocation *scratch;
    at_site *sites;
    size_t *order;     /* of sites */
    int *kinds;        /* by site: which of the best */
    const gp_candidate **at; /* by site: its share */
    double *fractions; /* by site: of the demand; 0: it has none */
    gp_candidate *shares, *found;
    int found_count;
    gp_value value;
    gp_inventory there; /* without purchases for it */
    bool has_there;
} spreading;

static void keep_kind(const gp_plan_context *plan, const gp_candidate *whole, at_site *site) {
    const double weight = gp_spread_weight(plan, whole);
    const int most = plan->site_count > 0 ? SITE_KINDS : KINDS_MOST;
    int at = site->count;
    while (at > 0 && gp_num_compare9(weight, site->weights[at - 1]) < 0)
        at--;
    if (at == most)
        return;
    site->count += site->count < most ? 1 : 0;
    for (int k = site->count - 1; k > at; k--) {
        site->best[k] = site->best[k - 1];
        site->weights[k] = site->weights[k - 1];
    }
    site->best[at] = *whole;
    site->weights[at] = weight;
}

/* What it is shared out by: replicas that carry load, or machines where pools share the load. */
static int64_t pieces_of(const gp_candidate *whole) {
    return whole->split.present ? whole->nodes : whole->replicas - whole->spare_replicas;
}

/* The whole demand on one kind of machine, in the way that takes the fewest GPUs. */
static bool keep_way(const spreading *s, const gp_case *whole, size_t unit) {
    const gp_plan_context *plan = s->plan;
    gp_candidate candidate;
    gp_size_fewest(whole, unit, gp_size_any(plan, unit), &candidate);
    const int64_t least = s->c->workload->placement.survives != NULL ? 1 : 2;
    if (!candidate.feasible || pieces_of(&candidate) < least)
        return false;
    gp_price_candidate(whole, s->inventory->owned[unit], &candidate);
    keep_kind(plan, &candidate, &s->sites[plan->places[unit]]);
    return candidate.split.present;
}

/* The replicas that carry the most on the machines that stand there. */
typedef struct fullest {
    const gp_case *c;
    int64_t nodes;
    double per_s;
    gp_candidate way;
} fullest;

static double carries_most(void *to, const gp_candidate *way) {
    fullest *f = to;
    const gp_serve_capability *found = gp_size_capability(f->c, way);
    const int64_t gpus = gp_serve_layout_gpus(&way->serve_layout);
    const int64_t each = way->unit->machine.gpus;
    const int64_t count =
        gpus <= each ? f->nodes * (each / gpus) : f->nodes / ((gpus + each - 1) / each);
    if (!way->feasible || way->split.present || found == NULL || count <= 0)
        return 0;
    const double per_s = gp_size_carried(f->c, found, count) * (double)count;
    if (per_s > f->per_s) {
        f->per_s = per_s;
        f->way = *way;
    }
    return 0;
}

/* Of the whole demand the way that takes the fewest GPUs need not be the one that carries the most
 * of it on a few machines. */
static void keep_fullest(const spreading *s, const gp_case *whole, size_t unit) {
    fullest f = {.c = whole, .nodes = s->inventory->owned[unit]};
    at_site *site = &s->sites[s->plan->places[unit]];
    bool known = s->plan->site_count > 0 || f.nodes <= 0;
    if (!known)
        gp_size_counts(whole, unit, gp_size_any(s->plan, unit), carries_most, &f);
    for (int k = 0; k < site->count; k++)
        known = known || gp_option_alike(&site->best[k], &f.way);
    if (known || !f.way.present || pieces_of(&f.way) < 2)
        return;
    gp_price_candidate(whole, f.nodes, &f.way);
    keep_kind(s->plan, &f.way, site);
}

static uint64_t mixed(uint64_t hash, const void *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        memcpy(&word, (const char *)words + i * sizeof word, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    }
    return hash;
}

static void set_keys(const spreading *s, at_site *site) {
    for (int k = 0; k < site->count; k++) {
        const gp_candidate *like = &site->best[k];
        const bool apart = like->split.present;
        const gp_serve_capability *found = apart ? NULL : gp_size_capability(s->c, like);
        site->keys[k] = (share_key){.index = (int64_t)s->index,
                                    .look = apart ? s->look : s->times,
                                    .loss = found != NULL ? found->simulated_loss : 0,
                                    .requests_per_s = s->c->demand.requests_per_s,
                                    .traffic_factor = s->c->demand.traffic_factor,
                                    .unit = like->unit - s->plan->units,
                                    .apart = apart ? 1 : 0,
                                    .decode = like->serve_layout,
                                    .prefill = like->split.layouts.prefill};
        site->hashes[k] = mixed(0, &site->keys[k], sizeof site->keys[k] / sizeof *site->hashes);
    }
}

/* Where more than one site has a way to carry it; pools for prefill and decode beside replicas that
 * do both. */
static bool find_kinds(spreading *s) {
    const gp_plan_context *plan = s->plan;
    gp_workload workload;
    const gp_case whole = gp_spread_case(s->c, NULL, 1, &workload);
    gp_case together = whole;
    size_t sites = 0;
    together.split_mode = GP_SPLIT_NEVER;
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (plan->places[u] == plan->place_count || !gp_options_allow(s->c, s->inventory, u))
            continue;
        if (keep_way(s, &whole, u) && whole.split_mode == GP_SPLIT_AUTO)
            (void)keep_way(s, &together, u);
        if (whole.split_mode != GP_SPLIT_ALWAYS)
            keep_fullest(s, &together, u);
    }
    for (size_t k = 0; k < plan->place_count; k++) {
        set_keys(s, &s->sites[k]);
        sites += s->sites[k].count > 0 ? 1 : 0;
    }
    return sites > 1;
}

/* Another share takes the place of one that is some site's: that site has it for itself. */
static void keep_shown(const spreading *s, const gp_share_sized *slot) {
    gp_candidate *own = s->plan->spread_room->own;
    for (size_t k = 0; k < s->plan->place_count; k++)
        if (s->at[k] == &slot->share) {
            own[k] = slot->share;
            s->at[k] = &own[k];
        }
}

/* The share of a site that so much of the demand takes there; false where none is enough. */
static bool size_share(const spreading *s, size_t site, double fraction) {
    const int kind = s->kinds[site];
    share_key key = s->sites[site].keys[kind];
    const uint64_t hash = mixed(s->sites[site].hashes[kind], &fraction, 1);
    gp_share_sized *slot = &s->plan->spread_room->sized[hash >> HASH_SHIFT & (SIZED_MOST - 1)];
    key.fraction = fraction;
    if (memcmp(&slot->key, &key, sizeof key) != 0) {
        gp_workload workload;
        const gp_case part = gp_spread_case(s->c, NULL, fraction, &workload);
        keep_shown(s, slot);
        slot->key = key;
        gp_size_like(&part, &s->sites[site].best[kind], &slot->share);
        gp_price_candidate(&part, 0, &slot->share);
        slot->share.share_fraction = fraction;
    }
    s->at[site] = &slot->share;
    return s->at[site]->feasible;
}

static int collect(spreading *s) {
    int count = 0;
    for (size_t k = 0; k < s->plan->place_count; k++)
        if (s->fractions[k] > 0)
            s->shares[count++] = *s->at[k];
    return count;
}

/* What they find their machines among: what stands there, all there is to have, or that in the
 * order in which they are kept; or that parts of them were moved from one to another. */
enum { AMONG_THERE, AMONG_ALL, AMONG_KEPT, AMONG_SHIFTED };

/* Of a place without a share it does not matter, unless it may get one. */
static int kind_at(const spreading *s, int among, size_t place) {
    return s->fractions[place] > 0 || among == AMONG_SHIFTED ? s->kinds[place] : -1;
}

/* Where it is kept whether the shares fit; another may be there. */
static gp_shares_tried *slot_of(const spreading *s, int among) {
    uint64_t hash = (uint64_t)among;
    for (size_t k = 0; k < s->plan->place_count; k++)
        hash = mixed(hash ^ (uint64_t)kind_at(s, among, k), &s->fractions[k], 1);
    return &s->plan->spread_room->tried[hash >> HASH_SHIFT & (TRIED_MOST - 1)];
}

static bool is_tried(const spreading *s, int among, const gp_shares_tried *slot) {
    bool same = slot->spread == s->plan->spread_room->spread && slot->among == among;
    for (size_t k = 0; same && k < s->plan->place_count; k++)
        same = !(slot->shares[k].fraction < s->fractions[k]) &&
               !(slot->shares[k].fraction > s->fractions[k]) &&
               slot->shares[k].kind == kind_at(s, among, k);
    return same;
}

static bool note(const spreading *s, int among, bool fits, gp_shares_tried *slot) {
    slot->spread = s->plan->spread_room->spread;
    slot->fits = fits;
    slot->among = among;
    for (size_t k = 0; k < s->plan->place_count; k++)
        slot->shares[k] = (gp_share_tried){s->fractions[k], kind_at(s, among, k)};
    return fits;
}

/* The shares find their machines and keep to all limits. */
static bool fits(spreading *s, const gp_inventory *inventory, int count) {
    gp_candidate sum;
    gp_options one = {.count = 1, .room = 1, .items = &sum};
    if (count == 1)
        sum = s->shares[0];
    else
        gp_spread_sum(s->c, s->shares, count, &sum);
    if (count > 1 && sum.availability_fraction < s->c->workload->goal.slo.availability)
        return false;
    return gp_allocate_one(s->plan, inventory, s->others, s->index, &one, s->scratch) !=
           GP_UNPLACED;
}

/* The share of a site is made another; false where that finds no place. */
static bool try_share(spreading *s, const gp_inventory *inventory, size_t site, double fraction) {
    s->fractions[site] = fraction;
    const int among = inventory == &s->there ? AMONG_THERE : AMONG_ALL;
    gp_shares_tried *slot = slot_of(s, among);
    const bool tried = is_tried(s, among, slot);
    if (tried && !slot->fits)
        return false;
    if (!size_share(s, site, fraction))
        return note(s, among, false, slot);
    return tried || note(s, among, fits(s, inventory, collect(s)), slot);
}

/* What of the demand one replica carries there. */
static double piece_of(const spreading *s, size_t site) {
    const gp_candidate *whole = &s->sites[site].best[s->kinds[site]];
    const double carried =
        whole->split.present ? 1 : whole->utilization * (1 + s->c->gpu_headroom_fraction);
    return gp_num_min(1, 1 / ((double)pieces_of(whole) * carried));
}

/* As much of what is left as finds its place at a site beside what it has already, by whole
 * replicas. */
static double fill_site(spreading *s, const gp_inventory *inventory, size_t site, double left) {
    const double one = piece_of(s, site);
    const double has = s->fractions[site];
    if (try_share(s, inventory, site, has + left))
        return left;
    int64_t low = 0;
    int64_t high = gp_num_ceil_count(left / one);
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (try_share(s, inventory, site, has + (double)middle * one))
            low = middle;
        else
            high = middle;
    }
    s->fractions[site] = has + (double)low * one;
    if (s->fractions[site] > 0)
        (void)size_share(s, site, s->fractions[site]);
    return (double)low * one;
}

static void put_largest_first(gp_candidate *shares, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && shares[k].gpus > shares[k - 1].gpus; k--) {
            const gp_candidate moved = shares[k];
            shares[k] = shares[k - 1];
            shares[k - 1] = moved;
        }
}

/* Each as full as it gets, in the order of the sites; what is left then. */
static double fill_sites(spreading *s, const gp_inventory *inventory, double left) {
    for (size_t k = 0; k < s->plan->place_count && left > 0; k++) {
        if (s->sites[s->order[k]].count == 0)
            continue;
        const double taken = fill_site(s, inventory, s->order[k], left);
        left = gp_num_near(taken, left) ? 0 : left - taken;
    }
    return left;
}

static void keep_best(spreading *s) {
    const int count = collect(s);
    gp_shares_tried *slot = slot_of(s, AMONG_KEPT);
    if (count < 2 || is_tried(s, AMONG_KEPT, slot))
        return;
    put_largest_first(s->shares, count);
    if (!note(s, AMONG_KEPT, fits(s, s->inventory, count), slot) ||
        (s->found_count > 0 && gp_value_compare(s->plan, &s->scratch->value, &s->value) >= 0))
        return;
    memcpy(s->found, s->shares, (size_t)count * sizeof *s->found);
    s->found_count = count;
    gp_value_copy(s->plan, &s->scratch->value, &s->value);
}

/* What stands there with all that the others buy, and no more; false where the service finds none
 * of it free. */
static bool set_there(spreading *s) {
    const gp_plan_context *plan = s->plan;
    const gp_options none = {0};
    bool free = false;
    (void)gp_allocate_one(plan, s->inventory, s->others, s->index, &none, s->scratch);
    s->there.may_buy = false;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &s->scratch->ledger.kinds[u];
        s->there.owned[u] = s->inventory->owned[u] + kind->bought;
        s->there.there[u] = s->inventory->there[u] + kind->bought;
        free = free || (kind->owned < s->inventory->owned[u] && plan->units[u].cloud == NULL);
    }
    return free && s->inventory->may_buy;
}

static bool set_share(spreading *s, size_t site, double fraction) {
    s->fractions[site] = fraction;
    return size_share(s, site, fraction);
}

/* What brings a share down to the next whole number of its replicas. */
static double last_piece(const spreading *s, size_t site) {
    const double piece = piece_of(s, site);
    const int64_t pieces = gp_num_ceil_count(s->fractions[site] / piece - PIECE_SLACK);
    return s->fractions[site] - (double)(pieces - 1) * piece;
}

/* So much is taken off one share for another; false, and nothing is, where it finds no place or
 * takes more than so many machines. */
static bool move_part(spreading *s, size_t from, size_t to, double part, int64_t most_nodes) {
    const double had = s->fractions[from];
    const double has = s->fractions[to];
    if (had > part * (1 + PIECE_SLACK) && set_share(s, to, has + part) &&
        s->at[to]->nodes <= most_nodes && set_share(s, from, had - part)) {
        keep_best(s);
        return true;
    }
    (void)set_share(s, to, has);
    (void)set_share(s, from, had);
    return false;
}

/* What a share has room for on the machines that it takes anyway is taken off another, and then a
 * machine's worth at a time where that moves no spares. There need be no share to begin with. */
static void shift(spreading *s, size_t from, size_t to) {
    bool moved = s->fractions[from] > 0 && s->sites[to].count > 0;
    for (int machines = 0; moved && machines < MACHINES_MOST; machines++) {
        const gp_candidate *whole = &s->sites[to].best[s->kinds[to]];
        const double each = gp_num_max(1, (double)pieces_of(whole) / (double)whole->nodes);
        const int64_t nodes = s->fractions[to] > 0 ? s->at[to]->nodes : 0;
        while (move_part(s, from, to, last_piece(s, from), nodes))
            ;
        moved = !(s->c->workload->goal.slo.availability > 0) &&
                move_part(s, from, to, piece_of(s, to) * each, nodes + 1);
    }
}

/* The first few sites with equal shares, of which any may be lost. */
static void try_survivors(spreading *s) {
    const size_t count = s->plan->place_count;
    for (size_t most = 2; most <= count; most++) {
        bool sized = true;
        for (size_t k = 0; k < count; k++) {
            const size_t site = s->order[k];
            s->fractions[site] = 0;
            if (k < most)
                sized =
                    sized && s->sites[site].count > 0 && set_share(s, site, 1 / (double)(most - 1));
        }
        if (sized)
            keep_best(s);
    }
}

/* Every part that any share can do without for any other; once, of those that many orders come
 * to. */
static void shift_all(spreading *s) {
    const size_t places = s->plan->place_count;
    gp_shares_tried *slot = slot_of(s, AMONG_SHIFTED);
    if (s->plan->site_count > 0 || is_tried(s, AMONG_SHIFTED, slot))
        return;
    (void)note(s, AMONG_SHIFTED, true, slot);
    for (size_t k = 0; k < places; k++)
        for (size_t other = 0; other < places; other++)
            if (k != other)
                shift(s, k, other);
}

/* The sites as full as they get, and first as full as what stands there allows. */
static void try_order(spreading *s) {
    if (s->c->workload->placement.survives != NULL) {
        try_survivors(s);
        return;
    }
    for (int owned = 0; owned < (s->has_there ? 2 : 1); owned++) {
        double left = 1;
        for (size_t k = 0; k < s->plan->place_count; k++)
            s->fractions[k] = 0;
        if (owned == 1)
            left = fill_sites(s, &s->there, left);
        if (left > 0)
            left = fill_sites(s, s->inventory, left);
        if (left > 0)
            continue;
        keep_best(s);
        shift_all(s);
    }
}

/* Every way at every site. */
static void try_ways(spreading *s, size_t site) {
    if (site == s->plan->place_count) {
        try_order(s);
        return;
    }
    const int count = s->sites[site].count > 1 ? s->sites[site].count : 1;
    for (s->kinds[site] = 0; s->kinds[site] < count; s->kinds[site]++)
        try_ways(s, site + 1);
    s->kinds[site] = 0;
}

/* Every order of the sites from `at` on. */
static void try_orders(spreading *s, size_t at) {
    if (at + 1 >= s->plan->place_count) {
        try_ways(s, 0);
        return;
    }
    for (size_t k = at; k < s->plan->place_count; k++) {
        const size_t moved = s->order[k];
        memmove(&s->order[at + 1], &s->order[at], (k - at) * sizeof *s->order);
        s->order[at] = moved;
        try_orders(s, at + 1);
        memmove(&s->order[at], &s->order[at + 1], (k - at) * sizeof *s->order);
        s->order[k] = moved;
    }
}

/* Each site first in its turn, the others behind it by what they cost. */
static void try_turns(spreading *s) {
    const size_t count = s->plan->place_count;
    int tries = 0;
    for (size_t first = 0; first < count; first++) {
        const size_t moved = s->order[first];
        memmove(&s->order[1], &s->order[0], first * sizeof *s->order);
        s->order[0] = moved;
        for (int way = 0; way < KINDS_MOST && tries < TRIES_MOST; way++, tries++) {
            for (size_t k = 0; k < count; k++)
                s->kinds[k] = way < s->sites[k].count ? way : 0;
            try_order(s);
        }
        memmove(&s->order[0], &s->order[1], first * sizeof *s->order);
        s->order[first] = moved;
    }
}

/* The cheapest first, so that the best is among the orders that are tried. */
static void order_sites(spreading *s) {
    for (size_t i = 0; i < s->plan->place_count; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            const at_site *before = &s->sites[s->order[at - 1]];
            const at_site *site = &s->sites[i];
            if (site->count == 0 ||
                (before->count > 0 && gp_num_compare9(before->weights[0], site->weights[0]) <= 0))
                break;
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = i;
    }
}

static void start(spreading *s) {
    gp_arena *arena = s->plan->arena;
    const size_t sites = s->plan->place_count;
    const gp_spread_room *room = s->plan->spread_room;
    s->sites = room->sites;
    s->at = room->at;
    s->shares = room->shares;
    s->found = room->found;
    for (size_t k = 0; k < sites; k++)
        s->sites[k].count = 0;
    s->order = GP_NEW_ARRAY(arena, size_t, sites);
    s->kinds = GP_NEW_ARRAY(arena, int, sites);
    s->fractions = GP_NEW_ARRAY(arena, double, sites);
    s->there = *s->inventory;
    s->there.owned = GP_NEW_ARRAY(arena, int64_t, s->plan->unit_count + 1);
    s->there.there = GP_NEW_ARRAY(arena, int64_t, s->plan->unit_count + 1);
    s->value.missing = GP_NEW_ARRAY(arena, int64_t, s->plan->class_count + 1);
}

/* In a list of its own, since others may read the one that was. */
static void append(const spreading *s, gp_options *options) {
    const size_t count = options->count;
    gp_candidate *items = GP_NEW_ARRAY(s->plan->arena, gp_candidate, count + 1);
    if (count > 0)
        memcpy(items, options->items, count * sizeof *items);
    gp_candidate *shares = GP_NEW_ARRAY(s->plan->arena, gp_candidate, (size_t)s->found_count);
    memcpy(shares, s->found, (size_t)s->found_count * sizeof *shares);
    gp_spread_sum(s->c, shares, s->found_count, &items[count]);
    options->items = items;
    options->count = options->room = count + 1;
}

/* Machines are there and free. */
static bool has_free(const gp_plan_context *plan, const gp_inventory *inventory,
                     const gp_allocation *best) {
    for (size_t u = 0; u < plan->unit_count; u++)
        if (best->ledger.kinds[u].nodes < inventory->owned[u])
            return true;
    return false;
}

/* It buys or rents machines while others stand free. */
static bool buys_beside_free(const gp_plan_context *plan, const gp_inventory *inventory,
                             const gp_allocation *a, size_t i) {
    const size_t unit = (size_t)(a->chosen[i]->unit - plan->units);
    const bool more = a->ledger.kinds[unit].bought > 0 || plan->units[unit].cloud != NULL;
    return more && has_free(plan, inventory, a);
}

/* At one site and by an objective that nobody stated there is something to share out only where it
 * has no place in one piece, or buys machines for it while others stand free. */
static bool has_reason(const spreading *s, const gp_options *options) {
    return s->plan->site_count > 0 || !s->plan->keeps_owned ||
           gp_allocate_one(s->plan, s->inventory, s->others, s->index, options, s->scratch) ==
               GP_UNPLACED ||
           buys_beside_free(s->plan, s->inventory, s->scratch, s->index);
}

bool gp_spread_may(const gp_case *c) {
    const gp_plan_context *plan = c->plan;
    const bool pinned = plan->site_count == 0 && c->workload->placement.pool != NULL;
    return plan->place_count > 1 && c->kind == GP_DEMAND_CONTINUOUS && !c->offline &&
           c->out->is_serving && c->out->has_goal && !c->counted && !pinned &&
           c->workload->placement.shares.count == 0;
}

void gp_spread_ways(const gp_plan_context *plan, const gp_inventory *inventory,
                    const gp_allocation *others, size_t index, const gp_case *c,
                    gp_allocation *scratch, gp_options *options) {
    spreading s = {.plan = plan,
                   .inventory = inventory,
                   .others = others,
                   .index = index,
                   .c = c,
                   .scratch = scratch};
    if (!gp_spread_may(c))
        return;
    plan->spread_room->spread++;
    /* A changed one is looked at by itself. */
    if (c != &plan->cases[index])
        s.look = s.times = ++plan->spread_room->look;
    else {
        s.look = plan->spread_room->looks[index];
        s.times = plan->spread_room->times[index];
    }
    start(&s);
    if (!has_reason(&s, options) || !find_kinds(&s))
        return;
    order_sites(&s);
    s.has_there = set_there(&s);
    if (plan->place_count <= ALL_ORDERS)
        try_orders(&s, 0);
    else
        try_turns(&s);
    if (s.found_count > 0)
        append(&s, options);
}

/* ------------------------------------------------------------ all services */

/* Of many services only those are looked at that have no place, that limits keep from a better one,
 * or that buy machines while others stand free; when the choice is made again, of those the ones
 * whose options were found again. */
static bool may_gain(const gp_plan_context *plan, const gp_inventory *inventory, size_t i,
                     gp_allocation *scratch, const gp_allocation *best) {
    gp_inventory lifted = *inventory;
    lifted.lifted = plan->all_limits;
    if (plan->case_count <= ALL_CASES || best->picks[i] == GP_UNPLACED)
        return true;
    if (best->again && !plan->cases[i].fresh)
        return false;
    if (buys_beside_free(plan, inventory, best, i))
        return true;
    return plan->site_count > 0 &&
           gp_allocate_one(plan, &lifted, best, i, &plan->ways[i], scratch) != GP_UNPLACED &&
           gp_value_compare(plan, &scratch->value, &best->value) < 0;
}

/* Shared out it is better than it is now; the others stay as they are. */
static bool gains(gp_plan_context *plan, const gp_inventory *inventory, size_t i,
                  gp_allocation *scratch, gp_allocation *best, gp_options *options) {
    gp_spread_ways(plan, inventory, best, i, &plan->cases[i], scratch, options);
    const int shared = (int)options->count - 1;
    return options->count > plan->ways[i].count &&
           gp_allocate_one(plan, inventory, best, i, options, scratch) == shared &&
           (best->picks[i] == GP_UNPLACED ||
            gp_value_compare(plan, &scratch->value, &best->value) < 0);
}

static bool spread_one(gp_plan_context *plan, const gp_inventory *inventory, size_t i,
                       gp_allocation *scratch, gp_allocation *best) {
    gp_options options = plan->ways[i];
    if (!may_gain(plan, inventory, i, scratch, best) ||
        !gains(plan, inventory, i, scratch, best, &options))
        return false;
    plan->ways[i] = options;
    best->picks[i] = (int)options.count - 1;
    (void)gp_allocation_judge(plan, inventory, best);
    return true;
}

/* The service is shared out over what the trial leaves. */
static bool share_in(gp_plan_context *plan, const gp_inventory *inventory, size_t service,
                     gp_allocation *trial, gp_allocation *scratch, gp_options *options) {
    gp_spread_ways(plan, inventory, trial, service, &plan->cases[service], scratch, options);
    trial->picks[service] = options->count > plan->ways[service].count
                                ? gp_allocate_one(plan, inventory, trial, service, options, scratch)
                                : GP_UNPLACED;
    return trial->picks[service] != GP_UNPLACED;
}

static void take_trial(gp_plan_context *plan, const gp_inventory *inventory, size_t service,
                       const gp_options *options, const gp_allocation *trial, gp_allocation *best) {
    plan->ways[service] = *options;
    memcpy(best->picks, trial->picks, plan->case_count * sizeof *best->picks);
    (void)gp_allocation_judge(plan, inventory, best);
}

/* The service makes room for a workload that has no place, or buys machines, on those that stand
 * there: that one goes where the service is, and the service is shared out over what is left. */
static bool make_room(gp_plan_context *plan, const gp_inventory *inventory, size_t service,
                      size_t index, gp_allocation *trial, gp_allocation *scratch,
                      gp_allocation *best) {
    gp_inventory there = *inventory;
    gp_options options = plan->ways[service];
    there.may_buy = false;
    memcpy(trial->picks, best->picks, plan->case_count * sizeof *trial->picks);
    trial->options = best->options;
    trial->picks[service] = GP_UNPLACED;
    trial->picks[index] = gp_allocate_one(plan, &there, trial, index, &plan->ways[index], scratch);
    if (trial->picks[index] == GP_UNPLACED ||
        !share_in(plan, inventory, service, trial, scratch, &options) ||
        gp_value_compare(plan, &scratch->value, &best->value) >= 0)
        return false;
    take_trial(plan, inventory, service, &options, trial, best);
    return true;
}

/* A workload makes way for a service that buys machines: the service is shared out over what stands
 * there and more, and the workload goes where it then finds a place. */
static bool make_way(gp_plan_context *plan, const gp_inventory *inventory, size_t service,
                     size_t index, gp_allocation *trial, gp_allocation *scratch,
                     gp_allocation *best) {
    gp_options options = plan->ways[service];
    memcpy(trial->picks, best->picks, plan->case_count * sizeof *trial->picks);
    trial->options = best->options;
    trial->picks[service] = trial->picks[index] = GP_UNPLACED;
    if (!share_in(plan, inventory, service, trial, scratch, &options))
        return false;
    const gp_options ways = plan->ways[service];
    plan->ways[service] = options;
    trial->picks[index] =
        gp_allocate_one(plan, inventory, trial, index, &plan->ways[index], scratch);
    plan->ways[service] = ways;
    if (trial->picks[index] == GP_UNPLACED ||
        gp_value_compare(plan, &scratch->value, &best->value) >= 0)
        return false;
    take_trial(plan, inventory, service, &options, trial, best);
    return true;
}

static bool wants_room(const gp_plan_context *plan, const gp_allocation *a, size_t i) {
    return a->chosen[i] == NULL || a->chosen[i]->unit->cloud != NULL ||
           a->ledger.kinds[a->chosen[i]->unit - plan->units].bought > 0;
}

/* Of few workloads each that wants room asks each service that stands on what is there, and each
 * service that does asks each workload, where there is one site. */
static bool make_rooms(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *scratch,
                       gp_allocation *best) {
    gp_allocation trial;
    bool changed = false;
    if (plan->case_count > ROOM_CASES)
        return false;
    gp_allocation_init(plan, &trial);
    for (size_t k = 0; k < plan->case_count; k++)
        for (size_t i = 0; i < plan->case_count; i++) {
            if (i == k || !wants_room(plan, best, k) || wants_room(plan, best, i))
                continue;
            if (plan->cases[i].out->is_serving && has_free(plan, inventory, best))
                changed |= make_room(plan, inventory, i, k, &trial, scratch, best);
            if (plan->site_count == 0 && gp_spread_may(&plan->cases[k]))
                changed |= make_way(plan, inventory, k, i, &trial, scratch, best);
        }
    return changed;
}

/* All anew, one after another, each service shared out over what those before it leave. */
static bool place_in_order(gp_plan_context *plan, const gp_inventory *inventory,
                           const size_t *order, gp_options *ways, gp_allocation *trial,
                           gp_allocation *scratch, gp_allocation *best) {
    gp_options *const before = plan->ways;
    memcpy(ways, before, plan->case_count * sizeof *ways);
    for (size_t i = 0; i < plan->case_count; i++)
        trial->picks[i] = GP_UNPLACED;
    trial->options = plan->ways = ways;
    for (size_t k = 0; k < plan->case_count; k++) {
        const size_t i = order[k];
        gp_options options = ways[i];
        gp_spread_ways(plan, inventory, trial, i, &plan->cases[i], scratch, &options);
        trial->picks[i] = gp_allocate_one(plan, inventory, trial, i, &options, scratch);
        ways[i] = options;
    }
    plan->ways = before;
    if (!gp_allocation_judge(plan, inventory, trial) ||
        gp_value_compare(plan, &trial->value, &best->value) >= 0)
        return false;
    memcpy(before, ways, plan->case_count * sizeof *ways);
    memcpy(best->picks, trial->picks, plan->case_count * sizeof *best->picks);
    (void)gp_allocation_judge(plan, inventory, best);
    return true;
}

/* At several sites whoever is placed first takes what others would rather have: of few workloads
 * every order is tried, of more each first. */
static bool try_priorities(gp_plan_context *plan, const gp_inventory *inventory,
                           gp_allocation *scratch, gp_allocation *best) {
    const size_t count = plan->case_count;
    if (count < 2 || count > ROOM_CASES || plan->site_count == 0)
        return false;
    gp_allocation trial;
    gp_options *ways = GP_NEW_ARRAY(plan->arena, gp_options, count);
    size_t *order = GP_NEW_ARRAY(plan->arena, size_t, count);
    size_t orders = count;
    bool changed = false;
    gp_allocation_init(plan, &trial);
    for (size_t k = count - 1; count <= ALL_ORDERS && k > 1; k--)
        orders *= k;
    for (size_t n = 0; n < orders; n++) {
        size_t rest = n;
        memcpy(order, plan->order, count * sizeof *order);
        for (size_t k = 0; k < count && rest > 0; rest /= count - k, k++) {
            const size_t at = k + rest % (count - k);
            const size_t moved = order[at];
            memmove(&order[k + 1], &order[k], (at - k) * sizeof *order);
            order[k] = moved;
        }
        changed |= place_in_order(plan, inventory, order, ways, &trial, scratch, best);
    }
    return changed;
}

void gp_spread_services(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *best) {
    gp_allocation scratch;
    bool changed = true;
    if (plan->place_count < 2 || plan->options->hold != NULL)
        return;
    gp_allocation_init(plan, &scratch);
    for (int round = 0; round < GP_PLAN_ROUNDS_MAX && changed; round++) {
        changed = false;
        for (size_t k = 0; k < plan->case_count; k++)
            changed |= spread_one(plan, inventory, plan->order[k], &scratch, best);
        changed = changed || make_rooms(plan, inventory, &scratch, best);
        changed = changed || try_priorities(plan, inventory, &scratch, best);
        for (size_t k = 0; k < plan->case_count && !changed; k++)
            changed = gp_spread_may(&plan->cases[plan->order[k]]) &&
                      gp_spread_refine(plan, inventory, plan->order[k], &scratch, best);
        if (changed)
            gp_allocate(plan, inventory, best);
    }
}
