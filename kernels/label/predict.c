#include "kernels/label/predict.h"

#include "base/minmax.h"
#include "base/statistics.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "kernels/label/costs.h"

#include <math.h>

enum {
    PARTS = 9 /* of a strip, timed one by one */
};

/* A layer is a row, or a plane where there are three axes. */
static int64_t rows_of_layer(const halo_view *foreground)
{
    return foreground->axes == 3 ? foreground->owned.n[1] : 1;
}

static int64_t words_of_row(const halo_view *foreground)
{
    return (foreground->owned.n[foreground->axes - 1] + 63) / 64;
}

static int64_t words_of_layer(const halo_view *foreground)
{
    return rows_of_layer(foreground) * words_of_row(foreground);
}

static int64_t count_layer(const label_row_ops *ops, const halo_view *foreground, int64_t z)
{
    int64_t runs = 0, rows = rows_of_layer(foreground), words = words_of_row(foreground);
    for (int64_t y = 0; y < rows; y++) {
        runs += ops->count_runs(halo_row_of_plane(foreground, z, y), words);
    }
    return runs;
}

/* Seconds a layer in each block of a strip with these runs, on a machine that counts as fast as the
 * one that the costs were measured on. Returns those of the whole strip. */
static double predict(const halo_view *foreground, const int64_t *runs, halo_measured *measured)
{
    int64_t words = words_of_layer(foreground), height = foreground->owned.n[0];
    double all = 0;
    for (int block = 0; block < measured->blocks; block++) {
        int64_t first = block * measured->block_rows;
        int64_t end = halo_min(first + measured->block_rows, height);
        double seconds = label_cost((end - first) * words, runs[block]);
        measured->row_cost[block] = (float)(seconds / (double)(end - first));
        all += seconds;
    }
    return all;
}

/* Count the runs of each block, and time that: seconds a row in one part of the strip after
 * another. Returns the number of parts. */
static int time_counting(const halo_world *world, const label_row_ops *ops,
                         const halo_view *foreground, int64_t block_rows, int64_t *runs,
                         double *seconds)
{
    int64_t words = words_of_layer(foreground), height = foreground->owned.n[0];
    int parts = (int)halo_min(PARTS, height);
    for (int part = 0; part < parts; part++) {
        int64_t first = height * part / parts, end = height * (part + 1) / parts;
        double begun = halo_seconds();
        for (int64_t y = first; y < end; y++) {
            runs[y / block_rows] += count_layer(ops, foreground, y);
        }
        halo_simulated_compute(label_cost_of_counting((end - first) * words) / LABEL_FLOP);
        halo_world_inject_slowdown(world, halo_seconds() - begun);
        seconds[part] = (halo_seconds() - begun) / (double)(end - first);
    }
    return parts;
}

/* The factor by which counting takes longer than on the machine of the costs, and its relative
 * standard error: from the median and the quartiles, since an interruption may be longer than all
 * the counting. */
static double find_slowdown(double *seconds, int parts, double expected, double *error)
{
    static const double quartiles = 1.349; /* apart, in standard deviations */
    *error = 0;
    if (parts == 0 || expected <= 0) {
        return 1;
    }
    halo_values_sort(seconds, parts);
    double median = seconds[parts / 2];
    double apart = seconds[parts - 1 - parts / 4] - seconds[parts / 4];
    *error = median > 0 ? apart / (quartiles * median * sqrt(parts)) : 0;
    return median / expected;
}

/* Predicts from what counting took and what labelling takes in comparison. */
void label_predict(const halo_world *world, const label_row_ops *ops, const halo_view *foreground,
                   halo_measured *measured)
{
    double seconds[PARTS], error;
    int64_t runs[HALO_ROW_COST_BLOCKS] = {0};
    int64_t height = foreground->owned.n[0], words = words_of_layer(foreground);
    int64_t block_rows = halo_row_cost_block_rows(height);
    int parts = time_counting(world, ops, foreground, block_rows, runs, seconds);
    double slowdown = find_slowdown(seconds, parts, label_cost_of_counting(words), &error);
    *measured = (halo_measured){.supersteps = parts,
                                .beats = parts,
                                .rows = height,
                                .block_rows = block_rows,
                                .blocks = (int)((height + block_rows - 1) / block_rows)};
    measured->compute_seconds = predict(foreground, runs, measured) * slowdown;
    measured->noise_seconds = measured->compute_seconds * error;
    for (int block = 0; block < measured->blocks; block++) {
        measured->row_cost[block] *= (float)slowdown;
    }
}
