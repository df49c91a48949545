#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/bits_ops.h"
#include "kernels/filter/extreme.h"

#include <stdlib.h>

/* Erosions and dilations of bits. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_bits_ops, AVX512);

typedef struct {
    const filter_extreme *what;
    const filter_bits_ops *ops;
    filter_chords chords;
    filter_bit_rows call;
    char *memory;
} bit_state;

void filter_extreme_bits_rows(const filter_tile *tile)
{
    bit_state *b = tile->state;
    b->call.rows = tile->in;
    b->call.count = tile->rows;
    b->call.width = tile->width;
    b->call.out = tile->out;
    b->ops->element[b->what->greatest](&b->call);
}

static halo_status create(bit_state *b, const filter_step *step, const filter_part *part)
{
    enum { LINE = 64, BLOCK = 2048 };
    const int64_t reach = part->depth[2], bytes = (int64_t)sizeof(uint64_t);
    int64_t side = (reach + FILTER_WORD - 1) / FILTER_WORD * bytes;
    int64_t row = (step->n[2] + reach + FILTER_WORD - 1) / FILTER_WORD * bytes;
    HALO_TRY(filter_chords_find(&b->chords, &b->what->element, step->n[1] + 2 * part->depth[1]));
    b->call.chords = &b->chords;
    side = (side + LINE - 1) & -LINE;
    b->call.pitch = (size_t)((side + row + 2 * LINE - 1) & -LINE);
    b->call.batch = halo_max(1, BLOCK / row);
    HALO_TRY(HALO_ALLOCATE_LARGE(
        b->memory, (size_t)(b->call.batch * b->chords.levels + 1) * b->call.pitch, "rows"));
    b->call.scratch = b->memory + side;
    return HALO_OK;
}

halo_status filter_extreme_bits_create(void **state, const filter_step *step,
                                       const filter_part *part, const char *instructions)
{
    const halo_isa_variant *variant;
    bit_state *b;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(b, 1, "a filter"));
    *state = b;
    b->what = part->own;
    b->ops = variant->ops;
    return create(b, step, part);
}

void filter_extreme_bits_destroy(void *state)
{
    bit_state *b = state;
    if (b != NULL) {
        halo_memory_free(b->memory);
        filter_chords_free(&b->chords);
        free(b);
    }
}
