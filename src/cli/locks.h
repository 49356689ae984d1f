/*
 * Locks on disk, for the commands that plan (they read) and those that fetch (they write).
 */
#ifndef GP_CLI_LOCKS_H
#define GP_CLI_LOCKS_H

#include "cli/flow.h"
#include "model/lock.h"

/* A file that need not be there; NULL where it is not, or empty as who begins a lock leaves it. */
gp_text *gp_file_find(gp_cli *cli, const char *path);

/* --lock, or the lock beside the specs: into the flow and its catalogue. */
void gp_flow_find_lock(gp_flow *flow);
/* The same with a text that was read elsewhere. */
void gp_flow_set_lock(gp_flow *flow, const gp_text *text);
/* Under --locked: every hf: name that was looked up must have been in the lock. */
void gp_flow_check_locked(const gp_flow *flow);

/* Writes the lock (none where `entry` is NULL or --no-lock is given) and the document, to --output
 * or standard output; under --locked compares and writes nothing. */
void gp_fetched_write(gp_cli *cli, const char *document, const gp_lock_new *entry);
/* Lines "note: ..." to standard error, unless --quiet. */
void gp_notes_print(gp_cli *cli, const char *const *notes, size_t count);

#define GP_OPTIONS_FETCHED                                                                         \
    GP_OUTPUTS("FILE", "Write the document to a file instead of standard output."),                \
        GP_FILE("lock", lock,                                                                      \
                "Lock file that records what was fetched (default: "                               \
                "gpuplan.lock)."),                                                                 \
        GP_SWITCH("no-lock", no_lock, "Do not write the lock."),                                   \
        GP_SWITCH("locked", locked,                                                                \
                  "Write nothing; exit with 4 if the lock differs from what is fetched today."),   \
        GP_TEXT("now", now, "DATE",                                                                \
                "Date to record, such as 2027-03-31 (default: that of SOURCE_DATE_EPOCH, else "    \
                "today).")

#endif
