#ifndef HALOBEAT_CLI_MEASURE_JOB_H
#define HALOBEAT_CLI_MEASURE_JOB_H

#include "app/image/spacing.h"
#include "app/outputs.h"
#include "app/run.h"
#include "cli/measured.h"
#include "cli/outline.h"
#include "cli/polygons.h"
#include "cli/region_table.h"
#include "cli/region_whole.h"
#include "core/field/field.h"
#include "kernels/label/measure/label_image.h"
#include "partition/cuts.h"

typedef struct {
    app_arguments all;
    const char *regions, *chords, *correlation, *outline, *polygons; /* or NULL */
    bool facts;
    cli_measured_options intensity;
    app_spacing spacing;
    label_property_choice properties;
    int names; /* cli_region_names */
} measure_options;

typedef struct {
    halo_partition strips;
    halo_field *labels;
    label_image found;
    cli_measured intensity;
    int64_t labelled_pixels; /* of the whole image */
    cli_whole whole;
    cli_outline outline; /* while it is written */
} measure_job;

/* Local. How large pixels are in tables. */
static inline app_pixel measure_pixel_of(const app_run *run)
{
    return app_pixel_of(run->image, &((const measure_options *)run->options)->spacing);
}

/* ---- outlines (outline.c) ----------------------------------------------------------------------
 */

/* Local. HALO_ARGUMENT, with the remedy, if the outlines that are asked for cannot be drawn. */
halo_status measure_check_outline(const app_run *run);

/* Collective and local. The functions of the output. */
halo_status measure_prepare_outline(app_run *run);
void measure_finish_outline(app_run *run);
extern const app_writer measure_outline_writers[];

/* ---- the table of regions (regions.c) -------------------------------------------------------- */

/* Local. HALO_ARGUMENT, with the remedy, if the image does not have a property that is asked for.
 */
halo_status measure_check_properties(const app_run *run);

/* Local. True if the table has a property with any of these needs. */
bool measure_needs(const app_run *run, unsigned needs);

/* Local. Bytes per region that the table and its properties take. */
int64_t measure_region_bytes(const app_run *run);

/* Local. Bytes for these pixels, besides. */
int64_t measure_region_pixel_bytes(const app_run *run, const halo_box *owned);

/* Collective. Write the table of regions, and regions as polygons. */
halo_status measure_write_regions(app_run *run, const char *path);
halo_status measure_write_polygons(app_run *run, const char *path);

#endif
