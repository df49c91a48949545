#ifndef HALOBEAT_LABEL_BY_NUMBER_H
#define HALOBEAT_LABEL_BY_NUMBER_H

#include "kernels/label/measure/numbered.h"

/* Data about regions by their numbers: in an array for the regions that this rank reports
 * (halo_label_regions), in a hash table for others, whose entries are then sent to the ranks that
 * report them. Internal to the label kernel. */

/* Entries have `size` bytes, a multiple of 16, and begin with the region's number, an int64_t that
 * is 0 in unused entries; the rest is 0 at first. */
typedef struct {
    halo_world *world;
    size_t size;
    int64_t *shares; /* [ranks + 1] rank reports regions shares[rank] + 1 to shares[rank + 1] */
    int64_t first, count; /* number of regions from `first` on that this rank reports */
    char *own;            /* [count] */
    char *others;         /* [mask + 1] */
    int64_t used, mask;
    void *last;          /* the entry found last, which is often the next one */
    halo_status failure; /* of the look-up that gave NULL */
} label_by_number;

/* Collective. A table of the regions of an image; of a label, after a run with `measure`.
 * HALO_MEMORY, HALO_TRANSPORT. Call label_by_number_free in any case. */
halo_status label_by_number_create(label_by_number *table, const label_numbered *image,
                                   size_t size);

/* Local. Accepts a zeroed table. */
void label_by_number_free(label_by_number *table);

/* Local. Entry `i` of this rank. */
static inline void *label_by_number_own(const label_by_number *table, int64_t i)
{
    return table->own + (size_t)i * table->size;
}

/* Local. Slot `i`, 0 to mask, of the hash table. */
static inline void *label_by_number_other(const label_by_number *table, int64_t i)
{
    return table->others + (size_t)i * table->size;
}

/* Local. The entry of region `number` (not 0), other than table->last. NULL after a failure, which
 * table->failure then is: HALO_MEMORY, HALO_CANCELLED. */
void *label_by_number_look_up(label_by_number *table, int64_t number);

/* Local. The entry of any region. Valid until the next call. */
static inline void *label_by_number_find(label_by_number *table, int64_t number)
{
    return table->last != NULL && *(const int64_t *)table->last == number
               ? table->last
               : label_by_number_look_up(table, number);
}

/* Local, pure. Finds the next run of one number other than 0 in a row of labels, from *end on:
 * pixels *begin to *end - 1. Returns the number; 0 if there is none. Start with *end = 0. */
static inline int64_t label_next_run(const int64_t *row, int64_t width, int64_t *begin,
                                     int64_t *end)
{
    int64_t x = *end;
    while (x < width && row[x] == 0) {
        x++;
    }
    *begin = x;
    while (x < width && row[x] == row[*begin]) {
        x++;
    }
    *end = x;
    return *begin < width ? row[*begin] : 0;
}

/* Local. Adds the entry of another rank for the same region. */
typedef void label_by_number_add(const void *context, void *to, const void *part);

/* Collective. Sends entries of other ranks' regions to these ranks, where they are added; they are
 * lost here. HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_by_number_share(label_by_number *table, label_by_number_add *add,
                                  const void *context);

/* Other data about regions. */
typedef struct {
    const void *data; /* [count * size] */
    int64_t count;
    size_t size, offset; /* of an entry, and of the region's number in it, an int64_t */
} label_by_number_post;

/* Collective. Sends entries to the ranks of their regions. *came [*count] are those received, in
 * any order; the caller frees them with halo_memory_free. HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_by_number_send(const label_by_number *table, const label_by_number_post *post,
                                 void **came, int64_t *count);

#endif
