/* Thresholds that follow the mean around each pixel, on strips of random images. */

#include "base/random.h"
#include "kernels/label/threshold.h"
#include "support/mpi_check.h"

#include <math.h>
#include <stdlib.h>

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

/* Slopes and noise. */
static int64_t sample(const image *of, int64_t y, int64_t x)
{
    int64_t most = INT64_C(1) << of->bits;
    return (y * most / of->domain.n[0] / 2 + x * 3 + draw(of->seed, 7 + y * 1000 + x, most / 4)) %
           most;
}

static int64_t inside(int64_t at, int64_t n, bool periodic)
{
    return periodic ? (at + n) % n : at < 0 ? -1 - at : at >= n ? 2 * n - 1 - at : at;
}

static bool is_foreground(const image *of, int64_t y, int64_t x)
{
    int64_t radius = of->options.radius, sum = 0, count = 0;
    const halo_domain *domain = &of->domain;
    for (int64_t dy = -radius; dy <= radius; dy++) {
        for (int64_t dx = -radius; dx <= radius; dx++) {
            sum += sample(of, inside(y + dy, domain->n[0], domain->periodic[0]),
                          inside(x + dx, domain->n[1], domain->periodic[1]));
            count++;
        }
    }
    double all = (double)count;
    bool above = (double)sample(of, y, x) * all >= (double)sum - of->options.offset * all;
    return above != of->options.invert;
}

static image random_image(uint64_t seed)
{
    int64_t rows = 3 * all_ranks() + 1 + draw(seed, 0, 30), columns = 4 + draw(seed, 1, 150);
    bool periodic = draw(seed, 2, 3) == 0;
    image made = {.domain = {.axes = 2, .n = {rows, columns, 1}, .periodic = {periodic, periodic}},
                  .bits = draw(seed, 3, 2) == 0 ? 8 : 16,
                  .options = {.radius = 1 + draw(seed, 4, 3),
                              .offset = (double)draw(seed, 5, 9) - 4.25,
                              .invert = draw(seed, 6, 2) == 0},
                  .seed = seed};
    return made;
}

static void fill(const image *of, const halo_view *grey)
{
    for (int64_t y = 0; y < grey->owned.n[0]; y++) {
        void *row = halo_row(grey, y);
        for (int64_t x = 0; x < grey->owned.n[1]; x++) {
            int64_t value = sample(of, grey->owned.lo[0] + y, x);
            if (of->bits == 8) {
                ((uint8_t *)row)[x] = (uint8_t)value;
            } else {
                ((uint16_t *)row)[x] = (uint16_t)value;
            }
        }
    }
}

static void check_image(const image *of)
{
    halo_partition strips = {0};
    halo_field *grey, *bits;
    int64_t wrong = 0;
    expect_ok(halo_partition_strips(&strips, &of->domain, all_ranks()));
    halo_box mine = halo_partition_box(&strips, my_rank());
    expect_ok(halo_field_create(&grey, &of->domain, &mine, of->bits, (int)of->options.radius));
    expect_ok(halo_field_create(&bits, &of->domain, &mine, HALO_BIT, 0));
    fill(of, halo_field_view(grey));
    expect_ok(halo_threshold_local(mpi_check_world(), &of->domain, &strips, grey, &of->options,
                                   halo_field_view(bits)));
    for (int64_t y = 0; y < mine.n[0]; y++) {
        const uint64_t *row = halo_row(halo_field_view(bits), y);
        for (int64_t x = 0; x < (mine.n[1] + 63) / 64 * 64; x++) {
            bool wanted = x < mine.n[1] && is_foreground(of, mine.lo[0] + y, x);
            wrong += (row[x / 64] >> (x % 64) & 1) != wanted;
        }
    }
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
