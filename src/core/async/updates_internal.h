#ifndef HALOBEAT_CORE_ASYNC_UPDATES_INTERNAL_H
#define HALOBEAT_CORE_ASYNC_UPDATES_INTERNAL_H

#include "core/async/async.h"
#include "core/exchange/borders_internal.h"

/* Cells near a part's ends that have changed, as messages. A message has the places of cells,
 * 32-bit numbers in the order of the borders between two ranks, and behind them their values. All
 * functions are local. Internal to asynchronous computing. */

/* What goes to another rank and comes from it. */
typedef struct {
    int rank;
    int first, borders;        /* of both lists */
    int64_t out_cells;         /* of the borders that go there */
    int64_t in_cells;          /* and come from there */
    unsigned char *sent;       /* [out_cells * value_bytes] as the rank has them */
    unsigned char **in_places; /* [in_cells] where values that come belong */
    bool stale;                /* cells may have changed since the last message */
} async_peer;

typedef struct {
    halo_view view;
    size_t value_bytes;
    halo_borders borders;
    async_peer *peers; /* [peer_count], in the order of ranks */
    int peer_count;
    unsigned char *message; /* [async_updates_max_bytes] the one collected last */
} async_updates;

/* HALO_MEMORY; async_updates_free frees what is there then, too. */
halo_status async_updates_create(async_updates *updates, halo_world *world,
                                 const halo_async_cells *cells);
void async_updates_free(async_updates *updates);

/* Of the longest message that this rank can send or receive; 0 without neighbours. */
int64_t async_updates_max_bytes(const async_updates *updates);

/* Halos have been exchanged: other ranks have all cells as they are. */
void async_updates_begin(async_updates *updates);

/* Owned cells may have changed. */
void async_updates_note_work(async_updates *updates);

/* The cells that the peer does not have yet, into updates->message. Returns its bytes, 0 if
 * there are none. */
size_t async_updates_collect(async_updates *updates, async_peer *peer);

/* Store what has come from rank `from` in the halo. HALO_FORMAT for what is no such message. */
halo_status async_updates_take(async_updates *updates, int from, const void *data, size_t bytes);

#endif
