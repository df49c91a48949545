#ifndef HALOBEAT_IO_IMAGE_SLICES_H
#define HALOBEAT_IO_IMAGE_SLICES_H

#include "base/memory.h"

#include <stdbool.h>

/* Which files are the slices of a stack. Everything is local. */

typedef struct {
    halo_buffer text;  /* the names, each with its 0 byte */
    const char **name; /* [count], in text */
    int64_t count;     /* 1 or more */
    int64_t first;     /* number of the first one; 0 if they are not numbered by a pattern */
    bool folder;       /* they are all files of one */
    int64_t bytes;     /* of all files */
} halo_slices;

/* Does the path name slices by itself: a folder, or a pattern as of base/filename_pattern.h? Not
 * folders that are one array, as zarr's. */
bool halo_slices_are_named(const char *path);

/* The slices of a path of that kind, or of `names` ([count]), which are files and shell patterns,
 * if count is above 0. Of a pattern with a place for a number: from the lowest number that is there
 * up. Of folders and shell patterns: in natural order; hidden files and folders in them do not
 * count. HALO_FILE: one is missing or no ordinary file, or there are none; HALO_ARGUMENT;
 * HALO_MEMORY. The caller calls halo_slices_free in any case. */
halo_status halo_slices_find(halo_slices *out, const char *path, const char *const *names,
                             int64_t count);

/* Accepts what was never filled, all zero. */
void halo_slices_free(halo_slices *slices);

/* As strcmp, but digits count as the number that they make: a2 before a10. */
int halo_natural_order(const char *a, const char *b);

#endif
