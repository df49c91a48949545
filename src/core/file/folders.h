#ifndef HALOBEAT_CORE_FILE_FOLDERS_H
#define HALOBEAT_CORE_FILE_FOLDERS_H

#include "core/world/world.h"

/* Which folders are on a disk that all ranks see. It is found out once for each folder of a world,
 * by a file of rank 0's that the others look for. */

/* Local. Makes a folder, if it is not there. HALO_FILE: it cannot be made, or written to, or is no
 * folder. */
halo_status halo_folder_make(const char *path);

/* Local, the same on all ranks. Has the folder of the file `path` been looked for? */
bool halo_folders_know(halo_world *world, const char *path);

/* Collective. Rank 0 has made the file `path`, whose name nobody has used before: *mine, can this
 * rank write to it, and *all, can all? Of a folder that is known, *all and *mine are what was found
 * the first time. A rank that does not see the file at once looks for a second, since network file
 * systems may be late. HALO_MEMORY, HALO_MPI. */
halo_status halo_folders_look(halo_world *world, const char *path, bool *all, bool *mine);

/* Local, the same on all ranks that call it as often: 0, 1, 2, ... Only of a world that knows a
 * folder. */
int64_t halo_folders_number(halo_world *world);

/* A folder that some ranks do not see. */
typedef struct {
    char name[256];  /* "./" for the current one; cut if it is longer */
    char hosts[256]; /* of those ranks: "host1, host2 and 3 more" */
} halo_folder_apart;

/* Local, on rank 0: the folder with this number, from 0; NULL: there are no more. It is the
 * world's. */
const halo_folder_apart *halo_folders_apart(halo_world *world, int number);

#endif
