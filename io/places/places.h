#ifndef HALOBEAT_IO_PLACES_PLACES_H
#define HALOBEAT_IO_PLACES_PLACES_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Lists of places, which a user gives one by one or as a file: a column and a row, such as "10,20",
 * or a number, such as that of a vertex. All functions are local. */

enum { HALO_PLACES = 1024 /* that may be given one by one */ };

/* The places that were given. Zero-initialise it. */
typedef struct {
    int64_t numbers[2 * HALO_PLACES]; /* [number_count] one after the other */
    int64_t number_count;
    int64_t count;    /* of halo_places_add */
    const char *odd;  /* the last text that is no pair of numbers, or NULL */
    const char *path; /* of a file, or NULL */
} halo_places;

/* Adds `text`, which must outlive the list: numbers, such as "X,Y", "V" or "V,W,X", or, if `file`,
 * the name of a file. HALO_FORMAT if it should be numbers and is not, without a message;
 * HALO_ARGUMENT for too many places, and for a file besides other places. */
halo_status halo_places_add(halo_places *places, const char *text, bool file);

/* Appends the places to `out`: each `axes` whole numbers of 64 bits, 1, or 2, the row before the
 * column. In a file each line has a place; empty lines, and a first one that begins with a letter,
 * the heads of columns, are passed over. `line` says for messages what a line has. HALO_FILE,
 * HALO_FORMAT, with the line, also for a file without a place, HALO_MEMORY. */
halo_status halo_places_list(const halo_places *places, int axes, const char *line,
                             halo_buffer *out);

#endif
