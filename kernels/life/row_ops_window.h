/* Cells of a row that the blocks beside it share: included by row_ops_body.h. No include guard on
 * purpose. */

#ifdef __BMI2__
#include <immintrin.h>

static ALWAYS uint64_t scatter_bits(uint64_t bits, uint64_t pattern)
{
    return _pdep_u64(bits, pattern);
}

static ALWAYS uint64_t gather_bits(uint64_t bits, uint64_t pattern)
{
    return _pext_u64(bits, pattern);
}
#else
/* Bits 0 and on of `bits` go where the pattern has ones. */
static uint64_t scatter_bits(uint64_t bits, uint64_t pattern)
{
    uint64_t scattered = 0;
    for (; pattern != 0; pattern &= pattern - 1, bits >>= 1) {
        scattered |= (bits & 1) != 0 ? pattern & (~pattern + 1) : 0;
    }
    return scattered;
}

/* The reverse. */
static uint64_t gather_bits(uint64_t bits, uint64_t pattern)
{
    uint64_t gathered = 0;
    for (int i = 0; pattern != 0; pattern &= pattern - 1, i++) {
        gathered |= (uint64_t)((bits & pattern & (~pattern + 1)) != 0) << i;
    }
    return gathered;
}
#endif

static uint64_t read_window(const life_window *window, const void *plane)
{
    const uint64_t *words = plane;
    uint64_t cells = 0;
    for (int i = 0; i < window->parts; i++) {
        const life_window_part *part = &window->part[i];
        cells |= scatter_bits(words[part->word] >> part->shift, part->pattern);
    }
    return cells;
}

static void write_window(const life_window *window, void *plane, uint64_t cells)
{
    uint64_t *words = plane;
    for (int i = 0; i < window->parts; i++) {
        const life_window_part *part = &window->part[i];
        uint64_t kept = words[part->word] & ~part->mask;
        words[part->word] = kept | gather_bits(cells, part->pattern) << part->shift;
    }
}
