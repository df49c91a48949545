#include "io/cells/cells_internal.h"

/* A byte's class; 0 is none that this parser knows. The lowest four bits are a digit's value. */
enum { DIGIT = 16, LETTER = 32, LIVE = 64, VALUE = 15 };

static const uint8_t CLASSES[256] = {
    ['0'] = DIGIT,         ['1'] = DIGIT + 1,     ['2'] = DIGIT + 2, ['3'] = DIGIT + 3,
    ['4'] = DIGIT + 4,     ['5'] = DIGIT + 5,     ['6'] = DIGIT + 6, ['7'] = DIGIT + 7,
    ['8'] = DIGIT + 8,     ['9'] = DIGIT + 9,     ['b'] = LETTER,    ['.'] = LETTER,
    ['o'] = LETTER | LIVE, ['A'] = LETTER | LIVE,
};

/* The loop's state: all that it needs besides is in registers. */
typedef struct {
    uint64_t x;       /* where the next run starts */
    uint64_t count;   /* of the run being parsed; 0 if it has no digits yet */
    uint64_t over;    /* has bits of RANGE and above once a count has been too large */
    uint64_t max_end; /* behind the last live cell */
    uint64_t cells;   /* of the word that x is in, not in the row yet */
} runs;

enum { RANGE_BITS = 41 }; /* counts below 2^41: a megabyte of them adds up without overflow */

/* The row's part of a run that does not end in the word it starts in: rare, so that the rest of
 * the loop needs no branch. False if the run does not fit in the row. */
static bool cross(runs at, uint64_t *row, uint64_t n, uint64_t live, uint64_t limit)
{
    if (at.over >> RANGE_BITS != 0 || ((at.cells | live) != 0 && at.x >= limit) ||
        (live != 0 && at.x + n > limit)) {
        return false;
    }
    if (at.cells != 0) {
        row[at.x / 64] |= at.cells;
    }
    if (live != 0) {
        halo_cells_fill_bits(row, (int64_t)at.x, (int64_t)n);
    }
    return true;
}

/* Digits and letters come in no order that a branch predictor could learn, so every byte is
 * treated as both, and masks choose. Returns behind the last whole run, or NULL if something needs
 * a closer look. The state is copied, so that it can stay in registers. */
static inline const unsigned char *parse(runs *state, const unsigned char *next,
                                         const unsigned char *end, uint64_t *row, uint64_t limit,
                                         bool fill)
{
    runs at = *state;
    uint64_t zero = 0;
    uint64_t digits = 0; /* of the run being parsed */
    for (; next < end; next++) {
        uint64_t class = CLASSES[*next];
        if (class == 0) {
            break;
        }
        uint64_t letter = 0 - (class / LETTER & 1);
        uint64_t live = 0 - (class / LIVE & 1);
        uint64_t n = (at.count + (at.count == 0)) & letter;
        at.count = (at.count * 10 + (class & VALUE)) & ~letter;
        at.over |= at.count;
        zero |= (uint64_t)((at.count | letter) == 0);
        if (fill) {
            uint64_t offset = at.x % 64;
            if (offset + n < 64) {
                at.cells |= ((((uint64_t)1 << n) - 1) & live) << offset;
            } else if (cross(at, row, n, live, limit)) {
                at.cells = 0;
            } else {
                return NULL;
            }
        }
        at.x += n;
        uint64_t reach = at.x & live;
        at.max_end = reach > at.max_end ? reach : at.max_end;
        digits = (digits + 1) & ~letter;
    }
    if (zero != 0 || at.over >> RANGE_BITS != 0 || at.max_end > limit ||
        at.x > (uint64_t)HALO_CELLS_AXIS_LIMIT) {
        return NULL;
    }
    if (fill && at.cells != 0) {
        row[at.x / 64] |= at.cells;
    }
    *state = at;
    return next - digits;
}

void halo_cells_rle_runs(halo_source *source, halo_cells_rle_state *rle, uint64_t *row,
                         int64_t limit)
{
    if (rle->careful) {
        return;
    }
    runs at = {.x = (uint64_t)rle->x};
    const unsigned char *whole =
        row != NULL ? parse(&at, source->at, source->end, row, (uint64_t)limit, true)
                    : parse(&at, source->at, source->end, NULL, (uint64_t)limit, false);
    if (whole == NULL) {
        rle->careful = true;
        return;
    }
    source->at = whole;
    rle->x = (int64_t)at.x;
    if (at.max_end > 0) {
        rle->width = (int64_t)at.max_end > rle->width ? (int64_t)at.max_end : rle->width;
        rle->height = rle->y + 1;
        rle->max_state = rle->max_state > 1 ? rle->max_state : 1;
    }
}
