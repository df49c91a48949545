#ifndef HALOBEAT_CORE_ASYNC_NEWS_INTERNAL_H
#define HALOBEAT_CORE_ASYNC_NEWS_INTERNAL_H

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
    bool stale;                /* cells may have changed since the rank was told */
} async_peer;

typedef struct {
    halo_view view;
    size_t value_bytes;
    halo_borders borders;
    async_peer *peers; /* [peer_count], in the order of ranks */
    int peer_count;
    unsigned char *message; /* [async_news_max_bytes] the one collected last */
} async_news;

/* HALO_MEMORY; async_news_free frees what is there then, too. */
halo_status async_news_create(async_news *news, halo_world *world, const halo_async_cells *cells);
void async_news_free(async_news *news);

/* Of the longest message that this rank can send or receive; 0 without neighbours. */
int64_t async_news_max_bytes(const async_news *news);

/* Halos have been exchanged: other ranks have all cells as they are. */
void async_news_begin(async_news *news);

/* Owned cells may have changed. */
void async_news_note_work(async_news *news);

/* The cells that this rank has not been told of yet, into news->message. Returns its bytes, 0 if
 * there are none. */
size_t async_news_collect(async_news *news, async_peer *peer);

/* Store what has come from rank `from` in the halo. HALO_FORMAT for what is no such message. */
halo_status async_news_take(async_news *news, int from, const void *data, size_t bytes);

#endif
