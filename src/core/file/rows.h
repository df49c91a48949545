#ifndef HALOBEAT_CORE_FILE_ROWS_H
#define HALOBEAT_CORE_FILE_ROWS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Where writers of files, and whoever else wants rows, get them from, a few at a time, so that
 * nobody has to keep a second copy of an image. */

/* Local. Put rows `first_row` to `first_row + rows - 1` into `out`, one every `pitch` bytes (at
 * least a row's bytes, and a multiple of its samples' size). Only rows of the calling rank's own
 * strip are asked for, each once, in ascending order. A failure is handed on to all ranks. */
typedef halo_status halo_rows_fill(void *context, int64_t first_row, int64_t rows, void *out,
                                   size_t pitch);

/* Local. `done` of this rank's `total` rows are through. */
typedef void halo_rows_progress(void *context, int64_t done, int64_t total);

typedef struct {
    halo_rows_fill *fill;
    halo_rows_progress *progress; /* or NULL */
    void *context;                /* handed to both */
} halo_rows;

#endif
