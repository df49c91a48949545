/* Rows of bits with AVX-512: their runs, and which of two rows' runs touch. */

#include "kernels/label/rows/row_ops_avx512.h"

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
    bool in_stretch;
    __m512i stretch; /* runs of a stretch that began since then, counted in each lane */
} link_state;

enum { FEW_EDGES = 3 }; /* in a word: below, one of each word at a time is faster than a word */

static inline uint32_t many_of(__m512i bits)
{
    return _mm512_cmpgt_epu64_mask(_mm512_popcnt_epi64(bits), _mm512_set1_epi64(FEW_EDGES));
}

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

/* A stretch ends that is counted in at->stretch. */
static inline void end_stretch(link_state *at, label_links *links)
{
    int64_t count = _mm512_reduce_add_epi64(at->stretch);
    uint64_t runs = (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(at->runs));
    label_links_stretch(links, (int32_t)(uint32_t)runs + 1, (int32_t)(runs >> 32) + 1, count);
    at->runs = _mm512_add_epi32(at->runs, _mm512_set1_epi64(count << 32 | count));
    at->stretch = _mm512_setzero_si512();
    at->linked = 1;
    at->in_stretch = false;
}

/* The links of eight words. In `same` words both rows are the same, the first pixel's left
 * neighbour included: there each start is the edge of a first link. */
static inline void link_words(__m512i edges, __m512i upper_starts, __m512i lower_starts,
                              uint32_t same, link_state *at, label_links *links)
{
    __m512i counts = count_both(upper_starts, lower_starts), before = sums_before(counts);
    __m512i runs = _mm512_add_epi32(at->runs, before);
    at->runs = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), _mm512_add_epi32(runs, counts));
    __m512i firsts = first_edges(edges, lower_starts, &at->linked);
    uint32_t many = many_of(edges);
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
        if ((same >> j & 1) != 0) {
            label_links_stretch(links, (int32_t)(uint32_t)before_words[j] + 1,
                                (int32_t)(before_words[j] >> 32) + 1,
                                _mm_popcnt_u64(lower_words[j]));
            continue;
        }
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

/* `folded`, known to the compiler, which must not make one function of both: runs are not those of
 * the pixels that touch. */
__attribute__((always_inline)) static inline void link_pair(const label_row_pair *pair,
                                                            label_links *links, bool folded)
{
    uint64_t runs_before =
        (uint64_t)(uint32_t)(pair->lower_first - 1) << 32 | (uint32_t)(pair->upper_first - 1);
    link_state at = {.runs = _mm512_set1_epi64((int64_t)runs_before),
                     .stretch = _mm512_setzero_si512()};
    links->firsts = links->stretch_count = links->stretch_runs = 0;
    __m512i upper_before = _mm512_setzero_si512(), lower_before = upper_before;
    __m512i upper_run_before = upper_before, lower_run_before = upper_before;
    for (int64_t i = 0; i < pair->words; i += 8) {
        __mmask8 loaded = first_words(pair->words - i);
        __m512i upper = _mm512_maskz_loadu_epi64(loaded, pair->upper + i);
        __m512i lower = _mm512_maskz_loadu_epi64(loaded, pair->lower + i);
        if (folded) {
            upper = _mm512_or_si512(upper, _mm512_maskz_loadu_epi64(loaded, pair->upper_too + i));
            lower = _mm512_or_si512(lower, _mm512_maskz_loadu_epi64(loaded, pair->lower_too + i));
        }
        __m512i upper_grown = grow(upper, upper_before), lower_grown = grow(lower, lower_before);
        __m512i upper_starts = _mm512_andnot_si512(upper_grown, upper);
        __m512i lower_starts = _mm512_andnot_si512(lower_grown, lower);
        __m512i starts = _mm512_or_si512(upper_starts, lower_starts), begun = starts;
        upper_before = upper;
        lower_before = lower;
        if (folded) {
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
        uint32_t same = !folded && pair->stretches ? many_of(lower_starts) : 0;
        if (same != 0) {
            same &= _mm512_cmpeq_epi64_mask(upper, lower);
            same &= _mm512_cmpeq_epi64_mask(upper_starts, lower_starts);
            if (same != 0 && (_mm512_test_epi64_mask(begun, begun) & ~same) == 0) {
                at.stretch = _mm512_add_epi64(at.stretch, _mm512_popcnt_epi64(lower_starts));
                at.in_stretch = true;
                continue;
            }
        }
        if (!folded && at.in_stretch) {
            end_stretch(&at, links);
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
        link_words(edges, upper_starts, lower_starts, same, &at, links);
    }
    if (at.in_stretch) {
        end_stretch(&at, links);
    }
}

/* Both functions work on a copy of the links that lies in one cache line: their two counters are
 * stored together, and read again at once, which takes several times as long across two lines. */
void label_avx512_link(const label_row_pair *pair, label_links *links)
{
    _Alignas(64) label_links near = *links;
    if (pair->upper == pair->upper_runs && pair->lower == pair->lower_runs) {
        link_pair(pair, &near, false);
    } else {
        link_pair(pair, &near, true);
    }
    *links = near;
}

/* Eight words from i on, of a row whose pixel x is the other row's x + 1 if it is `ahead`. */
static inline __m512i begins_words(const uint64_t *row, bool ahead, int64_t i, int64_t words)
{
    __m512i here = _mm512_maskz_loadu_epi64(first_words(words - i), row + i);
    if (!ahead) {
        return here;
    }
    __m512i behind = _mm512_setzero_si512();
    if (words - i > 8) {
        behind = _mm512_maskz_loadu_epi64(first_words(words - i - 8), row + i + 8);
    }
    return _mm512_shrdi_epi64(here, _mm512_alignr_epi64(behind, here, 1), 1);
}

void label_avx512_link_begun(const label_begun_pair *pair, const uint64_t *edges, int64_t words,
                             label_links *links)
{
    uint64_t runs_before = (uint64_t)(uint32_t)pair->lower_run << 32 | (uint32_t)pair->upper_run;
    link_state at = {.runs = _mm512_set1_epi64((int64_t)runs_before)};
    __m512i before = _mm512_setzero_si512();
    _Alignas(64) label_links near = *links;
    near.firsts = 0;
    for (int64_t i = 0; i < words; i += 8) {
        __m512i upper =
            begins_words(pair->upper_begins, pair->ahead == LABEL_UPPER_AHEAD, i, words);
        __m512i lower =
            begins_words(pair->lower_begins, pair->ahead == LABEL_LOWER_AHEAD, i, words);
        __m512i all = _mm512_maskz_loadu_epi64(first_words(words - i), edges + i);
        __m512i same = _mm512_andnot_si512(_mm512_or_si512(upper, lower), grow(all, before));
        link_words(_mm512_andnot_si512(same, all), upper, lower, 0, &at, &near);
        before = all;
    }
    *links = near;
}

void label_avx512_either(const uint64_t *a, const uint64_t *b, int64_t words, uint64_t *out)
{
    for (int64_t i = 0; i < words; i += 8) {
        __mmask8 lanes = first_words(words - i);
        __m512i all = _mm512_or_si512(_mm512_maskz_loadu_epi64(lanes, a + i),
                                      _mm512_maskz_loadu_epi64(lanes, b + i));
        _mm512_mask_storeu_epi64(out + i, lanes, all);
    }
}

int64_t label_avx512_fold(const uint64_t *const rows[4], int64_t words, uint64_t *out)
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

void label_avx512_all(const uint64_t *const rows[4], int64_t words, uint64_t *out)
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

int64_t label_avx512_count_runs(const uint64_t *bits, int64_t words)
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
