#include "io/png/png_write.h"

#include "base/memory.h"
#include "io/png/deflate.h"
#include "io/png/runs.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

enum {
    FILTER_NONE = 0,
    FILTER_UP = 2,
    METRE = 1, /* the unit of pHYs */
    ZLIB_HEADER = 2,
    ADLER_BASE = 65521 /* what both halves of an Adler-32 are taken modulo */
};

/* Bytes of uncompressed data in a chunk, about: large enough that a full flush costs nothing, small
 * enough to stay in a core's cache. */
static const int64_t CHUNK_BYTES = (int64_t)1 << 20;
static const int64_t ROW_BYTES_LIMIT = (int64_t)1 << 29;
static const int64_t PNG_LIMIT = ((int64_t)1 << 31) - 1;

typedef void filter_function(unsigned char *out, const unsigned char *row,
                             const unsigned char *above, size_t samples);

static void filter_bytes(unsigned char *restrict out, const unsigned char *restrict row,
                         const unsigned char *restrict above, size_t samples)
{
    if (above == NULL) {
        memcpy(out, row, samples);
        return;
    }
    for (size_t i = 0; i < samples; i++) {
        out[i] = (unsigned char)(row[i] - above[i]);
    }
}

static uint16_t load16(const unsigned char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* PNG's samples are big-endian and its filters work on bytes: both bytes are subtracted on their
 * own and change places, in 16-bit lanes that compilers vectorise. */
static void filter_swapped(unsigned char *restrict out, const unsigned char *restrict row,
                           const unsigned char *restrict above, size_t samples)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    filter_bytes(out, row, above, samples * 2);
#else
    if (above == NULL) {
        for (size_t i = 0; i < samples; i++) {
            uint16_t value = load16(row + 2 * i);
            value = (uint16_t)(value << 8 | value >> 8);
            memcpy(out + 2 * i, &value, sizeof value);
        }
        return;
    }
    for (size_t i = 0; i < samples; i++) {
        uint16_t value = load16(row + 2 * i);
        uint16_t other = load16(above + 2 * i);
        uint16_t low = (uint16_t)(((uint32_t)value - other) << 8);
        uint16_t high = (uint16_t)((value & 0xff00) - (other & 0xff00)) >> 8;
        uint16_t both = low | high;
        memcpy(out + 2 * i, &both, sizeof both);
    }
#endif
}

/* PNG's first pixel is the highest bit of a byte, the field's is the lowest of a word. Bits after
 * the last pixel are cleared so that the bytes of a file depend on its pixels only. */
static void filter_bits(unsigned char *restrict out, const unsigned char *restrict row,
                        const unsigned char *restrict above, size_t samples)
{
    (void)above;
    size_t bytes = (samples + 7) / 8;
    for (size_t i = 0; i < bytes; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        uint32_t value = row[i ^ 7];
#else
        uint32_t value = row[i];
#endif
        value = (value & 0xf0) >> 4 | (value & 0x0f) << 4;
        value = (value & 0xcc) >> 2 | (value & 0x33) << 2;
        value = (value & 0xaa) >> 1 | (value & 0x55) << 1;
        out[i] = (unsigned char)value;
    }
    if (samples % 8 != 0) {
        out[bytes - 1] = (unsigned char)(out[bytes - 1] & 0xff << (8 - samples % 8));
    }
}

/* One line per kind. Up makes labels and colours of blurred images a fifth smaller than None and
 * takes no longer; bits are small either way. */
static const struct {
    unsigned char depth;
    unsigned char colour; /* PNG's colour type */
    unsigned char samples;
    unsigned char filter; /* of all rows but a chunk's first */
    filter_function *run;
} KINDS[] = {
    [HALO_PNG_GREY8] = {8, 0, 1, FILTER_UP, filter_bytes},
    [HALO_PNG_GREY16] = {16, 0, 1, FILTER_UP, filter_swapped},
    [HALO_PNG_PALETTE] = {8, 3, 1, FILTER_UP, filter_bytes},
    [HALO_PNG_BITS] = {1, 0, 1, FILTER_NONE, filter_bits},
    [HALO_PNG_RGB8] = {8, 2, 3, FILTER_UP, filter_bytes},
    [HALO_PNG_RGB16] = {16, 2, 3, FILTER_UP, filter_swapped},
    [HALO_PNG_GREY_ALPHA8] = {8, 4, 2, FILTER_UP, filter_bytes},
    [HALO_PNG_GREY_ALPHA16] = {16, 4, 2, FILTER_UP, filter_swapped},
    [HALO_PNG_RGBA8] = {8, 6, 4, FILTER_UP, filter_bytes},
    [HALO_PNG_RGBA16] = {16, 6, 4, FILTER_UP, filter_swapped},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

halo_png_kind halo_png_kind_of(int channels, bool wide)
{
    static const halo_png_kind kinds[][2] = {{HALO_PNG_GREY8, HALO_PNG_GREY16},
                                             {HALO_PNG_GREY_ALPHA8, HALO_PNG_GREY_ALPHA16},
                                             {HALO_PNG_RGB8, HALO_PNG_RGB16},
                                             {HALO_PNG_RGBA8, HALO_PNG_RGBA16}};
    return kinds[channels - 1][wide];
}

int halo_png_kind_channels(halo_png_kind kind)
{
    return KINDS[kind].samples;
}

int halo_png_kind_bits(halo_png_kind kind)
{
    return KINDS[kind].depth;
}

struct halo_png_encoder {
    halo_png_header header;
    halo_deflater *deflater;
    halo_runs *runs;         /* of 16-bit samples in rows that are not short; or NULL */
    unsigned char *memory;   /* that `filtered` lies in */
    unsigned char *filtered; /* [chunk rows * (1 + file row bytes)] */
};

static int64_t samples_of(const halo_png_header *header)
{
    return header->width * KINDS[header->kind].samples;
}

/* Bytes of a row in the file, without its filter byte. */
static int64_t file_row_bytes(const halo_png_header *header)
{
    return (samples_of(header) * KINDS[header->kind].depth + 7) / 8;
}

halo_status halo_png_header_check(const halo_png_header *header)
{
    int64_t width = header->width;
    int64_t height = header->height;
    if (width < 1 || width > PNG_LIMIT || height < 1 || height > PNG_LIMIT) {
        return halo_fail(HALO_ARGUMENT,
                         "a PNG cannot hold %" PRId64 " x %" PRId64
                         " pixels: both must be 1 to 2147483647; write .npy instead",
                         width, height);
    }
    if ((int)header->kind < 0 || (int)header->kind >= KIND_COUNT) {
        return halo_fail(HALO_ARGUMENT, "PNG kind %d is none of the %d known", (int)header->kind,
                         (int)KIND_COUNT);
    }
    if (file_row_bytes(header) > ROW_BYTES_LIMIT) {
        return halo_fail(HALO_ARGUMENT,
                         "a PNG row of %" PRId64 " bytes is longer than the %" PRId64
                         " that can be written; write .npy instead",
                         file_row_bytes(header), ROW_BYTES_LIMIT);
    }
    if (header->kind == HALO_PNG_PALETTE &&
        (header->palette == NULL || header->colours < 1 || header->colours > 256)) {
        return halo_fail(HALO_ARGUMENT, "a PNG palette has 1 to 256 colours, not %d",
                         header->palette == NULL ? 0 : header->colours);
    }
    return HALO_OK;
}

size_t halo_png_row_bytes(const halo_png_header *header)
{
    if (header->kind == HALO_PNG_BITS) {
        return (size_t)((header->width + 63) / 64 * 8);
    }
    return (size_t)file_row_bytes(header);
}

int64_t halo_png_idat_rows(const halo_png_header *header)
{
    int64_t rows = CHUNK_BYTES / (file_row_bytes(header) + 1);
    rows = rows < 1 ? 1 : rows;
    return rows < header->height ? rows : header->height;
}

/* In short rows of 16-bit samples a call for each row takes longer than what it does. */
enum { SHORT_ROW = 16 };

static bool has_short_rows(const halo_png_header *header)
{
    return header->kind == HALO_PNG_GREY16 && header->width < SHORT_ROW;
}

halo_status halo_png_encoder_create(halo_png_encoder **out, const halo_png_header *header)
{
    halo_status status = HALO_OK;
    halo_png_encoder *encoder;
    *out = NULL;
    HALO_TRY(halo_png_header_check(header));
    HALO_TRY(HALO_ALLOCATE_LARGE(encoder, 1, "a PNG encoder"));
    encoder->header = *header;
    size_t chunk = (size_t)(halo_png_idat_rows(header) * (file_row_bytes(header) + 1));
    HALO_TRY_OR(failed,
                HALO_ALLOCATE_LARGE(encoder->memory, HALO_RUNS_LEAD + chunk + HALO_RUNS_SLACK,
                                    "a chunk of PNG rows"));
    encoder->filtered = encoder->memory + HALO_RUNS_LEAD;
    if (header->kind == HALO_PNG_GREY16 && !has_short_rows(header)) {
        size_t rows = (size_t)halo_png_idat_rows(header);
        HALO_TRY_OR(failed, halo_runs_create(&encoder->runs, rows * (size_t)header->width, rows));
    }
    HALO_TRY_OR(failed, halo_deflater_create(&encoder->deflater));
    *out = encoder;
    return HALO_OK;
failed:
    halo_png_encoder_destroy(&encoder);
    return status;
}

void halo_png_encoder_destroy(halo_png_encoder **encoder)
{
    if (*encoder == NULL) {
        return;
    }
    halo_deflater_destroy(&(*encoder)->deflater);
    halo_runs_destroy(&(*encoder)->runs);
    halo_memory_free((*encoder)->memory);
    halo_memory_free(*encoder);
    *encoder = NULL;
}

static void put_big_endian(unsigned char *out, uint32_t value)
{
    out[0] = (unsigned char)(value >> 24);
    out[1] = (unsigned char)(value >> 16 & 255);
    out[2] = (unsigned char)(value >> 8 & 255);
    out[3] = (unsigned char)(value & 255);
}

/* A chunk is opened, filled by appending, and closed: its length and CRC come last. */
static halo_status open_chunk(halo_buffer *out, const char name[4], size_t *start)
{
    static const unsigned char no_length[4];
    *start = out->size;
    HALO_TRY(halo_buffer_append(out, no_length, sizeof no_length));
    return halo_buffer_append(out, name, 4);
}

static halo_status close_chunk(halo_buffer *out, size_t start)
{
    unsigned char crc[4];
    size_t bytes = out->size - start - 8;
    put_big_endian(out->data + start, (uint32_t)bytes);
    put_big_endian(crc, halo_crc32(0, out->data + start + 4, bytes + 4));
    return halo_buffer_append(out, crc, sizeof crc);
}

static halo_status append_chunk(halo_buffer *out, const char name[4], const void *data,
                                size_t bytes)
{
    size_t start = 0;
    HALO_TRY(open_chunk(out, name, &start));
    HALO_TRY(halo_buffer_append(out, data, bytes));
    return close_chunk(out, start);
}

halo_status halo_png_begin(halo_png_encoder *encoder, halo_buffer *out)
{
    static const unsigned char signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    const halo_png_header *header = &encoder->header;
    unsigned char ihdr[13] = {0};
    put_big_endian(ihdr, (uint32_t)header->width);
    put_big_endian(ihdr + 4, (uint32_t)header->height);
    ihdr[8] = KINDS[header->kind].depth;
    ihdr[9] = KINDS[header->kind].colour;
    HALO_TRY(halo_buffer_append(out, signature, sizeof signature));
    HALO_TRY(append_chunk(out, "IHDR", ihdr, sizeof ihdr));
    if (header->kind == HALO_PNG_PALETTE) {
        HALO_TRY(append_chunk(out, "PLTE", header->palette, (size_t)header->colours * 3));
    }
    if (header->density[0] > 0) {
        unsigned char phys[9] = {0, 0, 0, 0, 0, 0, 0, 0, METRE};
        put_big_endian(phys, header->density[0]);
        put_big_endian(phys + 4, header->density[1]);
        HALO_TRY(append_chunk(out, "pHYs", phys, sizeof phys));
    }
    return HALO_OK;
}

static size_t filter_short_rows(unsigned char *out, const unsigned char *rows, size_t pitch,
                                int64_t count, size_t samples)
{
    static const unsigned char zeros[2 * SHORT_ROW];
    const size_t high = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : 1;
    const unsigned char *begun = out, *above = zeros;
    for (int64_t i = 0; i < count; i++, above = rows, rows += pitch) {
        *out++ = i > 0 ? FILTER_UP : FILTER_NONE;
        for (size_t k = 0; k < 2 * samples; k += 2, out += 2) {
            out[0] = (unsigned char)(rows[k + high] - above[k + high]);
            out[1] = (unsigned char)(rows[k + 1 - high] - above[k + 1 - high]);
        }
    }
    return (size_t)(out - begun);
}

/* Filter a chunk's rows into the encoder's scratch; returns their bytes. */
static size_t filter_chunk(halo_png_encoder *encoder, const unsigned char *rows, size_t pitch,
                           int64_t count)
{
    const halo_png_header *header = &encoder->header;
    size_t row_bytes = (size_t)file_row_bytes(header);
    size_t samples = (size_t)samples_of(header);
    unsigned char filter = KINDS[header->kind].filter;
    unsigned char *out = encoder->filtered;
    if (has_short_rows(header)) {
        return filter_short_rows(out, rows, pitch, count, samples);
    }
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *row = rows + (size_t)i * pitch;
        const unsigned char *above = i > 0 && filter == FILTER_UP ? row - pitch : NULL;
        *out = above != NULL ? FILTER_UP : FILTER_NONE;
        KINDS[header->kind].run(out + 1, row, above, samples);
        out += 1 + row_bytes;
    }
    return (size_t)(out - encoder->filtered);
}

/* 16-bit samples are labels as a rule, and come in runs. In short rows the bytes of filters cut
 * these; a general compressor finds that whole rows repeat. */
static halo_status deflate_chunk(halo_png_encoder *encoder, halo_buffer *out, int64_t rows,
                                 size_t bytes)
{
    bool done = false;
    if (encoder->runs != NULL) {
        HALO_TRY(halo_runs_deflate(encoder->runs, out, encoder->filtered, (size_t)rows,
                                   (size_t)encoder->header.width, &done));
    }
    return done ? HALO_OK : halo_deflater_run(encoder->deflater, out, encoder->filtered, bytes);
}

halo_status halo_png_idat(halo_png_encoder *encoder, halo_buffer *out, const void *rows,
                          size_t pitch, int64_t chunk, halo_png_sums *sums)
{
    /* Deflate with a 32 KiB window, fastest level, nothing preset. */
    static const unsigned char zlib_header[ZLIB_HEADER] = {0x78, 0x01};
    halo_status status = HALO_OK;
    const halo_png_header *header = &encoder->header;
    int64_t first = chunk * halo_png_idat_rows(header);
    int64_t count = halo_png_idat_rows(header);
    count = header->height - first < count ? header->height - first : count;
    size_t bytes = filter_chunk(encoder, rows, pitch, count);
    size_t before = out->size;
    size_t start = 0;
    HALO_TRY_OR(failed, open_chunk(out, "IDAT", &start));
    if (chunk == 0) {
        HALO_TRY_OR(failed, halo_buffer_append(out, zlib_header, sizeof zlib_header));
    }
    HALO_TRY_OR(failed, deflate_chunk(encoder, out, count, bytes));
    HALO_TRY_OR(failed, close_chunk(out, start));
    sums->adler = halo_adler32(1, encoder->filtered, bytes);
    sums->bytes = (int64_t)bytes;
    return HALO_OK;
failed:
    out->size = before;
    return status;
}

halo_status halo_png_end(halo_png_encoder *encoder, halo_buffer *out, uint32_t adler)
{
    (void)encoder;
    /* A last, empty block of deflate with fixed codes, then the sum of the whole stream. */
    unsigned char idat[6] = {0x03, 0x00};
    put_big_endian(idat + 2, adler);
    HALO_TRY(append_chunk(out, "IDAT", idat, sizeof idat));
    return append_chunk(out, "IEND", NULL, 0);
}

halo_png_sums halo_png_sums_join(halo_png_sums first, halo_png_sums second)
{
    /* Only the remainder counts, and it fits any z_off_t: some have 32 bits, images have more. */
    z_off_t length = (z_off_t)(second.bytes % ADLER_BASE);
    unsigned long joined = adler32_combine(first.adler, second.adler, length);
    return (halo_png_sums){(uint32_t)joined, first.bytes + second.bytes};
}
