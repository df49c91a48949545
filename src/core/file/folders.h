#ifndef HALOBEAT_CORE_FILE_FOLDERS_H
#define HALOBEAT_CORE_FILE_FOLDERS_H

#include "core/world/world.h"

/* Which folders are on a disk that all ranks see. This is found out once per folder and world, by a
 * file that rank 0 creates and the other ranks look for. */

/* Local. Creates a folder if it does not exist. HALO_FILE if it cannot be created or written, or is
 * not a folder. */
halo_status halo_folder_make(const char *path);

/* Local, the same on all ranks. True if it is known which ranks see the folder of the file
 * `path`. */
bool halo_folders_know(halo_world *world, const char *path);

/* Collective. Rank 0 has created the file `path`, under a name that was not used before. *mine:
 * this rank can write to it; *all: all ranks can. For a known folder the first results are
 * returned. A rank that does not see the file at once looks for a second, since network file
 * systems may have a delay. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_folders_look(halo_world *world, const char *path, bool *all, bool *mine);

/* Local. A counter: 0, 1, 2, ... at successive calls, so that it is the same on all ranks that call
 * it equally often. Only in a world that knows a folder. */
int64_t halo_folders_number(halo_world *world);

/* A folder that some ranks do not see. */
typedef struct {
    char name[256];  /* "./" for the current folder; cut if it is longer */
    char hosts[256]; /* of those ranks: "host1, host2 and 3 more" */
} halo_unshared_folder;

/* Local, on rank 0: folder `number`, from 0; NULL past the last one. Owned by the world. */
const halo_unshared_folder *halo_folders_unshared(halo_world *world, int number);

#endif
