#ifndef HALOBEAT_CORE_FILE_ATOMIC_H
#define HALOBEAT_CORE_FILE_ATOMIC_H

#include "base/status.h"

/* Files that appear under their name only when they are whole: where they may stand, and what they
 * are called while they are being written: `.NAME.partial-HOST-BOOT-SPACE-PID-ATTEMPT` in the
 * folder of NAME, hidden, and telling whose they are. BOOT is drawn at random whenever a machine
 * starts, and SPACE is the process's PID namespace: without them machines of one name, or
 * containers of one machine, that share a folder would take each other's processes for dead. */

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
} halo_atomic_file;

/* Local. Makes the temporary file of what will be the file `path`: empty, in the target's folder,
 * under a name that no other process uses. HALO_FILE as above.
 *
 * Before that, files are removed that processes of this machine that no longer exist have left
 * beside the target, so that repeated kills do not fill the disk. What cannot be removed stays, and
 * so does what was left before the machine last started: that may be another machine's. */
halo_status halo_atomic_begin(halo_atomic_file *file, const char *path);

/* Local. Flush the temporary file to disk and give it its name. HALO_FILE. */
halo_status halo_atomic_commit(halo_atomic_file *file);

/* Local. Remove the temporary file if there is one; the last message stays as it is. */
void halo_atomic_discard(halo_atomic_file *file);

#endif
