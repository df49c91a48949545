#include "io/png/runs.h"

#include "base/memory.h"

#include <string.h>

#if defined(HALOBEAT_ISAL) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "io/png/deflate_block.h"
#include "io/png/vector_state.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    MATCH = 129,           /* samples in deflate's longest match, 258 bytes */
    SHORT = MATCH + 1,     /* the longest run that takes no more than one match */
    PIECE = 1023 * 64,     /* samples looked at in one go: a run's length must fit 16 bits */
    SAMPLES_PER_TOKEN = 4, /* with shorter runs a general compressor makes smaller files */
    TOKEN_BYTES = 7,       /* two literals and a match are at most 51 bits */
    MATCH_BYTES = 4,
    TOKENS_AHEAD = 4, /* a filter byte's, and what put_run writes too much */
    END_BYTES = 64    /* end of block, flush, and what the last store writes too much */
};

/* A token is a run: its sample above its length, which is 0 for a filter byte and never 2, as no
 * match is that short. */
struct halo_runs {
    size_t max; /* tokens */
    size_t count;
    uint32_t *tokens;             /* [max + room for one piece of a row at its worst] */
    uint64_t low[256], high[256]; /* how often each byte is a literal */
    uint64_t lengths[SHORT + 1];  /* how often runs, less their longest matches, have each length */
    uint64_t max_matches;         /* the longest matches */
    struct isal_huff_histogram histogram;
    struct isal_hufftables codes;
};

halo_status halo_runs_create(halo_runs **out, size_t samples, size_t rows)
{
    halo_runs *runs;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE_LARGE(runs, 1, "a run-length coder"));
    runs->max = samples / SAMPLES_PER_TOKEN + 2 * rows;
    size_t piece = samples < PIECE ? samples : PIECE;
    size_t tokens = runs->max + piece + TOKENS_AHEAD;
    halo_status status = HALO_ALLOCATE_LARGE(runs->tokens, tokens, "the runs of a chunk");
    if (status != HALO_OK) {
        halo_memory_free(runs);
        return status;
    }
    *out = runs;
    return HALO_OK;
}

void halo_runs_destroy(halo_runs **runs)
{
    if (*runs != NULL) {
        halo_memory_free((*runs)->tokens);
    }
    halo_memory_free(*runs);
    *runs = NULL;
}

/* Bit i: does sample i differ from the one before it? */
static uint64_t find_starts(const unsigned char *at)
{
    uint64_t starts = 0;
#ifdef __SSE2__
    for (int i = 0; i < 4; i++, at += 32) {
        __m128i first = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
        __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(at - 2));
        __m128i between = _mm_loadu_si128((const __m128i *)(const void *)(at + 14));
        __m128i same =
            _mm_packs_epi16(_mm_cmpeq_epi16(first, before), _mm_cmpeq_epi16(second, between));
        starts |= (uint64_t)(~(unsigned)_mm_movemask_epi8(same) & 0xffff) << (16 * i);
    }
#else
    for (int i = 0; i < 64; i++) {
        starts |= (uint64_t)(memcmp(at + 2 * i, at + 2 * i - 2, 2) != 0) << i;
    }
#endif
    return starts;
}

/* A run of 2 becomes two of 1, without a branch that would be hard to predict. */
static uint32_t *put_run(uint32_t *token, const unsigned char *at, size_t length)
{
    uint16_t sample;
    memcpy(&sample, at, sizeof sample);
    uint32_t two = length == 2;
    token[0] = (uint32_t)sample << 16 | ((uint32_t)length - two);
    token[1] = (uint32_t)sample << 16 | 1;
    return token + 1 + two;
}

static uint32_t *scan_piece(uint32_t *token, const unsigned char *at, size_t samples)
{
    size_t begin = 0;
    for (size_t x = 0; x < samples; x += 64) {
        uint64_t starts = find_starts(at + 2 * x);
        if (x == 0) {
            starts &= ~(uint64_t)1;
        }
        if (samples - x < 64) {
            starts &= ((uint64_t)1 << (samples - x)) - 1;
        }
        for (; starts != 0; starts &= starts - 1) {
            size_t start = x + (size_t)__builtin_ctzll(starts);
            token = put_run(token, at + 2 * begin, start - begin);
            begin = start;
        }
    }
    return put_run(token, at + 2 * begin, samples - begin);
}

/* False if there are too many runs. */
static bool scan(halo_runs *runs, const unsigned char *data, size_t rows, size_t samples)
{
    uint32_t *token = runs->tokens;
    for (size_t row = 0; row < rows; row++) {
        *token++ = (uint32_t)*data++ << 16;
        for (size_t x = 0; x < samples; x += PIECE) {
            token = scan_piece(token, data + 2 * x, samples - x < PIECE ? samples - x : PIECE);
            if ((size_t)(token - runs->tokens) > runs->max) {
                return false;
            }
        }
        data += 2 * samples;
    }
    runs->count = (size_t)(token - runs->tokens);
    return true;
}

/* Samples left of a run when its longest matches are taken: 2 to SHORT. */
static uint32_t left_of(uint32_t length)
{
    return length - (length - 2) / MATCH * MATCH;
}

static void count_symbols(halo_runs *runs)
{
    memset(runs->low, 0, sizeof runs->low);
    memset(runs->high, 0, sizeof runs->high);
    memset(runs->lengths, 0, sizeof runs->lengths);
    runs->max_matches = 0;
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t length = runs->tokens[i] & 0xffff;
        uint32_t low = runs->tokens[i] >> 16 & 255;
        uint32_t high = runs->tokens[i] >> 24;
        runs->low[low]++;
        runs->high[high]++;
        if (length > SHORT) {
            runs->max_matches += (length - 2) / MATCH;
            length = left_of(length);
            /* Two bytes left are literals again. */
            runs->low[low] += length == 2;
            runs->high[high] += length == 2;
        }
        runs->lengths[length]++;
    }
    runs->high[0] -= runs->lengths[0]; /* filter bytes have no second byte */
}

static bool make_codes(halo_runs *runs)
{
    struct isal_huff_histogram *histogram = &runs->histogram;
    memset(histogram, 0, sizeof *histogram);
    for (int i = 0; i < 256; i++) {
        histogram->lit_len_histogram[i] = runs->low[i] + runs->high[i];
    }
    histogram->lit_len_histogram[256] = 1;
    histogram->lit_len_histogram[length_symbol(2 * MATCH)] = runs->max_matches;
    histogram->dist_histogram[1] = runs->max_matches;
    for (int length = 3; length <= SHORT; length++) {
        histogram->lit_len_histogram[length_symbol(2 * (length - 1))] += runs->lengths[length];
        histogram->dist_histogram[1] += runs->lengths[length];
    }
    int failed = isal_create_hufftables_subset(&runs->codes, histogram);
    halo_vector_state_clear();
    return failed == 0;
}

typedef struct {
    uint32_t bits[SHORT + 1];
    unsigned char count[SHORT + 1];
} match_codes;

/* Length and distance together, by the length of the run; nothing for runs of 1. */
static void make_match_codes(match_codes *matches, const struct isal_hufftables *codes)
{
    memset(matches, 0, sizeof *matches);
    uint32_t distance = codes->dist_table[1];
    for (int length = 3; length <= SHORT; length++) {
        uint32_t code = codes->len_table[2 * (length - 1) - 3];
        matches->bits[length] = code >> 5 | distance >> 5 << (code & 31);
        matches->count[length] = (unsigned char)((code & 31) + (distance & 31));
    }
}

static void put_long_run(bit_writer *writer, const match_codes *matches, uint64_t pair,
                         unsigned pair_count, uint32_t length)
{
    put_bits(writer, pair, pair_count);
    uint32_t left = left_of(length);
    for (; length > left; length -= MATCH) {
        put_bits(writer, matches->bits[SHORT], matches->count[SHORT]);
    }
    if (left == 2) {
        put_bits(writer, pair, pair_count);
    } else {
        put_bits(writer, matches->bits[left], matches->count[left]);
    }
}

static void put_tokens(const halo_runs *runs, bit_writer *writer)
{
    const struct isal_hufftables *codes = &runs->codes;
    match_codes matches;
    make_match_codes(&matches, codes);
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t length = runs->tokens[i] & 0xffff;
        uint32_t low = runs->tokens[i] >> 16 & 255;
        uint32_t high = runs->tokens[i] >> 24;
        uint64_t bits = codes->lit_table[low];
        unsigned count = codes->lit_table_sizes[low];
        if (length == 0) {
            put_bits(writer, bits, count);
            continue;
        }
        bits |= (uint64_t)codes->lit_table[high] << count;
        count += codes->lit_table_sizes[high];
        if (length > SHORT) {
            put_long_run(writer, &matches, bits, count, length);
            continue;
        }
        bits |= (uint64_t)matches.bits[length] << count;
        put_bits(writer, bits, count + matches.count[length]);
    }
    put_bits(writer, codes->lit_table[256], codes->lit_table_sizes[256]);
}

halo_status halo_runs_deflate(halo_runs *runs, halo_buffer *out, const unsigned char *data,
                              size_t rows, size_t samples, bool *done)
{
    *done = false;
    if (!scan(runs, data, rows, samples)) {
        return HALO_OK;
    }
    count_symbols(runs);
    if (!make_codes(runs)) {
        return HALO_OK;
    }
    HALO_TRY(halo_buffer_reserve(out, sizeof runs->codes.deflate_hdr + END_BYTES +
                                          2 * runs->count * TOKEN_BYTES +
                                          (size_t)runs->max_matches * MATCH_BYTES));
    bit_writer writer = {.out = out->data + out->size};
    put_header(&runs->codes, &writer);
    put_tokens(runs, &writer);
    put_flush(&writer);
    out->size = (size_t)(writer.out - out->data);
    *done = true;
    return HALO_OK;
}

#else

struct halo_runs {
    char nothing;
};

halo_status halo_runs_create(halo_runs **out, size_t samples, size_t rows)
{
    (void)samples;
    (void)rows;
    *out = NULL;
    return HALO_OK;
}

void halo_runs_destroy(halo_runs **runs)
{
    *runs = NULL;
}

halo_status halo_runs_deflate(halo_runs *runs, halo_buffer *out, const unsigned char *data,
                              size_t rows, size_t samples, bool *done)
{
    (void)runs;
    (void)out;
    (void)data;
    (void)rows;
    (void)samples;
    *done = false;
    return HALO_OK;
}

#endif
