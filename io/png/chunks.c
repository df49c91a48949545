#include "io/image/exif.h"
#include "io/png/deflate.h"
#include "io/png/png_internal.h"

#include <stdio.h>
#include <string.h>

/* Which chunks are needed, allowed and passed over follows libpng, which is more lenient than the
 * standard: most misplaced or malformed optional chunks are as good as absent. */

/* A part of a chunk handed on at once: small enough to be still in the cache after its CRC. */
enum { PART_BYTES = 1 << 16 };

static int64_t count_rows(const halo_png_chunks *chunks)
{
    return (int64_t)(chunks->inflated / chunks->stride);
}

halo_status halo_png_chunks_damaged(const halo_png_chunks *chunks, const char *defect)
{
    return halo_png_fail_damaged(chunks->source, defect, count_rows(chunks), chunks->height);
}

/* A defect of the chunk at hand. */
static halo_status bad_chunk(const halo_png_chunks *chunks, const char *defect)
{
    char text[80];
    snprintf(text, sizeof text, "the chunk %s %s", chunks->name, defect);
    return halo_png_chunks_damaged(chunks, text);
}

static halo_status cut_off(const halo_png_chunks *chunks)
{
    return halo_png_fail_ended(chunks->source, count_rows(chunks), chunks->height);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is(const halo_png_chunks *chunks, const char *name)
{
    return memcmp(chunks->name, name, 4) == 0;
}

static halo_status begin(halo_png_chunks *chunks)
{
    unsigned char head[8];
    if (!halo_source_read(chunks->source, head, sizeof head)) {
        return cut_off(chunks);
    }
    chunks->left = halo_png_big_endian(head);
    memcpy(chunks->name, head + 4, 4);
    if (chunks->left > INT32_MAX) {
        return halo_png_chunks_damaged(chunks, "a chunk claims more than 2147483647 bytes");
    }
    for (int i = 0; i < 4; i++) {
        if (!is_letter(chunks->name[i])) {
            return halo_png_chunks_damaged(chunks, "a chunk's name is not made of letters");
        }
    }
    chunks->crc = halo_crc32(0, head + 4, 4);
    return HALO_OK;
}

static halo_status take(halo_png_chunks *chunks, size_t wanted, const unsigned char **bytes,
                        size_t *taken)
{
    wanted = wanted < chunks->left ? wanted : chunks->left;
    *taken = halo_source_take(chunks->source, wanted < PART_BYTES ? wanted : PART_BYTES, bytes);
    if (*taken == 0 && wanted > 0) {
        return cut_off(chunks);
    }
    if (*taken > 0) {
        chunks->crc = halo_crc32(chunks->crc, *bytes, *taken);
        chunks->left -= (uint32_t)*taken;
    }
    return HALO_OK;
}

/* A capital first letter says that the image cannot do without the chunk. */
static bool is_critical(const halo_png_chunks *chunks)
{
    return chunks->name[0] >= 'A' && chunks->name[0] <= 'Z';
}

/* Passes over what is left of the chunk and checks its CRC. *damaged is set for one that does not
 * match, of a chunk that is not needed. */
static halo_status end_checked(halo_png_chunks *chunks, bool *damaged)
{
    while (chunks->left > 0) {
        const unsigned char *bytes = NULL;
        size_t taken = 0;
        HALO_TRY(take(chunks, chunks->left, &bytes, &taken));
    }
    unsigned char crc[4];
    if (!halo_source_read(chunks->source, crc, sizeof crc)) {
        return cut_off(chunks);
    }
    if (halo_png_big_endian(crc) == chunks->crc) {
        return HALO_OK;
    }
    if (is_critical(chunks)) {
        return halo_png_fail_crc(chunks->source, chunks->name, 4, count_rows(chunks),
                                 chunks->height);
    }
    halo_png_warn_crc(chunks->extras, chunks->name, 4);
    *damaged = true;
    return HALO_OK;
}

static halo_status end(halo_png_chunks *chunks)
{
    bool damaged = false;
    return end_checked(chunks, &damaged);
}

/* The first `wanted` bytes of a chunk, copied. */
static halo_status take_all(halo_png_chunks *chunks, unsigned char *out, size_t wanted)
{
    while (wanted > 0) {
        const unsigned char *bytes = NULL;
        size_t taken = 0;
        HALO_TRY(take(chunks, wanted, &bytes, &taken));
        memcpy(out, bytes, taken);
        out += taken;
        wanted -= taken;
    }
    return HALO_OK;
}

static halo_status read_palette(halo_png_chunks *chunks, const halo_png_header *header,
                                halo_png_extras *extras, size_t *entries)
{
    if (chunks->had_palette) {
        return bad_chunk(chunks, "stands there twice");
    }
    chunks->had_palette = true;
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    if (header->colour_type == HALO_PNG_GREY || header->colour_type == HALO_PNG_GREY_ALPHA) {
        return HALO_OK;
    }
    if (chunks->left > 768 || chunks->left % 3 != 0) {
        return palette ? bad_chunk(chunks, "has an impossible length") : HALO_OK;
    }
    if (chunks->left == 0) {
        return bad_chunk(chunks, "is empty");
    }
    extras->transparent = false; /* tRNS must come after */
    size_t max = palette ? (size_t)1 << header->bits : 256;
    *entries = chunks->left / 3 < max ? chunks->left / 3 : max;
    return take_all(chunks, extras->palette[0], 3 * *entries);
}

static halo_status read_transparency(halo_png_chunks *chunks, const halo_png_header *header,
                                     halo_png_extras *extras, size_t entries)
{
    bool palette = header->colour_type == HALO_PNG_PALETTE;
    size_t keys = header->colour_type == HALO_PNG_GREY     ? 1
                  : header->colour_type == HALO_PNG_COLOUR ? 3
                                                           : 0;
    bool fits = palette ? chunks->left > 0 && chunks->left <= entries
                        : keys > 0 && chunks->left == 2 * keys;
    if (chunks->had_transparency || !fits) {
        return HALO_OK;
    }
    chunks->had_transparency = true;
    extras->transparent = true;
    if (palette) {
        return take_all(chunks, extras->alpha, chunks->left);
    }
    unsigned char bytes[6] = {0};
    HALO_TRY(take_all(chunks, bytes, 2 * keys));
    for (size_t i = 0; i < keys; i++) {
        extras->key[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
    return HALO_OK;
}

/* A transparency with damaged values is none, as in libpng. */
static halo_status take_transparency(halo_png_chunks *chunks, const halo_png_header *header,
                                     halo_png_extras *extras, size_t entries)
{
    const halo_png_chunks before = *chunks;
    halo_png_extras found = *extras;
    bool damaged = false;
    HALO_TRY(read_transparency(chunks, header, &found, entries));
    HALO_TRY(end_checked(chunks, &damaged));
    if (damaged) {
        chunks->had_transparency = before.had_transparency;
        return HALO_OK;
    }
    *extras = found;
    return HALO_OK;
}

/* EXIF data, whose directory with the orientation is at their beginning. */
static halo_status read_exif(halo_png_chunks *chunks, halo_png_extras *extras)
{
    unsigned char bytes[HALO_PNG_EXIF_BYTES];
    size_t count = chunks->left < sizeof bytes ? chunks->left : sizeof bytes;
    bool damaged = false;
    HALO_TRY(take_all(chunks, bytes, count));
    HALO_TRY(end_checked(chunks, &damaged));
    if (!damaged) {
        extras->orientation = halo_exif_orientation(bytes, count);
    }
    return HALO_OK;
}

halo_png_density halo_png_density_of(const unsigned char bytes[HALO_PNG_DENSITY_BYTES])
{
    enum { METRE = 1 };
    return (halo_png_density){.across = halo_png_big_endian(bytes),
                              .down = halo_png_big_endian(bytes + 4),
                              .metre = bytes[8] == METRE};
}

/* A chunk of another length is ignored. */
static halo_status read_density(halo_png_chunks *chunks, halo_png_extras *extras)
{
    unsigned char bytes[HALO_PNG_DENSITY_BYTES];
    bool damaged = false, whole = chunks->left == sizeof bytes;
    HALO_TRY(whole ? take_all(chunks, bytes, sizeof bytes) : HALO_OK);
    HALO_TRY(end_checked(chunks, &damaged));
    if (whole && !damaged) {
        extras->density = halo_png_density_of(bytes);
    }
    return HALO_OK;
}

/* Chunks that nobody needs. */
static halo_status pass_over(halo_png_chunks *chunks)
{
    HALO_TRY(end(chunks));
    return is_critical(chunks) ? bad_chunk(chunks, "is needed and not known here") : HALO_OK;
}

halo_status halo_png_chunks_open(halo_png_chunks *chunks, halo_source *source,
                                 const halo_png_header *header, halo_png_extras *extras)
{
    *chunks = (halo_png_chunks){.source = source,
                                .extras = extras,
                                .height = header->height,
                                .stride = header->row_bytes + 1};
    unsigned char checked[HALO_PNG_HEADER_BYTES];
    if (!halo_source_read(source, checked, sizeof checked)) {
        return cut_off(chunks);
    }
    size_t entries = 0;
    for (;;) {
        HALO_TRY(begin(chunks));
        if (is(chunks, "IDAT")) {
            bool good = chunks->had_palette || header->colour_type != HALO_PNG_PALETTE;
            return good ? HALO_OK
                        : halo_png_chunks_damaged(chunks, "the palette's chunk PLTE is missing");
        }
        if (is(chunks, "PLTE")) {
            HALO_TRY(read_palette(chunks, header, extras, &entries));
            HALO_TRY(end(chunks));
        } else if (is(chunks, "tRNS")) {
            HALO_TRY(take_transparency(chunks, header, extras, entries));
        } else if (is(chunks, "eXIf")) {
            HALO_TRY(read_exif(chunks, extras));
        } else if (is(chunks, "pHYs")) {
            HALO_TRY(read_density(chunks, extras));
        } else if (is(chunks, "IHDR") || is(chunks, "IEND")) {
            return bad_chunk(chunks, "stands where pixels should");
        } else {
            HALO_TRY(pass_over(chunks));
        }
    }
}

halo_status halo_png_chunks_take(halo_png_chunks *chunks, size_t wanted,
                                 const unsigned char **bytes, size_t *taken)
{
    *taken = 0;
    while (is(chunks, "IDAT") && chunks->left == 0) {
        HALO_TRY(end(chunks));
        HALO_TRY(begin(chunks));
    }
    return is(chunks, "IDAT") ? take(chunks, wanted, bytes, taken) : HALO_OK;
}

/* Chunks from the one at hand, which is behind the pixels, to IEND. */
static halo_status pass_to_end(halo_png_chunks *chunks)
{
    for (;;) {
        if (is(chunks, "IHDR") || (is(chunks, "PLTE") && chunks->had_palette)) {
            return bad_chunk(chunks, "stands there twice");
        }
        if (is(chunks, "IEND")) {
            return end(chunks);
        }
        if (is(chunks, "IDAT") || is(chunks, "PLTE")) {
            HALO_TRY(end(chunks));
        } else {
            HALO_TRY(pass_over(chunks));
        }
        HALO_TRY(begin(chunks));
    }
}

/* All pixels are there: a file that ends before IEND has lost nothing of them. */
static halo_status excuse_end(halo_png_chunks *chunks, halo_status status)
{
    const halo_source *source = chunks->source;
    if (status == HALO_OK || !source->ended || source->status != HALO_OK) {
        return status;
    }
    halo_png_warn_end(chunks->extras);
    return HALO_OK;
}

halo_status halo_png_chunks_finish(halo_png_chunks *chunks)
{
    while (is(chunks, "IDAT")) {
        HALO_TRY(end(chunks));
        halo_status status = begin(chunks);
        if (status != HALO_OK) {
            return excuse_end(chunks, status);
        }
    }
    return excuse_end(chunks, pass_to_end(chunks));
}
