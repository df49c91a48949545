#ifndef HALOBEAT_LABEL_CONTACT_TABLE_H
#define HALOBEAT_LABEL_CONTACT_TABLE_H

#include "kernels/label/measure/contacts.h"

/* A hash table of pairs of regions that touch. Local; internal to the label kernel. */

/* Two numbers or labels, other than 0. */
typedef struct {
    halo_contact contact; /* `first` is 0 where a place is free */
    int64_t corners;      /* pairs of pixels that share an edge or a corner, but no face */
} label_pair;

/* In place of the axis that faces are across: pixels that share an edge or a corner. */
enum { LABEL_CORNERS = -1 };

/* Zero-initialise it; free `places` with halo_memory_free. */
typedef struct {
    label_pair *places; /* [mask + 1] */
    int64_t count, mask;
    label_pair *last; /* that was found: mostly the next one, too */
} label_contact_table;

/* HALO_MEMORY. */
halo_status label_contact_table_create(label_contact_table *table);

/* Makes the pair the last one. HALO_MEMORY. */
halo_status label_contact_table_find(label_contact_table *table, int64_t first, int64_t second);

/* Counts `count` pairs of pixels of two regions: faces across an axis (planes, rows, columns), or
 * LABEL_CORNERS. HALO_MEMORY. */
static inline halo_status label_contact_table_add(label_contact_table *table, int64_t first,
                                                  int64_t second, int axis, int64_t count)
{
    label_pair *last = table->last;
    if (last == NULL || last->contact.first != first || last->contact.second != second) {
        HALO_TRY(label_contact_table_find(table, first, second));
        last = table->last;
    }
    if (axis == LABEL_CORNERS) {
        last->corners += count;
    } else {
        last->contact.faces[axis] += count;
    }
    return HALO_OK;
}

#endif
