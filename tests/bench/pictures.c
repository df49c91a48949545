#include "tests/bench/pictures.h"
#include "io/png/png_read.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BRIGHT = 200, DARK = 50, MIDDLE = 128, PASSES = 3 };

/* Grey levels of one standard deviation in a blurred picture. */
static const double SPREAD = 50;

static const uint64_t SEED = UINT64_C(0x48616c6f62656174);

/* A counter-based generator (splitmix64's finisher): pixel i is the same whatever the order. */
static uint64_t random_at(uint64_t i)
{
    uint64_t z = SEED + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void make_noise(uint8_t *grey, int64_t size, double percent)
{
    double limit = percent / 100 * 18446744073709551616.0;
    for (int64_t i = 0; i < size * size; i++) {
        grey[i] = (double)random_at((uint64_t)i) < limit ? BRIGHT : DARK;
    }
}

/* Mean of 2 * radius + 1 neighbours along a row; rows go round. */
static void box_row(float *row, float *copy, int64_t size, int64_t radius)
{
    memcpy(copy, row, (size_t)size * sizeof *row);
    double sum = 0;
    for (int64_t x = -radius; x <= radius; x++) {
        sum += copy[(x + size) % size];
    }
    for (int64_t x = 0; x < size; x++) {
        row[x] = (float)(sum / (double)(2 * radius + 1));
        int64_t enters = x + radius + 1, leaves = x - radius;
        sum += copy[enters < size ? enters : enters - size];
        sum -= copy[leaves >= 0 ? leaves : leaves + size];
    }
}

static void add_row(double *sums, const float *row, int64_t size, double factor)
{
    for (int64_t x = 0; x < size; x++) {
        sums[x] += factor * (double)row[x];
    }
}

/* The same along columns, by sums that move down one row at a time. */
static void box_columns(float *cells, float *out, int64_t size, int64_t radius)
{
    double *sums = bench_allocate((size_t)size * sizeof *sums);
    for (int64_t y = -radius; y <= radius; y++) {
        add_row(sums, cells + (y + size) % size * size, size, 1);
    }
    for (int64_t y = 0; y < size; y++) {
        for (int64_t x = 0; x < size; x++) {
            out[y * size + x] = (float)(sums[x] / (double)(2 * radius + 1));
        }
        add_row(sums, cells + (y + radius + 1) % size * size, size, 1);
        add_row(sums, cells + (y - radius + size) % size * size, size, -1);
    }
    free(sums);
}

/* Three boxes come close to a Gaussian (P. Kovesi, Fast almost-Gaussian filtering, 2010). */
static void blur_cells(float **cells, int64_t size, double sigma)
{
    int64_t radius = (int64_t)lround((sqrt(12 * sigma * sigma / PASSES + 1) - 1) / 2);
    float *other = bench_allocate((size_t)(size * size) * sizeof *other);
    float *copy = bench_allocate((size_t)size * sizeof *copy);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int64_t y = 0; y < size; y++) {
            box_row(*cells + y * size, copy, size, radius);
        }
        box_columns(*cells, other, size, radius);
        float *turn = *cells;
        *cells = other;
        other = turn;
    }
    free(copy);
    free(other);
}

static void make_blur(uint8_t *grey, int64_t size, double sigma)
{
    int64_t pixels = size * size;
    float *cells = bench_allocate((size_t)pixels * sizeof *cells);
    for (int64_t i = 0; i < pixels; i++) {
        cells[i] = (float)((double)(random_at((uint64_t)i) >> 40) / 16777216.0 - 0.5);
    }
    blur_cells(&cells, size, sigma);
    double squares = 0;
    for (int64_t i = 0; i < pixels; i++) {
        squares += (double)cells[i] * (double)cells[i];
    }
    double scale = SPREAD / sqrt(squares / (double)pixels);
    for (int64_t i = 0; i < pixels; i++) {
        double value = floor(MIDDLE + (double)cells[i] * scale);
        grey[i] = (uint8_t)fmin(fmax(value, 0), 255);
    }
    free(cells);
}

/* Walk inwards along the sides, always leaving a gap as wide as the line. */
static void make_spiral(uint8_t *grey, int64_t size, double line)
{
    int64_t width = (int64_t)line;
    memset(grey, DARK, (size_t)(size * size));
    int64_t left = 0, top = 0, right = size, bottom = size, inset = 0;
    while (right - left > 2 * width && bottom - top > 2 * width) {
        for (int64_t k = 0; k < width; k++) {
            memset(grey + (top + k) * size + inset, BRIGHT, (size_t)(right - inset));
            memset(grey + (bottom - 1 - k) * size + left, BRIGHT, (size_t)(right - left));
            for (int64_t y = top; y < bottom; y++) {
                grey[y * size + right - 1 - k] = BRIGHT;
            }
            for (int64_t y = top + 2 * width; y < bottom; y++) {
                grey[y * size + left + k] = BRIGHT;
            }
        }
        inset = left;
        left += 2 * width;
        top += 2 * width;
        right -= 2 * width;
        bottom -= 2 * width;
    }
}

const picture pictures[] = {
#define PICTURE_ENTRY(name, generator, argument) {name, make_##generator, argument},
    PICTURE_LIST(PICTURE_ENTRY)
#undef PICTURE_ENTRY
};

const int picture_count = sizeof pictures / sizeof pictures[0];

const picture *picture_find(const char *name)
{
    for (int i = 0; i < picture_count; i++) {
        if (strcmp(pictures[i].name, name) == 0) {
            return &pictures[i];
        }
    }
    return NULL;
}

uint8_t *picture_read(const char *path, int64_t *height, int64_t *width)
{
    halo_png_reader *reader = NULL;
    bench_check(halo_png_reader_open(&reader, path, NULL), "reading");
    const halo_png_info *info = halo_png_reader_info(reader);
    bench_check(info->grey_bits == 8 ? HALO_OK : halo_fail(HALO_ARGUMENT, "not of 8 bits"), path);
    *height = info->height;
    *width = info->width;
    uint8_t *greys = bench_allocate((size_t)(*height * *width));
    bench_check(halo_png_reader_rows(reader, *height, greys, (size_t)*width), "reading");
    halo_png_reader_close(&reader);
    return greys;
}
