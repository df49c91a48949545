#ifndef HALOBEAT_APP_PLANES_H
#define HALOBEAT_APP_PLANES_H

#include "app/frame.h"

/* Volumes written as one file a plane. */

/* Is it a name with a place for a number, such as plane-%04d.png, or one of a folder? Local. */
bool app_planes_are_named(const char *path);

/* Does it end in a slash, as FOLDER/ does? That stands for FOLDER/z%04d.png, in a folder that is
 * made if it is not there. Local. */
bool app_planes_in_folder(const char *path);

/* Are planes of such a name PNG files? Local. */
bool app_planes_are_png(const char *path);

/* Collective, before anything is computed. HALO_FILE if there are files in the folder that planes
 * would not replace: who reads it would take them for planes. For other names nothing is done. */
halo_status app_planes_check_folder(app_run *run, const char *path);

/* Writes a picture, or an array of two axes, of which `header` says more. Collective. */
typedef halo_status app_write_plane(halo_world *world, const char *path, const void *header,
                                    const int64_t *cuts, const halo_rows *rows);

/* Collective. Write the planes of run->domain, which has three axes, to files named by `path`, a
 * name with a place for a number, or of a folder: numbers are those of the image's slices if these
 * have some, otherwise they begin at 0. `fill` is as of app_write_array, by app_cuts: rows of all
 * planes count. Where all ranks see the folder each writes the planes that it has, one after the
 * other; otherwise all write each plane together. Every file is whole when its name appears; after
 * a failure some may be there. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_MPI on all ranks. */
halo_status app_write_planes(app_run *run, const char *path, const void *header,
                             app_write_plane *write, halo_rows_fill *fill);

#endif
