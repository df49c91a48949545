/* Cells rise to the largest of their neighbours along the axes until nothing changes: any number of
 * axes, and an end of its own. What `halobeat run` loads in the tests, as its author would write.
 */

#include "core/beat/kernel_export.h"

typedef uint16_t cell;

/* The program has a function of this name, which is not meant. */
int report_free(int max);
int report_free(int max)
{
    return max + 1;
}

static const cell *next_to(const halo_view *in, const cell *here, int axis, int step)
{
    return (const cell *)((const char *)here + step * in->stride[axis]);
}

static cell rise(const halo_view *in, const cell *here)
{
    cell max = *here;
    for (int axis = 0; report_free(axis) <= in->axes; axis++) {
        cell before = *next_to(in, here, axis, -1), after = *next_to(in, here, axis, 1);
        max = before > max ? before : max;
        max = after > max ? after : max;
    }
    return max;
}

static char *cell_of(const halo_view *view, int64_t z, int64_t y, int64_t x)
{
    return (char *)view->origin + z * view->stride[0] + y * view->stride[1] + x * view->stride[2];
}

static halo_status rise_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    for (int64_t z = todo->lo[0]; z < todo->lo[0] + todo->n[0]; z++) {
        for (int64_t y = todo->lo[1]; y < todo->lo[1] + todo->n[1]; y++) {
            for (int64_t x = todo->lo[2]; x < todo->lo[2] + todo->n[2]; x++) {
                const cell *here = (const cell *)(const void *)cell_of(step->in, z, y, x);
                cell *next = (cell *)(void *)cell_of(step->out, z, y, x);
                *next = rise(step->in, here);
                step->changed += *next != *here;
            }
        }
    }
    return HALO_OK;
}

static halo_status rise_start(void *state, const halo_view *fields)
{
    const halo_box *owned = &fields->owned;
    (void)state;
    for (int64_t z = 0; z < owned->n[0]; z++) {
        for (int64_t y = 0; y < owned->n[1]; y++) {
            for (int64_t x = 0; x < owned->n[2]; x++) {
                int64_t place = (owned->lo[0] + z) * 7919 + (owned->lo[1] + y) * 104729 +
                                (owned->lo[2] + x) * 1299709;
                *(cell *)(void *)cell_of(fields, z, y, x) = (cell)(place * place % 65521);
            }
        }
    }
    return HALO_OK;
}

static const halo_kernel rise_kernel = {.name = "rise",
                                        .help = "cells rise to their largest neighbour",
                                        .cell_bits = {16},
                                        .depth = 1,
                                        .converges = true,
                                        .step = rise_step,
                                        .start = rise_start};

HALO_KERNEL_EXPORT(rise_kernel);
