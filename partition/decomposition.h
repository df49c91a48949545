#ifndef HALOBEAT_PARTITION_DECOMPOSITION_H
#define HALOBEAT_PARTITION_DECOMPOSITION_H

#include "base/status.h"
#include "partition/box.h"

/* How many parts each axis is cut into. All functions are local and pure. */

/* What `text` asks for, of `ranks` ranks: "strips" ({P, 1, 1}), "blocks" (the factors with the
 * smallest halo to exchange, on as many axes as pay), "AxB" or "AxBxC" for A, B and C parts along
 * the axes, or "auto": whichever the model of partition/model.h, with the figures of an ordinary
 * machine, predicts to be fastest. `cut` says which axes may be cut; `depth` is that of the halo,
 * in cells: of "blocks" and "auto" no part is less deep where that is possible. NULL is "strips".
 * HALO_ARGUMENT for other text, parts that are not as many as ranks (the message names ones that
 * are), or an axis that cannot be cut. */
halo_status halo_decomposition_parse(const char *text, const halo_domain *domain,
                                     const bool cut[HALO_AXES], int ranks, int depth,
                                     int parts[HALO_AXES]);

/* Could `text` be a decomposition of some domain? For options that are read before there is one.
 * HALO_ARGUMENT. */
halo_status halo_decomposition_check(const char *text);

#endif
