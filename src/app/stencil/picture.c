#include "app/stencil/picture.h"

#include "app/stencil/cells.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BRIGHTEST = 255 };

halo_status stencil_picture_create(stencil_picture *picture, halo_world *world,
                                   const halo_kernel *kernel, const halo_domain *domain, int field,
                                   int64_t plane)
{
    double number;
    const uint64_t cell[HALO_KERNEL_FIELDS] = {0};
    *picture = (stencil_picture){
        .world = world, .kernel = kernel, .domain = *domain, .field = field, .plane = plane};
    if (domain->axes < 2) {
        return halo_fail(HALO_ARGUMENT,
                         "a line of cells makes no picture; use -o FILE.npy, and no --movie");
    }
    if (plane >= 0 && (domain->axes < HALO_AXES || plane >= domain->n[0])) {
        return halo_fail(HALO_ARGUMENT,
                         "--plane %" PRId64 ": the grid has %" PRId64 " plane%s, "
                         "counted from 0",
                         plane, domain->axes < HALO_AXES ? 1 : domain->n[0],
                         domain->axes < HALO_AXES || domain->n[0] == 1 ? "" : "s");
    }
    if (!stencil_cells_numbers(kernel, field, cell, 0, 1, &number)) {
        return halo_fail(HALO_ARGUMENT,
                         "cells of %d bits make no picture; use -o FILE.npy, and no --movie",
                         kernel->cell_bits[field]);
    }
    picture->plane = plane >= 0 ? plane : domain->n[0] / 2;
    picture->width = domain->n[domain->axes - 1];
    picture->rows = domain->n[domain->axes - 2];
    return HALO_OK;
}

stencil_picture_part stencil_picture_own(const stencil_picture *picture, const halo_beat *beat)
{
    const halo_view *view = halo_beat_view(beat, picture->field);
    int down = picture->domain.axes - 2, right = picture->domain.axes - 1;
    stencil_picture_part part = {.view = view,
                                 .row = view->owned.lo[down],
                                 .rows = view->owned.n[down],
                                 .column = view->owned.lo[right],
                                 .columns = view->owned.n[right],
                                 .plane = picture->plane - view->owned.lo[0]};
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

/* ---- greys ----------------------------------------------------------------------------------- */

typedef struct {
    double min, max; /* of numbers that are finite */
} extent;

static void widen(extent *all, double min, double max)
{
    all->min = fmin(all->min, min);
    all->max = fmax(all->max, max);
}

static halo_status find_own(const stencil_picture *picture, const halo_beat *beat, extent *own)
{
    stencil_picture_part part = stencil_picture_own(picture, beat);
    void *room;
    HALO_TRY(
        halo_memory_create(&room, ((size_t)part.columns + 1) * sizeof(double), "a row of numbers"));
    double *numbers = room;
    for (int64_t i = 0; i < part.rows; i++) {
        stencil_cells_numbers(picture->kernel, picture->field, stencil_picture_row(&part, i), 0,
                              part.columns, numbers);
        for (int64_t x = 0; x < part.columns; x++) {
            if (isfinite(numbers[x])) {
                widen(own, numbers[x], numbers[x]);
            }
        }
    }
    halo_memory_free(room);
    return HALO_OK;
}

halo_status stencil_picture_find_greys(stencil_picture *picture, const halo_beat *beat)
{
    extent all = {.min = INFINITY, .max = -INFINITY};
    int ranks = halo_world_ranks(picture->world);
    picture->black = picture->kernel->black;
    picture->white = picture->kernel->white;
    if (picture->black != 0 || picture->white != 0) {
        return HALO_OK;
    }
    extent *extents = calloc((size_t)ranks, sizeof *extents);
    halo_status status = HALO_OK;
    if (extents == NULL) {
        halo_fail(HALO_MEMORY, "out of memory: %d extents", ranks);
        status = HALO_MEMORY;
    } else {
        status = find_own(picture, beat, &all);
    }
    HALO_TRY_OR(done, halo_agree(picture->world, status));
    HALO_TRY_OR(done, halo_gather(picture->world, &all, sizeof all, extents));
    for (int r = 0; halo_world_rank(picture->world) == 0 && r < ranks; r++) {
        widen(&all, extents[r].min, extents[r].max);
    }
    HALO_TRY_OR(done, halo_bcast(picture->world, &all, sizeof all, 0));
    picture->black = all.min <= all.max ? all.min : 0;
    picture->white = all.min <= all.max ? all.max : 0;
done:
    free(extents);
    return status;
}

void stencil_picture_line(const stencil_picture *picture, const void *line, int64_t first,
                          int64_t count, double *numbers, unsigned char *greys)
{
    double span = picture->white - picture->black;
    stencil_cells_numbers(picture->kernel, picture->field, line, first, count, numbers);
    for (int64_t i = 0; i < count; i++) {
        double share = span != 0 ? (numbers[i] - picture->black) / span : 0;
        double bright = share > 0 ? share < 1 ? share : 1 : 0; /* what is no number is black */
        greys[i] = (unsigned char)(BRIGHTEST * bright + 0.5);
    }
}
