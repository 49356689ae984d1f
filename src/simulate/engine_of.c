/*
 * From a layout to an engine: the table of its step times out of the estimators, its KV pool as
 * blocks, its power by batch.
 */
#include <math.h>

#include "base/num.h"
#include "estimate/serve.h"
#include "simulate/sim.h"

enum {
    SINGLE_BATCHES = 16, /* every batch up to here has a row */
    FINE_PARTS = 8,      /* grid points per octave */
    MEDIUM_PARTS = 4,
    COARSE_PARTS = 2,
    FIRST_CONTEXT = 64,
    LAST_CONTEXT = 1 << 20,
    FIRST_CHUNK = 16,
    LAST_CHUNK = 1 << 17,
    FIRST_PREFIX = 256,
};

/* Points from `first` on, `parts` per octave and evenly spaced inside, until one reaches `last` or
 * the grid is full. */
static int add_octaves(double *grid, int count, int most, double first, double last, int parts) {
    double base = first;
    int part = 0;
    while (count < most) {
        double value = base * (1 + (double)part / (double)parts);
        grid[count++] = value;
        if (value >= last)
            break;
        if (++part == parts) {
            part = 0;
            base *= 2;
        }
    }
    return count;
}

static void set_grids(gp_step_table *table, double batch_max, double budget) {
    double batches = gp_num_max(batch_max, 2);
    for (int i = 1; i <= SINGLE_BATCHES && table->rows < (int)batches; i++)
        table->batch[table->rows++] = (double)i;
    if (batches > SINGLE_BATCHES) {
        table->rows--; /* the octaves begin with it */
        table->rows = add_octaves(table->batch, table->rows, GP_STEP_ROWS, SINGLE_BATCHES, batches,
                                  FINE_PARTS);
    }
    table->context[table->columns++] = 0;
    table->columns = add_octaves(table->context, table->columns, GP_STEP_COLUMNS, FIRST_CONTEXT,
                                 LAST_CONTEXT, COARSE_PARTS);
    table->tokens[table->chunks++] = 0;
    for (int i = 1; i < FIRST_CHUNK; i *= 2)
        table->tokens[table->chunks++] = (double)i;
    table->chunks =
        add_octaves(table->tokens, table->chunks, GP_STEP_CHUNKS, FIRST_CHUNK, budget, FINE_PARTS);
    double reached = table->tokens[table->chunks - 1];
    if (reached < LAST_CHUNK) {
        table->chunks--;
        table->chunks = add_octaves(table->tokens, table->chunks, GP_STEP_CHUNKS, reached,
                                    LAST_CHUNK, MEDIUM_PARTS);
    }
    table->prefix[table->prefixes++] = 0;
    table->prefixes = add_octaves(table->prefix, table->prefixes, GP_STEP_PREFIXES, FIRST_PREFIX,
                                  LAST_CONTEXT, 1);
}

static void fill_decode(const gp_serve_cost *cost, double slowdown, gp_step_table *table) {
    for (int i = 0; i < table->rows; i++) {
        gp_serve_batch batch;
        gp_serve_batch_of(cost, table->batch[i], &batch);
        for (int j = 0; j < table->columns; j++) {
            gp_serve_step step;
            gp_serve_batch_step(cost, &batch, table->context[j], &step);
            table->decode_s[i][j] = slowdown * step.total_s;
        }
    }
}

static void fill_prefill(const gp_serve_cost *cost, double slowdown, gp_step_table *table) {
    const gp_serve_job *job = cost->job;
    double stages = (double)cost->pp;
    double images = job->input_tokens > 0 ? job->image_tokens / job->input_tokens : 0;
    for (int i = 1; i < table->chunks && !job->prefilled; i++) {
        double tokens = table->tokens[i];
        for (int j = 0; j < table->prefixes; j++) {
            gp_serve_prefill prefill;
            gp_serve_prefill_of(cost, tokens, table->prefix[j], images * tokens, &prefill);
            table->work_s[i][j] = slowdown * prefill.work_s / stages;
            if (j == 0)
                table->fixed_s[i] = slowdown * gp_serve_prompt_fixed_s(cost, &prefill);
        }
    }
    /* No tokens, no work: the line from the first point down to none keeps the fixed part. */
    table->fixed_s[0] = table->fixed_s[1];
}

/* Of a replica's GPUs and their share of the machine. */
static double replica_w(const gp_serve_cost *cost, double gpus, gp_load load, double gpu_w) {
    const gp_machine *machine = cost->machine;
    gp_node_power power;
    gp_node_power_of(machine, load, gpu_w, cost->constants, NULL, &power);
    return power.node_w * gpus / gp_num_max((double)machine->gpus, 1);
}

/* While it decodes at full speed, by batch, and while it reads prompts. */
static void fill_power(const gp_serve_cost *cost, double gpus, gp_step_table *table) {
    const gp_serve_pools both = {.prefill = *cost, .decode = *cost};
    gp_serve_power power;
    table->idle_w = replica_w(cost, gpus, GP_LOAD_IDLE, 0);
    for (int i = 0; i < table->rows; i++) {
        const gp_serve_point point = {.batch = table->batch[i]};
        gp_serve_pools_power(&both, &point, 0, 0, NULL, &power);
        table->power_w[i] = replica_w(cost, gpus, GP_LOAD_SERVING, power.gpu_w);
    }
    gp_serve_pools_power(&both, &(gp_serve_point){.batch = 1}, 1, 1, NULL, &power);
    table->prompt_w = replica_w(cost, gpus, GP_LOAD_SERVING, power.gpu_w);
}

/* Bytes of a sequence grow by the full-attention layers and, inside their window, by the others: in
 * blocks, by what a token takes at the mean length. */
static void set_blocks(const gp_serve_job *job, const gp_serve_layout *layout,
                       const gp_constants *constants, const gp_serve_memory *memory,
                       gp_engine *ret) {
    gp_serve_kv kv = gp_serve_kv_of(job, layout, constants);
    double groups = (double)gp_num_max_i64(layout->attention_dp, 1);
    double pool = memory->memory.bytes[GP_MEMORY_KV_CACHE] * groups;
    double ranks = (double)gp_serve_layout_gpus(layout) / groups;
    double mean = gp_num_max(job->input_tokens + 0.5 * job->output_tokens, 1);
    double token = (gp_serve_kv_bytes(&kv, mean) - kv.state_bytes) / mean;
    ret->block_tokens = gp_num_max_i64((int64_t)constants->serving_kv_block_tokens, 1);
    ret->block_tokens = gp_num_min_i64(ret->block_tokens, GP_SIM_BLOCK_TOKENS);
    ret->grows = token > 0;
    ret->kv_bytes_per_token = token * ranks;
    double block = ret->grows ? token * (double)ret->block_tokens : kv.state_bytes;
    ret->blocks = block > 0 ? gp_num_floor_count(pool / block) : GP_NUM_COUNT_MAX;
    ret->fixed_blocks = block > 0 ? gp_num_ceil_count(kv.state_bytes / block) : 0;
}

/* Of a prompt the part that the other groups do not share: its own group computes it alone. */
static double lone_s(const gp_serve_cost *cost, double slowdown) {
    gp_serve_prefill prompt;
    if (cost->groups <= 1 || !cost->supported)
        return 0;
    gp_serve_prompt_of(cost, cost->job->input_tokens, &prompt);
    double shared_s = prompt.work_s + gp_serve_prompt_fixed_s(cost, &prompt);
    return slowdown * gp_num_max(prompt.total_s - shared_s, 0);
}

void gp_engine_of(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                  const gp_serve_layout *layout, const gp_constants *constants,
                  const gp_serve_memory *memory, double slowdown, gp_engine *ret) {
    gp_serve_cost cost;
    *ret = (gp_engine){.table = {0}};
    gp_serve_cost_of(job, machine, network, layout, constants, &cost);
    ret->gpus = gp_serve_layout_gpus(layout);
    ret->branches = gp_num_max_i64((int64_t)job->branches, 1);
    /* Groups step together, each with prompts of its own. */
    ret->budget_tokens = gp_num_max_i64((int64_t)cost.budget_tokens * cost.groups, 1);
    ret->max_sequences = gp_num_min_i64((int64_t)memory->max_sequences, ret->budget_tokens);
    ret->max_sequences = gp_num_max_i64(ret->max_sequences, ret->branches);
    ret->prompt_stages = cost.pp;
    ret->request_s = gp_serve_request_s(job, constants) + lone_s(&cost, slowdown);
    ret->context_tokens = gp_serve_longest_tokens(job);
    set_blocks(job, layout, constants, memory, ret);
    set_grids(&ret->table, (double)ret->max_sequences, (double)ret->budget_tokens);
    fill_decode(&cost, slowdown, &ret->table);
    fill_prefill(&cost, slowdown, &ret->table);
    fill_power(&cost, (double)ret->gpus, &ret->table);
}

void gp_engine_linear(double step_s, double sequence_s, double context_s, double token_s,
                      gp_engine *ret) {
    enum { LARGE = 1 << 20, SEQUENCES = 256, BUDGET = 8192, BLOCK = 16 };
    *ret = (gp_engine){.gpus = 1,
                       .max_sequences = SEQUENCES,
                       .budget_tokens = BUDGET,
                       .blocks = LARGE,
                       .block_tokens = BLOCK,
                       .grows = true,
                       .branches = 1,
                       .prompt_stages = 1};
    gp_step_table *table = &ret->table;
    set_grids(table, SEQUENCES, BUDGET);
    for (int i = 0; i < table->rows; i++) {
        for (int j = 0; j < table->columns; j++) {
            double b = table->batch[i];
            table->decode_s[i][j] = step_s + sequence_s * b + context_s * b * table->context[j];
        }
    }
    for (int i = 0; i < table->chunks; i++) {
        table->fixed_s[i] = step_s;
        for (int j = 0; j < table->prefixes; j++)
            table->work_s[i][j] = token_s * table->tokens[i];
    }
}

double gp_engine_decode_s(const gp_engine *engine, double batch, double context) {
    gp_row row = gp_table_row_of(&engine->table, batch, (gp_row){0});
    return gp_table_decode_s(&engine->table, &row, context);
}
