#ifndef HALOBEAT_CORE_EXCHANGE_H
#define HALOBEAT_CORE_EXCHANGE_H

#include "core/field.h"
#include "core/world.h"
#include "partition/cuts.h"
#include "partition/peel.h"

/* Bringing halos up to date: begin, compute what reads no halo, end, compute the rest.
 *
 * Strips send whole rows (planes in three axes), their own halo cells included, straight from and
 * into the fields. Cells beyond an edge that is not periodic are not touched: they stay 0. */
typedef struct halo_exchange halo_exchange;

/* How messages are made, by the name a user gives. */
#define HALO_EXCHANGE_LIST(X)                            \
    X(p2p, "a fresh send and receive for every message") \
    X(persistent, "messages prepared once, started often")

/* What one rank has sent to others since its exchange was made; copies inside the rank are not
 * messages. */
typedef struct {
    int64_t exchanges;
    int64_t messages;
    int64_t bytes;
} halo_exchange_counts;

/* Collective. One exchange for `count` fields of the same box: this rank's part of `partition`,
 * which is cut along axis 0 only. The fields must outlive the exchange; each may have its own
 * cell size and depth (0 sends nothing). `mode` is a name of the list above, or NULL for "p2p".
 * Exchanges that are alive together may be used in any order that is the same on all ranks.
 * HALO_RANKS, naming the largest number of ranks that would do, if a halo is deeper than a strip
 * it is taken from; HALO_ARGUMENT for an unknown mode, another decomposition, or a partition that
 * has not one part per rank or that the fields do not follow; HALO_MEMORY; HALO_MPI. */
halo_status halo_exchange_create(halo_exchange **out, halo_world *world,
                                 const halo_partition *partition, halo_field *const *fields,
                                 int count, const char *mode);

/* Local; not between begin and end. Accepts a pointer to NULL. */
void halo_exchange_destroy(halo_exchange **exchange);

/* Collective, does not wait. Fills halos that this rank owns itself (periodic axes) and starts
 * the messages. Until the end, cells within the halo's depth of a cut may be read but not
 * written, and halo cells along axis 0 not even read. */
halo_status halo_exchange_begin(halo_exchange *exchange);

/* Collective. Waits through halo_wait until the halos are there. */
halo_status halo_exchange_end(halo_exchange *exchange);

/* Local. Split the owned box, in local indices, into what can be computed between begin and end
 * by a kernel that reads `depth` cells far, and the edges that can not: those along axis 0 where
 * another rank's cells lie beyond. Returns the number of edges. */
int halo_exchange_split(const halo_exchange *exchange, int depth, halo_box *interior,
                        halo_box edges[HALO_EDGES]);

/* Local. */
halo_exchange_counts halo_exchange_count(const halo_exchange *exchange);

#endif
