#ifndef HALOBEAT_CORE_PARTIAL_H
#define HALOBEAT_CORE_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>

/* The names of files that are still being written: `.NAME.partial-HOST-SPACE-PID-ATTEMPT` in the
 * folder of NAME, hidden, and telling whose they are. SPACE is the process's PID namespace, without
 * which containers that share a folder and a host's name would take each other's processes for
 * dead. */

/* Local. A name for what will become `target`; attempts 0, 1, ... have different ones. False if it
 * does not fit `size` bytes. */
bool halo_partial_name(char *out, size_t size, const char *target, int attempt);

/* Local. Remove what processes of this host that no longer exist have left behind beside `target`,
 * so that repeated kills do not fill the disk. What cannot be removed stays. */
void halo_partial_clean(const char *target);

/* Local. The folder of `path`, with its slash; empty for the current one. `folder` has room for
 * strlen(path) + 1 bytes. */
void halo_partial_folder(const char *path, char *folder);

#endif
