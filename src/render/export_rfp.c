/*
 * Requirements of a tender: a numbered list with a class each (minimum, option, wish), how it is
 * verified and the figure of the report that it comes from, then the acceptance tests. In the
 * neutral form no product is named outside the annex, and minimums are what the workloads need of a
 * machine, not what the planned one has. Thresholds are ordinary numbers on the side on which the
 * plan passes; what is measured stands at the edge of its error band. What a plan does not know,
 * such as terms of warranty, is left to the buyer in so many words.
 */
#include "render/block.h"
#include "render/csv.h"
#include "render/export.h"

enum { ROWS_MAX = 400, LETTERS = 26 };

typedef enum row_class { MINIMUM, OPTION, WISH, TEST } row_class;

static const char *const class_words[] = {"minimum", "option", "wish", "test"};

typedef struct row {
    row_class rank;
    const char *subject;
    const char *text;
    const char *value;
    const char *verified;
    const char *figure; /* path in the report */
} row;

typedef struct list {
    gp_export_out *out;
    gp_form_out *form;
    const gp_report *report;
    bool neutral;
    size_t count;
    row rows[ROWS_MAX];
} list;

static void add(list *it, row_class rank, const char *subject, const char *text, const char *value,
                const char *verified, const char *figure) {
    if (it->count < ROWS_MAX)
        it->rows[it->count++] = (row){rank, subject, text, value, verified, figure};
    else if (it->form->buf->st == GP_OK)
        it->form->buf->st = GP_ERR_LIMIT;
}

/* What was planned passes, and a need is covered. */
typedef struct bound {
    const char *word;
    bool up;
} bound;

static const bound at_least[1] = {{"at least", false}};
static const bound needed[1] = {{"at least", true}};
static const bound at_most[1] = {{"at most", true}};
static const char data_sheet[] = "data sheet in the offer";
static const char delivery[] = "inventory at delivery";

/* Ordinary numbers: whole ones of a unit from ten on, and below that with one decimal. */
static double ordinary(double value, gp_dim dim, bool up) {
    enum { BINARY = 1024, DECIMAL = 1000, TEN = 10 };
    const double step = dim == GP_DIM_BYTES ? BINARY : DECIMAL;
    double unit = 1;
    while (value / unit >= step)
        unit *= step;
    const double part = value / unit < TEN ? unit / TEN : unit;
    const double exact = value / part;
    const double whole = up ? ceil(exact) : floor(exact);
    return gp_num_compare9(exact, floor(exact + 0.5)) == 0 ? value : whole * part;
}

static const char *figure_text(list *it, const bound *side, double value, gp_dim dim) {
    char *text = gp_quantity_format_side(it->form->buf->arena, ordinary(value, dim, side->up), dim,
                                         side->up, it->report->cost.currency);
    return gp_form_text(it->form, "%s %s", side->word, gp_form_or(text, ""));
}

/* A row only where the report has the figure. */
static void add_figure(list *it, row_class rank, const char *subject, const char *text,
                       const bound *side, double value, gp_dim dim, const char *verified,
                       const char *figure) {
    if (isfinite(value) && value > 0)
        add(it, rank, subject, text, figure_text(it, side, value, dim), verified, figure);
}

/* "dgx-h200", or what a neutral text calls it. */
static const char *product(const list *it, const char *name, const char *plain) {
    return it->neutral ? plain : gp_export_comment(it->out, gp_form_or(name, plain));
}

/* Of the workloads that run on the site: what is rented is neither delivered nor tested there. */
static const gp_report_workload *next_here(list *it, gp_export_place *at) {
    const gp_report_workload *ret = gp_export_next(it->out, at);
    while (ret != NULL && gp_form_is_rented(&ret->recommendation.chosen))
        ret = gp_export_next(it->out, at);
    return ret;
}

/* ---- machines: the kinds that are bought, as the bill has them */

static bool is_bought_kind(const gp_report_bill *line) {
    return gp_str_equal(line->role, "machine") && line->id != NULL && line->bought > 0;
}

static int64_t bought_of(const list *it, const char *system) {
    int64_t count = 0;
    for (size_t i = 0; i < it->report->site.bill.count; i++) {
        const gp_report_bill *line = &it->report->site.bill.items[i];
        count += is_bought_kind(line) && gp_str_equal(line->id, system) ? line->bought : 0;
    }
    return count;
}

/* Whether a line is the first of its kind of machine on the bill. */
static bool opens_kind(const list *it, size_t index) {
    const gp_report_bill *items = it->report->site.bill.items;
    for (size_t i = 0; i < index; i++)
        if (is_bought_kind(&items[i]) && gp_str_equal(items[i].id, items[index].id))
            return false;
    return is_bought_kind(&items[index]);
}

/* What the workloads need of a kind: the most of each, with the path of who needs it. */
typedef struct kind_need {
    gp_report_candidate one;
    const char *path, *memory_path, *domain_path, *cores_path; /* NULL: nobody needs it */
    double memory_bytes;
    int64_t domain, cores;
} kind_need;

/* With the share of memory that is to stay free. */
static double memory_need(const gp_report_workload *work) {
    const double asked = work->memory.headroom_asked_fraction;
    const double used = work->recommendation.chosen.memory_bytes;
    return isfinite(asked) && asked < 1 ? used / (1 - asked) : used;
}

/* Tensor parallel ranks on a kind: of shares that are laid out differently the whole has none. */
static void widen(list *it, const gp_report_candidate *chosen, const char *system, const char *path,
                  kind_need *need) {
    if (chosen->tp > need->domain) {
        need->domain = chosen->tp;
        need->domain_path = path;
    }
    for (size_t i = 0; i < chosen->shares.count; i++)
        if (gp_str_equal(chosen->shares.items[i].system, system) &&
            chosen->shares.items[i].tp > need->domain) {
            need->domain = chosen->shares.items[i].tp;
            need->domain_path = gp_form_text(it->form, "%s.shares.%zu", path, i);
        }
}

static kind_need need_of(list *it, const char *system) {
    kind_need ret = {0};
    gp_export_place at = {0};
    for (const gp_report_workload *work = next_here(it, &at); work != NULL;
         work = next_here(it, &at)) {
        const gp_report_candidate *chosen = &work->recommendation.chosen;
        if (!gp_str_equal(chosen->system, system))
            continue;
        const char *path =
            gp_form_text(it->form, "workloads.%zu.recommendation.chosen", at.workload);
        ret.one = ret.path != NULL ? ret.one : *chosen;
        ret.path = gp_form_or(ret.path, path);
        if (memory_need(work) > ret.memory_bytes) {
            ret.memory_bytes = memory_need(work);
            ret.memory_path = path;
        }
        widen(it, chosen, system, path, &ret);
        if (work->host.cores_need > ret.cores) {
            ret.cores = work->host.cores_need;
            ret.cores_path = gp_form_text(it->form, "workloads.%zu.host.coresNeed", at.workload);
        }
    }
    return ret;
}

/* A kind that is bought later only, where growth buys it first and some workload says what it needs
 * of one. */
static bool opens_later(list *it, size_t quarter, size_t at) {
    const gp_report *report = it->report;
    const char *system = report->growth.items[quarter].buy.items[at].system;
    for (size_t i = 0; i < quarter; i++)
        if (GP_NAMED(report->growth.items[i].buy, system, system) != NULL)
            return false;
    return bought_of(it, system) <= 0 && need_of(it, system).path != NULL;
}

static const char *letter(list *it, size_t index) {
    return index < LETTERS ? gp_form_text(it->form, "kind %c", (int)('A' + index))
                           : gp_form_text(it->form, "kind %zu", index + 1);
}

/* "kind A" for the first kind on the bill, in the order of its lines, and then of growth. */
static const char *kind_of(list *it, const char *system) {
    const gp_report *report = it->report;
    size_t index = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        if (!opens_kind(it, i))
            continue;
        if (gp_str_equal(report->site.bill.items[i].id, system))
            return letter(it, index);
        index++;
    }
    for (size_t i = 0; i < report->growth.count; i++)
        for (size_t k = 0; k < report->growth.items[i].buy.count; k++) {
            if (!opens_later(it, i, k))
                continue;
            if (gp_str_equal(report->growth.items[i].buy.items[k].system, system))
                return letter(it, index);
            index++;
        }
    return NULL;
}

/* No more than the planned one has: a plan may fill its machines to the brim. */
static void memory_row(list *it, const kind_need *need, const char *kind) {
    const double has = need->one.memory_capacity_bytes;
    const double least = ordinary(need->memory_bytes, GP_DIM_BYTES, true);
    const bool fits = it->neutral && least <= has;
    add_figure(it, MINIMUM, "machines",
               gp_form_text(it->form, "%s: usable memory of %s", kind,
                            product(it, need->one.gpu, "each accelerator")),
               fits ? needed : at_least, fits ? least : has, GP_DIM_BYTES, data_sheet,
               gp_form_text(it->form, "%s.%s", fits ? need->memory_path : need->path,
                            fits ? "memoryBytes" : "memoryCapacityBytes"));
}

/* "at least 2 TB", "at least 250 GB": as hosts are sold; NULL: not known. */
static const char *host_bytes(list *it, double bytes) {
    static const double tera = 1e12;
    static const double giga = 1e9;
    enum { TENS = 10 };
    if (!(bytes > 0))
        return NULL;
    const int64_t tens = gp_num_floor_count(bytes / giga / TENS) * TENS;
    return bytes >= tera ? gp_form_text(it->form, "at least %lld TB",
                                        (long long)gp_num_floor_count(bytes / tera))
                         : gp_form_text(it->form, "at least %lld GB", (long long)tens);
}

/* Of a machine, or in a neutral tender, which leaves its size open, for each accelerator. */
static void host_rows(list *it, const gp_report_bill *line, const kind_need *need,
                      const char *kind) {
    const gp_report_innards none = {0};
    const gp_report_innards *host = line != NULL && line->host != NULL ? line->host : &none;
    const int64_t gpus = need->one.gpus_per_node;
    const double share = it->neutral && gpus > 0 ? (double)gpus : 1;
    const char *of_line = line == NULL ? "site.bill"
                                       : gp_form_text(it->form, "site.bill.%zu.host",
                                                      (size_t)(line - it->report->site.bill.items));
    const struct {
        const char *text, *value, *figure;
    } rows[] = {
        {"processor cores",
         need->cores > 0
             ? gp_form_text(it->form, "at least %s%s", gp_form_count(it->form, need->cores),
                            it->neutral ? gp_form_text(it->form, " for %s accelerators",
                                                       gp_form_count(it->form, gpus))
                                        : "")
             : NULL,
         gp_form_or(need->cores_path, gp_form_text(it->form, "%s.cores", of_line))},
        {"host memory", host_bytes(it, host->memory_bytes / share),
         gp_form_text(it->form, "%s.memoryBytes", of_line)},
        {"local drives", host_bytes(it, host->drive_bytes / share),
         gp_form_text(it->form, "%s.driveBytes", of_line)},
    };
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        add(it, rows[i].value != NULL ? MINIMUM : WISH, "machines",
            gp_form_text(it->form, "%s: %s%s", kind, rows[i].text,
                         !it->neutral ? " of a machine"
                         : i > 0      ? " for each accelerator"
                                      : ""),
            gp_form_or(rows[i].value, "the bidder states it"), data_sheet, rows[i].figure);
}

/* Of a neutral tender the whole is counted, and rates of parts are held by the tests. */
static void machine_rows(list *it, const char *system, const gp_report_bill *line,
                         int64_t machines) {
    gp_form_out *form = it->form;
    const char *kind = gp_form_text(form, "%s%s", gp_form_or(kind_of(it, system), "machines"),
                                    bought_of(it, system) > 0 ? "" : ", an option");
    const kind_need need = need_of(it, system);
    if (need.path == NULL)
        return;
    const int64_t each = need.one.gpus_per_node;
    add(it, MINIMUM, "machines",
        it->neutral ? gp_form_text(form, "%s: accelerators in all machines", kind)
                    : gp_form_text(form, "accelerators in a %s (%s)",
                                   gp_export_comment(it->out, system), kind),
        gp_form_text(form, "at least %s",
                     gp_form_count(form, it->neutral ? each * machines : each)),
        data_sheet, gp_form_text(form, "%s.gpusPerNode", need.path));
    memory_row(it, &need, kind);
    add_figure(it, it->neutral ? WISH : MINIMUM, "machines",
               gp_form_text(form, "%s: memory bandwidth of %s", kind,
                            product(it, need.one.gpu, "each accelerator")),
               at_least, need.one.memory_bytes_per_s, GP_DIM_BYTES_PER_S, data_sheet,
               gp_form_text(form, "%s.memoryBytesPerS", need.path));
    if (need.domain > 1 || !it->neutral)
        add(it, MINIMUM, "machines",
            gp_form_text(form, "%s: accelerators in one scale-up domain", kind),
            gp_form_text(form, "at least %s",
                         gp_form_count(form, it->neutral ? need.domain : need.one.gpus_per_domain)),
            data_sheet,
            it->neutral ? gp_form_text(form, "%s.tp", need.domain_path)
                        : gp_form_text(form, "%s.gpusPerDomain", need.path));
    host_rows(it, line, &need, kind);
}

/* "of kind A", "dgx-h200 (kind A)"; one that only growth buys and
 * no workload of today runs on has no letter. */
static const char *kind_words(list *it, const char *system) {
    const char *kind = kind_of(it, system);
    const char *id = gp_export_comment(it->out, system);
    if (it->neutral)
        return gp_form_text(it->form, "of %s", gp_form_or(kind, "a kind not bought at first"));
    return kind != NULL ? gp_form_text(it->form, "%s (%s)", id, kind) : id;
}

/* "machine of kind A", "machine dgx-h200 (kind A)", "leaf switch qm9700", "rack" */
static const char *bill_words(list *it, const gp_report_bill *line) {
    const char *role = gp_export_comment(it->out, gp_form_or(line->role, "part"));
    const char *id = gp_export_comment(it->out, line->id);
    if (is_bought_kind(line))
        return gp_form_text(it->form, "%s %s", role, kind_words(it, line->id));
    return it->neutral || line->id == NULL ? role : gp_form_text(it->form, "%s %s", role, id);
}

/* One part is one row: lines of the bill that say the same add up in the first of them. */
static bool add_up(list *it, const char *text, size_t at, int64_t *ret_count) {
    const gp_report *report = it->report;
    *ret_count = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (!gp_str_equal(bill_words(it, line), text))
            continue;
        if (i < at)
            return false;
        *ret_count += line->bought > 0 ? line->bought : 0;
    }
    return *ret_count > 0;
}

/* Other machines need other numbers of them and of what joins them. */
static const char *quantity(list *it, const gp_report_bill *line, int64_t count) {
    const char *number = gp_form_count(it->form, count);
    if (!it->neutral)
        return number;
    return is_bought_kind(line)
               ? gp_form_text(it->form, "%s, or as many as hold the accelerators", number)
               : gp_form_text(it->form, "as many as the offer needs; planned: %s", number);
}

/* Spares that the plan pays for are a part of it; others may be offered. */
static bool is_spare(const gp_report_bill *line) {
    return gp_str_equal(line->role, "spare machine");
}

/* Those of machines that stand are not asked for. */
static void spare_row(list *it, const gp_report_bill *line, const char *figure) {
    if (bought_of(it, line->id) <= 0)
        return;
    const gp_report_bill machine = {.role = "machine", .id = line->id, .bought = line->count};
    add(it, line->bought > 0 ? MINIMUM : OPTION, "quantities",
        gp_form_text(it->form, "spare: %s", bill_words(it, &machine)),
        gp_form_count(it->form, line->count), delivery, figure);
}

static void bill_rows(list *it) {
    const gp_report *report = it->report;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        const char *text = bill_words(it, line);
        const char *figure = gp_form_text(it->form, "site.bill.%zu", i);
        int64_t count;
        if (is_spare(line))
            spare_row(it, line, figure);
        else if (add_up(it, text, i, &count))
            add(it, MINIMUM, "quantities", text, quantity(it, line, count), delivery, figure);
    }
}

static void compute_rows(list *it) {
    for (size_t i = 0; i < it->report->site.bill.count; i++)
        if (opens_kind(it, i))
            machine_rows(it, it->report->site.bill.items[i].id, &it->report->site.bill.items[i],
                         bought_of(it, it->report->site.bill.items[i].id));
    if (it->count == 0)
        gp_export_fail(it->out, NULL, "the plan buys no machines: there is nothing to tender");
    bill_rows(it);
}

/* ---- network, room */

/* What a fabric of one tier takes on before it has spines at all; of more, before a third tier. */
static void tier_row(list *it, const gp_report_fabric *fabric, const char *name, const char *path) {
    const bool flat = fabric->tiers == 1;
    const int64_t room = flat ? fabric->room_spine_nodes : fabric->room_tier_nodes;
    if (room > 0)
        add(it, WISH, "network",
            gp_form_text(it->form, "fabric %s: machines supported without another switch tier",
                         name),
            gp_form_text(it->form, "at least %s", gp_form_count(it->form, room)), "cabling plan",
            gp_form_text(it->form, "%s.%s", path, flat ? "roomSpineNodes" : "roomTierNodes"));
}

static void network_rows(list *it) {
    const gp_report_site *site = &it->report->site;
    for (size_t i = 0; i < site->fabrics.count; i++) {
        const gp_report_fabric *fabric = &site->fabrics.items[i];
        const char *name = gp_export_comment(it->out, gp_form_or(fabric->name, "compute"));
        const char *path = gp_form_text(it->form, "site.fabrics.%s", name);
        add_figure(it, MINIMUM, "network",
                   gp_form_text(it->form, "fabric %s%s: rate of a host port", name,
                                it->neutral ? ""
                                            : gp_form_text(it->form, " (%s)",
                                                           gp_form_or(fabric->kind, "any kind"))),
                   at_least, fabric->rate_bits_per_s, GP_DIM_BITS_PER_S, data_sheet,
                   gp_form_text(it->form, "%s.rateBitsPerS", path));
        add_figure(it, MINIMUM, "network",
                   gp_form_text(it->form, "fabric %s: downlinks per uplink at a leaf switch", name),
                   at_most, fabric->oversubscription, GP_DIM_NONE, "cabling plan",
                   gp_form_text(it->form, "%s.oversubscription", path));
        tier_row(it, fabric, name, path);
    }
}

/* One of the sites, or all of them as one. */
typedef struct place {
    const gp_report_site *site;
    const char *at;   /* " at oslo", or nothing */
    const char *path; /* of the site in the report */
} place;

static void place_figure(list *it, const place *p, row_class rank, const char *subject,
                         const char *text, double value, gp_dim dim, const char *verified,
                         const char *figure) {
    add_figure(it, rank, subject, gp_form_text(it->form, "%s%s", text, p->at), at_most, value, dim,
               verified, gp_form_text(it->form, "%s.%s", p->path, figure));
}

static void rack_rows(list *it, const place *p) {
    const gp_report_racks *racks = &p->site->racks;
    double most = 0;
    for (size_t i = 0; i < racks->count; i++)
        most = racks->items[i].power_w > most ? racks->items[i].power_w : most;
    place_figure(it, p, MINIMUM, "room", "power of one rack", most, GP_DIM_POWER, data_sheet,
                 "racks");
    if (racks->count > 0 && racks->items[0].limit > 0)
        add(it, MINIMUM, "room", gp_form_text(it->form, "racks available%s", p->at),
            gp_form_text(it->form, "at most %s", gp_form_count(it->form, racks->items[0].limit)),
            "floor plan", gp_form_text(it->form, "%s.racks.0.limit", p->path));
}

static void site_rows(list *it, const place *p) {
    const gp_report_power *power = &p->site->power;
    const gp_report_cooling *cooling = &p->site->cooling;
    place_figure(it, p, MINIMUM, "power", "the same with the machines already on the site",
                 power->it_w, GP_DIM_POWER, "test A-POWER", "power.itW");
    place_figure(it, p, MINIMUM, "power", "IT capacity of the site", power->limit_w, GP_DIM_POWER,
                 "sum of the data sheets, sustained", "power.limitW");
    place_figure(it, p, WISH, "power", "power under the planned load", power->it_mean_w,
                 GP_DIM_POWER, "test A-POWER", "power.itMeanW");
    rack_rows(it, p);
    place_figure(it, p, MINIMUM, "cooling", "heat of the whole site to air", cooling->air_heat_w,
                 GP_DIM_POWER, data_sheet, "cooling.airHeatW");
    place_figure(it, p, MINIMUM, "cooling", "heat of the whole site to liquid",
                 cooling->liquid_heat_w, GP_DIM_POWER, data_sheet, "cooling.liquidHeatW");
}

/* Of what is bought, in the proportion of each line of the bill. */
static double bought_power(const gp_report *report) {
    double sum = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (line->power_w > 0 && line->count > 0 && line->bought > 0)
            sum += line->power_w * (double)line->bought / (double)line->count;
    }
    return sum;
}

static void room_rows(list *it) {
    const gp_report_storage *storage = &it->report->site.storage;
    const place all = {&it->report->site, "", "site"};
    add_figure(it, MINIMUM, "power", "largest sustained power of all deliveries", at_most,
               bought_power(it->report), GP_DIM_POWER, "sum of the data sheets", "site.bill");
    for (size_t i = 0; i < it->report->sites.count; i++) {
        const gp_report_place *site = &it->report->sites.items[i];
        const char *name = gp_export_comment(it->out, site->name);
        const place one = {&site->site, gp_form_text(it->form, " at %s", name),
                           gp_form_text(it->form, "sites.%s.site", name)};
        if (site->bought_nodes > 0)
            add(it, MINIMUM, "delivery", gp_form_text(it->form, "machines to deliver%s", one.at),
                gp_form_count(it->form, site->bought_nodes), delivery,
                gp_form_text(it->form, "sites.%s.boughtNodes", name));
        site_rows(it, &one);
    }
    if (it->report->sites.count == 0)
        site_rows(it, &all);
    add_figure(it, MINIMUM, "storage", "sustained write rate", needed, storage->write_bytes_per_s,
               GP_DIM_BYTES_PER_S, "a file benchmark from all machines at once",
               "site.storage.writeBytesPerS");
    add_figure(it, MINIMUM, "storage", "sustained read rate", needed, storage->read_bytes_per_s,
               GP_DIM_BYTES_PER_S, "a file benchmark from all machines at once",
               "site.storage.readBytesPerS");
    add_figure(it, MINIMUM, "storage", "capacity", needed, storage->capacity_bytes, GP_DIM_BYTES,
               data_sheet, "site.storage.capacityBytes");
}

/* Of a kind, by the end of a quarter: machines beyond those that are bought at once, which the
 * first quarter counts too. */
static int64_t further_by(const list *it, const char *system, size_t quarters) {
    int64_t count = -bought_of(it, system);
    for (size_t i = 0; i < quarters; i++) {
        const gp_report_purchase *one = GP_NAMED(it->report->growth.items[i].buy, system, system);
        count += one != NULL ? one->nodes : 0;
    }
    return gp_num_max_i64(count, 0);
}

/* Machines of a kind that stand there already say what is in one. */
static const gp_report_bill *standing(const list *it, const char *system) {
    for (size_t i = 0; i < it->report->site.bill.count; i++) {
        const gp_report_bill *line = &it->report->site.bill.items[i];
        if (gp_str_equal(line->role, "machine") && gp_str_equal(line->id, system))
            return line;
    }
    return NULL;
}

static void later_rows(list *it) {
    const gp_report *report = it->report;
    for (size_t i = 0; i < report->growth.count; i++)
        for (size_t k = 0; k < report->growth.items[i].buy.count; k++) {
            const char *system = report->growth.items[i].buy.items[k].system;
            if (opens_later(it, i, k))
                machine_rows(it, system, standing(it, system),
                             further_by(it, system, report->growth.count));
        }
}

static void growth_row(list *it, size_t quarter, const char *system) {
    const gp_report_growth *growth = &it->report->growth.items[quarter];
    const int64_t further = further_by(it, system, quarter + 1) - further_by(it, system, quarter);
    const char *when = gp_export_comment(it->out, growth->quarter);
    const bool dated = growth->order_by != NULL;
    if (further > 0)
        add(it, OPTION, "growth",
            gp_form_text(it->form, "further machines %s on the same terms for %s, %s %s",
                         kind_words(it, system), when, dated ? "to order by" : "needed by",
                         gp_export_comment(it->out, dated ? growth->order_by : growth->needed_by)),
            gp_form_count(it->form, further), "price fixed in the offer",
            gp_form_text(it->form, "growth.%s.buyNodes", when));
}

static void growth_rows(list *it) {
    later_rows(it);
    for (size_t i = 0; i < it->report->growth.count; i++)
        for (size_t k = 0; k < it->report->growth.items[i].buy.count; k++)
            growth_row(it, i, it->report->growth.items[i].buy.items[k].system);
}

/* ---- terms: what the plan rests on, and what the buyer has to set */

static const char *assumed(const list *it, const char *path) {
    const gp_report_assumption *found = GP_NAMED(it->report->assumptions, path, path);
    return found != NULL ? found->value : NULL;
}

static void term_rows(list *it) {
    static const char unset[] = "to be set by the buyer";
    static const char contract[] = "contract";
    const char *repair = assumed(it, "run.repair");
    add(it, MINIMUM, "delivery", "delivered, installed and ready for the tests", unset, delivery,
        "none");
    add(it, MINIMUM, "warranty", "on all parts, with labour on site, from acceptance", unset,
        contract, "none");
    add(it, MINIMUM, "support", "a failed machine is repaired or replaced within",
        repair != NULL ? gp_form_text(it->form, "at most %s", gp_export_comment(it->out, repair))
                       : unset,
        contract, repair != NULL ? "assumptions.run.repair" : "none");
    add(it, MINIMUM, "support", "support hours, and time to first response",
        unset, contract, "none");
    add(it, MINIMUM, "support", "firmware and driver updates, security fixes included", unset,
        contract, "none");
    add(it, MINIMUM, "acceptance", "every acceptance test below is passed on the buyer's site",
        "all of them", "record of the tests", "none");
}

/* ---- acceptance */

static void network_test(list *it, const gp_report_workload *work, const char *path) {
    const gp_report_network_test *test = work->network.test;
    if (test == NULL || !(test->bus_bandwidth_bytes_per_s > 0))
        return;
    const char *size = gp_form_bytes(it->form, test->size_bytes);
    add_figure(
        it, TEST, "A-NETWORK",
        it->neutral ? gp_form_text(it->form, "all-reduce of %s over %s accelerators, bus bandwidth",
                                   size, gp_form_count(it->form, work->recommendation.chosen.gpus))
                    : gp_form_text(it->form, "nccl-tests: %s, bus bandwidth",
                                   gp_export_comment(it->out, test->command)),
        at_least, test->bus_bandwidth_bytes_per_s * gp_form_rate_share(work), GP_DIM_BYTES_PER_S,
        "median of 20 runs", gp_form_text(it->form, "%s.network.test", path));
}

/* Goals of services; a run is held to its throughput. */
static void goal_tests(list *it, const gp_report_workload *work, const char *path) {
    for (size_t i = 0; i < work->goals.count && gp_export_is_serving(work); i++) {
        const gp_report_goal *goal = &work->goals.items[i];
        const bool held =
            gp_str_equal(goal->state, "met") || gp_str_equal(goal->state, "metAtExpected");
        const bool rare = gp_str_equal(goal->name, "availability");
        if (!held)
            continue;
        add(it, TEST, "A-SERVICE",
            gp_form_text(it->form, "%s: %s%s", gp_export_comment(it->out, work->name),
                         gp_form_goal_name(it->form, goal->name),
                         rare ? "" : " under the planned load"),
            gp_form_text(it->form, "%s %s",
                         (rare || goal->expected > goal->target ? at_least : at_most)->word,
                         gp_form_goal_figure(it->form, goal, goal->target)),
            rare ? "records of one month of operation" : gp_form_goal_test(work),
            gp_form_text(it->form, "%s.goals.%s", path, gp_export_comment(it->out, goal->name)));
    }
}

/* A whole number of three digits and noughts, not above the rate. */
static int64_t whole_rate(double rate) {
    enum { THREE = 1000, TEN = 10 };
    double unit = 1;
    while (rate / unit >= THREE)
        unit *= TEN;
    return gp_num_floor_count(floor(rate / unit) * unit);
}

static void acceptance_rows(list *it) {
    gp_export_place at = {0};
    for (const gp_report_workload *work = next_here(it, &at); work != NULL;
         work = next_here(it, &at)) {
        const char *path = gp_form_text(it->form, "workloads.%zu", at.workload);
        const char *name = gp_export_comment(it->out, work->name);
        const char *model = product(it, work->model, "the reference model");
        network_test(it, work, path);
        if (isfinite(gp_form_token_rate(work)))
            add(it, TEST, "A-THROUGHPUT",
                gp_form_text(it->form, "%s: %s tokens a second of %s", name,
                             gp_form_or(work->performance.tokens, ""), model),
                gp_form_text(it->form, "at least %s",
                             gp_form_count(it->form, whole_rate(gp_form_token_rate(work)))),
                "one hour in the layout given in the annex",
                gp_form_text(it->form, "%s.performance.tokensPerS%s", path,
                             gp_form_is_asked(work) ? "" : "Low"));
        goal_tests(it, work, path);
    }
    add_figure(it, TEST, "A-POWER",
               "IT power of the site with all throughput tests running at once", at_most,
               it->report->site.power.it_w, GP_DIM_POWER, "meters at the feeds, one hour",
               "site.power.itW");
}

static void collect(list *it) {
    compute_rows(it);
    network_rows(it);
    room_rows(it);
    growth_rows(it);
    term_rows(it);
    acceptance_rows(it);
}

/* ---- forms */

static const char *number_of(list *it, size_t index) {
    size_t number = 1;
    const bool test = it->rows[index].rank == TEST;
    for (size_t i = 0; i < index; i++)
        number += (it->rows[i].rank == TEST) == test ? 1 : 0;
    return gp_form_text(it->form, "%s-%s%zu", test ? "A" : "R",
                        number < 10    ? "00"
                        : number < 100 ? "0"
                                       : "",
                        number);
}

static void print_table(gp_form_out *form, const gp_table *table) {
    gp_buf_char(form->buf, '\n');
    gp_md_table(form, table);
}

static void write_table(list *it, bool tests) {
    gp_form_out *form = it->form;
    gp_table table =
        tests ? GP_TABLE("No", "Kind", "Test", "Threshold", "How", "Figure")
              : GP_TABLE("No", "Class", "Subject", "Requirement", "Value", "Verified by", "Figure");
    for (size_t i = 0; i < it->count; i++) {
        const row *one = &it->rows[i];
        if ((one->rank == TEST) != tests)
            continue;
        if (tests)
            GP_TABLE_ROW(form, &table, number_of(it, i), one->subject, one->text, one->value,
                         one->verified, one->figure);
        else
            GP_TABLE_ROW(form, &table, number_of(it, i), class_words[one->rank], one->subject,
                         one->text, one->value, one->verified, one->figure);
    }
    print_table(form, &table);
}

static bool stands_before(const gp_report *report, size_t index) {
    const gp_report_bill *items = report->site.bill.items;
    for (size_t i = 0; i < index; i++)
        if (gp_str_equal(items[i].id, items[index].id) &&
            gp_str_equal(items[i].role, items[index].role))
            return true;
    return false;
}

/* Named parts are examples: whatever meets the requirements is as good. */
static void write_annex(list *it) {
    gp_form_out *form = it->form;
    gp_export_place at = {0};
    gp_buf_str(form->buf, "\n## Annex: the parts that the plan is based on\n\nEach may be replaced "
                          "by an equivalent that meets the requirements and tests above.\n");
    gp_table works = GP_TABLE("Workload", "Machines", "Accelerator", "Model", "Layout", "Test");
    for (const gp_report_workload *work = next_here(it, &at); work != NULL;
         work = next_here(it, &at)) {
        const gp_report_candidate *chosen = &work->recommendation.chosen;
        GP_TABLE_ROW(
            form, &works, gp_export_comment(it->out, work->name),
            gp_export_comment(it->out, gp_form_machines(form, chosen)),
            gp_export_comment(it->out, chosen->gpu), gp_export_comment(it->out, work->model),
            gp_export_comment(it->out, chosen->layout),
            work->network.test != NULL ? gp_form_or(work->network.test->command, "-") : "-");
    }
    print_table(form, &works);
    gp_table parts = GP_TABLE("Role", "Part");
    for (size_t i = 0; i < it->report->site.bill.count; i++) {
        const gp_report_bill *line = &it->report->site.bill.items[i];
        if (line->id != NULL && !stands_before(it->report, i))
            GP_TABLE_ROW(form, &parts, gp_form_or(line->role, "-"), line->id);
    }
    print_table(form, &parts);
}

static list *start(gp_export_out *out) {
    list *it = GP_NEW(out->form.buf->arena, list);
    it->out = out;
    it->form = &out->form;
    it->report = out->report;
    it->neutral = out->options.neutral;
    collect(it);
    return it;
}

static void write_markdown(gp_export_out *out) {
    char digest[GP_PLAN_DIGEST];
    list *it = start(out);
    gp_report_digest(out->report, digest);
    gp_buf_printf(
        out->form.buf,
        "# Requirements: %s\n\nPlan `sha256:%s`. Classes: *minimum* must be met, *option* is "
        "priced separately, *wish* is scored.%s\n",
        gp_md_escape(&out->form, gp_export_comment(out, out->report->summary.plan)), digest,
        it->neutral
            ? " No specific product is required: any equivalent that meets the values is accepted."
            : "");
    gp_buf_str(out->form.buf, "\n## Requirements\n");
    write_table(it, false);
    gp_buf_str(out->form.buf, "\n## Acceptance tests\n");
    write_table(it, true);
    write_annex(it);
}

static void write_csv(gp_export_out *out) {
    gp_buf *buf = out->form.buf;
    char digest[GP_PLAN_DIGEST];
    list *it = start(out);
    gp_report_digest(out->report, digest);
    gp_buf_str(buf, "number,class,subject,requirement,value,verified,figure,plan_sha256\n");
    for (size_t i = 0; i < it->count; i++) {
        const row *one = &it->rows[i];
        const char *const cells[] = {
            number_of(it, i), class_words[one->rank], one->subject, one->text,
            one->value,       one->verified,          one->figure};
        for (size_t k = 0; k < GP_COUNT_OF(cells); k++) {
            gp_csv_text(buf, cells[k]);
            gp_buf_char(buf, ',');
        }
        gp_buf_printf(buf, "%s\n", digest);
    }
}

const gp_export gp_export_rfp = {
    .name = "rfp",
    .summary = "requirements for a tender, with acceptance tests",
    .forms = {{"markdown", "md", write_markdown}, {"csv", "csv", write_csv}},
};
