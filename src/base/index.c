/* Open addressing with linear probing over FNV-1a hashes, at most half full. */
#include "base/index.h"

#include <string.h>

enum { INDEX_MIN = 16 };

void gp_index_init(gp_index *index, gp_arena *arena) {
    *index = (gp_index){.arena = arena};
}

static uint32_t hash_of(const char *key, size_t len) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)key[i]) * 16777619u;
    return hash;
}

/* The slot that holds the word, or the free one where it belongs. */
static gp_index_slot *slot_of(const gp_index *index, const char *key, size_t len, uint32_t hash) {
    size_t mask = index->slot_count - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        gp_index_slot *slot = &index->slots[at];
        bool same =
            slot->key && slot->hash == hash && slot->len == len && memcmp(slot->key, key, len) == 0;
        if (!slot->key || same)
            return slot;
    }
}

static void make_room(gp_index *index) {
    if (index->count < index->slot_count / 2)
        return;
    gp_index grown = {.arena = index->arena, .count = index->count};
    grown.slot_count = index->slot_count ? index->slot_count * 2 : INDEX_MIN;
    grown.slots = GP_NEW_ARRAY(index->arena, gp_index_slot, grown.slot_count);
    for (size_t i = 0; i < index->slot_count; i++) {
        const gp_index_slot *old = &index->slots[i];
        if (old->key)
            *slot_of(&grown, old->key, old->len, old->hash) = *old;
    }
    *index = grown;
}

void gp_index_add(gp_index *index, const char *key, size_t len, size_t value, bool *ret_added,
                  size_t *ret_existing) {
    make_room(index);
    uint32_t hash = hash_of(key, len);
    gp_index_slot *slot = slot_of(index, key, len, hash);
    *ret_added = !slot->key;
    *ret_existing = slot->value;
    if (!slot->key) {
        *slot = (gp_index_slot){.key = key, .len = len, .hash = hash, .value = value};
        index->count++;
    }
}

size_t gp_index_place(gp_index *index, const char *word, bool *ret_added) {
    const size_t next = index->count;
    size_t existing = 0;
    gp_index_add(index, word, strlen(word), next, ret_added, &existing);
    return *ret_added ? next : existing;
}

void gp_index_set(gp_index *index, const char *key, size_t len, size_t value) {
    bool added = false;
    size_t existing = 0;
    gp_index_add(index, key, len, value, &added, &existing);
    if (!added)
        slot_of(index, key, len, hash_of(key, len))->value = value;
}

bool gp_index_find(const gp_index *index, const char *key, size_t len, size_t *ret_value) {
    if (!index->slot_count)
        return false;
    const gp_index_slot *slot = slot_of(index, key, len, hash_of(key, len));
    if (slot->key)
        *ret_value = slot->value;
    return slot->key != NULL;
}
