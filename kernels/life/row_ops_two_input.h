#ifndef HALOBEAT_LIFE_ROW_OPS_TWO_INPUT_H
#define HALOBEAT_LIFE_ROW_OPS_TWO_INPUT_H

/* Operations of the variants whose instructions have two inputs. */

#include "kernels/life/row_ops_vector.h"

enum { GROUP = 1 }; /* columns walked down together: more do not fit into 16 registers */

static ALWAYS vec choose(vec which, vec one, vec zero)
{
    return zero ^ (which & (one ^ zero));
}

static ALWAYS vec add_bits(vec a, vec b, vec c)
{
    return a ^ b ^ c;
}

static ALWAYS vec carry_bits(vec a, vec b, vec c)
{
    return (a & b) | ((a ^ b) & c);
}

/* A row's part in its neighbours' counts, and what its own next generation needs. */
typedef struct {
    vec sum, carry;                     /* of the left, middle and right cell */
    vec cell, beside_sum, beside_carry; /* of left and right alone */
    vec left, right;
} row_part;

static ALWAYS row_part make_part(vec left, vec cell, vec right)
{
    vec sum = left ^ right, carry = left & right;
    return (row_part){sum ^ cell, carry | (sum & cell), cell, sum, carry, left, right};
}

static ALWAYS counts count_neighbours(vec above_sum, vec above_carry, const row_part *row,
                                      vec below_sum, vec below_carry)
{
    vec outer = above_sum ^ below_sum;
    vec twos = (above_sum & below_sum) | (outer & row->beside_sum);
    vec carries = above_carry ^ below_carry;
    vec sum = carries ^ row->beside_carry;
    vec fours = (above_carry & below_carry) | (carries & row->beside_carry);
    vec more_fours = sum & twos;
    return (counts){{outer ^ row->beside_sum, sum ^ twos, fours ^ more_fours, fours & more_fours}};
}

/* B3/S23: alive with three neighbours, or with two and alive itself; so the ones or the cell, and
 * exactly one of four twos. Of an odd number of twos three are too many, and then both of a pair.
 */
static ALWAYS vec next_life(vec above_sum, vec above_carry, const row_part *row, vec below_sum,
                            vec below_carry)
{
    vec sum = above_sum ^ row->beside_sum;
    vec carry = row->beside_carry | (above_sum & row->beside_sum);
    vec twos = sum & below_sum, ones = sum ^ below_sum;
    vec odd = above_carry ^ below_carry ^ carry ^ twos;
    vec pairs = (above_carry & below_carry) | (carry & twos);
    return (ones | row->cell) & odd & ~pairs;
}

/* Bits of every word, by adding ever wider fields. */
static ALWAYS vec count_bits(vec bits)
{
    const uint64_t pairs = 0x5555555555555555, nibbles = 0x3333333333333333,
                   bytes = 0x0f0f0f0f0f0f0f0f;
    bits -= (bits >> 1) & pairs;
    bits = (bits & nibbles) + ((bits >> 2) & nibbles);
    bits = (bits + (bits >> 4)) & bytes;
    bits += bits >> 8;
    bits += bits >> 16;
    bits += bits >> 32;
    return bits & 0x7f;
}

static ALWAYS void make_ghosts(char *row, int64_t columns, bool periodic)
{
    const uint64_t *first = (const uint64_t *)(const void *)row;
    const uint64_t *last = first + (columns - 1) * LIFE_COLUMN_WORDS;
    uint64_t *left = (uint64_t *)(void *)row - LIFE_COLUMN_WORDS;
    uint64_t *right = (uint64_t *)(void *)row + columns * LIFE_COLUMN_WORDS;
    enum { END = LIFE_COLUMN_WORDS - 1 };
    left[0] = last[0] << 1 | (periodic ? last[END] >> 63 : 0);
    right[END] = first[END] >> 1 | (periodic ? first[0] << 63 : 0);
    for (int i = 0; i < END; i++) {
        left[i + 1] = last[i + 1] << 1 | last[i] >> 63;
        right[i] = first[i] >> 1 | first[i + 1] << 63;
    }
}

#endif
