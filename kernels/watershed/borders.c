#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include "base/minmax.h"

/* Borders of strips, votes, and what all parts of the kernel share. */

/* A piece of the borders: the same number of bytes in both directions. */
static halo_status exchange_piece(halo_watershed *w, char *own_low, char *own_high, char *low,
                                  char *high, size_t bytes)
{
    halo_message out[2], in[2];
    int count = 0;
    if (w->before >= 0) {
        out[count] = (halo_message){.rank = w->before, .data = own_low, .bytes = bytes};
        in[count++] = (halo_message){.rank = w->before, .data = low, .bytes = bytes};
    }
    if (w->after >= 0) {
        out[count] = (halo_message){.rank = w->after, .data = own_high, .bytes = bytes};
        in[count++] = (halo_message){.rank = w->after, .data = high, .bytes = bytes};
    }
    return halo_sendrecv(w->world, out, count, in, count);
}

halo_status watershed_swap(halo_watershed *w, void *own_low, void *own_high, void *low, void *high,
                           int64_t bytes)
{
    const int64_t most = (int64_t)1 << 30;
    w->report.rounds++;
    for (int64_t done = 0; done < bytes; done += most) {
        HALO_TRY(exchange_piece(w, (char *)own_low + done, (char *)own_high + done,
                                (char *)low + done, (char *)high + done,
                                (size_t)halo_min(most, bytes - done)));
    }
    return HALO_OK;
}

halo_status watershed_exchange(halo_watershed *w, void *array, size_t bytes)
{
    int64_t cell = (int64_t)bytes, all = w->layer * cell;
    char *own = (char *)array + w->first * cell, *end = (char *)array + w->end * cell;
    return watershed_swap(w, own, end - all, own - all, end, all);
}

halo_status watershed_vote(halo_watershed *w, halo_status status, int64_t *count)
{
    HALO_TRY(halo_agree(w->world, status));
    return halo_world_ranks(w->world) > 1 ? halo_allreduce_sum(w->world, count, 1) : HALO_OK;
}

halo_status watershed_watch(halo_watershed *w, int64_t rows)
{
    /* Passes of a run that take as long as each other, more or less. */
    const int64_t passes = w->options.minima.given ? 14 : 7;
    w->done += rows;
    int64_t all = passes * watershed_rows(w);
    return halo_watch_work(w->world, halo_min(w->done, all), all);
}

halo_status watershed_grow(watershed_list *list)
{
    return halo_grow(&list->cells, &list->room, list->count, sizeof *list->cells,
                     "cells of a watershed");
}
