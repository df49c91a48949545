#include "core/move/strided_rows.h"

#include "base/minmax.h"
#include "core/field/field.h"

#include <string.h>

enum { WORD_BITS = 64, WORD_BYTES = 8 };

halo_strided_rows halo_strided_rows_of(int axes, int cell_bits, const halo_part *part,
                                       const halo_box *box)
{
    int last = axes - 1;
    halo_strided_rows found = {.start = part->origin, .n = {1, 1}, .last_mask = UINT64_MAX};
    int64_t first = box->lo[last] - part->box.lo[last], cells = box->n[last];
    if (cell_bits == HALO_BIT) {
        found.start += first / WORD_BITS * WORD_BYTES;
        found.row_bytes = (cells + WORD_BITS - 1) / WORD_BITS * WORD_BYTES;
        found.last_mask >>= (WORD_BITS - cells % WORD_BITS) % WORD_BITS;
    } else {
        found.start += first * (cell_bits / 8);
        found.row_bytes = cells * (cell_bits / 8);
    }
    for (int axis = last - 1, level = 1; axis >= 0; axis--, level--) {
        found.start += (box->lo[axis] - part->box.lo[axis]) * part->stride[axis];
        found.n[level] = box->n[axis];
        found.stride[level] = part->stride[axis];
    }
    return found;
}

int64_t halo_strided_rows_bytes(const halo_strided_rows *cells)
{
    return cells->row_bytes * cells->n[0] * cells->n[1];
}

/* Only the bits that are cells: what else is in a last word belongs to a halo. */
static void copy_last_word(char *to, const char *from, uint64_t mask, bool keeps)
{
    uint64_t kept = 0, word;
    if (keeps) {
        memcpy(&kept, to, sizeof kept);
    }
    memcpy(&word, from, sizeof word);
    word = (word & mask) | (kept & ~mask);
    memcpy(to, &word, sizeof word);
}

/* A row's bytes, or some of them; with their end, if it has a mask. */
static void copy_bytes(char *to, const char *from, int64_t bytes, uint64_t mask, bool keeps)
{
    bool masked = mask != UINT64_MAX;
    int64_t plain = masked ? bytes - WORD_BYTES : bytes;
    memcpy(to, from, (size_t)plain);
    if (masked) {
        copy_last_word(to + plain, from + plain, mask, keeps);
    }
}

void halo_strided_rows_copy(const halo_strided_rows *cells, int64_t lo, int64_t bytes, char *buffer,
                            bool out)
{
    while (bytes > 0) {
        int64_t row = lo / cells->row_bytes, at = lo % cells->row_bytes;
        int64_t some = halo_min(cells->row_bytes - at, bytes);
        char *field = cells->start + row / cells->n[1] * cells->stride[0] +
                      row % cells->n[1] * cells->stride[1] + at;
        uint64_t mask = at + some == cells->row_bytes ? cells->last_mask : UINT64_MAX;
        copy_bytes(out ? buffer : field, out ? field : buffer, some, mask, !out);
        lo += some;
        buffer += some;
        bytes -= some;
    }
}

void halo_part_copy(int axes, int cell_bits, const halo_part *from, const halo_part *to)
{
    halo_box both = halo_box_intersection(&from->box, &to->box);
    if (halo_box_cells(&both) == 0) {
        return;
    }
    halo_strided_rows in = halo_strided_rows_of(axes, cell_bits, from, &both);
    halo_strided_rows out = halo_strided_rows_of(axes, cell_bits, to, &both);
    for (int64_t i = 0; i < in.n[0]; i++) {
        for (int64_t j = 0; j < in.n[1]; j++) {
            copy_bytes(out.start + i * out.stride[0] + j * out.stride[1],
                       in.start + i * in.stride[0] + j * in.stride[1], in.row_bytes, in.last_mask,
                       true);
        }
    }
}
