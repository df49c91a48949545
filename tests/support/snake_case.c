#include "support/snake_case.h"

#include "support/images.h"
#include "support/mpi_check.h"
#include "support/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures -------------------------------------------------------------------------------- */

static double uniform(uint64_t *random)
{
    return (double)(random_next(random) >> 11) / 9007199254740992.0;
}

/* Normal, near enough: twelve uniform numbers. */
static double normal(uint64_t *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += uniform(random);
    }
    return sum;
}

static double radius_of(snake_shape shape, double angle, int64_t side)
{
    double of_512 = shape == SNAKE_DISK ? 150 : 140 + 50 * cos(5 * angle);
    return of_512 * (double)side / 512;
}

snake_picture snake_picture_shape(snake_shape shape, int64_t side, double noise, uint64_t seed)
{
    size_t cells = (size_t)(side * side);
    snake_picture picture = {.rows = side,
                             .columns = side,
                             .bits = 8,
                             .pixels = need_zeroed(1, cells * sizeof(uint16_t)),
                             .truth = need_zeroed(1, cells)};
    double middle = (double)(side - 1) / 2;
    for (int64_t y = 0; y < side; y++) {
        for (int64_t x = 0; x < side; x++) {
            double dy = (double)y - middle, dx = (double)x - middle;
            bool inside = hypot(dy, dx) < radius_of(shape, atan2(dy, dx), side);
            double grey = 255 * ((inside ? .8 : .2) + noise * normal(&seed));
            picture.truth[y * side + x] = inside;
            picture.pixels[y * side + x] = (uint16_t)(fmin(fmax(grey, 0), 255) + .5);
        }
    }
    return picture;
}

snake_picture snake_picture_any(uint64_t *random, int64_t rows, int64_t columns, int bits)
{
    snake_picture picture = {.rows = rows,
                             .columns = columns,
                             .bits = bits,
                             .pixels = need_zeroed(1, (size_t)(rows * columns) * sizeof(uint16_t))};
    int64_t white = (1 << bits) - 1, noise = random_below(random, 2) * white / 4;
    double blots[6][3];
    for (int b = 0; b < 6; b++) {
        blots[b][0] = uniform(random) * (double)rows;
        blots[b][1] = uniform(random) * (double)columns;
        blots[b][2] = uniform(random) * (double)(rows + columns) / 6;
    }
    for (int64_t i = 0; i < rows * columns; i++) {
        bool inside = false;
        for (int b = 0; b < 6; b++) {
            double dy = (double)(i / columns) - blots[b][0],
                   dx = (double)(i % columns) - blots[b][1];
            inside = inside != (dy * dy + dx * dx < blots[b][2] * blots[b][2]);
        }
        picture.pixels[i] =
            (uint16_t)((inside ? white - noise : 0) + random_below(random, noise + 1));
    }
    return picture;
}

void snake_picture_free(snake_picture *picture)
{
    free(picture->pixels);
    free(picture->truth);
    *picture = (snake_picture){0};
}

/* ---- the gradient ---------------------------------------------------------------------------- */

static int64_t within(int64_t at, int64_t n)
{
    return at < 0 ? 0 : at >= n ? n - 1 : at;
}

/* Weights in units of 2^-16, none of them more than 65535; w[k] is for a distance of k. */
static int make_weights(double sigma, int64_t *w)
{
    int radius = (int)ceil(3 * sigma);
    double sum = 0;
    w[0] = 65536;
    for (int k = -radius; k <= radius && sigma > 0; k++) {
        sum += exp(-k * k / (2 * sigma * sigma));
    }
    for (int k = 1; k <= radius; k++) {
        w[k] = (int64_t)floor(65536 * exp(-k * k / (2 * sigma * sigma)) / sum + .5);
        w[0] -= 2 * w[k];
    }
    w[0] = w[0] > 65535 ? 65535 : w[0];
    return radius;
}

/* Along one axis: dy, dx is its direction. Both pixels at a distance have one product, of which
 * whole units count. */
static int64_t *blur_one_way(const snake_picture *p, const int64_t *in, const int64_t *w,
                             int radius, int dy, int dx)
{
    int64_t *out = need_zeroed(1, (size_t)(p->rows * p->columns) * sizeof(int64_t));
    for (int64_t y = 0; y < p->rows; y++) {
        for (int64_t x = 0; x < p->columns; x++) {
            int64_t sum = in[y * p->columns + x] * w[0] / 65536;
            for (int k = 1; k <= radius; k++) {
                int64_t a =
                    in[within(y - k * dy, p->rows) * p->columns + within(x - k * dx, p->columns)];
                int64_t b =
                    in[within(y + k * dy, p->rows) * p->columns + within(x + k * dx, p->columns)];
                sum += (a + b) * w[k] / 65536;
            }
            out[y * p->columns + x] = sum;
        }
    }
    return out;
}

uint16_t *snake_naive_gradient(const snake_picture *p, double sigma)
{
    int64_t w[64], cells = p->rows * p->columns;
    int radius = make_weights(sigma, w);
    int64_t *values = need_zeroed(1, (size_t)cells * sizeof(int64_t));
    uint16_t *gradient = need_zeroed(1, (size_t)cells * sizeof(uint16_t));
    for (int64_t i = 0; i < cells; i++) {
        values[i] = p->bits == 8 ? p->pixels[i] * 128 : p->pixels[i] / 2;
    }
    int64_t *across = blur_one_way(p, values, w, radius, 1, 0);
    int64_t *both = radius > 0 ? blur_one_way(p, across, w, radius, 0, 1) : across;
    for (int64_t y = 0; y < p->rows; y++) {
        for (int64_t x = 0; x < p->columns; x++) {
            const int64_t *row = both + y * p->columns;
            int64_t dx = row[within(x + 1, p->columns)] - row[within(x - 1, p->columns)];
            int64_t dy = both[within(y + 1, p->rows) * p->columns + x] -
                         both[within(y - 1, p->rows) * p->columns + x];
            float a = (float)dy, b = (float)dx, squares = a * a;
            float other = b * b;
            gradient[y * p->columns + x] = (uint16_t)sqrtf(squares + other);
        }
    }
    free(values);
    free(across);
    if (radius > 0) {
        free(both);
    }
    return gradient;
}

halo_status snake_gradient(halo_field **out, const snake_picture *picture, const int64_t *cuts,
                           double sigma, const char *instructions)
{
    int64_t columns = picture->columns, lo = cuts[my_rank()];
    halo_domain domain = {.axes = 2, .n = {picture->rows, columns, 1}};
    halo_box owned = {.lo = {lo}, .n = {cuts[my_rank() + 1] - lo, columns, 1}};
    halo_field *pixels = NULL;
    halo_clock clock = {0};
    halo_snake_field_options options = {.sigma = sigma, .instructions = instructions};
    expect_ok(halo_field_create(&pixels, &domain, &owned, picture->bits, 0));
    for (int64_t y = 0; y < owned.n[0]; y++) {
        void *row = halo_row(halo_field_view(pixels), y);
        for (int64_t x = 0; x < columns; x++) {
            uint16_t pixel = picture->pixels[(lo + y) * columns + x];
            if (picture->bits == 8) {
                ((uint8_t *)row)[x] = (uint8_t)pixel;
            } else {
                ((uint16_t *)row)[x] = pixel;
            }
        }
    }
    halo_status status =
        halo_snake_field_create(out, mpi_check_world(), pixels, cuts, &options, &clock);
    halo_field_destroy(&pixels);
    return status;
}

/* ---- contours -------------------------------------------------------------------------------- */

void snake_circle(const snake_picture *picture, double row, double column, double radius,
                  int64_t count, int32_t *points)
{
    const double pi = 3.14159265358979323846;
    for (int64_t i = 0; i < count; i++) {
        double angle = 2 * pi * (double)i / (double)count;
        points[2 * i] =
            (int32_t)within((int64_t)floor(row + radius * sin(angle) + .5), picture->rows);
        points[2 * i + 1] =
            (int32_t)within((int64_t)floor(column + radius * cos(angle) + .5), picture->columns);
    }
}

/* A position of a window. */
typedef struct {
    int64_t y, x;
    float continuity, curvature, gradient;
} position;

/* The positions in the picture, the point's own first. */
static int list_positions(const snake_picture *p, const int32_t *at, int reach, position *out)
{
    int count = 1;
    out[0] = (position){.y = at[0], .x = at[1]};
    for (int64_t y = at[0] - reach; y <= at[0] + reach; y++) {
        for (int64_t x = at[1] - reach; x <= at[1] + reach; x++) {
            bool inside = y >= 0 && y < p->rows && x >= 0 && x < p->columns;
            if (inside && (y != at[0] || x != at[1])) {
                out[count++] = (position){.y = y, .x = x};
            }
        }
    }
    return count;
}

static void measure(position *at, const int32_t *before, const int32_t *after, float mean)
{
    float dy = (float)(at->y - before[0]), dx = (float)(at->x - before[1]);
    float cy = (float)(before[0] - 2 * at->y + after[0]);
    float cx = (float)(before[1] - 2 * at->x + after[1]);
    float dyy = dy * dy, dxx = dx * dx, cyy = cy * cy, cxx = cx * cx;
    at->continuity = fabsf(mean - sqrtf(dyy + dxx));
    at->curvature = cyy + cxx;
}

/* Return the best new position of a point. */
static position choose(const snake_picture *p, const uint16_t *gradient,
                       const halo_snake_options *options, const int32_t *at, const int32_t *before,
                       const int32_t *after, float mean)
{
    position all[49];
    int count = list_positions(p, at, options->window / 2, all), best = 0;
    float max_continuity = 1, max_curvature = 1, max = 0, min = 65535, lowest = 0;
    for (int k = 0; k < count; k++) {
        measure(&all[k], before, after, mean);
        all[k].gradient = (float)gradient[all[k].y * p->columns + all[k].x];
        max_continuity = fmaxf(max_continuity, all[k].continuity);
        max_curvature = fmaxf(max_curvature, all[k].curvature);
        max = fmaxf(max, all[k].gradient);
        min = fminf(min, all[k].gradient);
    }
    float range = fmaxf(fmaxf((float)(options->floor * HALO_SNAKE_UNIT), 1), max - min);
    float alpha = (float)options->alpha / max_continuity;
    float beta = (float)options->beta / max_curvature, gamma = (float)options->gamma / range;
    for (int k = 0; k < count; k++) {
        float continuity = alpha * all[k].continuity, curvature = beta * all[k].curvature;
        float inner = continuity + curvature, outer = gamma * (all[k].gradient - min);
        float energy = inner - outer;
        if (k == 0 || energy < lowest) {
            lowest = energy;
            best = k;
        }
    }
    return all[best];
}

/* Lengths in whole 256ths of a pixel. */
static float mean_spacing(const int32_t *ring, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const int32_t *a = ring + 2 * i, *b = ring + 2 * ((i + 1) % n);
        double dy = a[0] - b[0], dx = a[1] - b[1];
        sum += (int64_t)(256 * sqrt(dy * dy + dx * dx));
    }
    return (float)((double)sum / (256 * (double)n));
}

static int turn_of(int64_t i, int64_t n, bool jacobi)
{
    return jacobi ? 0 : n % 2 == 1 && i == n - 1 ? 2 : (int)(i % 2);
}

static int64_t move_ring(const snake_picture *p, const uint16_t *gradient,
                         const halo_snake_options *options, int32_t *ring, int64_t n)
{
    bool jacobi = strcmp(options->order, "jacobi") == 0;
    float mean = mean_spacing(ring, n);
    int64_t moved = 0;
    if (mean < 1) { /* it has collapsed */
        return 0;
    }
    int32_t *old = need_zeroed(1, (size_t)(2 * n) * sizeof(int32_t));
    for (int turn = 0; turn < 3; turn++) {
        memcpy(old, ring, (size_t)(2 * n) * sizeof(int32_t));
        for (int64_t i = 0; i < n; i++) {
            if (turn_of(i, n, jacobi) == turn) {
                position to = choose(p, gradient, options, old + 2 * i, old + 2 * ((i + n - 1) % n),
                                     old + 2 * ((i + 1) % n), mean);
                moved += to.y != old[2 * i] || to.x != old[2 * i + 1];
                ring[2 * i] = (int32_t)to.y;
                ring[2 * i + 1] = (int32_t)to.x;
            }
        }
    }
    free(old);
    return moved;
}

int64_t snake_naive_beat(const snake_picture *picture, const uint16_t *gradient,
                         const halo_snake_options *options, const int64_t *first, int64_t contours,
                         int32_t *points)
{
    int64_t moved = 0;
    for (int64_t c = 0; c < contours; c++) {
        moved +=
            move_ring(picture, gradient, options, points + 2 * first[c], first[c + 1] - first[c]);
    }
    return moved;
}

/* ---- quality --------------------------------------------------------------------------------- */

/* Is a pixel's middle inside the ring? By the edges that cross its row on one side. */
static bool is_inside(const int32_t *points, int64_t count, int64_t y, int64_t x)
{
    bool inside = false;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
        if ((a[0] <= y) != (b[0] <= y)) {
            double at = a[1] + (double)(y - a[0]) * (b[1] - a[1]) / (b[0] - a[0]);
            inside = inside != (at < (double)x);
        }
    }
    return inside;
}

double snake_dice(const snake_picture *picture, const int32_t *points, int64_t count)
{
    int64_t both = 0, either = 0;
    for (int64_t i = 0; i < picture->rows * picture->columns; i++) {
        bool inside = is_inside(points, count, i / picture->columns, i % picture->columns);
        both += inside && picture->truth[i];
        either += inside + picture->truth[i];
    }
    return either > 0 ? 2 * (double)both / (double)either : 0;
}
