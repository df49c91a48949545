#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_STORE_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_STORE_H

#include "core/file/checkpoint.h"

#include <stdbool.h>

/* Checkpoints on disks that hosts do not share. Each host keeps, in a folder of its own, the rows
 * of its ranks (its part) and a copy of the part of the host before it, so that any one host's disk
 * may be lost. Parts are checkpoints (checkpoint.h) of their own, in files
 *
 *     NAME.GENERATION.PART-of-PARTS
 *
 * with 16 hexadecimal digits, which grow, for each checkpoint that was written. Two generations are
 * kept. A part's header has, besides its kernel, what the whole checkpoint is: its kernel, options
 * and rows, which rows the part has, and the names of the hosts that wrote it. */
typedef struct halo_checkpoint_store halo_checkpoint_store;

/* Collective. The checkpoints `name` (without folders) in `folder` of each host. `host` tells hosts
 * apart: ranks with the same number are on the same one; -1 on all ranks: by what memory they
 * share. HALO_ARGUMENT for a name that is too long, HALO_MEMORY, HALO_MPI. */
halo_status halo_checkpoint_store_create(halo_checkpoint_store **out, halo_world *world,
                                         const char *folder, const char *name, int host);
void halo_checkpoint_store_destroy(halo_checkpoint_store **store);

/* Collective. Can all hosts write there? A folder is made if only its last part is missing.
 * HALO_FILE names the host; HALO_ARGUMENT if a host has the same folder as the next one, with which
 * a copy would be lost. */
halo_status halo_checkpoint_store_check(halo_checkpoint_store *store);

/* Local, the same on all ranks. Has any host a part of a checkpoint of this name? */
bool halo_checkpoint_store_has(const halo_checkpoint_store *store);

/* Collective; as halo_checkpoint_write. When all hosts have written, and not before, older
 * generations than the one before are removed. After a failure, and after a crash, the one before
 * is as it was. */
halo_status halo_checkpoint_store_write(halo_checkpoint_store *store, const halo_checkpoint *what,
                                        const int64_t *cuts, const halo_rows *rows);

/* Collective; as halo_checkpoint_open. Opens the newest generation of which the hosts of this world
 * have all parts, whatever hosts wrote it and in whatever order they come. HALO_FILE, with the
 * parts that are missing and the hosts that had them, if there is none. halo_checkpoint_read then
 * hands rows to `take` in several rounds, ascending in each. The store must outlive the reader. */
halo_status halo_checkpoint_store_open(halo_checkpoint_reader **out, halo_checkpoint_store *store);

#endif
