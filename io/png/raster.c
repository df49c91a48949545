#include "io/png/raster.h"

#include <stdint.h>
#include <string.h>

#if defined(HALOBEAT_ISAL) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "io/png/deflate_block.h"
#include "io/png/vector_state.h"

enum {
    LITERAL, /* kinds of tokens; the others are matches, one a distance */
    BACK,
    ABOVE,
    ABOVE_ON,
    KINDS,
    KIND_SHIFT = 30,
    LEAST = 3, /* bytes of deflate's matches */
    MOST = 258,
    WINDOW = 32768,      /* how far back a match may begin */
    BYTES_PER_TOKEN = 8, /* with shorter matches a general compressor makes smaller files */
    FIRST_TOKENS = 1024, /* rows that begin otherwise than the others have more */
    TOKEN_BYTES = 8,     /* a match is at most 48 bits */
    END_BYTES = 64       /* end of block, flush, and what the last store writes too much */
};

/* A token is a kind above a byte or a match's length, which may be of any size here. */
struct halo_raster {
    size_t bytes;     /* of a call, at most */
    uint32_t *tokens; /* as many as there may be */
    size_t count;
    size_t matches; /* of deflate, in which long ones are several */
    uint64_t literals[256], lengths[MOST + 1], distances[KINDS]; /* how often each comes */
    struct isal_huff_histogram histogram;
    struct isal_hufftables codes;
};

halo_status halo_raster_create(halo_raster **out, size_t bytes)
{
    halo_raster *raster;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE_LARGE(raster, 1, "a coder of rasters"));
    raster->bytes = bytes;
    halo_status status = HALO_ALLOCATE_LARGE(
        raster->tokens, bytes / BYTES_PER_TOKEN + FIRST_TOKENS + 1, "the matches of a chunk");
    if (status != HALO_OK) {
        halo_memory_free(raster);
        return status;
    }
    *out = raster;
    return HALO_OK;
}

void halo_raster_destroy(halo_raster **raster)
{
    if (*raster != NULL) {
        halo_memory_free((*raster)->tokens);
    }
    halo_memory_free(*raster);
    *raster = NULL;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Return the number of bytes that equal those `distance` before them. */
static size_t match(const unsigned char *at, const unsigned char *end, size_t distance)
{
    const unsigned char *from = at;
    for (; (size_t)(end - at) >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t here, there;
        memcpy(&here, at, sizeof here);
        memcpy(&there, at - distance, sizeof there);
        if (here != there) {
            return (size_t)(at - from) + (size_t)__builtin_ctzll(here ^ there) / 8;
        }
    }
    while (at < end && *at == *(at - distance)) {
        at++;
    }
    return (size_t)(at - from);
}

/* Return the next length to encode of a match: the longest possible that leaves nothing, or LEAST
 * and more. */
static uint32_t next_length(uint32_t length)
{
    return length <= MOST ? length : length - MOST >= LEAST ? MOST : length - LEAST;
}

static void count_match(halo_raster *raster, int kind, uint32_t length)
{
    while (length > 0) {
        uint32_t now = next_length(length);
        raster->lengths[now]++;
        raster->distances[kind]++;
        raster->matches++;
        length -= now;
    }
}

/* False if there are too many tokens. The longest match is taken; of equal ones the nearest. */
static bool scan(halo_raster *raster, const unsigned char *data, size_t bytes,
                 const size_t distances[KINDS])
{
    const unsigned char *at = data, *end = data + bytes;
    size_t count = 0;
    while (at < end) {
        size_t best = LEAST - 1;
        uint32_t kind = LITERAL;
        for (uint32_t i = BACK; i < KINDS; i++) {
            bool there = distances[i] > 0 && (size_t)(at - data) >= distances[i];
            size_t length = there ? match(at, end, distances[i]) : 0;
            kind = length > best ? i : kind;
            best = length > best ? length : best;
        }
        if (count > (size_t)(at - data) / BYTES_PER_TOKEN + FIRST_TOKENS) {
            return false;
        }
        if (kind == LITERAL) {
            raster->literals[*at]++;
            raster->tokens[count++] = *at++;
        } else {
            count_match(raster, (int)kind, (uint32_t)best);
            raster->tokens[count++] = kind << KIND_SHIFT | (uint32_t)best;
            at += best;
        }
    }
    raster->count = count;
    return true;
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* Deflate's symbol for a distance, and how many bits follow it. */
static int distance_symbol(size_t distance, unsigned *extra)
{
    unsigned high = 0;
    size_t value = distance - 1;
    while (value >> (high + 1) != 0) {
        high++;
    }
    *extra = high > 0 ? high - 1 : 0;
    return high == 0 ? (int)value : (int)(2 * high + (value >> (high - 1) & 1));
}

static bool make_codes(halo_raster *raster, const size_t distances[KINDS])
{
    struct isal_huff_histogram *histogram = &raster->histogram;
    unsigned extra;
    memset(histogram, 0, sizeof *histogram);
    memcpy(histogram->lit_len_histogram, raster->literals, sizeof raster->literals);
    histogram->lit_len_histogram[256] = 1;
    for (int length = LEAST; length <= MOST; length++) {
        histogram->lit_len_histogram[length_symbol(length)] += raster->lengths[length];
    }
    for (int kind = BACK; kind < KINDS; kind++) {
        if (distances[kind] > 0) {
            histogram->dist_histogram[distance_symbol(distances[kind], &extra)] +=
                raster->distances[kind];
        }
    }
    int failed = isal_create_hufftables_subset(&raster->codes, histogram);
    halo_vector_state_clear();
    return failed == 0;
}

typedef struct {
    uint64_t bits;
    unsigned count;
} code;

static code distance_code(const struct isal_hufftables *codes, size_t distance)
{
    if (distance == 0) {
        return (code){0};
    }
    if (distance <= IGZIP_DIST_TABLE_SIZE) {
        uint32_t both = codes->dist_table[distance - 1];
        return (code){both >> 5, both & 31};
    }
    unsigned extra;
    int symbol = distance_symbol(distance, &extra) - IGZIP_DECODE_OFFSET;
    unsigned count = codes->dcodes_sizes[symbol];
    uint64_t low = (distance - 1) & (((uint64_t)1 << extra) - 1);
    return (code){codes->dcodes[symbol] | low << count, count + extra};
}

static void put_tokens(const halo_raster *raster, bit_writer *writer, const size_t distances[KINDS])
{
    const struct isal_hufftables *codes = &raster->codes;
    code far[KINDS];
    for (int kind = BACK; kind < KINDS; kind++) {
        far[kind] = distance_code(codes, distances[kind]);
    }
    for (size_t i = 0; i < raster->count; i++) {
        uint32_t kind = raster->tokens[i] >> KIND_SHIFT;
        uint32_t left = raster->tokens[i] & (((uint32_t)1 << KIND_SHIFT) - 1);
        if (kind == LITERAL) {
            put_bits(writer, codes->lit_table[left], codes->lit_table_sizes[left]);
            continue;
        }
        while (left > 0) {
            uint32_t now = next_length(left), length = codes->len_table[now - LEAST];
            put_bits(writer, length >> 5 | far[kind].bits << (length & 31),
                     (length & 31) + far[kind].count);
            left -= now;
        }
    }
    put_bits(writer, codes->lit_table[256], codes->lit_table_sizes[256]);
}

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_raster_deflate(halo_raster *raster, halo_buffer *out, const unsigned char *data,
                                size_t bytes, size_t sample, size_t row, bool *done)
{
    bool near = row > 2 * sample && row <= WINDOW;
    const size_t distances[KINDS] = {
        [BACK] = sample, [ABOVE] = near ? row : 0, [ABOVE_ON] = near ? row - sample : 0};
    *done = false;
    raster->matches = 0;
    memset(raster->literals, 0, sizeof raster->literals);
    memset(raster->lengths, 0, sizeof raster->lengths);
    memset(raster->distances, 0, sizeof raster->distances);
    if (bytes > raster->bytes || bytes >> KIND_SHIFT != 0 ||
        !scan(raster, data, bytes, distances) || !make_codes(raster, distances)) {
        return HALO_OK;
    }
    HALO_TRY(halo_buffer_reserve(out, sizeof raster->codes.deflate_hdr + END_BYTES +
                                          (raster->count + raster->matches) * TOKEN_BYTES));
    bit_writer writer = {.out = out->data + out->size};
    put_header(&raster->codes, &writer);
    put_tokens(raster, &writer, distances);
    put_flush(&writer);
    out->size = (size_t)(writer.out - out->data);
    *done = true;
    return HALO_OK;
}

#else

struct halo_raster {
    char nothing;
};

halo_status halo_raster_create(halo_raster **out, size_t bytes)
{
    (void)bytes;
    *out = NULL;
    return HALO_OK;
}

void halo_raster_destroy(halo_raster **raster)
{
    *raster = NULL;
}

halo_status halo_raster_deflate(halo_raster *raster, halo_buffer *out, const unsigned char *data,
                                size_t bytes, size_t sample, size_t row, bool *done)
{
    (void)raster, (void)out, (void)data, (void)bytes, (void)sample, (void)row;
    *done = false;
    return HALO_OK;
}

#endif
