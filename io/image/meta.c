#define _GNU_SOURCE
#include "io/image/text_header.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* MetaImage: lines "Key = value" in a file .mhd, with the samples in another file, or .mha, with
 * the samples behind the last line. The first axis, x, is the fastest one. Keys: ITK's MetaIO. */

const halo_text_type halo_meta_types[] = {{"MET_CHAR", HALO_SAMPLE_I8},
                                          {"MET_UCHAR", HALO_SAMPLE_U8},
                                          {"MET_SHORT", HALO_SAMPLE_I16},
                                          {"MET_USHORT", HALO_SAMPLE_U16},
                                          {"MET_INT", HALO_SAMPLE_I32},
                                          {"MET_UINT", HALO_SAMPLE_U32},
                                          {"MET_LONG", HALO_SAMPLE_I32},
                                          {"MET_ULONG", HALO_SAMPLE_U32},
                                          {"MET_LONG_LONG", HALO_SAMPLE_I64},
                                          {"MET_ULONG_LONG", HALO_SAMPLE_U64},
                                          {"MET_FLOAT", HALO_SAMPLE_F32},
                                          {"MET_DOUBLE", HALO_SAMPLE_F64},
                                          {NULL, HALO_SAMPLE_BIT}};

static halo_status parse_type(halo_text_fields *h, const char *key, const char *value)
{
    return halo_text_find_type(h, key, value, halo_meta_types,
                               "MET_UCHAR, MET_USHORT, MET_SHORT, MET_INT, MET_UINT, MET_FLOAT "
                               "and the like can be read");
}

static halo_status parse_channels(halo_text_fields *h, const char *key, const char *value)
{
    int64_t channels;
    if (halo_text_integers(value, &channels, 1) != 1 || channels < 1 || channels > UINT16_MAX) {
        return halo_image_fail_field(h->reader, key, value, "1 to 65535 samples can be read");
    }
    h->is.channels = (int)channels;
    return HALO_OK;
}

/* As MetaIO has it: True, true, 1. */
static bool is_true(const char *value)
{
    return *value == 'T' || *value == 't' || *value == '1';
}

static halo_status parse_order(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->big = is_true(value);
    return HALO_OK;
}

static halo_status parse_compressed(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->is.encoding = is_true(value) ? HALO_IMAGE_DEFLATED : h->is.encoding;
    return HALO_OK;
}

static halo_status parse_binary(halo_text_fields *h, const char *key, const char *value)
{
    bool text = !is_true(value) && h->is.encoding != HALO_IMAGE_DEFLATED;
    (void)key;
    h->is.encoding = text ? HALO_IMAGE_TEXT : h->is.encoding;
    return HALO_OK;
}

/* ---- where the samples lie ------------------------------------------------------------------- */

static halo_status parse_matrix(halo_text_fields *h, const char *key, const char *value)
{
    halo_text_space *space = &h->space;
    (void)key;
    space->directions =
        halo_text_reals(value, space->direction, HALO_IMAGE_MAX_AXES * HALO_IMAGE_MAX_AXES);
    space->damaged = space->damaged || space->directions < 0;
    return HALO_OK;
}

/* Files without ElementSpacing use ElementSize as the spacing, as MetaIO does. */
static halo_status parse_element_size(halo_text_fields *h, const char *key, const char *value)
{
    double sizes[HALO_IMAGE_MAX_AXES] = {0};
    (void)key;
    if (!h->spaced && halo_text_reals(value, sizes, HALO_IMAGE_MAX_AXES) > 0) {
        memcpy(h->is.spacing, sizes, sizeof sizes);
    }
    return HALO_OK;
}

/* MetaIO's um, mm, cm, and ? where nobody knows. */
static halo_status parse_units(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->space.units = halo_length_find(value);
    h->space.united = true;
    return HALO_OK;
}

/* ITK, VTK and 3D Slicer take the numbers for millimetres, and axes for those of LPS. */
static halo_image_geometry find_geometry(const halo_text_fields *h)
{
    const halo_text_space *space = &h->space;
    int n = h->is.axes;
    halo_image_geometry g = {.unit = space->united ? space->units : HALO_LENGTH_MILLIMETRE,
                             .assumed = !space->united,
                             .anatomical = n > 2,
                             .ignored = space->damaged};
    bool turned = space->directions == n * n, moved = space->origins >= n;
    halo_geometry_set_identity(&g);
    for (int axis = 0; axis < 3 && axis < n; axis++) {
        for (int i = 0; i < 3 && i < n && turned; i++) {
            g.direction[axis][i] = space->direction[axis * n + i];
        }
        g.origin[axis] = moved ? space->origin[axis] : 0;
        g.spacing[axis] = h->is.spacing[axis];
    }
    g.ignored = g.ignored || (space->directions > 0 && !turned) || (space->origins > 0 && !moved);
    g.placed = !g.ignored && (turned || moved);
    return g;
}

/* ---------------------------------------------------------------------------------------------- */

/* It is the last line; the samples may follow it. */
static halo_status parse_data(halo_text_fields *h, const char *key, const char *value)
{
    h->ended = true;
    return strcasecmp(value, "LOCAL") == 0 ? HALO_OK : halo_text_parse_data(h, key, value);
}

static const halo_text_field table[] = {{"NDims", halo_text_parse_axes},
                                        {"DimSize", halo_text_parse_sizes},
                                        {"ElementType", parse_type},
                                        {"ElementSpacing", halo_text_parse_spacings},
                                        {"ElementSize", parse_element_size},
                                        {"Offset", halo_text_parse_origin},
                                        {"Position", halo_text_parse_origin},
                                        {"Origin", halo_text_parse_origin},
                                        {"TransformMatrix", parse_matrix},
                                        {"Orientation", parse_matrix},
                                        {"Rotation", parse_matrix},
                                        {"DistanceUnits", parse_units},
                                        {"Comment", halo_text_parse_content},
                                        {"ElementNumberOfChannels", parse_channels},
                                        {"HeaderSize", halo_text_parse_offset},
                                        {"ElementByteOrderMSB", parse_order},
                                        {"BinaryDataByteOrderMSB", parse_order},
                                        {"CompressedData", parse_compressed},
                                        {"BinaryData", parse_binary},
                                        {"ElementDataFile", parse_data}};

enum { TABLE = sizeof table / sizeof table[0] };

/* No magic bytes; but a text with keys that no other text has. */
static bool sniff(const unsigned char *bytes, size_t count)
{
    size_t length = halo_text_first_line(bytes, count);
    return length < count && memchr(bytes, '=', length) != NULL &&
           memmem(bytes, count, "NDims", 5) != NULL &&
           memmem(bytes, count, "ElementDataFile", 15) != NULL;
}

static halo_status open_meta(halo_image_reader *reader)
{
    halo_text_fields h = {.reader = reader};
    size_t count = halo_source_peek(&reader->source);
    halo_text_header text = {.bytes = reader->source.at, .count = count};
    while (!h.ended && halo_text_next(&text)) {
        HALO_TRY(halo_text_take(&h, table, TABLE, text.line, "="));
    }
    if (!h.ended || h.is.axes == 0 || h.sizes != h.is.axes || !h.is.typed) {
        return halo_fail(HALO_FORMAT,
                         "%s: the MetaImage header lacks NDims, ElementType, ElementDataFile, or "
                         "as many numbers in DimSize as NDims says; copy or make it again",
                         reader->path);
    }
    h.is.list_at = (int64_t)text.at;
    if (h.is.data[0] == '\0') { /* behind the last line, whatever else is said */
        h.is.offset = (int64_t)text.at;
    }
    h.is.swapped = h.big != halo_image_big_endian();
    h.is.geometry = find_geometry(&h);
    halo_image_say_nodata_text(reader, h.nodata_key, h.nodata);
    reader->info.labels = h.labels;
    return halo_image_start_described(reader, &h.is);
}

const halo_image_format halo_image_meta = {.name = "MetaImage",
                                           .sniff = sniff,
                                           .open = open_meta,
                                           .rows = halo_image_raw_rows,
                                           .finish = halo_image_raw_finish,
                                           .files = halo_image_described_files};
