#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_STORE_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_STORE_H

#include "core/file/checkpoint.h"

#include <stdbool.h>

/* Checkpoints on local disks that hosts do not share. Each host stores, in a folder of its own, the
 * rows of its ranks (its part) and a copy of the part of the host before it, so that the disk of
 * any one host may be lost. Each part is a checkpoint (checkpoint.h) of its own, in a file
 *
 *     NAME.GENERATION.PART-of-PARTS
 *
 * where GENERATION is 16 hexadecimal digits and increases with each checkpoint written. Two
 * generations are kept. The header of a part also has kernel, options and number of rows of the
 * whole checkpoint, the rows of the part, and the names of the hosts that wrote it. */
typedef struct halo_checkpoint_store halo_checkpoint_store;

/* Collective. Creates a store of the checkpoints `name` (without folders) in `folder` of each host.
 * Ranks with the same number `host` are on the same host; -1 on all ranks: ranks that share memory
 * are. The caller destroys it. HALO_ARGUMENT for a name that is too long, HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status halo_checkpoint_store_create(halo_checkpoint_store **out, halo_world *world,
                                         const char *folder, const char *name, int host);

/* Collective. Frees the store and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_checkpoint_store_destroy(halo_checkpoint_store **store);

/* Collective. Checks that all hosts can write their folders. A folder is created if only its last
 * component is missing. HALO_FILE names the host; HALO_ARGUMENT if a host has the same folder as
 * the next one, so that a copy would be lost with it. */
halo_status halo_checkpoint_store_check(halo_checkpoint_store *store);

/* Local, the same on all ranks. True if any host has a part of a checkpoint of this name. */
bool halo_checkpoint_store_has(const halo_checkpoint_store *store);

/* Collective. As halo_checkpoint_write. After all hosts have written, all generations but the last
 * two are removed. After a failure or a crash the previous generation is intact. */
halo_status halo_checkpoint_store_write(halo_checkpoint_store *store, const halo_checkpoint *what,
                                        const int64_t *cuts, const halo_rows *rows);

/* Collective. As halo_checkpoint_open. Opens the newest generation of which the hosts of this world
 * have all parts, whichever hosts wrote it, in any order. HALO_FILE, with the missing parts and the
 * hosts that had them, if there is none. halo_checkpoint_read then passes rows to `take` in several
 * rounds, in ascending order within each. The store must outlive the reader. */
halo_status halo_checkpoint_store_open(halo_checkpoint_reader **out, halo_checkpoint_store *store);

#endif
