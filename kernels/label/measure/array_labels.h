#ifndef HALOBEAT_LABEL_ARRAY_LABELS_H
#define HALOBEAT_LABEL_ARRAY_LABELS_H

#include "kernels/array/array_internal.h"
#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/label_parts.h"

/* The regions of an array of labels: all elements of a label are a region, whose number is its
 * place in the ascending order of labels. Labels have any gaps, so that each rank keeps those of
 * its strip in a hash table. Internal to the label kernel. */

/* A rank's labels, in ascending order. */
typedef struct {
    uint64_t *labels; /* [count] */
    int64_t count;
} array_label_list;

/* The ranks of a call, which are threads, share this. Zero-initialise it, except for the input. */
typedef struct {
    halo_array array;        /* input: of 3 axes, of a type of whole numbers */
    int axes;                /* input: of the image, 2 or 3 */
    int used;                /* input: of the caller's array, 1 to 3 */
    bool background;         /* input: label 0 is one like others */
    array_label_list *lists; /* [ranks] */
    int ranks;
    uint64_t *labels; /* [total] of all ranks, in ascending order */
    int64_t total;
} array_labels;

/* A rank's part. Zero-initialise it. */
typedef struct {
    array_labels *all;
    array_call *call;
    halo_world *world;
    halo_partition strips;
    int64_t *cuts; /* [ranks + 1] of rows, counted through all planes */
    array_reader reader;
    label_parts labels;   /* of the strip */
    label_numbered image; /* the array as an image of numbers */
    label_by_number sums; /* the regions of this rank: an entry is a halo_region */
} array_label_part;

/* Collective. Reads the array, and finds numbers and the sums of regions: image and sums.
 * HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. Call array_label_part_free in any case, on rank 0
 * after all ranks are done with `all`. */
halo_status array_labels_find(array_label_part *part, array_labels *all, array_call *call,
                              halo_world *world);

/* Local. Makes the labels of the strip, in ascending order, this rank's list. HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status array_labels_list(array_label_part *part);

/* Local, on rank 0. Makes the lists of all ranks, which are freed, one. Errors as above. */
halo_status array_labels_merge(const halo_world *world, array_labels *all);

/* Local. The number of a label that there is. */
int64_t array_labels_number(const array_labels *all, uint64_t label);

/* Local. The first layer of this rank's strip, and the one after its last: of axis 0, or if that
 * has one element, of axis 1. */
const int64_t *array_labels_layers(const array_label_part *part);

/* Local. */
void array_label_part_free(array_label_part *part);

/* Local, on one thread, when no rank uses it. */
void array_labels_free(array_labels *all);

/* Local. HALO_ARGUMENT unless the array can be one of labels. */
halo_status array_labels_check(const halo_array *array);

/* Local. Sets the input to an array that has been checked. */
void array_labels_take(array_labels *all, const halo_array *array);

#endif
