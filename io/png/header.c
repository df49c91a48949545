#include "io/image/other_formats.h"
#include "io/png/png_internal.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

/* Deflate turns a byte into at most 1032: two bits can stand for 258 bytes. */
enum { DEFLATE_RATIO = 1032 };

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* Images of formats that are read, but not here, by their first bytes. */
static const struct {
    const char *bytes;
    size_t count;
    const char *name;
} lookalikes[] = {
    {"\xff\xd8\xff", 3, "a JPEG image"},
    {"II*\0", 4, "a TIFF image"},
    {"MM\0*", 4, "a TIFF image"},
    {"II+\0", 4, "a BigTIFF image"},
    {"MM\0+", 4, "a BigTIFF image"},
    {"P1", 2, "a portable bitmap (PBM)"},
    {"P2", 2, "a portable greymap (PGM)"},
    {"P3", 2, "a portable pixmap (PPM)"},
    {"P4", 2, "a portable bitmap (PBM)"},
    {"P5", 2, "a portable greymap (PGM)"},
    {"P6", 2, "a portable pixmap (PPM)"},
    {"\x93NUMPY", 6, "a NumPy array"},
    {"\x89PNG\n", 5, "a PNG whose line ends were changed in transfer: copy it again as binary"},
    {"\x89PNG\r\r", 6, "a PNG whose line ends were changed in transfer: copy it again as binary"},
};

static halo_status check_signature(const char *name, const unsigned char *bytes, size_t there)
{
    if (there == 0) {
        return halo_fail(HALO_FORMAT, "%s: the file is empty; name a PNG image", name);
    }
    if (there >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0) {
        return HALO_OK;
    }
    if (there < sizeof signature && memcmp(bytes, signature, there) == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the file is cut off after %zu bytes; copy or make it again", name,
                         there);
    }
    for (size_t i = 0; i < sizeof lookalikes / sizeof lookalikes[0]; i++) {
        if (there >= lookalikes[i].count &&
            memcmp(bytes, lookalikes[i].bytes, lookalikes[i].count) == 0) {
            return halo_fail(HALO_FORMAT, "%s: not a PNG image: it looks like %s", name,
                             lookalikes[i].name);
        }
    }
    const halo_other_format *other = halo_find_other_format(bytes, there);
    return other != NULL
               ? halo_fail(HALO_FORMAT, "%s: not a PNG image: it looks like %s; %s", name,
                           other->name, other->remedy)
               : halo_fail(HALO_FORMAT, "%s: not a PNG image: it starts with other bytes", name);
}

/* The bit depths that a colour type allows, as a mask; 0 for unknown colour types. */
static unsigned allowed_depths(int colour_type)
{
    switch (colour_type) {
    case HALO_PNG_GREY:
        return 1 | 2 | 4 | 8 | 16;
    case HALO_PNG_PALETTE:
        return 1 | 2 | 4 | 8;
    case HALO_PNG_COLOUR:
    case HALO_PNG_GREY_ALPHA:
    case HALO_PNG_COLOUR_ALPHA:
        return 8 | 16;
    default:
        return 0;
    }
}

static halo_status check_values(const halo_png_header *header, const unsigned char *fields,
                                const char *name)
{
    if (header->width < 1 || header->height < 1 || header->width > INT32_MAX ||
        header->height > INT32_MAX) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header claims %" PRId64 " x %" PRId64
                         " pixels; a PNG has from 1 to 2147483647 a side",
                         name, header->width, header->height);
    }
    unsigned depths = allowed_depths(header->colour_type);
    if (depths == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header claims colour type %d; a PNG has 0, 2, 3, 4 or 6", name,
                         header->colour_type);
    }
    bool power = header->bits > 0 && (header->bits & (header->bits - 1)) == 0;
    if (!power || (depths & (unsigned)header->bits) == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header claims %d bits a sample, which colour type %d cannot have",
                         name, header->bits, header->colour_type);
    }
    if (fields[10] != 0 || fields[11] != 0 || fields[12] > 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header asks for compression %d, filter method %d, interlacing "
                         "%d; known are 0, 0 and 0 or 1",
                         name, fields[10], fields[11], fields[12]);
    }
    return HALO_OK;
}

static int channels_of(int colour_type)
{
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    return channels[colour_type];
}

/* Nothing is reserved for pixels that a file of this length cannot hold. */
static halo_status check_room(const halo_png_header *header, halo_source *source)
{
    int64_t rows = header->interlaced ? header->height : 1;
    int64_t row = (int64_t)header->row_bytes;
    if (source->size > INT64_MAX / DEFLATE_RATIO || row <= source->size * DEFLATE_RATIO / rows) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the header claims %" PRId64 " x %" PRId64
                     " pixels, but the file's %" PRId64 " bytes cannot hold %s; it is cut off, or "
                     "its header is damaged",
                     source->name, header->width, header->height, source->size,
                     rows > 1 ? "them" : "one row of them");
}

halo_status halo_png_header_peek(halo_png_header *header, halo_source *source)
{
    size_t there = halo_source_peek(source);
    const unsigned char *bytes = source->bytes;
    if (source->error != 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read: %s", source->name,
                         strerror(source->error));
    }
    if (halo_source_packed(source)) {
        return halo_fail(HALO_FORMAT,
                         "%s: not a PNG image: it looks like a gzip file: unpack it first",
                         source->name);
    }
    HALO_TRY(check_signature(source->name, bytes, there));
    if (there < HALO_PNG_HEADER_BYTES) {
        return halo_fail(HALO_FORMAT,
                         "%s: the file is cut off within its header; copy or make it again",
                         source->name);
    }
    if (halo_png_big_endian(bytes + 8) != 13 || memcmp(bytes + 12, "IHDR", 4) != 0) {
        return halo_fail(HALO_FORMAT, "%s: damaged: a PNG starts with its IHDR chunk of 13 bytes",
                         source->name);
    }
    if (halo_png_big_endian(bytes + 29) != crc32(0, bytes + 12, 17)) {
        return halo_fail(HALO_FORMAT, "%s: the chunk IHDR is damaged: its CRC does not match",
                         source->name);
    }
    const unsigned char *fields = bytes + 16;
    *header = (halo_png_header){.width = halo_png_big_endian(fields),
                                .height = halo_png_big_endian(fields + 4),
                                .bits = fields[8],
                                .colour_type = fields[9],
                                .interlaced = fields[12] == 1};
    HALO_TRY(check_values(header, fields, source->name));
    header->channels = channels_of(header->colour_type);
    uint64_t row_bits = (uint64_t)header->width * (unsigned)(header->bits * header->channels);
    header->row_bytes = (size_t)((row_bits + 7) / 8);
    return check_room(header, source);
}
