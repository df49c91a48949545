/* Active contours: how well they find what is drawn, from a ring around it, by default; and what
 * is refused. That points are the same ones on any number of ranks is for test_same_bytes.c. */

#include "core/transport/transport.h"
#include "core/world/collect.h"
#include "support/check_worlds.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/snake_case.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>

enum { SIDE = 512, POINTS = 200, MAX_BEATS = 1000 };

/* Collective. A ring around what is drawn. */
static halo_status make_ring(halo_snake **out, const snake_picture *picture,
                             const halo_snake_options *options, int32_t points[2 * POINTS])
{
    int64_t cuts[CHECK_MAX_RANKS + 1];
    const int64_t first[] = {0, POINTS};
    const halo_snake_contours ring = {1, first, points};
    halo_field *gradient = NULL;
    halo_cuts_even(SIDE, all_ranks(), cuts);
    snake_circle(picture, SIDE / 2, SIDE / 2, .4 * SIDE, POINTS, points);
    halo_status status = snake_gradient(&gradient, picture, cuts, HALO_SNAKE_DEFAULT_SIGMA, NULL);
    *out = NULL;
    if (status == HALO_OK) {
        status = halo_snake_create(out, mpi_check_world(), &gradient, cuts, &ring, options);
    }
    halo_field_destroy(&gradient);
    return status;
}

/* Collective. Dice of what `options` find, on all ranks; 0 if they do not come to rest. */
static double find(const snake_picture *picture, const halo_snake_options *options, int64_t *beats)
{
    static PER_RANK int32_t points[2 * POINTS];
    halo_snake *snake;
    double dice = 0;
    halo_status status = make_ring(&snake, picture, options, points);
    if (status == HALO_OK) {
        status = halo_snake_run(snake, MAX_BEATS);
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
            expect(dice >= .99 && beats < MAX_BEATS,
                   "Dice %.4f after %" PRId64 " beats: shape %d, noise %g", dice, beats, shape,
                   noises[n]);
            snake_picture_free(&picture);
        }
    }
    EXPECT_AGREED();
}

/* Without the floor any noise stops a contour. */
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

/* ---- failures -------------------------------------------------------------------------------- */

/* A function that the linker puts in front of another one (--wrap) has no argument for it: sends
 * until one fails. */
static PER_RANK int64_t sends_left = INT64_MAX;

int __real_MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                     MPI_Request *request);
int __wrap_MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                     MPI_Request *request);
int __wrap_MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    int code = __real_MPI_Isend(data, count, type, to, tag, comm, request);
    if (sends_left-- != 0) {
        return code;
    }
    /* The message arrives all the same, or the other rank would wait for it for ever. */
    MPI_Request_free(request);
    return MPI_ERR_OTHER;
}

halo_status __real_halo_threads_isend(halo_endpoint *end, const void *data, int bytes, int to,
                                      int tag, bool matched, halo_request *request);
halo_status __wrap_halo_threads_isend(halo_endpoint *end, const void *data, int bytes, int to,
                                      int tag, bool matched, halo_request *request);
halo_status __wrap_halo_threads_isend(halo_endpoint *end, const void *data, int bytes, int to,
                                      int tag, bool matched, halo_request *request)
{
    halo_status status = __real_halo_threads_isend(end, data, bytes, to, tag, matched, request);
    if (sends_left-- != 0) {
        return status;
    }
    return halo_fail(HALO_TRANSPORT, "an MPI call failed: MPI_Isend, on threads");
}

/* The last rank fails to send, at each message of two beats in turn. */
static void test_failing_sends(void)
{
    int last = all_ranks() - 1;
    char message[80];
    snprintf(message, sizeof message, "rank %d: an MPI call failed: MPI_Isend", last);
    static PER_RANK int32_t points[2 * POINTS];
    snake_picture picture = snake_picture_shape(SNAKE_STAR, SIDE, 0, 1);
    for (int jacobi = 0; jacobi <= 1; jacobi++) {
        halo_snake_options options = halo_snake_defaults();
        options.order = jacobi ? "jacobi" : "two-colour";
        bool failed = last > 0;
        for (int64_t nth = 0; failed; nth++) {
            halo_snake *snake;
            expect_ok(make_ring(&snake, &picture, &options, points));
            sends_left = my_rank() == last ? nth : INT64_MAX;
            halo_status status = halo_snake_run(snake, 2);
            failed = sends_left < 0;
            sends_left = INT64_MAX;
            expect_ok(halo_bcast(mpi_check_world(), &failed, sizeof failed, last));
            if (failed) {
                expect_fails(status, HALO_TRANSPORT, message);
            } else {
                expect_ok(status);
                expect(nth >= 4, "%" PRId64 " messages in two beats", nth);
            }
            halo_snake_destroy(&snake);
        }
    }
    snake_picture_free(&picture);
    EXPECT_AGREED();
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void expect_refused(const halo_snake_contours *contours, const halo_snake_options *options,
                           const char *message)
{
    int64_t cuts[CHECK_MAX_RANKS + 1];
    uint64_t random = 3;
    snake_picture picture = snake_picture_any(&random, 40, 50, 8);
    halo_field *gradient = NULL;
    halo_snake *snake = NULL;
    halo_cuts_even(picture.rows, all_ranks(), cuts);
    expect_ok(snake_gradient(&gradient, &picture, cuts, 1, NULL));
    expect_fails(halo_snake_create(&snake, mpi_check_world(), &gradient, cuts, contours, options),
                 HALO_ARGUMENT, message);
    expect(snake == NULL && gradient != NULL, "%s: a snake, or no gradient", message);
    halo_field_destroy(&gradient);
    snake_picture_free(&picture);
}

static void test_refused(void)
{
    int64_t first[] = {0, 4};
    int32_t points[] = {3, 3, 3, 20, 20, 20, 20, 3};
    const halo_snake_contours ring = {1, first, points};
    const halo_snake_options good = halo_snake_defaults();
    halo_snake_options options = good;
    options.window = 4;
    expect_refused(&ring, &options, "window of 4");
    options = good;
    options.order = "odd";
    expect_refused(&ring, &options, "two-colour or jacobi");
    options = good;
    options.gamma = -1;
    expect_refused(&ring, &options, "-1");
    points[0] = 40;
    expect_refused(&ring, &good, "outside the picture");
    first[1] = 2;
    expect_refused(&ring, &good, "2 points");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("snake", {"a disk and a star, without noise and with it", test_shapes},
               {"noise without a floor", test_floor},
               {"messages that cannot be sent", test_failing_sends},
               {"what makes no sense", test_refused})
