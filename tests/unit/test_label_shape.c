#include "kernels/label/measure/shape_hull.h"
#include "kernels/label/measure/shape_join.h"
#include "kernels/label/measure/solid_width.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Measures of shapes of sizes that no image has. tests/cli/regions.sh compares those of images, on
 * several ranks, with scikit-image. */

static void check_same(const double *found, const double *wanted, const char *name)
{
    for (int i = 0; i < SHAPE_SQUARES; i++) {
        check(found[i] == wanted[i], "%s: %.17g is not %.17g", name, found[i], wanted[i]);
    }
}

/* Three runs that are no line, from a corner on. */
static shape_sums make_region(int64_t z, int64_t y, int64_t x)
{
    shape_sums sums = {.number = 1};
    shape_add_run(&sums.moments, z, y, x, x + 5);
    shape_add_run(&sums.moments, z + 1, y + 1, x + 3, x + 4);
    shape_add_run(&sums.moments, z + 3, y + 7, x + 1, x + 9);
    return sums;
}

TEST("no digits are lost far from the corner")
{
    double near[SHAPE_SQUARES], far[SHAPE_SQUARES], back[SHAPE_SQUARES];
    const int64_t most = INT32_MAX - 10;
    shape_sums here = make_region(0, 0, 0), there = make_region(most, most, most);
    shape_covariance(&here, near);
    shape_covariance(&there, far);
    check_same(far, near, "far");
    shape_shift(&there.moments, (int64_t[]){-2 * most, -most - 1, 7});
    shape_covariance(&there, back);
    check_same(back, near, "shifted");
    CU_ASSERT_EQUAL(there.moments.sum[0], here.moments.sum[0] - most * here.moments.area);
}

TEST("moments by their definition")
{
    const shape_sums sums = make_region(4, 5, 6);
    double places[14][HALO_AXES], mean[HALO_AXES] = {0}, covariance[SHAPE_SQUARES];
    int n = 0;
    for (int x = 0; x < 14; x++, n++) {
        double z = x < 5 ? 0 : x < 6 ? 1 : 3, y = x < 5 ? 0 : x < 6 ? 1 : 7;
        double place[HALO_AXES] = {z, y, x < 5 ? x : x < 6 ? 3 : x - 5};
        for (int axis = 0; axis < HALO_AXES; axis++) {
            places[n][axis] = place[axis];
            mean[axis] += place[axis] / 14;
        }
    }
    shape_covariance(&sums, covariance);
    static const int of[SHAPE_SQUARES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < SHAPE_SQUARES; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += (places[k][of[i][0]] - mean[of[i][0]]) * (places[k][of[i][1]] - mean[of[i][1]]);
        }
        NEAR(covariance[i], sum / n, 1e-14);
    }
}

/* (n^2 - 1) / 12 of a line, also where squares do not fit in 64 bits; added up in halves, too. */
TEST("lines of any length")
{
    static const int64_t lengths[] = {1,       2,       3,        1000, 1 << 20, (1 << 20) + 1,
                                      1 << 21, 3 << 28, INT32_MAX};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        double n = (double)lengths[i], whole[SHAPE_SQUARES], halves[SHAPE_SQUARES];
        shape_sums line = {0}, half = {0}, other = {0};
        shape_add_run(&line.moments, 0, 3, 0, lengths[i]);
        shape_add_run(&half.moments, 0, 3, 0, lengths[i] / 2);
        shape_add_run(&other.moments, 0, 3, lengths[i] / 2, lengths[i]);
        shape_add(&half.moments, &other.moments);
        shape_covariance(&line, whole);
        shape_covariance(&half, halves);
        check_same(halves, whole, "halves");
        NEAR(whole[2], (n * n - 1) / 12, 4e-16 * n * n);
        CU_ASSERT_EQUAL(whole[1], 0);
        CU_ASSERT_EQUAL(whole[5], 0);
    }
}

static const double ones[HALO_AXES] = {1, 1, 1};

TEST("axes and angles")
{
    const double quarter = atan(1);
    static const struct {
        double rows, columns, both, major, minor, orientation; /* in quarters of pi */
    } known[] = {{0, 0, 0, 0, 0, -1}, {9, 9, 0, 12, 12, -1}, {9, 4, 0, 12, 8, 0},
                 {4, 9, 0, 12, 8, 2}, {5, 5, 4, 12, 4, 1},   {5, 5, -4, 12, 4, -1}};
    for (size_t i = 0; i < COUNT(known); i++) {
        const halo_shape shape = {
            .covariance = {0, known[i].rows, known[i].columns, 0, 0, known[i].both}};
        const halo_shape_axes axes = halo_shape_find_axes(&shape, 2, ones);
        double ratio = known[i].minor / fmax(known[i].major, 1);
        NEAR(axes.major, known[i].major, 1e-14);
        NEAR(axes.minor, known[i].minor, 1e-14);
        NEAR(axes.eccentricity, known[i].major > 0 ? sqrt(1 - ratio * ratio) : 0, 1e-14);
        NEAR(axes.orientation, known[i].orientation * quarter, 1e-15);
    }
}

TEST("three axes")
{
    const halo_shape turned = {.covariance = {2, 2, 5, 1, 0, 0}}; /* 1, 3, 5 */
    halo_shape_axes axes = halo_shape_find_axes(&turned, 3, ones);
    NEAR(axes.major, 10, 1e-13);
    NEAR(axes.minor, sqrt(20), 1e-13);
    const halo_shape diagonal = {.covariance = {3, 3, 3, 3, 3, 3}}; /* 9, 0, 0: a line */
    axes = halo_shape_find_axes(&diagonal, 3, ones);
    NEAR(axes.major, sqrt(180), 1e-13);
    NEAR(axes.minor, 0, 1e-6);
    axes = halo_shape_find_axes(&turned, 3, (double[]){2, 2, 2});
    NEAR(axes.major, 20, 1e-13);
    const halo_shape round = {.covariance = {1, 1, NAN, 0, NAN, NAN}};
    CU_ASSERT(isnan(halo_shape_find_axes(&round, 3, ones).minor));
}

TEST("perimeters")
{
    const halo_shape shape = {.border = {4, 3, 2}};
    NEAR(halo_shape_perimeter(&shape), 5 + 4 * sqrt(2), 1e-14);
}

/* Rows in any order, of two regions. */
TEST("convex hulls")
{
    shape_extent extents[] = {{8, 2, 1, 4, 5}, {7, 0, 1, 0, 1}, {8, 0, 1, 0, 5}, {8, 1, 1, 0, 1}};
    int64_t hulls[2];
    SUCCEEDS(shape_find_hulls(NULL, extents, 4, 7, hulls, NULL));
    CU_ASSERT_EQUAL(hulls[0], 1);
    /* From (1.5, 0) the way to (2.5, 4) passes through (2, 2). */
    CU_ASSERT_EQUAL(hulls[1], 5 + 5 + 3);
    SUCCEEDS(shape_find_hulls(NULL, NULL, 0, 1, hulls, NULL));
}

/* Rows with the same ends are one extent, or each its own. */
TEST("hulls of long extents")
{
    enum { LONG = 5, ROWS = 3 * LONG };
    static const int64_t ends[][2] = {{3, 9}, {0, 4}, {2, 20}};
    shape_extent whole[ROWS / LONG], single[ROWS];
    int64_t hulls[2];
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t *end = ends[row / LONG];
        single[row] = (shape_extent){1, row, 1, end[0], end[1]};
        whole[row / LONG] = (shape_extent){1, row / LONG * LONG, LONG, end[0], end[1]};
    }
    SUCCEEDS(shape_find_hulls(NULL, single, ROWS, 1, &hulls[0], NULL));
    SUCCEEDS(shape_find_hulls(NULL, whole, ROWS / LONG, 1, &hulls[1], NULL));
    CU_ASSERT_EQUAL(hulls[0], hulls[1]);
    CU_ASSERT(hulls[0] > LONG * (6 + 4 + 18));
    shape_extent column = {1, 7, 20000000, 3, 4};
    SUCCEEDS(shape_find_hulls(NULL, &column, 1, 1, hulls, NULL));
    CU_ASSERT_EQUAL(hulls[0], 20000000);
}

/* A triangle whose sides have products beyond 64 bits. Each row but the last one reaches half of
 * the way that the next one is longer: all corners there lie on one line. */
TEST("hulls of wide regions")
{
    enum { ROWS = 1000, STEP = 2147483 };
    static shape_extent extents[ROWS + 1];
    int64_t pixels = 0, hull;
    for (int64_t row = 0; row <= ROWS; row++) {
        extents[row] = (shape_extent){1, row, 1, 0, STEP * row + 1};
        pixels += STEP * row + 1;
    }
    SUCCEEDS(shape_find_hulls(NULL, extents, ROWS + 1, 1, &hull, NULL));
    CU_ASSERT_EQUAL(hull, pixels + (int64_t)ROWS * (STEP / 2));
}

/* ---- widths ---------------------------------------------------------------------------------- */

enum { WIDTH_POINTS = 12 };

/* The width of points across the vector product of two differences of them; infinite if these are
 * parallel. */
static double width_across(const solid_point *points, int64_t count, const double *unit,
                           const int64_t of[4])
{
    double a[HALO_AXES], b[HALO_AXES], normal[HALO_AXES], length = 0, low = HUGE_VAL,
                                                          high = -HUGE_VAL;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        a[axis] = (double)(points[of[1]].at[axis] - points[of[0]].at[axis]) * unit[axis];
        b[axis] = (double)(points[of[3]].at[axis] - points[of[2]].at[axis]) * unit[axis];
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int u = (axis + 1) % HALO_AXES, v = (axis + 2) % HALO_AXES;
        normal[axis] = a[u] * b[v] - a[v] * b[u];
        length += normal[axis] * normal[axis];
    }
    for (int64_t i = 0; i < count; i++) {
        double at = 0;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            at += (double)points[i].at[axis] * unit[axis] * normal[axis];
        }
        low = fmin(low, at);
        high = fmax(high, at);
    }
    return length > 1e-9 ? (high - low) / sqrt(length) : HUGE_VAL;
}

/* Facets of the hull have two such differences in them, and pairs of edges are such. */
static double find_width_by_all(const solid_point *points, int64_t count, const double *unit)
{
    double least = HUGE_VAL;
    for (int64_t i = 0; i < count * count * count * count; i++) {
        const int64_t of[4] = {i % count, i / count % count, i / (count * count) % count,
                               i / (count * count * count)};
        if (of[0] < of[1] && of[2] < of[3]) {
            least = fmin(least, width_across(points, count, unit, of));
        }
    }
    return least;
}

TEST("the least width of points is that across a facet, or across two edges")
{
    static const double sides[] = {1, .5, 2.25, .7};
    uint64_t random = 3;
    solid_hull hull = {0};
    solid_width_memory memory = {0};
    SUCCEEDS(solid_hull_reserve(&hull, WIDTH_POINTS));
    for (int i = 0; i < 60; i++) {
        const double unit[HALO_AXES] = {sides[random_below(&random, 4)],
                                        sides[random_below(&random, 4)],
                                        sides[random_below(&random, 4)]};
        int64_t range = 2 + random_below(&random, i % 2 == 0 ? 3 : 40); /* many in one plane */
        double width;
        hull.count = WIDTH_POINTS;
        for (int64_t k = 0; k < WIDTH_POINTS; k++) { /* the first four have a volume */
            for (int axis = 0; axis < HALO_AXES; axis++) {
                hull.points[k].at[axis] = k < 4 ? (k == axis + 1) : random_below(&random, range);
            }
        }
        SUCCEEDS(solid_hull_find(&hull));
        SUCCEEDS(solid_find_width(&hull, unit, &memory, &width));
        double wanted = find_width_by_all(hull.points, hull.count, unit);
        check(fabs(width - wanted) <= 1e-12 * wanted, "case %d: %.17g, not %.17g", i, width,
              wanted);
    }
    solid_hull_free(&hull);
    solid_width_free(&memory);
}
