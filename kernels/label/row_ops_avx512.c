/* The inner loops with AVX-512 (VBMI2, BITALG, VPOPCNTDQ: Ice Lake, Zen 4 and later). */

#include "kernels/label/row_ops_body.h"

#include <immintrin.h>

/* For each of 64 pixels: how many of the bits up to and including it are set. */
static inline __m512i prefix_counts(uint64_t bits)
{
    const __m512i bytes_below =
        _mm512_set_epi64(0x00ffffffffffffff, 0x0000ffffffffffff, 0x000000ffffffffff, 0xffffffff,
                         0xffffff, 0xffff, 0xff, 0);
    const __m512i own_byte = _mm512_set_epi64(
        0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m512i up_to = _mm512_set1_epi64((int64_t)0xff7f3f1f0f070301);
    const __m512i low_byte =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0808080808080808, 0x0000000000000000));
    __m512i all = _mm512_set1_epi64((int64_t)bits);
    __m512i below = _mm512_popcnt_epi64(_mm512_and_si512(all, bytes_below));
    __m512i within =
        _mm512_popcnt_epi8(_mm512_and_si512(_mm512_shuffle_epi8(all, own_byte), up_to));
    return _mm512_add_epi8(_mm512_shuffle_epi8(below, low_byte), within);
}

/* Append the first `count` of 64 bytes, each plus `base`; writes whole vectors. */
static inline void append(int32_t *out, __m512i bytes, int64_t count, int32_t base)
{
    __m512i bases = _mm512_set1_epi32(base);
    __m128i part = _mm512_castsi512_si128(bytes);
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(part), bases));
    if (count > 16) {
        part = _mm512_extracti32x4_epi32(bytes, 1);
        _mm512_storeu_si512(out + 16, _mm512_add_epi32(_mm512_cvtepu8_epi32(part), bases));
    }
    if (count > 32) {
        part = _mm512_extracti32x4_epi32(bytes, 2);
        _mm512_storeu_si512(out + 32, _mm512_add_epi32(_mm512_cvtepu8_epi32(part), bases));
        part = _mm512_extracti32x4_epi32(bytes, 3);
        _mm512_storeu_si512(out + 48, _mm512_add_epi32(_mm512_cvtepu8_epi32(part), bases));
    }
}

/* In each lane two numbers of runs: of the upper row in the lower half, of the lower row above. */
typedef struct {
    __m512i runs;    /* those that reach into the next word, in all lanes */
    uint32_t linked; /* has that lower run a link? */
} link_state;

enum { FEW_EDGES = 3 }; /* in a word: below, one of each word at a time is faster than a word */

/* For each lane: the sum of all lanes before it. */
static inline __m512i sums_before(__m512i lanes)
{
    const __m512i zero = _mm512_setzero_si512();
    lanes = _mm512_alignr_epi64(lanes, zero, 7);
    lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64(lanes, zero, 7));
    lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64(lanes, zero, 6));
    return _mm512_add_epi64(lanes, _mm512_alignr_epi64(lanes, zero, 4));
}

static inline __m512i count_both(__m512i upper, __m512i lower)
{
    return _mm512_or_si512(_mm512_popcnt_epi64(upper),
                           _mm512_slli_epi64(_mm512_popcnt_epi64(lower), 32));
}

/* Which edges are the first ones of their lower runs: adding the starts to everything but edges
 * carries from each start to its first edge. Runs begin where a word does, too; a carry that meets
 * no edge ends before the next start. `linked` says whether the run that reaches into the vector
 * has a link, and then whether the one that reaches out has. */
static inline __m512i first_edges(__m512i edges, __m512i starts, uint32_t *linked)
{
    const __m512i one = _mm512_set1_epi64(1);
    __m512i stops = _mm512_or_si512(edges, _mm512_srli_epi64(starts, 1));
    __m512i begun = _mm512_or_si512(starts, one);
    __m512i reached = _mm512_sub_epi64(begun, _mm512_add_epi64(stops, one)); /* ~stops + begun */
    __m512i firsts = _mm512_and_si512(edges, reached);
    /* From word to word as an addition carries. */
    uint32_t passes = _mm512_testn_epi64_mask(starts, starts);
    /* There is an edge at the word's last start or behind it: not edges < starts & ~edges. */
    uint32_t makes = _mm512_mask_cmpge_epu64_mask(_mm512_test_epi64_mask(edges, edges), edges,
                                                  _mm512_andnot_si512(edges, starts));
    uint32_t any = passes | makes, carries = (any + makes + *linked) ^ any ^ makes;
    *linked = carries >> 8;
    __m512i reach_in = _mm512_andnot_si512(starts, _mm512_sub_epi64(starts, one));
    return _mm512_mask_andnot_epi64(firsts, (__mmask8)carries, reach_in, firsts);
}

/* All links of one word. */
static inline void link_word(uint64_t edges, uint64_t first, uint64_t upper_starts,
                             uint64_t lower_starts, uint64_t runs, label_links *links)
{
    __m512i upper = prefix_counts(upper_starts), lower = prefix_counts(lower_starts);
    int32_t upper_run = (int32_t)(uint32_t)runs, lower_run = (int32_t)(runs >> 32);
    uint64_t other = edges & ~first;
    int64_t firsts = _mm_popcnt_u64(first), others = _mm_popcnt_u64(other);
    append(links->first_upper + links->firsts, _mm512_maskz_compress_epi8(first, upper), firsts,
           upper_run);
    append(links->first_lower + links->firsts, _mm512_maskz_compress_epi8(first, lower), firsts,
           lower_run);
    append(links->other_upper + links->others, _mm512_maskz_compress_epi8(other, upper), others,
           upper_run);
    append(links->other_lower + links->others, _mm512_maskz_compress_epi8(other, lower), others,
           lower_run);
    links->firsts += firsts;
    links->others += others;
}

static inline int64_t put_links(int32_t *upper, int32_t *lower, __mmask8 lanes, __m512i runs)
{
    runs = _mm512_maskz_compress_epi64(lanes, runs);
    _mm256_storeu_si256((__m256i *)(void *)upper, _mm512_cvtepi64_epi32(runs));
    _mm256_storeu_si256((__m256i *)(void *)lower,
                        _mm512_cvtepi64_epi32(_mm512_srli_epi64(runs, 32)));
    return _mm_popcnt_u32(lanes);
}

/* The lowest edge of each word, then the next, until none is left: where words have few. */
static inline void link_lowest(__m512i edges, __m512i firsts, __m512i upper_starts,
                               __m512i lower_starts, __m512i runs, label_links *links)
{
    const __m512i one = _mm512_set1_epi64(1);
    __mmask8 left = _mm512_test_epi64_mask(edges, edges);
    while (left != 0) {
        __m512i next = _mm512_and_si512(edges, _mm512_sub_epi64(edges, one));
        __m512i up_to = _mm512_xor_si512(edges, _mm512_sub_epi64(edges, one));
        __m512i at = _mm512_add_epi32(runs, count_both(_mm512_and_si512(upper_starts, up_to),
                                                       _mm512_and_si512(lower_starts, up_to)));
        __mmask8 first =
            _mm512_mask_test_epi64_mask(left, firsts, _mm512_andnot_si512(next, edges));
        links->firsts += put_links(links->first_upper + links->firsts,
                                   links->first_lower + links->firsts, first, at);
        links->others += put_links(links->other_upper + links->others,
                                   links->other_lower + links->others, left & (__mmask8)~first, at);
        edges = next;
        left = _mm512_test_epi64_mask(edges, edges);
    }
}

/* The links of eight words. */
static inline void link_words(__m512i edges, __m512i upper_starts, __m512i lower_starts,
                              link_state *at, label_links *links)
{
    __m512i counts = count_both(upper_starts, lower_starts), before = sums_before(counts);
    __m512i runs = _mm512_add_epi32(at->runs, before);
    at->runs = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), _mm512_add_epi32(runs, counts));
    __m512i firsts = first_edges(edges, lower_starts, &at->linked);
    uint32_t many =
        _mm512_cmpgt_epu64_mask(_mm512_popcnt_epi64(edges), _mm512_set1_epi64(FEW_EDGES));
    link_lowest(_mm512_maskz_mov_epi64((__mmask8)~many, edges), firsts, upper_starts, lower_starts,
                runs, links);
    if (many == 0) {
        return;
    }
    _Alignas(64) uint64_t edge_words[8], first_words[8], upper_words[8], lower_words[8],
        before_words[8];
    _mm512_store_si512(edge_words, edges);
    _mm512_store_si512(first_words, firsts);
    _mm512_store_si512(upper_words, upper_starts);
    _mm512_store_si512(lower_words, lower_starts);
    _mm512_store_si512(before_words, runs);
    for (; many != 0; many &= many - 1) {
        int j = __builtin_ctz(many);
        link_word(edge_words[j], first_words[j], upper_words[j], lower_words[j], before_words[j],
                  links);
    }
}

/* One pixel to the right, across words; `before` is the vector to the left. */
static inline __m512i grow(__m512i row, __m512i before)
{
    return _mm512_shldi_epi64(row, _mm512_alignr_epi64(row, before, 7), 1);
}

static inline __mmask8 first_words(int64_t left)
{
    return (__mmask8)(left >= 8 ? 0xff : (1 << left) - 1);
}

/* `apart`: runs are not those of the pixels that touch. */
static inline void link_pair(const label_row_pair *pair, label_links *links, bool apart)
{
    uint64_t runs_before =
        (uint64_t)(uint32_t)(pair->lower_first - 1) << 32 | (uint32_t)(pair->upper_first - 1);
    link_state at = {.runs = _mm512_set1_epi64((int64_t)runs_before)};
    links->firsts = 0;
    __m512i upper_before = _mm512_setzero_si512(), lower_before = upper_before;
    __m512i upper_run_before = upper_before, lower_run_before = upper_before;
    for (int64_t i = 0; i < pair->words; i += 8) {
        __mmask8 loaded = first_words(pair->words - i);
        __m512i upper = _mm512_maskz_loadu_epi64(loaded, pair->upper + i);
        __m512i lower = _mm512_maskz_loadu_epi64(loaded, pair->lower + i);
        if (apart) {
            upper = _mm512_or_si512(upper, _mm512_maskz_loadu_epi64(loaded, pair->upper_too + i));
            lower = _mm512_or_si512(lower, _mm512_maskz_loadu_epi64(loaded, pair->lower_too + i));
        }
        __m512i upper_grown = grow(upper, upper_before), lower_grown = grow(lower, lower_before);
        __m512i upper_starts = _mm512_andnot_si512(upper_grown, upper);
        __m512i lower_starts = _mm512_andnot_si512(lower_grown, lower);
        __m512i starts = _mm512_or_si512(upper_starts, lower_starts), begun = starts;
        upper_before = upper;
        lower_before = lower;
        if (apart) {
            __m512i upper_runs = _mm512_maskz_loadu_epi64(loaded, pair->upper_runs + i);
            __m512i lower_runs = _mm512_maskz_loadu_epi64(loaded, pair->lower_runs + i);
            upper_starts = _mm512_andnot_si512(grow(upper_runs, upper_run_before), upper_runs);
            lower_starts = _mm512_andnot_si512(grow(lower_runs, lower_run_before), lower_runs);
            upper_run_before = upper_runs;
            lower_run_before = lower_runs;
            begun = _mm512_or_si512(starts, _mm512_or_si512(upper_starts, lower_starts));
        }
        if (_mm512_test_epi64_mask(begun, begun) == 0) {
            continue;
        }
        if (pair->implied != NULL) {
            __m512i implied = _mm512_maskz_loadu_epi64(loaded, pair->implied + i);
            implied = _mm512_and_si512(implied, _mm512_and_si512(upper, lower));
            starts = _mm512_andnot_si512(implied, starts);
        }
        if (pair->diagonal) {
            upper = _mm512_or_si512(upper, upper_grown);
            lower = _mm512_or_si512(lower, lower_grown);
        }
        __m512i edges = _mm512_and_si512(_mm512_and_si512(upper, lower), starts);
        link_words(edges, upper_starts, lower_starts, &at, links);
    }
}

static void link_rows(const label_row_pair *pair, label_links *links)
{
    if (pair->upper == pair->upper_runs && pair->lower == pair->lower_runs) {
        link_pair(pair, links, false);
    } else {
        link_pair(pair, links, true);
    }
}

static void either(const uint64_t *a, const uint64_t *b, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i += 8) {
        __mmask8 lanes = first_words(words - i);
        __m512i all = _mm512_or_si512(_mm512_maskz_loadu_epi64(lanes, a + i),
                                      _mm512_maskz_loadu_epi64(lanes, b + i));
        _mm512_mask_storeu_epi64(out + i, lanes, all);
    }
}

static int64_t fold(const uint64_t *const rows[4], int64_t words, uint64_t *out)
{
    __m512i runs = _mm512_setzero_si512(), before = runs;
    for (int64_t i = 0; i < words; i += 8) {
        __mmask8 lanes = first_words(words - i);
        __m512i upper = _mm512_or_si512(_mm512_maskz_loadu_epi64(lanes, rows[0] + i),
                                        _mm512_maskz_loadu_epi64(lanes, rows[1] + i));
        __m512i lower = _mm512_or_si512(_mm512_maskz_loadu_epi64(lanes, rows[2] + i),
                                        _mm512_maskz_loadu_epi64(lanes, rows[3] + i));
        __m512i row = _mm512_or_si512(upper, lower);
        _mm512_mask_storeu_epi64(out + i, lanes, row);
        __m512i starts = _mm512_andnot_si512(grow(row, before), row);
        runs = _mm512_add_epi64(runs, _mm512_popcnt_epi64(starts));
        before = row;
    }
    return _mm512_reduce_add_epi64(runs);
}

static void all(const uint64_t *const rows[4], int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i += 8) {
        __mmask8 lanes = first_words(words - i);
        __m512i upper = _mm512_and_si512(_mm512_maskz_loadu_epi64(lanes, rows[0] + i),
                                         _mm512_maskz_loadu_epi64(lanes, rows[1] + i));
        __m512i lower = _mm512_and_si512(_mm512_maskz_loadu_epi64(lanes, rows[2] + i),
                                         _mm512_maskz_loadu_epi64(lanes, rows[3] + i));
        _mm512_mask_storeu_epi64(out + i, lanes, _mm512_and_si512(upper, lower));
    }
}

static int64_t count_runs(const uint64_t *bits, int64_t words)
{
    __m512i runs = _mm512_setzero_si512(), before = runs;
    for (int64_t i = 0; i < words; i += 8) {
        __mmask8 loaded = first_words(words - i);
        __m512i row = _mm512_maskz_loadu_epi64(loaded, bits + i);
        __m512i starts = _mm512_andnot_si512(grow(row, before), row);
        runs = _mm512_add_epi64(runs, _mm512_popcnt_epi64(starts));
        before = row;
    }
    return _mm512_reduce_add_epi64(runs);
}

static inline __mmask16 first_lanes(int64_t count)
{
    return (__mmask16)(count >= 16 ? 0xffff : (1 << count) - 1);
}

static void copy(int32_t *labels, const int32_t *lower, const int32_t *upper, int64_t count)
{
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i from = _mm512_maskz_loadu_epi32(lanes, upper + i);
        __m512i to = _mm512_maskz_loadu_epi32(lanes, lower + i);
        __m512i label = _mm512_mask_i32gather_epi32(from, lanes, from, labels, 4);
        _mm512_mask_i32scatter_epi32(labels, lanes, to, label, 4);
    }
}

static int64_t adopt(int32_t *labels, label_links *links)
{
    int64_t others = links->others, before = others;
    for (int64_t i = 0; i < links->firsts; i += 16) {
        __mmask16 lanes = first_lanes(links->firsts - i);
        __m512i upper = _mm512_maskz_loadu_epi32(lanes, links->first_upper + i);
        __m512i lower = _mm512_maskz_loadu_epi32(lanes, links->first_lower + i);
        __m512i label = _mm512_mask_i32gather_epi32(lower, lanes, lower, labels, 4);
        __mmask16 none = lanes & _mm512_movepi32_mask(label), has = lanes & (__mmask16)~none;
        label = _mm512_mask_i32gather_epi32(label, none, upper, labels, 4);
        _mm512_mask_i32scatter_epi32(labels, none, lower, label, 4);
        _mm512_storeu_si512(links->other_upper + others, _mm512_maskz_compress_epi32(has, upper));
        _mm512_storeu_si512(links->other_lower + others, _mm512_maskz_compress_epi32(has, lower));
        others += (int64_t)_mm_popcnt_u32(has);
    }
    links->others = others;
    return links->firsts - (others - before);
}

static int64_t differ(const int32_t *labels, const int32_t *parents, int32_t *upper, int32_t *lower,
                      int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i above = _mm512_maskz_loadu_epi32(lanes, upper + i);
        __m512i below = _mm512_maskz_loadu_epi32(lanes, lower + i);
        above = _mm512_mask_i32gather_epi32(above, lanes, above, labels, 4);
        below = _mm512_mask_i32gather_epi32(below, lanes, below, labels, 4);
        __m512i above_parent = _mm512_mask_i32gather_epi32(above, lanes, above, parents, 4);
        __m512i below_parent = _mm512_mask_i32gather_epi32(below, lanes, below, parents, 4);
        __mmask16 keep = _mm512_mask_cmpneq_epi32_mask(lanes, above_parent, below_parent);
        _mm512_storeu_si512(upper + kept, _mm512_maskz_compress_epi32(keep, above));
        _mm512_storeu_si512(lower + kept, _mm512_maskz_compress_epi32(keep, below));
        kept += (int64_t)_mm_popcnt_u32(keep);
    }
    return kept;
}

static int32_t found(int32_t *labels, int64_t count, int32_t *parents, int32_t next)
{
    const __m512i ascending =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i);
        __mmask16 fresh = _mm512_movepi32_mask(label);
        __m512i names = _mm512_add_epi32(_mm512_set1_epi32(next), ascending);
        _mm512_storeu_si512(parents + next, names);
        _mm512_mask_storeu_epi32(labels + i, lanes, _mm512_mask_expand_epi32(label, fresh, names));
        next += (int32_t)_mm_popcnt_u32(fresh);
    }
    return next;
}

static void look_up(const int32_t *labels, int64_t count, const int32_t *table, int32_t add,
                    int32_t *values)
{
    __m512i added = _mm512_set1_epi32(add);
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i);
        __m512i value = _mm512_mask_i32gather_epi32(label, lanes, label, table, 4);
        _mm512_mask_storeu_epi32(values + i, lanes, _mm512_add_epi32(value, added));
    }
}

static bool reach(const int32_t *labels, int64_t count, const int32_t *table, int32_t min,
                  int32_t *places)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i before = _mm512_set1_epi32(min - 1), any = zero;
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i);
        __m512i value = _mm512_mask_i32gather_epi32(before, lanes, label, table, 4);
        __m512i place = _mm512_max_epi32(_mm512_sub_epi32(value, before), zero);
        _mm512_mask_storeu_epi32(places + i, lanes, place);
        any = _mm512_or_si512(any, place);
    }
    return _mm512_test_epi32_mask(any, any) != 0;
}

/* The hardware's own prefetching stops at every 4 KiB. */
enum { AHEAD = 2048, BITS_AHEAD = 64 };

static void pack8(const uint8_t *grey, int64_t width, uint32_t threshold, uint64_t *bits)
{
    __m512i limit = _mm512_set1_epi8((char)threshold);
    __mmask64 some = threshold > UINT8_MAX ? 0 : UINT64_MAX;
    for (int64_t x = 0; x < width; x += 64) {
        __mmask64 lanes = some & _bzhi_u64(UINT64_MAX, (unsigned)(width - x < 64 ? width - x : 64));
        _mm_prefetch((const char *)grey + x + AHEAD, _MM_HINT_T0);
        if (x % 512 == 0) { /* the bits of later rows: stores that wait for memory hold up all */
            __builtin_prefetch(bits + x / 64 + BITS_AHEAD, 1);
        }
        __m512i pixels = _mm512_maskz_loadu_epi8(lanes, grey + x);
        bits[x / 64] = _mm512_mask_cmpge_epu8_mask(lanes, pixels, limit);
    }
}

static void pack16(const uint16_t *grey, int64_t width, uint32_t threshold, uint64_t *bits)
{
    __m512i limit = _mm512_set1_epi16((short)threshold);
    __mmask64 some = threshold > UINT16_MAX ? 0 : UINT64_MAX;
    for (int64_t x = 0; x < width; x += 64) {
        __mmask64 lanes = some & _bzhi_u64(UINT64_MAX, (unsigned)(width - x < 64 ? width - x : 64));
        __mmask32 low = (__mmask32)lanes, high = (__mmask32)(lanes >> 32);
        uint64_t first =
            _mm512_mask_cmpge_epu16_mask(low, _mm512_maskz_loadu_epi16(low, grey + x), limit);
        uint64_t second = _mm512_mask_cmpge_epu16_mask(
            high, _mm512_maskz_loadu_epi16(high, grey + x + 32), limit);
        bits[x / 64] = first | second << 32;
    }
}

/* A walk over the words of a row that knows which run each pixel belongs to. */
typedef struct {
    uint64_t word, starts, carry;
    int64_t run; /* the run that reaches into the word, -1 before the first */
} paint_walk;

static inline void enter_word(paint_walk *walk, uint64_t word, uint64_t runs)
{
    walk->word = word;
    walk->starts = runs & ~(runs << 1 | walk->carry);
    walk->carry = runs >> 63;
}

static inline void leave_word(paint_walk *walk)
{
    walk->run += _mm_popcnt_u64(walk->starts);
}

static void paint8(const uint64_t *bits, const uint64_t *runs, int64_t width, const uint8_t *values,
                   uint8_t *out)
{
    paint_walk walk = {.run = -1};
    for (int64_t x = 0; x < width; x += 64) {
        enter_word(&walk, bits[x / 64], runs[x / 64]);
        __mmask64 lanes = _bzhi_u64(UINT64_MAX, (unsigned)(width - x < 64 ? width - x : 64));
        __m512i near = _mm512_loadu_si512(values + walk.run);
        __m512i pixels = _mm512_maskz_permutexvar_epi8(walk.word, prefix_counts(walk.starts), near);
        _mm512_mask_storeu_epi8(out + x, lanes, pixels);
        leave_word(&walk);
    }
}

static void paint16(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const uint16_t *values, uint16_t *out)
{
    paint_walk walk = {.run = -1};
    for (int64_t x = 0; x < width; x += 64) {
        enter_word(&walk, bits[x / 64], runs[x / 64]);
        __m512i run = prefix_counts(walk.starts);
        for (int half = 0; half < 2; half++) {
            int64_t at = x + 32 * half;
            int64_t left = width - at;
            __mmask32 lanes = left >= 32 ? UINT32_MAX : left > 0 ? (1u << left) - 1 : 0;
            /* At most 16 runs begin in 32 pixels, so that one vector holds their values. */
            int64_t past = half == 0 ? 0 : _mm_popcnt_u64(walk.starts & UINT32_MAX);
            __m256i part =
                half == 0 ? _mm512_castsi512_si256(run) : _mm512_extracti64x4_epi64(run, 1);
            __m512i index =
                _mm512_sub_epi16(_mm512_cvtepu8_epi16(part), _mm512_set1_epi16((short)past));
            __m512i near = _mm512_loadu_si512(values + walk.run + past);
            __m512i pixels =
                _mm512_maskz_permutexvar_epi16((__mmask32)(walk.word >> 32 * half), index, near);
            _mm512_mask_storeu_epi16(out + at, lanes, pixels);
        }
        leave_word(&walk);
    }
}

/* 16 of a word's 64 pixels. */
static inline __m512i pixels_of(const paint_walk *walk, __m512i run, int quarter,
                                const int32_t *values)
{
    uint64_t below = walk->starts & ((UINT64_C(1) << 16 * quarter) - 1);
    int64_t past = _mm_popcnt_u64(below);
    __m128i part = quarter == 0   ? _mm512_castsi512_si128(run)
                   : quarter == 1 ? _mm512_extracti32x4_epi32(run, 1)
                   : quarter == 2 ? _mm512_extracti32x4_epi32(run, 2)
                                  : _mm512_extracti32x4_epi32(run, 3);
    __m512i index = _mm512_sub_epi32(_mm512_cvtepu8_epi32(part), _mm512_set1_epi32((int)past));
    __m512i near = _mm512_loadu_si512(values + walk->run + past);
    return _mm512_maskz_permutexvar_epi32((__mmask16)(walk->word >> 16 * quarter), index, near);
}

static inline void store32(int32_t *out, __m512i pixels, bool stream)
{
    if (stream) {
        _mm512_stream_si512((__m512i *)(void *)out, pixels);
    } else {
        _mm512_storeu_si512(out, pixels);
    }
}

static inline void paint_word32(const paint_walk *walk, const int32_t *values, int32_t *out,
                                bool stream)
{
    if (walk->starts == 0) {
        __m512i value = _mm512_set1_epi32(values[walk->run]);
        bool even = walk->word == 0 || walk->word == UINT64_MAX;
        value = walk->word == 0 ? _mm512_setzero_si512() : value;
        for (int quarter = 0; quarter < 4; quarter++) {
            if (even) {
                store32(out + 16 * quarter, value, stream);
                continue;
            }
            __mmask16 lit = (__mmask16)(walk->word >> 16 * quarter);
            store32(out + 16 * quarter, _mm512_maskz_mov_epi32(lit, value), stream);
        }
        return;
    }
    __m512i run = prefix_counts(walk->starts);
    store32(out, pixels_of(walk, run, 0, values), stream);
    store32(out + 16, pixels_of(walk, run, 1, values), stream);
    store32(out + 32, pixels_of(walk, run, 2, values), stream);
    store32(out + 48, pixels_of(walk, run, 3, values), stream);
}

static inline void paint_row32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                               const int32_t *values, int32_t *out, bool stream)
{
    paint_walk walk = {.run = -1};
    int64_t whole = width / 64;
    for (int64_t i = 0; i < whole; i++) {
        enter_word(&walk, bits[i], runs[i]);
        paint_word32(&walk, values, out + 64 * i, stream);
        leave_word(&walk);
    }
    if (width % 64 != 0) {
        _Alignas(64) int32_t last[64];
        enter_word(&walk, bits[whole], runs[whole]);
        paint_word32(&walk, values, last, false);
        memcpy(out + 64 * whole, last, (size_t)(width % 64) * sizeof *out);
    }
}

static void paint32(const uint64_t *bits, const uint64_t *runs, int64_t width,
                    const int32_t *values, int32_t *out, bool stream)
{
    if (stream && ((uintptr_t)out & 63) == 0) {
        paint_row32(bits, runs, width, values, out, true);
    } else {
        paint_row32(bits, runs, width, values, out, false);
    }
}

const label_row_ops label_row_ops_avx512 = {
    .pack8 = pack8,
    .pack16 = pack16,
    .count_runs = count_runs,
    .fold = fold,
    .either = either,
    .all = all,
    .link = link_rows,
    .copy = copy,
    .adopt = adopt,
    .differ = differ,
    .found = found,
    .look_up = look_up,
    .reach = reach,
    .name = portable_name,
    .paint8 = paint8,
    .paint16 = paint16,
    .paint32 = paint32,
    .paint64 = portable_paint64,
};
