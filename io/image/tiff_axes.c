#define _POSIX_C_SOURCE 200809L /* strdup */
#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Find the axes of the pages in the descriptions that ImageJ, OME-TIFF and tifffile store with the
 * first page. */

/* ---- ImageJ ---------------------------------------------------------------------------------- */

/* The number behind `key`; 1 where it is missing or is none. */
static int64_t number_after(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    long long number = found != NULL ? strtoll(found + strlen(key), NULL, 10) : 1;
    return number >= 1 && number < INT32_MAX ? number : 1;
}

/* Can pages without directories of their own follow the first one? */
static bool is_simple(const tiff_page *page)
{
    return page->compression == COMPRESSION_NONE && page->channels == 1 && page->bits >= 8 &&
           page->bits % 8 == 0 && page->bits != 24 && page->tile_width == 0 &&
           page->photometric == PHOTOMETRIC_MINISBLACK;
}

/* The axes are those of the pages only if their product is the number of pages. */
static halo_status describe_imagej(halo_image_reader *reader, tiff_series *series)
{
    const tiff_state *state = reader->state;
    const char *text = state->description;
    int64_t images = number_after(text, "\nimages=");
    int64_t channels = number_after(text, "\nchannels="), slices = number_after(text, "\nslices="),
            frames = number_after(text, "\nframes=");
    bool behind = state->directory_count == 1 && images > 1 && is_simple(&state->page) &&
                  !halo_tiff_is_missing(state, 0);
    int64_t pages = behind ? images : state->directory_count;
    bool fits = (double)channels * (double)slices * (double)frames == (double)pages;
    if (!fits && !behind) {
        return HALO_OK;
    }
    const halo_image_axis axes[] = {{HALO_AXIS_TIME, fits ? frames : 1},
                                    {HALO_AXIS_SPACE, fits ? slices : images},
                                    {HALO_AXIS_CHANNEL, fits ? channels : 1}};
    series->of_pages = 0;
    for (int i = 0; i < 3; i++) {
        bool added =
            axes[i].size > 1 && halo_image_add_axis(&series->axes, axes[i].kind, axes[i].size);
        series->of_pages += added;
    }
    series->images = behind ? images : 0;
    return halo_tiff_add_page_axes(reader, &series->axes);
}

/* ---- tifffile -------------------------------------------------------------------------------- */

enum { SHAPE_AXES = 16 };

typedef struct {
    int count;
    int64_t sizes[SHAPE_AXES];
    char axes[SHAPE_AXES + 1]; /* a letter each, or "" */
} array_shape;

static bool read_shape(const char *text, array_shape *shape)
{
    json_t *object = json_loads(text, 0, NULL);
    const json_t *sizes = json_object_get(object, "shape");
    const char *axes = json_string_value(json_object_get(object, "axes"));
    *shape = (array_shape){.count = (int)json_array_size(sizes)};
    bool known = json_array_size(sizes) >= 2 && json_array_size(sizes) <= SHAPE_AXES;
    for (int i = 0; known && i < shape->count; i++) {
        const json_t *size = json_array_get(sizes, (size_t)i);
        shape->sizes[i] = json_integer_value(size);
        known = json_is_integer(size) && shape->sizes[i] >= 1 && shape->sizes[i] <= INT32_MAX;
    }
    if (known && axes != NULL && strlen(axes) == (size_t)shape->count) {
        strcpy(shape->axes, axes);
    }
    json_decref(object);
    return known;
}

/* The axes before those of a page; -1: the shape is not that of these pages. */
static int count_page_axes(const tiff_state *state, const array_shape *shape)
{
    const tiff_page *page = &state->page;
    int within = page->channels > 1 ? 3 : 2, before = shape->count - within;
    bool separate = page->planar == PLANARCONFIG_SEPARATE && page->channels > 1;
    double pages = 1;
    if (before < 0) {
        return -1;
    }
    for (int i = 0; i < before; i++) {
        pages *= (double)shape->sizes[i];
    }
    const int64_t *last = shape->sizes + before + (separate ? 1 : 0);
    return pages == (double)state->directory_count && last[0] == page->height &&
                   last[1] == page->width
               ? before
               : -1;
}

static halo_axis_kind kind_of_letter(const array_shape *shape, int axis, int before)
{
    char letter = shape->axes[0] != '\0' ? shape->axes[axis] : '?';
    return letter == 'T'                         ? HALO_AXIS_TIME
           : letter == 'C' || letter == 'S'      ? HALO_AXIS_CHANNEL
           : letter == 'Z'                       ? HALO_AXIS_SPACE
           : letter == 'Q' || letter == 'I'      ? HALO_AXIS_UNKNOWN
           : letter == '?' && axis == before - 1 ? HALO_AXIS_SPACE
                                                 : HALO_AXIS_UNKNOWN;
}

/* An image of floats with its channels as the last axis has become pages of few columns. */
static halo_status check_columns(const halo_image_reader *reader, const array_shape *shape)
{
    int64_t last = shape->sizes[shape->count - 1];
    const tiff_page *page = &((const tiff_state *)reader->state)->page;
    bool small = shape->count == 3 && last >= 2 && last <= 4 && page->channels == 1 &&
                 shape->axes[0] == '\0' && !reader->options.solid;
    return !small ? HALO_OK
                  : halo_fail(HALO_FORMAT,
                              "%s: pages of %" PRId64 " x %" PRId64
                              " samples of an array can be an image with %" PRId64
                              " channels, or a volume that is %" PRId64
                              " columns wide; save the channels as pages or with "
                              "planarconfig=\"contig\", or say --volume",
                              reader->path, last, shape->sizes[1], last, last);
}

static halo_status describe_shape(halo_image_reader *reader, tiff_series *series)
{
    const tiff_state *state = reader->state;
    array_shape shape;
    int before = read_shape(state->description, &shape) ? count_page_axes(state, &shape) : -1;
    if (before < 1) {
        return HALO_OK;
    }
    HALO_TRY(check_columns(reader, &shape));
    series->of_pages = 0;
    for (int i = 0; i < before; i++) {
        if (shape.sizes[i] == 1) {
            continue;
        }
        if (!halo_image_add_axis(&series->axes, kind_of_letter(&shape, i, before),
                                 shape.sizes[i])) {
            return halo_fail(HALO_FORMAT, "%s: an array of %d axes; at most %d can be read",
                             reader->path, shape.count, HALO_IMAGE_MAX_AXES);
        }
        series->of_pages++;
    }
    return halo_tiff_add_page_axes(reader, &series->axes);
}

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_tiff_keep_description(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    const char *text = NULL;
    if (halo_libtiff.GetField(state->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) != 1 || text == NULL) {
        return HALO_OK;
    }
    state->description = strdup(text); /* libtiff's own goes with the directory */
    return state->description != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: the description of a TIFF file");
}

halo_status halo_tiff_describe(halo_image_reader *reader, tiff_series *series)
{
    static const char imagej[] = "ImageJ=";
    HALO_TRY(halo_tiff_keep_description(reader));
    const char *text = ((const tiff_state *)reader->state)->description;
    return text == NULL                                    ? HALO_OK
           : strncmp(text, imagej, sizeof imagej - 1) == 0 ? describe_imagej(reader, series)
           : text[0] == '{'                                ? describe_shape(reader, series)
           : strstr(text, "<OME") != NULL || strstr(text, ":OME") != NULL
               ? halo_tiff_describe_ome(reader, series)
               : HALO_OK;
}

#endif
