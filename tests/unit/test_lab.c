#include "kernels/cluster/lab.h"
#include "support/images.h"
#include "support/unit_check.h"

/* sRGB to L*a*b* beside the formulas of CIE 15 and IEC 61966-2-1 in double. */

/* Half a step, and .03 for what tables and floats are off. */
static const double max_off = .53;

static double light(double sample)
{
    return sample <= .04045 ? sample / 12.92 : pow((sample + .055) / 1.055, 2.4);
}

static double cube_root(double t)
{
    return t > pow(6. / 29, 3) ? cbrt(t) : t * pow(29. / 6, 2) / 3 + 4. / 29;
}

static void plain_lab(const uint16_t rgb[3], double maximum, double lab[3])
{
    static const double matrix[3][3] = {{0.412453, 0.357580, 0.180423},
                                        {0.212671, 0.715160, 0.072169},
                                        {0.019334, 0.119193, 0.950227}};
    double f[3];
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0, white = 0;
        for (int i = 0; i < 3; i++) {
            sum += matrix[axis][i] * light(rgb[i] / maximum);
            white += matrix[axis][i];
        }
        f[axis] = cube_root(sum / white);
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static halo_lab *create(int bits)
{
    halo_lab *lab = NULL;
    SUCCEEDS(halo_lab_create(&lab, bits));
    return lab;
}

static void convert(const halo_lab *lab, int bits, const uint16_t rgb[3], int16_t out[3])
{
    unsigned char bytes[3] = {(unsigned char)rgb[0], (unsigned char)rgb[1], (unsigned char)rgb[2]};
    halo_lab_row(lab, bits == 8 ? (const void *)bytes : (const void *)rgb, 1, out);
}

static void check_colour(const halo_lab *lab, int bits, const uint16_t rgb[3])
{
    double wanted[3], worst = 0;
    int16_t got[3];
    plain_lab(rgb, (1 << bits) - 1, wanted);
    convert(lab, bits, rgb, got);
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(got[i] - wanted[i] * HALO_LAB_STEPS));
    }
    check(worst <= max_off, "%d bits %d %d %d: %.4f steps off", bits, rgb[0], rgb[1], rgb[2],
          worst);
}

/* A grid over the cube with its corners and all dark colours. */
TEST("8 bits beside the formulas")
{
    halo_lab *lab = create(8);
    for (int side = 52; side >= 32; side -= 20) {
        int step = side == 52 ? 5 : 1;
        for (int i = 0; i < side * side * side; i++) {
            uint16_t rgb[3] = {(uint16_t)(i / side / side * step),
                               (uint16_t)(i / side % side * step), (uint16_t)(i % side * step)};
            check_colour(lab, 8, rgb);
        }
    }
    halo_lab_destroy(&lab);
    CU_ASSERT_PTR_NULL(lab);
    halo_lab_destroy(&lab);
}

TEST("16 bits beside the formulas")
{
    halo_lab *lab = create(16);
    uint64_t random = 16;
    for (int i = 0; i < 200000; i++) {
        uint16_t rgb[3];
        for (int j = 0; j < 3; j++) {
            rgb[j] = (uint16_t)random_below(&random, i % 4 == 0 ? 3000 : 65536);
        }
        check_colour(lab, 16, rgb);
    }
    halo_lab_destroy(&lab);
}

/* The ends that lab.h tells of, to the step. */
TEST("corners of the cube")
{
    static const struct {
        int bits;
        uint16_t rgb[3];
        int16_t lab[3];
    } cases[] = {{8, {0, 0, 0}, {0, 0, 0}},
                 {8, {255, 255, 255}, {6400, 0, 0}},
                 {16, {65535, 65535, 65535}, {6400, 0, 0}},
                 {8, {0, 255, 0}, {5615, -5516, 5323}},
                 {8, {255, 0, 255}, {3861, 6287, -3893}},
                 {8, {0, 0, 255}, {2067, 5068, -6903}},
                 {8, {255, 255, 0}, {6217, -1379, 6046}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_lab *lab = create(cases[i].bits);
        int16_t got[3];
        convert(lab, cases[i].bits, cases[i].rgb, got);
        check(memcmp(got, cases[i].lab, sizeof got) == 0, "case %zu: %d %d %d", i, got[0], got[1],
              got[2]);
        halo_lab_destroy(&lab);
    }
    halo_lab *lab = NULL;
    CU_ASSERT_EQUAL(halo_lab_create(&lab, 12), HALO_ARGUMENT);
    CU_ASSERT_PTR_NULL(lab);
}

/* Greys are neutral and grow lighter; 8 bits are 16 bits times 257. */
TEST("greys")
{
    halo_lab *lab = create(16), *small = create(8);
    int16_t before = -1;
    for (int i = 0; i < 65536; i++) {
        uint16_t rgb[3] = {(uint16_t)i, (uint16_t)i, (uint16_t)i};
        int16_t got[3], got8[3];
        convert(lab, 16, rgb, got);
        CU_ASSERT(got[1] == 0 && got[2] == 0 && got[0] >= before);
        before = got[0];
        if (i % 257 == 0) {
            uint16_t rgb8[3] = {(uint16_t)(i / 257), (uint16_t)(i / 257), (uint16_t)(i / 257)};
            convert(small, 8, rgb8, got8);
            CU_ASSERT_EQUAL(memcmp(got, got8, sizeof got), 0);
        }
    }
    halo_lab_destroy(&lab);
    halo_lab_destroy(&small);
}

/* A row is its pixels. */
TEST("rows")
{
    enum { PIXELS = 1001 };
    halo_lab *lab = create(8);
    uint64_t random = 8;
    unsigned char rgb[3 * PIXELS];
    int16_t row[3 * PIXELS + 1], one[3];
    for (int i = 0; i < 3 * PIXELS; i++) {
        rgb[i] = (unsigned char)random_below(&random, 256);
    }
    row[3 * PIXELS] = 12345;
    halo_lab_row(lab, rgb, PIXELS, row);
    for (int64_t i = 0; i < PIXELS; i++) {
        halo_lab_row(lab, rgb + 3 * i, 1, one);
        CU_ASSERT_EQUAL(memcmp(one, row + 3 * i, sizeof one), 0);
    }
    CU_ASSERT_EQUAL(row[3 * PIXELS], 12345);
    halo_lab_destroy(&lab);
}
