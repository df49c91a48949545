#ifndef HALOBEAT_DISTANCE_ARRAY_ROWS_H
#define HALOBEAT_DISTANCE_ARRAY_ROWS_H

#include "kernels/array/array_internal.h"

/* Arrays of calls, of any layout: images as bits, and results by rows. Internal to the kernel; all
 * but one function are local. */

/* A rank's work on the bits of its part. */
typedef halo_status distance_bits_body(halo_world *world, array_call *call, const halo_view *bits,
                                       void *job);

/* Collective. Makes bits of the elements of an array of 2 or 3 axes that are not 0, for this rank's
 * part of even strips, and calls `body` with them. HALO_CANCELLED, HALO_MEMORY, and errors of
 * `body`. */
halo_status distance_bits_run(halo_world *world, array_call *call, const halo_array *image,
                              distance_bits_body *body, void *job);

/* An array for results, which has reals, or, of squares that are whole numbers, such. */
typedef struct {
    const char *name;    /* "the array for distances" */
    const char *squares; /* "squared distances" */
    bool squared;        /* they are asked for */
    bool spaced;         /* and are no whole numbers */
} distance_result;

/* HALO_ARGUMENT unless the array can be that of the results of an image, which has been checked. */
halo_status distance_result_check(const halo_array *image, const halo_array *array,
                                  const distance_result *result);

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
