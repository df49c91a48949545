#ifndef HALOBEAT_IO_IMAGE_SLICES_H
#define HALOBEAT_IO_IMAGE_SLICES_H

#include "base/memory.h"

#include <stdbool.h>

/* The files of a stack of slices. Everything is local. */

typedef struct {
    halo_buffer text;  /* the names, each followed by a 0 byte */
    const char **name; /* [count], pointers into text */
    int64_t count;     /* 1 or more */
    int64_t first;     /* number of the first one; 0 if they are not named by a pattern with
                        * numbers */
    bool folder;       /* they are all files of a folder */
    int64_t bytes;     /* of all files */
} halo_slices;

/* True if a path names slices: a folder, or a pattern of base/filename_pattern.h. False for
 * folders that are one array, as in zarr. What a path chooses of each slice (halo_name_chosen) is
 * passed over, here and by halo_slices_find. */
bool halo_slices_are_named(const char *text);

/* Finds the slices of such a path, or if count is above 0 those of `names` [count], which are
 * files, folders and patterns. For a pattern with a number: from the lowest existing number up. For
 * folders and shell patterns: in natural order, without hidden files and folders. HALO_FILE if one
 * is missing or not a regular file, or if there are none; HALO_ARGUMENT; HALO_MEMORY. Call
 * halo_slices_free in any case. */
halo_status halo_slices_find(halo_slices *out, const char *text, const char *const *names,
                             int64_t count);

/* True if all files are called as planes are: z, slice, plane or section and a number, such as
 * scan-z0012.tif. */
bool halo_slices_are_planes(const halo_slices *slices);

/* Frees the slices. Accepts a zeroed structure. */
void halo_slices_free(halo_slices *slices);

/* Compares like strcmp, but digits by the number they form: a2 before a10. */
int halo_natural_order(const char *a, const char *b);

#endif
