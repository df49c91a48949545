#include "base/memory.h"
#include "io/image/image_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pixels of images as commands get them: read_pixels WANT READERS KEPT FILE... For each file a
 * line
 *
 *     planes height width bits of a pixel, bits of a sample, maximum, type
 *
 * and the rows behind it, or a line with an error. WANT: greys, colours, samples, native or pixels.
 * READERS: so many readers have a strip of rows each, as ranks have, if rows can be read in any
 * order; the last one begins. KEPT: bytes that are kept of an image that is turned, or 0 for the
 * usual ones; stored: it is not turned. */

static const struct {
    const char *name;
    halo_image_want want;
} wants[] = {{"greys", HALO_IMAGE_GREYS},
             {"colours", HALO_IMAGE_COLOURS},
             {"samples", HALO_IMAGE_SAMPLES},
             {"native", HALO_IMAGE_NATIVE},
             {"pixels", HALO_IMAGE_PIXELS}};

static halo_status read_strip(const char *path, const halo_image_options *options, int64_t first,
                              int64_t rows, unsigned char *out)
{
    halo_image_reader *reader;
    HALO_TRY(halo_image_reader_open(&reader, path, options));
    const halo_image_info *info = halo_image_reader_info(reader);
    size_t bytes = halo_image_row_bytes(info);
    halo_status status = HALO_OK;
    halo_image_reader_expect(reader, first, rows);
    for (int64_t i = 0, now = 1; i < rows && status == HALO_OK; i += now, now += 3) {
        now = now < rows - i ? now : rows - i;
        status = halo_image_reader_rows(reader, first + i, now, out + (size_t)i * bytes, bytes);
    }
    if (status == HALO_OK && first + rows == info->rows) {
        status = halo_image_reader_finish(reader);
    }
    halo_image_reader_close(&reader);
    return status;
}

static halo_status read_file(const char *path, const halo_image_options *options, int64_t readers,
                             halo_image_info *info, unsigned char **out)
{
    halo_image_reader *reader;
    HALO_TRY(halo_image_reader_open(&reader, path, options));
    *info = *halo_image_reader_info(reader);
    halo_image_reader_close(&reader);
    size_t bytes = halo_image_row_bytes(info);
    HALO_TRY(HALO_ALLOCATE(*out, (int64_t)bytes * info->rows, "an image"));
    readers = info->random_access ? readers : 1;
    for (int64_t r = readers - 1; r >= 0; r--) {
        int64_t first = info->rows * r / readers, end = info->rows * (r + 1) / readers;
        HALO_TRY(read_strip(path, options, first, end - first, *out + (size_t)first * bytes));
    }
    return HALO_OK;
}

int main(int count, char **words)
{
    halo_image_options options = {.nodata = {.given = true, .none = true}};
    for (size_t i = 0; count > 4 && i < sizeof wants / sizeof *wants; i++) {
        if (strcmp(words[1], wants[i].name) == 0) {
            options.want = wants[i].want;
        }
    }
    options.as_stored = count > 4 && strcmp(words[3], "stored") == 0;
    options.turned_bytes = count > 4 ? strtol(words[3], NULL, 10) : 0;
    for (int i = 4; i < count; i++) {
        halo_image_info info;
        unsigned char *rows = NULL;
        if (read_file(words[i], &options, strtol(words[2], NULL, 10), &info, &rows) != HALO_OK) {
            printf("%s\n", halo_last_message());
        } else {
            printf("%" PRId64 " %" PRId64 " %" PRId64 " %d %d %" PRId64 " %s\n", info.planes,
                   info.height, info.width, info.pixel_bits, info.cell_bits, info.maximum,
                   halo_sample_types[info.type].numpy);
            fwrite(rows, halo_image_row_bytes(&info), (size_t)info.rows, stdout);
        }
        free(rows);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
