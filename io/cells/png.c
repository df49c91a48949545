#include "io/cells/cells_internal.h"
#include "io/png/png_read.h"

#include "base/memory.h"

#include <stdlib.h>

/* A picture: a cell is alive if its grey is at least half of the samples' range. */

typedef struct {
    halo_png_reader *png;
    unsigned char *grey; /* a row of it, unless it has 1 bit a pixel */
    uint8_t *states;     /* of that row */
} picture;

/* The decoder reads the file by itself, so a packed one is not for it. */
static halo_status open_decoder(halo_cells_reader *reader, halo_png_reader **png)
{
    halo_source *source = &reader->source;
    if (halo_source_packed(source)) {
        return halo_fail(HALO_FORMAT, "%s: is a picture packed with gzip; unpack it first",
                         reader->source.name);
    }
    if (source->file != NULL) {
        return halo_png_reader_open(png, reader->source.name, NULL);
    }
    return halo_png_reader_open_memory(png, source->bytes, (size_t)(source->end - source->bytes),
                                       reader->source.name, NULL);
}

static halo_status open_picture(halo_cells_reader *reader)
{
    picture *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of cells"));
    reader->state = state;
    HALO_TRY(open_decoder(reader, &state->png));
    const halo_png_info *png = halo_png_reader_info(state->png);
    reader->info.width = png->width;
    reader->info.height = png->height;
    if (png->grey_bits > 1) {
        HALO_TRY(HALO_ALLOCATE(state->grey, halo_png_grey_row_bytes(png), "a row of a picture"));
        HALO_TRY(HALO_ALLOCATE(state->states, png->width, "a row of a picture"));
    }
    return HALO_OK;
}

static void find_states(const halo_png_info *png, const unsigned char *grey, uint8_t *states)
{
    int64_t half = (png->maximum + 1) / 2;
    const uint16_t *wide = (const uint16_t *)(const void *)grey;
    for (int64_t x = 0; x < png->width; x++) {
        states[x] = (png->grey_bits == 8 ? grey[x] : wide[x]) >= half;
    }
}

static halo_status rows_picture(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    picture *state = reader->state;
    const halo_png_info *png = halo_png_reader_info(state->png);
    if (png->grey_bits == 1) {
        return halo_png_reader_rows(state->png, rows, out, pitch);
    }
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(halo_png_reader_rows(state->png, 1, state->grey, halo_png_grey_row_bytes(png)));
        find_states(png, state->grey, state->states);
        halo_cells_pack_bits((uint64_t *)(void *)((unsigned char *)out + (size_t)i * pitch),
                             state->states, png->width);
    }
    return HALO_OK;
}

static halo_status finish_picture(halo_cells_reader *reader)
{
    picture *state = reader->state;
    return halo_png_reader_finish(state->png);
}

static void close_picture(halo_cells_reader *reader)
{
    picture *state = reader->state;
    if (state != NULL) {
        halo_png_reader_close(&state->png);
        free(state->grey);
        free(state->states);
    }
}

const halo_cells_kind halo_cells_png = {.format = HALO_CELLS_PNG,
                                        .open = open_picture,
                                        .rows = rows_picture,
                                        .finish = finish_picture,
                                        .close = close_picture};
