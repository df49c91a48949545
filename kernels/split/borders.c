#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/split/split_internal.h"

/* Borders of strips, votes, and what all stages share. */

/* Messages are read only, whatever their type says. */
static halo_status swap_piece(halo_split *s, const char *own_low, const char *own_high, char *low,
                              char *high, size_t bytes)
{
    halo_message out[2], in[2];
    int count = 0;
    if (s->before >= 0) {
        out[count] = (halo_message){.rank = s->before, .data = (void *)own_low, .bytes = bytes};
        in[count++] = (halo_message){.rank = s->before, .data = low, .bytes = bytes};
    }
    if (s->after >= 0) {
        out[count] = (halo_message){.rank = s->after, .data = (void *)own_high, .bytes = bytes};
        in[count++] = (halo_message){.rank = s->after, .data = high, .bytes = bytes};
    }
    return halo_sendrecv(s->world, out, count, in, count);
}

halo_status split_swap(halo_split *s, const void *own_low, const void *own_high, void *low,
                       void *high, int64_t bytes)
{
    const int64_t most = (int64_t)1 << 30;
    s->report.rounds++;
    for (int64_t done = 0; done < bytes; done += most) {
        HALO_TRY(swap_piece(s, (const char *)own_low + done, (const char *)own_high + done,
                            (char *)low + done, (char *)high + done,
                            (size_t)halo_min(most, bytes - done)));
    }
    return HALO_OK;
}

halo_status split_exchange(halo_split *s, void *array, size_t bytes)
{
    int64_t cell = (int64_t)bytes, all = s->layer * cell;
    char *own = (char *)array + s->first * cell, *end = (char *)array + s->end * cell;
    return split_is_alone(s) ? HALO_OK : split_swap(s, own, end - all, own - all, end, all);
}

halo_status split_vote(halo_split *s, halo_status status, int64_t *count)
{
    HALO_TRY(halo_agree(s->world, status));
    return split_is_alone(s) ? HALO_OK : halo_allreduce_sum(s->world, count, 1);
}

halo_status split_watch(halo_split *s, int64_t rows)
{
    enum { STAGES = 6 }; /* that take as long as each other, more or less */
    s->done += rows;
    int64_t all = STAGES * split_row_count(s);
    return halo_watch_work(s->world, halo_min(s->done, all), all);
}

halo_status split_add(split_list *list, int64_t cell)
{
    if (list->count == list->room) {
        HALO_TRY(halo_grow(&list->cells, &list->room, list->count, sizeof *list->cells,
                           "cells of plateaus"));
    }
    list->cells[list->count++] = cell;
    return HALO_OK;
}
