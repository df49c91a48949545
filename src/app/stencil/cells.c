#include "app/stencil/cells.h"
#include "io/npy/npy.h"

#include <string.h>

enum { BITS_A_BYTE = 8 };

/* ---- cells as numbers ------------------------------------------------------------------------ */

typedef void convert(const void *line, int64_t first, int64_t count, double *out);

/* A row for each type of cells: its name in C, its kind, its bits, and NumPy's names. */
#define CELL_LIST(X)                              \
    X(uint8_t, HALO_UNSIGNED, 8, U8, "uint8")     \
    X(uint16_t, HALO_UNSIGNED, 16, U16, "uint16") \
    X(uint32_t, HALO_UNSIGNED, 32, U32, "uint32") \
    X(uint64_t, HALO_UNSIGNED, 64, U64, "uint64") \
    X(int8_t, HALO_SIGNED, 8, I8, "int8")         \
    X(int16_t, HALO_SIGNED, 16, I16, "int16")     \
    X(int32_t, HALO_SIGNED, 32, I32, "int32")     \
    X(int64_t, HALO_SIGNED, 64, I64, "int64")     \
    X(float, HALO_FLOAT, 32, F32, "float32")      \
    X(double, HALO_FLOAT, 64, F64, "float64")

#define CELL_CONVERT(type, kind, bits, npy, name)                                           \
    static void convert_##type(const void *line, int64_t first, int64_t count, double *out) \
    {                                                                                       \
        const type *cells = (const type *)line + first;                                     \
        for (int64_t i = 0; i < count; i++) {                                               \
            out[i] = (double)cells[i];                                                      \
        }                                                                                   \
    }
CELL_LIST(CELL_CONVERT)
#undef CELL_CONVERT

static void convert_bits(const void *line, int64_t first, int64_t count, double *out)
{
    const unsigned char *bytes = line;
    for (int64_t i = first; i < first + count; i++) {
        out[i - first] = bytes[i / BITS_A_BYTE] >> i % BITS_A_BYTE & 1;
    }
}

typedef struct {
    halo_cell_kind kind;
    int bits;
    halo_sample_type npy;
    const char *name;
    convert *numbers;
} cell_type;

static const cell_type types[] = {
#define CELL_ENTRY(type, kind, bits, npy, name) {kind, bits, HALO_NPY_##npy, name, convert_##type},
    CELL_LIST(CELL_ENTRY)
#undef CELL_ENTRY
        {HALO_UNSIGNED, HALO_BIT, HALO_SAMPLE_U8, "bool", convert_bits}};

/* NULL for cells that are bytes. */
static const cell_type *type_of(const halo_kernel *kernel, int field)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].kind == kernel->cell_kind[field] &&
            types[i].bits == kernel->cell_bits[field]) {
            return &types[i];
        }
    }
    return NULL;
}

bool stencil_cells_are_numbers(const halo_kernel *kernel, int field)
{
    return type_of(kernel, field) != NULL;
}

bool stencil_cells_numbers(const halo_kernel *kernel, int field, const void *line, int64_t first,
                           int64_t count, double *out)
{
    const cell_type *type = type_of(kernel, field);
    if (type != NULL) {
        type->numbers(line, first, count, out);
    }
    return type != NULL;
}

/* ---- cells in files -------------------------------------------------------------------------- */

int stencil_cells_fields(const halo_kernel *kernel)
{
    int fields = 0;
    while (fields < HALO_KERNEL_FIELDS && kernel->cell_bits[fields] != 0) {
        fields++;
    }
    return fields;
}

halo_sample_type stencil_cells_npy(const halo_kernel *kernel, int field, int *samples)
{
    const cell_type *type = type_of(kernel, field);
    *samples = type != NULL ? 1 : kernel->cell_bits[field] / BITS_A_BYTE;
    return type != NULL ? type->npy : HALO_SAMPLE_U8;
}

const char *stencil_cells_name(const halo_kernel *kernel, int field)
{
    const cell_type *type = type_of(kernel, field);
    return type != NULL ? type->name : NULL;
}

void stencil_cells_bytes_of_bits(const void *bits, int64_t count, unsigned char *out)
{
    const unsigned char *bytes = bits;
    for (int64_t i = 0; i < count; i++) {
        out[i] = bytes[i / BITS_A_BYTE] >> i % BITS_A_BYTE & 1;
    }
}

void stencil_cells_bits_of_bytes(const unsigned char *bytes, int64_t count, void *bits)
{
    unsigned char *out = bits;
    memset(out, 0, (size_t)((count + BITS_A_BYTE - 1) / BITS_A_BYTE));
    for (int64_t i = 0; i < count; i++) {
        out[i / BITS_A_BYTE] |= (unsigned char)((bytes[i] != 0) << i % BITS_A_BYTE);
    }
}
