#include "io/array/array_internal.h"

/* BigTIFF (the extension of TIFF 6.0 by Aware Systems): offsets of 64 bits. A page's strips follow
 * each other, and so do pages, so that tifffile.memmap and readers of raw data can take the whole
 * for one array. */

enum {
    SHORT = 3,
    LONG8 = 16,
    ENTRY_BYTES = 20,
    UNCOMPRESSED = 1,
    DEFLATE = 8, /* as Adobe has it: zlib's format */
    HEAD_BYTES = 16,
    ALIGNMENT = 64,
    ENTRIES = 10,
    DIRECTORY_BYTES = 8 + ENTRIES * ENTRY_BYTES + 8
};

/* libtiff wants a strip in memory; a page is one if it is no larger than this. */
static const int64_t LONGEST_STRIP = (int64_t)1 << 28;

typedef struct {
    const halo_npy_header *header;
    halo_buffer *out;
    int64_t planes, rows;   /* rows of a plane */
    int64_t strips;         /* of a plane */
    int64_t strip_rows;     /* of all but the last */
    int64_t lists, samples; /* where lists of strips, and samples, begin */
    const int64_t *begins;  /* of compressed strips, behind `samples`, and their end; or NULL */
} tiff_head;

static halo_status put(halo_buffer *out, uint64_t value, size_t bytes)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    unsigned char text[sizeof value];
    for (size_t i = 0; i < bytes; i++) {
        text[big ? bytes - 1 - i : i] = (unsigned char)(value >> (8 * i));
    }
    return halo_buffer_append(out, text, bytes);
}

/* Values of one entry lie in the file's byte order at the beginning of its eight bytes. */
static halo_status put_entry(halo_buffer *out, unsigned tag, unsigned type, int64_t count,
                             int64_t value)
{
    HALO_TRY(put(out, tag, 2));
    HALO_TRY(put(out, type, 2));
    HALO_TRY(put(out, (uint64_t)count, 8));
    for (int64_t i = 0; type == SHORT && i < 4; i++) { /* the same for each sample of a pixel */
        HALO_TRY(put(out, i < count ? (uint64_t)value : 0, 2));
    }
    if (type == SHORT) {
        return HALO_OK;
    }
    return put(out, (uint64_t)value, 8);
}

static int64_t strip_offset(const tiff_head *t, int64_t plane, int64_t strip)
{
    if (t->begins != NULL) {
        return t->samples + t->begins[plane * t->strips + strip];
    }
    int64_t row = plane * t->rows + strip * t->strip_rows;
    return t->samples + row * (int64_t)halo_npy_row_bytes(t->header);
}

static int64_t strip_bytes(const tiff_head *t, int64_t plane, int64_t strip)
{
    if (t->begins != NULL) {
        const int64_t *begin = t->begins + plane * t->strips + strip;
        return begin[1] - begin[0];
    }
    int64_t left = t->rows - strip * t->strip_rows;
    return (left < t->strip_rows ? left : t->strip_rows) * (int64_t)halo_npy_row_bytes(t->header);
}

static int sample_format(const halo_npy_header *header)
{
    char kind = halo_npy_types[header->type].descr[0];
    return kind == 'i' ? 2 : kind == 'f' ? 3 : 1;
}

static halo_status put_directory(const tiff_head *t, int64_t plane)
{
    halo_buffer *out = t->out;
    int64_t next = HEAD_BYTES + (plane + 1) * DIRECTORY_BYTES, many = t->strips > 1;
    int64_t list = t->lists + plane * 2 * t->strips * 8;
    HALO_TRY(put(out, ENTRIES, 8));
    int64_t channels = halo_array_channels(t->header);
    HALO_TRY(put_entry(out, 256, LONG8, 1, t->header->width / channels));
    HALO_TRY(put_entry(out, 257, LONG8, 1, t->rows));
    HALO_TRY(put_entry(out, 258, SHORT, channels, 8 * (int64_t)halo_npy_sample_bytes(t->header)));
    HALO_TRY(put_entry(out, 259, SHORT, 1, t->begins != NULL ? DEFLATE : UNCOMPRESSED));
    HALO_TRY(put_entry(out, 262, SHORT, 1, channels > 1 ? 2 : 1)); /* colours, or zero is black */
    HALO_TRY(put_entry(out, 273, LONG8, t->strips, many ? list : strip_offset(t, plane, 0)));
    HALO_TRY(put_entry(out, 277, SHORT, 1, channels)); /* samples a pixel */
    HALO_TRY(put_entry(out, 278, LONG8, 1, t->strip_rows));
    HALO_TRY(put_entry(out, 279, LONG8, t->strips,
                       many ? list + 8 * t->strips : strip_bytes(t, plane, 0)));
    HALO_TRY(put_entry(out, 339, SHORT, channels, sample_format(t->header)));
    return put(out, plane + 1 < t->planes ? (uint64_t)next : 0, 8);
}

static halo_status put_lists(const tiff_head *t)
{
    for (int64_t plane = 0; t->strips > 1 && plane < t->planes; plane++) {
        for (int64_t i = 0; i < t->strips; i++) {
            HALO_TRY(put(t->out, (uint64_t)strip_offset(t, plane, i), 8));
        }
        for (int64_t i = 0; i < t->strips; i++) {
            HALO_TRY(put(t->out, (uint64_t)strip_bytes(t, plane, i), 8));
        }
    }
    while (t->out->size < (size_t)t->samples) {
        HALO_TRY(put(t->out, 0, 1));
    }
    return HALO_OK;
}

/* Where everything is, for strips of so many rows. */
static tiff_head plan(const halo_npy_header *header, int64_t strip_rows)
{
    tiff_head t = {.header = header,
                   .planes = halo_array_planes(header),
                   .rows = halo_array_plane_rows(header),
                   .strip_rows = strip_rows};
    t.strips = (t.rows + t.strip_rows - 1) / t.strip_rows;
    t.lists = HEAD_BYTES + t.planes * DIRECTORY_BYTES;
    int64_t end = t.lists + (t.strips > 1 ? t.planes * 2 * t.strips * 8 : 0);
    t.samples = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return t;
}

static halo_status put_head(tiff_head *t, halo_buffer *out)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    t->out = out;
    HALO_TRY(halo_buffer_append(out, big ? "MM" : "II", 2));
    HALO_TRY(put(out, 43, 2));
    HALO_TRY(put(out, 8, 2)); /* bytes of an offset */
    HALO_TRY(put(out, 0, 2));
    HALO_TRY(put(out, HEAD_BYTES, 8));
    for (int64_t plane = 0; plane < t->planes; plane++) {
        HALO_TRY(put_directory(t, plane));
    }
    return put_lists(t);
}

halo_status halo_array_tiff_head(halo_buffer *out, const halo_npy_header *header)
{
    int64_t row = (int64_t)halo_npy_row_bytes(header), rows = halo_array_plane_rows(header);
    tiff_head t = plan(header, row <= LONGEST_STRIP / rows ? rows
                               : row < LONGEST_STRIP       ? LONGEST_STRIP / row
                                                           : 1);
    return put_head(&t, out);
}

int64_t halo_array_tiff_samples(const halo_npy_header *header, int64_t strip_rows)
{
    return plan(header, strip_rows).samples;
}

halo_status halo_array_tiff_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        int64_t strip_rows, const int64_t *begins)
{
    tiff_head t = plan(header, strip_rows);
    t.begins = begins;
    return put_head(&t, out);
}
