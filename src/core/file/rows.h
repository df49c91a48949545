#ifndef HALOBEAT_CORE_FILE_ROWS_H
#define HALOBEAT_CORE_FILE_ROWS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Sources of rows for writers of files and other consumers. Rows are produced a few at a time, so
 * that nobody holds a second copy of an image. */

/* Local. Writes rows `first_row` to `first_row + rows - 1` to `out`, `pitch` bytes apart (at least
 * the bytes of a row, and a multiple of the size of its samples). It is called for rows of the
 * calling rank's own strip only, once each, in ascending order. A failure is returned on all
 * ranks. */
typedef halo_status halo_rows_fill(void *context, int64_t first_row, int64_t rows, void *out,
                                   size_t pitch);

/* Local. Reports that `done` of this rank's `total` rows have been processed. */
typedef void halo_rows_progress(void *context, int64_t done, int64_t total);

typedef struct {
    halo_rows_fill *fill;
    halo_rows_progress *progress; /* or NULL */
    void *context;                /* passed to both */
} halo_rows;

#endif
