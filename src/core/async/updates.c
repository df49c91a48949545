#include "core/async/updates_internal.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_BYTES = sizeof(uint32_t), WORD = sizeof(uint64_t) };

/* ---- the cells of a border ------------------------------------------------------------------- */

/* A row of a box, along the last axis. */
typedef struct {
    unsigned char *first;
    ptrdiff_t stride; /* from a cell to the next */
    int64_t cells;
} border_row;

/* Row `i` of all rows of the box, in their order. */
static border_row row_of(const halo_view *view, const halo_box *box, int64_t i)
{
    int last = view->axes - 1;
    unsigned char *first = view->origin;
    for (int axis = last; axis >= 0; axis--) {
        int64_t along = axis < last ? i % box->n[axis] : 0;
        i = axis < last ? i / box->n[axis] : i;
        first += (box->lo[axis] + along) * view->stride[axis];
    }
    return (border_row){.first = first, .stride = view->stride[last], .cells = box->n[last]};
}

static int64_t rows_of(const halo_view *view, const halo_box *box)
{
    return halo_box_cells(box) / box->n[view->axes - 1];
}

/* ---- making ---------------------------------------------------------------------------------- */

static void count_peers(async_updates *updates)
{
    const halo_borders *borders = &updates->borders;
    for (int i = 0; i < borders->count; i++) {
        async_peer *peer = &updates->peers[updates->peer_count - (updates->peer_count > 0)];
        if (updates->peer_count == 0 || peer->rank != borders->out[i].peer) {
            peer = &updates->peers[updates->peer_count++];
            *peer = (async_peer){.rank = borders->out[i].peer, .first = i};
        }
        peer->borders++;
        peer->out_cells += halo_box_cells(&borders->out[i].box);
        peer->in_cells += halo_box_cells(&borders->in[i].box);
    }
}

static halo_status create_peer(async_updates *updates, async_peer *peer)
{
    HALO_TRY(HALO_ALLOCATE(peer->sent, (size_t)peer->out_cells * updates->value_bytes,
                           "cells that other ranks have"));
    HALO_TRY(HALO_ALLOCATE(peer->in_places, peer->in_cells, "places of the halo"));
    int64_t place = 0;
    for (int b = peer->first; b < peer->first + peer->borders; b++) {
        const halo_box *box = &updates->borders.in[b].box;
        for (int64_t i = 0; i < rows_of(&updates->view, box); i++) {
            border_row row = row_of(&updates->view, box, i);
            for (int64_t x = 0; x < row.cells; x++) {
                peer->in_places[place++] = row.first + x * row.stride;
            }
        }
    }
    return HALO_OK;
}

halo_status async_updates_create(async_updates *updates, halo_world *world,
                                 const halo_async_cells *cells)
{
    *updates =
        (async_updates){.view = *halo_field_view(cells->field), .value_bytes = cells->value_bytes};
    HALO_TRY(halo_borders_list(&updates->borders, world, cells->partition, cells->field,
                               cells->corners));
    HALO_TRY(HALO_ALLOCATE(updates->peers, updates->borders.count, "neighbours"));
    count_peers(updates);
    for (int i = 0; i < updates->peer_count; i++) {
        HALO_TRY(create_peer(updates, &updates->peers[i]));
    }
    return HALO_ALLOCATE(updates->message, async_updates_max_bytes(updates), "a message");
}

void async_updates_free(async_updates *updates)
{
    for (int i = 0; i < updates->peer_count; i++) {
        free(updates->peers[i].sent);
        free(updates->peers[i].in_places);
    }
    free(updates->peers);
    free(updates->message);
    halo_borders_free(&updates->borders);
}

int64_t async_updates_max_bytes(const async_updates *updates)
{
    int64_t cells = 0;
    for (int i = 0; i < updates->peer_count; i++) {
        cells = halo_max(cells, halo_max(updates->peers[i].out_cells, updates->peers[i].in_cells));
    }
    return cells * (int64_t)(PLACE_BYTES + updates->value_bytes);
}

/* ---- what has changed ------------------------------------------------------------------------ */

/* `bytes` is a constant where this is called. */
static inline int64_t collect_row(const border_row *row, unsigned char *sent, uint32_t place,
                                  size_t bytes, uint32_t *places, unsigned char *values)
{
    int64_t found = 0;
    for (int64_t x = 0; x < row->cells; x++) {
        const unsigned char *cell = row->first + x * row->stride;
        if (memcmp(cell, sent + (size_t)x * bytes, bytes) != 0) {
            memcpy(sent + (size_t)x * bytes, cell, bytes);
            places[found] = place + (uint32_t)x;
            memcpy(values + (size_t)found * bytes, cell, bytes);
            found++;
        }
    }
    return found;
}

/* Places are collected at the front of the message; values, behind as many places as there could
 * be, move up to them. */
size_t async_updates_collect(async_updates *updates, async_peer *peer)
{
    size_t bytes = updates->value_bytes;
    uint32_t *places = (uint32_t *)(void *)updates->message;
    unsigned char *values = updates->message + (size_t)peer->out_cells * PLACE_BYTES;
    int64_t place = 0, found = 0;
    for (int b = peer->first; b < peer->first + peer->borders; b++) {
        const halo_box *box = &updates->borders.out[b].box;
        for (int64_t i = 0; i < rows_of(&updates->view, box); i++) {
            border_row row = row_of(&updates->view, box, i);
            unsigned char *sent = peer->sent + (size_t)place * bytes;
            unsigned char *to = values + (size_t)found * bytes;
            found += bytes == WORD
                         ? collect_row(&row, sent, (uint32_t)place, WORD, places + found, to)
                         : collect_row(&row, sent, (uint32_t)place, bytes, places + found, to);
            place += row.cells;
        }
    }
    memmove(places + found, values, (size_t)found * bytes);
    peer->stale = false;
    return (size_t)found * (PLACE_BYTES + bytes);
}

void async_updates_begin(async_updates *updates)
{
    for (int i = 0; i < updates->peer_count; i++) {
        async_updates_collect(updates, &updates->peers[i]);
    }
}

void async_updates_note_work(async_updates *updates)
{
    for (int i = 0; i < updates->peer_count; i++) {
        updates->peers[i].stale = true;
    }
}

static const async_peer *find_peer(const async_updates *updates, int rank)
{
    int i = 0;
    while (i < updates->peer_count && updates->peers[i].rank != rank) {
        i++;
    }
    return i < updates->peer_count ? &updates->peers[i] : NULL;
}

halo_status async_updates_take(async_updates *updates, int from, const void *data, size_t bytes)
{
    const async_peer *peer = find_peer(updates, from);
    size_t each = PLACE_BYTES + updates->value_bytes, count = bytes / each;
    if (peer == NULL || count * each != bytes) {
        return halo_fail(HALO_FORMAT, "rank %d has sent %zu bytes, which are no cells of a border",
                         from, bytes);
    }
    const unsigned char *places = data, *values = places + count * PLACE_BYTES;
    for (size_t i = 0; i < count; i++) {
        uint32_t place;
        memcpy(&place, places + i * PLACE_BYTES, PLACE_BYTES);
        if ((int64_t)place >= peer->in_cells) {
            return halo_fail(HALO_FORMAT, "rank %d has sent cell %u of a border of %lld", from,
                             (unsigned)place, (long long)peer->in_cells);
        }
        memcpy(peer->in_places[place], values + i * updates->value_bytes, updates->value_bytes);
    }
    return HALO_OK;
}
