#ifndef HALOBEAT_CORE_MOVE_SCATTER_GATHER_H
#define HALOBEAT_CORE_MOVE_SCATTER_GATHER_H

#include "core/field/field.h"
#include "core/file/rows.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* Scattering and gathering rows in chunks, while the next ones are being made: nobody holds more
 * than its own strip and a few chunks of rows. All functions are collective; cuts are [ranks + 1],
 * the same on all ranks. A rank that makes or takes rows and fails fails all ranks with its
 * message; other errors are HALO_ARGUMENT for rows of no bytes, or of more than a message to
 * another rank can have (2^31 - 1), HALO_MEMORY and HALO_MPI. Time goes to WAIT and DISTRIBUTE
 * except where another phase is named. */

/* Local, on the rank that has the rows. Put rows `first` to `first + rows - 1` (global) into `out`,
 * `pitch` bytes apart. */
typedef halo_rows_fill halo_rows_source;

/* Local, on the rank the rows are for. Rows `first` to `first + rows - 1` (global) have come: they
 * lie at `data`, `pitch` bytes apart, until it returns. */
typedef halo_status halo_rows_take(void *context, int64_t first, int64_t rows, const void *data,
                                   size_t pitch);

/* Local, on every rank. This rank's local rows `first` to `first + rows - 1` have come. */
typedef void halo_rows_sink(void *context, int64_t first, int64_t rows);

typedef struct {
    halo_rows_source *source; /* only called on rank 0 */
    halo_rows_sink *sink;     /* or NULL */
    void *context;            /* handed to both */
} halo_rows_input;

/* Rows that rank 0 makes in order (from a file, say; DECODE) fill the owned rows of `into`, a field
 * of two axes cut along axis 0 by `cuts`, that has the same stride on all ranks. */
halo_status halo_rows_scatter_field(halo_world *world, const int64_t *cuts, const halo_view *into,
                                    const halo_rows_input *input, halo_clock *clock);

/* The same for owners that keep rows in another shape: all rows up to cuts[ranks], which `source`
 * makes in order on rank 0 (DECODE), go through `take` on their owners, in order, `row_bytes` bytes
 * each. `context` is handed to both. */
halo_status halo_rows_scatter(halo_world *world, const int64_t *cuts, size_t row_bytes,
                              halo_rows_source *source, halo_rows_take *take, void *context,
                              halo_clock *clock);

/* The reverse: rows `first_row` to `first_row + rows - 1`, which their owners make (`from`, with
 * its own context), go through `take` on rank 0, in order; both are ENCODE. */
halo_status halo_rows_gather(halo_world *world, const int64_t *cuts, int64_t first_row,
                             int64_t rows, size_t row_bytes, const halo_rows *from,
                             halo_rows_take *take, void *context, halo_clock *clock);

/* Rows change owners: row r under `from_cuts` becomes row r + shift under `to_cuts`. Rows that
 * nobody owns afterwards are not asked for; those that nobody owned before are not taken. Each rank
 * is asked for rows of its own, and takes its own first, then those from higher ranks, then those
 * from lower ones, in ascending order each. Messages go between ranks that have rows for each
 * other, and no others. `fill` is given numbers under `from_cuts`, `take` numbers under `to_cuts`.
 */
halo_status halo_rows_redistribute(halo_world *world, const int64_t *from_cuts,
                                   const int64_t *to_cuts, int64_t shift, size_t row_bytes,
                                   halo_rows_fill *fill, halo_rows_take *take, void *context,
                                   halo_clock *clock);

#endif
