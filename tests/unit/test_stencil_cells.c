#include "app/stencil/cells.h"
#include "support/unit_check.h"

static halo_kernel kernel_of(halo_cell_kind kind, int bits)
{
    return (halo_kernel){.cell_bits = {bits}, .cell_kind = {kind}};
}

/* Samples of each type: 0, 1, and the extremes. */
TEST("samples as doubles")
{
#define DOUBLES(code, type, kind, range, name, numpy, min, max)                              \
    do {                                                                                     \
        static const type samples[] = {0, 1, min, max};                                      \
        double numbers[COUNT(samples)] = {0};                                                \
        halo_sample_to_doubles(HALO_SAMPLE_##code, samples, 1, COUNT(samples) - 1, numbers); \
        for (size_t i = 1; i < COUNT(samples); i++) {                                        \
            check(numbers[i - 1] == (double)samples[i], name " %zu: %g", i, numbers[i - 1]); \
        }                                                                                    \
    } while (0);
    HALO_SAMPLE_VALUE_LIST(DOUBLES)
#undef DOUBLES
}

TEST("bits as doubles")
{
    const uint64_t words[] = {UINT64_C(0x8000000000000005), 2};
    enum { BITS = 70 };
    double numbers[BITS];
    halo_sample_to_doubles(HALO_SAMPLE_BIT, words, 0, BITS, numbers);
    for (int i = 0; i < BITS; i++) {
        int wanted = i == 0 || i == 2 || i == 63 || i == 65;
        check(numbers[i] == wanted, "bit %d: %g", i, numbers[i]);
    }
    halo_sample_to_doubles(HALO_SAMPLE_BIT, words, 63, 3, numbers);
    CU_ASSERT_TRUE(numbers[0] == 1 && numbers[1] == 0 && numbers[2] == 1);
}

/* Cells have NumPy's types; cells of a type that NumPy does not have are as many bytes. */
TEST("types of arrays")
{
    static const struct {
        halo_cell_kind kind;
        int bits;
        halo_sample_type type;
        int samples;
    } cases[] = {{HALO_UNSIGNED, 1, HALO_SAMPLE_U8, 1},   {HALO_UNSIGNED, 64, HALO_SAMPLE_U64, 1},
                 {HALO_SIGNED, 16, HALO_SAMPLE_I16, 1},   {HALO_FLOAT, 32, HALO_SAMPLE_F32, 1},
                 {HALO_FLOAT, 64, HALO_SAMPLE_F64, 1},    {HALO_FLOAT, 16, HALO_SAMPLE_U8, 2},
                 {HALO_UNSIGNED, 24, HALO_SAMPLE_U8, 3},  {HALO_FLOAT, 128, HALO_SAMPLE_U8, 16},
                 {HALO_SIGNED, 4096, HALO_SAMPLE_U8, 512}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_kernel kernel = kernel_of(cases[i].kind, cases[i].bits);
        int samples = 0;
        check(stencil_cells_npy(&kernel, 0, &samples) == cases[i].type &&
                  samples == cases[i].samples,
              "kind %d of %d bits: %d samples", (int)cases[i].kind, cases[i].bits, samples);
        check((stencil_cells_type(&kernel, 0) == STENCIL_BYTES) == (samples != 1),
              "%d bits as a number", cases[i].bits);
    }
}

TEST("how many fields")
{
    halo_kernel kernel = {.cell_bits = {32, 8, 1}};
    CU_ASSERT_EQUAL(stencil_cells_fields(&kernel), 3);
    kernel.cell_bits[3] = 64;
    CU_ASSERT_EQUAL(stencil_cells_fields(&kernel), HALO_KERNEL_FIELDS);
}
