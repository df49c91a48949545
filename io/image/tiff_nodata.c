#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Samples that stand for no data: the tag GDAL_NODATA, a number as text. */

enum { GDAL_NODATA = 42113, ENTRIES = 256, WORD = 64 };

static const char SOURCE[] = "GDAL_NODATA";

const char *halo_tiff_nodata_text(const tiff_state *state, char *text, size_t size)
{
    uint32_t count = 0;
    const char *found = NULL;
    if (halo_libtiff.GetField(state->tiff, GDAL_NODATA, &count, &found) != 1 || found == NULL) {
        return NULL;
    }
    snprintf(text, size, "%.*s", count < size ? (int)count : (int)size - 1, found);
    return text;
}

/* A grey that no other entry of the palette is, for the entry `index`. There are as many greys as
 * entries. */
static unsigned free_grey(const tiff_state *state, unsigned index)
{
    bool used[ENTRIES] = {false};
    unsigned grey = 0;
    for (unsigned i = 0; i < (1U << state->page.bits); i++) {
        const uint8_t *colour = state->palette[i];
        bool is_grey = colour[0] == colour[1] && colour[1] == colour[2];
        used[colour[0]] = used[colour[0]] || (is_grey && i != index);
    }
    while (grey < ENTRIES - 1 && used[grey]) {
        grey++;
    }
    return grey;
}

/* GDAL's number is a sample as it is stored: of a palette an index, and of a picture in which 0 is
 * white what the reader inverts. */
void halo_tiff_say_nodata(halo_image_reader *reader)
{
    char text[WORD];
    tiff_state *state = reader->state;
    halo_image_say_nodata_text(reader, SOURCE, halo_tiff_nodata_text(state, text, sizeof text));
    halo_number *number = &reader->nodata[0];
    bool any = reader->info.nodata.count > 0 && number->whole && !number->negative;
    if (any && state->inverted && number->magnitude <= (uint64_t)reader->samples.maximum) {
        number->magnitude = (uint64_t)reader->samples.maximum - number->magnitude;
        number->value = (double)number->magnitude;
    }
    if (any && state->page.photometric == PHOTOMETRIC_PALETTE &&
        number->magnitude < UINT64_C(1) << state->page.bits) {
        unsigned index = (unsigned)number->magnitude, grey = free_grey(state, index);
        memset(state->palette[index], (int)grey, sizeof state->palette[index]);
        *number = halo_number_of(grey);
    }
}

halo_status halo_tiff_check_nodata(const halo_image_reader *reader, int64_t plane)
{
    char text[WORD];
    halo_number value;
    const tiff_state *state = reader->state;
    const halo_image_nodata *first = &reader->info.nodata;
    bool requested = reader->options.nodata.given || reader->samples.channels == 0;
    bool given = !requested && halo_tiff_nodata_text(state, text, sizeof text) != NULL &&
                 halo_image_scan_nodata(text, &value) && value.value >= value.value;
    bool same = !given || (first->count > 0 && halo_number_equal(&value, &first->value[0]));
    return same ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "%s: page %" PRId64 " says that %.30s stands for no data "
                            "(GDAL_NODATA), and page %" PRId64 " says something else: give the "
                            "value for all pages by --nodata, or none",
                            reader->path, state->pages[plane], text, state->pages[0]);
}

#else

/* A source has to have a declaration. */
extern const halo_image_format halo_image_tiff;

#endif
