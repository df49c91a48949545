#ifndef HALOBEAT_CORE_FILE_ATOMIC_H
#define HALOBEAT_CORE_FILE_ATOMIC_H

#include "base/status.h"
#include "core/file/partial.h"

#include <stdbool.h>

/* Files that appear under their name only when they are complete. While they are written they have
 * a temporary name (partial.h), and if they replace a file only their owner may read them. The
 * process that writes such a file holds a lock on it, which ends with the process: a file without a
 * lock was left by a process that was killed, on any host.
 *
 * Output to standard output ("-", base/standard.h) is written to such a file in the folder for
 * temporary files, and copied when it is complete. */

/* Maximum length of paths, with the 0 byte. */
enum { HALO_ATOMIC_PATH_SIZE = HALO_PARTIAL_PATH_SIZE };

/* Local. Writes the final path of a file that is to be written to `path`, with symbolic links
 * followed, to `target` [HALO_ATOMIC_PATH_SIZE]. HALO_FILE, with the system's reason and a remedy,
 * if it is clear without creating a file that none can be written: the path is empty or too long,
 * the folder is missing or not writable, or something other than a writable regular file is
 * there. */
halo_status halo_atomic_target(char *target, const char *path);

/* Local. HALO_FILE: `path` cannot be written for `reason`, a value of errno, with the remedy for
 * it. */
halo_status halo_atomic_fail(const char *path, int reason);

/* A file that one process writes by its own means. Zero-initialise it. */
typedef struct {
    char path[HALO_ATOMIC_PATH_SIZE];      /* as passed by the caller, for messages */
    char target[HALO_ATOMIC_PATH_SIZE];    /* final path: `path` with links followed */
    char temporary[HALO_ATOMIC_PATH_SIZE]; /* path of the temporary file, in the same folder;
                                            * empty while there is none */
    int lock;                              /* file descriptor of the temporary file, open and
                                            * locked, while there is one */
    bool many; /* set by the caller, for very many files: the file is not flushed to disk, and
                * files left by killed processes are not searched for each one (see
                * halo_atomic_clean_folder) */
} halo_atomic_file;

/* Local. Creates the temporary file for `path`: empty, in the folder of its target, under a unique
 * name. HALO_FILE as above.
 *
 * First removes files that killed processes have left for the same target, so that repeated kills
 * do not fill the disk. Files that cannot be removed or locked stay. */
halo_status halo_atomic_begin(halo_atomic_file *file, const char *path);

/* Local. Flushes the temporary file to disk, gives it the rights of the file it replaces, renames
 * it, and flushes the folder. HALO_FILE. */
halo_status halo_atomic_commit(halo_atomic_file *file);

/* Local. As halo_atomic_commit for samples and the header that describes them, which are two files:
 * if one of them cannot be renamed, both names keep what they had. In the moment between the two
 * the header's name does not exist; a process that is killed in it leaves the earlier files as
 * `.NAME.old-NUMBER`. */
halo_status halo_atomic_commit_both(halo_atomic_file *data, halo_atomic_file *head);

/* Local. Removes temporary files that killed processes have left for `path`: of a file that is
 * written in place, of which one was made only to see whether its folder can be written. */
void halo_atomic_clean(const char *path);

/* Local. Removes all temporary files that killed processes have left in the folder of the file
 * `target`, for any target. */
void halo_atomic_clean_folder(const char *target);

/* Local. Removes the temporary file if there is one. Does not change the last message. */
void halo_atomic_discard(halo_atomic_file *file);

#endif
