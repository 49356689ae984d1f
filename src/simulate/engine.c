/*
 * One replica: what its engine does in a step, and for how many steps nothing changes. A step gives
 * every decoding sequence one token and spends the rest of its token budget on prompts, first come
 * first served; a prompt is admitted when its blocks are free. When decoding needs a block and none
 * is left, the request admitted last loses its place and is computed again later, the tokens it had
 * made included. A run of steps without prompts ends with the first request that is done, with the
 * last free block, or with an arrival that can be admitted.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "simulate/sim.h"

void gp_replica_init(gp_sim *sim, gp_replica *replica) {
    const gp_engine *engine = replica->engine;
    const gp_arrivals *arrivals = &sim->config->arrivals;
    replica->end_s = HUGE_VAL;
    replica->partial = GP_NOBODY;
    replica->running = (gp_list){.oldest = GP_NOBODY, .newest = GP_NOBODY};
    replica->waiting = replica->running;
    replica->blocks = (gp_blocks){.total = engine->blocks};
    replica->due = GP_NEW_ARRAY(sim->arena, int64_t, (size_t)engine->block_tokens);
    bool cache = arrivals->prefix_fraction > 0 && replica->role != GP_POOL_DECODE;
    size_t groups = (size_t)gp_num_max_i64(arrivals->prefix_groups, 1);
    if (cache)
        replica->blocks.prefixes = GP_NEW_ARRAY(sim->arena, gp_prefix, groups);
    gp_blocks_clear(&replica->blocks, (int64_t)groups);
}

/* ---- blocks */

/* Blocks mostly have a power of two of tokens, and divisions would take a good part of a run. */
static int64_t whole(int64_t count, int64_t block) {
    return (block & (block - 1)) == 0 ? count >> __builtin_ctzll((unsigned long long)block)
                                      : count / block;
}

static int64_t beyond_whole(int64_t count, int64_t block) {
    return (block & (block - 1)) == 0 ? count & (block - 1) : count % block;
}

static int64_t blocks_of(const gp_engine *engine, int64_t tokens) {
    return engine->grows ? whole(tokens + engine->block_tokens - 1, engine->block_tokens) : 0;
}

/* Blocks that a decoding request took since its prompt was done. */
static int64_t grown_blocks(const gp_replica *replica, const gp_live *live) {
    const gp_engine *engine = replica->engine;
    int64_t now = live->context + replica->iteration - live->base_iteration;
    return engine->branches * (blocks_of(engine, now) - blocks_of(engine, live->context));
}

static bool fits_engine(const gp_engine *engine, const gp_live *live, bool prompt_only) {
    int64_t branches = engine->branches;
    int64_t last = prompt_only ? live->input : (int64_t)live->input + live->output - 1;
    int64_t prompt = blocks_of(engine, live->input);
    int64_t most = prompt + branches * (blocks_of(engine, last) - prompt + engine->fixed_blocks);
    /* Branches that are computed again may end in a block more each. */
    most += branches > 1 ? branches : 0;
    bool in_context = engine->context_tokens <= 0 ||
                      (int64_t)live->input + live->output <= engine->context_tokens;
    return most <= engine->blocks && in_context && branches <= engine->max_sequences;
}

bool gp_replica_can_hold(const gp_replica *replica, const gp_live *live) {
    return fits_engine(replica->engine, live, replica->role == GP_POOL_PREFILL);
}

/* Sequences that need a block in the next step. */
static int64_t due_next(const gp_replica *replica) {
    if (!replica->engine->grows || replica->decoding == 0)
        return 0;
    return replica->due[beyond_whole(replica->iteration + 1, replica->engine->block_tokens)];
}

static int64_t due_in(const gp_replica *replica, int64_t steps) {
    const gp_engine *engine = replica->engine;
    if (!engine->grows)
        return 0;
    int64_t rounds = whole(steps, engine->block_tokens);
    int64_t sum = rounds * replica->decoding * engine->branches;
    for (int64_t i = rounds * engine->block_tokens + 1; i <= steps; i++)
        sum += replica->due[beyond_whole(replica->iteration + i, engine->block_tokens)];
    return sum;
}

/* Steps, at most `most`, for which the free blocks are enough. */
static int64_t steps_with_blocks(const gp_replica *replica, int64_t most) {
    const gp_engine *engine = replica->engine;
    int64_t left = gp_blocks_free(&replica->blocks);
    int64_t each_round = replica->decoding * engine->branches;
    if (!engine->grows)
        return most;
    if (left >= each_round * (whole(most, engine->block_tokens) + 1))
        return most;
    int64_t rounds = left / each_round;
    int64_t steps = rounds * engine->block_tokens;
    left -= rounds * each_round;
    while (steps < most) {
        left -= replica->due[beyond_whole(replica->iteration + steps + 1, engine->block_tokens)];
        if (left < 0)
            break;
        steps++;
    }
    return gp_num_max_i64(gp_num_min_i64(steps, most), 1);
}

/* ---- a request on the replica */

static int64_t due_at(const gp_replica *replica, const gp_live *live) {
    int64_t block = replica->engine->block_tokens;
    int64_t since = live->base_iteration + 1 - live->context;
    return since < 0 ? block - 1 - beyond_whole(-since - 1, block) : beyond_whole(since, block);
}

/* The prompt is there: from the next step on the request decodes. */
static void begin_decoding(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    int64_t branches = replica->engine->branches;
    live->base_iteration = replica->iteration;
    replica->context_sum += branches * live->context;
    replica->due[due_at(replica, live)] += branches;
    gp_decode_heap_push(
        sim, replica,
        (gp_due){.end_iteration = replica->iteration + live->output - live->generated,
                 .request = request});
}

/* Takes a request out of decoding, with the tokens and blocks that it has by now. */
static void end_decoding(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    int64_t branches = replica->engine->branches;
    int64_t steps = replica->iteration - live->base_iteration;
    live->own_blocks += (int32_t)grown_blocks(replica, live);
    replica->due[due_at(replica, live)] -= branches;
    replica->context_sum -= branches * (live->context + steps);
    gp_decode_heap_remove(sim, replica, request);
    live->computed += (int32_t)(branches * steps);
    live->generated += (int32_t)steps;
}

void gp_replica_release(gp_sim *sim, gp_replica *replica, gp_live *live) {
    (void)sim;
    gp_blocks_give(&replica->blocks, live->own_blocks);
    if (live->wanted_blocks > 0 && replica->blocks.prefixes != NULL)
        gp_prefix_drop(&replica->blocks, live->group);
    live->own_blocks = 0;
    live->shared_blocks = 0;
    replica->blocked = false;
}

/* Takes a running request off the replica; what it computed is lost. */
static void put_back(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    if (live->decodes)
        end_decoding(sim, replica, request);
    if (replica->partial == request)
        replica->partial = GP_NOBODY;
    gp_list_remove(sim, &replica->running, request);
    gp_replica_release(sim, replica, live);
    gp_live_lose(sim, request);
}

static void preempt_newest(gp_sim *sim, gp_replica *replica) {
    int32_t request = replica->running.newest;
    put_back(sim, replica, request);
    gp_list_prepend(sim, &replica->waiting, request);
    sim->result->preemptions++;
}

static void complete(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    gp_list_remove(sim, &replica->running, request);
    gp_replica_release(sim, replica, live);
    gp_live_done(sim, request, sim->now_s);
}

/* ---- admission */

static int64_t wanted_now(const gp_replica *replica, const gp_live *live) {
    if (replica->blocks.prefixes == NULL || live->wanted_blocks == 0)
        return 0;
    return gp_num_min_i64(live->wanted_blocks, gp_prefix_there(&replica->blocks, live->group));
}

/* Blocks that admission takes from the free ones: its own, and a cached prefix that comes into use.
 */
static int64_t admission_blocks(const gp_replica *replica, const gp_live *live, int64_t tokens) {
    const gp_engine *engine = replica->engine;
    /* What was transferred decodes in this very step, and may need a block for it. */
    int64_t at_once = live->carried ? engine->branches : 0;
    int64_t blocks = blocks_of(engine, tokens + at_once) - wanted_now(replica, live) +
                     engine->branches * engine->fixed_blocks;
    if (live->wanted_blocks > 0 && replica->blocks.prefixes != NULL &&
        replica->blocks.prefixes[live->group].users == 0)
        blocks += replica->blocks.prefixes[live->group].blocks;
    return blocks;
}

/* Tokens whose KV entries a request needs before it can decode: its prompt and what it has said. */
static int64_t tokens_to_hold(const gp_engine *engine, const gp_live *live) {
    int64_t said = live->carried ? live->generated - 1 : live->generated;
    return live->input + engine->branches * said;
}

static bool fits_now(gp_replica *replica, const gp_live *live, int64_t reserved) {
    int64_t tokens = tokens_to_hold(replica->engine, live);
    int64_t left = gp_blocks_free(&replica->blocks) - reserved;
    if (admission_blocks(replica, live, tokens) <= left)
        return true;
    if (replica->running.count > 0 || wanted_now(replica, live) == 0)
        return false;
    /* Alone, a request must not be kept out by the rest of a longer prefix than its own. */
    gp_prefix_trim(&replica->blocks, live->group, live->wanted_blocks);
    return admission_blocks(replica, live, tokens) <= left;
}

/* Moves the first that waits among those running; the caller has seen that it fits. */
static int32_t admit(gp_sim *sim, gp_replica *replica) {
    const gp_engine *engine = replica->engine;
    int32_t request = replica->waiting.oldest;
    gp_live *live = gp_live_at(sim, request);
    int64_t tokens = tokens_to_hold(engine, live);
    int64_t shared = wanted_now(replica, live);
    gp_list_remove(sim, &replica->waiting, request);
    gp_list_append(sim, &replica->running, request);
    if (live->wanted_blocks > 0 && replica->blocks.prefixes != NULL)
        gp_prefix_hold(&replica->blocks, live->group);
    live->shared_blocks = (int32_t)shared;
    live->own_blocks =
        (int32_t)(blocks_of(engine, tokens) - shared + engine->branches * engine->fixed_blocks);
    gp_blocks_take(&replica->blocks, live->own_blocks);
    live->target = (int32_t)tokens;
    if (live->queued_s < 0)
        live->queued_s = sim->now_s;
    if (live->carried) {
        live->context = live->input + live->generated - 1;
        live->computed = live->target;
        begin_decoding(sim, replica, request);
        return GP_NOBODY;
    }
    live->context = live->input + live->generated;
    live->computed = (int32_t)(shared * engine->block_tokens);
    sim->result->cached_tokens += live->computed;
    return request;
}

/* Gives a request as much of the budget as its prompt needs. */
static int64_t add_chunk(gp_sim *sim, gp_replica *replica, int32_t request, int64_t budget) {
    gp_live *live = gp_live_at(sim, request);
    int64_t left = live->target - live->computed;
    int64_t chunk = replica->engine->whole_prompts ? left : gp_num_min_i64(left, budget);
    live->chunk = (int32_t)chunk;
    replica->chunks = gp_arena_grow(sim->arena, replica->chunks, (size_t)replica->chunk_count,
                                    &replica->chunk_room, sizeof *replica->chunks);
    replica->chunks[replica->chunk_count++] = request;
    replica->partial = chunk < left ? request : GP_NOBODY;
    return chunk;
}

static bool has_place(const gp_replica *replica) {
    const gp_engine *engine = replica->engine;
    return (replica->running.count + 1) * engine->branches <= engine->max_sequences;
}

/* The next that waits may join a step that has `budget` tokens left. */
static bool may_admit(gp_sim *sim, gp_replica *replica, int64_t budget, int64_t reserved) {
    const gp_live *live = gp_live_at(sim, replica->waiting.oldest);
    if (!has_place(replica) || !fits_now(replica, live, reserved)) {
        replica->blocked = true;
        return false;
    }
    bool whole = replica->engine->whole_prompts && replica->chunk_count > 0;
    return live->carried || !whole || tokens_to_hold(replica->engine, live) <= budget;
}

static void admit_waiting(gp_sim *sim, gp_replica *replica, int64_t budget) {
    while (replica->waiting.count > 0 && budget > 0 && replica->partial == GP_NOBODY) {
        if (!may_admit(sim, replica, budget, due_next(replica)))
            break;
        int32_t request = admit(sim, replica);
        budget -= request == GP_NOBODY ? replica->engine->branches
                                       : add_chunk(sim, replica, request, budget);
    }
    replica->blocked = replica->blocked ||
                       (replica->waiting.count > 0 && budget <= 0 && replica->chunk_count == 0);
}

/* ---- pieces of time */

static void set_idle(gp_replica *replica) {
    replica->steps = 0;
    replica->end_s = HUGE_VAL;
    replica->power_w = replica->engine->table.idle_w;
}

/* Time of one step with prompts in it, and of that what reads them. Their tokens trail by the
 * pipeline's other stages. */
static double mixed_step_s(gp_sim *sim, const gp_replica *replica, double decode_s,
                           double *ret_work_s) {
    const gp_engine *engine = replica->engine;
    double work_s = 0;
    int64_t tokens = 0;
    for (int64_t i = 0; i < replica->chunk_count; i++) {
        gp_live *live = gp_live_at(sim, replica->chunks[i]);
        double each_s =
            gp_table_work_s(&engine->table, (double)live->chunk, (double)live->computed);
        tokens += live->chunk;
        work_s += each_s;
        live->delay_s = each_s * (double)(engine->prompt_stages - 1);
    }
    *ret_work_s = work_s;
    return work_s + gp_num_max(gp_table_fixed_s(&engine->table, (double)tokens), decode_s);
}

/* Mean context of the decoding sequences in the next step. */
static double next_context(const gp_replica *replica) {
    double sequences = (double)(replica->decoding * replica->engine->branches);
    return (double)replica->context_sum / sequences + 1;
}

static void set_piece(gp_sim *sim, gp_replica *replica, bool again_next_step) {
    const gp_engine *engine = replica->engine;
    const gp_step_table *table = &engine->table;
    double batch = (double)(replica->decoding * engine->branches);
    double duration_s = 0;
    replica->begin_s = sim->now_s;
    replica->decodes =
        replica->decoding > 0 && !(engine->whole_prompts && replica->chunk_count > 0);
    const gp_row all =
        gp_table_row_of(table, gp_num_max(batch + (double)replica->chunk_count, 1), replica->row);
    replica->power_w = gp_table_power_w(table, all);
    replica->steps = 1;
    if (replica->decodes)
        replica->row = replica->chunk_count > 0 ? gp_table_row_of(table, batch, all) : all;
    if (replica->chunk_count > 0) {
        double decode_s =
            replica->decodes ? gp_table_decode_s(table, &replica->row, next_context(replica)) : 0;
        double work_s = 0;
        duration_s = mixed_step_s(sim, replica, decode_s, &work_s);
        if (duration_s > 0)
            replica->power_w += (table->prompt_w - replica->power_w) * (work_s / duration_s);
    } else {
        int64_t first = replica->heap[0].end_iteration - replica->iteration;
        replica->steps = again_next_step ? 1 : steps_with_blocks(replica, first);
        duration_s =
            gp_table_decode_many_s(table, &replica->row, next_context(replica), replica->steps);
    }
    replica->end_s = replica->begin_s + duration_s;
    sim->result->events++;
}

/* Works out what the engine does next. */
static void plan(gp_sim *sim, gp_replica *replica) {
    bool preempted = false;
    replica->chunk_count = 0;
    while (due_next(replica) > gp_blocks_free(&replica->blocks)) {
        preempt_newest(sim, replica);
        preempted = true;
    }
    int64_t budget = replica->engine->budget_tokens - replica->decoding * replica->engine->branches;
    if (replica->partial != GP_NOBODY && budget > 0)
        budget -= add_chunk(sim, replica, replica->partial, budget);
    bool admits = !preempted || replica->running.count == 0;
    if (admits && !replica->blocked)
        admit_waiting(sim, replica, budget);
    if (replica->chunk_count == 0 && replica->decoding == 0) {
        set_idle(replica);
    } else {
        set_piece(sim, replica, !admits);
    }
    gp_ending_changed(sim, replica);
}

/* ---- what a piece did */

static void share_prefix(gp_replica *replica, gp_live *live) {
    gp_blocks *blocks = &replica->blocks;
    if (blocks->prefixes == NULL || live->wanted_blocks == 0)
        return;
    int64_t there = gp_prefix_there(blocks, live->group);
    if (there >= live->wanted_blocks || there != live->shared_blocks) {
        return; /* another was first: its copy is the cached one */
    }
    int64_t more = live->wanted_blocks - there;
    live->own_blocks -= (int32_t)more;
    live->shared_blocks = live->wanted_blocks;
    gp_prefix_grow(blocks, live->group, live->wanted_blocks);
}

/* One at a time leaves a replica. */
static void begin_transfer(gp_sim *sim, gp_replica *replica, int32_t request) {
    const gp_simulate_config *config = sim->config;
    const gp_live *live = gp_live_at(sim, request);
    double bytes = (double)live->target * replica->engine->kv_bytes_per_token;
    double wire_s = config->transfer_bytes_per_s > 0 ? bytes / config->transfer_bytes_per_s : 0;
    double begin_s = gp_num_max(sim->now_s + live->delay_s, replica->link_free_s);
    replica->link_free_s = begin_s + wire_s;
    gp_event_push(sim, (gp_event){.at_s = replica->link_free_s + config->transfer_latency_s,
                                  .kind = GP_EVENT_TRANSFERRED,
                                  .a = request,
                                  .b = replica->index,
                                  .epoch = replica->epoch});
}

static void end_prompt(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_live *live = gp_live_at(sim, request);
    share_prefix(replica, live);
    live->generated++;
    bool transfers = replica->role == GP_POOL_PREFILL && live->generated < live->output;
    if (live->first_s < 0 && !transfers)
        live->first_s = sim->now_s + live->delay_s;
    if (live->generated >= live->output) {
        complete(sim, replica, request);
        return;
    }
    if (transfers) {
        gp_list_remove(sim, &replica->running, request);
        replica->blocked = false;
        begin_transfer(sim, replica, request);
        return;
    }
    begin_decoding(sim, replica, request);
}

static void end_chunks(gp_sim *sim, gp_replica *replica) {
    for (int64_t i = 0; i < replica->chunk_count; i++) {
        int32_t request = replica->chunks[i];
        gp_live *live = gp_live_at(sim, request);
        live->computed += live->chunk;
        sim->result->computed_tokens += live->chunk;
        live->chunk = 0;
        if (live->computed >= live->target)
            end_prompt(sim, replica, request);
    }
    replica->chunk_count = 0;
}

/* The decode steps of the piece, or as many of them as are over. */
static void advance(gp_sim *sim, gp_replica *replica, int64_t steps) {
    int64_t sequences = replica->decoding * replica->engine->branches;
    gp_blocks_take(&replica->blocks, due_in(replica, steps));
    replica->iteration += steps;
    replica->context_sum += steps * sequences;
    sim->result->computed_tokens += steps * sequences;
}

static void complete_due(gp_sim *sim, gp_replica *replica) {
    while (replica->decoding > 0) {
        if (replica->heap[0].end_iteration > replica->iteration)
            break;
        int32_t request = replica->heap[0].request;
        end_decoding(sim, replica, request);
        complete(sim, replica, request);
    }
}

void gp_replica_end_piece(gp_sim *sim, gp_replica *replica) {
    gp_replica_account(sim, replica, sim->now_s);
    sim->result->iterations += replica->steps;
    replica->busy_s += replica->end_s - replica->begin_s;
    if (replica->decodes) {
        advance(sim, replica, replica->steps);
        complete_due(sim, replica);
    }
    end_chunks(sim, replica);
    gp_load_changed(sim, replica);
    plan(sim, replica);
}

void gp_replica_wake(gp_sim *sim, gp_replica *replica) {
    if (replica->steps == 0 && replica->waiting.count > 0) {
        replica->begin_s = sim->now_s;
        replica->end_s = sim->now_s;
        replica->decodes = false;
        gp_ending_changed(sim, replica);
    }
}

/* Ends a run of decode steps with the first step that is over by now. */
static void cut_piece(gp_sim *sim, gp_replica *replica) {
    double length_s = 0;
    replica->steps =
        gp_table_steps_until(&replica->engine->table, &replica->row, next_context(replica),
                             replica->steps, sim->now_s - replica->begin_s, &length_s);
    replica->end_s = gp_num_max(replica->begin_s + length_s, sim->now_s);
    gp_ending_changed(sim, replica);
}

void gp_replica_accept(gp_sim *sim, gp_replica *replica, int32_t request) {
    gp_replica_account(sim, replica, sim->now_s);
    gp_live *live = gp_live_at(sim, request);
    live->replica = replica->index;
    gp_list_append(sim, &replica->waiting, request);
    gp_load_changed(sim, replica);
    if (replica->steps == 0) {
        replica->blocked = false;
        gp_replica_wake(sim, replica);
        return;
    }
    bool in_run = replica->steps > 1 && !replica->blocked && replica->waiting.count == 1;
    if (in_run && has_place(replica) && fits_now(replica, live, due_next(replica)))
        cut_piece(sim, replica);
}

/* Steps of a run that are over by now, short of its end. */
static int64_t steps_over(const gp_sim *sim, gp_replica *replica) {
    double length_s = 0;
    double wanted_s = sim->now_s - replica->begin_s;
    if (replica->steps < 2 || !(wanted_s > 0))
        return 0;
    int64_t steps =
        gp_table_steps_until(&replica->engine->table, &replica->row, next_context(replica),
                             replica->steps, wanted_s, &length_s);
    return length_s > wanted_s ? steps - 1 : steps;
}

void gp_replica_abandon(gp_sim *sim, gp_replica *replica, gp_list *list) {
    int64_t steps = gp_num_min_i64(steps_over(sim, replica), replica->steps - 1);
    gp_replica_account(sim, replica, sim->now_s);
    if (replica->steps > 0)
        replica->busy_s += sim->now_s - replica->begin_s;
    if (steps > 0) {
        sim->result->iterations += steps;
        advance(sim, replica, steps);
    }
    while (replica->running.count > 0) {
        int32_t request = replica->running.oldest;
        put_back(sim, replica, request);
        gp_list_append(sim, list, request);
    }
    while (replica->waiting.count > 0) {
        int32_t request = replica->waiting.oldest;
        gp_list_remove(sim, &replica->waiting, request);
        gp_live_lose(sim, request);
        gp_list_append(sim, list, request);
    }
    gp_load_changed(sim, replica);
    replica->chunk_count = 0;
    replica->epoch++;
    gp_blocks_clear(&replica->blocks, gp_num_max_i64(sim->config->arrivals.prefix_groups, 1));
    set_idle(replica);
    gp_ending_changed(sim, replica);
}

void gp_replica_account(gp_sim *sim, gp_replica *replica, double until_s) {
    if (sim->config->requests_alone)
        return;
    bool up = replica->state == GP_STATE_UP || replica->state == GP_STATE_DRAINING;
    /* Prompts leave a pool for prefill at once: its caches would hide how full the others are. */
    bool decodes = replica->role != GP_POOL_PREFILL;
    double power_w = replica->state == GP_STATE_OFF ? 0 : replica->power_w;
    double total = (double)gp_num_max_i64(replica->blocks.total, 1);
    const double values[GP_SERIES_KINDS] = {
        [GP_SERIES_RUNNING] = (double)replica->running.count,
        [GP_SERIES_WAITING] = (double)replica->waiting.count,
        [GP_SERIES_KV] = decodes ? (double)replica->blocks.held / total : 0,
        [GP_SERIES_POWER] = power_w,
        [GP_SERIES_REPLICAS] = up ? 1 : 0,
        [GP_SERIES_DECODING] = up && decodes ? 1 : 0,
    };
    gp_series_add(&sim->series, replica->accounted_s, until_s, values);
    sim->area_s += (until_s - replica->accounted_s) *
                   (double)(replica->running.count + replica->waiting.count);
    sim->energy_j += (until_s - replica->accounted_s) * power_w;
    replica->accounted_s = until_s;
}
