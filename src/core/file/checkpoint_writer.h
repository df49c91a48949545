#ifndef HALOBEAT_CORE_FILE_CHECKPOINT_WRITER_H
#define HALOBEAT_CORE_FILE_CHECKPOINT_WRITER_H

#include "core/file/checkpoint_format.h"

/* halo_checkpoint_write in several calls, for rows that come in any order. */
typedef struct halo_checkpoint_writer halo_checkpoint_writer;

/* Collective. Arguments and errors as of halo_checkpoint_write. `cuts` must outlive the writer.
 * *out is NULL after a failure. */
halo_status halo_checkpoint_writer_begin(halo_checkpoint_writer **out, halo_world *world,
                                         const char *path, const halo_checkpoint *what,
                                         const int64_t *cuts);

/* Local. Writes rows `first` to `first + rows - 1` of this rank, without gaps in `data`. Each row
 * is put once, in any order. HALO_FILE. */
halo_status halo_checkpoint_writer_put(halo_checkpoint_writer *writer, int64_t first, int64_t rows,
                                       const void *data);

/* Collective, after all rows were put, or with a failure in `mine`. Writes the checksums. */
halo_status halo_checkpoint_writer_finish(halo_checkpoint_writer *writer, halo_status mine);

/* Collective. Renames the file if all ranks pass HALO_OK, otherwise removes it. Sets *writer to
 * NULL. */
halo_status halo_checkpoint_writer_commit(halo_checkpoint_writer **writer, halo_status mine);

#endif
