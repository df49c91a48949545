#include "io/cells/cells_internal.h"
#include "io/image/image_reader.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* A picture: a cell is alive if its grey is at least half of the samples' range, unless the file
 * says that this grey is no data. */

typedef struct {
    halo_image_reader *image;
    int64_t row;
    unsigned char *grey; /* a row of it, unless it has 1 bit a pixel */
    uint8_t *states;     /* of that row */
    uint64_t *missing;   /* bits of its pixels that are missing; NULL: none can be */
} picture;

/* The decoder reads a file by itself. */
static halo_status open_decoder(halo_cells_reader *reader, halo_image_want want,
                                halo_image_reader **image)
{
    const halo_source *source = &reader->source;
    const halo_image_options options = {
        .want = want, .choices = reader->options.choices, .as_stored = reader->options.as_stored};
    return source->file != NULL
               ? halo_image_reader_open(image, reader->path, &options)
               : halo_image_reader_open_memory(image, source->name, source->bytes,
                                               (size_t)(source->end - source->bytes), &options);
}

/* Bits stay bits; samples that are no greys have to fit such. */
static halo_status open_greys(halo_cells_reader *reader, halo_image_reader **image)
{
    HALO_TRY(open_decoder(reader, HALO_IMAGE_NATIVE, image));
    const halo_sample_type type = halo_image_reader_info(*image)->type;
    if (halo_sample_types[type].grey) {
        return HALO_OK;
    }
    if (halo_sample_types[type].real) {
        return halo_fail(HALO_FORMAT,
                         "%s: samples of type %s, and cells are greys of 8 or 16 bits, of which "
                         "the upper half is alive; save it with such",
                         reader->source.name, halo_sample_types[type].name);
    }
    halo_image_reader_close(image);
    return open_decoder(reader, HALO_IMAGE_GREYS, image);
}

static halo_status open_picture(halo_cells_reader *reader)
{
    picture *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of cells"));
    reader->state = state;
    HALO_TRY(open_greys(reader, &state->image));
    const halo_image_info *image = halo_image_reader_info(state->image);
    if (image->axes > 2) {
        return halo_fail(HALO_FORMAT,
                         "%s: has several planes, and a grid has two axes; choose "
                         "one, as FILE:z=0",
                         reader->source.name);
    }
    reader->info.width = image->width;
    reader->info.height = image->height;
    if (image->pixel_bits > 1) {
        HALO_TRY(HALO_ALLOCATE(state->grey, halo_image_row_bytes(image), "a row of a picture"));
        HALO_TRY(HALO_ALLOCATE(state->states, image->width, "a row of a picture"));
    }
    return image->nodata.missing == HALO_MISSING_NEVER
               ? HALO_OK
               : HALO_ALLOCATE(state->missing, (image->width + 63) / 64, "a row of a picture");
}

static void clear_missing(const picture *state, const void *row, uint64_t *bits)
{
    const halo_image_info *image = halo_image_reader_info(state->image);
    if (state->missing == NULL) {
        return;
    }
    halo_image_find_missing(image, row, state->missing);
    for (int64_t i = 0; i < (image->width + 63) / 64; i++) {
        bits[i] &= ~state->missing[i];
    }
}

static void find_states(const halo_image_info *image, const unsigned char *grey, uint8_t *states)
{
    int64_t half = (image->maximum + 1) / 2;
    const uint16_t *wide = (const uint16_t *)(const void *)grey;
    for (int64_t x = 0; x < image->width; x++) {
        states[x] = (image->pixel_bits == 8 ? grey[x] : wide[x]) >= half;
    }
}

static halo_status rows_picture(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    picture *state = reader->state;
    const halo_image_info *image = halo_image_reader_info(state->image);
    int64_t first = state->row;
    state->row += rows;
    if (image->pixel_bits == 1) {
        HALO_TRY(halo_image_reader_rows(state->image, first, rows, out, pitch));
    }
    for (int64_t i = 0; i < rows; i++) {
        uint64_t *bits = (uint64_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        if (image->pixel_bits == 1) {
            clear_missing(state, bits, bits);
            continue;
        }
        HALO_TRY(halo_image_reader_rows(state->image, first + i, 1, state->grey,
                                        halo_image_row_bytes(image)));
        find_states(image, state->grey, state->states);
        halo_cells_pack_bits(bits, state->states, image->width);
        clear_missing(state, state->grey, bits);
    }
    return HALO_OK;
}

static halo_status finish_picture(halo_cells_reader *reader)
{
    picture *state = reader->state;
    HALO_TRY(halo_image_reader_finish(state->image));
    snprintf(reader->warning, sizeof reader->warning, "%s",
             halo_image_reader_warning(state->image));
    return HALO_OK;
}

static void close_picture(halo_cells_reader *reader)
{
    picture *state = reader->state;
    if (state != NULL) {
        halo_image_reader_close(&state->image);
        free(state->grey);
        free(state->states);
        free(state->missing);
    }
}

const halo_cells_kind halo_cells_png = {.format = HALO_CELLS_PNG,
                                        .open = open_picture,
                                        .rows = rows_picture,
                                        .finish = finish_picture,
                                        .close = close_picture};

const halo_cells_kind halo_cells_image = {.format = HALO_CELLS_IMAGE,
                                          .open = open_picture,
                                          .rows = rows_picture,
                                          .finish = finish_picture,
                                          .close = close_picture};
