/* Functions of rows of bits that find the pixels of two rows between which links may be, for the
 * loops that are compiled once for each ISA (value_ops_body.h). No include guard on purpose. */

#include "kernels/label/rows/value_ops.h"

#ifdef __AVX512BW__
#include <immintrin.h>
#endif

/* Word i of a row shifted by one pixel: its pixel x is the row's x + 1. */
static inline uint64_t ahead_word(const uint64_t *row, int64_t i, int64_t words)
{
    return row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
}

static bool aslant(const label_aslant_rows *rows, int64_t words, uint64_t *edges)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t left = rows->near[i];
        if (left != 0) {
            left &=
                ahead_word(rows->far, i, words) &
                ~(rows->straight[i] & ~ahead_word(rows->far_begins, i, words)) &
                ~(ahead_word(rows->straight, i, words) & ~ahead_word(rows->near_begins, i, words));
        }
        edges[i] = left;
        any |= left;
    }
    return any != 0;
}

/* As many words of a row as a vector has, which & | ~ work on. */
#ifdef __AVX512BW__
typedef __m512i row_words;
#define SHIFT_UP(row, by)   _mm512_slli_epi64(row, by)
#define SHIFT_DOWN(row, by) _mm512_srli_epi64(row, by)
enum { ROW_WORDS = 8 };

static inline __mmask8 words_there(int64_t left)
{
    return (__mmask8)(left >= ROW_WORDS ? 0xff : (1 << left) - 1);
}

static inline row_words words_of(const uint64_t *row, int64_t i, int64_t words)
{
    return _mm512_maskz_loadu_epi64(words_there(words - i), row + i);
}

/* Not by a load from row + i + 1, which waits for the line of the next row, too: four times as
 * slow. */
static inline row_words words_ahead(const uint64_t *row, int64_t i, int64_t words)
{
    row_words here = words_of(row, i, words), behind = _mm512_setzero_si512();
    if (words - i > ROW_WORDS) {
        behind = words_of(row, i + ROW_WORDS, words);
    }
    return _mm512_or_si512(_mm512_srli_epi64(here, 1),
                           _mm512_slli_epi64(_mm512_alignr_epi64(behind, here, 1), 63));
}

static inline void put_words(uint64_t *row, int64_t i, int64_t words, row_words put)
{
    _mm512_mask_storeu_epi64(row + i, words_there(words - i), put);
}

static inline uint32_t any_words(row_words any)
{
    return _mm512_test_epi64_mask(any, any) != 0;
}
#else
typedef uint64_t row_words;
#define SHIFT_UP(row, by)   ((row) << (by))
#define SHIFT_DOWN(row, by) ((row) >> (by))
enum { ROW_WORDS = 1 };

static inline row_words words_of(const uint64_t *row, int64_t i, int64_t words)
{
    (void)words;
    return row[i];
}

static inline row_words words_ahead(const uint64_t *row, int64_t i, int64_t words)
{
    return ahead_word(row, i, words);
}

static inline void put_words(uint64_t *row, int64_t i, int64_t words, row_words put)
{
    (void)words;
    row[i] = put;
}

static inline uint32_t any_words(row_words any)
{
    return any != 0;
}
#endif

/* The bits of words from `from` downwards, over bits that are not in `stops`, in a logarithmic
 * number of steps. */
static inline row_words fill_down(row_words from, row_words stops)
{
    row_words open = ~SHIFT_DOWN(stops, 1); /* bits that the one above them may reach */
#define FILL_STEP(by)                    \
    from |= open & SHIFT_DOWN(from, by); \
    open &= SHIFT_DOWN(open, by);
    FILL_STEP(1)
    FILL_STEP(2)
    FILL_STEP(4)
    FILL_STEP(8)
    FILL_STEP(16)
    FILL_STEP(32)
#undef FILL_STEP
    return from;
}

/* Stretches end with words here: what is linked twice does no harm. */
static bool open_stretches(const label_equal_row *own, const label_equal_row *before, int64_t words,
                           uint64_t *out)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < words; i += ROW_WORDS) {
        row_words equal = words_of(own->before, i, words);
        row_words closed =
            equal & words_of(own->above, i, words) & words_of(before->above, i, words);
        row_words begins = words_of(own->begins, i, words) | words_of(before->begins, i, words) |
                           ~SHIFT_UP(equal, 1);
        row_words links = equal & begins & ~fill_down(closed, begins);
        put_words(out, i, words, links);
        any |= any_words(links);
    }
    return any != 0;
}

/* Two pixels of a square or a cube that are equal to each other, and to a third one of it, are
 * linked by that one. So only those remain that are equal to none of the others; of a cube it is
 * enough here to ask for those beside each of the two. Of words i and on, all places: inlined, they
 * stay in registers. */
__attribute__((always_inline)) static inline void
find_corners(const label_equal_rows *rows, int64_t i, int64_t words, row_words places[LABEL_PLACES])
{
#define HERE(row, mask)  words_of(rows->row.mask, i, words)
#define AHEAD(row, mask) words_ahead(rows->row.mask, i, words)
#define ENDS(row)        (HERE(row, bits) & (AHEAD(row, begins) | ~AHEAD(row, bits)))
    const row_words ends = ENDS(own), begins = AHEAD(own, begins);
    /* Neither equal to the pixel above, nor to the one before or behind. */
    const row_words above = HERE(own, above), above_ahead = AHEAD(own, above);
    const row_words before = HERE(own, before), before_ahead = AHEAD(own, before);
    const row_words behind = HERE(behind, before), behind_ahead = AHEAD(behind, before);
    const row_words alone = ~(above | before), alone_ahead = ~(above_ahead | before_ahead);
    const row_words single = ~(above | behind), single_ahead = ~(above_ahead | behind_ahead);
    /* The same of corners. */
    const row_words back = ~(HERE(before, above) | HERE(above, before));
    const row_words back_ahead = ~(AHEAD(before, above) | AHEAD(above, before));
    const row_words front = ~(HERE(behind, above) | HERE(above_behind, before));
    const row_words front_ahead = ~(AHEAD(behind, above) | AHEAD(above_behind, before));
    const row_words in_row = ~(before | before_ahead), in_plane = ~(above | above_ahead);
    places[LABEL_BEFORE_LEFT] = ENDS(before) & begins & in_row;
    places[LABEL_BEFORE_RIGHT] = ends & AHEAD(before, begins) & in_row;
    places[LABEL_ABOVE_LEFT] = ENDS(above) & begins & in_plane;
    places[LABEL_ABOVE_RIGHT] = ends & AHEAD(above, begins) & in_plane;
    places[LABEL_ABOVE_BEFORE] = HERE(own, bits) & HERE(above_before, bits) & alone & back;
    places[LABEL_ABOVE_BEHIND] = HERE(own, bits) & HERE(above_behind, bits) & single & front;
    places[LABEL_ABOVE_BEFORE_LEFT] = ENDS(above_before) & back & begins & alone_ahead;
    places[LABEL_ABOVE_BEFORE_RIGHT] = ends & alone & AHEAD(above_before, begins) & back_ahead;
    places[LABEL_ABOVE_BEHIND_LEFT] = ENDS(above_behind) & front & begins & single_ahead;
    places[LABEL_ABOVE_BEHIND_RIGHT] = ends & single & AHEAD(above_behind, begins) & front_ahead;
    places[LABEL_BEFORE] = places[LABEL_ABOVE] = ends & ~ends;
#undef HERE
#undef AHEAD
#undef ENDS
}

/* Most rows of large regions have none, which is faster to see without storing them. */
static uint32_t corners(const label_equal_rows *rows, int64_t words, uint64_t *out)
{
    row_words places[LABEL_PLACES];
    uint32_t found = 0;
    for (int64_t i = 0; i < words && found == 0; i += ROW_WORDS) {
        find_corners(rows, i, words, places);
        row_words any = places[0];
        for (int place = 1; place < LABEL_PLACES; place++) {
            any |= places[place];
        }
        found = any_words(any);
    }
    if (found == 0) {
        return 0;
    }
    found = 0;
    for (int64_t i = 0; i < words; i += ROW_WORDS) {
        find_corners(rows, i, words, places);
        for (int place = 0; place < LABEL_PLACES; place++) {
            found |= any_words(places[place]) << place;
            put_words(out + words * place, i, words, places[place]);
        }
    }
    return found;
}
