#include "kernels/distance/distance_array.h"
#include "kernels/distance/expand_labels_array.h"
#include "kernels/distance/thickness_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Local thickness and labels that grow, against what distances and indices say. */

static halo_context *context_of(int ranks)
{
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    return context;
}

enum { MOST = 2000 };

/* An image of discs of background, or of anything. */
static int64_t make_image(uint64_t *random, int axes, int64_t n[3], double *values)
{
    static const int64_t longest[] = {90, 40, 12};
    int64_t cells = 1, share = 1 + random_below(random, 300);
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = axis < axes ? 1 + random_below(random, longest[axes - 1]) : 1;
        cells *= n[axis];
    }
    for (int64_t i = 0; i < cells; i++) {
        values[i] = random_below(random, 1000) >= share;
    }
    return cells;
}

/* The square of the distance of elements, by their numbers in C's order. */
static int64_t square_between(const int64_t n[3], int64_t a, int64_t b)
{
    int64_t sum = 0;
    for (int axis = 2; axis >= 0; axis--) {
        int64_t along = a % n[axis] - b % n[axis];
        sum += along * along;
        a /= n[axis];
        b /= n[axis];
    }
    return sum;
}

TEST("thickness is what balls of all distances paint, in all layouts, with all ranks")
{
    static const halo_sample_type types[] = {HALO_SAMPLE_I32, HALO_SAMPLE_U64, HALO_SAMPLE_F32,
                                             HALO_SAMPLE_F64};
    static double values[MOST];
    static int32_t squares[MOST];
    uint64_t random = 6;
    for (int i = 0; i < unit_cases(90); i++) {
        int64_t n[3], wrong = 0;
        int axes = 1 + (int)random_below(&random, 3), ranks = 1 + i % 5;
        int64_t cells = make_image(&random, axes, n, values);
        int64_t c[3] = {1, 1, 1};
        memcpy(c + 3 - axes, n, (size_t)axes * sizeof *c);
        laid_array from = array_lay_values((array_layout)random_below(&random, LAYOUTS),
                                           HALO_SAMPLE_U8, axes, n, values);
        laid_array to = array_lay((array_layout)random_below(&random, LAYOUTS),
                                  types[random_below(&random, COUNT(types))], axes, n);
        const halo_array plain = array_plain(HALO_SAMPLE_I32, axes, n, squares);
        halo_context *context = context_of(ranks);
        halo_distance_array_report near;
        SUCCEEDS(halo_distance_array(context, &from.array, &plain, NULL,
                                     &(halo_distance_array_options){.squared = true}, &near));
        halo_thickness_array_report report;
        SUCCEEDS(halo_thickness_array(context, &from.array, &to.array,
                                      &(halo_thickness_array_options){.squared = true}, &report));
        for (int64_t p = 0; p < cells && !near.infinite; p++) {
            int64_t largest = 0;
            for (int64_t q = 0; q < cells; q++) {
                if (squares[q] > largest && square_between(c, p, q) < squares[q]) {
                    largest = squares[q];
                }
            }
            double got = array_value(&to.array, p);
            wrong += got < (double)largest || got > (double)largest;
        }
        check(wrong == 0 && report.infinite == near.infinite, "case %d: %" PRId64 " differ", i,
              wrong);
        NEAR(report.max, 2 * near.max, 1e-9);
        check(array_gaps_are_kept(&to), "case %d: bytes between elements were written", i);
        halo_context_destroy(&context);
        array_free(&from);
        array_free(&to);
    }
}

TEST("labels that grow are those of nearest elements, in all layouts, with all ranks")
{
    static const halo_sample_type types[] = {HALO_SAMPLE_U8, HALO_SAMPLE_I32, HALO_SAMPLE_U64,
                                             HALO_SAMPLE_F32};
    static double values[MOST];
    static int32_t near[3][MOST];
    static float far[MOST];
    uint64_t random = 7;
    for (int i = 0; i < unit_cases(90); i++) {
        int64_t n[3], wrong = 0, grown = 0;
        int axes = 1 + (int)random_below(&random, 3), ranks = 1 + i % 5;
        int64_t cells = make_image(&random, axes, n, values);
        for (int64_t p = 0; p < cells; p++) {
            values[p] = values[p] > 0 ? 0 : (double)(1 + random_below(&random, 100));
        }
        halo_expand_labels_array_options options = {.distance = (double)random_below(&random, 9)};
        for (int axis = 0; axis < axes && i % 3 == 0; axis++) {
            options.spacing[axis] = .5 + axis;
        }
        halo_sample_type type = types[random_below(&random, COUNT(types))];
        laid_array from =
            array_lay_values((array_layout)random_below(&random, LAYOUTS), type, axes, n, values);
        laid_array to = array_lay((array_layout)random_below(&random, LAYOUTS), type, axes, n);
        halo_array parts[3];
        for (int axis = 0; axis < axes; axis++) {
            parts[axis] = array_plain(HALO_SAMPLE_I32, axes, n, near[axis]);
        }
        const halo_array distances = array_plain(HALO_SAMPLE_F32, axes, n, far);
        halo_distance_array_options by = {.invert = true};
        memcpy(by.spacing, options.spacing, sizeof by.spacing);
        halo_context *context = context_of(ranks);
        SUCCEEDS(halo_distance_array(context, &from.array, &distances, parts, &by, NULL));
        halo_expand_labels_array_report report;
        SUCCEEDS(halo_expand_labels_array(context, &from.array, &to.array, &options, &report));
        for (int64_t p = 0; p < cells; p++) {
            int64_t q = 0;
            for (int axis = 0; axis < axes; axis++) {
                q = q * n[axis] + near[axis][p];
            }
            double wanted = near[0][p] >= 0 && far[p] <= (float)options.distance ? values[q] : 0;
            double got = array_value(&to.array, p);
            wrong += got < wanted || got > wanted;
            grown += values[p] <= 0 && wanted > 0;
        }
        check(wrong == 0 && grown == report.expanded, "case %d: %" PRId64 " differ", i, wrong);
        halo_context_destroy(&context);
        array_free(&from);
        array_free(&to);
    }
}

TEST("what is refused, with the remedy; cancelling")
{
    enum { SIDE = 400 };
    static uint8_t grid[SIDE][SIDE], other[SIDE][SIDE];
    static float thick[SIDE][SIDE];
    const int64_t n[] = {SIDE, SIDE}, shorter[] = {SIDE, SIDE - 1};
    const halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid),
                     to = array_plain(HALO_SAMPLE_F32, 2, n, thick),
                     same = array_plain(HALO_SAMPLE_U8, 2, n, other),
                     less = array_plain(HALO_SAMPLE_U8, 2, shorter, other);
    memset(grid, 1, sizeof grid);
    grid[9][9] = 0;
    FAILS(HALO_ARGUMENT, "must have float32 or float64; squared radii may be whole numbers",
          halo_thickness_array(NULL, &from, &same, NULL, NULL));
    FAILS(HALO_ARGUMENT, "which uint8 does not have; take uint32",
          halo_thickness_array(NULL, &from, &same, &(halo_thickness_array_options){.squared = true},
                               NULL));
    FAILS(HALO_ARGUMENT, "the spacing is -1; use a number above 0",
          halo_thickness_array(NULL, &from, &to, &(halo_thickness_array_options){.spacing = -1},
                               NULL));
    FAILS(HALO_ARGUMENT, "they must have one type",
          halo_expand_labels_array(NULL, &from, &to, NULL, NULL));
    FAILS(HALO_ARGUMENT, "and the array for expanded labels has 399",
          halo_expand_labels_array(NULL, &from, &less, NULL, NULL));
    FAILS(HALO_ARGUMENT, "a distance of -1 is not possible; give 0 or more",
          halo_expand_labels_array(NULL, &from, &same,
                                   &(halo_expand_labels_array_options){.distance = -1}, NULL));
    halo_thickness_array_options named = {0};
    halo_expand_labels_array_options grown = {0};
    SUCCEEDS(halo_options_set(halo_thickness_array_rows, &named, "o", "spacing", ".5"));
    SUCCEEDS(halo_options_set(halo_expand_labels_array_rows, &grown, "o", "distance", "2.5"));
    check(named.spacing > .4 && grown.distance > 2, "options by name");
    for (int ranks = 1; ranks <= 3; ranks++) {
        halo_context *context = context_of(ranks);
        array_progress w = array_progress_until(1);
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled", halo_thickness_array(context, &from, &to, NULL, NULL));
        halo_context_destroy(&context);
    }
}
