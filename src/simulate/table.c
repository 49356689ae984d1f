/*
 * Step times as a table. A replica asks for its step time at every event; the estimators answer in
 * half a microsecond, the table in a few nanoseconds, and a run of decode steps as one sum: their
 * mean context grows by one token a step, so between two grid points the times are an arithmetic
 * series.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

/* Largest i < count - 1 with grid[i] <= value; 0 where value lies before the grid. */
static int interval(const double *grid, int count, double value) {
    if (count < 2 || value < grid[1])
        return 0; /* mostly: a prompt without a prefix */
    int low = 0;
    int high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (grid[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The same from one that is not far from it. */
static int interval_near(const double *grid, int count, double value, int at) {
    while (at > 0 && grid[at] > value)
        at--;
    while (at + 2 < count && grid[at + 1] <= value)
        at++;
    return at;
}

static double share_of(const double *grid, int count, int at, double value) {
    if (count < 2)
        return 0;
    return (value - grid[at]) / (grid[at + 1] - grid[at]);
}

gp_row gp_table_row_of(const gp_step_table *table, double batch, gp_row near) {
    gp_row row = near;
    row.at = interval_near(table->batch, table->rows, batch, near.at);
    row.share = share_of(table->batch, table->rows, row.at, batch);
    return row;
}

/* Straight line between the grid points around a context, for one batch. */
typedef struct line {
    double value; /* at the context */
    double slope;
    double end; /* context up to which it holds */
} line;

static double cell(const gp_step_table *table, const gp_row *row, int column) {
    double low = table->decode_s[row->at][column];
    if (table->rows < 2)
        return low;
    return low + row->share * (table->decode_s[row->at + 1][column] - low);
}

static line line_at(const gp_step_table *table, gp_row *row, double context) {
    int at = interval_near(table->context, table->columns, context, row->column);
    row->column = at;
    double low = cell(table, row, at);
    line l = {.value = low, .end = HUGE_VAL};
    if (table->columns < 2)
        return l;
    double width = table->context[at + 1] - table->context[at];
    l.slope = (cell(table, row, at + 1) - low) / width;
    l.value = low + l.slope * (context - table->context[at]);
    l.end = at + 2 < table->columns ? table->context[at + 1] : HUGE_VAL;
    return l;
}

double gp_table_decode_s(const gp_step_table *table, gp_row *row, double context) {
    return line_at(table, row, context).value;
}

static double sum_of(const line *l, double steps) {
    return steps * l->value + 0.5 * l->slope * steps * (steps - 1);
}

/* Steps, of `most`, whose contexts the line holds for. */
static int64_t steps_on(const line *l, double context, int64_t most) {
    double reach = ceil(l->end - context);
    return reach < (double)most ? (int64_t)gp_num_max(reach, 1) : most;
}

double gp_table_decode_many_s(const gp_step_table *table, gp_row *row, double context,
                              int64_t steps) {
    double sum = 0;
    while (steps > 0) {
        line l = line_at(table, row, context);
        int64_t here = steps_on(&l, context, steps);
        sum += sum_of(&l, (double)here);
        context += (double)here;
        steps -= here;
    }
    return sum;
}

/* The least number of steps on the line that takes `wanted_s`, of which `most` are enough. */
static int64_t least_steps(const line *l, int64_t most, double wanted_s) {
    double a = 0.5 * l->slope;
    double b = l->value - a;
    double root = sqrt(gp_num_max(b * b + 4 * a * wanted_s, 0));
    double guess = b + root > 0 ? 2 * wanted_s / (b + root) : (double)most;
    int64_t steps = guess < (double)most ? (int64_t)ceil(guess) : most;
    steps = gp_num_max_i64(steps, 1);
    while (steps > 1 && sum_of(l, (double)(steps - 1)) >= wanted_s)
        steps--;
    while (steps < most && sum_of(l, (double)steps) < wanted_s)
        steps++;
    return steps;
}

int64_t gp_table_steps_until(const gp_step_table *table, gp_row *row, double context, int64_t steps,
                             double wanted_s, double *ret_s) {
    double sum = 0;
    int64_t done = 0;
    while (done < steps) {
        line l = line_at(table, row, context + (double)done);
        int64_t here = steps_on(&l, context + (double)done, steps - done);
        double all = sum_of(&l, (double)here);
        if (sum + all >= wanted_s) {
            here = least_steps(&l, here, wanted_s - sum);
            *ret_s = sum + sum_of(&l, (double)here);
            return done + here;
        }
        sum += all;
        done += here;
    }
    *ret_s = sum;
    return done;
}

double gp_table_work_s(const gp_step_table *table, double tokens, double prefix) {
    int i = interval(table->tokens, table->chunks, tokens);
    int j = interval(table->prefix, table->prefixes, prefix);
    double x = share_of(table->tokens, table->chunks, i, tokens);
    double y = share_of(table->prefix, table->prefixes, j, prefix);
    int beside = table->prefixes > 1 ? j + 1 : j;
    const double *low = table->work_s[i];
    const double *high = table->work_s[i + 1];
    double at_low = low[j] + y * (low[beside] - low[j]);
    double at_high = high[j] + y * (high[beside] - high[j]);
    return at_low + x * (at_high - at_low);
}

double gp_table_fixed_s(const gp_step_table *table, double tokens) {
    int i = interval(table->tokens, table->chunks, tokens);
    double x = share_of(table->tokens, table->chunks, i, tokens);
    return table->fixed_s[i] + x * (table->fixed_s[i + 1] - table->fixed_s[i]);
}

double gp_table_power_w(const gp_step_table *table, gp_row row) {
    double low = table->power_w[row.at];
    if (table->rows < 2)
        return low;
    /* Power saturates: no straight line beyond the last batch. */
    double share = gp_num_min(gp_num_max(row.share, 0), 1);
    return low + share * (table->power_w[row.at + 1] - low);
}
