#ifndef HALOBEAT_LABEL_BY_NUMBER_H
#define HALOBEAT_LABEL_BY_NUMBER_H

#include "kernels/label/label.h"

/* What ranks find out about regions by their numbers: what each tells of (halo_label_regions) in an
 * array, what it meets of others in a hash table, which is then sent to them. Internal to the label
 * kernel. */

/* Entries of `size` bytes, a multiple of 16. They begin with the number of the region, an int64_t
 * that is 0 as long as nothing is known of it; all else begins as zeroes. */
typedef struct {
    halo_world *world;
    size_t size;
    int64_t *shares; /* [ranks + 1] rank tells of regions shares[rank] + 1 to shares[rank + 1] */
    int64_t first, count; /* this rank of those from `first` on */
    char *own;            /* [count] */
    char *others;         /* [mask + 1] */
    int64_t used, mask;
    void *last; /* that was found: mostly the next one, too */
} label_by_number;

/* Collective, after a run that has measured. HALO_MEMORY, HALO_MPI. label_by_number_free in any
 * case. */
halo_status label_by_number_create(label_by_number *table, halo_world *world,
                                   const halo_label *label, size_t size);

/* Local. Accepts a zeroed table. */
void label_by_number_free(label_by_number *table);

/* Local. Entry `i` of this rank. */
static inline void *label_by_number_own(const label_by_number *table, int64_t i)
{
    return table->own + (size_t)i * table->size;
}

/* Local. Place `i`, 0 to mask, of the hash table. */
static inline void *label_by_number_other(const label_by_number *table, int64_t i)
{
    return table->others + (size_t)i * table->size;
}

/* Local. The entry of region `number` (not 0) that table->last is not. NULL for want of memory. */
void *label_by_number_look_up(label_by_number *table, int64_t number);

/* Local. The same for any. Valid until the next call. */
static inline void *label_by_number_find(label_by_number *table, int64_t number)
{
    return table->last != NULL && *(const int64_t *)table->last == number
               ? table->last
               : label_by_number_look_up(table, number);
}

/* Local, pure. The next run of one number other than 0 in a row of labels, from *end on: pixels
 * *begin to *end - 1. Returns the number; 0: no more. Start with *end = 0. */
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

/* Local. Add what another rank knows of the same region. */
typedef void label_by_number_add(void *to, const void *part);

/* Collective. Entries of others' regions go to them and are added there; here they are lost.
 * HALO_MEMORY, HALO_MPI. */
halo_status label_by_number_share(label_by_number *table, label_by_number_add *add);

/* Whatever else is known of regions. */
typedef struct {
    const void *data; /* [count * size] */
    int64_t count;
    size_t size, offset; /* of an entry, and of the region's number in it, an int64_t */
} label_by_number_post;

/* Collective. Entries go to the ranks of their regions: `*came` [*count] are those that came here,
 * in any order; the caller frees them with halo_memory_free. HALO_MEMORY, HALO_MPI. */
halo_status label_by_number_send(const label_by_number *table, const label_by_number_post *post,
                                 void **came, int64_t *count);

#endif
