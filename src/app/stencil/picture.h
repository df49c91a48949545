#ifndef HALOBEAT_APP_STENCIL_PICTURE_H
#define HALOBEAT_APP_STENCIL_PICTURE_H

#include "core/beat/beat.h"
#include "core/world/world.h"

/* Cells of a field as greys: a grid of two axes, or a plane of three. */
typedef struct {
    halo_world *world;
    const halo_kernel *kernel;
    halo_domain domain;
    int field;
    int64_t plane;       /* of three axes */
    int64_t width, rows; /* cells */
    double black, white; /* what is; see stencil_picture_find_greys */
} stencil_picture;

/* Local, the same on all ranks. `plane` -1 is the middle one. HALO_ARGUMENT for a grid of one axis,
 * a plane that is not there, cells that are no numbers. */
halo_status stencil_picture_create(stencil_picture *picture, halo_world *world,
                                   const halo_kernel *kernel, const halo_domain *domain, int field,
                                   int64_t plane);

/* Collective. What is black and what is white: as the kernel says, or the minimum and the
 * maximum of the cells shown. HALO_MEMORY, HALO_MPI. */
halo_status stencil_picture_find_greys(stencil_picture *picture, const halo_beat *beat);

/* Local. The greys, 0 to 255, of cells `first` to `first + count - 1` of a line; `numbers` has room
 * for as many. */
void stencil_picture_line(const stencil_picture *picture, const void *line, int64_t first,
                          int64_t count, double *numbers, unsigned char *greys);

/* The cells that this rank has of it: rows `row` to `row + rows - 1` of columns `column` to
 * `column + columns - 1`. */
typedef struct {
    const halo_view *view;
    int64_t row, rows, column, columns;
    int64_t plane; /* local index */
} stencil_picture_part;

/* Local. */
stencil_picture_part stencil_picture_own(const stencil_picture *picture, const halo_beat *beat);

/* Local. Its row `i`, from 0. */
const void *stencil_picture_row(const stencil_picture_part *part, int64_t i);

#endif
