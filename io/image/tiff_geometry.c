#include "io/image/content.h"
#include "io/image/density.h"
#include "io/image/tiff_internal.h"
#include "io/image/xml_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Find the place of a TIFF image in space: by GeoTIFF's tags (OGC 19-008r4), by the descriptions
 * of OME-TIFF and ImageJ, or by the resolution. */

#ifdef HALOBEAT_TIFF

enum {
    PIXEL_SCALE = 33550,
    TIE_POINT = 33922,
    TRANSFORMATION = 34264,
    KEYS = 34735,
    KEY_REALS = 34736,
    KEY_TEXTS = 34737
};

/* ---- GeoTIFF --------------------------------------------------------------------------------- */

static const struct {
    uint16_t tag;
    TIFFDataType type;
    uint16_t bytes; /* of a value */
} geo_tags[HALO_GEOTIFF_TAGS] = {{PIXEL_SCALE, TIFF_DOUBLE, 8},    {TIE_POINT, TIFF_DOUBLE, 8},
                                 {TRANSFORMATION, TIFF_DOUBLE, 8}, {KEYS, TIFF_SHORT, 2},
                                 {KEY_REALS, TIFF_DOUBLE, 8},      {KEY_TEXTS, TIFF_ASCII, 1}};

/* libtiff does not know these tags, and hands over their counts. NULL: not there, or of another
 * type. */
static const void *find_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, uint32_t *count)
{
    const void *values = NULL;
    const TIFFField *field = halo_libtiff.FindField(tiff, tag, TIFF_ANY);
    *count = 0;
    if (field == NULL || halo_libtiff.FieldDataType(field) != type ||
        !halo_libtiff.FieldPassCount(field) ||
        halo_libtiff.FieldReadCount(field) != TIFF_VARIABLE2 ||
        halo_libtiff.GetField(tiff, tag, count, &values) != 1 || values == NULL) {
        *count = 0;
        return NULL;
    }
    return values;
}

/* The tags as they are, for an image that is written from this one; all, or none for want of
 * room. */
static void keep_tags(TIFF *tiff, halo_geotiff *out)
{
    uint32_t used = 0;
    for (int i = 0; i < HALO_GEOTIFF_TAGS; i++) {
        uint32_t count;
        const void *values = find_tag(tiff, geo_tags[i].tag, geo_tags[i].type, &count);
        if (values == NULL || count == 0) {
            continue;
        }
        if (count > (HALO_GEOTIFF_BYTES - used) / geo_tags[i].bytes) {
            *out = (halo_geotiff){.count = 0};
            return;
        }
        out->tags[out->count++] = (halo_geotiff_tag){
            .tag = geo_tags[i].tag, .type = (uint16_t)geo_tags[i].type, .count = count, .at = used};
        memcpy(out->values + used, values, (size_t)count * geo_tags[i].bytes);
        used += (count * geo_tags[i].bytes + 7) / 8 * 8;
    }
}

/* The value of a key; 0 if it is not there, or is no number. */
static unsigned key_value(const uint16_t *keys, uint32_t count, unsigned key)
{
    enum { ENTRY = 4 };
    for (uint32_t i = ENTRY; keys != NULL && i + ENTRY <= count; i += ENTRY) {
        if (keys[i] == key && keys[i + 1] == 0) {
            return keys[i + 3];
        }
    }
    return 0;
}

/* Degrees are no length. Systems of UTM and the web's Mercator are in metres whatever else is
 * said. */
static halo_length unit_of_keys(const uint16_t *keys, uint32_t count)
{
    enum { MODEL = 1024, PROJECTED = 1, SYSTEM = 3072, UNIT = 3076, METRE = 9001, FOOT = 9002 };
    unsigned unit = key_value(keys, count, UNIT), system = key_value(keys, count, SYSTEM);
    bool utm = (system >= 32601 && system <= 32660) || (system >= 32701 && system <= 32760) ||
               (system >= 25828 && system <= 25838) || system == 3857;
    return key_value(keys, count, MODEL) != PROJECTED ? HALO_LENGTH_UNKNOWN
           : unit == METRE || (unit == 0 && utm)      ? HALO_LENGTH_METRE
           : unit == FOOT                             ? HALO_LENGTH_FOOT
                                                      : HALO_LENGTH_UNKNOWN;
}

/* By a matrix of 4 x 4 numbers, or a point of the raster with its place and the size of pixels. */
static bool find_model(TIFF *tiff, double affine[3][4])
{
    enum { MATRIX = 16, POINT = 6, SCALE = 2 };
    uint32_t count, scales;
    const double *m = find_tag(tiff, TRANSFORMATION, TIFF_DOUBLE, &count);
    if (m != NULL && count >= MATRIX) {
        for (int i = 0; i < 3; i++) {
            memcpy(affine[i], m + 4 * i, sizeof affine[i]);
        }
        return true;
    }
    const double *point = find_tag(tiff, TIE_POINT, TIFF_DOUBLE, &count);
    const double *scale = find_tag(tiff, PIXEL_SCALE, TIFF_DOUBLE, &scales);
    if (point == NULL || scale == NULL || count < POINT || scales < SCALE) {
        return false;
    }
    affine[0][0] = scale[0];
    affine[1][1] = -scale[1];
    affine[0][3] = point[3] - point[0] * scale[0];
    affine[1][3] = point[4] + point[1] * scale[1];
    affine[2][3] = point[5];
    return true;
}

static bool read_geotiff(halo_image_reader *reader)
{
    enum { RASTER = 1025, POINT = 2 };
    uint32_t count;
    double affine[3][4] = {{0}};
    TIFF *tiff = ((const tiff_state *)reader->state)->tiff;
    halo_image_geometry *g = &reader->info.geometry;
    keep_tags(tiff, &reader->info.geotiff); /* points on the ground alone are no model */
    const uint16_t *keys = find_tag(tiff, KEYS, TIFF_SHORT, &count);
    if (!find_model(tiff, affine)) {
        return false;
    }
    affine[2][2] = affine[2][2] < 0 || affine[2][2] > 0 ? affine[2][2] : 1;
    if (key_value(keys, count, RASTER) != POINT) { /* places are those of corners of pixels */
        for (int i = 0; i < 3; i++) {
            affine[i][3] += affine[i][0] / 2 + affine[i][1] / 2;
        }
    }
    halo_geometry_set_affine(g, (const double(*)[4])affine);
    g->unit = unit_of_keys(keys, count);
    g->spacing[2] = 0;
    return true;
}

/* ---- OME-TIFF -------------------------------------------------------------------------------- */

/* Sizes are in micrometres unless they have a unit of their own; all become the first one's. */
static void read_sizes(const halo_xml_tag *pixels, halo_image_geometry *g)
{
    static const char *const names[][2] = {{"PhysicalSizeX", "PhysicalSizeXUnit"},
                                           {"PhysicalSizeY", "PhysicalSizeYUnit"},
                                           {"PhysicalSizeZ", "PhysicalSizeZUnit"}};
    enum { TEXT = 40 };
    char value[TEXT];
    for (int axis = 0; axis < 3; axis++) {
        if (!halo_xml_attribute(pixels, names[axis][0], value, sizeof value)) {
            continue;
        }
        halo_image_geometry one = {.unit = HALO_LENGTH_MICROMETRE,
                                   .spacing = {strtod(value, NULL)}};
        if (halo_xml_attribute(pixels, names[axis][1], value, sizeof value)) {
            one.unit = halo_length_find(value);
        }
        g->unit = axis == 0 ? one.unit : g->unit;
        one = halo_geometry_in(&one, g->unit);
        g->unit = one.unit == g->unit ? g->unit : HALO_LENGTH_UNKNOWN;
        g->spacing[axis] = one.spacing[0];
    }
}

/* Read the geometry of image `number` of the description. */
static bool read_ome(const char *text, int64_t number, halo_image_geometry *g)
{
    halo_xml_tag tag = halo_xml_begin(text);
    bool ome = false;
    while (halo_xml_next(&tag) && number >= -1) {
        ome = ome || halo_xml_is(&tag, "OME");
        number -= !tag.closes && halo_xml_is(&tag, "Image");
        if (ome && number == -1 && !tag.closes && halo_xml_is(&tag, "Pixels")) {
            read_sizes(&tag, g);
        }
    }
    return halo_geometry_is_spaced(g);
}

/* ---- ImageJ, and resolutions ----------------------------------------------------------------- */

/* The real number behind `key`; false where there is none. */
static bool real_after(const char *text, const char *key, double *out)
{
    const char *found = strstr(text, key);
    char *end = NULL;
    *out = found != NULL ? strtod(found + strlen(key), &end) : 0;
    return found != NULL && end != found + strlen(key);
}

static halo_length unit_after(const char *text)
{
    enum { TEXT = 32 };
    char unit[TEXT] = "";
    const char *found = strstr(text, "\nunit=");
    size_t length = found != NULL ? strcspn(found + 6, "\r\n") : TEXT;
    if (length < TEXT) {
        memcpy(unit, found + 6, length);
    }
    return halo_length_find(unit);
}

/* xorigin=1.5: the pixel that lies at 0. */
static void read_imagej_origin(const char *text, halo_image_geometry *g)
{
    static const char *const keys[] = {"\nxorigin=", "\nyorigin=", "\nzorigin="};
    halo_geometry_set_identity(g);
    for (int axis = 0; axis < 3; axis++) {
        double pixel;
        if (real_after(text, keys[axis], &pixel)) {
            g->origin[axis] = 0 - pixel * halo_geometry_spacing(g, axis);
            g->placed = true;
        }
    }
}

/* A resolution is stored as a ratio, which libtiff hands over as a float: the size of a pixel is
 * meant to have few digits. */
static double size_of(float resolution)
{
    enum { DIGITS = 7, TEXT = 32 };
    char text[TEXT];
    double size = 1 / (double)resolution;
    snprintf(text, sizeof text, "%.*g", DIGITS, size);
    double rounded = strtod(text, NULL);
    return (float)(1 / rounded) >= resolution && (float)(1 / rounded) <= resolution ? rounded
                                                                                    : size;
}

static void read_resolution(TIFF *tiff, const char *text, halo_image_geometry *g)
{
    const double INCH = 2.54;
    float across = 0, down = 0;
    uint16_t unit = RESUNIT_INCH;
    bool imagej = strncmp(text, "ImageJ=", 7) == 0;
    halo_libtiff.GetField(tiff, TIFFTAG_XRESOLUTION, &across);
    halo_libtiff.GetField(tiff, TIFFTAG_YRESOLUTION, &down);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (!(across > 0) || !(down > 0) || (unit == RESUNIT_NONE && !imagej)) {
        return; /* without a unit, only the ratio of the two is meant */
    }
    g->spacing[0] = size_of(across);
    g->spacing[1] = size_of(down);
    g->unit = unit == RESUNIT_INCH         ? HALO_LENGTH_INCH
              : unit == RESUNIT_CENTIMETER ? HALO_LENGTH_CENTIMETRE
                                           : HALO_LENGTH_UNKNOWN;
    g->printed = unit == RESUNIT_INCH ||
                 (unit == RESUNIT_CENTIMETER && halo_density_is_usual(across * INCH));
    if (imagej) {
        halo_length named = unit_after(text);
        g->printed = g->printed && named == HALO_LENGTH_UNKNOWN;
        g->unit = named != HALO_LENGTH_UNKNOWN ? named : g->unit;
        real_after(text, "\nspacing=", &g->spacing[2]);
        read_imagej_origin(text, g);
    }
}

/* As the files that halobeat writes. */
static bool says_labels(const char *text)
{
    return strncmp(text, "ImageJ=", 7) == 0 &&
           strstr(text, "\ncontent=" HALO_CONTENT_LABELS "\n") != NULL;
}

/* ---------------------------------------------------------------------------------------------- */

void halo_tiff_read_geometry(halo_image_reader *reader)
{
    const tiff_state *state = reader->state;
    const char *text = state->description; /* of the first page, which is not always read */
    int64_t series = reader->info.parts[HALO_IMAGE_SERIES].index;
    bool own =
        text != NULL ||
        (halo_libtiff.GetField(state->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != NULL);
    text = own ? text : "";
    bool placed =
        read_geotiff(reader) || read_ome(text, series > 0 ? series : 0, &reader->info.geometry);
    text = series > 0 ? "" : text; /* which tells of the first one */
    reader->info.labels = says_labels(text);
    if (!placed) {
        read_resolution(state->tiff, text, &reader->info.geometry);
    }
}

#endif
