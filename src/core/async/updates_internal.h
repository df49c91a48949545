#ifndef HALOBEAT_CORE_ASYNC_UPDATES_INTERNAL_H
#define HALOBEAT_CORE_ASYNC_UPDATES_INTERNAL_H

#include "core/async/async.h"
#include "core/exchange/borders_internal.h"

/* Messages with cells near a part's ends that have changed: the indices of cells, 32-bit numbers in
 * the order of the borders between two ranks, followed by their values. All functions are local.
 * Internal to asynchronous computing. */

/* The cells sent to and received from one rank. */
typedef struct {
    int rank;
    int first, borders;        /* range in both lists of borders */
    int64_t out_cells;         /* cells of the borders sent */
    int64_t in_cells;          /* cells of the borders received */
    unsigned char *sent;       /* [out_cells * value_bytes] the values that the rank has */
    unsigned char **in_places; /* [in_cells] addresses of received values */
    bool stale;                /* cells may have changed since the last message */
} async_peer;

typedef struct {
    halo_view view;
    size_t value_bytes;
    halo_borders borders;
    async_peer *peers; /* [peer_count], in the order of ranks */
    int peer_count;
    unsigned char *message; /* [async_updates_max_bytes] the last message collected */
} async_updates;

/* Creates the lists. HALO_MEMORY; call async_updates_free in any case. */
halo_status async_updates_create(async_updates *updates, halo_world *world,
                                 const halo_async_cells *cells);
void async_updates_free(async_updates *updates);

/* The maximum bytes of a message that this rank can send or receive; 0 without neighbours. */
int64_t async_updates_max_bytes(const async_updates *updates);

/* To be called after an exchange of halos: other ranks have the current values of all cells. */
void async_updates_begin(async_updates *updates);

/* Owned cells may have changed. */
void async_updates_note_work(async_updates *updates);

/* Writes the cells that the peer does not have yet to updates->message. Returns its bytes, 0 if
 * there are none. */
size_t async_updates_collect(async_updates *updates, async_peer *peer);

/* Stores a message from rank `from` in the halo. HALO_FORMAT for an invalid message. */
halo_status async_updates_take(async_updates *updates, int from, const void *data, size_t bytes);

#endif
