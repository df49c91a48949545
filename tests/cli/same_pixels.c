/* same_pixels LABELS.png LABELS.npy: do libpng and libspng read the same numbers from the PNG as
 * stand in the array of 32-bit integers? */

#include "support/png_decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NPY_HEAD = 10 }; /* bytes before the text of the header */

static unsigned char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = NULL;
    *bytes = 0;
    for (size_t got = 1; file != NULL && got > 0;) {
        data = realloc(data, *bytes + 65536);
        if (data == NULL) {
            abort();
        }
        got = fread(data + *bytes, 1, 65536, file);
        *bytes += got;
    }
    if (file != NULL) {
        fclose(file);
    }
    return data;
}

static bool same(const decoded_png *png, const unsigned char *npy, size_t bytes)
{
    char shape[64];
    snprintf(shape, sizeof shape, "'shape': (%" PRIu32 ", %" PRIu32 ")", png->height, png->width);
    size_t text = bytes > NPY_HEAD ? (size_t)npy[8] + 256 * (size_t)npy[9] : 0;
    size_t pixels = (size_t)png->width * png->height;
    if (png->bits != 16 || png->colour_type != 0 || bytes != NPY_HEAD + text + 4 * pixels) {
        return false;
    }
    char *header = calloc(text + 1, 1);
    memcpy(header, npy + NPY_HEAD, text);
    bool good = strstr(header, shape) != NULL && strstr(header, "'<i4'") != NULL &&
                strstr(header, "'fortran_order': False") != NULL;
    for (size_t i = 0; good && i < pixels; i++) {
        uint16_t sample;
        int32_t number;
        memcpy(&sample, png->pixels + 2 * i, sizeof sample);
        memcpy(&number, npy + NPY_HEAD + text + 4 * i, sizeof number);
        good = sample == number;
    }
    free(header);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    size_t png_bytes, npy_bytes;
    unsigned char *png = read_file(argv[1], &png_bytes), *npy = read_file(argv[2], &npy_bytes);
    decoded_png decoded = {0};
    bool good = decode_with_libpng(&decoded, png, png_bytes) && same(&decoded, npy, npy_bytes);
    decoded_png_free(&decoded);
    if (good && decode_has_spng()) {
        decoded = (decoded_png){0};
        good = decode_with_spng(&decoded, png, png_bytes) && same(&decoded, npy, npy_bytes);
        decoded_png_free(&decoded);
    }
    free(png);
    free(npy);
    return good ? 0 : 1;
}
