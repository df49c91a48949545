#include "io/png/png_write.h"
#include "support/images.h"
#include "support/png_decode.h"
#include "support/unit_check.h"

#include <zlib.h>

static unsigned char palette[256 * 3];

static const struct {
    halo_png_kind kind;
    int bits, colour_type, samples;
} kinds[] = {
    {HALO_PNG_GREY8, 8, 0, 1},       {HALO_PNG_GREY16, 16, 0, 1},       {HALO_PNG_PALETTE, 8, 3, 1},
    {HALO_PNG_BITS, 1, 0, 1},        {HALO_PNG_RGB8, 8, 2, 3},          {HALO_PNG_RGB16, 16, 2, 3},
    {HALO_PNG_GREY_ALPHA8, 8, 4, 2}, {HALO_PNG_GREY_ALPHA16, 16, 4, 2}, {HALO_PNG_RGBA8, 8, 6, 4},
    {HALO_PNG_RGBA16, 16, 6, 4},
};
enum { KINDS = COUNT(kinds) };

/* Contents that deflate and filters treat differently. */
typedef enum { NOISE, RUNS, STEPS, FLAT, CONTENTS } content;

/* Rows `pitch` bytes apart with rubbish between them. */
typedef struct {
    halo_png_header header;
    size_t pitch;
    unsigned char *rows;
} picture;

/* Runs of two-byte samples of every length from 1 to 700, which deflate's matches end in the middle
 * of, one byte from their end, and so on. */
static void fill_steps(unsigned char *out, size_t bytes, content what, uint64_t seed)
{
    (void)what;
    size_t length = 1, left = 1;
    uint16_t value = (uint16_t)seed;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        memcpy(out + i, &value, sizeof value);
        if (--left == 0) {
            length = length % 700 + 1;
            left = length;
            value = (uint16_t)random_next(&seed);
        }
    }
}

static void fill_bytes(unsigned char *out, size_t bytes, content what, uint64_t seed)
{
    uint64_t state = seed;
    uint64_t value = random_next(&state);
    for (size_t i = 0; i < bytes; i++) {
        if (what == NOISE || (what == RUNS && random_below(&state, 40) == 0)) {
            value = random_next(&state);
        }
        out[i] = (unsigned char)value;
    }
}

static picture make(halo_png_kind kind, int64_t width, int64_t height, content what, uint64_t seed)
{
    picture made = {{width, height, kind, 256, palette, {0}}, 0, NULL};
    size_t row_bytes = halo_png_row_bytes(&made.header);
    made.pitch = (row_bytes + 8) / 8 * 8 + 8 * (seed % 3);
    made.rows = malloc((size_t)height * made.pitch);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made.rows);
    (what == STEPS ? fill_steps : fill_bytes)(made.rows, (size_t)height * made.pitch, what, seed);
    return made;
}

static int64_t chunks_of(const halo_png_header *header)
{
    int64_t rows = halo_png_idat_rows(header);
    return (header->height + rows - 1) / rows;
}

static int64_t rows_of_chunk(const halo_png_header *header, int64_t chunk)
{
    return chunk * halo_png_idat_rows(header);
}

/* The whole file by one encoder. */
static halo_buffer encode(const picture *from)
{
    halo_buffer out = {0};
    halo_png_encoder *encoder = NULL;
    halo_png_sums sums = {1, 0};
    SUCCEEDS(halo_png_encoder_create(&encoder, &from->header));
    SUCCEEDS(halo_png_begin(encoder, &out));
    for (int64_t chunk = 0; chunk < chunks_of(&from->header); chunk++) {
        halo_png_sums added = {0};
        const unsigned char *rows =
            from->rows + (size_t)rows_of_chunk(&from->header, chunk) * from->pitch;
        SUCCEEDS(halo_png_idat(encoder, &out, rows, from->pitch, chunk, &added));
        sums = halo_png_sums_join(sums, added);
    }
    SUCCEEDS(halo_png_end(encoder, &out, sums.adler));
    halo_png_encoder_destroy(&encoder);
    CU_ASSERT_PTR_NULL(encoder);
    return out;
}

static bool row_is_right(const picture *from, const decoded_png *seen, int64_t y)
{
    const unsigned char *want = from->rows + (size_t)y * from->pitch;
    const unsigned char *have = seen->pixels + (size_t)y * seen->row_bytes;
    if (from->header.kind != HALO_PNG_BITS) {
        return memcmp(want, have, seen->row_bytes) == 0;
    }
    for (int64_t x = 0; x < from->header.width; x++) {
        uint64_t word;
        memcpy(&word, want + x / 64 * 8, sizeof word);
        if ((word >> x % 64 & 1) != (uint64_t)(have[x / 8] >> (7 - x % 8) & 1)) {
            return false;
        }
    }
    return true;
}

static bool is_right(const picture *from, const decoded_png *seen, size_t index)
{
    bool right = seen->width == from->header.width && seen->height == from->header.height &&
                 seen->bits == kinds[index].bits && seen->colour_type == kinds[index].colour_type;
    if (right && from->header.kind == HALO_PNG_PALETTE) {
        right = seen->colours == from->header.colours &&
                memcmp(seen->palette, palette, (size_t)seen->colours * 3) == 0;
    }
    for (int64_t y = 0; right && y < from->header.height; y++) {
        right = row_is_right(from, seen, y);
    }
    return right;
}

static void check_picture(size_t index, int64_t width, int64_t height, content what)
{
    picture from = make(kinds[index].kind, width, height, what,
                        (uint64_t)(width * 1000 + height * 10 + (int64_t)index));
    halo_buffer file = encode(&from);
    decoded_png seen;
    CU_ASSERT(decode_with_libpng(&seen, file.data, file.size) && is_right(&from, &seen, index));
    uint64_t raw = (uint64_t)height * (seen.row_bytes + 1);
    CU_ASSERT(png_stream_is_whole(file.data, file.size, raw));
    decoded_png_free(&seen);
    if (decode_has_spng()) {
        CU_ASSERT(decode_with_spng(&seen, file.data, file.size) && is_right(&from, &seen, index));
        decoded_png_free(&seen);
    }
    halo_buffer_free(&file);
    free(from.rows);
}

TEST("every kind, odd sizes")
{
    static const int64_t widths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1000};
    static const int64_t heights[] = {1, 2, 3, 70};
    for (size_t index = 0; index < KINDS; index++) {
        for (size_t w = 0; w < COUNT(widths); w++) {
            for (size_t h = 0; h < COUNT(heights); h++) {
                for (content what = 0; what < CONTENTS; what++) {
                    check_picture(index, widths[w], heights[h], what);
                }
            }
        }
    }
}

/* More than one chunk, the last one short, and rows that fill a chunk each. */
TEST("several chunks")
{
    for (size_t index = 0; index < KINDS; index++) {
        int64_t width = kinds[index].bits == 1 ? 20000 : 2000;
        if (kinds[index].kind > HALO_PNG_RGB8 && kinds[index].kind < HALO_PNG_RGBA16) {
            continue; /* the same functions */
        }
        for (content what = 0; what < CONTENTS; what++) {
            check_picture(index, width, 1500, what);
        }
        check_picture(index, kinds[index].bits == 1 ? 9000001 : 1100001, 3, RUNS);
        check_picture(index, 1, 1200000, RUNS);
        check_picture(index, 300000, 3, STEPS);
        check_picture(index, 131074, 9, FLAT);
    }
}

/* Chunks encoded last to first, each by its own encoder, are the file's bytes. */
TEST("chunks on their own")
{
    picture from = make(HALO_PNG_GREY16, 1500, 2000, RUNS, 7);
    halo_buffer whole = encode(&from);
    size_t end = whole.size - 30; /* the last chunks: 12 + 6 and 12 bytes */
    CU_ASSERT(chunks_of(&from.header) > 3);
    for (int64_t chunk = chunks_of(&from.header) - 1; chunk >= 0; chunk--) {
        halo_buffer alone = {0};
        halo_png_encoder *encoder = NULL;
        halo_png_sums sums = {0};
        SUCCEEDS(halo_png_encoder_create(&encoder, &from.header));
        const unsigned char *rows =
            from.rows + (size_t)rows_of_chunk(&from.header, chunk) * from.pitch;
        SUCCEEDS(halo_png_idat(encoder, &alone, rows, from.pitch, chunk, &sums));
        CU_ASSERT_FATAL(alone.size <= end);
        end -= alone.size;
        CU_ASSERT(memcmp(whole.data + end, alone.data, alone.size) == 0);
        halo_png_encoder_destroy(&encoder);
        halo_buffer_free(&alone);
    }
    CU_ASSERT_EQUAL(end, 33); /* signature and IHDR */
    halo_buffer_free(&whole);
    free(from.rows);
}

/* Bits after the last pixel of a row are ignored. */
TEST("bits after the last pixel")
{
    for (int64_t width = 1; width < 130; width++) {
        picture from = make(HALO_PNG_BITS, width, 3, NOISE, 5);
        halo_buffer first = encode(&from);
        for (int64_t y = 0; width % 64 != 0 && y < 3; y++) {
            uint64_t word;
            unsigned char *at = from.rows + (size_t)y * from.pitch + width / 64 * 8;
            memcpy(&word, at, sizeof word);
            word ^= ~(uint64_t)0 << width % 64;
            memcpy(at, &word, sizeof word);
        }
        halo_buffer second = encode(&from);
        CU_ASSERT(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        halo_buffer_free(&first);
        halo_buffer_free(&second);
        free(from.rows);
    }
}

TEST("sums of parts")
{
    static const size_t lengths[] = {0, 1, 5552, 65520, 65521, 65522, 200000};
    enum { BYTES = 400000 };
    unsigned char *data = malloc(BYTES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (int high = 0; high < 2; high++) {
        uint64_t state = 3;
        for (size_t i = 0; i < BYTES; i++) {
            data[i] = high ? 255 : (unsigned char)random_next(&state);
        }
        for (size_t a = 0; a < COUNT(lengths); a++) {
            for (size_t b = 0; b < COUNT(lengths); b++) {
                halo_png_sums first = {(uint32_t)adler32_z(1, data, lengths[a]),
                                       (int64_t)lengths[a]};
                halo_png_sums second = {(uint32_t)adler32_z(1, data + lengths[a], lengths[b]),
                                        (int64_t)lengths[b]};
                halo_png_sums both = halo_png_sums_join(first, second);
                CU_ASSERT_EQUAL(both.adler, adler32_z(1, data, lengths[a] + lengths[b]));
                CU_ASSERT_EQUAL(both.bytes, (int64_t)(lengths[a] + lengths[b]));
            }
        }
    }
    free(data);
}

/* Zeros leave the lower half as it is, and add it to the upper one each time. */
TEST("sums of parts larger than 4 GiB")
{
    const int64_t lengths[] = {(INT64_C(1) << 31) - 1, (INT64_C(1) << 32) + 7, INT64_C(1) << 61};
    const uint32_t low = 295, high = 589, base = 65521; /* of the letters abc */
    for (size_t i = 0; i < COUNT(lengths); i++) {
        uint32_t zeros = (uint32_t)(lengths[i] % base);
        uint32_t sum = (uint32_t)((high + (uint64_t)zeros * low) % base);
        halo_png_sums both = halo_png_sums_join((halo_png_sums){high << 16 | low, 3},
                                                (halo_png_sums){zeros << 16 | 1, lengths[i]});
        CU_ASSERT_EQUAL(both.adler, sum << 16 | low);
        CU_ASSERT_EQUAL(both.bytes, lengths[i] + 3);
    }
}

TEST("headers out of range")
{
    const int64_t limit = 0x7fffffff;
    const halo_png_header bad[] = {
        {0, 5, HALO_PNG_GREY8, 0, NULL, {0}},
        {5, 0, HALO_PNG_GREY8, 0, NULL, {0}},
        {-1, 5, HALO_PNG_BITS, 0, NULL, {0}},
        {limit + 1, 1, HALO_PNG_BITS, 0, NULL, {0}},
        {1, limit + 1, HALO_PNG_GREY8, 0, NULL, {0}},
        {limit, 1, HALO_PNG_RGB8, 0, NULL, {0}}, /* a row of 6 GB */
        {5, 5, HALO_PNG_PALETTE, 3, NULL, {0}},
        {5, 5, HALO_PNG_PALETTE, 0, palette, {0}},
        {5, 5, HALO_PNG_PALETTE, 257, palette, {0}},
        {5, 5, (halo_png_kind)17, 0, NULL, {0}},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        halo_png_encoder *encoder = NULL;
        CU_ASSERT_EQUAL(halo_png_encoder_create(&encoder, &bad[i]), HALO_ARGUMENT);
        CU_ASSERT_PTR_NULL(encoder);
        CU_ASSERT(strlen(halo_last_message()) > 20);
    }
    const halo_png_header good[] = {
        {limit, limit, HALO_PNG_BITS, 0, NULL, {0}},
        {1, limit, HALO_PNG_RGB8, 0, NULL, {0}},
        {5, 5, HALO_PNG_PALETTE, 1, palette, {0}},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        SUCCEEDS(halo_png_header_check(&good[i]));
        int64_t rows = halo_png_idat_rows(&good[i]);
        int64_t chunks = chunks_of(&good[i]);
        CU_ASSERT(rows >= 1 && rows * chunks >= good[i].height &&
                  rows * (chunks - 1) < good[i].height);
    }
}

int main(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof palette; i++) {
        palette[i] = (unsigned char)random_next(&state);
    }
    return unit_check_run();
}
