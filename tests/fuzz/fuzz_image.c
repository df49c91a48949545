#define _GNU_SOURCE
#include "io/image/image_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* libFuzzer's target: any bytes are read as an image, in each of the ways that there are, or
 * refused with a message; and never for the memory that a header asks for. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libhdf5 loses some memory of what it refuses. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}

static void demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* What a small file can hold: a compressed one a lot, but not all that a header may claim. */
static bool is_small(const halo_image_info *info)
{
    return info->rows <= (1 << 24) / (info->width + 1);
}

static halo_status read_rows(halo_image_reader *reader, unsigned char *row, size_t bytes)
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

static void read_image(const char *path, const halo_image_options *options)
{
    halo_image_reader *reader = NULL;
    halo_status status = halo_image_reader_open(&reader, path, options);
    demand((status == HALO_OK) == (reader != NULL));
    if (reader != NULL && is_small(halo_image_reader_info(reader))) {
        const halo_image_info *info = halo_image_reader_info(reader);
        size_t bytes = halo_image_row_bytes(info);
        demand(info->rows == info->planes * info->height && info->width > 0 && bytes > 0);
        unsigned char *row = malloc(bytes);
        demand(row != NULL);
        status = read_rows(reader, row, bytes);
        /* Rows in any order, where that is said to be possible. */
        if (status == HALO_OK && info->random_access) {
            demand(halo_image_reader_rows(reader, info->rows - 1, 1, row, bytes) == HALO_OK);
            demand(halo_image_reader_rows(reader, 0, 1, row, bytes) == HALO_OK);
        }
        free(row);
    }
    demand(status == HALO_OK || strlen(halo_last_message()) > 0);
    halo_image_reader_close(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const halo_image_want wants[] = {HALO_IMAGE_GREYS, HALO_IMAGE_NATIVE_GREYS,
                                            HALO_IMAGE_COLOURS, HALO_IMAGE_ARRAYS,
                                            HALO_IMAGE_SAMPLES};
    char path[64];
    int file = memfd_create("image", 0);
    demand(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        read_image(path,
                   &(halo_image_options){.want = wants[i], .volumes = i % 2 == 0, .narrow = i > 2});
    }
    close(file);
    return 0;
}
