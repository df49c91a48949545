/* Active contours: the same field and the same points as pixel by pixel and point by point, however
 * the picture is cut, and wherever boundaries move meanwhile. */

#include "kernels/snake/snake_ops.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/snake_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_CONTOURS = 12, MOST_POINTS = 60 * MOST_CONTOURS };

/* ---- the gradient ---------------------------------------------------------------------------- */

static const char *any_instructions(int n)
{
    int last = 0;
    while (snake_variants[last].isa != HALO_ISA_PLAIN) {
        last++;
    }
    halo_isa isa = snake_variants[n % (last + 1)].isa;
    return halo_isa_name(halo_isa_supported(isa) ? isa : HALO_ISA_PLAIN);
}

/* Orders, windows and instructions are all tried on few ranks; more add cuts, at the price of as
 * many plain codes. */
static int cases_here(int cases)
{
    int ranks = all_ranks();
    return ranks > 2 ? cases / 2 : cases;
}

/* Collective. The field of a picture cut like that; NULL if it could not be made. */
static halo_field *make_gradient(const snake_picture *picture, const int64_t *cuts, double sigma,
                                 const char *instructions)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    halo_domain domain = {.axes = 2, .n = {picture->rows, picture->columns, 1}};
    halo_box owned = {.lo = {cuts[rank]}, .n = {cuts[rank + 1] - cuts[rank], picture->columns, 1}};
    halo_field *pixels = NULL, *gradient = NULL;
    halo_clock clock = {0};
    halo_snake_field_options options = {.sigma = sigma, .instructions = instructions};
    expect_ok(halo_field_create(&pixels, &domain, &owned, picture->bits, 0));
    const halo_view *view = halo_field_view(pixels);
    for (int64_t y = 0; y < owned.n[0]; y++) {
        for (int64_t x = 0; x < picture->columns; x++) {
            uint16_t pixel = picture->pixels[(cuts[rank] + y) * picture->columns + x];
            if (picture->bits == 8) {
                ((uint8_t *)halo_row(view, y))[x] = (uint8_t)pixel;
            } else {
                ((uint16_t *)halo_row(view, y))[x] = pixel;
            }
        }
    }
    halo_status status = halo_snake_field_create(&gradient, world, pixels, cuts, &options, &clock);
    expect_ok(status);
    halo_field_destroy(&pixels);
    return gradient;
}

/* Rows of the halo too. */
static void expect_gradient(const snake_picture *picture, const halo_view *view,
                            const uint16_t *wanted, const char *text)
{
    int64_t lo = view->owned.lo[0], rows = view->owned.n[0];
    for (int64_t y = -HALO_SNAKE_REACH; rows > 0 && y < rows + HALO_SNAKE_REACH; y++) {
        if (lo + y >= 0 && lo + y < picture->rows) {
            const uint16_t *row = halo_row(view, y), *right = wanted + (lo + y) * picture->columns;
            for (int64_t x = 0; x < picture->columns; x++) {
                expect(row[x] == right[x], "%s: row %" PRId64 ", column %" PRId64 " is %d, not %d",
                       text, lo + y, x, row[x], right[x]);
            }
        }
    }
}

static void test_gradient(void)
{
    static const double sigmas[] = {0, .3, 1, 2, 3.3, 10, 16};
    uint64_t random = 5;
    int ranks = all_ranks();
    for (int n = 0; n < cases_here(42); n++) {
        char text[160];
        int64_t cuts[MOST_RANKS + 1];
        int64_t rows = 1 + random_below(&random, 70), columns = 1 + random_below(&random, 200);
        double sigma = sigmas[n % 7];
        int bits = n % 2 == 0 ? 8 : 16;
        const char *instructions = any_instructions(n / 2);
        snake_picture picture = snake_picture_any(&random, rows, columns, bits);
        uint16_t *wanted = snake_naive_gradient(&picture, sigma);
        random_cuts(&random, rows, ranks, 1, cuts);
        snprintf(text, sizeof text, "%d: %d bits, %" PRId64 "x%" PRId64 ", sigma %g, %s", n, bits,
                 rows, columns, sigma, instructions);
        halo_field *gradient = make_gradient(&picture, cuts, sigma, instructions);
        if (gradient != NULL) {
            expect_gradient(&picture, halo_field_view(gradient), wanted, text);
        }
        halo_field_destroy(&gradient);
        free(wanted);
        snake_picture_free(&picture);
    }
    EXPECT_AGREED();
}

/* ---- points ---------------------------------------------------------------------------------- */

typedef struct {
    snake_picture picture;
    halo_snake_options options;
    halo_snake_contours contours;
    int64_t first[MOST_CONTOURS + 1];
    int32_t points[2 * MOST_POINTS]; /* where they should be */
    char text[160];
} snake_case;

/* Rings of odd and even numbers of points, some of them beyond the picture's edges. */
static void any_contours(snake_case *c, uint64_t *random)
{
    c->contours.contours = 1 + random_below(random, MOST_CONTOURS);
    c->contours.first = c->first;
    c->contours.points = c->points;
    c->first[0] = 0;
    for (int64_t i = 0; i < c->contours.contours; i++) {
        int64_t n = 3 + random_below(random, 58);
        double row = (double)random_below(random, c->picture.rows);
        double column = (double)random_below(random, c->picture.columns);
        double radius = (double)random_below(random, c->picture.rows);
        snake_circle(&c->picture, row, column, radius, n, c->points + 2 * c->first[i]);
        c->first[i + 1] = c->first[i] + n;
    }
}

static void any_case(snake_case *c, uint64_t *random, int n)
{
    int64_t rows = 4 + random_below(random, 90), columns = 3 + random_below(random, 90);
    c->picture = snake_picture_any(random, rows, columns, n % 3 == 0 ? 16 : 8);
    c->options = halo_snake_defaults();
    c->options.window = 3 + 2 * (n % 3);
    c->options.order = n % 4 == 3 ? "jacobi" : "two-colour";
    c->options.alpha = n % 5 == 0 ? 1.3 : 1;
    c->options.floor = n % 2 == 0 ? 0 : 12;
    c->options.instructions = any_instructions(n);
    c->options.settled_moved = 0;
    any_contours(c, random);
    snprintf(c->text, sizeof c->text,
             "%d: %" PRId64 "x%" PRId64 ", window %d, %s, %s, %" PRId64 " contours", n, rows,
             columns, c->options.window, c->options.order, c->options.instructions,
             c->contours.contours);
}

static void expect_points(const snake_case *c, halo_snake *snake, int64_t beat)
{
    static int32_t points[2 * MOST_POINTS];
    halo_status status = halo_snake_collect(snake, points);
    expect_case_ok(c->text, status);
    for (int64_t i = 0; i < c->first[c->contours.contours]; i++) {
        expect(points[2 * i] == c->points[2 * i] && points[2 * i + 1] == c->points[2 * i + 1],
               "%s: after beat %" PRId64 " point %" PRId64 " is at %d %d, not %d %d", c->text, beat,
               i, points[2 * i], points[2 * i + 1], c->points[2 * i], c->points[2 * i + 1]);
    }
}

/* Beat by beat beside the plain ones, between moves of the boundaries. */
static void run_case(snake_case *c, uint64_t *random, halo_snake *snake, const uint16_t *gradient)
{
    int ranks = all_ranks();
    for (int64_t beat = 1; beat <= 12; beat++) {
        int64_t cuts[MOST_RANKS + 1];
        halo_status status = halo_snake_run(snake, 1);
        int64_t moved = snake_naive_beat(&c->picture, gradient, &c->options, c->first,
                                         c->contours.contours, c->points);
        halo_snake_progress progress = halo_snake_progressed(snake);
        expect_case_ok(c->text, status);
        expect(progress.moved == moved && progress.beats == beat,
               "%s: %" PRId64 " points moved in beat %" PRId64 ", not %" PRId64, c->text,
               progress.moved, beat, moved);
        expect(progress.settled == (moved == 0), "%s: settled at beat %" PRId64, c->text, beat);
        expect_points(c, snake, beat);
        random_cuts(random, c->picture.rows, ranks, 1, cuts);
        if (beat % 3 > 0) {
            status = halo_snake_move(snake, cuts);
            expect_case_ok(c->text, status);
            expect_gradient(&c->picture, halo_snake_gradient(snake), gradient, c->text);
        }
    }
}

static void test_points(void)
{
    static snake_case c;
    uint64_t random = 11;
    halo_world *world = mpi_check_world();
    for (int n = 0; n < cases_here(48); n++) {
        int64_t cuts[MOST_RANKS + 1];
        any_case(&c, &random, n);
        uint16_t *wanted = snake_naive_gradient(&c.picture, 1);
        random_cuts(&random, c.picture.rows, halo_world_ranks(world), 1, cuts);
        halo_field *gradient = make_gradient(&c.picture, cuts, 1, NULL);
        halo_snake *snake = NULL;
        halo_status status =
            halo_snake_create(&snake, world, &gradient, cuts,
                              halo_world_rank(world) == 0 ? &c.contours : NULL, &c.options);
        expect(status == HALO_OK && gradient == NULL, "%s: %s", c.text, halo_last_message());
        if (status == HALO_OK) {
            run_case(&c, &random, snake, wanted);
        }
        halo_snake_destroy(&snake);
        halo_field_destroy(&gradient);
        free(wanted);
        snake_picture_free(&c.picture);
    }
    EXPECT_AGREED();
}

/* ---- runs of many beats ---------------------------------------------------------------------- */

/* Collective. A snake of a case; NULL if it could not be made. */
static halo_snake *make_snake(const snake_case *c, const halo_snake_options *options)
{
    halo_world *world = mpi_check_world();
    int64_t cuts[MOST_RANKS + 1];
    halo_snake *snake = NULL;
    halo_cuts_even(c->picture.rows, halo_world_ranks(world), cuts);
    halo_field *gradient = make_gradient(&c->picture, cuts, 1, NULL);
    halo_status status = halo_snake_create(&snake, world, &gradient, cuts, &c->contours, options);
    expect_case_ok(c->text, status);
    halo_field_destroy(&gradient);
    return snake;
}

/* Until they settle, or for so many beats, one after another. */
static int64_t settle_naively(snake_case *c, int64_t most)
{
    uint16_t *gradient = snake_naive_gradient(&c->picture, 1);
    int64_t beats = 0, moved = 1;
    for (; beats < most && moved > 0; beats++) {
        moved = snake_naive_beat(&c->picture, gradient, &c->options, c->first, c->contours.contours,
                                 c->points);
    }
    free(gradient);
    return beats;
}

/* Boundaries move at random before each beat. */
static void test_balancing(void)
{
    static snake_case c;
    uint64_t random = 23;
    halo_balance_options options = {.balancer = "random", .every = 1};
    for (int n = 0; n < cases_here(6); n++) {
        halo_balancing *balancing = NULL;
        any_case(&c, &random, n);
        halo_status status = halo_balancing_create(&balancing, mpi_check_world(), &options);
        expect_ok(status);
        c.options.balancing = balancing;
        halo_snake *snake = make_snake(&c, &c.options);
        if (snake != NULL) {
            int64_t beats = settle_naively(&c, 40);
            status = halo_snake_run(snake, 40);
            expect_case_ok(c.text, status);
            expect(halo_snake_progressed(snake).beats == beats, "%s: %" PRId64 " beats", c.text,
                   halo_snake_progressed(snake).beats);
            expect_points(&c, snake, beats);
        }
        halo_snake_destroy(&snake);
        halo_balancing_destroy(&balancing);
        snake_picture_free(&c.picture);
    }
    EXPECT_AGREED();
}

/* A snake made of another's points goes on as that one would. */
static void test_goes_on(void)
{
    static snake_case c;
    static int32_t points[2 * MOST_POINTS];
    uint64_t random = 31;
    for (int n = 0; n < 4; n++) {
        any_case(&c, &random, n);
        halo_snake *snake = make_snake(&c, &c.options);
        if (snake != NULL) {
            snake_case later = c;
            expect_case_ok(c.text, halo_snake_run(snake, 5));
            expect(halo_snake_collect(snake, points) == HALO_OK, "%s: not collected", c.text);
            memcpy(later.points, points, sizeof points);
            later.contours.points = later.points;
            later.options.first_beat = halo_snake_progressed(snake).beats;
            halo_snake_destroy(&snake);
            snake = make_snake(&later, &later.options);
        }
        if (snake != NULL) {
            int64_t beats = settle_naively(&c, 15);
            expect_case_ok(c.text, halo_snake_run(snake, 10));
            expect(halo_snake_progressed(snake).beats >= beats, "%s: beats", c.text);
            expect_points(&c, snake, beats);
        }
        halo_snake_destroy(&snake);
        snake_picture_free(&c.picture);
    }
    EXPECT_AGREED();
}

/* ---- what does not work ---------------------------------------------------------------------- */

static void expect_refused(const snake_case *c, const halo_snake_contours *contours,
                           const halo_snake_options *options, const char *message)
{
    halo_world *world = mpi_check_world();
    int64_t cuts[MOST_RANKS + 1];
    halo_snake *snake = NULL;
    halo_cuts_even(c->picture.rows, halo_world_ranks(world), cuts);
    halo_field *gradient = make_gradient(&c->picture, cuts, 1, NULL);
    halo_status status = halo_snake_create(&snake, world, &gradient, cuts, contours, options);
    expect(status == HALO_ARGUMENT && snake == NULL && gradient != NULL &&
               strstr(halo_last_message(), message) != NULL,
           "%s: %d, %s", message, (int)status, halo_last_message());
    halo_field_destroy(&gradient);
}

static void test_refused(void)
{
    static snake_case c;
    uint64_t random = 3;
    any_case(&c, &random, 1);
    halo_snake_options options = c.options;
    options.window = 4;
    expect_refused(&c, &c.contours, &options, "window of 4");
    options = c.options;
    options.order = "odd";
    expect_refused(&c, &c.contours, &options, "two-colour jacobi");
    options = c.options;
    options.gamma = -1;
    expect_refused(&c, &c.contours, &options, "-1");
    c.points[0] = (int32_t)c.picture.rows;
    expect_refused(&c, &c.contours, &c.options, "outside the picture");
    c.first[1] = 2;
    expect_refused(&c, &c.contours, &c.options, "2 points");
    snake_picture_free(&c.picture);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("snake", {"the gradient of any picture", test_gradient},
               {"points of any rings, wherever boundaries go", test_points},
               {"boundaries that a balancer moves", test_balancing},
               {"going on from points", test_goes_on}, {"what makes no sense", test_refused})
