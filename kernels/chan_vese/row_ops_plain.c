#include "kernels/chan_vese/row_ops.h"

#include <string.h>

#define ALWAYS          inline __attribute__((always_inline))
#define VECTOR_BYTES    16
#define CHANGED(vector) (((vector)[0] != 0) | ((vector)[1] != 0) << 1)

typedef uint8_t bytes_of_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t pairs_of_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t halves __attribute__((vector_size(VECTOR_BYTES)));

/* Eight bytes, four pairs of bytes, each of all bits or none, as eight or four bits. */
static ALWAYS uint64_t gather8(uint64_t bytes)
{
    return (bytes & 0x8040201008040201) * 0x0101010101010101 >> 56;
}

static ALWAYS uint64_t gather16(uint64_t pairs)
{
    return (pairs & 0x0008000400020001) * 0x0001000100010001 >> 48 & 0xf;
}

static ALWAYS uint64_t within8(const uint8_t *greys, const chan_vese_set *set)
{
    uint64_t found = 0;
    for (int i = 0; i < CHAN_VESE_WORD; i += VECTOR_BYTES) {
        bytes_of_vector offset;
        memcpy(&offset, greys + i, sizeof offset);
        offset -= (uint8_t)set->lo;
        halves is = (halves)(offset <= (uint8_t)set->span);
        found |= (gather8(is[0]) | gather8(is[1]) << 8) << i;
    }
    return found;
}

static ALWAYS uint64_t within16(const uint16_t *greys, const chan_vese_set *set)
{
    uint64_t found = 0;
    for (int i = 0; i < CHAN_VESE_WORD; i += VECTOR_BYTES / 2) {
        pairs_of_vector offset;
        memcpy(&offset, greys + i, sizeof offset);
        offset -= (uint16_t)set->lo;
        halves is = (halves)(offset <= (uint16_t)set->span);
        found |= (gather16(is[0]) | gather16(is[1]) << 4) << i;
    }
    return found;
}

typedef int64_t sums;

static ALWAYS sums no_sums(void)
{
    return 0;
}

static ALWAYS int64_t total(sums of)
{
    return of;
}

/* Few pixels change in a beat: one by one. */
static ALWAYS sums add8(sums of, const uint8_t *greys, uint64_t differ, uint64_t went)
{
    for (; differ != 0; differ &= differ - 1) {
        int i = __builtin_ctzll(differ);
        of += greys[i] ^ (UINT8_MAX & -(int)(went >> i & 1));
    }
    return of;
}

static ALWAYS sums add16(sums of, const uint16_t *greys, uint64_t differ, uint64_t went)
{
    for (; differ != 0; differ &= differ - 1) {
        int i = __builtin_ctzll(differ);
        of += greys[i] ^ (UINT16_MAX & -(int)(went >> i & 1));
    }
    return of;
}

#include "kernels/chan_vese/row_ops_body.h"

const chan_vese_row_ops chan_vese_row_ops_plain = {
    {members8, members16}, push, sup_inf, inf_sup, {commit8, commit16}};
