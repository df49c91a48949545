#include "core/world/collect.h"
#include "kernels/cluster/engine.h"

/* With n pixels in a cluster, the squares of distances to the mean add up to those of the values
 * themselves, less the square of their sum over n. What the former come to does not depend on the
 * clusters, and has a closed form in x and y. */

/* Numbers beyond 64 bits, in parts that can be summed over ranks. */
typedef struct {
    int64_t high, low; /* high * 2^32 + low */
} wide_sum;

static void add(wide_sum *sum, uint64_t more)
{
    sum->high += (int64_t)(more >> 32);
    sum->low += (int64_t)(more & UINT32_MAX);
}

static double value_of(const wide_sum *sum)
{
    return (double)sum->high * 4294967296.0 + (double)sum->low;
}

/* A square is below 2^32, of negative values too. */
#define DEFINE_SQUARE_ROW(name, type, channels)          \
    static uint64_t name(const type *row, int64_t width) \
    {                                                    \
        uint64_t sum = 0;                                \
        for (int64_t x = 0; x < (channels)*width; x++) { \
            sum += (uint32_t)row[x] * (uint32_t)row[x];  \
        }                                                \
        return sum;                                      \
    }
DEFINE_SQUARE_ROW(square_row8, uint8_t, 1)
DEFINE_SQUARE_ROW(square_row16, uint16_t, 1)
DEFINE_SQUARE_ROW(square_row_lab, int16_t, HALO_CLUSTER_CHANNELS)

/* Return the sum of the squares of this rank's pixels. */
static wide_sum square_values(const halo_view *view)
{
    enum { BYTE_BITS = 8, WORD_BITS = 16 };
    int64_t width = view->owned.n[1];
    wide_sum sum = {0};
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const void *row = halo_row(view, y);
        add(&sum, view->cell_bits == BYTE_BITS   ? square_row8(row, width)
                  : view->cell_bits == WORD_BITS ? square_row16(row, width)
                                                 : square_row_lab(row, width));
    }
    return sum;
}

/* 0 + 1 + 4 + ... + (n - 1)^2 */
static double squares_below(double n)
{
    return (n - 1) * n * (2 * n - 1) / 6;
}

static double square(double value)
{
    return value * value;
}

halo_status halo_cluster_inertia(const halo_beat *beat, halo_world *world, double *inertia)
{
    const cluster_job *job = cluster_job_of(beat);
    wide_sum values = square_values(halo_beat_view(beat, 0));
    int64_t parts[] = {values.high, values.low};
    HALO_TRY(halo_allreduce_sum(world, parts, 2));
    values = (wide_sum){.high = parts[0], .low = parts[1]};
    double height = (double)job->domain.n[0], width = (double)job->domain.n[1];
    double place = width * squares_below(height) + height * squares_below(width);
    double value = value_of(&values);
    const halo_cluster_record *records = halo_cluster_records(beat);
    for (int k = 0; k < job->clusters; k++) {
        const halo_cluster_record *record = &records[k];
        double pixels = (double)record->pixels;
        if (record->pixels > 0) {
            place -= (square((double)record->x) + square((double)record->y)) / pixels;
            for (int i = 0; i < job->axes - 2; i++) {
                value -= square((double)record->value[i]) / pixels;
            }
        }
    }
    *inertia = place + job->scale * value;
    return HALO_OK;
}
