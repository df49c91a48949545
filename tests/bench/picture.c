/* Writes one of the pictures (kind=grey), or its pixels from 128 on as white and the others as
 * black (kind=binary), as most programs would: through libpng with its default compression and
 * filters. */

#include "tests/bench/bench.h"
#include "tests/bench/pictures.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static halo_status write_png(const char *path, const uint8_t *grey, int64_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "%s could not be opened", path);
    }
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        return halo_fail(HALO_FILE, "%s could not be written", path);
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)size, (png_uint_32)size, 8, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int64_t y = 0; y < size; y++) {
        png_write_row(png, grey + y * size);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return fclose(file) == 0 ? HALO_OK : halo_fail(HALO_FILE, "%s could not be written", path);
}

void bench_picture(bench *b)
{
    const char *name = bench_text(b, "name", "noise_50");
    const picture *chosen = picture_find(name);
    int64_t size = bench_integer(b, "size", 512);
    bool binary = strcmp(bench_text(b, "kind", "grey"), "binary") == 0;
    bench_check(chosen != NULL ? HALO_OK : halo_fail(HALO_ARGUMENT, "no such picture"), name);
    uint8_t *grey = bench_allocate((size_t)(size * size));
    chosen->make(grey, size, chosen->argument);
    for (int64_t i = 0; binary && i < size * size; i++) {
        grey[i] = grey[i] >= 128 ? 255 : 0;
    }
    if (b->rank == 0) {
        bench_check(write_png(bench_text(b, "out", "picture.png"), grey, size), "writing");
    }
    free(grey);
}
