#include "io/image/tiff_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What ImageJ and OME-TIFF say of the pages of a file, in the description of the first one. */

#ifdef HALOBEAT_TIFF

static const char *description_of(const tiff_state *state)
{
    const char *text = NULL;
    return TIFFGetField(state->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != NULL ? text
                                                                                           : "";
}

static bool is_imagej(const char *text)
{
    return strncmp(text, "ImageJ=", 7) == 0;
}

/* The number behind `key`; 1 where it is missing or is none. */
static int64_t number_after(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    long long number = found != NULL ? strtoll(found + strlen(key), NULL, 10) : 1;
    return number >= 1 && number < INT32_MAX ? number : 1;
}

int64_t halo_tiff_imagej_planes(const halo_image_reader *reader)
{
    const tiff_state *state = reader->state;
    const char *text = description_of(state);
    bool simple = state->page.compression == COMPRESSION_NONE && state->page.channels == 1 &&
                  state->page.bits % 8 == 0 && state->page.bits != 24 &&
                  state->page.tile_width == 0 && !state->inverted && reader->samples.channels == 1;
    return simple && is_imagej(text) ? number_after(text, "\nimages=") : 1;
}

typedef struct {
    int64_t channels, slices, times;
} page_axes;

static page_axes find_axes(const char *text)
{
    if (is_imagej(text)) {
        return (page_axes){number_after(text, "\nchannels="), number_after(text, "\nslices="),
                           number_after(text, "\nframes=")};
    }
    if (strstr(text, "<OME") != NULL) {
        return (page_axes){number_after(text, " SizeC=\""), number_after(text, " SizeZ=\""),
                           number_after(text, " SizeT=\"")};
    }
    return (page_axes){1, 1, 1};
}

/* The axes are those of the pages only if their product is the number of pages: channels may also
 * be samples of a pixel. */
halo_status halo_tiff_check_axes(const halo_image_reader *reader, int64_t pages)
{
    page_axes axes = find_axes(description_of(reader->state));
    double described = (double)axes.channels * (double)axes.slices * (double)axes.times;
    bool of_pages = described == (double)pages;
    if (of_pages && axes.channels > 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: the %" PRId64 " pages of the TIFF file are %" PRId64
                         " channels, not the planes of one volume: save each channel as a file "
                         "(in Fiji: Image > Color > Split Channels)",
                         reader->path, pages, axes.channels);
    }
    if (of_pages && axes.slices > 1 && axes.times > 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: the %" PRId64 " pages of the TIFF file are %" PRId64
                         " points in time of %" PRId64 " slices, not one volume: save each point "
                         "in time as a file (in Fiji: Image > Stacks > Tools > Stack Splitter)",
                         reader->path, pages, axes.times, axes.slices);
    }
    return HALO_OK;
}

#endif
