#ifndef HALOBEAT_CORE_MOVE_SCATTER_GATHER_H
#define HALOBEAT_CORE_MOVE_SCATTER_GATHER_H

#include "core/field/field.h"
#include "core/file/rows.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* Scattering and gathering rows in chunks, while the next chunks are produced: a rank holds no more
 * than its own strip and a few chunks. Ranks that are threads take rows from the memory in which
 * they have been produced, without a copy on the way. All functions are collective; cuts are [ranks
 * + 1], the same on all ranks. If a function that produces or takes rows fails, all ranks fail with
 * its status and message. Other errors are HALO_ARGUMENT for rows of 0 bytes, or of more bytes than
 * a message to another rank can have (2^31 - 1), HALO_MEMORY and HALO_TRANSPORT. Times are added to
 * WAIT and DISTRIBUTE except where another phase is named. */

/* Local, called on the rank that has the rows. Writes rows `first` to `first + rows - 1` (global)
 * to `out`, `pitch` bytes apart. */
typedef halo_rows_fill halo_rows_source;

/* Local, called on the rank that receives the rows. Rows `first` to `first + rows - 1` (global) are
 * at `data`, `pitch` bytes apart, valid during the call. */
typedef halo_status halo_rows_take(void *context, int64_t first, int64_t rows, const void *data,
                                   size_t pitch);

/* Local, called on every rank: its local rows `first` to `first + rows - 1` have arrived. */
typedef void halo_rows_sink(void *context, int64_t first, int64_t rows);

/* Local, pure. Bytes from row to row of rows of `row_bytes` bytes that travel: cache lines, since
 * makers of rows write whole words and may like them aligned; shorter rows have no gaps, which
 * would be most of what travels. */
static inline size_t halo_rows_pitch(size_t row_bytes)
{
    enum { LINE = 64 };
    return row_bytes < LINE ? row_bytes : (row_bytes + LINE - 1) / LINE * LINE;
}

typedef struct {
    halo_rows_source *source; /* called on rank 0 only */
    halo_rows_sink *sink;     /* or NULL */
    void *context;            /* passed to both */
} halo_rows_input;

/* Scatters rows that rank 0 produces in order (from a file, for instance; timed as DECODE) to the
 * owned rows of `into`, a field of two axes, cut along axis 0 by `cuts`, with the same stride on
 * all ranks. */
halo_status halo_rows_scatter_field(halo_world *world, const int64_t *cuts, const halo_view *into,
                                    const halo_rows_input *input, halo_clock *clock);

/* Scatters rows 0 to cuts[ranks] - 1, of `row_bytes` bytes each, that `source` produces in order on
 * rank 0 (timed as DECODE): each owner gets its rows by `take`, in order. For owners that store
 * rows in another form than a field. `context` is passed to both functions. */
halo_status halo_rows_scatter(halo_world *world, const int64_t *cuts, size_t row_bytes,
                              halo_rows_source *source, halo_rows_take *take, void *context,
                              halo_clock *clock);

/* Gathers rows `first_row` to `first_row + rows - 1` on rank 0: their owners produce them by
 * `from`, which has its own context, and rank 0 gets them by `take`, in order. Both are timed as
 * ENCODE. */
halo_status halo_rows_gather(halo_world *world, const int64_t *cuts, int64_t first_row,
                             int64_t rows, size_t row_bytes, const halo_rows *from,
                             halo_rows_take *take, void *context, halo_clock *clock);

/* Moves rows to new owners: row r under `from_cuts` becomes row r + shift under `to_cuts`. Rows
 * without a new owner are not requested; rows without an old owner are not taken. Each rank is
 * asked by `fill` for rows it owns, numbered under `from_cuts`, and gets rows by `take`, numbered
 * under `to_cuts`: its own rows first, then those of higher ranks, then those of lower ranks, each
 * in ascending order. Only ranks that have rows for each other exchange messages. */
halo_status halo_rows_redistribute(halo_world *world, const int64_t *from_cuts,
                                   const int64_t *to_cuts, int64_t shift, size_t row_bytes,
                                   halo_rows_fill *fill, halo_rows_take *take, void *context,
                                   halo_clock *clock);

#endif
