#include "app/stencil/picture.h"

#include "app/stencil/cells.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

halo_status stencil_picture_create(stencil_picture *picture, halo_world *world,
                                   const halo_kernel *kernel, const halo_domain *domain,
                                   const stencil_picture_options *how)
{
    int64_t plane = how->plane;
    *picture = (stencil_picture){.world = world,
                                 .kernel = kernel,
                                 .type = stencil_cells_type(kernel, how->field),
                                 .domain = *domain,
                                 .how = *how,
                                 .levels = HALO_COLOUR_LEVELS};
    HALO_FAIL_IF(domain->axes < 2, HALO_ARGUMENT,
                 "a line of cells makes no picture; use -o FILE.npy, and no --movie");
    HALO_FAIL_IF(plane >= 0 && (domain->axes < HALO_AXES || plane >= domain->n[0]), HALO_ARGUMENT,
                 "--plane %" PRId64 ": the grid has %" PRId64 " plane%s, counted from 0", plane,
                 domain->axes < HALO_AXES ? 1 : domain->n[0],
                 domain->axes < HALO_AXES || domain->n[0] == 1 ? "" : "s");
    HALO_FAIL_IF(picture->type == STENCIL_BYTES, HALO_ARGUMENT,
                 "cells of %d bits make no picture; use -o FILE.npy, and no --movie",
                 kernel->cell_bits[how->field]);
    picture->how.plane = plane >= 0 ? plane : domain->n[0] / 2;
    picture->width = domain->n[domain->axes - 1];
    picture->rows = domain->n[domain->axes - 2];
    return HALO_OK;
}

stencil_picture_part stencil_picture_own(const stencil_picture *picture, const halo_beat *beat)
{
    const halo_view *view = halo_beat_view(beat, picture->how.field);
    int down = picture->domain.axes - 2, right = picture->domain.axes - 1;
    stencil_picture_part part = {.view = view,
                                 .row = view->owned.lo[down],
                                 .rows = view->owned.n[down],
                                 .column = view->owned.lo[right],
                                 .columns = view->owned.n[right],
                                 .plane = picture->how.plane - view->owned.lo[0]};
    bool is_there =
        picture->domain.axes < HALO_AXES || (part.plane >= 0 && part.plane < view->owned.n[0]);
    part.rows = is_there && part.columns > 0 ? part.rows : 0;
    return part;
}

const void *stencil_picture_row(const stencil_picture_part *part, int64_t i)
{
    return part->view->axes < HALO_AXES ? halo_row(part->view, i)
                                        : halo_row_of_plane(part->view, part->plane, i);
}

/* ---- colours --------------------------------------------------------------------------------- */

typedef struct {
    double min, max; /* of numbers that are finite */
    int64_t not_numbers;
} extent;

static void widen(extent *all, const extent *more)
{
    all->min = fmin(all->min, more->min);
    all->max = fmax(all->max, more->max);
    all->not_numbers += more->not_numbers;
}

static halo_status find_own(const stencil_picture *picture, const halo_beat *beat, extent *own)
{
    stencil_picture_part part = stencil_picture_own(picture, beat);
    void *room;
    HALO_TRY(
        halo_memory_create(&room, ((size_t)part.columns + 1) * sizeof(double), "a row of numbers"));
    double *numbers = room;
    for (int64_t i = 0; i < part.rows; i++) {
        halo_sample_to_doubles(picture->type, stencil_picture_row(&part, i), 0, part.columns,
                               numbers);
        for (int64_t x = 0; x < part.columns; x++) {
            if (isfinite(numbers[x])) {
                double number = numbers[x] + 0.; /* no -0, which is as little as 0 */
                widen(own, &(extent){number, number, 0});
            }
            own->not_numbers += isnan(numbers[x]);
        }
    }
    halo_memory_free(room);
    return HALO_OK;
}

/* Finds the extent of the cells of all ranks. */
static halo_status find_extent(const stencil_picture *picture, const halo_beat *beat, extent *all)
{
    int ranks = halo_world_ranks(picture->world);
    *all = (extent){.min = INFINITY, .max = -INFINITY};
    extent *extents;
    halo_status status = HALO_ALLOCATE(extents, ranks, "the ranges of numbers");
    HALO_IF_OK(status, find_own(picture, beat, all));
    HALO_TRY_OR(done, halo_agree(picture->world, status));
    HALO_TRY_OR(done, halo_gather(picture->world, all, sizeof *all, extents));
    if (halo_world_rank(picture->world) == 0) {
        *all = extents[0];
        for (int r = 1; r < ranks; r++) {
            widen(all, &extents[r]);
        }
    }
    HALO_TRY_OR(done, halo_bcast(picture->world, all, sizeof *all, 0));
done:
    free(extents);
    return status;
}

halo_status stencil_picture_find_range(stencil_picture *picture, const halo_beat *beat)
{
    const halo_kernel *kernel = picture->kernel;
    const stencil_picture_options *how = &picture->how;
    extent all;
    HALO_TRY(find_extent(picture, beat, &all));
    bool some = all.min <= all.max;
    bool own = how->own_range && (kernel->black != 0 || kernel->white != 0) &&
               (!some || (all.min >= fmin(kernel->black, kernel->white) &&
                          all.max <= fmax(kernel->black, kernel->white)));
    picture->not_numbers = all.not_numbers;
    if (!picture->found) {
        picture->lo = how->has_range ? how->lo : own ? kernel->black : some ? all.min : 0;
        picture->hi = how->has_range ? how->hi : own ? kernel->white : some ? all.max : 0;
    }
    picture->found = picture->lo < picture->hi || own;
    return HALO_OK;
}

void stencil_picture_line(const stencil_picture *picture, const void *line, int64_t first,
                          int64_t count, double *numbers, unsigned char *levels)
{
    /* Halves, as the difference of two numbers may be too large for one. */
    double lo = picture->lo / 2, span = picture->hi / 2 - lo, top = picture->levels - 1;
    halo_sample_to_doubles(picture->type, line, first, count, numbers);
    for (int64_t i = 0; i < count; i++) {
        double share = span != 0 ? (numbers[i] / 2 - lo) / span : 0.5;
        double bright = share > 0 ? share < 1 ? share : 1 : 0;
        levels[i] = (unsigned char)(isnan(numbers[i]) ? HALO_COLOUR_NONE : top * bright + 0.5);
    }
}
