#ifndef HALOBEAT_APP_IMAGE_SPACING_H
#define HALOBEAT_APP_IMAGE_SPACING_H

#include "app/image/image.h"
#include "base/option.h"
#include "io/image/geometry.h"

/* How large the pixels of an image are, for results in units of length: by an option --spacing, or
 * else by the file. All functions are local. */

/* The value of --spacing. Zero-initialised, it was not given. */
typedef struct {
    double size[HALO_AXES]; /* of a pixel along planes, rows and columns */
    int count;              /* numbers given: without the first one, 2 */
    bool pixels;            /* count pixels, whatever the file says */
    halo_length unit;       /* UNKNOWN: that of the file, or none */
} app_spacing;

/* The size of a pixel, which results are measured in. */
typedef struct {
    double size[HALO_AXES]; /* along planes, rows and columns; or 1 */
    bool spaced;            /* these are given, by --spacing or by the file in a known unit */
    halo_length unit;       /* of the sizes, if it is known */
} app_pixel;

/* The beginning of a row for the member `spacing` of `structure`; help follows. */
#define APP_SPACING_ROW(structure)                                                           \
    HALO_OPTION_ROW(structure, "spacing", CUSTOM, spacing),                                  \
        .parse = app_spacing_parse, .value = "SIDE|[Z,]Y,X[ UNIT]|pixels",                   \
        .takes = "one to three numbers above 0 and a unit, or none: SIDE, Y,X or Z,Y,X, as " \
                 "'2,.5,.5 um'; or pixels",                                                  \
        .unless = "that of the file's header, if it has a known unit"

/* Parses the text to an app_spacing. HALO_ARGUMENT. */
halo_option_parse app_spacing_parse;

/* The size of the image's pixels, and the same as an object for the report (NULL for want of
 * memory). A size from a file counts if its unit is known. */
app_pixel app_pixel_of(const app_image *image, const app_spacing *requested);
json_t *app_pixel_json(const app_image *image, const app_spacing *requested);

/* The sentence that says in which unit areas, centroids and lengths are, if that follows from the
 * file alone; otherwise NULL. */
json_t *app_pixel_note(const app_image *image, const app_spacing *requested);

/* The place of results of the image's size: that of the image, with the spacing that was asked
 * for. */
halo_image_geometry app_spacing_geometry(const app_image *image, const app_spacing *requested);

#endif
