/* Heat on a plate whose edges are kept at 0, and whose middle begins at 1.
 *   heat --size 4096x4096 --beats 1000 -o heat.png
 * `heat --help` lists what else such a program can do. */

#include <halobeat/halobeat.h>

#include <stdlib.h>

typedef struct {
    int64_t n[2]; /* cells of the plate */
} plate;

/* 5-point Jacobi relaxation: all that a stencil's author writes. */
static halo_status heat_step(halo_step *step)
{
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const double *above = halo_row(step->in, y - 1);
        const double *here = halo_row(step->in, y);
        const double *below = halo_row(step->in, y + 1);
        double *restrict next = halo_row(step->out, y);
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            next[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        }
    }
    return HALO_OK;
}

static halo_status heat_create(void **state, const halo_domain *domain, const void *options)
{
    (void)options;
    plate *made;
    HALO_TRY(HALO_ALLOCATE(made, 1, "heat"));
    *made = (plate){{domain->n[0], domain->n[1]}};
    *state = made;
    return HALO_OK;
}

static void heat_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

static bool is_in_the_middle(int64_t place, int64_t n)
{
    return place >= n / 4 && place < n - n / 4;
}

static halo_status heat_start(void *state, const halo_view *cells)
{
    const plate *p = state;
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        double *row = halo_row(cells, y);
        for (int64_t x = 0; x < cells->owned.n[1]; x++) {
            row[x] = is_in_the_middle(cells->owned.lo[0] + y, p->n[0]) &&
                     is_in_the_middle(cells->owned.lo[1] + x, p->n[1]);
        }
    }
    return HALO_OK;
}

static const halo_kernel heat = {.name = "heat",
                                 .help = "heat on a plate",
                                 .axes = 2,
                                 .cell_bits = {64},
                                 .cell_kind = {HALO_FLOAT},
                                 .depth = 1,
                                 .step = heat_step,
                                 .create = heat_create,
                                 .destroy = heat_destroy,
                                 .start = heat_start,
                                 .white = 1};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &heat);
}
