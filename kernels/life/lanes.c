#include "kernels/life/lanes.h"

#include <string.h>

enum { WORD = 64 };

life_lanes life_lanes_make(int64_t width, int states)
{
    life_lanes lanes = {.width = width, .columns = (width + LIFE_LANES - 1) / LIFE_LANES};
    lanes.planes = 1;
    for (int dying = states - 2; dying > 0; dying >>= 1) {
        lanes.planes++;
    }
    lanes.plane_bytes = (size_t)(lanes.columns + 2) * LIFE_COLUMN_BYTES;
    lanes.row_bytes = (size_t)lanes.planes * lanes.plane_bytes;
    return lanes;
}

/* The 64 cells from cell `x` on; beyond the row's words there are none. */
static uint64_t fetch(const uint64_t *plain, int64_t words, int64_t x)
{
    int64_t word = x / WORD;
    int shift = (int)(x % WORD);
    uint64_t low = word < words ? plain[word] >> shift : 0;
    uint64_t high = shift > 0 && word + 1 < words ? plain[word + 1] << (WORD - shift) : 0;
    return low | high;
}

static void deposit(uint64_t *plain, int64_t words, int64_t x, uint64_t cells)
{
    int64_t word = x / WORD;
    int shift = (int)(x % WORD);
    if (word < words) {
        plain[word] |= cells << shift;
    }
    if (shift > 0 && word + 1 < words) {
        plain[word + 1] |= cells >> (WORD - shift);
    }
}

void life_lanes_pack(const life_lanes *lanes, life_transpose *transpose, const uint64_t *plain,
                     void *plane)
{
    int64_t n = lanes->columns, words = (lanes->width + WORD - 1) / WORD;
    for (int64_t column = 0; column < n; column += WORD) {
        life_squares s;
        for (int lane = 0; lane < LIFE_LANES; lane++) {
            s.words[lane % WORD][lane / WORD] = fetch(plain, words, lane * n + column);
        }
        transpose(&s);
        int64_t count = n - column < WORD ? n - column : WORD;
        memcpy((char *)plane + column * LIFE_COLUMN_BYTES, s.words,
               (size_t)count * LIFE_COLUMN_BYTES);
    }
}

void life_lanes_unpack(const life_lanes *lanes, life_transpose *transpose, const void *plane,
                       uint64_t *plain)
{
    int64_t n = lanes->columns, words = (lanes->width + WORD - 1) / WORD;
    memset(plain, 0, (size_t)words * sizeof *plain);
    for (int64_t column = 0; column < n; column += WORD) {
        life_squares s = {0};
        int64_t count = n - column < WORD ? n - column : WORD;
        memcpy(s.words, (const char *)plane + column * LIFE_COLUMN_BYTES,
               (size_t)count * LIFE_COLUMN_BYTES);
        transpose(&s);
        for (int lane = 0; lane < LIFE_LANES; lane++) {
            deposit(plain, words, lane * n + column, s.words[lane % WORD][lane / WORD]);
        }
    }
    if (lanes->width % WORD != 0) {
        plain[words - 1] &= ~(uint64_t)0 >> (WORD - lanes->width % WORD);
    }
}
