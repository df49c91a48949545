/* Heat in a block, an explicit step of the heat equation with six neighbours; faces are kept at 0.
 *   heat3d --size 256x256x256 --beats 500 --decomposition blocks -o heat3d.npy
 * It begins as sin(pi z) sin(pi y) sin(pi x) over a block that is 1 wide: an eigenmode, which every
 * beat multiplies by the same number. */

#include <halobeat/halobeat.h>

#include <math.h>
#include <stdlib.h>

static halo_status heat3d_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    for (int64_t z = todo->lo[0]; z < todo->lo[0] + todo->n[0]; z++) {
        for (int64_t y = todo->lo[1]; y < todo->lo[1] + todo->n[1]; y++) {
            const double *here = halo_row_of_plane(step->in, z, y);
            const double *before = halo_row_of_plane(step->in, z - 1, y);
            const double *behind = halo_row_of_plane(step->in, z + 1, y);
            const double *above = halo_row_of_plane(step->in, z, y - 1);
            const double *below = halo_row_of_plane(step->in, z, y + 1);
            double *restrict next = halo_row_of_plane(step->out, z, y);
            for (int64_t x = todo->lo[2]; x < todo->lo[2] + todo->n[2]; x++) {
                double around =
                    before[x] + behind[x] + above[x] + below[x] + here[x - 1] + here[x + 1];
                next[x] = 0.25 * here[x] + 0.125 * around;
            }
        }
    }
    return HALO_OK;
}

/* The domain is all there is to know. */
static halo_status heat3d_create(void **state, const halo_domain *domain, const void *options)
{
    (void)options;
    halo_domain *copy;
    HALO_TRY(HALO_ALLOCATE(copy, 1, "heat3d"));
    *copy = *domain;
    *state = copy;
    return HALO_OK;
}

static void heat3d_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

/* Faces lie one cell outside: cell i of n is at (i + 1) / (n + 1). */
static double wave(int64_t place, int64_t n)
{
    const double pi = 3.14159265358979323846;
    return sin(pi * (double)(place + 1) / (double)(n + 1));
}

static halo_status heat3d_start(void *state, const halo_view *cells)
{
    const halo_domain *domain = state;
    const halo_box *owned = &cells->owned;
    for (int64_t z = 0; z < owned->n[0]; z++) {
        for (int64_t y = 0; y < owned->n[1]; y++) {
            double *row = halo_row_of_plane(cells, z, y);
            double height =
                wave(owned->lo[0] + z, domain->n[0]) * wave(owned->lo[1] + y, domain->n[1]);
            for (int64_t x = 0; x < owned->n[2]; x++) {
                row[x] = height * wave(owned->lo[2] + x, domain->n[2]);
            }
        }
    }
    return HALO_OK;
}

static const halo_kernel heat3d = {.name = "heat3d",
                                   .help = "heat in a block",
                                   .axes = 3,
                                   .cell_bits = {64},
                                   .cell_kind = {HALO_FLOAT},
                                   .depth = 1,
                                   .step = heat3d_step,
                                   .create = heat3d_create,
                                   .destroy = heat3d_destroy,
                                   .start = heat3d_start,
                                   .white = 1};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &heat3d);
}
