/* bench_picture NAME SIZE FILE.png grey|lit: write one of the pictures, or its pixels from 128 on
 * as white and the others as black, as most programs would: through libpng with its default
 * compression and filters. */

#include "tests/bench/pictures.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_png(const char *path, const uint8_t *grey, int64_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        fprintf(stderr, "bench: %s could not be written\n", path);
        return 1;
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
    return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const picture *chosen = argc == 5 ? picture_find(argv[1]) : NULL;
    int64_t size = argc == 5 ? strtoll(argv[2], NULL, 10) : 0;
    if (chosen == NULL || size < 1) {
        fprintf(stderr, "usage: bench_picture NAME SIZE FILE.png grey|lit\n");
        return 2;
    }
    uint8_t *grey = malloc((size_t)(size * size));
    if (grey == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        return 1;
    }
    chosen->make(grey, size, chosen->argument);
    for (int64_t i = 0; strcmp(argv[4], "lit") == 0 && i < size * size; i++) {
        grey[i] = grey[i] >= 128 ? 255 : 0;
    }
    int status = write_png(argv[3], grey, size);
    free(grey);
    return status;
}
