#include "io/array/format.h"
#include "io/image/content.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* The head of an HDF5 file with one contiguous data set at its end (HDF5 File Format Specification
 * 3.0: superblock of version 2, object headers of version 2). The library would make a file of the
 * whole size in the file system to say where samples begin; as bytes the head is the same on all
 * ranks before there is a file, and there is nothing to install.
 *
 * If the name has no path in the file, a volume is written as the point data of a VTKHDF file of
 * the type ImageData (VTK File Formats), which VTK and ParaView open. VTK 9.1 crashes on images
 * there, and on volumes of one plane: these become a data set of the root. */

enum {
    SUPERBLOCK_BYTES = 48,
    ALIGNMENT = 64,
    LONGEST_PATH = 4096,
    ADDRESS_BYTES = 8,
    /* Messages of object headers. */
    DATASPACE = 1,
    LINK_INFO = 2,
    DATATYPE = 3,
    FILL_VALUE = 5,
    LINK = 6,
    LAYOUT = 8,
    GROUP_INFO = 10,
    ATTRIBUTE = 12
};

static const uint64_t UNDEFINED = UINT64_MAX;

/* ---- bytes ----------------------------------------------------------------------------------- */

/* All numbers have the lowest byte first. */
static halo_status put(halo_buffer *out, uint64_t value, size_t bytes)
{
    unsigned char text[sizeof value];
    for (size_t i = 0; i < bytes; i++) {
        text[i] = (unsigned char)(value >> (8 * i));
    }
    return halo_buffer_append(out, text, bytes);
}

static void patch(halo_buffer *out, size_t at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out->data[at + i] = (unsigned char)(value >> (8 * i));
    }
}

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* B. Jenkins's lookup3 (2006, in the public domain), which the format asks for. */
static uint32_t checksum(const unsigned char *bytes, size_t count)
{
    static const int mixes[] = {4, 6, 8, 16, 19, 4}, ends[] = {14, 11, 25, 16, 4, 14, 24};
    enum { WORDS = 3, BLOCK = 12 };
    uint32_t s[WORDS];
    s[0] = s[1] = s[2] = 0xdeadbeef + (uint32_t)count;
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t here = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < here; i++) {
            s[i / 4] += (uint32_t)bytes[at + i] << (8 * (i % 4));
        }
        for (int i = 0; at + BLOCK < count && i < 6; i++) {
            uint32_t *a = &s[i % WORDS], *b = &s[(i + 1) % WORDS], *c = &s[(i + 2) % WORDS];
            *a = (*a - *c) ^ rotate(*c, mixes[i]);
            *c += *b;
        }
    }
    for (int i = 0; i < 7; i++) {
        uint32_t *a = &s[(i + 2) % WORDS], *b = &s[(i + 1) % WORDS];
        *a = (*a ^ *b) - rotate(*b, ends[i]);
    }
    return s[2];
}

static halo_status put_checksum(halo_buffer *out, size_t begin)
{
    return put(out, checksum(out->data + begin, out->size - begin), 4);
}

/* ---- object headers -------------------------------------------------------------------------- */

static halo_status begin_object(halo_buffer *out, size_t *begin)
{
    *begin = out->size;
    HALO_TRY(halo_buffer_append(out, "OHDR\2\2", 6)); /* the size has four bytes */
    return put(out, 0, 4);
}

static halo_status end_object(halo_buffer *out, size_t begin)
{
    enum { PREFIX = 10 };
    patch(out, begin + 6, out->size - begin - PREFIX, 4);
    return put_checksum(out, begin);
}

static halo_status begin_message(halo_buffer *out, int type, size_t *begin)
{
    HALO_TRY(put(out, (uint64_t)type, 1));
    HALO_TRY(put(out, 0, 3));
    *begin = out->size;
    return HALO_OK;
}

static void end_message(halo_buffer *out, size_t begin)
{
    patch(out, begin - 3, out->size - begin, 2);
}

static halo_status put_space(halo_buffer *out, const int64_t *sizes, int axes)
{
    HALO_TRY(put(out, 2, 1));
    HALO_TRY(put(out, (uint64_t)axes, 1));
    HALO_TRY(put(out, 0, 1)); /* sizes are the largest as well */
    HALO_TRY(put(out, 1, 1));
    for (int i = 0; i < axes; i++) {
        HALO_TRY(put(out, (uint64_t)sizes[i], 8));
    }
    return HALO_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* One of NumPy's: "i4", "u1", "f8". */
static halo_status put_number(halo_buffer *out, char kind, size_t bytes)
{
    enum { SIGNED = 8, NORMALISED = 0x20 };
    unsigned order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    bool real = kind == 'f', wide = bytes == 8;
    HALO_TRY(put(out, real ? 0x11 : 0x10, 1));
    HALO_TRY(put(out, order | (real ? NORMALISED : kind == 'i' ? SIGNED : 0), 1));
    HALO_TRY(put(out, real ? 8 * bytes - 1 : 0, 1)); /* the bit of the sign */
    HALO_TRY(put(out, 0, 1));
    HALO_TRY(put(out, bytes, 4));
    HALO_TRY(put(out, 0, 2));
    HALO_TRY(put(out, 8 * bytes, 2));
    if (real) { /* exponent and mantissa: first bit and bits; and the exponent of 1 */
        const unsigned char narrow_parts[] = {23, 8, 0, 23, 127, 0, 0, 0};
        const unsigned char wide_parts[] = {52, 11, 0, 52, 255, 3, 0, 0};
        return halo_buffer_append(out, wide ? wide_parts : narrow_parts, sizeof wide_parts);
    }
    return HALO_OK;
}

/* h5py's booleans: an enumeration of bytes. */
static halo_status put_boolean(halo_buffer *out)
{
    HALO_TRY(halo_buffer_append(out, "\x18\2\0\0\1\0\0\0", 8));
    HALO_TRY(put_number(out, 'i', 1));
    return halo_buffer_append(out, "FALSE\0\0\0TRUE\0\0\0\0\0\1", 18);
}

static halo_status put_type(halo_buffer *out, halo_sample_type type, bool named)
{
    const char kind = halo_sample_types[type].numpy[0];
    return type == HALO_SAMPLE_BIT && !named
               ? put_boolean(out)
               : put_number(out, kind == 'b' ? 'u' : kind, halo_sample_types[type].stored);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static halo_status put_link(halo_buffer *out, const char *name, size_t length, uint64_t to)
{
    size_t begin;
    HALO_TRY(begin_message(out, LINK_INFO, &begin));
    HALO_TRY(put(out, 0, 2));
    HALO_TRY(put(out, UNDEFINED, ADDRESS_BYTES));
    HALO_TRY(put(out, UNDEFINED, ADDRESS_BYTES));
    end_message(out, begin);
    HALO_TRY(begin_message(out, GROUP_INFO, &begin));
    HALO_TRY(put(out, 0, 2));
    end_message(out, begin);
    HALO_TRY(begin_message(out, LINK, &begin));
    HALO_TRY(put(out, 1, 1));
    HALO_TRY(put(out, 1, 1)); /* the length has two bytes */
    HALO_TRY(put(out, length, 2));
    HALO_TRY(halo_buffer_append(out, name, length));
    HALO_TRY(put(out, to, ADDRESS_BYTES));
    end_message(out, begin);
    return HALO_OK;
}

/* Numbers of 8 bytes by their bits; text where `kind` is 'S'. */
static halo_status put_attribute(halo_buffer *out, const char *name, char kind, const void *values,
                                 int64_t count)
{
    enum { TYPE_BYTES = 12, REAL_BYTES = 20, TEXT_BYTES = 8, SPACE_BYTES = 4 };
    size_t begin;
    bool text = kind == 'S';
    HALO_TRY(begin_message(out, ATTRIBUTE, &begin));
    HALO_TRY(put(out, 3, 2));
    HALO_TRY(put(out, strlen(name) + 1, 2));
    HALO_TRY(put(out, text ? TEXT_BYTES : kind == 'f' ? REAL_BYTES : TYPE_BYTES, 2));
    HALO_TRY(put(out, SPACE_BYTES + (text ? 0 : 8), 2));
    HALO_TRY(put(out, 0, 1));
    HALO_TRY(halo_buffer_append(out, name, strlen(name) + 1));
    if (text) { /* of a fixed length, ASCII, one value */
        HALO_TRY(halo_buffer_append(out, "\x13\1\0\0", 4));
        HALO_TRY(put(out, (uint64_t)count, 4));
        HALO_TRY(halo_buffer_append(out, "\2\0\0\0", SPACE_BYTES));
        HALO_TRY(halo_buffer_append(out, values, (size_t)count));
    } else {
        HALO_TRY(put_number(out, kind, 8));
        HALO_TRY(put_space(out, &count, 1));
        HALO_TRY(halo_buffer_append(out, values, (size_t)count * 8));
    }
    end_message(out, begin);
    return HALO_OK;
}

/* Write spacing, origin and directions as VTK does. VTK has no units and no patients: these are
 * attributes of our own. */
static halo_status put_place(halo_buffer *out, const halo_array_about *about)
{
    halo_image_geometry g = about->geometry;
    double spacing[3], direction[9];
    if (!g.placed) {
        halo_geometry_set_identity(&g);
    }
    for (int axis = 0; axis < 3; axis++) {
        spacing[axis] = halo_geometry_spacing(&g, axis);
        for (int i = 0; i < 3; i++) { /* the columns of a matrix */
            direction[3 * i + axis] = g.direction[axis][i];
        }
    }
    HALO_TRY(put_attribute(out, "Origin", 'f', g.origin, 3));
    HALO_TRY(put_attribute(out, "Spacing", 'f', spacing, 3));
    HALO_TRY(put_attribute(out, "Direction", 'f', direction, 9));
    HALO_TRY(g.anatomical && g.placed ? put_attribute(out, "Space", 'S', "LPS", 3) : HALO_OK);
    const char *unit = halo_length_name(g.unit);
    return g.unit != HALO_LENGTH_UNKNOWN && !g.printed
               ? put_attribute(out, "LengthUnit", 'S', unit, (int64_t)strlen(unit))
               : HALO_OK;
}

/* As Fiji and ilastik look for it: planes, rows and columns in micrometres. */
static halo_status put_element_size(halo_buffer *out, const halo_array_about *about)
{
    const halo_image_geometry g = halo_geometry_in(&about->geometry, HALO_LENGTH_MICROMETRE);
    const double sizes[] = {halo_geometry_spacing(&g, 2), halo_geometry_spacing(&g, 1),
                            halo_geometry_spacing(&g, 0)};
    return g.unit == HALO_LENGTH_MICROMETRE && halo_geometry_is_spaced(&g) && !g.printed
               ? put_attribute(out, "element_size_um", 'f', sizes, 3)
               : HALO_OK;
}

static halo_status put_content(halo_buffer *out, const halo_array_about *about)
{
    static const char content[] = HALO_CONTENT_LABELS;
    return about->labels ? put_attribute(out, "Content", 'S', content, sizeof content - 1)
                         : HALO_OK;
}

static halo_status put_vtk(halo_buffer *out, const halo_npy_header *header,
                           const halo_array_about *about)
{
    const int64_t version[] = {1, 0};
    const int64_t extent[] = {0, header->width - 1,
                              0, halo_array_plane_rows(header) - 1,
                              0, halo_array_planes(header) - 1};
    HALO_TRY(put_attribute(out, "Version", 'i', version, 2));
    HALO_TRY(put_attribute(out, "Type", 'S', "ImageData", 9));
    HALO_TRY(put_attribute(out, "WholeExtent", 'i', extent, 6));
    return put_place(out, about);
}

/* ---- the data set ---------------------------------------------------------------------------- */

static halo_status put_layout(halo_buffer *out, uint64_t samples, uint64_t bytes)
{
    size_t begin;
    HALO_TRY(begin_message(out, FILL_VALUE, &begin));
    HALO_TRY(put(out, 3, 1));
    HALO_TRY(put(out, 5, 1)); /* allocated early, never filled */
    end_message(out, begin);
    HALO_TRY(begin_message(out, LAYOUT, &begin));
    HALO_TRY(put(out, 3, 1));
    HALO_TRY(put(out, 1, 1)); /* contiguous */
    HALO_TRY(put(out, samples, ADDRESS_BYTES));
    HALO_TRY(put(out, bytes, 8));
    end_message(out, begin);
    return HALO_OK;
}

static halo_status put_set(halo_buffer *out, const halo_npy_header *header,
                           const halo_array_about *about, bool vtk, uint64_t samples)
{
    bool known = about->geometry.placed || halo_geometry_is_spaced(&about->geometry);
    const int64_t sizes[] = {halo_array_planes(header), halo_array_plane_rows(header),
                             halo_array_columns(header), halo_array_channels(header)};
    bool solid = halo_array_space(header) == 3;
    size_t object, begin;
    HALO_TRY(begin_object(out, &object));
    HALO_TRY(begin_message(out, DATASPACE, &begin));
    HALO_TRY(put_space(out, sizes + (solid ? 0 : 1), halo_array_axes(header)));
    end_message(out, begin);
    HALO_TRY(begin_message(out, DATATYPE, &begin));
    HALO_TRY(put_type(out, header->type, vtk));
    end_message(out, begin);
    HALO_TRY(
        put_layout(out, samples, (uint64_t)header->height * (uint64_t)halo_npy_row_bytes(header)));
    HALO_TRY(known && !vtk ? put_place(out, about) : HALO_OK);
    HALO_TRY(put_element_size(out, about));
    HALO_TRY(put_content(out, about));
    return end_object(out, object);
}

/* ---------------------------------------------------------------------------------------------- */

/* From the data set up to the root: each group is behind what it has. `set`: "/a/b/c". */
static halo_status put_objects(halo_buffer *out, const halo_npy_header *header,
                               const halo_array_about *about, const char *set, bool vtk,
                               uint64_t samples)
{
    size_t object = out->size, above;
    HALO_TRY(put_set(out, header, about, vtk, samples));
    const char *behind = set + strlen(set);
    for (int up = 1; behind > set; up++) {
        const char *slash = behind - 1;
        while (*slash != '/') {
            slash--;
        }
        HALO_TRY(begin_object(out, &above));
        HALO_TRY(put_link(out, slash + 1, (size_t)(behind - slash) - 1, object));
        if (vtk && up == 2) {
            HALO_TRY(put_vtk(out, header, about));
        }
        HALO_TRY(end_object(out, above));
        object = above;
        behind = slash;
    }
    uint64_t end = samples + (uint64_t)header->height * (uint64_t)halo_npy_row_bytes(header);
    size_t begin = out->size;
    HALO_TRY(halo_buffer_append(out, "\x89HDF\r\n\x1a\n\2\b\b\0", 12));
    HALO_TRY(put(out, 0, ADDRESS_BYTES));
    HALO_TRY(put(out, UNDEFINED, ADDRESS_BYTES)); /* no extension */
    HALO_TRY(put(out, end, ADDRESS_BYTES));
    HALO_TRY(put(out, object, ADDRESS_BYTES));
    HALO_TRY(put_checksum(out, begin));
    memcpy(out->data, out->data + begin, SUPERBLOCK_BYTES);
    out->size = begin;
    return HALO_OK;
}

static bool is_solid(const halo_npy_header *header)
{
    return halo_array_planes(header) > 1 && halo_array_plane_rows(header) > 1 && header->width > 1;
}

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    const char *path = file->path;
    const halo_npy_header *header = file->header;
    const halo_array_about *about = file->about;
    (void)stream;
    char usual[LONGEST_PATH];
    const char *set = path + halo_name_file(path);
    bool named = *set != '\0', vtk = !named && is_solid(header);
    if (named && strlen(set + 1) >= LONGEST_PATH) {
        return halo_fail(HALO_ARGUMENT, "%.100s...: a data set's path has fewer than %d characters",
                         path, LONGEST_PATH);
    }
    snprintf(usual, sizeof usual, "%s/%s", vtk ? "/VTKHDF/PointData" : "", about->name);
    set = named ? set + 1 : usual;
    /* Once to see how long it is. */
    uint64_t samples = 0;
    for (int pass = 0; pass < 2; pass++) {
        out->size = 0;
        while (out->size < SUPERBLOCK_BYTES) {
            HALO_TRY(put(out, 0, 8));
        }
        HALO_TRY(put_objects(out, header, about, set, vtk, samples));
        samples = (out->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    while (out->size < samples) {
        HALO_TRY(put(out, 0, 1));
    }
    return HALO_OK;
}

const halo_array_format halo_array_format_hdf5 = {
    .name = "HDF5",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};
