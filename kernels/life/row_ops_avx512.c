/* AVX-512: one instruction for any function of three inputs. */
#define LIFE_ROW_OPS      life_row_ops_avx512
#define LIFE_VECTOR_BYTES 64
#include "kernels/life/row_ops_vector.h"

#include <immintrin.h>

enum { GROUP = 2 }; /* columns that are walked down together, so that loads are shared */

/* The immediate is the function's column of values for inputs 0xf0, 0xcc, 0xaa. */
#define TERNARY(a, b, c, table) \
    ((vec)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), (table)))

enum { SUM = 0x96, CARRY = 0xe8, CHOOSE = 0xca };

static ALWAYS vec choose(vec which, vec one, vec zero)
{
    return TERNARY(which, one, zero, CHOOSE);
}

static ALWAYS vec add_bits(vec a, vec b, vec c)
{
    return TERNARY(a, b, c, SUM);
}

static ALWAYS vec carry_bits(vec a, vec b, vec c)
{
    return TERNARY(a, b, c, CARRY);
}

/* A row's part in its neighbours' counts, and what its own next generation needs. */
typedef struct {
    vec sum, carry; /* of the left, middle and right cell */
    vec left, cell, right;
} row_part;

static ALWAYS row_part make_part(vec left, vec cell, vec right)
{
    return (row_part){TERNARY(left, cell, right, SUM), TERNARY(left, cell, right, CARRY), left,
                      cell, right};
}

static ALWAYS counts count_neighbours(vec above_sum, vec above_carry, const row_part *row,
                                      vec below_sum, vec below_carry)
{
    vec ones = TERNARY(above_sum, below_sum, row->left, SUM);
    vec twos = TERNARY(above_sum, below_sum, row->left, CARRY);
    vec more_twos = ones & row->right;
    vec sum = TERNARY(above_carry, below_carry, twos, SUM);
    vec fours = TERNARY(above_carry, below_carry, twos, CARRY);
    vec more_fours = sum & more_twos;
    return (counts){{ones ^ row->right, sum ^ more_twos, fours ^ more_fours, fours & more_fours}};
}

/* B3/S23 in six operations, found by a search over tables; the tests try all 512 neighbourhoods. */
static ALWAYS vec next_life(vec above_sum, vec above_carry, const row_part *row, vec below_sum,
                            vec below_carry)
{
    vec sum = TERNARY(above_sum, row->left, row->right, SUM);
    vec carry = TERNARY(above_sum, row->left, row->right, CARRY);
    vec first = TERNARY(below_sum, sum, row->cell, 0x3e);
    vec second = TERNARY(first, row->cell, carry, 0x5b);
    vec third = TERNARY(second, below_carry, above_carry, 0x91);
    return TERNARY(third, first, second, 0x58);
}

static ALWAYS vec count_bits(vec bits)
{
    return (vec)_mm512_popcnt_epi64((__m512i)bits);
}

/* Words moved up (down) by one, with one of `in` at the free end. */
static ALWAYS vec one_lane_up(vec column, vec in)
{
    __m512i words = (__m512i)column, before = _mm512_alignr_epi64(words, (__m512i)in, 7);
    return (vec)_mm512_shldi_epi64(words, before, 1);
}

static ALWAYS vec one_lane_down(vec column, vec in)
{
    __m512i words = (__m512i)column, after = _mm512_alignr_epi64((__m512i)in, words, 1);
    return (vec)_mm512_shrdi_epi64(words, after, 1);
}

static ALWAYS void make_ghosts(char *row, int64_t columns, bool periodic)
{
    vec none = {0};
    vec first = load(row), last = load(row + (columns - 1) * LIFE_COLUMN_BYTES);
    store(row - LIFE_COLUMN_BYTES, one_lane_up(last, periodic ? last : none));
    store(row + columns * LIFE_COLUMN_BYTES, one_lane_down(first, periodic ? first : none));
}

#include "kernels/life/row_ops_body.h"
