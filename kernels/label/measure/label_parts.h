#ifndef HALOBEAT_LABEL_PARTS_H
#define HALOBEAT_LABEL_PARTS_H

#include "base/sample.h"
#include "core/world/world.h"
#include "kernels/label/label_region.h"

/* The labels in some rows of an image of labels, which have any gaps, and what the rows have of
 * their regions: a hash table. Local; internal to the label kernel. */

/* A label and its number; before numbers are known, the place of its region in `parts`, from 1. */
typedef struct {
    uint64_t label;
    int64_t number; /* 0: the place is free */
} label_part_place;

/* Zero-initialise it, except for the input. */
typedef struct {
    halo_sample_type type;    /* input: of whole numbers */
    bool background;          /* input: label 0 is one like others */
    int64_t lines, width;     /* input: rows of a plane, and their elements */
    const halo_world *world;  /* input: which watches; or NULL */
    label_part_place *places; /* [mask + 1] */
    int64_t mask, count;
    halo_region *parts; /* [count] */
    int64_t room;
    struct label_run_list *list; /* of a stretch of a row */
    int64_t lowest;              /* the lowest label below 0 of the rows taken; 0: there is none */
} label_parts;

/* HALO_MEMORY. Call label_parts_free in any case. */
halo_status label_parts_create(label_parts *parts);

/* Accepts zeroed parts. */
void label_parts_free(label_parts *parts);

/* Adds row `row` of the image, counted through all planes, whose elements are `elements`, [width].
 * Labels below 0 are of no region. HALO_MEMORY, HALO_CANCELLED. */
halo_status label_parts_add_row(label_parts *parts, int64_t row, const void *elements);

/* The place of a label; a free one if there is no such label. */
static inline label_part_place *label_parts_place(label_part_place *places, int64_t mask,
                                                  uint64_t label)
{
    uint64_t hash = label * UINT64_C(0x9e3779b97f4a7c15);
    int64_t at = (int64_t)(hash >> 20) & mask;
    while (places[at].number != 0 && places[at].label != label) {
        at = (at + 1) & mask;
    }
    return &places[at];
}

/* Sets out, [width], to the numbers of a row that has been added, once places have them; 0: the
 * element is of no region. */
void label_parts_fill_row(const label_parts *parts, const void *elements, int64_t *out);

/* Sets labels, [parts->count], to all labels in ascending order. HALO_MEMORY, HALO_CANCELLED. */
halo_status label_parts_list(const label_parts *parts, uint64_t *labels);

#endif
