/*
 * The lock: what was fetched from elsewhere, with where it came from, so that a plan gives the same
 * answer tomorrow and without a network. A Lock document holds models (for `hf:` names) and price
 * lists (for `lock:` names), each with a digest of its content.
 */
#ifndef GP_MODEL_LOCK_H
#define GP_MODEL_LOCK_H

#include "model/model.h"

#define F_ROWS "model/lock.def"
#include "schema/rows.def"

typedef struct gp_lock {
    const gp_text *text;
    GP_LIST(gp_lock_entry) entries;
} gp_lock;

/* Reads a Lock document. What is wrong goes to `diags` (GP_ERR_INPUT). */
gp_status gp_lock_read(gp_arena *arena, const gp_text *text, gp_diags *diags, gp_lock **ret_lock);
/* The entry of that name, letters without regard to case, or NULL. */
const gp_lock_entry *gp_lock_find(const gp_lock *lock, const char *name);
bool gp_lock_is_model(const gp_lock_entry *entry);
bool gp_lock_is_prices(const gp_lock_entry *entry);
/* The first entry whose content is not what its digest says, or NULL. */
const gp_lock_entry *gp_lock_broken(const gp_lock *lock);

/* An entry to be written. */
typedef struct gp_lock_new {
    const char *name, *date, *revision;
    const gp_lock_source *sources;
    size_t source_count;
    const char *kind;    /* "model" or "prices" */
    const char *payload; /* YAML: a catalogue row, or the spec of a Prices document */
} gp_lock_new;

/* Text of `old` (NULL: none yet) with the entry added or replaced; entries are in the order of
 * their names. */
gp_status gp_lock_put(gp_arena *arena, const gp_text *old, const gp_lock_new *entry,
                      gp_diags *diags, const char **ret_text);

/* SHA-256 of bytes, hexadecimal; NULL when memory is short. */
const char *gp_lock_digest_bytes(gp_arena *arena, const void *bytes, size_t len);

/* `hf:` names that the lock has go to its models, before any row of the catalogue. The entries must
 * outlive the catalogue. */
void gp_catalog_add_lock(gp_catalog *catalog, const gp_lock *lock);
/* The first `hf:` name that was looked up and is neither in a lock nor a row of the user's, or
 * NULL. */
const char *gp_catalog_unlocked_name(const gp_catalog *catalog);

#endif
