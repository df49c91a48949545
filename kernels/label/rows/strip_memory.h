#ifndef HALOBEAT_LABEL_STRIP_MEMORY_H
#define HALOBEAT_LABEL_STRIP_MEMORY_H

#include "kernels/label/rows/strip.h"

/* Buffers of a strip, kept from run to run. They grow, and are not cleared. Local; internal to the
 * label kernel. */

/* Room for `needed` entries in each of `count` buffers of the same room, and for whole vectors
 * behind them. After a failure the room is 0: a buffer that is lost, or has not grown, must not be
 * taken for a large one later. HALO_MEMORY. */
halo_status label_ensure(int32_t **const *buffers, int count, int64_t *room, int64_t needed,
                         const char *what);

/* The same for rows of bits: `needed` words. */
halo_status label_ensure_bits(uint64_t **buffer, int64_t *room, int64_t needed, const char *what);

/* Sets the numbers of bands, and makes room for their tables, and for links between two rows. */
halo_status label_strip_ensure_bands(label_strip *strip, int fold);
halo_status label_strip_ensure_links(label_strip *strip);

/* Room for the labels of the runs that were counted. */
halo_status label_strip_ensure_labels(label_strip *strip);

/* Called before a band that may have labels in bytes of `classes` from `filled` on. Chooses pages
 * for them, and returns the bytes for which this is done. `filled` is 0 at first. */
size_t label_strip_fill_classes(const label_strip *strip, int64_t band, size_t filled);

#endif
