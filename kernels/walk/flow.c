#include "kernels/walk/walk_internal.h"

#include <math.h>
#include <stdbool.h>

/* Rows y that are fluid throughout are channels, between others: each with the profile of a fluid
 * between two plates, all driven by the same gradient of pressure. The medium's period is a ring of
 * rows, or, between reflecting edges, has walls around it. */

static bool is_open(const walk_padded *padded, int64_t y)
{
    for (int64_t z = padded->margin[2]; z < padded->n[2] - padded->margin[2]; z++) {
        const unsigned char *row = padded->cells + z * padded->stride[2] + y * padded->stride[1];
        for (int64_t x = padded->margin[0]; x < padded->n[0] - padded->margin[0]; x++) {
            if (row[x] != WALK_FLUID) {
                return false;
            }
        }
    }
    return true;
}

/* Rows of the period, from `first` on, which come after a wall: of each that is open, how many are
 * before it in its channel and how many behind it make its velocity, but for a factor. */
static int64_t find_profile(const walk_padded *padded, int64_t first, double *shape)
{
    int64_t n = padded->period[1], open = 0;
    for (int64_t i = 0; i < n;) {
        int64_t height = 0;
        while (i + height < n && is_open(padded, (first + i + height) % n + padded->margin[1])) {
            height++;
        }
        for (int64_t j = 0; j < height; j++) {
            shape[(first + i + j) % n] = ((double)j + .5) * ((double)(height - j) - .5);
        }
        open += height;
        i += height + 1;
    }
    return open;
}

/* The first row behind a wall, or -1. */
static int64_t find_wall(const walk_padded *padded, bool ring)
{
    for (int64_t y = 0; y < padded->period[1] && ring; y++) {
        if (!is_open(padded, y + padded->margin[1])) {
            return y + 1;
        }
    }
    return ring ? -1 : 0;
}

/* Hops up and down x must have chances from 0 on. */
static halo_status check(const halo_walk_options *options, double fastest, double max)
{
    if (isfinite(fastest) && fastest <= max * (1 + 1e-9)) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "a flow of %g cells a step on average is %g where it is fastest, and a walker "
                     "makes at most %g of a step along x; take %g at most",
                     options->flow, fastest, max, fabs(options->flow) * max / fastest);
}

static halo_status fail_no_channel(bool walls)
{
    return halo_fail(HALO_ARGUMENT,
                     walls ? "there is no channel for a flow: no row of the medium is fluid from "
                             "its first to its last cell"
                           : "a channel needs walls, and all of the medium is fluid; give it solid "
                             "rows, or reflecting edges along y");
}

halo_status walk_find_flow(halo_walk *walk, const halo_walk_options *options,
                           const walk_padded *padded, double *velocity)
{
    int64_t n = padded->period[1], margin = padded->margin[1];
    int64_t first = find_wall(padded, options->edges[1] != HALO_WALK_REFLECTING);
    double *shape = velocity + margin, sum = 0, fastest = 0;
    int64_t open = first >= 0 ? find_profile(padded, first % n, shape) : 0;
    if (open == 0) {
        return fail_no_channel(first >= 0);
    }
    for (int64_t y = 0; y < n; y++) {
        sum += shape[y];
    }
    for (int64_t y = 0; y < n; y++) {
        shape[y] *= options->flow * (double)open / sum;
        fastest = fmax(fastest, fabs(shape[y]));
    }
    for (int64_t y = 0; y < padded->n[1] && options->edges[1] != HALO_WALK_REFLECTING; y++) {
        velocity[y] = shape[((y - margin) % n + n) % n];
    }
    walk->facts.fastest = fastest;
    walk->facts.flow_rows = open;
    return check(options, fastest, walk->facts.free_slope);
}
