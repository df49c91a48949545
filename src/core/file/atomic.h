#ifndef HALOBEAT_CORE_FILE_ATOMIC_H
#define HALOBEAT_CORE_FILE_ATOMIC_H

#include "base/status.h"

#include <stdbool.h>

/* Files that appear under their name only when they are whole: where they may stand, and what they
 * are called while they are being written: `.NAME.partial-NUMBER` in the folder of NAME, hidden,
 * with a random number. Who writes one holds a lock on it, which ends with the process: what has
 * no lock was left by a process that was killed, on whatever host.
 *
 * What is to go to standard output ("-", base/standard.h) is written to such a file in the folder
 * for temporary files, and goes out when it is whole. */

enum { HALO_ATOMIC_PATH_SIZE = 4096 }; /* of paths, with the 0 byte */

/* Local. Where a file that is to be written to `path` will stand: `path` itself, or where it leads
 * to, so that links stay. `target` has room for HALO_ATOMIC_PATH_SIZE bytes. HALO_FILE, with the
 * system's reason and a remedy, if no file can be written there as far as can be seen without
 * creating one: the path is empty or too long, the folder is missing or not writable, or something
 * else than a writable ordinary file is there. */
halo_status halo_atomic_target(char *target, const char *path);

/* Local. HALO_FILE: `path` cannot be written for `reason`, one of errno's values, with the remedy
 * for it. */
halo_status halo_atomic_fail(const char *path, int reason);

/* A file that one process writes by means of its own. Zero-initialise it. */
typedef struct {
    char path[HALO_ATOMIC_PATH_SIZE];      /* as the caller gave it, for messages */
    char target[HALO_ATOMIC_PATH_SIZE];    /* what is renamed to: `path` with links followed */
    char temporary[HALO_ATOMIC_PATH_SIZE]; /* beside the target; empty while there is none */
    int lock;                              /* it, open and locked, while there is one */
    bool many; /* the caller's: one of very many, for which nobody waits for the disk, nor looks
                * for what killed processes have left beside each (halo_atomic_clean_folder) */
} halo_atomic_file;

/* Local. Makes the temporary file of what will be the file `path`: empty, in the target's folder,
 * under a name that no other process uses. HALO_FILE as above.
 *
 * Before that, files are removed that processes that no longer exist have left beside the target,
 * so that repeated kills do not fill the disk. What cannot be removed or locked stays. */
halo_status halo_atomic_begin(halo_atomic_file *file, const char *path);

/* Local. Flush the temporary file to disk, with the mode (for root, the owner) of the file that it
 * replaces, and give it its name; the folder is flushed, too. HALO_FILE. */
halo_status halo_atomic_commit(halo_atomic_file *file);

/* Local. Removes all temporary files that processes that no longer exist have left in the folder of
 * the file `target`, whatever their targets. */
void halo_atomic_clean_folder(const char *target);

/* Local. Remove the temporary file if there is one; the last message stays as it is. */
void halo_atomic_discard(halo_atomic_file *file);

#endif
