#ifndef HALOBEAT_CORE_FILE_FILE_H
#define HALOBEAT_CORE_FILE_FILE_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A file that all ranks write together and that appears under its name only when it is complete: it
 * is written under a temporary name in the same folder, flushed, and renamed. Temporary files that
 * killed runs have left on this host are removed when the next file is created.
 *
 * Only rank 0 must see the folder; a file that rank 0 creates there shows which other ranks see it.
 * Ranks that do not send their data to rank 0 in messages of at most 1 MiB, which it writes while
 * it waits.
 *
 * In a world created by halo_world_create_alone, in which very many files may be written, files are
 * not flushed: after a power failure the last ones may be missing. */
typedef struct halo_file halo_file;

/* Collective. Checks, before the work begins, that halo_file_create would succeed. The first time
 * the world checks a folder, a file is created there and removed. HALO_FILE on all ranks if not, as
 * below. */
halo_status halo_file_check(halo_world *world, const char *path);

/* Collective. As halo_file_check, and sets *all to whether all ranks see the folder, so that each
 * can write files there in a world of its own. */
halo_status halo_file_check_shared(halo_world *world, const char *path, bool *all);

/* Collective. Creates a file; halo_file_commit closes it. HALO_FILE on all ranks, with the path and
 * the system's reason, if the folder is missing or not writable, or `path` is a folder. */
halo_status halo_file_create(halo_file **out, halo_world *world, const char *path);

/* Local. Writes `bytes` bytes at byte `offset`. Parts written by different ranks must not overlap.
 * HALO_FILE with the system's reason (a full disk, for instance). */
halo_status halo_file_write(halo_file *file, int64_t offset, const void *data, size_t bytes);

/* Collective. Agrees on `mine` and on the writes so far. If all ranks succeeded, flushes the file
 * to disk, closes and renames it; otherwise removes the temporary file. Returns the agreed status,
 * and sets *file to NULL in either case. An older file of that name is replaced only on success. */
halo_status halo_file_commit(halo_file **file, halo_status mine);

/* Collective. As halo_file_commit for two files of one world that belong together: samples, and the
 * header that describes them. Either both are replaced or none. */
halo_status halo_file_commit_both(halo_file **data, halo_file **head, halo_status mine);

#endif
