#ifndef HALOBEAT_CORE_STREAM_H
#define HALOBEAT_CORE_STREAM_H

#include "core/clock.h"
#include "core/field.h"
#include "core/world.h"

/* Rows that rank 0 makes in order (from a file, say) and sends on to their owners while it makes
 * the next ones: nobody holds more than its own strip and a few bands of rows. */

/* Local, on rank 0. Put rows `first` to `first + rows - 1` (global) into `out`, `pitch` bytes
 * apart. */
typedef halo_status halo_stream_source(void *context, int64_t first, int64_t rows, void *out,
                                       size_t pitch);

/* Local, on every rank. This rank's local rows `first` to `first + rows - 1` have come. */
typedef void halo_stream_sink(void *context, int64_t first, int64_t rows);

typedef struct {
    halo_stream_source *source; /* only called on rank 0 */
    halo_stream_sink *sink;     /* or NULL */
    void *context;              /* handed to both */
} halo_stream;

/* Collective. Fill the owned rows of `into`, a field of two axes cut along axis 0 by `cuts`
 * ([ranks + 1]), that has the same stride on all ranks. Time goes to DECODE (the source),
 * DISTRIBUTE and WAIT. A failing source fails on all ranks with its message. HALO_ARGUMENT for rows
 * longer than a message to another rank can be (2^31 - 1 bytes), HALO_MEMORY, HALO_MPI. */
halo_status halo_stream_rows(halo_world *world, const int64_t *cuts, const halo_view *into,
                             const halo_stream *stream, halo_clock *clock);

#endif
