/*
 * The workbook: summary, workloads, bill, cost, growth and assumptions of a report on a sheet each.
 * Sums and products are formulas, each written with its value, so that readers that do not
 * calculate show the same figures. Dates are fixed: the same report gives the same bytes. The
 * library wants a file; it is made in a folder of its own and read back.
 */
#include "cli/flow.h"

#if GP_XLSX

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xlsxwriter.h>

enum {
    A4 = 9, /* by its number in workbooks */
    CELL_TEXT_MAX = 2000,
    CREATED_S = 315532800 /* 1980-01-01, as in the file */
};

#define FUNCTIONS(X)                                                                               \
    X(workbook_new_opt)                                                                            \
    X(workbook_close)                                                                              \
    X(workbook_add_worksheet)                                                                      \
    X(workbook_add_format)                                                                         \
    X(workbook_set_properties)                                                                     \
    X(worksheet_write_string)                                                                      \
    X(worksheet_write_number)                                                                      \
    X(worksheet_write_datetime)                                                                    \
    X(worksheet_write_formula_num)                                                                 \
    X(worksheet_set_column) X(worksheet_freeze_panes) X(format_set_num_format) X(format_set_bold)  \
        X(format_set_text_wrap) X(format_set_align) X(format_set_indent) X(worksheet_set_row)      \
            X(worksheet_set_landscape) X(worksheet_set_paper) X(worksheet_fit_to_pages)            \
                X(worksheet_repeat_rows)
#define MEMBER(name) __typeof__(name) *name;
#define NAME(name)   #name,

typedef struct functions {
    FUNCTIONS(MEMBER)
} functions;

static const char *const function_names[] = {FUNCTIONS(NAME)};

static bool open_library(functions *ret_library) {
    return gp_shared_open(GP_XLSXWRITER, function_names, GP_COUNT_OF(function_names), ret_library);
}

typedef struct book {
    gp_arena *arena;
    functions library;
    lxw_workbook *book;
    lxw_format *heading, *text, *unit, *money, *count, *real, *total, *date;
    const char *suffix; /* of sheet names, where there are several plans */
    bool failed;
} book;

typedef struct column {
    const char *title;
    double width;
} column;

typedef struct sheet {
    book *owner;
    lxw_worksheet *it;
    const char *name;
    const column *columns;
    lxw_row_t row;
    int lines; /* of the row, with its texts wrapped */
} sheet;

/* ---- cells */

static void note(book *owner, lxw_error error) {
    owner->failed = owner->failed || error != LXW_NO_ERROR;
}

/* Bytes of a character that would end a line or turn a text around; 0: it may stand. */
static size_t control_bytes(const char *at) {
    const unsigned char a = (unsigned char)at[0];
    const unsigned char b = a != 0 ? (unsigned char)at[1] : 0;
    const unsigned char c = b != 0 ? (unsigned char)at[2] : 0;
    if (a < 0x20 || a == 0x7f)
        return 1;
    if (a == 0xc2 && b >= 0x80 && b < 0xa0)
        return 2;
    bool marks = a == 0xe2 && b == 0x80 && ((c >= 0x8e && c <= 0x8f) || (c >= 0xa8 && c <= 0xae));
    bool isolates = a == 0xe2 && b == 0x81 && c >= 0xa6 && c <= 0xa9;
    return marks || isolates ? 3 : 0;
}

/* Cut to what a cell is for, at the start of a character. */
static const char *clean(book *owner, const char *text) {
    const char *source = text == NULL ? "" : text;
    size_t len = strlen(source);
    if (len > CELL_TEXT_MAX) {
        len = CELL_TEXT_MAX;
        while (len > 0 && ((unsigned char)source[len] & 0xc0) == 0x80)
            len--;
    }
    char *copy = gp_arena_strndup(owner->arena, source, len);
    for (char *at = copy; *at != '\0'; at++)
        for (size_t n = control_bytes(at); n > 0; n--)
            at[n - 1] = ' ';
    return copy;
}

/* As many as it wraps to: words stay whole where they fit. */
static int lines_of(const char *text, double width) {
    const size_t room = width > 2 ? (size_t)(width - 1) : 1;
    size_t used = 0;
    int lines = 1;
    while (*text != '\0') {
        const size_t word = strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
        if (used > 0 && used + word > room + 1) {
            lines++;
            used = 0;
        }
        used += word;
        for (; used > room + 1; used -= room)
            lines++;
        text += word;
    }
    return lines;
}

static void put_words(sheet *to, lxw_col_t at, const char *text, lxw_format *format) {
    if (text == NULL || text[0] == '\0')
        return;
    const int lines = format != NULL ? lines_of(text, to->columns[at].width) : 1;
    to->lines = lines > to->lines ? lines : to->lines;
    note(to->owner, to->owner->library.worksheet_write_string(to->it, to->row, at,
                                                              clean(to->owner, text), format));
}

/* Readers do not all find the height of a row by themselves. */
static void end_row(sheet *to) {
    enum { LINE_HEIGHT = 15 };
    if (to->lines > 1)
        note(to->owner,
             to->owner->library.worksheet_set_row(to->it, to->row, to->lines * LINE_HEIGHT, NULL));
    to->lines = 1;
    to->row++;
}

static void put_text(sheet *to, lxw_col_t at, const char *text) {
    put_words(to, at, text, to->owner->text);
}

/* Behind a figure: a unit, or a column of texts. */
static void put_unit(sheet *to, lxw_col_t at, const char *text) {
    put_words(to, at, text, to->owner->unit);
}

static void put_real(sheet *to, lxw_col_t at, double value, lxw_format *format) {
    if (isfinite(value))
        note(to->owner,
             to->owner->library.worksheet_write_number(to->it, to->row, at, value, format));
}

/* "2027-03-01" */
static void put_date(sheet *to, lxw_col_t at, const char *text) {
    lxw_datetime date = {0};
    if (text != NULL && sscanf(text, "%d-%d-%d", &date.year, &date.month, &date.day) == 3)
        note(to->owner, to->owner->library.worksheet_write_datetime(to->it, to->row, at, &date,
                                                                    to->owner->date));
}

static void put_count(sheet *to, lxw_col_t at, int64_t count) {
    if (count != GP_REPORT_NO_COUNT)
        put_real(to, at, (double)count, to->owner->count);
}

/* "not stated" where the formula would come to what nobody knows. */
static void put_formula(sheet *to, lxw_col_t at, const char *formula, double value,
                        lxw_format *format) {
    if (!isfinite(value)) {
        put_text(to, at, "not stated");
        return;
    }
    note(to->owner, to->owner->library.worksheet_write_formula_num(to->it, to->row, at, formula,
                                                                   format, value));
}

/* Figures as report.json has them, so that a report that was kept gives the same workbook. */

static double six_digits(double value) {
    char text[32];
    (void)snprintf(text, sizeof text, "%.6g", value);
    return isfinite(value) ? strtod(text, NULL) : value;
}

static double cents(double value) {
    return floor(value * 100 + 0.5) / 100;
}

/* What is not known adds nothing to a sum, and a sum of nothing is not known. */
static void add_known(double *sum, double value) {
    if (isfinite(value))
        *sum = (isfinite(*sum) ? *sum : 0) + value;
}

static double kilowatts(double power_w) {
    return six_digits(power_w) / 1000;
}

/* ---- sheets */

/* Heads of two lines, so that figures need no wide columns. */
static sheet open_sheet(book *owner, const char *name, const column *columns, size_t count) {
    enum { HEAD_HEIGHT = 30 };
    sheet to = {.owner = owner, .columns = columns, .lines = 1};
    to.name = gp_arena_printf(owner->arena, "%s%s", name, owner->suffix);
    to.it = owner->library.workbook_add_worksheet(owner->book, to.name);
    if (to.it == NULL) {
        owner->failed = true;
        return to;
    }
    for (size_t i = 0; i < count; i++) {
        lxw_col_t at = (lxw_col_t)i;
        note(owner, owner->library.worksheet_set_column(to.it, at, at, columns[i].width, NULL));
        note(owner,
             owner->library.worksheet_write_string(to.it, 0, at, columns[i].title, owner->heading));
    }
    note(owner, owner->library.worksheet_set_row(to.it, 0, HEAD_HEIGHT, NULL));
    owner->library.worksheet_freeze_panes(to.it, 1, 1);
    owner->library.worksheet_set_landscape(to.it);
    owner->library.worksheet_set_paper(to.it, A4);
    owner->library.worksheet_fit_to_pages(to.it, 1, 0);
    note(owner, owner->library.worksheet_repeat_rows(to.it, 0, 0));
    to.row = 1;
    return to;
}

#define OPEN_SHEET(owner, name, columns)                                                           \
    open_sheet((owner), (name), (columns), GP_COUNT_OF(columns))

static void write_workloads(book *owner, const gp_report *report) {
    static const column columns[] = {
        {"Workload", 14},        {"Type", 10},          {"Model", 18},      {"Scale", 10},
        {"Bound by", 10},        {"System", 13},        {"GPU", 11},        {"GPUs", 6},
        {"Machines", 9},         {"Machines added", 9}, {"Replicas", 8},    {"Layout", 22},
        {"Days to complete", 9}, {"TTFT p95, s", 8},    {"TPOT p95, s", 8}, {"Tokens/s", 10},
        {"IT power, kW", 9},     {"Figures", 20}};
    enum { DAY_S = 86400 };
    sheet to = OPEN_SHEET(owner, "Workloads", columns);
    for (size_t i = 0; i < report->workloads.count && !owner->failed; i++, end_row(&to)) {
        const gp_report_workload *work = &report->workloads.items[i];
        const gp_report_candidate *chosen = &work->recommendation.chosen;
        const char *const texts[] = {work->name,
                                     work->type,
                                     work->model,
                                     gp_form_scale(work->recommendation.scale),
                                     gp_form_resource(owner->arena, work->recommendation.bound_by),
                                     chosen->system,
                                     chosen->gpu};
        const int64_t counts[] = {chosen->gpus, chosen->nodes, chosen->added_nodes,
                                  chosen->replicas};
        for (size_t k = 0; k < GP_COUNT_OF(texts); k++)
            put_text(&to, (lxw_col_t)k, texts[k]);
        for (size_t k = 0; k < GP_COUNT_OF(counts); k++)
            put_count(&to, (lxw_col_t)(7 + k), counts[k]);
        put_unit(&to, 11, chosen->layout);
        put_real(&to, 12, six_digits(chosen->time_to_complete_s.expected) / DAY_S, owner->real);
        put_real(&to, 13, six_digits(chosen->ttft_p95_s.expected), owner->real);
        put_real(&to, 14, six_digits(chosen->tpot_p95_s.expected), owner->real);
        put_real(&to, 15, six_digits(chosen->tokens_per_s.expected), owner->count);
        put_real(&to, 16, kilowatts(chosen->it_power_w), owner->real);
        put_unit(&to, 17,
                 chosen->feasible ? "expected values" : "of what comes nearest; not in the plan");
    }
}

/* ---- bill and cost */

/* "=SUM(G2:G12)"; the first row is 2. */
static const char *sum_formula(book *owner, char letter, lxw_row_t rows) {
    return gp_arena_printf(owner->arena, "=SUM(%s2:%s%d)", (const char[]){letter, '\0'},
                           (const char[]){letter, '\0'}, (int)rows + 1);
}

/* Of what is bought and has a price. */
static double bill_price(const gp_report *report) {
    double price = GP_REPORT_NO_REAL;
    for (size_t i = 0; i < report->site.bill.count; i++)
        if (report->site.bill.items[i].bought > 0)
            add_known(&price, cents(report->site.bill.items[i].price));
    return price;
}

static void write_bill(book *owner, const gp_report *report) {
    static const column columns[] = {{"Role", 22},     {"Part", 18},    {"Count", 7},
                                     {"Power, kW", 9}, {"To buy", 7},   {"Price of one", 13},
                                     {"Price", 14},    {"Currency", 9}, {"Counted by", 32}};
    double power = GP_REPORT_NO_REAL;
    const double price = bill_price(report);
    bool all_priced = true;
    sheet to = OPEN_SHEET(owner, "BOM", columns);
    for (size_t i = 0; i < report->site.bill.count && !owner->failed; i++, end_row(&to)) {
        const gp_report_bill *line = &report->site.bill.items[i];
        put_text(&to, 0, line->role);
        put_text(&to, 1, line->id);
        put_count(&to, 2, line->count);
        put_real(&to, 3, kilowatts(line->power_w), owner->real);
        put_count(&to, 4, line->bought);
        if (isfinite(line->price) && line->bought > 0) {
            put_real(&to, 5, cents(line->price) / (double)line->bought, owner->money);
            put_formula(&to, 6,
                        gp_arena_printf(owner->arena, "=E%d*F%d", (int)to.row + 1, (int)to.row + 1),
                        cents(line->price), owner->money);
            put_unit(&to, 7, report->cost.currency);
        }
        put_unit(&to, 8, line->rule);
        add_known(&power, kilowatts(line->power_w));
        all_priced = all_priced && (line->bought <= 0 || isfinite(line->price));
    }
    if (owner->failed || report->site.bill.count == 0)
        return;
    const lxw_row_t rows = to.row - 1;
    put_text(&to, 0, all_priced ? "Total" : "Total of the priced items");
    put_formula(&to, 3, sum_formula(owner, 'D', rows), power, owner->total);
    put_formula(&to, 6, sum_formula(owner, 'G', rows), price, owner->total);
    put_unit(&to, 7, isfinite(price) ? report->cost.currency : NULL);
}

enum { COST_PARTS = 8 };

typedef struct cost_part {
    const char *label;
    double value;
} cost_part;

static void parts_of(const gp_report_cost *cost, cost_part ret_parts[COST_PARTS]) {
    const cost_part parts[COST_PARTS] = {
        {"Purchase, amortized", cents(cost->capital_per_year)},
        {"Energy", cents(cost->energy_per_year)},
        {"Colocation", cents(cost->colocation_per_year)},
        {"Support", cents(cost->support_per_year)},
        {"Staff", cents(cost->staff_per_year)},
        {"Licences", cents(cost->licenses_per_year)},
        {"Rent", cents(cost->rent_per_year)},
        {"Links", cents(cost->links_per_year)},
    };
    memcpy(ret_parts, parts, sizeof parts);
}

static double year_total(const gp_report_cost *cost) {
    cost_part parts[COST_PARTS];
    double total = GP_REPORT_NO_REAL;
    parts_of(cost, parts);
    for (size_t i = 0; i < COST_PARTS && isfinite(cost->total_per_year); i++)
        add_known(&total, parts[i].value);
    return total;
}

/* A row of the cost sheet: a number, or a formula with its value. */
typedef struct cost_row {
    const char *label;
    const char *formula; /* NULL: a number */
    double value;
    lxw_format *format;
    const char *unit;
} cost_row;

static void put_cost_row(sheet *to, const cost_row *row) {
    put_text(to, 0, row->label);
    if (row->formula != NULL || !isfinite(row->value))
        put_formula(to, 1, row->formula, row->value, row->format);
    else
        put_real(to, 1, row->value, row->format);
    put_unit(to, 2, isfinite(row->value) ? row->unit : NULL);
    end_row(to);
}

/* Rows as formulas name them: the parts lie between the heads and their sum. */
enum { FIRST_ROW = 2, TOTAL_ROW = FIRST_ROW + COST_PARTS, RUNNING_ROW, PRICE_ROW, YEARS_ROW };
enum { GPUS_ROW = YEARS_ROW + 2 };

static const double half_a_cent = 0.005;

/* The bill's total, where that is all of it; NULL: a number. */
static const char *purchase_formula(book *owner, const gp_report *report) {
    const double price = bill_price(report);
    return fabs(price - cents(report->cost.capital)) < half_a_cent
               ? gp_arena_printf(owner->arena, "='BOM%s'!G%d", owner->suffix,
                                 (int)report->site.bill.count + FIRST_ROW)
               : NULL;
}

/* What follows from the parts; Summary refers to their sum. */
static void put_cost_sums(sheet *to, const gp_report *report, const char *per_year) {
    enum { YEARS = 5, HOURS = 8760 };
    const book *owner = to->owner;
    const gp_report_cost *cost = &report->cost;
    const double total = year_total(cost);
    const double bought = cents(cost->capital_per_year);
    const double running = isfinite(bought) ? total - bought : total;
    const double spent = cents(cost->capital) + YEARS * running;
    const double gpus = report->summary.stand_gpus;
    const bool whole = cost->missing.count == 0;
    const bool rents = report->summary.rented_nodes > 0;
    const double per_hour = gpus > 0 && whole ? total / gpus / HOURS : GP_REPORT_NO_REAL;
    gp_arena *arena = owner->arena;
    const cost_row rows[] = {
        {whole ? "Total per year" : "Total per year of the priced items",
         gp_arena_printf(arena, "=SUM(B%d:B%d)", FIRST_ROW, TOTAL_ROW - 1), total, owner->total,
         per_year},
        {"Running cost per year, without the purchase",
         gp_arena_printf(arena, "=SUM(B%d:B%d)", FIRST_ROW + 1, TOTAL_ROW - 1), running,
         owner->money, per_year},
        {whole ? "Purchase price" : "Purchase price of the priced items",
         purchase_formula(to->owner, report), cents(cost->capital), owner->money, cost->currency},
        {"Years to compare (change it)", NULL, YEARS, owner->count, "years"},
        {"Total over these years: purchase and running cost",
         gp_arena_printf(arena, "=B%d+B%d*B%d", PRICE_ROW, YEARS_ROW, RUNNING_ROW), spent,
         owner->total, cost->currency},
        {rents ? "GPUs: installed, and rented for the time paid" : "GPUs installed", NULL, gpus,
         rents ? owner->real : owner->count, NULL},
        {"Total per GPU-hour, used or idle",
         gp_arena_printf(arena, "=B%d/B%d/%d", TOTAL_ROW, GPUS_ROW, HOURS), per_hour, owner->money,
         cost->currency},
    };
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        put_cost_row(to, &rows[i]);
}

static void write_cost(book *owner, const gp_report *report) {
    static const column columns[] = {{"Cost", 46}, {"Value", 20}, {"Unit", 16}};
    const gp_report_cost *cost = &report->cost;
    cost_part parts[COST_PARTS];
    parts_of(cost, parts);
    sheet to = OPEN_SHEET(owner, "TCO", columns);
    const char *per_year =
        gp_arena_printf(owner->arena, "%s/year", cost->currency == NULL ? "" : cost->currency);
    for (size_t i = 0; i < COST_PARTS && !owner->failed; i++) {
        const cost_row row = {parts[i].label, NULL, parts[i].value, owner->money, per_year};
        put_cost_row(&to, &row);
    }
    if (owner->failed)
        return;
    put_cost_sums(&to, report, per_year);
    to.row++;
    for (size_t i = 0; i < cost->missing.count; i++, end_row(&to)) {
        put_text(&to, 0, "No price is known for");
        put_text(&to, 1, cost->missing.items[i]);
    }
}

/* ---- summary */

static void summary_text(sheet *to, const char *label, const char *text) {
    put_text(to, 0, label);
    put_words(to, 1, text, NULL); /* into the columns beside it, where it is long */
    end_row(to);
}

static void summary_count(sheet *to, const char *label, int64_t count) {
    put_text(to, 0, label);
    put_count(to, 1, count);
    end_row(to);
}

static void summary_power(sheet *to, const char *label, double power_w) {
    put_text(to, 0, label);
    put_real(to, 1, kilowatts(power_w), to->owner->real);
    put_unit(to, 2, "kW");
    end_row(to);
}

static void write_summary(book *owner, const gp_report *report) {
    static const column columns[] = {{"Figure", 36}, {"Value", 20}, {"Unit", 50}};
    const gp_report_summary *summary = &report->summary;
    char digest[GP_PLAN_DIGEST];
    gp_report_digest(report, digest);
    sheet to = OPEN_SHEET(owner, "Summary", columns);
    if (owner->failed)
        return;
    summary_text(&to, "Plan", summary->plan);
    summary_text(&to, "Feasible", summary->feasible ? "yes" : "no");
    summary_text(&to, "Objective", summary->objective);
    summary_text(&to, "Judged at", summary->confidence);
    summary_count(&to, "GPUs", summary->gpus);
    summary_count(&to, "Machines", summary->nodes);
    summary_count(&to, "Machines to buy", summary->bought_nodes);
    summary_count(&to, "Machines to rent", summary->rented_nodes);
    summary_count(&to, "Racks", summary->racks);
    summary_power(&to, "IT power", summary->it_power_w);
    summary_power(&to, "IT power under the planned load", summary->it_mean_power_w);
    summary_power(&to, "Facility power", summary->facility_power_w);
    summary_power(&to, "Facility power under the planned load", summary->facility_mean_power_w);
    const cost_row cost = {report->cost.missing.count == 0 ? "Cost per year"
                                                           : "Cost per year of the priced items",
                           gp_arena_printf(owner->arena, "='TCO%s'!B%d", owner->suffix, TOTAL_ROW),
                           year_total(&report->cost), owner->money, report->cost.currency};
    put_cost_row(&to, &cost);
    summary_text(&to, "Plan, sha256", digest);
    summary_text(&to, "Spec, sha256", report->inputs.spec.sha256);
    summary_text(&to, "Made by",
                 gp_arena_printf(owner->arena, "gpuplan %s",
                                 report->tool.version == NULL ? "" : report->tool.version));
}

/* ---- growth, assumptions */

static void write_growth(book *owner, const gp_report *report) {
    static const column columns[] = {{"Quarter", 9},
                                     {"GPUs", 7},
                                     {"Machines", 9},
                                     {"Machines added", 9},
                                     {"Low scenario", 9},
                                     {"High scenario", 9},
                                     {"To buy", 7},
                                     {"Needed by", 11},
                                     {"Order by", 11},
                                     {"Order power by", 11},
                                     {"Facility power, kW", 10},
                                     {"Limit exceeded", 12},
                                     {"IT power, kW", 9},
                                     {"To rent", 7},
                                     {"Rented from", 18},
                                     {"Rent per year", 12}};
    int64_t before = 0;
    if (report->growth.count == 0)
        return;
    sheet to = OPEN_SHEET(owner, "Growth", columns);
    for (size_t i = 0; i < report->growth.count && !owner->failed; i++, end_row(&to)) {
        const gp_report_growth *it = &report->growth.items[i];
        put_text(&to, 0, it->quarter);
        put_count(&to, 1, it->gpus);
        put_count(&to, 2, it->nodes);
        if (i > 0)
            put_formula(&to, 3,
                        gp_arena_printf(owner->arena, "=C%d-C%d", (int)to.row + 1, (int)to.row),
                        (double)(it->nodes - before), owner->count);
        put_count(&to, 4, it->nodes_low);
        put_count(&to, 5, it->nodes_high);
        put_count(&to, 6, it->buy_nodes);
        put_date(&to, 7, it->needed_by);
        put_date(&to, 8, it->order_by);
        put_date(&to, 9, it->order_power_by);
        put_real(&to, 10, kilowatts(it->facility_w), owner->real);
        put_unit(&to, 11, it->limit_hit);
        put_real(&to, 12, kilowatts(it->it_w), owner->real);
        put_count(&to, 13, it->rent_nodes);
        put_unit(&to, 14, it->rent_from);
        put_real(&to, 15, it->rent_per_year, owner->money);
        before = it->nodes;
    }
}

static void write_assumptions(book *owner, const gp_report *report) {
    static const column columns[] = {
        {"Assumed", 46}, {"Value", 40}, {"Source", 12}, {"Verified", 10}, {"Leverage", 10}};
    sheet to = OPEN_SHEET(owner, "Assumptions", columns);
    for (size_t i = 0; i < report->assumptions.count && !owner->failed; i++, end_row(&to)) {
        const gp_report_assumption *it = &report->assumptions.items[i];
        put_text(&to, 0, it->path);
        put_text(&to, 1, it->value);
        put_text(&to, 2, it->source);
        put_text(&to, 3, it->verified ? "yes" : "no");
        put_text(&to, 4, it->leverage);
    }
}

/* ---- the file */

static lxw_format *format_of(book *owner, const char *numbers, bool bold) {
    lxw_format *format = owner->library.workbook_add_format(owner->book);
    if (format == NULL) {
        owner->failed = true;
        return NULL;
    }
    if (numbers != NULL)
        owner->library.format_set_num_format(format, numbers);
    if (bold)
        owner->library.format_set_bold(format);
    if (numbers == NULL)
        owner->library.format_set_text_wrap(format);
    owner->library.format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
    return format;
}

static void fill(book *owner, const gp_report *const *reports, size_t count) {
    static char author[] = "gpuplan";
    lxw_doc_properties properties = {.author = author, .created = CREATED_S};
    note(owner, owner->library.workbook_set_properties(owner->book, &properties));
    owner->heading = format_of(owner, NULL, true);
    owner->money = format_of(owner, "#,##0.00", false);
    owner->count = format_of(owner, "#,##0", false);
    owner->real = format_of(owner, "#,##0.000", false);
    owner->text = format_of(owner, NULL, false);
    owner->unit = format_of(owner, NULL, false);
    owner->library.format_set_indent(owner->unit, 1);
    owner->total = format_of(owner, "#,##0.00", true);
    owner->date = format_of(owner, "yyyy-mm-dd", false);
    for (size_t i = 0; i < count && !owner->failed; i++) {
        owner->suffix = i == 0 ? "" : gp_arena_printf(owner->arena, " (%d)", (int)i + 1);
        owner->failed = owner->failed || owner->suffix == NULL;
        write_summary(owner, reports[i]);
        write_workloads(owner, reports[i]);
        write_bill(owner, reports[i]);
        write_cost(owner, reports[i]);
        write_growth(owner, reports[i]);
        write_assumptions(owner, reports[i]);
    }
}

static gp_status read_back(gp_arena *arena, const char *path, const char **ret_text,
                           size_t *ret_len) {
    struct stat info;
    FILE *file = fopen(path, "rb");
    gp_status st = GP_ERR_INTERNAL;
    if (file != NULL && fstat(fileno(file), &info) == 0 && info.st_size > 0) {
        size_t len = (size_t)info.st_size;
        char *data = gp_arena_alloc(arena, len, 1);
        st = fread(data, 1, len, file) == len ? GP_OK : GP_ERR_INTERNAL;
        *ret_text = data;
        *ret_len = len;
    }
    if (file != NULL)
        (void)fclose(file);
    return st;
}

typedef struct workbook_work {
    book *owner;
    const gp_report *const *reports;
    size_t count;
} workbook_work;

static gp_status fill_sheets(void *context) {
    const workbook_work *work = context;
    fill(work->owner, work->reports, work->count);
    return GP_OK;
}

static gp_status write_in(gp_arena *arena, char *folder, const gp_report *const *reports,
                          size_t count, const char **ret_text, size_t *ret_len) {
    const char *path = gp_arena_printf(arena, "%s/book.xlsx", folder);
    lxw_workbook_options options = {.tmpdir = folder};
    book owner = {.arena = arena, .suffix = ""};
    if (!open_library(&owner.library))
        return GP_ERR_INTERNAL;
    owner.book = owner.library.workbook_new_opt(path, &options);
    if (owner.book == NULL)
        return GP_ERR_NO_MEMORY;
    gp_status st = gp_arena_guard(arena, fill_sheets, &(workbook_work){&owner, reports, count});
    bool closed = owner.library.workbook_close(owner.book) == LXW_NO_ERROR;
    if (st == GP_OK)
        st = closed && !owner.failed ? read_back(arena, path, ret_text, ret_len) : GP_ERR_INTERNAL;
    (void)unlink(path);
    return st;
}

static gp_status write_workbook(gp_arena *arena, const gp_report *const *reports, size_t count,
                                const char **ret_text, size_t *ret_len) {
    const char *where = getenv("TMPDIR");
    char *folder = gp_arena_printf(arena, "%s/gpuplan-XXXXXX",
                                   where != NULL && where[0] != '\0' ? where : "/tmp");
    if (mkdtemp(folder) == NULL)
        return GP_ERR_INTERNAL;
    gp_status st = write_in(arena, folder, reports, count, ret_text, ret_len);
    (void)rmdir(folder);
    return st;
}

gp_workbook_write *gp_xlsx_writer(void) {
    functions library;
    return open_library(&library) ? write_workbook : NULL;
}

#else

gp_workbook_write *gp_xlsx_writer(void) {
    return NULL;
}

#endif
