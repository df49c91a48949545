#include "kernels/paths/paths_costs.h"

#include "core/world/collect.h"

#include <math.h>
#include <string.h>

enum { BYTE = 8, SHORT = 16 }; /* bits */

static double sample_at(int bits, const void *row, int64_t x)
{
    const char *at = (const char *)row + x * bits / BYTE;
    uint8_t byte;
    uint16_t word;
    double real;
    memcpy(&byte, at, sizeof byte);
    if (bits == BYTE) {
        return byte;
    }
    memcpy(&word, at, sizeof word);
    if (bits == SHORT) {
        return word;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

static bool are_equal(double a, double b)
{
    return a >= b && a <= b;
}

static bool is_barrier(const halo_paths_barriers *barriers, double sample)
{
    bool is = isnan(sample) || (sample < 0 && barriers->negative) || sample == HUGE_VAL ||
              are_equal(sample, barriers->missing);
    for (int i = 0; i < barriers->count; i++) {
        is = is || are_equal(sample, barriers->values[i]);
    }
    return is;
}

/* Cells are longer than samples: they are made from the last one on. */
int64_t halo_paths_take_costs(halo_paths_cell *cells, int64_t count, int bits,
                              const halo_paths_options *options,
                              const halo_paths_barriers *barriers, halo_paths_cost_range *range,
                              double *refused)
{
    double unreached = halo_paths_unreached(options);
    for (int64_t x = count - 1; x >= 0; x--) {
        double sample = sample_at(bits, cells, x);
        if (is_barrier(barriers, sample)) {
            range->barriers++;
            cells[x] = (halo_paths_cell){.distance = unreached, .cost = HUGE_VAL};
            continue;
        }
        if (!(sample >= 0)) {
            *refused = sample;
            return x;
        }
        range->min = sample < range->min ? sample : range->min;
        range->max = sample > range->max ? sample : range->max;
        cells[x] = (halo_paths_cell){.distance = unreached, .cost = fabs(sample)};
    }
    return -1;
}

void halo_paths_row_distances(const halo_paths_options *options, const halo_paths_cell *cells,
                              int64_t count, double *distances)
{
    double unreached = halo_paths_unreached(options);
    for (int64_t x = 0; x < count; x++) {
        distances[x] = cells[x].distance < unreached ? fabs(cells[x].distance) : HUGE_VAL;
    }
}

/* Numbers from 0 on are in the order of their bits. */
halo_status halo_paths_share_range(halo_world *world, halo_paths_cost_range *range)
{
    int64_t ends[2];
    memcpy(&ends[0], &range->min, sizeof range->min);
    memcpy(&ends[1], &range->max, sizeof range->max);
    ends[0] = -ends[0];
    HALO_TRY(halo_allreduce_max(world, ends, 2));
    HALO_TRY(halo_allreduce_sum(world, &range->barriers, 1));
    ends[0] = -ends[0];
    memcpy(&range->min, &ends[0], sizeof range->min);
    memcpy(&range->max, &ends[1], sizeof range->max);
    return HALO_OK;
}
