#include "io/image/bits.h"
#include "io/image/density.h"
#include "io/image/image_internal.h"
#include "io/png/png_internal.h"
#include "io/png/png_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* PNG's own reader makes greys and colours; numbers of other kinds, and greys some of which stand
 * for no data, are made of its greys and colours, as of any format's samples. */

typedef struct {
    halo_png_reader *reader;
    uint64_t *words; /* a row of bits, before they are bytes; or NULL */
    int factor;      /* of greys of 2 and 4 bits that become bytes */
} png_state;

/* Four bytes only: the reader says more about a file whose line ends were changed in transfer. */
static bool sniff(const unsigned char *bytes, size_t count)
{
    size_t compared = count < 4 ? count : 4;
    return count > 0 && memcmp(bytes, "\x89PNG", compared) == 0;
}

static void set_kind(halo_image_info *info, const halo_png_info *png)
{
    snprintf(info->kind, sizeof info->kind, "%s", png->kind);
    snprintf(info->decoder, sizeof info->decoder, "%s", png->decoder);
    info->bits = png->bits;
    info->alpha = png->alpha;
    info->colourful = png->channels >= 3 || strcmp(png->kind, "palette") == 0;
    info->held = png->interlaced;
    info->cell_bits = png->grey_bits;
    info->pixel_bits = png->pixel_bits;
    info->maximum = png->maximum;
}

/* Bits of the type of colour, which the header has, the first part of the file: colours are in the
 * palette, or in the samples. */
enum { IN_COLOUR = 2, WITH_ALPHA = 4 };

static bool has_kind(halo_image_reader *reader, int bits)
{
    enum { COLOUR_TYPE = 25 };
    return halo_source_peek(&reader->source) > COLOUR_TYPE &&
           (reader->source.at[COLOUR_TYPE] & bits) != 0;
}

/* One of the samples of a pixel is read as it is stored. */
static bool picks(halo_image_reader *reader)
{
    return reader->choices.of[HALO_IMAGE_CHANNEL] != NULL &&
           has_kind(reader, IN_COLOUR | WITH_ALPHA);
}

static bool has_nodata(const halo_image_reader *reader)
{
    return reader->options.nodata.given && !reader->options.nodata.none;
}

/* Greys of one bit are samples of one bit, as in other formats. */
static void set_samples(halo_image_reader *reader, const halo_png_info *png, bool colours, bool all)
{
    halo_image_want want = reader->options.want;
    bool others =
             want == HALO_IMAGE_REALS || has_nodata(reader) || all || reader->options.range.given,
         bits = (others || want == HALO_IMAGE_SAMPLES) && png->grey_bits == 1;
    reader->converted = !others;
    reader->samples = (halo_image_samples){.type = png->bits == 16 ? HALO_SAMPLE_U16
                                                   : bits          ? HALO_SAMPLE_BIT
                                                                   : HALO_SAMPLE_U8,
                                           .channels = !others || all ? png->channels
                                                       : colours      ? 3
                                                                      : 1,
                                           .maximum = png->maximum};
    if (want == HALO_IMAGE_PIXELS && png->channels % 2 == 0) {
        reader->samples.alpha = HALO_ALPHA_OVER_GROUND;
    }
}

static halo_status open_png(halo_image_reader *reader)
{
    png_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a PNG reader"));
    reader->state = state;
    halo_image_want want = reader->options.want;
    bool colours =
             want == HALO_IMAGE_COLOURS ||
             (has_nodata(reader) && want != HALO_IMAGE_SAMPLES && has_kind(reader, IN_COLOUR)),
         all = picks(reader) || want == HALO_IMAGE_PIXELS;
    const halo_png_read_options options = {.colour = colours,
                                           .samples = all,
                                           .ground = reader->options.ground,
                                           .count_clear = reader->options.count_clear};
    HALO_TRY(halo_png_reader_open_source(&state->reader, &reader->source, &options));
    const halo_png_info *png = halo_png_reader_info(state->reader);
    set_samples(reader, png, colours, all);
    set_kind(&reader->info, png);
    reader->orientation = png->orientation;
    HALO_TRY(halo_image_set_size(reader, 0, png->height, png->width));
    halo_density_set(reader, png->density.across, png->density.down,
                     png->density.metre ? HALO_LENGTH_METRE : HALO_LENGTH_UNKNOWN);
    bool bytes = want != HALO_IMAGE_NATIVE && want != HALO_IMAGE_SAMPLES &&
                 want != HALO_IMAGE_COLOURS && png->pixel_bits <= 8;
    set_kind(&reader->info, png);
    if (!bytes || !reader->converted) {
        return HALO_OK;
    }
    state->factor = (int)(255 / png->maximum);
    reader->info.cell_bits = reader->info.pixel_bits = 8;
    reader->info.maximum = 255;
    return png->grey_bits != 1
               ? HALO_OK
               : HALO_ALLOCATE(state->words, halo_bits_words(png->width), "a row of bits");
}

static halo_status png_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                            size_t pitch)
{
    png_state *state = reader->state;
    int64_t width = reader->info.width;
    (void)first;
    if (state->words == NULL) {
        HALO_TRY(halo_png_reader_rows(state->reader, rows, out, pitch));
        reader->clear = halo_png_reader_clear(state->reader); /* bits have none */
    }
    for (int64_t i = 0; i < rows && (state->words != NULL || state->factor > 1); i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        if (state->words != NULL) {
            size_t bytes = (size_t)halo_bits_words(width) * sizeof *state->words;
            HALO_TRY(halo_png_reader_rows(state->reader, 1, state->words, bytes));
            halo_bits_unpack(width, state->words, 255, row);
            continue;
        }
        for (int64_t x = 0; x < width; x++) {
            row[x] = (unsigned char)(row[x] * state->factor);
        }
    }
    return HALO_OK;
}

static halo_status finish_png(halo_image_reader *reader)
{
    halo_png_reader *png = ((png_state *)reader->state)->reader;
    HALO_TRY(halo_png_reader_finish(png));
    halo_image_warn(reader, halo_png_reader_warning(png));
    return HALO_OK;
}

static void close_png(halo_image_reader *reader)
{
    png_state *state = reader->state;
    if (state != NULL) {
        halo_png_reader_close(&state->reader);
        free(state->words);
    }
    free(state);
}

const halo_image_format halo_image_png = {.name = "PNG",
                                          .picture = true,
                                          .sniff = sniff,
                                          .open = open_png,
                                          .rows = png_rows,
                                          .finish = finish_png,
                                          .close = close_png};
