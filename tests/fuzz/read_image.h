#ifndef HALOBEAT_TESTS_FUZZ_READ_IMAGE_H
#define HALOBEAT_TESTS_FUZZ_READ_IMAGE_H

#include "fuzz/fuzz.h"
#include "io/image/image_reader.h"

#include <math.h>
#include <string.h>

static inline halo_status read_rows_of_image(halo_image_reader *reader, unsigned char *row,
                                             size_t bytes)
{
    const halo_image_info *info = halo_image_reader_info(reader);
    for (int64_t y = 0; y < info->rows; y++) {
        halo_status status = halo_image_reader_rows(reader, y, 1, row, bytes);
        if (status != HALO_OK) {
            return status;
        }
    }
    return halo_image_reader_finish(reader);
}

/* Whatever a header says, a geometry can be computed with. */
static inline void check_geometry_of_image(const halo_image_geometry *g)
{
    for (int axis = 0; axis < 3; axis++) {
        demand(g->spacing[axis] >= 0 && g->spacing[axis] < HUGE_VAL);
        for (int i = 0; i < 3 && g->placed; i++) {
            demand(fabs(g->direction[axis][i]) < 1.001 && isfinite(g->origin[i]));
        }
    }
}

/* Reads `path` as an image; it must succeed or fail with a message. A small file may claim many
 * samples: an image of more than `most` is opened, but not read. */
static inline void read_image(const char *path, const halo_image_options *options, int64_t most)
{
    halo_image_reader *reader = NULL;
    halo_status status = halo_image_reader_open(&reader, path, options);
    demand((status == HALO_OK) == (reader != NULL));
    const halo_image_info *info = reader != NULL ? halo_image_reader_info(reader) : NULL;
    if (info != NULL) {
        check_geometry_of_image(&info->geometry);
    }
    if (info != NULL && info->rows <= most / (info->width + 1)) {
        size_t bytes = halo_image_row_bytes(info);
        demand(info->rows == info->planes * info->height && info->width > 0 && bytes > 0);
        unsigned char *row = malloc(bytes);
        demand(row != NULL);
        status = read_rows_of_image(reader, row, bytes);
        /* Rows in any order, if the reader supports that. */
        if (status == HALO_OK && info->random_access) {
            demand(halo_image_reader_rows(reader, info->rows - 1, 1, row, bytes) == HALO_OK);
            demand(halo_image_reader_rows(reader, 0, 1, row, bytes) == HALO_OK);
        }
        free(row);
    }
    demand(status == HALO_OK || strlen(halo_last_message()) > 0);
    halo_image_reader_close(&reader);
}

#endif
