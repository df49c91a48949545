#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/linear_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Images of bytes: sums of floats, and those of doubles for the few samples that could be rounded
 * another way. */

enum { MOST = UINT8_MAX };

/* ---- samples that floats do not decide ------------------------------------------------------- */

/* The columns of the window of a sample, summed across rows; beyond the edges as they are after
 * this axis. */
static void sum_window(const filter_linear *l, const filter_tile *tile, int64_t row, int64_t x)
{
    const filter_part *part = tile->part;
    filter_weights w = filter_linear_weights(l, 1);
    int64_t radius = l->line[2].radius;
    l->ops->across[part->in][true](&w, tile->in + row + part->depth[1] - w.radius, x - radius,
                                   2 * radius + 1, l->window);
    for (int64_t i = 0; i <= 2 * radius && l->edge.mode == FILTER_CONSTANT; i++) {
        int64_t at = x - radius + i;
        if (at < 0 || at >= tile->width) {
            l->window[i] = l->edge.cval;
        }
    }
}

static void sum_sample(const filter_linear *l, const filter_tile *tile, int64_t row, int64_t x)
{
    filter_weights w = filter_linear_weights(l, 2);
    double sum;
    sum_window(l, tile, row, x);
    l->ops->along[true](&w, l->window + w.radius, 1, &sum);
    l->ops->store[true][HALO_SAMPLE_U8](&sum, 1, (uint8_t *)tile->out[row] + x);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void filter_linear_quick_group(const filter_linear *l, const filter_tile *tile, int64_t first,
                               int64_t rows)
{
    int64_t radius = l->line[1].radius, skipped = tile->part->depth[1] - radius;
    int64_t lanes = l->quick_columns.lanes;
    float *columns = (float *)(void *)l->quick_columns.column;
    for (int64_t k = 0; k < 2 * radius + lanes; k++) {
        l->rows[k] = tile->in[first + skipped + halo_min(k, 2 * radius + rows - 1)];
    }
    l->columns_ops->quick_columns(&l->quick[1], l->rows, tile->width, columns);
    filter_columns_fill(&l->quick_columns);
    l->marks->count = 0;
    l->columns_ops->quick_rows(&l->quick[2], columns, tile->width, (int)rows, tile->out + first,
                               l->marks);
    for (int64_t i = 0; i < l->marks->count && l->marks->count <= l->marks->most; i++) {
        sum_sample(l, tile, first + l->marks->at[i] % lanes, l->marks->at[i] / lanes);
    }
    for (int64_t i = 0; i < rows && l->marks->count > l->marks->most; i += l->columns.lanes) {
        filter_linear_image_group(l, tile, first + i, halo_min(l->columns.lanes, rows - i));
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

/* The error of a sum of floats along an axis, of samples up to 1 whose weights' sum is 1, in units
 * of 2^-24, by which a float of at most 1 may be off: of weights, of sums of pairs, of products,
 * and of each sum on the way, which is at most as large as the weights so far. */
static double find_error(const filter_line *line)
{
    enum { WEIGHTS_PAIRS_PRODUCTS = 3 };
    double sum = 0, error = WEIGHTS_PAIRS_PRODUCTS + 1;
    for (int64_t j = line->radius; j > 0; j--) {
        sum += 2 * line->weights[j];
        error += sum;
    }
    return error;
}

static halo_status make_weights(filter_linear *l, int axis, float error)
{
    filter_weights w = filter_linear_weights(l, axis);
    HALO_TRY(HALO_ALLOCATE(l->quick_weights[axis], w.radius + 1, "weights"));
    for (int64_t j = 0; j <= w.radius; j++) {
        l->quick_weights[axis][j] = (float)w.weights[j];
    }
    l->quick[axis] = (filter_quick_weights){w.radius, l->quick_weights[axis], error};
    return HALO_OK;
}

/* True if the weights are those of a mean. */
static bool is_mean(const filter_line *line)
{
    const double tiny = 1e-12;
    double sum = line->weights != NULL ? line->weights[0] : 1;
    bool positive = sum >= 0 && !line->odd;
    for (int64_t j = 1; j <= line->radius; j++) {
        sum += 2 * line->weights[j];
        positive = positive && line->weights[j] >= 0;
    }
    return positive && fabs(sum - 1) < tiny;
}

/* True if no weight is so small that its products with samples of 2^-50 are no normal floats, in
 * all axes together. */
static bool is_wide(const filter_line *line)
{
    const double least = 0x1p-25;
    bool wide = line->weights == NULL || line->weights[0] >= least;
    for (int64_t j = 1; j <= line->radius; j++) {
        wide = wide && line->weights[j] >= least;
    }
    return wide;
}

void filter_linear_find_fused(filter_linear *l, const filter_step *step, const filter_part *part)
{
    enum { MORE = 6 };
    const double least = 0x1p-50;
    halo_sample_type in = part->in;
    bool bytes = in == HALO_SAMPLE_U8 || in == HALO_SAMPLE_U16, fits = step->axes > 1;
    double operations = 0;
    l->exact.rounds = l->how.rounds = l->between == HALO_SAMPLE_F32;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        fits = fits && is_mean(&l->line[axis]) && is_wide(&l->line[axis]);
        operations += 2 * (double)l->line[axis].radius + MORE;
    }
    l->checks = fits && in == HALO_SAMPLE_F32 && l->how.rounds && l->columns_ops->fuses;
    l->how.fused =
        l->checks || (fits && bytes && l->columns_ops->fuses && (l->how.rounds || part->out == in));
    l->how.error = operations * UINT16_MAX * DBL_EPSILON;
    if (l->edge.mode == FILTER_CONSTANT && l->edge.cval != 0 && /* NOLINT: the exact 0 is meant */
        !(l->edge.cval >= least && l->edge.cval <= FLT_MAX)) {
        l->checks = l->how.fused = false;
    }
    l->checked = l->last_bad = INT64_MIN;
}

/* Samples that have to be computed again cost more than is saved where windows are large. */
static bool is_worth_it(const filter_linear *l, double error)
{
    double rows = (double)l->line[1].radius, columns = (double)l->line[2].radius;
    return 2 * error * (2 * rows + 1) * (2 * columns + 1) <= 1 + rows + columns;
}

halo_status filter_linear_create_quick(filter_linear *l, const filter_step *step,
                                       const filter_part *part)
{
    enum { LANES = 16, MARKED = 4 };
    const double margin = 1.01, unit = 0x1p-24;
    double error = margin * MOST * unit * (find_error(&l->line[1]) + find_error(&l->line[2]));
    l->is_quick = step->axes == 2 && part->in == HALO_SAMPLE_U8 && part->out == HALO_SAMPLE_U8 &&
                  is_mean(&l->line[1]) && is_mean(&l->line[2]) && is_worth_it(l, error);
    if (!l->is_quick) {
        return HALO_OK;
    }
    HALO_TRY(make_weights(l, 1, (float)error));
    HALO_TRY(make_weights(l, 2, (float)error));
    HALO_TRY(filter_columns_create(&l->quick_columns, l->columns_ops, true, &l->margins));
    HALO_TRY(HALO_ALLOCATE(l->marks, 1, "marks"));
    l->marks->most = step->n[2] / MARKED + LANES;
    HALO_TRY(HALO_ALLOCATE(l->marks->at, l->marks->most, "marks"));
    return HALO_ALLOCATE(l->window, 2 * l->line[2].radius + 2 * LANES, "marks");
}

void filter_linear_free_quick(filter_linear *l)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(l->quick_weights[axis]);
    }
    filter_columns_free(&l->quick_columns);
    if (l->marks != NULL) {
        free(l->marks->at);
    }
    free(l->marks);
    free(l->window);
}
