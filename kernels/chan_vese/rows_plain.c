#include "kernels/chan_vese/rows.h"

#define ALWAYS       inline __attribute__((always_inline))
#define VECTOR_BYTES 16
#define ANY(vector)  (((vector)[0] | (vector)[1]) != 0)

static ALWAYS uint64_t within8(const uint8_t *greys, const chan_vese_set *set)
{
    uint64_t found = 0;
    for (int i = 0; i < CHAN_VESE_WORD; i++) {
        found |= (uint64_t)((uint8_t)(greys[i] - set->lo) <= set->span) << i;
    }
    return found;
}

static ALWAYS uint64_t within16(const uint16_t *greys, const chan_vese_set *set)
{
    uint64_t found = 0;
    for (int i = 0; i < CHAN_VESE_WORD; i++) {
        found |= (uint64_t)((uint16_t)(greys[i] - set->lo) <= set->span) << i;
    }
    return found;
}

static ALWAYS int64_t sum8(const uint8_t *greys, uint64_t bits)
{
    int64_t sum = 0;
    for (; bits != 0; bits &= bits - 1) {
        sum += greys[__builtin_ctzll(bits)];
    }
    return sum;
}

static ALWAYS int64_t sum16(const uint16_t *greys, uint64_t bits)
{
    int64_t sum = 0;
    for (; bits != 0; bits &= bits - 1) {
        sum += greys[__builtin_ctzll(bits)];
    }
    return sum;
}

#include "kernels/chan_vese/rows_loops.h"

const chan_vese_rows chan_vese_rows_plain = {
    "plain", HALO_INSTRUCTIONS_PLAIN, {push8, push16}, sup_inf, inf_sup, {commit8, commit16}};
