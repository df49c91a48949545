#include "app/stencil/cells.h"
#include "io/image/image_reader.h"
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

/* Each sample is 5, which all types have, or one that the other type may not have. */
TEST("samples as whole numbers of another type")
{
    static const struct {
        const char *value;
        halo_sample_type type, to;
        bool fits;
    } cases[] = {{"255", HALO_SAMPLE_I64, HALO_SAMPLE_U8, true},
                 {"256", HALO_SAMPLE_U16, HALO_SAMPLE_U8, false},
                 {"-1", HALO_SAMPLE_I8, HALO_SAMPLE_U64, false},
                 {"-128", HALO_SAMPLE_F32, HALO_SAMPLE_I8, true},
                 {"18446744073709551615", HALO_SAMPLE_U64, HALO_SAMPLE_I64, false},
                 {"9007199254740993", HALO_SAMPLE_U64, HALO_SAMPLE_I64, true},
                 {"-9223372036854775808", HALO_SAMPLE_F64, HALO_SAMPLE_I64, true},
                 {"0.5", HALO_SAMPLE_F64, HALO_SAMPLE_I32, false},
                 {"inf", HALO_SAMPLE_F32, HALO_SAMPLE_U64, false},
                 {"nan", HALO_SAMPLE_F64, HALO_SAMPLE_U16, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const halo_sample_type type = cases[i].type, to = cases[i].to;
        const size_t bytes = halo_sample_types[type].bytes;
        const halo_number five = halo_number_of(5);
        halo_number value;
        uint64_t samples[3], found[3];
        unsigned char *at = (unsigned char *)samples;
        CU_ASSERT_TRUE(halo_image_scan_nodata(cases[i].value, &value));
        halo_sample_put(type, &five, at);
        halo_sample_put(type, &value, at + bytes);
        halo_sample_put(type, &five, at + 2 * bytes);
        const int64_t good = halo_sample_to_whole(type, samples, 3, to, found);
        check(good == (cases[i].fits ? 3 : 1), "%s is sample %d", cases[i].value, (int)good);
        for (int k = 0; k < good; k++) {
            const int64_t key = halo_sample_key_of(to, found, k);
            const halo_number is = halo_sample_number(to, key);
            check(halo_number_equal(&is, k == 1 ? &value : &five), "%s became %g", cases[i].value,
                  is.value);
        }
        CU_ASSERT_EQUAL(halo_sample_to_whole(type, samples, 3, HALO_SAMPLE_BIT, found), 3);
        CU_ASSERT_EQUAL(found[0] & 7, 7);
    }
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
