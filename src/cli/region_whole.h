#ifndef HALOBEAT_CLI_REGION_WHOLE_H
#define HALOBEAT_CLI_REGION_WHOLE_H

#include "app/image/spacing.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "kernels/label/measure/numbered.h"

/* Facts of all regions together, as of the pores of a medium, and tables of them: --facts, --chords
 * and --correlation of commands that measure regions. */

/* The rows of the options for `structure`, with members `facts`, `chords` and `correlation`. */
#define CLI_WHOLE_ROWS(structure)                                                                 \
    {HALO_OPTION_ROW(structure, "facts", FLAG, facts),                                            \
     .help = "Report facts of all regions together, as of pores: their share of the pixels, the " \
             "share of the largest, and of those that touch both ends of an axis; of volumes, "   \
             "the area of their surface in a unit of volume"},                                    \
        {HALO_OPTION_ROW(structure, "chords", OUTPUT, chords), .choices = ".csv|.json",           \
         .help = "A table of chords, which are the pixels of a region that follow each other "    \
                 "along an axis: how many there are of each length, and of those that an edge "   \
                 "of the image cuts"},                                                            \
    {                                                                                             \
        HALO_OPTION_ROW(structure, "correlation", OUTPUT, correlation),                           \
            .choices = ".csv|.json",                                                              \
            .help = "A table of the two-point correlation: the share of pairs of pixels at each " \
                    "distance along an axis that are both in regions"                             \
    }

/* Zero-initialise it. */
typedef struct {
    bool found;
    int64_t pixels;              /* in regions */
    int64_t largest;             /* in the largest one */
    int64_t spanning[HALO_AXES]; /* in regions that touch both ends of the axis */
    double surface;              /* of all of them, in units of the size; negative: unknown */
} cli_whole;

/* Collective. Adds up this rank's regions [count] of an image of n[] planes, rows and columns, and
 * finds their surface, unless `image` is NULL or has no three axes or some that are periodic.
 * HALO_MEMORY, HALO_TRANSPORT. */
halo_status cli_whole_find(cli_whole *whole, const app_run *run, const halo_region *regions,
                           int64_t count, const label_numbered *image, const app_pixel *pixel);

/* Local. The facts as an object; NULL if they were not found, or for want of memory. */
json_t *cli_whole_json(const cli_whole *whole, const app_run *run, const app_pixel *pixel);

/* Lines of the summary. */
#define CLI_WHOLE_LINES                                                                        \
    {.name = "whole",                                                                          \
     .text = "porosity {whole.porosity%.6f}[, {100*whole.connected_share%.2f} % of it in the " \
             "largest region][; specific surface {whole.specific_surface%.6g}]"},              \
    {                                                                                          \
        .name = "spanning",                                                                    \
        .text = "[{100*whole.percolating_share.z%.2f} % along z, "                             \
                "]{100*whole.percolating_share.y%.2f} % along y, "                             \
                "{100*whole.percolating_share.x%.2f} % along x, of the pixels in regions"      \
    }

/* Collective. Write the tables. Errors of label_chords_count, label_correlation_count and
 * app_write_table. */
halo_status cli_whole_write_chords(app_run *run, const char *path, const label_numbered *image);
halo_status cli_whole_write_correlation(app_run *run, const char *path,
                                        const label_numbered *image);

#endif
