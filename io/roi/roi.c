#include "io/roi/roi.h"

#include "base/minmax.h"
#include "io/png/deflate.h"

#include <stddef.h>
#include <string.h>

enum { BYTE = 0xff, BYTE_BITS = 8 };

/* ---- regions of interest --------------------------------------------------------------------- */

enum {
    HEADER = 64,
    VERSION = 227,
    TRACED = 8, /* a polygon along the sides of pixels */
    RECTANGLE = 1,
    MOVE = 0,
    LINE = 1,
    CLOSE = 4
};

static void put_16(unsigned char *at, int64_t value)
{
    at[0] = (unsigned char)(value >> BYTE_BITS & BYTE);
    at[1] = (unsigned char)(value & BYTE);
}

static void put_32(unsigned char *at, int64_t value)
{
    put_16(at, value >> 2 * BYTE_BITS);
    put_16(at + 2, value);
}

typedef struct {
    int64_t left, top, right, bottom;
} bounds;

static bounds find_bounds(const halo_roi_ring *rings, int64_t count)
{
    bounds b = {INT64_MAX, INT64_MAX, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < rings[i].count; k++) {
            int64_t x = rings[i].corners[2 * k], y = rings[i].corners[2 * k + 1];
            b = (bounds){halo_min(b.left, x), halo_min(b.top, y), halo_max(b.right, x),
                         halo_max(b.bottom, y)};
        }
    }
    return b;
}

/* `corners` of a polygon, or `floats` of a composite. */
static halo_status append_header(halo_buffer *out, const bounds *b, int type, int64_t corners,
                                 int64_t floats)
{
    enum { TYPE = 6, BOX = 8, CORNERS = 16, MANY = 18, SHAPE = 36, MOST = 65535 };
    unsigned char header[HEADER] = {'I', 'o', 'u', 't'};
    const int64_t box[] = {b->top, b->left, b->bottom, b->right};
    put_16(header + 4, VERSION);
    header[TYPE] = (unsigned char)type;
    for (int i = 0; i < 4; i++) {
        put_16(header + BOX + 2 * (ptrdiff_t)i, box[i]);
    }
    put_16(header + CORNERS, corners > MOST ? 0 : corners);
    if (corners > MOST) { /* the number stands where lines have their first end */
        put_32(header + MANY, corners);
    }
    put_32(header + SHAPE, floats);
    return halo_buffer_append(out, header, sizeof header);
}

/* All columns, and then all rows, from the corner of the box on. */
static halo_status append_polygon(halo_buffer *out, const halo_roi_ring *ring)
{
    const bounds b = find_bounds(ring, 1);
    HALO_TRY(append_header(out, &b, TRACED, ring->count, 0));
    for (int axis = 0; axis < 2; axis++) {
        int64_t from = axis == 0 ? b.left : b.top;
        for (int64_t i = 0; i < ring->count; i++) {
            unsigned char corner[2];
            put_16(corner, ring->corners[2 * i + axis] - from);
            HALO_TRY(halo_buffer_append(out, corner, sizeof corner));
        }
    }
    return HALO_OK;
}

static halo_status append_float(halo_buffer *out, int64_t value)
{
    float real = (float)value;
    uint32_t bits;
    unsigned char bytes[4];
    memcpy(&bits, &real, sizeof bits);
    put_32(bytes, (int64_t)bits);
    return halo_buffer_append(out, bytes, sizeof bytes);
}

static halo_status append_composite(halo_buffer *out, const halo_roi_ring *rings, int64_t count)
{
    const bounds b = find_bounds(rings, count);
    int64_t floats = count; /* for the ends */
    for (int64_t i = 0; i < count; i++) {
        floats += 3 * rings[i].count;
    }
    HALO_TRY(append_header(out, &b, RECTANGLE, 0, floats));
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < rings[i].count; k++) {
            HALO_TRY(append_float(out, k == 0 ? MOVE : LINE));
            HALO_TRY(append_float(out, rings[i].corners[2 * k]));
            HALO_TRY(append_float(out, rings[i].corners[2 * k + 1]));
        }
        HALO_TRY(append_float(out, CLOSE));
    }
    return HALO_OK;
}

halo_status halo_roi_append(halo_buffer *out, const halo_roi_ring *rings, int64_t count)
{
    return count == 1 ? append_polygon(out, rings) : append_composite(out, rings, count);
}

/* ---- archives -------------------------------------------------------------------------------- */

/* Numbers of archives are little-endian. */
static void put_little(unsigned char *at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> BYTE_BITS * i & BYTE);
    }
}

/* The fields that a file's own header and its entry in the list have in common, from the version
 * that is needed on: 1.0, names in UTF-8, stored, 1 January 1980. */
static void put_entry(unsigned char *at, const halo_zip_entry *entry)
{
    enum { NEEDED = 10, UTF8 = 1 << 11, DATE = 1 << 5 | 1 };
    put_little(at, 2, NEEDED);
    put_little(at + 2, 2, UTF8);
    put_little(at + 4, 2, 0);
    put_little(at + 6, 2, 0);
    put_little(at + 8, 2, DATE);
    put_little(at + 10, 4, entry->checksum);
    put_little(at + 14, 4, entry->bytes);
    put_little(at + 18, 4, entry->bytes);
    put_little(at + 22, 2, strlen(entry->name));
    put_little(at + 24, 2, 0);
}

halo_status halo_zip_append(halo_buffer *out, int64_t before, const char *name,
                            const halo_buffer *file, halo_zip_entry *entry)
{
    enum { LOCAL = 30, MAGIC = 0x04034b50 };
    unsigned char header[LOCAL];
    *entry = (halo_zip_entry){.checksum = halo_crc32(0, file->data, file->size),
                              .bytes = (uint32_t)file->size,
                              .at = (uint32_t)(before + (int64_t)out->size)};
    strncpy(entry->name, name, HALO_ZIP_NAME);
    put_little(header, 4, MAGIC);
    put_entry(header + 4, entry);
    HALO_TRY(halo_buffer_append(out, header, sizeof header));
    HALO_TRY(halo_buffer_append(out, entry->name, strlen(entry->name)));
    return halo_buffer_append(out, file->data, file->size);
}

halo_status halo_zip_append_entry(halo_buffer *out, const halo_zip_entry *entry)
{
    enum { CENTRAL = 46, MAGIC = 0x02014b50, AT = 42 };
    unsigned char header[CENTRAL] = {0};
    put_little(header, 4, MAGIC);
    put_little(header + 4, 2, 10);
    put_entry(header + 6, entry);
    put_little(header + AT, 4, entry->at);
    HALO_TRY(halo_buffer_append(out, header, sizeof header));
    return halo_buffer_append(out, entry->name, strlen(entry->name));
}

halo_status halo_zip_append_end(halo_buffer *out, int64_t entries, int64_t at, int64_t bytes)
{
    enum { END = 22, MAGIC = 0x06054b50 };
    unsigned char header[END] = {0};
    put_little(header, 4, MAGIC);
    put_little(header + 8, 2, (uint64_t)entries);
    put_little(header + 10, 2, (uint64_t)entries);
    put_little(header + 12, 4, (uint64_t)bytes);
    put_little(header + 16, 4, (uint64_t)at);
    return halo_buffer_append(out, header, sizeof header);
}
