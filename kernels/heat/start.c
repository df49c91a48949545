#include "kernels/heat/start.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Every shape is made of one number for each layer of each axis. */
typedef struct {
    double *axes[HALO_AXES]; /* [owned n] each */
} factors;

static const double pi = 3.14159265358979323846;

/* Reduce the angle to one turn in whole numbers, which is exact: modes of high order make many
 * turns. */
static double wave(const heat_options *options, const halo_domain *domain, int axis, int64_t cell)
{
    int64_t k = options->mode[axis], n = domain->n[axis];
    if (domain->periodic[axis]) {
        return cos(2 * pi * (double)(k % n * cell % n) / (double)n);
    }
    int64_t turn = 2 * (n + 1);
    return sin(pi * (double)(k % turn * (cell + 1) % turn) / (double)(n + 1));
}

static double factor(const heat_options *options, const halo_domain *domain, int axis, int64_t cell)
{
    int64_t n = domain->n[axis];
    switch (options->shape) {
    case HEAT_SQUARE:
        return 3 * cell >= n && 3 * cell < 2 * n ? 1 : 0;
    case HEAT_LINEAR:
        return (double)((axis + 1) * cell);
    case HEAT_MODE:
    default:
        return wave(options, domain, axis, cell);
    }
}

static double joined(heat_shape shape, double a, double b)
{
    return shape == HEAT_LINEAR ? a + b : a * b;
}

static void free_factors(factors *f)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        free(f->axes[axis]);
    }
}

static halo_status make_factors(factors *f, const heat_options *options, const halo_domain *domain,
                                const halo_box *owned)
{
    *f = (factors){0};
    for (int axis = 0; axis < domain->axes; axis++) {
        HALO_TRY(HALO_ALLOCATE(f->axes[axis], owned->n[axis], "the beginning of layers"));
        for (int64_t i = 0; i < owned->n[axis]; i++) {
            f->axes[axis][i] = factor(options, domain, axis, owned->lo[axis] + i);
        }
    }
    return HALO_OK;
}

static bool is_edge(const halo_domain *domain, int axis, int64_t cell)
{
    return !domain->periodic[axis] && (cell == 0 || cell == domain->n[axis] - 1);
}

typedef struct {
    const heat_options *options;
    const halo_domain *domain;
    const halo_view *view;
    bool only_edges;
    factors factors;
} filling;

/* `before` joins the factors of the axes before it. */
static void fill_row(const filling *f, void *row, double before, bool edge)
{
    const halo_box *owned = &f->view->owned;
    int last = f->domain->axes - 1;
    bool sets = f->options->edge_set;
    for (int64_t x = 0; x < owned->n[last]; x++) {
        bool at_edge = edge || is_edge(f->domain, last, owned->lo[last] + x);
        if (f->only_edges && !at_edge) {
            continue;
        }
        double cell = sets && at_edge ? f->options->edge
                                      : joined(f->options->shape, before, f->factors.axes[last][x]);
        if (f->options->type == HEAT_FLOAT) {
            ((float *)row)[x] = (float)cell;
        } else {
            ((double *)row)[x] = cell;
        }
    }
}

static void fill_rows(const filling *f)
{
    const halo_box *owned = &f->view->owned;
    bool two = f->domain->axes == 2;
    for (int64_t z = 0; z < owned->n[0]; z++) {
        bool edge = is_edge(f->domain, 0, owned->lo[0] + z);
        if (two) {
            fill_row(f, halo_row(f->view, z), f->factors.axes[0][z], edge);
        }
        for (int64_t y = 0; !two && y < owned->n[1]; y++) {
            double before = joined(f->options->shape, f->factors.axes[0][z], f->factors.axes[1][y]);
            bool beside = is_edge(f->domain, 1, owned->lo[1] + y);
            fill_row(f, halo_row_of_plane(f->view, z, y), before, edge || beside);
        }
    }
}

static halo_status fill_view(const heat_options *options, const halo_domain *domain,
                             const halo_view *view, bool only_edges)
{
    filling f = {.options = options, .domain = domain, .view = view, .only_edges = only_edges};
    if (halo_box_cells(&view->owned) == 0) {
        return HALO_OK;
    }
    halo_status status = make_factors(&f.factors, options, domain, &view->owned);
    if (status == HALO_OK) {
        fill_rows(&f);
    }
    free_factors(&f.factors);
    return status;
}

halo_status heat_start_fill(const heat_options *options, const halo_domain *domain,
                            const halo_view *view)
{
    return fill_view(options, domain, view, false);
}

halo_status heat_start_edges(const heat_options *options, const halo_domain *domain,
                             const halo_view *view)
{
    return options->edge_set ? fill_view(options, domain, view, true) : HALO_OK;
}
