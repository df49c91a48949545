#include "app/stencil/cells.h"
#include "io/npy/npy.h"
#include "support/unit_check.h"

static halo_kernel kernel_of(halo_cell_kind kind, int bits)
{
    return (halo_kernel){.cell_bits = {bits}, .cell_kind = {kind}};
}

/* Cells of each type: the smallest and the largest that a double holds exactly. */
#define NUMBERS(type, kind, bits, ...)                                                          \
    do {                                                                                        \
        static const type cells[] = {0, __VA_ARGS__};                                           \
        double numbers[COUNT(cells)];                                                           \
        halo_kernel kernel = kernel_of(kind, bits);                                             \
        CU_ASSERT_TRUE(stencil_cells_numbers(&kernel, 0, cells, 1, COUNT(cells) - 1, numbers)); \
        for (size_t i = 1; i < COUNT(cells); i++) {                                             \
            check(numbers[i - 1] == (double)cells[i], #type " %zu: %g", i, numbers[i - 1]);     \
        }                                                                                       \
    } while (0)

TEST("cells as numbers")
{
    NUMBERS(uint8_t, HALO_UNSIGNED, 8, 1, UINT8_MAX);
    NUMBERS(uint16_t, HALO_UNSIGNED, 16, 1, UINT16_MAX);
    NUMBERS(uint32_t, HALO_UNSIGNED, 32, 1, UINT32_MAX);
    NUMBERS(uint64_t, HALO_UNSIGNED, 64, 1, UINT64_C(1) << 63);
    NUMBERS(int8_t, HALO_SIGNED, 8, -1, INT8_MIN, INT8_MAX);
    NUMBERS(int16_t, HALO_SIGNED, 16, -1, INT16_MIN, INT16_MAX);
    NUMBERS(int32_t, HALO_SIGNED, 32, -1, INT32_MIN, INT32_MAX);
    NUMBERS(int64_t, HALO_SIGNED, 64, -1, INT64_MIN, INT64_C(1) << 52);
    NUMBERS(float, HALO_FLOAT, 32, -.5F, 3e38F);
    NUMBERS(double, HALO_FLOAT, 64, -.1, 1e300);
}

TEST("bits")
{
    const uint64_t words[] = {UINT64_C(0x8000000000000005), 2};
    halo_kernel kernel = kernel_of(HALO_UNSIGNED, HALO_BIT);
    enum { BITS = 70 };
    double numbers[BITS];
    unsigned char bytes[BITS], back[9];
    CU_ASSERT_TRUE(stencil_cells_numbers(&kernel, 0, words, 0, BITS, numbers));
    stencil_cells_bytes_of_bits(words, BITS, bytes);
    for (int i = 0; i < BITS; i++) {
        int wanted = i == 0 || i == 2 || i == 63 || i == 65;
        check(numbers[i] == wanted && bytes[i] == wanted, "bit %d: %g, %d", i, numbers[i],
              bytes[i]);
        bytes[i] = (unsigned char)(wanted * (i + 1)); /* anything but 0 */
    }
    memset(back, 255, sizeof back);
    stencil_cells_bits_of_bytes(bytes, BITS, back);
    CU_ASSERT_EQUAL(memcmp(back, words, sizeof back), 0);
    CU_ASSERT_TRUE(stencil_cells_numbers(&kernel, 0, words, 63, 3, numbers));
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
        double number;
        const unsigned char cell[512] = {0};
        check(stencil_cells_npy(&kernel, 0, &samples) == cases[i].type &&
                  samples == cases[i].samples,
              "kind %d of %d bits: %d samples", (int)cases[i].kind, cases[i].bits, samples);
        check(stencil_cells_numbers(&kernel, 0, cell, 0, 1, &number) == (samples == 1),
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
