#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include "base/memory.h"
#include "io/image/bits.h"
#include "io/image/halves.h"

#include <inttypes.h>
#include <string.h>

/* Rows of TIFF files: a band, which is a strip or a row of tiles, is decoded at a time. */

enum { BYTE_BITS = 8 };

static bool is_separate(const tiff_page *page)
{
    return page->planar == PLANARCONFIG_SEPARATE && page->channels > 1;
}

/* A page's bands. */
static int64_t bands_of(const tiff_page *page)
{
    return ((int64_t)page->height + page->band_rows - 1) / page->band_rows;
}

static halo_status check_band(const halo_image_reader *reader, double bytes)
{
    const double always = 256 << 20, most = 2048;
    return bytes <= always || bytes <= most * (double)reader->info.file_bytes
               ? HALO_OK
               : halo_fail(
                     HALO_FORMAT,
                     "%s: a strip or a row of tiles claims %.0f bytes, which the file's %" PRId64
                     " bytes cannot hold; make it again",
                     reader->path, bytes, reader->info.file_bytes);
}

halo_status halo_tiff_prepare(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    int64_t samples = is_separate(page) ? 1 : page->channels, across = 1;
    int64_t width = page->width;
    if (page->tile_width > 0) {
        across = (width + page->tile_width - 1) / page->tile_width;
        state->tile_pitch = (size_t)halo_libtiff.TileRowSize(state->tiff);
        state->tile_bytes = (size_t)halo_libtiff.TileSize(state->tiff);
        state->band_pitch = (size_t)across * state->tile_pitch;
        width = page->tile_width;
    } else {
        state->band_pitch = (size_t)halo_libtiff.ScanlineSize(state->tiff);
    }
    size_t row = page->tile_width > 0 ? state->tile_pitch : state->band_pitch;
    if (row < ((size_t)(width * samples) * page->bits + BYTE_BITS - 1) / BYTE_BITS ||
        state->tile_bytes < (page->tile_width > 0 ? row * page->band_rows : 0)) {
        return halo_tiff_fail(reader, 0);
    }
    double bytes = (double)state->band_pitch * page->band_rows * page->channels;
    HALO_TRY(check_band(reader, bytes));
    HALO_TRY(check_band(reader, (double)state->tile_bytes));
    state->band_bytes = state->band_pitch * page->band_rows;
    size_t planes = is_separate(page) ? page->channels : 1;
    reader->info.buffer += (int64_t)(planes * state->band_bytes + state->tile_bytes);
    HALO_TRY(
        HALO_ALLOCATE_LARGE(state->band, planes * state->band_bytes, "a strip of a TIFF file"));
    return state->tile_bytes == 0
               ? HALO_OK
               : HALO_ALLOCATE_LARGE(state->tile, state->tile_bytes, "a tile of a TIFF file");
}

/* ---- decoding -------------------------------------------------------------------------------- */

/* Rows of band `band` that are in the image. */
static int64_t rows_of(const tiff_page *page, int64_t band)
{
    int64_t left = page->height - band * page->band_rows;
    return left < page->band_rows ? left : page->band_rows;
}

static halo_status read_strip(halo_image_reader *reader, int64_t row, int64_t band, int plane,
                              unsigned char *out)
{
    const tiff_state *state = reader->state;
    uint32_t strip = (uint32_t)(plane * bands_of(&state->page) + band);
    return halo_tiff_read_part(reader, strip, row, out, state->band_pitch,
                               (size_t)rows_of(&state->page, band) * state->band_pitch);
}

static halo_status read_tiles(halo_image_reader *reader, int64_t row, int64_t band, int plane,
                              unsigned char *out)
{
    const tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    int64_t across = ((int64_t)page->width + page->tile_width - 1) / page->tile_width;
    for (int64_t i = 0; i < across; i++) {
        uint32_t tile = (uint32_t)((plane * bands_of(page) + band) * across + i);
        HALO_TRY(halo_tiff_read_part(reader, tile, row, state->tile, state->tile_pitch,
                                     state->tile_bytes));
        for (int64_t y = 0; y < rows_of(page, band); y++) {
            memcpy(out + (size_t)y * state->band_pitch + (size_t)i * state->tile_pitch,
                   state->tile + (size_t)y * state->tile_pitch, state->tile_pitch);
        }
    }
    return HALO_OK;
}

static halo_status read_band(halo_image_reader *reader, int64_t page, int64_t band)
{
    tiff_state *state = reader->state;
    int planes = is_separate(&state->page) ? state->page.channels : 1;
    if (page == state->at_page && band == state->at_band) {
        return HALO_OK;
    }
    if (page != state->at_page) {
        HALO_TRY(halo_tiff_set_page(reader, page));
    }
    int64_t row = page * state->page.height + band * state->page.band_rows;
    state->at_band = -1;
    for (int p = 0; p < planes; p++) {
        unsigned char *out = state->band + (size_t)p * state->band_bytes;
        HALO_TRY(state->page.tile_width > 0 ? read_tiles(reader, row, band, p, out)
                                            : read_strip(reader, row, band, p, out));
    }
    state->at_band = band;
    return HALO_OK;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Sample `i` of a row of samples of `bits` bits. libtiff gives those of 8, 16, 24 and 32 bits in
 * this machine's byte order, and others with the highest bit first. */
static uint32_t sample_at(const unsigned char *row, int64_t i, int bits)
{
    uint32_t value = 0;
    if (bits == 8) {
        return row[i];
    }
    if (bits == 16) {
        uint16_t word;
        memcpy(&word, row + 2 * i, sizeof word);
        return word;
    }
    if (bits == 24) {
        bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
        const unsigned char *at = row + 3 * i;
        return big ? (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]
                   : (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
    }
    for (int64_t bit = i * bits; bit < (i + 1) * bits; bit++) {
        value = value << 1 | ((uint32_t)row[bit / BYTE_BITS] >> (7 - bit % BYTE_BITS) & 1);
    }
    return value;
}

static void store(halo_sample_type type, void *out, int64_t i, uint32_t value)
{
    if (type == HALO_SAMPLE_U8) {
        ((uint8_t *)out)[i] = (uint8_t)value;
    } else if (type == HALO_SAMPLE_U16) {
        ((uint16_t *)out)[i] = (uint16_t)value;
    } else if (type == HALO_SAMPLE_F32) { /* of 16 bits in the file */
        uint32_t bits = halo_half_widen((uint16_t)value);
        memcpy((float *)out + i, &bits, sizeof bits);
    } else {
        ((uint32_t *)out)[i] = value;
    }
}

/* Row `y` of the band in samples of their own type, interleaved. */
static void unpack_row(const halo_image_reader *reader, int64_t y, unsigned char *out)
{
    const tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    const unsigned char *row = state->band + (size_t)y * state->band_pitch;
    halo_sample_type type = reader->samples.type;
    size_t bytes = halo_sample_types[type].bytes;
    int64_t samples = (int64_t)page->width * page->channels;
    bool separate = is_separate(page);
    if (type == HALO_SAMPLE_BIT) {
        halo_bits_pack(page->width, row, state->inverted, (uint64_t *)(void *)out);
        return;
    }
    if (state->in_place && !separate) {
        memcpy(out, row, (size_t)samples * bytes);
        return;
    }
    uint32_t flip = state->inverted ? (uint32_t)reader->samples.maximum : 0;
    for (int64_t i = 0; i < samples; i++) {
        int64_t plane = separate ? i % page->channels : 0, at = separate ? i / page->channels : i;
        const unsigned char *from = row + (size_t)plane * state->band_bytes;
        if (state->in_place) {
            memcpy(out + (size_t)i * bytes, from + (size_t)at * bytes, bytes);
        } else if (page->photometric == PHOTOMETRIC_PALETTE) {
            memcpy(out + 3 * i, state->palette[sample_at(from, at, page->bits)], 3);
        } else {
            uint32_t value = sample_at(from, at, page->bits);
            bool inverts = state->inverted && i % page->channels == 0; /* others are no greys */
            store(type, out, i, inverts ? flip - value : value);
        }
    }
}

/* A whole strip where it is wanted. */
static bool goes_straight(const halo_image_reader *reader, size_t pitch)
{
    const tiff_state *state = reader->state;
    return state->in_place && !is_separate(&state->page) && state->page.tile_width == 0 &&
           pitch == state->band_pitch;
}

halo_status halo_tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch)
{
    tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    bool straight = goes_straight(reader, pitch);
    for (int64_t done = 0; done < rows;) {
        int64_t at = first + done, plane = at / page->height, y = at % page->height;
        int64_t band = y / page->band_rows, inside = y % page->band_rows;
        int64_t now = rows_of(page, band) - inside;
        unsigned char *to = (unsigned char *)out + (size_t)done * pitch;
        now = now < rows - done ? now : rows - done;
        if (straight && inside == 0 && now == rows_of(page, band)) {
            if (plane != state->at_page) {
                HALO_TRY(halo_tiff_set_page(reader, plane));
            }
            HALO_TRY(read_strip(reader, at, band, 0, to));
        } else {
            HALO_TRY(read_band(reader, plane, band));
            for (int64_t i = 0; i < now; i++) {
                unpack_row(reader, inside + i, to + (size_t)i * pitch);
            }
        }
        done += now;
    }
    return HALO_OK;
}

#else

/* A source has to have a declaration. */
extern const halo_image_format halo_image_tiff;

#endif
