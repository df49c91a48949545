/* Thresholds that follow the mean around each pixel, on strips of random images and volumes. */

#include "base/random.h"
#include "kernels/label/threshold/threshold.h"
#include "support/mpi_check.h"

#include <math.h>

typedef struct {
    halo_domain domain;
    int bits;
    halo_local_threshold options;
    uint64_t seed;
} image;

static int64_t draw(uint64_t seed, int64_t what, int64_t below)
{
    return (int64_t)(halo_random_at(seed, 3, what) % (uint64_t)below);
}

/* Slopes and noise. Of an image z is 0. */
static int64_t sample(const image *of, int64_t z, int64_t y, int64_t x)
{
    int64_t most = INT64_C(1) << of->bits;
    return (y * most / of->domain.n[0] / 2 + x * 3 + z * 11 +
            draw(of->seed, 7 + (z * 300 + y) * 1000 + x, most / 4)) %
           most;
}

static int64_t inside(int64_t at, int64_t n, bool periodic)
{
    return periodic ? (at + n) % n : at < 0 ? -1 - at : at >= n ? 2 * n - 1 - at : at;
}

static bool is_solid(const image *of)
{
    return of->domain.axes == HALO_AXES;
}

static bool is_foreground(const image *of, int64_t z, int64_t y, int64_t x)
{
    int64_t radius = of->options.radius, sum = 0, count = 0, deep = is_solid(of) ? radius : 0;
    const halo_domain *domain = &of->domain;
    const int64_t *n = domain->n + domain->axes - 2;
    const bool *periodic = domain->periodic + domain->axes - 2;
    for (int64_t dz = -deep; dz <= deep; dz++) {
        int64_t plane = deep > 0 ? inside(z + dz, domain->n[0], domain->periodic[0]) : 0;
        for (int64_t dy = -radius; dy <= radius; dy++) {
            for (int64_t dx = -radius; dx <= radius; dx++) {
                sum += sample(of, plane, inside(y + dy, n[0], periodic[0]),
                              inside(x + dx, n[1], periodic[1]));
                count++;
            }
        }
    }
    double all = (double)count;
    bool above = (double)sample(of, z, y, x) * all >= (double)sum - of->options.offset * all;
    return above != of->options.invert;
}

/* Layers are rows of an image, planes of a volume. */
static image random_image(uint64_t seed)
{
    bool solid = seed % 3 == 0;
    int64_t layers = 3 * all_ranks() + 1 + draw(seed, 0, solid ? 5 : 30);
    int64_t rows = 4 + draw(seed, 7, 12), columns = 4 + draw(seed, 1, solid ? 70 : 150);
    image made = {.domain = {.axes = solid ? 3 : 2, .n = {layers, columns, 1}},
                  .bits = draw(seed, 3, 2) == 0 ? 8 : 16,
                  .options = {.radius = 1 + draw(seed, 4, 3),
                              .offset = (double)draw(seed, 5, 9) - 4.25,
                              .invert = draw(seed, 6, 2) == 0},
                  .seed = seed};
    if (solid) {
        made.domain.n[1] = rows;
        made.domain.n[2] = columns;
    }
    for (int axis = 0; axis < made.domain.axes; axis++) {
        made.domain.periodic[axis] = draw(seed, 2 + (solid ? 10 * axis : 0), 3) == 0;
    }
    return made;
}

static int64_t rows_of(const image *of, const halo_view *view)
{
    return is_solid(of) ? view->owned.n[0] * view->owned.n[1] : view->owned.n[0];
}

/* Row `r` of this rank's, and where in the image it is. */
static void *row_at(const image *of, const halo_view *view, int64_t r, int64_t *z, int64_t *y)
{
    int64_t lines = view->owned.n[1];
    *z = is_solid(of) ? view->owned.lo[0] + r / lines : 0;
    *y = is_solid(of) ? r % lines : view->owned.lo[0] + r;
    return is_solid(of) ? halo_row_of_plane(view, r / lines, r % lines) : halo_row(view, r);
}

static void fill(const image *of, const halo_view *grey)
{
    for (int64_t r = 0; r < rows_of(of, grey); r++) {
        int64_t z, y;
        void *row = row_at(of, grey, r, &z, &y);
        for (int64_t x = 0; x < grey->owned.n[grey->axes - 1]; x++) {
            int64_t value = sample(of, z, y, x);
            if (of->bits == 8) {
                ((uint8_t *)row)[x] = (uint8_t)value;
            } else {
                ((uint16_t *)row)[x] = (uint16_t)value;
            }
        }
    }
}

static int64_t count_wrong(const image *of, const halo_view *bits)
{
    int64_t wrong = 0, width = bits->owned.n[bits->axes - 1];
    for (int64_t r = 0; r < rows_of(of, bits); r++) {
        int64_t z, y;
        const uint64_t *row = row_at(of, bits, r, &z, &y);
        for (int64_t x = 0; x < (width + 63) / 64 * 64; x++) {
            bool wanted = x < width && is_foreground(of, z, y, x);
            wrong += (row[x / 64] >> (x % 64) & 1) != wanted;
        }
    }
    return wrong;
}

static void check_image(const image *of)
{
    halo_partition strips = {0};
    halo_field *grey, *bits;
    const halo_field_options options = {.no_side_halo = of->seed % 2 == 0};
    expect_ok(halo_partition_strips(&strips, &of->domain, all_ranks()));
    halo_box mine = halo_partition_box(&strips, my_rank());
    expect_ok(halo_field_create_with(&grey, &of->domain, &mine, of->bits, (int)of->options.radius,
                                     &options));
    expect_ok(halo_field_create(&bits, &of->domain, &mine, HALO_BIT, 0));
    fill(of, halo_field_view(grey));
    expect_ok(halo_threshold_local(mpi_check_world(), &of->domain, &strips, grey, &of->options,
                                   halo_field_view(bits)));
    int64_t wrong = count_wrong(of, halo_field_view(bits));
    expect(wrong == 0, "image %d: %lld pixels", (int)of->seed, (long long)wrong);
    halo_field_destroy(&grey);
    halo_field_destroy(&bits);
    halo_partition_free(&strips);
}

static void test_images(void)
{
    enum { IMAGES = 60 };
    for (uint64_t seed = 1; seed <= IMAGES; seed++) {
        image made = random_image(seed);
        check_image(&made);
    }
    EXPECT_AGREED();
}

static void refuse(int64_t radius, int bits, halo_status status, const char *said)
{
    const halo_domain domain = {.axes = 2, .n = {4 * all_ranks(), 50, 1}};
    const halo_local_threshold options = {.radius = radius};
    halo_partition strips = {0};
    halo_field *grey, *foreground;
    expect_ok(halo_partition_strips(&strips, &domain, all_ranks()));
    halo_box mine = halo_partition_box(&strips, my_rank());
    expect_ok(halo_field_create(&grey, &domain, &mine, bits, (int)radius));
    expect_ok(halo_field_create(&foreground, &domain, &mine, HALO_BIT, 0));
    expect_fails(halo_threshold_local(mpi_check_world(), &domain, &strips, grey, &options,
                                      halo_field_view(foreground)),
                 status, said);
    halo_field_destroy(&grey);
    halo_field_destroy(&foreground);
    halo_partition_free(&strips);
}

static void test_refusals(void)
{
    refuse(4 * all_ranks(), 8, HALO_ARGUMENT, "use a radius from 1 to ");
    refuse(0, 8, HALO_ARGUMENT, "of radius 0");
    refuse(1, HALO_BIT, HALO_ARGUMENT, "needs greys of 8 or 16 bits");
    if (all_ranks() > 2) {
        refuse(5, 16, HALO_RANKS, "use a smaller radius, or at most ");
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("local thresholds", {"images", test_images}, {"what is refused", test_refusals})
