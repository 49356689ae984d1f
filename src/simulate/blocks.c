/*
 * Blocks of KV cache of one replica. A prefix that requests share is held once; when its last user
 * is gone it stays cached until its blocks are needed, the least recently used first.
 */
#include "base/num.h"
#include "simulate/sim.h"

int64_t gp_blocks_free(const gp_blocks *blocks) {
    return blocks->total - blocks->held;
}

static void unlink_prefix(gp_blocks *blocks, int64_t group) {
    gp_prefix *prefix = &blocks->prefixes[group];
    if (prefix->older == GP_NOBODY) {
        blocks->oldest = prefix->newer;
    } else {
        blocks->prefixes[prefix->older].newer = prefix->newer;
    }
    if (prefix->newer == GP_NOBODY) {
        blocks->newest = prefix->older;
    } else {
        blocks->prefixes[prefix->newer].older = prefix->older;
    }
}

static void link_newest(gp_blocks *blocks, int64_t group) {
    gp_prefix *prefix = &blocks->prefixes[group];
    prefix->older = blocks->newest;
    prefix->newer = GP_NOBODY;
    if (blocks->newest == GP_NOBODY) {
        blocks->oldest = (int32_t)group;
    } else {
        blocks->prefixes[blocks->newest].newer = (int32_t)group;
    }
    blocks->newest = (int32_t)group;
}

void gp_blocks_take(gp_blocks *blocks, int64_t count) {
    blocks->held += count;
    while (blocks->held + blocks->cached > blocks->total && blocks->oldest != GP_NOBODY) {
        int64_t group = blocks->oldest;
        unlink_prefix(blocks, group);
        blocks->cached -= blocks->prefixes[group].blocks;
        blocks->prefixes[group].blocks = 0;
    }
}

void gp_blocks_give(gp_blocks *blocks, int64_t count) {
    blocks->held -= count;
}

int64_t gp_prefix_there(const gp_blocks *blocks, int64_t group) {
    return blocks->prefixes == NULL ? 0 : blocks->prefixes[group].blocks;
}

void gp_prefix_hold(gp_blocks *blocks, int64_t group) {
    gp_prefix *prefix = &blocks->prefixes[group];
    if (prefix->users++ == 0 && prefix->blocks > 0) {
        unlink_prefix(blocks, group);
        blocks->cached -= prefix->blocks;
        blocks->held += prefix->blocks;
    }
}

void gp_prefix_drop(gp_blocks *blocks, int64_t group) {
    gp_prefix *prefix = &blocks->prefixes[group];
    if (--prefix->users == 0 && prefix->blocks > 0) {
        blocks->held -= prefix->blocks;
        blocks->cached += prefix->blocks;
        link_newest(blocks, group);
    }
}

void gp_prefix_grow(gp_blocks *blocks, int64_t group, int64_t to_blocks) {
    /* Held before as a request's own, held now as the prefix's: `held` stays. */
    blocks->prefixes[group].blocks = to_blocks;
}

void gp_prefix_trim(gp_blocks *blocks, int64_t group, int64_t to_blocks) {
    gp_prefix *prefix = &blocks->prefixes[group];
    if (prefix->users > 0 || prefix->blocks <= to_blocks)
        return;
    blocks->cached -= prefix->blocks - to_blocks;
    prefix->blocks = to_blocks;
    if (to_blocks == 0)
        unlink_prefix(blocks, group);
}

void gp_blocks_clear(gp_blocks *blocks, int64_t groups) {
    blocks->held = 0;
    blocks->cached = 0;
    blocks->oldest = GP_NOBODY;
    blocks->newest = GP_NOBODY;
    for (int64_t i = 0; blocks->prefixes != NULL && i < groups; i++) {
        blocks->prefixes[i] = (gp_prefix){.older = GP_NOBODY, .newer = GP_NOBODY};
    }
}
