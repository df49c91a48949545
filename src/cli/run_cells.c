#include "cli/run_cells.h"

enum { BITS_A_BYTE = 8 };

static const struct {
    halo_cell_kind kind;
    int bits;
    halo_npy_type type;
} types[] = {{HALO_UNSIGNED, HALO_BIT, HALO_NPY_U8}, {HALO_UNSIGNED, 8, HALO_NPY_U8},
             {HALO_UNSIGNED, 16, HALO_NPY_U16},      {HALO_UNSIGNED, 32, HALO_NPY_U32},
             {HALO_UNSIGNED, 64, HALO_NPY_U64},      {HALO_SIGNED, 8, HALO_NPY_I8},
             {HALO_SIGNED, 16, HALO_NPY_I16},        {HALO_SIGNED, 32, HALO_NPY_I32},
             {HALO_SIGNED, 64, HALO_NPY_I64},        {HALO_FLOAT, 32, HALO_NPY_F32},
             {HALO_FLOAT, 64, HALO_NPY_F64}};

halo_npy_type run_cells_npy(const halo_kernel *kernel, int field, int *samples)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].kind == kernel->cell_kind[field] &&
            types[i].bits == kernel->cell_bits[field]) {
            *samples = 1;
            return types[i].type;
        }
    }
    *samples = kernel->cell_bits[field] / BITS_A_BYTE;
    return HALO_NPY_U8;
}

void run_cells_spread(const void *bits, int64_t count, unsigned char *out)
{
    const unsigned char *bytes = bits;
    for (int64_t i = 0; i < count; i++) {
        out[i] = bytes[i / BITS_A_BYTE] >> i % BITS_A_BYTE & 1;
    }
}
