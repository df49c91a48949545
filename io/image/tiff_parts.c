#define _POSIX_C_SOURCE 200809L
#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include "io/image/halves.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Parts of TIFF files, which are strips or tiles: whether a part is in the file, and its samples.
 * A part that is missing has the offset 0 or no bytes, as GDAL writes those that are empty. */

enum { BYTE_BITS = 8 };

/* ---- sizes as they are in the file ----------------------------------------------------------- */

/* libtiff replaces sizes of strips that look wrong to it by what it computes from the rows. */
void halo_tiff_find_sizes(halo_image_reader *reader)
{
    enum { BLOCK = 4096, SHORTS = 3, LONGS = 4, LONG8S = 16 };
    tiff_state *state = reader->state;
    unsigned char block[BLOCK];
    bool msb = halo_libtiff.IsBigEndian(state->tiff) != 0,
         big = halo_libtiff.IsBigTIFF(state->tiff) != 0;
    int word = big ? 8 : 4, head = big ? 8 : 2, entry = 4 + 2 * word;
    int64_t begin = (int64_t)halo_libtiff.CurrentDirOffset(state->tiff);
    state->sizes = (tiff_sizes){.bytes = 0};
    if (state->packed || state->page.tile_width > 0) { /* where it does not */
        return;
    }
    ssize_t got = pread(reader->file, block, sizeof block, (off_t)begin);
    int64_t entries = got >= head ? (int64_t)halo_image_number(block, head, msb) : 0;
    for (int64_t at = head; entries > 0 && at + entry <= got; at += entry, entries--) {
        const unsigned char *values = block + at + 4 + word;
        uint64_t type = halo_image_number(block + at + 2, 2, msb);
        if (halo_image_number(block + at, 2, msb) != TIFFTAG_STRIPBYTECOUNTS) {
            continue;
        }
        state->sizes.bytes = type == SHORTS ? 2 : type == LONGS ? 4 : type == LONG8S ? 8 : 0;
        state->sizes.count = (int64_t)halo_image_number(block + at + 4, word, msb);
        bool here = state->sizes.count <= word && state->sizes.bytes * state->sizes.count <= word;
        state->sizes.begin =
            here ? begin + (values - block) : (int64_t)halo_image_number(values, word, msb);
        return;
    }
}

/* Bytes of a strip; `computed` is libtiff's idea of them. */
static uint64_t stored_size(const halo_image_reader *reader, uint32_t strip, uint64_t computed)
{
    unsigned char number[8];
    const tiff_state *state = reader->state;
    const tiff_sizes *sizes = &state->sizes;
    int64_t at = sizes->begin + (int64_t)strip * sizes->bytes;
    return sizes->bytes > 0 && strip < sizes->count &&
                   pread(reader->file, number, (size_t)sizes->bytes, (off_t)at) == sizes->bytes
               ? halo_image_number(number, sizes->bytes, halo_libtiff.IsBigEndian(state->tiff) != 0)
               : computed;
}

/* ---- parts that are missing, or short -------------------------------------------------------- */

bool halo_tiff_is_missing(const tiff_state *state, uint32_t part)
{
    return halo_libtiff.GetStrileOffset(state->tiff, part) == 0 ||
           halo_libtiff.GetStrileByteCount(state->tiff, part) == 0;
}

static halo_status fail_part(const halo_image_reader *reader, uint32_t part, int64_t row,
                             const char *what)
{
    tiff_state *state = reader->state;
    char page[32] = "", error[TIFF_ERROR_BYTES];
    if (reader->info.axes == 3) {
        snprintf(page, sizeof page, " of page %" PRId64, state->pages[state->at_page]);
    }
    snprintf(error, sizeof error, "%s %" PRIu32 "%s (counted from 0) %.90s",
             state->page.tile_width > 0 ? "tile" : "strip", part, page, what);
    memcpy(state->error, error, sizeof error);
    return halo_tiff_fail(reader, row);
}

/* Uncompressed samples are read without a look at their size. */
static halo_status check_part(const halo_image_reader *reader, uint32_t part, int64_t row,
                              uint64_t wanted)
{
    char what[96];
    const tiff_state *state = reader->state;
    uint64_t offset = halo_libtiff.GetStrileOffset(state->tiff, part),
             all = (uint64_t)reader->data_bytes;
    uint64_t bytes = halo_libtiff.GetStrileByteCount(state->tiff, part);
    if (!state->packed) {
        uint64_t stored = stored_size(reader, part, bytes);
        if (stored > 0 && stored < wanted) {
            snprintf(what, sizeof what, "has %" PRIu64 " bytes of the %" PRIu64 " of its samples",
                     stored, wanted);
            return fail_part(reader, part, row, what);
        }
        bytes = wanted;
    }
    return offset <= all && bytes <= all - offset
               ? HALO_OK
               : fail_part(reader, part, row, "goes beyond the end of the file");
}

/* ---- warnings -------------------------------------------------------------------------------- */

/* Warnings of pixels that are lost, of libjpeg and of a fax that ends too early: the decoders go on
 * with others in their place. Lines of a fax that are too short or too long are what bad telephone
 * lines make of it, and no more than told. */
static const char *const losses[] = {"Premature end of JPEG", "premature end of data segment",
                                     "bad Huffman code",      "bad arithmetic code",
                                     "found marker",          "Inconsistent progression",
                                     "Premature EOF"};

int halo_tiff_take_warning(TIFF *tiff, void *context, const char *module, const char *format,
                           va_list values)
{
    tiff_state *state = context;
    char text[TIFF_ERROR_BYTES];
    (void)tiff, (void)module;
    vsnprintf(text, sizeof text, format, values);
    bool lost = false;
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        lost = lost || strstr(text, losses[i]) != NULL;
    }
    char *kept = lost ? state->error : state->warning;
    if (state->decodes && kept[0] == '\0') {
        memcpy(kept, text, sizeof text);
    }
    return 1;
}

/* ---- samples of missing ones ----------------------------------------------------------------- */

static uint64_t whole_bits(const char *text, bool is_signed, int bits)
{
    halo_number number;
    if (!halo_image_scan_nodata(text, &number) || isnan(number.value)) {
        return 0;
    }
    number = number.whole ? number : halo_number_of(round(number.value));
    bool negative = number.value < 0;
    uint64_t most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    most = negative ? (is_signed ? most + 1 : 0) : most;
    uint64_t magnitude = number.whole && number.magnitude < most ? number.magnitude : most;
    return negative ? 0 - magnitude : magnitude;
}

/* The bits of a sample, in the low ones. Values beyond the type become its last one, as in GDAL. */
static uint64_t missing_bits(const tiff_state *state)
{
    char text[64];
    const tiff_page *page = &state->page;
    if (halo_tiff_nodata_text(state, text, sizeof text) == NULL) {
        return 0;
    }
    double value = strtod(text, NULL);
    if (page->format != SAMPLEFORMAT_IEEEFP) {
        return whole_bits(text, page->format == SAMPLEFORMAT_INT, page->bits);
    }
    uint64_t bits = 0;
    uint32_t single = 0;
    float narrow = (float)value;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&single, &narrow, sizeof single);
    return page->bits == 64 ? bits : page->bits == 32 ? single : halo_half_round(value);
}

static void fill_row(const tiff_state *state, uint64_t value, unsigned char *row, size_t bytes)
{
    int bits = state->page.bits, sample = bits / BYTE_BITS;
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, whole = bits % BYTE_BITS == 0;
    memset(row, 0, bytes);
    for (size_t i = 0; whole && i + (size_t)sample <= bytes; i += (size_t)sample) {
        for (int k = 0; k < sample; k++) {
            row[i + (size_t)(big ? sample - 1 - k : k)] = (unsigned char)(value >> (8 * k));
        }
    }
    size_t samples = bytes * BYTE_BITS / (size_t)bits;
    for (size_t bit = 0; !whole && bit < samples * (size_t)bits; bit++) {
        unsigned one = (unsigned)(value >> ((size_t)bits - 1 - bit % (size_t)bits)) & 1;
        row[bit / BYTE_BITS] |= (unsigned char)(one << (7 - bit % BYTE_BITS));
    }
}

static void fill_part(const tiff_state *state, unsigned char *out, size_t pitch, size_t bytes)
{
    uint64_t value = missing_bits(state);
    if (value == 0) {
        memset(out, 0, bytes);
        return;
    }
    fill_row(state, value, out, pitch);
    for (size_t done = pitch; done < bytes; done += pitch) {
        memcpy(out + done, out, pitch);
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void warn(halo_image_reader *reader)
{
    char text[HALO_IMAGE_WARNING];
    tiff_state *state = reader->state;
    if (state->warning[0] != '\0') {
        snprintf(text, sizeof text, "libtiff warns: %.140s", state->warning);
        halo_image_warn(reader, text);
        state->warning[0] = '\0';
    }
}

enum { SOME_BYTE = 0xa5, OTHER_BYTE = 0x5a };

/* `last`: the last byte of `out` until it is written. */
static bool decode(tiff_state *state, uint32_t part, unsigned char *out, tmsize_t wanted,
                   unsigned char last)
{
    memset(out, 0, (size_t)wanted);
    out[wanted - 1] = last;
    state->error[0] = '\0';
    state->decodes = true;
    tmsize_t got = state->page.tile_width > 0
                       ? halo_libtiff.ReadEncodedTile(state->tiff, part, out, wanted)
                       : halo_libtiff.ReadEncodedStrip(state->tiff, part, out, wanted);
    state->decodes = false;
    return got == wanted && state->error[0] == '\0';
}

/* libtiff calls it success when libdeflate has given up because more comes than has room. What did
 * not fit is not written at all, and would be samples of the part before: the last byte tells. */
static bool is_too_long(tiff_state *state, uint32_t part, unsigned char *out, tmsize_t wanted)
{
    return state->packed && out[wanted - 1] == SOME_BYTE &&
           decode(state, part, out, wanted, OTHER_BYTE) && out[wanted - 1] == OTHER_BYTE;
}

halo_status halo_tiff_read_part(halo_image_reader *reader, uint32_t part, int64_t row,
                                unsigned char *out, size_t pitch, size_t bytes)
{
    tiff_state *state = reader->state;
    tmsize_t wanted = (tmsize_t)bytes;
    if (halo_tiff_is_missing(state, part)) {
        fill_part(state, out, pitch, bytes);
        return HALO_OK;
    }
    HALO_TRY(check_part(reader, part, row, bytes));
    bool decoded = decode(state, part, out, wanted, SOME_BYTE);
    bool too_long = decoded && is_too_long(state, part, out, wanted);
    if (decoded && !too_long) {
        warn(reader);
        return HALO_OK;
    }
    char what[TIFF_ERROR_BYTES];
    snprintf(what, sizeof what, "cannot be decoded: %.100s",
             state->error[0] != '\0' ? state->error
             : too_long              ? "it has more samples than the header says"
                                     : "it ends too early");
    return fail_part(reader, part, row, what);
}

#else

/* A source has to have a declaration. */
extern const halo_image_format halo_image_tiff;

#endif
