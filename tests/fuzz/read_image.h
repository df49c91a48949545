#ifndef HALOBEAT_TESTS_FUZZ_READ_IMAGE_H
#define HALOBEAT_TESTS_FUZZ_READ_IMAGE_H

#include "fuzz/fuzz.h"
#include "io/image/image_reader.h"

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

/* Reads `path` as an image; it must succeed or fail with a message. A small file may claim many
 * samples: an image of more than `most` is opened, but not read. */
static inline void read_image(const char *path, const halo_image_options *options, int64_t most)
{
    halo_image_reader *reader = NULL;
    halo_status status = halo_image_reader_open(&reader, path, options);
    demand((status == HALO_OK) == (reader != NULL));
    const halo_image_info *info = reader != NULL ? halo_image_reader_info(reader) : NULL;
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
