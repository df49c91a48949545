#ifndef HALOBEAT_LABEL_CONTACT_TABLE_H
#define HALOBEAT_LABEL_CONTACT_TABLE_H

#include "core/world/watch.h"
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
    const halo_world *world;
} label_contact_table;

/* The world watches the table grow (core/world/watch.h). HALO_MEMORY. */
halo_status label_contact_table_create(label_contact_table *table, const halo_world *world);

/* Doubles the number of places; after a failure they are the old ones. HALO_MEMORY, HALO_CANCELLED.
 */
halo_status label_contact_table_grow(label_contact_table *table);

/* The place of a pair, which is free if it is a new one. */
static inline label_pair *label_contact_table_place(const label_contact_table *table, int64_t first,
                                                    int64_t second)
{
    uint64_t hash = (uint64_t)first * UINT64_C(0x9e3779b97f4a7c15) +
                    (uint64_t)second * UINT64_C(0xc2b2ae3d27d4eb4f);
    int64_t place = (int64_t)(hash >> 20) & table->mask;
    while (table->places[place].contact.first != 0 &&
           (table->places[place].contact.first != first ||
            table->places[place].contact.second != second)) {
        place = (place + 1) & table->mask;
    }
    return &table->places[place];
}

/* Makes the pair the last one, whose counts are 0 if it is new. HALO_MEMORY,
 * HALO_CANCELLED. */
static inline halo_status label_contact_table_find(label_contact_table *table, int64_t first,
                                                   int64_t second)
{
    if (2 * table->count > table->mask) {
        HALO_TRY(label_contact_table_grow(table));
    }
    table->last = label_contact_table_place(table, first, second);
    table->count += table->last->contact.first == 0;
    table->last->contact.first = first;
    table->last->contact.second = second;
    return HALO_OK;
}

/* Counts `count` pairs of pixels of two regions: faces across an axis (planes, rows, columns), or
 * LABEL_CORNERS. HALO_MEMORY, HALO_CANCELLED. */
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
