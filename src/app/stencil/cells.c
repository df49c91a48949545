#include "app/stencil/cells.h"

enum { BITS_A_BYTE = 8 };

int stencil_cells_fields(const halo_kernel *kernel)
{
    int fields = 0;
    while (fields < HALO_KERNEL_FIELDS && kernel->cell_bits[fields] != 0) {
        fields++;
    }
    return fields;
}

halo_sample_type stencil_cells_type(const halo_kernel *kernel, int field)
{
    static const char kinds[] = {[HALO_UNSIGNED] = 'u', [HALO_SIGNED] = 'i', [HALO_FLOAT] = 'f'};
    const char kind = kinds[kernel->cell_kind[field]];
    const size_t bits = (size_t)kernel->cell_bits[field];
    int type = HALO_SAMPLE_BIT + 1;
    while (type < HALO_SAMPLE_TYPES && (halo_sample_types[type].numpy[0] != kind ||
                                        halo_sample_types[type].bytes * BITS_A_BYTE != bits)) {
        type++;
    }
    return bits == HALO_BIT ? HALO_SAMPLE_BIT : (halo_sample_type)type;
}

halo_sample_type stencil_cells_npy(const halo_kernel *kernel, int field, int *samples)
{
    const halo_sample_type type = stencil_cells_type(kernel, field);
    *samples = type != STENCIL_BYTES ? 1 : kernel->cell_bits[field] / BITS_A_BYTE;
    return type != STENCIL_BYTES && type != HALO_SAMPLE_BIT ? type : HALO_SAMPLE_U8;
}
