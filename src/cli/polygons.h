#ifndef HALOBEAT_CLI_POLYGONS_H
#define HALOBEAT_CLI_POLYGONS_H

#include "app/run.h"
#include "io/table/table.h"
#include "kernels/label/measure/numbered.h"

/* Regions as polygons: GeoJSON, with the columns of their table as properties, or an archive of
 * ImageJ's regions of interest. */

/* Local. HALO_ARGUMENT, with the remedy, if the run's image has no polygons of the kind that the
 * ending of the file's name asks for. */
halo_status cli_polygons_check(const app_run *run, const char *path);

/* Collective. Writes the regions of an image, whose table has the same rows, and labels in its
 * first column. HALO_ARGUMENT for more regions than an archive has, HALO_FILE, HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status cli_polygons_write(app_run *run, const char *path, const halo_table *table,
                               const label_numbered *image);

#endif
