#include "io/array/picture.h"

#include "base/names.h"
#include "io/array/format.h"
#include "io/image/bits.h"
#include "io/image/density.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, WHITE = 255, BYTE_BITS = 8 };

bool halo_picture_is_png(const char *path)
{
    return halo_name_ends(path, ".png");
}

bool halo_picture_is_one(const char *path)
{
    const halo_array_format *format = halo_array_format_of(path);
    return halo_picture_is_png(path) || (format != NULL && format->picture);
}

/* ---- rows as these formats have them --------------------------------------------------------- */

typedef struct {
    const halo_png_header *header;
    const halo_rows *rows;
    uint64_t *words; /* a row of bits */
} picture;

static halo_status fill_bits(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const picture *p = context;
    size_t bytes = halo_png_row_bytes(p->header);
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(p->rows->fill(p->rows->context, first + i, 1, p->words, bytes));
        halo_bits_unpack(p->header->width, p->words, WHITE,
                         (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* Indices lie where the colours will be: the last ones are replaced first. */
static halo_status fill_palette(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const picture *p = context;
    HALO_TRY(p->rows->fill(p->rows->context, first, rows, out, pitch));
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = p->header->width - 1; x >= 0; x--) {
            memcpy(row + CHANNELS * x, p->header->palette + (size_t)(CHANNELS * row[x]), CHANNELS);
        }
    }
    return HALO_OK;
}

static void show(void *context, int64_t done, int64_t total)
{
    const halo_rows *rows = ((const picture *)context)->rows;
    if (rows->progress != NULL) {
        rows->progress(rows->context, done, total);
    }
}

/* Samples of a pixel in other formats than PNG. */
static int channels_of(halo_png_kind kind)
{
    return kind == HALO_PNG_PALETTE ? CHANNELS : halo_png_kind_channels(kind);
}

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_picture_write(halo_world *world, const char *path, const halo_png_header *header,
                               const halo_array_about *about, const int64_t *cuts,
                               const halo_rows *rows)
{
    if (halo_picture_is_png(path)) {
        halo_png_header with_density = *header;
        if (about != NULL && !halo_density_of(&about->geometry, with_density.density)) {
            with_density.density[0] = 0;
        }
        return halo_png_write(world, path, &with_density, cuts, rows);
    }
    HALO_TRY(halo_png_header_check(header));
    picture p = {.header = header, .rows = rows};
    halo_rows converted = {.progress = show, .context = &p};
    const int channels = channels_of(header->kind);
    const bool bits = header->kind == HALO_PNG_BITS,
               wide = halo_png_kind_bits(header->kind) > BYTE_BITS;
    const halo_npy_header array = {.width = channels * header->width,
                                   .height = header->height,
                                   .type = wide ? HALO_SAMPLE_U16 : HALO_SAMPLE_U8,
                                   .axes = channels > 1 ? 3 : 2,
                                   .pixel = channels > 1 ? channels : 0};
    halo_status status = HALO_OK;
    if (bits) {
        status = HALO_ALLOCATE(p.words, halo_bits_words(header->width), "a row of bits");
        converted.fill = fill_bits;
    } else if (header->kind == HALO_PNG_PALETTE) {
        converted.fill = fill_palette;
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_array_write(world, path, &array, about, cuts,
                                  converted.fill != NULL ? &converted : rows);
    }
    free(p.words);
    return status;
}
