#ifndef HALOBEAT_DISTANCE_ARRAY_ROWS_H
#define HALOBEAT_DISTANCE_ARRAY_ROWS_H

#include "kernels/array/array_internal.h"

/* Rows of distances to arrays of any layout. Internal to the kernel; all but one function are
 * local. */

/* Collective. Bits of the elements of an array of 2 or 3 axes that are not 0, for this rank's part
 * of even strips. The caller destroys the field. HALO_CANCELLED, HALO_MEMORY. */
halo_status distance_bits_create(halo_field **out, array_call *call, halo_world *world,
                                 const halo_array *image);

/* Rows that go to an array, in order. */
typedef struct {
    halo_array array; /* of 3 axes */
    bool in_place;    /* rows are contiguous: they are made where they go, */
    bool streams;     /* past the cache, which is smaller */
    void *rows;       /* memory for `room` rows */
    int64_t room;
    int64_t first, count; /* rows in it that wait to be written */
} distance_writer;

/* HALO_MEMORY. Call distance_writer_free in any case. */
halo_status distance_writer_create(distance_writer *writer, const halo_array *array);

/* Returns the address to write row `row` to, numbered through all planes, in the machine's byte
 * order. */
void *distance_writer_row(distance_writer *writer, int64_t row);

/* Writes what waits. */
void distance_writer_flush(distance_writer *writer);
void distance_writer_free(distance_writer *writer);

#endif
