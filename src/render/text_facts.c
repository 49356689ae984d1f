/* The facts of the first screen: purchase, site, range, checks, platforms. */
#include "render/text_form.h"

#include <string.h>

/* ------------------------------------------------------------ what to buy */

typedef struct counted_role {
    const char *end; /* of the role's name */
    const char *one, *many; /* many: NULL where the number says nothing */
} counted_role;

/* Of a product, lines of one role together. */
static int64_t bought_of(const gp_report *report, const char *role, const char *product) {
    int64_t count = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (line->bought > 0 && gp_str_equal(line->role, role) &&
            gp_str_equal(line->product, product))
            count += line->bought;
    }
    return count;
}

/* "12 DGX H100 (3 spare), 1 GB200 NVL72": each product once, with the spares that are paid for. */
static const char *machines_to_buy(gp_form_out *out, const gp_report *report) {
    const char *text = "";
    const gp_report_bill *items = report->site.bill.items;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        bool told = items[i].bought <= 0 || !gp_str_equal(items[i].role, "machine");
        for (size_t k = 0; k < i && !told; k++)
            told = gp_str_equal(items[k].role, "machine") && items[k].bought > 0 &&
                   gp_str_equal(items[k].product, items[i].product);
        if (told)
            continue;
        const int64_t spare = bought_of(report, "spare machine", items[i].product);
        const int64_t all = bought_of(report, "machine", items[i].product) + spare;
        text = gp_form_joined(out, text, ", ", "%lld %s%s", (long long)all,
                              gp_form_or(items[i].product, "?"),
                              gp_form_some(out, " (", spare, " spare)"));
    }
    return text;
}

enum { PARTS = 3 };

/* The first `most` sorts of them, and whether there is more. */
static const char *parts_to_buy(gp_form_out *out, const gp_report *report, int most) {
    static const counted_role roles[PARTS] = {{"switch", "switch", "switches"},
                                              {"rack", "rack", "racks"},
                                              {"storage system", "storage", NULL}};
    const char *text = "";
    bool more = false;
    for (int r = 0; r < PARTS; r++) {
        int64_t count = 0;
        for (size_t i = 0; i < report->site.bill.count; i++) {
            const gp_report_bill *line = &report->site.bill.items[i];
            if (line->bought > 0 && gp_str_ends(gp_form_or(line->role, ""), roles[r].end))
                count += line->bought;
        }
        more = more || (count > 0 && r >= most);
        if (count > 0 && r < most)
            text = gp_form_joined(out, text, ", ", "%s",
                                  roles[r].many != NULL
                                      ? gp_form_either(out, count, roles[r].one, roles[r].many)
                                      : roles[r].one);
    }
    return !more ? text : *text == '\0' ? "parts" : gp_form_text(out, "%s and more", text);
}

/* What stands beside a workload that has no place is of the others. */
static const char *rest_words(const gp_report *report, const char *words) {
    return GP_NAMED(report->workloads, recommendation.scale, "infeasible") != NULL ? words : "";
}

/* NULL: it is not rented. */
static const char *rented_product(const gp_report_workload *workload) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    return gp_form_is_rented(chosen) ? gp_form_or(chosen->product, "?") : NULL;
}

/* Each product once, with what all workloads rent of it. */
static const char *rented_words(gp_form_out *out, const gp_report *report) {
    const char *text = "";
    for (size_t i = 0; i < report->workloads.count; i++) {
        const char *product = rented_product(&report->workloads.items[i]);
        bool first = product != NULL;
        long long nodes = 0;
        for (size_t k = 0; k < report->workloads.count && first; k++) {
            const char *other = rented_product(&report->workloads.items[k]);
            const bool same = other != NULL && gp_str_equal(other, product);
            first = !same || k >= i;
            nodes += same ? (long long)report->workloads.items[k].recommendation.chosen.nodes : 0;
        }
        if (first)
            text = gp_form_joined(out, text, ", ", "%lld %s", nodes, product);
    }
    return text;
}

static const char *price_words(gp_form_out *out, const gp_report *report) {
    const gp_report_cost *cost = &report->cost;
    if (cost->capital > 0)
        return gp_form_text(out, "%s%s", gp_form_money(out, cost->capital, cost->currency),
                            gp_form_part_priced(report) ? " for the priced items" : "");
    return cost->complete && cost->total_per_year > 0 ? "" : "no prices (--prices FILE)";
}

typedef struct purchase {
    const char *machines, *price;
    bool priced;
} purchase;

static const char *purchase_words(gp_form_out *out, const purchase *bought, const char *parts,
                                  const char *price) {
    const char *what = *bought->machines == '\0' ? "no machine" : bought->machines;
    const bool any = *bought->machines != '\0' || *parts != '\0';
    if (*parts != '\0')
        what = gp_form_text(out, "%s; %s", what, parts);
    if (any && bought->priced)
        return gp_form_text(out, "%s: %s", price, what);
    return any && *price != '\0' ? gp_form_text(out, "%s; %s", what, price) : what;
}

/* How to state prices is told where there is room for it, and of parts as many sorts. */
static const char *purchase_within(gp_form_out *out, const gp_report *report,
                                   const purchase *bought) {
    const char *rest = rest_words(report, "for the rest: ");
    const int room = out->width - GP_SCREEN_LABEL - (int)strlen(rest);
    const char *parts = parts_to_buy(out, report, PARTS);
    const char *text = purchase_words(out, bought, parts, bought->price);
    const char *price = bought->priced || *bought->price == '\0' ? bought->price : "no prices";
    for (int most = PARTS; most >= 0 && (int)strlen(text) > room; most--)
        text = purchase_words(out, bought, parts_to_buy(out, report, most), price);
    return gp_form_text(out, "%s%s", rest, text);
}

static void print_purchase(gp_form_out *out, const gp_report *report) {
    const purchase bought = {machines_to_buy(out, report), price_words(out, report),
                             report->cost.capital > 0};
    const char *rented = rented_words(out, report);
    if (*bought.machines != '\0' || (*rented == '\0' && report->summary.nodes > 0))
        gp_text_fact(out, "Buy", purchase_within(out, report, &bought));
    if (*rented != '\0')
        gp_text_fact(out, "Rent", rented);
}

/* ------------------------------------------------------------ site and range */

static const char *of_limit(gp_form_out *out, double limit, gp_dim dim) {
    return gp_form_around(out, " of ", gp_form_quantity(out, limit, dim), "");
}

/* One of several: what workloads hold there, and how much of its power that is. */
static const char *place_words(gp_form_out *out, const gp_report_place *place) {
    const gp_report_power *power = &place->site.power;
    const char *name = gp_form_or(place->name, "?");
    if (place->stand_nodes == 0)
        return gp_form_text(out, "%s: nothing", name);
    return gp_form_text(out, "%s: %s in use, %s, %s, %s IT%s", name,
                        gp_form_plural(out, place->gpus, "GPU"),
                        gp_form_plural(out, place->stand_nodes, "machine"),
                        gp_form_plural(out, place->racks, "rack"), gp_form_watts(out, power->it_w),
                        of_limit(out, power->limit_w, GP_DIM_POWER));
}

static void print_places(gp_form_out *out, const gp_report *report) {
    enum { PLACES_MAX = 5 };
    const size_t count = report->sites.count;
    const size_t shown = count > PLACES_MAX ? PLACES_MAX - 1 : count;
    for (size_t i = 0; i < shown; i++)
        gp_text_fact(out, "", place_words(out, &report->sites.items[i]));
    if (shown < count)
        gp_text_fact(out, "", gp_form_text(out, "and %zu more sites: --detail", count - shown));
}

/* A sum that leaves something out is told where there is room to name it. */
static void print_site(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const gp_report_power *power = &report->site.power;
    if (summary->nodes == 0)
        return;
    const char *cost = report->cost.complete ? gp_form_per_year(out, report->cost.total_per_year,
                                                                report->cost.currency)
                                             : "";
    const char *gpus = gp_form_text(out, "%s%s", rest_words(report, "the rest: "),
                                    gp_form_plural(out, summary->gpus, "GPU"));
    const char *racks = gp_form_plural(out, summary->racks, "rack");
    const char *rest = gp_form_text(
        out, ", peak %s IT%s, %s facility%s", gp_form_watts(out, power->it_w),
        of_limit(out, power->limit_w, GP_DIM_POWER), gp_form_watts(out, power->facility_w), cost);
    const char *brief = gp_form_text(out, ", peak %s IT%s%s", gp_form_watts(out, power->it_w),
                                     of_limit(out, power->limit_w, GP_DIM_POWER), cost);
    const char *const ways[] = {gp_form_text(out, "%s in use, %s%s", gpus, racks, rest),
                                gp_form_text(out, "%s, %s%s", gpus, racks, rest),
                                gp_form_text(out, "%s%s", gpus, rest),
                                gp_form_text(out, "%s%s", gpus, brief)};
    size_t way = 0;
    while (way + 1 < GP_COUNT_OF(ways) && (int)strlen(ways[way]) > out->width - GP_SCREEN_LABEL)
        way++;
    gp_text_fact(out, report->sites.count > 0 ? "Sites" : "Site", ways[way]);
    print_places(out, report);
}

static const char *safety_words(const char *confidence) {
    if (gp_str_equal(confidence, "p90"))
        return "safe in 9 of 10 cases";
    return gp_str_equal(confidence, "p80") ? "safe in 8 of 10 cases" : "as expected";
}

static void print_range(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const gp_report_whole *least = summary->at_expected;
    if (least == NULL || !summary->feasible)
        return;
    const bool machines = least->nodes != GP_REPORT_NO_COUNT;
    const int64_t added =
        gp_form_counted(summary->bought_nodes) + gp_form_counted(summary->rented_nodes);
    const int64_t safe = machines ? (added > 0 ? added : summary->nodes) : summary->gpus;
    const int64_t likely =
        !machines   ? least->gpus
        : added > 0 ? gp_form_counted(least->bought_nodes) + gp_form_counted(least->rented_nodes)
                    : least->nodes;
    const char *what = !machines   ? "GPUs"
                       : added > 0 ? "to add"
                       : safe == 1 ? "machine"
                                   : "machines";
    if (gp_str_equal(summary->confidence, "expected"))
        gp_text_fact(out, "Range", "planned at the expected value: half of such plans fall short");
    else if (likely >= safe)
        gp_text_fact(out, "Range",
                     gp_form_text(out, "%lld %s if all goes as expected, and to be %s",
                                  (long long)safe, what, safety_words(summary->confidence)));
    else
        gp_text_fact(out, "Range",
                     gp_form_text(out, "%lld %s if all goes as expected, %lld to be %s",
                                  (long long)likely, what, (long long)safe,
                                  safety_words(summary->confidence)));
}

/* "research 24 of 32 GPUs, product 40 of 32 (borrows 8)" */
static void print_teams(gp_form_out *out, const gp_report *report) {
    const char *text = "";
    for (size_t i = 0; i < report->teams.count; i++) {
        const gp_report_team *team = &report->teams.items[i];
        const char *borrows = gp_form_if(out, team->borrowed_gpus > 0, " (borrows %lld)",
                                         (long long)team->borrowed_gpus);
        text = gp_form_joined(out, text, ", ", "%s %lld of %lld%s%s", team->name,
                              (long long)team->held_gpus, (long long)team->quota_gpus,
                              i == 0 ? " GPUs" : "", borrows);
    }
    if (report->teams.count > 0)
        gp_text_fact(out, "Teams", text);
}

/* ------------------------------------------------------------ checks */

static const char *short_name(const char *id) {
    if (gp_str_equal(id, "powerCooling"))
        return "power";
    return gp_str_equal(id, "scalability") ? "growth" : id;
}

static const char *short_level(const char *level) {
    return gp_str_equal(level, "warning") ? "warn" : gp_form_or(level, "?");
}

static bool is_open(const gp_report_check *check) {
    return gp_str_equal(check->level, "notAssessed");
}

static const char *first_keys(gp_form_out *out, const gp_report *report, size_t most,
                              size_t *ret_count) {
    const char *text = "";
    *ret_count = 0;
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        if (is_open(check) && check->missing.count > 0 && (*ret_count)++ < most)
            text = gp_form_joined(out, text, ", ", "%s", check->missing.items[0]);
    }
    return text;
}

/* "? = not assessed: state site.power.itCapacity, growth.horizon": as many as a line holds; NULL:
 * all are assessed. */
static const char *keys_to_add(gp_form_out *out, const gp_report *report) {
    const int room = out->width - GP_SCREEN_LABEL;
    size_t count = 0;
    const char *all = first_keys(out, report, SIZE_MAX, &count);
    const char *text = gp_form_text(out, "? = not assessed: state %s", all);
    if ((int)strlen(text) > room)
        text = gp_form_text(out, "? needs %s", all);
    for (size_t told = count; (int)strlen(text) > room && --told > 0;)
        text = gp_form_text(out, "? needs %s and %zu more: --detail",
                            first_keys(out, report, told, &count), count - told);
    return count > 0 ? text : NULL;
}

/* The reason of a check that fails or warns, or that no key would open; what software would save
 * stands below. */
static bool has_reason(const gp_report_check *check) {
    return (is_open(check) && check->missing.count == 0) ||
           (gp_str_equal(check->level, "warning") && !gp_str_equal(check->id, "software")) ||
           gp_str_equal(check->level, "fail");
}

static bool ends_clause(const char *text) {
    return gp_str_starts(text, " (") || (strchr(",;:", *text) != NULL && text[1] == ' ');
}

/* As much of a sentence as a line holds: whole clauses where they are most of it, else words. */
static const char *clauses(gp_form_out *out, const char *text) {
    const size_t room = (size_t)(out->width - GP_SCREEN_LABEL);
    const size_t fits = gp_utf8_fit(text, strlen(text), room);
    size_t end = fits;
    if (text[fits] == '\0')
        return text;
    while (end > fits / 2 && !ends_clause(text + end))
        end--;
    if (end > fits / 2)
        return gp_form_text(out, "%.*s", (int)end, text);
    for (end = fits - 2; end > 0 && text[end] != ' ';)
        end--;
    return gp_form_text(out, "%.*s..", (int)end, text);
}

/* "run: the nearest is 8 DGX H100: too slow: 26.5 d, limit 18.2 d with headroom": of the first that
 * fails, without the words that every such reason begins with. */
static const char *reason_of(gp_form_out *out, const gp_report *report,
                             const gp_report_check *check) {
    const bool fit = gp_str_equal(check->id, "resources");
    for (size_t i = 0; i < report->workloads.count && fit; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        const gp_report_candidate *nearest = &workload->recommendation.chosen;
        if (gp_str_equal(workload->recommendation.scale, "infeasible") && nearest->system != NULL &&
            nearest->lack != NULL && nearest->lack->reason != NULL)
            return gp_form_text(out, "%s: the nearest is %s: %s", gp_form_or(workload->name, "?"),
                                gp_form_machines(out, nearest), nearest->lack->reason);
    }
    return gp_form_or(check->reason, "-");
}

/* What would mend the gravest finding. */
static const char *first_fix(const gp_report *report) {
    const gp_report_finding *first = report->findings.items;
    return report->findings.count > 0 && gp_str_equal(first->level, "error") ? first->fix : NULL;
}

/* What a line does not hold of changes that only together mend it; NULL: it holds all. */
static const char *rest_of(gp_form_out *out, const char *fix) {
    static const char joint[] = ", and ";
    const size_t told = strlen(clauses(out, fix));
    return gp_str_starts(fix + told, joint) ? fix + told + 2 : NULL;
}

/* Reasons give way to the keys to add and to the fix; all of them are under --detail. */
static void print_checks(gp_form_out *out, const gp_report *report, int lines) {
    enum { REASONS_MAX = 2 };
    const char *text = "";
    const char *keys = keys_to_add(out, report);
    const char *fix = first_fix(report);
    const gp_report_finding *budget = GP_NAMED(report->findings, id, "GP6006");
    int left = lines - 1 - (keys != NULL) - (budget != NULL);
    for (const char *rest = fix; rest != NULL; rest = rest_of(out, rest))
        left--;
    left = left < REASONS_MAX ? left : REASONS_MAX;
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        text = gp_form_joined(out, text, ", ", "%s %s", short_name(check->id),
                              is_open(check) ? "?" : short_level(check->level));
    }
    const char *all = gp_form_text(out, "%s, budget ?", text);
    const bool fits = (int)strlen(all) <= out->width - GP_SCREEN_LABEL;
    gp_text_fact(out, "Checks", budget != NULL && fits ? all : text);
    for (size_t i = 0; i < report->checks.count && left > 0; i++) {
        const gp_report_check *check = &report->checks.items[i];
        if (!has_reason(check))
            continue;
        text = gp_form_text(out, "%s: %s", short_name(check->id), reason_of(out, report, check));
        gp_text_fact(out, "", clauses(out, text));
        left--;
    }
    if (budget != NULL)
        gp_text_fact(
            out, "",
            clauses(out, gp_form_text(out, "budget: %s", gp_form_or(budget->message, ""))));
    if (keys != NULL)
        gp_text_fact(out, "", keys);
    for (const char *rest = fix; rest != NULL; rest = rest_of(out, rest))
        gp_text_fact(out, rest == fix ? "Fix" : "", clauses(out, rest));
}

/* ------------------------------------------------------------ platforms */

static const char *platform_words(gp_form_out *out, const gp_report *report,
                                  const gp_report_whole *row) {
    const char *what = gp_form_or(row->product, "as planned");
    if (row->held < row->planned)
        return gp_form_text(out, "%s runs %lld of %lld", what, (long long)row->held,
                            (long long)row->planned);
    const char *cost = gp_form_per_year(out, row->cost_per_year, report->cost.currency);
    const char *over = row->passed != NULL ? gp_form_text(out, ", over the %s limit",
                                                          gp_form_words(out, row->passed))
                                           : "";
    const char *power = gp_form_if(out, row->it_mean_power_w > 0, ", %s mean",
                                   gp_form_watts(out, row->it_mean_power_w));
    return gp_form_text(out, "%lld %s%s%s%s", (long long)row->nodes, what, power, cost, over);
}

/* Side by side, three lines at most. */
static void print_platforms(gp_form_out *out, const gp_report *report) {
    enum { LINES_MAX = 3 };
    static const char between[] = " | ";
    const int room = out->width - GP_SCREEN_LABEL;
    const char *line = "";
    const char *label = "All on";
    int lines = 0;
    for (size_t i = 0; i < report->platforms.count && lines < LINES_MAX; i++) {
        const char *next = platform_words(out, report, &report->platforms.items[i]);
        const size_t width = strlen(line) + strlen(between) + strlen(next);
        if (*line != '\0' && (int)width > room) {
            gp_text_fact(out, label, line);
            label = line = "";
            lines++;
        }
        line = *line == '\0' ? next : gp_form_text(out, "%s%s%s", line, between, next);
    }
    if (*line != '\0' && lines < LINES_MAX)
        gp_text_fact(out, label, line);
}

void gp_text_answer_facts(gp_form_out *out, const gp_report *report, int lines) {
    const size_t start = out->buf->len;
    print_purchase(out, report);
    print_site(out, report);
    print_teams(out, report);
    print_range(out, report);
    print_platforms(out, report);
    print_checks(out, report, lines - gp_text_lines(out, start));
}
