#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_WRITER_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_WRITER_H

#include "core/file/checkpoint_format.h"

/* halo_checkpoint_write in steps, for rows that come as they like. */
typedef struct halo_checkpoint_writer halo_checkpoint_writer;

/* Collective; as halo_checkpoint_write. `cuts` must outlive the writer. NULL after a failure. */
halo_status halo_checkpoint_writer_begin(halo_checkpoint_writer **out, halo_world *world,
                                         const char *path, const halo_checkpoint *what,
                                         const int64_t *cuts);

/* Local. Rows `first` to `first + rows - 1`, without gaps, of this rank's own: each is put once, in
 * any order. HALO_FILE. */
halo_status halo_checkpoint_writer_put(halo_checkpoint_writer *writer, int64_t first, int64_t rows,
                                       const void *data);

/* Collective, when all rows have been put or, with `mine`, a rank has failed. */
halo_status halo_checkpoint_writer_finish(halo_checkpoint_writer *writer, halo_status mine);

/* Collective. The file gets its name if all ranks come with HALO_OK; nothing is left otherwise.
 * Sets *writer to NULL. */
halo_status halo_checkpoint_writer_commit(halo_checkpoint_writer **writer, halo_status mine);

#endif
