#include "base/memory.h"
#include "core/world/watch.h"
#include "kernels/split/split_internal.h"

#include <string.h>

/* Passes in order: digit by digit from the lowest on, without those that all have in common. */

enum { DIGIT = 11, VALUES = 1 << DIGIT, WIDTH = 64 };

typedef enum { BY_B, BY_A, BY_KEY, FIELDS } pass_field;

static inline uint64_t value_of(const split_pass *pass, pass_field field)
{
    return field == BY_KEY ? pass->key : (uint32_t)(field == BY_A ? pass->a : pass->b);
}

static inline int digit_of(const split_pass *pass, pass_field field, int shift)
{
    return (int)(value_of(pass, field) >> shift & (VALUES - 1));
}

/* The bits in which passes differ. */
static uint64_t differences(const split_pass *list, int64_t count, pass_field field)
{
    uint64_t bits = 0;
    for (int64_t i = 1; i < count; i++) {
        bits |= value_of(&list[i], field) ^ value_of(&list[0], field);
    }
    return bits;
}

static halo_status sort_digit(const halo_world *world, const split_pass *from, split_pass *to,
                              int64_t count, pass_field field, int shift)
{
    int64_t ends[VALUES + 1] = {0};
    for (int64_t i = 0; i < count; i++) {
        ends[digit_of(&from[i], field, shift) + 1]++;
    }
    for (int digit = 0; digit < VALUES; digit++) {
        ends[digit + 1] += ends[digit];
    }
    for (int64_t i = 0; i < count; i++) {
        to[ends[digit_of(&from[i], field, shift)]++] = from[i];
        HALO_TRY(halo_watch_entry(world, i));
    }
    return HALO_OK;
}

static halo_status sort_by(const halo_world *world, split_pass *list, split_pass *memory,
                           int64_t count)
{
    split_pass *from = list, *to = memory;
    for (pass_field field = BY_B; field < FIELDS; field++) {
        uint64_t bits = differences(list, count, field);
        for (int shift = 0; shift < WIDTH; shift += DIGIT) {
            if ((bits >> shift & (VALUES - 1)) != 0) {
                HALO_TRY(sort_digit(world, from, to, count, field, shift));
                split_pass *swapped = from;
                from = to;
                to = swapped;
            }
        }
    }
    if (from != list) {
        memcpy(list, from, (size_t)count * sizeof *list);
    }
    return HALO_OK;
}

halo_status split_sort(const halo_world *world, split_pass *list, int64_t count)
{
    split_pass *memory;
    HALO_TRY(HALO_ALLOCATE_LARGE(memory, count, "passes in order"));
    halo_status status = sort_by(world, list, memory, count);
    halo_memory_free(memory);
    return status;
}
