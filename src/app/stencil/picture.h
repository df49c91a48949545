#ifndef HALOBEAT_APP_STENCIL_PICTURE_H
#define HALOBEAT_APP_STENCIL_PICTURE_H

#include "base/sample.h"
#include "core/beat/beat.h"
#include "core/world/world.h"
#include "io/canvas/colour_map.h"

/* Pictures of the cells of a run: which cells to draw, and how. */
typedef struct {
    int field;
    int64_t plane; /* of three axes; -1: the middle one */
    halo_colour_map colours;
    bool has_range; /* the numbers of the first and the last colour are asked for: */
    double lo, hi;
    bool own_range; /* those of the kernel, where the cells lie between them */
} stencil_picture_options;

/* Cells of a field in colours: a grid of two axes, or a plane of three. */
typedef struct {
    halo_world *world;
    const halo_kernel *kernel;
    halo_sample_type type; /* of the cells */
    halo_domain domain;
    stencil_picture_options how; /* with the plane */
    int64_t width, rows;         /* cells */
    int levels; /* HALO_COLOUR_LEVELS; or, of greys that are all numbers, 256, none of which stands
                 * for what is no number */
    /* See stencil_picture_find_range. */
    bool found;
    double lo, hi;
    int64_t not_numbers; /* cells shown that are no numbers */
} stencil_picture;

/* Local, the same on all ranks. HALO_ARGUMENT for a grid of one axis, a plane that is not there,
 * cells that are no numbers. */
halo_status stencil_picture_create(stencil_picture *picture, halo_world *world,
                                   const halo_kernel *kernel, const halo_domain *domain,
                                   const stencil_picture_options *how);

/* Collective. Which numbers are the first colour and the last: as it was asked for; else as the
 * kernel says, if that counts and the cells shown lie between; else their minimum and maximum,
 * infinite ones apart. Called again, it keeps what it found, so that pictures one after the other
 * can be compared, unless all cells were the same: these say nothing of what will come. Counts what
 * is no number. HALO_MEMORY, HALO_TRANSPORT. */
halo_status stencil_picture_find_range(stencil_picture *picture, const halo_beat *beat);

/* Local. The colours of cells `first` to `first + count - 1` of a line, as levels of a colour map
 * (io/canvas/colour_map.h); `numbers` has room for as many. */
void stencil_picture_line(const stencil_picture *picture, const void *line, int64_t first,
                          int64_t count, double *numbers, unsigned char *levels);

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
