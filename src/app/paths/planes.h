#ifndef HALOBEAT_APP_PATHS_PLANES_H
#define HALOBEAT_APP_PATHS_PLANES_H

#include "app/run.h"
#include "core/file/rows.h"

/* Volumes written as one file per plane. */

/* True if the path is a name with a number pattern, such as plane-%04d.png, or a folder. Local. */
bool app_planes_are_named(const char *path);

/* True if the path ends in a slash: FOLDER/ stands for FOLDER/z%04d.png, and the folder is created
 * if necessary. Local. */
bool app_planes_in_folder(const char *path);

/* True if planes of such a name are PNG files. Local. */
bool app_planes_are_png(const char *path);

/* Collective, before anything is computed. HALO_FILE if the folder has files that planes would not
 * replace, which would later be read as planes. Does nothing for other names. */
halo_status app_planes_check_folder(app_run *run, const char *path);

/* True if the files of planes `first` to `first + count - 1` of such a name exist. Local. */
bool app_planes_are_there(const char *path, int64_t first, int64_t count);

/* Writes an image, or an array of two axes, described by `header`. Collective. */
typedef halo_status app_write_plane(halo_world *world, const char *path, const void *header,
                                    const int64_t *cuts, const halo_rows *rows);

/* Collective. Writes the planes of run->domain, which has three axes, to files named by `path`, a
 * name with a number pattern or a folder. Numbers are those of the image's slices, if it has any,
 * otherwise they begin at 0. `fill` is as of app_write_array, for strips of app_cuts: rows are
 * numbered through all planes. If all ranks see the folder each writes its planes one after the
 * other; otherwise all write each plane together. Every file is complete when its name appears;
 * after a failure some files may exist. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_TRANSPORT; the
 * same on all ranks. */
halo_status app_write_planes(app_run *run, const char *path, const void *header,
                             app_write_plane *write, halo_rows_fill *fill);

#endif
