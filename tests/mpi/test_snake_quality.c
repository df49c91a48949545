/* Active contours: how well they find what is drawn, from a ring around it, with what is usual. */

#include "support/images.h"
#include "support/mpi_check.h"
#include "support/snake_case.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SIDE = 512, POINTS = 200, MOST_BEATS = 1000 };

/* Collective. The gradient of a picture in even strips. */
static halo_field *make_gradient(const snake_picture *picture, int64_t *cuts)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    halo_domain domain = {.axes = 2, .n = {SIDE, SIDE, 1}};
    halo_cuts_even(SIDE, halo_world_ranks(world), cuts);
    halo_box owned = {.lo = {cuts[rank]}, .n = {cuts[rank + 1] - cuts[rank], SIDE, 1}};
    halo_field *pixels = NULL, *gradient = NULL;
    halo_clock clock = {0};
    halo_snake_field_options options = {.sigma = HALO_SNAKE_DEFAULT_SIGMA};
    expect_ok(halo_field_create(&pixels, &domain, &owned, 8, 0));
    for (int64_t y = 0; y < owned.n[0]; y++) {
        uint8_t *row = halo_row(halo_field_view(pixels), y);
        for (int64_t x = 0; x < SIDE; x++) {
            row[x] = (uint8_t)picture->pixels[(cuts[rank] + y) * SIDE + x];
        }
    }
    halo_status status = halo_snake_field_create(&gradient, world, pixels, cuts, &options, &clock);
    expect_ok(status);
    halo_field_destroy(&pixels);
    return gradient;
}

/* Collective. Dice of what `options` find, on all ranks; 0 if they do not come to rest. */
static double find(const snake_picture *picture, const halo_snake_options *options, int64_t *beats)
{
    int64_t cuts[17];
    static int32_t points[2 * POINTS];
    const int64_t first[] = {0, POINTS};
    const halo_snake_contours ring = {1, first, points};
    halo_world *world = mpi_check_world();
    halo_field *gradient = make_gradient(picture, cuts);
    halo_snake *snake = NULL;
    double dice = 0;
    snake_circle(picture, SIDE / 2, SIDE / 2, .4 * SIDE, POINTS, points);
    halo_status status = halo_snake_create(&snake, world, &gradient, cuts, &ring, options);
    if (status == HALO_OK) {
        status = halo_snake_run(snake, MOST_BEATS);
    }
    if (status == HALO_OK) {
        status = halo_snake_collect(snake, points);
    }
    expect_ok(status);
    if (status == HALO_OK) {
        *beats = halo_snake_progressed(snake).beats;
        dice = snake_dice(picture, points, POINTS);
    }
    halo_snake_destroy(&snake);
    halo_field_destroy(&gradient);
    return dice;
}

static void test_shapes(void)
{
    static const double noises[] = {0, .1};
    for (int shape = SNAKE_DISK; shape <= SNAKE_STAR; shape++) {
        for (int n = 0; n < 2; n++) {
            halo_snake_options options = halo_snake_defaults();
            snake_picture picture = snake_picture_shape((snake_shape)shape, SIDE, noises[n], 1);
            int64_t beats = 0;
            double dice = find(&picture, &options, &beats);
            expect(dice >= .99 && beats < MOST_BEATS,
                   "Dice %.4f after %" PRId64 " beats: shape %d, noise %g", dice, beats, shape,
                   noises[n]);
            snake_picture_free(&picture);
        }
    }
    EXPECT_AGREED();
}

/* What the floor is for: without it any noise stops a contour. */
static void test_floor(void)
{
    halo_snake_options options = halo_snake_defaults();
    snake_picture picture = snake_picture_shape(SNAKE_STAR, SIDE, .1, 1);
    int64_t beats = 0;
    options.floor = 0;
    double dice = find(&picture, &options, &beats);
    expect(dice < .85, "Dice %.4f without a floor", dice);
    snake_picture_free(&picture);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("snake_quality", {"a disk and a star, without noise and with it", test_shapes},
               {"noise without a floor", test_floor})
