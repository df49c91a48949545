#include "kernels/cluster/lab.h"

#include <stdlib.h>
#include <string.h>

/* Samples are looked up as linear light, which a matrix turns to X, Y, Z as shares of the white's;
 * of each comes its cube root, but for a straight line near black, from a table of straight pieces;
 * and L, a and b are differences of those. CIE 15; IEC 61966-2-1. */

typedef float four __attribute__((vector_size(16)));

/* A piece of the cube root as at + slope * t. The pieces are as long as t is large: a piece is
 * found by the highest bits of t as a float, PIECE_BITS of them its fraction's. t is the share of
 * white plus OFFSET, so that these bits can start at OFFSET; its pieces are .0078 / 256 long at
 * black. */
typedef struct {
    float at, slope;
} piece;

#define OFFSET (1. / 128)
enum { OCTAVES = 7, PIECE_BITS = 8, FLOAT_BITS = 23, PIECES = (OCTAVES << PIECE_BITS) + 4 };

struct halo_lab {
    int bits;
    four column[3]; /* of the matrix from linear red, green, blue to shares of white's X, Y, Z */
    four share[3][256]; /* column times linear, with 8 bits only; blue's with OFFSET */
    piece pieces[PIECES];
    float linear[]; /* [1 << bits] */
};

/* As IEC 61966-2-1 derives it from the primaries. */
static const double xyz_of_rgb[3][3] = {
    {0.412453, 0.357580, 0.180423},
    {0.212671, 0.715160, 0.072169},
    {0.019334, 0.119193, 0.950227},
};

/* These factors turn the differences of cube roots into L, a and b, in steps. */
static const double scale[3] = {116. * HALO_LAB_STEPS, 500. * HALO_LAB_STEPS,
                                200. * HALO_LAB_STEPS};
#define LIGHT_AT_BLACK (16. * HALO_LAB_STEPS)

/* The n-th root of x in (0, 1] by Newton's method from above, until it falls no more. */
static double root(double x, int n)
{
    double y = 1;
    for (;;) {
        double power = 1;
        for (int i = 1; i < n; i++) {
            power *= y;
        }
        double next = ((n - 1) * y + x / power) / n;
        if (!(next < y)) {
            return y;
        }
        y = next;
    }
}

static double linear_of(double sample)
{
    if (sample <= .04045) {
        return sample / 12.92;
    }
    double x = (sample + .055) / 1.055, fifth = root(x, 5);
    return x * x * fifth * fifth; /* x to the power of 2.4 */
}

#define DARK (6. / 29 * 6 / 29 * 6 / 29)

static double cube_root_of(double t)
{
    return t > DARK ? root(t < 1 ? t : 1, 3) + (t < 1 ? 0 : (t - 1) / 3)
                    : t * (29. / 6 * 29 / 6 / 3) + 4. / 29;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Between a piece's ends the chord, raised by half of what it lacks in the middle. */
static void make_pieces(piece pieces[PIECES])
{
    double length = OFFSET / (1 << PIECE_BITS), t = OFFSET;
    for (int i = 0; i < PIECES; i++) {
        if (i > 0 && i % (1 << PIECE_BITS) == 0) {
            length *= 2;
        }
        double low = cube_root_of(t - OFFSET), high = cube_root_of(t + length - OFFSET);
        double middle = cube_root_of(t + length / 2 - OFFSET);
        double slope = (high - low) / length, lacking = middle - (low + high) / 2;
        pieces[i] = (piece){(float)(low - slope * t + lacking / 2), (float)slope};
        t += length;
    }
}

static double white(int axis)
{
    return xyz_of_rgb[axis][0] + xyz_of_rgb[axis][1] + xyz_of_rgb[axis][2];
}

static inline four spread(float value)
{
    return (four){value, value, value, value};
}

static inline four blue_share(const halo_lab *lab, float blue)
{
    return spread(blue) * lab->column[2] + spread((float)OFFSET);
}

static void make_shares(halo_lab *lab)
{
    for (int i = 0; i < 3; i++) {
        lab->column[i] =
            (four){(float)(xyz_of_rgb[0][i] / white(0)), (float)(xyz_of_rgb[1][i] / white(1)),
                   (float)(xyz_of_rgb[2][i] / white(2)), 0};
    }
    for (int i = 0; lab->bits == 8 && i < 256; i++) {
        lab->share[0][i] = spread(lab->linear[i]) * lab->column[0];
        lab->share[1][i] = spread(lab->linear[i]) * lab->column[1];
        lab->share[2][i] = blue_share(lab, lab->linear[i]);
    }
}

halo_status halo_lab_create(halo_lab **out, int bits)
{
    *out = NULL;
    if (bits != 8 && bits != 16) {
        return halo_fail(HALO_ARGUMENT, "colours of %d bits a sample; they have 8 or 16", bits);
    }
    size_t values = (size_t)1 << bits, bytes = sizeof(halo_lab) + values * sizeof(float);
    bytes = (bytes + 63) / 64 * 64;
    halo_lab *lab = aligned_alloc(64, bytes);
    if (lab == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: tables of colours take %zu bytes", bytes);
    }
    lab->bits = bits;
    make_pieces(lab->pieces);
    for (size_t i = 0; i < values; i++) {
        lab->linear[i] = (float)linear_of((double)i / (double)(values - 1));
    }
    make_shares(lab);
    *out = lab;
    return HALO_OK;
}

void halo_lab_destroy(halo_lab **lab)
{
    free(*lab);
    *lab = NULL;
}

/* --- Rows --- */

static inline float cube_root(const halo_lab *lab, float t)
{
    enum { FIRST = (127 - OCTAVES) << PIECE_BITS }; /* OFFSET's highest bits */
    const piece *p = &lab->pieces[(int64_t)(float_bits(t) >> (FLOAT_BITS - PIECE_BITS)) - FIRST];
    return p->at + p->slope * t;
}

/* The nearest whole number of `steps` + `more`: so large a number is added that a float has no
 * bits left for fractions, and whole numbers in its lowest ones. */
static inline int16_t nearest(float steps, float more)
{
    return (int16_t)float_bits(steps + ((float)(3 << (FLOAT_BITS - 1)) + more));
}

static inline void convert(const halo_lab *lab, four t, int16_t out[3])
{
    float x = cube_root(lab, t[0]), y = cube_root(lab, t[1]), z = cube_root(lab, t[2]);
    out[0] = nearest(y * (float)scale[0], -(float)LIGHT_AT_BLACK);
    out[1] = nearest((x - y) * (float)scale[1], 0);
    out[2] = nearest((y - z) * (float)scale[2], 0);
}

void halo_lab_row(const halo_lab *lab, const void *rgb, int64_t pixels, int16_t *out)
{
    const unsigned char *bytes = rgb;
    const uint16_t *words = rgb;
    for (int64_t i = 0; lab->bits == 8 && i < 3 * pixels; i += 3) {
        four t = lab->share[0][bytes[i]] + lab->share[1][bytes[i + 1]];
        convert(lab, t + lab->share[2][bytes[i + 2]], out + i);
    }
    const float *linear = lab->linear;
    for (int64_t i = 0; lab->bits == 16 && i < 3 * pixels; i += 3) {
        four t = spread(linear[words[i]]) * lab->column[0] +
                 spread(linear[words[i + 1]]) * lab->column[1];
        convert(lab, t + blue_share(lab, linear[words[i + 2]]), out + i);
    }
}
