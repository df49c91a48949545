#ifndef HALOBEAT_IO_PLACES_PLACES_H
#define HALOBEAT_IO_PLACES_PLACES_H

#include "base/memory.h"
#include "core/world/world.h"
#include "partition/box.h"

#include <stdbool.h>
#include <stdint.h>

/* Lists of places, which a user gives one by one or as a file: a column and a row, and of a volume
 * a plane, from 0 on, such as "10,20" or "10,20,5", or the number of a vertex of a graph, from 1
 * on. */

enum { HALO_PLACES = 1024 /* that may be given one by one */ };

/* The places that were given. Zero-initialise it. */
typedef struct {
    int64_t numbers[HALO_AXES * HALO_PLACES]; /* [number_count] one after the other */
    int64_t number_count;
    int64_t count;                  /* of halo_places_add */
    const char *odd[HALO_AXES + 1]; /* the last text that is not so many numbers, or NULL */
    const char *path;               /* of a file, or NULL */
} halo_places;

/* Local. True if a file of this name is a list of places: it ends in .csv, or is standard input. */
bool halo_places_is_list(const char *name);

/* Local. Adds `text`, which must outlive the list: numbers, such as "X,Y", "X,Y,Z", "V" or
 * "V,W,X,Y", or, if `file`, the name of a file. HALO_FORMAT if it should be numbers and is not,
 * without a message; HALO_ARGUMENT for too many places, and for a file besides other places. */
halo_status halo_places_add(halo_places *places, const char *text, bool file);

/* Local. Appends the places to `out`: each `axes` whole numbers of 64 bits: 1, or the row before
 * the column, or the plane before both. In a file each line has a place; empty lines, and a first
 * one that begins with a letter, the heads of columns, are passed over. HALO_FILE, HALO_FORMAT,
 * with the line, also for a file without a place, HALO_MEMORY. */
halo_status halo_places_list(const halo_places *places, int axes, halo_buffer *out);

/* Collective. Rank 0 lists the places, which are `what`, such as "source", for messages: cells of
 * `domain` if it has two or three axes, or, if it has one, vertices, which are numbered from 0 on
 * in the result. (*out)[*count][axes] is the same on all ranks, which free it with free().
 * HALO_ARGUMENT for a place that lies outside; HALO_TRANSPORT; otherwise as above. */
halo_status halo_places_read(halo_world *world, const halo_places *places,
                             const halo_domain *domain, const char *what, int64_t **out,
                             int64_t *count);

#endif
