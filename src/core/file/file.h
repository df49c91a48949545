#ifndef HALOBEAT_CORE_FILE_FILE_H
#define HALOBEAT_CORE_FILE_FILE_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A file that all ranks write together and that appears under its name only when it is whole:
 * it is written under a temporary name in the same folder, then flushed and renamed. What runs that
 * were killed have left of such files on this host is removed when the next one is created.
 *
 * Only rank 0 must see the folder. Ranks that do not, which is found out by a file that rank 0
 * makes there, send what they write to rank 0 in pieces of at most 1 MiB; it writes them when it
 * waits.
 *
 * In a world of one rank alone (halo_world_create_alone), which writes very many files, nothing is
 * flushed: after a loss of power the last of them may be missing. */
typedef struct halo_file halo_file;

/* Collective. Would halo_file_create succeed? For asking before the work begins: a file is made in
 * the folder, and removed, when the world asks for the first time. HALO_FILE on all ranks if not,
 * as below. */
halo_status halo_file_check(halo_world *world, const char *path);

/* Collective. The same, and *all: do all ranks see the folder? Then each can write files there by
 * itself, in a world of its own. */
halo_status halo_file_check_shared(halo_world *world, const char *path, bool *all);

/* Collective. Fails with HALO_FILE on all ranks, naming the path and the system's reason, if the
 * folder is missing or not writable, or `path` is a folder. */
halo_status halo_file_create(halo_file **out, halo_world *world, const char *path);

/* Local. Write `bytes` bytes at byte `offset`; parts written by different ranks must not overlap.
 * HALO_FILE with the system's reason (a full disk, for instance). */
halo_status halo_file_write(halo_file *file, int64_t offset, const void *data, size_t bytes);

/* Collective. Agree on `mine` and on the writes so far: when all are well, flush to disk, close
 * and rename; otherwise remove the temporary file. Returns the agreed status; sets *file to NULL
 * either way. A file already under that name stays as it was unless all went well. */
halo_status halo_file_commit(halo_file **file, halo_status mine);

#endif
